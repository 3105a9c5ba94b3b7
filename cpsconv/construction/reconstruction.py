"""Reconstruction (section 5.1): the look-ups of the construction, applied to a finished function.

A transformation may add definitions of a value. Live-range splitting copies the value; jump threading copies the
continuation that computes it. Then different definitions reach a use along different paths, and the program is no
longer valid: no definition dominates the use. To repair it, the definitions become assignments to one variable, and
each use becomes a read of the variable. First all assignments are stated, then all reads, both in any order. The
look-up places parameters where different values meet. Dominance is not needed.

The whole graph is present, so all blocks are sealed and filled: the proxies of Algorithm 4 do not occur.

*Two blocks for each continuation*, its start and its end. The start has the predecessors and gets the parameters; the
end has the start as its only predecessor, and holds the writes. So a variable can be read at the start of a
continuation that assigns to it.

*Unknown arguments.* The return edge of a `Call` has no arguments, and a continuation that is passed as a value may be
entered with any. No parameter can be added to such a continuation. None is needed if it is referenced only once: the
look-up continues at the end of the continuation that references it. Front ends create no others (`Builder.call` creates
a new one for each call). Hand-written ones are rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cpsconv.analysis.graph import replace_in_transfer, successors
from cpsconv.construction.block import Block, BuildError, Variable, resolve
from cpsconv.construction.finish import write_parameters
from cpsconv.construction.strategies import STRATEGIES, new_placement
from cpsconv.ir import Call, Continuation, Edge, Function, Value


class Reconstruction:
    """Repairs a finished function in which values have additional definitions.

    All writes precede the reads, and `finish` then writes the placed parameters into the function. Until then, its
    graph must not change. A value that a read returns can be used in the function at once: if it is a parameter that is
    removed later, `finish` replaces it. As after construction, `cpsconv.transform.minimise` can remove parameters.

    The following example sets `x` to 0 in the second arm:

    >>> from cpsconv import Source, Variable, parse, pretty
    >>> from cpsconv.construction import Reconstruction
    >>> from cpsconv.ir import INT, Constant
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

    def __init__(self, function: Function, strategy: str = "scc") -> None:
        """Wrap a well-formed function. `strategy` is one of the paper's: ``basic``, ``marker`` or ``scc``.

        Raises `BuildError` if there is no such strategy, or the function has `closed_joins`.
        """
        self._placement = new_placement(strategy, STRATEGIES)
        for join in closed_joins(function):
            raise BuildError(f"continuation {join.name} can be entered from several places, with arguments unknown")
        self._starts = {member: Block(member, sealed=True, filled=True) for member in function.members()}
        self._ends = {member: Block(member, sealed=True, filled=True) for member in function.members()}
        self._read: set[Variable] = set()
        self._connect()

    def _connect(self) -> None:
        for member, end in self._ends.items():
            end.predecessors.append(self._starts[member])
            for target in successors(member):
                self._starts[target].predecessors.append(end)
            for edge in _edges_with_arguments(member):
                if edge.target in self._starts:
                    self._starts[edge.target].edges.append(edge)

    def write_variable(self, variable: Variable, continuation: Continuation, value: Value) -> None:
        """Assign `value` to `variable` in `continuation` (Algorithm 1).

        If the value is a statement of `continuation`, it is assigned after this statement, else at the start. A later
        call for the same variable and continuation replaces the assignment. Raises `BuildError` if the variable was
        already read, or the continuation belongs to another function.
        """
        if variable in self._read:
            raise BuildError(f"variable {variable.name} is written after it was read")
        self._block(self._ends, continuation).definitions[variable] = value

    def read_variable(self, variable: Variable, continuation: Continuation) -> Value:
        """The value of `variable` at the end of `continuation` (Algorithm 1); `Undef` if it was never assigned.

        Raises `BuildError` if the continuation belongs to another function.
        """
        self._read.add(variable)
        return self._placement.read(variable, self._block(self._ends, continuation))

    def read_variable_at_start(self, variable: Variable, continuation: Continuation) -> Value:
        """The value of `variable` at the start of `continuation`, before its own assignments (Algorithm 2).

        Raises `BuildError` if the continuation belongs to another function.
        """
        self._read.add(variable)
        return self._placement.read(variable, self._block(self._starts, continuation))

    def replace_uses(self, variables: Mapping[Value, Variable]) -> None:
        """Replace every use of a key of `variables` by the value of its variable at the use.

        A statement uses the assignments before it in its continuation. The transfer, with the arguments of its edges,
        uses the values at the end.
        """
        self._read.update(variables.values())
        for member in self._starts:
            self._replace_in_body(member, variables)
            if member.transfer:
                replace_in_transfer(member.transfer, partial(self._at_end, variables, member))

    def finish(self) -> None:
        """Write the placed parameters and their arguments into the function."""
        write_parameters(self._starts.values())

    @property
    def lookups(self) -> int:
        """The number of blocks visited by look-ups so far."""
        return self._placement.lookups

    def _replace_in_body(self, member: Continuation, variables: Mapping[Value, Variable]) -> None:
        ahead: set[Value] = {*member.body}
        for statement in member.body:
            if not variables.keys().isdisjoint(statement.operands):
                operands = [self._before(variables, operand, member, ahead) for operand in statement.operands]
                statement.operands = tuple(operands)
            ahead.discard(statement)

    def _at_end(self, variables: Mapping[Value, Variable], member: Continuation, value: Value) -> Value:
        variable = variables.get(value)
        return value if variable is None else self.read_variable(variable, member)

    def _before(
        self, variables: Mapping[Value, Variable], value: Value, member: Continuation, ahead: set[Value]
    ) -> Value:
        """The replacement of `value` in the body of `member`, before the statements `ahead`."""
        variable = variables.get(value)
        if variable is None:
            return value
        assigned = self._ends[member].definitions.get(variable)
        if assigned is None or assigned in ahead:
            return self.read_variable_at_start(variable, member)
        return resolve(assigned)

    def _block(self, blocks: dict[Continuation, Block], continuation: Continuation) -> Block:
        if continuation not in blocks:
            raise BuildError(f"continuation {continuation.name} does not belong to the function")
        return blocks[continuation]


def closed_joins(function: Function) -> Iterator[Continuation]:
    """The continuations that are referenced more than once, and not always with arguments.

    More than one definition may reach such a continuation, but no parameter can be added to it.
    """
    referenced = Counter(target for member in function.members() for target in successors(member))
    passed = Counter(edge.target for member in function.members() for edge in _edges_with_arguments(member))
    return (target for target, count in referenced.items() if count > 1 and count > passed[target])


def _edges_with_arguments(member: Continuation) -> Sequence[Edge]:
    return member.transfer.edges if member.transfer and not isinstance(member.transfer, Call) else ()
