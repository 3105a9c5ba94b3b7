"""Certificates: every conversion is certified, and every planted fault that changes the behaviour is detected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from cpsconv import Source, convert
from cpsconv.core import ir
from cpsconv.core.check import certify
from cpsconv.core.construction.record import FunctionRecord, Record
from cpsconv.core.floating import LongDouble
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Diagnostic, DiagnosticError, Span
from testing.effort import is_full
from tests.core.test_certificate import messages
from tests.tables import table


def recorded_c(text: str, strategy: str = "scc", *, minimal: bool = True) -> tuple[ir.Program, Record]:
    """The program that C text is converted to, and its record."""
    record: dict[ir.Function, FunctionRecord] = {}
    return convert(Source("program.c", text), strategy=strategy, minimal=minimal, record=record), record


# ------------------------------------------------------------------------------------- every field of a program

PROGRAMS = table("certificate")
"""The longer programs of these tests."""

EVERY_PART = "\n" + PROGRAMS["EVERY_PART"]
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


TYPES = (ir.Scalar, ir.ContinuationType, ir.Array)


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
    """Whether a value is a node or a part of one.

    Externals are those of the run-time environment, and types are values that program and record share.
    """
    return isinstance(type(value), NodeType) and type(value) not in (ir.External, *TYPES)


def fields_of(node: Any) -> list[str]:
    """The names of its fields that have a meaning."""
    return [each for each in type(node).__match_args__ if (type(node), each) not in WITHOUT_MEANING]


def changed(value: Any) -> list[Any]:
    """Other values of the class of a value."""
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
    """Other values of a field of a node: changes of its value, and some values of other nodes."""
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
    tried: Counter[tuple[type, str]] = Counter()
    for node in nodes:
        for name in type(node).__match_args__ if id(node) in declared else fields_of(node):
            tried[type(node), name] += 1
            if tried[type(node), name] > 4 and not is_full():
                continue
            value = getattr(node, name)
            for other in other_values(node, name, nodes):
                object.__setattr__(node, name, other)
                if not certify(program, record):
                    accepted.append((type(node).__name__, name, value, other))
            object.__setattr__(node, name, value)
    assert accepted == []
    assert certify(program, record) == []


def test_the_two_programs_have_every_class_of_nodes() -> None:
    classes = {each for each in vars(ir).values() if isinstance(each, NodeType)} - {
        ir.External,
        ir.ForeignTransfer,
        *TYPES,
    }
    assert {*map(type, nodes_of(recorded_program(EVERY_PART)[0]))} >= classes
    assert "c.symbol" in recorded_program(PROCEDURES)[0].functions[0].attributes


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
        (
            lambda p: setattr(named(p.functions, "f"), "attributes", {"x.y": True}),
            "the field `attributes` of `f` is not",
        ),
        (lambda p: setattr(named(p.functions, "twice"), "attributes", {}), "the field `attributes` of `twice` is not"),
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
