"""The classes of programs and trees: fields as slots, and a constructor that assigns them.

A class states its fields by annotations, as a data class does::

    class Unary(Expression):                     # the base class, or metaclass=NodeType
        op: str
        operand: Expression
        notes: list[str] = field(default_factory=list)

``Unary(span, "-", operand)`` takes the inherited fields first. Nodes are compared by identity. The standard library's
``dataclass`` would take a large part of the time in which the tool is loaded: it creates each class twice, and compiles
several methods; here, the constructor is the only one, and is compiled at its first call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, Field, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:  # only type checkers read it
        return lambda decorated: decorated


AnyNode = TypeVar("AnyNode")


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class NodeType(type):
    """The metaclass of nodes. A class without a constructor of its own gets one for its fields.

    ``field: type = value`` states the default of a parameter, ``field(default_factory=list)`` a new one for each node;
    such fields come last. ``field(default=value, kw_only=True)`` is one that may precede fields of derived classes. An
    inherited field may be annotated again, with a subtype; then it has no default, unless one is stated again.
    """

    _defaults: Mapping[str, object]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> NodeType:
        inherited = [each for base in bases for each in getattr(base, "__match_args__", ())]
        stated = namespace.get("__annotations__", ())
        own = [each for each in stated if each not in inherited]
        inherited_defaults = (each for base in bases for each in getattr(base, "_defaults", {}).items())
        defaults = {each: value for each, value in inherited_defaults if each not in stated}
        defaults |= {each: namespace.pop(each) for each in stated if each in namespace}
        namespace.setdefault("__slots__", own)
        namespace |= {"__match_args__": (*inherited, *own), "_defaults": defaults}
        created = super().__new__(mcs, name, bases, namespace)
        if stated and "__init__" not in namespace:
            created.__init__ = _first_constructor(created)  # type: ignore[misc]
        return created


def replace(node: AnyNode, **changes: object) -> AnyNode:
    """A copy of the object with other values of some fields."""
    changed = copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed


def _first_constructor(owner: Any) -> Any:
    """A constructor that replaces itself at its first call: a run of the tool creates nodes of few of the classes."""

    def __init__(self: object, *values: object, **named: object) -> None:
        owner.__init__ = _constructor(owner.__match_args__, owner._defaults)
        owner.__init__(self, *values, **named)

    return __init__


def _constructor(fields: Sequence[str], defaults: Mapping[str, Any]) -> Any:
    values: dict[str, Any] = {}
    parameters, assignments, named = ["self"], [], ["*"]
    for each in fields:
        default = defaults.get(each, MISSING)
        if isinstance(default, Field) and default.kw_only is True:
            values[f"default_{each}"] = default.default
            assignments.append(f"self.{each} = {each}")
            named.append(f"{each}=default_{each}")
            continue
        if isinstance(default, Field):
            values[f"new_{each}"], default = default.default_factory, None
            assignments.append(f"self.{each} = new_{each}() if {each} is None else {each}")
        else:
            assignments.append(f"self.{each} = {each}")
        if default is MISSING:
            parameters.append(each)
        else:
            values[f"default_{each}"] = default
            parameters.append(f"{each}=default_{each}")
    parameters += named if len(named) > 1 else []
    exec(f"def __init__({', '.join(parameters)}): {'; '.join(assignments)}", values)
    return values["__init__"]
