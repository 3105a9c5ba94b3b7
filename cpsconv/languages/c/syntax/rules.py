"""The handlers of the grammar's rules for expressions and statements, and the base of all handlers.

For each rule that it reduces, the parser calls the method with the name of the rule, or with the name after the rule's
``->``. The argument is the list of the values of the rule's parts, including tokens; the result is the value of the
rule. The docstring of each handler quotes its rules, or a comment does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import Any, TypeVar

import cpsconv.languages.c.syntax.tree as c
from cpsconv.core.source import Span
from cpsconv.languages.c.diagnostics import SyntaxErrors
from cpsconv.languages.c.syntax.literals import (
    LiteralError,
    parse_character,
    parse_number,
    parse_string,
    unknown_escapes,
)
from cpsconv.languages.c.syntax.tokens import Token, TypeScopes
from cpsconv.languages.c.types import INT, UNKNOWN, VOID

T = TypeVar("T")

Parts = list[Any]
"""The values of a rule's parts: tree nodes, tokens, lists."""

AssemblyOperand = tuple[str, str, c.Expression]
"""The name, the constraint and the expression of an operand of inline assembly."""


class Rules:
    """The handlers of lists, and the state of one parse.

    `scopes` has the names that denote types, `declared` all names that are declared, and `unknown` those of them whose
    declarations are not supported yet.
    """

    def __init__(self, errors: SyntaxErrors, scopes: TypeScopes) -> None:
        self.errors = errors
        self.scopes = scopes
        self.declared: set[str] = set()
        self.unknown: set[str] = set()

    # Lists are left-recursive and built in place: appending takes constant time.

    def empty_list(self, parts: Parts) -> list[Any]:
        """list: ε"""
        return []

    def first(self, parts: Parts) -> list[Any]:
        """list: element"""
        return parts

    def append(self, parts: Parts) -> Any:
        """list: list ","? element"""
        elements = parts[0]
        elements.append(parts[-1])
        return elements

    def skip(self, parts: Parts) -> Any:
        """unit: unit (";" | ERROR); members: members ";" """
        return parts[0]

    def nothing(self, parts: Parts) -> None:
        """for_part: ε; array_qualifiers: array_qualifiers? ("static" | "const" | "volatile" | "restrict")"""


def whole(parts: Parts) -> Span:
    """The span from the first to the last part."""
    first: Span = parts[0].span
    return Span(first.source, first.start, parts[-1].span.end)


def just_after(span: Span) -> Span:
    """The empty span at the end of a span."""
    return Span(span.source, span.end, span.end)


def node(type: Callable[..., c.Node], *indices: int, **fields: Any) -> Callable[[Rules, Parts], c.Node]:
    """The handler of a rule whose value is a node of that type, with the values of the parts at `indices`.

    The value of a token is its text.
    """

    def handler(rules: Rules, parts: Parts) -> c.Node:
        values = [part.text if isinstance(part := parts[index], Token) else part for index in indices]
        return type(whole(parts), *values, **fields)

    return handler


def operation(type: Callable[..., c.Node]) -> Callable[[Rules, Parts], c.Node]:
    """The handler of a rule for a binary operator."""
    return lambda rules, parts: type(whole(parts), parts[1].text, parts[0], parts[2])


class ExpressionRules(Rules):
    """The handlers of the rules from `primary` to `expression`."""

    # ------------------------------------------------------------------------------------------------- primary

    def name(self, parts: Parts) -> c.Name:
        """primary: NAME"""
        [token] = parts
        return c.Name(token.span, token.text)

    def number(self, parts: Parts) -> c.Expression:
        """primary: NUMBER"""
        [token] = parts
        number = self._literal(parse_number, token)
        return c.Literal(token.span, *number) if number else c.Erroneous(token.span)

    def character(self, parts: Parts) -> c.Expression:
        """primary: CHARACTER"""
        [token] = parts
        character = self._literal(parse_character, token)
        if character is None:
            return c.Erroneous(token.span)
        if character.length > 1:
            is_cut = token.text[0] != "'" or character.length > 4
            loss = ", of which only the last count" if is_cut else ""
            self.errors.warn("multichar", f"a character constant of {character.length} characters{loss}", token.span)
        return c.Literal(token.span, character.type, character.value)

    def constant(self, parts: Parts) -> c.Expression:
        """primary: CONSTANT"""
        [token] = parts
        if token.value is UNKNOWN:
            return c.Erroneous(token.span)
        return c.Literal(token.span, token.value.type, token.value.value)

    def string(self, parts: Parts) -> c.Expression:
        """primary: strings"""
        [tokens] = parts
        prefix = next((prefix for token in tokens if (prefix := token.text.partition('"')[0])), "")
        parse = partial(parse_string, prefix=prefix)
        values = [value for token in tokens if (value := self._literal(parse, token)) is not None]
        if len(values) < len(tokens):
            return c.Erroneous(whole(tokens))
        return c.StringLiteral(whole(tokens), "".join(values), prefix)

    def _literal(self, parse: Callable[[str], T], token: Token) -> T | None:
        """The value of a literal; None if it is malformed, which is reported."""
        for start, end in unknown_escapes(token.text):
            message = f"unknown escape sequence `{token.text[start:end]}`"
            self.errors.warn("unknown-escape", message, _part(token, start, end))
        try:
            return parse(token.text)
        except LiteralError as malformed:
            if malformed.value:
                self.errors.warn("overflow", malformed.message, token.span, help=malformed.help)
                return malformed.value  # type: ignore[return-value]
            self.errors.report(
                "literal", malformed.message, _part(token, malformed.start, malformed.end), help=malformed.help
            )
            return None

    def parenthesised(self, parts: Parts) -> Any:
        """primary: "(" expression ")" """
        expression = parts[1]
        expression.span = whole(parts)
        return expression

    def statement_expression(self, parts: Parts) -> c.StatementExpression:
        """primary: "(" compound ")" """
        return c.StatementExpression(whole(parts), parts[1].items)

    # ------------------------------------------------------------------------------------------------- postfix

    postfix_increment = node(c.Increment, 1, 0, prefix=False)  # postfix: postfix ("++" | "--")

    def call(self, parts: Parts) -> c.Expression:
        """postfix: postfix "(" arguments? ")" """
        return c.CallExpression(whole(parts), parts[0], parts[2] if len(parts) == 4 else [])

    subscript = node(c.Subscript, 0, 2)  # postfix: postfix "[" expression "]"

    def member_access(self, parts: Parts) -> c.Member:
        """postfix: postfix ("." | "->") NAME"""
        operand, operator, name = parts
        return c.Member(whole(parts), operand, name.text, name.span, operator.text == "->")

    def compound_literal(self, parts: Parts) -> c.CompoundLiteral:
        """postfix: "(" type_name ")" "{" (initialisers ","?)? "}" """
        initialiser = c.InitialiserList(whole(parts[3:]), parts[4] if isinstance(parts[4], list) else [])
        return c.CompoundLiteral(whole(parts), parts[1], initialiser)

    generic = node(c.Generic, 2, 4)  # postfix: "_Generic" "(" assignment "," associations ")"

    def association(self, parts: Parts) -> tuple[c.TypeName | None, c.Expression]:
        """association: (type_name | "default") ":" assignment"""
        return parts[0] if isinstance(parts[0], c.TypeName) else None, parts[2]

    variable_argument = node(c.VaArg, 2, 4)  # postfix: "__builtin_va_arg" "(" assignment "," type_name ")"
    # postfix: "__builtin_convertvector" "(" assignment "," type_name ")"
    convert_vector = node(c.ConvertVector, 2, 4)
    offset_of = node(c.OffsetOf, 2, 4)  # postfix: "__builtin_offsetof" "(" type_name "," offset_designators ")"
    types_compatible = node(c.TypesCompatible, 2, 4)  # … "__builtin_types_compatible_p" "(" type_name "," type_name ")"

    def first_offset_designator(self, parts: Parts) -> list[c.FieldDesignator]:
        """offset_designators: NAME"""
        return [c.FieldDesignator(parts[0].span, parts[0].text)]

    # --------------------------------------------------------------------------------------------------- unary

    prefix_increment = node(c.Increment, 0, 1, prefix=True)  # unary: ("++" | "--") unary

    unary = node(c.Unary, 0, 1)  # unary: ("+" | "-" | "~" | "!" | "__real__" | "__imag__") cast

    size_of = node(c.SizeOf, 1)  # unary: "sizeof" unary
    size_of_type = node(c.SizeOf, 2)  # unary: "sizeof" "(" type_name ")"

    def cast(self, parts: Parts) -> c.Cast:
        """cast: "(" type_name ")" cast"""
        return c.Cast(whole(parts), UNKNOWN, parts[3], parts[1])

    align_of = node(c.AlignOf, 1)  # unary: "_Alignof" unary
    align_of_type = node(c.AlignOf, 2)  # unary: "_Alignof" "(" type_name ")"
    address_of = node(c.AddressOf, 1)  # unary: "&" cast
    dereference = node(c.Dereference, 1)  # unary: "*" cast

    label_address = node(c.LabelAddress, 1)  # unary: "&&" NAME

    # -------------------------------------------------------------------------------------- two and more operands

    binary = operation(c.Binary)  # sum: sum ("+" | "-") product; the same from `product` to `bitwise_or`
    logical = operation(c.Logical)  # logical_or: logical_or "||" logical_and; logical_and: likewise

    def assign(self, parts: Parts) -> c.Assign:
        """assignment: conditional assignment_operator assignment"""
        target, op, value = parts
        return c.Assign(whole(parts), op.text[:-1] or None, target, value)

    comma = node(c.Comma, 0, 2)  # expression: expression "," assignment
    conditional_expression = node(c.Conditional, 0, 2, 4)  # conditional: logical_or "?" expression ":" conditional

    def conditional_without_middle(self, parts: Parts) -> c.Conditional:
        """conditional: logical_or "?" ":" conditional"""
        return c.Conditional(whole(parts), parts[0], None, parts[3])


def _evaluated(outputs: list[AssemblyOperand], inputs: list[AssemblyOperand]) -> Iterator[c.Expression]:
    """What inline assembly without instructions evaluates. It assigns inputs to the outputs that share their places."""
    places = {str(number): place for number, (_, _, place) in enumerate(outputs)}
    places |= {name: place for name, _, place in outputs if name}
    matched = {id(places.get(constraint)) for _, constraint, _ in inputs}
    yield from (place for _, _, place in outputs if id(place) not in matched)
    for _, constraint, value in inputs:
        place = places.get(constraint)
        yield c.Assign(value.span, None, c.copied(place), value) if place else value


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
        """label: NAME ":" LABEL_ATTRIBUTE?"""
        name, colon, *attributes = parts
        is_unused_allowed = any(c.has(token.value, "unused") for token in attributes)
        return c.Label(name.span, name.text, _null_statement(colon.span), is_unused_allowed)

    def case(self, parts: Parts) -> PendingLabel:
        """label: "case" expression ":" | "default" ":" """
        *words, colon = parts
        return c.Case(whole(words), words[1] if len(words) == 2 else None, _null_statement(colon.span))

    def case_range(self, parts: Parts) -> PendingLabel:
        """label: "case" expression "..." expression ":" """
        return c.Case(whole(parts[:-1]), parts[1], _null_statement(parts[-1].span), parts[3])

    def labelled_statement(self, parts: Parts) -> PendingLabel:
        """statement: label statement"""
        label: PendingLabel
        label, label.body = parts
        return label

    # ----------------------------------------------------------------------------------------- other statements

    def empty_statement(self, parts: Parts) -> c.ExpressionStatement:
        """statement: ";"; item: ERROR"""
        return c.ExpressionStatement(parts[0].span, None)

    expression_statement = node(c.ExpressionStatement, 0)  # statement: expression ";"

    def clobber(self, parts: Parts) -> Span:
        """assembly_operand: strings"""
        return whole(parts[0])

    def assembly_operand(self, parts: Parts) -> AssemblyOperand:
        """assembly_operand: ("[" NAME "]")? strings "(" expression ")" """
        name = f"[{parts[1].text}]" if len(parts) > 4 else ""
        return name, "".join(each.text[1:-1] for each in parts[-4]), parts[-2]

    def empty_assembly(self, parts: Parts) -> c.ExpressionStatement:
        """statement: ASSEMBLY assembly_parts ")" ";"

        An output without a matching input keeps its value. The outputs of `cpuid` are zero: the processor has no
        features.
        """
        outputs, inputs = map(self._with_expressions, [*parts[1], [], []][:2])
        if "cpuid" in parts[0].text:
            zeros = [(str(number), c.Literal(each.span, INT, 0)) for number, (_, _, each) in enumerate(outputs)]
            inputs = [*inputs, *(("", number, zero) for number, zero in zeros)]
        span = whole(parts)
        type = c.TypeName(span, c.Specifiers(span, VOID, {}, {}, [], []), c.Declarator(span, None, [], []))
        values: list[c.Expression] = [c.Cast(value.span, VOID, value, type) for value in _evaluated(outputs, inputs)]
        return c.ExpressionStatement(span, reduce(partial(c.Comma, span), values) if values else None)

    def _with_expressions(self, operands: list[AssemblyOperand | Span]) -> list[AssemblyOperand]:
        """The operands. Reports those without an expression, which only clobbers lack."""
        for each in operands:
            if isinstance(each, Span):
                help = 'write the expression in parentheses: `"=r"(x)`'
                self.errors.report("syntax", "an operand of inline assembly without an expression", each, help=help)
        return [each for each in operands if not isinstance(each, Span)]

    def if_statement(self, parts: Parts) -> c.If:
        """statement: "if" "(" expression ")" statement ("else" statement)?"""
        return c.If(whole(parts), parts[2], parts[4], parts[6] if len(parts) == 7 else None)

    switch_statement = node(c.Switch, 2, 4)  # statement: "switch" "(" expression ")" statement
    while_statement = node(c.While, 2, 4)  # statement: "while" "(" expression ")" statement
    do_statement = node(c.Do, 1, 4)  # statement: "do" statement "while" "(" expression ")" ";"
    for_statement = node(c.For, 2, 3, 5, 7)  # statement: "for" "(" for_first for_part ";" for_part ")" statement
    continue_statement = node(c.Continue)  # statement: "continue" ";"
    break_statement = node(c.Break)  # statement: "break" ";"

    def goto_statement(self, parts: Parts) -> c.Goto:
        """statement: "goto" NAME ";" """
        _, name, _ = parts
        return c.Goto(whole(parts), name.text, name.span)

    computed_goto = node(c.ComputedGoto, 2)  # statement: "goto" "*" expression ";"

    def label_declaration(self, parts: Parts) -> c.LabelDeclaration:
        """item: "__label__" kr_names ";" """
        return c.LabelDeclaration(whole(parts), [name.text for name in parts[1]])

    def return_statement(self, parts: Parts) -> c.Return:
        """statement: "return" expression? ";" """
        return c.Return(whole(parts), parts[1] if len(parts) == 3 else None)


def _null_statement(label_end: Span) -> c.ExpressionStatement:
    return c.ExpressionStatement(just_after(label_end), None)
