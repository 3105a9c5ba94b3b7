"""Where a program starts, and the arguments of a command line."""

import io
import math

import pytest

from cpsconv.entry import entry_of, parse_arguments, shown_data
from cpsconv.evaluator.machine import evaluate
from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    STRING,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    ContinuationType,
    Function,
    Parameter,
    Program,
)
from cpsconv.source import DiagnosticError

RETURN = Parameter(ContinuationType((INT,)), "ret")


def program(*names):
    return Program([Function(name, [RETURN]) for name in names])


def taking(*types):
    """A function `f` with parameters `a`, `b`, … of these types."""
    return Function("f", [*(Parameter(type, "abcdef"[number]) for number, type in enumerate(types)), RETURN])


def complaints(do):
    with pytest.raises(DiagnosticError) as raised:
        do()
    return [diagnostic.render() for diagnostic in raised.value.diagnostics]


@pytest.mark.parametrize(
    ("names", "asked", "chosen"), [(["f", "main"], None, "main"), (["f"], None, "f"), (["f", "g", "main"], "g", "g")]
)
def test_a_program_starts_at_the_entry_asked_for_or_main_or_its_only_function(names, asked, chosen):
    assert entry_of(program(*names), asked).name == chosen


@pytest.mark.parametrize(
    ("names", "asked", "complaint"),
    [
        (
            ["f", "g"],
            None,
            "error: there is no function `main`\n"
            "help: the program has `f`, `g`; `--entry NAME` makes `run` start one of them",
        ),
        (["f", "g"], "h", "error: there is no function `h`\nhelp: the program has `f`, `g`"),
        (["f"], "main", "error: there is no function `main`\nhelp: the program has `f`"),
        (["first", "g"], "frist", "error: there is no function `frist`\nhelp: did you mean `first`?"),
        ([], None, "error: there is no function `main`"),
    ],
)
def test_a_program_without_the_entry_asked_for_names_the_candidates(names, asked, complaint):
    assert complaints(lambda: entry_of(program(*names), asked)) == [complaint]


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ([Parameter(ContinuationType(()), "fail"), RETURN], "its parameter `fail` is a continuation"),
        ([Parameter(ContinuationType((INT, INT)), "ret")], "it returns 2 values"),
    ],
)
def test_a_function_that_needs_continuations_or_returns_two_values_cannot_be_started(parameters, reason):
    function = Function("f", parameters)
    assert complaints(lambda: entry_of(Program([function]))) == [f"error: `f` cannot be started: {reason}"]


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        (INT, "42", 42),
        (INT, "-2147483648", -(2**31)),
        (INT, "+7", 7),
        (INT, "007", 7),
        (UNSIGNED, "0xFFFFFFFF", 2**32 - 1),
        (LONG, "-0x10", -16),
        (UNSIGNED_LONG, "18446744073709551615", 2**64 - 1),
        (CHAR, "a", 97),
        (CHAR, "'7'", 55),
        (CHAR, "7", 7),
        (CHAR, "-", 45),
        (CHAR, "é", -23),
        (UNSIGNED_CHAR, "é", 233),
        (BOOL, "true", True),
        (BOOL, "0", False),
        (DOUBLE, "-1.5e3", -1500.0),
        (DOUBLE, "inf", math.inf),
        (FLOAT, "0.1", 0.10000000149011612),
        (STRING, "abc", "abc"),
        (STRING, "€", "\xe2\x82\xac"),
        (STRING, "\udcff", "\xff"),
    ],
)
def test_an_argument_is_a_value_of_its_parameters_type(type, text, value):
    (parsed,) = parse_arguments(taking(type), [text])
    assert parsed == value
    assert parsed.__class__ is value.__class__


@pytest.mark.parametrize(
    ("type", "text", "reason"),
    [
        (INT, "2147483648", "2147483648 is out of the range of `int`, -2147483648 to 2147483647"),
        (UNSIGNED, "-1", "-1 is out of the range of `unsigned`, 0 to 4294967295"),
        (CHAR, "300", "300 is out of the range of `char`, -128 to 127"),
        (INT, "12x", "`12x` is not an integer"),
        (INT, "", "`` is not an integer"),
        (INT, "1_000", "`1_000` is not an integer"),
        (INT, "a", "`a` is not an integer"),
        (CHAR, "ab", "`ab` is not an integer"),
        (BOOL, "yes", "`yes` is neither `true` nor `false`"),
        (DOUBLE, "one", "`one` is not a number"),
    ],
)
def test_an_argument_that_is_no_value_of_its_parameters_type_is_explained(type, text, reason):
    assert complaints(lambda: parse_arguments(taking(type), [text])) == [f"error: argument `a` of `f`: {reason}"]


@pytest.mark.parametrize("text", ["", "é€𝄞", "a\0b\n", "\udc82\udcac", "\x85"])
def test_a_string_is_shown_as_it_was_given(text):
    assert shown_data(*parse_arguments(taking(STRING), [text])) == text


def test_an_integer_of_very_many_digits_is_out_of_range():
    (complaint,) = complaints(lambda: parse_arguments(taking(INT), ["9" * 5000]))
    assert complaint.endswith("9 is out of the range of `int`, -2147483648 to 2147483647")


def test_all_wrong_arguments_are_reported_at_once():
    assert complaints(lambda: parse_arguments(taking(INT, INT, BOOL), ["x", "1", "y"])) == [
        "error: argument `a` of `f`: `x` is not an integer",
        "error: argument `c` of `f`: `y` is neither `true` nor `false`",
    ]


@pytest.mark.parametrize(
    ("types", "texts", "complaint"),
    [
        ([INT, BOOL], ["1"], "error: `f` takes 2 arguments (a : int, b : bool), but 1 was given"),
        ([INT], [], "error: `f` takes 1 argument (a : int), but none were given"),
        ([], ["1", "2"], "error: `f` takes no arguments, but 2 were given"),
    ],
)
def test_a_wrong_number_of_arguments_is_reported(types, texts, complaint):
    function = taking(*types)
    assert complaints(lambda: parse_arguments(function, texts)) == [complaint]
    nowhere = io.BytesIO()
    assert complaints(lambda: evaluate(Program([function]), None, texts, output=nowhere, errors=nowhere)) == [complaint]
