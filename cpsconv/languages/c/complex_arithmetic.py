"""Complex arithmetic (C17 Annex G) by operations on the parts, as gcc computes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from cpsconv.core.floating import LongDouble, Real, is_finite
from cpsconv.core.ir import DOUBLE, LONG_DOUBLE, Scalar
from cpsconv.core.operations.python_arithmetic import to_float
from cpsconv.languages.c.syntax.literals import rounded_to_odd

if TYPE_CHECKING:
    from fractions import Fraction

Parts = list[Any]
"""The real and the imaginary part of a number: values of a program, or numbers."""


def combined(op: str, left: Any, right: Any, compute: Callable[..., Any]) -> Parts:
    """``left op right`` for ``+ - *``, and for ``/`` by a real number. `compute` is the operation on parts.

    A real operand is not converted, so that the signs of zeros, and infinities remain (C17 G.5.1). The parts of a
    product may be NaN where `__muldc3` of libgcc finds an infinity.
    """
    if not isinstance(right, list):
        real, imaginary = left
        return [compute(op, real, right), compute(op, imaginary, right) if op in "*/" else imaginary]
    if not isinstance(left, list):
        real, imaginary = right
        if op != "+":
            imaginary = compute("*", left, imaginary) if op == "*" else compute("neg", imaginary)
        return [compute(op, left, real), imaginary]
    (a, b), (c, d) = left, right
    if op != "*":
        return [compute(op, a, c), compute(op, b, d)]
    real = compute("-", compute("*", a, c), compute("*", b, d))
    return [real, compute("+", compute("*", a, d), compute("*", b, c))]


def rounded_once(type: Scalar, op: str, left: Parts, right: Parts, ordinary: Parts) -> Parts | None:
    """The product or quotient of constants, whose exact parts are rounded; None if an operand or divisor excludes that.

    Zeros have the signs of the `ordinary` product, or numerator of the quotient.
    """
    if not all(map(is_finite, left + right)) or (op == "/" and not any(right)):
        return None
    parts = _exact(op, *(list(map(_fraction, each)) for each in (left, right)))
    return [_nearest(type, each) if each or known else known for each, known in zip(parts, ordinary, strict=True)]


def _exact(op: str, left: Parts, right: Parts) -> Iterator[Fraction]:
    (a, b), (c, d) = left, right
    square = c * c + d * d
    yield a * c - b * d if op == "*" else (a * c + b * d) / square
    yield a * d + b * c if op == "*" else (b * c - a * d) / square


def _fraction(number: Any) -> Fraction:
    from fractions import Fraction  # late: few programs have such constants

    return Fraction(*number.as_integer_ratio())


def _nearest(type: Scalar, number: Fraction) -> Real:
    if type is LONG_DOUBLE:
        return LongDouble.of(number)
    try:
        nearest = float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
    return nearest if type is DOUBLE else to_float(rounded_to_odd(nearest, number))
