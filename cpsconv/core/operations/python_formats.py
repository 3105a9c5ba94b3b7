"""The texts that formats write for values, in Python.

The evaluator imports these functions, and emitted Python has copies of them, so the text follows the rules that
`cpsconv.core.operations.python_arithmetic` states. `cpsconv.core.operations.formats` parses formats. A `width` is 0 and
a `precision` negative if missing; a negative width pads on the right.
"""

from __future__ import annotations

import math


def before_zero(text: str) -> str:
    """The text up to its first zero byte, where a string ends."""
    return text.partition("\0")[0]


def shown_string(flags: str, width: int, precision: int, text: str) -> str:
    """The text of ``%s``."""
    text = before_zero(text)
    return padded(flags, width, "", text if precision < 0 else text[:precision], False)


def shown_pointer(flags: str, width: int, precision: int, pointer: int) -> str:
    """The text of ``%p``, ``(nil)`` for null, or the number in base 16."""
    if pointer == 0:
        return padded(flags, width, "", "(nil)", False)
    prefix, text = integer_shown(pointer, "x", "#", precision)
    return padded(flags, width, sign_shown(False, flags) + prefix, text, precision < 0)


def shown_character(flags: str, width: int, code: int) -> str:
    """The text of ``%c``."""
    return padded(flags, width, "", chr(code), False)


def shown_integer(conversion: str, flags: str, width: int, precision: int, n: int) -> str:
    """The text of an integer in the range of its type."""
    prefix, text = integer_shown(n, conversion, flags, precision)
    if conversion == "X":
        prefix, text = prefix.upper(), text.upper()
    return padded(flags, width, prefix, text, precision < 0)


def shown_float(conversion: str, flags: str, width: int, precision: int, x: float) -> str:
    """The text of a floating number."""
    prefix, text = float_shown(x, conversion, flags, precision)
    if conversion.isupper():
        prefix, text = prefix.upper(), text.upper()
    return padded(flags, width, prefix, text, x - x == 0)


def padded(flags: str, width: int, prefix: str, text: str, zeros: bool) -> str:
    """The text with its prefix, such as a sign. Zeros are between them if `zeros` and the flags allow that."""
    if "-" in flags or width < 0:
        return (prefix + text).ljust(abs(width))
    if "0" in flags and zeros:
        return prefix + text.rjust(width - len(prefix), "0")
    return (prefix + text).rjust(width)


def integer_shown(n: int, conversion: str, flags: str, precision: int) -> tuple[str, str]:
    """The sign or base, and the digits."""
    is_decimal = conversion not in "oxX"
    digits = decimal_text(abs(n)) if is_decimal else f"{abs(n):{conversion.lower()}}"
    text = digits.rjust(precision, "0") if n or precision else ""
    if conversion in "di":
        return sign_shown(n < 0, flags), text
    if "#" in flags and conversion == "o" and not text.startswith("0"):
        text = "0" + text
    return "0x" if "#" in flags and conversion in "xX" and n else "", text


def decimal_text(n: int) -> str:
    """The decimal digits. Python itself refuses to write very long ones."""
    if n.bit_length() < 13000:
        return str(n)
    count = abs(n).bit_length() * 3 // 20  # half of the digits
    high, low = divmod(abs(n), 10**count)
    return "-" * (n < 0) + decimal_text(high) + decimal_text(low).rjust(count, "0")


def decimal_number(digits: str) -> int:
    """The number with these digits, after a sign or not. Python itself refuses to read very long ones."""
    if digits.startswith("-"):
        return -decimal_number(digits[1:])
    if len(digits) <= 4000:
        return int(digits)
    count = len(digits) // 2
    high, low = decimal_number(digits[:-count]), decimal_number(digits[-count:])
    return high * int(10**count) + low


def float_shown(x: float, conversion: str, flags: str, precision: int) -> tuple[str, str]:
    """The sign, and the magnitude."""
    sign = sign_shown(math.copysign(1.0, x) < 0, flags)
    if x - x != 0:
        return sign, str(abs(float(x)))
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
    places = max(13, len(mantissa) - 2)  # 15 for a `long double`
    count = places if precision < 0 else min(precision, places)
    exact = int(mantissa.replace(".", "").ljust(places + 1, "0"), 16)
    unit = 16 ** (places - count)
    nearest, rest = divmod(exact, unit)
    nearest += 2 * rest > unit or (2 * rest == unit and nearest % 2 > 0)
    if nearest == 16 ** (count + 1):
        nearest, exponent = 16**count, f"{int(exponent) + 4:+}"
    digits = format(nearest, f"0{count + 1}x")
    point = len(digits) - count
    fraction = digits[point:].ljust(precision, "0")
    if precision < 0:
        fraction = fraction.rstrip("0")
    separator = "." if fraction or "#" in flags else ""
    return f"{digits[:point]}{separator}{fraction}p{exponent}"
