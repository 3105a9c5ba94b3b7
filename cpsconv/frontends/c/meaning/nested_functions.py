"""Nested functions of GNU C: the variables of the functions around them that they use.

Such a *captured* variable is in memory, and its pointer is a free value of the nested function in the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.types import Array, CType, Pointer, VariableArray
from cpsconv.nodes import NodeType

MAX_NESTING = 30
"""The largest number of functions in each other: typing and erasing them is recursive."""


def enclosing(function: t.Function) -> list[t.Function]:
    """The function and those around it, innermost first."""
    found = [function]
    while outer := found[-1].enclosing:
        found.append(outer)
    return found


@contextmanager
def suspended(*typing: Any) -> Iterator[None]:
    """Suspend the typing of a function: afterwards, the attributes of the objects are those of before."""
    states = [dict(vars(each)) for each in typing]
    for each in typing:
        vars(each).update({name: [] for name in ("counts", "lengths") if name in vars(each)})
    yield
    for each, state in zip(typing, states, strict=True):
        vars(each).update(state)


def capture(function: t.Function) -> None:
    """Find the captured variables of a nested function, whose body is typed."""
    used, own = _locals(function)
    function.captured = [local for local in used if local not in own]
    for local in function.captured:
        local.captured = local.captured or function
        local.is_used = True
    if function.captured:
        for each in enclosing(function):
            each.has_objects = True


def report_pointers(functions: Sequence[t.Function], globals: Sequence[t.Global], errors: Errors) -> None:
    """Report each pointer to a nested function that needs variables of functions around it."""
    bodies: list[Any] = [function.body for function in functions if function.nested or function.enclosing]
    for node in _within([*bodies, *(each.initial for each in globals)]) if bodies else ():
        if isinstance(node, t.FunctionAddress) and node.function.enclosing and _needs_variables(node.function):
            name, span = node.function.name.rpartition(".")[2], node.function.span
            message = f"pointers to `{name}`, a nested function with outer variables, are not supported yet"
            errors.report("unsupported", message, node.span, notes=[("it is defined here", span)])


def _needs_variables(function: t.Function) -> bool:
    """Whether a call of the function needs variables of functions around it, for itself or for functions it calls."""
    found = [function]
    for each in found:  # appended to during iteration
        if each.captured:
            return True
        found += [callee for callee in each.calls if callee not in found]
    return False


def _locals(function: t.Function) -> tuple[dict[t.Local, None], set[t.Local]]:
    """The variables that a function uses, also as lengths of arrays, and those that it declares."""
    used: dict[t.Local, None] = {}
    own = {*function.parameters}
    for node in _within([function.body, [each.type for each in function.parameters]]):
        if isinstance(node, CType):
            used |= dict.fromkeys(_counts(node))
        elif isinstance(node, t.Local):
            used[node] = None
        elif isinstance(node, t.Declare):
            own.add(node.variable)
    return used, own


def _within(parts: list[Any]) -> Iterator[Any]:
    """The nodes of the typed tree in some parts, with the variables and types in them."""
    pending = parts
    while pending:
        node = pending.pop()
        if isinstance(node, (list, tuple)):
            pending += node
        elif isinstance(node, CType):
            yield node
        elif isinstance(node, t.Local):
            yield node
            pending.append(node.type)
        elif isinstance(type(node), NodeType) and not isinstance(node, (t.Global, t.Function)):
            yield node
            pending += [getattr(node, name) for name in type(node).__match_args__ if name not in _NOT_PARTS]


_NOT_PARTS = {"span", "label", "cases", "follows", "before", "after", "field", "format"}
"""The fields of nodes that have neither parts nor types."""


def _counts(type: CType) -> Iterator[t.Local]:
    """The variables with the lengths of arrays in the type."""
    while isinstance(type, (Array, Pointer)):
        if isinstance(type, VariableArray) and isinstance(type.count, t.Local):
            yield type.count
        type = type.element if isinstance(type, Array) else type.target
