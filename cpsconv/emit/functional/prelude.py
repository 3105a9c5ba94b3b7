"""Preludes: the definitions that hold the meaning of our operations in a language, cut down to those in use.

The text of a prelude is a file beside this one. It is made of *pieces*, paragraphs apart by an empty line; one that
defines nothing is for who reads the file. A piece with the word ``TYPE`` is there once for each type of integers, with
the facts about the type filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cpsconv.ir import SCALARS, Scalar, Type
from cpsconv.operations import range_of

INTEGERS = [type for type in SCALARS.values() if type.kind == "integer"]


@dataclass(frozen=True)
class Prelude:
    """The prelude in the file `name`. `definition` finds a name that a piece defines; `words` all names of a text.

    Strings and comments are no names: `words` has a group that is there for names only.
    """

    name: str
    definition: re.Pattern[str]
    words: re.Pattern[str]

    @cached_property
    def pieces(self) -> dict[str, str]:
        """Each name that the prelude defines, with the piece that does so; in the order of the file."""
        text = Path(__file__).with_name(self.name).read_text(encoding="utf-8")
        pieces = [piece for paragraph in text.split("\n\n") for piece in _for_each_type(paragraph.strip("\n"))]
        return {match[1]: piece for piece in pieces for match in self.definition.finditer(piece)}

    def needed(self, text: str) -> list[str]:
        """The pieces with what the text uses, and what that uses in turn."""
        pending, needed = [text], set[str]()
        while pending:
            found = {match[1] for match in self.words.finditer(pending.pop()) if match[1]}
            new = {self.pieces[name] for name in found & self.pieces.keys()} - needed
            needed |= new
            pending += new
        return [piece for piece in dict.fromkeys(self.pieces.values()) if piece in needed]


def _for_each_type(piece: str) -> Iterable[str]:
    if "TYPE" not in piece:
        return [piece]
    return [_filled_in(piece, type) for type in INTEGERS]


def _filled_in(piece: str, type: Scalar) -> str:
    lowest, highest = range_of(type)
    facts = {"TYPE": hyphenated(type), "BITS": type.bits, "LOWEST": lowest, "HIGHEST": highest}
    return re.sub("|".join(facts), lambda match: str(facts[match[0]]), piece)


def hyphenated(type: Type) -> str:
    """The name of a type as one word."""
    return str(type).replace(" ", "-")
