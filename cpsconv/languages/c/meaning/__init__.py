"""The meaning of C: scopes, types, conversions and constant expressions. It types syntax trees in place."""

from __future__ import annotations

from cpsconv.core.source import Diagnostic
from cpsconv.languages.c.diagnostics import Errors, SyntaxErrors
from cpsconv.languages.c.meaning import assignments, calls, conditions, expressions, initialisers, sizes, statements
from cpsconv.languages.c.meaning.aliases import with_aliases, without_inlined
from cpsconv.languages.c.meaning.calls import convert_unprototyped_arguments
from cpsconv.languages.c.meaning.context import Translation, Typing
from cpsconv.languages.c.meaning.declarations import Declarations
from cpsconv.languages.c.meaning.declared_types import static_assertion
from cpsconv.languages.c.meaning.functions import report_pointers, type_function
from cpsconv.languages.c.meaning.startup import add_startup
from cpsconv.languages.c.meaning.tree_warnings import (
    TreeWarnings,
    may_have_doubtful_comments,
    statements_within,
    warn_of_comments,
)
from cpsconv.languages.c.meaning.typed_declarations import typed_declaration
from cpsconv.languages.c.meaning.typed_tree import Unit
from cpsconv.languages.c.syntax.tree import Declaration, FunctionDefinition, TranslationUnit
from cpsconv.languages.warning_groups import chosen_warnings

RULES = (assignments, calls, conditions, expressions, initialisers, sizes, statements)
"""The modules that have the rules of all nodes, together with those that they import."""


def typed(unit: TranslationUnit) -> Unit:
    """The typed tree of a translation unit, with the semantic errors and the warnings."""
    errors = Errors()
    errors.warnings += unit.warnings
    unit = with_aliases(without_inlined(unit), errors)
    declarations = Declarations(unit, errors)
    translation = Translation(declarations, errors)
    file = Typing(translation)
    for item in unit.items:
        if isinstance(item, FunctionDefinition):
            type_function(file, item)
        elif isinstance(item, Declaration):
            typed_declaration(file, item)
        else:
            static_assertion(file, item)
    convert_unprototyped_arguments(declarations, errors)
    functions = translation.defined
    add_startup(functions, declarations, errors)
    declarations.complete_tentative_definitions()
    declarations.determine_linkage()
    declarations.use_assembler_names()
    declarations.add_literals(translation.literals)
    report_pointers(functions, declarations.globals, errors)
    if may_have_doubtful_comments(unit.source):
        warn_of_comments(unit.source, errors)
    if not errors.found:
        declarations.warn_of_unused()
    return Unit(
        unit.source,
        [each for each in functions if not declarations.is_unused_of_header(each)],
        errors.found,
        errors.warnings,
        declarations.may_recurse,
        declarations.assumed,
        declarations.globals,
        list(declarations.externals.values()),
        declarations.external_objects,
    )


def semantic_errors(unit: TranslationUnit, syntax_errors: SyntaxErrors) -> list[Diagnostic]:
    """The semantic errors of a unit with syntax errors, in the functions without them, and the warnings that may
    explain the syntax errors: about comments, and about bodies and indentation in the other functions.
    """
    reported = {found.span.start for found in syntax_errors.found if found.span}
    found = [each for each in typed(unit).errors if each.span and each.span.start not in reported]
    return found + chosen_warnings().chosen(_explanations(unit))


def _explanations(unit: TranslationUnit) -> list[Diagnostic]:
    errors = Errors()
    tree = TreeWarnings(errors)
    warn_of_comments(unit.source, errors)
    for function in unit.items:
        if isinstance(function, FunctionDefinition) and function.damaged:
            for statement in statements_within(function.body):
                tree.structure(statement)
    return errors.warnings
