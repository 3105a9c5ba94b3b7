"""Legal identifiers of a language for the names of a program."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from cpsconv.core.ir import Type
from cpsconv.core.text.plan import UniqueNames
from cpsconv.core.text.spelling import unquote_name

Named = TypeVar("Named")


def type_name(type: Type, separator: str = "_") -> str:
    """The name of a type as one word: ``unsigned_long``, ``int128``"""
    return str(type).replace("__", "").replace(" ", separator)


def camel_case(words: Sequence[str]) -> str:
    """``haltWithBool``"""
    return "".join([words[0], *map(str.title, words[1:])])


@dataclass(frozen=True, slots=True)
class Spelling:
    """The rules for identifiers of a language.

    A `reserved` name gets `mark` as a suffix. Each match of `illegal` in a name becomes an underscore.
    """

    reserved: frozenset[str]
    mark: str = "_"
    illegal: re.Pattern[str] = re.compile(r"[^A-Za-z0-9_]|^(?=[0-9])")

    def identifiers(self, names: Mapping[Named, str], taken: Collection[str] = ()) -> dict[Named, str]:
        """A unique identifier for each name, none of them in `taken`. The result is deterministic."""
        inventor = UniqueNames(taken)
        return {named: inventor.unique(self.legal(unquote_name(name))) for named, name in names.items()}

    def legal(self, name: str) -> str:
        """The name as a legal identifier."""
        legal = self.illegal.sub("_", name)
        while legal in self.reserved:
            legal += self.mark
        return legal
