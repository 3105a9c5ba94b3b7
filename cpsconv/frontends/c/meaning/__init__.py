"""The meaning of C: scopes, types, conversions and constant expressions. It makes typed trees of syntax trees."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.frontends.c.diagnostics import Errors, SyntaxErrors
from cpsconv.frontends.c.meaning.declarations import Functions
from cpsconv.frontends.c.meaning.statements import StatementTyping
from cpsconv.frontends.c.meaning.typed_tree import Function
from cpsconv.frontends.c.syntax.tree import TranslationUnit
from cpsconv.progress import steps
from cpsconv.source import Diagnostic


def typed_functions(unit: TranslationUnit, functions: Functions, errors: Errors) -> Iterator[Function]:
    """The functions that a unit defines, typed one after the other. Errors and warnings are added to `errors`."""
    typing = StatementTyping(functions, errors)
    for declaration in steps("converting", unit.functions):
        functions.declare(declaration)
        body = declaration.body
        if body and functions.is_definition(declaration) and not declaration.damaged:
            function = functions.defined[declaration.name]
            function.returns = functions.returns(declaration.name)
            typing.type_body(function, declaration, body)
            functions.complete.add(declaration.name)
            yield function


def semantic_errors(unit: TranslationUnit, syntax_errors: SyntaxErrors) -> list[Diagnostic]:
    """The semantic errors of a unit with syntax errors, in the functions without them."""
    errors = Errors()
    for _ in typed_functions(unit, Functions(unit, errors), errors):
        pass
    reported = {found.span.start for found in syntax_errors.found if found.span}
    return [found for found in errors.found if found.span and found.span.start not in reported]
