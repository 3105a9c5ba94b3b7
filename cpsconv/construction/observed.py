"""A Builder that tells what it does. The plain one is to be quick; nobody can watch it."""

from __future__ import annotations

from collections.abc import Collection, Container

from cpsconv.construction.block import Block, Variable, resolve
from cpsconv.construction.builder import Builder
from cpsconv.construction.events import (
    Answer,
    Close,
    Compute,
    Create,
    Decide,
    Enter,
    Fill,
    Observer,
    Open,
    Read,
    Simplify,
    Write,
)
from cpsconv.construction.placement import Placement
from cpsconv.construction.record import ending_of
from cpsconv.ir import Constant, Effect, Function, Primitive, Scalar, Transfer, Value
from cpsconv.source import Span


class ObservedBuilder(Builder):
    """Builds as a `Builder` does, and tells `observer` of everything that happens: see `cpsconv.construction.events`.

    >>> from cpsconv.construction import ObservedBuilder, Variable
    >>> from cpsconv.ir import INT, Constant
    >>> b = ObservedBuilder(lambda event: print(type(event).__name__))
    >>> x = Variable("x", INT)
    >>> f = b.function("f", [], INT)
    Open
    >>> b.write_variable(x, Constant(INT, 1))
    Write
    >>> b.ret(b.read_variable(x))
    Read
    Answer
    Fill
    """

    def __init__(self, observer: Observer, strategy: str = "scc", simplify: Collection[str] = ()) -> None:
        self.observer: Observer = observer
        super().__init__(strategy, simplify)

    def finish(self) -> Function:
        """Close the function, and tell of it."""
        function = super().finish()
        self.observer(Close(function))
        return function

    def continuation(self, name: str, may_assign: Container[Variable] | None = None, span: Span | None = None) -> Block:
        """A new block, and tell of it."""
        block = super().continuation(name, may_assign, span)
        self.observer(Create(block))
        return block

    def enter(self, block: Block) -> None:
        """Go on with `block`, and tell of it."""
        super().enter(block)
        self.observer(Enter(block))

    def write_variable(self, variable: Variable, value: Value, span: Span | None = None) -> None:
        """Assign, and tell of it."""
        super().write_variable(variable, value, span)
        self.observer(Write(variable, self._open(), value, span))

    def read_variable(self, variable: Variable, span: Span | None = None) -> Value:
        """Tell of the question, look up, and tell the answer."""
        block = self._open()
        self.observer(Read(variable, block, span))
        value = super().read_variable(variable, span)
        self.observer(Answer(variable, block, value))
        return value

    def effect(self, op: str, *values: Value, span: Span | None = None) -> Effect:
        """Compute, and tell of it."""
        statement = super().effect(op, *values, span=span)
        self.observer(Compute(self._open(), statement, values))
        return statement

    def _compute(self, op: str, operands: tuple[Value, ...], type: Scalar, span: Span | None) -> Value:
        block = self._open()
        size = len(block.continuation.body)
        value = super()._compute(op, operands, type, span)
        added = block.continuation.body[size:]
        for statement in added:
            self.observer(Compute(block, statement, statement.operands))
        asked = op, tuple(map(resolve, operands))
        if not (isinstance(value, Primitive) and value in added and (value.op, value.operands) == asked):
            self.observer(Simplify(block, op, operands, value, span))
        return value

    def _known(self, value: Value) -> Constant | None:
        constant = super()._known(value)
        if constant:
            self.observer(Decide(self._open(), value, constant))
        return constant

    def _new_placement(self) -> Placement:
        placement = super()._new_placement()
        placement.observer = self.observer
        return placement

    def _begin(self, function: Function) -> None:
        super()._begin(function)
        self.observer(Open(function, self._open()))

    def _fill(self, block: Block, transfer: Transfer) -> None:
        super()._fill(block, transfer)
        self.observer(Fill(block, ending_of(transfer), transfer.span))
