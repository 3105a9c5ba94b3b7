"""Grammars, their LALR(1) tables, and the parser that uses the tables.

Lark computes the tables from a grammar, which takes longer than most commands. Therefore the tables are generated ahead
of time, by ``python -m cpsconv.core.grammar.generate``, and are part of the package. No cache is written at run time,
so no cache can be out of date, incomplete, or in a read-only directory. A `Parser` needs only the tables.
"""

import re
from functools import cache

from cpsconv.core.grammar.parser import END, Parser, Rejected
from cpsconv.core.grammar.tables import Tables, read_grammar, read_tables

__all__ = ["END", "STRAY", "Parser", "Rejected", "Tables", "read_grammar", "tables_of", "token_pattern"]

STRAY = "STRAY"
"""The type of the token for a character that starts no other token."""


@cache
def tables_of(name: str) -> Tables:
    """The tables of the grammar called `name`; lark computes them again if the grammar was changed.

    Raises `FileNotFoundError` if the grammar is missing, and exceptions of lark if it is wrong.
    """
    grammar = read_grammar(name)
    tables = read_tables(name, grammar)
    if tables is None:
        from cpsconv.core.grammar.generate import make_tables  # late: lark takes long to import

        tables = make_tables(grammar)
    return tables


@cache
def token_pattern(name: str) -> re.Pattern[str]:
    """The pattern of one token, with a group for each terminal with a pattern, ``PUNCTUATOR`` and `STRAY`.

    Keywords match as names; the table of spellings distinguishes them.
    """
    tables = tables_of(name)
    symbols = sorted((text for text in tables.spellings if not text.isalpha()), key=len, reverse=True)
    patterns = tables.patterns | {"PUNCTUATOR": "|".join(map(re.escape, symbols)), STRAY: r"[\s\S]"}
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()))
