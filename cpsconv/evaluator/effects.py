"""What each effect does. Output is bytes: a string holds one character for each byte."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cpsconv.ir import DOUBLE, INT, STRING, Scalar
from cpsconv.operations.formats import PrintText, PrintValue, c_string, print_effects
from cpsconv.operations.runtime_errors import FormatError, defined
from cpsconv.operations.types import wrap


class ByteStream(Protocol):
    """Where bytes are written to: a binary file, `io.BytesIO`, ``sys.stdout.buffer``."""

    def write(self, data: bytes, /) -> object:
        """Take the bytes."""

    def flush(self) -> object:
        """Pass on all that was written."""


class Effects:
    """The effects of one run, on its two streams."""

    def __init__(self, output: ByteStream, errors: ByteStream) -> None:
        self._output = output
        self._errors = errors

    def action(self, op: str) -> Callable[..., Any]:
        """The function from the operands of the effect `op` to its result."""
        actions: dict[str, Callable[..., Any]] = {
            "printf": self.printf,
            "puts": self.puts,
            "putchar": self.putchar,
            "eprint": self.eprint,
        }
        return actions[op]

    def printf(self, format: str, *arguments: Any) -> int:
        """C's printf. The result is the number of bytes written."""
        text = formatted(format, [defined(argument) for argument in arguments])
        self._output.write(text.encode("latin-1"))
        return len(text)

    def puts(self, text: str) -> int:
        """Write a line. As with glibc, the result is the number of bytes written."""
        return self.printf("%s\n", text)

    def putchar(self, code: int) -> int:
        """Write a byte, the lowest eight bits of the operand; these are the result."""
        byte = defined(code) & 0xFF
        self._output.write(bytes((byte,)))
        return int(byte)

    def eprint(self, text: str) -> None:
        """Write to standard error, after everything written so far."""
        self._output.flush()
        self._errors.write(c_string(defined(text)).encode("latin-1"))


_LARGEST = 1_000_000  # a width or precision; C promises 4095 characters for a conversion


def formatted(format: str, arguments: Sequence[Any]) -> str:
    """What printf writes. The arguments are of promoted types: integers, doubles, strings; too many do no harm.

    Raises `FormatError` for what C leaves undefined: an argument missing or of the wrong kind, an unknown conversion.
    """
    taken = _Arguments(arguments)
    return "".join(
        effect.text if isinstance(effect, PrintText) else _shown(effect, taken) for effect in print_effects(format)
    )


def _shown(effect: PrintValue, arguments: _Arguments) -> str:
    if effect.type is None:
        raise FormatError(f"`{effect.directive}` in a printf format is not a conversion that is supported")
    return _converted(arguments.directive(effect), effect, arguments)


@dataclass(frozen=True, slots=True)
class _Directive:
    """One ``%…`` of a format, with the values of its stars filled in."""

    flags: str
    width: int
    precision: int | None
    conversion: str

    def padded(self, prefix: str, body: str, *, zeros: bool = False) -> str:
        """Fill to the width; with zeros, between prefix and body, where the flags say so and it is allowed."""
        if "-" in self.flags:
            return (prefix + body).ljust(self.width)
        if zeros and "0" in self.flags:
            return prefix + body.rjust(self.width - len(prefix), "0")
        return (prefix + body).rjust(self.width)

    def sign(self, negative: bool) -> str:
        """What stands before a signed number."""
        return "-" if negative else "+" if "+" in self.flags else " " if " " in self.flags else ""


class _Arguments:
    """The arguments of a printf, taken one after the other."""

    def __init__(self, arguments: Sequence[Any]) -> None:
        self._rest: Iterator[Any] = iter(arguments)

    def directive(self, effect: PrintValue) -> _Directive:
        """The directive of the effect; its stars take their arguments."""
        text = effect.directive
        width = self._number(text, effect.width) or 0
        precision = self._number(text, effect.precision)
        flags = effect.flags + ("-" if width < 0 else "")
        if precision is not None and precision < 0:
            precision = None
        if max(abs(width), precision or 0) > _LARGEST:
            raise FormatError(f"the width or precision of `{text}` is too large")
        return _Directive(flags, abs(width), precision, effect.conversion)

    def _number(self, text: str, written: str | None) -> int | None:
        """A width or precision; a precision of no digits is 0."""
        if written is None:
            return None
        if written == "*":
            return self.integer(text, INT)
        return int(written.lstrip("0")[:10] or 0)  # ten digits are too many already

    def integer(self, text: str, type: Scalar) -> int:
        """The next argument, converted to the type."""
        value = self._next(text)
        if not isinstance(value, int):
            raise FormatError(f"`{text}` in a printf format needs an integer")
        return wrap(type, value)

    def double(self, text: str) -> float:
        """The next argument, which must be a double."""
        value = self._next(text)
        if not isinstance(value, float):
            raise FormatError(f"`{text}` in a printf format needs a double")
        return value

    def string(self, text: str) -> str:
        """The next argument, which must be a string."""
        value = self._next(text)
        if not isinstance(value, str):
            raise FormatError(f"`{text}` in a printf format needs a string")
        return c_string(value)

    def _next(self, text: str) -> Any:
        for value in self._rest:
            return value
        raise FormatError(f"`{text}` in a printf format has no argument")


def _converted(directive: _Directive, effect: PrintValue, arguments: _Arguments) -> str:
    text, type = effect.directive, effect.shown_type
    assert type
    if type is STRING:
        return directive.padded("", arguments.string(text)[: directive.precision])
    if type is DOUBLE:
        return _float(directive, arguments.double(text))
    value = arguments.integer(text, type)
    return directive.padded("", chr(value)) if effect.conversion == "c" else _integer(directive, value, type.signed)


def _integer(directive: _Directive, value: int, signed: bool) -> str:
    base = directive.conversion if directive.conversion in "oxX" else "d"
    digits = format(abs(value), base)
    if directive.precision is not None:
        digits = digits.rjust(directive.precision, "0") if value or directive.precision else ""
    prefix = directive.sign(value < 0) if signed else ""
    if "#" in directive.flags:
        if base == "o" and not digits.startswith("0"):
            digits = "0" + digits
        elif base != "d" and base != "o" and value:
            prefix = "0" + base
    return directive.padded(prefix, digits, zeros=directive.precision is None)


def _float(directive: _Directive, value: float) -> str:
    conversion = directive.conversion
    sign = directive.sign(math.copysign(1.0, value) < 0)
    alternate = "#" in directive.flags
    magnitude = abs(value)
    if not math.isfinite(value):
        text = str(magnitude)
    elif conversion in "aA":
        sign, text = sign + "0x", _hexadecimal(magnitude, directive.precision, alternate)
    else:
        precision = 6 if directive.precision is None else directive.precision
        text = format(magnitude, f"{'#' if alternate else ''}.{precision}{conversion.lower()}")
    if conversion.isupper():
        sign, text = sign.upper(), text.upper()
    return directive.padded(sign, text, zeros=math.isfinite(value))


_FRACTION_DIGITS = 13  # hexadecimal ones, of a double


def _hexadecimal(magnitude: float, precision: int | None, alternate: bool) -> str:
    """``1.8p+0`` for 1.5: a hexadecimal fraction and an exponent of 2.

    The fraction has `precision` digits, rounded; or as few as are exact.
    """
    digits, _, exponent = magnitude.hex().removeprefix("0x").partition("p")
    leading, _, fraction = digits.partition(".")
    mantissa = int(leading + fraction.ljust(_FRACTION_DIGITS, "0"), 16)
    if precision is None:
        fraction = fraction.rstrip("0")
    else:
        mantissa = _rounded(mantissa, max(0, _FRACTION_DIGITS - precision))
        kept = min(precision, _FRACTION_DIGITS)
        leading = format(mantissa >> 4 * kept, "x")
        fraction = (format(mantissa, "x")[-kept:] if kept else "").rjust(kept, "0").ljust(precision, "0")
    point = "." if fraction or alternate else ""
    return f"{leading}{point}{fraction}p{exponent}"


def _rounded(number: int, dropped: int) -> int:
    """The number without its last `dropped` hexadecimal digits, rounded to even."""
    unit = 1 << 4 * dropped
    quotient, rest = divmod(number, unit)
    return quotient + (2 * rest > unit or (2 * rest == unit and quotient % 2))
