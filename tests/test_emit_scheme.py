"""Scheme, run by Guile, does what our evaluator does: the corpus, generated programs, every operation, every format."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert
from cpsconv.emit.functional.scheme import scheme
from cpsconv.evaluate import entry_of, parse_arguments, shown_data
from cpsconv.formats import slots
from cpsconv.ir import (
    DOUBLE,
    INT,
    LONG,
    SCALARS,
    STRING,
    Constant,
    ContinuationType,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
    Scalar,
    Value,
)
from cpsconv.operations import fold, normalised
from cpsconv.primitives import CONVERT, PRIMITIVES, is_data, result_type
from cpsconv.source import DiagnosticError
from tests import guile
from tests.c_programs import random_program
from tests.expectations import CORPUS, EXAMPLES, Observation, expected_runs
from tests.guile import needs_guile, run_scheme
from tests.ir_programs import program_to_run
from tests.running import converted, observe

# `benchmarks/targets.py` has the whole corpus, and as many generated programs as one wants.
SAMPLE = [*EXAMPLES[::2], *CORPUS[::6]]


def from_c(text: str) -> str:
    return scheme(convert(Source("program.c", text)))


def from_cps(text: str) -> Program:
    return convert(Source("program.cps", text))


def definitions(text: str) -> str:
    """What was made from the functions of a program: all between the imports and the first part of the prelude."""
    return text.partition("(scheme write))\n\n")[2].partition("\n\n")[0]


# ------------------------------------------------------------------------------------------------------------- text


def test_continuations_are_local_procedures() -> None:
    text = (Path(__file__).parent.parent / "examples" / "fig8.c").read_text()
    assert definitions(from_c(text)) == (
        "(define (f x ret)\n"
        "  (define (then) (next 23))\n"
        "  (define (else*) (next 42))\n"
        "  (define (next a) (ret a))\n"
        "  (if (= x 0) (then) (else*)))"
    )


def test_what_is_bound_and_what_is_done_stand_in_order() -> None:
    body = 'puts("a"); int y = x * x; putchar(y); y = printf("%d", y + y); return y / 2;'
    text = f"#include <stdio.h>\nint f(int x) {{ {body} }}"
    assert definitions(from_c(text)) == (
        "(define (f x ret)\n"
        '  (puts "a")\n'
        "  (let* ((y (int* x x)))\n"
        "    (putchar y)\n"
        '    (let* ((y1 (printf "%d" (int+ y y))))\n'
        "      (ret (int/ y1 2)))))"
    )


def test_what_a_call_comes_back_to_is_a_lambda() -> None:
    text = "int f(int x) { if (x < 2) return x; return f(x - 1) + f(x - 2); }"
    assert definitions(from_c(text)) == (
        "(define (f x ret)\n"
        "  (define (then) (ret x))\n"
        "  (define (next)\n"
        "    (f (int- x 1) (lambda (v) (f (int- x 2) (lambda (v1) (ret (int+ v v1)))))))\n"
        "  (if (< x 2) (then) (next)))"
    )


def test_a_switch_is_a_case() -> None:
    text = "f(x : int, ret : int → ⊥) → ⊥ { let k := () → ⊥ ret(1) in switch(x, 7 ⇒ k, -1 ⇒ λ(). ret(x), _ ⇒ k) }"
    assert definitions(scheme(from_cps(text))).endswith(
        "  (case x\n    ((7) (k))\n    ((-1) (ret x))\n    (else (k))))"
    )


def test_names_of_scheme_are_left_to_scheme() -> None:
    text = "int list(int lambda) { int car = lambda + 1; return car * car; }"
    assert definitions(from_c(text)) == (
        "(define (list* lambda* ret)\n  (let* ((car (int+ lambda* 1)))\n    (ret (int* car car))))"
    )


@needs_guile
def test_every_name_that_scheme_binds_is_known(tmp_path: Path) -> None:
    libraries = re.search(r"\(import (.*)\)$", from_c("int f(void) { return 0; }"), re.MULTILINE)
    assert libraries
    show = "(lambda (name variable) (display name) (newline))"
    text = f"(for-each (lambda (library) (module-for-each {show} (resolve-interface library))) '({libraries[1]}))"
    bound = run_scheme(text, tmp_path).output.split()
    assert len(bound) > 250
    for name in bound:
        if name.isidentifier():
            program = from_cps(f"`{name}`(ret : () → ⊥) → ⊥ {{ ret() }}")
            spelled = definitions(scheme(program)).split()[1].strip("(")
            assert spelled.startswith(f"{name}*") and spelled not in bound


def test_names_are_made_legal_and_stay_apart() -> None:
    program = from_cps("`a b`(`1` : int, `a-b` : int, `a b1` : int, é : int, ret : int → ⊥) → ⊥ { ret(`1` + `a-b`) }")
    assert definitions(scheme(program)) == "(define (a_b _1 a_b1 a_b1_1 _ ret) (ret (int+ _1 a_b1)))"


def test_only_what_may_be_undefined_is_guarded() -> None:
    text = "int f(int x) { int y, z = 1; if (x) y = 2; return x + y + z; }"
    assert "(int+ (int+ x (defined y)) 1)" in from_c(text)


def test_the_prelude_is_cut_down_to_what_is_used() -> None:
    text = from_c("int main(void) { return 42; }")
    assert "(define (int+" not in text and "printf" not in text and len(text.splitlines()) < 40


def test_no_line_is_too_long_and_brackets_match() -> None:
    for path in EXAMPLES:
        text = definitions(scheme(converted(path.read_text(), "scc"), width=60))
        without_texts = re.sub(r'"(\\.|[^"\\])*"', "", text)
        assert without_texts.count("(") == without_texts.count(")")
        assert max(map(len, without_texts.splitlines())) <= 72  # deep inside, a condition may have too little room


def test_what_cannot_be_started_is_refused() -> None:
    with pytest.raises(DiagnosticError, match="the function to start may be any of `f`, `g`"):
        from_c("int f(void) { return 1; } int g(void) { return 2; }")
    with pytest.raises(DiagnosticError, match="its parameter `k` is a continuation"):
        scheme(from_cps("f(k : () → ⊥, ret : () → ⊥) → ⊥ { k() }"))
    with pytest.raises(DiagnosticError, match="it returns a continuation"):
        scheme(from_cps("f(ret : (() → ⊥) → ⊥) → ⊥ { ret(abort) }"))


# ---------------------------------------------------------------------------------------------------------- programs


@needs_guile
@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_a_program_does_what_it_expects(path: Path, tmp_path: Path) -> None:
    program = converted(path.read_text(), "scc")
    for run in expected_runs(path.read_text()):
        assert guile.observe(program, tmp_path, run.arguments) == run.expected


@needs_guile
@pytest.mark.parametrize("number", range(1, 13))
def test_a_generated_program_does_what_the_evaluator_makes_of_it(number: int, tmp_path: Path) -> None:
    program = converted(random_program(number), ("basic", "marker", "scc")[number % 3])
    assert guile.observe(program, tmp_path) == observe(program)


@needs_guile
def test_random_cps_programs_with_continuations_as_values_do_the_same(tmp_path: Path) -> None:
    statuses = set()
    for program, arguments in filter(None, map(program_to_run, range(24))):
        expected = observe(program, arguments)
        assert guile.observe(program, tmp_path, arguments) == expected
        statuses.add(expected.status)
    assert {"error", "abort", 0} <= statuses


SEARCH = """
choose(i : int, n : int, fail : () → ⊥, ret : (int, () → ⊥) → ⊥) → ⊥ {
  let
    try := () → ⊥
      let next := () → ⊥ choose(i + 1, n, fail, ret) in
      ret(i, next)
  in
  branch(i > n, fail, try)
}
main(ret : int → ⊥) → ⊥ {
  let none := () → ⊥ ret(0) in
  choose(1, 20, none, λ(a : int, again_a : () → ⊥).
  choose(a, 20, again_a, λ(b : int, again_b : () → ⊥).
  choose(b, 20, again_b, λ(c : int, again_c : () → ⊥).
  let found := () → ⊥ printf("%d %d %d, ", a, b, c); again_c() in
  branch(a * a + b * b == c * c, found, again_c))))
}
"""


@needs_guile
def test_continuations_are_first_class_values(tmp_path: Path) -> None:
    expected = Observation("3 4 5, 5 12 13, 6 8 10, 8 15 17, 9 12 15, 12 16 20, ", 0)
    assert guile.observe(from_cps(SEARCH), tmp_path) == expected


@needs_guile
def test_loops_and_recursion_need_no_stack(tmp_path: Path) -> None:
    text = """
    #include <stdio.h>
    long sum(long n) { if (n == 0) return 0; return n + sum(n - 1); }
    int main(void) {
        int odd = 0;
        for (int i = 0; i < 10000000; i++) odd += i & 1;
        printf("%d %ld\\n", odd, sum(100000));
        return 0;
    }
    """
    ended = run_scheme(from_c(text), tmp_path, compiled=True)
    assert (ended.output, ended.code) == ("5000000 5000050000\n", 0)


@needs_guile
def test_long_and_deep_programs_are_written_and_read(tmp_path: Path) -> None:
    ifs = "".join(f"if (x > {number}) s += {number}; else s -= x;\n" for number in range(400))
    loops = "".join(f"for (int i{number} = 0; i{number} < 1; i{number}++)\n" for number in range(60))
    program = convert(Source("program.c", f"int f(int x) {{ int s = 0; {ifs} {loops} s += 1000000; return s; }}"))
    assert guile.observe(program, tmp_path, ["77"]) == observe(program, ["77"])


# --------------------------------------------------------------------------------------------- operations, output

INTEGERS = [0, 1, 2, 3, -1, -2, 7, 31, 33, 64, 100, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, -(2**63), 2**53 + 1]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 1e10, -3e9, 1.7e19, 9.3e18, 1e300, 5e-324, 1e-40, 3.4028235677973366e38]
INFINITE = [math.inf, -math.inf, math.nan, -math.nan]
VALUES = {"integer": INTEGERS, "float": [*FLOATS, *INFINITE], "bool": [False, True]}
STRINGS = ["", "abc", "cut\0off", 'a "quoted" \\ text\t', "\xe9\xff\x01"]


def constant(source: random.Random, type: Scalar) -> Constant:
    """A constant of the type, often a remarkable one."""
    if type is STRING:
        return Constant(STRING, source.choice(STRINGS))
    if type.kind == "bool" or source.random() < 0.7:
        return Constant(type, normalised(type, source.choice(VALUES[type.kind])))
    if type.kind == "integer":
        return Constant(type, normalised(type, source.getrandbits(64) >> source.randrange(64)))
    return Constant(type, normalised(type, source.uniform(-1, 1) * 10.0 ** source.randint(-45, 39)))


def every_operation() -> Iterator[Primitive]:
    """Every operator on every type, and every conversion, each some times; what would trap is left out."""
    source = random.Random(1)
    types = [type for type in SCALARS.values() if is_data(type)]
    for type in types:
        taken = [(op, count, result_type(op, (type,) * count)) for op in PRIMITIVES for count in (1, 2)]
        taken += [(CONVERT, 1, target) for target in types]
        for op, count, result in taken:
            for _ in range(7 if result else 0):
                operands = tuple(constant(source, type) for _ in range(count))
                primitive = Primitive(op, operands, result)  # type: ignore[arg-type]
                if fold(primitive) is not None:
                    yield primitive


def every_directive() -> Iterator[tuple[str, list[Value]]]:
    """Directives of all kinds with what they show."""
    source = random.Random(2)
    for conversion in "diuoxXfFeEgGaAcs" * 40:
        lengths = {"f": ["", "l"], "c": [""]}.get(conversion.lower() if conversion in "fFeEgGaA" else "c", [""])
        if conversion in "diuoxX":
            lengths = ["", "hh", "h", "l", "ll", "j", "z", "t"]
        flags = "".join(source.sample("-+ #0", source.randint(0, 3)))
        width = source.choice(["", "", str(source.randint(1, 30)), "*"])
        precision = source.choice(["", "", ".", f".{source.randint(0, 25)}", ".*"])
        format = f"%{flags}{width}{precision}{source.choice(lengths)}{conversion}"
        yield format, [constant(source, slot.type) if slot.shown != "*" else star(source) for slot in slots(format)]


def star(source: random.Random) -> Constant:
    return Constant(INT, source.randint(-20, 20))


def printing(lines: Iterable[tuple[str, list[Value]]]) -> Program:
    """A program that prints by each format what comes with it."""
    ret = Parameter(ContinuationType((INT,)), "ret")
    main = Function("main", [ret])
    for format, values in lines:
        computed = dict.fromkeys(part for value in values for part in parts(value))
        main.body += [*computed, Effect("printf", (Constant(STRING, f"[{format}]\n"), *values), INT)]
    main.transfer = Jump(Edge(ret, [Constant(INT, 0)]))
    return Program([main])


def parts(value: Value) -> Iterator[Primitive]:
    """The primitives that a value is computed by, in order."""
    if isinstance(value, Primitive):
        yield from (part for operand in value.operands for part in parts(operand))
        yield value


def shown(primitive: Primitive) -> tuple[str, list[Value]]:
    """How printf shows the result of a primitive exactly."""
    format, promoted = ("%a", DOUBLE) if primitive.type.kind == "float" else ("%ld", LONG)
    return format, [primitive if primitive.type is promoted else Primitive(CONVERT, (primitive,), promoted)]


def differences(program: Program, text: str, folder: Path, *, compiled: bool = False) -> list[tuple[str, str]]:
    """What the evaluator prints and what Guile prints, where that is not the same."""
    ended = run_scheme(text, folder, compiled=compiled)
    assert (ended.complaint, ended.code) == ("", 0)
    expected, got = observe(program).output.split("\n"), ended.output.split("\n")
    assert len(expected) == len(got) > 100
    return [pair for pair in zip(expected, got, strict=True) if pair[0] != pair[1]]


@needs_guile
def test_every_operation_gives_what_the_evaluator_says(tmp_path: Path) -> None:
    program = printing(map(shown, every_operation()))
    assert differences(program, scheme(program), tmp_path) == []


@needs_guile
def test_every_format_gives_what_the_evaluator_says(tmp_path: Path) -> None:
    program = printing(every_directive())
    assert differences(program, scheme(program), tmp_path) == []


@needs_guile
def test_compiled_programs_give_the_same_but_for_the_signs_of_nans(tmp_path: Path) -> None:
    """Guile's compiler computes with constants itself, and takes all NaNs for the same constant."""
    program = printing([*map(shown, [*every_operation()][::15]), *[*every_directive()][::10]])
    found = differences(program, scheme(program), tmp_path, compiled=True)
    assert [pair for pair in found if "nan" not in pair[0].lower()] == []


@needs_guile
def test_without_what_guile_has_all_is_the_same_but_for_the_signs_of_nans(tmp_path: Path) -> None:
    """As in a Scheme with no more than R7RS."""
    operations = [each for each in every_operation() if not any(map(is_nan, each.operands))]
    program = printing(map(shown, operations))
    text = re.sub(r"^( +)\(guile (?!\(eval-when)", r"\1(something-else ", scheme(program), flags=re.MULTILINE)
    assert text.count("(something-else ") == 3
    assert [pair for pair in differences(program, text, tmp_path) if "nan" not in pair[0]] == []


def is_nan(value: Value) -> bool:
    return isinstance(value, Constant) and value.value != value.value


@needs_guile
def test_output_is_bytes_and_effects_have_results(tmp_path: Path) -> None:
    text = r"""
    main(ret : int → ⊥) → ⊥ {
      a := puts("one");
      b := putchar(321);
      c := printf("\xff%s", "two");
      printf(" %d %d %d", a, b, c);
      eprint("not shown\0, this");
      ret(-1)
    }
    """
    ended = run_scheme(scheme(from_cps(text)), tmp_path)
    assert (ended.output, ended.complaint, ended.code) == ("one\nA\xfftwo 4 65 4", "not shown", 255)


# ------------------------------------------------------------------------------------------------- runtime errors


@needs_guile
@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return 1 / x;", "division by zero"),
        ("return 1 % x;", "division by zero"),
        ("return (-2147483647 - 1) / (x - 1);", "a quotient is out of range"),
        ("return (-9223372036854775807L - 1) % (x - 1);", "a quotient is out of range"),
        ("int y; if (x) y = 1; return y + 1;", "a variable is used uninitialised"),
        ("int y; if (x) y = 1; if (y) return 1; return 2;", "a variable is used uninitialised"),
        ("int y; if (x) y = 1; switch (y) { case 1: return 1; } return 2;", "a variable is used uninitialised"),
        ('int y; if (x) y = 1; printf("%d", y); return 2;', "a variable is used uninitialised"),
        ("int y; if (x) y = 1; return y;", "a variable is used uninitialised"),
    ],
)
def test_a_runtime_error_ends_the_program_with_status_3(body: str, complaint: str, tmp_path: Path) -> None:
    text = f'#include <stdio.h>\nint main(void) {{ int x = 0; while (x > 0) x++; printf("before, "); {body} }}'
    program = converted(text, "scc")
    assert observe(program) == Observation("before, ", "error")
    ended = run_scheme(scheme(program), tmp_path)
    assert (ended.output, ended.complaint, ended.code) == ("before, ", f"runtime error: {complaint}\n", 3)


@needs_guile
def test_an_undefined_value_may_be_passed_around(tmp_path: Path) -> None:
    text = "int g(int a, int b) { return a; } int main(void) { int y; return g(7, y); }"
    program = converted(text, "scc")
    assert guile.observe(program, tmp_path) == observe(program) == Observation("", 7)


@needs_guile
@pytest.mark.parametrize(
    ("format", "argument"),
    [
        ("%d", "1.0"),
        ("%f", "1"),
        ("%s", "1"),
        ("%y", "1"),
        ("%hs", '""'),
        ("%5%", "1"),
        ("100%", "1"),
        ("%999999999d", "1"),
    ],
)
def test_a_format_that_does_not_fit_is_a_runtime_error(format: str, argument: str, tmp_path: Path) -> None:
    """A format that is no constant is known when the program runs."""
    text = f"show(format : string, ret : int → ⊥) → ⊥ {{ printf(format, {argument}); ret(0) }}"
    program = from_cps(f'{text} main(ret : int → ⊥) → ⊥ {{ show("{format}", ret) }}')
    assert guile.observe(program, tmp_path) == observe(program) == Observation("", "error")


# --------------------------------------------------------------------------------------------------- command line


@needs_guile
@pytest.mark.parametrize(
    ("type", "word", "expected"),
    [
        ("int", "-0x1F", "-31\n"),
        ("unsigned long", "+18446744073709551615", "18446744073709551615\n"),
        ("char", "a", "97\n"),
        ("unsigned char", "'7'", "55\n"),
        ("signed char", "-7", "-7\n"),
        ("bool", "1", "true\n"),
        ("double", "5.684341886080802e-14", "5.684341886080802e-14\n"),
        ("double", "-0", "-0.0\n"),
        ("double", "1e16", "1e+16\n"),
        ("double", "123456.75", "123456.75\n"),
        ("float", "0.1", "0.10000000149011612\n"),
        ("double", "-inf", "-inf\n"),
        ("string", "two words", "two words\n"),
    ],
)
def test_values_come_from_the_command_line_and_are_shown(type: str, word: str, expected: str, tmp_path: Path) -> None:
    program = from_cps(f"f(x : {type}, ret : {type} → ⊥) → ⊥ {{ ret(x) }}")
    assert guile.observe(program, tmp_path, [word]) == Observation(expected)
    (value,) = parse_arguments(entry_of(program), [word])
    assert f"{shown_data(value)}\n" == expected


@needs_guile
@pytest.mark.parametrize(
    ("type", "words"),
    [("int", ["1.5"]), ("int", ["2147483648"]), ("int", [""]), ("bool", ["yes"]), ("double", ["x"]), ("int", [])],
)
def test_a_wrong_command_line_is_refused(type: str, words: list[str], tmp_path: Path) -> None:
    text = scheme(from_cps(f"f(x : {type}, ret : {type} → ⊥) → ⊥ {{ ret(x) }}"))
    ended = run_scheme(text, tmp_path, words)
    assert (ended.output, ended.code) == ("", 1)
    assert ended.complaint.startswith("error: ")


@needs_guile
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("main(ret : bool → ⊥) → ⊥ { ret(true) }", Observation("", 1)),
        ("main(ret : double → ⊥) → ⊥ { ret(0.5) }", Observation("0.5\n")),
        ("main(ret : () → ⊥) → ⊥ { ret() }", Observation("")),
        ("main() → ⊥ { halt(300) }", Observation("", 44)),
        ("main() → ⊥ { abort() }", Observation("", "abort")),
        ("f(ret : int → ⊥) → ⊥ { ret(undef(x : int)) }", Observation("", "error")),
    ],
)
def test_every_way_to_end(text: str, expected: Observation, tmp_path: Path) -> None:
    assert guile.observe(from_cps(text), tmp_path) == expected
