"""The pipeline: from a source text to a CPS program, readable in one function."""

from __future__ import annotations

from pathlib import PurePath

from cpsconv.build import Builder
from cpsconv.build.recorder import Recorder
from cpsconv.frontends import LANGUAGES as FRONT_ENDS
from cpsconv.frontends import front_end, language_of
from cpsconv.ir import Function, Program
from cpsconv.record import FunctionRecord
from cpsconv.source import Diagnostic, DiagnosticError, Source, error
from cpsconv.transform import minimise, prune
from cpsconv.transform import thread_jumps as thread_all_jumps

CPS = "cps"

LANGUAGES = (*FRONT_ENDS, CPS)
"""What can be converted. CPS text is a language, too: its programs stay as they were written."""


def convert(
    source: Source,
    *,
    language: str | None = None,
    strategy: str = "scc",
    minimal: bool = True,
    certify: bool = False,
    thread_jumps: bool = False,
    warnings: list[Diagnostic] | None = None,
    record: dict[Function, FunctionRecord] | None = None,
) -> Program:
    """The CPS program that means the same as a source text.

    `language` is one of `LANGUAGES`, told from the source's name unless given. `strategy` (``basic``, ``marker`` or
    ``scc``) decides where parameters are placed, and `minimal` has those removed that are not used or redundant
    (Algorithm 5 of the paper). With `certify` the result is held against its source (`cpsconv.check.certify`). With
    `thread_jumps` a jump whose way at the next fork is certain goes there directly (docs/reconstruction.md), also in
    CPS text; then the result is minimal in any case. What deserves a warning is appended to `warnings`; what the front
    end told the Builder is put in `record`.

    Raises `DiagnosticError` where the text is wrong, its language is not known, or there is no certificate.
    """
    from cpsconv import check, text  # only now: `import cpsconv` and ``cpsconv --help`` do without the printer

    warnings = [] if warnings is None else warnings
    language = language or language_of_source(source)
    if certify and thread_jumps:
        complaint = f"{source.name}: a certificate is of the construction alone: threaded jumps are not certified"
        raise DiagnosticError([error(complaint)])
    if language == CPS:
        if certify:
            raise DiagnosticError([error(f"{source.name}: CPS text is not converted: there is nothing to certify")])
        program = text.parse(source, warnings)
        faults = check.check(program)
    else:
        recorder = Recorder(strategy) if certify or record is not None else None
        builder = recorder or Builder(strategy)
        program = front_end(language)(source, builder, warnings)
        program.counts = builder.counts
        if minimal:
            prune(program)
            minimise(program)
        if recorder and record is not None:
            record.update(recorder.record)
        held_against = recorder.record if recorder and certify else None
        faults = check.certify(program, held_against, minimal=minimal) if held_against else check.check(program)
    if faults:
        raise DiagnosticError(faults)
    warnings += check.uninitialised(program)
    if thread_jumps:
        thread_all_jumps(program)
        faults = check.check(program)
        if faults:
            raise DiagnosticError(faults)
    return program


def language_of_source(source: Source) -> str:
    """The language that the source's name stands for. Raises `DiagnosticError` if it stands for none."""
    suffix = PurePath(source.name).suffix
    language = CPS if suffix == ".cps" else language_of(source.name)
    if language is None:
        complaint = f"{source.name}: the name does not tell which language this is"
        raise DiagnosticError([error(complaint, help=f"say so with --lang ({' or '.join(LANGUAGES)})")])
    return language
