"""Construction by LLVM: variables in stack slots, promoted by LLVM's own pass.

A front end for LLVM leaves placement to LLVM: each variable is a stack slot, a read is a load, and a write is a store.
Then mem2reg, here as a part of the pass SROA, replaces slots by values and places φ functions in pruned iterated
dominance frontiers; it simplifies a φ that receives a single value. For this, a function is written as LLVM IR that has
only its graph, loads and stores. Values are numbers.

=============  ======================================================================
``%v3``        the slot of variable 3
``store 7``    write the value 7
``%r5``        the proxy 5, loaded at the start of its block
``@read 5``    records the value of the proxy 5 after its load is removed
``%v3.1``      a φ function for variable 3
=============  ======================================================================

LLVM simplifies a φ of `x` and an undefined value to `x`. Here the φ must remain, since the value depends on the path.
So the undefined value is an ordinary value, stored at the entry.

This baseline requires the package llvmlite. The time that a comparison measures includes writing and parsing LLVM IR.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from cpsconv.core.construction.block import Block, Placed, Variable, successors
from cpsconv.core.ir import Value
from cpsconv.lab.baselines.deferred import Deferred, exposed_reads

_BLOCK = re.compile(r"b(\d+):")
_PHI = re.compile(r"  (%v(\d+)\.\S+) = phi i64 (.*)")
_INCOMING = re.compile(r"\[ (\S+), %b(\d+) \]")
_READ = re.compile(r"  call void @read\(i64 (\d+), i64 (\S+)\)")


class Llvm(Deferred):
    """Minimal and pruned, up to LLVM's further simplifications. Look-ups are not counted."""

    def settle(self, blocks: list[Block]) -> None:
        """Let LLVM promote the variables that are read outside of the blocks that write them."""
        variables = [*exposed_reads(blocks)]
        if variables:
            text = _Text(blocks, variables, [self.undef(variable) for variable in variables])
            self._take_over(_promoted("\n".join(text.lines())), text)

    def _take_over(self, promoted: str, text: _Text) -> None:
        """Place a parameter for each φ function, then find its arguments and the values of the proxies."""
        phis: list[tuple[Placed, str]] = []
        reads: list[tuple[Placed, str]] = []
        block = text.blocks[0]
        for line in promoted.splitlines():
            if found := _BLOCK.match(line):
                block = text.blocks[int(found[1])]
            elif found := _PHI.match(line):
                parameter = self.place(text.variables[int(found[2])], block)
                text.values[found[1]] = parameter
                phis.append((parameter, found[3]))
            elif found := _READ.match(line):
                reads.append((text.proxies[int(found[1])], found[2]))
        for parameter, incoming in phis:
            from_block = {text.blocks[int(number)]: text.values[value] for value, number in _INCOMING.findall(incoming)}
            parameter.arguments = [from_block[predecessor] for predecessor in parameter.block.predecessors]
        for proxy, value in reads:
            if text.values[value] is not proxy:
                proxy.forward = text.values[value]


class _Text:
    """A function as LLVM IR. `values` has the value that each word of the text denotes."""

    def __init__(self, blocks: list[Block], variables: list[Variable], undefs: list[Value]) -> None:
        self.blocks = blocks
        self.variables = variables
        self.proxies = [proxy for block in blocks for proxy in block.proxies.values()]
        self.values: dict[str, Value] = {}
        self._undefs = undefs
        self._names: dict[Value, str] = {proxy: f"%r{number}" for number, proxy in enumerate(self.proxies)}

    def lines(self) -> Iterator[str]:
        """The lines of the text."""
        following = successors(self.blocks)
        numbers = {block: number for number, block in enumerate(self.blocks)}
        slots = {variable: f"%v{number}" for number, variable in enumerate(self.variables)}
        yield "declare void @read(i64, i64)"
        yield "define void @function(i64 %choice) {"
        for block, number in numbers.items():
            yield f"b{number}:"
            if number == 0:
                for slot, undef in zip(slots.values(), self._undefs, strict=True):
                    yield f"  {slot} = alloca i64"
                    yield f"  store i64 {self._name(undef)}, ptr {slot}"
            for variable, proxy in block.proxies.items():
                name = self._names[proxy]
                yield f"  {name} = load i64, ptr {slots[variable]}"
                yield f"  call void @read(i64 {name[2:]}, i64 {name})"
            for variable, value in block.definitions.items():
                if variable in slots:
                    yield f"  store i64 {self._name(value)}, ptr {slots[variable]}"
            yield "  " + ending([numbers[successor] for successor in following[block]])
        yield "}"

    def _name(self, value: Value) -> str:
        """The word for a value, distinct for each value."""
        if value not in self._names:
            name = self._names[value] = str(len(self.values))
            self.values[name] = value
        return self._names[value]


def ending(successors: list[int]) -> str:
    """The terminator of a block with these successors: a switch on an unknown number."""
    if not successors:
        return "ret void"
    first, *others = successors
    cases = " ".join(f"i64 {number}, label %b{successor}" for number, successor in enumerate(others))
    return f"switch i64 %choice, label %b{first} [ {cases} ]" if others else f"br label %b{first}"


def _promoted(text: str) -> str:
    """The LLVM IR `text` after the pass."""
    from llvmlite import binding

    module = binding.parse_assembly(text)
    module.verify()  # a front end that uses an undefined name must not crash LLVM
    builder = pass_builder()
    with binding.create_new_function_pass_manager() as passes:
        passes.add_sroa_pass()
        passes.run(module.get_function("function"), builder)
    return str(module)


@cache
def pass_builder() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    machine = binding.Target.from_default_triple().create_target_machine()
    return binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=0))
