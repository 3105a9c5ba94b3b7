"""The tables of placement strategies, by which the Builder, the command line and the comparison find them.

`STRATEGIES` has those of the paper, for conversions. `BASELINES` has other methods that construct the same programs,
for comparison, if a room that has them is loaded. A user's strategy is a subclass of `Placement`, registered by a row::

    STRATEGIES["eager"] = Strategy(Eager, "a parameter at every join")
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple, Union

from cpsconv.core.construction.basic import Basic
from cpsconv.core.construction.block import BuildError
from cpsconv.core.construction.placement import Placement
from cpsconv.core.construction.scc import Scc


class Strategy(NamedTuple):
    """A method of placing parameters.

    `placement` is the class, or its location ``module:Class``, which is imported on first use. `description` is a
    phrase for help texts. `counts_lookups` is False if `Counts.lookups` is always 0. `as_printed` is True if redundant
    parameters are removed by Algorithm 5 as printed, and not by dominators (`cpsconv.core.transform.minimality`).
    """

    placement: Union[type[Placement], str]
    description: str
    counts_lookups: bool = True
    as_printed: bool = False

    def new_placement(self) -> Placement:
        """A new placement, for one function."""
        if not isinstance(self.placement, str):
            return self.placement()
        module, name = self.placement.split(":")
        placement: type[Placement] = getattr(import_module(module), name)
        return placement()


STRATEGIES: dict[str, Strategy] = {
    "paper": Strategy(
        "cpsconv.core.construction.paper:Paper", "the algorithms as printed (section 2)", as_printed=True
    ),
    "basic": Strategy(Basic, "a parameter at every join, removed if trivial (section 2)"),
    "marker": Strategy(
        "cpsconv.core.construction.marker:Marker", "a parameter where a cycle is found or values differ (section 3.3)"
    ),
    "scc": Strategy(Scc, "a parameter where several values enter a cycle (section 3.3)"),
}
"""The strategies for conversion, by name."""

BASELINES: dict[str, Strategy] = {}
"""The strategies for comparison, by name. Other rooms register them when they are loaded."""

CONSTRUCTIONS: Mapping[str, Strategy] = ChainMap(BASELINES, STRATEGIES)
"""A view of both tables, the baselines last."""


def new_placement(strategy: str, known: Mapping[str, Strategy] = CONSTRUCTIONS) -> Placement:
    """A new placement, for one function. Raises `BuildError` if `strategy` is not a key of `known`."""
    if strategy not in known:
        raise BuildError(f"there is no strategy {strategy!r}; there are {', '.join(known)}")
    return known[strategy].new_placement()
