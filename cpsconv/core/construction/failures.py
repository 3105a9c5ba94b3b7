"""Runtime errors that a front end adds to a program: conditions of the source language that operations do not check."""

from __future__ import annotations

import re

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


_ERROR_TEXT = re.compile(r"(?:[^\n]+:\d+:\d+: )?runtime error: (.*)\n", re.DOTALL)


def error_at_end(member: Continuation) -> tuple[Effect, str] | None:
    """The statement with which a continuation prints a runtime error before it aborts, and the message.

    In a program that was read from CPS text, the message has the location that the text states.
    """
    match member.body, member.transfer:
        case [*_, Effect("eprint", (Constant(value=str(text)),)) as printed], Jump(edge) if edge.target is ABORT:
            if found := _ERROR_TEXT.fullmatch(text.encode("latin-1").decode("utf-8", "surrogateescape")):
                is_located = found[0].startswith((f"{printed.span}: ", "runtime error: "))
                return printed, found[1] if is_located else found[0].rstrip("\n")
    return None
