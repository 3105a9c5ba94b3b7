"""Construction of CPS programs, directly from the syntax tree that a front end walks.

**An essay before the code.** This is the algorithm of Braun et al. (CC 2013) in the terms of its section 5.2: a *block*
of the paper is a continuation under construction (`Block`), a φ function is one of its *parameters* (`Placed`), an
operand is an *argument* of an edge. The front end calls the `Builder`; there is no intermediate program.

*Local* (Algorithm 1). Each block maps source variables to their current values. A write records a value there; a read
looks there first.

*Global* (Algorithm 2). A read that finds no value continues in the predecessors. A block with one predecessor has its
value. At a *join*, a block with several, different values may meet and need a parameter. The strategies differ in when
they place it; each is in a file of its own:

- `paper` is the pseudocode of Algorithms 1 to 4 as printed, function by function, for reading and teaching;
- `basic` places a parameter at every join before it searches further, so that look-ups around a loop end, and removes
  the parameter if it turns out trivial (Algorithms 2 and 3);
- `marker` only marks the join, and places a parameter if the look-up returns to the mark or the results differ (section
  3.3);
- `scc` finds the cycles of the look-up with Tarjan's algorithm, and places parameters only in cycles that several
  values enter: where the values enter, and where they meet inside the cycle (section 3.3).

*Incomplete graphs* (Algorithm 4). A block is *filled* when its whole body is present, and *sealed* when all of its
predecessors are known. A read in an unsealed block cannot search predecessors that do not exist yet. It creates a
*proxy*, a parameter that gets its arguments when the block is sealed.

*Removal* (Algorithm 3). A parameter that receives only itself and one other value is *trivial*. Removal sets its
`forward` to that value and patches no use: every value that leaves the Builder is resolved through the forwards. The
parameters that received the removed one are examined again, since they may have become trivial.

*Undefined operands*. A read of a variable that is not assigned has an undefined value, which is a value like any other,
unless the language chooses another rule (`cpsconv.core.analysis.undefined_operands`).

*Arguments* stay with their parameter, like the operands of a φ function, until `finish` writes them into the edges. So
the removal of a parameter does not touch the edges.

*Dead code* has no effect. After a transfer, and in a sealed block without predecessors, the Builder adds no statement
and no edge until the next block is entered. So front ends need no rule for a statement after a ``return``.

*Reconstruction* (section 5.1). After a function is finished, a transformation may add definitions of a value.
`Reconstruction` restores a valid program with the same look-ups.

*Observation*. A Builder or a `Reconstruction` reports each step to its observer, if it has one
(`cpsconv.core.construction.events`). The explanations and the record for certificates
(`cpsconv.core.construction.record`) are built from these events.

*Strategies* are registered in a table (`cpsconv.core.construction.strategies`). A new one is a subclass of `Placement`
or of `Basic`, and places `Placed` parameters (example: `examples/extend/strategy.py`). A second table has the
*baselines*, other methods that construct the same programs, for comparison. They need the complete graph, and do all of
their work when a function is finished.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpsconv.core.construction.basic import Basic
from cpsconv.core.construction.block import Block, BuildError, Placed, Variable
from cpsconv.core.construction.builder import Builder
from cpsconv.core.construction.events import Event, Observer
from cpsconv.core.construction.placement import Placement
from cpsconv.core.construction.strategies import STRATEGIES, Strategy
from cpsconv.core.ir import Counts

if TYPE_CHECKING:
    from cpsconv.core.construction.reconstruction import Reconstruction

__all__ = [
    "STRATEGIES",
    "Basic",
    "Block",
    "BuildError",
    "Builder",
    "Counts",
    "Event",
    "Observer",
    "Placed",
    "Placement",
    "Reconstruction",
    "Strategy",
    "Variable",
]


def __getattr__(name: str) -> Any:
    """`Reconstruction`, loaded on first use: most commands thread no jumps."""
    if name != "Reconstruction":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("cpsconv.core.construction.reconstruction").Reconstruction
