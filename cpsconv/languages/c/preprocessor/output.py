"""The preprocessed text, and the origin of each of its characters in the files as written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter

from cpsconv.core.source import Note, Source, Span
from cpsconv.languages.c.preprocessor.macros import MacroError
from cpsconv.languages.c.preprocessor.tokens import COMMENT, TOKEN, File, Files, Token, Traced, must_separate

MAX_NOTES = 6
"""The maximal number of expansions, and of inclusions, that the notes of a diagnostic list."""


@dataclass(eq=False, slots=True)
class Piece:
    """A piece of the preprocessed text, which begins at `start`: copied from a place on, or tokens of an expansion.

    Copied text has no tokens; `name` is the token that the file has in the place of the expansion.
    """

    start: int
    place: int
    tokens: Sequence[Traced] = ()
    name: Token | None = None


_start = attrgetter("start")
_MAX_PARENTHESES = 20  # skipped at the start of a span


class Output:
    """The preprocessed text under construction."""

    def __init__(self, files: Files) -> None:
        self._files = files
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

    def expansion(self, tokens: list[Traced], name: Token) -> None:
        """Append the tokens that replace the `name` of a macro in a file.

        Raises `MacroError` for a malformed ``_Pragma``.
        """
        start = 0
        for position in [at for at, (token, _) in enumerate(tokens) if token.text == "_Pragma"]:
            operand = [token.text for token, _ in tokens[position + 1 : position + 4]]
            if operand[::2] != ["(", ")"] or operand[1][-1] != '"':
                raise MacroError("`_Pragma` needs a string literal in parentheses", name)
            self._tokens(tokens[start:position], name)
            self._line(f"#pragma {_unquoted(operand[1])}", tokens[position], name)
            start = position + 4
        self._tokens(tokens[start:], name)

    def directive(self, text: str, token: Token) -> None:
        """Append a directive that is left to the scanner, on a line of its own. `token` is its first word."""
        self._line(text, (token, None), token)

    def end_file(self) -> None:
        """End the line."""
        if self._last != "\n":
            self._append("\n")

    def _tokens(self, tokens: list[Traced], name: Token) -> None:
        if tokens:
            texts = _spaced(tokens)
            if must_separate(self._last, texts[0][0]):
                self._append(" ")
            self.pieces.append(Piece(self._length, name.place, tokens, name))
            self._append("".join(texts))

    def _line(self, text: str, token: Traced, name: Token) -> None:
        self.end_file()
        self.pieces.append(Piece(self._length, name.place, [token], name))
        self._append(f"{text}\n")

    def _append(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)
        self._last = text[-1]

    def source(self, original: Source) -> PreprocessedSource:
        """The preprocessed text as a source with the name of the original one."""
        return PreprocessedSource(original.name, "".join(self._texts), files=self._files, pieces=self.pieces)


def _spaced(tokens: Sequence[Traced]) -> list[str]:
    """The texts of the tokens, after a space where one is needed."""
    texts: list[str] = []
    last = ""
    for token, _ in tokens:
        text = token.text
        texts.append(f" {text}" if last and (token.space or must_separate(last, text[0])) else text)
        last = text[-1]
    return texts


def _unquoted(string: str) -> str:
    """The text of a string literal (C17 6.10.9)."""
    return re.sub(r'\\(["\\])', r"\1", string[string.find('"') + 1 : -1])


@dataclass(eq=False, repr=False, slots=True)
class PreprocessedSource(Source):
    """A preprocessed text. Its spans are reported where the files as written have them."""

    files: Files = field(default_factory=Files)
    pieces: list[Piece] = field(default_factory=list)
    _divided: list[Piece] = field(default_factory=list)

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
        if piece.tokens:
            return self._of_token(piece)
        file, offset = self.files.at(piece.place)
        start = offset + span.start - piece.start
        last = self._piece(max(span.end - 1, span.start))
        if last is None or (not last.tokens and self.files.at(last.place)[0] is not file):
            return file.span(start, start + 1)
        if last.tokens:
            end = self._of_token(last)
            first = file.span(start, start + 1)
            return first.to(end) if end.source is first.source and end.end > first.start else first
        return file.span(start, self.files.at(last.place)[1] + span.end - last.start)

    def provenance(self, span: Span) -> list[Note]:
        """Notes: the macros whose expansion has the span's first token, and the inclusions of its file."""
        piece = self._first(span)
        if piece is None:
            return []
        notes = [*islice(self._expansions(piece), MAX_NOTES)] if piece.tokens else []
        return notes + inclusion_notes(self.files, piece.place)

    def _expansions(self, piece: Piece) -> Iterator[Note]:
        [(token, expansion)], name = piece.tokens, piece.name
        assert name
        place, length = token.place, len(token.text)
        if expansion is None and name.text != token.text:
            yield f"in the expansion of `{name.text}`", self.files.span(name.place, len(name.text))
        while expansion is not None:
            yield f"in the expansion of `{expansion.name}`", self.files.span(place, length) if place >= 0 else None
            place, length, expansion = expansion.place, len(expansion.name), expansion.outer

    def _of_token(self, piece: Piece) -> Span:
        [(token, expansion)], name = piece.tokens, piece.name
        assert name
        shown = token if expansion is None else name
        return self.files.span(shown.place, len(shown.text))

    def _first(self, span: Span) -> Piece | None:
        """The piece at the start of the span, but not a parenthesis of a macro's body."""
        pieces = self._divided_pieces()
        index = bisect_right(pieces, span.start, key=_start) - 1
        if index < 0:
            return None
        for piece in pieces[index : index + _MAX_PARENTHESES]:
            if piece.start < span.end and not any(token.text == "(" and expansion for token, expansion in piece.tokens):
                return piece
        return pieces[index]

    def _piece(self, offset: int) -> Piece | None:
        pieces = self._divided_pieces()
        index = bisect_right(pieces, offset, key=_start)
        return pieces[index - 1] if index else None

    def _divided_pieces(self) -> list[Piece]:
        """The pieces, those of expansions divided into tokens: on first use, as most programs have no diagnostics."""
        if len(self._divided) < len(self.pieces):
            self._divided = [part for piece in self.pieces for part in _divided(piece)]
        return self._divided


def _divided(piece: Piece) -> Iterator[Piece]:
    """A piece for each token of an expansion."""
    if not piece.tokens:
        yield piece
    start = piece.start
    for traced, text in zip(piece.tokens, _spaced(piece.tokens), strict=True):
        yield Piece(start + len(text) - len(traced[0].text), piece.place, [traced], piece.name)
        start += len(text)


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
