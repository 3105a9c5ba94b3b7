"""Memory: objects, loads, stores and addresses of values of LLVM's types, as operations of the program."""

from __future__ import annotations

import operator
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.ir import BOOL, INT, LONG, Array, Constant, ObjectType, Scalar, Struct, Undef, Value, integer_type
from cpsconv.core.operations.types import is_integer, is_storable, zero
from cpsconv.languages.arithmetic import CASTS, Maker
from cpsconv.languages.formulas import Number
from cpsconv.languages.llvm.forms import PURE
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.aggregates import Aggregate
from cpsconv.languages.llvm.ours.object_types import BYTE, Inexpressible, ObjectTypes, counted
from cpsconv.languages.llvm.types import scalar_of

_BITS = re.compile(r"<\d+ x i1>")


def masked(lines: Sequence[Line]) -> set[str]:
    """The values of which only some bits are used: ``and`` with a constant is all that reads them.

    So compilers change bit-fields, whose other bits may never have been written.
    """
    uses = Counter(name for line in lines for name in line.names)
    alone = [line.names[0] for line in lines if line.op == "and" and len(line.names) == 1]
    return {name for name in alone if uses[name] == 1}


def frozen(lines: Sequence[Line]) -> set[str]:
    """The values, and addresses of variables, that ``freeze`` reads, directly or by instructions other than calls.

    LLVM gives them any value where they have none.
    """
    sources: dict[str | None, list[str]] = defaultdict(list)
    for line in lines:
        if line.op in PURE or line.op in ("load", "phi"):
            sources[line.result] += line.names
        elif line.op == "store":
            sources[line.names[-1] if line.names else None] += line.names
    starts = [line.result for line in lines if line.op == "freeze"]
    return {name for name, _ in depth_first(starts, lambda name: sources[name]) if name}


class Memory:
    """The accesses to memory of one function, by the operations that `make` makes.

    The `allocated` objects are those that returns deallocate, or within a block those of `temporary`.
    """

    def __init__(self, make: Maker, types: ObjectTypes) -> None:
        self.make, self.types = make, types
        self.allocated = list[Value]()

    def load(self, type: str, pointer: Value, *, is_part: bool = False) -> Any:
        """The value of a type in memory. Bytes of a part of a value, or of an aggregate, need not have been written.

        Raises `Inexpressible` for a type that the program lacks, as `store` does.
        """
        if self.types.has_members(type):
            self.types.of(type)
            members = [(each, self.at(pointer, offset)) for each, offset in self.types.members(type)]
            return Aggregate(type, [self.load(each, place, is_part=True) for each, place in members])
        value_type = self.types.scalar(type)
        if not is_storable(value_type):
            count, make = -(-value_type.bits // 8), self.make
            bytes = [make.effect("load_or", self.at(pointer, number), zero(BYTE)) for number in range(count)]
            return self._joined(value_type, bytes, 8)
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
            for number, byte in enumerate(self._pieces(value, BYTE, 8)):
                self.make.effect("store", byte, self.at(pointer, number))
        elif not isinstance(value, Undef):
            self.make.effect("store", value, pointer)

    def same_bits(self, given: str, type: str, value: Any) -> Any:
        """The value of another type whose representation in memory is the same: ``bitcast``. Raises `Inexpressible`."""
        if _BITS.fullmatch(given) and is_integer(scalar_of(type)):
            return self._joined(scalar_of(type), value.members, 1)
        if _BITS.fullmatch(type) and is_integer(scalar_of(given)):
            return Aggregate(type, self._pieces(value, BOOL, 1))
        objects = [self.types.of(each) for each in (given, type)]
        if objects[0].size != objects[1].size or "i1" in (given, type):
            raise Inexpressible(f"`bitcast` from `{given}` to `{type}`")
        with self.temporary():
            place = self.allocate("bits", objects[0])
            self.store(given, value, place)
            return self.load(type, place)

    def _joined(self, type: Scalar, pieces: Sequence[Value], size: int) -> Value:
        """The integer that consists of pieces of so many bits, the lowest ones first."""
        whole = integer_type(size * len(pieces), signed=False)
        numbers = [Number(self.make, each).to(whole) << size * number for number, each in enumerate(pieces)]
        return reduce(operator.or_, numbers).to(type).value

    def _pieces(self, value: Value, type: Scalar, size: int) -> Iterator[Value]:
        """The pieces of so many bits of an integer, with a type."""
        whole = Number(self.make, value).unsigned()
        for start in range(0, whole.bits, size):
            yield CASTS["trunc"](self.make, type, (whole >> start).value)

    @contextmanager
    def temporary(self) -> Iterator[None]:
        """Within the block, objects that are allocated are deallocated at its end."""
        outer, self.allocated = self.allocated, []
        try:
            yield
            self.deallocate()
        finally:
            self.allocated = outer

    def allocate(
        self, name: str, type: ObjectType, alignment: int = 0, counts: Sequence[Value] = (), **more: Any
    ) -> Value:
        """The address of a new object of the type, or of so many."""
        counts, element = (counts, type) if counts else counted(type)
        self.allocated.append(self.make.effect("allocate", *counts, of=element, name=name, alignment=alignment, **more))
        return self.allocated[-1]

    def deallocate(self) -> None:
        """Deallocate the objects."""
        for each in reversed(self.allocated):
            self.make.effect("deallocate", each)

    # ------------------------------------------------------------------------------------------------- addresses

    def at(self, pointer: Value, offset: int) -> Value:
        """The address so many bytes after another one."""
        return self.make("element", pointer, Constant(LONG, offset), of=BYTE) if offset else pointer

    def element(self, type: str, pointer: Value, indices: Sequence[Value]) -> tuple[Value, str]:
        """The address of an element, as of ``getelementptr``, and its type."""
        for number, index in enumerate(indices):
            place, outer = int(index.value) if isinstance(index, Constant) else None, type
            if number:
                type, _ = self.types.member(outer, place or 0)
            if number and self.types.definition(outer).lstrip("<")[0] == "{":
                struct = self.types.of(outer)
                assert isinstance(struct, Struct)
                pointer = self.make("field", pointer, of=struct.fields[f"f{place}"])
            elif place != 0:
                pointer = self._moved(pointer, index, self.types.of(type))
        return pointer, type

    def _moved(self, pointer: Value, index: Value, type: ObjectType) -> Value:
        """The address so many objects of a type further; those of an array are counted by its elements."""
        count = 1
        while isinstance(type, Array):
            count, type = count * type.length, type.element
        if index.type is not INT or count != 1:
            index = self.make.convert(LONG, index)
        if isinstance(index, Constant):
            index = Constant(index.type, int(index.value) * count)
        elif count != 1:
            index = self.make("*", index, Constant(LONG, count))
        return self.make("element", pointer, index, of=type)
