"""Certificates: every conversion is certified, and every planted fault that changes the behaviour is detected."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.scopes import Places, Scope
from cpsconv.core.check import certify, check
from cpsconv.core.check.parameters import is_minimal, is_pruned
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.record import Read, Record, Recorder
from cpsconv.core.source import Source
from cpsconv.core.transform import minimise, prune
from cpsconv.core.transform.rewrite import drop_parameters, replace_values
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import read
from cpsconv.pipeline import construct
from testing.effort import examples, randoms, size
from testing.graphs import Graph, Node, build, graphs, random_graph, walk_function, walk_graph
from testing.planting import FAULTS, planted
from tests.core.test_minimal import has_redundant_set, received

every_strategy = pytest.mark.parametrize("strategy", [*CONSTRUCTIONS])
either = pytest.mark.parametrize("minimal", [True, False], ids=["minimal", "as constructed"])


def recorded(graph: Graph, strategy: str, *, minimal: bool = True) -> tuple[ir.Program, Record]:
    """The program of a graph, and its record."""
    recorder = Recorder()
    program = ir.Program([build(graph, strategy, recorder)])
    if minimal:
        prune(program)
        minimise(program)
    return program, recorder.record


# ------------------------------------------------------------------------------------------------ no false alarms


@either
@every_strategy
@settings(max_examples=examples(40))
@given(graph=graphs(most_nodes=20, most_variables=4))
def test_every_construction_is_certified(strategy: str, minimal: bool, graph: Graph) -> None:
    program, record = recorded(graph, strategy, minimal=minimal)
    assert certify(program, record, minimal=minimal) == []


# -------------------------------------------------------------------------------------------------- planted faults


@dataclass
class Tally:
    """The numbers of planted faults, of those that change the output, and of detected ones; the undetected ones."""

    planted: int = 0
    changing: int = 0
    caught: int = 0
    escaped: list[str] = field(default_factory=list)

    def add(self, name: str, *, changes: bool, certified: bool) -> None:
        """Count a fault that was planted."""
        self.planted += 1
        self.changing += changes
        self.caught += not certified
        if changes and certified:
            self.escaped.append(name)


Right = tuple[str, ir.Function, tuple[ir.Program, Record], Callable[[], bool]]
"""The name of a program, a function to plant a fault in, program and record, and whether it behaves as before."""


def tally(kind: str, programs: Iterable[Right]) -> Tally:
    """The tally of the faults of a kind, planted in each of the programs."""
    found = Tally()
    for name, function, (program, record), is_as_before in programs:
        for seed in range(2):
            with planted(function, kind, seed) as is_planted:
                if is_planted:
                    certified = not certify(program, record, minimal=False)
                    found.add(f"{kind}, seed {seed}, in {name}", changes=not is_as_before(), certified=certified)
    return found


def right_graphs() -> list[Right]:
    """Generated graphs. They behave as before if many paths have the same output."""
    found: list[Right] = []
    for seed in range(60):
        dice = random.Random(seed)
        graph = random_graph(dice)
        pair = recorded(graph, dice.choice([*CONSTRUCTIONS]), minimal=dice.random() < 0.5)
        paths = [dice.choices([0, 1], k=30) for _ in range(40)]
        function = pair[0].functions[0]
        found.append((f"graph {seed}", function, pair, partial(is_walked_as_before, graph, function, paths)))
    return found


def is_walked_as_before(graph: Graph, function: ir.Function, paths: list[list[int]]) -> bool:
    """Whether all paths have the same output as in the graph. A path that cannot be walked has not."""
    try:
        for choices in paths:
            expected = walk_graph(graph, choices)
            if walk_function(function, choices, len(expected), most_steps=200) != expected:
                return False
    except (AssertionError, AttributeError, KeyError, ValueError):
        return False
    return True


def all_that_change_the_behaviour_are_detected(programs: Sequence[Right], kinds: int, least: int) -> None:
    """There are at least so many kinds and faults. Without them, the programs are correct again."""
    tallies = [tally(kind, programs) for kind in FAULTS]
    assert [each.escaped for each in tallies] == [[]] * len(FAULTS)
    assert sum(each.changing > 0 for each in tallies) >= kinds and sum(each.changing for each in tallies) > least
    assert sum(each.caught for each in tallies) > sum(each.changing for each in tallies)
    for _, _, (program, record), is_as_before in programs:
        assert certify(program, record, minimal=False) == []
        assert is_as_before()


def test_every_fault_in_a_graph_that_changes_the_behaviour_is_detected() -> None:
    all_that_change_the_behaviour_are_detected(right_graphs(), 15, 400)


# ---------------------------------------------------------------------------------------------------- messages


LOOP = """\
a := 0; b := 1;
while n > 0 do {
    c := a;
    a := b;
    b := c + b;
    n := n - 1
}
"""


def recorded_while(text: str, strategy: str = "scc", *, minimal: bool = True) -> tuple[ir.Program, Record]:
    """The program that the text in While is converted to, and its record."""
    recorder = Recorder()
    lowering = read("while", Source("program.while", text))
    return construct(lowering, Builder(strategy, observer=recorder), [], minimal=minimal), recorder.record


def loop() -> tuple[ir.Program, Record, dict[str, ir.Continuation]]:
    """The program of `LOOP`, its record, and its continuations by name."""
    program, record = recorded_while(LOOP)
    (function,) = program.functions
    return program, record, {member.name: member for member in function.members()}


def messages(program: ir.Program, record: Record, *, minimal: bool = True) -> list[str]:
    found = certify(program, record, minimal=minimal)
    assert all(fault.rule == "certificate" for fault in found)
    assert all(fault.help == "this is a fault of cpsconv, not of its input; please report it" for fault in found)
    return [fault.message for fault in found]


def test_a_whole_message() -> None:
    program, record, members = loop()
    edge = members["body"].transfer.edges[0]
    names = [parameter.name for parameter in members["while"].parameters]
    edge.arguments[names.index("a")] = edge.arguments[names.index("b")]
    (complaint,) = certify(program, record)
    expected = """\
program.while:7:2: error: certificate: on the edge from `body` to `while`, `a` is the parameter `b`, but the result of \
`+` is passed for it
    7 | }
      |  ^
help: this is a fault of cpsconv, not of its input; please report it"""
    assert complaint.render() == expected


def test_a_value_that_is_not_the_variable_that_was_read_is_reported() -> None:
    program, record, members = loop()
    (body,) = [block for block in record[program.functions[0]].blocks if block.continuation is members["body"]]
    reads = {event.variable.name: event for event in body.events if isinstance(event, Read)}
    wrong = reads["c"]._replace(variable=reads["b"].variable)
    body.events = tuple(wrong if event == reads["c"] else event for event in body.events)
    assert messages(program, record) == [
        "certificate: `b` is read as the parameter `a` in `body`, but is the parameter `b` there"
    ]


def test_swapped_edges_are_reported_with_their_targets() -> None:
    program, record, members = loop()
    transfer = members["while"].transfer
    transfer.then, transfer.otherwise = transfer.otherwise, transfer.then
    assert messages(program, record) == [
        "certificate: `while` leads to `exit`, but in the source to `body`",
        "certificate: `while` leads to `body`, but in the source to `exit`",
    ]


def test_a_wrong_operand_is_reported_with_the_right_one() -> None:
    program, record, members = loop()
    (condition,) = members["while"].body
    parameters = {parameter.name: parameter for parameter in members["while"].parameters}
    condition.operands = (parameters["b"], condition.operands[1])
    assert messages(program, record) == ["certificate: the parameter `b` is used here instead of the parameter `n`"]


def test_a_parameter_without_a_variable_is_no_parameter_of_the_conversion() -> None:
    program, record, members = loop()
    members["exit"].parameters.append(ir.Parameter(ir.INT, "extra"))
    members["while"].transfer.otherwise.arguments.append(ir.Constant(ir.INT, 0))
    assert messages(program, record) == ["certificate: the parameters of `exit` are not those placed for variables"]


def test_a_program_that_is_not_sound_has_no_certificate() -> None:
    program, record, members = loop()
    members["body"].transfer.edge.arguments.pop()
    (complaint,) = messages(program, record)
    assert complaint.startswith("certificate: `while` takes")


def test_a_function_without_a_record_has_no_certificate() -> None:
    program, record, _ = loop()
    assert messages(program, {}) == ["certificate: there is no record of `program`"]
    assert messages(program, record) == []


def test_a_variable_that_is_expected_to_keep_its_value_must_not_have_two() -> None:
    """If a parameter is replaced by one of its arguments, the edge with the other argument has an error."""
    program, record, members = loop()
    header = members["while"]
    index = [parameter.name for parameter in header.parameters].index("b")
    dropped = header.parameters[index]
    first = members["program"].transfer.edge.arguments[index]
    drop_parameters(program.functions[0], {dropped})
    replace_values(program.functions[0], {dropped: first})
    assert messages(program, record) == [
        "certificate: on the edge from `body` to `while`, `b` is the result of `+`, but `1` is expected there"
    ]


def test_a_wrong_hint_leads_to_errors_and_never_to_a_certificate() -> None:
    program, record, members = loop()
    (header,) = [block for block in record[program.functions[0]].blocks if block.continuation is members["while"]]
    a, b = [variable for variable in header.carried if variable.name in "ab"]
    header.carried[a], header.carried[b] = header.carried[b], header.carried[a]
    assert messages(program, record) == [
        "certificate: the parameter `a` is used here instead of the parameter `b`",
        "certificate: the parameter `b` is used here instead of the parameter `a`",
        "certificate: the parameter `a` is used here instead of the parameter `b`",
        "certificate: the parameter `b` is used here instead of the parameter `a`",
    ]


def test_a_value_of_an_earlier_iteration_is_not_the_current_one() -> None:
    """After ``y = x; x = x + 1;``, the loop's parameter for `x` is not `y` in the next iteration."""
    program, record = recorded_while("x := 0; y := 0; while n > 0 do { n := n - 1; y := x; x := x + 1 }")
    (function,) = program.functions
    header = function.continuations[0]
    parameters = {parameter.name: parameter for parameter in header.parameters}
    drop_parameters(function, {parameters["y"]})
    replace_values(function, {parameters["y"]: parameters["x"]})
    assert check(program) == []
    assert messages(program, record) == ["certificate: the parameter `x` is used here instead of `0`"]


# ------------------------------------------------------------------------------------------- errors of front ends


def test_a_value_used_where_no_read_has_returned_it_is_an_error_of_the_front_end() -> None:
    """A front end that reads a variable in one arm, and uses the value in the other."""
    recorder = Recorder()
    b = Builder(observer=recorder)
    x = Variable("x", ir.INT)
    b.function("f", [("n", ir.INT)], ir.INT)
    again, one, other, end = map(b.continuation, ["again", "one", "other", "end"])
    b.write_variable(x, ir.Constant(ir.INT, 0))
    b.jump(again)
    b.enter(again)
    b.branch(ir.Constant(ir.BOOL, True), one, other)
    b.seal(one)
    b.enter(one)
    kept = b.read_variable(x)
    b.write_variable(x, b.primitive("+", kept, ir.Constant(ir.INT, 1)))
    b.jump(again)
    b.seal(again)
    b.seal(other)
    b.enter(other)
    b.branch(ir.Constant(ir.BOOL, True), end, end)
    b.seal(end)
    b.enter(end)
    b.ret(kept)
    program = ir.Program([b.finish()])
    assert check(program) == []
    assert messages(program, recorder.record) == [
        "certificate: the parameter `x` is used where no read has returned it"
    ]


@given(graph=graphs(), strategy=st.sampled_from([*CONSTRUCTIONS]))
def test_is_minimal_agrees_with_the_definition_of_redundant_sets(graph: Graph, strategy: str) -> None:
    program, _ = recorded(graph, strategy, minimal=False)
    assert bool([*is_minimal(program)]) == has_redundant_set(received(program.functions[0]))


@given(graph=graphs(), strategy=st.sampled_from([*CONSTRUCTIONS]))
def test_is_pruned_agrees_with_the_definition_of_unused_parameters(graph: Graph, strategy: str) -> None:
    program, _ = recorded(graph, strategy, minimal=False)
    (function,) = program.functions
    used = {operand for member in function.members() for statement in member.body for operand in statement.operands}
    columns: dict[Any, list[ir.Value]] = {**received(function)}
    while more := {value for parameter in used & columns.keys() for value in columns[parameter]} - used:
        used |= more
    assert bool([*is_pruned(program)]) == bool(columns.keys() - used)


# ---------------------------------------------------------------------------------------------------------- size


@pytest.mark.parametrize("shape", ["ladder", "loop"])
def test_ten_thousand_blocks_are_certified(shape: str) -> None:
    count = size(10_000)
    edges = 2 if shape == "ladder" else 1
    nodes = [Node([("copy", 1, 0)], [i + 1] * edges) for i in range(count)]
    nodes[0].events = [("write", 0, 0), ("write", 1, 1)]
    nodes.append(Node([("show", 0), ("show", 1), ("write", 0, 2)], [1] if shape == "loop" else []))
    program, record = recorded(Graph(2, nodes, list(range(count + 1))), "scc")
    assert certify(program, record) == []


@given(parents=st.lists(st.integers(0, 30), min_size=1, max_size=25), dice=randoms())
def test_a_set_of_places_dominates_what_one_of_them_dominates(parents: list[int], dice: random.Random) -> None:
    # A tree of continuations with three statements each, and places in it, some of which dominate others.
    members = [ir.Function("f"), *(ir.Continuation(f"k{number}") for number, _ in enumerate(parents, 1))]
    children: dict[ir.Continuation, list[ir.Continuation]] = {member: [] for member in members}
    for number, parent in enumerate(parents, 1):
        children[members[parent % number]].append(members[number])
    for member, below in children.items():
        edges = [ir.Edge(child) for child in below]
        member.transfer = ir.Switch(
            ir.Constant(ir.INT, 0), [*range(len(edges))], edges, ir.Edge(ir.HALT, [ir.Constant(ir.INT, 0)])
        )
    members[0].continuations = members[1:]  # type: ignore[attr-defined]
    scope = Scope(DominatorTree(members[0]))  # type: ignore[arg-type]
    added, places = [], Places(scope)
    for _ in range(12):
        added.append((dice.choice(members), dice.randrange(3)))
        places.add(added[-1])
        for member in members:
            for number in range(3):
                expected = any(scope.dominates(above, (member, number)) for above in added)
                assert places.dominate((member, number)) == expected
