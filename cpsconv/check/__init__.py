"""Whether a program is well-formed, well-scoped and well-typed; and what in it deserves a warning.

A front end that is right makes only programs that pass, so for them `check` guards against our own faults. For
somebody who writes CPS text by hand it is the type checker. `certify` holds a whole conversion against the record of
what the front end told.
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
"""The checks. Each looks at a program, of whatever shape, and yields what it finds wrong."""


def check(program: Program) -> list[Diagnostic]:
    """All that is wrong with the program, in source order; nothing if it is sound.

    It takes time proportional to the size of the program (but for a logarithm that dominance costs).
    """
    subject = Subject(program)
    return in_source_order([fault for check in steps("checking", CHECKS) for fault in check(subject)])


def certify(program: Program, record: Record, *, minimal: bool = True) -> list[Diagnostic]:
    """All that keeps a conversion from being certified, in source order; nothing if it is certified.

    A certified program is sound, and on every path it does what `record` says of its source. With `minimal`, it has no
    parameter that is not used, and no redundant set of parameters either.
    """
    from cpsconv.check.certificate import runs_in_lockstep  # only now: few ask for a certificate
    from cpsconv.check.parameters import is_minimal, is_pruned

    found = check(program) or [*runs_in_lockstep(program, record)]
    if minimal and not found:
        found = [*is_pruned(program), *is_minimal(program)]
    return in_source_order([_as_of_certificate(fault) for fault in found])


def _as_of_certificate(fault: Diagnostic) -> Diagnostic:
    help = "this is a fault of cpsconv, not of its input; please report it"
    return error(f"certificate: {fault.message}", fault.span, notes=fault.notes, help=help)
