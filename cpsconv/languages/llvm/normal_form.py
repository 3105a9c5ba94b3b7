"""The normal form of a module, which the LLVM of llvmlite parses, verifies and prints, in a process of its own.

The process is started for the first module, and reads all others as well, until it ends by one that LLVM cannot bear.
"""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

from cpsconv.core.source import Diagnostic, DiagnosticError, Source, error, undecodable
from cpsconv.languages import BITCODE
from cpsconv.languages.llvm.module_source import token_at
from cpsconv.languages.llvm.module_text import with_named_labels

_CHILD = str(Path(__file__).with_name("child.py"))
_children: dict[int, subprocess.Popen[bytes]] = {}
"""The process that reads modules, by the process that uses it: one that was forked has another."""

_LOCK = threading.Lock()

_CURE = "install it with `pip install llvmlite`"
_PLACE = re.compile(r"<string>:(\d+):(\d+): error: (.*)")
_TOKEN = re.compile(r"[%@!#]?[-\w$.]+|.", re.DOTALL)


def normal_form(source: Source) -> str:
    """The text of the module in `source`, which is text or bitcode; blocks whose addresses are used have names.

    Raises `DiagnosticError` if it is neither, or if LLVM rejects it.
    """
    if source.undecoded is not None and not re.match(BITCODE, source.text):
        if source.name.endswith(".bc"):
            message = f"{source.name}: is neither bitcode, which begins with `BC` and 0xC0DE, nor text"
            raise DiagnosticError([error(message, rule="syntax")])
        raise undecodable(source, source.undecoded)
    status, text = printed(source.text)
    if status != "ok":
        raise DiagnosticError([_rejected(source, status, text)])
    return with_named_labels(text)


def printed(text: str) -> tuple[str, str]:
    """``ok`` and the normal form of a module; ``error`` and LLVM's message; or ``missing``, ``ended``, and nothing."""
    with _LOCK:
        try:
            child = _running() or _start()
        except OSError:  # a platform without processes, such as a browser, has no llvmlite
            return "missing", ""
        try:
            result = _result(child, text)
        except (OSError, ValueError):  # the module has ended the process
            result = "ended"
            end()
        except BaseException:  # an interrupt: the result is still to come
            end()
            raise
    status, _, output = result.partition("\n")
    return status, output


def _running() -> subprocess.Popen[bytes] | None:
    child = _children.get(os.getpid())
    if child is None or child.poll() is None:
        return child
    end()
    return None


def _start() -> subprocess.Popen[bytes]:
    command, pipe = [sys.executable, "-I", _CHILD], subprocess.PIPE
    if not _children:
        atexit.register(end)
    child = _children[os.getpid()] = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    return child


def _result(child: subprocess.Popen[bytes], text: str) -> str:
    """The result for a module. Raises `OSError` or `ValueError` if there is none."""
    assert child.stdin and child.stdout
    data = text.encode("utf-8", "surrogateescape")
    child.stdin.write(b"%d %s\n" % (len(data), b"bitcode" if re.match(BITCODE, text) else b"assembly"))
    child.stdin.write(data)
    child.stdin.flush()
    return child.stdout.read(int(child.stdout.readline())).decode("utf-8", "surrogateescape")


def end() -> None:
    """End the process, if there is one."""
    if child := _children.pop(os.getpid(), None):
        child.kill()
        child.communicate()


def missing() -> Diagnostic:
    """The error of a conversion without llvmlite."""
    return error("LLVM IR requires the package llvmlite", help=_CURE, rule="tool")


def _rejected(source: Source, status: str, message: str) -> Diagnostic:
    if status == "missing":
        return missing()
    if status == "ended":
        return error(f"{source.name}: LLVM cannot read this module: its parser ended", rule="syntax")
    if place := _PLACE.search(message):
        span = token_at(source, int(place[1]), int(place[2]), _TOKEN)
        return error(place[3].strip(), span, rule="syntax")
    return error(f"{source.name}: {' '.join(message.split())}", rule="syntax")
