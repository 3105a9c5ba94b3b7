"""The meaning of C: scopes, types, conversions and constant expressions. It makes typed trees of syntax trees."""

from __future__ import annotations

from cpsconv.frontends.c.diagnostics import Errors, SyntaxErrors
from cpsconv.frontends.c.meaning.declarations import Functions
from cpsconv.frontends.c.meaning.statements import StatementTyping
from cpsconv.frontends.c.meaning.tree_warnings import warn_of_comments
from cpsconv.frontends.c.meaning.typed_tree import Unit
from cpsconv.frontends.c.syntax.tree import TranslationUnit
from cpsconv.source import Diagnostic


def typed(unit: TranslationUnit) -> Unit:
    """The typed tree of a translation unit, with the semantic errors and the warnings."""
    errors = Errors()
    errors.warnings += unit.warnings
    functions = Functions(unit, errors)
    typing = StatementTyping(functions, errors)
    found = []
    for declaration in unit.functions:
        functions.declare(declaration)
        body = declaration.body
        if body and functions.is_definition(declaration) and not declaration.damaged:
            function = functions.defined[declaration.name]
            function.returns = functions.returns(declaration.name)
            typing.type_body(function, declaration, body)
            functions.complete.add(declaration.name)
            found.append(function)
    if not errors.found:
        warn_of_comments(unit.source, errors)
        functions.warn_of_unused(unit)
    return Unit(unit.source, found, errors.found, errors.warnings, functions.may_recurse)


def semantic_errors(unit: TranslationUnit, syntax_errors: SyntaxErrors) -> list[Diagnostic]:
    """The semantic errors of a unit with syntax errors, in the functions without them."""
    reported = {found.span.start for found in syntax_errors.found if found.span}
    return [found for found in typed(unit).errors if found.span and found.span.start not in reported]
