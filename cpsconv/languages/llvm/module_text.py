"""A module in LLVM's normal form, divided into functions, blocks and lines.

The text of a line is the static text of a foreign operation: its local names are holes (`foreign_text`). All names of a
function are cut out at once. The remaining lines are often alike, and each different one is read once; its text is read
further only where the conversion needs its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Source, Span
from cpsconv.languages.llvm.foreign_text import BLOCK_ADDRESS, Divider, hole_count, label_count
from cpsconv.languages.llvm.types import NAME, end_of_brackets, first_type, parts_of

_lines_of = re.compile(r"\n(?! {6}|    i|  \])").split
"""Divides a text into its lines. Those that are indented further, or close a bracket, continue the one before."""

_LINE = re.compile(r"( +)(% = )?(([a-z_]\w*|#dbg).*)", re.DOTALL)
_LABEL = re.compile(rf"({NAME}):")
_TYPE = re.compile(rf"\n%({NAME}) = type (.*)")
SYMBOL = re.compile(rf"@({NAME})\(")
RECORD = "#dbg"
"""The operation of lines that are records of debug information."""


class Line(Span):
    """A line: the name of its result, its operation (the first word), and its text with holes for the `names`.

    It is the span of its place in the module. Lines that are alike but for their names share the text.
    """

    __slots__ = ("names", "op", "result", "text")

    def __init__(
        self, source: Source, start: int, end: int, result: str | None, op: str, text: str, names: Sequence[str]
    ) -> None:
        self.source, self.start, self.end = source, start, end
        self.result, self.op, self.text, self.names = result, op, text, names

    def changed(self, text: str, names: Sequence[str]) -> Line:
        """The line with another text and other names."""
        return Line(self.source, self.start, self.end, self.result, self.op, text, names)


class Block(metaclass=NodeType):
    """A basic block. `label` is its name, a number if it has none; `lines` end with the transfer.

    `targets` are the labels to which the transfer leads, one for each edge.
    """

    label: str
    lines: list[Line]
    targets: Sequence[str] = field(default_factory=list)


class Parameter(NamedTuple):
    """A parameter of a function: its name, and its type."""

    name: str
    type: str


class FunctionText(metaclass=NodeType):
    """A function with a body: its symbol, the text of its first line with holes for the parameters, and its blocks.

    A name of the first block is a line of the `header` as well. `span` is that of the first line.
    """

    symbol: str
    header: str
    result: str
    parameters: list[Parameter]
    blocks: list[Block]
    span: Span

    def reached(self) -> list[Block]:
        """The blocks that control can reach, in reverse postorder."""
        blocks = {block.label: block for block in self.blocks}
        return reverse_postorder_from(self.blocks[0], lambda block: [blocks[label] for label in block.targets])

    @property
    def prototype(self) -> str:
        """The types of the result and the parameters, as in a declaration: ``i32 @f(ptr, ...)``."""
        is_variadic = re.search(r"[(,] ?\.\.\.\)", self.header) is not None
        types = [each.type for each in self.parameters] + ["..."] * is_variadic
        return f"{self.result} @{self.symbol}({', '.join(types)})"


class ModuleText(metaclass=NodeType):
    """A module: the text around the bodies of its functions, its functions, and its named types.

    `addressed` has for the symbols of functions the labels of blocks whose addresses are used.
    """

    frame: str
    functions: list[FunctionText]
    types: dict[str, str]
    addressed: dict[str, set[str]]


DEFINE = "define "
"""The start of a line in the frame of a module that stands for a function; its prototype follows."""


def divide(source: Source) -> ModuleText:
    """The parts of a module, which is in normal form."""
    text = source.text
    types = dict(_TYPE.findall(f"\n{text}"))
    reader = _Reader(source, types)
    frame, functions, position = list[str](), list[FunctionText](), 0
    for start, end in _bodies(text):
        function = reader.function(start, end)
        frame += [text[position:start], f"{DEFINE}{function.prototype}"]
        functions.append(function)
        position = end
    frame.append(text[position:])
    addressed: dict[str, set[str]] = {}
    for symbol, label in BLOCK_ADDRESS.findall(text) if "blockaddress(" in text else ():
        addressed.setdefault(symbol, set()).add(label)
    named = {f"%{name}": type for name, type in types.items()}
    return ModuleText(_without_comments("".join(frame)), functions, named, addressed)


def _bodies(text: str) -> Iterator[tuple[int, int]]:
    """The places of the functions with bodies."""
    for match in re.finditer(DEFINE, text):
        start, end = match.span()
        if start == 0 or text[start - 1] == "\n":
            yield start, text.index("\n}", end) + 2


def _without_comments(frame: str) -> str:
    lines = [line for line in frame.split("\n") if not line.startswith(";")]
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def with_named_labels(text: str) -> str:
    """The text in which blocks whose addresses are used have names, which remain when numbers change."""
    if "blockaddress(" not in text:
        return text
    numbered: dict[str, set[str]] = {}
    for symbol, label in BLOCK_ADDRESS.findall(text):
        if label.isdigit():
            numbered.setdefault(symbol, set()).add(label)
    parts, position = list[str](), 0
    for start, end in _bodies(text) if numbered else ():
        symbol, body = SYMBOL.search(text, start), text[start:end]
        if labels := symbol and numbered.get(symbol[1]):
            any_label = "|".join(labels)
            body = re.sub(rf"%(?=(?:{any_label})\b(?![-.$]))|(?m:^)(?=(?:{any_label}):)", r"\g<0>address.", body)
        parts += [text[position:start], body]
        position = end
    whole = "".join([*parts, text[position:]])
    return BLOCK_ADDRESS.sub(lambda m: f"blockaddress(@{m[1]}, %{'address.' * m[2].isdigit()}{m[2]})", whole)


class _Form(NamedTuple):
    """What lines have in common that are alike but for their names: the first of these may be that of the result."""

    op: str
    text: str
    indentation: int
    has_result: bool
    holes: int


class _Forms(dict[str, _Form]):
    """The forms of lines with holes."""

    def __missing__(self, line: str) -> _Form:
        match = _LINE.match(line)
        assert match
        indentation, result, text, op = match.groups()
        form = self[line] = _Form(op, text, len(indentation), result is not None, hole_count(line))
        return form


class _Reader:
    """Divides the functions of a module, whose named types are given."""

    def __init__(self, source: Source, types: Mapping[str, str]) -> None:
        self.source, self.divided, self.forms = source, Divider(types).divided, _Forms()

    def function(self, start: int, end: int) -> FunctionText:
        """The function at this place."""
        text = self.source.text
        first = text.index("\n", start)
        header = text[start:first]
        symbol = SYMBOL.search(header)
        assert symbol
        close = end_of_brackets(header, symbol.end() - 1)
        listed, names = self.divided(header[symbol.end() : close - 1])
        parameters = [Parameter(name, first_type(part)) for name, part in zip(names, parts_of(listed), strict=False)]
        header = f"{header[: symbol.end()]}{listed}{header[close - 1 :]}"
        entry = str(sum(parameter.name.isdigit() for parameter in parameters))
        label = _LABEL.match(text, first + 1)
        if label:
            header += f"\n{label[0]}"
        blocks = [*self._blocks(first + 1, end - 2, entry)]
        result = first_type(header[len(DEFINE) :])
        return FunctionText(symbol[1], header, result, parameters, blocks, Span(self.source, start, first))

    def _blocks(self, start: int, end: int, label: str) -> Iterator[Block]:
        """The blocks whose lines are at this place; the first one has the label, if it has none of its own."""
        source, forms = self.source, self.forms
        written = source.text[start:end]
        divided, names = self.divided(written)
        lines, position = list[Line](), 0
        for original, line in zip(_lines_of(written), _lines_of(divided), strict=True):
            if line.startswith(" "):
                op, text, indentation, has_result, holes = forms[line]
                result = names[position] if has_result else None
                operands = names[position + has_result : position + holes]
                lines.append(Line(source, start + indentation, start + len(original), result, op, text, operands))
                position += holes
            elif match := _LABEL.match(line):
                if lines:
                    yield _block(label, lines)
                label, lines = match[1], []
                position += line.count("%", match.end())  # the predecessors, in a comment
            start += len(original) + 1
        yield _block(label, lines)


def _block(label: str, lines: list[Line]) -> Block:
    names, count = lines[-1].names, label_count(lines[-1].text)
    return Block(label, lines, names[len(names) - count :])
