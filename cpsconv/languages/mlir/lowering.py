"""The lowering of MLIR: calls of the Builder, block by block.

A block argument is a variable that each edge to the block assigns, and that the block reads first: construction places
a parameter for it, unless all edges pass the same value. All other values are in SSA form already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from cpsconv.abi.mlir import FUNCTION, ITEMS, RESULT, RESULTS, SEGMENTS, parts_of
from cpsconv.core.attributes import LOCAL
from cpsconv.core.construction import Block as Continuation
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import BOOL, NO_ATTRIBUTES, Attributes, Constant, Program, Value
from cpsconv.core.operations.types import is_integer, range_of
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, error
from cpsconv.languages.mlir.arith import Making, made, scalar
from cpsconv.languages.mlir.functions import Function, Module, callee
from cpsconv.languages.mlir.syntax import Block, Operation
from cpsconv.languages.mlir.types import result_of, scalar_of

_PURE = ("arith.", "math.", "complex.", "llvm.mlir.")
"""The beginnings of the names of operations whose results depend only on their operands."""


class Lowering:
    """Constructs the program of a module when called."""

    def __init__(self, module: Module, source: Source) -> None:
        self.module, self.source = module, source

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        if self.module.items:
            builder.attributes = {ITEMS: self.module.items}
        for each in self.module.functions:
            names = [_hint(name) for block in each.blocks[:1] for name, _ in block.arguments]
            names = names or [f"a{number}" for number in range(len(each.types))]
            parameters = [Variable(name, scalar_of(type)) for name, type in zip(names, each.types, strict=True)]
            declare = builder.declare if each.blocks else builder.external
            declare(each.name, parameters, result_of(each.results), each.operation.span, _attributes(each))
        for each in self.module.functions:
            if each.blocks:
                _FunctionLowering(builder, each).lower()
        return builder.program(self.source)


def _attributes(function: Function) -> Attributes:
    found: dict[str, bool | str] = {LOCAL: True} if function.is_private and function.blocks else {}
    return found | ({FUNCTION: function.header} if function.header else {}) or NO_ATTRIBUTES


class _FunctionLowering:
    """The lowering of one function; `values` has the values of the program by their names in MLIR."""

    def __init__(self, builder: Builder, function: Function) -> None:
        self.b, self.function = builder, function
        self.values: dict[str, Value] = {}
        self.arguments = {
            block: [
                Variable(_hint(name), scalar_of(type), block.label.span if block.label else None)
                for name, type in block.arguments
            ]
            for block in function.blocks
        }
        self.waiting = Counter(target for block in function.blocks for target in function.targets[block])
        self.continuations: dict[Block, Continuation] = {}
        self.passed: dict[Block, list[Value]] = {}  # by the transfer that is being constructed
        self.between: list[tuple[Continuation, Block, list[Value]]] = []

    def lower(self) -> None:
        """Construct the function."""
        b, function = self.b, self.function
        entry, *others = function.blocks
        variables = {variable for block in others for variable in self.arguments[block]}
        b.function(function.name, self.arguments[entry], result_of(function.results), function.operation.span)
        for block in sorted(others, key=lambda block: block.label.span.start if block.label else 0):
            span = block.label.span if block.label else None
            self.continuations[block] = b.continuation(block.name[1:], variables, span)
        for block in function.blocks:
            if block is not entry:
                b.enter(self.continuations[block])
            for (name, _), variable in zip(block.arguments, self.arguments[block], strict=True):
                self.values[name] = b.read_variable(variable, variable.span)
            *operations, last = block.operations
            for each in operations:
                self._operation(each)
            self._end(last, function.targets[block])
            for target in function.targets[block]:
                self.waiting[target] -= 1
                if not self.waiting[target]:
                    b.seal(self.continuations[target])
        b.finish()

    # --------------------------------------------------------------------------------------------- operations

    def _operands(self, each: Operation) -> list[Value]:
        return [self.values[name] for name in each.operands]

    def _operation(self, each: Operation) -> None:
        operands, type, dialect = self._operands(each), result_of(each.types), each.name.partition(".")[0]
        value = None
        if each.name == "func.call":
            target = self.b.declared(callee(each))
            assert target, "it is checked"
            value = self.b.call(target, operands, each.span)
        else:
            if dialect == "arith" and len(each.types) == 1 and not each.foreign_attributes:
                making = Making(self.b, type, each.table, each.span)
                value = made(each.name.partition(".")[2], operands, making)
            pure = each.name.startswith(_PURE) and bool(each.types)
            value = value or self.b.foreign(_text(each), *operands, type=type, pure=pure, span=each.span)
        if len(each.types) == 1 and value is not None:
            self._name(each.results[0], value)
        for number, (name, type_) in enumerate(zip(each.results, each.types, strict=True)) if each.types[1:] else ():
            assert value is not None
            part = self.b.foreign(f"{RESULT} {number}", value, type=scalar_of(type_), pure=True, span=each.span)
            self._name(name, part)

    def _name(self, name: str, value: Value) -> None:
        """Note the value; its name in the source is its name in the program, unless it is a number."""
        self.values[name] = value
        if not isinstance(value, Constant) and not name[1].isdigit() and not getattr(value, "name", "?"):
            value.name = _hint(name)

    # ----------------------------------------------------------------------------------------------- transfers

    def _end(self, each: Operation, targets: Sequence[Block]) -> None:
        """The transfer at the end of a block. Raises `DiagnosticError` if its edges are not known."""
        operands, name = self._operands(each), each.name.partition(".")[2]
        known = each.name.startswith(("cf.", "func.", "llvm."))
        if known and name == "return" and [*each.parameters] == [*self.function.results]:
            if len(operands) > 1:
                type = result_of(each.parameters)
                operands = [self.b.foreign(RESULTS, *operands, type=type, pure=True, span=each.span)]
            self.b.ret(next(iter(operands), None), each.span)
            return
        own, passed = self._edges(each, operands, targets)
        self.passed, self.between = {}, []
        edges = [self._edge(target, values) for target, values in zip(targets, passed, strict=True)]
        cases = _cases(each, own, edges) if name == "switch" else None
        if known and name == "br" and len(edges) == 1 and not own:
            self.b.jump(edges[0], each.span)
        elif known and name == "cond_br" and len(edges) == 2 and [value.type for value in own] == [BOOL]:
            self.b.branch(own[0], edges[0], edges[1], each.span)
        elif known and cases is not None:
            self.b.switch(own[0], cases, edges[0], each.span)
        else:
            self.b.foreign_transfer(_text(each), own, edges, each.span)
        for edge, target, values in self.between:
            self.b.open(edge)
            self._pass(target, values)
            self.b.jump(self.continuations[target], each.span)

    def _edges(
        self, each: Operation, operands: list[Value], targets: Sequence[Block]
    ) -> tuple[list[Value], list[list[Value]]]:
        """The operands of the operation itself, and those that it passes to each target.

        By convention, operands of targets come last; segments of operands tell in which order.
        """
        counts = [len(self.arguments[target]) for target in targets]
        own = len(operands) - sum(counts)
        start, passed = own, []
        for count in counts:
            passed.append(operands[start : start + count])
            start += count
        sizes = SEGMENTS.search(each.properties + each.attributes)
        segments = [int(size) for size in sizes[1].split(",")] if sizes else []
        if each.name.endswith(".switch"):
            counts = [*counts[:1], sum(counts[1:])]
        if own < 0 or (segments and segments[len(segments) - len(counts) :] != counts):
            self._refuse(each)
        for target, values in zip(targets, passed, strict=True):
            if [value.type for value in values] != [variable.type for variable in self.arguments[target]]:
                self._refuse(each)
        return operands[:own], passed

    def _refuse(self, each: Operation) -> None:
        message = f"`{each.name}` does not pass a value for each argument of its successors"
        raise DiagnosticError([error(message, each.span, rule="unsupported")])

    def _edge(self, target: Block, values: list[Value]) -> Continuation:
        """The continuation of an edge that passes the values: the target, or one between if it gets others, too."""
        if self.passed.setdefault(target, values) != values:
            between = self.b.continuation(f"to_{target.name[1:]}")
            self.between.append((between, target, values))
            return between
        self._pass(target, values)
        return self.continuations[target]

    def _pass(self, target: Block, values: list[Value]) -> None:
        for variable, value in zip(self.arguments[target], values, strict=True):
            self.b.write_variable(variable, value, target.label.span if target.label else None)


def _cases(
    each: Operation, own: Sequence[Value], edges: Sequence[Continuation]
) -> list[tuple[int, Continuation]] | None:
    """The cases of a switch on an integer, whose first edge is that without a case; None if it stays foreign."""
    values = re.match(r"dense<\[?([-\d, ]*)\]?>", each.table.get("case_values", "dense<>"))
    if len(own) != 1 or not is_integer(own[0].type) or values is None:
        return None
    numbers = [int(number) for number in parts_of(values[1]) if re.fullmatch(r"-?\d{1,40}", number)]
    low, high = range_of(scalar(own[0]))
    is_known = len({*numbers}) == len(numbers) == len(edges) - 1 and all(low <= each <= high for each in numbers)
    return [*zip(numbers, edges[1:], strict=True)] if is_known else None


def _text(each: Operation) -> str:
    """The static text of a foreign operation: its name, properties and attributes."""
    return " ".join(" ".join(filter(None, [each.name, each.properties, each.attributes])).split("\n"))


def _hint(name: str) -> str:
    """A name in the program for a value: that in MLIR without its sign; a number gets a letter."""
    plain = re.sub(r"\W", "_", name[1:])
    return plain if not plain[:1].isdigit() else f"x{plain}"
