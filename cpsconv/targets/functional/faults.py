"""The functions of a prelude for operations that may raise a runtime error: checks, then the operation of the language.

The table of operations has the conditions of the errors and their messages (`Operation.faults`). Where constant
operands exclude the errors, programs contain the operation of the language instead of a call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeGuard, TypeVar

from cpsconv.core.ir import Constant, Parameter, Primitive, Scalar, Value
from cpsconv.core.operations.completeness import OPERANDS, primitives_on
from cpsconv.core.operations.expansions import Choices
from cpsconv.core.operations.types import is_whole
from cpsconv.core.transform.expansion import faults, steps

Term = TypeVar("Term")

Write = Callable[[Primitive, Sequence[Term]], Term]
"""The function that writes an operation on operands."""


@dataclass(frozen=True)
class Expressions(Generic[Term]):
    """The expressions of a language: how it writes operations, constants and names, and the text of an expression."""

    write: Write[Term]
    literal: Callable[[Constant], Term]
    name: Callable[[str], Term]
    text: Callable[[Term], str]
    unspelled: Choices

    def of(self, primitive: Primitive) -> str:
        """The text of an operation on parameters and constants, whose expansion may consist of several."""
        known: dict[Value, Term] = {each: self.name(each.name) for each in primitive.operands if _is_named(each)}
        for step in steps(primitive, self.unspelled):
            assert isinstance(step, Primitive)
            operands = [self.literal(each) if isinstance(each, Constant) else known[each] for each in step.operands]
            known[step] = self.write(step, operands)
        return self.text(known[primitive])


def _is_named(value: Value) -> TypeGuard[Parameter]:
    return isinstance(value, Parameter)


@dataclass(frozen=True)
class Function:
    """The text of a function of `a` and `b`: its head, a check, and its end. `all` joins the conditions of a check."""

    head: str
    check: str
    end: str
    all: Callable[[list[str]], str] = " && ".join


def checked(
    types: Mapping[Scalar, object],
    expressions: Expressions[Term],
    function: Function,
    name: Callable[[Primitive], str],
    unchecked: Write[Term],
) -> dict[str, str]:
    """The functions for operations on integers of the types that may raise an error, by their names.

    In the `function`, words in braces stand for parts. `unchecked` writes the operation that the errors do not concern.
    """
    found = {}
    whole = [*filter(is_whole, types)]
    for primitive in primitives_on(whole, whole):
        checks = [
            function.check.format(condition=function.all([*map(expressions.of, conditions)]), message=message)
            for message, conditions in faults(primitive)
        ]
        if checks:
            result = expressions.text(unchecked(primitive, [expressions.name(each) for each in OPERANDS[:2]]))
            head = function.head.format(name=name(primitive), type=types[primitive.type])
            found[name(primitive)] = "\n".join([head, *checks, function.end.format(result=result)])
    return found
