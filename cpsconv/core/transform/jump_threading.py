"""Jump threading: edges with a known outcome bypass the next branch or switch (section 5.1 of Braun et al.).

Here, a *branch* is a continuation that ends with a branch or switch. On an edge to a branch, its outcome may be known
from constant arguments, or from earlier outcomes on the only path to the edge. Such an edge gets its own copy of the
branch, which jumps to the known target. Each copy adds a definition for each parameter and statement of the branch.
`Reconstruction` repairs their uses, without computing dominance.

*Copied statements.* A copy has all statements of the branch that are not constant in it. So effects and runtime errors
happen as before, once on each path. A statement is constant if `fold` gives its value (it gives none for one that
traps), or an earlier outcome implies its value. An undefined value is not a constant.

*Joins before a branch.* If several edges meet in a continuation that jumps to a branch, only one of them may imply the
outcome. Then the join is copied for this edge, too.

*Rounds.* Each round finds all copies on the unchanged function, then redirects the edges. So each path through the new
function corresponds to a path through the old one. An edge is threaded through successive branches as long as their
outcomes are known. Values that become constant by threading are used in the next round.

*Termination.* Copies are never copied. A threaded edge leads to a copy, and the only exit of the copy becomes a
candidate instead, so the number of candidates does not grow. `History` has for each candidate the continuations that it
was threaded through, and a candidate is threaded through each original continuation at most once. So loops are not
unrolled, and the transformation terminates, in quadratic time at most. `MAX_ROUNDS` and the limits in
`cpsconv.core.transform.branch_duplication` make it near-linear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import chain

from cpsconv.core.analysis.flow import escaping_continuations
from cpsconv.core.analysis.graph import depth_first, incoming, reachable, uses
from cpsconv.core.analysis.nesting import drop_uncalled, owners_of_values
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined
from cpsconv.core.attributes import ATTRIBUTES
from cpsconv.core.construction import STRATEGIES, Block, Observer, Reconstruction, Variable
from cpsconv.core.construction.events import Compute, Redirect, Unreachable
from cpsconv.core.construction.finish import merge_chains
from cpsconv.core.construction.reconstruction import closed_joins
from cpsconv.core.ir import (
    Continuation,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Target,
    Value,
)
from cpsconv.core.source import Diagnostic, warning
from cpsconv.core.transform.branch_duplication import Copy, History, Threads
from cpsconv.core.transform.minimality import minimise, minimise_function
from cpsconv.core.transform.pruning import prune

MAX_ROUNDS = 8
"""The maximal number of rounds."""

Copies = dict[Continuation, list[Copy]]
"""The copies of each original."""


def thread_jumps(
    program: Program, strategy: str = "scc", observer: Observer | None = None, undefined: Rule = keep_undefined
) -> list[Diagnostic]:
    """Redirect, in place, jumps past branches and switches whose outcomes are known. The program must be well-formed.

    Then redundant and unused parameters are removed, and each continuation whose only predecessor jumps to it is merged
    into the predecessor. Functions that `Reconstruction` rejects are not threaded, nor functions around others, whose
    values would get several definitions.

    `strategy` is that of the reconstructions; the result does not depend on it. `observer` is called with each step,
    except for redirections to copies that only jump, and merging (`cpsconv.core.construction.events`). `undefined` is
    the rule for undefined operands of the remaining parameters (`cpsconv.core.analysis.undefined_operands`).

    Returns a warning for each attribute that was dropped, because it holds for one statement only, which was copied.
    """
    dropped: list[Diagnostic] = []
    owners = owners_of_values(program) if program.has_nested_functions else {}
    around = {owners[value][0] for function in program.functions for value in function.free}
    for function in program.functions:
        if function not in around:
            dropped += _thread_all(function, strategy, observer)
    prune(program, observer=observer)
    minimise(program, observer, undefined=undefined)
    for function in program.functions:
        _merge(function)
    if program.has_nested_functions:
        drop_uncalled(program)
    return dropped


def _thread_all(function: Function, strategy: str, observer: Observer | None) -> Iterator[Diagnostic]:
    history = History()
    for _ in range(MAX_ROUNDS):
        if any(closed_joins(function)):
            break
        copies = [*Threads(function, history).copies()]
        if not copies:
            break
        _move(function, copies, strategy, observer)
        yield from _drop_unique(function, copies)
    _skip_empty(function, history.copies)


def _move(function: Function, copies: Collection[Copy], strategy: str, observer: Observer | None) -> None:
    """Redirect the edges of one round to the copies, and repair the function."""
    by_original: Copies = {}
    following: dict[Continuation, list[Continuation]] = defaultdict(list)
    for copy in copies:
        by_original.setdefault(copy.original, []).append(copy)
        following[copy.source].append(copy.continuation)
        copy.entry.target = copy.continuation
        copy.entry.arguments = copy.arguments
        if observer is not None:
            observer(_redirection(function, copy))
    reached = set(reachable(function))
    if observer is not None:
        for member in function.continuations:
            if member not in reached:
                observer(Unreachable(Block(member, sealed=True, filled=True)))
    listed = depth_first(function.members(), following.__getitem__)  # a copy follows the source of its edge
    function.continuations = [member for member, _ in listed if member in reached and member is not function]
    _repair(function, by_original, Reconstruction(function, strategy, observer), observer)
    minimise_function(function, observer, as_printed=STRATEGIES[strategy].as_printed)


def _drop_unique(function: Function, copies: Collection[Copy]) -> Iterator[Diagnostic]:
    """Drop the attributes that hold for one statement only from copied statements and their copies."""
    for original, own in [pair for copy in copies for pair in copy.own.items()]:
        for each in (original, own):
            if isinstance(each, (Primitive, Effect)) and each.attributes:
                unique = {name for name in each.attributes if name in ATTRIBUTES and ATTRIBUTES[name].is_unique}
                each.attributes = {name: value for name, value in each.attributes.items() if name not in unique}
                for name in unique if each is original else ():
                    message = f"the attribute `{name}` of a statement in `{function.name}` is dropped: it was copied"
                    yield warning(message, each.span, rule="dropped-attribute")


def _redirection(function: Function, copy: Copy) -> Redirect:
    span = copy.source.transfer.span if copy.source.transfer else None
    return Redirect(function, copy.source, copy.original, copy.continuation, copy.exit.target, span)


def _repair(function: Function, copies: Copies, reconstruction: Reconstruction, observer: Observer | None) -> None:
    """Replace the uses of the originals' values by reads of variables, which originals and copies define."""
    homes: dict[Value, Continuation] = {value: home for home in copies for value in (*home.parameters, *home.body)}
    variables: dict[Value, Variable] = {}
    for member in function.members():
        for value in uses(member):
            if homes.get(value, member) is not member and value not in variables:
                variables[value] = _variable(value)
    if observer is not None:
        _report_statements(copies, reconstruction, observer)
    present = set(function.continuations)
    for value, variable in variables.items():
        definitions = {copy.continuation: copy.own[value] for copy in copies[homes[value]]}
        for member, definition in {homes[value]: value, **definitions}.items():
            if member in present:
                reconstruction.write_variable(variable, member, definition, variable.span)
    reconstruction.replace_uses(variables)
    reconstruction.finish()


def _report_statements(copies: Copies, reconstruction: Reconstruction, observer: Observer) -> None:
    for copy in chain.from_iterable(copies.values()):
        for statement in copy.continuation.body:
            observer(Compute(reconstruction.block(copy.continuation), statement, statement.operands))


def _variable(value: Value) -> Variable:
    assert isinstance(value, (Parameter, Primitive, Effect)) and isinstance(value.type, Scalar)
    return Variable(value.name or "", value.type, value.span, value.attributes if isinstance(value, Parameter) else {})


def _skip_empty(function: Function, copies: Collection[Continuation]) -> None:
    """Redirect edges past copies that only jump."""
    empty = {
        member: member.transfer.edge
        for member in function.continuations
        if member in copies and isinstance(member.transfer, Jump) and not member.parameters and not member.body
    }
    _keep_one_in_each_loop(empty)
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            while isinstance(edge.target, Continuation) and edge.target in empty:
                following = empty[edge.target]
                edge.target, edge.arguments = following.target, following.arguments
    function.continuations = [member for member in function.continuations if member not in empty]


def _keep_one_in_each_loop(empty: dict[Continuation, Edge]) -> None:
    """Remove one member of each cycle from `empty`: an endless loop needs a continuation."""
    followed: set[Continuation] = set()
    for start in [*empty]:
        path: set[Target] = set()
        target: Target = start
        while isinstance(target, Continuation) and target in empty and target not in followed:
            followed.add(target)
            path.add(target)
            target = empty[target].target
        if isinstance(target, Continuation) and target in path:
            del empty[target]


def _merge(function: Function) -> None:
    """Merge each continuation without parameters into its only predecessor, if that jumps to it."""
    escaping = {value for member in function.members() for value in escaping_continuations(member)}
    tails: dict[Continuation, Continuation] = {}
    for member, edges in incoming(function).items():
        if len(edges) == 1 and not member.parameters and member not in escaping:
            start, _ = edges[0]
            if isinstance(start.transfer, Jump):
                tails[start] = member
    function.continuations = merge_chains(function.members(), tails)
