"""The check of scope: every value is defined on every path to its uses."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core.analysis.scopes import DEFINED, Scope
from cpsconv.core.check.well_formedness import Subject
from cpsconv.core.ir import Call, Constant, Effect, Parameter, Primitive, Undef, Value
from cpsconv.core.source import Diagnostic, error


def definitions_dominate_uses(subject: Subject) -> Iterator[Diagnostic]:
    """The definition of a value dominates its uses. A value of another function is a free value of this one."""
    for tree in subject.trees:
        scope = Scope(tree)
        for member in tree.preorder():
            for number, (user, values) in enumerate(subject.uses[member]):
                place = member, number
                if scope.has(values, place):
                    continue
                for value in values:
                    if isinstance(value, DEFINED) and (message := scope.error_of(value, place)):
                        notes = [("defined here", value.span)] if value.span else []
                        if isinstance(user, Call) and value in user.callee.free and value not in user.passed:
                            message = f"`{user.callee.name}` cannot be called here: {message}"
                        yield error(message, user.span, notes=notes)


def shown(value: Value | None) -> str:
    """A value, for an error message."""
    match value:
        case None:
            return "nothing"
        case Constant():
            return f"`{value.value!s}`"
        case Undef():
            return f"the undefined `{value.name}`"
        case Primitive() | Effect():
            return f"the result of `{value.op}`"
        case Parameter():
            return f"the parameter `{value.name}`"
    return f"`{value.name}`"
