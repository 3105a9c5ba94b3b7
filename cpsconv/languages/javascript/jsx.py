"""The lowering of JSX: elements and fragments, with attributes and children in their order.

An element is one operation, whose static operand has the tag and the names of attributes; ``...`` is the name of an
object with the properties of a ``{...spread}``, copied in its turn. Texts are trimmed by lines, and their character
references are decoded, as TypeScript does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import TYPE_CHECKING, Union

from cpsconv.core.ir import Value
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.javascript.syntax import Node, refuse

if TYPE_CHECKING:
    from cpsconv.languages.javascript.expressions import Expressions

ELEMENTS = ("jsx_element", "jsx_self_closing_element")
"""The kinds of elements; a fragment is an element without a name."""

_SPACES = " \t\v\f\xa0\x85\u1680\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_LINES = re.compile("\r\n|[\r\n\u2028\u2029]")
_REFERENCE = re.compile(r"&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));")
_PRAGMA = re.compile(r"/\*[*\s]*@jsx\s+([\w$]+)")
_KNOWN = {**name2codepoint, "apos": ord("'")}


def factory(root: Node) -> str:
    """The variable whose methods the classic transformation of elements calls: that of a comment ``@jsx``, or React."""
    found = _PRAGMA.search(root.source.text)
    return found[1] if found else "React"


def opening(element: Node) -> Node:
    """The tag with the name and the attributes of an element."""
    return element.get("open_tag") or element


def is_intrinsic(name: Node) -> bool:
    """Whether the name of an element is text, such as ``div``, and not an expression."""
    is_plain = name.kind == "identifier" and re.match("[a-z]", name.text) is None and "-" not in name.text
    return not is_plain and name.kind != "member_expression"


def attribute_value(attribute: Node) -> Node | None:
    """The expression, string or element that an attribute has; None without a value."""
    value = attribute.children[1] if len(attribute.children) > 1 else None
    return value.children[0] if value and value.kind == "jsx_expression" and value.children else value


def children_of(element: Node) -> Iterator[Union[Node, str]]:
    """The children of an element: expressions, elements, and the texts that are left of the texts between them."""
    start = opening(element).end
    for each in element.children[1:] if element.kind == "jsx_element" else ():
        if each.kind in (*ELEMENTS, "jsx_expression", "jsx_closing_element"):
            text = trimmed(element.source.text[start : each.start])
            if text:
                yield text
            if each.kind in ELEMENTS:
                yield each
            elif each.kind == "jsx_expression":
                yield from each.children
            start = each.end


def trimmed(text: str) -> str:
    """A text without the spaces around its line ends; the lines that are not empty are joined by spaces."""
    lines = _LINES.split(text)
    for number, line in enumerate(lines):
        line = line.lstrip(_SPACES) if number else line
        lines[number] = line.rstrip(_SPACES) if number < len(lines) - 1 else line
    return " ".join(decoded(line) for line in lines if line)


def decoded(text: str) -> str:
    """A text with the characters that its references denote."""
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    point = int(decimal) if decimal else int(hexadecimal, 16) if hexadecimal else _KNOWN.get(name, -1)
    return chr(point) if 0 <= point <= 0x10FFFF else reference[0]


class Elements:
    """The lowering of the elements of a function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions, self.emission = expressions, expressions.emission

    def value(self, node: Node) -> Computation[Value]:
        """The value of an element or fragment."""
        tag, words, operands = opening(node), list[str](), list[Value]()
        name = tag.get("name")
        operation = "jsx_fragment" if name is None else "jsx" if is_intrinsic(name) else "jsx_component"
        if name and operation == "jsx":
            words.append("".join(name.text.split()))
        elif name:
            component = yield self.expressions.value(name)
            operands.append(component)
        yield self._attributes(tag, words, operands)
        for each in children_of(node):
            child = yield self._child(each, node)
            operands.append(child)
        return self.emission.operation(operation, *operands, operand=" ".join(words), span=node.span)

    def _child(self, child: Union[Node, str], node: Node) -> Step[Value]:
        if isinstance(child, str):
            return self.emission.string(child, node.span)
        if child.kind == "spread_element":
            refuse(child, "a spread child")
        return self.expressions.value(child)

    def _attributes(self, tag: Node, words: list[str], operands: list[Value]) -> Computation[None]:
        for each in tag.all("attribute"):
            is_spread = each.kind == "jsx_expression"
            words.append("..." if is_spread else "".join(each.children[0].text.split()))
            value = yield self._spread(each) if is_spread else self._attribute(each)
            operands.append(value)

    def _spread(self, attributes: Node) -> Computation[Value]:
        value = yield self.expressions.value(attributes.children[0].children[0])
        copy = self.emission.operation("object", span=attributes.span)
        self.emission.operation("copy_properties", copy, value, span=attributes.span)
        return copy

    def _attribute(self, attribute: Node) -> Step[Value]:
        value = attribute_value(attribute)
        if value is None:
            return self.emission.operation("true", span=attribute.span)
        if value.kind == "string" and attribute.children[1] is value:
            return self.emission.string(decoded(value.text[1:-1]), value.span)
        return self.expressions.value(value)
