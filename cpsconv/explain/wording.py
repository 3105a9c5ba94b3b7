"""Phrases for answers: names and values as the CPS text shows them, assignments, locations in the source."""

from __future__ import annotations

import re

from cpsconv.construction.block import Variable
from cpsconv.explain.parameters.evidence import Assignment
from cpsconv.ir import Continuation, Function, Parameter, Undef, Value
from cpsconv.source import Span
from cpsconv.text.layout import on_one_line
from cpsconv.text.plan import TextPlan
from cpsconv.text.printer import Expressions
from cpsconv.text.spelling import quote_name

_MAX_SHOWN = 50  # characters of the source, or of a value


class Wording:
    """Phrases for the parts of one function."""

    def __init__(self, text_plan: TextPlan) -> None:
        self.function = text_plan.function
        self._names = text_plan.names
        self._expressions = Expressions(text_plan.names, text_plan.in_place)

    def name(self, value: Continuation | Parameter) -> str:
        """The name in the text."""
        return quote_name(value.name) if isinstance(value, Function) else self._names[value]

    def value(self, value: Value) -> str:
        """The value in the text."""
        return on_one_line(self._expressions.value(value))

    def assignment(self, assignment: Assignment, variable: Variable) -> tuple[str | None, Span | None]:
        """A description of the assignment, None if its source text describes it; and its span, if it has one."""
        write = assignment.write
        if write is None:
            return f"`{variable.name}` has no value yet", None
        if write.span is None and write.value in self.function.parameters:
            return f"`{variable.name}` is a parameter of the function", variable.span
        if isinstance(write.value, Undef) and write.span is variable.span:
            return f"`{variable.name}` is declared, without a value", write.span
        return None if write.span else f"`{variable.name}` is assigned", write.span


def source_at(span: Span | None) -> str:
    """The source text of the span."""
    return span.source.text[span.start : span.end] if span else ""


def on_line(span: Span | None, pattern: str = "{}") -> str:
    """``on line 3``, inserted into `pattern`; an empty text without a span."""
    return pattern.format(f" on line {span.line}") if span else ""


def quoted(text: str) -> str:
    """The text in backquotes; a name that has backquotes already, or contains some, stays readable."""
    if re.fullmatch("`[^`]*`", text):
        return text
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def cut(text: str) -> str:
    """The first line of a text, at most `_MAX_SHOWN` characters of it."""
    first, *more = text.split("\n", 1)
    return f"{first[:_MAX_SHOWN].rstrip()} …" if more or len(first) > _MAX_SHOWN else first
