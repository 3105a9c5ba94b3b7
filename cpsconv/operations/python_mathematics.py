"""The functions of <math.h> in Python: those of the platform's C library. (Python's own raise errors for some numbers.)

As `cpsconv.operations.python_arithmetic`, this module is part of emitted Python, too.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

C_LIBRARY = ctypes.CDLL("ucrtbase" if os.name == "nt" else None)


def c_function(name: str, count: int, bits: int) -> Callable[..., float]:
    """The function of that name, with so many operands of that size."""
    type = ctypes.c_float if bits == 32 else ctypes.c_double
    function = C_LIBRARY[name]
    function.argtypes, function.restype = [type] * count, type
    if count == 1:
        return lambda x: function(+x)
    return lambda *operands: function(*[+x for x in operands])
