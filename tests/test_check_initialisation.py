"""Warnings about variables that are used before anything was assigned to them."""

import io
from contextlib import suppress
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cpsconv.core.analysis.feasible import MAX_STATES
from cpsconv.core.check import warnings_of
from cpsconv.core.check.initialisation import UndefPaths, undefined_uses
from cpsconv.core.construction import STRATEGIES, Builder
from cpsconv.core.ir import BOOL, INT, Constant, Program
from cpsconv.core.operations.runtime_errors import StepLimit
from cpsconv.core.source import Diagnostic, Source, Span
from cpsconv.core.transform import minimise
from cpsconv.engines.machine.machine import evaluate
from cpsconv.pipeline import convert
from testing.c_trees import shown
from testing.effort import examples, randoms, size
from testing.graphs import Construction, Graph, Node, graphs
from tests.tables import scenarios

# ------------------------------------------------------------------------------------------------------ C programs


def of_c(text):
    warnings: list[Diagnostic] = []
    convert(Source("test.c", text), warnings=warnings)
    return shown(warnings)


SCENARIOS = scenarios("uninitialised")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_warning_shows_a_path_to_the_use(scenario):
    program, expected = SCENARIOS[scenario]
    assert of_c(program) == expected


# ------------------------------------------------------------------------------------------------- against the paths


class Placing(Builder):
    """Gives each effect a place of its own: the number of the effect, in order."""

    def __init__(self, strategy):
        super().__init__(strategy)
        self.places = Source("graph", "x" * 100)
        self.count = 0

    def effect(self, op, *values, span=None, **settings):
        self.count += 1
        span = Span(self.places, self.count - 1, self.count)
        return super().effect(op, *values, span=span, **settings)


class Deciding(Construction):
    """The construction of a graph in which each branch depends on a new value, so that all paths are feasible."""

    def branch(self, number, first, second):
        printed = Builder.effect(self.builder, "putchar", Constant(INT, 0))  # it has no place
        self.builder.branch(self.builder.convert(BOOL, printed), first, second)


class Shown:
    """A graph, its program, and where each use of a variable stands."""

    def __init__(self, graph, strategy, minimal):
        self.graph = graph
        self.construction = Deciding(graph, Placing(strategy))
        self.function = self.construction.function
        self.program = Program([self.function])
        if minimal:
            minimise(self.program)
        self.reached = [0]
        for number in self.reached:  # grows underway
            self.reached += [n for n in dict.fromkeys(graph.nodes[number].successors) if n not in self.reached]
        self.predecessors: list[list] = [[] for _ in graph.nodes]
        for number in self.reached:
            for slot, successor in enumerate(graph.nodes[number].successors):
                self.predecessors[successor].append((number, slot))
        places = [(number, index) for number in graph.order for index in range(len(graph.nodes[number].events))]
        shows = [(number, index) for number, index in places if graph.nodes[number].events[index][0] == "show"]
        self.uses = dict(enumerate(shows))
        # A block with a single predecessor that jumps to it shares its transfer with that; the fork is its own.
        forks = [number for number, node in enumerate(graph.nodes) if len(node.successors) == 2]
        self.transfers = {self.construction.blocks[number].continuation.transfer: number for number in forks}

    def reached_before(self, last):
        """The nodes on paths to the node `last`, without it."""
        reached = [0] if last else []
        for number in reached:  # grows underway
            reached += {*self.graph.nodes[number].successors} - {last, *reached}
        return reached

    def origins(self, use, decisions=(), is_first=False):
        """What can come to a use, going back on all paths: "value", or the name of a variable without one.

        Of the paths only those count that take the decisions, pairs of a node and the slot that is chosen, in order,
        and if the use `is_first`, those without the use before.
        """
        allowed = self.reached_before(use[0]) if is_first else self.reached
        node, index = use
        start = node, index, self.graph.nodes[node].events[index][1], len(decisions)
        pending, seen, found = [start], {start}, set()
        for node, index, variable, left in pending:
            events = self.graph.nodes[node].events[:index]
            changes = [n for n, event in enumerate(events) if event[0] != "show" and event[1] == variable]
            if changes and events[changes[-1]][0] == "write":
                found.add("value")
                continue
            if changes:
                steps = [(node, changes[-1], events[changes[-1]][2], left)]
            else:
                steps = [
                    (before, len(self.graph.nodes[before].events), variable, left - rest)
                    for before, slot in self.predecessors[node]
                    if before in allowed
                    for rest in ([0, 1] if left and (before, slot) in decisions[left - 1] else [0])
                ]
                if node == 0 and left == 0:
                    found.add(f"v{variable}")
            pending += [step for step in dict.fromkeys(steps) if step not in seen]
            seen.update(steps)
        return found


FORK_BEHIND_A_JUMP = Graph(
    1,
    [Node([], [3, 4]), Node([], [0, 2]), Node([("show", 0)], []), Node([("write", 0, 0)], [0]), Node([], [1])],
    [0, 1, 2, 3, 4],
    eager=False,
)


@settings(max_examples=examples(200))
@given(graphs(), st.sampled_from([*STRATEGIES]), st.booleans())
def test_warnings_are_exact_with_respect_to_the_paths_of_the_graph(graph, strategy, minimal):
    shown = Shown(graph, strategy, minimal)
    paths = UndefPaths(shown.function)
    found = {each.span.start: each for each in undefined_uses(shown.function, paths)}
    for place, use in shown.uses.items():
        origins = shown.origins(use) if use[0] in shown.reached else {"value"}
        names = origins - {"value"}
        assert (place in found) is bool(names)
        if place in found:
            assert found[place].undef.name in names
            is_assigned = "value" in shown.origins(use, is_first=True)
            assert (found[place].value in paths.steps and paths.is_assigned_before(found[place])) is is_assigned
    reported = {each.cause for each in found.values()}
    assert len(warnings_of(shown.program)) == len(reported)


@settings(max_examples=examples(200))
@example(FORK_BEHIND_A_JUMP, "basic")
@given(graphs(), st.sampled_from([*STRATEGIES]))
def test_some_path_takes_the_decisions_told_and_assigns_nothing(graph, strategy):
    shown = Shown(graph, strategy, True)
    arrivals = UndefPaths(shown.function)
    for member in shown.function.members():
        for statement in member.body:
            (value,) = statement.operands
            last = arrivals.steps.get(value)
            if last:
                told = [*arrivals.after(last, member), *arrivals.before(last.first or last)]
                decisions = [
                    {(shown.transfers[each.at.transfer], each.at.transfer.edges.index(edge)) for edge in each.edges}
                    for each in reversed(told)
                ]
                assert last.undef.name in shown.origins(shown.uses[statement.span.start], decisions)


def test_many_warnings_far_from_where_they_come_from():
    count = size(4_800) // 3
    names = [f"x{number}" for number in range(count)]
    start = f"int {', '.join(names)}; if (n) {' = '.join(names)} = 1;"
    uses = "".join(f"if (n > 5) n += {name}; else n--; n--;" for name in names)
    assert of_c(f"int f(int n) {{ {start} {uses} return n; }}").count("may be used") == count


def test_an_argument_of_printf_of_a_wrong_type_has_one_warning():
    found: list[Diagnostic] = []
    text = 'int f(int n) { char *s = n ? "a" : "b"; return printf("%d %s", s ? 1.5 : 2.5, n); }'
    convert(Source("f.c", f"int printf(const char *, ...);\n{text}"), warnings=found)
    assert [each.message for each in found] == [
        "`%d` takes `int`, but this is `double`",
        "`%s` takes `char *`, but this is `int`",
    ]


# ----------------------------------------------------------------------------------------------- against the evaluator


STATEMENTS = [
    "x = 1;",
    " x = 1; a = 1;",
    " x = 2; b = 1;",
    " a = 0;",
    " b = a;",
    " n--;",
    " i++;",
    " y = x;",
    " g = n > 2;",
    " g = 1;",
    " s += x;",
    "\nif (g) x = 1;",
    " if (a) s += x;",
    " if (b) s += x;",
    " if (g) s += x;",
    " if (n > 1) s += x;",
    " if (n == 2) s += x;",
]
CONDITIONS = ["a", "!b", "n > 1", "n == 2", "a && b", "a || n > 3", "i < 2", "i < n", "b == 1", "g", "n + 1 > i"]
COMPOUND = [
    "if ({}) {{ {} }}",
    "if ({}) {{ {} }} else {{ a = !a; }}",
    "for (i = 0; i < 3; i++) {{ if ({}) break; {} }}",
    "while (n > 0) {{ n--; if ({}) continue; {} }}",
    "switch (n) {{ case 1: if ({}) break; {} case 2: a = 1; break; default: b = 1; }}",
]


def random_statements(random, depth):
    """Statements about a variable `x` without a value, flags, counters and conditions that may be correlated."""
    chosen = random.choices(STATEMENTS, k=3)
    if depth:
        chosen[1] = random.choice(COMPOUND).format(random.choice(CONDITIONS), random_statements(random, depth - 1))
    return " ".join(chosen)


@settings(max_examples=examples(200))
@given(randoms(), st.sampled_from([1, MAX_STATES]))
def test_each_run_that_uses_an_uninitialised_variable_was_warned_of(random, max_states):
    body = " ".join(random_statements(random, 2) for _ in range(3))
    text = f"int g; int f(int n) {{ int x, y = 0, a = 0, b = 0, i = 0, s = 0; {body} return s + a + b + i; }}"
    found: list[Diagnostic] = []
    with mock.patch("cpsconv.core.analysis.feasible.MAX_STATES", max_states):
        program = convert(Source("f.c", text), warnings=found)
    if not any("`x`" in each.message for each in found):
        for number in range(-1, 5):
            with suppress(StepLimit):
                evaluate(program, "f", [number], output=io.BytesIO(), errors=io.BytesIO(), max_steps=2000)
