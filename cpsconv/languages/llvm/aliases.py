"""Loads that give the address of an allocation, and so let it become a variable, too.

LLVM's ``mem2reg`` promotes again as long as it finds more: in ``int x, *p = &x; *p = 1;``, each load of `p` is the
address of `x` after `p` has become a variable, and then all uses of this address are loads and stores. Here, a
construction of the variables alone that hold such addresses finds these loads before the function is constructed.
"""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.core.analysis.flow import parameter_arguments
from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.analysis.undefined_operands import replace_undefined
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.block import resolve
from cpsconv.core.ir import LONG, VOID, Constant, Value
from cpsconv.languages.blocks import entered
from cpsconv.languages.llvm.module_text import Block, FunctionText
from cpsconv.languages.llvm.promotion import Promoted, promoted


def promoted_with_aliases(function: FunctionText) -> tuple[FunctionText, Promoted]:
    """The allocations that become variables, and the function in which loads of addresses are these addresses."""
    while True:
        found = promoted(function)
        stores = [store for store in found.addresses if store.names[1] in found.types]
        unobserved: set[int] = set()
        if stores:
            others = function.allocations.keys() - found.types.keys()
            aliases, observed = _aliases(function, {store.names[1] for store in stores}, others)
            unobserved = {store.start for store in stores if store.names[0] not in observed}
        if not unobserved:
            return function, found
        function = function.with_blocks([_renamed(each, aliases, unobserved) for each in function.blocks])


def _renamed(block: Block, aliases: dict[str, str], removed: Collection[int]) -> Block:
    """The block without some stores and the loads of addresses, whose results are replaced by the addresses."""
    others = aliases.keys().isdisjoint
    lines = [
        line if others(line.names) else line.changed(line.text, [aliases.get(name, name) for name in line.names])
        for line in block.lines
        if line.result not in aliases and line.start not in removed
    ]
    return Block(block.label, lines, block.targets)


def _aliases(
    function: FunctionText, holders: Collection[str], addresses: Collection[str | None]
) -> tuple[dict[str, str], set[str | None]]:
    """The loads from the holders that always give one of the addresses, and the addresses that other loads may give."""
    b = Builder(undefined=replace_undefined, checked=False)
    b.function("holders", [], VOID)
    variables = {name: Variable(name, LONG) for name in holders}
    names = dict(enumerate(addresses))
    constants = {name: Constant(LONG, number) for number, name in names.items()}
    loads: dict[str, Value] = {}
    order = function.reached()
    targets = {label: block.targets for label, block in order.items()}
    continuations = {label: b.continuation(label) for label in [*order][1:]}
    for label in entered(b, targets, continuations):
        for line in order[label].lines:
            variable = variables.get(line.names[-1]) if line.names else None
            if variable and line.op == "load" and line.result:
                loads[line.result] = b.read_variable(variable)
            elif variable and line.op == "store":
                known = constants.get(line.names[0]) if len(line.names) == 2 else None
                b.write_variable(variable, known or b.foreign("other", type=LONG))
        b.foreign_transfer("edges", [], [continuations[target] for target in targets[label]])
    received: dict[Value, list[Value]] = dict(parameter_arguments(b.finish()).items())
    found = {name: resolve(value) for name, value in loads.items()}
    unknown: list[Value] = [value for value in found.values() if not isinstance(value, Constant)]
    reached = [value for value, _ in depth_first(unknown, lambda value: received.get(value, ()))]
    aliases = {name: str(names[int(value.value)]) for name, value in found.items() if isinstance(value, Constant)}
    return aliases, {names[int(value.value)] for value in reached if isinstance(value, Constant)}
