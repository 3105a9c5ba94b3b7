"""The storage of variables: values and parameters, cells, or variables of the module.

A variable is a value as long as no assignment follows its capture: the closure gets the value that the variable has
where the closure is created. Otherwise it is a cell, which the closures of one scope share. Variables of the module
that functions use are accessed by name. (React's compiler keeps more variables as *context variables*: all that are
captured and assigned again, in whatever order.)
"""

from __future__ import annotations

from cpsconv.abi.javascript.facts import IMPLICIT
from cpsconv.core.source import Span
from cpsconv.languages.javascript.scopes import LEXICAL, Binding, Function, Program
from cpsconv.languages.javascript.syntax import Node


def decide_storage(program: Program) -> None:
    """Decide for all bindings whether they are cells, and whether their scopes begin with a mark."""
    for function in [program.root, *program.functions.values()]:
        for binding in [*function.bindings, *function.implicit.values()]:
            if binding.scope is program.root.body and binding.kind not in IMPLICIT:
                binding.is_module = binding.is_module or bool(binding.captures) or binding.kind == "function"
            elif binding.captures and not binding.cell:
                binding.cell = _reason(binding)
            if function.has_mapped_arguments and binding.kind == "parameter" and not binding.cell:
                binding.cell = "`arguments` of its function, which is not strict, shares it", binding.span
    for start, (bound, user, is_declaration) in program.references.items():
        if bound and not (is_declaration or bound.is_module) and needs_check(bound, user, start):
            bound.is_marked = True


def needs_check(binding: Binding, function: Function, start: int) -> bool:
    """Whether a use of the variable at an offset in a function may precede its initialisation."""
    if binding.kind == "this":
        return binding.function.is_derived
    if binding.kind not in (*LEXICAL, "class name", "parameter"):
        return False
    if binding.scope.node.kind == "switch_body":
        return True
    if function is binding.function:
        return not binding.precedes(start)
    return any(not binding.precedes(position) for position, _, _ in binding.captures)


def _reason(binding: Binding) -> tuple[str, Span] | None:
    """The closure that makes the variable a cell, and the location of the assignment; None for a value."""
    inner = [each for each in binding.assigned if each[1] is not binding.function]
    if inner:
        _, function, span = inner[0]
        return f"{function.shown} assigns it", span
    for offset, _, span in binding.assigned:
        for position, closure, _ in binding.captures:
            if not _precedes(binding, offset, span, position, closure):
                return f"{closure.shown} captures it, and an assignment may follow", span
    return None


def _precedes(binding: Binding, offset: int, span: Span, position: int, closure: Function) -> bool:
    """Whether an assignment always precedes the creation of a closure."""
    home = binding.scope.node
    if home.kind == "for_statement" and position >= home["body"].start:
        return offset <= home["body"].start or (offset <= position and not _share_loop(binding, offset, position))
    if binding.kind == "function" and offset == position:  # declared functions are created in their order
        return span.start < closure.node.start
    return offset <= position and not _share_loop(binding, offset, position)


def _share_loop(binding: Binding, offset: int, position: int) -> bool:
    """Whether a loop inside of the variable's scope repeats both an assignment and the creation of a closure."""
    return any(
        _is_within(loop, binding.scope.node) and loop.start <= position < loop.end and loop.start < offset <= loop.end
        for loop in binding.function.loops
    )


def _is_within(node: Node, outer: Node) -> bool:
    return node is not outer and outer.start <= node.start and node.end <= outer.end
