"""Functions that the module lacks and pointers need: each calls another one, and is built when all others are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsconv.abi.attributes import VARIADIC
from cpsconv.abi.prototypes import PROTOTYPES
from cpsconv.core.attributes import LOCAL
from cpsconv.core.construction import Variable
from cpsconv.core.ir import PTR, VOID, Attributes, Constant, Data, Function, Primitive, Struct, Value
from cpsconv.core.operations.types import scalar_type
from cpsconv.core.source import Span
from cpsconv.languages.arithmetic import Maker
from cpsconv.languages.llvm.ours.object_types import Inexpressible
from cpsconv.languages.llvm.ours.signatures import Signature, signed

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.items import Items


class Wrappers:
    """The functions of one module that call others."""

    def __init__(self, items: Items) -> None:
        self._items, self._builder = items, items.builder
        self._of_library: dict[str, Function] = {}
        self._endings: list[tuple[Function, Function, Value]] = []

    def of(self, name: str, signature: Signature) -> Function:
        """The function whose address is that of a function of C's library, as the program calls functions at pointers.

        It takes variable arguments as a list, and unsigned integers as signed ones. Raises `Inexpressible` if no
        function of the library takes the arguments so.
        """
        has_structs = any(isinstance(each, Struct) for each in signature.types)
        if has_structs or (signature.is_variadic and f"v{name}" not in PROTOTYPES):
            raise Inexpressible(f"the address of `@{name}`")
        if name not in self._of_library:
            variables = [Variable(f"p{number}", signed(type)) for number, type in enumerate(signature.types)]
            attributes: Attributes = {LOCAL: True}
            if signature.is_variadic:
                variables.append(Variable("arguments", PTR))
                attributes = {**attributes, VARIADIC: True}
            wrapper, result = self._builder.unused_name(f"library.{name}"), signed(signature.result)
            self._of_library[name] = self._builder.declare(wrapper, variables, result, attributes=attributes)
        return self._of_library[name]

    def ending(self, pointer: Value, argument: Value) -> Function:
        """A function that calls another one with an argument. Raises `Inexpressible` if these are no constants."""
        called = pointer.operands[0] if isinstance(pointer, Primitive) else None
        if not isinstance(called, Function) or not isinstance(argument, (Data, Constant)):
            raise Inexpressible("a function that is called at the end of the program, which no constant denotes,")
        attributes = {LOCAL: True}
        function = self._builder.declare(self._builder.unused_name("ending"), [], VOID, attributes=attributes)
        self._endings.append((function, called, argument))
        return function

    def define(self) -> None:
        """Build the functions."""
        for function, called, argument in self._endings:
            self._builder.function(function.name, [], VOID)
            self._builder.call(called, [argument])
            self._builder.ret()
            self._builder.finish()
        for name, wrapper in self._of_library.items():
            self._call_in_library(f"v{name}" if VARIADIC in wrapper.attributes else name, wrapper)

    def _call_in_library(self, symbol: str, wrapper: Function) -> None:
        self._items.declare(symbol, [], "void")
        signature, builder = self._items.signature(symbol), self._builder
        assert signature.function
        variables = [Variable(each.name, scalar_type(each)) for each in wrapper.parameters[: signature.number]]
        opened = builder.function(wrapper.name, variables, signed(signature.result))
        make = Maker(builder, Span(self._items.source, 0, 0))
        pairs = zip(signature.function.parameters[: signature.number], opened.parameters, strict=False)
        value = builder.call(signature.function, [make.convert(scalar_type(theirs), each) for theirs, each in pairs])
        builder.ret(value and make.convert(signed(signature.result), value))
        builder.finish()
