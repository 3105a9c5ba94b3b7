"""Grammars, their LALR(1) tables, and the parser that uses the tables.

Lark computes the tables from a grammar, which takes longer than most commands. Therefore the tables are generated ahead
of time, by ``python -m cpsconv.grammar.generate``, and are part of the package. No cache is written at run time, so no
cache can be out of date, incomplete, or in a read-only directory. A `Parser` needs only the tables.
"""

from functools import cache

from cpsconv.grammar.parser import END, Parser, Rejected
from cpsconv.grammar.tables import Tables, read_grammar, read_tables

__all__ = ["END", "Parser", "Rejected", "Tables", "read_grammar", "tables_of"]


@cache
def tables_of(name: str) -> Tables:
    """The tables of the grammar called `name`; lark computes them again if the grammar was changed.

    Raises `FileNotFoundError` if the grammar is missing, and exceptions of lark if it is wrong.
    """
    grammar = read_grammar(name)
    tables = read_tables(name, grammar)
    if tables is None:
        from cpsconv.grammar.generate import make_tables  # late: lark takes long to import

        tables = make_tables(grammar)
    return tables
