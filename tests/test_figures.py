"""The figures of the paper: the steps of each construction, compared with those that the paper describes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cpsconv import Source, convert
from cpsconv.construction import STRATEGIES, Event
from cpsconv.construction import events as e

EXAMPLES = Path(__file__).parent.parent / "examples"


def replayed(figure: int, strategy: str = "scc", **given: Any) -> list[Event]:
    """The events of the conversion of a figure's example."""
    seen: list[Event] = []
    path = EXAMPLES / f"fig{figure}.c"
    convert(Source(path.name, path.read_text("utf-8")), strategy=strategy, observer=seen.append, **given)
    return seen


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_figure_3_blocks_are_filled_and_sealed_in_the_order_of_section_2_3(strategy: str) -> None:
    """Each continuation is sealed as soon as its predecessors are known; `exit` last, because of `break`."""
    steps = [
        (type(event).__name__.lower(), event.block.continuation.name)
        for event in replayed(3, strategy)
        if isinstance(event, (e.Create, e.Enter, e.Fill, e.Seal))
    ]
    assert steps == [
        ("create", "while"), ("fill", "f"),  # "we construct the while header block and add a control flow edge"
        ("enter", "while"), ("create", "body"), ("create", "exit"), ("fill", "while"),
        ("seal", "body"), ("enter", "body"),  # "no further predecessors will be added to the body entry block"
        ("create", "then"), ("create", "else"), ("create", "next"), ("fill", "body"),
        ("seal", "then"), ("seal", "else"),
        ("enter", "then"), ("fill", "then"), ("enter", "else"), ("fill", "else"),
        ("seal", "next"), ("enter", "next"), ("fill", "next"),  # "all the blocks forming the body are sealed"
        ("seal", "while"),  # "we add the edge back to the while header and seal the while header"
        ("seal", "exit"), ("enter", "exit"), ("fill", "exit"),  # "in the last step, we seal the while exit block"
    ]  # fmt: skip
