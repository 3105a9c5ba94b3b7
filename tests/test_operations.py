"""The results of operations, compared with those of gcc, for every type and for boundary values."""

import math
import struct
import subprocess
from itertools import groupby, product
from typing import NamedTuple

from cpsconv.core import ir
from cpsconv.core.operations.mathematics import platform_name
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.semantics import normalised, operation
from cpsconv.core.operations.table import CONVERT, PRIMITIVES
from testing.gcc import compile_c, needs_gcc
from tests.core.test_operations import TYPES

WHOLE = [0, 1, 2, 7, -1, -3, 2**24 + 1, 2**53 + 1, 0x7FFFFFBFFFFFFFFF, 0x7FFFFFC000000001]
REAL = [0.0, -0.0, 0.5, -1.75, 3.0, 1e10, 3e9, 9.3e18, -9.3e18, 2.0**64, 1e39, 5e-324, 3.4028235677973366e38, -129.5]
REAL += [math.inf, -math.inf, math.nan]


class Case(NamedTuple):
    """An operation on values of one type."""

    op: str
    type: ir.Scalar
    result: ir.Scalar
    values: tuple

    def computed(self):
        """The result by `cpsconv.core.operations.semantics`; None if the operation traps."""
        operands = tuple(ir.Constant(self.type, value) for value in self.values)
        try:
            return operation(ir.Primitive(self.op, operands, self.result))(*self.values)
        except ProgramError:
            return None

    def in_c(self):
        """The operation on `a` and `b` in C."""
        one = {CONVERT: "a", "neg": "-a", "!": "!a", "~": "~a"}
        if self.op == "abs":
            return "__builtin_fabs(a)" if self.type.kind == "float" else "a < 0 ? -a : a"
        if PRIMITIVES[self.op].kind == "mathematics":
            return f"{platform_name(self.op, self.type)}({', '.join('abc'[: len(self.values)])})"
        if self.op in ("<<", ">>"):
            return f"a {self.op} (b & {self.type.bits - 1})"
        return one.get(self.op, f"a {self.op} b")


def boundary_values(type):
    """Values at and around the bounds of the type's range, and some between."""
    if type is ir.BOOL:
        return [False, True]
    top = 1 << (type.bits - 1)
    values = REAL if type.kind == "float" else [*WHOLE, top - 1, top, top + 1]
    return list({str(value): value for value in (normalised(type, value) for value in values)}.values())


def line(value):
    """The line that the C program prints for the value: the 128 bits of an integer, or the 64 bits of a `double`."""
    if not isinstance(value, float):
        return f"{value & 2**128 - 1:032x}"
    return "nan" if math.isnan(value) else struct.pack(">d", value).hex()


PRELUDE = r"""
#include <math.h>
#include <stdio.h>
#include <string.h>
static void whole(__int128 x) { printf("%016lx%016lx\n", (long)(x >> 64), (long)x); }
static void real(double x) {
  long bits;
  memcpy(&bits, &x, sizeof bits);
  if (x != x) printf("nan\n"); else printf("%016lx\n", bits);
}
"""


def c_type(type):
    return "_Bool" if type is ir.BOOL else type.name


def c_value(type, value):
    if type.kind != "float":
        return f"({c_type(type)})((__int128){int(value) >> 64 & 2**64 - 1}UL << 64 | {int(value) & 2**64 - 1}UL)"
    if math.isfinite(value):
        return value.hex()
    return '__builtin_nan("")' if math.isnan(value) else f"{'-' * (value < 0)}__builtin_inf()"


def by_gcc(cases, folder):
    """The results of gcc's code for the cases, one on each line."""
    definitions, calls = [], []
    groups = groupby(cases, lambda case: (case.in_c(), case.type, case.result))
    for number, ((expression, type, result), group) in enumerate(groups):
        name, parameter = c_type(type), f"v{number}[i]"
        rows = [", ".join(c_value(type, value) for value in (case.values * 3)[:3]) for case in group]
        definitions += [
            f"static {c_type(result)} f{number}({name} a, {name} b, {name} c) {{ return {expression}; }}",
            f"static const {name} v{number}[][3] = {{ {', '.join(f'{{ {row} }}' for row in rows)} }};",
        ]
        show = "real" if result.kind == "float" else "whole"
        call = f"f{number}({parameter}[0], {parameter}[1], {parameter}[2])"
        calls.append(f"for (int i = 0; i < {len(rows)}; i++) {show}({call});")
    executable = compile_c(
        "\n".join([PRELUDE, *definitions, "int main(void) {", *calls, "}", ""]), folder, "-w", "-fno-builtin"
    )
    return subprocess.run([executable], capture_output=True, check=True, text=True).stdout.splitlines()


def agree(cases, folder):
    computed = [(case, value) for case in cases if (value := case.computed()) is not None]
    wanted = by_gcc([case for case, _ in computed], folder)
    different = [
        (case, line(value), gcc) for (case, value), gcc in zip(computed, wanted, strict=True) if line(value) != gcc
    ]
    assert not different


@needs_gcc
def test_operators_compute_what_gcc_computes(tmp_path):
    cases = []
    for type, (op, form), count in product(TYPES, PRIMITIVES.items(), (1, 2, 3)):
        result = form.typing([type] * count)
        if result is not None:
            cases += [Case(op, type, result, values) for values in product(boundary_values(type), repeat=count)]
    agree(cases, tmp_path)


@needs_gcc
def test_conversions_have_the_results_of_gcc_even_out_of_range(tmp_path):
    pairs = product(TYPES, repeat=2)
    agree([Case(CONVERT, type, to, (value,)) for type, to in pairs for value in boundary_values(type)], tmp_path)
