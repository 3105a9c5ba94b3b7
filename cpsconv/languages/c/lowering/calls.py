"""The lowering of calls: of functions and through pointers, with records and variable arguments; of the library.

A record is passed as a pointer to a copy, which the caller deallocates after the call. A function with a record as its
result takes a pointer to the place for it as its first parameter. A function with variable arguments takes a pointer
to their `va_list` as its last parameter: the arguments follow it, in slots of 8 bytes (`argument_passing.in_slots`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cpsconv.abi.argument_passing import in_slots, write_list
from cpsconv.abi.attributes import ARGUMENTS, ON_STACK, CSignature
from cpsconv.core.construction import Variable
from cpsconv.core.ir import ABORT, CHAR, EXTERNALS, INT, NO_ATTRIBUTES, PTR, STRING, Constant, Scalar, Struct, Value
from cpsconv.core.ir import VOID as NO_VALUE
from cpsconv.core.operations.table import EFFECTS
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.lowering.expressions import CONDITIONAL, Expressions, text_constant
from cpsconv.languages.c.lowering.inner_arrays import copied
from cpsconv.languages.c.lowering.object_types import ObjectTypes, is_passed_as, records_within
from cpsconv.languages.c.lowering.places import Address, RecordValue, integer
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.records import VA_LIST_RECORD, Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import LONG, UNKNOWN, CType
from cpsconv.languages.c.vector_types import Vector


class Calls(Expressions):
    """Expressions with calls."""

    def _rules(self) -> dict[type, Callable[[Any], Step[Any]]]:
        return {**super()._rules(), c.CallExpression: self._call}

    # ------------------------------------------------------------------------------------- the program's functions

    def _arguments(self, nodes: Iterable[c.Expression]) -> Computation[list[Any]]:
        """The values of the arguments, from left to right."""
        values = []
        for node in nodes:
            values.append((yield self.part(node)))
        return values

    def _call(self, node: c.CallExpression) -> Computation[Any]:
        match node.operation:
            case None:
                return self._call_of_record(node) if isinstance(node.type, Record) else self.call_into(node, None)
            case "printf":
                return self._print(node)
            case "assert":
                return self._assert(node)
            case "va_start":
                return self._va_start(node)
            case "complex":
                return self._arguments(node.arguments)
        return self._library_call(node)

    def _call_of_record(self, node: c.CallExpression) -> Computation[RecordValue]:
        place = self.results[node]
        yield from self.call_into(node, place)
        return self.places.load(Address(place), node.type, node.span)

    def call_into(self, node: c.CallExpression, place: Value | None) -> Computation[Value | None]:
        """Call a function, with `place` for a record that it returns."""
        function = node.function
        pointer: Value | None = None if function else (yield self.part(node.callee))
        arguments: list[Value] = [] if place is None else [place]
        temporary: list[Value] = []
        values = yield from self._arguments(node.arguments)
        for number, (each, value) in enumerate(zip(node.arguments, values, strict=True)):
            if isinstance(each.type, Record):
                name = _name_of_parameter(node, number)
                if isinstance(each, c.Missing):
                    value = self.objects.allocate(each.type, name, each.span)
                else:
                    value = self._copied(value, each, name)
                temporary.append(value)
            arguments.append(value)
        if function and function.is_external:
            arguments = copied(node, arguments, self.emit, self.places)
            values = yield from self._arguments(node.variable)
            if function.is_variadic and values:
                pointer = self.emit.convert(PTR, self.built[function])
                arguments += values
        elif self._is_variadic(node):
            arguments.append((yield from self._variable_arguments(node, temporary)))
        elif node.variable:
            yield from self._arguments(node.variable)  # the function ignores them
        result = self._called(node, pointer, arguments)
        for object in reversed(temporary):
            self.objects.deallocate(object, node.span)
        if not node.returns:
            self.emit.leave(ABORT, span=node.span)  # its return is undefined behaviour (C17 6.7.4, paragraph 8)
        return result

    def _called(self, node: c.CallExpression, pointer: Value | None, arguments: list[Value]) -> Value | None:
        if pointer is None:
            return self.emit.call(self.built[node.function], arguments, node.span)
        return self.emit.call_through(pointer, arguments, returned(node.type), node.span)

    def _is_variadic(self, node: c.CallExpression) -> bool:
        if node.function:
            return bool(node.function.is_variadic)
        return bool(getattr(getattr(node.callee.type, "target", None), "variadic", False))

    def _copied(self, value: RecordValue, node: c.Expression, name: str) -> Value:
        """A copy of a record in a new object."""
        type, span = node.type, node.span
        assert isinstance(type, Record)
        copy = self.objects.allocate(type, name, span)
        self.places.assign(Address(copy), value, type, span)
        return copy

    def _variable_arguments(self, node: c.CallExpression, temporary: list[Value]) -> Computation[Value]:
        """The pointer to the `va_list` of the variable arguments, which precedes them."""
        values = yield from self._arguments(node.variable)
        slots = in_slots([(each.type.size, each.type.alignment) for each in node.variable])
        block = self.objects.allocate(LONG, ARGUMENTS, node.span, integer(slots.length), alignment=slots.alignment)
        temporary.append(block)

        def place(number: int, type: Scalar) -> Value:
            index = integer(number)
            return self.emit.primitive("element", block, index, of=type, span=node.span) if number else block

        def store(value: Value, place: Value) -> None:
            self.emit.effect("store", value, place, span=node.span)

        write_list(place, store, [each.type.program for each in node.variable])
        for each, value, number in zip(node.variable, values, slots.numbers, strict=True):
            slot = self.places.moved(Address(block), LONG, integer(number), each.span)
            if isinstance(each.type, Record):
                self.places.assign(slot, value, each.type, each.span)
            else:
                self.places.store(slot, value, each.type, each.span)
        return block

    def _va_start(self, node: c.CallExpression) -> Computation[None]:
        place: Address = yield self.lvalues.pointee(node.arguments[0])
        assert self.own_arguments is not None
        self.places.assign(place, self.own_arguments, VA_LIST_RECORD, node.span)

    # ----------------------------------------------------------------------------------------------------- library

    def _library_call(self, node: c.CallExpression) -> Computation[Value | None]:
        name, span = node.operation or "", node.span
        if name == "puts":
            self._mark_texts(node.arguments)
        arguments = yield from self._arguments(node.arguments)
        if name in EXTERNALS:
            self.emit.leave(EXTERNALS[name], *arguments, span=span)
            return None
        if name in EFFECTS:  # no path deallocates what `alloca` allocates, so it exists until the program ends
            of, attributes = (CHAR, {ON_STACK: True}) if name == "allocate" else (None, NO_ATTRIBUTES)
            result = self.emit.effect(name, *arguments, of=of, span=span, attributes=attributes)
            return None if result.type is NO_VALUE else result
        return self.emit.primitive(name, *arguments, span=span)

    def _print(self, node: c.CallExpression) -> Computation[Value]:
        """Lower a call of `printf`. The conversions for the format are computed after all arguments.

        A string literal that is converted is the address of an object.
        """
        format, *arguments = node.arguments
        self._mark_texts([each for each in arguments if type(each) is not c.Convert])
        values = yield from self._arguments([*map(t.unconverted, arguments), *node.variable])
        printed = [self._delayed(part, value, part.span) for part, value in zip(arguments, values, strict=False)]
        return (yield from self._print_chosen(format, printed, node.span))

    def _print_chosen(self, format: c.Expression, printed: list[Value], span: Span) -> Computation[Value]:
        """Print by a format that may be a choice between string literals: each prints in a continuation of its own."""
        from cpsconv.abi.formats import slots  # imported on use: most commands start without a printf

        emit = self.emit
        while isinstance(format, c.Convert):  # or a cast
            format = format.operand
        if isinstance(format, c.Decay):
            text = text_constant(format)
            return emit.effect("printf", text, *printed[: len(slots(str(text.value)))], span=span)
        assert isinstance(format, c.Conditional) and format.then
        first, second = self._arms(format, format.then)
        join = emit.continuation("join", span=span, operator=CONDITIONAL)
        count = Variable("printed", INT, span)
        yield self._condition(format.condition, first, second)
        for block, arm in ((first, format.then), (second, format.otherwise)):
            emit.open(block)
            emit.write(count, (yield self._print_chosen(arm, printed, span)), span)
            emit.jump(join)
        emit.open(join)
        return emit.read(count, span)

    def _mark_texts(self, nodes: Sequence[c.Expression]) -> None:
        """Note the arguments that are string literals, or choices between them: they are constants, not objects."""
        for node in nodes:
            self._texts.update(t.texts_within(node))

    def _assert(self, node: c.CallExpression) -> Computation[None]:
        """Lower ``assert(condition)``: continue if the condition holds, else print the message and abort."""
        emit, span = self.emit, node.span
        holds, fails = emit.continuation("holds", span=span), emit.continuation("fails", span=span)
        condition, message = node.arguments
        assert isinstance(message, c.StringLiteral)
        yield self._condition(condition, holds, fails)
        emit.open(fails)
        emit.effect("eprint", Constant(STRING, message.text), span=span)
        emit.leave(ABORT, span=span)
        emit.open(holds)


def _name_of_parameter(node: c.CallExpression, number: int) -> str:
    parameters = node.function.parameters if node.function else []
    return (parameters[number].name if number < len(parameters) else "") or "argument"


def signature(function: t.Function) -> list[tuple[str, Scalar, Span | None]]:
    """The parameters of a function in the program: names, types and spans."""
    found: list[tuple[str, Scalar, Span | None]] = []
    if isinstance(function.result, Record):
        found.append(("result", PTR, function.span))
    for name, type, span in _parameters(function):
        found.append((name, PTR if isinstance(type, Record) else type.program, span))
    if function.is_variadic and not function.is_external:
        found.append(("arguments", PTR, function.span))
    return found


def _parameters(function: t.Function) -> list[tuple[str, CType, Span | None]]:
    """The parameters of a function in the source: names, types and spans."""
    declared = function.type.parameters if function.is_external and function.type else ()
    named = function.parameters
    found: list[tuple[str, CType, Span | None]] = [(each.name, each.type, each.span) for each in named]
    rest = enumerate(declared[len(named) :], len(named))
    return found + [(f"p{number}", type, function.span) for number, type in rest]


def c_signature(function: t.Function, types: ObjectTypes, errors: Errors) -> CSignature | None:
    """The signature in C of a function; None if its parameters show it.

    Reports other structs of an external function. A function with a body and such structs has none.
    """
    passed = [function.result] * isinstance(function.result, Record) + [type for _, type, _ in _parameters(function)]
    structs: dict[int, Struct] = {}
    for number, type in enumerate(passed):
        if isinstance(type, Record):
            struct = types.of(type)
            if isinstance(struct, Struct) and is_passed_as(type, struct):
                structs[number] = struct
            elif not function.is_external:
                return None
            else:
                what = f"`{type}`, {_irregularity(type)},"
                message = f"calls of `{function.name}`, which is declared only, with {what} are not supported yet"
                errors.report("unsupported", message, function.span)
    if not structs and not function.is_variadic:
        return None
    return CSignature(structs, isinstance(function.result, Record), function.is_variadic)


def _irregularity(record: Record) -> str:
    """The reason why C passes a record by value in another way than the struct of the program."""
    if isinstance(record, Vector):
        return "a vector"
    has_vectors = any(isinstance(each, Vector) for each in records_within(record))
    return "which has vectors" if has_vectors else "which is packed, padded or empty"


def returned(type: CType) -> Scalar:
    """The type of the result of a function in the program."""
    return NO_VALUE if type is UNKNOWN or isinstance(type, Record) else type.program
