"""Parameters that a program could do without, though it means the same with them."""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.analysis import flow
from cpsconv.ir import Function, Parameter
from cpsconv.source import Span
from cpsconv.transform import redundant_parameters, unused_parameters


@dataclass(frozen=True, slots=True)
class SpareParameter:
    """A parameter of a continuation, and why it is not needed."""

    continuation: str
    parameter: str
    reason: str
    span: Span | None


def spare_parameters(function: Function) -> list[SpareParameter]:
    """The parameters that are not used, or that are redundant (Braun et al., section 3.2), in source order."""
    reasons: dict[Parameter, str] = dict.fromkeys(
        redundant_parameters(flow.parameter_arguments(function)), "always has the same value"
    )
    reasons |= dict.fromkeys(unused_parameters(function), "is never used")
    return [
        SpareParameter(member.name, parameter.name, reasons[parameter], parameter.span)
        for member in function.continuations
        for parameter in member.parameters
        if parameter in reasons
    ]
