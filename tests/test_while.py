"""The front end for While: syntax, diagnostics, definite assignment, deep nesting, and random programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Source, convert, pretty
from cpsconv.core.ir import Program
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.languages import read
from cpsconv.pipeline import OPTIMISATIONS
from testing.effort import examples, sample
from testing.running import STRATEGIES, observe
from testing.while_programs import FUEL, random_program
from tests.conftest import Run


def converted(text: str) -> Program:
    return convert(Source("p.while", text))


def output(text: str, *arguments: str) -> str:
    return observe(converted(text), arguments).output


def errors(text: str) -> list[str]:
    with pytest.raises(DiagnosticError) as failure:
        converted(text)
    return [f"{each.span.line if each.span else 0}: {each.message}" for each in failure.value.diagnostics]


def unassigned(text: str) -> list[str]:
    """The warnings about definite assignment, as a line, a column and a variable."""
    found: list[Diagnostic] = []
    convert(Source("p.while", text), warn=["check"], warnings=found)
    return [f"{str(each.span)[8:]} {each.message.split('`')[1]}" for each in found]


# ------------------------------------------------------------------------------------------------------------ syntax


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x := 1 + 2 * 3 - 4", "x = 3\n"),
        ("x := 10 - 3 - 2", "x = 5\n"),
        ("x := -2 * -3 / -(1 + 1)", "x = -3\n"),
        ("b := not 1 = 2 and 2 < 3 or false", "b = true\n"),
        ("b := false and false or true", "b = true\n"),
        ("b := ¬(1 ≠ 1) ∧ 2 ≤ 2 ∨ 3 ≥ 4; x ≔ 2 × 3", "b = true\nx = 6\n"),
        ("if (1 > 2) {} else {}; x := 1;", "x = 1\n"),
        ("x := 3; while (x > 0) { x := x - 1 }", "x = 0\n"),
        ("if true then if false then x := 1 else x := 2 else x := 3", "x = 2\n"),
        ("if false then x := 1 else skip; x := 5 // the end", "x = 5\n"),
        ("x := 0; while x < 3 do x := x + 1; x := x * 2", "x = 6\n"),
        ("x := 1; goto l; x := 2; l: x := x + 10", "x = 11\n"),
    ],
)
def test_a_program_means_what_textbooks_say(text: str, expected: str) -> None:
    free = {"x=9"} if "x" in {parameter.name for parameter in converted(text).functions[0].parameters} else set()
    assert output(text, *free) == expected


def test_numbers_have_any_size() -> None:
    digits = "1234567890" * 1_000
    assert output(f"x := -{digits}; y := 2 * x") == f"x = -{digits}\ny = -{'2469135780' * 1_000}\n"
    assert output("y := x + 1", f"x={digits}") == f"y = {digits[:-1]}1\nx = {digits}\n"


_NAMES = ["x", "y", "z"]
_LEAVES = st.sampled_from([*_NAMES, "0", "1", "2", "-1", "18446744073709551616"])


def _wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "+", "-", "*", "/", "%"]), inner)
    return binary | st.builds("(-{})".format, inner)


_NUMBERS = st.recursive(_LEAVES, _wrapped, max_leaves=6)
_TESTS = st.builds("{} {} {}".format, _NUMBERS, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), _NUMBERS)
_TESTS = _TESTS | st.builds("not {}".format, _TESTS)
_LINES = st.lists(
    st.builds("{} := {}".format, st.sampled_from(_NAMES), _NUMBERS)
    | st.builds("b := {}".format, _TESTS)
    | st.builds("if {} then {} := {}".format, _TESTS, st.sampled_from(_NAMES), _NUMBERS)
    | st.builds("n := 3; while n > 0 do {{ n := n - 1; {} := {} }}".format, st.sampled_from(_NAMES), _NUMBERS),
    min_size=1,
    max_size=6,
)
_VALUES = st.integers(-3, 3) | st.integers()


@settings(max_examples=examples(100))
@given(_LINES, st.tuples(_VALUES, _VALUES, _VALUES))
def test_optimised_programs_behave_as_the_others(lines: list[str], values: tuple[int, int, int]) -> None:
    source = Source("p.while", ";\n".join(["x := x + 0; y := y + 0; z := z + 0; b := b or false", *lines]))
    given = [*(f"{name}={value}" for name, value in zip(_NAMES, values, strict=True)), "b=true"]
    plain, optimised = (convert(source, optimise=switches) for switches in ((), OPTIMISATIONS))
    named = [each for each in given if each[0] in {parameter.name for parameter in plain.functions[0].parameters}]
    assert observe(optimised, named) == observe(plain, named)


@pytest.mark.parametrize(
    ("expression", "simplified"),
    [
        ("x + 0", "x"),
        ("x * 1", "x"),
        ("x * -1", "-x"),
        ("x - x", "0n"),
        ("x % 1", "0n"),
        ("(x + 2) - x", "2n"),
        ("x + 3 < 5", "x < 2n"),
        ("3 - x <= 5", "-2n <= x"),
        ("not x < 5", "x >= 5n"),
        ("x >= x", "true"),
        ("x * 3 * 5", "x * 3n * 5n"),  # a larger product may exceed the limit
    ],
)
def test_arithmetic_is_simplified(expression: str, simplified: str) -> None:
    text = f"y := x; v := x - 7; w := {expression}"
    program = convert(Source("p.while", text), optimise=OPTIMISATIONS)
    expected = convert(Source("p.while", f"y := x; v := x - 7; w := {simplified.replace('n', '')}"))
    if simplified not in ("true",):
        assert simplified in pretty(program)
    assert len(pretty(program).splitlines()) <= len(pretty(expected).splitlines())


# ------------------------------------------------------------------------------------------------------- diagnostics


def test_each_syntax_error_is_reported() -> None:
    text = (
        "x = 3;\nif x > then y := 1;\n{ y := (2 + ; z := 1 };\nw := 3 @ 4;\n}\nif a then b := 1; else b := 2;\ngoto 5"
    )
    assert errors(text) == [
        "1: expected `:=`, found `=`",
        "2: expected an expression, found `then`",
        "3: expected an expression, found `;`",
        "4: `@` is not part of the language",
        "5: this `}` closes no `{`",
        "6: expected a statement, found `else`",
        "7: expected a label, found `5`",
    ]


def test_errors_in_types_are_reported_together_with_syntax_errors() -> None:
    text = "x := true;\nl: y = 3;\nx := 1 + x;\ngoto l;\nz := (1;\nz := true + 1;\ngoto m"
    assert errors(text) == [
        "2: expected `:=`, found `=`",
        "3: expected a truth value, found an integer",
        "3: expected an integer, found a truth value",
        "5: expected `)`, found `;`",
        "6: expected an integer, found a truth value",
        "7: there is no label `m`",
    ]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("x = 3", "an assignment is written `x := …`; `=` compares"),
        ("if x == 3 then skip", "`=` compares; an assignment is written `x := …`"),
        ("if x <> 3 then skip", "`!=` is the operator for unequal"),
        ("if x > 3 && y then skip", "`and` is the operator"),
        ("if x > 3 || y then skip", "`or` is the operator"),
        ("if !y then skip", "`not` is the operator"),
        ("if y then skip fi", "a body of several statements is written in `{ … }`, without a word at its end"),
        ("while y do skip; od", "a body of several statements is written in `{ … }`, without a word at its end"),
        ("while y do begin skip; end", "a body of several statements is written in `{ … }`, without a word at its end"),
    ],
)
def test_spellings_of_other_languages_are_answered_with_help(text: str, help: str) -> None:
    with pytest.raises(DiagnosticError) as failure:
        converted(text)
    assert failure.value.diagnostics[0].help == help


def test_each_error_in_types_and_labels_is_reported() -> None:
    text = "x := true;\ny := x;\nz := y + 1;\nwhile z do skip;\nl: skip; l: skip;\ngoto m;\nw := 1 = true"
    assert errors(text) == [
        "3: expected an integer, found a truth value",
        "4: expected a truth value, found an integer",
        "5: duplicate label `l`",
        "6: there is no label `m`",
        "7: expected an integer, found a truth value",
    ]


def test_an_error_shows_where_the_type_of_a_variable_comes_from(cpsconv: Run) -> None:
    Path("p.while").write_text("b := 1 < 2;\nx := b + 1\n")
    assert cpsconv("convert", "p.while") == (
        1,
        "",
        "p.while:2:6: error: expected an integer, found a truth value\n"
        "    2 | x := b + 1\n"
        "      |      ^\n"
        "p.while:1:6: note: `b` has its type by this\n"
        "    1 | b := 1 < 2;\n"
        "      |      ^^^^^\n",
    )


@pytest.mark.parametrize("text", ["// nothing\n", ";", "}", "{", "if", "x :=", "x := (1", "\0", "x := 1 2"])
def test_a_text_that_is_no_program_is_refused(text: str) -> None:
    assert errors(text)


def test_many_errors_end_the_list() -> None:
    assert "too many errors" in errors("x = 1;\n" * 5_000)[-1]
    assert "too many errors" in errors("x := 1 + true;\n" * 5_000)[-1]


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("x := " + "(" * 1_500 + "1" + ")" * 1_500, True),
        ("x := " + "(" * 1_500, False),
        ("x := " + "- " * 1_500 + "1", True),
        ("x := " + "(1 + " * 1_500 + "1" + ")" * 1_500, True),
        ("{" * 1_500 + "skip" + "}" * 1_500, True),
        ("if true then " * 1_100 + "skip", True),
        ("while x > 0 do " * 1_100 + "x := 0", True),
        ("skip" + "}" * 1_500, False),
    ],
    ids=["parentheses", "open", "signs", "sums", "blocks", "ifs", "loops", "closing"],
)
def test_nesting_may_be_deep(text: str, accepted: bool) -> None:
    if accepted:
        converted(text)
    else:
        assert errors(text)


# ------------------------------------------------------------------------------------------------------- parameters


def test_arguments_have_names_or_the_order_of_the_first_occurrences(cpsconv: Run) -> None:
    Path("p.while").write_text("s := a - b")
    assert cpsconv("run", "p.while", "b=1", "a=5") == (0, "s = 4\na = 5\nb = 1\n", "")
    assert cpsconv("run", "p.while", "5", "b=1").out == "s = 4\na = 5\nb = 1\n"
    for arguments, message in [
        (["a=1"], "`program` has no argument for `b`"),
        (["a=1", "b=2", "c=3"], "argument `c=3`: `program` has no parameter `c`"),
        (["a=1", "b=2", "a=3"], "argument `a=3`: `program` has two arguments for `a`"),
        (["a=1", "b=two"], "argument `b` of `program`: `two` is not an integer"),
        (["1"], "`program` takes 2 arguments (a : integer, b : integer), but 1 was given"),
        (["1", "2", "3"], "`program` takes 2 arguments (a : integer, b : integer), but 3 were given"),
    ]:
        done = cpsconv("run", "p.while", *arguments)
        assert done.status == 1 and message in done.err


@pytest.mark.parametrize(
    ("text", "warnings", "parameters"),
    [
        ("y := x", ["1:6 x"], ["x"]),
        ("x := 1; y := x", [], []),
        ("if b then x := 1; y := x", ["1:4 b", "1:24 x"], ["b", "x"]),
        ("if 1 = 1 then x := 1; y := x", ["1:28 x"], ["x"]),  # the graph has both edges of every condition
        ("if 1 = 1 then x := 1 else x := 2; y := x", [], []),
        ("while 1 = 2 do y := 1; z := y", ["1:29 y"], ["y"]),
        ("x := 1; while x < 3 do { x := x + y; y := x }", ["1:35 y"], ["y"]),
        ("x := x", ["1:6 x"], ["x"]),
        ("if 1 = 2 then x := 1", [], ["x"]),  # the initial value is printed, which is no use in the text
        ("x := 1; goto l; y := z; l: skip", [], ["y", "z"]),  # dead code uses nothing
        ("goto b; a: y := x; goto c; b: x := 1; goto a; c: skip", [], []),
        ("a: if y = 0 then goto b; x := y; y := 0; goto a; b: z := x", ["1:7 y", "1:58 x"], ["y", "x"]),
    ],
)
def test_definite_assignment_is_that_of_the_graph(text: str, warnings: list[str], parameters: list[str]) -> None:
    assert unassigned(text) == warnings
    assert [parameter.name for parameter in converted(text).functions[0].parameters[:-1]] == parameters


def test_only_check_reports_definite_assignment(cpsconv: Run) -> None:
    Path("p.while").write_text("y := x\n")
    assert cpsconv("convert", "p.while").err == ""
    assert cpsconv("check", "-Wno-definite-assignment", "p.while").err == cpsconv("check", "-w", "p.while").err == ""
    assert cpsconv("check", "-Werror", "p.while").status == 1
    assert cpsconv("check", "p.while") == (
        0,
        "p.while: 1 warning, certified: 0 continuations, 0 parameters\n",
        "p.while:1:6: warning: `x` is not definitely assigned: a path from the start to this use does not assign to it "
        "[-Wdefinite-assignment]\n"
        "    1 | y := x\n"
        "      |      ^\n"
        "help: the initial value of `x` is a parameter of the program\n",
    )


def test_an_unused_label_is_reported(cpsconv: Run) -> None:
    Path("p.while").write_text("l: skip\n")
    assert "warning: unused label `l` [-Wunused-label]" in cpsconv("convert", "p.while").err


# ------------------------------------------------------------------------------------------------------------- growth


def test_the_analysis_visits_a_step_once_for_each_path_that_assigns_fewer_variables() -> None:
    ladder = ";".join(f"if x > {number} then y{number} := 1" for number in range(150))
    read("while", Source("p.while", ladder))
    assert len(converted("x := f;" + "if x > 1 then {} else {};" * 150 + "y := x").functions[0].continuations) == 450


# ---------------------------------------------------------------------------------------------------- random programs


@pytest.mark.parametrize("number", sample(range(5_000, 5_100), 7))
def test_a_random_program_does_what_its_translation_to_python_does(number: int) -> None:
    generated = random_program(number)
    expected = generated.expected()
    optimise = OPTIMISATIONS if number % 3 else ()
    program = convert(
        Source("p.while", generated.text), strategy=STRATEGIES[number % len(STRATEGIES)], optimise=optimise
    )
    values = {**generated.initial, "fuel": FUEL}
    arguments = [f"{each.name}={str(values[each.name]).lower()}" for each in program.functions[0].parameters[:-1]]
    for engine in ("machine", "python"):
        assert observe(program, arguments, engine=engine) == expected
