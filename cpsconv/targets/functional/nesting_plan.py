"""The nesting of the continuations of a function, with lambda lifting beyond the depth that a language allows.

Continuations are nested as in the CPS text, each in the scope of its immediate dominator. At the maximum depth, the
continuations inside of an *owner* are lifted: a top-level function defines and returns them, with their free variables
as its parameters. References to these continuations and calls of them do not change::

    def f_loop(n, ret):                     # the lifted continuations of `f`, from inside `loop`
        def body(): …
        def exit(): …
        return body, exit

    def f(n, ret):
        def loop():
            body, exit = f_loop(n, ret)
            …
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Union

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import uses
from cpsconv.core.ir import Continuation, Function, Program, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.text.plan import TextPlan, let_groups

MAX_DEPTH = 20
"""The default for the depth of nested continuations. Deeper code is hard to read, and exceeds limits of Python."""


class LiftedGroup(metaclass=NodeType):
    """The continuations `members` inside of `owner`, which a top-level function defines and returns.

    `free` are its parameters: the parameters, results of statements and continuations that the members use and that are
    defined in `owner` or around it.
    """

    owner: Continuation
    members: Sequence[Continuation]
    free: list[Value] = field(default_factory=list)


Global = Union[Function, LiftedGroup]
"""A top-level definition."""


class NestingPlan:
    """The `text_plan` of a function, and the place of each continuation.

    `inline` are the continuations that are written where a call passes them, `groups` has the continuations defined
    inside of each, `lifted` the group of each owner whose inner continuations are lifted. `parent` is the continuation
    around each, `innermost_first` lists all continuations.
    """

    def __init__(
        self, function: Function, functions: Collection[str] = (), *, inline: bool = True, max_depth: int = MAX_DEPTH
    ) -> None:
        self.text_plan = TextPlan(function, functions)
        tree = DominatorTree(function)
        self.parent = tree.parent
        owners = set(_owners(tree, max_depth))
        self.inline = {k for k in self.text_plan.inline if inline and tree.parent[k] not in owners}
        self.groups = let_groups(tree, self.inline)
        self.innermost_first = tree.preorder()[::-1]
        self.lifted = {owner: LiftedGroup(owner, self.groups[owner]) for owner in tree.preorder() if owner in owners}
        _find_free_variables(function, tree, self.lifted)


def nesting_plans(program: Program, *, inline: bool = True, max_depth: int = MAX_DEPTH) -> list[NestingPlan]:
    """The plan of each function. No local name is that of a function or of data."""
    names = program.global_names
    return [NestingPlan(function, names, inline=inline, max_depth=max_depth) for function in program.functions]


def global_names(plans: Sequence[NestingPlan]) -> dict[Global, str]:
    """Hints for the names of the top-level definitions: those of the functions, and ``function_owner`` for groups."""
    functions = [plan.text_plan.function for plan in plans]
    names: dict[Global, str] = {function: function.name for function in functions}
    for plan, function in zip(plans, functions, strict=True):
        names.update({group: f"{function.name}_{group.owner.name}" for group in plan.lifted.values()})
    return names


def _owners(tree: DominatorTree, max_depth: int) -> Iterator[Continuation]:
    """The continuations at the maximum depth, whose inner continuations are lifted."""
    depth: dict[Continuation, int] = {}
    for member in tree.preorder():
        parent = tree.parent.get(member)
        depth[member] = depth[parent] + 1 if parent else 0
        if depth[member] == max_depth and tree.children[member]:
            depth[member] = 0
            yield member


def _find_free_variables(function: Function, tree: DominatorTree, lifted: Mapping[Continuation, LiftedGroup]) -> None:
    """Compute `LiftedGroup.free` for each group."""
    if not lifted:
        return
    homes = dict(_homes(function, tree))
    around: dict[Continuation, LiftedGroup | None] = {function: None}
    seen: set[tuple[LiftedGroup, Value]] = set()
    for member in tree.preorder():
        if parent := tree.parent.get(member):
            around[member] = lifted.get(parent) or around[parent]
        for value in uses(member):
            group = around[member]
            while group and (group, value) not in seen and _is_free(value, homes.get(value), group, tree):
                seen.add((group, value))
                group.free.append(value)
                group = around[group.owner]


def _homes(function: Function, tree: DominatorTree) -> Iterator[tuple[Value, Continuation]]:
    """Each value defined in the function, with the continuation that defines it."""
    for member in function.members():
        for value in (*member.parameters, *member.body):
            yield value, member
    yield from tree.parent.items()


def _is_free(value: Value, home: Continuation | None, group: LiftedGroup, tree: DominatorTree) -> bool:
    """Whether a value used in the group is defined outside: around the owner, or in it and not a member."""
    if home is None or (home is group.owner and isinstance(value, Continuation)):
        return False
    return tree.dominates(home, group.owner)
