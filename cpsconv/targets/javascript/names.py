"""Names in emitted JavaScript, unique in a function and the functions around it."""

from __future__ import annotations

import re

from cpsconv.abi.javascript import NO_NAMES
from cpsconv.core.text.plan import UniqueNames
from cpsconv.targets.javascript.helpers import GLOBALS

RESERVED = NO_NAMES.union(GLOBALS)
"""Words that are no names of values: those of the language, and the globals that helpers use."""


def identifier(hint: str) -> str:
    """An identifier that resembles a name."""
    name = re.sub(r"[^\w$]", "_", hint)
    return name if re.match(r"[^\W\d]|\$", name) else f"_{name}"


def reads(text: str, name: str) -> bool:
    """Whether an expression may contain a variable."""
    return re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", text) is not None


class Names(UniqueNames):
    """The names of a function, which differ from those `around` it. All of them, in the program, are in `every`."""

    def __init__(self, around: Names | frozenset[str]) -> None:
        super().__init__(around)
        self.every: set[str] = around.every if isinstance(around, Names) else set(around)

    def __contains__(self, name: object) -> bool:
        return name in self.taken or name in self.functions

    def unique(self, hint: str) -> str:
        """An identifier that resembles a name, with a number if it is taken."""
        name = super().unique(identifier(hint))
        self.every.add(name)
        return name
