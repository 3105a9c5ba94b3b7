"""The exercises of the course: their solutions are correct, and mistakes are found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import assume, given

import cpsconv.lab.baselines  # noqa: F401 - lessons 8 and 9 convert by them
from cpsconv import Source, convert, parse, pretty
from cpsconv.cli.commands import commands
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.dominance_frontiers import Frontiers, frontiers
from cpsconv.core.analysis.graph import successors, uses
from cpsconv.core.analysis.loops import LoopNest
from cpsconv.core.construction import STRATEGIES, Event, events
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import Continuation, Function, Jump, Parameter, Value
from cpsconv.core.source import DiagnosticError, read_source
from cpsconv.core.text import reformat
from cpsconv.core.text.plan import TextPlan
from cpsconv.lab.explain.comparison import compare
from cpsconv.lab.explain.disjoint_paths import two_disjoint_paths
from cpsconv.targets import TARGETS, Style
from testing.effort import is_full
from testing.graphs import Graph, Node, build, graphs
from tests.test_baselines import is_reducible

COURSE = Path(__file__).parent.parent / "docs" / "course"
EXERCISES = sorted((COURSE / "exercises").glob("*.c"))


def solution(exercise: Path) -> Path:
    return COURSE / "solutions" / f"{exercise.stem}.cps"


def check(program: Path, reference: Path) -> tuple[int, str]:
    command = ["check", str(program), "--against", str(reference), "--tests", "500" if is_full() else "50"]
    result = CliRunner().invoke(commands, command, standalone_mode=False)
    return result.return_value, result.output


def parameters(path: Path) -> int:
    """The number of parameters of a program's continuations, without those for results of calls."""
    source = Source(path.name, path.read_text(encoding="utf-8"))
    program = convert(source) if path.suffix == ".c" else parse(source)
    members = [member for function in program.functions for member in function.continuations]
    return sum(len(member.parameters) for member in members)


def test_every_exercise_is_in_the_text_and_has_a_solution() -> None:
    text = (COURSE / "exercises.md").read_text(encoding="utf-8")
    assert [path.stem for path in EXERCISES] == sorted(path.stem for path in (COURSE / "solutions").glob("*.cps"))
    assert all(f"(exercises/{path.name})" in text for path in EXERCISES)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.stem)
def test_a_solution_is_correct_and_has_no_superfluous_parameter(exercise: Path) -> None:
    status, report = check(solution(exercise), exercise)
    assert status == 0
    assert "the same" in report and "note:" not in report
    assert parameters(solution(exercise)) <= parameters(exercise)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.stem)
def test_solutions_are_formatted(exercise: Path) -> None:
    text = solution(exercise).read_text(encoding="utf-8")
    assert reformat(Source("solution.cps", text)) == text


MISTAKES = [
    ("maximum", "a > b", "b > a"),
    ("absolute", "next(-x)", "next(x)"),
    ("absolute", "y % 2 == 1", "y % 2 != 1"),
    ("sum", "i <= n", "i < n"),
    ("sum", "loop(1, 0)", "loop(0, 1)"),
    ("fibonacci", "b, a + b", "b, b + b"),
    ("fibonacci", "loop(n, 0, 1)", "loop(n, 1, 1)"),
    ("collatz", "3 * m + 1", "3 * m - 1"),
    ("power", "ret(base * half * half)", "ret(base * half)"),
    ("primes", "d * d <= i", "d * d < i"),
    ("two_entries", "middle(n, 0)", "middle(n, 1)"),
]


@pytest.mark.parametrize(("name", "right", "wrong"), MISTAKES, ids=[f"{name}: {wrong}" for name, _, wrong in MISTAKES])
def test_a_mistake_is_found(name: str, right: str, wrong: str, tmp_path: Path) -> None:
    exercise = COURSE / "exercises" / f"{name}.c"
    text = solution(exercise).read_text(encoding="utf-8")
    assert right in text
    mistaken = tmp_path / "mine.cps"
    mistaken.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    status, report = check(mistaken, exercise)
    assert status == 1
    assert f"{name}: different for" in report


def program(page: str, name: str) -> str:
    """The text of a program on a page of the course."""
    text = (COURSE / page).read_text(encoding="utf-8")
    block = re.search(rf"```c\n( *// {name}\.c\n.*?)```", text, re.DOTALL)
    assert block
    return block[1]


def answer(name: str) -> Source:
    """A program in the answers."""
    return Source(f"{name}.c", program("solutions/answers.md", name))


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(graph=graphs())
def test_in_reducible_graphs_each_kept_parameter_is_necessary_by_definition_2(strategy: str, graph: Graph) -> None:
    """Lesson 6: Theorem 1 holds for programs with copies, too, but only if control flow is reducible."""
    assume(is_reducible(graph))
    assert not [*unnecessary(graph, build(graph, strategy))]


def test_in_irreducible_graphs_a_kept_parameter_may_be_unnecessary() -> None:
    """Lesson 6: the graph of Figure 5."""
    nodes = [Node([("write", 0, 10)], [1, 2]), Node([], [2]), Node([], [1, 3]), Node([("show", 0)], [])]
    graph = Graph(1, nodes, [0, 1, 2, 3])
    assert not is_reducible(graph)
    assert [*unnecessary(graph, build(graph, "paper"))] == ["k1", "k2"]


def unnecessary(graph: Graph, function: Function) -> Iterator[str]:
    """The blocks with parameters for which no two paths from definitions converge there (Definition 2)."""
    entry, goal, root = -1, -2, -3
    predecessors: dict[int, list[int]] = {number: [] for number in (*range(len(graph.nodes)), goal)}
    for number, node in [(entry, Node([], [0])), *enumerate(graph.nodes)]:
        for successor in node.successors:
            predecessors[successor].append(number)
    for member in function.continuations:
        predecessors[goal] = predecessors[int(member.name[1:])]
        for parameter in member.parameters:
            defining = {entry} | {
                number
                for number, node in enumerate(graph.nodes)
                if any(event[0] != "show" and f"v{event[1]}" == parameter.name for event in node.events)
            }
            if not two_disjoint_paths(goal, root, lambda at: [root] if at in defining else predecessors[at]):  # noqa: B023
                yield member.name


def test_the_answer_to_exercise_11_distinguishes_the_strategies() -> None:
    rows = compare(answer("eleven"), strategies=["basic", "marker", "scc"], repeat=1)
    assert [row.placed for row in rows] == [6, 5, 3]


def test_the_answer_to_exercise_12_has_a_redundant_set_of_three() -> None:
    seen: list[Event] = []
    convert(answer("twelve"), strategy="basic", observer=seen.append)
    (redundant,) = [event for event in seen if isinstance(event, events.Redundant)]
    assert len(redundant.replaced) == 3


def counts(text: str, strategy: str) -> tuple[int | None, int | None]:
    """How many parameters the strategy places, and how many of them it removes."""
    (row,) = compare(Source("f.c", text), strategies=[strategy], repeat=1)
    return row.placed, row.removed


def kept(text: str, strategy: str) -> list[str]:
    """The parameters that the strategy leaves to Algorithm 5."""
    (function,) = convert(Source("f.c", text), strategy=strategy, minimal=False).functions
    return [parameter.name for member in function.continuations for parameter in member.parameters]


def placed(exercise: str, strategy: str, kind: type[events.Proxy | events.Place]) -> list[str]:
    """The variables and blocks of the parameters that events of a kind place, in the order of the construction."""
    seen: list[Event] = []
    convert(read_source(str(COURSE / "exercises" / f"{exercise}.c")), strategy=strategy, observer=seen.append)
    parameters = [event.parameter for event in seen if isinstance(event, kind)]
    return [f"{parameter.variable.name} of {parameter.block.continuation.name}" for parameter in parameters]


def test_lesson_1_copies_of_one_value_get_a_trivial_parameter() -> None:
    both = "int f(int c, int y) { int x; if (c) x = y; else x = y; return x; }"
    assert counts(both, "basic") == (1, 1)


def test_lesson_2_an_abstraction_around_a_call_takes_the_place_of_a_continuation() -> None:
    text = "larger(a : int, b : int, ret : int → ⊥) → ⊥ {\n  branch(a > b, λ(). ret(a), λ(). ret(b))\n}\n"
    assert evaluate(parse(Source("larger.cps", text)), "larger", [3, 8]).arguments == [8]
    with pytest.raises(DiagnosticError):
        parse(Source("larger.cps", text.replace("λ(). ", "")))


def test_lesson_4_equal_constants_are_one_value() -> None:
    equal = program("4-the-algorithm.md", "three").replace("-1", "1")
    assert [counts(equal, strategy) for strategy in STRATEGIES] == [(1, 1), (1, 1), (0, 0), (0, 0)]


def test_lesson_4_all_strategies_have_the_same_result_for_four() -> None:
    source = Source("four.c", program("4-the-algorithm.md", "four"))
    assert len({pretty(convert(source, strategy=strategy)) for strategy in STRATEGIES}) == 1


COPY_IN_A_LOOP = "int f(int n, int y) { int x = y; while (n-- > 0) { if (n == 3) x = y; } return x; }"


def test_lesson_6_marker_keeps_two_parameters_for_copies_in_a_cycle() -> None:
    assert [kept(COPY_IN_A_LOOP, strategy) for strategy in ("marker", "scc")] == [["n", "x", "x"], ["n"]]


@pytest.mark.parametrize("strategy", ["paper", "basic", "marker"])
@given(graph=graphs())
def test_lesson_6_in_reducible_graphs_a_variable_that_no_cycle_assigns_keeps_no_parameter(
    strategy: str, graph: Graph
) -> None:
    assume(is_reducible(graph))
    entry, *others = graph.nodes
    for node in others:
        node.events = [event for event in node.events if event[0] == "show" or event[1] != 0]
    entry.events = [("write", 0, 1), *(event for event in entry.events if event[0] == "show" or event[1] != 0)]
    members = build(graph, strategy).continuations
    assert "v0" not in {parameter.name for member in members for parameter in member.parameters}


def test_answers_7_9_and_10_state_the_proxies_and_the_numbers_of_parameters() -> None:
    assert placed("collatz", "basic", events.Proxy) == ["n of while", "steps of while"]
    assert placed("collatz", "basic", events.Place) == ["steps of next", "n of next"]
    assert counts((COURSE / "exercises" / "collatz.c").read_text(), "basic") == (4, 1)
    assert placed("primes", "scc", events.Proxy) == ["i of for", "d of for", "count of for"]
    assert placed("two_entries", "scc", events.Proxy) == ["rounds of top", "n of top", "step of top"]
    rows = compare(read_source(str(COURSE / "exercises" / "two_entries.c")), strategies=STRATEGIES, repeat=1)
    assert {(row.placed, row.minimal) for row in rows} == {(6, 4)}


def shown_names(function: Function) -> dict[Value, str]:
    """The names of continuations and parameters in the text."""
    return TextPlan(function, ()).names | {function: function.name}


def iterated_frontier(function: Function, *writes: str) -> set[str]:
    """The names of the continuations in the iterated dominance frontier of those called `writes`."""
    names = shown_names(function)
    following = {member: successors(member) for member in function.members()}
    writing = [member for member in following if names[member] in writes]
    assert len(writing) == len(writes)
    return {names[each] for each in Frontiers(DominatorTree(function), following).iterated(writing, {*following})}


def test_lesson_8_shows_the_graph_and_the_dominator_tree_of_latest() -> None:
    (function,) = convert(Source("latest.c", program("8-dominance-frontiers.md", "latest"))).functions
    assert {member.name: [each.name for each in successors(member)] for member in function.members()} == {
        "latest": ["while"],
        "while": ["body", "exit"],
        "body": ["then", "next"],
        "exit": [],
        "then": ["next"],
        "next": ["while"],
    }
    parents = DominatorTree(function).parent
    assert {member.name: parent.name for member, parent in parents.items()} == {
        "while": "latest",
        "body": "while",
        "exit": "while",
        "then": "body",
        "next": "body",
    }


def test_lesson_8_iterated_frontiers_are_where_parameters_are_placed() -> None:
    (latest,) = convert(Source("latest.c", program("8-dominance-frontiers.md", "latest"))).functions
    assert iterated_frontier(latest, "latest", "then") == {"next", "while"}
    assert iterated_frontier(latest, "latest", "next") == {"while"}
    placed = [(member.name, each.name) for member in latest.continuations for each in member.parameters]
    assert placed == [("while", "n"), ("while", "x"), ("next", "x")]


def test_lesson_8_pruned_form_has_no_parameter_where_the_variable_is_dead() -> None:
    source = Source("parity.c", program("8-dominance-frontiers.md", "parity"))
    (parity,) = convert(source).functions
    assert iterated_frontier(parity, "parity", "then", "else") == {"next", "while"}
    for strategy in ("cytron", "scc"):
        (function,) = convert(source, strategy=strategy, minimal=False).functions
        assert [member.name for member in function.continuations for each in member.parameters if each.name == "x"] == [
            "next"
        ]


def test_lesson_8_aycock_and_horspool_place_a_parameter_for_each_variable_in_each_block() -> None:
    source = Source("parity.c", program("8-dominance-frontiers.md", "parity"))
    (row,) = compare(source, strategies=["aycock-horspool"], repeat=1)
    assert row.continuations is not None and row.placed == 3 * row.continuations
    (function,) = convert(source, strategy="aycock-horspool", minimal=False).functions
    kept = [(member.name, each.name) for member in function.continuations for each in member.parameters]
    assert {*kept} == {("while", "n"), ("while", "s"), ("while", "x"), ("next", "x")}


def test_answer_18_states_the_frontiers_of_primes() -> None:
    (primes,) = convert(read_source(str(COURSE / "exercises" / "primes.c"))).functions
    names = shown_names(primes)
    found = {
        names[member]: {names[each] for each in border}
        for member, border in frontiers(DominatorTree(primes), successors).items()
    }
    stated = re.findall(r"^    \| `(\w+)` \|(.*)\|$", answers(), re.MULTILINE)
    assert {"primes": set(), **{name: {*re.findall(r"`(\w+)`", border)} for name, border in stated}} == found
    assert iterated_frontier(primes, "body", "then") == {"exit", "for"}
    homes = [names[member] for member in primes.continuations for each in member.parameters if each.name == "prime"]
    assert homes == ["exit"]


LESSON_9 = {name: Source(f"{name}.c", program("9-minimal.md", name)) for name in ("copies", "reset", "lockstep")} | {
    "fig5": read_source(str(COURSE.parent.parent / "examples" / "fig5.c"))
}


@pytest.mark.parametrize(
    ("name", "reducible", "by_definition_2", "by_algorithms", "minimal"),
    [("copies", True, 1, 0, 0), ("reset", True, 2, 2, 0), ("fig5", False, 0, 2, 0)],
)
def test_lesson_9_the_definitions_of_minimal_differ(
    name: str, reducible: bool, by_definition_2: int, by_algorithms: int, minimal: int
) -> None:
    source = LESSON_9[name]
    assert kept(source.text, "cytron").count("x") == by_definition_2
    assert kept(source.text, "paper").count("x") == by_algorithms
    (function,) = convert(source, strategy="paper").functions
    assert [each.name for member in function.continuations for each in member.parameters].count("x") == minimal
    nest: LoopNest[Continuation] = LoopNest(DominatorTree(function), successors)
    assert any(loop.irreducible for loop in nest.innermost.values()) != reducible


def test_lesson_9_equal_computations_are_two_values() -> None:
    both = "int f(int c, int a) { int x; if (c) x = a + 1; else x = a + 1; return x; }"
    assert [kept(both, strategy) for strategy in STRATEGIES] == [["x"]] * len(STRATEGIES)


def test_answer_19_has_a_parameter_of_each_kind() -> None:
    text = answer("nineteen").text
    assert [kept(text, "paper").count(name) for name in "xy"] == [2, 0]
    assert [kept(text, "cytron").count(name) for name in "xy"] == [0, 1]


def temporaries(text: str) -> int:
    """The number of variables that the emitted C declares besides its parameters."""
    return len(re.findall(r"^ +int \w+", TARGETS["c"](convert(Source("f.c", text)), Style()), re.MULTILINE))


def test_lesson_10_each_cycle_of_a_parallel_copy_needs_a_temporary_variable() -> None:
    shift = program("10-leaving-ssa.md", "shift")
    rotate = shift.replace("a = b;", "int t = a; a = b;").replace("b = c;", "b = c; c = t;")
    twenty = answer("twenty").text
    second = twenty.replace("c = first", "c = c")
    programs = [program("10-leaving-ssa.md", "swap"), rotate, shift, twenty, second]
    assert [temporaries(text) for text in programs] == [1, 1, 0, 2, 1]


def test_lesson_10_the_copy_is_lost_if_it_precedes_the_branch() -> None:
    """The argument belongs to the edge back, which is critical; the other edge leads to a use of the parameter."""
    (function,) = convert(Source("lost.c", program("10-leaving-ssa.md", "lost"))).functions
    loop, end = function.continuations
    assert successors(loop) == [loop, end]
    assert isinstance(end.transfer, Jump)
    assert end.transfer.edge.arguments == loop.parameters[:1]


def free_values(function: Function) -> dict[str, tuple[set[str], set[str]]]:
    """For each continuation, the names that are free in it, and those with the continuations that it calls."""
    names = shown_names(function)
    bound = {member: {*member.parameters, *member.body} for member in function.continuations}
    own = {member: {each for each in uses(member) if isinstance(each, Parameter)} - bound[member] for member in bound}
    needed = {member: {*values} for member, values in own.items()}
    for _ in needed:
        for member, values in needed.items():
            values.update(*(needed[each] for each in successors(member)))
            values -= bound[member]
    return {names[each]: ({names[v] for v in own[each]}, {names[v] for v in needed[each]}) for each in bound}


def test_lesson_12_states_the_free_variables() -> None:
    page = (COURSE / "12-lambda-lifting.md").read_text(encoding="utf-8")
    (function,) = convert(Source("scale.c", program("12-lambda-lifting.md", "scale"))).functions
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|$", page, re.MULTILINE)
    stated = {name: ({*re.findall(r"`(\w+)`", own)}, {*re.findall(r"`(\w+)`", all)}) for name, own, all in rows}
    assert stated == free_values(function)


def lifted(page: str, name: str) -> Source:
    """A program in CPS on a page of the course."""
    text = (COURSE / page).read_text(encoding="utf-8")
    (block,) = re.findall(rf"```cps\n( *// {name}\.cps\n.*?)```", text, re.DOTALL)
    return Source(f"{name}.cps", re.sub(r"^    ", "", block, flags=re.MULTILINE) if block.startswith(" ") else block)


@pytest.mark.parametrize(
    ("page", "name"), [("12-lambda-lifting.md", "lifted"), ("solutions/answers.md", "twenty_four")]
)
def test_lifted_programs_consist_of_functions_at_the_top_level(page: str, name: str) -> None:
    source = lifted(page, name)
    assert len(parse(source).functions) == 4
    assert "let" not in source.text


def test_lesson_12_free_variables_that_are_passed_as_parameters_are_trivial() -> None:
    """The rows of the table, as the C program in which they are variables that nothing assigns."""
    passing = "int scale(int n, int f) { int s = 0; while (n > 0) { s = s + n * f; n = n - 1; f = f; } return s; }"
    assert counts(passing, "aycock-horspool")[0] == 3 * 3
    assert kept(passing, "aycock-horspool") == ["n", "s"]


def test_answer_24_is_fibonacci(tmp_path: Path) -> None:
    path = tmp_path / "lifted.cps"
    path.write_text(lifted("solutions/answers.md", "twenty_four").text, encoding="utf-8")
    status, report = check(path, COURSE / "exercises" / "fibonacci.c")
    assert status == 0 and "fibonacci: the same" in report


def answers() -> str:
    return (COURSE / "solutions" / "answers.md").read_text(encoding="utf-8")
