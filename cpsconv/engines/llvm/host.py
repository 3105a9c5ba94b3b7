"""Run-time support for LLVM IR that runs under the engine: it reports its end on a separate file descriptor.

The report of a runtime error contains the number of its location, and the number of the undefined value or a message.
"""

from __future__ import annotations

import platform
import re

from cpsconv.emit.llvm.support import Support
from cpsconv.ir import Undef
from cpsconv.operations.runtime_errors import DivisionError, ProgramError, Undefined, UndefinedError
from cpsconv.source import Span

CHANNEL = 99
"""The file descriptor for reports."""

_REPORT = r"""
; Reports the end of the program to the host, and ends it.
define internal void @cpsconv.report(i8* %format, i8* %location, i8* %message) cold noinline noreturn {
  %flushed = call i32 @fflush(i8* null)
  %reported = call i32 (i32, i8*, ...) @dprintf(i32 CHANNEL, i8* %format, i8* %location, i8* %message)
  call void @_exit(i32 0)
  unreachable
}
""".replace("CHANNEL", str(CHANNEL))

_FIXED = {
    "cpsconv.report": _REPORT,
    "cpsconv.fail": r"""
define internal void @cpsconv.fail(i8* %location, i8* %message) cold noinline noreturn {
  call void @cpsconv.report(i8* text"fault %s %s", i8* %location, i8* %message)
  unreachable
}
""",
    "cpsconv.exit": r"""
define internal void @cpsconv.exit(i32 %status) cold noinline noreturn {
  %wide = inttoptr i32 %status to i8*
  call void @cpsconv.report(i8* text"exit %d", i8* %wide, i8* null)
  unreachable
}
""",
}

_IS_NUMBER = re.compile(r"%is\.number = fcmp ord (float|double) %result, 0\.0")
_IS_FOLDED_NUMBER = r"""%is.known = call i1 @llvm.is.constant.{suffix}({type} %result)
  %is.unknown = xor i1 %is.known, true
  %is.ordered = fcmp ord {type} %result, 0.0
  %is.number = or i1 %is.unknown, %is.ordered"""


class HostSupport(Support):
    """The support that a module needs, with numbered locations and undefined values."""

    def __init__(self) -> None:
        super().__init__()
        self._locations: list[Span | None] = []
        self._undefined: list[Undef] = []

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
        """The definition of a helper. Some helpers imitate the NaNs of x86-64.

        On x86-64 itself, only results that LLVM computed at compile time need the test for a NaN.
        """
        text = (_FIXED.get(name) or super().definition(name)).strip()
        if platform.machine() not in ("x86_64", "AMD64"):
            return text
        suffixes = {"float": "f32", "double": "f64"}
        return _IS_NUMBER.sub(lambda test: _IS_FOLDED_NUMBER.format(type=test[1], suffix=suffixes[test[1]]), text)

    def fault(self, report: str) -> ProgramError:
        """The runtime error in a report."""
        location, _, message = report.partition(" ")
        fault = self._undefined_fault(int(message)) if message.isdecimal() else DivisionError(message)
        fault.diagnostic.span = self._locations[int(location)]
        return fault

    def _undefined_fault(self, number: int) -> ProgramError:
        try:
            Undefined(self._undefined[number]).use()
        except UndefinedError as fault:
            return fault
