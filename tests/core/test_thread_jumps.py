"""Jump threading: the resulting programs, and their unchanged behaviour."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv.core.analysis.graph import incoming
from cpsconv.core.check import check
from cpsconv.core.check.parameters import is_minimal, is_pruned
from cpsconv.core.construction import STRATEGIES, Block, Builder, Observer, Variable
from cpsconv.core.ir import INT, PTR, Constant, Function, Jump, Program, Scalar
from cpsconv.core.source import Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.transform import minimise, prune
from cpsconv.core.transform.jump_threading import thread_jumps
from testing.evaluation import behaviour
from testing.evaluation import result as run
from testing.graphs import Construction, Graph, graphs
from testing.ir_programs import programs, random_constant
from tests.core.test_reconstruct import ReconstructionWatcher
from tests.tables import scenarios


def threaded(program: Program, strategy: str = "scc", observer: Observer | None = None) -> Program:
    """The program after its jumps are threaded in place; it must be well-formed."""
    thread_jumps(program, strategy, observer)
    assert not check(program)
    return program


def result(text: str) -> str:
    """The CPS text with threaded jumps."""
    return pretty(threaded(parse(Source("f.cps", text))))


# ----------------------------------------------------------------------------------------------------- results

RESULTS = scenarios("threaded_cps")
"""CPS texts before and after jumps are threaded, by what they show."""


@pytest.mark.parametrize(("text", "expected"), RESULTS.values(), ids=RESULTS)
def test_jumps_are_threaded(text: str, expected: str) -> None:
    assert result(text) == pretty(parse(Source("f.cps", expected)))


def test_zeros_of_different_signs_are_not_confused() -> None:
    text = """
        f(x : double, ret : int → ⊥) → ⊥ {
          let k := (y : double) → ⊥ branch(1.0 / y < 0.0, λ(). ret(1), λ(). ret(2))
          in branch(x == 0.0, λ(). k(x), λ(). ret(0))
        }"""
    program = threaded(parse(Source("f.cps", text)))
    assert [run(program, "f", [x]) for x in (-0.0, 0.0)] == [1, 2]


def test_a_loop_over_constants_is_not_unrolled() -> None:
    text = """
        f(ret : int → ⊥) → ⊥ {
          let loop := (i : int) → ⊥ branch(i < 100, λ(). loop(i + 1), λ(). ret(i)) in loop(0)
        }"""
    assert result(text).count("branch") == 1


def test_an_endless_loop_of_jumps_remains() -> None:
    text = """
        g(x : unsigned, ret : () → ⊥) → ⊥ {
          let
            next := (n : int) → ⊥
              let
                v := () → ⊥ switch(n, 100 ⇒ λ(). again(n, n), _ ⇒ λ(). next(n))
                other := (m : unsigned) → ⊥ branch(true, v, λ(). next(undef(y : int)))
              in
              switch(3, -1 ⇒ λ(). other(x), 1 ⇒ v, _ ⇒ v)
            again := (a : int, b : int) → ⊥
              let then := () → ⊥ ret() in branch(false, λ(). again(a, a), then)
          in
          branch(x > 3u, λ(). next(2), λ(). again(7, 8))
        }"""
    program = threaded(parse(Source("f.cps", text)))
    assert behaviour(program, "g", [3], 100) is not None
    assert behaviour(program, "g", [4], 100) is None  # an endless loop


@pytest.mark.parametrize(
    "text",
    [
        # the edges to the function are unknown
        "f(x : bool, ret : int → ⊥) → ⊥ { branch(x, λ(). ret(1), λ(). ret(2)) }",
        # k is referenced twice, once with unknown arguments
        """
        g(ret : bool → ⊥) → ⊥ { ret(true) }
        f(x : bool, ret : int → ⊥) → ⊥ {
          let k := (b : bool) → ⊥ branch(b, λ(). ret(1), λ(). ret(2)) in branch(x, λ(). g(k), λ(). k(true))
        }""",
        # the branch receives continuations
        """
        f(x : bool, k : int → ⊥, ret : int → ⊥) → ⊥ {
          let j := (b : bool, l : int → ⊥) → ⊥ branch(b, λ(). l(1), λ(). ret(2))
          in branch(x, λ(). j(true, k), λ(). j(x, ret))
        }""",
    ],
    ids=["entry", "closed join", "continuations as values"],
)
def test_functions_that_cannot_be_threaded_are_unchanged(text: str) -> None:
    program = parse(Source("f.cps", text))
    prune(program)
    minimise(program)
    assert result(text) == pretty(program)


@given(program=programs(max_continuations=14), seed=st.integers(0, 1000))
def test_any_program_does_the_same(program: Program, seed: int) -> None:
    """Including continuations passed as values, undefined values and irreducible loops."""
    source = random.Random(seed)
    runs = []
    for function in program.functions:
        *parameters, _ = function.parameters
        types = [parameter.type for parameter in parameters if isinstance(parameter.type, Scalar)]
        if len(types) == len(parameters) and PTR not in types:
            arguments = [random_constant(source, type).value for type in types]
            runs.append((function.name, arguments, behaviour(program, function.name, arguments, 200)))
    threaded(program, observer=ReconstructionWatcher("scc"))
    for name, arguments, before in runs:
        if before is not None:
            assert behaviour(program, name, arguments, 200) == before


class DecidedByVariables(Construction):
    """A graph whose variables decide each branch. The parameter of the function limits the number of steps."""

    def begin(self) -> None:
        self.fuel = Variable("fuel", INT)
        self.builder.function("f", [self.fuel], INT)
        for variable in self.variables:
            self.builder.write_variable(variable, Constant(INT, 0))

    def branch(self, number: int, first: Block, second: Block) -> None:
        """First end the function if no fuel is left. The branch is a block of its own, without statements."""
        b, variable = self.builder, self.variables[number % len(self.variables)]
        b.write_variable(self.fuel, b.primitive("-", b.read_variable(self.fuel), Constant(INT, 1)))
        out, deciding = b.continuation("out"), b.continuation("deciding")
        b.branch(b.primitive("<", b.read_variable(self.fuel), Constant(INT, 0)), out, deciding)
        b.seal(out)
        b.enter(out)
        b.ret(b.read_variable(variable))
        b.seal(deciding)
        b.enter(deciding)
        decider = b.read_variable(variable)
        if number % 2:
            b.branch(b.primitive("==", decider, Constant(INT, number % 3)), first, second)
        else:
            b.switch(decider, [(0, first), (1, second)], first)


@given(graph=graphs(), strategy=st.sampled_from([*STRATEGIES]))
def test_a_graph_that_is_decided_by_variables_does_the_same(graph: Graph, strategy: str) -> None:
    for node in graph.nodes:
        node.events = [(*event[:2], event[2] % 3) if event[0] == "write" else event for event in node.events]
    program, after = (Program([DecidedByVariables(graph, Builder(strategy)).function]) for _ in range(2))
    threaded(after, strategy, ReconstructionWatcher(strategy))
    assert not [*is_pruned(after), *is_minimal(after)]
    for fuel in (0, 3, 40):
        assert behaviour(after, "f", [fuel], 10_000) == behaviour(program, "f", [fuel], 10_000)


# -------------------------------------------------------------------------------------------------- clean-up


@given(program=programs())
def test_no_continuation_has_a_jump_as_its_only_reference(program: Program) -> None:
    for function in threaded(program).functions:
        for member, edges in incoming(function).items():
            if len(edges) == 1 and not member.parameters:
                assert not isinstance(edges[0][0].transfer, Jump) or passed_on(function, member)


def passed_on(function: Function, continuation: object) -> bool:
    return any(
        value is continuation
        for member in function.members()
        for value in (*member.transfer.operands, *(v for edge in member.transfer.edges for v in edge.arguments))
    )


def test_ten_thousand_jumps_in_a_row_are_one_continuation() -> None:
    count = 10_000
    lets = "".join(f"k{i} := () → ⊥ k{i + 1}()\n" for i in range(count))
    text = f"f(ret : int → ⊥) → ⊥ {{ let {lets} k{count} := () → ⊥ ret(1) in k0() }}"
    program = parse(Source("f.cps", text))
    thread_jumps(program)
    assert pretty(program) == "f(ret : int → ⊥) → ⊥ {\n  ret(1)\n}\n"
