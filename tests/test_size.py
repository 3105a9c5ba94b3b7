"""Size is no special case: what is large in any one way is converted, printed, parsed back and run.

Python's own stack is 1,000 calls deep, so a recursion over the input shows at these sizes. `benchmarks/growth.py`
measures how the time grows, and goes further.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import lookups
from benchmarks.shapes import MEMORY, SHAPES
from cpsconv import Source
from cpsconv.languages import read
from testing import gcc
from testing.counting import growth, lines_executed
from testing.effort import beyond_the_stack, each_in_turn, is_full, sample
from testing.gcc import needs_gcc
from testing.running import STRATEGIES, converted, observe, reread

_LARGE = {
    "ifs": 5_000,
    "calls": 10_000,
    "parentheses": 10_000,
    "unary": 10_000,
    "left": 10_000,
    "right": 10_000,
    "blocks": 10_000,
    "variables": 10_000,
    "cases": 10_000,
}


@needs_gcc
def test_a_shape_behaves_as_compiled_by_gcc(tmp_path: Path) -> None:
    texts = [make(25) for make in SHAPES.values()]
    found = gcc.observe_all(texts, tmp_path, "-w")
    for number, (shape, text, expected) in enumerate(zip(SHAPES, texts, found, strict=True)):
        for strategy in sample(STRATEGIES, 4, number % 4):
            assert observe(converted(text, strategy)) == expected, shape


@each_in_turn(shape=[*SHAPES], strategy=["scc", "marker", "basic"])
def test_a_shape_beyond_the_stack_is_handled_by_every_strategy(shape: str, strategy: str) -> None:
    with beyond_the_stack(180 if shape == "waiting" else 110) as size:
        program = converted(SHAPES[shape](size), strategy)
        assert observe(reread(program)) == observe(program)


@pytest.mark.parametrize("shape", ["ifs", "nested_ifs"])
def test_a_shape_beyond_the_stack_has_a_flat_text(shape: str) -> None:
    with beyond_the_stack() as size:
        program = converted(SHAPES[shape](size), "scc")
        assert observe(reread(program, "flat")) == observe(program)


@pytest.mark.parametrize("shape", _LARGE if is_full() else ())
def test_a_large_shape_goes_all_the_way(shape: str) -> None:
    program = converted(SHAPES[shape](_LARGE[shape]), "scc")
    assert observe(reread(program)) == observe(program)


@pytest.mark.parametrize("shape", _LARGE)
def test_the_work_on_a_shape_is_near_linear(shape: str) -> None:
    sizes = [20, 60]
    texts = [SHAPES[shape](size) for size in sizes]
    assert growth([lines_executed(lambda: reread(converted(text, "scc"))) for text in texts], sizes) < 1.1  # noqa: B023


@pytest.mark.parametrize("shape", ["ifs", "nested_loops", "late_read", "cases", "mesh"])
def test_look_ups_are_proportional_to_the_size_of_the_program(shape: str) -> None:
    sizes = [20, 60]
    lowerings = [read("c", Source("program.c", lookups.ALL[shape](size))) for size in sizes]
    for strategy in lookups.COUNTED:
        assert growth([lookups.lookups(lowering, strategy) for lowering in lowerings], sizes) < 1.05, strategy


@pytest.mark.parametrize("name", MEMORY)
def test_the_work_for_a_program_with_memory_grows_in_proportion_to_its_size(name: str) -> None:
    sizes = [20, 60]
    texts = [MEMORY[name](size) for size in sizes]
    assert observe(converted(texts[0], "scc")).status == 0  # loads all modules
    assert growth([lines_executed(lambda: reread(converted(text, "scc"))) for text in texts], sizes) < 1.1  # noqa: B023
