"""The printer of CPS text."""

from __future__ import annotations

import math
from typing import Any

import pytest

from cpsconv.core import ir
from cpsconv.core.source import Source
from cpsconv.core.text import names, parse, pretty
from cpsconv.core.text.spelling import literal_text, read_number, read_quoted
from testing.expectations import FIGURE_8
from testing.isomorphism import same_program


def printed(text: str, **options: Any) -> str:
    """The text of the program in `text`; printing it again must not change it."""
    once = pretty(parse(Source("text", text)), **options)
    assert pretty(parse(Source("again", once)), **options) == once
    return once


def body(text: str) -> str:
    """The printed body of a function, on one line."""
    program = f"f(a : int, b : int, c : int, k : int → ⊥, ret : int → ⊥) → ⊥ {{ {text} }}"
    return " ".join(line.strip() for line in printed(program, width=1000).splitlines()[1:-1])


def test_figure_8_of_the_paper_to_the_letter() -> None:
    assert printed(FIGURE_8) == FIGURE_8


def test_ascii_forms_of_all_symbols() -> None:
    text = (
        "f(x : int, ret : int -> _|_) -> _|_ {\n"
        "  let\n"
        "    k := (a : int) -> _|_\n"
        "      halt(1)\n"
        "  in\n"
        "  switch(x, 1 => \\(). k(x), _ => \\(). k(2))\n"
        "}\n"
    )
    assert printed(text, ascii=True) == text


def test_calls_in_a_row_stay_at_one_indentation_and_in_flat_layout_all_continuations_are_in_one_group() -> None:
    header = "fib(n : int, ret : int → ⊥) → ⊥ {\n"
    nested = header + "  fib(n - 1, λ(a : int).\n  fib(n - 2, λ(b : int).\n  ret(a + b)))\n}\n"
    flat = header + (
        "  let\n"
        "    k := (a : int) → ⊥\n"
        "      fib(n - 2, k1)\n"
        "    k1 := (b : int) → ⊥\n"
        "      ret(a + b)\n"
        "  in\n"
        "  fib(n - 1, k)\n"
        "}\n"
    )
    assert printed(nested) == printed(flat) == nested
    assert printed(nested, layout="flat") == flat


def test_a_continuation_is_in_the_group_of_its_immediate_dominator() -> None:
    flat = "f(ret : () → ⊥) → ⊥ { let inner := () → ⊥ ret() outer := () → ⊥ branch(true, inner, ret) in outer() }"
    assert printed(flat) == (
        "f(ret : () → ⊥) → ⊥ {\n"
        "  let\n"
        "    outer := () → ⊥\n"
        "      let\n"
        "        inner := () → ⊥\n"
        "          ret()\n"
        "      in\n"
        "      branch(true, inner, ret)\n"
        "  in\n"
        "  outer()\n"
        "}\n"
    )


def test_a_list_that_does_not_fit_has_one_item_per_line() -> None:
    lines = printed(FIGURE_8, width=24).splitlines()
    assert lines[:4] == ["f(", "  x : int,", "  ret : int → ⊥", ") → ⊥ {"]
    assert lines[9:12] == ["    next := (", "      a : int", "    ) → ⊥"]
    assert lines[14:19] == ["  branch(", "    x == 0,", "    then,", "    else", "  )"]


def test_a_long_sum_is_broken_before_its_operators() -> None:
    text = "f(a_long_name : int, ret : int → ⊥) → ⊥ { ret(a_long_name + a_long_name + a_long_name + a_long_name) }"
    assert printed(text, width=40).splitlines()[4:-1] == [
        "  ret(",
        "    a_long_name",
        "      + a_long_name",
        "      + a_long_name",
        "      + a_long_name",
        "  )",
    ]


BROAD = [
    "f() → ⊥ { f() }",
    "f(ret : () → ⊥) → ⊥ { f(λ(). ret()) }",
    "f(ret : () → ⊥) → ⊥ { switch(1, 1 ⇒ λ(). abort(), _ ⇒ ret) }",
    f"f(k : {'(' * 49}int → ⊥{') → ⊥' * 49}, ret : () → ⊥) → ⊥ {{ ret() }}",
    f"f(x : long, ret : long → ⊥) → ⊥ {{ ret({'-long(abs((' * 40}x{' + x) * x))' * 40}) }}",
    f"f(x : int, ret : int → ⊥) → ⊥ {{ {'f(x, λ(x : int). ' * 60} ret(x){')' * 60} }}",
    f"f(x : int, ret : int → ⊥) → ⊥ {{ {'let k := () → ⊥ ' * 60} ret(x) {'in k()' * 60} }}",
]
"""Texts that do not fit into any width."""


@pytest.mark.parametrize("text", BROAD)
def test_no_width_is_too_narrow(text: str) -> None:
    program = parse(Source("text", text))
    for width in (-1, 0, 1, 7):
        assert same_program(parse(Source("again", printed(text, width=width))), program)


def test_functions_are_separated_by_an_empty_line() -> None:
    assert printed("f() → ⊥ { halt(0) } g() → ⊥ { halt(0) }") == "f() → ⊥ {\n  halt(0)\n}\n\ng() → ⊥ {\n  halt(0)\n}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v := a + 2; w := v + 3; ret(w)", "ret(a + 2 + 3)"),
        ("t := a + 2; w := t + t; ret(w)", "t := a + 2; ret(t + t)"),
        ("v := 1 / 0; ret(2)", "v := 1 / 0; ret(2)"),
        ("v := a + 2; w := 3 + b; ret(w - v)", "ret(3 + b - (a + 2))"),
        ("v := a / 2; w := 3 / b; ret(v - w)", "ret(a / 2 - 3 / b)"),
        ("v := a / 2; w := 3 / b; ret(w - v)", "v := a / 2; ret(3 / b - v)"),
        ("v := a + 2; putchar(10); ret(v + 3)", "v := a + 2; putchar(10); ret(v + 3)"),
        ('n := printf("%d\\n", 1); ret(n)', 'n := printf("%d\\n", 1); ret(n)'),
        ('n := printf("%d\\n", 1); ret(0)', 'printf("%d\\n", 1); ret(0)'),
        ("v := a + 2; branch(true, λ(). k(v), λ(). k(3))", "v := a + 2; branch(true, λ(). k(v), λ(). k(3))"),
    ],
)
def test_values_that_are_written_in_place(text: str, expected: str) -> None:
    assert body(text) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a + b + c", "c + (a + b)"),
        ("a - b - c", "c - (a - b)"),
        ("a * b + c", "c + a * b"),
        ("(a + b) * c", "c * (a + b)"),
        ("a * b / c", "c / (a * b)"),
        ("(a + b) << c", "c << (a + b)"),
        ("(a + b) & c", "c & (a + b)"),
        ("a & b & c", "c & (a & b)"),
        ("(a & b) | c", "c | (a & b)"),
        ("(a << b) - c", "c - (a << b)"),
        ("-a", "-(5)"),
        ("~5", "~(-5)"),
        ("-(-5)", "abs(a)"),
        ("-(-a)", "-(a + a)"),
        ("int((a + b < c) == true)", "int(unsigned long(a))"),
    ],
)
def test_parentheses_around_operands_of_unclear_precedence(left: str, right: str) -> None:
    assert (body(f"ret({left})"), body(f"ret({right})")) == (f"ret({left})", f"ret({right})")


def test_parentheses_that_say_nothing_are_not_written() -> None:
    assert body("ret(((a * b) + (c)) - (b * c))") == "ret(a * b + c - b * c)"
    assert body("ret(int(((a + b) < (c)) == (true)))") == "ret(int((a + b < c) == true))"


# -------------------------------------------------------------------------------------------------------- literals


@pytest.mark.parametrize(
    ("type", "value", "expected"),
    [
        (ir.INT, 5, "5"),
        (ir.INT, -5, "-5"),
        (ir.UNSIGNED, 5, "5u"),
        (ir.LONG, 5, "5l"),
        (ir.UNSIGNED_LONG, 5, "5ul"),
        (ir.SHORT, 5, "5s"),
        (ir.UNSIGNED_SHORT, 5, "5us"),
        (ir.SIGNED_CHAR, -5, "-5sc"),
        (ir.UNSIGNED_CHAR, 5, "5uc"),
        (ir.CHAR, 97, "'a'"),
        (ir.CHAR, 10, r"'\n'"),
        (ir.CHAR, 0, r"'\0'"),
        (ir.CHAR, -1, r"'\xff'"),
        (ir.CHAR, 39, r"'\''"),
        (ir.CHAR, 92, r"'\\'"),
        (ir.CHAR, 34, "'\"'"),
        (ir.BOOL, True, "true"),
        (ir.BOOL, False, "false"),
        (ir.DOUBLE, 1.5, "1.5"),
        (ir.DOUBLE, 1e300, "1e+300"),
        (ir.DOUBLE, -0.0, "-0.0"),
        (ir.DOUBLE, 5e-324, "5e-324"),
        (ir.DOUBLE, math.inf, "inf"),
        (ir.DOUBLE, -math.inf, "-inf"),
        (ir.DOUBLE, math.nan, "nan"),
        (ir.DOUBLE, -math.nan, "-nan"),
        (ir.FLOAT, 1.5, "1.5f"),
        (ir.FLOAT, 0.10000000149011612, "0.1f"),
        (ir.FLOAT, 3.4028234663852886e38, "3.4028235e+38f"),
        (ir.FLOAT, -math.inf, "-inff"),
        (ir.FLOAT, math.nan, "nanf"),
        (ir.STRING, "", '""'),
        (ir.STRING, 'say "x"\n', r'"say \"x\"\n"'),
        (ir.STRING, "\x001\xff'", r'''"\0001\377'"'''),
    ],
)
def test_literals_show_type_and_value_and_are_read_back(
    type: ir.Scalar, value: int | float | str, expected: str
) -> None:
    assert literal_text(ir.Constant(type, value)) == expected
    if expected[0] in "\"'":
        constant = read_quoted(expected)
    elif type is ir.BOOL:
        return
    else:
        constant = read_number(expected.removeprefix("-"), expected.startswith("-"))
    assert (constant.type, repr(constant.value)) == (type, repr(value))


def test_an_undefined_value_shows_its_variable_of_any_name() -> None:
    assert body("ret(undef(x : int))") == "ret(undef(x : int))"
    assert body("ret(int(undef(`let` : long)))") == "ret(int(undef(`let` : long)))"


# ----------------------------------------------------------------------------------------------------------- names


def shown_names(*hints: str) -> list[str]:
    function = ir.Function("f", [ir.Parameter(ir.INT, hint) for hint in hints])
    found = names(function, {"g"})
    return [found[parameter] for parameter in function.parameters]


def test_a_name_that_is_taken_gets_the_smallest_free_number() -> None:
    assert shown_names("x", "x", "y", "x") == ["x", "x1", "y", "x2"]
    assert shown_names("x1", "x", "x", "x1") == ["x1", "x", "x2", "x1_1"]


def test_names_of_functions_get_a_number() -> None:
    assert shown_names("g", "f", "g") == ["g1", "f", "g2"]


def test_reserved_words_and_names_with_other_characters_get_back_quotes() -> None:
    assert shown_names("let", "long", "_", "halt", "printf", "é") == [
        "`let`", "`long`", "`_`", "`halt`", "`printf`", "é"
    ]  # fmt: skip
    assert shown_names("a b", "1", "λx", "a b", "let", "let") == ["`a b`", "`1`", "`λx`", "`a b1`", "`let`", "let1"]


def test_hints_that_cannot_be_shown_are_changed() -> None:
    assert shown_names("", "a`b", "\n") == ["v", "a_b", "`_`"]


def test_a_function_keeps_its_name_even_if_it_is_reserved() -> None:
    ret = ir.Parameter(ir.ContinuationType(()), "ret")
    branch = ir.Function("branch", [ret])
    branch.transfer = ir.Call(branch, [], ir.Edge(ret))
    halt = ir.Function("halt", [ret], transfer=ir.Jump(ir.Edge(ir.HALT, [ir.Constant(ir.INT, 0)])))
    text = pretty(ir.Program([branch, halt]))
    assert text == ("`branch`(ret : () → ⊥) → ⊥ {\n  `branch`(ret)\n}\n\n`halt`(ret : () → ⊥) → ⊥ {\n  halt(0)\n}\n")
    program = parse(Source("text", text))
    assert [function.name for function in program.functions] == ["branch", "halt"]
    assert isinstance(program.functions[1].transfer, ir.Jump) and program.functions[1].transfer.edge.target is ir.HALT
