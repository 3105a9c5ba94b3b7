"""Generated files: made once for each version of the sources, by one process, and never read if stale or damaged."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from cpsconv.core import generated
from cpsconv.core.generated import Generator, cached, kept

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
    monkeypatch.setattr(generated, "digest_of", generated._digest)
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


def test_nothing_is_left_where_a_file_cannot_be_renamed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str) -> None:
        raise PermissionError(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    assert cached(GENERATOR, ["one", "two"]) == ["one → 1", "two → 1"]
    assert entries(root) == []


def test_files_of_the_last_versions_are_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "_VERSIONS", 2)
    for version in range(4):
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


def test_the_last_data_are_kept_by_their_keys(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(key: str) -> bytes:
        keys.append(key)
        return f"{key} \0\xff".encode("latin-1")

    monkeypatch.setattr(generated, "_LAST", 2)
    keys, folder = list[str](), root / "cache" / "bytes"
    for time, key in enumerate(["a", "b", "a", "c", "b", "a"]):
        is_new = not (folder / key).exists()
        assert kept("bytes", key, partial(made, key)) == f"{key} \0\xff".encode("latin-1")
        if is_new:
            os.utime(folder / key, (time, time))
    assert keys == ["a", "b", "c", "a"]
    (folder / "a" / "data").write_bytes(b"damaged")
    assert kept("bytes", "a", lambda: b"again") == b"again"
