"""Run-time support for LLVM IR that runs under the engine: it reports its end to the host (`child.end`).

The report of a runtime error contains the number of its location, and the number of the undefined value or a message.
Then the stack is unwound: each pending call has a landing, which records it. So calls cost nothing without an error,
also those that LLVM inlines.
"""

from __future__ import annotations

import ctypes
import errno
import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from string import Template
from typing import Any

from cpsconv.core.analysis.fallible import fallible
from cpsconv.core.analysis.graph import functions_used
from cpsconv.core.ir import Call, Function, Undef
from cpsconv.core.operations.runtime_errors import DivisionError, ProgramError, Undefined
from cpsconv.core.source import Span
from cpsconv.engines.llvm import child
from cpsconv.engines.llvm.checked_memory import CheckedMemory
from cpsconv.engines.llvm.helpers import HELPERS, LOOKUP, TYPED, is_typed, typed_helper
from cpsconv.engines.machine.call_chain import MAX_CALLS, PendingCall, is_shown
from cpsconv.engines.machine.limits import OutputBudget
from cpsconv.targets.llvm.support import HELPERS as OTHER_HELPERS
from cpsconv.targets.llvm.support import PREFIX, Support, require_helpers, templates
from cpsconv.targets.llvm.vocabulary import TYPES_BY_WORD

HOST = "cpsconv.host"
"""The function of the host that ends the program."""

BUDGET = "cpsconv.budget"
"""The number of bytes that the program may still write."""

_LIMITED = ("exit", "printf", "puts", "putchar")
"""The functions of the C library that helpers replace."""

_CHAIN = f"[{MAX_CALLS + 1} x i32]"

_HELPERS = {
    name: Template(text).safe_substitute(calls=MAX_CALLS, chain=_CHAIN)
    for name, text in templates(Path(__file__).parent / "host.ll").items()
} | HELPERS

CALLED = (
    "address called copy deallocate deeper end function jump length limited load_or marks marks_in new offset pointer"
)
CALLED += " returned save site size slowly stack string use variable library.call free make_constant load store"
"""The helpers that the instructions of programs name, apart from those of external functions."""

require_helpers("the engine llvm", {**OTHER_HELPERS, **_HELPERS, **TYPED, "lookup": LOOKUP}, CALLED)


def _end(kind: bytes, status: int, text: int, message: bytes) -> None:
    """End the program, unless a text was not printed because no `int` represents its size.

    The `text` is a location, or output of which `status` bytes are written.
    """
    if kind in (b"output", b"errors"):
        child.end_output(kind == b"errors", ctypes.string_at(text, status) if status else b"")
    if kind == b"unprinted" and ctypes.get_errno() != errno.ENOMEM:
        return
    if kind in (b"memory", b"unprinted"):
        child.end("failed", None)
    if kind == b"lost":
        child.end("lost errors", ctypes.get_errno())
    if kind == b"unwound":
        child.end_after_error()
    if kind == b"fault":
        child.report_error("fault", ctypes.string_at(text), message)
    else:
        child.end(kind.decode(), status)


_UNWINDING = ("_Unwind_ForcedUnwind", "_Unwind_Resume", "__gcc_personality_v0")


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _unwinder() -> dict[str, int]:
    """The addresses of the functions that unwind the stack; none if the system lacks gcc's library."""
    try:
        library = ctypes.CDLL("libgcc_s.so.1")
        return {name: _address(getattr(library, name)) for name in _UNWINDING}
    except (OSError, AttributeError):
        return {}


class NativeBudget(OutputBudget):
    """The number of bytes that native code, too, may still write."""

    def __init__(self, engine: Any, left: int | None) -> None:
        address = engine.get_global_value_address(BUDGET)
        self._cell = ctypes.c_uint64.from_address(address) if address else ctypes.c_uint64()
        super().__init__(left)

    @property
    def left(self) -> int | None:
        """The number; None without a limit, which native code represents by the largest numbers."""
        return None if self._cell.value >> 63 else self._cell.value

    @left.setter
    def left(self, left: int | None) -> None:
        self._cell.value = -1 if left is None else left


_PROBED = ' "probe-stack"="inline-asm"'  # a frame of many pages reaches the end of the stack first

_INLINED_AS_OTHERS = ' "function-inline-threshold"="-14775"'
"""The attribute of a function with one call that LLVM inlines if it would inline two calls.

Otherwise, a program whose functions are called once would become one function, and passes that are not linear in the
size of a function would take most of the time. The number is the threshold of LLVM, 225, less its bonus, 15,000.
"""

_MAX_INLINED = 8
"""The number of statements, and of blocks, of functions that are always inlined: about as many as LLVM would inline."""


def _is_small(function: Function) -> bool:
    """Whether the function is small, and uses no other one."""
    members = [*function.members()]
    return (
        len(members) <= _MAX_INLINED
        and sum(len(each.body) for each in members) <= _MAX_INLINED
        and not any(functions_used(function))
    )


_HOST_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_char_p, use_errno=True)

end_of_program = _HOST_TYPE(_end)
"""The function `HOST`."""


class HostSupport(Support):
    """The support that a module needs, with numbered values, locations, calls and undefined values, and limited
    calls.

    `symbols` has the addresses of the functions of the host.
    """

    counts_calls = True
    keeps_names = False

    def __init__(self) -> None:
        super().__init__()
        self.unwinder = _unwinder()
        self.symbols = {HOST: _address(end_of_program), **self.unwinder}
        self.symbols |= {PREFIX + name: _address(getattr(ctypes.CDLL(None), name)) for name in ("vprintf", "vsnprintf")}
        self._calls: list[PendingCall] = []
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

    def landing(self, function: Function, call: Call) -> str | None:
        """The instruction that records a pending call. An error of an external function is at the call itself."""
        can_fail = call.pointer is not None or (call.callee.transfer and call.callee in self._fallible)
        if not self.unwinder or not can_fail or not is_shown((function, call)):
            return None
        self._calls.append((function, call))
        return f"call void {self.helper('called')}(i32 {len(self._calls) - 1})"

    def attributes(self, function: Function) -> str:
        """The attributes of a function of the program."""
        inlined = " alwaysinline" if _is_small(function) else _INLINED_AS_OTHERS * (self._uses[function] == 1)
        return _PROBED + inlined

    @cached_property
    def _uses(self) -> Counter[Function]:
        """The number of calls and other uses of each function."""
        return Counter(chain.from_iterable(map(functions_used, self.checked_memory.program.functions)))

    @cached_property
    def _fallible(self) -> set[Function]:
        return fallible(self.checked_memory.program, self.checked_memory.uncertain)

    def recorded_calls(self, engine: Any) -> tuple[int, list[int]]:
        """In the child, the number of pending calls that were recorded, and the numbers of the first and last ones."""
        if not self._calls:
            return 0, []
        count = ctypes.c_uint64.from_address(engine.get_global_value_address("cpsconv.pending")).value
        chain = (ctypes.c_int32 * (MAX_CALLS + 1)).from_address(engine.get_global_value_address("cpsconv.chain"))
        return count, chain[:count]

    def pending_calls(self, count: int, numbers: Sequence[int]) -> Iterator[PendingCall]:
        """The pending calls. The calls before the last one, which are not shown, are represented by the last one."""
        yield from (self._calls[number] for number in numbers)
        yield from (self._calls[numbers[-1]] for _ in range(count - len(numbers)))

    def undefined(self, undef: Undef) -> str:
        """The number of an undefined value, as text."""
        self._undefined.append(undef)
        return self.message(str(len(self._undefined) - 1))

    def size(self, given: str, other: str) -> str | None:
        """The call that reduces a width or precision."""
        return f"call i32 {self.helper('size')}(i32 {given}, i32 {other})"

    def length(self, text: str, most: str) -> str | None:
        """The call for the length of a string up to a precision."""
        return f"call i32 {self.helper('length')}(i8* {text}, i32 {most})"

    def library(self, name: str) -> str:
        """A function that is defined outside of the module."""
        return self.helper(name) if name in _LIMITED else super().library(name)

    def definition(self, name: str) -> str:
        """The definition of a helper."""
        name_in_module = name.removeprefix(PREFIX)
        kind, _, type = name_in_module.partition(".")
        if kind == "unwind" and not self.unwinder:
            return _HELPERS["no_unwind"]
        if is_typed(kind):
            return typed_helper(kind, TYPES_BY_WORD[type])
        return _HELPERS.get(name_in_module) or super().definition(name)

    def fault(self, location: bytes, message: bytes) -> ProgramError:
        """The runtime error in a report."""
        fault = self._undefined_fault(int(message)) if message.isdigit() else DivisionError(message.decode())
        fault.diagnostic.span = self._locations[int(location)]
        return fault

    def _undefined_fault(self, number: int) -> ProgramError:
        try:
            Undefined(self._undefined[number]).use()
        except ProgramError as fault:
            return fault
