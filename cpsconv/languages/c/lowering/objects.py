"""The objects of a program in memory: data for globals and strings, and the lifetimes of variables.

A variable in memory is allocated at its declaration, and deallocated wherever control leaves its scope: at the end, by
``break``, ``continue``, ``goto`` and ``return``. If the scope contains a label, the variable is allocated earlier
(`lowering.promotion`).
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.abi.attributes import CONSTANT_BYTES
from cpsconv.core import ir
from cpsconv.core.attributes import LOCAL
from cpsconv.core.ir import Constant, Data, Effect, Value
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.source import Span
from cpsconv.languages.c.lowering.emission import Emitter, linkage
from cpsconv.languages.c.lowering.object_types import ObjectTypes
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.records import Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import Array, CType, element_of

_End = tuple["Value | Callable[[], None]", Span]
"""What happens when control leaves a scope, and the place in the source to which this belongs: the variable at the
pointer is deallocated, or a call is lowered, that of the attribute ``cleanup``."""


class Objects:
    """The data of the program, and the objects of the current function that are to be deallocated."""

    def __init__(self, emit: Emitter, types: ObjectTypes) -> None:
        self._emit = emit
        self._types = types
        self._data: dict[t.Global, Data] = {}
        self._strings: dict[tuple[str, CType], Data] = {}
        self._scopes: list[tuple[Span | None, list[_End]]] = []  # outermost first

    # -------------------------------------------------------------------------------------------------------- data

    def define(self, variable: t.Global) -> Data:
        """The data for a global variable, still without content."""
        type = variable.type
        is_constant = "const" in element_of(type).qualifiers and not variable.is_thread_local
        of = self._types.of(type)
        if variable.flexible_length and isinstance(type, Record):
            of = self._types.extended(type, variable.flexible_length)
        alignment = _beyond(of, variable.alignment, type)
        attributes = linkage(variable)
        if not is_constant and variable.initial is not None and (parts := self._types.constant_parts(type)):
            attributes = {**attributes, CONSTANT_BYTES: " ".join(f"{each.start}-{each.stop - 1}" for each in parts)}
        data = self._emit.builder.data(variable.name, of, b"", None, is_constant, variable.span, alignment, attributes)
        self._data[variable] = data
        return data

    def declare(self, variable: t.Global) -> None:
        """Declare the data for a global variable that another unit defines."""
        of = self._types.of(variable.type) if is_complete(element_of(variable.type)) else ir.Array(ir.CHAR, 0)
        self._data[variable] = self._emit.builder.external_data(variable.name, of, variable.span, linkage(variable))

    def data(self, variable: t.Global) -> Data:
        """The data for a global variable."""
        return self._data[variable]

    def string(self, node: c.StringLiteral) -> Data:
        """The data for a string literal. Equal literals share it."""
        key = node.text, node.type.element.unqualified
        if key not in self._strings:
            content = node.text.encode("latin-1") + bytes(node.type.element.size)
            type = ir.Array(self._types.of(node.type.element), len(content) // max(1, node.type.element.size))
            self._strings[key] = self._emit.builder.data(
                "string", type, content, is_constant=True, span=node.span, attributes={LOCAL: True}
            )
        return self._strings[key]

    def number(self, node: c.Constant) -> Data:
        """Data for a constant."""
        type = self._types.of(node.type)
        content = format_of(node.type.program).pack(node.value)
        builder = self._emit.builder
        return builder.data("number", type, content, is_constant=True, span=node.span, attributes={LOCAL: True})

    # --------------------------------------------------------------------------------------------------- variables

    def begin(self) -> None:
        """Begin a function: enter its outermost scope."""
        self._scopes = [(None, [])]

    def allocate(
        self,
        type: CType,
        name: str,
        span: Span,
        count: Value | None = None,
        *,
        alignment: int = 0,
        for_call: bool = False,
    ) -> Value:
        """Allocate a variable. It is deallocated at the end of the innermost scope, or `for_call` at that of the call.

        `count` is the number of elements, for an array of variable length. `alignment` is that of an attribute, or 0.
        """
        element, number = type, count
        if isinstance(type, Array) and count is None:
            element, number = type.element, Constant(ir.INT, type.length or 0)
        elif count is not None:
            element = element_of(type)
        of = self._types.of(element)
        if isinstance(of, ir.Array) and number is None:  # a struct without fields
            number, of = Constant(ir.INT, of.length), of.element
        operands = [] if number is None else [number]
        alignment = _beyond(of, alignment, type)
        pointer = self._emit.effect("allocate", *operands, of=of, name=name, span=span, alignment=alignment)
        if isinstance(pointer, Effect):
            self._scopes[0 if for_call else -1][1].append((pointer, span))
        return pointer

    def end_by(self, call: Callable[[], None], span: Span) -> None:
        """Lower a call wherever control leaves the innermost scope, from the place on that the span denotes."""
        self._scopes[-1][1].append((call, span))

    def deallocate(self, pointer: Value, span: Span) -> None:
        """End the lifetime of a temporary object before the end of its scope."""
        objects = self._scopes[-1][1]
        if isinstance(pointer, Effect):  # which dead code does not have
            index = len(objects) - 1  # declared variables may follow
            while objects[index][0] is not pointer:
                index -= 1
            del objects[index]
        self._emit.effect("deallocate", pointer, span=span)

    def enter(self, span: Span) -> None:
        """Enter a scope, that of the statement with this span."""
        self._scopes.append((span, []))

    def leave(self, span: Span) -> None:
        """Leave the innermost scope at its end, the last character of the statement with this span."""
        self.end(self._scopes[-1][1], Span(span.source, span.end - 1, span.end))
        self._scopes.pop()

    @property
    def depth(self) -> int:
        """The number of scopes around the current statement."""
        return len(self._scopes)

    def jump_out(self, depth: int, span: Span) -> None:
        """Deallocate the objects of all scopes but the outer `depth` ones, before a jump. The scopes remain open."""
        for _, objects in reversed(self._scopes[depth:]):
            self.end(objects, span)

    def jump_to(self, label: Span, span: Span) -> None:
        """End what a jump to the label ends."""
        self.end(self.ended_by_jump(label), span)

    def ended_by_jump(self, label: Span) -> list[_End]:
        """What a jump to the label ends: all in scopes that do not contain it, and calls that follow it."""
        depth = self._depth_of(label)
        calls = [end for end in self._scopes[depth - 1][1] if callable(end[0]) and end[1].start > label.start]
        return calls + [end for _, ends in self._scopes[depth:] for end in ends]

    def _depth_of(self, label: Span) -> int:
        """The number of open scopes that contain the label."""
        for depth, (span, _) in enumerate(self._scopes):
            if span is not None and not span.start <= label.start < span.end:
                return depth
        return len(self._scopes)

    def end(self, ends: list[_End], span: Span) -> None:
        """Deallocate the objects, and lower the calls, in reverse order. The scopes remain open."""
        if self._emit.live:
            for end, _ in [*ends][::-1]:  # a call may add an object
                if callable(end):
                    end()
                else:
                    self._emit.effect("deallocate", end, span=span)


def _beyond(of: ir.ObjectType, alignment: int, type: CType) -> int:
    """The alignment of a variable, or of its type in C, if it is larger than that of the program's type; else 0."""
    alignment = max(alignment, type.alignment)
    return alignment if alignment > of.alignment else 0
