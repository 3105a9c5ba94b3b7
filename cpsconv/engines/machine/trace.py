"""The trace: a record of each transfer.

`Tracer` creates the records while a program runs; `trace_text` and `trace_json` show them. The names in a record are
those in the text of the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import count_uses
from cpsconv.core.entry import Data
from cpsconv.core.operations.pointers import number_of, offset_of
from cpsconv.core.operations.runtime_errors import Undefined
from cpsconv.core.operations.types import is_foreign
from cpsconv.core.source import Span
from cpsconv.engines.machine.link import LinkedProgram
from cpsconv.engines.machine.memory import Change, Memory
from cpsconv.engines.machine.memory_text import place_text, pointer_text
from cpsconv.engines.machine.values import Block, ExternalContinuation, ExternalEntry, Frame, LongJump


@dataclass(frozen=True, slots=True)
class ContinuationName:
    """The name of a continuation, with the name of its function. A continuation of the environment has no function.

    These are ``return``, to which the first function returns, ``halt`` and ``abort``.
    """

    function: str | None
    continuation: str

    def __str__(self) -> str:
        """``gcd.while``; the first continuation of a function has the name of the function only."""
        if self.function in (None, self.continuation):
            return self.continuation
        return f"{self.function}.{self.continuation}"


@dataclass(frozen=True, slots=True)
class Uninitialised:
    """The value of a variable without an assignment."""

    variable: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """The value of a pointer: the `text` of the place in memory, as ``&a[3].x``, and the number of its object."""

    text: str
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ForeignValue:
    """A value of a foreign type, as its dialect shows it."""

    text: str


@dataclass(frozen=True, slots=True)
class Datum:
    """A value at run time, with its type and its name in the text; the name is None if the text has none."""

    name: str | None
    type: ir.Type
    value: Data | ContinuationName | Pointer | ForeignValue | Uninitialised


Kind = Literal["jump", "call", "return", "branch", "switch"]


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One transfer, before it is made.

    Attributes:
        step: Its number, counted from 1.
        depth: The number of pending calls. A call in tail position, which passes the return continuation that its
            function received, adds none.
        at: The continuation that makes the transfer.
        kind: The kind of transfer. A jump to the return continuation of its function is a ``return``.
        condition: The value on which a ``branch`` or ``switch`` decides.
        target: The name of the called value in the text; None if the condition is undefined.
        to: The continuation that `target` denotes.
        arguments: The values passed, each with the parameter's name; the last one of a call is the return continuation.
        span: The location in the source, or the closest one known.
        output: The output of the program since the previous transfer, one character per byte.
        changes: The values stored in memory since the previous transfer, each with the text of its place as its name.
        member: The continuation `at`.
        scope: Returns the named values at this point. Valid only before the run continues.
        memory: The memory at this point. Valid only before the run continues.
    """

    step: int
    depth: int
    at: ContinuationName
    kind: Kind
    condition: Datum | None
    target: str | None
    to: ContinuationName | None
    arguments: tuple[Datum, ...]
    span: Span | None
    output: str
    changes: tuple[Datum, ...]
    member: ir.Continuation = field(compare=False, repr=False)
    scope: Callable[[], list[Datum]] = field(compare=False, repr=False)
    memory: Memory = field(compare=False, repr=False)


Trace = Callable[[TraceRecord], object]
"""A function that receives the records."""


def names_of(program: ir.Program) -> dict[ir.Value, str]:
    """The names of functions, continuations, parameters and statements in the text."""
    from cpsconv.core.text import names  # late: without a trace, the printer is not needed

    taken = program.global_names
    found: dict[ir.Value, str] = {each: each.name for each in program.globals}
    for function in program.functions:
        found.update(names(function, taken))
    return found


def continuation_names(program: ir.Program) -> dict[ir.Continuation, ContinuationName]:
    """The names of the program's continuations in records, in the order of the text."""
    names = names_of(program)
    return {
        member: ContinuationName(function.name, names[member])
        for function in program.functions
        for member in function.members()
    }


def span_of(continuation: ir.Continuation) -> Span | None:
    """The location of the continuation's transfer; without one, of its last statement that has one, or of its start."""
    parts = [continuation.transfer, *reversed(continuation.body), continuation]
    return next((part.span for part in parts if part and part.span), None)


@dataclass(frozen=True, slots=True)
class _Site:
    """The static part of a continuation's records. `edges` has the edges of a branch or switch by value.

    `structs` has the struct of each computed address of a field, with the slot of the pointer to the struct.
    """

    function: ir.Function
    member: ir.Continuation
    transfer: ir.Transfer
    slots: Mapping[ir.Value, int]
    name: ContinuationName
    parameters: Sequence[str]
    kind: Kind
    edges: Mapping[int, ir.Edge]
    span: Span | None
    structs: Sequence[tuple[int, ir.Struct]]


class Tracer:
    """Creates the records of a run of a linked program.

    `written` is the output of the program, and its memory has its changes; each record empties both.
    """

    def __init__(self, linked: LinkedProgram, written: bytearray) -> None:
        self._foreign_text = linked.foreign.shown
        self._names = names_of(linked.program)
        self._memory = linked.memory
        self._written = written
        self._sites: dict[Block, _Site] = {}
        self._blocks: dict[ir.Continuation, Block] = {}
        for function, parts in linked.items():
            self._blocks.update(parts.blocks)
            for member, block in parts.blocks.items():
                self._sites[block] = self._site(function, member, parts.slots)
        self._scopes: dict[ir.Function, tuple[DominatorTree, Counter[ir.Value]]] = {}

    def _site(self, function: ir.Function, member: ir.Continuation, slots: Mapping[ir.Value, int]) -> _Site:
        transfer = member.transfer
        assert transfer is not None
        name = ContinuationName(function.name, self._names[member])
        parameters = [self._names[parameter] for parameter in member.parameters]
        kind, edges = _kind_and_edges(function, transfer)
        structs = [(slots[each.operands[0]], each.of.struct) for each in member.body if isinstance(each.of, ir.Field)]
        return _Site(function, member, transfer, slots, name, parameters, kind, edges, span_of(member), structs)

    def record(self, step: int, block: Block, frame: Frame) -> TraceRecord:
        """The record of the next transfer, of the block in the frame."""
        site = self._sites[block]
        for slot, struct in site.structs:
            self._memory.note_struct(frame[slot], struct)
        condition = self._condition(site, frame)
        target, arguments = _call_of(site, condition)
        to, parameters = self._destination(site, frame, target)
        # Calls of continuations that are not the program's, and those whose types do not fit, have no names.
        names = parameters if len(parameters) == len(arguments) else [None] * len(arguments)
        output = self._written.decode("latin-1")
        self._written.clear()
        return TraceRecord(
            step,
            frame[0],
            site.name,
            site.kind,
            condition,
            None if target is None else self._name(target),
            to,
            tuple(
                Datum(parameter, argument.type, self._value(site, frame, argument))
                for argument, parameter in zip(arguments, names, strict=True)
            ),
            site.span,
            output,
            self._changes(),
            site.member,
            lambda: [*self._scope(site, frame)],
            self._memory,
        )

    def _changes(self) -> tuple[Datum, ...]:
        changes = self._memory.changes
        if not changes:
            return ()
        found = tuple(map(self._change, changes))
        changes.clear()
        return found

    def _change(self, change: Change) -> Datum:
        number, offset = number_of(change.pointer), offset_of(change.pointer)
        place = place_text(self._memory.objects[number], number, offset, change.type)
        undefined = Uninitialised(place)
        return Datum(place, change.type, undefined if change.value is None else self._shown(change.type, change.value))

    def _shown(self, type: ir.Type, value: Any) -> Data | Pointer | ForeignValue:
        if is_foreign(type):
            return ForeignValue(self._foreign_text(type, value))
        if type is ir.PTR:
            return Pointer(pointer_text(value, self._memory.objects), number_of(value))
        shown: Data = value
        return shown

    def _condition(self, site: _Site, frame: Frame) -> Datum | None:
        transfer = site.transfer
        if not isinstance(transfer, (ir.Branch, ir.Switch)):
            return None
        (value,) = transfer.operands
        return Datum(self._names.get(value), value.type, self._value(site, frame, value))

    def _destination(
        self, site: _Site, frame: Frame, target: ir.Value | None
    ) -> tuple[ContinuationName | None, Sequence[str]]:
        """The continuation that a target denotes, and the names of its parameters, if known."""
        if target is None:
            return None, ()
        if isinstance(target, ir.Continuation) and target not in self._blocks:
            return ContinuationName(None, target.name), [parameter.name for parameter in target.parameters]
        held = self._blocks[target] if isinstance(target, ir.Continuation) else frame[site.slots[target]]
        if target.type is ir.PTR:
            function = self._memory.called(held)
            return self._destination(site, frame, function) if function else (None, ())
        if isinstance(held, (ExternalContinuation, ExternalEntry, LongJump)):
            return ContinuationName(None, held.name), ()
        entered = self._sites[held if isinstance(held, Block) else held.block]
        return entered.name, entered.parameters

    def _value(
        self, site: _Site, frame: Frame, value: ir.Value
    ) -> Data | ContinuationName | Pointer | ForeignValue | Uninitialised:
        if isinstance(value.type, ir.ContinuationType):
            name, _ = self._destination(site, frame, value)
            assert name
            return name
        held: Any = frame[site.slots[value]]
        return Uninitialised(held.undef.name) if isinstance(held, Undefined) else self._shown(value.type, held)

    def _scope(self, site: _Site, frame: Frame) -> Iterator[Datum]:
        """The named values defined in the continuations that dominate this one, the outermost first, and in itself."""
        if site.function not in self._scopes:
            self._scopes[site.function] = DominatorTree(site.function), count_uses(site.function)
        tree, used = self._scopes[site.function]
        path = [site.member]
        while path[-1] in tree.parent:
            path.append(tree.parent[path[-1]])
        for member in reversed(path):
            for value in (*member.parameters, *member.body):
                if value in self._names and (used[value] or not isinstance(value, ir.Effect)):
                    yield Datum(self._names[value], value.type, self._value(site, frame, value))

    def _name(self, value: ir.Value) -> str:
        return value.name if isinstance(value, ir.External) else self._names.get(value, "call")


def _kind_and_edges(function: ir.Function, transfer: ir.Transfer) -> tuple[Kind, Mapping[int, ir.Edge]]:
    """The kind of transfer, and the edges of a branch or switch by value, except the last edge."""
    match transfer:
        case ir.Call():
            return "call", {}
        case ir.Branch():
            return "branch", {True: transfer.then}
        case ir.Switch():
            return "switch", dict(zip(transfer.cases, transfer.targets, strict=True))
    assert isinstance(transfer, ir.Jump)
    return ("return" if transfer.edge.target in function.parameters[-1:] else "jump"), {}


def _call_of(site: _Site, condition: Datum | None) -> tuple[ir.Value | None, Sequence[ir.Value]]:
    """The called value and the arguments, given the condition."""
    transfer = site.transfer
    if isinstance(transfer, ir.Call):
        called = transfer.callee if transfer.pointer is None else transfer.pointer
        return called, [*transfer.arguments, transfer.then.target]
    edge = transfer.edges[-1]
    if condition:
        if not isinstance(condition.value, int):
            return None, ()
        edge = site.edges.get(condition.value, edge)
    return edge.target, edge.arguments
