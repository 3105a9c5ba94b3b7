"""Elaboration of operations on memory, and of foreign operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpsconv.core import ir
from cpsconv.core.operations.table import (
    ALLOCATE,
    COPY,
    EFFECTS,
    ELEMENT,
    FIELD,
    LOAD,
    OPERATIONS,
    STORE,
    memory_of,
    result_type,
)
from cpsconv.core.operations.types import is_convertible
from cpsconv.core.text import syntax as cps

if TYPE_CHECKING:
    from cpsconv.core.text.operands import Operands


class FurtherOperands:
    """Adds the statements of such operations to the body that `elaborator` elaborates."""

    def __init__(self, elaborator: Operands) -> None:
        self.elaborator = elaborator
        self.types = elaborator.types
        self.error = elaborator.error

    def computed(self, node: cps.Operation | cps.Application, op: str, values: Sequence[ir.Value]) -> ir.Value | None:
        """The statement of an operation, added to the body; None after an error."""
        if op not in OPERATIONS or (_has_memory(values) and not _takes_memory(op, len(values))):
            self.error("type-mismatch", "only an access to memory takes place in a memory", node)
            return None
        if isinstance(node, cps.MemoryOperation):
            return self._memory_operation(node, values)
        if isinstance(node, cps.ForeignOperation):
            return self._foreign(node, op, values)
        return self.elaborator.typed(node, op, values)

    def _foreign(self, node: cps.ForeignOperation, op: str, values: Sequence[ir.Value]) -> ir.Value | None:
        text, type = self.foreign_text(node.text), node.type
        if node.word and node.word.text != "pure":
            self.elaborator.unexpected("`pure`", node.word)
        if isinstance(type, ir.ContinuationType):
            self.error("type-mismatch", f"the result of a foreign operation is no {type}", node)
            return None
        return None if text is None else self.elaborator.typed(node, op, values, type, ir.Foreign(text))

    def check_memory(self, node: cps.Binding, keyword: str, effect: ir.Effect) -> None:
        """An effect with a memory is written with ``with`` if it changes the memory, else with ``in``."""
        wanted = "with" if effect.type is ir.MEMORY else "in"
        if memory_of(effect) is None or keyword == wanted:
            return
        verb = "changes" if wanted == "with" else "does not change"
        help = "write `m1 := m with …;`" if wanted == "with" else "write `… in m;`"
        self.error("type-mismatch", f"`{effect.op}` {verb} the memory", node, help)

    def foreign_text(self, node: cps.Literal) -> str | None:
        """The static text of a foreign operation; None after an error."""
        constant = self.elaborator.literal(node)
        try:
            return str(constant.value).encode("latin-1").decode() if constant else None
        except UnicodeDecodeError:
            self.error("literal", "the text of a foreign operation is not UTF-8", node)
            return None

    def _memory_operation(self, node: cps.MemoryOperation, operands: Sequence[ir.Value]) -> ir.Value | None:
        """The statement of an operation on objects of the type `node.of`."""
        of = self.types.of(node.of)
        if of is None:
            return None
        if node.op in (LOAD, STORE):
            return self._access(node, of, operands)
        static: ir.Static = of
        if node.op == FIELD:
            assert node.field
            static = self.types.field(of, node.field)
            if static is None:
                return None
        elif node.op == ELEMENT and node.field and node.field.text != "at":
            self.error("syntax", f"expected `at`, found `{node.field.text}`", node)
            return None
        types = tuple(operand.type for operand in operands)
        type = result_type(node.op, types)
        if type is None:
            self.error("type-mismatch", _mismatch(node.op, types[: len(types) - _has_memory(operands)]), node)
            return None
        statement = self.elaborator.added(node.op, operands, type, node, static)
        if isinstance(statement, ir.Effect):
            statement.alignment, statement.attributes = self.types.placement(node.placement)
        return statement

    def _access(self, node: cps.MemoryOperation, of: ir.ObjectType, operands: Sequence[ir.Value]) -> ir.Value | None:
        """A load or store of a scalar."""
        *value, address = operands[:-1] if _has_memory(operands) else operands
        if not isinstance(of, ir.Scalar):
            message = f"`{of}` is no scalar type: its values are only copied, as in `{of}[p] := {of}[q]`"
            self.error("type-mismatch", message, node)
        elif address.type is not ir.PTR:
            self.error("type-mismatch", f"`{of}[…]` takes ptr, not {address.type}", node)
        elif value and value[0].type is not of:
            help = f"convert it: `{of}(…)`" if is_convertible(value[0].type, of) else None
            self.error("type-mismatch", f"`{of}[…] :=` takes {of}, not {value[0].type}", node, help)
        else:
            changed = ir.MEMORY if _has_memory(operands) else ir.VOID
            return self.elaborator.added(node.op, operands, changed if value else of, node)
        return None


def _takes_memory(op: str, count: int) -> bool:
    """Whether the last of so many operands may be a memory: that of an effect, or an operand as any other."""
    return op in EFFECTS or count == OPERATIONS[op].arity


def _has_memory(operands: Sequence[ir.Value]) -> bool:
    return bool(operands) and operands[-1].type is ir.MEMORY


def _mismatch(op: str, types: Sequence[ir.Type]) -> str:
    """The error message of an address computation, copy or allocation with unsuitable operands."""
    if op == ALLOCATE:
        return f"the number of elements is an integer, not {types[0]}"
    address, *rest = types if op != COPY else sorted(types, key=lambda type: type is ir.PTR)
    if address is not ir.PTR:
        return f"the address is a ptr, not {address}"
    return f"the index is an integer, not {rest[0]}"
