"""Which values may be undefined: as many as needed, and through known calls no more."""

from __future__ import annotations

import pytest

from cpsconv import Source, convert
from cpsconv.core.analysis.undefined import may_be_undefined
from cpsconv.core.ir import Parameter, Program
from testing.running import program_of


def names(program: Program) -> set[str]:
    return {value.name for value in may_be_undefined(program) if isinstance(value, Parameter)}


def undefined(text: str) -> set[str]:
    """The names of the parameters of a C program or a CPS text that may be undefined."""
    return names(program_of(text))


def test_where_all_is_assigned_nothing_is_undefined() -> None:
    assert undefined("int g(int x) { return x; } int f(int n) { int s = 0; while (n--) s += g(n); return s; }") == set()


def test_arguments_flow_to_parameters_by_position() -> None:
    text = "int f(int n) { int s, t = 0; while (n--) { t++; if (t > 3) s = t; } return s; }"
    assert undefined(text) >= {"s"}
    assert not undefined(text) & {"n", "t"}


def test_what_is_passed_to_a_function_and_returned_from_it_flows_on() -> None:
    text = """
    id(a : int, b : int, ret : int → ⊥) → ⊥ { ret(a) }
    other(c : int, ret : int → ⊥) → ⊥ { ret(c) }
    main(ret : int → ⊥) → ⊥ {
      id(undef(x : int), 1, λ(result : int).
      other(2, λ(defined : int).
      ret(result)))
    }
    """
    assert undefined(text) == {"a", "result"}


def test_of_several_values_returned_each_flows_to_its_own_place() -> None:
    text = """
    both(ret : (int, int) → ⊥) → ⊥ { ret(undef(x : int), 1) }
    main(ret : int → ⊥) → ⊥ { both(λ(first : int, second : int). ret(second)) }
    """
    assert undefined(text) == {"first"}


def test_a_tail_call_returns_for_its_caller() -> None:
    text = """
    main(ret : int → ⊥) → ⊥ { outer(λ(result : int). ret(result)) }
    outer(ret : int → ⊥) → ⊥ { inner(ret) }
    inner(ret : int → ⊥) → ⊥ { ret(undef(x : int)) }
    """
    assert undefined(text) == {"result"}


@pytest.mark.parametrize(
    "text",
    [
        # a continuation that is handed on, and called by another function
        """
        main(ret : int → ⊥) → ⊥ {
          let k := (reached : int) → ⊥ ret(1) in
          invoke(k, undef(x : int), ret)
        }
        invoke(k : int → ⊥, v : int, ret : int → ⊥) → ⊥ { k(v) }
        """,
        # a function that is called through a parameter, and its return continuation with it
        """
        main(ret : int → ⊥) → ⊥ {
          let k := (reached : int) → ⊥ ret(1) in
          invoke(made, k, ret)
        }
        invoke(f : (int → ⊥) → ⊥, k : int → ⊥, ret : int → ⊥) → ⊥ { f(k) }
        made(ret : int → ⊥) → ⊥ { ret(undef(x : int)) }
        """,
        # a function that a call returns to, and its return continuation with it
        """
        main(ret : int → ⊥) → ⊥ { give(taker) }
        give(ret : (int → ⊥) → ⊥) → ⊥ { let k := (reached : int) → ⊥ halt(1) in ret(k) }
        taker(ret : int → ⊥) → ⊥ { ret(undef(x : int)) }
        """,
        # the return continuation itself, handed on as a value
        """
        main(ret : int → ⊥) → ⊥ { between(λ(reached : int). ret(1)) }
        between(ret : int → ⊥) → ⊥ { invoke(ret, undef(x : int), ret) }
        invoke(k : int → ⊥, v : int, ret : int → ⊥) → ⊥ { k(v) }
        """,
    ],
)
def test_nothing_is_missed_where_continuations_are_values(text: str) -> None:
    assert "reached" in undefined(text)


def test_undefined_values_flow_through_pointers_to_functions_of_the_type() -> None:
    text = """
    data functions := ptr[1] { first }
    first(a : int, ret : int → ⊥) → ⊥ { ret(1) }
    second(b : int, ret : int → ⊥) → ⊥ { ret(b) }
    other(c : long, ret : int → ⊥) → ⊥ { ret(1) }
    never(d : int, ret : int → ⊥) → ⊥ { ret(1) }
    main(ret : int → ⊥) → ⊥ {
      p := ptr(second);
      q := ptr(other);
      never(3, λ(e : int).
      call(p, undef(x : int), λ(f : int).
      call(q, 5l, λ(g : int).
      ret(f))))
    }
    """
    found = {value for value in may_be_undefined(convert(Source("program.cps", text))) if isinstance(value, Parameter)}
    assert {value.name for value in found} - {""} == {"a", "b", "f"}
