"""The control flow of a function in Bril: basic blocks, and the variables that are assigned at each of them.

Bril's interpreter ends the run at a read of a variable that was not assigned, and at a use of an ``undef`` other than a
copy. Both are tested in the program only where the analysis cannot exclude them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field

from cpsconv.analysis.graph import depth_first, reverse_postorder_from
from cpsconv.construction import Block as Continuation
from cpsconv.construction import Builder, Variable
from cpsconv.frontends.bril.tree import Function, Instruction, Label
from cpsconv.frontends.bril.types import TERMINATORS
from cpsconv.frontends.uses import HOLDS, Uses
from cpsconv.ir import BOOL, Undef, Value

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


def construct(b: Builder, blocks: Sequence[Block], fill: Callable[[Block, list[Continuation]], None]) -> None:
    """Call `fill` for each block, with the continuations of its successors, in the open function.

    The blocks are filled in reverse postorder, so that most predecessors of a block are filled before it.
    """
    entry, *labelled = blocks
    targets = {each: b.continuation(each.name, span=each.label.span) for each in labelled if each.label}
    waiting = Counter(target for block in blocks for target in block.successors)
    for block in reverse_postorder(entry):
        if block is not entry:
            b.enter(targets[block])
        fill(block, [targets[each] for each in block.successors])
        for target in block.successors:
            waiting[target] -= 1
            if not waiting[target]:
                b.seal(targets[target])


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
        defined = self._false if each.op == "undef" else HOLDS
        if each.op in COPIES and (source := reads(each)[0]) in self:
            defined = self._b.read_variable(self.defined(source))
        self.set(name, defined=defined)

    def pass_(self, block: Block, target: Block) -> None:
        """Assign the flags that the φ functions of `target` have for control from `block`."""
        for phi in target.phis:
            source, name = incoming(phi, block), str(written(phi))
            for flag in (self.assigned, self.defined) if name in self else ():
                known = self._false if source is None else HOLDS
                if source is not None and source in self:
                    known = self._b.read_variable(flag(source))
                self._b.write_variable(self._variable(f"{flag(name).name} at {target.name}"), known)

    def join(self, block: Block) -> None:
        """Assign to the flags of φ functions, at the start of their block."""
        names = [name for phi in block.phis if (name := str(written(phi))) in self]
        flags = [flag for name in names for flag in (self.assigned(name), self.defined(name))]
        values = [self._b.read_variable(self._variable(f"{flag.name} at {block.name}")) for flag in flags]
        for flag, value in zip(flags, values, strict=True):
            self._b.write_variable(flag, value)


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
        flags.join(block)
        for each in block.instructions:
            for number, name in enumerate(reads(each)):
                checked = [flags.assigned(name)] if each.op in COPIES else [flags.assigned(name), flags.defined(name)]
                for flag in checked:
                    uses.add(flag, (each, flag.name))
                    if number == 0 or each.op not in ("and", "or"):
                        b.write_variable(flag, HOLDS)
            flags.write(each)
        for target in dict.fromkeys(block.successors):
            flags.pass_(block, target)
        if len(targets) > 1:
            b.branch(HOLDS, targets[0], targets[1])
        elif targets:
            b.jump(targets[0])
        else:
            b.ret()

    instructions = [each for block in blocks for each in [*block.phis, *block.instructions]]
    for name in dict.fromkeys(name for each in instructions for name in reads(each)):
        b.write_variable(flags.defined(name), HOLDS)  # until `undef` is assigned
    for parameter in function.parameters:
        flags.set(parameter.name.text)
    construct(b, blocks, fill)
    return {*uses.unassigned()}


def flagged(blocks: Sequence[Block], uncertain: set[Read]) -> set[str]:
    """The variables whose flags uncertain reads need: those read, and those that are copied to them."""
    copies: dict[str, list[str]] = {}
    for each in (each for block in blocks for each in [*block.phis, *block.instructions]):
        if each.op in COPIES:
            copies.setdefault(str(written(each)), []).extend(reads(each))
    names = [name for each, flag in uncertain for name in reads(each) if flag.startswith(f"{name} is ")]
    return {name for name, _ in depth_first(names, lambda name: copies.get(name, []))}


def incoming(phi: Instruction, block: Block) -> str | None:
    """The variable that a φ function reads if control comes from `block`; None if the φ function has no such label."""
    name = block.label.name if block.label else None
    pairs = zip(phi.labels, phi.arguments, strict=False)
    return next((argument.text for label, argument in pairs if label.text == name), None)


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
