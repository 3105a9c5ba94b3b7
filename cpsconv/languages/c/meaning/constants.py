"""Evaluation of constant expressions (C17 6.6): of integers, and of initial values, which may be addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Union

from cpsconv.core.floating import Real
from cpsconv.core.ir import VOID
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import OPERATIONS, PREFIXES, PRIMITIVES
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, run
from cpsconv.languages.c.complex_arithmetic import combined, rounded_once
from cpsconv.languages.c.complex_types import Complex, part_of
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.records import Field
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    LONG,
    CType,
    Pointer,
    converted_number,
    element_of,
    exact_result,
    is_comparison,
    is_floating_type,
    wrapped,
)

PREFIX_OPERATIONS = {symbol: name for name, symbol in PREFIXES.items()}
"""The primitive for each unary operator of C, except ``+``."""


class NotConstantError(Exception):
    """An expression that is not an integer constant. `message` is the predicate of a sentence about its value."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span


class _ReportedError(Exception):
    """An error in a part of the expression has been reported."""


def integer_constant(expression: c.Expression) -> int | None:
    """The value of an integer constant expression; None if it is erroneous, which has been reported.

    As in gcc, operands may be floating constants: ``(int)(1.5 * 2)``. Raises `NotConstantError` if the expression is
    not an integer constant expression.
    """
    try:
        value = run(_value(expression))
    except _ReportedError:
        return None
    if is_floating_type(expression.type):
        raise NotConstantError("is not an integer", expression.span)
    return int(value)


def _value(node: c.Expression) -> Computation[Real]:
    match node:
        case c.Constant():
            return node.value
        case c.Unary() | c.Binary() if _is_complex(node):
            return _fail(node)
        case c.Convert() if node.operand.type.kind == "pointer" and node.type.kind in ("integer", "bool"):
            return _absolute((yield _initial(node)), node)
        case c.Binary(left=c.Expression(type=Pointer())) if not is_comparison(node.op):
            return _absolute((yield _initial(node)), node) if node.op == "-" else _fail(node)
        case c.Convert():
            number = yield _value(node.operand)
            converted = (
                _converted(node, number) if is_floating_type(node.type) else converted_number(node.type.program, number)
            )
            return _fail(node) if converted is None else converted
        case c.Unary():
            return _unary(node, (yield _value(node.operand)))
        case c.Logical():
            left = bool((yield _value(node.left)))
            return left if left is (node.op == "||") else bool((yield _value(node.right)))
        case c.Binary():
            return _binary(node, (yield _value(node.left)), (yield _value(node.right)))
        case c.Conditional(then=c.Expression() as first):
            condition = yield _value(node.condition)
            then: Real = yield _value(first)
            otherwise: Real = yield _value(node.otherwise)
            return then if condition else otherwise
        case c.Warned():
            value: Real = yield _value(node.operand)
            return value
        case c.Erroneous():
            raise _ReportedError
    return _fail(node)


def _absolute(value: Any, node: c.Expression) -> Real:
    """The value, unless it is the address of an object or function."""
    return _fail(node) if isinstance(value, tuple) else value  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------- initial values


class ComplexNumber(metaclass=NodeType):
    """A complex constant, by its real and its imaginary part."""

    parts: Sequence[Real]

    def __bool__(self) -> bool:
        return any(map(bool, self.parts))


Symbol = Union[t.Global, t.Function, c.StringLiteral, None]

Address = tuple[Symbol, int]
"""An object or function, or None for an absolute address, and an offset in bytes."""


def constant_value(expression: c.Expression) -> Real | ComplexNumber | Address:
    """The value of a constant expression for an object that exists during the whole run: a number or an address.

    As in gcc, the values of `const` objects with constant initial values are constants, too, and the results of library
    functions that are primitives. Raises `NotConstantError`
    if the value is not constant, or if the expression is erroneous, with an empty message.
    """
    try:
        value: Real | ComplexNumber | Address = run(_initial(expression))
    except _ReportedError:
        raise NotConstantError("", expression.span) from None
    return value


def is_constant(expression: c.Expression) -> bool:
    """Whether the expression is constant, in the sense of `constant_value`."""
    try:
        constant_value(expression)
    except NotConstantError:
        return False
    return True


def _initial(node: c.Expression) -> Computation[Any]:
    """The number or address that an expression computes."""
    match node:
        case c.Constant():
            return (None, int(node.value)) if node.type.kind == "pointer" else node.value
        case c.Decay(operand=c.Name(denoted=t.Function() as function)):
            return function, 0
        case c.LabelAddress(label=t.Label() as label):
            return None, label.number
        case c.AddressOf(operand=place) | c.Decay(operand=place):
            return (yield _place(place, node))
        case c.Binary(type=Pointer() as pointer):
            base, index = (yield _initial(node.left)), (yield _initial(node.right))
            return _moved(node, base, index if node.op == "+" else -index, pointer.target)
        case c.Binary(op="-", left=c.Expression(type=Pointer() as pointer)):
            left, right = (yield _initial(node.left)), (yield _initial(node.right))
            return (left[1] - right[1]) // (pointer.target.size or 1) if left[0] is right[0] else _fail(node)
        case c.Convert():
            return _converted(node, (yield _initial(node.operand)))
        case c.Unary() if _is_complex(node):
            real, imaginary = (yield _initial(node.operand)).parts
            return ComplexNumber([-real if node.op == "-" else real, imaginary if node.op == "+" else -imaginary])
        case c.Unary():
            return _computed_number(node, node.op, (yield _initial(node.operand)))
        case c.Logical():
            left = _truth((yield _initial(node.left)), node)
            return left if left is (node.op == "||") else _truth((yield _initial(node.right)), node)
        case c.Binary() if _is_complex(node):
            return _complex_result(node, (yield _initial(node.left)), (yield _initial(node.right)))
        case c.Binary():
            return _combined(node, (yield _initial(node.left)), (yield _initial(node.right)))
        case c.CallExpression(operation="complex", arguments=[real, imaginary]):
            return ComplexNumber([(yield _initial(real)), (yield _initial(imaginary))])
        case c.ComplexConversion():
            return _converted_number(node, (yield _initial(node.operand)))
        case c.Read(operand=c.Member(operand=c.Temporary(operand=value), field=field)) if isinstance(
            value.type, Complex
        ):
            return (yield _initial(value)).parts[value.type.parts.index(field)]
        case c.CallExpression(operation=str() as operation) if operation in PRIMITIVES:
            values = []
            for argument in node.arguments:
                values.append((yield _initial(argument)))
            return _result(node, operation, node.arguments, values)
        case c.Conditional(then=None):
            value = yield _initial(node.condition)
            return value if _truth(value, node) else (yield _initial(node.otherwise))
        case c.Conditional(then=c.Expression() as then):
            return (yield _initial(then if _truth((yield _initial(node.condition)), node) else node.otherwise))
        case c.Warned():
            return (yield _initial(node.operand))
        case c.Read(operand=place) if type(node) is c.Read:
            return (yield _initial_of(place, node))
        case c.Erroneous():
            raise _ReportedError
    return _fail(node)


def _is_complex(node: c.Unary | c.Binary) -> bool:
    """Whether the operation has a complex operand."""
    return isinstance(node.type, Complex) or (isinstance(node, c.Binary) and isinstance(node.left.type, Complex))


def _place(place: t.Place, node: c.Expression) -> Computation[Any]:
    """The address of a place."""
    match place:
        case c.Name(denoted=t.Global(is_thread_local=True)):
            return _fail(node, f": each thread has its own `{place.name}`")
        case c.Name(denoted=t.Global() as variable):
            return variable, 0
        case c.StringLiteral():
            return place, 0
        case c.CompoundLiteral(declared=t.Declare() as declared) if isinstance(declared.variable, t.Global):
            return declared.variable, 0
        case c.Dereference(pointer=pointer):
            return (yield _initial(pointer))
        case c.Member():
            return _moved(node, (yield _place(place.operand, node)), place.field.offset)
        case c.Subscript():
            base, index = (yield _initial(place.pointer)), (yield _initial(place.index))
            return _moved(node, base, index, place.type)
    return _fail(node)


def _initial_of(place: t.Place, node: c.Expression) -> Computation[Any]:
    """The initial value of a `const` object, or of a part of one; a character of a string."""
    root, path = yield _path(place, node)
    if isinstance(root, c.StringLiteral):
        return _character(root, path[-1], node)
    qualifiers = element_of(root.type).qualifiers
    if root.initial is None or "const" not in qualifiers or "volatile" in qualifiers:
        return _fail(node)
    for part in reversed(root.initial):
        _, own = yield _path(part.place, node)
        if isinstance(part.value, t.Repetition):
            last = len(own) - 1
            if path[:last] == own[:-1] and last < len(path) and 0 < path[last] - own[-1] <= part.value.count:
                path[last] = own[-1]
            continue
        if own == path and isinstance(part.value, c.Expression) and part.value.type.program is not VOID:
            return (yield _initial(part.value))
        if own == path[:-1] and isinstance(part.value, c.StringLiteral):
            return _character(part.value, path[-1], node)
        if own == path[: len(own)] or path == own[: len(path)]:
            return _fail(node)
    return 0


def _path(place: t.Place, node: c.Expression) -> Computation[Any]:
    """The variable or string that contains the place, and the fields and indices that lead to it."""
    innermost, steps = t.path(place)
    if not isinstance(innermost, (c.Name, c.StringLiteral)):
        return _fail(node)
    path: list[Field | int] = []
    for each in steps:
        path.append(each.field if isinstance(each, c.Member) else int((yield _initial(each.index))))
    return innermost.denoted if isinstance(innermost, c.Name) else innermost, path


def _character(text: c.StringLiteral, index: int, node: c.Expression) -> int:
    """The character of an array that a string initialises. Zeros follow the string."""
    type = text.type.element
    content = text.text.encode("latin-1")[index * type.size :][: type.size]
    return wrapped(type, int.from_bytes(content, "little")) if index >= 0 else _fail(node)


def _moved(node: c.Expression, base: Any, index: Any, element: CType | None = None) -> Any:
    if not isinstance(base, tuple) or isinstance(index, tuple):
        return _fail(node)
    size = 1 if element is None else element.size or 1  # `void` and functions have the size 1 in GNU C
    return base[0], base[1] + int(index) * size


def _truth(value: Any, node: c.Expression) -> bool:
    """Whether the value of `node`, or of an operand of it, is not zero."""
    if not isinstance(value, tuple):
        return bool(value)
    return _is_not_null(value[0], node) or value[1] != 0


def _is_not_null(symbol: Symbol, node: c.Expression) -> bool:
    """Whether a constant pointer points into an object or function. Fails for weak ones, which may have no address."""
    if isinstance(symbol, (t.Global, t.Function)) and symbol.is_weak:
        _fail(node, f": `{symbol.name}` is weak, and may have no address")
    return symbol is not None


def _converted(node: c.Convert, value: Any) -> Any:
    type = node.type
    if type.program.kind == "bool":
        return _truth(value, node)
    if isinstance(value, tuple):
        if value[0] is None and type.kind == "integer":
            return wrapped(type, wrapped(LONG, value[1]))
        return value if type.size == 8 and type.kind in ("pointer", "integer") else _fail(node)
    if type.kind == "pointer":
        return None, int(value) & (1 << 64) - 1
    if type.kind == "void":
        return _fail(node)
    from cpsconv.core.operations.semantics import conversion, normalised  # late: few programs have such conversions

    source = node.operand.type.program
    return conversion(source, type.program)(normalised(source, value))


def _number(source: CType, target: CType, value: Any, node: c.Expression) -> Any:
    """The number converted from one type to another."""
    return _converted(c.Convert(node.span, target, c.Constant(node.span, source, value)), value)


def _converted_number(node: c.ComplexConversion, value: Any) -> Any:
    """The result of a conversion from or to a complex type."""
    given, type = node.operand.type, node.type
    if not isinstance(type, Complex):
        return bool(value) if type.kind == "bool" else _number(part_of(given), type, value.parts[0], node)
    if not isinstance(value, ComplexNumber):
        return ComplexNumber([_number(given, type.part, value, node), _number(INT, type.part, 0, node)])
    return ComplexNumber([_number(part_of(given), type.part, each, node) for each in value.parts])


def _complex_result(node: c.Binary, left: Any, right: Any) -> Any:
    """The result of an operation with a complex operand. As in gcc, a product and a quotient are rounded once."""
    part = part_of(node.left.type)
    one, other = (list(each.parts) if isinstance(each, ComplexNumber) else each for each in (left, right))
    if node.op in ("==", "!="):
        return (one == other) is (node.op == "==")

    def compute(op: str, *operands: Any) -> Any:
        return _result(node, op, [c.Constant(node.span, part, each) for each in operands], operands, part)

    if isinstance(one, list) and isinstance(other, list) and node.op in ("*", "/") and part.kind == "float":
        numerator = combined("*", one, [other[0], -other[1] if node.op == "/" else other[1]], compute)
        numbers = rounded_once(part.program, node.op, one, other, numerator)
        return _fail(node) if numbers is None else ComplexNumber(numbers)
    return ComplexNumber(combined(node.op, one, other, compute))


def _combined(node: c.Binary, left: Any, right: Any) -> Any:
    """The result of a binary operation. Sums of addresses and integers come from casts of addresses to `long`."""
    if not isinstance(left, tuple) and not isinstance(right, tuple):
        return _computed_number(node, node.op, left, right)
    one, other = [each if isinstance(each, tuple) else (None, each) for each in (left, right)]
    if one[0] is other[0] and is_comparison(node.op):
        return bool(exact_result(node.op, one[1], other[1]))
    if node.op in ("==", "!=") and _are_distinct(one, other, node):
        return node.op == "!="
    if node.op in ("+", "-") and isinstance(left, tuple) and not isinstance(right, tuple):
        return left[0], left[1] + (right if node.op == "+" else -right)
    if node.op == "+" and isinstance(right, tuple):
        return right[0], right[1] + left
    return _fail(node)


def _are_distinct(one: Address, other: Address, node: c.Binary) -> bool:
    """Whether the addresses differ: one is absolute, or both are those of functions or of places in two objects."""
    if None in (one[0], other[0]):
        return _is_not_null(one[0], node) or _is_not_null(other[0], node)
    return all(
        isinstance(symbol, t.Function) or (isinstance(symbol, t.Global) and 0 <= offset < (symbol.type.size or 0))
        for symbol, offset in (one, other)
    )


def _computed_number(node: c.Unary | c.Binary, op: str, *operands: Any) -> Any:
    """The result of an operator on numbers."""
    if op == "!":
        return not _truth(operands[0], node)
    if op == "+" and len(operands) == 1:
        return operands[0]
    if isinstance(operands[0], tuple):
        return _fail(node)
    nodes = (node.operand,) if isinstance(node, c.Unary) else (node.left, node.right)
    return _result(node, PREFIX_OPERATIONS[op] if len(operands) == 1 else op, nodes, operands)


def _result(
    node: c.Expression, op: str, nodes: Sequence[c.Expression], operands: Sequence[Any], type: CType | None = None
) -> Any:
    """The result of a primitive on the numbers that are the values of `nodes`, of the `type` or that of `node`."""
    from cpsconv.core.ir import Constant, Primitive
    from cpsconv.core.operations.semantics import fold

    values = tuple(Constant(each.type.program, value) for each, value in zip(nodes, operands, strict=True))
    result = fold(Primitive(op, values, (type or node.type).program))
    return _fail(node, ": it divides by zero") if result is None else result.value


def _fail(node: c.Expression, reason: str = "") -> NoReturn:
    raise NotConstantError(f"is not a constant{reason}", node.span)


def _unary(node: c.Unary, operand: Real) -> Real:
    if node.op in ("!", "+") or is_floating_type(node.type):
        return _computed_number(node, node.op, operand)  # type: ignore[no-any-return]
    return _computed(PREFIX_OPERATIONS[node.op], node.type, operand)


def _binary(node: c.Binary, left: Real, right: Real) -> Real:
    kind, type = OPERATIONS[node.op].kind, node.left.type
    if is_floating_type(type):
        return _computed_number(node, node.op, left, right)  # type: ignore[no-any-return]
    if kind == "shift" and not 0 <= right < type.bits:
        _fail(node, f": the shift count is not between 0 and {type.bits - 1}")
    if kind == "division" and right == 0:
        _fail(node, ": it divides by zero")
    return _computed(node.op, type, left, right)


def _computed(op: str, type: CType, *operands: Real) -> int:
    """The result of the operation, wrapped to the type."""
    return wrapped(type, exact_result(op, *map(int, operands)))
