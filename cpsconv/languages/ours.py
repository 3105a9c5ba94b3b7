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
_default: ContextVar[str] = ContextVar("default of ours", default="some")


def current_choice() -> str:
    """The choice in the current context, a key of `CHOICES`."""
    return _chosen.get() or _default.get()


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
def keeping() -> Iterator[None]:
    """Within the block, every instruction stays as it is, unless `expressing` makes another choice."""
    token = _default.set("none")
    try:
        yield
    finally:
        _default.reset(token)
