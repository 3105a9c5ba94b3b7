"""What the standard headers make known, as x86-64 Linux has it: types, constants, words.

Which functions they declare is not the parser's business, since the names of functions are ordinary names.
"""

from __future__ import annotations

from typing import NamedTuple, Union

from cpsconv.ir import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    Scalar,
)
from cpsconv.source import nearest


class TypeName(NamedTuple):
    """The name of a type."""

    type: Scalar


class ConstantName(NamedTuple):
    """The name of a number."""

    type: Scalar
    value: int | float


class StringName(NamedTuple):
    """The name of a string literal, given as C text."""

    text: str


class OtherSpelling(NamedTuple):
    """Another way to write a keyword or operator."""

    spelling: str


class Unsupported(NamedTuple):
    """A word of C that is not supported yet. `subject` is what the message says that of.

    `stand_in` is parsed in its place, if anything is. `operand` tells that parentheses which follow are its own;
    without them, there is no stand-in.
    """

    subject: str
    stand_in: str | None = None
    operand: bool = False


Meaning = Union[TypeName, ConstantName, StringName, OtherSpelling, Unsupported]

# ---------------------------------------------------------------------------------------------- words of the language

_ATTRIBUTES = Unsupported("attributes are", operand=True)
_ASSEMBLY = Unsupported("inline assembly is", operand=True)
_COMPLEX = Unsupported("complex numbers are")
_ALIGNMENT = Unsupported("alignment specifiers are", operand=True)
_STATIC_ASSERTIONS = Unsupported("static assertions are", operand=True)
_TYPEOF = Unsupported("`typeof` is", "int", operand=True)

WORDS: dict[str, Meaning] = {
    "__attribute__": _ATTRIBUTES,
    "__attribute": _ATTRIBUTES,
    "__declspec": _ATTRIBUTES,
    "asm": _ASSEMBLY,
    "__asm": _ASSEMBLY,
    "__asm__": _ASSEMBLY,
    "typeof": _TYPEOF,
    "__typeof": _TYPEOF,
    "__typeof__": _TYPEOF,
    "_Alignas": _ALIGNMENT,
    "_Alignof": Unsupported("`_Alignof` is", "0", operand=True),
    "_Atomic": Unsupported("atomic types are", "int", operand=True),
    "_Complex": _COMPLEX,
    "_Imaginary": _COMPLEX,
    "_Generic": Unsupported("generic selections are", "0", operand=True),
    "_Static_assert": _STATIC_ASSERTIONS,
    "_Thread_local": Unsupported("thread-local variables are"),
    "__thread": Unsupported("thread-local variables are"),
    "__int128": Unsupported("128-bit integers are", "int"),
    "_Float128": Unsupported("128-bit floating-point numbers are", "double"),
    "__extension__": Unsupported("`__extension__` is"),
    "__const": OtherSpelling("const"),
    "__const__": OtherSpelling("const"),
    "__inline": OtherSpelling("inline"),
    "__inline__": OtherSpelling("inline"),
    "__restrict": OtherSpelling("restrict"),
    "__restrict__": OtherSpelling("restrict"),
    "__signed__": OtherSpelling("signed"),
    "__volatile__": OtherSpelling("volatile"),
    "__func__": Unsupported("`__func__` is", '""'),
    "<%": OtherSpelling("{"),
    "%>": OtherSpelling("}"),
    "<:": OtherSpelling("["),
    ":>": OtherSpelling("]"),
}
"""Keywords and punctuators that the grammar does not have."""

# -------------------------------------------------------------------------------------------------------- the headers

_INTEGERS = {
    8: (SIGNED_CHAR, UNSIGNED_CHAR, ""),
    16: (SHORT, UNSIGNED_SHORT, ""),
    32: (INT, UNSIGNED, ""),
    64: (LONG, UNSIGNED_LONG, "l"),
}


def _limits(prefix: str, type: Scalar) -> dict[str, Meaning]:
    """``<prefix>_MIN`` and ``_MAX``, which have the type that `type` is promoted to."""
    promoted = INT if type.bits < 32 else type
    if not type.signed:
        return {f"U{prefix}_MAX": ConstantName(promoted, (1 << type.bits) - 1)}
    half = 1 << (type.bits - 1)
    return {f"{prefix}_MIN": ConstantName(promoted, -half), f"{prefix}_MAX": ConstantName(promoted, half - 1)}


def _integer_types() -> dict[str, Meaning]:
    """The types of ``<stdint.h>`` by kind and width, with their limits."""
    known: dict[str, Meaning] = {"intmax_t": TypeName(LONG), "uintmax_t": TypeName(UNSIGNED_LONG)}
    known |= {"intptr_t": TypeName(LONG), "uintptr_t": TypeName(UNSIGNED_LONG)}
    known |= _limits("INTMAX", LONG) | _limits("INTMAX", UNSIGNED_LONG)
    known |= _limits("INTPTR", LONG) | _limits("INTPTR", UNSIGNED_LONG)
    for kind in ("", "_least", "_fast"):
        for width in _INTEGERS:
            signed, unsigned, _ = _INTEGERS[64 if kind == "_fast" and width > 8 else width]
            name = f"int{kind}{width}"
            known |= {f"{name}_t": TypeName(signed), f"u{name}_t": TypeName(unsigned)}
            known |= _limits(name.upper(), signed) | _limits(name.upper(), unsigned)
    known |= {f"{prefix}INT{width}_C": Unsupported(f"`{prefix}INT{width}_C` is", "0", operand=True)
              for prefix in ("", "U") for width in _INTEGERS}  # fmt: skip
    return known


def _formats() -> dict[str, Meaning]:
    """The conversion specifiers of ``<inttypes.h>`` for printing: ``PRId64`` and so on."""
    known: dict[str, Meaning] = {}
    for letter in "dioxXu":
        for kind in ("", "LEAST", "FAST"):
            for width in _INTEGERS:
                length = _INTEGERS[64 if kind == "FAST" and width > 8 else width][2]
                known[f"PRI{letter}{kind}{width}"] = StringName(f'"{length}{letter}"')
        known |= {f"PRI{letter}{kind}": StringName(f'"l{letter}"') for kind in ("MAX", "PTR")}
    return known


def _constants(type: Scalar, **values: float) -> dict[str, Meaning]:
    return {name: ConstantName(type, value) for name, value in values.items()}


def _unsupported_types(subject: str, *names: str) -> dict[str, Meaning]:
    return {name: Unsupported(subject, "int") for name in names}


_SIZE: dict[str, Meaning] = {"size_t": TypeName(UNSIGNED_LONG)}
_NULL: dict[str, Meaning] = {"NULL": Unsupported("pointers are", "0")}
_WIDE: dict[str, Meaning] = {"wchar_t": TypeName(INT)}
_STDINT = (
    _integer_types()
    | _limits("PTRDIFF", LONG)
    | _limits("WCHAR", INT)
    | _limits("SIG_ATOMIC", INT)
    | _constants(UNSIGNED_LONG, SIZE_MAX=(1 << 64) - 1)
    | _constants(UNSIGNED, WINT_MIN=0, WINT_MAX=(1 << 32) - 1)
)
_MATH: dict[str, Meaning] = {
    "float_t": TypeName(FLOAT),
    "double_t": TypeName(DOUBLE),
    **_constants(DOUBLE, M_E=2.7182818284590452354, M_PI=3.14159265358979323846, M_PI_2=1.57079632679489661923),
    **_constants(DOUBLE, M_PI_4=0.78539816339744830962, M_1_PI=0.31830988618379067154, M_2_PI=0.63661977236758134308),
    **_constants(DOUBLE, M_LOG2E=1.4426950408889634074, M_LOG10E=0.43429448190325182765, M_LN2=0.69314718055994530942),
    **_constants(DOUBLE, M_LN10=2.30258509299404568402, M_SQRT2=1.41421356237309504880),
    **_constants(DOUBLE, M_SQRT1_2=0.70710678118654752440, M_2_SQRTPI=1.12837916709551257390),
    **{name: Unsupported(f"`{name}` is", "0") for name in ("INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF")},
}
_ARGUMENTS = _unsupported_types("variadic functions are", "va_list")
_FILES: dict[str, Meaning] = {
    **_unsupported_types("files are", "FILE", "fpos_t"),
    **{name: Unsupported("files are", "0") for name in ("stdin", "stdout", "stderr")},
}
_FLOAT_SIZES = {"DIG": (6, 15), "MANT_DIG": (24, 53), "MIN_EXP": (-125, -1021), "MAX_EXP": (128, 1024)}
_FLOAT_SIZES |= {"MIN_10_EXP": (-37, -307), "MAX_10_EXP": (38, 308), "DECIMAL_DIG": (9, 17), "HAS_SUBNORM": (1, 1)}
_FLOAT_EXTREMES = {"MAX": ("0x1.fffffep+127", "0x1.fffffffffffffp+1023"), "MIN": ("0x1p-126", "0x1p-1022")}
_FLOAT_EXTREMES |= {"EPSILON": ("0x1p-23", "0x1p-52"), "TRUE_MIN": ("0x1p-149", "0x1p-1074")}

HEADERS: dict[str, dict[str, Meaning]] = {
    "assert.h": {"static_assert": _STATIC_ASSERTIONS},
    "complex.h": {"complex": _COMPLEX, "I": Unsupported("complex numbers are", "0")},
    "ctype.h": {},
    "errno.h": {"errno": Unsupported("`errno` is", "0"), **_constants(INT, EDOM=33, ERANGE=34, EILSEQ=84)},
    "fenv.h": _unsupported_types("the floating-point environment is", "fenv_t", "fexcept_t"),
    "float.h": {
        **_constants(INT, FLT_RADIX=2, DECIMAL_DIG=21, FLT_EVAL_METHOD=0),
        **_constants(INT, **{f"FLT_{name}": single for name, (single, _) in _FLOAT_SIZES.items()}),
        **_constants(INT, **{f"DBL_{name}": double for name, (_, double) in _FLOAT_SIZES.items()}),
        **_constants(FLOAT, **{f"FLT_{name}": float.fromhex(single) for name, (single, _) in _FLOAT_EXTREMES.items()}),
        **_constants(DOUBLE, **{f"DBL_{name}": float.fromhex(double) for name, (_, double) in _FLOAT_EXTREMES.items()}),
    },
    "inttypes.h": _STDINT | _formats() | _unsupported_types("structs are", "imaxdiv_t"),
    "iso646.h": {
        name: OtherSpelling(spelling)
        for name, spelling in {
            "and": "&&",
            "and_eq": "&=",
            "bitand": "&",
            "bitor": "|",
            "compl": "~",
            "not": "!",
            "not_eq": "!=",
            "or": "||",
            "or_eq": "|=",
            "xor": "^",
            "xor_eq": "^=",
        }.items()
    },
    "limits.h": {
        **_limits("SCHAR", SIGNED_CHAR),
        **_limits("CHAR", SIGNED_CHAR),
        **_limits("CHAR", UNSIGNED_CHAR),
        **_limits("SHRT", SHORT),
        **_limits("SHRT", UNSIGNED_SHORT),
        **_limits("INT", INT),
        **_limits("INT", UNSIGNED),
        **_limits("LONG", LONG),
        **_limits("LONG", UNSIGNED_LONG),
        **_limits("LLONG", LONG),
        **_limits("LLONG", UNSIGNED_LONG),
        **_constants(INT, CHAR_BIT=8, MB_LEN_MAX=16),
    },
    "locale.h": _NULL,
    "math.h": _MATH,
    "setjmp.h": _unsupported_types("non-local jumps are", "jmp_buf"),
    "signal.h": {
        "sig_atomic_t": TypeName(INT),
        **_constants(INT, SIGINT=2, SIGILL=4, SIGABRT=6, SIGFPE=8, SIGSEGV=11, SIGTERM=15),
    },
    "stdalign.h": {"alignas": _ALIGNMENT, "alignof": WORDS["_Alignof"]},
    "stdarg.h": _ARGUMENTS | {"va_arg": Unsupported("variadic functions are", "0", operand=True)},
    "stdatomic.h": {},
    "stdbool.h": {
        "bool": OtherSpelling("_Bool"),
        **_constants(INT, true=1, false=0, __bool_true_false_are_defined=1),
    },
    "stddef.h": {
        "ptrdiff_t": TypeName(LONG),
        "offsetof": Unsupported("structs are", "0", operand=True),
        **_unsupported_types("`max_align_t` is", "max_align_t"),
        **_SIZE,
        **_NULL,
        **_WIDE,
    },
    "stdint.h": _STDINT,
    "stdio.h": {
        **_constants(INT, EOF=-1, BUFSIZ=8192, FILENAME_MAX=4096, FOPEN_MAX=16, TMP_MAX=238328, L_tmpnam=20),
        **_constants(INT, SEEK_SET=0, SEEK_CUR=1, SEEK_END=2, _IOFBF=0, _IOLBF=1, _IONBF=2),
        **_SIZE,
        **_NULL,
        **_FILES,
        **_ARGUMENTS,
    },
    "stdlib.h": {
        **_constants(INT, EXIT_SUCCESS=0, EXIT_FAILURE=1, RAND_MAX=(1 << 31) - 1),
        **_unsupported_types("structs are", "div_t", "ldiv_t", "lldiv_t"),
        **_SIZE,
        **_NULL,
        **_WIDE,
    },
    "stdnoreturn.h": {"noreturn": OtherSpelling("_Noreturn")},
    "string.h": _SIZE | _NULL,
    "tgmath.h": _MATH,
    "threads.h": {"thread_local": WORDS["_Thread_local"]},
    "time.h": {
        "time_t": TypeName(LONG),
        "clock_t": TypeName(LONG),
        **_constants(LONG, CLOCKS_PER_SEC=1000000),
        **_SIZE,
        **_NULL,
    },
    "uchar.h": {"char16_t": TypeName(UNSIGNED_SHORT), "char32_t": TypeName(UNSIGNED), **_SIZE},
    "wchar.h": {"wint_t": TypeName(UNSIGNED), **_limits("WCHAR", INT), **_FILES, **_SIZE, **_NULL, **_WIDE},
    "wctype.h": {"wint_t": TypeName(UNSIGNED), "wctype_t": TypeName(UNSIGNED_LONG)},
}
"""The standard headers, each with what its names mean."""


def near_header(name: str) -> str | None:
    """The standard header whose name is most like `name`, if one is like it at all."""
    return nearest(name, HEADERS, 0.75)


def header_declaring(name: str) -> str | None:
    """The standard header that gives `name` a meaning, if there is one; of several, that which is included most."""
    return next((header for header in (*_USUAL, *HEADERS) if name in HEADERS[header]), None)


_USUAL = ("stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h")
