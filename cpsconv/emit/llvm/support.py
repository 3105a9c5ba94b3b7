"""The strings, library functions, intrinsics and helpers that the functions of a module use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.emit.llvm.helpers import PREFIX, helper_name, helper_text
from cpsconv.emit.llvm.vocabulary import encoded, escaped
from cpsconv.ir import Scalar, Undef
from cpsconv.source import Span

LIBRARY = {
    "_exit": "void @_exit(i32) noreturn",
    "abort": "void @abort() noreturn",
    "dprintf": "i32 @dprintf(i32, i8*, ...)",
    "exit": "void @exit(i32) noreturn",
    "fflush": "i32 @fflush(i8*)",
    "getrlimit": "i32 @getrlimit(i32, [2 x i64]*)",
    **{f"llvm.abs.i{bits}": f"i{bits} @llvm.abs.i{bits}(i{bits}, i1)" for bits in (8, 16, 32, 64)},
    "llvm.fabs.f32": "float @llvm.fabs.f32(float)",
    "llvm.fabs.f64": "double @llvm.fabs.f64(double)",
    "llvm.is.constant.f32": "i1 @llvm.is.constant.f32(float)",
    "llvm.is.constant.f64": "i1 @llvm.is.constant.f64(double)",
    "printf": "i32 @printf(i8*, ...)",
    "putchar": "i32 @putchar(i32)",
    "puts": "i32 @puts(i8*)",
    "setrlimit": "i32 @setrlimit(i32, [2 x i64]*)",
}
"""The declarations of the functions of the C library and the intrinsics of LLVM."""

_STRING = ".str"

_REFERENCE = re.compile(r"@([\w.]+)")
_TEXT = re.compile(r'text"([^"]*)"')


def is_reserved(name: str) -> bool:
    """Whether the name may be that of a library function, intrinsic, helper or string."""
    return name in LIBRARY or name.startswith((PREFIX, "llvm.", _STRING))


class Support:
    """The definitions and declarations that a module needs, collected while its functions are written."""

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
        return self.message(f"`{undef.name}` is used uninitialised")

    def library(self, name: str) -> str:
        """A library function or intrinsic."""
        self._declared.add(name)
        return f"@{name}"

    def helper(self, kind: str, *types: Scalar) -> str:
        """A helper for the types."""
        self._need([helper_name(kind, *types)])
        return f"@{helper_name(kind, *types)}"

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
        return helper_text(name)

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
