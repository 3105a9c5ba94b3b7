"""The layout of structs in memory, that of x86-64."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.core.ir import Field, ObjectType, Scalar, Struct
from cpsconv.core.source import Span

MAX_ALIGNMENT = 1 << 28
"""The largest alignment."""


def unaligned(alignment: int) -> str | None:
    """The reason why no object can be aligned to so many bytes, None if it can. 0 is the alignment of the type."""
    if alignment < 0 or alignment & (alignment - 1):
        return f"the alignment is {alignment}, but must be a power of two"
    return f"the alignment is {alignment}, more than {MAX_ALIGNMENT}" if alignment > MAX_ALIGNMENT else None


def laid_out(
    name: str,
    members: Sequence[tuple[str, ObjectType]],
    is_union: bool = False,
    span: Span | None = None,
    alignment: int = 1,
) -> Struct:
    """The struct or union with these members: each at the next offset that is aligned, or in a union at 0.

    The struct is aligned to `alignment` at least, and its size is a multiple of its alignment.
    """
    struct = Struct(name, {}, 0, alignment, is_union, span)
    for member, type in members:
        offset = 0 if is_union else aligned(struct.size, type.alignment)
        struct.fields[member] = Field(struct, member, type, offset)
        struct.size = max(struct.size, offset + type.size)
        struct.alignment = max(struct.alignment, type.alignment)
        struct.depth = max(struct.depth, 1 if isinstance(type, Scalar) else 1 + type.depth)
    struct.size = aligned(struct.size, struct.alignment)
    return struct


def aligned(offset: int, alignment: int) -> int:
    """The next multiple of the alignment."""
    return -(-offset // alignment) * alignment
