"""Certificates: every conversion is certified, and every planted fault that changes the behaviour is detected."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Source, convert
from cpsconv.core import ir
from cpsconv.core.analysis.dominance import DominatorTree, Places, Scope
from cpsconv.core.check import certify, check
from cpsconv.core.check.parameters import is_minimal, is_pruned
from cpsconv.core.construction import STRATEGIES, Builder, Variable
from cpsconv.core.construction.record import FunctionRecord, Read, Record, Recorder
from cpsconv.core.long_double import LongDouble
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.runtime_errors import StepLimit
from cpsconv.core.source import Diagnostic, DiagnosticError, Span
from cpsconv.core.transform import minimise, prune
from cpsconv.core.transform.rewrite import drop_parameters, replace_values
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages.c.lowering import lower
from cpsconv.languages.c.meaning import typed
from cpsconv.languages.c.meaning.typed_tree import Unit
from cpsconv.languages.c.syntax import parse as parse_c
from testing.c_programs import random_program
from testing.effort import each_in_turn, examples, sample, size
from testing.expectations import CORPUS, EXAMPLES, expected_runs
from testing.graphs import Graph, Node, build, graphs, random_graph, walk_function, walk_graph
from testing.planting import FAULTS, planted
from testing.running import observe
from tests.core.test_minimal import has_redundant_set, received

every_strategy = pytest.mark.parametrize("strategy", [*CONSTRUCTIONS])
either = pytest.mark.parametrize("minimal", [True, False], ids=["minimal", "as constructed"])
every_fault = pytest.mark.parametrize("kind", FAULTS)


def recorded(graph: Graph, strategy: str, *, minimal: bool = True) -> tuple[ir.Program, Record]:
    """The program of a graph, and its record."""
    recorder = Recorder()
    program = ir.Program([build(graph, strategy, recorder)])
    if minimal:
        prune(program)
        minimise(program)
    return program, recorder.record


def recorded_c(text: str, strategy: str = "scc", *, minimal: bool = True) -> tuple[ir.Program, Record]:
    """The program that C text is converted to, and its record."""
    return recorded_unit(typed(parse_c(Source("program.c", text))), strategy, minimal=minimal)


def recorded_unit(unit: Unit, strategy: str, *, minimal: bool) -> tuple[ir.Program, Record]:
    """The same for C that has been parsed and typed."""
    recorder = Recorder()
    program = lower(unit, Builder(strategy, observer=recorder), [])
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


@every_strategy
def test_two_predecessors_may_have_a_value_and_a_redundant_parameter_with_this_value(strategy: str) -> None:
    """At `case 2`, `v` is the function's parameter after the `switch`, and the parameter of `case 3` after the loop."""
    text = """
    int f(int n, int v) {
        for (int i = 0; i < 2; i++)
            switch (n & 7) {
            default:;
                do {
                case 3:;
                } while (n-- > 0 && n % v);
            case 2:;
            }
        return n;
    }"""
    assert certify(*recorded_c(text, strategy, minimal=False), minimal=False) == []


@each_in_turn(path=EXAMPLES + CORPUS, strategies=[*pairwise(CONSTRUCTIONS)], minimal=(True, False))
def test_every_conversion_is_certified(path: Path, strategies: Sequence[str], minimal: bool) -> None:
    unit = typed(parse_c(Source(path.name, path.read_text())))
    for strategy in strategies:
        program, record = recorded_unit(unit, strategy, minimal=minimal)
        assert certify(program, record, minimal=minimal) == []


@pytest.mark.parametrize("seed", sample(range(8), 2))
def test_every_generated_program_is_certified(seed: int) -> None:
    text = random_program(seed)
    for strategy in STRATEGIES:
        convert(Source("generated.c", text), strategy=strategy, certify=True)
        convert(Source("generated.c", text), strategy=strategy, minimal=False, certify=True)


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


@cache
def tally(kind: str) -> Tally:
    """The tally of the faults of a kind in graphs and in C programs."""
    found = Tally()
    for name, function, (program, record), is_as_before in (*right_graphs(), *right_c_programs()):
        for seed in range(2):
            with planted(function, kind, seed) as is_planted:
                if is_planted:
                    certified = not certify(program, record, minimal=False)
                    found.add(f"{kind}, seed {seed}, in {name}", changes=not is_as_before(), certified=certified)
    return found


Right = tuple[str, ir.Function, tuple[ir.Program, Record], Callable[[], bool]]
"""The name of a program, a function to plant a fault in, program and record, and whether it behaves as before."""


@cache
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


QUICK = """bisection bits calendar duff fig6 gcd number_scanner power roman break_and_continue calls_in_expressions
conditional_operator copies_of_copies goto_between_loops goto_into_a_loop irreducible_nested lost_copy_in_a_loop
mutual_recursion recursion sorting_network state_machine_in_a_switch switch_fall_through swap_in_a_loop"""


@cache
def right_c_programs() -> list[Right]:
    """C programs with short runs. They behave as before if they do what their comments expect."""
    found: list[Right] = []
    for path in EXAMPLES + CORPUS:
        if path.stem in QUICK.split():
            text = path.read_text()
            pair = recorded_c(text)
            for function in pair[0].functions:
                name = f"{function.name} of {path.name}"
                found.append((name, function, pair, partial(does_as_it_says, pair[0], text)))
    return found


def does_as_it_says(program: ir.Program, text: str) -> bool:
    """Whether the program is sound and does what the comments in its text expect within a number of steps."""
    try:
        return not check(program) and all(
            observe(program, run.arguments, max_steps=3000) == run.expected for run in expected_runs(text)
        )
    except StepLimit:
        return False


@every_fault
def test_every_fault_that_changes_the_behaviour_is_detected(kind: str) -> None:
    assert tally(kind).escaped == []
    assert tally(kind).changing > 0


def test_there_are_more_than_five_hundred_such_faults() -> None:
    tallies = [tally(kind) for kind in FAULTS]
    assert sum(each.changing for each in tallies) > 500
    assert sum(each.caught for each in tallies) > sum(each.changing for each in tallies)


def test_programs_are_correct_again_without_the_faults() -> None:
    for kind in FAULTS:
        tally(kind)
    for _, _, (program, record), is_as_before in (*right_graphs(), *right_c_programs()):
        assert certify(program, record, minimal=False) == []
        assert is_as_before()


# ---------------------------------------------------------------------------------------------------- messages


LOOP = """\
int f(int n) {
    int a = 0, b = 1;
    while (n > 0) {
        int c = a;
        a = b;
        b = c + b;
        n = n - 1;
    }
    return a;
}
"""


def loop() -> tuple[ir.Program, Record, dict[str, ir.Continuation]]:
    """The program of `LOOP`, its record, and its continuations by name."""
    program, record = recorded_c(LOOP)
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
program.c:7:9: error: certificate: on the edge from `body` to `while`, `a` is the parameter `b`, but the result of `+` \
is passed for it
    7 |         n = n - 1;
      |         ^^^^^^^^^
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
    assert messages(program, {}) == ["certificate: there is no record of `f`"]
    assert messages(program, record) == []


STRANGER = ir.Function("k", transfer=ir.Jump(ir.Edge(ir.HALT, [ir.Constant(ir.INT, 0)])))
THREE = "int g(int x) { return x; } static int h(int x) { return x + 1; } int f(int x) { return x + 2; }"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda g, h, f: [g, f], ["`h` is missing"]),
        (lambda g, h, f: [g, h, f, STRANGER], ["there is no record of `k`"]),
        (lambda g, h, f: [], ["`g` is missing", "`h` is missing", "`f` is missing"]),
        (lambda g, h, f: [h, g, f], ["the functions are not in the order of the source"]),
    ],
)
def test_the_functions_are_those_of_the_source(change: Callable[..., list[ir.Function]], expected: list[str]) -> None:
    program, record = recorded_c(THREE)
    assert messages(program, record) == []
    program.functions = change(*program.functions)
    assert messages(program, record) == [f"certificate: {message}" for message in expected]


def test_a_function_keeps_name_and_type() -> None:
    program, record = recorded_c(THREE)
    program.functions[1].name = "k"
    assert messages(program, record) == ["certificate: `k` is named `h` in the source"]
    program, record = recorded_c("int f(int x) { return 1; }")
    program.functions[0].parameters[0].type = ir.LONG
    assert messages(program, record) == [
        "certificate: `f` is of type `(long, int → ⊥) → ⊥`, but in the source of type `(int, int → ⊥) → ⊥`"
    ]


def test_a_variable_that_is_expected_to_keep_its_value_must_not_have_two() -> None:
    """If a parameter is replaced by one of its arguments, the edge with the other argument has an error."""
    program, record, members = loop()
    header = members["while"]
    index = [parameter.name for parameter in header.parameters].index("b")
    dropped = header.parameters[index]
    first = members["f"].transfer.edge.arguments[index]
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
    ]


def test_a_value_of_an_earlier_iteration_is_not_the_current_one() -> None:
    """After ``y = x; x = x + 1;``, the loop's parameter for `x` is not `y` in the next iteration."""
    program, record = recorded_c("int f(int n) { int x = 0, y = 0; while (n-- > 0) { y = x; x = x + 1; } return y; }")
    (function,) = program.functions
    header = function.continuations[0]
    parameters = {parameter.name: parameter for parameter in header.parameters}
    drop_parameters(function, {parameters["y"]})
    replace_values(function, {parameters["y"]: parameters["x"]})
    assert check(program) == []
    assert messages(program, record) == ["certificate: the parameter `x` is used here instead of `0`"]


# ------------------------------------------------------------------------------------- every field of a program

EVERY_PART = """
struct pair { int x; long y; };
union both { int i; float f; };
struct pair origin = { 1, 2 };
static const char text[] = "seven";
const char *names[2] = { "one", text + 1 };
union both either;
int (*operation)(int);
_Alignas(64) int wide[2] = { 3, 4 };
__attribute__((weak)) int replaceable = 5;
_Thread_local int own;
extern int elsewhere;
__attribute__((weak)) extern int perhaps(void);
int printf(const char *, ...);
struct pair moved(struct pair p, int by);
static inline __attribute__((always_inline)) int twice(int n) { return 2 * n; }
__attribute__((weak)) int replaced(struct pair p) { return p.x; }
int (*operation)(int) = twice;
static double half(long double d) { return d * 0.5 - 1.5L; }
int spare = 9;
int f(int n) {
    int unset, sum = 0, *p = __builtin_alloca(8);
    _Alignas(32) struct pair q = moved(origin, 3);
    for (int i = 0; i < n; i++) {
        switch (i) { case 1: sum += wide[i]; break; case 2: sum -= elsewhere; break; default: printf("%d\\n", sum); }
        sum += operation(q.x) + names[1][0] + either.i + own;
    }
    *p = unset;
    if (n > 7) return replaced(q) + (int)half(n) + perhaps();
    return sum + *p + replaceable;
}
"""
"""A program with every class of nodes, and with every kind of linkage."""

PROCEDURES = """
MODULE nest;
VAR count: INTEGER;
PROCEDURE outer(n: INTEGER): INTEGER;
  VAR sum: INTEGER;
  PROCEDURE add(by: INTEGER);
  BEGIN sum := sum + by; count := count + n END add;
BEGIN sum := 0; add(n); add(2); RETURN sum END outer;
END nest.
"""
"""A program with nested functions, and with names in object files that differ from those of the program."""

WITHOUT_MEANING = {
    (ir.Continuation, "name"): "a hint for texts",
    (ir.Continuation, "span"): "for texts and messages about the construction",
    (ir.Parameter, "name"): "a hint for texts, except in the parameters of a function, which are compared",
    (ir.Parameter, "span"): "as the name",
    (ir.Function, "free"): "computed: a value that is missing is out of scope, and a further one is not used",
    (ir.Program, "counts"): "statistics",
    (ir.Program, "variables"): "statistics",
}
"""The fields that a certificate ignores, with the reason. Any other field, also a new one, is tested."""


def nodes_of(program: ir.Program) -> list[Any]:
    """Every object with fields that the program consists of."""
    found: dict[int, Any] = {}
    pending: list[Any] = [program]
    for value in pending:  # grows
        if isinstance(value, (list, tuple)):
            pending += value
        elif isinstance(value, Mapping):
            pending += [*value.keys(), *value.values()]
        elif has_fields(value) and id(value) not in found:
            found[id(value)] = value
            pending += [getattr(value, each) for each in fields_of(value)]
    return [*found.values()]


def has_fields(value: Any) -> bool:
    """Whether a value is a node or a part of one; the externals are those of the run-time environment."""
    is_node = isinstance(type(value), NodeType) and type(value) is not ir.External
    return is_node or isinstance(value, ir.CSignature)


def fields_of(node: Any) -> list[str]:
    """The names of its fields that have a meaning."""
    return [each for each in type(node).__match_args__ if (type(node), each) not in WITHOUT_MEANING]


def changed(value: Any) -> list[Any]:
    """Other values of the same class, made from a value."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case float() | LongDouble():
            return [-value]
        case str():
            return [value + "x"]
        case bytes():
            return [
                value[:-1],
                value + b"x",
                *(value[:i] + bytes([each ^ 1]) + value[i + 1 :] for i, each in enumerate(value)),
            ]
        case list() | tuple():
            kind = type(value)
            parts = [(i, other) for i, each in enumerate(value) for other in changed(each)]
            whole = [value[:-1], value[::-1]] if len({*map(type, value)}) == 1 else []
            return whole + [kind([*value[:i], other, *value[i + 1 :]]) for i, other in parts]
        case Mapping():
            fewer = [{key: each for key, each in value.items() if key != out} for out in value]
            return fewer + [{**value, key: other} for key, each in value.items() for other in changed(each)]
        case Span():
            return [Span(value.source, value.start, value.end + 1)]
        case ir.Scalar():
            return [ir.SHORT if value is not ir.SHORT else ir.CHAR]
        case ir.Array():
            return [ir.Array(value.element, value.length + 1)]
        case ir.ContinuationType():
            return [ir.ContinuationType((*value.parameters, ir.INT))]
        case Source():
            return [Source("other.c", "")]
    return []


def other_values(node: Any, field: str, nodes: Sequence[Any]) -> list[Any]:
    """Other values of a field of a node: made from its value, and some of other nodes."""
    value = getattr(node, field)
    alike = [each for each in nodes if isinstance(each, type(node)) or isinstance(node, type(each))]
    others = [getattr(each, field) for each in alike if hasattr(each, field)]
    others += [each for each in nodes if isinstance(type(value), NodeType) and type(each) is type(value)]
    if field == "continuations":  # in any order
        return [other for other in (*changed(value), *others) if {*other} != {*value}]
    found = [other for other in changed(value) if other != value]
    if found and not isinstance(value, (list, tuple)):
        return found
    differing = [other for other in others if other != value or type(other) is not type(value)]
    return found + differing[:1] + differing[-1:]


def recorded_program(text: str) -> tuple[ir.Program, Record]:
    """The program of a text in C or tinylang, and its record."""
    record: dict[ir.Function, FunctionRecord] = {}
    return convert(Source("nest.mod" if "MODULE" in text else "parts.c", text), record=record), record


@pytest.mark.parametrize("text", [EVERY_PART, PROCEDURES], ids=["C", "tinylang"])
def test_a_certificate_covers_every_field_of_every_node(text: str) -> None:
    program, record = recorded_program(text)
    nodes = [node for node in nodes_of(program) if node in program.functions or getattr(node, "name", None) != ""]
    declared = {id(each) for function in (*program.functions, *program.externals) for each in function.parameters}
    accepted = []
    for node in nodes:
        for name in type(node).__match_args__ if id(node) in declared else fields_of(node):
            value = getattr(node, name)
            for other in other_values(node, name, nodes):
                object.__setattr__(node, name, other)
                if not certify(program, record):
                    accepted.append((type(node).__name__, name, value, other))
            object.__setattr__(node, name, value)
    assert accepted == []
    assert certify(program, record) == []


def test_the_two_programs_have_every_class_of_nodes() -> None:
    classes = {each for each in vars(ir).values() if isinstance(each, NodeType)} - {ir.External}
    assert {*map(type, nodes_of(recorded_program(EVERY_PART)[0]))} >= classes
    assert recorded_program(PROCEDURES)[0].symbols


def named(items: Sequence[Any], name: str) -> Any:
    (found,) = [each for each in items if each.name == name]
    return found


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda p: setattr(named(p.data, "wide"), "content", b"\3\0\0\0\5"), "the field `content` of `wide` is not"),
        (lambda p: named(p.data, "names").addresses.pop(0), "the field `addresses` of `names` is not"),
        (lambda p: setattr(named(p.data, "text"), "is_constant", False), "the field `is_constant` of `text` is not"),
        (lambda p: setattr(named(p.externals, "moved"), "name", "shifted"), "`shifted` is named `moved` in the source"),
        (lambda p: setattr(named(p.functions, "f"), "is_weak", True), "the field `is_weak` of `f` is not"),
        (lambda p: setattr(named(p.functions, "twice"), "is_static", False), "the field `is_static` of `twice` is not"),
        (lambda p: p.data.remove(named(p.data, "spare")), "`spare` is missing"),
        (lambda p: p.data.append(ir.Data("more", ir.INT)), "there is no record of `more`"),
        (lambda p: p.data.reverse(), "the data are not in the order of the source"),
        (lambda p: p.externals.append(ir.Function("more", [])), "there is no record of `more`"),
        (lambda p: named(p.structs, "pair").fields.pop("y"), "the field `fields` of `pair` is not"),
        (lambda p: setattr(named(p.externals, "perhaps"), "transfer", p.functions[0].transfer), "`perhaps` has a body"),
        (lambda p: setattr(named(p.data, "either"), "name", "origin1"), "`origin1` is named `either` in the source"),
    ],
)
def test_a_part_that_differs_from_that_of_the_source_is_reported(
    change: Callable[[ir.Program], Any], expected: str
) -> None:
    program, record = recorded_program(EVERY_PART)
    change(program)
    (message,) = messages(program, record)
    assert message.startswith(f"certificate: {expected}")


def test_structs_and_data_with_a_name_that_is_taken_get_a_number() -> None:
    text = 'int f(void) { static int n = 1; return n; } char *g(void) { return "a"; } char *h(void) { return "b"; }'
    program, record = recorded_program(text)
    assert [each.name for each in program.data] == ["f.n", "string", "string1"]
    assert messages(program, record) == []
    program.data[0].name = "n1"
    assert messages(program, record) == ["certificate: `n1` is named `f.n` in the source"]


@pytest.mark.parametrize("faulty", ["prune", "minimise", "_thread_jumps"])
@pytest.mark.parametrize("text", [EVERY_PART, 'char a[] = "x";'], ids=["functions", "data alone"])
def test_a_pass_that_changes_data_is_found(faulty: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(program: ir.Program, *_: object, **__: object) -> list[Diagnostic]:
        program.data[0].content = b"?"
        return []

    convert(Source("p.c", text), certify=True, thread_jumps=True)
    monkeypatch.setattr(f"cpsconv.pipeline.{faulty}", change)
    with pytest.raises(DiagnosticError, match="certificate: the field `content` of"):
        convert(Source("p.c", text), certify=True, thread_jumps=True)


# ------------------------------------------------------------------------------------------- errors of front ends


def test_a_value_used_where_no_read_has_returned_it_is_an_error_of_the_front_end() -> None:
    """A front end that reads a variable in one arm, and uses the value in the other."""
    recorder = Recorder()
    b = Builder(observer=recorder)
    x = Variable("x", ir.INT)
    b.function("f", [("n", ir.INT)], ir.INT)
    loop, one, other, end = map(b.continuation, ["loop", "one", "other", "end"])
    b.write_variable(x, ir.Constant(ir.INT, 0))
    b.jump(loop)
    b.enter(loop)
    b.branch(ir.Constant(ir.BOOL, True), one, other)
    b.seal(one)
    b.enter(one)
    kept = b.read_variable(x)
    b.write_variable(x, b.primitive("+", kept, ir.Constant(ir.INT, 1)))
    b.jump(loop)
    b.seal(loop)
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


# ------------------------------------------------------------------------------------------- pruned and minimal


def test_a_variable_that_is_read_but_not_used_has_no_parameter() -> None:
    text = "int f(int x) { int a = 1; if (x) a = 2; a; return x; }"
    program, record = recorded_c(text, minimal=False)
    assert messages(program, record) == ["certificate: the parameter `a` is never used"]
    assert messages(program, record, minimal=False) == []
    assert certify(*recorded_c(text)) == []


def test_a_copy_that_is_not_used_has_no_parameter() -> None:
    text = "int f(int x) { int a = 1, b; if (x) a = 2; b = a; return x; }"
    program, record = recorded_c(text, minimal=False)
    assert messages(program, record) == ["certificate: the parameter `a` is never used"]
    assert certify(*recorded_c(text)) == []


FIGURE_5 = (Path(__file__).parents[2] / "examples" / "fig5.c").read_text(encoding="utf-8")


def test_a_redundant_set_is_not_minimal() -> None:
    program, record = recorded_c(FIGURE_5, "basic", minimal=False)
    found = messages(program, record)
    assert len(found) == 2
    assert {message.partition("` ")[2] for message in found} == {"is always equal to `10`"}
    assert certify(*recorded_c(FIGURE_5, "basic")) == []


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


@given(parents=st.lists(st.integers(0, 30), min_size=1, max_size=25), dice=st.randoms())
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
