"""The results of operations, compared with those of gcc, for every type and for boundary values."""

import math
import struct
import subprocess
from itertools import product
from typing import NamedTuple

import pytest

from cpsconv.core import ir
from cpsconv.core.operations.expansions import equivalent, exclusive, magnitude, multiplied, negated, widened
from cpsconv.core.operations.mathematics import c_name
from cpsconv.core.operations.python_arithmetic import int_to_float
from cpsconv.core.operations.runtime_errors import ProgramError, Undefined
from cpsconv.core.operations.semantics import conversion, fold, normalised, operation
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, constant_key, primitives_on
from cpsconv.core.operations.types import is_data
from cpsconv.core.transform.expansion import steps
from testing.exact_operations import edge_values
from testing.gcc import compile_c, needs_gcc

TYPES = [type for type in ir.SCALARS.values() if is_data(type) and type is not ir.LONG_DOUBLE]
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
            return f"{c_name(self.op, self.type)}({', '.join('abc'[: len(self.values)])})"
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
    functions: dict[tuple[str, str, str], str] = {}
    calls = []
    for case in cases:
        signature = case.in_c(), c_type(case.type), c_type(case.result)
        name = functions.setdefault(signature, f"f{len(functions)}")
        show = "real" if case.result.kind == "float" else "whole"
        values = [c_value(case.type, value) for value in (case.values * 3)[:3]]
        calls.append(f"  {show}({name}({', '.join(values)}));")
    definitions = [
        f"static {result} {name}({type} a, {type} b, {type} c) {{ return {expression}; }}"
        for (expression, type, result), name in functions.items()
    ]
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
@pytest.mark.parametrize("type", TYPES, ids=str)
def test_operators_compute_what_gcc_computes(type, tmp_path):
    cases = []
    for op, form in PRIMITIVES.items():
        for count in (1, 2, 3):
            result = form.typing([type] * count)
            if result is not None:
                cases += [Case(op, type, result, values) for values in product(boundary_values(type), repeat=count)]
    agree(cases, tmp_path)


@needs_gcc
@pytest.mark.parametrize("type", TYPES, ids=str)
def test_conversions_have_the_results_of_gcc_even_out_of_range(type, tmp_path):
    agree([Case(CONVERT, type, to, (value,)) for to, value in product(TYPES, boundary_values(type))], tmp_path)


def test_a_long_is_rounded_once_when_converted_to_float():
    assert int_to_float(0x7FFFFFBFFFFFFFFF) == 0x7FFFFF8000000000  # via double, the result would be 2.0**63


@pytest.mark.parametrize(
    ("op", "type", "values", "message"),
    [
        ("/", ir.INT, (1, 0), "division by zero"),
        ("%", ir.UNSIGNED, (1, 0), "division by zero"),
        ("/", ir.INT, (-(2**31), -1), "-2147483648 / -1 overflows `int`"),
        ("%", ir.LONG, (-(2**63), -1), "-9223372036854775808 % -1 overflows `long`"),
    ],
)
def test_an_undefined_division_is_a_runtime_error(op, type, values, message):
    with pytest.raises(ProgramError) as raised:
        operation(ir.Primitive(op, tuple(ir.Constant(type, value) for value in values), type))(*values)
    assert raised.value.diagnostic.message == message


@pytest.mark.parametrize("op", PRIMITIVES)
def test_every_operator_raises_for_each_undefined_operand(op):
    for type, count in product([ir.BOOL, ir.CHAR, ir.UNSIGNED, ir.LONG, ir.FLOAT, ir.DOUBLE], (1, 2, 3)):
        result = PRIMITIVES[op].typing([type] * count)
        if result is None:
            continue
        for position in range(count):
            operands = [ir.Constant(type, 1)] * count
            values = [normalised(type, 1)] * count
            values[position] = Undefined(ir.Undef(type, "x"))
            with pytest.raises(ProgramError, match="`x` is used uninitialised"):
                operation(ir.Primitive(op, tuple(operands), result))(*values)


@pytest.mark.parametrize("source", TYPES, ids=str)
def test_every_conversion_raises_for_an_undefined_operand(source):
    for target in TYPES:
        with pytest.raises(ProgramError, match="`x` is used uninitialised"):
            conversion(source, target)(Undefined(ir.Undef(source, "x")))


# ---------------------------------------------------------------------------------------------- constant operands


@pytest.mark.parametrize(
    ("op", "operands", "type", "value"),
    [
        ("+", [ir.Constant(ir.INT, 2**31 - 1), ir.Constant(ir.INT, 1)], ir.INT, -(2**31)),
        ("<", [ir.Constant(ir.INT, 1), ir.Constant(ir.INT, 2)], ir.BOOL, True),
        ("convert", [ir.Constant(ir.DOUBLE, 0.1)], ir.FLOAT, 0.10000000149011612),
        ("/", [ir.Constant(ir.FLOAT, 1.0), ir.Constant(ir.FLOAT, 3.0)], ir.FLOAT, 0.3333333432674408),
        ("!", [ir.Constant(ir.BOOL, True)], ir.BOOL, False),
    ],
)
def test_constants_are_folded(op: str, operands: list[ir.Value], type: ir.Scalar, value: object) -> None:
    folded = fold(ir.Primitive(op, tuple(operands), type))
    assert folded
    assert (folded.type, folded.value) == (type, value)


@pytest.mark.parametrize(
    ("op", "operands"),
    [
        ("/", [ir.Constant(ir.INT, 1), ir.Constant(ir.INT, 0)]),
        ("%", [ir.Constant(ir.INT, -(2**31)), ir.Constant(ir.INT, -1)]),
        ("+", [ir.Constant(ir.INT, 1), ir.Parameter(ir.INT, "x")]),
        ("+", [ir.Undef(ir.INT, "x"), ir.Constant(ir.INT, 1)]),
    ],
)
def test_operations_that_trap_or_have_unknown_operands_are_not_folded(op: str, operands: list[ir.Value]) -> None:
    assert fold(ir.Primitive(op, tuple(operands), ir.INT)) is None


EXPANSIONS = [
    *((op, row.expansion, "any type") for op, row in PRIMITIVES.items() if row.expansion),
    ("abs", magnitude, "integer"),
    ("neg", negated, "integer"),
    ("neg", negated, "float"),
    ("<<", multiplied, "integer"),
    ("^", exclusive, "bool"),
    ("==", equivalent, "bool"),
    *((op, widened(op, ir.LONG), "bool") for op in ("<", "<=", ">", ">=")),
]


@pytest.mark.parametrize(("op", "expansion", "kind"), EXPANSIONS, ids=str)
def test_an_expansion_has_the_result_of_the_operation(op, expansion, kind):
    count = 0
    for form in primitives_on(TYPES, TYPES):
        types = [operand.type for operand in form.operands if isinstance(operand.type, ir.Scalar)]
        if form.op == op and kind in ("any type", types[0].kind) and types[-1] in (types[0], ir.INT):
            for operands in product(*map(edge_values, types)):
                [expanded] = steps(ir.Primitive(op, operands, form.type), {op: lambda _: expansion})
                assert isinstance(expanded, ir.Primitive)
                results = map(fold, (expanded, ir.Primitive(op, operands, form.type)))
                first, second = (constant_key(each) for each in results if each)
                assert first == second, (form.type, operands)
                count += 1
    assert count > 3
