"""The strings, library functions, intrinsics and helpers that the functions of a module use.

Helpers are functions for operations that take several instructions. Their definitions are templates, whose ``$`` words
depend on the types in the name of the helper, as in ``cpsconv.divide.int``; ``text"…"`` denotes a string constant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from string import Template

from cpsconv.emit.llvm.vocabulary import encoded, escaped, floating, intrinsic, resizing, type_word
from cpsconv.ir import DOUBLE, FLOAT, LONG_DOUBLE, SCALARS, Scalar, Undef
from cpsconv.operations.mathematics import for_each_function
from cpsconv.operations.semantics import normalised
from cpsconv.operations.types import range_of, type_title
from cpsconv.source import Span

PREFIX = "cpsconv."
"""The prefix of the names of helpers."""


def _helper_name(kind: str, *types: Scalar) -> str:
    """``cpsconv.divide.int``"""
    return PREFIX + ".".join([kind, *(type.name.replace(" ", "_") for type in types)])


def _filled(template: str, name: str, type: Scalar, wide: Scalar = DOUBLE, **words: str) -> str:
    """The template for a type, with numbers of the floating type `wide`."""
    low, high = range_of(type) if type.kind == "integer" else (0, 0)
    numbers = {"low": low, "high": high + 1, "zero": 0, "half": 1 << 63, "nan": -math.nan}
    words |= {"name": name, "T": type_word(type), "W": type_word(wide), "least": str(low)}
    words |= {word: floating(normalised(wide, number)) for word, number in numbers.items()}
    return Template(template).substitute(words).strip()


def _conversion(name: str, source: Scalar, target: Scalar) -> str:
    """From a floating type to an integer."""
    wide = LONG_DOUBLE if source is LONG_DOUBLE else DOUBLE
    words = {"S": type_word(source), "widen": "bitcast" if source is wide else "fpext"}
    to_long = target.bits == 64 or target is SCALARS["unsigned"]
    answer = SCALARS["long" if to_long else "int"]
    words |= {"truncate": _helper_name("truncate", answer, *[wide] * (wide is not DOUBLE)), "A": type_word(answer)}
    template = _TO_UNSIGNED_LONG if target is SCALARS["unsigned long"] else _TO_INTEGER
    return _filled(template, name, target, wide, narrow=resizing(answer, target), **words)


_DIVISIONS = {"divide": ("div", "/"), "remainder": ("rem", "%")}
_FLOATING = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}

_FIXED = {
    "fail": r"""
; Ends the program with a runtime error. The place is empty or ends with a colon and a space.
define internal void @cpsconv.fail(i8* %place, i8* %message) cold noinline noreturn {
  %flushed = call i32 @fflush(i8* null)
  %format = bitcast i8* text"%sruntime error: %s\n" to i8*
  %written = call i32 (i32, i8*, ...) @dprintf(i32 2, i8* %format, i8* %place, i8* %message)
  call void @exit(i32 3)
  unreachable
}
""",
    "use": """
; Called before the use of a value that may be undefined. The message is null if the value is defined.
define internal void @cpsconv.use(i8* %message, i8* %place) {
  %defined = icmp eq i8* %message, null
  br i1 %defined, label %fine, label %fault
fine:
  ret void
fault:
  call void @cpsconv.fail(i8* %place, i8* %message)
  unreachable
}
""",
    "returned": """
; The place where an undefined value was returned last.
@cpsconv.returned = internal global i8* null
""",
    "abort": """
; Flushes the output and aborts the program.
define internal void @cpsconv.abort() cold noreturn {
  %flushed = call i32 @fflush(i8* null)
  call void @abort()
  unreachable
}
""",
    "eprint": """
; Flushes the output and writes to standard error.
define internal void @cpsconv.eprint(i8* %text) {
  %flushed = call i32 @fflush(i8* null)
  %written = call i32 (i32, i8*, ...) @dprintf(i32 2, i8* text"%s", i8* %text)
  ret void
}
""",
    "stack": """
; Runs before main. Raises the limit of the stack as far as possible (3 is RLIMIT_STACK).
define internal void @cpsconv.stack() {
  %limits = alloca [2 x i64]
  %got = call i32 @getrlimit(i32 3, [2 x i64]* %limits)
  %soft = getelementptr [2 x i64], [2 x i64]* %limits, i64 0, i64 0
  %hard = getelementptr [2 x i64], [2 x i64]* %limits, i64 0, i64 1
  %most = load i64, i64* %hard
  store i64 %most, i64* %soft
  %set = call i32 @setrlimit(i32 3, [2 x i64]* %limits)
  ret void
}
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }]
  [{ i32, void ()*, i8* } { i32 65535, void ()* @cpsconv.stack, i8* null }]
""",
}

_DIVIDE = """
define internal $T @$name($T %left, $T %right, i8* %place) {
  %is.zero = icmp eq $T %right, 0
  br i1 %is.zero, label %by.zero, label %not.zero
by.zero:
  call void @cpsconv.fail(i8* %place, i8* text"division by zero")
  unreachable
not.zero:${overflow}
  %result = $instruction $T %left, %right
  ret $T %result
}
"""

_OVERFLOW = """
  %is.least = icmp eq $T %left, $least
  %is.minus.one = icmp eq $T %right, -1
  %is.too.large = and i1 %is.least, %is.minus.one
  br i1 %is.too.large, label %overflow, label %fine
overflow:
  call void @cpsconv.fail(i8* %place, i8* text"$least $symbol -1 overflows `$type`")
  unreachable
fine:"""

_ARITHMETIC = """
; LLVM does not define the sign of a NaN. On x86-64 it is that of the first NaN among the operands, else negative.
define internal $T @$name($T %left, $T %right) {
  %result = $instruction $T %left, %right
  %is.number = fcmp ord $T %result, $zero
  br i1 %is.number, label %number, label %nan
number:
  ret $T %result
nan:
  %left.is.nan = fcmp uno $T %left, $zero
  %right.is.nan = fcmp uno $T %right, $zero
  %right.or.new = select i1 %right.is.nan, $T %right, $T $nan
  %chosen = select i1 %left.is.nan, $T %left, $T %right.or.new
  ret $T %chosen
}
"""

_IS_NUMBER = "%is.number = fcmp ord $T %result, $zero"
_IS_FOLDED_NUMBER = """%is.known = call i1 @$known($T %result)
  %is.unknown = xor i1 %is.known, true
  %is.ordered = fcmp ord $T %result, $zero
  %is.number = or i1 %is.unknown, %is.ordered"""


def _with_native_nans(text: str, type: Scalar) -> str:
    """The definition of arithmetic for x86-64: only results that LLVM computes at compile time may need another NaN."""
    words = {"T": type_word(type), "known": intrinsic("is.constant", type), "zero": floating(normalised(type, 0))}
    test, folded = (Template(each).substitute(words) for each in (_IS_NUMBER, _IS_FOLDED_NUMBER))
    return text.replace(test, folded)


_TRUNCATE = """
; As the instruction cvttsd2si: the least integer if the value is out of range.
define internal $T @$name($W %value) {
  %is.not.below = fcmp oge $W %value, $low
  %is.not.above = fcmp olt $W %value, $high
  %fits = and i1 %is.not.below, %is.not.above
  %fitting = select i1 %fits, $W %value, $W $zero
  %whole = fptosi $W %fitting to $T
  %result = select i1 %fits, $T %whole, $T $least
  ret $T %result
}
"""

_TO_INTEGER = """
define internal $T @$name($S %value) {
  %wide = $widen $S %value to $W
  %answer = call $A @$truncate($W %wide)
  %result = $narrow $A %answer to $T
  ret $T %result
}
"""

_TO_UNSIGNED_LONG = """
define internal $T @$name($S %value) {
  %wide = $widen $S %value to $W
  %is.large = fcmp oge $W %wide, $half
  %less = fsub $W %wide, $half
  %small = select i1 %is.large, $W %less, $W %wide
  %answer = call i64 @$truncate($W %small)
  %more = add i64 %answer, -9223372036854775808
  %result = select i1 %is.large, i64 %more, i64 %answer
  ret i64 %result
}
"""


def _declaration(name: str, count: int, type: Scalar) -> str:
    """The declaration of a function of <math.h>. LLVM does not compute it for constants itself (`nobuiltin`)."""
    word = type_word(type)
    return f"{word} @{name}({', '.join([word] * count)}) nobuiltin nounwind readnone"


_MATHEMATICS = for_each_function(_declaration, LONG_DOUBLE)

LIBRARY = {
    **_MATHEMATICS,
    "calloc": "i8* @calloc(i64, i64)",
    "free": "void @free(i8*)",
    "llvm.memmove.p0.p0.i64": "void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
    "llvm.memset.p0.i64": "void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    **{
        f"llvm.{op}.i{bits}": f"i{bits} @llvm.{op}.i{bits}(i{bits}, i{bits})"
        for op in ("smax", "smin", "umin")
        for bits in (32, 64)
    },
    **{f"llvm.lifetime.{which}.p0": f"void @llvm.lifetime.{which}.p0(i64, ptr)" for which in ("start", "end")},
    "llvm.trap": "void @llvm.trap()",
    "llvm.umul.with.overflow.i64": "{ i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)",
    "llvm.usub.sat.i64": "i64 @llvm.usub.sat.i64(i64, i64)",
    "malloc": "i8* @malloc(i64)",
    "aligned_alloc": "i8* @aligned_alloc(i64, i64)",
    "memchr": "i8* @memchr(i8*, i32, i64)",
    "memcmp": "i32 @memcmp(i8*, i8*, i64)",
    "realloc": "i8* @realloc(i8*, i64)",
    "strcmp": "i32 @strcmp(i8*, i8*)",
    "strlen": "i64 @strlen(i8*)",
    "_exit": "void @_exit(i32) noreturn",
    "abort": "void @abort() noreturn",
    "dprintf": "i32 @dprintf(i32, i8*, ...)",
    "exit": "void @exit(i32) noreturn",
    "fflush": "i32 @fflush(i8*)",
    "getrlimit": "i32 @getrlimit(i32, [2 x i64]*)",
    **{f"llvm.abs.i{bits}": f"i{bits} @llvm.abs.i{bits}(i{bits}, i1)" for bits in (8, 16, 32, 64)},
    **{
        name: f"{result or type_word(type)} @{name}({', '.join([type_word(type)] * count)})"
        for type in (FLOAT, DOUBLE, LONG_DOUBLE)
        for op, count, result in (("fabs", 1, ""), ("sqrt", 1, ""), ("copysign", 2, ""), ("is.constant", 1, "i1"))
        for name in [intrinsic(op, type)]
    },
    "printf": "i32 @printf(i8*, ...)",
    "putchar": "i32 @putchar(i32)",
    "puts": "i32 @puts(i8*)",
    "setrlimit": "i32 @setrlimit(i32, [2 x i64]*)",
}
"""The declarations of the functions of the C library and the intrinsics of LLVM."""

_STRING = ".str"

_REFERENCE = re.compile(r"@([\w.]+)")
_TEXT = re.compile(r'text"([^"]*)"')


def is_reserved(name: str, called: Collection[str]) -> bool:
    """Whether the name may be that of a library function, intrinsic, helper or string.

    `called` are the functions of <math.h> that the program calls: the others are free.
    """
    if name in _MATHEMATICS:
        return name in called
    return name in LIBRARY or name.startswith((PREFIX, "llvm.", _STRING))


class Support:
    """The definitions and declarations that a module needs, collected while its functions are written.

    If `is_x86_64`, the module is for that processor only, and need not imitate its NaNs at run time.

    If `counts_calls`, each function has a last parameter: the number of further calls that may be pending. The helper
    ``deeper`` decreases it; its other operand is the index of the calling function in the program.
    """

    counts_calls = False
    is_x86_64 = False

    def __init__(self) -> None:
        self._declared: set[str] = set()
        self._helpers: dict[str, str] = {}
        self._strings: dict[str, str] = {}

    def string(self, text: str) -> str:
        """A pointer to the bytes of a string, in which each character of `text` is a byte."""
        name = self._strings.setdefault(text, f"@{_STRING}.{len(self._strings)}")
        return f"getelementptr inbounds ({_array(text)}, {_array(text)}* {name}, i64 0, i64 0)"

    def message(self, text: str) -> str:
        """A pointer to the UTF-8 bytes of a text."""
        return self.string(encoded(text).decode("latin-1"))

    def location(self, span: Span | None) -> str:
        """The prefix of the message of a runtime error: the location."""
        return self.message(f"{span}: " if span else "")

    def undefined(self, undef: Undef) -> str:
        """The message of the runtime error that a use of the value raises."""
        return self.message(undef.use()[0])

    def library(self, name: str) -> str:
        """A library function or intrinsic."""
        self._declared.add(name)
        return f"@{name}"

    def helper(self, kind: str, *types: Scalar) -> str:
        """A helper for the types."""
        self._need([_helper_name(kind, *types)])
        return f"@{_helper_name(kind, *types)}"

    def _need(self, names: list[str]) -> None:
        """Define or declare the functions and, transitively, those that their definitions refer to."""
        for name in names:  # appended to during iteration
            if name in LIBRARY:
                self._declared.add(name)
            elif name.startswith(PREFIX) and name not in self._helpers:
                text = self.definition(name)
                self._helpers[name] = _TEXT.sub(lambda found: self.string(found[1].replace("\\n", "\n")), text)
                names += _REFERENCE.findall(text)

    def definition(self, name: str) -> str:
        """The definition of a helper, by its name."""
        kind, *words = name.removeprefix(PREFIX).split(".")
        types = [SCALARS[word.replace("_", " ")] for word in words]
        if kind == "convert":
            return _conversion(name, *types)
        if not types:
            return _FIXED[kind].strip()
        type, *wide = types
        if kind == "truncate":
            return _filled(_TRUNCATE, name, type, *wide)
        if type.kind == "float":
            text = _filled(_ARITHMETIC, name, type, type, instruction=_FLOATING[kind])
            return _with_native_nans(text, type) if self.is_x86_64 else text
        instruction, symbol = _DIVISIONS[kind]
        signed = Template(_OVERFLOW).substitute(
            symbol=symbol, type=type_title(type), T=type_word(type), least=range_of(type)[0]
        )
        instruction = ("s" if type.signed else "u") + instruction
        return _filled(_DIVIDE, name, type, overflow=signed if type.signed else "", instruction=instruction)

    def lines(self) -> Iterator[str]:
        """The lines of all definitions and declarations."""
        for text in self._helpers.values():
            yield from ("", *text.splitlines())
        if self._strings:
            yield ""
        for text, name in self._strings.items():
            yield f'{name} = private unnamed_addr constant {_array(text)} c"{escaped(_bytes(text))}"'
        if self._declared:
            yield ""
        for name in sorted(self._declared):
            yield f"declare {LIBRARY[name]}"


def _array(text: str) -> str:
    return f"[{len(_bytes(text))} x i8]"


def _bytes(text: str) -> bytes:
    return text.encode("latin-1") + b"\0"
