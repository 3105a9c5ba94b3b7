"""Lines that a backslash continues: C joins them before it looks for tokens (C17 5.1.1.2, phase 2)."""

from __future__ import annotations

import re
from bisect import bisect_right

_SPLICE = re.compile(r"\\\r?\n")


class Spliced:
    """A text without its splices, a backslash and the line end after it; `text` is what is left.

    `plain` tells that there were none: places in both texts are the same then.
    """

    def __init__(self, original: str) -> None:
        self._joints: list[int] = []
        self._removed = [0]
        for splice in _SPLICE.finditer(original):
            self._joints.append(splice.start() - self._removed[-1])
            self._removed.append(self._removed[-1] + len(splice[0]))
        self.plain = not self._joints
        self.text = original if self.plain else spliced(original)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters ``start … end - 1`` of what is left stand in the original text."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, offset: int) -> int:
        return offset + self._removed[bisect_right(self._joints, offset)]


def spliced(text: str) -> str:
    """The text without splices."""
    return _SPLICE.sub("", text)
