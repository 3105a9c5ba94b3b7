"""Exit statuses. Every failure becomes a diagnostic and a status; no traceback reaches a user."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from cpsconv.cli import streams, terminal
from cpsconv.source import STANDARD_ERROR, Diagnostic, DiagnosticError, error

DONE = 0
WRONG_INPUT = 1
WRONG_COMMAND_LINE = 2
RUNTIME_ERROR = 3  # or an exhausted limit
INTERNAL_ERROR = 70  # as EX_SOFTWARE in sysexits.h
INTERRUPTED = 130  # as a shell reports SIGINT …
ABORTED = 134  # … SIGABRT …
CLOSED_PIPE = 141  # … and SIGPIPE


def status_of(command: Callable[[], int]) -> int:
    """Run `command` and flush its output. Returns its exit status, or that of its exception, which is reported."""
    with suppress(BrokenPipeError):
        try:
            status = command()
            streams.flush()
            return status
        except BrokenPipeError:
            raise
        except BaseException as failure:
            return report_failure(failure)
    streams.discard(sys.stdout, sys.stderr)  # the reader closed the pipe, which is not an error
    return CLOSED_PIPE


def report_failure(failure: BaseException) -> int:
    """Report the exception on standard error and return the exit status. Raises `BrokenPipeError` without a reader."""
    try:
        return _reported(failure)
    except BrokenPipeError:
        raise
    except OSError:  # standard error cannot be written, thus the report is lost
        streams.discard(sys.stderr)
        return _diagnosed(failure)[1]


def _reported(failure: BaseException) -> int:
    if isinstance(failure, click.exceptions.Exit):
        return failure.exit_code
    if isinstance(failure, click.ClickException) and terminal.settings.diagnostics == "text":
        failure.show()
        return WRONG_COMMAND_LINE
    if os.environ.get("CPSCONV_DEBUG") and not isinstance(failure, click.ClickException):
        import traceback

        traceback.print_exception(failure)
    if isinstance(failure, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(failure, click.ClickException):
        terminal.settings.file = None
    if isinstance(failure, OSError) and failure.filename != STANDARD_ERROR:
        streams.discard(sys.stdout)
    diagnostics, status = _diagnosed(failure)
    streams.report(diagnostics)
    return status


def _diagnosed(failure: BaseException) -> tuple[list[Diagnostic], int]:
    if isinstance(failure, DiagnosticError):
        return failure.diagnostics, WRONG_INPUT
    if isinstance(failure, click.ClickException):
        return [error(failure.format_message(), rule="command-line")], WRONG_COMMAND_LINE
    if isinstance(failure, OSError):
        stream = failure.filename or "standard output"
        return [error(f"{stream} cannot be written: {failure.strerror}", rule="file")], WRONG_INPUT
    if isinstance(failure, MemoryError):
        return [error("out of memory", rule="memory")], RUNTIME_ERROR
    message = f"internal error: {type(failure).__name__}: {failure}".splitlines()[0]
    return [
        error(message, help="CPSCONV_DEBUG=1 prints the traceback; please report it", rule="internal")
    ], INTERNAL_ERROR
