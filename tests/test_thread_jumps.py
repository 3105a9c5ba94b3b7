"""Jump threading: the resulting programs, and their unchanged behaviour."""

from __future__ import annotations

import json
from functools import partial

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from benchmarks.shapes import SHAPES
from cpsconv import convert
from cpsconv.cli import main
from cpsconv.core.check import check
from cpsconv.core.check.parameters import is_minimal, is_pruned
from cpsconv.core.construction import STRATEGIES, Event
from cpsconv.core.construction.events import Write
from cpsconv.core.ir import INT, Branch, Continuation, Program, Undef
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.core.text import pretty
from cpsconv.core.transform.branch_duplication import MAX_STATEMENTS
from cpsconv.core.transform.jump_threading import thread_jumps
from cpsconv.lab.explain import narrate, steps_json, transcript
from testing.c_programs import c_programs
from testing.counting import growth, lines_executed
from testing.effort import beyond_the_stack, examples, sample
from testing.running import converted, observe, program_of
from tests.core.test_thread_jumps import threaded
from tests.tables import scenarios


def threaded_text(text: str) -> str:
    """The CPS text of a program in C or CPS with threaded jumps."""
    return pretty(threaded(program_of(text)))


RESULTS_IN_C = scenarios("threaded_c")
"""Sources in C, with their CPS text after jumps are threaded, by what they show."""


@pytest.mark.parametrize(("text", "expected"), RESULTS_IN_C.values(), ids=RESULTS_IN_C)
def test_jumps_of_c_programs_are_threaded(text: str, expected: str) -> None:
    assert threaded_text(text) == pretty(program_of(expected))


UNDEFINED = "int f(int x) { int y; if (x) y = 1; if (y) return 5; return 7; }"


@pytest.mark.parametrize(
    ("text", "outputs"),
    [
        ("int f(int x, int d) { int y = 0; if (x) y = 1; int q = 10 / d; if (y) return q; return 7; }", {"0 0": None}),
        ("int f(int x) { int y = 0; if (x) y = 1; if (10 / y) return 1; return 7; }", {"0": None, "1": "1\n"}),
        (UNDEFINED, {"0": None, "1": "5\n"}),
    ],
    ids=["a division", "a division of constants", "an undefined value"],
)
def test_outcomes_that_are_not_certain_are_not_implied(text: str, outputs: dict[str, str | None]) -> None:
    after = threaded(program_of(text))
    for arguments, output in outputs.items():
        seen = observe(after, arguments.split())
        assert seen.status == "error" if output is None else seen.output == output


def test_a_statement_that_may_trap_is_copied() -> None:
    text = "int f(int x, int d) { int y = 0; if (x) y = 1; int q = 10 / d; if (y) return q; return 7; }"
    assert threaded_text(text).count("10 / d") == 2


def test_a_branch_with_many_statements_is_copied_only_if_no_other_edge_leads_to_it() -> None:
    def text(statements: int) -> str:
        shown = 'puts("x"); ' * statements
        return f"""
            #include <stdio.h>
            int f(int x) {{ int y = 0; if (x < 5) {{ x = x * 2; y = 1; }} {shown} if (y) return x; return 7; }}"""

    small, large = (text(MAX_STATEMENTS - 1), text(MAX_STATEMENTS))
    assert threaded_text(small).count("puts") == 2 * (MAX_STATEMENTS - 1)
    assert threaded_text(large) == pretty(program_of(large))
    alone = 'puts("x"); ' * (MAX_STATEMENTS + 1)
    asked = f"#include <stdio.h>\nint f(int x) {{ if (x) {{ {alone} if (x) return 5; }} return 7; }}"
    assert threaded_text(asked).count("branch") == 1


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
        data = json.loads(steps_json(narration))
        assert all(step["filled"] and step["sealed"] for step in data["steps"] if step["event"] == "replace")
        assert [*transcript(narration)]
        names = [narration.labels.name(each) for each in narration.end.blocks]
        assert len(names) == len({*names})


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
def test_the_time_is_near_linear(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.core.transform.branch_duplication.MAX_PASSED", 12)
    sizes = [24, 48]
    made = [convert(Source("f.c", ALL[shape](size))) for size in sizes]
    assert growth([lines_executed(partial(thread_jumps, program)) for program in made], sizes) < 1.2


def test_continuations_in_a_row_beyond_the_stack_are_no_special_case() -> None:
    with beyond_the_stack() as count:
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
        threaded_text("int f(int c) { int b = c > 1; if (b) putchar(1); if (b) putchar(2); return 0; }").count("branch")
        == 1
    )


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
    steps = json.loads(steps_json(narration))["steps"]
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
    def drop_everything(program: Program, *_: object) -> list[Diagnostic]:
        for function in program.functions:
            function.continuations = []
        return []

    monkeypatch.setattr("cpsconv.core.transform.jump_threading.thread_jumps", drop_everything)
    with pytest.raises(DiagnosticError, match="does not belong to it"):
        convert(Source("f.c", FLAG_C), thread_jumps=True)
