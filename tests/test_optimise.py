"""Optimisation during construction: the resulting programs, and their unchanged behaviour.

`test_rules.py` proves the rules of arithmetic one by one.
"""

from __future__ import annotations

import io
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.shapes import SHAPES
from cpsconv import Program, Source, convert, pretty
from cpsconv.cli import main
from cpsconv.core.check import check
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.erasure import erased
from cpsconv.core.ir import Branch, Primitive
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import DiagnosticError
from cpsconv.engines.machine.machine import evaluate
from cpsconv.lab.explain.comparison import compare
from cpsconv.pipeline import OPTIMISATIONS
from testing.c_programs import random_program
from testing.effort import beyond_the_stack, examples
from testing.running import converted, observe

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


def optimised(text: str, *switches: str, strategy: str = "scc") -> Program:
    program = converted(text, strategy, optimise=switches or OPTIMISATIONS)
    assert not check(program)
    return program


def text_of(text: str, *switches: str) -> str:
    return pretty(optimised(text, *switches))


def operations(text: str, *switches: str) -> list[str]:
    """The remaining primitives."""
    members = [member for function in optimised(text, *switches).functions for member in function.members()]
    return [each.op for member in members for each in member.body if isinstance(each, Primitive)]


# ---------------------------------------------------------------------------------------------------------- behaviour


@settings(max_examples=examples(20))
@given(
    number=st.integers(0, 10**6),
    strategy=st.sampled_from([*STRATEGIES]),
    switches=st.sets(st.sampled_from([*OPTIMISATIONS])),
    minimal=st.booleans(),
    thread_jumps=st.booleans(),
)
def test_any_switches_keep_the_meaning_of_generated_programs(
    number: int, strategy: str, switches: set[str], minimal: bool, thread_jumps: bool
) -> None:
    text = random_program(number)
    program = converted(text, strategy, minimal=minimal, optimise=switches, thread_jumps=thread_jumps)
    assert not check(program)
    assert observe(program) == observe(converted(text, "basic"))


@pytest.mark.parametrize("shape", ["ifs", "calls", "left", "nested_loops", "cases", "mesh", "variables"])
def test_a_shape_beyond_the_stack_is_optimised(shape: str) -> None:
    with beyond_the_stack() as size:
        text = SHAPES[shape](size)
        assert observe(optimised(text)) == observe(converted(text, "scc"))


# ------------------------------------------------------------------------------------------------------------ results


def test_figure_4_returns_its_parameter() -> None:
    """Cytron's method would place a parameter."""
    text = Path("examples/fig4.c").read_text()
    (cytron,) = compare(Source("fig4.c", text), strategies=["cytron"], repeat=1)
    assert cytron.kept == 1
    assert text_of(text) == "foo(x : int, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n"


def test_constants_are_folded() -> None:
    assert text_of("int f(void) { int x = 6; return x * 7; }") == "f(ret : int → ⊥) → ⊥ {\n  ret(42)\n}\n"


def test_rules_apply_to_results_of_rules() -> None:
    assert operations("int f(int x) { return ((x + 3) - 5 + 2) * 1; }") == []
    assert operations("int f(int x, int y) { return !!!(x < y); }") == [">=", "convert"]


def test_an_arm_that_is_never_taken_is_not_built() -> None:
    text = "int f(int x) { int a = 1; while (0) { a = x; } if (1 > 2) { for (;;) x++; } return a; }"
    assert text_of(text) == "f(x : int, ret : int → ⊥) → ⊥ {\n  ret(1)\n}\n"


def test_a_label_in_such_an_arm_is_built_if_a_goto_leads_to_it() -> None:
    text = "int f(int x) { if (x > 3) goto in; if (0) { x = 5; in: return x; } return 7; }"
    program = optimised(text)
    assert len(program.functions[0].continuations) == 2
    assert [observe(program, [n]).output for n in ("9", "1")] == ["9\n", "7\n"]


@every_strategy
@pytest.mark.parametrize("again", ["y", "y * 1", "(y + 2) - 2"])
def test_a_redundant_set_that_copies_create_is_removed(again: str, strategy: str) -> None:
    """The end of section 3.2: `x` is always `y`, which basic and marker do not see."""
    text = f"int f(int y, int n) {{ int x = y; while (n-- > 0) {{ if (n == 3) x = {again}; }} return x; }}"
    (function,) = optimised(text, strategy=strategy).functions
    # As printed, `y` is a proxy in the loop, which may be undefined for all that is known: `y * 1` is not simplified.
    kept = ["n", "x", "x"] if strategy == "paper" and again == "y * 1" else ["n"]
    assert [parameter.name for each in function.continuations for parameter in each.parameters] == kept


def test_a_switch_on_a_known_value_becomes_a_jump() -> None:
    text = "int f(int x) { switch (2 + 1) { case 1: x = 0; break; case 3: x++; default: x += 2; } return x; }"
    assert text_of(text) == "f(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + 3)\n}\n"
    assert "9" in text_of("int f(int x) { switch (5) { case 1: return x; } return 9; }")


# ------------------------------------------------------------------------------------------ common subexpressions


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("int a = x / y; int b = y + 1; return a * b + x / y;", 1),
        ("int a = x * y; int b = y * x; return a + b;", 1),
        ("int a = x * y; if (c) a += x * y; return a;", 1),
        ("int a = 0; if (c) a = x * y; else a = 1; return a + x * y;", 2),
        ("int a = 0; if (c) a = x * y; else a = x * y; return a;", 2),
        ("int a = x * y; if (c) a = 0; else c = 1; return a + c + x * y;", 1),
        ("int a = x * y; while (c-- > 0) a += x * y; return a;", 1),
        ("int a = 0; while (c-- > 0) a += x * y; return a + x * y;", 2),
        ("int a = x * y; x = c; return a + x * y;", 2),
        ("if (c) goto in; c = x * y; in: return c + x * y;", 2),
        ("int a = x * y; switch (c) { case 1: a++; case 2: return a + x * y; } return x * y;", 1),
    ],
)
def test_a_computation_is_shared_where_it_dominates(body: str, count: int) -> None:
    assert operations(f"int f(int x, int y, int c) {{ {body} }}").count("/" if "/" in body else "*") == count


@pytest.mark.parametrize(
    ("body", "branches"),
    [
        ("if (x < y) { if (x < y) return 1; return 2; } return 3;", 1),
        ("if (x < y) { if (y > x) return 1; return 2; } return 3;", 1),
        ("if (x < y) { if (x >= y) return 1; return 2; } return 3;", 1),
        ("if (x == y) return 1; if (x != y) return 2; return 3;", 1),
        ("if (x < y) c = 1; else c = 2; if (x < y) return c; return 3;", 2),
        ("_Bool b = c; if (b) { if (!b) return 1; return 2; } return 3;", 1),
        ("while (x < y) { if (x < y) x++; else return 1; } return 2;", 1),
        ("do { if (x < y) x++; else return 1; } while (x < y); return 2;", 2),
        ("double d = x, e = y; if (!(d < e)) { if (d >= e) return 1; return 2; } return 3;", 2),
        ("double d = x, e = y; if (!(d == e)) { if (d != e) return 1; return 2; } return 3;", 1),
    ],
)
def test_a_branch_is_decided_if_an_outcome_on_the_path_implies_it(body: str, branches: int) -> None:
    text = f"int f(int x, int y, int c) {{ {body} }}"
    program, plain = optimised(text), converted(text, "scc")
    assert sum(isinstance(member.transfer, Branch) for member in program.functions[0].members()) == branches
    for numbers in product((0, 1), repeat=3):
        runs = [
            evaluate(each, "f", [*numbers], output=io.BytesIO(), errors=io.BytesIO()).value for each in (program, plain)
        ]
        assert runs[0] == runs[1]


SQUARES = """\
int main(void) {
    int a[9], *p = a;
    for (int i = 0; i < 9; i++) a[i] = i * i;
    *p = 4;
    *p = 5;
    return *p + a[3];
}
"""


@pytest.mark.parametrize("explicit", [None, "one", "objects"])
def test_a_c_program_is_optimised_also_if_its_memory_is_explicit(explicit: str | None) -> None:
    result = convert(Source("squares.c", SQUARES), optimise=OPTIMISATIONS, explicit_memory=explicit)
    assert observe(erased(result)).status == 14


# ----------------------------------------------------------------------------------------------------- runtime errors


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("int unused = 1 / x; return 0;", "division by zero"),
        ("return 0 * (5 / x);", "division by zero"),
        ("return x / x;", "division by zero"),
        ("return 5 % x == 5 % x;", "division by zero"),
        ("int y; return y - y;", "`y` is used uninitialised"),
        ("int y; return y & 0;", "`y` is used uninitialised"),
        ("int y; int unused = y + 1; return 0;", "`y` is used uninitialised"),
        ("int y; if (x) y = 1; return y * 0;", "`y` is used uninitialised"),
        ("int y; if (x) y = 1; y == y; return 1;", "`y` is used uninitialised"),
        ("int y; if (x) y = 1; while (y < -2147483647 - 1) x++; return 1;", "`y` is used uninitialised"),
        ("return (-2147483647 - 1) / (x - 1);", "overflows"),
        ("int unused = (x - 2147483647 - 1) / -1; return 0;", "overflows"),
        ("return 1 / 0;", "division by zero"),
    ],
)
@every_strategy
def test_a_runtime_error_is_neither_lost_nor_moved(body: str, fault: str, strategy: str) -> None:
    text = f"int f(int x) {{ {body} }}"
    plain, better = converted(text, strategy), optimised(text, strategy=strategy)
    for program in plain, better:
        with pytest.raises(ProgramError, match=fault):
            evaluate(program, "f", [0], output=io.BytesIO(), errors=io.BytesIO())


# -------------------------------------------------------------------------------------------------------- unused code


def test_unused_computations_are_removed() -> None:
    text = "int f(int x) { int a = x * 3, n = x; double d = 2.5 * x; while (n > 0) { a = a + n; n--; } return x / 2; }"
    left = operations(text)
    assert left == [">", "-", "/"]


def test_a_function_that_main_does_not_reach_is_removed() -> None:
    text = """
int odd(int n);
int even(int n) { return n == 0 || odd(n - 1); }
int odd(int n) { return n != 0 && even(n - 1); }
int other(int n) { return even(n); }
int main(void) { return odd(7); }
"""
    assert [function.name for function in optimised(text).functions] == ["even", "odd", "main"]
    assert len(optimised(text.replace("main", "start")).functions) == 4
    assert len(optimised("extern int other_file;" + text.replace("odd(7)", "other_file")).functions) == 4
    assert len(optimised(text.replace("odd(7)", "in_other_file(odd)")).functions) == 4


def test_options_enable_and_disable_optimisations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.c"
    path.write_text("int f(int x) { return x * 1 + (2 + 3); }\n")

    def body(*options: str) -> str:
        assert main(["convert", *options, str(path)]) == 0
        return capsys.readouterr().out.splitlines()[1].strip()

    assert body() == "ret(x * 1 + (2 + 3))"
    assert body("-O") == "ret(x + 5)"
    assert body("--optimise", "fold") == "ret(x * 1 + 5)"
    assert body("--optimize", "fold, arithmetic") == "ret(x + 5)"
    assert body("-O", "--optimise", "no-fold") == "ret(x + (2 + 3))"
    assert body("--optimise", "no-fold", "-O") == "ret(x + (2 + 3))"
    assert body("--optimise", "fold,no-fold") == body()
    assert main(["run", "-O", str(path), "4"]) == 0
    assert capsys.readouterr().out == "9\n"


def test_an_unknown_switch_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--optimise", "loops", "examples/fig8.c"]) == 2
    assert "there is no optimisation 'loops'; there are fold, arithmetic" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"optimise": ["fold", "loops"]}, "there is no optimisation 'loops'; there are fold, arithmetic"),
        ({"language": "pascal"}, "there is no language 'pascal'; there are c, "),
    ],
)
def test_an_unknown_name_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        convert(Source("f.c", "void f(void) {}"), **options)


def test_cps_text_is_not_optimised() -> None:
    source = Source("f.cps", "f(ret : () → ⊥) → ⊥ { ret() }")
    with pytest.raises(DiagnosticError, match="CPS text is not converted: there is nothing to optimise"):
        convert(source, optimise=OPTIMISATIONS)


def test_an_optimised_program_is_not_certified(capsys: pytest.CaptureFixture[str]) -> None:
    reason = "the simplified statements are not those of the source"
    with pytest.raises(ValueError, match=f"certify excludes optimise: {reason}"):
        convert(Source("f.c", "void f(void) {}"), optimise=OPTIMISATIONS, certify=True)
    assert main(["convert", "-O", "--certify", "examples/fig8.c"]) == 2
    assert "--certify and -O exclude each other" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "other"), [({"optimise": OPTIMISATIONS}, "optimise"), ({"thread_jumps": True}, "thread_jumps")]
)
def test_a_record_does_not_describe_a_changed_program(options: dict[str, Any], other: str) -> None:
    with pytest.raises(ValueError, match=f"record excludes {other}: the record would not describe the result"):
        convert(Source("f.c", "void f(void) {}"), record={}, **options)
