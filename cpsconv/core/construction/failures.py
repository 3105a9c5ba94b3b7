"""Runtime errors that a front end adds to a program: conditions of the source language that operations do not check."""

from __future__ import annotations

from cpsconv.core.construction.builder import Builder
from cpsconv.core.construction.structured import encoded
from cpsconv.core.ir import ABORT, Constant, Value
from cpsconv.core.source import Span


def fail(b: Builder, message: str, span: Span) -> None:
    """End the program with a runtime error."""
    b.effect("eprint", error_text(message, span), span=span)
    b.leave(ABORT, span=span)


def require(b: Builder, condition: Value, message: str, span: Span) -> None:
    """Continue if the condition holds; else end the program with a runtime error."""
    holds, fails = b.continuation("holds", span=span), b.continuation("fails", span=span)
    b.branch(condition, holds, fails, span)
    b.open(fails)
    fail(b, message, span)
    b.open(holds)


def error_text(message: str, span: Span | None) -> Constant:
    """The text of a runtime error, with its location."""
    return encoded(f"{span}: runtime error: {message}\n" if span else f"runtime error: {message}\n")
