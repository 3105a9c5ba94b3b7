"""Libraries: the definitions of external functions and data, which languages supply for programs in all languages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Protocol, cast

from cpsconv.core.ir import Data, Function, Struct
from cpsconv.core.source import DiagnosticError, error


class Definitions(Protocol):
    """The functions and data of a program that defines a part of a library."""

    structs: dict[str, Struct]

    def read(self, name: str) -> list[Function | Data]:
        """The function or data with this name, and those that it uses and no call before has read."""


class Library(Protocol):
    """A module with these functions."""

    @staticmethod
    def source_of(name: str) -> str | None:
        """The name of the program that defines the function or data of this name; None if the library has none."""

    @staticmethod
    def definitions(source: str) -> Definitions:
        """A new copy of the program of that name."""


LIBRARIES = ["cpsconv.languages.c.library"]
"""The modules of the libraries, which are imported on use. A module that does not exist defines nothing."""


def library_of(name: str) -> Library | None:
    """The library that defines the external function or data of this name, if any."""
    return next((each for each in _installed() if each.source_of(name) is not None), None)


def _installed() -> Iterator[Library]:
    return (cast(Library, library) for library in map(installed, LIBRARIES) if library)


def required(module: str, what: str, rule: str = "tool") -> ModuleType:
    """The module with that name.

    Raises `DiagnosticError`, which states that `what` is not installed, if the module has been removed, or another one
    of the package that it imports.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as failure:
        missing = module if f"{module}.".startswith(f"{failure.name}.") else str(failure.name)
        if not missing.startswith("cpsconv.") and missing != module:
            raise
        message = f"{what} is not installed: there is no module `{missing}`"
        raise DiagnosticError([error(message, rule=rule)]) from None


def installed(module: str) -> ModuleType | None:
    """The module with that name; None if it, or a package that contains it, does not exist."""
    try:
        return import_module(module)
    except ModuleNotFoundError as failure:
        if f"{module}.".startswith(f"{failure.name}."):
            return None
        raise
