"""The time and memory of targets and engines grow in proportion to the size of the program.

`benchmarks/backends.py` measures all targets and engines on all shapes.
"""

from __future__ import annotations

import gc
import re
import tracemalloc
from collections.abc import Callable

import pytest

from benchmarks.backends import BACK_ENDS
from benchmarks.shapes import QUADRATIC, SHAPES
from cpsconv import DiagnosticError, Source, convert, parse, pretty
from cpsconv.core.json import from_json, to_json
from cpsconv.core.text.layout import Group, layout_lines
from cpsconv.engines import engine_for
from cpsconv.engines.llvm import prepare
from testing.counting import growth, lines_executed

SIZES = [40, 80]


def allocated(work: Callable[[], object]) -> tuple[int, int]:
    """The bytes that are allocated after some work and the most during it, both including garbage in cycles."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()


@pytest.mark.parametrize("name", ["c", "engine python"])
def test_values_that_are_live_in_many_loops_take_little_memory(name: str) -> None:
    programs = [convert(Source("program.c", SHAPES["counted_loops"](size))) for size in SIZES]
    BACK_ENDS[name](programs[0])  # imports modules
    assert growth([allocated(lambda: BACK_ENDS[name](program))[1] for program in programs], SIZES) < 1.2  # noqa: B023


def test_the_tables_of_a_construction_are_released_at_its_end() -> None:
    sources = [Source("program.c", SHAPES["counted_loops"](size)) for size in SIZES]
    convert(sources[0])  # imports modules
    assert growth([allocated(lambda: convert(source))[0] for source in sources], SIZES) < 1.2  # noqa: B023


def test_breaking_thousands_of_arguments_into_lines_takes_few_steps_each() -> None:
    group = Group("f(", [f"argument{number}" for number in range(2_000)], ")")
    assert lines_executed(lambda: layout_lines(group, 80)) < 20 * 2_000
    assert layout_lines(group, 80)[:2] == ["f(", "  argument0,"]


def test_a_program_too_large_for_the_compiler_of_python_runs_on_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.engines.MAX_ARGUMENTS", 900)
    engines = [engine_for(convert(Source("program.c", QUADRATIC["cases_of_variables"](n)))) for n in (20, 31)]
    assert engines == ["python", "machine"]


def test_llvm_does_not_optimise_a_very_large_function(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    levels = []
    monkeypatch.setattr("cpsconv.engines.llvm.compiled", lambda text, level, *_: levels.append(level))
    monkeypatch.setattr("cpsconv.engines.llvm.MAX_OPTIMISED", 100)
    for size in (20, 60):
        program = convert(Source("program.c", SHAPES["loops"](size)))
        prepare(program, program.functions[-1])
    assert levels == [2, 0]


def _nested_structs(width: int, depth: int) -> str:
    """Structs within each other, with `width` ** `depth` scalars."""
    fields = ", ".join(f"f{number}" for number in range(width))
    inner = "".join(f"struct s{n + 1} {{ struct s{n} {fields}; }};\n" for n in range(depth - 1))
    return f"struct s0 {{ char {fields}; }};\n{inner}"


SMALL_TEXTS = {
    "zeros at the end": 'int a[500000000] = {1}; char s[1000000000] = "x"; int f(void) { return a[1] + s[2]; }',
    "zeros at the end of static variables": "int f(void) { static char a[1000000000] = {1}; return a[1]; }",
    "zeros at the end of compound literals": "int *p = (int [500000000]){1}; int f(void) { return p[1]; }",
    "local zeros": "int f(void) { int a[500000000] = {1}; return a[1]; }",
    "a range of local values": "int f(int c) { int a[500000000] = {[0 ... 499999999] = c, [7] = 1}; return a[1]; }",
    "ranges in ranges of local structs": "struct s { int a, b[100000]; };"
    "int f(int c) { struct s x[900] = {[0 ... 899] = {c, {[1 ... 99999] = 7}}, [5].b[3 ... 999] = 4}; return x[1].a; }",
    "ranges of static values": "char a[90000] = {[0 ... 89999] = 0, [9 ... 89999] = 0}; char *f(void) { return a; }",
    "a struct of many structs": f"{_nested_structs(8, 7)}struct s6 g;"
    "int f(void) { struct s6 x = g; return x.f0.f0.f0.f0.f0.f0.f0; }",
    "a value in many structs": f"{_nested_structs(8, 7)}struct s6 g = {{.f0.f1.f2 = {{.f0.f0 = {{1}}}}}};",
    "ranges of cases": "int f(int c) { switch (c) {"
    + "".join(f"case {n}00000 ... {n}65535: return {n};" for n in range(1, 20))
    + "} return 0; }",
}
"""Small C programs that denote much, with little work for a conversion."""

REFUSED_TEXTS = {
    "int a[] = {[499999999] = 1};": "a.c:1:26: error: the initial values of static",
    "char *a[200000000] = {[100000000] = (char *) a};": "a.c:1:37: error: the initial values of static",
    "struct { int n; char c[]; } x = {1, {[1000000000] = 1}};": "a.c:1:53: error: the initial values of static",
    "char a[2000000000] = {[0 ... 1999999999] = 1};": "the initial values of static objects skip or repeat",
    "int a[2000][2000] = {[0 ... 1999] = {[0 ... 1999] = 1}};": "the initial values of static objects skip or repeat",
    "int x = " + "_Alignof(__typeof__(" * 400 + "1" + "))" * 400 + ";": "more than 30 `typeof`s are within each other",
}
"""Small C programs that are refused, since they denote too much, with the error."""


@pytest.mark.parametrize("case", SMALL_TEXTS)
def test_a_small_text_that_denotes_much_takes_little_work(case: str) -> None:
    source = Source("a.c", SMALL_TEXTS[case])
    pretty(convert(source))  # imports modules
    assert allocated(lambda: pretty(convert(source)))[1] < 20e6
    assert lines_executed(lambda: pretty(convert(source))) < 1_000_000


@pytest.mark.parametrize("text", REFUSED_TEXTS)
def test_a_small_text_that_denotes_too_much_is_an_error_after_little_work(text: str) -> None:
    def refused() -> None:
        with pytest.raises(DiagnosticError) as caught:
            convert(Source("a.c", text))
        assert REFUSED_TEXTS[text] in str(caught.value)

    assert allocated(refused)[1] < 20e6
    assert lines_executed(refused) < 1_000_000


@pytest.mark.parametrize("storage", ["static ", ""])
def test_too_many_values_of_elements_that_are_not_wholly_equal_are_an_error(
    monkeypatch: pytest.MonkeyPatch, storage: str
) -> None:
    monkeypatch.setattr("cpsconv.languages.c.meaning.initial_parts.MAX_COPIES", 1000)
    ones, others = "1," * 50, "".join(f"[{2 * n}][1] = 2," for n in range(30))
    text = f"void f(void) {{ {storage}int a[9000][50] = {{[0 ... 8999] = {{{ones}}}, [0][1] = 2, %s}}; }}"
    convert(Source("a.c", text % ""))
    with pytest.raises(DiagnosticError, match="the ranges of this initialiser denote too many values"):
        convert(Source("a.c", text % others))


def test_data_that_skip_many_bytes_are_an_error() -> None:
    text = "struct s { a : char[1000000000], b : %s }\ndata z := s { {}, %s }\nf(ret : int → ⊥) → ⊥ { ret(1) }"
    for type, value in [("int", "1"), ("ptr", "z"), ("char[4]", '"a"')]:
        with pytest.raises(DiagnosticError, match="the data of this text skip more than 16777216 bytes"):
            parse(Source("a.cps", text % (type, value)))
    small = to_json(parse(Source("a.cps", (text % ("ptr", "z")).replace("1000000000", "1000"))))
    with pytest.raises(ValueError, match="z skips more than 16777216 bytes"):
        from_json(re.sub('("at"|"length"): 1000', r"\1: 1000000000", small))


@pytest.mark.parametrize("target", ["python", "javascript", "scheme"])
def test_a_long_string_takes_little_memory_in_a_functional_target(target: str) -> None:
    program = convert(Source("a.c", "char a[] = {[100000] = 1}; int f(void) { return a[1]; }"))
    BACK_ENDS[target](convert(Source("a.c", "char a[] = {1}; int f(void) { return a[1]; }")))  # imports modules
    assert allocated(lambda: BACK_ENDS[target](program))[1] < 10e6


def test_the_zeros_of_large_structs_are_omitted_and_read_again() -> None:
    program = convert(Source("a.c", SMALL_TEXTS["a value in many structs"]))
    assert "data g := s6 { { {}, { {}, {}, { { {" in " ".join(pretty(program).split())
    assert pretty(parse(Source("a.cps", pretty(program)))) == pretty(program)
