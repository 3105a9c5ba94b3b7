"""Functions that take or return structs by value, or take variable arguments, as gcc calls them.

The functions of the program call an external one through a definition of its own, which takes pointers to the structs.
It loads the eightbytes of each struct that are passed in registers, and stores those of a result. Callers in other
modules call an exported function through a definition that does the reverse. LLVM passes a struct in memory itself
(``byval``, ``sret``); it does not know that a struct, or an integer of 128 bits, is in memory if the registers do not
suffice for all of its eightbytes, so they are counted here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cpsconv.abi.argument_passing import GENERAL_REGISTERS, INTEGER, NO_CLASS, VECTOR_REGISTERS, classes, scalars_in
from cpsconv.abi.attributes import CSignature, c_signature
from cpsconv.abi.complex_types import is_complex
from cpsconv.core.entry import data_parameters
from cpsconv.core.ir import LONG_DOUBLE, WIDE_INTEGERS, Function, Scalar, Struct, Type
from cpsconv.targets.llvm.calling_convention import Prototype
from cpsconv.targets.llvm.layouts import memory_word
from cpsconv.targets.llvm.vocabulary import extension, quoted, type_word


def signature_in_c(function: Function) -> CSignature | None:
    """The signature of a function that LLVM does not call as gcc does; None for others."""
    types = [parameter.type for parameter in data_parameters(function)]
    signature = c_signature(function)
    if signature or (
        any(type in WIDE_INTEGERS for type in types)
        and sum(map(_registers, types)) > GENERAL_REGISTERS  # some may be in memory
    ):
        return signature or CSignature()
    return None


def _registers(type: Type) -> int:
    """The number of general registers for a scalar."""
    return 2 if type in WIDE_INTEGERS else int(isinstance(type, Scalar) and type.kind != "float")


def declaration(own: Prototype, function: Function) -> str:
    """The declaration of the external function; `own` is the prototype of the definition that calls it."""
    call = _call(own, function)
    variable = ["..."] if _signature(function).is_variadic else []
    types = ", ".join([*call.types, *variable])
    return f"declare {call.result} @{quoted(function.name)}({types}){returns_twice(function)}"


def returns_twice(function: Function) -> str:
    """The attribute of the declaration of a function whose calls may return more than once."""
    return " returns_twice" * function.returns_again


def definition(own: Prototype, function: Function) -> Iterator[str]:
    """The definition of the function `own`, which calls the external one."""
    call = _call(own, function)
    names = [f"%p{index}" for index in range(len(own.types))]
    parameters = ", ".join(f"{word} {name}" for word, name in zip(own.parameter_words, names, strict=True))
    yield f"define internal {own.returned} {own.symbol}({parameters}) alwaysinline{returns_twice(function)} {{"
    yield from (f"  {line}" for each in call.converted() for line in each.loads())
    variable = "..." if _signature(function).is_variadic else ""
    words = [*map(_without_attributes, call.types), variable]
    fixed = f"({', '.join(words)})" if variable else ""
    passed = ", ".join([*call.arguments, *call.variable])
    called = f"call {call.result}{f' {fixed}' if fixed else ''} @{quoted(function.name)}({passed})"
    if own.returns:
        yield from (f"  %result = {called}", f"  ret {own.result} %result")
    else:
        yield f"  %result = {called}" if call.returned else f"  {called}"
        if call.returned:
            yield from (f"  {line}" for line in call.returned.stores("%result"))
        yield "  ret void"
    yield "}"


def _without_attributes(word: str) -> str:
    """The type of a parameter, as in the type of a function."""
    return re.sub(r" (?:(?:sret|byval)\(.*\)|signext|zeroext)(?: align \d+)?$", "", word)


def exported(own: Prototype, function: Function, symbol: str) -> Iterator[str]:
    """The definition with the `symbol` for callers in C, which calls the function `own`, with pointers to structs."""
    call = _call(own, function, is_exported=True)
    is_variadic = _signature(function).is_variadic
    yield f"define {call.result} {symbol}({', '.join(call.arguments + ['...'] * is_variadic)}) {{"
    names = [f"%p{index}" for index in range(len(own.types))]
    for each in [*call.in_registers, *([call.returned] if call.returned else [])]:
        yield f"  {each.name} = alloca {memory_word(each.struct)}, align {max(each.struct.alignment, 8)}"
    yield from (f"  {line}" for each in call.converted() for line in each.stores())
    if is_variadic:
        yield f"  {names[-1]} = alloca [3 x i64], align 16"
        yield f"  call void @llvm.va_start(ptr {names[-1]})"
    passed = ", ".join(f"{word} {name}" for word, name in zip(own.parameter_words, names, strict=True))
    called = f"call {own.returned} {own.symbol}({passed})"
    if own.returns:
        yield from (f"  %result = {called}", f"  ret {own.result} %result")
    elif call.returned:
        yield f"  {called}"
        yield from (f"  {line}" for line in call.returned.loads())
        yield from (f"  {line}" for line in call.returned.returns(call.result))
    else:
        yield from (f"  {called}", "  ret void")
    yield "}"


VA_START = "declare void @llvm.va_start(ptr)"
"""The declaration that definitions with variable arguments need."""


class _InRegisters(NamedTuple):
    """A struct in registers: the `name` of the pointer to it, and the offsets and types of its `parts`."""

    name: str
    struct: Struct
    parts: list[tuple[int, str]]

    def part(self, offset: int) -> str:
        """The name of the part at an offset."""
        return f"%part{self.name[2:]}.{offset}"

    def loads(self) -> Iterator[str]:
        """The loads of the parts."""
        for offset, word in self.parts:
            yield self._place(offset)
            yield f"{self.part(offset)} = load {word}, ptr {self._place_name(offset)}, align {_alignment(self.struct)}"

    def stores(self, result: str = "") -> Iterator[str]:
        """The stores of the parts, which a `result` may consist of."""
        words = ", ".join(word for _, word in self.parts)
        for index, (offset, word) in enumerate(self.parts):
            value = self.part(offset)
            if result and len(self.parts) == 1:
                value = result
            elif result:
                yield f"{value} = extractvalue {{ {words} }} {result}, {index}"
            yield self._place(offset)
            yield f"store {word} {value}, ptr {self._place_name(offset)}, align {_alignment(self.struct)}"

    def returns(self, result: str) -> Iterator[str]:
        """The return of the parts as a result of that type."""
        whole = self.part(self.parts[0][0])
        if len(self.parts) > 1:
            before = "undef"
            for index, (offset, word) in enumerate(self.parts):
                whole = f"%whole.{index}"
                yield f"{whole} = insertvalue {result} {before}, {word} {self.part(offset)}, {index}"
                before = whole
        yield f"ret {result} {whole}"

    def _place_name(self, offset: int) -> str:
        return f"%place{self.name[2:]}.{offset}"

    def _place(self, offset: int) -> str:
        return f"{self._place_name(offset)} = getelementptr i8, ptr {self.name}, i64 {offset}"


class _OnStack(NamedTuple):
    """An integer of 128 bits in memory, by its name."""

    name: str

    @property
    def place(self) -> str:
        """The pointer that is passed."""
        return f"%stack{self.name[2:]}"

    def loads(self) -> Iterator[str]:
        """The copy to memory, before a call."""
        yield f"{self.place} = alloca i128, align 16"
        yield f"store i128 {self.name}, ptr {self.place}, align 16"

    def stores(self) -> Iterator[str]:
        """The load from memory, after the entry."""
        yield f"{self.name} = load i128, ptr {self.place}, align 16"


@dataclass
class _Call:
    """The call of a function in C: the `types` of the fixed parameters, the arguments, and the structs in registers."""

    result: str
    types: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    variable: list[str] = field(default_factory=list)
    in_registers: list[_InRegisters] = field(default_factory=list)
    on_stack: list[_OnStack] = field(default_factory=list)
    returned: _InRegisters | None = None
    registers: dict[bool, int] = field(default_factory=lambda: {True: GENERAL_REGISTERS, False: VECTOR_REGISTERS})

    def converted(self) -> Iterator[_InRegisters | _OnStack]:
        """The arguments that are passed in another form than that of the program."""
        yield from self.in_registers
        yield from self.on_stack

    def scalar(self, type: Scalar, word: str, name: str, is_fixed: bool) -> None:
        """Pass a scalar."""
        if type in WIDE_INTEGERS and self.registers[True] < 2:
            self.on_stack.append(_OnStack(name))
            word, name = "ptr byval(i128) align 16", self.on_stack[-1].place
        elif type is not LONG_DOUBLE:  # which is passed in memory
            for _ in range(_registers(type) or 1):
                self._take(type.kind != "float")
        if is_fixed:
            self._pass(word, name)
        else:
            self.variable.append(f"{word} {name}")

    def in_memory(self, struct: Struct, name: str, how: str) -> None:
        """Pass the pointer to a struct in memory."""
        self._pass(f"ptr {how}({memory_word(struct)}) align {max(struct.alignment, 8)}", name)
        if how == "sret":
            self._take(True)

    def by_value(self, struct: Struct, name: str) -> None:
        """Pass a struct."""
        parts = _parts(struct)
        needed = [word.startswith("i") for _, word in parts or ()]
        if parts is None or any(needed.count(kind) > left for kind, left in self.registers.items()):
            self.in_memory(struct, name, "byval")
            return
        passed = _InRegisters(name, struct, parts)
        self.in_registers.append(passed)
        for offset, word in parts:
            self._take(word.startswith("i"))
            self._pass(word, passed.part(offset))

    def _pass(self, word: str, name: str) -> None:
        self.types.append(word)
        self.arguments.append(f"{word} {name}")

    def _take(self, is_general: bool) -> None:
        self.registers[is_general] = max(0, self.registers[is_general] - 1)


def _call(own: Prototype, function: Function, *, is_exported: bool = False) -> _Call:
    """The call, with the values that `own` has; without the variable arguments of an exported function."""
    signature, number_of_fixed = _signature(function), len(function.parameters) - 1
    call = _Call(own.returned)
    fixed = len(own.types) - (is_exported and signature.is_variadic)
    for index, type in enumerate(own.types[:fixed]):
        assert isinstance(type, Scalar)
        name, struct = f"%p{index}", signature.structs.get(index)
        if struct and signature.returns_struct and index == 0:
            parts = _parts_of_result(struct)
            if parts is None:
                call.in_memory(struct, name, "sret")
            else:
                words = [word for _, word in parts]
                call.result = f"{{ {', '.join(words)} }}" if len(words) > 1 else words[0]
                call.returned = _InRegisters(name, struct, parts)
        elif struct:
            call.by_value(struct, name)
        else:
            word = f"{type_word(type)} {extension(type)}".rstrip()
            call.scalar(type, word, name, index < number_of_fixed)
    return call


def _signature(function: Function) -> CSignature:
    signature = signature_in_c(function)
    assert signature
    return signature


def _parts(struct: Struct) -> list[tuple[int, str]] | None:
    """The offsets and types of the eightbytes that are passed in registers; None if the struct is in memory."""
    found = classes(struct)
    if found is None:
        return None
    sizes = [min(8, struct.size - 8 * number) for number in range(len(found))]
    words = [f"i{8 * size}" if kind == INTEGER else _FLOATS[size] for kind, size in zip(found, sizes, strict=True)]
    return [(8 * number, word) for number, word in enumerate(words) if found[number] != NO_CLASS]


def _parts_of_result(struct: Struct) -> list[tuple[int, str]] | None:
    """Likewise, of a result. A `long double _Complex` is in two registers of the floating-point stack."""
    scalars = [*scalars_in(struct)]
    if is_complex(struct) and scalars[0][0] is LONG_DOUBLE:
        return [(offset, type_word(type)) for type, offset in scalars]
    return _parts(struct)


_FLOATS = {4: "float", 8: "double"}


def _alignment(struct: Struct) -> int:
    return min(struct.alignment, 8)
