"""Run-time support for LLVM IR that runs under the engine: it reports its end to the host (`child.end`).

The report of a runtime error contains the number of its location, and the number of the undefined value or a message.
"""

from __future__ import annotations

import ctypes
import platform
from pathlib import Path
from typing import Any

from cpsconv.emit.llvm.support import PREFIX, Support, templates
from cpsconv.engines.llvm import child
from cpsconv.engines.llvm.checked_memory import CheckedMemory
from cpsconv.engines.llvm.helpers import HELPERS, is_typed, typed_helper
from cpsconv.ir import SCALARS, Undef
from cpsconv.operations.runtime_errors import DivisionError, ProgramError, Undefined, UndefinedError
from cpsconv.source import Span

HOST = "cpsconv.host"
"""The function of the host that ends the program."""

_HELPERS = {**templates(Path(__file__).parent / "host.ll"), **HELPERS}


def _end(kind: bytes, status: int, location: bytes, message: bytes) -> None:
    if kind == b"memory":
        child.end("failed", None)
    if kind == b"lost":
        child.end("lost errors", ctypes.get_errno())
    child.end(kind.decode(), status, location, message)


_HOST_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, use_errno=True)

end_of_program = _HOST_TYPE(_end)
"""The function `HOST`."""


class HostSupport(Support):
    """The support that a module needs, with numbered locations and undefined values, and limited calls."""

    counts_calls = True

    def __init__(self) -> None:
        super().__init__()
        self.is_x86_64 = platform.machine() in ("x86_64", "AMD64")
        self._locations: list[Span | None] = []
        self._undefined: list[Undef] = []

    def memory(self, *parts: Any) -> CheckedMemory:
        """The memory of the program."""
        self.checked_memory = CheckedMemory(*parts)
        return self.checked_memory

    def location(self, span: Span | None) -> str:
        """The number of a location, as text."""
        self._locations.append(span)
        return self.message(str(len(self._locations) - 1))

    def undefined(self, undef: Undef) -> str:
        """The number of an undefined value, as text."""
        self._undefined.append(undef)
        return self.message(str(len(self._undefined) - 1))

    def library(self, name: str) -> str:
        """A function that is defined outside of the module."""
        return self.helper(name) if name == "exit" else super().library(name)

    def definition(self, name: str) -> str:
        """The definition of a helper."""
        name_in_module = name.removeprefix(PREFIX)
        kind, _, type = name_in_module.partition(".")
        if is_typed(kind):
            return typed_helper(kind, SCALARS[type.replace("_", " ")])
        return _HELPERS.get(name_in_module) or super().definition(name)

    def fault(self, location: bytes, message: bytes) -> ProgramError:
        """The runtime error in a report."""
        fault = self._undefined_fault(int(message)) if message.isdigit() else DivisionError(message.decode())
        fault.diagnostic.span = self._locations[int(location)]
        return fault

    def _undefined_fault(self, number: int) -> ProgramError:
        try:
            Undefined(self._undefined[number]).use()
        except UndefinedError as fault:
            return fault
