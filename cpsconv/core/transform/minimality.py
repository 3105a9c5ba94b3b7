"""Removal of redundant sets of parameters (Braun et al., section 3.2).

A set of parameters is *redundant* if they receive only each other and one other value: then they all have the other
value. In programs with irreducible control flow or with copies, construction can leave such sets.

The paper finds them with Algorithm 5, by nested strongly connected components, in quadratic time on a deep nest of
loops. Dominators find them faster. Consider the graph with edges from a root to every value that is not a parameter,
and from each value to the parameters that receive it. A parameter is in a redundant set with `v` as its other value if
and only if `v` strictly dominates it:

- If the members of a set receive only each other and `v`, then every path into the set leads through `v`.
- If `v` dominates a parameter, then each of its arguments is `v`, or is dominated by `v`. So the parameters that `v`
  dominates receive only each other and `v`.

So a parameter that only the root dominates is kept; every other parameter has the value of its topmost dominator below
the root. A single dominator tree suffices. `tests/core/test_minimal.py` compares the result with the definition and
with Algorithm 5.

With a rule for undefined operands, the other value of a redundant set may replace undefined values that its members
receive, too (`cpsconv.core.analysis.undefined_operands`).
"""

from __future__ import annotations

from cpsconv.core.analysis import flow
from cpsconv.core.analysis.dominance import immediate_dominators
from cpsconv.core.analysis.nesting import find_free_values
from cpsconv.core.analysis.redundancy import Arguments, UndefinedOperands
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined
from cpsconv.core.construction.events import Observer, Redundant
from cpsconv.core.ir import Function, Parameter, Program, Value
from cpsconv.core.transform.rewrite import drop_parameters, replace_free_values, replace_values


def minimise(
    program: Program, observer: Observer | None = None, *, as_printed: bool = False, undefined: Rule = keep_undefined
) -> None:
    """Remove all redundant parameters, in place; the result is minimal. Reports them to `observer`.

    They are found `as_printed` in Algorithm 5, step by step, or else by dominators. `undefined` is the rule for
    undefined operands. A nested function follows those whose values it uses, so that the values that replace them there
    are final.
    """
    has_nested = program.has_nested_functions
    for function in program.functions:
        replaced = minimise_function(function, observer, as_printed=as_printed, undefined=undefined)
        if replaced and has_nested:
            replace_free_values(program, replaced)
    if has_nested:
        find_free_values(program)


def minimise_function(
    function: Function, observer: Observer | None = None, *, as_printed: bool = False, undefined: Rule = keep_undefined
) -> dict[Parameter, Value]:
    """Remove the redundant parameters of a function. Returns them, each with the value that replaces it."""
    received = flow.parameter_arguments(function)
    if as_printed:
        from cpsconv.core.transform.redundant_sccs import remove_redundant_phis  # for one strategy only

        replaced = remove_redundant_phis(function, received, observer, undefined)
    else:
        replaced = UndefinedOperands(function, undefined).redundant(received, redundant_parameters)
        if replaced and observer:
            observer(Redundant(function, replaced))
    if replaced:
        replace_values(function, replaced)
        drop_parameters(function, replaced)
    return replaced


def redundant_parameters(received: Arguments) -> dict[Parameter, Value]:
    """The redundant parameters, each with its only value, which is not a redundant parameter.

    Parameters that receive only each other are unreachable, and are not included.
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
