"""The program in φ form, as Figure 8(b) of the paper shows it: what a continuation is to CPS, a block is to SSA.

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

The parameters of a continuation become the φ functions of its block, and the arguments of the edges that lead to it
their operands: one for each edge, in the order of the text, with the block that the edge comes from. (The function's
own name stands for its first block.) To call the return continuation is to return. The call of a function comes back
into its block with a value, and goes on to the block that took this value as a parameter.

A continuation that is passed on as a value can be entered from anywhere, so it has no φ functions: its parameters
stand in its label.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cpsconv.analysis.graph import count_uses, incoming
from cpsconv.ir import (
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
    Statement,
    Switch,
    Target,
    Transfer,
    Type,
)
from cpsconv.text.layout import Group, Piece, layout_lines, on_one_line, wrapped
from cpsconv.text.plan import TextPlan
from cpsconv.text.printer import Expressions
from cpsconv.text.spelling import in_ascii, literal_text, quote_name

_MARGIN = "  "


def ssa(program: Program, *, ascii: bool = False, width: int = 80) -> str:
    """The text of the program in φ form. It is for reading: nothing parses it."""
    functions = frozenset(function.name for function in program.functions)
    printed = (_FunctionPrinter(function, functions, ascii, width).text() for function in program.functions)
    return "\n".join(printed)


class _FunctionPrinter:
    """Prints one function. `edges` leads to each block that has φ functions."""

    def __init__(self, function: Function, functions: Collection[str], ascii: bool, width: int) -> None:
        self.function = function
        self.ret = function.return_continuation
        self.ascii = ascii
        self.width = width
        self.text_plan = TextPlan(function, functions)
        self.names = {**self.text_plan.names, function: quote_name(function.name)}
        self.expressions = Expressions(self.names, self.text_plan.in_place)
        used = count_uses(function)
        self.edges = {block: edges for block, edges in incoming(function).items() if len(edges) == used[block]}

    def text(self) -> str:
        """``int f(int x) { … }``"""
        lines = [*self._laid_out(self._header(), ""), *self._block_lines(self.function)]
        for block in self.function.continuations:
            lines += self._laid_out(self._label(block), "")
            lines += self._block_lines(block)
        return "".join(f"{line}\n" for line in [*lines, "}"])

    def _laid_out(self, piece: Piece, margin: str = _MARGIN) -> Iterator[str]:
        for line in layout_lines(piece, self.width - len(margin)):
            yield margin + line

    def _block_lines(self, block: Continuation) -> Iterator[str]:
        for phi in self._phis(block):
            yield from self._laid_out(phi)
        for statement in block.body:
            if statement not in self.text_plan.in_place:
                yield from self._laid_out(self._statement(statement))
        assert block.transfer is not None, f"{block.name} is under construction"
        for piece in self._transfer(block, block.transfer):
            yield from self._laid_out(piece)

    # ---------------------------------------------------------------------------------------------------- headers

    def _header(self) -> Piece:
        result, parameters = "⊥", self.function.parameters
        if self.ret:
            result = ", ".join(map(str, _taken(self.ret))) or "void"
            parameters = parameters[:-1]
        return self._with_parameters(f"{self._symbols(result)} {quote_name(self.function.name)}(", parameters, ") {")

    def _label(self, block: Continuation) -> Piece:
        if block in self.edges or not block.parameters:
            return f"{self.names[block]}:"
        return self._with_parameters(f"{self.names[block]}(", block.parameters, "):")

    def _with_parameters(self, opening: str, parameters: Collection[Parameter], closing: str) -> Piece:
        if not parameters:
            return opening + closing
        return Group(opening, [self._typed(parameter) for parameter in parameters], closing)

    def _typed(self, parameter: Parameter) -> str:
        return f"{self._type(parameter.type)} {self.names[parameter]}"

    def _type(self, type: Type) -> str:
        return self._symbols(str(type))

    def _symbols(self, text: str) -> str:
        return in_ascii(text) if self.ascii else text

    # ------------------------------------------------------------------------------------- φ functions, statements

    def _phis(self, block: Continuation) -> Iterator[Piece]:
        """``int a: φ(23 [then], 42 [else])`` for each parameter, but for one that names the value of a call."""
        edges = self.edges.get(block, [])
        if len(edges) == 1 and isinstance(edges[0][0].transfer, Call):
            return
        phi = "phi" if self.ascii else "φ"
        for index, parameter in enumerate(block.parameters if edges else ()):
            operands = [
                wrapped("", self._operand(source, edge, index), f" [{self.names[source]}]") for source, edge in edges
            ]
            yield Group(f"{self._typed(parameter)}: {phi}(", operands, ")")

    def _operand(self, source: Continuation, edge: Edge, index: int) -> Piece:
        if isinstance(source.transfer, Call):
            return self._results(source, source.transfer)[index]
        return self.expressions.value(edge.arguments[index])

    def _statement(self, statement: Statement) -> Piece:
        operation = self.expressions.operation(statement)
        if not self.text_plan.is_shown(statement):
            return operation
        return wrapped(f"{statement.type} {self.names[statement]}: ", operation)

    # -------------------------------------------------------------------------------------------------- transfers

    def _transfer(self, block: Continuation, transfer: Transfer) -> Iterator[Piece]:
        value = self.expressions.value
        if isinstance(transfer, Jump):
            yield self._step(transfer.edge.target, [value(argument) for argument in transfer.edge.arguments])
        elif isinstance(transfer, Branch):
            yield Group(
                "if (",
                [value(transfer.condition)],
                f") {self._way(transfer.then)} else {self._way(transfer.otherwise)}",
            )
        elif isinstance(transfer, Switch):
            yield from self._switch(transfer)
        else:
            yield from self._call(block, transfer)

    def _way(self, edge: Edge) -> str:
        """Where an edge of several leads, on one line."""
        return on_one_line(self._step(edge.target, [self.expressions.value(argument) for argument in edge.arguments]))

    def _step(self, target: Target, arguments: list[Piece]) -> Piece:
        """``goto next``, ``return a``, ``halt(1)``; blocks with φ functions take their arguments from there."""
        if target is self.ret:
            return Group("return ", arguments, "", bracketed=False) if arguments else "return"
        if target in self.edges:
            return f"goto {self.names[target]}"
        if isinstance(target, External):
            return Group(f"{target.name}(", arguments, ")")
        return Group(f"goto {on_one_line(self.expressions.value(target))}(", arguments, ")")

    def _switch(self, transfer: Switch) -> Iterator[Piece]:
        """``switch (x) { case 1: goto one default: goto other }``"""
        type = transfer.value.type
        assert isinstance(type, Scalar)
        yield Group("switch (", [self.expressions.value(transfer.value)], ") {")
        for case, edge in zip(transfer.cases, transfer.targets, strict=True):
            yield f"{_MARGIN}case {literal_text(Constant(type, case))}: {self._way(edge)}"
        yield f"{_MARGIN}default: {self._way(transfer.default)}"
        yield "}"

    def _call(self, block: Continuation, call: Call) -> Iterator[Piece]:
        """``int a: g(x)`` and where it goes on, or ``return g(x)``"""
        call_text = self.expressions.application(quote_name(call.callee.name), call.arguments)
        if call.then.target is self.ret and _taken(self.ret):
            yield wrapped("return ", call_text)
            return
        results = self._results(block, call)
        declared = ", ".join(map(" ".join, zip(map(self._type, _taken(call.then.target)), results, strict=True)))
        yield wrapped(f"{declared}: " if results else "", call_text)
        yield self._step(call.then.target, [*results])

    def _results(self, block: Continuation, call: Call) -> list[str]:
        """The names of what a call returns: those of the parameters that receive it and nothing else, or new ones."""
        target = call.then.target
        if isinstance(target, Continuation) and len(self.edges.get(target, ())) == 1:
            return [self.names[parameter] for parameter in target.parameters]
        return [f"{self.names[block]}.value{index or ''}" for index in range(len(_taken(target)))]


def _taken(target: Target) -> Sequence[Type]:
    """The types of what a continuation takes."""
    assert isinstance(target.type, ContinuationType)
    return target.type.parameters
