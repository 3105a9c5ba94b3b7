"""The functions of C's library that are external functions of programs: their headers and prototypes.

This is the only table of them: the C front end, the C target and `cpsconv.library` derive their types from it. The
functions of `PROVIDED` are part of every engine; `cpsconv.library` has the others, written in C. It is built on the
*system calls*, which programs do not call themselves: their header is `SYSTEM`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cpsconv.ir import INT, LONG, PTR, UNSIGNED, UNSIGNED_LONG, ContinuationType, Function, Scalar
from cpsconv.source import DiagnosticError, error

SYSTEM = "system"
"""The header of the system calls, which no program includes."""

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
    "system": """
        long __read(int, void *, size_t)
        long __write(int, const void *, size_t)
        int __open(const char *, int)
        int __close(int)
        long __seek(int, long, int)
        int __unlink(const char *)
        int __rename(const char *, const char *)
        long __time(void)
        long __clock(void)
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

COPYING = frozenset(["memcpy", "memmove"])
"""The functions that copy an object of any type."""

RESULT_OBJECTS: dict[str, int | None] = {"bsearch": 1, "strdup": None, "strtok": None}
"""The parameter into whose object a returned pointer points (None if into another object); else it is the first."""


class Prototype(NamedTuple):
    """The header of a function, and the types of its result and parameters, as text."""

    header: str
    result: str
    parameters: tuple[str, ...]

    @property
    def type(self) -> ContinuationType:
        """The type of the function in the program."""
        result = () if self.result == "void" else (_scalar(self.result),)
        return ContinuationType((*map(_scalar, self.parameters), ContinuationType(result)))


def _scalar(type: str) -> Scalar:
    return PTR if "*" in type else _SCALARS[type]


_SCALARS = {"int": INT, "unsigned": UNSIGNED, **dict.fromkeys(["long", "long long"], LONG)}
_SCALARS |= dict.fromkeys(["size_t", "unsigned long", "unsigned long long"], UNSIGNED_LONG)

_LINE = re.compile(r"(.*?[ *])(\w+)\((.*)\)")
_PARAMETER = re.compile(r"(?:[^,(]|\([^)]*\))+")


def _prototype(header: str, line: str) -> tuple[str, Prototype]:
    found = _LINE.fullmatch(line)
    assert found, line
    result, name, parameters = found.groups()
    types = tuple([each.strip() for each in _PARAMETER.findall(parameters)])
    return name, Prototype(header, result.strip(), () if types == ("void",) else types)


PROTOTYPES: dict[str, Prototype] = dict(
    _prototype(header, line.strip()) for header, lines in _PROTOTYPES.items() for line in lines.strip().splitlines()
)
"""The prototypes by the names of the functions."""

_IN_MEMORY = ["memcmp", "memcpy", "memmove", "memset", "strcmp", "strcpy", "strlen"]

PROVIDED: dict[str, ContinuationType] = {
    name: row.type for name, row in PROTOTYPES.items() if row.header == SYSTEM or name in _IN_MEMORY
}
"""The functions that every engine, and every functional target with memory, implements itself, with their types."""


def require_provided(function: Function, provider: str) -> None:
    """Raise `DiagnosticError`, which names the `provider`, unless it has the external function with its type."""
    type = PROVIDED.get(function.name)
    if type is None:
        known = ", ".join(f"`{name}`" for name, row in PROTOTYPES.items() if row.header != SYSTEM)
        message = f"{provider} has no external function `{function.name}`"
        raise DiagnosticError([error(message, function.span, help=f"it has {known}", rule="external")])
    if function.type != type:
        message = f"the external function `{function.name}` of {provider} has the type `{type}`"
        raise DiagnosticError([error(message, function.span, rule="external")])
