"""The playground for tests: the command that serves it, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Served(NamedTuple):
    """A running server: its address, and its process."""

    address: str
    process: subprocess.Popen[str]

    def stop(self) -> int:
        """Interrupt the server as a user does. Returns its exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@contextmanager
def serving(*words: str, before: str = "", **environment: str) -> Iterator[Served]:
    """The command `playground` with these words, in a process that first runs the code `before`."""
    code = f"{before}\nimport runpy; runpy.run_module('cpsconv', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-c", code, "playground", "--no-browser", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env={**os.environ, **environment}
    )
    try:
        assert process.stdout
        yield Served(process.stdout.readline().strip(), process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        finally:
            process.kill()
