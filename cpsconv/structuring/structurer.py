"""From the graph of a function to a tree of structured statements.

By the dominator tree, as in Ramsey, *Beyond Relooper: Recursive Translation of Unstructured Control Flow to Structured
Control Flow* (ICFP 2022), section 4. What a continuation dominates is translated with it:

- A continuation that one way leads to stands where that way is: in the arm of an `if`, or right behind.
- One that several ways lead to, a *merge*, stands behind the statement that its immediate dominator ends with; there
  may be several, in reverse postorder, so that control goes from each to later ones only.
- A loop header becomes a loop.

Three things are other than in that paper, for C has no labelled blocks to break out of, and is written for people:

- What comes after a loop stands behind it, not within, and ``break`` leads there. Which exit that is, `_behind` says.
- If one arm of a fork never comes to what follows, the other arm is no arm but follows: many `if`s in a row stay in a
  row.
- Where neither falling through nor ``break`` nor ``continue`` leads to a place, ``goto`` does: into irreducible loops,
  out of two loops at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from cpsconv.analysis import loops
from cpsconv.analysis.dominance import Dominance
from cpsconv.ir import Call, Continuation, Edge, External, Function, Jump
from cpsconv.structuring.decisions import Choice, Fork, Ways, local_target, negation
from cpsconv.structuring.tree import (
    Arm,
    Block,
    Break,
    CallOn,
    Continue,
    Goto,
    If,
    Label,
    Leave,
    Loop,
    Pass,
    Run,
    Select,
    Statement,
    Structure,
)


def structure(function: Function, ways: Ways, like_c: bool = True) -> Structure:
    """The structured form of a function, given where its control goes.

    What is `like_c` has arms of a switch that end with ``break`` or fall into the next one, and ``goto`` where that
    saves arms within arms, or parameters when it is converted again. Else it is without them as far as may be.
    """
    labelled: frozenset[Continuation] = frozenset()
    for _ in range(_MOST_ROUNDS):
        structurer = _Structurer(function, ways, like_c, labelled)
        body = structurer.body()
        if structurer.wanted <= labelled or not like_c:
            break
        labelled |= structurer.wanted  # now that they are known, do not come to them in a roundabout way
    return Structure(body, frozenset(structurer.wanted), frozenset(structurer.continued))


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """Where control goes from the end of a block, by ``break`` and by ``continue``; None if it cannot.

    `depth` is the number of arms around the block.
    """

    next: Continuation | None = None
    broken: Continuation | None = None
    continued: Continuation | None = None
    depth: int = 0


_MOST_ROUNDS = 8  # after which some ways to labels may still be roundabout
_DEEPEST = 12  # arms within arms, unless there is no other way


class _Structurer:
    """Work is done from a stack, since blocks may be nested deeply. What stands later in a block is pushed first."""

    def __init__(
        self, function: Function, ways: Ways, like_c: bool, labelled: frozenset[Continuation] = frozenset()
    ) -> None:
        self.function = function
        self.ways = ways
        self._like_c = like_c
        self._labelled = labelled
        self.wanted: set[Continuation] = set()
        self.continued: set[Continuation] = set()
        self._pending: list[Callable[[], None]] = []
        self._number = {member: number for number, member in enumerate(ways.members)}
        root: Continuation = function
        self._tree = Dominance(root, ways.successors, ways.members)
        self._loops = loops.LoopNest(self._tree, ways.successors)
        self._preorder = {member: number for number, member in enumerate(self._tree.preorder())}
        self._sources: dict[Continuation, list[int]] = {member: [] for member in ways.members}
        self._only_way: dict[Continuation, Edge] = {}
        self._ways_in = self._count_ways_in()
        self._after = self._behind_loops()
        behind = {member for members in self._after.values() for member in members}
        self._inline = {member for member, ways in self._ways_in.items() if ways == 1} - behind
        placed = self._inline | behind
        self._merges = {
            member: [child for child in self._tree.children[member] if child not in placed] for member in ways.members
        }

    def _count_ways_in(self) -> Counter[Continuation]:
        """How many ways lead forward to each member; one from elsewhere than the immediate dominator counts twice.

        Notes where all ways to a member start, in preorder; and the way to one that no other leads to.
        """
        forward: Counter[Continuation] = Counter()
        edges: dict[Continuation, list[Edge]] = {member: [] for member in self.ways.members}
        for member, number in self._preorder.items():
            for edge in self.ways.edges(member):
                if target := local_target(edge):
                    self._sources[target].append(number)
                    edges[target].append(edge)
                    if self._leads_forward(member, target):
                        forward[target] += 1 if self._tree.parent[target] is member else 2
        self._only_way = {member: edges[member][0] for member in edges if len(edges[member]) == 1}
        return forward

    def _leads_forward(self, source: Continuation, target: Continuation) -> bool:
        return self._number[source] < self._number[target]

    # ----------------------------------------------------------------------------------------------- loops and exits

    def _behind_loops(self) -> dict[Continuation, list[Continuation]]:
        """For the header of each natural loop what is to stand behind the loop, being dominated by what is inside."""
        exits: dict[Continuation, list[Continuation]] = {}
        for member, parent in self._tree.parent.items():
            inner, own = self._loops.innermost.get(parent), self._loops.innermost.get(member)
            if own and self._is_header(member):
                own = own.around
            while own and own.irreducible and own is not inner:  # one within `inner`, entered here
                own = own.around
            if inner and inner is not own and self._is_shown(inner):
                exits.setdefault(inner.entries[0], []).append(member)
        return {
            header: sorted(self._behind(header, members), key=self._number.__getitem__)
            for header, members in exits.items()
        }

    def _behind(self, header: Continuation, exits: list[Continuation]) -> list[Continuation]:
        """Those of the exits of a loop that stand behind it, while the others stand within.

        They are what the header of a `while` loop leads to; or else the one that dominates most.
        """
        if self.ways.is_empty(header) and (own := [each for each in exits if self._tree.parent[each] is header]):
            return own
        return [max(exits, key=lambda member: len(self._tree.dominated(member)))]

    def _is_header(self, member: Continuation) -> bool:
        loop = self._loops.innermost.get(member)
        return loop is not None and self._is_shown(loop) and loop.entries[0] is member

    def _is_shown(self, loop: loops.Loop[Continuation]) -> bool:
        """Whether it becomes a loop. In C, ways that meet in its header, and bring arguments, would meet before."""
        header = loop.entries[0]
        has_joint = self._like_c and header.parameters and self._ways_in[header] > 1
        return not loop.irreducible and header not in self._labelled and not has_joint

    # -------------------------------------------------------------------------------------------------------- blocks

    def body(self) -> Block:
        """The whole function."""
        body: Block = []
        self._later(self.function, body, _Surroundings())
        while self._pending:
            self._pending.pop()()
        return body

    def _later(self, member: Continuation, block: Block, around: _Surroundings) -> None:
        self._pending.append(lambda: self._place(member, block, around))

    def _in_a_row(self, members: list[Continuation], block: Block, around: _Surroundings) -> None:
        """Place members one after the other, at the end of the block."""
        following = [*members[1:], around.next]
        for member, next in reversed([*zip(members, following, strict=False)]):
            self._later(member, block, replace(around, next=next))

    def _place(self, member: Continuation, block: Block, around: _Surroundings) -> None:
        """Put a member, with all that belongs to it, at the end of the block."""
        block.append(Label(member))
        if member in self._only_way:
            self._pass(self._only_way[member], block)
        if not self._is_header(member):
            self._place_body(member, block, around)
            return
        loop = Loop(member)
        block.append(loop)
        after = self._after.get(member, [])
        self._in_a_row(after, block, around)
        inside = _Surroundings(member, after[0] if after else around.next, member, around.depth)
        self._pending.append(lambda: self._place_body(member, loop.body, inside))

    def _place_body(self, member: Continuation, block: Block, around: _Surroundings) -> None:
        block.append(Run(member))
        exit = self.ways.exits[member]
        merges = self._merges[member]
        entered = self._fallen_into(exit, merges) if isinstance(exit, Choice) else set()
        merges = [merge for merge in merges if merge not in entered]
        self._in_a_row(merges, block, around)
        if merges:
            around = replace(around, next=merges[0])
        if isinstance(exit, Fork):
            self._fork(member, exit, block, around)
        elif isinstance(exit, Choice):
            self._choice(member, exit, entered, block, around)
        elif isinstance(exit, Call):
            self._call(member, exit, block, around)
        else:
            assert isinstance(exit, Jump)
            self._go(member, exit.edge, block, around)

    # ----------------------------------------------------------------------------------------------------- transfers

    def _call(self, member: Continuation, call: Call, block: Block, around: _Surroundings) -> None:
        target = local_target(call.then)
        if target:
            block.append(CallOn(call))
            self._come_to(member, target, block, around)
        else:
            block.append(Leave(call))

    def _fork(self, member: Continuation, fork: Fork, block: Block, around: _Surroundings) -> None:
        """If control does not come from one arm to what follows, that arm stands alone, and the other one behind.

        Nor is there an arm that falls through where another one would go the same way directly, to a label or round the
        loop: the two would meet before. And where arms would be too deep, there is a label to go to.
        """
        condition, then, otherwise, next = fork.condition, fork.then, fork.otherwise, around.next
        falls, other_falls = self._falls(then, next), self._falls(otherwise, next)
        inside = replace(around, depth=around.depth + 1)
        is_own = next in self._merges[member]
        is_direct = next in self._labelled or next is around.continued or (around.depth > _DEEPEST and not is_own)
        is_direct = self._like_c and (is_direct or bool(next and next.parameters and not is_own))
        if falls and other_falls and is_direct:
            inside = replace(inside, next=None)
            falls, other_falls = then.target is not next and otherwise.target is next, False
        if (falls and not other_falls) or (not falls and self._ends(otherwise) and not self._ends(then)):
            condition, then, otherwise, falls = negation(condition), otherwise, then, False
        statement = If(condition)
        block.append(statement)
        self._go(member, otherwise, statement.otherwise if falls else block, inside if falls else around)
        self._go(member, then, statement.then, inside)

    def _ends(self, edge: Edge) -> bool:
        """Whether the program ends where the edge leads, as after a failing assertion."""
        target = local_target(edge)
        exit = self.ways.exits[target] if target in self._inline else None
        return isinstance(exit, Jump) and isinstance(exit.edge.target, External)

    def _falls(self, edge: Edge, next: Continuation | None, here: Collection[Continuation] = ()) -> bool:
        """Whether the end of a block that the edge begins is reached, where `next` follows.

        Of the members that several ways lead to, those `here` stand in that block.
        """
        target = local_target(edge)
        if target is None or next is None:
            return False
        if target not in self._inline and target not in here:
            return target is next
        dominated, sources = self._tree.dominated(target), self._sources[next]
        index = bisect_left(sources, dominated.start)
        return index < len(sources) and sources[index] < dominated.stop

    def _fallen_into(self, choice: Choice, merges: list[Continuation]) -> set[Continuation]:
        """The merges that stand within a switch, for control falls from one arm into the next."""
        inside = set(merges[:-1])  # what follows the switch comes last
        entered: set[Continuation] = set()
        if not self._like_c:
            return entered
        for before, edge in pairwise([*(edge for _, edge in choice.cases), choice.default]):
            target = local_target(edge)
            if target in inside and not target.parameters and self._falls(before, target, entered):
                entered.add(target)
        return entered

    def _choice(
        self, member: Continuation, choice: Choice, entered: set[Continuation], block: Block, around: _Surroundings
    ) -> None:
        """Each arm ends with ``break`` in C, but for those that fall into the next one."""
        ways = [*choice.cases, ([], choice.default)]
        arms = [Arm(cases) for cases, _ in ways]
        block.append(Select(choice.value, arms))
        if around.next in self._labelled:
            around = replace(around, next=None)
        inside = replace(around, broken=around.next) if self._like_c else around
        next: Continuation | None = None
        for arm, (_, edge) in reversed([*zip(arms, ways, strict=True)]):
            own = replace(inside, next=next) if next in entered else inside
            if next not in entered and self._like_c:
                self._pending.append(partial(_end_with_break, arm.body))
            next = local_target(edge)
            if next and next in entered:
                self._later(next, arm.body, own)
            else:
                self._go(member, edge, arm.body, own)

    def _go(self, source: Continuation, edge: Edge, block: Block, around: _Surroundings) -> None:
        """Follow an edge, from the end of the block."""
        target = local_target(edge)
        if target is None:
            block.append(Leave(Jump(edge)))
            return
        if target not in self._only_way:
            self._pass(edge, block)
        self._come_to(source, target, block, around)

    def _pass(self, edge: Edge, block: Block) -> None:
        if edge.arguments:
            block.append(Pass(edge))

    def _come_to(self, source: Continuation, target: Continuation, block: Block, around: _Surroundings) -> None:
        if target in self._inline and self._leads_forward(source, target):
            self._later(target, block, around)
        elif target is around.broken and target is not around.next and self._breaks_to(target, source, around):
            block.append(Break())
        elif target is around.continued and target is not around.next:
            self.continued.add(target)
            block.append(Continue())
        elif target is not around.next:
            self.wanted.add(target)
            block.append(Goto(target))

    def _breaks_to(self, target: Continuation, source: Continuation, around: _Surroundings) -> bool:
        """Whether ``break`` leads to `target` itself: with a label there, several would meet before."""
        header = around.continued
        if target not in self._labelled or header is None or source is header:
            return True
        dominated, sources = self._tree.dominated(header), self._sources[target]
        return bisect_left(sources, dominated.stop) - bisect_left(sources, dominated.start) == 1


def _end_with_break(block: Block) -> None:
    """Leave the switch at the end of an arm, unless control does not come there."""
    last: Sequence[Statement] = block[-1:]
    if last and isinstance(last[0], If):
        last = [*last[0].then[-1:], *last[0].otherwise[-1:]]
        if len(last) < 2:
            last = []
    if not last or not all(isinstance(each, (Leave, Break, Continue, Goto)) for each in last):
        block.append(Break())
