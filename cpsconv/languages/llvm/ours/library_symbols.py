"""Functions of the libraries of C, C++ and Rust that are no calls of the program, by their symbols."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cpsconv.abi.attributes import LONGJMP
from cpsconv.core.ir import ABORT, CHAR, HALT, INT, LONG, PTR, UNSIGNED_CHAR, UNSIGNED_LONG, Constant, External, Value
from cpsconv.languages.formulas import Number
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.instructions import Handler
from cpsconv.languages.llvm.ours.intrinsics import in_library
from cpsconv.languages.llvm.ours.object_types import Aggregate, Inexpressible
from cpsconv.languages.llvm.ours.operands import call_of
from cpsconv.languages.llvm.types import scalar_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


def _end(external: External) -> Handler:
    """The end of the program, after the functions that are registered for it."""
    return lambda function, line, values: function.b.leave(external, *values, span=line)


def _assertion_failed(function: FunctionLowering, line: Line, values: list[Any]) -> None:
    """The end of the program by a failed assertion, which writes its text, file, line and function."""
    text, *place = values
    format = function.items.text("%s:%u: %s: Assertion `%s' failed.\n")
    function.calls.external("dprintf", [Constant(INT, 2), format, *place, text])
    function.b.leave(ABORT, span=line)


def _divided(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    """The struct of a quotient and a remainder, as C's `ldiv` returns it, or `div` in one register."""
    x, y = (Number(function.make, each) for each in values)
    both, result = (x / y, x % y), function.result_of(line)
    if result[:1] == "{":
        return Aggregate(result, [each.value for each in both])
    quotient, remainder = (each.unsigned().to(UNSIGNED_LONG) for each in both)
    return (quotient | remainder << 32).to(LONG).value


def _guarded(function: FunctionLowering, line: Line, values: list[Any]) -> Value:
    """Whether a static variable of C++ is still to be initialised, by the first byte of its guard."""
    done = function.make.effect("load", values[0], type=UNSIGNED_CHAR)
    return (Number(function.make, done) == 0).to(INT).value


def _ended_by(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    """The registration of a function for the end of the program, with an argument: that of a destructor of C++."""
    ending = function.items.wrappers.ending(*values[:2])
    return function.calls.external("atexit", [function.make.convert(PTR, ending)])


def _taking(parameters: str, handler: Handler) -> Handler:
    """A function with parameters of these types, unless the module declares others. Further arguments are dropped."""
    types = [*map(scalar_of, parameters.split())]

    def checked(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
        taken = values[: len(types)]
        if [each.type for each in taken] != types:
            raise Inexpressible(f"`{call_of(line.text).callee}` with parameters of other types")
        return handler(function, line, taken)

    return checked


_NEW = "_Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t __cxa_allocate_exception"
_DELETE = "_ZdlPv _ZdlPvm _ZdaPv _ZdaPvm _ZdlPvRKSt9nothrow_t _ZdaPvRKSt9nothrow_t"

LIBRARY_SYMBOLS: dict[str, Handler] = {
    "exit": _taking("i32", _end(HALT)),
    **dict.fromkeys(["abort", "_ZSt9terminatev"], _taking("", _end(ABORT))),
    **dict.fromkeys(["longjmp", "_longjmp", "siglongjmp"], _taking("ptr i32", _end(LONGJMP))),
    **dict.fromkeys(["_setjmp", "__sigsetjmp"], _taking("ptr", in_library("setjmp"))),
    "__assert_fail": _taking("ptr ptr i32 ptr", _assertion_failed),
    "div": _taking("i32 i32", _divided),
    **dict.fromkeys(["ldiv", "lldiv", "imaxdiv"], _taking("i64 i64", _divided)),
    **dict.fromkeys(_NEW.split(), _taking("i64", in_library("malloc"))),
    **dict.fromkeys(_DELETE.split(), _taking("ptr", in_library("free"))),
    "__cxa_atexit": _taking("ptr ptr", _ended_by),
    "__cxa_guard_acquire": _taking("ptr", _guarded),
    "__cxa_guard_release": _taking(
        "ptr", lambda function, line, values: function.memory.store("i8", Constant(CHAR, 1), values[0])
    ),
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
