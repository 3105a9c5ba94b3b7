"""The structs of C's complex types, of two floating numbers, which the target C writes as these types."""

from __future__ import annotations

from cpsconv.core.ir import Struct

COMPLEX, PARTS = "_Complex_", ("re", "im")
"""The beginning of the name of a complex type, which is reserved in C, and the names of its fields."""


def is_complex(struct: Struct) -> bool:
    """Whether the struct is that of a complex type."""
    return struct.name.startswith(COMPLEX) and [*struct.fields] == [*PARTS]
