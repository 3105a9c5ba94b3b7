"""The structs of several programs: equal ones become one, and others get distinct names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cpsconv.ir import Array, Field, ObjectType, Program, Scalar, Static, Struct
from cpsconv.text.plan import UniqueNames


def merge_structs(programs: Sequence[Program]) -> list[Struct]:
    """The structs of all programs, which then use these. Each is after those that it contains."""
    merged: dict[Any, Struct] = {}
    names = UniqueNames(())
    for program in programs:
        new: dict[Struct, Struct] = {}
        for struct in program.structs:
            for field in struct.fields.values():
                field.type = _type(field.type, new)
            key = _layout(struct)
            new[struct] = merged.setdefault(key, struct)
            if new[struct] is struct:
                struct.name = names.unique(struct.name)
        if any(struct is not kept for struct, kept in new.items()):
            _use(program, new)
    return [*merged.values()]


def _layout(struct: Struct) -> Any:
    """The name and layout of a struct, whose fields have merged types."""
    fields = tuple([(each.name, each.type, each.offset) for each in struct.fields.values()])
    return struct.name, struct.is_union, struct.size, struct.alignment, fields


def _use(program: Program, new: dict[Struct, Struct]) -> None:
    """Replace the structs in a program."""
    for data in (*program.data, *program.external_data):
        data.object_type = _type(data.object_type, new)
    for function in (*program.externals, *program.functions):
        if signature := function.c_signature:
            structs = {number: new[struct] for number, struct in signature.structs.items()}
            function.c_signature = replace(signature, structs=structs)
    for statement in program.statements():
        if statement.of is not None:
            statement.of = _static(statement.of, new)


def _static(of: Static, new: dict[Struct, Struct]) -> Static:
    if isinstance(of, Field):
        return new[of.struct].fields[of.name]
    return of if of is None else _type(of, new)


def _type(type: ObjectType, new: dict[Struct, Struct]) -> ObjectType:
    """The type with merged structs. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
    if isinstance(type, Scalar):
        return type
    return Array(_type(type.element, new), type.length) if isinstance(type, Array) else new[type]
