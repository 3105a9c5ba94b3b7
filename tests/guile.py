"""What programs do when Guile runs them as Scheme: the counterpart of `tests.running`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from cpsconv import Program
from cpsconv.emit.functional.scheme import scheme
from tests.expectations import Observation, Status

GUILE = shutil.which("guile")
needs_guile = pytest.mark.skipif(GUILE is None, reason="Guile, which runs Scheme, is not installed")

_SECONDS = 60


@dataclass(frozen=True)
class Ended:
    """What a run of a file shows to the outside, all of it."""

    output: str
    complaint: str
    code: int


def run_scheme(text: str, folder: Path, arguments: Sequence[str] = (), *, compiled: bool = False) -> Ended:
    """Run a program. Compiled, it is fast, but Guile compiles it first.

    Raises `TimeoutExpired` if it goes on for long.
    """
    path = folder / "program.scm"
    path.write_text(text, encoding="ascii")
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "LC_ALL": "C"}
    command = [str(GUILE), "--r7rs", *([] if compiled else ["--no-auto-compile"]), str(path), *arguments]
    ended = subprocess.run(command, capture_output=True, timeout=_SECONDS, env=environment)
    complaint = re.sub(r"^;;; .*\n", "", ended.stderr.decode("latin-1"), flags=re.MULTILINE)  # what Guile tells
    return Ended(ended.stdout.decode("latin-1"), complaint, ended.returncode)


def observe(program: Program, folder: Path, arguments: Sequence[str] = (), *, compiled: bool = False) -> Observation:
    """Run a program as Scheme. What it writes to standard error is a runtime error's message, or its own."""
    ended = run_scheme(scheme(program), folder, arguments, compiled=compiled)
    return Observation(ended.output, _status(ended))


def observe_compiled(program: Program, folder: Path, arguments: Sequence[str] = ()) -> Observation:
    """The same, compiled first."""
    return observe(program, folder, arguments, compiled=True)


def _status(ended: Ended) -> Status:
    if ended.complaint.startswith("runtime error: "):
        assert ended.code == 3
        return "error"
    assert not ended.complaint.startswith(("WARNING", "Backtrace")), ended.complaint
    return "abort" if ended.code == 134 else ended.code
