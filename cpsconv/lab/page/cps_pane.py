"""The pane of the CPS text. A line is its text, and the numbers of the cards to whose continuations it belongs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.ir import Call, Continuation, Parameter, Statement
from cpsconv.core.text.plan import TextPlan
from cpsconv.core.text.printer import FunctionPrinter, Style
from cpsconv.core.trampoline import flattened
from cpsconv.lab.page.edits import Lines, Part
from cpsconv.lab.page.pane import STATEMENTS, WIDTH, Pane
from cpsconv.lab.page.state import State


class CpsPane(Pane):
    """CPS text."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._printer = _Printer(self)

    def is_rearranged(self) -> bool:
        return super().is_rearranged() or bool(self.state.filled)

    def parts(self) -> list[Part]:
        return self._printer.update()

    def consists_of(self, part: Part) -> str | None:
        return STATEMENTS if self._printer.has_statements(part) else None

    def lines(self, part: Part) -> Lines:
        print_part, *arguments = part
        owners = [*map(self.number, self._printer.owners(part))]
        return [(line, *owners) for line in print_part(*arguments)]

    def item_lines(self, part: Part, item: Statement) -> Lines:
        _, member, depth = part
        is_line = self.state.plan.is_line(item)
        return [(line, self.number(member)) for line in self._printer.statement_lines(item, depth)] if is_line else []


class _Printer(FunctionPrinter):
    """Prints the state, and keeps the list of parts up to date.

    A new edge changes the nesting of its target only, if this has no successors yet: then its parts move to the `let`
    of its new immediate dominator. In other cases, the dominator tree is computed again. (If the source of the edge is
    not reachable, or dominated by the target or its immediate dominator, the dominators stay the same.)
    """

    def __init__(self, pane: Pane) -> None:
        self.state = pane.state
        super().__init__(self.state.function, cast(TextPlan, self.state.plan), Style(ascii=False, width=WIDTH))
        self._parts: list[Part] = []
        self._dominators: dict[Continuation, Continuation] = {}
        self._last: dict[Continuation, int] = {}  # the highest number of a continuation in each `let`

    def update(self) -> list[Part]:
        """The parts of the current state."""
        self._parts = [*self._parts]
        if self.state.is_rearranged or not self._parts or not self._grow():
            self._rebuild()
        return self._parts

    def has_statements(self, part: Part) -> bool:
        """Whether a part consists of the statements of a continuation."""
        return bool(part[0] == self._statements)

    def declaration(self, parameter: Parameter) -> str:
        proxy = "proxy " if parameter in self.state.proxies else ""
        return proxy + super().declaration(parameter)

    def _rebuild(self) -> None:
        self.nest()
        for group in self.groups.values():
            group.sort(key=self._number)
        self._dominators = dict(DominatorTree(self.function).parent)
        self._parts = [*flattened(self.parts())]
        self._last = {outer: self._number(group[-1]) for outer, group in self.groups.items() if group}

    def _number(self, member: Continuation) -> int:
        return self.state.states[member].number

    # ----------------------------------------------------------------------------------------------- small changes

    def _grow(self) -> bool:
        """Apply all changes. Returns False if the parts must be built again."""
        for member in self.state.created:
            self._insert(member, self.function)
        return all(map(self._link, self.state.filled))

    def _link(self, source: Continuation) -> bool:
        """Apply the new edges of a continuation. Returns False if the parts must be built again."""
        assert source.transfer
        is_reached = source is self.function or source in self._dominators
        targets = [each.target for each in source.transfer.edges if isinstance(each.target, Continuation)]
        for target in dict.fromkeys(targets):
            if target not in self.state.states:
                continue
            above = self._dominators.get(target)
            dominator = self._common_dominator(source, target) if above else source
            if isinstance(source.transfer, Call):
                if target.transfer:
                    return False
                self._remove(target)
                self._continue_call(source, target)
            elif not is_reached or dominator in (above, target):
                continue
            elif target.transfer:
                return False
            else:
                self._remove(target)
                self._insert(target, dominator)
            if is_reached:
                self._dominators[target] = dominator
        return True

    def _common_dominator(self, one: Continuation, other: Continuation) -> Continuation:
        """The nearest continuation that dominates both."""
        above = {*self._dominators_of(one)}
        return next(each for each in self._dominators_of(other) if each in above)

    def _dominators_of(self, member: Continuation) -> list[Continuation]:
        found = [member]
        while member in self._dominators:
            member = self._dominators[member]
            found.append(member)
        return found

    def _insert(self, member: Continuation, outer: Continuation) -> None:
        """Insert an unfilled continuation into the `let` of another one, by number."""
        start = 1 if outer is self.function else self._place_of(self._statements, outer)
        depth = self._parts[start][2]
        at = start + 1
        if self._parts[at][0] != self._let:
            self._parts[at:at] = [(self._let, outer, depth), (self._in, outer, depth)]
        at += 1
        number = self._number(member)
        if number > self._last.get(outer, 0):
            self._last[outer] = number
            at = self._place_of(self._in, outer)
        while self._parts[at][0] == self._binding and self._number(self._parts[at][1]) < number:
            at = self._end_of(at)
        leaf = (self._statements, member, depth + 2), (self._ending, member, depth + 2, 0)
        self._parts[at:at] = [(self._binding, member, depth + 1), *leaf]

    def _remove(self, member: Continuation) -> None:
        """Remove the parts of an unfilled continuation, and its `let` if that is empty then."""
        at = self._place_of(self._binding, member)
        del self._parts[at : self._end_of(at)]
        if self._parts[at - 1][0] == self._let and self._parts[at][0] == self._in:
            del self._parts[at - 1 : at + 1]

    def _place_of(self, print_part: Callable[..., Any], member: Continuation) -> int:
        """The place of a part, searched from the end: most changes are near it."""
        parts = self._parts
        places = range(len(parts) - 1, -1, -1)
        return next(place for place in places if parts[place][1] is member and parts[place][0] == print_part)

    def _end_of(self, start: int) -> int:
        """The end of the parts of the continuation whose binding is at `start`."""
        depth, end = self._parts[start][2], start + 1
        while self._parts[end][2] > depth:
            end += 1
        return end

    def _continue_call(self, source: Continuation, target: Continuation) -> None:
        """Write the unfilled target of a call as an abstraction."""
        self.inline = {*self.inline, target}
        at = self._place_of(self._ending, source)
        _, _, depth, closing = self._parts[at]
        opening = self._call_opening, source, depth
        self._parts[at : at + 1] = [
            opening,
            (self._statements, target, depth),
            (self._ending, target, depth, closing + 1),
        ]
