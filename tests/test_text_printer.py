"""The CPS text as it is printed: golden texts, widths, names, sizes."""

from __future__ import annotations

from cpsconv.ir import (
    BOOL,
    INT,
    Branch,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
)
from cpsconv.text.printer import pretty

FIGURE_8 = """\
f(x : int, ret : int → ⊥) → ⊥ {
  let
    then := () → ⊥
      next(23)
    else := () → ⊥
      next(42)
    next := (a : int) → ⊥
      ret(a)
  in
  branch(x == 0, then, else)
}
"""


def figure_8() -> Program:
    x = Parameter(INT, "x")
    ret = Parameter(ContinuationType((INT,)), "ret")
    a = Parameter(INT, "a")
    following = Continuation("next", [a], transfer=Jump(Edge(ret, [a])))
    then = Continuation("then", transfer=Jump(Edge(following, [Constant(INT, 23)])))
    otherwise = Continuation("else", transfer=Jump(Edge(following, [Constant(INT, 42)])))
    test = Primitive("==", (x, Constant(INT, 0)), BOOL)
    branch = Branch(test, Edge(then), Edge(otherwise))
    return Program([Function("f", [x, ret], [test], branch, continuations=[then, otherwise, following])])


def test_figure_8_of_the_paper_to_the_letter() -> None:
    assert pretty(figure_8()) == FIGURE_8
