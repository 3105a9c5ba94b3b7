"""The choice of which instructions of LLVM IR, or operations of MLIR, become operations of the program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

CHOICES = {
    "none": "every instruction stays as it is",
    "some": "those that operations of the program express become these",
    "all": "those that no operation of the program expresses are errors",
}
"""The choices, with their descriptions."""

_chosen: ContextVar[str] = ContextVar("ours", default="")
_kept: ContextVar[str] = ContextVar("kept", default="")


def current_choice(language: str) -> str:
    """The choice for a language in the current context, a key of `CHOICES`."""
    return _chosen.get() or ("none" if language == _kept.get() else "some")


@contextmanager
def expressing(choice: str) -> Iterator[None]:
    """Within the block, make the choice, a key of `CHOICES`. Raises `ValueError` for another one."""
    if choice not in CHOICES:
        raise ValueError(f"there is no choice {choice!r}; there are {', '.join(CHOICES)}")
    token = _chosen.set(choice)
    try:
        yield
    finally:
        _chosen.reset(token)


@contextmanager
def keeping(language: str) -> Iterator[None]:
    """Within the block, every instruction of the language stays as it is, unless `expressing` makes another choice."""
    token = _kept.set(language)
    try:
        yield
    finally:
        _kept.reset(token)
