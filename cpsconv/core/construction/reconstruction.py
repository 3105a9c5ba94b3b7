"""Reconstruction (section 5.1): the look-ups of the construction, applied to a finished function.

A transformation may add definitions of a value. Live-range splitting copies the value; jump threading copies the
continuation that computes it. Then different definitions reach a use along different paths, and the program is no
longer valid: no definition dominates the use. To repair it, the definitions become assignments to one variable, and
each use becomes a read of the variable. First all assignments are stated, then all reads, both in any order. The
look-up places parameters where different values meet. Dominance is not needed.

The whole graph is present, so all blocks are sealed and filled: the proxies of Algorithm 4 do not occur.

*Two values in one continuation.* A block has one value for each variable, that at its end. Where a continuation assigns
to a variable that is also read at its start, the value there is that of a second block. It has the same predecessors,
but no successors, and its parameters are those of the continuation, too.

*Unknown arguments.* The return edge of a `Call` has no arguments, and a continuation that is passed as a value may be
entered with any. No parameter can be added to such a continuation. None is needed if it is referenced only once: the
look-up continues at the end of the continuation that references it. Front ends create no others (`Builder.call` creates
a new one for each call). Hand-written ones are rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from cpsconv.core.analysis.graph import replace_in_transfer, successors
from cpsconv.core.construction import events
from cpsconv.core.construction.block import Block, BuildError, Variable
from cpsconv.core.construction.events import Observer
from cpsconv.core.construction.finish import write_parameters
from cpsconv.core.construction.strategies import STRATEGIES, new_placement
from cpsconv.core.ir import Call, Continuation, Edge, Function, Value
from cpsconv.core.source import Span


class Reconstruction:
    """Repairs a finished function in which values have additional definitions.

    All writes precede the reads, and `finish` then writes the placed parameters into the function. Until then, its
    graph must not change. A value that a read returns can be used in the function at once: if it is a parameter that is
    removed later, `finish` replaces it. As after construction, `cpsconv.core.transform.minimise` can remove parameters.

    The following example sets `x` to 0 in the second arm:

    >>> from cpsconv import Source, Variable, parse, pretty
    >>> from cpsconv.core.construction import Reconstruction
    >>> from cpsconv.core.ir import INT, Constant
    >>> program = parse(Source("f.cps", '''
    ...     f(x : int, ret : int → ⊥) → ⊥ {
    ...       let then := () → ⊥ next()
    ...           else := () → ⊥ next()
    ...           next := () → ⊥ ret(x)
    ...       in branch(x < 0, then, else)
    ...     }'''))
    >>> (function,) = program.functions
    >>> x, variable = function.parameters[0], Variable("x", INT)
    >>> repair = Reconstruction(function)
    >>> repair.write_variable(variable, function, x)
    >>> repair.write_variable(variable, function.continuations[1], Constant(INT, 0))
    >>> repair.replace_uses({x: variable})
    >>> repair.finish()
    >>> print(pretty(program), end="")
    f(x : int, ret : int → ⊥) → ⊥ {
      let
        then := () → ⊥
          next(x)
        else := () → ⊥
          next(0)
        next := (x1 : int) → ⊥
          ret(x1)
      in
      branch(x < 0, then, else)
    }
    """

    def __init__(self, function: Function, strategy: str = "scc", observer: Observer | None = None) -> None:
        """Wrap a well-formed function. `strategy` is one of the paper's, a key of `STRATEGIES`.

        `observer` is called with each step, from `Reconstruct` on (`cpsconv.core.construction.events`).

        Raises `BuildError` if there is no such strategy, or the function has `closed_joins`.
        """
        self._placement = new_placement(strategy, STRATEGIES)
        for join in closed_joins(function):
            raise BuildError(f"continuation {join.name} can be entered from several places, with arguments unknown")
        self._placement.observer = self._observer = observer
        self._blocks = {member: Block(member, sealed=True, filled=True) for member in function.members()}
        self._starts: dict[Continuation, Block] = {}
        self._written: set[tuple[Variable, Block]] = set()
        self._read: set[Variable] = set()
        self._connect()
        if observer is not None:
            observer(events.Reconstruct(function, tuple(self._blocks.values())))

    def _connect(self) -> None:
        for member, block in self._blocks.items():
            for target in successors(member):
                self._blocks[target].predecessors.append(block)
            for edge in _edges_with_arguments(member):
                if edge.target in self._blocks:
                    self._blocks[edge.target].edges.append(edge)

    def block(self, continuation: Continuation) -> Block:
        """The block of `continuation` in the events. Raises `BuildError` if it belongs to another function."""
        if continuation not in self._blocks:
            raise BuildError(f"continuation {continuation.name} does not belong to the function")
        return self._blocks[continuation]

    def write_variable(
        self, variable: Variable, continuation: Continuation, value: Value, span: Span | None = None
    ) -> None:
        """Assign `value` to `variable` in `continuation` (Algorithm 1). `span` is for the observer.

        If the value is a statement of `continuation`, it is assigned after this statement, else at the start. A later
        call for the same variable and continuation replaces the assignment. Raises `BuildError` if the variable was
        already read, or the continuation belongs to another function.
        """
        if variable in self._read:
            raise BuildError(f"variable {variable.name} is written after it was read")
        block = self.block(continuation)
        block.definitions[variable] = value
        self._written.add((variable, block))
        if self._observer is not None:
            self._observer(events.Write(variable, block, value, span))

    def read_variable(self, variable: Variable, continuation: Continuation, span: Span | None = None) -> Value:
        """The value of `variable` at the end of `continuation` (Algorithm 1); `Undef` if it was never assigned.

        `span`, the location of the use, is for the observer. Raises `BuildError` if the continuation belongs to another
        function.
        """
        return self._value(variable, self.block(continuation), span)

    def read_variable_at_start(self, variable: Variable, continuation: Continuation, span: Span | None = None) -> Value:
        """The value of `variable` at the start of `continuation`, before its own assignments (Algorithm 2).

        `span`, the location of the use, is for the observer. Raises `BuildError` if the continuation belongs to another
        function.
        """
        return self._value(variable, self._start(variable, self.block(continuation)), span)

    def replace_uses(self, variables: Mapping[Value, Variable]) -> None:
        """Replace every use of a key of `variables` by the value of its variable at the use.

        A statement uses the assignments before it in its continuation. The transfer, with the arguments of its edges,
        uses the values at the end.
        """
        self._read.update(variables.values())
        for block in self._blocks.values():
            self._replace_in_body(block, variables)
            transfer = block.continuation.transfer
            if transfer:
                replace_in_transfer(transfer, partial(self._replacement, variables, block, (), transfer.span))

    def finish(self) -> None:
        """Write the placed parameters and their arguments into the function."""
        write_parameters([*self._blocks.values(), *self._starts.values()])

    @property
    def lookups(self) -> int:
        """The number of blocks visited by look-ups so far."""
        return self._placement.lookups

    def _start(self, variable: Variable, block: Block) -> Block:
        """The block whose value of `variable` is that at the start of `block`."""
        if (variable, block) not in self._written:
            return block
        continuation = block.continuation
        if continuation not in self._starts:
            start = self._starts[continuation] = Block(continuation, sealed=True, filled=True)
            start.predecessors, start.edges = block.predecessors, block.edges
        return self._starts[continuation]

    def _value(self, variable: Variable, block: Block, span: Span | None) -> Value:
        self._read.add(variable)
        if self._observer is None:
            return self._placement.read(variable, block)
        self._observer(events.Read(variable, block, span))
        value = self._placement.read(variable, block)
        self._observer(events.Answer(variable, block, value))
        return value

    def _replace_in_body(self, block: Block, variables: Mapping[Value, Variable]) -> None:
        body = block.continuation.body
        ahead: set[Value] = {*body}
        for statement in body:
            if not variables.keys().isdisjoint(statement.operands):
                replaced = partial(self._replacement, variables, block, ahead, statement.span)
                statement.operands = tuple(map(replaced, statement.operands))
            ahead.discard(statement)

    def _replacement(
        self,
        variables: Mapping[Value, Variable],
        block: Block,
        ahead: Collection[Value],
        span: Span | None,
        value: Value,
    ) -> Value:
        """The replacement of a use of `value` in `block`, before the statements `ahead`."""
        variable = variables.get(value)
        if variable is None:
            return value
        assigned = block.definitions.get(variable)
        if assigned is value and value not in ahead:
            return value
        at = self._start(variable, block) if assigned in ahead else block
        replacement = self._value(variable, at, span)
        if self._observer is not None and replacement is not value:
            self._observer(events.Replace(variable, at, value, replacement, span))
        return replacement


def closed_joins(function: Function) -> Iterator[Continuation]:
    """The continuations that are referenced more than once, and not always with arguments.

    More than one definition may reach such a continuation, but no parameter can be added to it.
    """
    referenced = Counter(target for member in function.members() for target in successors(member))
    passed = Counter(edge.target for member in function.members() for edge in _edges_with_arguments(member))
    return (target for target, count in referenced.items() if count > 1 and count > passed[target])


def _edges_with_arguments(member: Continuation) -> Sequence[Edge]:
    return member.transfer.edges if member.transfer and not isinstance(member.transfer, Call) else ()
