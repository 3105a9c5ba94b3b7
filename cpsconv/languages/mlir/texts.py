"""The texts of MLIR in a program, and the parts of such texts.

The text of a foreign operation is its name, followed by its properties and attributes, if any. Several results of an
operation or function are one value of a foreign type ``results<i32, f32>``, which only two foreign operations concern:
``result 0`` selects one of them, and ``results`` makes one value of all. The results of an operation that ends a block
are those of ``result``, with which the blocks begin that it leads to.

If every operation stays as it is, so that the module can be written again, the program has these attributes:

- `mlir.module`, of the program: the text of the module, with a line ``function "f" DECLARATION`` for each function;
- `mlir.header`, of a function: three lines, up to the region, the label of its first block, and after the region;
- `mlir.location`, of parameters and statements: ``loc(…)``.

The foreign operation ``mlir.transfer`` before a transfer has its location, and its text unless the transfer is foreign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from cpsconv.core.attributes import Attribute, register

MODULE, HEADER, LOCATION, TRANSFER = "mlir.module", "mlir.header", "mlir.location", "mlir.transfer"
RESULTS, RESULT = "results", "result"

register(
    Attribute(MODULE, "string", ["program"]),
    Attribute(HEADER, "string", ["function"]),
    Attribute(LOCATION, "string", ["parameter", "statement"]),
)

STRING = r'"(?:[^"\\\n]|\\.)*"'

BODY = re.compile(rf"^([ \t]*)function ({STRING}) (.*)$", re.MULTILINE)
"""The line of a module that stands for a function: its margin, its name, and its declaration."""

BRACKETS = re.compile(rf"{STRING}|//[^\n]*|->|>=|[<({{\[]|[>)}}\]]|,")
_LINE_END = re.compile(rf"({STRING})|\s*(?://[^\n]*)?\n\s*")
_SEGMENTS = re.compile(r"(?<=\boperandSegmentSizes = )array<i32\b([^>]*)>")
_LISTS = re.compile(r"\b(case|indbr)_operand_segments = array<i32\b[^>]*>")


def with_segments(text: str, counts: Sequence[int]) -> str:
    """The text of a transfer whose edges pass these numbers of values: the sizes of the last groups of its operands.

    The cases of a switch are one group, with a list of the sizes, as has an indirect branch; no bundles of operands
    follow in an invocation.
    """
    name = text.partition(" ")[0]
    if found := _LISTS.search(text):
        sizes = _array(counts[found[1] == "case" :])
        text = f"{text[: found.start()]}{found[1]}_operand_segments = {sizes}{text[found.end() :]}"
        counts = [*counts[:1], sum(counts[1:])]
    last = [*counts, 0] if name == "llvm.invoke" else counts

    def updated(found: re.Match[str]) -> str:
        own = re.findall(r"\d+", found[1])
        return _array([*own[: max(len(own) - len(last), 0)], *last])

    return _SEGMENTS.sub(updated, text, count=1)


def _array(numbers: Sequence[object]) -> str:
    return f"array<i32{': ' * bool(numbers)}{', '.join(map(str, numbers))}>"


def on_one_line(text: str) -> str:
    """The text without line ends and comments."""
    return _LINE_END.sub(lambda found: found[1] or " ", text).strip() if "\n" in text else text.strip()


def symbol(text: str) -> str:
    """The name in the program for a symbol, ``@f`` or a string. Names in CPS text have no back quotes."""
    return text.removeprefix("@").strip('"').replace("`", "'")


def unescaped(text: str) -> str:
    """The content of a string, in which ``\\22`` is a byte."""
    data = text[1:-1].encode("utf-8", "surrogateescape")
    return re.sub(rb"\\([\dA-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), data).decode("utf-8", "replace")


def parts_of(text: str, mark: str = ",") -> list[str]:
    """The parts between marks, also ``->`` or ``(``, that are in no brackets, without white space around them."""
    found, start, depth = list[str](), 0, 0
    for match in BRACKETS.finditer(text):
        if match[0] == mark and depth == 0:
            found.append(text[start : match.start()].strip())
            start = match.end()
        depth += 1 if match[0] in "<({[" else -1 if match[0] in ">)}]" else 0
    last = text[start:].strip()
    return [*found, last] if found or last else []


def results_in(type: str) -> list[str]:
    """The types of several results, by the type of all of them together; otherwise, that type."""
    start = f"{RESULTS}<"
    return parts_of(type.removeprefix(start)[:-1]) if type.startswith(start) else [type]


def dictionary(text: str) -> dict[str, str]:
    """The entries of ``{name = value, flag}``, the value of a flag being empty."""
    entries = (each.partition("=") for each in parts_of(text[1:-1]))
    return {name.strip().strip('"'): value.strip() for name, _, value in entries}


def halves_of(text: str, mark: str) -> tuple[str, str]:
    """The parts of a text before and after such a mark; empty without."""
    before, after, *_ = [*parts_of(text, mark), "", ""]
    return before, after


@cache
def signature(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The types of operands and results in ``(i32, i32) -> i32`` or ``(i32) -> (i32, f32)``."""
    operands, results = halves_of(on_one_line(text), "->")
    return tuple(parts_of(operands[1:-1])), tuple(parts_of(results[1:-1]) if results[:1] == "(" else [results])


class Argument(NamedTuple):
    """An argument of a block: its name, ``%a``, its type, and its location, or "" without."""

    name: str
    type: str
    location: str


def arguments_of(label: str) -> list[Argument]:
    """The arguments in ``^bb1(%a: i32 loc(#loc1), %b: f32):``."""
    found = []
    for each in parts_of(on_one_line(label).partition("(")[2].rpartition(")")[0]):
        name, _, typed = each.partition(":")
        type, *location = re.split(r"\s*\bloc(?=\()", typed, maxsplit=1)
        found.append(Argument(name.strip(), type.strip(), f"loc{location[0]}" if location else ""))
    return found
