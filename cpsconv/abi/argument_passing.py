"""The passing of structs by value in C: the classification of the System V ABI for x86-64, section 3.2.3.

A struct of at most 16 bytes is passed in registers, one for each *eightbyte*: in a vector register if the eightbyte has
only floating-point scalars (class SSE), else in a general register (class INTEGER). An eightbyte without scalars is not
passed (NO_CLASS). A larger struct, and one with a scalar that is not aligned or a `long double`, is passed in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cpsconv.core.ir import LONG, LONG_DOUBLE, PTR, UNSIGNED, Array, Constant, ObjectType, Scalar, Struct, Value

INTEGER, SSE, NO_CLASS = "INTEGER", "SSE", "NO_CLASS"

GENERAL_REGISTERS, VECTOR_REGISTERS = 6, 8
"""The numbers of registers for arguments."""

_EIGHT = 8
_MAX_SIZE = 16


def classes(struct: Struct) -> tuple[str, ...] | None:
    """The classes of the eightbytes of a struct; None if it is passed in memory."""
    return None if struct.size > _MAX_SIZE else classes_of(struct.size, scalars_in(struct))


def classes_of(size: int, scalars: Iterable[tuple[Scalar, int]]) -> tuple[str, ...] | None:
    """The classes of a struct of the size with these scalars, each at its offset; None if it is passed in memory."""
    if not 0 < size <= _MAX_SIZE:
        return None
    found = [NO_CLASS] * -(-size // _EIGHT)
    for type, offset in scalars:
        if offset % type.alignment or type is LONG_DOUBLE:
            return None
        for number in range(offset // _EIGHT, -(-(offset + type.size) // _EIGHT)):
            if found[number] != INTEGER:
                found[number] = SSE if type.kind == "float" else INTEGER
    return tuple(found)


def scalars_in(type: ObjectType, offset: int = 0) -> Iterator[tuple[Scalar, int]]:
    """The scalars in an object, with their offsets. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
    if isinstance(type, Scalar):
        yield type, offset
    elif isinstance(type, Array):
        for index in range(type.length if type.element.size else 0):
            yield from scalars_in(type.element, offset + index * type.element.size)
    else:
        for field in type.fields.values():
            yield from scalars_in(field.type, offset + field.offset)


# ---------------------------------------------------------------------------------------------- variable arguments


class Slots(NamedTuple):
    """A block of slots of 8 bytes, of which the first three are a `va_list`, and the others variable arguments.

    `numbers` has the first slot of each argument, `length` is the number of slots, `alignment` that of the block, or 0.
    The `va_list` states that all arguments are in memory: its members are `NO_REGISTERS`, the pointer to the slot
    `LIST`, and a description of the arguments (`described`) instead of a pointer to registers.
    """

    numbers: list[int]
    length: int
    alignment: int


LIST = 3
"""The number of slots of a `va_list`."""

NO_REGISTERS = 48, 176
"""The first two members of a `va_list`, `gp_offset` and `fp_offset`, if no argument is in a register."""


def in_slots(arguments: Iterable[tuple[int, int]]) -> Slots:
    """The slots of variable arguments with these sizes and alignments."""
    numbers, count, most = [], LIST, 0
    for size, alignment in arguments:
        if alignment > _EIGHT:
            step = alignment // _EIGHT
            count, most = -(-count // step) * step, max(most, alignment)
        numbers.append(count)
        count += -(-size // _EIGHT)
    return Slots(numbers, count, most)


def write_list(
    place: Callable[[int, Scalar], Value], store: Callable[[Value, Value], object], types: Sequence[Scalar]
) -> None:
    """Store the `va_list` of arguments with these types (`VOID` for a struct) in the first slots of their block.

    `place` gives the address of a slot of a number, as that of a type; `store` stores a value at an address.
    """
    for number, offset in enumerate(NO_REGISTERS):
        store(Constant(UNSIGNED, offset), place(number, UNSIGNED))
    store(place(LIST, LONG), place(1, PTR))
    store(Constant(LONG, described(types)), place(LIST - 1, LONG))


MAX_DESCRIBED = 16
"""The largest number of arguments that are described."""


def described(arguments: Sequence[Scalar]) -> int:
    """A description of variable arguments with these types; `VOID` is that of a struct.

    The last slot of the `va_list` has it, so that functions find arguments of another kind, and can pass all of them
    on. From bit 1 on, two bits state the kind of each argument, 1 for an integer, 2 for a floating number, 3 for a
    pointer; bit 0 is set, which the address of a register save area has not. The description is 0 if an argument is a
    struct or takes two slots, or if there are more than `MAX_DESCRIBED`.
    """
    if len(arguments) > MAX_DESCRIBED or not all(0 < each.size <= _EIGHT for each in arguments):
        return 0
    kinds = [3 if each is PTR else 2 if each.kind == "float" else 1 for each in arguments]
    return 1 | sum(kind << 2 * number + 1 for number, kind in enumerate(kinds))
