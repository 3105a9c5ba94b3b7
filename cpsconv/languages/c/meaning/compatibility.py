"""Compatible types (C17 6.2.7), and the composite type of two of them."""

from __future__ import annotations

from typing import Any

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
    return left is right or composite(left, right) is not None


def composite(left: CType, right: CType) -> CType | None:
    """The composite type of two types: it has the lengths and parameters that one of them states.

    None if the types are not compatible.
    """
    return run(_composite(left, right))


def _composite(one: CType, other: CType) -> Computation[CType | None]:
    if one.qualifiers != other.qualifiers:
        return None
    result: CType | None = None
    match one.unqualified, other.unqualified:
        case same, again if same is again:
            return one
        case Pointer(target=target), Pointer(target=another):
            common: CType | None = yield _composite(target, another)
            result = common and pointer_to(common)
        case Array(length=length), Array(length=another):
            if None not in (length, another) and length != another:
                return None
            element: CType | None = yield _composite(one.element, other.element)  # type: ignore[attr-defined]
            fixed = other if length is None and another is not None else one
            if element is None or isinstance(fixed, VariableArray):
                return element and fixed
            result = array_of(element, fixed.length)  # type: ignore[attr-defined]
        case FunctionType() as first, FunctionType() as second:
            function: CType | None = yield _composite_function(first, second)
            return function
        case (Enum(underlying=integer), plain) | (plain, Enum(underlying=integer)) if plain is integer:
            return one
    return result and qualified(result, one.qualifiers)


def _composite_function(one: FunctionType, other: FunctionType) -> Computation[CType | None]:
    known = one if one.prototyped else other
    if not (one.prototyped and other.prototyped):
        if known.variadic:
            return None
        pairs = [(each, argument_promoted(each)) for each in known.parameters]
    elif one.variadic is other.variadic and len(one.parameters) == len(other.parameters):
        pairs = [*zip(one.parameters, other.parameters, strict=True)]
    else:
        return None
    result: CType | None = yield _composite(one.result, other.result)
    parameters: list[Any] = []
    for pair in pairs:
        parameters.append((yield _composite(*pair)))
    if result is None or None in parameters:
        return None
    return function_of(result, parameters, known.prototyped, known.variadic)
