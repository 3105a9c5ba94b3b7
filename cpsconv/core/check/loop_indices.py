"""Warnings about loops that count beyond an array: ``for (i = 0; i <= 10; i++) a[i] = 0;`` with ten elements.

In a *counting loop*, the header compares a parameter, the counter, with a constant and has the only exit; the counter
starts with a constant, and each round adds the same constant. An access in each round, which precedes the end of the
round on every path, uses all numbers that the counter counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.flow import ParameterEdges, parameter_edges
from cpsconv.core.analysis.graph import depth_first, incoming, local_target
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.intervals import has_interval, type_interval
from cpsconv.core.operations.table import ALLOCATE, CONVERT, ELEMENT, FIELD, OPERATIONS
from cpsconv.core.operations.types import wrap
from cpsconv.core.source import Diagnostic, Note, Span, warning

_MAX_DEPTH = 4  # of the computation of an index


class _Loop(metaclass=NodeType):
    """A counting loop: its header, the numbers in the counter, the ends of a round, and the span of the condition."""

    header: ir.Continuation
    numbers: range
    ends: list[ir.Continuation]
    span: Span | None


def index_warnings(function: ir.Function) -> Iterator[Diagnostic]:
    """A warning for each access to an array of known length with an index that a counting loop makes too large."""
    accesses = [
        (member, each, counter, length)
        for member in function.members()
        for each in member.body
        if each.op == ELEMENT and (counter := _counter(each.operands[1])) and (length := _length(each))
    ]
    if not accesses:
        return
    loops = _Loops(function)
    reported = set()
    for member, access, counter, length in accesses:
        loop, array = loops.of(counter), access.operands[0]
        if not loop or member is loop.header or not all(loops.tree.dominates(member, end) for end in loop.ends):
            continue
        ends = loop.numbers[0], loop.numbers[-1]
        indices = [_number(access.operands[1], counter, number, wraps=True) for number in ends]
        wrong = [index for index in indices if not 0 <= index < length]
        if wrong and (loop, array) not in reported:
            reported.add((loop, array))
            message = f"the loop reaches the index {wrong[0]} of an array of {length} elements"
            notes: list[Note] = [("its condition", loop.span)]
            yield warning(message, access.span, notes=notes, rule="aggressive-loop-optimizations")


def _length(access: ir.Statement) -> int:
    """The number of elements of the array whose start is the operand of an `element`, or 0 if it is unknown.

    An array at the end of a struct may have more elements. For elements without a size, the number is unknown, too.
    """
    array = access.operands[0]
    size = 0
    if isinstance(array, ir.Data):
        size = array.object_type.size
    elif isinstance(array, ir.Effect) and array.op == ALLOCATE:
        size = (_constant(array.operands[0]) or 0) * ir.object_type_of(array).size if array.operands else 0
    elif isinstance(array, ir.Primitive) and array.op == FIELD and isinstance(field := array.of, ir.Field):
        size = field.type.size if field.offset + field.type.size < field.struct.size else 0
    return size // (ir.object_type_of(access).size or size + 1)


def _counter(index: ir.Value) -> ir.Parameter | None:
    """The parameter of which the index is a sum, difference or conversion with constants."""
    for _ in range(_MAX_DEPTH):
        if isinstance(index, ir.Parameter):
            return index if has_interval(index.type) else None
        if not isinstance(index, ir.Primitive) or index.op not in ("+", "-", CONVERT):
            return None
        index, *rest = index.operands
        if not all(isinstance(each, ir.Constant) for each in rest):
            return None
    return None


def _number(value: ir.Value, counter: ir.Parameter, number: int, *, wraps: bool = False) -> int:
    """The value for a number in its counter; exact, unless it `wraps`."""
    if value is counter:
        return number
    assert isinstance(value, ir.Primitive) and isinstance(value.type, ir.Scalar)
    first = _number(value.operands[0], counter, number, wraps=wraps)
    step = sum(int(each.value) for each in value.operands[1:] if isinstance(each, ir.Constant))
    exact = first - step if value.op == "-" else first + step
    return wrap(value.type, exact) if wraps else exact


class _Loops:
    """The counting loops of a function."""

    def __init__(self, function: ir.Function) -> None:
        self.tree = DominatorTree(function)
        self._edges: ParameterEdges = parameter_edges(function)
        self._incoming = incoming(function)
        self._known: dict[ir.Parameter, _Loop | None] = {}

    def of(self, counter: ir.Parameter) -> _Loop | None:
        """The loop of the counter, if there is one."""
        if counter not in self._known:
            self._known[counter] = self._found(counter)
        return self._known[counter]

    def _found(self, counter: ir.Parameter) -> _Loop | None:
        index, edges = self._edges.get(counter, (0, []))
        header = edges[0][1].target if edges else None
        if not isinstance(header, ir.Continuation) or not isinstance(branch := header.transfer, ir.Branch):
            return None
        ends = [sender for sender, _ in edges if self.tree.dominates(header, sender)]
        starts = {_constant(edge.arguments[index]) for sender, edge in edges if sender not in ends}
        steps = {_step(edge.arguments[index], counter) for sender, edge in edges if sender in ends}
        start, step = (each.pop() if len(each) == 1 else None for each in (starts, steps))
        body = [edge for edge in branch.edges if ends and self._leads_to(edge, ends)]
        if start is None or not step or len(body) != 1 or not self._has_one_exit(header, ends):
            return None
        numbers = _numbers(branch.condition, counter, start, step, is_negated=body[0] is not branch.then)
        return _Loop(header, numbers, ends, branch.span) if numbers else None

    def _leads_to(self, edge: ir.Edge, ends: list[ir.Continuation]) -> bool:
        target = local_target(edge)
        return target is not None and all(self.tree.dominates(target, end) for end in ends)

    def _has_one_exit(self, header: ir.Continuation, ends: list[ir.Continuation]) -> bool:
        """Whether each continuation of the loop, but the header, only leads to others."""

        def before(member: ir.Continuation) -> list[ir.Continuation]:
            return [] if member is header else [sender for sender, _ in self._incoming[member]]

        members = {member for member, _ in depth_first(ends, before)} | {header}
        return all(
            isinstance(edge.target, ir.Continuation) and edge.target in members
            for member in members - {header}
            for edge in (member.transfer.edges if member.transfer else ())
        )


def _constant(value: ir.Value) -> int | None:
    return int(value.value) if isinstance(value, ir.Constant) else None


def _step(value: ir.Value, counter: ir.Parameter) -> int | None:
    """The constant that the value adds to the counter."""
    return _number(value, counter, 0) if _counter(value) is counter else None


def _numbers(condition: ir.Value, counter: ir.Parameter, start: int, step: int, *, is_negated: bool) -> range | None:
    """The numbers from `start` on for which the condition, or its negation, is true, if it compares with a constant."""
    if not isinstance(condition, ir.Primitive) or OPERATIONS[condition.op].kind != "comparison":
        return None
    op = (OPERATIONS[condition.op].negation if is_negated else condition.op) or ""
    left, right = condition.operands
    if isinstance(left, ir.Constant):
        op, left, right = OPERATIONS[op].mirror or op, right, left
    limit = _constant(right)
    if limit is None or _counter(left) is not counter:
        return None
    limit -= _number(left, counter, 0)
    if op == "!=" and (limit - start) % step:
        return None
    forward = {"<": limit, "<=": limit + 1, "!=": limit}
    backward = {">": limit, ">=": limit - 1, "!=": limit}
    end = (forward if step > 0 else backward).get(op)
    numbers = range(start, start if end is None else end, step)
    low, high = type_interval(counter.type)
    if not numbers or not low <= numbers[-1] + step <= high:
        return None
    ends = numbers[0], numbers[-1] + step
    is_exact = all(_number(left, counter, each) == _number(left, counter, each, wraps=True) for each in ends)
    return numbers if is_exact else None
