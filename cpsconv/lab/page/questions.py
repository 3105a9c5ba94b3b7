"""Questions about the decisions of a construction: each is asked before the step that answers it.

The events have the right choice. The others are values that this or another variable has had, or other continuations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed, Variable, resolve
from cpsconv.core.ir import Type, Value
from cpsconv.lab.explain import Collected, Narration
from cpsconv.lab.explain.phrases import MAX_LISTED, Phrases, listed

Json = dict[str, Any]

_MAX_CHOICES = 4

_MAX_EXAMINED = 50  # values, for the choices of a question


class Questions:
    """The questions about the steps of a narration.

    A question has a `text`, and `choices` with a remark on each, which may be empty; `right` is the number of the right
    choice.
    """

    def __init__(self, narration: Narration) -> None:
        self._events = narration.events
        self._labels = narration.labels
        self._phrases = Phrases(narration.labels)
        self._predecessors = narration.end.predecessors
        self._edges = dict(_edges(narration))
        self._values: defaultdict[Variable, dict[Value, Block]] = defaultdict(dict)  # so far, with their first blocks
        self._announced: set[tuple[Variable, Block]] = set()  # where an event has said that parameters are placed
        self._known: set[tuple[Variable, Block, Value]] = set()  # values that have been asked for

    def of_events(self) -> list[Json | None]:
        """For each event, the question that its step answers, or None."""
        found = []
        events: list[Collected | None] = [None, *self._events, None]
        for before, event, after in zip(events, self._events, events[2:], strict=False):
            found.append(self._question(event, before, after))
            self._note(event)
        return found

    def _question(self, event: Collected, before: Collected | None, after: Collected | None) -> Json | None:
        match event:
            case e.Read(variable, block) if isinstance(after, e.Answer) and len(self._values[variable]) > 1:
                return self._value(self._of_read(event), after.value, [variable])
            case e.Proxy(parameter) | e.Place(parameter) if (at := _home(parameter)) not in self._announced:
                return self._placement(*at, is_placed=True)
            case e.Agree(variable, block) | e.Inherit(variable, block):
                return self._placement(variable, block, is_placed=False)
            case e.Component(variable, (block,)):
                return self._placement(variable, block, is_placed=bool(_announced(event)))
            case e.Component(variable, joins):
                return self._places(variable, _announced(event), [joins, joins[:-1], joins[-1:]])
            case e.Frontier(variable, writes, joins):
                return self._places(variable, joins, [writes, [*dict.fromkeys([*writes, *joins])], joins[:-1]])
            case e.Walk():
                return self._walk(event, before)
            case e.Operand() | e.Complete() if id(event) in self._edges:
                return self._edge(*self._edges[id(event)])
            case e.Keep(parameter) | e.Remove(parameter):
                name = self._phrases.labels.value(parameter)
                text = f"Is the parameter {name} of {self._labels.block(parameter.block)} trivial?"
                return _yes_or_no(text, isinstance(event, e.Remove))
            case e.Rename(parameter, value):
                text = f"Which value replaces {self._labels.value(parameter)} of {self._labels.block(parameter.block)}?"
                return self._value(text, value, [parameter.variable], {parameter})
            case e.RedundancyCheck(_, members, _, outer) if outer:
                return _yes_or_no(f"Is the SCC of {listed(members, self._labels.value)} redundant?", len(outer) == 1)
            case e.Redundant(_, replaced) if not isinstance(before, e.RedundancyCheck):
                value, *others = dict.fromkeys(replaced.values())
                text = f"Which value replaces {listed(replaced, self._labels.value)}?"
                return None if others else self._value(text, value, [], replaced.keys())
        return None

    def _note(self, event: Collected) -> None:
        """Note the values that the event gives to variables, or takes from them."""
        match event:
            case e.Write(variable, block, value) | e.Record(variable, (block, *_), value):
                self._values[variable].setdefault(value, block)
            case e.Proxy(parameter) | e.Place(parameter) | e.Postpone(parameter):
                self._values[parameter.variable].setdefault(parameter, parameter.block)
            case e.Remove(parameter) | e.Rename(parameter):
                self._values[parameter.variable].pop(parameter, None)
            case e.Walk(variable, _, _, value) if value is not None:
                self._known.add((variable, _start(event), value))
            case e.Component(variable) | e.Frontier(variable):
                self._announced |= {(variable, block) for block in _announced(event)}

    # -------------------------------------------------------------------------------------------------- placements

    def _placement(self, variable: Variable, block: Block, *, is_placed: bool) -> Json:
        text = f"Does {self._labels.variable(variable)} get a parameter in {self._labels.block(block)}?"
        return _yes_or_no(text, is_placed)

    def _places(self, variable: Variable, right: Sequence[Block], others: Iterable[Sequence[Block]]) -> Json:
        """The question which continuations get a parameter; how many, if there are many.

        The other choices are none, and `others`.
        """
        sets = right, [], *others
        is_long = max(map(len, sets)) > MAX_LISTED

        def shown(blocks: Sequence[Block]) -> str:
            named = f"in {listed(blocks, self._labels.block)}" if blocks else "nowhere"
            return str(len(blocks)) if is_long else named

        sizes = {shown(each): len(each) for each in sets}
        texts = sorted([*sizes][:_MAX_CHOICES], key=lambda text: (sizes[text], text))
        where = "In how many continuations" if is_long else "Where"
        text = f"{where} does {self._labels.variable(variable)} get a parameter?"
        return _question(text, texts, shown(right))

    # ------------------------------------------------------------------------------------------------------ values

    def _walk(self, walk: e.Walk, before: Collected | None) -> Json | None:
        if id(walk) in self._edges:
            return self._edge(*self._edges[id(walk)])
        variable, start = walk.variable, _start(walk)
        if walk.value is None:
            return self._placement(variable, start, is_placed=False) if walk.passed else None
        if (variable, start, walk.value) in self._known:
            return None
        name, block = self._labels.variable(variable), self._labels.block(start)
        text = self._of_read(before) if isinstance(before, e.Read) else f"Which value does {name} have in {block}?"
        further = {f"a new parameter of {block}": f"{name} gets no parameter in {block}"} if walk.passed else {}
        return self._value(text, walk.value, [variable], further=further)

    def _of_read(self, read: e.Read) -> str:
        variable, block = self._labels.variable(read.variable), self._labels.block(read.block)
        return f"Which value does the read of {variable} in {block} give?"

    def _edge(self, parameter: Placed, number: int, argument: Value) -> Json | None:
        block, home = self._labels.block, parameter.block
        edge = f"the edge from {block(self._predecessors[home][number])} to {block(home)}"
        return self._value(
            f"What does {edge} pass for {self._labels.value(parameter)}?", argument, [parameter.variable]
        )

    def _value(
        self,
        text: str,
        value: Value,
        variables: Iterable[Variable],
        excluded: Container[Value] = (),
        further: Mapping[str, str] = MappingProxyType({}),
    ) -> Json | None:
        """A question with the answer `value`; None if there is no other choice.

        The other choices are `further`, each with its remark, and values of `variables`, then of others of the type,
        except those `excluded`.
        """
        right = self._phrases.being(value)
        remarks = {right: "", **further}
        for variable, other, block in islice(self._held(variables, value.type), _MAX_EXAMINED):
            if len(remarks) < _MAX_CHOICES and other not in excluded and resolve(other) not in excluded:
                shown = self._phrases.being(other)
                at = self._labels.block(block)
                remarks.setdefault(shown, f"{self._labels.variable(variable)} is {shown} in {at}")
        return _question(text, sorted(remarks), right, remarks.__getitem__) if len(remarks) > 1 else None

    def _held(self, variables: Iterable[Variable], type: Type) -> Iterator[tuple[Variable, Value, Block]]:
        """The values of a type that `variables`, then all, have had, with their blocks, the last ones first."""
        for variable in chain(variables, reversed(self._values)):
            if variable.type is type:
                for value, block in reversed(self._values.get(variable, {}).items()):
                    yield variable, value, block


def _question(text: str, choices: Sequence[str], right: str, remark: Callable[[str], str] = lambda _: "") -> Json:
    return {"text": text, "choices": [[each, remark(each)] for each in choices], "right": choices.index(right)}


def _yes_or_no(text: str, is_so: bool) -> Json:
    return _question(text, ["yes", "no"], "yes" if is_so else "no")


def _announced(event: e.Component | e.Frontier) -> Sequence[Block]:
    """The blocks in which a parameter is placed next, as an event says."""
    if isinstance(event, e.Frontier):
        return event.joins
    entered = [join for join, values in zip(event.joins, event.entering, strict=True) if values]
    return entered if len(event.counted) > 1 else []


def _home(parameter: Placed) -> tuple[Variable, Block]:
    return parameter.variable, parameter.block


def _start(walk: e.Walk) -> Block:
    """The block in which a look-up starts to walk."""
    return (*walk.passed, walk.end)[0]


def _edges(narration: Narration) -> Iterator[tuple[int, tuple[Placed, int, Value]]]:
    """The events that show what an edge passes: a parameter, the number of the predecessor, and the argument.

    This is the walk that finds the argument after the parameter was placed, or else the event that has the argument; of
    those that a `Complete` has alone, only the last one.
    """
    walks: dict[tuple[Variable, Block], tuple[int, e.Walk]] = {}
    placed: dict[Placed, int] = {}
    appended: set[Placed] = set()

    def event_of(event: e.Event, parameter: Placed, number: int, argument: Value) -> int:
        predecessor = narration.end.predecessors[parameter.block][number]
        place, walk = walks.get((parameter.variable, predecessor), (-1, None))
        return id(walk) if walk and walk.value is argument and place > placed[parameter] else id(event)

    for place, event in enumerate(narration.events):
        match event:
            case e.Walk(variable):
                walks[variable, _start(event)] = place, event
            case e.Proxy(parameter) | e.Place(parameter):
                placed[parameter] = place
            case e.Operand(parameter, argument, number):
                appended.add(parameter)
                yield event_of(event, parameter, number, argument), (parameter, number, argument)
            case e.Complete(parameter, arguments) if parameter not in appended:
                for number, argument in enumerate(arguments):
                    yield event_of(event, parameter, number, argument), (parameter, number, argument)
