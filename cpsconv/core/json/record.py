"""The record of a construction as JSON, with the program that was constructed (docs/record.md).

Everything in the record is written as the front end stated it, from the copies that a `Recorder` made, not from the
parts of the finished program. The numbers of its definitions are its own: nothing leads from the record to the program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count

from cpsconv.core import ir
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined, replace_undefined
from cpsconv.core.construction.block import Variable
from cpsconv.core.construction.events import Ending
from cpsconv.core.construction.record import (
    BlockRecord,
    Computed,
    Fields,
    FunctionRecord,
    Read,
    Record,
    Stated,
    Write,
    copies_of_fields,
    stated_fields,
)
from cpsconv.core.json.writer import Json, Writer, attributes_as_json, to_json, type_as_json
from cpsconv.core.source import Span

FORMAT = "cpsconv record"
VERSION = 1

RULES: dict[Rule, str] = {keep_undefined: "keep", replace_undefined: "replace"}
"""The rules for undefined operands that a document can name."""


def record_to_json(
    program: ir.Program, record: Record, stated: Mapping[Stated, Fields], undefined: Rule = keep_undefined
) -> str:
    """The record and the program as JSON text. `undefined` is the rule with which the program was constructed.

    Raises `ValueError` if this rule has no name, and as `to_json`.
    """
    if undefined not in RULES:
        raise ValueError("a record document can name the rules `keep_undefined` and `replace_undefined` only")
    head = {"format": FORMAT, "version": VERSION, "undefined": RULES[undefined]}
    written = json.dumps(_RecordWriter(program, record, stated).record(), allow_nan=False)
    return f'{json.dumps(head)[:-1]},\n"record": {written},\n"program": {to_json(program).rstrip()}}}\n'


class _Numbers(dict[object, int]):
    """Numbers of definitions, given at their first use."""

    def __init__(self) -> None:
        self._unused = count()

    def __missing__(self, definition: object) -> int:
        return self.setdefault(definition, next(self._unused))

    def __contains__(self, definition: object) -> bool:
        return True


class _RecordWriter(Writer):
    """`own` are the parameters that are no results of reads: those of functions, and the results of calls."""

    def __init__(self, program: ir.Program, record: Record, stated: Mapping[Stated, Fields]) -> None:
        super().__init__(program, _Numbers())
        self.functions = record
        self.stated = stated
        blocks = [block for function in record.values() for block in function.blocks]
        self.own = {parameter for block in blocks for parameter in block.parameters}

    def record(self) -> Json:
        program = self.as_stated(self.program)
        external_data = [self.named(each, self.external_data(self.as_stated(each))) for each in program.external_data]
        source = program.source and {"name": program.source.name, "text": program.source.text}
        return {
            "source": source,
            **attributes_as_json(program),
            "structs": [self.named(each, self.struct(self.as_stated(each))) for each in program.structs],
            "external_data": external_data,
            "data": [self.named(each, self.data(self.as_stated(each))) for each in program.data],
            "externals": [self.external(self.as_stated(each)) for each in program.externals],
            "functions": [self.recorded_function(*each) for each in self.functions.items()],
        }

    def as_stated(self, part: ir.Program | ir.Struct | ir.Data | ir.Function) -> Json:
        """A copy of a part, with the fields that were stated. It has the number of the part."""
        fields: dict[str, Json] = dict(
            zip(stated_fields(type(part)), self.stated.get(part) or copies_of_fields(part), strict=True)
        )
        if isinstance(part, ir.Struct):
            fields["fields"] = {name: ir.Field(*field) for name, field in fields["fields"]}
        if isinstance(part, ir.Function):
            fields["parameters"] = [
                self.copied(original, ir.Parameter(type, name, span, dict(attributes)))
                for original, (type, name, span, attributes) in zip(part.parameters, fields["parameters"], strict=True)
            ]
        for name in {"attributes", "addresses"} & fields.keys():
            fields[name] = dict(fields[name])
        if isinstance(part, ir.Program):
            return ir.Program([], **fields)
        return self.copied(part, type(part)(**fields))

    def copied(self, original: object, copy: Json) -> Json:
        """The copy, which gets the number of the original."""
        self.numbers[copy] = self.numbers[original]
        return copy

    def named(self, part: ir.Struct | ir.Data, written: Json) -> Json:
        """With the name that the part has in the program, by which others refer to it, beside the stated one."""
        return written if part.name == written["name"] else {**written, "name": part.name, "stated": written["name"]}

    def recorded_function(self, function: ir.Function, recorded: FunctionRecord) -> Json:
        events = (event for block in recorded.blocks for event in block.events)
        return {
            **self.external(self.as_stated(function)),
            **({"nested": True} if function.free else {}),
            "variables": [self.variable(each) for each in dict.fromkeys(event.variable for event in events)],
            "blocks": [self.block(block) for block in recorded.blocks],
        }

    def variable(self, variable: Variable) -> Json:
        undefined = ir.Undef(variable.type, variable.name, variable.span)
        return {"id": self.numbers[variable], "undefined": self.value(undefined), **attributes_as_json(variable)}

    def block(self, block: BlockRecord) -> Json:
        is_entry = isinstance(block.continuation, ir.Function)
        return {
            "id": self.numbers[block.continuation],
            "name": block.continuation.name,
            "parameters": [] if is_entry else [self.result(each) for each in block.parameters],
            "steps": [*self.steps(block)],
            "transfer": self.transfer(_transfer(block.ending, block.span)),
        }

    def result(self, parameter: ir.Parameter) -> Json:
        return {"id": self.numbers[parameter], "type": type_as_json(parameter.type)}

    def steps(self, block: BlockRecord) -> Iterator[Json]:
        """The reads, writes and statements, in their order."""
        events = iter((*block.events, None))
        event = next(events)
        for number, (computed, name) in enumerate(zip(block.statements, block.names, strict=True)):
            while event is not None and event.at <= number:
                yield self.event(event)
                event = next(events)
            yield {"statement": self.computed(computed, name)}
        while event is not None:
            yield self.event(event)
            event = next(events)

    def event(self, event: Read | Write) -> Json:
        if isinstance(event, Write):
            return {"write": self.numbers[event.variable], "value": self.value(event.value)}
        is_final = not isinstance(event.received, ir.Parameter) or event.received in self.own
        return {"read": self.numbers[event.variable], "value" if is_final else "as": self.value(event.received)}

    def computed(self, computed: Computed, name: str | None) -> Json:
        kind = type(computed.statement)
        fields: dict[str, Json] = dict(zip(stated_fields(kind), computed.stated, strict=True))
        statement = kind(**fields, operands=computed.operands, name=name)
        return self.statement(self.copied(computed.statement, statement))

    def value(self, value: ir.Value) -> Json:
        if isinstance(value, (ir.Constant, ir.Undef)) and value in self.stated:
            return super().value(type(value)(*self.stated[value]))  # type: ignore[arg-type]
        return super().value(value)


def _transfer(ending: Ending, span: Span | None) -> ir.Transfer:
    """The transfer as it was recorded."""
    edges: list[Json] = [ir.Edge(target, [*arguments]) for target, arguments in ending.edges]
    operands: list[Json] = [*ending.operands]
    if ending.kind is ir.Switch:
        return ir.Switch(operands[0], [*ending.fixed], edges[:-1], edges[-1], span)  # type: ignore[list-item]
    if ending.kind is ir.ForeignTransfer:
        return ir.ForeignTransfer(str(ending.fixed[0]), operands, edges, span)
    if ending.kind is ir.Call:
        (callee,) = ending.fixed
        assert isinstance(callee, ir.Function)
        pointer = None if callee.name else operands.pop(0)
        return ir.Call(callee, operands, edges[0], span, pointer)
    return ir.Jump(edges[0], span) if ending.kind is ir.Jump else ir.Branch(operands[0], edges[0], edges[1], span)
