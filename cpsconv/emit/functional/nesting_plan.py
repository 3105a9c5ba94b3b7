"""How the continuations of a function stand in each other, where a language can nest functions only so deep.

They nest as in our own text, each in the scope of its immediate dominator. Where that becomes too deep, what stands
inside a continuation is *outlined*: a function beside the others makes these continuations, from the values that they
use of those around them. To whom they are passed, and how they are called, stays the same::

    def f_loop(n, ret):                     # the outlined part of `f`, that inside `loop`
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
from dataclasses import dataclass, field
from typing import Union

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.analysis.graph import uses
from cpsconv.ir import Continuation, Function, Program, Value
from cpsconv.text.plan import Nesting, TextPlan

DEEPEST = 20
"""How deep continuations are nested, by default. More is hard to read, and where Python and others have limits."""


@dataclass(eq=False, slots=True)
class Outline:
    """What stands inside of `owner`, made by a function of its own: the continuations `made`, from the values `free`.

    `free` are parameters, results of statements and continuations that are defined in `owner` or around it.
    """

    owner: Continuation
    made: Sequence[Continuation]
    free: list[Value] = field(default_factory=list)


Global = Union[Function, Outline]
"""What stands at the top of a file."""


@dataclass(frozen=True, slots=True)
class Globals:
    """The names of all that stands at the top of a file; `taken` has all of them."""

    functions: dict[Value, str]
    outlines: dict[Outline, str]
    taken: frozenset[str]

    @classmethod
    def named(cls, names: Mapping[Global, str]) -> Globals:
        """What has these names."""
        functions: dict[Value, str] = {each: name for each, name in names.items() if isinstance(each, Function)}
        outlines = {each: name for each, name in names.items() if isinstance(each, Outline)}
        return cls(functions, outlines, frozenset(names.values()))


class Shape:
    """How a function shows: its `text_plan`, and what stands where.

    `inline` are the continuations that stand where they are passed, `groups` has those that are defined inside of
    each, and `outlines` has each one of which these are made outside. `parent` is the one that each stands in, and
    `innermost_first` lists all.
    """

    def __init__(
        self, function: Function, functions: Collection[str] = (), *, inline: bool = True, deepest: int = DEEPEST
    ) -> None:
        self.text_plan = TextPlan(function, functions)
        tree = DominatorTree(function)
        self.parent = tree.parent
        cut = set(_cut(tree, deepest))
        self.inline = {k for k in self.text_plan.inline if inline and tree.parent[k] not in cut}
        nesting = Nesting(tree, self.inline)
        self.groups = nesting.groups
        self.innermost_first = nesting.innermost_first
        self.outlines = {owner: Outline(owner, self.groups[owner]) for owner in tree.preorder() if owner in cut}
        _find_free_values(function, tree, self.outlines)


def shapes_of(program: Program, *, inline: bool = True, deepest: int = DEEPEST) -> list[Shape]:
    """The shape of each function of a program, with names that are none of a function."""
    names = frozenset(function.name for function in program.functions)
    return [Shape(function, names, inline=inline, deepest=deepest) for function in program.functions]


def global_names(shapes: Sequence[Shape]) -> dict[Global, str]:
    """Hints for the names of all that stands at the top: functions are called what they are, the rest after these."""
    functions: dict[Global, str] = {shape.text_plan.function: shape.text_plan.function.name for shape in shapes}
    outlines: dict[Global, str] = {
        outline: f"{shape.text_plan.function.name}_{outline.owner.name}"
        for shape in shapes
        for outline in shape.outlines.values()
    }
    return {**functions, **outlines}


def _cut(tree: DominatorTree, deepest: int) -> Iterator[Continuation]:
    """The continuations that are nested so deep that what is inside of them has to go elsewhere."""
    depth: dict[Continuation, int] = {}
    for member in tree.preorder():
        above = tree.parent.get(member)
        depth[member] = depth[above] + 1 if above else 0
        if depth[member] == deepest and tree.children[member]:
            depth[member] = 0
            yield member


def _find_free_values(function: Function, tree: DominatorTree, outlines: Mapping[Continuation, Outline]) -> None:
    """Give each outline the values that are used in it and defined outside."""
    if not outlines:
        return
    homes = dict(_homes(function, tree))
    around: dict[Continuation, Outline | None] = {function: None}
    seen: set[tuple[Outline, Value]] = set()
    for member in tree.preorder():
        if above := tree.parent.get(member):
            around[member] = outlines.get(above) or around[above]
        for value in uses(member):
            outline = around[member]
            while outline and (outline, value) not in seen and _is_free(value, homes.get(value), outline, tree):
                seen.add((outline, value))
                outline.free.append(value)
                outline = around[outline.owner]


def _homes(function: Function, tree: DominatorTree) -> Iterator[tuple[Value, Continuation]]:
    """Each value that is defined in the function, with the continuation that it is defined in."""
    for member in function.members():
        for value in (*member.parameters, *member.body):
            yield value, member
    yield from tree.parent.items()


def _is_free(value: Value, home: Continuation | None, outline: Outline, tree: DominatorTree) -> bool:
    """Whether a value used in the outline is defined outside: in its owner, unless it is made here, or around that."""
    if home is None or (home is outline.owner and isinstance(value, Continuation)):
        return False
    return tree.dominates(home, outline.owner)
