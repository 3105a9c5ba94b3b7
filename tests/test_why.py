"""Explanations: the evidence fits the paper's definitions, and the command shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.shapes import SHAPES
from cpsconv.cli import main
from cpsconv.core.analysis.feasible import FeasiblePaths
from cpsconv.core.analysis.graph import successors
from cpsconv.core.construction import STRATEGIES, Builder, Variable
from cpsconv.core.construction.record import FunctionRecord, Recorder
from cpsconv.core.ir import Continuation, Function, Program
from cpsconv.core.source import DiagnosticError, Source, read_source
from cpsconv.core.text import names, parse, pretty
from cpsconv.core.transform import minimise, prune
from cpsconv.engines.machine.machine import traced_run
from cpsconv.lab.explain import Explanation, Queries, as_json, as_text, queries, queries_text, why
from cpsconv.lab.explain.disjoint_paths import two_disjoint_paths
from cpsconv.lab.explain.evidence import Convergence, Memory, ReachingDefinitions, TwoValues
from cpsconv.lab.explain.query import text_plans
from cpsconv.pipeline import convert
from testing.c_programs import random_program
from testing.effort import beyond_the_stack, examples, sample
from testing.expectations import CORPUS, EXAMPLES
from testing.graphs import Construction, Graph, graphs
from tests.tables import scenarios

strategies = st.sampled_from([*STRATEGIES])

MEMORY = """
int total;
void add(int x) { total += x; }
int (*action)(int) = 0;
int f(int n) {
    int counts[2] = {0, 0};
    for (int i = 0; i < n; i++) {
        add(i);
        if (i > 2)
            counts[i & 1] = action(i);
    }
    return counts[0];
}
"""


def answer_about(name: str, form: str | None) -> str:
    """The answer about a parameter of `f` in `MEMORY`."""
    record: dict[Function, FunctionRecord] = {}
    program = convert(Source("f.c", MEMORY), explicit_memory=form, record=record)
    return as_text(why(program, record, name, "f"))


def test_a_parameter_for_memory_is_necessary_because_of_the_operations_that_change_memory() -> None:
    found = answer_about("for.m", "one")
    assert "two paths from definitions of `m` (the state of memory) first meet there." in found
    assert "X  f          line 6: m3 := m2 with int[counts, 1] := 0\n" in found
    assert re.search(r"Y  after_add +line 8: the memory after add\(i\)\n", found)


def test_a_parameter_for_the_memory_of_an_object_names_the_object_and_its_stores() -> None:
    found = answer_about("for.m_counts", "objects")
    assert "definitions of `m_counts` (the memory of the object allocated on line 6)" in found
    assert re.search(r"line 10: m_counts\d := m_counts\d with int\[counts, \w+\] := \w+\n", found)


def test_the_result_of_a_call_through_a_pointer_is_described_by_the_pointer() -> None:
    text = "int (*action)(int); int f(int n) { int y = action(n); return y; }"
    record: dict[Function, FunctionRecord] = {}
    program = convert(Source("f.c", text), record=record)
    assert as_text(why(program, record, "y", "f")).endswith("the result of a call through `action1`.\n")


# ------------------------------------------------------------------------------------------------------- evidence


class Recorded:
    """A graph, constructed by a Builder with a recorder, and minimised."""

    def __init__(self, graph: Graph, strategy: str) -> None:
        self.graph = graph
        recorder = Recorder()
        construction = Construction(graph, Builder(strategy, observer=recorder))
        self.function = construction.function
        self.variables = construction.variables
        self.program, self.record = Program([self.function]), recorder.record
        prune(self.program)
        minimise(self.program)
        self.listed = {member.name for member in self.function.continuations}

    def assigns(self, member: Continuation, variable: Variable) -> bool:
        """Whether one of the blocks that `member` consists of assigns to the variable; the entry always does."""
        number = self.variables.index(variable)
        return member is self.function or any(
            event[0] != "show" and event[1] == number for block in self._blocks(member) for event in block.events
        )

    def first_access(self, member: Continuation, number: int) -> str | None:
        """Whether `member` reads or writes the variable of that number first, None if it does neither."""
        for kind, one, *others in (event for block in self._blocks(member) for event in block.events):
            if (kind == "show" and one == number) or (kind == "copy" and others == [number]):
                return "read"
            if one == number:
                return "write"
        return None

    def _blocks(self, member: Continuation) -> Iterator:
        if member is self.function and "k0" in self.listed:
            return
        at = 0 if member is self.function else int(member.name[1:])
        yield self.graph.nodes[at]
        while len(self.graph.nodes[at].successors) == 1 and f"k{self.graph.nodes[at].successors[0]}" not in self.listed:
            at = self.graph.nodes[at].successors[0]
            yield self.graph.nodes[at]

    def shown(self, member: Continuation) -> str:
        return member.name if member is self.function else names(self.function)[member]


def assert_converges(found: Convergence, function: Function) -> None:
    """Definition 1, for two non-null paths."""
    first, second = (each.path for each in found.paths)
    for path in first, second:
        assert len(path) > 1
        assert all(following in successors(member) for member, following in pairwise(path))
    assert first[0] is not second[0]  # (1)
    assert first[-1] is found.home is second[-1]  # (2)
    for j, left in enumerate(first):  # (3)
        for k, right in enumerate(second):
            assert left is not right or j == len(first) - 1 or k == len(second) - 1
    assert {*first} & {*second} == {found.home}  # "they share no continuation except `Z`"
    assert all(found.home not in path[1:-1] for path in (first, second))
    assert first[0] is not found.home or second[0] is not found.home
    assert found.paths[0].value is not found.paths[1].value  # "the two values are distinct"


@settings(max_examples=examples(250))
@given(graphs(), strategies)
def test_each_parameter_of_a_graph_is_necessary_by_the_definition(graph: Graph, strategy: str) -> None:
    recorded = Recorded(graph, strategy)
    for member in recorded.function.continuations:
        for parameter in member.parameters:
            name = names(recorded.function)[parameter]
            (found,) = why(recorded.program, recorded.record, name).answers
            assert isinstance(found, Convergence)
            assert (found.home, found.parameter) == (member, parameter)
            assert_converges(found, recorded.function)
            text = as_text(why(recorded.program, recorded.record, name))
            assert ("also starts" in text) is any(each.path[0] is member for each in found.paths)
            for each in found.paths:
                assert recorded.assigns(each.path[0], found.variable)  # Definition 2
                assert not any(recorded.assigns(between, found.variable) for between in each.path[1:-1])


@settings(max_examples=examples(150))
@given(graphs(), strategies)
def test_the_definitions_that_reach_a_variable_are_those_of_the_data_flow(graph: Graph, strategy: str) -> None:
    recorded = Recorded(graph, strategy)
    for variable in recorded.variables:
        live = live_by_data_flow(recorded, variable)
        if not any(event[1] == recorded.variables.index(variable) for node in graph.nodes for event in node.events):
            continue  # it does not occur in the graph
        for member in recorded.function.continuations:
            try:
                (found,) = why(recorded.program, recorded.record, f"{variable.name}@{recorded.shown(member)}").answers
            except DiagnosticError:
                continue  # it occurs in unreachable blocks only
            if isinstance(found, ReachingDefinitions):
                shown = {each.continuation for each in found.assignments} | {home for home, _ in found.parameters}
                assert shown == reaching_by_data_flow(recorded, variable)[member]
                assert found.live == (member in live)  # "no path from `k` reads `x` before it assigns to `x`"
                if len(found.assignments) + len(found.parameters) == 1:
                    (definition,) = shown
                    assert_follows(recorded, variable, member, definition)


def live_by_data_flow(recorded: Recorded, variable: Variable) -> set[Continuation]:
    """The continuations from whose starts a path reads the variable before it assigns to it."""
    number = recorded.variables.index(variable)
    first = {member: recorded.first_access(member, number) for member in recorded.function.members()}
    live = {member for member, access in first.items() if access == "read"}
    while added := {m for m in first if m not in live and not first[m] and live.intersection(successors(m))}:
        live |= added
    return live


def assert_follows(recorded: Recorded, variable: Variable, member: Continuation, definition: Continuation) -> None:
    """Every path to `member` visits `definition`, and assigns nothing to the variable after its last visit."""
    assert member not in reached(recorded.function, [recorded.function], definition)
    after = reached(recorded.function, successors(definition), definition)
    if member is not definition:
        assigning = [each for each in after if each is not member and recorded.assigns(each, variable)]
        assert member not in reached(
            recorded.function, [next for each in assigning for next in successors(each)], definition
        )


def reached(function: Function, starts: Iterable[Continuation], without: Continuation) -> set[Continuation]:
    """The continuations reached from `starts` on paths that avoid `without`."""
    found = [start for start in dict.fromkeys(starts) if start is not without]
    for member in found:  # appended to during iteration
        found += [next for next in dict.fromkeys(successors(member)) if next is not without and next not in found]
    return {*found}


def reaching_by_data_flow(recorded: Recorded, variable: Variable) -> dict[Continuation, set[Continuation]]:
    """For each continuation those that define the variable last before it, by iteration until nothing changes."""
    parameters = {
        member for member in recorded.function.continuations if any(p.name == variable.name for p in member.parameters)
    }
    reaching: dict[Continuation, set[Continuation]] = {member: set() for member in recorded.function.members()}
    changed = True
    while changed:
        changed = False
        for member in recorded.function.members():
            defines = recorded.assigns(member, variable) or member in parameters
            leaving = {member} if defines else reaching[member]
            for following in successors(member):
                if not leaving <= reaching[following]:
                    reaching[following] |= leaving
                    changed = True
    return reaching


@pytest.mark.parametrize("path", sample(EXAMPLES + CORPUS, 24, 5), ids=lambda path: path.stem)
def test_each_parameter_of_the_corpus_has_its_evidence(path: Path) -> None:
    record: dict[Function, FunctionRecord] = {}
    program = convert(read_source(str(path)), record=record)
    again = parse(Source("again.cps", pretty(program)))
    for function, plan in text_plans(program).items():
        shown = plan.names
        for member in function.continuations:
            for parameter in member.parameters:
                explanation = why(program, record, shown[parameter], function.name)
                (found,) = [each for each in explanation.answers if not isinstance(each, Memory)]
                if isinstance(found, Convergence):
                    assert_converges(found, function)
                    (by_value,) = why(again, {}, shown[parameter], function.name).answers
                    assert isinstance(by_value, TwoValues)
                assert as_text(explanation) and as_json(explanation)


@pytest.mark.parametrize("seed", range(examples(8)))
def test_no_run_takes_a_path_that_is_proved_to_be_impossible(seed: int) -> None:
    program = convert(Source("random.c", random_program(seed, memory=bool(seed % 2))))
    proofs: dict[Continuation, FeasiblePaths] = {}
    for function in program.functions:
        proofs |= dict.fromkeys(function.members(), FeasiblePaths(function))
    for path in paths_taken(program, 2_000):
        assert path[0] not in proofs or proofs[path[0]].impossible_step(path) is None


def paths_taken(program: Program, steps: int) -> Iterator[tuple[Continuation, ...]]:
    """The paths of three continuations and fewer that a run takes without calls."""
    path: tuple[Continuation, ...] = ()
    taken: set[tuple[Continuation, ...]] = set()
    run = traced_run(program, output=BytesIO(), errors=BytesIO())
    for record in islice(run, steps):
        path = (*path[-2:], record.member)
        taken.add(path)
        if record.kind in ("call", "return"):
            path = ()
    yield from taken


@settings(max_examples=examples(150))
@given(graphs(), strategies)
def test_without_variables_two_values_arrive_through_separate_chains(graph: Graph, strategy: str) -> None:
    recorded = Recorded(graph, strategy)
    for member in recorded.function.continuations:
        for parameter in member.parameters:
            (found,) = why(recorded.program, {}, names(recorded.function)[parameter]).answers
            assert isinstance(found, TwoValues)
            for chain in found.chains:
                assert chain[-1].parameter is parameter
                assert all(one.parameter is next.value for one, next in pairwise(chain))
                for passing in chain:
                    index = passing.edge.target.parameters.index(passing.parameter)
                    assert passing.edge in passing.sender.transfer.edges
                    assert passing.edge.arguments[index] is passing.value
            first, second = ({passing.value for passing in chain} for chain in found.chains)
            assert not first & second


@settings(max_examples=examples(500))
@given(st.lists(st.lists(st.integers(0, 8), max_size=3), min_size=9, max_size=9))
def test_two_disjoint_paths_are_found_unless_one_node_is_on_all_paths(arcs: list[list[int]]) -> None:
    arcs[0] = [node for node in arcs[0] if node != 8]
    found = two_disjoint_paths(0, 8, arcs.__getitem__)
    assert (found is not None) is all(reaches(arcs, without) for without in [None, *range(1, 8)])
    if found:
        assert set(found[0]) & set(found[1]) == {0, 8}
        for path in found:
            assert len(set(path)) == len(path)
            assert all(following in arcs[node] for node, following in pairwise(path))


def reaches(arcs: list[list[int]], without: int | None) -> bool:
    pending = [0]
    for node in pending:
        pending += [next for next in dict.fromkeys(arcs[node]) if next != without and next not in pending]
    return 8 in pending


# ---------------------------------------------------------------------------------------------------- text

ANSWERS = scenarios("why")
PROGRAM, CPS_TEXT = (ANSWERS[name][0] for name in ("C", "CPS"))


QUOTED = """\
`my f`(`x.y` : int, ret : int → ⊥) → ⊥ {
  let
    `my k` := (`a b` : int, c : int) → ⊥
      `my k`(`a b` - 1, `a b`)
  in
  `my k`(`x.y`, 7)
}
"""


def converted(text: str) -> tuple[Program, dict[Function, FunctionRecord]]:
    """A program from C or CPS text, with the record of its construction."""
    record: dict[Function, FunctionRecord] = {}
    return convert(Source("test.cps" if "→" in text else "test.c", text), record=record), record


def explained(name: str, text: str = PROGRAM) -> Explanation:
    return why(*converted(text), name)


def shown(name: str, text: str = PROGRAM) -> str:
    return as_text(explained(name, text))


def error_for(name: str, text: str = PROGRAM, function: str | None = None) -> str:
    with pytest.raises(DiagnosticError) as caught:
        why(*converted(text), name, function)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "query", "answer"),
    [
        pytest.param(text, query, answer.rstrip() + "\n", id=scenario)
        for text, answers in ANSWERS.values()
        for scenario, query, answer in re.findall(r"^# (.*): (\S+)\n((?:(?!# ).*\n)+)", answers, re.MULTILINE)
    ],
)
def test_an_answer_as_text(text: str, query: str, answer: str) -> None:
    assert shown(query, text) == answer


def test_the_middle_of_a_long_path_is_omitted() -> None:
    returns = "\n".join(f"    if (n == {i}) return n;" for i in range(30))
    program = f"int f(int n) {{\n    int a = 0;\n{returns}\n    do {{ a++; }} while (n--);\n    return a;\n}}\n"
    lines = shown("a", program).split("\n\n")[2].splitlines()
    assert (lines[0], len(lines), lines[-1]) == ("Y  f       line 2: a = 0", 24, "Z  do")
    assert lines[10:14] == [
        "   next4",
        "   ⋮  20 more continuations",
        "   ↓       line 28: this condition is false: n == 25",
        "   next25",
    ]


@pytest.mark.parametrize("text", [PROGRAM, CPS_TEXT, QUOTED], ids=["C", "CPS", "quoted"])
def test_every_listed_query_has_an_answer(text: str) -> None:
    (listed,) = queries(*converted(text))
    pairs = [f"{variable}@{home}" for variable in listed.variables for home in listed.continuations]
    for name in [*listed.parameters, *(re.sub(r"^(`[^`]*`|[^.]*)\.", "", each) for each in listed.parameters), *pairs]:
        assert as_text(explained(name, text))


def test_the_queries_are_listed_by_function() -> None:
    text = "int f(int n) { int x = 0; while (n--) x += n; return x; } int g(int y) { return y; }"
    assert (
        queries_text(queries(*converted(text)))
        == """\
f
  parameters     f.n, f.ret, while.n1, while.x
  variables      n, x
  continuations  f, while, body, exit

g
  parameters     g.y, g.ret
  variables      y
  continuations  g

NAME is a parameter (`k.x`, or `x`), or a variable at the start of a continuation (`v@k`).
"""
    )
    (only,) = queries(*converted(text), "g")
    assert only == Queries("g", ["g.y", "g.ret"], ["y"], ["g"])


@pytest.mark.parametrize("name", ["a b", "`a b`", "my k.a b", "`my k`.`a b`"])
def test_names_are_quoted_once_and_queries_need_no_quotes(name: str) -> None:
    expected = """\
The parameter `a b` of `my k` is needed: two values reach it along chains that share no other parameter.

`x.y`
  → `a b` of `my k`, passed by `my f` on line 6

`` `a b` - 1 ``
  → `a b` of `my k`, passed by `my k` on line 4
"""
    assert shown(name, QUOTED) == expected
    assert error_for("ab", QUOTED) == "error: there is no parameter `ab`\nhelp: did you mean `a b`?"


def test_a_parameter_may_have_a_dot_in_its_name() -> None:
    assert "The parameter `x.y` of `my f` is supplied" in shown("x.y", QUOTED)


def test_a_variable_at_a_continuation_denotes_its_parameter_there() -> None:
    assert shown("a@next1") == shown("next1.a") == shown("next1.a1") == shown("a1")
    assert shown("x@f") == shown("x")


NAMES = "`cpsconv why FILE` lists the possible names"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a7", "error: there is no parameter `a7`\nhelp: did you mean `a`?"),
        (
            "exit",
            "error: `exit` is a continuation\nhelp: it has no parameters; `x@exit` denotes the variable `x` there",
        ),
        (
            "while",
            "error: `while` is a continuation\n"
            "help: its parameters are `c1`, `x1`, `a2`; `x@while` denotes the variable `x` there",
        ),
        ("zz", f"error: there is no parameter `zz`\nhelp: {NAMES}"),
        ("k", "error: there is no parameter `k`\nhelp: name a continuation for the variable: `k@exit1`"),
        ("c2", "error: `c2` is a computed value, not a parameter"),
        ("next.q", "error: `next` has no parameter `q`\nhelp: it has `a`"),
        ("then.a", "error: `then` has no parameter `a`\nhelp: it has none"),
        ("nxt.a", "error: there is no continuation `nxt`\nhelp: did you mean `next`?"),
        ("a@whle", "error: there is no continuation `whle`\nhelp: did you mean `while`?"),
        ("kk@while", "error: there is no variable `kk` in `f`\nhelp: did you mean `k`?"),
        ("@", f"error: there is no continuation ``\nhelp: {NAMES}"),
    ],
)
def test_an_unknown_name_is_reported_with_a_similar_one(name: str, message: str) -> None:
    assert error_for(name) == message


def test_a_name_in_several_functions_needs_the_function() -> None:
    two = "int f(int x) { return x; } int g(int x) { return x; }"
    assert error_for("x", two) == ("error: `x` is in several functions: `f`, `g`\nhelp: name the function: FILE:f")
    assert error_for("x", "int foo(int x) { return x; }", function="fo") == (
        "error: there is no function `fo`\nhelp: did you mean `foo`?"
    )


def test_cps_text_has_no_variables() -> None:
    assert error_for("sum@loop", CPS_TEXT) == "error: CPS text has no variables\nhelp: name a parameter"


# -------------------------------------------------------------------------------------------------------------- JSON


NECESSARY = {
    "variable": {"name": "a", "line": 2, "column": 9},
    "paths": [
        {
            "assignment": {"continuation": "then1", "what": "a = 1", "line": 5, "column": 16},
            "continuations": ["then1", "next"],
            "decisions": [],
        },
        {
            "assignment": {"continuation": "f", "what": "`a` is declared, without a value", "line": 2, "column": 9},
            "continuations": ["f", "then", "next"],
            "decisions": [
                {"after": 0, "decision": "this condition is true", "line": 4, "column": 9},
                {"after": 1, "decision": "this condition is false", "line": 5, "column": 13},
            ],
        },
    ],
}
REACHING = {
    "variable": {"name": "c", "line": 1, "column": 18},
    "read": False,
    "assignments": [],
    "parameters": [{"continuation": "while", "parameter": "c1"}],
}
CHAINS = [
    [{"value": "0", "by": "f", "parameter": "sum", "line": 12, "column": 3}],
    [{"value": "sum + same", "by": "body", "parameter": "sum", "line": 6, "column": 11}],
]


@pytest.mark.parametrize(
    ("query", "text", "kind", "home", "rest"),
    [
        ("next.a", PROGRAM, "necessary", "next", {"parameter": "a", **NECESSARY}),
        ("c@exit", PROGRAM, "reaching", "exit", REACHING),
        ("sum", CPS_TEXT, "two values", "loop", {"parameter": "sum", "chains": CHAINS}),
        ("same", CPS_TEXT, "redundant", "loop", {"parameter": "same", "value": "7"}),
        ("x", PROGRAM, "supplied", "f", {"parameter": "x"}),
    ],
)
def test_an_answer_as_json(query: str, text: str, kind: str, home: str, rest: dict[str, object]) -> None:
    assert as_json(explained(query, text)) == [{"kind": kind, "function": "f", "continuation": home, **rest}]


def test_json_is_not_shortened() -> None:
    assigned = "a = x" + " + x" * 30
    text = f"int f(int x) {{ int a = 0; if (x) {assigned}; return a; }}"
    assert "what': 'a = x + x + x" in (found := str(as_json(explained("a", text))))
    assert assigned in found
    assert f"line 1: {assigned[:50].rstrip()} …\n" in shown("a", text)
    passed = '"' + "abcdefghij" * 10 + '"'
    text = f"f(ret : () → ⊥) → ⊥ {{\n  let k := (s : string) → ⊥ ret() in\n  k({passed})\n}}\n"
    (redundant,) = as_json(explained("s", text))
    assert redundant["value"] == passed


def test_all_cases_of_a_decision_are_in_json() -> None:
    switch = "switch (x) { case 1: case 2: case 3: case 4: break; default: a = x; }"
    text = f"int f(int x) {{ int a = 0; {switch} return a; }}"
    assert "'this value is 1 or 2 or 3 or 4'" in str(as_json(explained("a", text)))
    assert "this value is 1 or 2 or one of 2 others" in shown("a", text)


def test_an_initial_value_has_no_location_in_json() -> None:
    (answer,) = as_json(explained("a@f"))
    assert answer["assignments"] == [{"continuation": "f", "what": "`a` is undefined at the entry"}]


def test_names_in_json_are_those_of_the_text() -> None:
    (answer,) = as_json(explained("a b", QUOTED))
    assert [answer[key] for key in ("function", "continuation", "parameter")] == ["`my f`", "`my k`", "`a b`"]
    assert [passing["value"] for chain in answer["chains"] for passing in chain] == ["`x.y`", "`a b` - 1"]


# ---------------------------------------------------------------------------------------------------- command line


@pytest.fixture
def answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Runs `why` in a folder with the program."""
    monkeypatch.chdir(tmp_path)
    Path("test.c").write_text(PROGRAM)
    Path("empty.c").touch()
    Path("odd:name.c").write_text(PROGRAM)

    def answered(*arguments: str) -> tuple[int, str, str]:
        status = main(["why", *arguments])
        out, err = capsysbinary.readouterr()
        return status, out.decode(), err.decode()

    return answered


@pytest.mark.parametrize("file", ["test.c", "test.c:f", "odd:name.c", "odd:name.c:f"])
def test_the_command_takes_a_file_with_or_without_a_function(answered: Any, file: str) -> None:
    assert answered(file, "a1") == (0, shown("a1"), "")


def test_the_command_prints_json_or_an_error(answered: Any) -> None:
    _, text, _ = answered("--json", "test.c", "c@exit")
    assert json.loads(text) == [{"file": "test.c", **each} for each in as_json(explained("c@exit"))]
    assert answered("empty.c") == (1, "", "error: there is no function to explain\n")
    assert answered("test.c:g", "a1") == (1, "", "error: there is no function `g`\nhelp: the program has `f`\n")


def test_an_unknown_name_with_the_suffix_of_a_language_is_a_missing_file(answered: Any) -> None:
    missing = "error: nope.c: there is no such file, and there is no continuation `nope`\n"
    help = "help: `cpsconv why FILE` lists the possible names\n"
    assert answered("test.c", "nope.c") == answered("test.c", "nope.c:f") == (1, "", missing + help)
    assert answered("test.c", "exit.h")[2].startswith("error: `exit` has no parameter `h`\n")


# -------------------------------------------------------------------------------------------------------------- size


@pytest.mark.parametrize(
    ("shape", "name"), [("ifs", "a{last}"), ("nested_loops", "a1"), ("cases", "a"), ("variables", "while.v7")]
)
def test_functions_beyond_the_stack_are_explained(shape: str, name: str) -> None:
    with beyond_the_stack(180 if shape == "nested_loops" else 110) as size:
        program, record = converted(SHAPES[shape](size))
        assert as_text(why(program, record, name.format(last=size - 1), "f")).count("\n") > 3
