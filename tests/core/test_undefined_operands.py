"""The rules for undefined operands, judged by the definition of a redundant set under a rule."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import pretty
from cpsconv.core.analysis.graph import successors
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined, replace_undefined
from cpsconv.core.attributes import Attribute, register
from cpsconv.core.check import certify
from cpsconv.core.check.parameters import is_minimal
from cpsconv.core.construction import STRATEGIES, Builder, Variable
from cpsconv.core.construction.record import Record, Recorder
from cpsconv.core.ir import BOOL, INT, Constant, Continuation, Function, Parameter, Primitive, Program, Undef, Value
from cpsconv.core.transform import minimise, prune
from cpsconv.lab.baselines import CONSTRUCTIONS
from testing.effort import examples
from testing.graphs import Construction, Graph, Node, graphs, random_graph, walk_function, walk_graph
from testing.plain_graphs import reached
from testing.planting import FAULTS, planted
from tests.core.test_minimal import received

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)
every_construction = pytest.mark.parametrize("strategy", CONSTRUCTIONS)
each_rule = pytest.mark.parametrize("rule", [keep_undefined, replace_undefined])

DEFINED = "defined"
register(Attribute(DEFINED, "flag", ["parameter", "statement"], states="defined"))


class Computing(Construction):
    """The construction of a graph that writes constants, and the results of primitives for odd numbers."""

    def written(self, number: int) -> Value:
        constant = super().written(number)
        return self.builder.convert(INT, constant) if number % 2 else constant


def built(graph: Graph, strategy: str, rule: Rule, recorder: Recorder | None = None) -> Function:
    return Computing(graph, Builder(strategy, observer=recorder, undefined=rule)).function


def recorded(graph: Graph, strategy: str, rule: Rule, *, minimal: bool) -> tuple[Program, Record]:
    """The program of a graph, and its record."""
    recorder = Recorder()
    program = Program([built(graph, strategy, rule, recorder)])
    if minimal:
        prune(program)
        minimise(program, as_printed=CONSTRUCTIONS[strategy].as_printed, undefined=rule)
    return program, recorder.record


def dominates(function: Function, value: Value, member: Continuation) -> bool:
    """By definition: no path leads to the start of the member, but those through the statement."""
    home = next(each for each in function.members() if any(value is statement for statement in each.body))
    return member is not home and member not in reached(
        {each: successors(each) for each in function.members()}, function, home
    )


def has_redundant_set(function: Function, rule: Rule) -> bool:
    """By definition: is there a set of parameters that receive only each other, one value, and undefined ones?

    There may be undefined ones if the rule is `replace_undefined`, and the value is a constant, or the result of a
    primitive that dominates the parameters with undefined ones. For each value, the largest candidate is what is left
    after striking out, as long as there are any, parameters that receive something else.
    """
    values = received(function)
    homes = {parameter: member for member in function.continuations for parameter in member.parameters}

    def may_replace(value: Value, parameter: Parameter) -> bool:
        if rule is keep_undefined or isinstance(value, (Parameter, Undef)):
            return rule is not keep_undefined and isinstance(value, Undef)  # undefined values are alike
        return isinstance(value, Constant) or dominates(function, value, homes[parameter])

    for value in {id(v): v for column in values.values() for v in column}.values():
        left = {p for p in values if p is not value}
        while struck := {
            p
            for p in left
            for v in values[p]
            if v is not value and v not in left and not (isinstance(v, Undef) and may_replace(value, p))
        }:
            left -= struck
        if any(value in values[p] for p in left):
            return True
    return False


@each_rule
@every_strategy
@given(graph=graphs(most_nodes=14))
def test_no_redundant_set_is_left(strategy: str, rule: Rule, graph: Graph) -> None:
    function = built(graph, strategy, rule)
    minimise(Program([function]), undefined=rule)
    assert not has_redundant_set(function, rule)


@every_construction
@given(graph=graphs(most_nodes=14))
def test_is_minimal_agrees_with_the_definition(strategy: str, graph: Graph) -> None:
    function = built(graph, strategy, replace_undefined)
    assert bool([*is_minimal(Program([function]), replace_undefined)]) == has_redundant_set(function, replace_undefined)


@each_rule
@given(graph=graphs(most_nodes=20, most_variables=2))
def test_all_strategies_keep_the_same_number_of_parameters_also_as_printed(rule: Rule, graph: Graph) -> None:
    kept = set()
    for strategy in STRATEGIES:
        programs = [Program([built(graph, strategy, rule)]) for _ in range(2)]
        minimise(programs[0], undefined=rule)
        minimise(programs[1], undefined=rule, as_printed=True)
        texts = [pretty(program) for program in programs]
        if rule is replace_undefined:  # then undefined values are alike, and any of them may remain
            texts = [re.sub(r"undef\(v\d+ :", "undef(v :", text) for text in texts]
        assert texts[0] == texts[1]
        kept.add(sum(len(member.parameters) for member in programs[0].functions[0].continuations))
    assert len(kept) == 1


def differs(graph: Graph, function: Function, choices: list[int]) -> bool:
    """Whether a path through the function shows another value than the graph, other than for an undefined one."""
    expected = walk_graph(graph, choices)
    shown = walk_function(function, choices, len(expected), most_steps=500)
    if len(shown) != len(expected):
        return True
    return any(value not in (None, found) for value, found in zip(expected, shown, strict=True))


@every_construction
@given(graph=graphs(), choices=st.lists(st.integers(0, 1), max_size=30))
def test_every_path_shows_the_values_last_assigned_where_there_are_any(
    strategy: str, graph: Graph, choices: list[int]
) -> None:
    program, _ = recorded(graph, strategy, replace_undefined, minimal=True)
    assert not differs(graph, program.functions[0], choices)


@every_construction
@pytest.mark.parametrize("minimal", [True, False], ids=["minimal", "as constructed"])
@settings(max_examples=examples(60))
@given(graph=graphs(most_nodes=20, most_variables=4))
def test_every_construction_is_certified(strategy: str, minimal: bool, graph: Graph) -> None:
    program, record = recorded(graph, strategy, replace_undefined, minimal=minimal)
    assert certify(program, record, minimal=minimal, undefined=replace_undefined) == []


def test_undefined_values_of_two_variables_that_meet_are_certified() -> None:
    # An unreachable write replaces both; then the undefined `v0` is copied to `v2`, and meets the undefined `v2`.
    writes = [Node([("write", 0, 42)], [0, 0]), Node([], [0, 1])]
    copies = Node([("copy", 2, 0), ("copy", 0, 0)], [0, 0])
    graph = Graph(3, [Node([], [0, 4]), *writes, copies, Node([("write", 1, 0), ("show", 2)], [3])], [*range(5)])
    for strategy in CONSTRUCTIONS:
        program, record = recorded(graph, strategy, replace_undefined, minimal=False)
        assert certify(program, record, minimal=False, undefined=replace_undefined) == []


def test_planted_faults_that_change_a_defined_value_are_detected() -> None:
    changed, escaped = 0, []
    for seed in range(60):
        dice = random.Random(seed)
        graph = random_graph(dice)
        program, record = recorded(graph, dice.choice([*CONSTRUCTIONS]), replace_undefined, minimal=dice.random() < 0.5)
        paths = [dice.choices([0, 1], k=30) for _ in range(40)]
        for kind in FAULTS:
            with planted(program.functions[0], kind, seed) as is_planted:
                if is_planted and is_different(graph, program.functions[0], paths):
                    changed += 1
                    if not certify(program, record, minimal=False, undefined=replace_undefined):
                        escaped.append((seed, kind))
    assert escaped == [] and changed > 100


def is_different(graph: Graph, function: Function, paths: list[list[int]]) -> bool:
    """Whether one of the paths differs, or cannot be walked."""
    try:
        return any(differs(graph, function, choices) for choices in paths)
    except (AssertionError, AttributeError, KeyError, ValueError):
        return True


# ---------------------------------------------------------------------------------------------------------- one join


def joined(value: str, rule: Rule, strategy: str = "scc") -> tuple[Program, Record]:
    """A function whose variable `x` is assigned on one of two paths: a constant, or a value from before or there."""
    recorder = Recorder()
    b = Builder(strategy, observer=recorder, undefined=rule)
    n, x = Variable("n", INT), Variable("x", INT)
    parameter = b.function("f", [n], INT).parameters[0]
    if value == "defined parameter":
        parameter.attributes = {DEFINED: True}
    foreign, defined = b.foreign("ml.f", type=INT), b.foreign("ml.g", type=INT, attributes={DEFINED: True})
    then, join = b.continuation("then"), b.continuation("join")
    before = b.primitive("+", b.read_variable(n), Constant(INT, 1))
    b.branch(Constant(BOOL, True), then, join)
    b.open(then)
    written = {
        "constant": lambda: Constant(INT, 5),
        "parameter": lambda: b.read_variable(n),
        "defined parameter": lambda: b.read_variable(n),
        "foreign": lambda: foreign,
        "defined": lambda: defined,
        "before": lambda: before,
        "there": lambda: b.primitive("*", before, before),
    }[value]()
    b.write_variable(x, written)
    b.jump(join)
    b.open(join)
    b.ret(b.read_variable(x))
    program = Program([b.finish()])
    minimise(program, undefined=rule)
    return program, recorder.record


@every_construction
@pytest.mark.parametrize(
    ("value", "is_kept"),
    [
        ("constant", False),
        ("before", False),
        ("parameter", True),
        ("there", True),
        ("defined parameter", False),
        ("foreign", True),
        ("defined", False),
    ],
)
def test_a_constant_and_a_dominating_result_replace_an_undefined_value(
    strategy: str, value: str, is_kept: bool
) -> None:
    program, record = joined(value, replace_undefined, strategy)
    join = program.functions[0].continuations[-1]
    assert bool(join.parameters) == is_kept
    assert certify(program, record, minimal=False, undefined=replace_undefined) == []
    assert bool(certify(program, record, minimal=False)) == (not is_kept)
    kept, record = joined(value, keep_undefined, strategy)
    assert kept.functions[0].continuations[-1].parameters
    assert certify(kept, record, minimal=False) == []
    found = [each.message for each in certify(kept, record, undefined=replace_undefined)]
    assert any("is always equal to" in each for each in found) == (not is_kept)


def test_a_language_may_choose_a_rule_of_its_own() -> None:
    def results_only(value: Value, dominates: object) -> bool:
        return isinstance(value, Primitive) and callable(dominates) and bool(dominates())

    kept = {value: pretty(joined(value, results_only)[0]) for value in ("constant", "before", "there")}
    assert ["join(x : int)" in each or "join := (x" in each for each in kept.values()] == [True, False, True]
