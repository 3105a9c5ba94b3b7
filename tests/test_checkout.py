"""Generated files: made once for each version of the sources, by one process, and never read if stale or damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


# ------------------------------------------------------------------------------------------------------- a checkout

PROGRAM = """
#include <ctype.h>
int main(void) { return isdigit('7') / 2048; }
"""
TWICE = "twice(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + x)\n}\n"
WITHOUT_LARK = "import sys; sys.modules['lark'] = None; from cpsconv.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files that cpsconv needs to run without installation, and two programs."""
    folder = tmp_path_factory.mktemp("package") / "checkout"
    shutil.copytree(ROOT / "cpsconv", folder / "cpsconv", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "grammars", folder / "grammars")
    (folder / "twice.c").write_text("int twice(int x) { return x + x; }")
    (folder / "digit.c").write_text(PROGRAM)
    return folder


def start(checkout: Path, cache: Path, *arguments: str) -> subprocess.Popen[str]:
    """Run Python in a new process, which has only the checkout and the libraries."""
    own = {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(checkout)}
    own["PYTHONPYCACHEPREFIX"] = str(checkout.with_name("bytecode"))
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=checkout,
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def ends(processes: Iterable[subprocess.Popen[str]]) -> list[tuple[int, str, str]]:
    """The exit status and output of each process."""
    written = [(process, *process.communicate(timeout=120)) for process in processes]
    return [(process.returncode, out, err) for process, out, err in written]


CONVERT, RUN = ("-m", "cpsconv", "convert", "twice.c"), ("-m", "cpsconv", "run", "digit.c")


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_checkout_works_without_a_cache(checkout: Path) -> None:
    before = files(checkout)
    assert ends([start(checkout, Path(os.devnull), *RUN)]) == [(1, "", "")]
    assert files(checkout) == before


def test_a_checkout_works_without_lark_after_its_first_run_until_a_source_changes(
    checkout: Path, tmp_path: Path
) -> None:
    before, cache = files(checkout), tmp_path
    assert ends([start(checkout, cache, *CONVERT) for _ in range(2)]) == [(0, TWICE, "")] * 2
    assert ends([start(checkout, cache, *RUN)]) == [(1, "", "")]
    kept = files(cache)
    assert sorted(path.name for path in kept if path.name != "lock") == ["c", "ctype"]
    assert ends([start(checkout, cache, "-c", WITHOUT_LARK, *RUN[2:])]) == [(1, "", "")]
    assert (files(checkout), files(cache)) == (before, kept)
    replace(checkout / "cpsconv" / "languages" / "c" / "library" / "ctype.c", "[c] & bits", "[c] & bits ? 3 * bits : 0")
    assert ends([start(checkout, cache, *RUN)]) == [(3, "", "")]
    assert len([*cache.rglob("c")]) == 1
    replace(checkout / "grammars" / "c.lark", '"return"', '"give"')
    replace(checkout / "twice.c", "return", "give")
    assert ends([start(checkout, cache, *CONVERT)]) == [(0, TWICE, "")]


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
