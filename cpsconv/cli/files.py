"""The files of a command: their paths, their processing in turn or in parallel, and their conversion."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial, wraps
from itertools import islice
from os.path import basename, exists, isdir, join, splitext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from cpsconv.abi.libraries import installed
from cpsconv.cli import streams
from cpsconv.cli.commands import DONE, file_words, report_failure
from cpsconv.core.ir import Program
from cpsconv.core.source import (
    STANDARD_INPUT,
    Diagnostic,
    DiagnosticError,
    Source,
    error,
    in_source_order,
    read_source,
    record_input,
)
from cpsconv.core.transform import drop_unreachable_functions
from cpsconv.languages import CPS, LANGUAGES, is_data, language_of, language_of_source
from cpsconv.languages.permissions import folders_of, permitting
from cpsconv.pipeline import convert, drop_unused_functions

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cpsconv.cli.parallel import Result

T = TypeVar("T")


class JsonObjects(NamedTuple):
    """The result of a command for one file: texts of JSON objects, and the exit status.

    The objects of all files are written as one list. With `alone`, the object of a single file is written without list.
    """

    texts: list[str]
    status: int = DONE
    alone: bool = False


def json_list(objects: Iterable[str]) -> str:
    """The JSON list of the objects."""
    return "[\n" + ",\n".join("  " + text.replace("\n", "\n  ") for text in objects) + "\n]\n"


def run_each(files: Sequence[str], job: Callable[[str], int | JsonObjects], jobs: int, headed: bool = False) -> int:
    """Call `job`, which returns an exit status or JSON objects, with each file. Returns the highest exit status.

    With `headed`, each of several files is announced on standard output. Exceptions are reported, and concern one file.
    """
    if len(files) == 1:
        value = _processed(job, files[0])
        if not isinstance(value, JsonObjects):
            return value
        streams.write_result(f"{value.texts[0]}\n" if value.alone else json_list(value.texts))
        return value.status

    def announced(file: str) -> int | JsonObjects:
        if headed:
            streams.write_result(f"==> {file} <==\n")
            streams.flush()
        return job(file)

    texts: list[str] | None = None
    highest = DONE
    for result, status in each(files, announced, jobs):
        if isinstance(result, JsonObjects):
            texts = [*(texts or []), *result.texts]
            result = result.status
        highest = max(highest, status, result or DONE)
    if texts is not None:
        streams.write_result(json_list(texts))
    return highest


def each(files: Sequence[str], job: Callable[[str], T], jobs: int = 1) -> Iterator[Result[T]]:
    """The results of the job for each file, in order. `jobs` is the number of processes; 0: one per processor.

    Exceptions are reported, except those that concern the whole command: an interrupt, a closed standard output.
    """
    jobs = min(jobs or os.cpu_count() or 1, len(files))
    job = partial(_processed, job)
    with streams.progress_bar():
        if jobs > 1 and hasattr(os, "fork") and not any(path_and_function(file)[0] == "-" for file in files):
            from cpsconv.cli.parallel import Pool  # late: most commands start no other process

            _load_readers(files)
            yield from Pool(files, partial(_attempted, job), jobs).results()
            return
        for number, file in enumerate(files, 1):
            streams.count_progress(number, len(files))
            try:
                yield job(file), DONE
            except (click.ClickException, click.exceptions.Exit, OSError):
                raise
            except Exception as failure:
                yield None, _reported(failure, file) if len(files) > 1 else report_failure(failure)


def _load_readers(files: Iterable[str]) -> None:
    """Import the readers of the languages that the names of the files denote, for all processes."""
    languages = {language_of(path_and_function(file)[0]) for file in files} - {None}
    for language in languages:
        installed(LANGUAGES[str(language)].module or "cpsconv.core.text.parser")


def _attempted(job: Callable[[str], T], file: str) -> Result[T]:
    """The result of the job. All exceptions are reported."""
    try:
        return job(file), DONE
    except Exception as failure:
        return None, _reported(failure, file)


def _reported(failure: Exception, file: str) -> int:
    """Report the exception; texts of errors without a location name the file, one of several. Returns the status."""
    path, _ = path_and_function(file)
    found = failure.diagnostics if isinstance(failure, DiagnosticError) else []
    for each in found if streams.settings.diagnostics == "text" else []:
        if each.span is None and each.rule != "file" and path not in each.message:
            each.message = f"{file}: {each.message}"
    return report_failure(failure, file)


def _processed(job: Callable[[str], T], file: str) -> T:
    """The result of the job. Diagnostics without a span concern the file."""
    path, _ = path_and_function(file)
    streams.settings.file = STANDARD_INPUT if path == "-" else path
    return job(file)


# --------------------------------------------------------------------------------------- FILE arguments of commands


def each_file(
    rest: str | None = None,
    metavar: str = "FILE...",
    existing: bool = False,
    headed: Callable[[dict[str, Any]], bool] = lambda given: False,
) -> Callable[[Callable[..., int | JsonObjects]], Callable[..., int]]:
    """A decorator that adds FILE... and calls the command for each `file`, independently of the others.

    The command returns its exit status, or `JsonObjects`, which are written as one list for all files.

    With `rest`, further words become the parameter of this name: FILE... ends at ``--``, or before a word without the
    suffix of a language (with `existing`, before a word that is not such a file). If there are several files and
    `headed(given)` holds for the options, each result follows a line with the name of the file.
    """

    def with_files(command: Callable[..., int | JsonObjects]) -> Callable[..., int]:
        @all_files(rest, metavar, existing)
        @wraps(command)
        def for_each(files: Sequence[str], jobs: int = 1, **given: Any) -> int:
            for out in given.get("out"), given.get("html"), given.get("split") and f"{given['split']}/":
                if out:
                    prepare_folder(out, files)
            return run_each(
                files, lambda file: command(file=file, **given), jobs, headed(given) and not given.get("out")
            )

        return for_each

    return with_files


def all_files(
    rest: str | None = None, metavar: str = "FILE...", existing: bool = False
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A decorator that adds FILE..., and calls the command once, with the list `files`. See `each_file`."""

    def split(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        before = len(words) - click.get_current_context().meta["words after --"]
        count = next((at for at in range(1, before) if not is_file(words[at])), max(before, 1))
        return words[:count], words[count:]

    def is_file(word: str) -> bool:
        path, _ = path_and_function(word)
        return language_of(path) is not None and (exists(path) or not existing)

    def with_files(command: Callable[..., int]) -> Callable[..., int]:
        @click.argument(
            "files", metavar=metavar, nargs=-1, required=True, callback=file_words, shell_complete=complete_file
        )
        @wraps(command)
        def with_all(files: Sequence[str], **given: Any) -> int:
            if rest:
                files, given[rest] = split(files)
            paths = [path for path, _ in map(path_and_function, files) if path != "-" and not isdir(path)]
            for path in paths:
                record_input(path)
            with permitting(*folders_of(*paths)):
                return command(files=files, **given)

        return with_all

    return with_files


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The completion of a file name, which the shell performs."""
    from click.shell_completion import CompletionItem  # late: most calls complete nothing

    return [CompletionItem(incomplete, type="file")]


# ---------------------------------------------------------------------------------------------------------------- paths


def path_and_function(target: str) -> tuple[str, str | None]:
    """The path in FILE[:FUNCTION], and the function's name, if any; a colon may also be part of the path."""
    path, colon, function = target.rpartition(":")
    return (path, function) if colon and path and not exists(target) else (target, None)


def path_and_entry(file: str, entry: str | None) -> tuple[str, str | None]:
    """The path in FILE[:FUNCTION], and the function to start. Raises `click.UsageError` if it is given twice."""
    path, function = path_and_function(file)
    if function is not None and entry is not None:
        raise click.UsageError(f"{file} names the function to start: --entry cannot name another one")
    return path, function if entry is None else entry


def is_folder(out: str) -> bool:
    """Whether OUT denotes a folder, which need not exist."""
    return isdir(out) or out.endswith(("/", os.sep))


def path_of(out: str | None, target: str, suffix: str) -> str | None:
    """OUT for FILE[:FUNCTION]: if it is a folder, the file in it that is named after the target, with the suffix."""
    return out if out is None or not is_folder(out) else join(out, _stem(target) + suffix)


def _stem(target: str) -> str:
    path, function = path_and_function(target)
    stem = "stdin" if path == "-" else splitext(basename(path))[0]
    return f"{stem}.{function}" if function else stem


def prepare_folder(out: str, targets: Sequence[str]) -> None:
    """Create OUT if it is a folder.

    Raises `click.UsageError` if several targets would be written to the same file; `DiagnosticError` if the folder
    cannot be created.
    """
    if out == "-":
        return
    if len(targets) > 1 and not is_folder(out):
        raise click.UsageError(f"several files are written to a folder: {out} is no folder; end its name with /")
    written: dict[str, str] = {}
    for target in targets:
        path = join(out, _stem(target))
        if path in written:
            raise click.UsageError(f"{written[path]} and {target} would be written to the same file {path}.…")
        written[path] = target
    if is_folder(out):
        streams.create_folder(out)


# ----------------------------------------------------------------------------------------------------------- conversion


def converted(source: Source, function: str | None = None, **given: Any) -> Program:
    """The program in `source`, or its part that `function` may call; reports its warnings.

    The options `given` are those of `cpsconv.pipeline.convert`. Raises `DiagnosticError` if the source is wrong, or has
    no such function.
    """
    return Conversion(lambda: source, function, **given).result()


def _converted(function: str | None, warnings: list[Diagnostic], given: dict[str, Any], source: Source) -> Program:
    with streams.progress_bar():
        program = convert(source, warnings=warnings, **given)
    if function is not None:
        from cpsconv.core.entry import function_named  # late: few commands name a function

        drop_unreachable_functions(program, [function_named(program, function)])
    return program


def read_cps_text(file: str, language: str | None = None) -> Source:
    """The source in `file`, CPS text or a program in JSON.

    Raises `DiagnosticError` if the suffix of a text does not denote CPS text, without a `language`.
    """
    source = read_source(file)
    if is_data(source):
        return source
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
        self.warn: Sequence[str] = given.get("warn", ())
        self.is_optimised_later = is_part and function is None and "functions" in optimise
        self._read = read
        if is_part or function is not None:  # `function` determines which functions are removed, not `main`
            optimise = [each for each in optimise if each != "functions"]
        self._convert = partial(_converted, function, self.warnings, {**given, "optimise": optimise})

    @cached_property
    def _source(self) -> Source:
        return self._read()

    @cached_property
    def _outcome(self) -> Program | Exception:
        start = time.perf_counter()
        try:
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

    @property
    def language(self) -> str | None:
        """The language that the source denotes by itself, if it can be read and denotes one."""
        with suppress(DiagnosticError):
            return language_of_source(self._source)
        return None

    def defines(self, name: str) -> bool:
        """Whether the program has a function of that name; for a wrong source, whether it mentions one."""
        if isinstance(self._outcome, Program):
            return self._outcome.function(name) is not None
        with suppress(DiagnosticError):
            return re.search(rf"\b{re.escape(name)}\b", self._source.text) is not None
        return False


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
        """The files that define a function of that name: the first two of them."""
        return [*islice((file for file, conversion in self._files.items() if conversion.defines(name)), 2)]

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
        first = next(iter(self._files.values()))
        return self._finished(linked(programs, first.warn), first)

    def language(self, file: str) -> str | None:
        """The language that one of the sources denotes by itself, if any."""
        return self._files[file].language

    def seconds(self, file: str) -> float:
        """The time taken so far by the conversion of the program in the file."""
        parts = self._files.values() if file == self.main_file else [self._files[file]]
        return sum(each.seconds for each in parts)

    def _finished(self, program: Program, conversion: Conversion) -> Program:
        """The program, with the optimisation that needs all of it."""
        if conversion.is_optimised_later:
            drop_unused_functions(program, conversion.entry)
        return program


def linked(programs: Sequence[Program], warn: Sequence[str] = ()) -> Program:
    """The program that consists of the programs. If it has a `main`, all that it uses must be defined.

    Reports the warnings that `warn` chooses. Raises `DiagnosticError` as `cpsconv.abi.linking.link`, if a
    warning is chosen as an error, and if a definition is missing.
    """
    from cpsconv.abi.linking import link, require_defined  # late: most commands have one file

    found: list[Diagnostic] = []
    program = link(programs, found)
    if found:
        from cpsconv.languages.warning_groups import Warnings  # late: few programs have warnings

        found = Warnings(warn).chosen(found)
        if any(each.severity == "error" for each in found):
            raise DiagnosticError(found)
        streams.report(found)
    if program.function("main"):
        require_defined(program)
    return program
