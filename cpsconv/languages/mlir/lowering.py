"""The lowering of MLIR: calls of the Builder, block by block.

A block argument is a variable that each edge to the block assigns, and that the block reads first: construction places
a parameter for it, unless all edges pass the same value. So is a result of the operation that ends a block: the blocks
that this leads to assign it. All other values are in SSA form already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, islice, repeat
from typing import Union

from cpsconv.abi.attributes import LAZILY_BOUND
from cpsconv.core.attributes import LOCAL
from cpsconv.core.construction import Block as Continuation
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import BOOL, NO_ATTRIBUTES, Attributes, Effect, Parameter, Primitive, Program, Value
from cpsconv.core.operations.types import is_integer, range_of, scalar_type
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.arithmetic import Maker
from cpsconv.languages.blocks import entered
from cpsconv.languages.mlir.arith import made
from cpsconv.languages.mlir.functions import Function, callee, text_around
from cpsconv.languages.mlir.syntax import Block, Operation
from cpsconv.languages.mlir.texts import HEADER, LOCATION, MODULE, RESULT, RESULTS, TRANSFER, parts_of, with_segments
from cpsconv.languages.mlir.types import result_of, scalar_of

_PURE = ("arith.", "math.", "complex.", "llvm.mlir.")
"""The beginnings of the names of operations whose results depend only on their operands."""


class Lowering:
    """Constructs the program of a module when called, with the operations of a choice, of `cpsconv.languages.ours`.

    Raises `DiagnosticError` if an operation is foreign, and the choice is ``all``, or if its edges are not known.
    """

    def __init__(self, functions: Sequence[Function], source: Source, choice: str) -> None:
        self.functions, self.source, self.choice = functions, source, choice

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        keeps, foreign = self.choice == "none", list[Operation]()
        for each in self.functions:
            if each.targets:
                is_private = each.operation.table.get("sym_visibility") == '"private"'
                local: Attributes = {LOCAL: True} if is_private else NO_ATTRIBUTES
                _declare(builder.declare, each, {HEADER: each.header} if keeps else local)
            elif not keeps:
                _declare(builder.external, each, {LAZILY_BOUND: True})
        for each in self.functions:
            if each.targets:
                _FunctionLowering(builder, each, keeps, foreign).lower()
        if foreign and self.choice == "all":
            raise DiagnosticError(
                [_refused(each, "is expressed by no operation of the program") for each in dict.fromkeys(foreign)]
            )
        if keeps:
            builder.attributes = {MODULE: text_around(self.functions, self.source.text)}
        return builder.program(self.source)


def _declare(declare: Callable[..., object], each: Function, attributes: Attributes) -> None:
    """Declare a function; the parameters are the arguments of its first block, if it has one."""
    names = [_hint(argument.name) for block in each.operation.blocks[:1] for argument in block.arguments]
    names = names or [f"a{number}" for number in range(len(each.types))]
    parameters = [Variable(name, scalar_of(type)) for name, type in zip(names, each.types, strict=True)]
    declare(each.name, parameters, result_of(each.results), each.operation.span, attributes)


class _FunctionLowering:
    """The lowering of one function.

    `values` has the values of the program by their names in MLIR; those of results of operations that end blocks are
    variables. If it `keeps` all operations, they have their locations, too. `foreign` gets those that stay foreign.
    """

    def __init__(self, builder: Builder, function: Function, keeps: bool, foreign: list[Operation]) -> None:
        self.b, self.function, self.keeps, self.foreign = builder, function, keeps, foreign
        self.make = Maker(builder, function.operation.span)
        self.values: dict[str, Union[Value, Variable]] = {}
        self.arguments = {
            block: [self._variable(each.name, each.type, block.span, each.location) for each in block.arguments]
            for block in function.targets
        }
        self.edges = Counter(chain.from_iterable(function.targets.values()))
        self.continuations: dict[Block, Continuation] = {}
        self.between: list[tuple[Continuation, Block, list[Value]]] = []
        self.starts: dict[Continuation | None, tuple[Operation, list[Variable]]] = {}  # with results of operations

    def _variable(self, name: str, type: str, span: Span, location: str = "") -> Variable:
        return Variable(_hint(name), scalar_of(type), span, self._located(location))

    def _located(self, location: str) -> Attributes:
        return {LOCATION: location} if self.keeps and location else NO_ATTRIBUTES

    def lower(self) -> None:
        """Construct the function."""
        b, function = self.b, self.function
        entry, *others = function.targets
        variables = {variable for block in others for variable in self.arguments[block]}
        b.function(function.name, self.arguments[entry], result_of(function.results), function.operation.span)
        self.continuations = {block: b.continuation(block.name[1:], variables, block.span) for block in others}
        for block in entered(b, function.targets, self.continuations):
            for argument, variable in zip(block.arguments, self.arguments[block], strict=True):
                self.values[argument.name] = b.read_variable(variable, variable.span)
            self._begin(self.continuations.get(block))
            *operations, last = block.operations
            for each in operations:
                self._operation(each)
            self._end(last, function.targets[block])
        b.finish()

    # --------------------------------------------------------------------------------------------- operations

    def _operands(self, each: Operation) -> list[Value]:
        values = map(self.values.__getitem__, each.operands)
        return [self.b.read_variable(value, each.span) if isinstance(value, Variable) else value for value in values]

    def _operation(self, each: Operation) -> None:
        operands = self._operands(each)
        values: Sequence[Value] | None = None
        if each.name == "func.call" and not self.keeps:
            target = self.b.declared(callee(each))
            assert target, "it is checked"
            values = self._parts(each, self.b.call(target, operands, each.span))
        elif each.name.startswith("arith.") and each.types and not self.keeps:
            self.make.span = each.span
            types = [*map(scalar_of, each.types)]
            values = made(each.name.removeprefix("arith."), operands, types, each.table, self.make)
        if values is None:
            is_pure = each.name.startswith(_PURE) and bool(each.types)
            values = self._parts(each, self._foreign(each, each.text, operands, each.types, is_pure))
        for name, value in zip(each.results, values, strict=True):
            self.values[name] = value
            is_number = name[1].isdigit()
            if isinstance(value, (Primitive, Effect, Parameter)) and not (is_number or value.name):
                value.name = _hint(name)

    def _parts(self, each: Operation, value: Value | None) -> list[Value]:
        """The results of an operation, by the value of all of them."""
        if value is None or len(each.types) < 2:
            return [value] if value and each.types else []
        types = enumerate(each.types)
        return [self._foreign(each, f"{RESULT} {number}", [value], [type], True) for number, type in types]

    def _begin(self, continuation: Continuation | None) -> None:
        """Assign the results of the operation that leads to the open continuation, if there are any."""
        if continuation in self.starts:
            each, results = self.starts[continuation]
            self._assign(results, self._parts(each, self._foreign(each, RESULT, [], each.types, False)), each.span)

    def _assign(self, variables: Sequence[Variable], values: Sequence[Value], span: Span) -> None:
        for variable, value in zip(variables, values, strict=True):
            self.b.write_variable(variable, value, span)

    def _foreign(
        self, each: Operation, text: str, operands: Sequence[Value], types: Sequence[str], is_pure: bool
    ) -> Value:
        """The result of a foreign operation."""
        self.foreign.append(each)
        attributes = self._located(each.location)
        type = result_of(types)
        return self.b.foreign(text, *operands, type=type, pure=is_pure, span=each.span, attributes=attributes)

    # ----------------------------------------------------------------------------------------------- transfers

    def _end(self, each: Operation, targets: Sequence[Block]) -> None:
        """The transfer at the end of a block. Raises `DiagnosticError` if its edges are not known."""
        dialect, _, kind = each.name.partition(".")
        kind = kind if dialect in ("cf", "func", "llvm") and not each.results else ""
        operands = self._operands(each)
        if kind == "return" and [*each.parameters] == [*self.function.results]:
            if len(operands) > 1:
                operands = [self._foreign(each, RESULTS, operands, each.parameters, True)]
            self._state(each, each.text)
            self.b.ret(next(iter(operands), None), each.span)
            return
        own, edges = self._edges(each, operands, targets)
        cases = _cases(each, own, edges) if kind == "switch" and not self.keeps else None
        if kind == "br" and len(edges) == 1 and not own:
            if self.edges[targets[0]] > 1:  # else the blocks become one
                self._state(each, each.text)
            self.b.jump(edges[0], each.span)
        elif kind == "cond_br" and len(edges) == 2 and [value.type for value in own] == [BOOL]:
            self._state(each, each.text)
            self.b.branch(own[0], edges[0], edges[1], each.span)
        elif cases is not None:
            self.b.switch(own[0], cases, edges[0], each.span)
        else:
            self.foreign.append(each)
            self._state(each, "")
            self.b.foreign_transfer(each.text, own, edges, each.span)
        for edge, target, values in self.between:
            self.b.open(edge)
            self._begin(edge)
            self._assign(self.arguments[target], values, target.span)
            self.b.jump(self.continuations[target], each.span)
        self.between.clear()

    def _state(self, each: Operation, text: str) -> None:
        """State the location of the transfer that follows, and its text unless it is foreign."""
        if self.keeps and (text or each.location):
            self.b.foreign(f"{TRANSFER} {text}".strip(), span=each.span, attributes=self._located(each.location))

    def _edges(
        self, each: Operation, operands: list[Value], targets: Sequence[Block]
    ) -> tuple[list[Value], list[Continuation]]:
        """The operands of the operation itself, and the continuations of its edges, to whose targets it passes others.

        By convention, these come last; segments of operands, if any, must agree. An edge leads to a continuation
        between if another edge to its target passes other values or no results.
        """
        types = [[variable.type for variable in self.arguments[target]] for target in targets]
        counts = [*map(len, types)]
        own = max(len(operands) - sum(counts), 0)
        rest = iter(operands[own:])
        passed = [[*islice(rest, count)] for count in counts]
        texts = {"".join(text.split()) for text in (each.text, with_segments(each.text, counts))}
        if len(texts) > 1 or [[value.type for value in values] for values in passed] != types:
            raise DiagnosticError([_refused(each, "does not pass a value for each argument of its successors")])
        results = [*map(self._variable, each.results, each.types, repeat(each.span))]
        self.values.update(zip(each.results, results, strict=True))
        receivers = 0 if not results else 1 if each.name == "llvm.invoke" else len(targets)
        edges, direct = list[Continuation](), dict[Block, list[Value]]()
        for target, values in zip(targets, passed, strict=True):
            receives = len(edges) < receivers
            if (receives and self.edges[target] > 1) or direct.setdefault(target, values) != values:
                edges.append(self.b.continuation(f"to_{target.name[1:]}"))
                self.between.append((edges[-1], target, values))
            else:
                edges.append(self.continuations[target])
                self._assign(self.arguments[target], values, target.span)
            if receives:
                self.starts[edges[-1]] = each, results
        return operands[:own], edges


def _refused(each: Operation, why: str) -> Diagnostic:
    return error(f"`{each.name}` {why}", each.span, rule="unsupported")


def _cases(
    each: Operation, own: Sequence[Value], edges: Sequence[Continuation]
) -> list[tuple[int, Continuation]] | None:
    """The cases of a switch on an integer, whose first edge is that without a case; None if it stays foreign."""
    values = re.match(r"dense<\[?([-\d, ]*)\]?>", each.table.get("case_values", "dense<>"))
    if len(own) != 1 or not is_integer(own[0].type) or values is None:
        return None
    numbers = [int(number) for number in parts_of(values[1]) if re.fullmatch(r"-?\d{1,40}", number)]
    low, high = range_of(scalar_type(own[0]))
    is_known = len({*numbers}) == len(numbers) == len(edges) - 1 and all(low <= each <= high for each in numbers)
    return [*zip(numbers, edges[1:], strict=True)] if is_known else None


def _hint(name: str) -> str:
    """A name in the program for a value: that in MLIR without its sign; a number gets a letter."""
    plain = re.sub(r"\W", "_", name[1:])
    return plain if not plain[:1].isdigit() else f"x{plain}"
