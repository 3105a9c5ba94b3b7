"""The names of variables in sentences: variables of the source, and those of reconstructions."""

from __future__ import annotations

from collections import defaultdict

from cpsconv.construction.block import Variable
from cpsconv.source import Span


class VariableLabels:
    """The names of the variables of one function.

    A variable has its name in the source, with its location if another variable has the same name. A variable of a
    reconstruction (section 5.1) denotes the definitions of one value; if other values of the reconstruction have the
    same name, its name includes the continuation of its first definition.
    """

    def __init__(self) -> None:
        self._current: dict[str, set[Variable]] = defaultdict(set)
        self._namesakes: dict[Variable, set[Variable]] = {}
        self._names: dict[Variable, str] = {}
        self._homes: dict[Variable, str] = {}

    def begin_reconstruction(self) -> None:
        """Start to note other variables: they are distinguished from each other, but not from those noted before."""
        self._current = defaultdict(set)

    def note(self, variable: Variable, name: str, home: str | None = None) -> None:
        """Note a variable; one of a reconstruction with its `home`, the continuation of its first definition."""
        if variable not in self._names:
            self._names[variable] = name
            self._namesakes[variable] = self._current[name]
            self._current[name].add(variable)
            if home:
                self._homes[variable] = home

    def __contains__(self, variable: Variable) -> bool:
        return variable in self._names

    def __getitem__(self, variable: Variable) -> str:
        """The name of a variable, which need not have been noted."""
        name, home = self._names.get(variable, variable.name), self._homes.get(variable)
        others = self._namesakes.get(variable, self._current[name]) - {variable}
        if home and others:
            name = f"`{name}` of {home}"
            others = {each for each in others if self._homes.get(each) == home}
        else:
            name = f"`{name}`"
        return f"{name}{_location(variable, others)}" if others and variable.span else name


def _location(variable: Variable, others: set[Variable]) -> str:
    assert variable.span
    line, column = variable.span.source.position(variable.span.start)
    same_line = any(_line(other.span) == line for other in others)
    return f" on line {line}{f', column {column}' if same_line else ''}"


def _line(span: Span | None) -> int | None:
    return span.line if span else None
