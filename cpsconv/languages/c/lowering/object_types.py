"""The object types of the program for C's types: structs with the layout of gcc on x86-64.

A struct of the program has its fields at the next aligned offsets (`cpsconv.core.layout.laid_out`). Where C's layout
differs, because of bit-fields, ``packed`` or ``aligned``, fields named `padding` fill the difference, and a field that
is not aligned is an array of `char`. The bit-fields of a unit are one field, `bits`; if the unit has other fields, too,
the other bytes are such fields. The lowering accesses bit-fields by the offset of their unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from cpsconv.abi.argument_passing import classes_of, scalars_in
from cpsconv.core import ir, layout
from cpsconv.core.construction import Builder
from cpsconv.core.text.plan import UniqueNames
from cpsconv.languages.c.records import Field, Record, name_after, register_classes
from cpsconv.languages.c.types import Array, CType, OpaqueType, element_of
from cpsconv.languages.c.vector_types import Vector

_Member = tuple[int, str, ir.ObjectType, "Field | None"]  # offset, name, type; None for the unit of bit-fields

_UNSIGNED = ir.UNSIGNED_CHAR, ir.UNSIGNED_SHORT, ir.UNSIGNED, ir.UNSIGNED_LONG, ir.UNSIGNED_INT128
UNSIGNED_OF_SIZE = {type.size: type for type in _UNSIGNED}

MAX_LEAVES = 64
"""The maximal number of scalars of an object that may become variables."""

MAX_PARTS = 64
"""The maximal number of separate constant parts in an array."""


class Leaf(NamedTuple):
    """A scalar in an object: its path in the notation of C (``.x[0]``), its type, and the steps of the path."""

    path: str
    type: CType
    steps: tuple[Field | int, ...]


class ObjectTypes:
    """The object types of one program. The structs in use are added to it, each after those that it contains."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._structs: dict[Record, ir.Struct] = {}
        self._fields: dict[Field, ir.Field] = {}
        self._leaves: dict[tuple[CType, bool], list[Leaf] | None] = {}
        self._constant: dict[CType, Sequence[range]] = {}

    def of(self, type: CType) -> ir.ObjectType:
        """The object type of a complete type of constant size."""
        type = type.unqualified
        if isinstance(type, Record):
            has_fields = any(field.bits != 0 for field in type.fields or ())
            return self.struct(type) if has_fields else ir.Array(ir.CHAR, type.size)  # GNU C: structs without fields
        if isinstance(type, Array):
            return ir.Array(self.of(type.element), type.length or 0)
        if isinstance(type, OpaqueType):
            return ir.Array(ir.CHAR, type.size)
        return type.program if type.size else ir.CHAR  # gcc: `void` and functions have the size 1

    def struct(self, record: Record) -> ir.Struct:
        """The struct of a complete record."""
        record = record.unqualified
        found = self._structs.get(record)
        if found is None:
            found = self._structs[record] = self._laid_out(record)
        return found

    def extended(self, record: Record, length: int) -> ir.Struct:
        """The struct of a complete record whose flexible array member has that many elements."""
        struct = self.struct(record)
        assert record.fields is not None
        last = self.field(record, record.fields[-1])
        fields: list[tuple[str, ir.ObjectType]] = []
        for field in struct.fields.values():
            if field is last:
                assert isinstance(last.type, ir.Array)
                fields.append((last.name, ir.Array(last.type.element, length)))
                break
            fields.append((field.name, field.type))
        return self._builder.struct(struct.name, fields, False, record.span, struct.alignment)

    def field(self, record: Record, field: Field) -> ir.Field:
        """The field of the program for a member that is no bit-field."""
        self.struct(record)
        return self._fields[field]

    # ------------------------------------------------------------------------------------------------------ layout

    def _laid_out(self, record: Record) -> ir.Struct:
        assert record.fields is not None
        members: list[_Member] = []
        for number, field in enumerate(record.fields):
            if field.is_anonymous and record.hint:
                name_after(field.type, f"{record.hint}_{field.type.unqualified.keyword}")
            if field.bits is None:
                members.append((field.offset, field.name or f"anonymous{number}", self.of(field.type), field))
        members += _units(record)
        members.sort(key=lambda member: member[0])
        name = record.hint or record.keyword
        laid, sources = _filled(record, members, aligned=True)
        if layout.laid_out(name, laid, record.is_union, alignment=record.alignment).size != record.size:
            laid, sources = _filled(record, members, aligned=False)
        struct = self._builder.struct(name, laid, record.is_union, record.span, record.alignment)
        self._fields |= {field: struct.fields[own] for own, field in sources.items()}
        return struct

    # ---------------------------------------------------------------------------------------------- constant parts

    def constant_parts(self, type: CType) -> Sequence[range]:
        """The bytes of an object of the type that are `const`: of all of it, or of members, except those in unions.

        Adjacent parts are one. An array with more than `MAX_PARTS` of them has none.
        """
        if type not in self._constant:
            self._constant[type] = self._found_constant_parts(type)
        return self._constant[type]

    def _found_constant_parts(self, type: CType) -> Sequence[range]:
        parts: list[tuple[int, CType]] = []
        if "const" in element_of(type).qualifiers:
            return [range(type.size)] if type.size else []
        if isinstance(type, Array) and len(self.constant_parts(type.element)) * (type.length or 0) <= MAX_PARTS:
            if self.constant_parts(type.element):
                parts = [(index * type.element.size, type.element) for index in range(type.length or 0)]
        elif isinstance(type, Record) and not type.is_union:
            parts = [(field.offset, field.type) for field in type.fields or () if field.bits is None]
        found: list[range] = []
        for offset, part in parts:
            for each in self.constant_parts(part):
                start = offset + each.start
                if found and found[-1].stop == start:
                    start = found.pop().start
                found.append(range(start, offset + each.stop))
        return found

    # ------------------------------------------------------------------------------------------------------ leaves

    def leaves(self, type: CType, *, of_unions: bool = False) -> list[Leaf] | None:
        """The scalars in an object of the type, in order; None for more than `MAX_LEAVES`, and if it has a union.

        `of_unions` includes those of one field of each union, if they cover it.
        """
        key = type.unqualified, of_unions
        if key not in self._leaves:
            self._leaves[key] = self._found_leaves(*key)
        return self._leaves[key]

    def _found_leaves(self, type: CType, of_unions: bool) -> list[Leaf] | None:
        found: list[Leaf] = []
        if isinstance(type, Array):
            if not type.length or type.length > MAX_LEAVES:
                return None
            inner = self.leaves(type.element, of_unions=of_unions)
            if inner is None or len(inner) * type.length > MAX_LEAVES:
                return None
            for index in range(type.length):
                found += [_within(f"[{index}]", index, leaf) for leaf in inner]
            return found
        if isinstance(type, Record):
            if not type.fields or (type.is_union and not of_unions):
                return None
            if type.is_union:
                return next(filter(None, map(partial(self._covering, type), type.fields)), None)
            for field in type.fields:
                inner = self.leaves(field.type, of_unions=of_unions)
                if field.bits is not None and not field.name:
                    continue
                if inner is None or len(inner) + len(found) > MAX_LEAVES:
                    return None
                path = f".{field.name}" if field.name else ""
                found += [_within(path, field, leaf) for leaf in inner]
            return found
        return [Leaf("", type, ())] if type.program.size else None

    def _covering(self, union: Record, field: Field) -> list[Leaf] | None:
        """The scalars of a field that cover the union; None if they do not. A `long double` has padding."""
        leaves = self.leaves(field.type, of_unions=True) if field.bits is None else None
        sizes = [leaf.type.size for leaf in leaves or () if leaf.type.program is not ir.LONG_DOUBLE]
        if leaves is None or sum(sizes) < union.size:
            return None
        return [_within(f".{field.name}" if field.name else "", field, leaf) for leaf in leaves]


def records_within(type: CType) -> Iterator[Record]:
    """The records among the type and the types of its parts, each once."""
    pending, seen = [type], set[CType]()
    while pending:
        part = pending.pop().unqualified
        if isinstance(part, Array):
            pending.append(part.element)
        elif isinstance(part, Record) and part not in seen:
            seen.add(part)
            yield part
            pending += [field.type for field in part.fields or []]


def has_bit_fields(type: CType) -> bool:
    """Whether an object of the type contains bit-fields."""
    return any(field.bits is not None for record in records_within(type) for field in record.fields or [])


def is_passed_as(record: Record, struct: ir.Struct) -> bool:
    """Whether C passes a record by value as it passes the struct, whose fields include padding."""
    size = record.size
    if any(isinstance(each, Vector) for each in records_within(record)):
        return False
    return register_classes(record) == classes_of(size, scalars_in(struct) if size <= 16 else ())


def _within(path: str, step: Field | int, leaf: Leaf) -> Leaf:
    return Leaf(path + leaf.path, leaf.type, (step, *leaf.steps))


def _filled(
    record: Record, members: list[_Member], aligned: bool
) -> tuple[list[tuple[str, ir.ObjectType]], dict[str, Field]]:
    """The fields of the struct, with padding, and the fields of C by the names of those of the struct.

    Fields have the alignment 1 if they are not to be `aligned`.
    """
    laid: list[tuple[str, ir.ObjectType]] = []
    names = _Names(())
    sources: dict[str, Field] = {}
    end, alignment = 0, record.alignment
    for offset, hint, type, field in members:
        if offset % type.alignment or not aligned:
            type = type if type.alignment == 1 else ir.Array(ir.CHAR, type.size)
        if not record.is_union and layout.aligned(end, type.alignment) != offset:
            laid.append((names.unique("padding"), ir.Array(ir.CHAR, offset - end)))
        laid.append((names.unique(hint), type))
        if field is not None:
            sources[laid[-1][0]] = field
        end, alignment = max(end, offset + type.size), max(alignment, type.alignment)
    if layout.aligned(end, alignment) != record.size and end < record.size:
        laid.append((names.unique("padding"), ir.Array(ir.CHAR, record.size - (0 if record.is_union else end))))
    return laid, sources


def _units(record: Record) -> list[_Member]:
    """The units of the bit-fields, as fields. One that overlaps other fields or units has fields for its free bytes.

    A union gets the largest unit if no other field has its bytes.
    """
    assert record.fields is not None
    found: list[_Member] = []
    taken: set[int] = set()
    units = {(each.offset, each.type.size) for each in record.fields if each.bits}
    if record.is_union:
        covered = max((each.type.size for each in record.fields if each.bits is None), default=0)
        largest = max((size for _, size in units if size <= record.size), default=0)
        return [(0, "bits", UNSIGNED_OF_SIZE[largest], None)] if largest > covered else found
    for each in record.fields:
        if each.bits is None and any(start < each.offset + each.type.size for start, _ in units):
            last = max(start + size for start, size in units)
            is_flexible = each.type.size == 0 and each is record.fields[-1]
            taken.update(range(each.offset, last if is_flexible else min(each.offset + each.type.size, last)))
    for start, size in sorted(units):
        free = [at for at in range(start, min(start + size, record.size)) if at not in taken]
        taken.update(free)
        if len(free) == size and start % size == 0:
            found.append((start, "bits", UNSIGNED_OF_SIZE[size], None))
            continue
        starts = [at for at in free if at - 1 not in free]
        for at in starts:
            length = next(count for count in range(1, size + 1) if at + count not in free)
            found.append((at, "bits", ir.Array(ir.CHAR, length), None))
    return found


class _Names(UniqueNames):
    """The names of the fields of a struct."""

    def numbered(self, hint: str, number: int) -> str:
        """The hint and a number."""
        return f"{hint}{number}"
