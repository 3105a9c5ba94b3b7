"""The parts of the Builder's error messages: what was passed, and what to pass instead."""

from __future__ import annotations

from cpsconv.core import ir
from cpsconv.core.construction.block import Block, Variable
from cpsconv.core.operations.types import is_convertible, is_data, is_integer, wrap


def shown(value: object) -> str:
    """A value, or another object, for a message."""
    match value:
        case ir.Primitive() | ir.Effect():
            return f"{value.name or 'a result'} (`{value.op}`)"
        case Block():
            return f"the block {value.continuation.name}"
        case Variable() | ir.Parameter() | ir.Data() | ir.Continuation() | ir.External():
            return f"the {type(value).__name__.lower()} {value.name}"
    return repr(value)


def cure(value: object) -> str:
    """What to pass instead of an object that is no value."""
    match value:
        case bool():
            return f"pass `Constant(BOOL, {value})`"
        case int() | float() | str():
            types = {int: "INT", float: "DOUBLE", str: "STRING"}
            return f"pass `Constant({types[type(value)]}, {value!r})`"
        case Variable():
            return "pass the result of `read_variable`"
        case Block() | ir.Continuation() | ir.External():
            return "only transfers lead to it"
        case None:
            return "an operation without a result has no value"
    return "pass a constant, or a result of the Builder"


def range_of(constant: ir.Constant) -> str:
    """How to write a constant that has a wrong value for its type."""
    type, value = constant.type, constant.value
    if is_integer(type) and isinstance(value, int) and not isinstance(value, bool):
        return f"`wrap` of `cpsconv.core.operations.types` gives {wrap(type, value)}, or use a wider type"
    return f"pass {_PYTHON_VALUES.get(type.kind, 'another value')}"


_PYTHON_VALUES = {
    "bool": "True or False",
    "float": "a float, or for `long double` a `LongDouble`",
    "integer": "an int",
    "pointer": "0, the null pointer",
    "string": "a string with a character up to U+00FF for each byte",
    "unbounded": "an int",
}


def conversion(source: ir.Type, target: ir.Type) -> str:
    """How to convert a value, as the end of a message; nothing if there is no conversion."""
    if target is ir.BOOL and is_data(source):
        return ": compare it, for example with 0"
    is_possible = isinstance(target, ir.Scalar) and is_convertible(source, target)
    return ": convert it by `convert`" if is_possible else ""
