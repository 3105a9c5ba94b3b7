"""C's printf: single cases by hand, and as many as hypothesis finds against the C library."""

import io
import math
import subprocess
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cpsconv.core.operations.printing import Pointer
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.engines.machine.system import Effects
from testing.effort import examples
from testing.gcc import compile_c, needs_gcc


def printed(format, *arguments):
    """The bytes that printf writes, and its result."""
    output = io.BytesIO()
    result = Effects(output, io.BytesIO()).print(format, *arguments)
    return output.getvalue(), result


@pytest.mark.parametrize(
    ("format", "arguments", "expected"),
    [
        ("plain", (), b"plain"),
        ("%d%%", (50,), b"50%"),
        ("%5d|%-5d|%05d", (42, 42, 42), b"   42|42   |00042"),
        ("%+d % d", (7, 7), b"+7  7"),
        ("%.3d|%5.3d|%.0d", (7, -7, 0), b"007| -007|"),
        ("%u", (-1,), b"4294967295"),
        ("%d", (2**32 + 5,), b"5"),
        ("%hhd %hd %ld", (300, 70000, -(2**63)), b"44 4464 -9223372036854775808"),
        ("%lu %llx", (-1, -1), b"18446744073709551615 ffffffffffffffff"),
        ("%#x %#X %#o %#x", (255, 255, 8, 0), b"0xff 0XFF 010 0"),
        ("%c%c", (72, 256 + 105), b"Hi"),
        ("%c", (233,), b"\xe9"),
        ("%s|%5s|%-5s|%.2s", ("abc",) * 4, b"abc|  abc|abc  |ab"),
        ("%s", ("cut\0off",), b"cut"),
        ("cut\0%d", (), b"cut"),
        ("%*d|%-*d|%*d", (4, 1, 4, 1, -4, 1), b"   1|1   |1   "),
        ("%.*f|%.*f", (1, 2.25, -1, 2.25), b"2.2|2.250000"),
        ("%f %.0f %#.0f", (1.5, 2.5, 2.5), b"1.500000 2 2."),
        ("%e %.2E", (12345.678, 0.0), b"1.234568e+04 0.00E+00"),
        ("%g %g %g %#g", (100000.0, 1e6, 0.0001, 1.0), b"100000 1e+06 0.0001 1.00000"),
        ("%a %a %.1a %A", (1.0, 0.0, 1.97, -0.5), b"0x1p+0 0x0p+0 0x2.0p+0 -0X1P-1"),
        ("%f %F %5.1f|%05f", (math.inf, -math.inf, math.inf, math.inf), b"inf -INF   inf|  inf"),
        ("%f %f", (math.nan, -math.nan), b"nan -nan"),
        ("%08.2f", (-3.14159,), b"-0003.14"),
        ("%d", (1, 2), b"1"),
        ("%d", (True,), b"1"),
    ],
)
def test_a_format_is_printed_as_in_c(format, arguments, expected):
    assert printed(format, *arguments) == (expected, len(expected))


@pytest.mark.parametrize(
    ("format", "arguments", "complaint"),
    [
        ("%d %d", (1,), "`%d` in a printf format has no argument"),
        ("%5.*f", (1.0,), "`%5.*f` in a printf format needs an integer"),
        ("%d", (1.0,), "`%d` in a printf format needs an integer"),
        ("%f", (1,), "`%f` in a printf format needs a double"),
        ("%s", (1,), "`%s` in a printf format needs a string"),
        ("%y", (1,), "`%y` in a printf format is not a conversion that is supported"),
        ("%hs", ("",), "`%hs` in a printf format is not a conversion that is supported"),
        ("%5%", (), "`%5%` in a printf format is not a conversion that is supported"),
        ("%Lf", (1.0,), "`%Lf` in a printf format needs a long double"),
        ("%Ld", (1,), "`%Ld` in a printf format is not a conversion that is supported"),
        ("100%", (), "`%` in a printf format is not a conversion that is supported"),
    ],
)
def test_undefined_behaviour_in_c_is_a_runtime_error(format, arguments, complaint):
    with pytest.raises(ProgramError) as raised:
        printed(format, *arguments)
    assert raised.value.diagnostic.message == complaint


LONG = 70_000


@pytest.mark.parametrize(
    ("format", "arguments", "expected"),
    [
        ("%*d|", (LONG, -7), b"%s-7|" % (b" " * (LONG - 2))),
        ("%*d|", (-LONG, -7), b"-7%s|" % (b" " * (LONG - 2))),
        ("%0*d|", (LONG, -7), b"-%s7|" % (b"0" * (LONG - 2))),
        ("%#.*x|", (LONG, 7), b"0x%s7|" % (b"0" * (LONG - 1))),
        ("%-*.*d|", (2 * LONG, LONG, 7), b"%s7%s|" % (b"0" * (LONG - 1), b" " * LONG)),
        ("%*.*d|", (2 * LONG, LONG, 7), b"%s%s7|" % (b" " * LONG, b"0" * (LONG - 1))),
        ("%0*.*e|", (LONG + 100, LONG, -0.5), b"-%s5.%se-01|" % (b"0" * 93, b"0" * LONG)),
        ("%.*g|", (LONG, 0.5), b"0.5|"),
        ("%.*s|", (LONG, "text"), b"text|"),
        ("%.*Zd|", (LONG, 10 ** (2 * LONG)), b"1%s|" % (b"0" * 2 * LONG)),
        (f"%{LONG}s|%s", ("text", "more"), b"%stext|more" % (b" " * (LONG - 4))),
    ],
    ids=lambda each: str(each) if isinstance(each, str) else "",
)
def test_long_paddings_are_printed_as_in_c(format, arguments, expected):
    assert printed(format, *arguments) == (expected, len(expected))


class Counter(io.BytesIO):
    """A stream that counts the bytes, and the longest text."""

    size = longest = 0

    def write(self, data):
        self.size, self.longest = self.size + len(data), max(self.longest, len(data))


@pytest.mark.parametrize(
    ("format", "arguments", "size", "result"),
    [
        ("a%*d", (2_000_000_000, 1), 2_000_000_001, 2_000_000_001),
        ("%.*fa", (2_000_000_000, 0.5), 2_000_000_003, 2_000_000_003),
        ("a%*d%*db", (2_000_000_000, 1, 2_000_000_000, 1), 4_000_000_000, -1),
        ("ab%2147483648dc", (1,), 2, -1),
        (f"ab%.{'9' * 5000}dc", (1,), 2, -1),
    ],
    ids=lambda each: str(each)[:30],
)
def test_a_text_of_which_no_int_is_the_size_has_the_result_of_glibc(format, arguments, size, result):
    stream = Counter()
    assert (Effects(stream, stream).print(format, *arguments), stream.size) == (result, size)
    assert stream.longest <= 1 << 18


class Case(NamedTuple):
    """A directive and its argument, as a value and as C."""

    format: str
    stars: tuple[int, ...]
    value: object
    c: str


def sizes():
    """A width or precision: what the format has, and the argument for a star."""
    small = st.integers(0, 25)
    written = small.map(lambda number: (str(number), ()))
    starred = st.integers(-25, 25).map(lambda number: ("*", (number,)))
    return st.one_of(st.just(("", ())), written, starred)


@st.composite
def directives(draw, flags, conversion):
    """A format up to its conversion, with the arguments of its stars."""
    flag = "".join(draw(st.lists(st.sampled_from(flags), max_size=3)))
    width, precision = draw(sizes()), draw(st.one_of(st.none(), sizes()))
    point = "" if precision is None else "." + precision[0]
    stars = width[1] + (precision[1] if precision else ())
    return f"%{flag}{width[0].lstrip('0')}{point}{conversion}", stars


@st.composite
def integer_cases(draw):
    length = draw(st.sampled_from(["hh", "h", "", "l", "ll", "z", "j", "t"]))
    format, stars = draw(directives("-+ #0", length + draw(st.sampled_from("diuoxX"))))
    bits = 32 if length in ("hh", "h", "") else 64
    value = draw(st.one_of(st.integers(-5, 5), st.integers(-(1 << bits - 1), (1 << bits - 1) - 1)))
    return Case(format, stars, value, f"(int){value}L" if bits == 32 else f"(long){value & 2**64 - 1}UL")


@st.composite
def float_cases(draw):
    format, stars = draw(directives("-+ #0", draw(st.sampled_from(["", "l"])) + draw(st.sampled_from("fFeEgGaA"))))
    moderate = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
    value = draw(st.one_of(st.sampled_from([0.0, -0.0, 0.5, 1.5, 2.5, 1e15]), moderate, st.floats()))
    if math.isfinite(value):
        c = value.hex()
    else:
        c = "-" * (math.copysign(1, value) < 0) + f'__builtin_{"nan" if math.isnan(value) else "inf"}("")'
    return Case(format, stars, value, c.replace('inf("")', "inf()"))


@st.composite
def string_cases(draw):
    format, stars = draw(directives("-", "s"))
    value = draw(st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=30))
    return Case(format, stars, value, c_literal(value))


@st.composite
def character_cases(draw):
    width, stars = draw(sizes())
    value = draw(st.integers(-300, 300))
    return Case(f"%{width}c", stars, value, str(value))


@st.composite
def pointer_cases(draw):
    format, stars = draw(directives("-+ #0", "p"))
    value = draw(st.one_of(st.just(0), st.integers(0, 2**64 - 1)))
    return Case(format, stars, Pointer(value, lambda address, limit: ""), f"(void *){value}UL")


def c_literal(text):
    """A C string literal of these bytes."""
    return '"' + "".join(f"\\{ord(char):03o}" for char in text) + '"'


def c_program(cases):
    """Prints each case, the result of its printf, and a line end."""
    calls = [
        f'  r = printf({", ".join([c_literal(case.format), *map(str, case.stars), case.c])}); printf("=%d\\n", r);'
        for case in cases
    ]
    return "\n".join(["#include <stdio.h>", "int main(void) {", "  int r;", *calls, "}", ""])


@needs_gcc
@settings(max_examples=examples(6), suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(
            *[integer_cases(), integer_cases(), float_cases(), float_cases()],
            *[string_cases(), character_cases(), pointer_cases()],
        ),
        min_size=100,
        max_size=100,
    )
)
def test_formats_are_printed_as_by_the_c_library(tmp_path_factory, cases):
    executable = compile_c(c_program(cases), tmp_path_factory.mktemp("printf"), "-w")
    wanted = subprocess.run([executable], capture_output=True, check=True).stdout
    for case in cases:
        text, result = printed(case.format, *case.stars, case.value)
        line = text + b"=%d\n" % result
        assert wanted[: len(line)] == line, case
        wanted = wanted[len(line) :]
    assert wanted == b""
