"""The control flow of a function in Bril: basic blocks, and the variables that are assigned at each of them.

Bril's interpreter ends the run at a read of a variable that was not assigned, and at a use of an ``undef`` other than a
copy. Both are tested in the program only where the analysis cannot exclude them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cpsconv.analysis.dominance import Dominance
from cpsconv.analysis.graph import reverse_postorder_from
from cpsconv.frontends.bril.tree import Function, Instruction, Label
from cpsconv.frontends.bril.types import TERMINATORS

COPIES = ("id", "set", "get", "phi")
"""The operations that copy a value, which may be undefined."""


@dataclass(eq=False, slots=True)
class Block:
    """A basic block: its label, its φ functions, and its instructions, of which only the last can be a terminator."""

    label: Label | None
    phis: list[Instruction] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)
    successors: list[Block] = field(default_factory=list)

    @property
    def terminator(self) -> Instruction | None:
        """The last instruction, if it is a terminator. Without one, control continues with the next block."""
        last = self.instructions[-1:]
        return last[0] if last and last[0].op in TERMINATORS else None

    @property
    def name(self) -> str:
        return self.label.name if self.label else "entry"


def blocks_of(function: Function) -> list[Block]:
    """The blocks that control can reach, in source order; the first one has no label.

    φ functions after other instructions of their block remain among its instructions.
    """
    blocks = [Block(None)]
    for line in function.lines:
        last = blocks[-1]
        if isinstance(line, Label):
            blocks.append(Block(line))
        elif last.terminator is None:
            (last.phis if line.op == "phi" and not last.instructions else last.instructions).append(line)
    labelled = {block.label.name: block for block in blocks if block.label}
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if terminator := block.terminator:
            block.successors = [labelled[label.text] for label in terminator.labels]
        elif following:
            block.successors = [following]
    reached = {*reverse_postorder(blocks[0])}
    return [block for block in blocks if block in reached]


def reverse_postorder(entry: Block) -> list[Block]:
    """The blocks reachable from `entry`, each before its successors, except along back edges."""
    return reverse_postorder_from(entry, lambda block: block.successors[::-1])


def shadow(name: str) -> str:
    """The name of the shadow variable between the `set` and the `get` of a variable. No variable has a space."""
    return f"set {name}"


def reads(instruction: Instruction) -> list[str]:
    """The names of the variables that the instruction reads."""
    if instruction.op == "set":
        return [instruction.arguments[1].text]
    if instruction.op == "get" and instruction.destination:
        return [shadow(instruction.destination.text)]
    return [argument.text for argument in instruction.arguments]


def written(instruction: Instruction) -> str | None:
    """The name of the variable that the instruction assigns."""
    if instruction.op == "set":
        return shadow(instruction.arguments[0].text)
    return instruction.destination.text if instruction.destination else None


class Initialisation:
    """Which variables are assigned, and which have a value other than ``undef``, on all paths: a forward analysis.

    `uncertain` has the variables for which this is not evident; the others are always assigned, and never ``undef``.
    A state is a set of facts in the bits of an integer: two for each uncertain variable. `starts` has the state at the
    start of each block.
    """

    def __init__(self, function: Function, blocks: Sequence[Block]) -> None:
        parameters = {parameter.name.text for parameter in function.parameters}
        self.uncertain = dict.fromkeys(_exposed(blocks, parameters) | _maybe_undef(blocks))
        self._bits = {name: 1 << 2 * number for number, name in enumerate(self.uncertain)}
        self._all = (1 << 2 * len(self._bits)) - 1
        self.starts = dict.fromkeys(blocks, self._all)
        first = 0
        for name in parameters & self._bits.keys():
            first |= 3 * self._bits[name]
        self.starts[blocks[0]] = first
        if self.uncertain:
            self._solve(reverse_postorder(blocks[0]))

    def is_assigned(self, name: str, state: int) -> bool:
        """Whether the variable is assigned on all paths."""
        return name not in self._bits or bool(state & self._bits[name])

    def is_defined(self, name: str, state: int) -> bool:
        """Whether the variable is not ``undef`` on any path on which it is assigned."""
        return name not in self._bits or bool(state & self._bits[name] << 1)

    def after(self, instruction: Instruction, state: int) -> int:
        """The state after an instruction, which has checked the variables that it reads.

        A decisive first operand of `and` and `or` leaves the second one unchecked.
        """
        sources = reads(instruction)
        for name in sources[:1] if instruction.op in ("and", "or") else sources:
            state |= self._bits.get(name, 0) * (1 if instruction.op in COPIES else 3)
        target = written(instruction)
        if target is None or target not in self._bits:
            return state
        is_defined = instruction.op != "undef"
        if instruction.op in COPIES:
            is_defined = all(self.is_defined(source, state) for source in sources)
        return self._with(state, target, True, is_defined)

    def along(self, block: Block, target: Block, state: int) -> int:
        """The state at the start of `target` for the `state` at the end of `block`, after the φ functions."""
        after = state
        for phi in target.phis:
            name, source = str(written(phi)), incoming(phi, block)
            if name in self._bits:
                is_assigned = source is not None and self.is_assigned(source, state)
                after = self._with(after, name, is_assigned, source is not None and self.is_defined(source, state))
        return after

    def _with(self, state: int, name: str, is_assigned: bool, is_defined: bool) -> int:
        bit = self._bits[name]
        return state & ~(3 * bit) | bit * is_assigned | (bit << 1) * is_defined

    def _solve(self, order: Sequence[Block]) -> None:
        changed = True
        while changed:
            changed = False
            for block in order:
                state = self.starts[block]
                for instruction in block.instructions:
                    state = self.after(instruction, state)
                for target in block.successors:
                    met = self.starts[target] & self.along(block, target, state)
                    changed = changed or met != self.starts[target]
                    self.starts[target] = met


def incoming(phi: Instruction, block: Block) -> str | None:
    """The variable that a φ function reads if control comes from `block`; None if the φ function has no such label."""
    name = block.label.name if block.label else None
    pairs = zip(phi.labels, phi.arguments, strict=False)
    return next((argument.text for label, argument in pairs if label.text == name), None)


def _exposed(blocks: Sequence[Block], parameters: set[str]) -> set[str]:
    """The variables that are read in a block that no block with an assignment dominates, before an assignment there."""
    tree = Dominance(blocks[0], lambda block: block.successors, blocks)
    assigned: dict[str, list[Block]] = {}
    for block in blocks:
        for name in filter(None, map(written, [*block.phis, *block.instructions])):
            assigned.setdefault(name, []).append(block)
    found: set[str] = set()
    for name, block in _upward_exposed(blocks):
        above = assigned.get(name, ())
        if name not in parameters and not any(each is not block and tree.dominates(each, block) for each in above):
            found.add(name)
    return found


def _upward_exposed(blocks: Sequence[Block]) -> Iterator[tuple[str, Block]]:
    """Each variable with a block that reads it before it assigns it. φ functions read at the end."""
    for block in blocks:
        assigned = {written(phi) for phi in block.phis}
        for instruction in block.instructions:
            for name in reads(instruction):
                if name not in assigned:
                    yield name, block
            assigned.add(written(instruction))
        for target in block.successors:
            for phi in target.phis:
                source = incoming(phi, block)
                if source is not None and source not in assigned:
                    yield source, block


def _maybe_undef(blocks: Sequence[Block]) -> set[str]:
    """The variables that ``undef`` may reach through copies. A φ function without an operand for a block counts too."""
    copies: dict[str, list[str]] = {}
    pending = []
    for block in blocks:
        for instruction in [*block.phis, *block.instructions]:
            target = written(instruction)
            if target is None:
                continue
            if instruction.op == "undef":
                pending.append(target)
            elif instruction.op in COPIES:
                for source in reads(instruction):
                    copies.setdefault(source, []).append(target)
        for following in block.successors:
            pending += [str(written(phi)) for phi in following.phis if incoming(phi, block) is None]
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += copies.get(name, ())
    return found


def constants_of(function: Function) -> dict[str, set[object]]:
    """The values of each variable that only ``const`` assigns."""
    found: dict[str, set[object]] = {}
    others = {parameter.name.text for parameter in function.parameters}
    for line in function.lines:
        if isinstance(line, Instruction) and line.destination:
            if line.op == "const":
                found.setdefault(line.destination.text, set()).add(line.value)
            else:
                others.add(line.destination.text)
    return {name: values for name, values in found.items() if name not in others}
