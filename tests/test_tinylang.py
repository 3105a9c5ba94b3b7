"""tinylang: errors, memory, names, and generated programs. (tests/test_languages.py runs tests/corpus/tinylang.)"""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, pretty
from cpsconv.core.operations.runtime_errors import BoundsError
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.engines.machine.machine import evaluate
from cpsconv.targets.c import c as emit_c
from cpsconv.targets.llvm import llvm
from testing.effort import beyond_the_stack, is_full
from testing.expectations import ROOT
from testing.running import STRATEGIES, observe
from testing.tinylang_programs import Generator, expected
from tests.conftest import Run


def converted(
    text: str, strategy: str = "scc", warnings: list[Diagnostic] | None = None, name: str = "M.mod"
) -> Program:
    return convert(Source(name, text), strategy=strategy, warnings=warnings, certify=True)


def errors(text: str, name: str = "M.mod") -> list[str]:
    """The messages of the errors, each after its line and column."""
    with pytest.raises(DiagnosticError) as caught:
        converted(text, name=name)
    return [f"{str(each.span).partition(':')[2]} {each.message}" for each in caught.value.diagnostics]


def module(declarations: str, body: str = "") -> str:
    return f"MODULE M;\n{declarations}\nBEGIN\n{body}\nEND M.\n"


@pytest.mark.parametrize("number", range(200) if is_full() else [*range(8), 12, 189])
def test_a_generated_program_does_what_its_translation_to_python_does(number: int) -> None:
    generated = Generator(number).program()
    program = converted(generated.tiny, STRATEGIES[number % len(STRATEGIES)], name="random.mod")
    observed = observe(program, engine=("machine", "python")[number % 2])
    assert (observed.output, observed.status != 0) == expected(generated.python)


def test_a_nested_procedure_uses_values_that_do_not_change_and_references_to_other_variables() -> None:
    program = converted(
        module(
            """PROCEDURE F(n: INTEGER): INTEGER;
            VAR sum: INTEGER;
              PROCEDURE Add(k: INTEGER);
              BEGIN IF k <= n THEN sum := sum + k; Add(k + 1) END END Add;
            BEGIN sum := 0; Add(1); RETURN sum END F;"""
        )
    )
    add = program.functions[1]
    assert [value.name for value in add.free] == ["n", "sum"]
    text = pretty(program)
    assert text.startswith('@c.symbol("_t1M1F") F(n : long, ret : long → ⊥) → ⊥ {\n  sum := allocate long;\n')
    assert '    @c.symbol("_t1M1F3Add") F_Add(k : long, ret : () → ⊥) → ⊥ {\n' in text
    assert in_memory(program) == [("sum", "a nested procedure assigns it")]


def in_memory(program: Program) -> list[tuple[str, str]]:
    variables = program.variables.get(program.functions[0])
    return [(each.name, each.reason) for each in variables.in_memory] if variables else []


@pytest.mark.parametrize(
    ("body", "is_cell"),
    [
        ("x := n * 2; RETURN Get() + Get()", False),
        ("n := n + 1; x := 0; IF n > x THEN n := 7 END; RETURN n", False),  # Get is not called
        ("RETURN n + Get()", False),  # x has no value
        ("x := 1; x := x + n; RETURN Get()", True),
        ("IF n > 0 THEN x := 1 END; RETURN Get()", True),
        ("WHILE n > 0 DO x := n; n := n - Get() END; RETURN x", True),
        ("n := Get(); x := n; RETURN Get()", True),
        ("x := Get(); RETURN Get()", True),
        ("RETURN Get(); x := 1", True),
    ],
)
def test_a_variable_with_one_value_before_the_first_nested_use_stays_a_value(body: str, is_cell: bool) -> None:
    nested = "PROCEDURE Get(): INTEGER; BEGIN RETURN x END Get;"
    program = converted(module(f"PROCEDURE F(n: INTEGER): INTEGER; VAR x: INTEGER; {nested} BEGIN {body} END F;"))
    expected = [("x", "it is assigned, and the nested procedure `Get` uses it")] * is_cell
    assert in_memory(program) == expected


def test_an_assigned_parameter_of_an_enclosing_procedure_is_in_memory() -> None:
    nested = "PROCEDURE Get(): INTEGER; BEGIN RETURN n END Get;"
    program = converted(module(f"PROCEDURE F(n: INTEGER): INTEGER; {nested} BEGIN n := n + 1; RETURN Get() END F;"))
    assert in_memory(program) == [("n", "it is assigned, and the nested procedure `Get` uses it")]


def test_a_nested_procedure_that_is_never_called_is_no_part_of_the_program() -> None:
    nested = "PROCEDURE Get(): INTEGER; BEGIN RETURN n END Get;"
    program = converted(module(f"PROCEDURE F(n: INTEGER): INTEGER; {nested} BEGIN RETURN n END F;"))
    assert [function.name for function in program.functions] == ["F", "main"]


def test_procedure_values_in_a_procedure_that_is_never_called_change_nothing() -> None:
    value = "PROCEDURE R(k: INTEGER): INTEGER; BEGIN IF R = NIL THEN RETURN E(k) END; RETURN n END R;"
    nested = f"PROCEDURE E(d: INTEGER): INTEGER; {value} BEGIN RETURN d END E;"
    program = converted(module(f"PROCEDURE F(n: INTEGER): INTEGER; {nested} BEGIN RETURN n END F;"))
    assert {"F", "F_E_R_value", "main"} <= {each.name for each in program.functions}


def test_a_run_of_nested_procedures_is_traced(cpsconv: Run) -> None:
    assert cpsconv("run", "--trace", str(ROOT / "tests/corpus/tinylang/nesting.mod")).status == 0


def test_a_local_record_is_split_unless_it_is_used_as_a_whole() -> None:
    record = (
        "TYPE P = RECORD x, y: INTEGER END; PROCEDURE F(a: INTEGER): INTEGER; VAR p, q: P; BEGIN p.x := a; %s END F;"
    )
    assert "allocate" not in pretty(converted(module(record % "RETURN p.x")))
    assert pretty(converted(module(record % "q := p; RETURN q.x"))).count(" := allocate P") == 2


def test_names_are_mangled_in_llvm_ir() -> None:
    text = module("VAR x: INTEGER; PROCEDURE F; PROCEDURE G; BEGIN x := 1 END G; BEGIN G END F;").replace(
        "BEGIN\n\nEND", "END"
    )
    emitted = llvm(converted(text))
    assert "define void @_t1M1F()" in emitted
    assert "define void @_t1M1F1G()" in emitted
    assert "@_t1M1x" in emitted


def test_all_errors_of_a_module_are_reported() -> None:
    text = module("VAR x: INTEGER; b: BOOLEN;\nCONST c = x;", "x := TRUE;\ny := 1;\nIF x THEN END;\nRETURN 1 / 2")
    assert errors(text) == [
        "2:20 `BOOLEN` is not declared",
        "3:11 this is not a constant",
        "5:6 the value for `x` must be `INTEGER`, but this is `BOOLEAN`",
        "6:1 `y` is not declared",
        "7:4 the condition of `IF` must be `BOOLEAN`, but this is `INTEGER`",
        "8:8 `/` divides real numbers, which the language does not have",
        "8:8 `M` returns no value",
    ]


def test_missing_words_are_added_and_others_skipped() -> None:
    text = module("VAR x: INTEGER", "x := (1 + 2;\nIF x = 3 x := 4 END\nx := 5")
    assert errors(text) == [
        "2:14 `;` is missing",
        "4:11 `)` is missing",
        "5:8 `THEN` is missing",
        "5:19 `;` is missing",
    ]


def test_each_statement_with_a_syntax_error_is_reported() -> None:
    text = module("VAR x INTEGER;\nCONST c := 3;", "x = 3;\nIF x := 3 THEN x := ELSE x := 4 + END;\nx := 5 6;\nx := 7")
    assert [each.partition(" is not expected here")[0] for each in errors(text)] == [
        "2:5 `:` is missing",
        "3:9 `:=`",
        "5:3 `=`",
        "6:6 `:=`",
        "6:21 `ELSE`",
        "6:35 `END`",
        "7:8 `6`",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(* *)", "1:6 the end of the text is not expected here, but `MODULE`"),
        ("\0\1", "1:1 `\0` is not expected here, but `MODULE`"),
        ("MODULE M; (* (* *)", "1:11 this comment is not ended by `*)`"),
        (module("VAR x: " + "ARRAY [1] OF " * 1000 + "INTEGER;"), "2:671 types are nested too deeply"),
        (module("TYPE A = ARRAY [1000000000] OF INTEGER;"), "2:10 the type is larger than 2 GiB"),
        (module("CONST c = " + "9" * 10_000 + ";"), "2:11 the number is not in the range of INTEGER, 64 bits"),
        (module("TYPE R = RECORD r: R END;"), "2:20 `R` is not declared"),
        ("MODULE M; IMPORT M; END M.", "1:18 module `M` imports itself"),
        ("MODULE M; IMPORT Missing; END M.", "1:18 there is no module `Missing`"),
    ],
)
def test_wrong_input_is_reported(text: str, message: str) -> None:
    assert message in errors(text)


def test_errors_in_all_imported_modules_are_reported(cpsconv: Run) -> None:
    Path("M.mod").write_text("MODULE M; IMPORT A, B, C; END M.")
    Path("A.mod").write_text("MODULE A; VAR x; END A.")
    Path("B.mod").write_bytes(b"\xff")
    found = cpsconv("check", "M.mod").err
    assert all(f"{place}: error: " in found for place in ("A.mod:1:16", "B.mod:1:1", "M.mod:1:24"))


def test_a_trace_has_the_name_of_the_main_module(cpsconv: Run) -> None:
    Path("M.mod").write_text("MODULE M; IMPORT A; BEGIN A.P END M.")
    Path("A.mod").write_text("MODULE A; PROCEDURE P; BEGIN END P; END A.")
    assert cpsconv("run", "--trace", "M.mod").err.split()[:3] == ["step", "line", "M.mod"]


def test_types_of_equal_names_are_explained(cpsconv: Run) -> None:
    text = "MODULE M; VAR a: ARRAY [2] OF INTEGER; b: ARRAY [2] OF INTEGER; BEGIN a := b END M."
    Path("M.mod").write_text(text)
    assert "help: types are equal if they have one declaration: declare a name\n" in cpsconv("check", "M.mod").err


def test_modules_that_import_each_other_are_reported(tmp_path: Path) -> None:
    (tmp_path / "Other.mod").write_text("MODULE Other; IMPORT M; END Other.")
    assert errors("MODULE M; IMPORT Other; END M.", str(tmp_path / "M.mod"))[0].endswith(
        "module `M` imports itself, by the modules it imports"
    )


def test_deep_nesting_needs_no_deep_recursion() -> None:
    deep = module(
        "VAR x: INTEGER;", f"x := {'(' * 3000}1{')' * 3000}{' + 1' * 3000}; {'IF x = 1 THEN ' * 500}{'END ' * 500}"
    )
    assert observe(converted(deep)).status == 0


def test_warnings_name_the_sign_of_a_sum_and_a_missing_return() -> None:
    warnings: list[Diagnostic] = []
    converted(
        module("PROCEDURE F(a: INTEGER): INTEGER; BEGIN IF a > 0 THEN RETURN -a + 1 END END F;"), warnings=warnings
    )
    assert [each.rule for each in warnings] == ["parentheses", "return-type"]


def test_nothing_follows_an_endless_loop() -> None:
    body = "WHILE TRUE DO x := n; n := n - 1; IF n < 0 THEN RETURN x END END"
    for rest in "", "; RETURN x":
        warnings: list[Diagnostic] = []
        converted(
            module(f"PROCEDURE F(n: INTEGER): INTEGER; VAR x: INTEGER; BEGIN {body}{rest} END F;"), warnings=warnings
        )
        assert not warnings


def test_a_division_by_a_constant_expression_of_the_value_0_is_reported() -> None:
    warnings: list[Diagnostic] = []
    converted(module("CONST n = 2; VAR x: INTEGER;", "x := 7 DIV (n - 2); x := 7 MOD (n - 1)"), warnings=warnings)
    assert [each.rule for each in warnings] == ["div-by-zero"]


def test_the_index_of_a_var_argument_is_checked_even_if_nothing_uses_it() -> None:
    text = module("VAR a: ARRAY [4] OF INTEGER; i: INTEGER; PROCEDURE P(VAR x: INTEGER); END P;", "i := %s; P(a[i])")
    assert [observe(converted(text % number)).status for number in (3, 4)] == [0, "error"]


_PARTS = """
TYPE Row = ARRAY [4] OF INTEGER; Inner = RECORD n: INTEGER; flags: ARRAY [2] OF BOOLEAN END;
VAR m: ARRAY [3] OF Row; r: RECORD of: ARRAY [2] OF Inner END;
PROCEDURE By(VAR row: Row; i: INTEGER); BEGIN row[i] := 1 END By;
PROCEDURE Run(i, j, k: INTEGER);
BEGIN
  m[i][j] := 1; r.of[j].n := 1; r.of[0].flags[k] := TRUE; By(m[i], k + 2)
END Run;
"""


@pytest.mark.parametrize(
    ("engine", "options"), [("machine", []), ("python", ["-O"]), ("llvm", ["--explicit-memory=objects"])]
)
@pytest.mark.parametrize(
    ("arguments", "index", "line"),
    [
        ("0 1 1", "", 0),
        ("3 0 0", "3 of `m` (3 elements of Row, declared on line 3)", 7),
        ("-1 0 0", "-1 of `m` (3 elements of Row, declared on line 3)", 7),
        ("0 2 0", "2 of `r.of` (2 elements of Inner, declared on line 3)", 7),
        ("0 0 2", "2 of `r.of[0].flags` (2 elements of BOOLEAN, declared on line 3)", 7),
        ("0 0 -3", "-3 of `r.of[0].flags` (2 elements of BOOLEAN, declared on line 3)", 7),
    ],
)
def test_an_index_of_a_part_is_reported_as_that_of_an_object(
    engine: str, options: list[str], arguments: str, index: str, line: int, cpsconv: Run
) -> None:
    file = Path("M.mod")
    file.write_text(f"MODULE M;{_PARTS}END M.\n")
    command = ["run", f"{file}:Run", "--engine", engine, *options, "--", *arguments.split()]
    status, _, errors = cpsconv(*command)
    message = f"{file}:{line}:"
    assert status == (3 if index else 0)
    assert errors.startswith(message) == bool(index)
    assert not index or f"runtime error: index {index} is out of bounds\n" in errors


def test_the_index_in_a_var_parameter_is_that_of_the_parameter() -> None:
    text = module(_PARTS, "By(m[1], 4)")
    with pytest.raises(BoundsError, match=r"index 4 of `row` \(4 elements of long, declared on line 5\)"):
        evaluate(converted(text), output=io.BytesIO(), errors=io.BytesIO())


def test_a_failed_index_check_ends_emitted_c(tmp_path: Path) -> None:
    emitted = tmp_path / "M.c"
    emitted.write_text(emit_c(converted(module(_PARTS, "Run(0, 0, 2)"))))
    subprocess.run(["gcc", "-O2", "-o", tmp_path / "M", emitted], check=True)
    done = subprocess.run([tmp_path / "M"], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGABRT
    assert "the index in `r.of[0].flags[k]` is out of bounds" in done.stderr


_COUNTER = """VAR count: INTEGER;
PROCEDURE Add(n: INTEGER): INTEGER;
BEGIN count := count + n; IF n > 0 THEN RETURN Add(n - 1) END; RETURN count END Add;
PROCEDURE P(): INTEGER;
  PROCEDURE Twice(n: INTEGER): INTEGER; BEGIN RETURN n * count END Twice;
BEGIN RETURN Twice(1) END P;"""


@pytest.mark.parametrize("options", [[], ["--engine", "machine"], ["--engine", "llvm"], ["-O"], ["--explicit-memory"]])
def test_a_run_from_a_procedure_executes_the_bodies_first(options: list[str], cpsconv: Run) -> None:
    Path("N.mod").write_text(
        "MODULE N; VAR first: INTEGER; PROCEDURE Get(): INTEGER; BEGIN RETURN first END Get; BEGIN first := 100 END N."
    )
    Path("M.mod").write_text(module(f"IMPORT N; {_COUNTER}", "count := N.Get()"))
    for entry, arguments, value in (("Add", ["3"], 106), ("P", [], 100), ("P_Twice", ["2"], 200), ("N_Get", [], 100)):
        assert cpsconv("run", *options, "M.mod", "--entry", entry, *arguments) == (0, f"{value}\n", "")
    assert cpsconv("run", *options, "M.mod", "--entry", "main") == (0, "", "")


def test_a_program_in_another_language_that_starts_a_procedure_executes_the_bodies_first(cpsconv: Run) -> None:
    Path("M.mod").write_text(module(_COUNTER, "count := 100"))
    emitted = cpsconv("convert", "--emit", "python", "M.mod:Add").out
    Path("M.py").write_text(emitted)
    assert subprocess.check_output([sys.executable, "M.py", "3"], text=True) == "106\n"


def test_stepping_shows_values_and_types_as_in_the_source(cpsconv: Run) -> None:
    Path("M.mod").write_text(module(f"VAR row: ARRAY [2] OF INTEGER; {_COUNTER}", "row[0] := 7; count := 100"))
    shown = cpsconv("step", "--entry", "Add", "M.mod", "0", stdin="r Add.after_main\nn\np n\nm row\nm count\nr\n").out
    for each in ("n : INTEGER = 0", "row : INTEGER[2] = { 7, 0 }", "count : INTEGER = 100"):
        assert f"{each}\n" in shown
    assert "long" not in shown and "0l" not in shown and shown.endswith("the program is done: `Add` returned 100\n> \n")


def test_procedures_nested_deeply_and_recursively_run() -> None:
    """The innermost procedure assigns a variable of the outermost one, and calls it again."""
    with beyond_the_stack() as depth:
        program = converted(nested_procedures(depth))
    assert [observe(program, engine=engine).output for engine in ("machine", "python")] == [
        f"1\n{depth}\n{2 * depth - 1}\n"
    ] * 2


def nested_procedures(depth: int) -> str:
    """Procedures nested so deeply; each calls the next one, and the innermost one the first one."""
    heads = [f"PROCEDURE P{number}(n: INTEGER); VAR v{number}: INTEGER;" for number in range(depth)]
    ends = [f"BEGIN v{number} := n; P{number + 1}(n); v0 := v0 + v{number} END P{number};" for number in range(depth)]
    innermost = f"PROCEDURE P{depth}(n: INTEGER); BEGIN v0 := v0 + 1; IF n > 0 THEN P0(n - 1) END END P{depth};"
    ends[0] = "BEGIN v0 := 0; P1(n); WriteInt(v0, 0); WriteLn END P0;"
    return module("\n".join(["FROM InOut IMPORT WriteInt, WriteLn;", *heads, innermost, *ends[::-1]]), "P0(2)")


def test_a_comparison_with_a_reference_executes_the_bodies_first(cpsconv: Run) -> None:
    Path("old.mod").write_text(module(_COUNTER, "count := 100"))
    Path("new.mod").write_text(module(_COUNTER, "count := 50; count := count * 2"))
    Path("wrong.mod").write_text(module(_COUNTER, "count := 99"))
    Path("add.c").write_text("long Add(long n) { long s = 100; for (; n > 0; n--) s += n; return s + n; }")
    for options in [], ["-O"], ["--explicit-memory"]:
        assert cpsconv("check", *options, "new.mod", "--against", "old.mod", "--tests", "20").status == 0
        done = cpsconv("check", *options, "wrong.mod:P", "--against", "old.mod", "--tests", "20")
        assert (done.status, "returns 99" in done.out) == (1, True)
    assert cpsconv("check", "new.mod:Add", "--against", "add.c", "--tests", "20").status == 0
