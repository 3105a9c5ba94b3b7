"""Maximal placement, then removal: Aycock and Horspool, *Simple Generation of Static Single-Assignment Form*, 2000.

Every variable gets a parameter in every block. Then two rules are applied until neither applies: a parameter that
receives only itself is removed, and one that receives itself and one other value is replaced by that value. Together
they are Algorithm 3 of Braun et al.: trivial parameters are removed.

The result is minimal for reducible graphs, but not pruned: parameters for values that are never read remain.

Deviation. The paper examines all parameters repeatedly. Here, only parameters that received a removed one are examined
again; no other can have become trivial.
"""

from __future__ import annotations

from cpsconv.core.construction.block import Block, Variable
from cpsconv.core.ir import Value
from cpsconv.core.source import DiagnosticError, error
from cpsconv.lab.baselines.deferred import Deferred

MAX_PARAMETERS = 1_000_000
"""The most parameters of a function: they take 600 MB. Nearly all are removed again."""


class AycockHorspool(Deferred):
    """Places a parameter for each variable in each block but the entry: O(blocks × variables) time and space."""

    def settle(self, blocks: list[Block]) -> None:
        """Place all parameters, find their arguments, and remove the trivial ones.

        Raises `DiagnosticError` if there are more than `MAX_PARAMETERS`.
        """
        entry, *others = blocks
        variables = dict.fromkeys(name for block in blocks for name in (*block.definitions, *block.proxies))
        for variable, proxy in entry.proxies.items():
            proxy.forward = self.undef(variable)
        if len(others) * len(variables) > MAX_PARAMETERS:
            size = f"{len(others):,} continuations and {len(variables):,} variables"
            message = f"`{entry.continuation.name}` has {size}, too many for the strategy aycock-horspool"
            raise DiagnosticError([error(message, entry.continuation.span, rule="too-large")])
        parameters = [self.place(variable, block) for block in others for variable in variables]
        for parameter in parameters:
            predecessors = parameter.block.predecessors
            parameter.arguments = [self._at_end(parameter.variable, block) for block in predecessors]
        self.remove_trivial(parameters[::-1])  # the last is examined first: this follows the flow of values

    def _at_end(self, variable: Variable, block: Block) -> Value:
        self.lookups += 1
        value = block.definitions.get(variable) or block.proxies.get(variable)
        return value or self.undef(variable)
