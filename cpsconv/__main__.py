"""The process of the command line: ``python -m cpsconv`` and the command `cpsconv`.

An interrupt (SIGINT) ends the process with status 130, without a message. While a command runs, it is a
`KeyboardInterrupt`, so that the command can clean up, and keep the output of the program that it runs. At all other
times, most of all during imports, the process exits at once. This module therefore imports only what Python itself has
imported: `signal` would import `enum`, and most interrupts at the start would be in these imports.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130


def run() -> NoReturn:
    """Run the command line, and exit with its status, without Python's shutdown."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise, interrupts are ignored
        signal.signal(signal.SIGINT, _interrupt)
    from cpsconv.cli import main

    status = main()
    for stream in (sys.stdout, sys.stderr):
        try:  # without `contextlib`, as above
            stream.flush()
        except (AttributeError, OSError, ValueError):  # there is no such stream, or it is closed
            continue
    os._exit(status)


def _interrupt(number: int, frame: FrameType | None) -> None:
    while frame:
        if frame.f_code.co_name == "_invoke" and frame.f_globals["__name__"] == "cpsconv.cli.commands":
            raise KeyboardInterrupt
        frame = frame.f_back
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
