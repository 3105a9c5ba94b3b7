"""The base of all strategies: the walk to the next join, placement of parameters, and removal of trivial ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence

from cpsconv.core.analysis.undefined_operands import Rule, counted, keep_undefined
from cpsconv.core.construction.block import Block, Placed, Variable, resolve
from cpsconv.core.construction.events import Complete, Keep, Observer, Place, Proxy, Record, Remove, Seal, Walk
from cpsconv.core.ir import Undef, Value


class Placement(ABC):
    """The placement of parameters in one function. A subclass implements `look_up`, the strategy.

    `placed` and `removed` count parameters. `lookups` counts the blocks visited by look-ups. The `observer` is called
    with each step, see `cpsconv.core.construction.events`. `undefined` is the rule for undefined operands.
    """

    observer: Observer | None = None
    undefined: Rule = staticmethod(keep_undefined)

    def __init__(self) -> None:
        self.placed = 0
        self.removed = 0
        self.lookups = 0
        self._undefs: dict[Variable, Undef] = {}

    @abstractmethod
    def look_up(self, variable: Variable, block: Block) -> Value:
        """The value of `variable` at the end of `block` (readVariableRecursive of Algorithm 2)."""

    def read(self, variable: Variable, block: Block) -> Value:
        """The current value of `variable` in `block` (readVariable of Algorithm 1)."""
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
        """Complete the placement after all blocks are filled. `blocks` are the reachable ones, the entry first.

        The strategies of the paper have nothing left to do. The baselines, which need the whole graph, start here.
        """

    def walk(self, variable: Variable, block: Block) -> tuple[Value | None, Block, list[Block]]:
        """Follow single predecessors back from `block` to a definition or a join.

        Returns the value found and its block, or None and the join whose predecessors must be searched; and the blocks
        passed, which have a single predecessor and so the same value. The value is recorded in them if it was found.
        """
        self.lookups += 1
        walk = self.lookups  # no other walk starts at this number
        passed: list[Block] = []
        is_open = is_undefined = False
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
                is_undefined = True
                break
            block.walk = walk
            passed.append(block)
            block = predecessors[0]
        self.lookups += len(passed)
        if self.observer is not None:
            self.observer(Walk(variable, passed, block, value))
        if is_open:
            value = self.place_proxy(variable, block)
        if value is not None and (passed or is_undefined):
            self.record(variable, [*passed, block] if is_undefined else passed, value)
        return value, block, passed

    def record(self, variable: Variable, blocks: Collection[Block], value: Value) -> None:
        """Record the result of a look-up in the blocks that it passed, so that no look-up is repeated."""
        for block in blocks:
            block.definitions[variable] = value
        if self.observer is not None and blocks:
            self.observer(Record(variable, tuple(dict.fromkeys(blocks)), value))

    def place_proxy(self, variable: Variable, block: Block) -> Placed:
        """A new parameter of `block`, which is not sealed, for `variable` (first case of Algorithm 2)."""
        proxy = block.proxies[variable] = self._new_parameter(variable, block)
        if self.observer is not None:
            self.observer(Proxy(proxy))
            self.observer(Record(variable, (block,), proxy))
        return proxy

    def place(self, variable: Variable, block: Block) -> Placed:
        """A new parameter of `block` for `variable`, recorded as its definition. `complete` adds its arguments."""
        parameter = self._new_parameter(variable, block)
        if self.observer is not None:
            self.observer(Place(parameter))
            self.observer(Record(variable, (block,), parameter))
        return parameter

    def _new_parameter(self, variable: Variable, block: Block) -> Placed:
        parameter = Placed(variable, block)
        block.placed.append(parameter)
        block.definitions[variable] = parameter
        self.placed += 1
        return parameter

    def undef(self, variable: Variable) -> Undef:
        """The value of an unassigned variable: always the same object, so that it counts as one value."""
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

        The paper examines all users of a removed parameter again. Here, only users that have it as a witness are
        examined; no other can have become trivial. (The simpler variant of section 3.1, which examines only the
        replacing value, misses some.)
        """
        while candidates:
            parameter = candidates.pop()
            if parameter.forward is not None or parameter.arguments is None:
                continue  # already removed; or not complete, and examined once it is
            witnesses = self._distinct_operands(parameter)
            if len(witnesses) == 2:
                if self.observer is not None:
                    self.observer(Keep(parameter, witnesses, parameter.distinct_values()))
                continue
            parameter.forward = witnesses[0] if witnesses else self.undef(parameter.variable)
            self.removed += 1
            affected = _affected(parameter, parameter.forward)
            if self.observer is not None:
                again = dict.fromkeys(each for each in affected if each.forward is None and each.arguments is not None)
                self.observer(Remove(parameter, parameter.forward, tuple(again)))
            candidates += affected

    def _distinct_operands(self, parameter: Placed) -> Sequence[Value]:
        """At most two distinct values that `parameter` receives and that count."""
        if self.undefined is keep_undefined:
            return parameter.find_witnesses()
        witnesses = parameter.find_witnesses(Undef)
        if len(witnesses) == 2:
            return witnesses
        assert parameter.arguments is not None
        distinct = dict.fromkeys(value for value in map(resolve, parameter.arguments) if value is not parameter)
        return [*counted(self.undefined, distinct)][:2]


def _affected(removed: Placed, same: Value) -> list[Placed]:
    """The parameters that may have become trivial because `same` replaces `removed`.

    If `same` is a parameter, it may have received the removed one, and it inherits its watchers. A parameter that has
    become trivial had both as witnesses, and is in both lists. So only the shorter list is traversed and returned.
    """
    if type(same) is not Placed:
        return removed.watchers
    fewer, more = sorted((removed.watchers, same.watchers), key=len)
    same.watchers = more
    more += fewer
    return [same, *fewer]
