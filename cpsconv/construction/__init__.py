"""Construction of CPS programs, directly from whatever a front end walks over.

**An essay before the code.** This is the algorithm of Braun et al. (CC 2013) in the words of its section 5.2: a *block*
of the paper is a continuation under construction (`Block`), a φ function is one of its *parameters* (`Placed`), an
operand is an *argument* of an edge. The front end calls the `Builder`; there is no other program in between.

*Local* (Algorithm 1). Each block maps source variables to their current values. A write records, a read looks there
first.

*Global* (Algorithm 2). A read that finds nothing asks the predecessors. With one predecessor that is all. At a *join*,
a block in which several, different values may meet, a parameter may have to be placed. The three strategies differ only
in when they decide so, each in a file of its own:

- `basic` places a parameter at every join before it looks further, which also ends look-ups that go round a loop, and
  takes it away again if it turns out trivial (Algorithms 2 and 3);
- `marker` only marks the join, and places one if the look-up comes back to the mark or the answers differ (section
  3.3);
- `scc` finds the cycles of the look-up with Tarjan's algorithm, and places parameters where values enter a cycle that
  more than one value enters, and where these meet within it (section 3.3).

*Open ends* (Algorithm 4). A block is *filled* when all of its body is there, and *sealed* when all of its predecessors
are known. A read in an unsealed block cannot ask predecessors that are yet to come. It gets a *proxy*, a parameter that
gets its arguments when the block is sealed.

*Removal* (Algorithm 3). A parameter that receives only itself and one other value is *trivial*. To remove it is to set
its `forward` to that value. Nothing that mentions it is patched: whatever leaves the Builder is resolved through
forwards. Parameters that received the removed one are examined again, since they may have become trivial.

`arguments` stay with their parameter, as the operands of a φ function do, until `finish` writes them into the edges:
up to then a parameter can be taken away at no cost to the calls.

*Afterwards*, when a function is finished, a transformation may give a value further definitions. `Reconstruction`
repairs that with the same look-ups (section 5.1).

*Watching.* An `ObservedBuilder` tells an observer of each step that it takes: see `cpsconv.construction.events`.

*Rivals*, in a package of their own, construct the same programs by other methods, for comparison. They need the whole
graph before they can begin, and so do all of their work when a function is finished.
"""

from cpsconv.construction.block import Block, BuildError, Variable
from cpsconv.construction.builder import Builder
from cpsconv.construction.events import Event, Observer
from cpsconv.construction.reconstruction import Reconstruction
from cpsconv.construction.strategies import BASELINES, CONSTRUCTIONS, STRATEGIES, Strategy
from cpsconv.ir import Counts

__all__ = [
    "BASELINES",
    "CONSTRUCTIONS",
    "STRATEGIES",
    "Block",
    "BuildError",
    "Builder",
    "Counts",
    "Event",
    "Observer",
    "Reconstruction",
    "Strategy",
    "Variable",
]
