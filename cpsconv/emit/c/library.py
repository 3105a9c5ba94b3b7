"""The external functions that C's library declares, with the header and the types of their pointers."""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.ir import PTR, Function


class LibraryFunction(NamedTuple):
    """The header of a function, the C types of its parameters and result, and whether it copies an object.

    A type is None if it is no pointer. The result, if it is a pointer, points into the object of the first argument.
    No function stores a pointer.
    """

    header: str
    parameters: tuple[str | None, ...]
    result: str | None = None
    copies: bool = False


_TEXT, _MEMORY = "char *{}", "void *{}"
_READ_TEXT, _READ_MEMORY = f"const {_TEXT}", f"const {_MEMORY}"

LIBRARY = {
    "strlen": LibraryFunction("string.h", (_READ_TEXT,)),
    "strcmp": LibraryFunction("string.h", (_READ_TEXT, _READ_TEXT)),
    "strncmp": LibraryFunction("string.h", (_READ_TEXT, _READ_TEXT, None)),
    "strcpy": LibraryFunction("string.h", (_TEXT, _READ_TEXT), _TEXT),
    "strncpy": LibraryFunction("string.h", (_TEXT, _READ_TEXT, None), _TEXT),
    "strcat": LibraryFunction("string.h", (_TEXT, _READ_TEXT), _TEXT),
    "strncat": LibraryFunction("string.h", (_TEXT, _READ_TEXT, None), _TEXT),
    "strchr": LibraryFunction("string.h", (_READ_TEXT, None), _TEXT),
    "strrchr": LibraryFunction("string.h", (_READ_TEXT, None), _TEXT),
    "strstr": LibraryFunction("string.h", (_READ_TEXT, _READ_TEXT), _TEXT),
    "memcpy": LibraryFunction("string.h", (_MEMORY, _READ_MEMORY, None), _MEMORY, copies=True),
    "memmove": LibraryFunction("string.h", (_MEMORY, _READ_MEMORY, None), _MEMORY, copies=True),
    "memset": LibraryFunction("string.h", (_MEMORY, None, None), _MEMORY),
    "memcmp": LibraryFunction("string.h", (_READ_MEMORY, _READ_MEMORY, None)),
    "memchr": LibraryFunction("string.h", (_READ_MEMORY, None, None), _MEMORY),
}
"""The functions, by name."""


def library_function(function: Function) -> LibraryFunction | None:
    """The row of an external function, if it has as many parameters, and pointers where the library has them."""
    row = LIBRARY.get(function.name)
    if row is None or function.transfer:
        return None
    are_pointers = [parameter.type is PTR for parameter in function.parameters[:-1]]
    return row if are_pointers == [text is not None for text in row.parameters] else None
