"""The tables of a grammar: what a parser has to know of it, as a file of the package."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from os.path import dirname, exists, join
from typing import Any, NamedTuple
from zlib import crc32

_PACKAGE = dirname(dirname(__file__))


class Rule(NamedTuple):
    """A rule of the grammar: `size` symbols make an `origin`.

    `method` is what handles it; a rule without one has a single part, and passes on the value of that.
    """

    origin: str
    size: int
    method: str | None


class Tables(NamedTuple):
    """What of a grammar its parser has to know.

    `patterns` are the regular expressions of terminals, those with a high priority first, and `spellings` the terminals
    that have but one spelling, by that. `states` say by the symbol that comes next what to do: to go to the state of
    that number, or, where it is negative, to reduce by the rule ``~number``. State 0 is the first.
    """

    patterns: dict[str, str]
    spellings: dict[str, str]
    rules: list[Rule]
    states: list[dict[str, int]]


def read_grammar(name: str) -> str:
    """The text of ``grammars/<name>.lark``: in the package once that is installed, beside it in a checkout.

    Raises `FileNotFoundError` if it is in neither.
    """
    for folder in (_PACKAGE, dirname(_PACKAGE)):
        if exists(path := join(folder, "grammars", f"{name}.lark")):
            return _read(path)
    raise FileNotFoundError(f"the grammar of {name} is missing from the installation")


@cache
def tables_of(name: str) -> Tables:
    """The tables of the grammar of that name. If it was changed since they were made, lark makes them anew.

    Raises `FileNotFoundError` without the grammar, and what lark raises if it is none.
    """
    grammar = read_grammar(name)
    with suppress(OSError, ValueError):  # there are none, or their file is damaged
        found = json.loads(_read(path_of(name)))
        if found["grammar"] == checksum(grammar):
            return _loaded(found)
    from cpsconv.grammar.generate import make_tables

    return make_tables(grammar)


def path_of(name: str) -> str:
    """Where the tables of the grammar of that name are."""
    return join(_PACKAGE, "grammar", "generated", f"{name}.json")


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def checksum(grammar: str) -> int:
    """What tells a grammar from an earlier one."""
    return crc32(grammar.encode())


def dumped(tables: Tables, grammar: str) -> str:
    """The text of a file with the tables. The symbols at which a state does the same stand together."""
    lines = ["{", f'"grammar": {checksum(grammar)},']
    lines += [f'"patterns": {_json(tables.patterns)},', f'"spellings": {_json(tables.spellings)},']
    lines += ['"rules": [', ",\n".join(map(_json, tables.rules)), "],"]
    lines += ['"states": [', ",\n".join(_json(_by_action(state)) for state in tables.states), "]", "}"]
    return "\n".join(lines) + "\n"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def _by_action(state: dict[str, int]) -> dict[int, str]:
    symbols: dict[int, list[str]] = {}
    for symbol, action in state.items():
        symbols.setdefault(action, []).append(symbol)
    return {action: " ".join(symbols[action]) for action in symbols}


def _loaded(found: dict[str, Any]) -> Tables:
    rules = [Rule(*rule) for rule in found["rules"]]
    states = [
        {symbol: int(action) for action, symbols in state.items() for symbol in symbols.split()}
        for state in found["states"]
    ]
    return Tables(found["patterns"], found["spellings"], rules, states)
