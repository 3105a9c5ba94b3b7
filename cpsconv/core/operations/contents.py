"""The initial contents of data: the scalars in an object type, and the contents that literals denote."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core.ir import LONG_DOUBLE, MAX_TYPE_DEPTH, PTR, Array, Data, ObjectType, Scalar, Struct
from cpsconv.core.operations.pointers import MAX_SIZE, format_of
from cpsconv.core.operations.types import is_integer

MAX_SKIPPED = 1 << 24
"""The largest number of bytes without a literal or address between others in the data of a text."""


def parts_of(type: ObjectType, offset: int, size: int) -> Iterator[tuple[ObjectType, int]]:
    """The elements, fields, or the first field of a union, with their offsets; those in the first `size` bytes."""
    if isinstance(type, Array) and type.element.size:
        for index in range(-(-size // type.element.size)):
            yield type.element, offset + index * type.element.size
    elif isinstance(type, Struct):
        for field in [*type.fields.values()][: 1 if type.is_union else None]:
            yield field.type, offset + field.offset


def put(content: bytearray, offset: int, written: bytes) -> None:
    """Set bytes of a content, which grows up to their end; those between its end and the offset are zero."""
    if offset > len(content):
        content += bytes(offset - len(content))
    content[offset : offset + len(written)] = written


def is_regular(data: Data) -> bool:
    """Whether literals denote the content: no bytes are between scalars, or in further fields of unions.

    The scalars must have one representation only: no NaN, no `bool` other than 0 and 1, no padding of a `long double`.
    """
    size = len(data.content)
    covered = bytearray(data.content) + bytes(LONG_DOUBLE.size)  # no scalar that starts in the content ends after it
    pending: list[tuple[ObjectType, int]] = [(data.object_type, 0)]
    while pending:
        part, place = pending.pop()
        if isinstance(part, Array) and isinstance(part.element, Scalar) and is_integer(part.element):
            end = min(size, place + part.size)
            covered[place:end] = bytes(max(0, end - place))
        elif place >= size:
            continue
        elif isinstance(part, Scalar):
            written = slice(place, place + part.size)
            (value,) = format_of(part).unpack(covered[written])
            if value != value or format_of(part).pack(value) != covered[written] or (part is PTR and value != 0):
                return False
            covered[written] = bytes(part.size)
        else:
            pending += parts_of(part, place, min(part.size, size - place))
    return not any(covered)


def scalar_at(type: ObjectType, offset: int) -> Scalar | None:
    """The scalar at the offset, in unions that of the first field; None if none starts there."""
    while not isinstance(type, Scalar):
        inside = [part for part in _around(type, offset) if 0 <= offset - part[1] < part[0].size]
        if not inside:
            return None
        type, start = inside[0]
        offset -= start
    return type if offset == 0 else None


def _around(type: Array | Struct, offset: int) -> Iterator[tuple[ObjectType, int]]:
    """The element at the offset, or all fields."""
    if isinstance(type, Struct):
        yield from parts_of(type, 0, type.size)
    elif type.element.size and 0 <= offset < type.size:
        yield type.element, offset - offset % type.element.size


def unsound(type: ObjectType) -> str | None:
    """The reason why an object type cannot be written as text, or None."""
    if type.size > MAX_SIZE:
        return f"is larger than {MAX_SIZE} bytes"
    depth, inner = 0 if isinstance(type, Scalar) else type.depth, type
    while isinstance(inner, Array):
        if not 0 <= inner.length < 1 << 31:
            return f"has an array of {inner.length} elements"
        inner = inner.element
    return "is nested too deeply" if depth > MAX_TYPE_DEPTH else None
