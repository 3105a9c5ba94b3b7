"""Attributes: names with static values, which the text, JSON and all passes keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from cpsconv import Builder, BuildError, DiagnosticError, Program, Source, Variable, convert, ir, parse, pretty
from cpsconv.abi.linking import link
from cpsconv.core.attributes import ATTRIBUTES, KEYWORDS, Attribute, register
from cpsconv.core.check import certify, check
from cpsconv.core.check.independent import independent_faults
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.construction.record import Recorder
from cpsconv.core.erasure import copied
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import BOOL, INT, Constant
from cpsconv.core.json import from_json, to_json
from cpsconv.core.json.record import record_to_json
from cpsconv.core.layout import laid_out
from cpsconv.core.operations.completeness import Unspelled
from cpsconv.core.operations.misuse import attributed
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.table import PRIMITIVES
from cpsconv.core.text import reformat
from cpsconv.core.transform.expansion import expanded
from cpsconv.core.transform.jump_threading import thread_jumps
from cpsconv.core.transform.memory_accesses import simplify_accesses
from cpsconv.targets.llvm import llvm
from tests.tables import table

PROGRAMS = table("attributes")
"""The longer programs of these tests."""

TEXT = PROGRAMS["TEXT"]


def namelessness(statement: ir.Statement) -> str | None:
    """What is wrong with a statement without a name."""
    return None if statement.name else "it has no name"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The attributes of a made-up language."""
    before = dict(ATTRIBUTES)
    register(
        Attribute("ml.label", "string", ["statement"], is_unique=True),
        Attribute("ml.order", "int", ["parameter"]),
        Attribute("ml.pooled", "flag", ["statement"], check=f"{__name__}:namelessness"),
        Attribute("ml.opens", "string", ["statement"], states="resource"),
        Attribute("ml.fixed", "string", ["data"], states="constant bytes"),
    )
    monkeypatch.setitem(KEYWORDS, "from pool", "ml.pooled")
    yield
    ATTRIBUTES.clear()
    ATTRIBUTES.update(before)


def test_attributes_of_all_parts_are_read_and_written() -> None:
    assert reformat(Source("a.cps", TEXT)) == TEXT
    program = parse(TEXT)
    assert pretty(program) == re.sub(r" // .*|(?m:^// .*\n)", "", TEXT)
    assert [(place, *part.attributes) for place, part in attributed(program)] == [
        ("program", "ml.triple", "ml.level"),
        ("external data", "ml.dll"),
        ("data", "ml.hot", "ml.section"),
        ("external", "ml.f"),
        ("function", "ml.f", "ml.x", "local"),
        ("parameter", "ml.inreg"),
        ("parameter", "ml.pass"),
        ("parameter", "ml.z"),
        ("statement", "ml.fast"),
        ("statement", "ml.a-b"),
    ]
    assert program.functions[0].attributes == {"ml.f": True, "ml.x": -5, "local": True}
    assert program.functions[0].parameters[0].attributes == {"ml.pass": program.structs[0]}
    for layout in ("nested", "flat"):
        text = pretty(program, layout=layout, ascii=True)
        assert pretty(parse(text), layout=layout, ascii=True) == text


def test_json_keeps_attributes() -> None:
    program = parse(TEXT)
    again = from_json(to_json(program))
    assert pretty(again) == pretty(program)
    assert again.functions[0].parameters[0].attributes == {"ml.pass": again.structs[0]}


@pytest.mark.parametrize(
    ("value", "reason"),
    [("2.5", "is not of type"), ("false", "is not true"), ('{"type": "text"}', "one of"), ("[]", "is not")],
)
def test_json_with_other_values_of_attributes_is_refused(value: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        from_json(to_json(parse(TEXT)).replace('"ml.level": 3', f'"ml.level": {value}'))


VALUES: list[bool | int | str | ir.ObjectType] = [
    *(True, 0, 2**31, -(2**63), "", 'é→𝄞\n"\0', "Ã©", "\\351"),
    *(ir.Array(INT, 3), ir.Array(ir.Array(ir.integer_type(24, signed=True), 3), 0), ir.foreign_type("a b"), ir.INTEGER),
    *(ir.STRING, ir.FURTHER_FLOATS["float<16>"]),
]


def with_value(value: Any) -> Builder:
    """A program whose function, parameter and statement have an attribute with the value."""
    b = Builder()
    function = b.function("f", [("x", INT)], INT)
    (x, _), function.attributes = function.parameters, {"ml.a": value}
    x.attributes = {"ml.a": value}
    b.ret(b.primitive("+", x, x, attributes={"ml.a": value}))
    b.finish()
    return b


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_the_text_and_json_keep_each_value_that_the_builder_accepts(value: bool | int | str | ir.ObjectType) -> None:
    program = with_value(value).program()
    assert check(program) == []
    for again in parse(pretty(program)), from_json(to_json(program)):
        assert [part.attributes for _, part in attributed(again)] == [{"ml.a": value}] * 3
        assert pretty(again) == pretty(program)


@pytest.mark.parametrize(
    "value", [2**63, -(2**63) - 1, False, 2.5, None, "\ud800", ir.VOID, ir.Array(INT, -1), ir.Array(INT, 2**40)]
)
def test_other_values_of_attributes_are_refused(value: Any) -> None:
    with pytest.raises(BuildError, match=r"ml\.a.* is no integer of 64 bits, string or type"):
        with_value(value)


@pytest.mark.parametrize("name", ["", "ml.a`b", "ml.\n", "ml.\ud800"])
def test_names_of_attributes_that_the_text_cannot_have_are_refused(name: str) -> None:
    program = with_value(True).program()
    program.functions[0].attributes = {name: True}
    assert [each.message for each in check(program)] == [f"{name!r} is no name of an attribute"]


def test_strings_of_earlier_texts_are_read() -> None:
    program = parse('@ml.a("\\351") @ml.b("é") @ml.c("a\\n") f(ret : () → ⊥) → ⊥ { ret() }')
    assert program.functions[0].attributes == {"ml.a": "é", "ml.b": "é", "ml.c": "a\n"}


def test_json_with_half_a_character_is_refused() -> None:
    text = to_json(with_value("😀").program())
    assert from_json(text).functions[0].attributes == {"ml.a": "😀"}
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        from_json(text.replace("\\ude00", "", 1))


@pytest.mark.parametrize("stated", ["", "x", "9-1", "1-2 zz", "0-4", "0", "1-2  3-3"])
def test_the_constant_bytes_of_data_are_ranges_of_its_bytes(stated: str) -> None:
    text = '@constant_bytes("{}") data d := 3\nf(ret : () → ⊥) → ⊥ {{ ret() }}'
    program = parse(text.format("0-1 3-3"))
    assert check(program) == [] and program.data[0].constant_bytes == [range(2), range(3, 4)]
    with pytest.raises(DiagnosticError, match="has no ranges of its bytes, such as `4-7 12-15`"):
        parse(text.format(stated))
    program.data[0].attributes = {"constant_bytes": stated}
    assert [each.rule for each in check(program)] == ["type-mismatch"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@nothing", "there is no attribute `nothing`"),
        ("@ml.a @ml.a", "the attribute `ml.a` is given twice"),
        ("@ml.a(2.5)", "the value of an attribute is an integer, a string or a type"),
        ("@ml.a(thing)", "there is no type `thing`"),
        ("@ml.order(1)", "the attribute `ml.order` is not one of a function with a body"),
    ],
)
@pytest.mark.usefixtures("registered")
def test_wrong_attributes_are_reported_where_they_are(text: str, message: str) -> None:
    source = Source("a.cps", f"{text} f(ret : () → ⊥) → ⊥ {{ ret() }}")
    with pytest.raises(DiagnosticError, match=message) as caught:
        parse(source)
    (found,) = caught.value.diagnostics
    assert found.span and found.span.start < len(text)


def test_a_struct_and_another_name_have_no_attributes() -> None:
    with pytest.raises(DiagnosticError, match="before a struct, which has none"):
        parse("@ml.a struct s { x : int } f(ret : () → ⊥) → ⊥ { ret() }")
    with pytest.raises(DiagnosticError, match="only another name"):
        parse("f(x : int, ret : int → ⊥) → ⊥ { @ml.a y := x; ret(y) }")


@pytest.mark.usefixtures("registered")
def test_the_check_finds_attributes_that_a_part_cannot_have() -> None:
    program = parse(TEXT)
    assert check(program) == []
    program.functions[0].parameters[0].attributes = {
        "ml.order": "first",
        "ml.label": "x",
        "ml.t": laid_out("other", [("x", INT)]),
    }
    assert [each.message for each in check(program)] == [
        "the attribute `ml.order` has an integer",
        "the attribute `ml.label` is not one of a parameter",
        "the type `other` of the attribute `ml.t` does not belong to this program",
    ]


@pytest.mark.usefixtures("registered")
def test_an_attribute_has_a_keyword_after_allocations_and_a_check() -> None:
    text = "f(ret : () → ⊥) → ⊥ {\n  v := allocate int from pool;\n  deallocate(v);\n  ret()\n}\n"
    program = parse(text)
    variable, end = program.functions[0].body
    assert variable.attributes == {"ml.pooled": True} and pretty(program) == text
    with pytest.raises(DiagnosticError, match="expected `pool`, found `stock`"):
        parse(text.replace("pool", "stock"))
    end.attributes = variable.attributes
    assert [each.message for each in check(program)] == ["it has no name"]
    assert "@ml.pooled deallocate" in pretty(program)


@pytest.mark.usefixtures("registered")
def test_attributes_state_facts_about_objects_in_memory() -> None:
    text = '@ml.fixed("1-2") data d := 5\nf(ret : () → ⊥) → ⊥ {{ @ml.opens("door") v := malloc(4ul); {}; ret() }}'
    for statement, message in (
        ("char[char.at(d, 2)] := 'a'", "but a part of `d` is constant"),
        ("free(v); free(v)", "the door opened on line 2 was closed on line 2, and is freed"),
    ):
        with pytest.raises(ProgramError, match=message):
            evaluate(parse(text.format(statement)), "f")


@pytest.mark.usefixtures("registered")
def test_an_attribute_is_registered_once() -> None:
    register(ATTRIBUTES["ml.order"])  # the same again
    with pytest.raises(ValueError, match=r"ml\.order is registered twice"):
        register(Attribute("ml.order", "int", ["statement"]))
    for wrong in (
        Attribute("ml.new", "number", ["statement"]),
        Attribute("ml.new", "string", ["transfer"]),
        Attribute("ml.new", "string", ["statement"], states="colour"),
    ):
        with pytest.raises(ValueError, match=r"ml\.new has an unknown kind, place or fact"):
            register(wrong)


# ------------------------------------------------------------------------------------------------------- the Builder


@pytest.mark.usefixtures("registered")
def test_the_builder_takes_the_attributes_of_statements() -> None:
    b = Builder()
    function = b.function("f", [("x", INT)], INT)
    x = function.parameters[0]
    total = b.primitive("+", x, x, attributes={"ml.label": "sum"})
    b.effect(
        "printf",
        Constant(ir.STRING, "%ld"),
        b.convert(ir.LONG, total, attributes={"ml.a": True}),
        attributes={"ml.b": 2},
    )
    with pytest.raises(BuildError, match="there is no attribute `wrong`"):
        b.primitive("+", x, x, attributes={"wrong": True})
    with pytest.raises(BuildError, match=r"the attribute `ml\.label` has a string"):
        b.effect("puts", Constant(ir.STRING, "x"), attributes={"ml.label": True})
    b.ret(total)
    b.finish()
    assert [each.attributes for each in b.program().statements()] == [{"ml.label": "sum"}, {"ml.a": True}, {"ml.b": 2}]


@pytest.mark.usefixtures("registered")
def test_the_builder_takes_the_attributes_of_other_parts() -> None:
    b = Builder()
    b.attributes = {"ml.version": 2}
    b.data("d", INT, attributes={"local": True})
    b.external_data("e", INT, attributes={"replaceable": True})
    b.external("setjmp", [("b", ir.PTR)], INT, attributes={"ml.own": 1})
    b.declare("f", [], INT, attributes={"local": True}).parameters[0].attributes = {"ml.order": 3}
    b.function("f", [], INT)
    b.ret(Constant(INT, 0))
    function = b.finish()
    assert (
        pretty(b.program())
        == """\
@ml.version(2);
weak extern e : int
static data d := 0
@returning_again @ml.own(1) extern setjmp(b : ptr, ret : int → ⊥) → ⊥

static f(@ml.order(3) ret : int → ⊥) → ⊥ {
  ret(0)
}
"""
    )
    function.attributes = {"ml.order": 3}
    with pytest.raises(BuildError, match=r"the attribute ml\.order is not one of a function with a body"):
        b.program()


def test_a_common_subexpression_keeps_the_attributes_that_both_have() -> None:
    b = Builder(simplify=["cse", "arithmetic"])
    x = b.function("f", [("x", INT)], INT).parameters[0]
    first = b.primitive("*", x, x, attributes={"ml.a": 1, "ml.b": 2, "ml.c": 3})
    second = b.primitive("*", x, x, attributes={"ml.c": 3, "ml.b": 4})
    assert first is second and isinstance(first, ir.Primitive) and first.attributes == {"ml.c": 3}
    assert b.primitive("+", first, Constant(INT, 0)) is first and first.attributes == {"ml.c": 3}
    assert b.primitive("*", x, x) is first and first.attributes == {}


def test_a_load_that_replaces_another_keeps_the_attributes_that_both_have() -> None:
    program = parse(
        """\
f(p : ptr, q : ptr, ret : int → ⊥) → ⊥ {
  @ml.nonzero @ml.both(1) v := int[p];
  @ml.both(1) @ml.other w := int[p];
  @ml.sum x := v + w;
  int[q] := x;
  @ml.removed y := int[q];
  ret(y)
}
"""
    )
    simplify_accesses(program)
    assert [each.attributes for each in program.statements()] == [{"ml.both": 1}, {"ml.sum": True}, {}]
    assert pretty(program).endswith("int[q] := x;\n  ret(x)\n}\n")


EXPANDED = """\
f(@ml.range(9) x : int<24>, @ml.finite y : float<16>, @ml.t(int<24>[2]) p : ptr, ret : int → ⊥) → ⊥ {
  @llvm.nsw v := x * x;
  @llvm.exact q := unsigned<24>(x) / 5u24;
  @ml.finite z := y + y;
  @ml.finite w := float<16>[p];
  @ml.volatile float<16>[p] := z + w;
  @ml.likely b := v != x;
  ret(int(b) + int(q))
}
"""


def test_an_expanded_operation_loses_its_attributes_in_the_copy() -> None:
    program = parse(EXPANDED)
    before = pretty(program)
    copy = expanded(program, Unspelled({op: None for op in PRIMITIVES if op != "!="}))
    assert [each.attributes for each in copy.functions[0].parameters] == [
        {"ml.range": 9},
        {},
        {"ml.t": ir.Array(INT, 2)},
        {},
    ]
    kept = [(each.op, each.attributes) for each in copy.statements() if each.attributes]
    assert kept == [("/", {"llvm.exact": True}), ("store", {"ml.volatile": True})]
    assert pretty(program) == before and check(copy) == []


def test_a_certificate_covers_attributes() -> None:
    recorder = Recorder()
    b = Builder(observer=recorder)
    x = Variable("x", INT)
    b.function("f", [x], INT)
    b.ret(b.primitive("+", b.read_variable(x), b.read_variable(x), attributes={"ml.a": True}))
    b.finish()
    program = b.program()
    assert certify(program, recorder.record, recorder.stated) == []
    for part in (program.functions[0], program.functions[0].parameters[0], program.functions[0].body[0], program):
        before, part.attributes = part.attributes, {"ml.other": True}
        assert certify(program, recorder.record, recorder.stated) != []
        part.attributes = before


# ---------------------------------------------------------------------------------------------------------- passes

THREADED = PROGRAMS["THREADED"]


@pytest.mark.usefixtures("registered")
def test_jump_threading_copies_attributes_and_drops_those_of_one_statement() -> None:
    program = parse(THREADED)
    dropped = thread_jumps(program)
    assert [each.attributes for each in program.statements() if each.op == "+"] == [{"ml.fast": True}] * 2
    assert {each.message for each in dropped} == {
        "the attribute `ml.label` of a statement in `f` is dropped: it was copied"
    }
    assert {each.rule for each in dropped} == {"dropped-attribute"} and check(program) == []


def test_erasure_and_linking_keep_attributes() -> None:
    program = parse(TEXT)
    assert pretty(copied(program)) == pretty(program)
    other = parse("@ml.level(4) @ml.own; struct point { x : int, y : int } @ml.q data q := point { 0, 0 }")
    linked = link([program, other])
    assert linked.attributes == {"ml.triple": "x86_64-linux", "ml.level": 3, "ml.own": True}
    assert linked.functions[0].parameters[0].attributes == {"ml.pass": linked.structs[0]}


def test_pruning_and_optimisation_remove_attributes_with_their_parts() -> None:
    b = Builder()
    x, unused = Variable("x", INT), Variable("unused", BOOL)
    b.function("f", [x], INT)
    b.write_variable(unused, b.primitive("<", b.read_variable(x), Constant(INT, 0), attributes={"ml.a": True}))
    b.ret(b.read_variable(x))
    program = Program([b.finish()])
    assert "@ml.a" in pretty(program)
    assert convert("int f(int x) { return x; }", language="c").attributes == {}


def test_keywords_of_texts_are_attributes() -> None:
    text = """\
weak thread extern n : int
static thread data m := 5
weak const w := "x\\0"
weak extern f(ret : () → ⊥) → ⊥
@returning_again extern setjmp(b : ptr, ret : int → ⊥) → ⊥

static inline main(ret : int → ⊥) → ⊥ {
  ret(0)
}
"""
    program = parse(text)
    assert pretty(program) == text == reformat(Source("a.cps", text))
    assert [{*part.attributes} for _, part in attributed(program)] == [
        {"replaceable", "c.thread_local"},
        {"local", "c.thread_local"},
        {"replaceable"},
        {"replaceable"},
        {"returning_again"},
        {"local", "c.always_inline"},
    ]
    earlier = text.replace("thread extern", "thread").replace("thread data", "thread").replace("@returning_again ", "")
    assert pretty(parse(earlier)) == text
    assert pretty(parse(text.replace("static ", "@local ").replace("weak thread", "@c.thread_local weak"))) == text
    json = to_json(program)
    assert pretty(from_json(json)) == text
    old = re.sub(r'"attributes": {([^}]*)}', lambda found: found[1], json)
    for now, before in (("local", "static"), ("replaceable", "weak"), ("c.thread_local", "thread_local")):
        old = old.replace(f'"{now}": true', f'"{before}": true')
    old = old.replace('"c.always_inline"', '"always_inline"').replace('"returning_again": true, ', "")
    assert "attributes" not in old and pretty(from_json(old)) == text


def test_names_of_keywords_need_no_quotes() -> None:
    text = "static static(weak : int, ret : int → ⊥) → ⊥ {\n  ret(weak)\n}\n"
    assert pretty(parse(text)) == text
    assert pretty(parse(text.replace("weak", "`weak`").replace("static(", "`static`("))) == text


def test_llvm_declares_each_function_that_may_return_again() -> None:
    text = """\
struct point { x : int, y : int, z : long }
@returning_again extern checkpoint(b : ptr, ret : int → ⊥) → ⊥
@returning_again extern saved(p : ptr byval point, ret : int → ⊥) → ⊥
extern once(b : ptr, ret : int → ⊥) → ⊥

f(b : ptr, ret : int → ⊥) → ⊥ {
  checkpoint(b, λ(first : int).
  saved(b, λ(second : int).
  once(b, λ(third : int).
  ret(first + second + third))))
}
"""
    program = parse(Source("program.cps", text))
    assert check(program) == []
    lines = [line for line in llvm(program).splitlines() if "returns_twice" in line]
    assert [re.sub(r"\(.*\)", "(…)", line) for line in lines] == [
        "declare i32 @checkpoint(…) returns_twice",
        "declare i32 @saved(…) returns_twice",
        "define internal i32 @cpsconv.external.saved(…) alwaysinline returns_twice {",
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_parameters_placed_for_a_variable_have_its_attributes(strategy: str) -> None:
    recorder = Recorder()
    b = Builder(strategy, observer=recorder)
    n, x = Variable("n", INT), Variable("x", INT, attributes={"ml.pass": True})
    b.function("f", [n], INT)
    then, join = b.continuation("then"), b.continuation("join")
    b.write_variable(x, Constant(INT, 1))
    b.branch(b.primitive("<", b.read_variable(n), Constant(INT, 0)), then, join)
    b.open(then)
    b.write_variable(x, Constant(INT, 2))
    b.jump(join)
    b.open(join)
    b.ret(b.read_variable(x))
    program = Program([b.finish()])
    placed = program.functions[0].continuations[-1].parameters[0]
    assert "join := (@ml.pass x : int)" in pretty(program)
    assert certify(program, recorder.record, minimal=False) == []
    assert independent_faults(record_to_json(program, recorder.record, recorder.stated)) == []
    placed.attributes = {}
    found = certify(program, recorder.record, minimal=False)
    assert [each.message for each in found] == ["certificate: the attributes of `x` are not those of the source"]
    placed.attributes = {"ml.other": True}
    assert independent_faults(record_to_json(program, recorder.record, recorder.stated)) != []
