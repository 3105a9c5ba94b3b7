"""Checks of form, scope and types, warnings about uninitialised variables, and the certificate of a conversion.

`check` is the type checker of CPS text. Converted programs always pass, unless this package has a bug. `certify`
compares a converted program with the record of its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cpsconv.check import scope, types, well_formedness
from cpsconv.check.initialisation import uninitialised
from cpsconv.check.well_formedness import Subject
from cpsconv.ir import Program
from cpsconv.progress import steps
from cpsconv.source import Diagnostic, error, in_source_order

if TYPE_CHECKING:
    from cpsconv.construction.record import Record

__all__ = ["CHECKS", "certify", "check", "uninitialised"]

CHECKS: tuple[Callable[[Subject], Iterable[Diagnostic]], ...] = (
    well_formedness.function_names_are_distinct,
    well_formedness.functions_belong_to_the_program,
    well_formedness.continuations_have_transfers,
    well_formedness.listed_continuations_are_reachable,
    well_formedness.reachable_continuations_are_listed,
    well_formedness.values_are_defined_once,
    types.constants_are_in_range,
    types.operations_fit_their_operands,
    types.formats_fit_their_arguments,
    types.decisions_fit_their_values,
    types.edges_fit_their_targets,
    types.calls_fit_their_callees,
    scope.definitions_dominate_uses,
)
"""The checks. Each accepts any program, even malformed, and yields the errors that it finds."""


def check(program: Program) -> list[Diagnostic]:
    """The errors of the program, in source order; none if it is sound.

    The time is proportional to the size of the program, up to a logarithmic factor for dominance.
    """
    subject = Subject(program)
    return in_source_order([fault for check in steps("checking", CHECKS) for fault in check(subject)])


def certify(program: Program, record: Record, *, minimal: bool = True) -> list[Diagnostic]:
    """The errors that prevent a certificate, in source order; none if the conversion is certified.

    A certified program is sound, and on every path it computes the values that its source computes according to
    `record`. With `minimal`, it also has no unused parameter and no redundant set of parameters.
    """
    from cpsconv.check.certificate import runs_in_lockstep  # imported on use: few conversions are certified
    from cpsconv.check.parameters import is_minimal, is_pruned

    found = check(program) or [*runs_in_lockstep(program, record)]
    if minimal and not found:
        found = [*is_pruned(program), *is_minimal(program)]
    help = "this is a fault of cpsconv, not of its input; please report it"
    return in_source_order(
        [error(f"certificate: {fault.message}", fault.span, notes=fault.notes, help=help) for fault in found]
    )
