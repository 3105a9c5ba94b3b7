"""The lowering of C: from the syntax tree to a CPS program through the Builder, in one walk without a typed tree."""

from __future__ import annotations

from cpsconv.construction import Builder, Variable
from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.lowering.expressions import Expressions
from cpsconv.frontends.c.lowering.statements import Statements
from cpsconv.frontends.c.meaning.declarations import Functions, Scopes
from cpsconv.frontends.c.syntax.tree import Compound, FunctionDeclaration, TranslationUnit
from cpsconv.ir import INT, VOID, Constant, Edge, Function, Jump, Program, Undef
from cpsconv.progress import steps
from cpsconv.source import Diagnostic, Span
from cpsconv.trampoline import perform


def lower(unit: TranslationUnit, builder: Builder, warnings: list[Diagnostic]) -> Program:
    """The program of a translation unit, constructed with `builder`. Warnings are appended to `warnings`.

    Raises `DiagnosticError` with all semantic errors.
    """
    errors = Errors()
    functions = Functions(unit, errors)
    errors.raise_if_any()
    built = {name: _declare(definition, builder) for name, definition in functions.definitions.items()}
    program = Program([], unit.source)
    for declaration in steps("converting", unit.functions):
        functions.declare(declaration)
        body = declaration.body
        if body and functions.is_definition(declaration):
            expressions = Expressions(declaration, functions, built, Emitter(builder), Scopes(errors), errors)
            program.functions.append(_lower_function(declaration, body, expressions))
    errors.raise_if_any()
    warnings += errors.warnings
    return program


def _declare(definition: FunctionDeclaration, builder: Builder) -> Function:
    parameters = [Variable(p.name or "unnamed", p.type, p.span) for p in definition.parameters]
    return builder.declare(definition.name, parameters, definition.result, definition.span)


def _lower_function(definition: FunctionDeclaration, body: Compound, expressions: Expressions) -> Function:
    name, emit, scopes, errors = definition.name, expressions.emit, expressions.scopes, expressions.errors
    scopes.enter()  # one scope for the parameters and the outermost variables
    parameters = [
        scopes.declare(p.name, p.type, p.constant, p.span) if p.name else Variable("unnamed", p.type, p.span)
        for p in definition.parameters
    ]
    emit.function(name, parameters, definition.result, definition.span)
    perform(Statements(expressions, body).items(body.items))
    _return_at_end(definition, body.end, emit, errors)
    function = emit.finish()
    if not expressions.functions.returns(name):
        for member in function.members():
            match member.transfer:
                case Jump(Edge(target), span) if target is function.ret and span:
                    errors.warn("invalid-noreturn", f"`{name}` is declared `_Noreturn`, but may return here", span)
    return function


def _return_at_end(definition: FunctionDeclaration, end: Span, emit: Emitter, errors: Errors) -> None:
    """Return at the closing brace, if reachable: 0 from `main`, an undefined value from other functions."""
    name, result = definition.name, definition.result
    if result is VOID:
        emit.ret(None, end)
    elif name == "main":
        emit.ret(Constant(INT, 0), end)
    elif emit.live:
        errors.warn("return-type", f"`{name}` may end without returning a value", end)
        emit.ret(Undef(result, name, end), end)
