"""The variables of a function: their occurrences in the source, and the values that denote them in the program."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Variable, resolve
from cpsconv.core.ir import Value
from cpsconv.core.source import Source, Span
from cpsconv.lab.explain import Collected, Narration


class Variables:
    """The variables of a narrated function, numbered in order of their first event.

    A *mention* is an occurrence in the source where a variable is read, written or declared. Its values are those read
    or written there, by name, as far as they have names.
    """

    def __init__(self, narration: Narration, source: Source) -> None:
        self._labels = narration.labels
        self._source = source
        self._numbers: dict[Variable, int] = {}
        self._denotes: dict[str, dict[int, None]] = defaultdict(dict)
        self._mentions: dict[tuple[int, int], tuple[int, dict[str, None]]] = {}
        self._read_at: Span | None = None
        for event in narration.events:
            self._note(event)

    def number(self, variable: Variable) -> int:
        """The number of a variable."""
        return self._numbers.setdefault(variable, len(self._numbers))

    def data(self) -> dict[str, Any]:
        """The variables, the variables that each name denotes, and all mentions in source order."""
        return {
            "variables": [{"name": each.name, "line": each.span.line if each.span else None} for each in self._numbers],
            "denotes": {name: [*numbers] for name, numbers in self._denotes.items()},
            "mentions": [[*offsets, number, [*values]] for offsets, (number, values) in sorted(self._mentions.items())],
        }

    def _note(self, event: Collected) -> None:
        match event:
            case e.Read(variable, _, span):
                self._read_at = span
                self.number(variable)
            case e.Answer(variable, _, value):
                self._mention(variable, self._read_at, value)
            case e.Write(variable, _, value, span):
                number = self.number(variable)
                if name := self._name(value):
                    self._denotes[name][number] = None
                self._mention(variable, span or variable.span, value)
                self._mention(variable, variable.span, None)
            case e.Proxy(parameter) | e.Place(parameter):
                self._denotes[self._labels.name(parameter)][self.number(parameter.variable)] = None

    def _mention(self, variable: Variable, span: Span | None, value: Value | None) -> None:
        span = span and span.written
        offsets = span and _offsets(variable, span)
        if offsets and span and span.source is self._source:
            _, values = self._mentions.setdefault(offsets, (self.number(variable), {}))
            if value and (name := self._name(value)):
                values[name] = None

    def _name(self, value: Value) -> str | None:
        """The name of the value in the finished program, if it has one."""
        return self._labels.name_of(resolve(value))


def _offsets(variable: Variable, span: Span) -> tuple[int, int] | None:
    """The first occurrence of the variable's name in the span; None for a variable without a name in the source."""
    found = re.compile(rf"\b{re.escape(variable.name)}\b").search(span.source.text, span.start, span.end)
    return found.span() if found else None
