"""From C text to a syntax tree."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from cpsconv.frontends.c.diagnostics import Faults, TooManyFaultsError
from cpsconv.frontends.c.syntax.declaration_rules import DeclarationRules
from cpsconv.frontends.c.syntax.recovery import Reader
from cpsconv.frontends.c.syntax.rules import ExpressionRules, StatementRules
from cpsconv.frontends.c.syntax.tokens import Scanner, Vocabulary
from cpsconv.frontends.c.syntax.tree import FunctionDeclaration, TranslationUnit
from cpsconv.grammar import Parser, tables_of
from cpsconv.source import DiagnosticError, Source, error


class TreeRules(DeclarationRules, StatementRules, ExpressionRules):
    """Makes the syntax tree, a rule at a time, as the parser recognises the rules."""


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary(tables_of("c"))


def parse(source: Source) -> TranslationUnit:
    """The syntax tree of a C source file.

    Raises `DiagnosticError` with what is wrong in it, or not supported yet.
    """
    faults = Faults()
    scanner = Scanner(source, _vocabulary(), faults)
    rules = TreeRules(faults, scanner.words, scanner.defined)
    functions: list[FunctionDeclaration] = []
    with suppress(TooManyFaultsError):
        functions = Reader(Parser(tables_of("c"), rules), scanner, faults, rules.declared).read()
    if not faults.found and not any(function.body for function in functions):
        faults.found.append(error(f"{source.name}: contains no function"))
    if faults.found:
        raise DiagnosticError(faults.found)
    return TranslationUnit(source, functions, scanner.headers)
