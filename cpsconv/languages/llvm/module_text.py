"""A module in LLVM's normal form, divided into functions, blocks and lines.

The text of a line is the static text of a foreign operation: its local names are holes (`foreign_text`). Lines are
divided by two regular expressions and never parsed; only the lines whose meaning the conversion needs are read further.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import NamedTuple

from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Source, Span
from cpsconv.languages.llvm.foreign_text import BLOCK_ADDRESS, Divider, holes
from cpsconv.languages.llvm.types import NAME, end_of_brackets, first_type, parts_of

_LINE = re.compile(rf"\n(?:  (?:%({NAME}) = )?([a-z_]\w*)(.*(?:\n(?: {{6}}|    i|  \]).*)*)|    (#dbg.*)|({NAME}):.*)")
"""A line. Those that are indented further, or close a bracket, continue the one before."""

_LABEL = re.compile(rf"({NAME}):")
_TYPE = re.compile(rf"\n%({NAME}) = type (.*)")
SYMBOL = re.compile(rf"@({NAME})\(")
RECORD = "#dbg"
"""The operation of lines that are records of debug information."""


class Line(Span):
    """A line: the name of its result, its operation (the first word), and its text with holes for the `names`.

    It is the span of its place in the module.
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
    divider = Divider(types)
    frame, functions, position = list[str](), list[FunctionText](), 0
    for start, end in _bodies(text):
        function = _function(source, start, end, divider)
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
    for match in re.finditer("(?m)^define ", text):
        yield match.start(), text.index("\n}", match.end()) + 2


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


def _function(source: Source, start: int, end: int, divider: Divider) -> FunctionText:
    text = source.text
    first = text.index("\n", start)
    header = text[start:first]
    symbol = SYMBOL.search(header)
    assert symbol
    close = end_of_brackets(header, symbol.end() - 1)
    listed, names = divider.divided(header[symbol.end() : close - 1])
    parameters = [Parameter(name, first_type(part)) for name, part in zip(names, parts_of(listed), strict=False)]
    header = f"{header[: symbol.end()]}{listed}{header[close - 1 :]}"
    entry = str(sum(parameter.name.isdigit() for parameter in parameters))
    label = _LABEL.match(text, first + 1)
    if label:
        header += f"\n{label[0]}"
    blocks = [*_blocks(source, first, end, entry, divider)]
    result = first_type(header[len("define ") :])
    return FunctionText(symbol[1], header, result, parameters, blocks, Span(source, start, first))


def _blocks(source: Source, start: int, end: int, label: str, divider: Divider) -> Iterator[Block]:
    lines: list[Line] = []
    divided = divider.divided
    for match in _LINE.finditer(source.text, start, end):
        result, op, rest, record, following = match.groups()
        if op:
            text, names = divided(f"{op}{rest}")
            lines.append(Line(source, match.start() + 3, match.end(), result, op, text, names))
        elif record:
            text, names = divided(record)
            lines.append(Line(source, match.start() + 5, match.end(), None, RECORD, text, names))
        else:
            if lines:
                yield _block(label, lines)
            label, lines = following, []
    yield _block(label, lines)


def _block(label: str, lines: list[Line]) -> Block:
    last = lines[-1]
    targets = [name for name, is_label in zip(last.names, holes(last.text), strict=True) if is_label]
    return Block(label, lines, targets)
