"""The run-time objects of the machine: frames, blocks, and continuations that can be entered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from cpsconv.abi.attributes import LONGJMP
from cpsconv.core.ir import Call, Continuation, Statement, Transfer, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.runtime_errors import defined

Frame = list[Any]
"""The values of one activation of a function, each in its slot. The first slot has the number of pending calls."""

Step = Callable[[Frame], None]
"""Executes one statement."""

Transition = Callable[[Frame], "State"]
"""Makes one transfer: from the frame to the next state."""


@dataclass(eq=False, slots=True)
class Block:
    """A linked continuation. Each step, and the transfer, comes with the IR node that has its source location."""

    parameters: slice
    steps: list[tuple[Step, Statement]] = field(default_factory=list)
    transfer: tuple[Transition, Transfer] = field(init=False)


State = tuple[Block, Frame]
"""The state of the machine: the next block, and its frame."""


class Closure(metaclass=NodeType):
    """A one-shot continuation: it may be entered once, since the run changes its frame.

    `call` is the call that passes it as the return continuation, if any.
    """

    block: Block
    frame: Frame
    call: Call | None

    def enter(self, arguments: Sequence[Any], depth: int) -> State:
        """The state after a call of the continuation, while `depth` calls are pending."""
        self.frame[self.block.parameters] = arguments
        return self.block, self.frame


class MultiShotClosure(Closure):
    """A multi-shot continuation: its frame is a copy, and each entry runs in a copy of that frame."""

    __slots__ = ()

    def __init__(self, block: Block, frame: Frame, call: Call | None) -> None:
        super().__init__(block, frame.copy(), call)

    def enter(self, arguments: Sequence[Any], depth: int) -> State:
        """The state after a call of the continuation, while `depth` calls are pending."""
        return Closure(self.block, self.frame.copy(), self.call).enter(arguments, depth)


@dataclass(eq=False, slots=True)
class Entry:
    """The entry of a function, which `link` links at the first call, since programs call few functions of the library.

    `template` is the initial content of its frames, with the constants.
    """

    link: Callable[[], Block]
    block: Block | None = None
    template: Frame = field(default_factory=lambda: [0])

    def enter(self, arguments: Sequence[Any], depth: int = 0) -> State:
        """The state after a call of the function, with a new frame, while `depth` calls are pending."""
        block = self.block or self.link()
        frame = self.template.copy()
        frame[0] = depth
        frame[block.parameters] = arguments
        return block, frame


class ExternalEntry(metaclass=NodeType):
    """The entry of an external function, which `compute` implements. Its last argument is the return continuation."""

    name: str
    compute: Callable[..., Any]
    returns_value: bool

    def enter(self, arguments: Sequence[Any], depth: int) -> State:
        """The state after the return of the function. Raises `ProgramError` if an argument is undefined."""
        *values, ret = arguments
        result = self.compute(*map(defined, values))
        state: State = ret.enter((result,) if self.returns_value else (), depth)
        return state


class SavingEntry(ExternalEntry):
    """The entry of `setjmp`: `compute` saves the return continuation in a buffer, before it is entered with 0."""

    __slots__ = ()

    def enter(self, arguments: Sequence[Any], depth: int) -> State:
        """The state after the return of the function. Raises `ProgramError` if the buffer is undefined."""
        buffer, ret = arguments
        self.compute(defined(buffer), ret)
        state: State = ret.enter((0,), depth)
        return state


@dataclass(frozen=True, slots=True)
class LinkedFunction:
    """A linked function with the blocks of its continuations and the slots of its values."""

    entry: Entry
    blocks: dict[Continuation, Block]
    slots: dict[Value, int]


class ExternalContinuation(metaclass=NodeType):
    """A continuation of the environment: ``halt``, ``abort``, or the ``return`` of the first function."""

    name: str

    def enter(self, arguments: Sequence[Any], depth: int) -> NoReturn:
        """Raises `ProgramEnd`, or `ProgramError` if an argument is undefined."""
        raise ProgramEnd(self.name, [defined(argument) for argument in arguments])


class LongJump(metaclass=NodeType):
    """The continuation `longjmp` of the environment. `find` returns the continuation in a buffer."""

    find: Callable[[int], Any]
    name: str = LONGJMP.name

    def enter(self, arguments: Sequence[Any], depth: int) -> State:
        """The state after the jump. Raises `ProgramError` if an argument is undefined, or the buffer is not set."""
        buffer, value = map(defined, arguments)
        state: State = self.find(buffer).enter((value or 1,), depth)
        return state


class ProgramEnd(Exception):
    """The program has ended: it called a continuation of the environment."""

    def __init__(self, name: str, arguments: Sequence[Any]) -> None:
        super().__init__(name)
        self.name = name
        self.arguments = arguments
