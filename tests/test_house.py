"""The house: which room may import from which, and what an import costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "cpsconv"

FOUNDATIONS = {
    "source",
    "ir",
    "primitives",
    "record",
    "grammar",
    "lazy",
    "progress",
    "faults",
    "operations",
    "spelling",
    "formats",
    "as_json",
}
MAY_IMPORT: dict[str, set[str]] = {
    "source": set(),
    "grammar": set(),
    "lazy": set(),
    "progress": set(),
    "spelling": set(),
    "ir": {"source"},
    "formats": {"ir"},
    "as_json": {"ir"},
    "record": {"source", "ir"},
    "primitives": {"ir"},
    "faults": {"source", "ir"},
    "operations": {"ir", "primitives", "faults"},
    "analysis": FOUNDATIONS,
    "simplify": FOUNDATIONS | {"analysis"},
    "build": FOUNDATIONS | {"analysis", "simplify"},
    "frontends": FOUNDATIONS | {"analysis", "build"},
    "transform": FOUNDATIONS | {"analysis", "build"},
    "check": FOUNDATIONS | {"analysis"},
    "text": FOUNDATIONS | {"analysis"},
    "evaluate": FOUNDATIONS | {"analysis", "text"},
    "explain": FOUNDATIONS | {"analysis", "build", "text"},
    "emit": FOUNDATIONS | {"analysis", "text", "evaluate"},
    "engines": FOUNDATIONS | {"analysis", "text", "evaluate", "emit"},
    "page": FOUNDATIONS | {"analysis", "build", "text", "explain", "emit"},
    "convert": FOUNDATIONS | {"build", "frontends", "simplify", "transform", "check", "text"},
    "compare": FOUNDATIONS | {"build", "frontends", "transform", "convert"},
    "agreement": FOUNDATIONS | {"analysis", "evaluate", "transform"},
    "cli": FOUNDATIONS
    | {
        "",
        "agreement",
        "build",
        "compare",
        "frontends",
        "convert",
        "check",
        "text",
        "evaluate",
        "emit",
        "engines",
        "explain",
        "page",
    },
    "notebook": FOUNDATIONS | {"build", "convert", "text", "evaluate", "emit", "explain", "cli"},
    "__main__": {"cli"},
}
"""Every room, with those that it may import from. The package itself, "", is what a library user sees."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The full names of what a module imports, also inside functions and under conditions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_imported(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else ""


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_imports_against_the_direction_of_the_house(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        return  # what a library user sees, from everywhere
    rooms = {room_imported(name) for name in imported(path) if name.split(".")[0] == "cpsconv"}
    assert rooms - {room} <= MAY_IMPORT[room]


def test_what_is_near_to_a_name_is_found_in_one_place() -> None:
    assert [path.name for path in modules() if "difflib.get_close_matches" in imported(path)] == ["spelling.py"]


@pytest.mark.parametrize("name", ["ast.py", "grammars.py"])
def test_no_module_has_a_name_that_collides(name: str) -> None:
    assert not [path for path in ROOT.rglob(name) if ".venv" not in path.parts]


def run_apart(code: str) -> None:
    """In a process of its own, where nothing has been imported. It must end well."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import cpsconv",
        "from cpsconv.cli import main; main(['--help'])",
        "from cpsconv.cli import main; main(['--version'])",
        "from cpsconv.cli import main; main(['convert', '--help'])",
        "from cpsconv.cli import main; main(['run', '--nonsense'])",
        "from cpsconv.cli import main; main(['convert', 'examples/fig8.c'])",
        "from cpsconv.cli import main; main(['run', 'examples/gcd.c'])",
    ],
)
def test_what_needs_neither_lark_nor_layout_does_not_load_them(code: str) -> None:
    code += "; import sys; assert not {'lark', 'prettyprinter'} & sys.modules.keys()"
    run_apart(code)


def test_converting_does_not_load_what_runs_programs() -> None:
    code = "from cpsconv.cli import main; main(['convert', 'examples/fig8.c'])"
    code += "; import sys; assert not {'cpsconv.evaluate', 'cpsconv.engines'} & sys.modules.keys()"
    run_apart(code)


def test_every_public_name_of_the_package_is_there() -> None:
    import cpsconv

    for name in cpsconv.__all__:
        assert getattr(cpsconv, name) is not None
    with pytest.raises(AttributeError, match="module 'cpsconv' has no attribute 'nonsense'"):
        cpsconv.nonsense  # noqa: B018


def test_functions_that_share_a_name_with_their_module_are_the_functions() -> None:
    """`import cpsconv.evaluate` must not put the module in the place of the function."""
    code = "import cpsconv, cpsconv.evaluate, cpsconv.convert; assert callable(cpsconv.evaluate), cpsconv.evaluate"
    code += "; assert callable(cpsconv.convert), cpsconv.convert"
    run_apart(code)
