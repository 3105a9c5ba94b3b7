"""Generated files: made once for each version of the sources, by one process, and never read if stale or damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cpsconv.core import generated
from cpsconv.core.generated import Generator, cached

ROOT = Path(__file__).parents[2]
GENERATOR = Generator("copies", "maker", ("maker.py", "texts"))
MAKER = """
from pathlib import Path
from cpsconv.core.generated import print_files

def made(name):
    with open("runs", "a") as runs:
        runs.write(f"{name} ")
    return Path("texts", name).read_text()

print_files(made)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with two texts and a generator that copies them. Each call of `cached` is as in a new process."""
    (tmp_path / "maker.py").write_text(MAKER)
    (tmp_path / "texts").mkdir()
    for name in ("one", "two"):
        (tmp_path / "texts" / name).write_text(f"{name} → 1")
    monkeypatch.setattr(generated, "_ROOT", str(tmp_path))
    monkeypatch.setattr(generated, "_key", generated._digest)
    monkeypatch.setattr(generated, "_cache", lambda: str(tmp_path / "cache"))
    return tmp_path


def runs(root: Path) -> list[str]:
    """The names of the files that were generated."""
    return (root / "runs").read_text().split()


def entries(root: Path) -> list[Path]:
    """The files in the cache, but the lock."""
    return sorted(path for path in (root / "cache").rglob("*") if path.is_file() and path.name != "lock")


def test_a_file_is_generated_once(root: Path) -> None:
    assert [cached(GENERATOR, ["one"]) for _ in range(2)] == [["one → 1"]] * 2
    assert cached(GENERATOR, ["two", "one"]) == ["two → 1", "one → 1"]
    assert runs(root) == ["one", "two"]


def test_processes_that_need_a_file_at_the_same_time_generate_it_once(root: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(cached, [GENERATOR] * 8, [["one"]] * 8)] == [["one → 1"]] * 8
    assert runs(root) == ["one"]


@pytest.mark.parametrize("change", ["content", "new file", "name", "module"])
def test_a_change_of_any_source_is_noticed(root: Path, change: str) -> None:
    cached(GENERATOR, ["one"])
    times = (root / "texts" / "one").stat()
    if change == "content":
        (root / "texts" / "one").write_text("one → 2")  # of the same size and time
        os.utime(root / "texts" / "one", ns=(times.st_atime_ns, times.st_mtime_ns))
    elif change == "new file":
        (root / "texts" / "three").touch()
    elif change == "name":
        (root / "texts" / "two").rename(root / "texts" / "second")
    else:
        (root / "maker.py").write_text(MAKER + "\n")
    assert cached(GENERATOR, ["one"]) == [(root / "texts" / "one").read_text()]
    assert runs(root) == ["one", "one"]


def test_files_of_an_earlier_version_are_used_again(root: Path) -> None:
    for text in ("first", "second", "first"):
        (root / "texts" / "one").write_text(text)
        assert cached(GENERATOR, ["one"]) == [text]
    assert runs(root) == ["one", "one"]


def test_byte_code_and_hidden_files_are_no_sources(root: Path) -> None:
    cached(GENERATOR, ["one"])
    (root / "texts" / "__pycache__").mkdir()
    (root / "texts" / "__pycache__" / "one.pyc").touch()
    (root / "texts" / ".one.swp").touch()
    cached(GENERATOR, ["one"])
    assert runs(root) == ["one"]


def test_a_damaged_file_is_generated_again(root: Path) -> None:
    cached(GENERATOR, ["one"])
    (entry,) = entries(root)
    whole = entry.read_bytes()
    for damaged in (b"", whole[:-1], whole[:-1] + b"2", whole + b"\n", "one → 1".encode()):
        entry.write_bytes(damaged)
        assert cached(GENERATOR, ["one"]) == ["one → 1"]
        assert entry.read_bytes() == whole
    assert runs(root) == ["one"] * 6


def test_without_a_cache_files_are_generated_by_each_process(root: Path) -> None:
    (root / "cache").write_text("a file, below which nothing can be written")
    assert [cached(GENERATOR, ["one"]) for _ in range(2)] == [["one → 1"]] * 2
    assert runs(root) == ["one", "one"]


def test_without_locks_files_are_complete(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: int) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr(generated, "_lock", refuse)
    assert [cached(GENERATOR, ["one"]) for _ in range(2)] == [["one → 1"]] * 2
    assert runs(root) == ["one"]


def test_a_change_while_a_file_is_generated_keeps_the_file_out_of_the_cache(root: Path) -> None:
    (root / "maker.py").write_text(MAKER + "Path('texts', 'one').write_text('one → 2')\n")
    assert cached(GENERATOR, ["one"]) == ["one → 1"]
    assert entries(root) == []
    assert cached(GENERATOR, ["one"]) == ["one → 2"]


def test_files_of_the_last_versions_are_kept(root: Path) -> None:
    for version in range(generated._KEPT + 2):
        (root / "texts" / "one").write_text(str(version))
        cached(GENERATOR, ["one"])
        for number, folder in enumerate(
            sorted((root / "cache" / "copies").iterdir(), key=lambda each: each.stat().st_mtime)
        ):
            os.utime(folder, (number, number))  # in the order of their creation
    assert {path.read_bytes()[8:] for path in entries(root)} == {b"%d" % number for number in range(2, version + 1)}


def test_the_error_of_a_generator_is_reported(root: Path) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)maker failed:.*No such file.*texts/three"):
        cached(GENERATOR, ["three"])
    assert entries(root) == []


@pytest.mark.skipif(sys.platform != "linux", reason="about the folders of Linux")
def test_the_cache_is_in_the_folder_for_caches_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert generated._cache() == "/caches/cpsconv"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # the specification excludes relative paths
    assert generated._cache() == "/home/me/.cache/cpsconv"
    monkeypatch.setenv("HOME", "nowhere")
    assert generated._cache().startswith(os.devnull)


# ------------------------------------------------------------------------------------------------------- a checkout

PROGRAM = """
#include <ctype.h>
int main(void) { return isdigit('7') / 2048; }
"""
TWICE = "twice(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + x)\n}\n"
WITHOUT_LARK = "import sys; sys.modules['lark'] = None; from cpsconv.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the files that cpsconv needs to run without installation, and two programs."""
    shutil.copytree(ROOT / "cpsconv", tmp_path / "cpsconv", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "grammars", tmp_path / "grammars")
    (tmp_path / "twice.c").write_text("int twice(int x) { return x + x; }")
    (tmp_path / "digit.c").write_text(PROGRAM)
    return tmp_path


def start(checkout: Path, cache: Path, *arguments: str) -> subprocess.Popen[str]:
    """Run Python in a new process, which has only the checkout and the libraries."""
    own = {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
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


def test_a_checkout_works_without_lark_after_its_first_run(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    before, cache = files(checkout), tmp_path_factory.mktemp("cache")
    assert ends([start(checkout, cache, *CONVERT) for _ in range(2)]) == [(0, TWICE, "")] * 2
    assert ends([start(checkout, cache, *RUN)]) == [(1, "", "")]
    kept = files(cache)
    assert sorted(path.name for path in kept if path.name != "lock") == ["c", "ctype"]
    assert ends([start(checkout, cache, "-c", WITHOUT_LARK, *RUN[2:])]) == [(1, "", "")]
    assert (files(checkout), files(cache)) == (before, kept)


def test_a_checkout_works_without_a_cache(checkout: Path) -> None:
    before = files(checkout)
    assert ends([start(checkout, Path(os.devnull), *RUN)]) == [(1, "", "")]
    assert files(checkout) == before


def test_changes_of_the_library_and_of_a_grammar_are_noticed(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    assert ends([start(checkout, cache, *RUN)]) == [(1, "", "")]
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
