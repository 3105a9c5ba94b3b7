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

FOUNDATIONS = {"source", "grammar", "progress", "trampoline", "ir", "operations", "entry", "json"}
MAY_IMPORT: dict[str, set[str]] = {
    "source": set(),
    "grammar": set(),
    "progress": set(),
    "trampoline": set(),
    "ir": {"source"},
    "operations": {"source", "ir"},
    "entry": {"source", "ir", "operations"},
    "analysis": FOUNDATIONS,
    "simplify": FOUNDATIONS | {"analysis"},
    "construction": FOUNDATIONS | {"analysis", "simplify"},
    "frontends": FOUNDATIONS | {"analysis", "construction"},
    "check": FOUNDATIONS | {"analysis", "construction"},
    "transform": FOUNDATIONS | {"analysis", "construction"},
    "text": FOUNDATIONS | {"analysis"},
    "json": FOUNDATIONS | {"analysis", "text"},
    "structuring": FOUNDATIONS | {"analysis", "text"},
    "evaluator": FOUNDATIONS | {"analysis", "text"},
    "emit": FOUNDATIONS | {"analysis", "text", "structuring"},
    "engines": FOUNDATIONS | {"analysis", "text", "structuring", "evaluator", "emit"},
    "equivalence": FOUNDATIONS | {"analysis", "evaluator", "transform"},
    "explain": FOUNDATIONS | {"analysis", "construction", "frontends", "transform", "text"},
    "page": FOUNDATIONS | {"analysis", "construction", "text", "emit", "explain"},
    "pipeline": FOUNDATIONS | {"construction", "frontends", "simplify", "check", "transform", "text"},
    "cli": FOUNDATIONS
    | {"", "construction", "frontends", "check", "transform", "text", "evaluator", "engines", "emit"}
    | {"equivalence", "explain", "page", "pipeline"},
    "notebook": FOUNDATIONS | {"construction", "frontends", "text", "evaluator", "emit", "explain", "pipeline", "cli"},
    "__main__": {"cli"},
}
"""Every room, with the rooms that it may import from. The package itself, "", is what a library user sees."""


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


def test_nothing_imports_against_the_direction_of_the_house() -> None:
    wrong = {}
    for path in modules():
        room = room_of(path)
        if room == "__init__":
            continue  # what a library user sees, from everywhere
        rooms = {room_imported(name) for name in imported(path) if name.split(".")[0] == "cpsconv"}
        if against := rooms - {room} - MAY_IMPORT[room]:
            wrong[str(path.relative_to(PACKAGE))] = against
    assert not wrong


def test_what_is_near_to_a_name_is_found_in_one_place() -> None:
    assert [path.name for path in modules() if "difflib.get_close_matches" in imported(path)] == ["source.py"]


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
    code += "; import sys; assert not {'cpsconv.evaluator', 'cpsconv.engines'} & sys.modules.keys()"
    run_apart(code)


def test_every_public_name_of_the_package_is_there() -> None:
    import cpsconv

    for name in cpsconv.__all__:
        assert getattr(cpsconv, name) is not None
    with pytest.raises(AttributeError, match="module 'cpsconv' has no attribute 'nonsense'"):
        cpsconv.nonsense  # noqa: B018


def test_no_module_has_the_name_of_a_public_function() -> None:
    """Otherwise importing the module would replace the function."""
    import cpsconv

    modules_of_the_package = {path.stem for path in PACKAGE.iterdir()} - {"ir"}
    assert not modules_of_the_package & set(cpsconv.__all__)
