"""The operands of instructions and calls, by their texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from cpsconv.languages.llvm.foreign_text import unescaped
from cpsconv.languages.llvm.forms import CONVERSIONS
from cpsconv.languages.llvm.ours.object_types import Inexpressible
from cpsconv.languages.llvm.types import NAME, end_of_brackets, end_of_type, first_type, parts_of

RELAXED_FLAGS = {"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}
"""The flags of a floating-point instruction that allow other results."""

_OF_CONSTANTS = (
    "getelementptr ptrtoint inttoptr bitcast addrspacecast trunc add sub xor blockaddress dso_local_equivalent splat"
)
_VALUE = re.compile(rf"(?:{'|'.join(_OF_CONSTANTS.split())})\b")
_ATTRIBUTE = re.compile(
    r'(?:"[^"]*"(?:="[^"]*")?|align \d+|[a-z_]\w*(?:\((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*\))?)\s+'
)
_ORDERINGS = re.compile(r'( syncscope\("[^"]*"\)| (unordered|monotonic|acquire|release|acq_rel|seq_cst))+$')
_CALLEE = re.compile(rf"(@{NAME}|%)\(")


class Operand(NamedTuple):
    """An operand: the text of its type, its attributes, and its own text, which is ``%`` for a local name."""

    type: str
    attributes: str
    text: str


class Instruction(NamedTuple):
    """The text of an instruction: the words before its first type, the operands, and the indices of members.

    An operand without a type has that of the first one. Orderings of atomic accesses are omitted, since the program has
    one thread at a time; so is metadata.
    """

    words: list[str]
    operands: list[Operand]
    indices: list[int]


class Call(NamedTuple):
    """The text of a call: the callee (``%`` for a pointer), and the arguments.

    `fixed` is the number of parameters if others follow, which vary.
    """

    callee: str
    operands: list[Operand]
    fixed: int | None = None


@lru_cache(10_000)
def operand_of(part: str, type: str = "") -> Operand:
    """The operand ``i32 noundef 3``: a type, attributes, and a value. A value alone is one of the other type."""
    end = end_of_type(part, 0)
    if end is None or (type and end == len(part)):
        return Operand(type, "", part.strip())
    start = position = end + len(part[end:]) - len(part[end:].lstrip())
    while not _VALUE.match(part, position) and (match := _ATTRIBUTE.match(part, position)):
        position = match.end()
    return Operand(part[:end], part[start:position], part[position:].strip())


def operands_of(text: str) -> list[Operand]:
    """The operands in a list, without metadata."""
    return [operand_of(part) for part in parts_of(text) if part and part[0] != "!"]


@lru_cache(10_000)
def instruction_of(text: str) -> Instruction:
    """The parts of an instruction: ``load atomic i32, ptr % seq_cst, align 4`` has one operand."""
    type = first_type(text)
    start = text.index(f" {type}") + 1 if type else len(text)
    words, parts = text[:start].split(), [_ORDERINGS.sub("", part) for part in parts_of(text[start:])]
    if words[0] in CONVERSIONS:
        parts[0] = parts[0].rpartition(" to ")[0]
    parts = [part for part in parts if part and part[0] != "!" and not part.startswith(("align ", "addrspace("))]
    indices = [int(part) for part in parts if part.isdigit()] if words[0].endswith("value") else []
    listed = enumerate(parts[: len(parts) - len(indices)])
    operands = [operand_of(part, type if number else "") for number, part in listed]
    return Instruction(words, [each for each in operands if each.text], indices)


@lru_cache(10_000)
def call_of(text: str) -> Call:
    """The parts of a call. Raises `Inexpressible` for other callees, such as assembler text."""
    callee = _CALLEE.search(text)
    if callee is None or re.match(r"[\w ]*\basm\b", text):
        raise Inexpressible("this callee")
    start = callee.end() - 1
    end = end_of_brackets(text, start)
    if "[ " in text[end:].partition(", !")[0] and callee[1] != "@llvm.assume":
        raise Inexpressible("operand bundles")
    head = text[: callee.start()].rstrip()
    if not RELAXED_FLAGS.isdisjoint(head.split()):
        raise Inexpressible("a call with flags that change its result")
    is_variadic = head.endswith("...)")
    fixed = len(parts_of(head[head.rindex(" (") + 2 : -1])) - 1 if is_variadic else None
    operands = [each for each in operands_of(text[start + 1 : end - 1]) if each.type != "metadata"]
    if operands and operands[-1].text == "...":
        raise Inexpressible("a call that passes all arguments on")
    return Call(callee[1], operands, fixed)


def stated_alignment(parts: Iterable[str]) -> int:
    """The alignment that a part ``align 4`` states, or 0."""
    return next((int(part.split()[1]) for part in parts if part.startswith("align ")), 0)


def elements_of(text: str, types: Sequence[str]) -> list[Operand]:
    """The elements of the constant of a struct, an array or a vector, which have these types."""
    if text.startswith("splat "):
        return [operand_of(text[len("splat (") : -1])] * len(types)
    inner = text[2:-2] if text[:2] == "<{" else text[1:-1] if text[0] in "{[<" else ""
    found = operands_of(inner.strip())
    if len(found) != len(types):
        raise Inexpressible(f"the constant `{text}`")
    return found


def characters(text: str) -> bytes:
    """The bytes of a constant ``c"a\\00"``."""
    return unescaped(text[2:-1])
