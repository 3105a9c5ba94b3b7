"""The programs that construction is measured on."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.shapes import SHAPES, Shape
from cpsconv import Builder, Source
from cpsconv.core.ir import Function
from cpsconv.languages.c.lowering import lower
from cpsconv.languages.c.meaning import typed
from cpsconv.languages.c.meaning.typed_tree import Unit
from cpsconv.languages.c.syntax import parse
from testing.c_programs import random_program
from testing.expectations import CORPUS, EXAMPLES


def ladder(n: int) -> str:
    """`n` empty statements ``if`` in a row: two continuations for each, and one variable, which never changes."""
    return f"int f(int x) {{\n{'    if (x) {}' * n}\n    return x;\n}}\n"


def late_reads(n: int) -> str:
    """`n` variables, of which nothing is heard on a ladder of `n` ifs, and that are all read at its end."""
    declared = "\n".join(f"    int v{i} = x + {i};" for i in range(n))
    added = "\n".join(f"    x = x + v{i};" for i in range(n))
    return f"int f(int x) {{\n{declared}\n{'    if (x) { x = x + 1; }' * n}\n{added}\n    return x;\n}}\n"


GROWING: dict[str, Shape] = {
    "ladder": ladder,
    **{name: SHAPES[name] for name in ("ifs", "nested_loops", "mesh", "cases", "straight", "variables")},
    "late_reads": late_reads,
}
"""Programs of any size, by what they are large in."""


@dataclass(frozen=True)
class Subject:
    """Typed trees to construct programs from."""

    name: str
    units: list[Unit]

    def blocks(self) -> int:
        """How many blocks the Builder makes of them."""
        counting = _Counting()
        for unit in self.units:
            lower(unit, counting, [])
            counting = _Counting(counting.blocks)
        return counting.blocks


class _Counting(Builder):
    def __init__(self, blocks: int = 0) -> None:
        super().__init__()
        self.blocks = blocks

    def finish(self) -> Function:
        self.blocks += len(self._blocks)
        return super().finish()


def subject(name: str) -> Subject:
    """A subject by its name: ``corpus`` (with the examples), ``random 100`` programs, or ``ladder 1000``."""
    return Subject(name, [typed(parse(Source("program.c", text))) for text in _texts(name)])


def subjects(text: str) -> list[str]:
    """The type of a command-line argument: the names of subjects, with commas between them."""
    found = [name.strip() for name in text.split(",")] if text else []
    for name in found:
        kind, _, number = name.partition(" ")
        if kind not in ("corpus", "random", *GROWING) or (kind == "corpus") == number.isdecimal():
            kinds = ", ".join(f"`{each} N`" for each in ("random", *GROWING))
            raise ArgumentTypeError(f"there is no subject {name!r}; there are `corpus`, {kinds}")
    return found


def _texts(name: str) -> list[str]:
    kind, _, number = name.partition(" ")
    if kind == "corpus":
        return [path.read_text(encoding="utf-8") for path in (*EXAMPLES, *CORPUS)]
    if kind == "random":
        return [random_program(seed) for seed in range(int(number))]
    return [GROWING[kind](int(number))]
