"""Early errors of literals: numbers, escapes in strings and templates, and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.core.source import Diagnostic, Span, error
from cpsconv.languages.javascript.contexts import Context
from cpsconv.languages.javascript.escapes import ESCAPED, INVALID, OCTAL
from cpsconv.languages.javascript.literals import template_ranges
from cpsconv.languages.javascript.syntax import Node, has_line_end

_DIGITS = r"\d(?:_?\d)*"
_NUMBER = re.compile(
    rf"0[xX][\da-fA-F](?:_?[\da-fA-F])*n?|0[oO][0-7](?:_?[0-7])*n?|0[bB][01](?:_?[01])*n?|(?:0|[1-9](?:_?\d)*)n"
    rf"|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?"
)
_OLD_NUMBER = re.compile(r"0[0-7]+|0\d*[89]\d*(?:\.\d*)?(?:[eE][+-]?\d+)?")
_ATOM = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]")
_NOTHING_TO_REPEAT = re.compile(r"(?:^|\|)[*+?]|\([*+]|[*+?][*+]")
_FLAGS = re.compile(r"(?!.*(.).*\1)(?!.*u.*v)(?!.*v.*u)[dgimsuvy]*")


def number_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of a number."""
    following = node.source.text[node.end : node.end + 1]
    if _OLD_NUMBER.fullmatch(node.text) and context.is_strict:
        yield error("a number in strict mode does not begin with `0`", node.span, rule="strict-mode")
    elif not _OLD_NUMBER.fullmatch(node.text) and not _NUMBER.fullmatch(node.text):
        yield error(f"`{node.text}` is not a number", node.span, rule="literal")
    elif following.isalnum() or following in (*"_$\\",):
        yield error("a number is followed by a name", Span(node.source, node.start, node.end + 1), rule="literal")


def string_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the escapes in a string."""
    if parent.kind == "jsx_attribute":
        return
    yield from _escape_errors(node, (node.start, node.end), "strict mode" if context.is_strict else "")
    if "\n" in ESCAPED.sub("", node.text):
        yield error("this string is not closed on its line", node.span, rule="literal")


def template_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the escapes in a template that is not the operand of a function."""
    for bounds in template_ranges(node) if parent.get("arguments") is not node else ():
        yield from _escape_errors(node, bounds, "a template")


def _escape_errors(node: Node, bounds: tuple[int, int], without_octal: str) -> Iterator[Diagnostic]:
    """The errors of the escapes in a range of the source, which may be one without octal escapes."""
    text = node.source.text
    for each in ESCAPED.finditer(text, *bounds):
        span = Span(node.source, *each.span())
        if INVALID.match(text, each.start()):
            yield error(f"`{each[0]}` is not a character", span, rule="literal")
        elif without_octal and OCTAL.match(text, each.start()):
            message = f"the octal escape `{each[0]}` is not allowed in {without_octal}"
            yield error(message, span, rule="strict-mode")


def regex_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the flags of a regular expression, and of the groups and repetitions in its pattern."""
    pattern, flags = node["pattern"], node.get("flags")
    if has_line_end(pattern.text):
        yield error("this pattern is not closed on its line", pattern.span, rule="literal")
    if _is_malformed(_ATOM.sub("x", pattern.text)):
        yield error("this pattern is malformed", pattern.span, rule="literal")
    if flags and not _FLAGS.fullmatch(flags.text):
        yield error(f"`{flags.text}` are not flags of a regular expression", flags.span, rule="literal")


def _is_malformed(pattern: str) -> bool:
    """Whether parentheses are not balanced or there is nothing to repeat, in a pattern without classes and escapes."""
    depth = 0
    for each in pattern:
        depth += (each == "(") - (each == ")")
        if depth < 0:
            return True
    return depth > 0 or _NOTHING_TO_REPEAT.search(pattern) is not None
