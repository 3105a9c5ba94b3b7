"""Errors in CPS text, at the nodes of its syntax tree."""

from __future__ import annotations

from cpsconv.core import ir
from cpsconv.core.source import Diagnostic, Source, Span, error
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.spelling import read_literal


class Reporter:
    """Adds errors in a text to `diagnostics`."""

    def __init__(self, source: Source, diagnostics: list[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = diagnostics

    def span(self, node: cps.Node) -> Span:
        """The span of a node."""
        return Span(self.source, node.start, node.end)

    def error(self, rule: str, message: str, node: cps.Node, help: str | None = None) -> None:
        """Report an error at a node, against a rule of `cpsconv.core.text.rules.RULES`."""
        self.diagnostics.append(error(message, self.span(node), help=help, rule=rule))

    def unexpected(self, expected: str, token: cps.Token, help: str | None = None) -> None:
        """Report a token that stands for an expected one."""
        self.error("syntax", f"expected {expected}, found `{token.text}`", token, help)

    def literal(self, node: cps.Literal) -> ir.Constant | None:
        """The constant that a literal denotes; None after an error."""
        try:
            return read_literal(node.text, node.negative)
        except ValueError as failure:
            self.error("literal", str(failure), node)
            return None
