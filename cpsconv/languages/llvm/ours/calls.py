"""The lowering of calls: of functions of the module, of external functions, through pointers, and of intrinsics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cpsconv.abi.argument_passing import in_slots, write_list
from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import (
    BOOL,
    INT,
    LONG,
    PTR,
    VOID,
    Array,
    Constant,
    Function,
    ObjectType,
    Scalar,
    Struct,
    Undef,
    Value,
)
from cpsconv.core.operations.types import is_integer, scalar_type
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.aggregates import leaves
from cpsconv.languages.llvm.ours.assembler_text import is_without_instructions, moved
from cpsconv.languages.llvm.ours.intrinsics import INTRINSICS
from cpsconv.languages.llvm.ours.items import Signature
from cpsconv.languages.llvm.ours.library_symbols import LIBRARY_SYMBOLS, panic
from cpsconv.languages.llvm.ours.object_types import Inexpressible
from cpsconv.languages.llvm.ours.operands import Call, Operand, call_of
from cpsconv.languages.llvm.ours.wrappers import signed
from cpsconv.languages.llvm.types import first_type, text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering

_BY_VALUE = re.compile(r"\bbyval\(")


class Calls:
    """Calls in one function.

    `objects` has the addresses of copies of arguments that are objects, with their types and alignments.
    """

    def __init__(self, function: FunctionLowering) -> None:
        self.function, self.b, self.items = function, function.b, function.items
        self.make, self.memory = function.make, function.memory
        self.objects: dict[Value, tuple[ObjectType, int]] = {}

    def call(self, line: Line) -> Any:
        """The result of a call; None if it has none. Raises `Inexpressible`."""
        if is_without_instructions(line):
            return moved(self.function, line)
        call, result = call_of(line.text), self.function.result_of(line)
        symbol, name = call.callee[1:], call.callee[1:].removeprefix("llvm.")
        if path := panic(symbol, self.items.is_noreturn(symbol)):
            return fail(self.b, f"the program panics in `{path}`", line)
        pointers = [] if symbol else [Operand("ptr", "", "%")]
        values = self.function.values_of(line, [*pointers, *call.operands])
        expanded = INTRINSICS if symbol.startswith("llvm.") else {} if symbol in self.items.texts else LIBRARY_SYMBOLS
        while expanded and name and name not in expanded:
            name = name.rpartition(".")[0]
        if name in expanded:
            return expanded[name](self.function, line, values)
        if expanded is INTRINSICS:
            raise Inexpressible(f"the intrinsic `{call.callee}`")
        callee = None if symbol else values.pop(0)
        with self.memory.temporary():
            arguments = [*self._passed(call, values)]
            given = [value for argument in arguments for value in argument]
            signature = self._stated(call, result, arguments, callee)
            if symbol:
                known = self.items.signature(symbol)
                if not _agree(known, signature, given):
                    known = signature._replace(callee=self.make.convert(PTR, known.callee))
                signature = known
            for type in (*signature.types, signature.result):
                if isinstance(type, Scalar) and type.kind == "foreign":
                    raise Inexpressible(f"the type `{text_of(type)}` of a parameter or result of `{call.callee}`")
            value = self._call(signature, given)
            if signature.place is not None:
                return self.memory.load(result, value)
            return value and self.make.convert(self.items.types.scalar(result, "a result"), value)

    def external(self, name: str, arguments: Sequence[Value]) -> Any:
        """The result of a call of a function of C's library. Raises `Inexpressible` if the module has another one."""
        signature = self.items.library(name)
        if not _agree(signature, signature, arguments):
            raise Inexpressible(f"`{name}`, which the module has with other parameters")
        with self.memory.temporary():
            value = self._call(signature, arguments)
        return value and self.make.convert(signed(signature.result), value)

    def _call(self, signature: Signature, given: Sequence[Value]) -> Any:
        """The result of a call with the scalars in all arguments: for an aggregate its address, for `void` None."""
        remaining, callee, span = iter(given), signature.callee, self.make.span
        passed = [self._argument(type, remaining) for type in signature.types]
        if signature.place is not None:
            passed.insert(0, self.memory.allocate("result", signature.place))
        variable = [*remaining] if signature.is_variadic else []
        if signature.is_variadic and not signature.is_external:
            passed.append(self._variable_arguments(variable))
        elif variable:
            passed += map(self._widened, variable)
            callee = self.make.convert(PTR, callee)
        if isinstance(callee, Function):
            value = self.b.call(callee, passed, span)
        else:
            value = self.b.call_through(callee, passed, signature.result, span)
        return value if signature.place is None else passed[0]

    # ------------------------------------------------------------------------------------------------- arguments

    def _stated(self, call: Call, result: str, arguments: Sequence[list[Value]], callee: Any) -> Signature:
        """The signature of a function, as far as a call states it.

        A call of a function without a prototype looks like one without variable arguments.
        """
        types = [scalar_type(value) for argument in arguments[: call.fixed] for value in argument]
        stated = (*(each.type for each in call.operands),)
        is_variadic = call.fixed is not None and (call.fixed < len(stated) or stated in self.items.variadic)
        return Signature(callee, types, *self.items.result(result), is_variadic)

    def _passed(self, call: Call, arguments: Sequence[Any]) -> Iterator[list[Value]]:
        """The scalars in each argument; for an object that is passed by value, the address of a copy."""
        for number, (operand, argument) in enumerate(zip(call.operands, arguments, strict=True)):
            values = leaves(argument)
            if call.fixed is not None and number >= call.fixed and operand.type in ("float", "<2 x float>"):
                bits = 32 * len(values)  # numbers of a struct, which share a slot
                values = [self.memory.same_bits(operand.type, f"i{bits}", argument)]
            self.function.require_scalars(values)
            if "noundef" not in operand.attributes:  # compilers pass no value for what the callee does not use
                values = [
                    Undef(each.type, each.name, self.make.span) if isinstance(each, Undef) else each for each in values
                ]
            if match := _BY_VALUE.search(operand.attributes):
                type = self.items.types.of(first_type(operand.attributes, match.end()))
                stated = re.search(r"\balign (\d+)", operand.attributes)
                copy = self.memory.allocate("argument", type)
                self.objects[copy] = type, max(type.alignment, int(stated[1]) if stated else 8)
                self._copy(type, argument, copy)
                values = [copy]
            yield values

    def _argument(self, type: Scalar | Struct, given: Iterator[Value]) -> Value:
        """The next argument with the type that the callee expects: sign and width may differ.

        The parts of a complex number become a struct. An argument that is missing is undefined, as in C.
        """
        value = next(given, None)
        if isinstance(type, Scalar):
            return Undef(type, "argument") if value is None else self.make.convert(type, value)
        if value is not None and value.type is not PTR:
            place = self.memory.allocate("argument", type)
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

    def _variable_arguments(self, values: Sequence[Value]) -> Value:
        """The pointer to the `va_list` of the variable arguments, which precedes them."""
        kept = [self.objects.get(each, (scalar_type(each), scalar_type(each).alignment)) for each in values]
        slots = in_slots([(type.size, alignment) for type, alignment in kept])
        block = self.memory.allocate("arguments", Array(LONG, slots.length), slots.alignment)

        def place(number: int, type: Scalar = LONG) -> Value:
            return self.make("element", block, Constant(INT, number), of=type) if number else block

        def store(value: Value, place: Value) -> None:
            self.make.effect("store", value, place)

        write_list(place, store, [VOID if each in self.objects else scalar_type(each) for each in values])
        for value, number in zip(values, slots.numbers, strict=True):
            if value in self.objects:
                self._copy(self.objects[value][0], value, place(number))
            else:
                store(self._widened(value), place(number))
        return block

    def _copy(self, type: ObjectType, source: Value, target: Value) -> None:
        """Copy an object of a type."""
        if isinstance(type, Scalar):
            self.make.effect("store", self.make.effect("load", source, type=type), target)
        else:
            self.make.effect("copy", source, target, of=type)

    def copy_list(self, source: Value, target: Value) -> None:
        """Copy a `va_list`: two offsets, the pointer to the arguments, and their description."""
        for offset, type in enumerate((LONG, PTR, LONG)):
            value = self.make.effect("load", self.memory.at(source, 8 * offset), type=type)
            self.make.effect("store", value, self.memory.at(target, 8 * offset))


def _class(type: Scalar | Struct) -> object:
    """What a scalar type must have in common with another one to be converted to it in a call."""
    return "integer" if type is BOOL or (isinstance(type, Scalar) and is_integer(type)) else type


def _agree(known: Signature, stated: Signature, given: Sequence[Value]) -> bool:
    """Whether a function can be called as a call states, with these scalars, except for integers of other widths.

    The parts of complex numbers, which a struct parameter receives, agree with it.
    """
    if (known.place is None) != (stated.place is None) or _class(known.result) != _class(stated.result):
        return False
    pairs = zip(known.types, map(scalar_type, given), strict=False)
    has_structs = any(isinstance(each, Struct) for each in known.types)
    return has_structs or all(_class(expected) == _class(type) for expected, type in pairs)
