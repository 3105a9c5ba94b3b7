"""Reconstruction after adding definitions of a value: paths through random graphs, and whole programs."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv.core import ir
from cpsconv.core.analysis.graph import reachable, successors
from cpsconv.core.check import check
from cpsconv.core.check.parameters import is_minimal
from cpsconv.core.construction import STRATEGIES, Block, BuildError, Observer, Reconstruction, Variable
from cpsconv.core.construction import events as e
from cpsconv.core.ir import Program
from cpsconv.core.nodes import replace
from cpsconv.core.operations.table import CONVERT
from cpsconv.core.source import Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.transform import minimise, prune
from testing.effort import size
from testing.graphs import Graph, build, copyless_graphs, graphs, walk_function, walk_graph
from tests.core.test_events import Watcher

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)
choices = st.lists(st.integers(0, 1), max_size=30)


# -------------------------------------------------------------------------------------- judged by the definition


def skeleton(graph: Graph) -> tuple[ir.Function, list[tuple[ir.Continuation, tuple]]]:
    """The graph as a function without statements, and its events, each with a continuation of its own."""
    function = ir.Function("f", [ir.Parameter(ir.ContinuationType((ir.INT,)), "ret")])
    chains = [
        [ir.Continuation(f"k{number}_{i}") for i in range(len(node.events) + 1)]
        for number, node in enumerate(graph.nodes)
    ]
    function.transfer = ir.Jump(ir.Edge(chains[0][0]))
    for node, chain in zip(graph.nodes, chains, strict=True):
        for member, following in pairwise(chain):
            member.transfer = ir.Jump(ir.Edge(following))
        edges = [ir.Edge(chains[successor][0]) for successor in node.successors]
        if len(edges) == 2:
            chain[-1].transfer = ir.Branch(ir.Constant(ir.BOOL, True), edges[0], edges[1])
        else:
            chain[-1].transfer = ir.Jump(edges[0] if edges else ir.Edge(function.ret, [ir.Constant(ir.INT, 0)]))
    function.continuations = [member for member in reachable(function) if member is not function]
    reached = set(function.continuations)
    pairs = [pair for node, chain in zip(graph.nodes, chains, strict=True) for pair in zip(chain, node.events)]  # noqa: B905
    return function, [(member, event) for member, event in pairs if member in reached]


def reconstructed(graph: Graph, strategy: str, observer: Observer | None = None) -> ir.Function:
    """The graph as a function whose reads and writes are stated to a `Reconstruction`."""
    function, events = skeleton(graph)
    repair = Reconstruction(function, strategy, observer)
    variables = [Variable(f"v{number}", ir.INT) for number in range(graph.variables)]
    for member, event in events:
        if event[0] == "write":
            repair.write_variable(variables[event[1]], member, ir.Constant(ir.INT, event[2]))
    for member, event in events:
        if event[0] == "show":
            member.body.append(ir.Effect("putchar", (repair.read_variable(variables[event[1]], member),), ir.INT))
    repair.finish()
    return function


@every_strategy
@given(graph=copyless_graphs, choices=choices)
def test_every_path_shows_the_values_last_assigned(strategy: str, graph: Graph, choices: list[int]) -> None:
    function = reconstructed(graph, strategy)
    assert not check(Program([function]))
    expected = walk_graph(graph, choices)
    assert walk_function(function, choices, len(expected)) == expected


@given(graph=copyless_graphs)
def test_scc_places_necessary_parameters_only(graph: Graph) -> None:
    function = reconstructed(graph, "scc")
    assert not [*is_minimal(Program([function]))]


@given(graph=copyless_graphs)
def test_after_minimisation_the_strategies_do_not_differ(graph: Graph) -> None:
    counts = set()
    for strategy in STRATEGIES:
        program = Program([reconstructed(graph, strategy)])
        minimise(program)
        counts.add(sum(len(member.parameters) for member in program.functions[0].members()))
    assert len(counts) == 1


class ReconstructionWatcher(Watcher):
    """An observer that fails if an event contradicts the state of the reconstruction or earlier events."""

    def __call__(self, event: e.Event) -> None:
        match event:
            case e.Redirect(function, source, original, copy, target):
                assert copy in [edge.target for edge in source.transfer.edges] and copy not in function.members()
                assert original in function.continuations
                assert [edge.target for edge in copy.transfer.edges] == [target]
            case e.Reconstruct(function, blocks):
                assert [block.continuation for block in blocks] == [*function.members()]
                self.blocks = {block.continuation: block for block in blocks}
                incoming: dict[Block, list[Block]] = {block: [] for block in blocks}
                for block in blocks:
                    assert block.sealed and block.filled and not block.definitions
                    for target in successors(block.continuation):
                        incoming[self.blocks[target]].append(block)
                assert all(block.predecessors == incoming[block] for block in blocks)
            case e.Compute(block, statement, operands):
                assert statement in block.continuation.body and statement.operands == operands
            case e.Write(variable, block, value):
                assert block is self.blocks[block.continuation] and block.definitions[variable] is value
            case e.Read(_, block):
                assert self.asked is None and block.predecessors == self.blocks[block.continuation].predecessors
                self.asked = event
            case e.Replace(variable, block, value, replacement):
                answer = self.seen[-1]
                assert isinstance(answer, e.Answer) and (answer.variable, answer.block) == (variable, block)
                assert answer.value is replacement and value is not replacement
            case _:
                super().__call__(event)
                return
        self.seen.append(event)

    @property
    def kept(self) -> int:
        """The number of parameters that were placed and not removed."""
        placed = sum(isinstance(event, e.Place) for event in self.seen)
        return placed - sum(isinstance(event, e.Remove) for event in self.seen)


@every_strategy
@given(graph=graphs())
def test_every_event_describes_the_state_of_the_reconstruction(strategy: str, graph: Graph) -> None:
    watcher = ReconstructionWatcher(strategy)
    function = reconstructed(graph, strategy, watcher)
    assert watcher.asked is None
    assert watcher.kept == sum(len(member.parameters) for member in function.continuations)
    assert pretty(Program([function])) == pretty(Program([reconstructed(graph, strategy)]))


def copy_of(value: ir.Parameter) -> ir.Primitive:
    assert value.type is ir.INT
    return ir.Primitive(CONVERT, (value,), ir.INT, value.name)


@every_strategy
@given(graph=graphs(), choices=choices, seed=st.integers(0, 1000))
def test_live_ranges_can_be_split_anywhere(strategy: str, graph: Graph, choices: list[int], seed: int) -> None:
    """Each parameter gets copies anywhere, even before its definition and in loops."""
    function = build(graph, "basic")
    source = random.Random(seed)
    watcher = ReconstructionWatcher(strategy)
    repair = Reconstruction(function, strategy, watcher)
    before = sum(len(member.parameters) for member in function.continuations)
    variables: dict[ir.Value, Variable] = {}
    copies: list[tuple[ir.Continuation, int, ir.Primitive]] = []
    for home in function.continuations:
        for value in home.parameters:
            variables[value] = variable = Variable(value.name, ir.INT)
            repair.write_variable(variable, home, value)
            for place in source.sample(function.continuations, min(2, len(function.continuations))):
                if place is not home:
                    copy = copy_of(value)
                    copies.append((place, source.randint(0, len(place.body)), copy))
                    repair.write_variable(variable, place, copy)
    for place, index, copy in copies:
        place.body.insert(index, copy)
    repair.replace_uses(variables)
    repair.finish()
    program = Program([function])
    assert not check(program)
    assert watcher.asked is None
    assert before + watcher.kept == sum(len(member.parameters) for member in function.continuations)
    expected = walk_graph(graph, choices)
    assert walk_function(function, choices, len(expected)) == expected
    prune(program)
    minimise(program)
    assert walk_function(function, choices, len(expected)) == expected


# --------------------------------------------------------------------------------------------------- whole texts


def redefine(
    program: Program,
    function: ir.Function,
    value: ir.Parameter | ir.Statement,
    definitions: dict[ir.Continuation, ir.Value],
    strategy: str = "scc",
) -> None:
    """Let the definitions in these continuations replace `value`, and repair the function."""
    repair, variable = Reconstruction(function, strategy), Variable(value.name or "", ir.INT)
    for member, definition in definitions.items():
        repair.write_variable(variable, member, definition)
    repair.replace_uses({value: variable})
    repair.finish()
    assert not check(program)


def formatted(text: str) -> str:
    return pretty(parse(Source("f.cps", text)))


def parsed(text: str) -> tuple[Program, ir.Function, dict[str, ir.Continuation]]:
    program = parse(Source("f.cps", text))
    function = program.functions[0]
    return program, function, {member.name: member for member in function.members()}


def test_figure_7_of_the_paper() -> None:
    """`a` bypasses `b`, and has its own copy of the computation in `b`."""
    program, function, members = parsed("""
        f(p : bool, y : int, ret : int → ⊥) → ⊥ {
          let
            a := () → ⊥ b()
            d := () → ⊥ b()
            b := () → ⊥ x := y + 1; let c := () → ⊥ ret(x) e := () → ⊥ ret(0) in branch(y < 0, c, e)
          in
          branch(p, a, d)
        }""")
    a, b, c = members["a"], members["b"], members["c"]
    (x,) = [statement for statement in b.body if statement.name == "x"]
    again = replace(x)
    a.body.append(again)
    assert isinstance(a.transfer, ir.Jump)
    a.transfer.edge.target = c
    redefine(program, function, x, {a: again, b: x})
    assert pretty(program) == formatted("""
        f(p : bool, y : int, ret : int → ⊥) → ⊥ {
          let
            a := () → ⊥ c(y + 1)
            d := () → ⊥
              let b := () → ⊥ x := y + 1; let e := () → ⊥ ret(0) in branch(y < 0, λ(). c(x), e) in b()
            c := (x1 : int) → ⊥ ret(x1)
          in
          branch(p, a, d)
        }""")


LOOP = """
    f(n : int, ret : int → ⊥) → ⊥ {
      let
        loop := (i : int) → ⊥
          let body := () → ⊥ done := printf("%d", n); loop(i + 1) exit := () → ⊥ ret(n) in branch(i < n, body, exit)
      in
      loop(0)
    }"""


def test_a_use_sees_the_assignments_before_it_in_its_continuation() -> None:
    program, function, members = parsed(LOOP)
    n, body = function.parameters[0], members["body"]
    (shown,) = body.body[:1]
    assert isinstance(shown, ir.Effect)
    after = ir.Effect("printf", shown.operands, ir.INT)
    copy = copy_of(n)
    body.body[:] = [shown, copy, after, *body.body[1:]]
    redefine(program, function, n, {function: n, body: copy})
    assert pretty(program) == formatted("""
        f(n : int, ret : int → ⊥) → ⊥ {
          let
            loop := (i : int, n1 : int) → ⊥
              let
                body := () → ⊥ printf("%d", n1); n2 := int(n1); printf("%d", n2); loop(i + 1, n2)
                exit := () → ⊥ ret(n1)
              in
              branch(i < n1, body, exit)
          in
          loop(0, n)
        }""")


def test_a_use_before_the_definition_in_its_continuation_has_the_value_of_the_last_iteration() -> None:
    program, function, members = parsed(LOOP)
    body, zero = members["body"], ir.Constant(ir.INT, 0)
    shown, following = body.body
    shown.operands = (shown.operands[0], following)
    repair, variable = Reconstruction(function), Variable("last", ir.INT)
    repair.write_variable(variable, function, zero)
    repair.write_variable(variable, body, following)
    repair.replace_uses({following: variable})
    repair.finish()
    assert not check(program)
    assert pretty(program) == formatted("""
        f(n : int, ret : int → ⊥) → ⊥ {
          let
            loop := (i : int, last : int) → ⊥
              let
                body := () → ⊥ printf("%d", last); v := i + 1; loop(v, v)
                exit := () → ⊥ ret(n)
              in
              branch(i < n, body, exit)
          in
          loop(0, 0)
        }""")


def test_a_value_defined_elsewhere_is_assigned_at_the_start() -> None:
    program, function, members = parsed(LOOP)
    n, seven = function.parameters[0], ir.Constant(ir.INT, 7)
    repair = Reconstruction(function)
    variable = Variable("n", ir.INT)
    repair.write_variable(variable, function, n)
    repair.write_variable(variable, members["body"], seven)
    assert repair.read_variable(variable, members["body"]) is seven
    repair.replace_uses({n: variable})
    repair.finish()
    assert 'printf("%d", 7)' in pretty(program)
    assert not check(program)


def test_a_read_gives_the_last_value_assigned_before() -> None:
    _, function, members = parsed(LOOP)
    one, two, three = (ir.Constant(ir.INT, value) for value in (1, 2, 3))
    repair, variable = Reconstruction(function), Variable("v", ir.INT)
    repair.write_variable(variable, function, one)
    repair.write_variable(variable, function, two)
    repair.write_variable(variable, members["exit"], three)
    assert repair.read_variable(variable, members["body"]) is two
    assert repair.read_variable_at_start(variable, members["exit"]) is two
    assert repair.read_variable(variable, members["exit"]) is three
    never = repair.read_variable(Variable("never", ir.INT), members["body"])
    assert isinstance(never, ir.Undef) and never.name == "never"


@every_strategy
def test_each_of_two_edges_to_one_continuation_gets_an_argument(strategy: str) -> None:
    program, function, members = parsed("""
        f(x : int, ret : int → ⊥) → ⊥ {
          let
            k := () → ⊥ branch(x < 5, m, n)
            m := () → ⊥ ret(x)
            n := () → ⊥ ret(x + 1)
          in
          switch(x, 1 ⇒ k, 2 ⇒ k, _ ⇒ m)
        }""")
    x = function.parameters[0]
    redefine(program, function, x, {function: x, members["k"]: ir.Constant(ir.INT, 0)}, strategy)
    minimise(program)
    assert not check(program)
    assert "switch(x, 1 ⇒ k, 2 ⇒ k, _ ⇒ λ(). m(x))" in pretty(program)
    assert "branch(0 < 5, λ(). m(0), n)" in pretty(program)


# ------------------------------------------------------------------------------ arguments that are not known


CALLED_IN_A_LOOP = """
g(x : int, ret : int → ⊥) → ⊥ { ret(x) }
f(x : int, ret : int → ⊥) → ⊥ {
  let while := () → ⊥ g(x, λ(v : int). let body := () → ⊥ while() exit := () → ⊥ ret(x) in branch(v < 9, body, exit))
  in while()
}"""


@every_strategy
def test_a_return_continuation_has_the_values_before_its_call(strategy: str) -> None:
    program = parse(Source("f.cps", CALLED_IN_A_LOOP))
    function = program.functions[1]
    x = function.parameters[0]
    (after,) = [member for member in function.continuations if member.parameters]
    copy = copy_of(x)
    after.body.insert(0, copy)
    redefine(program, function, x, {function: x, after: copy}, strategy)
    assert (
        pretty(Program([function]))
        == formatted("""
        f(x : int, ret : int → ⊥) → ⊥ {
          let
            while := (x1 : int) → ⊥
              g(x1, λ(v : int).
                x2 := int(x1);
                let body := () → ⊥ while(x2) exit := () → ⊥ ret(x2) in branch(v < 9, body, exit))
          in
          while(x)
        }
        g(x : int, ret : int → ⊥) → ⊥ { ret(x) }""").split("\n\n")[0]
        + "\n"
    )


def test_a_continuation_passed_once_has_the_values_where_it_is_passed() -> None:
    program, _, _ = parsed("""
        h(k : int → ⊥, ret : int → ⊥) → ⊥ {
          k(1)
        }
        f(x : int, ret : int → ⊥) → ⊥ {
          let
            there := () → ⊥
              let k := (v : int) → ⊥ ret(v + x) in h(k, ret)
          in
          branch(x < 0, there, there)
        }""")
    function = program.functions[1]
    members = {member.name: member for member in function.members()}
    x = function.parameters[0]
    redefine(program, function, x, {function: x, members["there"]: ir.Constant(ir.INT, 5)})
    assert "ret(v + 5)" in pretty(program)


@pytest.mark.parametrize(
    "transfers",
    [
        "branch(x < 0, λ(). g(x, k), λ(). g(1, k))",
        "branch(x < 0, λ(). g(x, k), λ(). k(1))",
        "branch(x < 0, λ(). h(k, ret), λ(). k(1))",
        "branch(x < 0, λ(). h(k, ret), λ(). h(k, ret))",
    ],
)
def test_a_continuation_that_may_need_a_parameter_but_cannot_get_one_is_refused(transfers: str) -> None:
    program = parse(
        Source(
            "f.cps",
            f"""
            g(x : int, ret : int → ⊥) → ⊥ {{ ret(x) }}
            h(k : int → ⊥, ret : int → ⊥) → ⊥ {{ k(1) }}
            f(x : int, ret : int → ⊥) → ⊥ {{
              let k := (v : int) → ⊥ ret(v + x) in {transfers}
            }}""",
        )
    )
    assert not check(program)
    with pytest.raises(BuildError, match="continuation k can be entered from several places, with arguments unknown"):
        Reconstruction(program.functions[2])


# -------------------------------------------------------------------------------------------------------- misuse


def test_an_unknown_strategy_is_refused() -> None:
    _, function, _ = parsed(LOOP)
    with pytest.raises(BuildError, match="there is no strategy 'cytron'; there are paper, basic, marker, scc"):
        Reconstruction(function, "cytron")


def test_a_continuation_must_be_one_of_the_function() -> None:
    _, function, _ = parsed(LOOP)
    repair, variable, other = Reconstruction(function), Variable("v", ir.INT), ir.Continuation("other")
    for misuse in (
        lambda: repair.write_variable(variable, other, ir.Constant(ir.INT, 0)),
        lambda: repair.read_variable(variable, other),
        lambda: repair.read_variable_at_start(variable, other),
    ):
        with pytest.raises(BuildError, match="continuation other does not belong to the function"):
            misuse()


def test_a_variable_is_written_before_it_is_read() -> None:
    _, function, members = parsed(LOOP)
    for read in (
        lambda repair, variable: repair.read_variable(variable, members["exit"]),
        lambda repair, variable: repair.read_variable_at_start(variable, members["exit"]),
        lambda repair, variable: repair.replace_uses({ir.Constant(ir.INT, 1): variable}),
    ):
        repair, variable = Reconstruction(function), Variable("v", ir.INT)
        repair.write_variable(variable, function, ir.Constant(ir.INT, 0))
        read(repair, variable)
        with pytest.raises(BuildError, match="variable v is written after it was read"):
            repair.write_variable(variable, function, ir.Constant(ir.INT, 1))


# ---------------------------------------------------------------------------------------------------------- size


def ladder(count: int) -> tuple[ir.Function, list[ir.Continuation]]:
    """`count` joins in a row, each with two edges from the one before. The last one returns `x`."""
    joins = [ir.Continuation(f"k{number}") for number in range(count)]
    x = ir.Parameter(ir.INT, "x")
    function = ir.Function("f", [x, ir.Parameter(ir.ContinuationType((ir.INT,)), "ret")], continuations=joins)
    for member, following in pairwise([function, *joins]):
        member.transfer = ir.Branch(ir.Constant(ir.BOOL, True), ir.Edge(following), ir.Edge(following))
    joins[-1].transfer = ir.Jump(ir.Edge(function.ret, [x]))
    return function, joins


def cost(count: int, strategy: str) -> int:
    function, joins = ladder(count)
    x, variable = function.parameters[0], Variable("x", ir.INT)
    repair = Reconstruction(function, strategy)
    repair.write_variable(variable, function, x)
    repair.write_variable(variable, joins[0], ir.Constant(ir.INT, 1))
    repair.replace_uses({x: variable})
    repair.finish()
    assert not check(Program([function]))
    assert not any(member.parameters for member in joins)
    return repair.lookups


@every_strategy
def test_ten_thousand_continuations_in_a_row_are_no_special_case(strategy: str) -> None:
    count = size(10_000)
    assert cost(count, strategy) <= 10.5 * cost(count // 10, strategy)
