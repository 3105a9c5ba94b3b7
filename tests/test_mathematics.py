"""The functions of <math.h> that are operations: their results are those of gcc's programs, digit by digit."""

from __future__ import annotations

import math
import re
from itertools import product
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.core.ir import DOUBLE, FLOAT
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import EngineName
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.functional.javascript.operations import LACKING as JAVASCRIPT_LACKS
from cpsconv.targets.functional.ocaml.operations import LACKING as OCAML_LACKS
from testing import gcc
from testing.effort import sample
from testing.engines import ENGINES_HERE, native
from testing.exact_operations import EXACT_FUNCTIONS
from testing.expectations import Observation
from testing.functional_targets import HASKELL, JAVASCRIPT, OCAML, PYTHON, SCHEME, Language, each
from testing.gcc import needs_gcc
from testing.native import observe_all
from testing.running import observe, program_of

VALUES = ["0", "-0.0", "1", "-1", "0.5", "-0.5", "0.1", "0.49999999999999994", "1.5", "2.5", "-2.5", "3", "-3", "4"]
VALUES += ["10", "0.75", "1e-5", "-1e-300", "1e22", "-4503599627370497.5", "88.5", "-100.25", "709.5", "-745.2"]
VALUES += ["1e300", "-1.7e308", "2.2250738585072014e-308", "5e-324", "-5e-324", "3.4e38", "1e-40", "1e-45"]
VALUES += ["INFINITY", "-INFINITY", "NAN", "-NAN"]
"""Arguments of the functions: zeros, halves, subnormal numbers, limits of the exponential function, and so on."""

PAIRED = ["0", "-0.0", "1", "-1", "0.5", "-2", "3", "-5.5", "1e300", "5e-324", "INFINITY", "-INFINITY", "NAN"]

TUPLES = {
    1: VALUES,
    2: [f"{x}, {y}" for x in PAIRED for y in PAIRED],
    3: ["0.1, 10, -1", "1e300, 1e300, -INFINITY", "-0.0, 0, 0", "3, 5, NAN", "5e-324, 0.5, 5e-324", "0.1, 0.1, 1e-20"],
}
"""Arguments of the functions with so many parameters."""


def text_of(left_out: frozenset[str] = frozenset()) -> str:
    """A program that prints the results of all functions for these arguments."""
    functions, calls = [], []
    for count, type in product(TUPLES, (DOUBLE, FLOAT)):
        names = "abc"[:count]
        functions.append(f"void with_{count}_{type}({', '.join(f'{type} {name}' for name in names)}) {{")
        for called in [platform_name(name, type) for name in MATHEMATICS if MATHEMATICS[name] == count]:
            functions.append(f'    printf("{called} %a\\n", {called}({", ".join(names)}));')
        functions.append("}")
        calls += [f"    with_{count}_{type}({given});" for given in TUPLES[count]]
    lines = [line for line in functions if not re.search(rf'"({"|".join(left_out) or "-"})f? ', line)]
    return "\n".join(["#include <math.h>", "#include <stdio.h>", *lines, "int main(void) {", *calls, "}", ""])


@pytest.fixture(scope="module")
def program() -> Program:
    """The program with all functions."""
    return convert(Source("all.c", text_of()))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Observation:
    """What gcc's program prints."""
    return by_gcc(text_of(), tmp_path_factory.mktemp("gcc"))


def by_gcc(text: str, folder: Path) -> Observation:
    """What the program does that gcc compiles, which computes no function itself."""
    return gcc.observe(gcc.compile_c(text, folder, "-w", "-fno-builtin"))


@needs_gcc
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_results_are_those_of_gcc(engine: EngineName, program: Program, expected: Observation) -> None:
    assert observe(program, engine=engine) == expected


@needs_gcc
@each([HASKELL, PYTHON, SCHEME])
def test_languages_that_call_the_library_of_c_have_its_results(
    language: Language, program: Program, expected: Observation, tmp_path: Path
) -> None:
    assert language.observe(program, tmp_path) == expected


@needs_gcc
def test_emitted_c_has_the_same_results(program: Program, expected: Observation, tmp_path: Path) -> None:
    assert by_gcc(TARGETS["c"](program, Style()), tmp_path) == expected


@needs_gcc
@native
@pytest.mark.parametrize("optimise", [0, 2])
def test_emitted_llvm_has_the_same_results(optimise: int, program: Program, expected: Observation) -> None:
    assert observe_all([(program, ())], optimise) == [expected]


@needs_gcc
@each([JAVASCRIPT, OCAML])
def test_other_languages_differ_in_the_last_digits_only(language: Language, tmp_path: Path) -> None:
    text = text_of(JAVASCRIPT_LACKS if language is JAVASCRIPT else OCAML_LACKS)
    expected = by_gcc(text, tmp_path).output.splitlines()
    found = language.observe(convert(Source("all.c", text)), tmp_path).output.splitlines()
    assert len(found) == len(expected)
    for line, wanted in zip(found, expected, strict=True):
        (name, shown), (_, exact) = line.split(), wanted.split()
        is_float = name not in MATHEMATICS
        error, smallest = (2**-21, 2**-126) if is_float else (2**-48, 2**-1022)
        is_exact = not {name, name[:-1]}.isdisjoint(EXACT_FUNCTIONS)
        found_value, wanted_value = float.fromhex(shown), float.fromhex(exact)
        assert are_close(found_value, wanted_value, 0 if is_exact else error, smallest), line


def are_close(one: float, other: float, error: float, smallest: float) -> bool:
    """Whether the numbers are equal, signs of zeros included, up to that error relative to them or to the smallest."""
    if math.isnan(one) or math.isnan(other) or not one or not other:
        return repr(one) == repr(other)
    return math.isclose(one, other, rel_tol=error, abs_tol=error * smallest)


@pytest.mark.parametrize(("target", "name"), [("javascript", "erf"), ("ocaml", "tgamma"), ("bril", "sqrt")])
def test_a_language_without_the_function_refuses_it(target: str, name: str) -> None:
    text = f"#include <math.h>\ndouble f(double x) {{ return {name}(x); }}\n"
    with pytest.raises(DiagnosticError) as raised:
        TARGETS[target](convert(Source("f.c", text)), Style())
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.span and text[diagnostic.span.start : diagnostic.span.end] == f"{name}(x)"
    assert f"`{name}`" in diagnostic.message


def test_functions_of_constants_are_computed_by_the_simplifier() -> None:
    text = "#include <math.h>\ndouble f(void) { return fma(2, 3, sqrt(16)) + floorf(2.5f); }\n"
    program = convert(Source("f.c", text), optimise=SIMPLIFICATIONS)
    assert pretty(program).splitlines()[1] == "  ret(12.0)"


def test_names_of_functions_are_free_for_values() -> None:
    text = """\
power(base : double, exp : double, ret : double → ⊥) → ⊥ {
  let
    log := (pow : double) → ⊥
      ret(pow + exp(exp))
  in
  log(pow(base, exp))
}
"""
    program = parse(Source("power.cps", text))
    assert pretty(program) == text
    assert observe(program_of(text), ["2", "3"]).output.startswith("28.08553692318766")


def test_a_program_may_define_such_a_function_itself() -> None:
    text = "double floor(double x) { return x + 0.5; }\nint main() { return floor(2) * 2; }\n"
    for engine in ("machine", "python"):
        assert observe(convert(Source("f.c", text)), engine=engine).status == 5


def test_macros_of_tgmath_choose_the_function_by_the_types() -> None:
    text = """
#include <tgmath.h>
double f(double x, float y, int n) { return sqrt(y) + sqrt(x) + sqrt(n) + pow(y, n) + ldexp(y, n); }
"""
    shown = pretty(convert(Source("f.c", text)), width=200)
    assert "v := double(sqrt(y)) + sqrt(x) + sqrt(double(n)) + pow(double(y), double(n));" in shown
    assert "ldexpf(y, n, λ(v1 : float)." in shown


@needs_gcc
@each(sample([OCAML, HASKELL], 2))
def test_functions_written_in_c_are_in_languages_without_memory(language: Language, tmp_path: Path) -> None:
    """By default in OCaml: the library is linked before a language is written."""
    text = """
#include <math.h>
#include <stdio.h>
void show(double x, double y) { printf("%a %a %a %a %ld\\n", fmax(x, y), fdim(x, y), rint(x), ldexp(y, 7), lround(x)); }
int main(void) {
    show(2.5, -0.0);
    show(-3.5, 1e-320);
    show(INFINITY, 4);
    return isnan(fmin(NAN, NAN)) + signbit(-0.0) + (fpclassify(1e-320) == FP_SUBNORMAL);
}
"""
    assert language.observe(convert(Source("show.c", text)), tmp_path) == by_gcc(text, tmp_path)


def test_a_classification_needs_a_floating_number() -> None:
    text = "#include <math.h>\nint f(int n) { return isnan(n); }\n"
    with pytest.raises(DiagnosticError, match="`isnan` needs a floating number, not an `int`"):
        convert(Source("f.c", text))


@needs_gcc
def test_functions_and_macros_are_constant_initial_values(tmp_path: Path) -> None:
    declarations = """
const double pi = acos(-1.0), twice = 2 * pi;
static float root = sqrtf(2.0f) * 2;
double infinite = INFINITY, table[3] = {NAN, -HUGE_VAL, -NAN};
"""
    printed = 'printf("%a %a %a %a %a %a %a\\n", pi, twice, root, infinite, table[0], table[1], table[2]);'
    includes = "#include <math.h>\n#include <stdio.h>\n"
    program = convert(Source("constants.c", f"{includes}{declarations} int main(void) {{ {printed} }}"))
    expected = by_gcc(f"{includes} int main(void) {{ {declarations.replace('static', '')} {printed} }}", tmp_path)
    assert observe(program) == expected
    assert by_gcc(TARGETS["c"](program, Style()), tmp_path) == expected
