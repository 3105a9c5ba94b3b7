"""Statements of one function: what goes on in order, conditionals, loops, and how control leaves them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.construction import Block
from cpsconv.frontends.c.diagnostics import POISON, Complaints
from cpsconv.frontends.c.emission import Emitter
from cpsconv.frontends.c.lowering.expressions import Expressions, origin
from cpsconv.frontends.c.lowering.labels import Labels, Switches
from cpsconv.frontends.c.lowering.prescan import Survey
from cpsconv.frontends.c.meaning.declarations import Scopes
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Statement
from cpsconv.ir import VOID, Scalar, Undef
from cpsconv.trampoline import Work


class Statements:
    """Lowers the statements of a function that returns `result`."""

    def __init__(
        self,
        emit: Emitter,
        scopes: Scopes,
        expressions: Expressions,
        complaints: Complaints,
        survey: Survey,
        result: Scalar,
    ) -> None:
        self._emit = emit
        self._scopes = scopes
        self._expressions = expressions
        self._complaints = complaints
        self._survey = survey
        self._result = result
        self._labels = Labels(emit, complaints, survey)
        self._switches = Switches(emit, expressions, complaints, survey)
        self._break_targets: list[Block] = []
        self._continue_targets: list[Block] = []
        self._statements: dict[type, Callable[[Any], Work | None]] = {
            c.Declaration: self._declaration,
            c.ExpressionStatement: self._expression,
            c.Compound: self._compound,
            c.If: self._if,
            c.While: self._while,
            c.Do: self._do,
            c.For: self._for,
            c.Switch: self._switch,
            c.Case: self._case,
            c.Label: self._label,
            c.Goto: self._labels.jump,
            c.Break: self._break,
            c.Continue: self._continue,
            c.Return: self._return,
        }

    def statement(self, node: Statement) -> Work | None:
        """Lower a statement that holds no others; for one that may be nested deeply, give the work to be done."""
        return self._statements[type(node)](node)

    def items(self, items: list[Statement]) -> Work:
        """Lower statements in a row."""
        for item in items:
            if rest := self.statement(item):
                yield rest

    # ---------------------------------------------------------------------------------------------------- in order

    def _declaration(self, node: c.Declaration) -> None:
        """A variable is in scope in its own initialiser, without a value."""
        for declarator in node.declarators:
            name, type, span = declarator.name, declarator.type, declarator.span
            if type is VOID:
                self._complaints.error("a variable cannot be `void`", span)
                self._scopes.undeclared.add(name)
                continue
            variable = self._scopes.declare(name, type, declarator.constant, span)
            self._emit.write(variable, Undef(type, name, span), span)
            if declarator.initialiser:
                value = self._expressions.converted(declarator.initialiser, type)
                self._emit.write(variable, value, span.to(declarator.initialiser.span))

    def _expression(self, node: c.ExpressionStatement) -> None:
        if node.expression:
            self._expressions.value(node.expression)

    def _compound(self, node: c.Compound) -> Work:
        self._scopes.enter()
        for item in node.items:
            if rest := self.statement(item):
                yield rest
        self._scopes.leave()

    # ------------------------------------------------------------------------------------------------ conditionals

    def _if(self, node: c.If) -> Work:
        emit = self._emit
        then = emit.continuation("then", span=node.then.span)
        otherwise = emit.continuation("else", span=node.otherwise.span) if node.otherwise else None
        next = emit.continuation("next", span=node.span)
        self._expressions.branch(node.condition, then, otherwise or next)
        emit.open(then)
        if rest := self.statement(node.then):
            yield rest
        emit.jump(next)
        if node.otherwise and otherwise:
            emit.open(otherwise)
            if rest := self.statement(node.otherwise):
                yield rest
            emit.jump(next)
        emit.open(next)

    def _switch(self, node: c.Switch) -> Work:
        """Control comes to the body only through its cases: what stands before the first one is dead."""
        exit = self._switches.begin(node)
        self._break_targets.append(exit)
        if rest := self.statement(node.body):
            yield rest
        self._break_targets.pop()
        self._emit.jump(exit)
        self._switches.end()
        self._emit.open(exit)

    def _case(self, node: c.Case) -> Work:
        self._switches.enter_case(node)
        if rest := self.statement(node.body):
            yield rest

    # ------------------------------------------------------------------------------------------------------- loops

    def _while(self, node: c.While) -> Work:
        emit = self._emit
        header = self._enter_loop("while", node)
        body, exit = emit.continuation("body", span=node.body.span), emit.continuation("exit", span=node.span)
        self._expressions.branch(node.condition, body, exit)
        emit.open(body)
        yield self._loop_body(node.body, exit, header)
        emit.jump(header)
        emit.seal(header)
        emit.open(exit)

    def _do(self, node: c.Do) -> Work:
        emit = self._emit
        header = self._enter_loop("do", node)
        test, exit = emit.continuation("while", span=node.condition.span), emit.continuation("exit", span=node.span)
        yield self._loop_body(node.body, exit, test)
        emit.jump(test)
        emit.open(test)
        self._expressions.branch(node.condition, header, exit)
        emit.seal(header)
        emit.open(exit)

    def _for(self, node: c.For) -> Work:
        emit = self._emit
        self._scopes.enter()
        self.statement(node.first)
        header = self._enter_loop("for", node)
        body, step = emit.continuation("body", span=node.body.span), emit.continuation("step", span=node.span)
        exit = emit.continuation("exit", span=node.span)
        if node.condition:
            self._expressions.branch(node.condition, body, exit)
        else:
            emit.jump(body)
        emit.open(body)
        yield self._loop_body(node.body, exit, step)
        emit.jump(step)
        emit.open(step)
        if node.step:
            self._expressions.value(node.step)
        emit.jump(header)
        emit.seal(header)
        emit.open(exit)
        self._scopes.leave()

    def _enter_loop(self, name: str, node: c.While | c.Do | c.For) -> Block:
        """The continuation that the loop comes back to, entered but not sealed.

        Where control can jump into the loop, its head may be reached though the code before it is dead, and with other
        values than the loop itself assigns.
        """
        entered_elsewhere = self._survey.has_label_within(node.span) or self._switches.has_case_within(node.span)
        may_assign = None if entered_elsewhere else self._survey.assigned_within(node.span)
        header = self._emit.continuation(name, may_assign, node.span)
        self._emit.jump(header)
        self._emit.enter(header, expected=entered_elsewhere)
        return header

    def _loop_body(self, body: Statement, exit: Block, following: Block) -> Work:
        self._break_targets.append(exit)
        self._continue_targets.append(following)
        if rest := self.statement(body):
            yield rest
        self._continue_targets.pop()
        self._break_targets.pop()

    # ------------------------------------------------------------------------------------------------------- jumps

    def _label(self, node: c.Label) -> Work:
        self._labels.enter(node)
        if rest := self.statement(node.body):
            yield rest

    def _break(self, node: c.Break) -> None:
        if self._break_targets:
            self._emit.jump(self._break_targets[-1], node.span)
        else:
            self._complaints.error("`break` stands outside of a loop or `switch`", node.span)

    def _continue(self, node: c.Continue) -> None:
        if self._continue_targets:
            self._emit.jump(self._continue_targets[-1], node.span)
        else:
            self._complaints.error("`continue` stands outside of a loop", node.span)

    def _return(self, node: c.Return) -> None:
        if node.value is None:
            if self._result is not VOID:
                self._complaints.error(f"this function returns `{self._result}`: a value is missing", node.span)
            self._emit.ret(None, node.span)
        elif self._result is VOID:
            value = self._expressions.value(node.value)
            if value is not None and value is not POISON:  # as in gcc, what has no value may be returned as such
                self._complaints.error("this function returns no value", node.value.span)
            self._emit.ret(None, node.span)
        else:
            value = self._expressions.converted(node.value, self._result)
            self._emit.ret(value, origin(node.value).span)
