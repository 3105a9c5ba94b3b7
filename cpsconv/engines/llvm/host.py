"""What a module of LLVM IR needs that is run by us: its end and its faults are told on a file descriptor of their own.

A fault is told by the numbers of its place and, if it is the use of an undefined value, of that value.
"""

from __future__ import annotations

import platform
import re

from cpsconv.emit.llvm.support import Support
from cpsconv.ir import Undef
from cpsconv.operations.runtime_errors import DivisionError, ProgramError, Undefined, UndefinedError
from cpsconv.source import Span

CHANNEL = 99
"""The file descriptor."""

_TELLING = r"""
; Tells the host how the program ends, and ends it.
define internal void @cpsconv.tell(i8* %format, i8* %place, i8* %message) cold noinline noreturn {
  %flushed = call i32 @fflush(i8* null)
  %told = call i32 (i32, i8*, ...) @dprintf(i32 CHANNEL, i8* %format, i8* %place, i8* %message)
  call void @_exit(i32 0)
  unreachable
}
""".replace("CHANNEL", str(CHANNEL))

_FIXED = {
    "cpsconv.tell": _TELLING,
    "cpsconv.fail": r"""
define internal void @cpsconv.fail(i8* %place, i8* %message) cold noinline noreturn {
  call void @cpsconv.tell(i8* text"fault %s %s", i8* %place, i8* %message)
  unreachable
}
""",
    "cpsconv.exit": r"""
define internal void @cpsconv.exit(i32 %status) cold noinline noreturn {
  %wide = inttoptr i32 %status to i8*
  call void @cpsconv.tell(i8* text"exit %d", i8* %wide, i8* null)
  unreachable
}
""",
}


_IS_NUMBER = re.compile(r"%is\.number = fcmp ord (float|double) %result, 0\.0")
_IS_COMPUTED = r"""%is.known = call i1 @llvm.is.constant.{suffix}({type} %result)
  %is.unknown = xor i1 %is.known, true
  %is.ordered = fcmp ord {type} %result, 0.0
  %is.number = or i1 %is.unknown, %is.ordered"""


def _by_processor(text: str) -> str:
    """The helper for an operation on floating numbers, where the processor is the one whose NaNs it imitates.

    There it has to look only at a result that LLVM has computed by itself.
    """
    return _IS_NUMBER.sub(
        lambda found: _IS_COMPUTED.format(type=found[1], suffix="f32" if found[1] == "float" else "f64"), text
    )


class HostSupport(Support):
    """What has been needed so far, with the places and undefined values that have numbers."""

    def __init__(self) -> None:
        super().__init__()
        self._places: list[Span | None] = []
        self._undefined: list[Undef] = []

    def place(self, span: Span | None) -> str:
        """The number of a place, as text."""
        self._places.append(span)
        return self.message(str(len(self._places) - 1))

    def undefined(self, undef: Undef) -> str:
        """The number of an undefined value, as text."""
        self._undefined.append(undef)
        return self.message(str(len(self._undefined) - 1))

    def outside(self, name: str) -> str:
        """A function that is defined elsewhere."""
        return self.helper(name) if name == "exit" else super().outside(name)

    def definition(self, name: str) -> str:
        """The definition of the helper of that name."""
        text = (_FIXED.get(name) or super().definition(name)).strip()
        return _by_processor(text) if platform.machine() in ("x86_64", "AMD64") else text

    def fault(self, told: str) -> ProgramError:
        """The fault of which the numbers, or a number and a message, were told."""
        place, _, message = told.partition(" ")
        fault = self._use(int(message)) if message.isdecimal() else DivisionError(message)
        fault.diagnostic.span = self._places[int(place)]
        return fault

    def _use(self, number: int) -> ProgramError:
        try:
            Undefined(self._undefined[number]).use()
        except UndefinedError as fault:
            return fault
