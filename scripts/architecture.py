#!/usr/bin/env python3
"""Usage: scripts/architecture.py [--write]

Prints the architecture of the package, read from its imports: a Mermaid diagram of the rooms, that is, the packages and
modules directly in ``cpsconv/``, and tables of the purposes of the rooms and of their parts. With ``--write``, updates
them in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "cpsconv"
PAGE = ROOT / "CONTRIBUTING.md"
START, END = "<!-- scripts/architecture.py -->\n", "<!-- end -->\n"


@cache
def modules() -> dict[str, Path]:
    """All modules of the package by their names; a package has the name of its folder."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imported(path: Path, types: bool = True) -> set[str]:
    """The full names that a module imports, also inside functions; without `types`, at run time only."""
    return {name for name, only_types in contents(path).imports if types or not only_types}


class Contents(NamedTuple):
    """The parts of a module: its docstring, the full names that it imports, and the numbers of lines of its functions.

    Each name is marked as imported for type checkers only, or not.
    """

    docstring: str
    imports: list[tuple[str, bool]]
    functions: list[int]


@cache
def contents(path: Path) -> Contents:
    """The parts of a module, also those in its functions and classes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = Contents(ast.get_docstring(tree) or "", [], [])
    for statement in tree.body:
        only_types = isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
        for node in _statements(statement):
            if isinstance(node, ast.FunctionDef):
                found.functions.append((node.end_lineno or 0) - node.lineno + 1)
            elif isinstance(node, ast.Import):
                found.imports.extend((alias.name, only_types) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: a relative import"
                found.imports.extend((f"{node.module}.{alias.name}", only_types) for alias in node.names)
    return found


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """A node with all statements in it, in functions and classes, too, but without their expressions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield from _statements(child)


UPWARD = {
    "cpsconv.core.ir": {"cpsconv.core.text"},
    "cpsconv.core.construction.builder": {"cpsconv.core.construction.checked"},
    "cpsconv.languages.c.library.generate": {"cpsconv.pipeline"},
}
"""The late imports against the direction: `print(program)` prints text, `Builder` creates its subclass, and the process
that converts C's library runs the pipeline."""


def imported_modules(path: Path, known: dict[str, Path], types: bool = True) -> set[str]:
    """The modules of the package that a module imports, or imports names from, without those of `UPWARD`."""
    names = (name if name in known else name.rpartition(".")[0] for name in imported(path, types))
    module = next(name for name, each in known.items() if each == path)
    return {name for name in names if name in known} - UPWARD.get(module, set())


CORE = (
    *("source", "progress", "generated", "trampoline", "nodes", "grammar", "floating"),
    *("attributes", "ir", "layout", "operations", "entry", "arguments", "erasure", "analysis", "simplify"),
    *("construction", "evaluator", "transform", "check", "text", "json"),
)
"""The parts of the core in the order of their imports: each imports only parts before it."""


def room_of(module: str) -> str:
    """The room of a module; the package itself, which exports names of all rooms, is the room ``""``."""
    return module.split(".")[1] if "." in module else ""


def part_of(module: str) -> str:
    """The part of its room that a module belongs to: a package or module directly in the room, or ``""`` for itself."""
    return module.split(".")[2] if module.count(".") > 1 else ""


def rooms() -> dict[str, set[str]]:
    """The rooms that each room imports, without the package itself, from the lowest room to the highest."""
    return _in_order({module: room_of(module) for module in modules() if "." in module})


def parts(room: str) -> dict[str, set[str]]:
    """The parts of a room that each part imports, without the room itself, from the lowest part to the highest."""
    return _in_order({module: part_of(module) for module in modules() if room_of(module) == room and part_of(module)})


def _in_order(groups: dict[str, str]) -> dict[str, set[str]]:
    """The groups whose modules those of each group import; `groups` has the group of each module."""
    known = modules()
    found: dict[str, set[str]] = {group: set() for group in groups.values()}
    for module, group in groups.items():
        found[group] |= {groups.get(name, group) for name in imported_modules(known[module], known)} - {group}
    height: dict[str, int] = {}
    while len(height) < len(found):
        layer = [group for group in found if group not in height and found[group] <= height.keys()]
        assert layer, f"these import each other: {sorted(found.keys() - height.keys())}"
        height.update(dict.fromkeys(layer, max(height.values(), default=0) + 1))
    return {group: found[group] for group in sorted(found, key=lambda group: (height[group], group))}


def _purpose(module: str) -> str:
    """The first sentence of the module's docstring."""
    text = contents(modules()[f"cpsconv.{module}"]).docstring
    return re.split(r"(?<=\.)\s|\n\n", text, maxsplit=1)[0].replace("\n", " ")


def _table(head: str, purposes: dict[str, str]) -> list[str]:
    return ["", f"| {head} | purpose |", "|---|---|", *(f"| `{name}` | {text} |" for name, text in purposes.items())]


def picture() -> str:
    """The diagram, without edges that follow from others, and the tables."""
    below = rooms()
    reachable: dict[str, set[str]] = {}
    for room, others in below.items():
        reachable[room] = others.union(*(reachable[other] for other in others))
    lines = ["```mermaid", "flowchart TB"]
    for room in reversed(below):
        implied = {each for other in below[room] for each in reachable[other]}
        lines += [f"    {room} --> {other}" for other in below if other in below[room] - implied]
    lines += ["```", *_table("room", {room: _purpose(room) for room in reversed(below)})]
    for room in below:
        if ordered := [*CORE] if room == "core" else [*parts(room)]:
            lines += _table(f"part of `{room}`", {part: _purpose(f"{room}.{part}") for part in ordered})
    return "\n".join(lines) + "\n"


def updated(page: str) -> str:
    """The page with the current picture between its two marks."""
    head, _, rest = page.partition(START)
    return head + START + picture() + END + rest.partition(END)[2]


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(picture(), end="")
