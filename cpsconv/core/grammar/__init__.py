"""Grammars, their LALR(1) tables, and the parser that uses the tables.

Lark computes the tables from a grammar, which takes longer than most commands. Therefore they are generated files
(`cpsconv.core.generated`). A `Parser` needs only the tables.
"""

import re
from functools import cache

from cpsconv.core.generated import Generator, generated
from cpsconv.core.grammar.parser import END, Parser, Rejected
from cpsconv.core.grammar.tables import GRAMMARS, Tables, loaded, read_grammar

__all__ = ["END", "STRAY", "TABLES", "Parser", "Rejected", "Tables", "read_grammar", "tables_of", "token_pattern"]

TABLES = Generator("tables", "cpsconv.core.grammar.generate", (GRAMMARS, "cpsconv/core/grammar"))
"""The generator of the tables, by the names of the grammars."""

STRAY = "STRAY"
"""The type of the token for a character that starts no other token."""


@cache
def tables_of(name: str) -> Tables:
    """The tables of the grammar called `name`. Raises `RuntimeError` if the grammar is missing or wrong."""
    return loaded(generated(TABLES, name))


@cache
def token_pattern(name: str) -> re.Pattern[str]:
    """The pattern of one token, with a group for each terminal with a pattern, ``PUNCTUATOR`` and `STRAY`.

    Keywords match as names; the table of spellings distinguishes them.
    """
    tables = tables_of(name)
    symbols = sorted((text for text in tables.spellings if not text.isalpha()), key=len, reverse=True)
    punctuators = {"PUNCTUATOR": "|".join(map(re.escape, symbols))} if symbols else {}
    patterns = tables.patterns | punctuators | {STRAY: r"[\s\S]"}
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()))
