"""The construction, compared with the definitions of assignment, triviality and minimality."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv.check import certify
from cpsconv.construction import STRATEGIES, Block, Builder, BuildError, Variable
from cpsconv.construction.events import Event, combined
from cpsconv.construction.record import Recorder
from cpsconv.ir import ABORT, BOOL, HALT, INT, VOID, Call, Constant, Function, Jump, Parameter, Program, Undef
from tests.effort import size
from tests.graphs import Graph, Node, build, graphs, walk_function, walk_graph

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)
X = Variable("x", INT)


def number(value: int) -> Constant:
    return Constant(INT, value)


def parameters(function: Function) -> list[Parameter]:
    return [parameter for continuation in function.continuations for parameter in continuation.parameters]


def arguments_of(function: Function) -> dict[Parameter, list]:
    received: dict[Parameter, list] = {parameter: [] for parameter in parameters(function)}
    for continuation in function.members():
        for edge in continuation.transfer.edges:
            for parameter, argument in zip(getattr(edge.target, "parameters", ()), edge.arguments, strict=False):
                received[parameter].append(argument)
    return received


# ---------------------------------------------------------------------------- comparison with the definition


@every_strategy
@given(graph=graphs(), choices=st.lists(st.integers(0, 1), max_size=30))
def test_every_path_shows_the_values_last_assigned(strategy, graph, choices):
    expected = walk_graph(graph, choices)
    function, _ = build(graph, strategy)
    assert walk_function(function, choices, len(expected)) == expected


@every_strategy
@given(graph=graphs())
def test_no_remaining_parameter_is_trivial(strategy, graph):
    function, _ = build(graph, strategy)
    for parameter, received in arguments_of(function).items():
        assert len({id(value) for value in received if value is not parameter}) > 1


@every_strategy
@given(graph=graphs())
def test_every_edge_passes_an_argument_for_every_parameter(strategy, graph):
    function, _ = build(graph, strategy)
    for continuation in function.continuations:
        for edge in continuation.transfer.edges:
            if not isinstance(edge.target, Parameter):
                assert len(edge.arguments) == len(edge.target.parameters)


@given(graph=graphs())
def test_scc_places_no_more_than_marker_and_marker_no_more_than_basic(graph):
    placed = {strategy: build(graph, strategy)[1].placed for strategy in STRATEGIES}
    assert placed["scc"] <= placed["marker"] <= placed["basic"]


@given(graph=graphs(most_nodes=10, most_variables=1))
def test_over_sealed_blocks_scc_places_only_parameters_that_remain(graph):
    # All reads are in added blocks, which are filled after the graph is complete and sealed.
    silent = [Node([e for e in node.events if e[0] == "write"], node.successors) for node in graph.nodes]
    last = len(silent)
    shown = [node for node in range(last) if len(silent[node].successors) < 2]
    for reader, node in enumerate(shown):
        silent[node].successors = [*silent[node].successors, last + reader]
    readers = [Node([("show", 0)], []) for _ in shown]
    order = [*graph.order, *range(last, last + len(readers))]
    _, counts = build(Graph(1, silent + readers, order, eager=True), "scc")
    assert counts.removed == 0


# --------------------------------------------------------------------------------------- the paper's figures


@every_strategy
def test_figure_2_has_a_parameter_in_the_loop_header_and_where_the_if_joins(strategy):
    b = Builder(strategy)
    b.function("f", [("n", INT)], INT)
    header, body, then, join, leave = map(b.continuation, ["while", "body", "then", "join", "exit"])
    b.write_variable(X, number(0))
    b.jump(header)
    b.enter(header)
    b.branch(Constant(BOOL, True), body, leave)
    b.seal(body)
    b.enter(body)
    b.branch(Constant(BOOL, True), then, join)
    b.seal(then)
    b.enter(then)
    b.write_variable(X, number(1))
    b.jump(join)
    b.seal(join)
    b.enter(join)
    b.jump(header)
    b.seal(header)
    b.seal(leave)
    b.enter(leave)
    b.ret(b.read_variable(X))
    function = b.finish()
    assert [(k.name, [p.name for p in k.parameters]) for k in function.continuations] == [
        ("while", ["x"]),
        ("body", []),
        ("then", []),
        ("join", ["x"]),
        ("exit", []),
    ]
    assert b.placed == 2
    assert b.removed == 0


def two_entries(strategy: str) -> Builder:
    """Figure 5: a loop with two entries, around which the variable does not change."""
    b = Builder(strategy)
    b.function("f", [X], INT)
    first, second, leave = map(b.continuation, ["first", "second", "exit"])
    b.branch(Constant(BOOL, True), first, second)
    b.enter(first)
    b.branch(Constant(BOOL, True), second, leave)
    b.seal(second)
    b.enter(second)
    b.jump(first)
    b.seal(first)
    b.seal(leave)
    b.enter(leave)
    b.ret(b.read_variable(X))
    return b


@pytest.mark.parametrize(("strategy", "left"), [("basic", 2), ("marker", 2), ("scc", 0)])
def test_figure_5_leaves_a_redundant_set_unless_cycles_are_found(strategy, left):
    assert len(parameters(two_entries(strategy).finish())) == left


# ------------------------------------------------------------------------ unsealed blocks, unreachable blocks


@every_strategy
def test_a_read_in_an_unsealed_block_places_a_proxy_that_is_removed_if_trivial(strategy):
    b = Builder(strategy)
    b.function("f", [X], INT)
    loop = b.continuation("loop")
    b.jump(loop)
    b.enter(loop)
    proxy = b.read_variable(X)
    b.effect("putchar", proxy)
    b.jump(loop)
    b.seal(loop)
    assert (b.placed, b.removed) == (1, 1)
    function = b.finish()
    (loop_continuation,) = function.continuations
    assert loop_continuation.parameters == []
    assert loop_continuation.body[0].operands == (function.parameters[0],)


@every_strategy
def test_a_variable_that_the_loop_cannot_assign_needs_no_proxy(strategy):
    b = Builder(strategy)
    b.function("f", [X], INT)
    loop = b.continuation("loop", may_assign=frozenset())
    b.jump(loop)
    b.enter(loop)
    b.effect("putchar", b.read_variable(X))
    b.jump(loop)
    b.seal(loop)
    b.finish()
    assert b.placed == 0


@every_strategy
def test_a_read_of_an_unassigned_variable_is_undef_with_its_name(strategy):
    b = Builder(strategy)
    b.function("f", [], INT)
    value = b.read_variable(X)
    b.ret(value)
    assert isinstance(value, Undef)
    assert (value.name, value.type) == ("x", INT)


@every_strategy
def test_a_sealed_cycle_without_an_entry_reads_undef_and_is_dropped(strategy):
    b = Builder(strategy)
    b.function("f", [X], INT)
    b.ret(number(0))
    one, two = b.continuation("one"), b.continuation("two")
    b.enter(one)
    b.jump(two)
    b.seal(two)
    b.enter(two)
    b.jump(one)
    b.seal(one)
    tail = b.continuation("tail")
    b.seal(tail)
    b.enter(tail)
    b.ret(b.read_variable(X))
    assert b.finish().continuations == []


@every_strategy
def test_an_argument_from_an_unreachable_predecessor_does_not_count(strategy):
    b = Builder(strategy)
    b.function("f", [X], INT)
    join, dead = b.continuation("join"), b.continuation("dead")
    b.jump(join)
    b.seal(dead)
    b.enter(dead)
    b.write_variable(X, number(1))
    b.jump(join)
    b.seal(join)
    b.enter(join)
    b.ret(b.read_variable(X))
    function = b.finish()
    assert function.continuations == []
    assert function.transfer.edge.arguments == [function.parameters[0]]


# ------------------------------------------------------------------------------------------------- finishing


@every_strategy
def test_a_call_passes_its_result_to_a_continuation_of_its_own(strategy):
    b = Builder(strategy)
    callee = b.declare("g", [("n", INT)], INT)
    function = b.function("f", [X], INT)
    result = b.call(callee, [b.read_variable(X)])
    assert result
    b.write_variable(X, result)
    b.ret(b.read_variable(X))
    b.finish()
    assert isinstance(function.transfer, Call)
    then = function.transfer.then.target
    assert [parameter.name for parameter in then.parameters] == ["x"]
    assert then.transfer.edge.arguments == then.parameters


def test_a_function_without_result_returns_nothing():
    b = Builder()
    b.declare("g", [], VOID)
    function = b.function("g", [], VOID)
    assert b.call(function, []) is None
    b.ret()
    assert str(b.finish().type) == "(() → ⊥) → ⊥"


def test_the_end_of_the_program_is_a_jump_to_an_external():
    b = Builder()
    b.function("f", [], VOID)
    b.leave(HALT, number(3))
    function = b.finish()
    assert isinstance(function.transfer, Jump)
    assert function.transfer.edge.target is HALT
    b.function("g", [], VOID)
    b.leave(ABORT)
    assert b.finish().transfer.edge.target is ABORT


def test_a_chain_of_jumps_becomes_one_continuation():
    b = Builder()
    b.function("f", [], VOID)
    for i in range(5):
        b.effect("putchar", number(i))
        link = b.continuation(f"k{i}")
        b.jump(link)
        b.seal(link)
        b.enter(link)
    b.ret()
    function = b.finish()
    assert function.continuations == []
    assert [statement.operands[0].value for statement in function.body] == [0, 1, 2, 3, 4]


def test_a_value_takes_the_name_of_the_variable_it_is_first_written_to():
    b = Builder()
    b.function("f", [X], INT)
    total = b.primitive("+", b.read_variable(X), number(1))
    b.write_variable(Variable("t", INT), total)
    b.write_variable(X, total)
    assert total.name == "t"


# -------------------------------------------------------------------------------------------------- dead code


def build_dead_statement(b, k):
    """One statement of each kind."""
    b.write_variable(X, number(1))
    b.effect("putchar", b.primitive("+", b.read_variable(X), b.convert(INT, Constant(BOOL, True))))


def build_dead_loop(b, k):
    header, body, leave = map(b.continuation, ["while", "body", "exit"])
    b.jump(header)
    b.enter(header)
    b.branch(b.primitive("<", b.read_variable(X), number(3)), body, leave)
    b.seal(body)
    b.enter(body)
    b.write_variable(X, b.primitive("+", b.read_variable(X), number(1)))
    b.jump(header)
    b.seal(header)
    b.seal(leave)
    b.enter(leave)
    b.jump(k)


def build_dead_if(b, k):
    then, join = b.continuation("then"), b.continuation("join")
    b.branch(Constant(BOOL, True), then, join)
    b.seal(then)
    b.enter(then)
    b.write_variable(X, number(7))
    b.jump(join)
    b.seal(join)
    b.enter(join)
    b.switch(b.read_variable(X), [(1, k)], k)


def build_dead_call(b, k):
    callee = b.declare("g", [("n", INT)], INT)
    nothing = b.declare("h", [], VOID)
    assert b.call(nothing, []) is None
    assert b.call(callee, [b.read_variable(X)]).type is INT
    b.ret(b.read_variable(X))


@every_strategy
@pytest.mark.parametrize("dead", [build_dead_statement, build_dead_loop, build_dead_if, build_dead_call])
@pytest.mark.parametrize("after", ["a transfer", "entering a block without predecessors"])
def test_dead_code_has_no_effect(strategy, dead, after):
    """The live part of `f` reads X in a join, `last`, to which the dead code jumps, too."""
    recorder = Recorder()
    seen: list[Event] = []
    b = Builder(strategy, observer=combined(recorder, seen.append))
    f = b.function("f", [X], INT)
    last = b.continuation("last")
    b.jump(last)
    if after == "a transfer":
        dead(b, last)
    else:
        unreached = b.continuation("unreached")
        b.seal(unreached)
        b.enter(unreached)
        assert b.current is None
        dead(b, last)
    if b.current is not None:
        b.jump(last)
    b.seal(last)
    b.enter(last)
    b.ret(b.read_variable(X))
    program = Program([b.finish()])
    assert f.continuations == [] and f.body == []
    assert f.transfer.edge.arguments == [f.parameters[0]]
    assert b.counts[f].kept == 0
    assert certify(program, recorder.record) == []


def test_a_statement_after_a_return_is_not_reported_to_an_observer():
    seen: list[Event] = []
    b = Builder(observer=seen.append)
    b.function("f", [X], INT)
    b.ret(b.read_variable(X))
    before = len(seen)
    build_dead_statement(b, None)
    assert len(seen) == before


def test_a_dead_operation_on_values_it_does_not_take_is_refused():
    b, _ = filled_builder()
    with pytest.raises(BuildError, match=r"there is no operation \+\(int, bool\)"):
        b.primitive("+", number(1), Constant(BOOL, True))


def test_dead_code_adds_no_predecessor_to_a_sealed_continuation():
    b, k = filled_builder()
    b.seal(k)
    b.jump(k)
    assert len(k.predecessors) == 1


# ----------------------------------------------------------------------------------------------------- misuse


def filled_builder() -> tuple[Builder, Block]:
    b = Builder()
    b.function("f", [X], INT)
    k = b.continuation("k")
    b.jump(k)
    return b, k


def test_entering_a_filled_continuation_is_refused():
    b, k = filled_builder()
    b.enter(k)
    b.ret(number(0))
    with pytest.raises(BuildError, match="continuation k is entered, but it is filled already"):
        b.enter(k)


def test_entering_before_the_current_one_is_filled_is_refused():
    b, k = filled_builder()
    b.enter(k)
    with pytest.raises(BuildError, match="continuation k is not filled yet, but other is entered"):
        b.enter(b.continuation("other"))


def test_sealing_twice_is_refused():
    b, k = filled_builder()
    b.seal(k)
    with pytest.raises(BuildError, match="continuation k is sealed twice"):
        b.seal(k)


def test_a_new_predecessor_of_a_sealed_continuation_is_refused():
    b, k = filled_builder()
    b.seal(k)
    b.enter(k)
    with pytest.raises(BuildError, match="continuation k gets another predecessor, but it is sealed"):
        b.jump(k)


@pytest.mark.parametrize(
    "action",
    [
        lambda b, k: b.read_variable(X),
        lambda b, k: b.write_variable(X, number(1)),
        lambda b, k: b.primitive("+", number(1), number(2)),
        lambda b, k: b.effect("putchar", number(1)),
        lambda b, k: b.jump(k),
        lambda b, k: b.branch(Constant(BOOL, True), k, k),
        lambda b, k: b.switch(number(1), [], k),
        lambda b, k: b.ret(number(1)),
        lambda b, k: b.leave(ABORT),
    ],
)
def test_without_an_open_function_nothing_can_be_built(action):
    b, k = filled_builder()
    b.seal(k)
    b.enter(k)
    b.ret(number(0))
    b.finish()
    with pytest.raises(BuildError, match="no function is open"):
        action(b, k)


def test_leaving_a_continuation_unsealed_is_refused():
    b, k = filled_builder()
    b.enter(k)
    b.ret(number(0))
    with pytest.raises(BuildError, match="continuation k of f was never sealed"):
        b.finish()


def test_leaving_a_continuation_unfilled_is_refused():
    b, k = filled_builder()
    b.seal(k)
    with pytest.raises(BuildError, match="continuation k of f was never filled"):
        b.finish()


def test_an_operation_on_values_it_does_not_take_is_refused():
    b, k = filled_builder()
    b.enter(k)
    with pytest.raises(BuildError, match=r"there is no operation \+\(int, bool\)"):
        b.primitive("+", number(1), Constant(BOOL, True))


def test_building_a_function_twice_is_refused():
    b = Builder()
    b.function("f", [], VOID)
    b.ret()
    b.finish()
    with pytest.raises(BuildError, match="function f is built twice"):
        b.function("f", [], VOID)


@pytest.mark.parametrize(("parameters", "result"), [([], INT), ([X], BOOL), ([("x", BOOL)], INT)])
def test_building_a_function_with_other_types_than_declared_is_refused(parameters, result):
    b = Builder()
    b.declare("f", [X], INT)
    with pytest.raises(BuildError, match="function f is declared with other types"):
        b.function("f", parameters, result)


def test_an_unknown_strategy_is_refused():
    with pytest.raises(BuildError, match="there is no strategy 'best'; there are basic, marker, scc"):
        Builder("best")


# ------------------------------------------------------------------------------------------------------- size


@every_strategy
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_look_ups_through_twenty_thousand_joins_do_not_overflow(strategy, backwards):
    count = size(20_000)
    nodes = [Node([], [i + 1, i + 1]) for i in range(count)]
    nodes[0].events = [("write", 0, 1)]
    nodes.append(Node([("show", 0)], []))
    order = list(range(count + 1))
    function, _ = build(Graph(1, nodes, order[::-1] if backwards else order, eager=not backwards), strategy)
    assert parameters(function) == []


@every_strategy
def test_a_loop_through_twenty_thousand_joins_keeps_one_parameter(strategy):
    count = size(20_000)
    nodes = [Node([], [i + 1, i + 1]) for i in range(count)]
    nodes[0] = Node([("write", 0, 0)], [1])
    nodes.append(Node([("show", 0), ("write", 0, 1)], [1]))
    function, _ = build(Graph(1, nodes, list(range(count + 1)), eager=True), strategy)
    assert len(parameters(function)) == 1
