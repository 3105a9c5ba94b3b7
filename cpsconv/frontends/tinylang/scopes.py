"""The scopes of tinylang, and the errors of its programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Union

from cpsconv.frontends.tinylang import typed_tree as t
from cpsconv.frontends.tinylang.tree import Word
from cpsconv.frontends.tinylang.types import BOOLEAN, INTEGER, NIL, UNKNOWN, Type
from cpsconv.source import Diagnostic, Note, Span, did_you_mean, error, warning


class TypeEntry(NamedTuple):
    type: Type
    span: Span | None = None


class ConstantEntry(NamedTuple):
    type: Type
    value: int
    span: Span | None = None


class Predeclared(NamedTuple):
    """A predeclared procedure."""

    name: str
    span: Span | None = None


class Broken(NamedTuple):
    """A declaration with an error, which was reported."""

    span: Span | None = None


class Scope:
    """The declarations of a module or procedure, with those of the enclosing one."""

    def __init__(self, enclosing: Scope | None = None) -> None:
        self.names: dict[str, Entry] = {}
        self.enclosing = enclosing

    def find(self, name: str) -> Entry | None:
        return next((scope.names[name] for scope in self._all() if name in scope.names), None)

    def known(self) -> list[str]:
        return [name for scope in self._all() for name in scope.names]

    def _all(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope:
            yield scope
            scope = scope.enclosing


@dataclass(eq=False, slots=True)
class ModuleEntry:
    """An imported module."""

    name: str
    scope: Scope
    span: Span | None = None


Entry = Union[TypeEntry, ConstantEntry, Predeclared, Broken, ModuleEntry, t.Variable, t.Procedure]


def predeclared() -> Scope:
    """The scope of the names that every module knows."""
    scope = Scope()
    scope.names |= {"INTEGER": TypeEntry(INTEGER), "BOOLEAN": TypeEntry(BOOLEAN)}
    scope.names |= {"FALSE": ConstantEntry(BOOLEAN, 0), "TRUE": ConstantEntry(BOOLEAN, 1), "NIL": ConstantEntry(NIL, 0)}
    scope.names |= {name: Predeclared(name) for name in ("NEW", "DISPOSE")}
    return scope


IN_OUT = "InOut"
"""The module of output, unless a file has that name."""


def in_out() -> Scope:
    """The declarations of the module `IN_OUT`."""
    scope = Scope()
    scope.names |= {name: Predeclared(name) for name in ("WriteInt", "WriteString", "WriteLn")}
    return scope


class Errors:
    """The errors found, in the order of their discovery."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []

    def add(
        self, message: str, span: Span, rule: str, help: str | None = None, notes: list[Note] | None = None
    ) -> t.Constant:
        """Report an error; returns an expression of unknown type."""
        self.found.append(error(message, span, help=help, notes=notes or (), rule=rule))
        return t.Constant(UNKNOWN, 0, span)

    def warn(self, message: str, span: Span, rule: str, help: str | None = None) -> None:
        """Report a warning of the group `rule`."""
        self.warnings.append(warning(message, span, help=help, rule=rule))

    def define(self, scope: Scope, name: Word, entry: Entry) -> None:
        """Add a declaration. Reports a second one of the name."""
        before = scope.names.get(name.text)
        if before is None or before == Broken():
            scope.names[name.text] = entry
            return
        notes: list[Note] = [("it is first declared here", before.span)] if before.span else []
        self.add(f"`{name.text}` is declared twice", name.span, "redefined", notes=notes)

    def look_up(self, scope: Scope, name: Word, owner: str = "") -> Entry | None:
        """The declaration of the name. Reports an unknown one."""
        found = scope.find(name.text)
        if found is None:
            where = f" in module `{owner}`" if owner else ""
            self.add(
                f"`{name.text}` is not declared{where}", name.span, "undeclared", did_you_mean(name.text, scope.known())
            )
            scope.names.setdefault(name.text, Broken())
        return found
