"""Syntax trees of C, parsed from text and shown as text; diagnostics shown in short."""

from __future__ import annotations

from typing import Any

from cpsconv.frontends.c.syntax import parse
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import CType
from cpsconv.source import Diagnostic, Source, Span


def parsed(text: str) -> c.TranslationUnit:
    return parse(Source("test.c", text))


def body(statements: str, headers: str = "") -> list[c.Statement]:
    """The statements of a function with this body."""
    function = parsed(f"{headers}\nvoid f(void) {{ {statements} }}").functions[-1]
    assert function.body
    return function.body.items


def expression(text: str, headers: str = "") -> c.Expression:
    [statement] = body(f"{text};", headers)
    assert isinstance(statement, c.ExpressionStatement) and statement.expression
    return statement.expression


def grouped(node: Any) -> str:
    """The text of an expression with all possible parentheses."""
    match node:
        case c.Literal():
            return str(node.value)
        case c.Name():
            return node.name
        case c.StringLiteral():
            return repr(node.value)
        case c.Unary():
            return f"({node.op}{grouped(node.operand)})"
        case c.Increment():
            operand = grouped(node.operand)
            return f"({node.op}{operand})" if node.prefix else f"({operand}{node.op})"
        case c.Binary() | c.Logical():
            return f"({grouped(node.left)} {node.op} {grouped(node.right)})"
        case c.Conditional():
            return f"({grouped(node.condition)} ? {grouped(node.then)} : {grouped(node.otherwise)})"
        case c.Assign():
            return f"({grouped(node.target)} {node.op or ''}= {grouped(node.value)})"
        case c.Comma():
            return f"({grouped(node.left)}, {grouped(node.right)})"
        case c.Cast():
            return f"(({node.type}){grouped(node.operand)})"
        case c.SizeOf():
            operand = f"({node.operand})" if isinstance(node.operand, CType) else f" {grouped(node.operand)}"
            return f"(sizeof{operand})"
        case c.CallExpression():
            return f"{grouped(node.callee)}({'; '.join(map(grouped, node.arguments))})"
    raise TypeError(node)


def outline(node: Any) -> str:
    """The outline of a statement, with its parts in brackets."""
    match node:
        case c.ExpressionStatement():
            return grouped(node.expression) if node.expression else "-"
        case c.Declaration():
            return "declare " + " ".join(declarator.name for declarator in node.declarators)
        case c.Compound():
            return "{" + " ".join(map(outline, node.items)) + "}"
        case c.If():
            otherwise = f" [{outline(node.otherwise)}]" if node.otherwise else ""
            return f"if {grouped(node.condition)} [{outline(node.then)}]{otherwise}"
        case c.While():
            return f"while {grouped(node.condition)} [{outline(node.body)}]"
        case c.Do():
            return f"do [{outline(node.body)}] {grouped(node.condition)}"
        case c.For():
            middle = " ; ".join(grouped(part) if part else "-" for part in (node.condition, node.step))
            return f"for {outline(node.first)} ; {middle} [{outline(node.body)}]"
        case c.Switch():
            return f"switch {grouped(node.value)} [{outline(node.body)}]"
        case c.Case():
            return f"{'case ' + grouped(node.value) if node.value else 'default'}: {outline(node.body)}"
        case c.Label():
            return f"{node.name}: {outline(node.body)}"
        case c.Goto():
            return f"goto {node.name}"
        case c.Return():
            return f"return {grouped(node.value) if node.value else '-'}"
        case c.Break() | c.Continue():
            return type(node).__name__.lower()
    raise TypeError(node)


def words(span: Span) -> str:
    return span.source.text[span.start : span.end]


def shown(diagnostics: list[Diagnostic]) -> str:
    """A line for each diagnostic with its rule, for its notes and for its help.

    Each begins with the line, the column and the marked text of the span.
    """
    lines = []
    for found in diagnostics:
        kind = "" if found.severity == "error" else f"{found.severity}: "
        lines.append(f"{_place(found.span)}{kind}{found.message}{f' [{found.rule}]' if found.rule else ''}\n")
        lines += [f"  note {_place(span)}{message}\n" for message, span in found.notes]
        lines += [f"  help: {found.help}\n"] if found.help else []
    return "".join(lines)


def _place(span: Span | None) -> str:
    return f"{':'.join(str(span).split(':')[1:])} {words(span)}".rstrip() + ": " if span else ""
