"""The handlers of the grammar's rules for expressions and statements, and the base of all handlers.

For each rule that it reduces, the parser calls the method with the name of the rule, or with the name after the rule's
``->``. The argument is the list of the values of the rule's parts, including tokens; the result is the value of the
rule. The docstring of each handler quotes its rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import cpsconv.frontends.c.syntax.tree as c
from cpsconv.frontends.c.diagnostics import SyntaxErrors
from cpsconv.frontends.c.syntax.literals import LiteralError, parse_character, parse_number, parse_string
from cpsconv.frontends.c.syntax.tokens import NameTable, Token
from cpsconv.ir import INT, Scalar
from cpsconv.source import Span

T = TypeVar("T")

Parts = list[Any]
"""The values of a rule's parts: tree nodes, tokens, lists."""


class Rules:
    """The handlers of lists, and the state of one parse.

    `names` has the meaning of names, `defined` the names of macros and types that the source defines, and `declared`
    the names of its variables and functions.
    """

    def __init__(self, errors: SyntaxErrors, names: NameTable, defined: set[str]) -> None:
        self.errors = errors
        self.names = names
        self.defined = defined
        self.declared: set[str] = set()

    def unsupported(self, subject: str, span: Span) -> c.Literal:
        """Report an expression that is not supported yet. Returns a placeholder for it."""
        self.errors.report_unsupported(subject, span, use=True)
        return c.Literal(span, INT, 0)

    # Lists are left-recursive and built in place: appending takes constant time.

    def empty_list(self, parts: Parts) -> list[Any]:
        """list: ε"""
        return []

    def first(self, parts: Parts) -> list[Any]:
        """list: element"""
        return parts

    def append(self, parts: Parts) -> Any:
        """list: list element"""
        elements, element = parts
        elements.append(element)
        return elements

    def append_after_comma(self, parts: Parts) -> Any:
        """list: list "," element"""
        elements, _, element = parts
        elements.append(element)
        return elements

    def skip(self, parts: Parts) -> Any:
        """unit: unit (";" | ERROR); pointer: pointer ("*" | "const" | "volatile" | "restrict")"""
        return parts[0]

    def nothing(self, parts: Parts) -> None:
        """for_part: ε; and the parts of constructs that are not supported yet"""


def whole(parts: Parts) -> Span:
    """The span from the first to the last part."""
    first: Span = parts[0].span
    return Span(first.source, first.start, parts[-1].span.end)


def just_after(span: Span) -> Span:
    """The empty span at the end of a span."""
    return Span(span.source, span.end, span.end)


class ExpressionRules(Rules):
    """The handlers of the rules from `primary` to `expression`."""

    # ------------------------------------------------------------------------------------------------- primary

    def name(self, parts: Parts) -> c.Name:
        """primary: NAME"""
        [token] = parts
        return c.Name(token.span, token.text)

    def number(self, parts: Parts) -> c.Literal:
        """primary: NUMBER"""
        [token] = parts
        default: tuple[Scalar, int | float] = (INT, 0)
        return c.Literal(token.span, *self._literal(parse_number, token, default))

    def character(self, parts: Parts) -> c.Literal:
        """primary: CHARACTER"""
        [token] = parts
        return c.Literal(token.span, INT, self._literal(parse_character, token, 0))

    def constant(self, parts: Parts) -> c.Literal:
        """primary: CONSTANT"""
        [token] = parts
        return c.Literal(token.span, token.value.type, token.value.value)

    def string(self, parts: Parts) -> c.StringLiteral:
        """primary: strings"""
        [tokens] = parts
        return c.StringLiteral(whole(tokens), "".join(self._literal(parse_string, token, "") for token in tokens))

    def _literal(self, parse: Callable[[str], T], token: Token, default: T) -> T:
        """The value of a literal; `default` if it is malformed, which is reported."""
        try:
            return parse(token.text)
        except LiteralError as malformed:
            self.errors.report(malformed.message, _part(token, malformed.start, malformed.end), help=malformed.help)
            return default

    def parenthesised(self, parts: Parts) -> Any:
        """primary: "(" expression ")" """
        expression = parts[1]
        expression.span = whole(parts)
        return expression

    def statement_expression(self, parts: Parts) -> c.Literal:
        """primary: "(" compound ")" """
        return self.unsupported("statements in expressions are", parts[0].span)

    # ------------------------------------------------------------------------------------------------- postfix

    def postfix_increment(self, parts: Parts) -> c.Increment:
        """postfix: postfix ("++" | "--")"""
        operand, op = parts
        return c.Increment(whole(parts), op.text, operand, prefix=False)

    def call(self, parts: Parts) -> c.Expression:
        """postfix: postfix "(" arguments? ")" """
        callee, arguments = parts[0], parts[2] if len(parts) == 4 else []
        if not isinstance(callee, c.Name):
            return self.unsupported("function pointers are", callee.span)
        return c.CallExpression(whole(parts), callee, arguments)

    def subscript(self, parts: Parts) -> c.Literal:
        """postfix: postfix "[" expression "]" """
        return self.unsupported("arrays are", parts[1].span.to(parts[3].span))

    def member_access(self, parts: Parts) -> c.Literal:
        """postfix: postfix ("." | "->") NAME"""
        return self.unsupported("structs are", parts[1].span.to(parts[2].span))

    def compound_literal(self, parts: Parts) -> c.Literal:
        """postfix: "(" type_name ")" "{" (initialisers ","?)? "}" """
        return self.unsupported("compound literals are", parts[0].span.to(parts[2].span))

    # --------------------------------------------------------------------------------------------------- unary

    def prefix_increment(self, parts: Parts) -> c.Increment:
        """unary: ("++" | "--") unary"""
        op, operand = parts
        return c.Increment(whole(parts), op.text, operand, prefix=True)

    def unary(self, parts: Parts) -> c.Unary:
        """unary: ("+" | "-" | "~" | "!") cast"""
        op, operand = parts
        return c.Unary(whole(parts), op.text, operand)

    def pointer_operation(self, parts: Parts) -> c.Literal:
        """unary: ("&" | "*") cast"""
        return self.unsupported("pointers are", parts[0].span)

    def label_address(self, parts: Parts) -> c.Literal:
        """unary: "&&" NAME"""
        return self.unsupported("labels as values are", whole(parts))

    def size_of(self, parts: Parts) -> c.SizeOf:
        """unary: "sizeof" unary"""
        return c.SizeOf(whole(parts), parts[1])

    def size_of_type(self, parts: Parts) -> c.SizeOf:
        """unary: "sizeof" "(" type_name ")" """
        return c.SizeOf(whole(parts), parts[2])

    def cast(self, parts: Parts) -> c.Cast:
        """cast: "(" type_name ")" cast"""
        _, type, _, operand = parts
        return c.Cast(whole(parts), type, operand)

    # -------------------------------------------------------------------------------------- two and more operands

    def binary(self, parts: Parts) -> c.Binary:
        """sum: sum ("+" | "-") product; the same from `product` to `bitwise_or`"""
        left, op, right = parts
        return c.Binary(left.span.to(right.span), op.text, left, right)

    def logical(self, parts: Parts) -> c.Logical:
        """logical_or: logical_or "||" logical_and; logical_and: logical_and "&&" bitwise_or"""
        left, op, right = parts
        return c.Logical(left.span.to(right.span), op.text, left, right)

    def conditional_expression(self, parts: Parts) -> c.Conditional:
        """conditional: logical_or "?" expression ":" conditional"""
        condition, _, then, _, otherwise = parts
        return c.Conditional(whole(parts), condition, then, otherwise)

    def conditional_without_middle(self, parts: Parts) -> c.Literal:
        """conditional: logical_or "?" ":" conditional"""
        return self.unsupported("`?:` without a middle operand is", parts[1].span.to(parts[2].span))

    def assign(self, parts: Parts) -> c.Assign:
        """assignment: conditional assignment_operator assignment"""
        target, op, value = parts
        return c.Assign(whole(parts), op.text[:-1] or None, target, value)

    def comma(self, parts: Parts) -> c.Comma:
        """expression: expression "," assignment"""
        left, _, right = parts
        return c.Comma(whole(parts), left, right)


def _part(token: Token, start: int, end: int) -> Span:
    """The span of a part of the token's text; the whole span if the source has another spelling of the token."""
    span = token.span
    if len(token.text) != span.end - span.start:
        return span
    return Span(span.source, span.start + start, span.start + end)


PendingLabel = c.Label | c.Case
"""A label with a null statement as its body, until `labelled_statement` replaces it. In a block, it is not replaced."""


class StatementRules(Rules):
    """The handlers of the rules from `compound` to `for_part`."""

    def compound(self, parts: Parts) -> c.Compound:
        """compound: "{" items "}" """
        _, items, end = parts
        return c.Compound(whole(parts), items, end.span)

    # -------------------------------------------------------------------------------------------------- labels

    def label(self, parts: Parts) -> PendingLabel:
        """label: NAME ":" """
        name, colon = parts
        return c.Label(name.span, name.text, _null_statement(colon.span))

    def case(self, parts: Parts) -> PendingLabel:
        """label: "case" expression ":" | "default" ":" """
        *words, colon = parts
        return c.Case(whole(words), words[1] if len(words) == 2 else None, _null_statement(colon.span))

    def case_range(self, parts: Parts) -> PendingLabel:
        """label: "case" expression "..." expression ":" """
        self.errors.report_unsupported("ranges of cases are", parts[2].span)
        return c.Case(whole(parts[:-1]), parts[1], _null_statement(parts[-1].span))

    def labelled_statement(self, parts: Parts) -> PendingLabel:
        """statement: label statement"""
        label: PendingLabel
        label, label.body = parts
        return label

    # -------------------------------------------------------------------------------------------- plain statements

    def empty_statement(self, parts: Parts) -> c.ExpressionStatement:
        """statement: ";"; item: ERROR"""
        return c.ExpressionStatement(parts[0].span, None)

    def expression_statement(self, parts: Parts) -> c.ExpressionStatement:
        """statement: expression ";" """
        return c.ExpressionStatement(whole(parts), parts[0])

    def if_statement(self, parts: Parts) -> c.If:
        """statement: "if" "(" expression ")" statement ("else" statement)?"""
        return c.If(whole(parts), parts[2], parts[4], parts[6] if len(parts) == 7 else None)

    def switch_statement(self, parts: Parts) -> c.Switch:
        """statement: "switch" "(" expression ")" statement"""
        return c.Switch(whole(parts), parts[2], parts[4])

    def while_statement(self, parts: Parts) -> c.While:
        """statement: "while" "(" expression ")" statement"""
        return c.While(whole(parts), parts[2], parts[4])

    def do_statement(self, parts: Parts) -> c.Do:
        """statement: "do" statement "while" "(" expression ")" ";" """
        return c.Do(whole(parts), parts[1], parts[4])

    def for_statement(self, parts: Parts) -> c.For:
        """statement: "for" "(" for_first for_part ";" for_part ")" statement"""
        _, _, first, condition, _, step, _, body = parts
        return c.For(whole(parts), first, condition, step, body)

    # -------------------------------------------------------------------------------------------------- jumps

    def goto_statement(self, parts: Parts) -> c.Goto:
        """statement: "goto" NAME ";" """
        _, name, _ = parts
        return c.Goto(whole(parts), name.text, name.span)

    def computed_goto(self, parts: Parts) -> c.Statement:
        """statement: "goto" "*" expression ";" """
        self.errors.report_unsupported("computed gotos are", parts[0].span.to(parts[1].span))
        return c.ExpressionStatement(whole(parts), None)

    def continue_statement(self, parts: Parts) -> c.Continue:
        """statement: "continue" ";" """
        return c.Continue(whole(parts))

    def break_statement(self, parts: Parts) -> c.Break:
        """statement: "break" ";" """
        return c.Break(whole(parts))

    def return_statement(self, parts: Parts) -> c.Return:
        """statement: "return" expression? ";" """
        return c.Return(whole(parts), parts[1] if len(parts) == 3 else None)


def _null_statement(label_end: Span) -> c.ExpressionStatement:
    return c.ExpressionStatement(just_after(label_end), None)
