"""Programs as JavaScript text; `test_emit_functional` runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpsconv import Source, convert, parse
from cpsconv.emit.functional.javascript import javascript, operations
from cpsconv.operations.table import EFFECTS, IncompleteTable


def from_c(text: str) -> str:
    return javascript(convert(Source("program.c", text)))


def functions(text: str) -> str:
    """The emitted functions of a program: the text between the header and the prelude."""
    return text.partition('require("node:fs");\n\n')[2].partition("\n\n// A step")[0]


def test_continuations_are_local_functions_that_return_the_next_step() -> None:
    text = (Path(__file__).parent.parent / "examples" / "fig8.c").read_text()
    assert functions(from_c(text)) == (
        "function f(x, ret) {\n"
        "  function then() {\n"
        "    return () => next(23);\n"
        "  }\n"
        "  function else_() {\n"
        "    return () => next(42);\n"
        "  }\n"
        "  function next(a) {\n"
        "    return () => ret(a);\n"
        "  }\n"
        "  return x === 0 ? then : else_;\n"
        "}"
    )


def test_the_continuation_of_a_call_is_an_arrow_function() -> None:
    text = '#include <stdio.h>\nint f(int x) { int y = f(x - 1); puts("done"); return y * 2; }'
    assert functions(from_c(text)) == (
        "function f(x, ret) {\n"
        "  return () => f((x - 1) | 0, (y) => {\n"
        '    puts("done");\n'
        "    return () => ret(Math.imul(y, 2));\n"
        "  });\n"
        "}"
    )


def test_results_out_of_range_are_wrapped_once() -> None:
    assert "ret((a + b - c) | 0)" in from_c("int f(int a, int b, int c) { return a + b - c; }")
    assert "(-(a + b) >>> 0) < 7" in from_c("int f(unsigned a, unsigned b) { return -(a + b) < 7; }")
    assert "toShort(a + b) === 3" in from_c("int f(short a, short b) { return (short)(a + b) == 3; }")
    assert "ret(toLong(a + BigInt(b)))" in from_c("long f(long a, int b) { return a + b; }")


def test_a_conversion_to_the_same_type_wraps() -> None:
    text = "f(a : int, b : int, ret : int → ⊥) → ⊥ {\n  ret(int(a + b))\n}\n"
    assert "ret((a + b) | 0)" in javascript(parse(Source("program.cps", text)))


def test_a_switch_is_a_switch() -> None:
    text = functions(from_c("long f(long x) { switch (x) { case 7: return 1; case -1: return 2; } return x; }"))
    assert "  switch (x) {\n    case 7n:\n      return case_7;\n    case -1n:" in text


def test_reserved_names_are_not_used() -> None:
    text = functions(from_c("int run(int function, int output) { int Math = function; return Math + output; }"))
    assert text == "function run_(function_, output, ret) {\n  return () => ret((function_ + output) | 0);\n}"
    assert "let output" not in text


def test_deeply_nested_continuations_are_lifted() -> None:
    ifs = "".join(f"if (x > {number}) s += {number};\n" for number in range(30))
    text = functions(from_c(f"int f(int x) {{ int s = 0; {ifs} return s; }}"))
    assert "\n\nfunction f(x, ret) {" in text
    assert "const [then20, next20] = f_next(" in text and "\n  return [then20, next20];\n}" in text
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) == 2 * 22


def test_the_runtime_for_an_interpreter_names_an_effect_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFECTS, "beep", EFFECTS["puts"])
    with pytest.raises(IncompleteTable, match="the JavaScript runtime: missing operation `beep`"):
        operations.interpreter_runtime.__wrapped__()


def test_an_overflowing_division_reports_its_operands() -> None:
    assert "divideInt(a, b)" in from_c("int f(int a, int b) { return a / b; }")
    assert '  checkDivision(a, "/", b, 2147483647, "int");' in from_c("int f(int a, int b) { return a / b; }")
