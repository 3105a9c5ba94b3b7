"""The dialect `arith` of MLIR: the names of its operations by those of LLVM's instructions, whose arithmetic it has."""

from __future__ import annotations

OF_TWO = {
    **{name: f"{name}i" for name in ("add", "sub", "mul", "and", "or", "xor")},
    **{name: f"{name[1:]}{name[0]}i" for name in ("sdiv", "udiv", "srem", "urem", "smax", "umax", "smin", "umin")},
    **{name: f"{name[1:]}f" for name in ("fadd", "fsub", "fmul", "fdiv", "frem")},
    "shl": "shli",
    "ashr": "shrsi",
    "lshr": "shrui",
}
"""The operations on two numbers of the type of the result: floating ones, if the name in `arith` ends with an ``f``."""

CASTS = {
    **{name: name for name in ("sitofp", "uitofp", "fptosi", "fptoui")},
    "zext": "extui",
    "sext": "extsi",
    "trunc": "trunci",
    "fpext": "extf",
    "fptrunc": "truncf",
}
"""The conversions: from floating numbers, if the name in LLVM begins with ``fp``."""
