"""Bundles of packages from npm, for pages: each defines one global object. ``scripts/bundles.py`` makes them."""

from __future__ import annotations

from pathlib import Path


def bundle(name: str) -> str:
    """The script that defines the global object `name`: ``editor`` (CodeMirror) or ``graph`` (a layout of graphs)."""
    return (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8")
