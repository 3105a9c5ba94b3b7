"""The programs of all languages but C, with their expectations: `tests/corpus/LANGUAGE/` and `examples/`.

The comments at the top of a program state what it is, why it is there, and its runs, as in `testing.expectations`:

    # The greatest common divisor.
    # why: a loop with two branches
    # run: 48 36              the arguments of a run
    # expect: 12              a line that the run prints
    # status: error           the exit status where it is not 0
    # refused: c, engine-llvm targets and engines that refuse the program with a diagnostic

Comments begin with ``//``, ``#``, ``--`` or ``(*``. A program in a language without comments, such as JSON, has its
notes in a file of its own: those of ``NAME.json`` are in ``NAME.json.notes``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cpsconv import Program, Source, convert
from cpsconv.core.arguments import ordered_arguments
from cpsconv.core.ir import Function
from cpsconv.languages import CPS, LANGUAGES, arguments_of, language_of
from testing.expectations import ROOT, Run, expected_runs

_COMMENT = re.compile(r"(?://|#|--|\(\*) ?(.*?)(?: ?\*\))?")


@dataclass(frozen=True)
class LanguageProgram:
    """A program in a file, with its notes."""

    path: Path

    def __str__(self) -> str:
        return f"{self.language}:{self.path.stem}"

    @property
    def language(self) -> str:
        """The language that the suffix denotes."""
        return language_of(str(self.path)) or ""

    @cached_property
    def source(self) -> Source:
        """The source, which has the path of the file, because it may import its neighbours."""
        return Source(str(self.path), self.path.read_text(encoding="utf-8"))

    @cached_property
    def notes(self) -> list[str]:
        """The comments at the top of the program."""
        separate = self.path.with_name(f"{self.path.name}.notes")
        text = separate.read_text(encoding="utf-8") if separate.exists() else self.source.text
        found = []
        for line in text.splitlines():
            comment = _COMMENT.fullmatch(line)
            if not comment:
                break
            found.append(comment[1])
        return found

    @property
    def runs(self) -> list[Run]:
        """The runs that the notes announce."""
        return expected_runs("".join(f"// {note}\n" for note in self.notes))

    @property
    def refused(self) -> set[str]:
        """The targets that refuse the program, and the engines after ``engine-``."""
        return {
            name
            for note in self.notes
            if note.startswith("refused: ")
            for name in note.removeprefix("refused: ").split(", ")
        }

    def arguments(self, run: Run, function: Function) -> list[str]:
        """The arguments of a run, one for each parameter of the function to start, in the form of
        `cpsconv.core.arguments`.
        """
        return ordered_arguments(function, arguments_of(self.language, function, run.arguments))

    def converted(self, strategy: str = "scc", **given: Any) -> Program:
        """The program, converted; what is `given` is for `convert`."""
        return convert(self.source, strategy=strategy, **given)


def _programs() -> list[LanguageProgram]:
    suffixes = {suffix for name, row in LANGUAGES.items() if name not in ("c", CPS) for suffix in row.suffixes}
    paths = [*(ROOT / "tests" / "corpus").glob("*/*"), *(ROOT / "examples").glob("*")]
    return [LanguageProgram(path) for path in sorted(paths) if path.suffix in suffixes and not _is_import(path)]


def _is_import(path: Path) -> bool:
    """Whether the file is only imported by others: those are in a folder, or announce no run."""
    return path.is_dir() or not LanguageProgram(path).runs


PROGRAMS = _programs()
