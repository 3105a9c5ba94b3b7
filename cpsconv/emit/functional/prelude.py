"""Preludes: the definitions that hold the meaning of our operations in a language, cut down to those in use.

The text of a prelude is in files beside this one. It is made of *pieces*, paragraphs apart by an empty line; one that
defines nothing is for who reads the file. A piece with the word ``TYPE`` is there once for each type of integers, with
the facts about the type filled in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cpsconv.ir import SCALARS, Scalar
from cpsconv.operations import range_of

Facts = Mapping[str, str]
"""What stands for each of some words in capitals."""

_INTEGERS = [type for type in SCALARS.values() if type.kind == "integer"]


def usual_facts(type: Scalar, name: str) -> Facts:
    """``TYPE``, its ``BITS``, its ``LOWEST`` and ``HIGHEST`` number."""
    lowest, highest = range_of(type)
    return {"TYPE": name, "BITS": str(type.bits), "LOWEST": str(lowest), "HIGHEST": str(highest)}


@dataclass(frozen=True)
class Prelude:
    """The prelude in some files. `definition` finds a name that a piece defines; `words` all names of a text.

    Strings and comments are no names: `words` has a group that is there for names only. `facts` tells of each type of
    integers what to fill in; one of the facts has to be ``TYPE``. For a type without facts there is no such piece.
    """

    files: tuple[str, ...]
    definition: re.Pattern[str]
    words: re.Pattern[str]
    facts: Callable[[Scalar], Facts]

    @cached_property
    def pieces(self) -> dict[str, str]:
        """Each name that the prelude defines, with the piece that does so; in the order of the files."""
        texts = [Path(__file__).with_name(file).read_text(encoding="utf-8") for file in self.files]
        paragraphs = [paragraph.strip("\n") for text in texts for paragraph in text.split("\n\n")]
        pieces = [piece for paragraph in paragraphs for piece in self._for_each_type(paragraph)]
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

    def _for_each_type(self, piece: str) -> Iterable[str]:
        if "TYPE" not in piece:
            return [piece]
        return [_filled_in(piece, facts) for facts in map(self.facts, _INTEGERS) if facts]


def _filled_in(piece: str, facts: Facts) -> str:
    return re.sub("|".join(facts), lambda match: facts[match[0]], piece)
