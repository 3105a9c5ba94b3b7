"""Pictures of programs: every part is drawn, and has its kind."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given

from benchmarks.shapes import SHAPES
from cpsconv import Program, Source, convert
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.flow import escaping_continuations
from cpsconv.core.ir import Call, Continuation, Function
from cpsconv.targets.dot import dot
from cpsconv.targets.mermaid import mermaid
from cpsconv.targets.picture import Cluster, Node, Picture, View, picture
from testing.effort import beyond_the_stack
from testing.graphs import build, random_graph
from testing.ir_programs import programs

EDGES = {"edge", "back edge", "retreating edge"}

GCD = "int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }"

FIRST_CLASS = """
g(k : int → ⊥, ret : int → ⊥) → ⊥ { k(3) }
f(ret : int → ⊥) → ⊥ { let k := (a : int) → ⊥ ret(a) in g(k, ret) }
"""


def drawn(text: str, view: View = View(), function: str | None = None, name: str = "program.c") -> Picture:  # noqa: B008
    program = convert(Source(name, text))
    return picture(program, view, program.function(function) if function else None)


def clusters(within: Cluster) -> Iterator[Cluster]:
    yield within
    for inner in within.inner:
        yield from clusters(inner)


def nodes(drawing: Picture) -> list[Node]:
    return [node for cluster in clusters(drawing.root) for node in cluster.nodes]


def arrows(drawing: Picture) -> list[tuple[str, str, str, str]]:
    return [(arrow.source, arrow.kind, arrow.target, " ".join(arrow.label)) for arrow in drawing.arrows]


def test_a_loop_has_parameters_at_its_node_arguments_on_its_edges_and_a_back_edge() -> None:
    drawing = drawn(GCD)
    assert [(node.name, node.kind, *node.head, *node.body, *node.end) for node in nodes(drawing)] == [
        ("gcd", "function", "gcd(a : int, b : int, ret : int → ⊥)"),
        ("gcd.while", "continuation", "while(b1 : int, a1 : int)", "branch(b1 != 0)"),
        ("gcd.body", "continuation", "body"),
        ("gcd.exit", "continuation", "exit"),
        ("gcd.ret", "exit", "ret"),
    ]
    assert arrows(drawing) == [
        ("gcd", "edge", "gcd.while", "b, a"),
        ("gcd.while", "edge", "gcd.body", "true"),
        ("gcd.while", "edge", "gcd.exit", "false"),
        ("gcd.body", "back edge", "gcd.while", "a1 % b1, b1"),
        ("gcd.exit", "edge", "gcd.ret", "a1"),
    ]
    assert drawing.root.kind == "function"


def test_statements_are_shown_as_in_the_text_and_can_be_omitted() -> None:
    text = '#include <stdio.h>\nvoid f(int x) { int n = printf("%d\\n", x); while (n) putchar(n--); }'
    (node,) = (node for node in nodes(drawn(text)) if node.kind == "function")
    assert (*node.body, *node.end) == ('n := printf("%d\\n", x)',)
    assert not any(node.body or node.end for node in nodes(drawn(text, View(bodies=False))))


def test_the_edges_of_a_switch_show_its_cases() -> None:
    drawing = drawn("f(x : long, ret : int → ⊥) → ⊥ { switch(x, -1l ⇒ λ(). ret(7), _ ⇒ λ(). ret(8)) }", name="f.cps")
    assert arrows(drawing) == [("f", "edge", "f.ret", "-1l ⇒ 7"), ("f", "edge", "f.ret", "_ ⇒ 8")]
    assert nodes(drawing)[0].end == ["switch(x)"]


def test_a_call_has_arrows_to_its_callee_and_its_return_continuation() -> None:
    text = "int g(int x) { return x; } int f(int x) { return g(x + 1) * 2; }"
    assert [arrow for arrow in arrows(drawn(text)) if arrow[0] == "f"] == [
        ("f", "edge", "f.after_g", "returns"),
        ("f", "call", "g", ""),
    ]
    alone = drawn(text, function="f")
    assert [arrow for arrow in arrows(alone) if arrow[0] == "f"] == [("f", "edge", "f.after_g", "returns")]
    assert nodes(alone)[0].end == ["g(x + 1)"]


def test_a_continuation_passed_as_a_value_is_marked() -> None:
    drawing = drawn(FIRST_CLASS, name="f.cps")
    assert ("f", "passed", "f.k", "") in arrows(drawing)
    assert ("g", "edge", "g.k", "3") in arrows(drawing)


def test_a_function_that_is_not_drawn_is_an_exit_node() -> None:
    text = "g(x : int) → ⊥ { g(x) }\nf(x : int, ret : int → ⊥) → ⊥ { g(x) }"
    alone = drawn(text, function="f", name="f.cps")
    assert arrows(alone) == [("f", "edge", "g", "x")]
    assert [(node.name, node.kind) for node in nodes(alone)] == [("f", "function"), ("g", "exit")]
    assert [node.kind for node in nodes(drawn(text, name="f.cps"))] == ["function", "function"]


def test_external_continuations_are_nodes() -> None:
    drawing = drawn("#include <stdlib.h>\nvoid f(int x) { if (x) exit(x); abort(); }")
    assert {node.name for node in nodes(drawing) if node.kind == "exit"} == {"f.halt", "f.abort"}


def test_loops_are_clusters_within_each_other() -> None:
    text = "void f(int n) { for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) n--; n = n - i; } }"
    outer = drawn(text, View(loops=True)).root.inner[0]
    assert (outer.kind, outer.title, outer.nodes[0].name) == ("loop", "loop at for", "f.for")
    (inner,) = outer.inner
    assert (inner.title, inner.nodes[0].name) == ("loop at for1", "f.for1")


def test_irreducible_loops_have_their_own_title() -> None:
    text = "int f(int n) { if (n > 9) goto b; a: n = n - 2; b: n--; if (n > 0) goto a; return n; }"
    drawing = drawn(text, View(loops=True))
    (loop,) = drawing.root.inner
    assert loop.kind == "irreducible loop"
    assert re.fullmatch(r"irreducible loop at \w+, \w+", loop.title)
    assert [kind for _, kind, *_ in arrows(drawing)].count("retreating edge") == 1


def test_symbols_can_be_spelled_in_ascii() -> None:
    drawing = drawn(
        "f(x : int, ret : int → ⊥) → ⊥ { branch(x == 0, λ(). ret(1), λ(). ret(2)) }", View(ascii=True), None, "f.cps"
    )
    assert nodes(drawing)[0].head == ["f(x : int, ret : int -> _|_)"]
    assert [label for *_, label in arrows(drawing)] == ["true => 1", "false => 2"]


@given(programs())
def test_every_part_of_a_program_is_drawn(program: Program) -> None:
    drawing = picture(program, View(dominators=True))
    members = [(function, member) for function in program.functions for member in function.members()]
    names = [node.name for node in nodes(drawing)]
    assert len(set(names)) == len(names)
    assert sum(node.kind != "exit" for node in nodes(drawing)) == len(members)
    assert {end for arrow in drawing.arrows for end in (arrow.source, arrow.target)} <= {*names}
    kinds = Counter("edge" if arrow.kind in EDGES else arrow.kind for arrow in drawing.arrows)
    assert kinds == +Counter(
        {
            "edge": sum(len(member.transfer.edges) for _, member in members if member.transfer),
            "call": sum(
                isinstance(member.transfer, Call) and member.transfer.callee in program.functions
                for _, member in members
            ),
            "passed": sum(len({*escaping_continuations(member)}) for _, member in members),
            "dominator": sum(len(function.continuations) for function in program.functions),
        }
    )
    boxed = picture(program, View(loops=True))
    assert sorted(node.name for node in nodes(boxed)) == sorted(names)
    for function in program.functions:
        alone = picture(program, View(), function)
        assert {arrow.source for arrow in alone.arrows} <= {node.name for node in nodes(alone)}
        assert {arrow.target for arrow in alone.arrows} <= {node.name for node in nodes(alone)}


@given(programs())
def test_an_edge_is_a_back_edge_if_and_only_if_it_leads_to_a_dominator(program: Program) -> None:
    for function in program.functions:
        tree = DominatorTree(function)
        edges = [
            isinstance(edge.target, Continuation)
            and not isinstance(edge.target, Function)
            and tree.dominates(edge.target, member)
            for member in function.members()
            for edge in (member.transfer.edges if member.transfer else ())
        ]
        drawing = picture(program, View(), function)
        assert [arrow.kind == "back edge" for arrow in drawing.arrows if arrow.kind in EDGES] == edges


def test_irreducible_graphs_are_drawn_with_their_retreating_edges() -> None:
    source, marked = random.Random(7), 0
    for _ in range(200):
        function = build(random_graph(source), "scc")
        drawing = picture(Program([function]), View(loops=True))
        irreducible = any(cluster.kind == "irreducible loop" for cluster in clusters(drawing.root))
        assert irreducible == any(arrow.kind == "retreating edge" for arrow in drawing.arrows)
        marked += irreducible
    assert marked >= 10


@pytest.mark.parametrize("shape", ["ifs", "nested_loops", "cases", "calls"])
def test_programs_beyond_the_stack_are_drawn(shape: str) -> None:
    with beyond_the_stack() as size:
        program = convert(Source("large.c", SHAPES[shape](size)))
        drawing = picture(program, View(loops=True, dominators=True))
        continuations = sum(len(function.continuations) for function in program.functions)
        assert continuations >= size
        assert dot(drawing).count("<TABLE") >= continuations
        assert mermaid(drawing).count("\n") >= continuations
