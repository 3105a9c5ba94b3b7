"""Aliases of types and attributes, ``!pair = tuple<i32, i32>``, and the locations in other files that messages name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cpsconv.core.source import Source
from cpsconv.languages.mlir.texts import STRING, on_one_line, unescaped

_TYPE = re.compile(rf"{STRING}|![\w$-]+")
_PLACE = re.compile(rf"({STRING}):(\d{{1,9}}):(\d{{1,9}})")
_MAX_LENGTH = 10_000
"""The maximal length of a text that an alias denotes: types of types grow exponentially. Other aliases are types."""


class Aliases:
    """The texts that aliases denote: `types`, and `attributes`, such as locations, which may follow their uses."""

    def __init__(self) -> None:
        self.types: dict[str, str] = {}
        self.attributes: dict[str, str] = {}

    def define(self, text: str) -> bool:
        """Note a definition. Returns whether it is the first one of the name."""
        name, _, meaning = (part.strip() for part in on_one_line(f"{text}\n").partition("="))
        found = self.types if name[0] == "!" else self.attributes
        is_new, resolved = name not in found, self.resolved(meaning)
        found[name] = resolved if len(resolved) <= _MAX_LENGTH else name
        return is_new

    def resolved(self, text: str) -> str:
        """The attribute that a text denotes, or the text, with the types that aliases in it denote."""
        text = self.attributes.get(text, text)
        return _TYPE.sub(lambda found: self.types.get(found[0], found[0]), text) if self.types else text

    def place(self, location: str) -> tuple[str, int, int] | None:
        """File, line and column in a location, or in the one that its first alias denotes, and so on."""
        for _ in range(10):
            if found := _PLACE.search(location):
                return unescaped(found[1]), int(found[2]), int(found[3])
            alias = re.search(r"#[\w$-]+", location)
            location = self.attributes.get(alias[0], "") if alias else ""
        return None


@dataclass(eq=False, repr=False, slots=True)
class LocatedSource(Source):
    """A text in whose lines operations have `locations` in other files, by the numbers of the lines."""

    locations: dict[int, tuple[str, int, int]] = field(default_factory=dict)

    def origin(self, offset: int) -> tuple[str, int, int]:
        """File, line and column of a character, in the other file if one is known."""
        return self.locations.get(self.position(offset)[0]) or Source.origin(self, offset)
