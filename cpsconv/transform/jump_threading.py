"""Jump threading: who knows the way at a fork need not stop there (the example of section 5.1 of the paper).

A *fork* is a continuation that ends with a branch or a switch. On an edge to it, the way that it takes can be certain:
by the arguments, where these are constants, or by what was decided before, on the only way to where the edge starts.
Then the edge gets a copy of the fork for itself, which goes on that way without asking. By that, the fork's parameters
and statements get a second definition in each copy. `Reconstruction` repairs their uses; no dominance is computed.

*What is copied.* All statements of the fork that are not constants in the copy: effects, and what may be a fault,
happen as before, once on each way. Constant is what `fold` says (it gives none for a fault), or what was decided
before, and so has been computed without a fault. From an undefined value nothing follows: it is no constant, and what
it is an operand of is none either.

*On the way to a fork.* Where several edges come together and go on to a fork by a jump, one of them may know the way
there. Then that place is copied, too.

*In rounds.* In a round, all is decided on the function as it is, and only then the edges are moved. So each way through
the new function does what a way through the old one did. An edge is followed through as many forks as decide it. What a
round brings to light, a value that is now always the same, is for the next.

*It ends.* A copy is never copied. An edge that is threaded leads to a copy then, and what goes on is the only edge by
which the copy leaves: it takes the other's place. So there are never more edges to thread than in the beginning. Each
carries with it what it has passed (`History`), and is not threaded through that again: at most once for each
continuation of the beginning. So no loop is unrolled, and it ends; but after quadratic time, perhaps. Within that,
`MOST_ROUNDS` and the limits in `cpsconv.transform.branch_duplication` make it near-linear.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from cpsconv.analysis.flow import escaping_continuations
from cpsconv.analysis.graph import incoming, reachable, uses
from cpsconv.construction import Reconstruction, Variable
from cpsconv.construction.finish import merge_chains
from cpsconv.construction.reconstruction import closed_joins
from cpsconv.ir import (
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
from cpsconv.transform.branch_duplication import Copy, History, Threads
from cpsconv.transform.minimality import minimise
from cpsconv.transform.pruning import prune

MOST_ROUNDS = 8
"""How often it is looked for edges that can be threaded."""

Copies = dict[Continuation, list[Copy]]
"""By what they are copies of."""


def thread_jumps(program: Program) -> None:
    """Let every jump whose way at the next branch or switch is certain go there directly, in place.

    The program must be well-formed. Afterwards no parameter is redundant or unused, and a continuation that is jumped
    to from one place only is part of that place. A function that `Reconstruction` refuses is left alone but for that.
    """
    for function in program.functions:
        _thread_all(function)
    prune(program)
    minimise(program)
    for function in program.functions:
        _merge(function)


def _thread_all(function: Function) -> None:
    history = History()
    for _ in range(MOST_ROUNDS):
        if any(closed_joins(function)):
            break
        copies = [*Threads(function, history).copies()]
        if not copies:
            break
        _move(function, copies)
    _skip_empty(function, history.made)


def _move(function: Function, copies: Collection[Copy]) -> None:
    """One round: lead the edges to the copies, and make a program of that again."""
    by_original: Copies = {}
    for copy in copies:
        by_original.setdefault(copy.original, []).append(copy)
        copy.entry.target = copy.continuation
        copy.entry.arguments = copy.arguments
    reached = set(reachable(function))
    listed = chain.from_iterable(_with_copies(member, by_original) for member in function.continuations)
    function.continuations = [member for member in listed if member in reached]
    _repair(function, by_original)
    minimise(Program([function]))


def _with_copies(member: Continuation, copies: Copies) -> list[Continuation]:
    return [*(copy.continuation for copy in copies.get(member, ())), member]


def _repair(function: Function, copies: Copies) -> None:
    """Make one variable of each value of an original and what its copies have for it, and let the uses read it."""
    homes: dict[Value, Continuation] = {value: home for home in copies for value in (*home.parameters, *home.body)}
    variables: dict[Value, Variable] = {}
    for member in function.members():
        for value in uses(member):
            if homes.get(value, member) is not member and value not in variables:
                variables[value] = _variable(value)
    reconstruction = Reconstruction(function)
    present = set(function.continuations)
    for value, variable in variables.items():
        definitions = {copy.continuation: copy.own[value] for copy in copies[homes[value]]}
        for member, definition in {homes[value]: value, **definitions}.items():
            if member in present:
                reconstruction.write_variable(variable, member, definition)
    reconstruction.replace_uses(variables)
    reconstruction.finish()


def _variable(value: Value) -> Variable:
    assert isinstance(value, (Parameter, Primitive, Effect)) and isinstance(value.type, Scalar)
    return Variable(value.name or "", value.type, value.span)


def _skip_empty(function: Function, made: Collection[Continuation]) -> None:
    """Let edges to copies that do nothing but jump on lead to where these jump to."""
    empty = {
        member: member.transfer.edge
        for member in function.continuations
        if member in made and isinstance(member.transfer, Jump) and not member.parameters and not member.body
    }
    _keep_one_in_each_loop(empty)
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            while isinstance(edge.target, Continuation) and edge.target in empty:
                following = empty[edge.target]
                edge.target, edge.arguments = following.target, following.arguments
    function.continuations = [member for member in function.continuations if member not in empty]


def _keep_one_in_each_loop(empty: dict[Continuation, Edge]) -> None:
    """Take out of `empty` one of those that jump to each other for ever: who comes to a loop needs a place to be."""
    followed: set[Continuation] = set()
    for start in [*empty]:
        path: set[Target] = set()
        place: Target = start
        while isinstance(place, Continuation) and place in empty and place not in followed:
            followed.add(place)
            path.add(place)
            place = empty[place].target
        if isinstance(place, Continuation) and place in path:
            del empty[place]


def _merge(function: Function) -> None:
    """Append each continuation that has no parameters and is only jumped to from one place to that place."""
    values = {value for member in function.members() for value in escaping_continuations(member)}
    tails: dict[Continuation, Continuation] = {}
    for member, ways in incoming(function).items():
        if len(ways) == 1 and not member.parameters and member not in values:
            start, _ = ways[0]
            if isinstance(start.transfer, Jump):
                tails[start] = member
    function.continuations = merge_chains(function.members(), tails)[1:]
