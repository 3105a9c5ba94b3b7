"""Preludes: the definitions that hold the meaning of our operations in a language, cut down to those in use.

The text of a prelude is in files, in the folder of its language. It is made of *pieces*, paragraphs apart by empty
lines; one that defines nothing is for who reads the file. A piece with the word ``TYPE`` is there once for each type of
integers, with the facts about the type filled in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cpsconv.ir import SCALARS, Scalar
from cpsconv.operations.types import range_of

Facts = Mapping[str, str]
"""What stands for each of some words in capitals."""

_INTEGERS = [type for type in SCALARS.values() if type.kind == "integer"]


def prelude_text(file: str) -> str:
    """What is in a file of a prelude, given by its path from here."""
    return (Path(__file__).parent / file).read_text(encoding="utf-8")


def usual_facts(type: Scalar, name: str) -> Facts:
    """``TYPE``, its ``BITS``, its ``LOWEST`` and ``HIGHEST`` number."""
    lowest, highest = range_of(type)
    return {"TYPE": name, "BITS": str(type.bits), "LOWEST": str(lowest), "HIGHEST": str(highest)}


@dataclass(frozen=True)
class Prelude:
    """The prelude in some files, given by their paths from here.

    `definition` finds a name that a piece defines; `words` all names of a text.
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
        return {name: piece for file in self.files for name, piece in self.pieces_of(file).items()}

    def pieces_of(self, file: str) -> dict[str, str]:
        """The pieces in one of the files."""
        paragraphs = re.split("\n\n+", prelude_text(file).strip("\n"))
        pieces = [piece for paragraph in paragraphs for piece in self._for_each_type(paragraph)]
        return {match[1]: piece for piece in pieces for match in self.definition.finditer(piece)}

    def needed(self, functions: str, locals: Iterable[str], start: str) -> list[str]:
        """The pieces with what the functions and the start of a program use, and what that uses in turn.

        In the functions, `locals` are names of other things.
        """
        pending, needed = self._named_in(functions) - set(locals) | self._named_in(start), set[str]()
        while pending:
            new = {self.pieces[name] for name in pending} - needed
            needed |= new
            pending = {name for piece in new for name in self._named_in(piece)}
        return [piece for piece in dict.fromkeys(self.pieces.values()) if piece in needed]

    def _named_in(self, text: str) -> set[str]:
        return {match[1] for match in self.words.finditer(text)} & self.pieces.keys()

    def _for_each_type(self, piece: str) -> Iterable[str]:
        if "TYPE" not in piece:
            return [piece]
        return [_filled_in(piece, facts) for facts in map(self.facts, _INTEGERS) if facts]


def _filled_in(piece: str, facts: Facts) -> str:
    return re.sub("|".join(facts), lambda match: facts[match[0]], piece)
