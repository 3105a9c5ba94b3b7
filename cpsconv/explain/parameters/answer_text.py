"""Answers as text: continuations from top to bottom, with the lines of the source beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from cpsconv.analysis.outcomes import outcomes
from cpsconv.construction.block import Variable
from cpsconv.explain.parameters import evidence as ev
from cpsconv.explain.parameters.query import Explanation
from cpsconv.explain.wording import Wording, cut, on_line, quoted, source_at
from cpsconv.ir import Constant, Continuation, Function, Parameter, Value
from cpsconv.operations.table import constant_key
from cpsconv.source import Span

_MAX_PATH = 12  # continuations; the middle of a longer path is omitted
_MAX_LISTED = 5  # definitions


def as_text(explanation: Explanation) -> str:
    """The text of an explanation; each line ends with a newline."""
    writer = _Writer(Wording(explanation.text_plan))
    return "\n".join("".join(f"{line.rstrip()}\n" for line in writer.lines(each)) for each in explanation.answers)


class _Writer:
    """Writes answers about one function."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.name = wording.name

    def lines(self, answer: ev.Answer) -> Iterator[str]:
        """The lines of one answer."""
        if isinstance(answer, ev.Convergence):
            return self._convergence(answer)
        if isinstance(answer, ev.TwoValues):
            return self._two_values(answer)
        if isinstance(answer, ev.ReachingDefinitions):
            return self._reaching(answer)
        return self._sentence(answer)

    # ------------------------------------------------------------------------------------------------- parameters

    def _convergence(self, answer: ev.Convergence) -> Iterator[str]:
        variable = answer.variable
        yield f"{self._subject(answer)} is necessary (Definition 2):"
        yield f"two paths from assignments to {_described(variable)} meet first there."
        width = max(len(self.name(member)) for each in answer.paths for member in each.path)
        for label, each in zip("XY", answer.paths, strict=True):
            yield ""
            yield from self._path(label, each, variable, width)
        yield ""
        yield f"They converge at {self._quoted(answer.home)} (Definition 1): before, they share no continuation."
        yield f"They contain no other assignment to `{variable.name}`, and their values {_differ(answer)}."

    def _path(self, label: str, found: ev.DefinitionPath, variable: Variable, width: int) -> Iterator[str]:
        path = found.path
        yield f"{label}  {self.name(path[0]):{width}}  {self._assignment(found.assignment, variable)}"
        hidden = range(0)
        if len(path) > _MAX_PATH:
            hidden = range(_MAX_PATH // 2, len(path) - _MAX_PATH // 2)
        for number, (member, following) in enumerate(pairwise(path), 1):
            if number in hidden:
                if number == hidden[0]:
                    yield f"   ⋮  {len(hidden)} more continuations"
                continue
            yield f"   {'↓':{width}}  {self._decision(member, following)}"
            yield f"{'Z' if number == len(path) - 1 else ' '}  {self.name(following)}"

    def _decision(self, member: Continuation, following: Continuation) -> str:
        decision = outcomes(member).get(following)
        if decision is None:
            return ""
        condition = f": {cut(source_at(decision.span))}" if decision.span else ""
        return f"{_line_prefix(decision.span)}{decision}{condition}"

    def _two_values(self, answer: ev.TwoValues) -> Iterator[str]:
        yield f"{self._subject(answer)} is needed: two values reach it along separate paths."
        for chain in answer.chains:
            yield ""
            yield self._value(chain[0].value)
            for passing in chain:
                yield f"  → {self._quoted(passing.parameter)} {self._passed(passing)}"

    def _passed(self, passing: ev.Passing) -> str:
        home = passing.edge.target
        assert isinstance(home, Continuation)
        return f"of {self._quoted(home)}, passed by {self._quoted(passing.sender)}{on_line(passing.span)}"

    def _sentence(self, answer: ev.Redundant | ev.Supplied) -> Iterator[str]:
        if isinstance(answer, ev.Redundant):
            yield f"{self._subject(answer)} is not needed: it is always {self._value(answer.value)}."
        elif isinstance(answer.home, Function):
            yield f"{self._subject(answer)} is supplied by the callers of the function."
        else:
            yield f"{self._subject(answer)} is supplied where the continuation is called as a value: it takes a result."

    def _subject(self, answer: ev.Convergence | ev.TwoValues | ev.Redundant | ev.Supplied) -> str:
        return f"The parameter {self._quoted(answer.parameter)} of {self._quoted(answer.home)}"

    # -------------------------------------------------------------------------------------------------- variables

    def _reaching(self, answer: ev.ReachingDefinitions) -> Iterator[str]:
        home, variable, name = self._quoted(answer.home), answer.variable, self.name
        definitions = [f"{name(each.continuation)}  {self._assignment(each, variable)}" for each in answer.assignments]
        definitions += [f"{name(at)}  its parameter {self._quoted(parameter)}" for at, parameter in answer.parameters]
        yield f"{_described(variable)} needs no parameter at {home}:"
        yield _reason(answer, len(definitions))
        yield ""
        yield from definitions[:_MAX_LISTED]
        if len(definitions) > _MAX_LISTED:
            yield f"⋮  {len(definitions) - _MAX_LISTED} more"
        if len(definitions) == 1 and answer.home is not self.wording.function:
            where = [*(each.continuation for each in answer.assignments), *(home for home, _ in answer.parameters)][0]
            yield ""
            after = f"nothing is assigned to `{variable.name}` after that"
            yield f"Every path to {home} contains {self._quoted(where)}, and {after}."

    # ---------------------------------------------------------------------------------------------------- phrases

    def _assignment(self, assignment: ev.Assignment, variable: Variable) -> str:
        """The location and the text of the assignment."""
        words, span = self.wording.assignment(assignment, variable)
        return f"{_line_prefix(span)}{words or cut(source_at(span))}"

    def _quoted(self, value: Continuation | Parameter) -> str:
        return quoted(self.name(value))

    def _value(self, value: Value) -> str:
        return quoted(cut(self.wording.value(value)))


def _differ(convergence: ev.Convergence) -> str:
    writes = (path.assignment.write for path in convergence.paths)
    first, second = (write.value if write else None for write in writes)
    if isinstance(first, Constant) and isinstance(second, Constant) and constant_key(first) == constant_key(second):
        return "are different, though equal constants"
    return "differ"


def _reason(answer: ev.ReachingDefinitions, definitions: int) -> str:
    if definitions == 1:
        return "one definition reaches it."
    if not answer.live:
        return "it is not read after that before it is assigned again."
    values = {assignment.write.value if assignment.write else None for assignment in answer.assignments}
    if len(values) == 1 and not answer.parameters:
        return "all definitions that reach it have the same value."
    return "all definitions that reach it have the same value, or the value read is not used."


def _described(variable: Variable) -> str:
    return f"`{variable.name}`{on_line(variable.span, ' (declared{})')}"


def _line_prefix(span: Span | None) -> str:
    return f"line {span.line}: " if span else ""
