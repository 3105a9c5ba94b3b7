"""Statements of Python for the structured form of a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cpsconv.core import ir
from cpsconv.core.analysis.graph import local_target
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.operations.formats import PrintText, PrintValue, print_effects
from cpsconv.core.operations.python_formats import before_zero
from cpsconv.core.operations.queries import in_order_of_use
from cpsconv.core.operations.table import EFFECTS, FOREIGN, STORE, traps
from cpsconv.core.source import Span
from cpsconv.core.text.plan import TextPlan
from cpsconv.engines.python.accesses import Accesses
from cpsconv.engines.python.counted_loops import CountedLoop, CountedLoops
from cpsconv.engines.python.expressions import Expressions
from cpsconv.engines.python.syntax import Block, If, Loop, Node, binary_selection, lines_of, membership_test
from cpsconv.targets.structuring import tree as s
from cpsconv.targets.structuring.decisions import negation, tests
from cpsconv.targets.structuring.irreducible import DispatchGraph, Redirection
from cpsconv.targets.structuring.parallel_copies import Copy, sequentialised

MAX_SEQUENTIAL = 3  # arms that are selected by one comparison after the other


@dataclass
class Statements:
    """Writes the statements of one function. Recursive, since the statements are not nested deeply."""

    _function: ir.Function
    _text_plan: TextPlan
    _expressions: Expressions
    _accesses: Accesses
    _maybe_undefined: Collection[Place]
    _counted_loops: CountedLoops
    _recursion: ir.Continuation | None
    _new_name: Callable[[str], str]

    def __post_init__(self) -> None:
        self._variables = self._expressions.variables
        self._overflow = self._expressions.overflow
        self._environment = self._expressions.environment
        transfers = [member.transfer for member in self._function.members() if member.transfer]
        self._spans = {id(edge): transfer.span for transfer in transfers for edge in transfer.edges}
        self._redirections: dict[ir.Edge, Redirection] = {}
        self._selectors: dict[ir.Value, str] = {}
        self._advanced: set[tuple[ir.Edge, ir.Parameter]] = set()
        self._numbers: dict[ir.Continuation, int] = {}
        self._lines: dict[type, Callable[[Any], Iterable[Node]]] = {
            s.BasicBlock: self._basic_block,
            s.Pass: self._pass,
            s.CallStatement: self._call_statement,
            s.Leave: self._leave,
            s.If: self._if,
            s.Loop: self._loop,
            s.Select: self._select,
            s.Break: lambda node: ["break"],
            s.Continue: lambda node: ["continue"],
            s.SetTarget: self._set_target,
            s.IfTarget: self._if_target,
        }

    def lines(self, body: s.Block, graph: DispatchGraph) -> Iterator[str]:
        """The lines of the function's body, indented."""
        self._redirections = graph.redirections
        selectors = dict.fromkeys(redirection.selector for redirection in graph.redirections.values())
        self._selectors = {selector: self._new_name("selector") for selector in selectors}
        block: Block = [*self._accesses.data_lists(), *self._block(body)]
        if self._numbers:
            block.insert(0, "target = 0")
        if block[-1:] == ["return"]:
            block.pop()
        return lines_of(block, 1)

    def _block(self, block: s.Block) -> Block:
        return [line for node in block for line in self._lines[type(node)](node)]

    # ---------------------------------------------------------------------------------------------------- compounds

    def _if(self, node: s.If) -> Block:
        condition, opposite = map(self._expressions.condition, (node.condition, negation(node.condition)))
        then, otherwise = self._block(node.then), self._block(node.otherwise)
        if then or otherwise:
            return [If(condition, opposite, then, otherwise) if then else If(opposite, condition, otherwise)]
        return [condition] if any(self._must_evaluate(test.value) for test in tests(node.condition)) else []

    def _loop(self, node: s.Loop) -> Block:
        if node.header is self._recursion:
            return [Loop("for _ in calls()", self._block(node.body), ["deep()"])]
        counted = None if self._accesses.has_lists(node.header) else self._counted_loops.recognised(node)
        if counted:
            self._advanced.update((edge, counted.counter) for edge in counted.back_edges)
        body = self._block(node.body)
        if counted:
            return [Loop(self._range(counted), body[1:])]
        first = body[0] if body else None
        if isinstance(first, If) and first.then == ["break"] and not first.otherwise:
            return [Loop(f"while {first.opposite}", body[1:])]
        return [Loop("while True", body)]

    def _range(self, loop: CountedLoop) -> str:
        counter, end = self._variables.of(loop.counter).name, self._expressions.value(loop.bound)
        if isinstance(loop.bound, ir.Constant):
            end = str(int(loop.bound.value) + loop.beyond)
        elif loop.beyond:
            end += " + 1" if loop.beyond > 0 else " - 1"
        return f"for {counter} in range({counter}, {end}{', -1' if loop.step < 0 else ''})"

    def _select(self, node: s.Select) -> Block:
        """Few arms are selected by one comparison after the other; many by a table of numbers and binary search."""
        bodies = [self._block(arm.body) for arm in node.arms]
        before: Block = []
        if node.value in self._selectors:
            return binary_selection(self._selectors[node.value], bodies)
        value = self._expressions.value(node.value)
        if len(bodies) > MAX_SEQUENTIAL:
            numbers = {case: number for number, arm in enumerate(node.arms[:-1]) for case in arm.cases}
            table = self._environment.named(node, "arms", numbers)
            return [f"chosen = {table}.get({value}, {len(bodies) - 1})", *binary_selection("chosen", bodies)]
        if not value.isidentifier():  # also with one arm: the value may be a call, or trap
            before, value = [f"chosen = {value}"], "chosen"
        choice = bodies[-1]
        for arm, body in reversed([*zip(node.arms[:-1], bodies, strict=False)]):
            choice = [If(*membership_test(value, arm.cases), body or ["pass"], choice)]
        return [*before, *choice]

    # -------------------------------------------------------------------------------------------------------- jumps

    def _set_target(self, node: s.SetTarget) -> Block:
        return [f"target = {self._number(node.target) if node.target else 0}"]

    def _if_target(self, node: s.IfTarget) -> Block:
        body = self._block(node.body)
        if not body:
            return []
        number = self._number(node.target) if node.target else 0
        return [If(f"target == {number}", f"target != {number}", body)]

    def _number(self, target: ir.Continuation) -> int:
        return self._numbers.setdefault(target, len(self._numbers) + 1)

    # ----------------------------------------------------------------------------------------------- basic blocks

    def _basic_block(self, node: s.BasicBlock) -> Iterator[Node]:
        for parameter in node.member.parameters:
            yield from self._accesses.lists_of(parameter)
        for statement in node.member.body:
            if statement in self._text_plan.in_place:
                continue
            if isinstance(statement, ir.Primitive) or not EFFECTS[statement.op].is_on_memory:
                yield from self._operand_checks(statement)
            kept = self._variables.of(statement).name if self._variables.is_stored(statement) else None
            if isinstance(statement, ir.Effect):
                yield from self._effect(statement, kept)
            elif kept or self._must_compute(statement):
                yield from self._computation(statement, kept)
            yield from self._accesses.lists_of(statement)
        transfer = node.member.transfer
        if isinstance(transfer, (ir.Branch, ir.Switch)):
            yield from self._defined(transfer.operands, transfer.span)

    def _computation(self, primitive: ir.Primitive, kept: str | None) -> Iterator[Node]:
        if not kept:
            yield self._expressions.operation(primitive).text
            return
        yield self._expressions.computation(kept, primitive)
        if check := self._expressions.overflow_check(kept, primitive):
            condition, wrapping = check
            yield If(condition, "", [wrapping])

    def _operand_checks(self, statement: ir.Primitive | ir.Effect) -> Iterator[str]:
        """The checks that operands are defined. A divisor of 0 is reported before an undefined dividend."""
        for operand in in_order_of_use(statement.op, statement.operands):
            for line in self._defined([operand], statement.span):
                is_dividend = isinstance(statement, ir.Primitive) and operand is statement.operands[0]
                if is_dividend and isinstance(statement, ir.Primitive) and traps(statement.op, statement.type):
                    yield self._expressions.checked_operation(statement)
                else:
                    yield line

    def _defined(self, values: Iterable[ir.Value], span: Span | None) -> Iterator[str]:
        """Checks that values are defined."""
        for value in values:
            if isinstance(value, ir.Undef) or value in self._maybe_undefined:
                yield f"use({self._expressions.value(value)}, {self._environment.location(span)})"

    def _effect(self, effect: ir.Effect, kept: str | None) -> Iterable[Node]:
        if effect.op == FOREIGN:
            return [self._foreign(effect, kept)]
        if not EFFECTS[effect.op].is_on_memory:
            return [self._output(effect, kept)]
        if kept and (allocation := self._accesses.allocation(effect, kept)):
            return allocation
        unit = self._accesses.unit_of_allocation(effect)
        action = self._environment.created(effect.op, lambda run: run.action(effect, unit))
        text = f"{action}({', '.join(map(self._expressions.value, effect.operands))})"
        accesses = self._accesses
        fast = accesses.store(effect, text) if effect.op == STORE else accesses.load(effect, kept, text)
        return fast or accesses.ending(effect, text) or [f"{kept} = {text}" if kept else text]

    def _foreign(self, effect: ir.Effect, kept: str | None) -> str:
        action = self._environment.created("foreign", lambda run: run.foreign(effect, self._function.name))
        text = f"{action}({', '.join(map(self._expressions.value, effect.operands))})"
        return f"{kept} = {text}" if kept else text

    def _output(self, effect: ir.Effect, kept: str | None) -> str:
        operands = [self._expressions.value(operand) for operand in effect.operands]
        format = effect.operands[0]
        if any(operand.type is ir.PTR for operand in effect.operands):
            action = self._environment.created(effect.op, lambda run: run.action(effect))
            text = f"{action}({', '.join(operands)})"
        elif effect.op == "printf":
            written = None if kept else _python_format(effect)
            if written is not None:
                filled = f" % ({', '.join(operands[1:])}{',' * (len(operands) == 2)})" if len(operands) > 1 else ""
                return f"write({written!r}{filled})"
            text = f"printf({', '.join([self._environment.location(effect.span), *operands])})"
        elif effect.op == "puts" and not kept and isinstance(format, ir.Constant):
            line = before_zero(str(format.value)).encode("latin-1") + b"\n"
            text = f"write({line!r})"
        else:
            text = f"{effect.op}({', '.join(operands)})"
        return f"{kept} = {text}" if kept else text

    def _must_evaluate(self, value: ir.Value) -> bool:
        """Whether the expression for a value contains a call, or may trap."""
        return self._variables.must_evaluate(value, self._must_compute)

    def _must_compute(self, primitive: ir.Primitive) -> bool:
        return self._overflow.may_trap(primitive) or any(map(self._must_evaluate, primitive.operands))

    # ------------------------------------------------------------------------------------------------------ transfers

    def _pass(self, node: s.Pass) -> Iterator[Node]:
        """The parallel copies of an edge."""
        edge = self._original(node.edge)
        target = local_target(edge)
        assert target
        copies: list[Copy[str, ir.Value]] = []
        for parameter, argument in zip(target.parameters, edge.arguments, strict=False):
            if (edge, parameter) in self._advanced:
                continue
            if not self._text_plan.used[parameter]:
                if self._must_evaluate(argument):
                    yield self._expressions.value(argument)
            elif (name := self._variables.of(parameter).name) != self._expressions.value(argument):
                read_values = (read for read in self._variables.read_by(argument) if not isinstance(read, ir.Undef))
                reads = frozenset(self._variables.of(read).name for read in read_values)
                copies.append(Copy(name, argument, reads))
        yield from self._assignments(copies)
        yield from self._selection(node.edge)

    def _assignments(self, copies: list[Copy[str, ir.Value]]) -> Iterator[str]:
        """Assignments in an order that respects the reads; one parallel assignment for the copies in cycles."""
        rest = {copy.target: copy.source for copy in copies}
        try:
            for target, source in sequentialised(copies, _no_temporary):
                yield self._expressions.assignment(target, source)
                del rest[target]
        except _Cycle:
            yield f"{', '.join(rest)} = {', '.join(map(self._expressions.value, rest.values()))}"

    def _original(self, edge: ir.Edge) -> ir.Edge:
        """The edge that an edge to a dispatch block replaces; other edges unchanged."""
        return self._redirections[edge].replaced if edge in self._redirections else edge

    def _selection(self, edge: ir.Edge) -> Iterator[str]:
        """The assignment to the selector, if the edge leads to a dispatch block."""
        if redirection := self._redirections.get(edge):
            yield f"{self._selectors[redirection.selector]} = {redirection.number}"

    def _call_statement(self, node: s.CallStatement) -> Iterator[Node]:
        call = node.call
        target = local_target(self._original(call.then))
        assert target
        if not any(parameter in self._variables.calls for parameter in target.parameters):
            names = [
                self._variables.of(parameter).name if self._text_plan.used[parameter] else "_"
                for parameter in target.parameters
            ]
            text = self._expressions.call(call)
            yield f"{', '.join(names)} = {text}" if set(names) - {"_"} else text
        yield from self._selection(call.then)

    def _leave(self, node: s.Leave) -> Iterator[Node]:
        """A return, or a call of a function that never returns."""
        transfer = node.transfer
        if isinstance(transfer, ir.Call):
            yield from self._left_by_call(transfer)
            return
        edge = transfer.edge
        span = self._spans[id(edge)]
        if isinstance(edge.target, ir.External):
            yield from self._defined(edge.arguments, span)
        values = [self._expressions.value(value) for value in edge.arguments]
        if edge.target is self._function.return_continuation:
            for index, value in enumerate(edge.arguments):
                if isinstance(value, ir.Undef) or value in self._maybe_undefined:
                    values[index] = f"last({values[index]}, {self._environment.location(span)})"
            yield f"return {', '.join(values)}".rstrip()
        else:
            yield f"{self._exit(edge.target)}({', '.join(values)})"

    def _left_by_call(self, call: ir.Call) -> Iterator[Node]:
        target, text = call.then.target, self._expressions.call(call)
        returned = len(call.callee.ret.type.parameters)  # type: ignore[union-attr]
        if target is self._function.return_continuation:
            yield f"return {text}"
        elif returned == 0:
            yield from (text, f"{self._exit(target)}()")
        else:
            yield f"{self._exit(target)}({'*' * (returned > 1)}{text})"

    def _exit(self, target: ir.Target) -> str:
        """The function, or start of a statement, that leaves the function for good."""
        if target is ir.HALT:
            return "exit"
        if target is ir.ABORT:
            return "abort"
        assert isinstance(target, ir.Function)
        return f"return {self._expressions.functions[target.name]}"


_PLAIN = re.compile(r"%(?:l|ll)?[diu]")


def _python_format(effect: ir.Effect) -> bytes | None:
    """The format for Python's ``%``, if all its directives are plain integers; otherwise None."""
    format, *values = effect.operands
    if not isinstance(format, ir.Constant):
        return None
    effects = print_effects(str(format.value))
    taken = [each for each in effects if isinstance(each, PrintValue)]
    if len(taken) != len(values) or not all(_PLAIN.fullmatch(each.directive) for each in taken):
        return None
    if any(each.type is not value.type for each, value in zip(taken, values, strict=True)):
        return None
    percent = "%%" if values else "%"  # without values, Python does not apply the format
    texts = [each.text.replace("%", percent) if isinstance(each, PrintText) else "%d" for each in effects]
    return "".join(texts).encode("latin-1")


class _Cycle(Exception):
    """Some copies form a cycle."""


def _no_temporary(copy: Copy[str, ir.Value]) -> tuple[str, ir.Value]:
    raise _Cycle
