"""What the methods for the grammar's rules share.

A rule of the grammar is handled by the method of its name (or of the name after the rule's ``->``), which gets what
the parts of the rule were made into, tokens included, as a list. The rule is quoted above its method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from cpsconv.frontends.c.diagnostics import Faults
from cpsconv.frontends.c.syntax.literals import LiteralError, parse_character, parse_number, parse_string
from cpsconv.frontends.c.syntax.tokens import Token, Words
from cpsconv.frontends.c.syntax.tree import (
    Assign,
    Binary,
    Break,
    CallExpression,
    Case,
    Cast,
    Comma,
    Compound,
    Conditional,
    Continue,
    Do,
    Expression,
    ExpressionStatement,
    For,
    Goto,
    If,
    Label,
    Literal,
    Logical,
    Name,
    Return,
    SizeOf,
    Statement,
    Step,
    StringLiteral,
    Switch,
    Unary,
    While,
)
from cpsconv.ir import INT, Scalar
from cpsconv.source import Span

Parts = list[Any]
"""The parts of a rule: nodes, tokens (`cpsconv.frontends.c.syntax.tokens.Token`), lists of them."""


class Rules:
    """The state of one parse: the faults found in it, what names mean, and which are declared in it."""

    def __init__(self, faults: Faults, words: Words, defined: set[str]) -> None:
        self.faults = faults
        self.words = words
        self.defined = defined
        self.declared: set[str] = set()

    def unsupported(self, subject: str, span: Span) -> Literal:
        """Complain of an expression that is not supported yet; gives a stand-in for it."""
        self.faults.unsupported(subject, span, use=True)
        return Literal(span, INT, 0)

    # Lists are built in place, from the left: their parts are added in constant time.

    def nothing(self, parts: Parts) -> list[Any]:
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
        """list: list (";" | ERROR)"""
        return parts[0]

    def unused(self, parts: Parts) -> None:
        """What belongs to something that is not supported yet."""


def whole(parts: Parts) -> Span:
    """The span of a rule, from its first to its last part."""
    first: Span = parts[0].span
    return Span(first.source, first.start, parts[-1].span.end)


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


PendingLabel = Label | Case
"""A label whose body is still an empty statement."""


class StatementRules(Rules):
    """Handles the rules from `compound` to `for_part`."""

    def compound(self, parts: Parts) -> Compound:
        """compound: "{" items "}" """
        _, items, end = parts
        return Compound(whole(parts), items, end.span)

    # -------------------------------------------------------------------------------------------------- labels

    def label(self, parts: Parts) -> PendingLabel:
        """label: NAME ":" """
        name, colon = parts
        return Label(name.span, name.text, _nothing_after(colon.span))

    def case(self, parts: Parts) -> PendingLabel:
        """label: "case" expression ":" | "default" ":" """
        *words, colon = parts
        return Case(whole(words), words[1] if len(words) == 2 else None, _nothing_after(colon.span))

    def case_range(self, parts: Parts) -> PendingLabel:
        """label: "case" expression "..." expression ":" """
        self.faults.unsupported("ranges of cases are", parts[2].span)
        return Case(whole(parts[:-1]), parts[1], _nothing_after(parts[-1].span))

    def lone_label(self, parts: Parts) -> PendingLabel:
        """item: label; what follows in the block is an item of its own"""
        label: PendingLabel = parts[0]
        return label

    def labelled_statement(self, parts: Parts) -> PendingLabel:
        """statement: label statement"""
        label: PendingLabel
        label, label.body = parts
        return label

    # -------------------------------------------------------------------------------------------- plain statements

    def empty_statement(self, parts: Parts) -> ExpressionStatement:
        """statement: ";" """
        return ExpressionStatement(parts[0].span, None)

    def skipped_statement(self, parts: Parts) -> ExpressionStatement:
        """item: ERROR"""
        return ExpressionStatement(parts[0].span, None)

    def expression_statement(self, parts: Parts) -> ExpressionStatement:
        """statement: expression ";" """
        return ExpressionStatement(whole(parts), parts[0])

    def if_statement(self, parts: Parts) -> If:
        """statement: "if" "(" expression ")" statement ("else" statement)?"""
        return If(whole(parts), parts[2], parts[4], parts[6] if len(parts) == 7 else None)

    def switch_statement(self, parts: Parts) -> Switch:
        """statement: "switch" "(" expression ")" statement"""
        return Switch(whole(parts), parts[2], parts[4])

    def while_statement(self, parts: Parts) -> While:
        """statement: "while" "(" expression ")" statement"""
        return While(whole(parts), parts[2], parts[4])

    def do_statement(self, parts: Parts) -> Do:
        """statement: "do" statement "while" "(" expression ")" ";" """
        return Do(whole(parts), parts[1], parts[4])

    def for_statement(self, parts: Parts) -> For:
        """statement: "for" "(" for_first for_part ";" for_part ")" statement"""
        _, _, first, condition, _, step, _, body = parts
        return For(whole(parts), first, condition, step, body)

    def absent(self, parts: Parts) -> None:
        """for_part: ε"""

    # -------------------------------------------------------------------------------------------------- jumps

    def goto_statement(self, parts: Parts) -> Goto:
        """statement: "goto" NAME ";" """
        _, name, _ = parts
        return Goto(whole(parts), name.text, name.span)

    def computed_goto(self, parts: Parts) -> Statement:
        """statement: "goto" "*" expression ";" """
        self.faults.unsupported("computed gotos are", parts[0].span.to(parts[1].span))
        return ExpressionStatement(whole(parts), None)

    def continue_statement(self, parts: Parts) -> Continue:
        """statement: "continue" ";" """
        return Continue(whole(parts))

    def break_statement(self, parts: Parts) -> Break:
        """statement: "break" ";" """
        return Break(whole(parts))

    def return_statement(self, parts: Parts) -> Return:
        """statement: "return" expression? ";" """
        return Return(whole(parts), parts[1] if len(parts) == 3 else None)


def _nothing_after(span: Span) -> ExpressionStatement:
    return ExpressionStatement(Span(span.source, span.end, span.end), None)
