"""The pipeline: from a source text to a CPS program, readable in one function."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from cpsconv.construction import Builder, ObservedBuilder, Observer
from cpsconv.frontends import CPS, Lowering, language_of_source, read
from cpsconv.ir import Function, Program
from cpsconv.simplify import SIMPLIFICATIONS
from cpsconv.source import Diagnostic, DiagnosticError, Source, error
from cpsconv.transform import drop_unreachable_functions, minimise, prune

if TYPE_CHECKING:
    from cpsconv.construction.record import FunctionRecord

OPTIMISATIONS = {
    **SIMPLIFICATIONS,
    "dead": "remove computations that nothing uses",
    "functions": "remove functions that main does not come to",
}
"""What can be done to a program on the way, and what that means."""


def convert(
    source: Source,
    *,
    language: str | None = None,
    strategy: str = "scc",
    minimal: bool = True,
    optimise: Collection[str] = (),
    certify: bool = False,
    thread_jumps: bool = False,
    warnings: list[Diagnostic] | None = None,
    record: dict[Function, FunctionRecord] | None = None,
    observer: Observer | None = None,
) -> Program:
    """The CPS program that means the same as a source text.

    `language` is one of `LANGUAGES`, told from the source's name unless given. `strategy` (``basic``, ``marker`` or
    ``scc``) decides where parameters are placed, and `minimal` has those removed that are not used or redundant
    (Algorithm 5 of the paper). `optimise` holds keys of `OPTIMISATIONS`. With `thread_jumps` a jump whose way at the
    next fork is certain goes there directly, also in CPS text; then the result is minimal in any case. With `certify`
    the result is held against its source (`cpsconv.check.certify`). What the front end told the Builder is put in
    `record`; that, and a certificate, are of the source as it stands, and do not go with `optimise`. What deserves a
    warning is appended to `warnings`. `observer` is told what construction does step by step; it does not go with a
    record or a certificate, nor with `thread_jumps`, of which it would not be told.

    Raises `DiagnosticError` where the text is wrong, its language is not known, or there is no certificate.
    """
    from cpsconv import check, text  # only now: `import cpsconv` and ``cpsconv --help`` do without the printer

    warnings = [] if warnings is None else warnings
    language = language or language_of_source(source)
    if language == CPS and (certify or optimise):
        wanted = "certify" if certify else "optimise"
        raise DiagnosticError([error(f"{source.name}: CPS text is not converted: there is nothing to {wanted}")])
    if (certify or record is not None) and (optimise or thread_jumps):
        raise DiagnosticError(
            [error(f"{source.name}: only the construction alone can be certified, without improvements")]
        )
    if observer and (certify or record is not None or thread_jumps):
        raise DiagnosticError([error(f"{source.name}: only the construction alone can be observed")])
    if language == CPS:
        program = text.parse(source, warnings)
        faults = check.check(program)
    elif certify or record is not None:
        from cpsconv.construction.recorder import Recorder

        recorder = Recorder(strategy)
        program = construct(read(language, source), recorder, warnings, minimal=minimal)
        faults = check.certify(program, recorder.record, minimal=minimal) if certify else check.check(program)
        if record is not None:
            record.update(recorder.record)
    else:
        simplify = SIMPLIFICATIONS.keys() & optimise
        builder = ObservedBuilder(observer, strategy, simplify) if observer else Builder(strategy, simplify)
        program = construct(read(language, source), builder, warnings, minimal=minimal, optimise=optimise)
        faults = check.check(program)
    if faults:
        raise DiagnosticError(faults)
    warnings += check.uninitialised(program)
    if thread_jumps:
        from cpsconv.transform.jump_threading import thread_jumps as thread_all_jumps

        thread_all_jumps(program)
        if "dead" in optimise:
            prune(program, computations=True)
        faults = check.check(program)
        if faults:
            raise DiagnosticError(faults)
    return program


def construct(
    lowering: Lowering,
    builder: Builder,
    warnings: list[Diagnostic],
    *,
    minimal: bool = True,
    optimise: Collection[str] = (),
) -> Program:
    """The program of a source that has been read, constructed with `builder` and improved as `convert` says.

    Raises `DiagnosticError` where the text is wrong.
    """
    program = lowering(builder, warnings)
    program.counts = builder.counts
    if minimal or "dead" in optimise:
        prune(program, computations="dead" in optimise, observer=builder.observer)
    if minimal:
        minimise(program, builder.observer)
    if "functions" in optimise and (start := program.function("main")):
        drop_unreachable_functions(program, [start])
    return program
