"""The lowering of C: from the syntax tree to a CPS program through the Builder, in one walk without a typed tree."""

from __future__ import annotations

from cpsconv.construction import Builder, Variable
from cpsconv.frontends.c.diagnostics import Errors, SyntaxErrors
from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.lowering.expressions import Expressions
from cpsconv.frontends.c.lowering.statements import Statements
from cpsconv.frontends.c.lowering.unit_warnings import warn_of_comments, warn_of_recursion, warn_of_unused_functions
from cpsconv.frontends.c.meaning.declarations import Functions, Scopes
from cpsconv.frontends.c.syntax.tree import Compound, FunctionDeclaration, ParameterDeclaration, TranslationUnit
from cpsconv.frontends.c.types import UNKNOWN
from cpsconv.ir import INT, VOID, Constant, Edge, Function, Jump, Program, Scalar, Undef
from cpsconv.progress import steps
from cpsconv.source import Diagnostic, Span
from cpsconv.trampoline import perform


def lower(unit: TranslationUnit, builder: Builder, warnings: list[Diagnostic]) -> Program:
    """The program of a translation unit, constructed with `builder`. Warnings are appended to `warnings`.

    Raises `DiagnosticError` with all semantic errors.
    """
    errors = Errors()
    errors.warnings += unit.warnings
    functions = Functions(unit, errors)
    program = _lower(unit, functions, builder, errors)
    errors.raise_if_any()
    warn_of_comments(unit.source, errors)
    warn_of_recursion(program, functions, errors)
    warn_of_unused_functions(unit, functions, errors)
    warnings += errors.warnings
    return program


def semantic_errors(unit: TranslationUnit, syntax_errors: SyntaxErrors) -> list[Diagnostic]:
    """The semantic errors of a unit with syntax errors, in the functions without them."""
    errors = Errors()
    _lower(unit, Functions(unit, errors), Builder(), errors)
    reported = {found.span.start for found in syntax_errors.found if found.span}
    return [found for found in errors.found if found.span and found.span.start not in reported]


def _lower(unit: TranslationUnit, functions: Functions, builder: Builder, errors: Errors) -> Program:
    built = {name: _declare(definition, builder) for name, definition in functions.definitions.items()}
    program = Program([], unit.source)
    for declaration in steps("converting", unit.functions):
        functions.declare(declaration)
        body = declaration.body
        if body and functions.is_definition(declaration) and not declaration.damaged:
            expressions = Expressions(declaration, functions, built, Emitter(builder), Scopes(errors), errors)
            program.functions.append(_lower_function(declaration, body, expressions))
    return program


def _declare(definition: FunctionDeclaration, builder: Builder) -> Function:
    parameters = [_parameter(p) for p in definition.parameters]
    return builder.declare(definition.name, parameters, _result(definition), definition.span)


def _parameter(declaration: ParameterDeclaration) -> Variable:
    """The variable for an unnamed parameter, or for a parameter of unknown type."""
    type = INT if declaration.type in (VOID, UNKNOWN) else declaration.type
    return Variable(declaration.name or "unnamed", type, declaration.span)


def _result(definition: FunctionDeclaration) -> Scalar:
    return VOID if definition.result is UNKNOWN else definition.result


def _lower_function(definition: FunctionDeclaration, body: Compound, expressions: Expressions) -> Function:
    name, emit, scopes, errors = definition.name, expressions.emit, expressions.scopes, expressions.errors
    scopes.enter()  # one scope for the parameters and the outermost variables
    parameters = []
    for each in definition.parameters:
        is_known = each.type not in (VOID, UNKNOWN)
        if each.name and is_known:
            parameters.append(scopes.declare(each.name, each.type, each.constant, each.span, is_parameter=True))
            continue
        parameters.append(_parameter(each))
        if each.name:
            scopes.declare_unknown(each.name, each.span)
    emit.function(name, parameters, _result(definition), definition.span)
    expressions.tree.compound(body.items)
    perform(Statements(expressions, body).items(body.items))
    _return_at_end(definition, body.end, emit, errors)
    scopes.leave()
    function = emit.finish()
    if not expressions.functions.returns(name):
        for member in function.members():
            match member.transfer:
                case Jump(Edge(target), span) if target is function.ret and span:
                    errors.warn("invalid-noreturn", f"`{name}` is declared `_Noreturn`, but may return here", span)
    return function


def _return_at_end(definition: FunctionDeclaration, end: Span, emit: Emitter, errors: Errors) -> None:
    """Return at the closing brace, if reachable: 0 from `main`, an undefined value from other functions."""
    name, result = definition.name, _result(definition)
    if result is VOID:
        emit.ret(None, end)
    elif name == "main":
        emit.ret(Constant(INT, 0), end)
    elif emit.live:
        errors.warn("return-type", f"`{name}` may end without returning a value", end)
        emit.ret(Undef(result, f"{name}()", end), end)
