"""The lowering of C: from typed trees to a CPS program through the Builder."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cpsconv.abi.attributes import CSignature, set_signature
from cpsconv.core.analysis.graph import depth_first, successors
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import INT, VOID, Call, Constant, Continuation, Edge, Function, Jump, Program, Scalar, Undef
from cpsconv.core.progress import steps
from cpsconv.core.source import Diagnostic
from cpsconv.core.trampoline import perform
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.lowering.calls import c_signature, returned, signature
from cpsconv.languages.c.lowering.emission import Emitter, linkage
from cpsconv.languages.c.lowering.promotion import uses_memory
from cpsconv.languages.c.lowering.statements import Statements
from cpsconv.languages.c.meaning import typed_tree as t


def lower(unit: t.Unit, builder: Builder, warnings: list[Diagnostic]) -> Program:
    """The program of a translation unit, constructed with `builder`. Warnings are appended to `warnings`.

    Raises `DiagnosticError` with all semantic errors.
    """
    errors = Errors()
    errors.found += unit.errors
    errors.warnings += unit.warnings
    if unit.globals or any(function.has_objects for function in unit.functions):
        errors.raise_if_any()
    lowering = _Lowering(unit, builder, errors)
    for function in steps("converting", unit.functions):
        lowering.function(function)
    errors.raise_if_any()
    program = builder.program(unit.source)
    if unit.may_recurse:
        warn_of_recursion(program, errors)
    warnings += errors.warnings
    return program


class _Lowering:
    """Lowers the functions of one unit."""

    def __init__(self, unit: t.Unit, builder: Builder, errors: Errors) -> None:
        self._emit = Emitter(builder)
        self._errors = errors
        built = {each: self._declare(each) for each in unit.functions}
        self._statements = Statements(self._emit, built, errors)
        built |= {each: self._external(each) for each in unit.externals}
        for each in unit.external_objects:
            self._statements.expressions.objects.declare(each)
        if unit.globals:
            from cpsconv.languages.c.lowering.data import Contents  # many programs have no globals

            Contents(self._statements.expressions).define([each for each in unit.globals if each.is_defined])

    def _type(self, function: t.Function) -> tuple[list[Variable], Scalar]:
        return [Variable(*each) for each in signature(function)], returned(function.result)

    def _declare(self, function: t.Function) -> Function:
        return self._emit.builder.declare(function.name, *self._type(function), function.span, linkage(function))

    def _external(self, function: t.Function) -> Function:
        """An external function. Its structs may be those of global data, so that the data types are known."""
        signature = self._signature(function)
        external = self._emit.builder.external(function.name, *self._type(function), function.span, linkage(function))
        set_signature(external, signature)
        return external

    def _signature(self, function: t.Function) -> CSignature | None:
        return c_signature(function, self._statements.expressions.places.types, self._errors)

    def function(self, function: t.Function) -> None:
        """Build the function of the program for a typed function."""
        emit, statements = self._emit, self._statements
        opened = emit.function(function.name, statements.begin(function), returned(function.result), function.span)
        statements.enter(opened)
        perform(statements.items(function.body))
        self._return_at_end(function)
        finished = emit.finish()
        set_signature(finished, self._signature(function))
        statements.keep_captured()
        if uses_memory(function):
            emit.builder.variables[finished] = statements.variables()
        if not function.returns:
            self._warn_of_returns(finished)

    def _return_at_end(self, function: t.Function) -> None:
        """Return at the closing brace, if reachable: 0 from `main`, an undefined value from other functions."""
        name, result, end = function.name, returned(function.result), function.end
        self._statements.leave(end)
        if result is VOID:
            self._emit.ret(None, end)
        elif name == "main":
            self._emit.ret(Constant(INT, 0), end)
        elif self._emit.live:
            self._errors.warn("return-type", f"`{name}` may end without returning a value", end)
            self._emit.ret(Undef(result, f"{name}()", end), end)

    def _warn_of_returns(self, function: Function) -> None:
        """Warn of each return of a function that is declared not to return."""
        for member in function.members():
            match member.transfer:
                case Jump(Edge(target), span) if target is function.ret and span:
                    message = f"`{function.name}` is declared `_Noreturn`, but may return here"
                    self._errors.warn("invalid-noreturn", message, span)


# ----------------------------------------------------------------------------------------------- endless recursion


def warn_of_recursion(program: Program, errors: Errors) -> None:
    """Warn of functions that call themselves or each other on every path. There is one warning for each such set."""
    defined = {*program.functions}
    callees = {
        function: [call.callee for call in _calls(function) if call.callee in defined] for function in program.functions
    }
    order = {function: number for number, function in enumerate(program.functions)}
    callers: dict[Function, list[Function]] = {function: [] for function in callees}
    for function, called in callees.items():
        for callee in called:
            callers[callee].append(function)
    for component in strongly_connected_components(callees, callees.__getitem__):
        endless = {function for function in component if len(component) > 1 or function in callees[function]}
        pending = [*endless]
        while pending:
            function = pending.pop()
            if function in endless and _may_end(function, endless):
                endless.remove(function)
                pending += callers[function]
        first = min(endless, key=order.__getitem__, default=None)
        if first:
            assert first.span
            call = next(call for call in _calls(first) if call.callee in endless)
            message = f"endless recursion: each call of `{first.name}` leads to another one"
            notes = [(f"`{call.callee.name}` is called here, for example", call.span)]
            errors.warn("infinite-recursion", message, first.span, notes=notes)


def _calls(function: Function) -> Iterator[Call]:
    return (member.transfer for member in function.members() if isinstance(member.transfer, Call))


def _may_end(function: Function, endless: Collection[Function]) -> bool:
    """Whether a path without calls of `endless` functions leads to a return, or to the end of the program."""

    def following(member: Continuation) -> list[Continuation]:
        return [] if _calls_one_of(endless, member) else successors(member)

    entry: Continuation = function
    reached = [member for member, _ in depth_first([entry], following) if not _calls_one_of(endless, member)]
    edges = [edge for member in reached if member.transfer for edge in member.transfer.edges]
    return any(not isinstance(edge.target, Continuation) for edge in edges)


def _calls_one_of(functions: Collection[Function], member: Continuation) -> bool:
    return isinstance(member.transfer, Call) and member.transfer.callee in functions
