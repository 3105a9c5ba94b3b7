"""What the strategies share: walking to where a decision is due, placing parameters, removing trivial ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from cpsconv.construction.block import Block, Placed, Variable, resolve
from cpsconv.construction.events import Complete, Keep, Observer, Place, Proxy, Remove, Seal, Walk
from cpsconv.ir import Undef, Value


class Placement(ABC):
    """Decides which continuations get parameters, for one function. `placed` and `removed` count them.

    `lookups` counts the work: how often a look-up came to a block, that is, the pairs of a variable and a continuation
    that it looked at. `observer` is told of every step, see `cpsconv.construction.events`.
    """

    observer: Observer | None = None

    def __init__(self) -> None:
        self.placed = 0
        self.removed = 0
        self.lookups = 0
        self._undefs: dict[Variable, Undef] = {}

    @abstractmethod
    def look_up(self, variable: Variable, block: Block) -> Value:
        """The value of `variable` at the end of `block` (readVariableRecursive of Algorithm 2)."""

    def read(self, variable: Variable, block: Block) -> Value:
        """The value of `variable` at the end of `block` as it is now (readVariable of Algorithm 1)."""
        value = block.definitions.get(variable)
        return self.look_up(variable, block) if value is None else resolve(value)

    def seal(self, block: Block) -> None:
        """Add the arguments of all proxies of `block`, whose predecessors are now complete (Algorithm 4)."""
        block.sealed = True
        if self.observer is not None:
            self.observer(Seal(block))
        if block.proxies:
            for variable, proxy in block.proxies.items():
                self.complete(proxy, [self.look_up(variable, predecessor) for predecessor in block.predecessors])
            block.proxies.clear()

    def settle(self, blocks: list[Block]) -> None:  # noqa: B027 - a hook
        """Decide what is still open, now that the function is finished: `blocks` are those that it can come to.

        The strategies of the paper decide as they go. This is where constructions that need the whole graph set in.
        """

    def walk(self, variable: Variable, block: Block) -> tuple[Value | None, Block, list[Block]]:
        """Go back from `block` for as long as there is nothing to decide.

        Returns the value found and where; or None and the join at which the search has to fan out. The list holds
        the blocks that were passed on the way, each with a single predecessor: they have the same value, and it is
        remembered there as soon as it is known.
        """
        self.lookups += 1
        walk = self.lookups  # no other walk starts at this number
        passed: list[Block] = []
        is_open = False
        while True:
            value = block.definitions.get(variable)
            if value is not None:
                value = resolve(value)
                break
            if not block.sealed and block.is_open_for(variable):
                is_open = True
                break
            predecessors = block.predecessors
            if len(predecessors) > 1:
                break
            if not predecessors or block.walk == walk:
                # The entry, or a cycle of single predecessors: that has no entry, so it is unreachable.
                value = block.definitions[variable] = self.undef(variable)
                break
            block.walk = walk
            passed.append(block)
            block = predecessors[0]
        self.lookups += len(passed)
        if self.observer is not None:
            self.observer(Walk(variable, passed, block, value))
        if is_open:
            value = self._place_proxy(variable, block)
        if passed and value is not None:
            remember(variable, passed, value)
        return value, block, passed

    def _place_proxy(self, variable: Variable, block: Block) -> Placed:
        proxy = block.proxies[variable] = self._new_parameter(variable, block)
        if self.observer is not None:
            self.observer(Proxy(proxy))
        return proxy

    def place(self, variable: Variable, block: Block) -> Placed:
        """A new parameter of `block` for `variable`, still without arguments, recorded as the definition there."""
        parameter = self._new_parameter(variable, block)
        if self.observer is not None:
            self.observer(Place(parameter))
        return parameter

    def _new_parameter(self, variable: Variable, block: Block) -> Placed:
        parameter = Placed(variable, block)
        block.placed.append(parameter)
        block.definitions[variable] = parameter
        self.placed += 1
        return parameter

    def undef(self, variable: Variable) -> Undef:
        """The value of a variable that nothing was assigned to: one object, so that receiving it twice is trivial."""
        if variable not in self._undefs:
            self._undefs[variable] = Undef(variable.type, variable.name, variable.span)
        return self._undefs[variable]

    def complete(self, parameter: Placed, arguments: Iterable[Value]) -> Value:
        """Give `parameter` its arguments, one for each predecessor (addPhiOperands of Algorithm 2).

        Returns the parameter, or the value that replaces it if it is trivial.
        """
        parameter.arguments = [*map(resolve, arguments)]
        if self.observer is not None:
            self.observer(Complete(parameter, tuple(parameter.arguments)))
        self.remove_trivial([parameter])
        return resolve(parameter)

    def remove_trivial(self, candidates: list[Placed]) -> None:
        """Remove those candidates that are trivial, and whatever becomes trivial by that (Algorithm 3).

        The paper examines all users of a removed parameter again. Only those of which it was a witness can have become
        trivial: all of these, and not just the value that replaces it, a short cut that leaves some behind.
        """
        while candidates:
            parameter = candidates.pop()
            if parameter.forward is not None or parameter.arguments is None:
                continue  # removed meanwhile; or not yet complete: examined when it is
            witnesses = parameter.find_witnesses()
            if len(witnesses) == 2:
                if self.observer is not None:
                    self.observer(Keep(parameter, witnesses))
                continue
            parameter.forward = witnesses[0] if witnesses else self.undef(parameter.variable)
            self.removed += 1
            affected = _affected(parameter, parameter.forward)
            if self.observer is not None:
                again = dict.fromkeys(each for each in affected if each.forward is None)
                self.observer(Remove(parameter, parameter.forward, tuple(again)))
            candidates += affected


def _affected(removed: Placed, same: Value) -> list[Placed]:
    """The parameters that may have become trivial now that `same` stands for `removed`.

    If `same` is a parameter, it may itself have received the removed one. And whoever had both as witnesses watches
    both: it is enough to examine the shorter list, so that no list is gone through again and again as it is handed on.
    """
    if type(same) is not Placed:
        return removed.watchers
    fewer, more = sorted((removed.watchers, same.watchers), key=len)
    same.watchers = more
    more += fewer
    return [same, *fewer]


def remember(variable: Variable, blocks: Iterable[Block], value: Value) -> None:
    """Record the answer of a look-up in every block that it came through, so that nothing is looked up twice."""
    for block in blocks:
        block.definitions[variable] = value
