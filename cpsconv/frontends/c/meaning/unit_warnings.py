"""Warnings about a whole translation unit: comments and unused functions."""

from __future__ import annotations

import re

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.meaning.declarations import Functions
from cpsconv.frontends.c.syntax.tree import TranslationUnit
from cpsconv.source import Source, Span

_COMMENT_OR_STRING = r"""(?sx) " (?:\\.|[^"\\])* " | ' (?:\\.|[^'\\])* ' | /\* .*? \*/ | // (?:\\\r?\n|[^\n])*"""


def warn_of_comments(source: Source, errors: Errors) -> None:
    """Warn of a comment that seems to begin within another one, and of a line comment that includes the next line."""
    text = source.text
    if text.count("/*") == text.count("*/") and "\\\n" not in text and "\\\r" not in text:
        return
    for match in re.finditer(_COMMENT_OR_STRING, text):
        comment, start = match[0], match.start()
        if comment.startswith("/*") and (inner := comment.find("/*", 2)) > 0:
            errors.warn("comment", "`/*` within a comment", Span(source, start + inner, start + inner + 2))
        elif comment.startswith("//") and "\n" in comment:
            message = "a backslash at the end of this comment includes the next line"
            errors.warn("comment", message, Span(source, start, start + comment.index("\n")))


def warn_of_unused_functions(unit: TranslationUnit, functions: Functions, errors: Errors) -> None:
    """Warn of each `static` function that no other function calls, and that is not `inline`, as in a header."""
    for declaration in [each for each in unit.functions if each.static and not each.inline]:
        name = declaration.name
        if name not in functions.called:
            if functions.is_definition(declaration):
                errors.warn("unused-function", f"the function `{name}` is never called", declaration.span)
            elif name not in functions.definitions:
                message = f"the function `{name}` is `static`, but neither defined nor called"
                errors.warn("unused-function", message, declaration.span)
