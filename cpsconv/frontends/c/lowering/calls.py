"""Calls: of the program's functions, of those in the library, and the macro `assert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsconv.frontends.c.diagnostics import POISON, Complaints, certainly_near, near_statement
from cpsconv.frontends.c.emission import Emitter
from cpsconv.frontends.c.meaning.declarations import (
    ASSERT_HEADER,
    CONVERSION_FOR,
    LIBRARY,
    UNSUPPORTED,
    Functions,
    LibraryFunction,
    Scopes,
    fits,
    signature,
)
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tokens import spliced
from cpsconv.frontends.c.syntax.tree import CallExpression, Expression
from cpsconv.frontends.c.types import promoted, type_of
from cpsconv.ir import ABORT, DOUBLE, EXTERNALS, FLOAT, STRING, Constant, Function, Scalar, Undef, Value
from cpsconv.operations.formats import Slot, slots
from cpsconv.operations.table import EFFECTS
from cpsconv.source import Span
from cpsconv.trampoline import Computation, Step

if TYPE_CHECKING:
    from cpsconv.frontends.c.lowering.expressions import Expressions


class Calls:
    """Lowers the calls in one function."""

    def __init__(
        self,
        expressions: Expressions,
        emit: Emitter,
        scopes: Scopes,
        functions: Functions,
        complaints: Complaints,
        caller: str,
    ) -> None:
        self._expressions = expressions
        self._emit = emit
        self._scopes = scopes
        self._functions = functions
        self._complaints = complaints
        self._caller = caller

    def call(self, node: CallExpression) -> Step[Value | None]:
        """The result of the call; None if it is `void`, `POISON` if the call is wrong."""
        name = node.callee.name
        if self._scopes.find(name):
            return self._no_function(node)
        declaration, function = self._functions.find(name), self._functions.built(name)
        if declaration and function:
            return self._call(node, declaration, function)
        library = self._functions.library(name)
        if library:
            return self._printf(node) if library.variadic else self._library_call(node, library)
        if name == "assert" and ASSERT_HEADER in self._functions.headers:
            return self._assert(node)
        return self._no_function(node)

    # -------------------------------------------------------------------------------------- the program's functions

    def _call(
        self, node: CallExpression, declaration: c.FunctionDeclaration, function: Function
    ) -> Computation[Value | None]:
        types = [type_of(parameter) for parameter in function.parameters[:-1]]
        if len(node.arguments) != len(types):
            note = (f"it is declared here as `{signature(declaration)}`", declaration.span)
            yield self._wrong_count(node, len(types), note)
            return POISON
        arguments = yield self._arguments(node.arguments, types)
        result = self._emit.call(function, arguments, node.span)
        if not self._functions.returns(declaration.name):
            self._emit.leave(ABORT, span=node.span)  # if it does return, anything may happen (C17 6.7.4, paragraph 8)
        return result

    def _arguments(self, nodes: list[Expression], types: list[Scalar]) -> Computation[list[Value]]:
        """The arguments, from left to right, converted to the types of the parameters."""
        arguments: list[Value] = []
        for node, type in zip(nodes, types, strict=True):
            value = yield self._expressions.part(node)
            arguments.append(self._passed(value, type, node))
        return arguments

    def _passed(self, value: Value | None, type: Scalar, node: Expression) -> Value:
        if type is not STRING:
            return self._expressions.assigned(type, value, node)
        if value is None or (value.type is not STRING and value is not POISON):
            value = self._complaints.error("a string is needed here", node.span)
        return Undef(STRING, "unknown") if value is POISON else value

    def _wrong_count(
        self, node: CallExpression, wanted: int, note: tuple[str, Span] | None = None
    ) -> Computation[Value]:
        given = len(node.arguments)
        takes = f"takes {wanted or 'no'} argument{'' if wanted == 1 else 's'}"
        message = f"`{node.callee.name}` {takes}, but {given or 'none'} {'is' if given < 2 else 'are'} given"
        self._complaints.error(message, node.callee.span, note=note)
        return self._only_check(node)

    def _only_check(self, node: CallExpression) -> Computation[Value]:
        """Find what is wrong with the arguments of a call that is wrong itself."""
        for argument in node.arguments:
            yield self._expressions.part(argument)
        return POISON

    # ------------------------------------------------------------------------------------------------- the library

    def _library_call(self, node: CallExpression, library: LibraryFunction) -> Computation[Value | None]:
        if len(node.arguments) != len(library.parameters):
            yield self._wrong_count(node, len(library.parameters))
            return POISON
        arguments = yield self._arguments(node.arguments, [*library.parameters])
        return self._operation(library, arguments, node.span)

    def _operation(self, library: LibraryFunction, arguments: list[Value], span: Span) -> Value | None:
        name = library.operation
        if name in EXTERNALS:
            self._emit.leave(EXTERNALS[name], *arguments, span=span)
            return None
        if name in EFFECTS:
            return self._emit.effect(name, *arguments, span=span)
        [operand] = arguments
        return self._emit.unary(name, operand, span)

    # ------------------------------------------------------------------------------------------------------ printf

    def _printf(self, node: CallExpression) -> Computation[Value]:
        """``printf(format, …)``, each argument converted to exactly the type that the format says."""
        format = node.arguments[0] if node.arguments else node.callee
        if not isinstance(format, c.StringLiteral):
            self._complaints.error("the format must be a string literal", format.span)
            yield self._only_check(node)
            return POISON
        text = yield self._expressions.part(format)
        values: list[Value] = []
        for argument in node.arguments[1:]:
            values.append(self._promoted((yield self._expressions.part(argument)), argument))
        return self._emit.effect("printf", text, *self._printed(values, node.arguments[1:], format), span=node.span)

    def _printed(self, values: list[Value], nodes: list[Expression], format: c.StringLiteral) -> list[Value]:
        """The values as the format takes them, with a complaint about each that does not fit."""
        try:
            taken = slots(format.value)
        except ValueError as unsupported:
            self._complaints.error(f"the conversion `{unsupported}` is not supported", format.span)
            return []
        if len(values) < len(taken):
            wanted = f"{len(taken)} argument{'s' if len(taken) > 1 else ''}"
            given = f"{len(values) or 'none'} {'is' if len(values) < 2 else 'are'} given"
            self._complaints.error(f"the format takes {wanted} after it, but {given}", format.span)
        if len(values) > len(taken):
            self._complaints.warning("the format does not use this argument", nodes[len(taken)].span)
        return [self._fitted(*each) for each in zip(taken, values, nodes, strict=False)]

    def _promoted(self, value: Value | None, node: Expression) -> Value:
        """C's default argument promotions."""
        if value is not None and value.type is STRING:
            return value
        value = self._expressions.data(value, node)
        if value is POISON:
            return POISON
        type = type_of(value)
        return self._expressions.convert(DOUBLE if type is FLOAT else promoted(type), value, node.span)

    def _fitted(self, slot: Slot, value: Value, node: Expression) -> Value:
        if value is not POISON and not fits(slot, type_of(value)):
            help = None if slot.shown == "*" else f"`{CONVERSION_FOR[type_of(value)]}` is for `{value.type}`"
            message = f"`{slot.shown}` takes `{slot.type}`, but this is `{value.type}`"
            return self._complaints.error(message, node.span, help=help)
        return value if slot.type is STRING else self._expressions.convert(slot.type, value, node.span)

    # ------------------------------------------------------------------------------------------------------ assert

    def _assert(self, node: CallExpression) -> Computation[Value | None]:
        """``assert(condition)``: go on if it holds, else say which one failed and abort."""
        if len(node.arguments) != 1:
            yield self._wrong_count(node, 1)
            return POISON
        emit = self._emit
        holds, fails = emit.continuation("holds", span=node.span), emit.continuation("fails", span=node.span)
        yield self._expressions.condition(node.arguments[0], holds, fails)
        emit.open(fails)
        emit.effect("eprint", Constant(STRING, self._failure(node)), span=node.span)
        emit.leave(ABORT, span=node.span)
        emit.open(holds)
        return None

    def _failure(self, node: CallExpression) -> str:
        """What a failing assertion prints, as bytes."""
        source = node.span.source
        text = spliced(source.text[node.callee.span.end : node.span.end]).strip()[1:-1]
        shown = f"{source.name}:{node.span.line}: {self._caller}: Assertion `{' '.join(text.split())}' failed.\n"
        return shown.encode().decode("latin-1")

    # ------------------------------------------------------------------------------------------------- wrong calls

    def _no_function(self, node: CallExpression) -> Computation[Value]:
        """Complain about a call of what cannot be called: once for each name."""
        name = node.callee.name
        if name not in self._scopes.undeclared:
            self._scopes.undeclared.add(name)
            self._complain(name, node.callee.span)
        return self._only_check(node)

    def _complain(self, name: str, span: Span) -> None:
        binding, declaration = self._scopes.find(name), self._functions.find(name)
        definition = self._functions.defined(name)
        if binding and binding.variable.span:
            note = ("it is declared here", binding.variable.span)
            self._complaints.error(f"`{name}` is a variable, not a function", span, note=note)
        elif declaration and name not in UNSUPPORTED:
            note = ("it is declared here", declaration.span)
            self._complaints.error(f"`{name}` is declared but never defined", span, note=note)
        elif definition:
            help = f"declare it before it is called: `{signature(definition)};`"
            self._complaints.error(f"`{name}` is not declared yet", span, help=help)
        elif name in UNSUPPORTED:
            self._complaints.error(f"the library function `{name}` is not supported yet", span)
        else:
            self._complaints.error(f"`{name}` is not declared", span, help=self._missing_header(name))

    def _missing_header(self, name: str) -> str | None:
        """Help for a function that is not declared: the header that declares it, or a name like it."""
        if name in LIBRARY:
            return f"include <{LIBRARY[name].header}>"
        if name == "assert":
            return f"include <{ASSERT_HEADER}>"
        near = certainly_near(name, LIBRARY) or near_statement(name)
        visible = self._complaints.near(name, self._functions.names())
        return visible or (f"did you mean `{near}`?" if near else None)
