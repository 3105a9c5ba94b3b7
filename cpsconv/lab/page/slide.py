"""One step of a construction for a slide: its sentence, and the function after it as CPS text or as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from textwrap import wrap
from typing import Any, Literal

from cpsconv.core.source import DiagnosticError, Source, error
from cpsconv.lab.explain import Narration, Step
from cpsconv.lab.page.replay import Replay, card_names
from cpsconv.lab.page.source_variables import Variables
from cpsconv.targets.latex import COMMANDS, latex_line, latex_prose
from cpsconv.targets.picture import Arrow, Cluster, Node, Picture

_COMMANDS = (
    COMMANDS
    + r"""\providecommand\cpshere[2]{\cpsline{#1}{\llap{$\triangleright$\enspace}#2}}
\providecommand\cpsstep[2]{\par\noindent\textbf{#1}\enspace#2\par\medskip}
"""
)

_WIDTH = 48  # columns of the sentence in a picture

_CARD = "card "  # before the names of nodes, which thus differ from that of the sentence

Kind = Literal["continuation", "current"]

Lines = Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Slide:
    """The step with a `number`, from 1, of a function. `flow` and `cps` are the lines of these panes of the page.

    `cards` and `variables` are the names of continuations and variables by their numbers in the lines.
    """

    narration: Narration
    number: int
    step: Step
    cards: Sequence[str]
    variables: Sequence[str]
    flow: Lines
    cps: Lines

    @property
    def title(self) -> str:
        """The place of the step: ``gcd, scc, step 10``."""
        return f"{self.narration.function.name}, {self.narration.strategy}, step {self.number}"

    @property
    def current(self) -> int:
        """The number of the card of the continuation that the step is about."""
        return self.cards.index(self.narration.labels.name(self.step.block.continuation))

    def lines_by_card(self) -> Iterator[tuple[int, Lines]]:
        """The number of each card that is shown, with the kinds and details of its lines."""
        for number, lines in groupby(self.flow, itemgetter(0)):
            shown = [line[1:] for line in lines]
            if not any("removed" in classes for classes, _ in _of("state", shown)):
                yield number, shown


def slide(source: Source, narration: Narration, number: int) -> Slide:
    """The slide for a step of the page. Raises `DiagnosticError` if there are not so many steps."""
    cards, variables = [*card_names(narration)], Variables(narration, source)
    replay = Replay(narration, variables, cards)
    panes: dict[str, list[Any]] = {"flow": [], "cps": []}
    last = 0
    for last, (step, edits) in enumerate(replay.steps(), 1):
        for pane, lines in panes.items():
            for at, deleted, *added in edits.get(pane, ()):
                lines[at : at + deleted] = added
        if last == number:
            named = [each["name"] for each in variables.data()["variables"]]
            return Slide(narration, number, step, cards, named, panes["flow"], panes["cps"])
    raise DiagnosticError([error(f"there is no step {number}: `{narration.function.name}` has {last}", rule="query")])


def slide_latex(slide: Slide) -> str:
    r"""The sentence and the CPS text as LaTeX. The lines of the current continuation are marked by ``\cpshere``."""
    lines = [latex_line(text, "cpshere" if slide.current in owners else "cpsline") for text, *owners in slide.cps]
    sentence = rf"\cpsstep{{{slide.number}}}{{{latex_prose(slide.step.text)}}}"
    return "".join(f"{line}\n" for line in [f"% {slide.title}", *_COMMANDS.splitlines(), sentence, *lines])


def slide_picture(slide: Slide) -> Picture:
    """The sentence, and the control flow as a graph, in which the current continuation is marked."""
    sentence = wrap(slide.step.text.replace("`", ""), _WIDTH)
    root = Cluster("function", slide.narration.function.name, [Node("step", "note", [slide.title], sentence)])
    arrows: list[Arrow] = []
    for number, lines in slide.lines_by_card():
        kind: Kind = "current" if number == slide.current else "continuation"
        root.nodes.append(_node(slide, number, kind, lines))
        arrows += _arrows(slide, number, lines)
    drawn = {node.name for node in root.nodes}
    exits = dict.fromkeys(arrow.target for arrow in arrows if arrow.target not in drawn)
    root.nodes += [Node(each, "exit", [each.removeprefix(_CARD)]) for each in exits]
    return Picture(root, arrows)


def _node(slide: Slide, number: int, kind: Kind, lines: Lines) -> Node:
    """The card with a number, which has these lines."""
    name = slide.cards[number]
    parameters = ", ".join(" ".join(reversed(each)) for each in _of("parameter", lines))
    definitions = [f"{slide.variables[variable]} ↦ {value}" for variable, value in _of("value", lines)]
    body = [*(text for (text,) in _of("statement", lines)), *definitions]
    transfer = [text for (text,) in _of("transfer", lines)]
    return Node(_CARD + name, kind, [f"{name}({parameters})" if parameters else name], body, transfer)


def _arrows(slide: Slide, number: int, lines: Lines) -> Iterator[Arrow]:
    """The edges of a card. A back edge leads to a card that is not after it, as on the page."""
    order = {name: place for place, name in enumerate(slide.cards)}
    edges: list[tuple[str, str, list[str]]] = []
    for kind, *details in lines:
        if kind == "edge":
            edges.append((*details, []))
        elif kind == "argument":
            edges[-1][2].append(" = ".join(filter(None, details)))
    for label, target, arguments in edges:
        is_back = order.get(target, len(order)) <= number
        shown = [each for each in (label, *arguments) if each]
        yield Arrow(_CARD + slide.cards[number], _CARD + target, "back edge" if is_back else "edge", shown)


def _of(kind: str, lines: Lines) -> Iterator[Sequence[Any]]:
    """The details of the lines of a kind."""
    return (details for each, *details in lines if each == kind)
