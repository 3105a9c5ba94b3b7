"""The φ form: one block a continuation, one φ function a parameter, one operand an edge."""

from __future__ import annotations

import re

from hypothesis import given

from cpsconv.core.analysis.graph import count_uses, incoming
from cpsconv.core.ir import Call, Program
from cpsconv.targets.ssa import ssa
from testing.ir_programs import programs
from testing.running import program_of


def written(text: str) -> str:
    """The φ form of a C program or a CPS text."""
    return ssa(program_of(text))


def test_a_loop_has_a_phi_for_each_variable_that_changes() -> None:
    assert written("int f(int n) { int s = 0; while (n > 0) { s += n; n--; } return s; }") == (
        "int f(int n) {\n"
        "  goto while\n"
        "while:\n"
        "  int n1: φ(n [f], n1 - 1 [body])\n"
        "  int s: φ(0 [f], s + n1 [body])\n"
        "  if (n1 > 0) goto body else goto exit\n"
        "body:\n"
        "  goto while\n"
        "exit:\n"
        "  return s\n"
        "}\n"
    )


def test_a_call_has_a_value_and_a_jump_to_its_return_continuation() -> None:
    text = written("int f(int x) { return f(x) + f(x + 1); }")
    assert text.startswith("int f(int x) {\n  int v: f(x)\n  goto after_f\nafter_f:\n  int v1: f(x + 1)\n")
    assert text.endswith("  goto after_f1\nafter_f1:\n  return v + v1\n}\n")


def test_a_call_in_tail_position_returns() -> None:
    assert written("f(x : int, ret : int → ⊥) → ⊥ { f(x - 1, ret) }\ng(ret : () → ⊥) → ⊥ { g(ret) }") == (
        "int f(int x) {\n  return f(x - 1)\n}\n\nvoid g() {\n  g()\n  return\n}\n"
    )


def test_where_two_calls_return_to_one_block_each_has_a_name_for_its_value() -> None:
    continuations = "one := () → ⊥ f(1, next) next := (a : int) → ⊥ ret(a)"
    text = f"f(x : int, ret : int → ⊥) → ⊥ {{ let {continuations} in branch(x == 0, one, λ(). next(2)) }}"
    assert "one:\n  int one.value: f(1)\n  goto next\n" in written(text)
    assert "next:\n  int a: φ(2 [f], one.value [one])\n  return a\n" in written(text)


def test_two_edges_between_the_same_blocks_are_two_operands() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ { let k := (a : int) → ⊥ ret(a) in branch(x == 0, λ(). k(1), λ(). k(2)) }"
    assert "  int a: φ(1 [f], 2 [f])\n" in written(text)


def test_a_switch_has_a_line_for_each_case() -> None:
    text = written("void f(int x) { switch (x) { case -1: x = 1; break; case 7: return; default: x = 2; } f(x); }")
    labels = [line.partition(":")[0] for line in text.splitlines()[1:5]]
    assert labels == ["  switch (x) {", "    case -1", "    case 7", "    default"]


def test_effects_stay_in_order_and_show_only_results_that_are_used() -> None:
    text = '#include <stdio.h>\nint f(void) { puts("one"); int n = printf("%d", 2); putchar(n); return n; }'
    assert written(text) == ('int f() {\n  puts("one")\n  int n: printf("%d", 2)\n  putchar(n)\n  return n\n}\n')


def test_halt_and_abort_are_written_without_goto() -> None:
    text = "#include <stdlib.h>\nvoid f(int x) { if (x) exit(x); abort(); }"
    assert "  halt(x)\n" in written(text)
    assert "  abort()\n" in written(text)


def test_a_continuation_that_is_passed_on_has_its_parameters_in_its_label() -> None:
    text = """
        g(k : int → ⊥, ret : int → ⊥) → ⊥ { k(3) }
        f(ret : int → ⊥) → ⊥ { let k := (a : int) → ⊥ ret(a) in g(k, ret) }
    """
    assert written(text) == ("int g(int → ⊥ k) {\n  k(3)\n}\n\nint f() {\n  return g(k)\nk(int a):\n  return a\n}\n")


def test_a_jump_to_a_continuation_parameter_leaves_the_function() -> None:
    text = """
        f(x : int, k : int → ⊥, ret : int → ⊥) → ⊥ { branch(x > 3, λ(). k(x), λ(). f(x, ret, k)) }
    """
    assert written(text) == (
        "int f(int x, int → ⊥ k) {\n  if (x > 3) k(x) else goto k1\nk1:\n  int k1.value: f(x, ret)\n  k(k1.value)\n}\n"
    )


def test_a_jump_to_a_block_that_is_passed_on_has_arguments() -> None:
    text = """
        g(k : int → ⊥, ret : int → ⊥) → ⊥ { k(3) }
        f(x : int, ret : int → ⊥) → ⊥ { let k := (a : int) → ⊥ ret(a) in branch(x > 3, λ(). g(k, ret), λ(). k(x)) }
    """
    assert written(text).endswith(
        "{\n  if (x > 3) goto k1 else goto k(x)\nk(int a):\n  return a\nk1:\n  return g(k)\n}\n"
    )


def test_a_long_phi_is_broken_into_lines() -> None:
    cases = "".join(f"case {number}: x = {number * 1000}; break; " for number in range(30))
    text = written(f"int f(int x) {{ switch (x) {{ {cases} }} return x; }}")
    assert max(map(len, text.splitlines())) <= 80
    assert len(re.findall(r"^    \d+ \[\w+\],?$", text, re.MULTILINE)) == 30


@given(programs())
def test_every_program_has_a_block_for_each_continuation_and_an_operand_for_each_argument(program: Program) -> None:
    text = ssa(program, ascii=True, width=100_000)
    assert len(re.findall(r"^\S.*:$", text, re.MULTILINE)) == sum(len(f.continuations) for f in program.functions)
    expected = []
    for function in program.functions:
        used = count_uses(function)
        for block, edges in incoming(function).items():
            named_by_call = len(edges) == 1 and isinstance(edges[0][0].transfer, Call)
            if edges and len(edges) == used[block] and not named_by_call:
                expected += [len(edges)] * len(block.parameters)
    found = [line.count(" [") for line in text.splitlines() if ": phi(" in line]
    assert sorted(found) == sorted(expected)


def test_thousands_of_blocks_in_a_row() -> None:
    ladder = "if (x > y) x = x - 1; " * 1_200
    text = written(f"int f(int x, int y) {{ {ladder} return x; }}")
    assert text.count(": φ(") == 1_200
