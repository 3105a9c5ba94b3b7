"""The JSON format: round trips, the schema, errors, and docs/json.md."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings

from cpsconv.core import ir
from cpsconv.core.attributes import ATTRIBUTES, EARLIER_KEYS, Attribute
from cpsconv.core.json import Parts, from_json, to_json
from cpsconv.core.source import Source, Span
from cpsconv.core.text import parse
from cpsconv.pipeline import convert
from testing.effort import examples, randoms, size
from testing.ir_programs import programs
from testing.isomorphism import same_program
from testing.mutants import read_mutated_json, use

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = DOCS.parent / "cpsconv" / "core" / "json" / "program.schema.json"


@cache
def schema() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


def returning(constant: ir.Constant) -> ir.Program:
    """The program with one function, which returns the constant."""
    ret = ir.Parameter(ir.ContinuationType((constant.type,)), "ret")
    return ir.Program([ir.Function("f", [ret], [], ir.Jump(ir.Edge(ret, [constant])))])


def returned(program: ir.Program) -> ir.Constant:
    transfer = program.functions[0].transfer
    assert isinstance(transfer, ir.Jump)
    value = transfer.edge.arguments[0]
    assert isinstance(value, ir.Constant)
    return value


@given(programs())
def test_every_program_survives_the_round_trip_and_fits_the_schema(program: ir.Program) -> None:
    text = to_json(program)
    schema().validate(json.loads(text))
    again = from_json(text)
    assert same_program(program, again)
    assert to_json(again) == text  # names, spans and the order of continuations included


def test_parts_of_a_program_are_read_with_what_they_use_and_once() -> None:
    text = """
        struct pair { a : int }
        extern outside(ret : int → ⊥) → ⊥
        data place := ptr[1] { other }
        data other := pair { 5 }
        f(ret : int → ⊥) → ⊥ { g(λ(x : int). f(ret)) }
        g(ret : int → ⊥) → ⊥ { ret(int[place]) }
        h(ret : int → ⊥) → ⊥ { outside(ret) }
    """
    parts = Parts(json.loads(to_json(parse(Source("parts.cps", text)))))
    assert [*parts.structs] == ["pair"]
    f, g, place, other = parts.read("f")
    assert [each.name for each in (f, g, place, other)] == ["f", "g", "place", "other"]
    assert isinstance(place, ir.Data) and place.addresses == {0: (other, 0)}
    assert parts.read("g") == [g] and parts.read("f") == [f]
    assert [each.name for each in parts.read("h")] == ["h", "outside"]


@pytest.mark.parametrize("item", ["data x := 3", "extern x : int", "extern g(ret : int → ⊥) → ⊥", "@x.y;"])
def test_a_program_needs_no_functions(item: str) -> None:
    assert str(from_json(to_json(parse(Source("item.cps", item))))) == item


@pytest.mark.parametrize("offset", [0, 8, 9])
def test_an_address_may_end_with_its_data_but_not_beyond(offset: int) -> None:
    text = to_json(parse(Source("words.cps", "data words := ptr[2] { words, words }")))
    data = json.loads(text)
    data["data"][0]["addresses"] = [{**data["data"][0]["addresses"][0], "at": offset}]
    if offset == 9:
        with pytest.raises(ValueError, match="an address in words is outside of it"):
            from_json(json.dumps(data))
    else:
        assert [*from_json(json.dumps(data)).data[0].addresses] == [offset]


@pytest.mark.parametrize(
    ("type", "value", "written"),
    [
        (ir.INT, -5, "-5"),
        (ir.UNSIGNED_LONG, 2**53, "9007199254740992"),
        (ir.UNSIGNED_LONG, 2**64 - 1, '"18446744073709551615"'),
        (ir.DOUBLE, 1.0, "1.0"),
        (ir.DOUBLE, -0.0, "-0.0"),
        (ir.DOUBLE, 0.1, "0.1"),
        (ir.DOUBLE, float("inf"), '"inf"'),
        (ir.DOUBLE, float("-inf"), '"-inf"'),
        (ir.DOUBLE, float("nan"), '"nan"'),
        (ir.DOUBLE, -float("nan"), '"-nan"'),
        (ir.STRING, 'é"\0\xff', '"\\u00e9\\"\\u0000\\u00ff"'),
    ],
)
def test_a_constant_keeps_every_digit(type: ir.Scalar, value: int | float | str, written: str) -> None:
    text = to_json(returning(ir.Constant(type, value)))
    assert f'"value": {written}}}' in text
    constant = returned(from_json(text))
    assert constant.type is type
    assert repr(constant.value) == repr(value)
    assert to_json(from_json(text)) == text


def test_an_integer_written_elsewhere_without_a_point_is_read_as_a_double() -> None:
    text = to_json(returning(ir.Constant(ir.DOUBLE, 1.0))).replace("1.0", "1")
    assert repr(returned(from_json(text)).value) == "1.0"


def test_spans_and_the_source_survive() -> None:
    source = Source("twice.c", "int twice(int x) { return x + x; }")
    program = returning(ir.Constant(ir.INT, 1))
    program.source = source
    program.functions[0].span = Span(source, 4, 9)
    program.functions[0].transfer.edge.arguments = [ir.Undef(ir.INT, "x", Span(source, 14, 15))]
    again = from_json(to_json(program))
    assert again.source is not None
    assert (again.source.name, again.source.text) == (source.name, source.text)
    assert str(again.functions[0].span) == "twice.c:1:5"
    assert to_json(again) == to_json(program)


def test_counts_survive_and_may_be_missing() -> None:
    program = convert(Source("count.while", "while n > 0 do n := n - 1"), strategy="basic")
    text = to_json(program)
    schema().validate(json.loads(text))
    (function,) = json.loads(text)["functions"]
    assert function["counts"] == {"placed": 1, "removed": 0, "kept": 1, "arguments": 2, "lookups": 7}
    assert to_json(from_json(text)) == text
    del function["counts"]
    assert not from_json(json.dumps({**json.loads(text), "functions": [function]})).counts


def test_cps_text_has_no_counts() -> None:
    program = parse(Source("f.cps", "f(ret : int → ⊥) → ⊥ { ret(1) }"))
    assert "counts" not in json.loads(to_json(program))["functions"][0]


def test_a_hundred_thousand_continuations_are_written_and_read() -> None:
    count = size(100_000)
    program = returning(ir.Constant(ir.INT, 1))
    function = program.functions[0]
    assert function.transfer is not None
    for number in range(count):
        function.continuations.append(ir.Continuation(f"k{number}", transfer=function.transfer))
        function.transfer = ir.Jump(ir.Edge(function.continuations[-1]))
    text = to_json(program)
    assert text.count("\n") == count + 3
    assert len(from_json(text).functions[0].continuations) == count


def test_a_program_under_construction_is_refused() -> None:
    with pytest.raises(ValueError, match="continuation f has no transfer yet"):
        to_json(ir.Program([ir.Function("f")]))


def test_a_value_that_is_defined_nowhere_is_refused() -> None:
    program = returning(ir.Constant(ir.INT, 1))
    stray = ir.Primitive("+", (ir.Constant(ir.INT, 1), ir.Constant(ir.INT, 2)), ir.INT, "stray")
    program.functions[0].transfer.edge.arguments = [stray]
    with pytest.raises(ValueError, match="stray is used, but has no definition in the program"):
        to_json(program)


GOOD = to_json(returning(ir.Constant(ir.INT, 1)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[]", 'not a program in JSON: the format is not "cpsconv"'),
        ("[" * 100_000, "not a program in JSON: nested too deeply"),
        (GOOD.replace('"version": 1', '"version": 2'), "not a program in JSON: version 2 is not supported"),
        (GOOD.replace('"functions"', '"funktions"'), 'not a program in JSON: it has no "functions"'),
        (GOOD.replace('"id": 1', '"id": 0'), "not a program in JSON: id 0 is defined twice"),
        (GOOD.replace('"target": 1', '"target": 7'), "not a program in JSON: id 7 is not defined"),
        (
            GOOD.replace('"continuations"', '"counts": {"placed": "some"}, "continuations"'),
            'not a program in JSON: functions[0].counts has no "removed"',
        ),
        (
            GOOD.replace('"jump"', '"leap"'),
            "not a program in JSON: functions[0].transfer.kind is "
            '"leap", not one of "jump", "branch", "switch", "call", "foreign"',
        ),
        (GOOD.replace('"value": 1', '"value": true'), "not a program in JSON: True is not a value of type int"),
        (
            GOOD.replace('"target": 1', '"target": {"external": "exit"}'),
            "not a program in JSON: there is no continuation exit of the environment",
        ),
        (
            GOOD.replace('"target": 1', '"target": {"type": "int", "value": 1}'),
            "not a program in JSON: the target of an edge is neither a continuation nor a parameter",
        ),
    ],
)
def test_text_that_is_no_program_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        from_json(text)
    assert str(caught.value) == message


FUNCTION = ("functions", 0)
STATEMENT = (*FUNCTION, "body", 0)
OPERAND = "functions[0].body[0].operands[1]"
TYPES = f"{str(['int'] * 20)[:60]}, not one of {str([*ir.SCALARS])[1:-1]}".replace("'", '"')
INFINITE = dict.fromkeys(["placed", "removed", "kept", "arguments", "lookups"], 1e999)


@pytest.mark.parametrize(
    ("place", "change", "message"),
    [
        ((), {"functions": []}, "functions has 0 items"),
        ((), {"extra": 1}, 'it has the unknown key "extra"'),
        ((), {"source": {"name": "f.cps"}}, 'source has no "text"'),
        (FUNCTION, {"span": "05"}, "functions[0].span is not of type array"),
        (FUNCTION, {"span": [1, 10_000]}, "the span 1 to 10000 is not in the source"),
        (FUNCTION, {"span": [2, 1]}, "the span 2 to 1 is not in the source"),
        (FUNCTION, {"name": []}, "functions[0].name is not of type string"),
        (FUNCTION, {"name": "`"}, "functions[0].name does not match ^[^`\\n]+$"),
        (FUNCTION, {"name": "\ud800"}, "functions[0].name has half of a surrogate pair"),
        (FUNCTION, {"extra": 1}, 'functions[0] has the unknown key "extra"'),
        (FUNCTION, {"counts": INFINITE}, "functions[0].counts.placed is not of type integer"),
        (STATEMENT, {"op": 5}, "functions[0].body[0].op is not of type string"),
        (STATEMENT, {"op": "**"}, "there is no operation `**`"),
        (STATEMENT, {"id": True}, "functions[0].body[0].id is not of type integer"),
        (STATEMENT, {"id": -1}, "functions[0].body[0].id is less than 0"),
        (STATEMENT, {"operands": [1, "x"]}, f"{OPERAND} is not of type integer and is not of type object"),
        (STATEMENT, {"operands": [1, {"type": "int"}]}, f'{OPERAND} has no "value"'),
        (STATEMENT, {"operands": [1, {"type": ["int"] * 20, "value": 1}]}, f"{OPERAND}.type is {TYPES}"),
        (STATEMENT, {"operands": [1, 3]}, "`int` is used before it is defined"),
        (STATEMENT, {"operands": [1, {"type": "double", "value": 10**400}]}, "int too large to convert to float"),
        (STATEMENT, {"operands": [1, {"type": "int", "value": 2**31}]}, "2147483648 is not a value of type `int`"),
        (FUNCTION, {"transfer": {"kind": "jump"}}, 'functions[0].transfer has no "edge"'),
        (FUNCTION, {"transfer": {"kind": "call", "callee": 0, "arguments": []}}, 'functions[0].transfer has no "then"'),
    ],
)
def test_data_that_are_no_well_formed_program_are_refused(place: tuple, change: dict, message: str) -> None:
    data = json.loads(to_json(parse(Source("f.cps", "f(x : int, ret : int → ⊥) → ⊥ { ret(x + 1) }"))))
    part = data
    for key in place:
        part = part[key]
    part.update(change)
    with pytest.raises(ValueError) as caught:
        from_json(json.dumps(data))
    assert str(caught.value) == f"not a program in JSON: {message}"


def test_parameters_of_external_functions_have_names() -> None:
    text = to_json(parse(Source("f.cps", "extern g(x : int) → ⊥\nf(ret : int → ⊥) → ⊥ { ret(1) }")))
    message = r"externals\[0\]\.parameters\[0\]\.name does not match"
    with pytest.raises(ValueError, match=message):
        from_json(text.replace('"name": "x"', '"name": ""'))


@settings(max_examples=examples(300))
@given(randoms())
def test_every_mutant_in_json_is_refused_or_is_a_program_that_everything_can_use(dice: random.Random) -> None:
    program = read_mutated_json(dice)
    if program:
        use(program)


@pytest.mark.parametrize("depth", [101, 100_000])
def test_a_type_that_is_nested_too_deeply_is_refused(depth: int) -> None:
    text = to_json(parse(Source("f.cps", "f(ret : int → ⊥) → ⊥ { halt(0) }")))
    before, after = text.split('{"parameters": ["int"]}')
    inner, outer = '{"parameters": [', "]}"
    type = ir.ContinuationType((ir.INT,))
    for _ in range(99):
        type = ir.ContinuationType((type,))
    program = from_json(f'{before}{inner * 100}"int"{outer * 100}{after}')
    assert program.functions[0].ret.type == type
    with pytest.raises(ValueError, match=r"^not a program in JSON: (a type is )?nested too deeply$"):
        from_json(f'{before}{inner * depth}"int"{outer * depth}{after}')


def test_the_example_of_the_documentation_is_figure_8() -> None:
    example = re.search(r"```json\n(.*?)```", (DOCS / "json.md").read_text(encoding="utf-8"), re.DOTALL)
    assert example
    schema().validate(json.loads(example[1]))
    program = from_json(example[1])
    assert [member.name for member in program.functions[0].members()] == ["f", "then", "else", "next"]
    assert json.loads(to_json(program)) == json.loads(example[1])


def test_keys_that_are_registered_after_the_first_reading_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.loads(to_json(returning(ir.Constant(ir.INT, 1))))
    data["functions"][0]["made_up"] = True
    with pytest.raises(ValueError, match='has the unknown key "made_up"'):
        from_json(json.dumps(data))
    monkeypatch.setitem(ATTRIBUTES, "made.up", Attribute("made.up", "flag", ["function"]))
    monkeypatch.setitem(EARLIER_KEYS["function"], "made_up", "made.up")
    assert from_json(json.dumps(data)).functions[0].attributes == {"made.up": True}
