"""Names that were meant by what is spelt almost like them."""

from __future__ import annotations

from collections.abc import Iterable

_MOST_KNOWN = 1000  # names; among more of them, a near one takes too long to find


def nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The one of `known` that is most like `name`, if one is at least so much like it (1 is: the same)."""
    distinct = dict.fromkeys(known)
    from difflib import get_close_matches  # only now: few names are misspelt

    matches = get_close_matches(name, distinct, 1, likeness) if len(distinct) <= _MOST_KNOWN else []
    return matches[0] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The help for a `name` that nothing has: one that is near it, if there is one."""
    near = nearest(name, known)
    return f"did you mean `{near}`?" if near else None
