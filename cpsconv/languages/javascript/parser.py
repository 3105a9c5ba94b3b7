"""The parser of JavaScript and TypeScript, by tree-sitter: a tree, or the errors of syntax."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error
from cpsconv.languages.javascript.respelling import respelled, restore
from cpsconv.languages.javascript.syntax import Node
from cpsconv.languages.reading import limited

_CURE = "install them with `pip install 'cpsconv[javascript]'`"
_SHOWN = 20  # characters of a text that is not expected
_MISSING = "MISSING"
_CLOSING = {"(": ")", "[": "]", "{": "}", "${": "}"}
_DROPPED = {"comment", "html_comment", "hash_bang_line"}
_MAX_ROUNDS = 32  # of spellings


def parse(source: Source) -> Node:
    """The tree of a program. Raises `DiagnosticError` with the errors of syntax, or if tree-sitter is missing."""
    text = source.text
    root, wrong = _tree(source, text)
    for _ in range(_MAX_ROUNDS):
        spelling = respelled(root, wrong, text)
        again, remaining = _tree(source, spelling) if spelling != text else (root, wrong)
        if again is root or _rank(remaining) > _rank(wrong):
            break
        root, wrong, text = again, remaining, spelling
    if wrong:
        innermost = [each for each, other in zip(wrong, [*wrong[1:], None], strict=True) if not _contains(each, other)]
        raise DiagnosticError(limited([_error(each) for each in innermost]))
    restore(root, text)
    return root


def _tree(source: Source, text: str) -> tuple[Node, list[Node]]:
    """The tree of a source, as its spelling `text` is parsed, and the parts that the grammar does not have."""
    wrong: list[Node] = []
    return _converted(_parsed(source, text).walk(), source, _offsets(source.text), wrong), wrong


def _rank(wrong: Sequence[Node]) -> tuple[int, int]:
    """How bad errors are: their number, then how early the first is."""
    return len(wrong), -wrong[0].start if wrong else 0


def is_typed(source: Source) -> bool:
    """Whether a source is TypeScript, by its suffix."""
    return source.name.endswith((".ts", ".mts", ".cts", ".tsx"))


def _parsed(source: Source, text: str) -> Any:
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
    return tree_sitter.Parser(tree_sitter.Language(language())).parse(text.encode())


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
    is_named = tree_node.is_named or (node.kind == "default" and cursor.field_name in ("name", "alias"))
    if is_named and not tree_node.is_named:
        node.kind = "identifier"
    if tree_node.is_missing:
        node.kind, node.words = _MISSING, [tree_node.type]
    if tree_node.is_missing or tree_node.is_error:
        wrong.append(node)
    if cursor.field_name and (is_named or cursor.field_name in ("operator", "kind", "optional_chain")):
        parent.fields.setdefault(cursor.field_name, []).append(node)
    if node.kind in _DROPPED:
        return node
    parent.parts.append(node)
    if is_named:
        parent.children.append(node)
    else:
        parent.words.append(tree_node.type)
    return node


def _node(tree_node: Any, source: Source, offsets: Any) -> Node:
    kind = "identifier" if tree_node.type == "undefined" else tree_node.type  # a name like any other
    return Node(kind, source, offsets[tree_node.start_byte], offsets[tree_node.end_byte])
