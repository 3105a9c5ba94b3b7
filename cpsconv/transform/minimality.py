"""Removal of redundant sets of parameters (Braun et al., section 3.2).

A set of parameters is *redundant* if they receive only each other and one other value: then they all have that value.
In programs with irreducible control flow, construction can leave such sets.

The paper finds them with Algorithm 5, components within components, which takes quadratic time on a deep nest of loops.
There is a shorter way. Let values flow: from a root to every value that is no parameter, and from each value to the
parameters that receive it. A set is redundant, with `v` as its other value, if and only if `v` dominates its members:

- If all that a parameter receives comes from the set or is `v`, then every way into the set leads through `v`.
- If `v` dominates a parameter, then everything that this receives is `v`, or is dominated by `v` as well. So what `v`
  dominates receives only each other and `v`.

So the parameters to keep are those that only the root dominates, and each other one has the value of the topmost
of its dominators below the root. One dominator tree gives them all; `tests/test_minimal.py` holds it against the
definition and against Algorithm 5.
"""

from __future__ import annotations

from cpsconv.analysis import flow
from cpsconv.analysis.dominance import immediate_dominators
from cpsconv.construction.events import Observer, Redundant
from cpsconv.ir import Parameter, Program, Value
from cpsconv.transform.rewrite import drop_parameters, replace_values


def minimise(program: Program, observer: Observer | None = None) -> None:
    """Remove all redundant parameters of all functions, in place. What is left is minimal. `observer` is told."""
    for function in program.functions:
        replaced = redundant_parameters(flow.parameter_arguments(function))
        if replaced:
            if observer:
                observer(Redundant(function, replaced))
            replace_values(function, replaced)
            drop_parameters(function, replaced)


def redundant_parameters(received: flow.ParameterArguments) -> dict[Parameter, Value]:
    """The redundant ones among the parameters, each with the value that it always has, itself none of them.

    Parameters that receive nothing but each other are unreachable and are left alone.
    """
    if not received:
        return {}
    root = None
    receivers: dict[Value | None, list[Value]] = {root: []}
    for parameter, arguments in received.items():
        for argument in arguments:
            if argument not in received and argument not in receivers:
                receivers[root].append(argument)
            receivers.setdefault(argument, []).append(parameter)
    dominators = immediate_dominators(root, lambda value: receivers.get(value, ()))
    replaced: dict[Parameter, Value] = {}
    for value, dominator in dominators.items():  # each after its dominator
        if isinstance(value, Parameter) and dominator is not root:
            replaced[value] = replaced.get(dominator, dominator)
    return replaced
