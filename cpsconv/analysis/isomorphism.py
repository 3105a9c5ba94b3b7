"""Whether two programs are the same but for what they are called and where they stand.

The parts of the programs are paired, from the functions inwards; whatever is paired must look alike, which demands
further pairs. The programs are the same if no pair clashes and no part is paired twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import copysign
from typing import Union

from cpsconv.analysis.graph import uses
from cpsconv.ir import (
    Call,
    Constant,
    Continuation,
    Edge,
    Effect,
    External,
    Function,
    Parameter,
    Primitive,
    Program,
    Statement,
    Switch,
    Target,
    Transfer,
    Undef,
    Value,
)
from cpsconv.operations.table import traps

Part = Union[Value, Edge, Transfer]
Pairs = Iterable["tuple[Part, Part]"]


def same_program(first: Program, second: Program) -> bool:
    """Whether the programs are equal up to names, spans, the order of each function's continuations, and the order of
    statements that cannot be told apart by running them.

    Statements of which the order counts are effects, primitives that trap, and primitives that nothing uses; and each
    statement must stand in the same continuation. Functions are compared in order. Constants are equal if type and
    value are (`0.0` and `-0.0` differ, all NaNs of a sign are one), `Undef`s if type and name are.
    """
    if len(first.functions) != len(second.functions):
        return False
    comparison = _Comparison(_Facts(first), _Facts(second))
    return comparison.pairs_up(zip(first.functions, second.functions, strict=True))


class _Facts:
    """What a program's parts do not tell by themselves: where a statement or parameter stands, and what is used."""

    def __init__(self, program: Program) -> None:
        self.home: dict[Value, Continuation] = {}
        self.used: Counter[Value] = Counter()
        for function in program.functions:
            for member in function.members():
                self.home.update(dict.fromkeys([*member.parameters, *member.body], member))
                self.used.update(uses(member))

    def ordered(self, member: Continuation) -> list[Statement]:
        """The statements whose order counts."""
        return [
            statement
            for statement in member.body
            if isinstance(statement, Effect) or traps(statement.op, statement.type) or not self.used[statement]
        ]


class _Comparison:
    """Pairs of parts: `partner` has the pairs found, both ways; `pending` those not yet looked into."""

    def __init__(self, first: _Facts, second: _Facts) -> None:
        self.first = first
        self.second = second
        self.partner: tuple[dict[Part, Part], dict[Part, Part]] = ({}, {})

    def pairs_up(self, pairs: Pairs) -> bool:
        """Whether `pairs` and all that follows from them hold."""
        pending = list(pairs)
        forward, backward = self.partner
        while pending:
            left, right = pending.pop()
            if left in forward or right in backward:
                if forward.get(left) is not right or backward.get(right) is not left:
                    return False
                continue
            demanded = self._demands(left, right)
            if demanded is None:
                return False
            if not isinstance(left, (Constant, Undef, External)):  # these are equal by value, not by identity
                forward[left] = right
                backward[right] = left
            pending += demanded
        return True

    def _demands(self, left: Part, right: Part) -> list[tuple[Part, Part]] | None:
        """The pairs of components that make the parts alike; `None` if they differ whatever these are."""
        if _label(left) != _label(right):
            return None
        lefts = list(self._components(self.first, left))
        rights = list(self._components(self.second, right))
        return list(zip(lefts, rights, strict=True)) if len(lefts) == len(rights) else None

    def _components(self, facts: _Facts, part: Part) -> Iterator[Part]:
        if isinstance(part, (Primitive, Effect)):
            yield facts.home[part]
            yield from part.operands
        elif isinstance(part, Parameter):
            yield facts.home[part]
        elif isinstance(part, Continuation):
            yield from part.parameters
            yield from facts.ordered(part)
            if part.transfer:
                yield part.transfer
        elif isinstance(part, Edge):
            yield part.target
            yield from part.arguments
        elif not isinstance(part, (Constant, Undef, External)):
            yield from _transfer_components(part)


def _transfer_components(transfer: Transfer) -> Iterator[Value | Target | Edge]:
    if isinstance(transfer, Call):
        yield transfer.callee
    yield from transfer.operands
    yield from transfer.edges


def _label(part: Part) -> tuple[object, ...]:
    """What must be equal in two parts for them to be alike, apart from their components."""
    kind = type(part)
    if isinstance(part, Constant):
        return kind, part.type, repr(part.value), isinstance(part.value, float) and copysign(1, part.value)
    if isinstance(part, Undef):
        return kind, part.type, part.name
    if isinstance(part, External):
        return kind, part.name
    if isinstance(part, (Primitive, Effect)):
        return kind, part.op, part.type
    if isinstance(part, Function):
        return kind, len(part.parameters), len(part.body), len(part.continuations)
    if isinstance(part, Continuation):
        return kind, len(part.parameters), len(part.body)
    if isinstance(part, Switch):
        return kind, tuple(part.cases)
    if isinstance(part, Call):
        return kind, len(part.arguments)
    if isinstance(part, Parameter):
        return kind, part.type
    return (kind,)
