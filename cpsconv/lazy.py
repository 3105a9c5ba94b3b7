"""Names of a package that are imported only when they are asked for, since that takes its time."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def lazily(package: str, modules: Mapping[str, str]) -> None:
    """Let each of these names of a package be that of something in its module, or of the module itself.

    Where a module of the package has the same name as a function in it, the name means the function, whoever imports
    the module.
    """
    module = sys.modules[package]
    vars(module)["__lazy__"] = modules
    module.__class__ = _Package


class _Package(ModuleType):
    __lazy__: Mapping[str, str]

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there. Raises `AttributeError`."""
        if name not in self.__lazy__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module = import_module(self.__lazy__[name])
        return getattr(module, name, module)

    def __setattr__(self, name: str, value: Any) -> None:
        """Also called by the import system when it has imported a module of the package."""
        if not (name in self.__lazy__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)
