"""The type checker of CPS text: the table of all checks of a program, and the rules that its errors violate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from cpsconv.core.check import scope, types, well_formedness
from cpsconv.core.check.well_formedness import Subject
from cpsconv.core.ir import Program
from cpsconv.core.operations.names import PRINT
from cpsconv.core.progress import steps
from cpsconv.core.source import Diagnostic, in_source_order

CHECKS: tuple[tuple[str, Callable[[Subject], Iterable[Diagnostic]]], ...] = (
    *well_formedness.CHECKS,
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
