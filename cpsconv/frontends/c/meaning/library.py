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
    VOID,
    CType,
    FunctionType,
    function_of,
    pointer_to,
    qualified,
)


class LibraryFunction(NamedTuple):
    """A library function.

    `operation` names the primitive, effect or external continuation that implements it. If it is None, the function is
    an external function of the program.
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
    "fabs": _function("math.h", "abs", DOUBLE, DOUBLE),
    "fabsf": _function("math.h", "abs", FLOAT, FLOAT),
    "strlen": _function("string.h", None, SIZE, STRING),
    "strcmp": _function("string.h", None, INT, STRING, STRING),
    "strcpy": _function("string.h", None, _TEXT, _TEXT, STRING),
    "memcpy": _function("string.h", None, _POINTER, _POINTER, _CONSTANT, SIZE),
    "memmove": _function("string.h", None, _POINTER, _POINTER, _CONSTANT, SIZE),
    "memset": _function("string.h", None, _POINTER, _POINTER, INT, SIZE),
    "memcmp": _function("string.h", None, INT, _CONSTANT, _CONSTANT, SIZE),
}
"""The supported library functions."""

ASSERT_HEADER = "assert.h"
"""The header that defines the macro `assert`."""

_UNSUPPORTED = {
    "stdio.h": """clearerr fclose feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread freopen fscanf fseek
        ftell fwrite getc getchar gets perror putc remove rename rewind scanf setbuf setvbuf snprintf sprintf sscanf
        tmpfile tmpnam ungetc vfprintf vprintf vsnprintf vsprintf""",
    "stdlib.h": """atexit atof atoi atol atoll bsearch getenv qsort quick_exit rand srand strtod strtof
        strtol strtoll strtoul strtoull system""",
    "string.h": """memchr strcat strchr strcoll strcspn strdup strerror strncat strncmp strncpy strpbrk strrchr strspn
        strstr strtok""",
    "ctype.h": """isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
        tolower toupper""",
    "math.h": """acos acosf asin asinf atan atan2 atan2f atanf cbrt ceil ceilf cos cosf cosh exp exp2 expf floor floorf
        fmax fmaxf fmin fminf fmod fmodf frexp hypot isfinite isinf isnan ldexp log log10 log2 logf lround modf pow
        powf round roundf signbit sin sinf sinh sqrt sqrtf tan tanf tanh trunc truncf""",
    "time.h": "asctime clock ctime difftime gmtime localtime mktime strftime time",
    "signal.h": "raise signal",
    "setjmp.h": "longjmp setjmp",
}

UNSUPPORTED: dict[str, str] = {name: header for header, names in _UNSUPPORTED.items() for name in names.split()}
"""The library functions that are not supported yet, with their headers."""
