"""The program in φ form (Figure 8(b) of the paper), in which a continuation is a basic block.

::

    int f(int x) {
      if (x == 0) goto then else goto else
    then:
      goto next
    else:
      goto next
    next:
      int a: φ(23 [then], 42 [else])
      return a
    }

The blocks are in the order of the continuations in the nested CPS text: each is followed by those that it dominates.

A parameter of a continuation becomes a φ function of its block. The operands of the φ are the arguments of the incoming
edges, each with the block that is the source of the edge; the sources are in the order of `Function.members`. (The name
of the function denotes its first block.) A jump to the return continuation is a `return`. The result of a call is a
value of the calling block, which then goes to the block that takes the result as a parameter.

SSA form has no blocks as values. The incoming edges of a continuation passed as a value are unknown, so it has no φ
functions: its label lists its parameters, ``k(int a):``, and a jump its arguments, ``goto k(1)``. A jump to a parameter
that is a continuation leaves the function, as `halt` does: ``k(1)``. The return continuation has its name in CPS text
where it is passed as a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cpsconv.core import ir
from cpsconv.core.analysis.graph import incoming, is_local
from cpsconv.core.entry import data_parameters
from cpsconv.core.text.expressions import Expressions
from cpsconv.core.text.layout import Group, Piece, layout_lines, on_one_line, wrapped
from cpsconv.core.text.plan import TextPlan
from cpsconv.core.text.spelling import foreign_text, in_ascii, literal_text, quote_name, unquote_name
from cpsconv.targets.numbering import Names, nested_order, numbered

_MARGIN = "  "


def ssa(program: ir.Program, *, names: Names = "source", ascii: bool = False, width: int = 80) -> str:
    """The text of the program in φ form. It is for reading; there is no parser."""
    program, written = numbered(program, names, ascii=ascii)
    taken = program.global_names.union(map(unquote_name, written.names.values()))
    plans = (TextPlan(function, taken, written=written) for function in program.functions)
    printers = (FunctionPrinter(plan.function, plan, incoming_edges(plan), width, ascii=ascii) for plan in plans)
    return "\n".join("".join(f"{line}\n" for line in printer.lines()) for printer in printers)


Incoming = Mapping[ir.Continuation, Sequence[tuple[ir.Continuation, ir.Edge]]]
"""For each block that can have φ functions, the edges to it, each with its source."""


def incoming_edges(plan: TextPlan) -> Incoming:
    """The incoming edges of each block that is not passed as a value."""
    return {block: edges for block, edges in incoming(plan.function).items() if len(edges) == plan.used[block]}


class FunctionPrinter:
    """Prints one function, also one under construction: a block without a transfer ends with ``…``."""

    def __init__(
        self, function: ir.Function, text_plan: TextPlan, edges: Incoming, width: int, *, ascii: bool = False
    ) -> None:
        self.function = function
        self.ret = function.return_continuation
        self.data = data_parameters(function)
        self.own = len(function.parameters)
        self.ascii = ascii
        self.width = width
        self.text_plan = text_plan
        self.names = text_plan.names
        self.expressions = Expressions(self.names, text_plan.in_place)
        self.edges = edges

    def lines(self) -> Iterator[str]:
        """``int f(int x) { … }``"""
        for block in nested_order(self.function):
            yield from self.block_lines(block)
        yield "}"

    def block_lines(self, block: ir.Continuation) -> list[str]:
        """The label, φ functions, statements and transfer of a block."""
        statements = (line for each in self.text_plan.lines(block) for line in self.statement_lines(each))
        return [*self.head_lines(block), *statements, *self.transfer_lines(block)]

    def head_lines(self, block: ir.Continuation) -> list[str]:
        """The label and the φ functions of a block."""
        phis = (line for each in self.phi_parameters(block) for line in self.phi_lines(block, each))
        return [*self.label_lines(block), *phis]

    def label_lines(self, block: ir.Continuation) -> list[str]:
        """The label of a block."""
        return layout_lines(self._head(block), self.width)

    def phi_lines(self, block: ir.Continuation, parameter: ir.Parameter) -> list[str]:
        """The φ function of a parameter of a block."""
        return self._inner_lines([self._phi(block, parameter)])

    def transfer_lines(self, block: ir.Continuation) -> list[str]:
        """The transfer of a block."""
        return self._inner_lines(self._transfer(block, block.transfer) if block.transfer else ["…"])

    def statement_lines(self, statement: ir.Statement) -> list[str]:
        """The lines of a statement that is not written in place."""
        return self._inner_lines([self._statement(statement)])

    def _inner_lines(self, pieces: Iterable[Piece]) -> list[str]:
        return [_MARGIN + line for piece in pieces for line in layout_lines(piece, self.width - len(_MARGIN))]

    def _head(self, block: ir.Continuation) -> Piece:
        """``int f(int x) {``, ``next:``; ``k(int a):`` if the block has parameters but no φ functions"""
        opening, parameters, closing = f"{self._name(block)}(", block.parameters, "):"
        if block is self.function:
            result = ", ".join(map(str, _taken(self.ret))) or "void" if self.ret else "⊥"
            opening, parameters, closing = f"{self._symbols(result)} {opening}", self.data, ") {"
        elif block in self.edges or not parameters:
            return f"{self._name(block)}:"
        return Group(opening, [*map(self._typed, parameters)], closing) if parameters else opening + closing

    def _name(self, block: ir.Continuation) -> str:
        return quote_name(block.name) if block is self.function else self.names[block]

    def _typed(self, parameter: ir.Parameter) -> str:
        return f"{self._symbols(parameter.type)} {self.names[parameter]}"

    def _symbols(self, text: object) -> str:
        return in_ascii(str(text)) if self.ascii else str(text)

    # ------------------------------------------------------------------------------------- φ functions, statements

    def phi_parameters(self, block: ir.Continuation) -> list[ir.Parameter]:
        """The parameters of a block that have φ functions: those that are not the result of a call."""
        edges = self.edges.get(block, ())
        if len(edges) == 1 and isinstance(edges[0][0].transfer, ir.Call):
            return []
        first = self.own if block is self.function else 0
        return block.parameters[first:] if first or block in self.edges else []

    def _phi(self, block: ir.Continuation, parameter: ir.Parameter) -> Piece:
        """``int a: φ(23 [then], 42 [else])``"""
        index = block.parameters.index(parameter) - (self.own if block is self.function else 0)
        operands: list[Piece] = []
        for source, edge in self.edges.get(block, ()):
            call = source.transfer if isinstance(source.transfer, ir.Call) else None
            operand = self._results(source, call)[index] if call else self.expressions.value(edge.arguments[index])
            operands.append(wrapped("", operand, f" [{self._name(source)}]"))
        return Group(f"{self._typed(parameter)}: {self.phi(parameter)}(", operands, ")")

    def phi(self, parameter: ir.Parameter) -> str:
        """The word for the φ function of a parameter."""
        return "phi" if self.ascii else "φ"

    def _statement(self, statement: ir.Statement) -> Piece:
        operation = self.expressions.operation(statement)
        if not self.text_plan.is_shown(statement):
            return operation
        return wrapped(f"{statement.type} {self.names[statement]}: ", operation)

    # -------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, block: ir.Continuation, transfer: ir.Transfer) -> Iterator[Piece]:
        if isinstance(transfer, ir.Jump):
            yield self._passing(transfer.edge)
        elif isinstance(transfer, ir.Branch):
            then, otherwise = map(on_one_line, map(self._passing, transfer.edges))
            yield Group("if (", [self.expressions.value(transfer.condition)], f") {then} else {otherwise}")
        elif isinstance(transfer, ir.Switch):
            yield from self._switch(transfer)
        elif isinstance(transfer, ir.ForeignTransfer):
            call = self.expressions.application(foreign_text(transfer.text), transfer.values)
            yield wrapped("", call, " {" * bool(transfer.targets))
            for edge in transfer.targets:
                yield f"{_MARGIN}{on_one_line(self._passing(edge))}"
            yield from ["}"] * bool(transfer.targets)
        else:
            yield from self._call(block, transfer)

    def _passing(self, edge: ir.Edge) -> Piece:
        return self._step(edge.target, [self.expressions.value(argument) for argument in edge.arguments])

    def _step(self, target: ir.Target, arguments: list[Piece]) -> Piece:
        """``goto next``, ``return a``, ``halt(1)``, ``k(a)``. A block with φ functions gets no arguments."""
        if target is self.ret:
            return Group("return ", arguments, "", bracketed=False) if arguments else "return"
        if target in self.edges:
            return f"goto {self.names[target]}"
        if isinstance(target, ir.External):
            return Group(f"{target.name}(", arguments, ")")
        word = "goto " if is_local(target) else ""
        return Group(f"{word}{on_one_line(self.expressions.value(target))}(", arguments, ")")

    def _switch(self, transfer: ir.Switch) -> Iterator[Piece]:
        """``switch (x) { case 1: goto one default: goto other }``"""
        yield Group("switch (", [self.expressions.value(transfer.value)], ") {")
        for case, edge in transfer.arms:
            yield f"{_MARGIN}case {literal_text(case)}: {on_one_line(self._passing(edge))}"
        yield f"{_MARGIN}default: {on_one_line(self._passing(transfer.default))}"
        yield "}"

    def _call(self, block: ir.Continuation, call: ir.Call) -> Iterator[Piece]:
        """``int a: g(x)`` and a jump, or ``return g(x)``"""
        call_text = self.expressions.application(*self.expressions.call(call))
        if call.then.target is self.ret and _taken(self.ret):
            yield wrapped("return ", call_text)
            return
        results = self._results(block, call)
        declared = ", ".join(map(" ".join, zip(map(self._symbols, _taken(call.then.target)), results, strict=True)))
        yield wrapped(f"{declared}: " if results else "", call_text)
        yield self._step(call.then.target, [*results])

    def _results(self, block: ir.Continuation, call: ir.Call) -> list[str]:
        """The names of the results of a call: the parameters of the next block if it has no other edge, else new."""
        target = call.then.target
        if isinstance(target, ir.Continuation) and len(self.edges.get(target, ())) == 1:
            return [self.names[parameter] for parameter in target.parameters]
        return [f"{self._name(block)}.value{index or ''}" for index in range(len(_taken(target)))]


def _taken(target: ir.Target) -> Sequence[ir.Type]:
    """The types of the parameters of a continuation."""
    assert isinstance(target.type, ir.ContinuationType)
    return target.type.parameters
