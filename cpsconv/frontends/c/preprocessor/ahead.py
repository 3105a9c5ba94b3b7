"""The tokens that follow the name of a macro: the arguments of its call."""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.frontends.c.preprocessor.macros import MacroError
from cpsconv.frontends.c.preprocessor.tokens import OPENING, PART_OF_CALL, START_OF_DIRECTIVE, File, lexed, placed


class Ahead:
    """The tokens that follow a name in its file. This class has none, for an expansion within a list of tokens."""

    def is_call(self) -> bool:
        """Whether the next token is an opening parenthesis."""
        return False

    def rest(self, depth: int) -> list[str]:
        """The tokens up to the parenthesis that closes `depth` open ones, or up to the end. They are removed."""
        return []


class FileAhead(Ahead):
    """The tokens from the position of a file on, which are `Token`s if they are `placed`.

    `obey` obeys a directive between them, whose ``#`` ends at an offset (C leaves that undefined).
    """

    def __init__(self, file: File, *, placed: bool, obey: Callable[[File, int], None] | None = None) -> None:
        self._file, self._placed, self._obey = file, placed, obey

    def is_call(self) -> bool:
        """Whether the next token is an opening parenthesis."""
        return OPENING.match(self._file.text, self._file.position) is not None

    def rest(self, depth: int) -> list[str]:
        """The tokens up to the parenthesis that closes `depth` open ones, or up to the end of the file.

        Raises `MacroError` for a directive, if none is obeyed.
        """
        file, text = self._file, self._file.text
        tokens: list[str] = []
        while True:
            start, part = file.position, PART_OF_CALL.match(text, file.position)
            assert part
            end = file.position = part.end()
            found = placed(text, start, end, file.base) if self._placed else lexed(text, start, end)
            tokens += found
            depth += found.count("(") - (part[1] is not None)
            if (part[1] and depth == 0) or end == len(text):
                return tokens
            if directive := START_OF_DIRECTIVE.match(text, end):
                if self._obey is None:
                    raise MacroError("a directive in the arguments of a macro")
                self._obey(file, directive.end())
