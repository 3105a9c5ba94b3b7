"""Answers as text, with paths from top to bottom beside the lines of the source, and as JSON without omissions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from cpsconv.core.analysis.outcomes import outcomes
from cpsconv.core.construction.block import Variable
from cpsconv.core.ir import MEMORY, Call, Continuation, Effect, Function, Parameter, Primitive, Undef, Value
from cpsconv.core.source import Span
from cpsconv.core.text.expressions import Expressions
from cpsconv.core.text.layout import on_one_line
from cpsconv.core.text.plan import TextPlan
from cpsconv.core.text.spelling import quote_name
from cpsconv.lab.explain import evidence as ev
from cpsconv.lab.explain.labels import cut, on_line, quoted
from cpsconv.lab.explain.query import Explanation, Queries

_MAX_PATH = 12  # continuations; the middle of a longer path is omitted
_MAX_LISTED = 5  # definitions


Json = Any
"""A value for `json.dumps`."""


def as_text(explanation: Explanation) -> str:
    """The text of an explanation; each line ends with a newline."""
    writer = _TextWriter(explanation.text_plan)
    return "\n".join("".join(f"{line.rstrip()}\n" for line in writer.lines(each)) for each in explanation.answers)


def as_json(explanation: Explanation) -> list[Json]:
    """One object for each answer; `docs/why.md` describes them."""
    writer = _JsonWriter(explanation.text_plan)
    return [writer.answer(each) for each in explanation.answers]


def queries_text(queries: Iterable[Queries]) -> str:
    """The queries about each function as lists, with a line about their form."""
    texts = []
    for each in queries:
        lists = {"parameters": each.parameters, "variables": each.variables, "continuations": each.continuations}
        lines = [f"  {kind:13}  {', '.join(names)}\n" for kind, names in lists.items() if names]
        texts.append("".join([f"{each.function}\n", *lines]))
    form = "NAME is a parameter (`k.x`, or `x`), or a variable at the start of a continuation (`v@k`).\n"
    return "\n".join([*texts, form])


class _Writer:
    """The names, values and assignments in the answers about one function."""

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

    def assignment(self, assignment: ev.Assignment, variable: Variable) -> tuple[str | None, Span | None]:
        """A description of the assignment, None if its source text describes it; and its span, if it has one."""
        write = assignment.write
        if write is None:
            return f"`{variable.name}` is undefined at the entry", None
        if write.span is None and write.value in self.function.parameters:
            return f"`{variable.name}` is a parameter of the function", variable.span
        if isinstance(write.value, Undef) and write.span is variable.span:
            return f"`{variable.name}` is declared, without a value", write.span
        if variable.type is MEMORY:
            return self._memory_after(write.value, write.span), write.span
        return None if write.span else f"`{variable.name}` is assigned", write.span

    def _memory_after(self, value: Value, span: Span | None) -> str:
        """The operation, or the call, that changed memory."""
        if isinstance(value, (Effect, Primitive)):
            name = f"{self._names[value]} := " if value in self._names else ""
            return name + on_one_line(self._expressions.operation(value))
        return f"the memory after {cut(_source_at(span))}"


def _source_at(span: Span | None) -> str:
    if span and span.written.source is span.source.shown:  # of which spans have one token
        return span.written.source.shown_line(span.line)
    return span.source.text[span.start : span.end] if span else ""


# ----------------------------------------------------------------------------------------------------------- text


class _TextWriter(_Writer):
    def lines(self, answer: ev.Answer) -> Iterator[str]:
        """The lines of one answer."""
        match answer:
            case ev.Convergence():
                yield from self._convergence(answer)
            case ev.TwoValues():
                yield from self._two_values(answer)
            case ev.ReachingDefinitions():
                yield from self._reaching(answer)
            case ev.Redundant():
                yield f"{self._subject(answer)} is not needed: it is always equal to {self._value(answer.value)}."
            case ev.Supplied(Function()):
                yield f"{self._subject(answer)} is supplied by the callers of the function."
            case ev.Supplied():
                yield f"{self._subject(answer)} {self._supply(answer.home)}."
            case ev.Memory(variable):
                name, span, reason, at = variable
                yield f"`{name}`{on_line(span)} is in memory: {reason}{on_line(at)}."
                if text := _source_at(at).splitlines():
                    yield f"    {cut(text[0])}"

    def _convergence(self, answer: ev.Convergence) -> Iterator[str]:
        variable = answer.variable
        yield f"{self._subject(answer)} is necessary (Definition 2):"
        yield f"two paths from definitions of {_described(variable)} first meet there."
        width = max(len(self.name(member)) for each in answer.paths for member in each.path)
        for label, each in zip("XY", answer.paths, strict=True):
            yield ""
            yield from self._path(label, each, variable, width)
        yield ""
        home = self._quoted(answer.home)
        starts = [label for label, each in zip("XY", answer.paths, strict=True) if each.path[0] is answer.home]
        where = f", where path {starts[0]} also starts" if starts else ""
        yield f"They converge at {home} (Definition 1): they share no continuation except {home}{where}."
        yield f"After these definitions, the paths assign nothing to `{variable.name}` before the start of {home};"
        yield f"the two values are distinct{self._alike(*(each.value for each in answer.paths))}."
        for label, each in zip("XY", answer.paths, strict=True):
            if each.impossible is not None:
                yield f"No run takes the path from {label}: {self._impossible(each.path, each.impossible)}."

    def _impossible(self, path: list[Continuation], index: int) -> str:
        """The reason why no run takes a path along which control cannot enter the continuation with that index."""
        if not index:
            return f"control never reaches {self._quoted(path[0])}"
        before, after = map(self._quoted, path[index - 1 : index + 1])
        if index == 1:
            return f"control never continues from {before} to {after}"
        return f"along it, control never continues from {before} to {after}"

    def _alike(self, first: Value, second: Value) -> str:
        """A concession if two distinct values are written alike, such as two occurrences of a constant."""
        alike = self.value(first) == self.value(second)
        return f", although both are written {self._value(first)}" if alike else ""

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
        condition = f": {cut(_source_at(decision.span))}" if decision.span else ""
        return f"{_line_prefix(decision.span)}{decision}{condition}"

    def _two_values(self, answer: ev.TwoValues) -> Iterator[str]:
        alike = self._alike(*(chain[0].value for chain in answer.chains))
        reached = f"two values reach it along chains that share no other parameter{alike}"
        yield f"{self._subject(answer)} is needed: {reached}."
        for chain in answer.chains:
            yield ""
            yield self._value(chain[0].value)
            for passing in chain:
                never = ", which no run does" if passing.is_impossible else ""
                yield f"  → {self._quoted(passing.parameter)} {self._passed(passing)}{never}"

    def _passed(self, passing: ev.Passing) -> str:
        home = passing.edge.target
        assert isinstance(home, Continuation)
        return f"of {self._quoted(home)}, passed by {self._quoted(passing.sender)}{on_line(passing.span)}"

    def _supply(self, home: Continuation) -> str:
        """The origin of the arguments of `home`, which does not receive all of them on edges."""
        transfers = [member.transfer for member in self.function.members()]
        for call in transfers:
            if isinstance(call, Call) and call.then.target is home:
                called = f"through {self._value(call.pointer)}" if call.pointer else f"of {self._quoted(call.callee)}"
                return f"receives the result of a call {called}"
        return f"receives unknown arguments: {self._quoted(home)} is passed as a value"

    def _subject(self, answer: ev.ParameterAnswer) -> str:
        return f"The parameter {self._quoted(answer.parameter)} of {self._quoted(answer.home)}"

    def _reaching(self, answer: ev.ReachingDefinitions) -> Iterator[str]:
        home, variable, name = self._quoted(answer.home), answer.variable, self.name
        definitions = [f"{name(each.continuation)}  {self._assignment(each, variable)}" for each in answer.assignments]
        definitions += [f"{name(at)}  its parameter {self._quoted(parameter)}" for at, parameter in answer.parameters]
        yield f"{_described(variable)} needs no parameter at {home}:"
        yield _reason(answer, home, len(definitions))
        yield ""
        yield from definitions[:_MAX_LISTED]
        if len(definitions) > _MAX_LISTED:
            yield f"⋮  {len(definitions) - _MAX_LISTED} more"
        if len(definitions) == 1 and answer.home is not self.function:
            where = [*(each.continuation for each in answer.assignments), *(home for home, _ in answer.parameters)][0]
            yield ""
            after = f"assigns nothing to `{variable.name}` after its last visit"
            yield f"Every path to {home} visits {self._quoted(where)}, and {after}."

    def _assignment(self, assignment: ev.Assignment, variable: Variable) -> str:
        """The location and the text of the assignment."""
        words, span = self.assignment(assignment, variable)
        return f"{_line_prefix(span)}{words or cut(_source_at(span))}"

    def _quoted(self, value: Continuation | Parameter) -> str:
        return quoted(self.name(value))

    def _value(self, value: Value) -> str:
        return quoted(cut(self.value(value)))


def _reason(answer: ev.ReachingDefinitions, home: str, definitions: int) -> str:
    name = f"`{answer.variable.name}`"
    if definitions == 1:
        return f"only one definition of {name} reaches {home}."
    if not answer.live:
        return f"no path from {home} reads {name} before it assigns to {name}."
    values = {assignment.write.value if assignment.write else None for assignment in answer.assignments}
    if len(values) == 1 and not answer.parameters:
        return f"all definitions of {name} that reach {home} have the same value."
    return f"all definitions of {name} that reach {home} have the same value, or no operation uses the value read."


def _described(variable: Variable) -> str:
    if variable.type is MEMORY:
        apart = on_line(variable.span, "the memory of the object allocated{}")
        return f"`{variable.name}` ({apart or 'the state of memory'})"
    return f"`{variable.name}`{on_line(variable.span, ' (declared{})')}"


def _line_prefix(span: Span | None) -> str:
    return f"line {span.line}: " if span else ""


# ----------------------------------------------------------------------------------------------------------- JSON


class _JsonWriter(_Writer):
    def answer(self, answer: ev.Answer) -> Json:
        if isinstance(answer, ev.Memory):
            name, span, reason, at = answer.variable
            described = {"name": name, **_location(span)}
            function = self.name(self.function)
            return {"kind": "memory", "function": function, "variable": described, "reason": reason, **_location(at)}
        shared = {"function": self.name(self.function), "continuation": self.name(answer.home)}
        if isinstance(answer, ev.ParameterAnswer):
            shared["parameter"] = self.name(answer.parameter)
        match answer:
            case ev.ReachingDefinitions():
                return {"kind": "reaching", **shared, **self._reaching(answer)}
            case ev.Convergence(_, _, variable, found):
                paths = [self._path(path, variable) for path in found]
                return {"kind": "necessary", **shared, "variable": _variable(variable), "paths": paths}
            case ev.TwoValues(_, _, chains):
                return {"kind": "two values", **shared, "chains": [[*map(self._passing, each)] for each in chains]}
            case ev.Redundant(_, _, value):
                return {"kind": "redundant", **shared, "value": self.value(value)}
            case ev.Supplied():
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
            **({} if path.impossible is None else {"impossible": path.impossible}),
        }

    def _assignment(self, assignment: ev.Assignment, variable: Variable) -> Json:
        words, span = self.assignment(assignment, variable)
        home = self.name(assignment.continuation)
        return {"continuation": home, "what": words or _source_at(span), **_location(span)}

    def _passing(self, passing: ev.Passing) -> Json:
        return {
            "value": self.value(passing.value),
            "by": self.name(passing.sender),
            "parameter": self.name(passing.parameter),
            **({"impossible": True} if passing.is_impossible else {}),
            **_location(passing.span),
        }


def _variable(variable: Variable) -> Json:
    return {"name": variable.name, **_location(variable.span)}


def _location(span: Span | None) -> dict[str, int]:
    if span is None:
        return {}
    written = span.written
    line, column = written.source.position(written.start)
    return {"line": line, "column": column}
