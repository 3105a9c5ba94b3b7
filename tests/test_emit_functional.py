"""Programs in functional languages behave as in the evaluator: corpus, generated programs, operations, formats."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert
from cpsconv.abi.library import with_library_once
from cpsconv.core import ir
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.entry import entry_of
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import DiagnosticError
from cpsconv.engines.machine.machine import evaluate
from testing.c_programs import random_program
from testing.effort import is_full, sample
from testing.exact_operations import shown
from testing.expectations import CORPUS, EXAMPLES, Observation, expected_runs
from testing.functional_targets import (
    FOR_LONG_RUNS,
    HASKELL,
    LACKING,
    LANGUAGES,
    NOT_EVERYWHERE,
    OCAML,
    Case,
    Ended,
    Language,
    each,
    observation,
    run_cases,
)
from testing.printed_values import differences, every_directive, every_operation, printing, without_signs_of_nans
from testing.running import STRATEGIES, converted, observe, programs_to_run

# `benchmarks/targets.py` runs the whole corpus, and any number of generated programs.
SAMPLE = sample([*EXAMPLES[::3], *CORPUS[::10]], 5)

CASES: list[Callable[[Language], Case]] = []


def in_one_start(case: Callable[[Language], Case]) -> Callable[[Language], Case]:
    """The programs of the case run with those of all other ones."""
    CASES.append(case)
    return case


def from_c(text: str) -> Program:
    """A C program, which may use the standard output functions."""
    return convert(Source("program.c", f"#include <stdio.h>\n{text}"))


def from_cps(text: str) -> Program:
    return convert(Source("program.cps", text))


# ---------------------------------------------------------------------------------------------------------- programs


def lacked(language: Language, program: Program) -> Collection[ir.Type]:
    """The types of values of the linked program that the language lacks."""
    lacking = NOT_EVERYWHERE if language in (OCAML, HASKELL) else LACKING
    members = [*with_library_once(program).members()]
    return lacking & {each.type for member in members for each in (*member.parameters, *member.body)}


@in_one_start
def programs_with_the_expected_output(language: Language) -> Case:
    runs, expected = [], []
    for path in SAMPLE:
        program = converted(path.read_text(), "scc")
        if lacked(language, program):
            with pytest.raises(DiagnosticError, match="not expressible"):
                language.emit(program)
            continue
        for run in expected_runs(path.read_text()):
            runs.append((program, run.arguments))
            expected.append((path.stem, run.expected))
    found = map(observation, (yield runs))
    assert [(name, each) for (name, _), each in zip(expected, found, strict=True)] == expected


@in_one_start
def generated_programs(language: Language) -> Case:
    numbers = sample(range(1, 13), 12)
    programs = [converted(random_program(number), STRATEGIES[number % len(STRATEGIES)]) for number in numbers]
    expected = [*map(observe, programs)]
    assert [*map(observation, (yield language.runs_of(programs)))] == expected


@in_one_start
def random_cps_programs(language: Language) -> Case:
    runs = [*programs_to_run(sample(range(24), 2), lacking=NOT_EVERYWHERE)]
    expected = [observe(*run) for run in runs]
    assert [*map(observation, (yield runs))] == expected
    assert {"error", "abort", 0} <= {each.status for each in expected}


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


@in_one_start
def continuations_as_values(language: Language) -> Case:
    expected = Observation("3 4 5, 5 12 13, 6 8 10, 8 15 17, 9 12 15, 12 16 20, ", 0)
    assert [*map(observation, (yield [(from_cps(SEARCH), ())]))] == [expected]


@each(FOR_LONG_RUNS)
def test_loops_and_recursion_need_no_stack(language: Language, tmp_path: Path) -> None:
    rounds = language.rounds if is_full() else language.rounds // 10
    text = f"""
    long sum(long n) {{ if (n == 0) return 0; return n + sum(n - 1); }}
    int main(void) {{
        int odd = 0;
        for (int i = 0; i < {rounds}; i++) odd += i & 1;
        printf("%d %ld\\n", odd, sum(100000));
        return 0;
    }}
    """
    ended = language.run(language.emit(from_c(text)), tmp_path)
    assert (ended.output, ended.code) == (f"{rounds // 2} 5000050000\n", 0)


@in_one_start
def long_and_deep_programs(language: Language) -> Case:
    ifs = "".join(f"if (x > {number}) s += {number}; else s -= x;\n" for number in range(400 if is_full() else 100))
    loops = "".join(f"for (int i{number} = 0; i{number} < 1; i{number}++)\n" for number in range(60))
    program = from_c(f"int f(int x) {{ int s = 0; {ifs} {loops} s += 1000000; return s; }}")
    assert [*map(observation, (yield [(program, ["77"])]))] == [observe(program, ["77"])]


# --------------------------------------------------------------------------------------------- operations, output


@in_one_start
def operations(language: Language) -> Case:
    programs = printing(map(shown, without_signs_of_nans(every_operation(language), language)))
    assert differences(language, programs, (yield [(program, ()) for program in programs])) == []


@in_one_start
def formats(language: Language) -> Case:
    programs = printing(every_directive())
    assert differences(language, programs, (yield [(program, ()) for program in programs])) == []


@in_one_start
def output_and_results_of_effects(language: Language) -> Case:
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
    assert (yield [(from_cps(text), ())]) == [Ended("one\nA\xfftwo 4 65 4", "not shown", 255)]


# ------------------------------------------------------------------------------------------------- runtime errors


FAULTS = {
    "division by zero": ["return 1 / x;", "return 1 % x;"],
    "-2147483648 / -1 overflows `int`": [
        "return (-2147483647 - 1) / (x - 1);",
        "x--; return x / x - (-2147483647 - 1) / x;",
    ],
    "-9223372036854775808 % -1 overflows `long`": ["return (-9223372036854775807L - 1) % (x - 1);"],
    "a variable is used uninitialised": [
        "int y; if (x) y = 1; return y + 1;",
        "int y; if (x) y = 1; if (y) return 1; return 2;",
        "int y; if (x) y = 1; switch (y) { case 1: return 1; } return 2;",
        'int y; if (x) y = 1; printf("%d", y); return 2;',
        "int y; if (x) y = 1; return y;",
    ],
}


@in_one_start
def runtime_errors(language: Language) -> Case:
    programs, expected = [], []
    for message, body in ((message, body) for message, bodies in FAULTS.items() for body in bodies):
        program = from_c(f'int main(void) {{ int x = 0; while (x > 0) x++; printf("before, "); {body} }}')
        assert observe(program) == Observation("before, ", "error")
        with pytest.raises(ProgramError) as fault:
            evaluate(program, output=io.BytesIO(), errors=io.BytesIO())
        stated = fault.value.diagnostic.message if language.names_values else message
        programs.append(program)
        expected.append(Ended("before, ", f"runtime error: {stated}\n", 3))
    assert (yield language.runs_of(programs)) == expected


@in_one_start
def an_undefined_value_that_is_passed(language: Language) -> Case:
    text = "int g(int a, int b) { return a; } int main(void) { int y; return g(7, y); }"
    program = converted(text, "scc")
    assert [*map(observation, (yield [(program, ())]))] == [observe(program)] == [Observation("", 7)]


WRONG_FORMATS = {"%d": "1.0", "%f": "1", "%s": "1", "%y": "1", "%hs": '""', "%5%": "1", "100%": "1"}


@in_one_start
def formats_that_are_not_constant(language: Language) -> Case:
    programs = []
    for format, argument in {"[%+4ld]": "1", **WRONG_FORMATS, "%999999999d": "1"}.items():
        text = f"show(format : string, ret : int → ⊥) → ⊥ {{ printf(format, {argument}); ret(0) }}"
        programs.append(from_cps(f'{text} main(ret : int → ⊥) → ⊥ {{ show("{format}", ret) }}'))
    expected = [*map(observe, programs[:-1])]
    found = [*map(observation, (yield language.runs_of(programs)))]
    assert found[:-1] == expected  # the evaluator has no limit of widths
    assert found == [Observation("[  +1]", 0), *[Observation("", "error")] * (len(WRONG_FORMATS) + 1)]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_emitted_programs_parse_no_formats(language: Language) -> None:
    """A format in OCaml is one of OCaml's own, whose compiler parses it."""
    text = language.emit(from_c('int main(void) { return printf("%+5d%x\\n", 1, 2); }'))
    assert "%+5d" not in text and ("%x" in text) == (language.name == "ocaml")


# --------------------------------------------------------------------------------------------------- command line


WORDS = [
    ("int", "-0x1F", "-31"),
    ("unsigned long", "+18446744073709551615", "18446744073709551615"),
    ("char", "a", "97"),
    ("unsigned char", "'7'", "55"),
    ("signed char", "-7", "-7"),
    ("bool", "1", "true"),
    ("double", "5.684341886080802e-14", "5.684341886080802e-14"),
    ("double", "-0", "-0.0"),
    ("double", "1e16", "1e+16"),
    ("double", "123456.75", "123456.75"),
    ("float", "0.1", "0.10000000149011612"),
    ("double", "-inf", "-inf"),
    ("string", "two words", "two words"),
]


def identity(type: str) -> Program:
    return from_cps(f"f(x : {type}, ret : {type} → ⊥) → ⊥ {{ ret(x) }}")


@in_one_start
def values_on_the_command_line(language: Language) -> Case:
    words = sample(WORDS, 2)
    found = yield [(identity(type), [word]) for type, word, _ in words]
    assert [*map(observation, found)] == [Observation(f"{expected}\n") for _, _, expected in words]


@pytest.mark.parametrize(("type", "word", "expected"), WORDS)
def test_the_evaluator_shows_the_same_values(type: str, word: str, expected: str) -> None:
    (value,) = parse_arguments(entry_of(identity(type)), [word])
    assert shown_data(value) == expected


WRONG_WORDS = [("int", "1.5"), ("int", "2147483648"), ("int", ""), ("bool", "yes"), ("double", "x")]


@in_one_start
def wrong_command_lines(language: Language) -> Case:
    runs = [*((identity(type), [word]) for type, word in WRONG_WORDS), (identity("int"), [])]
    for _, ended in zip(runs, (yield runs), strict=True):
        assert (ended.output, ended.code) == ("", 1)
        assert ended.errors.startswith("error: ")


ENDS = {
    "main(ret : bool → ⊥) → ⊥ { ret(true) }": Observation("", 1),
    "main(ret : double → ⊥) → ⊥ { ret(0.5) }": Observation("0.5\n"),
    "main(ret : () → ⊥) → ⊥ { ret() }": Observation(""),
    "main() → ⊥ { halt(300) }": Observation("", 44),
    "main() → ⊥ { abort() }": Observation("", "abort"),
    "f(ret : int → ⊥) → ⊥ { ret(undef(x : int)) }": Observation("", "error"),
}


@in_one_start
def ends(language: Language) -> Case:
    assert [*map(observation, (yield [(from_cps(text), ()) for text in ENDS]))] == [*ENDS.values()]


@each(LANGUAGES)
def test_programs_behave_as_in_the_evaluator(language: Language, tmp_path: Path) -> None:
    run_cases(CASES, language, tmp_path)
