"""The parser tables of a grammar, and their files."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from os.path import dirname, exists, join
from typing import Any, NamedTuple
from zlib import crc32

_PACKAGE = dirname(dirname(__file__))


class Rule(NamedTuple):
    """A rule of the grammar, which reduces `size` symbols to `origin`.

    `method` is the name of the method that handles it. A rule without a method passes the value of its only part on.
    """

    origin: str
    size: int
    method: str | None


class Tables(NamedTuple):
    """The tables of an LALR(1) parser.

    `patterns` are the regular expressions of terminals, by descending priority; `spellings` maps each fixed spelling to
    its terminal. `states` are the action and goto tables: for each state, from the next symbol to the next state or, if
    the number is negative, to a reduction by the rule ``~number``. State 0 is the start state.
    """

    patterns: dict[str, str]
    spellings: dict[str, str]
    rules: list[Rule]
    states: list[dict[str, int]]


def read_grammar(name: str) -> str:
    """The text of ``grammars/<name>.lark``, in the installed package or, in a checkout, beside it.

    Raises `FileNotFoundError` if the file does not exist.
    """
    for folder in (_PACKAGE, dirname(_PACKAGE)):
        if exists(path := join(folder, "grammars", f"{name}.lark")):
            return _read(path)
    raise FileNotFoundError(f"the grammar of {name} is missing from the installation")


@cache
def tables_of(name: str) -> Tables:
    """The tables of the grammar `name`, generated again by lark if the grammar differs from the file of the tables.

    Raises `FileNotFoundError` if there is no such grammar, and lark's exceptions if the grammar has errors.
    """
    grammar = read_grammar(name)
    with suppress(OSError, ValueError):  # the file is missing or damaged
        found = json.loads(_read(path_of(name)))
        if found["grammar"] == checksum(grammar):
            return _loaded(found)
    from cpsconv.grammar.generate import make_tables

    return make_tables(grammar)


def path_of(name: str) -> str:
    """The path of the file with the tables of the grammar `name`."""
    return join(_PACKAGE, "grammar", "generated", f"{name}.json")


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def checksum(grammar: str) -> int:
    """A checksum that detects changes of a grammar."""
    return crc32(grammar.encode())


def dumped(tables: Tables, grammar: str) -> str:
    """The text of a file with the tables, in which symbols with the same action are grouped."""
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
