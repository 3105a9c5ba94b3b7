"""The names of the operations that print with a format, and that manage objects on the heap; that of a rule on them.

The package names them otherwise (`cpsconv.core.NAMES`).
"""

from __future__ import annotations

from cpsconv.core import NAMES


def _named(name: str) -> str:
    return NAMES.get(name, name)


PRINT = _named("print")
"""Prints its other operands by its first one, a format (`cpsconv.core.operations.formats`)."""

PRINT_LINE = _named("print_line")
"""Prints a string and a line feed."""

PRINT_CHARACTER = _named("print_character")

CREATE = _named("create")
"""Creates an object of so many bytes on the heap, which are not initialised."""

CREATE_ZEROED = _named("create_zeroed")
"""Creates an object of so many elements of so many bytes each, which are zeros."""

RESIZE = _named("resize")
"""Creates an object with the content of another one, which ends."""

RELEASE = _named("release")
"""Ends an object on the heap."""

RELEASE_NONHEAP = _named("release-nonheap-object")
"""The rule of warnings about a release of another object."""
