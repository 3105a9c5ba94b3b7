"""An LALR(1) parser with a stack of states and a parallel stack of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from sys import maxsize
from typing import Any

from cpsconv.core.grammar.tables import States, Tables

END = "$END"
"""The type of the last token."""

Action = Callable[[Any, list[Any]], Any]


class Rejected(Exception):
    """A token, the argument, is not accepted at its position."""


class Parser:
    """The parser of one text. A token is any object with a `type`, the name of a terminal.

    When the parser reduces by a rule, it calls the method of `rules` with the rule's name. Its
    argument is the list of the values of the rule's parts, tokens included; its result is the value of the rule.
    """

    def __init__(self, tables: Tables, rules: object) -> None:
        self.values: list[Any] = []
        self._states = [0]
        self._table = tables.states
        self._table.decode(0)
        self._handlers = rules
        handlers: Any = type(rules)
        self._rules = _reductions(tables.states, handlers)

    def read(self, tokens: Iterable[Any]) -> None:
        """Read tokens, each before the next is requested from the iterator.

        Raises `Rejected` for a token that is not accepted; other tokens may then be read in its place. Reductions that
        precede the error have been made in either case.
        """
        states, values, table, rules = self._states, self.values, self._table, self._rules
        handlers = self._handlers
        decoded = table.decoded  # has every state that is on the stack
        state = states[-1]
        for token in tokens:
            type = token.type
            while True:
                try:
                    action = decoded[state][type]
                except KeyError:
                    raise Rejected(token) from None
                if action >= 0:
                    break
                gotos, parts, method = rules[~action]
                if method:
                    values[parts] = [method(handlers, values[parts])]
                del states[parts]
                state = gotos[states[-1]][type]
                states.append(state)
            state = action
            if decoded[state] is None:
                table.decode(state)
            states.append(state)
            values.append(token)

    def result(self) -> Any:
        """The value of the text after `END` was read; if `END` was rejected, the value of its first part."""
        return self.values[0]

    def has_action(self, type: str) -> bool:
        """Whether the state has an action for a token of that type. Reductions may still lead to a rejection."""
        return type in self._table[self._states[-1]]

    def accepted(self) -> set[str]:
        """The types of the tokens that are accepted next."""
        terminals = filter(str.isupper, self._table[self._states[-1]])
        return {type for type in terminals if self._follow(type, self._states.copy())}

    def fitting(self, types: Iterable[str], without: int = 0) -> int:
        """The number of tokens of these types that would be accepted in order, without the last `without` values."""
        states = self._states[: len(self._states) - without]
        count = 0
        for type in types:
            if not self._follow(type, states):
                break
            count += 1
        return count

    def size_after(self, type: str) -> int:
        """The number of values that the parser would have after a token of that type."""
        states = self._states.copy()
        self._follow(type, states)
        return len(states) - 1

    def undo(self, count: int) -> list[Any]:
        """Remove and return the last `count` values of the stack."""
        start = len(self.values) - count
        undone = self.values[start:]
        del self.values[start:], self._states[start + 1 :]
        return undone

    def _follow(self, type: str, states: list[int]) -> bool:
        """Apply the actions for a token of that type to `states`. Returns whether the token is accepted."""
        while (action := self._table[states[-1]].get(type)) is not None:
            if action >= 0:
                states.append(action)
                return True
            gotos, parts, _ = self._rules[~action]
            del states[parts]
            states.append(self._table[states[-1]][gotos.origin])
        return False


@cache
def _reductions(states: States, handlers: type) -> list[tuple[_Gotos, slice, Action | None]]:
    """For each rule: the states after a reduction, the parts among the values, and the method of the class."""
    gotos = {rule.origin: _Gotos(states, rule.origin) for rule in states.rules}
    return [
        (gotos[origin], _last(size), getattr(handlers, method) if method else None)
        for origin, size, method in states.rules
    ]


def _last(count: int) -> slice:
    """The slice of the last `count` elements of a list."""
    return slice(-count if count else maxsize, None)


class _Gotos(dict[int, "_Row"]):
    """The states after a reduction to `origin`: for each state below it, a row, created on first use."""

    def __init__(self, states: States, origin: str) -> None:
        super().__init__()
        self.origin = origin
        self._states = states

    def __missing__(self, below: int) -> _Row:
        row = self[below] = _Row(self._states, self.origin, below)
        return row


class _Row(dict[str, int]):
    """The state after a reduction to `origin` in the state `below`, by the type of the next token.

    Most reductions in expressions only pass a value on, often a dozen in a row. Such a chain is one entry, computed on
    first use.
    """

    def __init__(self, states: States, origin: str, below: int) -> None:
        super().__init__()
        self._states = states
        self._origin, self._below = origin, below

    def __missing__(self, type: str) -> int:
        states = self._states
        rules = states.rules
        state = states[self._below][self._origin]
        while (action := states[state].get(type, 0)) < 0 and rules[~action].method is None:
            state = states[self._below][rules[~action].origin]
        self[type] = state
        return state
