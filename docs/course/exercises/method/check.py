"""Corrects exercise 15: the check `unused-parameter`.

Run with ``python -m pytest docs/course/exercises/method/check.py``.
"""

from __future__ import annotations

from cpsconv.core.check.well_formedness import CHECKS, Subject
from cpsconv.core.text import parse


def faults(text: str) -> list[str]:
    """The messages of the check."""
    subject = Subject(parse(text))
    return [fault.message for rule, check in CHECKS if rule == "unused-parameter" for fault in check(subject)]


LOOP = """f(n : int, ret : int → ⊥) → ⊥ {
  let
    loop := (i : int, s : int) → ⊥
      let
        body := () → ⊥
          loop(i + 1, STEP)
        exit := () → ⊥
          ret(RESULT)
      in
      branch(i < n, body, exit)
  in
  loop(0, 0)
}
"""


def test_the_check_is_a_row_of_the_table() -> None:
    assert "unused-parameter" in dict(CHECKS)


def test_an_unused_parameter_is_an_error() -> None:
    (message,) = faults(LOOP.replace("STEP", "i").replace("RESULT", "n"))
    assert "`s`" in message and "`loop`" in message


def test_each_unused_parameter_is_an_error_of_its_own() -> None:
    text = """f(ret : int → ⊥) → ⊥ {
      let
        k := (a : int, b : int, c : int) → ⊥
          ret(b)
      in
      k(1, 2, 3)
    }
    """
    assert len(faults(text)) == 2


def test_operands_arguments_and_decisions_are_uses() -> None:
    assert faults(LOOP.replace("STEP", "s + i").replace("RESULT", "n")) == []
    assert faults(LOOP.replace("STEP", "i").replace("RESULT", "s")) == []


def test_an_argument_for_itself_is_a_use() -> None:
    assert faults(LOOP.replace("STEP", "s").replace("RESULT", "n")) == []


def test_parameters_of_functions_may_be_unused() -> None:
    assert faults("f(n : int, ret : () → ⊥) → ⊥ { ret() }") == []


def test_the_parameter_of_a_return_continuation_may_be_unused() -> None:
    """The callee determines it."""
    text = "f(ret : int → ⊥) → ⊥ {\n  g(λ(v : int).\n  ret(1))\n}\ng(ret : int → ⊥) → ⊥ { ret(2) }"
    assert faults(text) == []
