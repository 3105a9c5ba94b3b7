"""Bundles of packages from npm, for pages: each defines one global object. ``scripts/bundles.py`` makes them."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent


def bundle(name: str) -> str:
    """The script that defines the global object `name`: ``editor`` (CodeMirror) or ``graph`` (a layout of graphs)."""
    return (_FOLDER / f"{name}.js").read_text(encoding="utf-8")


def licence(package: str) -> str:
    """The name, the version and the licence of a package, which a page with it has to contain."""
    licences = (_FOLDER / "LICENSES.txt").read_text(encoding="utf-8")
    headed = re.split(r"^(?=\S+ [0-9.]+ \(.*\)$)", licences, flags=re.MULTILINE)
    return next(each for each in headed if each.startswith(f"{package} "))
