"""Macros: their definitions (C17 6.10.3), and the macros that the compiler predefines."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from cpsconv.languages.c.preprocessor.tokens import Token, lexed, spelling
from cpsconv.languages.c.syntax.headers import ATOMIC_KINDS, FLOATING_TYPES, HEADERS, TypeName, floating_limits
from cpsconv.languages.c.types import (
    INT,
    LONG,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    CType,
    limits,
)


class MacroError(Exception):
    """A malformed macro, or a wrong use of one: a message and the token at fault, if there is one."""

    def __init__(self, message: str, token: Token | None = None) -> None:
        super().__init__(message)
        self.message, self.token = message, token


BUILT_IN = -(1 << 32)
"""The place of macros that no file defines; the places of their tokens are negative, too."""


class Part(NamedTuple):
    """A part of a macro's body: tokens, or one token for an argument, of the parameter with the number `parameter`.

    An argument is written as a string (`is_string`), as it is (`is_raw`), or expanded. With `is_pasted`, ``##``
    precedes the part. `optional` has the parts in ``__VA_OPT__(…)``, which are omitted without variable arguments.
    """

    tokens: list[Token]
    parameter: int | None
    is_string: bool = False
    is_raw: bool = False
    is_pasted: bool = False
    optional: list[Part] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the tokens are always the same."""
        return self.parameter is None and self.optional is None


class Macro:
    """A macro. `parameters` is None if the macro is object-like; the last one may take several arguments (`variadic`).

    The body is divided into parts on the first use. `compute` gives the text of a macro such as ``__LINE__`` instead.
    """

    def __init__(
        self,
        name: str,
        body: str,
        place: int = BUILT_IN,
        parameters: list[str] | None = None,
        variadic: bool = False,
        compute: Callable[[Token], str] | None = None,
    ) -> None:
        self.name, self.body, self.place = name, body, place
        self.parameters, self.variadic, self.compute = parameters, variadic, compute

    def same_as(self, other: Macro) -> bool:
        """Whether a redefinition is allowed: parameters, tokens and the places of white space agree."""
        return (self.parameters, self.variadic) == (other.parameters, other.variadic) and (
            self.body == other.body or self._spelt() == other._spelt()
        )

    def _spelt(self) -> str:
        return spelling(lexed(self.body, 0, len(self.body), 0))

    @cached_property
    def parts(self) -> list[Part]:
        """The parts of the body. Raises `MacroError` for misplaced ``#`` and ``##``."""
        return self._divided(lexed(self.body, 0, len(self.body), self.place))

    def _divided(self, tokens: list[Token], is_optional: bool = False) -> list[Part]:
        """The parts of some tokens. (Recursive: ``__VA_OPT__`` must not contain itself.)"""
        numbers = {name: number for number, name in enumerate(self.parameters or ())}
        parts: list[Part] = []
        position, is_pasted = 0, False
        while position < len(tokens):
            token = tokens[position]
            position += 1
            if token.text in ("##", "%:%:"):
                if not parts or position == len(tokens):
                    raise MacroError("`##` must be between two tokens", token)
                is_pasted = True
                if parts[-1].parameter is not None and not parts[-1].is_string:
                    parts[-1] = parts[-1]._replace(is_raw=True)
                continue
            if token.text in ("#", "%:") and self.parameters is not None:
                operand = numbers.get(tokens[position].text) if position < len(tokens) else None
                if self._is_optional(tokens, position):
                    inner, position = self._optional(tokens, position, is_optional)
                    parts.append(Part([token], None, is_string=True, is_pasted=is_pasted, optional=inner))
                    is_pasted = False
                    continue
                if operand is None:
                    raise MacroError("`#` must be followed by a parameter", token)
                parts.append(Part([token], operand, is_string=True, is_pasted=is_pasted))
                position += 1
            elif (number := numbers.get(token.text)) is not None:
                parts.append(Part([token], number, is_raw=is_pasted, is_pasted=is_pasted))
            elif self._is_optional(tokens, position - 1):
                inner, position = self._optional(tokens, position - 1, is_optional)
                parts.append(Part([token], None, is_pasted=is_pasted, optional=inner))
            elif parts and parts[-1].is_plain and not is_pasted:
                parts[-1].tokens.append(token)
            else:
                parts.append(Part([token], None, is_pasted=is_pasted))
            is_pasted = False
        return parts

    def _is_optional(self, tokens: list[Token], position: int) -> bool:
        """Whether ``__VA_OPT__`` of C23 is at the position."""
        return self.variadic and position < len(tokens) and tokens[position].text == "__VA_OPT__"

    def _optional(self, tokens: list[Token], position: int, is_nested: bool) -> tuple[list[Part], int]:
        """The parts in ``__VA_OPT__(…)``, and the position after it."""
        depth, end = 0, position + 1
        while end < len(tokens) and (depth or tokens[end].text == "("):
            depth += (tokens[end].text == "(") - (tokens[end].text == ")")
            end += 1
            if depth == 0:
                if is_nested:
                    raise MacroError("`__VA_OPT__` must not contain itself", tokens[position])
                return self._divided(tokens[position + 2 : end - 1], is_optional=True), end
        raise MacroError("`__VA_OPT__` must be followed by tokens in parentheses", tokens[position])

    @cached_property
    def plain(self) -> list[Token] | None:
        """The tokens of the body, if it has neither parameters nor ``##``."""
        if not self.parts:
            return []
        first = self.parts[0]
        return first.tokens if len(self.parts) == 1 and first.is_plain else None

    @cached_property
    def expanded(self) -> list[int]:
        """The numbers of the parameters whose arguments are expanded."""
        optional = [part.optional for part in self.parts if part.optional is not None]
        last = [len(self.parameters or ()) - 1] if optional else []
        plain = [part.parameter for part in sum(optional, self.parts) if not part.is_raw and not part.is_string]
        return [*dict.fromkeys([*(number for number in plain if number is not None), *last])]


def _integer_macros() -> dict[str, str]:
    """The sizes, widths and largest values of the integer types on x86-64 Linux."""
    sizes = {"SHORT": 2, "INT": 4, "LONG": 8, "LONG_LONG": 8, "POINTER": 8, "SIZE_T": 8, "PTRDIFF_T": 8, "WCHAR_T": 4}
    sizes |= {"WINT_T": 4, "FLOAT": 4, "DOUBLE": 8, "LONG_DOUBLE": 16, "INT128": 16, "FLOAT128": 16, "FLOAT80": 16}
    found = {f"__SIZEOF_{name}__": str(size) for name, size in sizes.items()}
    widths: dict[str, CType] = {"SCHAR": SIGNED_CHAR, "SHRT": SHORT, "INT": INT, "LONG": LONG, "LONG_LONG": LONG_LONG}
    words = HEADERS["stdint.h"] | HEADERS["stddef.h"] | HEADERS["wchar.h"] | {"sig_atomic_t": TypeName(INT)}
    for word, definition in words.items():
        type = definition.type if isinstance(definition, TypeName) else None
        if type and type in _SPELLINGS:
            name = word.removesuffix("_t").upper()
            found |= {f"__{name}_TYPE__": _SPELLINGS[type], f"__{name}_MAX__": _maximum(type)}
            if not re.match("U|INT[0-9]", name):
                widths[name] = type
    for name, type in widths.items():
        found |= {f"__{name}_MAX__": _maximum(type), f"__{name}_WIDTH__": str(type.bits)}
    found |= {"__SIG_ATOMIC_MIN__": "(-__SIG_ATOMIC_MAX__ - 1)", "__WCHAR_MIN__": "(-__WCHAR_MAX__ - 1)"}
    found |= {"__CHAR_BIT__": "8", "__WINT_MIN__": "0U"}
    return found | {"__CHAR16_TYPE__": _SPELLINGS[UNSIGNED_SHORT], "__CHAR32_TYPE__": _SPELLINGS[UNSIGNED]}


_SPELLINGS: dict[CType, str] = {
    SIGNED_CHAR: "signed char", UNSIGNED_CHAR: "unsigned char", SHORT: "short int",
    UNSIGNED_SHORT: "short unsigned int", INT: "int", UNSIGNED: "unsigned int",
    LONG: "long int", UNSIGNED_LONG: "long unsigned int",
}  # fmt: skip
"""The types of integers as gcc spells them."""

INTEGER_SUFFIXES: dict[CType, str] = {
    INT: "", UNSIGNED: "U", LONG: "L", UNSIGNED_LONG: "UL", LONG_LONG: "LL", UNSIGNED_LONG_LONG: "ULL",
}  # fmt: skip
"""The suffixes of literals of the types that are not promoted."""


def _maximum(type: CType) -> str:
    """The largest number of an integer type as gcc spells it."""
    return f"{limits(type)[1]:#x}{INTEGER_SUFFIXES.get(type, '')}"


def _atomic_macros() -> dict[str, str]:
    """The properties of atomic objects."""
    found = {f"__GCC_ATOMIC_{kind}_LOCK_FREE": "2" for kind in ATOMIC_KINDS}
    return found | {f"__GCC_HAVE_SYNC_COMPARE_AND_SWAP_{size}": "1" for size in (1, 2, 4, 8)}


def _floating_macros() -> dict[str, str]:
    """The properties of `float`, `double` and `long double`."""
    found = {"__FLT_RADIX__": "2", "__FLT_EVAL_METHOD__": "0", "__DECIMAL_DIG__": "21"}
    for prefix, suffix in zip(FLOATING_TYPES, ("F", "", "L"), strict=True):
        sizes, extremes = floating_limits(prefix)
        texts = {name: f"({size})" if size < 0 else str(size) for name, size in sizes.items()}
        texts |= {name: _hexadecimal(*parts) + suffix for name, parts in extremes.items()}
        texts |= {"DENORM_MIN": texts.pop("TRUE_MIN"), "NORM_MAX": texts["MAX"]}
        texts |= dict.fromkeys(["HAS_DENORM", "HAS_INFINITY", "HAS_QUIET_NAN"], "1")
        found |= {f"__{prefix}_{name}__": text for name, text in texts.items()}
    return found


def _hexadecimal(significand: int, exponent: int) -> str:
    """A floating number as a hexadecimal literal, with one digit before the point."""
    places = significand.bit_length() - 1
    digits = f"{significand << -places % 4:x}"
    return f"0x1{'.' * (places > 0)}{digits[1:]}p{exponent + places:+}"


_VALUES = {
    "__STDC_VERSION__": "201710L",
    "__STDC_UTF_16__": "1",
    "__GNUC__": "12",
    "__GNUC_MINOR__": "2",
    "__GNUC_PATCHLEVEL__": "0",
    "__VERSION__": '"12.2.0"',
    "__ORDER_LITTLE_ENDIAN__": "1234",
    "__ORDER_BIG_ENDIAN__": "4321",
    "__ORDER_PDP_ENDIAN__": "3412",
    "__BYTE_ORDER__": "__ORDER_LITTLE_ENDIAN__",
    "__FLOAT_WORD_ORDER__": "__ORDER_LITTLE_ENDIAN__",
    "__USER_LABEL_PREFIX__": "",
    "__REGISTER_PREFIX__": "",
    "__BIGGEST_ALIGNMENT__": "16",
    "__STDC_IEC_559__": "1",
    "__STDC_ISO_10646__": "201706L",
    "__GXX_ABI_VERSION": "1017",
    "__FINITE_MATH_ONLY__": "0",
    "__GCC_ATOMIC_TEST_AND_SET_TRUEVAL": "1",
}
_ONE = """__STDC__ __STDC_HOSTED__ __STDC_UTF_32__ __x86_64__ __x86_64 __amd64__ __amd64 __linux__ __linux __gnu_linux__
    __unix__ __unix linux unix __LP64__ _LP64 __ELF__ __GNUC_STDC_INLINE__
    __NO_INLINE__ __STDC_NO_THREADS__"""


def predefined() -> dict[str, str]:
    """The names and bodies of the macros that gcc predefines on x86-64 Linux and programs use.

    Those that promise a feature which the front end does not have are missing, such as ``__STDC_IEC_559_COMPLEX__``.
    """
    return _VALUES | dict.fromkeys(_ONE.split(), "1") | _atomic_macros() | _integer_macros() | _floating_macros()
