"""The Builder as the lowering of C uses it: with default spans for jumps, dead loop headers, and discarded code."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.abi.attributes import ALWAYS_INLINE, THREAD_LOCAL
from cpsconv.core.attributes import LOCAL, REPLACEABLE
from cpsconv.core.construction import Block, Builder, Variable
from cpsconv.core.ir import ABORT, NO_ATTRIBUTES, Attributes, Function, Scalar, Static, Value
from cpsconv.core.source import Span
from cpsconv.languages.c.meaning import typed_tree as t


def linkage(declared: t.Function | t.Global) -> Attributes:
    """The attributes of the function or data for a function or object of C."""
    found = {
        LOCAL: declared.is_static,
        REPLACEABLE: declared.is_weak and not declared.is_static,
        ALWAYS_INLINE: isinstance(declared, t.Function) and declared.is_static and declared.always_inline,
        THREAD_LOCAL: isinstance(declared, t.Global) and declared.is_thread_local,
    }
    return {name: True for name, holds in found.items() if holds} or NO_ATTRIBUTES


class Emitter:
    """Passes calls on to a Builder."""

    def __init__(self, builder: Builder) -> None:
        self._last: Span | None = None  # of the last write, effect or call in the open continuation
        self.builder = builder
        self.continuation = builder.continuation
        self.seal = builder.seal
        self.read = builder.read_variable
        self.primitive = builder.primitive
        self.convert = builder.convert
        self.branch = builder.branch
        self.switch = builder.switch
        self.ret = builder.ret
        self.leave = builder.leave
        self.function = builder.function
        self.finish = builder.finish

    @property
    def live(self) -> bool:
        """Whether control can reach the code that is emitted now."""
        return self.builder.current is not None

    def open(self, block: Block) -> None:
        """Seal a continuation, whose predecessors are all known, and enter it."""
        self.seal(block)
        self.enter(block)

    def enter(self, block: Block, expected: bool = False) -> None:
        """Enter a continuation. Its code is dead unless it has a predecessor, or one is `expected`.

        The Builder treats the code of an unsealed continuation as live, even in the header of a dead loop.
        """
        self.builder.enter(block)
        self._last = None
        if not (block.predecessors or expected):
            self.builder.leave(ABORT)

    def write(self, variable: Variable, value: Value, span: Span) -> None:
        """Assign to the variable."""
        self._last = span
        self.builder.write_variable(variable, value, span)

    def effect(
        self,
        op: str,
        *values: Value,
        type: Scalar | None = None,
        of: Static = None,
        name: str | None = None,
        span: Span,
        alignment: int = 0,
        attributes: Attributes = NO_ATTRIBUTES,
    ) -> Value:
        """The result of an ordered operation."""
        self._last = span
        return self.builder.effect(
            op, *values, type=type, of=of, name=name, span=span, alignment=alignment, attributes=attributes
        )

    def jump(self, block: Block, span: Span | None = None) -> None:
        """Jump to a continuation. `span` defaults to that of the last write, effect or call in the open one."""
        self.builder.jump(block, span or self._last)

    def call(self, function: Function, arguments: Sequence[Value], span: Span) -> Value | None:
        """The result of a call, None for `VOID`."""
        self._last = span
        return self.builder.call(function, arguments, span)

    def call_through(self, pointer: Value, arguments: Sequence[Value], result: Scalar, span: Span) -> Value | None:
        """The result of a call through a pointer, None for `VOID`."""
        self._last = span
        return self.builder.call_through(pointer, arguments, result, span)
