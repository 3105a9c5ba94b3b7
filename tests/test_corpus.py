"""Every program in `examples/` and `tests/corpus/` does what its comments say: by gcc, and by us in every manner."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpsconv import Program, pretty
from tests import gcc
from tests.expectations import CORPUS, EXAMPLES, expected_runs
from tests.gcc import compile_c, needs_gcc, with_main
from tests.running import LAYOUTS, STRATEGIES, converted, observe, reread

PROGRAMS = EXAMPLES + CORPUS
every_program = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)

_CLEAN = ["-Wall", "-Wextra", "-Werror", "-Wno-implicit-fallthrough", "-Wno-unused-label"]


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
    for run in expected_runs(text):
        program = compile_c(with_main(text, run.arguments), tmp_path, *(_CLEAN if path in EXAMPLES else ["-w"]))
        assert gcc.observe(program) == run.expected


@every_strategy
@every_program
def test_a_program_does_what_it_expects(path: Path, strategy: str) -> None:
    text = path.read_text()
    for minimal in (True, False):
        program = converted(text, strategy, minimal=minimal)
        for run in expected_runs(text):
            assert observe(program, run.arguments) == run.expected


@every_strategy
@every_program
def test_a_program_does_the_same_after_it_was_printed_and_parsed_back(path: Path, strategy: str) -> None:
    text = path.read_text()
    program = converted(text, strategy)
    for layout in LAYOUTS:
        again = reread(program, layout)
        for run in expected_runs(text):
            assert observe(again, run.arguments) == run.expected


@every_program
def test_text_in_ascii_means_the_same(path: Path) -> None:
    program = converted(path.read_text(), "scc")
    assert pretty(reread(program, ascii=True)) == pretty(program)


@every_program
def test_after_minimisation_the_strategies_do_not_differ_in_the_number_of_parameters(path: Path) -> None:
    counts = {strategy: _parameters(converted(path.read_text(), strategy)) for strategy in STRATEGIES}
    assert counts == dict.fromkeys(STRATEGIES, counts["scc"])


def _parameters(program: Program) -> int:
    return sum(len(member.parameters) for function in program.functions for member in function.members())
