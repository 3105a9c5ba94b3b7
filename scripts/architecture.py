#!/usr/bin/env python3
"""Usage: scripts/architecture.py [--write]

Prints the architecture of the package, read from its imports: a Mermaid diagram of the rooms, that is, the packages and
modules directly in ``cpsconv/``, and a table of their purposes. With ``--write``, updates both in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "cpsconv"
PAGE = ROOT / "CONTRIBUTING.md"
START, END = "<!-- scripts/architecture.py -->\n", "<!-- end -->\n"


def modules() -> dict[str, Path]:
    """All modules of the package by their names; a package has the name of its folder."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imported(path: Path, types: bool = True) -> set[str]:
    """The full names that a module imports, also inside functions; without `types`, at run time only."""
    return {name for name, only_types in _imports(path) if types or not only_types}


@cache
def _imports(path: Path) -> list[tuple[str, bool]]:
    """The full names that a module imports, each with whether it is imported for type checkers only."""
    found: list[tuple[str, bool]] = []
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        only_types = isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                found += [(alias.name, only_types) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: a relative import"
                found += [(f"{node.module}.{alias.name}", only_types) for alias in node.names]
    return found


UPWARD = {"cpsconv.ir": {"cpsconv.text"}, "cpsconv.construction.builder": {"cpsconv.construction.checked"}}
"""The late imports against the direction: `print(program)` prints text, `Builder` creates its subclass."""


def imported_modules(path: Path, known: dict[str, Path], types: bool = True) -> set[str]:
    """The modules of the package that a module imports, or imports names from, without those of `UPWARD`."""
    names = (name if name in known else name.rpartition(".")[0] for name in imported(path, types))
    module = next(name for name, each in known.items() if each == path)
    return {name for name in names if name in known} - UPWARD.get(module, set())


def room_of(module: str) -> str:
    """The room of a module; the package itself, which exports names of all rooms, is the room ``""``."""
    return module.split(".")[1] if "." in module else ""


@cache
def rooms() -> dict[str, set[str]]:
    """The rooms that each room imports, without the package itself, from the lowest room to the highest."""
    known = modules()
    found: dict[str, set[str]] = {room_of(module): set() for module in known if "." in module}
    for module, path in known.items():
        if room := room_of(module):
            found[room] |= {room_of(name) for name in imported_modules(path, known)} - {room, ""}
    height: dict[str, int] = {}
    while len(height) < len(found):
        layer = [room for room in found if room not in height and found[room] <= height.keys()]
        assert layer, f"the rooms import each other: {sorted(found.keys() - height.keys())}"
        height.update(dict.fromkeys(layer, max(height.values(), default=0) + 1))
    return {room: found[room] for room in sorted(found, key=lambda room: (height[room], room))}


def _reachable(room: str) -> set[str]:
    return {room}.union(*map(_reachable, rooms()[room]))


def _purpose(room: str) -> str:
    """The first sentence of the room's docstring."""
    text = ast.get_docstring(ast.parse(modules()[f"cpsconv.{room}"].read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=\.)\s|\n\n", text, maxsplit=1)[0].replace("\n", " ")


def picture() -> str:
    """The diagram, without edges that follow from others, and the table."""
    lines = ["```mermaid", "flowchart TB"]
    for room, below in reversed(rooms().items()):
        implied = set().union(*(_reachable(other) - {other} for other in below))
        lines += [f"    {room} --> {other}" for other in rooms() if other in below - implied]
    lines += ["```", "", "| room | purpose |", "|---|---|"]
    lines += [f"| `{room}` | {_purpose(room)} |" for room in reversed(rooms())]
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
