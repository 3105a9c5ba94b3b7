"""The replacement of types that back ends lack, such as ``int<24>`` and ``float<16>``, by integers of the usual widths.

`cpsconv.core.operations.odd_types` describes the values that replace theirs.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.erasure import copied
from cpsconv.core.ir import (
    NO_ATTRIBUTES,
    Array,
    Attributes,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Field,
    Function,
    ObjectType,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Statement,
    Static,
    Struct,
    Type,
    Undef,
    Value,
)
from cpsconv.core.operations.expansions import Choices
from cpsconv.core.operations.odd_types import is_odd, replacement, standard_type, standard_value
from cpsconv.core.operations.table import PRIMITIVES

Steps = Callable[[Statement, Choices], "list[Statement]"]
Lacks = Callable[[Scalar], bool]
"""Whether a back end lacks a type, which is odd."""


def without_odd_types(program: Program, steps: Steps, is_lacking: Lacks = is_odd) -> Program:
    """A copy of the program without the odd types that are lacking; the program itself if it has none.

    `steps` expands a statement (`cpsconv.core.transform.expansion`).
    """
    if not any(_is_in(type, is_lacking) for type in types_used(program)):
        return program
    program = copied(program)
    plan = {
        each: found
        for each in program.statements()
        if isinstance(each, Primitive) and (found := replacement(each, is_lacking))
    }
    _Replacement(is_lacking).program(program)
    unspelled: Choices = dict.fromkeys(PRIMITIVES, plan.get)
    for member in program.members():
        member.body = [step for statement in member.body for step in steps(statement, unspelled)]
    return program


def types_used(program: Program) -> set[Type | ObjectType]:
    """The types of values and objects."""
    types: set[Type | ObjectType] = set()
    for function in program.externals:
        types.update([parameter.type for parameter in function.parameters])
    for member in program.members():
        types.update([parameter.type for parameter in member.parameters])
        types.update([statement.type for statement in member.body])
        types.update([operand.type for statement in member.body for operand in statement.operands])
    types.update(each.object_type for each in (*program.data, *program.external_data))
    types.update(field.type for struct in program.structs for field in struct.fields.values())
    return types


def _is_in(type: Type | ObjectType, is_lacking: Lacks) -> bool:
    if isinstance(type, ContinuationType):
        return any(_is_in(each, is_lacking) for each in type.parameters)
    while isinstance(type, Array):
        type = type.element
    return isinstance(type, Scalar) and is_lacking(type)


class _Replacement:
    """Replaces the lacking types in a program. `structs` are the structs that replace others."""

    def __init__(self, is_lacking: Lacks) -> None:
        self.is_lacking = is_lacking
        self.structs: dict[Struct, Struct] = {}

    def _standard(self, type: Scalar) -> Scalar:
        return standard_type(type) if self.is_lacking(type) else type

    def program(self, program: Program) -> None:
        program.structs[:] = [*map(self._struct, program.structs)]
        for data in (*program.data, *program.external_data):
            data.object_type = self._object_type(data.object_type)
        for function in program.externals:
            self._parameters(function)
        for member in program.members():
            self._parameters(member)
            for statement in member.body:
                statement.operands = tuple(map(self._value, statement.operands))
                if self._standard(statement.type).kind != statement.type.kind:
                    statement.attributes = NO_ATTRIBUTES
                statement.type = self._standard(statement.type)
                statement.of = self._static(statement.of)
            assert member.transfer
            replace_in_transfer(member.transfer, self._value)
            if isinstance(member.transfer, Call) and member.transfer.pointer is not None:
                member.transfer.callee = self._prototype(member.transfer.callee)

    def _struct(self, struct: Struct) -> Struct:
        """The struct itself, if its fields have no lacking types."""
        types = {name: self._object_type(field.type) for name, field in struct.fields.items()}
        if any(types[name] is not field.type for name, field in struct.fields.items()):
            new = Struct(struct.name, {}, struct.size, struct.alignment, struct.is_union, struct.span, struct.depth)
            new.fields = {name: Field(new, name, types[name], field.offset) for name, field in struct.fields.items()}
            self.structs[struct] = new
            return new
        return struct

    def _object_type(self, type: ObjectType) -> ObjectType:
        if isinstance(type, Array):
            element = self._object_type(type.element)
            return type if element is type.element else Array(element, type.length)
        return self.structs.get(type, type) if isinstance(type, Struct) else self._standard(type)

    def _static(self, of: Static) -> Static:
        if isinstance(of, Field):
            return self.structs.get(of.struct, of.struct).fields[of.name]
        return self._object_type(of) if isinstance(of, (Scalar, Array, Struct)) else of

    def _parameters(self, function: Continuation) -> None:
        for parameter in function.parameters:
            parameter.attributes = self._kept(parameter)
            parameter.type = self._replaced(parameter.type)

    def _kept(self, parameter: Parameter) -> Attributes:
        """The attributes of the parameter that remain: none if a number becomes an integer."""
        if isinstance(parameter.type, Scalar) and self._standard(parameter.type).kind != parameter.type.kind:
            return NO_ATTRIBUTES
        return {
            name: self._object_type(value) if isinstance(value, (Scalar, Array, Struct)) else value
            for name, value in parameter.attributes.items()
        }

    def _prototype(self, callee: Function) -> Function:
        parameters = [
            Parameter(self._replaced(each.type), each.name, each.span, self._kept(each)) for each in callee.parameters
        ]
        return Function(callee.name, parameters, attributes=callee.attributes)

    def _replaced(self, type: Type) -> Type:
        if isinstance(type, ContinuationType):
            return ContinuationType(tuple(map(self._replaced, type.parameters)))
        return self._standard(type)

    def _value(self, value: Value) -> Value:
        """The constant or undefined value in the standard type; other values are changed where they are defined."""
        if isinstance(value, Constant):
            return standard_value(value) if self.is_lacking(value.type) else value
        if isinstance(value, Undef) and self.is_lacking(value.type):
            return Undef(standard_type(value.type), value.name, value.span)
        return value
