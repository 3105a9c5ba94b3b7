"""The types and conversions of calls: of the program's functions, of library functions, and of the macro `assert`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from cpsconv.core.ir import INTEGER, PTR, SETJMP
from cpsconv.core.ir import STRING as STRING_VALUE
from cpsconv.core.nodes import replace
from cpsconv.core.source import Note, Span, counted
from cpsconv.core.trampoline import Computation, Step, after
from cpsconv.languages.c.complex_types import part_of
from cpsconv.languages.c.diagnostics import is_misspelling, misspelt, misspelt_keyword
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.call_warnings import CHECKED
from cpsconv.languages.c.meaning.conversions import is_null, with_article
from cpsconv.languages.c.meaning.library import (
    ASSERT_HEADER,
    COMPLEX_OPERATIONS,
    FORMATS,
    LIBRARY,
    SCANNING,
    TYPE_GENERIC,
    UNSUPPORTED,
    LibraryFunction,
    generic_function,
    is_type_generic,
)
from cpsconv.languages.c.meaning.vectors import Vectors
from cpsconv.languages.c.records import Field, Record, bytes_in_words, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.tokens import spliced
from cpsconv.languages.c.types import (
    CHAR,
    DOUBLE,
    INT,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    STRING,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    VOID,
    Arithmetic,
    CType,
    FunctionType,
    Pointer,
    argument_promoted,
    array_of,
    function_of,
    is_integer_type,
    pointer_to,
    spelled,
)
from cpsconv.platform.prototypes import NEVER_RETURNING

if TYPE_CHECKING:
    from cpsconv.platform.formats import Slot

_SLOT_TYPES = {type.program: type for type in (INT, UNSIGNED, LONG, UNSIGNED_LONG, DOUBLE, LONG_DOUBLE)}
_SLOT_TYPES[INTEGER] = LONG

_FORMATTED: dict[CType, str] = {INT: "%d", UNSIGNED: "%u", LONG: "%ld", UNSIGNED_LONG: "%lu", DOUBLE: "%f"}
_FORMATTED |= {LONG_DOUBLE: "%Lf", LONG_LONG: "%lld", UNSIGNED_LONG_LONG: "%llu"}
"""The types after the default argument promotions, each with its plain printf conversion."""


def _missing(slot: Slot, span: Span, given: str = "") -> t.Missing:
    """The undefined value for a slot of a format without an argument, or with one of a type that does not fit."""
    return t.Missing(span, _SLOT_TYPES.get(slot.type or INT.program, STRING), f"printf({slot.shown}{given})")


def _misfit(slot: Slot, value: t.Expression) -> t.Expression:
    """The undefined value for a slot, after the evaluation of an argument of another type."""
    missing = _missing(slot, value.span, f": {value.type}")
    return t.Comma(value.span, missing.type, t.Cast(value.span, VOID, value), missing)


def _use_of_missing(arguments: Sequence[t.Expression], name: str, span: Span) -> list[t.Expression]:
    """A use of the first undefined value among the arguments of a function that prints, if any: it prints the value.

    As the last argument of the call, it ends the program after the evaluation of the others, as `printf` does.
    """
    last = (each.right if isinstance(each, t.Comma) else each for each in arguments)
    for each in last:
        if isinstance(each, t.Missing):
            each.name = each.name.replace("printf", name, 1)
            format = _format_of(each.type) or ""
            text = t.String(span, array_of(CHAR, len(format) + 1), format)
            return [t.Print(span, INT, t.Decay(span, STRING, text), [each], [])]
    return []


def _format_of(type: CType) -> str | None:
    """The plain printf conversion for a promoted type; None if there is none."""
    if isinstance(type, Pointer):
        return "%s" if type.target.unqualified is CHAR else "%p"
    return _FORMATTED.get(type)


class Calls(Vectors):
    """Types the calls in functions."""

    def call(self, node: c.CallExpression) -> Step[t.Expression]:
        """The typed call, or its computation."""
        callee = node.callee
        if isinstance(callee, c.Name):
            found = self.scopes.find(callee.name) or self.functions.library_object(callee.name)
            is_errno = callee.name == "errno" and "errno.h" in self.functions.headers and not found
            if not isinstance(found, (t.Local, t.Global)) and not is_errno:
                return self._named_call(node, callee.name)
        return self._call_through(node)

    def _named_call(self, node: c.CallExpression, name: str) -> Step[t.Expression]:
        """The call of the function with that name."""
        if name in self.functions.unknown:
            return self.erroneous_call(node)
        function = self.scopes.find(name) or self.functions.declare_implicitly(name, node.callee.span)
        if isinstance(function, t.Function) and (function.enclosing or name in self.functions.definitions):
            return self._direct_call(node, function)
        library = self.functions.library(name)
        if library and len(node.arguments) < len(library.type.parameters) and _is_unspecified(function):
            library = None  # as configuration scripts call it, to see whether it exists
        if library and TYPE_GENERIC in self.functions.headers and is_type_generic(name):
            return self._type_generic_call(node, name)
        if library:
            return self.library_call(node, name, library)
        if name == "assert" and ASSERT_HEADER in self.functions.headers:
            return self._assert(node)
        builtin = self.builtin_call(node, name)
        if builtin is None and isinstance(function, t.Function) and self.functions.may_be_external(function):
            return self._external_call(node, function)
        if builtin is None and function is None and self._may_be_elsewhere(name):
            return self._external_call(node, self.functions.declare_elsewhere(name, node.callee.span, self._help(name)))
        return builtin or self._no_function(node, name)

    def builtin_call(self, node: c.CallExpression, name: str) -> Step[t.Expression] | None:
        """The call of a built-in function of GNU C; None if there is none of that name. Defined in `Builtins`."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------- the program's functions

    def _direct_call(self, node: c.CallExpression, function: t.Function) -> Step[t.Expression]:
        type = function.type
        assert type
        if function.enclosing:
            self.function.calls = [*self.function.calls, function]
        self.functions.note_call(self.function.name, function.name)
        if function.name == "main" and type.prototyped and type.parameters:
            written = self._written_parameters(function)
            if written == 1:  # the second parameter is not used
                node = replace(node, arguments=[*node.arguments, c.Literal(node.span, INT, 0)])
            elif written != len(type.parameters):
                message = f"calls of a `main` with {counted(written, 'parameter')} are not supported yet"
                self.errors.report("unsupported", message, node.callee.span)
                return self.erroneous_call(node)
        call = self._called(node, type, function, function.returns, function)
        return call if type.prototyped else after(call, self._noted)

    def _written_parameters(self, function: t.Function) -> int:
        """The number of parameters in the definition of a function, which `main` may have less or more of."""
        derivation = self.functions.definitions[function.name].declarator.derivations[0]
        assert isinstance(derivation, c.FunctionOf)
        return len(derivation.parameters)

    def _noted(self, value: t.Expression) -> t.Expression:
        """The call of a function without a prototype, whose definition may follow."""
        if isinstance(value, t.Call):
            self.functions.unprototyped.append(value)
        return value

    def convert_unprototyped_arguments(self) -> None:
        """Convert the arguments of calls without a prototype to the types of the parameters, where C allows a
        difference (C17 6.5.2.2, paragraph 6): integers of other signedness; also, as old programs need, integers of
        other sizes, and 0 for a pointer. Missing arguments are undefined values.
        """
        for call in self.functions.unprototyped:
            parameters = call.callee.parameters
            taken, call.variable = call.arguments[: len(parameters)], call.arguments[len(parameters) :]
            if len(parameters) != len(call.arguments):
                name, count = call.callee.name, len(parameters)
                message = f"`{name}` takes {_arguments(count)}, but {_given(len(call.arguments))}"
                span = call.variable[0].span if call.variable else call.span
                self.errors.warn("deprecated-non-prototype", message, span)
            taken = [_as_passed(each, parameter.type) for each, parameter in zip(taken, parameters, strict=False)]
            for each in parameters[len(taken) :]:
                taken.append(t.Missing(call.span, each.type.unqualified, f"{call.callee.name}({each.name})"))
            call.arguments = taken

    def _external_call(self, node: c.CallExpression, function: t.Function) -> Computation[t.Expression]:
        """The call of a function that the source only declares."""
        type = function.type
        assert type
        value: t.Expression = yield from self._called(node, type, function, function.returns, function)
        if isinstance(value, t.Call) and not type.prototyped:
            passed = function_of(type.result, [each.type for each in value.arguments])
            if not self.functions.assume_type(function, passed):
                message = f"this call of `{type.declared(function.name)}` passes other types than the calls before"
                self.errors.report("argument-count", message, node.callee.span, notes=_declaration(function))
        if not isinstance(value, t.Call) or not self._is_evaluated:
            return value
        copies = self._passed_in_words(value, type)
        if not self.functions.use_external(function, node.callee.span, value):
            return t.Erroneous(node.span, value)
        if not copies:
            return value
        items: list[t.Statement] = [t.Declaration(node.span, [*copies])]
        if value.type is VOID:
            return t.StatementExpression(node.span, VOID, [*items, t.Evaluate(node.span, value)], None)
        return t.StatementExpression(node.span, value.type, items, value)

    def _passed_in_words(self, call: t.Call, type: FunctionType) -> list[t.Declare]:
        """Replace the structs among the variable arguments by their words, which C passes in the same places.

        Returns the variables for copies of the structs. An argument for which this is not possible remains.
        """
        if not any(isinstance(each.type, Record) for each in call.variable):
            return []
        from cpsconv.languages.c.meaning.expansions import Registers  # late: few programs need it

        registers, copies = Registers(type), list[t.Declare]()
        variable, call.variable = call.variable, []
        for argument in variable:
            record, span = argument.type, argument.span
            words = registers.pass_words(record)
            if not isinstance(record, Record) or words is None:
                call.variable.append(argument)
                continue
            source, inner = bytes_in_words(record, words).named_fields
            copy = t.Local("words", bytes_in_words(record, words), span, is_constant=False, is_used=True)
            part = t.Part(t.Member(span, record, copy, source), argument)
            copies.append(t.Declare(copy, None, [part], is_zeroed=True))
            assert isinstance(inner.type, Record)
            place = t.Member(span, inner.type, copy, inner)
            for field in inner.type.named_fields:
                call.variable.append(t.Read(span, field.type, t.Member(span, field.type, place, field)))
        self.function.has_objects = True
        return copies

    def _call_through(self, node: c.CallExpression) -> Computation[t.Expression]:
        """A call of the function that a value points to."""
        callee = yield self.part(node.callee)
        type = callee.type
        if not isinstance(type, Pointer) or not isinstance(type.target, FunctionType):
            if type is not UNKNOWN:
                self._report_no_function(node.callee, type)
            return (yield from self.erroneous_call(node))
        function = callee.function if isinstance(callee, t.FunctionAddress) else None
        if function is None:
            self.functions.may_recurse = True
        else:
            self.functions.note_call(self.function.name, function.name)
        returns = function is None or function.returns
        return (yield from self._called(node, type.target, function or callee, returns))

    def _report_no_function(self, callee: c.Expression, type: CType) -> None:
        found = self.scopes.find(callee.name) if isinstance(callee, c.Name) else None
        if found:
            notes = [("it is declared here", found.span)]
            message = f"`{found.name}` is a variable, not a function"
            self.errors.report("not-a-function", message, callee.span, notes=notes)
        else:
            message = f"this is {with_article(type)}, not a function"
            self.errors.report("not-a-function", message, callee.span)

    def _called(
        self, node: c.CallExpression, type: FunctionType, callee: Any, returns: bool, named: t.Function | None = None
    ) -> Computation[t.Expression]:
        """The call of a function of that type, a `Function` or a pointer. It is `named` if the source names it."""
        given, parameters = len(node.arguments), type.parameters
        if type.prototyped and (given < len(parameters) or (given > len(parameters) and not type.variadic)):
            notes = _declaration(named) if named else []
            return (yield from self.wrong_count(node, len(parameters), notes, type.variadic))
        arguments = yield from self.arguments(node.arguments[: len(parameters)], parameters)
        variable = []
        for argument in node.arguments[len(parameters) :]:
            variable.append(self._promoted((yield self.part(argument)), argument))
        if not type.prototyped:
            arguments, variable = variable, []
        result = type.result.unqualified
        if isinstance(result, Record):
            self.function.has_objects = True
            if not is_complete(result):
                self.report_incomplete(result, node.span)
        if not self.is_supported(result, node.span):
            return t.Erroneous(node.span, *arguments)
        return t.Call(node.span, result, callee, arguments, returns, variable)

    def arguments(self, nodes: list[c.Expression], types: Sequence[CType]) -> Computation[list[t.Expression]]:
        """The arguments, converted to the types of the parameters."""
        arguments = []
        for node, type in zip(nodes, types, strict=True):
            value = yield self.part(node)
            field = _field_for(type, value)
            if field:
                value = self.union_with(type.unqualified, field, self.assigned(field.type, value, node), node.span)
            arguments.append(value if field else self.assigned(type, value, node))
        return arguments

    def union_with(self, type: Record, field: Field, value: t.Expression, span: Span) -> t.Expression:
        """A union whose field has the value. Defined in `Expressions`."""
        raise NotImplementedError

    def _promoted(self, value: t.Expression, node: c.Expression) -> t.Expression:
        """The value after the default argument promotions."""
        type = value.type
        if isinstance(type, Arithmetic):
            wide = argument_promoted(type)
            return value if wide is type else t.Cast(node.span, wide, value)
        return value if isinstance(type, (Pointer, Record)) else self.data(value, node)

    def wrong_count(
        self, node: c.CallExpression, expected: int, notes: Sequence[Note] = (), variadic: bool = False
    ) -> Computation[t.Expression]:
        span = node.callee.span
        takes = f"takes {'at least ' * variadic}{_arguments(expected)}"
        message = f"`{span.source.text[span.start : span.end]}` {takes}, but {_given(len(node.arguments))}"
        self.errors.report("argument-count", message, span, notes=notes)
        return self.erroneous_call(node)

    def erroneous_call(self, node: c.CallExpression) -> Computation[t.Expression]:
        arguments = []
        for argument in node.arguments:
            arguments.append((yield self.part(argument)))
        return t.Erroneous(node.span, *arguments)

    # ------------------------------------------------------------------------------------------- library functions

    def _type_generic_call(self, node: c.CallExpression, name: str) -> Computation[t.Expression]:
        """The call of a macro of <tgmath.h>: of the function for the arguments for floating parameters."""
        given: list[CType] = []
        for argument, type in zip(node.arguments, LIBRARY[name].type.parameters, strict=False):
            if part_of(type) is DOUBLE:
                given.append((yield self.unevaluated(argument)).type)
        chosen = generic_function(name, given)
        if chosen is None:
            self.errors.report("type-mismatch", f"there is no `{name}` of complex numbers", node.span)
            return (yield from self.erroneous_call(node))
        call: t.Expression = yield self.library_call(node, chosen, LIBRARY[chosen])
        return call

    def unevaluated(self, node: c.Expression) -> Computation[t.Expression]:
        """The value of an expression that is only typed. Defined in `Expressions`."""
        raise NotImplementedError

    def library_call(self, node: c.CallExpression, name: str, library: LibraryFunction) -> Step[t.Expression]:
        """The call of a library function, or its computation."""
        if SETJMP in (name, library.operation):
            call: Step[t.Expression] = self._set_jump(node, library)
        elif library.operation is None:
            function = self.functions.external(name, node.callee.span)
            call = self._called(node, library.type, function, name not in NEVER_RETURNING)
            if name in CHECKED:
                call = after(call, self._checked, node, name)
            if name in FORMATS:
                call = after(call, self._formatted_by_text, node, name)
            elif name in SCANNING:
                call = after(call, self._scanned, name)
        elif library.type.variadic:
            call = self.printf(node)
        else:
            call = self._operation(node, library, library.operation)
        declared = self.functions.functions.get(name)
        return after(call, self._as_declared, declared.result.unqualified) if declared else call

    def _as_declared(self, value: t.Expression, type: CType) -> t.Expression:
        """The result of a library function, converted to the type of the result that the program declares."""
        is_same = type in (value.type, UNKNOWN) or value.type in (UNKNOWN, VOID)
        return value if is_same else t.Cast(value.span, type, value)

    def _set_jump(self, node: c.CallExpression, library: LibraryFunction) -> Computation[t.Expression]:
        """The call of `setjmp`. The second argument of `sigsetjmp` has no effect: there are no signal masks."""
        parameters = library.type.parameters
        if len(node.arguments) != len(parameters):
            return (yield from self.wrong_count(node, len(parameters)))
        buffer, *masks = yield from self.arguments(node.arguments, parameters)
        self.function.has_objects = self.function.sets_jumps = True
        function = self.functions.external(SETJMP, node.callee.span)
        call: t.Expression = t.Call(node.span, library.type.result, function, [buffer], True, [])
        for mask in masks:
            call = t.Comma(node.span, call.type, mask, call)
        return call

    def _operation(self, node: c.CallExpression, library: LibraryFunction, operation: str) -> Computation[t.Expression]:
        parameters = library.type.parameters
        if len(node.arguments) != len(parameters):
            return (yield from self.wrong_count(node, len(parameters)))
        if operation in COMPLEX_OPERATIONS:
            return (yield from self.on_parts(operation, node, parameters[0]))
        if operation == "abs":
            [argument], [type] = node.arguments, parameters
            value = self.data((yield self.part(argument)), argument)
            self.checks.absolute(self.text_of(node.callee), type, value.type, node.span)
            arguments = [self.assigned(type, self.with_warnings(value), argument)]
        else:
            arguments = yield from self.arguments(node.arguments, parameters)
        return t.LibraryCall(node.span, library.type.result, operation, arguments)

    def text_of(self, node: c.Expression | t.Expression) -> str:
        """The text of an expression in the source."""
        return node.span.source.text[node.span.start : node.span.end]

    # ------------------------------------------------------------------------------------------------------ printf

    def printf(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``printf(format, …)``, each argument converted to the type that the format requires.

        A format that is known when the program runs only, or that has other directives than print effects, is that of
        the external function.
        """
        from cpsconv.platform.formats import is_of_library  # on use: most commands have no printf

        call = yield from self._called(node, LIBRARY["printf"].type, None, True)
        if not isinstance(call, t.Call):
            return call
        formats = self._known_formats(call.arguments[0])
        if not formats or any(map(is_of_library, formats)):
            call.callee = self.functions.external("printf", node.callee.span)
            return self._formatted(call, node, "printf", formats)
        return self._printed(call, node, 0, formats)

    def _formatted_by_text(self, call: t.Expression, node: c.CallExpression, name: str) -> t.Expression:
        """The call of an external function that prints by a format."""
        if not isinstance(call, t.Call):
            return call
        return self._formatted(call, node, name, self._known_formats(call.arguments[FORMATS[name]]))

    def _formatted(self, call: t.Call, node: c.CallExpression, name: str, formats: list[str]) -> t.Call:
        """The call of an external function that prints by one of the formats, with the arguments that it requires."""
        if formats:
            printed = self._printed(call, node, FORMATS[name], formats)
            missing = _use_of_missing(printed.arguments, name, node.span)
            call.variable = [*printed.arguments, *printed.unused, *missing]
        return call

    def _checked(self, call: t.Expression, node: c.CallExpression, name: str) -> t.Expression:
        """The call of a library function, after the checks of its arguments."""
        if isinstance(call, t.Call):
            self.call_checks.check(name, node.arguments, [*call.arguments, *call.variable])
        return call

    def _scanned(self, call: t.Expression, name: str) -> t.Expression:
        """The call of a function that reads by a format. A wrong argument ends the program, after all are evaluated."""
        from cpsconv.languages.c.meaning.scan_warnings import ScanWarnings  # late: many programs do not read

        if isinstance(call, t.Call):
            wrong = ScanWarnings(self.errors).check(call.arguments[-1], call.variable)
            missing = [t.Missing(call.span, STRING, f"printf({each})") for each in wrong]
            call.variable = [*call.variable, *_use_of_missing(missing, name, call.span)]
        return call

    def _known_formats(self, format: t.Expression) -> list[str]:
        """The formats that a string literal, or a choice between some, has; none if they are not known.

        Alternatives that take arguments of different types, as in ``x ? "%c" : "%o"``, are not known. Warns of
        directives without a meaning.
        """
        from cpsconv.platform.formats import slots, without_meaning  # on use: most commands have no printf

        texts = [each for each in t.texts_within(format) if not isinstance(each, t.Conditional)]
        for each in texts:
            for directive in without_meaning(each.operand.format):
                self.errors.warn("format", f"`{directive}` is not a conversion of `printf`", each.span)
        formats = [each.operand.format for each in texts]
        alternatives = zip_longest(*([slot.type for slot in slots(each)] for each in formats))
        return formats if all(len({*types} - {None}) <= 1 for types in alternatives) else []

    def _printed(self, call: t.Call, node: c.CallExpression, position: int, formats: list[str]) -> t.Print:
        """The printing by the format at the position. Reports missing, unused and unsuitable arguments."""
        from cpsconv.platform.formats import slots  # on use: most commands have no printf

        taken = max(map(slots, formats), key=len)
        format, values, nodes = t.unconverted(call.arguments[position]), call.variable, node.arguments[position + 1 :]
        if formats == [""]:
            self.errors.warn("format-zero-length", "an empty `printf` format", format.span)
        if len(values) < len(taken):
            expected = f"{len(taken)} argument{'s' if len(taken) > 1 else ''}"
            self.errors.warn("format", f"the format takes {expected} after it, but {_given(len(values))}", format.span)
        if len(values) > len(taken):
            self.errors.warn("format-extra-args", "the format does not use this argument", nodes[len(taken)].span)
        fitted = [self._fitted(*each) for each in zip(taken, values, nodes, strict=False)]
        missing = [_missing(slot, node.span) for slot in taken[len(fitted) :]]
        return t.Print(node.span, INT, format, [*fitted, *missing], [*values[len(fitted) :]])

    def _fitted(self, slot: Slot, value: t.Expression, node: c.Expression) -> t.Expression:
        """The value as the format requires it.

        Integers are reinterpreted. Those of another size, and pointers, which is undefined behaviour, are truncated or
        extended with zeros, as by code for x86-64, which writes and reads parts of 64-bit registers. A string
        literal is no number.
        """
        given = value.type
        if slot.type in (STRING_VALUE, PTR):
            return self._fitted_pointer(slot, value, node)
        if slot.type is None:
            self.errors.warn("format-extra-args", "the format does not use this argument", node.span)
            return value
        expected = _SLOT_TYPES[slot.type]
        if given is expected:
            return value
        is_integer = is_integer_type(given) and is_integer_type(expected)
        if given is UNKNOWN or (is_integer and given.size == expected.size):
            return self.converted(expected, value)
        self._warn_of_misfit(slot, f"`{expected}`", given, node)
        if isinstance(given, Pointer) and is_integer_type(expected) and not t.texts_within(value):
            return t.Convert(node.span, expected, value)
        return self.converted(expected, self.converted(UNSIGNED, value)) if is_integer else _misfit(slot, value)

    def _fitted_pointer(self, slot: Slot, value: t.Expression, node: c.Expression) -> t.Expression:
        """The value as ``%s``, ``%p``, ``%n`` or ``%ls`` requires it."""
        given = value.type
        if isinstance(given, Pointer):
            size = slot.target.size if slot.target else 1 if slot.type is STRING_VALUE else None
            if size and not (given.target.size == size and is_integer_type(given.target)):
                wanted = f"`{slot.target} *`" if slot.target else "a string, `char *`"
                message = f"`{slot.shown}` takes {wanted}, but this is `{given}`"
                self.errors.warn("format", message, node.span)
            return t.Convert(node.span, given, value) if slot.type is PTR else value
        if given is UNKNOWN:
            return t.Convert(node.span, STRING, t.Erroneous(node.span, value))
        wanted = f"`{slot.target} *`" if slot.target else "a pointer" if slot.type is PTR else "`char *`"
        self._warn_of_misfit(slot, wanted, given, node)
        if slot.type is PTR and not slot.target and is_integer_type(given):
            wide = value if given.size == PTR.size else self.converted(UNSIGNED, value)
            return t.Convert(node.span, pointer_to(VOID), wide)
        return _misfit(slot, value)

    def _warn_of_misfit(self, slot: Slot, wanted: str, given: CType, node: c.Expression) -> None:
        format = None if slot.shown == "*" or slot.target else _format_of(given)
        help = f"use `{format}` for `{given}`" if format else None
        self.errors.warn("format", f"`{slot.shown}` takes {wanted}, but this is `{given}`", node.span, help=help)

    # ------------------------------------------------------------------------------------------------------ assert

    def _assert(self, node: c.CallExpression) -> Computation[t.Expression]:
        """``assert(condition)``."""
        if len(node.arguments) != 1:
            return (yield from self.wrong_count(node, 1))
        return t.Assert(node.span, VOID, (yield self.condition(node.arguments[0])), self._failure(node))

    def _failure(self, node: c.CallExpression) -> str:
        """The message of a failing assertion, one character for each byte."""
        source = node.span.source
        file, line, _ = source.origin(node.span.start)
        text = spliced(source.text[node.callee.span.end : node.span.end]).strip()[1:-1]
        shown = f"{file}:{line}: {self.function.name}: Assertion `{' '.join(text.split())}' failed.\n"
        return shown.encode("utf-8", "surrogateescape").decode("latin-1")

    # --------------------------------------------------------------------------------------------- erroneous calls

    def _may_be_elsewhere(self, name: str) -> bool:
        """Whether a name that is not declared can be that of a function of another file. It may be misspelt, too."""
        is_known = name in UNSUPPORTED or name in self.scopes.undeclared or self.functions.may_be_declared(name)
        return not is_known and not name.startswith("__") and not self._is_misspelt(name)

    def _is_misspelt(self, name: str) -> bool:
        """Whether a name that is not declared is one of the library or a misspelling.

        A name with another beginning or end, as in `print_left` and `print_right`, is that of another function.
        """
        if name in LIBRARY or name == "assert":
            return True
        similar = self._similar(name)
        return similar is not None and is_misspelling(name, similar)

    def _no_function(self, node: c.CallExpression, name: str) -> Computation[t.Expression]:
        """Report a name that cannot be called, once for each name."""
        if name not in self.scopes.undeclared:
            self.scopes.undeclared.add(name)
            self._report_uncallable(name, node.callee.span)
        return self.erroneous_call(node)

    def _report_uncallable(self, name: str, span: Span) -> None:
        declared = self.scopes.find(name)
        if name in UNSUPPORTED:
            self.errors.report("unsupported", f"the library function `{name}` is not supported yet", span)
        elif self.functions.may_be_declared(name):
            pass
        elif isinstance(declared, t.Function):
            note = ("it is declared here", declared.span)
            self.errors.report("undefined-function", f"`{name}` is declared but never defined", span, notes=[note])
        elif isinstance(declared, t.Enumerator):
            note = ("it is declared here", declared.span)
            self.errors.report("not-a-function", f"`{name}` is a constant, not a function", span, notes=[note])
        else:
            self.errors.report("undeclared", f"`{name}` is not declared", span, help=self._help(name))

    def _help(self, name: str) -> str | None:
        """The help for an undeclared function: the header that declares it, or a similar name."""
        header = LIBRARY[name].header if name in LIBRARY else ASSERT_HEADER if name == "assert" else None
        if header:
            return f"add `#include <{header}>`"
        similar = self._similar(name)
        return f"did you mean `{similar}`?" if similar else None

    def _similar(self, name: str) -> str | None:
        """The function or keyword that is most similar to the name of an undeclared function."""
        near = misspelt(name, LIBRARY) or misspelt_keyword(name)
        return self.errors.nearest(name, self.functions.names()) or near


def _is_unspecified(function: Any) -> bool:
    """Whether a function is declared without its parameters."""
    return isinstance(function, t.Function) and function.type is not None and not function.type.prototyped


def _field_for(type: CType, value: t.Expression) -> Field | None:
    """The field of a transparent union that a value of another type is passed in; None if there is none."""
    given = value.type
    if not isinstance(type, Record) or not type.unqualified.is_transparent or type.unqualified is given:
        return None
    is_any = is_null(value) or (isinstance(given, Pointer) and given.target.unqualified is VOID)
    for field in type.named_fields:
        wanted = field.type.unqualified
        if isinstance(wanted, Pointer) and isinstance(given, Pointer):
            is_suitable = wanted.target.unqualified is given.target.unqualified
        else:
            is_suitable = wanted is given
        if is_suitable or (is_any and isinstance(wanted, Pointer)):
            return field
    return None


def _as_passed(argument: t.Expression, type: CType) -> t.Expression:
    given, type = argument.type, type.unqualified
    if isinstance(type, Pointer) and is_null(argument):
        return t.Constant(argument.span, type, 0)
    if is_integer_type(type) and is_integer_type(given) and given is not type:
        return t.Convert(argument.span, type, argument)
    return argument


def _declaration(function: t.Function) -> list[Note]:
    """The note on the declaration of a function."""
    assert function.type
    name = function.name.rpartition(".")[2]  # a nested function is `f.g`
    return [(f"it is declared here as `{spelled(function.type, name)}`", function.span)]


def _arguments(count: int) -> str:
    return f"{count or 'no'} argument{'' if count == 1 else 's'}"


def _given(count: int) -> str:
    return f"{count or 'none'} {'is' if count < 2 else 'are'} given"
