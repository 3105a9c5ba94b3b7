"""Functions that the module lacks and pointers need: each calls another one, and is built when all others are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpsconv.abi.attributes import VARIADIC
from cpsconv.abi.prototypes import PROTOTYPES
from cpsconv.core.attributes import LOCAL
from cpsconv.core.construction import Variable
from cpsconv.core.ir import (
    MEMORY,
    PTR,
    VOID,
    Attributes,
    Constant,
    Data,
    Function,
    Primitive,
    Scalar,
    Struct,
    Value,
    integer_type,
)
from cpsconv.core.operations.types import is_integer, scalar_type
from cpsconv.core.source import Span
from cpsconv.languages.arithmetic import Maker
from cpsconv.languages.llvm.ours.object_types import Inexpressible

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.items import Items, Signature


class Wrappers:
    """The functions of one module that call others."""

    def __init__(self, items: Items) -> None:
        self._items, self._builder = items, items.builder
        self._of_library: dict[Function, Function] = {}
        self._pending: list[tuple[Function, Sequence[Variable], Scalar, Sequence[Value]]] = []

    def of(self, signature: Signature) -> Function:
        """The function whose address is that of another one, as the program calls functions at pointers.

        One of C's library takes variable arguments as a list then, and unsigned integers as signed ones. Raises
        `Inexpressible` if no function of the library takes the arguments so.
        """
        called, types = signature.callee, [*signature.types, signature.result]
        assert isinstance(called, Function)
        has_structs = signature.place is not None or any(isinstance(each, Struct) for each in types)
        is_called_otherwise = signature.is_variadic or has_structs or any(signed(each) is not each for each in types)
        if not (signature.is_external and is_called_otherwise and called.name in PROTOTYPES):
            return called
        name = f"v{called.name}" if signature.is_variadic else called.name
        if has_structs or name not in PROTOTYPES:
            raise Inexpressible(f"the address of `@{called.name}`")
        if called not in self._of_library:
            variables = [Variable(each.name, signed(each.type)) for each in signature.variables]
            variables += [Variable("arguments", PTR)] * signature.is_variadic
            attributes = {LOCAL: True} | ({VARIADIC: True} if signature.is_variadic else {})
            target, result = self._items.library(name).callee, signed(signature.result)
            self._of_library[called] = self._declare(f"library.{called.name}", variables, result, attributes, target)
        return self._of_library[called]

    def ending(self, pointer: Value, argument: Value) -> Function:
        """A function that calls another one with an argument. Raises `Inexpressible` if these are no constants."""
        called = pointer.operands[0] if isinstance(pointer, Primitive) else None
        if not isinstance(called, Function) or not isinstance(argument, (Data, Constant)):
            raise Inexpressible("a function that is called at the end of the program, which no constant denotes,")
        return self._declare("ending", [], VOID, {LOCAL: True}, called, argument)

    def _declare(
        self, name: str, variables: Sequence[Variable], result: Scalar, attributes: Attributes, *called: Value
    ) -> Function:
        wrapper = self._builder.declare(self._builder.unused_name(name), variables, result, None, attributes)
        self._pending.append((wrapper, variables, result, called))
        return wrapper

    def define(self) -> None:
        """Build the functions."""
        make = Maker(self._builder, Span(self._items.source, 0, 0))
        for wrapper, variables, result, (called, *given) in self._pending:
            assert isinstance(called, Function)
            given += self._builder.function(wrapper.name, variables, result).parameters[: len(variables)]
            types = [scalar_type(each) for each in called.parameters[:-1] if each.type is not MEMORY]
            passed = [make.convert(type, each) for type, each in zip(types, given, strict=False)]
            value = self._builder.call(called, passed)
            self._builder.ret(make.convert(result, value) if value and result is not VOID else None)
            self._builder.finish()


def signed(type: Scalar | Struct) -> Scalar:
    """The type of LLVM's values, whose integers are signed here: for a struct that of a pointer."""
    if isinstance(type, Struct):
        return PTR
    return integer_type(type.bits, signed=True) if is_integer(type) else type
