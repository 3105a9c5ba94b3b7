"""The types and conversions of calls: of the program's functions, of library functions, and of the macro `assert`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpsconv.frontends.c.diagnostics import misspelt, misspelt_keyword
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.meaning.conversions import Conversions
from cpsconv.frontends.c.meaning.declarations import ASSERT_HEADER, LIBRARY, UNSUPPORTED, LibraryFunction, signature
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tokens import spliced
from cpsconv.frontends.c.types import (
    DOUBLE,
    INT,
    LONG,
    STRING,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
    VOID,
    CType,
    argument_promoted,
    is_integer_type,
)
from cpsconv.source import Note, Span
from cpsconv.trampoline import Computation, Step

if TYPE_CHECKING:
    from cpsconv.operations.formats import Slot

_FORMATTED: dict[CType, str] = {
    INT: "%d",
    UNSIGNED: "%u",
    LONG: "%ld",
    UNSIGNED_LONG: "%lu",
    DOUBLE: "%f",
    STRING: "%s",
}
"""The types after the default argument promotions, each with its plain printf conversion."""

_SLOT_TYPES = {type.program: type for type in _FORMATTED}


class Calls(Conversions):
    """Types the calls in functions."""

    def call(self, node: c.CallExpression) -> Step[t.Expression]:
        """The typed call, or its computation."""
        name = node.callee.name
        if self.scopes.find(name):
            return self._no_function(node)
        if name in self.functions.unknown:
            return self._erroneous_call(node)
        declaration, function = self.functions.visible.get(name), self.functions.defined.get(name)
        if declaration and function:
            return self._call(node, declaration, function)
        library = self.functions.library(name)
        if library:
            return self._printf(node) if library.type.variadic else self._library_call(node, library)
        if name == "assert" and ASSERT_HEADER in self.functions.headers:
            return self._assert(node)
        return self._no_function(node)

    # -------------------------------------------------------------------------------------- the program's functions

    def _call(
        self, node: c.CallExpression, declaration: c.FunctionDeclaration, function: t.Function
    ) -> Computation[t.Expression]:
        types = [parameter.type for parameter in function.parameters]
        if len(node.arguments) != len(types):
            note = (f"it is declared here as `{signature(declaration)}`", declaration.span)
            wrong: t.Expression = yield self._wrong_count(node, len(types), [note])
            return wrong
        arguments = yield self._arguments(node.arguments, types)
        self.functions.note_call(self.function.name, function.name)
        return t.Call(node.span, function.result, function, arguments, self.functions.returns(function.name))

    def _arguments(self, nodes: list[c.Expression], types: Sequence[CType]) -> Computation[list[t.Expression]]:
        """The arguments, converted to the types of the parameters."""
        arguments = []
        for node, type in zip(nodes, types, strict=True):
            value = yield self.part(node)
            arguments.append(self._passed(type, value, node))
        return arguments

    def _passed(self, type: CType, value: t.Expression, node: c.Expression) -> t.Expression:
        if type is not STRING:
            return self.assigned(type, value, node)
        if value.type is STRING:
            return value
        if value.type is not UNKNOWN:
            self.errors.report("type-mismatch", "expected a string", node.span)
        return t.Convert(node.span, STRING, t.Erroneous(node.span, value))

    def _wrong_count(
        self, node: c.CallExpression, expected: int, notes: Sequence[Note] = ()
    ) -> Computation[t.Expression]:
        takes = f"takes {expected or 'no'} argument{'' if expected == 1 else 's'}"
        message = f"`{node.callee.name}` {takes}, but {_given(len(node.arguments))}"
        self.errors.report("argument-count", message, node.callee.span, notes=notes)
        return self._erroneous_call(node)

    def _erroneous_call(self, node: c.CallExpression) -> Computation[t.Expression]:
        arguments = []
        for argument in node.arguments:
            arguments.append((yield self.part(argument)))
        return t.Erroneous(node.span, *arguments)

    # ------------------------------------------------------------------------------------------- library functions

    def _library_call(self, node: c.CallExpression, library: LibraryFunction) -> Computation[t.Expression]:
        parameters = library.type.parameters
        if len(node.arguments) != len(parameters):
            wrong: t.Expression = yield self._wrong_count(node, len(parameters))
            return wrong
        if library.operation == "abs":
            [argument], [type] = node.arguments, parameters
            value = self.data((yield self.part(argument)), argument)
            self.checks.absolute(node.callee.name, type, value.type, node.span)
            arguments = [self._passed(type, self.with_warnings(value), argument)]
        else:
            arguments = yield self._arguments(node.arguments, parameters)
        return t.LibraryCall(node.span, library.type.result, library.operation, arguments)

    # ------------------------------------------------------------------------------------------------------ printf

    def _printf(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``printf(format, …)``, each argument converted to the type that the format requires."""
        format = node.arguments[0] if node.arguments else node.callee
        if not isinstance(format, c.StringLiteral):
            if not isinstance(format, c.Erroneous):
                self.errors.report("format", "the format must be a string literal", format.span)
            wrong: t.Expression = yield self._erroneous_call(node)
            return wrong
        text = self.string(format)
        values: list[t.Expression] = []
        for argument in node.arguments[1:]:
            values.append(self._promoted((yield self.part(argument)), argument))
        return self._printed(node.span, text, format, values, node.arguments[1:])

    def _printed(
        self, span: Span, text: t.Decay, format: c.StringLiteral, values: list[t.Expression], nodes: list[c.Expression]
    ) -> t.Expression:
        """The call of `printf`. Reports missing, unused and unsuitable arguments."""
        from cpsconv.operations.formats import slots  # imported on use: most commands start without a printf

        try:
            taken = slots(format.value)
            if pointer := next((slot for slot in taken if slot.type not in _SLOT_TYPES), None):
                raise ValueError(pointer.shown)
        except ValueError as unsupported:
            self.errors.report("format", f"the conversion `{unsupported}` is not supported", format.span)
            return t.Erroneous(span, *values)
        if not format.value:
            self.errors.warn("format-zero-length", "an empty `printf` format", format.span)
        if len(values) < len(taken):
            expected = f"{len(taken)} argument{'s' if len(taken) > 1 else ''}"
            self.errors.report(
                "format", f"the format takes {expected} after it, but {_given(len(values))}", format.span
            )
        if len(values) > len(taken):
            self.errors.warn("format-extra-args", "the format does not use this argument", nodes[len(taken)].span)
        fitted = [self._fitted(*each) for each in zip(taken, values, nodes, strict=False)]
        return t.Print(span, INT, text, fitted, values[len(fitted) :])

    def _promoted(self, value: t.Expression, node: c.Expression) -> t.Expression:
        """The value after the default argument promotions."""
        if value.type is STRING:
            return value
        value = self.data(value, node)
        type = argument_promoted(value.type)
        return value if value.type in (type, UNKNOWN) else t.Cast(node.span, type, value)

    def _fitted(self, slot: Slot, value: t.Expression, node: c.Expression) -> t.Expression:
        """The value as the format requires it.

        Integers are reinterpreted. Of another size, which is undefined behaviour, they are truncated or extended with
        zeros, as by code for x86-64, which writes and reads parts of 64-bit registers.
        """
        given, expected = value.type, _SLOT_TYPES[slot.type]
        if given is expected:
            return value
        are_integers = is_integer_type(given) and is_integer_type(expected)
        if given is not UNKNOWN and not (are_integers and given.size == expected.size):
            help = None if slot.shown == "*" else f"use `{_FORMATTED[given]}` for `{given.program}`"
            message = f"`{slot.shown}` takes `{slot.type}`, but this is `{given.program}`"
            if not are_integers:
                self.errors.report("format", message, node.span, help=help)
                return t.Convert(node.span, expected, t.Erroneous(node.span, value))
            self.errors.warn("format", message, node.span, help=help)
            value = self.converted(UNSIGNED, value)
        return self.converted(expected, value)

    # ------------------------------------------------------------------------------------------------------ assert

    def _assert(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``assert(condition)``."""
        if len(node.arguments) != 1:
            wrong: t.Expression = yield self._wrong_count(node, 1)
            return wrong
        return t.Assert(node.span, VOID, (yield self.condition(node.arguments[0])), self._failure(node))

    def _failure(self, node: c.CallExpression) -> str:
        """The message of a failing assertion, one character for each byte."""
        source = node.span.source
        file, line, _ = source.origin(node.span.start)
        text = spliced(source.text[node.callee.span.end : node.span.end]).strip()[1:-1]
        shown = f"{file}:{line}: {self.function.name}: Assertion `{' '.join(text.split())}' failed.\n"
        return shown.encode("utf-8", "surrogateescape").decode("latin-1")

    # --------------------------------------------------------------------------------------------- erroneous calls

    def _no_function(self, node: c.CallExpression) -> Computation[t.Expression]:
        """Report a name that cannot be called, once for each name."""
        name = node.callee.name
        if name not in self.scopes.undeclared:
            self.scopes.undeclared.add(name)
            self._report_uncallable(name, node.callee.span)
        return self._erroneous_call(node)

    def _report_uncallable(self, name: str, span: Span) -> None:
        variable, declaration = self.scopes.find(name), self.functions.visible.get(name)
        definition = self.functions.definitions.get(name)
        if variable:
            note = ("it is declared here", variable.span)
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
