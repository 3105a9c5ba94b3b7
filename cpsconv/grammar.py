"""Where the grammars are and how a parser is made from one."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def read_grammar(name: str) -> str:
    """The text of ``grammars/<name>.lark``: in the package once that is installed, beside it in a checkout."""
    for folder in (_PACKAGE / "grammars", _PACKAGE.parent / "grammars"):
        path = folder / f"{name}.lark"
        if path.exists():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(f"the grammar of {name} is missing from the installation")
