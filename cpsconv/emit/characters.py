"""Characters that no text can show. Names of CPS text may have them."""

from __future__ import annotations

import re

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """The text with numbers, ``\\x01``, for control characters and what is no character at all."""
    return _CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
