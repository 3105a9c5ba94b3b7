"""An LALR(1) parser: a stack of states and, beside it, one of the values made so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from sys import maxsize
from typing import Any

from cpsconv.grammar.tables import Tables

END = "$END"
"""The type of the last token."""

Make = Callable[[list[Any]], Any]


class Rejected(Exception):
    """A token does not fit: the argument."""


class Parser:
    """The parser of one text. A token is anything that has a `type`, the name of a terminal.

    As soon as it has recognised a rule, it calls the method of `rules` that handles it with the values of the rule's
    parts, tokens included; what that gives is the value of the rule.
    """

    def __init__(self, tables: Tables, rules: object) -> None:
        self.values: list[Any] = []
        self._states = [0]
        self._table = tables.states
        self._rules: list[tuple[str, slice, Make | None]] = [
            (origin, _last(size), getattr(rules, method) if method else None) for origin, size, method in tables.rules
        ]
        self._gotos = _Gotos(tables)

    def read(self, tokens: Iterable[Any]) -> None:
        """Read tokens, and ask for none before the one before it has been read.

        At one that does not fit, `Rejected` is raised with it, and others may be read in its place. The rules that the
        tokens before it complete are recognised in either case.
        """
        states, values, table, rules, gotos = self._states, self.values, self._table, self._rules, self._gotos
        state = states[-1]
        for token in tokens:
            type = token.type
            while True:
                try:
                    action = table[state][type]
                except KeyError:
                    raise Rejected(token) from None
                if action >= 0:
                    break
                origin, parts, make = rules[~action]
                if make:
                    values[parts] = [make(values[parts])]
                del states[parts]
                state = gotos[states[-1], origin, type]
                states.append(state)
            state = action
            states.append(state)
            values.append(token)

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
            origin, parts, _ = self._rules[~action]
            del states[parts]
            states.append(self._table[states[-1]][origin])
        return False


def _last(count: int) -> slice:
    """So many elements at the end of a list."""
    return slice(-count if count else maxsize, None)


class _Gotos(dict["tuple[int, str, str]", int]):
    """The state after one in which an `origin` was made, when a token of some type comes next.

    Most rules of expressions only pass a value on, often a dozen in a row. A row is followed once, and remembered.
    """

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, key: tuple[int, str, str]) -> int:
        below, origin, type = key
        rules, states = self._tables.rules, self._tables.states
        state = states[below][origin]
        while (action := states[state].get(type, 0)) < 0 and rules[~action].method is None:
            state = states[below][rules[~action].origin]
        self[key] = state
        return state
