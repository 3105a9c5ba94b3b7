"""Events: the steps of a construction, each reported to the observer after it is done.

An observer must not change anything. The events of a function lie between its `Open` and its `Close`, except for
removals by later passes, and for reconstruction. `Assemble` follows the last `Close`. The events of a look-up lie
between its `Read` and its `Answer`. Dead code has no events, except that its blocks are created, entered, sealed and
filled (without predecessors, by a jump to `abort`).

A finished function may be changed and reconstructed (section 5.1), several times. Each change by jump threading is a
`Redirect`. The events of a reconstruction follow its `Reconstruct`: a `Compute` for each statement of a copy, a `Write`
for each definition, and for each use a `Read`, its look-up, the `Answer`, and a `Replace` if the use changes.

An event has the values of its moment. A placed parameter among them may be removed later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.ir import (
    Call,
    Constant,
    Continuation,
    ForeignTransfer,
    Function,
    Parameter,
    Program,
    Statement,
    Switch,
    Target,
    Transfer,
    Value,
)
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span


class Ending(NamedTuple):
    """A transfer as the front end requested it.

    `fixed` holds the numbers of a switch, the callee of a call, or the text of a foreign transfer. `edges` has the
    target of each edge, and the arguments that the front end passes: to a return, or to an external.
    """

    kind: type[Transfer]
    fixed: tuple[object, ...]
    operands: tuple[Value, ...]
    edges: tuple[tuple[Target, tuple[Value, ...]], ...]


def ending_of(transfer: Transfer) -> Ending:
    """The `Ending` for the current state of a transfer."""
    fixed: tuple[object, ...] = ()
    if isinstance(transfer, Switch):
        fixed = tuple(transfer.cases)
    elif isinstance(transfer, Call):
        fixed = (transfer.callee,)
    elif isinstance(transfer, ForeignTransfer):
        fixed = (transfer.text,)
    operands = transfer.passed if isinstance(transfer, Call) else transfer.operands
    edges = tuple([(edge.target, tuple(edge.arguments)) for edge in transfer.edges])
    return Ending(type(transfer), fixed, tuple(operands), edges)


class Event(metaclass=NodeType):
    """A step. Two events are equal if they are of one class and their fields are equal."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields() == other._fields()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._fields().items())})"

    def _fields(self) -> dict[str, object]:
        names: Sequence[str] = type(self).__match_args__
        return {name: getattr(self, name) for name in names}


class SourceEvent(Event):
    """A step that the front end requested."""


class LookUpEvent(Event):
    """A step of a look-up or a removal."""


class ReconstructionEvent(Event):
    """A step after the construction, in the reconstruction of a changed function."""


class Open(SourceEvent):
    """A function is opened, and its entry is sealed and entered. The writes of its parameters follow."""

    function: Function
    entry: Block


class Create(SourceEvent):
    """A new block, neither filled nor sealed. It is created for the `operator` of the source, if there is one."""

    block: Block
    operator: str = ""


class Enter(SourceEvent):
    """`block` is entered, to be filled."""

    block: Block


class Compute(SourceEvent):
    """A statement with `operands` is added to `block`. Operands are resolved when the function is closed."""

    block: Block
    statement: Statement
    operands: Sequence[Value]


class Simplify(SourceEvent):
    """An operation is simplified to `value` (section 3.1)."""

    block: Block
    op: str
    operands: Sequence[Value]
    value: Value
    span: Span | None


class Decide(SourceEvent):
    """The `value` on which `block` branches is known to be `constant`: one target gets an edge (section 3.1)."""

    block: Block
    value: Value
    constant: Constant


class Fill(SourceEvent):
    """`block` is filled, and is now a predecessor of each target of the edges.

    Construction has not yet added arguments to the transfer.
    """

    block: Block
    ending: Ending
    span: Span | None


class Seal(SourceEvent):
    """`block` is sealed: no predecessor will be added. Its proxies get their arguments next (Algorithm 4)."""

    block: Block


class Write(SourceEvent):
    """`variable` has `value` from here on in `block` (writeVariable of Algorithm 1)."""

    variable: Variable
    block: Block
    value: Value
    span: Span | None


class Read(SourceEvent):
    """The front end reads `variable` in `block` (readVariable of Algorithm 1)."""

    variable: Variable
    block: Block
    span: Span | None


class Answer(SourceEvent):
    """The result of the last `Read`."""

    variable: Variable
    block: Block
    value: Value


class Walk(LookUpEvent):
    """A look-up passed the blocks `passed`, which have one predecessor each, and reached `end` (Algorithm 2).

    There it found `value`. If `value` is None, `end` is a join or not sealed.
    """

    variable: Variable
    passed: Sequence[Block]
    end: Block
    value: Value | None


class Record(LookUpEvent):
    """A look-up recorded `value` as the definition of `variable` in `blocks` (writeVariable in Algorithm 2).

    So a `Write`, or the last record, is the definition of a variable in a block.
    """

    variable: Variable
    blocks: Sequence[Block]
    value: Value


class Proxy(LookUpEvent):
    """`parameter` is placed in a block that is not sealed (first case of Algorithm 2)."""

    parameter: Placed


class Postpone(LookUpEvent):
    """`parameter` denotes the result of a look-up that is deferred to the complete graph (baselines only)."""

    parameter: Placed


class Frontier(Event):
    """`variable` gets parameters in the `joins`, where it is live, of the iterated dominance frontier of its `writes`.

    (Baselines only.)
    """

    variable: Variable
    writes: Sequence[Block]
    joins: Sequence[Block]


class Search(Event):
    """The walk over the complete graph, which resolves postponed reads, begins at `entry` (baselines only)."""

    entry: Block


class Push(LookUpEvent):
    """`value`, which `block` gives `variable`, is on top of the stack of `variable` now (baselines only)."""

    variable: Variable
    block: Block
    value: Value


class Rename(LookUpEvent):
    """The postponed `parameter` is found to be `value`, which replaces it (baselines only)."""

    parameter: Placed
    value: Value


class Place(LookUpEvent):
    """`parameter` is placed at a join, still without arguments."""

    parameter: Placed


class Mark(LookUpEvent):
    """A join is marked, and its predecessors are searched next (marker variant, section 3.3)."""

    variable: Variable
    join: Block


class Cycle(LookUpEvent):
    """The look-up returned to a marked join: a parameter will break the cycle (marker variant, section 3.3)."""

    variable: Variable
    join: Block


class Agree(LookUpEvent):
    """All predecessors of a marked join have the same value, and so has the join (marker variant, section 3.3)."""

    variable: Variable
    join: Block
    value: Value


class Visit(LookUpEvent):
    """Tarjan's algorithm visits a join (SCC variant, section 3.3)."""

    variable: Variable
    join: Block


class Component(LookUpEvent):
    """A strongly connected component of the look-up is complete (SCC variant, section 3.3).

    `entering` has for each of its `joins` the values that enter the component there, and `counted` those of them that
    count (`cpsconv.core.analysis.undefined_operands`). If no value enters, the variable is undefined; if one value
    counts, the variable has it; else a parameter is placed wherever a value enters.
    """

    variable: Variable
    joins: Sequence[Block]
    entering: Sequence[Sequence[Value]]
    counted: Collection[Value]


class Inherit(LookUpEvent):
    """Inside a component, the only value that reaches `join` is `value` (SCC variant, section 3.3)."""

    variable: Variable
    join: Block
    value: Value


class Resume(LookUpEvent):
    """The proxy `parameter` gets its operands next, since its block is being sealed (strategy `paper` only)."""

    parameter: Placed


class Operand(LookUpEvent):
    """`argument`, from predecessor `number` (from 0), is appended to `parameter` (`paper` and baselines)."""

    parameter: Placed
    argument: Value
    number: int


class Complete(LookUpEvent):
    """`parameter` gets its `arguments`, one for each predecessor of its block (addPhiOperands of Algorithm 2)."""

    parameter: Placed
    arguments: Sequence[Value]


class Keep(LookUpEvent):
    """`parameter` is not trivial, because it receives two different values, the `witnesses` (Algorithm 3).

    `distinct` are all different values that it receives, in the order of the predecessors; empty if it has many edges.
    """

    parameter: Placed
    witnesses: Sequence[Value]
    distinct: Sequence[Value]


class Remove(LookUpEvent):
    """`parameter` is trivial and forwards to `value`. The parameters `again` are examined next (Algorithm 3)."""

    parameter: Placed
    value: Value
    again: Sequence[Placed]


class Unreachable(Event):
    """`block` is unreachable and is dropped."""

    block: Block


class Close(SourceEvent):
    """The function is finished."""

    function: Function


class Assemble(SourceEvent):
    """The finished functions, and all that the front end stated beside them, form the `program`.

    Its structs and data still have the names that the front end gave to them.
    """

    program: Program


class Unused(Event):
    """`parameters` of a finished function are removed: their only uses are as arguments of each other."""

    function: Function
    parameters: Sequence[Parameter]


class RedundancyCheck(Event):
    """Algorithm 5 processes an SCC of parameters of a finished function (strategy `paper` only).

    `inner` are the members that receive only members; `outer` are the other values that members receive. If there is
    one, `Redundant` follows; if there are several, the SCCs of `inner` are processed next. An SCC of a single member
    that is not trivial is skipped, without `inner` and `outer`.
    """

    function: Function
    members: Sequence[Parameter]
    inner: Sequence[Parameter]
    outer: Sequence[Value]


class Redundant(Event):
    """Redundant parameters of a finished function are `replaced` by their only values (Algorithm 5)."""

    function: Function
    replaced: Mapping[Parameter, Value]


class Redirect(ReconstructionEvent):
    """The edge from `source` to `original` is redirected to `copy`, a copy of `original` (jump threading).

    On this edge, `original` always leads to `target`, and so the copy jumps to it. `span` is the location of the jump.
    """

    function: Function
    source: Continuation
    original: Continuation
    copy: Continuation
    target: Target
    span: Span | None


class Reconstruct(ReconstructionEvent):
    """A reconstruction of `function`, which has changed, begins (section 5.1).

    It has one of the `blocks` for each continuation, all sealed and filled. A read in a block that is not among them is
    a read at the start of a continuation that writes the variable.
    """

    function: Function
    blocks: Sequence[Block]


class Replace(ReconstructionEvent):
    """A use of `value` in `block`, or in the edges that leave it, becomes a use of `replacement` (section 5.1).

    The `replacement` is the value of `variable` that was read there.
    """

    variable: Variable
    block: Block
    value: Value
    replacement: Value
    span: Span | None


Observer = Callable[[Event], None]
"""A function that is called with each event."""


def combined(*observers: Observer | None) -> Observer | None:
    """An observer that calls all given ones in order; None if all are None."""
    given = [observer for observer in observers if observer is not None]
    if len(given) < 2:
        return given[0] if given else None

    def observe(event: Event) -> None:
        for observer in given:
            observer(event)

    return observe
