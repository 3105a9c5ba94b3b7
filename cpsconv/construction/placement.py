"""The base of all strategies: the walk to the next join, placement of parameters, and removal of trivial ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from cpsconv.construction.block import Block, Placed, Variable, resolve
from cpsconv.construction.events import Complete, Keep, Observer, Place, Proxy, Remove, Seal, Walk
from cpsconv.ir import Undef, Value


class Placement(ABC):
    """A strategy at work on one function: it decides which continuations get parameters.

    `placed` and `removed` count parameters. `lookups` counts visits of look-ups to blocks. The `observer` is called
    with each step, see `cpsconv.construction.events`.
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
        """Decide what is still open, after all blocks are filled. `blocks` are the reachable ones, the entry first.

        The strategies of the paper have nothing left to decide. The baselines, which need the whole graph, start here.
        """

    def walk(self, variable: Variable, block: Block) -> tuple[Value | None, Block, list[Block]]:
        """Follow single predecessors back from `block` to a definition or a join.

        Returns the value found and its block; or None and the join whose predecessors must be searched. The list holds
        the blocks passed on the way, which have a single predecessor and so the same value. It is recorded in them as
        soon as it is known.
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
                # The entry, or a cycle of single predecessors, which is unreachable.
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
        """A new parameter of `block` for `variable`, recorded as its definition there. Its arguments follow."""
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
        """The value of an unassigned variable: one object, so that a parameter that receives it twice is trivial."""
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
        """Remove the trivial candidates, and the parameters that become trivial by these removals (Algorithm 3).

        The paper examines all users of a removed parameter again. Only users that had it as a witness can have become
        trivial. All of these are examined; to examine only the replacing value, a known short cut, misses some.
        """
        while candidates:
            parameter = candidates.pop()
            if parameter.forward is not None or parameter.arguments is None:
                continue  # already removed; or not complete, and examined once it is
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
    """The parameters that may have become trivial because `same` replaces `removed`.

    If `same` is a parameter, it may itself have received the removed one. A parameter that had both as witnesses
    watches both, so that the shorter list suffices: no list is traversed again and again while it is handed on.
    """
    if type(same) is not Placed:
        return removed.watchers
    fewer, more = sorted((removed.watchers, same.watchers), key=len)
    same.watchers = more
    more += fewer
    return [same, *fewer]


def remember(variable: Variable, blocks: Iterable[Block], value: Value) -> None:
    """Record the result of a look-up in every block that it passed, so that no look-up is repeated."""
    for block in blocks:
        block.definitions[variable] = value
