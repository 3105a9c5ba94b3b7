"""The numbers of type `long double`: their arithmetic, conversions and texts are those of gcc's programs."""

from __future__ import annotations

import math
import random
import struct
import subprocess
from pathlib import Path

import pytest

from cpsconv.core.floating import LongDouble
from cpsconv.core.ir import LONG_DOUBLE, Constant, Data, Program
from cpsconv.core.operations.python_arithmetic import long_double_to_float, truncated
from cpsconv.core.operations.python_formats import shown_float
from cpsconv.core.source import Source
from cpsconv.core.text import parse, pretty
from cpsconv.core.text.spelling import literal_text, read_number
from testing.gcc import compile_c, needs_gcc

SPECIAL = [LongDouble.of(each) for each in (0.0, -0.0, 1, math.inf, -math.inf, math.nan, -math.nan)]
SPECIAL += [LongDouble(False, 0, 1), LongDouble(True, 1, 1 << 63), LongDouble(False, 0x7FFE, 2**64 - 1)]

FORMATS = [
    ("f", "", 6),
    ("e", "", 15),
    ("g", "", 10),
    ("e", "", 0),
    ("g", "#", 3),
    ("a", "", -1),
    ("a", "", 3),
    ("g", "", 21),
]

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
static void show(void *bytes, int size) {
  while (size-- > 0) printf("%02x", ((unsigned char *)bytes)[size]);
  printf(" ");
}
static void extended(long double x) { show(&x, 10); }
int main(void) {
  long double x = 0, y = 0;
  while (fread(&x, 16, 1, stdin) == 1 && fread(&y, 16, 1, stdin) == 1) {
    extended(x + y), extended(x - y), extended(x * y), extended(x / y);
    double d = x;
    float f = x;
    show(&d, 8), show(&f, 4);
    printf("%d%d%d%d%d %ld %d|", x < y, x <= y, x == y, x > y, x >= y, (long)x, (int)x);
    printf("%.6Lf|%.15Le|%.10Lg|%.0Le|%#.3Lg|%La|%.3La|%.21Lg\n", x, x, x, x, x, x, x, x);
  }
}
"""


def any_number(source: random.Random) -> LongDouble:
    """A number, often one that is special, exact in fewer bits, or near the bounds of a type."""
    if source.random() < 0.15:
        return source.choice(SPECIAL)
    significands = [source.getrandbits(63), source.getrandbits(20) << 43, 1 << source.randrange(63)]
    significand = 1 << 63 | source.choice([*significands, 2**63 - 1 - source.getrandbits(source.choice([1, 11, 40]))])
    if source.random() < 0.05:
        return LongDouble(source.random() < 0.5, 0, significand >> source.randint(1, 63))
    near = source.choice([0, 0, 0, 62, -1022, -1050, -126, -140, 127, 1023])
    exponents = [16383 + near + source.randint(-5, 5), 16383 + source.randint(-70, 70), source.randint(1, 0x7FFE)]
    return LongDouble(source.random() < 0.5, source.choice(exponents), significand)


def in_hexadecimal(number: LongDouble) -> str:
    """The bytes of a number, the last one first."""
    return number.to_bytes()[9::-1].hex()


def line(x: LongDouble, y: LongDouble) -> str:
    """What the program prints for two numbers."""
    parts = [in_hexadecimal(each) for each in (x + y, x - y, x * y, x / y)]
    parts += [struct.pack(">d", float(x)).hex(), struct.pack(">f", long_double_to_float(x)).hex()]
    parts.append("".join(str(int(each)) for each in (x < y, x <= y, x == y, x > y, x >= y)))
    parts.append(f"{truncated(x, 64)} {truncated(x, 32)}|")  # type: ignore[arg-type]
    shown = (shown_float(letter, flags, 0, precision, x) for letter, flags, precision in FORMATS)  # type: ignore[arg-type]
    return " ".join(parts) + "|".join(shown)


@needs_gcc
def test_arithmetic_conversions_and_texts_are_those_of_gcc(tmp_path: Path) -> None:
    source = random.Random(1)
    pairs = [(any_number(source), any_number(source)) for _ in range(3000)]
    given = b"".join(each.to_bytes() for pair in pairs for each in pair)
    executable = compile_c(PROGRAM, tmp_path, "-w")
    printed = subprocess.run([executable], input=given, capture_output=True, check=True).stdout.decode()
    assert [line(*pair) for pair in pairs] == printed.splitlines()


def test_literals_are_read_back_exactly() -> None:
    source = random.Random(2)
    for number in [any_number(source) for _ in range(300)]:
        text = literal_text(Constant(LONG_DOUBLE, number))
        read = read_number(text.lstrip("-"), text.startswith("-")).value
        assert isinstance(read, LongDouble)
        assert in_hexadecimal(read) == in_hexadecimal(number) == in_hexadecimal(LongDouble.parse(number.hex()))


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("0.1", "0.1L"),
        ("0x1p-1", "0.5L"),
        ("1e5000", "infL"),
        ("-nan", "-nanL"),
        ("1e-99999999999", "0L"),
        ("3", "3L"),
        (f"{0:09000}.5{0:09000}", "0.5L"),
    ],
)
def test_the_shortest_literal_is_written(text: str, literal: str) -> None:
    assert literal_text(Constant(LONG_DOUBLE, LongDouble.parse(text))) == literal


def test_the_content_of_data_may_end_within_a_number() -> None:
    data = Data("x", LONG_DOUBLE, b"\1\0\0\1\0\xff")
    program = parse(Source("data.cps", pretty(Program([], data=[data]))))
    assert [each.content.rstrip(b"\0") for each in program.data] == [data.content]
