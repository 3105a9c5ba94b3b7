"""The words of the CPS text: which are taken, what a name looks like, how tightly operators bind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from cpsconv.ir import EXTERNALS, SCALARS
from cpsconv.operations.table import EFFECTS, PRIMITIVES
from cpsconv.source import did_you_mean

KEYWORDS = frozenset({"let", "in", "branch", "switch", "undef", "true", "false", "inf", "nan", "inff", "nanf", "_"})
"""Words that the grammar knows, the words of types apart."""

OPERATIONS = frozenset(name for name in (*EFFECTS, *PRIMITIVES) if name.isidentifier())
"""The operations that are written like a call."""

RESERVED = frozenset({*KEYWORDS, *(word for name in SCALARS for word in name.split()), *EXTERNALS, *OPERATIONS})
"""Words that stand between back quotes where they are names, so that each means one thing in all of a text."""

_PLAIN = re.compile(r"[^\W\dλ]\w*")

PRECEDENCE = {
    "*": 10, "/": 10, "%": 10,
    "+": 9, "-": 9,
    "<<": 8, ">>": 8,
    "<": 7, "<=": 7, ">": 7, ">=": 7,
    "==": 6, "!=": 6,
    "&": 5,
    "^": 4,
    "|": 3,
}  # fmt: skip
"""How tightly each binary operator binds: as in C. All associate to the left."""

_ARITHMETIC = frozenset("+-*/%")
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def is_clear(outer: str, inner: str, side: int) -> bool:
    """Whether everybody reads `inner` as an operand of `outer`, on that side, without parentheses.

    That is so in sums of products, in comparisons of these, and where an operator is repeated.
    """
    if inner not in _ARITHMETIC:
        return outer == inner and side == 0 and outer not in _COMPARISONS
    if outer in _COMPARISONS:
        return True
    return outer in _ARITHMETIC and PRECEDENCE[inner] >= PRECEDENCE[outer] + side


@lru_cache(10_000)  # most names occur in many functions
def as_name(hint: str) -> str:
    """`hint` made a name that can be `spelled`."""
    return re.sub(r"[`\n]", "_", hint) or "v"


@lru_cache(10_000)
def spelled(name: str) -> str:
    """`name` as the text shows it: between back quotes if that could be taken for something else."""
    return name if _PLAIN.fullmatch(name) and name not in RESERVED else f"`{name}`"


def in_ascii(text: str) -> str:
    """A type, or what has types in it, as ``--ascii`` spells it."""
    return text.replace("→", "->").replace("⊥", "_|_")


def unspelled(word: str) -> str:
    """The name that `word` of the text stands for."""
    return word.strip("`")


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """The cure for a name that means nothing, if one of those `known` may have been meant."""
    return "`halt` ends the program" if name == "exit" else did_you_mean(name, known)
