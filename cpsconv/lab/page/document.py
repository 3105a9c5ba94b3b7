"""The page as one HTML file: template, style, script and data."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable
from pathlib import Path
from string import Template

from cpsconv.core.ir import CHAR, SCALARS, Constant
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.source import Source
from cpsconv.core.text.spelling import literal_text
from cpsconv.lab.bundles import bundle, licence
from cpsconv.lab.explain.algorithm_lines import CORRESPONDENCE
from cpsconv.lab.page.data import Conversion, page_data
from cpsconv.targets.functional.javascript.operations import interpreter_runtime

_FOLDER = Path(__file__).parent / "parts"

_SCRIPTS = (  # in reading order
    "page.js",
    "controls.js",
    "keys.js",
    "navigation.js",
    "prediction.js",
    "address.js",
    "arrangement.js",
    "strategies.js",
    "subjects.js",
    "why.js",
    "names.js",
    "flow.js",
    "frontiers.js",
    "layers.js",
    "beside.js",
    "viewport.js",
    "source.js",
    "listing.js",
    "panes.js",
    "evaluation.js",
    "machine.js",
    "memory.js",
    "printing.js",
    "boxes.js",
    "layout.js",
    "arrows.js",
)


def write_page(source: Source, conversions: Iterable[Conversion], strategy: str) -> str:
    """The HTML page about the conversions of a source; it shows `strategy` first.

    The page loads no resources: its content security policy allows its own script and style only. No text in the data,
    which are JSON in a script element, can end the element or begin a comment.
    """
    layout = f"/* {licence('@dagrejs/dagre')}*/\n{bundle('graph')}"
    style, script = _part("page.css"), "".join([*map(_part, _SCRIPTS), interpreter_runtime(), _literals(), layout])
    parts = {
        "title": html.escape(source.name),
        "terms": html.escape(CORRESPONDENCE),
        "style": style,
        "script": script,
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "data": "".join(part.replace("<", "\\u003c") for part in page_data(source, conversions, strategy)),
    }
    return Template(_part("template.html")).substitute(parts)


def _literals() -> str:
    """Tables for literals in CPS text: `SUFFIXES` of integers by the name of their type, and all `CHARACTERS`."""
    suffixes = {type.name: type.suffix for type in SCALARS.values() if type.kind in ("integer", "unbounded")}
    characters = [literal_text(Constant(CHAR, normalised(CHAR, code))) for code in range(256)]
    return f"const SUFFIXES = {json.dumps(suffixes)};\nconst CHARACTERS = {json.dumps(characters)};\n"


def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The hash that identifies an inline script or style in a content security policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
