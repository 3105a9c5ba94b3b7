"""The erasure of explicit memory and of nested functions: the ordinary program that a program describes.

*Explicit memory.* Memories are used in the order of the run (`cpsconv.core.check.explicit_memory`), so the program
without them behaves as the given one.

*Nested functions.* Free values become parameters, and arguments of calls. As `Function.free` has those of the functions
that it calls, one pass suffices. (Johnsson, *Lambda Lifting: Transforming Programs to Recursive Equations*, 1985.)

All engines, and the targets other than text and JSON, run or write the erased program; the φ form shows memories.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from cpsconv.core import ir
from cpsconv.core.nodes import replace
from cpsconv.core.operations.table import EXTEND, LOAD, LOAD_OR

Member = TypeVar("Member", bound=ir.Continuation)


def erased(program: ir.Program) -> ir.Program:
    """A copy of the program without memories and nested functions; the program itself if it has neither."""
    return _Eraser().program(program) if program.has_explicit_memory or program.has_nested_functions else program


def copied(program: ir.Program) -> ir.Program:
    """A copy of a program without memories and nested functions. What the program does not define is shared."""
    return _Eraser().program(program)


def lifted(program: ir.Program) -> ir.Program:
    """A copy of the program without nested functions, but with memories; the program itself if it has none."""
    return _Eraser(keeps_memory=True).program(program) if program.has_nested_functions else program


def with_plain_loads(program: ir.Program) -> ir.Program:
    """A copy in which `load_or` is `load`, for memory without a record of written bytes; the program if it has none."""
    if not any(statement.op == LOAD_OR for statement in program.statements()):
        return program
    copy = _Eraser().program(program)
    for statement in copy.statements():
        if statement.op == LOAD_OR:
            statement.op, statement.operands = LOAD, statement.operands[:1]
    return copy


class _Eraser:
    """Copies one program. `copies` has the copy of each definition, `lifted` the parameters for free values."""

    def __init__(self, keeps_memory: bool = False) -> None:
        self.memory = None if keeps_memory else ir.MEMORY
        self.copies: dict[ir.Value, ir.Value] = {}
        self.lifted: dict[ir.Function, dict[ir.Value, ir.Parameter]] = {}

    def program(self, program: ir.Program) -> ir.Program:
        """The program without memories."""
        data = [self._copied(each, replace(each)) for each in program.data]
        external_data = [self._copied(each, replace(each)) for each in program.external_data]
        externals = [self._declared(each) for each in program.externals]
        functions = [self._declared(each) for each in program.functions]
        for each in data:
            each.addresses = {at: (self._of(to), offset) for at, (to, offset) in each.addresses.items()}
        for function in program.functions:
            own = self.lifted[function]
            hidden = {value: self.copies[value] for value in own}
            self.copies.update(own)
            for member in function.members():
                self._fill(member)
            self.copies |= hidden
        counts = {self._of(function): counts for function, counts in program.counts.items()}
        return ir.Program(
            functions,
            program.source,
            counts,
            [*program.structs],
            data,
            externals,
            external_data=external_data,
            attributes=program.attributes,
        )

    def _declared(self, function: ir.Function) -> ir.Function:
        """The copies of a function, its continuations and their parameters and statements, without operands."""
        new = ir.Function(function.name, span=function.span, attributes=function.attributes)
        copy = self._member(function, new)
        for member in function.continuations:
            copy.continuations.append(self._member(member, ir.Continuation(member.name, span=member.span)))
        own: dict[ir.Value, ir.Parameter] = {
            value: ir.Parameter(value.type, value.name or "", value.span) for value in function.free
        }
        position = len(copy.parameters) - (function.return_continuation is not None)
        copy.parameters[position:position] = own.values()
        copy.lifted = len(own)
        self.lifted[function] = {**own}
        return copy

    def _member(self, member: ir.Continuation, copy: Member) -> Member:
        for parameter in member.parameters:
            if parameter.type is not self.memory:
                new = ir.Parameter(self._type(parameter.type), parameter.name, parameter.span, parameter.attributes)
                copy.parameters.append(self._copied(parameter, new))
        for statement in member.body:
            if statement.op != EXTEND or self.memory is None:
                type = ir.VOID if statement.type is self.memory else statement.type
                copy.body.append(self._copied(statement, _statement(statement, type)))
        return self._copied(member, copy)

    def _copied(self, value: ir.Value, copy: Copy) -> Copy:
        self.copies[value] = copy
        return copy

    def _of(self, value: Copy) -> Copy:
        """The copy of a value; constants and the like are their own."""
        copy: Copy = self.copies.get(value, value)  # type: ignore[assignment]
        return copy

    def _values(self, values: Sequence[ir.Value]) -> list[ir.Value]:
        return [self._of(value) for value in values if value.type is not self.memory]

    def _fill(self, member: ir.Continuation) -> None:
        copy = self._of(member)
        for statement in copy.body:
            statement.operands = tuple(self._values(statement.operands))
        assert member.transfer
        copy.transfer = self._transfer(member.transfer)

    def _transfer(self, transfer: ir.Transfer) -> ir.Transfer:
        if isinstance(transfer, ir.Jump):
            return ir.Jump(self._edge(transfer.edge), transfer.span)
        if isinstance(transfer, ir.Branch):
            then, otherwise = map(self._edge, transfer.edges)
            return ir.Branch(self._of(transfer.condition), then, otherwise, transfer.span)
        if isinstance(transfer, ir.Switch):
            targets = [*map(self._edge, transfer.targets)]
            value, default = self._of(transfer.value), self._edge(transfer.default)
            return ir.Switch(value, [*transfer.cases], targets, default, transfer.span)
        if isinstance(transfer, ir.ForeignTransfer):
            targets = [*map(self._edge, transfer.targets)]
            return ir.ForeignTransfer(transfer.text, self._values(transfer.values), targets, transfer.span)
        pointer, callee = transfer.pointer, transfer.callee
        if pointer is not None:
            types = (parameter.type for parameter in callee.parameters)
            callee = ir.prototype([self._type(type) for type in types if type is not self.memory])
            pointer = self._of(pointer)
        arguments = self._values([*transfer.arguments, *transfer.callee.free])
        return ir.Call(self._of(callee), arguments, self._edge(transfer.then), transfer.span, pointer)

    def _edge(self, edge: ir.Edge) -> ir.Edge:
        return ir.Edge(self._of(edge.target), self._values(edge.arguments))

    def _type(self, type: ir.Type) -> ir.Type:
        """The type without memories. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
        if isinstance(type, ir.Scalar):
            return type
        return ir.ContinuationType(tuple(self._type(each) for each in type.parameters if each is not self.memory))


def _statement(statement: ir.Statement, type: ir.Scalar) -> ir.Statement:
    """A copy of the statement with another type. (Thrice as fast as `replace`.)"""
    op, operands, name, span = statement.op, statement.operands, statement.name, statement.span
    if isinstance(statement, ir.Primitive):
        return ir.Primitive(op, operands, type, name, span, statement.of, statement.attributes)
    return ir.Effect(op, operands, type, name, span, statement.of, statement.alignment, statement.attributes)


Copy = TypeVar("Copy", bound=ir.Value)
