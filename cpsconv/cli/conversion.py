"""The reading and conversion of FILE for all commands, and of several files as one program."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from os.path import splitext
from typing import Any

from cpsconv.cli import streams, terminal
from cpsconv.cli.batch import path_and_function
from cpsconv.frontends import CPS, language_of
from cpsconv.ir import Program
from cpsconv.pipeline import convert
from cpsconv.source import Diagnostic, DiagnosticError, Source, error, in_source_order, read_source
from cpsconv.transform import drop_unreachable_functions


def converted(source: Source, function: str | None = None, **given: Any) -> Program:
    """The program in `source`, or its part that `function` may call; reports its warnings.

    The options `given` are those of `cpsconv.pipeline.convert`. Raises `DiagnosticError` if the source is wrong, or has
    no such function.
    """
    return Conversion(lambda: source, function, **given).result()


def _converted(function: str | None, warnings: list[Diagnostic], given: dict[str, Any], source: Source) -> Program:
    with terminal.progress_bar():
        program = convert(source, warnings=warnings, **given)
    if function is not None:
        from cpsconv.entry import function_named  # late: few commands name a function

        drop_unreachable_functions(program, [function_named(program, function)])
    return program


def read_cps_text(file: str, language: str | None = None) -> Source:
    """The source in `file`. Raises `DiagnosticError` if the suffix does not denote CPS text, without a `language`."""
    source = read_source(file)
    denoted = language or language_of(source.name)
    if denoted not in (None, CPS):
        cure = "`cpsconv convert` converts it to CPS text, and `cpsconv run` runs it"
        raise DiagnosticError([error(f"{source.name}: is not CPS text", help=cure, rule="language")])
    if denoted is None and splitext(source.name)[1]:
        cure = "choose the language with `--lang cps`, or rename the file to `….cps`"
        raise DiagnosticError([error(f"{source.name}: the suffix is not that of CPS text", help=cure, rule="language")])
    return source


class Conversion:
    """The conversion of one file, on the first use. Its diagnostics are reported with the `result`.

    `warnings` are those found, `seconds` the time taken. A file that `is_part` of a program, perhaps, keeps functions
    that only other files use.
    """

    def __init__(
        self,
        read: Callable[[], Source],
        function: str | None = None,
        is_part: bool = False,
        optimise: Collection[str] = (),
        **given: Any,
    ) -> None:
        self.warnings: list[Diagnostic] = []
        self.seconds = 0.0
        self.entry: str | None = given.get("entry")
        self.is_optimised_later = is_part and function is None and "functions" in optimise
        self._read = read
        self._source: Source | None = None
        if is_part or function is not None:  # `function` determines which functions are removed, not `main`
            optimise = [each for each in optimise if each != "functions"]
        self._convert = partial(_converted, function, self.warnings, {**given, "optimise": optimise})

    @cached_property
    def _outcome(self) -> Program | Exception:
        start = time.perf_counter()
        try:
            self._source = self._read()
            return self._convert(self._source)
        except Exception as failure:
            return failure
        finally:
            self.seconds = time.perf_counter() - start

    def result(self) -> Program:
        """The program. Reports the warnings. Raises `DiagnosticError` if the source is wrong."""
        if isinstance(self._outcome, Exception):
            raise self._outcome
        streams.report(in_source_order(self.warnings))
        return self._outcome

    def defines(self, name: str) -> bool:
        """Whether the program has a function of that name; for a wrong source, whether it mentions one."""
        if isinstance(self._outcome, Program):
            return self._outcome.function(name) is not None
        return bool(self._source and re.search(rf"\b{re.escape(name)}\b", self._source.text))


class Conversions:
    """The conversions of several files, by FILE, each done once.

    The files are one program if exactly one of them, the `main_file`, defines `main` or, if none does, the function
    `entry` to start, and none is FILE:FUNCTION; otherwise, they are independent.
    """

    def __init__(self, files: Mapping[str, Conversion], entry: str | None = None) -> None:
        self._files = files
        self.main_file: str | None = None
        if len(files) > 1 and not any(path_and_function(file)[1] for file in files):
            defining = self._defining("main") or (self._defining(entry) if entry else [])
            self.main_file = defining[0] if len(defining) == 1 else None

    def _defining(self, name: str) -> list[str]:
        return [file for file, conversion in self._files.items() if conversion.defines(name)]

    def result(self, file: str) -> Program:
        """The program in one of the files, as that of `Conversion`."""
        return self._finished(self._files[file].result(), self._files[file])

    def linked(self) -> Program:
        """The program that all files are. Raises `DiagnosticError` if a source is wrong, or as `linked`."""
        programs: list[Program] = []
        found: list[Diagnostic] = []
        for conversion in self._files.values():
            try:
                programs.append(conversion.result())
            except DiagnosticError as failure:
                found += failure.diagnostics
        if found:
            raise DiagnosticError(found)
        return self._finished(linked(programs), next(iter(self._files.values())))

    def seconds(self, file: str) -> float:
        """The time taken so far by the conversion of the program in the file."""
        parts = self._files.values() if file == self.main_file else [self._files[file]]
        return sum(each.seconds for each in parts)

    def _finished(self, program: Program, conversion: Conversion) -> Program:
        """The program, with the optimisation that needs all of it."""
        if conversion.is_optimised_later and (main := program.function("main")):
            entered = program.function(conversion.entry) if conversion.entry else None
            drop_unreachable_functions(program, [main, entered] if entered else [main])
        return program


def linked(programs: Sequence[Program]) -> Program:
    """The program that consists of the programs. If it has a `main`, all that it uses must be defined.

    Raises `DiagnosticError` as `cpsconv.linking.link`, and if a definition is missing.
    """
    from cpsconv.linking import link, require_defined  # late: most commands have one file

    program = link(programs)
    if program.function("main"):
        require_defined(program)
    return program
