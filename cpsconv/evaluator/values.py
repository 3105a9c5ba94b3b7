"""What a program consists of at run time: frames, blocks, and continuations that can be entered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from cpsconv.ir import Continuation, Statement, Transfer, Value
from cpsconv.operations.runtime_errors import defined

Frame = list[Any]
"""The values of one activation of a function, each in its slot."""

Step = Callable[[Frame], None]
"""Computes what one statement does."""

Exit = Callable[[Frame], "State"]
"""Makes one transfer: from the frame to where the machine is then."""


class Block:
    """A continuation made ready to run. With each step and the exit comes what has the position for a fault in it."""

    __slots__ = ("parameters", "steps", "exit")

    def __init__(self, parameters: slice) -> None:
        self.parameters = parameters
        self.steps: list[tuple[Step, Statement]] = []
        self.exit: tuple[Exit, Transfer]


State = tuple[Block, Frame]
"""Where the machine is: the block to be run next, in its frame."""


class Closure:
    """A continuation and the frame that it goes on with. It may be entered once, for it does not keep the frame."""

    __slots__ = ("block", "frame")

    def __init__(self, block: Block, frame: Frame) -> None:
        self.block = block
        self.frame = frame

    def enter(self, arguments: Sequence[Any]) -> State:
        """Where the machine is after a call of the continuation."""
        self.frame[self.block.parameters] = arguments
        return self.block, self.frame


class LastingClosure(Closure):
    """A closure that may be entered any number of times: its frame is a copy, and each entry gets a copy of that."""

    __slots__ = ()

    def __init__(self, block: Block, frame: Frame) -> None:
        super().__init__(block, frame.copy())

    def enter(self, arguments: Sequence[Any]) -> State:
        """Where the machine is after a call of the continuation."""
        return Closure(self.block, self.frame.copy()).enter(arguments)


class Entry:
    """A function. `template` is a frame in which the constants are in place."""

    __slots__ = ("block", "template")

    def __init__(self) -> None:
        self.block: Block
        self.template: Frame = []

    def enter(self, arguments: Sequence[Any]) -> State:
        """Where the machine is after a call of the function: in a new frame."""
        frame = self.template.copy()
        frame[self.block.parameters] = arguments
        return self.block, frame


@dataclass(frozen=True, slots=True)
class Linked:
    """A function made ready to run: the blocks of its continuations, and the slots of the values in its frames."""

    entry: Entry
    blocks: dict[Continuation, Block]
    slots: dict[Value, int]


class Outside:
    """A continuation of the outside world: ``halt``, ``abort``, or the ``return`` of the function started first."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def enter(self, arguments: Sequence[Any]) -> NoReturn:
        """Raises `Ended`; or `ProgramError` where an argument is undefined."""
        raise Ended(self.name, [defined(argument) for argument in arguments])


class Ended(Exception):
    """The program is done: it called a continuation of the outside world."""

    def __init__(self, name: str, arguments: Sequence[Any]) -> None:
        super().__init__(name)
        self.name = name
        self.arguments = arguments
