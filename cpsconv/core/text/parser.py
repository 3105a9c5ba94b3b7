"""The parser of CPS text: syntax tree, name resolution, and elaboration to a program.

The body of a continuation is elaborated after a body that references the continuation, and so after the bodies of its
dominators, which compute the values that it may use. Continuations without references are not part of the program; they
are elaborated last, to report their errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cpsconv.core import ir
from cpsconv.core.grammar import Rejected
from cpsconv.core.operations.types import is_data, is_integer, wrap
from cpsconv.core.source import (
    Diagnostic,
    DiagnosticError,
    Source,
    Span,
    counted,
    error,
    in_source_order,
    undecodable,
    warning,
)
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.operands import Operands
from cpsconv.core.text.scope import resolve
from cpsconv.core.text.spelling import unquote_name
from cpsconv.core.text.tree import TypeTooDeep, new_parser


def parse(source: Source | str, warnings: list[Diagnostic] | None = None) -> ir.Program:
    """The program of a CPS text, nested or flat, in Unicode or ASCII. Warnings are added to `warnings`.

    Raises `DiagnosticError` with every error found. (`cpsconv.core.check` finds the errors of the program as a whole.)
    """
    if isinstance(source, str):
        source = Source("<string>", source)
    return program_of(parse_syntax(source), source, warnings)


def parse_syntax(source: Source) -> list[cps.ItemNode]:
    """The syntax trees of the items of a text, which may be empty. Raises `DiagnosticError` with every syntax error."""
    if not source.text.strip():
        return []
    if source.undecoded is not None:
        raise undecodable(source, source.undecoded)
    parser = new_parser(len(source.text))
    try:
        parser.read(cps.tokens(source.text))
    except Rejected:
        from cpsconv.core.text.recovery import syntax_errors  # imported late: most texts have no errors

        raise DiagnosticError(syntax_errors(source)) from None
    except TypeTooDeep as failure:
        too_deep = error("this type is nested too deeply", Span(source, *failure.args), rule="nesting")
        raise DiagnosticError([too_deep]) from None
    items: list[cps.ItemNode] = parser.result()
    return items


def program_of(
    items: list[cps.ItemNode], source: Source, warnings: list[Diagnostic] | None = None, *, aliases: bool = False
) -> ir.Program:
    """The program of the syntax trees, whose nodes get their values. Warnings and errors are those of `parse`.

    With `aliases`, for a program that is only printed, ``v := x;`` is an `Alias` instead of another name of `x`.
    """
    nodes = cps.functions_in(items)
    diagnostics = resolve(items, source)
    elaborator = _Elaborator(source, diagnostics, aliases)
    program = ir.Program([], source)
    others = None
    if len(nodes) < len(items) or not all(isinstance(item, cps.FunctionNode) for item in items):
        from cpsconv.core.text.objects import Items  # imported late, as below: many texts have only functions

        others = Items(items, elaborator)
        others.declare(program, is_expecting=not nodes)
    has_nested = any(node.inner for node in nodes)
    elaborator.hint = _unlike(name for node in nodes for name in node.definitions) if has_nested else elaborator.hint
    program.functions = [elaborator.declared(node) for node in nodes]
    if others:
        others.fill(program)
    for node, function in zip(nodes, program.functions, strict=True):
        elaborator.elaborate(node, function)
    if errors := [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]:
        raise DiagnosticError(errors)  # no warnings: an unused continuation may be misspelled where it is used
    if warnings is not None:
        warnings += in_source_order(diagnostics)
    if has_nested:
        from cpsconv.core.analysis.nesting import find_free_values

        find_free_values(program)
    return program


class _Elaborator(Operands):
    """Elaborates functions: their bodies, transfers and edges."""

    def declared(self, node: cps.FunctionNode) -> ir.Function:
        """The function of the node, without a body: other functions may reference it."""
        node.value = ir.Function(cps.name_of(node), self.parameters(node.parameters), span=self.span(node))
        if node.words or node.attributes or node.declaration.ellipses:
            node.value.attributes = self.types.of_function(node, "function")
        return node.value

    def elaborate(self, node: cps.FunctionNode, function: ir.Function) -> None:
        """Elaborate the body of the function and those of its continuations."""
        self._body(function, node.body)
        self._pending_bodies()
        function.continuations = [member.value for member in node.abstractions if member.value]
        node.unused = list(_outermost_unused(node.abstractions))
        for member in node.unused:
            message = f"the continuation `{cps.name_of(member)}` is never used, and is omitted"
            self.diagnostics.append(warning(message, self.span(member), rule="unused-continuation"))
        self.ordered = False
        for member in node.abstractions:  # those without references, in source order
            if member.name and member.value is None:
                self.continuation(member)
                self._pending_bodies()
        self.ordered = True

    def _pending_bodies(self) -> None:
        while self.pending:
            member = self.pending.pop()
            assert member.value
            self._body(member.value, member.body)

    def _body(self, member: ir.Continuation, body: cps.Body) -> None:
        self.begin(member, body)
        for statement in body.statements:
            self.statement(statement)
        transfer = body.transfer
        if isinstance(transfer, cps.Application):
            member.transfer = self._application(transfer)
        elif isinstance(transfer, cps.PointerCall):
            member.transfer = self._pointer_call(transfer)
        elif isinstance(transfer, cps.ForeignNode):
            member.transfer = self._foreign(transfer)
        else:
            member.transfer = self._switch(transfer) if isinstance(transfer, cps.SwitchNode) else self._branch(transfer)

    # ------------------------------------------------------------------------------------------------- transfers

    def _application(self, node: cps.Application) -> ir.Transfer | None:
        """``f(arguments, k)``: a call if `f` is a function with a return continuation, otherwise a jump."""
        edge = self._edge(node)
        if edge is None:
            return None
        if not isinstance(edge.target, ir.Function) or not edge.target.return_continuation:
            return ir.Jump(edge, self.span(node))
        *arguments, then = edge.arguments
        assert isinstance(then, (ir.Continuation, ir.External, ir.Parameter))
        return ir.Call(edge.target, arguments, ir.Edge(then), self.span(node))

    def _pointer_call(self, node: cps.PointerCall) -> ir.Transfer | None:
        """``call(p, arguments, k)``: a call of the function at `p`, of the type of the arguments."""
        values = [self.value(argument) for argument in node.arguments]
        found = [value for value in values if value is not None]
        if len(found) < len(values):
            return None
        pointer, *arguments = found
        if pointer.type is not ir.PTR:
            self.error("type-mismatch", f"`call` takes ptr, not {pointer.type}", node.arguments[0])
            return None
        then = arguments.pop() if arguments else pointer
        if not isinstance(then, (ir.Continuation, ir.External, ir.Parameter)) or then.type is ir.PTR:
            self.error("type-mismatch", "`call` takes a return continuation as its last argument", node.arguments[-1])
            return None
        callee = ir.prototype([*(argument.type for argument in arguments), then.type])
        return ir.Call(callee, arguments, ir.Edge(then), self.span(node), pointer)

    def _foreign(self, node: cps.ForeignNode) -> ir.Transfer | None:
        text = self.further.foreign_text(node.text)
        values = [self.value(argument) for argument in node.arguments]
        for argument, value in zip(node.arguments, values, strict=True):
            if value is not None and not isinstance(value.type, ir.Scalar):
                self.error("type-mismatch", f"an operand of a foreign operation is no {value.type}", argument)
        edges = [self._slot(slot) for slot in node.slots]
        found, targets = [each for each in values if each], [each for each in edges if each]
        if text is None or len(found) < len(values) or len(targets) < len(edges):
            return None
        return ir.ForeignTransfer(text, found, targets, self.span(node))

    def _branch(self, node: cps.BranchNode) -> ir.Transfer | None:
        condition = self.value(node.value)
        then, otherwise = (self._slot(slot) for slot in node.slots)
        if condition and condition.type is not ir.BOOL:
            help = "compare it: `… != 0`" if is_data(condition.type) else None
            self.error("type-mismatch", f"`branch` takes bool, not {condition.type}", node.value, help)
        return (
            ir.Branch(condition, then, otherwise, self.span(node.value)) if condition and then and otherwise else None
        )

    def _switch(self, node: cps.SwitchNode) -> ir.Transfer | None:
        value = self.value(node.value)
        if value and not is_integer(value.type):
            self.error("type-mismatch", f"`switch` takes an integer, not {value.type}", node.value)
            value = None
        cases = self._cases(node.cases, value)
        slots = [self._slot(slot) for slot in node.slots]
        edges = [slot for slot in slots if slot]
        if not value or len(edges) < len(slots):
            return None
        return ir.Switch(value, cases, edges[:-1], edges[-1], self.span(node.value))

    def _cases(self, nodes: list[cps.Literal], value: ir.Value | None) -> list[int]:
        """The cases, which must have the type of `value`; a number without a suffix fits every integer type."""
        cases: dict[int, None] = {}
        for node in nodes:
            constant = self.literal(node)
            if not value or not constant:
                continue
            if not _is_case(constant, value.type):
                self.error("type-mismatch", f"this case is not a value of type {value.type}", node)
            elif constant.value in cases:
                self.error("duplicate-case", f"duplicate case {constant.value}", node)
            else:
                assert isinstance(constant.value, int)
                cases[constant.value] = None
        return list(cases)

    # ----------------------------------------------------------------------------------------------------- edges

    def _slot(self, node: cps.Expression) -> ir.Edge | None:
        """The edge of a nullary continuation. ``λ(). k(x)``, with no computation, is an edge to `k` that passes `x`."""
        if isinstance(node, cps.Abstraction) and _is_edge(node):
            assert isinstance(node.body.transfer, cps.Application)
            return self._edge(node.body.transfer)
        value = self.value(node)
        if value and isinstance(value.type, ir.ContinuationType) and value.type.parameters:
            taken = counted(len(value.type.parameters), "argument")
            message = f"{_called(node)} takes {taken}, but a continuation without parameters is needed"
            self.error("argument-count", message, node, help="pass arguments: `λ(). k(…)`")
            return None
        target = self._target(value, node, [], [])
        return ir.Edge(target) if target else None

    def _edge(self, node: cps.Application) -> ir.Edge | None:
        value = self.named(node.name)
        values = [self.value(argument) for argument in node.arguments]
        target = self._target(value, node.name, values, node.arguments)
        arguments = [argument for argument in values if argument is not None]
        return ir.Edge(target, arguments) if target and len(arguments) == len(values) else None

    def _target(
        self, value: ir.Value | None, shown: cps.Node, arguments: list[ir.Value | None], nodes: list[cps.Expression]
    ) -> ir.Target | None:
        """The value, if it is a continuation that takes the arguments. Otherwise, reports an error."""
        if value is None:
            return None
        if not isinstance(value.type, ir.ContinuationType):
            self.error("type-mismatch", f"{_called(shown)} is not a continuation: its type is {value.type}", shown)
            return None
        expected = value.type.parameters
        if len(expected) != len(arguments):
            message = f"{_called(shown)} takes {counted(len(expected), 'argument')}, not {len(arguments)}"
            self.error("argument-count", message, shown)
            return None
        fits = True
        for type, argument, node in zip(expected, arguments, nodes, strict=True):
            if argument and argument.type != type:
                help = f"convert it: `{type}(…)`" if is_data(type) and is_data(argument.type) else None
                self.error("type-mismatch", f"{_called(shown)} takes {type} here, not {argument.type}", node, help)
                fits = False
        assert isinstance(value, (ir.Continuation, ir.External, ir.Parameter))
        return value if fits else None


def _unlike(names: Iterable[str]) -> str:
    """The hint for abstractions, which no name begins with: else one would be numbered in a function inside."""
    taken, hint = {unquote_name(name) for name in names}, Operands.hint
    while any(name.startswith(hint) for name in taken):
        hint += "_"
    return hint


def _outermost_unused(abstractions: list[cps.Abstraction]) -> Iterator[cps.Abstraction]:
    """The named continuations without references, except those inside another such continuation."""
    end = 0
    for member in abstractions:
        if member.name and member.value is None and member.start >= end:
            yield member
            end = member.body.transfer.end


def _called(node: cps.Node) -> str:
    return f"`{unquote_name(node.word)}`" if isinstance(node, cps.Name) else "this"


def _is_edge(node: cps.Abstraction) -> bool:
    """Whether the body of an abstraction is only a jump with names and literals as arguments."""
    body = node.body
    if node.parameters or body.statements or body.group or not isinstance(body.transfer, cps.Application):
        return False
    definition = body.transfer.name.definition
    if isinstance(definition, cps.FunctionNode) and definition.value and definition.value.return_continuation:
        return False
    return all(isinstance(argument, (cps.Name, cps.Literal, cps.Undefined)) for argument in body.transfer.arguments)


def _is_case(constant: ir.Constant, type: ir.Type) -> bool:
    """Whether the constant has the type or, without a suffix, a value of the type."""
    if constant.type is not ir.INT:
        return constant.type == type
    return (
        isinstance(type, ir.Scalar) and isinstance(constant.value, int) and wrap(type, constant.value) == constant.value
    )
