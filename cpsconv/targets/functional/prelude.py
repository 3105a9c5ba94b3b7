"""Preludes: the definitions of C's operations in a language. An emitted file contains those that it uses.

A prelude consists of files in the folder of its language. A file consists of *pieces*: paragraphs, or definitions of
one line. Pieces without a definition are comments. A piece that contains the word ``TYPE`` is a template, instantiated
for each integer type with the facts about the type.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cpsconv.core.ir import SCALARS, Scalar
from cpsconv.core.operations.memory_messages import message, parts
from cpsconv.core.operations.types import range_of

Facts = Mapping[str, str]
"""The replacements of the words in capitals of a template."""

PREFIX = "memory_"
"""The prefix of the names of generated pieces."""

_ESCAPED_QUOTE = re.compile(r"""\\[\\"']""")

_WORD = re.compile(r"[^\W\d][\w']*")

_INTEGERS = [type for type in SCALARS.values() if type.kind == "integer"]


def prelude_text(file: str) -> str:
    """The text of a file of a prelude, by its path relative to this folder, with the texts of messages.

    ``«bounds | place»`` denotes a message of `cpsconv.core.operations.memory_messages` with expressions for its fields.
    In Scheme, it becomes strings and expressions in a row; in other languages it is part of a string with expressions.
    (In Python, they are variables: the words of a string are not names that a text uses.)
    """
    path = Path(__file__).parent / file
    write = _STRINGS.get(path.suffix, _formatted)
    return _MESSAGE.sub(lambda match: write(*match[1].split(" | ")), path.read_text(encoding="utf-8"))


_MESSAGE = re.compile("«([^»]+)»")


def _formatted(name: str, *fields: str) -> str:
    """The message in an f-string of Python."""
    return message(name, *(f"{{{field}}}" for field in fields))


def _template(name: str, *fields: str) -> str:
    """The message in a template literal of JavaScript."""
    marks = [f"\0{index}\0" for index in range(len(fields))]
    text = message(name, *marks).replace("`", "\\`")
    return re.sub("\0(\\d+)\0", lambda match: f"${{{fields[int(match[1])]}}}", text)


def _row(name: str, *fields: str) -> str:
    """The message as strings and expressions of Scheme."""
    first, *others = (f'"{text}"' if text else "" for text in parts(name))
    pieces = [first, *(piece for pair in zip(fields, others, strict=True) for piece in pair)]
    return " ".join(filter(None, pieces))


_STRINGS = {".js": _template, ".scm": _row}


def usual_facts(type: Scalar, name: str) -> Facts:
    """The facts ``TYPE``, ``BITS``, ``LOWEST`` and ``HIGHEST`` of an integer type."""
    lowest, highest = range_of(type)
    return {"TYPE": name, "BITS": str(type.bits), "LOWEST": str(lowest), "HIGHEST": str(highest)}


@dataclass(frozen=True)
class Prelude:
    """The prelude in some files, by their paths relative to this folder.

    Group 1 of `definition` is a name that a piece defines. Group 1 of `words` is a name that a text uses; in matches of
    strings and comments, group 1 is missing; the text has no escaped quotes. `facts` are the replacements in templates
    for an integer type, ``TYPE`` among them; templates are not instantiated for a type without facts. `boundary`
    separates pieces. `written` has further pieces by the names that they define; those of `generated` are used for
    names that the files do not define. Group 1 of `called` is a name in the position of a function that is called; in a
    language whose calls have no brackets, group 1 of `binding` is a text with the names that it binds instead. `known`
    has the functions of the language itself.
    """

    files: tuple[str, ...]
    definition: re.Pattern[str]
    words: re.Pattern[str]
    facts: Callable[[Scalar], Facts]
    boundary: str = "\n\n+"
    written: Mapping[str, str] = field(default_factory=dict)
    generated: Callable[[], Mapping[str, str]] = dict
    called: re.Pattern[str] | None = None
    binding: re.Pattern[str] | None = None
    known: Collection[str] = ()

    @cached_property
    def pieces(self) -> dict[str, str]:
        """The piece that defines each name, in the order of the files."""
        return self.own_pieces | {k: v for k, v in self.generated().items() if k not in self.own_pieces}

    @cached_property
    def own_pieces(self) -> dict[str, str]:
        """The same without generated pieces."""
        in_files = {name: piece for file in self.files for name, piece in self.pieces_of(file).items()}
        return {**in_files, **self.written}

    def missing_in(self, pieces: Mapping[str, str]) -> set[str]:
        """The names that a piece uses, that are not local, and that neither pieces nor `known` define."""
        known = {*pieces, *self.known}
        return {name for piece in dict.fromkeys(pieces.values()) for name in self._unknown(piece, known)}

    def _unknown(self, piece: str, known: Collection[str]) -> Iterator[str]:
        """The names of functions in a piece that are not `known`. A name that is only called is not local."""
        calls = Counter(self.called.findall(piece) if self.called else ())
        if self.called and not calls.keys() - known:
            return
        words = Counter(self.words.findall(_ESCAPED_QUOTE.sub("_", piece)))
        local = {*_WORD.findall(" ".join(self.binding.findall(piece)))} if self.binding else set[str]()
        for name in (calls or words).keys() - known - local:
            if name[:1].islower() if self.binding else 0 < words[name] <= calls[name]:
                yield name

    def pieces_of(self, file: str) -> dict[str, str]:
        """The piece that defines each name in one file."""
        templates = re.split(self.boundary, prelude_text(file).strip("\n"))
        pieces = [piece for template in templates for piece in self._for_each_type(template)]
        return {match[1]: piece for piece in pieces for match in self.definition.finditer(piece)}

    def needed(self, functions: str, locals: Iterable[str], start: str) -> list[str]:
        """The pieces that the functions and the start of a program use, directly or indirectly.

        In the functions, the names in `locals` do not refer to the prelude.
        """
        pending, needed = self._named_in(functions) - set(locals) | self._named_in(start), set[str]()
        while pending:
            new = {self.pieces[name] for name in pending} - needed
            needed |= new
            pending = {name for piece in new for name in self._named_in(piece)}
        return [piece for piece in dict.fromkeys(self.pieces.values()) if piece in needed]

    def _named_in(self, text: str) -> set[str]:
        """(A regular expression with the escapes in strings would take much memory for long strings.)"""
        return {match[1] for match in self.words.finditer(_ESCAPED_QUOTE.sub("_", text))} & self.pieces.keys()

    def _for_each_type(self, piece: str) -> Iterable[str]:
        if "TYPE" not in piece:
            return [piece]
        return [_filled_in(piece, facts) for facts in map(self.facts, _INTEGERS) if facts]


def _filled_in(piece: str, facts: Facts) -> str:
    return re.sub("|".join(facts), lambda match: facts[match[0]], piece)
