"""Time and memory of targets and engines grow in proportion to the program, where its text does."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

import pytest

from benchmarks.backends import BACK_ENDS
from benchmarks.shapes import QUADRATIC, SHAPES
from cpsconv import Source, convert
from cpsconv.engines import MAX_ARGUMENTS, engine_for
from cpsconv.text.layout import Group, layout_lines
from tests.counting import growth, lines_executed

SIZES = [60, 240]
QUADRATIC_TEXT = {
    ("gotos", "c"): 1.1,  # the other targets pass labels to the functions of a lifted group: see docs/benchmarks.md
}


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


@pytest.mark.parametrize("name", ["llvm", "c", "engine python", "python", "haskell", "ocaml"])
@pytest.mark.parametrize("shape", ["functions", "bare_ifs", "counted_loops", "cases"])
def test_memory_is_in_proportion_to_the_program(shape: str, name: str) -> None:
    programs = [convert(Source("program.c", SHAPES[shape](size))) for size in SIZES]
    BACK_ENDS[name](programs[0])  # imports modules
    assert growth([peak(lambda: BACK_ENDS[name](program)) for program in programs], SIZES) < 1.2  # noqa: B023
