"""The path through the code (docs/reading.md): its size, its page, and the exercises that change the code."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from scripts import reading
from scripts.architecture import ROOT, modules
from tests.method_solutions import SOLUTIONS, WRONG, Change

EXERCISES = Path("docs") / "course" / "exercises" / "method"


def test_the_method_can_be_read_in_an_afternoon() -> None:
    assert sum(reading.counted().values()) <= reading.MAX_LINES


def test_each_module_of_the_path_is_in_one_step() -> None:
    listed = [reading.full(module) for step in reading.STEPS.values() for module in step]
    assert sorted(listed) == sorted(reading.counted())


def test_the_modules_taken_as_given_exist_and_are_used() -> None:
    listed = [reading.full(module) for names in reading.GIVEN.values() for module in names]
    assert modules().keys() >= {*listed} and reading.loaded() >= {*listed}


def test_the_page_has_the_current_numbers_of_lines() -> None:
    page = reading.PAGE.read_text(encoding="utf-8")
    assert reading.updated(page) == page, "run scripts/reading.py --write"
    (claimed,) = re.findall(r"at most ([\d,]+) lines", page)
    assert int(claimed.replace(",", "")) == reading.MAX_LINES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ('"""A docstring\n\nof three lines."""\n', 0),
        ("import a\nfrom b import (\n    c,\n)\n", 0),
        ("x = 1\n\n# a comment\ny = (\n    2\n)  # another\n", 4),
        ('def f():\n    """A docstring."""\n    return """two\nlines"""\n', 3),
    ],
)
def test_lines_of_code_are_those_without_blank_lines_comments_docstrings_and_imports(text: str, expected: int) -> None:
    assert reading.code_lines(text) == expected


# ---------------------------------------------------------------------------------------------------------- exercises


def is_accepted(folder: Path, exercise: str) -> bool:
    """Whether the tests of the exercise accept the code in the folder, which a fork of this process loads anew."""
    child = os.fork()
    if child == 0:
        status = 2
        try:
            os.chdir(folder)
            sys.path.insert(0, str(folder))
            for name in [name for name in sys.modules if name.partition(".")[0] == "cpsconv"]:
                del sys.modules[name]
            os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
            without = ("cacheprovider", "unraisableexception", "threadexception")
            options = ["-qx", "--tb=native", "--assert=plain", *(f"-pno:{name}" for name in without)]
            options += [f"--rootdir={folder}", f"--confcutdir={folder}", "-c", "/dev/null"]
            status = pytest.main([*options, str(EXERCISES / f"{exercise}.py")])
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 1)
    return status == 0


_times = itertools.count(1)


def write(path: Path, text: str) -> None:
    """Write a file with a time of its own, so that no bytecode seems to be that of the text."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (time := next(_times), time))


def change(folder: Path, changes: list[Change]) -> None:
    for file, old, new in changes:
        path = folder / file
        text = path.read_text(encoding="utf-8") if old else ""
        assert not old or text.count(old) == 1, (file, old)
        write(path, text.replace(old, new) if old else new)


def test_every_exercise_has_a_solution_and_is_in_the_lesson() -> None:
    text = (ROOT / "docs" / "course" / "7-the-code.md").read_text(encoding="utf-8")
    names = sorted(path.stem for path in (ROOT / EXERCISES).glob("*.py"))
    assert names == sorted(SOLUTIONS) == sorted(WRONG)
    assert all(f"exercises/method/{name}.py" in text for name in names)


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_the_code_without_a_solution_is_rejected(exercise: str) -> None:
    assert not is_accepted(ROOT, exercise)


def test_solutions_are_accepted_together_and_wrong_ones_are_rejected(tmp_path: Path) -> None:
    for folder in ("cpsconv", "grammars", EXERCISES):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for exercise, changes in SOLUTIONS.items():
        change(tmp_path, changes)
        assert is_accepted(tmp_path, exercise), exercise
    for exercise, wrong in [(exercise, wrong) for exercise, all in WRONG.items() for wrong in all]:
        kept = (tmp_path / wrong.file).read_text(encoding="utf-8")
        change(tmp_path, [wrong])
        assert not is_accepted(tmp_path, exercise), wrong
        write(tmp_path / wrong.file, kept)
