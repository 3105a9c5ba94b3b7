"""The words of the CPS text: which are taken, what a name looks like, how tightly operators bind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from cpsconv.ir import EXTERNALS, SCALARS
from cpsconv.operations.table import OPERATIONS
from cpsconv.source import did_you_mean

KEYWORDS = frozenset({"let", "in", "branch", "switch", "undef", "true", "false", "inf", "nan", "inff", "nanf", "_"})
"""Words that the grammar knows, the words of types apart."""

CALLABLE = frozenset(name for name, row in OPERATIONS.items() if row.form == "call")
"""The operations that are written like a call."""

RESERVED = frozenset({*KEYWORDS, *(word for name in SCALARS for word in name.split()), *EXTERNALS, *CALLABLE})
"""Words that stand between back quotes where they are names, so that each means one thing in all of a text."""

_PLAIN = re.compile(r"[^\W\dλ]\w*")


def needs_no_parentheses(outer: str, inner: str, side: int) -> bool:
    """Whether everybody reads `inner` as an operand of `outer`, on that side, without parentheses.

    That is so in sums of products, in comparisons of these, and where an operator is repeated.
    """
    out, within = OPERATIONS[outer], OPERATIONS[inner]
    if within.kind not in _SUMS:
        return outer == inner and side == 0 and out.kind != "comparison"
    return out.kind == "comparison" or (out.kind in _SUMS and within.precedence >= out.precedence + side)


_SUMS = ("arithmetic", "division")


@lru_cache(10_000)  # most names occur in many functions
def sanitized_name(hint: str) -> str:
    """`hint` made a name that can be `spelled`."""
    return re.sub(r"[`\n]", "_", hint) or "v"


@lru_cache(10_000)
def quote_name(name: str) -> str:
    """`name` as the text shows it: between back quotes if that could be taken for something else."""
    return name if _PLAIN.fullmatch(name) and name not in RESERVED else f"`{name}`"


def in_ascii(text: str) -> str:
    """A type, or what has types in it, as ``--ascii`` spells it."""
    return text.replace("→", "->").replace("⊥", "_|_")


def unquote_name(word: str) -> str:
    """The name that `word` of the text stands for."""
    return word.strip("`")


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """The cure for a name that means nothing, if one of those `known` may have been meant."""
    return "`halt` ends the program" if name == "exit" else did_you_mean(name, known)
