"""Legal names in C: letters, digits and underscores, except keywords and names of the C library."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from cpsconv.core.ir import VOID, Function
from cpsconv.core.text.plan import UniqueNames
from cpsconv.platform.prototypes import PROTOTYPES

_KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm
    typeof alignas alignof bool complex constexpr false noreturn nullptr static_assert thread_local true"""

_HEADERS = ("stdio.h", "stdlib.h", "math.h")
"""The headers that every program may include."""

# Further declarations of these headers and of <assert.h>, also those on Unix, as gcc reads them without -std=c11.
_FURTHER = """assert errno main puts putchar exit abort abs labs llabs EOF NULL BUFSIZ stdin stdout stderr gets
    tmpfile tmpnam atexit calloc div free ldiv lldiv malloc quick_exit realloc CHAR_BIT CHAR_MAX CHAR_MIN
    INT_MAX INT_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN RAND_MAX SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN
    UCHAR_MAX UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX EXIT_FAILURE EXIT_SUCCESS HUGE_VAL INFINITY NAN M_E M_PI
    fileno getdelim getline alloca ctermid dprintf ecvt fcvt fdopen fmemopen fseeko ftello gcvt getsubopt getw
    initstate mkdtemp mkstemp mktemp open_memstream pclose popen pselect putenv putw random realpath renameat
    rpmatch select setbuffer setenv setlinebuf setstate srandom tempnam unsetenv valloc vdprintf"""

# Functions of <math.h> with variants for `float` and `long double`.
_MATH = "gamma j0 j1 jn scalb significand y0 y1 yn"

# Further declarations of <string.h>, <strings.h> and <stddef.h>, which only programs with memory include.
_STRINGS = """memccpy memmem mempcpy offsetof ptrdiff_t size_t stpncpy strsep strsignal bcmp bcopy bzero ffs
    index rindex max_align_t wchar_t"""

# Macros of <signal.h>, <sys/stat.h>, <getopt.h> and gcc with names of variables: `si_addr` is a path of fields.
_MACROS = """linux unix no_argument optional_argument required_argument math_errhandling sa_handler sa_sigaction
    si_addr si_addr_lsb si_arch si_band si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status
    si_stime si_syscall si_timerid si_uid si_upper si_utime si_value sigev_notify_attributes sigev_notify_function
    st_atime st_ctime st_mtime"""


def _declared(headers: Collection[str]) -> list[str]:
    return [name for name, row in PROTOTYPES.items() if row.header in headers]


RESERVED = frozenset(
    [*_KEYWORDS.split(), *_declared(_HEADERS), *_FURTHER.split(), *_MACROS.split()]
    + [name + suffix for name in _MATH.split() for suffix in ("", "f", "l")]
)
"""Reserved names. (A function may have the name `main`.)"""


FURTHER_RESERVED = frozenset([*_declared(("string.h", "strings.h")), *_STRINGS.split()])
"""Names that are reserved in programs with memory."""


def identifier(hint: str) -> str:
    """`hint` as an identifier. C reserves names that begin with two underscores, or with one and a capital letter."""
    name = re.sub(r"[^0-9A-Za-z_]", "_", hint)
    return f"v{name}" if not name.strip("_") or re.match(r"[0-9]|_[_A-Z]", name) else name


def function_names(
    names: Iterable[str], externals: Collection[str] = (), differing: Collection[str] = (), *, memory: bool = False
) -> dict[str, str]:
    """The C name of each of a program's functions.

    External functions keep their names, except the `differing` ones, which headers may declare with other types.
    """
    declared = _declared({PROTOTYPES[name].header for name in externals if name in PROTOTYPES})
    inventor = UniqueNames({*RESERVED, *externals, *declared, *(FURTHER_RESERVED if memory else ())})
    own = {name: name if name == "main" else inventor.unique(identifier(name)) for name in names}
    return own | {name: inventor.unique(name) if name in differing else name for name in externals}


def assembler_name(name: str, symbol: str) -> str:
    """The end of the declaration of an item that other files call by another name in C: `` __asm__("symbol")``."""
    is_possible = re.fullmatch(r"[A-Za-z_][0-9A-Za-z_]*", symbol) and symbol not in _KEYWORDS.split()
    return f' __asm__("{symbol}")' if is_possible and name != symbol else ""


def returns_status(function: Function) -> bool:
    """Whether the function is a `main` without a result, which returns the status 0 in C."""
    return function.name == "main" and function.result is VOID
