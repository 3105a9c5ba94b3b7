"""The Builder as the lowering uses it: nothing is emitted where control cannot get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cpsconv.construction import Block, Builder, Variable
from cpsconv.ir import ABORT, VOID, External, Function, Scalar, Undef, Value
from cpsconv.operations.table import EFFECTS, PRIMITIVES
from cpsconv.source import Span


class Emitter:
    """Passes everything on to the Builder as long as a continuation is open there.

    After a transfer none is, until a continuation is entered that has a predecessor. In between, code is dead: it is
    still checked, so the methods give values of the right types, but it adds neither an edge nor an argument.
    """

    def __init__(self, builder: Builder) -> None:
        self._reached: Span | None = None  # what was last done in the continuation that is open
        self._emit_to(builder)

    def _emit_to(self, builder: Builder) -> None:
        self._builder = builder
        self.continuation = builder.continuation  # these two are the same in dead code
        self.seal = builder.seal

    @property
    def live(self) -> bool:
        """Whether control can get to what is emitted now."""
        return self._builder.current is not None

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is emitted within is thrown away: for an operand of which only the type is wanted."""
        kept = self._builder
        self._emit_to(Builder())
        self._builder.function("aside", [], VOID)
        try:
            yield
        finally:
            self._emit_to(kept)

    # --------------------------------------------------------------------------------- functions and continuations

    def function(self, name: str, parameters: Sequence[Variable], result: Scalar, span: Span) -> None:
        """Open a function."""
        self._reached = None
        self._builder.function(name, parameters, result, span)

    def finish(self) -> Function:
        """Close the function."""
        return self._builder.finish()

    def open(self, block: Block) -> None:
        """Go on with a continuation whose predecessors are all there."""
        self.seal(block)
        self.enter(block)

    def enter(self, block: Block, expected: bool = False) -> None:
        """Go on with a continuation. Its code is dead unless it has a predecessor, or one is `expected`."""
        self._builder.enter(block)
        self._reached = None
        if not (block.predecessors or expected):
            self._builder.leave(ABORT)

    # ------------------------------------------------------------------------------------- variables and statements

    def read(self, variable: Variable, span: Span) -> Value:
        """The value of the variable."""
        return self._builder.read_variable(variable, span) if self._builder.current else _dead(variable.type)

    def write(self, variable: Variable, value: Value, span: Span) -> None:
        """Assign to the variable."""
        self._reached = span
        if self._builder.current:
            self._builder.write_variable(variable, value, span)

    def unary(self, op: str, operand: Value, span: Span) -> Value:
        """A pure operation on a value."""
        if self._builder.current:
            return self._builder.primitive(op, operand, span=span)
        return _dead(PRIMITIVES[op].typing([operand.type]))

    def binary(self, op: str, left: Value, right: Value, span: Span) -> Value:
        """A pure operation on two values."""
        if self._builder.current:
            return self._builder.primitive(op, left, right, span=span)
        return _dead(PRIMITIVES[op].typing([left.type, right.type]))

    def convert(self, type: Scalar, value: Value, span: Span) -> Value:
        """A conversion."""
        return self._builder.convert(type, value, span) if self._builder.current else _dead(type)

    def effect(self, op: str, *values: Value, span: Span) -> Value:
        """An ordered operation."""
        self._reached = span
        if self._builder.current:
            return self._builder.effect(op, *values, span=span)
        return _dead(EFFECTS[op].typing([value.type for value in values]))

    # -------------------------------------------------------------------------------------------------- transfers

    def jump(self, block: Block, span: Span | None = None) -> None:
        """Go to a continuation. Where the source has no word for that, what was done last stands for it."""
        if self._builder.current:
            self._builder.jump(block, span or self._reached)

    def branch(self, condition: Value, then: Block, otherwise: Block, span: Span) -> None:
        """Go to one of two continuations."""
        if self._builder.current:
            self._builder.branch(condition, then, otherwise, span)

    def switch(self, value: Value, cases: Sequence[tuple[int, Block]], default: Block, span: Span) -> None:
        """Go to one of many continuations."""
        if self._builder.current:
            self._builder.switch(value, cases, default, span)

    def ret(self, value: Value | None, span: Span) -> None:
        """Return from the function."""
        if self._builder.current:
            self._builder.ret(value, span)

    def leave(self, external: External, *values: Value, span: Span) -> None:
        """End the program."""
        if self._builder.current:
            self._builder.leave(external, *values, span=span)

    def call(self, function: Function, arguments: Sequence[Value], span: Span) -> Value | None:
        """Call a function; its result, or None for `VOID`."""
        self._reached = span
        if self._builder.current:
            return self._builder.call(function, arguments, span)
        result = function.result
        return _dead(result) if isinstance(result, Scalar) and result is not VOID else None


def _dead(type: Scalar | None) -> Value:
    assert type is not None
    return Undef(type, "dead code")
