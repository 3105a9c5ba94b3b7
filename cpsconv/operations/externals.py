"""The external functions of C's library that every engine provides, and every target with memory."""

from __future__ import annotations

from collections.abc import Mapping

from cpsconv.ir import INT, PTR, UNSIGNED_LONG, ContinuationType, Function, Scalar
from cpsconv.source import DiagnosticError, error


def _type(result: Scalar, *parameters: Scalar) -> ContinuationType:
    return ContinuationType((*parameters, ContinuationType((result,))))


EXTERNAL_TYPES: Mapping[str, ContinuationType] = {
    "strlen": _type(UNSIGNED_LONG, PTR),
    "strcmp": _type(INT, PTR, PTR),
    "strcpy": _type(PTR, PTR, PTR),
    "memcpy": _type(PTR, PTR, PTR, UNSIGNED_LONG),
    "memmove": _type(PTR, PTR, PTR, UNSIGNED_LONG),
    "memset": _type(PTR, PTR, INT, UNSIGNED_LONG),
    "memcmp": _type(INT, PTR, PTR, UNSIGNED_LONG),
}
"""The type of each function."""


def require_provided(function: Function, provider: str) -> None:
    """Raise `DiagnosticError`, which names the `provider`, unless it has the external function with its type."""
    type = EXTERNAL_TYPES.get(function.name)
    if type is None:
        known = ", ".join(f"`{name}`" for name in EXTERNAL_TYPES)
        message = f"{provider} has no external function `{function.name}`"
        raise DiagnosticError([error(message, function.span, help=f"it has {known}", rule="external")])
    if function.type != type:
        message = f"the external function `{function.name}` of {provider} has the type `{type}`"
        raise DiagnosticError([error(message, function.span, rule="external")])
