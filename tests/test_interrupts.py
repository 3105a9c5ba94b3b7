"""An interrupt at any time: exit status 130, and no message."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from testing.effort import sample
from testing.expectations import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")

START = """
import os, signal, sys
class Finder:  # sends the signal when a number of modules have been found
    def find_spec(self, name, path=None, target=None):
        self.count -= 1
        if self.count == 0:
            os.kill(os.getpid(), signal.SIGINT)
finder = Finder()
finder.count = int(sys.argv.pop(1))
from cpsconv.__main__ import run
sys.meta_path.insert(0, finder)
if finder.count:
    run()
import cpsconv.cli
cpsconv.cli.main()
print(-finder.count)
"""


def started(count: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A process that is interrupted at the import number `count`."""
    command = [sys.executable, "-c", START, str(count), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("arguments", [("run", "examples/gcd.c"), ("convert", "examples/fig8.c", "--emit", "dot")])
def test_an_interrupt_during_any_import_ends_with_130_without_a_message(arguments: tuple[str, ...]) -> None:
    count = int(started(0, *arguments).stdout.split()[-1])
    assert count > 30
    for number in sample(range(1, count + 1), 25):
        done = started(number, *arguments)
        assert (number, done.returncode, done.stderr) == (number, 130, "")


def test_an_ignored_interrupt_stays_ignored() -> None:
    command = [sys.executable, "-c", f"import signal; signal.signal(2, signal.SIG_IGN)\n{START}", "5"]
    done = subprocess.run([*command, "--version"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
