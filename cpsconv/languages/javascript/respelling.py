"""Spellings for the parser: what the grammar of tree-sitter takes for something else, in other words of equal length.

The nodes of the tree have the text of the source. So the variable `await` of a function that is not asynchronous is
parsed as the name `Await`, and its node is that of a name. A spelling that the grammar does not accept is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cpsconv.abi.javascript import RESERVED_WORDS
from cpsconv.languages.javascript.scopes import FUNCTIONS, is_module
from cpsconv.languages.javascript.syntax import Node, has_line_end, preorder

Change = tuple[int, str]
"""An offset, and the text that replaces as many characters there."""

_OPERATORS = {"await": "async", "yield": "*"}
_AWAIT = "void "  # an operator with the same operands, as long as `await`
_LINKS = ("call_expression", "subscript_expression", "binary_expression")
_WORDS = "|".join(RESERVED_WORDS)
_SPECIFIERS = re.compile(r"\b(?:import|export)\b[\s\w,$]*\{([^{}]*)\}|\bexport\s*\*\s*as\s+(\w+)")
_SPECIFIED = re.compile(rf"\b(?!default\b)(?:{_WORDS})\b")
_ATTRIBUTE = re.compile(rf"(?<=\s)(?:{_WORDS})(?=\s*=\s*[\"'{{<])|(?<=\s)default(?=\s*/?>)")
_INVALID_ESCAPE = re.compile(r"\\[ux]")
_OPERATOR = re.compile(r"\b(?:await|yield)\b")
_TYPE_EXPORT = re.compile(r"\bexport\s+(type)\s*\*")
_TYPE_NAME = re.compile(r"\btype\s+(as)(?=\s*(?:,|$)|\s+as\s+[\w$])")
_TYPE_PARAMETERS = re.compile(r"\b(?:interface|type|class)\s+[\w$]+\s*(<[^>{}()]*)")
_VARIANCE = re.compile(r"[<,]\s*(?:const\s+)?(in\s+(?:out\s+)?|out\s+)[\w$]")
_ABSTRACT_ACCESSOR = re.compile(r"\babstract\s+(?:override\s+)?(accessor)\s+[\w$\"'\[]")
_INDEX_MODIFIER = re.compile(r"\b(?:static|readonly)(?=\s+(?:readonly\s+)?\[\s*\w+\s*:)")
_TEXT = re.compile(r"[^<>{}]*")  # of an element of JSX
_AMPERSAND = re.compile(r"&(?!\w+;|#x?[\da-fA-F]+;)")
_NEXT_LINE = re.compile(r"\s*[\n\r\u2028\u2029]\s*(?=[\w$\\\[{])")
_SUSPECT = re.compile(r"yield|await|<!--|\blet\s*[\n\r\u2028\u2029]|\}\s*(?://.*)?\n\s*[(\[`/+-]|\{\s*[\w$]+\s*:")


def respelled(root: Node, wrong: Sequence[Node], text: str) -> str:
    """The text as spelled for the parser so far, with further changes; the same if there are none."""
    changes = [*_of_errors(wrong, text)] if wrong else []
    if _SUSPECT.search(text):
        changes += _of_names(root)
        changes += [change for node in preorder(root) for change in _of_statement(node)]
        changes += _html_comments(root)
    spelled, source = [*text], root.source.text
    for start, spelling in changes:
        end = start + len(spelling)
        if text[start:end] == source[start:end]:  # not yet changed
            spelled[start:end] = spelling
    return "".join(spelled)


def restore(root: Node, text: str) -> None:
    """Let the operators that `text` spells otherwise be ``await``."""
    for node in preorder(root) if _AWAIT in text else ():
        if node.kind == "unary_expression" and node.source.text.startswith("await", node.start):
            node.kind, node.words, node.fields = "await_expression", ["await"], {}


def _of_names(root: Node) -> Iterator[Change]:
    """Variables `await` and `yield` that the grammar takes for operators, and operators that it takes for variables."""
    waiting = [(root, {"await"} if is_module(root) else set[str]())]
    while waiting:
        node, operators = waiting.pop()
        word, first = node.kind.removesuffix("_expression"), node.get("function")
        if word in _OPERATORS and word not in operators and node.words[:1] == [word]:
            yield node.start, word.capitalize()
        if node.kind == "subscript_expression" or (first and node["arguments"].children):
            first = first or node["object"]
            if (first.kind, first.text) == ("identifier", "await") and "await" in operators:
                yield first.start, _AWAIT
        if node.kind in FUNCTIONS:
            operators = {each for each, mark in _OPERATORS.items() if mark in node.words}
        waiting.extend((child, operators) for child in node.children)


def _of_statement(node: Node) -> Iterator[Change]:
    """The end of a statement, after an arrow function or in a block that the grammar takes for an object; its rest.

    The grammar takes the word `let` for a statement where the next line has the names that it declares.
    """
    first, text = node, node.source.text
    if node.kind in _LINKS:
        first = node.children[0]
        ends = first.kind == "arrow_function" and first["body"].kind == "statement_block"
        if ends and text[first.end].isspace() and has_line_end(text[first.end : node.children[1].start]):
            yield first.end, ";"
    elif node.kind == "expression_statement" and first.text == "let":
        found = _NEXT_LINE.match(text, node.end)
        yield from ((node.end, " " * len(found[0])) for _ in [found] if found)
    elif node.kind == "expression_statement" and text[node.start] == "{":
        while first.kind not in ("object", "object_pattern") and first.children:
            first = first.children[0]
        if text[first.end - 2].isspace():
            yield first.end - 2, ";"


def _html_comments(root: Node) -> Iterator[Change]:
    """Comments of HTML after other tokens of a script, which the grammar takes for operators."""
    text, start = root.source.text, -1
    operators = {each.start for node in preorder(root) for each in node.parts if each.kind == "<"}
    while "<!--" in text and not is_module(root) and (start := text.find("<!--", start + 1)) >= 0:
        if start in operators:
            yield start, "//  "


def _of_errors(wrong: Sequence[Node], text: str) -> Iterator[Change]:
    """Words and characters that the grammar takes for keywords, escapes or operators where there is an error."""
    for found in _SPECIFIERS.finditer(text):
        bounds = found.span(found.lastindex or 0)
        yield from ((word.start(), word[0].capitalize()) for word in _SPECIFIED.finditer(text, *bounds))
        yield from ((name.start(1), "As") for name in _TYPE_NAME.finditer(text, *bounds))
    yield from ((word.start(), word[0].capitalize()) for word in _ATTRIBUTE.finditer(text))
    yield from ((escape.start(), "_") for escape in _INVALID_ESCAPE.finditer(text))
    erased = [*_TYPE_EXPORT.finditer(text), *_ABSTRACT_ACCESSOR.finditer(text)]
    for found in _TYPE_PARAMETERS.finditer(text):
        erased += _VARIANCE.finditer(text, *found.span(1))
    yield from ((found.start(1), " " * len(found[1])) for found in erased)
    yield from ((word.start(), " " * len(word[0])) for word in _INDEX_MODIFIER.finditer(text))
    for node in wrong:
        yield from ((word.start(), word[0].capitalize()) for word in _OPERATOR.finditer(text, node.start, node.end))
        first = text.find("&", node.start, node.end)
        end = _TEXT.match(text, max(first, 0), node.end)
        if first >= 0 and end:
            yield from ((each.start(), "_") for each in _AMPERSAND.finditer(text, first, end.end()))
