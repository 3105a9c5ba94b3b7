"""Baselines: other constructions of the same programs, with which the strategies of the paper are compared.

Each file has one method, as close to its source as the shared interfaces allow. All methods work on the complete graph
(see `deferred`). No conversion needs them. Algorithm 5 (`cpsconv.core.transform.minimise`) applies to their programs,
too. When this package is loaded, the Builder knows them by name.
"""

from __future__ import annotations

from importlib.util import find_spec

from cpsconv.core.construction.strategies import BASELINES, CONSTRUCTIONS, Strategy

__all__ = ["BASELINES", "CONSTRUCTIONS"]

BASELINES |= {
    "cytron": Strategy(f"{__name__}.cytron:Cytron", "pruned iterated dominance frontiers"),
    "aycock-horspool": Strategy(f"{__name__}.aycock_horspool:AycockHorspool", "all parameters but trivial ones"),
    "two-phase": Strategy(f"{__name__}.two_phase:TwoPhase", "a parameter at every join with a live variable"),
    "countdown": Strategy(f"{__name__}.countdown:Countdown", "the basic algorithm in reverse postorder"),
}

if find_spec("llvmlite"):
    BASELINES["llvm"] = Strategy(f"{__name__}.llvm:Llvm", "LLVM's own pass", counts_lookups=False)
