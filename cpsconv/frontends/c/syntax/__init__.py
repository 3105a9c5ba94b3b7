"""The syntax of C: tokens, syntax tree, grammar rules, syntax errors and recovery from them."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from cpsconv.frontends.c.diagnostics import SyntaxErrors, TooManyErrors
from cpsconv.frontends.c.syntax.declaration_rules import DeclarationRules
from cpsconv.frontends.c.syntax.recovery import RecoveringParser
from cpsconv.frontends.c.syntax.rules import ExpressionRules, StatementRules
from cpsconv.frontends.c.syntax.tokens import Scanner, Vocabulary
from cpsconv.frontends.c.syntax.tree import FunctionDeclaration, TranslationUnit
from cpsconv.grammar import Parser, tables_of
from cpsconv.source import DiagnosticError, Source, error


class TreeRules(DeclarationRules, StatementRules, ExpressionRules):
    """The handlers of all grammar rules: each returns the tree node, or another value, for its rule."""


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary(tables_of("c"))


def parse(source: Source) -> TranslationUnit:
    """The syntax tree of a C source.

    Raises `DiagnosticError` if the source has syntax errors, uses unsupported features, or contains no function.
    """
    errors = SyntaxErrors()
    scanner = Scanner(source, _vocabulary(), errors)
    rules = TreeRules(errors, scanner.names, scanner.defined)
    functions: list[FunctionDeclaration] = []
    with suppress(TooManyErrors):
        functions = RecoveringParser(Parser(tables_of("c"), rules), scanner, errors, rules.declared).parse()
    if not errors.found and not any(function.body for function in functions):
        errors.found.append(error(f"{source.name}: contains no function"))
    if errors.found:
        raise DiagnosticError(errors.found)
    return TranslationUnit(source, functions, scanner.headers)
