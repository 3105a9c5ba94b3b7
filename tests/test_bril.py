"""The front end for Bril: programs under each strategy and engine, counts of instructions, imports, and wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsconv import DiagnosticError, Source, convert
from cpsconv.core.construction import STRATEGIES
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import read
from testing.bril_programs import EXAMPLES, PHIS, Example
from testing.bril_text import in_json
from testing.effort import each_in_turn, sample
from testing.engines import ENGINE_NAMES
from tests.conftest import Run
from tests.tables import table

ALL = [pytest.param(each, id=each.name) for each in [*EXAMPLES, *PHIS]]


@each_in_turn(example=[*EXAMPLES, *PHIS], engine=ENGINE_NAMES, strategy=[*STRATEGIES], optimise=[(), ("-O",)])
def test_a_program_runs_as_in_brils_interpreter(
    cpsconv: Run, example: Example, engine: str, strategy: str, optimise: tuple[str, ...]
) -> None:
    Path("p.bril").write_text(dedent(example.text))
    options = ["--engine", engine, "--strategy", strategy, *optimise, "--profile", "-Wno-all"]
    done = cpsconv("run", "p.bril", *options, "--", *example.arguments)
    assert (done.out, done.status) == (example.output, 2 if example.error else 0)
    assert example.error in done.err
    assert example.error or done.err == f"total_dyn_inst: {example.instructions}\n"


@pytest.mark.parametrize("example", ALL)
def test_a_program_in_json_is_the_same_program(cpsconv: Run, example: Example) -> None:
    text = dedent(example.text)
    Path("p.bril").write_text(text)
    Path("p.json").write_text(in_json(text))
    plain, other = (cpsconv("convert", file).out.replace(file, "") for file in ("p.bril", "p.json"))
    assert [line for line in plain.splitlines() if '":' not in line] == [
        line for line in other.splitlines() if '":' not in line
    ]
    done = cpsconv("run", "p.json", "-Wno-all", "--", *example.arguments)
    assert (done.out, done.status) == (example.output, 2 if example.error else 0)
    assert cpsconv("run", "-", "--lang", "bril", "-Wno-all", "--", *example.arguments, stdin=text).out == example.output


def test_each_conversion_is_certified() -> None:
    """By default, by each third construction."""
    for number, example in enumerate([*EXAMPLES, *PHIS]):
        for strategy in sample([*CONSTRUCTIONS], 3, number % 3):
            convert(Source("p.bril", dedent(example.text)), strategy=strategy, certify=True)


def test_functions_of_other_files_are_imported(cpsconv: Run) -> None:
    Path("lib").mkdir()
    Path("p.bril").write_text(
        'from "lib/a.bril" import @f, @g as @h; from "b.json" import @f as @k;\n'
        "@f2 { nop; }\n@main { x: int = call @f; y: int = call @h; z: int = call @k; print x y z; }"
    )
    Path("lib/a.bril").write_text(
        'from "../p.bril" import @f2; @f: int { call @f2; x: int = const 1; ret x; }\n'
        "@g: int { x: int = call @f; y: int = add x x; ret y; }"
    )
    Path("b.json").write_text(in_json("@f: int { x: int = const 3; ret x; }"))
    assert cpsconv("run", "--profile", "p.bril") == (0, "1 2 3\n", "total_dyn_inst: 17\n")


def test_imported_files_are_also_searched_in_libraries(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("lib").mkdir()
    Path("lib/a.bril").write_text("@f { x: int = const 1; print x; }")
    Path("p.bril").write_text('from "a.bril" import @f; @main { call @f; }')
    done = cpsconv("run", "p.bril")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        'p.bril:1:6: error: there is no file `a.bril`\n    1 | from "a.bril" import @f; @main { call @f; }\n'
        "      |      ^^^^^^^^\nhelp: `BRIL_PATH` can name further folders with imported files\n"
    )
    monkeypatch.setenv("BRIL_PATH", "lib")
    assert cpsconv("run", "p.bril") == (0, "1\n", "")


WRONG = [
    ("", "there is no function `main`"),
    ("@main {", "`}` is missing"),
    ("@main { x", "the end of the text is not expected here"),
    ("@main { x: int = const 1 }", "`;` is missing"),
    ("@main { x: int = const y; }", "`const` takes a number"),
    ("@main { x: int = add 1 2; }", "only `const` takes values"),
    ("@main { x: int = const 99999999999999999999; }", "not in the range of `int`"),
    ("@main { x: int = const 1.5; }", "not a value of type int"),
    ("@main { x: int = const true; }", "not a value of type int"),
    ("@main { x: char = const 1; }", "not a value of type char"),
    ("@main { x: float = const " + "9" * 5000 + "; }", "the number is too long"),
    ("@main { x = const 1; }", "the type of `x` is missing"),
    ("@main { x: any = const 1; }", "the type `any` is not supported"),
    ("@main { x: string = const 1; }", "there is no type `string`"),
    ("@main { x: map<int> = const 1; }", "there is no type `map<int>`"),
    ("@main { x: int = const 1; x: bool = const true; }", "has the type int elsewhere, not bool"),
    ("@main { y: int = id x; }", "`x` is never assigned"),
    ("@main { x: int = const 1; y: bool = not x; }", "has the type int, but the type bool is needed"),
    ("@main { x: int = const 1; y: bool = id x; }", "has the type int, but the type bool is needed"),
    ("@main { x: int = const 1; y: int = load x; }", "the type ptr<int> is needed"),
    ("@main { x: int = const 1; free x; }", "a pointer type is needed"),
    (
        "@main { x: int = const 1; y: bool = add x x; }",
        "`y` has the type bool, but the result of `add` has the type int",
    ),
    (
        "@main { x: int = const 1; y: int = alloc x; }",
        "`y` has the type int, but the result of `alloc` has a pointer type",
    ),
    ("@main { x: int = const 1; y: int = add x; }", "`add` takes 2 arguments, but 1 is given"),
    ("@main { x: int = const 1; add x x; }", "the result of `add` is not assigned"),
    ("@main { x: int = print; }", "`print` has no result"),
    ("@main { jmp .a; }", "there is no label `.a`"),
    ("@main { .a: .a: }", "there are two labels `.a`"),
    ("@main { jmp; }", "`jmp` takes 1 label"),
    ("@main { call @f; }", "there is no function `f`"),
    ("@main { call; }", "`call` takes one function"),
    ("@f(x: int) {} @main { call @f; }", "function `f` takes 1 argument, but 0 are given"),
    ("@f {} @f {} @main {}", "multiple functions of name `f`"),
    ("@f(x: int, x: int) {} @main {}", "two parameters `x`"),
    ("@f: int { ret; } @main {}", "`ret` takes 1 argument"),
    ("@main { x: int = foo; }", "there is no operation `foo`"),
    ("@main { speculate; }", "`speculate` is not supported"),
    ("@main { .a: x: int = const 1; y: int = phi .a x; }", "at the start of a block only"),
    ("@main { x: int = const 1; set y x; }", "there is no `get` of `y`"),
    ('from "p.bril" import @g; @main {}', "has no function `g`"),
    ('of "p.bril" import @g; @main {}', "`of` is not expected here, but `from`"),
    ("{", "this is not JSON"),
    ("[]", "a program is an object with `functions`"),
    ('{"functions": [{"name": "main"}]}', "a function has `instrs`"),
    ('{"functions": [{"name": 1, "instrs": []}]}', "`name` is missing, or is no name"),
    ('{"functions": [{"name": "main", "instrs": [{"op": "const", "dest": "x", "type": "int", "value": NaN}]}]}', "NaN"),
    (
        '{"functions": [{"name": "main", "instrs": [{"op": "const", "dest": "x", "type": "int", "value": []}]}]}',
        "`value`",
    ),
    (
        '{"functions": [{"name": "main", "instrs": [{"op": "const", "dest": "x", "type": ["int"], "value": 1}]}]}',
        "`type`",
    ),
    ('{"functions": [{"name": "main", "instrs": [{"op": "print", "args": "x"}]}]}', "`args` is not a list of names"),
    ('{"functions": [{"name": "\\ud800", "instrs": []}]}', "is no name"),
    ("[" * 100_000, "nested too deeply"),
    ('{"functions": [' * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_input_is_reported(cpsconv: Run, text: str, message: str) -> None:
    Path("p.bril").write_text(text)
    done = cpsconv("run", "p.bril")
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert cpsconv("check", "p.bril").status == (0 if not text else 1)


@pytest.mark.parametrize("content", [b"\0\1\2", b"\xff", b"@main {\xc3}", b"\x7fELF\2"])
def test_binary_files_are_reported(cpsconv: Run, content: bytes) -> None:
    Path("p.bril").write_bytes(content)
    done = cpsconv("run", "p.bril")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("p.bril:1:")


def test_phis_that_read_others_of_their_block_have_a_warning(cpsconv: Run) -> None:
    Path("p.bril").write_text(
        "@main {\n.a:\n  i: int = const 1;\n  jmp .b;\n.b:\n"
        "  x: int = phi .a i .b y;\n  y: int = phi .a i .b x;\n  z: int = phi .a i .b z;\n  jmp .b;\n"
        ".c:\n  v: int = phi .b x;\n}\n"
    )
    value = "is the value before the block: its φ functions are executed at the same time [-Wphi-order]"
    older = "Bril's older interpreter executes this one before, and then reads its result"
    found = [line for line in cpsconv("check", "p.bril").err.splitlines() if line.startswith("p.bril:")]
    assert found == [
        f"p.bril:6:24: warning: `y` {value}",
        f"p.bril:7:24: warning: `x` {value}",
        f"p.bril:6:3: note: {older}",
    ]
    assert cpsconv("check", "-Wno-phi-order", "p.bril").err == ""


def test_a_misspelt_operand_of_a_phi_has_a_warning(cpsconv: Run) -> None:
    Path("p.bril").write_text(
        "@main {\n.a:\n  some: int = const 1;\n.b:\n  y: int = phi .a sone .c __undefined;\n.c:\n}\n"
    )
    done = cpsconv("check", "p.bril")
    assert (done.status, done.err.count("warning")) == (0, 1)
    assert "p.bril:5:19: warning: `sone` is never assigned [-Wuninitialized]\n" in done.err
    assert "help: did you mean `some`?" in done.err


def test_all_errors_of_types_are_reported_in_source_order(cpsconv: Run) -> None:
    Path("p.json").write_text(
        '{"functions": [{"name": "main", "instrs": [\n{"op": "const", "dest": "x", "type": "int", "value": true},\n'
        '{"op": "prnt", "args": ["x"]}\n]}]}'
    )
    assert cpsconv("check", "p.json").err == (
        "p.json:2:1: error: this is not a value of type int\n"
        '    2 | {"op": "const", "dest": "x", "type": "int", "value": true},\n'
        "      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "p.json:3:1: error: there is no operation `prnt`\n"
        '    3 | {"op": "prnt", "args": ["x"]}\n'
        "      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "help: did you mean `print`?\n"
    )


PROGRAMS = table("bril")
"""The longer programs of these tests."""

SEVERAL = PROGRAMS["SEVERAL"]


def test_all_errors_of_a_text_are_reported(cpsconv: Run) -> None:
    Path("p.bril").write_text(SEVERAL)
    found = [line.removeprefix("p.bril:") for line in cpsconv("check", "p.bril").err.splitlines() if "p.bril:" in line]
    assert found == [
        "1:6: error: there is no file `nowhere.bril`",
        "3:18: error: `;` is missing",
        "4:18: error: `add` takes names: only `const` takes values",
        "5:17: error: `,` is not expected here, but `.label`, `;`, `@function`, a character, a name or a number",
        "7:3: error: `b` is not expected here, but `:`",
        "8:3: error: `const` takes a number, a character, `true` or `false`",
        "10:3: error: `jmp` takes 1 label",
        "11:16: error: `n` has the type int, but the type bool is needed",
        "12:25: error: `}` is missing",
        "15:12: error: `=` is not expected here, but a name",
        "16:3: error: `ret` takes 1 argument, but 0 are given",
        "18:1: error: `}` is not expected here, but `@function`, a name or the end of the text",
        "19:6: error: `int` is not expected here, but `:`",
        "20:11: error: `ret` takes 1 argument, but 0 are given",
    ]


def test_all_errors_of_a_json_text_are_reported(cpsconv: Run) -> None:
    digits = "9" * 1000
    Path("p.json").write_text(
        f"""{{"functions": [
        {{"name": "main", "args": [{{"name": 5, "type": "int"}}], "instrs": [
          {{"op": "const", "dest": "x", "type": "int", "value": {digits}}},
          {{"op": "const", "dest": "y", "type": "bool", "value": 1}},
          {{"label": ""}},
          {{"op": "print", "args": ["x", 3]}},
          {{"op": "print", "args": ["missing"]}},
          {{"op": "id", "dest": "z", "type": {{"ptr": 1}}, "args": ["x"]}}
        ]}},
        {{"instrs": []}},
        {{"name": "f"}},
        {{"name": "g", "instrs": [{{"op": "jmp", "labels": []}}]}}
        ]}}"""
    )
    found = [line.removeprefix("p.json:") for line in cpsconv("check", "p.json").err.splitlines() if "p.json:" in line]
    assert found == [
        "2:35: error: `name` is missing, or is no name",
        "3:11: error: the number is too long",
        "4:11: error: this is not a value of type bool",
        "5:11: error: `label` is missing, or is no name",
        "6:11: error: `args` is not a list of names",
        "8:11: error: `type` is missing, or is no type",
        "10:9: error: `name` is missing, or is no name",
        "11:9: error: a function has `instrs`",
        "12:34: error: `jmp` takes 1 label",
    ]


def test_the_number_of_errors_is_limited(cpsconv: Run) -> None:
    for line in ("x: int = ;", "x: int = foo;"):
        Path("p.bril").write_text("@main {" + f"{line}\n" * 100 + "}")
        found = cpsconv("check", "p.bril", "--max-errors", "5").err
        assert found.count("error:") == 6
        assert "too many errors" in found


def test_deep_nesting_is_reported_or_converted(cpsconv: Run) -> None:
    Path("p.json").write_text('{"functions": ' + "[" * 100_000)
    assert "p.json:1:1: error: this JSON text is nested too deeply" in cpsconv("check", "p.json").err
    Path("p.bril").write_text("@main { x: " + "ptr<" * 10_000 + "int" + ">" * 10_000 + " = const 1; }")
    assert "error: this is not a value of type" in cpsconv("check", "p.bril").err


@pytest.mark.parametrize("arguments", [("1",), ("1", "x"), ("1", "2", "3"), ("z", "c"), ("1", "two")])
def test_wrong_arguments_of_main_end_with_status_2(cpsconv: Run, arguments: tuple[str, ...]) -> None:
    Path("p.bril").write_text("@main(n: int, b: bool) { print n b; }")
    done = cpsconv("run", "p.bril", "--", *arguments)
    assert (done.status, done.out) == (2, "")
    assert "`main`" in done.err


def test_arguments_of_main(cpsconv: Run) -> None:
    Path("p.bril").write_text("@main(n: int, f: float, b: bool, c: char) { print n f b c; }")
    assert cpsconv("run", "p.bril", "--", "-3.0", "1e3", "false", "5") == (0, "-3 1000.00000000000000000 false 5\n", "")


def test_profile_needs_bril(cpsconv: Run) -> None:
    Path("p.c").write_text("int main() { return 0; }")
    assert cpsconv("run", "--profile", "p.c").status == 2


def test_a_long_function_is_converted_in_linear_space(cpsconv: Run) -> None:
    blocks = "".join(f".l{number}: x{number}: int = add x x; br b .l{number + 1} .end;\n" for number in range(1500))
    Path("p.bril").write_text(f"@main(x: int, b: bool) {{ jmp .l0;\n{blocks} .l1500: print x; .end: }}")
    assert cpsconv("run", "p.bril", "--", "3", "true") == (0, "3\n", "")


@given(st.data())
def test_mutated_sources_are_converted_or_reported(data: st.DataObject) -> None:
    text = dedent(data.draw(st.sampled_from([*EXAMPLES, *PHIS])).text)
    if data.draw(st.booleans()):
        text = in_json(text)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 20, len(text))))
        piece = data.draw(
            st.sampled_from(["", text[end : end + 10], "x", "1", '"', "{", "}", ";", "@main", ".a", "ptr<"])
        )
        text = text[:start] + piece + text[end:]
    try:
        convert(Source("p.bril", text))
    except DiagnosticError as failure:
        assert all(each.rule and each.span for each in failure.diagnostics)


def test_json_has_the_same_tree_as_the_text() -> None:
    for example in EXAMPLES:
        assert json.loads(in_json(dedent(example.text)))["functions"]
        read("bril", Source("p.json", in_json(dedent(example.text))))


def test_profile_needs_main(cpsconv: Run) -> None:
    Path("p.bril").write_text("@f {\n}\n")
    done = cpsconv("run", "--profile", "p.bril")
    assert done == (2, "", "error: there is no function `main`\nhelp: the program has `f`\n")
