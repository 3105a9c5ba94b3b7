"""A picture as a flowchart of Mermaid (https://mermaid.js.org), which many viewers of Markdown draw.

A thick arrow is a back edge; one that ends in a circle closes a cycle of an irreducible loop. A dotted arrow is a call;
one that ends in a circle is a continuation passed as a value; one without an end leads from an immediate dominator.
Colours are left to the viewer, who knows whether the ground is dark.
"""

from __future__ import annotations

import re

from cpsconv.emit.characters import printable
from cpsconv.emit.picture import Cluster, Lines, Node, Picture, outline

_BRACKETS = {"function": ("([", "])"), "continuation": ("(", ")"), "exit": ("((", "))")}
_ARROWS = {
    "edge": "-->",
    "back edge": "==>",
    "retreating edge": "==o",
    "call": "-.->",
    "passed": "-.-o",
    "dominator": "-.-",
}

_HARMLESS = re.compile(r"[\w .,()=/?'→⊥⇒]|(?<= )[-+*%<>](?= )|!(?==)|:(?= |= )")
_DELICATE = re.compile(r"(?<!\w)_|_(?!\w)|^ |(?<= ) ")  # harmless characters, but not there
_UNBREAKABLE_SPACE = 0xA0


def mermaid(picture: Picture) -> str:
    """The text of the flowchart, to be put between the fences of a Markdown block called ``mermaid``."""
    keys: dict[str, str] = {}  # what the nodes are called here: Mermaid has words of its own

    def keyed(node: Node) -> str:
        keys[node.name] = f"k{len(keys)}"
        return keys[node.name] + _shape(node)

    lines = [*outline(picture.root, keyed, _opening, "end")]
    for arrow in picture.arrows:
        label = f"|{_quoted(arrow.label)}|" if arrow.label else ""
        lines.append(f"  {keys[arrow.source]} {_ARROWS[arrow.kind]}{label} {keys[arrow.target]}")
    return "".join(f"{line}\n" for line in ["flowchart TD", *lines])


def _opening(cluster: Cluster, number: int) -> list[str]:
    return [f"subgraph s{number}[{_quoted([cluster.title])}]"]


def _shape(node: Node) -> str:
    opening, closing = _BRACKETS[node.kind]
    return opening + _quoted([*node.head, *node.body, *node.end]) + closing


def _quoted(lines: Lines) -> str:
    return '"' + "<br/>".join(map(_escaped, lines)) + '"'


def _escaped(line: str) -> str:
    """The line, with numbers for characters that mean something to Mermaid, or to the Markdown that it may see.

    A backslash and an n begin a new line even so; a character of no width keeps them apart.
    """
    line = re.sub(r"\\(?=[nN])", "\\\\\u2060", printable(line))
    return "".join(
        char if _HARMLESS.match(line, at) and not _DELICATE.match(line, at) else _numbered(char)
        for at, char in enumerate(line)
    )


def _numbered(char: str) -> str:
    return f"#{_UNBREAKABLE_SPACE if char == ' ' else ord(char)};"
