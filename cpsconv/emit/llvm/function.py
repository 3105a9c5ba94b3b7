"""One function: a block for each continuation, a φ for each parameter, an entry of the φ for each edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from cpsconv.analysis.graph import incoming
from cpsconv.emit.llvm.instructions import Instructions, Operand
from cpsconv.emit.llvm.passing import application, calling, returning
from cpsconv.emit.llvm.prototypes import Prototype, return_continuation
from cpsconv.emit.llvm.support import Support
from cpsconv.emit.llvm.words import POINTER, literal, quoted, type_word
from cpsconv.emit.undefined import Place
from cpsconv.ir import (
    HALT,
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    Function,
    Jump,
    Parameter,
    Scalar,
    Switch,
    Target,
    Transfer,
    Undef,
    Value,
)
from cpsconv.source import Span
from cpsconv.text.names import Appearance
from cpsconv.text.words import unspelled


class FunctionPrinter:
    """Prints one function of a module."""

    def __init__(
        self, function: Function, prototypes: dict[Function, Prototype], uncertain: set[Place], support: Support
    ) -> None:
        self.function = function
        self.prototypes = prototypes
        self.own = prototypes[function]
        self.support = support
        self.ret = return_continuation(function)
        self.appearance = Appearance(function, [each.name for each in prototypes])
        self.instructions = Instructions(support, self._fresh)
        self.names = {value: _local(name) for value, name in self.appearance.names.items()}
        self.names[function] = self._fresh("entry")
        for statement in (statement for member in function.members() for statement in member.body):
            if statement not in self.names:
                self.names[statement] = self._fresh(statement.name or "v")
        self.unset = {
            parameter: self._fresh(f"{parameter.name}.unset")
            for member in function.members()
            for parameter in member.parameters
            if parameter in uncertain
        }
        self.edges = incoming(function)
        self.between: dict[Edge, str] = {}  # the blocks that edges have to themselves
        for member in function.members():
            for edge in self._edges_with_blocks(member.transfer):
                self.between[edge] = self._fresh(f"to.{edge.target.name}")
        self.results = {
            member: self._results(member.transfer) for member in function.members() if isinstance(member.transfer, Call)
        }

    def lines(self, linkage: str) -> Iterator[str]:
        """``define i32 @f(i32 %x) { … }``"""
        parameters = [*map(self.names.__getitem__, self.own.parameters)]
        parameters += [self.unset[self.own.parameters[index]] for index in self.own.uncertain_parameters]
        listed = ", ".join(map(" ".join, zip(self.own.parameter_words, parameters, strict=True)))
        yield f"define {linkage}{self.own.returned} {self.own.symbol}({listed}) {{"
        for member in self.function.members():
            transfer = member.transfer
            assert transfer is not None, f"{member.name} is under construction"
            yield f"{self.names[member][1:]}:"
            yield from map(_indented, self._block(member, transfer))
            for edge in transfer.edges:
                if edge in self.between:
                    yield f"{self.between[edge][1:]}:"
                    yield from map(_indented, self._go(edge.target, self._operands(edge.arguments), transfer.span))
        yield "}"

    # ---------------------------------------------------------------------------------------------------------- names

    def _fresh(self, hint: str) -> str:
        return _local(self.appearance.new_name(hint))

    def _edges_with_blocks(self, transfer: Transfer | None) -> Iterator[Edge]:
        """Those edges that a branch cannot follow directly: out of the function, and where φs could not tell them apart."""
        if not isinstance(transfer, (Branch, Switch)):
            return
        first: dict[Target, list[Operand]] = {}
        for edge in transfer.edges:
            operands = self._operands(edge.arguments)
            if edge.target not in self.edges or first.setdefault(edge.target, operands) != operands:
                yield edge

    def _results(self, call: Call) -> list[Operand]:
        """What a call returns, by the names of the parameters that receive this and nothing else, or by new ones."""
        callee = self.prototypes[call.callee]
        target = call.then.target
        found = []
        for index, type in enumerate(callee.returns or ()):
            assert isinstance(type, Scalar)
            receiver = target.parameters[index] if self._is_entered_once(target) else None
            name = self.names[receiver] if receiver else self._fresh("v")
            unset = "null"
            if index in callee.uncertain_results:
                unset = self.unset[receiver] if receiver else self._fresh("v.unset")
            found.append(Operand(type, name, unset))
        return found

    def _is_entered_once(self, target: Target) -> TypeGuard[Continuation]:
        return isinstance(target, Continuation) and len(self.edges.get(target, ())) == 1

    def _operands(self, values: Sequence[Value]) -> list[Operand]:
        return [self._operand(value) for value in values]

    def _operand(self, value: Value) -> Operand:
        type = value.type
        assert isinstance(type, Scalar), "continuations have been refused"
        if isinstance(value, Undef):
            return Operand(type, "undef", self.support.message(f"`{value.name}` is used uninitialised"))
        if isinstance(value, Constant):
            return Operand(type, self.support.string(value.value) if isinstance(value.value, str) else literal(value))
        unset = self.unset.get(value, "null") if isinstance(value, Parameter) else "null"
        return Operand(type, self.names[value], unset)

    # --------------------------------------------------------------------------------------------------------- blocks

    def _block(self, member: Continuation, transfer: Transfer) -> Iterator[str]:
        edges = self.edges.get(member, [])
        if not (len(edges) == 1 and isinstance(edges[0][0].transfer, Call)):
            yield from self._phis(member, edges)
        for statement in member.body:
            operands = self._operands(statement.operands)
            yield from self._uses(operands, statement.span)
            yield from self.instructions.of(statement, operands, self.names[statement])
        if isinstance(transfer, Jump):
            yield from self._go(transfer.edge.target, self._operands(transfer.edge.arguments), transfer.span)
        elif isinstance(transfer, Call):
            yield from self._call(transfer, self.results[member])
        else:
            yield from self._uses(self._operands(transfer.operands), transfer.span)
            yield from self._fork(transfer)

    def _phis(self, member: Continuation, edges: list[tuple[Continuation, Edge]]) -> Iterator[str]:
        """``%a = phi i32 [ 23, %then ], [ 42, %else ]`` for each parameter, then for each companion of one."""
        if not edges:
            return
        labels = [self.between.get(edge, self.names[source]) for source, edge in edges]
        passed = [self.results.get(source) or self._operands(edge.arguments) for source, edge in edges]
        for index, parameter in enumerate(member.parameters):
            texts = [operands[index].text for operands in passed]
            yield f"{self.names[parameter]} = phi {type_word(parameter.type)} {_incoming(texts, labels)}"
        for index, parameter in enumerate(member.parameters):
            if parameter in self.unset:
                texts = [operands[index].unset for operands in passed]
                yield f"{self.unset[parameter]} = phi {POINTER} {_incoming(texts, labels)}"

    def _uses(self, operands: list[Operand], span: Span | None) -> Iterator[str]:
        """Fails where one of the operands is undefined."""
        for operand in operands:
            if operand.unset != "null":
                place = self.support.place(span)
                yield f"call void {self.support.helper('use')}({POINTER} {operand.unset}, {POINTER} {place})"

    # ------------------------------------------------------------------------------------------------------ transfers

    def _fork(self, transfer: Branch | Switch) -> Iterator[str]:
        if isinstance(transfer, Branch):
            condition = self._operand(transfer.condition)
            yield f"br {condition}, {self._way(transfer.then)}, {self._way(transfer.otherwise)}"
            return
        value = self._operand(transfer.value)
        yield f"switch {value}, {self._way(transfer.default)} ["
        for case, edge in zip(transfer.cases, transfer.targets, strict=True):
            yield f"  {Operand(value.type, literal(Constant(value.type, case)))}, {self._way(edge)}"
        yield "]"

    def _way(self, edge: Edge) -> str:
        return f"label {self.between.get(edge) or self.names[edge.target]}"

    def _go(self, target: Target, operands: list[Operand], span: Span | None) -> Iterator[str]:
        """What it takes to pass the operands to a target."""
        if target in self.edges:
            yield f"br label {self.names[target]}"
        elif target is self.ret:
            yield from self._return(operands)
        elif isinstance(target, Function):
            yield from self._leave(self.prototypes[target], operands)
        else:
            yield from self._uses(operands, span)
            if target is HALT:
                yield f"call void {self.support.outside('exit')}({operands[0]})"
            else:
                yield f"call void {self.support.helper('abort')}()"
            yield "unreachable"

    def _return(self, operands: list[Operand]) -> Iterator[str]:
        values = _with_companions(operands, self.own.uncertain_results)
        return returning(self.own, values, [self._fresh("results") for _ in values if len(values) > 1])

    def _leave(self, callee: Prototype, operands: list[Operand]) -> Iterator[str]:
        """Enters a function that has no return continuation."""
        arguments = _with_companions(operands, callee.uncertain_parameters)
        yield f"{self._tail(callee)}call void {application(callee, arguments)}"
        yield "ret void" if self.own.result == "void" else "unreachable"

    def _tail(self, callee: Prototype) -> str:
        """How a call in tail position is marked."""
        if not self.own.returns_as(callee):
            return ""
        return "musttail " if self.own.is_called_as(callee) else "tail "

    def _call(self, call: Call, results: list[Operand]) -> Iterator[str]:
        callee = self.prototypes[call.callee]
        arguments = _with_companions(self._operands(call.arguments), callee.uncertain_parameters)
        names = _with_companions(results, callee.uncertain_results)
        whole = self._fresh("results") if len(names) > 1 else "".join(names)
        if call.then.target is self.ret and self.own.returns_as(callee):
            tail = f"{self._tail(callee)}call {callee.returned} {application(callee, arguments)}"
            yield f"{whole} = {tail}" if whole else tail
            yield f"ret {callee.result} {whole}".rstrip()
        else:
            yield from calling(callee, arguments, names, whole)
            yield from self._go(call.then.target, results, call.span)


def _with_companions(operands: list[Operand], uncertain: list[int]) -> list[str]:
    """The names of values that are passed together, with those of their companions."""
    return [operand.text for operand in operands] + [operands[index].unset for index in uncertain]


def _incoming(texts: list[str], labels: list[str]) -> str:
    return ", ".join(f"[ {text}, {label} ]" for text, label in zip(texts, labels, strict=True))


def _local(name: str) -> str:
    return f"%{quoted(unspelled(name))}"


def _indented(line: str) -> str:
    return f"  {line}"
