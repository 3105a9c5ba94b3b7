"""Warnings about variables that are used before anything was assigned to them."""

import pytest

from cpsconv.core.check import warnings_of
from cpsconv.core.ir import INT, Constant, ContinuationType, Edge, Function, Jump, Parameter, Primitive, Program, Undef
from cpsconv.core.source import Source, Span
from cpsconv.core.text import parse


def warnings(text):
    """Place and message of each warning about a CPS program."""
    found = warnings_of(parse(Source("test.cps", text)))
    assert all(each.rule == "maybe-" * ("may be" in each.message) + "uninitialized" for each in found)
    return [f"{':'.join(str(each.span).split(':')[1:])}: {each.message}" for each in found]


def of_body(body):
    return warnings(f"f(x : int, ret : int → ⊥) → ⊥ {{\n{body}\n}}")


def test_a_warning_shows_the_use_and_the_declaration():
    (found,) = warnings_of(parse(Source("test.cps", "f(ret : int → ⊥) → ⊥ {\n  ret(undef(y : int) + 1)\n}")))
    assert found.render() == (
        "test.cps:2:7: warning: `y` is used uninitialised\n"
        "    2 |   ret(undef(y : int) + 1)\n"
        "      |       ^^^^^^^^^^^^^^^^^^\n"
        "test.cps:2:7: note: declared here\n"
        "    2 |   ret(undef(y : int) + 1)\n"
        "      |       ^^^^^^^^^^^^^^"
    )


def test_a_warning_about_a_decision_shows_what_it_decides_by():
    text = "f(c : bool, ret : int → ⊥) → ⊥ {\n  branch(undef(c : bool), λ(). ret(1), λ(). ret(2))\n}"
    (found,) = warnings_of(parse(Source("test.cps", text)))
    assert found.render().splitlines() == [
        "test.cps:2:10: warning: `c` is used uninitialised",
        "    2 |   branch(undef(c : bool), λ(). ret(1), λ(). ret(2))",
        "      |          ^^^^^^^^^^^^^^^",
    ]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ('printf("%d", undef(y : int)); ret(1)', "2:1"),
        ("branch(undef(y : bool), λ(). ret(1), λ(). ret(2))", "2:8"),
        ("switch(undef(y : int), 1 ⇒ λ(). ret(1), _ ⇒ λ(). ret(2))", "2:8"),
        ("f(undef(y : int), ret)", "2:1"),
        ("ret(undef(y : int))", "2:1"),
        ("halt(undef(y : int))", "2:1"),
    ],
)
def test_what_uses_a_variable_without_a_value_is_reported(body, place):
    assert of_body(body) == [f"{place}: `y` is used uninitialised"]


def test_several_variables_are_reported_in_source_order_and_each_once():
    body = "a := undef(y : int) + undef(y : int);\nb := undef(z : int) * undef(y : int);\nret(a + b)"
    assert of_body(body) == ["2:6: `y` is used uninitialised", "3:6: `z` is used uninitialised"]


AROUND_A_LOOP = """
let
  loop := (i : int, y : int) → ⊥
    let
      body := () → ⊥
        {use}
        loop(i + 1, i)
      exit := () → ⊥
        {exit}
    in
    branch(i < x, body, exit)
in
loop(0, undef(y : int))"""


def test_a_value_may_be_carried_around_a_loop_without_being_used():
    assert of_body(AROUND_A_LOOP.format(use="", exit="ret(i)")) == []


@pytest.mark.parametrize(
    ("use", "exit", "warning"),
    [
        ("", "ret(y)", "10:9: `y` may be"),
        ('printf("%d", y);', "ret(i)", "7:9: `y` is"),  # when the body runs first
        ("", "ret(i + y)", "10:13: `y` may be"),
        ("", "f(y, ret)", "10:9: `y` may be"),
    ],
)
def test_a_parameter_that_can_carry_undef_is_or_may_be_used_uninitialised(use, exit, warning):
    assert of_body(AROUND_A_LOOP.format(use=use, exit=exit)) == [f"{warning} used uninitialised"]


def test_undef_is_followed_through_any_number_of_parameters():
    chain = "\n".join(f"  k{number} := (a : int) → ⊥\n    k{number + 1}(a)" for number in range(300))
    body = f"let\n{chain}\n  k300 := (a : int) → ⊥\n    ret(a + 1)\nin\nk0(undef(y : int))"
    assert of_body(body) == ["604:9: `y` is used uninitialised"]


def test_parameters_that_receive_values_only_are_fine():
    assert of_body(AROUND_A_LOOP.format(use="", exit="ret(y)").replace("undef(y : int)", "5")) == []


def a_program_that_returns(value, span):
    ret = Parameter(ContinuationType((INT,)), "ret")
    return Program([Function("f", [ret], [], Jump(Edge(ret, [value]), span))])


def test_a_function_that_ends_without_a_value_is_not_reported_a_second_time():
    end = Span(Source("test.c", "int f(void) { }"), 14, 15)
    assert warnings_of(a_program_that_returns(Undef(INT, "f()", end), end)) == []


def test_a_use_without_a_place_is_reported_at_the_declaration():
    declaration = Span(Source("test.c", "int y;"), 4, 5)
    program = a_program_that_returns(Constant(INT, 0), None)
    program.functions[0].body = [Primitive("neg", (Undef(INT, "y", declaration),), INT)]
    (found,) = warnings_of(program)
    assert found.render() == "test.c:1:5: warning: `y` is used uninitialised\n    1 | int y;\n      |     ^"
