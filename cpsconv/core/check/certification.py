"""Certificates: whether a converted program has the parts of its source, and computes what the source computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined
from cpsconv.core.check.certificate import runs_in_lockstep
from cpsconv.core.check.parameters import is_minimal, is_pruned
from cpsconv.core.check.soundness import check
from cpsconv.core.check.stated_parts import part_faults
from cpsconv.core.ir import Program
from cpsconv.core.source import Diagnostic, in_source_order

if TYPE_CHECKING:
    from cpsconv.core.construction.record import Fields, Record, Stated


def certify(
    program: Program,
    record: Record,
    stated: Mapping[Stated, Fields] | None = None,
    *,
    minimal: bool = True,
    undefined: Rule = keep_undefined,
) -> list[Diagnostic]:
    """The errors that prevent a certificate, in source order; none if the conversion is certified.

    A certified program has the functions, data, structs and declarations of its source, is sound, and on every path it
    computes the values that its source computes according to `record`, which has the functions of this source only.
    What is `stated` beside the functions is a part of their records; a program without functions needs it. With
    `minimal`, the program also has no unused parameter and no redundant set of parameters. `undefined` is the rule for
    undefined operands with which it was constructed.
    """
    found = check(program) or [*_certify_parts(program, record, stated), *runs_in_lockstep(program, record, undefined)]
    if minimal and not found:
        found = [*is_pruned(program), *is_minimal(program, undefined)]
    return _refused(found)


def certify_threaded(program: Program, record: Record, stated: Mapping[Stated, Fields]) -> list[Diagnostic]:
    """The errors of a certified program after its jumps were threaded: only bodies of functions may have changed."""
    return check(program) or _refused(_certify_parts(program, record, stated))


def _certify_parts(program: Program, record: Record, stated: Mapping[Stated, Fields] | None) -> list[Diagnostic]:
    return [*part_faults(program, record, stated or next((each.stated for each in record.values()), {}))]


def _refused(faults: list[Diagnostic]) -> list[Diagnostic]:
    help = "this is a fault of cpsconv, not of its input; please report it"
    return in_source_order(
        [replace(fault, message=f"certificate: {fault.message}", help=help, rule="certificate") for fault in faults]
    )
