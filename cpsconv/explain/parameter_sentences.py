"""Sentences for the arguments and the removal of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cpsconv.construction import events as e
from cpsconv.construction.block import Block, Placed
from cpsconv.explain.algorithm_lines import Line
from cpsconv.explain.cfg_state import CfgState
from cpsconv.explain.phrases import Clause, Phrases, listed
from cpsconv.ir import Parameter, Value


@dataclass(frozen=True)
class ParameterSentences:
    """Sentences for one function. `state` is the state of the function after the current event."""

    phrases: Phrases
    state: CfgState
    strategy: str

    def clause(self, event: e.Event) -> Clause | None:
        """The clause for `event`; None for other events."""
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
            case e.Keep(parameter, witnesses):
                text = f"{value_of(parameter)} receives {self.phrases.distinct(witnesses)}: kept"
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

    def _operand(self, event: e.Operand) -> Clause:
        parameter, argument, number = event
        predecessor = self.state.predecessors[parameter.block][number]
        passed = f"{self.phrases.labels.value(argument)} from {self.phrases.labels.block(predecessor)}"
        text = f"{self.phrases.labels.value(parameter)} gets the argument {passed}"
        return Clause(Line.OPERAND, parameter.block, text)

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
        parameter, value, again = event
        receives_none = parameter in self.state.without_operands
        reason = "receives no value" if receives_none else "is trivial"
        text = f"{self.phrases.labels.value(parameter)} {reason}: replaced by {self.phrases.value(value)}"
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
