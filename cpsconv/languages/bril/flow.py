"""The control flow of a function in Bril: basic blocks, and the variables that are assigned at each of them.

Bril's interpreter ends the run at a read of a variable that was not assigned, and at a use of an ``undef`` other than a
copy. Both are tested in the program only where the analysis cannot exclude them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from cpsconv.core.analysis.graph import depth_first, reverse_postorder_from
from cpsconv.core.construction import Block as Continuation
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import BOOL, Undef, Value
from cpsconv.languages.blocks import entered
from cpsconv.languages.bril.tree import Function, Instruction, Label, Word
from cpsconv.languages.bril.types import TERMINATORS
from cpsconv.languages.uses import HOLDS, Uses

PASS = "pass"
"""A part of a φ function: a copy to or from a variable of an edge. A variable that is not assigned is copied, too."""

COPIES = ("id", "set", "get", PASS)
"""The operations that copy a value, which may be undefined."""


@dataclass(eq=False, slots=True)
class Block:
    """A basic block: its label, and its instructions, of which only the last can be a terminator.

    A φ function is a copy at the start of its block, and `copies` in the blocks before, which follow the terminator.
    `count` is the number of instructions in the source.
    """

    label: Label | None
    instructions: list[Instruction] = field(default_factory=list)
    copies: list[Instruction] = field(default_factory=list)
    successors: list[Block] = field(default_factory=list)
    count: int = 0

    @property
    def terminator(self) -> Instruction | None:
        """The last instruction, if it is a terminator. Without one, control continues with the next block."""
        last = self.instructions[-1:]
        return last[0] if last and last[0].op in TERMINATORS else None

    @property
    def name(self) -> str:
        return self.label.name if self.label else "entry"


def blocks_of(function: Function, assigned: Container[str]) -> list[Block]:
    """The blocks that control can reach, in source order; the first one has no label.

    Only φ functions can have operands that are not `assigned` anywhere: variables without a value.
    """
    blocks = [Block(None)]
    for line in function.lines:
        last = blocks[-1]
        if isinstance(line, Label):
            blocks.append(Block(line))
        elif last.terminator is None:
            last.instructions.append(line)
            last.count += 1
    labelled = {block.label.name: block for block in blocks if block.label}
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if terminator := block.terminator:
            block.successors = [labelled[label.text] for label in terminator.labels]
        elif following:
            block.successors = [following]
    reached = {*reverse_postorder(blocks[0])}
    found = [block for block in blocks if block in reached]
    phis = {block: [*takewhile(lambda each: each.op == "phi", block.instructions)] for block in found}
    operands = {phi: _operands(phi, assigned) for each in phis.values() for phi in each}
    for block in found:
        label = block.label.name if block.label else ""
        for target in dict.fromkeys(block.successors):
            block.copies += [
                Instruction(PASS, phi.span, _edge(phi, target), arguments=operands[phi].get(label, []))
                for phi in phis[target]
            ]
        block.instructions[: len(phis[block])] = [
            Instruction(PASS, phi.span, phi.destination, arguments=[_edge(phi, block)]) for phi in phis[block]
        ]
    return found


def _edge(phi: Instruction, target: Block) -> Word:
    """The variable of the edges to `target`, for the φ function in it."""
    assert phi.destination
    return Word(f"{phi.destination.text} at {target.name}", phi.span)


def _operands(phi: Instruction, assigned: Container[str]) -> dict[str, list[Word]]:
    """For each label of the φ function the operand for edges from there; none if it has no value."""
    pairs = [(label.text, argument) for label, argument in zip(phi.labels, phi.arguments, strict=True)]
    first = dict(reversed(pairs))
    return {label: [operand] if operand.text in assigned else [] for label, operand in first.items()}


def reverse_postorder(entry: Block) -> list[Block]:
    """The blocks reachable from `entry`, each before its successors, except along back edges."""
    return reverse_postorder_from(entry, lambda block: block.successors)


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


def construct(b: Builder, blocks: Sequence[Block], fill: Callable[[Block, list[Continuation]], None]) -> None:
    """Call `fill` for each block, in reverse postorder, with the continuations of its successors."""
    entry, *labelled = blocks
    continuations = {each: b.continuation(each.name, span=each.label.span) for each in labelled if each.label}
    for block in entered(b, {block: block.successors for block in reverse_postorder(entry)}, continuations):
        fill(block, [continuations[each] for each in block.successors])


class Flags:
    """Variables of the program that state whether each of its variables is assigned, and not ``undef``.

    Only variables in `names` have flags, all without `names`; others are assigned and defined.
    """

    def __init__(self, builder: Builder, false: Value, names: Container[str] | None = None) -> None:
        self._b, self._false, self._names = builder, false, names
        self._variables: dict[str, Variable] = {}

    def __contains__(self, name: str | None) -> bool:
        return name is not None and (self._names is None or name in self._names)

    def assigned(self, name: str) -> Variable:
        """The flag of an assigned variable."""
        return self._variable(f"{name} is assigned")

    def defined(self, name: str) -> Variable:
        """The flag of a variable with a value other than ``undef``."""
        return self._variable(f"{name} is defined")

    def _variable(self, name: str) -> Variable:
        return self._variables.setdefault(name, Variable(name, BOOL))

    def set(self, name: str, assigned: Value = HOLDS, defined: Value = HOLDS) -> None:
        """Assign to the flags of a variable."""
        self._b.write_variable(self.assigned(name), assigned)
        self._b.write_variable(self.defined(name), defined)

    def write(self, each: Instruction) -> None:
        """Record that the instruction assigns to its variable, and whether it assigns ``undef``."""
        name = written(each)
        if name is None or name not in self:
            return
        assigned = HOLDS if each.op != PASS or reads(each) else self._false
        defined = assigned if each.op != "undef" else self._false
        if each.op in COPIES and reads(each) and (source := reads(each)[0]) in self:
            defined = self._b.read_variable(self.defined(source))
            if each.op == PASS:
                assigned = self._b.read_variable(self.assigned(source))
        self.set(name, assigned, defined)


Read = tuple[Instruction, str]
"""A use of a flag: the instruction that reads a variable, and the name of the flag."""


def uncertain_reads(function: Function, blocks: Sequence[Block]) -> set[Read]:
    """The reads of variables that may not be assigned, or be ``undef``, in terms of flags.

    An instruction checks what it reads, so that later reads are certain; but a decisive first operand of `and` and `or`
    leaves the second one unchecked.
    """
    uses = Uses[Read]()
    b = uses.builder
    flags = Flags(b, Undef(BOOL, ""))

    def fill(block: Block, targets: list[Continuation]) -> None:
        for each in [*block.instructions, *block.copies]:
            for number, name in enumerate(reads(each) if each.op != PASS else ()):
                checked = [flags.assigned(name)] if each.op in COPIES else [flags.assigned(name), flags.defined(name)]
                for flag in checked:
                    uses.add(flag, (each, flag.name))
                    if number == 0 or each.op not in ("and", "or"):
                        b.write_variable(flag, HOLDS)
            flags.write(each)
        if len(targets) > 1:
            b.branch(HOLDS, targets[0], targets[1])
        elif targets:
            b.jump(targets[0])
        else:
            b.ret()

    instructions = [each for block in blocks for each in [*block.instructions, *block.copies]]
    for name in dict.fromkeys(name for each in instructions for name in reads(each)):
        b.write_variable(flags.defined(name), HOLDS)  # until `undef` is assigned
    for parameter in function.parameters:
        flags.set(parameter.name.text)
    construct(b, blocks, fill)
    return {*uses.unassigned()}


def flagged(blocks: Sequence[Block], uncertain: set[Read]) -> set[str]:
    """The variables whose flags uncertain reads need: those read, and those that are copied to them."""
    copies: dict[str, list[str]] = {}
    for each in (each for block in blocks for each in [*block.instructions, *block.copies]):
        if each.op in COPIES:
            copies.setdefault(str(written(each)), []).extend(reads(each))
    names = [name for each, flag in uncertain for name in reads(each) if flag.startswith(f"{name} is ")]
    return {name for name, _ in depth_first(names, lambda name: copies.get(name, []))}


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
