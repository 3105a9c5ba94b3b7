"""The locations of operations in other files, which messages name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from cpsconv.core.source import Source
from cpsconv.languages.mlir.syntax import Operation
from cpsconv.languages.mlir.texts import STRING, unescaped

_PLACE = re.compile(rf"({STRING}):(\d{{1,9}}):(\d{{1,9}})")


@dataclass(eq=False, repr=False, slots=True)
class LocatedSource(Source):
    """A text in whose lines operations have `locations` in other files, by the numbers of the lines."""

    locations: dict[int, tuple[str, int, int]] = field(default_factory=dict)

    def origin(self, offset: int) -> tuple[str, int, int]:
        """File, line and column of a character, in the other file if one is known."""
        return self.locations.get(self.position(offset)[0]) or Source.origin(self, offset)

    def locate(self, function: Operation, aliases: Mapping[str, str]) -> None:
        """Note the locations of a function and its operations."""
        blocks = [block for region in function.regions for block in region]
        for each in [function, *(each for block in blocks for each in block.operations)]:
            if found := each.location and _PLACE.search(_resolved(each.location, aliases)):
                line, _ = self.position(each.span.start)
                self.locations[line] = unescaped(found[1]), int(found[2]), int(found[3])


def _resolved(location: str, aliases: Mapping[str, str]) -> str:
    """The location, or the one that its first alias denotes, and so on, up to one that names a line."""
    for _ in range(10):
        alias = re.search(r"#[\w$.-]+", location)
        if not alias or _PLACE.search(location):
            break
        location = aliases.get(alias[0], "").partition("=")[2]
    return location
