"""Libraries: the definitions of external functions and data, which languages supply for programs in all languages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Protocol, cast

from cpsconv.core.ir import Program


class Library(Protocol):
    """A module with these functions."""

    @staticmethod
    def source_of(name: str) -> str | None:
        """The name of the program that defines the function or data of this name; None if the library has none."""

    @staticmethod
    def definitions(source: str) -> Program:
        """A new copy of the program of that name."""


LIBRARIES = ["cpsconv.languages.c.library"]
"""The modules of the libraries, which are imported on use. A module that does not exist defines nothing."""


def library_of(name: str) -> Library | None:
    """The library that defines the external function or data of this name, if any."""
    return next((each for each in _installed() if each.source_of(name) is not None), None)


def _installed() -> Iterator[Library]:
    return (cast(Library, library) for library in map(installed, LIBRARIES) if library)


def installed(module: str) -> ModuleType | None:
    """The module with that name; None if it, or a package that contains it, does not exist."""
    try:
        return import_module(module)
    except ModuleNotFoundError as failure:
        if f"{module}.".startswith(f"{failure.name}."):
            return None
        raise
