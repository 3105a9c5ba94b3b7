"""The mathematical functions in Python: those of the platform. (Python's own raise errors for some numbers.)

As `cpsconv.core.operations.python_arithmetic`, this module is part of emitted Python, too.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

from cpsconv.core.floating import LongDouble

PLATFORM = ctypes.CDLL("ucrtbase" if os.name == "nt" else None)


class NativeLongDouble(ctypes.c_longdouble):
    """A `long double`, which ctypes does not convert to a float, since this is a class of its own."""


def long_double_function(name: str, count: int) -> Callable[..., LongDouble]:
    """The function of that name, with so many operands. Numbers have 64 bits where the platform has none of 80."""
    if bytes(ctypes.c_longdouble(1))[:10] != LongDouble.of(1).to_bytes()[:10]:
        function = platform_function(name.removesuffix("l"), count, 64)
        return lambda *operands: LongDouble.of(function(*map(float, operands)))
    native = PLATFORM[name]
    native.argtypes, native.restype = [NativeLongDouble] * count, NativeLongDouble

    def call(*operands: LongDouble) -> LongDouble:
        passed = [NativeLongDouble.from_buffer(bytearray((+x).to_bytes())) for x in operands]
        return LongDouble.from_bytes(bytes(native(*passed)))

    return call


def platform_function(name: str, count: int, bits: int) -> Callable[..., float]:
    """The function of that name, with so many operands of that size."""
    type = ctypes.c_float if bits == 32 else ctypes.c_double
    function = PLATFORM[name]
    function.argtypes, function.restype = [type] * count, type
    if count == 1:
        return lambda x: function(+x)
    return lambda *operands: function(*[+x for x in operands])
