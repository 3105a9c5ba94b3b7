"""The programs that construction is measured on."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.shapes import SHAPES, Shape
from cpsconv import Builder, Source
from cpsconv.core.ir import Function
from cpsconv.core.source import read_source
from cpsconv.languages import Lowering, read
from cpsconv.languages.c.lowering import lower
from cpsconv.languages.c.meaning import typed
from cpsconv.languages.c.syntax import parse
from cpsconv.languages.ours import keeping
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
    """Parsed sources to construct programs from."""

    name: str
    units: list[Lowering]

    def blocks(self) -> int:
        """The number of blocks that the Builder creates for the units."""
        counting = _Counting()
        for unit in self.units:
            unit(counting, [])
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
    """A subject by its name.

    It is ``corpus`` (with the examples), ``random 100`` programs, ``ladder 1000``, or the path of a folder with modules
    of LLVM IR, as bitcode.
    """
    modules = sorted(Path(name).glob("*.bc"))
    with keeping("llvm"):
        of_modules = [read("llvm", read_source(str(path))) for path in modules]
    of_c = [partial(lower, typed(parse(Source("program.c", text)))) for text in ([] if modules else _texts(name))]
    return Subject(name, [*of_modules, *of_c])


def subjects(text: str) -> list[str]:
    """The type of a command-line argument: the names of subjects, with commas between them."""
    found = [name.strip() for name in text.split(",")] if text else []
    for name in found:
        kind, _, number = name.partition(" ")
        if "/" in kind:
            continue
        if kind not in ("corpus", "random", *GROWING) or (kind == "corpus") == number.isdecimal():
            kinds = ", ".join(f"`{each} N`" for each in ("random", *GROWING))
            raise ArgumentTypeError(f"there is no subject {name!r}; there are `corpus`, {kinds}, folders (with `/`)")
    return found


def _texts(name: str) -> list[str]:
    kind, _, number = name.partition(" ")
    if kind == "corpus":
        return [path.read_text(encoding="utf-8") for path in (*EXAMPLES, *CORPUS)]
    if kind == "random":
        return [random_program(seed) for seed in range(int(number))]
    return [GROWING[kind](int(number))]
