"""The memory of the engine `python`: objects as Python lists of their elements.

Most objects are accessed as elements of one type: scalars, or structs of scalars. Such an object is a list of values,
or a list of *records*, the lists of the values in a struct. An unwritten value is None. So a load is an index into a
list, ``a[i]`` or ``a[i][2]``, and an `IndexError` or None leads to the slow path, the function of the machine
(`cpsconv.engines.machine.memory`), which finds the exact error.

A `View` has the lists for pointers to the starts of objects. The first view of an object determines the type of its
elements. An access that does not suit this type *demotes* the object to bytes, the representation of the machine, and
clears its lists, so that the lists that the program still has lead to the slow path. The next view makes it a list
again, if its bytes permit it.

An allocated object that has not been viewed needs no memory of its own, unless it is large: it is a `Site`, which
describes all objects of one size that the same statement allocates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cache
from itertools import count, takewhile
from typing import Any, cast

from cpsconv.core.attributes import stated
from cpsconv.core.ir import BOOL, PTR, Array, Constant, Effect, ObjectType, Program, Scalar, Struct, Type
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.objects import MemoryObject
from cpsconv.core.operations.pointers import MAX_SIZE, format_of, number_of, offset_of
from cpsconv.core.operations.runtime_errors import Undefined
from cpsconv.core.operations.table import ALLOCATING, PROTECTING
from cpsconv.core.source import Span
from cpsconv.engines.machine.memory import Memory
from cpsconv.engines.python.rotated_pointers import on_rotated, rotated

MAX_SLOTS = 64
"""The maximum of scalars in a struct whose objects are lists of records."""

MAX_CONVERSIONS = 20
"""The conversions of one object from bytes to a list. After them it remains bytes."""

MAX_SITE = 1 << 16
"""The bytes of an object that takes no memory before it is viewed. A larger one counts for the limit of memory."""

_LOW = (1 << 32) - 1

EMPTY: list[Any] = []
"""The list for a pointer to no suitable object."""


class Unit(metaclass=NodeType):
    """The elements of an object: scalars, or structs with scalars in `slots`, which are offsets and types."""

    type: Scalar | Struct
    slots: list[tuple[int, Scalar]]
    slot_at: dict[int, int] = field(default_factory=dict)
    has_padding: bool = False

    @property
    def size(self) -> int:
        """The size of an element in bytes."""
        return self.type.size


@cache
def unit_of(type: ObjectType) -> Unit | None:
    """The unit for elements of the type, if they can be scalars or records: structs without unions, not too large."""
    if isinstance(type, Array):
        return None
    slots: list[tuple[int, Scalar]] = []
    pending: list[tuple[int, ObjectType]] = [(0, type)]
    while pending:
        offset, part = pending.pop()
        if isinstance(part, Scalar):
            slots.append((offset, part))
        elif isinstance(part, Array) and part.length <= MAX_SLOTS:
            pending += [(offset + index * part.element.size, part.element) for index in range(part.length)]
        elif isinstance(part, Struct) and not part.is_union:
            pending += [(offset + each.offset, each.type) for each in part.fields.values()]
        else:
            return None
        if len(pending) + len(slots) > MAX_SLOTS:
            return None
    if not slots:
        return None
    slots.sort(key=lambda slot: slot[0])
    has_padding = sum(each.size for _, each in slots) < type.size
    return Unit(type, slots, {offset: index for index, (offset, _) in enumerate(slots)}, has_padding)


class TypedObject(MemoryObject):
    """An object that is a list of `elements` of a `unit`, or `data`, or (if `is_fresh`) neither so far.

    A fresh object is zero if `is_zero`, and else unwritten; its `data` may be reserved. `kept` has the data and marks
    from before the conversion to a list, for the padding.
    """

    is_fresh: bool = False
    is_zero: bool = False
    unit: Unit | None = None
    elements: list[Any] = field(default_factory=list)
    kept: tuple[bytearray, bytearray] | None = None
    conversions: int = 0
    views: list[View] = field(default_factory=list)
    number: int = 0


class Site(MemoryObject):
    """The objects of a size that a statement allocates. If there is a `view`, it has the lists of the objects."""

    is_zero: bool = False
    view: View | None = None
    ended_objects: dict[Span | None, MemoryObject] = field(default_factory=dict)


class Shifted:
    """The elements of a list from a start on. As a condition, it is true, also without elements."""

    __slots__ = ("_elements", "_start")

    def __init__(self, elements: list[Any], start: int) -> None:
        self._elements, self._start = elements, start

    def __getitem__(self, index: int) -> Any:
        return self._elements[self._start + index]

    def __setitem__(self, index: int, value: Any) -> None:
        self._elements[self._start + index] = value


class Part(Shifted):
    """Values in a record that are an array, or one scalar: `count` of them."""

    __slots__ = ("_count",)

    def __init__(self, record: list[Any], start: int, count: int) -> None:
        super().__init__(record, start)
        self._count = count

    def __getitem__(self, index: int) -> Any:
        if index >= self._count:
            raise IndexError
        return self._elements[self._start + index]

    def __setitem__(self, index: int, value: Any) -> None:
        if index >= self._count:
            raise IndexError
        self._elements[self._start + index] = value


class View(metaclass=NodeType):
    """The `lists` of elements, or records if `is_record`, at the starts of objects, by the number of the object.

    The list of an object is None until it is found, or if it cannot be a list. If not `is_writable`, the lists are only
    read, and may belong to constant objects.
    """

    memory: TypedMemory
    unit: Unit
    is_record: bool
    is_writable: bool
    lists: list[Any] = field(default_factory=lambda: [Shifted(EMPTY, 0)])

    def enter(self, number: int, elements: Any) -> None:
        """Make `elements` the list of an object that may have no entry yet."""
        if number >= len(self.lists):
            self.lists.extend([None] * (number + 1 - len(self.lists) + number // 8))
        self.lists[number] = elements

    def find(self, pointer: int) -> Any:
        """The list at the rotated pointer, which is looked up in the objects if the cache has no entry."""
        if 0 < pointer < len(self.lists) and (known := self.lists[pointer]):
            return known
        return self.memory.viewed(self, pointer)


class TypedMemory(Memory):
    """The objects of one run."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._views: dict[tuple[Unit, bool, bool], View] = {}
        self._sites: dict[Effect, dict[int, Site]] = {}
        self._ended_sites: dict[Effect, dict[MemoryObject, tuple[list[Any], MemoryObject]]] = {}
        self._constant_types = {_innermost(each.object_type) for each in program.data if each.constant_bytes}
        self._has_constant_variables = any(each.op in PROTECTING for each in program.statements())
        self.define(program)

    def view(self, unit: Unit, is_record: bool, is_writable: bool) -> View:
        """The view of that kind. Views only for reading differ if there are constant objects of the type."""
        may_be_constant = self._has_constant_variables or unit.type in self._constant_types
        key = unit, is_record, is_writable or not may_be_constant
        if key not in self._views:
            self._views[key] = View(self, *key)
        return self._views[key]

    def viewed(self, view: View, pointer: int) -> Any:
        """The list at the rotated pointer, which the view does not have yet."""
        number, offset, unit = pointer & _LOW, pointer >> 32, view.unit  # a negative offset is beyond every object here
        found = self._real(number)
        if found is None or offset >= found.size or (found.constant and view.is_writable):
            return EMPTY
        if found.unit is not unit and found.unit is not None and (part := _part_of_record(found, offset, unit)):
            return part
        index, rest = divmod(offset, unit.size)
        if rest or (found.unit is not unit and not self._convert(found, unit)):
            return EMPTY
        result = found.elements[index] if view.is_record else found.elements
        if index:
            return result if view.is_record else Shifted(result, index)
        view.enter(number, result)
        found.views.append(view)
        return result

    # ---------------------------------------------------------------------------------------------- representations

    def _real(self, number: int) -> TypedObject | None:
        """The object of that number, if it has or may have bytes; that of a site is created."""
        if number >= len(self.objects):
            return None
        found = self.objects[number]
        if isinstance(found, Site):
            described = found.origin, found.size, found.name, found.element, found.count, found.start
            new = TypedObject(*described, number=number)
            new.is_fresh, new.is_zero = True, found.is_zero
            if found.view is not None:
                stored = found.view.lists[number]
                new.unit, new.elements = found.view.unit, [stored] if found.view.is_record else stored
                new.views.append(found.view)
            self.objects[number] = found = new
        return found if isinstance(found, TypedObject) else None

    def _reserve(self, number: int) -> None:
        """Take the memory for an object that has not been viewed."""
        if (found := self._real(number)) is not None:
            found.data, found.written = bytearray(found.size), bytearray(found.size)

    def _convert(self, found: TypedObject, unit: Unit) -> bool:
        """Make the object a list of elements of the unit. Returns whether this is possible."""
        if found.size % unit.size or found.conversions > MAX_CONVERSIONS:
            return False
        if found.unit is not None:
            self._demote(found)
        found.conversions += 1
        elements: list[Any] | None = None
        if not found.is_fresh:
            if (elements := _decoded(found, unit)) is None:
                return False
            found.kept = (found.data, found.written) if unit.has_padding else None
        found.data, found.written = bytearray(), bytearray()
        if elements is None:
            elements = _fresh(unit, found.is_zero, False, found.size)
        found.unit, found.elements, found.is_fresh = unit, elements, False
        return True

    def _demote(self, found: TypedObject) -> None:
        """Make the object bytes."""
        unit, elements = found.unit, found.elements
        if unit is None and not found.is_fresh:
            return
        if found.kept:
            found.data, found.written = found.kept
        else:
            found.data = found.data or bytearray(found.size)
            found.written = bytearray()  # before there is another one
            found.written = bytearray(b"\1") * found.size if found.is_zero else bytearray(found.size)
        if unit is not None:
            _encode(found, unit, elements)
        self._clear(found)
        found.is_fresh, found.kept = False, None

    def _clear(self, found: TypedObject) -> None:
        """Clear the lists of the object, and remove them from the views."""
        if found.unit is not None and isinstance(found.unit.type, Struct):
            for record in found.elements:
                record.clear()
        found.elements.clear()
        for view in found.views:
            view.lists[found.number] = None
        found.views.clear()
        found.unit = None

    def place(self, pointer: int, size: int, unit: ObjectType | None = None) -> tuple[MemoryObject, int]:
        """The object with the `size` bytes at the pointer, as bytes, and their offset."""
        found = self._real(number_of(pointer))
        if found is not None:
            self._demote(found)
        return super().place(pointer, size, unit)

    def allocate(self, new: MemoryObject, *, initialised: bool = False) -> int:
        """The pointer to a new object."""
        pointer = super().allocate(new, initialised=initialised)
        number = len(self.objects) - 1
        found = TypedObject(new.origin, new.size, new.name, new.element, new.count, new.start, number=number)
        found.constant, found.data, found.written = new.constant, new.data, new.written
        self.objects[-1] = found
        return pointer

    def end(self, pointer: int, origin: str, span: Span | None) -> MemoryObject:
        """End the lifetime of the object at the pointer; it is returned as it was, without the elements of its list."""
        found = self._real(number_of(pointer))
        if found is not None and found.origin == origin and not offset_of(pointer):
            self._clear(found)
        return super().end(pointer, origin, span)

    # ------------------------------------------------------------------------------------------- loads and stores

    def loader(self, type: Scalar) -> Callable[[int], Any]:
        """The load of a scalar of the type, from the list of the object if it suits, else from its bytes."""
        load, slot = super().loader(type), self._slot

        def load_typed(pointer: int) -> Any:
            values, index = slot(pointer, type)
            if values is None or (value := values[index]) is None:
                return load(pointer)
            return rotated(value) if type is PTR else value

        return load_typed

    def default_loader(self, type: Type) -> Callable[[int, Any], Any]:
        """The load of a scalar with a default value for bytes that were never written."""
        load_or, slot = super().default_loader(type), self._slot

        def load_typed(pointer: int, default: Any) -> Any:
            values, index = slot(pointer, type)
            if values is None:
                return load_or(pointer, default)
            if (value := values[index]) is None:
                return default
            return rotated(value) if type is PTR else value

        return load_typed

    def storer(self, type: Type) -> Callable[[Any, int], None]:
        """The store of a scalar of the type. A store of an undefined value makes the bytes unwritten."""
        store, slot = super().storer(type), self._slot

        def store_typed(value: Any, pointer: int) -> None:
            values, index = slot(pointer, type, is_written=True)
            if values is None:
                store(value, pointer)
            else:
                values[index] = None if isinstance(value, Undefined) else rotated(value) if type is PTR else value

        return store_typed

    def _slot(self, pointer: int, type: Type, is_written: bool = False) -> tuple[list[Any] | None, int]:
        """The list with the scalar of the type at the pointer, and its index; None if there is none."""
        found = self._real(pointer >> 32)
        if found is None or (is_written and found.constant):
            return None, 0
        if found.is_fresh and found.data:  # the machine's access would use the reserved bytes
            unit = unit_of(cast("Scalar", type))
            if unit is None or not self._convert(found, unit):
                self._demote(found)
        if found.unit is None:
            return None, 0
        index, rest = divmod(pointer & _LOW, found.unit.size)  # a negative offset is beyond every object here
        slot = found.unit.slot_at.get(rest)
        if not 0 <= index < len(found.elements) or slot is None or found.unit.slots[slot][1] is not type:
            return None, 0
        return (found.elements[index], slot) if isinstance(found.unit.type, Struct) else (found.elements, index)

    # -------------------------------------------------------------------------------------------------- operations

    def action(self, effect: Effect) -> Callable[..., Any]:
        """The function from the operands of an operation on memory to its result, where pointers are rotated."""
        if effect.op in ALLOCATING:
            return self.allocation(effect)
        if effect.op == "deallocate":
            return self._ending("variable", effect)
        if effect.op == "free":
            end = self._ending("heap", effect)
            return lambda pointer: end(pointer) if pointer != 0 else None
        action = self.realloc(effect) if effect.op == "realloc" else super().action(effect)
        action = on_rotated(action, [each.type for each in effect.operands], effect.type)
        return self._copy(effect, action) if effect.op == "copy" else action

    def allocation(self, effect: Effect, unit: Unit | None = None, is_record: bool = False) -> Callable[..., int]:
        """The function for ``allocate``, ``malloc`` or ``calloc``. The objects of a known unit are lists at once."""
        view = None if unit is None else self.view(unit, is_record, is_writable=True)
        sites = self._sites.setdefault(effect, {})
        objects = self.objects

        def create(size: int, count: int | None = None) -> int:
            site = sites.get(size)
            if site is None:
                suits = unit is not None and size > 0 and (size == unit.size if is_record else size % unit.size == 0)
                site = sites[size] = _site(effect, size, count, view if suits else None)
            number = len(objects)
            objects.append(site)
            if site.view is not None:
                site.view.enter(number, _fresh(site.view.unit, site.is_zero, is_record, size))
            elif size > MAX_SITE:
                self._reserve(number)
            return number

        if effect.op == "malloc":
            return lambda size: create(int(size)) if size <= MAX_SIZE else 0
        if effect.op == "calloc":
            return lambda count, size: create(int(count * size)) if count * size <= MAX_SIZE else 0
        element: Any = effect.of

        def allocate(count: int | None = None) -> int:
            number = 1 if count is None else int(count)
            if not 0 <= number * element.size <= MAX_SIZE:
                return self.variable(effect, count)  # raises the error
            return create(number * element.size, count)

        return allocate

    def record_site(self, effect: Effect, unit: Unit) -> Site:
        """The site of an allocation of one record, whose list the caller enters into the view of the site."""
        constant = effect.operands[0] if effect.op == "allocate" and effect.operands else None
        count = int(constant.value) if isinstance(constant, Constant) else None
        return _site(effect, unit.size, count, self.view(unit, True, True))

    def ended_sites(self, effect: Effect) -> dict[MemoryObject, tuple[list[Any], MemoryObject]]:
        """The sites with a view whose objects the effect has ended: the lists of the view, and the ended object."""
        return self._ended_sites.setdefault(effect, {})

    def _ending(self, origin: str, effect: Effect) -> Callable[[int], None]:
        """The function that ends the lifetime of the object at a pointer."""
        objects, known, span = self.objects, self.ended_sites(effect), effect.span

        def end(pointer: int) -> None:
            site = objects[pointer] if pointer < len(objects) else None
            if type(site) is not Site or site.origin != origin:
                self.end(rotated(pointer), origin, span)
                return
            ended = site.ended_objects.get(span)
            if ended is None:
                described = site.origin, site.size, site.name, site.element, site.count, site.start
                ended = site.ended_objects[span] = MemoryObject(*described, span, True)
            if site.view is not None:
                site.view.lists[pointer].clear()
                site.view.lists[pointer] = None
                known[site] = site.view.lists, ended
            objects[pointer] = ended

        return end

    def _copy(self, effect: Effect, copy: Callable[[int, int], None]) -> Callable[[int, int], None]:
        """The copy of a struct: of a record if both objects are lists of records. `copy` copies bytes."""
        unit = unit_of(cast(Any, effect.of))
        if unit is None or unit.has_padding or not isinstance(unit.type, Struct):
            return copy
        find_source, find_target = self.view(unit, True, False).find, self.view(unit, True, True).find

        def copy_record(source: int, target: int) -> None:
            if (values := find_source(source)) and (changed := find_target(target)):
                changed[:] = values
            else:
                copy(source, target)

        return copy_record

    def realloc(self, effect: Effect) -> Callable[..., int]:
        """C's realloc."""
        realloc = super().action(effect)

        def on_bytes(pointer: int, size: int) -> int:
            found = self._real(number_of(pointer))
            if found is not None:
                self._demote(found)
            result: int = realloc(pointer, size)
            return result

        return on_bytes


def _site(effect: Effect, size: int, count: int | None, view: View | None) -> Site:
    """The description of the objects of that size that an allocation creates."""
    if effect.op == "allocate":
        return Site("variable", size, effect.name, cast(Any, effect.of), count, effect.span, view=view)
    return Site(
        "heap", size, stated("resource", effect.attributes), start=effect.span, is_zero=effect.op == "calloc", view=view
    )


def _fresh(unit: Unit, is_zero: bool, is_record: bool, size: int) -> list[Any]:
    """The record, or the list of elements, of a new object."""
    if is_record:
        return new_record(unit, is_zero)
    count = size // unit.size
    if not isinstance(unit.type, Struct):
        return [_zero(unit.type) if is_zero else None] * count
    record = new_record(unit, is_zero)
    return [record[:] for _ in range(count)]


def new_record(unit: Unit, is_zero: bool) -> list[Any]:
    """The values in a new struct, or the value of a new scalar."""
    return [_zero(type) for _, type in unit.slots] if is_zero else [None] * len(unit.slots)


def _part_of_record(found: TypedObject, offset: int, unit: Unit) -> Part | None:
    """The scalars of the unit's type in a record of the object, from the offset on; None if there are none."""
    assert found.unit is not None
    index, rest = divmod(offset, found.unit.size)
    slot = found.unit.slot_at.get(rest)
    if slot is None or not isinstance(found.unit.type, Struct) or not isinstance(unit.type, Scalar):
        return None
    count = _adjacent(found.unit, slot, unit.type)
    return Part(found.elements[index], slot, count) if count else None


@cache
def _adjacent(unit: Unit, slot: int, type: Scalar) -> int:
    """The number of scalars of the type in adjacent slots, from `slot` on."""
    start, _ = unit.slots[slot]
    expected = ((start + number * type.size, type) for number in count())
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(unit.slots[slot:], expected, strict=False)))


def _innermost(type: ObjectType) -> Scalar | Struct:
    while isinstance(type, Array):
        type = type.element
    return type


@cache
def _zero(type: Scalar) -> Any:
    return format_of(type).unpack(bytes(type.size))[0]


def _decoded(found: TypedObject, unit: Unit) -> list[Any] | None:
    """The elements of an object of bytes; None if a list could not represent the bytes exactly."""
    data, written = found.data, found.written
    is_complete = 0 not in written
    if is_complete and not any(data):
        return _fresh(unit, True, False, found.size)
    records: list[Any] = []
    for start in range(0, found.size, unit.size):
        record = []
        for offset, type in unit.slots:
            place = start + offset
            marks = 1 if is_complete else sum(written[place : place + type.size]) / type.size
            value = format_of(type).unpack_from(data, place)[0] if marks else None
            if 0 < marks < 1 or value != value or (value is not None and type is BOOL and data[place] > 1):
                return None
            record.append(rotated(value) if type is PTR and value is not None else value)
        records.append(record)
    return records if isinstance(unit.type, Struct) else [record[0] for record in records]


def _encode(found: TypedObject, unit: Unit, elements: list[Any]) -> None:
    """Write the elements into the bytes of the object."""
    data, written, is_struct = found.data, found.written, isinstance(unit.type, Struct)
    for index, record in enumerate(elements):
        for (offset, type), value in zip(unit.slots, record if is_struct else (record,), strict=True):
            place = index * unit.size + offset
            written[place : place + type.size] = (b"\0" if value is None else b"\1") * type.size
            if value is not None:
                format_of(type).pack_into(data, place, rotated(value) if type is PTR else value)
