"""The lowering of calls: of functions of the module, of external functions, through pointers, and of intrinsics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cpsconv.abi.argument_passing import in_slots, write_list
from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import BOOL, INT, LONG, PTR, VOID, Array, Constant, ObjectType, Scalar, Struct, Undef, Value
from cpsconv.core.operations.types import is_integer, scalar_type
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.assembler_text import is_without_instructions, moved
from cpsconv.languages.llvm.ours.intrinsics import INTRINSICS
from cpsconv.languages.llvm.ours.library_symbols import LIBRARY_SYMBOLS, panic
from cpsconv.languages.llvm.ours.memory import Allocate
from cpsconv.languages.llvm.ours.object_types import Inexpressible, scalar
from cpsconv.languages.llvm.ours.operands import Operand, leaves, operands_of
from cpsconv.languages.llvm.ours.signatures import Signature
from cpsconv.languages.llvm.types import NAME, end_of_brackets, first_type, parts_of, text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering

_CALLEE = re.compile(rf"(@{NAME}|%)\(")
_BY_VALUE = re.compile(r"\bbyval\(")

RELAXED_FLAGS = {"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}
"""The flags of a floating-point instruction that allow other results."""


class Parts(NamedTuple):
    """The parts of a call: the type of its result, the callee (``%`` for a pointer), and the texts of its arguments.

    `fixed` is the number of parameters if others follow, which vary.
    """

    result: str
    callee: str
    arguments: list[Operand]
    fixed: int | None = None


def parts_of_call(text: str) -> Parts:
    """The parts of a call. Raises `Inexpressible` for other callees, such as assembler text."""
    callee = _CALLEE.search(text)
    if callee is None or re.match(r"[\w ]*\basm\b", text):
        raise Inexpressible("this callee")
    start = callee.end() - 1
    end = end_of_brackets(text, start)
    if "[ " in text[end:].partition(", !")[0] and callee[1] != "@llvm.assume":
        raise Inexpressible("operand bundles")
    head = text[: callee.start()].rstrip()
    words = re.match(r"(?:(?:tail|musttail|notail) )?(?:call|invoke) ((?:\w+ )*)", f"{head} ")
    assert words
    if not RELAXED_FLAGS.isdisjoint(words[1].split()):
        raise Inexpressible("a call with flags that change its result")
    is_variadic = head.endswith("...)")
    fixed = len(parts_of(head[head.rindex(" (") + 2 : -1])) - 1 if is_variadic else None
    return Parts(first_type(head, words.start(1)), callee[1], operands_of(text[start + 1 : end - 1]), fixed)


class Calls:
    """Calls in one function.

    `structs` has the addresses of copies of arguments that are structs, with their types and alignments.
    """

    def __init__(self, function: FunctionLowering) -> None:
        self.function, self.b, self.items = function, function.b, function.items
        self.make, self.memory = function.make, function.memory
        self.structs: dict[Value, tuple[ObjectType, int]] = {}

    def call(self, line: Line) -> Any:
        """The result of a call; None if it has none. Raises `Inexpressible`."""
        if is_without_instructions(line):
            return moved(self.function, line)
        parts, names = parts_of_call(line.text), iter(line.names)
        symbol, pointer = parts.callee[1:], self.function.value_of(next(names)) if parts.callee == "%" else None
        if path := panic(symbol, self.items.is_noreturn(symbol)):
            return fail(self.b, f"the program panics in `{path}`", self.make.span)
        arguments = [self.function.operand(each, names) for each in parts.arguments if each.type != "metadata"]
        expanded = INTRINSICS if symbol.startswith("llvm.") else {} if symbol in self.items.texts else LIBRARY_SYMBOLS
        name = symbol.removeprefix("llvm.")
        while name and expanded and name not in expanded:
            name = name.rpartition(".")[0]
        if name in expanded:
            return expanded[name](self, parts, arguments)
        if expanded is INTRINSICS:
            raise Inexpressible(f"the intrinsic `{parts.callee}`")
        with self.memory.temporary() as allocate:
            return self._call(symbol, pointer, parts, [*self._passed(parts, arguments, allocate)], allocate)

    def external(self, name: str, arguments: Sequence[Value], types: Sequence[str], result: str) -> Any:
        """The result of a call of an external function, which need not be declared in the module."""
        self.items.declare(name, types, result)
        with self.memory.temporary() as allocate:
            return self._call(name, None, Parts(result, f"@{name}", []), [[each] for each in arguments], allocate)

    def _call(
        self, symbol: str, pointer: Value | None, parts: Parts, arguments: list[list[Value]], allocate: Allocate
    ) -> Any:
        """The result of a call of a function, or through a pointer, with the scalars in each argument."""
        signature = self._signature_at(parts, arguments) if pointer else self.items.signature(symbol)
        if signature.function and not self._agrees(signature, parts, arguments):
            pointer = self.b.convert(PTR, signature.function, self.make.span)
            signature = self._signature_at(parts, arguments)
        for type in (*signature.types, signature.result):
            if isinstance(type, Scalar) and type.kind == "foreign":
                raise Inexpressible(f"the type `{text_of(type)}` of a parameter or result of `{parts.callee}`")
        given = iter([value for argument in arguments for value in argument])
        place = None if signature.place is None else allocate("result", signature.place)
        passed = [] if place is None else [place]
        passed += [self._argument(type, given, allocate) for type in signature.types]
        variable = [*given] if signature.is_variadic else []
        if signature.is_variadic and not signature.is_external:
            passed.append(self._variable_arguments(variable, allocate))
        elif variable and signature.function:
            passed += map(self._widened, variable)
            pointer = self.b.convert(PTR, signature.function, self.make.span)
        if pointer is None and signature.function:
            value = self.b.call(signature.function, passed, self.make.span)
        else:
            assert pointer
            value = self.b.call_through(pointer, passed, signature.result, self.make.span)
        if place is not None:
            return self.memory.load(parts.result, place)
        return None if value is None else self.make.convert(scalar(parts.result, "a result"), value)

    # ------------------------------------------------------------------------------------------------- arguments

    def _signature_at(self, parts: Parts, arguments: list[list[Value]]) -> Signature:
        """The signature of the function at a pointer, as far as a call states it.

        A call of a function without a prototype looks like one without variable arguments.
        """
        result, place = self.items.result(parts.result)
        types = [scalar_type(value) for argument in arguments[: parts.fixed] for value in argument]
        stated = (*(each.type for each in parts.arguments),)
        is_variadic = parts.fixed is not None and (parts.fixed < len(stated) or stated in self.items.variadic)
        return Signature(types, result, place, is_variadic)

    def _agrees(self, signature: Signature, parts: Parts, arguments: list[list[Value]]) -> bool:
        """Whether the function can be called with the types that a call states, except for integers of other widths.

        The parts of complex numbers, which a struct parameter receives, agree with it.
        """
        result, place = self.items.result(parts.result)
        if (place is None) != (signature.place is None) or _class(result) != _class(signature.result):
            return False
        given = [scalar_type(value) for argument in arguments for value in argument]
        pairs = [*zip(signature.types, given, strict=False)]
        return any(isinstance(each, Struct) for each in signature.types) or all(
            _class(expected) == _class(type) for expected, type in pairs
        )

    def _passed(self, parts: Parts, arguments: Sequence[Any], allocate: Allocate) -> Iterator[list[Value]]:
        """The scalars in each argument; for a struct that is passed by value, the address of a copy."""
        for number, (operand, argument) in enumerate(zip(parts.arguments, arguments, strict=True)):
            values = leaves(argument)
            if parts.fixed is not None and number >= parts.fixed and operand.type in ("float", "<2 x float>"):
                bits = 32 * len(values)  # numbers of a struct, which share a slot
                values = [self.memory.same_bits(operand.type, f"i{bits}", argument)]
            for each in values:
                self.function.require_value(each)
            if match := _BY_VALUE.search(operand.attributes):
                type = self.items.types.of(first_type(operand.attributes, match.end()))
                stated = re.search(r"\balign (\d+)", operand.attributes)
                copy = allocate("argument", type)
                self.structs[copy] = type, max(type.alignment, int(stated[1]) if stated else 8)
                self.make.effect("copy", argument, copy, of=type)
                values = [copy]
            yield values

    def _argument(self, type: Scalar | Struct, given: Iterator[Value], allocate: Allocate) -> Value:
        """The next argument with the type that the callee expects: sign and width may differ.

        The parts of a complex number become a struct. An argument that is missing is undefined, as in C.
        """
        value = next(given, None)
        if isinstance(type, Scalar):
            return Undef(type, "argument") if value is None else self.make.convert(type, value)
        if value is not None and value.type is not PTR:
            place = allocate("argument", type)
            for field, part in zip(type.fields.values(), [value, next(given, value)], strict=True):
                self.make.effect("store", part, self.make("field", place, of=field))
            return place
        return value or Undef(PTR, "argument")

    def _widened(self, value: Value) -> Value:
        """A variable argument: a callee may read all of the slot of a narrow integer.

        Raises `Inexpressible` for a type that C does not pass so.
        """
        type = scalar_type(value)
        if type is BOOL or (is_integer(type) and type.bits < LONG.bits):
            return self.make.convert(LONG, self.make.unsigned(value))
        if type.size < LONG.size or (is_integer(type) and LONG.bits < type.bits < 128):
            raise Inexpressible(f"a variable argument of the type `{text_of(type)}`")
        return value

    def _variable_arguments(self, values: Sequence[Value], allocate: Allocate) -> Value:
        """The pointer to the `va_list` of the variable arguments, which precedes them."""
        kept = [self.structs.get(each, (scalar_type(each), scalar_type(each).alignment)) for each in values]
        slots = in_slots([(type.size, alignment) for type, alignment in kept])
        block = allocate("arguments", Array(LONG, slots.length), slots.alignment)

        def place(number: int, type: Scalar = LONG) -> Value:
            return self.make("element", block, Constant(INT, number), of=type) if number else block

        def store(value: Value, place: Value) -> None:
            self.make.effect("store", value, place)

        write_list(place, store, [VOID if each in self.structs else scalar_type(each) for each in values])
        for value, number in zip(values, slots.numbers, strict=True):
            if value in self.structs:
                self.make.effect("copy", value, place(number), of=self.structs[value][0])
            else:
                store(self._widened(value), place(number))
        return block

    def copy_list(self, source: Value, target: Value) -> None:
        """Copy a `va_list`: two offsets, the pointer to the arguments, and their description."""
        for offset, type in enumerate((LONG, PTR, LONG)):
            value = self.make.effect("load", self.memory.at(source, 8 * offset), type=type)
            self.make.effect("store", value, self.memory.at(target, 8 * offset))


def _class(type: Scalar | Struct) -> object:
    """What a scalar type must have in common with another one to be converted to it in a call."""
    return "integer" if type is BOOL or (isinstance(type, Scalar) and is_integer(type)) else type
