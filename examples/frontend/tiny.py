"""The reader of the language. Its grammar is in ``tiny.lark``."""

from __future__ import annotations

from pathlib import Path

import lark
from lowering import Lowering

from cpsconv.core.source import DiagnosticError, Source, Span, error

PARSER = lark.Lark(
    Path(__file__).with_suffix(".lark").read_text(encoding="utf-8"),
    parser="lalr",
    start="program",
    propagate_positions=True,  # each tree and token knows its location
    maybe_placeholders=False,
)


def read(source: Source) -> Lowering:
    """Parse the source. Raises `DiagnosticError` for a syntax error."""
    try:
        return Lowering(PARSER.parse(source.text), source)
    except lark.UnexpectedInput as failure:
        at_end = isinstance(failure, lark.UnexpectedToken) and failure.token.type == "$END"
        start = len(source.text) if at_end or failure.pos_in_stream is None else failure.pos_in_stream
        raise DiagnosticError([error("syntax error", Span(source, start, start + 1))]) from None
