"""Which values the text writes in place, inside the expression or transfer that uses them, and not as `v := …;`.

A text computes its values in the order in which it shows them, operands from left to right before what uses them. So
the body of a continuation is laid out backwards: first its transfer, then, from right to left, the operands that can
stand in place, then the last statement that is left, with its operands, and so on. Effects and primitives that trap
divide a body into *segments*. A value may stand in place if this leaves it in its segment: primitives that cannot trap
change places with each other alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Union

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.analysis.graph import count_uses
from cpsconv.ir import Call, Continuation, Effect, Function, Jump, Parameter, Primitive, Statement, Transfer, Value
from cpsconv.operations.table import traps
from cpsconv.text.spelling import quote_name, sanitized_name

DEEPEST = 16
"""How many operators may be nested in one statement; deeper expressions are cut by binding a value."""


def inlined_primitives(function: Function, used: Counter[Value]) -> set[Primitive]:
    """The primitives of `function` that its text shows where they are used; `used` counts the uses of its values."""
    found: set[Primitive] = set()
    for member in function.members():
        if member.body:
            found |= _Layout(member, used).inlined_primitives()
    return found


class _Layout:
    """Lays out one body backwards, by taking statements away from the end of their segments."""

    def __init__(self, member: Continuation, used: Counter[Value]) -> None:
        self.member = member
        self.used = used
        self.segment: dict[Value, int] = {}
        self.ordered = {statement for statement in member.body if _is_ordered(statement)}  # each ends its segment
        self.sizes = [0]  # of each segment: how many statements have not been laid out
        for statement in member.body:
            self.segment[statement] = len(self.sizes) - 1
            self.sizes[-1] += 1
            if statement in self.ordered:
                self.sizes.append(0)

    def inlined_primitives(self) -> set[Primitive]:
        found: set[Primitive] = set()
        self._lay_out(_operands_in_place(self.member.transfer), found)
        for statement in reversed(self.member.body):
            if statement not in found:
                self._take(statement)
                self._lay_out(statement.operands, found)
        return found

    def _lay_out(self, operands: Sequence[Value], found: set[Primitive]) -> None:
        pending = [(operand, 1) for operand in operands if isinstance(operand, Primitive)]
        while pending:
            value, depth = pending.pop()
            if depth <= DEEPEST and self._fits(value):
                self._take(value)
                found.add(value)
                pending += [(operand, depth + 1) for operand in value.operands if isinstance(operand, Primitive)]

    def _fits(self, value: Primitive) -> bool:
        """Whether nothing else uses `value`, and it can be laid out next without leaving its segment."""
        if self.used[value] != 1:
            return False
        last = len(self.sizes) - 1
        if value in self.ordered:  # all that follows its segment must have been laid out
            return self.segment[value] == last - 1 and not self.sizes[last]
        return self.segment.get(value) == last

    def _take(self, statement: Statement) -> None:
        if statement in self.ordered:
            self.sizes.pop()
        self.sizes[-1] -= 1


def _is_ordered(statement: Statement) -> bool:
    return isinstance(statement, Effect) or traps(statement.op, statement.type)


def _operands_in_place(transfer: Transfer | None) -> Sequence[Value]:
    """What the transfer itself computes. The arguments of a branch's edges stand in abstractions, computed later."""
    if isinstance(transfer, Jump):
        return transfer.edge.arguments
    return transfer.operands if transfer else ()


class Nesting:
    """The nested continuations of the function with that `tree`, those that stand `inline` apart.

    `groups` has, for each continuation and the function itself, those that its `let` defines. `innermost_first` lists
    all, the inline ones too: each after what stands inside of it, so that who goes through it needs no recursion.
    """

    def __init__(self, tree: DominatorTree, inline: Collection[Continuation]) -> None:
        self.groups = {above: [k for k in below if k not in inline] for above, below in tree.children.items()}
        self.innermost_first = tree.preorder()[::-1]


Named = Union[Parameter, Primitive, Effect, Continuation]


def names(function: Function, functions: Collection[str] = ()) -> dict[Value, str]:
    """The name of each of the function's parameters, continuations and statements that are not written in place.

    Names are taken from the hints in the program, in the order of `Function.continuations`; a hint that is one of
    `functions` (the names of the program's functions), or already taken, gets a number. What the nested text does not
    show by name, abstractions, comes later, and what no text does, effects without a used result, comes last.
    """
    return TextPlan(function, functions).names


class TextPlan:
    """How the parts of a function show in its text.

    `in_place` are the primitives that stand where they are used; `inline` the continuations that stand in the nested
    text as `λ(…). …`: those that are used once, as the return continuation of a call; `names` are the names.
    """

    def __init__(self, function: Function, functions: Collection[str] = ()) -> None:
        self.function = function
        self.used = count_uses(function)
        self.in_place = inlined_primitives(function, self.used)
        self.inline = set(self._inline())
        self._unique_names = UniqueNames(functions)
        self.names: dict[Value, str] = {}
        for named in self._named():
            self.names[named] = self.new_name(named.name)

    def new_name(self, hint: str | None) -> str:
        """A name made from `hint` that nothing in the function has."""
        return quote_name(self._unique_names.unique(sanitized_name(hint or "")))

    def is_shown(self, statement: Primitive | Effect) -> bool:
        """Whether a statement that is not written in place shows its name."""
        return isinstance(statement, Primitive) or self.used[statement] > 0

    def _inline(self) -> Iterator[Continuation]:
        for member in self.function.members():
            if isinstance(member.transfer, Call):
                target = member.transfer.then.target
                if isinstance(target, Continuation) and not isinstance(target, Function) and self.used[target] == 1:
                    yield target

    def _named(self) -> list[Named]:
        """In order, what the nested text shows the names of; what only the flat one does; what neither does."""
        shown: list[Named] = []
        abstractions: list[Named] = []
        others: list[Named] = []
        for member in self.function.members():
            if member is not self.function:
                (abstractions if member in self.inline else shown).append(member)
            shown += member.parameters
            for statement in member.body:
                if statement not in self.in_place:
                    (shown if self.is_shown(statement) else others).append(statement)
        return [*shown, *abstractions, *others]


class UniqueNames:
    """Makes names unique, in time proportional to their number."""

    def __init__(self, functions: Collection[str]) -> None:
        self.functions = functions
        self.taken: set[str] = set()
        self.last: dict[str, int] = {}

    def unique(self, hint: str) -> str:
        """`hint`, with a number if it is not free. (After a digit comes an underscore: `x1_1`, not `x11`.)"""
        name = hint
        while name in self.taken or name in self.functions:
            number = self.last[hint] = self.last.get(hint, 0) + 1
            name = f"{hint}{'_' * hint[-1].isdigit()}{number}"
        self.taken.add(name)
        return name
