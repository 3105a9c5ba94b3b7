"""What construction keeps in its hands: variables, blocks, and the parameters placed so far."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from cpsconv.ir import Continuation, Edge, Parameter, Scalar, Value
from cpsconv.source import Span


class BuildError(Exception):
    """A call of the Builder that makes no program: an error of the front end, not of its user."""


@dataclass(eq=False, slots=True)
class Variable:
    """A source variable. Two variables are the same only if they are one object: names may repeat."""

    name: str
    type: Scalar
    span: Span | None = None


class Block:
    """A continuation under construction: a basic block of the paper.

    `predecessors` and `edges` belong together: ``edges[i]`` leads here from ``predecessors[i]``. `definitions` is the
    paper's ``currentDef[variable][block]``, `proxies` its ``incompletePhis[block]``. `may_assign`, where it is given,
    holds every variable that a predecessor yet to come can have assigned after control last left this block. A block
    that `is_reached` can be come to from the entry; of another one that is not known yet. `walk` is the last walk that
    came through here, see `Placement.walk`.
    """

    __slots__ = (
        *("continuation", "definitions", "edges", "filled", "is_reached", "may_assign", "placed", "predecessors"),
        *("proxies", "sealed", "walk"),
    )

    def __init__(
        self,
        continuation: Continuation,
        may_assign: Container[Variable] | None = None,
        sealed: bool = False,
        filled: bool = False,
    ) -> None:
        self.continuation = continuation
        self.may_assign = may_assign
        self.sealed = sealed
        self.filled = filled
        self.predecessors: list[Block] = []
        self.edges: list[Edge] = []
        self.definitions: dict[Variable, Value] = {}
        self.proxies: dict[Variable, Placed] = {}
        self.placed: list[Placed] = []
        self.is_reached = False
        self.walk = 0

    def is_open_for(self, variable: Variable) -> bool:
        """Whether a predecessor yet to come can bring another value of `variable`."""
        return not self.sealed and (self.may_assign is None or variable in self.may_assign)


class Placed(Parameter):
    """A parameter of `block`, placed during construction for `variable`.

    `arguments` holds the value for each predecessor of the block, None until they are all known. Once the parameter is
    removed, `forward` is the value that stands for it.

    Its *witnesses* (section 3.1) are two distinct values among the first `scanned` arguments, or as many as there are:
    they prove that it is not trivial. `watchers` are the parameters that have this one as a witness. As long as no
    witness is removed the proof stands, so the watchers are all that a removal concerns.
    """

    __slots__ = ("arguments", "block", "forward", "scanned", "variable", "watchers", "witnesses")

    def __init__(self, variable: Variable, block: Block) -> None:
        super().__init__(variable.type, variable.name, variable.span)
        self.variable = variable
        self.block = block
        self.arguments: list[Value] | None = None
        self.forward: Value | None = None
        self.witnesses: list[Value] = []
        self.watchers: list[Placed] = []
        self.scanned = 0

    def find_witnesses(self) -> list[Value]:
        """At most two distinct values, other than itself, that the parameter receives; with fewer it is trivial.

        Arguments that an earlier call has seen are not scanned again: up to the second witness they were all equal to
        the first or to the parameter.
        """
        assert self.arguments is not None
        known, self.witnesses = self.witnesses, []
        for witness in known:
            self._add_witness(resolve(witness))
        while len(self.witnesses) < 2 and self.scanned < len(self.arguments):
            value = resolve(self.arguments[self.scanned])
            self.scanned += 1
            if self._add_witness(value) and type(value) is Placed:
                value.watchers.append(self)
        return self.witnesses

    def _add_witness(self, value: Value) -> bool:
        is_new = value is not self and value not in self.witnesses
        if is_new:
            self.witnesses.append(value)
        return is_new

    def forget_witnesses(self) -> None:
        """Start again: the arguments have changed."""
        self.witnesses, self.scanned = [], 0


def resolve(value: Value) -> Value:
    """What stands for `value` now that parameters have been removed: follows forwards, and shortens their chain."""
    if type(value) is not Placed or value.forward is None:
        return value
    end: Value = value
    while type(end) is Placed and end.forward is not None:
        end = end.forward
    while type(value) is Placed and value.forward is not None and value is not end:
        value.forward, value = end, value.forward
    return end


def successors(blocks: Iterable[Block]) -> dict[Block, list[Block]]:
    """For each block those that it leads to, as often as it does."""
    following: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block in following:
        for predecessor in block.predecessors:
            following[predecessor].append(block)
    return following
