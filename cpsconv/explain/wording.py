"""What answers are made of, in full: names and values as the text shows them, and what an assignment is."""

from __future__ import annotations

from cpsconv.explain.evidence import Assignment
from cpsconv.ir import Continuation, Function, Parameter, Undef, Value
from cpsconv.record import SourceVariable
from cpsconv.source import Span
from cpsconv.text.expressions import Expressions
from cpsconv.text.names import Appearance
from cpsconv.text.pieces import on_one_line
from cpsconv.text.words import spelled


class Wording:
    """The words for what belongs to one function."""

    def __init__(self, appearance: Appearance) -> None:
        self.function = appearance.function
        self._names = appearance.names
        self._expressions = Expressions(appearance.names, appearance.in_place)

    def name(self, value: Continuation | Parameter) -> str:
        """What it is called in the text."""
        return spelled(value.name) if isinstance(value, Function) else self._names[value]

    def value(self, value: Value) -> str:
        """A value as the text shows it."""
        return on_one_line(self._expressions.value(value))

    def assignment(self, assignment: Assignment, variable: SourceVariable) -> tuple[str | None, Span | None]:
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
