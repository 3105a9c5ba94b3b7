"""The functions of C's library that are external functions of programs: their headers and prototypes.

This is the only table of them: the C front end, the C target and `cpsconv.library` derive their types from it. The
functions of `PROVIDED` are part of every engine; `cpsconv.library` has the others, written in C.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cpsconv.operations.mathematics import MATHEMATICS

COMPARISON = "int (*)(const void *, const void *)"
"""The type of the functions that compare two elements."""

_PROTOTYPES = {
    "ctype.h": """
        int isalnum(int)
        int isalpha(int)
        int isblank(int)
        int iscntrl(int)
        int isdigit(int)
        int isgraph(int)
        int islower(int)
        int isprint(int)
        int ispunct(int)
        int isspace(int)
        int isupper(int)
        int isxdigit(int)
        int tolower(int)
        int toupper(int)
    """,
    "math.h": """
        double fdim(double, double)
        double fmax(double, double)
        double fmin(double, double)
        double frexp(double, int *)
        int ilogb(double)
        double ldexp(double, int)
        long long llrint(double)
        long long llround(double)
        double logb(double)
        long lrint(double)
        long lround(double)
        double modf(double, double *)
        double nan(const char *)
        double nearbyint(double)
        double nextafter(double, double)
        double remainder(double, double)
        double remquo(double, double, int *)
        double rint(double)
        double scalbln(double, long)
        double scalbn(double, int)
    """,
    "stdlib.h": f"""
        int atoi(const char *)
        long atol(const char *)
        long long atoll(const char *)
        void *bsearch(const void *, const void *, size_t, size_t, {COMPARISON})
        void qsort(void *, size_t, size_t, {COMPARISON})
        int rand(void)
        void srand(unsigned)
        long strtol(const char *, char **, int)
        long long strtoll(const char *, char **, int)
        unsigned long strtoul(const char *, char **, int)
        unsigned long long strtoull(const char *, char **, int)
    """,
    "string.h": """
        void *memchr(const void *, int, size_t)
        int memcmp(const void *, const void *, size_t)
        void *memcpy(void *, const void *, size_t)
        void *memmove(void *, const void *, size_t)
        void *memset(void *, int, size_t)
        char *strcat(char *, const char *)
        char *strchr(const char *, int)
        int strcmp(const char *, const char *)
        char *strcpy(char *, const char *)
        size_t strcspn(const char *, const char *)
        char *strdup(const char *)
        size_t strlen(const char *)
        char *strncat(char *, const char *, size_t)
        int strncmp(const char *, const char *, size_t)
        char *strncpy(char *, const char *, size_t)
        char *strpbrk(const char *, const char *)
        char *strrchr(const char *, int)
        size_t strspn(const char *, const char *)
        char *strstr(const char *, const char *)
        char *strtok(char *, const char *)
    """,
}

PROVIDED = frozenset(["memcmp", "memcpy", "memmove", "memset", "strcmp", "strcpy", "strlen"])
"""The functions that every engine, and every target with memory, implements itself."""

COPYING = frozenset(["memcpy", "memmove"])
"""The functions that copy an object of any type."""

RESULT_OBJECTS: dict[str, int | None] = {"bsearch": 1, "strdup": None, "strtok": None}
"""The parameter into whose object a returned pointer points (None if into another object); else it is the first."""


class Prototype(NamedTuple):
    """The header of a function, and the types of its result and parameters, as text."""

    header: str
    result: str
    parameters: tuple[str, ...]


_LINE = re.compile(r"(.*?[ *])(\w+)\((.*)\)")
_PARAMETER = re.compile(r"(?:[^,(]|\([^)]*\))+")


def _prototype(header: str, line: str) -> tuple[str, Prototype]:
    found = _LINE.fullmatch(line)
    assert found, line
    result, name, parameters = found.groups()
    types = tuple([each.strip() for each in _PARAMETER.findall(parameters)])
    return name, Prototype(header, result.strip(), () if types == ("void",) else types)


def _mathematics() -> dict[str, Prototype]:
    """The operations of <math.h>, and the functions of <math.h> for `float`."""
    found = {name: row for name, row in PROTOTYPES.items() if row.header == "math.h"}
    found |= {name: Prototype("math.h", "double", ("double",) * count) for name, count in MATHEMATICS.items()}
    found["fabs"] = found["sqrt"]
    return found | {f"{name}f": _for_float(row) for name, row in found.items()}


def _for_float(row: Prototype) -> Prototype:
    result, *parameters = [each.replace("double", "float") for each in (row.result, *row.parameters)]
    return Prototype(row.header, result, tuple(parameters))


PROTOTYPES: dict[str, Prototype] = dict(
    _prototype(header, line.strip()) for header, lines in _PROTOTYPES.items() for line in lines.strip().splitlines()
)
PROTOTYPES |= _mathematics()
"""The prototypes by the names of the functions."""
