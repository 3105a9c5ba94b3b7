"""The command `check`: certification of a file, or its comparison with a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, RUNTIME_ERROR, WRONG_INPUT, Command, require_known
from cpsconv.cli.files import (
    Conversion,
    JsonObjects,
    all_files,
    converted,
    each,
    linked,
    path_and_entry,
    path_and_function,
    run_each,
)
from cpsconv.core.entry import function_named
from cpsconv.core.ir import Function, Program
from cpsconv.core.operations.runtime_errors import TimeLimit
from cpsconv.core.source import DiagnosticError, Source, counted, error, read_source
from cpsconv.languages import CPS, LANGUAGES, language_of_source

if TYPE_CHECKING:
    from cpsconv.cli.grades import Result, Violations
    from cpsconv.lab.answers import Construction
    from cpsconv.lab.equivalence import Equivalence, Method, Starting

_ANSWER_SECONDS = 10
"""The limit of processor time for an answer, unless there is an option."""


@click.command(
    cls=Command,
    examples=[
        "cpsconv check -j 4 examples/fig*.c",
        "cpsconv check docs/course/solutions/maximum.cps --against docs/course/exercises/maximum.c",
        "cpsconv check -O examples/gcd.c:gcd --against examples/gcd.c --input '12 18' --input '0 -7'",
    ],
)
@all_files()
@options.option("--against", metavar="REFERENCE", help="Test whether FILE behaves as this program.")
@options.option(
    "--entry", metavar="NAME", help="Function to test, as FILE:NAME (default: all functions that both programs have)."
)
@options.option(
    "--construction",
    metavar="ANSWER",
    help="Compare the construction by this Python file (docs/course/11-implement.md).",
)
@options.number("--tests", 1, "Number of inputs for each function (docs/against.md).")
@options.option(
    "--input",
    "inputs",
    metavar="'ARG ...'",
    multiple=True,
    callback=lambda context, parameter, given: [options.words(text) for text in given],
    help="Test this input; can be repeated.",
)
@options.number("--max-steps", 1, "Skip inputs for which REFERENCE does not end within N transfers.")
@options.option(
    "--require",
    "required",
    metavar="NAME",
    multiple=True,
    callback=lambda context, parameter, given: _require_forms(given),
    help="Require a form of FILE: minimal, no-let, irreducible, max-parameters=N; can be repeated (docs/against.md).",
)
@options.option("--strict", is_flag=True, help="Also require FILE to reproduce REFERENCE's runtime errors.")
@options.option("--all", "in_table", is_flag=True, help="Print a table of the answers in a folder, FILE or ANSWER.")
@options.timeout
@options.sandbox
@options.option("--independent", is_flag=True, help="Run the second checker, too (docs/certificate.md).")
@options.option("--json", "as_data", is_flag=True, help="Print the result as JSON (docs/against.md).")
@options.option("--csv", "as_csv", is_flag=True, help="Print the table as CSV.")
@options.construction
@options.language
@options.compiler
def check(
    files: Sequence[str],
    jobs: int,
    against: str | None,
    construction: str | None,
    tests: int | None,
    inputs: Sequence[Sequence[str]],
    max_steps: int | None,
    required: Sequence[str],
    strict: bool,
    in_table: bool,
    timeout: float | None,
    sandbox: bool,
    independent: bool,
    as_data: bool,
    as_csv: bool,
    **given: Any,
) -> int:
    """Check FILE, and print its errors and warnings.

    Form, names and types are checked; nothing is run. Warnings do not change the exit status, except with -Werror. The
    conversion of a source, except with -O, is also certified: the result behaves as the source, and has no unused or
    redundant parameter. If one of several files defines main, they are then linked, too (docs/linking.md).

    With --against, FILE and REFERENCE, each in any language, are checked and then run: each function that both have, on
    the same inputs, mainly small ones. The exit status is 1 if they differ. The options of the construction apply to
    FILE only. With --all, each answer may take 10 s of processor time unless --timeout states another limit.

    With --construction, FILE is converted by the functions in ANSWER, and each step is compared with the strategy
    paper. ANSWER is a program: it runs with the rights of the user, in a process of its own, for at most 10 s of
    processor time unless --timeout states another limit. With --all, ANSWER is a folder.
    """
    options.require("in_table", "as_csv")
    options.exclude("as_data", "as_csv")
    limit = timeout or _ANSWER_SECONDS
    of_runs = ["entry", "tests", "inputs", "max_steps", "strict"]
    if construction is not None:
        of_conversions = ["required", "independent", "optimise", "thread_jumps", "explicit_memory"]
        options.exclude("construction", "against", *of_runs, *of_conversions)
        if in_table:
            return _grade_constructions(files, construction, limit, jobs, _form(as_data, as_csv), **given)
        options.require("in_table", "as_data")
        return run_each(files, partial(_compare_answer, answer=construction, timeout=limit, **given), jobs)
    options.require("against", *of_runs, "in_table", "as_data", *["timeout"] * (not sandbox))
    options.exclude("independent", "optimise", "against")
    if against is not None:
        from cpsconv.lab.equivalence import TESTS, Method  # late: most checks run nothing

        method = Method(tests or TESTS, inputs, max_steps, strict)
        given |= {"against": against, "method": method, "required": required}
        if in_table:
            from cpsconv.cli.grades import grade  # late: few checks write a table

            _reference(against, given["language"])  # an error of the reference concerns no single answer
            form = _form(as_data, as_csv)
            return grade(files, [against], partial(_compare_in_brief, **given), required, limit, jobs, form)
        compare = partial(_compare, timeout=timeout, as_data=as_data, **given)
        return run_each(files, compare, jobs, headed=not as_data)
    return _check_all(files, jobs, independent, required, **given)


def _require_forms(given: Sequence[str]) -> list[str]:
    """The names of requirements, each once. Raises `click.BadParameter` for an unknown one."""
    if given:
        from cpsconv.lab.equivalence.requirements import NAMES, requirement  # late, as `Method`

        require_known("requirement", [name for name in given if not requirement(name)], NAMES)
    return [*dict.fromkeys(given)]


def _form(as_data: bool, as_csv: bool) -> Callable[..., str]:
    """The function that writes a table in the chosen form."""
    from cpsconv.cli import grades  # late: few checks write a table

    return grades.as_json if as_data else grades.as_csv if as_csv else grades.as_table


def _constructed(file: str, entry: str | None, language: str | None, warn: Sequence[str], **_: Any) -> Construction:
    """The construction with which answers are compared."""
    from cpsconv.lab.answers import constructed  # late: only exercises need it
    from cpsconv.pipeline import convert

    path, name = path_and_function(file)
    source = read_source(path)
    return constructed(source, language or language_of_source(source), name, partial(convert, warn=warn))


def _compare_answer(file: str, answer: str, timeout: float, **given: Any) -> int:
    """Convert a file by the functions of `answer`, and print the first difference from the strategy `paper`."""
    from cpsconv.engines.processes import ProcessEnded
    from cpsconv.lab.answers import compare_answer  # late: only exercises need it

    construction, answer_source = _constructed(file, **given), read_source(answer)
    try:
        reports = options.within_time(lambda: compare_answer(answer_source, construction), [], timeout)
    except TimeLimit as failure:
        streams.report([failure.diagnostic])
        return RUNTIME_ERROR
    except ProcessEnded as failure:
        raise DiagnosticError([error(f"{answer_source.name}: {failure}", rule="answer")]) from None
    streams.write_result("".join(report.text for report in reports))
    return DONE if all(report.holds for report in reports) else WRONG_INPUT


def _grade_constructions(
    files: Sequence[str], folder: str, seconds: float, jobs: int, form: Callable[..., str], **given: Any
) -> int:
    """Write a table of the answers in a folder, each of which converts all files."""
    from cpsconv.cli.grades import grade
    from cpsconv.lab.answers import compare_answer

    constructions = [_constructed(file, **given) for file in files]

    def compare(answer: str) -> Result:
        source = read_source(answer)
        reports = [report for each in constructions for report in compare_answer(source, each)]
        difference = next((report.in_brief for report in reports if not report.holds), "")
        return "different" if difference else "same", difference, {}

    return grade([folder], [each.source.name for each in constructions], compare, [], seconds, jobs, form)


def _check_all(files: Sequence[str], jobs: int, independent: bool, required: Sequence[str], **given: Any) -> int:
    """Check each file, and link the files if they are one program. Returns the exit status."""
    programs: dict[str, Program] = {}

    def defines_main(file: str) -> bool:
        programs[file] = _check(file, independent, required, **given)
        return programs[file].function("main") is not None

    found = [*each(files, defines_main, jobs)]
    with_main = [file for file, (has_main, _) in zip(files, found, strict=True) if has_main]
    highest = max(status for _, status in found)
    if highest == DONE and len(with_main) == 1 < len(files) and not any(path_and_function(file)[1] for file in files):
        warn = given["warn"]
        given |= {"warn": ["no-everything"]}
        del given["entry"]
        linked([programs.get(file) or converted(read_source(file), **given) for file in files], warn)
    return highest


def _check(
    file: str, independent: bool, required: Sequence[str], entry: str | None, language: str | None, **given: Any
) -> Program:
    """Check a file, and print the result. Returns the program."""
    path, name = path_and_entry(file, entry)
    source = read_source(path)
    language = language or language_of_source(source)
    documents: list[str] | None = [] if independent and language != CPS else None
    conversion = _checked(source, language, documents=documents, **given)
    program = conversion.result()
    if documents:
        from cpsconv.core.check.independent import certify_independently

        if found := certify_independently(documents[0]):
            raise DiagnosticError(found)
    functions = program.functions if name is None else [function_named(program, name)]
    if violated := [*chain.from_iterable(_violations(program, language, required, name).values())]:
        raise DiagnosticError(violated)
    if not streams.settings.quiet:
        checked = source.name if name is None else f"{source.name}:{name}"
        warnings = conversion.warnings
        result = counted(len(warnings), "warning") if warnings else "ok"
        certified = "" if language == CPS or given["optimise"] else ", certified"
        certified += " by both checkers" if documents else ""
        size = "" if language == CPS else f": {_size(functions)}"
        streams.write_result(f"{checked}: {result}{certified}{size}\n")
    return program


def _checked(
    source: Source, language: str, optimise: Sequence[str] = (), warn: Sequence[str] = (), **construction: Any
) -> Conversion:
    """The conversion of a source, which is certified if it is not CPS text, and not optimised.

    The groups of warnings that only this command enables are reported unless `warn` disables them.
    """
    certify = language != CPS and not optimise
    given: dict[str, Any] = {"language": language, "certify": certify, "optimise": optimise, "warn": ["check", *warn]}
    return Conversion(lambda: source, **given, **construction)


def _comparison(
    file: str,
    entry: str | None,
    against: str,
    method: Method,
    required: Sequence[str],
    language: str | None,
    **construction: Any,
) -> tuple[Callable[[], Equivalence], Violations]:
    """The comparison of the program in a file with a reference, and its violations of the requirements.

    Raises `DiagnosticError` if a program is wrong; the comparison does if the programs have no function in common, or
    an input has the wrong form.
    """
    from cpsconv.lab.equivalence import equivalence  # late, as `Method`

    path, name = path_and_entry(file, entry)
    source = read_source(path)
    language = language or language_of_source(source)
    program = _checked(source, language, entry=name, **construction).result()
    against_source, other_language, reference = _reference(against, language)
    starting = (
        _starting(source, language, program, **construction),
        _starting(against_source, other_language, reference),
    )
    compare = partial(equivalence, program, reference, name, method, starting)
    return compare, _violations(program, language, required, name)


def _violations(program: Program, language: str, required: Sequence[str], function: str | None) -> Violations:
    """The violations of each requirement."""
    if not required:
        return {}
    from cpsconv.lab.equivalence.requirements import violations  # late, as `Method`

    return violations(program, language, required, function)


def _compare_in_brief(file: str, **given: Any) -> Result:
    """The verdict on the program in a file, the first difference from the reference, and the violations."""
    from cpsconv.lab.equivalence.report import in_brief  # late, as `Method`

    comparison, violated = _comparison(file, **given)
    return *in_brief(comparison()), violated


def _reference(against: str, language: str | None) -> tuple[Source, str, Program]:
    """The reference, with the language of its source: by default, `language`."""
    source = read_source(against)
    own = language_of_source(source, language)
    return source, own, _checked(source, own, warn=["no-check"]).result()


def _compare(file: str, timeout: float | None, as_data: bool, **given: Any) -> int | JsonObjects:
    """Test the program in a file against a reference and print the result. Returns 0 if it has no fault."""
    from cpsconv.lab.equivalence import as_json, as_text  # late, as `Method`

    comparison, violated = _comparison(file, **given)

    def compare() -> tuple[bool, str]:
        with streams.progress_bar():
            found = comparison()
            return found.holds, as_json(found, violated) if as_data else as_text(found)

    try:
        holds, result = options.within_time(compare, [], timeout)
    except TimeLimit as failure:
        failure.diagnostic.help = "--max-steps limits each run, --tests their number; --timeout sets this limit"
        streams.report([failure.diagnostic])
        return RUNTIME_ERROR
    faults = [*chain.from_iterable(violated.values())]
    status = DONE if holds and not faults else WRONG_INPUT
    if as_data:
        return JsonObjects([result], status, alone=True)
    streams.write_result(result)
    streams.report(faults)
    return status


def _starting(source: Source, language: str, program: Program, **construction: Any) -> Starting:
    """The programs that start with a function, which first runs the code that initialises the program, if any."""
    from cpsconv.abi.runtime.command_line import with_command_line
    from cpsconv.core.erasure import erased  # late, as `Method`

    if not (LANGUAGES[language].initialises and program.function("main")):
        return lambda name: with_command_line(program)
    given = {**construction, "language": language, "warn": ["no-everything"]}
    return lambda name: erased(Conversion(lambda: source, entry=name, **given).result())


def _size(functions: Sequence[Function]) -> str:
    continuations = [member for function in functions for member in function.continuations]
    parameters = sum(len(continuation.parameters) for continuation in continuations)
    return f"{counted(len(continuations), 'continuation')}, {counted(parameters, 'parameter')}"
