"""Scopes (C17 6.2.1 and 6.2.3): what names and tags denote.

The identifiers of objects, functions, types and constants share one name space; tags have another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span
from cpsconv.languages.c.diagnostics import Errors, seen
from cpsconv.languages.c.meaning.typed_tree import Global, Local
from cpsconv.languages.c.types import UNKNOWN, CType


class Typedef(metaclass=NodeType):
    """The name of a type."""

    name: str
    type: CType
    span: Span


class Scopes:
    """The scopes of one unit, of which the file scope is the outermost. `find` returns what a visible name denotes.

    A variable whose declaration is erroneous has the type `UNKNOWN`. `undeclared` collects the undeclared names of a
    function, each of which is reported once. `protected` has what encloses the current statement and no jump may enter:
    statement expressions, and the scopes of objects of variable length.
    """

    def __init__(self, errors: Errors) -> None:
        self.undeclared: set[str] = set()
        self._errors = errors
        self._visible: dict[str, Any] = {}
        self.find: Callable[[str], Any] = self._visible.get
        self._scopes: list[dict[str, Any]] = [{}]  # for each scope its names, and what they denote around it
        self._tags: list[dict[str, Any]] = [{}]
        self.protected: list[tuple[str, Span]] = []
        self._protected: list[int] = []  # for each scope the number of those around it

    @property
    def is_file_scope(self) -> bool:
        """Whether the current scope is the file scope."""
        return len(self._scopes) == 1

    def enter(self) -> None:
        """Begin a scope in the current one."""
        self._scopes.append({})
        self._tags.append({})
        self._protected.append(len(self.protected))

    def leave(self) -> None:
        """End the innermost scope with its declarations."""
        self._tags.pop()
        del self.protected[self._protected.pop() :]
        for name, hidden in reversed(self._scopes.pop().items()):
            entity = self._visible[name]
            self._visible[name] = hidden
            if isinstance(entity, (Local, Global)) and not entity.is_used and entity.type is not UNKNOWN:
                self.warn_of_unused(entity, name)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Declare in the scope around the current one within the block."""
        names, tags = self._scopes.pop(), self._tags.pop()
        for name, hidden in names.items():
            names[name], self._visible[name] = self._visible[name], hidden
        yield
        for name, entity in names.items():
            names[name], self._visible[name] = self._visible.get(name), entity
        self._scopes.append(names)
        self._tags.append(tags)

    def warn_of_unused(self, variable: Local | Global, name: str) -> None:
        """Warn of a variable whose value is not used, unless its address is, or it is visible in other files."""
        if variable.address_taken if isinstance(variable, Local) else not variable.is_static:
            return
        is_parameter = isinstance(variable, Local) and variable.is_parameter
        kind = "parameter" if is_parameter else "variable"
        if variable.is_assigned:
            rule = "unused-but-set-parameter" if is_parameter else "unused-but-set-variable"
        else:
            rule = "unused-parameter" if is_parameter else "unused-variable"
        what = "assigned to, but never read" if variable.is_assigned else "never used"
        self._errors.warn(rule, f"the {kind} `{name}` is {what}", variable.span)

    # -------------------------------------------------------------------------------------------------- identifiers

    def declare(self, entity: Any, name: str = "") -> Any:
        """Add an entity to the current scope, by default under its own name. Returns it.

        Reports an earlier declaration of the name in the same scope, if it declares something else.
        """
        name = name or entity.name
        earlier = self.declared_here(name)
        if earlier is None:
            self._scopes[-1][name] = self._visible.get(name)
        elif earlier is not entity and UNKNOWN not in (getattr(earlier, "type", None), getattr(entity, "type", None)):
            message = f"`{name}` is declared twice in the same scope"
            self._errors.report("redefined", message, entity.span, notes=seen(earlier.span, "first declared"))
        self._visible[name] = entity
        return entity

    def declared_here(self, name: str) -> Any:
        """What the name denotes by a declaration of the current scope, if there is one."""
        return self._visible.get(name) if name in self._scopes[-1] else None

    def report_others_than_variables(self, span: Span) -> None:
        """Report what else than local variables a declaration at `span`, in a ``for``, declares (C17 6.8.5)."""
        declared = {name: self._visible[name] for name in self._scopes[-1]}
        others = [name for name, entity in declared.items() if not isinstance(entity, Local)]
        for name in [*others, *map(str, self._tags[-1].values())]:
            message = f"a `for` declares local variables only, and `{name}` is none"
            self._errors.report("misplaced", message, span, help="declare it before the loop")

    def declare_unknown(self, name: str, span: Span) -> None:
        """Declare a variable of unknown type, whose uses are not reported."""
        self.declare(Local(name, UNKNOWN, span, is_constant=False, is_used=True))

    def names(self) -> list[str]:
        """The names of all visible variables, constants and functions."""
        return [name for name, entity in self._visible.items() if entity and not isinstance(entity, Typedef)]

    # --------------------------------------------------------------------------------------------------------- tags

    def find_tag(self, tag: str, *, innermost: bool = False) -> Any:
        """The type of a tag, if it is declared; with `innermost`, in the current scope."""
        scopes = self._tags[-1:] if innermost else reversed(self._tags)
        return next((scope[tag] for scope in scopes if tag in scope), None)

    def warn_of_new_tags(self, span: Span) -> None:
        """Warn of the tags of the current scope, that of the parameters at `span`: callers cannot use their types."""
        for type in self._tags[-1].values():
            message = f"`{type}` is declared in this parameter list, and not known outside of the function"
            self._errors.warn("visibility", message, type.span or span, help="declare it before the function")

    def declare_tag(self, tag: str, type: CType) -> None:
        """Declare a tag in the current scope."""
        self._tags[-1][tag] = type
