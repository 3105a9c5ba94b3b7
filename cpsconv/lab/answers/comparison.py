"""The comparison of an answer with the algorithms as printed: the first step in which they differ.

The strategy `paper` constructs the program first. Then the answer constructs it, and each of its events is compared
with the next one of `paper`. Both constructions have blocks and values of their own; those that are created by equal
events correspond to each other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cpsconv.core import ir
from cpsconv.core.construction import Builder
from cpsconv.core.construction import events as e
from cpsconv.core.construction.placement import Placement
from cpsconv.core.entry import function_named
from cpsconv.core.operations.table import constant_key
from cpsconv.core.source import DiagnosticError, Source, error
from cpsconv.lab.answers.answer import Answer, current_line
from cpsconv.lab.explain import Collector, Narration, Step, narrate
from cpsconv.lab.explain.algorithm_lines import Line
from cpsconv.lab.explain.phrases import Phrases, record_lines
from cpsconv.languages import CPS, LANGUAGES, read

REFERENCE = "paper"
"""The strategy with which answers are compared."""

_COMPARED = (e.SourceEvent, e.Proxy, e.Place, e.Operand, e.Remove, e.Record, e.Unreachable)
_ENDS = (e.Close, e.Unreachable)  # of the look-ups


class Construction(NamedTuple):
    """A source in a language, and the construction of each function to compare, by the strategy `paper`."""

    source: Source
    language: str
    narrations: Sequence[Narration]


class Report(NamedTuple):
    """The result for one function, as text, and a difference `in_brief`, on one line, which is empty without one."""

    text: str
    in_brief: str = ""

    @property
    def holds(self) -> bool:
        """Whether the answer does what the strategy `paper` does."""
        return not self.in_brief


class _DifferenceFound(BaseException):
    """The answer differs; the argument is the report. No ``except Exception`` of the answer catches it."""


def constructed(
    source: Source, language: str, function: str | None, convert: Callable[..., ir.Program]
) -> Construction:
    """The construction of a source, or of one function in it, by the strategy `paper`.

    `convert` is called with the source and the options `language`, `strategy` and `observer`. Raises `DiagnosticError`
    as it does, for CPS text, and if there is no such function.
    """
    if language == CPS:
        raise DiagnosticError([error(f"{source.name}: CPS text is not converted", rule="language")])
    collector = Collector(function)
    program = convert(source, language=language, strategy=REFERENCE, observer=collector)
    if function is not None:
        function_named(program, function)
    return Construction(source, language, narrate(program, collector.events, REFERENCE))


def compare_answer(answer: Source, construction: Construction) -> list[Report]:
    """Construct a program with an answer, and compare each function with the construction by the strategy `paper`.

    The reports end with the first function that differs. What the answer prints goes to standard error. Raises
    `DiagnosticError` if the answer fails.
    """
    builder = _AnsweredBuilder(answer, construction)
    try:
        with redirect_stdout(sys.stderr):
            read(construction.language, construction.source)(builder, [])
    except _DifferenceFound as difference:
        builder.reports.append(difference.args[0])
    return builder.reports


class _AnsweredBuilder(Builder):
    """A Builder that places parameters by an answer, in the functions that have a narration."""

    def __init__(self, answer: Source, construction: Construction) -> None:
        row = LANGUAGES[construction.language]
        self.reports: list[Report] = []
        self._answer = answer
        self._origin = construction.source
        self._narrations = {narration.function.name: narration for narration in construction.narrations}
        self._comparison: _Comparison | None = None
        super().__init__(REFERENCE, observer=self._observe, undefined=row.undefined, checked=row.is_checked)

    def _new_placement(self) -> Placement:
        narration = self._narrations.get(self._function.name) if self._function else None
        self._comparison = None
        if narration is None:
            return super()._new_placement()
        placement = Answer(self._answer)
        placement.observer = self.observer
        placement.undefined = self.undefined
        self._comparison = _Comparison(placement, self._answer, self._origin, narration)
        return placement

    def _observe(self, event: e.Event) -> None:
        if self._comparison is None:
            return
        self._comparison.compare(event)
        if isinstance(event, e.Close):
            self.reports.append(self._comparison.agreement())
        elif isinstance(event, e.Write):
            self._comparison.placement.write(event.variable, event.block, event.value)


class _Comparison:
    """The comparison of the construction of one function. `placement` is the answer."""

    def __init__(self, placement: Answer, answer: Source, source: Source, narration: Narration) -> None:
        self.placement = placement
        self._answer = answer
        self._source = source
        self._narration = narration
        self._expected = _compared(event for event in narration.events if isinstance(event, e.Event))
        self._counterparts: dict[Any, Any] = {}  # objects of the answer's construction to those of `paper`
        self._count = 0
        self._is_ended = False

    def compare(self, event: e.Event) -> None:
        """Compare an event with the next one of `paper`. Raises `_DifferenceFound`."""
        if self._is_ended or not _is_compared(event):
            return
        expected = next(self._expected)
        if type(expected) is not type(event) or not self._agree(expected, event):
            raise _DifferenceFound(self._difference(expected, event))
        self._count += isinstance(event, (e.LookUpEvent, e.Answer))
        self._is_ended = isinstance(event, _ENDS)

    def agreement(self) -> Report:
        """The report on a function without a difference."""
        placed = f"{self.placement.placed} placed, {self.placement.removed} removed"
        text = f"the same {self._count} events of look-ups as the strategy {REFERENCE} ({placed})"
        return Report(f"{self._narration.function.name}: {text}\n")

    def _agree(self, expected: Any, event: Any) -> bool:
        """Whether two events of one class agree. What they create corresponds to each other."""
        match event:
            case e.Open(function, block):
                self._pair([block, *function.parameters], [expected.entry, *expected.function.parameters])
            case e.Create(block):
                self._pair([block], [expected.block])
            case e.Compute():
                self._pair([event.statement], [expected.statement])
            case e.Read():
                self._pair([event.variable], [expected.variable])
            case e.Write():
                self._pair([event.variable], [expected.variable])
                if isinstance(event.value, ir.Parameter):  # the result of a call, or a parameter with a counterpart
                    self._pair([event.value], [expected.value])
            case e.Proxy(parameter) | e.Place(parameter):
                wanted = expected.parameter
                self._pair([parameter], [wanted])
                return self._all_same([wanted.variable, wanted.block], [parameter.variable, parameter.block])
            case e.Operand() | e.Remove() | e.Record() | e.Walk() | e.Answer():
                return self._all_same(_parts(expected), _parts(event))
        return True

    def _pair(self, mine: Sequence[object], theirs: Sequence[object]) -> None:
        self._counterparts.update(zip(mine, theirs, strict=False))

    def _all_same(self, theirs: Sequence[Any], mine: Sequence[Any]) -> bool:
        return all(map(self._is_same, theirs, mine))

    def _is_same(self, theirs: Any, mine: Any) -> bool:
        if mine in self._counterparts:
            return self._counterparts[mine] is theirs
        if isinstance(mine, ir.Constant):
            return isinstance(theirs, ir.Constant) and constant_key(mine) == constant_key(theirs)
        if isinstance(mine, (ir.Undef, ir.Data, ir.External, ir.Function)):
            return type(mine) is type(theirs) and mine.name == theirs.name
        return False

    # --------------------------------------------------------------------------------------------------------- texts

    def _difference(self, expected: e.Event, event: e.Event) -> Report:
        number, step = self._step(expected)
        line = _line(step, expected)
        name = self._narration.function.name
        line_of_answer = current_line(self._answer)
        place = f"{self._answer.name}:{line_of_answer}" if line_of_answer else self._answer.name
        fragment = urlencode({"fn": name, "strategy": REFERENCE, "step": number})
        texts = [f"{name}: different at step {number} of the strategy {REFERENCE}"]
        if step.span:
            shown = step.span.written.source.shown_line(step.span.line)
            texts.append(f"{step.span.file}:{step.span.line_of_file}: {shown}")
        texts.append(f"{REFERENCE}: {step.text}")
        if line:
            texts.append(f"{line.algorithm.source}, line {line.number}: {line.text.strip()}")
        found = f"{place}: {self._sentence(event)}"
        texts.append(found)
        texts.append(f"see cpsconv explain --strategy {REFERENCE} {self._source.name}")
        page = f"see cpsconv explain --strategy {REFERENCE} --html page.html {self._source.name}"
        texts.append(f"{page}, and open page.html#{fragment}")
        in_brief = f"{self._source.name}:{name}, step {number}: {found}; {REFERENCE}: {step.text}"
        return Report("\n  ".join(texts) + "\n", in_brief)

    def _step(self, expected: e.Event) -> tuple[int, Step]:
        """The step of an event with its number; if a sentence of another step covers it, the step before."""
        following = {id(event) for event in _since(self._narration.events, expected)}
        found: tuple[int, Step] | None = None
        for number, step in self._narration.steps_about():
            if found and id(step.event) in following and step.event is not expected:
                break
            found = number, step
        assert found
        return found

    def _sentence(self, event: e.Event) -> str:
        """The sentence for an event of the answer."""
        labels = self._narration.labels
        match event:
            case e.Proxy(parameter) | e.Place(parameter):
                kind = "a proxy" if isinstance(event, e.Proxy) else "a parameter"
                home = labels.block(self._counterparts[parameter.block])
                return f"places {kind} for {labels.variable(self._counterpart(parameter.variable))} in {home}"
            case e.Operand(parameter, argument):
                return f"appends {self._value(argument)} to the operands of {self._value(parameter)}"
            case e.Remove(parameter, value):
                return f"replaces {self._value(parameter)} by {self._value(value)}"
            case e.Record(variable, (block,), value):
                verb = "records"
            case e.Walk(variable, _, block, value):
                verb = "finds"
            case e.Answer(variable, block, value):
                verb = "returns"
            case _:
                return "does nothing more here"
        home = labels.block(self._counterparts[block])
        return f"{verb} {self._value(value)} for {labels.variable(self._counterpart(variable))} in {home}"

    def _counterpart(self, mine: Any) -> Any:
        return self._counterparts.get(mine, mine)

    def _value(self, value: ir.Value | None) -> str:
        assert value is not None, "look-ups without a result are not compared"
        known = self._counterpart(value)
        if isinstance(known, ir.Parameter) and value not in self._counterparts:
            return "another parameter"
        return Phrases(self._narration.labels).value(known)


def _is_compared(event: e.Event) -> bool:
    return isinstance(event, _COMPARED) or (isinstance(event, e.Walk) and event.value is not None)


def _compared(events: Iterator[e.Event]) -> Iterator[e.Event]:
    return filter(_is_compared, events)


def _parts(event: e.Operand | e.Remove | e.Record | e.Walk | e.Answer) -> list[object]:
    """The values, the blocks and the variable of an event, as far as both constructions must agree on them."""
    match event:
        case e.Operand(parameter, argument):
            return [parameter, argument]
        case e.Remove(parameter, value):
            return [parameter, value]
        case e.Record(variable, (block,), value) | e.Walk(variable, _, block, value):
            return [variable, block, value]
        case e.Answer(variable, block, value):
            return [variable, block, value]
    raise AssertionError(event)


def _line(step: Step, expected: e.Event) -> Line | None:
    """The line of the algorithms that the expected event carries out."""
    if isinstance(expected, e.Record):
        return record_lines(REFERENCE, step.event, [expected])[0]
    return step.lines[0] if step.lines else None


def _since(events: Sequence[object], event: e.Event) -> Sequence[object]:
    """The events from `event` on."""
    return events[next(number for number, each in enumerate(events) if each is event) :]
