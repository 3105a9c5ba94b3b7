"""Sentences for the events of jump threading and reconstruction (section 5.1)."""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.construction import events as e
from cpsconv.construction.block import Block
from cpsconv.explain.algorithm_lines import Line
from cpsconv.explain.cfg_state import CfgState
from cpsconv.explain.labels import Labels
from cpsconv.ir import Value


def reconstruction_clause(
    event: e.Event, labels: Labels, state: CfgState, value_of: Callable[[Value], str]
) -> tuple[Line, Block, str] | None:
    """The line, block and sentence for `event`; None if a construction may have it, too.

    `value_of` is the text of a value, `state` the state after the event.
    """
    block_of, name_of = labels.block, labels.value
    match event:
        case e.Redirect(_, source):
            return Line.REDIRECT, state.blocks.get(source, state.entry), _redirection(event, name_of)
        case e.Reconstruct(function):
            text = f"reconstruct {name_of(function)}: all continuations are filled and sealed"
            return Line.RECONSTRUCT, state.entry, text
        case e.Write(variable, block, value) if state.is_reconstruction:
            written = f"write {labels.variable(variable)} in {block_of(block)}"
            return Line.WRITE, block, f"{written}: its value is now {value_of(value)}"
        case e.Replace(block, value, replacement):
            use = f"a use of {name_of(value)} in {block_of(block)}"
            return Line.REPLACE, block, f"{use} becomes a use of {value_of(replacement)}"
    return None


def _redirection(event: e.Redirect, name_of: Callable[[Value], str]) -> str:
    """The sentence for an edge that is redirected. If the source is a copy, too, it is not in the state yet."""
    original, target = name_of(event.original), name_of(event.target)
    always = f"an edge from {name_of(event.source)} to {original} always continues to {target}"
    return f"{always}: the edge now leads to {name_of(event.copy)}, a copy of {original} that jumps to {target}"
