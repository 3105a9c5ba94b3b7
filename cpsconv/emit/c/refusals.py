"""What C, as far as cpsconv reads it, cannot say of a CPS program."""

from __future__ import annotations

from cpsconv.ir import Program
from cpsconv.source import Diagnostic


def refusals(program: Program) -> list[Diagnostic]:
    return []
