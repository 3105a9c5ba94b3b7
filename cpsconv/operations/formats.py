"""The formats of C's printf: what their directives look like, and what these take. (`cpsconv.evaluator` fills them in.)

A format, as each string, has one character for each byte.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cpsconv.ir import DOUBLE, INT, LONG, STRING, UNSIGNED, UNSIGNED_LONG, Scalar

DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|[0-9]*)(?:\.(?P<precision>\*|[0-9]*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L|)(?P<conversion>[\xc2-\xf4][\x80-\xbf]+|.?)",
    re.DOTALL,
)
"""One ``%…``. A conversion that no format has may be a character of several bytes."""

PERCENT = "%%"
"""The directive that takes nothing."""

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


class Slot(NamedTuple):
    """An argument that a format takes; `shown` is the directive, or ``*`` for its width or precision."""

    shown: str
    type: Scalar


def slots(format: str) -> list[Slot]:
    """The arguments that the format takes, in order.

    Raises `ValueError` with a directive that is not supported.
    """
    found: list[Slot] = []
    for match in DIRECTIVE.finditer(c_string(format)):
        if match[0] == PERCENT:
            continue
        type = converted_type(match)
        if type is None:
            raise ValueError(match[0].encode("latin-1").decode("utf-8", "backslashreplace"))
        found += [Slot("*", INT) for part in ("width", "precision") if match[part] == "*"]
        found.append(Slot(match[0], type))
    return found


def converted_type(match: re.Match[str]) -> Scalar | None:
    """The type, after the default promotions, of what a `DIRECTIVE` shows; None if it is not supported."""
    return _TYPES.get(match["conversion"], {}).get(match["length"])


def c_string(text: str) -> str:
    """The text up to its first zero byte, where a C string ends."""
    return text.partition("\0")[0]
