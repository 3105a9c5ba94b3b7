"""An LALR(1) parser, with a stack of states and a stack of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from sys import maxsize
from typing import Any

from cpsconv.grammar.tables import Tables

END = "$END"
"""The type of the last token."""

Make = Callable[[list[Any]], Any]


class Rejected(Exception):
    """A syntax error; the argument is the unexpected token."""


class Parser:
    """The parser of one text. A token is an object with a `type`, the name of a terminal.

    The value of a token is the token itself. The value of a rule is the result of its method of `rules`, which is
    called with the values of the rule's parts when the rule is reduced.
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
        """Read tokens, each after the previous one was processed.

        Raises `Rejected` at a token that does not fit. Then other tokens can be read in its place; rules that ended
        before it may have been reduced.
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
        """The value of the text after `END` was read; before that, of its beginning."""
        return self.values[0]

    def has_action(self, type: str) -> bool:
        """Whether the current state has an action for `type`. (After reductions, the token may not fit.)"""
        return type in self._table[self._states[-1]]

    def accepted(self) -> set[str]:
        """The types of tokens that can come next."""
        terminals = filter(str.isupper, self._table[self._states[-1]])
        return {type for type in terminals if self._follow(type, self._states.copy())}

    def fitting(self, types: Iterable[str], without: int = 0) -> int:
        """The number of tokens of `types`, in this order, that would fit after undoing the last `without` values."""
        states = self._states[: len(self._states) - without]
        count = 0
        for type in types:
            if not self._follow(type, states):
                break
            count += 1
        return count

    def undo(self, count: int) -> list[Any]:
        """Pop the last `count` values from the stack, and return them."""
        start = len(self.values) - count
        undone = self.values[start:]
        del self.values[start:], self._states[start + 1 :]
        return undone

    def _follow(self, type: str, states: list[int]) -> bool:
        """Update `states` for a token of that type. Returns whether it fits."""
        while (action := self._table[states[-1]].get(type)) is not None:
            if action >= 0:
                states.append(action)
                return True
            origin, parts, _ = self._rules[~action]
            del states[parts]
            states.append(self._table[states[-1]][origin])
        return False


def _last(count: int) -> slice:
    """The slice of the last `count` elements of a list."""
    return slice(-count if count else maxsize, None)


class _Gotos(dict["tuple[int, str, str]", int]):
    """The state after a reduction to `origin`, by the state below and the type of the next token.

    Most rules of expressions only pass a value on, often a dozen in a row. Each chain is followed once, then cached.
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
