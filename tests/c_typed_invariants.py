"""The invariants of the typed tree of C, as `typed_tree` and `syntax.tree` state them, for units without errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cpsconv.abi.formats import slots
from cpsconv.core.ir import PTR
from cpsconv.core.ir import STRING as STRING_VALUE
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.compatibility import are_compatible
from cpsconv.languages.c.meaning.library import LIBRARY
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    INT,
    LONG,
    TRUTH,
    UNKNOWN,
    VOID,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    Pointer,
    argument_promoted,
    is_integer_type,
    pointer_to,
    promoted,
    qualified,
)

PLACES = (c.Name, c.StringLiteral, c.Dereference, c.Subscript, c.Member, c.Temporary, c.CompoundLiteral)

PLACE_OF: dict[type, str] = {
    **dict.fromkeys([c.Read, c.Decay, c.AddressOf, c.Member], "operand"),
    **dict.fromkeys([c.Assign, c.Increment], "target"),
    t.Part: "place",
}
"""The classes of nodes that contain a place, with the names of the fields that have it."""


def fields(node: Any) -> Iterator[tuple[str, list[Any]]]:
    """The names of the fields of a node, or of a function, each with the nodes of the typed tree in it."""
    for name in ["body"] if isinstance(node, t.Function) else t.parts(type(node)):
        value = getattr(node, name)
        parts = value if isinstance(value, (list, tuple)) else [value]
        yield name, [part for part in parts if isinstance(part, (c.Node, t.Declare, t.Part))]


def nodes(unit: t.Unit) -> Iterator[tuple[CType, Any]]:
    """All nodes of the typed tree of a unit, each once, with the type of the result of the function around it."""
    static = [(VOID, part) for each in unit.globals for part in each.initial or ()]
    pending = [*static, *((each.result, part) for each in unit.functions for part in each.body)]
    found = {part for _, part in pending}  # nodes are compared by identity
    for result, node in pending:  # appended to during iteration
        yield result, node
        new = dict.fromkeys(part for _, parts in fields(node) for part in parts if part not in found)
        found |= new.keys()
        pending += [(result, part) for part in new]


def check(node: Any, result: CType) -> None:
    """Check the invariants of a node in a function with that type of the result."""
    for name, parts in fields(node):
        for part in parts:
            if isinstance(part, c.Expression):
                check_role(node, name, part)
    if isinstance(node, c.Binary):
        check_operation(node)
    elif isinstance(node, c.CallExpression):
        check_call(node)
    elif isinstance(node, c.Expression):
        check_expression(node)
    else:
        check_statement(node, result)


def check_role(node: Any, field: str, part: c.Expression) -> None:
    """Check that a node has a place where it needs an object, and elsewhere a value."""
    if field == PLACE_OF.get(type(node)):
        assert isinstance(part, PLACES) and part.type is not UNKNOWN
    elif field == "callee" and isinstance(part, c.Name):
        assert isinstance(part.denoted, t.Function) or node.operation
    elif isinstance(part, c.StringLiteral):
        assert isinstance(node, t.Part) or getattr(node, "operation", None) == "assert"
    else:
        assert not isinstance(part, (*PLACES, c.Erroneous)) and part.type is not UNKNOWN
        assert part.type is part.type.unqualified and not isinstance(part.type, (Array, FunctionType))


def check_operation(node: c.Binary) -> None:
    """Check the types of an operation with two operands."""
    left, right, kind = node.left.type, node.right.type, OPERATIONS[node.op].kind if node.op in OPERATIONS else ""
    if isinstance(node, c.Logical):
        check_condition(node.left)
        assert is_condition(node.right) and node.type is TRUTH
    elif kind == "comparison":
        assert left is right is promoted(left) and node.type is TRUTH
    elif isinstance(left, Pointer):
        if isinstance(right, Pointer):
            assert node.type is LONG and are_compatible(left.target.unqualified, right.target.unqualified)
        else:
            assert node.type is left and is_index(node.right)
    elif isinstance(node.type, Complex):
        assert node.type in (left, right) and {left, right} <= {node.type, node.type.part}
    else:
        assert left is node.type is promoted(left)
        assert right is promoted(right) if kind == "shift" else right is left


def check_call(node: c.CallExpression) -> None:
    """Check the types of the arguments and of the result of a call."""
    match node.operation:
        case "printf":
            check_printf(node)
        case "assert":
            check_condition(node.arguments[0])
        case "complex":
            assert isinstance(node.type, Complex) and {each.type for each in node.arguments} == {node.type.part}
        case "va_start":
            assert isinstance(node.arguments[0].type, Pointer)
        case None:
            check_arguments(node, node.callee.type if node.function else pointed_to(node.callee))
        case _:
            assert isinstance(node.callee, c.Name)
            if library := LIBRARY.get(node.callee.name.removeprefix("__builtin_")):
                check_arguments(node, library.type)
            else:
                assert node.type is VOID and not node.arguments


def check_arguments(node: c.CallExpression, type: Any) -> None:
    """Check the types in the call of a function of that type."""
    assert node.type is type.result.unqualified
    assert len(node.arguments) == len(type.parameters) or not type.prototyped
    for argument, parameter in zip(node.arguments, type.parameters, strict=False):
        assert converts_to(argument.type, parameter)
    for argument in node.variable:
        assert argument.type is argument_promoted(argument.type)


def check_printf(node: c.CallExpression) -> None:
    """Check the types of the format and of the arguments for its slots."""
    format, *arguments = node.arguments
    texts = [each.operand.format for each in t.texts_within(format) if isinstance(each, c.Decay)]
    taken = max(map(slots, texts), key=len)
    assert node.type is INT and len(arguments) == len(taken)
    for slot, argument in zip(taken, arguments, strict=True):
        is_address = slot.type in (STRING_VALUE, PTR)
        assert isinstance(argument.type, Pointer) if is_address else argument.type.program is slot.type


def check_condition(node: c.Expression) -> None:
    """Check that an expression is a condition, down to the values that decide."""
    pending = [node]
    for each in pending:  # appended to during iteration
        assert is_condition(each)
        match each:
            case c.Unary(operand=inner) | c.Warned(operand=inner) | c.Comma(right=inner):
                pending.append(inner)
            case c.Logical():
                pending += [each.left, each.right]
            case c.Conditional(then=c.Expression() as then):
                pending += [each.condition, then, each.otherwise]


def check_expression(node: c.Expression) -> None:
    """Check the types of another expression and its operands."""
    match node:
        case c.Unary(op="!"):
            assert node.type is TRUTH and isinstance(node.operand.type, (Arithmetic, Pointer))
        case c.Unary():
            assert node.operand.type is node.type is promoted(node.type)
        case c.Conditional():
            arms = [node.then or node.condition, node.otherwise]
            if node.then:
                check_condition(node.condition)
            assert all(is_condition(arm) if node.type is TRUTH else arm.type is node.type for arm in arms)
        case c.Comma():
            assert is_condition(node.right) if node.type is TRUTH else node.right.type is node.type
        case c.Assign() | c.Increment():
            value = node.value if isinstance(node, c.Assign) and node.new is None else node.new
            assert value and converts_to(value.type, node.target.type) and node.type is node.target.type.unqualified
        case c.Read():
            assert node.type is node.operand.type.unqualified
        case c.Decay(operand=place):
            assert pointed_to(node) is (place.type.element if isinstance(place.type, Array) else place.type)
        case c.AddressOf():
            assert node.type is pointer_to(node.operand.type)
        case c.Dereference() | c.Subscript():
            assert pointed_to(node.pointer) is node.type
            assert isinstance(node, c.Dereference) or is_index(node.index)
        case c.Member():
            assert node.type is qualified(node.field.type, node.operand.type.qualifiers)
        case c.Temporary() | c.Warned():
            assert node.type is node.operand.type
        case c.Convert() if type(node) is c.Convert or node.type not in (VOID, node.operand.type):
            assert all(isinstance(each, (Arithmetic, Pointer)) for each in (node.type, node.operand.type))
        case c.ComplexConversion():
            assert isinstance(node.type, Complex) or isinstance(node.operand.type, Complex)
        case c.StatementExpression():
            assert node.type is (node.value.type if node.value else VOID)


def check_statement(node: Any, result: CType) -> None:
    """Check the types of the expressions in a statement, or in a part of one."""
    match node:
        case t.Declare() if node.initial:
            assert converts_to(node.initial.type, node.variable.type)
        case t.Part(value=c.StringLiteral() as text):
            array = node.place.type
            assert isinstance(array, Array) and array.element.size == text.type.element.size
            assert array.length is None or (text.type.length or 0) <= array.length
        case t.Part(value=c.Expression()):
            assert converts_to(node.value.type, node.place.type)
        case c.Return() if node.value and result is not VOID:
            assert converts_to(node.value.type, result)
        case c.Switch():
            assert is_integer_type(node.value.type) and node.value.type is promoted(node.value.type)
        case c.ComputedGoto():
            assert node.target.type is pointer_to(qualified(VOID, ["const"]))
        case c.If() | c.While() | c.Do() | c.For():
            if node.condition:
                check_condition(node.condition)


def converts_to(given: CType, wanted: CType) -> bool:
    """Whether a value of the type `given` is one of an object of the other type, without a conversion."""
    return given is wanted.unqualified or (given is TRUTH and wanted.unqualified is BOOL)


def is_condition(node: c.Expression) -> bool:
    return node.type in (BOOL, TRUTH)


def is_index(node: c.Expression) -> bool:
    return is_integer_type(node.type) and node.type.bits <= LONG.bits


def pointed_to(node: c.Expression) -> Any:
    """The type of that to which the value points."""
    assert isinstance(node.type, Pointer)
    return node.type.target
