"""The Builder: what a front end calls, in the order in which its program is written."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from importlib.util import find_spec
from operator import attrgetter
from typing import TYPE_CHECKING, NoReturn

from cpsconv.construction.basic import Basic
from cpsconv.construction.block import Block, Placed, Variable, resolve
from cpsconv.construction.events import Observer
from cpsconv.construction.finish import finish
from cpsconv.construction.marker import Marker
from cpsconv.construction.placement import Placement
from cpsconv.construction.scc import Scc
from cpsconv.ir import (
    VOID,
    Branch,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Counts,
    Edge,
    Effect,
    External,
    Function,
    Jump,
    Parameter,
    Primitive,
    Scalar,
    Switch,
    Transfer,
    Undef,
    Value,
)
from cpsconv.operations.table import CONVERT, result_type
from cpsconv.source import Span

if TYPE_CHECKING:
    from cpsconv.simplify.simplifier import Simplifier

STRATEGIES: dict[str, type[Placement]] = {"basic": Basic, "marker": Marker, "scc": Scc}
"""The paper's strategies of placing parameters, by name."""

RIVALS = ("cytron", "aycock-horspool", "two-phase", "countdown", *(["llvm"] if find_spec("llvmlite") else []))
"""The names of other constructions of the same programs, to compare with: see `cpsconv.construction.baselines`.

`llvm` is there where the package llvmlite is installed.
"""

CONSTRUCTIONS = (*STRATEGIES, *RIVALS)
"""The names of all that can be compared."""

UNCOUNTED = ("llvm",)
"""Constructions that do not tell how much they looked up: their `Counts.lookups` is 0."""

_TYPE = attrgetter("type")


class BuildError(Exception):
    """The Builder was called in a way that makes no program: a fault of the front end, not of its user."""


class Builder:
    """Builds functions one after the other; see the package's essay for what goes on inside.

    A front end opens a function, then fills block after block: `enter` one, compute and write, end it with a transfer.
    A block can be entered before all of its predecessors are known; `seal` says when they are. `current` is the block
    that is being filled, None after a transfer. `counts` tells of each function that is finished how many parameters
    its construction placed, and what that cost. `simplify` holds keys of `cpsconv.simplify.SIMPLIFICATIONS`: what is to
    be done with operations as they are made (section 3.1).

    For example, the program of the paper's Figure 8::

        int f(int x) { int a; if (x == 0) a = 23; else a = 42; return a; }

    as a front end would walk it:

    >>> from cpsconv.construction import Builder, Variable
    >>> from cpsconv.ir import INT, Constant, Program
    >>> from cpsconv.text import pretty
    >>> b = Builder()
    >>> x, a = Variable("x", INT), Variable("a", INT)
    >>> f = b.function("f", [x], INT)
    >>> then, otherwise, next = b.continuation("then"), b.continuation("else"), b.continuation("next")
    >>> b.branch(b.primitive("==", b.read_variable(x), Constant(INT, 0)), then, otherwise)
    >>> for block, number in (then, 23), (otherwise, 42):
    ...     b.seal(block)  # the branch was its only predecessor
    ...     b.enter(block)
    ...     b.write_variable(a, Constant(INT, number))
    ...     b.jump(next)
    >>> b.seal(next)
    >>> b.enter(next)
    >>> b.ret(b.read_variable(a))
    >>> print(pretty(Program([b.finish()])), end="")
    f(x : int, ret : int → ⊥) → ⊥ {
      let
        then := () → ⊥
          next(23)
        else := () → ⊥
          next(42)
        next := (a : int) → ⊥
          ret(a)
      in
      branch(x == 0, then, else)
    }
    """

    observer: Observer | None = None

    def __init__(self, strategy: str = "scc", simplify: Collection[str] = ()) -> None:
        self.strategy = strategy
        self.simplify = simplify
        self.counts: dict[Function, Counts] = {}
        self._declared: dict[str, Function] = {}
        self._function: Function | None = None
        self._placement = self._new_placement()
        self._blocks: list[Block] = []
        self.current: Block | None = None
        self._simplifier: Simplifier | None = None

    # ------------------------------------------------------------------------------------------------- functions

    def declare(
        self, name: str, parameters: Sequence[Variable | tuple[str, Scalar]], result: Scalar, span: Span | None = None
    ) -> Function:
        """A function to be called, and built later on by `function` with the same name. `result` may be `VOID`."""
        if name in self._declared:
            raise BuildError(f"function {name} is declared twice")
        variables = [_as_variable(parameter) for parameter in parameters]
        function = Function(name, [Parameter(v.type, v.name, v.span) for v in variables], span=span)
        returned = ContinuationType(() if result is VOID else (result,))
        function.parameters.append(Parameter(returned, "ret", span))
        self._declared[name] = function
        return function

    def function(
        self, name: str, parameters: Sequence[Variable | tuple[str, Scalar]], result: Scalar, span: Span | None = None
    ) -> Function:
        """Open a function. Its entry is entered and sealed, and each variable has the parameter for its value."""
        if self._function is not None:
            raise BuildError(f"function {name} is opened before {self._function.name} is finished")
        function = self._declared.get(name) or self.declare(name, parameters, result, span)
        self._begin(function)
        for variable, parameter in zip(map(_as_variable, parameters), function.parameters, strict=False):
            self.write_variable(variable, parameter)
        return function

    def finish(self) -> Function:
        """Close the function: resolve what was removed, drop what is unreachable, write the arguments into the edges.

        Raises `BuildError` if a block is not sealed or not filled.
        """
        function = self._function
        if function is None:
            raise BuildError("no function is open")
        for block in self._blocks:
            if not block.sealed:
                raise BuildError(f"continuation {block.continuation.name} of {function.name} was never sealed")
            if not block.filled:
                raise BuildError(f"continuation {block.continuation.name} of {function.name} was never filled")
        self.counts[function] = finish(function, self._blocks, self._placement)
        self._function = None
        self._blocks = []
        return function

    # ---------------------------------------------------------------------------------------------------- blocks

    def continuation(self, name: str, may_assign: Container[Variable] | None = None, span: Span | None = None) -> Block:
        """A new, empty, unsealed block.

        Its predecessors known so far may be enough for some variables: a front end that sees a whole loop can name with
        `may_assign` the variables that change before control comes back here. For any other no proxy is placed.
        """
        block = Block(Continuation(name, [], [], None, span), may_assign)
        self._blocks.append(block)
        return block

    def enter(self, block: Block) -> None:
        """Go on with `block`, which is still empty. The block before must have been filled."""
        if self.current is not None:
            self._fail(self.current, f"is not filled yet, but {block.continuation.name} is entered")
        if block.filled:
            self._fail(block, "is entered, but it is filled already")
        self.current = block
        if self._simplifier:
            known = block.sealed or block.may_assign is not None
            before = [predecessor.continuation for predecessor in block.predecessors] if known else []
            self._simplifier.enter(block.continuation, before, sealed=block.sealed)

    def seal(self, block: Block) -> None:
        """Say that `block` gets no further predecessor (Algorithm 4)."""
        if block.sealed:
            self._fail(block, "is sealed twice")
        self._placement.seal(block)

    @property
    def placed(self) -> int:
        """How many parameters were placed in the function that is open, or was last: proxies included."""
        return self._placement.placed

    @property
    def removed(self) -> int:
        """How many of the placed parameters were removed again."""
        return self._placement.removed

    # ------------------------------------------------------------------------------------------------- variables

    def write_variable(self, variable: Variable, value: Value, span: Span | None = None) -> None:
        """Assign: from here on `variable` has that value (Algorithm 1). A value without a name takes the variable's.

        `span` is where the source does so; it leaves no trace in the program, but an observer is told.
        """
        self._open().definitions[variable] = value
        if isinstance(value, (Primitive, Effect, Parameter)) and not value.name:
            value.name = variable.name

    def read_variable(self, variable: Variable, span: Span | None = None) -> Value:
        """The value that `variable` has here (Algorithm 1). `span` is where the source asks for it, as with a write."""
        return self._placement.read(variable, self._open())

    # ------------------------------------------------------------------------------------------------ statements

    def primitive(self, op: str, *values: Value, span: Span | None = None) -> Value:
        """A pure operation, computed here unless it is simplified. Raises `BuildError` if it takes no such operands."""
        return self._compute(op, values, _typed(op, values), span)

    def convert(self, type: Scalar, value: Value, span: Span | None = None) -> Value:
        """`value` converted to a scalar type."""
        return self._compute(CONVERT, (value,), type, span)

    def _compute(self, op: str, operands: tuple[Value, ...], type: Scalar, span: Span | None) -> Value:
        body = self._open().continuation.body
        if self._simplifier:
            return self._simplifier.primitive(op, tuple(map(resolve, operands)), type, span)
        statement = Primitive(op, operands, type, None, span)
        body.append(statement)
        return statement

    def effect(self, op: str, *values: Value, span: Span | None = None) -> Effect:
        """An operation that happens here. Raises `BuildError` if it does not take such operands."""
        statement = Effect(op, values, _typed(op, values), None, span)
        self._open().continuation.body.append(statement)
        return statement

    # ------------------------------------------------------------------------------------------------- transfers

    def jump(self, block: Block, span: Span | None = None) -> None:
        """Go to `block`."""
        source = self._open()
        self._fill(source, Jump(self._edge(source, block), span))

    def branch(self, condition: Value, then: Block, otherwise: Block, span: Span | None = None) -> None:
        """Go to `then` if the `bool` is true, else to `otherwise`. Both may be the same block.

        If branches are simplified and the way is known, the other block does not get a predecessor.
        """
        known = self._known(condition)
        if known:
            self.jump(then if known.value else otherwise, span)
            return
        source = self._open()
        self._fill(source, Branch(condition, self._edge(source, then), self._edge(source, otherwise), span))

    def switch(
        self, value: Value, cases: Sequence[tuple[int, Block]], default: Block, span: Span | None = None
    ) -> None:
        """Go to the block whose number the integer `value` is, else to `default`. It is simplified as a branch is."""
        known = self._known(value)
        if known:
            self.jump(dict(cases).get(int(known.value), default), span)
            return
        source = self._open()
        targets = [self._edge(source, block) for _, block in cases]
        self._fill(source, Switch(value, [number for number, _ in cases], targets, self._edge(source, default), span))

    def ret(self, value: Value | None = None, span: Span | None = None) -> None:
        """Return from the function, with a value unless its result is `VOID`."""
        source = self._open()
        assert self._function is not None
        self._fill(source, Jump(Edge(self._function.ret, [] if value is None else [value]), span))

    def leave(self, external: External, *values: Value, span: Span | None = None) -> None:
        """End the program: ``leave(HALT, status)`` or ``leave(ABORT)``."""
        self._fill(self._open(), Jump(Edge(external, [*values]), span))

    def call(self, function: Function, arguments: Sequence[Value], span: Span | None = None) -> Value | None:
        """Call `function`, and go on in a new block, its return continuation: the result, or None for `VOID`."""
        source = self._open()
        then = self.continuation(f"after_{function.name}", span=span)
        self._fill(source, Call(function, [*arguments], self._edge(source, then), span))
        self.seal(then)
        self.enter(then)
        if function.result is VOID:
            return None
        result = Parameter(function.result, "", span)
        then.continuation.parameters.append(result)
        return result

    # -------------------------------------------------------------------------------------------------- internals

    def _new_placement(self) -> Placement:
        return _placement_named(self.strategy)()

    def _begin(self, function: Function) -> None:
        self._function = function
        self._placement = self._new_placement()
        entry = Block(function, sealed=True)
        entry.is_reached = True
        self.current = entry
        self._blocks = [entry]
        if self.simplify:
            from cpsconv.simplify.simplifier import Simplifier  # late: the table of rules takes its time

            self._simplifier = Simplifier(self.simplify, _is_defined)
            self._simplifier.enter(function, [], sealed=True)

    def _known(self, value: Value) -> Constant | None:
        """The constant that decides on the way to take."""
        return self._simplifier.constant(resolve(value)) if self._simplifier else None

    def _open(self) -> Block:
        if self.current is None:
            raise BuildError("no continuation is entered: the last one was filled by its transfer")
        return self.current

    def _edge(self, source: Block, block: Block) -> Edge:
        if block.sealed:
            self._fail(block, "gets another predecessor, but it is sealed")
        edge = Edge(block.continuation, [])
        block.predecessors.append(source)
        block.edges.append(edge)
        block.is_reached = block.is_reached or source.is_reached
        return edge

    def _fill(self, block: Block, transfer: Transfer) -> None:
        block.continuation.transfer = transfer
        block.filled = True
        self.current = None

    def _fail(self, block: Block, what: str) -> NoReturn:
        raise BuildError(f"continuation {block.continuation.name} {what}")


def _is_defined(value: Value) -> bool:
    """Whether a value is known not to be undefined: a placed parameter may still receive what is."""
    return not isinstance(value, (Placed, Undef))


def _placement_named(strategy: str) -> type[Placement]:
    if strategy in STRATEGIES:
        return STRATEGIES[strategy]
    if strategy in RIVALS:
        from cpsconv.construction.baselines import PLACEMENTS  # late: a conversion does not need them

        return PLACEMENTS[strategy]
    raise BuildError(f"there is no strategy {strategy!r}; there are {', '.join(CONSTRUCTIONS)}")


def _as_variable(parameter: Variable | tuple[str, Scalar]) -> Variable:
    return parameter if isinstance(parameter, Variable) else Variable(*parameter)


def _typed(op: str, values: Sequence[Value]) -> Scalar:
    operands = tuple(map(_TYPE, values))
    result = result_type(op, operands)
    if result is None:
        raise BuildError(f"there is no operation {op}({', '.join(map(str, operands))})")
    return result
