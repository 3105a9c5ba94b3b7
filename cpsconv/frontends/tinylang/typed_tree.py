"""The typed tree of tinylang: resolved names, checked types, and which variables are in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple, Union

from cpsconv.frontends.tinylang.types import Array, Record, Type
from cpsconv.source import Span

# --------------------------------------------------------------------------------------------------- declarations


@dataclass(eq=False, slots=True)
class Variable:
    """A variable or parameter. `owner` is its procedure, None for a variable of a module.

    A variable is `in_memory` for a reason, at a place in the source. `assigned` has the places of its assignments.
    `is_captured`: a nested procedure uses it.
    """

    name: str
    type: Type
    span: Span
    owner: Procedure | None
    is_parameter: bool = False
    is_reference: bool = False
    in_memory: tuple[str, Span] | None = None
    assigned: list[Span] = field(default_factory=list)
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
    """A procedure. `captured` has the variables of enclosing procedures that it uses, itself or in what it calls.

    `uses` are those that it uses itself. `used` are the procedures that it calls or uses as values, `values` those that
    it uses as values. `end` is the place of its ``END``.
    """

    name: str
    span: Span
    module: str
    enclosing: Procedure | None
    parameters: list[Variable] = field(default_factory=list)
    result: Type | None = None
    variables: list[Variable] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    captured: dict[Variable, Span] = field(default_factory=dict)
    uses: list[Variable] = field(default_factory=list)
    used: dict[Procedure, Span] = field(default_factory=dict)
    values: dict[Procedure, Span] = field(default_factory=dict)
    end: Span | None = None

    @property
    def path(self) -> list[str]:
        """The names of the enclosing procedures and its own."""
        names, each = [], self
        while True:
            names.append(each.name)
            if each.enclosing is None:
                return names[::-1]
            each = each.enclosing


@dataclass(eq=False, slots=True)
class Module:
    """A checked module. `body` has the statements after its ``BEGIN``, if any."""

    name: str
    span: Span
    variables: list[Variable] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    body: Procedure | None = None


# --------------------------------------------------------------------------------------- places and expressions


class Field(NamedTuple):
    record: Record
    name: str
    span: Span


class Index(NamedTuple):
    """An index. `is_whole` if the array at `part` is a whole object, so that memory checks the index."""

    array: Array
    subscript: Expression
    is_whole: bool
    part: Span
    span: Span


class Dereference(NamedTuple):
    span: Span


class Place(NamedTuple):
    """A variable, or the part that selectors denote; or, after a dereference, of another object."""

    variable: Variable
    selectors: list[Field | Index | Dereference]
    type: Type
    span: Span

    @property
    def is_behind_pointer(self) -> bool:
        """Whether the place is not a part of the variable, but of an object that the variable points to."""
        return any(isinstance(each, Dereference) for each in self.selectors)


class Constant(NamedTuple):
    type: Type
    value: int
    span: Span


class Text(NamedTuple):
    type: Type
    value: str
    span: Span


class Load(NamedTuple):
    """The value at a place."""

    place: Place
    type: Type
    span: Span


class Unary(NamedTuple):
    """The operation ``neg`` or ``!``. `value` is that of a constant operation."""

    op: str
    operand: Expression
    type: Type
    span: Span
    value: int | None


class Binary(NamedTuple):
    """An operation on both values. That of ``AND`` and ``OR`` is on truth values, and may need the left one only.

    `value` is that of a constant operation; it is None for a division by zero, too.
    """

    op: str
    left: Expression
    right: Expression
    type: Type
    span: Span
    value: int | None

    @property
    def is_conditional(self) -> bool:
        """Whether the right operand is evaluated only if the left one does not decide."""
        return self.op in ("&", "|")

    @property
    def word(self) -> str:
        """The name of variables and continuations for ``AND`` and ``OR``."""
        return "and" if self.op == "&" else "or"


class ProcedureValue(NamedTuple):
    procedure: Procedure
    type: Type
    span: Span


class Call(NamedTuple):
    """A call of a procedure, of a procedure value, or of a predeclared procedure. VAR arguments are places."""

    callee: Procedure | Load | str
    arguments: list[Expression | Place]
    type: Type
    span: Span


Expression = Union[Constant, Text, Load, Unary, Binary, ProcedureValue, Call]

# ----------------------------------------------------------------------------------------------------- statements


class Assign(NamedTuple):
    target: Place
    value: Expression
    span: Span


class Copy(NamedTuple):
    """An assignment of a record or array."""

    target: Place
    source: Place
    span: Span


class If(NamedTuple):
    arms: list[tuple[Expression, list[Statement]]]
    otherwise: list[Statement]
    span: Span


class While(NamedTuple):
    condition: Expression
    body: list[Statement]
    span: Span


class Return(NamedTuple):
    value: Expression | None
    span: Span


Statement = Union[Assign, Copy, If, While, Return, Call]


# ------------------------------------------------------------------------------------------------------- captures


def find_captures(procedures: list[Procedure]) -> None:
    """Complete `captured` of all procedures, and decide which captured variables have to be in memory.

    A procedure needs the variables that it uses, and those that the procedures need that it calls or passes on, except
    its own. Variables with one value, which they have before a nested procedure can use them, stay values. The others
    are in memory. So are all that are assigned and that a procedure value needs, since its closure is made before.
    """
    for procedure in procedures:
        procedure.uses = [*procedure.captured]
    _complete(procedures)
    for user in procedures:
        for procedure, span in user.values.items():
            for variable in procedure.captured:
                if variable.assigned and not variable.is_reference:
                    variable.keep_in_memory(f"the procedure value `{procedure.name}` uses it", span)
    for procedure in procedures:
        for variable in procedure.uses:
            if not (variable.is_cell or _has_one_value(variable)):
                reason = f"it is assigned, and the nested procedure `{procedure.name}` uses it"
                variable.keep_in_memory(reason, procedure.captured[variable])


def _complete(procedures: list[Procedure]) -> None:
    """Add to the captured variables of each procedure those of the procedures that it uses."""
    users: dict[Procedure, list[Procedure]] = {}
    for procedure in procedures:
        for used in procedure.used:
            users.setdefault(used, []).append(procedure)
    pending = [procedure for procedure in procedures if procedure.captured]
    while pending:
        procedure = pending.pop()
        for user in users.get(procedure, ()):
            missing = [each for each in procedure.captured if each.owner is not user and each not in user.captured]
            for variable in missing:
                user.captured[variable] = user.used[procedure]
            if missing:
                pending.append(user)


def _has_one_value(variable: Variable) -> bool:
    """Whether the variable is never assigned, or only by one statement of its owner, before any nested use."""
    if not variable.assigned:
        return True
    owner = variable.owner
    if variable.is_parameter or len(variable.assigned) > 1 or owner is None:
        return False
    nested = [span.start for procedure, span in owner.used.items() if variable in procedure.captured]
    first = min(nested, default=inf)
    return any(
        isinstance(each, Assign) and each.target.variable is variable and each.span.end <= first
        for each in owner.statements
    )
