"""Bril's ``print`` from the texts and values that a program prints piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.core.ir import LONG
from cpsconv.core.operations.types import range_of
from cpsconv.core.source import Span
from cpsconv.targets.bril.blocks import Literal, Operand
from cpsconv.targets.bril.types import refuse

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,18})")


class OutputLine:
    """The pieces of the line that is being printed: texts, and values."""

    def __init__(self) -> None:
        self.pieces: list[str | Operand] = []

    def add(self, piece: str | Operand, span: Span | None) -> Iterator[list[Operand]]:
        """Add a piece. Yields the arguments of ``print`` for each line that it ends.

        Raises `DiagnosticError` for a line that Bril's ``print`` cannot print.
        """
        if not isinstance(piece, str):
            self.pieces.append(piece)
            return
        *ended, rest = piece.split("\n")
        for text in ended:
            self.pieces.append(text)
            yield self._words(span)
            self.pieces = []
        if rest:
            self.pieces.append(rest)

    def _words(self, span: Span | None) -> list[Operand]:
        """The words of the line, which single blanks separate: each is a value or a literal."""
        words: list[list[str | Operand]] = [[]]
        for piece in self.pieces:
            if not isinstance(piece, str):
                words[-1].append(piece)
                continue
            first, *others = piece.split(" ")
            words[-1] += [first] * bool(first)
            words += [[other] * bool(other) for other in others]
        return [] if words == [[]] else [_value(word, span) for word in words]


def _value(word: list[str | Operand], span: Span | None) -> Operand:
    if len(word) == 1 and not isinstance(word[0], str):
        return word[0]
    text = "".join(part if isinstance(part, str) else "…" for part in word)
    if all(isinstance(part, str) for part in word):
        text = text.encode("latin-1", "replace").decode("utf-8", "replace")
        if text in ("true", "false"):
            return Literal("bool", text == "true")
        low, high = range_of(LONG)
        if _INTEGER.fullmatch(text) and text != "-0" and low <= int(text) <= high:
            return Literal("int", int(text))
        if len(text) == 1 and text.isprintable():
            return Literal("char", text)
    return refuse(f'the output "{text}": `print` writes numbers, truth values and characters between blanks', span)
