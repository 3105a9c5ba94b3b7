"""The structure of CPS programs lowered from C, and the lowering of large programs.

The programs of `tests/corpus/` test the behaviour of converted programs.
"""

from __future__ import annotations

from io import BytesIO

import pytest

from cpsconv.core.construction import STRATEGIES, Builder
from cpsconv.core.ir import Call, Constant, Continuation, Edge, Program, Undef, Value
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import Diagnostic, Source
from cpsconv.engines.machine.machine import Returned, evaluate
from cpsconv.languages import language_of, read
from testing.effort import size


def convert(text: str, strategy: str = "scc") -> tuple[Program, list[Diagnostic]]:
    warnings: list[Diagnostic] = []
    return read("c", Source("test.c", text))(Builder(strategy), warnings), warnings


def outline(text: str) -> list[str]:
    """A line for each continuation: name, parameters, operations, and the edges of the transfer."""
    program, _ = convert(text)
    return [line_of(continuation) for function in program.functions for continuation in function.members()]


def line_of(continuation: Continuation) -> str:
    operations = [str(s.type) if s.op == "convert" else s.op for s in continuation.body]
    transfer = continuation.transfer
    assert transfer
    cases = getattr(transfer, "cases", [])
    edges = " ".join([shown_edge(edge) for edge in transfer.edges])
    numbers = f"{cases} " if cases else ""
    parameters = ", ".join(parameter.name for parameter in continuation.parameters)
    return f"{continuation.name}({parameters}): {' '.join([*operations, '→ '])}{numbers}{edges}"


def shown_edge(edge: Edge) -> str:
    return f"{edge.target.name}({', '.join(map(shown, edge.arguments))})"


def shown(value: Value) -> str:
    if isinstance(value, Constant):
        return repr(value.value)
    return "undef" if isinstance(value, Undef) else str(value.name or "·")


def value_of(text: str, *arguments: int, strategy: str = "scc") -> object:
    program, _ = convert(text, strategy)
    outcome = evaluate(program, "f", arguments, output=BytesIO(), errors=BytesIO())
    assert isinstance(outcome, Returned)
    return outcome.value


# -------------------------------------------------------------------------------------------------------- control flow


def test_figure_8_has_the_names_and_the_order_of_the_paper() -> None:
    assert outline("int f(int x) { int a; if (x == 0) { a = 23; } else { a = 42; } return a; }") == [
        "f(x, ret): == → then() else()",
        "then(): → next(23)",
        "else(): → next(42)",
        "next(a): → ret(a)",
    ]


def test_an_if_without_else_branches_to_the_next_statement() -> None:
    assert outline("int f(int x) { int a = 1; if (x > 3) a = 2; return a; }") == [
        "f(x, ret): > → then() next(1)",
        "then(): → next(2)",
        "next(a): → ret(a)",
    ]


def test_a_number_as_a_condition_is_compared_with_zero() -> None:
    assert outline("void f(int x, _Bool b, double d) { if (x) ; if (b) ; if (d) ; }") == [
        "f(x, b, d, ret): != → then() next()",
        "then(): → next()",
        "next(): → then() next()",
        "then(): → next()",
        "next(): != → then() next()",
        "then(): → next()",
        "next(): → ret()",
    ]


def test_short_circuits_in_conditions_are_branches() -> None:
    assert outline("int f(int x, int y) { if (!(x == 1 && y == 2) || x) return 1; return 2; }") == [
        "f(x, y, ret): == → and() then()",
        "and(): == → or() then()",
        "or(): != → then() next()",
        "then(): → ret(1)",
        "next(): → ret(2)",
    ]


def test_a_short_circuit_as_a_value_joins_in_a_bool() -> None:
    assert outline("int f(int x, int y) { return x && y < 2; }") == [
        "f(x, y, ret): != → and() join(False)",
        "and(): < → join(both)",
        "join(both): int → ret(·)",
    ]


def test_a_conditional_expression_joins_in_the_common_type() -> None:
    assert outline("double f(int x) { return x ? x : 2.5; }") == [
        "f(x, ret): != → then() else()",
        "then(): double → join(chosen)",
        "else(): → join(2.5)",
        "join(chosen): → ret(chosen)",
    ]


def test_a_while_loop_has_parameters_only_for_assigned_variables() -> None:
    assert outline("int f(int n) { int i = 0; while (i < n) { i++; if (i == 7) break; } return i; }") == [
        "f(n, ret): → while(0)",
        "while(i): < → body() exit(i)",
        "body(): + == → then() next()",
        "then(): → exit(i)",
        "next(): → while(i)",
        "exit(i): → ret(i)",
    ]


def test_continue_goes_to_the_step_of_a_for_loop() -> None:
    assert outline(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; s += i; } return s; }"
    ) == [
        "f(n, ret): → for(0, 0)",
        "for(i, s): < → body() exit()",
        "body(): == → then() next()",
        "then(): → step(s)",
        "next(): + → step(s)",
        "step(s): + → for(i, s)",
        "exit(): → ret(s)",
    ]


def test_a_for_loop_without_continue_has_no_continuation_for_its_step() -> None:
    names = [line.split("(")[0] for line in outline("void f(int n) { for (int i = 0; i < n; i++) ; }")]
    assert names == ["f", "for", "body", "exit"]


def test_a_do_loop_jumps_back_to_its_body() -> None:
    assert outline("int f(int n) { do n--; while (n > 5); return n; }") == [
        "f(n, ret): → do(n)",
        "do(n): - > → do(n) exit()",
        "exit(): → ret(n)",
    ]


def test_a_loop_without_end_needs_no_exit() -> None:
    assert outline("void f(void) { for (;;) ; }") == ["f(ret): → for()", "for(): → for()"]


def test_cases_fall_through_and_consecutive_labels_share_a_continuation() -> None:
    text = "int f(int x) { switch (x) { case 1: case -2: x = 5; default: x++; case 9: break; } return x; }"
    assert outline(text) == [
        "f(x, ret): → [1, -2, 9] case_1() case_1() case_9(x) default(x)",
        "case_1(): → default(5)",
        "default(x): + → case_9(x)",
        "case_9(x): → ret(x)",
    ]


def test_a_switch_without_default_leads_to_its_exit() -> None:
    assert outline("int f(int x) { switch (x) { case 3: x = 4; } return x; }") == [
        "f(x, ret): → [3] case_3() exit(x)",
        "case_3(): → exit(4)",
        "exit(x): → ret(x)",
    ]


def test_the_values_of_cases_are_computed_in_c() -> None:
    text = "void f(long x) { switch (x) { case 'a' + 1 << 2: case ~0u: case sizeof(int) / 3: case 1 ? -7 / 2 : 9: ; } }"
    program, _ = convert(text)
    assert getattr(program.functions[0].transfer, "cases", None) == [392, 4294967295, 1, -3]


def test_goto_into_a_loop_bypasses_its_header() -> None:
    text = """int f(int n) { int i = 0; if (n) goto inside; while (i < 9) { i += 2; inside: i += 3; } return i; }"""
    for strategy in STRATEGIES:
        assert [value_of(text, n, strategy=strategy) for n in (0, 1)] == [10, 13]


def test_an_unused_label_is_no_continuation() -> None:
    assert outline("int f(int x) { here: x++; return x; }") == ["f(x, ret): + → ret(x)"]


def test_dead_code_is_not_in_the_program() -> None:
    text = "int f(int x) { if (x) return 1; else return 2; while (x) { x++; if (x) break; } return x; }"
    assert outline(text) == ["f(x, ret): != → then() else()", "then(): → ret(1)", "else(): → ret(2)"]


def test_code_after_a_used_label_is_live() -> None:
    text = "int f(int x) { if (x) goto in; return 1; while (x < 5) { x = 9; in: x++; } return x; }"
    assert [value_of(text, x) for x in (0, 2, 4)] == [1, 10, 5]


def test_code_after_exit_is_dead_even_within_an_expression() -> None:
    text = "#include <stdlib.h>\nint f(int x) { int a = 1; if (x) a = (exit(3), x); return a; }"
    assert outline(text) == ["f(x, ret): != → then() next()", "then(): → halt(3)", "next(): → ret(1)"]


# --------------------------------------------------------------------------------------------------------- expressions


def test_conversions_are_explicit() -> None:
    assert outline("long f(char c, unsigned u, float x) { c = c + u; return c * x; }") == [
        "f(c, u, x, ret): unsigned + char float * long → ret(·)"
    ]


def test_constants_are_converted_by_the_front_end() -> None:
    text = "void g(char c, double d, _Bool b, unsigned u, long l) { } void f(void) { g(300, 2, 7, -1, 'a'); }"
    call = convert(text)[0].functions[1].transfer
    assert isinstance(call, Call)
    assert [getattr(argument, "value", None) for argument in call.arguments] == [44, 2.0, True, 4294967295, 97]


def test_sizeof_evaluates_nothing() -> None:
    text = '#include <stdio.h>\nint f(int x) { return sizeof(x++) + sizeof(puts("")) + sizeof(x == 1) + sizeof "abc"; }'
    assert value_of(text, 1) == 16
    assert outline(text)[0].startswith("f(x, ret): +")


def test_a_failing_assertion_prints_its_condition_and_aborts() -> None:
    text = '#include <assert.h>\nvoid f(int x) {\n  assert(x  <  3 && "small");\n}'
    lines = outline(text)
    assert lines == ["f(x, ret): < → and() fails()", "fails(): eprint → abort()", "and(): → ret()"]
    errors = BytesIO()
    evaluate(convert(text)[0], "f", [3], output=BytesIO(), errors=errors)
    assert errors.getvalue() == b'test.c:3: f: Assertion `x < 3 && "small"\' failed.\n'


def test_the_end_of_a_function_returns_an_undefined_value_and_of_main_zero() -> None:
    assert outline("int f(int x) { if (x) return 1; } int main(void) { }") == [
        "f(x, ret): != → then() next()",
        "then(): → ret(1)",
        "next(): → ret(undef)",
        "main(ret): → ret(0)",
    ]


def test_the_use_of_a_result_that_is_not_returned_is_an_error_of_its_own() -> None:
    program, _ = convert("int g(int x) {\n    if (x) return 1;\n}\nint f(int x) { return g(x) + 1; }")
    with pytest.raises(ProgramError) as caught:
        evaluate(program, "f", [0], output=BytesIO(), errors=BytesIO())
    assert str(caught.value).splitlines()[::3] == [
        "test.c:4:23: runtime error: `g()` returned no value",
        "test.c:3:1: note: the function ended here",
    ]


def test_a_program_may_define_or_declare_a_library_function() -> None:
    assert value_of("int puts(int x) { return x + 1; } int f(int x) { return puts(x); }", 4) == 5
    assert outline("int putchar(int); void f(void) { putchar('a'); }") == ["f(ret): putchar → ret()"]


def test_the_suffix_of_a_file_denotes_its_language() -> None:
    assert language_of("a/b.c") == "c"
    assert language_of("a/b.txt") is None


# ---------------------------------------------------------------------------------------------------------------- size

BIG = {  # tests/test_size.py has more
    "assignments": lambda n: "x = " * n + "1;",
    "a short circuit to the right": lambda n: "x = " + "x || (" * n + "x" + ")" * n + ";",
    "sizes of sizes": lambda n: "x = " + "sizeof(" * n + "x" + ")" * n + ";",
    "labels of one case": lambda n: "switch (x) {" + "".join(f"case {i}: " for i in range(n)) + "x = 2; }",
    "cases without a block": lambda n: "switch (x) " + "".join(f"case {i}: " for i in range(n)) + "x = 2;",
    "labels of one statement": lambda n: "if (x) " + "".join(f"l{i}: " for i in range(n)) + "x = 2;",
    "gotos": lambda n: (
        "".join(f"if (x == {i}) goto l{i};" for i in range(n)) + "".join(f"l{i}: x--;" for i in range(n))
    ),
    "a constant": lambda n: "switch (x) { case " + " + ".join(["1"] * n) + ": x = 1; }",
    "signs": lambda n: "x = " + "- " * n + "x;",
    "arguments": lambda n: 'printf("' + "%d" * n + '"' + ", x" * n + ");",
    "loops without blocks": lambda n: "while (x < 9) " * n + "x++;",
    "declarators": lambda n: "int v0" + "".join(f", v{i} = {i}" for i in range(1, n)) + ";",
    "adjacent strings": lambda n: 'puts("a"' + ' "b"' * n + ");",
    "dead statements": lambda n: "return 1;" + "if (x) { x = 2; }" * n,
}


@pytest.mark.parametrize("kind", BIG)
def test_programs_of_any_size_are_lowered(kind: str) -> None:
    program, _ = convert(
        "#include <stdio.h>\nint g(int x) { return x; } int f(int x) { " + BIG[kind](size(4_000)) + " return x; }"
    )
    assert len(program.functions) == 2


def test_deeply_nested_operations_on_vectors_are_lowered() -> None:
    operations, calls, casts = "+".join(["v"] * 300), "g(-" * 150 + "v" + ")" * 150, "(V)(U)" * 200 + "v"
    text = f"""
typedef int V __attribute__((vector_size(8)));
typedef unsigned U __attribute__((vector_size(8)));
static V g(V v) {{ return v; }}
int f(void) {{ V v = {{ 1, 2 }}; return ({operations} + {calls} + {casts})[1]; }}
"""
    assert value_of(text) == 604
