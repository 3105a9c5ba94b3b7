"""The functions of C's library: those that are supported, and those that are not yet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, NamedTuple

from cpsconv.abi.attributes import SETJMP
from cpsconv.abi.prototypes import COMPLEX_HEADER, FUNCTION_POINTER, PROTOTYPES, Prototype, parameter_types
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.languages.c.complex_types import COMPLEX_TYPES, Complex, part_of
from cpsconv.languages.c.records import TAGS
from cpsconv.languages.c.syntax.headers import HEADERS, TypeName
from cpsconv.languages.c.type_specifiers import SPECIFIED_TYPES
from cpsconv.languages.c.types import (
    DOUBLE,
    FLOAT,
    LONG_DOUBLE,
    CType,
    FunctionType,
    decayed,
    function_of,
    pointer_to,
    qualified,
)


class LibraryFunction(NamedTuple):
    """A library function.

    `operation` names the primitive, effect or external continuation that implements a call. If it is None, the function
    is an external function of the program; so is every function of the table `PROTOTYPES` as a value.
    """

    prototype: Prototype
    operation: str | None

    @property
    def header(self) -> str:
        """The header that declares the function."""
        return self.prototype.header

    @property
    def type(self) -> FunctionType:
        """The type of the function."""
        return _function_type(self.prototype)

    @property
    def has_complex_numbers(self) -> bool:
        """Whether the function takes or returns complex numbers, so that a call through a pointer passes pointers."""
        return any(isinstance(each, Complex) for each in (self.type.result, *self.type.parameters))


@cache
def _function_type(prototype: Prototype) -> FunctionType:
    return function_of(
        named_type(prototype.result), map(named_type, prototype.parameters), variadic=prototype.is_variadic
    )


def named_type(text: str) -> CType:
    """The type that a prototype or object of the library states."""
    if function := FUNCTION_POINTER.fullmatch(text):
        parameters = map(named_type, parameter_types(function["parameters"]))
        return pointer_to(function_of(named_type(function["result"].strip()), parameters))
    if text.endswith("*"):
        return pointer_to(named_type(text[:-1].strip()))
    if text.endswith((" const", "*const")):
        return qualified(named_type(text.removesuffix("const").strip()), ["const"])
    if text.startswith(("const ", "volatile ")):
        qualifier, _, rest = text.partition(" ")
        return qualified(named_type(rest), [qualifier])
    return SPECIFIED_TYPES.get(tuple(sorted(text.split()))) or decayed(_types_of_headers()[text])


@cache
def _types_of_headers() -> dict[str, CType]:
    """The types and structs that the standard headers define, by their names."""
    known = (definition for names in HEADERS.values() for definition in names.items())
    found: dict[str, Any] = {name: each.type for name, each in known if isinstance(each, TypeName)}
    return found | {f"struct {tag}": record for records in TAGS.values() for tag, record in records.items()}


def _mathematics() -> Iterator[LibraryFunction]:
    """The functions of <math.h> that are primitives: ``fabs``, ``sqrt``, ``sqrtf``, …"""
    for name in ("fabs", *MATHEMATICS):
        for type in (DOUBLE, FLOAT, LONG_DOUBLE):
            yield LibraryFunction(PROTOTYPES[platform_name(name, type.program)], "abs" if name == "fabs" else name)


_OPERATIONS = {
    **{name: name for name in ("printf", "puts", "putchar", "abort", "malloc", "calloc", "realloc", "free")},
    **dict.fromkeys(["abs", "labs", "llabs"], "abs"),
    "exit": "halt",
}

_OF_PARTS = {"creal": "__real__", "cimag": "__imag__", "conj": "~"}
COMPLEX_OPERATIONS = frozenset(_OF_PARTS.values())
"""The operators of GNU C that are functions of <complex.h>."""

LIBRARY = {
    row.prototype.name: row
    for row in (
        *(LibraryFunction(each, None) for each in PROTOTYPES.values()),
        *(LibraryFunction(PROTOTYPES[name], operation) for name, operation in _OPERATIONS.items()),
        LibraryFunction(Prototype("setjmp.h", "int sigsetjmp(struct __jmp_buf_tag *, int)"), SETJMP),
        LibraryFunction(Prototype("setjmp.h", "void longjmp(struct __jmp_buf_tag *, int)"), "longjmp"),
        LibraryFunction(Prototype("alloca.h", "void *alloca(size_t)"), "allocate"),
        *_mathematics(),
        *(LibraryFunction(PROTOTYPES[name + each], op) for name, op in _OF_PARTS.items() for each in ("", "f", "l")),
    )
}
"""The supported library functions."""

FORMATS = {
    **dict.fromkeys(["printf", "wprintf"], 0),
    **dict.fromkeys(["dprintf", "fprintf", "sprintf", "asprintf", "fwprintf"], 1),
    **dict.fromkeys(["snprintf", "swprintf"], 2),
}
"""The functions that print by a format: the position of the format among the parameters."""

SCANNING = frozenset({"scanf", "fscanf", "sscanf", "wscanf", "fwscanf", "swscanf"})
"""The functions that read by a format, their last parameter."""

ASSERT_HEADER = "assert.h"
"""The header that defines the macro `assert`."""

PURE = frozenset(
    [
        *("abs", "labs", "llabs", "atof", "atoi", "atol", "atoll", "memchr", "memcmp"),
        *("ceil", "cos", "fabs", "floor", "round", "sin", "strlen", "strnlen"),
        *("strchr", "strrchr", "strstr", "strpbrk", "strspn", "strcspn"),
        *("strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll"),
    ]
)
"""The functions that only compute a result, of which gcc warns if it is not used."""

TYPE_GENERIC = "tgmath.h"
"""The header in which a function of <math.h> is also a macro for the function for `float`."""


def is_type_generic(name: str) -> bool:
    """Whether <tgmath.h> has a macro of that name."""
    parameters = LIBRARY[name].type.parameters
    return (DOUBLE in parameters and name != "modf") or COMPLEX_TYPES[DOUBLE] in parameters


def generic_function(name: str, arguments: Collection[CType]) -> str | None:
    """The function that a macro of <tgmath.h> calls for arguments of these types; None if there is none.

    It is that for the widest floating type. An integer counts as a `double`.
    """
    parts = {part_of(each) for each in arguments}
    suffix = "l" if LONG_DOUBLE in parts else "f" if parts == {FLOAT} else ""
    if any(isinstance(each, Complex) for each in arguments) and LIBRARY[name].header != COMPLEX_HEADER:
        name = "cabs" if name == "fabs" else f"c{name}"
    return name + suffix if name + suffix in LIBRARY else None


_OF_ENVIRONMENT = """feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feraiseexcept fesetenv
    fesetexceptflag fesetround fetestexcept feupdateenv"""
UNSUPPORTED = frozenset(_OF_ENVIRONMENT.split())
"""The functions of <fenv.h>, with which the results of operations would depend on a state."""
