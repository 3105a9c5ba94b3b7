"""The pane of the control flow: a card for each continuation ever created.

A line is the number of the card, the kind of the line, and its details:

=============  ===============================================================================================
kind           details
=============  ===============================================================================================
``state``      the style classes of the card, and the state in words
``parameter``  the name of a parameter, and ``proxy`` if it is one
``statement``  the text of a statement
``value``      the number of a variable, and the text of its definition
``transfer``   the text of the transfer without its edges
``edge``       its label and its target
``argument``   of the last edge: the parameter, or null if it is unknown, and the text of the argument
=============  ===============================================================================================
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from cpsconv.core.construction.block import Variable
from cpsconv.core.ir import Branch, Call, Continuation, Edge, ForeignTransfer, Statement, Switch, Transfer
from cpsconv.core.text.expressions import Expressions
from cpsconv.core.text.layout import on_one_line
from cpsconv.core.text.spelling import foreign_text, literal_text
from cpsconv.lab.page.edits import Line, Lines, Part
from cpsconv.lab.page.pane import DEFINITIONS, STATEMENTS, Pane
from cpsconv.lab.page.source_variables import Variables
from cpsconv.lab.page.state import State

_KINDS = "head", STATEMENTS, DEFINITIONS, "transfer"


class FlowPane(Pane):
    """The cards of all continuations ever created."""

    def __init__(self, state: State, variables: Variables) -> None:
        super().__init__(state)
        self._variables = variables
        self._cards: list[int] = []
        self._expressions = Expressions(state.plan.names, state.plan.in_place)

    def parts(self) -> list[Part]:
        parts = [*self._parts]
        for member in self.state.created:
            place = bisect(self._cards, self.number(member))
            self._cards.insert(place, self.number(member))
            at = place * len(_KINDS)
            parts[at:at] = [(kind, member) for kind in _KINDS]
        return parts

    def lines(self, part: Part) -> Lines:
        kind, member = part
        found = self._head(member) if kind == "head" else self._transfer(member.transfer)
        return [(self.number(member), *line) for line in found] if kind == "head" or self._is_present(member) else []

    def item_lines(self, part: Part, item: Any) -> Lines:
        kind, member = part
        if not self._is_present(member):
            return []
        if kind == DEFINITIONS:
            return self._definition(member, item)
        is_line = self.state.plan.is_line(item)
        return [(self.number(member), "statement", self._statement(item))] if is_line else []

    def _definition(self, member: Continuation, variable: Variable) -> Lines:
        value = self.state.states[member].definitions.get(variable)
        if value is None:  # it was a parameter that is not used
            return []
        text = on_one_line(self._expressions.value(value))
        return [(self.number(member), "value", self._variables.number(variable), text)]

    def _is_present(self, member: Continuation) -> bool:
        found = self.state.states[member]
        return not found.is_dropped and found.home is None

    def _head(self, member: Continuation) -> Iterator[Line]:
        yield "state", *self._state(member)
        for parameter in member.parameters if self._is_present(member) else ():
            yield "parameter", self.state.plan.names[parameter], *(["proxy"] if parameter in self.state.proxies else [])

    def _state(self, member: Continuation) -> tuple[str, str]:
        found = self.state.states[member]
        classes = {"filled": found.is_filled, "sealed": found.is_sealed, "removed": not self._is_present(member)}
        return " ".join(name for name, holds in classes.items() if holds), self._state_text(member)

    def _state_text(self, member: Continuation) -> str:
        found = self.state.states[member]
        if found.is_dropped:
            return "dropped: unreachable"
        if found.home:
            return f"now part of {self.state.plan.names[found.home]}"
        if self.state.is_closed:
            return ""
        filled = "filled" if found.is_filled else "being filled" if found.is_entered else "not filled"
        return f"{filled}, {'sealed' if found.is_sealed else 'not sealed'}"

    def _statement(self, statement: Statement) -> str:
        name = f"{self.state.plan.names[statement]} := " if self.state.plan.is_shown(statement) else ""
        return name + on_one_line(self._expressions.operation(statement))

    def _transfer(self, transfer: Transfer | None) -> Iterator[Line]:
        if transfer is None:
            return
        if isinstance(transfer, Call):
            called = self._expressions.application(*self._expressions.call(transfer))
            yield "transfer", on_one_line(called)
        elif isinstance(transfer, (Branch, Switch)):
            operand = on_one_line(self._expressions.value(transfer.operands[0]))
            yield "transfer", f"{type(transfer).__name__.lower()}({operand})"
        elif isinstance(transfer, ForeignTransfer):
            operation = self._expressions.application(foreign_text(transfer.text), transfer.values)
            yield "transfer", on_one_line(operation)
        for label, edge in zip(_edge_labels(transfer), transfer.edges, strict=True):
            yield "edge", label, self._expressions.value(edge.target)
            yield from self._arguments(edge)

    def _arguments(self, edge: Edge) -> Iterator[Line]:
        """A line for each argument, with the name of the parameter that receives it, None if it is unknown."""
        target = edge.target
        receiving = target.parameters if isinstance(target, Continuation) else []
        for parameter, argument in zip_longest(receiving[: len(edge.arguments)], edge.arguments):
            name = None if parameter is None else self.state.plan.names[parameter]
            yield "argument", name, on_one_line(self._expressions.value(argument))


def _edge_labels(transfer: Transfer) -> list[str]:
    if isinstance(transfer, Branch):
        return ["true", "false"]
    if isinstance(transfer, Switch):
        return [*(literal_text(case) for case, _ in transfer.arms), "else"]
    if isinstance(transfer, ForeignTransfer):
        return [str(number) for number, _ in enumerate(transfer.targets, 1)]
    return ["then" if isinstance(transfer, Call) else ""]
