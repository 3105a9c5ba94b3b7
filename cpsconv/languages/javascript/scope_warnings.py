"""Warnings about declarations: variables that are not used, uses that precede them, and assignments to constants."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core.source import Diagnostic, Span, warning
from cpsconv.languages.javascript.captures import needs_check
from cpsconv.languages.javascript.scopes import Binding, Program

_UNUSED = {
    "parameter": ("unused-parameter", "parameter"),
    "function": ("unused-function", "function"),
    "class": ("unused-variable", "class"),
    "import": ("unused-variable", "import"),
}


def scope_warnings(program: Program) -> Iterator[Diagnostic]:
    """The warnings about the declarations of a program."""
    for function in [program.root, *program.functions.values()]:
        for binding in function.bindings:
            is_global = binding.scope is program.root.body and not program.is_module
            if not is_global and binding.name not in program.exported and not binding.name.startswith("_"):
                yield from _unused(binding)
            if binding.is_constant:
                yield from _assignments(binding)
    for start, (used, function, is_declaration) in program.references.items():
        is_own = used is not None and not is_declaration and used.function is function
        if used and is_own and not used.precedes(start) and needs_check(used, function, start):
            message = f"`{used.name}` is used before its declaration, which throws an error"
            yield warning(message, Span(used.span.source, start, start + len(used.name)), rule="uninitialized")


def _unused(binding: Binding) -> Iterator[Diagnostic]:
    """The warning about a variable that is never read."""
    if binding.reads or binding.kind in ("self", "class name", "catch"):
        return
    rule, kind = _UNUSED.get(binding.kind, ("unused-variable", "variable"))
    is_assigned = any(span.start != binding.span.start for _, _, span in binding.assigned)
    if is_assigned:
        rule = rule.replace("unused-", "unused-but-set-")
    what = "assigned to, but never read" if is_assigned else "never used"
    yield warning(f"the {kind} `{binding.name}` is {what}", binding.span, rule=rule)


def _assignments(binding: Binding) -> Iterator[Diagnostic]:
    """The warnings about assignments to a constant but for its declaration."""
    for _, function, span in binding.assigned:
        if span.start != binding.span.start and (binding.kind != "self" or function.is_strict):
            note = ("it is declared here", binding.span)
            message = f"the assignment to the constant `{binding.name}` throws an error"
            yield warning(message, span, notes=[note], rule="const-assign")
