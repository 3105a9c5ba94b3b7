"""What the conversions of a `printf` format take."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cpsconv.ir import DOUBLE, INT, LONG, STRING, UNSIGNED, UNSIGNED_LONG, Scalar


@dataclass(frozen=True, slots=True)
class Slot:
    """An argument that the format takes; `shown` is the conversion, or ``*`` for a width or precision."""

    shown: str
    type: Scalar


_CONVERSION = re.compile(r"%[-+ #0]*(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|)([\xc2-\xf4][\x80-\xbf]+|.?)", re.DOTALL)

_SIGNED = {"": INT, "hh": INT, "h": INT, "l": LONG, "ll": LONG, "j": LONG, "z": LONG, "t": LONG}
_UNSIGNED = {length: UNSIGNED if type is INT else UNSIGNED_LONG for length, type in _SIGNED.items()}
_FLOATING = {"": DOUBLE, "l": DOUBLE}

_TYPES: dict[str, dict[str, Scalar]] = {
    **dict.fromkeys("di", _SIGNED),
    **dict.fromkeys("ouxX", _UNSIGNED),
    **dict.fromkeys("fFeEgGaA", _FLOATING),
    "c": {"": INT},
    "s": {"": STRING},
}
"""By conversion character and length modifier: the type of the argument, after the default promotions."""

CONVERSION_FOR: dict[Scalar, str] = {
    INT: "%d",
    UNSIGNED: "%u",
    LONG: "%ld",
    UNSIGNED_LONG: "%lu",
    DOUBLE: "%f",
    STRING: "%s",
}
"""The plain conversion for each type that an argument can have after the default promotions."""


def slots(format: str) -> list[Slot]:
    """The arguments that the format, given as bytes, takes, in order.

    Raises `ValueError` with a conversion that is not supported.
    """
    found: list[Slot] = []
    for match in _CONVERSION.finditer(format):
        shown = match.group()
        width, precision, length, character = match.groups()
        if shown == "%%":
            continue
        if length not in _TYPES.get(character, {}):
            raise ValueError(shown.encode("latin-1").decode("utf-8", "backslashreplace"))
        found += [Slot("*", INT) for part in (width, precision) if part == "*"]
        found.append(Slot(shown, _TYPES[character][length]))
    return found


def fits(slot: Slot, type: Scalar) -> bool:
    """Whether an argument of that type, after the default promotions, means the same to `printf` as to the caller.

    An integer of the same size does: its bits are shown as the conversion says.
    """
    same_size = type.kind == slot.type.kind == "integer" and type.bits == slot.type.bits
    return type is slot.type or same_size
