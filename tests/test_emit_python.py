"""Programs as Python text; `test_emit_functional` runs them."""

from __future__ import annotations

import ast
import keyword
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv import Source, convert
from cpsconv.emit.functional.python import python
from tests.c_programs import random_program
from tests.expectations import EXAMPLES
from tests.functional_targets import FIG8
from tests.running import converted


def from_c(text: str) -> str:
    return python(convert(Source("program.c", text)))


def functions(text: str) -> str:
    """The emitted functions: the text between the imports and the first piece of the prelude."""
    return text.partition("import sys\n\n\n")[2].partition("\n\n\ndef trampoline")[0]


def test_continuations_are_local_functions_that_return_thunks() -> None:
    assert functions(from_c(FIG8)) == (
        "def f(x, ret):\n"
        "    def then():\n"
        "        return lambda: next_(23)\n"
        "\n"
        "    def else_():\n"
        "        return lambda: next_(42)\n"
        "\n"
        "    def next_(a):\n"
        "        return lambda: ret(a)\n"
        "\n"
        "    if x == 0:\n"
        "        return then\n"
        "    return else_"
    )


def test_the_continuation_of_a_call_has_a_name() -> None:
    text = '#include <stdio.h>\nint f(int x) { puts("first"); int y = f(x - 1); puts("done"); return y * 2; }'
    assert functions(from_c(text)) == (
        "def f(x, ret):\n"
        '    puts("first")\n'
        "\n"
        "    def after_f(y):\n"
        '        puts("done")\n'
        "        return lambda: ret(to_int(y * 2))\n"
        "\n"
        "    return lambda: f(to_int(x - 1), after_f)"
    )


def test_a_switch_is_a_match() -> None:
    text = functions(from_c("int f(int x) { switch (x) { case 7: return 1; case -1: return 2; } return x; }"))
    assert text.endswith(
        "    match x:\n"
        "        case 7:\n"
        "            return case_7\n"
        "        case -1:\n"
        "            return case_minus_1\n"
        "        case _:\n"
        "            return exit_"
    )


def test_a_result_that_may_leave_its_type_is_wrapped_once() -> None:
    assert "ret(a & (b >> 1))" in from_c("int f(int a, int b) { return a & (b >> 33); }")
    assert "ret(to_unsigned(~a) >> (b % 32))" in from_c("unsigned f(unsigned a, int b) { return ~a >> b; }")
    assert "ret(to_int(-a + b * 2))" in from_c("int f(int a, int b) { return -a + b * 2; }")
    assert "ret(to_short(a + b))" in from_c("short f(short a, short b) { return a + b; }")
    assert "ret(to_long(to_int(a + a) * b))" in from_c("long f(int a, long b) { return (a + a) * b; }")
    assert "ret(to_float(to_float(a * a) + 1.0))" in from_c("float f(float a) { return a * a + 1; }")


def test_reserved_names_get_an_underscore() -> None:
    text = functions(from_c("int format(int lambda, int l) { int sum = lambda + l; return sum * sum; }"))
    assert text == (
        "def format_(lambda_, l_, ret):\n    sum_ = to_int(lambda_ + l_)\n    return lambda: ret(to_int(sum_ * sum_))"
    )
    show = [sys.executable, "-c", "print(*dir(__builtins__))"]  # this process may have others
    bound = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split()
    for name in (*keyword.kwlist, *keyword.softkwlist, *bound, "trampoline"):
        program = convert(Source("program.cps", f"`{name}`(ret : () → ⊥) → ⊥ {{ ret() }}"))
        assert f"def {name}_(ret):" in python(program)


def test_deeply_nested_continuations_are_lifted() -> None:
    ifs = "".join(f"if (x > {number}) s += {number};\n" for number in range(30))
    text = functions(from_c(f"int f(int x) {{ int s = 0; {ifs} return s; }}"))
    assert "\n\n\ndef f(x, ret):\n" in text
    assert "then9, next9 = f_next(" in text and "\n    return then9, next9\n" in text
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) == 4 * 11


def test_the_width_changes_nothing_but_the_layout() -> None:
    program = converted(random_program(7), "scc")
    texts = [python(program, width=width) for width in (1, 30, 80, 500)]
    assert len(set(texts)) == 4
    assert len({ast.dump(ast.parse(text)) for text in texts}) == 1


def test_the_layout_is_that_of_ruff(tmp_path: Path) -> None:
    for path in EXAMPLES:
        (tmp_path / f"{path.stem}.py").write_text(python(converted(path.read_text(), "scc"), width=88))
    for command in (["check", "--select=E,W,F,I", "--ignore=E501"], ["format", "--diff"]):  # a string may be long
        ruff = [sys.executable, "-m", "ruff", *command, "--isolated", "."]
        judged = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True)
        assert (judged.stdout if judged.returncode else "") == ""


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
@pytest.mark.parametrize("rounds", [1, 10_000])
def test_a_program_whose_output_is_closed_ends_silently(rounds: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    loop = f'for (int i = 0; i < {rounds}; i++) puts("text");'
    text = from_c(f"#include <stdio.h>\nint main(void) {{ {loop} return 7; }}")
    done = subprocess.run([sys.executable, "-c", text], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")
