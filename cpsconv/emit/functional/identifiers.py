"""Names from the source, made legal in another language."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from cpsconv.text.plan import UniqueNames
from cpsconv.text.spelling import unquote_name

Named = TypeVar("Named")


@dataclass(frozen=True, slots=True)
class Spelling:
    """What the identifiers of a language look like.

    `illegal` matches each piece of a name that no identifier may have; an underscore is put there. A name that is
    `reserved` gets the `mark` at its end.
    """

    illegal: re.Pattern[str]
    reserved: frozenset[str]
    mark: str

    def identifiers(self, names: Mapping[Named, str], taken: Collection[str] = ()) -> dict[Named, str]:
        """For each name an identifier of its own, none of them `taken`. The same names give the same identifiers."""
        inventor = UniqueNames(taken)
        return {named: inventor.unique(self.legal(unquote_name(name))) for named, name in names.items()}

    def legal(self, name: str) -> str:
        """The name as one that the language takes."""
        legal = self.illegal.sub("_", name)
        while legal in self.reserved:
            legal += self.mark
        return legal
