"""Statements (C17 6.8): from the syntax tree to the typed tree, with labels, cases and scopes resolved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Work, perform, run
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import NotConstantError, integer_constant
from cpsconv.languages.c.meaning.expressions import Expressions
from cpsconv.languages.c.meaning.tree_warnings import ACTIONS
from cpsconv.languages.c.meaning.typed_declarations import DeclarationTyping
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    TRUTH,
    UNKNOWN,
    VOID,
    CType,
    Enum,
    is_floating_type,
    is_integer_type,
    limits,
    pointer_to,
    promoted,
    qualified,
    wrapped,
)

Statements = list[t.Statement]


_MAX_RANGES = 1 << 13
"""The largest number of cases that ranges stand for in one file; a comparison implements a range beyond it."""
_MAX_DEPTH = 30


class _Cases:
    """The cases so far of a `switch` on values of `type`, which are in the `limits` before their promotion.

    `first` has the first case of each number.
    """

    def __init__(self, type: CType, limits: tuple[int, int] | None) -> None:
        self.type = type
        self.limits = limits
        self.cases: list[t.Case] = []
        self.first: dict[int | None, t.Case] = {}
        self.ranges: list[tuple[t.Case, Sequence[int | None]]] = []  # the cases of long ranges, with all their numbers


class StatementTyping:
    """Types the bodies of functions. Each method appends the typed statement to a list."""

    def __init__(self, expressions: Expressions, declarations: DeclarationTyping, errors: Errors) -> None:
        self._errors = errors
        self._expressions = expressions
        self._declarations = declarations
        self._scopes = expressions.scopes
        self._addressed_labels = self._in_ranges = 0
        self._tree = expressions.tree
        expressions.statements = self
        self.is_in_body = False
        self._rules: dict[type, Callable[[Any, Statements], Work | None]] = {
            c.Declaration: self._declaration,
            c.StaticAssert: self._static_assertion,
            c.LabelDeclaration: self._label_declaration,
            c.ExpressionStatement: self._expression,
            c.Compound: self._compound,
            c.If: self._scoped(self._if),
            c.While: self._scoped(self._while),
            c.Do: self._scoped(self._do),
            c.For: self._scoped(self._for),
            c.Switch: self._scoped(self._switch),
            c.Case: self._case,
            c.Label: self._label,
            c.Goto: self._goto,
            c.ComputedGoto: self._computed_goto,
            c.Break: self._break,
            c.Continue: self._continue,
            c.Return: self._return,
            c.NestedFunction: self._nested,
        }
        self.nested_function: Callable[[c.FunctionDefinition], None]  # set by `FunctionTyping`

    def type_body(self, function: t.Function, body: c.Compound) -> None:
        """Type the body of a function in the current scope, which has the parameters."""
        self._function = function
        self._labels: dict[str, t.Label] = {}
        self._local_labels: list[dict[str, t.Label]] = []
        self._switches: list[_Cases] = []
        self._depth = 0  # of statement expressions
        self.is_in_body = True
        self._loops = self._breakable = 0  # the number of statements around the current one
        perform(self._block(body.items, function.body))
        self._check_labels(self._labels)
        for offsets in function.assignments.values():
            offsets.sort()  # the step of a `for` is typed after its body
        self.is_in_body = False

    def _statement(self, node: c.Statement, into: Statements) -> Work | None:
        """Append the typed statement to `into`. Returns the rest of the work if the statement contains statements."""
        return self._rules[type(node)](node, into)

    # ---------------------------------------------------------------------------------------------------- sequences

    def _compound(self, node: c.Compound, into: Statements) -> Work:
        compound = t.Compound(node.span, [])
        into.append(compound)
        return self.scope(node.items, compound.items)

    def scope(
        self,
        items: list[c.Statement],
        into: Statements,
        final: tuple[c.Expression | None, list[t.Expression]] = (None, []),
    ) -> Work:
        """Type the statements of a block, a scope of its own, and its final expression, which is added to a list."""
        self._scopes.enter()
        yield from self._block(items, into)
        expression, values = final
        if expression:
            values.append(self._expressions.whole(expression))
        self._scopes.leave()

    def _block(self, items: list[c.Statement], into: Statements) -> Work:
        """Type the statements of a block, in the current scope."""
        has_labels = c.LabelDeclaration in map(type, items)
        if has_labels:
            self._local_labels.append({})
        self._tree.compound(items)
        rules = self._rules
        for item in items:
            if rest := rules[type(item)](item, into):
                yield rest
        if self._switches:
            _record_surroundings(into)
        if has_labels:
            self._check_labels(self._local_labels.pop())

    def expression(self, node: c.StatementExpression) -> Computation[t.Expression]:
        """``({ … })`` of GNU C: its value is that of its last statement, if that is an expression."""
        *items, last = node.body.items or [c.ExpressionStatement(node.span, None)]
        final = last.expression if isinstance(last, c.ExpressionStatement) else None
        if self._depth == _MAX_DEPTH:
            message = f"more than {_MAX_DEPTH} statement expressions in each other are not supported yet"
            self._errors.report("unsupported", message, node.span)
            return t.Erroneous(node.span)
        self._depth += 1
        discarded, has_inner_change = self._expressions.discarded, self._expressions.has_inner_change
        typed: Statements = []
        values: list[t.Expression] = []
        yield self.scope(items if final else node.body.items, typed, (final, values))
        self._depth -= 1
        self._expressions.discarded, self._expressions.has_inner_change = discarded, has_inner_change
        value = values[0] if values else None
        if value is None or value.type is VOID:
            typed += [t.Evaluate(last.span, value)] if value else []
            return t.StatementExpression(node.span, VOID, typed, None)
        if value.type is UNKNOWN:
            return t.Erroneous(node.span, t.StatementExpression(node.span, VOID, typed, None), value)
        if value.type is TRUTH:
            value = t.Convert(value.span, INT, value)
        return t.StatementExpression(node.span, value.type, typed, value)

    def _declaration(self, node: c.Declaration, into: Statements) -> None:
        into.append(t.Declaration(node.span, self._declarations.declaration(node)))

    def _static_assertion(self, node: c.StaticAssert, into: Statements) -> None:
        self._expressions.types.static_assertion(node)
        into.append(t.Declaration(node.span, []))

    def _nested(self, node: c.NestedFunction, into: Statements) -> None:
        self.nested_function(node.definition)
        into.append(t.Declaration(node.span, []))

    def _label_declaration(self, node: c.LabelDeclaration, into: Statements) -> None:
        for name in node.names:
            self._local_labels[-1][name] = _new_label(name, node.span)
        into.append(t.Declaration(node.span, []))

    def _expression(self, node: c.ExpressionStatement, into: Statements) -> None:
        expression = node.expression
        if expression is None:
            into.append(t.Evaluate(node.span, None))
            return
        if type(expression) not in ACTIONS:
            self._tree.unused(expression, "this statement")
        into.append(t.Evaluate(node.span, self._expressions.whole(expression, discarded=True)))

    # ------------------------------------------------------------------------------------------------ conditionals

    def _scoped(self, rule: Callable[[Any, Statements], Work]) -> Callable[[Any, Statements], Work]:
        """The rule for a statement that is a scope of its own (C17 6.8.4 and 6.8.5)."""

        def typed(node: c.Statement, into: Statements) -> Work:
            self._scopes.enter()
            yield from rule(node, into)
            self._scopes.leave()

        return typed

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
        if is_floating_type(value.type) or isinstance(value.type, Complex):
            message = f"a `switch` needs an integer, not `{value.type}`"
            self._errors.report("type-mismatch", message, node.value.span)
            value = t.Erroneous(node.value.span, value)
        enum = t.unconverted(value).type
        type = INT if value.type is UNKNOWN else promoted(value.type)
        self._switches.append(_Cases(type, range))
        body: Statements = []
        self._breakable += 1
        if rest := self._statement(node.body, body):
            yield rest
        self._breakable -= 1
        switch = self._switches.pop()
        value = self._expressions.converted(type, value)
        for case, numbers in switch.ranges:
            self._check_range(case, numbers, switch)
            value = _mapped(value, numbers)
        if isinstance(enum, Enum):
            self._check_enumerators(enum, switch, node)
        into.append(t.Switch(node.span, value, body[0], switch.cases))

    # ------------------------------------------------------------------------------------------------------- loops

    def _while(self, node: c.While, into: Statements) -> Work:
        self._tree.condition(node.condition)
        condition = self._expressions.whole_condition(node.condition)
        body: Statements = []
        yield from self._loop_body(node.body, body)
        into.append(t.While(node.span, condition, body[0]))

    def _do(self, node: c.Do, into: Statements) -> Work:
        self._tree.do_statement(node)
        body: Statements = []
        yield from self._loop_body(node.body, body)
        into.append(t.Do(node.span, self._expressions.whole_condition(node.condition), body[0]))

    def _for(self, node: c.For, into: Statements) -> Work:
        parts: Statements = []
        self._statement(node.first, parts)
        condition = step = None
        if node.condition:
            self._tree.condition(node.condition)
            condition = self._expressions.whole_condition(node.condition)
        if node.step:
            self._tree.unused(node.step, "this step")
            step = self._expressions.whole(node.step, discarded=True)
        yield from self._loop_body(node.body, parts)
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
        """Type a case. A range becomes nested cases: the outermost one has the lowest number.

        A long range becomes one case with its first number, to which the `switch` maps the others.
        """
        span = node.span
        numbers: Sequence[int | None] = [None]
        if not self._switches:
            label = "default" if node.value is None else "case"
            self._errors.report("misplaced", f"`{label}` outside of a `switch`", span)
        elif node.value is not None:
            numbers = self._numbers(node, self._switches[-1])
        is_long = isinstance(numbers, range) and self._in_ranges + numbers.stop - numbers.start > _MAX_RANGES
        chosen = numbers[:1] if is_long else numbers
        cases = [t.Case(span, number, node.value is None, t.Evaluate(span, None)) for number in chosen]
        if is_long:
            self._switches[-1].ranges.append((cases[0], numbers))
        elif isinstance(numbers, range):
            self._in_ranges += len(numbers)
        for outer, inner in pairwise(cases):
            outer.body, inner.follows = inner, outer
        if self._switches:
            self._add_cases(cases, self._switches[-1])
        yield from self._labelled(cases[-1], node.body)
        if isinstance(cases[-1].body, t.Case):
            cases[-1].body.follows = cases[-1]
        into.append(cases[0])

    def _add_cases(self, cases: list[t.Case], switch: _Cases) -> None:
        """Add cases to their `switch`. Reports the first one that is a duplicate."""
        switch.cases += cases
        for case in cases:
            if case.number is None and not case.is_default:
                return
            first = switch.first.setdefault(case.number, case)
            if first is not case:
                self._report_duplicate(case, first)
                return

    def _check_range(self, case: t.Case, numbers: Sequence[int | None], switch: _Cases) -> None:
        """Report other cases of the `switch` with numbers of a long range."""
        for number, other in switch.first.items():
            if number is not None and other is not case and number in numbers:
                self._report_duplicate(other, case)

    def _check_enumerators(self, enum: Enum, switch: _Cases, node: c.Switch) -> None:
        """Warn of constants of an enumeration without a case, and of cases that are no constants of it."""
        labelled: dict[Span, list[int]] = {}
        for number, case in switch.first.items():
            if number is not None:
                labelled.setdefault(case.span, []).append(number)
        for span, numbers in labelled.items():  # of a range, the ends are constants
            if wrong := [number for number in (numbers[0], numbers[-1]) if number not in enum.names]:
                self._errors.warn("switch", f"{wrong[0]} is not a value of `{enum}`", span)
        handled = [switch.first, *(numbers for _, numbers in switch.ranges)]
        missing = [f"`{name}`" for value, name in enum.names.items() if not any(value in each for each in handled)]
        if missing and None not in switch.first:
            shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} others" if len(missing) > 3 else "")
            help = "add the missing cases, or a `default`"
            self._errors.warn("switch", f"this `switch` has no case for {shown}", node.value.span, help=help)

    def _report_duplicate(self, case: t.Case, first: t.Case) -> None:
        label = "`default`" if case.is_default else f"`case {case.number}`"
        note = ("the first one is here", first.span)
        self._errors.report("duplicate-case", f"duplicate {label} in this `switch`", case.span, notes=[note])

    def _numbers(self, node: c.Case, switch: _Cases) -> Sequence[int | None]:
        """The numbers of the case; None if it is erroneous, which is reported."""
        assert node.value
        first = self._number(node.value, switch)
        if node.last is None or first is None:
            return [first]
        last = self._number(node.last, switch)
        if last is None:
            return [None]
        if last < first:
            self._errors.warn("switch-outside-range", "this range of cases is empty", node.span)
            return [None]
        return range(first, last + 1)

    def _number(self, node: c.Expression, switch: _Cases) -> int | None:
        """The number of a case, converted to the type of the `switch`; None if it is erroneous, which is reported."""
        try:
            value = integer_constant(run(self._expressions.unevaluated(node)))
        except NotConstantError as reason:
            self._errors.report("not-constant", f"the value of a `case` {reason.message}", reason.span)
            return None
        if value is None:
            return None
        number = wrapped(switch.type, value)
        if switch.limits and not switch.limits[0] <= number <= switch.limits[1]:
            lowest, highest = switch.limits
            message = f"this case is never chosen: the value is between {lowest} and {highest}"
            self._errors.warn("switch-outside-range", message, node.span)
        return number

    # ------------------------------------------------------------------------------------------------------ labels

    def _label(self, node: c.Label, into: Statements) -> Work:
        label = self._label_named(node.name, node.span)
        if label.is_defined:
            note = ("it is first defined here", label.span)
            self._errors.report("redefined", f"the label `{label.name}` is defined twice", node.span, notes=[note])
            label = _new_label(node.name, node.span)
        label.span, label.is_defined, label.may_be_unused = node.span, True, node.may_be_unused
        self._function.labels.append(node.span.start)
        yield from self._labelled(label, node.body)
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

    def _computed_goto(self, node: c.ComputedGoto, into: Statements) -> None:
        value = self._expressions.whole(node.target)
        target = pointer_to(qualified(VOID, ["const"]))
        into.append(t.ComputedGoto(node.span, self._expressions.assigned(target, value, node.target)))

    def label_address(self, node: c.LabelAddress) -> t.LabelAddress:
        """``&&name`` of GNU C."""
        label = self._label_named(node.name, node.span)
        if not label.number:
            self._addressed_labels += 1
            label.number = self._addressed_labels
        return t.LabelAddress(node.span, pointer_to(VOID), label)

    def _label_named(self, name: str, span: Span) -> t.Label:
        """The label with that name, which may be defined later."""
        for labels in reversed(self._local_labels):
            if name in labels:
                return labels[name]
        return self._labels.get(name) or self._labels.setdefault(name, _new_label(name, span))

    def _check_labels(self, labels: dict[str, t.Label]) -> None:
        defined = [label.name for label in labels.values() if label.is_defined]
        for name, label in labels.items():
            if not label.is_defined:
                help = self._errors.suggestion(name, defined)
                if self._function.enclosing:
                    help = help or "a nested function cannot jump to a label outside of it"
                self._errors.report("undeclared", f"there is no label `{name}` in this function", label.span, help=help)
            elif not label.gotos and not label.number and not label.may_be_unused:
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
                self._errors.warn("return-type", message, statement.span)
            return None
        if result is not VOID and result is not UNKNOWN:
            return self._expressions.initial(result, node)
        value = self._expressions.whole(node)
        if result is VOID and value.type is not VOID and value.type is not UNKNOWN:  # as in gcc, it may be `void`
            self._errors.report("return-type", "this function is `void`: it cannot return a value", node.span)
        return value


def _mapped(value: t.Expression, numbers: Sequence[int | None]) -> t.Expression:
    """The value of a `switch`, or the first number of a long range for all values in the range."""
    span, type, (first, last) = value.span, value.type, (numbers[0], numbers[-1])
    assert first is not None and last is not None
    local = t.Local("value", type, span, is_constant=False, is_used=True)
    read, lowest = t.Read(span, type, local), t.Constant(span, type, first)
    is_above = t.Binary(span, TRUTH, ">=", read, lowest)
    is_below = t.Binary(span, TRUTH, "<=", read, t.Constant(span, type, last))
    chosen = t.Conditional(span, type, t.Logical(span, TRUTH, "&&", is_above, is_below), lowest, read)
    return t.StatementExpression(span, type, [t.Declaration(span, [t.Declare(local, value)])], chosen)


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
