"""The tokenizer of C, which also splices lines and handles directives (translation phases 2 to 4, C17 5.1.1.2).

The grammar defines the spelling of tokens. An ``#include`` of a standard header defines names: the scanner replaces
each of them by the token that it denotes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Generator, Iterable, Iterator
from itertools import repeat
from typing import Any, Union

from cpsconv.core.grammar import END, Tables
from cpsconv.core.layout import unaligned
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Source, Span, nearest, undecodable
from cpsconv.languages.c.diagnostics import SyntaxErrors
from cpsconv.languages.c.syntax.headers import (
    HEADERS,
    IGNORED,
    RESERVED_WORDS,
    AlternativeSpelling,
    AtomicWord,
    AttributeWord,
    ConstantMacro,
    Definition,
    StringMacro,
    SuffixMacro,
    ThreadWord,
    TypeName,
)
from cpsconv.languages.c.syntax.literals import is_name
from cpsconv.languages.c.syntax.tree import Attribute
from cpsconv.languages.c.type_specifiers import SPECIFIED_TYPES

_OPENING = re.compile(r"\s*\(")
_INTEGER = r"(0[xX][\da-fA-F]+|[1-9]\d*|0)[uUlL]*"
_FACTOR = rf"\s*(?:\(\s*{_INTEGER}\s*\)|{_INTEGER}|(?:sizeof|_Alignof|__alignof__|__alignof)\s*\(([\w\s]+)\))\s*"
_PRODUCT = rf"\s*\((?P<product>{_FACTOR}(?:\*{_FACTOR})*)\)"
"""The operand of an attribute that is a number: a product of numbers and sizes of types."""
_LARGEST_ALIGNMENT = 16  # of a type on x86-64
_EFFECTIVE_ATTRIBUTES = frozenset(
    ["always_inline", "gnu_inline", "packed", "noreturn", "transparent_union", "unused", "weak"]
)
_STARTUP_ATTRIBUTES = frozenset(["constructor", "destructor"])
_SIZED = frozenset(["aligned", "vector_size"])
_UNSUPPORTED_ATTRIBUTES = frozenset(
    ["ms_struct", "naked", "scalar_storage_order"]
)  # all others have no effect on the meaning
_LAST_PRIORITY = 65535  # of constructors, and the one without a number
_HINTS = frozenset(
    [
        "access", "alloc_align", "alloc_size", "artificial", "assume_aligned", "cold", "const",
        "deprecated", "error", "externally_visible", "fallthrough", "flatten", "format", "format_arg",
        "hot", "leaf", "malloc", "may_alias", "maybe_unused", "no_icf", "no_instrument_function",
        "no_reorder", "no_sanitize", "no_sanitize_address", "no_sanitize_undefined", "no_split_stack",
        "no_stack_protector", "nocommon", "noclone", "nodiscard", "noinline", "noipa", "nonnull", "nonstring",
        "nothrow", "optimize", "pure", "returns_nonnull", "sentinel", "unavailable", "used", "visibility",
        "warn_if_not_aligned", "warn_unused_result", "warning",
    ]
)  # fmt: skip
"""Attributes for a compiler's optimiser and warnings."""
_MODES = {"QI": 1, "byte": 1, "HI": 2, "SI": 4, "DI": 8, "TI": 16, "word": 8, "pointer": 8, "unwind_word": 8}
"""The sizes of integers by their modes."""

_QUOTED = r'"(?:[^"\\\n]|\\.)*"'

MALFORMED = "MALFORMED"
"""The type of a token for malformed text, which has been reported. The grammar has no such terminal."""

UNSUPPORTED = "UNSUPPORTED"
"""The type of a token whose `value` is an `Unsupported` word. The grammar has no such terminal."""


class Token(metaclass=NodeType):
    """A token. `type` is the terminal's name; `value` is the definition of the name by a header, if any."""

    type: str
    text: str
    span: Span
    value: Any = None


NameTable = dict[str, Union[str, Definition]]
"""The meaning of names: the terminal of a keyword, or a definition by a header."""


def has_attribute(name: str) -> bool:
    """Whether an attribute is supported: the value of ``__has_attribute(name)``."""
    name = re.sub("^__(.+)__$", r"\1", name)
    supported = _EFFECTIVE_ATTRIBUTES | _STARTUP_ATTRIBUTES | _HINTS
    return name in ("alias", "aligned", "cleanup", "mode", "vector_size") or name in supported


class TypeScopes:
    """The names that denote types, in the scopes of a source.

    Compound statements, lists of parameters, and functions with their parameters are scopes. A ``for``, ``if``,
    ``while`` or ``switch`` that declares a name of a type outside of braces is a scope, too. `places` has the place of
    each open scope among the parser's values, `loops` those of such statements. `values` are the parser's values.
    """

    def __init__(self, names: NameTable) -> None:
        self._statements: list[tuple[int, Any]] = []  # places and values of statements that may become scopes
        self.values: list[Any] = []
        self.places: list[int] = []
        self.loops: list[int] = []
        self._names = names
        self._replaced: list[dict[str, Any]] = []

    def enter(self, place: int) -> None:
        """Begin a scope."""
        self.places.append(place)
        self._replaced.append({})

    def leave(self) -> Collection[str]:
        """End the innermost scope: names have the meaning again that they had before it. Returns the names."""
        if self.loops and self.loops[-1] == self.places[-1]:
            self.loops.pop()
        self.places.pop()
        replaced = self._replaced.pop()
        for name, meaning in replaced.items():
            if meaning is None:
                self._names.pop(name, None)
            else:
                self._names[name] = meaning
        return replaced

    def leave_discarded(self) -> None:
        """End the scopes whose beginning is not among the values before the last one."""
        size = len(self.values) - 1
        while self.places and self.places[-1] >= size:
            self.leave()

    def define_type(self, name: str) -> None:
        """From here on, the name denotes a type of the source."""
        self._save(name)
        self._names[name] = TypeName(None)

    def hide(self, name: str) -> None:
        """From here on, the name denotes no type."""
        if isinstance(self._names.get(name), TypeName):
            self._save(name)
            del self._names[name]

    def _save(self, name: str) -> None:
        self._begin_loop()
        if self._replaced:
            self._replaced[-1].setdefault(name, self._names.get(name))

    def begin_statement(self, place: int) -> None:
        """Note a statement, whose first token is at the place, that may become a scope."""
        self._forget_ended()
        self._statements.append((place, self.values[place]))

    def _forget_ended(self) -> None:
        while self._statements:
            place, first = self._statements[-1]
            if place < len(self.values) and self.values[place] is first:
                return
            self._statements.pop()

    def _begin_loop(self) -> None:
        """Begin the scope of the innermost open statement, unless another scope is inside of it."""
        self._forget_ended()
        if self._statements and (not self.places or self._statements[-1][0] > self.places[-1]):
            place, _ = self._statements.pop()
            self.loops.append(place)
            self.enter(place)


# ---------------------------------------------------------------------------------------------------- line splicing

_SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")  # gcc allows white space after the backslash


def spliced(text: str) -> str:
    """The text without splices: each backslash at the end of a line is removed with the line end."""
    return _SPLICE.sub("", text)


class SplicedText:
    """A source text whose lines are spliced; `has_splices` is False if `text` equals the original."""

    def __init__(self, original: str) -> None:
        self._joints: list[int] = []
        self._removed = [0]
        for splice in _SPLICE.finditer(original):
            self._joints.append(splice.start() - self._removed[-1])
            self._removed.append(self._removed[-1] + len(splice[0]))
        self.has_splices = bool(self._joints)
        self.text = spliced(original) if self.has_splices else original

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original text for the characters ``start … end - 1`` of `text`."""
        return self._original_offset(start), self._original_offset(end - 1) + 1

    def _original_offset(self, offset: int) -> int:
        return offset + self._removed[bisect_right(self._joints, offset)]


# ----------------------------------------------------------------------------------------------------------- scanner

_SEPARATOR = r"[(){},;]"  # the most frequent punctuators; none is a prefix of another token
_TERMINALS = ("STRING", "CHARACTER", "NAME", "NUMBER", "COMMENT", "DIRECTIVE", "SPACE")  # a string may begin as a name
_SPECIAL = {
    "OPEN_COMMENT": r"/\*[\s\S]*",
    "ATTRIBUTE": r"\[\s*\[",
    "DIGRAPH": r"<[%:]|[%:]>",
}  # tried before the punctuators, which are prefixes of them
_UNIVERSAL = r"\\u[0-9a-fA-F]{4}|\\U000[0-9a-fA-F]{5}"  # names of characters
_MALFORMED = {
    # A string over two lines: its first line does not look like the end of a statement, and the second line has an
    # odd number of quotes.
    "BROKEN_STRING": r'"(?:[^"\\\n]|\\.)*(?<![;{}) \t\r])\r?\n(?:[^"\\\n]|\\.)*"'
    r'(?=[^"\n]*(?:"[^"\n]*"[^"\n]*)*(?:\n|\Z))',
    "OPEN_QUOTE": r"[\"'][^\n]*",
    "FOREIGN_NAME": rf"(?:[^\W\d]|\$|{_UNIVERSAL})(?:[\w$]|{_UNIVERSAL})*",
    "STRAY": r"[^\x00-\x7f]+|[\x00-\x08\x0e-\x1f\x7f]+|[\s\S]",
}  # text that is not C, tried last
_TOKENS = frozenset(["SEPARATOR", "PUNCTUATOR", "STRING", "CHARACTER", "NAME", "NUMBER"])  # groups of tokens


class Vocabulary:
    """The terminals of a grammar: their spellings, and one regular expression with a named group for each kind.

    The expression also matches the white space after a token. `shown` has the spelling of each terminal with only one.
    """

    def __init__(self, tables: Tables) -> None:
        self.spellings = tables.spellings
        punctuators = (re.escape(word) for word in self.spellings if not re.match(r"\w", word))
        patterns = {"SEPARATOR": _SEPARATOR} | {name: tables.patterns[name] for name in _TERMINALS} | _SPECIAL
        patterns["PUNCTUATOR"] = "|".join(sorted(punctuators, key=len, reverse=True))
        patterns |= _MALFORMED
        groups = "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())
        self.shown = {terminal: spelling for spelling, terminal in self.spellings.items()}
        self.pattern = re.compile(f"(?:{groups})(?:{tables.patterns['SPACE']})?")


class Scanner:
    """The tokenizer of one source. `names` and `headers` grow as headers are included.

    `weak` has the names in ``#pragma weak``.

    - `scopes` has the names that denote types.
    - `malformed` holds the characters of malformed text, which may include intended brackets.
    - `is_complete` is False if a directive was not carried out, so that declarations may be missing.
    """

    def __init__(self, source: Source, vocabulary: Vocabulary, errors: SyntaxErrors) -> None:
        self.names: NameTable = {**vocabulary.spellings, **RESERVED_WORDS}
        self.scopes = TypeScopes(self.names)
        self.headers: list[str] = []
        self.weak: set[str] = set()
        self.malformed: set[str] = set()
        self.is_complete = True
        self._source = source
        self._spliced = SplicedText(source.text)
        self._vocabulary = vocabulary
        self._errors = errors
        self._packing = 0  # the maximal alignment of members that `#pragma pack` sets; 0: none
        self._packings: list[tuple[str | None, int]] = []  # those that are saved, with their names

    def tokens(self) -> Iterator[Token]:
        """The tokens in order, then `END` without end, so that every look ahead succeeds.

        Scanning is lazy: each token sees the names defined so far.
        """
        end = yield from self._scanned(0, len(self._spliced.text))
        yield from repeat(Token(END, "", Span(self._source, end, end)))

    def _scanned(self, start: int, limit: int) -> Generator[Token, None, int]:
        """The tokens between two offsets of the spliced text. Returns the end of the last one in the source."""
        source, names = self._source, self.names
        plain, original = not self._spliced.has_splices, self._spliced.original
        end = 0
        resumption: int | None = start
        while resumption is not None:
            matches = self._vocabulary.pattern.finditer(self._spliced.text, resumption, limit)
            resumption = None
            for match in matches:
                kind = match.lastgroup or ""
                if kind == "SPACE" or kind == "COMMENT":
                    continue
                text = match[kind]
                start, end = match.span(kind) if plain else original(*match.span(kind))
                if kind in _TOKENS:
                    meaning = names.get(text, kind)
                    if isinstance(meaning, str):
                        yield Token(meaning, text, Span(source, start, end))
                        if self._packing and text in ("struct", "union"):
                            span = Span(source, start, end)
                            yield Token("ATTRIBUTE", text, span, [Attribute(span, "pack", size=self._packing)])
                    elif isinstance(meaning, AttributeWord):
                        resumption = yield from self._attributes(match.start(), match.end(kind))
                        break
                    elif isinstance(meaning, AtomicWord):
                        if _OPENING.match(self._spliced.text, match.end(kind)):
                            yield Token(self._vocabulary.spellings["typeof"], "typeof", Span(source, start, end))
                    elif isinstance(meaning, SuffixMacro):
                        number, resumption = self._suffixed(text, meaning.suffix, match.start(), match.end(kind))
                        yield number
                        break
                    elif meaning is not IGNORED:
                        yield self._replaced(meaning, text, Span(source, start, end))
                elif kind == "ATTRIBUTE":
                    resumption = yield from self._attributes(match.start(), match.start())
                    break
                elif kind == "DIRECTIVE":
                    resumption = self._directive(text.rstrip(), match.start())
                    if resumption is not None:
                        break
                else:
                    yield self._special(kind, text, Span(source, start, end))
        return end

    def _replaced(self, definition: Definition, text: str, span: Span) -> Token:
        """The token that a name with a definition denotes."""
        match definition:
            case TypeName(type):
                return Token("TYPE", text, span, type)
            case ConstantMacro():
                return Token("CONSTANT", text, span, definition)
            case StringMacro(literal):
                return Token("STRING", literal, span)
            case ThreadWord():
                return Token("ATTRIBUTE", text, span, [Attribute(span, "thread_local")])
            case AlternativeSpelling(spelling):
                return Token(self._vocabulary.spellings.get(spelling, "NAME"), spelling, span)
            case _:
                return Token(UNSUPPORTED, text, span, definition)

    def _attributes(self, start: int, end: int) -> Generator[Token, None, int]:
        """The tokens for ``__attribute__((…))`` or ``[[…]]``. Returns the offset after it.

        One token has the attributes that affect the meaning. Each attribute whose operand is to be computed follows as
        a token of its own, with those of the operand. `start` and `end` are the offsets of the word ``__attribute__``
        in the spliced text, which may be missing.
        """
        text, depth, last = self._spliced.text, 0, end
        names: list[tuple[str, int, int]] = []
        for part in re.compile(r"[][()]|\w+|" + _QUOTED).finditer(text, end):
            depth += (part[0] in "([") - (part[0] in ")]")
            last = part.end()
            if depth <= 0:
                break
            if depth == 2 and part[0] not in "()[]":
                names.append((re.sub("^__(.+)__$", r"\1", part[0]), last, last))
            elif depth == 2 and part[0] == ")" and names:
                names[-1] = (*names[-1][:2], last)
        span = self._span(start, last)
        computed = [each for each in names if each[0] in _SIZED and self._is_computed(text[each[1] : each[2]])]
        stated = [
            attribute
            for each in names
            if each not in computed
            for attribute in self._attribute(each[0], text[each[1] : each[2]], span)
        ]
        if stated:
            yield Token("ATTRIBUTE", "__attribute__", span, stated)
        for name, *operand in computed:
            yield Token("COMPUTED", "__attribute__", span, name)
            yield from self._scanned(*operand)
        return last

    def _is_computed(self, operand: str) -> bool:
        """Whether the operand of an attribute is an expression that the parser reads."""
        return operand.strip() != "" and self._number(operand) is None

    def _attribute(self, name: str, operand: str, span: Span) -> list[Attribute]:
        """The attribute of that name, if it affects the meaning, with its operand in parentheses, or an empty one."""
        if name == "maybe_unused":  # of C23
            name = "unused"
        if name in _EFFECTIVE_ATTRIBUTES:
            return [Attribute(span, name)]
        if name == "aligned":
            return [Attribute(span, name, self._alignment(operand, span))]
        if name == "cleanup" and (function := re.match(r"\s*\(\s*(\w+)\s*\)", operand)):
            return [Attribute(span, name, text=function[1])]
        if name == "alias" and (target := re.fullmatch(r'\s*\(((?:\s*"[^"\n]*")+)\s*\)', operand)):
            return [Attribute(span, name, text="".join(re.findall('"([^"]*)"', target[1])))]
        if name == "vector_size":
            return [Attribute(span, name, size=self._number(operand) or 0)]
        if name in _STARTUP_ATTRIBUTES:
            return [Attribute(span, name, priority=self._priority(operand, span))]
        mode = re.match(r"\s*\(\s*(?:__)?(\w+?)(?:__)?\s*\)", operand)
        if name == "mode" and mode and mode[1] in _MODES:
            return [Attribute(span, name, size=_MODES[mode[1]])]
        if name == "mode" or name in _UNSUPPORTED_ATTRIBUTES:
            self._errors.report_unsupported(f"the attribute `{name}` is", span)
        return []

    def _priority(self, operand: str, span: Span) -> int:
        """The operand of ``constructor`` or ``destructor``."""
        if not operand.strip("() "):
            return _LAST_PRIORITY
        priority = self._number(operand)
        if priority is None or priority > _LAST_PRIORITY:
            what = "computed priorities" if priority is None else f"priorities above {_LAST_PRIORITY}"
            self._errors.report_unsupported(f"{what} are", span)
        return priority or 0

    def _alignment(self, operand: str, span: Span) -> int:
        """The operand of the attribute ``aligned``."""
        alignment = self._number(operand) if operand else _LARGEST_ALIGNMENT
        if reason := unaligned(alignment or 0):
            self._errors.report("alignment", reason, span)
            return 0
        return alignment or 0

    def _number(self, operand: str) -> int | None:
        """The operand of an attribute if it is a number, a size of a type named by keywords, or a product of such."""
        found, product = re.fullmatch(_PRODUCT, operand), 1
        for inner, number, name in re.findall(_FACTOR, found["product"]) if found else [("", "", "?")]:
            type = SPECIFIED_TYPES.get(tuple(sorted(name.split())))
            if name and type is None:
                return None
            product *= type.size if type else int(inner or number, 0)
        return product

    def _suffixed(self, macro: str, suffix: str, start: int, end: int) -> tuple[Token, int]:
        """The number for ``UINT8_C(number)`` and similar macros, and the offset after it."""
        operand = re.compile(r"\s*\(\s*(\w+)\s*\)").match(self._spliced.text, end)
        span = self._span(start, operand.end() if operand else end)
        if operand is None:
            self._errors.report("literal", f"`{macro}` needs an integer literal in parentheses", span)
            return Token(MALFORMED, macro, span), end
        return Token("NUMBER", operand[1] + suffix, span), operand.end()

    def shown(self, types: Iterable[str]) -> set[str]:
        """The spellings of tokens of these types; the type itself if it has several spellings."""
        return {self._vocabulary.shown.get(type, type) for type in types}

    def substitute(self, text: str, span: Span) -> Token:
        """The token spelt `text`, with the span of the text that it replaces."""
        match = self._vocabulary.pattern.match(text)
        assert match
        kind = str(match.lastgroup)
        return Token(self._vocabulary.spellings.get(text, kind), text, span)

    def _special(self, kind: str, text: str, span: Span) -> Token:
        """The token for text that no terminal of the grammar matches. Reports the text unless it is correct C."""
        first = Span(span.source, span.start, span.start + 1)
        if kind == "DIGRAPH":
            return self._replaced(RESERVED_WORDS[text], text, span)
        if kind == "FOREIGN_NAME":
            name = re.sub(_UNIVERSAL, lambda found: chr(int(found[0][2:], 16)), text)
            if is_name(name):
                meaning = self.names.get(name, "NAME")  # a keyword if a stray backslash follows
                return Token(meaning, name, span) if isinstance(meaning, str) else self._replaced(meaning, name, span)
        if kind == "OPEN_COMMENT":
            opening = Span(span.source, span.start, span.start + 2)
            self._errors.report("unterminated", "unterminated comment", opening, help="end it with `*/`")
        elif kind == "BROKEN_STRING":
            self._errors.report("unterminated", "unterminated string", first, help=_SPLIT_STRING)
            return Token("STRING", text, span)
        elif kind == "OPEN_QUOTE":
            what = "string" if text[0] == '"' else "character constant"
            self._errors.report("unterminated", f"unterminated {what}", first)
        elif "\udc80" <= text[0] <= "\udcff":
            raise undecodable(span.source, span.start)
        else:
            self._errors.report("stray-character", f"stray character {_described(text)}", span)
        self.malformed.update(text)
        return Token(MALFORMED, text, span)

    # ------------------------------------------------------------------------------------------------- directives

    def _directive(self, text: str, start: int) -> int | None:
        """Handle a line that starts with ``#``, at offset `start` of the spliced text.

        Returns the offset at which scanning continues, if this is not the end of the directive.
        """
        word = re.match(r"#\s*(\w*)", text)
        assert word
        span = self._span(start, start + word.end())
        if word[1] == "pragma" and (pack := re.compile(_PACK).match(text, word.end())):
            self._pack(pack)
        if word[1] == "pragma" and (weak := re.compile(_WEAK).fullmatch(text, word.end())):
            self.weak.add(weak["name"])
            if weak["target"]:
                self._errors.report_unsupported("`#pragma weak` with an alias is", span)
        if word[1] in ("pragma", ""):
            return None
        if self._starts_line(start) and (marker := re.compile(_LINE_MARKER).match(self._spliced.text, start)):
            return self._line_marker(marker)
        is_known = False
        if not self._starts_line(start):
            self._errors.report("directive", "a directive must be on a line of its own", span)
        elif word[1] == "include":
            is_known = self._include(text, start)
        elif word[1] == "undef":  # of a name that a header defines; the preprocessor obeys all others
            self.names.pop(text[word.end() :].strip(), None)
            is_known = True
        elif word[1] == "line":
            self._errors.report("directive", "expected a line number, as in `#line 3`", span)
        else:
            near = nearest(word[1], ("include", "define", "pragma", "ifdef", "ifndef", "endif"))
            help = f"did you mean `#{near}`?" if near else None
            self._errors.report("directive", f"unknown directive `#{word[1]}`", span, help=help)
        self.is_complete &= is_known
        return None

    def _pack(self, pragma: re.Match[str]) -> None:
        """Obey ``#pragma pack``: ``(4)``, ``()``, ``(push)``, ``(push, 4)``, ``(push, name, 4)``, ``(pop)`` and so on.

        As in gcc, a wrong one has no effect.
        """
        action, name, size = pragma["action"], pragma["name"], int(pragma["size"] or 0)
        if size not in _PACKINGS:
            return
        if action == "push":
            self._packings.append((name, self._packing))
        elif action == "pop":
            names = [each for each, _ in self._packings]
            depth = len(names) - 1 - names[::-1].index(name) if name in names else len(names) - 1
            if depth >= 0 and (name is None or name in names):
                self._packing = self._packings[depth][1]
                del self._packings[depth:]
        if action is None or pragma["size"]:
            self._packing = size

    def _line_marker(self, marker: re.Match[str]) -> int:
        """Record a line marker. Where a system header begins, include the header and skip its text."""
        name = marker["name"].replace("\\\\", "\\") if marker["name"] else self._source.origin(marker.start())[0]
        line = self._source.position(self._spliced.original(*marker.span())[0])[0]
        self._source.mark(line + 1, name, int(marker["number"]))
        if not {"1", "3"} <= set((marker["flags"] or "").split()):
            return marker.end()
        header = name.rpartition("/include/")[2]
        if header != "stdc-predef.h":  # gcc includes it in every source
            self._include_header(header, self._span(*marker.span()))
        end = re.compile(_END_OF_HEADER).search(self._spliced.text, marker.end())
        return end.start() if end else len(self._spliced.text)

    def _include(self, text: str, start: int) -> bool:
        """Include a standard header, which defines names from here on. Returns whether there is such a header."""
        found = _INCLUDE.fullmatch(text)
        if not found:
            span = self._span(start, start + len(text))
            self._errors.report("directive", "expected the name of a header, as in `#include <stdio.h>`", span)
            return False
        return self._include_header(found["name"], self._span(start + found.start("named"), start + found.end("named")))

    def _include_header(self, name: str, span: Span) -> bool:
        if name in HEADERS:
            self.names.update(HEADERS[name])
            self.headers.append(name)
            return True
        near = nearest(name, HEADERS, _HEADER_SIMILARITY)
        help = f"did you mean `<{near}>`?" if near else None
        self._errors.report("unknown-header", f"`<{name}>` is not a header of standard C", span, help=help)
        return False

    def _span(self, start: int, end: int) -> Span:
        """The span for a range of the spliced text."""
        return Span(self._source, *self._spliced.original(start, end))

    def _starts_line(self, start: int) -> bool:
        """Whether only white space and comments precede `start` on its line."""
        text = self._spliced.text
        before = text[text.rfind("\n", 0, start) + 1 : start]
        return not re.sub(r"^.*\*/|/\*.*?\*/", "", before).strip()


# Patterns of rare text are compiled on use.
_PACK = r"\s+pack\s*\(\s*(?:(?P<action>push|pop)\s*(?:,\s*(?P<name>[^\W\d]\w*)\s*)?(?:,\s*)?)?(?P<size>[0-9]+)?\s*\)"
_WEAK = r"\s+weak\s+(?P<name>[^\W\d]\w*)\s*(?:=\s*(?P<target>\w+)\s*)?"
_PACKINGS = (0, 1, 2, 4, 8, 16)
_HEADER_SIMILARITY = 0.75  # of 1
_SPLIT_STRING = 'adjacent strings are joined: end this line with `"`, and begin the next one with `"`'
_INCLUDE = re.compile(r"#\s*include\s*(?P<named><(?P<name>[^>]+)>).*")
_LINE_MARKER = (
    r"#[ \t]*(?:line[ \t]+)?(?P<number>[0-9]+)"
    r'(?:[ \t]+"(?P<name>(?:[^"\\\n]|\\.)*)"(?P<flags>[ \t0-9]*))?[ \t\r]*(?=\n|\Z)'
)  # `#line` of C, and the line markers of preprocessed text
_END_OF_HEADER = r'(?m)^#[ \t]*[0-9]+[ \t]+"(?:[^"\\\n]|\\.)*"[ \t]+2[ \t\r]*$'


def _described(stray: str) -> str:
    """The first character that is not part of C: in backquotes if printable, else its code point."""
    first = next((char for char in stray if not f"a{char}".isidentifier()), stray[0])
    return f"`{first}`" if first.isprintable() and first != "`" else f"U+{ord(first):04X}"
