"""The lowering of operations with complex numbers to operations on their parts.

The value of a complex expression is a list, its real and its imaginary part, as that of a split struct.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cpsconv.core.construction import Variable
from cpsconv.core.ir import BOOL, Function, Scalar, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.types import zero
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.complex_arithmetic import Parts, combined
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.objects import Objects
from cpsconv.languages.c.lowering.places import Address, Places
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.syntax import tree as c


class ComplexNumbers(metaclass=NodeType):
    """Lowers operations with complex operands. `part` lowers an operand, `convert` converts a number.

    `built` has the functions of the program.
    """

    _emit: Emitter
    _places: Places
    _objects: Objects
    _part: Callable[[c.Expression], Step[Any]]
    _convert: Callable[[Scalar, Value, Span], Value]
    _built: Mapping[t.Function, Function]

    def conversion(self, node: c.ComplexConversion) -> Computation[Any]:
        """A number converted from or to a complex type."""
        value, span = (yield self._part(node.operand)), node.operand.span
        type, parts = node.type, value if isinstance(value, list) else [value]
        if isinstance(type, Complex):
            converted = [self._convert(type.part.program, each, span) for each in parts]
            return converted if len(converted) > 1 else [*converted, zero(type.part.program)]
        return self.truth(parts, span) if type.program is BOOL else self._convert(type.program, parts[0], span)

    def truth(self, value: Parts, span: Span) -> Value:
        """Whether a number is not zero."""
        real, imaginary = (self._convert(BOOL, each, span) for each in value)
        return self._emit.primitive("|", real, imaginary, span=span)

    def unary(self, node: c.Unary) -> Computation[Parts]:
        """``+``, ``-`` or ``~`` of a complex number."""
        real, imaginary = yield self._part(node.operand)
        if node.op == "-":
            real = self._emit.primitive("neg", real, span=node.span)
        if node.op != "+":
            imaginary = self._emit.primitive("neg", imaginary, span=node.span)
        return [real, imaginary]

    def binary(self, node: c.Binary) -> Computation[Any]:
        """An operation with a complex operand."""
        left, right = (yield self._part(node.left)), (yield self._part(node.right))
        if node.op in ("==", "!="):
            parts = [self._emit.primitive(node.op, *each, span=node.span) for each in zip(left, right, strict=True)]
            return self._emit.primitive("&" if node.op == "==" else "|", *parts, span=node.span)
        if node.op == "/" and node.function:
            return self._called(node.function, [*left, *right], node)

        def compute(op: str, *operands: Value) -> Value:
            return self._emit.primitive(op, *operands, span=node.span)

        result = combined(node.op, left, right, compute)
        return self._corrected(result, node.function, [*left, *right], node) if node.function else result

    def _corrected(self, product: Parts, function: t.Function, operands: list[Value], node: c.Binary) -> Parts:
        """The product, computed again by a function of the library if both parts are NaN."""
        emit, span = self._emit, node.span
        variables = [Variable(name, each.type, span) for name, each in zip(("re", "im"), product, strict=True)]
        again, join = emit.continuation("again", span=span), emit.continuation("product", span=span)
        for variable, value in zip(variables, product, strict=True):
            emit.write(variable, value, span)
        are_nan = [emit.primitive("!=", each, each, span=span) for each in product]
        emit.branch(emit.primitive("&", *are_nan, span=span), again, join, span)
        emit.open(again)
        for variable, value in zip(variables, self._called(function, operands, node), strict=True):
            emit.write(variable, value, span)
        emit.jump(join)
        emit.open(join)
        return [emit.read(each, span) for each in variables]

    def _called(self, function: t.Function, operands: list[Value], node: c.Binary) -> Parts:
        """The result of a function of the library that takes the parts of two numbers."""
        type, span = node.type, node.span
        assert isinstance(type, Complex)
        place = self._objects.allocate(type, "result", span)
        self._emit.call(self._built[function], [place, *operands], span)
        parts = self._places.load(Address(place), type, span)
        self._objects.deallocate(place, span)
        return parts  # type: ignore[return-value]
