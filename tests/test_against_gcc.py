"""Generated C programs behave as compiled by gcc; `benchmarks/fuzz.py` runs many more."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from testing import gcc
from testing.c_programs import c_programs, random_program
from testing.effort import examples, is_full, sample
from testing.gcc import needs_gcc
from testing.running import LAYOUTS, STRATEGIES, Layout, converted, observe, reread

_AT_A_TIME = 25


@needs_gcc
@settings(max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(text=c_programs(), strategy=st.sampled_from(STRATEGIES), minimal=st.booleans())
def test_a_generated_program_behaves_as_compiled_by_gcc(
    tmp_path_factory: pytest.TempPathFactory, text: str, strategy: str, minimal: bool
) -> None:
    note(text)
    (expected,) = gcc.observe_all([text], tmp_path_factory.mktemp("generated"), "-w")
    assert observe(converted(text, strategy, minimal=minimal)) == expected


@needs_gcc
@pytest.mark.parametrize("first", sample(range(1, 1 + 2 * _AT_A_TIME, _AT_A_TIME), 2))
def test_random_programs_behave_as_compiled_by_gcc(first: int, tmp_path: Path) -> None:
    texts = [random_program(number) for number in range(first, first + _AT_A_TIME)]
    for number, (text, expected) in enumerate(zip(texts, gcc.observe_all(texts, tmp_path, "-w"), strict=True)):
        for strategy in STRATEGIES if is_full() else [STRATEGIES[number % len(STRATEGIES)]]:
            assert observe(converted(text, strategy)) == expected


@needs_gcc
@pytest.mark.parametrize("first", sample(range(1, 31, 10), 3))
def test_random_programs_with_memory_behave_as_compiled_by_gcc(first: int, tmp_path: Path) -> None:
    texts = [random_program(number, memory=True) for number in range(first, first + 10)]
    for number, (text, expected) in enumerate(zip(texts, gcc.observe_all(texts, tmp_path, "-w"), strict=True)):
        for strategy in STRATEGIES if is_full() else [STRATEGIES[number % len(STRATEGIES)]]:
            assert observe(converted(text, strategy, certify=True)) == expected


@settings(max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(text=c_programs(), strategy=st.sampled_from(STRATEGIES), layout=st.sampled_from(LAYOUTS))
def test_a_generated_program_survives_print_and_parse(text: str, strategy: str, layout: Layout) -> None:
    note(text)
    program = converted(text, strategy)
    assert observe(reread(program, layout)) == observe(program)
