"""Data, external functions, and calls through pointers: their text, their types, and their evaluation."""

from __future__ import annotations

import io

import pytest

from cpsconv import Source, evaluate, pretty
from cpsconv.abi.attributes import ALWAYS_INLINE, ON_STACK
from cpsconv.core.check import check
from cpsconv.core.ir import CHAR, DOUBLE, Array, Data, Effect
from cpsconv.core.json import from_json, to_json
from cpsconv.core.layout import laid_out
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import DiagnosticError
from cpsconv.core.text import reformat
from cpsconv.engines.machine.limits import DEFAULT_LIMITS, Limits
from cpsconv.engines.machine.trace import TraceRecord
from cpsconv.engines.machine.trace_text import TextTrace
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.ssa import ssa
from testing.memory_programs import LIBRARY
from tests.core.test_memory import program_of
from tests.tables import table

PROGRAMS = table("memory_items")
"""The longer programs of these tests."""

ITEMS = PROGRAMS["ITEMS"]

POINT = "struct point { x : int, y : int }"
VECTOR = "struct vector aligned 32 { x : int } struct outer { a : int, b : vector }"

CALLS = PROGRAMS["CALLS"]


def run(text: str, limits: Limits = DEFAULT_LIMITS) -> object:
    """The result of a program on the evaluator, and its output if there is any."""
    stream = io.BytesIO()
    outcome = evaluate(program_of(text), output=stream, errors=stream, limits=limits)
    value = getattr(outcome, "value", outcome)
    return (value, stream.getvalue().decode()) if stream.getvalue() else value


def fault(text: str, limits: Limits = DEFAULT_LIMITS) -> str:
    """The heading of the runtime error of a program."""
    with pytest.raises(ProgramError) as raised:
        run(text, limits)
    return str(raised.value).splitlines()[0]


def first_error(text: str) -> str:
    """The heading of the first error of a text."""
    with pytest.raises(DiagnosticError) as raised:
        run(text)
    return raised.value.diagnostics[0].render().splitlines()[0]


def main_of(body: str, items: str = "") -> str:
    """A program of some items and the function `main`."""
    return f"{items}\nmain(ret : int → ⊥) → ⊥ {{ {body} }}\n"


# ------------------------------------------------------------------------------------------------------------ text


@pytest.mark.parametrize("text", [ITEMS, CALLS])
def test_items_are_printed_as_they_were_written(text: str) -> None:
    assert pretty(program_of(text)) == text
    assert reformat(Source("test.cps", text)) == text
    assert pretty(program_of(pretty(program_of(text), layout="flat", ascii=True, width=30))) == text


@pytest.mark.parametrize("text", [ITEMS, CALLS])
def test_json_has_all_items(text: str) -> None:
    written = to_json(program_of(text))
    assert pretty(from_json(written)) == text
    assert to_json(from_json(written)) == written


def test_alignments_of_variables_are_written_and_checked() -> None:
    text = main_of("a := allocate int[4] aligned 64; b := allocate point aligned 32; deallocate(a); ret(0)", POINT)
    program = program_of(text)
    assert [each.alignment for each in program.functions[0].body[:2] if isinstance(each, Effect)] == [64, 32]
    printed = pretty(program)
    assert "a := allocate int[4] aligned 64;" in printed and "  allocate point aligned 32;" in printed
    assert pretty(program_of(printed)) == pretty(from_json(to_json(program))) == printed
    first, _, last = program.functions[0].body
    assert isinstance(first, Effect) and isinstance(last, Effect)
    first.alignment = 3
    assert [each.message for each in check(program)] == ["the alignment is 3, but must be a power of two"]
    first.alignment, last.alignment = 0, 8
    assert [each.message for each in check(program)] == ["`deallocate` has no alignment"]


def test_functions_to_be_expanded_are_written_and_read() -> None:
    text = "static inline f(x : int, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n\nmain(ret : int → ⊥) → ⊥ {\n  f(4, ret)\n}\n"
    program = program_of(text)
    assert [ALWAYS_INLINE in each.attributes for each in program.functions] == [True, False]
    assert pretty(program) == pretty(from_json(to_json(program))) == text
    assert "static inline __attribute__((always_inline)) int f(int x) {" in TARGETS["c"](program, Style())
    assert "define internal i32 @f(i32 %x) alwaysinline {" in TARGETS["llvm"](program, Style())
    with pytest.raises(DiagnosticError, match="expected `static`, `inline` or `weak`, found `outline`"):
        program_of(text.replace("inline", "outline"))


def test_variables_on_the_stack_are_written_read_and_checked() -> None:
    text = main_of(
        "a := allocate int[4] aligned 64 on stack; b := allocate point on stack; deallocate(a); ret(0)", POINT
    )
    program = program_of(text)
    first, second, last = program.functions[0].body
    assert isinstance(first, Effect) and isinstance(second, Effect) and isinstance(last, Effect)
    assert first.alignment == 64
    assert first.attributes == second.attributes == {ON_STACK: True} != last.attributes
    printed = pretty(program)
    assert "a := allocate int[4] aligned 64 on stack;" in printed and "  allocate point on stack;" in printed
    assert pretty(program_of(printed)) == pretty(from_json(to_json(program))) == printed
    json = to_json(program)
    assert pretty(from_json(json.replace('"attributes": {"on_stack": true}', '"on_stack": true'))) == printed
    last.attributes = first.attributes
    assert [each.message for each in check(program)] == ["`deallocate` has no place on the stack"]


@pytest.mark.parametrize(
    ("placement", "message"), [("at stack", "expected `on`"), ("aligned 8 on heap", "expected `stack`")]
)
def test_other_places_are_errors(placement: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        program_of(main_of(f"a := allocate int[4] {placement}; ret(0)"))


def test_programs_observe_alignments() -> None:
    allocation = "p := allocate int aligned 4096; q := allocate int aligned 4096; n := long(p) | long(q) | long(d)"
    assert run(main_of(f"{allocation}; ret(int(n & 4095l))", "data d aligned 4096 := 1")) == 0


def test_a_struct_is_aligned_as_it_states() -> None:
    vector, outer = program_of(main_of("ret(0)", VECTOR)).structs
    assert (vector.size, vector.alignment, outer.fields["b"].offset, outer.size) == (32, 32, 32, 64)


def test_content_that_no_literals_denote_is_written_as_bytes() -> None:
    struct = laid_out("padded", [("c", CHAR), ("d", DOUBLE)])
    union = laid_out("either", [("c", CHAR), ("d", DOUBLE)], is_union=True)
    program = program_of(main_of("ret(0)"))
    program.structs += [struct, union]
    program.data += [
        Data("between", struct, b"a\1"),
        Data("beyond", union, b"ab"),
        Data("nan", Array(DOUBLE, 1), b"\1\0\0\0\0\0\xf8\x7f"),
    ]
    printed = pretty(program)
    assert 'data between := padded "a\\001"\ndata beyond := either "ab"\n' in printed
    assert [data.content for data in program_of(printed).data] == [data.content for data in program.data]


def test_data_without_content_takes_no_space_in_the_program() -> None:
    program = program_of(main_of("ret(0)", "data huge := char[2000000000] {}"))
    assert program.data[0].content == b""
    assert "data huge := char[2000000000] {}\n" in pretty(program)


def test_local_names_differ_from_those_of_data() -> None:
    text = "data x := 5\n\nmain(ret : int → ⊥) → ⊥ {\n  x1 := int[x];\n  ret(x1 + x1)\n}\n"
    assert pretty(program_of(text.replace("x1", "y"))).replace("y", "x1") == text
    program = program_of(text.replace("x1", "y"))
    program.functions[0].body[0].name = "x"
    assert pretty(program) == text


@pytest.mark.parametrize("name", ["data", "const", "extern"])
def test_words_of_items_are_names_elsewhere(name: str) -> None:
    text = f"data {name} := 5\n\nmain({name}1 : int, ret : int → ⊥) → ⊥ {{\n  ret({name}1)\n}}\n"
    assert pretty(program_of(text)) == text


def test_calls_through_pointers_are_shown_in_all_forms() -> None:
    assert "unsigned long m: call(ptr(strlen), message)" in ssa(program_of(CALLS))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            main_of("ret(0)", "date x := 5"),
            "1:1: error: expected `data`, `const`, `static`, `weak` or `thread`, found `date`",
        ),
        (main_of("ret(0)", "external f() → ⊥"), "1:1: error: expected `extern` or `weak`, found `external`"),
        (main_of("ret(0)", "data x := 5\ndata x := 6"), "2:1: error: the item `x` is defined twice"),
        (main_of("ret(0)", "data main := 5"), "2:1: error: the item `main` is defined twice"),
        (main_of("ret(0)", "data x := y"), "1:11: error: `y` is not defined"),
        (main_of("ret(0)", "data x := halt"), "1:11: error: `halt` is neither data nor a function"),
        (main_of("ret(0)", "data x := int[2] { 1, 2, 3 }"), "1:11: error: int[2] takes 2 values, not 3"),
        (main_of("ret(0)", "data x := int[2] { 1l }"), "1:20: error: this is not a value of type int"),
        (main_of("ret(0)", "data x := unsigned char[2] { 256 }"), "1:30: error: this is not a value of type"),
        (main_of("ret(0)", "data x := int[2] { x }"), "1:20: error: this is a ptr, not int"),
        (main_of("ret(0)", "data x := int[2] { {1, 2} }"), "1:20: error: int takes 1 values, not 2"),
        (main_of("ret(0)", 'data x := char[2] "abc"'), "1:19: error: this has 3 bytes, but char[2] has 2"),
        (main_of("ret(0)", "data x := char[2][2] { 5 }"), "1:24: error: a char[2] is written in braces"),
        (main_of("ret(0)", "data x := ptr[1] { int.at(5, 1) }"), "1:27: error: the place of an address is the name"),
        (main_of("ret(0)", "data x := ptr[1] { int.at(x, null) }"), "1:30: error: the index is an integer"),
        (main_of("ret(0)", "data x := y {}"), "1:11: error: there is no type `y`"),
        (
            main_of("ret(0)", f"data x := int[1] {'{' * 110}{'}' * 110}"),
            "1:119: error: these data are nested too deeply",
        ),
        (main_of("ret(0)", "data x aligned 24 := 5"), "1:16: error: the alignment is 24, but must be a power of two"),
        (main_of("ret(0)", "data x aligned 536870912 := 5"), "1:16: error: the alignment is 536870912, more than"),
        (main_of("ret(0)", "data x aligned 8l := 5"), "1:16: error: the alignment is an int"),
        (main_of("ret(0)", "data x alined 8 := 5"), "1:8: error: expected `aligned`, found `alined`"),
        (main_of("x := allocate int alligned 8; ret(0)"), "2:45: error: expected `aligned`, found `alligned`"),
        (main_of("call(5, ret)"), "2:32: error: `call` takes ptr, not int"),
        (main_of("call(null, 5)"), "2:38: error: `call` takes a return continuation as its last argument"),
        (main_of("call(null)"), "2:32: error: `call` takes a return continuation as its last argument"),
    ],
)
def test_errors_of_items(text: str, expected: str) -> None:
    assert first_error(text)[: len(expected) + 9] == f"test.cps:{expected}"


# ------------------------------------------------------------------------------------------------------ evaluation


def test_data_have_their_content_and_can_be_changed() -> None:
    assert run(ITEMS) == 5
    assert run(main_of("int[x, 1] := 6; ret(10 * int[x] + int[x, 1])", "data x := int[2] { 5 }")) == 56
    assert run(main_of("ret(int(double[x, 1] * 2.0))", "data x := double[2] { 1.5, 2.5 }")) == 5


def test_calls_through_pointers_reach_functions_of_the_program_and_the_library() -> None:
    assert run(CALLS) == 1617


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("strlen(s, λ(n : unsigned long). ret(int(n)))", 5),
        ("strcmp(s, t, λ(n : int). ret(n))", -1),
        ("strcpy(b, s, λ(p : ptr). strcmp(p, s, λ(n : int). ret(n)))", 0),
        ("memcpy(b, s, 3ul, λ(p : ptr). memcmp(b, s, 3ul, λ(n : int). ret(n)))", 0),
        ("memset(b, 255, 4ul, λ(p : ptr). ret(int[b]))", -1),
        ("memset(null, 255, 0ul, λ(p : ptr). ret(7))", 7),
    ],
)
def test_the_evaluator_has_functions_of_the_c_library(body: str, expected: object) -> None:
    items = """
const s := "hello\\0"
const t := "help\\0"
data b := char[16] {}
"""
    assert run(main_of(body, items + LIBRARY)) == expected


STRINGS = '\nconst s := "hello\\0"\ndata open := "abc"'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ret(puts(s))", (6, "hello\n")),
        ("ret(puts(char.at(s, 3)))", (3, "lo\n")),
        ('ret(printf("<%s|%8s|%-8s|%.2s|%.0s>", s, s, s, s, s))', (29, "<hello|   hello|hello   |he|>")),
        ('ret(printf("%.*s", 3, open))', (3, "abc")),
        ('ret(printf("%.0s", null))', 0),
        ('ret(printf("%s %s", "text", s))', (10, "text hello")),
        ('ret(printf("%p %8p|%-8p|", null, null, null))', (24, "(nil)    (nil)|(nil)   |")),
        ('ret(printf("%p %p", ptr(17l), char.at(ptr(-1l), -255)))', (23, "0x11 0xffffffffffffff00")),
    ],
)
def test_strings_in_memory_are_printed(body: str, expected: object) -> None:
    assert run(main_of(body, STRINGS)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ret(puts(open))", "index 3 of `open` (3 elements of char, declared on line 3) is out of bounds"),
        ('ret(printf("%d %s", 1, null))', "a null pointer is dereferenced"),
        ('ret(printf("%.4s", open))', "index 3 of `open` (3 elements of char, declared on line 3) is out of bounds"),
        (
            "p := malloc(2ul); ret(puts(p))",
            "index 0 of the memory allocated on line 4 (2 elements of char) is used uninitialised",
        ),
        ("ret(puts(undef(p : ptr)))", "`p` is used uninitialised"),
        ('ret(printf("%s", undef(p : ptr)))', "`p` is used uninitialised"),
    ],
)
def test_every_byte_of_a_printed_string_is_checked(body: str, expected: str) -> None:
    message = fault(main_of(f'puts("before"); {body}', STRINGS))
    assert message.partition(": runtime error: ")[2] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            main_of("char[s] := 'a'; ret(0)", 'const s := "ab"'),
            "2:27: runtime error: index 0 of `s` (2 elements of char, declared on line 1) is changed, "
            "but `s` is constant",
        ),
        (
            main_of(
                "strlen(s, λ(n : unsigned long). ret(0))",
                'extern strlen(s : ptr, ret : unsigned long → ⊥) → ⊥ const s := "ab"',
            ),
            "2:27: runtime error: index 2 of `s` (2 elements of char, declared on line 1) is out of bounds",
        ),
        (main_of("call(null, ret)"), "2:27: runtime error: a null pointer is called"),
        (
            main_of("call(char.at(null, 1), ret)"),
            "2:27: runtime error: a null pointer is called, at an offset of 1 byte",
        ),
        (main_of("call(undef(f : ptr), ret)"), "2:27: runtime error: `f` is used uninitialised"),
        (main_of("call(x, ret)", "data x := 5"), "2:27: runtime error: `x`, which is no function, is called"),
        (main_of("call(ptr(99999999999l), ret)"), "2:27: runtime error: this pointer, which points to no object, is"),
        (main_of("call(char.at(ptr(main), 1), ret)"), "2:27: runtime error: a pointer to byte 1 of `main` is called"),
        (
            main_of("call(ptr(main), 5, ret)"),
            "2:27: runtime error: `main` has the type `(int → ⊥) → ⊥`, but is called as `(int, int → ⊥) → ⊥`",
        ),
        (main_of("int[ptr(main)] := 5; ret(0)"), "2:27: runtime error: `main` is a function, and has no data"),
        (main_of("free(x); ret(0)", "data x := 5"), "2:27: runtime error: `x`, which was not allocated by `malloc`"),
    ],
)
def test_constants_and_calls_through_pointers_are_checked(text: str, expected: str) -> None:
    assert fault(text)[: len(expected) + 9] == f"test.cps:{expected}"


def test_an_unknown_external_function_is_an_error_of_the_run_only() -> None:
    text = main_of("foo(ret)", "extern foo(ret : int → ⊥) → ⊥")
    assert pretty(program_of(text)).startswith("extern foo(ret : int → ⊥) → ⊥\n")
    assert first_error(text) == "test.cps:1:1: error: the evaluator has no external function `foo`"
    assert run(text.replace("foo(ret)", "ret(5)")) == 5
    wrong = main_of("strlen(ret)", "extern strlen(ret : int → ⊥) → ⊥")
    assert first_error(wrong) == (
        "test.cps:1:1: error: the external function `strlen` of the evaluator has the type "
        "`(ptr, unsigned long → ⊥) → ⊥`"
    )


def test_recursion_through_a_pointer_is_limited() -> None:
    text = "f(p : ptr, ret : int → ⊥) → ⊥ { call(p, p, λ(x : int). ret(x + 1)) }\n" + main_of("f(ptr(f), ret)")
    assert fault(text, Limits(10_000)) == "test.cps:1:33: runtime error: more than 10000 calls are pending"


def test_traces_name_the_functions_that_pointers_call() -> None:
    records: list[TraceRecord] = []
    program = program_of(CALLS)
    evaluate(program, output=io.BytesIO(), errors=io.BytesIO(), trace=records.append)
    lines = [line for record in records[:3] for line in TextTrace(program).lines(record)]
    assert [line[line.index("(") :].partition("  ")[2].split(maxsplit=1)[1] for line in lines] == [
        "call(s = message, ret = k) → strlen",
        "twice(f = times, x = 2, ret = k1)",
        "│ f(x = 2, y = 2, ret = k) → times",
    ]


# ------------------------------------------------------------------------------------------ what does not support it


def test_data_without_content_are_an_error() -> None:
    with pytest.raises(DiagnosticError, match=r"expected a string, `\[` or `\{`, found `main`"):
        program_of(main_of("ret(0)", "data d := int[2]"))
