"""Which variable a name stands for: C's block scopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cpsconv.construction import Variable
from cpsconv.frontends.c.semantic_errors import Complaints
from cpsconv.ir import Scalar
from cpsconv.source import Span


@dataclass(eq=False, slots=True)
class Binding:
    """A variable declared at a depth of scopes; `constant` says that it cannot be assigned to.

    Up to the end of its scope it hides what its name stood for before.
    """

    variable: Variable
    constant: bool
    depth: int
    hides: Binding | None


class Scopes:
    """The variables of one function: `find` gives what a name stands for here, however deeply scopes are nested."""

    def __init__(self, complaints: Complaints) -> None:
        self.undeclared: set[str] = set()
        self._complaints = complaints
        self._visible: dict[str, Binding | None] = {}
        self.find: Callable[[str], Binding | None] = self._visible.get
        self._scopes: list[list[Binding]] = []

    def enter(self) -> None:
        """Begin a scope, in those that have begun."""
        self._scopes.append([])

    def leave(self) -> None:
        """End the innermost scope, and all that was declared in it."""
        declared = self._scopes.pop()
        while declared:
            binding = declared.pop()
            self._visible[binding.variable.name] = binding.hides

    def declare(self, name: str, type: Scalar, constant: bool, span: Span) -> Variable:
        """A new variable in the current scope, which must not have another of that name."""
        variable = Variable(name, type, span)
        earlier = self.find(name)
        depth = len(self._scopes)
        if earlier and earlier.depth == depth and earlier.variable.span:
            note = ("it is first declared here", earlier.variable.span)
            self._complaints.error(f"`{name}` is declared twice in the same scope", span, note=note)
        binding = self._visible[name] = Binding(variable, constant, depth, earlier)
        self._scopes[-1].append(binding)
        return variable

    def names(self) -> list[str]:
        """All names that stand for a variable here."""
        return [name for name, binding in self._visible.items() if binding]
