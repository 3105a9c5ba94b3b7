"""What the headers of the C standard library declare."""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.ir import DOUBLE, FLOAT, INT, LONG, STRING, UNSIGNED, UNSIGNED_LONG, VOID, Constant, Scalar


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A function that is an operation of the CPS program: a primitive, an effect, or a continuation outside."""

    header: str
    result: Scalar
    parameters: tuple[Scalar, ...]
    operation: str
    variadic: bool = False


LIBRARY: dict[str, LibraryFunction] = {
    "printf": LibraryFunction("stdio.h", INT, (STRING,), "printf", variadic=True),
    "puts": LibraryFunction("stdio.h", INT, (STRING,), "puts"),
    "putchar": LibraryFunction("stdio.h", INT, (INT,), "putchar"),
    "abort": LibraryFunction("stdlib.h", VOID, (), "abort"),
    "exit": LibraryFunction("stdlib.h", VOID, (INT,), "halt"),
    "abs": LibraryFunction("stdlib.h", INT, (INT,), "abs"),
    "labs": LibraryFunction("stdlib.h", LONG, (LONG,), "abs"),
    "llabs": LibraryFunction("stdlib.h", LONG, (LONG,), "abs"),
    "fabs": LibraryFunction("math.h", DOUBLE, (DOUBLE,), "abs"),
    "fabsf": LibraryFunction("math.h", FLOAT, (FLOAT,), "abs"),
}
"""The library functions that can be called."""

ASSERT_HEADER = "assert.h"
"""Where the macro `assert` is from."""

_UNSUPPORTED = {
    "stdio.h": """clearerr fclose feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread freopen fscanf fseek
        ftell fwrite getc getchar gets perror putc remove rename rewind scanf setbuf setvbuf snprintf sprintf sscanf
        tmpfile tmpnam ungetc vfprintf vprintf vsnprintf vsprintf""",
    "stdlib.h": """atexit atof atoi atol atoll bsearch calloc div free getenv ldiv lldiv malloc qsort quick_exit rand
        realloc srand strtod strtof strtol strtoll strtoul strtoull system""",
    "string.h": """memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strdup strerror
        strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtok""",
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
"""Library functions that cannot be called yet, with their headers."""

CONSTANTS: dict[str, tuple[str, Constant]] = {
    name: (header, Constant(type, value))
    for header, name, type, value in (
        ("limits.h", "CHAR_BIT", INT, 8),
        ("limits.h", "SCHAR_MIN", INT, -(1 << 7)),
        ("limits.h", "SCHAR_MAX", INT, (1 << 7) - 1),
        ("limits.h", "UCHAR_MAX", INT, (1 << 8) - 1),
        ("limits.h", "CHAR_MIN", INT, -(1 << 7)),
        ("limits.h", "CHAR_MAX", INT, (1 << 7) - 1),
        ("limits.h", "SHRT_MIN", INT, -(1 << 15)),
        ("limits.h", "SHRT_MAX", INT, (1 << 15) - 1),
        ("limits.h", "USHRT_MAX", INT, (1 << 16) - 1),
        ("limits.h", "INT_MIN", INT, -(1 << 31)),
        ("limits.h", "INT_MAX", INT, (1 << 31) - 1),
        ("limits.h", "UINT_MAX", UNSIGNED, (1 << 32) - 1),
        ("limits.h", "LONG_MIN", LONG, -(1 << 63)),
        ("limits.h", "LONG_MAX", LONG, (1 << 63) - 1),
        ("limits.h", "ULONG_MAX", UNSIGNED_LONG, (1 << 64) - 1),
        ("limits.h", "LLONG_MIN", LONG, -(1 << 63)),
        ("limits.h", "LLONG_MAX", LONG, (1 << 63) - 1),
        ("limits.h", "ULLONG_MAX", UNSIGNED_LONG, (1 << 64) - 1),
        ("stdlib.h", "EXIT_SUCCESS", INT, 0),
        ("stdlib.h", "EXIT_FAILURE", INT, 1),
        ("stdlib.h", "RAND_MAX", INT, (1 << 31) - 1),
        ("stdio.h", "EOF", INT, -1),
        ("float.h", "FLT_EPSILON", FLOAT, 2.0**-23),
        ("float.h", "FLT_MIN", FLOAT, 2.0**-126),
        ("float.h", "FLT_MAX", FLOAT, (2 - 2.0**-23) * 2.0**127),
        ("float.h", "DBL_EPSILON", DOUBLE, 2.0**-52),
        ("float.h", "DBL_MIN", DOUBLE, 2.0**-1022),
        ("float.h", "DBL_MAX", DOUBLE, (2 - 2.0**-52) * 2.0**1023),
        ("float.h", "FLT_DIG", INT, 6),
        ("float.h", "DBL_DIG", INT, 15),
    )
}
"""The macros that stand for a number, with their headers."""
