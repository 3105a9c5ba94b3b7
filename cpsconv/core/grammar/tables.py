"""The LALR tables of a grammar, and their file format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os.path import dirname, exists, join
from typing import Any, NamedTuple
from zlib import crc32

_PACKAGE = dirname(dirname(dirname(__file__)))


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
    """The text of ``grammars/<name>.lark``, from the installed package, or from beside the package in a checkout.

    Raises `FileNotFoundError` if the file is in neither place.
    """
    for folder in (_PACKAGE, dirname(_PACKAGE)):
        if exists(path := join(folder, "grammars", f"{name}.lark")):
            return _read(path)
    raise FileNotFoundError(f"the grammar of {name} is missing from the installation")


def read_tables(name: str, grammar: str) -> Tables | None:
    """The stored tables of the grammar called `name`; None if they are missing, damaged, or older than the grammar."""
    try:
        found = json.loads(_read(path_of(name)))
        return _loaded(found) if found["grammar"] == checksum(grammar) else None
    except (OSError, ValueError):
        return None


def path_of(name: str) -> str:
    """The path of the tables of the grammar called `name`."""
    return join(dirname(__file__), "generated", f"{name}.json")


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def checksum(grammar: str) -> int:
    """The checksum by which a change of the grammar is detected."""
    return crc32(grammar.encode())


def dumped(tables: Tables, grammar: str) -> str:
    """The text of a file with the tables. Each state groups its symbols by action."""
    lines = ["{", f'"grammar": {checksum(grammar)},']
    lines += [f'"patterns": {_json(tables.patterns)},', f'"spellings": {_json(tables.spellings)},']
    lines += ['"rules": [', ",\n".join(map(_json, tables.rules)), "],"]
    lines += ['"states": [', ",\n".join(_json(state) for state in tables.states.encoded), "]", "}"]
    return "\n".join(lines) + "\n"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def encoded(state: Mapping[str, int]) -> dict[str, str]:
    """The form of a state in `States.encoded`, for its actions by symbols."""
    symbols: dict[int, list[str]] = {}
    for symbol, action in state.items():
        symbols.setdefault(action, []).append(symbol)
    return {str(action): " ".join(symbols[action]) for action in symbols}


def _loaded(found: dict[str, Any]) -> Tables:
    rules = [Rule(*rule) for rule in found["rules"]]
    return Tables(found["patterns"], found["spellings"], rules, States(found["states"], rules))
