"""Other ways to the same program, to compare the paper's strategies with.

Each file holds one construction, as close to its source as the shared house allows. All of them work on the complete
graph (`deferred` says what they find there); none is needed to convert anything. What they place is theirs: Algorithm
5 (`cpsconv.transform.minimise`) can be applied to their programs as to any other.
"""

from cpsconv.construction.baselines.aycock_horspool import AycockHorspool
from cpsconv.construction.baselines.countdown import Countdown
from cpsconv.construction.baselines.cytron import Cytron
from cpsconv.construction.baselines.llvm import Llvm
from cpsconv.construction.baselines.two_phase import TwoPhase
from cpsconv.construction.placement import Placement

__all__ = ["PLACEMENTS", "AycockHorspool", "Countdown", "Cytron", "Llvm", "TwoPhase"]

PLACEMENTS: dict[str, type[Placement]] = {
    "cytron": Cytron,
    "aycock-horspool": AycockHorspool,
    "two-phase": TwoPhase,
    "countdown": Countdown,
    "llvm": Llvm,
}
"""The rivals, by the names of `cpsconv.construction.RIVALS`."""
