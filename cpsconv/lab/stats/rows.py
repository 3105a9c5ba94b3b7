"""The rows of one file: the result of the conversion of each function.

The first row is that of the file, without a `function`. A file that is refused has no other row. Columns that do not
apply to a row are None.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, NamedTuple

from cpsconv.abi.libraries import installed
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import successors
from cpsconv.core.analysis.loops import LoopNest
from cpsconv.core.check import certify
from cpsconv.core.check.independent import certify_independently
from cpsconv.core.construction import Builder
from cpsconv.core.construction.record import Recorder
from cpsconv.core.ir import Function, Program
from cpsconv.core.json.record import record_to_json
from cpsconv.core.operations.runtime_errors import TimeLimit
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, error, read_source, recording_inputs
from cpsconv.core.transform import minimise, prune
from cpsconv.engines.processes import within_time
from cpsconv.lab.explain.comparison import Row as Comparison
from cpsconv.lab.explain.comparison import compare_read
from cpsconv.languages import CPS, LANGUAGES, Lowering, language_of, language_of_source, read
from cpsconv.languages.permissions import Permissions, permitting

Row = dict[str, Any]

FIGURES = {**dict.fromkeys(("placed", "removed", "kept", "minimal", "arguments", "lookups"), int), "seconds": float}
"""The columns of each strategy, with their types. Their names follow the strategy's: ``scc.kept``."""

_TEXTS = ("file", "function", "language", "refusal", "rule", "certificate", "reasons")
_SECONDS = ("seconds", "reading")
_NUMBERS = ("line", "lines", "statements", "continuations", "loops", "irreducible", "promoted", "in_memory")
_COLUMNS = {name: type for type, names in ((str, _TEXTS), (int, _NUMBERS), (float, _SECONDS)) for name in names}


def columns(strategies: Sequence[str]) -> dict[str, type]:
    """The columns of rows, in order, with the types of their values. docs/stats.md describes them."""
    return {**_COLUMNS, **{f"{name}.{figure}": type for name in strategies for figure, type in FIGURES.items()}}


class Task(NamedTuple):
    """A file to convert, in a working directory.

    `settings` are those of the preprocessor of each language that has one; `permissions` those of the conversion. With
    a `fault` of its command line, the file is refused.
    """

    path: str
    directory: str
    language: str | None = None
    settings: Mapping[str, Any] = {}
    permissions: Permissions = Permissions()
    fault: str | None = None


class Method(NamedTuple):
    """How files are converted: with which strategies, in how many seconds of processor time and further bytes each.

    With `independent`, the second checker examines each conversion, too.
    """

    strategies: Sequence[str]
    seconds: float = 600
    memory: int | None = None
    independent: bool = False


class Measured(NamedTuple):
    """The rows of a file, and the paths of the files that were read for them."""

    rows: list[Row]
    inputs: list[str]


def measure(task: Task, method: Method) -> Measured:
    """Convert the file in a process of its own. However it ends, the file has a row. Requires a POSIX system."""

    def measured() -> Measured:
        os.chdir(task.directory)
        with recording_inputs() as inputs:
            try:
                return Measured(_rows(task, method), [*inputs])
            except Exception as failure:
                return Measured([refused(task, failure)], [*inputs])

    try:
        for language in filter(None, [task.language or language_of(task.path)]):
            _load(language)
        return within_time(measured, [], method.seconds, method.memory)
    except Exception as failure:
        return Measured([refused(task, failure)], [task.path])


@cache
def _load(language: str) -> None:
    """Load what all files in the language need, so that the processes of the files inherit it."""
    if LANGUAGES[language].module:
        read(language, Source("<empty>", ""))


def refused(task: Task, failure: Exception) -> Row:
    """The row of a file whose conversion failed."""
    if isinstance(failure, DiagnosticError):
        first = next(each for each in failure.diagnostics if each.severity == "error")
    elif isinstance(failure, TimeLimit):
        first = error("the conversion takes too much time", rule="time")
    elif isinstance(failure, MemoryError):
        first = error("the conversion takes too much memory", rule="memory")
    else:
        first = error(f"{type(failure).__name__}: {failure}".splitlines()[0], rule="internal")
    line = first.span.line if first.span else None
    return {
        "file": task.path,
        "language": task.language or language_of(task.path),
        "line": line,
        "refusal": first.message,
        "rule": first.rule,
    }


@contextmanager
def _reading(task: Task) -> Iterator[None]:
    """Read files within the block as the task requires."""
    folders, clock, working_directory = task.permissions
    with ExitStack() as stack:
        stack.enter_context(permitting(*folders, clock=clock, working_directory=working_directory))
        for language, settings in task.settings.items():
            if preprocessor := installed(LANGUAGES[language].preprocessor):
                stack.enter_context(preprocessor.preprocessing(settings))
        yield


def _rows(task: Task, method: Method) -> list[Row]:
    """The rows of the file. Raises `DiagnosticError` if it is wrong."""
    if task.fault is not None:
        raise DiagnosticError([error(task.fault, rule="command-line")])
    start = time.process_time()
    with _reading(task):
        source = read_source(task.path)
        language = task.language or language_of_source(source)
        if language == CPS:
            raise DiagnosticError([error("CPS text has no variables to place parameters for", rule="language")])
        lowering = read(language, source)
        reading = time.process_time() - start
        program, faults = _certified(lowering, language, method.independent)
        compared = compare_read(task.path, language, lowering, method.strategies, repeat=0)
    common = {"file": task.path, "language": language, "certificate": faults[0].message if faults else "certified"}
    rows = [{**common, **_figures(program, function)} for function in program.functions]
    by_function = {row["function"]: row for row in rows}
    for found in compared:
        by_function[found.function].update(_compared(found))
    lines = source.text.count("\n") + (not source.text.endswith("\n"))
    seconds = time.process_time() - start
    return [{**common, "lines": lines, "seconds": seconds, "reading": reading}, *rows]


def _certified(lowering: Lowering, language: str, independent: bool) -> tuple[Program, list[Diagnostic]]:
    """The minimal program by the default strategy, and the faults that its certificates found."""
    recorder, rule = Recorder(), LANGUAGES[language].undefined
    program = lowering(Builder(observer=recorder, undefined=rule, checked=LANGUAGES[language].is_checked), [])
    prune(program)
    minimise(program, undefined=rule)
    faults = certify(program, recorder.record, recorder.stated, undefined=rule)
    if independent and not faults:
        faults = certify_independently(record_to_json(program, recorder.record, recorder.stated, rule))
    return program, faults


def _figures(program: Program, function: Function) -> Row:
    """The columns of a function that do not depend on the strategy."""
    nest = LoopNest(DominatorTree(function), successors).innermost
    loops = {*nest.values()} | {loop.around for loop in nest.values() if loop.around}
    members = [*function.members()]
    parts = [*function.statements(), *(member.transfer for member in members)]
    spans = [each.span for each in parts if each and each.span]
    lines = [span.line for span in spans if function.span and span.file == function.span.file]
    row = {
        "function": function.name,
        "line": function.span.line if function.span else None,
        "lines": max(lines) - min(lines) + 1 if lines else 0,
        "statements": sum(len(member.body) for member in members),
        "continuations": len(function.continuations),
        "loops": len(loops),
        "irreducible": sum(loop.irreducible for loop in loops),
    }
    if variables := program.variables.get(function):
        reasons = Counter(each.reason for each in variables.in_memory)
        row |= {"promoted": variables.promoted, "in_memory": reasons.total(), "reasons": json.dumps(reasons)}
    return row


def _compared(found: Comparison) -> Row:
    """The columns of a strategy."""
    return {f"{found.strategy}.{figure}": getattr(found, figure) for figure in FIGURES}
