"""The declarations of tinylang, their scopes, and the errors of its programs."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Union

from cpsconv.core.ir import BOOL, LONG, Constant, Undef, Value
from cpsconv.core.source import Diagnostic, Note, Span, did_you_mean, error, warning
from cpsconv.languages.tinylang import tree
from cpsconv.languages.tinylang.types import BOOLEAN, INTEGER, NIL, UNKNOWN, Type, scalar


@dataclass(eq=False, slots=True)
class Variable:
    """A variable or parameter. `owner` is its procedure, None for a variable of a module.

    A variable is `in_memory` for a reason, at a place in the source. `assigned` has the positions of its assignments.
    `is_captured`: a nested procedure uses it.
    """

    name: str
    type: Type
    span: Span
    owner: Procedure | None
    is_parameter: bool = False
    is_reference: bool = False
    in_memory: tuple[str, Span] | None = None
    assigned: set[int] = field(default_factory=set)
    is_captured: bool = False

    @property
    def is_cell(self) -> bool:
        """Whether a nested procedure gets the address of the variable, and not its value."""
        return self.is_reference or self.in_memory is not None

    def keep_in_memory(self, reason: str, at: Span) -> None:
        if self.in_memory is None:
            self.in_memory = reason, at


@dataclass(eq=False, slots=True)
class Procedure:
    """A procedure, or the body of a module, with the `scope` of its block.

    `captured` has the variables of enclosing procedures that it uses, itself or in what it calls, `uses` those that it
    uses itself. `used` are the procedures that it calls or uses as values, `values` those that it uses as values. Each
    call of it creates the closures of the procedures in `closures`; `closure` is its own. The `path` has the names of
    the enclosing procedures and its own.
    """

    name: str
    span: Span
    module: str
    enclosing: Procedure | None
    block: tree.Block
    scope: Scope
    parameters: list[Variable] = field(default_factory=list)
    result: Type | None = None
    variables: list[Variable] = field(default_factory=list)
    captured: dict[Variable, Span] = field(default_factory=dict)
    uses: list[Variable] = field(default_factory=list)
    used: dict[Procedure, Span] = field(default_factory=dict)
    values: dict[Procedure, Span] = field(default_factory=dict)
    closures: list[Procedure] = field(default_factory=list)
    closure: Variable | None = None
    path: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.path = [*(self.enclosing.path if self.enclosing else ()), self.name]


@dataclass(eq=False, slots=True)
class Module:
    """A module with its declarations. `body` has the statements after its ``BEGIN``, if any."""

    name: str
    span: Span
    variables: list[Variable] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    body: Procedure | None = None


class TypeEntry(NamedTuple):
    type: Type
    span: Span | None = None


class Predeclared(NamedTuple):
    """A predeclared procedure."""

    name: str
    span: Span | None = None


class Typed(NamedTuple):
    """The value of an expression, or a declared constant. The value of a record or array is its address.

    `constant` is the value of a constant expression. An expression with an error has the type `UNKNOWN`.
    """

    type: Type
    value: Value
    span: Span | None
    constant: int | None = None


Scope = ChainMap[str, "Entry | None"]
"""The declarations of a module or procedure, then those of the enclosing ones; None for one with a reported error."""


@dataclass(eq=False, slots=True)
class ModuleEntry:
    """An imported module."""

    name: str
    scope: Scope
    span: Span | None = None


Entry = Union[TypeEntry, Typed, Predeclared, ModuleEntry, Variable, Procedure]


def constant(type: Type, value: int, span: Span | None = None) -> Typed:
    """A constant of a type whose values are numbers."""
    of = scalar(type)
    return Typed(type, Constant(of, bool(value) if of is BOOL else value), span, value)


def predeclared() -> Scope:
    """The scope of the names that every module knows."""
    names: dict[str, Entry | None] = {"INTEGER": TypeEntry(INTEGER), "BOOLEAN": TypeEntry(BOOLEAN)}
    names |= {"FALSE": constant(BOOLEAN, 0), "TRUE": constant(BOOLEAN, 1), "NIL": constant(NIL, 0)}
    return Scope(names | {name: Predeclared(name) for name in ("NEW", "DISPOSE")})


IN_OUT = "InOut"
"""The module of output, unless a file has that name."""


def in_out() -> Scope:
    """The declarations of the module `IN_OUT`."""
    return Scope({name: Predeclared(name) for name in ("WriteInt", "WriteString", "WriteLn")})


class Errors:
    """The errors and warnings found, in the order of their discovery."""

    def __init__(self, warnings: list[Diagnostic]) -> None:
        self.found: list[Diagnostic] = []
        self.warnings = warnings

    def add(
        self, message: str, span: Span | None, rule: str, help: str | None = None, notes: Sequence[Note] = ()
    ) -> Typed:
        """Report an error; returns a value of unknown type."""
        self.found.append(error(message, span, help=help, notes=notes, rule=rule))
        return unknown(span)

    def warn(self, message: str, span: Span, rule: str, help: str | None = None) -> None:
        """Report a warning of the group `rule`."""
        self.warnings.append(warning(message, span, help=help, rule=rule))

    def define(self, scope: Scope, name: tree.Word, entry: Entry | None) -> None:
        """Add a declaration. Reports a second one of the name."""
        before = scope.maps[0].get(name.text)
        if before is None:
            scope[name.text] = entry
            return
        notes: list[Note] = [("it is first declared here", before.span)] if before.span else []
        self.add(f"`{name.text}` is declared twice", name.span, "redefined", notes=notes)

    def look_up(self, scope: Scope, name: tree.Word, owner: str = "") -> Entry | None:
        """The declaration of the name. Reports an unknown one."""
        if name.text not in scope:
            message = f"`{name.text}` is not declared{f' in module `{owner}`' if owner else ''}"
            self.add(message, name.span, "undeclared", did_you_mean(name.text, [*scope]))
            scope[name.text] = None
        return scope[name.text]


def unknown(span: Span | None) -> Typed:
    """The value of an expression with an error that was reported."""
    return Typed(UNKNOWN, Undef(LONG, "", span), span)
