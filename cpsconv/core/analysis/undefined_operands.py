"""The rule for undefined operands: whether a parameter that receives a value and undefined ones has this value.

The default is `keep_undefined`: an undefined operand is a value like any other, so that its use is an error on the
paths on which the variable is not assigned. A language in which an undefined value may be any value can choose
`replace_undefined`. Strategies, the removal of redundant parameters, and certificates take the rule
as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial

from cpsconv.core.attributes import stated
from cpsconv.core.ir import Constant, Effect, Parameter, Primitive, Undef, Value
from cpsconv.core.operations.table import FOREIGN_OPERATIONS, LOAD_OR

Rule = Callable[[Value, Callable[[], bool]], bool]
"""Whether a value may replace undefined operands. The value is no parameter, which may be undefined itself, except a
parameter of a function whose attribute states that it is defined.

The second argument states whether the definition of the value dominates the parameters with these operands. During
construction, dominance is not known yet, and the answer is False.
"""


def keep_undefined(value: Value, dominates: Callable[[], bool]) -> bool:
    """Never."""
    return False


def replace_undefined(value: Value, dominates: Callable[[], bool]) -> bool:
    """If it is a constant, or dominates the parameters and cannot be undefined.

    Of the results of foreign operations, those cannot whose attribute states so.
    """
    if isinstance(value, (Primitive, Effect)):
        return (value.op not in (LOAD_OR, *FOREIGN_OPERATIONS) or _is_stated(value)) and dominates()
    return isinstance(value, Constant) or dominates()


def counted(
    rule: Rule, values: Collection[Value], dominates: Callable[[Value], bool] = lambda value: False
) -> Collection[Value]:
    """Those of distinct values that count where they meet: all, or only one, which may replace the undefined others."""
    if rule is keep_undefined or len(values) < 2:
        return values
    candidates = defined(values) or [next(iter(values))]  # undefined values are alike
    if isinstance(candidates[0], Undef):
        return candidates
    found = len(candidates) == 1 and may_replace(rule, candidates[0], partial(dominates, candidates[0]))
    return candidates if found else values


def may_replace(rule: Rule, value: Value, dominates: Callable[[], bool]) -> bool:
    """Whether the value may replace undefined operands."""
    may_be_undefined = isinstance(value, Undef) or (isinstance(value, Parameter) and not _is_stated(value))
    return not may_be_undefined and rule(value, dominates)


def defined(values: Iterable[Value]) -> list[Value]:
    """The values that are not undefined."""
    return [value for value in values if not isinstance(value, Undef)]


def _is_stated(value: Parameter | Primitive | Effect) -> bool:
    """Whether an attribute states that the value never is undefined."""
    return stated("defined", value.attributes) is not None
