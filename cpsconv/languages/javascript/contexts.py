"""The context of each node: what the functions, classes, loops and labels around it permit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cpsconv.languages.javascript.scopes import CLASSES, FUNCTIONS, LOOPS, Program
from cpsconv.languages.javascript.syntax import Node

_NONE = frozenset[str]()


class Context(NamedTuple):
    """What is permitted at a node.

    `is_async` and `is_generator`: ``await`` and ``yield`` are operators. `reserves_await`: it is no name, either.
    `labels` has all labels around the node, `loops` those of loops; `privates` the private names of the classes.
    """

    is_module: bool
    is_strict: bool
    is_async: bool
    returns: bool
    has_new_target: bool
    reserves_await: bool
    is_generator: bool = False
    in_parameters: bool = False
    has_super: bool = False
    has_super_call: bool = False
    has_arguments: bool = True
    in_loop: bool = False
    in_switch: bool = False
    labels: frozenset[str] = _NONE
    loops: frozenset[str] = _NONE
    privates: frozenset[str] = _NONE

    def without_jumps(self) -> Context:
        """The context of the body of a function: no statement around it can be left."""
        return self._replace(in_loop=False, in_switch=False, labels=_NONE, loops=_NONE)


def nodes_with_contexts(program: Program) -> Iterator[tuple[Node, Node, Context]]:
    """All nodes of a program but its root, in order, each with the node around it and its context."""
    root, is_module = program.root.node, program.is_module
    top = Context(is_module, program.root.is_strict, is_module, not is_module, not is_module, is_module)
    waiting = [(each, root, top) for each in reversed(root.children)]
    while waiting:
        node, parent, context = waiting.pop()
        yield node, parent, context
        waiting.extend((child, node, inner) for child, inner in reversed([*_children(node, parent, context, program)]))


def _children(node: Node, parent: Node, context: Context, program: Program) -> Iterator[tuple[Node, Context]]:
    """The children of a node, with their contexts."""
    if node.kind in FUNCTIONS:
        yield from _of_function(node, context, program)
    elif node.kind in CLASSES:
        strict = context._replace(is_strict=True)
        body = strict._replace(privates=context.privates | {each.text for each in private_names(node)})
        yield from ((each, body if each is node["body"] else strict) for each in node.children)
    elif node.kind == "class_static_block":
        yield node["body"], _initialiser(context)._replace(reserves_await=True)
    elif node.kind == "field_definition":
        value = node.get("value")
        yield from ((each, _initialiser(context) if each is value else context) for each in node.children)
    elif node.kind == "labeled_statement":
        yield from ((each, _labelled(node, context)) for each in node.children if each is not node["label"])
        yield node["label"], context
    else:
        inner = _inside(node, context)
        yield from ((each, inner if each is node.get("body") else context) for each in node.children)


def _inside(node: Node, context: Context) -> Context:
    """The context of the body of a loop or ``switch``."""
    if node.kind in LOOPS:
        return context._replace(in_loop=True)
    return context._replace(in_switch=True) if node.kind == "switch_statement" else context


def _labelled(node: Node, context: Context) -> Context:
    body, label = node["body"], node["label"].text
    while body.kind == "labeled_statement":
        body = body["body"]
    loops = context.loops | {label} if body.kind in LOOPS else context.loops
    return context._replace(labels=context.labels | {label}, loops=loops)


def _initialiser(context: Context) -> Context:
    """The context of the initialiser of a field, and of a static block of a class."""
    return context.without_jumps()._replace(
        is_async=False, is_generator=False, in_parameters=False, returns=False, has_new_target=True, has_super=True,
        has_super_call=False, has_arguments=False, reserves_await=context.is_module,
    )  # fmt: skip


def _of_function(node: Node, context: Context, program: Program) -> Iterator[tuple[Node, Context]]:
    function, name, body = program.functions[node.start], node.get("name"), node["body"]
    is_arrow = function.kind == "arrow"
    reserves_await = function.is_async or context.is_module
    inner = context.without_jumps()._replace(
        is_strict=function.is_strict, is_async=function.is_async, is_generator=function.is_generator,
        returns=True, in_parameters=False, reserves_await=reserves_await or (is_arrow and context.reserves_await),
    )  # fmt: skip
    if not is_arrow:
        is_method = function.kind == "method"
        inner = inner._replace(
            has_new_target=True, has_arguments=True, has_super=is_method, has_super_call=function.is_derived
        )
    parameters = inner._replace(in_parameters=True)
    if is_arrow:
        parameters = parameters._replace(
            is_generator=context.is_generator, is_async=function.is_async or context.is_async
        )
    for each in node.children:
        if each is name:
            yield each, _own_name(node, context, inner)
        else:
            yield each, inner if each is body else parameters


def _own_name(node: Node, outer: Context, inner: Context) -> Context:
    """The context of the name of a function: that of an expression is in the function itself."""
    if node.kind in ("function_expression", "generator_function"):
        return inner
    return outer._replace(is_strict=inner.is_strict) if node.kind != "method_definition" else outer


def private_names(class_node: Node) -> Iterator[Node]:
    """The private names that a class declares, in order."""
    for member in class_node["body"].children:
        name = member.get("name") or member.get("property")
        if name and name.kind == "private_property_identifier":
            yield name
