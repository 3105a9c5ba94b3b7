"""Every program in `examples/` and `tests/corpus/` does what its comments say: by gcc, and by us with all options."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing import gcc
from testing.effort import each_pair
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
def test_what_a_program_expects_is_what_gcc_makes_of_it(programs: list[Path], tmp_path: Path) -> None:
    runs = [(path, run) for path in programs for run in expected_runs(path.read_text())]
    texts = [with_main(path.read_text(), run.arguments) for path, run in runs]
    found = gcc.observe_all(texts, tmp_path, *(_CLEAN if programs is EXAMPLES else ["-w"]))
    assert [(path.stem, each) for (path, _), each in zip(runs, found, strict=True)] == [
        (path.stem, run.expected) for path, run in runs
    ]


@each_pair(path=PROGRAMS, strategy=STRATEGIES, minimal=(True, False), layout=(None, *LAYOUTS), ascii=(False, True))
def test_a_program_does_what_it_expects(
    path: Path, strategy: str, minimal: bool, layout: Layout | None, ascii: bool
) -> None:
    text = path.read_text()
    program = converted(text, strategy, minimal=minimal)
    if layout:
        program = reread(program, layout, ascii=ascii)
    for run in expected_runs(text):
        assert observe(program, run.arguments) == run.expected
