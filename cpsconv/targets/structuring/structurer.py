"""From a decision graph to a tree of structured statements.

The translation follows the dominator tree, as in Ramsey, *Beyond Relooper: Recursive Translation of Unstructured
Control Flow to Structured Control Flow* (ICFP 2022), section 4. A continuation is translated together with those that
it dominates:

- A continuation with one incoming edge is placed at this edge: in the arm of an `if`, or directly after the `if`.
- A continuation with several incoming edges, a *merge*, follows the statement that ends its immediate dominator. If
  there are several merges, they follow in reverse postorder, so that control goes from each to later ones only.
- A loop header becomes a loop.

The translation differs from the paper in three points, since C cannot break out of labelled blocks, and since people
read the result:

- The exit of a loop follows the loop, instead of being placed inside it, and ``break`` leads to it. `_exits_after`
  chooses the exit.
- If one arm of a decision never reaches the following statements, the other arm is written after the `if`. So a
  sequence of `if`s is not nested.
- A continuation that neither falling through nor ``break`` nor ``continue`` reaches gets a ``goto``: an entry of an
  irreducible loop, or the target of a jump out of two loops.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from cpsconv.core.analysis import loops
from cpsconv.core.analysis.graph import local_target
from cpsconv.core.ir import Call, Continuation, Edge, External, Function, Jump
from cpsconv.targets.structuring import tree as s
from cpsconv.targets.structuring.decisions import Choice, Decision, DecisionGraph, negation


def structure(function: Function, graph: DecisionGraph, like_c: bool = True) -> s.Structure:
    """The structured form of a function.

    With `like_c`, the arms of a switch end with ``break`` or fall into the next one, and ``goto`` is used where it
    avoids nested arms, or additional parameters when the C text is converted again. Otherwise, neither is used.
    """
    labelled: frozenset[Continuation] = frozenset()
    for _ in range(MAX_ROUNDS):
        structurer = _Structurer(function, graph, like_c, labelled)
        body = structurer.body()
        if structurer.goto_targets <= labelled or not like_c:
            break
        labelled |= structurer.goto_targets  # in the next round, all edges to these labels may use `goto`
    return s.Structure(body, frozenset(structurer.goto_targets), frozenset(structurer.continued_loops))


@dataclass(frozen=True, slots=True)
class _Context:
    """Where control goes from the end of a block, after ``break`` and after ``continue``; None if not available.

    `depth` is the number of arms around the block.
    """

    next: Continuation | None = None
    break_target: Continuation | None = None
    continue_target: Continuation | None = None
    depth: int = 0


MAX_ROUNDS = 8  # of placing labels
MAX_DEPTH = 12  # of nested arms, if labels can avoid deeper ones


class _Structurer:
    """Translates one function, once. `labelled` are the continuations to which ``goto`` is preferred.

    Pending work is a stack, since blocks may be nested deeply. Later parts of a block are pushed first.
    """

    def __init__(
        self, function: Function, graph: DecisionGraph, like_c: bool, labelled: frozenset[Continuation]
    ) -> None:
        self.function = function
        self.graph = graph
        self._like_c = like_c
        self._labelled = labelled
        self.goto_targets: set[Continuation] = set()
        self.continued_loops: set[Continuation] = set()
        self._pending: list[Callable[[], object]] = []
        self._number = {member: number for number, member in enumerate(graph.members)}
        self._tree = graph.dominance()
        self._loops = loops.LoopNest(self._tree, graph.successors)
        self._preorder = {member: number for number, member in enumerate(self._tree.preorder())}
        self._sources: dict[Continuation, list[int]] = {member: [] for member in graph.members}
        self._only_edge: dict[Continuation, Edge] = {}
        self._forward_edges = self._count_forward_edges()
        self._after_loop = self._exits_after_loops()
        after = {member for members in self._after_loop.values() for member in members}
        self._inline = {member for member, count in self._forward_edges.items() if count == 1} - after
        placed = self._inline | after
        self._merges = {
            member: [child for child in self._tree.children[member] if child not in placed] for member in graph.members
        }

    def _count_forward_edges(self) -> Counter[Continuation]:
        """The number of forward edges to each member; an edge not from the immediate dominator counts twice.

        Also records the preorder numbers of the sources of all edges to a member, and the edge to a member that has
        only one.
        """
        forward: Counter[Continuation] = Counter()
        edges: dict[Continuation, list[Edge]] = {member: [] for member in self.graph.members}
        for member, number in self._preorder.items():
            for edge in self.graph.edges(member):
                if target := local_target(edge):
                    self._sources[target].append(number)
                    edges[target].append(edge)
                    if self._number[member] < self._number[target]:
                        forward[target] += 1 if self._tree.parent[target] is member else 2
        self._only_edge = {member: edges[member][0] for member in edges if len(edges[member]) == 1}
        return forward

    # ----------------------------------------------------------------------------------------------- loops and exits

    def _exits_after_loops(self) -> dict[Continuation, list[Continuation]]:
        """For the header of each natural loop, the exits that follow the loop; members of the loop dominate them."""
        exits: dict[Continuation, list[Continuation]] = {}
        for member, parent in self._tree.parent.items():
            inner, own = self._loops.innermost.get(parent), self._loops.innermost.get(member)
            if own and self._is_header(member):
                own = own.around
            while own and own.irreducible and own is not inner:  # a loop inside `inner`, entered here
                own = own.around
            if inner and inner is not own and self._is_shown(inner):
                exits.setdefault(inner.entries[0], []).append(member)
        return {header: self._exits_after(header, members) for header, members in exits.items()}

    def _exits_after(self, header: Continuation, exits: list[Continuation]) -> list[Continuation]:
        """The exits of a loop that follow it, in reverse postorder; the others are placed inside it.

        These are the exits of the header of a `while` loop; otherwise the exit that dominates the most members.
        """
        if self.graph.is_empty(header) and (own := [each for each in exits if self._tree.parent[each] is header]):
            return sorted(own, key=self._number.__getitem__)
        return [max(exits, key=lambda member: len(self._tree.dominated(member)))]

    def _is_header(self, member: Continuation) -> bool:
        loop = self._loops.innermost.get(member)
        return loop is not None and self._is_shown(loop) and loop.entries[0] is member

    def _is_shown(self, loop: loops.Loop[Continuation]) -> bool:
        """Whether `loop` becomes a `Loop`. In C, edges that pass arguments to its header would join before the loop."""
        header = loop.entries[0]
        has_join = self._like_c and header.parameters and self._forward_edges[header] > 1
        return not loop.irreducible and header not in self._labelled and not has_join

    # -------------------------------------------------------------------------------------------------------- blocks

    def body(self) -> s.Block:
        """The whole function."""
        body: s.Block = []
        self._later(self.function, body, _Context())
        while self._pending:
            self._pending.pop()()
        return body

    def _later(self, member: Continuation, block: s.Block, around: _Context) -> None:
        self._pending.append(partial(self._place, member, block, around))

    def _in_sequence(self, members: list[Continuation], block: s.Block, around: _Context) -> None:
        """Append members to the block, one after the other."""
        following = [*members[1:], around.next]
        for member, next in reversed([*zip(members, following, strict=False)]):
            self._later(member, block, replace(around, next=next))

    def _place(self, member: Continuation, block: s.Block, around: _Context) -> None:
        """Append a member and the members that it dominates to the block."""
        block.append(s.Label(member))
        if member in self._only_edge and self._only_edge[member].arguments:
            block.append(s.Pass(self._only_edge[member]))
        if not self._is_header(member):
            self._place_body(member, block, around)
            return
        loop = s.Loop(member)
        block.append(loop)
        after = self._after_loop.get(member, [])
        self._in_sequence(after, block, around)
        inside = _Context(member, after[0] if after else around.next, member, around.depth)
        self._pending.append(partial(self._place_body, member, loop.body, inside))

    def _place_body(self, member: Continuation, block: s.Block, around: _Context) -> None:
        block.append(s.BasicBlock(member))
        exit = self.graph.terminators[member]
        merges = self._merges[member]
        entered = self._fall_through_targets(exit, merges) if isinstance(exit, Choice) else set()
        merges = [merge for merge in merges if merge not in entered]
        self._in_sequence(merges, block, around)
        if merges:
            around = replace(around, next=merges[0])
        if isinstance(exit, Decision):
            self._decision(member, exit, block, around)
        elif isinstance(exit, Choice):
            self._choice(member, exit, entered, block, around)
        elif isinstance(exit, Call):
            target = local_target(exit.then)
            block.append(s.CallStatement(exit) if target else s.Leave(exit))
            if target:
                self._reach(member, target, block, around)
        else:
            assert isinstance(exit, Jump)
            self._go(member, exit.edge, block, around)

    # ----------------------------------------------------------------------------------------------------- transfers

    def _decision(self, member: Continuation, decision: Decision, block: s.Block, around: _Context) -> None:
        """If control does not reach the following statements from one arm, only this arm is nested; the other follows.

        If the following statements start with a label, or with the next iteration of the loop, only one arm falls
        through; the other jumps, so that the two edges do not join earlier. A label also avoids arms that would be
        nested too deeply.
        """
        condition, next = decision.condition, around.next
        then, otherwise = decision.then, decision.otherwise
        falls, other_falls = self._falls(then, next), self._falls(otherwise, next)
        inside = replace(around, depth=around.depth + 1)
        is_own = next in self._merges[member]
        is_jump = next in self._labelled or next is around.continue_target
        is_too_far = (around.depth > MAX_DEPTH or bool(next and next.parameters)) and not is_own
        if falls and other_falls and self._like_c and (is_jump or is_too_far):
            inside = replace(inside, next=None)
            falls, other_falls = then.target is not next and otherwise.target is next, False
        if (falls and not other_falls) or (not falls and self._ends(otherwise) and not self._ends(then)):
            condition, then, otherwise, falls = negation(condition), otherwise, then, False
        statement = s.If(condition)
        block.append(statement)
        self._go(member, otherwise, statement.otherwise if falls else block, inside if falls else around)
        self._go(member, then, statement.then, inside)

    def _ends(self, edge: Edge) -> bool:
        """Whether the edge leads to the end of the program, as after a failing assertion."""
        target = local_target(edge)
        exit = self.graph.terminators[target] if target in self._inline else None
        return isinstance(exit, Jump) and isinstance(exit.edge.target, External)

    def _falls(self, edge: Edge, next: Continuation | None, here: Collection[Continuation] = ()) -> bool:
        """Whether control reaches the end of a block that the edge starts and that `next` follows.

        The merges `here` are placed in this block.
        """
        target = local_target(edge)
        if target is None or next is None:
            return False
        if target not in self._inline and target not in here:
            return target is next
        return self._count_edges(target, next) > 0

    def _count_edges(self, dominator: Continuation, target: Continuation) -> int:
        """The number of edges to `target` from members that `dominator` dominates."""
        dominated, sources = self._tree.dominated(dominator), self._sources[target]
        return bisect_left(sources, dominated.stop) - bisect_left(sources, dominated.start)

    def _fall_through_targets(self, choice: Choice, merges: list[Continuation]) -> set[Continuation]:
        """The merges placed inside a switch, since control falls into them from the arm before."""
        inside = set(merges[:-1])  # the last one follows the switch
        entered: set[Continuation] = set()
        if not self._like_c:
            return entered
        for before, edge in pairwise([*(edge for _, edge in choice.cases), choice.default]):
            target = local_target(edge)
            if target in inside and not target.parameters and self._falls(before, target, entered):
                entered.add(target)
        return entered

    def _choice(
        self, member: Continuation, choice: Choice, entered: set[Continuation], block: s.Block, around: _Context
    ) -> None:
        """Each arm ends with ``break`` in C, except arms that fall into the next one."""
        edges = [*choice.cases, ([], choice.default)]
        arms = [s.Arm(cases) for cases, _ in edges]
        block.append(s.Select(choice.value, arms))
        if around.next in self._labelled:
            around = replace(around, next=None)
        inside = replace(around, break_target=around.next) if self._like_c else around
        next: Continuation | None = None
        for arm, (_, edge) in reversed([*zip(arms, edges, strict=True)]):
            own = replace(inside, next=next) if next in entered else inside
            if next not in entered and self._like_c:
                self._pending.append(partial(_end_with_break, arm.body))
            next = local_target(edge)
            if next and next in entered:
                self._later(next, arm.body, own)
            else:
                self._go(member, edge, arm.body, own)

    def _go(self, source: Continuation, edge: Edge, block: s.Block, around: _Context) -> None:
        """Continue along an edge, at the end of the block."""
        target = local_target(edge)
        if target is None:
            block.append(s.Leave(Jump(edge)))
            return
        if target not in self._only_edge and edge.arguments:
            block.append(s.Pass(edge))
        self._reach(source, target, block, around)

    def _reach(self, source: Continuation, target: Continuation, block: s.Block, around: _Context) -> None:
        if target in self._inline and self._number[source] < self._number[target]:
            self._later(target, block, around)
        elif target is around.next:
            return
        elif target is around.break_target and self._breaks_to(target, source, around):
            block.append(s.Break())
        elif target is around.continue_target:
            self.continued_loops.add(target)
            block.append(s.Continue())
        else:
            self.goto_targets.add(target)
            block.append(s.Goto(target))

    def _breaks_to(self, target: Continuation, source: Continuation, around: _Context) -> bool:
        """Whether ``break`` may lead to `target`: edges to a labelled target must not join before it."""
        header = around.continue_target
        if target not in self._labelled or header is None or source is header:
            return True
        return self._count_edges(header, target) == 1


def _end_with_break(block: s.Block) -> None:
    """Leave the switch at the end of an arm, unless control does not reach it."""
    ends = [block]
    if block and isinstance(last := block[-1], s.If):
        ends = [last.then, last.otherwise]
    if not all(end and isinstance(end[-1], (s.Leave, s.Break, s.Continue, s.Goto)) for end in ends):
        block.append(s.Break())
