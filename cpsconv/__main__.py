"""The process of the command line: ``python -m cpsconv`` and the command `cpsconv`.

An interrupt (SIGINT) ends the process with status 130, without a message. While a command runs, it is a
`KeyboardInterrupt`, so that the command can clean up, and keep the output of the program that it runs. At all other
times, most of all during imports, the process exits at once. This module therefore imports only what Python itself has
imported: most interrupts at the start would be in further imports, such as `enum` by `signal`.
"""

import _signal as signal  # type: ignore[import-not-found]
import atexit
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

_INTERRUPTED = 130


def run() -> "NoReturn":
    """Run the command line, and exit with its status."""
    handles_interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # otherwise, they are ignored
    if handles_interrupts:
        signal.signal(signal.SIGINT, _interrupt)
    gc.set_threshold(1_000_000)  # modules and programs stay alive: frequent collections would find nothing
    from cpsconv.cli import main

    status = main()
    if sys.getprofile() or sys.gettrace():  # a profiler or debugger goes on
        sys.exit(status)
    atexit._run_exitfuncs()
    os._exit(status)  # at once: Python would free every object first, in a tenth of the time of a conversion


def _interrupt(number: int, frame: "FrameType | None") -> None:
    """Raises `KeyboardInterrupt` while `cpsconv.cli.commands._invoke` runs; exits at all other times."""
    while frame:
        if frame.f_code.co_name == "_invoke" and frame.f_globals["__name__"] == "cpsconv.cli.commands":
            raise KeyboardInterrupt
        frame = frame.f_back
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    run()
