"""Every program in `examples/` and `tests/corpus/` does what its comments say: by gcc, and by us with all options."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpsconv import Program
from cpsconv.core.check import check
from cpsconv.core.check.parameters import is_minimal, is_pruned
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.pipeline import OPTIMISATIONS
from testing import gcc
from testing.effort import each_in_turn, sample
from testing.expectations import CORPUS, EXAMPLES, expected_runs
from testing.gcc import needs_gcc, with_main
from testing.running import LAYOUTS, STRATEGIES, Layout, converted, observe, reread

PROGRAMS = EXAMPLES + CORPUS

_CLEAN = ["-Wall", "-Wextra", "-Werror", "-Wno-implicit-fallthrough", "-Wno-unused-label"]


def test_a_program_says_what_it_is_why_it_is_there_and_what_to_expect() -> None:
    for path in PROGRAMS:
        lines = path.read_text().splitlines()
        assert lines[0].startswith("// ") and lines[0].endswith("."), path
        assert any(line.startswith("// why: ") for line in lines[:3]), path
        assert expected_runs(path.read_text()), path


@needs_gcc
@pytest.mark.parametrize("programs", [EXAMPLES, CORPUS], ids=["examples", "corpus"])
def test_a_program_expects_the_result_of_gcc(programs: list[Path], tmp_path: Path) -> None:
    """By default each fourth program: gcc's judgment of a program changes with the program alone."""
    runs = [(path, run) for path in sample(programs, 4) for run in expected_runs(path.read_text())]
    texts = [with_main(path.read_text(), run.arguments) for path, run in runs]
    found = gcc.observe_all(texts, tmp_path, *(_CLEAN if programs is EXAMPLES else ["-w"]))
    assert [(path.stem, each) for (path, _), each in zip(runs, found, strict=True)] == [
        (path.stem, run.expected) for path, run in runs
    ]


def behaves_as_expected(program: Program, text: str) -> None:
    for run in expected_runs(text):
        assert observe(program, run.arguments) == run.expected


@each_in_turn(
    path=PROGRAMS, strategy=[*CONSTRUCTIONS], minimal=(True, False), layout=(None, *LAYOUTS), ascii=(False, True)
)
def test_a_program_is_certified_and_does_what_it_expects(
    path: Path, strategy: str, minimal: bool, layout: Layout | None, ascii: bool
) -> None:
    """By one construction; the second checker accepts each sixth program by another one, in `test_record`."""
    text = path.read_text()
    program = converted(text, strategy, minimal=minimal, certify=True)
    behaves_as_expected(reread(program, layout, ascii=ascii) if layout else program, text)


ALONE = [[name] for name in OPTIMISATIONS]
ALL_BUT_ONE = [[other for other in OPTIMISATIONS if other != name] for name in OPTIMISATIONS]
PASSES = [
    *((each, True, False) for each in ([*OPTIMISATIONS], *ALONE, *ALL_BUT_ONE, ["memory", "dead"])),
    *(([*OPTIMISATIONS], False, each) for each in (False, True)),
    *(([*OPTIMISATIONS], True, True), ([], True, True), ([], False, True)),
]
"""Optimisations, whether the program is minimised, and whether its jumps are threaded."""


@each_in_turn(path=sample(PROGRAMS, 4, 1), strategy=STRATEGIES, passes=PASSES)
def test_an_optimised_program_does_what_it_expects(
    path: Path, strategy: str, passes: tuple[list[str], bool, bool]
) -> None:
    """By default each fourth program; the engines run each fourth one, too, in `test_small_evaluator`."""
    text = path.read_text()
    optimise, minimal, thread_jumps = passes
    program = converted(text, strategy, minimal=minimal, optimise=optimise, thread_jumps=thread_jumps)
    assert not check(program)
    assert optimise or not [*is_pruned(program), *is_minimal(program)]  # after jumps are threaded
    behaves_as_expected(program, text)
