"""LALR(1) parsing: the tables of the grammars in `grammars/`, and the parser that uses them.

Lark generates the tables from a grammar, which takes longer than most commands. Therefore they are generated ahead of
time, by ``python -m cpsconv.grammar.generate``, and are part of the package. They are only read at run time: there is
no cache that could be outdated, damaged, or in a read-only directory.
"""

from cpsconv.grammar.parser import END, Parser, Rejected
from cpsconv.grammar.tables import Tables, read_grammar, tables_of

__all__ = ["END", "Parser", "Rejected", "Tables", "read_grammar", "tables_of"]
