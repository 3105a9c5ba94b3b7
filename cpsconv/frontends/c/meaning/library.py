"""The functions of C's library: those that are supported, and those that are not yet."""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.frontends.c.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_LONG,
    SIZE,
    STRING,
    UNSIGNED,
    UNSIGNED_LONG_LONG,
    VOID,
    CType,
    FunctionType,
    function_of,
    pointer_to,
    qualified,
)
from cpsconv.operations.c_library import COMPARISON, PROTOTYPES, Prototype
from cpsconv.operations.mathematics import MATHEMATICS, c_name


class LibraryFunction(NamedTuple):
    """A library function.

    `operation` names the primitive, effect or external continuation that implements a call. If it is None, the function
    is an external function of the program; so is every function of the table `PROTOTYPES` as a value.
    """

    header: str
    type: FunctionType
    operation: str | None


def _function(
    header: str, operation: str | None, result: CType, *types: CType, variadic: bool = False
) -> LibraryFunction:
    return LibraryFunction(header, function_of(result, types, variadic=variadic), operation)


_POINTER, _TEXT = pointer_to(VOID), pointer_to(CHAR)
_CONSTANT = pointer_to(qualified(VOID, ["const"]))
_TYPES: dict[str, CType] = {each.name: each for each in (INT, LONG, LONG_LONG, UNSIGNED, UNSIGNED_LONG_LONG, VOID)}
_TYPES |= {"size_t": SIZE, "unsigned": UNSIGNED, "unsigned long": SIZE}
_TYPES |= {type.name: type for type in (DOUBLE, FLOAT)}
_TYPES |= {f"{type.name} *": pointer_to(type) for type in (INT, DOUBLE, FLOAT)}
_TYPES |= {"void *": _POINTER, "const void *": _CONSTANT}
_TYPES |= {"char *": _TEXT, "const char *": STRING, "char **": pointer_to(_TEXT)}
_TYPES[COMPARISON] = pointer_to(function_of(INT, [_CONSTANT, _CONSTANT]))


def _type_of(prototype: Prototype) -> FunctionType:
    return function_of(_TYPES[prototype.result], [_TYPES[each] for each in prototype.parameters])


def _mathematics() -> dict[str, LibraryFunction]:
    """The functions of <math.h> that are primitives: ``fabs``, ``sqrt``, ``sqrtf``, …"""
    found = {}
    for name, count in {"fabs": 1, **MATHEMATICS}.items():
        for type in (DOUBLE, FLOAT):
            operation = "abs" if name == "fabs" else name
            found[c_name(name, type.program)] = _function("math.h", operation, type, *[type] * count)
    return found


LIBRARY: dict[str, LibraryFunction] = {
    "printf": _function("stdio.h", "printf", INT, STRING, variadic=True),
    "puts": _function("stdio.h", "puts", INT, STRING),
    "putchar": _function("stdio.h", "putchar", INT, INT),
    "abort": _function("stdlib.h", "abort", VOID),
    "exit": _function("stdlib.h", "halt", VOID, INT),
    "abs": _function("stdlib.h", "abs", INT, INT),
    "labs": _function("stdlib.h", "abs", LONG, LONG),
    "llabs": _function("stdlib.h", "abs", LONG_LONG, LONG_LONG),
    "malloc": _function("stdlib.h", "malloc", _POINTER, SIZE),
    "calloc": _function("stdlib.h", "calloc", _POINTER, SIZE, SIZE),
    "realloc": _function("stdlib.h", "realloc", _POINTER, _POINTER, SIZE),
    "alloca": _function("alloca.h", "allocate", _POINTER, SIZE),
    "free": _function("stdlib.h", "free", VOID, _POINTER),
    **{name: LibraryFunction(row.header, _type_of(row), None) for name, row in PROTOTYPES.items()},
    **_mathematics(),
}
"""The supported library functions."""

ASSERT_HEADER = "assert.h"
"""The header that defines the macro `assert`."""

TYPE_GENERIC = "tgmath.h"
"""The header in which a function of <math.h> is also a macro for the function for `float`."""


def is_type_generic(name: str) -> bool:
    """Whether <tgmath.h> has a macro of that name."""
    return DOUBLE in LIBRARY[name].type.parameters and name != "modf"


_UNSUPPORTED = {
    "stdio.h": """clearerr fclose feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread freopen fscanf fseek
        ftell fwrite getc getchar gets perror putc remove rename rewind scanf setbuf setvbuf snprintf sprintf
        sscanf tmpfile tmpnam ungetc vfprintf vprintf vsnprintf vsprintf""",
    "stdlib.h": "atexit atof getenv quick_exit strtod strtof system",
    "string.h": "strcoll strerror",
    "math.h": "j0 j1 jn y0 y1 yn " + " ".join(f"{name}l" for name in PROTOTYPES if f"{name}f" in PROTOTYPES),
    "fenv.h": """feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feraiseexcept fesetenv fesetexceptflag
        fesetround fetestexcept feupdateenv""",
    "time.h": "asctime clock ctime difftime gmtime localtime mktime strftime time",
    "signal.h": "raise signal",
    "setjmp.h": "longjmp setjmp",
}

UNSUPPORTED: dict[str, str] = {name: header for header, names in _UNSUPPORTED.items() for name in names.split()}
"""The library functions that are not supported yet, with their headers."""
