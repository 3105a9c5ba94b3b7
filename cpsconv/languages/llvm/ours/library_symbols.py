"""Functions of the libraries of C, C++ and Rust that are no calls of the program, by their symbols."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cpsconv.abi.attributes import LONGJMP
from cpsconv.core.ir import ABORT, HALT, INT, LONG, PTR, UNSIGNED_CHAR, UNSIGNED_LONG, Constant, External, Value
from cpsconv.languages.llvm.ours.intrinsics import Intrinsic, in_library
from cpsconv.languages.llvm.ours.operands import Aggregate

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.calls import Calls, Parts


def _end(external: External) -> Intrinsic:
    """The end of the program, after the functions that are registered for it."""
    return lambda calls, parts, arguments: calls.b.leave(external, *arguments, span=calls.make.span)


def _assertion_failed(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    """The end of the program by a failed assertion, which writes its text, file, line and function."""
    text, *place = arguments
    format = calls.items.text("%s:%u: %s: Assertion `%s' failed.\n")
    calls.external("dprintf", [Constant(INT, 2), format, *place, text], ["i32", "ptr", "..."], "i32")
    calls.b.leave(ABORT, span=calls.make.span)


def _divided(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
    """The struct of a quotient and a remainder, as C's `ldiv` returns it, or `div` in one register."""
    make, (x, y) = calls.make, arguments
    both = make("/", x, y), make("%", x, y)
    if parts.result[0] == "{":
        return Aggregate(parts.result, both)
    quotient, remainder = (make.convert(UNSIGNED_LONG, make.unsigned(each)) for each in both)
    return make.convert(LONG, make("|", quotient, make("<<", remainder, Constant(INT, 32))))


def _guarded(calls: Calls, parts: Parts, arguments: list[Any]) -> Value:
    """Whether a static variable of C++ is still to be initialised, by the first byte of its guard."""
    done = calls.make.effect("load", arguments[0], type=UNSIGNED_CHAR)
    return calls.make.convert(INT, calls.make("==", done, Constant(UNSIGNED_CHAR, 0)))


def _ended_by(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
    """The registration of a function for the end of the program, with an argument: that of a destructor of C++."""
    function = calls.items.wrappers.ending(*arguments[:2])
    return calls.external("atexit", [calls.make.convert(PTR, function)], ["ptr"], "i32")


def _initialised(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    calls.make.effect("store", Constant(UNSIGNED_CHAR, 1), arguments[0])


_NEW = "_Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t"
_DELETE = "_ZdlPv _ZdlPvm _ZdaPv _ZdaPvm _ZdlPvRKSt9nothrow_t _ZdaPvRKSt9nothrow_t"

LIBRARY_SYMBOLS: dict[str, Intrinsic] = {
    "exit": _end(HALT),
    "abort": _end(ABORT),
    **dict.fromkeys(["longjmp", "_longjmp", "siglongjmp"], _end(LONGJMP)),
    **dict.fromkeys(["_setjmp", "__sigsetjmp"], in_library("setjmp", "ptr", result="i32")),
    "__assert_fail": _assertion_failed,
    **dict.fromkeys(["div", "ldiv", "lldiv", "imaxdiv"], _divided),
    **dict.fromkeys([*_NEW.split(), "__cxa_allocate_exception"], in_library("malloc", "i64")),
    **dict.fromkeys(_DELETE.split(), in_library("free", "ptr", result="void")),
    "_ZSt9terminatev": _end(ABORT),
    "__cxa_atexit": _ended_by,
    "__cxa_guard_acquire": _guarded,
    "__cxa_guard_release": _initialised,
}
"""The functions by their symbols. A module that defines one of them calls its own."""


def panic(symbol: str, is_noreturn: bool) -> str | None:
    """The path of a function of Rust's `core` that panics, ``core::panicking::panic``; None for any other symbol."""
    return _path(symbol[symbol.index("4core") :]) if is_noreturn and "4core" in symbol else None


def _path(mangled: str) -> str:
    """The path in the end of a symbol, in which each name follows its length."""
    names = []
    while match := re.match(r"(\d+)_?", mangled):
        end = match.end() + int(match[1])
        names.append(mangled[match.end() : end])
        mangled = mangled[end:]
    return "::".join(each for each in names if not re.fullmatch(r"h[0-9a-f]{16}", each))
