"""Error recovery of the parser: the syntax errors of a CPS text, as diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.core.attributes import KEYWORDS
from cpsconv.core.grammar import END, STRAY, Parser, Rejected, tables_of
from cpsconv.core.ir import FURTHER_FLOATS, SCALARS
from cpsconv.core.source import (
    Diagnostic,
    Source,
    Span,
    did_you_mean,
    error,
    in_source_order,
    max_errors,
    setting,
    too_many_errors,
)
from cpsconv.core.text.spelling import ITEM_WORDS, is_callable
from cpsconv.core.text.spelling import KEYWORDS as RESERVED_WORDS
from cpsconv.core.text.syntax import Application, Binding, Name, Token, tokens
from cpsconv.core.text.tree import new_parser

_EXPRESSION = {
    *("NAME", "NUMBER", "STRING", "CHARACTER", "CONSTANT", "UNDEF", "SCALAR", "ALLOCATE", "LPAR", "PREFIX", "MINUS")
}
_PHRASES = [
    (
        "a statement or a transfer",
        {"NAME", "LET"},
        {"NAME", "LET", "BRANCH", "SWITCH", "CALL", "SCALAR", "ALLOCATE", "STRING"},
    ),
    ("a transfer", {"NAME", "BRANCH"}, {"NAME", "BRANCH", "SWITCH", "CALL", "STRING"}),
    ("an expression", {"NAME", "LPAR"}, _EXPRESSION),
    ("a literal", {"NUMBER", "STRING"}, {"NUMBER", "STRING", "CHARACTER", "CONSTANT", "MINUS"}),
    ("a type", {"SCALAR"}, {"SCALAR", "LPAR"}),
    ("an operator", {"OPERATOR"}, {"OPERATOR", "MINUS"}),
    ("a name", {"NAME"}, {"NAME"}),
    ("a number", {"NUMBER"}, {"NUMBER"}),
    ("a string", {"STRING"}, {"STRING"}),
    ("a character", {"CHARACTER"}, {"CHARACTER"}),
]
"""Phrases for sets of acceptable terminals: a phrase applies if all of the first set are acceptable, and then covers
the second set."""

_SYMBOLS = {"ARROW": "→", "BOTTOM": "⊥", "CASE": "⇒", "LAMBDA": "λ"}
"""The symbols with a second spelling, by terminal."""

_STOPS = {"SEMICOLON", "RBRACE", "LET", "IN", "BOTTOM", "LAMBDA"}

_QUOTED = {'"': ("STRING", "string"), "'": ("CHARACTER", "character"), "`": ("NAME", "name")}
"""By opening quote: the terminal, and its name in diagnostics."""

_UNCLOSED = "UNCLOSED"
"""The type of the token that replaces the rest of a line after an unclosed quote, which has been reported."""

_LIKE_C = re.compile(
    r"(?:\s|//[^\n]*\n)*(?!struct\s+\w+\s*\{\s*\w+\s*:)"
    r"(?:#|/\*|(?:_Bool|bool|char|const|double|extern|float|inline|int|long|short|signed|static(?!\s+(?:data|const|`|\w+\())|struct|typedef|unsigned"
    r"|void)\s+[\w*])"
)
"""Beginnings of C programs that cannot begin a CPS text."""

_VARIABLE = r"(?P<name>(?!let\b)[A-Za-z_]\w*)\s*"
_NO_GROUP = "a continuation is defined in a `let` group"
_FOREIGN = [
    (r"return\b(?!\s*(?:\(|:=))", "there is no `return`", "a function calls its return continuation: `ret(x)`"),
    (
        r"(?:if|else|elif)\b(?!\s*:=).*",
        "there is no `if`",
        "a decision is written `branch(x > 0, λ(). ret(1), λ(). ret(2))`",
    ),
    (
        r"(?:while|for|do)\b(?!\s*:=).*",
        "there is no statement for loops",
        "a loop is a continuation that calls itself: `let loop := (i : int) → ⊥ … loop(i + 1) … in loop(0)`",
    ),
    (r"goto\s+(?P<name>\w+)", "there is no `goto`", "a jump is a call: `{name}()`"),
    (
        r"(?:fun|def|func|fn|function|proc|procedure|define)\s+\w.*",
        "functions have no keyword",
        "a function is written `f(x : int, ret : int → ⊥) → ⊥ {{ … }}`",
    ),
    (
        rf"(?!let\s+\w+\s*:=)(?:let\s+)?{_VARIABLE}:?=\s*(?:(?:λ|\\)\s*)?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:→|->).*",
        _NO_GROUP,
        "it is written `let {name} := (x : int) → ⊥ … in …`",
    ),
    (
        rf"let\s+{_VARIABLE}:?=\s*(?!\s|\().*",
        "`let` defines continuations",
        "a value is bound without it: `{name} := …;`",
    ),
    (
        rf"(?:(?:int|long|short|char|unsigned|float|double|bool|var|const|auto)\s+)*{_VARIABLE}(?:[-+*/]?=(?!=)|\+\+|--).*",
        "there are no assignments or declarations",
        "a name is bound once, without a type: `{name} := …`",
    ),
]
"""Statements of other languages: patterns from the start of a statement, with a message and the right form."""


def syntax_errors(source: Source) -> list[Diagnostic]:
    """The syntax errors of the text, without those that follow from earlier ones; for a text in C, only the first.

    A statement of another language is the last error of its function. After another error, parsing resumes after the
    next semicolon if that ends the same statement, or is itself the error; otherwise after the function.
    """
    found = in_source_order(_syntax_errors(source))
    if _LIKE_C.match(source.text):
        option = setting("`--lang c`", "`language=`")
        found[0].help = f"this looks like C: `convert`, `run` and `check` read that with {option}"
        return found[:1]
    limit = max_errors()
    if len(found) > limit and (span := found[limit].span):
        found[limit:] = [too_many_errors(span)]
    return found


def _syntax_errors(source: Source) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    all_tokens = list(_all_tokens(source, found))
    parser = new_parser()
    position = begin = 0  # the latter is where the function starts
    while position < len(all_tokens) and len(found) <= max_errors():
        token = all_tokens[position]
        try:
            parser.read([token])
            position += 1
        except Rejected:
            follows = _follows_a_transfer(parser)
            if not follows and (foreign := _foreign(source, all_tokens[begin].start, token)):
                end = _after_function(all_tokens, begin, position)
                hidden = range(token.start, all_tokens[end - 1].end)
                found[:] = [each for each in found if not each.span or each.span.start not in hidden]
                found.append(foreign)
                parser, position, begin = new_parser(), end, end
                if position + 1 >= len(all_tokens):  # no function follows
                    break
                continue
            if token.type == STRAY:
                found.append(_strange_character(source, token.start))
                position += 1
                continue
            if token.type != _UNCLOSED:
                found.append(_unexpected_token(source, token, parser))
            if _is_needless(token, parser):
                position += 1
                continue
            position = _next(all_tokens, position, _STOPS)
            if all_tokens[position].type != "SEMICOLON" or not _unwind_to_statements(parser):
                position = _next(all_tokens, position, {"RBRACE"})
                parser, begin = new_parser(), position + 1
                if position + 2 >= len(all_tokens):  # no function follows
                    break
            position += 1
    return found


def _foreign(source: Source, begin: int, token: Token) -> Diagnostic | None:
    """The error for a statement of another language that reaches the token, in the function that starts at `begin`."""
    text = source.text
    start = max(text.rfind(separator, 0, token.start) for separator in "\n;{}") + 1
    while start < token.start and text[start].isspace():
        start += 1
    line = text[start : _line_end(text, start)]
    word = re.match(r"\w+", line)
    is_call = word and line.startswith("(", word.end())
    if word and is_call and re.search(rf"\b{word[0]}\s*:=\s*\(", text[begin:]):  # a continuation may be named `for`
        return None
    in_group = re.search(r"\blet\b", text[begin:start])
    for pattern, message, help in _FOREIGN:
        match = re.match(pattern, line)
        if match and token.start <= start + match.end() + 1 and not (in_group and message == _NO_GROUP):
            span = Span(source, start, start + (word.end() if word else 1))
            return error(message, span, help=help.format(**match.groupdict()), rule="syntax")
    return None


def _after_function(tokens: list[Token], begin: int, position: int) -> int:
    """The position after the function that starts at `begin` and contains `position`."""
    depth = 0
    for at in range(begin, len(tokens)):
        depth += (tokens[at].type == "LBRACE") - (tokens[at].type == "RBRACE")
        if tokens[at].type == "RBRACE" and depth <= 0 and at >= position:
            return at + 1
    return len(tokens)


def _all_tokens(source: Source, found: list[Diagnostic]) -> Iterator[Token]:
    """The tokens of the text, and its end. Stray characters but `=` are skipped; `found` gets an error for each."""
    start = 0
    while True:
        for token in tokens(source.text, start):
            if token.type == STRAY:
                break
            yield token
        else:
            return
        if token.text == "=":  # perhaps of a statement of another language
            yield token
            start = token.end
            continue
        if len(token.text) > 1:  # the name of a type
            found.append(_unknown_type(source, token))
            yield Token(token.start, token.end, "SCALAR", "float")
            start = token.end
            continue
        found.append(_strange_character(source, token.start))
        if token.text in _QUOTED:
            token = _unclosed(source.text, token.start)
            yield token
        start = token.end


def _unclosed(text: str, start: int) -> Token:
    """The token that starts with the quote at `start`, which is not closed on its line.

    If the next line has an odd number of such quotes, the first of them closes it; otherwise the line's end does.
    """
    quote = text[start]
    line_end, next_end = _line_end(text, start), _line_end(text, _line_end(text, start) + 1)
    if text.count(quote, line_end, next_end) % 2:
        end = text.index(quote, line_end) + 1
        return Token(start, end, _QUOTED[quote][0], text[start:end])
    return Token(start, line_end, _UNCLOSED, text[start:line_end])


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _unknown_type(source: Source, token: Token) -> Diagnostic:
    span, known = Span(source, token.start, token.end), [*SCALARS, *FURTHER_FLOATS]
    return error(f"there is no type `{token.text}`", span, help=did_you_mean(token.text, known), rule="undeclared")


def _strange_character(source: Source, start: int) -> Diagnostic:
    char = source.text[start]
    span = Span(source, start, start + 1)
    if char in _QUOTED:
        return error(f"this {_QUOTED[char][1]} is not closed on its line", span, rule="unterminated")
    shown = f"`{char}`" if char.isprintable() else f"the character U+{ord(char):04X}"
    return error(f"{shown} is not used in the language", span, rule="stray-character")


def _unexpected_token(source: Source, token: Token, parser: Parser) -> Diagnostic:
    shown = "the end of the text" if token.type == END else f"`{token.text}`"
    span = Span(source, token.start, token.end)
    accepted = parser.accepted() - {"ATTRIBUTE"}
    is_outside_functions = END in accepted or not parser.values
    last = parser.values[-1] if parser.values else None
    if {"NAME", "LPAR"} <= accepted and isinstance(last, Token) and last.type == "NAME":
        accepted = {"LPAR"} if last.text not in (*ITEM_WORDS, *KEYWORDS) else {"NAME"}  # after the name of a function
    if "LPAR" in accepted:
        accepted -= {"DOT", "LSQB"}  # after a name that may be a type
    expected = "a function" if is_outside_functions else _in_words(accepted)
    help = _help(token, parser)
    if token.text in RESERVED_WORDS and expected in ("a function", "a name"):
        help = f"`{token.text}` is a keyword; as a name, it is written with backquotes"
    return error(f"expected {expected}, found {shown}", span, help=help, rule="syntax")


def _help(token: Token, parser: Parser) -> str | None:
    """The cure for common mistakes."""
    if _follows_a_transfer(parser) or _is_needless(token, parser):
        return "the transfer that ends a body has no `;`"
    last = parser.values[-1:]
    if token.type == "LPAR" and last and isinstance(last[0], Name):
        return f"with arguments, it is written `λ(). {last[0].word}(…)`"
    return None


def _follows_a_transfer(parser: Parser) -> bool:
    """Whether the last parts read are a transfer and a semicolon, perhaps followed by the start of a continuation."""
    values = [*parser.values]
    while values and isinstance(values[-1], Token) and values[-1].type in ("NAME", "BECOMES", "LPAR"):
        values.pop()
    match values:
        case [*_, [*_, Binding(name="", expression=Application(name=name))]]:
            return not is_callable(name.word)
        case [*_, Application(name=name), Token(type="SEMICOLON")]:
            return not is_callable(name.word)
    return False


def _is_needless(token: Token, parser: Parser) -> bool:
    """Whether the token is a semicolon after a complete body."""
    return token.type == "SEMICOLON" and not parser.accepted().isdisjoint({"RBRACE", "IN"})


def _in_words(accepted: set[str]) -> str:
    symbols = _SYMBOLS | {terminal: word for word, terminal in tables_of("cps").spellings.items()}
    words = []
    for phrase, needed, covered in _PHRASES:
        if needed <= accepted:
            accepted -= covered
            words.append(phrase)
    words += sorted(f"`{symbols[terminal]}`" for terminal in accepted)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _next(tokens: list[Token], position: int, types: set[str]) -> int:
    """The position of the next token of one of the types, or of the last token if none follows."""
    return next((at for at in range(position, len(tokens)) if tokens[at].type in types), len(tokens) - 1)


def _unwind_to_statements(parser: Parser) -> bool:
    """Undo the innermost unfinished statement. Returns whether there was one."""
    while parser.values and not parser.has_action("LET"):
        parser.undo(1)
    return bool(parser.values)
