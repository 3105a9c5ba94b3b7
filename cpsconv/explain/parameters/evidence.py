"""Why a continuation has a parameter, or has none: the answers, as data.

The words are those of Braun et al., section 4. *Two non-null paths X₀ →⁺ X_J and Y₀ →⁺ Y_K converge at a block Z* if
they start apart (1), both end at Z (2), and if what they share is an end of at least one of them (3). *A φ function for
v is necessary in Z* if two paths converge there whose first blocks contain assignments to v. To begin with, every
variable has a value in the entry: that of a function's parameter, or none; that counts as an assignment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from cpsconv.construction.record import SourceVariable, Write
from cpsconv.ir import Continuation, Edge, Parameter, Value


@dataclass(frozen=True, eq=False, slots=True)
class Assignment:
    """The last assignment to a variable in a continuation; `write` is None for a variable without a first value."""

    continuation: Continuation
    write: Write | None


@dataclass(frozen=True, eq=False, slots=True)
class DefinitionPath:
    """A path from an assignment to where a parameter is necessary, both ends included; no other assigns on the way."""

    assignment: Assignment
    path: list[Continuation]


@dataclass(frozen=True, eq=False, slots=True)
class Convergence:
    """`parameter` of `home` is necessary for `variable`: two ways converge there, and bring different values."""

    home: Continuation
    parameter: Parameter
    variable: SourceVariable
    paths: tuple[DefinitionPath, DefinitionPath]


@dataclass(frozen=True, eq=False, slots=True)
class Passing:
    """`value` is passed along `edge`, which starts at `sender`, to `parameter`."""

    value: Value
    sender: Continuation
    edge: Edge
    parameter: Parameter


@dataclass(frozen=True, eq=False, slots=True)
class TwoValues:
    """`parameter` of `home` is needed, since two values come to it, and by way of different parameters.

    That is what can be said where nothing is known about variables.
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
    """`parameter` of `home` gets its value from a caller or callee, or from whoever enters a continuation passed on."""

    home: Continuation
    parameter: Parameter


@dataclass(frozen=True, eq=False, slots=True)
class ReachingDefinitions:
    """`variable` has no parameter at `home`. `assignments` and `parameters` (with whose they are) reach its start: one
    definition, or several of the same value; if different ones do, then nobody reads the variable (`live` is false).
    """

    home: Continuation
    variable: SourceVariable
    assignments: list[Assignment]
    parameters: list[tuple[Continuation, Parameter]]
    live: bool


Answer = Union[Convergence, TwoValues, Redundant, Supplied, ReachingDefinitions]
