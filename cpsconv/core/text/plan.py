"""The plan of a function's text: names, values written *in place*, nesting.

A value is written in place inside the expression or transfer that uses it, instead of ``v := …;``. The text is
evaluated in its order, operands from left to right before their user. Therefore each body is planned backwards: first
its transfer, then, from right to left, the operands that can be written in place, then the last remaining statement
with its operands, and so on. Effects and primitives that trap divide a body into *segments*. A value may be written in
place if it stays in its segment: only primitives that cannot trap are reordered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Union

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import count_uses, local_target
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import FOREIGN_VALUE, memory_of, traps
from cpsconv.core.text.spelling import quote_name, sanitized_name, unquote_name

MAX_DEPTH = 16
"""The maximal nesting of operators in one statement; deeper values are bound to names."""


def inlined_primitives(
    function: ir.Function, used: Counter[ir.Value], bound: Collection[ir.Value] = ()
) -> set[ir.Primitive]:
    """The primitives of `function`, other than `bound`, that its text writes in place; `used` counts the uses."""
    plans = (_BodyPlan(member, used, bound) for member in function.members() if member.body)
    return {value for plan in plans for value in plan.inlined()}


class _BodyPlan:
    """Plans one body backwards, by removing statements from the ends of their segments."""

    def __init__(self, member: ir.Continuation, used: Counter[ir.Value], bound: Collection[ir.Value]) -> None:
        self.member = member
        self.used = used
        self.bound = bound
        self.segment: dict[ir.Value, int] = {}
        self.ordered = {statement for statement in member.body if _is_ordered(statement)}  # each ends its segment
        self.sizes = [0]  # the number of unplanned statements in each segment
        for statement in member.body:
            self.segment[statement] = len(self.sizes) - 1
            self.sizes[-1] += 1
            if statement in self.ordered:
                self.sizes.append(0)

    def inlined(self) -> set[ir.Primitive]:
        found: set[ir.Primitive] = set()
        self._plan(_immediate_operands(self.member.transfer), found)
        for statement in reversed(self.member.body):
            if statement not in found:
                self._take(statement)
                self._plan(statement.operands, found)
        return found

    def _plan(self, operands: Sequence[ir.Value], found: set[ir.Primitive]) -> None:
        pending = [(operand, 1) for operand in operands if isinstance(operand, ir.Primitive)]
        while pending:
            value, depth = pending.pop()
            if depth <= MAX_DEPTH and self._fits(value):
                self._take(value)
                found.add(value)
                pending += [(operand, depth + 1) for operand in value.operands if isinstance(operand, ir.Primitive)]

    def _fits(self, value: ir.Primitive) -> bool:
        """Whether `value` can be in place, has no other use, and stays in its segment if it is planned next."""
        if self.used[value] != 1 or value in self.bound or value.attributes or value.op == FOREIGN_VALUE:
            return False
        last = len(self.sizes) - 1
        if value in self.ordered:  # the next segment must be planned completely
            return self.segment[value] == last - 1 and not self.sizes[last]
        return self.segment.get(value) == last

    def _take(self, statement: ir.Statement) -> None:
        if statement in self.ordered:
            self.sizes.pop()
        self.sizes[-1] -= 1


def _is_ordered(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Effect) or traps(statement.op, statement.type)


def _immediate_operands(transfer: ir.Transfer | None) -> Sequence[ir.Value]:
    """The operands that the transfer itself evaluates. The edges of a branch evaluate their arguments later."""
    if isinstance(transfer, ir.Jump):
        return transfer.edge.arguments
    if isinstance(transfer, ir.Call):
        return transfer.passed
    return transfer.operands if transfer else ()


def let_groups(
    tree: DominatorTree, inline: Collection[ir.Continuation]
) -> dict[ir.Continuation, list[ir.Continuation]]:
    """The continuations that the `let` of the function, and of each continuation, defines, without the `inline` ones.

    A continuation is defined in the `let` of its immediate dominator, an unreachable one in that of the function.
    """
    function = tree.function
    groups = {above: [k for k in below if k not in inline] for above, below in tree.children.items()}
    if len(tree.parent) < len(function.continuations):
        defined = [k for k in function.continuations if k not in inline]
        groups[function] = [k for k in defined if tree.parent.get(k, function) is function]
    return groups


Named = Union[ir.Parameter, ir.Primitive, ir.Effect, ir.Continuation]


def names(function: ir.Function, functions: Collection[str] = ()) -> dict[ir.Value, str]:
    """The names of the function's parameters, continuations, and statements that are not written in place.

    Names are the hints in the program. A hint that is one of `functions` (the names of the program's functions) or
    already taken gets a number. Names that the nested text shows are taken first, in the order of
    `Function.continuations`; then those of abstractions; then those of effects without a used result.
    """
    return TextPlan(function, functions).names


class Written(metaclass=NodeType):
    """The names and the structure of a text, for its formatter.

    `names` are the names of its definitions. Values and continuations without a name are written where they are used,
    if possible. `groups` are the continuations, and `inner` the functions, that the `let` of each continuation defines;
    `enclosing` is the function around each inner one.
    """

    names: dict[ir.Value, str] = field(default_factory=dict)
    groups: dict[ir.Continuation, list[ir.Continuation]] = field(default_factory=dict)
    inner: dict[ir.Continuation, list[ir.Function]] = field(default_factory=dict)
    enclosing: dict[ir.Function, ir.Function] = field(default_factory=dict)


NOTHING_WRITTEN = Written()


class Alias(ir.Primitive):
    """``v := x;``, a further name of a value, in a program that is only printed: a conversion to the same type."""


class TextPlan:
    """The plan of a function's text.

    `used` counts the uses of each value. `in_place` are the primitives written in place. `inline` are the continuations
    that the nested text writes as `λ(…). …`: those whose only use is as the return continuation of a call. `names` are
    the names, those of free values included: they are the names in the plan of the `outer` function, if given. The
    names that are `written` are kept. `functions` are names that no other value gets.
    """

    def __init__(
        self,
        function: ir.Function,
        functions: Collection[str] = (),
        outer: TextPlan | None = None,
        written: Written = NOTHING_WRITTEN,
    ) -> None:
        self.function = function
        self.functions = functions
        self.written = written
        self.used = count_uses(function)
        self.used.update(_free_in_callees(function))  # so that none of them is written in place
        self.in_place: set[ir.Statement] = {*inlined_primitives(function, self.used, written.names)}
        self.inline = set(self._inline())
        self._unique_names = UniqueNames(functions)
        around = outer.names if outer else {}
        self.names: dict[ir.Value, str] = {value: around[value] for value in function.free if value in around}
        self._unique_names.taken.update(map(unquote_name, self.names.values()))
        self._name([*function.free, *function.parameters])
        if outer:  # parameters may hide names of the functions around; a flat text leaves no other name in its scope
            self._unique_names.taken |= outer._unique_names.taken
        self._name(self._named())

    def _name(self, values: Iterable[Named]) -> None:
        for value in values:
            if value not in self.names:
                self.names[value] = self.written.names.get(value) or self.new_name(value.name)

    def new_name(self, hint: str | None) -> str:
        """A name that resembles `hint` and is unique in the function."""
        return quote_name(self._unique_names.unique(sanitized_name(hint or "")))

    def lines(self, member: ir.Continuation) -> Iterable[ir.Statement]:
        """The statements of `member` that are not written in place."""
        return [statement for statement in member.body if statement not in self.in_place]

    def is_shown(self, statement: ir.Primitive | ir.Effect) -> bool:
        """Whether the text shows the name of a statement that is not written in place."""
        if isinstance(statement, ir.Primitive) or self.used[statement] > 0 or statement in self.written.names:
            return True
        return statement.type is ir.MEMORY or memory_of(statement) is not None

    def _inline(self) -> Iterator[ir.Continuation]:
        for member in self.function.members():
            if isinstance(member.transfer, ir.Call):
                target = local_target(member.transfer.then)
                if target and self.used[target] == 1:
                    yield target

    def _named(self) -> list[Named]:
        """The named parts: first those that the nested text shows, then those only in the flat text, then the rest."""
        shown: list[Named] = []
        abstractions: list[Named] = []
        others: list[Named] = []
        for member in self.function.members():
            if member is not self.function:
                (abstractions if member in self.inline else shown).append(member)
            shown += member.parameters
            for statement in self.lines(member):
                (shown if self.is_shown(statement) else others).append(statement)
        return [*shown, *abstractions, *others]


def _free_in_callees(function: ir.Function) -> Iterator[ir.Value]:
    for member in function.members():
        if isinstance(member.transfer, ir.Call):
            yield from member.transfer.callee.free


class UniqueNames:
    """Generates unique names, in time proportional to their number. A subclass may spell numbers in another way."""

    def __init__(self, functions: Container[str]) -> None:
        self.functions = functions
        self.taken: set[str] = set()
        self.last: dict[str, int] = {}

    def unique(self, hint: str) -> str:
        """`hint`, with a number if it is taken."""
        name = hint
        while name in self.taken or name in self.functions:
            number = self.last[hint] = self.last.get(hint, 0) + 1
            name = self.numbered(hint, number)
        self.taken.add(name)
        return name

    def numbered(self, hint: str, number: int) -> str:
        """The hint with a number. (A digit is followed by an underscore: `x1_1`, not `x11`.)"""
        return f"{hint}{'_' * hint[-1].isdigit()}{number}"
