"""The pane of the φ form. A line is its text, and the number of the card of its block."""

from __future__ import annotations

from typing import cast

from cpsconv.core.ir import Parameter, Statement
from cpsconv.core.text.plan import TextPlan
from cpsconv.lab.page.edits import Lines, Part
from cpsconv.lab.page.pane import PARAMETERS, STATEMENTS, WIDTH, Pane
from cpsconv.lab.page.state import State
from cpsconv.targets import ssa


class PhiPane(Pane):
    """φ form."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._printer = _PhiPrinter(self)

    def parts(self) -> list[Part]:
        is_new = self.state.is_rearranged or not self._parts
        added = self.state.function.members() if is_new else self.state.created
        blocks: list[Part] = [
            (kind, member) for member in added for kind in ("head", PARAMETERS, STATEMENTS, "transfer")
        ]
        parts = [*([] if is_new else self._parts[:-1]), *blocks]
        return [*sorted(parts, key=lambda part: self.number(part[1])), ("end", self.state.function)]

    def lines(self, part: Part) -> Lines:
        kind, member = part
        if kind == "end":
            return [("}",)]
        print_lines = self._printer.label_lines if kind == "head" else self._printer.transfer_lines
        return [(line, self.number(member)) for line in print_lines(member)]

    def item_lines(self, part: Part, item: Statement | Parameter) -> Lines:
        _, member = part
        if isinstance(item, Parameter):
            has_phi = item in self._printer.phi_parameters(member)
            return [(line, self.number(member)) for line in self._printer.phi_lines(member, item)] if has_phi else []
        is_line = self.state.plan.is_line(item)
        return [(line, self.number(member)) for line in self._printer.statement_lines(item)] if is_line else []


class _PhiPrinter(ssa.FunctionPrinter):
    def __init__(self, pane: Pane) -> None:
        self.pane = pane
        super().__init__(pane.state.function, cast(TextPlan, pane.state.plan), pane.state.edges, WIDTH)

    def phi(self, parameter: Parameter) -> str:
        return "proxy φ" if parameter in self.pane.state.proxies else "φ"
