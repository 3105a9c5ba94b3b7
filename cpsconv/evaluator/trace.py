"""The trace: a record of each transfer.

`Tracer` makes the records while a program runs; `trace_text` and `trace_json` show them. A record calls everything by
the name that the text of the program gives it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.analysis.graph import count_uses
from cpsconv.entry import Data
from cpsconv.evaluator.link import is_local
from cpsconv.evaluator.values import Block, Frame, Linked, Outside
from cpsconv.ir import (
    Branch,
    Call,
    Continuation,
    ContinuationType,
    Edge,
    Effect,
    External,
    Function,
    Program,
    Switch,
    Target,
    Transfer,
    Type,
    Value,
)
from cpsconv.operations.runtime_errors import Undefined
from cpsconv.source import Span


@dataclass(frozen=True, slots=True)
class Where:
    """A continuation: its name and that of its function. One of the outside world has no function.

    Those are ``return``, to which the function returns that was started first, ``halt`` and ``abort``.
    """

    function: str | None
    continuation: str

    def __str__(self) -> str:
        """``gcd.while``; the continuation as which a function begins has but one name."""
        if self.function in (None, self.continuation):
            return self.continuation
        return f"{self.function}.{self.continuation}"


@dataclass(frozen=True, slots=True)
class Uninitialised:
    """The value of a variable to which nothing was assigned."""

    variable: str


@dataclass(frozen=True, slots=True)
class Datum:
    """A value at run time, with its type and the name of what holds it. What has no name in the text has `None`."""

    name: str | None
    type: Type
    value: Data | Where | Uninitialised


Kind = Literal["jump", "call", "return", "branch", "switch"]


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One transfer, when it is about to be made.

    Attributes:
        step: Its number, counted from 1.
        depth: How many calls wait for a result. A call in tail position, which passes on a return continuation that
            it was given itself, adds none.
        at: The continuation that makes it.
        kind: What it is. A jump to the return continuation of its function is a ``return``.
        condition: What a ``branch`` or ``switch`` decides on.
        target: What is called, as the text names it; `None` where the condition is undefined.
        to: The continuation that this is, or stands for.
        arguments: The values passed, each with the parameter's name; a call's last one is where it returns to.
        span: Where the source does that, or what comes closest to it.
        output: What the program wrote since the transfer before. A character stands for a byte.
        member: The continuation `at`.
        scope: Gives the values that have names at this point. Only while the run waits here.
    """

    step: int
    depth: int
    at: Where
    kind: Kind
    condition: Datum | None
    target: str | None
    to: Where | None
    arguments: tuple[Datum, ...]
    span: Span | None
    output: str
    member: Continuation = field(compare=False, repr=False)
    scope: Callable[[], list[Datum]] = field(compare=False, repr=False)


Trace = Callable[[TraceRecord], object]
"""Takes the records."""


def names_of(program: Program) -> dict[Value, str]:
    """The names that the text gives to functions, continuations, parameters and statements."""
    from cpsconv.text import names  # only now: whoever does without a trace does without the printer, too

    functions = [function.name for function in program.functions]
    found: dict[Value, str] = dict(zip(program.functions, functions, strict=True))
    for function in program.functions:
        found.update(names(function, set(functions)))
    return found


def places_of(program: Program) -> dict[Continuation, Where]:
    """How a record calls each of the program's continuations, in the order of the text."""
    names = names_of(program)
    return {
        member: Where(function.name, names[member]) for function in program.functions for member in function.members()
    }


def span_of(continuation: Continuation) -> Span | None:
    """Where the source makes the continuation's transfer; else what it does before that; else its beginning."""
    does = [continuation.transfer, *reversed(continuation.body), continuation]
    return next((part.span for part in does if part and part.span), None)


@dataclass(frozen=True, slots=True)
class _Site:
    """What is known of a continuation before the program runs."""

    function: Function
    member: Continuation
    transfer: Transfer
    slots: Mapping[Value, int]
    place: Where
    parameters: Sequence[str]
    kind: Kind
    ways: Mapping[int, Edge]
    otherwise: Edge
    span: Span | None


class Tracer:
    """Makes the records of one run. `heard` is what the program has written; it is emptied with each record.

    How deep an activation is stands in one more slot of its frame, the last, which is empty in a new frame.
    """

    def __init__(self, program: Program, linked: Mapping[Function, Linked], heard: bytearray) -> None:
        self._names = names_of(program)
        self._heard = heard
        self._sites: dict[Block, _Site] = {}
        self._blocks: dict[Continuation, Block] = {}
        for function, ready in linked.items():
            self._blocks.update(ready.blocks)
            for member, block in ready.blocks.items():
                self._sites[block] = self._site(function, member, ready.slots)
        self._scopes: dict[Function, tuple[DominatorTree, Counter[Value]]] = {}
        self._depth_of_new = 0
        for ready in linked.values():
            ready.entry.template.append(None)

    def _site(self, function: Function, member: Continuation, slots: Mapping[Value, int]) -> _Site:
        assert member.transfer is not None
        place = Where(function.name, self._names[member])
        parameters = [self._names[parameter] for parameter in member.parameters]
        transfer, kind = member.transfer, _kind(function, member.transfer)
        ways, otherwise = _ways(transfer), transfer.edges[-1]
        return _Site(function, member, transfer, slots, place, parameters, kind, ways, otherwise, span_of(member))

    def record(self, step: int, block: Block, frame: Frame) -> TraceRecord:
        """The record of the transfer that the block is about to make in the frame."""
        site = self._sites[block]
        condition = self._condition(site, frame)
        target, arguments = _way(site, condition)
        to, parameters = self._destination(site, frame, target)
        return TraceRecord(
            step,
            self._depth(site, frame),
            site.place,
            site.kind,
            condition,
            None if target is None else self._name(target),
            to,
            tuple(
                Datum(parameters[index] if parameters else None, argument.type, self._value(site, frame, argument))
                for index, argument in enumerate(arguments)
            ),
            site.span,
            self._take_output(),
            site.member,
            lambda: [*self._scope(site, frame)],
        )

    def _depth(self, site: _Site, frame: Frame) -> int:
        """The depth of a frame; and note that of the one in which the next record may be, if that is new."""
        if frame[-1] is None:
            frame[-1] = self._depth_of_new
        depth: int = frame[-1]
        waits = isinstance(site.transfer, Call) and is_local(site.transfer.then.target)
        self._depth_of_new = depth + waits
        return depth

    def _condition(self, site: _Site, frame: Frame) -> Datum | None:
        transfer = site.transfer
        if not isinstance(transfer, (Branch, Switch)):
            return None
        (value,) = transfer.operands
        return Datum(self._names.get(value), value.type, self._value(site, frame, value))

    def _destination(self, site: _Site, frame: Frame, target: Value | None) -> tuple[Where | None, Sequence[str]]:
        """The continuation that a target stands for, and the names of its parameters, if they have any."""
        if target is None:
            return None, ()
        held = self._blocks[target] if isinstance(target, Continuation) else frame[site.slots[target]]
        if isinstance(held, Outside):
            return Where(None, held.name), ()
        leads_to = self._sites[held if isinstance(held, Block) else held.block]
        return leads_to.place, leads_to.parameters

    def _value(self, site: _Site, frame: Frame, value: Value) -> Data | Where | Uninitialised:
        if isinstance(value.type, ContinuationType):
            place, _ = self._destination(site, frame, value)
            assert place
            return place
        held: Any = frame[site.slots[value]]
        return Uninitialised(held.undef.name) if isinstance(held, Undefined) else held

    def _scope(self, site: _Site, frame: Frame) -> Iterator[Datum]:
        """What is defined in the continuations that dominate this one, the outermost first, and then in itself."""
        if site.function not in self._scopes:
            self._scopes[site.function] = DominatorTree(site.function), count_uses(site.function)
        tree, used = self._scopes[site.function]
        chain = [site.member]
        while chain[-1] in tree.parent:
            chain.append(tree.parent[chain[-1]])
        for member in reversed(chain):
            for value in (*member.parameters, *member.body):
                if value in self._names and (used[value] or not isinstance(value, Effect)):
                    yield Datum(self._names[value], value.type, self._value(site, frame, value))

    def _take_output(self) -> str:
        output = self._heard.decode("latin-1")
        self._heard.clear()
        return output

    def _name(self, value: Value) -> str:
        return value.name if isinstance(value, External) else self._names[value]


def _kind(function: Function, transfer: Transfer) -> Kind:
    if isinstance(transfer, Call):
        return "call"
    if isinstance(transfer, Branch):
        return "branch"
    if isinstance(transfer, Switch):
        return "switch"
    return "return" if transfer.edge.target in function.parameters[-1:] else "jump"


def _ways(transfer: Transfer) -> dict[int, Edge]:
    """Where a choice leads, if not along the last of its edges."""
    if isinstance(transfer, Branch):
        return {True: transfer.then}
    return dict(zip(transfer.cases, transfer.targets, strict=True)) if isinstance(transfer, Switch) else {}


def _way(site: _Site, condition: Datum | None) -> tuple[Target | None, Sequence[Value]]:
    """What is called with what, if the condition is that."""
    transfer = site.transfer
    if isinstance(transfer, Call):
        return transfer.callee, [*transfer.arguments, transfer.then.target]
    edge = site.otherwise
    if condition:
        if not isinstance(condition.value, int):
            return None, ()
        edge = site.ways.get(condition.value, edge)
    return edge.target, edge.arguments
