"""Algorithm 5 as printed (section 3.2): redundant sets of parameters, found as nested strongly connected components.

It takes quadratic time on a deep nest of loops; `cpsconv.core.transform.minimality` finds the same parameters faster.
The paper skips an SCC of one φ, since trivial φs have been removed before. But the replacement of another SCC, or a
pass such as jump threading, can make a φ trivial. Here, such an SCC is skipped only if the φ is not trivial.
"""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.core.analysis.flow import ParameterArguments
from cpsconv.core.analysis.redundancy import UndefinedOperands
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined
from cpsconv.core.construction.events import Observer, RedundancyCheck, Redundant
from cpsconv.core.ir import Function, Parameter, Undef, Value
from cpsconv.core.trampoline import Work, perform


def remove_redundant_phis(
    function: Function, received: ParameterArguments, observer: Observer | None = None, undefined: Rule = keep_undefined
) -> dict[Parameter, Value]:
    """The redundant ones of the parameters in `received`, each with its only value, which is not a redundant parameter.

    `undefined` is the rule for undefined operands. Reports each SCC and each replacement to `observer`. Parameters that
    receive only each other are not included.
    """
    search = _Search(UndefinedOperands(function, undefined), received, observer)
    perform(search.remove_redundant_phis(received))
    return {parameter: search.final(value) for parameter, value in search.replaced.items()}


class _Search:
    def __init__(self, operands: UndefinedOperands, received: ParameterArguments, observer: Observer | None) -> None:
        self.operands = operands
        self.received = received
        self.observer = observer
        self.replaced: dict[Parameter, Value] = {}

    def final(self, value: Value) -> Value:
        """The value that replaces `value`, or itself."""
        while isinstance(value, Parameter) and value in self.replaced:
            value = self.replaced[value]
        return value

    def remove_redundant_phis(self, phis: Iterable[Parameter]) -> Work:
        """Algorithm 5, removeRedundantPhis: process the SCCs of the subgraph that `phis` induce."""
        subgraph = {phi: position for position, phi in enumerate(phis)}
        for scc in strongly_connected_components(
            subgraph, lambda phi: [each for each in self._operands(phi) if each in subgraph]
        ):
            yield self._process_scc(dict.fromkeys(sorted(scc, key=subgraph.__getitem__)))

    def _process_scc(self, scc: dict[Parameter, None]) -> Work:
        """Algorithm 5, processSCC: replace the SCC if one value enters it; if several do, process its inner part."""
        inner: list[Parameter] = []
        entered: dict[Value, None] = {}
        for phi in scc:
            entering = [operand for operand in self._operands(phi) if operand not in scc]
            entered.update(dict.fromkeys(entering))
            if not entering:
                inner.append(phi)
        outer = self.operands.counted(entered, [phi for phi in scc if Undef in map(type, self._operands(phi))])
        if len(scc) == 1 and len(outer) != 1:
            inner, outer = [], ()
        if self.observer is not None:
            self.observer(RedundancyCheck(self.operands.function, tuple(scc), tuple(inner), tuple(outer)))
        if len(outer) == 1:
            self._replace(scc, *outer)
        elif outer:
            yield self.remove_redundant_phis(inner)

    def _replace(self, scc: Iterable[Parameter], value: Value) -> None:
        """Algorithm 5, replaceSCCByValue."""
        replaced = dict.fromkeys(scc, value)
        self.replaced |= replaced
        if self.observer is not None:
            self.observer(Redundant(self.operands.function, replaced))

    def _operands(self, phi: Parameter) -> dict[Value, None]:
        return dict.fromkeys(map(self.final, self.received[phi]))
