"""The pane of the φ form. A line is its text, and the number of the card of its block."""

from __future__ import annotations

from typing import cast

from cpsconv.emit import ssa
from cpsconv.ir import Parameter, Statement
from cpsconv.page.edits import Part, Segment
from cpsconv.page.pane import WIDTH, Pane
from cpsconv.page.state import State
from cpsconv.text.plan import TextPlan

_END: Segment = [("}",)]


class PhiPane(Pane):
    """φ form."""

    def __init__(self, state: State, numbers: dict[str, int]) -> None:
        super().__init__(state, numbers)
        self._printer = _PhiPrinter(self)

    def parts(self) -> list[Part]:
        blocks: list[Part] = [("block", member) for member in self.state.function.members()]
        return [*blocks, ("end", self.state.function)]

    def segment(self, part: Part) -> Segment:
        kind, member = part
        return [(line, self.number(member)) for line in self._printer.block_lines(member)] if kind == "block" else _END


class _PhiPrinter(ssa.FunctionPrinter):
    def __init__(self, pane: Pane) -> None:
        self.pane = pane
        super().__init__(pane.state.function, cast(TextPlan, pane.state.plan), pane.state.edges, WIDTH)

    def statement_lines(self, statement: Statement) -> list[str]:
        return self.pane.kept(statement, "lines", super().statement_lines, statement)

    def phi(self, parameter: Parameter) -> str:
        return "proxy φ" if parameter in self.pane.state.proxies else "φ"
