"""What rewrites a finished program."""

from typing import TYPE_CHECKING

from cpsconv.lazy import lazily
from cpsconv.transform.minimal import minimise, redundant_parameters
from cpsconv.transform.prune import drop_unreachable_functions, prune, unused_parameters

if TYPE_CHECKING:
    from cpsconv.transform.thread_jumps import thread_jumps

__all__ = [
    "drop_unreachable_functions",
    "minimise",
    "prune",
    "redundant_parameters",
    "thread_jumps",
    "unused_parameters",
]

lazily(__name__, {"thread_jumps": "cpsconv.transform.thread_jumps"})
