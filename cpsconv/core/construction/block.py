"""The data of a construction: variables, blocks, and placed parameters."""

from __future__ import annotations

from collections.abc import Container, Iterable

from cpsconv.core.ir import NO_ATTRIBUTES, Attributes, Continuation, Edge, Parameter, Scalar, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span

_MANY = 64  # arguments of a parameter, more than an observer is told


class BuildError(Exception):
    """A wrong call of the Builder or of `Reconstruction`: an error of the caller, not of the source program."""


class Variable(metaclass=NodeType):
    """A source variable. Variables are compared by identity, since names may repeat.

    The parameters that are placed for it have its `attributes`.
    """

    name: str
    type: Scalar
    span: Span | None = None
    attributes: Attributes = NO_ATTRIBUTES


class Block:
    """A continuation under construction: a basic block of the paper.

    ``edges[i]`` leads here from ``predecessors[i]``. `definitions` is the paper's ``currentDef[variable][block]``, and
    `proxies` its ``incompletePhis[block]``. `may_assign`, unless None, holds every variable that a future predecessor
    may have assigned since control last left this block. If `is_reached` is set, the block is reachable from the entry;
    otherwise this is not known yet. `walk` is the number of the last walk that passed this block (`Placement.walk`).
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
        """Whether a read of `variable` needs a proxy, since a future predecessor may pass another value.

        With a single known predecessor, `may_assign` can exclude this. With several, it cannot: a parameter for their
        values would need an argument from each future predecessor, too.
        """
        if self.sealed:
            return False
        return self.may_assign is None or variable in self.may_assign or len(self.predecessors) != 1


class Placed(Parameter):
    """A parameter of `block`, placed during construction for `variable`.

    `arguments` holds one value for each predecessor of the block, or is None until all are known. After the parameter
    has been removed, `forward` is the value that replaces it.

    The `witnesses` (section 3.1) are at most two distinct values among the first `scanned` arguments. Two of them prove
    that the parameter is not trivial, until one of them is removed. The `watchers` are the parameters that have this
    one as a witness; they are examined again when it is removed.
    """

    __slots__ = ("arguments", "block", "forward", "scanned", "variable", "watchers", "witnesses")

    def __init__(self, variable: Variable, block: Block) -> None:
        super().__init__(variable.type, variable.name, variable.span, variable.attributes)
        self.variable = variable
        self.block = block
        self.arguments: list[Value] | None = None
        self.forward: Value | None = None
        self.witnesses: list[Value] = []
        self.watchers: list[Placed] = []
        self.scanned = 0

    def find_witnesses(self, ignored: type[Value] | None = None) -> list[Value]:
        """The first two distinct values, other than itself, that the parameter receives. With fewer, it is trivial.

        Values of a class that is `ignored` are no witnesses. Arguments before the second witness equal the first
        witness or the parameter. So they are scanned only once.
        """
        assert self.arguments is not None
        known, self.witnesses = self.witnesses, []
        for witness in known:
            self._add_witness(resolve(witness))
        while len(self.witnesses) < 2 and self.scanned < len(self.arguments):
            value = resolve(self.arguments[self.scanned])
            self.scanned += 1
            if type(value) is not ignored and self._add_witness(value) and type(value) is Placed:
                value.watchers.append(self)
        return self.witnesses

    def distinct_values(self) -> list[Value]:
        """All distinct values, other than itself, that the parameter receives; none if it has many arguments.

        It is called for observers, again and again if witnesses are removed: so it must not scan many arguments.
        """
        few = self.arguments if self.arguments and len(self.arguments) <= _MANY else ()
        return [*dict.fromkeys(value for value in map(resolve, few) if value is not self)]

    def _add_witness(self, value: Value) -> bool:
        is_new = value is not self and value not in self.witnesses
        if is_new:
            self.witnesses.append(value)
        return is_new


def resolve(value: Value) -> Value:
    """The value that replaces `value` after removals. The chain of forwards that leads there is shortened."""
    if type(value) is not Placed or value.forward is None:
        return value
    end: Value = value
    while type(end) is Placed and end.forward is not None:
        end = end.forward
    while type(value) is Placed and value.forward is not None and value is not end:
        value.forward, value = end, value.forward
    return end


def successors(blocks: Iterable[Block]) -> dict[Block, list[Block]]:
    """For each block its successors, one item for each edge."""
    following: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block in following:
        for predecessor in block.predecessors:
            following[predecessor].append(block)
    return following
