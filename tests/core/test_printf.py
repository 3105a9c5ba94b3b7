"""C's printf: single cases by hand, and as many as hypothesis finds against the C library."""

import io
import math

import pytest

from cpsconv.core.operations.printing import Printing
from cpsconv.core.operations.runtime_errors import ProgramError


def printed(format, *arguments):
    """The bytes that printf writes, and its result."""
    output = io.BytesIO()
    result = Printing(output, io.BytesIO()).print(format, *arguments)
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
    assert (Printing(stream, stream).print(format, *arguments), stream.size) == (result, size)
    assert stream.longest <= 1 << 18
