"""Events: the steps of a construction, each reported to the observer after it is done.

An observer sees the algorithms step by step; it must not change anything. The events of one function are between its
`Open` and its `Close`; later passes report removals from it after that. The events of a look-up are between its `Read`
and its `Answer`. Dead code has no events.

An event has the values of its moment. A placed parameter among them may be removed later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Union

from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.ir import Call, Constant, Function, Parameter, Statement, Switch, Target, Transfer, Value
from cpsconv.source import Span


class Ending(NamedTuple):
    """A transfer as the front end requested it: its kind, fixed parts and operands, and where each edge leads.

    `fixed` holds the numbers of a switch, or the callee of a call. The arguments are those that the front end passes
    itself: to a return, or to an external.
    """

    kind: type[Transfer]
    fixed: tuple[object, ...]
    operands: tuple[Value, ...]
    edges: tuple[tuple[Target, tuple[Value, ...]], ...]


def ending_of(transfer: Transfer) -> Ending:
    """The transfer as it is now."""
    fixed: tuple[object, ...] = ()
    if isinstance(transfer, Switch):
        fixed = tuple(transfer.cases)
    elif isinstance(transfer, Call):
        fixed = (transfer.callee,)
    edges = tuple([(edge.target, tuple(edge.arguments)) for edge in transfer.edges])
    return Ending(type(transfer), fixed, tuple(transfer.operands), edges)


class Open(NamedTuple):
    """A function is opened, and its entry is entered and sealed. The writes of its parameters follow."""

    function: Function
    entry: Block


class Create(NamedTuple):
    """A new block, neither filled nor sealed."""

    block: Block


class Enter(NamedTuple):
    """`block` is entered: it is being filled from now on."""

    block: Block


class Compute(NamedTuple):
    """A statement that uses `operands` is added to `block`. Operands are resolved when the function is closed."""

    block: Block
    statement: Statement
    operands: Sequence[Value]


class Simplify(NamedTuple):
    """An operation is simplified to `value` (section 3.1)."""

    block: Block
    op: str
    operands: Sequence[Value]
    value: Value
    span: Span | None


class Decide(NamedTuple):
    """The `value` on which `block` branches is known to be `constant`: one target gets an edge (section 3.1)."""

    block: Block
    value: Value
    constant: Constant


class Fill(NamedTuple):
    """`block` is filled, by a transfer to which construction has not yet added arguments.

    From now on `block` is a predecessor of each target of the edges.
    """

    block: Block
    ending: Ending
    span: Span | None


class Seal(NamedTuple):
    """`block` is sealed: no predecessor will be added. Its proxies get their arguments next (Algorithm 4)."""

    block: Block


class Write(NamedTuple):
    """`variable` has `value` from here on in `block` (writeVariable of Algorithm 1)."""

    variable: Variable
    block: Block
    value: Value
    span: Span | None


class Read(NamedTuple):
    """The front end reads `variable` in `block` (readVariable of Algorithm 1)."""

    variable: Variable
    block: Block
    span: Span | None


class Answer(NamedTuple):
    """The result of the last `Read`."""

    variable: Variable
    block: Block
    value: Value


class Walk(NamedTuple):
    """A look-up went back through `passed`, blocks with one predecessor each, and reached `end` (Algorithm 2).

    It ends there because `value` is known there or, if that is None, because `end` is a join or not sealed.
    """

    variable: Variable
    passed: Sequence[Block]
    end: Block
    value: Value | None


class Proxy(NamedTuple):
    """`parameter` stands for a variable in a block that is not sealed (first case of Algorithm 2)."""

    parameter: Placed


class Postpone(NamedTuple):
    """`parameter` stands for the result of a look-up that waits for the complete graph (baselines only)."""

    parameter: Placed


class Place(NamedTuple):
    """`parameter` is placed at a join, still without arguments."""

    parameter: Placed


class Mark(NamedTuple):
    """A join is marked, and its predecessors are searched next (marker variant, section 3.3)."""

    variable: Variable
    join: Block


class Cycle(NamedTuple):
    """The look-up returned to a marked join: a parameter will break the cycle (marker variant, section 3.3)."""

    variable: Variable
    join: Block


class Agree(NamedTuple):
    """All predecessors of a marked join have the same value, and so has the join (marker variant, section 3.3)."""

    variable: Variable
    join: Block
    value: Value


class Visit(NamedTuple):
    """Tarjan's algorithm comes to a join for the first time (SCC variant, section 3.3)."""

    variable: Variable
    join: Block


class Component(NamedTuple):
    """A strongly connected component of the look-up is complete (SCC variant, section 3.3).

    `entering` has for each of its `joins` the values that enter the component there. If there are none, the variable is
    undefined; if there is one, this is its value; else a parameter is placed wherever a value enters.
    """

    variable: Variable
    joins: Sequence[Block]
    entering: Sequence[Sequence[Value]]


class Inherit(NamedTuple):
    """Inside a component, the only value that reaches `join` is `value` (SCC variant, section 3.3)."""

    variable: Variable
    join: Block
    value: Value


class Complete(NamedTuple):
    """`parameter` gets its `arguments`, one for each predecessor of its block (addPhiOperands of Algorithm 2)."""

    parameter: Placed
    arguments: Sequence[Value]


class Keep(NamedTuple):
    """`parameter` is not trivial, because it receives two different values, the `witnesses` (Algorithm 3)."""

    parameter: Placed
    witnesses: Sequence[Value]


class Remove(NamedTuple):
    """`parameter` is trivial and forwards to `value`. The parameters `again` are examined next (Algorithm 3)."""

    parameter: Placed
    value: Value
    again: Sequence[Placed]


class Unreachable(NamedTuple):
    """`block` is unreachable and is dropped."""

    block: Block


class Close(NamedTuple):
    """The function is finished."""

    function: Function


class Unused(NamedTuple):
    """`parameters` of a finished function are removed, because only they use each other."""

    function: Function
    parameters: Sequence[Parameter]


class Redundant(NamedTuple):
    """Parameters of a finished function are removed, each `replaced` by its only value (Algorithm 5)."""

    function: Function
    replaced: Mapping[Parameter, Value]


Event = Union[
    Open,
    Create,
    Enter,
    Compute,
    Simplify,
    Decide,
    Fill,
    Seal,
    Write,
    Read,
    Answer,
    Walk,
    Proxy,
    Postpone,
    Place,
    Mark,
    Cycle,
    Agree,
    Visit,
    Component,
    Inherit,
    Complete,
    Keep,
    Remove,
    Unreachable,
    Close,
    Unused,
    Redundant,
]

Observer = Callable[[Event], None]
"""A function that is called with each event."""


def combined(*observers: Observer | None) -> Observer | None:
    """One observer that calls each of those given, in order; None if there are none."""
    given = [observer for observer in observers if observer is not None]
    if len(given) < 2:
        return given[0] if given else None

    def observe(event: Event) -> None:
        for observer in given:
            observer(event)

    return observe
