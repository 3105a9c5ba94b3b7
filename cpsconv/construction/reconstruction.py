"""Reconstruction (section 5.1): the construction's own look-ups, on a function that is finished.

A transformation may give a value further definitions. Live-range splitting copies it; jump threading copies the
continuation that computes it. Then a use may be reached by one definition on one way and by another on the next, so
the program is no longer one: no definition dominates the use. To repair that, the definitions are taken for
assignments to one variable, and each use for a read of it. What a front end says while it walks over its source is
said afterwards, in any order, and the look-up places parameters where different values meet. Nobody needs to know
dominance, before or after.

The whole graph is there, so all blocks are sealed and filled: proxies and removals of Algorithm 4 do not occur.

*Two blocks for each continuation*, its start and its end. The start has the predecessors and gets the parameters; the
end has the start for its only predecessor, and what is written is written there. So it can be asked what a variable is
at the start of a continuation that assigns to it.

*Arguments that are not known.* The return edge of a `Call` has none, and who enters a continuation that was passed as a
value passes what he likes. To such a continuation no parameter can be added. None is needed if its name is mentioned
once only: the look-up goes on at the end of whoever mentions it, whose frame it runs in. A front end makes no others
(`Builder.call` makes a new one for each call). By hand they can be written, and are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cpsconv.analysis.graph import replace_in_transfer, successors
from cpsconv.construction.block import Block, BuildError, Variable, resolve
from cpsconv.construction.finish import write_parameters
from cpsconv.construction.strategies import STRATEGIES, new_placement
from cpsconv.ir import Call, Continuation, Edge, Function, Value


class Reconstruction:
    """Repairs a finished function in which values have got further definitions.

    First the definitions are written, then reads are answered, last `finish` puts the parameters placed into the
    function, whose graph must stay as it is meanwhile. Values that a read returns can be used in the function at once:
    should one of them be a parameter that is removed again, `finish` sees to it. As after construction, parameters may
    be left that `cpsconv.transform.minimise` removes.

    For example, let `x` be 0 from the second arm on:

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

        Raises `BuildError` if there is no such strategy, or for a continuation to which no parameter can be added
        although one might be needed (see `closed_joins`).
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
        """Say that in `continuation` `value` is assigned to `variable`, which has it at the end (Algorithm 1).

        The assignment happens where the value is computed if it is a statement of `continuation`, else at its start.
        If there are several to one variable in a continuation, the last one said counts. Raises `BuildError` if the
        variable was read already, or the continuation is another function's.
        """
        if variable in self._read:
            raise BuildError(f"variable {variable.name} is written after it was read")
        self._block(self._ends, continuation).definitions[variable] = value

    def read_variable(self, variable: Variable, continuation: Continuation) -> Value:
        """The value of `variable` at the end of `continuation` (Algorithm 1); `Undef` where nothing was assigned.

        Raises `BuildError` if the continuation is another function's.
        """
        self._read.add(variable)
        return self._placement.read(variable, self._block(self._ends, continuation))

    def read_variable_at_start(self, variable: Variable, continuation: Continuation) -> Value:
        """The value of `variable` at the start of `continuation`, whatever that assigns (Algorithm 2).

        Raises `BuildError` if the continuation is another function's.
        """
        self._read.add(variable)
        return self._placement.read(variable, self._block(self._starts, continuation))

    def replace_uses(self, variables: Mapping[Value, Variable]) -> None:
        """Let every use of a key of `variables` use the value that the variable has there instead.

        A use by a statement sees assignments of its continuation that happen before it. A use by the transfer is one at
        the end, the arguments of its edges included: they leave from there.
        """
        self._read.update(variables.values())
        for member in self._starts:
            self._replace_in_body(member, variables)
            self._replace_in_transfer(member, variables)

    def finish(self) -> None:
        """Write the parameters that were placed, and their arguments, into the function."""
        write_parameters(self._starts.values())

    @property
    def lookups(self) -> int:
        """What the reads have cost so far: the pairs of a variable and a block that look-ups came to."""
        return self._placement.lookups

    def _replace_in_body(self, member: Continuation, variables: Mapping[Value, Variable]) -> None:
        ahead: set[Value] = {*member.body}
        for statement in member.body:
            if not variables.keys().isdisjoint(statement.operands):
                operands = [self._before(variables, operand, member, ahead) for operand in statement.operands]
                statement.operands = tuple(operands)
            ahead.discard(statement)

    def _replace_in_transfer(self, member: Continuation, variables: Mapping[Value, Variable]) -> None:
        def at_end(value: Value) -> Value:
            variable = variables.get(value)
            return value if variable is None else self.read_variable(variable, member)

        if member.transfer:
            replace_in_transfer(member.transfer, at_end)

    def _before(
        self, variables: Mapping[Value, Variable], value: Value, member: Continuation, ahead: set[Value]
    ) -> Value:
        """What to use instead of `value` in the body of `member`, of which the statements `ahead` are not yet done."""
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
    """The continuations that are mentioned more than once, but not always with arguments.

    More than one definition may reach such a continuation, and it cannot be given a parameter for them.
    """
    mentioned: dict[Continuation, int] = {}
    passed: dict[Continuation, int] = {}
    for member in function.members():
        for target in successors(member):
            mentioned[target] = mentioned.get(target, 0) + 1
        for edge in _edges_with_arguments(member):
            if isinstance(edge.target, Continuation):
                passed[edge.target] = passed.get(edge.target, 0) + 1
    return (target for target, count in mentioned.items() if count > 1 and count > passed.get(target, 0))


def _edges_with_arguments(member: Continuation) -> Iterator[Edge]:
    if member.transfer and not isinstance(member.transfer, Call):
        yield from member.transfer.edges
