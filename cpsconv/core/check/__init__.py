"""Checks of form, scope and types, warnings about variables and pointers, and the certificate of a conversion.

`check` is the type checker of CPS text. Converted programs always pass, unless this package has a bug. `certify`
compares a converted program with the record of its source.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpsconv.core.check.certification import certify, certify_threaded
    from cpsconv.core.check.program_warnings import warnings_of
    from cpsconv.core.check.soundness import CHECKS, RULES, check

__all__ = ["CHECKS", "RULES", "certify", "certify_threaded", "check", "warnings_of"]

_HOMES = {"certify": "certification", "certify_threaded": "certification", "warnings_of": "program_warnings"}


def __getattr__(name: str) -> Any:
    """The public names, loaded on first use: a conversion needs the warnings only."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'soundness')}"), name)
