"""What construction reports to an observer: an event for each thing that it does, told when it is done.

An observer sees the work of the algorithms step by step; it must not change anything. The events of one function come
between its `Open` and its `Close`; what is removed from it afterwards comes later. Between a `Read` and its `Answer`
stands what the look-up did.

Values are told as they are at that moment. A placed parameter among them may be removed later on.
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
    """A function is opened. Its entry is entered and sealed; what follows first are the writes of its parameters."""

    function: Function
    entry: Block


class Create(NamedTuple):
    """A new block, neither filled nor sealed."""

    block: Block


class Enter(NamedTuple):
    """From now on `block` is being filled."""

    block: Block


class Compute(NamedTuple):
    """A statement is added to `block`. It uses `operands`, which are resolved when the function is closed."""

    block: Block
    statement: Statement
    operands: Sequence[Value]


class Simplify(NamedTuple):
    """An operation is not computed as it stands: `value` is what it comes to (section 3.1)."""

    block: Block
    op: str
    operands: Sequence[Value]
    value: Value
    span: Span | None


class Decide(NamedTuple):
    """What `block` would branch on is known to be `constant`: only one of the ways gets an edge (section 3.1)."""

    block: Block
    value: Value
    constant: Constant


class Fill(NamedTuple):
    """`block` is filled: its transfer is told as it is now, before construction adds arguments.

    Each block that an edge leads to has `block` as a predecessor now.
    """

    block: Block
    ending: Ending
    span: Span | None


class Seal(NamedTuple):
    """`block` gets no further predecessor. Its proxies now get their arguments (Algorithm 4)."""

    block: Block


class Write(NamedTuple):
    """`variable` has `value` from here on in `block` (writeVariable of Algorithm 1)."""

    variable: Variable
    block: Block
    value: Value
    span: Span | None


class Read(NamedTuple):
    """The front end asks for the value of `variable` in `block` (readVariable of Algorithm 1)."""

    variable: Variable
    block: Block
    span: Span | None


class Answer(NamedTuple):
    """What the front end is given for the `Read` before."""

    variable: Variable
    block: Block
    value: Value


class Walk(NamedTuple):
    """A look-up went back through `passed`, blocks with one predecessor each, and came to `end` (Algorithm 2).

    It ends there since `value` is known there; or, if that is None, since `end` is a join, or not sealed.
    """

    variable: Variable
    passed: Sequence[Block]
    end: Block
    value: Value | None


class Proxy(NamedTuple):
    """`parameter` stands for a variable in a block that is not sealed (first case of Algorithm 2)."""

    parameter: Placed


class Place(NamedTuple):
    """`parameter` is placed at a join, still without arguments."""

    parameter: Placed


class Mark(NamedTuple):
    """A join is marked, and its predecessors are asked next (marker variant, section 3.3)."""

    variable: Variable
    join: Block


class Cycle(NamedTuple):
    """The look-up came back to a marked join; a parameter is to break the cycle (marker variant, section 3.3)."""

    variable: Variable
    join: Block


class Agree(NamedTuple):
    """All predecessors of a marked join have the same value, so it has that (marker variant, section 3.3)."""

    variable: Variable
    join: Block
    value: Value


class Visit(NamedTuple):
    """Tarjan's algorithm comes to a join for the first time (SCC variant, section 3.3)."""

    variable: Variable
    join: Block


class Component(NamedTuple):
    """A strongly connected component of the look-up is complete (SCC variant, section 3.3).

    For each of its `joins` the values that enter the component there. With none at all the variable is undefined, with
    one that is its value; with more a parameter is placed wherever one enters.
    """

    variable: Variable
    joins: Sequence[Block]
    entering: Sequence[Sequence[Value]]


class Inherit(NamedTuple):
    """Within a component, all that comes to `join` has the same `value` (SCC variant, section 3.3)."""

    variable: Variable
    join: Block
    value: Value


class Complete(NamedTuple):
    """`parameter` gets its `arguments`, one for each predecessor of its block (addPhiOperands of Algorithm 2)."""

    parameter: Placed
    arguments: Sequence[Value]


class Keep(NamedTuple):
    """`parameter` was examined, and receives two different values: `witnesses` (Algorithm 3)."""

    parameter: Placed
    witnesses: Sequence[Value]


class Remove(NamedTuple):
    """`parameter` is trivial: it forwards to `value` from now on, and `again` are examined next (Algorithm 3)."""

    parameter: Placed
    value: Value
    again: Sequence[Placed]


class Unreachable(NamedTuple):
    """Nothing leads to `block`, which is dropped."""

    block: Block


class Close(NamedTuple):
    """The function is finished."""

    function: Function


class Unused(NamedTuple):
    """In a finished function, nothing but each other uses `parameters`, which are removed."""

    function: Function
    parameters: Sequence[Parameter]


class Redundant(NamedTuple):
    """In a finished function, each of the parameters always has the value beside it, and is removed (Algorithm 5)."""

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
"""Is told of each event."""


def combined(*observers: Observer | None) -> Observer | None:
    """One observer that calls each of those given, in order; None if there are none."""
    given = [observer for observer in observers if observer is not None]
    if len(given) < 2:
        return given[0] if given else None

    def observe(event: Event) -> None:
        for observer in given:
            observer(event)

    return observe
