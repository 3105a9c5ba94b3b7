"""Lark's parser as it is fed a token at a time: a stack of states and, beside it, one of the values made so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any

from cpsconv.frontends.c.tokens import Token
from cpsconv.source import Source, Span

if TYPE_CHECKING:
    from lark import Lark

_NOWHERE = Span(Source("", ""), 0, 0)


class Pushdown:
    """The parser of one text. `Rejected` is what `feed` raises for a token that does not fit; it may be mended then."""

    def __init__(self, lark: Lark, shown: dict[str, str]) -> None:
        from lark.exceptions import UnexpectedToken

        self.Rejected = UnexpectedToken
        self._shown = shown
        self._parser: Any = lark.parse_interactive()
        self._states: list[Any] = self._parser.parser_state.state_stack
        self.values: list[Any] = self._parser.parser_state.value_stack
        self.feed: Callable[[Any], Any] = self._parser.feed_token  # lark asks no more of a token than its type

    def has_action(self, type: str) -> bool:
        """Whether the parser has something to do at a token of that type, though it may turn out not to fit."""
        return type in self._parser.choices()

    def accepted(self) -> set[str]:
        """The spellings of the tokens that fit; the names of terminals that have many spellings."""
        return {self._shown.get(type, type) for type in self._parser.accepts()}

    def fitting(self, types: Iterable[str], without: int = 0) -> int:
        """How many tokens of these types, in this order, would fit if the last `without` values were undone."""
        trial = self._parser.copy(deepcopy_values=False)
        state = trial.parser_state
        state.parse_conf = copy(state.parse_conf)
        state.parse_conf.callbacks = {}
        for stack in (state.state_stack, state.value_stack):
            del stack[len(stack) - without :]
        count = 0
        with suppress(self.Rejected):
            for type in types:
                trial.feed_token(Token(type, "", _NOWHERE))
                count += 1
        return count

    def undo(self, count: int) -> list[Any]:
        """Take the last `count` values off the stack."""
        start = len(self.values) - count
        undone = self.values[start:]
        del self.values[start:], self._states[len(self._states) - count :]
        return undone
