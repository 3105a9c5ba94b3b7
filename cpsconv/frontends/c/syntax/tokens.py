"""From text to tokens: lines joined, comments and space skipped, `#include` lines obeyed, names of headers looked up.

How tokens are spelled is said in the grammar; what is here is a scanner for any grammar's terminals that are named as
C's are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, Union

from cpsconv.frontends.c.diagnostics import Faults
from cpsconv.frontends.c.syntax.headers import (
    HEADERS,
    WORDS,
    ConstantName,
    Meaning,
    OtherSpelling,
    StringName,
    TypeName,
    Unsupported,
    near_header,
)
from cpsconv.grammar import END, Tables
from cpsconv.source import Source, Span, nearest

MALFORMED = "MALFORMED"
"""The type of a token that no grammar has, in place of text that is no token and was complained of."""

UNSUPPORTED = "UNSUPPORTED"
"""The type of a token whose `value` is an `Unsupported` word."""


class Token:
    """A word of the text. `type` is the terminal's name; `value` is what a header says of the name, if one does."""

    __slots__ = ("type", "text", "span", "value")

    def __init__(self, type: str, text: str, span: Span, value: Any = None) -> None:
        self.type = type
        self.text = text
        self.span = span
        self.value = value

    def __repr__(self) -> str:
        return f"<{self.type} {self.text!r}>"


Words = dict[str, Union[str, Meaning]]
"""What names mean: a keyword's terminal, or something from a header."""

_SEPARATOR = r"[(){},;]"  # most punctuators; nothing longer begins with them
_TERMINALS = ("STRING", "CHARACTER", "NAME", "NUMBER", "COMMENT", "DIRECTIVE", "SPACE")  # a string may begin as a name
_ODDITIES = {
    "OPEN_COMMENT": r"/\*[\s\S]*",
    "ATTRIBUTE": r"\[\s*\[",
    "DIGRAPH": r"<[%:]|[%:]>",
}  # what no terminal of the grammar matches, though it begins as a punctuator does
_MALFORMED = {
    # A string that ends in the next line: its first line does not look like the end of a statement, and the second
    # one has an odd number of quotes.
    "BROKEN_STRING": r'"(?:[^"\\\n]|\\.)*(?<![;{}) \t\r])\r?\n(?:[^"\\\n]|\\.)*"'
    r'(?=[^"\n]*(?:"[^"\n]*"[^"\n]*)*(?:\n|\Z))',
    "OPEN_QUOTE": r"[\"'][^\n]*",
    "FOREIGN_NAME": r"[^\W\d]\w*",
    "STRAY": r"[^\x00-\x7f]+|[\x00-\x08\x0e-\x1f\x7f]+|[\s\S]",
}  # what else is left
_TOKENS = frozenset(["SEPARATOR", "PUNCTUATOR", "STRING", "CHARACTER", "NAME", "NUMBER"])  # groups of tokens


class Vocabulary:
    """The terminals of the grammar, made into one regular expression and a table of spellings.

    What the expression matches is in the group that it names, and space after that is skipped at once.
    """

    def __init__(self, tables: Tables) -> None:
        self.spellings = tables.spellings
        punctuators = (re.escape(word) for word in self.spellings if not re.match(r"\w", word))
        patterns = {"SEPARATOR": _SEPARATOR} | {name: tables.patterns[name] for name in _TERMINALS} | _ODDITIES
        patterns["PUNCTUATOR"] = "|".join(sorted(punctuators, key=len, reverse=True))
        patterns |= _MALFORMED
        groups = "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())
        self.shown = {terminal: spelling for spelling, terminal in self.spellings.items()}
        self.pattern = re.compile(f"(?:{groups})(?:{tables.patterns['SPACE']})?")

    def words(self) -> Words:
        """The meanings of names before any header is included."""
        return {**self.spellings, **WORDS}


class Scanner:
    """Reads the tokens of one text. `words` and `headers` grow as headers are included.

    `defined` are the names of macros and types that the text defines: since that is not supported, syntax errors at
    them are no wonder. `malformed` are the characters of what is no token: brackets among them may have been meant.
    """

    def __init__(self, source: Source, vocabulary: Vocabulary, faults: Faults) -> None:
        self.words = vocabulary.words()
        self.headers: list[str] = []
        self.defined: set[str] = set()
        self.malformed: set[str] = set()
        self._source = source
        self._spliced = Spliced(source.text)
        self._vocabulary = vocabulary
        self._faults = faults

    def tokens(self) -> Iterator[Token]:
        """The tokens in order, the last of type `END`. They are read as they are asked for."""
        source, words = self._source, self.words
        plain, original = self._spliced.plain, self._spliced.original
        end = 0
        for match in self._vocabulary.pattern.finditer(self._spliced.text):
            kind = match.lastgroup or ""
            if kind == "SPACE" or kind == "COMMENT":
                continue
            text = match[kind]
            start, end = match.span(kind) if plain else original(*match.span(kind))
            if kind in _TOKENS:
                meaning = words.get(text, kind)
                if isinstance(meaning, str):
                    yield Token(meaning, text, Span(source, start, end))
                else:
                    yield self._meant(meaning, text, Span(source, start, end))
            elif kind == "DIRECTIVE":
                self._directive(text.rstrip(), match.start())
            else:
                yield self._oddity(kind, text, Span(source, start, end))
        yield Token(END, "", Span(source, end, end))

    def _meant(self, meaning: Meaning, text: str, span: Span) -> Token:
        """The token for a name that has a meaning."""
        match meaning:
            case TypeName(type):
                return Token("TYPE", text, span, type)
            case ConstantName():
                return Token("CONSTANT", text, span, meaning)
            case StringName(literal):
                return Token("STRING", literal, span)
            case OtherSpelling(spelling):
                return Token(self._vocabulary.spellings[spelling], spelling, span)
            case Unsupported():
                return Token(UNSUPPORTED, text, span, meaning)

    def shown(self, types: Iterable[str]) -> set[str]:
        """How tokens of these types are spelled; the type itself where there are many ways."""
        return {self._vocabulary.shown.get(type, type) for type in types}

    def stand_in(self, text: str, span: Span) -> Token:
        """The token that has the spelling `text`, for a place where another text stands."""
        match = self._vocabulary.pattern.match(text)
        assert match
        kind = str(match.lastgroup)
        return Token(self._vocabulary.spellings.get(text, kind), text, span)

    def _oddity(self, kind: str, text: str, span: Span) -> Token:
        """The token for what no terminal matches; complains of what does not stand for a word of C after all."""
        start = span.start
        if kind == "ATTRIBUTE":
            return Token(UNSUPPORTED, text, span, WORDS["__attribute__"])
        if kind == "DIGRAPH":
            return self._meant(WORDS[text], text, span)
        if kind == "FOREIGN_NAME":
            self._faults.unsupported("names with letters beyond ASCII are", span)
            return Token("NAME", text, span)
        if kind == "OPEN_COMMENT":
            self._faults.add("the comment does not end", Span(span.source, start, start + 2), help="`*/` ends it")
        elif kind == "BROKEN_STRING":
            place = Span(span.source, start, start + 1)
            self._faults.add("the string does not end in its line", place, help=_EACH_LINE)
            return Token("STRING", text, span)
        elif kind == "OPEN_QUOTE":
            what = "string" if text[0] == '"' else "character constant"
            self._faults.add(f"the {what} does not end in its line", Span(span.source, start, start + 1))
        else:
            self._faults.add(f"stray {_described(text)}", span)
        self.malformed.update(text)
        return Token(MALFORMED, text, span)

    # ------------------------------------------------------------------------------------------------- directives

    def _directive(self, text: str, start: int) -> None:
        """Obey a line that starts with ``#``, at that place of the spliced text."""
        word = re.match(r"#\s*(\w*)", text)
        assert word
        marked = self._span(start, start + word.end())
        if not self._starts_line(start):
            self._faults.add("a directive must stand on a line of its own", marked)
        elif word[1] == "include":
            self._include(text, start)
        elif _DIRECTIVES.fullmatch(word[1]):
            self._faults.unsupported(f"`#{word[1]}` is", marked)
            self.defined.update(re.findall(r"#\s*define\s+(\w+)", text))
        elif word[1] not in ("pragma", ""):
            near = nearest(word[1], ("include", "define", "pragma", "ifdef", "ifndef", "endif"))
            help = f"did you mean `#{near}`?" if near else None
            self._faults.add(f"there is no directive `#{word[1]}`", marked, help=help)

    def _include(self, text: str, start: int) -> None:
        """Include a standard header: its names have meanings from here on."""
        found = _INCLUDE.fullmatch(text)
        if not found:
            self._faults.add(
                "expected the name of a header, as in `#include <stdio.h>`", self._span(start, start + len(text))
            )
            return
        name = found["standard"] or found["own"]
        named = self._span(start + found.start("named"), start + found.end("named"))
        if name in HEADERS:
            self.words.update(HEADERS[name])
            self.headers.append(name)
        elif found["own"]:
            self._faults.unsupported("including one's own files is", named)
        else:
            near = near_header(name)
            help = f"did you mean `<{near}>`?" if near else None
            self._faults.add(f"`<{name}>` is not a header of standard C", named, help=help)

    def _span(self, start: int, end: int) -> Span:
        """The span of a stretch of the spliced text."""
        return Span(self._source, *self._spliced.original(start, end))

    def _starts_line(self, start: int) -> bool:
        text = self._spliced.text
        before = text[text.rfind("\n", 0, start) + 1 : start]
        return not re.sub(r"^.*\*/|/\*.*?\*/", "", before).strip()


_EACH_LINE = 'strings that follow one another are one: end it here with `"` and go on with `"` in the next line'
_INCLUDE = re.compile(r'#\s*include\s*(?P<named><(?P<standard>[^>]+)>|"(?P<own>[^"]+)")')
_DIRECTIVES = re.compile("define|undef|ifn?(?:def)?|el(?:se|if(?:n?def)?)|endif|error|warning|line|embed|[0-9]+")


def _described(stray: str) -> str:
    """The first of the stray characters, as it is seen or else by its number."""
    first = stray[0]
    shown = f"`{first}`" if first.isprintable() and first != "`" else f"U+{ord(first):04X}"
    return f"character {shown}"


_SPLICE = re.compile(r"\\\r?\n")


class Spliced:
    """A text without its splices, a backslash and the line end after it; `text` is what is left.

    `plain` tells that there were none: places in both texts are the same then.
    """

    def __init__(self, original: str) -> None:
        self._joints: list[int] = []
        self._removed = [0]
        for splice in _SPLICE.finditer(original):
            self._joints.append(splice.start() - self._removed[-1])
            self._removed.append(self._removed[-1] + len(splice[0]))
        self.plain = not self._joints
        self.text = original if self.plain else spliced(original)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters ``start … end - 1`` of what is left stand in the original text."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, offset: int) -> int:
        return offset + self._removed[bisect_right(self._joints, offset)]


def spliced(text: str) -> str:
    """The text without splices."""
    return _SPLICE.sub("", text)
