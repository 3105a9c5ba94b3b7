"""The types of initialised data whose content no literals of the declared types denote, as in unions and with NaN."""

from __future__ import annotations

from cpsconv.core.construction import Builder
from cpsconv.core.ir import CHAR, PTR, Array, Data, ObjectType
from cpsconv.core.operations.contents import is_regular, scalar_at


def expressible_type(builder: Builder, data: Data) -> ObjectType:
    """The type of the data, or a struct of its layout: a pointer at each of its addresses, and characters between them.

    The check of the program reports an address that is not aligned.
    """
    addresses = sorted(data.addresses)
    if not addresses or any(offset % PTR.alignment for offset in addresses):
        return data.object_type
    if is_regular(data) and all(scalar_at(data.object_type, offset) is PTR for offset in addresses):
        return data.object_type
    members, end = list[tuple[str, ObjectType]](), 0
    for offset in addresses:
        if offset > end:
            members.append((f"bytes{end}", Array(CHAR, offset - end)))
        members.append((f"pointer{offset}", PTR))
        end = offset + PTR.size
    if end < data.object_type.size:
        members.append((f"bytes{end}", Array(CHAR, data.object_type.size - end)))
    return builder.struct(f"content_of_{data.name}", members, False, data.span, data.object_type.alignment)
