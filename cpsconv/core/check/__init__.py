"""Checks of form, scope and types, warnings about variables and pointers, and the certificate of a conversion.

`check` is the type checker of CPS text. Converted programs always pass, unless this package has a bug. `certify`
compares a converted program with the record of its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cpsconv.core.analysis.graph import uses
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined
from cpsconv.core.check import scope, types, well_formedness
from cpsconv.core.check.well_formedness import Subject
from cpsconv.core.ir import Constant, Program, Undef
from cpsconv.core.operations.names import PRINT, RELEASE, RESIZE
from cpsconv.core.operations.table import DEALLOCATE, ELEMENT
from cpsconv.core.progress import steps
from cpsconv.core.source import Diagnostic, in_source_order

if TYPE_CHECKING:
    from cpsconv.core.construction.record import Fields, Record, Stated

__all__ = ["CHECKS", "RULES", "certify", "check", "warnings_of"]


CHECKS: tuple[tuple[str, Callable[[Subject], Iterable[Diagnostic]]], ...] = (
    ("redefined", well_formedness.function_names_are_distinct),
    ("undefined-function", well_formedness.functions_belong_to_the_program),
    ("nested-function", well_formedness.nested_functions_are_called),
    ("missing-transfer", well_formedness.continuations_have_transfers),
    ("unreachable", well_formedness.listed_continuations_are_reachable),
    ("unlisted", well_formedness.reachable_continuations_are_listed),
    ("redefined", well_formedness.values_are_defined_once),
    ("literal", types.constants_are_in_range),
    ("type-mismatch", types.operations_fit_their_operands),
    ("undefined-type", types.structs_belong_to_the_program),
    ("nesting", types.object_types_can_be_written),
    ("type-mismatch", types.data_fit_their_types),
    ("format", types.formats_fit_their_arguments),
    ("type-mismatch", types.decisions_fit_their_values),
    ("type-mismatch", types.edges_fit_their_targets),
    ("type-mismatch", types.calls_fit_their_callees),
    ("attribute", types.attributes_are_allowed),
    ("scope", scope.definitions_dominate_uses),
    ("stale-memory", types.memory_is_used_in_order),
)
"""The checks, each with the rule that its errors violate. Each accepts any program, even malformed."""

RULES = {
    "attribute": "an attribute that a part of a program cannot have, or with an unsuitable value",
    "format": f"a `{PRINT}` format that is unsupported, or does not fit its arguments",
    "literal": "a constant that is not a value of its type",
    "missing-transfer": "a continuation without a transfer",
    "nesting": "a type that is nested too deeply, or an object that is too large",
    "nested-function": "a nested function that is not called, or is used in another way",
    "redefined": "a function, continuation or value that is defined twice",
    "scope": "a use of a value that is not computed on every path to the use",
    "stale-memory": "an access that takes place in another than the current memory, where memory is explicit",
    "type-mismatch": "an operand, argument or decision of an unsuitable type",
    "undefined-type": "a use of a struct that does not belong to the program",
    "undefined-function": "a use of a function that does not belong to the program",
    "unlisted": "a continuation that is used in a function that does not list it",
    "unreachable": "a continuation that is listed in a function that does not reach it",
    "certificate": "a program that does not compute what its source computes: a fault of cpsconv",
    # warnings
    "maybe-uninitialized": "a use of a variable that is not assigned on every path to the use",
    "uninitialized": "a use of a variable that is not assigned on any path to the use",
}
"""The rules that checks of programs name, with the violation that each of them denotes."""


_ON_OBJECTS = frozenset([DEALLOCATE, RELEASE, RESIZE])


def check(program: Program) -> list[Diagnostic]:
    """The errors of the program, in source order; none if it is sound.

    The time is proportional to the size of the program, up to a logarithmic factor for dominance.
    """
    subject = Subject(program)
    found = [
        fault if fault.rule else replace(fault, rule=rule)
        for rule, check in steps("checking", CHECKS)
        for fault in check(subject)
    ]
    return in_source_order(found)


def warnings_of(program: Program) -> list[Diagnostic]:
    """The warnings about uninitialised variables, pointers to variables and indices in loops, in source order."""
    found: list[Diagnostic] = []
    for function in program.functions:
        statements = [each for member in function.members() for each in member.body]
        if any(each.op in _ON_OBJECTS for each in statements):
            from cpsconv.core.check.pointers import pointer_warnings  # likewise: few programs have objects

            found += pointer_warnings(function)
        if any(each.op == ELEMENT and type(each.operands[1]) is not Constant for each in statements):
            from cpsconv.core.check.loop_indices import index_warnings  # likewise

            found += index_warnings(function)
        if any(Undef in map(type, uses(member)) for member in function.members()):
            from cpsconv.core.check.initialisation import (
                uninitialised_uses,  # imported on use: few programs have such uses
            )

            found += uninitialised_uses(function)
    return in_source_order(found)


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
    from cpsconv.core.check.certificate import runs_in_lockstep  # imported on use: few conversions are certified
    from cpsconv.core.check.parameters import is_minimal, is_pruned

    found = check(program) or [*_certify_parts(program, record, stated), *runs_in_lockstep(program, record, undefined)]
    if minimal and not found:
        found = [*is_pruned(program), *is_minimal(program, undefined)]
    return _refused(found)


def certify_threaded(program: Program, record: Record, stated: Mapping[Stated, Fields]) -> list[Diagnostic]:
    """The errors of a certified program after its jumps were threaded: only bodies of functions may have changed."""
    return check(program) or _refused(_certify_parts(program, record, stated))


def _certify_parts(program: Program, record: Record, stated: Mapping[Stated, Fields] | None) -> list[Diagnostic]:
    from cpsconv.core.check.stated_parts import part_faults

    return [*part_faults(program, record, stated or next((each.stated for each in record.values()), {}))]


def _refused(faults: list[Diagnostic]) -> list[Diagnostic]:
    help = "this is a fault of cpsconv, not of its input; please report it"
    return in_source_order(
        [replace(fault, message=f"certificate: {fault.message}", help=help, rule="certificate") for fault in faults]
    )
