"""The lowering of calls: of the program's functions, of library functions, and of the macro `assert`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpsconv.frontends.c.diagnostics import POISON, misspelt, misspelt_keyword
from cpsconv.frontends.c.lowering.conversions import Conversions
from cpsconv.frontends.c.meaning.declarations import ASSERT_HEADER, LIBRARY, UNSUPPORTED, LibraryFunction, signature
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tokens import spliced
from cpsconv.frontends.c.syntax.tree import CallExpression, Expression
from cpsconv.frontends.c.types import argument_promoted, type_of
from cpsconv.ir import (
    ABORT,
    DOUBLE,
    EXTERNALS,
    INT,
    LONG,
    STRING,
    UNSIGNED,
    UNSIGNED_LONG,
    Constant,
    Function,
    Scalar,
    Undef,
    Value,
)
from cpsconv.operations.table import EFFECTS
from cpsconv.source import Note, Span
from cpsconv.trampoline import Computation, Step

if TYPE_CHECKING:
    from cpsconv.operations.formats import Slot

_CONVERSIONS = {INT: "%d", UNSIGNED: "%u", LONG: "%ld", UNSIGNED_LONG: "%lu", DOUBLE: "%f", STRING: "%s"}
"""The plain printf conversion for each type after the default argument promotions."""


class Calls(Conversions):
    """Lowers the calls in one function."""

    def call(self, node: CallExpression) -> Step[Value | None]:
        """The result of the call; None for `void`, `POISON` for an erroneous call."""
        name = node.callee.name
        if self.scopes.find(name):
            return self._no_function(node)
        if name in self.functions.unknown:
            return self._check_arguments(node)
        declaration, function = self.functions.visible.get(name), self.built.get(name)
        if declaration and function:
            return self._call(node, declaration, function)
        library = self.functions.library(name)
        if library:
            return self._printf(node) if library.variadic else self._library_call(node, library)
        if name == "assert" and ASSERT_HEADER in self.functions.headers:
            return self._assert(node)
        return self._no_function(node)

    # -------------------------------------------------------------------------------------- the program's functions

    def _call(
        self, node: CallExpression, declaration: c.FunctionDeclaration, function: Function
    ) -> Computation[Value | None]:
        types = [type_of(parameter) for parameter in function.parameters[:-1]]
        if len(node.arguments) != len(types):
            note = (f"it is declared here as `{signature(declaration)}`", declaration.span)
            yield self._wrong_count(node, len(types), [note])
            return POISON
        arguments = yield self._arguments(node.arguments, types)
        self.functions.note_call(self.definition.name, function)
        result = self.emit.call(function, arguments, node.span)
        if not self.functions.returns(declaration.name):
            self.emit.leave(ABORT, span=node.span)  # its return is undefined behaviour (C17 6.7.4, paragraph 8)
        return result

    def _arguments(self, nodes: list[Expression], types: Sequence[Scalar]) -> Computation[list[Value]]:
        """The arguments, evaluated from left to right, converted to the types of the parameters."""
        arguments: list[Value] = []
        for node, type in zip(nodes, types, strict=True):
            value = yield self.part(node)
            arguments.append(self._passed(value, type, node))
        return arguments

    def _passed(self, value: Value | None, type: Scalar, node: Expression) -> Value:
        if type is not STRING:
            return self.assigned(type, value, node)
        if value is None or (value.type is not STRING and value is not POISON):
            value = self.errors.report("type-mismatch", "expected a string", node.span)
        return Undef(STRING, "unknown") if value is POISON else value

    def _wrong_count(self, node: CallExpression, expected: int, notes: Sequence[Note] = ()) -> Computation[Value]:
        takes = f"takes {expected or 'no'} argument{'' if expected == 1 else 's'}"
        message = f"`{node.callee.name}` {takes}, but {_given(len(node.arguments))}"
        self.errors.report("argument-count", message, node.callee.span, notes=notes)
        return self._check_arguments(node)

    def _check_arguments(self, node: CallExpression) -> Computation[Value]:
        """Lower the arguments of an erroneous call, only to report their errors."""
        for argument in node.arguments:
            yield self.part(argument)
        return POISON

    # ------------------------------------------------------------------------------------------- library functions

    def _library_call(self, node: CallExpression, library: LibraryFunction) -> Computation[Value | None]:
        if len(node.arguments) != len(library.parameters):
            yield self._wrong_count(node, len(library.parameters))
            return POISON
        name = library.operation
        if name == "abs":
            [argument], [type] = node.arguments, library.parameters
            value = self.data((yield self.part(argument)), argument)
            self.checks.absolute(node.callee.name, type, type_of(value), node.span)
            return self.emit.primitive(name, self._passed(value, type, argument), span=node.span)
        arguments = yield self._arguments(node.arguments, library.parameters)
        if name in EXTERNALS:
            self.emit.leave(EXTERNALS[name], *arguments, span=node.span)
            return None
        if name in EFFECTS:
            return self.emit.effect(name, *arguments, span=node.span)
        return self.emit.primitive(name, *arguments, span=node.span)

    # ------------------------------------------------------------------------------------------------------ printf

    def _printf(self, node: CallExpression) -> Computation[Value]:
        """``printf(format, …)``, each argument converted to the type that the format requires."""
        format = node.arguments[0] if node.arguments else node.callee
        if not isinstance(format, c.StringLiteral):
            if not isinstance(format, c.Erroneous):
                self.errors.report("format", "the format must be a string literal", format.span)
            yield self._check_arguments(node)
            return POISON
        text = yield self.part(format)
        values: list[Value] = []
        for argument in node.arguments[1:]:
            values.append(self._promoted((yield self.part(argument)), argument))
        return self.emit.effect("printf", text, *self._printed(values, node.arguments[1:], format), span=node.span)

    def _printed(self, values: list[Value], nodes: list[Expression], format: c.StringLiteral) -> list[Value]:
        """The values that the format uses, converted. Reports missing, unused and unsuitable arguments."""
        from cpsconv.operations.formats import slots  # imported on use: most commands start without a printf

        try:
            taken = slots(format.value)
        except ValueError as unsupported:
            self.errors.report("format", f"the conversion `{unsupported}` is not supported", format.span)
            return []
        if not format.value:
            self.errors.warn("format-zero-length", "an empty `printf` format", format.span)
        if len(values) < len(taken):
            expected = f"{len(taken)} argument{'s' if len(taken) > 1 else ''}"
            self.errors.report(
                "format", f"the format takes {expected} after it, but {_given(len(values))}", format.span
            )
        if len(values) > len(taken):
            self.errors.warn("format-extra-args", "the format does not use this argument", nodes[len(taken)].span)
        return [self._fitted(*each) for each in zip(taken, values, nodes, strict=False)]

    def _promoted(self, value: Value | None, node: Expression) -> Value:
        """The value after the default argument promotions."""
        if value is not None and value.type is STRING:
            return value
        value = self.data(value, node)
        if value is POISON:
            return POISON
        return self.convert(argument_promoted(type_of(value)), value, node.span)

    def _fitted(self, slot: Slot, value: Value, node: Expression) -> Value:
        """The value as the format requires it.

        Integers are reinterpreted. Of another size, which is undefined behaviour, they are truncated or extended with
        zeros, as by code for x86-64, which writes and reads parts of 64-bit registers.
        """
        given, expected = type_of(value), slot.type
        are_integers = given.kind == expected.kind == "integer"
        if value is not POISON and given is not expected and not (are_integers and given.bits == expected.bits):
            help = None if slot.shown == "*" else f"use `{_CONVERSIONS[given]}` for `{given}`"
            message = f"`{slot.shown}` takes `{expected}`, but this is `{given}`"
            if not are_integers:
                return self.errors.report("format", message, node.span, help=help)
            self.errors.warn("format", message, node.span, help=help)
            value = self.convert(UNSIGNED, value, node.span)
        return value if expected is STRING else self.convert(expected, value, node.span)

    # ------------------------------------------------------------------------------------------------------ assert

    def _assert(self, node: CallExpression) -> Computation[Value | None]:
        """``assert(condition)``: continue if the condition holds, else print it and abort."""
        if len(node.arguments) != 1:
            yield self._wrong_count(node, 1)
            return POISON
        emit = self.emit
        holds, fails = emit.continuation("holds", span=node.span), emit.continuation("fails", span=node.span)
        yield self.condition(node.arguments[0], holds, fails)
        emit.open(fails)
        emit.effect("eprint", Constant(STRING, self._failure(node)), span=node.span)
        emit.leave(ABORT, span=node.span)
        emit.open(holds)
        return None

    def _failure(self, node: CallExpression) -> str:
        """The message of a failing assertion, one character for each byte."""
        source = node.span.source
        file, line, _ = source.origin(node.span.start)
        text = spliced(source.text[node.callee.span.end : node.span.end]).strip()[1:-1]
        shown = f"{file}:{line}: {self.definition.name}: Assertion `{' '.join(text.split())}' failed.\n"
        return shown.encode("utf-8", "surrogateescape").decode("latin-1")

    # --------------------------------------------------------------------------------------------- erroneous calls

    def _no_function(self, node: CallExpression) -> Computation[Value]:
        """Report a name that cannot be called, once for each name."""
        name = node.callee.name
        if name not in self.scopes.undeclared:
            self.scopes.undeclared.add(name)
            self._report_uncallable(name, node.callee.span)
        return self._check_arguments(node)

    def _report_uncallable(self, name: str, span: Span) -> None:
        binding, declaration = self.scopes.find(name), self.functions.visible.get(name)
        definition = self.functions.definitions.get(name)
        if binding and binding.variable.span:
            note = ("it is declared here", binding.variable.span)
            self.errors.report("not-a-function", f"`{name}` is a variable, not a function", span, notes=[note])
        elif name in UNSUPPORTED and not definition:
            self.errors.report("unsupported", f"the library function `{name}` is not supported yet", span)
        elif self.functions.may_be_declared(name):
            pass
        elif declaration:
            note = ("it is declared here", declaration.span)
            self.errors.report("undefined-function", f"`{name}` is declared but never defined", span, notes=[note])
        elif definition:
            help = f"declare it before it is called: `{signature(definition)};`"
            self.errors.report("undeclared", f"`{name}` is not declared yet", span, help=help)
        else:
            self.errors.report("undeclared", f"`{name}` is not declared", span, help=self._help(name))

    def _help(self, name: str) -> str | None:
        """The help for an undeclared function: the header that declares it, or a similar name."""
        header = LIBRARY[name].header if name in LIBRARY else ASSERT_HEADER if name == "assert" else None
        if header:
            return f"add `#include <{header}>`"
        near = misspelt(name, LIBRARY) or misspelt_keyword(name)
        visible = self.errors.suggestion(name, self.functions.names())
        return visible or (f"did you mean `{near}`?" if near else None)


def _given(count: int) -> str:
    return f"{count or 'none'} {'is' if count < 2 else 'are'} given"
