"""The CPS text for web pages and notebooks: lightly coloured, to be read on white and on black ground.

Where a page has the colours of JupyterLab's editor, which know whether the ground is dark, these are taken, else
colours of a medium tone. Where a viewer drops styles, the plain text is left.
"""

from __future__ import annotations

from html import escape

from cpsconv.emit.characters import printable
from cpsconv.emit.tokens import Kind, tokens

_STYLE = """<style>
pre.cps { font: var(--jp-code-font-size, 13px)/1.3 var(--jp-code-font-family, monospace); overflow-x: auto }
.cps .keyword { color: var(--jp-mirror-editor-keyword-color, #2c8a4a); font-weight: bold }
.cps .word { color: var(--jp-mirror-editor-keyword-color, #2c8a4a) }
.cps .type { color: var(--jp-mirror-editor-def-color, #4078c8) }
.cps .literal { color: var(--jp-mirror-editor-string-color, #c4601c) }
.cps .number { color: var(--jp-mirror-editor-number-color, #c4601c) }
</style>
"""
_COLOURED = ("keyword", "word", "type", "literal", "number")


def html(text: str) -> str:
    """CPS text as an element for HTML, with its style."""
    coloured = "\n".join(map(_line, text.rstrip("\n").split("\n")))
    return f'{_STYLE}<pre class="cps">{coloured}</pre>\n'


def _line(line: str) -> str:
    return "".join(_span(kind, text) for kind, text in tokens(line))


def _span(kind: Kind, text: str) -> str:
    text = escape(printable(text), quote=False)
    return f'<span class="{kind}">{text}</span>' if kind in _COLOURED else text
