"""Tables of cases: ``NAME.txt`` begins with a description, and has a line ``=== TITLE`` before each case."""

from __future__ import annotations

import re
from pathlib import Path


def cases(name: str) -> list[tuple[str, str]]:
    """The titles and the texts of a table."""
    text = (Path(__file__).parent / f"{name}.txt").read_text("utf-8")
    _, *parts = re.split(r"^===(.*)\n", text, flags=re.MULTILINE)
    return [(title.strip(), case.strip("\n") + "\n") for title, case in zip(parts[::2], parts[1::2], strict=True)]


def table(name: str) -> dict[str, str]:
    """The texts of a table by their titles, which are distinct."""
    found = cases(name)
    assert len(dict(found)) == len(found)
    return dict(found)


def scenarios(name: str) -> dict[str, tuple[str, str]]:
    """The cases of a table in two parts, an input and what is expected, with a line ``----`` between them."""
    parts = {title: case.split("----\n") for title, case in table(name).items()}
    return {title: (given, expected) for title, (given, expected) in parts.items()}
