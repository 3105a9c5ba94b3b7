"""A module in LLVM's normal form, divided into functions, blocks and lines.

Many lines differ only in their local names: they share a `Form`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Source, Span
from cpsconv.languages.llvm.foreign_text import BLOCK_ADDRESS, Divider
from cpsconv.languages.llvm.forms import Form
from cpsconv.languages.llvm.types import NAME, end_of_brackets, first_type, parts_of

_lines_of = re.compile(r"\n(?! {6}|    i|  \])").split
"""Divides a text into its lines. Those that are indented further, or close a bracket, continue the one before."""

_LABEL = re.compile(rf"({NAME}):")
_TYPE = re.compile(rf"\n%({NAME}) = type (.*)")
SYMBOL = re.compile(rf"@({NAME})\(")
_CONVERGENT_LOOP = "@llvm.experimental.convergence.loop("
RECORD = "#dbg"
"""The operation of lines that are records of debug information."""


class Line(Span):
    """A line: the name of its result, its form, and the `names` in the holes. It is the span of its place."""

    __slots__ = ("form", "names", "result")

    def __init__(
        self, source: Source, start: int, end: int, result: str | None, form: Form, names: Sequence[str]
    ) -> None:
        self.source, self.start, self.end = source, start, end
        self.result, self.form, self.names = result, form, names

    @property
    def op(self) -> str:
        """The operation: the first word of the text."""
        return self.form.op

    @property
    def text(self) -> str:
        """The text, with holes for the names."""
        return self.form.text

    def changed(self, text: str, names: Sequence[str]) -> Line:
        """The line with another text and other names."""
        form = self.form if text == self.text else Form(text, self.form.named)
        return Line(self.source, self.start, self.end, self.result, form, names)


class Block(metaclass=NodeType):
    """A basic block. `label` is its name, a number if it has none; `lines` end with the transfer.

    `targets` are the labels to which the transfer leads, one for each edge. `uses` are the lines, without records, that
    use allocations of the function.
    """

    label: str
    lines: list[Line]
    targets: Sequence[str] = field(default_factory=list)
    uses: list[Line] = field(default_factory=list)


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
    span: Span
    blocks: list[Block] = field(default_factory=list)
    allocations: dict[str, Line] = field(default_factory=dict)

    def with_blocks(self, blocks: list[Block]) -> FunctionText:
        """The function with these blocks, and the allocations of the first one by name."""
        found = {str(line.result): line for line in blocks[0].lines if line.form.op == "alloca"}
        others = found.keys().isdisjoint
        for block in blocks if found else ():
            block.uses = [line for line in block.lines if not others(line.names) and line.form.op != RECORD]
        return FunctionText(self.symbol, self.header, self.result, self.parameters, self.span, blocks, found)

    def reached(self) -> dict[str, Block]:
        """The blocks that control can reach, by their labels, in reverse postorder."""
        blocks = {block.label: block for block in self.blocks}
        order = reverse_postorder_from(self.blocks[0].label, lambda label: blocks[label].targets)
        return {label: blocks[label] for label in order}

    def unused_allocations(self, blocks: Iterable[Block]) -> dict[str, str]:
        """The names of the allocations that the blocks do not use, with their types."""
        used = {name for block in blocks for line in block.uses for name in line.names}
        return {name: line.form.allocated for name, line in self.allocations.items() if name not in used}

    @property
    def prototype(self) -> str:
        """The types of the result and the parameters, as in a declaration: ``i32 @f(ptr, ...)``."""
        is_variadic = re.search(r"[(,] ?\.\.\.\)", self.header) is not None
        types = [each.type for each in self.parameters] + ["..."] * is_variadic
        return f"{self.result} @{self.symbol}({', '.join(types)})"


class ModuleText(metaclass=NodeType):
    """A module: the text around the bodies of its functions, its functions, and its named types.

    `addressed` has for the symbols of functions the labels of blocks that stay apart: their addresses are used, or they
    begin with an instruction that LLVM accepts only there, and have names.
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
    types = dict(_TYPE.findall(f"\n{text}".partition(f"\n{DEFINE}")[0]))
    named = {f"%{name}": type for name, type in types.items()}
    reader = _Reader(source, Divider(types), named)
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
    for function in functions if _CONVERGENT_LOOP in text else ():
        headers = [each for each in function.blocks if any(_CONVERGENT_LOOP in line.text for line in each.lines)]
        addressed.setdefault(function.symbol, set()).update(each.label for each in headers if not each.label.isdigit())
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


def parameters_in(header: str) -> list[str]:
    """The texts of the parameters in the first line of a function; the last one is ``...`` if it takes more."""
    symbol = SYMBOL.search(header)
    assert symbol
    end = end_of_brackets(header, symbol.end() - 1) - 1
    return [each for each in parts_of(header[symbol.end() : end]) if each]


class _Forms(dict[str, Form]):
    """The forms of lines with holes, in a module with these named types."""

    def __init__(self, named: Mapping[str, str]) -> None:
        self._named = named

    def __missing__(self, line: str) -> Form:
        form = self[line] = Form(line, self._named)
        return form


class _Reader:
    """Divides the functions of a module."""

    def __init__(self, source: Source, divider: Divider, named: Mapping[str, str]) -> None:
        self.source, self.divided, self.forms = source, divider.divided, _Forms(named)

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
        result = first_type(header[len(DEFINE) :])
        empty = FunctionText(symbol[1], header, result, parameters, Span(self.source, start, first))
        return empty.with_blocks([*self._blocks(first + 1, end - 2, entry)])

    def _blocks(self, start: int, end: int, label: str) -> Iterator[Block]:
        """The blocks whose lines are at this place; the first one has the label, if it has none of its own."""
        source, forms, divided = self.source, self.forms, self.divided
        lines = list[Line]()
        for written in _lines_of(source.text[start:end]):
            after = start + len(written)
            if written[:1] == " ":
                text, names = divided(written)
                form, result = forms[text], None
                if form.has_result:
                    result, *names = names
                lines.append(Line(source, start + form.indentation, after, result, form, names))
            elif match := _LABEL.match(written):
                if lines:
                    yield _block(label, lines)
                label, lines = match[1], []
            start = after + 1
        yield _block(label, lines)


def _block(label: str, lines: list[Line]) -> Block:
    last = lines[-1]
    return Block(label, lines, last.names[len(last.names) - last.form.labels :])
