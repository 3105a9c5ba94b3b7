"""Which function to look at first where several are different: a mistake in one shows in all that call it."""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.analysis.graph import functions_used
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.ir import Function, Program

_MOST = 3  # suspects that are named: more are no help


def suspects(program: Program, differing: Collection[str]) -> dict[str, list[str]]:
    """For each function those of the `differing` ones to begin with, a few at most.

    The function needs them, they do not need it, and they have no suspects themselves.
    """
    found: dict[str, list[str]] = {}
    passed_on: dict[Function, list[str]] = {}  # what those have as suspects that call the function
    for component in strongly_connected_components(program.functions, functions_used):
        needed = [callee for function in component for callee in functions_used(function) if callee in passed_on]
        below = [*dict.fromkeys(name for callee in needed for name in passed_on[callee])][:_MOST]
        wrong = [function.name for function in reversed(component) if function.name in differing][:_MOST]
        passed_on |= dict.fromkeys(component, below or wrong)
        found |= {function.name: below for function in component}
    return found
