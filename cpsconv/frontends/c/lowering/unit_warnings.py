"""Warnings about a whole translation unit: comments, unused functions, endless recursion."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from cpsconv.analysis.graph import depth_first, successors
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.meaning.declarations import Functions
from cpsconv.frontends.c.syntax.tree import TranslationUnit
from cpsconv.ir import Call, Continuation, Function, Program
from cpsconv.source import Source, Span

_COMMENT_OR_STRING = r"""(?sx) " (?:\\.|[^"\\])* " | ' (?:\\.|[^'\\])* ' | /\* .*? \*/ | // (?:\\\r?\n|[^\n])*"""


def warn_of_comments(source: Source, errors: Errors) -> None:
    """Warn of a comment that seems to begin within another one, and of a line comment that includes the next line."""
    text = source.text
    if text.count("/*") == text.count("*/") and "\\\n" not in text and "\\\r" not in text:
        return
    for match in re.finditer(_COMMENT_OR_STRING, text):
        comment, start = match[0], match.start()
        if comment.startswith("/*") and (inner := comment.find("/*", 2)) > 0:
            errors.warn("comment", "`/*` within a comment", Span(source, start + inner, start + inner + 2))
        elif comment.startswith("//") and "\n" in comment:
            message = "a backslash at the end of this comment includes the next line"
            errors.warn("comment", message, Span(source, start, start + comment.index("\n")))


def warn_of_unused_functions(unit: TranslationUnit, functions: Functions, errors: Errors) -> None:
    """Warn of each `static` function that no other function calls, and that is not `inline`, as in a header."""
    for declaration in [each for each in unit.functions if each.static and not each.inline]:
        name = declaration.name
        if name not in functions.called:
            if functions.is_definition(declaration):
                errors.warn("unused-function", f"the function `{name}` is never called", declaration.span)
            elif name not in functions.definitions:
                message = f"the function `{name}` is `static`, but neither defined nor called"
                errors.warn("unused-function", message, declaration.span)


def warn_of_recursion(program: Program, functions: Functions, errors: Errors) -> None:
    """Warn of functions that call themselves or each other on every path. There is one warning for each such set."""
    if not functions.may_recurse:
        return
    callees = {function: [call.callee for call in _calls(function)] for function in program.functions}
    order = {function: number for number, function in enumerate(program.functions)}
    callers: dict[Function, list[Function]] = {function: [] for function in callees}
    for function, called in callees.items():
        for callee in called:
            callers[callee].append(function)
    for component in strongly_connected_components(callees, callees.__getitem__):
        endless = {function for function in component if len(component) > 1 or function in callees[function]}
        pending = [*endless]
        while pending:
            function = pending.pop()
            if function in endless and _may_end(function, endless):
                endless.remove(function)
                pending += callers[function]
        first = min(endless, key=order.__getitem__, default=None)
        if first:
            call = next(call for call in _calls(first) if call.callee in endless)
            message = f"endless recursion: each call of `{first.name}` leads to another one"
            notes = [(f"`{call.callee.name}` is called here, for example", call.span)]
            errors.warn("infinite-recursion", message, functions.definitions[first.name].span, notes=notes)


def _calls(function: Function) -> Iterator[Call]:
    return (member.transfer for member in function.members() if isinstance(member.transfer, Call))


def _may_end(function: Function, endless: Collection[Function]) -> bool:
    """Whether a path without calls of `endless` functions leads to a return, or to the end of the program."""

    def following(member: Continuation) -> list[Continuation]:
        return [] if _calls_one_of(endless, member) else successors(member)

    entry: Continuation = function
    reached = [member for member, _ in depth_first([entry], following) if not _calls_one_of(endless, member)]
    edges = [edge for member in reached if member.transfer for edge in member.transfer.edges]
    return any(not isinstance(edge.target, Continuation) for edge in edges)


def _calls_one_of(functions: Collection[Function], member: Continuation) -> bool:
    return isinstance(member.transfer, Call) and member.transfer.callee in functions
