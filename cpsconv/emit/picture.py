"""A program as a picture: what there is to draw, for whoever draws it.

A node is a continuation, with its parameters and its body; an arrow is an edge, with the arguments that it passes.
Clusters hold what belongs together: the nodes of a function, those of a loop. How all this looks is not said here, only
what it is; every text is what the CPS text shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.analysis.flow import escaping_continuations
from cpsconv.analysis.graph import successors
from cpsconv.analysis.loops import Loop, LoopNest
from cpsconv.ir import (
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    Function,
    Jump,
    Parameter,
    Program,
    Scalar,
    Statement,
    Switch,
    Target,
    Transfer,
)
from cpsconv.text.layout import Group, Piece, layout_lines, wrapped
from cpsconv.text.plan import TextPlan
from cpsconv.text.printer import Expressions
from cpsconv.text.spelling import in_ascii, literal_text, quote_name
from cpsconv.trampoline import Walk, flattened

_NODE_WIDTH = 48
_ARROW_WIDTH = 32
_DEEPEST_INDENTATION = 20

Lines = Sequence[str]


@dataclass(frozen=True)
class View:
    """What a picture is to show: boxes around `loops`, arrows for `dominators`, the `bodies` of continuations, `edges`.

    Without edges, the dominator tree remains. With `ascii`, symbols are spelled as in the CPS text.
    """

    loops: bool = False
    dominators: bool = False
    bodies: bool = True
    edges: bool = True
    ascii: bool = False


EDGES = View()
"""What is shown where nothing else is wanted."""


@dataclass(frozen=True, slots=True)
class Node:
    """`name` is unique in the picture. The lines: `head`, name and parameters; `body`; `end`, how the body ends.

    `end` is empty for a mere jump, which its arrow tells all about. An ``exit`` is what is called but has no body here:
    a continuation that the function was given, one of the outside world, or a function that is not in the picture.
    """

    name: str
    kind: Literal["function", "continuation", "exit"]
    head: Lines
    body: Lines = ()
    end: Lines = ()


ArrowKind = Literal["edge", "back edge", "retreating edge", "call", "passed", "dominator"]


@dataclass(frozen=True, slots=True)
class Arrow:
    """From the node of one name to that of another.

    A ``back edge`` leads to a dominator, a ``retreating edge`` closes a cycle of an irreducible loop. A ``call`` leads
    to the function called; ``passed`` from where a continuation is passed as a value to that; ``dominator`` from an
    immediate dominator to what it dominates.
    """

    source: str
    target: str
    kind: ArrowKind
    label: Lines = ()


@dataclass(slots=True)
class Cluster:
    """Nodes, and clusters within. The title of a loop says where it is entered."""

    kind: Literal["program", "function", "loop", "irreducible loop"]
    title: str
    nodes: list[Node] = field(default_factory=list)
    inner: list[Cluster] = field(default_factory=list)


def outline(
    root: Cluster, node: Callable[[Node], str], opening: Callable[[Cluster, int], Iterable[str]], closing: str
) -> Iterator[str]:
    """The content of a cluster as the lines of a text, indented.

    A node is one line; a cluster within, which has a number of its own, begins with its `opening`.
    """
    numbers = count()

    def content(cluster: Cluster, depth: int) -> Walk:
        margin = "  " * min(depth, _DEEPEST_INDENTATION)
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
    """All there is to draw. `root` is the cluster of a function, or of a ``program`` with one for each of several."""

    root: Cluster
    arrows: list[Arrow]


def picture(program: Program, view: View = EDGES, function: Function | None = None) -> Picture:
    """The picture of a program, or of one `function` of it. It takes time almost linear in the size."""
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
    """The picture of one function, in its `cluster` and `arrows`, beside those of the other functions `drawn`."""

    def __init__(self, function: Function, text_plan: TextPlan, drawn: frozenset[Function], view: View) -> None:
        self.cluster = Cluster("function", quote_name(function.name))
        self.arrows: list[Arrow] = []
        self._function = function
        self._text_plan = text_plan
        self._expressions = Expressions(text_plan.names, text_plan.in_place)
        self._drawn = drawn
        self._view = view
        tree = DominatorTree(function)
        self._nest: LoopNest[Continuation] = LoopNest(tree, successors)
        self._boxes: dict[Loop[Continuation], Cluster] = {}
        self._exits: set[Target] = set()
        for member in function.members():
            self._box(member).nodes.append(self._node(member))
        for member in function.members() if view.edges else ():
            self.arrows += self._leaving(member)
        for member in function.continuations if view.dominators else ():
            self.arrows.append(Arrow(self._name(tree.parent[member]), self._name(member), "dominator"))

    # ----------------------------------------------------------------------------------------------------- clusters

    def _box(self, member: Continuation) -> Cluster:
        """The cluster that `member` is in; it is made, with those around it, if it is not there."""
        loop = self._nest.innermost.get(member) if self._view.loops else None
        missing = []
        while loop and loop not in self._boxes:
            missing.append(loop)
            loop = loop.around
        box = self._boxes[loop] if loop else self.cluster
        for loop in reversed(missing):
            inner = self._boxes[loop] = self._loop_cluster(loop)
            box.inner.append(inner)
            box = inner
        return box

    def _loop_cluster(self, loop: Loop[Continuation]) -> Cluster:
        kind: Literal["loop", "irreducible loop"] = "irreducible loop" if loop.irreducible else "loop"
        return Cluster(kind, f"{kind} at {', '.join(map(self._shown, loop.entries))}")

    # -------------------------------------------------------------------------------------------------------- nodes

    def _node(self, member: Continuation) -> Node:
        name, head = self._name(member), self._lines(self._head(member))
        kind: Literal["function", "continuation"] = "function" if member is self._function else "continuation"
        if not self._view.bodies:
            return Node(name, kind, head)
        assert member.transfer, f"{member.name} is under construction"
        statements = [self._statement(each) for each in member.body if each not in self._text_plan.in_place]
        body = [line for statement in statements for line in self._lines(statement)]
        return Node(name, kind, head, body, self._lines(self._end(member.transfer)))

    def _head(self, member: Continuation) -> Piece:
        """``while(b1 : int, a1 : int)``, or the name alone"""
        if not member.parameters:
            return self._shown(member)
        return Group(f"{self._shown(member)}(", [*map(self._typed, member.parameters)], ")")

    def _typed(self, parameter: Parameter) -> str:
        type = str(parameter.type)
        if self._view.ascii:
            type = in_ascii(type)
        return f"{self._shown(parameter)} : {type}"

    def _statement(self, statement: Statement) -> Piece:
        name = f"{self._text_plan.names[statement]} := " if self._text_plan.is_shown(statement) else ""
        return wrapped(name, self._expressions.operation(statement))

    def _end(self, transfer: Transfer) -> Piece:
        """The transfer without its edges: ``branch(b1 != 0)``"""
        if isinstance(transfer, Jump):
            return ""
        if isinstance(transfer, Call):
            return self._expressions.application(self._shown(transfer.callee), transfer.arguments)
        return self._expressions.application("branch" if isinstance(transfer, Branch) else "switch", transfer.operands)

    def _lines(self, piece: Piece) -> Lines:
        return [*layout_lines(piece, _NODE_WIDTH)] if piece else ()

    # ------------------------------------------------------------------------------------------------------- arrows

    def _leaving(self, member: Continuation) -> Iterator[Arrow]:
        source, transfer = self._name(member), member.transfer
        assert transfer
        for way, edge in _ways(transfer):
            yield Arrow(source, self._target(edge.target), self._kind(member, edge.target), self._label(way, edge))
        if isinstance(transfer, Call) and transfer.callee in self._drawn:
            yield Arrow(source, self._name(transfer.callee), "call")
        for value in dict.fromkeys(escaping_continuations(member)):
            yield Arrow(source, self._target(value), "passed")

    def _kind(self, source: Continuation, target: Target) -> ArrowKind:
        if not isinstance(target, Continuation) or isinstance(target, Function):
            return "edge"
        if self._nest.is_back(source, target):
            return "back edge"
        return "retreating edge" if self._nest.is_retreating(source, target) else "edge"

    def _label(self, way: str, edge: Edge) -> Lines:
        """``a1 % b1, b1``; ``true``; ``3 ⇒ x``"""
        if not edge.arguments:
            return [way] if way else ()
        symbol = "=>" if self._view.ascii else "⇒"
        arguments = [self._expressions.value(argument) for argument in edge.arguments]
        return [*layout_lines(Group(f"{way} {symbol} " if way else "", arguments, "", bracketed=False), _ARROW_WIDTH)]

    def _target(self, target: Target) -> str:
        """The name of the node for `target`; it is made if nothing else makes it."""
        name = self._name(target)
        is_drawn = target in self._drawn if isinstance(target, Function) else isinstance(target, Continuation)
        if not is_drawn and target not in self._exits:
            self._exits.add(target)
            self.cluster.nodes.append(Node(name, "exit", [self._shown(target)]))
        return name

    def _name(self, target: Target) -> str:
        """The name of a node: plain for a function; for all else behind that of the function that it is in."""
        return self._shown(target) if isinstance(target, Function) else f"{self.cluster.title}.{self._shown(target)}"

    def _shown(self, target: Target) -> str:
        name = self._expressions.value(target)
        assert isinstance(name, str)
        return name


def _ways(transfer: Transfer) -> Iterator[tuple[str, Edge]]:
    """Each edge with what decides for it."""
    if isinstance(transfer, Jump):
        yield "", transfer.edge
    elif isinstance(transfer, Branch):
        yield "true", transfer.then
        yield "false", transfer.otherwise
    elif isinstance(transfer, Switch):
        type = transfer.value.type
        assert isinstance(type, Scalar)
        for case, edge in zip(transfer.cases, transfer.targets, strict=True):
            yield literal_text(Constant(type, case)), edge
        yield "_", transfer.default
    else:
        yield "returns", transfer.then
