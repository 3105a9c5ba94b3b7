"""Isomorphism of programs: equality up to names and spans.

The parts of two programs are paired, starting with the functions. Paired parts must have equal labels, and their
components are paired in turn. The programs are isomorphic if all labels are equal and no part is in two pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
from cpsconv.operations.table import constant_key, traps

Part = Union[Value, Edge, Transfer]
Pairs = Iterable["tuple[Part, Part]"]


def same_program(first: Program, second: Program) -> bool:
    """Whether the programs are equal up to names, spans, the order of continuations, and the order of statements that
    does not affect execution.

    The order matters for effects, primitives that trap, and unused primitives. Corresponding statements must be in
    corresponding continuations. Functions are compared in order. Constants are equal if their types and values are
    (`0.0` and `-0.0` differ, all NaNs of one sign are equal), `Undef`s if their types and names are.
    """
    if len(first.functions) != len(second.functions):
        return False
    comparison = _Comparison(_Index(first), _Index(second))
    return comparison.matches(zip(first.functions, second.functions, strict=True))


class _Index:
    """The continuation (`home`) of each statement and parameter of a program, and the number of uses of each value."""

    def __init__(self, program: Program) -> None:
        self.home: dict[Value, Continuation] = {}
        self.used: Counter[Value] = Counter()
        for function in program.functions:
            for member in function.members():
                self.home.update(dict.fromkeys([*member.parameters, *member.body], member))
                self.used.update(uses(member))

    def ordered(self, member: Continuation) -> list[Statement]:
        """The statements whose order matters."""
        return [
            statement
            for statement in member.body
            if isinstance(statement, Effect) or traps(statement.op, statement.type) or not self.used[statement]
        ]


class _Comparison:
    """The comparison of two programs. `partner` maps the paired parts in both directions."""

    def __init__(self, first: _Index, second: _Index) -> None:
        self.first = first
        self.second = second
        self.partner: tuple[dict[Part, Part], dict[Part, Part]] = ({}, {})

    def matches(self, pairs: Pairs) -> bool:
        """Whether `pairs`, and the pairs that they imply, are consistent."""
        pending = list(pairs)
        forward, backward = self.partner
        while pending:
            left, right = pending.pop()
            if left in forward or right in backward:
                if forward.get(left) is not right or backward.get(right) is not left:
                    return False
                continue
            implied = self._implied(left, right)
            if implied is None:
                return False
            if not isinstance(left, (Constant, Undef, External)):  # compared by value, not by identity
                forward[left] = right
                backward[right] = left
            pending += implied
        return True

    def _implied(self, left: Part, right: Part) -> list[tuple[Part, Part]] | None:
        """The pairs of components of two parts; None if the parts themselves differ."""
        if _label(left) != _label(right):
            return None
        lefts = list(self._components(self.first, left))
        rights = list(self._components(self.second, right))
        return list(zip(lefts, rights, strict=True)) if len(lefts) == len(rights) else None

    def _components(self, index: _Index, part: Part) -> Iterator[Part]:
        if isinstance(part, (Primitive, Effect)):
            yield index.home[part]
            yield from part.operands
        elif isinstance(part, Parameter):
            yield index.home[part]
        elif isinstance(part, Continuation):
            yield from part.parameters
            yield from index.ordered(part)
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
    """The properties of a part that must be equal in paired parts, besides the components."""
    kind = type(part)
    if isinstance(part, Constant):
        return kind, *constant_key(part)
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
