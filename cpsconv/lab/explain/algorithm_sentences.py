"""Sentences for the steps of the algorithm: look-ups, the placement of parameters, their arguments and removal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.ir import Function, Parameter, Undef, Value
from cpsconv.lab.explain.algorithm_lines import Line
from cpsconv.lab.explain.cfg_state import CfgState
from cpsconv.lab.explain.collector import Collected, continues_in
from cpsconv.lab.explain.phrases import Clause, Phrases, listed


@dataclass(frozen=True)
class AlgorithmSentences:
    """Sentences for one function. `state` is the state of the function after the current event."""

    phrases: Phrases
    state: CfgState
    strategy: str

    def clause(self, event: e.Event, before: Collected | None, after: Collected | None) -> Clause | None:
        """The clause for `event`, which occurs between the events before and after it; None for other events."""
        return self._of_look_up(event, before, after) or self._of_parameter(event)

    def _of_look_up(self, event: e.Event, before: Collected | None, after: Collected | None) -> Clause | None:
        labels = self.phrases.labels
        match event:
            case e.Walk():
                return self._walk(event, after)
            case e.Postpone(parameter):
                postponed = f"{labels.value(parameter)} denotes the result until the graph is complete"
                text = f"postpone the look-up in {labels.block(parameter.block)}: {postponed}"
                return Clause(Line.POSTPONE, parameter.block, text)
            case e.Search() | e.Rename() if self.strategy == "countdown":
                return self._of_countdown(event)
            case e.Frontier() | e.Search() | e.Push() | e.Rename():
                return self._of_cytron(event)
            case e.Place(parameter) if self.strategy == "cytron":
                return Clause(Line.PLACE_IN_FRONTIER, parameter.block, self._place(parameter), (Line.PHI_WRITES,))
            case e.Place(parameter):
                return Clause(self._placing_line(parameter, before), parameter.block, self._place(parameter))
            case e.Proxy(parameter):
                placed = f"place a proxy, {self.phrases.parameter(parameter)}"
                block = parameter.block
                text = f"{labels.block(block)} is not sealed: {placed}"
                return Clause(Line.PROXY, block, text, (Line.INCOMPLETE,))
            case e.Mark(_, join):
                return Clause(Line.MARK, join, f"mark {self._join(join)}")
            case e.Cycle(_, join):
                return Clause(Line.CYCLE, join, f"reach {labels.block(join)} again, which is marked")
            case e.Visit(_, join):
                return Clause(Line.VISIT, join, f"visit {self._join(join)}")
            case e.Agree(variable, join, value):
                agreed = f"{labels.variable(variable)} is {self.phrases.being(value)}"
                return Clause(Line.AGREE, join, f"all predecessors of {labels.block(join)} agree: {agreed}")
            case e.Inherit(_, join, value):
                return Clause(Line.INHERIT, join, f"only {self.phrases.value(value)} reaches {labels.block(join)}")
            case e.Component():
                return self._component(event)
        return None

    def _of_parameter(self, event: e.Event) -> Clause | None:
        value_of = self.phrases.labels.value
        match event:
            case e.Resume(parameter):
                home = self.phrases.labels.block(parameter.block)
                text = f"to seal {home}, add the arguments of its proxy {value_of(parameter)}"
                return Clause(Line.COMPLETE_PROXY, parameter.block, text)
            case e.Operand():
                return self._operand(event)
            case e.Complete(parameter, arguments):
                return self._complete(parameter, arguments)
            case e.Keep(parameter, witnesses, distinct):
                text = f"{value_of(parameter)} receives {self.phrases.some(distinct, witnesses)}: kept"
                return Clause(Line.KEEP, parameter.block, text)
            case e.Remove():
                return self._remove(event)
            case e.Unused(function, parameters):
                verb = "is" if len(parameters) == 1 else "are"
                entry = self.state.blocks[function]
                return Clause(Line.UNUSED, entry, f"{listed(parameters, value_of)} {verb} not used: removed")
            case e.RedundancyCheck():
                return self._check(event, self.state.blocks[event.function])
            case e.Redundant(function, replaced):
                line = Line.REPLACE_SCC if self.strategy == "paper" else Line.REDUNDANT
                entry = self.state.blocks[function]
                return Clause(line, entry, f"{listed(_by_value(replaced).items(), self._always)}: removed")
        return None

    # --------------------------------------------------------------------------------------------- single predecessors

    def _walk(self, walk: e.Walk, after: Collected | None) -> Clause:
        end, variable = self.phrases.labels.block(walk.end), self.phrases.labels.variable(walk.variable)
        to_end = f"go back {self._path(walk.passed)} to {end}" if walk.passed else f"look in {end}"
        opened = self._open(walk.variable, walk.passed)
        line = self._walk_line(walk)
        if walk.value is None:
            if self.strategy != "scc" or continues_in(after) is walk.end:
                return Clause(line, walk.end, f"{to_end}{opened}")
            reached = f"{to_end}{opened}, whose" if walk.passed else f"reach {end} again, whose"
            return Clause(line, walk.end, f"{reached} look-up is in progress")
        if not isinstance(walk.value, Undef) or (walk.end, walk.variable) in self.state.defined:
            found = f"{variable} is {self.phrases.being(walk.value)} there"
            return Clause(line, walk.end, f"{to_end}{opened}: {found}")
        if walk.end in walk.passed or self.state.predecessors[walk.end]:
            returned = f"{to_end} again, an unreachable cycle: {variable} is undefined there"
            return Clause(Line.UNREACHABLE_CYCLE, walk.end, returned)
        reason = (
            f"the entry, which does not define {variable}"
            if isinstance(walk.end.continuation, Function)
            else "which is unreachable"
        )
        return Clause(Line.UNDEFINED, walk.end, f"{to_end}, {reason}: {variable} is undefined there")

    def _walk_line(self, walk: e.Walk) -> Line:
        if not walk.passed:
            return Line.FOUND if walk.value is not None else Line.WALK
        if not self.state.sealed.issuperset(walk.passed):
            return Line.WALK_OPEN
        return Line.WALK if len(walk.passed) == 1 else Line.CHAIN

    def _path(self, passed: Sequence[Block]) -> str:
        name = self.phrases.labels.block
        return f"from {name(passed[0])}{' via ' if len(passed) > 1 else ''}{listed(passed[1:], name)}"

    def _open(self, variable: Variable, passed: Sequence[Block]) -> str:
        """A remark on the blocks that were passed although they are not sealed."""
        if not (unsealed := [block for block in passed if block not in self.state.sealed]):
            return ""
        labels = self.phrases.labels
        return (
            f" (no later predecessor of {listed(unsealed, labels.block)} can have assigned {labels.variable(variable)})"
        )

    # ----------------------------------------------------------------------------------------------------------- joins

    def _join(self, join: Block) -> str:
        predecessors = self.phrases.predecessors(self.state.predecessors[join])
        return f"{self.phrases.labels.block(join)}, a join of {predecessors}"

    def _place(self, parameter: Placed) -> str:
        placed = f"place {self.phrases.parameter(parameter)}"
        if self.state.predecessors[parameter.block]:
            return placed
        return f"{self.phrases.labels.block(parameter.block)} has no predecessors: {placed}"

    def _placing_line(self, parameter: Placed, before: Collected | None) -> Line:
        if self.strategy == "marker":
            return Line.CYCLE if isinstance(before, e.Cycle) else Line.DIFFER
        if self.strategy == "scc":
            return Line.MORE_ENTER if parameter.block in self.state.entered else Line.MEET
        return Line.PLACE

    def _component(self, event: e.Component) -> Clause:
        entering = [*dict.fromkeys(value for values in event.entering for value in values)]
        line = Line.MORE_ENTER if len(event.counted) > 1 else Line.ONE_ENTERS if entering else Line.NONE_ENTERS
        reached = listed(event.joins, self.phrases.labels.block)
        if len(event.joins) > 1:
            reached = f"the cycle of {reached} from outside"
        if len(entering) == 1:
            text = f"only {self.phrases.value(entering[0])} reaches {reached}"
        elif len(event.counted) == 1:
            text = f"only {self.phrases.value(*event.counted)} and undefined values, which it replaces, reach {reached}"
        elif entering:
            text = f"{self.phrases.distinct(entering)} reach {reached}"
        else:
            variable = self.phrases.labels.variable(event.variable)
            text = f"no value reaches {reached}: it is unreachable, and {variable} is undefined there"
        return Clause(line, event.joins[-1], text)

    # ------------------------------------------------------------------------------------ the classical construction

    def _of_cytron(self, event: e.Frontier | e.Search | e.Push | e.Rename) -> Clause:
        block_of, value_of = self.phrases.labels.block, self.phrases.labels.value
        match event:
            case e.Search(entry):
                walk = f"walk over the dominator tree, from {block_of(entry)}"
                return Clause(Line.SEARCH_ENTRY, entry, f"{walk}, with a stack of values for each variable")
            case e.Push(variable, block, value):
                stack = f"the stack of {self.phrases.labels.variable(variable)}"
                return Clause(Line.PUSH, block, f"in {block_of(block)}, push {self.phrases.value(value)} on {stack}")
            case e.Rename(parameter, value):
                text = f"rename {value_of(parameter)} of {block_of(parameter.block)} to {value_of(value)}"
                return Clause(Line.RENAME, parameter.block, text)
        return self._frontier(event)

    def _frontier(self, frontier: e.Frontier) -> Clause:
        name, block = self.phrases.labels.variable(frontier.variable), self.phrases.labels.block
        assigned = f"{name} is assigned in {listed(frontier.writes, block)}"
        meeting = f"is live at {listed(frontier.joins, block)}" if frontier.joins else "is live nowhere"
        text = f"{assigned}, and {meeting} in the iterated dominance frontier"
        at = (*frontier.joins, *frontier.writes)[0]
        return Clause(Line.TAKE, at, text, (Line.WRITING,))

    def _of_countdown(self, event: e.Search | e.Rename) -> Clause:
        labels = self.phrases.labels
        if isinstance(event, e.Search):
            visit = f"visit the continuations in reverse postorder, from {labels.block(event.entry)}"
            text = f"{visit}; one is sealed when the count of its predecessors that are not visited is 0"
            return Clause(Line.COUNT, event.entry, text)
        postponed, block = event.parameter, event.parameter.block
        text = f"so {labels.value(postponed)} of {labels.block(block)} is {self.phrases.being(event.value)}"
        return Clause(Line.RESOLVE, block, text)

    # -------------------------------------------------------------------------------------------------- parameters

    def _operand(self, event: e.Operand) -> Clause:
        parameter = event.parameter
        predecessor = self.state.predecessors[parameter.block][event.number]
        passed = f"{self.phrases.labels.value(event.argument)} from {self.phrases.labels.block(predecessor)}"
        text = f"{self.phrases.labels.value(parameter)} gets the argument {passed}"
        line = Line.TOP_AS_OPERAND if self.strategy == "cytron" else Line.OPERAND
        return Clause(line, parameter.block, text)

    def _complete(self, parameter: Placed, arguments: Sequence[Value]) -> Clause:
        block, name = parameter.block, self.phrases.labels.value(parameter)
        predecessors = self.state.predecessors[block]
        if self.strategy == "paper":
            has = "has all of its arguments" if arguments else "gets no arguments"
            return Clause(Line.EXAMINE, block, f"{name} {has}: examine whether it is trivial")
        passed = self.phrases.arguments(zip(arguments, predecessors, strict=True)) if arguments else "no arguments"
        text = f"{name} gets {passed}"
        if parameter in self.state.proxies:
            return Clause(Line.COMPLETE_PROXY, block, text, (Line.OPERAND,))
        return Clause(Line.OPERAND, block, text)

    def _remove(self, event: e.Remove) -> Clause:
        parameter, again = event.parameter, event.again
        receives_none = parameter in self.state.without_operands
        reason = "receives no value" if receives_none else "is trivial"
        text = f"{self.phrases.labels.value(parameter)} {reason}: replaced by {self.phrases.value(event.value)}"
        if self.strategy == "countdown":
            return Clause(Line.REPLACE_TRIVIAL, parameter.block, text)
        further = (Line.NO_OPERAND,) if receives_none else ()
        if not again:
            return Clause(Line.REMOVE, parameter.block, text, further)
        text += f"; re-examine {listed(again, self.phrases.labels.value)}"
        return Clause(Line.REMOVE, parameter.block, text, (*further, Line.EXAMINE_USER))

    def _check(self, check: e.RedundancyCheck, entry: Block) -> Clause:
        value_of, members = self.phrases.labels.value, check.members
        process, only = f"process the SCC of {listed(members, value_of)}", len(check.outer) == 1
        if not check.outer:
            return Clause(Line.SKIP, entry, f"skip the SCC of {value_of(members[0])}, a parameter that is not trivial")
        outer = f"its {_form('outer argument', check.outer, only)} {self.phrases.distinct(check.outer)}"
        if len(members) == 1:
            return Clause(Line.NEWLY_TRIVIAL, entry, f"{process}: {outer}, so the parameter has become trivial")
        if only:
            return Clause(Line.OUTER, entry, f"{process}: {outer}", (Line.INNER,))
        inner = "it has no inner parameters, so all members are kept"
        if check.inner:
            shown = listed(check.inner, value_of)
            inner = f"its {_form('inner parameter', check.inner)} {shown}, processed next; the others are kept"
        return Clause(Line.RECURSE, entry, f"{process}: {outer}; {inner}", (Line.INNER, Line.OUTER))

    def _always(self, replaced: tuple[Value, list[Parameter]]) -> str:
        value, parameters = replaced
        verb = "equals" if len(parameters) == 1 else "equal"
        return f"{listed(parameters, self.phrases.labels.value)} always {verb} {self.phrases.value(value)}"


def _form(noun: str, items: Sequence[object], only: bool = False) -> str:
    """The noun and its verb, in singular or plural."""
    return f"{'only ' * only}{noun} is" if len(items) == 1 else f"{noun}s are"


def _by_value(replaced: Mapping[Parameter, Value]) -> dict[Value, list[Parameter]]:
    found: dict[Value, list[Parameter]] = {}
    for parameter, value in replaced.items():
        found.setdefault(value, []).append(parameter)
    return found
