"""A picture as a flowchart of Mermaid (https://mermaid.js.org), which many viewers of Markdown draw.

A thick arrow is a back edge, a solid arrow with a circle a retreating edge of an irreducible loop, a dotted arrow a
call, a dotted arrow with a circle a continuation passed as a value, a dotted line the edge from an immediate
dominator, and a dotted arrow with a cross the edge to a dominance frontier. A box with double sides is the current
continuation of a step, and a flag is a note. There are no colours: the viewer chooses them for its light or dark
background.
"""

from __future__ import annotations

import re

from cpsconv.core.ir import Program
from cpsconv.targets.highlighting import printable
from cpsconv.targets.picture import Cluster, Lines, Node, Picture, View, indented_lines, picture

_BRACKETS = {
    "function": ("([", "])"),
    "continuation": ("(", ")"),
    "current": ("[[", "]]"),
    "exit": ("((", "))"),
    "note": (">", "]"),
}
_ARROWS = {
    "edge": "-->",
    "back edge": "==>",
    "retreating edge": "==o",
    "call": "-.->",
    "passed": "-.-o",
    "dominator": "-.-",
    "frontier": "-.-x",
}

_LITERAL = re.compile(r"[\w .,()=/?'→⊥⇒]|(?<= )[-+*%<>](?= )|!(?==)|:(?= |= )")
_MARKUP = re.compile(r"(?<!\w)_|_(?!\w)|^ |(?<= ) ")  # literal characters where they have a meaning
_NO_BREAK = "\xa0"  # the no-break space


def flowchart(program: Program, *, ascii: bool = False) -> str:
    """The flowchart of a program."""
    return mermaid(picture(program, View(ascii=ascii)))


def mermaid(picture: Picture) -> str:
    """The text of the flowchart, for a Markdown code block with the language ``mermaid``."""
    keys: dict[str, str] = {}  # generated names of the nodes, since names of the program could be Mermaid's keywords

    def keyed(node: Node) -> str:
        key = keys[node.name] = f"k{len(keys)}"
        opening, closing = _BRACKETS[node.kind]
        return f"{key}{opening}{_quoted([*node.head, *node.body, *node.end])}{closing}"

    lines = [*indented_lines(picture.root, keyed, _opening, "end")]
    for arrow in picture.arrows:
        label = f"|{_quoted(arrow.label)}|" if arrow.label else ""
        lines.append(f"  {keys[arrow.source]} {_ARROWS[arrow.kind]}{label} {keys[arrow.target]}")
    return "".join(f"{line}\n" for line in ["flowchart TD", *lines])


def _opening(cluster: Cluster, number: int) -> list[str]:
    return [f"subgraph s{number}[{_quoted([cluster.title])}]"]


def _quoted(lines: Lines) -> str:
    return '"' + "<br/>".join(map(_escaped, lines)) + '"'


def _escaped(line: str) -> str:
    """The line, with numeric entities for characters that have a meaning in Mermaid or Markdown.

    An escaped backslash and an n would still be a line break; a word joiner separates the two.
    """
    line = re.sub(r"\\(?=[nN])", "\\\\\u2060", printable(line))
    return "".join(
        char if _LITERAL.match(line, at) and not _MARKUP.match(line, at) else f"#{ord(char.replace(' ', _NO_BREAK))};"
        for at, char in enumerate(line)
    )
