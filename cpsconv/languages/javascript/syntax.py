"""Syntax trees of JavaScript, which tree-sitter parses: nodes with positions, without comments.

A `Node` has the kind and the fields that the grammar of tree-sitter names. Parentheses are removed, except where
they decide about the meaning: around a function or class without a name, and around an optional chain.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.reading import limited

_CURE = "install them with `pip install 'cpsconv[javascript]'`"
_SHOWN = 20  # characters of a text that is not expected
_LINKS = ("call_expression", "member_expression", "subscript_expression")
_FUNCTIONS = (
    *("function_declaration", "function_expression", "arrow_function", "method_definition"),
    *("generator_function", "generator_function_declaration"),
)
_MISSING = "MISSING"
_CLOSING = {"(": ")", "[": "]", "{": "}", "${": "}"}
_NAMES = ("identifier", "identifier_pattern")
_ESCAPE = re.compile(r"\\u(?:\{0*([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{4}))")
_DROPPED = {"comment", "html_comment", "hash_bang_line"}


class Node:
    """A node of the tree: its `children` that are no punctuation, in order, and among them those of each field.

    `words` are the other tokens: keywords, operators and punctuation. `parts` has both.
    """

    __slots__ = ("children", "end", "fields", "is_parameter", "kind", "parts", "source", "start", "words")

    def __init__(self, kind: str, source: Source, start: int, end: int) -> None:
        self.kind, self.source, self.start, self.end = kind, source, start, end
        self.children: list[Node] = []
        self.fields: dict[str, list[Node]] = {}
        self.words: list[str] = []
        self.parts: list[Node] = []
        self.is_parameter = False

    @property
    def span(self) -> Span:
        """The range of the source that the node covers."""
        return Span(self.source, self.start, self.end)

    @property
    def text(self) -> str:
        """The text that the node covers; the escapes of a name are decoded."""
        text = self.source.text[self.start : self.end]
        return _ESCAPE.sub(_character, text) if "\\" in text and self.kind.endswith(_NAMES) else text

    def get(self, field: str) -> Node | None:
        """The first child of a field, if any."""
        found = self.fields.get(field)
        return found[0] if found else None

    def __getitem__(self, field: str) -> Node:
        return self.fields[field][0]

    def all(self, field: str) -> Sequence[Node]:
        """All children of a field."""
        return self.fields.get(field, ())

    def __repr__(self) -> str:
        return f"Node({self.kind!r}, {self.text[:_SHOWN]!r})"


def parse(source: Source) -> Node:
    """The tree of a program. Raises `DiagnosticError` with the errors of syntax, or if tree-sitter is missing."""
    tree = _parsed(source)
    offsets = _offsets(source.text)
    wrong: list[Node] = []
    root = _converted(tree.walk(), source, offsets, wrong)
    if wrong:
        innermost = [each for each, other in zip(wrong, [*wrong[1:], None], strict=True) if not _contains(each, other)]
        raise DiagnosticError(limited([_error(each) for each in innermost]))
    if re.search(r"\bawait\s*\(", source.text):
        _find_awaits(root)
    if re.search(r"yield|await", source.text):
        _correct_names(root)
    return root


def is_typed(source: Source) -> bool:
    """Whether a source is TypeScript, by its suffix."""
    return source.name.endswith((".ts", ".mts", ".cts", ".tsx"))


def _character(escape: re.Match[str]) -> str:
    point = int(escape[1] or escape[2], 16)
    return chr(point) if point <= sys.maxunicode else escape[0]


def _parsed(source: Source) -> Any:
    package = f"tree-sitter-{'typescript' if is_typed(source) else 'javascript'}"
    try:
        import tree_sitter

        if not is_typed(source):
            from tree_sitter_javascript import language
        elif source.name.endswith("x"):
            from tree_sitter_typescript import language_tsx as language
        else:
            from tree_sitter_typescript import language_typescript as language
    except ImportError:
        message = f"{package.removeprefix('tree-sitter-')} requires the packages tree-sitter and {package}"
        raise DiagnosticError([error(message, help=_CURE, rule="tool")]) from None
    return tree_sitter.Parser(tree_sitter.Language(language())).parse(source.text.encode())


def _contains(node: Node, following: Node | None) -> bool:
    """Whether a node contains the one that follows it in preorder."""
    return following is not None and node.start <= following.start < node.end


def _error(node: Node) -> Diagnostic:
    """The error at a part of the tree that the grammar does not have: at a bracket that is not closed, if any."""
    if node.kind == _MISSING:
        return error(f"expected `{node.words[0]}`", Span(node.source, node.start, node.start), rule="syntax")
    opened: list[Node] = []
    for part in node.parts:
        if part.kind in _CLOSING:
            opened.append(part)
        elif opened and part.kind == _CLOSING[opened[-1].kind]:
            opened.pop()
        elif part.kind in _CLOSING.values() or (part.kind == ";" and _is_within(opened, node)):
            notes = [(f"this `{each.kind}` is not closed", each.span) for each in opened[-1:]]
            return error(f"unexpected `{part.kind}`", part.span, notes=notes, rule="syntax")
    if opened:
        return error(f"this `{opened[-1].kind}` is not closed", opened[-1].span, rule="syntax")
    shown = " ".join(node.text.split())[:_SHOWN]
    return error(f"unexpected `{shown}`", node.span, rule="syntax")


def _is_within(opened: list[Node], node: Node) -> bool:
    """Whether the innermost bracket cannot contain a semicolon."""
    return bool(opened) and opened[-1].kind in ("(", "[") and "for" not in node.words


def _offsets(text: str) -> Mapping[int, int] | Sequence[int]:
    """The offset of a character by the offset of its first byte in UTF-8."""
    if text.isascii():
        return range(len(text) + 1)
    offsets = array("L")
    for number, character in enumerate(text):
        offsets.extend([number] * len(character.encode()))
    offsets.append(len(text))
    return offsets


def _converted(cursor: Any, source: Source, offsets: Any, wrong: list[Node]) -> Node:
    """The tree below the cursor, of any depth; `wrong` gets what the grammar does not have."""
    root = _node(cursor.node, source, offsets)
    wrong += [root] * cursor.node.is_error
    path, is_inside = [root], True
    while True:
        if is_inside and cursor.goto_first_child():
            pass
        elif cursor.goto_next_sibling():
            path.pop()
        elif cursor.goto_parent():
            path.pop()
            is_inside = False
            if len(path) == 0:
                return root
            continue
        else:
            return root
        is_inside = True
        path.append(_added(cursor, path[-1], source, offsets, wrong))


def _added(cursor: Any, parent: Node, source: Source, offsets: Any, wrong: list[Node]) -> Node:
    """The node at the cursor, which becomes a part of its parent."""
    tree_node = cursor.node
    node = _node(tree_node, source, offsets)
    if tree_node.is_missing:
        node.kind, node.words = _MISSING, [tree_node.type]
    if tree_node.is_missing or tree_node.is_error:
        wrong.append(node)
    if cursor.field_name and (tree_node.is_named or cursor.field_name in ("operator", "kind", "optional_chain")):
        parent.fields.setdefault(cursor.field_name, []).append(node)
    if node.kind in _DROPPED:
        return node
    parent.parts.append(node)
    if tree_node.is_named:
        parent.children.append(node)
    else:
        parent.words.append(tree_node.type)
    return node


def _node(tree_node: Any, source: Source, offsets: Any) -> Node:
    return Node(tree_node.type, source, offsets[tree_node.start_byte], offsets[tree_node.end_byte])


def _correct_names(root: Node) -> None:
    """Correct the variables `yield` and `await` of other functions, which the grammar takes for expressions.

    Where it takes what follows for an operand, the expression remains: it is an early error.
    """
    waiting = [(root, {"await"})]
    while waiting:
        node, words = waiting.pop()
        word = node.kind.removesuffix("_expression")
        if word in ("yield", "await") and word not in words and not node.children:
            node.kind, node.words, node.parts = "identifier", [], []
        if node.kind in _FUNCTIONS:
            words = {name for mark, name in (("*", "yield"), ("async", "await")) if mark in node.words}
        waiting.extend((child, words) for child in node.children)


def _find_awaits(root: Node) -> None:
    """Correct ``await (f)(x)`` in asynchronous functions, which the grammar takes for a call of `await`."""
    waiting = [(root, False, list[Node]())]
    while waiting:
        node, is_async, chain = waiting.pop()
        callee = node.get("function")
        if (
            node.kind == "call_expression"
            and is_async
            and callee
            and (callee.kind, callee.text) == ("identifier", "await")
            and node["arguments"].children
        ):
            _correct_await([*chain, node])
        if node.kind in _FUNCTIONS:
            is_async = "async" in node.words
        for child in node.children:
            is_link = node.kind in _LINKS and child in (node.get("function"), node.get("object"))
            waiting.append((child, is_async, [*chain, node] if is_link else []))


def _correct_await(chain: list[Node]) -> None:
    """Let the outermost node of a chain be the ``await`` of the chain, and the call an expression in parentheses."""
    call, outermost = chain[-1], chain[0]
    items = call["arguments"].children
    inner = items[0]
    if len(items) > 1:
        inner = Node("sequence_expression", call.source, items[0].start, items[-1].end)
        inner.children = items
    call.kind, call.children, call.fields, call.parts = "parenthesized_expression", [inner], {}, [inner]
    operand = Node(outermost.kind, outermost.source, inner.start, outermost.end)
    operand.children, operand.fields, operand.words, operand.parts = (
        outermost.children,
        outermost.fields,
        outermost.words,
        outermost.parts,
    )
    outermost.kind, outermost.children, outermost.fields, outermost.parts = "await_expression", [operand], {}, [operand]


def refuse(node: Node, what: str = "") -> NoReturn:
    """Raise `DiagnosticError`: a construct is not read, by default the node itself, which its kind names."""
    what = what or f"`{node.text}`" if len(node.text) < _SHOWN else what or node.kind.replace("_", " ")
    raise DiagnosticError([error(f"{what} is not read", node.span, rule="unsupported")])


def unparenthesised(node: Node) -> Node:
    """The expression in parentheses, or the node itself."""
    while node.kind == "parenthesized_expression" and len(node.children) == 1:
        node = node.children[0]
    return node


def elements_of(node: Node) -> list[Node | None]:
    """The elements of a list in brackets or parentheses; None for a hole."""
    found: list[Node | None] = []
    children, is_after_element = {*node.children}, False
    for part in node.parts[1:-1]:
        if part.kind == ",":
            if not is_after_element:
                found.append(None)
            is_after_element = False
        elif part in children:
            found.append(part)
            is_after_element = True
    return found


def preorder(root: Node) -> Iterator[Node]:
    """All nodes of a tree, each before its children."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))
