"""The grammars, and how a text is read by one.

Lark makes the tables of an LALR(1) parser from a grammar, which takes longer than most commands do. They are therefore
generated ahead of time, by ``python -m cpsconv.grammar.generate``, and are part of the package. Nothing is written when
they are read, so no cache can be out of date, half written, or in a read-only directory. A `Parser` needs no more than
these tables.
"""

from cpsconv.grammar.parser import END, Parser, Rejected
from cpsconv.grammar.tables import Tables, read_grammar, tables_of

__all__ = ["END", "Parser", "Rejected", "Tables", "read_grammar", "tables_of"]
