"""Compatible types (C17 6.2.7), and the composite type of two of them."""

from __future__ import annotations

from cpsconv.core.trampoline import Computation, run
from cpsconv.languages.c.types import (
    Array,
    CType,
    Enum,
    FunctionType,
    Pointer,
    VariableArray,
    argument_promoted,
    array_of,
    function_of,
    pointer_to,
    qualified,
)


def are_compatible(left: CType, right: CType) -> bool:
    """Whether the types are compatible: declarations of one object or function may have them."""
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if one is other:
            continue
        if one.qualifiers != other.qualifiers:
            return False
        match one.unqualified, other.unqualified:
            case same, again if same is again:
                pass
            case Pointer(), Pointer():
                pending.append((one.target, other.target))  # type: ignore[attr-defined]
            case Array(length=length), Array(length=another):
                if None not in (length, another) and length != another:
                    return False
                pending.append((one.element, other.element))  # type: ignore[attr-defined]
            case FunctionType() as function, FunctionType() as another_function:
                parts = _function_parts(function, another_function)
                if parts is None:
                    return False
                pending += parts
            case Enum() as enum, integer if not isinstance(integer, Enum) and enum.underlying is integer:
                pass
            case integer, Enum() as enum if not isinstance(integer, Enum) and enum.underlying is integer:
                pass
            case _:
                return False
    return True


def _function_parts(one: FunctionType, other: FunctionType) -> list[tuple[CType, CType]] | None:
    """The pairs of types that must be compatible for the functions to be; None if they cannot be."""
    result = (one.result, other.result)
    if one.prototyped and other.prototyped:
        if one.variadic is not other.variadic or len(one.parameters) != len(other.parameters):
            return None
        return [result, *zip(one.parameters, other.parameters, strict=True)]
    known = one if one.prototyped else other
    if known.variadic:
        return None
    promoted = [(each, argument_promoted(each)) for each in known.parameters]
    return [result, *(promoted if known.prototyped else ())]


def composite(left: CType, right: CType) -> CType:
    """The composite type of two compatible types: it has the lengths and parameters that one of them states."""
    return run(_composite(left, right))


def _composite(one: CType, other: CType) -> Computation[CType]:
    match one.unqualified, other.unqualified:
        case same, again if same is again:
            return one
        case Pointer(target=target), Pointer(target=another):
            result: CType = pointer_to((yield _composite(target, another)))
        case Array(), Array():
            element = yield _composite(one.element, other.element)  # type: ignore[attr-defined]
            fixed = other if one.length is None and other.length is not None else one  # type: ignore[attr-defined]
            if isinstance(fixed, VariableArray):
                return fixed
            result = array_of(element, fixed.length)  # type: ignore[attr-defined]
        case FunctionType() as first, FunctionType() as second:
            value = yield _composite(first.result, second.result)
            if not (first.prototyped and second.prototyped):
                known = first if first.prototyped else second
                return function_of(value, known.parameters, known.prototyped, known.variadic)
            parameters = []
            for pair in zip(first.parameters, second.parameters, strict=True):
                parameters.append((yield _composite(*pair)))
            return function_of(value, parameters, True, first.variadic)
        case _:
            return one
    return qualified(result, one.qualifiers)
