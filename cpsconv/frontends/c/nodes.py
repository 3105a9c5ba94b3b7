"""The classes of tree nodes: fields as slots, and a constructor that assigns them.

A node class states its fields by annotations, as a data class does::

    class Unary(Expression):
        op: str
        operand: Expression

``Unary(span, "-", operand)`` takes the inherited fields first. Nodes are compared by identity. The standard library's
``dataclass`` would take most of the time in which the front end is loaded: it creates each class twice, and compiles
several methods; here, the constructor is the only one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:  # only type checkers read it
        return lambda decorated: decorated


@dataclass_transform(eq_default=False)
class NodeType(type):
    """The metaclass of tree nodes. A class without a constructor of its own gets one for its fields.

    ``field: type = value`` states the default of a parameter; such fields come last. An inherited field may be
    annotated again, with a subtype.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> NodeType:
        inherited = [field for base in bases for field in getattr(base, "fields", ())]
        own = [field for field in namespace.get("__annotations__", ()) if field not in inherited]
        defaults = tuple(namespace.pop(field) for field in own if field in namespace)
        fields = inherited + own
        namespace |= {"__slots__": own, "__match_args__": tuple(fields), "fields": fields}
        created = super().__new__(mcs, name, bases, namespace)
        if own and "__init__" not in namespace:
            created.__init__ = _first_constructor(created, fields, defaults)  # type: ignore[misc]
        return created


def _first_constructor(owner: NodeType, fields: Sequence[str], defaults: tuple[object, ...]) -> Any:
    """A constructor that replaces itself at its first call: a program has nodes of few of the classes."""

    def __init__(self: object, *values: object, **named: object) -> None:
        owner.__init__ = _constructor(fields, defaults)  # type: ignore[misc]
        owner.__init__(self, *values, **named)  # type: ignore[misc]

    return __init__


def _constructor(fields: Sequence[str], defaults: tuple[object, ...]) -> Any:
    assignments = "; ".join(f"self.{field} = {field}" for field in fields)
    created: dict[str, Any] = {}
    exec(f"def __init__(self, {', '.join(fields)}): {assignments}", created)
    created["__init__"].__defaults__ = defaults
    return created["__init__"]
