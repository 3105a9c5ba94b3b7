"""An LALR(1) parser that is fed a token at a time: a stack of states and, beside it, one of the values made so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cpsconv.grammar.tables import Tables

END = "$END"
"""The type of the last token."""

Make = Callable[[list[Any]], Any]


class Rejected(Exception):
    """A token does not fit."""


class Parser:
    """The parser of one text. A token is anything that has a `type`, the name of a terminal.

    As soon as it has recognised a rule, it calls the method of `rules` that handles it with the values of the rule's
    parts, tokens included; what that gives is the value of the rule.
    """

    def __init__(self, tables: Tables, rules: object) -> None:
        self.values: list[Any] = []
        self._states = [0]
        self._table = tables.states
        self._rules: list[tuple[str, int, Make | None]] = [
            (origin, size, getattr(rules, method) if method else None) for origin, size, method in tables.rules
        ]

    def feed(self, token: Any) -> None:
        """Read a token. If it does not fit, `Rejected` is raised, and another one may be fed in its place.

        The rules that the tokens before it complete are recognised in either case.
        """
        states, values, table, rules, type = self._states, self.values, self._table, self._rules, token.type
        while True:
            action = table[states[-1]].get(type)
            if action is None:
                raise Rejected
            if action >= 0:
                states.append(action)
                values.append(token)
                return
            origin, size, make = rules[~action]
            if make is None:
                states[-1] = table[states[-2]][origin]
                continue
            start = len(values) - size
            parts = values[start:]
            del values[start:], states[start + 1 :]
            values.append(make(parts))
            states.append(table[states[-1]][origin])

    def result(self) -> Any:
        """What the text was made into, when `END` was fed; if that did not fit, what was made of its beginning."""
        return self.values[0]

    def has_action(self, type: str) -> bool:
        """Whether there is something to do at a token of that type, though it may turn out not to fit."""
        return type in self._table[self._states[-1]]

    def accepted(self) -> set[str]:
        """The types of tokens that fit."""
        terminals = filter(str.isupper, self._table[self._states[-1]])
        return {type for type in terminals if self._follow(type, self._states.copy())}

    def fitting(self, types: Iterable[str], without: int = 0) -> int:
        """How many tokens of these types, in this order, would fit if the last `without` values were undone."""
        states = self._states[: len(self._states) - without]
        count = 0
        for type in types:
            if not self._follow(type, states):
                break
            count += 1
        return count

    def undo(self, count: int) -> list[Any]:
        """Take the last `count` values off the stack."""
        start = len(self.values) - count
        undone = self.values[start:]
        del self.values[start:], self._states[start + 1 :]
        return undone

    def _follow(self, type: str, states: list[int]) -> bool:
        """Do to `states` what a token of that type would. Whether it fits."""
        while (action := self._table[states[-1]].get(type)) is not None:
            if action >= 0:
                states.append(action)
                return True
            origin, size, _ = self._rules[~action]
            del states[len(states) - size :]
            states.append(self._table[states[-1]][origin])
        return False
