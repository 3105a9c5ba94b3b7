"""Elaboration: from syntax trees with resolved names to a program.

The body of a continuation is elaborated after a body that references the continuation, and so after the bodies of its
dominators, which compute the values that it may use. Continuations without references are not part of the program; they
are elaborated last, to report their errors.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.ir import (
    BOOL,
    INT,
    Branch,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    External,
    Function,
    Jump,
    Parameter,
    Program,
    Scalar,
    Switch,
    Transfer,
    Type,
    Value,
)
from cpsconv.operations.types import is_data, is_integer, wrap
from cpsconv.source import Diagnostic, Source, warning
from cpsconv.text.operands import Operands
from cpsconv.text.spelling import unquote_name
from cpsconv.text.syntax import (
    Abstraction,
    Application,
    Body,
    BranchNode,
    Expression,
    FunctionNode,
    Literal,
    Name,
    Node,
    SwitchNode,
    Undefined,
    name_of,
)

_NULLARY = ContinuationType(())


def elaborate(functions: list[FunctionNode], source: Source) -> tuple[Program, list[Diagnostic]]:
    """The program, and the errors and warnings found. If there are errors, the program is invalid."""
    diagnostics: list[Diagnostic] = []
    elaborator = _Elaborator(Operands(source, diagnostics))
    for node in functions:
        parameters = elaborator.operands.parameters(node.parameters)
        node.value = Function(name_of(node), parameters, span=elaborator.operands.span(node))
    for node in functions:
        elaborator.function(node)
    return Program([node.value for node in functions if node.value], source), diagnostics


def _outermost_unused(abstractions: list[Abstraction]) -> Iterator[Abstraction]:
    """The named continuations without references, except those inside another such continuation."""
    end = 0
    for member in abstractions:
        if member.name and member.value is None and member.start >= end:
            yield member
            end = member.body.transfer.end


class _Elaborator:
    """Elaborates the bodies of functions."""

    def __init__(self, operands: Operands) -> None:
        self.operands = operands

    def function(self, node: FunctionNode) -> None:
        """Elaborate the body of the function and those of its continuations."""
        assert node.value
        self._body(node.value, node.body)
        self._pending_bodies()
        node.value.continuations = [member.value for member in node.abstractions if member.value]
        node.unused = list(_outermost_unused(node.abstractions))
        for member in node.unused:
            message = f"the continuation `{name_of(member)}` is never used, and is omitted"
            self.operands.diagnostics.append(warning(message, self.operands.span(member)))
        self._unused_bodies(node.abstractions)

    def _pending_bodies(self) -> None:
        while self.operands.pending:
            member = self.operands.pending.pop()
            assert member.value
            self._body(member.value, member.body)

    def _unused_bodies(self, abstractions: list[Abstraction]) -> None:
        """Elaborate the bodies of the continuations without references, in source order."""
        self.operands.ordered = False
        for member in abstractions:
            if member.name and member.value is None:
                self.operands.continuation(member)
                self._pending_bodies()
        self.operands.ordered = True

    def _body(self, member: Continuation, body: Body) -> None:
        self.operands.begin(member, body)
        for statement in body.statements:
            self.operands.statement(statement)
        transfer = body.transfer
        if isinstance(transfer, Application):
            member.transfer = self._application(transfer)
        elif isinstance(transfer, BranchNode):
            member.transfer = self._branch(transfer)
        else:
            member.transfer = self._switch(transfer)

    # ------------------------------------------------------------------------------------------------- transfers

    def _application(self, node: Application) -> Transfer | None:
        """``f(arguments, k)``: a call if `f` is a function with a return continuation, otherwise a jump."""
        edge = self._edge(node)
        if edge is None:
            return None
        span = self.operands.span(node)
        if not isinstance(edge.target, Function) or not edge.target.return_continuation:
            return Jump(edge, span)
        *arguments, then = edge.arguments
        assert isinstance(then, (Continuation, External, Parameter))
        return Call(edge.target, arguments, Edge(then), span)

    def _branch(self, node: BranchNode) -> Transfer | None:
        condition = self.operands.value(node.condition)
        then, otherwise = (self._slot(slot) for slot in node.slots)
        if condition and condition.type is not BOOL:
            help = "compare it: `… != 0`" if is_data(condition.type) else None
            self.operands.error(f"`branch` takes bool, not {condition.type}", node.condition, help)
        if not condition or not then or not otherwise:
            return None
        return Branch(condition, then, otherwise, self.operands.span(node.condition))

    def _switch(self, node: SwitchNode) -> Transfer | None:
        value = self.operands.value(node.value)
        if value and not is_integer(value.type):
            self.operands.error(f"`switch` takes an integer, not {value.type}", node.value)
            value = None
        cases = self._cases(node.cases, value)
        slots = [self._slot(slot) for slot in node.slots]
        edges = [slot for slot in slots if slot]
        if not value or len(edges) < len(slots):
            return None
        return Switch(value, cases, edges[:-1], edges[-1], self.operands.span(node.value))

    def _cases(self, nodes: list[Literal], value: Value | None) -> list[int]:
        """The cases, which must have the type of `value`; a number without a suffix fits every integer type."""
        cases: dict[int, None] = {}
        for node in nodes:
            constant = self.operands.literal(node)
            if not value or not constant:
                continue
            if not _is_case(constant, value.type):
                self.operands.error(f"this case is not a value of type {value.type}", node)
            elif constant.value in cases:
                self.operands.error(f"duplicate case {constant.value}", node)
            else:
                assert isinstance(constant.value, int)
                cases[constant.value] = None
        return list(cases)

    # ----------------------------------------------------------------------------------------------------- edges

    def _slot(self, node: Expression) -> Edge | None:
        """The edge of a nullary continuation. ``λ(). k(x)``, with no computation, is an edge to `k` that passes `x`."""
        if isinstance(node, Abstraction) and _is_edge(node):
            assert isinstance(node.body.transfer, Application)
            return self._edge(node.body.transfer)
        target = self.operands.value(node)
        if target is None:
            return None
        if isinstance(target.type, ContinuationType) and target.type != _NULLARY:
            message = f"{_called(node)} takes {_count(target.type)}, but a continuation without parameters is needed"
            self.operands.error(message, node, help="pass arguments: `λ(). k(…)`")
            return None
        if not self._takes(target, node, [], []):
            return None
        assert isinstance(target, (Continuation, External, Parameter))
        return Edge(target)

    def _edge(self, node: Application) -> Edge | None:
        target = self.operands.named(node.name)
        values = [self.operands.value(argument) for argument in node.arguments]
        if target is None or not self._takes(target, node.name, values, node.arguments):
            return None
        arguments = [value for value in values if value is not None]
        if len(arguments) < len(values):
            return None
        assert isinstance(target, (Continuation, External, Parameter))
        return Edge(target, arguments)

    def _takes(self, target: Value, shown: Node, arguments: list[Value | None], nodes: list[Expression]) -> bool:
        """Whether `target` is a continuation that takes the arguments. Reports an error if it is not."""
        error = self.operands.error
        if not isinstance(target.type, ContinuationType):
            error(f"{_called(shown)} is not a continuation: its type is {target.type}", shown)
            return False
        expected = target.type.parameters
        if len(expected) != len(arguments):
            error(f"{_called(shown)} takes {_count(target.type)}, not {len(arguments)}", shown)
            return False
        fits = True
        for type, argument, node in zip(expected, arguments, nodes, strict=True):
            if argument and argument.type != type:
                help = f"convert it: `{type}(…)`" if is_data(type) and is_data(argument.type) else None
                error(f"{_called(shown)} takes {type} here, not {argument.type}", node, help)
                fits = False
        return fits


def _called(node: Node) -> str:
    return f"`{unquote_name(node.word)}`" if isinstance(node, Name) else "this"


def _count(type: ContinuationType) -> str:
    count = len(type.parameters)
    return f"{count} argument{'s' * (count != 1)}"


def _is_edge(node: Abstraction) -> bool:
    """Whether the body of an abstraction is only a jump with names and literals as arguments."""
    body = node.body
    if node.parameters or body.statements or body.group or not isinstance(body.transfer, Application):
        return False
    definition = body.transfer.name.definition
    if isinstance(definition, FunctionNode) and definition.value and definition.value.return_continuation:
        return False
    return all(isinstance(argument, (Name, Literal, Undefined)) for argument in body.transfer.arguments)


def _is_case(constant: Constant, type: Type) -> bool:
    """Whether the constant has the type or, without a suffix, a value of the type."""
    if constant.type is not INT:
        return constant.type == type
    return isinstance(type, Scalar) and isinstance(constant.value, int) and wrap(type, constant.value) == constant.value
