"""The constants of the standard headers, which are known by name, spelt as in the headers of gcc and glibc.

The spelling matters where a program converts it to a string, as ``XSTR(INT_MAX)``.
"""

from __future__ import annotations

from cpsconv.languages.c.preprocessor.macros import INTEGER_SUFFIXES, Macro
from cpsconv.languages.c.syntax.headers import (
    HEADERS,
    AlternativeSpelling,
    ConstantMacro,
    Definition,
    StringMacro,
    SuffixMacro,
)


def constants(header: str) -> dict[str, Macro]:
    """The macros of a header that are integers, strings or other spellings of operators."""
    found = {}
    for name, definition in HEADERS[header].items():
        text = _text(header, name, definition)
        if text is not None:
            parameters = ["number"] if isinstance(definition, SuffixMacro) else None
            found[name] = Macro(name, text, parameters=parameters)
    return found


def _text(header: str, name: str, definition: Definition) -> str | None:
    match definition:
        case StringMacro(text) | AlternativeSpelling(text):
            return text
        case SuffixMacro(suffix):
            return f"number ## {suffix}" if suffix else "number"
        case ConstantMacro(type, int(number)) if type in INTEGER_SUFFIXES:
            if header == "limits.h" or name in ("WCHAR_MIN", "WCHAR_MAX"):
                return _hexadecimal(name, number, INTEGER_SUFFIXES[type])
            if header in ("stdint.h", "inttypes.h"):
                return _parenthesised(number, INTEGER_SUFFIXES[type])
            if number >= 0:
                return f"{number}{INTEGER_SUFFIXES[type]}"
            return f"({number})" if -number < 1 << 31 else f"(-{-number - 1} - 1)"
        case ConstantMacro():
            return "((void *)0)" if name == "NULL" else None
    return None


def _hexadecimal(name: str, number: int, suffix: str) -> str:
    """The spelling of a limit in <limits.h>."""
    if number < 0:
        return f"(-{-number - 1:#x}{suffix} - 1{suffix})"
    if name.startswith("U"):
        return f"({number >> 1:#x}{suffix[1:]} * 2{suffix} + 1{suffix})"
    is_limit = number & (number + 1) == 0
    return f"{number:#x}{suffix}" if is_limit else str(number)


def _parenthesised(number: int, suffix: str) -> str:
    """The spelling of a limit in <stdint.h>."""
    if number >= -128:
        return f"({number}{suffix})"
    return f"(-{-number - 1}{suffix}-1)"
