"""The LALR tables of a grammar, and their file format."""

from __future__ import annotations

import json
from os.path import dirname, exists, join
from typing import Any, NamedTuple
from zlib import crc32

_PACKAGE = dirname(dirname(__file__))


class Rule(NamedTuple):
    """A rule of the grammar: `size` symbols are reduced to an `origin`.

    `method` is the name of the method that handles the rule. A rule without a method has a single part and its value.
    """

    origin: str
    size: int
    method: str | None


class Tables(NamedTuple):
    """The tables of a grammar.

    `patterns` maps terminals to regular expressions, by descending priority; `spellings` maps the fixed spellings to
    their terminals. A state maps the next symbol to an action: the number of the next state, or ``~number`` for a
    reduction by the rule with that number. State 0 is the initial state.
    """

    patterns: dict[str, str]
    spellings: dict[str, str]
    rules: list[Rule]
    states: list[dict[str, int]]


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
    return join(_PACKAGE, "grammar", "generated", f"{name}.json")


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
