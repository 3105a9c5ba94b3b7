"""The parameters that a construction places and removes."""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Placed
from cpsconv.core.ir import Function


class Parameters(NamedTuple):
    """The parameters that a construction places in a function, and those of them that it removes."""

    placed: list[Placed]
    removed: set[Placed]

    @property
    def kept(self) -> list[Placed]:
        """The other ones."""
        return [each for each in self.placed if each not in self.removed]


class Placements:
    """An observer of a construction: the parameters of each function, without those of unreachable continuations."""

    def __init__(self) -> None:
        self.functions: dict[Function, Parameters] = {}

    def __call__(self, event: e.Event) -> None:
        match event:
            case e.Open(function):
                self.current = self.functions[function] = Parameters([], set())
            case e.Proxy(parameter) | e.Place(parameter):
                self.current.placed.append(parameter)
            case e.Remove(parameter):
                self.current.removed.add(parameter)
            case e.Unreachable(block):
                placed = self.current.placed
                placed[:] = [each for each in placed if each.block.continuation is not block.continuation]
