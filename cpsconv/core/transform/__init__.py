"""Transformations of finished programs."""

from cpsconv.core.transform.minimality import minimise, redundant_parameters
from cpsconv.core.transform.pruning import drop_unreachable_functions, prune, unused_parameters

__all__ = ["drop_unreachable_functions", "minimise", "prune", "redundant_parameters", "unused_parameters"]
