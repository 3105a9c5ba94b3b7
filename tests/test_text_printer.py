"""The printer of CPS text."""

from __future__ import annotations

import math

import pytest

from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    STRING,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    Branch,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Statement,
    Switch,
    Undef,
    Value,
)
from cpsconv.operations.table import CONVERT
from cpsconv.source import Source
from cpsconv.text import names, parse, pretty
from cpsconv.text.spelling import literal_text, read_number, read_quoted

RETURNS_INT = ContinuationType((INT,))

FIGURE_8 = """\
f(x : int, ret : int → ⊥) → ⊥ {
  let
    then := () → ⊥
      next(23)
    else := () → ⊥
      next(42)
    next := (a : int) → ⊥
      ret(a)
  in
  branch(x == 0, then, else)
}
"""


def figure_8() -> Program:
    x = Parameter(INT, "x")
    ret = Parameter(RETURNS_INT, "ret")
    a = Parameter(INT, "a")
    following = Continuation("next", [a], transfer=Jump(Edge(ret, [a])))
    then = Continuation("then", transfer=Jump(Edge(following, [Constant(INT, 23)])))
    otherwise = Continuation("else", transfer=Jump(Edge(following, [Constant(INT, 42)])))
    test = Primitive("==", (x, Constant(INT, 0)), BOOL)
    branch = Branch(test, Edge(then), Edge(otherwise))
    return Program([Function("f", [x, ret], [test], branch, continuations=[then, otherwise, following])])


def body(*statements: Statement, result: Value, parameters: tuple[Parameter, ...] = ()) -> str:
    """The statements and the transfer of a function that returns `result`, as text on one line."""
    assert not isinstance(result.type, ContinuationType) or result is HALT
    ret = Parameter(ContinuationType((result.type,)), "ret")
    program = Program([Function("f", [*parameters, ret], [*statements], Jump(Edge(ret, [result])))])
    lines = pretty(program, width=1000).splitlines()
    assert pretty(parse(Source("text", "\n".join(lines))), width=1000).splitlines() == lines
    return " ".join(line.strip() for line in lines[1:-1])


def number(value: int) -> Constant:
    return Constant(INT, value)


def plus(left: Value, right: Value, name: str | None = None) -> Primitive:
    return Primitive("+", (left, right), INT, name)


def test_figure_8_of_the_paper_to_the_letter() -> None:
    assert pretty(figure_8()) == FIGURE_8


def test_ascii_forms_of_all_symbols() -> None:
    k = Continuation("k", [Parameter(INT, "a")], transfer=Jump(Edge(HALT, [number(1)])))
    x = Parameter(INT, "x")
    switch = Switch(x, [1], [Edge(k, [x])], Edge(k, [number(2)]))
    program = Program([Function("f", [x, Parameter(RETURNS_INT, "ret")], transfer=switch, continuations=[k])])
    assert pretty(program, ascii=True) == (
        "f(x : int, ret : int -> _|_) -> _|_ {\n"
        "  let\n"
        "    k := (a : int) -> _|_\n"
        "      halt(1)\n"
        "  in\n"
        "  switch(x, 1 => \\(). k(x), _ => \\(). k(2))\n"
        "}\n"
    )


def call_chain() -> Program:
    """fib(n - 1) + fib(n - 2), without a base case."""
    n, first, second = Parameter(INT, "n"), Parameter(INT, "a"), Parameter(INT, "b")
    ret = Parameter(RETURNS_INT, "ret")
    fib = Function("fib", [n, ret])
    total = plus(first, second)
    last = Continuation("k", [second], [total], Jump(Edge(ret, [total])))
    smaller = Primitive("-", (n, number(2)), INT)
    between = Continuation("k", [first], [smaller], Call(fib, [smaller], Edge(last)))
    small = Primitive("-", (n, number(1)), INT)
    fib.body = [small]
    fib.transfer = Call(fib, [small], Edge(between))
    fib.continuations = [between, last]
    return Program([fib])


def test_calls_in_a_row_stay_at_one_indentation() -> None:
    assert pretty(call_chain()) == (
        "fib(n : int, ret : int → ⊥) → ⊥ {\n  fib(n - 1, λ(a : int).\n  fib(n - 2, λ(b : int).\n  ret(a + b)))\n}\n"
    )


def test_in_flat_layout_all_continuations_are_in_one_group() -> None:
    assert pretty(call_chain(), layout="flat") == (
        "fib(n : int, ret : int → ⊥) → ⊥ {\n"
        "  let\n"
        "    k := (a : int) → ⊥\n"
        "      fib(n - 2, k1)\n"
        "    k1 := (b : int) → ⊥\n"
        "      ret(a + b)\n"
        "  in\n"
        "  fib(n - 1, k)\n"
        "}\n"
    )


def test_a_continuation_is_in_the_group_of_its_immediate_dominator() -> None:
    ret = Parameter(ContinuationType(()), "ret")
    inner = Continuation("inner", transfer=Jump(Edge(ret)))
    outer = Continuation("outer", transfer=Branch(Constant(BOOL, True), Edge(inner), Edge(ret)))
    function = Function("f", [ret], transfer=Jump(Edge(outer)), continuations=[inner, outer])
    assert pretty(Program([function])) == (
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
    assert pretty(figure_8(), width=24) == (
        "f(\n"
        "  x : int,\n"
        "  ret : int → ⊥\n"
        ") → ⊥ {\n"
        "  let\n"
        "    then := () → ⊥\n"
        "      next(23)\n"
        "    else := () → ⊥\n"
        "      next(42)\n"
        "    next := (\n"
        "      a : int\n"
        "    ) → ⊥\n"
        "      ret(a)\n"
        "  in\n"
        "  branch(\n"
        "    x == 0,\n"
        "    then,\n"
        "    else\n"
        "  )\n"
        "}\n"
    )


def test_a_long_sum_is_broken_before_its_operators() -> None:
    x = Parameter(INT, "a_long_name")
    once = plus(x, x)
    twice = plus(once, x)
    total = plus(twice, x)
    ret = Parameter(RETURNS_INT, "ret")
    program = Program([Function("f", [x, ret], [once, twice, total], Jump(Edge(ret, [total])))])
    assert pretty(program, width=40).splitlines()[4:-1] == [
        "  ret(",
        "    a_long_name",
        "      + a_long_name",
        "      + a_long_name",
        "      + a_long_name",
        "  )",
    ]


def test_functions_are_separated_by_an_empty_line() -> None:
    program = Program([Function(name, [], transfer=Jump(Edge(HALT, [number(0)]))) for name in "fg"])
    assert pretty(program) == "f() → ⊥ {\n  halt(0)\n}\n\ng() → ⊥ {\n  halt(0)\n}\n"


# ---------------------------------------------------------------------------------------------- values in place


def test_a_value_that_is_used_once_is_written_in_place() -> None:
    one = plus(number(1), number(2), "a")
    two = plus(one, number(3), "b")
    assert body(one, two, result=two) == "ret(1 + 2 + 3)"


def test_a_value_that_is_used_twice_is_bound_under_its_name() -> None:
    one = plus(number(1), number(2), "t")
    two = plus(one, one)
    assert body(one, two, result=two) == "t := 1 + 2; ret(t + t)"


def test_an_unused_value_is_bound_to_a_name() -> None:
    lost = Primitive("/", (number(1), number(0)), INT)
    assert body(lost, result=number(2)) == "v := 1 / 0; ret(2)"


def test_values_that_cannot_trap_are_reordered_to_be_written_in_place() -> None:
    one = plus(number(1), number(2))
    two = plus(number(3), number(4))
    difference = Primitive("-", (two, one), INT)
    assert body(one, two, difference, result=difference) == "ret(3 + 4 - (1 + 2))"


def test_divisions_keep_their_order() -> None:
    one = Primitive("/", (number(1), number(2)), INT, "one")
    two = Primitive("/", (number(3), number(4)), INT)
    forwards = Primitive("-", (one, two), INT)
    backwards = Primitive("-", (two, one), INT)
    assert body(one, two, forwards, result=forwards) == "ret(1 / 2 - 3 / 4)"
    assert body(one, two, backwards, result=backwards) == "one := 1 / 2; ret(3 / 4 - one)"


def test_a_value_does_not_move_across_an_effect() -> None:
    one = plus(number(1), number(2), "one")
    effect = Effect("putchar", (number(10),), INT)
    two = plus(one, number(3))
    assert body(one, effect, two, result=two) == "one := 1 + 2; putchar(10); ret(one + 3)"


def test_an_effect_shows_its_name_if_its_result_is_used() -> None:
    effect = Effect("printf", (Constant(STRING, "%d\n"), number(1)), INT, "written")
    assert body(effect, result=effect) == 'written := printf("%d\\n", 1); ret(written)'
    assert body(effect, result=number(0)) == 'printf("%d\\n", 1); ret(0)'


def test_the_argument_of_a_branch_is_not_computed_inside_its_abstraction() -> None:
    k = Continuation("k", [Parameter(INT, "a")], transfer=Jump(Edge(HALT, [number(1)])))
    value = plus(number(1), number(2), "sum")
    branch = Branch(Constant(BOOL, True), Edge(k, [value]), Edge(k, [number(3)]))
    text = pretty(Program([Function("f", [], [value], branch, continuations=[k])]))
    assert "  sum := 1 + 2;\n" in text
    assert "  branch(true, λ(). k(sum), λ(). k(3))\n" in text


# -------------------------------------------------------------------------------------------------- parentheses

A, B, C = (Parameter(INT, name) for name in "abc")


@pytest.mark.parametrize(
    ("outer", "inner", "left", "right"),
    [
        ("+", "+", "a + b + c", "c + (a + b)"),
        ("-", "-", "a - b - c", "c - (a - b)"),
        ("+", "*", "a * b + c", "c + a * b"),
        ("*", "+", "(a + b) * c", "c * (a + b)"),
        ("/", "*", "a * b / c", "c / (a * b)"),
        ("<<", "+", "(a + b) << c", "c << (a + b)"),
        ("&", "+", "(a + b) & c", "c & (a + b)"),
        ("&", "&", "a & b & c", "c & (a & b)"),
        ("|", "&", "(a & b) | c", "c | (a & b)"),
        ("-", "<<", "(a << b) - c", "c - (a << b)"),
    ],
)
def test_parentheses_around_operands_of_unclear_precedence(outer: str, inner: str, left: str, right: str) -> None:
    def text(swapped: bool) -> str:
        part = Primitive(inner, (A, B), INT)
        whole = Primitive(outer, (C, part) if swapped else (part, C), INT)
        return body(part, whole, result=whole, parameters=(A, B, C))

    assert text(swapped=False) == f"ret({left})"
    assert text(swapped=True) == f"ret({right})"


def test_comparisons_bind_less_tightly_than_sums_and_are_never_chained() -> None:
    total = plus(A, B)
    less = Primitive("<", (total, C), BOOL)
    same = Primitive("==", (less, Constant(BOOL, True)), BOOL)
    assert body(total, less, same, result=same, parameters=(A, B, C)) == "ret((a + b < c) == true)"


@pytest.mark.parametrize(
    ("op", "operand", "expected"),
    [
        ("neg", A, "-a"),
        ("neg", number(5), "-(5)"),
        ("neg", number(-5), "-(-5)"),
        ("~", number(5), "~5"),
        ("~", number(-5), "~(-5)"),
        ("abs", A, "abs(a)"),
    ],
)
def test_operators_with_one_operand(op: str, operand: Value, expected: str) -> None:
    value = Primitive(op, (operand,), INT)
    assert body(value, result=value, parameters=(A,)) == f"ret({expected})"


def test_the_operand_of_a_negation_is_in_parentheses_if_it_is_a_negation_or_sum() -> None:
    once = Primitive("neg", (A,), INT)
    twice = Primitive("neg", (once,), INT)
    assert body(once, twice, result=twice, parameters=(A,)) == "ret(-(-a))"
    total = plus(A, A)
    negative = Primitive("neg", (total,), INT)
    assert body(total, negative, result=negative, parameters=(A,)) == "ret(-(a + a))"


def test_a_conversion_is_its_type_applied() -> None:
    value = Primitive(CONVERT, (A,), UNSIGNED_LONG)
    assert body(value, result=value, parameters=(A,)) == "ret(unsigned long(a))"


# -------------------------------------------------------------------------------------------------------- literals


@pytest.mark.parametrize(
    ("type", "value", "expected"),
    [
        (INT, 5, "5"),
        (INT, -5, "-5"),
        (UNSIGNED, 5, "5u"),
        (LONG, 5, "5l"),
        (UNSIGNED_LONG, 5, "5ul"),
        (SHORT, 5, "5s"),
        (UNSIGNED_SHORT, 5, "5us"),
        (SIGNED_CHAR, -5, "-5sc"),
        (UNSIGNED_CHAR, 5, "5uc"),
        (CHAR, 97, "'a'"),
        (CHAR, 10, r"'\n'"),
        (CHAR, 0, r"'\0'"),
        (CHAR, -1, r"'\xff'"),
        (CHAR, 39, r"'\''"),
        (CHAR, 92, r"'\\'"),
        (CHAR, 34, "'\"'"),
        (BOOL, True, "true"),
        (BOOL, False, "false"),
        (DOUBLE, 1.5, "1.5"),
        (DOUBLE, 1e300, "1e+300"),
        (DOUBLE, -0.0, "-0.0"),
        (DOUBLE, 5e-324, "5e-324"),
        (DOUBLE, math.inf, "inf"),
        (DOUBLE, -math.inf, "-inf"),
        (DOUBLE, math.nan, "nan"),
        (DOUBLE, -math.nan, "-nan"),
        (FLOAT, 1.5, "1.5f"),
        (FLOAT, 0.10000000149011612, "0.1f"),
        (FLOAT, 3.4028234663852886e38, "3.4028235e+38f"),
        (FLOAT, -math.inf, "-inff"),
        (FLOAT, math.nan, "nanf"),
        (STRING, "", '""'),
        (STRING, 'say "x"\n', r'"say \"x\"\n"'),
        (STRING, "\x001\xff'", r'''"\0001\377'"'''),
    ],
)
def test_literals_show_type_and_value_and_are_read_back(type: Scalar, value: int | float | str, expected: str) -> None:
    assert literal_text(Constant(type, value)) == expected
    if expected[0] in "\"'":
        constant = read_quoted(expected)
    elif type is BOOL:
        return
    else:
        constant = read_number(expected.removeprefix("-"), expected.startswith("-"))
    assert (constant.type, repr(constant.value)) == (type, repr(value))


def test_an_undefined_value_shows_its_variable_of_any_name() -> None:
    assert body(result=Undef(INT, "x")) == "ret(undef(x : int))"
    assert body(result=Undef(LONG, "let")) == "ret(undef(`let` : long))"


# ----------------------------------------------------------------------------------------------------------- names


def shown_names(*hints: str) -> list[str]:
    function = Function("f", [Parameter(INT, hint) for hint in hints])
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
    ret = Parameter(ContinuationType(()), "ret")
    branch = Function("branch", [ret])
    branch.transfer = Call(branch, [], Edge(ret))
    halt = Function("halt", [ret], transfer=Jump(Edge(HALT, [number(0)])))
    text = pretty(Program([branch, halt]))
    assert text == ("`branch`(ret : () → ⊥) → ⊥ {\n  `branch`(ret)\n}\n\n`halt`(ret : () → ⊥) → ⊥ {\n  halt(0)\n}\n")
    program = parse(Source("text", text))
    assert [function.name for function in program.functions] == ["branch", "halt"]
    assert isinstance(program.functions[1].transfer, Jump) and program.functions[1].transfer.edge.target is HALT
