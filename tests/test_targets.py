"""All targets, with programs that are just about well-formed."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from cpsconv.core.ir import Program
from testing.effort import examples, randoms
from testing.mutants import read_mutated_json, read_mutated_text
from testing.running import write_everywhere


@pytest.mark.parametrize("read", [read_mutated_json, read_mutated_text])
@settings(max_examples=examples(200))
@given(dice=randoms())
def test_every_mutant_that_is_a_program_is_written_or_refused(
    read: Callable[[random.Random], Program | None], dice: random.Random
) -> None:
    if program := read(dice):
        for width in (1, 80):
            write_everywhere(program, width)
