"""Calls of external functions that take or return structs by value, or take variable arguments, as gcc calls them.

The functions of the program call such a function through a definition of its own, which takes pointers to the structs.
It loads the eightbytes of each struct that are passed in registers, and stores those of a result. LLVM passes a struct
in memory itself (``byval``, ``sret``); it does not know that a struct is in memory if the registers do not suffice for
all of its eightbytes, so they are counted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cpsconv.emit.llvm.calling_convention import Prototype
from cpsconv.emit.llvm.layouts import memory_word
from cpsconv.emit.llvm.vocabulary import extension, quoted, type_word
from cpsconv.ir import LONG_DOUBLE, CSignature, Function, Scalar, Struct
from cpsconv.operations.argument_passing import INTEGER, NO_CLASS, classes

_GENERAL_REGISTERS, _VECTOR_REGISTERS = 6, 8  # for arguments


def declaration(own: Prototype, function: Function) -> str:
    """The declaration of the external function; `own` is the prototype of the definition that calls it."""
    call = _call(own, function)
    variable = ["..."] if _signature(function).is_variadic else []
    return f"declare {call.result} @{quoted(function.name)}({', '.join([*call.types, *variable])})"


def definition(own: Prototype, function: Function) -> Iterator[str]:
    """The definition of the function `own`, which calls the external one."""
    call = _call(own, function)
    names = [f"%{index}" for index in range(len(own.types))]
    parameters = ", ".join(f"{word} {name}" for word, name in zip(own.parameter_words, names, strict=True))
    yield f"define internal {own.returned} {own.symbol}({parameters}) alwaysinline {{"
    yield from (f"  {line}" for line in call.loads)
    variable = "..." if _signature(function).is_variadic else ""
    words = [*call.types, *([variable] if variable else [])]
    fixed = f"({', '.join(words)})" if variable else ""
    passed = ", ".join([*call.arguments, *call.variable])
    called = f"call {call.result}{f' {fixed}' if fixed else ''} @{quoted(function.name)}({passed})"
    if own.returns:
        yield from (f"  %result = {called}", f"  ret {own.result} %result")
    else:
        yield f"  %result = {called}" if call.stores else f"  {called}"
        yield from (f"  {line}" for line in call.stores)
        yield "  ret void"
    yield "}"


@dataclass
class _Call:
    """The call in a definition: the `types` of the fixed parameters, the arguments, and the lines around the call."""

    result: str
    types: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    variable: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    stores: list[str] = field(default_factory=list)
    registers: dict[bool, int] = field(default_factory=lambda: {True: _GENERAL_REGISTERS, False: _VECTOR_REGISTERS})

    def scalar(self, type: Scalar, word: str, name: str, is_fixed: bool) -> None:
        """Pass a scalar."""
        if type is not LONG_DOUBLE:  # which is passed in memory
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
        for offset, word in parts:
            place, value = f"%place{name[1:]}.{offset}", f"%part{name[1:]}.{offset}"
            self.loads.append(f"{place} = getelementptr i8, ptr {name}, i64 {offset}")
            self.loads.append(f"{value} = load {word}, ptr {place}, align {_alignment(struct)}")
            self._take(word.startswith("i"))
            self._pass(word, value)

    def stored(self, struct: Struct, parts: list[tuple[int, str]], name: str) -> None:
        """Store the result, whose parts are in registers."""
        for index, (offset, word) in enumerate(parts):
            place, value = f"%place.{offset}", "%result"
            if len(parts) > 1:
                value = f"%part.{offset}"
                self.stores.append(f"{value} = extractvalue {self.result} %result, {index}")
            self.stores.append(f"{place} = getelementptr i8, ptr {name}, i64 {offset}")
            self.stores.append(f"store {word} {value}, ptr {place}, align {_alignment(struct)}")

    def _pass(self, word: str, name: str) -> None:
        self.types.append(word)
        self.arguments.append(f"{word} {name}")

    def _take(self, is_general: bool) -> None:
        self.registers[is_general] = max(0, self.registers[is_general] - 1)


def _call(own: Prototype, function: Function) -> _Call:
    signature, number_of_fixed = _signature(function), len(function.parameters) - 1
    call = _Call(own.returned)
    for index, type in enumerate(own.types):
        assert isinstance(type, Scalar)
        name, struct = f"%{index}", signature.structs.get(index)
        if struct and signature.returns_struct and index == 0:
            parts = _parts(struct)
            if parts is None:
                call.in_memory(struct, name, "sret")
            else:
                words = [word for _, word in parts]
                call.result = f"{{ {', '.join(words)} }}" if len(words) > 1 else words[0]
                call.stored(struct, parts, name)
        elif struct:
            call.by_value(struct, name)
        else:
            word = f"{type_word(type)} {extension(type)}".rstrip()
            call.scalar(type, word, name, index < number_of_fixed)
    return call


def _signature(function: Function) -> CSignature:
    assert function.c_signature
    return function.c_signature


def _parts(struct: Struct) -> list[tuple[int, str]] | None:
    """The offsets and types of the eightbytes that are passed in registers; None if the struct is in memory."""
    found = classes(struct)
    if found is None:
        return None
    sizes = [min(8, struct.size - 8 * number) for number in range(len(found))]
    words = [f"i{8 * size}" if kind == INTEGER else _FLOATS[size] for kind, size in zip(found, sizes, strict=True)]
    return [(8 * number, word) for number, word in enumerate(words) if found[number] != NO_CLASS]


_FLOATS = {4: "float", 8: "double"}


def _alignment(struct: Struct) -> int:
    return min(struct.alignment, 8)
