"""Linking: the preparation of a program for the machine.

Each function gets a frame layout: a slot for every value that its continuations define or use. The parameters of a
continuation have adjacent slots, so that one slice assignment passes all arguments in parallel: ``loop(b, a)`` swaps.
Each continuation becomes a `Block` of Python functions that read and write slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from cpsconv.abi.attributes import LONGJMP
from cpsconv.abi.library import enters_library
from cpsconv.core import ir
from cpsconv.core.analysis.graph import functions_used, is_local
from cpsconv.core.entry import return_type
from cpsconv.core.operations.dialects import ForeignOperations, Host
from cpsconv.core.operations.runtime_errors import Undefined
from cpsconv.core.operations.semantics import normalised, operation
from cpsconv.core.operations.table import EFFECTS, FOREIGN
from cpsconv.core.source import Span
from cpsconv.engines.machine.limits import Limits, is_pending
from cpsconv.engines.machine.memory import Memory
from cpsconv.engines.machine.system import Effects
from cpsconv.engines.machine.values import (
    Block,
    Closure,
    Entry,
    ExternalContinuation,
    ExternalEntry,
    Frame,
    LinkedFunction,
    LongJump,
    MultiShotClosure,
    SavingEntry,
    State,
    Step,
    Transition,
)

if TYPE_CHECKING:
    from cpsconv.engines.machine.library import Library

Compute = Callable[..., Any]

Gather = Callable[[Frame], Sequence[Any]]
"""Reads the values of some arguments from a frame."""


class LinkedFunctions(dict[ir.Function, LinkedFunction]):
    """The linked functions of a program: each one is linked when it is needed. They share the foreign operations."""

    foreign: ForeignOperations

    def __init__(self, link: Callable[[ir.Function], LinkedFunction]) -> None:
        super().__init__()
        self._link = link

    def __missing__(self, function: ir.Function) -> LinkedFunction:
        self[function] = linked = self._link(function)
        return linked

    def block_of(self, function: ir.Function) -> Block:
        """The first block of a function."""
        return self[function].blocks[function]


Run = Callable[[ir.Function, State, LinkedFunctions, Memory], Any]
"""Runs a function that was entered, and returns its result."""


def link(program: ir.Program, effects: Effects, limits: Limits, memory: Memory, run: Run) -> LinkedFunctions:
    """The linked functions of the program, which has neither pure foreign operations nor foreign transfers.

    `memory` is empty. `run` runs the functions that foreign operations call.
    """
    memory.define(program)
    for statement in (each for member in program.members() for each in member.body):
        if isinstance(statement, ir.Primitive) and isinstance(statement.operands[0], ir.Function):
            memory.pointer_of(statement.operands[0])  # in the order of the program, not in that of the run
    linked = LinkedFunctions(
        lambda function: _Linker(program, function, entries, closure, effects, memory, limits, library, foreign).link()
    )

    def call(function: ir.Function, arguments: Sequence[Any]) -> Any:
        ret = [ExternalContinuation("return")] if return_type(function) else []
        return run(function, entries[function].enter([*arguments, *ret], 0), linked, memory)

    foreign = linked.foreign = ForeignOperations(Host(program, memory.called, call, effects.write))
    entries: dict[ir.Function, Entry | ExternalEntry] = {
        function: Entry(partial(linked.block_of, function)) for function in program.functions
    }
    library = None
    if program.externals:
        from cpsconv.engines.machine.library import Library, entry_of_external  # late: few programs need them

        library = Library(memory, effects.system)
        used: set[ir.Data | ir.Function] = {each for function in program.functions for each in functions_used(function)}
        used.update(target for data in program.data for target, _ in data.addresses.values())
        entries.update((each, entry_of_external(each, library)) for each in program.externals if each in used)
    closure = Closure if is_first_order(program) else MultiShotClosure
    return linked


def is_first_order(program: ir.Program) -> bool:
    """Whether no continuation is passed as an argument, except as the return continuation of a call."""
    return not any(
        isinstance(value.type, ir.ContinuationType)
        for continuation in program.members()
        for value in _data_used(continuation)
    )


def _data_used(continuation: ir.Continuation) -> Iterator[ir.Value]:
    """The operands, except functions, which are converted to pointers, and the arguments in a continuation."""
    for statement in continuation.body:
        yield from (operand for operand in statement.operands if not isinstance(operand, ir.Function))
    transfer = _transfer_of(continuation)
    yield from transfer.operands
    for edge in transfer.edges:
        yield from edge.arguments


def _transfer_of(continuation: ir.Continuation) -> ir.Transfer:
    assert continuation.transfer is not None, f"{continuation.name} is under construction"
    return continuation.transfer


class _Linker:
    """Links one function. `closure` is the class of its closures; `entries` has all functions."""

    def __init__(
        self,
        program: ir.Program,
        function: ir.Function,
        entries: dict[ir.Function, Entry | ExternalEntry],
        closure: type[Closure],
        effects: Effects,
        memory: Memory,
        limits: Limits,
        library: Library | None,
        foreign: ForeignOperations,
    ) -> None:
        self._program = program
        self._function = function
        self._limits = limits
        self._library = library
        self._foreign = foreign
        self._entries = entries
        self._closure = closure
        self._effects = effects
        self._memory = memory
        entry = entries[function]
        assert isinstance(entry, Entry)
        self._entry = entry
        self._template = entry.template
        self._slots: dict[ir.Value, int] = {}
        self._blocks: dict[ir.Continuation, Block] = {}

    def link(self) -> LinkedFunction:
        """The linked function; its entry is completed."""
        for continuation in self._function.members():
            self._blocks[continuation] = Block(self._parameters(continuation))
        for continuation, block in self._blocks.items():
            block.steps = [(self._step(statement), statement) for statement in continuation.body]
            transfer = _transfer_of(continuation)
            block.transfer = (self._transition(transfer), transfer)
        self._entry.block = self._blocks[self._function]
        return LinkedFunction(self._entry, self._blocks, self._slots)

    # ------------------------------------------------------------------------------------------------------ slots

    def _parameters(self, continuation: ir.Continuation) -> slice:
        """New adjacent slots for the parameters."""
        first = len(self._template)
        for parameter in continuation.parameters:
            self._slot(parameter)
        return slice(first, len(self._template))

    def _slot(self, value: ir.Value) -> int:
        """The slot of a value, a new one at the first use."""
        if value not in self._slots:
            self._slots[value] = len(self._template)
            self._template.append(self._initial(value))
        return self._slots[value]

    def _initial(self, value: ir.Value) -> Any:
        """The content of the slot in a new frame: None unless the value is known at link time."""
        if isinstance(value, ir.Constant):
            return normalised(value.type, value.value)
        if isinstance(value, ir.Undef):
            return Undefined(value)
        if isinstance(value, ir.Function):
            return self._entries[value]
        if isinstance(value, ir.Data):
            return self._memory.pointer_of(value)
        if value is LONGJMP:
            return self._long_jump()
        return ExternalContinuation(value.name) if isinstance(value, ir.External) else None

    def _long_jump(self) -> LongJump:
        from cpsconv.engines.machine.jumps import Jumps  # late: few programs jump

        return LongJump((self._library.jumps if self._library else Jumps[Any](self._memory)).find)

    # ------------------------------------------------------------------------------------------------- statements

    def _step(self, statement: ir.Statement) -> Step:
        slots = [self._slot(operand) for operand in statement.operands]
        result = self._slot(statement)
        if isinstance(statement, ir.Primitive) and isinstance(function := statement.operands[0], ir.Function):
            pointer = self._memory.pointer_of(function)
            return _unary(lambda _: pointer, slots, result)
        if isinstance(statement, ir.Primitive):
            compute = operation(statement)
        elif EFFECTS[statement.op].is_on_memory:
            compute = self._memory.action(statement)
        elif statement.op == FOREIGN:
            return _effect(self._foreign.effect(statement, self._function.name), slots, result)
        else:
            types = [operand.type for operand in statement.operands]
            return _effect(self._effects.action(statement.op, types, self._memory.string), slots, result)
        return (_unary if len(slots) == 1 else _binary if len(slots) == 2 else _effect)(compute, slots, result)

    # -------------------------------------------------------------------------------------------------- transfers

    def _transition(self, transfer: ir.Transfer) -> Transition:
        if isinstance(transfer, ir.Jump):
            return self._edge(transfer.edge)
        if isinstance(transfer, ir.Branch):
            return _branch(self._slot(transfer.condition), self._edge(transfer.then), self._edge(transfer.otherwise))
        if isinstance(transfer, ir.Switch):
            cases = dict(zip(transfer.cases, map(self._edge, transfer.targets), strict=True))
            return _switch(self._slot(transfer.value), cases, self._edge(transfer.default))
        assert isinstance(transfer, ir.Call)
        return self._call(transfer)

    def _edge(self, edge: ir.Edge) -> Transition:
        arguments = self._gather(edge.arguments)
        if is_local(edge.target):
            return _pass(self._blocks[edge.target], arguments)
        slot = self._slot(edge.target)
        return lambda frame: frame[slot].enter(arguments(frame), frame[0])

    def _call(self, call: ir.Call) -> Transition:
        arguments = self._gather(call.arguments)
        is_saved = isinstance(self._entries.get(call.callee), SavingEntry)
        resume = self._get(call.then.target, MultiShotClosure if is_saved else self._closure, call)
        if call.pointer is not None:
            return self._pointer_call(call, call.pointer)
        enter = self._entries[call.callee].enter
        if enters_library(call):
            enter = self._into_library(enter, call.span)
        if not is_pending(call):
            return lambda frame: enter((*arguments(frame), resume(frame)), frame[0])
        program, function, limits, max_depth = self._program, self._function, self._limits, self._limits.max_depth

        def transition(frame: Frame) -> State:
            depth = frame[0] + 1
            if depth > max_depth:
                raise limits.depth_error(program, function)
            return enter((*arguments(frame), resume(frame)), depth)

        return transition

    def _into_library(self, enter: Callable[..., State], span: Span | None) -> Callable[..., State]:
        memory = self._memory

        def enter_library(arguments: Sequence[Any], depth: int) -> State:
            memory.library_call = span
            return enter(arguments, depth)

        return enter_library

    def _pointer_call(self, call: ir.Call, called: ir.Value) -> Transition:
        """A call of the function at the pointer `called`, which must have the type of `call.callee`."""
        arguments, pointer = self._gather(call.arguments), self._slot(called)
        resume = self._get(call.then.target, self._closure, call)
        function_at, type, entries, is_one_more = (
            self._memory.function_at,
            call.callee.type,
            self._entries,
            is_pending(call),
        )
        program, function, limits = self._program, self._function, self._limits

        def transition(frame: Frame) -> State:
            depth = frame[0] + is_one_more
            if depth > limits.max_depth:
                raise limits.depth_error(program, function)
            return entries[function_at(frame[pointer], type)].enter((*arguments(frame), resume(frame)), depth)

        return transition

    def _gather(self, values: Sequence[ir.Value]) -> Gather:
        if any(map(is_local, values)):
            gets = [self._get(value, self._closure) for value in values]
            return lambda frame: [get(frame) for get in gets]
        slots = [self._slot(value) for value in values]
        if not slots:
            return lambda frame: ()
        if len(slots) == 1:
            (slot,) = slots
            return lambda frame: (frame[slot],)
        return itemgetter(*slots)

    def _get(self, value: ir.Value, closure: type[Closure], call: ir.Call | None = None) -> Callable[[Frame], Any]:
        """The function that reads a value; for a continuation of the function, it creates a closure of that class."""
        if is_local(value):
            block = self._blocks[value]
            return lambda frame: closure(block, frame, call)
        return itemgetter(self._slot(value))


# ------------------------------------------------------------------------------------- the functions in blocks


def _unary(compute: Compute, slots: Sequence[int], result: int) -> Step:
    (operand,) = slots

    def step(frame: Frame) -> None:
        frame[result] = compute(frame[operand])

    return step


def _binary(compute: Compute, slots: Sequence[int], result: int) -> Step:
    left, right = slots

    def step(frame: Frame) -> None:
        frame[result] = compute(frame[left], frame[right])

    return step


def _effect(compute: Compute, slots: Sequence[int], result: int) -> Step:
    def step(frame: Frame) -> None:
        frame[result] = compute(*[frame[slot] for slot in slots])

    return step


def _pass(block: Block, arguments: Gather) -> Transition:
    """A jump to a continuation of the same function."""
    parameters = block.parameters

    def transition(frame: Frame) -> State:
        frame[parameters] = arguments(frame)
        return block, frame

    return transition if parameters.start < parameters.stop else lambda frame: (block, frame)


def _branch(condition: int, then: Transition, otherwise: Transition) -> Transition:
    return lambda frame: then(frame) if frame[condition] else otherwise(frame)


def _switch(value: int, cases: dict[int, Transition], default: Transition) -> Transition:
    return lambda frame: cases.get(frame[value], default)(frame)
