"""Programs with a planted fault of memory stop at its place under every engine; gcc's sanitizers judge the faults.

`benchmarks/fuzz.py --faults` runs many more.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from testing import gcc
from testing.c_faults import KINDS, SMALL, planted
from testing.effort import examples, is_full, sample
from testing.fault_runs import surprises
from testing.gcc import needs_gcc

_SANITIZERS = ("-w", "-g", *gcc.SANITIZERS, "-fno-sanitize=shift,signed-integer-overflow")
_OPTIONS = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1"}
_UNSEEN = {"uninitialised", "call"}
"""Kinds that gcc's sanitizers do not find."""


@needs_gcc
@pytest.mark.parametrize("number", range(5 * len(KINDS) if is_full() else len(KINDS)))
def test_all_engines_stop_a_small_program_at_the_planted_fault_only(number: int, tmp_path: Path) -> None:
    program = planted(number, SMALL)
    expected = gcc.observe(gcc.compile_c(program.sound, tmp_path, "-w"))
    assert [*surprises(number, program, expected)] == []


@needs_gcc
@pytest.mark.parametrize("number", range(1, 5 * len(KINDS) if is_full() else 3))
def test_all_engines_stop_a_generated_program_at_the_planted_fault_only(number: int, tmp_path: Path) -> None:
    program = planted(number)
    expected = gcc.observe(gcc.compile_c(program.sound, tmp_path, "-w"))
    assert [*surprises(number, program, expected)] == []


@needs_gcc
@pytest.mark.parametrize(
    "number", sample([n for n in range(examples(10 * len(KINDS))) if KINDS[n % len(KINDS)] not in _UNSEEN], 2)
)
def test_the_sanitizers_find_the_same_faults(number: int, tmp_path: Path) -> None:
    program = planted(number, SMALL)
    line, _ = program.place
    for text, is_faulty in ((program.sound, False), (program.faulty, True)):
        executable = gcc.compile_c(text, tmp_path, *_SANITIZERS)
        ended = subprocess.run([executable], capture_output=True, text=True, env=_OPTIONS)
        found = re.search(rf"program\.c:{line}\b", ended.stderr) or "pc 0x000000000000" in ended.stderr
        assert bool(found) == is_faulty, ended.stderr
