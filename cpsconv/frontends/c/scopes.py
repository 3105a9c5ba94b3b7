"""Which variable a name stands for: C's block scopes."""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.build import Variable
from cpsconv.frontends.c.complaints import Complaints
from cpsconv.ir import Scalar
from cpsconv.source import Span


@dataclass(eq=False, slots=True)
class Binding:
    """A variable declared at a depth of scopes; `constant` says that it cannot be assigned to."""

    variable: Variable
    constant: bool
    depth: int


class Scopes:
    """The variables of one function, by name; the innermost declaration of a name is the last of its bindings.

    So a look-up takes the same time however deeply scopes are nested. What is declared within ``with scopes:`` ends
    with it.
    """

    def __init__(self, complaints: Complaints) -> None:
        self.undeclared: set[str] = set()
        self._complaints = complaints
        self._bindings: dict[str, list[Binding]] = {}
        self._scopes: list[list[str]] = []

    def __enter__(self) -> None:
        self._scopes.append([])

    def __exit__(self, *_: object) -> None:
        for name in self._scopes.pop():
            self._bindings[name].pop()

    def declare(self, name: str, type: Scalar, constant: bool, span: Span) -> Variable:
        """A new variable in the current scope, which must not have another of that name."""
        variable = Variable(name, type, span)
        earlier = self.find(name)
        depth = len(self._scopes)
        if earlier and earlier.depth == depth and earlier.variable.span:
            note = ("it is first declared here", earlier.variable.span)
            self._complaints.error(f"`{name}` is declared twice in the same scope", span, note=note)
        self._bindings.setdefault(name, []).append(Binding(variable, constant, depth))
        self._scopes[-1].append(name)
        return variable

    def find(self, name: str) -> Binding | None:
        """What the name stands for here."""
        bindings = self._bindings.get(name)
        return bindings[-1] if bindings else None

    def names(self) -> list[str]:
        """All names that stand for a variable here."""
        return [name for name, bindings in self._bindings.items() if bindings]
