"""What the operations compute, against gcc for every type and for the values where something happens."""

import math
import subprocess
from itertools import product

import pytest

from cpsconv.evaluate import RuntimeFault
from cpsconv.evaluate.faults import Undefined
from cpsconv.evaluate.operations import conversion, int_to_float, normalised, operation
from cpsconv.ir import BOOL, DOUBLE, FLOAT, INT, LONG, SCALARS, STRING, UNSIGNED, Constant, Primitive, Undef
from cpsconv.primitives import CONVERT, PRIMITIVES
from tests.gcc import compile_c, needs_gcc

TYPES = [type for type in SCALARS.values() if type is not STRING]
FLOATING = [0.0, -0.0, 0.5, -1.75, 3.0, 1e10, 16777217.0, 3e9, 9.3e18, -9.3e18, 2.0**64, 1e39, 5e-324, 3.4028235677973366e38]
FLOATING += [math.inf, -math.inf, math.nan]


def interesting(type):
    """Values at and around the ends of a type's range, and some between."""
    if type is BOOL:
        return [False, True]
    if type.kind == "float":
        return list(dict.fromkeys(normalised(type, value) for value in FLOATING))
    top = 1 << (type.bits - 1)
    numbers = [0, 1, 2, 7, -1, -3, top - 1, top, top + 1, 16777217, 0x7FFFFFBFFFFFFFFF, 0x7FFFFFC000000001]
    return list(dict.fromkeys(normalised(type, number) for number in numbers))


def computed(op, type, *values, to=None):
    """The value of the primitive, or None where it traps."""
    operands = tuple(Constant(type, value) for value in values)
    result = to or PRIMITIVES[op].rule([type] * len(values))
    try:
        return operation(Primitive(op, operands, result))(*values)
    except RuntimeFault:
        return None


def in_c(type, value):
    """The value as a C expression."""
    if type.kind != "float":
        return f"({c_name(type)}){int(value) & 2**64 - 1}UL"
    if math.isfinite(value):
        return value.hex()
    return f"{'-' * (value < 0)}__builtin_{'nan' if math.isnan(value) else 'inf'}({'""' * math.isnan(value)})"


def c_name(type):
    return "_Bool" if type is BOOL else type.name


def as_line(value):
    """How the C program prints the value: integers as 64 bits, floating numbers exactly."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "%016x" % (bits_of(value))
    return "%016x" % (value & 2**64 - 1)


def bits_of(value):
    import struct

    return struct.unpack("Q", struct.pack("d", value))[0]


PRELUDE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void whole(long x) { printf("%016lx\n", x); }
static void real(double x) {
  long bits;
  memcpy(&bits, &x, sizeof bits);
  if (x != x) puts("nan"); else printf("%016lx\n", bits);
}
"""


def by_gcc(cases, folder):
    """The lines that gcc's code prints for cases (expression with {} for operands, operands' type, result's, values)."""
    functions: dict[tuple, str] = {}
    calls = []
    for expression, type, result, values in cases:
        name = functions.setdefault((expression, type, result), f"f{len(functions)}")
        show = "real" if result.kind == "float" else "whole"
        calls.append(f"  {show}({name}({', '.join(in_c(type, value) for value in values)}));")
    definitions = [
        f"static {c_name(result)} {name}({c_name(type)} a, {c_name(type)} b) {{ return {expression}; }}"
        for (expression, type, result), name in functions.items()
    ]
    program = "\n".join([PRELUDE, *definitions, "int main(void) {", *calls, "}", ""])
    executable = compile_c(program, folder, "-w")
    return subprocess.run([executable], capture_output=True, check=True, text=True).stdout.split("\n")[:-1]
