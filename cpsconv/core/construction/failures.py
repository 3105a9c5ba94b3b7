"""Runtime errors that a front end adds to a program: conditions of the source language that operations do not check."""

from __future__ import annotations

from cpsconv.core.construction.builder import Builder
from cpsconv.core.construction.structured import encoded
from cpsconv.core.ir import ABORT, Constant, Continuation, Effect, Jump, Value
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


def error_at_end(member: Continuation) -> tuple[Effect, str] | None:
    """The statement with which a continuation prints a constant text before it aborts, and the message in the text.

    The message has no location if that of the statement precedes it.
    """
    match member.body, member.transfer:
        case [*_, Effect("eprint", (Constant(value=str(text)),)) as printed], Jump(edge) if edge.target is ABORT:
            written = text.encode("latin-1").decode("utf-8", "surrogateescape").rstrip("\n")
            return printed, written.removeprefix(f"{printed.span}: ").removeprefix("runtime error: ")
    return None
