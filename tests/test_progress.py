"""Progress of long work: a bar on a terminal, erased at the end; no bar elsewhere, and none for short work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpsconv import Source, convert, pretty
from cpsconv.core.progress import listening, report, steps

ROOT = Path(__file__).parent.parent
FIG8 = str(ROOT / "examples" / "fig8.c")
ERASED = b"\r\x1b[K\x1b[?25h"

IMPATIENT = """
import sys
from cpsconv.cli import main, streams
streams._DELAY = streams._INTERVAL = {patience}
sys.exit(main(sys.argv[1:]))
"""

terminals = pytest.mark.skipif(os.name != "posix", reason="about POSIX terminals")


def watched(*arguments: str, patience: float = 0, **environment: str) -> tuple[bytes, bytes]:
    """The output of a command to standard output, a pipe, and to standard error, a terminal."""
    leader, terminal = os.openpty()
    command = [sys.executable, "-c", IMPATIENT.format(patience=patience), *arguments]
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=terminal,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
            timeout=60,
        )
    finally:
        os.close(terminal)
    assert done.returncode == 0
    return done.stdout, b"".join(_written(leader))


def _written(leader: int) -> Iterator[bytes]:
    try:
        while data := os.read(leader, 10_000):
            yield data
    except OSError:  # the end of the output on Linux
        pass
    finally:
        os.close(leader)


@terminals
@pytest.mark.parametrize(
    ("arguments", "works"),
    [
        (["convert", FIG8], [b"reading", b"converting", b"checking", b"printing"]),
        (["check", FIG8, "--tests", "9", "--against", FIG8], [b"comparing"]),
        (["compare", FIG8, "--repeat", "1"], [b"comparing"]),
    ],
    ids=["convert", "against", "compare"],
)
def test_a_terminal_shows_a_bar_for_long_work_which_is_erased(arguments: list[str], works: list[bytes]) -> None:
    out, err = watched(*arguments)
    assert [work for work in works if work not in err] == []
    assert err.endswith(ERASED)
    assert b"\n" not in err
    assert b"\x1b" not in out and out


@terminals
def test_a_terminal_shows_that_the_first_run_of_a_checkout_generates_files(tmp_path: Path) -> None:
    assert b"generating tables" in watched("convert", FIG8, XDG_CACHE_HOME=str(tmp_path))[1]


@terminals
def test_short_work_and_a_dumb_terminal_show_no_bar() -> None:
    assert watched("convert", FIG8, patience=60)[1] == b""
    assert watched("convert", FIG8, TERM="dumb")[1] == b""


@pytest.mark.parametrize("command", ["convert", "check"])
def test_a_pipe_shows_no_bar(command: str) -> None:
    patient = IMPATIENT.format(patience=0)
    done = subprocess.run([sys.executable, "-c", patient, command, FIG8], cwd=ROOT, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_steps_are_reported_to_the_listener_only_while_it_is_set() -> None:
    told: list[tuple[str, int, int]] = []
    with listening(lambda *progress: told.append(progress)):
        assert list(steps("counting", "abc")) == ["a", "b", "c"]
    report("counting", 3, 3)
    assert told == [("counting", 0, 3), ("counting", 1, 3), ("counting", 2, 3)]


def test_a_conversion_reports_each_function_in_increasing_order() -> None:
    told: list[tuple[str, int, int]] = []
    text = "".join(f"int f{number}(int x) {{ return x; }}\n" for number in range(3))
    with listening(lambda *progress: told.append(progress)):
        pretty(convert(Source("three.c", text)))
    assert [*dict.fromkeys(work for work, _, _ in told)] == ["reading", "converting", "checking", "printing"]
    for work in ("reading", "converting", "printing"):
        done = [(amount, total) for each, amount, total in told if each == work]
        assert len(done) == 3 and done == sorted(done) and all(amount <= total for amount, total in done)
