"""The attributes `constructor` and `destructor` of GNU C: `main` begins with calls of the constructors.

It registers the destructors by `atexit` before that, so that they run after all functions that the program registers.
Constructors of small priority are called first, and their destructors last.
"""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.declarations import Declarations
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import VOID

_CONSTRUCTOR, _DESTRUCTOR = "constructor", "destructor"


def add_startup(functions: list[t.Function], declarations: Declarations, errors: Errors) -> None:
    """Let `main` call the constructors and register the destructors among the functions of a unit."""
    marked = [each for each in functions if each.priorities]
    main = next((each for each in functions if each.name == "main"), None)
    if not marked:
        return
    if main is None or _is_used(main, functions):
        reason = "in a file without `main`" if main is None else "in a program that calls `main`"
        message = f"constructors and destructors {reason} are not supported yet"
        errors.report("unsupported", message, marked[0].span)
        return
    statements: list[c.Statement] = []
    for which in (_DESTRUCTOR, _CONSTRUCTOR):
        for each in _sorted(marked, which):
            declarations.note_call(main.name, each.name)
            call = _registration(each, declarations) if which == _DESTRUCTOR else _call(each)
            statements.append(c.ExpressionStatement(main.span, call))
            _check(each, which, errors)
    main.body[:0] = statements


def _sorted(functions: Iterable[t.Function], which: str) -> list[t.Function]:
    return sorted((each for each in functions if which in each.priorities), key=lambda each: each.priorities[which])


def _call(constructor: t.Function) -> c.Expression:
    call = t.call(constructor, [], constructor.span)
    call.returns = constructor.returns
    return call


def _registration(destructor: t.Function, declarations: Declarations) -> c.Expression:
    span, register = destructor.span, declarations.external("atexit", destructor.span)
    assert destructor.type
    pointer = t.pointer_to_function(destructor, destructor.type, span)
    return t.call(register, [pointer], span)


def _check(function: t.Function, which: str, errors: Errors) -> None:
    """Report a function that cannot be called without arguments, or whose result a pointer to it would return."""
    if function.parameters or function.is_variadic:
        errors.report("unsupported", f"a {which} with parameters is not supported yet", function.span)
    elif which == _DESTRUCTOR and function.result is not VOID:
        errors.report("unsupported", "a destructor that returns a value is not supported yet", function.span)


def _is_used(main: t.Function, functions: list[t.Function]) -> bool:
    """Whether the program calls `main`, or has a pointer to it."""
    nodes = t.nodes_within([each.body for each in functions])
    return any(isinstance(node, c.Name) and node.denoted is main for node in nodes)
