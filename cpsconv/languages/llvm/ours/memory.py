"""Memory: loads, stores and addresses of values of LLVM's types, as operations of the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from typing import Any

from cpsconv.core.ir import INT, LONG, Array, Constant, ObjectType, Scalar, Undef, Value, integer_type
from cpsconv.core.operations.types import is_integer, is_storable, scalar_type, zero
from cpsconv.languages.arithmetic import Maker
from cpsconv.languages.llvm.ours.object_types import (
    BYTE,
    Inexpressible,
    ObjectTypes,
    count_of,
    element_of,
    field_of,
    is_aggregate,
    scalar,
)
from cpsconv.languages.llvm.ours.operands import Aggregate
from cpsconv.languages.llvm.types import scalar_of

_BITS = re.compile(r"<\d+ x i1>")

Allocate = Callable[..., Value]
"""The function that allocates an object, from its name, its type and perhaps its alignment."""


class Memory:
    """The accesses to memory of one function, by the operations that `make` makes."""

    def __init__(self, make: Maker, types: ObjectTypes) -> None:
        self.make, self.types = make, types

    def load(self, type: str, pointer: Value, is_part: bool = False) -> Any:
        """The value of a type in memory. Bytes of a part of a value, or of an aggregate, need not have been written.

        Raises `Inexpressible` for a type that the program lacks, as `store` does.
        """
        if is_aggregate(self.types.definition(type)):
            self.types.of(type)
            members = [(each, self.at(pointer, offset)) for each, offset in self.types.members(type)]
            return Aggregate(type, [self.load(each, place, is_part=True) for each, place in members])
        value_type = scalar(type, "a value")
        if not is_storable(value_type):
            return self._load_bytes(value_type, pointer)
        if is_part and value_type.kind != "pointer":
            return self.make.effect("load_or", pointer, zero(value_type))
        return self.make.effect("load", pointer, type=value_type)

    def store(self, type: str, value: Any, pointer: Value) -> None:
        """Store a value of a type. Members that are undefined are not stored."""
        if isinstance(value, Aggregate):
            self.types.of(type)
            for member, (each, offset) in zip(value.members, self.types.members(type), strict=True):
                self.store(each, member, self.at(pointer, offset))
        elif value.type.kind == "foreign":
            raise Inexpressible(f"`store` of the type `{type}`")
        elif not is_storable(value.type):
            self._store_bytes(value, pointer)
        elif not isinstance(value, Undef):
            self.make.effect("store", value, pointer)

    def _load_bytes(self, type: Scalar, pointer: Value) -> Value:
        """An integer that takes some bytes of memory, byte by byte."""
        make, wide = self.make, integer_type(-(-type.bits // 8) * 8, signed=False)
        value: Value = Constant(wide, 0)
        for number in range(wide.bits // 8):
            byte = make.effect("load_or", self.at(pointer, number), Constant(BYTE, 0))
            value = make("|", value, make("<<", make.convert(wide, byte), Constant(INT, 8 * number)))
        return make.convert(type, value)

    def _store_bytes(self, value: Value, pointer: Value) -> None:
        """Likewise, a store."""
        make, wide = self.make, integer_type(-(-scalar_type(value).bits // 8) * 8, signed=False)
        whole = make.convert(wide, make.unsigned(value))
        for number in range(wide.bits // 8):
            byte = make.convert(BYTE, make(">>", whole, Constant(INT, 8 * number)))
            make.effect("store", byte, self.at(pointer, number))

    def same_bits(self, given: str, type: str, value: Any) -> Any:
        """The value of another type whose representation in memory is the same: ``bitcast``. Raises `Inexpressible`."""
        whole = scalar_of(type if isinstance(value, Aggregate) else given)
        if (_BITS.fullmatch(given) or _BITS.fullmatch(type)) and is_integer(whole):
            return self._packed_bits(value, whole) if isinstance(value, Aggregate) else self._bits_in(value, type)
        objects = [self.types.of(each) for each in (given, type)]
        if objects[0].size != objects[1].size or "i1" in (given, type):
            raise Inexpressible(f"`bitcast` from `{given}` to `{type}`")
        with self.temporary() as allocate:
            place = allocate("bits", objects[0])
            self.store(given, value, place)
            return self.load(type, place)

    def _packed_bits(self, vector: Aggregate, type: Scalar) -> Value:
        """The integer of which the members are the bits."""
        make = self.make
        bits = [make("<<", make.convert(type, bit), Constant(INT, n)) for n, bit in enumerate(vector.members)]
        return reduce(partial(make, "|"), bits)

    def _bits_in(self, value: Value, type: str) -> Aggregate:
        """The vector of the bits of an integer."""
        make, one, none = self.make, Constant(scalar_type(value), 1), zero(scalar_type(value))
        bits = [make("&", make(">>", value, Constant(INT, n)), one) for n in range(scalar_type(value).bits)]
        return Aggregate(type, [make("!=", bit, none) for bit in bits])

    @contextmanager
    def temporary(self) -> Iterator[Allocate]:
        """The allocation of objects that are deallocated at the end of the block."""
        allocated = list[Value]()

        def allocate(name: str, type: ObjectType, alignment: int = 0) -> Value:
            count, of = count_of(type), element_of(type)
            allocated.append(self.make.effect("allocate", *count, of=of, name=name, alignment=alignment))
            return allocated[-1]

        yield allocate
        for each in reversed(allocated):
            self.make.effect("deallocate", each)

    # ------------------------------------------------------------------------------------------------- addresses

    def at(self, pointer: Value, offset: int) -> Value:
        """The address so many bytes after another one."""
        if offset == 0:
            return pointer
        return self.make("element", pointer, Constant(LONG, offset), of=BYTE)

    def element(self, type: str, pointer: Value, indices: Sequence[Value]) -> Value:
        """The address of an element: ``getelementptr``."""
        for number, index in enumerate(indices):
            definition = self.types.definition(type)
            if number and definition.lstrip("<")[0] == "{" and isinstance(index, Constant):
                object_type, (type, offset) = self.types.of(type), self.types.members(type)[int(index.value)]
                field = field_of(object_type, int(index.value))
                pointer = self.at(pointer, offset) if field is None else self.make("field", pointer, of=field)
                continue
            if number:
                type, _ = self.types.member(type, 0)
            if not (isinstance(index, Constant) and index.value == 0):
                pointer = self._moved(pointer, index, self.types.of(type))
        return pointer

    def _moved(self, pointer: Value, index: Value, type: ObjectType) -> Value:
        """The address so many objects of a type further; those of an array are counted by its elements."""
        count = 1
        if index.type is not INT:
            index = self.make.convert(LONG, index)
        while isinstance(type, Array):
            count, type = count * type.length, type.element
        if count != 1:
            index = self.make.convert(LONG, index)
            if isinstance(index, Constant):
                index = Constant(LONG, int(index.value) * count)
            else:
                index = self.make("*", index, Constant(LONG, count))
        return self.make("element", pointer, index, of=type)
