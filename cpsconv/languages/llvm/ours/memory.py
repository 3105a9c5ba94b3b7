"""Memory: objects, loads, stores and addresses of values of LLVM's types, as operations of the program."""

from __future__ import annotations

import operator
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.ir import BOOL, INT, LONG, Array, Constant, ObjectType, Scalar, Struct, Undef, Value, integer_type
from cpsconv.core.operations.types import is_integer, is_storable, scalar_type, zero
from cpsconv.languages.arithmetic import CASTS, Maker
from cpsconv.languages.formulas import Number
from cpsconv.languages.llvm.forms import PURE
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.object_types import (
    BYTE,
    Aggregate,
    Inexpressible,
    ObjectTypes,
    counted,
    is_struct,
    scalars_of,
)
from cpsconv.languages.llvm.types import scalar_of

_BITS = re.compile(r"<\d+ x i1>")


def masked(lines: Sequence[Line]) -> set[str]:
    """The values that need not be whole: only ``and`` with a constant reads them, or they are members of a struct.

    So compilers change bit-fields, whose other bits may never have been written, and return unions.
    """
    uses = Counter(name for line in lines for name in line.names)
    alone = [line.names[0] for line in lines if line.op == "and" and len(line.names) == 1]
    members = [name for line in lines if line.op == "insertvalue" for name in line.names]
    return {*members, *(name for name in alone if uses[name] == 1)}


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


def unions(lines: Sequence[Line], objects: Mapping[str, str]) -> set[str]:
    """The names of the objects, whose types are given, to which values of other types are stored."""
    bases = {name: name for name in objects}
    for line in lines:
        if line.op in ("bitcast", "getelementptr") and line.names and line.names[0] in bases:
            bases[line.result or ""] = bases[line.names[0]]
    stores = [line for line in lines if line.op == "store" and line.form.accessed and line.names[-1] in bases]
    return {base for line in stores if objects[base := bases[line.names[-1]]] != line.form.accessed}


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
        is_part = is_part or self.types.has_members(type)
        scalars = [self._scalar(each, self.at(pointer, at), is_part) for each, at in self.types.stored(type)]
        return self.types.value(type, scalars)

    def _scalar(self, type: Scalar, pointer: Value, is_part: bool) -> Value:
        if not is_storable(type):
            numbers = range(-(-type.bits // 8))
            bytes = [self.make.effect("load_or", self.at(pointer, number), zero(BYTE)) for number in numbers]
            return self._joined(type, bytes, 8)
        if is_part and type.kind != "pointer":
            return self.make.effect("load_or", pointer, zero(type))
        return self.make.effect("load", pointer, type=type)

    def store(self, type: str, value: Any, pointer: Value) -> None:
        """Store a value of a type. Scalars that are undefined are not stored."""
        for each, (_, start) in zip(scalars_of(value), self.types.stored(type), strict=True):
            is_whole = isinstance(each, Undef) or is_storable(scalar_type(each))
            pieces = [each] if is_whole else self._pieces(each, BYTE, 8)
            for number, piece in enumerate(pieces):
                if not isinstance(piece, Undef):
                    self.make.effect("store", piece, self.at(pointer, start + number))

    def same_bits(self, given: str, type: str, value: Any) -> Any:
        """The value of another type whose representation in memory is the same: ``bitcast``. Raises `Inexpressible`."""
        if _BITS.fullmatch(given) and is_integer(scalar_of(type)):
            return self._joined(scalar_of(type), scalars_of(value), 1)
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
            if number and is_struct(self.types.definition(outer)):
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
