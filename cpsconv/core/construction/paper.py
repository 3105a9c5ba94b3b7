"""The algorithms of section 2 as printed, for teaching and comparison: Algorithms 1 to 4, without extensions.

The functions have the structure and the names of the pseudocode: a φ is a parameter, an operand an argument, a block a
continuation. A call of a function that calls itself is yielded (`cpsconv.core.trampoline`), so that deep input does not
exhaust Python's stack.

The pseudocode leaves two cases open. An incomplete φ is not examined when one of its operands is removed, since it may
get further operands. And in an unreachable cycle of blocks with one predecessor each, the look-up would not terminate:
there, the variable is undefined.
"""

from __future__ import annotations

from cpsconv.core.analysis.undefined_operands import counted
from cpsconv.core.construction.block import Block, Placed, Variable, resolve
from cpsconv.core.construction.events import Complete, Event, Keep, Operand, Remove, Resume, Seal, Walk
from cpsconv.core.construction.placement import Placement
from cpsconv.core.ir import Value
from cpsconv.core.trampoline import Computation, run


class Paper(Placement):
    """Searches all predecessors recursively, and ignores what the front end knows about loops (`may_assign`)."""

    def __init__(self) -> None:
        super().__init__()
        self._users: dict[Value, dict[Placed, None]] = {}  # the complete parameters that receive a parameter
        self._chain: set[Block] = set()  # the blocks with one predecessor passed since the last other block

    def look_up(self, variable: Variable, block: Block) -> Value:
        """The value of `variable` at the end of `block`, which has no definition of it."""
        self.lookups += 1
        self._chain.clear()
        return resolve(run(self._read_variable_recursive(variable, block)))

    def seal(self, block: Block) -> None:
        """Algorithm 4, sealBlock: complete the proxies of `block`, then seal it."""
        for variable, proxy in block.proxies.items():
            self._report(Resume(proxy))
            run(self._add_phi_operands(variable, proxy))
        block.proxies.clear()
        block.sealed = True
        self._report(Seal(block))

    def remove_trivial(self, candidates: list[Placed]) -> None:
        """Remove the trivial candidates, and the parameters that become trivial by these removals (Algorithm 3)."""
        for parameter in candidates:
            run(self._try_remove_trivial_phi(parameter))

    def _read_variable(self, variable: Variable, block: Block, after: tuple[Block, ...] = ()) -> Computation[Value]:
        """Algorithm 1, readVariable. `after` is empty, or has the block from which the look-up goes back to `block`."""
        self.lookups += 1
        value: Value | None = block.definitions.get(variable)
        if value is None and block in self._chain:
            value = self.undef(variable)  # an unreachable cycle
        if value is not None or after:
            self._report(Walk(variable, after, block, value and resolve(value)))
        if value is None:
            value = yield self._read_variable_recursive(variable, block)
        assert value is not None
        return resolve(value)

    def _read_variable_recursive(self, variable: Variable, block: Block) -> Computation[Value]:
        """Algorithm 2, readVariableRecursive."""
        value: Value
        if not block.sealed:
            return self.place_proxy(variable, block)
        if len(block.predecessors) == 1:
            self._chain.add(block)
            value = yield self._read_variable(variable, block.predecessors[0], (block,))
        else:
            phi = self.place(variable, block)  # before searching further: look-ups that return here end
            value = yield self._add_phi_operands(variable, phi)
        self.record(variable, (block,), value)
        return value

    def _add_phi_operands(self, variable: Variable, phi: Placed) -> Computation[Value]:
        """Algorithm 2, addPhiOperands."""
        operands: list[Value] = []
        for number, predecessor in enumerate(phi.block.predecessors):
            self._chain.clear()
            value = yield self._read_variable(variable, predecessor)
            operands.append(value)
            self._report(Operand(phi, resolve(value), number))
        phi.arguments = [*map(resolve, operands)]
        for operand in phi.arguments:
            self._users.setdefault(operand, {})[phi] = None
        self._report(Complete(phi, tuple(phi.arguments)))
        remaining: Value = yield self._try_remove_trivial_phi(phi)
        return remaining

    def _try_remove_trivial_phi(self, phi: Placed) -> Computation[Value]:
        """Algorithm 3, tryRemoveTrivialPhi."""
        if phi.forward is not None:
            return resolve(phi)
        assert phi.arguments is not None
        same: Value | None = None
        operands = dict.fromkeys(operand for operand in map(resolve, phi.arguments) if operand is not phi)
        for operand in counted(self.undefined, operands):
            if same is not None:
                self._report(Keep(phi, (same, operand), phi.distinct_values()))
                return phi
            same = operand
        if same is None:
            same = self.undef(phi.variable)
        users = self._users.pop(phi, {})
        users.pop(phi, None)
        self._users.setdefault(same, {}).update(users)
        phi.forward = same
        self.removed += 1
        self._report(Remove(phi, same, tuple(user for user in users if user.forward is None)))
        for user in users:
            yield self._try_remove_trivial_phi(user)
        return resolve(same)

    def _report(self, event: Event) -> None:
        if self.observer is not None:
            self.observer(event)
