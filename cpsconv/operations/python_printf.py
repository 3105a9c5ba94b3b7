"""C's printf in Python: the text of each directive of a format.

The evaluator imports these functions, and emitted Python has copies of them, so the text follows the rules that
`cpsconv.operations.python_arithmetic` states. `cpsconv.operations.formats` adds the types of the arguments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from cpsconv.operations.python_arithmetic import wrapped
from cpsconv.operations.runtime_errors import FormatError

# Flags, width, precision, length and conversion. (An unknown conversion may be
# a character of several bytes.)
DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|[0-9]*)"
    r"(?:\.(?P<precision>\*|[0-9]*))?(?P<length>hh|h|ll|l|j|z|t|L|)"
    r"(?P<conversion>[\xc2-\xf4][\x80-\xbf]+|.?)",
    re.DOTALL,
)


# The size of an integer in bits, by length modifier.
SIZES = {"": 32, "hh": 8, "h": 16, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}


# The length modifiers of each conversion.
LENGTHS = {
    **dict.fromkeys("diouxX", SIZES),  # integers
    **dict.fromkeys("fFeEgGaA", ("", "l")),
    **dict.fromkeys("cs", ("",)),
}


def c_string(text: str) -> str:
    """The text up to its first zero byte, where a C string ends."""
    return text.partition("\0")[0]


def formatted(format: str, arguments: Sequence[Any]) -> str:
    """The text that printf writes."""
    text, rest = c_string(format), iter(arguments)
    return DIRECTIVE.sub(lambda m: shown(m.group(0, 1, 2, 3, 4, 5), rest), text)


def shown(directive: Sequence[Any], rest: Iterator[Any]) -> str:
    """The text of a directive with its parts; it takes arguments from `rest`."""
    written, flags, width, precision, length, conversion = directive
    if written == "%%":
        return "%"
    if length not in LENGTHS.get(conversion, ()):
        unsupported = "is not a conversion that is supported"
        raise FormatError(f"`{written}` in a printf format {unsupported}")
    width = width_or_precision(width, written, rest)
    precision = width_or_precision(precision, written, rest)
    if max(abs(width), precision) > 1000000:
        raise FormatError(f"the width or precision of `{written}` is too large")
    prefix, text, zeros = "", "", False
    if conversion == "s":
        text = c_string(next_argument(str, written, rest))
        text = text if precision < 0 else text[:precision]
    elif conversion == "c":
        text = chr(next_argument(int, written, rest) % 256)
    elif conversion in "diouxX":
        n = next_argument(int, written, rest)
        limit = 2 ** SIZES[length]
        n = wrapped(n, -limit // 2 if conversion in "di" else 0, limit)
        prefix, text = integer_shown(n, conversion, flags, precision)
        zeros = precision < 0
    else:
        x = next_argument(float, written, rest)
        prefix, text = float_shown(x, conversion, flags, precision)
        zeros = math.isfinite(x)
    if conversion.isupper():
        prefix, text = prefix.upper(), text.upper()
    if "-" in flags or width < 0:
        return (prefix + text).ljust(abs(width))
    if "0" in flags and zeros:
        return prefix + text.rjust(width - len(prefix), "0")
    return (prefix + text).rjust(width)


def width_or_precision(digits: str | None, written: str, rest: Iterator[Any]) -> int:
    """A number of characters or digits; negative where there is none."""
    if digits is None:
        return -1
    if digits == "*":
        return wrapped(next_argument(int, written, rest), -(2**31), 2**32)
    return int(digits.lstrip("0")[:10] or 0)  # ten digits exceed the limit


def next_argument(kind: type, written: str, rest: Iterator[Any]) -> Any:
    """The next argument, which must be of the kind."""
    for value in rest:
        if isinstance(value, kind):
            return value
        noun = {int: "an integer", float: "a double", str: "a string"}[kind]
        raise FormatError(f"`{written}` in a printf format needs {noun}")
    raise FormatError(f"`{written}` in a printf format has no argument")


def integer_shown(n: int, conversion: str, flags: str, precision: int) -> tuple[str, str]:
    """The sign or base, and the digits."""
    base = conversion.lower() if conversion in "oxX" else "d"
    text = format(abs(n), base).rjust(precision, "0") if n or precision else ""
    if conversion in "di":
        return sign_shown(n < 0, flags), text
    if "#" in flags and base == "o" and not text.startswith("0"):
        text = "0" + text
    return "0x" if "#" in flags and base == "x" and n else "", text


def float_shown(x: float, conversion: str, flags: str, precision: int) -> tuple[str, str]:
    """The sign, and the magnitude."""
    sign = sign_shown(math.copysign(1.0, x) < 0, flags)
    if not math.isfinite(x):
        return sign, str(abs(x))
    if conversion in "aA":
        return sign + "0x", hexadecimal_float(abs(x), flags, precision)
    form = "#." if "#" in flags else "."
    form += "6" if precision < 0 else str(precision)
    return sign, format(abs(x), form + conversion.lower())


def sign_shown(negative: bool, flags: str) -> str:
    """The sign of a number."""
    if negative:
        return "-"
    return "+" if "+" in flags else " " if " " in flags else ""


def hexadecimal_float(x: float, flags: str, precision: int) -> str:
    """``1.8p+0`` for 1.5: a fraction, exact without a precision, and an exponent."""
    mantissa, _, exponent = x.hex().removeprefix("0x").partition("p")
    exact = int(mantissa.replace(".", "").ljust(14, "0"), 16)
    count = 13 if precision < 0 else min(precision, 13)
    digits = format(round(exact / 16 ** (13 - count)), f"0{count + 1}x")
    point = len(digits) - count
    fraction = digits[point:].ljust(precision, "0")
    if precision < 0:
        fraction = fraction.rstrip("0")
    separator = "." if fraction or "#" in flags else ""
    return f"{digits[:point]}{separator}{fraction}p{exponent}"
