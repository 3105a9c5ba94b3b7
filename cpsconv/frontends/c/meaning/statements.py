"""Statements (C17 6.8): from the syntax tree to the typed tree, with labels, cases and scopes resolved."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.meaning.constants import NotConstantError, integer_constant
from cpsconv.frontends.c.meaning.declarations import Functions
from cpsconv.frontends.c.meaning.expressions import Expressions
from cpsconv.frontends.c.meaning.tree_warnings import ACTIONS
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import (
    INT,
    UNKNOWN,
    VOID,
    CType,
    is_floating_type,
    is_integer_type,
    limits,
    promoted,
    wrapped,
)
from cpsconv.source import Span
from cpsconv.trampoline import Work, perform, run

Statements = list[t.Statement]


class _Cases:
    """The cases so far of a `switch` on values of `type`, which are in the `limits` before their promotion."""

    def __init__(self, type: CType, limits: tuple[int, int] | None) -> None:
        self.type = type
        self.limits = limits
        self.cases: list[t.Case] = []
        self.first: dict[int | None, t.Case] = {}


class StatementTyping:
    """Types the bodies of functions. Each method appends the typed statement to a list."""

    def __init__(self, functions: Functions, errors: Errors) -> None:
        self._errors = errors
        self._expressions = Expressions(functions, errors)
        self._tree = self._expressions.tree
        self._rules: dict[type, Callable[[Any, Statements], Work | None]] = {
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
            c.Goto: self._goto,
            c.Break: self._break,
            c.Continue: self._continue,
            c.Return: self._return,
        }

    def type_body(self, function: t.Function, definition: c.FunctionDeclaration, body: c.Compound) -> None:
        """Type the body of a function."""
        self._expressions.begin(function)
        self._function = function
        self._scopes = self._expressions.scopes
        self._labels: dict[str, t.Label] = {}
        self._switches: list[_Cases] = []
        self._loops = self._breakable = 0  # the number of statements around the current one
        self._scopes.enter()  # one scope for the parameters and the outermost variables
        for parameter, declared in zip(function.parameters, definition.parameters, strict=True):
            if declared.name and declared.type not in (VOID, UNKNOWN):
                self._scopes.declare(parameter)
            elif declared.name:
                self._scopes.declare_unknown(declared.name, declared.span)
        self._tree.compound(body.items)
        perform(self._items(body.items, function.body))
        self._scopes.leave()
        self._check_labels()
        for offsets in function.assignments.values():
            offsets.sort()  # the step of a `for` is typed after its body

    def _statement(self, node: c.Statement, into: Statements) -> Work | None:
        """Append the typed statement to `into`. Returns the rest of the work if the statement contains statements."""
        return self._rules[type(node)](node, into)

    # ---------------------------------------------------------------------------------------------------- sequences

    def _items(self, items: list[c.Statement], into: Statements) -> Work:
        rules = self._rules
        for item in items:
            if rest := rules[type(item)](item, into):
                yield rest
        if self._switches:
            _record_surroundings(into)

    def _compound(self, node: c.Compound, into: Statements) -> Work:
        compound = t.Compound(node.span, [])
        self._scopes.enter()
        self._tree.compound(node.items)
        yield self._items(node.items, compound.items)
        self._scopes.leave()
        into.append(compound)

    def _declaration(self, node: c.Declaration, into: Statements) -> None:
        """Type a declaration. A variable is in scope in its own initialiser."""
        parts: list[t.Declare | t.Expression] = []
        for declarator in node.declarators:
            name, type, span, initialiser = declarator.name, declarator.type, declarator.span, declarator.initialiser
            if type is VOID:
                self._errors.report("void", "a variable cannot be `void`", span)
            if type is VOID or type is UNKNOWN:
                self._scopes.declare_unknown(name, span)
                if initialiser:
                    parts.append(self._expressions.whole(initialiser))
                continue
            variable = self._scopes.declare(t.Local(name, type, span, declarator.constant))
            initial = self._expressions.initial(type, initialiser) if initialiser else None
            if initialiser and declarator.constant:
                self._expressions.checks.initialisation(variable, initialiser)
            parts.append(t.Declare(variable, initial))
        into.append(t.Declaration(node.span, parts))

    def _expression(self, node: c.ExpressionStatement, into: Statements) -> None:
        expression = node.expression
        if expression is None:
            into.append(t.Evaluate(node.span, None))
            return
        if type(expression) not in ACTIONS:
            self._tree.unused(expression, "this statement")
        into.append(t.Evaluate(node.span, self._expressions.whole(expression, discarded=True)))

    # ------------------------------------------------------------------------------------------------ conditionals

    def _if(self, node: c.If, into: Statements) -> Work:
        self._tree.if_statement(node)
        condition = self._expressions.whole_condition(node.condition)
        parts: Statements = []
        for part in (node.then, node.otherwise):
            if part and (rest := self._statement(part, parts)):
                yield rest
        into.append(t.If(node.span, condition, parts[0], parts[1] if node.otherwise else None))

    def _switch(self, node: c.Switch, into: Statements) -> Work:
        self._tree.switch(node)
        value = self._expressions.data(self._expressions.whole(node.value), node.value)
        range = limits(value.type) if is_integer_type(value.type) else None
        if is_floating_type(value.type):
            message = f"a `switch` needs an integer, not `{value.type}`"
            self._errors.report("type-mismatch", message, node.value.span)
            value = t.Erroneous(node.value.span, value)
        type = INT if value.type is UNKNOWN else promoted(value.type)
        self._switches.append(_Cases(type, range))
        body: Statements = []
        self._breakable += 1
        if rest := self._statement(node.body, body):
            yield rest
        self._breakable -= 1
        cases = self._switches.pop().cases
        into.append(t.Switch(node.span, self._expressions.converted(type, value), body[0], cases))

    # ------------------------------------------------------------------------------------------------------- loops

    def _while(self, node: c.While, into: Statements) -> Work:
        self._tree.condition(node.condition)
        condition = self._expressions.whole_condition(node.condition)
        body: Statements = []
        yield self._loop_body(node.body, body)
        into.append(t.While(node.span, condition, body[0]))

    def _do(self, node: c.Do, into: Statements) -> Work:
        self._tree.do_statement(node)
        body: Statements = []
        yield self._loop_body(node.body, body)
        into.append(t.Do(node.span, self._expressions.whole_condition(node.condition), body[0]))

    def _for(self, node: c.For, into: Statements) -> Work:
        parts: Statements = []
        self._scopes.enter()
        self._statement(node.first, parts)
        condition = step = None
        if node.condition:
            self._tree.condition(node.condition)
            condition = self._expressions.whole_condition(node.condition)
        yield self._loop_body(node.body, parts)
        if node.step:
            self._tree.unused(node.step, "this step")
            step = self._expressions.whole(node.step, discarded=True)
        self._scopes.leave()
        into.append(t.For(node.span, parts[0], condition, step, parts[1]))

    def _loop_body(self, body: c.Statement, into: Statements) -> Work:
        self._breakable += 1
        self._loops += 1
        if rest := self._statement(body, into):
            yield rest
        self._loops -= 1
        self._breakable -= 1

    # ------------------------------------------------------------------------------------------------------- cases

    def _case(self, node: c.Case, into: Statements) -> Work:
        case = t.Case(node.span, None, node.value is None, t.Evaluate(node.span, None))
        if self._switches:
            self._add_case(case, node, self._switches[-1])
        else:
            label = "default" if node.value is None else "case"
            self._errors.report("misplaced", f"`{label}` outside of a `switch`", node.span)
        yield self._labelled(case, node.body)
        if isinstance(case.body, t.Case):
            case.body.follows = case
        into.append(case)

    def _add_case(self, case: t.Case, node: c.Case, switch: _Cases) -> None:
        case.number = self._number(node, switch)
        switch.cases.append(case)
        if case.number is None and not case.is_default:
            return
        first = switch.first.setdefault(case.number, case)
        if first is not case:
            label = "`default`" if case.is_default else f"`case {case.number}`"
            note = ("the first one is here", first.span)
            self._errors.report("duplicate-case", f"duplicate {label} in this `switch`", case.span, notes=[note])

    def _number(self, node: c.Case, switch: _Cases) -> int | None:
        """The number of the case, converted to the type of the `switch`; None for `default` or an erroneous case."""
        if node.value is None:
            return None
        try:
            value = integer_constant(run(self._expressions.unevaluated(node.value)))
        except NotConstantError as reason:
            self._errors.report("not-constant", f"the value of a `case` {reason.message}", reason.span)
            return None
        if value is None:
            return None
        number = wrapped(switch.type, value)
        if switch.limits and not switch.limits[0] <= number <= switch.limits[1]:
            lowest, highest = switch.limits
            message = f"this case is never chosen: the value is between {lowest} and {highest}"
            self._errors.warn("switch-outside-range", message, node.value.span)
        return number

    # ------------------------------------------------------------------------------------------------------ labels

    def _label(self, node: c.Label, into: Statements) -> Work:
        label = self._label_named(node.name, node.span)
        if label.is_defined:
            note = ("it is first defined here", label.span)
            self._errors.report("redefined", f"the label `{label.name}` is defined twice", node.span, notes=[note])
            label = _new_label(node.name, node.span)
        label.span, label.is_defined = node.span, True
        self._function.labels.append(node.span.start)
        yield self._labelled(label, node.body)
        into.append(label)

    def _labelled(self, label: t.Case | t.Label, body: c.Statement) -> Work:
        parts: Statements = []
        if rest := self._statement(body, parts):
            yield rest
        [label.body] = parts

    def _goto(self, node: c.Goto, into: Statements) -> None:
        label = self._label_named(node.name, node.name_span)
        label.gotos += 1
        into.append(t.Goto(node.span, label))

    def _label_named(self, name: str, span: Span) -> t.Label:
        """The label with that name, which may be defined later."""
        return self._labels.get(name) or self._labels.setdefault(name, _new_label(name, span))

    def _check_labels(self) -> None:
        defined = [label.name for label in self._labels.values() if label.is_defined]
        for name, label in self._labels.items():
            if not label.is_defined:
                help = self._errors.suggestion(name, defined)
                self._errors.report("undeclared", f"there is no label `{name}` in this function", label.span, help=help)
            elif not label.gotos:
                self._errors.warn("unused-label", f"the label `{name}` is never used", label.span)

    # ------------------------------------------------------------------------------------------------------- jumps

    def _break(self, node: c.Break, into: Statements) -> None:
        if not self._breakable:
            self._errors.report("misplaced", "`break` outside of a loop or `switch`", node.span)
        into.append(t.Break(node.span))

    def _continue(self, node: c.Continue, into: Statements) -> None:
        if not self._loops:
            self._errors.report("misplaced", "`continue` outside of a loop", node.span)
        into.append(t.Continue(node.span))

    def _return(self, node: c.Return, into: Statements) -> None:
        into.append(t.Return(node.span, self._returned(node.value, node)))

    def _returned(self, node: c.Expression | None, statement: c.Return) -> t.Expression | None:
        result = self._function.result
        if node is None:
            if result is not VOID and result is not UNKNOWN:
                message = f"missing return value: this function returns `{result}`"
                self._errors.report("return-type", message, statement.span)
            return None
        if result is not VOID and result is not UNKNOWN:
            return self._expressions.initial(result, node)
        value = self._expressions.whole(node)
        if result is VOID and value.type is not VOID and value.type is not UNKNOWN:  # as in gcc, it may be `void`
            self._errors.report("return-type", "this function is `void`: it cannot return a value", node.span)
        return value


def _new_label(name: str, span: Span) -> t.Label:
    return t.Label(span, name, t.Evaluate(span, None))


def _record_surroundings(items: Statements) -> None:
    """Record the statements before and after each case of a block; labels and null statements are none."""
    for before, item in pairwise(items):
        if isinstance(before, t.Case) and isinstance(item, t.Case):
            item.follows = before
    for before, item in pairwise(item for item in items if not isinstance(item, t.Label) and not t.is_empty(item)):
        if isinstance(before, t.Case):
            before.after = item
        elif isinstance(item, t.Case):
            item.before = before
