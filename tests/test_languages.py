"""Every program of every language but C does what its notes state, with all options (see `testing.language_programs`).

A new language adds a row to `LANGUAGES` of the package and programs, and has all these tests.
"""

from __future__ import annotations

import io
import random
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cpsconv import Program, Source, convert, pretty
from cpsconv.cli import main
from cpsconv.core.check import check
from cpsconv.core.entry import entry_of
from cpsconv.core.erasure import erased
from cpsconv.core.json import from_json, to_json
from cpsconv.core.operations.queries import accesses_memory
from cpsconv.core.source import DiagnosticError
from cpsconv.languages import CPS, LANGUAGES
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.c import c
from cpsconv.targets.llvm import llvm
from testing import functional_targets, gcc, native
from testing.effort import each_in_turn, examples, sample
from testing.engines import ENGINE_NAMES, HAS_NATIVE
from testing.expectations import Observation
from testing.isomorphism import same_program
from testing.language_programs import PROGRAMS, LanguageProgram
from testing.running import LAYOUTS, STRATEGIES, observe, reread

every_program = pytest.mark.parametrize("program", PROGRAMS, ids=str)


def test_every_language_has_programs() -> None:
    foreign = {"llvm", "javascript"}  # whose programs are tested elsewhere
    assert {program.language for program in PROGRAMS} == LANGUAGES.keys() - {"c", CPS} - foreign


@every_program
def test_a_program_says_what_it_is_and_why_it_is_there(program: LanguageProgram) -> None:
    assert program.notes[0].endswith(".")
    assert any(note.startswith("why: ") for note in program.notes[:3])


@each_in_turn(
    program=PROGRAMS,
    strategy=STRATEGIES,
    minimal=(True, False),
    layout=(None, *LAYOUTS),
    optimise=(False, True),
    threaded=(False, True),
    engine=ENGINE_NAMES,
    memory=(None, "one", "objects"),
)
def test_a_program_does_what_its_notes_state(
    program: LanguageProgram,
    strategy: str,
    minimal: bool,
    layout: Any,
    optimise: bool,
    threaded: bool,
    engine: str,
    memory: str | None,
) -> None:
    given = {"minimal": minimal, "optimise": OPTIMISATIONS if optimise else (), "explicit_memory": memory}
    converted = program.converted(strategy, **given, thread_jumps=threaded and memory is None)
    if layout:
        converted = reread(converted, layout)
    converted = erased(converted)
    for run in program.runs:
        arguments = program.arguments(run, entry_of(converted))
        if f"engine-{engine}" in program.refused:
            with pytest.raises(DiagnosticError, match="not expressible"):
                observe(converted, arguments, engine=engine)
        else:
            assert observe(converted, arguments, engine=engine) == run.expected


@every_program
def test_a_conversion_is_certified_with_every_strategy(program: LanguageProgram) -> None:
    counts = set()
    for strategy in STRATEGIES:
        converted = program.converted(strategy, certify=True)
        assert check(converted) == []
        counts.add(sum(len(each.parameters) for function in converted.functions for each in function.continuations))
    assert len(counts) == 1


@every_program
def test_a_program_is_read_back_from_ascii_and_json(program: LanguageProgram) -> None:
    converted = program.converted()
    assert pretty(reread(converted, ascii=True)) == pretty(converted)
    assert same_program(from_json(to_json(converted)), converted)


# ---------------------------------------------------------------------------------------------------------- targets

Runs = Sequence[tuple[Program, Sequence[str]]]


def _by_gcc(runs: Runs, folder: Path) -> list[Observation]:
    return gcc.observe_all([gcc.with_main(c(program), arguments) for program, arguments in runs], folder, "-w")


def _by_llvm(runs: Runs, _folder: Path) -> list[Observation]:
    if not HAS_NATIVE:
        for program, _ in runs:
            llvm(program)
        pytest.skip("llvmlite is not installed")
    return native.observe_all(runs)


TARGETS: dict[str, tuple[str, Callable[[Runs, Path], list[Observation]]]] = {
    "c": ("gcc", _by_gcc),
    "llvm": ("", _by_llvm),
    **{each.name: (each.command[0], each.observe_all) for each in functional_targets.LANGUAGES},
}
"""For each target, the command that it requires, and the function that runs programs as the target writes them."""


def _states_errors(target: str, program: Program) -> bool:
    """Whether the target states runtime errors: C none, LLVM IR none of memory."""
    statements = (each for function in program.functions for member in function.members() for each in member.body)
    return target != "c" and not (target == "llvm" and any(map(accesses_memory, statements)))


IN_TURN = {"c": 1, "llvm": 1, "python": 3}
"""By default, one program of so many runs, of seven in the other targets: at least one of each language."""


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_does_what_the_notes_state(target: str, tmp_path: Path) -> None:
    """What is special in a program, other targets show; and how a target writes operations, `test_emit_functional`."""
    command, observe_all = TARGETS[target]
    runs, expected = [], []
    chosen = sample(PROGRAMS, IN_TURN.get(target, 7))
    assert {program.language for program in chosen} == {program.language for program in PROGRAMS}
    for program in PROGRAMS:
        if program not in chosen and target not in program.refused:
            continue
        converted = erased(program.converted())
        for run in sample(program.runs, 3):
            arguments = program.arguments(run, entry_of(converted))
            if target in program.refused:
                with pytest.raises(DiagnosticError, match="not expressible"):
                    observe_all([(converted, arguments)], tmp_path)
            elif run.expected.status != "error" or _states_errors(target, converted):
                runs.append((converted, arguments))
                expected.append((str(program), run.expected))
    if command and not shutil.which(command):
        pytest.skip(f"{command} is not installed")
    found = observe_all(runs, tmp_path)
    assert [(name, each) for (name, _), each in zip(expected, found, strict=True)] == expected


# --------------------------------------------------------------------------------------------------------- commands

COMMANDS = ["convert", "check", "compare --repeat 1", "why", "explain", "graph", "link", "explain --html -"]
COMMANDS += [
    "explain --strategy paper",
    "convert --emit ssa",
    "convert --emit latex",
    "convert --certify --thread-jumps",
    "convert -O --explicit-memory=objects",
]


@every_program
def test_every_command_accepts_the_program(program: LanguageProgram, capsys: pytest.CaptureFixture[str]) -> None:
    for command in sample(COMMANDS, 9, PROGRAMS.index(program) % 9):
        name, *options = command.split()
        assert main([name, str(program.path), *options]) == 0
        assert capsys.readouterr().out


@every_program
def test_a_walk_through_a_run_starts(program: LanguageProgram, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["step", str(program.path), *program.runs[0].arguments]) == 0
    assert capsys.readouterr().out


# ---------------------------------------------------------------------------------------------------------- mutants


@every_program
def test_mutants_end_in_diagnostics_or_in_a_program(program: LanguageProgram) -> None:
    dice = random.Random(program.path.stem)
    for _ in range(examples(30)):
        text = mutated(dice, program.source.text)
        with suppress(DiagnosticError):
            converted = convert(Source(program.source.name, text), certify=True)
            assert check(converted) == []


_PARTS = re.compile(r"\w+|\s+|[^\w\s]+")
_ODD = [*"0x(){};:/-'\"é\0\n\ud7ff", "99999999999999999999", ":="]


def mutated(dice: random.Random, text: str) -> str:
    """The text with some words or characters deleted, repeated, moved or replaced."""
    for _ in range(dice.choice([1, 1, 2, 4])):
        parts = _PARTS.findall(text) if dice.random() < 0.8 else [*text]
        start = dice.randrange(len(parts) or 1)
        end = start + dice.choice([0, 1, 1, 2, 5])
        other = dice.randrange(len(parts) or 1)
        new = dice.choice([[], parts[other : other + 1], parts[other : other + 4], [dice.choice(_ODD)]])
        text = "".join([*parts[:start], *new, *parts[end:]])
    return text
