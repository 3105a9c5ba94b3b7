"""The texts of foreign operations: instructions of LLVM IR, with the hole ``%`` for each local value or label.

The line ``%5 = add nsw i32 %3, %4`` is the operation ``llvm.add nsw i32 %, %`` of two operands. Names of types, which
begin with ``%`` as well, stay in the text. A hole after ``label`` is an edge of a transfer.

Three operations are no instructions: the result of the transfer that leads to a block, a constant, and the attachments
of metadata to the transfer that follows. One states the name of a block whose address is used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from cpsconv.languages.llvm.types import PREFIX

RESULT = f"{PREFIX}result"
"""The result of the transfer that leads to the block: of ``invoke``, ``callbr`` or ``catchswitch``."""

CONSTANT = f"{PREFIX}constant "
"""The start of the text of a constant that the program has no literal for: ``llvm.constant @f``."""

METADATA = f"{PREFIX}metadata "
"""The start of the text of the metadata of the transfer that follows: ``llvm.metadata !llvm.loop !6``."""

LABEL = f"{PREFIX}label "
"""The start of the text that states the name of its block, for ``blockaddress``."""

POISON = "poison"

_ADDRESS = r'blockaddress\(@(?:[-\w$.]+|"[^"]*"), %(?:[-\w$.]+|"[^"]*")\)'
_NAME = re.compile(r"%([-\w$.]+)")
_NAME_OR_STRING = re.compile(rf'({_ADDRESS}|(?<!%)"[^"]*")|%([-\w$.]+|"[^"]*")')
_HOLE = re.compile(r'("[^"]*"|%"[^"]*")|%(?![-\w$."])')
_QUOTED = re.compile(r"[-a-zA-Z$._][-\w$.]*", re.ASCII)


def divided(text: str, types: Set[str]) -> tuple[list[str], list[str]]:
    """The texts around the local names of a line, and these names. `types` are the names of types, which stay."""
    if '"' in text or "blockaddress" in text:
        texts, names = _carefully_divided(text)
    else:
        parts = _NAME.split(text)
        texts, names = parts[::2], parts[1::2]
    if types and not types.isdisjoint(names):
        texts, names = _without(texts, names, types)
    return texts, names


def _carefully_divided(text: str) -> tuple[list[str], list[str]]:
    """Likewise, for a text with strings or addresses of blocks."""
    texts, names, start = list[str](), list[str](), 0
    for match in _NAME_OR_STRING.finditer(text):
        if match[2] is not None:
            texts.append(text[start : match.start()])
            names.append(match[2])
            start = match.end()
    return [*texts, text[start:]], names


def _without(texts: list[str], names: list[str], types: Set[str]) -> tuple[list[str], list[str]]:
    """Likewise, with the names of types in the texts again."""
    kept_texts, kept = texts[:1], list[str]()
    for name, text in zip(names, texts[1:], strict=True):
        if name in types:
            kept_texts[-1] += f"%{name}{text}"
        else:
            kept.append(name)
            kept_texts.append(text)
    return kept_texts, kept


def filled(template: str, words: Sequence[str]) -> str:
    """The text with words in its holes, as many as there are."""
    if '"' not in template and template.count("%") == len(words):
        first, *others = template.split("%")
        return first + "".join([f"{word}{text}" for word, text in zip(words, others, strict=True)])
    found = iter(words)
    return _HOLE.sub(lambda match: match[0] if match[1] is not None else next(found, "%"), template)


@lru_cache(10_000)
def holes(template: str) -> list[bool]:
    """For each hole of the text, whether it is a label."""
    found = [match.start() for match in _HOLE.finditer(template) if match[1] is None]
    return [template.endswith("label ", 0, start) for start in found]


def local(name: str) -> str:
    """A local name as LLVM writes it, after ``%``, in quotes if needed."""
    if _QUOTED.fullmatch(name):
        return name
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:02X}"
        for byte in name.encode("utf-8", "surrogateescape")
    )
    return f'"{escaped}"'


def unquoted(name: str) -> str:
    """The name without the quotes and escapes of LLVM."""
    if name[:1] != '"':
        return name
    data = re.sub(rb"\\([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), name[1:-1].encode())
    return data.decode("utf-8", "replace")
