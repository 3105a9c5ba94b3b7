"""Early errors of literals: numbers, escapes in strings and templates, and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.core.source import Diagnostic, Span, error
from cpsconv.languages.javascript.contexts import Context
from cpsconv.languages.javascript.syntax import Node

_DIGITS = r"\d(?:_?\d)*"
_NUMBER = re.compile(
    rf"0[xX][\da-fA-F](?:_?[\da-fA-F])*n?|0[oO][0-7](?:_?[0-7])*n?|0[bB][01](?:_?[01])*n?|(?:0|[1-9](?:_?\d)*)n"
    rf"|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?"
)
_OLD_NUMBER = re.compile(r"0[0-7]+|0\d*[89]\d*(?:\.\d*)?(?:[eE][+-]?\d+)?")
_OLD_ESCAPE = re.compile(r"\\(?:[1-9]|0\d)")
_INVALID_ESCAPE = re.compile(r"\\(?:u(?!\{0*(?:10|[\da-fA-F])?[\da-fA-F]{1,4}\}|[\da-fA-F]{4})|x(?![\da-fA-F]{2}))")
_ESCAPED = re.compile(r"\\(?:\r\n|[\s\S])")
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
    yield from _escape_errors(node, context.is_strict)
    if "\n" in _ESCAPED.sub("", node.text):
        yield error("this string is not closed on its line", node.span, rule="literal")


def template_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the escapes in a template that is not the operand of a function."""
    if parent.kind != "call_expression":
        yield from _escape_errors(node, True)


def _escape_errors(node: Node, is_strict: bool) -> Iterator[Diagnostic]:
    for each in node.children:
        if each.kind == "escape_sequence":
            if _INVALID_ESCAPE.match(each.text):
                yield error(f"`{each.text}` is not a character", each.span, rule="literal")
            following = node.source.text[each.start : each.end + 1]
            if is_strict and _OLD_ESCAPE.match(following):
                where = "a template" if node.kind == "template_string" else "strict mode"
                yield error(f"the octal escape `{each.text}` is not allowed in {where}", each.span, rule="strict-mode")


def regex_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors of the flags of a regular expression, and of the groups and repetitions in its pattern."""
    pattern, flags = node["pattern"], node.get("flags")
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
