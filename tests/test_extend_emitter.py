"""The example of an emitter: a target that one row registers, and that names an operation that it lacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv.emit.unsupported import memory_uses
from cpsconv.operations.table import IncompleteTable, for_every_operation
from cpsconv.pipeline import convert
from cpsconv.source import read_source
from tests.effort import sample

EXAMPLE = Path("examples/extend/emitter.py")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(EXAMPLE), *arguments], capture_output=True, encoding="utf-8")


def test_the_command_line_offers_the_registered_target() -> None:
    done = run("convert", "--emit", "three-address", "examples/gcd.c")
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.split("\n\n")[0].splitlines() == [
        "gcd(a, b, ret):",
        "    goto while(b, a)",
        "while(b.2, a.2):",
        "    t = ne.bool b.2, 0",
        "    if t goto body()",
        "    goto exit()",
        "body():",
        "    t.2 = rem.int a.2, b.2",
        "    goto while(t.2, b.2)",
        "exit():",
        "    goto ret(a.2)",
    ]


def test_every_example_is_written() -> None:
    for path in sample(sorted(Path("examples").glob("*.c")), 9):
        done = run("convert", "--emit", "three-address", str(path))
        has_memory = any(memory_uses(convert(read_source(str(path)))))
        assert done.returncode == (1 if has_memory else 0)
        assert ("have no memory" in done.stderr) == has_memory


def test_a_table_without_an_operation_is_an_error() -> None:
    with pytest.raises(IncompleteTable, match="three-address: missing operation `!=`, `!`, `%`"):
        for_every_operation("three-address", {"+": "add"})


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 100
