"""The construction, compared with the definitions of assignment, triviality and minimality."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core import ir
from cpsconv.core.analysis.flow import parameter_arguments
from cpsconv.core.analysis.graph import incoming
from cpsconv.core.check import certify
from cpsconv.core.construction import STRATEGIES, Block, Builder, BuildError, Variable
from cpsconv.core.construction.events import Create, Event, combined
from cpsconv.core.construction.record import Recorder
from cpsconv.core.evaluator import evaluate
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.transform import minimise
from cpsconv.lab.baselines import CONSTRUCTIONS
from testing.effort import beyond_the_stack, examples, sample
from testing.graphs import Construction, Graph, Node, build, graphs, sealed_graph, walk_function, walk_graph

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)
X = Variable("x", ir.INT)


def number(value: int) -> ir.Constant:
    return ir.Constant(ir.INT, value)


def parameters(function: ir.Function) -> list[ir.Parameter]:
    return [parameter for continuation in function.continuations for parameter in continuation.parameters]


# ---------------------------------------------------------------------------- comparison with the definition


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
@given(graph=graphs(), choices=st.lists(st.integers(0, 1), max_size=30))
def test_every_path_shows_the_values_last_assigned(strategy, graph, choices):
    expected = walk_graph(graph, choices)
    function = build(graph, strategy)
    assert walk_function(function, choices, len(expected)) == expected
    minimise(ir.Program([function]))
    assert walk_function(function, choices, len(expected)) == expected


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
@settings(max_examples=examples(300))
@given(graph=graphs())
def test_edges_are_in_the_order_of_the_predecessors_of_the_blocks(strategy, graph):
    """The function precedes its continuations, whatever is merged into it."""
    blocks: dict[ir.Continuation, Block] = {}

    def observe(event: Event) -> None:
        if isinstance(event, Create):
            blocks[event.block.continuation] = event.block

    function = build(graph, strategy, observe)
    members = {*function.members()}

    def home(block: Block) -> ir.Continuation:
        while block.continuation not in members:
            (block,) = block.predecessors
        return block.continuation

    for join, edges in incoming(function).items():
        homes = [home(block) for block in blocks[join].predecessors]
        assert [source for source, _ in edges] == sorted(homes, key=lambda each: each is not function)


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
@given(graph=graphs())
def test_the_counts_describe_the_finished_function(strategy, graph):
    construction = Construction(graph, Builder(strategy))
    function, counts = construction.function, construction.counts
    edges = [edge for member in function.members() for edge in member.transfer.edges]
    targets = [edge.target for edge in edges if isinstance(edge.target, ir.Continuation)]
    assert [len(edge.arguments) for edge in edges if edge.target in targets] == [len(k.parameters) for k in targets]
    assert (counts.kept, counts.arguments) == (len(parameters(function)), sum(len(k.parameters) for k in targets))
    assert counts.placed == counts.removed + counts.kept


@every_strategy
@settings(max_examples=examples(200))
@given(graph=graphs())
def test_no_remaining_parameter_is_trivial(strategy, graph):
    for parameter, received in parameter_arguments(build(graph, strategy)).items():
        assert len({id(value) for value in received if value is not parameter}) > 1


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
    assert Construction(Graph(1, silent + readers, order, eager=True), Builder("scc")).removed == 0


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
def test_a_graph_that_is_written_sealed_and_then_read_in_one_block_is_certified(strategy):
    for seed in sample(range(200), 3, [*CONSTRUCTIONS].index(strategy) % 3):
        recorder = Recorder()
        function = build(sealed_graph(Random(seed)), strategy, recorder)
        assert certify(ir.Program([function]), recorder.record, minimal=False) == []


def test_scc_searches_no_component_again_in_which_every_join_is_an_entry():
    """Two joins, each entered with a value of its own. The reader is visited, one join, and each predecessor."""
    nodes = [Node([], [1, 2]), Node([("write", 0, 1)], [3]), Node([("write", 0, 2)], [4]), Node([], [4, 5])]
    construction = constructed([*nodes, Node([], [3]), Node([("show", 0)], [])], "scc")
    assert construction.counts.lookups == 6


# --------------------------------------------------------------------------------------- the paper's figures


@every_strategy
def test_figure_2_has_a_parameter_in_the_loop_header_and_where_the_if_joins(strategy):
    before, header, body = Node([("write", 0, 0)], [1]), Node([], [2, 5]), Node([], [3, 4])
    nodes = [before, header, body, Node([("write", 0, 1)], [4]), Node([], [1]), Node([("show", 0)], [])]
    construction = constructed(nodes, strategy)
    assert [k.name for k in construction.function.continuations if k.parameters] == ["k1", "k4"]
    assert (construction.counts.placed, construction.counts.removed) == (2, 0)


@pytest.mark.parametrize(("strategy", "left"), [("basic", 2), ("marker", 2), ("scc", 0)])
def test_figure_5_leaves_a_redundant_set_unless_cycles_are_found(strategy, left):
    """A loop with two entries, around which the variable does not change."""
    nodes = [Node([("write", 0, 0)], [1, 2]), Node([], [2, 3]), Node([], [1]), Node([("show", 0)], [])]
    assert len(parameters(constructed(nodes, strategy).function)) == left


# ------------------------------------------------------------------------ unsealed blocks, unreachable blocks


@every_strategy
def test_a_read_in_an_unsealed_block_places_a_proxy_that_is_removed_if_trivial(strategy):
    b = Builder(strategy)
    b.function("f", [X], ir.INT)
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
    b.function("f", [X], ir.INT)
    loop = b.continuation("loop", may_assign=frozenset())
    b.jump(loop)
    b.enter(loop)
    b.effect("putchar", b.read_variable(X))
    b.jump(loop)
    b.seal(loop)
    b.finish()
    # The algorithm as printed does not know what the loop assigns; its proxy is trivial.
    assert (b.placed, b.removed) == ((1, 1) if strategy == "paper" else (0, 0))


@every_strategy
def test_a_loop_that_several_edges_enter_needs_a_proxy_even_for_a_variable_that_it_cannot_assign(strategy):
    b = Builder(strategy)
    b.function("f", [X], ir.INT)
    one, two, loop = b.continuation("one"), b.continuation("two"), b.continuation("loop", may_assign=frozenset())
    b.branch(b.primitive("<", b.read_variable(X), ir.Constant(ir.INT, 0)), one, two)
    for number, arm in enumerate((one, two)):
        b.seal(arm)
        b.enter(arm)
        b.write_variable(X, ir.Constant(ir.INT, number))
        b.jump(loop)
    b.enter(loop)
    b.effect("putchar", b.read_variable(X))
    b.jump(loop)
    b.seal(loop)
    *_, loop_continuation = b.finish().continuations
    (parameter,) = loop_continuation.parameters
    assert loop_continuation.transfer.edge.arguments == [parameter]


@every_strategy
def test_a_read_of_an_unassigned_variable_is_undef_with_its_name(strategy):
    b = Builder(strategy)
    b.function("f", [], ir.INT)
    value = b.read_variable(X)
    b.ret(value)
    assert isinstance(value, ir.Undef)
    assert (value.name, value.type) == ("x", ir.INT)


@every_strategy
def test_a_cycle_without_an_entry_is_dropped(strategy):
    nodes = [Node([], []), Node([("show", 0)], [2]), Node([("show", 0)], [1])]
    assert constructed(nodes, strategy).function.continuations == []


@every_strategy
def test_an_argument_from_an_unreachable_predecessor_does_not_count(strategy):
    nodes = [Node([("write", 0, 1)], [2]), Node([("write", 0, 2)], [2]), Node([("show", 0)], [])]
    function = constructed(nodes, strategy).function
    assert function.continuations == [] and function.body[0].operands[0].value == 1


# ------------------------------------------------------------------------------------------------- finishing


@every_strategy
def test_a_call_passes_its_result_to_a_continuation_of_its_own(strategy):
    b = Builder(strategy)
    callee = b.declare("g", [("n", ir.INT)], ir.INT)
    function = b.function("f", [X], ir.INT)
    result = b.call(callee, [b.read_variable(X)])
    assert result
    b.write_variable(X, result)
    b.ret(b.read_variable(X))
    b.finish()
    assert isinstance(function.transfer, ir.Call)
    then = function.transfer.then.target
    assert [parameter.name for parameter in then.parameters] == ["x"]
    assert then.transfer.edge.arguments == then.parameters


def test_a_function_without_result_returns_nothing():
    b = Builder()
    b.declare("g", [], ir.VOID)
    function = b.function("g", [], ir.VOID)
    assert b.call(function, []) is None
    b.ret()
    assert str(b.finish().type) == "(() → ⊥) → ⊥"


def test_the_end_of_the_program_is_a_jump_to_an_external():
    b = Builder()
    b.function("f", [], ir.VOID)
    b.leave(ir.HALT, number(3))
    function = b.finish()
    assert isinstance(function.transfer, ir.Jump)
    assert function.transfer.edge.target is ir.HALT
    b.function("g", [], ir.VOID)
    b.leave(ir.ABORT)
    assert b.finish().transfer.edge.target is ir.ABORT


def test_a_chain_of_jumps_becomes_one_continuation():
    b = Builder()
    b.function("f", [], ir.VOID)
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
    b.function("f", [X], ir.INT)
    total = b.primitive("+", b.read_variable(X), number(1))
    b.write_variable(Variable("t", ir.INT), total)
    b.write_variable(X, total)
    assert total.name == "t"


# -------------------------------------------------------------------------------------------------- dead code


def build_dead_statement(b, k):
    """One statement of each kind."""
    b.write_variable(X, number(1))
    b.effect("putchar", b.primitive("+", b.read_variable(X), b.convert(ir.INT, ir.Constant(ir.BOOL, True))))


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
    b.branch(ir.Constant(ir.BOOL, True), then, join)
    b.seal(then)
    b.enter(then)
    b.write_variable(X, number(7))
    b.jump(join)
    b.seal(join)
    b.enter(join)
    b.switch(b.read_variable(X), [(1, k)], k)


def build_dead_call(b, k):
    callee = b.declare("g", [("n", ir.INT)], ir.INT)
    nothing = b.declare("h", [], ir.VOID)
    assert b.call(nothing, []) is None
    assert b.call(callee, [b.read_variable(X)]).type is ir.INT
    b.ret(b.read_variable(X))


@every_strategy
@pytest.mark.parametrize("dead", [build_dead_statement, build_dead_loop, build_dead_if, build_dead_call])
@pytest.mark.parametrize("after", ["a transfer", "entering a block without predecessors"])
def test_dead_code_has_no_effect(strategy, dead, after):
    """The live part of `f` reads X in a join, `last`, to which the dead code jumps, too."""
    recorder = Recorder()
    seen: list[Event] = []
    b = Builder(strategy, observer=combined(recorder, seen.append))
    f = b.function("f", [X], ir.INT)
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
    program = ir.Program([b.finish()])
    assert f.continuations == [] and f.body == []
    assert f.transfer.edge.arguments == [f.parameters[0]]
    assert b.counts[f].kept == 0
    assert certify(program, recorder.record) == []


def test_a_statement_after_a_return_is_not_reported_to_an_observer():
    seen: list[Event] = []
    b = Builder(observer=seen.append)
    b.function("f", [X], ir.INT)
    b.ret(b.read_variable(X))
    before = len(seen)
    build_dead_statement(b, None)
    assert len(seen) == before


def test_dead_code_adds_no_predecessor_to_a_sealed_continuation():
    b, k = filled_builder()
    b.seal(k)
    b.jump(k)
    assert len(k.predecessors) == 1


# ----------------------------------------------------------------------------------------------------- misuse


def filled_builder() -> tuple[Builder, Block]:
    b = Builder()
    b.function("f", [X], ir.INT)
    k = b.continuation("k")
    b.jump(k)
    return b, k


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (lambda b, k: (b.enter(k), b.ret(number(0)), b.enter(k)), "k is entered, but it is filled already"),
        (lambda b, k: (b.enter(k), b.enter(b.continuation("l"))), "k is not filled yet, but l is entered"),
        (lambda b, k: (b.seal(k), b.seal(k)), "continuation k is sealed twice"),
        (lambda b, k: (b.seal(k), b.enter(k), b.jump(k)), "k gets another predecessor, but it is sealed"),
        (lambda b, k: (b.enter(k), b.ret(number(0)), b.finish()), "continuation k of f was never sealed"),
        (lambda b, k: (b.seal(k), b.finish()), "continuation k of f was never filled"),
        (
            lambda b, k: b.primitive("+", number(1), ir.Constant(ir.BOOL, True)),
            r"there is no operation \+\(int, bool\)",
        ),
        (
            lambda b, k: (b.enter(k), b.primitive("+", number(1), ir.Constant(ir.BOOL, True))),
            r"there is no operation \+",
        ),
        (lambda b, k: b.function("g", [], ir.VOID), "function g is opened before f is finished"),
        (lambda b, k: (b.declare("g", [], ir.VOID), b.declare("g", [], ir.VOID)), "function g is declared twice"),
    ],
)
def test_misuse_is_refused(actions, message):
    b, k = filled_builder()
    with pytest.raises(BuildError, match=message):
        actions(b, k)


@pytest.mark.parametrize(
    "action",
    [
        lambda b, k: b.read_variable(X),
        lambda b, k: b.write_variable(X, number(1)),
        lambda b, k: b.primitive("+", number(1), number(2)),
        lambda b, k: b.effect("putchar", number(1)),
        lambda b, k: b.jump(k),
        lambda b, k: b.branch(ir.Constant(ir.BOOL, True), k, k),
        lambda b, k: b.switch(number(1), [], k),
        lambda b, k: b.ret(number(1)),
        lambda b, k: b.leave(ir.ABORT),
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


@pytest.mark.parametrize("simplify", [(), SIMPLIFICATIONS])
@every_strategy
def test_a_program_with_memory_is_built_certified_and_run(strategy, simplify):
    """Two functions in a table, which each call the other through it: 1 + 2 + … + 5, and the table in a list."""
    recorder = Recorder()
    b = Builder(strategy, simplify, recorder)
    node = b.struct("node", [("next", ir.PTR), ("table", ir.PTR)])
    head = b.data("head", node)
    table = b.data("table", ir.Array(ir.PTR, 2))
    head.addresses |= {0: (head, 0), 8: (table, 0)}  # a list that is its own tail
    n = Variable("n", ir.INT)
    for index, name in enumerate(("even", "odd")):
        function = b.declare(name, [n], ir.INT)
        table.addresses[8 * index] = function, 0
    for index, name in enumerate(("even", "odd")):
        b.function(name, [n], ir.INT)
        again, end = b.continuation("again"), b.continuation("end")
        b.branch(b.primitive("==", b.read_variable(n), number(0)), end, again)
        for block in again, end:
            b.seal(block)
        b.enter(again)
        tail = b.effect("load", b.primitive("field", head, of=node.fields["next"]), type=ir.PTR)
        found = b.effect("load", b.primitive("field", tail, of=node.fields["table"]), type=ir.PTR)
        other = b.effect("load", b.primitive("element", found, number(1 - index), of=ir.PTR), type=ir.PTR)
        rest = b.call_through(other, [b.primitive("-", b.read_variable(n), number(1))], ir.INT)
        assert rest
        b.ret(b.primitive("+", rest, b.read_variable(n)))
        dead = b.call_through(other, [], ir.INT)
        assert isinstance(dead, ir.Undef)
        assert dead.name == "dead code"
        assert b.call_through(other, [], ir.VOID) is None
        b.enter(end)
        b.ret(b.read_variable(n))
        b.finish()
    b.function("main", [], ir.INT)
    strlen = b.external("strlen", [("s", ir.PTR)], ir.UNSIGNED_LONG)
    length = b.call(strlen, [b.data("text", ir.Array(ir.CHAR, 3), b"ab\0", is_constant=True)])
    sum = b.call_through(b.convert(ir.PTR, function), [number(5)], ir.INT)
    assert sum
    assert length
    b.ret(b.primitive("+", sum, b.convert(ir.INT, length)))
    b.finish()
    program = b.program()
    minimise(program)
    assert simplify or certify(program, recorder.record) == []
    assert parse(Source("p.cps", pretty(program))).data[0].addresses.keys() == {0, 8}
    strlen_of = {"strlen": lambda memory, text: len(memory.string(text))}
    assert evaluate(program, externals=strlen_of).arguments == [17]


def test_data_and_structs_whose_names_are_taken_get_numbers():
    b = Builder()
    for _ in range(3):
        b.struct("s", [("x", ir.INT)])
        b.data("text", ir.INT)
        b.data("f1", ir.INT)
    b.external("f1", [], ir.VOID)
    b.function("text", [], ir.VOID)
    b.ret()
    b.finish()
    program = b.program()
    assert [each.name for each in program.structs] == ["s", "s1", "s2"]
    assert [each.name for each in program.data] == ["text1", "f1_1", "text2", "f1_2", "text3", "f1_3"]


def test_a_program_needs_every_declared_function():
    b = Builder()
    b.declare("f", [], ir.VOID)
    with pytest.raises(BuildError, match=r"function f is declared, but not built"):
        b.program()


def test_building_a_function_twice_is_refused():
    b = Builder()
    b.function("f", [], ir.VOID)
    b.ret()
    b.finish()
    with pytest.raises(BuildError, match="function f is built twice"):
        b.function("f", [], ir.VOID)


@pytest.mark.parametrize(("parameters", "result"), [([], ir.INT), ([X], ir.BOOL), ([("x", ir.BOOL)], ir.INT)])
def test_building_a_function_with_other_types_than_declared_is_refused(parameters, result):
    b = Builder()
    b.declare("f", [X], ir.INT)
    with pytest.raises(BuildError, match="function f is declared with other types"):
        b.function("f", parameters, result)


# ------------------------------------------------------------------------------------------------------- size


def ladder(count: int) -> list[Node]:
    """Joins in a row, each with two edges from the one before, around a variable."""
    return [
        Node([("write", 0, 1)], [1, 1]),
        *(Node([], [i + 1, i + 1]) for i in range(1, count)),
        Node([("show", 0)], []),
    ]


def loop(count: int) -> list[Node]:
    """A loop through many joins that changes a variable."""
    return [*ladder(count)[:-1], Node([("show", 0), ("write", 0, 2)], [1])]


def loops(count: int) -> list[Node]:
    """Loops one after the other, each of which changes a variable."""
    return [*(Node([("show", 0), ("write", 0, i)], [i, i + 1]) for i in range(count)), Node([("show", 0)], [])]


def nested_loops(count: int) -> list[Node]:
    """Loops within loops, around which a variable does not change."""
    headers = [Node([("show", 0)], [i + 1, 2 * count - i]) for i in range(1, count)]
    exits = [Node([], [i - 1]) for i in range(count - 1, 1, -1)]
    return [Node([("write", 0, 1)], [1]), *headers, Node([], [count - 1]), *exits, Node([("show", 0)], [])]


def constructed(nodes: list[Node], strategy: str, *, backwards: bool = False) -> Construction:
    order = range(len(nodes))
    return Construction(
        Graph(1, nodes, [*(order[::-1] if backwards else order)], eager=not backwards), Builder(strategy)
    )


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
def test_blocks_beyond_the_stack_do_not_overflow(strategy):
    with beyond_the_stack() as size:
        for shape, kept in ((ladder, 0), (loop, 1), (loops, size), (nested_loops, 0)):
            function = constructed(shape(size), strategy).function
            if strategy == "two-phase":
                minimise(ir.Program([function]))
            assert len(parameters(function)) == kept, shape.__name__


@every_strategy
def test_look_ups_through_unsealed_joins_beyond_the_stack_do_not_overflow(strategy):
    with beyond_the_stack() as size:
        assert parameters(constructed(ladder(size), strategy, backwards=True).function) == []


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
@pytest.mark.parametrize("shape", [ladder, loop, loops])
def test_look_ups_grow_with_the_graph(strategy, shape):
    few, many = (constructed(shape(count), strategy).counts.lookups for count in (50, 200))
    assert many <= 4 * few
