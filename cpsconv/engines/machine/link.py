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


class LinkedProgram(dict[ir.Function, LinkedFunction]):
    """The functions of a program, each of which is linked when it is needed, and what all of them share in a run.

    `entries` has the entries of all functions, `closure` is the class of closures, `foreign` has the meaning of foreign
    operations, and `library` that of external functions, if there are any. The program has neither pure foreign
    operations nor foreign transfers; `memory` is empty; `run` runs the functions that foreign operations call.
    """

    library: Library | None = None

    def __init__(self, program: ir.Program, effects: Effects, limits: Limits, memory: Memory, run: Run) -> None:
        super().__init__()
        self.program, self.effects, self.limits, self.memory, self._run = program, effects, limits, memory, run
        self.closure = Closure if is_first_order(program) else MultiShotClosure
        memory.define(program)
        for statement in (each for member in program.members() for each in member.body):
            if isinstance(statement, ir.Primitive) and isinstance(statement.operands[0], ir.Function):
                memory.pointer_of(statement.operands[0])  # in the order of the program, not in that of the run
        self.foreign = ForeignOperations(Host(program, memory.called, self._call, effects.write))
        self.entries: dict[ir.Function, Entry | ExternalEntry] = {
            function: Entry(partial(self._block_of, function)) for function in program.functions
        }
        if program.externals:
            self._add_externals()

    def __missing__(self, function: ir.Function) -> LinkedFunction:
        self[function] = linked = _Linker(self, function).link()
        return linked

    def function_of(self, block: Block) -> ir.Function:
        """The function that a block belongs to."""
        return next(function for function, parts in self.items() for each in parts.blocks.values() if each is block)

    def _block_of(self, function: ir.Function) -> Block:
        return self[function].blocks[function]

    def _call(self, function: ir.Function, arguments: Sequence[Any]) -> Any:
        ret = [ExternalContinuation("return")] if return_type(function) else []
        return self._run(function, self.entries[function].enter([*arguments, *ret], 0), self)

    def _add_externals(self) -> None:
        from cpsconv.engines.machine.library import Library, entry_of_external  # late: few programs need them

        self.library = library = Library(self.memory, self.effects.system)
        program = self.program
        used: set[ir.Data | ir.Function] = {each for function in program.functions for each in functions_used(function)}
        used.update(target for data in program.data for target, _ in data.addresses.values())
        self.entries.update((each, entry_of_external(each, library)) for each in program.externals if each in used)


Run = Callable[[ir.Function, State, LinkedProgram], Any]
"""Runs a function that was entered, and returns its result."""


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
    """Links one function."""

    def __init__(self, linked: LinkedProgram, function: ir.Function) -> None:
        self._linked, self._function, self._memory = linked, function, linked.memory
        entry = linked.entries[function]
        assert isinstance(entry, Entry)
        self._entry, self._template = entry, entry.template
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
            return self._linked.entries[value]
        if isinstance(value, ir.Data):
            return self._memory.pointer_of(value)
        if value is LONGJMP:
            return self._long_jump()
        return ExternalContinuation(value.name) if isinstance(value, ir.External) else None

    def _long_jump(self) -> LongJump:
        from cpsconv.engines.machine.jumps import Jumps  # late: few programs jump

        library = self._linked.library
        return LongJump((library.jumps if library else Jumps[Any](self._memory)).find)

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
            return _effect(self._linked.foreign.effect(statement, self._function.name), slots, result)
        else:
            types = [operand.type for operand in statement.operands]
            return _effect(self._linked.effects.action(statement.op, types, self._memory.string), slots, result)
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
        is_saved = isinstance(self._linked.entries.get(call.callee), SavingEntry)
        resume = self._get(call.then.target, MultiShotClosure if is_saved else self._linked.closure, call)
        if call.pointer is not None:
            return self._pointer_call(call, call.pointer)
        enter = self._linked.entries[call.callee].enter
        if enters_library(call):
            enter = self._into_library(enter, call.span)
        if not is_pending(call):
            return lambda frame: enter((*arguments(frame), resume(frame)), frame[0])
        program, function, limits = self._linked.program, self._function, self._linked.limits
        max_depth = limits.max_depth

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
        resume = self._get(call.then.target, self._linked.closure, call)
        function_at, type, is_one_more = self._memory.function_at, call.callee.type, is_pending(call)
        linked, function, limits = self._linked, self._function, self._linked.limits
        entries = linked.entries

        def transition(frame: Frame) -> State:
            depth = frame[0] + is_one_more
            if depth > limits.max_depth:
                raise limits.depth_error(linked.program, function)
            return entries[function_at(frame[pointer], type)].enter((*arguments(frame), resume(frame)), depth)

        return transition

    def _gather(self, values: Sequence[ir.Value]) -> Gather:
        if any(map(is_local, values)):
            gets = [self._get(value, self._linked.closure) for value in values]
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
