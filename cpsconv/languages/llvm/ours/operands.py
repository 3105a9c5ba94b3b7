"""The operands of instructions, by their texts, and the values of structs, arrays and vectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cpsconv.core.ir import Value
from cpsconv.languages.llvm.foreign_text import unescaped
from cpsconv.languages.llvm.ours.object_types import ObjectTypes, is_aggregate
from cpsconv.languages.llvm.types import end_of_type, first_type, parts_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.module_text import Line
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


Handler = Callable[["FunctionLowering", "Line"], Any]
"""The function from the lowering of a function and an instruction to the value of the instruction."""


class Operand(NamedTuple):
    """An operand: the text of its type, its attributes, and its own text, which is ``%`` for a local name."""

    type: str
    attributes: str
    text: str


_OF_CONSTANTS = (
    "getelementptr ptrtoint inttoptr bitcast addrspacecast trunc add sub xor blockaddress dso_local_equivalent splat"
)
_VALUE = re.compile(rf"(?:{'|'.join(_OF_CONSTANTS.split())})\b")
_ATTRIBUTE = re.compile(
    r'(?:"[^"]*"(?:="[^"]*")?|align \d+|[a-z_]\w*(?:\((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*\))?)\s+'
)


@lru_cache(10_000)
def operand_of(part: str) -> Operand:
    """The operand ``i32 noundef 3``: a type, attributes, and a value."""
    end = end_of_type(part, 0)
    if end is None:
        return Operand("", "", part.strip())
    start = position = end + len(part[end:]) - len(part[end:].lstrip())
    while not _VALUE.match(part, position) and (match := _ATTRIBUTE.match(part, position)):
        position = match.end()
    return Operand(part[:end], part[start:position], part[position:].strip())


def operands_of(text: str) -> list[Operand]:
    """The operands in a list, without metadata."""
    return [operand_of(part) for part in parts_of(text) if part and part[0] != "!"]


def characters(text: str) -> bytes:
    """The bytes of a constant ``c"a\\00"``."""
    return unescaped(text[2:-1])


def elements_of(text: str, count: int) -> list[Operand]:
    """The elements that the constant of a struct, an array or a vector lists, of which it has so many."""
    if text.startswith("splat "):
        return [operand_of(text[len("splat (") : -1])] * count
    if text.startswith('c"'):
        return [Operand("i8", "", str(each)) for each in characters(text)]
    inner = text[2:-2] if text[:2] == "<{" else text[1:-1] if text[0] in "{[<" else ""
    return [operand_of(each) for each in parts_of(inner.strip()) if each]


class Instruction(NamedTuple):
    """The text of an instruction: the words before its first type, and its parts from there on, between commas.

    Orderings of atomic accesses are omitted, since the program has one thread at a time; so is metadata.
    """

    words: list[str]
    parts: list[str]

    @property
    def alignment(self) -> int:
        """The alignment that a part states, or 0."""
        return stated_alignment(self.parts)


def stated_alignment(parts: Iterable[str]) -> int:
    """The alignment that a part ``align 4`` states, or 0."""
    return next((int(part.split()[1]) for part in parts if part.startswith("align ")), 0)


_ORDERINGS = re.compile(r'( syncscope\("[^"]*"\)| (unordered|monotonic|acquire|release|acq_rel|seq_cst))+$')


@lru_cache(10_000)
def instruction_of(text: str) -> Instruction:
    """The parts of an instruction: ``load atomic i32, ptr % seq_cst, align 4`` has three."""
    type = first_type(text)
    start = text.index(f" {type}") + 1 if type else len(text)
    parts = [_ORDERINGS.sub("", part) for part in parts_of(text[start:]) if part and part[0] != "!"]
    return Instruction(text[:start].split(), parts)


class Aggregate:
    """The values of the members of a struct, an array or a vector of a type; they may be aggregates themselves."""

    def __init__(self, type: str, members: Iterable[Any]) -> None:
        self.type, self.members = type, [*members]


def built(types: ObjectTypes, type: str, leaf: Callable[[str], Value]) -> Any:
    """A value of the type, whose scalars are those of the function, in their order. Raises `Inexpressible`."""
    if not is_aggregate(types.definition(type)):
        return leaf(type)
    return Aggregate(type, [built(types, each, leaf) for each, _ in types.members(type)])


def leaves(value: Any) -> list[Value]:
    """The scalars in a value, in their order."""
    if not isinstance(value, Aggregate):
        return [value]
    return [leaf for member in value.members for leaf in leaves(member)]


def elementwise(compute: Callable[..., Value], values: Sequence[Any], type: str = "") -> Any:
    """The result of a computation with scalars; for aggregates, that of a type with the results for all members."""
    whole = [each for each in values if isinstance(each, Aggregate)]
    if not whole:
        return compute(*values)
    count = len(whole[0].members)
    rows = zip(*[each.members if isinstance(each, Aggregate) else [each] * count for each in values], strict=True)
    return Aggregate(type or whole[0].type, [elementwise(compute, row) for row in rows])
