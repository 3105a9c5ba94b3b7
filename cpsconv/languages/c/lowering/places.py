"""Places: variables, parts of split objects, objects in memory and bit-fields; their values, and their changes.

The operands of a place, its pointer and its indices, are computed once. Its address is computed where it is used: so
the text shows ``int[point.x(p)] := v`` instead of a name for the address.

The value of a record is a pointer to an object that contains it, or the list of the values of its scalars, `Values`,
if it comes from objects that are split into variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

from cpsconv.core.construction import Variable
from cpsconv.core.ir import CHAR, INT, LONG, Constant, Data, Effect, ObjectType, Primitive, Scalar, Struct, Undef, Value
from cpsconv.core.ir import Array as ArrayObject
from cpsconv.core.ir import Field as StructField
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import LOAD_OR
from cpsconv.core.operations.types import range_of, wrap
from cpsconv.core.source import Span
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.lowering.bit_fields import Piece, extracted, insert, pieces, truncated
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.object_types import Leaf, ObjectTypes
from cpsconv.languages.c.records import Field, Record
from cpsconv.languages.c.types import CHAR as C_CHAR
from cpsconv.languages.c.types import Array, CType, VariableArray

Values = Sequence[Value]
"""The values of the scalars of a record, in order."""

RecordValue = Union[Value, Values]


class Address(metaclass=NodeType):
    """A place in memory: a pointer, and the fields and elements that lead from its object to the place.

    The last step to an element is open: `of` is the type of the elements, `index` the number, None for 0.
    """

    base: Value
    path: tuple[tuple[StructField | ObjectType, Value | None], ...] = ()
    of: Scalar | Struct | None = None
    index: Value | None = None

    @property
    def steps(self) -> tuple[tuple[StructField | ObjectType, Value | None], ...]:
        """All steps: fields, and types of elements with indices."""
        return self.path if self.index is None else (*self.path, (self.of, self.index))  # type: ignore[arg-type]

    def field(self, field: StructField) -> Address:
        """The field of the struct at the address."""
        return Address(self.base, (*self.steps, (field, None)))

    @property
    def name(self) -> str | None:
        """The name of the last field, or of the object itself."""
        step = self.steps[-1][0] if self.steps else None
        if step is None:
            return self.base.name if isinstance(self.base, (Data, Effect)) else None
        return step.name if isinstance(step, StructField) else None


class Bits(metaclass=NodeType):
    """A bit-field: its variable in a split object, or its pieces in memory, the first one at an `Address`."""

    unit: Address | Variable
    field: Field
    pieces: Sequence[Piece] = ()


class Parts(metaclass=NodeType):
    """A split object or a part of it: the variables of its scalars, or their values for an object that is no lvalue."""

    items: Sequence[Variable | Value]


Place = Union[Variable, Address, Bits, Parts]


class Places:
    """Reads and changes places. `count` returns the value of the variable that has the length of an array."""

    def __init__(self, emit: Emitter, types: ObjectTypes, count: Callable[[Any, Span], Value]) -> None:
        self._emit = emit
        self.types = types
        self._count = count

    # -------------------------------------------------------------------------------------------------- subplaces

    def member(self, place: Place, record: Record, field: Field) -> Place:
        """The field of the record at the place."""
        if isinstance(place, Parts):
            leaves = self.types.leaves(record)
            assert leaves is not None
            items = [item for item, leaf in zip(place.items, leaves, strict=True) if leaf.steps[0] is field]
            if field.bits is not None and isinstance(items[0], Variable):
                return Bits(items[0], field)
            return Parts(items)
        assert isinstance(place, Address)
        if field.bits is None:
            return place.field(self.types.field(record, field))
        units = pieces(record, field)
        (unit, offset, *_), *_ = units
        of, index = (unit, offset // unit.size) if len(units) == 1 and offset % unit.size == 0 else (CHAR, offset)
        return Bits(Address(place.base, place.steps, of, Constant(INT, index) if index else None), field, units)

    def element(self, place: Place, array: Array, index: Value, span: Span) -> Place:
        """The element of the array at the place."""
        if isinstance(place, Parts):
            assert isinstance(index, Constant)
            leaves = self.types.leaves(array.element)
            assert leaves is not None
            first = int(index.value) * len(leaves)
            return Parts(place.items[first : first + len(leaves)])
        assert isinstance(place, Address)
        return self.moved(place, array.element, index, span)

    def moved(self, address: Address, type: CType, index: Value, span: Span) -> Address:
        """The `index`-th object of the type from the address on."""
        of, index = self._scaled(type, index, span)
        if isinstance(index, Constant) and index.value == 0:
            return address
        if address.index is None:
            return Address(address.base, address.path, of, index)
        if address.of is of:
            return Address(address.base, address.path, of, self._sum(address.index, index, span))
        return Address(address.base, address.steps, of, index)

    def _scaled(self, type: CType, index: Value, span: Span) -> tuple[Scalar | Struct, Value]:
        """The type of the scalars or structs in the elements of the type, and the index counted in them."""
        while isinstance(type, Array):
            index = self.product(index, self.length(type, span), span)
            type = type.element
        of = self.types.of(type)
        if isinstance(of, ArrayObject):  # of a type that has no values: bytes
            assert not isinstance(of.element, ArrayObject)
            return of.element, self.product(index, integer(of.length), span)
        return of, index

    def length(self, array: Array, span: Span) -> Value:
        """The number of elements of an array."""
        if isinstance(array, VariableArray) and not isinstance(array.count, int):
            return self._count(array.count, span)
        return integer(array.count if isinstance(array, VariableArray) else array.length or 0)

    def product(self, left: Value, right: Value, span: Span) -> Value:
        """The product of two integers, as a `long` unless it is a constant."""
        if isinstance(left, Constant) and isinstance(right, Constant):
            return integer(wrap(LONG, int(left.value) * int(right.value)))
        if isinstance(right, Constant) and right.value == 1:
            return left
        if isinstance(left, Constant) and left.value in (0, 1):
            return right if left.value else left
        return self._emit.primitive("*", self.as_long(left, span), self.as_long(right, span), span=span)

    def _sum(self, left: Value, right: Value, span: Span) -> Value:
        if isinstance(left, Constant) and isinstance(right, Constant):
            return integer(wrap(LONG, int(left.value) + int(right.value)))
        return self._emit.primitive("+", self.as_long(left, span), self.as_long(right, span), span=span)

    def as_long(self, value: Value, span: Span) -> Value:
        """The integer as a `long`."""
        if value.type is LONG:
            return value
        if isinstance(value, Constant):
            return Constant(LONG, wrap(LONG, int(value.value)))
        return self._emit.convert(LONG, value, span)

    def pointer(self, address: Address, span: Span) -> Value:
        """The pointer to a place in memory."""
        value = address.base
        for of, index in address.steps:
            if index is None:
                value = self._emit.primitive("field", value, of=of, span=span)
            else:
                value = self._emit.primitive("element", value, index, of=of, span=span)
        return value

    def fixed(self, place: Place, span: Span) -> Place:
        """The place, with its address computed up to the last element: for a place that is read and changed."""
        if isinstance(place, Bits):
            unit = place.unit if isinstance(place.unit, Variable) else self._fixed(place.unit, span)
            return Bits(unit, place.field, place.pieces)
        return self._fixed(place, span) if isinstance(place, Address) else place

    def _fixed(self, address: Address, span: Span) -> Address:
        steps = address.steps
        last = max((n for n, (_, index) in enumerate(steps) if not _is_plain(index)), default=-1)
        if last < 0 or (last == len(steps) - 1 and last == 0):
            return address  # the text of the access names the index
        return Address(self._named_pointer(Address(address.base, steps[: last + 1]), span), steps[last + 1 :])

    def _named_pointer(self, address: Address, span: Span) -> Value:
        pointer = self.pointer(address, span)
        if isinstance(pointer, Primitive) and pointer.name is None:
            pointer.name = "p"
        return pointer

    # ------------------------------------------------------------------------------------------- values of scalars

    def load(self, place: Place, type: CType, span: Span) -> RecordValue:
        """The value of the place: of a scalar, or of a record. A complex number is loaded."""
        if isinstance(place, Variable):
            return self._emit.read(place, span)
        if isinstance(place, Parts):
            values = [self._emit.read(item, span) if isinstance(item, Variable) else item for item in place.items]
            return values if isinstance(type, Record) else values[0]
        if isinstance(place, Bits):
            if isinstance(place.unit, Variable):
                return self._emit.read(place.unit, span)
            return extracted(self._emit, self._accesses(place, span), place.field, span)
        if isinstance(type, Complex):
            fields = [place.field(self.types.field(type.unqualified, each)) for each in type.parts]
            return [self.loaded(each, type.part.program, span) for each in fields]
        if isinstance(type, Record):
            return self.pointer(place, span)
        return self.loaded(place, type.program, span)

    def loaded(self, address: Address, type: Scalar, span: Span) -> Value:
        """The scalar of the type at the address."""
        value = self._emit.effect("load", self.pointer(address, span), type=type, span=span)
        if isinstance(value, Effect):
            value.name = address.name
        return value

    def store(self, place: Place, value: Value, type: CType, span: Span, *, is_used: bool = True) -> Value:
        """Change the scalar at the place. Returns its new value: if it `is_used`, that of a bit-field is computed."""
        if isinstance(place, Variable):
            self._emit.write(place, value, span)
        elif isinstance(place, Parts):
            [variable] = place.items
            assert isinstance(variable, Variable)
            self._emit.write(variable, value, span)
        elif isinstance(place, Bits):
            if isinstance(place.unit, Variable):
                value = truncated(self._emit, place.field, value, span)
                self._emit.write(place.unit, value, span)
                return value
            for pointer, piece in self._accesses(place, span):
                insert(self._emit, pointer, piece, value, span)
            return truncated(self._emit, place.field, value, span) if is_used else value
        else:
            self._emit.effect("store", value, self.pointer(place, span), span=span)
        return value

    def _accesses(self, place: Bits, span: Span) -> list[tuple[Value, Piece]]:
        """The pieces of a bit-field in memory, with the pointers to them."""
        assert isinstance(place.unit, Address)
        first, found = place.pieces[0].offset, []
        for piece in place.pieces:
            address = self.moved(place.unit, C_CHAR, integer(piece.offset - first), span)
            found.append((self.pointer(address, span), piece))
        return found

    # ----------------------------------------------------------------------------------------------------- records

    def assign(self, place: Place, value: RecordValue, type: Record, span: Span) -> None:
        """Copy a record to the place."""
        if isinstance(place, Parts):
            names = [item.name for item in place.items if isinstance(item, Variable)]
            values = value if isinstance(value, Sequence) else self.loaded_leaves(value, type, names, span)
            for item, each in zip(place.items, values, strict=True):
                assert isinstance(item, Variable)
                self._emit.write(item, each, span)
            return
        assert isinstance(place, Address)
        if not type.size:
            return
        if isinstance(value, Sequence):
            leaves = self.types.leaves(type)
            assert leaves is not None
            if not all(_is_plain(index) for _, index in place.steps):
                place = Address(self._named_pointer(place, span))
            for leaf, each in zip(leaves, value, strict=True):
                self.store(self.leaf(place, type, leaf.steps, span), each, leaf.type, span)
        else:
            self._emit.effect("copy", value, self.pointer(place, span), of=self.types.struct(type), span=span)

    def loaded_leaves(self, pointer: Value, type: Record, names: Sequence[str], span: Span) -> Values:
        """The scalars of the record at the pointer, with their names. Those that were never written are undefined."""
        leaves = self.types.leaves(type)
        assert leaves is not None
        return [self.loaded_leaf(pointer, type, *each, span) for each in zip(leaves, names, strict=True)]

    def loaded_leaf(self, pointer: Value, type: Record, leaf: Leaf, name: str, span: Span) -> Value:
        """The scalar of the record at the pointer, undefined if it was never written."""
        place = self.leaf(Address(pointer), type, leaf.steps, span)
        assert isinstance(place, Address)
        undefined = Undef(leaf.type.program, name, span)
        return self._emit.effect(LOAD_OR, self.pointer(place, span), undefined, name=place.name, span=span)

    def leaf(self, place: Place, type: CType, steps: Sequence[Field | int], span: Span) -> Place:
        """The part of an object that the fields and indices lead to."""
        for step in steps:
            if isinstance(step, int):
                assert isinstance(type, Array)
                place, type = self.element(place, type, integer(step), span), type.element
            else:
                assert isinstance(type, Record)
                place, type = self.member(place, type.unqualified, step), step.type
        return place


def integer(value: int) -> Constant:
    """The integer as an `int`, or as a `long` if it is too large."""
    low, high = range_of(INT)
    return Constant(INT if low <= value <= high else LONG, value)


def _is_plain(index: Value | None) -> bool:
    """Whether the step is to a field, or to an element of constant index."""
    return index is None or isinstance(index, Constant)
