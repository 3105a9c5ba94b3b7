"""Types of command-line arguments, for `argparse`: lists whose items are separated by commas."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable


def names(known: Iterable[str]) -> Callable[[str], list[str]]:
    """The type of a list of `known` names. An empty text is an empty list; an unknown name is a usage error."""
    allowed = [*known]

    def listed(text: str) -> list[str]:
        found = [name.strip() for name in text.split(",")] if text else []
        for name in found:
            if name not in allowed:
                raise ArgumentTypeError(f"there is no {name!r}; there are {', '.join(allowed)}")
        return found

    return listed


def numbers(text: str) -> list[int]:
    """The type of a list of numbers."""
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a list of numbers, such as 250,1000") from None
