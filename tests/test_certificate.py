"""Certificates: every conversion is certified, and every planted fault that changes the behaviour is detected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cpsconv import Source, convert
from cpsconv.core import ir
from cpsconv.core.check import certify, check
from cpsconv.core.construction import STRATEGIES, Builder
from cpsconv.core.construction.record import FunctionRecord, Record, Recorder
from cpsconv.core.long_double import LongDouble
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.runtime_errors import StepLimit
from cpsconv.core.source import DiagnosticError, Span
from cpsconv.core.transform import minimise, prune
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages.c.lowering import lower
from cpsconv.languages.c.meaning import typed
from cpsconv.languages.c.meaning.typed_tree import Unit
from cpsconv.languages.c.syntax import parse as parse_c
from testing.c_programs import random_program
from testing.effort import each_in_turn, sample
from testing.expectations import CORPUS, EXAMPLES, expected_runs
from testing.running import observe
from tests.core.test_certificate import Right, all_that_change_the_behaviour_are_detected, every_strategy, messages


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


QUICK = """bisection bits calendar duff fig6 gcd number_scanner power roman break_and_continue calls_in_expressions
conditional_operator copies_of_copies goto_between_loops goto_into_a_loop irreducible_nested lost_copy_in_a_loop
mutual_recursion recursion sorting_network state_machine_in_a_switch switch_fall_through swap_in_a_loop"""


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


def test_every_fault_in_a_c_program_that_changes_the_behaviour_is_detected() -> None:
    all_that_change_the_behaviour_are_detected(right_c_programs(), 17, 900)


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
    def change(program: ir.Program, *_: object, **__: object) -> None:
        program.data[0].content = b"?"

    convert(Source("p.c", text), certify=True, thread_jumps=True)
    monkeypatch.setattr(f"cpsconv.pipeline.{faulty}", change)
    with pytest.raises(DiagnosticError, match="certificate: the field `content` of"):
        convert(Source("p.c", text), certify=True, thread_jumps=True)


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


FIGURE_5 = (Path(__file__).parents[1] / "examples" / "fig5.c").read_text(encoding="utf-8")


def test_a_redundant_set_is_not_minimal() -> None:
    program, record = recorded_c(FIGURE_5, "basic", minimal=False)
    found = messages(program, record)
    assert len(found) == 2
    assert {message.partition("` ")[2] for message in found} == {"is always equal to `10`"}
    assert certify(*recorded_c(FIGURE_5, "basic")) == []
