"""Legal names in C: letters, digits and underscores, except keywords and names of the C library."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from cpsconv.ir import VOID, Function
from cpsconv.operations.c_library import PROTOTYPES
from cpsconv.text.plan import UniqueNames

_KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm
    typeof alignas alignof bool complex constexpr false noreturn nullptr static_assert thread_local true"""

_LIBRARY = """assert errno main printf puts putchar exit abort abs labs llabs fabs fabsf EOF NULL BUFSIZ stdin stdout
    stderr clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread freopen fscanf
    fseek fsetpos ftell fwrite getc getchar gets perror putc remove rename rewind scanf setbuf setvbuf snprintf
    sprintf sscanf tmpfile tmpnam ungetc vfprintf vprintf vsnprintf vsprintf atexit atof atoi atol atoll bsearch
    calloc div free getenv ldiv lldiv malloc qsort quick_exit rand realloc srand strtod strtof strtol strtoll strtoul
    strtoull system CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN RAND_MAX
    SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX EXIT_FAILURE EXIT_SUCCESS
    HUGE_VAL INFINITY NAN M_E M_PI"""

# <math.h>, where each name has variants for `float` and `long double`.
_MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fdim floor fma
    fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround
    modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalb scalbln scalbn significand sin sinh
    sqrt tan tanh tgamma trunc y0 y1 yn"""

# Further declarations of <stdio.h> and <stdlib.h> on Unix, as gcc reads them without -std=c11.
_POSIX = """alloca ctermid dprintf ecvt fcvt fdopen fileno fmemopen fseeko ftello gcvt getdelim getline getsubopt getw
    initstate mkdtemp mkstemp mktemp open_memstream pclose popen pselect putenv putw random realpath renameat rpmatch
    select setbuffer setenv setlinebuf setstate srandom tempnam unsetenv valloc vdprintf"""

# Declarations of <string.h> and <stddef.h>, which only programs with memory include.
_STRINGS = """memccpy memchr memcmp memcpy memmem memmove mempcpy memset offsetof ptrdiff_t size_t stpcpy stpncpy
    strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strlen strncasecmp strncat strncmp strncpy
    strndup strnlen strpbrk strrchr strsep strsignal strspn strstr strtok strtok_r strxfrm bcmp bcopy bzero ffs index
    rindex max_align_t wchar_t"""

_MATHEMATICAL = [name + suffix for name in _MATH.split() for suffix in ("", "f", "l")]

RESERVED = frozenset([*_KEYWORDS.split(), *_LIBRARY.split(), *_MATHEMATICAL, *_POSIX.split()])
"""Reserved names. (A function may have the name `main`.)"""


FURTHER_RESERVED = frozenset(_STRINGS.split())
"""Names that are reserved in programs with memory."""


def identifier(hint: str) -> str:
    """`hint` as an identifier. C reserves names that begin with two underscores, or with one and a capital letter."""
    name = re.sub(r"[^0-9A-Za-z_]", "_", hint)
    return f"v{name}" if not name.strip("_") or re.match(r"[0-9]|_[_A-Z]", name) else name


def function_names(names: Iterable[str], externals: Collection[str] = (), *, memory: bool = False) -> dict[str, str]:
    """The C name of each of a program's functions. External functions keep their names."""
    headers = {PROTOTYPES[name].header for name in externals if name in PROTOTYPES}
    declared = [name for name, row in PROTOTYPES.items() if row.header in headers]
    inventor = UniqueNames({*RESERVED, *externals, *declared, *(FURTHER_RESERVED if memory else ())})
    own = {name: name if name == "main" else inventor.unique(identifier(name)) for name in names}
    return own | {name: name for name in externals}


def returns_status(function: Function) -> bool:
    """Whether the function is a `main` without a result, which returns the status 0 in C."""
    return function.name == "main" and function.result is VOID
