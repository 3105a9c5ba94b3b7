"""The commands and examples of docs/reconstruction.md print the shown output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv.transform import branch_duplication, jump_threading

ROOT = Path(__file__).parent.parent
DOCS = (ROOT / "docs" / "reconstruction.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCS, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the C programs of the documentation, each by the name in its first line, and the examples."""
    folder = tmp_path_factory.mktemp("reconstruction")
    (folder / "examples").symlink_to(ROOT / "examples")
    for text in blocks("c"):
        (folder / text.splitlines()[0].removeprefix("// ")).write_text(text)
    return folder


COMMANDS = [found for block in blocks("console") for found in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)]


@pytest.mark.skipif(os.name != "posix", reason="the commands are for a POSIX shell")
@pytest.mark.parametrize(("command", "output"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_the_commands_print_what_is_shown(command: str, output: str, folder: Path) -> None:
    command = command.replace("cpsconv ", f"'{sys.executable}' -m cpsconv ")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, encoding="utf-8")
    assert done.stdout == output, done.stderr


def test_the_worked_example_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    (code,), (shown,) = blocks("python"), blocks("text")
    exec(compile(code, "docs/reconstruction.md", "exec"), {})
    assert capsys.readouterr().out == shown


def test_the_limits_are_those_of_the_code() -> None:
    for told in (
        f"of up to {branch_duplication.MAX_STATEMENTS} statements",
        f"up to {branch_duplication.MAX_BETWEEN} that lie between",
        f"through {branch_duplication.MAX_PASSED} continuations at most",
        f"at most {jump_threading.MAX_ROUNDS} rounds",
    ):
        assert told in " ".join(DOCS.split()), told
