"""The JSON reader, the inverse of `cpsconv.core.json.writer`."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from cpsconv.core import ir
from cpsconv.core.analysis.nesting import find_free_values
from cpsconv.core.attributes import ATTRIBUTES, EARLIER_KEYS, implied
from cpsconv.core.floating import Floating, format_class
from cpsconv.core.json.schema import mismatch
from cpsconv.core.json.writer import FORMAT, KEYS, TRANSFERS, VERSION, Json
from cpsconv.core.layout import laid_out, unaligned
from cpsconv.core.operations.contents import MAX_SKIPPED
from cpsconv.core.operations.python_arithmetic import to_float
from cpsconv.core.operations.python_formats import decimal_number
from cpsconv.core.operations.types import is_computed
from cpsconv.core.source import Source, Span

_STATEMENTS: dict[str, type[ir.Primitive] | type[ir.Effect]] = {"primitive": ir.Primitive, "effect": ir.Effect}


def from_json(text: str) -> ir.Program:
    """The program of a JSON text. It is well-formed: `cpsconv.core.check.check` finds no errors.

    Raises `ValueError` if the text is not JSON, not in the format of docs/json.md, or the program is not well-formed.
    """
    from cpsconv.core.check import check  # imported on use: most readers of this package only write JSON

    try:
        program = _read(json.loads(text))
        find_free_values(program)
        errors = check(program)
        _expect(not errors, "\n".join(each.message for each in errors))
    except json.JSONDecodeError as failure:
        raise ValueError(f"not JSON: {failure}") from None
    except RecursionError:
        raise ValueError("not a program in JSON: nested too deeply") from None
    except (OverflowError, ValueError) as failure:
        raise ValueError(f"not a program in JSON: {failure}") from None
    return program


def _read(data: Json) -> ir.Program:
    """The program. Raises `ValueError` if the data do not fit the schema, or their references are wrong."""
    _expect(isinstance(data, dict) and data.get("format") == FORMAT, f'the format is not "{FORMAT}"')
    _expect(data.get("version") == VERSION, f"version {data.get('version')} is not supported")
    found = mismatch(data)
    _expect(found is None, str(found))
    return _Reader().program(data)


class _Reader:
    """Reads in two passes, since uses may precede definitions: first the definitions, then operands and transfers."""

    def __init__(self) -> None:
        self.source: Source | None = None
        self.structs: dict[str, ir.Struct] = {}
        self.definitions: dict[int, ir.Value] = {}
        self.counts: dict[ir.Function, ir.Counts] = {}
        self.skipped = 0  # bytes of data

    def program(self, data: Json) -> ir.Program:
        items = "functions", "data", "externals", "external_data", "attributes"
        _expect(any(map(data.get, items)), "functions has 0 items")
        if data["source"] is not None:
            self.source = Source(data["source"]["name"], data["source"]["text"])
        for item in data.get("structs", ()):
            self.struct(item)
        attributes = self.attributes(data)
        defined = [self.data(item) for item in data.get("data", ())]
        external_data = [self.external_data(item) for item in data.get("external_data", ())]
        externals = [self.external(item) for item in data.get("externals", ())]
        functions = [self.function(item) for item in data["functions"]]
        for each, item in zip(defined, data.get("data", ()), strict=True):
            self.fill_data(each, item)
        for item in data["functions"]:
            self.fill_function(item)
        program = ir.Program(functions, self.source, self.counts, [*self.structs.values()], defined, externals)
        program.external_data, program.attributes = external_data, attributes
        return program

    # ------------------------------------------------------------------------------------------------ definitions

    def struct(self, data: Json) -> None:
        name, fields = data["name"], data["fields"]
        _expect(name not in self.structs, f"the struct {name} is defined twice")
        _expect(len({field["name"] for field in fields}) == len(fields), f"a field of {name} is defined twice")
        members = [(field["name"], self.object_type(field["type"])) for field in fields]
        self.structs[name] = laid_out(name, members, data["union"], self.span(data), _alignment(data) or 1)
        _expect(self.structs[name].depth <= ir.MAX_TYPE_DEPTH, f"{name} is nested too deeply")

    def object_type(self, data: Json) -> ir.ObjectType:
        """A scalar type, array or struct. Structs are defined before they are used."""
        if isinstance(data, str):
            return _scalar(data)
        if "array" in data:
            return ir.Array(self.object_type(data["array"]), data["length"])
        _expect(data["struct"] in self.structs, f"there is no struct {data['struct']}")
        return self.structs[data["struct"]]

    def attributes(self, data: Json) -> ir.Attributes:
        """The attributes of a part."""
        if "attributes" not in data:
            return ir.NO_ATTRIBUTES
        attributes = data["attributes"].items()
        return {name: self.object_type(each["type"]) if isinstance(each, dict) else each for name, each in attributes}

    def add_attributes(self, part: ir.Function | ir.Data | ir.Statement, place: str, data: Json) -> None:
        """Add the attributes of a part, with those that earlier versions wrote as keys of their own."""
        part.attributes = self.attributes(data)
        for key, name in EARLIER_KEYS[place].items():
            if data.get(key):
                if name in ATTRIBUTES:
                    part.attributes = {**part.attributes, name: True}
                else:
                    import_module(name).read(part, data[key], self.object_type)

    def static(self, data: Json) -> ir.Static:
        """The static operand of a statement: an object type or a field."""
        if isinstance(data, dict) and "foreign" in data:
            return ir.Foreign(data["foreign"])
        if not isinstance(data, dict) or "field" not in data:
            return None if data is None else self.object_type(data)
        struct = self.object_type(data)
        assert isinstance(struct, ir.Struct)
        _expect(data["field"] in struct.fields, f"{struct} has no field {data['field']}")
        return struct.fields[data["field"]]

    def data(self, data: Json) -> ir.Data:
        type, content = self.object_type(data["type"]), data["content"].encode("latin-1")
        _expect(len(content) <= type.size, f"the content of {data['name']} is larger than its type")
        found = ir.Data(data["name"], type, content, {}, data["constant"], self.span(data), _alignment(data))
        self.add_attributes(found, "data", data)
        self.define(data, found)
        return found

    def external_data(self, data: Json) -> ir.ExternalData:
        found = ir.ExternalData(data["name"], self.object_type(data["type"]), span=self.span(data))
        self.add_attributes(found, "external data", data)
        self.define(data, found)
        return found

    def fill_data(self, found: ir.Data, data: Json) -> None:
        end = len(found.content)
        for item in sorted(data["addresses"], key=lambda item: item["at"]):
            target, at = self.value(item["target"]), item["at"]
            _expect(at + ir.PTR.size <= found.object_type.size, f"an address in {found.name} is outside of it")
            self.skipped += max(0, at - end)
            _expect(self.skipped <= MAX_SKIPPED, f"{found.name} skips more than {MAX_SKIPPED} bytes")
            end = max(end, at + ir.PTR.size)
            if not isinstance(target, (ir.Data, ir.Function)):
                raise ValueError(f"an address in {found.name} is not that of data or a function")
            found.addresses[at] = target, item["offset"]

    def external(self, data: Json) -> ir.Function:
        parameters = [self.parameter(item) for item in data["parameters"]]
        function = ir.Function(data["name"], parameters, span=self.span(data))
        self.add_attributes(function, "external", data)
        function.attributes = implied(function.name, function.attributes)
        self.define(data, function)
        return function

    def function(self, data: Json) -> ir.Function:
        function = ir.Function(**self.header(data))
        self.add_attributes(function, "function", data)
        self.define(data, function)
        for item in data["continuations"]:
            continuation = ir.Continuation(**self.header(item))
            self.define(item, continuation)
            function.continuations.append(continuation)
        if "counts" in data:
            self.counts[function] = ir.Counts(**data["counts"])
        return function

    def header(self, data: Json) -> dict[str, Json]:
        return {
            "name": data["name"],
            "parameters": [self.parameter(item) for item in data["parameters"]],
            "body": [self.statement(item) for item in data["body"]],
            "span": self.span(data),
        }

    def parameter(self, data: Json) -> ir.Parameter:
        parameter = ir.Parameter(_type(data["type"]), data["name"], self.span(data), self.attributes(data))
        self.define(data, parameter)
        return parameter

    def statement(self, data: Json) -> ir.Statement:
        type, span, of = _scalar(data["type"]), self.span(data), self.static(data.get("of"))
        statement = _STATEMENTS[data["kind"]](data["op"], (), type, data.get("name"), span, of)
        if isinstance(statement, ir.Effect):
            statement.alignment = _alignment(data)
        self.add_attributes(statement, "statement", data)
        self.define(data, statement)
        return statement

    def define(self, data: Json, definition: ir.Value) -> None:
        _expect(data["id"] not in self.definitions, f"id {data['id']} is defined twice")
        self.definitions[data["id"]] = definition

    # ------------------------------------------------------------------------------------------------------- uses

    def fill_function(self, data: Json) -> None:
        self.fill(data)
        for continuation in data["continuations"]:
            self.fill(continuation)

    def fill(self, data: Json) -> None:
        continuation = self.definitions[data["id"]]
        assert isinstance(continuation, ir.Continuation)
        for statement, item in zip(continuation.body, data["body"], strict=True):
            statement.operands = tuple(self.values(item["operands"]))
        continuation.transfer = self.transfer(data["transfer"])

    def transfer(self, data: Json) -> ir.Transfer:
        kind: Any = TRANSFERS[data["kind"]]
        slots = {name: self.slot(key, data[key]) for key, name in KEYS[kind].items()}
        if "pointer" in data:
            slots["pointer"] = self.value(data["pointer"])
        transfer: ir.Transfer = kind(**slots, span=self.span(data))
        if isinstance(transfer, ir.Call):
            _expect(isinstance(transfer.callee, ir.Function), "the callee is not a function")
            _expect(
                bool(transfer.callee.name) is (transfer.pointer is None),
                "a callee is a function, or a type and a pointer",
            )
        return transfer

    def slot(self, key: str, data: Json) -> Any:
        """A part of a transfer: a value, case or edge, or a list of them."""
        if key == "text":
            return data
        if isinstance(data, list):
            return [int(each) if key == "cases" else self.slot(key, each) for each in data]
        if key == "callee" and isinstance(data, dict):
            type = _type(data)
            assert isinstance(type, ir.ContinuationType)
            return ir.prototype(type.parameters)
        return self.edge(data) if isinstance(data, dict) and "target" in data else self.value(data)

    def edge(self, data: Json) -> ir.Edge:
        target = self.value(data["target"])
        if not isinstance(target, (ir.Continuation, ir.External, ir.Parameter)):
            raise ValueError("the target of an edge is neither a continuation nor a parameter")
        return ir.Edge(target, self.values(data["arguments"]))

    def values(self, data: Json) -> list[ir.Value]:
        return [self.value(item) for item in data]

    def value(self, data: Json) -> ir.Value:
        if isinstance(data, int):
            _expect(data in self.definitions, f"id {data} is not defined")
            return self.definitions[data]
        if "external" in data:
            _expect(data["external"] in ir.EXTERNALS, f"there is no continuation {data['external']} of the environment")
            return ir.EXTERNALS[data["external"]]
        if "undef" in data:
            return ir.Undef(_scalar(data["type"]), data["undef"], self.span(data))
        type = _scalar(data["type"])
        return ir.Constant(type, _literal(type, data["value"]))

    def span(self, data: Json) -> Span | None:
        if "span" not in data or self.source is None:
            return None
        start, end = data["span"]
        _expect(start <= end <= len(self.source.text), f"the span {start} to {end} is not in the source")
        return Span(self.source, start, end)


class Parts(_Reader):
    """The functions and data of a program without free values, in JSON that `to_json` wrote; nothing is checked.

    A part is read when it is requested, or used by one that is. `structs` has all structs of the program.
    """

    def __init__(self, data: Json) -> None:
        super().__init__()
        for item in data.get("structs", ()):
            self.struct(item)
        readers: dict[str, Callable[[Json], ir.Function | ir.Data]] = {
            "data": self.data,
            "external_data": self.external_data,
            "externals": self.external,
            "functions": self.function,
        }
        self._items = {item["id"]: (read, item) for key, read in readers.items() for item in data.get(key, ())}
        self._numbers = {item["name"]: number for number, (_, item) in self._items.items()}
        self._new: list[tuple[ir.Function | ir.Data, Json]] = []

    def read(self, name: str) -> list[ir.Function | ir.Data]:
        """The function or data with this name, and those that it uses and no call before has read."""
        self._new = []
        first = self.value(self._numbers[name])
        assert isinstance(first, (ir.Function, ir.Data))
        for part, item in self._new:  # appended to during iteration
            if isinstance(part, ir.Function) and "body" in item:
                self.fill_function(item)
            elif isinstance(part, ir.Data) and "addresses" in item:
                self.fill_data(part, item)
        return [first, *(part for part, _ in self._new if part is not first)]

    def value(self, data: Json) -> ir.Value:
        """The value. If it is a function or data, it is read first."""
        if isinstance(data, int) and data not in self.definitions:
            read, item = self._items[data]
            self._new.append((read(item), item))
        return super().value(data)


def _expect(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def _alignment(data: Json) -> int:
    alignment = data.get("alignment", 0)
    reason = unaligned(alignment)
    _expect(reason is None, str(reason))
    return int(alignment)


def _type(data: Json, max_depth: int = ir.MAX_TYPE_DEPTH) -> ir.Type:
    """The type. Raises `ValueError` if more than `max_depth` continuation types are nested."""
    if isinstance(data, str):
        return _scalar(data)
    _expect(max_depth > 0, "a type is nested too deeply")
    return ir.ContinuationType(tuple(_type(parameter, max_depth - 1) for parameter in data["parameters"]))


def _scalar(name: Json) -> ir.Scalar:
    _expect(not name.startswith("float<") or name in ir.FURTHER_FLOATS, f"there is no type {name}")
    return ir.scalar(name)


def _literal(type: ir.Scalar, value: Json) -> int | bool | float | Floating | str:
    """The value of a constant. Numbers may be written as strings (see `data_as_json`)."""
    if type.kind in ("integer", "pointer") and not isinstance(value, (bool, float)):
        return int(value)
    if type is ir.INTEGER and not isinstance(value, (bool, float)):
        return value if isinstance(value, int) else decimal_number(str(value))
    if is_computed(type):
        return format_class(type.bits, type.digits).parse(str(value))
    if type.kind == "float" and not isinstance(value, bool):
        return to_float(float(value)) if type is ir.FLOAT else float(value)
    expected = {"bool": bool, "string": str}.get(type.kind)
    _expect(expected is not None and isinstance(value, expected), f"{value!r} is not a value of type {type}")
    literal: bool | str = value
    return literal
