"""The parser of JavaScript and TypeScript, by tree-sitter: a tree, or the errors of syntax."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.javascript.respelling import respelled, restore
from cpsconv.languages.javascript.scopes import is_module
from cpsconv.languages.javascript.syntax import Node
from cpsconv.languages.reading import limited

_CURE = "install them with `pip install 'cpsconv[javascript]'`"
_SHOWN = 20  # characters of a text that is not expected
_MISSING = "MISSING"
_CLOSING = {"(": ")", "[": "]", "{": "}", "${": "}"}
_COMMENTS = {"comment", "html_comment", "hash_bang_line"}
_LINES = re.compile("[\n\r\u2028\u2029]")
_COMMENT, _COMMENT_END = re.compile(r"/\*.*?\*/"), re.compile(r"^.*?\*/")  # in a line
_MAX_ROUNDS = 32  # of spellings


def parse(source: Source) -> Node:
    """The tree of a program. Raises `DiagnosticError` with the errors of syntax, or if tree-sitter is missing."""
    text = re.sub("\r(?!\n)", "\n", source.text)  # which the grammar knows as the end of a line
    tree = _Conversion(source, text)
    for _ in range(_MAX_ROUNDS):
        spelling = respelled(tree.root, tree.wrong, text)
        again = _Conversion(source, spelling) if spelling != text else tree
        if again is tree or again.rank > tree.rank:
            break
        tree, text = again, spelling
    errors = [*tree.errors()]
    if errors:
        raise DiagnosticError(limited(errors))
    restore(tree.root, text)
    return tree.root


class _Conversion:
    """The tree of a source, converted from that which tree-sitter parses of `text`, its spelling.

    `wrong` are the parts that the grammar does not have, `special` the comments that not every program may have.
    """

    def __init__(self, source: Source, text: str) -> None:
        self._source, self._offsets = source, _offsets(source.text)
        self.wrong: list[Node] = []
        self.special: list[Node] = []
        self.root = self._converted(_parsed(source, text).walk())

    @property
    def rank(self) -> tuple[int, int]:
        """How bad the errors are: their number, then how early the first is."""
        return len(self.wrong), -self.wrong[0].start if self.wrong else 0

    def errors(self) -> Iterator[Diagnostic]:
        """The errors of syntax."""
        for each, following in zip(self.wrong, [*self.wrong[1:], None], strict=False):
            if not _contains(each, following):
                yield _error(each)
        for each in () if self.wrong else self.special:
            if self._is_misplaced(each):
                yield error("a comment of this form is not allowed here", each.span, rule="syntax")

    def _is_misplaced(self, comment: Node) -> bool:
        """Whether a comment is not at the start of the text or line that it requires, or one of HTML in a module."""
        before = self._source.text[: comment.start].removeprefix("\ufeff")
        if comment.kind == "hash_bang_line":
            return before != ""
        line = _COMMENT_END.sub("", _COMMENT.sub("", _LINES.split(before)[-1]))
        return is_module(self.root) or (comment.text.startswith("-->") and line.strip() != "")

    def _converted(self, cursor: Any) -> Node:
        """The tree below the cursor, of any depth."""
        root = self._node(cursor.node)
        self.wrong += [root] * cursor.node.is_error
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
            path.append(self._added(cursor, path[-1]))

    def _added(self, cursor: Any, parent: Node) -> Node:
        """The node at the cursor, which becomes a part of its parent."""
        tree_node = cursor.node
        node = self._node(tree_node)
        is_named = tree_node.is_named or (node.kind == "default" and cursor.field_name in ("name", "alias"))
        if is_named and not tree_node.is_named:
            node.kind = "identifier"
        if tree_node.is_missing:
            node.kind, node.words = _MISSING, [tree_node.type]
        if tree_node.is_missing or tree_node.is_error:
            self.wrong.append(node)
        if cursor.field_name and (is_named or cursor.field_name in ("operator", "kind", "optional_chain")):
            parent.fields.setdefault(cursor.field_name, []).append(node)
        if node.kind in _COMMENTS:
            self.special += [node] * (node.kind != "comment")
            return node
        parent.parts.append(node)
        if is_named:
            parent.children.append(node)
        else:
            parent.words.append(tree_node.type)
        return node

    def _node(self, tree_node: Any) -> Node:
        kind = "identifier" if tree_node.type == "undefined" else tree_node.type  # a name like any other
        return Node(kind, self._source, self._offsets[tree_node.start_byte], self._offsets[tree_node.end_byte])


def is_typed(source: Source) -> bool:
    """Whether a source is TypeScript, by its suffix."""
    return source.name.endswith((".ts", ".mts", ".cts", ".tsx"))


def _parsed(source: Source, text: str) -> Any:
    """The tree that tree-sitter parses of a text, in the language of the source."""
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
        if sys.platform == "emscripten":
            raise DiagnosticError([error("a browser has no parser for JavaScript", rule="tool")]) from None
        message = f"{package.removeprefix('tree-sitter-')} requires the packages tree-sitter and {package}"
        raise DiagnosticError([error(message, help=_CURE, rule="tool")]) from None
    return tree_sitter.Parser(tree_sitter.Language(language())).parse(text.encode(errors="replace"))


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
        offsets.extend([number] * len(character.encode(errors="replace")))
    offsets.append(len(text))
    return offsets
