"""The normal form of a module, which the LLVM of llvmlite parses, verifies and prints, in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error, undecodable

_CHILD = str(Path(__file__).with_name("child.py"))
_BITCODE = "BC\udcc0\udcde", "\udcde\udcc0\x17\x0b"
"""How bitcode begins, where bytes that are no text are surrogates."""

_CURE = "install it with `pip install llvmlite`"
_PLACE = re.compile(r"<string>:(\d+):(\d+): error: (.*)")


def normal_form(source: Source) -> str:
    """The text of the module in `source`, which is text or bitcode.

    Raises `DiagnosticError` if it is neither, or if LLVM rejects it.
    """
    if source.undecoded is not None and not source.text.startswith(_BITCODE):
        raise undecodable(source, source.undecoded)
    status, text = printed(source.text)
    if status != "ok":
        raise DiagnosticError([_rejected(source, status, text)])
    return text


def printed(text: str) -> tuple[str, str]:
    """``ok`` and the normal form of a module; ``error`` and LLVM's message; or ``missing``, ``ended``, and nothing."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        ended = subprocess.run([sys.executable, "-I", _CHILD], input=data, capture_output=True, check=False)
    except OSError:  # a platform without processes, such as a browser, has no llvmlite
        return "missing", ""
    status, _, output = ended.stdout.decode("utf-8", "surrogateescape").partition("\n")
    return ("ended", "") if ended.returncode else (status, output)


def missing() -> Diagnostic:
    """The error of a conversion without llvmlite."""
    return error("LLVM IR requires the package llvmlite", help=_CURE, rule="tool")


def _rejected(source: Source, status: str, message: str) -> Diagnostic:
    if status == "missing":
        return missing()
    if status == "ended":
        return error(f"{source.name}: LLVM cannot read this module: its parser ended", rule="syntax")
    if place := _PLACE.search(message):
        span = _span(source, int(place[1]), int(place[2]))
        return error(place[3].strip(), span, rule="syntax")
    return error(f"{source.name}: {' '.join(message.split())}", rule="syntax")


def _span(source: Source, line: int, column: int) -> Span:
    """The token at a line and column of the text."""
    lines = source.text.split("\n", line)
    start = sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
    start = min(start, max(len(source.text) - 1, 0))
    token = re.compile(r"[%@!#]?[-\w$.]+|.", re.DOTALL).match(source.text, start)
    return Span(source, start, token.end() if token else start)
