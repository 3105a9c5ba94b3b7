"""What the programs in `examples/` and `tests/corpus/` say about themselves in the comments at their tops.

A program begins with a line on what it is and one on why it is there. Then come its runs:

    // run: 48 36        the arguments of a run; a program with `main` has one run and no such line
    // expect: 12        a line that the run prints; for a function that is not `main`, its value is printed
    // status: 3         the exit status where it is not 0; `abort` for `abort()`, `error` for a runtime error
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Literal, Union

Status = Union[int, Literal["abort", "error"]]

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.c"))
CORPUS = sorted((ROOT / "tests" / "corpus").glob("*.c"))


@dataclass(frozen=True)
class Observation:
    """What a run shows to the outside."""

    output: str
    status: Status = 0


@dataclass(frozen=True)
class Run:
    """Arguments, and what is expected of a run with them."""

    arguments: tuple[str, ...]
    expected: Observation


_NOTE = re.compile(r"// (run|expect|status):(?: (.*))?")


def expected_runs(text: str) -> list[Run]:
    """The runs that the comments at the top of a program announce."""
    runs: list[tuple[tuple[str, ...], list[str], list[str]]] = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if note := _NOTE.fullmatch(line):
            kind, content = note[1], note[2] or ""
            if kind == "run" or not runs:
                runs.append((tuple(content.split()) if kind == "run" else (), [], []))
            if kind == "expect":
                runs[-1][1].append(content + "\n")
            if kind == "status":
                runs[-1][2].append(content)
    return [Run(arguments, Observation("".join(lines), _status(given))) for arguments, lines, given in runs]


def _status(given: list[str]) -> Status:
    if not given:
        return 0
    word = given[-1]
    return word if word in ("abort", "error") else int(word)  # type: ignore[return-value]


def documented(module: str) -> str:
    """The first example in the docstring of a module."""
    found = re.search(r"^::\n\n((?: +.*\n|\n(?= ))+)", import_module(module).__doc__ or "", re.MULTILINE)
    assert found
    return dedent(found[1])


def standard_input(text: str) -> bytes:
    """What a program of `tests/c_library/` reads, from its lines ``// input: …``."""
    return "".join(re.findall("^// input: (.*)$", text, re.MULTILINE)).replace("\\n", "\n").encode()


def has_main(text: str) -> bool:
    """Whether the program defines `main`."""
    return re.search(r"\bint\b.*\bmain\(", text) is not None


FIGURE_8 = """\
f(x : int, ret : int → ⊥) → ⊥ {
  let
    then := () → ⊥
      next(23)
    else := () → ⊥
      next(42)
    next := (a : int) → ⊥
      ret(a)
  in
  branch(x == 0, then, else)
}
"""
"""The CPS text of `examples/fig8.c`, as Figure 8 of the paper shows the program."""

ENTERED_TWICE = """
twice(k : (int, int → ⊥) → ⊥, ret : int → ⊥) → ⊥ {
  let
    first := (a : int) → ⊥
      let
        second := (b : int) → ⊥
          ret(a * 100 + b)
      in
      k(2, second)
  in
  k(1, first)
}
main(ret : int → ⊥) → ⊥ {
  let
    k := (x : int, back : int → ⊥) → ⊥
      back(x + 10)
  in
  twice(k, ret)
}
"""
"""CPS text of a program that enters one closure, of `k`, twice. It returns 1112."""
