"""C's printf: single cases by hand, and as many as hypothesis finds against the C library."""

import math
import subprocess
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cpsconv.core.operations.printing import Pointer
from testing.effort import is_full
from testing.gcc import compile_c, needs_gcc
from tests.core.test_printf import printed


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
@settings(max_examples=6 if is_full() else 2, suppress_health_check=list(HealthCheck))
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
