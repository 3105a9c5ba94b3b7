"""The external functions that C's library declares, with the header and the types of their pointers."""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.core.ir import PTR, Function
from cpsconv.platform.prototypes import COPYING, FUNCTION_POINTER, PROTOTYPES, RESULT_OBJECTS, Prototype, is_complex

VA_LIST = "va_list {}"
"""The declaration of an argument list, in C an array of a type without a name: no pointer can be cast to it."""


class LibraryFunction(NamedTuple):
    """The header of a function, the C types of its parameters and result, and whether it copies an object.

    A type is None if it is neither a pointer nor complex. The result, if it is a pointer, points into the object of the
    argument number `result_object`, if this is not None. No function stores a pointer, except in objects that arguments
    point to.
    """

    header: str
    parameters: tuple[str | None, ...]
    result: str | None = None
    copies: bool = False
    result_object: int | None = None


def _pattern(type: str) -> str | None:
    """The type as the declaration of ``{}``."""
    if FUNCTION_POINTER.fullmatch(type):
        return type.replace("(*)", "(*{})")
    if type == "va_list":
        return VA_LIST
    if type == "__sighandler_t":
        return "void (*{})(int)"
    if is_complex(type):
        return f"{type} {{}}"
    return f"{type}{{}}" if "*" in type else None


def _row(name: str, prototype: Prototype) -> LibraryFunction:
    parameters, result = [_pattern(each) for each in prototype.parameters], _pattern(prototype.result)
    if is_complex(prototype.result):  # the first parameter points to the place for it
        parameters, result = [result, *parameters], None
    result_object = RESULT_OBJECTS.get(name, 0) if result else None
    return LibraryFunction(prototype.header, tuple(parameters), result, name in COPYING, result_object)


LIBRARY = {name: _row(name, prototype) for name, prototype in PROTOTYPES.items()}
"""The functions, by name."""


def library_function(function: Function) -> LibraryFunction | None:
    """The row of an external function, if it has as many parameters, and pointers where the library has them."""
    row = LIBRARY.get(function.name)
    if row is None or function.transfer:
        return None
    are_pointers = [parameter.type is PTR for parameter in function.parameters[:-1]]
    return row if are_pointers == [text is not None for text in row.parameters] else None
