"""Stepping through a run: the stepper, and the interactive command."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Program, Source, convert, parse, read_source
from cpsconv.cli.step import Dialogue
from cpsconv.core.entry import entry_of
from cpsconv.core.ir import INT
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.engines.machine.machine import Returned, traced_run
from cpsconv.engines.machine.stepper import Stepper
from cpsconv.engines.machine.trace import TraceRecord
from cpsconv.engines.machine.trace_json import trace_as_json
from testing.effort import examples
from tests.conftest import Run

ROOT = Path(__file__).parent.parent
FIBONACCI = convert(Source("fib.c", "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }"))
GCD = convert(read_source(str(ROOT / "examples" / "gcd.c")))
ENDLESS = convert(Source("endless.c", "void f(void) { for (int i = 0;; i++) ; }"))


@pytest.fixture
def figure_8(cpsconv: Run) -> None:
    """Figure 8 in the folder in which the commands run."""
    Path("fig8.c").write_bytes((ROOT / "examples" / "fig8.c").read_bytes())


def stepper(program: Program, *arguments: Any, max_steps: int | None = None) -> Stepper:
    name = entry_of(program).name
    return Stepper(
        lambda stream: traced_run(program, name, arguments, output=stream, errors=stream, max_steps=max_steps)
    )


def all_of(program: Program, *arguments: Any) -> list[TraceRecord]:
    nowhere = io.BytesIO()
    return [*traced_run(program, entry_of(program).name, arguments, output=nowhere, errors=nowhere)]


def state(stepper: Stepper) -> Any:
    """The observable state of a stepper."""
    here = stepper.current
    return here and (trace_as_json(here), [(datum.name, repr(datum.value)) for datum in here.scope()]), stepper.end


# ---------------------------------------------------------------------------------------------------------- stepper


def test_stepping_leads_from_the_first_transfer_to_the_end() -> None:
    position = stepper(FIBONACCI, 3)
    seen = [position.current, *position.advance(lambda record: False)]
    assert seen == [*all_of(FIBONACCI, 3), None]
    assert (position.current, position.end) == (None, Returned(2, INT))


MOVES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["forward", "back"]), st.integers(0, 30) | st.just(10**30)),
        st.tuples(st.sampled_from(["over", "out", "branch"]), st.just(0)),
    ),
    max_size=12,
)


@settings(max_examples=examples(60))
@given(st.sampled_from([(FIBONACCI, (5,)), (GCD, ())]), MOVES)
def test_any_steps_follow_the_trace(which: tuple[Program, tuple[int, ...]], moves: list[tuple[str, int]]) -> None:
    program, arguments = which
    records = all_of(program, *arguments)
    position, index = stepper(program, *arguments), 0

    def first(goal: Any) -> int:
        return next((at for at in range(index + 1, len(records)) if goal(records[at])), len(records))

    for move, steps in moves:
        done = index == len(records)
        depth = 0 if done else records[index].depth
        if move == "back":
            position.back(steps)
            index = max(0, index - steps)
        elif move == "forward":
            [*position.forward(steps)]
            index = min(len(records), index + steps)
        elif move == "over":
            [*position.over()]
            index = first(lambda record, depth=depth: record.depth <= depth)
        elif move == "out":
            [*position.out()]
            index = first(lambda record, depth=depth: record.depth < depth)
        else:
            [*position.advance(lambda record: record.kind == "branch")]
            index = first(lambda record: record.kind == "branch")
        assert position.current == (records[index] if index < len(records) else None)
        assert (position.end is None) == (index < len(records))


@pytest.mark.parametrize("steps", [1, 2, 7, 29])
def test_back_after_forward_restores_all(steps: int) -> None:
    position = stepper(GCD)
    [*position.forward(3)]
    before = state(position)
    [*position.forward(steps)]
    assert state(position) != before
    position.back(steps)
    assert state(position) == before


def test_output_is_taken_once_and_not_again_after_stepping_back() -> None:
    position = stepper(GCD)
    [*position.advance(lambda record: record.at.continuation == "after_gcd")]
    assert position.take_output() == "gcd(48, 36) = 12\n"
    assert position.take_output() == ""
    position.back(2)
    assert position.take_output() == ""
    [*position.forward(2)]
    assert position.take_output() == "gcd(48, 36) = 12\n"


def test_an_endless_program_can_be_stepped_through() -> None:
    position = stepper(ENDLESS)
    [*position.forward(5000)]
    assert position.current and position.current.step == 5001
    limited = stepper(ENDLESS, max_steps=10)
    assert [record.step for record in limited.advance(lambda record: False) if record] == [*range(2, 11)]
    assert isinstance(limited.end, StepLimit)
    limited.back(1)
    assert limited.current and limited.current.step == 10


def test_stepping_can_be_abandoned_and_its_stream_closed() -> None:
    stream = io.BytesIO()
    begun = traced_run(GCD, "main", [], output=stream, errors=stream)
    next(begun)
    stream.close()
    begun.close()


def test_the_output_before_a_runtime_error_is_kept() -> None:
    program = convert(Source("f.c", '#include <stdio.h>\nint main(void) { int z = 0; puts("so far"); return 1 / z; }'))
    position = stepper(program)
    assert isinstance(position.end, ProgramError)
    assert position.take_output() == "so far\n"


# --------------------------------------------------------------------------------------------------------- dialogue


def dialogue(program: Program, *arguments: Any, max_steps: int | None = None) -> Dialogue:
    return Dialogue(program, entry_of(program), stepper(program, *arguments, max_steps=max_steps))


WORDS = "n next o over f finish r run b back p print l list h help ? foo while.x -1 0 2 ٣ while gcd.while"
LINE = st.lists(st.sampled_from([*WORDS.split(), "9" * 30, "a1", "11", "é", "\x00", "\t"]), max_size=3).map(" ".join)


@settings(max_examples=examples(120))
@given(st.lists(LINE | st.text("n p\u0661é\n\x00\ud7ff", max_size=9), max_size=8))
def test_any_line_is_answered(lines: list[str]) -> None:
    talk = dialogue(GCD, max_steps=200)
    assert len([*talk.greeting()]) == 2
    for line in lines:
        assert [*talk.answer(line)] or talk.is_over


@pytest.mark.usefixtures("figure_8")
def test_a_session(cpsconv: Run) -> None:
    status, out, err = cpsconv("step", "fig8.c", "0", stdin="p\n\np a\nl\nr next\np a\nr\nb\nq\nn\n")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "  step   line  fig8.c         in    transfer",
        "     1     11  if (x == 0) {  f     branch(true) → then",
        "> p",
        "x : int = 0",
        "ret : int → ⊥ = end",
        "> ",
        "     2     12  a = 23;        then  next(a = 23)",
        "> p a",
        "there is no `a` here",
        "> l",
        "  f(x : int, ret : int → ⊥) → ⊥ {",
        "    let",
        "      then := () → ⊥",
        "▶       next(23)",
        "      else := () → ⊥",
        "        next(42)",
        "      next := (a : int) → ⊥",
        "        ret(a)",
        "    in",
        "    branch(x == 0, then, else)",
        "fig8.c:12: a = 23;",
        "> r next",
        "     3     16  return a;      next  ret(23) → end",
        "> p a",
        "a : int = 23",
        "> r",
        "the program is done: `f` returned 23",
        "> b",
        "     3     16  return a;      next  ret(23) → end",
        "> q",
    ]


def answers(talk: Dialogue, *lines: str) -> list[str]:
    return [answer for line in lines for answer in talk.answer(line)]


def test_a_line_of_the_source_may_be_run_to() -> None:
    talk = dialogue(GCD)
    assert "gcd.exit" in answers(talk, "r 16")[-1]
    assert answers(talk, "r 1", "r 99") == ["no transfer belongs to line 1", "no transfer belongs to line 99"]


def test_a_misspelt_name_gets_a_suggestion() -> None:
    talk = dialogue(GCD)
    assert answers(talk, "r whil", "r zzzzz", "x", "l 3", "n many") == [
        "there is no continuation `whil`; did you mean `while`?",
        "there is no continuation `zzzzz`",
        "there is no command `x`; h lists all commands",
        "`l` takes no argument",
        "`many` is not a number of steps",
    ]
    assert answers(talk, "n", "p bb")[-1] == "there is no `bb` here; did you mean `b`?"


def test_a_runtime_error_is_shown_and_can_be_stepped_back_from() -> None:
    program = parse(Source("f.cps", "f(ret : int → ⊥) → ⊥ {\n  let k := (x : int) → ⊥ ret(1 / x) in\n  k(0)\n}\n"))
    talk = dialogue(program)
    fault = [
        "f.cps:2:30: runtime error: division by zero",
        "    2 |   let k := (x : int) → ⊥ ret(1 / x) in",
        " " * 6 + "| " + " " * 29 + "^^^^^",
    ]
    assert answers(talk, "n")[0] == fault[0]
    assert answers(talk, "n", "o", "f", "r") == answers(talk, "n") * 4
    assert "k(x = 0)" in answers(talk, "b")[0]


DIVISIONS = Source("f.c", "int f(int n) {\n    int q = 0;\n    while (1) { q = 12 / n; n--; }\n    return q;\n}\n")


def test_after_a_runtime_error_values_and_location_of_the_last_transfer_are_shown() -> None:
    talk = dialogue(convert(DIVISIONS), 2)
    assert "division by zero" in answers(talk, "r")[0]
    (last,) = answers(talk, "b")
    before = answers(talk, "p", "l")
    assert "n1 : int = 1" in before
    answers(talk, "n")
    assert answers(talk, "p", "l") == before
    assert "division by zero" in answers(talk, "n")[0]
    assert answers(talk, "b") == [last]


def test_after_the_end_of_a_program_its_last_values_are_shown() -> None:
    talk = dialogue(GCD)
    answers(talk, "r")
    assert answers(talk, "l")[-1] == f"{ROOT / 'examples' / 'gcd.c'}:24: return 0;"
    assert answers(talk, "p zz") == ["there is no `zz` here"]


def test_a_run_that_ends_before_the_first_transfer_has_nothing_to_show() -> None:
    talk = dialogue(parse(Source("f.cps", "f(ret : int → ⊥) → ⊥ { ret(1 / 0) }")))
    assert answers(talk, "p") == answers(talk, "l") == answers(talk, "b") == answers(talk, "n")


def test_there_is_no_transfer_before_the_first() -> None:
    talk = dialogue(GCD)
    assert answers(talk, "b", "b 3") == ["this is the first transfer"] * 2
    assert len(answers(talk, "n", "b")) == 2


@pytest.mark.usefixtures("figure_8")
@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["-"], 2, "standard input"),
        (["no.c"], 1, "there is no such file"),
        (["fig8.c"], 1, "takes 1 argument"),
        (["fig8.c", "0", "--entry", "g"], 1, "no function `g`"),
        (["fig8.c", "0", "--trace"], 2, "--trace"),
    ],
)
def test_a_run_that_cannot_start_is_diagnosed(cpsconv: Run, arguments: list[str], status: int, complaint: str) -> None:
    assert cpsconv("step", *arguments)[:2] == (status, "")
    assert complaint in cpsconv("step", *arguments)[2]


@pytest.mark.parametrize(
    ("file", "text", "end"),
    [
        ("f.c", "int main(void) { return 300; }", "exit status 44"),
        ("f.c", "#include <stdlib.h>\nint main(void) { exit(300); }", "exit status 44"),
        ("f.c", "#include <stdlib.h>\nint main(void) { abort(); }", "aborted"),
        ("f.c", "int f(void) { return 300; }", "`f` returned 300"),
        ("f.c", "void f(void) { }", "`f` returned"),
        ("f.cps", "f(ret : int → ⊥) → ⊥ {\n  ret(-3)\n}\n", "`f` returned -3"),
    ],
)
def test_the_end_is_shown_with_its_exit_status_or_value(cpsconv: Run, file: str, text: str, end: str) -> None:
    Path(file).write_text(text, encoding="utf-8")
    assert f"> r\nthe program is done: {end}\n> " in cpsconv("step", file, stdin="r").out


def test_arguments_have_the_form_of_the_language(cpsconv: Run) -> None:
    Path("p.bril").write_text("@main(c: char) {\n  print c;\n}\n")
    assert "c : char = 97\n" in cpsconv("step", "p.bril", "a", stdin="p\n").out


@pytest.mark.usefixtures("figure_8")
def test_an_interrupt_ends_with_130(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert cpsconv("step", "fig8.c", "0")[0] == 130


@pytest.mark.usefixtures("figure_8")
def test_input_that_is_not_text_is_not_a_command(cpsconv: Run) -> None:
    status, out, _ = cpsconv("step", "fig8.c", "0", stdin=b"\xff\x00\n")
    assert status == 0
    assert "there is no command" in out


def test_a_session_is_limited_as_a_run(cpsconv: Run) -> None:
    Path("f.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\nint f(int n) { return 1 + f(n + 1); }\n"
        'void lines(void) { for (;;) puts("line"); }\nint forever(void) { for (;;); }\n'
        "void all(void) { for (;;) malloc(1000000); }\n"
    )
    assert "more than 50 calls are pending" in cpsconv("step", "f.c:f", "1", "--max-depth", "50", stdin="r\n").out
    assert "writes more than 20 bytes" in cpsconv("step", "f.c:lines", "--max-output", "20", stdin="r\nb\nr\n").out
    status, _, err = cpsconv("step", "-w", "f.c:forever", "--timeout", "0.2", stdin="n\nr\n")
    assert status == 3 and err.startswith("runtime error: the program takes more than 0.2 seconds of processor time")
    assert cpsconv("step", "-w", "f.c:all", "--max-memory", "9M", stdin="r\n").err.startswith(
        "runtime error: the program takes more than 9 MiB of memory"
    )
