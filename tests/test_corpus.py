"""Every program in `examples/` and `tests/corpus/` does what its comments say: by gcc, and by us in every manner."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.expectations import CORPUS, EXAMPLES, expected_runs
from tests.gcc import compile_c, needs_gcc, observe, with_main

PROGRAMS = EXAMPLES + CORPUS
every_program = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)


@every_program
def test_a_program_says_what_it_is_why_it_is_there_and_what_to_expect(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert lines[0].startswith("// ") and lines[0].endswith(".")
    assert any(line.startswith("// why: ") for line in lines[:3])
    assert expected_runs(path.read_text())


@needs_gcc
@every_program
def test_what_a_program_expects_is_what_gcc_makes_of_it(path: Path, tmp_path: Path) -> None:
    text = path.read_text()
    warnings = (
        ["-Wall", "-Wextra", "-Werror", "-Wno-implicit-fallthrough", "-Wno-unused-label"]
        if path in EXAMPLES
        else ["-w"]
    )
    for run in expected_runs(text):
        program = compile_c(with_main(text, run.arguments), tmp_path, *warnings)
        assert observe(program) == run.expected
