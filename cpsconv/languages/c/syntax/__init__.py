"""The syntax of C: tokens, syntax tree, grammar rules, syntax errors and recovery from them."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from functools import cache
from typing import Any

from cpsconv.core.grammar import END, Parser, Rejected, tables_of
from cpsconv.core.source import Source
from cpsconv.languages.c.diagnostics import SyntaxErrors, TooManyErrors
from cpsconv.languages.c.syntax.declaration_rules import DeclarationRules
from cpsconv.languages.c.syntax.rules import ExpressionRules, StatementRules
from cpsconv.languages.c.syntax.token_stream import TokenStream
from cpsconv.languages.c.syntax.tokens import Scanner, Vocabulary
from cpsconv.languages.c.syntax.tree import FunctionDefinition, TranslationUnit


class TreeRules(DeclarationRules, StatementRules, ExpressionRules):
    """The handlers of all grammar rules: each returns the tree node, or another value, for its rule."""


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary(tables_of("c"))


def parse(source: Source) -> TranslationUnit:
    """The syntax tree of a C source. Raises `DiagnosticError` if it has syntax errors or uses unsupported features."""
    unit, errors = parse_with_errors(source)
    errors.raise_if_any()
    return unit


def parse_with_errors(source: Source) -> tuple[TranslationUnit, SyntaxErrors]:
    """The syntax tree of a C source as far as it is correct, and the errors."""
    errors = SyntaxErrors()
    scanner = Scanner(source, _vocabulary(), errors)
    rules = TreeRules(errors, scanner.scopes)
    items: list[Any] = []
    with suppress(TooManyErrors):
        items = _items(rules, scanner, errors)
    functions = [item for item in items if isinstance(item, FunctionDefinition)]
    is_complete = _mark_damaged(functions, sorted(errors.damage)) and scanner.is_complete
    headers, weak = scanner.headers, scanner.weak
    return TranslationUnit(source, items, headers, errors.warnings, rules.unknown, is_complete, weak), errors


def _items(rules: TreeRules, scanner: Scanner, errors: SyntaxErrors) -> list[Any]:
    """The declarations and definitions of the source, or of its first part if the end of the source was rejected."""
    parser = Parser(tables_of("c"), rules)
    stream = TokenStream(scanner, parser, errors)
    recovery = None
    at_end = False
    while not at_end:
        try:
            parser.read(stream.for_parser())
            at_end = True
        except Rejected as rejected:
            from cpsconv.languages.c.syntax.recovery import Recovery  # imported late: most sources have no errors

            [token] = rejected.args
            recovery = recovery or Recovery(parser, scanner, stream, errors, rules.declared)
            recovery.recover(token)
            at_end = token.type == END
    items: list[Any] = parser.result()
    return items


def _mark_damaged(functions: list[FunctionDefinition], damage: list[int]) -> bool:
    """Mark functions that contain, follow or precede a syntax error. Returns whether all errors are in functions."""
    is_complete, last = True, 0
    before: FunctionDefinition | None = None
    for function in functions:
        start, end = bisect_right(damage, function.span.start), bisect_right(damage, function.body.span.end)
        function.damaged = last < end
        function.damaged_signature = last < bisect_right(damage, function.body.span.start)
        if before and last < start:
            before.damaged = True
        is_complete, last, before = is_complete and last == start, end, function
    if before and last < len(damage):
        before.damaged = True
    return is_complete and last == len(damage)
