"""What the grammar's rules for statements make."""

from __future__ import annotations

from cpsconv.frontends.c.rules_common import Parts, Rules, whole
from cpsconv.frontends.c.syntax import (
    Break,
    Case,
    Compound,
    Continue,
    Do,
    ExpressionStatement,
    For,
    Goto,
    If,
    Label,
    Return,
    Statement,
    Switch,
    While,
)
from cpsconv.source import Span

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
