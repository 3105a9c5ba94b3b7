"""Isomorphism of programs: equality up to names and spans.

The parts of two programs are paired, starting with the functions. Paired parts must have equal labels, and their
components are paired in turn. The programs are isomorphic if all labels are equal and no part is in two pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Union

from cpsconv.core import ir
from cpsconv.core.analysis.graph import uses
from cpsconv.core.json.writer import static_as_json
from cpsconv.core.nodes import replace
from cpsconv.core.operations.table import constant_key, traps
from cpsconv.core.text.items import item_text
from cpsconv.core.text.layout import on_one_line

Part = Union[ir.Value, ir.Edge, ir.Transfer]


def same_program(first: ir.Program, second: ir.Program) -> bool:
    """Whether the programs are equal up to names, spans, the order of continuations, and the order of statements that
    does not affect execution.

    The order matters for effects, primitives that trap, and unused primitives. Corresponding statements must be in
    corresponding continuations. Functions are compared in order. Constants are equal if their types and values are
    (`0.0` and `-0.0` differ, all NaNs of one sign are equal), `Undef`s if their types and names are.
    """
    if len(first.functions) != len(second.functions):
        return False
    if _items(first) != _items(second):
        return False
    return _matches(_Index(first), _Index(second))


def _items(program: ir.Program) -> list[tuple[str, dict[int, tuple[int | str, int]]]]:
    """The text of each item, and the addresses in it: a function of the program is known by its position."""
    position = {id(function): number for number, function in enumerate(program.functions)}
    described = []
    for item in program.items:
        addresses = {}
        if isinstance(item, ir.Data):
            for offset, (target, distance) in item.addresses.items():
                addresses[offset] = position.get(id(target), target.name), distance
            item = replace(item, addresses={})
        described.append((on_one_line(item_text(item, str)), addresses))
    return described


class _Index:
    """The continuation (`home`) of each statement and parameter of a program, and the number of uses of each value."""

    def __init__(self, program: ir.Program) -> None:
        self.functions = program.functions
        self.home: dict[ir.Value, ir.Continuation] = {}
        self.used: Counter[ir.Value] = Counter()
        for function in (*program.functions, *program.externals):
            for member in function.members():
                self.home.update(dict.fromkeys([*member.parameters, *member.body], member))
                self.used.update(uses(member))

    def ordered(self, member: ir.Continuation) -> list[ir.Statement]:
        """The statements whose order matters."""
        return [
            statement
            for statement in member.body
            if isinstance(statement, ir.Effect) or traps(statement.op, statement.type) or not self.used[statement]
        ]

    def description(self, part: Part) -> tuple[tuple[object, ...], Sequence[Part]]:
        """The label of a part, which must be equal in paired parts, and its components, which are then paired."""
        match part:
            case ir.Constant():
                return constant_key(part), ()
            case ir.Undef():
                return (part.type, part.name), ()
            case ir.External() | ir.Data():
                return (part.name,), ()
            case ir.Primitive() | ir.Effect():
                return (part.op, part.type, static_as_json(part.of)), [self.home[part], *part.operands]
            case ir.Parameter():
                return (part.type,), [self.home[part]]
            case ir.Continuation():
                local = len(part.continuations) if isinstance(part, ir.Function) else 0
                transfer = [part.transfer] if part.transfer else []
                return (len(part.body), local), [*part.parameters, *self.ordered(part), *transfer]
            case ir.Edge():
                return (), [part.target, *part.arguments]
            case ir.Call(pointer=None):
                return (), [part.callee, *part.arguments, part.then]
            case ir.Call():
                return (part.callee.type,), [*part.operands, part.then]
            case _:
                return (tuple(part.cases) if isinstance(part, ir.Switch) else ()), [*part.operands, *part.edges]


def _matches(first: _Index, second: _Index) -> bool:
    """Whether the functions of two programs, and the pairs that they imply, are consistent."""
    forward: dict[Part, Part] = {}
    backward: dict[Part, Part] = {}
    pending: list[tuple[Part, Part]] = [*zip(first.functions, second.functions, strict=True)]
    while pending:
        left, right = pending.pop()
        if left in forward or right in backward:
            if forward.get(left) is not right or backward.get(right) is not left:
                return False
            continue
        (label, lefts), (other, rights) = first.description(left), second.description(right)
        if type(left) is not type(right) or label != other or len(lefts) != len(rights):
            return False
        if not isinstance(left, (ir.Constant, ir.Undef, ir.External, ir.Data)):  # compared by value, not by identity
            forward[left] = right
            backward[right] = left
        pending += zip(lefts, rights, strict=True)
    return True
