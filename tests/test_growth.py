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
