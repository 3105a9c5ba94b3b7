#!/usr/bin/env python3
"""Usage: scripts/library.py

Converts the sources of C's library, ``cpsconv/languages/c/library/*.c``, to the programs ``*.json`` beside them.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def converted(source: Path) -> str:
    """The program of a source as JSON text, without locations."""
    from cpsconv import convert
    from cpsconv.core.json import to_json
    from cpsconv.core.source import Source

    program = convert(Source(str(source), source.read_text(encoding="utf-8")), certify=True)
    program.source = None
    return to_json(program)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from cpsconv.languages.c.library.linker import FOLDER

    for path in sorted(FOLDER.glob("*.c")):
        path.with_suffix(".json").write_text(converted(path), encoding="utf-8")
