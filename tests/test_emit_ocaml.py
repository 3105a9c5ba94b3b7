"""Programs as OCaml text; `test_emit_functional` runs them. Programs that are difficult only in OCaml run here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert
from cpsconv.emit.functional.ocaml import ocaml
from cpsconv.ir import Effect
from tests.expectations import EXAMPLES
from tests.functional_targets import FIG8, OCAML, Language, each
from tests.running import converted, observe
from tests.test_emit_functional import SEARCH, differences, every_directive, from_cps, printing

needs_compiler = pytest.mark.skipif(shutil.which("ocamlopt") is None, reason="ocamlopt is not installed")


def from_c(text: str) -> str:
    return ocaml(convert(Source("program.c", f"#include <stdio.h>\n{text}")))


def functions(text: str) -> str:
    """The emitted functions, whose names begin with `f`: the text between prelude and start."""
    first = min(text.index(word) for word in ("\n\nlet f", "\n\nlet rec f") if word in text)
    return text[first:].strip().partition("\n\nlet () =")[0]


# ------------------------------------------------------------------------------------------------------------- text


def test_continuations_are_local_functions() -> None:
    assert functions(from_c(FIG8)) == (
        "let f x ret =\n"
        "  let rec then_ () = next 23\n"
        "  and else_ () = next 42\n"
        "  and next a = ret a in\n"
        "  if x = 0 then then_ () else else_ ()"
    )


def test_the_continuation_of_a_call_follows_the_call() -> None:
    text = 'int f(int x) { int y = f(x - 1), z = f(y); puts("done"); z = putchar(z); return f(z) * 2; }'
    assert functions(from_c(text)) == (
        "let rec f x ret =\n"
        "  f (int (x - 1)) @@ fun y ->\n"
        "  f y @@ fun z ->\n"
        '  print_string "done\\n";\n'
        "  let z1 = putchar' z in\n"
        "  f z1 @@ fun v -> ret (int (v * 2))"
    )


def test_a_switch_is_a_match() -> None:
    text = "f(x : long, ret : int → ⊥) → ⊥ { let k := () → ⊥ ret(1) in switch(x, 7 ⇒ k, -1 ⇒ λ(). ret(2), _ ⇒ k) }"
    assert functions(ocaml(from_cps(text))).endswith(
        "\n  match x with\n  | 7L -> k ()\n  | -1L -> ret 2\n  | _ -> k ()"
    )


def test_functions_are_defined_before_their_uses_and_together_only_if_mutually_recursive() -> None:
    text = "int f3(int); int f1(int n) { return n ? f2(n) : 0; } int f2(int n) { return f1(n - 1) + f3(n); }"
    text = f"int f2(int); {text} int f3(int n) {{ return n; }}"
    written = from_c(f"{text} int main(void) {{ f2(3); return 0; }}")
    heads = [line for line in functions(written).splitlines() if line.startswith(("let", "and"))]
    assert heads == [
        "let f3 n ret = ret n",
        "let rec f1 n ret =",
        "and f2 n ret =",
        "let main ret = f2 3 @@ fun _v -> ret 0",
    ]


def test_a_result_that_may_leave_its_type_is_wrapped_once() -> None:
    assert "ret (int (a * b - c))" in from_c("int f(int a, int b, int c) { return a * b - c; }")
    assert "unsigned (-(a + b)) < 7" in from_c("int f(unsigned a, unsigned b) { return -(a + b) < 7; }")
    assert "ret (int (char (a + b) - 1))" in from_c("int f(int a, int b) { return (char)(a + b) - 1; }")
    assert "ret ((a asr 1) asr 2)" in from_c("int f(int a) { return a >> 1 >> 2; }")
    assert "ret (Int64.add a (Int64.of_int b))" in from_c("long f(long a, int b) { return a + b; }")
    assert "ret (single (a +. single 0.1))" in from_c("float f(float a) { return a + (float)0.1; }")


def test_names_begin_with_a_lower_case_letter_and_are_not_reserved() -> None:
    text = functions(from_c("int f(int N, int n, int _n, int end, int int_, int unused) { return N + n + _n + end; }"))
    assert text == "let f n n1 n2 end_ _int_ _unused ret = ret (int (n + n1 + n2 + end_))"
    written = from_c('int f(int print_string, int c_string) { puts("a"); return print_string + c_string; }')
    assert "let f print_string_ c_string_ ret =" in written and 'print_string "a\\n";' in written


def test_a_value_that_may_be_undefined_is_an_option() -> None:
    text = functions(from_c("int f(int x) { int y, z = 1; if (x) y = 2; return x + y + z; }"))
    assert "next (Some 2)" in text and "next None" in text and "ret (int (x + defined y + 1))" in text


def test_printf_is_that_of_ocaml_if_a_format_means_the_same() -> None:
    text = from_c(
        'int main(void) { printf("%5d%% %lx %c\\n", 1, 2L, 3); printf("%+d\\n", 4); return printf("%d", 5); }'
    )
    assert 'Printf.printf "%5d%% %Lx %c\\n" 1 2L (Char.chr (unsigned_char 3));' in text
    assert 'Printf.printf "%s\\n" (shown_integer "d" "+" 0 (-1) (Int64.of_int 4));' in text
    assert 'let v = printf\' "%d" 5 in' in text


def test_more_than_eight_arguments_are_passed_in_a_tuple() -> None:
    names = [f"x{number}" for number in range(9)]
    text = from_c(f"int f({', '.join(f'int {name}' for name in names)}) {{ return x0 + x8; }}")
    assert functions(text) == (
        "let f values ret =\n  let x0, _x1, _x2, _x3, _x4, _x5, _x6, _x7, x8 = values in\n  ret (int (x0 + x8))"
    )


# ------------------------------------------------------------------------------------------------------------- runs

HIGHER = """
main(ret : int → ⊥) → ⊥ {
  let k := (reached : int) → ⊥ printf("%d ", reached); ret(reached) in
  call(made, k, λ(v : int). call(made, halt, ret))
}
call(f : (int → ⊥) → ⊥, k : int → ⊥, ret : int → ⊥) → ⊥ { f(k) }
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
    program = printing(every_directive())
    effects = [each for each in program.functions[0].body if isinstance(each, Effect)]
    program.functions[0].body.append(Effect("putchar", (effects[0],), effects[0].type))
    assert differences(language, program, ocaml(program), tmp_path) == []


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
