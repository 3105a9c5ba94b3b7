"""The exercises of the course: their solutions are correct, and mistakes are found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import assume, given

from cpsconv import Source, convert, parse
from cpsconv.cli.commands import commands
from cpsconv.core.construction import STRATEGIES, Event
from cpsconv.core.construction.events import Redundant
from cpsconv.core.ir import Function
from cpsconv.core.text import reformat
from cpsconv.lab.explain.comparison import compare
from cpsconv.lab.explain.disjoint_paths import two_disjoint_paths
from testing.graphs import Graph, Node, build, graphs
from tests.test_baselines import is_reducible

COURSE = Path(__file__).parent.parent / "docs" / "course"
EXERCISES = sorted((COURSE / "exercises").glob("*.c"))


def solution(exercise: Path) -> Path:
    return COURSE / "solutions" / f"{exercise.stem}.cps"


def check(program: Path, reference: Path) -> tuple[int, str]:
    result = CliRunner().invoke(commands, ["check", str(program), "--against", str(reference)], standalone_mode=False)
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


def answer(name: str) -> Source:
    """A program in the answers."""
    text = (COURSE / "solutions" / "answers.md").read_text(encoding="utf-8")
    block = re.search(rf"```c\n( *// {name}\.c\n.*?)```", text, re.DOTALL)
    assert block
    return Source(f"{name}.c", block[1])


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
    events: list[Event] = []
    convert(answer("twelve"), strategy="basic", observer=events.append)
    (redundant,) = [event for event in events if isinstance(event, Redundant)]
    assert len(redundant.replaced) == 3
