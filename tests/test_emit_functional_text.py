"""Programs as text in functional languages, which `test_emit_functional` runs, and what is special in one language."""

from __future__ import annotations

import ast
import keyword
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cpsconv.core.ir import Effect, Program
from cpsconv.core.operations.completeness import IncompleteTable
from cpsconv.core.operations.table import OUTPUTS
from cpsconv.core.source import DiagnosticError
from cpsconv.targets.functional.completeness import require_calls
from cpsconv.targets.functional.definition import definition_of
from cpsconv.targets.functional.haskell import haskell
from cpsconv.targets.functional.javascript import DEFINITION, javascript, operations
from cpsconv.targets.functional.ocaml import ocaml
from cpsconv.targets.functional.python import python
from cpsconv.targets.functional.scheme import scheme
from testing.c_programs import random_program
from testing.exact_operations import shown
from testing.expectations import EXAMPLES, Observation, documented
from testing.functional_targets import FIG8, HASKELL, LANGUAGES, OCAML, SCHEME, SCHEME_COMPILED, Language, each
from testing.printed_values import differences, every_directive, every_operation, printing, without_signs_of_nans
from testing.running import converted, observe
from tests.tables import scenarios
from tests.test_emit_functional import SEARCH, from_c, from_cps


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_figure_8_becomes_the_text_in_the_docstring(language: Language) -> None:
    assert documented(f"cpsconv.targets.functional.{language.name}") in f"{language.emit(from_c(FIG8))}\n"


TEXTS = scenarios("functional_texts")


@pytest.mark.parametrize("name", TEXTS)
def test_a_program_becomes_a_text(name: str) -> None:
    (language,) = (each for each in LANGUAGES if name.endswith(f", {each.name}"))
    program, text = TEXTS[name]
    assert text in f"{language.emit(from_c(program))}\n"


@pytest.mark.parametrize(
    ("language", "program", "text"),
    [
        (python, "int f(int a, int b) { return a & (b >> 33); }", "ret(a & (b >> 1))"),
        (python, "unsigned f(unsigned a, int b) { return ~a >> b; }", "ret(to_unsigned(~a) >> (b & 31))"),
        (python, "int f(int a, int b) { return -a + b * 2; }", "ret(to_int(-a + b * 2))"),
        (python, "short f(short a, short b) { return a + b; }", "ret(to_short(a + b))"),
        (python, "long f(int a, long b) { return (a + a) * b; }", "ret(to_long(to_int(a + a) * b))"),
        (python, "float f(float a) { return a * a + 1; }", "ret(to_float(to_float(a * a) + 1.0))"),
        (javascript, "int f(int a, int b, int c) { return a + b - c; }", "ret((a + b - c) | 0)"),
        (javascript, "int f(unsigned a, unsigned b) { return -(a + b) < 7; }", "(-(a + b) >>> 0) < 7"),
        (javascript, "int f(short a, short b) { return (short)(a + b) == 3; }", "toShort(a + b) === 3"),
        (javascript, "long f(long a, int b) { return a + b; }", "ret(toLong(a + BigInt(b)))"),
        (javascript, "int f(int a, int b) { return a / b; }", "divideInt(a, b)"),
        (javascript, "int f(int a, int b) { return a / b; }", '  if (b === 0) throw new Fault("division by zero");'),
        (ocaml, "int f(int a, int b, int c) { return a * b - c; }", "ret (int (a * b - c))"),
        (ocaml, "int f(unsigned a, unsigned b) { return -(a + b) < 7; }", "unsigned (-(a + b)) < 7"),
        (ocaml, "int f(int a, int b) { return (char)(a + b) - 1; }", "ret (int (char (a + b) - 1))"),
        (ocaml, "int f(int a) { return a >> 1 >> 2; }", "ret ((a asr 1) asr 2)"),
        (ocaml, "long f(long a, int b) { return a + b; }", "ret (Int64.add a (Int64.of_int b))"),
        (ocaml, "float f(float a) { return a + (float)0.1; }", "ret (single (a +. single 0.1))"),
        (haskell, "int f(int x) { return 2147483647 + 1 < x; }", "toInt32 (fromEnum ((2147483647 :: Int32) + 1 < x))"),
        (haskell, "int f(int x) { return (1L << x) == 2147483648L; }", "((1 :: Int64) `shl` (x .&. 63)) == 2147483648"),
        (haskell, "int f(int x) { return (char)(x + 1); }", "toInt32 (toInt8 (x + 1))"),
        (scheme, "int f(int x) { int y, z = 1; if (x) y = 2; return x + y + z; }", "(->int (+ (+ x (defined y)) 1))"),
        (haskell, "int f(int n) { int x, y; if (n) x = n + 1, y = n + 2; return x - y; }", "(next $! n + 1) $! n + 2"),
        (ocaml, "int f(int x) { int y, z = 1; if (x) y = 2; return x + y + z; }", "ret (int (x + defined y + 1))"),
        (ocaml, "int f(int x) { int y, z = 1; if (x) y = 2; return x + y + z; }", "next (Some 2)"),
        (ocaml, "int f(int x) { int y, z = 1; if (x) y = 2; return x + y + z; }", "next None"),
        (ocaml, 'int main(void) { printf("%+d\\n", 4); return 0; }',
         'Printf.printf "%s\\n" (shown_integer "d" "+" 0 (-1) (Int64.of_int 4));'),
        (ocaml, 'int main(void) { printf("%5d%% %lx %c\\n", 1, 2L, 3); return 0; }',
         'Printf.printf "%5d%% %Lx %c\\n" 1 2L (Char.chr (unsigned_char 3));'),
        (scheme, "int list(int lambda) { int car = lambda + 1; return car * car; }",
         "(define (list* lambda* ret)\n  (let* ((car (->int (+ lambda* 1))))\n    (ret (->int (* car car)))))"),
        (haskell, "int lines(int Type, int where) { int lines = Type; return where + lines; }",
         "\nlines' :: Int32 -> Int32 -> (Int32 -> IO Void) -> IO Void\nlines' !_Type !where' ret ="),
        (python, "int format(int lambda, int l) { int sum = lambda + l; return sum * sum; }",
         "def format_(lambda_, l_, ret):\n    sum_ = to_int(lambda_ + l_)\n    return lambda:"),
        (javascript, "int run(int function, int output) { int Math = function; return Math + output; }",
         "function run_(function_, output, ret) {\n  return () => ret((function_ + output) | 0);\n}"),
        (ocaml, "int f(int N, int n, int _n, int end, int int_, int unused) { return N + n + _n + end; }",
         "let f n n1 n2 end_ _int_ _unused ret = ret (int (n + n1 + n2 + end_))"),
        (ocaml, 'int f(int print_string, int c_string) { puts("a"); return print_string + c_string; }',
         'let f print_string_ c_string_ ret =\n  print_string "a\\n";'),
        (ocaml, "int f(int a, int b, int c, int d, int e, int g, int h, int i, int j) { return a + j; }",
         "let f values ret =\n  let a, _b, _c, _d, _e, _g, _h, _i, j = values in\n  ret (int (a + j))"),
    ],
)  # fmt: skip
def test_a_function_contains_a_text(language: object, program: str, text: str) -> None:
    """Results are wrapped once; uses that may be undefined are checked; reserved names are changed."""
    assert callable(language) and text in language(from_c(program))


DEEP = "".join(f"if (x > {number}) s += {number};\n" for number in range(30))


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (javascript, ["\n\nfunction f(x, ret) {", "const [then20, next20] = f_next(", "return [then20, next20];"]),
        (python, ["\n\n\ndef f(x, ret):\n", "then9, next9 = f_next(", "\n    return then9, next9\n"]),
        (haskell, ["f_next1 :: Int32 -> Int32 -> (Int32 -> IO Void) -> (IO Void, Int32 -> IO Void)\n"
                       "f_next1 s19 x ret = (then20, next20)\n  where\n    then20 :: IO Void\n",
                       "(then20, next20) = f_next1 s19 x ret"]),
    ],
)  # fmt: skip
def test_deeply_nested_continuations_are_lifted(language: object, texts: list[str]) -> None:
    assert callable(language)
    written = language(from_c(f"int f(int x) {{ int s = 0; {DEEP} return s; }}"))
    assert [text for text in texts if text not in written] == []
    functions = re.split(r"\n\n+(?=\S+ a |def trampoline|-- |// A step)", written)[0]
    assert max(len(line) - len(line.lstrip()) for line in functions.splitlines()) == 44


def test_the_width_changes_nothing_but_the_layout() -> None:
    program = converted(random_program(7), "scc")
    texts = [python(program, width=width) for width in (1, 30, 80, 500)]
    assert len(set(texts)) == 4
    assert len({ast.dump(ast.parse(text)) for text in texts}) == 1


def test_a_program_that_cannot_be_started_is_rejected() -> None:
    with pytest.raises(DiagnosticError, match="help: the program has `f`, `g`; choose one by `entry=`"):
        scheme(from_c("int f(void) { return 1; } int g(void) { return 2; }"))
    with pytest.raises(DiagnosticError, match="its parameter `k` is a continuation"):
        scheme(from_cps("f(k : () → ⊥, ret : () → ⊥) → ⊥ { k() }"))
    with pytest.raises(DiagnosticError, match="it returns a continuation"):
        scheme(from_cps("f(ret : (() → ⊥) → ⊥) → ⊥ { ret(abort) }"))


# --------------------------------------------------------------------------------------------------------- scheme


@each([SCHEME])
def test_every_name_that_scheme_binds_is_known(language: Language, tmp_path: Path) -> None:
    libraries = re.search(r"\(import (.*)\)$", scheme(from_c("int f(void) { return 0; }")), re.MULTILINE)
    assert libraries
    show = "(lambda (name variable) (display name) (newline))"
    text = f"(for-each (lambda (library) (module-for-each {show} (resolve-interface library))) '({libraries[1]}))"
    bound = language.run(text, tmp_path).output.split()
    assert len(bound) > 250
    for name in filter(str.isidentifier, bound):
        spelled = re.search(r"\(define \((\S+) ret\)", scheme(from_cps(f"`{name}`(ret : () → ⊥) → ⊥ {{ ret() }}")))
        assert spelled and spelled[1].startswith(f"{name}*") and spelled[1] not in bound


def test_names_are_legal_and_unique() -> None:
    program = from_cps("`a b`(`1` : int, `a-b` : int, `a b1` : int, é : int, ret : int → ⊥) → ⊥ { ret(`1` + `a-b`) }")
    assert "(define (a_b _1 a_b1 a_b1_1 _ ret) (ret (->int (+ _1 a_b1))))\n" in scheme(program)


def test_the_prelude_contains_only_definitions_that_are_used() -> None:
    text = scheme(from_c("int main(void) { return 42; }"))
    assert "(define (->int" not in text and "printf" not in text and len(text.splitlines()) < 40


def test_no_line_is_too_long_and_brackets_match() -> None:
    for path in EXAMPLES:
        text = (
            scheme(converted(path.read_text(), "scc"), width=60)
            .partition("(scheme write))\n\n")[2]
            .partition("\n\n")[0]
        )
        without_texts = re.sub(r'"(\\.|[^"\\])*"', "", text)
        assert without_texts.count("(") == without_texts.count(")")
        assert max(map(len, without_texts.splitlines())) <= 72  # deep inside, a condition may have too little room


@each([SCHEME_COMPILED])
def test_compiled_programs_have_the_same_output_except_signs_of_nans(language: Language, tmp_path: Path) -> None:
    """Guile's compiler folds constants, and does not distinguish NaNs."""
    programs = printing([*map(shown, every_operation(language)[::15]), *[*every_directive()][::10]])
    assert differences(language, programs, language.run_programs([(each, ()) for each in programs], tmp_path)) == []


@each([replace(SCHEME, distinguishes_nans=False)])
def test_standard_scheme_has_the_same_output_except_signs_of_nans(language: Language, tmp_path: Path) -> None:
    """The extensions of Guile are disabled."""
    programs = printing(map(shown, without_signs_of_nans(every_operation(language), language)))
    extension, other = re.compile(r"^( +)\(guile (?!\(eval-when)", re.MULTILINE), r"\1(something-else "
    texts, counts = zip(*(extension.subn(other, scheme(program)) for program in programs), strict=True)
    assert max(counts) == 3
    assert differences(language, programs, language.run_all([(text, ()) for text in texts], tmp_path)) == []


# ----------------------------------------------------------------------------------------------------- javascript


def test_a_conversion_to_the_same_type_wraps() -> None:
    assert "ret((a + b) | 0)" in javascript(from_cps("f(a : int, b : int, ret : int → ⊥) → ⊥ { ret(int(a + b)) }"))


def test_the_runtime_for_an_interpreter_names_an_effect_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OUTPUTS, "beep", OUTPUTS["puts"])
    with pytest.raises(IncompleteTable, match="the JavaScript runtime: missing operation `beep`"):
        operations.interpreter_runtime.__wrapped__()


@pytest.mark.parametrize(
    "language, text",
    [
        (javascript, "function again(step) { return step(nowhere(5)); }"),
        (python, "def again(step):\n    return step(nowhere(5))"),
        (scheme, "(define (again step) (step (nowhere 5)))"),
        (ocaml, "let again step = step (nowhere 5)"),
        (haskell, "again :: (Int -> a) -> a\nagain step = step (nowhere 5)"),
    ],
    ids=["javascript", "python", "scheme", "ocaml", "haskell"],
)
def test_a_call_of_a_missing_function_in_a_prelude_is_an_error(language: Any, text: str) -> None:
    prelude = language.prelude
    require_calls(language.name, prelude)
    damaged = replace(prelude, written={**prelude.written, "again": text})
    with pytest.raises(IncompleteTable, match=rf"{language.name}: missing function `nowhere`$"):
        require_calls(language.name, damaged)


def test_a_call_of_a_missing_function_of_the_definition_is_an_error() -> None:
    prelude, found = DEFINITION.prelude, definition_of("javascript")
    require_calls("JavaScript", prelude, found)
    others = {name: text for name, text in found.items() if name != "memory_place"}
    with pytest.raises(IncompleteTable, match=r"missing function `memory_place`$"):
        require_calls("JavaScript", prelude, others)


# --------------------------------------------------------------------------------------------------------- python


def test_reserved_names_of_python_get_an_underscore() -> None:
    show = [sys.executable, "-c", "print(*dir(__builtins__))"]  # this process may have others
    bound = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split()
    for name in (*keyword.kwlist, *keyword.softkwlist, *bound, "trampoline"):
        assert f"def {name}_(ret):" in python(from_cps(f"`{name}`(ret : () → ⊥) → ⊥ {{ ret() }}"))


def test_the_layout_is_that_of_ruff(tmp_path: Path) -> None:
    for path in EXAMPLES:
        written = python(converted(path.read_text(), "scc"), width=88)
        (tmp_path / f"{path.stem}.py").write_text(written)
    for command in (["check", "--select=E,W,F,I", "--ignore=E501"], ["format", "--diff"]):  # a string may be long
        ruff = [sys.executable, "-m", "ruff", *command, "--isolated", "."]
        judged = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True)
        assert (judged.stdout if judged.returncode else "") == ""


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
@pytest.mark.parametrize("rounds", [1, 10_000])
def test_a_program_whose_output_is_closed_ends_silently(rounds: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    text = python(from_c(f'int main(void) {{ for (int i = 0; i < {rounds}; i++) puts("text"); return 7; }}'))
    done = subprocess.run([sys.executable, "-c", text], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


# --------------------------------------------------------------------------------------------------------- haskell


def test_only_values_that_may_be_undefined_are_lazy() -> None:
    text = haskell(from_c("int f(int x) { int y, z = x; while (x--) y = z += 10 / x; return y; }"))
    assert "    while !x1 !z y = do\n      let !x2 = x1 - 1\n" in text
    assert "\n  while x x (undef :: Int32)\n" in text


def test_an_argument_of_a_lazy_parameter_is_evaluated() -> None:
    local = "k := (a : int, b : int) → ⊥ ret(a / b) zero := () → ⊥ k(undef(y : int), 2) other := () → ⊥ k(7 / x, -x)"
    text = haskell(from_cps(f"f(x : int, ret : int → ⊥) → ⊥ {{ let {local} in branch(x == 0, zero, other) }}"))
    assert "    k a !b = ret $! a `quotientInt` b\n" in text
    assert "    other = (k $! 7 `quotientInt` x) (negate x)\n" in text


@each([HASKELL])
def test_every_name_that_haskell_binds_is_known(language: Language, tmp_path: Path) -> None:
    """A function with a reserved name is renamed."""
    prelude = subprocess.run(["ghc", "-e", ":browse Prelude"], capture_output=True, text=True, check=True).stdout
    imports = haskell(from_c("int f(void) { return 0; }")).partition("where")[2].partition("f ::")[0]
    names = sorted({*re.findall(r"\b([a-z]\w*) ::", prelude), *re.findall(r"\b[a-z]\w*\b", imports)})
    assert len(names) > 200
    calls = "".join(f"`{name}`(λ(). " for name in names)
    functions = "".join(f"`{name}`(ret : () → ⊥) → ⊥ {{ ret() }}" for name in names)
    program = from_cps(f"main(ret : int → ⊥) → ⊥ {{ {calls} ret(7) {')' * len(names)} }} {functions}")
    assert language.observe(program, tmp_path) == Observation("", 7)


@each([HASKELL])
def test_many_continuations_are_lifted_at_once(language: Language, tmp_path: Path) -> None:
    """A tuple of tuples returns more continuations than a tuple can have."""
    loops = "".join(f"for (int i{number} = 0; i{number} < 1; i{number}++)\n" for number in range(10))
    cases = "".join(f"case {number}: s += {number}; break;\n" for number in range(70))
    program = from_c(f"int f(int x) {{ int s = 0; {loops} switch (x) {{ {cases} }} return s; }}")
    assert " = ((" in haskell(program)
    assert language.observe(program, tmp_path, ["69"]) == observe(program, ["69"]) == Observation("69\n")


@each([HASKELL])
def test_long_lines_are_broken_as_the_layout_rule_requires(language: Language, tmp_path: Path) -> None:
    programs = [converted(random_program(number), "scc") for number in (3, 16)]
    ended = language.run_all([(haskell(program, width=24), ()) for program in programs], tmp_path)
    assert [(each.output, each.errors) for each in ended] == [(observe(each).output, "") for each in programs]


# ----------------------------------------------------------------------------------------------------------- ocaml


def test_functions_are_defined_before_their_uses_and_together_only_if_mutually_recursive() -> None:
    text = "int f3(int); int f1(int n) { return n ? f2(n) : 0; } int f2(int n) { return f1(n - 1) + f3(n); }"
    text = f"int f2(int); {text} int f3(int n) {{ return n; }}"
    written = ocaml(from_c(f"{text} int main(void) {{ f2(3); return 0; }}"))
    heads = [line for line in written.splitlines() if re.match("(let|let rec|and) (f.|main) ", line)]
    assert heads == [
        "let f3 n ret = ret n",
        "let rec f1 n ret =",
        "and f2 n ret =",
        "let main ret = f2 3 @@ fun _v -> ret 0",
    ]


needs_compiler = pytest.mark.skipif(shutil.which("ocamlopt") is None, reason="ocamlopt is not installed")

HIGHER = """
main(ret : int → ⊥) → ⊥ {
  let k := (reached : int) → ⊥ printf("%d ", reached); ret(reached) in
  invoke(made, k, λ(v : int). invoke(made, halt, ret))
}
invoke(f : (int → ⊥) → ⊥, k : int → ⊥, ret : int → ⊥) → ⊥ { f(k) }
made(ret : int → ⊥) → ⊥ { ret(WHAT) }
"""


@each([OCAML])
@pytest.mark.parametrize("what", ["7", "undef(x : int)"])
def test_continuations_passed_as_values_take_options_if_one_does(language: Language, what: str, tmp_path: Path) -> None:
    program = from_cps(HIGHER.replace("WHAT", what))
    assert language.observe(program, tmp_path) == observe(program)


@each([OCAML])
@pytest.mark.parametrize(
    ("main", "coercion"),
    [
        ("give(undef(x : int), λ(a : int). take(halt))", "take (fun v' -> halt (defined v'))"),
        (
            "let k := (a : int) → ⊥ ret(2) l := () → ⊥ k(undef(x : int)) m := () → ⊥ give(5, k) in branch(true, l, m)",
            "give 5 (fun v' -> k (Some v'))",
        ),
    ],
)
def test_continuations_are_coerced_between_options_and_values(
    language: Language, main: str, coercion: str, tmp_path: Path
) -> None:
    text = f"""
    main(ret : int → ⊥) → ⊥ {{ {main} }}
    give(v : int, ret : int → ⊥) → ⊥ {{ ret(v) }}
    take(k : int → ⊥) → ⊥ {{ give(5, k) }}
    """
    program = from_cps(text)
    assert coercion in ocaml(program)
    assert language.observe(program, tmp_path) == observe(program)


@each([OCAML])
def test_the_printf_of_the_prelude_prints_the_same_as_that_of_ocaml(language: Language, tmp_path: Path) -> None:
    """A printf whose result is used is that of the prelude."""
    (program,) = printing(every_directive())
    effects = [each for each in program.functions[0].body if isinstance(each, Effect)]
    program.functions[0].body.append(Effect("putchar", (effects[0],), effects[0].type))
    assert differences(language, [program], [language.run(ocaml(program), tmp_path)]) == []


@needs_compiler
def test_all_calls_of_compiled_programs_are_tail_calls(tmp_path: Path) -> None:
    variables = [f"x{number}" for number in range(12)]
    text = f"""
    #include <stdio.h>
    long sum(long n) {{ if (n == 0) return 0; return n + sum(n - 1); }}
    int main(void) {{
        int {", ".join(f"{name} = {number}" for number, name in enumerate(variables))}, i = 1000000;
        if (i & 1) goto second;
    first:
        if (i-- == 0) goto end;
        {" ".join(f"{name} += i;" for name in variables)}
    second:
        {" ".join(f"{name} -= i;" for name in variables)}
        goto first;
    end:
        printf("%ld {"%d " * 12}\\n", sum(1000000), {", ".join(variables)});
        return 0;
    }}
    """
    program = converted(text, "scc")
    assert compiled(program, tmp_path, "ocamlopt") == ""
    ended = subprocess.run([tmp_path / "program"], capture_output=True, text=True)
    assert (ended.stdout, ended.returncode) == ("500000500000 0 1 2 3 4 5 6 7 8 9 10 11 \n", 0)


@needs_compiler
def test_the_compiler_has_no_warnings(tmp_path: Path) -> None:
    for program in [from_cps(SEARCH), *(converted(path.read_text(), "scc") for path in EXAMPLES[::4])]:
        assert compiled(program, tmp_path, "ocamlc") == ""


def compiled(program: Program, folder: Path, compiler: str) -> str:
    """The messages of the compiler, which compiles a program to the file `program`."""
    (folder / "program.ml").write_text(ocaml(program), encoding="ascii")
    done = subprocess.run([compiler, "-o", "program", "program.ml"], cwd=folder, capture_output=True, text=True)
    return done.stderr
