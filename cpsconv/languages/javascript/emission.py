"""The emission of operations: those that may throw have edges to the handler around them, if there is one.

A *handler* is the block that exceptions lead to. A *frame* is a statement that control leaves by ``break``,
``continue`` or ``return``: a loop or another target of jumps; a ``finally``, which such jumps execute first; an
iterator, which they close.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

from cpsconv.abi.javascript import OPERATIONS, VALUE, quoted, static_text
from cpsconv.core.construction import Block, Builder, Variable
from cpsconv.core.ir import INT, VOID, Constant, Value
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step


class Target(NamedTuple):
    """A statement with labels: ``break`` leads to `after`, ``continue`` in a loop to `again`.

    A `break` without a label leaves a *plain* statement only, which is a loop or ``switch``.
    """

    labels: Sequence[str]
    after: Block | None
    again: Block | None = None
    is_plain: bool = True


class Exit(NamedTuple):
    """A jump to a block outside of all frames from `depth` on, or a return of a value."""

    depth: int
    block: Block | None
    value: Value | None = None


class Iteration(NamedTuple):
    """An iterator that jumps out of a loop close; `handler` is that around the loop. Closing may `wait`."""

    iterator: Value
    handler: Block | None
    waits: bool


class Finally:
    """A ``finally``: its block, and the variables that state how to go on after it.

    The `completion` 0 is normal, 1 is the exception `value`, and the others are the exits.
    """

    def __init__(self, block: Block, span: Span) -> None:
        self.block, self.span = block, span
        self.completion = Variable("completion", INT, span)
        self.value = Variable("completed", VALUE, span)
        self.exits: list[Exit] = []

    def number(self, exit: Exit) -> int:
        """The completion of an exit: exits to one block, and all returns, share one."""
        for number, each in enumerate(self.exits):
            if each.block is exit.block:
                return number + 2
        self.exits.append(exit)
        return len(self.exits) + 1


Frame = Union[Target, Iteration, Finally]


class Emission:
    """Emits operations into the open function."""

    def __init__(self, builder: Builder) -> None:
        self.b = builder
        self.handler: Block | None = None
        self.frames: list[Frame] = []
        self._continues: dict[Block, list[Block]] = defaultdict(list)

    # ------------------------------------------------------------------------------------------------- operations

    def operation(self, name: str, *values: Value, operand: str = "", span: Span) -> Value:
        """The result of an operation."""
        row, text = OPERATIONS[name], static_text(name, operand)
        if not row.throws or self.handler is None or self.b.current is None:
            return self.b.foreign(text, *values, type=row.result, pure=row.is_pure, span=span)
        after = self.b.continuation(f"after_{name}", span=span)
        self.b.foreign_transfer(text, values, [after, self.handler], span)
        self.b.open(after)
        return self.result(span) if row.result is not VOID else Constant(INT, 0)

    def result(self, span: Span) -> Value:
        """The result of the transfer that leads to the open block."""
        return self.b.foreign(static_text("result"), type=VALUE, span=span)

    def undefined(self, span: Span) -> Value:
        """The value `undefined`."""
        return self.operation("undefined", span=span)

    def string(self, text: str, span: Span) -> Value:
        """A string."""
        return self.operation("string", operand=quoted(text), span=span)

    def throw(self, value: Value, span: Span) -> None:
        """End the block: throw an exception."""
        self.b.foreign_transfer(static_text("throw"), [value], [self.handler] if self.handler else [], span)

    def caught(self, span: Span) -> Value:
        """The exception that led to the open block, which is a handler."""
        return self.operation("exception", span=span)

    def suspend(self, name: str, value: Value, span: Span) -> Value:
        """The result of ``yield``, to which control returns with a value, an exception, or a request to return."""
        if self.handler is None or not any(isinstance(frame, (Iteration, Finally)) for frame in self.frames):
            return self.operation(name, value, span=span)
        after, returns = self.b.continuation(f"after_{name}", span=span), self.b.continuation("returns", span=span)
        self.b.foreign_transfer(static_text(name), [value], [after, self.handler, returns], span)
        self.b.open(returns)
        self.leave(Exit(0, None, self.result(span)), span)
        self.b.open(after)
        return self.result(span)

    # ------------------------------------------------------------------------------------------------------ exits

    def leave(self, exit: Exit, span: Span) -> None:
        """End the block: leave all frames from the depth of the exit on, from the innermost."""
        handler = self.handler
        for frame in reversed(self.frames[exit.depth :]):
            if isinstance(frame, Iteration):
                self.handler = frame.handler
                self._close(frame, span)
            elif isinstance(frame, Finally):
                self.complete(frame, frame.number(exit), exit.value, span)
                break
        else:
            if exit.block and exit.block.filled:
                self._continue(exit.block, span)
            elif exit.block:
                self.b.jump(exit.block, span)
            else:
                self.b.ret(exit.value, span)
        self.handler = handler

    def _continue(self, header: Block, span: Span) -> None:
        """End the block: jump to the header of a loop, by a block that `repeat` fills.

        So the header has one predecessor until the loop is complete, and what the loop does not assign needs no proxy.
        """
        self._continues[header].append(self.b.continuation("continue", span=span))
        self.b.jump(self._continues[header][-1], span)

    def repeat(self, header: Block, span: Span) -> None:
        """End the body of a loop: jump to its header, whose predecessors are complete."""
        self.b.jump(header, span)
        for block in self._continues.pop(header, ()):
            self.b.open(block)
            self.b.jump(header, span)
        self.b.seal(header)

    def jump_out(self, label: str | None, is_continue: bool, span: Span) -> None:
        """End the block by ``break`` or ``continue``, whose target exists (`early_errors`)."""
        targets = (
            Exit(depth + 1, frame.again if is_continue else frame.after)
            for depth, frame in reversed([*enumerate(self.frames)])
            if isinstance(frame, Target) and (label in frame.labels if label else frame.is_plain or is_continue)
        )
        self.leave(next(each for each in targets if each.block), span)

    def _close(self, frame: Iteration, span: Span) -> None:
        if not frame.waits:
            self.operation("iterator_close", frame.iterator, span=span)
            return
        after, waits = (self.b.continuation(name, span=span) for name in ("closed", "closing"))
        end = self.operation("async_return", frame.iterator, span=span)
        self.b.branch(self.operation("is_done", end, span=span), after, waits, span)
        self.b.open(waits)
        self.operation("require_result", self.operation("await", end, span=span), span=span)
        self.b.jump(after, span)
        self.b.open(after)

    def _close_quietly(self, frame: Iteration, span: Span) -> None:
        """Close an iterator without an exception."""
        if not frame.waits:
            self.operation("iterator_close_quietly", frame.iterator, span=span)
            return
        after, outer = self.b.continuation("closed", span=span), self.handler
        self.handler = after
        self._close(frame, span)
        self.handler = outer
        self.b.jump(after, span)
        self.b.open(after)

    def closing(
        self, iterator: Value, work: Callable[[], Step[Any]], span: Span, waits: bool = False
    ) -> Computation[None]:
        """Do some work; exceptions and jumps out of it close the iterator, which may wait until it is closed."""
        outer, handler = self.handler, self.b.continuation("close", span=span)
        after = self.b.continuation("after_close", span=span)
        frame = Iteration(iterator, outer, waits)
        self.frames.append(frame)
        self.handler = handler
        yield work()
        self.frames.pop()
        self.handler = outer
        self.b.jump(after, span)
        self.b.open(handler)
        exception = self.caught(span)
        self._close_quietly(frame, span)
        self.throw(exception, span)
        self.b.open(after)

    def complete(self, frame: Finally, number: int, value: Value | None, span: Span) -> None:
        """End the block: execute a ``finally``, after which the completion says how to go on."""
        self.b.write_variable(frame.completion, Constant(INT, number), span)
        if value is not None:
            self.b.write_variable(frame.value, value, span)
        self.b.jump(frame.block, span)

    def go_on(self, frame: Finally) -> None:
        """Go on after a ``finally``, as its completion says; the open block is then that after the statement."""
        span = frame.span
        completion = self.b.read_variable(frame.completion, span)
        blocks = [self.b.continuation(name, span=span) for name in ("after_finally", "rethrow")]
        blocks += [self.b.continuation("leave", span=span) for _ in frame.exits]
        self.b.switch(completion, [*enumerate(blocks)][1:], blocks[0], span)
        self.b.open(blocks[1])
        self.throw(self.b.read_variable(frame.value, span), span)
        for block, exit in zip(blocks[2:], frame.exits, strict=True):
            self.b.open(block)
            value = None if exit.value is None else self.b.read_variable(frame.value, span)
            self.leave(exit._replace(value=value), span)
        self.b.open(blocks[0])
