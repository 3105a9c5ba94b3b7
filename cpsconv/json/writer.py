"""The JSON writer: the complete graph of a program, with the counts of its construction (docs/json.md).

Every definition (function, continuation, parameter or statement) has a number, its `id`. A value is the number of its
definition, or an object: a constant, an undefined value, or an external.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Union

from cpsconv.ir import (
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    External,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Statement,
    Switch,
    Transfer,
    Type,
    Undef,
    Value,
)
from cpsconv.source import Span

FORMAT = "cpsconv"
VERSION = 1


def to_json(program: Program) -> str:
    """The program as JSON text, with one continuation per line.

    Raises `ValueError` if a continuation has no transfer, or a value has no definition in the program.
    """
    writer = _Writer(program)
    source = program.source and {"name": program.source.name, "text": program.source.text}
    head = f'{{"format": {_dump(FORMAT)}, "version": {VERSION}, "source": {_dump(source)},\n "functions": '
    return head + _list(map(writer.function, program.functions), "\n  ") + "}\n"


Definition = Union[Continuation, Parameter, Statement]


def definitions(program: Program) -> Iterator[Definition]:
    """The definitions of the program, in the order of their numbers."""
    for function in program.functions:
        for member in function.members():
            yield member
            yield from member.parameters
            yield from member.body


class _Writer:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.numbers: dict[object, int] = {found: number for number, found in enumerate(definitions(program))}

    def function(self, function: Function) -> str:
        continuations = (_dump(self.continuation(member)) for member in function.continuations)
        counts = self.program.counts.get(function)
        own = _dump({**self.continuation(function), **({"counts": asdict(counts)} if counts else {})})
        return own.removesuffix("}") + ', "continuations": ' + _list(continuations, "\n    ") + "}"

    def continuation(self, continuation: Continuation) -> Json:
        if continuation.transfer is None:
            raise ValueError(f"continuation {continuation.name} has no transfer yet")
        return {
            "id": self.numbers[continuation],
            "name": continuation.name,
            **self.span(continuation.span),
            "parameters": [self.parameter(parameter) for parameter in continuation.parameters],
            "body": [self.statement(statement) for statement in continuation.body],
            "transfer": {**self.slots(continuation.transfer), **self.span(continuation.transfer.span)},
        }

    def parameter(self, parameter: Parameter) -> Json:
        return {
            "id": self.numbers[parameter],
            "name": parameter.name,
            "type": type_as_json(parameter.type),
            **self.span(parameter.span),
        }

    def statement(self, statement: Statement) -> Json:
        return {
            "id": self.numbers[statement],
            "kind": "primitive" if isinstance(statement, Primitive) else "effect",
            "op": statement.op,
            "operands": self.values(statement.operands),
            "type": type_as_json(statement.type),
            **({"name": statement.name} if statement.name is not None else {}),
            **self.span(statement.span),
        }

    def slots(self, transfer: Transfer) -> dict[str, Json]:
        if isinstance(transfer, Jump):
            return {"kind": "jump", "edge": self.edge(transfer.edge)}
        if isinstance(transfer, Branch):
            return {
                "kind": "branch",
                "condition": self.value(transfer.condition),
                "then": self.edge(transfer.then),
                "else": self.edge(transfer.otherwise),
            }
        if isinstance(transfer, Switch):
            return {
                "kind": "switch",
                "value": self.value(transfer.value),
                "cases": [integer_as_json(case) for case in transfer.cases],
                "targets": [self.edge(edge) for edge in transfer.targets],
                "default": self.edge(transfer.default),
            }
        assert isinstance(transfer, Call)
        return {
            "kind": "call",
            "callee": self.value(transfer.callee),
            "arguments": self.values(transfer.arguments),
            "then": self.edge(transfer.then),
        }

    def edge(self, edge: Edge) -> Json:
        return {"target": self.value(edge.target), "arguments": self.values(edge.arguments)}

    def values(self, values: Iterable[Value]) -> list[Json]:
        return [self.value(value) for value in values]

    def value(self, value: Value) -> Json:
        if isinstance(value, Constant):
            return {"type": value.type.name, "value": data_as_json(value.type, value.value)}
        if isinstance(value, Undef):
            return {"type": value.type.name, "undef": value.name, **self.span(value.span)}
        if isinstance(value, External):
            return {"external": value.name}
        if value not in self.numbers:
            raise ValueError(f"{value.name or value} is used, but has no definition in the program")
        return self.numbers[value]

    def span(self, span: Span | None) -> dict[str, Json]:
        """The offsets of a span in the program's source; nothing for a span in another source."""
        return {"span": [span.start, span.end]} if span and span.source is self.program.source else {}


def _dump(data: Json) -> str:
    return json.dumps(data, allow_nan=False)


def _list(items: Iterable[str], line: str) -> str:
    return "[" + ",".join(line + item for item in items) + "]"


Json = Any
"""Data that `json.dumps` accepts."""

_MAX_NUMBER = 2**53
"""Integers of larger magnitude are written as strings: readers that parse numbers as doubles would lose digits."""


def type_as_json(type: Type) -> Json:
    """The type as JSON: the name of a scalar type, an object for the type of a continuation."""
    if isinstance(type, Scalar):
        return type.name
    return {"parameters": [type_as_json(parameter) for parameter in type.parameters]}


def data_as_json(type: Scalar, value: int | float | bool | str) -> Json:
    """A value of the type as JSON: a string if it is infinite, NaN, or an integer of many digits."""
    if isinstance(value, float) and not math.isfinite(value):
        return ("-" if math.copysign(1, value) < 0 else "") + ("nan" if math.isnan(value) else "inf")
    return integer_as_json(int(value)) if type.kind == "integer" else value


def integer_as_json(value: int) -> Json:
    """The integer as a number or, if it is large, as a string of digits."""
    return value if -_MAX_NUMBER <= value <= _MAX_NUMBER else str(value)
