"""From the structured form of a function to lines of Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from cpsconv.analysis.undefined import Place
from cpsconv.engines.python.counting import Count, Counting
from cpsconv.engines.python.expressions import Expressions, Outside
from cpsconv.engines.python.overflow import Care
from cpsconv.ir import (
    ABORT,
    HALT,
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    Effect,
    External,
    Function,
    Parameter,
    Primitive,
    Switch,
    Target,
    Undef,
    Value,
)
from cpsconv.operations.formats import PrintText, PrintValue, c_string, print_effects
from cpsconv.operations.table import in_order_of_use
from cpsconv.operations.types import is_integer
from cpsconv.source import Span
from cpsconv.structuring import tree as s
from cpsconv.structuring.decisions import Condition, local_target, negation, tests
from cpsconv.structuring.irreducible import RoutedWays
from cpsconv.structuring.parallel_copies import Copy, in_order
from cpsconv.structuring.variables import Variables
from cpsconv.text.plan import TextPlan

_MARGIN = "    "
_FEW = 3  # arms that are told apart one after the other


@dataclass(eq=False, slots=True)
class If:
    """``if condition: then else: otherwise``; `opposite` is the text of the condition negated."""

    condition: str
    opposite: str
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Loop:
    """``while condition: body``, or ``for i in range(…): body``, with all up to the colon in `head`."""

    head: str
    body: Block


Node = Union[str, If, Loop]
Block = list[Node]
"""Statements of Python; those without others within are their text."""


class Statements:
    """Writes the statements of one function. (They are not nested deeply, so there may be recursion over them.)"""

    def __init__(
        self,
        function: Function,
        text_plan: TextPlan,
        variables: Variables,
        expressions: Expressions,
        uncertain: Collection[Place],
        care: Care,
        counting: Counting,
        outside: Outside,
        new_name: Callable[[str], str],
    ) -> None:
        self._function = function
        self._text_plan = text_plan
        self._variables = variables
        self._expressions = expressions
        self._uncertain = uncertain
        self._care = care
        self._counting = counting
        self._outside = outside
        self._new_name = new_name
        self._spans = {id(edge): member.transfer.span for member, edge in _edges(function) if member.transfer}
        self._routed: dict[Edge, tuple[Edge, Parameter, int]] = {}
        self._hubs: dict[Value, str] = {}
        self._advanced: set[tuple[Edge, Parameter]] = set()
        self._numbers: dict[Continuation, int] = {}
        self._lines: dict[type, Callable[[Any], Iterable[Node]]] = {
            s.Run: self._run,
            s.Pass: self._pass,
            s.CallOn: self._call_on,
            s.Leave: self._leave,
            s.If: self._if,
            s.Loop: self._loop,
            s.Select: self._select,
            s.Break: lambda node: ["break"],
            s.Continue: lambda node: ["continue"],
            s.BindFor: self._bind_for,
            s.WhenBound: self._when_bound,
        }

    def lines(self, body: s.Block, ways: RoutedWays) -> Iterator[str]:
        """The body of the function, with a margin."""
        self._routed = ways.routed
        self._hubs = {at: self._new_name("at") for at in dict.fromkeys(at for _, at, _ in ways.routed.values())}
        block = self._block(body)
        if self._numbers:
            block.insert(0, "to = 0")
        if block[-1:] == ["return"]:
            block.pop()
        return _laid_out(block, 1)

    def _block(self, block: s.Block) -> Block:
        return [line for node in block for line in self._lines[type(node)](node)]

    # ---------------------------------------------------------------------------------------------------- compounds

    def _if(self, node: s.If) -> Block:
        condition, opposite = self._conditions(node.condition)
        then, otherwise = self._block(node.then), self._block(node.otherwise)
        if then or otherwise:
            return [If(condition, opposite, then, otherwise) if then else If(opposite, condition, otherwise)]
        return [condition] if any(self._must_happen(test.value) for test in tests(node.condition)) else []

    def _conditions(self, condition: Condition) -> tuple[str, str]:
        return self._expressions.condition(condition), self._expressions.condition(negation(condition))

    def _loop(self, node: s.Loop) -> Block:
        count = self._counting.count(node)
        if count:
            self._advanced.update((edge, count.counter) for edge in count.advancing)
        body = self._block(node.body)
        if count:
            return [Loop(self._counted(count), body[1:])]
        first = body[0] if body else None
        if isinstance(first, If) and first.then == ["break"] and not first.otherwise:
            return [Loop(f"while {first.opposite}", body[1:])]
        return [Loop("while True", body)]

    def _counted(self, count: Count) -> str:
        counter, end = self._variables.of(count.counter).name, self._expressions.value(count.bound)
        if isinstance(count.bound, Constant):
            end = str(int(count.bound.value) + count.beyond)
        elif count.beyond:
            end += " + 1" if count.beyond > 0 else " - 1"
        return f"for {counter} in range({counter}, {end}{', -1' if count.step < 0 else ''})"

    def _select(self, node: s.Select) -> Block:
        """A few arms are told apart one after the other; of many, the number is looked up, and then halved."""
        bodies = [self._block(arm.body) for arm in node.arms]
        before: Block = []
        if node.value in self._hubs:
            return _halved(self._hubs[node.value], bodies)
        value = self._expressions.value(node.value)
        if len(bodies) > _FEW:
            numbers = {case: number for number, arm in enumerate(node.arms[:-1]) for case in arm.cases}
            table = self._outside.named(node, "arms", numbers)
            return [f"chosen = {table}.get({value}, {len(bodies) - 1})", *_halved("chosen", bodies)]
        if len(bodies) > 1 and not value.isidentifier():
            before, value = [f"chosen = {value}"], "chosen"
        choice = bodies[-1]
        for arm, body in reversed([*zip(node.arms[:-1], bodies, strict=False)]):
            choice = [If(*_is_one_of(value, arm.cases), body or ["pass"], choice)]
        return [*before, *choice]

    # -------------------------------------------------------------------------------------------------------- jumps

    def _bind_for(self, node: s.BindFor) -> Block:
        return [f"to = {self._number(node.target) if node.target else 0}"]

    def _when_bound(self, node: s.WhenBound) -> Block:
        body = self._block(node.body)
        if not body:
            return []
        number = self._number(node.target) if node.target else 0
        return [If(f"to == {number}", f"to != {number}", body)]

    def _number(self, target: Continuation) -> int:
        return self._numbers.setdefault(target, len(self._numbers) + 1)

    # -------------------------------------------------------------------------------------------------- what is done

    def _run(self, node: s.Run) -> Iterator[Node]:
        for statement in node.member.body:
            if statement in self._text_plan.in_place:
                continue
            yield from self._uses(statement)
            kept = self._variables.of(statement).name if self._variables.is_kept(statement) else None
            if isinstance(statement, Effect):
                yield self._effect(statement, kept)
            elif kept or self._computation_must_happen(statement):
                yield from self._computation(statement, kept)
        transfer = node.member.transfer
        if isinstance(transfer, (Branch, Switch)):
            yield from self._used(transfer.operands, transfer.span)

    def _computation(self, primitive: Primitive, kept: str | None) -> Iterator[Node]:
        if not kept:
            yield self._expressions.operation(primitive).text
            return
        yield self._expressions.computation(kept, primitive)
        if look := self._expressions.look(kept, primitive):
            condition, wrapping = look
            yield If(condition, "", [wrapping])

    def _uses(self, statement: Primitive | Effect) -> Iterator[str]:
        """Fails where an operand is undefined. That a divisor is 0 is found out before the dividend is looked at."""
        for operand in in_order_of_use(statement.op, statement.operands):
            for line in self._used([operand], statement.span):
                is_dividend = statement.op in ("/", "%") and operand is statement.operands[0]
                if is_dividend and isinstance(statement, Primitive) and is_integer(statement.type):
                    yield self._expressions.division(statement)
                else:
                    yield line

    def _used(self, values: Iterable[Value], span: Span | None) -> Iterator[str]:
        """Fails where a value that is used is undefined."""
        for value in values:
            if isinstance(value, Undef) or value in self._uncertain:
                yield f"use({self._expressions.value(value)}, {self._outside.place(span)})"

    def _effect(self, effect: Effect, kept: str | None) -> str:
        format = effect.operands[0]
        operands = [self._expressions.value(operand) for operand in effect.operands]
        if effect.op == "printf":
            written = None if kept else _written(effect)
            if written is not None:
                filled = f" % ({', '.join(operands[1:])}{',' * (len(operands) == 2)})" if len(operands) > 1 else ""
                return f"write({written!r}{filled})"
            text = f"printf({', '.join([self._outside.place(effect.span), *operands])})"
        elif effect.op == "puts" and not kept and isinstance(format, Constant):
            text = f"write({_bytes(str(format.value)) + _LINE_END!r})"
        else:
            text = f"{effect.op}({operands[0]})"
        return f"{kept} = {text}" if kept else text

    def _must_happen(self, value: Value) -> bool:
        """Whether the expression for a value calls something, or may trap."""
        return self._variables.must_happen(value, self._computation_must_happen)

    def _computation_must_happen(self, primitive: Primitive) -> bool:
        return self._care.may_trap(primitive) or any(map(self._must_happen, primitive.operands))

    # ----------------------------------------------------------------------------------------------- what is passed

    def _pass(self, node: s.Pass) -> Iterator[Node]:
        """All copies of an edge at once. (The one that a function begins with may have none, for nothing moves.)"""
        edge = self._real(node.edge)
        target = local_target(edge)
        assert target
        copies: list[Copy[str, Value]] = []
        for parameter, argument in zip(target.parameters, edge.arguments, strict=False):
            if (edge, parameter) in self._advanced:
                continue
            if not self._text_plan.used[parameter]:
                if self._must_happen(argument):
                    yield self._expressions.value(argument)
            elif (name := self._variables.of(parameter).name) != self._expressions.value(argument):
                reads = frozenset(self._variables.of(read).name for read in self._read_by(argument))
                copies.append(Copy(name, argument, reads))
        yield from self._at_once(copies)
        yield from self._at_number(node.edge)

    def _at_once(self, copies: list[Copy[str, Value]]) -> Iterator[str]:
        """One after the other, as long as one is not in the way of another; the rest in one assignment."""
        rest = {copy.target: copy.source for copy in copies}
        try:
            for target, source in in_order(copies, _no_temporary):
                yield self._expressions.assignment(target, source)
                del rest[target]
        except _InTheWay:
            yield f"{', '.join(rest)} = {', '.join(map(self._expressions.value, rest.values()))}"

    def _read_by(self, value: Value) -> Iterator[Value]:
        return (read for read in self._variables.read_by(value) if not isinstance(read, Undef))

    def _real(self, edge: Edge) -> Edge:
        """The edge that one to a hub stands for."""
        return self._routed[edge][0] if edge in self._routed else edge

    def _at_number(self, edge: Edge) -> Iterator[str]:
        """Where the hub is to go on, if the edge leads to one."""
        if edge in self._routed:
            _, at, number = self._routed[edge]
            yield f"{self._hubs[at]} = {number}"

    def _call_on(self, node: s.CallOn) -> Iterator[Node]:
        call = node.call
        target = local_target(self._real(call.then))
        assert target
        if not any(parameter in self._variables.calls for parameter in target.parameters):
            names = [
                self._variables.of(parameter).name if self._text_plan.used[parameter] else "_"
                for parameter in target.parameters
            ]
            text = self._expressions.call(call)
            yield f"{', '.join(names)} = {text}" if set(names) - {"_"} else text
        yield from self._at_number(call.then)

    def _leave(self, node: s.Leave) -> Iterator[Node]:
        """The function is left: it returns, or goes to what never returns."""
        transfer = node.transfer
        if isinstance(transfer, Call):
            yield from self._left_by_call(transfer)
            return
        edge = transfer.edge
        span = self._spans[id(edge)]
        if isinstance(edge.target, External):
            yield from self._used(edge.arguments, span)
        values = [self._expressions.value(value) for value in edge.arguments]
        if edge.target is self._function.return_continuation:
            values = [
                f"last({text}, {self._outside.place(span)})"
                if isinstance(value, Undef) or value in self._uncertain
                else text
                for text, value in zip(values, edge.arguments, strict=True)
            ]
            yield " ".join(["return", ", ".join(values)]).rstrip()
        else:
            yield f"{self._outer(edge.target)}({', '.join(values)})"

    def _left_by_call(self, call: Call) -> Iterator[Node]:
        target, text = call.then.target, self._expressions.call(call)
        returned = len(call.callee.ret.type.parameters)  # type: ignore[union-attr]
        if target is self._function.return_continuation:
            yield f"return {text}"
        elif returned == 0:
            yield from (text, f"{self._outer(target)}()")
        else:
            yield f"{self._outer(target)}({'*' * (returned > 1)}{text})"

    def _outer(self, target: Target) -> str:
        """What is called to leave the function for good."""
        if target is HALT:
            return "exit"
        if target is ABORT:
            return "abort"
        assert isinstance(target, Function)
        return f"return {self._expressions.functions[target.name]}"


def _edges(function: Function) -> Iterator[tuple[Continuation, Edge]]:
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            yield member, edge


_LINE_END = b"\n"


def _bytes(text: str) -> bytes:
    return c_string(text).encode("latin-1")


_PLAIN = re.compile(r"%(?:l|ll)?[diu]")


def _written(effect: Effect) -> bytes | None:
    """The format as Python takes it, if it shows nothing but integers as they are."""
    format, *values = effect.operands
    if not isinstance(format, Constant):
        return None
    effects = print_effects(str(format.value))
    taken = [each for each in effects if isinstance(each, PrintValue)]
    if len(taken) != len(values) or not all(_PLAIN.fullmatch(each.directive) for each in taken):
        return None
    if any(each.type is not value.type for each, value in zip(taken, values, strict=True)):
        return None
    percent = "%%" if values else "%"  # Python fills in a format only where there are values
    texts = [each.text.replace("%", percent) if isinstance(each, PrintText) else "%d" for each in effects]
    return "".join(texts).encode("latin-1")


class _InTheWay(Exception):
    """Some copies can only be made at once."""


def _no_temporary(copy: Copy[str, Value]) -> tuple[str, Value]:
    raise _InTheWay


def _is_one_of(value: str, cases: Sequence[int]) -> tuple[str, str]:
    if len(cases) == 1:
        return f"{value} == {cases[0]}", f"{value} != {cases[0]}"
    listed = ", ".join(map(str, cases))
    return f"{value} in ({listed})", f"{value} not in ({listed})"


def _halved(value: str, bodies: list[Block], first: int = 0) -> Block:
    """The one of the bodies that has the number `value`, when the first has the number `first`."""
    if len(bodies) == 1:
        return bodies[0]
    half = len(bodies) // 2
    then, otherwise = _halved(value, bodies[:half], first), _halved(value, bodies[half:], first + half)
    return [If(f"{value} < {first + half}", f"{value} >= {first + half}", then or ["pass"], otherwise)]


def _laid_out(block: Block, depth: int) -> Iterator[str]:
    margin = _MARGIN * depth
    if not block:
        yield f"{margin}pass"
    for node in block:
        if isinstance(node, str):
            yield f"{margin}{node}"
        elif isinstance(node, Loop):
            yield f"{margin}{node.head}:"
            yield from _laid_out(node.body, depth + 1)
        else:
            word = "if"
            while len(node.otherwise) == 1 and isinstance(node.otherwise[0], If):
                yield f"{margin}{word} {node.condition}:"
                yield from _laid_out(node.then, depth + 1)
                word, node = "elif", node.otherwise[0]
            yield f"{margin}{word} {node.condition}:"
            yield from _laid_out(node.then, depth + 1)
            if node.otherwise:
                yield f"{margin}else:"
                yield from _laid_out(node.otherwise, depth + 1)
