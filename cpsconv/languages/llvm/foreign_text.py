"""The texts of foreign operations: instructions of LLVM IR, with the hole ``%`` for each local value or label.

The line ``%5 = add nsw i32 %3, %4`` is the operation ``llvm.add nsw i32 %, %`` of two operands. Names of types, which
begin with ``%`` as well, stay in the text. A hole after ``label`` is an edge of a transfer.

Four operations are no instructions: the result of the transfer that leads to a block, a constant, the attachments of
metadata to the transfer that follows, and the name of a block whose address is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from cpsconv.languages.llvm.types import NAME, PREFIX

RESULT = f"{PREFIX}result"
"""The result of the transfer that leads to the block: of ``invoke``, ``callbr`` or ``catchswitch``."""

CONSTANT = f"{PREFIX}constant "
"""The start of the text of a constant that the program has no literal for: ``llvm.constant @f``."""

METADATA = f"{PREFIX}metadata "
"""The start of the text of the metadata of the transfer that follows: ``llvm.metadata !llvm.loop !6``."""

LABEL = f"{PREFIX}label "
"""The start of the text that states the name of its block, for ``blockaddress``."""

POISON = "poison"

BLOCK_ADDRESS = re.compile(rf"blockaddress\(@({NAME}), %({NAME})\)")
"""The address of a block: the symbol of its function, and its label."""

_HOLE = re.compile(r'%?"[^"]*"|(%)(?![-\w$."])|%')
"""A hole, which is the group, or what is none: a string, or the start of the name of a type."""

_QUOTED = re.compile(r"[-a-zA-Z$._][-\w$.]*", re.ASCII)


class Divider:
    """Divides parts of a module into the text, with the hole ``%`` for each local name, and the names.

    `types` are the names of types, which stay in the text.
    """

    def __init__(self, types: Collection[str]) -> None:
        listed = "|".join(map(re.escape, types))
        others = rf"(?!(?:{listed})(?![-\w$.]))" if listed else ""
        address = BLOCK_ADDRESS.pattern.replace(f"({NAME})", NAME)
        number = r"\d+|" if not any(map(str.isdigit, types)) else ""  # most names: found without a look at the types
        self._split = re.compile(rf"%({number}{others}[-\w$.]+)").split
        self._careful = re.compile(rf'{address}|%{others}({NAME})|%?"[^"]*"').finditer

    def divided(self, text: str) -> tuple[str, list[str]]:
        """The text with holes, and the names."""
        if '"' in text or "blockaddress" in text:
            return self._carefully_divided(text)
        parts = self._split(text)
        return "%".join(parts[::2]), parts[1::2]

    def _carefully_divided(self, text: str) -> tuple[str, list[str]]:
        """Likewise, for a text with strings or addresses of blocks."""
        parts, names, start = list[str](), list[str](), 0
        for match in self._careful(text):
            if match[1] is not None:
                parts.append(text[start : match.start()])
                names.append(match[1])
                start = match.end()
        return "%".join([*parts, text[start:]]), names


def filled(template: str, words: Sequence[str]) -> str:
    """The text with words in its holes, as many as there are."""
    text, count = _format(template)
    if len(words) != count:
        words = [*words, *["%"] * count][:count]
    return text % (*words,)


@lru_cache(10_000)
def _format(template: str) -> tuple[str, int]:
    """The text as a format string, and the number of its holes."""
    text = _HOLE.sub(lambda match: "%s" if match[1] else match[0].replace("%", "%%"), template)
    return text, hole_count(template)


@lru_cache(10_000)
def hole_count(template: str) -> int:
    """The number of holes of the text."""
    return _HOLE.findall(template).count("%")


@lru_cache(10_000)
def local(name: str) -> str:
    """A local name as LLVM writes it, after ``%``, in quotes if needed."""
    if _QUOTED.fullmatch(name):
        return name
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:02X}"
        for byte in name.encode("utf-8", "surrogateescape")
    )
    return f'"{escaped}"'


def unescaped(text: str) -> bytes:
    """The bytes of a text between quotes."""
    data = text.encode("utf-8", "surrogateescape")
    return re.sub(rb"\\([0-9A-Fa-f]{2}|\\)", lambda m: m[1] if m[1] == b"\\" else bytes([int(m[1], 16)]), data)


def unquoted(name: str) -> str:
    """The name without the quotes and escapes of LLVM."""
    return unescaped(name[1:-1]).decode("utf-8", "replace") if name[:1] == '"' else name


def program_name(name: str) -> str:
    """The name in the program for one of LLVM: names in CPS text have no back quotes."""
    return unquoted(name).replace("`", "'")
