"""What is wrong with a part of a program: for the checks of finished programs, and the Builder."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from cpsconv.core import ir
from cpsconv.core.attributes import ATTRIBUTES, CHECKS
from cpsconv.core.floating import format_class
from cpsconv.core.layout import unaligned
from cpsconv.core.operations.contents import is_regular, scalar_at, unsound
from cpsconv.core.operations.table import (
    ALLOCATE,
    COPY,
    EFFECTS,
    ELEMENT,
    FIELD,
    FOREIGN_OPERATIONS,
    PRIMITIVES,
    result_type,
    takes_address,
)
from cpsconv.core.operations.types import is_computed, is_integer, is_storable, wrap
from cpsconv.core.source import Diagnostic, counted, error


def is_value(type: ir.Scalar, value: object) -> bool:
    """Whether a constant of the type can have the value."""
    if type.kind == "bool":
        return isinstance(value, bool)
    if type is ir.INTEGER:
        return isinstance(value, int) and not isinstance(value, bool)
    if type.kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool) and wrap(type, value) == value
    if type.kind == "float":
        return isinstance(value, format_class(type.bits, type.digits) if is_computed(type) else float)
    if type.kind == "pointer":
        return value == 0
    return type.kind == "string" and isinstance(value, str) and all(char <= "\xff" for char in value)


# ----------------------------------------------------------------------------------------------------- operations


def operation_error(statement: ir.Statement) -> str | None:
    """What is wrong with the operands, the type or the static operand of a statement, or None."""
    operands = tuple([operand.type for operand in statement.operands])
    row = (PRIMITIVES if isinstance(statement, ir.Primitive) else EFFECTS).get(statement.op)
    if row is None:
        return f"there is no operation `{statement.op}`"
    result = _result_type(statement.op, operands, statement.type)
    if result is None and takes_address(statement.op, statement.operands, statement.type):
        result = ir.PTR
    if not isinstance(statement.of, _STATIC.get(statement.op, _NONE)):
        return f"`{statement.op}` does not concern `{static_text(statement.of)}`"
    if isinstance(statement, ir.Effect) and statement.alignment:
        if statement.op != ALLOCATE:
            return f"`{statement.op}` has no alignment"
        if reason := unaligned(statement.alignment):
            return reason
    if statement.attributes and (reason := misused(statement)):
        return reason
    if statement.op == ALLOCATE and isinstance(statement.of, ir.Array) and operands in ((), (ir.MEMORY,)):
        return f"`{statement.op}` has no number of elements"
    if result == statement.type:
        return None
    if row.kind == "conversion":
        return f"{_list(operands)} cannot be converted to `{statement.type}`"
    if result is None:
        return f"`{statement.op}` cannot be applied to {_list(operands)}"
    return f"`{statement.op}` of {_list(operands)} is of type `{result}`, not `{statement.type}`"


@lru_cache(maxsize=4096)
def _result_type(op: str, operands: tuple[ir.Type, ...], target: ir.Scalar) -> ir.Scalar | None:
    are_values = all(isinstance(type, ir.Scalar) and type is not ir.VOID for type in operands)
    return result_type(op, operands, target) if are_values else None


_NONE = type(None)
_STATIC: dict[str, Any] = {
    ELEMENT: (ir.Scalar, ir.Struct),
    FIELD: ir.Field,
    ALLOCATE: (ir.Scalar, ir.Struct, ir.Array),  # an array, if a number of them is allocated
    COPY: ir.Struct,
    **dict.fromkeys(FOREIGN_OPERATIONS, ir.Foreign),
}
"""The classes of the static operands of operations. The other operations have none."""


def static_text(of: ir.Static) -> str:
    """The text of a static operand."""
    return f"{of.struct}.{of.name}" if isinstance(of, ir.Field) else str(of)


def _list(types: Sequence[ir.Type]) -> str:
    """``nothing``, ```int```, ```int` and `bool```, and so on."""
    texts = [f"`{type}`" for type in types]
    return " and ".join([", ".join(texts[:-1]), *texts[-1:]] if len(texts) > 1 else texts) or "nothing"


def format_errors(operands: Sequence[ir.Value]) -> Iterator[str]:
    """What is wrong with the operands of what prints by a format, if that is constant."""
    if not operands or not isinstance(operands[0], ir.Constant) or not isinstance(operands[0].value, str):
        return
    from cpsconv.core.operations.formats import misfits  # imported on use: most commands start without formats

    yield from misfits(operands[0].value, [operand.type for operand in operands[1:]])


def switch_errors(type: ir.Type, cases: Sequence[int]) -> Iterator[str]:
    """What is wrong with a switch on a value of the type."""
    if not isinstance(type, ir.Scalar) or not is_integer(type):
        yield f"a switch takes an integer, not `{type}`"
        return
    seen: set[int] = set()
    for case in cases:
        if not is_value(type, case):
            yield f"{case!r} is not a value of type `{type}`"
        elif case in seen:
            yield f"the case {case} occurs twice"
        seen.add(case)


def argument_errors(target: str, parameters: Sequence[ir.Type], arguments: Sequence[ir.Value]) -> Sequence[str]:
    """What is wrong with the arguments for the parameters of the target."""
    if [argument.type for argument in arguments] == [*parameters]:
        return []
    if len(arguments) != len(parameters):
        passed = "1 is" if len(arguments) == 1 else f"{len(arguments) or 'none'} are"
        return [f"`{target}` takes {counted(len(parameters), 'argument', 'no')}, but {passed} passed"]
    return [
        f"argument {number} of `{target}` must be of type `{parameter}`, not `{argument.type}`"
        for number, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True), 1)
        if argument.type != parameter
    ]


# ------------------------------------------------------------------------------------------------- attributes


def attribute_errors(place: str, attributes: ir.Attributes) -> Iterator[str]:
    """What is wrong with the attributes of a part that is a `place`: see `cpsconv.core.attributes`."""
    for name, value in attributes.items():
        if not name or re.search("[`\n]", name) or not is_text(name):
            yield f"{name!r} is no name of an attribute"
        elif not _is_attribute_value(value):
            yield f"the value of the attribute `{name}` is no integer of 64 bits, string or type"
        elif name in ATTRIBUTES and (reason := ATTRIBUTES[name].misuse(attribute_kind(value), place)):
            yield reason
        elif "." not in name and name not in ATTRIBUTES:
            yield f"there is no attribute `{name}`: the name begins with the language, as in `c.{name}`"


def misused(part: ir.Statement | ir.Data) -> str | None:
    """What the checks of its attributes find wrong with a part, or None."""
    for name in part.attributes:
        check = ATTRIBUTES[name].check if name in ATTRIBUTES else ""
        reason: str | None = _loaded(check)(part) if check else None
        if reason:
            return reason
    return None


def _loaded(check: str) -> Callable[[Any], Any]:
    """The function ``module:function``."""
    module, _, function = check.partition(":")
    found: Callable[[Any], Any] = getattr(import_module(module), function)
    return found


def attributed(program: ir.Program) -> Iterator[tuple[str, ir.Attributed]]:
    """Each part that has attributes, after its kind, one of `cpsconv.core.attributes.PLACES`."""
    if program.attributes:
        yield "program", program
    yield from (("external data", each) for each in program.external_data if each.attributes)
    yield from (("data", each) for each in program.data if each.attributes)
    yield from (("external", each) for each in program.externals if each.attributes)
    yield from (("function", each) for each in program.functions if each.attributes)
    for member in (*program.externals, *program.members()):
        yield from [("parameter", each) for each in member.parameters if each.attributes]
    for member in program.members():
        yield from [("statement", each) for each in member.body if each.attributes]


def attribute_faults(program: ir.Program) -> Iterator[Diagnostic]:
    """The errors of a program with attributes: of each part, and those that the checks of the attributes find."""
    names: set[str] = set()
    for place, part in attributed(program):
        names.update(part.attributes)
        span = None if isinstance(part, ir.Program) else part.span
        for message in attribute_errors(place, part.attributes):
            yield error(message, span, rule="attribute")
        for name, value in part.attributes.items():
            struct = None if isinstance(value, (int, str)) else ir.innermost(value)[0]
            if isinstance(struct, ir.Struct) and struct not in program.structs:
                message = f"the type `{value}` of the attribute `{name}` does not belong to this program"
                yield error(message, span, rule="attribute")
    for check, concerned in CHECKS.items() if names else ():
        if not names.isdisjoint(concerned):
            yield from _loaded(check)(program)


def _is_attribute_value(value: object) -> bool:
    if isinstance(value, str):
        return is_text(value)
    if isinstance(value, (ir.Scalar, ir.Array, ir.Struct)):
        return value is not ir.VOID and not unsound(value)
    return value is True or is_value(ir.LONG, value)


def is_text(text: str) -> bool:
    """Whether the text has a UTF-8 encoding: it has no surrogates."""
    return not re.search("[\ud800-\udfff]", text)


def attribute_kind(value: bool | int | str | ir.ObjectType) -> str:
    """The kind of the value of an attribute, a key of `cpsconv.core.attributes.KINDS`."""
    if isinstance(value, bool):
        return "flag"
    return "int" if isinstance(value, int) else "string" if isinstance(value, str) else "type"


# ----------------------------------------------------------------------------------------------- object types


def is_known(type: ir.ObjectType, known: Collection[ir.Struct]) -> bool:
    """Whether the type consists of `known` structs, and of scalars that can be in memory."""
    element, _ = ir.innermost(type)
    return element in known if isinstance(element, ir.Struct) else is_storable(element)


def data_errors(data: ir.Data) -> Iterator[str]:
    """What is wrong with the alignment, the content and the addresses of data."""
    if reason := unaligned(data.alignment):
        yield reason
    if len(data.content) > data.object_type.size:
        yield f"the content of `{data.name}` is longer than `{data.object_type}`"
    elif data.addresses and not is_regular(data):
        yield f"`{data.name}` has bytes between its addresses that belong to no value"
    if reason := misused(data):
        yield reason
    for offset in data.addresses:
        if scalar_at(data.object_type, offset) is not ir.PTR:
            yield f"`{data.name}` has no `ptr` at the offset {offset}"
