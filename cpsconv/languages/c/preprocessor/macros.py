"""Macros: their definitions (C17 6.10.3), and the macros that the compiler predefines."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from cpsconv.languages.c.preprocessor.tokens import Token, lexed, spelling


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
    found: dict[str, str] = {}
    sizes = {"SHORT": 2, "INT": 4, "LONG": 8, "LONG_LONG": 8, "POINTER": 8, "SIZE_T": 8, "PTRDIFF_T": 8, "WCHAR_T": 4}
    sizes |= {"WINT_T": 4, "FLOAT": 4, "DOUBLE": 8, "LONG_DOUBLE": 16, "INT128": 16, "FLOAT128": 16, "FLOAT80": 16}
    found |= {f"__SIZEOF_{name}__": str(size) for name, size in sizes.items()}
    suffixes = {"int": "", "unsigned int": "U", "long int": "L", "long unsigned int": "UL"}
    widths = {"SCHAR": (8, ""), "SHRT": (16, ""), "INT": (32, ""), "LONG": (64, "L"), "LONG_LONG": (64, "LL")}
    for name, (width, suffix) in widths.items():
        found[f"__{name}_MAX__"] = f"{hex((1 << width - 1) - 1)}{suffix}"
        found[f"__{name}_WIDTH__"] = str(width)
    types = {"SIZE": "long unsigned int", "PTRDIFF": "long int", "WCHAR": "int", "WINT": "unsigned int"}
    types |= {
        "INTMAX": "long int",
        "UINTMAX": "long unsigned int",
        "INTPTR": "long int",
        "UINTPTR": "long unsigned int",
    }
    for bits, integer in (("8", "signed char"), ("16", "short int"), ("32", "int"), ("64", "long int")):
        unsigned = {"8": "unsigned char", "16": "short unsigned int", "32": "unsigned int", "64": "long unsigned int"}
        fast, unsigned_fast = ("signed char", "unsigned char") if bits == "8" else ("long int", "long unsigned int")
        types |= {f"INT{bits}": integer, f"UINT{bits}": unsigned[bits]}
        types |= {f"INT_LEAST{bits}": integer, f"UINT_LEAST{bits}": unsigned[bits]}
        types |= {f"INT_FAST{bits}": fast if bits != "8" else integer, f"UINT_FAST{bits}": unsigned_fast}
    widths_of = {"char": 8, "short": 16, "int": 32, "long": 64}
    for name, type in types.items():
        width = next(widths_of[word] for word in ("char", "short", "long", "int") if word in type.split())
        if not name.startswith("U") and f"U{name}" not in ("UINT8", "UINT16", "UINT32", "UINT64"):
            found[f"__{name}_WIDTH__"] = str(width)
        if "unsigned" not in type:
            width -= 1
        found[f"__{name}_TYPE__"] = type
        found[f"__{name}_MAX__"] = f"{hex((1 << width) - 1)}{suffixes.get(type, '')}"
    found |= {
        "__SIG_ATOMIC_TYPE__": "int",
        "__SIG_ATOMIC_WIDTH__": "32",
        "__SIG_ATOMIC_MAX__": "0x7fffffff",
        "__CHAR_BIT__": "8",
    }
    found |= {"__SIG_ATOMIC_MIN__": "(-__SIG_ATOMIC_MAX__ - 1)", "__WCHAR_MIN__": "(-__WCHAR_MAX__ - 1)"}
    return found | {"__WINT_MIN__": "0U", "__CHAR16_TYPE__": "short unsigned int", "__CHAR32_TYPE__": "unsigned int"}


def _atomic_macros() -> dict[str, str]:
    """The properties of atomic objects."""
    kinds = ("BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER")
    found = {f"__GCC_ATOMIC_{kind}_LOCK_FREE": "2" for kind in kinds} | {"__GCC_ATOMIC_TEST_AND_SET_TRUEVAL": "1"}
    return found | {f"__GCC_HAVE_SYNC_COMPARE_AND_SWAP_{size}": "1" for size in (1, 2, 4, 8)}


def _floating_macros() -> dict[str, str]:
    """The properties of `float`, `double` and `long double`."""
    single = ["24", "6", "(-125)", "(-37)", "128", "38", "0x1.fffffep+127F", "0x1p-126F", "0x1p-23F", "9", "0x1p-149F"]
    double = [
        "53",
        "15",
        "(-1021)",
        "(-307)",
        "1024",
        "308",
        "0x1.fffffffffffffp+1023",
        "0x1p-1022",
        "0x1p-52",
        "17",
        "0x1p-1074",
    ]
    extended = ["64", "18", "(-16381)", "(-4931)", "16384", "4932", "0x1.fffffffffffffffep+16383L", "0x1p-16382L"]
    extended += ["0x1p-63L", "21", "0x1p-16445L"]
    names = [
        "MANT_DIG",
        "DIG",
        "MIN_EXP",
        "MIN_10_EXP",
        "MAX_EXP",
        "MAX_10_EXP",
        "MAX",
        "MIN",
        "EPSILON",
        "DECIMAL_DIG",
        "DENORM_MIN",
    ]
    found = {"__FLT_RADIX__": "2", "__FLT_EVAL_METHOD__": "0", "__DECIMAL_DIG__": "21"}
    for prefix, values in ("FLT", single), ("DBL", double), ("LDBL", extended):
        found |= {f"__{prefix}_{name}__": value for name, value in zip(names, values, strict=True)}
        found |= {f"__{prefix}_HAS_{name}__": "1" for name in ("DENORM", "INFINITY", "QUIET_NAN")}
        found[f"__{prefix}_NORM_MAX__"] = found[f"__{prefix}_MAX__"]
    return found


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
}
_ONE = """__STDC__ __STDC_HOSTED__ __STDC_UTF_32__ __x86_64__ __x86_64 __amd64__ __amd64 __linux__ __linux __gnu_linux__
    __unix__ __unix linux unix __LP64__ _LP64 __ELF__ __GNUC_STDC_INLINE__
    __NO_INLINE__ __STDC_NO_THREADS__"""


def predefined() -> dict[str, str]:
    """The names and bodies of the macros that gcc predefines on x86-64 Linux and programs use.

    Those that promise a feature which the front end does not have are missing, such as ``__STDC_IEC_559_COMPLEX__``.
    """
    return _VALUES | dict.fromkeys(_ONE.split(), "1") | _atomic_macros() | _integer_macros() | _floating_macros()
