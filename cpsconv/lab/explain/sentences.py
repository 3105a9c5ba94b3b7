"""Sentences for the events of a construction; an event that the sentence of a neighbouring event covers has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Variable
from cpsconv.core.construction.events import Ending
from cpsconv.core.ir import Branch, Call, Continuation, ForeignTransfer, Function, Switch, Undef, Value
from cpsconv.lab.explain.algorithm_lines import Line, algorithm_listing
from cpsconv.lab.explain.algorithm_sentences import AlgorithmSentences
from cpsconv.lab.explain.cfg_state import CfgState
from cpsconv.lab.explain.collector import Collected, is_covered
from cpsconv.lab.explain.labels import Labels
from cpsconv.lab.explain.phrases import Clause, Phrases, listed, record_clauses, record_lines


class Sentences:
    """Sentences for the events of one function. `state` is the state of the function after the current event."""

    def __init__(self, function: Function, labels: Labels, state: CfgState, strategy: str) -> None:
        self.function = function
        self.labels = labels
        self.state = state
        self.strategy = strategy
        self.phrases = Phrases(labels)
        self._algorithm = AlgorithmSentences(self.phrases, state, strategy)
        self._is_listed = bool(algorithm_listing(strategy))
        self._search = Line.POSTPONE if strategy in Line.POSTPONE.strategies else Line.SEARCH

    def sentence(
        self, event: e.Event, records: Sequence[e.Record], before: Collected | None, after: Collected | None
    ) -> tuple[tuple[Line, ...], Block, str] | None:
        """The lines, block and sentence for `event` and the `records` that follow it.

        `before` and `after` are the events before and after them. None if a neighbouring sentence covers the event.
        There are no lines for a strategy without a listing.
        """
        if _is_covered(event, before, after):
            return None
        found = (
            _reconstruction_clause(event, self.phrases, self.state)
            or self._by_front_end(event, after)
            or self._algorithm.clause(event, before, after)
        )
        if found is None:
            return None
        lines = dict.fromkeys((found.line, *found.further, *record_lines(self.strategy, event, records)))
        text = found.text + record_clauses(self.phrases, event, records)
        return tuple(lines) if self._is_listed else (), found.block, text

    # ------------------------------------------------------------------------------------ requests of the front end

    def _by_front_end(self, event: e.Event, after: Collected | None) -> Clause | None:
        block_of, being = self.labels.block, self.phrases.being
        match event:
            case e.Open(_, block):
                return Clause(
                    Line.ENTER, block, f"open {block_of(block)}: its entry has no predecessors, so it is sealed"
                )
            case e.Create(block, operator):
                text = f"create the continuation {block_of(block)}{f' for `{operator}`' if operator else ''}"
                return Clause(Line.CREATE, block, text)
            case e.Enter(block):
                return Clause(Line.ENTER, block, f"enter {block_of(block)}")
            case e.Compute(block, statement):
                return Clause(Line.COMPUTE, block, f"compute {self.labels.statement(statement)}")
            case e.Simplify(block, op, operands, value):
                text = f"{self.labels.operation(op, operands, value.type)} is {being(value)}"
                return Clause(Line.SIMPLIFY, block, text)
            case e.Decide(block, _, constant):
                text = f"the outcome {being(constant)} is known: no other outcome gets an edge"
                return Clause(Line.DECIDE, block, text)
            case e.Fill(block, ending):
                return Clause(Line.FILL, block, self._fill(block, ending))
            case e.Read(variable, block):
                return self._read(variable, block, after)
            case e.Write(variable, block, value):
                return Clause(Line.WRITE, block, self._write(variable, value))
            case e.Answer(variable, block, value):
                text = f"so {self.labels.variable(variable)} in {block_of(block)} is {being(value)}"
                return Clause(self._search, block, text)
            case e.Seal(block):
                sealed = f"seal {block_of(block)}: {self._predecessor_clause(block)}"
                further = (line for line in (Line.SEAL_FIRST, Line.COUNTED) if self.strategy in line.strategies)
                return Clause(Line.SEAL, block, sealed, (*further,))
            case e.Unreachable(block):
                known = self.state.blocks[block.continuation]
                return Clause(Line.UNREACHABLE, known, f"{block_of(block)} is unreachable: dropped")
            case e.Close(function):
                return Clause(Line.CLOSE, self.state.blocks[function], self._counts())
        return None

    def _write(self, variable: Variable, value: Value) -> str:
        if isinstance(value, Undef) and value.span is variable.span:
            return f"declare {self.labels.variable(variable)}: it is undefined"
        return f"write {self.labels.variable(variable)}: its value is now {self.phrases.being(value)}"

    def _read(self, variable: Variable, block: Block, after: Collected | None) -> Clause:
        read = f"read {self.labels.variable(variable)} in {self.labels.block(block)}"
        if isinstance(after, e.Answer):
            return Clause(Line.FOUND, block, f"{read}: it is {self.phrases.being(after.value)}")
        return Clause(self._search, block, f"{read}: it has no value there yet")

    def _fill(self, block: Block, ending: Ending) -> str:
        is_dead = block in self.state.sealed and not self.state.predecessors[block]
        if is_dead and block.continuation is not self.function:
            return f"{self.labels.block(block)} is unreachable: its statements are not converted, and it is filled"
        return f"{self._transfer(ending)}: {self.labels.block(block)} is filled"

    def _transfer(self, ending: Ending) -> str:
        value = self.labels.value
        targets = dict.fromkeys(target for target, _ in ending.edges)
        if ending.kind is ForeignTransfer:
            to = f" to {listed(targets, value, 'or')}" if targets else ""
            return f"the foreign operation {ending.fixed[0]}{to}"
        ((first, arguments), *_) = ending.edges
        if ending.kind is Call:
            (callee,) = ending.fixed
            assert isinstance(callee, Function)
            return f"call {self.labels.call(callee, ending.operands)} and continue in {value(first)}"
        if ending.kind in (Branch, Switch):
            return f"{ending.kind.__name__.lower()} on {value(ending.operands[0])} to {listed(targets, value, 'or')}"
        if isinstance(first, Continuation) and first in self.state.blocks:
            return f"jump to {value(first)}"
        return f"call {self.labels.application(first, arguments)}"

    def _predecessor_clause(self, block: Block) -> str:
        predecessors = self.state.predecessors[block]
        if not predecessors:
            return "it has no predecessors"
        verb = "its only predecessor is" if len({*predecessors}) == 1 else "its predecessors are"
        return f"{verb} {self.phrases.predecessors(predecessors)}"

    def _counts(self) -> str:
        placed, removed = self.state.placed, self.state.removed
        if not placed:
            return "the construction is complete: no parameter was placed"
        parameters = "parameter was" if placed == 1 else "parameters were"
        return f"the construction is complete: {placed} {parameters} placed, {removed} removed"


def _is_covered(event: e.Event, before: Collected | None, after: Collected | None) -> bool:
    """Whether the sentence of the event before or after covers `event`."""
    match event:
        case e.Answer():
            return isinstance(before, e.Read)
        case e.Walk():
            return is_covered(event, after)
    return False


# ----------------------------------------------------------- jump threading and reconstruction (section 5.1)


def _reconstruction_clause(event: e.Event, phrases: Phrases, state: CfgState) -> Clause | None:
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
