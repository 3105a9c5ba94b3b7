"""From the syntax tree straight to the Builder: one walk that resolves names, types expressions, and emits."""

from __future__ import annotations

from cpsconv.construction import Builder, Variable
from cpsconv.frontends.c.diagnostics import Complaints
from cpsconv.frontends.c.emission import Emitter
from cpsconv.frontends.c.lowering.expressions import Expressions
from cpsconv.frontends.c.lowering.prescan import Survey
from cpsconv.frontends.c.lowering.statements import Statements
from cpsconv.frontends.c.meaning.declarations import Functions, Scopes
from cpsconv.frontends.c.syntax.tree import Compound, FunctionDeclaration, TranslationUnit
from cpsconv.ir import INT, VOID, Constant, Edge, Function, Jump, Program, Undef
from cpsconv.progress import steps
from cpsconv.source import Diagnostic, Span, error
from cpsconv.trampoline import perform


def lower(unit: TranslationUnit, builder: Builder, warnings: list[Diagnostic]) -> Program:
    """The program of a translation unit, made with `builder`; what is only doubtful is added to `warnings`.

    Raises `DiagnosticError` with all errors found.
    """
    complaints = Complaints()
    functions = Functions(unit, builder, complaints)
    complaints.stop()
    program = Program([], unit.source)
    for declaration in steps("converting", unit.functions):
        functions.declare(declaration)
        if declaration.body and functions.is_definition(declaration):
            program.functions.append(_lower_function(declaration, declaration.body, functions, builder, complaints))
    if not program.functions:
        complaints.errors.append(error(f"{unit.source.name}: there is no function in this file"))
    complaints.stop()
    warnings += complaints.warnings
    return program


def _lower_function(
    definition: FunctionDeclaration, body: Compound, functions: Functions, builder: Builder, complaints: Complaints
) -> Function:
    emit, scopes = Emitter(builder), Scopes(complaints)
    expressions = Expressions(emit, scopes, functions, complaints, definition.name)
    statements = Statements(emit, scopes, expressions, complaints, Survey(body), definition.result)
    scopes.enter()  # that of the parameters and the outermost variables alike
    parameters = [
        scopes.declare(p.name, p.type, p.constant, p.span) if p.name else Variable("unnamed", p.type, p.span)
        for p in definition.parameters
    ]
    emit.function(definition.name, parameters, definition.result, definition.span)
    perform(statements.items(body.items))
    _return_at_end(definition, body.end, emit, complaints)
    function = emit.finish()
    if not functions.returns(definition.name):
        _warn_of_returns(function, complaints)
    return function


def _return_at_end(definition: FunctionDeclaration, end: Span, emit: Emitter, complaints: Complaints) -> None:
    """What happens where control comes to the closing brace: `main` returns 0, another function nothing defined."""
    name, result = definition.name, definition.result
    if result is VOID:
        emit.ret(None, end)
    elif name == "main":
        emit.ret(Constant(INT, 0), end)
    elif emit.live:
        complaints.warning(f"`{name}` may end without returning a value", end)
        emit.ret(Undef(result, name, end), end)


def _warn_of_returns(function: Function, complaints: Complaints) -> None:
    """Warn of each way in which a function returns that is declared not to."""
    for member in function.members():
        match member.transfer:
            case Jump(Edge(target), span) if target is function.ret and span:
                complaints.warning(f"`{function.name}` is declared `_Noreturn`, but may return here", span)
