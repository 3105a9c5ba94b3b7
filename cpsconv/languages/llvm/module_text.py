"""A module in LLVM's normal form, divided into functions, blocks and lines.

The text of a line is the static text of a foreign operation: its local names are holes (`foreign_text`). Lines are
divided by two regular expressions and never parsed; only the lines whose meaning the conversion needs are read further.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import NamedTuple

from cpsconv.core.nodes import NodeType
from cpsconv.languages.llvm.foreign_text import divided, holes
from cpsconv.languages.llvm.types import end_of_brackets, first_type, parts_of

_LINE = re.compile(r'  (?:%([-\w$.]+|"[^"]*") = )?([a-z_]\w*)(.*)')
_LABEL = re.compile(r'([-\w$.]+|"[^"]*"):')
SYMBOL = re.compile(r'@([-\w$.]+|"[^"]*")\(')
ADDRESS = re.compile(r'blockaddress\((@(?:[-\w$.]+|"[^"]*")), %([-\w$.]+|"[^"]*")\)')
_TYPE = re.compile(r'%([-\w$.]+|"[^"]*") = type (.*)')
RECORD = "#dbg"
"""The operation of lines that are records of debug information."""


class Line(NamedTuple):
    """A line: the name of its result, its operation (the first word), and its text with holes for the `names`.

    `start` and `end` are its place in the module.
    """

    result: str | None
    op: str
    text: str
    names: list[str]
    start: int
    end: int


class Block(metaclass=NodeType):
    """A basic block. `label` is its name, a number if it has none; `lines` end with the transfer.

    `targets` are the labels to which the transfer leads, one for each edge.
    """

    label: str
    lines: list[Line]
    start: int
    targets: list[str] = field(default_factory=list)


class Parameter(NamedTuple):
    """A parameter of a function: its name, and its type."""

    name: str
    type: str


class FunctionText(metaclass=NodeType):
    """A function with a body: its symbol, the text of its first line with holes for the parameters, and its blocks.

    A name of the first block is a line of the `header` as well.
    """

    symbol: str
    header: str
    result: str
    parameters: list[Parameter]
    blocks: list[Block]
    start: int
    end: int

    @property
    def prototype(self) -> str:
        """The types of the result and the parameters, as in a declaration: ``i32 @f(ptr, ...)``."""
        is_variadic = re.search(r"[(,] ?\.\.\.\)", self.header) is not None
        types = [each.type for each in self.parameters] + ["..."] * is_variadic
        return f"{self.result} @{self.symbol}({', '.join(types)})"


class ModuleText(metaclass=NodeType):
    """A module: the text around the bodies of its functions, its functions, and its named types.

    `addressed` are the symbols of functions and the labels of blocks whose addresses are used.
    """

    frame: str
    functions: list[FunctionText]
    types: dict[str, str]
    addressed: set[tuple[str, str]]
    text: str


DEFINE = "define "
"""The start of a line in the frame of a module that stands for a function; its prototype follows."""


def divide(text: str) -> ModuleText:
    """The parts of a module in normal form."""
    text = _with_named_labels(text)
    types = {match[1]: match[2] for match in map(_TYPE.match, text.split("\n")) if match}
    frame, functions, position = list[str](), list[FunctionText](), 0
    for start, end in _bodies(text):
        function = _function(text, start, end, types)
        frame += [text[position:start], f"{DEFINE}{function.prototype}"]
        functions.append(function)
        position = end
    frame.append(text[position:])
    addressed = {(match[1][1:], match[2]) for match in ADDRESS.finditer(text)} if "blockaddress(" in text else set()
    named = {f"%{name}": type for name, type in types.items()}
    return ModuleText(_without_comments("".join(frame)), functions, named, addressed, text)


def _bodies(text: str) -> Iterator[tuple[int, int]]:
    """The places of the functions with bodies."""
    for match in re.finditer("(?m)^define ", text):
        yield match.start(), text.index("\n}", match.end()) + 2


def _without_comments(frame: str) -> str:
    lines = [line for line in frame.split("\n") if not line.startswith(";")]
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _with_named_labels(text: str) -> str:
    """The text in which blocks whose addresses are used have names, which remain when numbers change."""
    if "blockaddress(" not in text:
        return text
    numbered = {(match[1], match[2]) for match in ADDRESS.finditer(text) if match[2].isdigit()}
    if not numbered:
        return text
    parts, position = list[str](), 0
    for start, end in _bodies(text):
        body, symbol = text[start:end], SYMBOL.search(text, start)
        for function, number in numbered:
            if symbol and function[1:] == symbol[1]:
                body = re.sub(rf"%{number}\b(?![-.$])", f"%address.{number}", body)
                body = re.sub(rf"(?m)^{number}:", f"address.{number}:", body)
        parts += [text[position:start], body]
        position = end
    whole = "".join([*parts, text[position:]])
    return ADDRESS.sub(lambda m: f"blockaddress({m[1]}, %{'address.' * m[2].isdigit()}{m[2]})", whole)


def _function(text: str, start: int, end: int, types: dict[str, str]) -> FunctionText:
    first = text.index("\n", start)
    header = text[start:first]
    symbol = SYMBOL.search(header)
    assert symbol
    close = end_of_brackets(header, symbol.end() - 1)
    texts, names = divided(header[symbol.end() : close - 1], types.keys())
    parameters = [
        Parameter(name, first_type(part)) for name, part in zip(names, parts_of("%".join(texts)), strict=False)
    ]
    header = f"{header[: symbol.end()]}{'%'.join(texts)}{header[close - 1 :]}"
    entry = str(sum(parameter.name.isdigit() for parameter in parameters))
    label = _LABEL.match(text, first + 1)
    if label:
        header += f"\n{label[0]}"
    blocks = [*_blocks(text, first + 1, end - 1, entry, types)]
    result = first_type(header[len("define ") :])
    return FunctionText(symbol[1], header, result, parameters, blocks, start, end)


def _blocks(text: str, start: int, end: int, label: str, types: dict[str, str]) -> Iterator[Block]:
    names_of_types = types.keys()
    block = Block(label, [], start)
    for first, last, line in _logical_lines(text[start:end], start):
        if line[0] != " ":
            match = _LABEL.match(line)
            assert match
            if block.lines:
                yield _with_targets(block)
            block = Block(match[1], [], first)
        elif line.startswith("    #dbg"):
            texts, names = divided(line[4:], names_of_types)
            block.lines.append(Line(None, RECORD, "%".join(texts), names, first + 4, last))
        else:
            match = _LINE.match(line)
            assert match
            texts, names = divided(match[3], names_of_types)
            block.lines.append(Line(match[1], match[2], f"{match[2]}{'%'.join(texts)}", names, first + 2, last))
    yield _with_targets(block)


def _with_targets(block: Block) -> Block:
    last = block.lines[-1]
    block.targets = [name for name, is_label in zip(last.names, holes(last.text), strict=True) if is_label]
    return block


def _logical_lines(text: str, start: int) -> Iterator[tuple[int, int, str]]:
    """The lines with their places. Lines that are indented further, or close a bracket, continue the one before."""
    pending: tuple[int, int, str] | None = None
    for line in text.split("\n"):
        end = start + len(line)
        if line.startswith(("      ", "    i", "  ]")) and pending:
            pending = pending[0], end, f"{pending[2]} {line.strip()}"
        elif line and line[0] != ";":
            if pending:
                yield pending
            pending = start, end, line
        start = end + 1
    if pending:
        yield pending
