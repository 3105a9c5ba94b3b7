"""`cpsconv explain`: the narrated construction is complete and correct."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click import UsageError
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cpsconv import Program, Source
from cpsconv.cli.commands import commands
from cpsconv.core.construction import STRATEGIES, Event, Strategy
from cpsconv.core.construction import events as e
from cpsconv.core.construction.basic import Basic
from cpsconv.core.construction.block import Block, Variable, resolve
from cpsconv.core.construction.record import FunctionRecord
from cpsconv.core.ir import Function, Value
from cpsconv.core.source import DiagnosticError
from cpsconv.lab.baselines import BASELINES
from cpsconv.lab.explain import Collector, Narration, Step, narrate, steps_json, transcript
from cpsconv.lab.explain.algorithm_lines import Line, algorithm_listing
from cpsconv.lab.explain.collector import Omission
from cpsconv.lab.explain.pseudocode import PSEUDOCODE
from cpsconv.pipeline import OPTIMISATIONS, convert
from testing.c_programs import random_program
from testing.effort import beyond_the_stack, is_full, sample
from testing.graphs import Graph, build, graphs, random_graph

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "fig8.c"
PROGRAMS = sorted([*(ROOT / "examples").glob("*.c"), *(ROOT / "tests" / "corpus").rglob("*.c")])


def narrated(source: Source, strategy: str, **given: Any) -> list[Narration]:
    """The construction of each function of a source."""
    events: list[Event] = []
    return narrate(convert(source, strategy=strategy, observer=events.append, **given), events, strategy)


def told(text: str, strategy: str = "scc", **given: Any) -> Narration:
    """The construction of the only function of a C program."""
    (narration,) = narrated(Source("program.c", text), strategy, **given)
    return narration


def narrated_graph(graph: Graph, strategy: str) -> Narration:
    events: list[Event] = []
    function = build(graph, strategy, events.append)
    (narration,) = narrate(Program([function]), events, strategy)
    return narration


def lines_of(narration: Narration) -> set[Line]:
    return {line for step in narration.steps for line in step.lines}


def texts(narration: Narration, *, within: bool | None = None) -> list[str]:
    return [step.text for step in narration.steps if within is None or step.within == within]


IF = """int f(int x) {
    int a;
    if (x == 0) a = 23; else a = 42;
    return a;
}
"""
LOOP = "int f(int n) { while (n > 0) n = n - 1; return n; }"
UNINITIALISED = "int f(int c) { int x; if (c) x = 1; return x; }"
UNCHANGED = "int f(int n) { int x = 1; while (n > 0) { if (n % 2) n = n - 3; n = n - 1; } return x; }"
IRREDUCIBLE = (ROOT / "examples" / "fig5.c").read_text()


LOOPS = """\
int f(int n) {
    int s = 0;
    while (n > 0)
        n--;
    s++;
    for (;;) {
        s++;
        if (s > 9) break;
    }
    s++;
    do
        s--;
    while (s > 3);
    s++;
again:
    if (s++ < 8) goto again;
    return s;
}
"""


def test_the_blocks_of_a_statement_are_created_at_its_line() -> None:
    created = [(step.text, step.span) for step in told(LOOPS).steps if type(step.event) is e.Create]
    lines = [(text.removeprefix("create the continuation "), span and span.line) for text, span in created]
    at = {
        3: "while body exit",
        6: "for body1 step exit2",
        8: "then next",
        11: "do while1 exit1",
        15: "again",
        16: "then1 next1",
    }
    assert lines == [(f"`{name}`", line) for line, names in at.items() for name in names.split()]


@pytest.mark.parametrize(
    ("expression", "created"),
    [
        ("a ? b : 2", "`then` for `?:`, `else` for `?:`, `join` for `?:`"),
        ("a ?: b", "`else` for `?:`, `join` for `?:`"),
        ("a && b", "`and` for `&&`, `join` for `&&`"),
        ("!(a || b)", "`or` for `||`, `join` for `||`"),
        ("a && b ? 1 : 2", "`then` for `?:`, `else` for `?:`, `join` for `?:`, `and` for `&&`"),
        ('printf(a ? "one" : "two")', "`then` for `?:`, `else` for `?:`, `join` for `?:`"),
    ],
)
def test_the_blocks_of_an_operator_are_created_for_it(expression: str, created: str) -> None:
    steps = texts(told(f"#include <stdio.h>\nint f(int a, int b) {{ return {expression}; }}"))
    found = [text.removeprefix("create the continuation ") for text in steps if text.startswith("create ")]
    assert ", ".join(found) == created


def test_the_first_value_of_a_conditional_operator_is_converted_in_its_own_block() -> None:
    steps = texts(told("double f(int c) { return c ? c : 2.5; }"), within=False)
    entered = steps.index("enter `then`")
    assert steps[entered + 3 : entered + 7] == [
        "compute `double(c)`",
        "write `chosen`: its value is now `double(c)`",
        "jump to `join`: `then` is filled",
        "seal `else`: its only predecessor is `f`",
    ]


def test_a_join_gets_a_parameter_for_its_two_values() -> None:
    look_up = texts(told(IF), within=True)
    assert look_up == [
        "visit `next`, a join of `then` and `else`",
        "look in `then`: `a` is `23` there",
        "look in `else`: `a` is `42` there",
        "`23` and `42` reach `next`",
        "place the parameter `a` of `next`, for `a`; record it as `a` in `next`",
        "`a` gets `23` from `then` and `42` from `else`",
        "`a` receives `23` and `42`: kept",
    ]


def test_a_kept_parameter_has_all_of_few_values_in_the_order_of_the_predecessors_or_at_least_two_of_many() -> None:
    def kept(values: Sequence[int]) -> list[str]:
        cases = " ".join(f"case {number}: x = {value}; break;" for number, value in enumerate(values))
        return texts(told(f"int f(int n) {{ int x = 9; switch (n) {{ {cases} }} return x; }}"))

    assert "`x` receives `9`, `5`, `3` and `1`: kept" in kept([5, 3, 5, 1])
    assert "`x` receives at least `9` and `0`: kept" in kept(range(7))
    assert "`x` receives at least `9` and `5`: kept" in kept([5] * 100)


def test_a_loop_gets_a_proxy_that_is_completed_when_the_loop_is_sealed() -> None:
    steps = [(step.lines[0], step.text) for step in told(LOOP).steps]
    lines = [line for line, _ in steps]
    assert lines.index(Line.PROXY) < lines.index(Line.COMPLETE_PROXY)
    assert (Line.COMPLETE_PROXY, "`n1` gets `n` from `f` and `n1 - 1` from `body`") in steps


def test_a_step_shows_the_state_of_its_continuation() -> None:
    header = [
        (step.filled, step.sealed) for step in told(LOOP).steps if step.block.continuation.name == "while"
    ]  # its loop jumps back before it is sealed
    assert [*dict.fromkeys(header)] == [(False, False), (True, False), (True, True)]


def test_steps_are_listed_under_the_source_line_that_causes_them() -> None:
    at = {step.text: step.span.line for step in told(IF).steps}
    assert at["create the continuation `then`"] == 3
    assert at["write `a`: its value is now `42`"] == 3
    assert at["place the parameter `a` of `next`, for `a`; record it as `a` in `next`"] == 4


def test_each_strategy_has_its_own_steps() -> None:
    lines = {strategy: lines_of(told(UNCHANGED, strategy)) for strategy in STRATEGIES}
    assert {Line.PLACE, Line.PROXY, Line.REMOVE, Line.WALK} <= lines["paper"]
    assert {Line.PLACE, Line.REMOVE, Line.WALK} <= lines["basic"]
    assert {Line.MARK, Line.CYCLE, Line.AGREE} <= lines["marker"]
    assert Line.ONE_ENTERS in lines["scc"] and Line.REMOVE not in lines["scc"]


def test_redundant_parameters_are_listed_with_their_values() -> None:
    assert "`x` and `x1` always equal `10`: removed" in texts(told(IRREDUCIBLE, "basic"))
    assert not any("always" in text for text in texts(told(IRREDUCIBLE, "basic", minimal=False)))


UNUSED = "int f(int n) { int x = n; while (n > 0) { x = x + 1; n = n - 1; } x; return n; }"
DEAD = "int f(int n) { if (n > 3) { if (n <= 3) n = 1; } return n; }"
TWO_LINES = "int f(int n) {\n  { int x = 1; n = n + x; }\n  { int x = 2; n = n + x; }\n  return n;\n}"
ONE_LINE = "int f(int n) { { int x = 1; n += x; } { int x = 2; n += x; } return n; }"
UNDEFINED = "int f(int c) { int a, b; if (c) a = b; return a; }"
EQUAL = "int f(int c) { int a; if (c) a = 1; else a = 1; return a; }"


@pytest.mark.parametrize(
    ("text", "optimise", "expected"),
    [
        (UNUSED, ["dead"], "`x` is not used: removed"),
        ("int f(int n) { if (0) n = 1; return n; }", ["branches"], "`then` is unreachable: dropped"),
        (DEAD, ["branches"], "the outcome `false` is known: no other outcome gets an edge"),
        (DEAD, ["branches"], "`then1` is unreachable: its statements are not converted, and it is filled"),
        (UNINITIALISED, [], "`x` gets `undef(x : int)` from `f` and `1` from `then`"),
        (TWO_LINES, [], "write `x` on line 2: its value is now `1`"),
        (TWO_LINES, [], "write `x` on line 3: its value is now `2`"),
        (ONE_LINE, [], "write `x` on line 1, column 22: its value is now `1`"),
        (
            UNDEFINED,
            [],
            "an undefined value and an undefined value (different values, though they look the same) reach `next`",
        ),
        (EQUAL, [], "only `1` reaches `next`; record it as `a` in `next`"),
        ("int f(int x) { int a = x + 1, b = x + 1; return a * b; }", ["cse"], "`x + 1` is the result `a` of `x + 1`"),
    ],
)
def test_a_step_is_described(text: str, optimise: list[str], expected: str) -> None:
    assert expected in texts(told(text, optimise=optimise))


def test_a_computation_is_shown_with_its_original_operands() -> None:
    text = "int f(int n) { int x = 1, y = 0; again: y = y + x * 3; n = n - 1; if (n > 0) goto again; return y; }"
    steps = texts(told(text))
    trivial = next(number for number, text in enumerate(steps) if "is trivial: replaced by `1`" in text)
    assert steps.index("compute `x * 3`") < trivial


def test_a_declaration_is_not_shown_as_a_failed_look_up() -> None:
    steps = [(step.lines[0], step.text) for step in told(UNINITIALISED).steps]
    assert (Line.WRITE, "declare `x`: it is undefined") in steps
    assert (Line.FOUND, "look in `f`: `x` is undefined there") in steps


def narrations_of(paths: Sequence[Path], strategy: str) -> Iterator[Narration]:
    """The constructions of all functions of some files, with or without optimisations; both with --full."""
    choices = [[], [*OPTIMISATIONS]]
    for path in paths:
        for optimise in choices if is_full() else [choices[len(path.stem) % 2]]:
            yield from narrated(Source(path.name, path.read_text()), strategy, optimise=optimise)


BETWEEN_STEPS = {
    *(Line.ADD_OPERANDS, Line.ELSE_LOOK, Line.RETURN, Line.NO_SAME, Line.NEXT_OPERAND, Line.SAME, Line.USERS),
    *(Line.RETURN_SAME, Line.EACH_MARKED, Line.PHI_SCCS, Line.PROCESS),
    *(Line.NO_INNER, Line.NO_OUTER, Line.MAY_BE_INNER, Line.NOT_INNER),
    *(Line.EMPTY_STACKS, Line.RENAMED_BEFORE, Line.EACH_CHILD, Line.POP),
}
"""Lines that complete the pseudocode, between those of two steps."""


def test_every_program_is_narrated_and_every_line_of_the_algorithms_is_carried_out_by_some_step() -> None:
    strategies = (*STRATEGIES, "cytron", "countdown")
    narrations = [narration for strategy in strategies for narration in narrations_of(sample(PROGRAMS, 32), strategy)]
    for number in (90, 219, 371):  # with cycles that are entered twice, and one that nothing enters
        narrations.append(narrated_graph(random_graph(Random(number), 20), "scc"))
    narrations.append(narrated_graph(random_graph(Random(3), 10), "paper"))  # with an unreachable cycle
    for name in ("chosen_formats.c", "irreducible_three_entries.c"):  # with unused and newly trivial parameters
        narrations += narrated(Source(name, (ROOT / "tests" / "corpus" / name).read_text()), "paper")
    inner = Source("bisection.c", (ROOT / "examples" / "bisection.c").read_text())  # with redundant sets in others
    narrations += narrated(inner, "paper")
    threaded = narrated(Source("fig7.c", (ROOT / "examples" / "fig7.c").read_text()), "scc", thread_jumps=True)
    decided = Source("fig4.c", (ROOT / "examples" / "fig4.c").read_text())
    narrations += narrated(decided, "scc", optimise=[*OPTIMISATIONS])
    carried_out = {line for narration in narrations for step in checked(narration) for line in step.lines}
    carried_out.update(*map(lines_of, threaded))
    assert carried_out == {line for line in Line if not line.text.endswith(":")} - BETWEEN_STEPS


def test_the_listing_of_the_paper_has_no_lines_of_ours_but_for_open_cases() -> None:
    ours = {line for line in algorithm_listing("paper") if line.ours}
    open_cases = {Line.UNREACHABLE_CYCLE, Line.IF_COMPLETE, Line.NEWLY_TRIVIAL}
    assert ours == {*open_cases, Line.UNREACHABLE, Line.UNUSED}


def test_the_listing_of_the_paper_has_the_functions_of_the_paper() -> None:
    headings = dict.fromkeys(line.algorithm.heading for line in algorithm_listing("paper"))
    assert [heading for heading in headings if "(" in heading] == [
        "writeVariable(variable, block, value)",
        "readVariable(variable, block)",
        "readVariableRecursive(variable, block)",
        "addPhiOperands(variable, phi)",
        "tryRemoveTrivialPhi(phi)",
        "sealBlock(block)",
        "removeRedundantPhis(phiFunctions)",
        "processSCC(scc)",
    ]


LENGTHS = {"Algorithm 1": 4, "Algorithm 2": 14, "Algorithm 3": 15, "Algorithm 4": 3, "Algorithm 5": 18}
"""The numbers of lines in the listings of the paper, without headings, comments and empty lines."""


def test_a_line_has_the_number_that_it_has_in_the_listing_of_the_paper() -> None:
    listed: dict[str, dict[str, tuple[str | None, int]]] = {}
    for line in Line:
        lines = listed.setdefault(line.algorithm.source, {})
        assert line.number not in lines
        lines[line.number] = line.pseudocode, line.indent
    for source, count in LENGTHS.items():
        own = {number: line for number, line in listed[source].items() if number.isdigit()}
        assert [*own] == [*map(str, range(1, count + 1))]
        indents = [(len(text) - len(text.lstrip())) // 2 for text in PSEUDOCODE[source].values()]
        assert indents == [indent for _, indent in own.values()] and all(text for text, _ in own.values())


def test_a_line_that_is_not_in_a_listing_of_the_paper_has_the_number_before_it_and_a_letter() -> None:
    before: dict[str, str] = {}
    for line in Line:
        digits = line.number.rstrip("abcd")
        known = before.get(line.algorithm.source, "0")
        expected = str(int(known.rstrip("abcd")) + 1) if digits == line.number else _next_letter(known)
        assert line.number == expected
        before[line.algorithm.source] = line.number
        assert line.pseudocode is None or digits == line.number


def _next_letter(number: str) -> str:
    return f"{number}a" if number.isdigit() else f"{number[:-1]}{chr(ord(number[-1]) + 1)}"


def test_the_command_shows_the_pseudocode_of_the_paper() -> None:
    output = run("--pseudocode", "--strategy", "paper", str(EXAMPLE)).output
    assert "  3     incompletePhis[block][variable] ← val\n" in output
    assert output.count("val ← new Phi(block)") == 2 and "a new φ" not in output
    with pytest.raises(UsageError, match="--pseudocode and --brief exclude each other"):
        raise run("--pseudocode", "--brief", str(EXAMPLE)).exception


AFTER_A_LOOP = "int f(int n, int c) { int x = 0; while (n > 0) { if (c) x = n; n = n - 1; } return x; }"


def test_the_paper_looks_a_variable_up_in_single_steps() -> None:
    steps = texts(told(AFTER_A_LOOP, "paper"))
    start = steps.index("read `x` in `exit`: it has no value there yet")
    assert steps[start + 1 : steps.index("call `ret(x)`: `exit` is filled")] == [
        "go back from `exit` to `while`",
        "place the parameter `x` of `while`, for `x`; record it as `x` in `while`",
        "look in `f`: `x` is `0` there",
        "`x` gets the argument `0` from `f`",
        "place the parameter `x1` of `next`, for `x`; record it as `x` in `next`",
        "go back from `body` to `while`: `x` is the parameter `x` of `while` there; record it as `x` in `body`",
        "`x1` gets the argument `x` from `body`",
        "look in `then`: `x` is the parameter `n1` of `while` there",
        "`x1` gets the argument `n1` from `then`",
        "`x1` has all of its arguments: examine whether it is trivial",
        "`x1` receives the parameter `x` of `while` and the parameter `n1` of `while`: kept; "
        "record it as `x` in `next`",
        "`x` gets the argument `x1` from `next`",
        "`x` has all of its arguments: examine whether it is trivial",
        "`x` receives `0` and the parameter `x1` of `next`: kept; record it as `x` in `while` and `exit`",
        "so `x` in `exit` is the parameter `x` of `while`",
    ]


def test_the_paper_seals_a_block_after_its_proxies_are_complete() -> None:
    steps = texts(told(LOOP, "paper"))
    assert steps.index("to seal `while`, add the arguments of its proxy `n1`") < steps.index(
        "`n1` receives the parameter `n` of `f` and `n1 - 1`: kept"
    )
    assert steps.index("`n1` receives the parameter `n` of `f` and `n1 - 1`: kept") < steps.index(
        "seal `while`: its predecessors are `f` and `body`"
    )


def test_the_paper_gives_the_entry_a_parameter_for_an_undefined_variable() -> None:
    jump = "int f(int n) { goto l; { int x; l: return x + n; } }"
    steps = [step for step in told(jump, "paper").steps if step.variable and step.variable.name == "x" and step.within]
    assert [step.text for step in steps] == [
        "go back from `l` to `f`",
        "`f` has no predecessors: place the parameter `x` of `f`, for `x`; record it as `x` in `f`",
        "`x` gets no arguments: examine whether it is trivial",
        "`x` receives no value: replaced by an undefined value; record in `f` and `l` that `x` is undefined",
    ]
    assert steps[-1].lines == (Line.REMOVE, Line.NO_OPERAND, Line.RECORD)


def test_algorithm_5_is_explained_scc_by_scc() -> None:
    figure_5 = texts(told(IRREDUCIBLE, "paper"))
    process = figure_5.index("process the SCC of `x` and `x1`: its only outer argument is `10`")
    assert figure_5[process + 1] == "`x` and `x1` always equal `10`: removed"
    assert "skip the SCC of `n1`, a parameter that is not trivial" in texts(told(LOOP, "paper"))


@pytest.mark.parametrize(
    ("text", "strategy", "record"),
    [
        (
            LOOP,
            "scc",
            "go back from `exit` to `while`: `n` is the parameter `n1` of `while` there; record it as `n` in `exit`",
        ),
        (
            LOOP,
            "scc",
            "`while` is not sealed: place a proxy, the parameter `n1` of `while`, for `n`; record it as `n` in `while`",
        ),
        (UNCHANGED, "marker", "agree: `x` is the parameter `x` of `while`; record it as `x` in `next`"),
        (UNCHANGED, "marker", "`x` is trivial: replaced by `1`; record it as `x` in `exit`"),
        (UNCHANGED, "scc", "; record it as `x` in `next`, `while`, `exit`, `body` and `then`"),
        (AFTER_A_LOOP, "basic", "; record it as `x` in `while` and `exit`"),
    ],
)
def test_a_sentence_states_what_is_recorded(text: str, strategy: str, record: str) -> None:
    assert any(record in each for each in texts(told(text, strategy)))


def test_at_most_six_continuations_are_listed() -> None:
    chain = "".join(f"n = n + (n > {i}); " for i in range(3))
    ifs = "".join(f"if (n > {i}) {{ " for i in range(8)) + "return x;" + " }" * 8
    (walk,) = [
        step
        for step in told(f"int f(int n, int x) {{ {chain} {ifs} return n; }}").steps
        if step.records and step.variable and step.variable.name == "x"
    ]
    assert walk.text.endswith(" and 2 more") and len(walk.records[0].blocks) == 8


def test_steps_can_be_limited_to_a_variable() -> None:
    narration = told(IF)
    about = [*narration.steps_about("a")]
    assert about and all(step.variable and step.variable.name == "a" for _, step in about)
    assert all(narration.steps[number - 1].text == step.text for number, step in about)
    text = "\n".join(transcript(narration, "a", brief=True))
    assert "place the parameter `a`" in text and "Algorithm" not in text and "`x`" not in text


def test_the_same_construction_is_observed_certified_and_recorded_before_its_jumps_are_threaded() -> None:
    alone: list[Event] = []
    convert(Source("f.c", IF), observer=alone.append)
    events: list[Event] = []
    record: dict[Function, FunctionRecord] = {}
    program = convert(Source("f.c", IF), observer=events.append, certify=True, record=record)
    assert [type(event) for event in events] == [type(event) for event in alone]
    assert [*record] == program.functions
    events.clear()
    convert(Source("f.c", IF), observer=events.append, certify=True, thread_jumps=True)
    assert [type(event) for event in events] == [type(event) for event in alone]


class Eager(Basic):
    """A user-defined strategy."""


WITHOUT_LISTING = ["eager", *sorted(BASELINES.keys() - {"cytron", "countdown"})]


@pytest.mark.parametrize("strategy", WITHOUT_LISTING)
def test_a_strategy_without_a_listing_has_no_algorithm_lines(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STRATEGIES, "eager", Strategy(Eager, "as basic"))
    assert algorithm_listing(strategy) == []
    for path in sample(PROGRAMS, 32 * len(WITHOUT_LISTING), 32 * WITHOUT_LISTING.index(strategy)):
        for narration in narrated(Source(path.name, path.read_text()), strategy, certify=True):
            assert lines_of(narration) == set()
            assert [*transcript(narration)] and json.loads(steps_json(narration))["strategy"] == strategy


@given(graphs(), st.sampled_from([*STRATEGIES]))
def test_every_graph_is_narrated(graph: Graph, strategy: str) -> None:
    checked(narrated_graph(graph, strategy))


@given(graphs(), st.sampled_from([*STRATEGIES]))
def test_the_steps_state_every_definition(graph: Graph, strategy: str) -> None:
    narration = narrated_graph(graph, strategy)
    stated: dict[tuple[Block, Variable], Value] = {}
    for step in narration.steps:
        if isinstance(step.event, e.Write):
            stated[step.event.block, step.event.variable] = step.event.value
        for record in step.records:
            stated.update({(block, record.variable): record.value for block in record.blocks})
    defined = {
        (block, variable): resolve(value)
        for block in narration.end.blocks.values()
        for variable, value in block.definitions.items()
    }
    assert {place: resolve(value) for place, value in stated.items()} == defined


def checked(narration: Narration) -> list[Step]:
    """The steps, which agree with the events."""
    allowed = set(algorithm_listing(narration.strategy))
    filled, sealed = set(), set()
    steps = narration.steps
    for step in steps:
        match step.event:
            case e.Fill(block):
                filled.add(block)
            case e.Seal(block) | e.Open(_, block):
                sealed.add(block)
        assert step.lines and allowed.issuperset(step.lines)
        assert (step.filled, step.sealed) == (step.block in filled, step.block in sealed)
    recorded = [event for event in narration.events if isinstance(event, e.Record)]
    assert recorded == [record for step in steps for record in step.records]
    assert len([*transcript(narration)]) > len(steps)
    names = [narration.labels.name(continuation) for continuation in narration.end.blocks]
    assert len(names) == len({*names})
    json.loads(steps_json(narration))
    return steps


def test_a_long_function_is_narrated_completely() -> None:
    with beyond_the_stack() as count:
        body = "".join(f"if (n > {i}) a = a + {i};\n" for i in range(count))
        narration = told(f"int f(int n) {{ int a = 0; {body} return a; }}")
        assert narration.end.placed == count


def run(*arguments: str) -> Any:
    return CliRunner().invoke(commands, ["explain", *arguments], standalone_mode=False)


def test_the_command_knows_the_variables() -> None:
    wrong = run("--variable", "aa", str(EXAMPLE)).exception
    assert isinstance(wrong, DiagnosticError) and "there is no variable `aa`" in str(wrong)


def test_the_command_prints_text_or_json() -> None:
    assert run(str(EXAMPLE)).output.startswith("f: construction with the strategy scc\n")
    (function,) = json.loads(run("--json", f"{EXAMPLE}:f").output)
    assert function["placed"] == 1 and function["removed"] == 0
    (about_a,) = json.loads(run("--json", "--variable", "a", str(EXAMPLE)).output)
    assert about_a["steps"] == [step for step in function["steps"] if step["variable"] == "a"] != []
    assert [step["step"] for step in function["steps"]] == [*range(1, len(function["steps"]) + 1)]


def test_too_many_steps_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.lab.explain.collector.MAX_EVENTS", 20)
    path = tmp_path / "two.c"
    path.write_text(f"int g(int n) {{ return n; }}\n{IF}")
    failure = run(str(path)).exception
    assert isinstance(failure, DiagnosticError)
    assert str(failure) == (
        "error: the construction has more than 20 steps: too many to explain\nhelp: explain one function: FILE:FUNCTION"
    )
    assert run(f"{path}:g").output.startswith("g: construction with the strategy scc\n")


def crossing(count: int) -> str:
    """A function in which a number of variables pass as many joins, and `x` is changed once."""
    names = [f"v{index}" for index in range(count)]
    body = "".join(f"if (n) {name} = n; else if (n > 1) {name} = 2;\n" for name in names)
    loop = "while (n > 5) { n--; switch (n) { case 1: v0 = x; case 2: v1++; } }"
    declared = ", ".join(f"{name} = 0" for name in names)
    return f"int f(int n) {{ int x = 1, {declared}; {body} {loop} x = {' + '.join(names)}; return x + n; }}"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_events_of_other_variables_are_omitted_without_a_change_of_the_steps(strategy: str) -> None:
    source = Source("program.c", crossing(8))
    (whole,) = narrated(source, strategy)
    for variable in sample(["x", "n", "v0", "v7"], 2, [*STRATEGIES].index(strategy) % 2):
        collector = Collector(variable=variable)
        program = convert(source, strategy=strategy, observer=collector)
        (part,) = narrate(program, collector.events, strategy)
        assert len(part.events) < len(whole.events)
        assert steps_json(part, variable) == steps_json(whole, variable)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_explanation_of_a_variable_is_the_part_of_the_whole_that_is_about_it(strategy: str) -> None:
    omitted = 0
    for seed in sample(range(1, 7), 6, [*STRATEGIES].index(strategy)):
        source = Source("program.c", random_program(seed))
        whole = narrated(source, strategy, thread_jumps=seed % 2 == 1)
        for variable in sorted({name for each in whole for name in each.variables()})[: 3 if is_full() else 1]:
            collector = Collector(variable=variable)
            program = convert(source, strategy=strategy, observer=collector, thread_jumps=seed % 2 == 1)
            part = narrate(program, collector.events, strategy)
            assert [steps_json(each, variable) for each in part] == [steps_json(each, variable) for each in whole]
            omitted += sum(len(event.placed) for event in collector.events if isinstance(event, Omission))
    assert omitted


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_variable_of_a_function_with_too_many_steps_is_explained(
    strategy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.c"
    path.write_text(crossing(20))
    wanted = run("--brief", "--strategy", strategy, "--variable", "x", f"{path}:f").output
    monkeypatch.setattr("cpsconv.lab.explain.collector.MAX_EVENTS", 1_000)
    failure = run("--strategy", strategy, f"{path}:f").exception
    assert isinstance(failure, DiagnosticError)
    assert failure.diagnostics[0].help == "explain the steps for one variable: --variable NAME"
    assert run("--brief", "--strategy", strategy, "--variable", "x", f"{path}:f").output == wanted != ""


@pytest.mark.parametrize("arguments", [["explain", str(EXAMPLE)], ["why", str(EXAMPLE), "a"]], ids=["explain", "why"])
def test_lines_are_wrapped_to_the_width_of_the_terminal(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    wide = CliRunner().invoke(commands, arguments).output
    monkeypatch.setattr("cpsconv.cli.streams.width", lambda name: 40)
    narrow = CliRunner().invoke(commands, arguments).output
    assert narrow.split() == wide.split()
    assert max(map(len, wide.splitlines())) > 40 >= max(map(len, narrow.splitlines()))


def test_the_classical_construction_is_explained_by_frontiers_and_renaming() -> None:
    source = Source("gcd.c", (ROOT / "examples" / "gcd.c").read_text())
    (narration,) = [each for each in narrated(source, "cytron") if each.function.name == "gcd"]
    found = texts(narration)
    start = next(number for number, text in enumerate(found) if "frontier" in text)
    assert found[start:] == [
        "`b` is assigned in `gcd` and `body`, and is live at `while` in the iterated dominance frontier",
        "place the parameter `b1` of `while`, for `b`",
        "`a` is assigned in `gcd` and `body`, and is live at `while` in the iterated dominance frontier",
        "place the parameter `a1` of `while`, for `a`",
        "walk over the dominator tree, from `gcd`, with a stack of values for each variable",
        "in `gcd`, push the parameter `a` of `gcd` on the stack of `a`",
        "in `gcd`, push the parameter `b` of `gcd` on the stack of `b`",
        "`b1` gets the argument `b` from `gcd`",
        "`a1` gets the argument `a` from `gcd`",
        "in `while`, push the parameter `b1` of `while` on the stack of `b`",
        "in `while`, push the parameter `a1` of `while` on the stack of `a`",
        "rename `a2` of `body` to `a1`",
        "rename `b3` of `body` to `b1`",
        "in `body`, push `a2 % b3` on the stack of `t`",
        "in `body`, push the parameter `b1` of `while` on the stack of `a`",
        "in `body`, push `a2 % b3` on the stack of `b`",
        "`b1` gets the argument `a2 % b3` from `body`",
        "`a1` gets the argument `b1` from `body`",
        "rename `a3` of `exit` to `a1`",
        "the construction is complete: 2 parameters were placed, 0 removed",
    ]


def test_the_algorithm_of_the_react_compiler_is_explained_by_the_paper_and_its_counts() -> None:
    source = Source("gcd.c", (ROOT / "examples" / "gcd.c").read_text())
    (narration,) = [each for each in narrated(source, "countdown") if each.function.name == "gcd"]
    found = texts(narration)
    start = next(number for number, text in enumerate(found) if "reverse postorder" in text)
    assert not any(text.startswith("seal") for text in found[:start])
    assert found[start + 1 :] == [
        "`while` is not sealed: place a proxy, the parameter `b1` of `while`, for `b`; record it as `b` in `while`",
        "so `b2` of `while` is the parameter `b1` of `while`",
        "seal `body`: its only predecessor is `while`",
        "seal `exit`: its only predecessor is `while`",
        "go back from `body` to `while`",
        "`while` is not sealed: place a proxy, the parameter `a1` of `while`, for `a`; "
        "record it as `a` in `while` and `body`",
        "so `a2` of `body` is the parameter `a1` of `while`",
        "go back from `body` to `while`: `b` is the parameter `b1` of `while` there; record it as `b` in `body`",
        "so `b3` of `body` is the parameter `b1` of `while`",
        "seal `while`: its predecessors are `gcd` and `body`",
        "look in `gcd`: `b` is the parameter `b` of `gcd` there",
        "look in `body`: `b` is `a2 % b3` there",
        "`b1` gets `b` from `gcd` and `a2 % b3` from `body`",
        "look in `gcd`: `a` is the parameter `a` of `gcd` there",
        "look in `body`: `a` is the parameter `b1` of `while` there",
        "`a1` gets `a` from `gcd` and `b1` from `body`",
        "go back from `exit` to `while`: `a` is the parameter `a1` of `while` there; record it as `a` in `exit`",
        "so `a3` of `exit` is the parameter `a1` of `while`",
        "the construction is complete: 2 parameters were placed, 0 removed",
    ]
