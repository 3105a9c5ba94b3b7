"""The functions of ``helpers.js``, which precede a program that uses them.

A name there that begins with ``$`` is that of a helper, or of a global: a constant, if the program has a variable of
the global's name.
"""

from __future__ import annotations

import re
from collections.abc import Set
from pathlib import Path

HELPER = "\0"
"""The start of the names of helpers and their globals, until names are known that the program does not use."""

_TEXT = Path(__file__).with_name("helpers.js").read_text(encoding="utf-8")
_NAME = re.compile(r"\$(\w+)")
_USED = re.compile(rf"{HELPER}(\w+)")
_DEFINITIONS = {
    match[1]: piece
    for piece in _TEXT.strip().split("\n\n")
    if (match := re.match(r"(?:const|class|(?:async )?function\*?) \$(\w+)", piece))
}

GLOBALS = frozenset(_NAME.findall(_TEXT)).difference(_DEFINITIONS)
"""The globals that helpers use."""


def with_helpers(text: str, names: Set[str], declared: Set[str]) -> str:
    """The text after the helpers that it uses, whose names begin with so many ``$`` that they are not in `names`.

    The *declared* names denote other values than those of globals.
    """
    plain = GLOBALS - declared

    def spelt(match: re.Match[str]) -> str:
        return match[1] if match[1] in plain else f"{HELPER}{match[1]}"

    constants = {name: f"const ${name} = globalThis.{name};" for name in sorted(GLOBALS & declared)}
    pieces = {name: _NAME.sub(spelt, piece) for name, piece in {**constants, **_DEFINITIONS}.items()}
    text = _USED.sub(spelt, text)
    used, pending = set[str](), _USED.findall(text)
    while pending:
        if (name := pending.pop()) not in used:
            used.add(name)
            pending += _USED.findall(pieces[name])
    prefix = "$"
    while any(name.startswith(prefix) and name.removeprefix(prefix) in used for name in names):
        prefix += "$"
    return "\n".join([*(piece for name, piece in pieces.items() if name in used), text]).replace(HELPER, prefix)
