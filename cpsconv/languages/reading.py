"""What the parsers of several languages share: tokens, the loop over them, messages, and methods of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from cpsconv.core.grammar import END, Parser, Rejected, tables_of, token_pattern
from cpsconv.core.grammar import STRAY as STRAY
from cpsconv.core.source import Diagnostic, Source, Span, error, in_source_order, max_errors, too_many_errors

NOTHING: Mapping[str, Any] = {}


class Token(NamedTuple):
    """A token; `type` is the name of its terminal."""

    type: str
    text: str
    span: Span


def tokens_of(
    source: Source,
    language: str,
    meanings: Mapping[str, str] = NOTHING,
    ends: Mapping[str, Callable[[int], int]] = NOTHING,
) -> list[Token]:
    """The tokens of a text, without ``SPACE`` and ``COMMENT``, and `END`; characters that start no token are `STRAY`.

    `meanings` has the spellings of words with several. `ends` has, for terminals whose patterns are but the beginnings
    of tokens, the end of a token by its start; 0 if there is no end.
    """
    found: list[Token] = []
    text, position, pattern, spellings = source.text, 0, token_pattern(language), tables_of(language).spellings
    while match := pattern.match(text, position):
        kind, start, position, word = str(match.lastgroup), match.start(), match.end(), match[0]
        if kind in ends:
            end = ends[kind](start)
            kind, position = (kind, end) if end else (STRAY, start + 1)
            word = text[start:position]
        if kind not in ("SPACE", "COMMENT"):
            spelled = meanings.get(word, word)
            found.append(Token(spellings.get(spelled, kind), spelled, Span(source, start, position)))
    return [*found, Token(END, "", Span(source, len(text), len(text)))]


Recover = Callable[[Parser, "list[Token]", int, "list[Diagnostic]"], "int | None"]
"""Reports the token at a position, which the parser rejects; returns the position at which to continue, if any."""


def parsed(language: str, rules: object, tokens: list[Token], recover: Recover, errors: list[Diagnostic]) -> Any:
    """The value of the text, or of its first part after an error. Adds at most one error more than `max_errors`."""
    parser, position = Parser(tables_of(language), rules), 0
    while position < len(tokens) and len(errors) <= max_errors():
        try:
            for position in range(position, len(tokens)):  # noqa: B020 (continued where it stopped)
                parser.read(tokens[position : position + 1])
            break
        except Rejected:
            following = recover(parser, tokens, position, errors)
            position = len(tokens) if following is None else following
    return parser.result() if parser.values else None


def discard(parser: Parser, token: Token) -> bool:
    """Replace what is read of the part with an error by ERROR, if the grammar has it for any such part."""
    while parser.values and not parser.fitting(["ERROR"]):
        parser.undo(1)
    if found := bool(parser.fitting(["ERROR"])):
        parser.read([Token("ERROR", "", token.span)])
    return found


def after_part(parser: Parser, tokens: list[Token], position: int, is_end: Callable[[Token], bool]) -> int | None:
    """Replace the part with an error by ERROR. Returns the position of the first end of it that fits; None without."""
    if not discard(parser, tokens[position]):
        return None
    ends = (at for at in range(position, len(tokens)) if is_end(tokens[at]))
    return next((at for at in ends if parser.fitting([tokens[at].type])), None)


def limited(errors: list[Diagnostic]) -> list[Diagnostic]:
    """The errors in source order, at most `max_errors` of them, and a note if there are more."""
    found, limit = in_source_order(errors), max_errors()
    return found[:limit] + [too_many_errors(each.span) for each in found[limit : limit + 1] if each.span]


def unexpected(
    token: Token, parser: Parser, language: str, titles: Mapping[str, str], example: str, help: str | None = None
) -> Diagnostic:
    """The error for a token that the parser rejects. `titles` has the terminals without a fixed spelling, and `END`.

    `help` states the cure, if it is known; `example` is shown if the text ends before anything of it was read.
    """
    spelled = {type: f"`{text}`" for text, type in tables_of(language).spellings.items()}
    expected = sorted(titles.get(type) or spelled[type] for type in parser.accepted() - {"ERROR"})
    *others, last = expected
    wanted = f"{', '.join(others)} or {last}" if others else last
    found = f"`{token.text}`" if token.text else titles[END]
    help = help or (example if token.type == END and not parser.values else None)
    return error(f"{found} is not expected here, but {wanted}", token.span, help=help, rule="syntax")


def inserted(
    parser: Parser,
    tokens: list[Token],
    position: int,
    words: Iterable[str],
    language: str,
    errors: list[Diagnostic],
    ahead: int = 3,
    without: int = 0,
) -> bool:
    """Whether one of the words is missing: with it, the text continues at the position, for `ahead` tokens.

    The word is reported, and read. The last `without` tokens before are undone.
    """
    following, before = [each.type for each in tokens[position : position + ahead]], tokens[position - 1].span
    for word in words:
        type = tables_of(language).spellings[word]
        if parser.fitting([type, *following], without) > len(following):
            parser.undo(without)
            span = Span(before.source, before.end - 1, before.end)
            errors.append(error(f"`{word}` is missing", span, rule="syntax"))
            parser.read([Token(type, word, before)])
            return True
    return False


Rule = Callable[[Any, "list[Any]"], Any]
"""The method of a rule. Its argument has the values of the rule's parts; the value of a token is the token."""


def node(make: Callable[..., Any], *parts: int) -> Rule:
    """The method of a rule that makes a node from the values of these parts, and from the span of all parts."""
    return lambda rules, values: make(*[values[part] for part in parts], span_of(values))


def value(make: Callable[..., Any], *parts: int) -> Rule:
    """The method of a rule that makes its value from the values of these parts."""
    return lambda rules, values: make(*[values[part] for part in parts])


def span_of(parts: list[Any]) -> Span:
    """The span from the first part to the last one. The span of a list is that of its members.

    The last part may be omitted (None).
    """
    first, last = parts[0], parts[-1] if parts[-1] is not None else parts[-2]
    start = first[0] if isinstance(first, list) else first
    end = last[-1] if isinstance(last, list) else last
    span: Span = start.span.to(end.span)
    return span


class ListRules:
    """The methods of rules for lists, and for parts that are passed on. Lists grow in place, in constant time."""

    def nothing(self, parts: list[Any]) -> list[Any]:
        return []

    def none(self, parts: list[Any]) -> None:
        return None

    def first(self, parts: list[Any]) -> list[Any]:
        return [parts[0]]

    def second(self, parts: list[Any]) -> Any:
        return parts[1]

    def append(self, parts: list[Any]) -> list[Any]:
        found: list[Any] = parts[0]
        found.append(parts[-1])
        return found

    def extend(self, parts: list[Any]) -> list[Any]:
        found: list[Any] = parts[0]
        found.extend(parts[1])
        return found
