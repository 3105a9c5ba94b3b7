"""Memory: the text of its operations, their types, and their checked evaluation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent, indent

import pytest

from cpsconv.core.check import certify, check
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.record import Recorder
from cpsconv.core.construction.strategies import STRATEGIES
from cpsconv.core.ir import CHAR, DOUBLE, INT, PTR, SHORT, Array, Constant, Field, Program
from cpsconv.core.json import from_json, to_json
from cpsconv.core.layout import laid_out
from cpsconv.core.operations.pointers import moved, number_of, offset_of, pointer_to
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import DiagnosticError, Source
from cpsconv.core.text import parse, pretty, reformat
from cpsconv.core.text.printer import Layout
from cpsconv.core.transform import minimise
from testing.evaluation import behaviour, result
from tests.tables import table

PROGRAMS = table("core_memory")
"""The longer programs of these tests."""

SHIFT = PROGRAMS["SHIFT"]

NOTATIONS = PROGRAMS["NOTATIONS"]


def program_of(text: str) -> Program:
    """The checked program of a text."""
    program = parse(Source("test.cps", text))
    assert check(program) == []
    return program


def main_of(body: str, structs: str = "") -> str:
    """A program of one function, whose body is given."""
    return f"{structs}main(ret : int → ⊥) → ⊥ {{\n{indent(dedent(body).strip(), '  ')}\n}}\n"


def run(text: str) -> object:
    """The outcome of a program, on the evaluator."""
    return result(program_of(text))


def fault(text: str) -> str:
    """The heading of the runtime error of a program."""
    with pytest.raises(ProgramError) as raised:
        run(text)
    return str(raised.value).splitlines()[0]


def errors(text: str) -> list[str]:
    """The headings of the errors of a text."""
    with pytest.raises(DiagnosticError) as raised:
        parse(Source("test.cps", text))
    return [each.render().splitlines()[0] for each in raised.value.diagnostics]


# ------------------------------------------------------------------------------------------------------- text, JSON


@pytest.mark.parametrize("text", [SHIFT, NOTATIONS])
def test_text_with_memory_is_printed_as_it_was_written(text: str) -> None:
    assert pretty(program_of(text)) == text
    assert reformat(Source("test.cps", text)) == text


@pytest.mark.parametrize("text", [SHIFT, NOTATIONS])
@pytest.mark.parametrize("layout", ["nested", "flat"])
@pytest.mark.parametrize("width", [30, 120])
def test_text_with_memory_is_read_back_in_every_layout(text: str, layout: Layout, width: int) -> None:
    printed = pretty(program_of(text), layout=layout, ascii=True, width=width)
    assert printed.isascii()
    assert pretty(program_of(printed)) == text


@pytest.mark.parametrize("text", [SHIFT, NOTATIONS])
def test_json_has_structs_and_static_operands(text: str) -> None:
    written = to_json(program_of(text))
    assert pretty(from_json(written)) == text
    assert to_json(from_json(written)) == written


def test_the_right_side_of_a_store_is_computed_before_its_address() -> None:
    text = main_of("a := allocate int[2]; int[a, 0] := 1; int[a, 1] := int[a, 0] * 2; ret(0)")
    assert pretty(program_of(text)) == main_of(
        """
        a := allocate int[2];
        int[a, 0] := 1;
        v := int[a, 0];
        int[a, 1] := v * 2;
        ret(0)
        """
    )


def test_comments_on_structs_are_kept() -> None:
    text = """\
        // a point in the plane
        struct point { x : int, y : int } // of pixels

        // nothing
        main(ret : int → ⊥) → ⊥ {
          ret(0)
        }
        """
    assert reformat(Source("test.cps", dedent(text))) == dedent(text)


@pytest.mark.parametrize("name", ["struct", "union", "point", "at", "load", "store", "copy", "element", "field"])
def test_words_of_operations_are_names_elsewhere(name: str) -> None:
    text = f"{name}({name} : int, ret : int → ⊥) → ⊥ {{\n  ret({name})\n}}\n"
    assert pretty(program_of(text)).replace(f"{name}1", name) == text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ret(int[5])", "type-mismatch: `int[…]` takes ptr, not int"),
        ("p := null; int[p] := 5l; ret(0)", "type-mismatch: `int[…] :=` takes int, not long"),
        ("ret(int[pont.x(null)])", "undeclared: there is no type `pont`"),
        ("ret(int[point.z(null)])", "undeclared: `point` has no field `z`"),
        ("ret(int[int.x(null)])", "undeclared: `int` has no field `x`"),
        ("ret(int[point.of(null, 1)])", "syntax: expected `at`, found `of`"),
        ("ret(int[point.at(null, 1.5)])", "type-mismatch: the index is an integer, not double"),
        ("ret(int[point.at(1, 1)])", "type-mismatch: the address is a ptr, not int"),
        ("ret(int[point.x(1)])", "type-mismatch: the address is a ptr, not int"),
        ("p := point[null]; ret(0)", "type-mismatch: `point` is no scalar type"),
        ("point[null] := 5; ret(0)", "type-mismatch: `point` is no scalar type"),
        ("point[null] := point[5]; ret(0)", "type-mismatch: the address is a ptr, not int"),
        ("int[null] := point[null]; ret(0)", "type-mismatch: `point` is no scalar type"),
        ("p := allocate string; ret(0)", "type-mismatch: memory cannot contain a string"),
        ("p := allocate int[true]; ret(0)", "type-mismatch: the number of elements is an integer, not bool"),
        ("p := allocate int[2][3000000000]; ret(0)", "literal: 3000000000 is not a value of type int"),
        ("p := allocate int[2][2000000000]; ret(0)", "nesting: this type is larger than 2147483647 bytes"),
        (f"p := allocate int{'[1]' * 102}; ret(0)", "nesting: this type is nested too deeply"),
        ("free(5); ret(0)", "type-mismatch: `free` does not take int"),
        ("ret(null + 1)", "type-mismatch: `+` does not take ptr and int"),
        ("ret(int(ptr(1.5)))", "type-mismatch: `ptr` does not take double"),
    ],
)
def test_operations_on_memory_are_typed(body: str, expected: str) -> None:
    rule, _, message = expected.partition(": ")
    text = main_of(body, "struct point { x : int, y : int }\n")
    with pytest.raises(DiagnosticError) as raised:
        parse(Source("test.cps", text))
    first = raised.value.diagnostics[0]
    assert (first.rule, first.message[: len(message)]) == (rule, message)


@pytest.mark.parametrize(
    ("structs", "expected"),
    [
        ("struct a { x : int, x : long }", "1:21: error: the field `x` is defined twice"),
        ("struct a { x : b }\nstruct b { x : int }", "1:16: error: there is no type `b`"),
        ("struct a { x : a }", "1:16: error: there is no type `a`"),
        ("struct a { x : int }\nunion a { x : int }", "2:1: error: `a` is defined twice"),
        ("strukt a { x : int }", "1:1: error: expected `struct`, `union` or a function, found `strukt`"),
        ("struct a { x : string }", "1:16: error: memory cannot contain a string"),
        ("struct a { }", "1:12: error: expected a name, found `}`"),
    ],
)
def test_errors_of_structs(structs: str, expected: str) -> None:
    assert errors(f"{structs}\n{main_of('ret(0)')}")[0] == f"test.cps:{expected}"


def test_a_text_has_a_function() -> None:
    assert errors("struct a { x : int }\n") == ["test.cps:1:21: error: expected a function"]


# ----------------------------------------------------------------------------------------------- layout, pointers


def test_structs_have_the_layout_of_x86_64() -> None:
    inner = laid_out("inner", [("c", CHAR), ("d", DOUBLE), ("s", SHORT)])
    assert ([field.offset for field in inner.fields.values()], inner.size, inner.alignment) == ([0, 8, 16], 24, 8)
    outer = laid_out("outer", [("a", Array(CHAR, 3)), ("i", inner), ("p", PTR), ("c", CHAR)])
    assert ([field.offset for field in outer.fields.values()], outer.size) == ([0, 8, 32, 40], 48)
    union = laid_out("union", [("a", Array(CHAR, 5)), ("i", INT)], is_union=True)
    assert ([field.offset for field in union.fields.values()], union.size, union.alignment) == ([0, 0], 8, 4)


def test_addresses_keep_their_object() -> None:
    start = pointer_to(5)
    assert (number_of(moved(start, -1)), offset_of(moved(start, -1))) == (5, -1)
    assert moved(moved(start, -1), 1) == start
    assert (number_of(moved(start, 1 << 40)), offset_of(moved(start, 1 << 40))) == (5, (1 << 31) - 1)
    assert (number_of(moved(start, -(1 << 40))), offset_of(moved(start, -(1 << 40)))) == (5, -(1 << 31))
    assert (number_of(moved(0, -8)), offset_of(moved(0, -8))) == (0, -8)
    assert moved(0, -8) == (1 << 64) - 8


# ------------------------------------------------------------------------------------------------------ evaluation


def test_an_array_of_structs_is_changed_in_place() -> None:
    body = """
        a := allocate point[3];
        let
          fill := (i : int) → ⊥
            branch(i < 3, more, λ(). shift(a, 3, again))
          more := () → ⊥
            int[point.x(point.at(a, i))] := i;
            int[point.y(point.at(a, i))] := 10 * i;
            fill(i + 1)
          again := (s : int) → ⊥
            ret(s + 100 * int[point.x(point.at(a, 2))])
        in
        fill(0)
        """
    assert run(SHIFT + main_of(body)) == 330


@pytest.mark.parametrize(
    ("type", "value", "expected"),
    [
        ("char", "'\\xff'", -1),
        ("unsigned char", "255uc", 255),
        ("short", "-2s", -2),
        ("unsigned", "4294967295u", 4294967295),
        ("long", "-9223372036854775808l", -(2**63)),
        ("unsigned long", "18446744073709551615ul", 2**64 - 1),
        ("float", "0.1f", 0.10000000149011612),
        ("double", "-0.0", -0.0),
        ("bool", "true", True),
    ],
)
def test_each_type_is_loaded_as_it_was_stored(type: str, value: str, expected: object) -> None:
    body = f"p := allocate {type}[2]; {type}[p, 1] := {value}; ret({type}[p, 1])"
    assert repr(run(main_of(body).replace("ret : int", f"ret : {type}"))) == repr(expected)


def test_bytes_are_in_the_order_of_x86_64() -> None:
    assert run(main_of("p := malloc(8ul); int[p] := 258; ret(int(char[p, 0]) * 10 + int(char[p, 1]))")) == 21


def test_a_pointer_survives_integers_and_copies_of_its_bytes() -> None:
    body = """
        x := allocate int;
        int[x] := 42;
        p := allocate ptr;
        q := allocate ptr;
        ptr[p] := x;
        long[q] := long[p];
        n := unsigned long(ptr[q]);
        ret(int[ptr(n)])
        """
    assert run(main_of(body)) == 42


def test_a_copy_copies_unwritten_bytes_as_unwritten() -> None:
    body = """
        a := allocate point;
        b := allocate point;
        int[point.y(a)] := 3;
        point[b] := point[a];
        y := int[point.y(b)];
        x := int[point.x(b)];
        ret(x + y)
        """
    assert fault(main_of(body, "struct point { x : int, y : int }\n")) == (
        "test.cps:8:8: runtime error: bytes 0 to 3 of `b` (point, declared on line 4) are used uninitialised"
    )


def test_realloc_keeps_the_bytes_and_ends_the_old_object() -> None:
    body = """
        p := calloc(2ul, 4ul);
        int[p, 1] := 5;
        q := realloc(p, 12ul);
        int[q, 2] := 6;
        ret(int[q, 0] + int[q, 1] + int[q, 2])
        """
    assert run(main_of(body)) == 11
    assert fault(main_of(body.replace("int[q, 2] := 6", "int[p, 1] := 6"))) == (
        "test.cps:5:3: runtime error: the memory allocated on line 2 was freed on line 4, before this access"
    )


def test_malloc_of_too_much_is_null() -> None:
    assert run(main_of("p := malloc(18446744073709551615ul); ret(int(p == null))")) == 1


FAULTS = "\n" + PROGRAMS["FAULTS"]
"""Statements of `main`, on a line each, and the runtime error at one of them."""


@pytest.mark.parametrize(("statements", "expected"), re.findall(r"(.+)\n  (.+)\n", FAULTS))
def test_every_access_is_checked(statements: str, expected: str) -> None:
    body = statements.replace("; ", ";\n")
    found = fault(main_of(f"{body}\nret(0)", "struct point { x : int, y : int } "))
    assert found == f"test.cps:{expected}"


def test_each_execution_of_an_allocation_creates_an_object() -> None:
    body = """
        let
          loop := (last : ptr, i : int) → ⊥
            x := allocate int;
            int[x] := i;
            branch(i == 0, λ(). loop(x, 1), λ(). ret(10 * int[last] + int[x]))
        in
        loop(null, 0)
        """
    assert (
        run(
            main_of(
                body.replace("λ(). ret(10 * int[last] + int[x])", "λ(). done(last, x)").replace(
                    "        in\n",
                    "          done := (a : ptr, b : ptr) → ⊥\n            ret(10 * int[a] + int[b])\n        in\n",
                )
            )
        )
        == 1
    )


# ---------------------------------------------------------------------------------------------------- construction


def constructed(strategy: str, recorder: Recorder | None = None, optimise: Sequence[str] = ()) -> Program:
    """The program `SHIFT`, constructed by a front end."""
    b = Builder(strategy, optimise, recorder)
    point = b.struct("point", [("x", INT), ("y", INT)])
    a, n, i, s = (Variable(name, type) for name, type in (("a", PTR), ("n", INT), ("i", INT), ("s", INT)))
    b.function("shift", [a, n], INT)
    b.write_variable(s, Constant(INT, 0))
    b.write_variable(i, Constant(INT, 0))
    header, body, exit = b.continuation("for"), b.continuation("body"), b.continuation("exit")
    b.jump(header)
    b.enter(header)
    b.branch(b.primitive("<", b.read_variable(i), b.read_variable(n)), body, exit)
    b.enter(body)
    b.seal(body)
    b.seal(exit)
    p = b.primitive("element", b.read_variable(a), b.read_variable(i), of=point)
    x = b.effect("load", b.primitive("field", p, of=point.fields["x"]), type=INT)
    more = b.primitive("+", x, Constant(INT, 1))
    b.effect("store", more, b.primitive("field", p, of=point.fields["x"]))
    y = b.effect("load", b.primitive("field", p, of=point.fields["y"]), type=INT)
    b.write_variable(s, b.primitive("+", b.read_variable(s), y))
    b.write_variable(i, b.primitive("+", b.read_variable(i), Constant(INT, 1)))
    b.jump(header)
    b.seal(header)
    b.enter(exit)
    b.ret(b.read_variable(s))
    b.finish()
    return b.program()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_constructed_program_with_memory_is_certified(strategy: str) -> None:
    recorder = Recorder()
    program = constructed(strategy, recorder)
    assert check(program) == []
    assert certify(program, recorder.record, minimal=False) == []
    minimise(program)
    header = next(member for member in program.functions[0].continuations if member.name == "for")
    assert sorted(parameter.name for parameter in header.parameters) == ["i", "s"]
    body = next(member for member in program.functions[0].continuations if member.name == "body")
    load = next(statement for statement in body.body if statement.op == "field")
    assert isinstance(load.of, Field)
    load.of = load.of.struct.fields["y"]
    found = certify(program, recorder.record, minimal=False)
    assert [each.message for each in found] == ["certificate: this is not what the source computes here"]


def test_address_computations_are_numbered_and_loads_are_not() -> None:
    program = constructed("scc", optimise=["cse"])
    body = next(member for member in program.functions[0].continuations if member.name == "body")
    assert [statement.op for statement in body.body].count("field") == 2
    assert [statement.op for statement in body.body].count("load") == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(p : ptr, ret : int → ⊥) → ⊥ { ret(0) }", "its parameter `p` is a pointer"),
        ("f(ret : ptr → ⊥) → ⊥ { ret(null) }", "it returns a pointer"),
    ],
)
def test_a_function_of_pointers_is_not_started_by_the_environment(text: str, expected: str) -> None:
    with pytest.raises(DiagnosticError, match=f"`f` cannot be started: {expected}"):
        run(text)


DEFAULTS = "\n" + PROGRAMS["DEFAULTS"]


def test_bytes_that_were_never_written_have_a_default_value() -> None:
    seen = behaviour(program_of(DEFAULTS))
    assert seen and seen[0] == b"7 -0.5 1.5 1 a 1 16908804\n"
