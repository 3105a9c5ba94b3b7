"""The evidence for or against a parameter, as data.

The terms are those of Braun et al., section 4. *Two non-null paths X₀ →⁺ X_J and Y₀ →⁺ Y_K converge at a block Z* if
they start at different blocks (1), both end at Z (2), and each block that they share is the end of at least one of them
(3). *A φ function for v is necessary in Z* if two paths converge there whose first blocks contain assignments to v. At
the entry every variable has an initial value, a parameter of the function or undefined; this counts as an assignment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from cpsconv.construction.block import Variable
from cpsconv.construction.record import Write
from cpsconv.ir import Continuation, Edge, Parameter, Value
from cpsconv.source import Span


@dataclass(frozen=True, eq=False, slots=True)
class Assignment:
    """The last assignment to a variable in a continuation; `write` is None for a variable without an initial value."""

    continuation: Continuation
    write: Write | None


@dataclass(frozen=True, eq=False, slots=True)
class DefinitionPath:
    """A path from an assignment to a necessary parameter, both ends included, without another assignment."""

    assignment: Assignment
    path: list[Continuation]


@dataclass(frozen=True, eq=False, slots=True)
class Convergence:
    """`parameter` of `home` is necessary for `variable`: two paths with different values converge there."""

    home: Continuation
    parameter: Parameter
    variable: Variable
    paths: tuple[DefinitionPath, DefinitionPath]


@dataclass(frozen=True, eq=False, slots=True)
class Passing:
    """`value` is passed along `edge`, which starts at `sender`, to `parameter`."""

    value: Value
    sender: Continuation
    edge: Edge
    parameter: Parameter

    @property
    def span(self) -> Span | None:
        """The span of the transfer."""
        return self.sender.transfer.span if self.sender.transfer else None


@dataclass(frozen=True, eq=False, slots=True)
class TwoValues:
    """`parameter` of `home` is needed: two values reach it, through disjoint chains of parameters.

    This is the evidence in CPS text, where no variables are known.
    """

    home: Continuation
    parameter: Parameter
    chains: tuple[list[Passing], list[Passing]]


@dataclass(frozen=True, eq=False, slots=True)
class Redundant:
    """`parameter` of `home` is not needed: it is always `value`."""

    home: Continuation
    parameter: Parameter
    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class Supplied:
    """`parameter` of `home` is supplied by a caller or callee, or by calls of a continuation passed as a value."""

    home: Continuation
    parameter: Parameter


@dataclass(frozen=True, eq=False, slots=True)
class ReachingDefinitions:
    """`variable` has no parameter at `home`: `assignments` and `parameters`, with their continuations, reach its start.

    They are one definition, or several with the same value; or they differ and the variable is not `live`.
    """

    home: Continuation
    variable: Variable
    assignments: list[Assignment]
    parameters: list[tuple[Continuation, Parameter]]
    live: bool


Answer = Union[Convergence, TwoValues, Redundant, Supplied, ReachingDefinitions]
