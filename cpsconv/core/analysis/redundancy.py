"""Redundant parameters under a rule for undefined operands (`cpsconv.core.analysis.undefined_operands`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.analysis.scopes import Place, Scope
from cpsconv.core.analysis.undefined_operands import Rule, counted, defined, keep_undefined, may_replace
from cpsconv.core.ir import Function, Parameter, Type, Undef, Value

Arguments = Mapping[Any, Sequence[Value]]
"""Parameters of continuations, each with its arguments, one for each edge."""


class UndefinedOperands:
    """The rule for a finished function, in which dominance is known."""

    def __init__(self, function: Function, rule: Rule) -> None:
        self.function = function
        self.rule = rule

    @cached_property
    def _scope(self) -> Scope:
        return Scope(DominatorTree(self.function))

    @cached_property
    def _homes(self) -> dict[Value, Place]:
        return {parameter: (member, 0) for member in self.function.continuations for parameter in member.parameters}

    def _dominates(self, value: Value, parameter: Parameter) -> bool:
        return self._scope.error_of(value, self._homes[parameter]) is None

    def counted(self, values: Collection[Value], undefined: Iterable[Parameter]) -> Collection[Value]:
        """Those that count of the values that enter a set of parameters; `undefined` are those with undefined ones."""
        return counted(self.rule, values, lambda value: all(self._dominates(value, each) for each in undefined))

    def redundant(self, received: Arguments, find: Callable[[Arguments], dict[Any, Value]]) -> dict[Any, Value]:
        """The redundant parameters, each with its only value. `find` finds those where all operands count.

        First, `find` is applied to all operands, and then to those that are not undefined. Where the value found for a
        parameter may not replace its undefined operands, the parameter gets them back, and `find` is applied again.
        This parameter remains: the other values that may be found for it are parameters, which replace none.
        """
        if self.rule is keep_undefined:
            return find(received)
        received = _with_one_undefined(received)
        replaced = find(received)
        columns = {
            parameter: [replaced.get(value, value) for value in values]
            for parameter, values in received.items()
            if parameter not in replaced
        }
        lenient = _partly_undefined(columns)
        while True:
            more = find({each: defined(values) if each in lenient else values for each, values in columns.items()})
            strict = {each for each in lenient & more.keys() if not self._may_replace(more[each], each)}
            if not strict:
                return more | {each: more.get(value, value) for each, value in replaced.items()}
            lenient -= strict

    def _may_replace(self, value: Value, parameter: Parameter) -> bool:
        return may_replace(self.rule, value, partial(self._dominates, value, parameter))


def _with_one_undefined(received: Arguments) -> Arguments:
    """The arguments with one undefined value for all of the same type, which are alike."""
    first: dict[Type, Value] = {}
    return {
        parameter: [first.setdefault(each.type, each) if isinstance(each, Undef) else each for each in values]
        for parameter, values in received.items()
    }


def _partly_undefined(received: Arguments) -> set[Parameter]:
    """The parameters that receive undefined values, and a defined one, at least via other parameters."""
    receivers: dict[Value, list[Value]] = {}
    for parameter, values in received.items():
        for value in values:
            receivers.setdefault(value, []).append(parameter)
    sources = defined(value for value in receivers if value not in received)
    reached = {value for value, _ in depth_first(sources, lambda value: receivers.get(value, ()))}
    return {each for each, values in received.items() if each in reached and Undef in map(type, values)}
