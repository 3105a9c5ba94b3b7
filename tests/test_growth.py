"""The time and memory of targets and engines grow in proportion to the size of the program.

`benchmarks/backends.py` measures all targets and engines on all shapes.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

import pytest

from benchmarks.backends import BACK_ENDS
from benchmarks.shapes import QUADRATIC, SHAPES
from cpsconv import Source, convert
from cpsconv.engines import engine_for
from cpsconv.engines.llvm import prepare
from cpsconv.text.layout import Group, layout_lines
from tests.counting import growth, lines_executed

SIZES = [60, 240]


def peak(work: Callable[[], object]) -> int:
    """The most bytes that some work has allocated, including garbage in cycles."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    gc.enable()
    return most


@pytest.mark.parametrize(
    ("shape", "name"),
    [("functions", "engine python"), ("functions", "llvm"), ("counted_loops", "c"), ("bare_ifs", "python")],
)
def test_memory_is_in_proportion_to_the_program(shape: str, name: str) -> None:
    programs = [convert(Source("program.c", SHAPES[shape](size))) for size in SIZES]
    BACK_ENDS[name](programs[0])  # imports modules
    assert growth([peak(lambda: BACK_ENDS[name](program)) for program in programs], SIZES) < 1.2  # noqa: B023


def test_a_program_does_not_keep_the_tables_of_its_construction() -> None:
    sizes = []
    for size in SIZES:
        gc.collect()
        tracemalloc.start()
        program = convert(Source("program.c", SHAPES["counted_loops"](size)))
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        assert program
    assert growth(sizes, SIZES) < 1.1


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
    monkeypatch.setattr("cpsconv.engines.llvm.compiled", lambda text, level: levels.append(level))
    monkeypatch.setattr("cpsconv.engines.llvm.MAX_OPTIMISED", 100)
    for size in (20, 60):
        program = convert(Source("program.c", SHAPES["loops"](size)))
        prepare(program, program.functions[-1])
    assert levels == [2, 0]
