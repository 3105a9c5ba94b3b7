"""Corrects exercise 17: the transfer `Compare`.

Run with ``python -m pytest docs/course/exercises/method/transfer.py``.
"""

from __future__ import annotations

import pytest

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.check.well_formedness import CHECKS, Subject
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import INT, Constant, Continuation, ContinuationType, Edge, Function, Jump, Parameter, Program
from cpsconv.core.text import pretty

TEXT = """f(x : int, y : int, ret : int → ⊥) → ⊥ {
  let
    below := (r : int) → ⊥
      ret(r)
    equal := () → ⊥
      ret(0)
    above := () → ⊥
      ret(1)
  in
  compare(x, y, λ(). below(-1), equal, above)
}
"""


def program() -> Program:
    """The program of `TEXT`."""
    x, y, r = Parameter(INT, "x"), Parameter(INT, "y"), Parameter(INT, "r")
    ret = Parameter(ContinuationType((INT,)), "ret")
    below = Continuation("below", [r], [], Jump(Edge(ret, [r])))
    equal, above = (
        Continuation(name, [], [], Jump(Edge(ret, [Constant(INT, value)])))
        for name, value in (("equal", 0), ("above", 1))
    )
    compare = ir.Compare(x, y, Edge(below, [Constant(INT, -1)]), Edge(equal), Edge(above))
    function = Function("f", [x, y, ret], [], compare)
    function.continuations = [below, equal, above]
    return Program([function])


def test_it_has_operands_edges_and_uses() -> None:
    (function,) = program().functions
    compare = function.transfer
    assert [edge.target.name for edge in compare.edges] == ["below", "equal", "above"]
    assert [value.name for value in compare.operands] == ["x", "y"]
    assert [*compare.uses] == [
        *function.parameters[:2],
        *(value for edge in compare.edges for value in (edge.target, *edge.arguments)),
    ]


def test_dominance_and_well_formedness_follow_its_edges() -> None:
    made = program()
    assert not [fault for _, check in CHECKS for fault in check(Subject(made))]
    tree = DominatorTree(made.functions[0])
    assert [member.name for member in tree.children[made.functions[0]]] == ["below", "equal", "above"]


def test_it_is_printed() -> None:
    assert pretty(program()) == TEXT


@pytest.mark.parametrize(("x", "y", "expected"), [(1, 2, -1), (2, 2, 0), (3, 2, 1), (-5, 5, -1), (5, -5, 1)])
def test_it_enters_one_of_three_continuations(x: int, y: int, expected: int) -> None:
    assert evaluate(program(), arguments=[x, y]).arguments == [expected]


def test_its_operands_and_arguments_can_be_replaced() -> None:
    """The Builder resolves removed parameters by this function."""
    compare = program().functions[0].transfer
    new = Constant(INT, 9)
    replace_in_transfer(compare, lambda value: new)
    assert [*compare.operands] == [new, new] and compare.edges[0].arguments == [new]
