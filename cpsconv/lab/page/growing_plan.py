"""The plan of the text of a function under construction: names, values in place, and what is to be printed again.

A value that the finished text writes in place of its use is written so while it has exactly one use, at a point where
this is possible. Without a use, its computation is a line without a name; with several uses, it has a name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Union

from cpsconv.core.construction.block import Variable
from cpsconv.core.ir import VOID, Continuation, Edge, Effect, Jump, Parameter, Primitive, Statement, Target, Value
from cpsconv.lab.explain.labels import Labels

Row = tuple[Continuation, Variable]
"""The definition of a variable in a continuation."""

Item = Union[Continuation, Parameter, Statement, Row]
User = Union[Continuation, Statement, Edge]
"""A user of a value: a statement, an edge that passes it, or a continuation whose transfer has it as an operand."""

GAP = Parameter(VOID, "…")
"""The argument of an edge for a parameter that has no arguments yet."""


class GrowingPlan:
    """A `TextPlan` of a growing function, for its printers; `names` and `in_place` are those of its values.

    The continuations, parameters, statements and rows in `touched` must be printed again; a parameter is if its φ
    function has changed. `ends` has the source and the target of each edge, `homes` the continuation of each statement
    and parameter, `parameters` those that a continuation has or had. `inline` are the continuations that take the
    result of a call. `statement_names` are all names that statements have had.
    """

    def __init__(self, labels: Labels) -> None:
        self.names: dict[Value, str] = {GAP: GAP.name}
        self.in_place: set[Value] = set()
        self.inline: set[Continuation] = set()
        self.ends: dict[Edge, tuple[Continuation, Target]] = {}
        self.touched: set[Item] = set()
        self.statement_names: dict[str, None] = {}
        self._labels = labels
        self._uses: dict[Value, Counter[User]] = defaultdict(Counter)
        self._rows: dict[Value, dict[Row, None]] = defaultdict(dict)
        self.homes: dict[Statement | Parameter, Continuation] = {}
        self.parameters: dict[Continuation, dict[Parameter, None]] = defaultdict(dict)
        self._originals: dict[Statement, Statement] = {}

    # --------------------------------------------------------------------------------------------- for the printers

    def lines(self, member: Continuation) -> list[Statement]:
        """The statements of `member` that are not written in place."""
        return [*filter(self.is_line, member.body)]

    def is_line(self, statement: Statement) -> bool:
        """Whether a statement is not written in place."""
        return statement not in self.in_place or not self._uses.get(statement)

    def is_shown(self, statement: Statement) -> bool:
        """Whether the text shows the name of a statement that is not written in place."""
        if statement not in self.names or statement.type is VOID:
            return False
        is_used = self._uses.get(statement) or self._rows.get(statement)
        return isinstance(statement, Primitive) or bool(is_used) or self._labels.is_named(self._originals[statement])

    # ---------------------------------------------------------------------------------------- values and their uses

    def name(self, values: Iterable[Parameter]) -> None:
        """Add parameters, with their names."""
        for each in values:
            self.names[each] = self._labels.name_of(each) or self._labels.spare_name(each)

    def give(self, member: Continuation, parameters: Iterable[Parameter]) -> None:
        """Let a continuation have further parameters, with their names."""
        for each in parameters:
            self.homes[each] = member
            self.parameters[member][each] = None
            self.touched.add(each)
            self.name([each])

    def add(self, statement: Statement, original: Statement, home: Continuation) -> None:
        """Add a statement of a continuation. The `original` is the statement of the program."""
        self.copy(statement, original)
        self.homes[statement] = home
        self._arrange(statement)
        self.use(statement.operands, statement)

    def copy(self, statement: Statement, original: Statement) -> None:
        """Let a statement have the name of its `original`, if it has one."""
        self._originals[statement] = original

    def use(self, values: Iterable[Value], user: User) -> None:
        """Add a use of each value."""
        for value in values:
            if _can_change(value):
                self._uses[value][user] += 1
                self._arrange(value)

    def release(self, values: Iterable[Value], user: User) -> None:
        """Remove a use of each value."""
        for value in values:
            if _can_change(value):
                self._uses[value][user] -= 1
                if not self._uses[value][user]:
                    del self._uses[value][user]
                self._arrange(value)

    def record(self, value: Value, row: Row, before: Value | None) -> None:
        """Add the use of a value as the definition in a row, which was another value before."""
        if before is not None:
            self._rows[before].pop(row, None)
        self._rows[value][row] = None
        self.touched.add(row)
        self._arrange(value)

    def replace(self, value: Value, other: Value) -> tuple[list[User], list[Row]]:
        """Let `other` have all uses of `value`. Returns the users, and the rows."""
        uses, rows = self._uses.pop(value, Counter()), self._rows.pop(value, {})
        self._uses[other].update(uses)
        self._rows[other].update(rows)
        self._arrange(other)
        for user in uses:
            self.touch(user, value)
        self.touched |= rows.keys()
        return [*uses], [*rows]

    def forget(self, value: Value) -> list[Row]:
        """Remove the rows that have a value, and return them."""
        rows = [*self._rows.pop(value, ())]
        self.touched.update(rows)
        return rows

    def forget_rows(self) -> None:
        """Remove all rows."""
        self._rows.clear()

    def restart(self, members: Iterable[Continuation]) -> None:
        """Collect all uses again."""
        for index in (self._uses, self.homes, self.ends, self.parameters):
            index.clear()
        members = [*members]
        for member in members:
            self.ends |= {edge: (member, edge.target) for edge in _edges(member)}
            self.homes |= dict.fromkeys([*member.parameters, *member.body], member)
            self.parameters[member] = dict.fromkeys(member.parameters)
        for member in members:
            for statement in member.body:
                self.use(statement.operands, statement)
            self.use(member.transfer.operands if member.transfer else (), member)
            for edge in _edges(member):
                self.use(edge.arguments, edge)
            for statement in member.body:
                self._arrange(statement)

    # ------------------------------------------------------------------------------------------------------ printing

    def touch(self, user: User, value: Value) -> None:
        """Print a user of a value again, and what it is a part of."""
        if isinstance(user, Continuation):
            self.touched.add(user)
        elif isinstance(user, Edge):
            source, target = self.ends[user]
            self.touched.add(source)
            receiving = target.parameters if isinstance(target, Continuation) else []
            pairs = zip(receiving, user.arguments, strict=False)
            self.touched.update(parameter for parameter, argument in pairs if argument is value)
        else:
            self.touched.add(user)
            if user in self.in_place:
                self._touch_users(user)

    def _touch_users(self, value: Value) -> None:
        for user in self._uses.get(value, ()):
            self.touch(user, value)
        self.touched |= self._rows.get(value, {}).keys()

    def _arrange(self, value: Value) -> None:
        """Choose between a line and a place for a statement, after its uses have changed."""
        if not isinstance(value, (Primitive, Effect)) or value not in self.homes:
            return
        original = self._originals[value]
        is_movable = self._labels.name_of(original) is None
        if is_movable and (not self._uses.get(value) or self._fits(value)):
            self.names.pop(value, None)
            self.in_place.add(value)
        else:
            name = self.names[value] = self._labels.name_of(original) or self._labels.spare_name(original)
            self.statement_names[name] = None
            self.in_place.discard(value)
        self.touched.add(value)
        if is_movable:
            self._touch_users(value)

    def _fits(self, value: Statement) -> bool:
        """Whether the text can write the value in place."""
        home = self.homes[value]
        (user, count), *others = self._uses[value].items()
        if count > 1 or others:
            return False
        if isinstance(user, Edge):
            source, _ = self.ends[user]
            return source is home and isinstance(source.transfer, Jump)
        return user is home or (not isinstance(user, Continuation) and self.homes[user] is home)


def _can_change(value: Value) -> bool:
    """Whether a value may be replaced, or may have a line."""
    return isinstance(value, (Parameter, Primitive, Effect)) and value is not GAP


def _edges(member: Continuation) -> Iterable[Edge]:
    return member.transfer.edges if member.transfer else ()
