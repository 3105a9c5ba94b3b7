"""Answers as JSON: the complete evidence, for tools that check or display it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from cpsconv.analysis.outcomes import outcomes
from cpsconv.construction.block import Variable
from cpsconv.explain.parameters import evidence as ev
from cpsconv.explain.parameters.query import Explanation
from cpsconv.explain.wording import Wording, source_at
from cpsconv.source import Span

Json = Any
"""A value for `json.dumps`."""


def as_json(explanation: Explanation) -> list[Json]:
    """One object for each answer; `docs/why.md` describes them."""
    writer = _Writer(Wording(explanation.text_plan))
    return [writer.answer(each) for each in explanation.answers]


class _Writer:
    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.name = wording.name

    def answer(self, answer: ev.Answer) -> Json:
        shared = {"function": self.name(self.wording.function), "continuation": self.name(answer.home)}
        if isinstance(answer, ev.ReachingDefinitions):
            return {"kind": "reaching", **shared, **self._reaching(answer)}
        shared["parameter"] = self.name(answer.parameter)
        if isinstance(answer, ev.Convergence):
            paths = [self._path(path, answer.variable) for path in answer.paths]
            return {"kind": "necessary", **shared, "variable": _variable(answer.variable), "paths": paths}
        if isinstance(answer, ev.TwoValues):
            return {"kind": "two values", **shared, "chains": [[*map(self._passing, each)] for each in answer.chains]}
        if isinstance(answer, ev.Redundant):
            return {"kind": "redundant", **shared, "value": self.wording.value(answer.value)}
        assert isinstance(answer, ev.Supplied)
        return {"kind": "supplied", **shared}

    def _reaching(self, answer: ev.ReachingDefinitions) -> Json:
        return {
            "variable": _variable(answer.variable),
            "read": answer.live,
            "assignments": [self._assignment(each, answer.variable) for each in answer.assignments],
            "parameters": [
                {"continuation": self.name(home), "parameter": self.name(parameter)}
                for home, parameter in answer.parameters
            ],
        }

    def _path(self, path: ev.DefinitionPath, variable: Variable) -> Json:
        decisions = []
        for number, (member, following) in enumerate(pairwise(path.path)):
            if decision := outcomes(member).get(following):
                decisions.append({"after": number, "decision": decision.describe(), **_location(decision.span)})
        return {
            "assignment": self._assignment(path.assignment, variable),
            "continuations": [self.name(member) for member in path.path],
            "decisions": decisions,
        }

    def _assignment(self, assignment: ev.Assignment, variable: Variable) -> Json:
        words, span = self.wording.assignment(assignment, variable)
        home = self.name(assignment.continuation)
        return {"continuation": home, "what": words or source_at(span), **_location(span)}

    def _passing(self, passing: ev.Passing) -> Json:
        return {
            "value": self.wording.value(passing.value),
            "by": self.name(passing.sender),
            "parameter": self.name(passing.parameter),
            **_location(passing.span),
        }


def _variable(variable: Variable) -> Json:
    return {"name": variable.name, **_location(variable.span)}


def _location(span: Span | None) -> dict[str, int]:
    if span is None:
        return {}
    line, column = span.source.position(span.start)
    return {"line": line, "column": column}
