"""Complex numbers: their arithmetic, functions, constants and passing are those of gcc's programs."""

from __future__ import annotations

import functools
import io
import math
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cpsconv import Source, convert, parse, pretty
from cpsconv.core.entry import entry_of
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import EngineName, Run, prepare
from cpsconv.engines.machine.system import Access, granting
from cpsconv.targets import TARGETS, Style
from testing import gcc
from testing.effort import examples, sample
from testing.engines import ENGINES_HERE
from testing.expectations import Observation
from testing.gcc import GCC, compile_c, needs_gcc
from testing.running import observe, program_of
from tests.tables import table
from tests.test_c_signatures import linked, objects

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, math.nan, 5e-324, -2.3e-308, 1.7e308, 2.0**-52, 800.0]
parts = st.one_of(st.sampled_from(SPECIAL), st.floats(-4, 4), st.floats())
pairs = st.lists(st.tuples(parts, parts, parts, parts), min_size=8, max_size=8)
quick = settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

_NAMES = ["cos", "sin", "tan"]
FUNCTIONS = [
    "cexp",
    "clog",
    "cproj",
    "csqrt",
    *(f"c{a}{name}{h}" for a in ("", "a") for name in _NAMES for h in ("", "h")),
]
HEAD = """
#include <complex.h>
#include <math.h>
#include <stdio.h>
static void show_part(double x) { x != x ? printf(" nan") : printf(" %a", x); }
static void show(double complex z) { show_part(creal(z)), show_part(cimag(z)); }
"""
OPERATIONS = (
    HEAD
    + """
static void operate(double complex z, double complex w, float complex f, float complex g) {
  show(z + w), show(z - w), show(z * w), show(z / w), show(-z), show(~z);
  show(creal(z) + w), show(creal(z) - w), show(creal(z) * w), show(creal(z) / w);
  show(z + creal(w)), show(z - creal(w)), show(z * creal(w)), show(z / creal(w));
  show(f * g), show(f / g), show(f * w), show(f - cimag(z)), show((float complex)z);
  printf(" %d%d%d\\n", z == w, z != creal(w), !z);
}
int main(void) {
  double p[4];
  while (fread(p, sizeof p, 1, stdin))
    operate(CMPLX(p[0], p[1]), CMPLX(p[2], p[3]), CMPLXF(p[0], p[1]), CMPLXF(p[2], p[3]));
}
"""
)
CALLS = (
    HEAD
    + "static void apply(double complex z, double complex w, float complex f) {\n"
    + "\n".join(f"show({name}(z)), show({name}f(f));" for name in FUNCTIONS)
    + """
  show(cpow(z, w)), show(cabs(z)), show(carg(w)), printf("\\n");
}
int main(void) {
  double p[4];
  while (fread(p, sizeof p, 1, stdin)) apply(CMPLX(p[0], p[1]), CMPLX(p[2], p[3]), CMPLXF(p[0], p[1]));
}
"""
)


@functools.cache
def prepared(text: str, engine: EngineName) -> Run:
    """The program, compiled once."""
    program = convert(Source("complex.c", text))
    return prepare(program, entry_of(program), engine)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the executables of this module."""
    return tmp_path_factory.mktemp("complex")


def agree(text: str, engine: EngineName, numbers: list[tuple[float, ...]], folder: Path) -> None:
    """Assert that the engine and the executable of gcc print the same for the numbers."""
    executable = folder / str(abs(hash(text))) / "program"
    if not executable.exists():
        executable.parent.mkdir()
        compile_c(text, executable.parent, "-w", "-fno-builtin")
    given = b"".join(struct.pack("<4d", *each) for each in numbers)
    output = io.BytesIO()
    with granting(Access(io.BytesIO(given))):
        prepared(text, engine)([], output=output, errors=io.BytesIO())
    assert Observation(output.getvalue().decode()) == gcc.observe(executable, given=given)


@needs_gcc
@pytest.mark.parametrize("engine", ENGINES_HERE)
@quick
@given(numbers=pairs)
def test_operators_have_the_results_of_gcc(engine: EngineName, numbers: list[tuple[float, ...]], folder: Path) -> None:
    agree(OPERATIONS, engine, numbers, folder)


@needs_gcc
@pytest.mark.parametrize("engine", sample(ENGINES_HERE, 3))
@quick
@given(numbers=pairs)
def test_functions_have_the_results_of_glibc(
    engine: EngineName, numbers: list[tuple[float, ...]], folder: Path
) -> None:
    """By default with the machine: the functions are written in C, by operations that all engines compute alike."""
    agree(CALLS, engine, numbers, folder)


literals = st.tuples(*[st.sampled_from(["0.0", "1.0", "0.1", "3.7", "1e-3f", "2", "1e300", "0.3L", "7e-20"])] * 4)


@needs_gcc
@quick
@given(values=st.lists(literals, min_size=20, max_size=20))
def test_constants_have_the_values_of_gcc(values: list[tuple[str, ...]], folder: Path) -> None:
    terms = [f"({a} + {b} * I) {op} ({c} - {d} * I)" for a, b, c, d in values for op in "+-*"]
    terms += [f"({a} - {b} * I) / ({c} + 1 + {d} * I)" for a, b, c, d in values]
    text = HEAD + f"static double complex z[] = {{ {', '.join(terms)} }};\nint main(void) {{\n"
    text += f"for (int i = 0; i < {len(terms)}; i++) show(z[i]);\n"
    text += "".join(f"show({term});\n" for term in terms[::3]) + "}\n"
    executable = compile_c(text, folder, "-w", "-fno-rounding-math")
    assert observe(convert(Source("constants.c", text))) == gcc.observe(executable)


# ---------------------------------------------------------------------------------------------------- other files

PROGRAMS = table("complex")
"""The longer programs of these tests."""

CALLER = "\n" + PROGRAMS["CALLER"]
CALLEE = "\n" + PROGRAMS["CALLEE"]


def compiled(text: str, name: str, folder: Path) -> str:
    """The object file that gcc compiles."""
    assert GCC is not None
    (folder / f"{name}.c").write_text(text)
    subprocess.run([GCC, "-w", "-c", f"{name}.c", "-o", f"{name}.o"], cwd=folder, check=True)
    return f"{name}.o"


@needs_gcc
@pytest.mark.parametrize("converted", ["caller", "callee"])
def test_complex_numbers_cross_files_as_gcc_passes_them(converted: str, tmp_path: Path) -> None:
    texts = {"caller": CALLER.replace("total(3, z, f, l)", "z"), "callee": CALLEE}
    if converted == "callee":
        texts["caller"] = CALLER
    others = {name: compiled(text, name, tmp_path) for name, text in texts.items()}
    expected = linked(tmp_path, *others.values())
    for how, name in objects(convert(Source("part.c", texts[converted])), "part", tmp_path):
        kept = [object for part, object in others.items() if part != converted]
        assert linked(tmp_path, name, *kept) == expected, how


# ------------------------------------------------------------------------------------------------- representation

MANDELBROT = """
int steps(double _Complex c) {
    double _Complex z = 0;
    int n = 0;
    while (n < 50 && __real__ z * __real__ z + __imag__ z * __imag__ z < 4) {
        z += c;
        n++;
    }
    return n;
}
"""


def test_a_complex_variable_becomes_two_variables() -> None:
    text = pretty(program_of(MANDELBROT))
    assert "while := (n : int, `z.re` : double, `z.im` : double) → ⊥" in text
    assert "allocate" not in text
    assert pretty(parse(Source("steps.cps", text))) == text


def test_emitted_c_has_complex_types() -> None:
    text = TARGETS["c"](program_of("double _Complex z = 1.0 + 2.0i; double _Complex *p = &z;"), Style())
    assert "double _Complex z = __builtin_complex(1.0, 2.0);" in text
    assert "struct" not in text


ERRORS = {
    "double _Complex z; int f(void) { return z < 1; }": "`<` needs real numbers, not `double _Complex` and `int`",
    "double _Complex z; double f(void) { return z % 2; }": "`%` needs real numbers, not `double _Complex` and `int`",
    "double _Complex z; int *f(void) { return z; }": "expected an `int *`, but this is a `double _Complex`",
    "double _Complex z; int *f(void) { return (int *)z; }": "a `double _Complex` cannot be cast to `int *`",
    "double _Complex z; double f(void) { return z.re; }": "`double _Complex` has no field `re`",
    "void f(void) { __builtin_complex(1, 2); }": "this needs two floating numbers, not `int` and `int`",
    "_Complex int z; void f(void) { z /= 2 + 1i; }": "the division by a complex integer is not supported yet",
    "double _Complex z; int f(void) { switch (z) default: ; }": "a `switch` needs an integer, not `double _Complex`",
    "double _Complex z = { 1, 2 }; int f(void) { return z; }": None,
    "double f(void), g = 1; double _Complex z = g;": "the initial value of `z` is not a constant",
}
"""Sources, with the message of the only error in each, or None if the source is correct."""


@pytest.mark.parametrize("text", ERRORS)
def test_errors_name_the_complex_type(text: str) -> None:
    message = ERRORS[text]
    if message is None:
        convert(Source("test.c", text))
        return
    with pytest.raises(DiagnosticError) as raised:
        convert(Source("test.c", text))
    assert [each.message for each in raised.value.diagnostics] == [message]
