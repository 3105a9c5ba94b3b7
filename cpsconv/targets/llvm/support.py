"""The strings, library functions, intrinsics and helpers that the functions of a module use.

Helpers are functions for operations that take several instructions. Their definitions are templates (``helpers.ll``),
whose ``$`` words depend on the types in the name of the helper, as in ``cpsconv.divide.double``; ``text"…"`` denotes a
string constant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from string import Template

from cpsconv.core.ir import (
    DOUBLE,
    FLOAT,
    LONG,
    LONG_DOUBLE,
    UNSIGNED_INT128,
    UNSIGNED_LONG,
    Call,
    Function,
    Scalar,
    Undef,
)
from cpsconv.core.operations.completeness import IncompleteTable
from cpsconv.core.operations.mathematics import for_each_function
from cpsconv.core.operations.runtime_errors import use_of
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.types import range_of
from cpsconv.core.source import Span
from cpsconv.targets.llvm.vocabulary import TYPES_BY_WORD, encoded, escaped, floating, intrinsic, type_word, word_of

PREFIX = "cpsconv."
"""The prefix of the names of helpers."""


CALLED = "abort check eprint returned stack use"
"""The helpers that the instructions of programs name, apart from those of primitives."""

_DEFINED = re.compile(r"^(?:declare|define)\b[^@]*@([\w.]+)|^@([\w.]+) =", re.MULTILINE)
_NAMED = re.compile(r"@([\w.]*\w)")


def require_helpers(owner: str, helpers: Mapping[str, str], called: str) -> None:
    """Raise `IncompleteTable` if a helper or function that a helper names, or one of the `called`, does not exist."""
    defined = {name for text in helpers.values() for match in _DEFINED.findall(text) for name in match}
    defined |= {PREFIX + name for name in helpers} | LIBRARY.keys()
    named = {name for text in helpers.values() for name in _NAMED.findall(text)}
    if missing := sorted(named.union(PREFIX + name for name in called.split()) - defined):
        raise IncompleteTable(f"{owner}: missing function {', '.join(f'`{name}`' for name in missing)}")


def _helper_name(kind: str, *types: Scalar) -> str:
    """``cpsconv.divide.double``"""
    return PREFIX + ".".join([kind, *map(word_of, types)])


def templates(path: Path) -> dict[str, str]:
    """The templates in a file, by name. A line ``;; name`` begins each of them."""
    _, *parts = re.split(r"^;; (\S+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True)}


HELPERS = templates(Path(__file__).parent / "helpers.ll")


def _filled(template: str, name: str, type: Scalar, wide: Scalar = DOUBLE, **words: str) -> str:
    """The template for a type, with numbers of the floating type `wide`."""
    low, high = range_of(type) if type.kind == "integer" else (0, 0)
    numbers = {"low": low, "high": high + 1, "zero": 0, "half": 1 << 63, "nan": -math.nan}
    words |= {"name": name, "T": type_word(type), "W": type_word(wide), "least": str(low)}
    words |= {word: floating(normalised(wide, number)) for word, number in numbers.items()}
    return Template(HELPERS[template]).substitute(words)


def _conversion(name: str, source: Scalar, target: Scalar) -> str:
    """From a floating type to an integer."""
    wide = LONG_DOUBLE if source is LONG_DOUBLE else DOUBLE
    words = {"S": type_word(source), "widen": "bitcast" if source is wide else "fpext"}
    if target.bits == 128:
        return _wide_conversion(name, wide, target, words)
    signed = LONG if target is UNSIGNED_LONG else target
    words["truncate"] = _helper_name("truncate", signed, *[wide] * (wide is not DOUBLE))
    return _filled("to_unsigned_long" if signed is not target else "to_integer", name, target, wide, **words)


def _wide_conversion(name: str, wide: Scalar, target: Scalar, words: dict[str, str]) -> str:
    """The same to an integer of 128 bits. In gcc, the function for `long double` converts negative numbers to 0."""
    part = _helper_name("convert", wide, UNSIGNED_INT128 if target.signed else UNSIGNED_LONG)
    words |= {"part": part, "absolute": intrinsic("fabs", wide), "unit": floating(normalised(wide, 1 << 64))}
    words["lowest"] = floating(normalised(wide, 0 if wide is LONG_DOUBLE else -math.inf))
    return _filled("to_int128" if target.signed else "to_unsigned_int128", name, target, wide, **words)


_FLOATING = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}

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


def _declaration(name: str, count: int, type: Scalar) -> str:
    """The declaration of a function of <math.h>. LLVM does not compute it for constants itself (`nobuiltin`)."""
    word = type_word(type)
    return f"{word} @{name}({', '.join([word] * count)}) nobuiltin nounwind readnone"


_MATHEMATICS = for_each_function(_declaration, LONG_DOUBLE)

LIBRARY = {
    **_MATHEMATICS,
    **{line.split("@")[1].split("(")[0]: line for line in HELPERS.pop("declarations").splitlines()},
    **{
        f"llvm.{op}.i{bits}": f"i{bits} @llvm.{op}.i{bits}(i{bits}, i{bits})"
        for op in ("smax", "smin", "umin")
        for bits in (32, 64)
    },
    **{
        name: f"{result or type_word(type)} @{name}({', '.join([type_word(type)] * count)})"
        for type in (FLOAT, DOUBLE, LONG_DOUBLE)
        for op, count, result in (("fabs", 1, ""), ("sqrt", 1, ""), ("copysign", 2, ""), ("is.constant", 1, "i1"))
        for name in [intrinsic(op, type)]
    },
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

    If it `keeps_names`, values have their names in the CPS text.

    If `is_x86_64`, the module is for that processor only, and need not imitate its NaNs at run time.

    If `counts_calls`, each function has a last parameter: the number of further calls that may be pending. The helper
    ``deeper`` decreases it; its other operand is the index of the calling function among the external functions and
    those of the program.
    """

    counts_calls = False
    keeps_names = True
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

    def note(self, *spans: Span | None) -> str:
        """The comment after an instruction or the head of a function on the parts of the source; empty without."""
        return ""

    def location(self, span: Span | None) -> str:
        """The prefix of the message of a runtime error: the location."""
        return self.message(f"{span}: " if span else "")

    def landing(self, function: Function, call: Call) -> str | None:
        """The instruction that records a pending call of the function when a runtime error leaves it; None without."""
        return None

    def attributes(self, function: Function) -> str:
        """The attributes of a function of the program, each after a space."""
        return ""

    def undefined(self, undef: Undef) -> str:
        """The message of the runtime error that a use of the value raises."""
        return self.message(use_of(undef)[0])

    def size(self, given: str, other: str) -> str | None:
        """The call that reduces a width or precision, beside the `other` one, to the limit of output; None without."""
        return None

    def length(self, text: str, most: str) -> str | None:
        """The call for the length of a string up to a precision, needed to reduce a width; None without."""
        return None

    def library(self, name: str) -> str:
        """A library function or intrinsic."""
        self._declared.add(name)
        return f"@{name}"

    def helper(self, kind: str, *types: Scalar) -> str:
        """A helper for the types."""
        self._need([_helper_name(kind, *types)])
        return f"@{_helper_name(kind, *types)}"

    def defined(self, kind: str, type: Scalar, text: Callable[[str], str]) -> str:
        """A helper for the type, with a definition that its user writes for its name."""
        name = _helper_name(kind, type)
        if name not in self._helpers:
            self._define(name, text(name))
        return f"@{name}"

    def _define(self, name: str, text: str) -> None:
        self._helpers[name] = _TEXT.sub(lambda found: self.string(found[1].replace("\\n", "\n")), text)
        self._need(_REFERENCE.findall(text))

    def _need(self, names: list[str]) -> None:
        """Define or declare the functions and, transitively, those that their definitions refer to."""
        for name in names:
            if name in LIBRARY:
                self._declared.add(name)
            elif name.startswith(PREFIX) and name not in self._helpers:
                self._define(name, self.definition(name))

    def definition(self, name: str) -> str:
        """The definition of a helper, by its name."""
        kind, *words = name.removeprefix(PREFIX).split(".")
        types = [TYPES_BY_WORD[word] for word in words]
        if kind == "convert":
            return _conversion(name, *types)
        if not types:
            return HELPERS[kind]
        type, *wide = types
        if kind == "truncate":
            return _filled("truncate", name, type, *wide)
        text = _filled("arithmetic", name, type, type, instruction=_FLOATING[kind])
        return _with_native_nans(text, type) if self.is_x86_64 else text

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
