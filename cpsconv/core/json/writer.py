"""The JSON writer: the complete graph of a program, with the counts of its construction (docs/json.md).

Every definition (function, continuation, parameter or statement) has a number, its `id`. A value is the number of its
definition, or an object: a constant, an undefined value, or an external.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, Union

from cpsconv.core import ir
from cpsconv.core.construction.block import Variable
from cpsconv.core.floating import Floating
from cpsconv.core.operations.python_formats import decimal_text
from cpsconv.core.source import Span

FORMAT = "cpsconv"
VERSION = 1

TRANSFERS: dict[str, type[ir.Transfer]] = {
    "jump": ir.Jump,
    "branch": ir.Branch,
    "switch": ir.Switch,
    "call": ir.Call,
    "foreign": ir.ForeignTransfer,
}
"""The classes of transfers by their `kind`."""

_KINDS = {transfer: kind for kind, transfer in TRANSFERS.items()}

KEYS: dict[type[ir.Transfer], dict[str, str]] = {
    transfer: {
        "else" if name == "otherwise" else name: name
        for name in transfer.__match_args__
        if name not in ("span", "pointer")
    }
    for transfer in TRANSFERS.values()
}
"""The keys of each kind of transfer, with the attributes of their values. (`pointer` is written if there is one.)"""

Json = Any
"""Data that `json.dumps` accepts."""

_MAX_NUMBER = 2**53
"""Integers of larger magnitude are written as strings: readers that parse numbers as doubles would lose digits."""


def to_json(program: ir.Program) -> str:
    """The program as JSON text, with one continuation per line.

    Raises `ValueError` if a continuation has no transfer, or a value has no definition in the program.
    """
    writer = Writer(program, {found: number for number, found in enumerate(definitions(program))})
    source = program.source and {"name": program.source.name, "text": program.source.text}
    head = f'{{"format": {_dump(FORMAT)}, "version": {VERSION}, "source": {_dump(source)},\n '
    if program.attributes:
        head += f'"attributes": {_dump(attributes_as_json(program)["attributes"])},\n '
    for key, items in (
        ("structs", map(writer.struct, program.structs)),
        ("external_data", map(writer.external_data, program.external_data)),
        ("data", map(writer.data, program.data)),
        ("externals", map(writer.external, program.externals)),
    ):
        if lines := [_dump(item) for item in items]:
            head += f'"{key}": {_list(lines, chr(10) + "  ")},\n '
    return head + '"functions": ' + _list(map(writer.function, program.functions), "\n  ") + "}\n"


def type_as_json(type: ir.Type) -> Json:
    """The type as JSON: the name of a scalar type, an object for the type of a continuation."""
    if isinstance(type, ir.Scalar):
        return type.name
    return {"parameters": [type_as_json(parameter) for parameter in type.parameters]}


def static_as_json(of: ir.Static) -> Json:
    """A static operand as JSON: the name of a scalar type, or an object for an array, struct or field."""
    if isinstance(of, ir.Array):
        return {"array": static_as_json(of.element), "length": of.length}
    if isinstance(of, ir.Foreign):
        return {"foreign": of.text}
    if isinstance(of, ir.Field):
        return {"struct": of.struct.name, "field": of.name}
    return {"struct": of.name} if isinstance(of, ir.Struct) else str(of)


def data_as_json(type: ir.Scalar, value: int | float | Floating | bool | str) -> Json:
    """A value of the type as JSON: a string if it is infinite, NaN, or an integer of many digits.

    A number of a floating type that JSON lacks is a hexadecimal number, as a string.
    """
    if isinstance(value, Floating):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return ("-" if math.copysign(1, value) < 0 else "") + ("nan" if math.isnan(value) else "inf")
    return integer_as_json(int(value)) if type.kind in ("integer", "unbounded") else value


def integer_as_json(value: int) -> Json:
    """The integer as a number or, if it is large, as a string of digits."""
    return value if -_MAX_NUMBER <= value <= _MAX_NUMBER else decimal_text(value)


def definitions(program: ir.Program) -> Iterator[Union[ir.Continuation, ir.Parameter, ir.Statement, ir.Data]]:
    """The definitions of the program, in the order of their numbers."""
    yield from program.external_data
    yield from program.data
    for external in program.externals:
        yield external
        yield from external.parameters
    for function in program.functions:
        for member in function.members():
            yield member
            yield from member.parameters
            yield from member.body


class Writer:
    """Writes the parts of a program. `numbers` has the `id` of each definition."""

    def __init__(self, program: ir.Program, numbers: dict[object, int]) -> None:
        self.program = program
        self.numbers = numbers

    def struct(self, struct: ir.Struct) -> Json:
        return {
            "name": struct.name,
            "union": struct.is_union,
            **({"alignment": struct.alignment} if struct.is_aligned else {}),
            "fields": [{"name": field.name, "type": static_as_json(field.type)} for field in struct.fields.values()],
            **self.span(struct.span),
        }

    def external_data(self, data: ir.ExternalData) -> Json:
        number, type = self.numbers[data], static_as_json(data.object_type)
        facts = attributes_as_json(data)
        return {"id": number, "name": data.name, "type": type, **facts, **self.span(data.span)}

    def data(self, data: ir.Data) -> Json:
        return {
            "id": self.numbers[data],
            "name": data.name,
            "type": static_as_json(data.object_type),
            "constant": data.is_constant,
            **({"alignment": data.alignment} if data.alignment else {}),
            **attributes_as_json(data),
            "content": data.content.decode("latin-1"),
            "addresses": [
                {"at": at, "target": self.numbers[target], "offset": offset}
                for at, (target, offset) in data.addresses.items()
            ],
            **self.span(data.span),
        }

    def external(self, function: ir.Function) -> Json:
        return {
            "id": self.numbers[function],
            "name": function.name,
            "parameters": [self.parameter(parameter) for parameter in function.parameters],
            **attributes_as_json(function),
            **self.span(function.span),
        }

    def function(self, function: ir.Function) -> str:
        continuations = (_dump(self.continuation(member)) for member in function.continuations)
        counts = self.program.counts.get(function)
        facts = attributes_as_json(function) | ({"counts": counts._asdict()} if counts else {})
        own = _dump({**self.continuation(function), **facts})
        return own.removesuffix("}") + ', "continuations": ' + _list(continuations, "\n    ") + "}"

    def continuation(self, continuation: ir.Continuation) -> Json:
        if continuation.transfer is None:
            raise ValueError(f"continuation {continuation.name} has no transfer yet")
        return {
            "id": self.numbers[continuation],
            "name": continuation.name,
            **self.span(continuation.span),
            "parameters": [self.parameter(parameter) for parameter in continuation.parameters],
            "body": [self.statement(statement) for statement in continuation.body],
            "transfer": self.transfer(continuation.transfer),
        }

    def parameter(self, parameter: ir.Parameter) -> Json:
        return {
            "id": self.numbers[parameter],
            "name": parameter.name,
            "type": type_as_json(parameter.type),
            **(attributes_as_json(parameter) if parameter.attributes else {}),
            **self.span(parameter.span),
        }

    def statement(self, statement: ir.Statement) -> Json:
        return {
            "id": self.numbers[statement],
            "kind": "primitive" if isinstance(statement, ir.Primitive) else "effect",
            "op": statement.op,
            "operands": self.written(statement.operands),
            "type": type_as_json(statement.type),
            **({"of": static_as_json(statement.of)} if statement.of is not None else {}),
            **({"alignment": alignment} if (alignment := getattr(statement, "alignment", 0)) else {}),
            **(attributes_as_json(statement) if statement.attributes else {}),
            **({"name": statement.name} if statement.name is not None else {}),
            **self.span(statement.span),
        }

    def transfer(self, transfer: ir.Transfer) -> Json:
        kind = _KINDS[type(transfer)]
        slots = {key: self.written(getattr(transfer, name)) for key, name in KEYS[type(transfer)].items()}
        if isinstance(transfer, ir.Call) and transfer.pointer is not None:
            slots["pointer"] = self.written(transfer.pointer)
        return {"kind": kind, **slots, **self.span(transfer.span)}

    def written(self, slot: Any) -> Json:
        """A value, case or edge as JSON, or a sequence of them."""
        if isinstance(slot, (list, tuple)):
            return [self.written(each) for each in slot]
        if isinstance(slot, ir.Edge):
            return {"target": self.written(slot.target), "arguments": self.written(slot.arguments)}
        if isinstance(slot, (int, str)):
            return slot if isinstance(slot, str) else integer_as_json(slot)
        return self.value(slot)

    def value(self, value: ir.Value) -> Json:
        if isinstance(value, ir.Constant):
            return {"type": value.type.name, "value": data_as_json(value.type, value.value)}
        if isinstance(value, ir.Undef):
            return {"type": value.type.name, "undef": value.name, **self.span(value.span)}
        if isinstance(value, ir.External):
            return {"external": value.name}
        if isinstance(value, ir.Function) and not value.name:
            return type_as_json(value.type)  # of a call through a pointer
        if value not in self.numbers:
            raise ValueError(f"{value.name or value} is used, but has no definition in the program")
        return self.numbers[value]

    def span(self, span: Span | None) -> dict[str, Json]:
        """The offsets of a span in the program's source; nothing for a span in another source."""
        return {"span": [span.start, span.end]} if span and span.source is self.program.source else {}


def attributes_as_json(part: ir.Attributed | Variable) -> dict[str, Json]:
    """The attributes: an integer or a string is written as itself, a type as ``{"type": "int"}``."""
    written = {name: _attribute_value(value) for name, value in part.attributes.items()}
    return {"attributes": written} if written else {}


def _attribute_value(value: bool | int | str | ir.ObjectType) -> Json:
    if isinstance(value, (bool, str)):
        return value
    return value if isinstance(value, int) else {"type": static_as_json(value)}


def _dump(data: Json) -> str:
    return json.dumps(data, allow_nan=False)


def _list(items: Iterable[str], line: str) -> str:
    return "[" + ",".join(line + item for item in items) + "]"
