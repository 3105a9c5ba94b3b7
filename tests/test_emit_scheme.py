"""Scheme, run by Guile, does what our evaluator does: the corpus, generated programs, every operation, every format."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert
from cpsconv.emit.functional.scheme import scheme
from cpsconv.evaluate import StepLimit, data_parameters, entry_of
from cpsconv.ir import (
    BOOL,
    DOUBLE,
    INT,
    LONG,
    SCALARS,
    STRING,
    UNSIGNED,
    UNSIGNED_LONG,
    Constant,
    ContinuationType,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
    Scalar,
    Type,
    Value,
)
from cpsconv.operations import fold, normalised
from cpsconv.primitives import CONVERT, PRIMITIVES, is_data, result_type
from cpsconv.source import DiagnosticError
from tests import guile
from tests.c_programs import random_program
from tests.expectations import CORPUS, EXAMPLES, Observation, expected_runs
from tests.guile import needs_guile, run_scheme
from tests.ir_programs import random_program as random_cps_program
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
    text = '#include <stdio.h>\nint f(int x) { puts("a"); int y = x * x; putchar(y); y = printf("%d", y + y); return y / 2; }'
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
    text = "int f(unsigned x) { switch (x) { case 7: return 1; case 4000000000u: return 2; default: return 3; } }"
    assert "  (case x\n    ((7) (case7))\n    ((4000000000) (case4000000000u))\n    (else (default))))" in from_c(text)


def test_names_of_scheme_are_left_to_scheme() -> None:
    text = "int list(int lambda) { int car = lambda + 1; return car * car; }"
    assert definitions(from_c(text)) == (
        "(define (list* lambda* ret)\n  (let* ((car (int+ lambda* 1)))\n    (ret (int* car car))))"
    )


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


def started(number: int) -> tuple[Program, list[str]] | None:
    """The random CPS program of that number, with arguments; None where it cannot be started or does not end."""
    source = random.Random(number)
    program = random_cps_program(source, source.randint(1, 3), source.randint(1, 9))
    program.functions[0].name = "main"
    words = {"integer": ["3", "7", "100", "0"], "float": ["1.5", "-0.0"], "bool": ["true"], "string": ["%d", "abc"]}
    try:
        parameters = data_parameters(entry_of(program))
        arguments = [source.choice(words[parameter.type.kind]) for parameter in parameters]  # type: ignore[union-attr]
        observe(program, arguments, max_steps=300)
    except (DiagnosticError, StepLimit):
        return None
    return program, arguments


@needs_guile
def test_random_cps_programs_with_continuations_as_values_do_the_same(tmp_path: Path) -> None:
    statuses = set()
    for program, arguments in [*filter(None, map(started, range(40)))]:
        expected = observe(program, arguments)
        expected = replace(expected, output=expected.output.removesuffix("None\n"))  # which no command line shows
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


# ---------------------------------------------------------------------------------------- operations and output

VALUES = {
    "integer": [0, 1, 2, 3, -1, -2, 7, 31, 33, 64, 100, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, -(2**63), 2**53 + 1],
    "float": [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 1e10, -3e9, 1.7e19, 9.3e18, 1e300, 5e-324, 1e-40, 3.4028235677973366e38],
    "bool": [False, True],
}
SPECIAL = [math.inf, -math.inf, math.nan, -math.nan]


def constants(source: random.Random, type: Scalar, count: int) -> list[Constant]:
    """Some constants of the type: remarkable ones, and others."""
    values = [*VALUES[type.kind], *(SPECIAL if type.kind == "float" else [])]
    if type.kind == "integer":
        values += [source.getrandbits(64) >> source.randrange(64) for _ in range(8)]
    if type.kind == "float":
        values += [source.uniform(-1, 1) * 10.0 ** source.randint(-45, 39) for _ in range(8)]
    return [Constant(type, normalised(type, source.choice(values))) for _ in range(count)]


def every_operation(source: random.Random) -> Iterator[Primitive]:
    """Primitives of every operator on every type, and every conversion, that do not trap."""
    types = [type for type in SCALARS.values() if is_data(type)]
    for type in types:
        for op in PRIMITIVES:
            for count in (1, 2):
                result = result_type(op, (type,) * count)
                for _ in range(7 if result else 0):
                    yield Primitive(op, tuple(constants(source, type, count)), result)  # type: ignore[arg-type]
        for target in types:
            yield from (Primitive(CONVERT, (constant,), target) for constant in constants(source, type, 7))


def showing(results: Iterator[tuple[str, list[Value]]]) -> Program:
    """A program that prints a line for each of the values, by a format."""
    ret = Parameter(ContinuationType((INT,)), "ret")
    main = Function("main", [ret])
    for format, values in results:
        main.body += [value for value in values if isinstance(value, Primitive)]
        main.body.append(Effect("printf", (Constant(STRING, format), *values), INT))
    main.transfer = Jump(Edge(ret, [Constant(INT, 0)]))
    return Program([main])


def shown(primitive: Primitive) -> tuple[str, list[Value]]:
    """The line that shows the result of a primitive exactly; conversions show it, too, as printf takes it."""
    type = primitive.type
    format, promoted = ("%a", DOUBLE) if type.kind == "float" else ("%ld", LONG)
    if type is promoted:
        return f"{format}\n", [primitive]
    return f"{format}\n", [primitive, Primitive(CONVERT, (primitive,), promoted)][1:]


def operations_program() -> Program:
    results = []
    for primitive in every_operation(random.Random(1)):
        if fold(primitive) is not None:
            format, values = shown(primitive)
            results.append((format, values))
    return showing(iter(results))


def with_operands_first(program: Program) -> Program:
    """The program, in which each conversion for printf comes after what it converts."""
    body = program.functions[0].body
    listed = {*body}
    program.functions[0].body = [
        each
        for statement in body
        for each in [
            *(operand for operand in statement.operands if isinstance(operand, Primitive) and operand not in listed),
            statement,
        ]
    ]
    return program


def differences(program: Program, text: str, folder: Path) -> list[tuple[str, str]]:
    """The lines that differ."""
    ended = run_scheme(text, folder)
    assert (ended.complaint, ended.code) == ("", 0)
    expected = observe(program).output.split("\n")
    got = ended.output.split("\n")
    assert len(expected) == len(got) > 100
    return [pair for pair in zip(expected, got, strict=True) if pair[0] != pair[1]]


@needs_guile
def test_every_operation_gives_what_the_evaluator_says(tmp_path: Path) -> None:
    program = with_operands_first(operations_program())
    assert differences(program, scheme(program), tmp_path) == []
