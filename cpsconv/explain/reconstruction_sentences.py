"""Sentences for the events of jump threading and reconstruction (section 5.1)."""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.construction import events as e
from cpsconv.explain.algorithm_lines import Line
from cpsconv.explain.cfg_state import CfgState
from cpsconv.explain.phrases import Clause, Phrases
from cpsconv.ir import Value


def reconstruction_clause(event: e.Event, phrases: Phrases, state: CfgState) -> Clause | None:
    """The clause for `event`; None if a construction may have it, too. `state` is the state after the event."""
    block_of, name_of = phrases.labels.block, phrases.labels.value
    match event:
        case e.Redirect(_, source):
            return Clause(Line.REDIRECT, state.blocks.get(source, state.entry), _redirection(event, name_of))
        case e.Reconstruct(function):
            text = f"reconstruct {name_of(function)}: all continuations are filled and sealed"
            return Clause(Line.RECONSTRUCT, state.entry, text)
        case e.Write(variable, block, value) if state.is_reconstruction:
            written = f"write {phrases.labels.variable(variable)} in {block_of(block)}"
            return Clause(Line.WRITE, block, f"{written}: its value is now {phrases.being(value)}")
        case e.Replace(_, block, value, replacement):
            use = f"a use of {name_of(value)} in {block_of(block)}"
            return Clause(Line.REPLACE, block, f"{use} becomes a use of {phrases.value(replacement)}")
    return None


def _redirection(event: e.Redirect, name_of: Callable[[Value], str]) -> str:
    """The sentence for an edge that is redirected. If the source is a copy, too, it is not in the state yet."""
    original, target = name_of(event.original), name_of(event.target)
    always = f"an edge from {name_of(event.source)} to {original} always continues to {target}"
    return f"{always}: the edge now leads to {name_of(event.copy)}, a copy of {original} that jumps to {target}"
