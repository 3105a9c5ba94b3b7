"""The preprocessed text, and the origin of each of its characters in the files as written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice
from operator import attrgetter

from cpsconv.frontends.c.preprocessor.ahead import FileAhead
from cpsconv.frontends.c.preprocessor.expansion import Expander
from cpsconv.frontends.c.preprocessor.macros import MacroError
from cpsconv.frontends.c.preprocessor.table import MacroTable
from cpsconv.frontends.c.preprocessor.tokens import COMMENT, TOKEN, File, Files, Token, must_separate, trimmed
from cpsconv.source import Note, Source, Span

MAX_NOTES = 6
"""The maximal number of expansions, and of inclusions, that the notes of a diagnostic list."""


@dataclass(eq=False, slots=True)
class Piece:
    """A piece of the preprocessed text, which begins at `start`: copied from a place on, or tokens of an expansion.

    An expansion replaces the `name` at the place. Unless its `tokens` are known, they are found when a diagnostic
    needs them: by the macros and constants after so many `changes`.
    """

    start: int
    place: int
    name: str | None = None
    tokens: Sequence[str] = ()
    changes: tuple[int, int] = (0, 0)


_start = attrgetter("start")
_MAX_PARENTHESES = 20  # skipped at the start of a span


class Output:
    """The preprocessed text under construction."""

    def __init__(self, files: Files, macros: MacroTable, constants: MacroTable) -> None:
        self._files, self._macros, self._constants = files, macros, constants
        self._texts: list[str] = []
        self._length = 0
        self._last = "\n"
        self.pieces: list[Piece] = []

    def copy(self, file: File, start: int, end: int) -> None:
        """Append a range of a file."""
        if start < end:
            if must_separate(self._last, file.text[start]):
                self._append(" ")
            self.pieces.append(Piece(self._length, file.base + start))
            self._append(file.text[start:end])

    def expansion(self, tokens: list[str], name: str, place: int) -> None:
        """Append the tokens that replace the `name` of a macro at a place, whose own places are found when needed."""
        tokens = trimmed(tokens)
        if tokens:
            if must_separate(self._last, tokens[0][0]):
                self._append(" ")
            changes = len(self._macros.changes), len(self._constants.changes)
            self.pieces.append(Piece(self._length, place, name, changes=changes))
            self._append("".join(_spaced(tokens)))

    def placed_expansion(self, tokens: list[str], name: Token) -> None:
        """Append the `Token`s that replace the `name` of a macro in a file.

        Raises `MacroError` for a malformed ``_Pragma``.
        """
        start = 0
        for position in [at for at, token in enumerate(tokens) if token == "_Pragma"]:
            operand = [at for at in range(position + 1, min(position + 7, len(tokens))) if tokens[at] != " "][:3]
            if (
                len(operand) < 3
                or [tokens[operand[0]], tokens[operand[2]]] != ["(", ")"]
                or tokens[operand[1]][-1] != '"'
            ):
                raise MacroError("`_Pragma` needs a string literal in parentheses", name)
            self._placed_tokens(tokens[start:position], name)
            self._line(f"#pragma {_unquoted(tokens[operand[1]])}", tokens[position], name)
            start = operand[2] + 1
        self._placed_tokens(tokens[start:], name)

    def directive(self, text: str, word: Token) -> None:
        """Append a directive that is left to the scanner, on a line of its own. `word` is its first word."""
        self._line(text, word, word)

    def end_file(self) -> None:
        """End the line."""
        if self._last != "\n":
            self._append("\n")

    def _placed_tokens(self, tokens: list[str], name: Token) -> None:
        count = len(self.pieces)
        self.expansion(tokens, name, name.place)
        for piece in self.pieces[count:]:
            piece.tokens = trimmed(tokens)

    def _line(self, text: str, token: str, name: Token) -> None:
        self.end_file()
        self.pieces.append(Piece(self._length, name.place, name, [token]))
        self._append(f"{text}\n")

    def _append(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)
        self._last = text[-1]

    def source(self, original: Source) -> PreprocessedSource:
        """The preprocessed text as a source with the name of the original one."""
        source = PreprocessedSource(original.name, "".join(self._texts), files=self._files, pieces=self.pieces)
        source.macros, source.constants = self._macros, self._constants
        return source


def _spaced(tokens: Sequence[str]) -> list[str]:
    """The texts of the tokens, each after a space where one is needed, and nothing for repeated white space."""
    return [*tokens[:1], *map(_after, tokens, tokens[1:])]


@lru_cache(maxsize=4096)
def _after(before: str, token: str) -> str:
    """The text of a token after another one."""
    if token == " " or before == " ":
        return "" if token == before else f"{token}"
    return f" {token}" if must_separate(before[-1], token[0]) else f"{token}"


def _unquoted(string: str) -> str:
    """The text of a string literal (C17 6.10.9)."""
    return re.sub(r'\\(["\\])', r"\1", string[string.find('"') + 1 : -1])


@dataclass(eq=False, repr=False, slots=True)
class PreprocessedSource(Source):
    """A preprocessed text. Its spans are reported where the files as written have them."""

    files: Files = field(default_factory=Files)
    pieces: list[Piece] = field(default_factory=list)
    macros: MacroTable = field(default_factory=MacroTable)
    constants: MacroTable = field(default_factory=MacroTable)
    _divided: dict[int, list[Piece]] = field(default_factory=dict)

    def mark(self, line: int, name: str, number: int) -> None:
        """Ignore the line marker: the preprocessor has recorded it for the file that contains it."""

    def origin(self, offset: int) -> tuple[str, int, int]:
        """File, line and column of a character in the files as written."""
        written = self.written(Span(self, offset, offset + 1))
        return written.source.origin(written.start)

    def written(self, span: Span) -> Span:
        """The span in the file as written. An expansion is at the name of its macro, except for arguments."""
        piece = self._first(span)
        if piece is None:
            return span
        if piece.name:
            return self._of_token(piece)
        file, offset = self.files.at(piece.place)
        start = offset + span.start - piece.start
        last = next(self._from(max(span.end - 1, span.start)), None)
        if last is None or (not last.name and self.files.at(last.place)[0] is not file):
            return file.span(start, start + 1)
        if last.name:
            end = self._of_token(last)
            first = file.span(start, start + 1)
            return first.to(end) if end.source is first.source and end.end > first.start else first
        return file.span(start, self.files.at(last.place)[1] + span.end - last.start)

    def provenance(self, span: Span) -> list[Note]:
        """Notes: the macros whose expansion has the span's first token, and the inclusions of its file."""
        piece = self._first(span)
        if piece is None:
            return []
        notes = [*islice(self._expansions(piece), MAX_NOTES)] if piece.name else []
        return notes + inclusion_notes(self.files, piece.place)

    def _expansions(self, piece: Piece) -> Iterator[Note]:
        token, name = _token(piece), piece.name
        place, length, expansion = token.place, len(token), token.by
        if expansion is None and name and name != token:
            yield f"in the expansion of `{name}`", self.files.span(piece.place, len(name))
        while expansion is not None:
            yield f"in the expansion of `{expansion.name}`", self.files.span(place, length) if place >= 0 else None
            place, length, expansion = expansion.place, len(expansion.name), expansion.outer

    def _of_token(self, piece: Piece) -> Span:
        token = _token(piece)
        return self.files.span(*(token.place, len(token)) if token.by is None else (piece.place, len(piece.name or "")))

    def _first(self, span: Span) -> Piece | None:
        """The piece at the start of the span, but not a parenthesis of a macro's body."""
        first = None
        for piece in islice(self._from(span.start), _MAX_PARENTHESES):
            first = first or piece
            if piece.start >= span.end:
                break
            if not (piece.name and piece.tokens[0] == "(" and _token(piece).by):
                return piece
        return first

    def _from(self, offset: int) -> Iterator[Piece]:
        """The pieces from that at an offset on, those of expansions divided into tokens."""
        index = bisect_right(self.pieces, offset, key=_start) - 1
        if index >= 0:
            parts = self._parts(index)
            yield from parts[bisect_right(parts, offset, key=_start) - 1 :]
            for later in range(index + 1, len(self.pieces)):
                yield from self._parts(later)

    def _parts(self, index: int) -> list[Piece]:
        """A piece for each token of an expansion: made on first use, as most programs have no diagnostics."""
        piece = self.pieces[index]
        if not piece.name:
            return [piece]
        if index not in self._divided:
            tokens = piece.tokens or trimmed(self._expanded(piece))
            ends = accumulate(map(len, _spaced(tokens)), initial=piece.start)
            next(ends)
            self._divided[index] = [
                Piece(end - len(token), piece.place, piece.name, [token])
                for token, end in zip(tokens, ends, strict=True)
                if token != " "
            ]
        return self._divided[index]

    def _expanded(self, piece: Piece) -> list[str]:
        """The `Token`s of an expansion."""
        file, offset = self.files.at(piece.place)
        name = Token(piece.name or "", piece.place)
        file.position = offset + len(name)
        expander = Expander(self.macros.after(piece.changes[0]), self.constants.after(piece.changes[1]))
        return expander.expand(name, FileAhead(file, placed=True))


def _token(piece: Piece) -> Token:
    """The only token of a piece."""
    [token] = piece.tokens
    assert isinstance(token, Token)
    return token


def inclusion_notes(files: Files, place: int) -> list[Note]:
    """Notes that list the inclusions of the file of a place."""
    notes: list[Note] = []
    for span in files.inclusions(place):
        notes.append(("included here", span))
        if len(notes) == MAX_NOTES:
            break
    return notes


def listing(source: Source) -> str:
    """The preprocessed text without comments, with line markers as those of ``gcc -E``."""
    lines: list[str] = []
    expected: tuple[str, int] = ("", 0)
    offset = 0
    text = _without_comments(source.text)
    for line in text.split("\n"):
        if line.strip():
            name, number, _ = source.origin(offset + len(line) - len(line.lstrip()))
            if (name, number) != expected:
                blank = number - expected[1] if name == expected[0] else -1
                if 0 < blank <= _MAX_BLANK:
                    lines += [""] * blank
                else:
                    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
                    lines.append(f'# {number} "{escaped}"')
            lines.append(line.rstrip())
            expected = name, number + 1
        offset += len(line) + 1
    return "\n".join([*lines, ""])


_MAX_BLANK = 8  # lines; gcc writes a line marker in the place of more


def _without_comments(text: str) -> str:
    """The text with spaces in the place of comments, so that all offsets stay, even for line ends in comments."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    return TOKEN.sub(lambda match: COMMENT.sub(blank, match[1] or "") + match[2], text)
