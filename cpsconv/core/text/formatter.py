"""The formatter of CPS text, which keeps comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from operator import attrgetter

from cpsconv.core.ir import Continuation, Effect, Primitive, Program, Statement
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.comments import Comment, Comments, End, Item
from cpsconv.core.text.item_syntax import ProgramNode
from cpsconv.core.text.parser import parse_syntax, program_of
from cpsconv.core.text.printer import Layout, Style, program_lines
from cpsconv.core.text.written import printers_of, written_in
from cpsconv.core.trampoline import Walk, flattened

_COMMENT = re.compile(r"(//[^\n]*)(\n[^\S\n]*\n)?")
"""A comment, and the blank line after it."""


def reformat(source: Source, *, layout: Layout | None = None, ascii: bool = False, width: int = 80) -> str:
    """Its text in the format of `cpsconv.core.text.pretty`, with the names and the comments of `source`.

    Continuations and functions stay where they are defined. With a `layout`, they are arranged as `pretty` does, except
    in functions in which a name would then denote another value.

    A comment on a line of its own stays above the next item. A comment after an item on the same line stays there, or
    moves above the item if the line would be too long. A comment inside an item moves above or after it.

    Raises `DiagnosticError` if the text has errors, or a continuation without references, which would be lost.
    """
    items = parse_syntax(source)
    program = program_of(items, source, aliases=True)
    nodes = cps.functions_in(items)
    if lost := [_lost(node, source) for function in nodes for node in function.unused]:
        raise DiagnosticError(lost)
    text = source.text.rstrip()  # so that no blank line comes after the last comment
    comments = _comments(text, _ItemPositions(items, program, len(text)))
    style = Style(ascii, width)
    printers = printers_of(program, written_in(nodes), style, layout, comments)
    return "\n".join([*program_lines(program, style, comments, printers), ""])


def _lost(node: cps.Abstraction, source: Source) -> Diagnostic:
    message = f"the continuation `{cps.name_of(node)}` is never used, and would be lost"
    help = "use it, delete it, or make it a comment"
    return error(message, Span(source, node.start, node.end), help=help, rule="unused-continuation")


# ------------------------------------------------------------------------------------------------------- comments


def _comments(text: str, positions: _ItemPositions) -> Comments:
    """The comments of the text: each belongs to the item before it on its line, or else to the next item."""
    found: defaultdict[Item, list[Comment]] = defaultdict(list)
    waiting: list[Comment] = []
    before: Item | None = None
    end = 0
    for token in cps.tokens(text):
        for match in _COMMENT.finditer(text, end, token.start):
            comment = match[1].rstrip()
            if before and text.find("\n", end, match.start()) < 0:
                found[before].append(Comment(comment, trailing=True))
            else:
                waiting.append(Comment(comment, apart=bool(match[2])))
        before, end = None, token.end
        if token.type not in ("LET", "IN"):  # keywords that belong to no item
            before = positions.item(token.start)
            found[before] += waiting
            waiting = []
    return found


class _ItemPositions:
    """The items of the program by text position: the text from ``starts[n]`` to ``starts[n + 1]`` is `items[n]`."""

    def __init__(self, items: list[cps.ItemNode], program: Program, end: int) -> None:
        self.starts: list[int] = []
        self.items: list[Item | None] = []
        for start, item in (*flattened(_items(items)), (end, program)):
            if self.items and self.items[-1] is None:  # text without an item belongs to the next item
                self.items[-1] = item
            else:
                self.starts.append(start)
                self.items.append(item)

    def item(self, offset: int) -> Item:
        """The item at the offset."""
        item = self.items[bisect_right(self.starts, offset) - 1]
        assert item
        return item


def _items(nodes: list[cps.ItemNode]) -> Walk[tuple[int, Item | None]]:
    """Yields, in order, the start of each part of the text and its item."""
    for node in nodes:
        if isinstance(node, cps.FunctionNode):
            yield _function(node)
        else:
            yield _start_of(node), None if isinstance(node, ProgramNode) else node.value


def _function(node: cps.FunctionNode) -> Walk[tuple[int, Item | None]]:
    assert node.value
    yield _start_of(node), node.value
    yield _body(node.body, node.value)
    yield node.closing, End(node.value)


def _body(body: cps.Body, member: Continuation) -> Walk[tuple[int, Item | None]]:
    for statement in body.statements:
        yield _start_of(statement), _statement_of(statement)
    local: list[cps.FunctionNode | cps.Abstraction] = [*body.functions, *body.group]
    for node in sorted(local, key=attrgetter("start")):
        yield _function(node) if isinstance(node, cps.FunctionNode) else _abstraction(node)
    transfer = body.transfer
    yield transfer.start, member.transfer
    parts = cps.parts_of(transfer)
    for part in parts:
        if isinstance(part, cps.Abstraction) and part.value:
            yield _abstraction(part)
            if part is not parts[-1]:  # only parentheses follow the last part
                yield part.body.transfer.end, member.transfer


def _abstraction(node: cps.Abstraction) -> Walk[tuple[int, Item | None]]:
    assert node.value
    yield node.start, node.value
    yield _body(node.body, node.value)


def _statement_of(node: cps.Binding) -> Statement | None:
    """The statement of a binding; none, if the binding only gives a name to a continuation."""
    return node.value if isinstance(node.value, (Primitive, Effect)) else None


def _start_of(node: cps.ItemNode | cps.Binding) -> int:
    """The start of an item or statement, with its attributes and words."""
    words = () if isinstance(node, (ProgramNode, cps.Binding)) else node.words
    return (*node.attributes, *words, node)[0].start
