"""The passes from a source text to a CPS program, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from cpsconv.abi import attributes as _attributes  # noqa: F401  # registers the names and keywords of texts
from cpsconv.core.analysis.reentry import jumps
from cpsconv.core.construction import STRATEGIES, Builder, Observer
from cpsconv.core.construction.events import combined
from cpsconv.core.ir import Function, Program
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, error, undecodable
from cpsconv.core.transform import drop_unreachable_functions, minimise, prune
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import CPS, LANGUAGES, Lowering, is_data, language_of_source, read
from cpsconv.languages.warning_groups import DEFAULT, Warnings, choosing

if TYPE_CHECKING:
    from cpsconv.core.analysis.undefined_operands import Rule
    from cpsconv.core.construction.explicit_memory import ExplicitMemory
    from cpsconv.core.construction.record import FunctionRecord, Recorder

OPTIMISATIONS = {
    **SIMPLIFICATIONS,
    "memory": "remove loads of known values, and stores that change nothing or are overwritten unread",
    "dead": "remove computations that nothing uses",
    "functions": "remove functions of a complete program that main and the started function do not reach",
}
"""The optimisations of a conversion, with their descriptions."""


def convert(
    source: Source | str,
    *,
    language: str | None = None,
    strategy: str = "scc",
    minimal: bool = True,
    optimise: Collection[str] = (),
    certify: bool = False,
    thread_jumps: bool = False,
    explicit_memory: str | None = None,
    profile: bool = False,
    entry: str | None = None,
    warnings: list[Diagnostic] | None = None,
    warn: Iterable[str] = (),
    record: dict[Function, FunctionRecord] | None = None,
    documents: list[str] | None = None,
    observer: Observer | None = None,
) -> Program:
    """The CPS program for a source text.

    Args:
        source: The text, as a string if the `language` is given. CPS text, or a program in JSON, is only read and
            checked, and its jumps are threaded if requested.
        language: One of `LANGUAGES`; by default, `cpsconv.languages.language_of_source` determines it.
        strategy: The placement of parameters, a key of `cpsconv.lab.baselines.CONSTRUCTIONS`.
        minimal: Whether to remove redundant parameters (Algorithm 5), and unused ones.
        optimise: Keys of `OPTIMISATIONS`.
        certify: Whether to check the constructed program against its source (`cpsconv.core.check.certify`).
        thread_jumps: Whether to redirect jumps past branches whose outcome is known. The result is minimal.
        explicit_memory: ``one`` makes the state of memory explicit, ``objects`` also gives each object whose address
            does not escape a memory of its own (docs/memory.md).
        profile: Whether `main` returns the number of executed instructions of the source, for a language that
            offers this (`cpsconv.languages.Language.profiles`).
        entry: The function that a run starts. In a language with code that runs before any other
            (`cpsconv.languages.Language.initialises`), this function runs that code first. Optimisations keep it.
        warnings: The list to which warnings are appended.
        warn: The choice of warnings: options as in docs/warnings.md, without ``-W`` (``["all", "no-overflow"]``).
        record: The dictionary to which the record of the construction is added (`cpsconv.core.construction.record`).
        documents: The list to which the record and the program are appended as JSON (docs/record.md).
        observer: The function that is called with each event of the construction (`cpsconv.core.construction.events`).

    A certificate, a record and a document describe the program before its jumps are threaded. The events include the
    reconstruction afterwards.

    Raises `DiagnosticError` if the text is wrong, has a warning that is chosen as an error, or is not certified, or if
    the suffix denotes no language; `BuildError` if there is no such strategy; `ValueError` for an unknown language,
    optimisation or group of warnings, for `certify`, `record` or `documents` with `optimise`, and for `record` with
    `thread_jumps`.
    """
    from cpsconv.core import check, text  # imported on use: `import cpsconv` and ``cpsconv --help`` need no printer

    if isinstance(source, str):
        source = Source("<string>", source)
    elif not isinstance(source, Source):
        raise TypeError(f"the source is {source!r}: pass a `Source`, or a string and its `language`")
    _require_known("language", [language] if language else [], LANGUAGES)
    _require_known("optimisation", optimise, OPTIMISATIONS)
    is_documented = documents is not None
    _require_compatible(certify, record is not None, is_documented, optimise, thread_jumps)
    choice = Warnings(warn) if warn else DEFAULT
    found: list[Diagnostic] = []
    language = language or language_of_source(source)
    recorder = _recorder() if certify or is_documented or record is not None else None
    certificate = recorder if certify else None
    rule = LANGUAGES[language].undefined
    if language == CPS:
        _require_nothing_to_convert(source, certify or is_documented, optimise, explicit_memory)
        program = _data(source) if is_data(source) else text.parse(source, found)
        _reject(check.check(program))
    else:
        with choosing(choice) if warn else nullcontext():
            lowering = read(language, source, profile, entry)
            simplify = SIMPLIFICATIONS.keys() & optimise
            new_builder = partial(Builder, strategy, simplify, undefined=rule, checked=LANGUAGES[language].is_checked)
            memory = None if explicit_memory is None else _explicit_memory(new_builder, lowering, explicit_memory)
            builder = new_builder(combined(observer, recorder), memory)
            program = construct(lowering, builder, found, minimal=minimal, optimise=optimise, entry=entry)
            if explicit_memory is not None:
                _require_no_jumps(program, source)
        if certificate:
            _reject(check.certify(program, certificate.record, certificate.stated, minimal=minimal, undefined=rule))
        else:
            _reject(check.check(program))
        if recorder and record is not None:
            record.update(recorder.record)
        if recorder and documents is not None:
            documents.append(_document(program, recorder, rule))
    if choice.enabled and (warnings is not None or choice.errors):
        found += check.warnings_of(program)
    _report(choice.chosen(found), warnings)
    if thread_jumps:
        _report(choice.chosen(_thread_jumps(program, strategy, optimise, observer, rule)), warnings)
        if certificate:
            _reject(check.certify_threaded(program, certificate.record, certificate.stated))
        else:
            _reject(check.check(program))
    return program


def _require_no_jumps(program: Program, source: Source) -> None:
    """Raises `DiagnosticError` if the program, whose memory is explicit, has jumps of C, which do not pass it."""
    if jumps(program):
        message = f"{source.name}: the memory of a program with `longjmp` cannot be explicit: jumps do not pass it"
        _reject([error(message, rule="not-expressible")])
    from cpsconv.core.operations.foreign import foreign_effects  # few conversions make memory explicit

    message = "the memory of a program with foreign effects cannot be explicit: they may access it"
    _reject([error(message, span, rule="not-expressible") for span in foreign_effects(program)])


def _data(source: Source) -> Program:
    """The program in JSON. Raises `DiagnosticError` if the JSON is wrong."""
    from cpsconv.core.json import from_json  # few programs are in JSON

    if source.undecoded is not None:
        raise undecodable(source, source.undecoded)
    try:
        return from_json(source.text)
    except ValueError as failure:
        raise DiagnosticError([error(f"{source.name}: {failure}", rule="file")]) from None


def construct(
    lowering: Lowering,
    builder: Builder,
    warnings: list[Diagnostic],
    *,
    minimal: bool = True,
    optimise: Collection[str] = (),
    entry: str | None = None,
) -> Program:
    """The program of a parsed source, constructed with `builder`, and pruned and minimised as `convert` describes.

    Raises `DiagnosticError` if the text is wrong.
    """
    program = lowering(builder, warnings)
    program.counts = builder.counts
    if "memory" in optimise and not program.has_explicit_memory:
        from cpsconv.core.transform.memory_accesses import simplify_accesses  # few programs have memory

        simplify_accesses(program)
    if minimal or "dead" in optimise:
        prune(program, computations="dead" in optimise, observer=builder.observer)
    if minimal:
        as_printed = CONSTRUCTIONS[builder.strategy].as_printed
        minimise(program, builder.observer, as_printed=as_printed, undefined=builder.undefined)
    if "functions" in optimise:
        drop_unused_functions(program, entry)
    return program


def drop_unused_functions(program: Program, entry: str | None = None) -> None:
    """Remove, in place, the functions of a complete program that neither `main` nor the function `entry` reaches.

    An incomplete program keeps all functions: other files may call its visible ones. So does a program with foreign
    operations, whose texts may name functions.
    """
    from cpsconv.abi.linking import is_complete  # late: few conversions optimise
    from cpsconv.core.operations.foreign import has_foreign

    if is_complete(program) and not has_foreign(program):
        roots = [program.function("main"), program.function(entry) if entry else None]
        drop_unreachable_functions(program, filter(None, roots))


def _recorder() -> Recorder:
    from cpsconv.core.construction.record import Recorder  # most conversions record nothing

    return Recorder()


def _document(program: Program, recorder: Recorder, undefined: Rule) -> str:
    from cpsconv.core.json.record import record_to_json  # few conversions write it

    return record_to_json(program, recorder.record, recorder.stated, undefined)


def _explicit_memory(new_builder: Callable[..., Builder], lowering: Lowering, form: str) -> ExplicitMemory | None:
    """The explicit memory of a program, for the Builder that constructs it."""
    from cpsconv.core.construction.explicit_memory import memory_for  # few conversions make memory explicit

    return memory_for(form, lambda observer: construct(lowering, new_builder(observer), []))


def _thread_jumps(
    program: Program, strategy: str, optimise: Collection[str], observer: Observer | None, undefined: Rule
) -> list[Diagnostic]:
    from cpsconv.core.transform.jump_threading import thread_jumps  # few conversions thread jumps

    # The reconstruction has no baseline of its own: a conversion with one is reconstructed with the default.
    dropped = thread_jumps(program, strategy if strategy in STRATEGIES else "scc", observer, undefined)
    if "dead" in optimise:
        prune(program, computations=True, observer=observer)
    return dropped


def _report(found: list[Diagnostic], warnings: list[Diagnostic] | None) -> None:
    """Append the warnings to `warnings`. Raises `DiagnosticError` if one of them is chosen as an error."""
    if any(each.severity == "error" for each in found):
        raise DiagnosticError(found)
    if warnings is not None:
        warnings += found


def _require_known(kind: str, names: Collection[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"there is no {kind} {name!r}; there are {', '.join(known)}")


def _require_compatible(
    certify: bool, record: bool, document: bool, optimise: Collection[str], thread_jumps: bool
) -> None:
    """Raise `ValueError` for options that exclude each other."""
    if (certify or document) and optimise:
        given = "certify" if certify else "documents"
        raise ValueError(f"{given} excludes optimise: the simplified statements are not those of the source")
    if record and (optimise or thread_jumps):
        other = "optimise" if optimise else "thread_jumps"
        raise ValueError(f"record excludes {other}: the record would not describe the result")


def _require_nothing_to_convert(
    source: Source, certify: bool, optimise: Collection[str], explicit_memory: str | None
) -> None:
    if certify or optimise or explicit_memory:
        wanted = "certify" if certify else "optimise" if optimise else "make explicit"
        raise DiagnosticError(
            [error(f"{source.name}: CPS text is not converted: there is nothing to {wanted}", rule="language")]
        )


def _reject(errors: list[Diagnostic]) -> None:
    if errors:
        raise DiagnosticError(errors)
