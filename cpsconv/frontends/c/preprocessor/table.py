"""The table of macros, which can restore its earlier states."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from operator import itemgetter
from typing import Protocol

from cpsconv.frontends.c.preprocessor.macros import Macro


class Definitions(Protocol):
    """Macros by name."""

    def get(self, name: str, /) -> Macro | None:
        """The macro of a name, if there is one."""

    def has_any(self, tokens: list[str]) -> bool:
        """Whether one of the tokens may be the name of a macro."""


class MacroTable(dict[str, Macro]):
    """The current macros by name, and the changes made, in order, each with the macro that it replaces."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[tuple[str, Macro | None]] = []

    def define(self, macro: Macro) -> None:
        """Add a macro, or replace the one of that name."""
        self.changes.append((macro.name, self.get(macro.name)))
        self[macro.name] = macro

    def remove(self, name: str) -> None:
        """Remove the macro of that name, if there is one."""
        if name in self:
            self.changes.append((name, self.pop(name)))

    def has_any(self, tokens: list[str]) -> bool:
        """Whether one of the tokens is the name of a macro."""
        return not self.keys().isdisjoint(tokens)

    def after(self, count: int) -> EarlierMacros:
        """The macros after the first `count` changes. The table must not change any more."""
        return EarlierMacros(self, self._replaced, count)

    @cached_property
    def _replaced(self) -> dict[str, list[tuple[int, Macro | None]]]:
        """For each name, the numbers of the changes that concern it, with the replaced macros."""
        found: defaultdict[str, list[tuple[int, Macro | None]]] = defaultdict(list)
        for number, (name, macro) in enumerate(self.changes):
            found[name].append((number, macro))
        return found


class EarlierMacros:
    """The macros after the first `count` changes of a table."""

    def __init__(self, table: MacroTable, replaced: dict[str, list[tuple[int, Macro | None]]], count: int) -> None:
        self._table, self._replaced, self._count = table, replaced, count

    def get(self, name: str, /) -> Macro | None:
        """The macro of a name, if there is one."""
        changes = self._replaced.get(name, ())
        index = bisect_left(changes, self._count, key=itemgetter(0))
        return changes[index][1] if index < len(changes) else self._table.get(name)

    def has_any(self, tokens: list[str]) -> bool:
        """Whether one of the tokens is the name of a macro."""
        return any(map(self.get, tokens))
