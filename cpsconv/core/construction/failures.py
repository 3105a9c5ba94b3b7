"""Runtime errors that a front end adds to a program: conditions of the source language that operations do not check."""

from __future__ import annotations

from cpsconv.core.construction.builder import Builder
from cpsconv.core.construction.structured import encoded
from cpsconv.core.ir import ABORT, Value
from cpsconv.core.source import Span


def fail(b: Builder, message: str, span: Span) -> None:
    """End the program with a runtime error."""
    b.effect("eprint", encoded(f"{span}: runtime error: {message}\n"), span=span)
    b.leave(ABORT, span=span)


def require(b: Builder, condition: Value, message: str, span: Span) -> None:
    """Continue if the condition holds; else end the program with a runtime error."""
    holds, fails = b.continuation("holds", span=span), b.continuation("fails", span=span)
    b.branch(condition, holds, fails, span)
    b.open(fails)
    fail(b, message, span)
    b.open(holds)
