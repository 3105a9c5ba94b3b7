"""The lowering of calls: of functions of the module, of external functions, through pointers, and of intrinsics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from cpsconv.abi.argument_passing import LIST, NO_REGISTERS, described, in_slots
from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import ABORT, HALT, INT, LONG, PTR, UNSIGNED, VOID, Constant, ObjectType, Scalar, Value
from cpsconv.core.operations.types import is_integer
from cpsconv.core.source import Span
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.arithmetic import is_relaxed
from cpsconv.languages.llvm.ours.intrinsics import INTRINSICS
from cpsconv.languages.llvm.ours.items import Signature
from cpsconv.languages.llvm.ours.object_types import Inexpressible, count_of, element_of, is_aggregate
from cpsconv.languages.llvm.ours.operands import Operand, leaves, operands_of
from cpsconv.languages.llvm.types import end_of_brackets, first_type, parts_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering

_CALLEE = re.compile(r'(@(?:[-\w$.]+|"[^"]*")|%)\(')
_PASSED = re.compile(r"\b(byval|sret)\(")


class Parts(NamedTuple):
    """The parts of a call: the type of its result, the callee (``%`` for a pointer), and the texts of its arguments.

    `fixed` is the number of parameters if others follow, which vary.
    """

    result: str
    callee: str
    arguments: list[Operand]
    fixed: int | None


def parts_of_call(line: Line) -> Parts:
    """The parts of a call. Raises `Inexpressible` for other callees, such as assembler text."""
    text = line.text
    callee = _CALLEE.search(text)
    if re.match(r'call void asm (?:sideeffect )?"(?:pause|nop)?", "[~{}\w,]*"\(\)', text):
        return Parts("void", "", [], None)  # no more than an order of accesses, which the program keeps
    if callee is None or re.match(r"[\w ]*\basm\b", text):
        raise Inexpressible("this callee")
    if "[ " in text[end_of_brackets(text, callee.end() - 1) :].partition(", !")[0]:
        raise Inexpressible("operand bundles")
    start = callee.end() - 1
    head = text[: callee.start()]
    if is_relaxed(re.match(r"(?:\w+ )*", head)[0]):  # type: ignore[index]
        raise Inexpressible("a call with flags that change its result")
    result = first_type(head, len(re.match(r"(?:(?:tail|musttail|notail) )?\w+ ", head)[0]))  # type: ignore[index]
    arguments = operands_of(text[start + 1 : end_of_brackets(text, start) - 1])
    return Parts(result, callee[1], arguments, _fixed_parameters(head))


def _fixed_parameters(head: str) -> int | None:
    """The number of parameters in a type of functions with variable arguments, ``i32 (ptr, ...)``; None for others."""
    if not head.rstrip().endswith("...)"):
        return None
    return len(parts_of(head.rstrip()[head.rindex(" (") + 2 : -1])) - 1


class Calls:
    """Calls in one function.

    `structs` has the addresses of copies of arguments that are structs, with their types, sizes and alignments.
    """

    def __init__(self, function: FunctionLowering) -> None:
        self.function, self.b, self.items = function, function.b, function.items
        self.structs: dict[Value, tuple[ObjectType, int, int]] = {}

    def call(self, line: Line) -> Any:
        """The result of a call; None if it has none. Raises `Inexpressible`."""
        parts, span = parts_of_call(line), self.function.location
        if parts.callee.startswith("@llvm."):
            return self._intrinsic(parts, line)
        if parts.callee in _CONTROL:
            return _CONTROL[parts.callee](self, parts, line)
        if parts.callee != "%" and (panic := self.items.panic(parts.callee[1:])):
            return fail(self.b, f"the program panics in `{panic}`", span)
        names = iter(line.names)
        pointer = self.function.value_of(next(names)) if parts.callee == "%" else None
        arguments = [self.function.operand(each, names) for each in parts.arguments]
        if pointer is not None:
            return self._through(pointer, parts, arguments, span)
        return self._direct(self.items.signature(parts.callee[1:]), parts, arguments, span)

    def _intrinsic(self, parts: Parts, line: Line) -> Any:
        names = iter(line.names)
        name = parts.callee[len("@llvm.") :]
        while name and name not in INTRINSICS:
            name = name.rpartition(".")[0]
        if not name:
            raise Inexpressible(f"the intrinsic `{parts.callee}`")
        arguments = [self.function.operand(each, names) for each in parts.arguments if each.type != "metadata"]
        return INTRINSICS[name](self, self.function.maker(), parts, arguments)

    def nothing(self, parts: Parts, line: Line) -> None:
        """A call without an effect."""

    def end(self, parts: Parts, line: Line) -> None:
        """A call that ends the program, after the functions that are registered for its end."""
        names = iter(line.names)
        values = [self.function.operand(each, names) for each in parts.arguments]
        self.b.leave(_ENDS[parts.callee], *values, span=self.function.location)

    def fail(self, parts: Parts, line: Line) -> None:
        """The end of a program by a failed assertion, which writes its text, file, line and function."""
        names = iter(line.names)
        text, *place = [self.function.operand(each, names) for each in parts.arguments]
        format, span = self.items.text("%s:%u: %s: Assertion `%s' failed.\n"), self.function.location
        self.external("dprintf", [Constant(INT, 2), format, *place, text], ["i32", "ptr", "..."], "i32", span)
        self.b.leave(ABORT, span=span)

    def external(self, name: str, arguments: Sequence[Value], types: Sequence[str], result: str, span: Span) -> Any:
        """The result of a call of an external function, which need not be declared in the module."""
        self.items.declare(name, types, result)
        parts = Parts(result, f"@{name}", [], None)
        return self._direct(self.items.signature(name), parts, arguments, span)

    # ------------------------------------------------------------------------------------------------- arguments

    def _direct(self, signature: Signature, parts: Parts, arguments: Sequence[Any], span: Span) -> Any:
        function, place = signature.function, None
        expected = [each.type for each in function.parameters[:-1]]
        passed: list[Value] = []
        temporary: list[Value] = []
        if signature.place is not None:
            place = self._new("result", signature.place, span)
            temporary.append(place)
            passed.append(place)
        fixed = len(expected) - (signature.is_variadic and not signature.is_external)
        for number, argument in enumerate(arguments):
            for each in self._passed(parts, number, argument, temporary, span):
                type = expected[len(passed)] if len(passed) < fixed else None
                passed.append(self._widened(each) if type is None else self._converted(each, type, span))
        while len(passed) < fixed and function.name == "main":  # it has an argument that the module does not know
            passed.append(Constant(PTR, 0))
        if len(passed) < fixed or (len(passed) > fixed and not signature.is_variadic):
            raise Inexpressible("a call with another number of arguments")
        pointer = None
        if signature.is_variadic:
            if signature.is_external:
                pointer = self.b.convert(PTR, function, span) if len(passed) > fixed else None
            else:
                block = self._variable_arguments(passed[fixed:], temporary, span)
                passed[fixed:] = [block]
        result = self._called(function, pointer, passed, span)
        value = self._result(result, parts.result, place, span)
        self._end(temporary, span)
        return value

    def _called(self, function: Any, pointer: Value | None, passed: list[Value], span: Span) -> Value | None:
        if pointer is None:
            return self.b.call(function, passed, span)
        return self.b.call_through(pointer, passed, function.result, span)

    def _through(self, pointer: Value, parts: Parts, arguments: Sequence[Any], span: Span) -> Any:
        passed: list[Value] = []
        temporary: list[Value] = []
        result, place = VOID, None
        if is_aggregate(self.items.types.definition(parts.result)):
            place = self._new("result", self.items.types.of(parts.result), span)
            temporary.append(place)
            passed.append(place)
        else:
            result = self.items.scalar(parts.result, "a result")
        fixed = len(passed)
        for number, argument in enumerate(arguments):
            passed += self._passed(parts, number, argument, temporary, span)
            if parts.fixed is not None and number < parts.fixed:
                fixed = len(passed)
        if parts.fixed is not None:
            passed[fixed:] = [self._variable_arguments(passed[fixed:], temporary, span)]
        value = self._result(self.b.call_through(pointer, passed, result, span), parts.result, place, span)
        self._end(temporary, span)
        return value

    def _result(self, result: Value | None, type: str, place: Value | None, span: Span) -> Any:
        if place is not None:
            return self.function.load(type, place, span)
        if type == "void" or result is None:
            return None
        return self._converted(result, self.items.scalar(type, "a result"), span)

    def _converted(self, value: Any, type: Any, span: Span) -> Any:
        """The argument or result with the type that the other side has: they may differ in sign and width."""
        if not isinstance(type, Scalar) or not isinstance(value, Value) or value.type is type:  # type: ignore[arg-type]
            return value
        return self.function.maker().convert(type, value)

    def _passed(self, parts: Parts, number: int, argument: Any, temporary: list[Value], span: Span) -> list[Value]:
        """The values that an argument is passed as: the scalars in an aggregate."""
        values = leaves(self._copied(parts, number, argument, temporary, span))
        for each in values:
            self.function.require_value(each)
        return values

    def _copied(self, parts: Parts, number: int, argument: Any, temporary: list[Value], span: Span) -> Any:
        """The argument; for a struct that is passed by value, the address of a copy."""
        if number >= len(parts.arguments):
            return argument
        attributes = parts.arguments[number].attributes
        match = _PASSED.search(attributes)
        if match is None or match[1] == "sret":
            return argument
        type = self.items.types.of(first_type(attributes, match.end()))
        copy = self._new("argument", type, span)
        temporary.append(copy)
        stated = re.search(r"\balign (\d+)", attributes)
        self.structs[copy] = type, type.size, max(type.alignment, int(stated[1]) if stated else 8)
        self.b.effect("copy", argument, copy, of=type, span=span)
        return copy

    def _widened(self, value: Value) -> Value:
        """A variable argument: a callee may read all of the slot of a narrow integer."""
        if isinstance(value.type, Scalar) and is_integer(value.type) and value.type.bits < LONG.bits:
            make = self.function.maker()
            return make.convert(LONG, make.unsigned(value))
        return value

    def _variable_arguments(self, values: Sequence[Value], temporary: list[Value], span: Span) -> Value:
        """The pointer to the `va_list` of the variable arguments, which precedes them."""
        copies = [self.structs.get(each) for each in values]
        types = [VOID if copy else cast(Scalar, each.type) for copy, each in zip(copies, values, strict=True)]
        sizes = [copy[1:] if copy else (type.size, type.alignment) for copy, type in zip(copies, types, strict=True)]
        slots = in_slots(sizes)
        block = self.b.effect(
            "allocate", Constant(INT, slots.length), of=LONG, name="arguments", span=span, alignment=slots.alignment
        )
        temporary.append(block)
        for number, offset in enumerate(NO_REGISTERS):
            self.b.effect("store", Constant(UNSIGNED, offset), self._slot(block, number, UNSIGNED, span), span=span)
        self.b.effect("store", self._slot(block, LIST, LONG, span), self._slot(block, 1, LONG, span), span=span)
        description = Constant(LONG, described(types))
        self.b.effect("store", description, self._slot(block, LIST - 1, LONG, span), span=span)
        for value, copy, number in zip(values, copies, slots.numbers, strict=True):
            slot = self._slot(block, number, LONG, span)
            if copy:
                self.b.effect("copy", value, slot, of=copy[0], span=span)
            else:
                self.b.effect("store", self._widened(value), slot, span=span)
        return block

    def _slot(self, block: Value, number: int, type: Scalar, span: Span) -> Value:
        return self.b.primitive("element", block, Constant(INT, number), of=type, span=span) if number else block

    def _new(self, name: str, type: Any, span: Span) -> Value:
        return self.b.effect("allocate", *count_of(type), of=element_of(type), name=name, span=span)

    def _end(self, temporary: Sequence[Value], span: Span) -> None:
        for each in reversed(temporary):
            self.b.effect("deallocate", each, span=span)

    def copy_list(self, source: Value, target: Value, span: Span) -> None:
        """Copy a `va_list`: two offsets, the pointer to the arguments, and their description."""
        for number, type in enumerate((LONG, PTR, LONG)):
            value = self.b.effect("load", self._slot(source, number, LONG, span), type=type, span=span)
            self.b.effect("store", value, self._slot(target, number, LONG, span), span=span)


_ENDS = {"@exit": HALT, "@abort": ABORT}
_CONTROL = {"": Calls.nothing, "@__assert_fail": Calls.fail, **dict.fromkeys(_ENDS, Calls.end)}
"""Functions that are no calls in the program; the callee of an assembler text without instructions is ""."""
