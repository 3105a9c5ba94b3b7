"""What the grammar's rules for expressions make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from cpsconv.frontends.c.literals import LiteralError, parse_character, parse_number, parse_string
from cpsconv.frontends.c.rules_common import Parts, Rules, whole
from cpsconv.frontends.c.syntax import (
    Assign,
    Binary,
    CallExpression,
    Cast,
    Comma,
    Conditional,
    Expression,
    Literal,
    Logical,
    Name,
    SizeOf,
    Step,
    StringLiteral,
    Unary,
)
from cpsconv.frontends.c.tokens import Token
from cpsconv.ir import INT, Scalar
from cpsconv.source import Span

T = TypeVar("T")


class ExpressionRules(Rules):
    """Handles the rules from `primary` to `expression`."""

    # ------------------------------------------------------------------------------------------------- primary

    def name(self, parts: Parts) -> Name:
        """primary: NAME"""
        [token] = parts
        return Name(token.span, token.text)

    def number(self, parts: Parts) -> Literal:
        """primary: NUMBER"""
        [token] = parts
        otherwise: tuple[Scalar, int | float] = (INT, 0)
        return Literal(token.span, *self._literal(parse_number, token, otherwise))

    def character(self, parts: Parts) -> Literal:
        """primary: CHARACTER"""
        [token] = parts
        return Literal(token.span, INT, self._literal(parse_character, token, 0))

    def constant(self, parts: Parts) -> Literal:
        """primary: CONSTANT"""
        [token] = parts
        return Literal(token.span, token.value.type, token.value.value)

    def string(self, parts: Parts) -> StringLiteral:
        """primary: strings; adjacent literals are one"""
        [tokens] = parts
        return StringLiteral(whole(tokens), "".join(self._literal(parse_string, token, "") for token in tokens))

    def _literal(self, parse: Callable[[str], T], token: Token, otherwise: T) -> T:
        try:
            return parse(token.text)
        except LiteralError as fault:
            self.faults.add(fault.message, _part(token, fault.start, fault.end), help=fault.help)
            return otherwise

    def parenthesised(self, parts: Parts) -> Any:
        """primary: "(" expression ")" """
        expression = parts[1]
        expression.span = whole(parts)
        return expression

    def statement_expression(self, parts: Parts) -> Literal:
        """primary: "(" compound ")" """
        return self.unsupported("statements in expressions are", parts[0].span)

    # ------------------------------------------------------------------------------------------------- postfix

    def step_after(self, parts: Parts) -> Step:
        """postfix: postfix ("++" | "--")"""
        operand, op = parts
        return Step(whole(parts), op.text, operand, prefix=False)

    def call(self, parts: Parts) -> Expression:
        """postfix: postfix "(" arguments? ")" """
        callee, arguments = parts[0], parts[2] if len(parts) == 4 else []
        if not isinstance(callee, Name):
            return self.unsupported("function pointers are", callee.span)
        return CallExpression(whole(parts), callee, arguments)

    def subscript(self, parts: Parts) -> Literal:
        """postfix: postfix "[" expression "]" """
        return self.unsupported("arrays are", parts[1].span.to(parts[3].span))

    def member_access(self, parts: Parts) -> Literal:
        """postfix: postfix ("." | "->") NAME"""
        return self.unsupported("structs are", parts[1].span.to(parts[2].span))

    def compound_literal(self, parts: Parts) -> Literal:
        """postfix: "(" type_name ")" "{" (initialisers ","?)? "}" """
        return self.unsupported("compound literals are", parts[0].span.to(parts[2].span))

    # --------------------------------------------------------------------------------------------------- unary

    def step_before(self, parts: Parts) -> Step:
        """unary: ("++" | "--") unary"""
        op, operand = parts
        return Step(whole(parts), op.text, operand, prefix=True)

    def unary(self, parts: Parts) -> Unary:
        """unary: ("+" | "-" | "~" | "!") cast"""
        op, operand = parts
        return Unary(whole(parts), op.text, operand)

    def address(self, parts: Parts) -> Literal:
        """unary: "&" cast"""
        return self.unsupported("pointers are", parts[0].span)

    def dereference(self, parts: Parts) -> Literal:
        """unary: "*" cast"""
        return self.unsupported("pointers are", parts[0].span)

    def label_address(self, parts: Parts) -> Literal:
        """unary: "&&" NAME"""
        return self.unsupported("labels as values are", whole(parts))

    def size_of(self, parts: Parts) -> SizeOf:
        """unary: "sizeof" unary"""
        return SizeOf(whole(parts), parts[1])

    def size_of_type(self, parts: Parts) -> SizeOf:
        """unary: "sizeof" "(" type_name ")" """
        return SizeOf(whole(parts), parts[2])

    def cast(self, parts: Parts) -> Cast:
        """cast: "(" type_name ")" cast"""
        _, type, _, operand = parts
        return Cast(whole(parts), type, operand)

    # -------------------------------------------------------------------------------------- two operands and more

    def binary(self, parts: Parts) -> Binary:
        """sum: sum ("+" | "-") product; the same from `product` to `bitwise_or`"""
        left, op, right = parts
        return Binary(left.span.to(right.span), op.text, left, right)

    def logical(self, parts: Parts) -> Logical:
        """logical_or: logical_or "||" logical_and; logical_and: logical_and "&&" bitwise_or"""
        left, op, right = parts
        return Logical(left.span.to(right.span), op.text, left, right)

    def choice(self, parts: Parts) -> Conditional:
        """conditional: logical_or "?" expression ":" conditional"""
        condition, _, then, _, otherwise = parts
        return Conditional(whole(parts), condition, then, otherwise)

    def choice_without_middle(self, parts: Parts) -> Literal:
        """conditional: logical_or "?" ":" conditional"""
        return self.unsupported("`?:` without a value between is", parts[1].span.to(parts[2].span))

    def assign(self, parts: Parts) -> Assign:
        """assignment: conditional assignment_operator assignment"""
        target, op, value = parts
        return Assign(whole(parts), op.text[:-1] or None, target, value)

    def comma(self, parts: Parts) -> Comma:
        """expression: expression "," assignment"""
        left, _, right = parts
        return Comma(whole(parts), left, right)


def _part(token: Token, start: int, end: int) -> Span:
    """The place of a part of the token's text; the whole token where it is spelt otherwise in the source."""
    span = token.span
    if len(token.text) != span.end - span.start:
        return span
    return Span(span.source, span.start + start, span.start + end)
