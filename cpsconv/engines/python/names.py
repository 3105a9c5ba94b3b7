"""Names that Python takes, and that mean nothing else in what we write."""

from __future__ import annotations

import keyword
import re

_USED = "abs float to chosen printf puts putchar eprint write use last exit abort"

RESERVED = frozenset([*keyword.kwlist, *keyword.softkwlist, *_USED.split()])
"""What no function or variable of a program is called."""


def identifier(hint: str) -> str:
    """`hint` made an identifier."""
    name = re.sub(r"[^0-9A-Za-z_]", "_", hint)
    return name if re.match(r"[A-Za-z]", name) else f"v{name}"
