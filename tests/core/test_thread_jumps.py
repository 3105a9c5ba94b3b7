"""Jump threading: the resulting programs, and their unchanged behaviour."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from benchmarks.shapes import SHAPES
from cpsconv import Diagnostic, DiagnosticError, Source, convert, pretty
from cpsconv.cli import main
from cpsconv.core.analysis.graph import incoming
from cpsconv.core.check import check
from cpsconv.core.check.parameters import is_minimal, is_pruned
from cpsconv.core.construction import STRATEGIES, Block, Builder, Event, Observer, Variable
from cpsconv.core.construction.events import Write
from cpsconv.core.ir import INT, PTR, Branch, Constant, Continuation, Function, Jump, Program, Scalar, Undef
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.transform import minimise, prune
from cpsconv.core.transform.branch_duplication import MAX_PASSED, MAX_STATEMENTS
from cpsconv.core.transform.jump_threading import thread_jumps
from cpsconv.engines.machine.machine import evaluate
from cpsconv.lab.explain import narrate, steps_json, transcript
from testing.c_programs import c_programs
from testing.counting import growth, lines_executed
from testing.effort import examples, sample, size
from testing.expectations import CORPUS, EXAMPLES, expected_runs
from testing.graphs import Construction, Graph, graphs
from testing.ir_programs import programs, random_constant
from testing.running import converted, observe, program_of
from tests.core.test_reconstruct import ReconstructionWatcher


def threaded(program: Program, strategy: str = "scc", observer: Observer | None = None) -> Program:
    """The program after its jumps are threaded in place; it must be well-formed."""
    thread_jumps(program, strategy, observer)
    assert not check(program)
    return program


def result(text: str) -> str:
    """The CPS text of a program with threaded jumps."""
    return pretty(threaded(program_of(text)))


# ----------------------------------------------------------------------------------------------------- results

RESULTS = {
    "a test of a known flag is bypassed": (
        "int f(int x) { int big = 0; if (x > 9) { x = x / 2; big = 1; } if (big) return x * 2; return x; }",
        """f(x : int, ret : int → ⊥) → ⊥ {
             let then := () → ⊥ ret(x / 2 * 2) next := () → ⊥ ret(x) in branch(x > 9, then, next)
           }""",
    ),
    "a second test of the same condition is bypassed": (
        "int f(int x, int c) { if (c) x++; if (c) x = x * 3; return x; }",
        """f(x : int, c : int, ret : int → ⊥) → ⊥ {
             let then := () → ⊥ next((x + 1) * 3) next := (x1 : int) → ⊥ ret(x1) in branch(c != 0, then, λ(). next(x))
           }""",
    ),
    "a state machine jumps from state to state": (
        """int f(int x) {
               int state = 0;
               for (;;) {
                   switch (state) {
                       case 0: x++; state = 1; break;
                       case 1: x = x * 2; state = x < 100 ? 0 : 2; break;
                       default: return x;
                   }
               }
           }""",
        """f(x : int, ret : int → ⊥) → ⊥ {
             let
               case_0 := (x1 : int) → ⊥
                 x2 := (x1 + 1) * 2;
                 let then := () → ⊥ case_0(x2) else := () → ⊥ ret(x2) in branch(x2 < 100, then, else)
             in
             case_0(x)
           }""",
    ),
    "an edge is threaded through successive branches": (
        """f(x : int, ret : int → ⊥) → ⊥ {
             let
               first := (v : int) → ⊥
                 let
                   second := () → ⊥
                     let third := () → ⊥ branch(v == 3, λ(). ret(30), λ(). ret(v))
                     in branch(v == 2, λ(). ret(20), third)
                 in
                 branch(v == 1, λ(). ret(10), second)
             in
             branch(x < 0, λ(). first(3), λ(). first(2))
           }""",
        "f(x : int, ret : int → ⊥) → ⊥ { branch(x < 0, λ(). ret(30), λ(). ret(20)) }",
    ),
    "effects of a branch happen once on each path": (
        """#include <stdio.h>
           int f(int x) { int y = 0; if (x) { y = 1; x = 3; } puts("here"); if (y) return x; return 7; }""",
        """f(x : int, ret : int → ⊥) → ⊥ {
             let then := () → ⊥ puts("here"); ret(3) next := () → ⊥ puts("here"); ret(7) in branch(x != 0, then, next)
           }""",
    ),
    "an equality with a constant implies the value": (
        """f(x : int, ret : int → ⊥) → ⊥ {
             let k := () → ⊥ switch(x, 5 ⇒ λ(). ret(1), _ ⇒ λ(). ret(x + 1))
             in branch(x == 5, k, λ(). branch(x != 7, λ(). ret(x), k))
           }""",
        """f(x : int, ret : int → ⊥) → ⊥ {
             let k1 := () → ⊥ let k := () → ⊥ ret(x + 1) in branch(x != 7, λ(). ret(x), k)
             in branch(x == 5, λ(). ret(1), k1)
           }""",
    ),
    "a loop that runs at least once tests its condition at the end": (
        "int f(int x) { for (int i = 0; i < 3; i++) x = x * x; return x; }",
        """f(x : int, ret : int → ⊥) → ⊥ {
             let
               body := (x1 : int, i : int) → ⊥
                 x2 := x1 * x1; i1 := i + 1; let exit := () → ⊥ ret(x2) in branch(i1 < 3, λ(). body(x2, i1), exit)
             in
             body(x, 0)
           }""",
    ),
    "a continuation passed as a value uses what is known where it is passed": (
        """g(k : int → ⊥, ret : int → ⊥) → ⊥ { k(1) }
           f(x : bool, ret : int → ⊥) → ⊥ {
             let
               j := (b : bool, y : int) → ⊥
                 let k := (v : int) → ⊥ branch(y == v, λ(). ret(v), λ(). ret(2))
                 in branch(b, λ(). g(k, ret), λ(). ret(3))
             in
             branch(x, λ(). j(true, 5), λ(). j(false, 6))
           }""",
        """g(k : int → ⊥, ret : int → ⊥) → ⊥ { k(1) }
           f(x : bool, ret : int → ⊥) → ⊥ {
             let k1 := () → ⊥ let k := (v : int) → ⊥ branch(5 == v, λ(). ret(v), λ(). ret(2)) in g(k, ret)
             in branch(x, k1, λ(). ret(3))
           }""",
    ),
}
"""Sources in C, with their CPS text after jumps are threaded, by what they show."""


@pytest.mark.parametrize(("text", "expected"), RESULTS.values(), ids=RESULTS)
def test_jumps_are_threaded(text: str, expected: str) -> None:
    assert result(text) == pretty(program_of(expected))


UNDEFINED = "int f(int x) { int y; if (x) y = 1; if (y) return 5; return 7; }"


@pytest.mark.parametrize(
    ("text", "outputs"),
    [
        ("int f(int x, int d) { int y = 0; if (x) y = 1; int q = 10 / d; if (y) return q; return 7; }", {"0 0": None}),
        ("int f(int x) { int y = 0; if (x) y = 1; if (10 / y) return 1; return 7; }", {"0": None, "1": "1\n"}),
        (UNDEFINED, {"0": None, "1": "5\n"}),
        (
            """f(x : double, ret : int → ⊥) → ⊥ {
                 let k := (y : double) → ⊥ branch(1.0 / y < 0.0, λ(). ret(1), λ(). ret(2))
                 in branch(x == 0.0, λ(). k(x), λ(). ret(0))
               }""",
            {"-0.0": "1\n", "0.0": "2\n"},
        ),
    ],
    ids=["a division", "a division of constants", "an undefined value", "zeros of different signs"],
)
def test_outcomes_that_are_not_certain_are_not_implied(text: str, outputs: dict[str, str | None]) -> None:
    after = threaded(program_of(text))
    for arguments, output in outputs.items():
        seen = observe(after, arguments.split())
        assert seen.status == "error" if output is None else seen.output == output


def test_a_statement_that_may_trap_is_copied() -> None:
    text = "int f(int x, int d) { int y = 0; if (x) y = 1; int q = 10 / d; if (y) return q; return 7; }"
    assert result(text).count("10 / d") == 2


def test_a_branch_with_many_statements_is_copied_only_if_no_other_edge_leads_to_it() -> None:
    def text(statements: int) -> str:
        shown = 'puts("x"); ' * statements
        return f"""
            #include <stdio.h>
            int f(int x) {{ int y = 0; if (x < 5) {{ x = x * 2; y = 1; }} {shown} if (y) return x; return 7; }}"""

    small, large = (text(MAX_STATEMENTS - 1), text(MAX_STATEMENTS))
    assert result(small).count("puts") == 2 * (MAX_STATEMENTS - 1)
    assert result(large) == pretty(program_of(large))
    alone = 'puts("x"); ' * (MAX_STATEMENTS + 1)
    asked = f"#include <stdio.h>\nint f(int x) {{ if (x) {{ {alone} if (x) return 5; }} return 7; }}"
    assert result(asked).count("branch") == 1


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
    program = threaded(program_of(text))
    assert seen(program, "g", [3], 100) is not None
    assert seen(program, "g", [4], 100) is None  # an endless loop


def test_values_that_a_loop_swaps_are_not_confused() -> None:
    """On the edge back, the copy of a branch receives values of the previous iteration of the branch."""
    text = """
        #include <stdio.h>
        int f(int n) {
            int a = 1, b = 2, c = 0;
            while (c || n > 0) {
                int t = a; a = b; b = t;
                if (n == 3) { c = 1; n--; continue; }
                if (c) { n -= 2; c = 0; printf("%d %d %d\\n", a, b, n); continue; }
                n--;
            }
            return a * 10 + b;
        }"""
    program, after = convert(Source("f.c", text)), convert(Source("f.c", text), thread_jumps=True)
    assert pretty(after) != pretty(program)
    for n in range(8):
        assert observe(after, [str(n)]) == observe(program, [str(n)])


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
    program = program_of(text)
    prune(program)
    minimise(program)
    assert result(text) == pretty(program)


def test_a_parameter_that_is_a_continuation_can_be_entered() -> None:
    """A parameter that is jumped to is used; one that is always the same continuation is redundant."""
    text = """
        f(x : bool, ret : int → ⊥) → ⊥ {
          let
            j := (b : bool, k : int → ⊥, l : int → ⊥) → ⊥ branch(b, λ(). k(1), λ(). l(2))
            twice := (v : int) → ⊥ ret(v + v)
          in
          branch(x, λ(). j(x, ret, ret), λ(). j(x, twice, ret))
        }"""
    program = threaded(program_of(text))
    assert [parameter.name for parameter in program.functions[0].continuations[0].parameters] == ["k"]
    assert [observe(program, [x]).output for x in ("true", "false")] == ["1\n", "2\n"]


# ---------------------------------------------------------------------------------------------------- behaviour


@pytest.mark.parametrize("path", EXAMPLES + CORPUS, ids=lambda path: path.stem)
def test_a_program_does_what_it_expects(path) -> None:
    text = path.read_text()
    program = convert(Source("program.c", text), thread_jumps=True)
    assert not [*is_pruned(program), *is_minimal(program)]
    for run in expected_runs(text):
        assert observe(program, run.arguments) == run.expected


@settings(max_examples=examples(30))
@given(text=c_programs(), strategy=st.sampled_from([*STRATEGIES]))
def test_a_generated_program_does_the_same(text: str, strategy: str) -> None:
    note(text)
    after = threaded(converted(text, strategy))
    assert not [*is_pruned(after), *is_minimal(after)]
    assert observe(after) == observe(converted(text, strategy))


@settings(max_examples=examples(30))
@given(text=c_programs(), strategy=st.sampled_from([*STRATEGIES]))
def test_the_steps_of_a_generated_program_are_narrated(text: str, strategy: str) -> None:
    note(text)
    events: list[Event] = []
    program = convert(Source("f.c", text), strategy=strategy, thread_jumps=True, observer=events.append)
    assert pretty(program) == pretty(convert(Source("f.c", text), strategy=strategy, thread_jumps=True))
    for narration in narrate(program, events, strategy):
        data = steps_json(narration)
        assert all(step["filled"] and step["sealed"] for step in data["steps"] if step["event"] == "replace")
        assert [*transcript(narration)]
        names = [narration.labels.name(each) for each in narration.end.blocks]
        assert len(names) == len({*names})


def seen(program: Program, entry: str, arguments: Sequence[Any], most_steps: int) -> object:
    output = io.BytesIO()
    try:
        outcome = evaluate(program, entry, arguments, output=output, errors=output, max_steps=most_steps)
    except StepLimit:
        return None
    except ProgramError as fault:
        return output.getvalue(), fault.diagnostic.message
    return output.getvalue(), repr(outcome)


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
            runs.append((function.name, arguments, seen(program, function.name, arguments, 200)))
    threaded(program, observer=ReconstructionWatcher("scc"))
    for name, arguments, before in runs:
        if before is not None:
            assert seen(program, name, arguments, 200) == before


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
        assert seen(after, "f", [fuel], 10_000) == seen(program, "f", [fuel], 10_000)


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


def test_warnings_describe_the_program_before_threading() -> None:
    plain: list = []
    warnings: list = []
    convert(Source("f.c", UNDEFINED), warnings=plain)
    convert(Source("f.c", UNDEFINED), warnings=warnings, thread_jumps=True)
    assert plain
    assert [warning.render() for warning in warnings] == [warning.render() for warning in plain]


# ------------------------------------------------------------------------------------------------------- size


def flags(n: int) -> str:
    """`n` times the same condition, and a flag that is set and tested at once."""
    lines = "\n".join(f"if (c) x = x + {i}; else x = x ^ {i}; if (x & {i}) d = 1; if (d) x--; d = 0;" for i in range(n))
    return f"int f(int c, int x) {{ int d = 0; {lines} return x; }}"


def rows(n: int) -> str:
    """`n` edges into a row of `n` branches: without `MAX_PASSED`, threading would take n² steps."""
    cases = " ".join(f"case {i}: s = {n - i}; break;" for i in range(n))
    row = "\n".join(f"if (s == {i}) return {i};" for i in range(n))
    return f"int f(int x) {{ int s = x; switch (x) {{ {cases} }} {row} return -1; }}"


ALL = {**SHAPES, "flags": flags, "rows": rows}


@pytest.mark.parametrize("shape", sample(["ifs", "nested_loops", "mesh", "logical", "rows", "cases", "flags"], 2))
def test_the_time_is_near_linear(shape: str) -> None:
    sizes = [2 * MAX_PASSED, 4 * MAX_PASSED]
    made = [convert(Source("f.c", ALL[shape](size))) for size in sizes]
    assert growth([lines_executed(partial(thread_jumps, program)) for program in made], sizes) < 1.2


def test_ten_thousand_continuations_in_a_row_are_no_special_case() -> None:
    count = size(10_000)
    program = convert(Source("f.c", f"int f(int c, int x) {{ {'if (c) x++; ' * count} return x; }}"))
    thread_jumps(program)
    (function,) = program.functions
    assert sum(isinstance(member.transfer, Branch) for member in function.members()) < count / 2
    assert not check(program)


def test_branches_are_not_bypassed_where_values_are_live_at_too_many_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = ", ".join(f"v{number} = {number}" for number in range(100))
    ifs = " ".join(f"if (c == {number}) v{number} = 1;" for number in range(100))
    total = " + ".join(f"v{number}" for number in range(100))
    text = f"int f(int c) {{ int {variables}; {ifs} return {total}; }}"
    parameters = {}
    for limit in (50_000, 2_000, 0):
        monkeypatch.setattr("cpsconv.core.transform.branch_duplication.MAX_LIVE", limit)
        program = threaded(program_of(text))
        assert observe(program, ["7"]).output == f"{sum(range(100)) - 6}\n"
        parameters[limit] = sum(len(each.parameters) for each in program.functions[0].continuations)
    assert parameters[0] == 99 < parameters[2_000] < parameters[50_000] / 4
    assert (
        result("int f(int c) { int b = c > 1; if (b) putchar(1); if (b) putchar(2); return 0; }").count("branch") == 1
    )


def test_ten_thousand_jumps_in_a_row_are_one_continuation() -> None:
    count = 10_000
    lets = "".join(f"k{i} := () → ⊥ k{i + 1}()\n" for i in range(count))
    text = f"f(ret : int → ⊥) → ⊥ {{ let {lets} k{count} := () → ⊥ ret(1) in k0() }}"
    program = program_of(text)
    thread_jumps(program)
    assert pretty(program) == "f(ret : int → ⊥) → ⊥ {\n  ret(1)\n}\n"


# ------------------------------------------------------------------------------------------- the command line

FLAG_C = "int f(int x) { int y = 0; if (x > 9) y = 1; if (y) return 5; return 7; }"
FLAG_CPS = """\
f(x : int, ret : int → ⊥) → ⊥ {
  let
    then := () → ⊥
      ret(5)
    next := () → ⊥
      ret(7)
  in
  branch(x > 9, then, next)
}
"""


@pytest.fixture
def cps(tmp_path, monkeypatch, capsysbinary):
    """A function that runs a command, in a folder with a program as C and as CPS text, and returns its output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.c").write_text(FLAG_C)
    (tmp_path / "f.cps").write_text(pretty(program_of(FLAG_C)))

    def run(*arguments: str, status: int = 0) -> tuple[str, str]:
        assert main([*arguments]) == status
        out, err = capsysbinary.readouterr()
        return out.decode(), err.decode()

    return run


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["f.c", "--thread-jumps"], FLAG_CPS),
        (["f.c", "--thread-jumps", "--certify"], FLAG_CPS),  # it is certified before
        (["f.cps", "--thread-jumps"], FLAG_CPS.replace("next", "next1")),
        (["f.cps"], pretty(program_of(FLAG_C))),
    ],
)
def test_convert_threads_jumps_on_request(cps, arguments: list[str], expected: str) -> None:
    assert cps("convert", *arguments) == (expected, "")


def test_run_threads_jumps(cps) -> None:
    out, err = cps("run", "--thread-jumps", "--trace", "f.c", "10")
    assert (out, err.count("branch")) == ("5\n", 1)


def test_cps_text_with_threaded_jumps_is_not_certified(cps) -> None:
    message = "error: f.cps: CPS text is not converted: there is nothing to certify\n"
    assert cps("convert", "--thread-jumps", "--certify", "f.cps", status=1) == ("", message)


def test_a_value_without_a_name_has_one_in_the_replay() -> None:
    text = "int f(int n, int c) { if (n > 5) c = 1; return n * 3 + (c && n); }"
    events: list[Event] = []
    program = convert(Source("f.c", text), thread_jumps=True, observer=events.append)
    assert any(isinstance(event, Write) and not event.variable.name for event in events)
    (narration,) = narrate(program, events, "scc")
    steps = steps_json(narration)["steps"]
    assert all("``" not in step["text"] and step["variable"] != "" for step in steps)
    assert any(step["text"].startswith("read `v3` in") for step in steps)


def test_a_wrong_construction_is_refused_before_its_jumps_are_threaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose_an_argument(program: Program, observer: object, **others: object) -> None:
        (edge, *_) = (
            edge
            for member in program.functions[0].members()
            for edge in member.transfer.edges
            if isinstance(edge.target, Continuation) and edge.arguments
        )
        edge.arguments[0] = Undef(INT, "lost")

    monkeypatch.setattr("cpsconv.pipeline.minimise", lose_an_argument)
    with pytest.raises(DiagnosticError, match="certificate: "):
        convert(Source("f.c", FLAG_C), certify=True, thread_jumps=True)


def test_a_fault_of_threading_is_found_before_anything_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def drop_everything(program: Program, strategy: str, observer: Observer | None) -> list[Diagnostic]:
        for function in program.functions:
            function.continuations = []
        return []

    monkeypatch.setattr("cpsconv.core.transform.jump_threading.thread_jumps", drop_everything)
    with pytest.raises(DiagnosticError, match="does not belong to it"):
        convert(Source("f.c", FLAG_C), thread_jumps=True)
