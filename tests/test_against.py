"""``cpsconv check FILE --against REFERENCE``: programs that agree, planted faults, hand-written solutions."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpsconv import Program, evaluate
from cpsconv.core.check import check
from cpsconv.core.entry import data_parameters
from cpsconv.core.ir import BOOL, CHAR, DOUBLE, INT, PTR, STRING, UNSIGNED_CHAR, Constant, Function, Scalar
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import Source
from cpsconv.core.text import parse
from cpsconv.engines.machine.machine import Returned
from cpsconv.lab.equivalence import Compared, Method, equivalence
from cpsconv.lab.equivalence.comparison import observe, suspects
from cpsconv.lab.equivalence.inputs import generated, size, smaller
from cpsconv.lab.equivalence.report import superfluous_parameters
from cpsconv.pipeline import OPTIMISATIONS
from testing.effort import each_in_turn, is_full, sample
from testing.expectations import CORPUS, EXAMPLES
from testing.planting import FAULTS, planted
from testing.running import converted, program_of, reread
from tests.conftest import Done, Run

# ------------------------------------------------------------------------------------------------------------- inputs

TYPES = [[INT], [INT, INT], [BOOL, BOOL], [UNSIGNED_CHAR], [CHAR, DOUBLE, STRING], [INT] * 12]


@pytest.mark.parametrize("types", TYPES, ids=lambda types: "-".join(map(str, types)))
@pytest.mark.parametrize("count", [1, 2, 100])
def test_inputs_are_different_and_the_same_each_time_and_the_smallest_come_first(
    types: list[Scalar], count: int
) -> None:
    inputs = generated(types, [42], count)
    assert 0 < len(inputs) <= count
    assert len({*map(repr, inputs)}) == len(inputs)
    assert [*map(repr, inputs)] == [*map(repr, generated(types, [42], count))]
    assert [*map(size, inputs)] == sorted(map(size, inputs))


def test_all_combinations_of_small_values_are_generated() -> None:
    inputs = generated([INT, INT], [], 500)
    assert {*itertools.product(range(-7, 8), repeat=2)} <= {*inputs}
    assert sorted(generated([BOOL, BOOL], [], 500)) == [*itertools.product([False, True], repeat=2)]


def test_ends_of_ranges_and_neighbours_of_constants_are_generated() -> None:
    inputs = generated([INT, INT], [12345], 500)
    for value in (-(2**31), 2**31 - 1, 12344, 12345, 12346):
        assert (value, value) in inputs
        assert any(first == value != second for first, second in inputs)
    assert {(-128,), (127,)} <= {*generated([CHAR], [12345], 500)}


def test_all_values_are_of_their_types() -> None:
    for character, number in generated([UNSIGNED_CHAR, DOUBLE], [1e10, -5], 500):
        assert isinstance(character, int) and 0 <= character <= 255
        assert isinstance(number, float)


def test_no_parameters_have_one_input() -> None:
    assert generated([], [], 500) == [()]


@pytest.mark.parametrize("least", [0, 1, 7, 1000, 123_456_789])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_smallest_is_found_in_few_steps(least: int, sign: int) -> None:
    value, steps = (sign * (2**31 - 1),), 0
    while True:
        for other in smaller([INT], value):
            steps += 1
            if sign * other[0] >= least:  # type: ignore[operator]
                break
        else:
            break
        value = other  # type: ignore[assignment]
    assert value == (sign * least,)
    assert steps < 1000


@pytest.mark.parametrize("value", [-(2**31), 2**31 - 1, -1, 0])
def test_smaller_values_are_of_the_type(value: int) -> None:
    assert all(-(2**31) <= other < 2**31 for (other,) in smaller([INT], (value,)))  # type: ignore[operator]


@pytest.mark.parametrize("value", [math.inf, math.nan, -0.0, 0.1, -2.5, 1e300])
def test_smaller_floats_end_at_zero(value: float) -> None:
    others = [*smaller([DOUBLE], (value,))]
    assert (0.0,) in others
    assert all(size(other) < size((value,)) for other in others)


# ------------------------------------------------------------------------------------------ conversions agree

QUICK = Method(tests=16, max_steps=3000, strict=True)
TOO_LONG = {
    *("mandelbrot", "perfect", "random_walk", "values_of_math_h", "complex_mandelbrot", "complex_roots"),
    *("formats_of_different_types", "repeated_variadic_calls"),
}
"""The programs whose `main` takes more steps."""
SOME = [path for path in sample(EXAMPLES + CORPUS, 12) if is_full() or path.stem != "long_ranges"]
"""One program has a text of megabytes, which `test_corpus` prints and reads."""


@each_in_turn(path=SOME, conversion=["unminimised", "threaded", "optimised"])
def test_every_conversion_agrees_with_its_program(path: Path, conversion: str) -> None:
    text = path.read_text()
    program = {
        "unminimised": lambda: reread(converted(text, "basic", minimal=False)),
        "threaded": lambda: converted(text, "marker", thread_jumps=True),
        "optimised": lambda: converted(text, "scc", optimise=OPTIMISATIONS),
    }[conversion]()
    found = equivalence(program, converted(text, "scc"), method=QUICK)
    assert not found.differs
    assert found.holds or path.stem in TOO_LONG


# ------------------------------------------------------------------------------------------------------ planted faults

PROGRAMS = {
    "gcd": "int f(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }",
    "power": "int f(int x, int n) { int p = 1; while (n > 0) { if (n % 2) p *= x; x *= x; n /= 2; } return p; }",
    "sort": "int f(int a, int b, int c) { int t; if (a > b) { t = a; a = b; b = t; } "
    "if (b > c) { t = b; b = c; c = t; } "
    "if (a > b) { t = a; a = b; b = t; } return a * 10000 + b * 100 + c; }",
    "days": "int f(int m, int leap) { switch (m) { case 2: return 28 + (leap != 0); case 4: case 6: case 9: case 11: "
    "return 30; default: return m < 1 || m > 12 ? 0 : 31; } }",
    "lines": '#include <stdio.h>\nvoid f(int n) { for (int i = 0; i < n % 16; i++) { printf("%d", i); puts(";"); } }',
    "fibonacci": "int f(unsigned char n) { int a = 0, b = 1; for (int i = 0; i < n % 32; i++) { int t = a + b; a = b;"
    " b = t; } return a; }",
    "loops": "int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j++) { if (j % 3 == 1)"
    " continue; s += i ^ j; } return s; }",
}
COUNTS = {"dropped_parameter", "dropped_argument", "extra_parameter", "parameter_for_what_has_none"}
"""Faults in the number of parameters and arguments."""

KINDS = [kind for kind in FAULTS if kind not in COUNTS | {"defined_for_undefined"}]
SMALL = range(-4, 14)
STEPS = 1000

Seen = tuple[bytes, object]


def seen(program: Program, entry: str, input: tuple, max_steps: int) -> Seen:
    """The observable behaviour of a run, computed without the tested code; a runtime error as its type."""
    output = io.BytesIO()
    end: object
    try:
        end = evaluate(program, entry, input, output=output, errors=io.BytesIO(), max_steps=max_steps)
    except ProgramError as fault:
        end = type(fault)
    if isinstance(end, Returned):
        end = end.value & 255 if entry == "main" and isinstance(end.value, int) else repr(end.value)
    return output.getvalue(), end


def is_difference(program: Program, reference: Program, input: tuple, entry: str) -> bool:
    """Whether the reference ends without a runtime error, and the program behaves differently."""
    expected = seen(reference, entry, input, STEPS)
    return not isinstance(expected[1], type) and seen(program, entry, input, 10 * STEPS) != expected


def brute_force(program: Program, reference: Program, entry: str) -> tuple | None:
    """A small input on which the programs differ."""
    function = reference.function(entry)
    assert function
    count = len(data_parameters(function))
    inputs = itertools.product(SMALL if count < 3 else range(-1, 4), repeat=count)
    return next((input for input in inputs if is_difference(program, reference, input, entry)), None)


def wrong_constants(function: Function) -> Iterator[str]:
    """Add one to each constant in turn."""
    constants = [value for member in function.members() for each in member.body for value in each.operands]
    for constant in constants:
        if isinstance(constant, Constant) and constant.type is INT:
            constant.value = int(constant.value) + 1
            yield f"wrong constant {constant.value}"
            constant.value = int(constant.value) - 1


def mutants(function: Function) -> Iterator[str]:
    """Plant one fault after another; yield its name, then remove it."""
    yield from wrong_constants(function)
    for kind in KINDS:
        for seed in range(4 if is_full() else 2):
            with planted(function, kind, seed) as done:
                if done:
                    yield f"{kind} {seed}"


def is_found(program: Program, reference: Program, entry: str, mutant: str) -> bool:
    """Whether a difference is found. Asserts that this is correct."""
    (result,) = equivalence(program, reference, entry, Method(tests=100, max_steps=STEPS)).results
    assert isinstance(result, Compared)
    if result.difference:
        assert is_difference(program, reference, result.difference.input, entry), mutant
    else:
        assert brute_force(program, reference, entry) is None, mutant
    return result.difference is not None


@pytest.mark.parametrize("name", PROGRAMS)
def test_planted_faults_are_found_if_they_make_a_difference(name: str) -> None:
    reference, program = (converted(PROGRAMS[name], "scc") for _ in range(2))
    detected = 0
    for number, mutant in enumerate(mutants(program.functions[0])):
        if check(program) or (number % 2 and not is_full()):
            continue
        detected += is_found(program, reference, "f", mutant)
    assert detected > 5
    assert brute_force(program, reference, "f") is None


def test_planted_faults_in_the_examples_are_found() -> None:
    detected = 0
    for path in sample(EXAMPLES, 3):
        reference, program = (converted(path.read_text(), "scc") for _ in range(2))
        started = [function for function in program.functions if PTR not in [each.type for each in function.parameters]]
        for kind, function in itertools.product(KINDS[::4], started):
            with planted(function, kind, 7) as done:
                if done and not check(program):
                    mutant = f"{path.stem}: {kind} in {function.name}"
                    detected += is_found(program, reference, function.name, mutant)
    assert detected > (50 if is_full() else 15)


# -------------------------------------------------------------------------------------------- hand-written solutions

SUM_C = """\
int sum(int n) {
    int s = 0;
    int i = 1;
    while (i <= n) {
        s = s + i;
        i = i + 1;
    }
    return s;
}
"""
SUM = """\
sum(n : int, ret : int → ⊥) → ⊥ {
  let
    loop := (i : int, s : int) → ⊥
      let
        body := () → ⊥
          loop(i + 1, s + i)
        done := () → ⊥
          ret(s)
      in
      branch(i <= n, body, done)
  in
  loop(1, 0)
}
"""


@pytest.fixture
def exercise(cpsconv: Run) -> Run:
    """The command in a folder with the exercise `sum.c`."""
    Path("sum.c").write_text(SUM_C)
    return cpsconv


def solution(text: str) -> str:
    """Write a solution to a file; return the name of the file."""
    Path("sum.cps").write_text(text, encoding="utf-8")
    return "sum.cps"


SKIPPED = "inputs on which sum.c is not done within the steps allowed\n"
QUICKLY = ("--against", "sum.c", "--tests", "50", "--max-steps", "200")
SAME = f"sum: the same on 37 inputs; skipped: 13 {SKIPPED}"
"""The options for a comparison of few inputs, and its result."""


def test_a_correct_solution(exercise: Run) -> None:
    found = f"sum: the same on 395 inputs; skipped: 105 {SKIPPED}"
    assert exercise("check", solution(SUM), "--against", "sum.c") == Done(0, found, "")
    assert exercise("check", *QUICKLY, "sum.cps", "--strict") == Done(0, SAME, "")


def test_a_correct_solution_with_superfluous_parameters(exercise: Run) -> None:
    text = SUM.replace("(i : int, s : int)", "(i : int, s : int, m : int, last : int)").replace("i <= n", "i <= m")
    solution(text.replace("loop(i + 1, s + i)", "loop(i + 1, s + i, m, s)").replace("loop(1, 0)", "loop(1, 0, n, 0)"))
    assert exercise("check", "sum.cps", *QUICKLY) == Done(
        0,
        SAME
        + """\
note: 2 of 4 parameters of the continuations of `sum` are superfluous
  sum.cps:3:32: `m` of `loop` is always equal to `n` of `sum`
  sum.cps:3:41: `last` of `loop` is never used
""",
        "",
    )


@pytest.mark.parametrize(
    ("argument", "type", "shown"),
    [
        ("7", "int", "`7`"),
        ("true", "bool", "`true`"),
        ("'a'", "char", "`97`"),
        ("n * 2", "int", "`n * 2`"),
        ("undef(u : int)", "int", "the undefined `u`"),
        (" + ".join(["n"] * 30), "int", "the result of `+`"),
    ],
)
def test_the_value_of_a_redundant_parameter_is_shown(argument: str, type: str, shown: str) -> None:
    text = SUM.replace("(i : int, s : int)", f"(i : int, s : int, m : {type})").replace("ret(s)", "ret(s + int(m))")
    text = text.replace("loop(i + 1, s + i)", "loop(i + 1, s + i, m)").replace("loop(1, 0)", f"loop(1, 0, {argument})")
    (function,) = parse(Source("sum.cps", text)).functions
    assert [each.reason for each in superfluous_parameters(function)] == [f"is always equal to {shown}"]


WRONG = {
    "the arguments depend on each other": ("s + i", "s + (i + 1)", "n = 1", "returns 1", "returns 2", 1),
    "the branches are swapped": ("body, done", "done, body", "n = 0", "returns 0", "is not done after 10000 steps", 0),
    "the last number is missing": ("i <= n", "i < n", "n = 1", "returns 1", "returns 0", 1),
    "the loop does not end": ("i + 1, s + i", "i, s + i", "n = 1", "returns 1", "is not done after 10000 steps", 1),
    "there is a division too many": (
        *("ret(s)", "ret(s / n)", "n = 0", "returns 0"),
        *("ends in a runtime error, division by zero (sum.cps:8:15)", 0),
    ),
    "large numbers are treated specially": ("i <= n", "i <= n % 64", "n = 64", "returns 2080", "returns 0", 127),
    "it aborts": ("ret(s)", "abort()", "n = 0", "returns 0", "aborts", 0),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_solution(exercise: Run, fault: str) -> None:
    right, wrong, input, expected, found, before = WRONG[fault]
    value = input.split()[-1]
    tried = f"  the same on {before} input{'s' if before > 1 else ''} tried before\n" if before else ""
    limit = " --max-steps 100" if "is not done" in found else ""
    done = exercise("check", solution(SUM.replace(right, wrong)), "--against", "sum.c")
    assert done == Done(
        1,
        f"""\
sum: different for {input}
  sum.c    {expected}
  sum.cps  {found}
{tried}\
  see cpsconv run --trace sum.c --entry sum {value}
  see cpsconv run --trace{limit} sum.cps --entry sum {value}
""",
        "",
    )


def test_the_command_named_for_an_answer_that_does_not_end_ends(exercise: Run) -> None:
    done = exercise("check", solution(SUM.replace("i + 1, s + i", "i, s + i")), "--against", "sum.c")
    command = done.out.splitlines()[-1].partition("see cpsconv ")[2]
    traced = exercise(*shlex.split(command))
    assert traced.status == 3
    assert traced.err.count("loop(i = 1, ") > 40 and "is not done after 100 steps" in traced.err


LINES = """\
#include <stdio.h>
#include <stdlib.h>
void lines(int n) { for (int i = 0; i < n; i++) printf("%d\\n", i * i); }
int main(void) { lines(4); exit(2); }
int quotient(int x) { return 6 / x; }
"""


def test_output_and_exit_statuses_are_compared_and_a_suspect_is_named(cpsconv: Run) -> None:
    Path("lines.c").write_text(LINES)
    Path("new.c").write_text(LINES.replace("i * i", "i + i").replace("exit(2)", "return 258"))
    assert cpsconv("check", "new.c", "--against", "lines.c") == Done(
        1,
        """\
lines: different for n = 2
  lines.c  writes "1\\n" on line 2 and returns
  new.c    writes "2\\n" on line 2 and returns
  the same on 3 inputs tried before
  see cpsconv run --trace lines.c --entry lines 2
  see cpsconv run --trace new.c --entry lines 2
main: different
  lines.c  writes "1\\n" on line 2 and ends with exit status 2
  new.c    writes "2\\n" on line 2 and ends with exit status 2
  it calls `lines`, which differs itself: start there
  see cpsconv run --trace lines.c --entry main
  see cpsconv run --trace new.c --entry main
quotient: the same on 499 inputs; skipped: 1 input on which lines.c ends in a runtime error
""",
        "",
    )
    Path("new.c").write_text(LINES.replace("exit(2)", "return 258"))
    assert cpsconv("check", "new.c", "--against", "lines.c", "--entry", "main") == Done(0, "main: the same\n", "")


def suspects_of(text: str, wrong: set[str]) -> dict[str, list[str]]:
    """The suspects of each wrong function of a C program."""
    return {name: names for name, names in suspects(converted(text, "scc"), wrong).items() if name in wrong}


def test_the_first_function_of_a_call_chain_is_the_only_suspect() -> None:
    calls = [f"int f{number}(int x) {{ return f{number - 1}(x); }}" for number in range(1, 300)]
    text = "\n".join(["int f0(int x) { return x; }", *calls])
    wrong = {f"f{number}" for number in range(300)}
    assert suspects_of(text, wrong) == {name: ["f0"] if name != "f0" else [] for name in wrong}
    assert suspects_of(text, {"f7", "f200"}) == {"f7": [], "f200": ["f7"]}


def test_mutually_recursive_functions_are_not_suspects_of_each_other() -> None:
    text = (
        "int odd(int n); int even(int n) { return n == 0 || odd(n - 1); } int odd(int n) { return n && even(n - 1); }"
    )
    text += " int main(void) { return even(4); } int other(void) { return 1; }"
    assert suspects_of(text, {"odd", "even", "main", "other"}) == {
        "odd": [],
        "even": [],
        "main": ["even", "odd"],
        "other": [],
    }
    assert suspects_of(text, {"odd", "main"}) == {"odd": [], "main": ["odd"]}


def test_at_most_three_suspects_are_named() -> None:
    leaves = [f"leaf{number}" for number in range(10)]
    text = " ".join(f"int {name}(void) {{ return 1; }}" for name in leaves)
    text += f" int main(void) {{ return {' + '.join(f'{name}()' for name in leaves)}; }}"
    assert suspects_of(text, {*leaves, "main"})["main"] == leaves[:3]


def test_endless_recursion_ends_early_if_the_reference_is_fast(cpsconv: Run) -> None:
    Path("a.c").write_text("int f(int n) { return n > 0 ? f(n - 1) + 1 : 0; } int main(void) { return f(100); }")
    Path("b.c").write_text("int f(int n) { return n != 0 ? f(n - 1) + 1 : 0; } int main(void) { return f(-1); }")
    out = cpsconv("check", "b.c", "--against", "a.c").out
    assert "f: different for n = -1\n  a.c  returns 0\n  b.c  is not done after 10000 steps\n" in out
    assert "main: different\n  a.c  ends with exit status 100\n  b.c  is not done after 10000 steps\n" in out


def test_the_differing_part_of_a_long_line_is_shown(cpsconv: Run) -> None:
    for name, letter in (("a.c", "y"), ("b.c", "z")):
        text = "x" * 100 + letter + "x" * 100
        Path(name).write_text(f'#include <stdio.h>\nint main(void) {{ puts("{text}"); return 0; }}')
    shown = "\n".join(cpsconv("check", "a.c", "--against", "b.c").out.splitlines()[1:3])
    window = 'writes …"' + "x" * 20 + "{}" + "x" * 39 + '"… on line 1 and ends with exit status 0'
    assert shown == f"  b.c  {window.format('z')}\n  a.c  {window.format('y')}"


@pytest.mark.parametrize(
    ("one", "other", "first", "second"),
    [
        (r"\xff", r"\\xff", r'"\xff" on line 1', r'"\\xff" on line 1'),
        (r"a\x0b\x0c\xc2\x85\rb", "a", r'"a\u000b\f' + "\x85" + r'\rb" on line 1', '"a" on line 1'),
        (r"1\n\xc3\xa9", r"1\n\xc3\xa8", '"é" on line 2', '"è" on line 2'),
        (r"1\n\xc3", r"1\n\xc3\xa8", r'"\xc3" on line 2', '"è" on line 2'),
    ],
)
def test_output_is_compared_as_bytes_and_shown_as_text(
    cpsconv: Run, one: str, other: str, first: str, second: str
) -> None:
    for name, text in (("a.c", one), ("b.c", other)):
        Path(name).write_text(f'#include <stdio.h>\nvoid f(void) {{ printf("{text}"); }}')
    lines = cpsconv("check", "b.c", "--against", "a.c").out.split("\n")
    assert lines[1:3] == [f"  a.c  writes {first} and returns", f"  b.c  writes {second} and returns"]
    data = json.loads(cpsconv("check", "b.c", "--against", "a.c", "--json").out)["functions"][0]["difference"]
    assert data["reference"]["output"] != data["program"]["output"]


@pytest.mark.parametrize(
    ("string", "shown", "word"),
    [("", '""', "''"), ("\n", r'"\n"', "'\n'"), ('a "', r'"a \""', "'a \"'"), ("é", '"é"', "'é'")],
)
def test_values_and_names_are_quoted_for_report_and_shell(cpsconv: Run, string: str, shown: str, word: str) -> None:
    text = "`a b`(s : string, ret : string → ⊥) → ⊥ {\n  ret(s)\n}\n"
    Path("a.cps").write_text(text, encoding="utf-8")
    Path("b.cps").write_text(text.replace("ret(s)", "abort()"), encoding="utf-8")
    done = cpsconv("check", "b.cps", "--against", "a.cps", "--input", shlex.quote(string))
    command = f"--entry 'a b' {word}\n"
    assert done.out == (
        f"a b: different for s = {shown}\n  a.cps  returns {shown}\n  b.cps  aborts\n"
        f"  see cpsconv run --trace a.cps {command}  see cpsconv run --trace b.cps {command}"
    )
    _, _, see = done.out.partition("see cpsconv ")
    assert cpsconv(*shlex.split(see.partition("\n  see ")[0])).out == f"{string}\n"


def test_runtime_errors_of_the_reference_are_compared_only_with_strict(cpsconv: Run) -> None:
    Path("lines.c").write_text(LINES)
    Path("new.c").write_text(LINES.replace("return 6 / x", "return x ? 6 / x : 77"))
    against = ("check", "new.c", "--against", "lines.c", "--entry", "quotient")
    skipped = "quotient: the same on 499 inputs; skipped: 1 input on which lines.c ends in a runtime error\n"
    assert cpsconv(*against) == Done(0, skipped, "")
    done = cpsconv(*against, "--strict")
    assert done.status == 1
    assert (
        "quotient: different for x = 0\n  lines.c  ends in a runtime error, division by zero (lines.c:5:30)\n"
        in done.out
    )
    Path("new.c").write_text(LINES.replace("return 6 / x", "int y; return x ? 6 / x : y + 1"))
    assert "ends in a runtime error, `y` is used uninitialised" in cpsconv(*against, "--strict").out


def test_programs_are_not_the_same_if_nothing_could_be_compared(cpsconv: Run) -> None:
    Path("u.c").write_text("int f(int x) { int y; return x + y; }")
    done = cpsconv("check", "u.c", "--against", "u.c")
    skipped = "f: not compared; skipped: 500 inputs on which u.c ends in a runtime error\nnothing could be compared\n"
    assert (done.status, done.out) == (1, skipped)
    Path("e.c").write_text("int f(void) { for (;;) ; }")
    done = cpsconv("check", "e.c", "--against", "e.c")
    skipped = "f: not compared; skipped: 1 input on which e.c is not done within the steps allowed\n"
    assert (done.status, done.out) == (1, skipped + "nothing could be compared\n")


def test_endless_output_is_cut_off(cpsconv: Run) -> None:
    Path("e.c").write_text('#include <stdio.h>\nint main(void) { for (;;) printf("%99999d", 1); }')
    Path("f.c").write_text("int main(void) { return 0; }")
    assert "is not done after 1000000 bytes of output" in cpsconv("check", "e.c", "--against", "f.c").out


@pytest.mark.parametrize("width", [999_998, 1_000_000])
def test_the_output_limit_counts_bytes_and_not_writes(cpsconv: Run, width: int) -> None:
    for name, body in (("a.c", f'printf("%{width}d\\n\\n", 1)'), ("b.c", f'printf("%{width}d\\n", 1); printf("\\n")')):
        Path(name).write_text(f"#include <stdio.h>\nvoid f(void) {{ {body}; }}")
    skipped = "f: not compared; skipped: 1 input on which a.c is not done within the steps allowed\n"
    expected = skipped + "nothing could be compared\n" if width + 2 > 1_000_000 else "f: the same\n"
    assert cpsconv("check", "b.c", "--against", "a.c").out == expected
    assert cpsconv("check", "a.c", "--against", "b.c").out == expected.replace("a.c", "b.c")


def test_explicit_inputs_replace_generated_ones(exercise: Run) -> None:
    solution(SUM.replace("i <= n", "i <= n % 64"))
    against = ("check", "sum.cps", "--against", "sum.c")
    assert exercise(*against, "--input", "63", "--input", "-5") == Done(0, "sum: the same on 2 inputs\n", "")
    done = exercise(*against, "--input", "63", "--input", "100")
    assert done.status == 1
    assert done.out.startswith("sum: different for n = 100\n  sum.c    returns 5050\n")


def test_the_numbers_of_inputs_and_steps_can_be_set(exercise: Run) -> None:
    against = ("check", solution(SUM), "--against", "sum.c")
    assert exercise(*against, "--tests", "3").out.startswith("sum: the same on ")
    skipped = f"sum: the same on 28 inputs; skipped: 22 {SKIPPED}"
    assert exercise(*against, "--tests", "50", "--max-steps", "10") == Done(0, skipped, "")


def test_the_result_as_json(exercise: Run) -> None:
    solution(SUM.replace("s + i", "s - i"))
    done = exercise("check", "sum.cps", "--against", "sum.c", "--json")
    assert (done.status, done.err) == (1, "")
    assert json.loads(done.out) == {
        "program": "sum.cps",
        "reference": "sum.c",
        "agrees": False,
        "functions": [
            {
                "function": "sum",
                "verdict": "different",
                "agreed": 1,
                "unfinished": 0,
                "undefined": 0,
                "difference": {
                    "input": ["1"],
                    "reference": {"output": "", "end": "returned", "value": "1"},
                    "program": {"output": "", "end": "returned", "value": "-1"},
                },
                "spare": [],
            }
        ],
    }


# --------------------------------------------------------------------------------------------------------- requirements

ENTERED_TWICE = """\
f(second : int, n : int, ret : int → ⊥) → ⊥ {
  let
    top := (a : int) → ⊥
      middle(a - 1)
    middle := (b : int) → ⊥
      branch(b > 0, λ(). top(b - 1), λ(). ret(b))
  in
  branch(second != 0, λ(). middle(n), λ(). top(n))
}
"""
CHOICE = "f(a : int, `let` : int, ret : int → ⊥) → ⊥ {\n  branch(a > 0, λ(). ret(a), λ(). ret(`let`)) // no let\n}\n"
LAST = SUM.replace("(i : int, s : int)", "(i : int, s : int, last : int)").replace("i <= n", "i <= last")
LAST = LAST.replace("loop(i + 1, s + i)", "loop(i + 1, s + i, last)").replace("loop(1, 0)", "loop(1, 0, n)")


@pytest.mark.parametrize(
    ("required", "text", "errors"),
    [
        ("minimal", SUM, []),
        ("minimal", LAST, ["3:32: error: `last` of `loop` is always equal to `n` of `sum`"]),
        ("no-let", CHOICE, []),
        ("no-let", SUM, ["2:3: error: `sum` has a `let`", "4:7: error: `sum` has a `let`"]),
        ("irreducible", ENTERED_TWICE, []),
        ("irreducible", SUM, ["3:5: error: no loop is irreducible: each loop has one entry: `loop`"]),
        ("irreducible", CHOICE, ["1:1: error: no loop is irreducible: there is no loop"]),
        ("max-parameters=2", ENTERED_TWICE, []),
        (
            "max-parameters=1",
            ENTERED_TWICE,
            ["5:16: error: the continuations of `f` have 2 parameters, more than 1: 1 of `top`, 1 of `middle`"],
        ),
    ],
)
def test_a_violated_requirement_is_an_error_at_its_place(
    exercise: Run, required: str, text: str, errors: list[str]
) -> None:
    done = exercise("check", solution(text), "--require", required)
    assert done.status == bool(errors)
    assert [line for line in done.err.splitlines() if "error" in line] == [f"sum.cps:{each}" for each in errors]
    assert done.err.count(f"help: this violates `--require {required}`\n") == len(errors)


def test_requirements_are_stated_for_one_function_and_with_a_reference(exercise: Run) -> None:
    solution(SUM + CHOICE)
    assert exercise("check", "sum.cps:f", "--require", "no-let").status == 0
    done = exercise("check", "sum.cps", *QUICKLY, "--require", "no-let", "--require", "minimal")
    assert (done.status, done.out) == (1, SAME) and done.err.count("error: `sum` has a `let`\n") == 2
    done = exercise("check", "sum.cps", *QUICKLY, "--require", "no-let", "--require", "minimal", "--json")
    lets = [{"message": "`sum` has a `let`", "location": f"sum.cps:{place}"} for place in ("2:3", "4:7")]
    assert (done.status, done.err) == (1, "")
    assert json.loads(done.out)["requirements"] == {"no-let": lets, "minimal": []}


def test_a_requirement_of_the_text_or_an_unknown_one(exercise: Run) -> None:
    done = exercise("check", "sum.c", "--require", "no-let")
    assert (done.status, done.err.splitlines()[0]) == (1, "sum.c:1:5: error: only CPS text can be without `let`")
    done = exercise("check", "sum.c", "--require", "minimum")
    assert (
        done.status == 2 and "there is no requirement 'minimum'" in done.err and "did you mean `minimal`?" in done.err
    )


# ------------------------------------------------------------------------------------------------- a folder of answers


@pytest.fixture
def answers(exercise: Run) -> Run:
    """The command in a folder with `sum.c`, which is also in the folder `answers`, with right and wrong files."""
    Path("answers/late").mkdir(parents=True)
    files = {
        "anna.cps": SUM,
        "ben.cps": SUM.replace("i <= n", "i < n"),
        "carla.cps": "sum(",
        "dora.cps": CHOICE,
        "emil.c": "#define A x x x x\n#include <nothing.h>\nint sum(int n) { return A; }",
        "late/fritz.c": "int sum(int n) { for (;;) ; }",
        "late/gerda.cps": LAST,
        "late/hugo.txt": "sorry",
        "late/.ida.cps": SUM,
    }
    for name, text in files.items():
        Path("answers", name).write_text(text, encoding="utf-8")
    Path("answers/late/jan.cps").write_bytes(b"\xff")
    Path("answers/late/karl.cps").symlink_to("nowhere")
    Path("answers/sum.c").symlink_to(Path("sum.c").absolute())
    return exercise


GRADES = [
    ("anna.cps", "same", "yes", ""),
    ("ben.cps", "different", "yes", "sum for n = 1: returns 0; sum.c returns 1"),
    (
        "carla.cps",
        "error",
        "-",
        "answers/carla.cps:1:5: error: expected a name, `)` or `...`, found the end of the text",
    ),
    ("dora.cps", "error", "-", "sum.c and answers/dora.cps have no function in common"),
    ("emil.c", "error", "-", "answers/emil.c:2:10: error: "),
    ("late/fritz.c", "different", "yes", "sum for n = 0: is not done after 2000 steps; sum.c returns 0"),
    ("late/gerda.cps", "same", "no", ""),
    ("late/hugo.txt", "error", "-", "answers/late/hugo.txt: unknown language"),
    ("late/jan.cps", "error", "-", "answers/late/jan.cps:1:1: error: this is not UTF-8 text"),
    ("late/karl.cps", "error", "-", "answers/late/karl.cps: there is no such file"),
]
"""The answers, with their verdicts, whether they are minimal, and the start of the detail."""


@pytest.mark.parametrize("jobs", sample(["2", "1"], 2))
def test_a_folder_of_answers_is_a_table_in_which_no_answer_stops_the_others(answers: Run, jobs: str) -> None:
    done = answers("check", "--all", "answers", *QUICKLY, "--require", "minimal", "--csv", "-j", jobs)
    assert (done.status, done.err) == (1, "")
    head, *rows = csv.reader(io.StringIO(done.out))
    assert head == ["answer", "verdict", "minimal", "detail"]
    for row, (name, verdict, minimal, detail) in zip(rows, GRADES, strict=True):
        assert row[:3] == [f"answers/{name}", verdict, minimal]
        assert row[3].startswith(detail) and bool(row[3]) == bool(detail)


def test_the_table_is_aligned_text_or_json(answers: Run) -> None:
    command = ("check", "--all", "answers", *QUICKLY, "--require", "minimal")
    head, *lines, last = answers(*command, "-j", "1").out.splitlines()
    assert last == "1 of 10 correct"
    for line, (name, verdict, minimal, _) in zip(lines, GRADES, strict=True):
        assert line.startswith(f"answers/{name}") and line[head.index("verdict") :].startswith(verdict)
        assert line[head.index("minimal") :].startswith(minimal)
    objects = json.loads(answers(*command, "--json").out)
    assert [each["answer"] for each in objects if each["correct"]] == ["answers/anna.cps"]
    spare = {"message": "`last` of `loop` is always equal to `n` of `sum`", "location": "answers/late/gerda.cps:3:32"}
    assert objects[6]["requirements"] == {"minimal": [spare]} and objects[7]["requirements"] == {}


def test_the_table_has_status_0_if_all_are_correct_and_files_can_be_named(answers: Run) -> None:
    right = ("answers/anna.cps", "answers/late/gerda.cps", *QUICKLY)
    done = answers("check", "--all", *right)
    assert (done.status, done.out.splitlines()[-1]) == (0, "2 of 2 correct")
    done = answers("check", "--all", *right, "--timeout", "0.001")
    assert (done.status, done.out.count("the program takes more than 0.001 seconds of processor time")) == (1, 2)


def test_a_folder_without_answers_and_a_wrong_reference_are_errors(answers: Run) -> None:
    Path("empty").mkdir()
    done = answers("check", "--all", "empty", "--against", "sum.c")
    assert done == Done(1, "", "error: empty: there is no answer in this folder\n")
    done = answers("check", "--all", "answers", "--against", "answers/carla.cps")
    assert (done.status, done.out) == (1, "") and done.err.startswith("answers/carla.cps:1:5: error: ")
    assert answers("check", "sum.c", "--against", "sum.c", "--csv").err.endswith("--csv requires --all\n")


# --------------------------------------------------------------------------------------------------------- wrong usage


def test_a_reference_that_is_missing_or_wrong(exercise: Run) -> None:
    solution(SUM)
    missing = Done(1, "", "error: no.c: there is no such file\n")
    assert exercise("check", "sum.cps", "--against", "no.c") == missing
    Path("bad.c").write_text("int sum(int n) { return m; }")
    done = exercise("check", "sum.cps", "--against", "bad.c")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("bad.c:1:25: error: `m` is not declared\n")


def test_functions_of_different_types_are_different(exercise: Run) -> None:
    solution("sum(n : int, m : int, ret : long → ⊥) → ⊥ {\n  ret(1l)\n}\n")
    types = "(int, int → ⊥) → ⊥ in sum.c, but (int, int, long → ⊥) → ⊥ in sum.cps"
    assert exercise("check", "sum.cps", "--against", "sum.c") == Done(1, f"sum: different: it is of type {types}\n", "")


def test_a_function_that_only_the_reference_has_is_no_difference(exercise: Run) -> None:
    Path("two.c").write_text(SUM_C + "int two(void) { return 2; }")
    done = exercise("check", solution(SUM), "--against", "two.c", "--tests", "9")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "two: not compared: it is not in sum.cps"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--against", "lines.c"], "error: lines.c and sum.c have no function in common\nhelp: lines.c has `lines`, "),
        (["--against", "sum.c", "--entry", "f"], "error: sum.c and sum.c have no function `f` in common\nhelp: "),
        (["--against", "lines.c", "--entry", "sum"], "lines.c and sum.c have no function `sum` in common\nhelp: "),
        (["--against", "sum.c", "--input", "1 2"], "`sum` takes 1 argument (n : int), but 2 were given\n"),
        (["--against", "sum.c", "--input", "one"], "error: argument `n` of `sum`: `one` is not an integer\n"),
    ],
)
def test_unusable_functions_and_inputs_are_reported(exercise: Run, arguments: list[str], message: str) -> None:
    Path("lines.c").write_text(LINES)
    done = exercise("check", "sum.c", *arguments)
    assert (done.status, done.out) == (1, "")
    assert message in done.err


def test_an_input_with_a_quote_that_is_not_closed_is_a_wrong_command_line(exercise: Run) -> None:
    done = exercise("check", "sum.c", "--against", "sum.c", "--input", "'3")
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith('Error: No closing quotation in "\'3"\n')


def test_an_input_is_for_one_function(cpsconv: Run) -> None:
    Path("lines.c").write_text(LINES)
    message = "error: the programs have 3 functions in common: the input is ambiguous\n"
    cure = "help: choose one with --entry\n"
    assert cpsconv("check", "lines.c", "--against", "lines.c", "--input", "3") == Done(1, "", message + cure)


def test_a_function_that_takes_a_continuation_cannot_be_compared(cpsconv: Run) -> None:
    Path("k.cps").write_text("apply(k : int → ⊥, ret : int → ⊥) → ⊥ {\n  k(1)\n}\n", encoding="utf-8")
    why = "apply: not compared: `apply` cannot be started: its parameter `k` is a continuation\n"
    assert cpsconv("check", "k.cps", "--against", "k.cps") == Done(1, why + "nothing could be compared\n", "")


@pytest.mark.parametrize(
    "option",
    [["--entry", "f"], ["--tests", "5"], ["--input", "5"], ["--max-steps", "5"], ["--strict"], ["--json"], ["--all"]],
)
def test_options_that_require_a_reference(exercise: Run, option: list[str]) -> None:
    done = exercise("check", "sum.c", *option)
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(f"Error: {option[0]} requires --against\n")


def test_a_solution_from_standard_input(exercise: Run) -> None:
    assert exercise("check", "-", "--lang", "cps", *QUICKLY, stdin=SUM) == Done(0, SAME, "")
    done = exercise("check", "-", "--lang", "cps", *QUICKLY, stdin=SUM.replace("<=", "<"))
    assert "--trace" in done.out
    assert "see cpsconv run --trace '<stdin>'" not in done.out


def test_two_versions_in_c_may_differ_in_their_loops_but_not_in_a_sign(exercise: Run) -> None:
    Path("gauss.c").write_text("int sum(int n) { return n < 0 ? 0 : n * (n + 1) / 2; }")
    done = exercise("check", "gauss.c", *QUICKLY)
    assert (done.status, done.out.partition(" inputs;")[0]) == (0, "sum: the same on 37")
    Path("gauss.c").write_text("int sum(int n) { return n * (n + 1) / 2; }")
    assert (
        "different for n = -2\n  sum.c    returns 0\n  gauss.c  returns 1\n"
        in exercise("check", "gauss.c", *QUICKLY).out
    )


@pytest.mark.parametrize(
    ("other", "expected", "found"), [("0.0", "x = -0.0", "0.0"), ("x + 0.0", "x = -0.0", "0.0"), ("x * 1.0", None, "")]
)
def test_floating_values_are_the_same_to_the_bit_and_nan_is_nan(
    cpsconv: Run, other: str, expected: str | None, found: str
) -> None:
    Path("a.c").write_text("double f(double x) { return x; }")
    Path("b.c").write_text(f"double f(double x) {{ return {other}; }}")
    done = cpsconv("check", "b.c", "--against", "a.c")
    if expected is None:
        assert done == Done(0, "f: the same on 500 inputs\n", "")
    else:
        assert done.out.startswith(f"f: different for {expected}\n")
        assert f"  b.c  returns {found}\n" in done.out


def test_the_runs_of_a_comparison_are_limited(cpsconv: Run) -> None:
    Path("many.c").write_text("int f(int n) { unsigned i = n; while (i < 30000000u) i++; return i; }")
    assert cpsconv("check", "many.c", "--against", "many.c", "--timeout", "0.05") == (
        3,
        "",
        "runtime error: the program takes more than 0.05 seconds of processor time\n"
        "help: --max-steps limits each run, --tests their number; --timeout sets this limit\n",
    )
    Path("few.c").write_text("int f(int n) { return n; }")
    done = cpsconv("check", "few.c", "--against", "few.c", "--sandbox", "--json")
    assert done == cpsconv("check", "few.c", "--against", "few.c", "--json") and done.status == 0
    assert cpsconv("check", "few.c", "--sandbox").status == 0
    assert cpsconv("check", "few.c", "--timeout", "3").err.endswith("--timeout requires --against\n")


def test_endless_output_and_large_frames_are_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.lab.equivalence.comparison.MAX_PROCESS", 10_000_000)
    monkeypatch.setattr("cpsconv.lab.equivalence.comparison.MAX_OUTPUT", 1000)
    errors = program_of('#include <stdio.h>\nint f(void) { for (;;) fputs("error", stderr); }')
    end = observe(errors, "f", (), 10**6).end
    assert str(end) == "runtime error: the program is not done after 1000 bytes of output"
    values = "".join(f" + n * f(n + {number})" for number in range(300))
    end = observe(program_of(f"int f(int n) {{ return 1{values}; }}"), "f", (1,), 10**6).end
    assert str(end) == "runtime error: the program is not done after 10000000 bytes of memory"
