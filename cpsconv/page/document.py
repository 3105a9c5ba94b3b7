"""The page as one file: template, style, script and data put together."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

from cpsconv.emit.functional.javascript.operations import interpreter_runtime
from cpsconv.page.data import Conversion, page_data
from cpsconv.source import Source

_FOLDER = Path(__file__).parent / "parts"

_SCRIPTS = (  # in the order in which to read them
    "page.js",
    "names.js",
    "flow.js",
    "panes.js",
    "evaluation.js",
    "machine.js",
)


def write_page(source: Source, conversions: list[Conversion], strategy: str) -> str:
    """A page in HTML about the conversions of a source; `strategy` is the one that it shows first.

    It loads nothing. Its content security policy forbids that, and all scripts and styles but its own.
    """
    style, script = _part("page.css"), "".join([*map(_part, _SCRIPTS), interpreter_runtime()])
    parts = {
        "title": html.escape(source.name),
        "style": style,
        "script": script,
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "data": _embedded(page_data(source, conversions, strategy)),
    }
    return Template(_part("template.html")).substitute(parts)


def _embedded(data: Mapping[str, Any]) -> str:
    """Data as JSON that can stand in a script element: nothing in it ends that, or begins a comment."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a content security policy knows an inline script or style by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
