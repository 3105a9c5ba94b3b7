"""Generated C programs behave as compiled by gcc; `benchmarks/fuzz.py` runs many more."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing import gcc
from testing.c_programs import random_program
from testing.effort import is_full, sample
from testing.gcc import needs_gcc
from testing.running import LAYOUTS, STRATEGIES, converted, observe, reread

_AT_A_TIME = 25


@needs_gcc
@pytest.mark.parametrize("first", sample(range(1, 1 + 2 * _AT_A_TIME, _AT_A_TIME), 2))
def test_random_programs_behave_as_compiled_by_gcc(first: int, tmp_path: Path) -> None:
    texts = [random_program(number) for number in range(first, first + _AT_A_TIME)]
    for number, (text, expected) in enumerate(zip(texts, gcc.observe_all(texts, tmp_path, "-w"), strict=True)):
        for strategy in STRATEGIES if is_full() else [STRATEGIES[number % len(STRATEGIES)]]:
            assert observe(converted(text, strategy, minimal=number % 3 != 0)) == expected


@needs_gcc
@pytest.mark.parametrize("first", sample(range(1, 31, 10), 3))
def test_random_programs_with_memory_behave_as_compiled_by_gcc(first: int, tmp_path: Path) -> None:
    texts = [random_program(number, memory=True) for number in range(first, first + 10)]
    for number, (text, expected) in enumerate(zip(texts, gcc.observe_all(texts, tmp_path, "-w"), strict=True)):
        for strategy in STRATEGIES if is_full() else [STRATEGIES[number % len(STRATEGIES)]]:
            assert observe(converted(text, strategy, certify=True)) == expected


def test_random_programs_survive_print_and_parse() -> None:
    for number in range(30 if is_full() else 3):
        program = converted(random_program(number), STRATEGIES[number % len(STRATEGIES)])
        assert observe(reread(program, LAYOUTS[number % len(LAYOUTS)])) == observe(program)
