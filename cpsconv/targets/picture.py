"""The content of a picture of a program; `dot` and `mermaid` choose shapes, colours and line styles.

A node is a continuation with its parameters and body, an arrow is an edge with its arguments, and a cluster contains
the nodes of a function or loop. Names and expressions are written as in the CPS text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.dominance_frontiers import frontiers
from cpsconv.core.analysis.flow import escaping_continuations
from cpsconv.core.analysis.graph import successors
from cpsconv.core.analysis.loops import Loop, LoopNest
from cpsconv.core.text.expressions import Expressions
from cpsconv.core.text.layout import Group, Piece, layout_lines, wrapped
from cpsconv.core.text.plan import TextPlan
from cpsconv.core.text.spelling import foreign_text, in_ascii, literal_text, quote_name
from cpsconv.core.trampoline import Walk, flattened

_NODE_WIDTH = 48
_ARROW_WIDTH = 32
_MAX_INDENTATION = 20

Lines = Sequence[str]


@dataclass(frozen=True)
class View:
    """The options of a picture: boxes around `loops`, arrows from immediate `dominators`, `bodies` of nodes, `edges`.

    With `dominators` but without `edges`, it is the dominator tree. `frontiers` adds arrows to dominance frontiers.
    `ascii` spells symbols as in ASCII CPS text.
    """

    loops: bool = False
    dominators: bool = False
    bodies: bool = True
    edges: bool = True
    frontiers: bool = False
    ascii: bool = False


DEFAULT_VIEW = View()


@dataclass(frozen=True, slots=True)
class Node:
    """A node, whose `name` is unique. Its lines are the `head` (name and parameters), the `body` and the `end`.

    The `end` is the transfer; it is empty for a jump, which its arrow shows completely. An ``exit`` is a target without
    a body in the picture: a continuation parameter, an external continuation, or a function that is not drawn. In a
    picture of a step, the ``current`` continuation is marked, and a ``note`` has the sentence.
    """

    name: str
    kind: Literal["function", "continuation", "current", "exit", "note"]
    head: Lines
    body: Lines = ()
    end: Lines = ()


ArrowKind = Literal["edge", "back edge", "retreating edge", "call", "passed", "dominator", "frontier"]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two nodes; `source` and `target` are their names.

    A ``back edge`` leads to a dominator of its source, a ``retreating edge`` closes a cycle of an irreducible loop, a
    ``call`` leads to the callee, ``passed`` to a continuation that its source passes as a value, ``dominator`` from the
    immediate dominator, and ``frontier`` to a member of the dominance frontier.
    """

    source: str
    target: str
    kind: ArrowKind
    label: Lines = ()


@dataclass(slots=True)
class Cluster:
    """Nodes and inner clusters. The title of a loop names its entries."""

    kind: Literal["program", "function", "loop", "irreducible loop"]
    title: str
    nodes: list[Node] = field(default_factory=list)
    inner: list[Cluster] = field(default_factory=list)


def indented_lines(
    root: Cluster, node: Callable[[Node], str], opening: Callable[[Cluster, int], Iterable[str]], closing: str
) -> Iterator[str]:
    """The content of a cluster as indented lines: one for a node, several from `opening` to `closing` for a cluster.

    `opening` takes an inner cluster and its number, which is unique.
    """
    numbers = count()

    def content(cluster: Cluster, depth: int) -> Walk[str]:
        margin = "  " * min(depth, _MAX_INDENTATION)
        for each in cluster.nodes:
            yield margin + node(each)
        for inner in cluster.inner:
            for line in opening(inner, next(numbers)):
                yield margin + line
            yield content(inner, depth + 1)
            yield margin + closing

    return flattened(content(root, 1))


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture. `root` is the cluster of a function, or of a ``program`` with an inner cluster for each function."""

    root: Cluster
    arrows: list[Arrow]


def picture(program: ir.Program, view: View = DEFAULT_VIEW, function: ir.Function | None = None) -> Picture:
    """The picture of a program, or of one of its functions, in time almost linear in the size."""
    functions = [function] if function else program.functions
    drawn = frozenset(functions)
    taken = frozenset(each.name for each in program.functions)
    parts = [_FunctionPicture(each, TextPlan(each, taken), drawn, view) for each in functions]
    arrows = [arrow for part in parts for arrow in part.arrows]
    if len(parts) == 1:
        return Picture(parts[0].cluster, arrows)
    title = program.source.name if program.source else ""
    return Picture(Cluster("program", title, inner=[part.cluster for part in parts]), arrows)


class _FunctionPicture:
    """The `cluster` and `arrows` of one function. `drawn` are all functions of the picture."""

    def __init__(self, function: ir.Function, text_plan: TextPlan, drawn: frozenset[ir.Function], view: View) -> None:
        self.cluster = Cluster("function", quote_name(function.name))
        self.arrows: list[Arrow] = []
        self._function = function
        self._text_plan = text_plan
        self._expressions = Expressions(text_plan.names, text_plan.in_place)
        self._drawn = drawn
        self._view = view
        tree = DominatorTree(function)
        self._nest: LoopNest[ir.Continuation] = LoopNest(tree, successors)
        self._boxes: dict[Loop[ir.Continuation], Cluster] = {}
        self._exits: set[ir.Target] = set()
        for member in function.members():
            self._box(member).nodes.append(self._node(member))
        for member in function.members() if view.edges else ():
            self.arrows += self._leaving(member)
        for member in function.continuations if view.dominators else ():
            self.arrows.append(Arrow(self._name(tree.parent[member]), self._name(member), "dominator"))
        for member, border in frontiers(tree, successors).items() if view.frontiers else ():
            self.arrows += [Arrow(self._name(member), self._name(each), "frontier") for each in border]

    # ----------------------------------------------------------------------------------------------------- clusters

    def _box(self, member: ir.Continuation) -> Cluster:
        """The cluster of `member`, created on demand together with its outer clusters."""
        loop = self._nest.innermost.get(member) if self._view.loops else None
        missing = []
        while loop and loop not in self._boxes:
            missing.append(loop)
            loop = loop.around
        box = self._boxes[loop] if loop else self.cluster
        for loop in reversed(missing):
            kind: Literal["loop", "irreducible loop"] = "irreducible loop" if loop.irreducible else "loop"
            inner = self._boxes[loop] = Cluster(kind, f"{kind} at {', '.join(map(self._shown, loop.entries))}")
            box.inner.append(inner)
            box = inner
        return box

    # -------------------------------------------------------------------------------------------------------- nodes

    def _node(self, member: ir.Continuation) -> Node:
        name, head = self._name(member), self._lines(self._head(member))
        kind: Literal["function", "continuation"] = "function" if member is self._function else "continuation"
        if not self._view.bodies:
            return Node(name, kind, head)
        assert member.transfer, f"{member.name} is under construction"
        body: list[str] = []
        for statement in member.body:
            if statement not in self._text_plan.in_place:
                is_shown = self._text_plan.is_shown(statement)
                opening = f"{self._text_plan.names[statement]} := " if is_shown else ""
                body += self._lines(wrapped(opening, self._expressions.operation(statement)))
        return Node(name, kind, head, body, self._lines(self._end(member.transfer)))

    def _head(self, member: ir.Continuation) -> Piece:
        """``while(b1 : int, a1 : int)``"""
        if not member.parameters:
            return self._shown(member)
        typed: list[Piece] = []
        for each in member.parameters:
            type = in_ascii(str(each.type)) if self._view.ascii else str(each.type)
            typed.append(f"{self._shown(each)} : {type}")
        return Group(f"{self._shown(member)}(", typed, ")")

    def _end(self, transfer: ir.Transfer) -> Piece:
        """The transfer without its edges: ``branch(b1 != 0)``"""
        if isinstance(transfer, ir.Jump):
            return ""
        if isinstance(transfer, ir.Call):
            name, arguments = self._expressions.call(transfer)
            return self._expressions.application(name if transfer.pointer else self._shown(transfer.callee), arguments)
        name = "branch" if isinstance(transfer, ir.Branch) else "switch"
        if isinstance(transfer, ir.ForeignTransfer):
            name = foreign_text(transfer.text)
        return self._expressions.application(name, transfer.operands)

    def _lines(self, piece: Piece) -> Lines:
        return [*layout_lines(piece, _NODE_WIDTH)] if piece else ()

    # ------------------------------------------------------------------------------------------------------- arrows

    def _leaving(self, member: ir.Continuation) -> Iterator[Arrow]:
        source, transfer = self._name(member), member.transfer
        assert transfer
        for outcome, edge in _outcomes(transfer):
            yield Arrow(source, self._target(edge.target), self._kind(member, edge.target), self._label(outcome, edge))
        if isinstance(transfer, ir.Call) and transfer.callee in self._drawn:
            yield Arrow(source, self._name(transfer.callee), "call")
        for value in dict.fromkeys(escaping_continuations(member)):
            yield Arrow(source, self._target(value), "passed")

    def _kind(self, source: ir.Continuation, target: ir.Target) -> ArrowKind:
        if not isinstance(target, ir.Continuation) or isinstance(target, ir.Function):
            return "edge"
        if self._nest.is_back(source, target):
            return "back edge"
        return "retreating edge" if self._nest.is_retreating(source, target) else "edge"

    def _label(self, outcome: str, edge: ir.Edge) -> Lines:
        """``a1 % b1, b1``; ``true``; ``3 ⇒ x``"""
        if not edge.arguments:
            return [outcome] if outcome else ()
        symbol = "=>" if self._view.ascii else "⇒"
        arguments = [self._expressions.value(argument) for argument in edge.arguments]
        opening = f"{outcome} {symbol} " if outcome else ""
        return [*layout_lines(Group(opening, arguments, "", bracketed=False), _ARROW_WIDTH)]

    def _target(self, target: ir.Target) -> str:
        """The name of the node for `target`. An ``exit`` node is created on demand."""
        name = self._name(target)
        is_drawn = target in self._drawn if isinstance(target, ir.Function) else isinstance(target, ir.Continuation)
        if not is_drawn and target not in self._exits:
            self._exits.add(target)
            self.cluster.nodes.append(Node(name, "exit", [self._shown(target)]))
        return name

    def _name(self, target: ir.Target) -> str:
        """The name of a node: the name of a function; otherwise prefixed with the name of the enclosing function."""
        return self._shown(target) if isinstance(target, ir.Function) else f"{self.cluster.title}.{self._shown(target)}"

    def _shown(self, target: ir.Target) -> str:
        name = self._expressions.value(target)
        assert isinstance(name, str)
        return name


def _outcomes(transfer: ir.Transfer) -> Iterator[tuple[str, ir.Edge]]:
    """Each edge with the outcome of the transfer that selects it."""
    if isinstance(transfer, ir.Jump):
        yield "", transfer.edge
    elif isinstance(transfer, ir.Branch):
        yield "true", transfer.then
        yield "false", transfer.otherwise
    elif isinstance(transfer, ir.Switch):
        for case, edge in transfer.arms:
            yield literal_text(case), edge
        yield "_", transfer.default
    elif isinstance(transfer, ir.ForeignTransfer):
        for number, edge in enumerate(transfer.targets, 1):
            yield str(number), edge
    else:
        yield "returns", transfer.then
