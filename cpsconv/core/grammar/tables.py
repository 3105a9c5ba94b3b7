"""Grammars, their LALR tables, and the file format of tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os.path import join
from typing import Any, NamedTuple

from cpsconv.core.generated import data_folder

GRAMMARS = data_folder("grammars")
"""The folder of the grammars."""


class Rule(NamedTuple):
    """A rule of the grammar: `size` symbols are reduced to an `origin`.

    `method` is the name of the method that handles the rule. A rule without a method has a single part and its value.
    """

    origin: str
    size: int
    method: str | None


class States:
    """The states by their numbers. Each is decoded at its first use, since a text reaches few of them.

    `encoded` has for each state the actions as decimal numbers, each with its symbols, separated by spaces. `decoded`
    has the decoded states, and None for the others. `rules` are those of the tables.
    """

    def __init__(self, encoded: Sequence[Mapping[str, str]], rules: Sequence[Rule]) -> None:
        self.encoded = encoded
        self.rules = rules
        self.decoded: list[Any] = [None] * len(encoded)

    def __getitem__(self, number: int) -> dict[str, int]:
        if self.decoded[number] is None:
            self.decode(number)
        state: dict[str, int] = self.decoded[number]
        return state

    def decode(self, number: int) -> None:
        """Decode the state."""
        state = self.decoded[number] = {}
        for action, symbols in self.encoded[number].items():
            state |= dict.fromkeys(symbols.split(), int(action))


class Tables(NamedTuple):
    """The tables of a grammar.

    `patterns` maps terminals to regular expressions, by descending priority; `spellings` maps the fixed spellings to
    their terminals. A state maps the next symbol to an action: the number of the next state, or ``~number`` for a
    reduction by the rule with that number. State 0 is the initial state.
    """

    patterns: dict[str, str]
    spellings: dict[str, str]
    rules: list[Rule]
    states: States


def read_grammar(name: str) -> str:
    """The text of ``grammars/<name>.lark``. Raises `FileNotFoundError` if the file is missing."""
    with open(join(GRAMMARS, f"{name}.lark"), encoding="utf-8") as file:
        return file.read()


def dumped(tables: Tables) -> str:
    """The text of a file with the tables. Each state groups its symbols by action."""
    return json.dumps({**tables._asdict(), "states": tables.states.encoded}, ensure_ascii=False)


def loaded(text: str) -> Tables:
    """The tables in the text of a file."""
    found = json.loads(text)
    rules = [Rule(*rule) for rule in found["rules"]]
    return Tables(found["patterns"], found["spellings"], rules, States(found["states"], rules))


def encoded(state: Mapping[str, int]) -> dict[str, str]:
    """The form of a state in `States.encoded`, for its actions by symbols."""
    symbols: dict[int, list[str]] = {}
    for symbol, action in state.items():
        symbols.setdefault(action, []).append(symbol)
    return {str(action): " ".join(symbols[action]) for action in symbols}
