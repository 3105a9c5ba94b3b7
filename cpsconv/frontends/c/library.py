"""The functions that the headers of the C standard library declare."""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.ir import DOUBLE, FLOAT, INT, LONG, STRING, VOID, Scalar


class LibraryFunction(NamedTuple):
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
