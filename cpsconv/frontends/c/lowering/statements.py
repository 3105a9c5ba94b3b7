"""The lowering of statements: sequences, conditionals, loops and jumps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from cpsconv.construction import Block
from cpsconv.frontends.c.diagnostics import POISON
from cpsconv.frontends.c.lowering.conversions import origin
from cpsconv.frontends.c.lowering.expressions import Expressions
from cpsconv.frontends.c.lowering.labels import Labels, Switches
from cpsconv.frontends.c.lowering.prescan import Prescan
from cpsconv.frontends.c.meaning.tree_warnings import ACTIONS, declares_only, is_empty
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.syntax.tree import Statement
from cpsconv.frontends.c.types import UNKNOWN
from cpsconv.ir import VOID, Undef
from cpsconv.trampoline import Work


class Statements:
    """Lowers the statements of one function."""

    def __init__(self, expressions: Expressions, body: c.Compound) -> None:
        self._emit = expressions.emit
        self._scopes = expressions.scopes
        self._errors = expressions.errors
        self._expressions = expressions
        self._tree = expressions.tree
        self._result = expressions.definition.result
        self._prescan = Prescan(body)
        self._labels = Labels(self._emit, self._errors, self._prescan)
        self._switches = Switches(expressions, self._prescan)
        self._unreachable: set[int] = set()  # `id`s of sequences whose unreachable code is reported
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
            c.Case: partial(self._labelled, self._switches.enter_case),
            c.Label: partial(self._labelled, self._labels.enter),
            c.Goto: self._labels.jump,
            c.Break: self._break,
            c.Continue: self._continue,
            c.Return: self._return,
        }

    def statement(self, node: Statement) -> Work | None:
        """Lower a statement. Returns the rest of the work if the statement contains statements."""
        return self._statements[type(node)](node)

    def items(self, items: list[Statement]) -> Work:
        """Lower a sequence of statements."""
        builder, statements = self._emit.builder, self._statements
        for item in items:
            if builder.current is None:
                self._check_unreachable(item, items)
            if rest := statements[type(item)](item):
                yield rest

    def _check_unreachable(self, item: Statement, items: list[Statement]) -> None:
        """Warn of the first unreachable statement of a sequence, unless the whole sequence is unreachable.

        There is no warning of `break`, and of a `return` that does not follow a jump, as after an endless loop.
        """
        if isinstance(item, (c.Case, c.Label)):
            self._unreachable.clear()
        elif item is items[0]:
            self._unreachable.add(id(items))
        elif id(items) not in self._unreachable and not self._can_be_unreachable(item):
            self._unreachable.add(id(items))
            follows_jump = isinstance(items[items.index(item) - 1], _JUMPS)
            if not isinstance(item, (c.Break, c.Return)) or (isinstance(item, c.Return) and follows_jump):
                self._errors.warn("unreachable-code", "this statement is never executed", item.span)

    def _can_be_unreachable(self, item: Statement) -> bool:
        """Whether the statement does nothing, or can be entered at a label."""
        if is_empty(item) or declares_only(item) or self._prescan.has_label_within(item.span):
            return True
        return self._switches.has_case_within(item.span)

    # ---------------------------------------------------------------------------------------------------- sequences

    def _declaration(self, node: c.Declaration) -> None:
        """Lower a declaration. A variable is in scope in its own initialiser, where it is undefined."""
        for declarator in node.declarators:
            name, type, span = declarator.name, declarator.type, declarator.span
            if type is VOID:
                self._errors.report("void", "a variable cannot be `void`", span)
            if type in (VOID, UNKNOWN):
                self._scopes.declare_unknown(name, span)
                if declarator.initialiser:
                    self._expressions.value(declarator.initialiser)
                continue
            variable = self._scopes.declare(name, type, declarator.constant, span)
            self._emit.write(variable, Undef(type, name, span), span)
            if declarator.initialiser:
                value = self._expressions.converted(declarator.initialiser, type)
                if declarator.constant:
                    self._expressions.checks.initialisation(variable, type, declarator.initialiser)
                self._emit.write(variable, value, span.to(declarator.initialiser.span))

    def _expression(self, node: c.ExpressionStatement) -> None:
        if node.expression:
            if type(node.expression) not in ACTIONS:
                self._tree.unused(node.expression, "this statement")
            self._expressions.discard(node.expression)

    def _compound(self, node: c.Compound) -> Work:
        self._scopes.enter()
        self._tree.compound(node.items)
        yield from self.items(node.items)
        self._scopes.leave()

    # ------------------------------------------------------------------------------------------------ conditionals

    def _if(self, node: c.If) -> Work:
        self._tree.if_statement(node)
        emit = self._emit
        then = emit.continuation("then", span=node.then.span)
        otherwise = emit.continuation("else", span=node.otherwise.span) if node.otherwise else None
        next = emit.continuation("next", span=node.span)
        self._expressions.branch(node.condition, then, otherwise or next)
        emit.seal(then)
        if otherwise:
            emit.seal(otherwise)
        emit.enter(then)
        if rest := self.statement(node.then):
            yield rest
        emit.jump(next)
        if node.otherwise and otherwise:
            emit.enter(otherwise)
            if rest := self.statement(node.otherwise):
                yield rest
            emit.jump(next)
        emit.open(next)

    def _switch(self, node: c.Switch) -> Work:
        """Lower a `switch`. Only cases enter its body: the code before the first case is dead."""
        self._tree.switch(node)
        exit = self._switches.begin(node)
        self._break_targets.append(exit)
        if rest := self.statement(node.body):
            yield rest
        self._break_targets.pop()
        self._emit.jump(exit)
        self._switches.end()
        self._emit.open(exit)

    # ------------------------------------------------------------------------------------------------------- loops

    def _while(self, node: c.While) -> Work:
        self._tree.condition(node.condition)
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
        self._tree.do_statement(node)
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
            self._tree.condition(node.condition)
            self._expressions.branch(node.condition, body, exit)
        else:
            emit.jump(body)
        emit.open(body)
        yield self._loop_body(node.body, exit, step)
        emit.jump(step)
        emit.open(step)
        if node.step:
            self._tree.unused(node.step, "this step")
            self._expressions.discard(node.step)
        emit.jump(header)
        emit.seal(header)
        emit.open(exit)
        self._scopes.leave()

    def _enter_loop(self, name: str, node: c.While | c.Do | c.For) -> Block:
        """The header of the loop, entered but not sealed.

        If a jump from outside may enter the loop, the header may be reachable although the code before it is dead, and
        the loop may receive other values than its own assignments.
        """
        entered_elsewhere = self._prescan.has_label_within(node.span) or self._switches.has_case_within(node.span)
        may_assign = None if entered_elsewhere else self._prescan.assigned_within(node.span)
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

    def _labelled(self, enter: Callable[[Any], None], node: c.Case | c.Label) -> Work:
        enter(node)
        if rest := self.statement(node.body):
            yield rest

    def _break(self, node: c.Break) -> None:
        if self._break_targets:
            self._emit.jump(self._break_targets[-1], node.span)
        else:
            self._errors.report("misplaced", "`break` outside of a loop or `switch`", node.span)

    def _continue(self, node: c.Continue) -> None:
        if self._continue_targets:
            self._emit.jump(self._continue_targets[-1], node.span)
        else:
            self._errors.report("misplaced", "`continue` outside of a loop", node.span)

    def _return(self, node: c.Return) -> None:
        if node.value is None:
            if self._result not in (VOID, UNKNOWN):
                self._errors.report(
                    "return-type", f"missing return value: this function returns `{self._result}`", node.span
                )
            self._emit.ret(None, node.span)
        elif self._result is VOID:
            value = self._expressions.value(node.value)
            if value is not None and value is not POISON:  # as in gcc, the operand may be `void`
                self._errors.report("return-type", "this function is `void`: it cannot return a value", node.value.span)
            self._emit.ret(None, node.span)
        elif self._result is UNKNOWN:
            self._expressions.value(node.value)
            self._emit.ret(None, node.span)
        else:
            value = self._expressions.converted(node.value, self._result)
            self._emit.ret(value, origin(node.value).span)


_JUMPS = (c.Break, c.Continue, c.Goto, c.Return)
