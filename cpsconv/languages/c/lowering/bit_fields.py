"""Bit-fields in memory: which bytes an access reads and writes, and the bits of the field in them.

A bit-field is accessed by its unit, the object of its declared type that contains it. In a packed struct, the field may
cross the end of this object, and the object the end of the struct: then the field is accessed byte by byte.
"""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.core.ir import BOOL, INT, UNSIGNED_CHAR, Constant, Effect, Primitive, Scalar, Value
from cpsconv.core.operations.table import LOAD_OR
from cpsconv.core.operations.types import wrap
from cpsconv.core.source import Span
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.object_types import UNSIGNED_OF_SIZE
from cpsconv.languages.c.records import Field, Record


class Piece(NamedTuple):
    """Bits of a bit-field that one access reads or writes.

    The access is to an unsigned integer of the `type`, `offset` bytes from the start of the record. From its bit `at`
    on, it has `bits` bits of the field, those from bit `low` on.
    """

    type: Scalar
    offset: int
    at: int
    bits: int
    low: int


def pieces(record: Record, field: Field) -> list[Piece]:
    """The pieces of a bit-field, lowest bits first: its unit, or the bytes that it occupies."""
    bits, size = field.bits or 0, field.type.size
    if field.bit_offset + bits <= 8 * size and field.offset + size <= record.size:
        return [Piece(UNSIGNED_OF_SIZE[size], field.offset, field.bit_offset, bits, 0)]
    found: list[Piece] = []
    low = 0
    while low < bits:
        byte, at = divmod(8 * field.offset + field.bit_offset + low, 8)
        found.append(Piece(UNSIGNED_CHAR, byte, at, min(8 - at, bits - low), low))
        low += found[-1].bits
    return found


def extracted(emit: Emitter, accesses: list[tuple[Value, Piece]], field: Field, span: Span) -> Value:
    """The value of a bit-field: the pieces at the pointers, together."""
    (pointer, piece), *others = accesses
    if others:
        whole, at = _joined(emit, accesses, UNSIGNED_OF_SIZE[field.type.size], span), 0
    else:
        whole, at = _loaded(emit, pointer, piece, span), piece.at
    value = in_range(emit, whole, at, field, span)
    if isinstance(value, Primitive) and value.name is None:
        value.name = field.name
    return value


def insert(emit: Emitter, pointer: Value, piece: Piece, value: Value, span: Span) -> None:
    """Change the bits of a piece to those of `value`, the new value of the field. The bits beside them may never have
    been written."""
    unit, hole = piece.type, ((1 << piece.bits) - 1) << piece.at
    kept: Value | None = None
    if piece.bits < unit.bits:
        old = emit.effect(LOAD_OR, pointer, Constant(unit, 0), name="bits", span=span)
        kept = emit.primitive("&", old, Constant(unit, wrap(unit, ~hole)), span=span)
    new = _masked(emit, value, piece, span)
    emit.effect("store", emit.primitive("|", kept, new, span=span) if kept else new, pointer, span=span)


def truncated(emit: Emitter, field: Field, value: Value, span: Span) -> Value:
    """The value after its conversion to the width of the bit-field."""
    type, bits = field.type.program, field.bits or 0
    if type is BOOL or bits == type.bits:
        return value
    if isinstance(value, Constant):
        return Constant(type, narrowed(int(value.value), bits, type.signed))
    return in_range(emit, value, 0, field, span)


def narrowed(value: int, bits: int, signed: bool) -> int:
    """The integer of so many bits that is congruent to `value`."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and bits and value >> (bits - 1) else value


def in_range(emit: Emitter, value: Value, at: int, field: Field, span: Span) -> Value:
    """The bits of the field, from bit `at` of an integer on, as a value of the field's type."""
    bits, type, unit = field.bits or 0, field.type.program, value.type
    assert isinstance(unit, Scalar)
    if type is BOOL or not type.signed:
        value = _shifted(emit, ">>", value, at, span)
        if at + bits < unit.bits:
            value = emit.primitive("&", value, Constant(unit, (1 << bits) - 1), span=span)
        if type is BOOL:
            value = emit.primitive("!=", value, Constant(unit, 0), span=span)
        elif type is not unit:
            value = emit.convert(type, value, span)
    else:
        value = value if type is unit else emit.convert(type, value, span)
        value = _shifted(emit, "<<", value, type.bits - at - bits, span)
        value = _shifted(emit, ">>", value, type.bits - bits, span)
    return value


def _joined(emit: Emitter, accesses: list[tuple[Value, Piece]], unit: Scalar, span: Span) -> Value:
    """An integer of the type `unit` whose lowest bits are those of the field."""
    whole: Value = Constant(unit, 0)
    for pointer, piece in accesses:
        bits = emit.convert(unit, _loaded(emit, pointer, piece, span), span)
        bits = _shifted(emit, "<<", _shifted(emit, ">>", bits, piece.at, span), piece.low, span)
        whole = emit.primitive("|", whole, bits, span=span) if piece.low else bits
    return whole


def _loaded(emit: Emitter, pointer: Value, piece: Piece, span: Span) -> Value:
    value = emit.effect("load", pointer, type=piece.type, span=span)
    if isinstance(value, Effect):
        value.name = "bits"
    return value


def _shifted(emit: Emitter, op: str, value: Value, count: int, span: Span) -> Value:
    return emit.primitive(op, value, Constant(INT, count), span=span) if count else value


def _masked(emit: Emitter, value: Value, piece: Piece, span: Span) -> Value:
    """The piece's bits of the field's value, where they are in the piece."""
    unit, mask = piece.type, (1 << piece.bits) - 1
    if isinstance(value, Constant):
        return Constant(unit, (int(value.value) >> piece.low & mask) << piece.at)
    value = _shifted(emit, ">>", value, piece.low, span)
    if value.type is not unit:
        value = emit.convert(unit, value, span)
    if piece.bits < unit.bits:
        value = emit.primitive("&", value, Constant(unit, mask), span=span)
    return _shifted(emit, "<<", value, piece.at, span)
