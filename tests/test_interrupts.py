"""An interrupt at any time: exit status 130, and no message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from testing.effort import is_full
from testing.expectations import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")

START = f"""
import os, signal, sys
class Finder:  # at each of some imports, a fork of the process gets the signal, and its exit status is noted
    count = 0
    def find_spec(self, name, path=None, target=None):
        self.count += 1
        if self.count % {1 if is_full() else 25} == 0:
            if child := os.fork():
                print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=notes, flush=True)
            else:
                sys.meta_path.remove(self)
                os.kill(os.getpid(), signal.SIGINT)
notes = open(sys.argv.pop(1), "a")
from cpsconv.__main__ import run
sys.meta_path.insert(0, Finder())
run()
"""


def ends(notes: Path, *arguments: str, before: str = "") -> list[str]:
    """The exit statuses of processes that are interrupted during an import; none writes a message."""
    command = [sys.executable, "-c", before + START, str(notes), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return notes.read_text().split()


@pytest.mark.parametrize("arguments", [("run", "examples/gcd.c"), ("convert", "examples/fig8.c", "--emit", "c")])
def test_an_interrupt_during_any_import_ends_with_130_without_a_message(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    found = ends(tmp_path / "notes", *arguments)
    assert {*found} == {"130"} and len(found) > (60 if is_full() else 2)


def test_an_ignored_interrupt_stays_ignored(tmp_path: Path) -> None:
    assert {*ends(tmp_path / "notes", "--version", before="import signal; signal.signal(2, signal.SIG_IGN)")} == {"0"}
