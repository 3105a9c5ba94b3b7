"""What answers are made of: names and values as the text shows them, what an assignment is, places in the source."""

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

_MOST_SHOWN = 50  # characters of the source, or of a value


class Wording:
    """The words for what belongs to one function."""

    def __init__(self, text_plan: TextPlan) -> None:
        self.function = text_plan.function
        self._names = text_plan.names
        self._expressions = Expressions(text_plan.names, text_plan.in_place)

    def name(self, value: Continuation | Parameter) -> str:
        """What it is called in the text."""
        return quote_name(value.name) if isinstance(value, Function) else self._names[value]

    def value(self, value: Value) -> str:
        """A value as the text shows it."""
        return on_one_line(self._expressions.value(value))

    def assignment(self, assignment: Assignment, variable: Variable) -> tuple[str | None, Span | None]:
        """What it is, where the source at its place does not say that by itself; and its place, if it has one."""
        write = assignment.write
        if write is None:
            return f"nothing is assigned to `{variable.name}` yet", None
        if write.span is None and write.value in self.function.parameters:
            return f"`{variable.name}` is a parameter of the function", variable.span
        if isinstance(write.value, Undef) and write.span is variable.span:
            return f"`{variable.name}` is declared, without a value", write.span
        return None if write.span else f"`{variable.name}` is assigned", write.span


def source_at(span: Span | None) -> str:
    """What stands there in the source."""
    return span.source.text[span.start : span.end] if span else ""


def on_line(span: Span | None, pattern: str = "{}") -> str:
    """The line that `span` begins on, in words that go into `pattern`; nothing where there is no span."""
    return pattern.format(f" on line {span.line}") if span else ""


def quoted(text: str) -> str:
    """The text between back quotes; a name may have some already, and names within a text."""
    if re.fullmatch("`[^`]*`", text):
        return text
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def cut(text: str) -> str:
    """The first line of a text, or as much of it as is easily read."""
    first, *more = text.split("\n", 1)
    return f"{first[:_MOST_SHOWN].rstrip()} …" if more or len(first) > _MOST_SHOWN else first
