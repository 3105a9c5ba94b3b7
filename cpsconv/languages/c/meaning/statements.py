"""Statements (C17 6.8), which are typed in place, with labels, cases and scopes resolved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Work
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.diagnostics import seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.bodies import label_named, report_entered, scope, statement
from cpsconv.languages.c.meaning.conditions import whole_condition
from cpsconv.languages.c.meaning.context import STATEMENTS, VALUES, Cases, Typing, rejected, rule, whole
from cpsconv.languages.c.meaning.conversions import as_number, assigned, converted, initial
from cpsconv.languages.c.meaning.declared_types import constant_of, static_assertion
from cpsconv.languages.c.meaning.tree_warnings import ACTIONS
from cpsconv.languages.c.meaning.typed_declarations import typed_declaration
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    TRUTH,
    UNKNOWN,
    VOID,
    Enum,
    is_floating_type,
    is_integer_type,
    limits,
    pointer_to,
    promoted,
    qualified,
    wrapped,
)

_MAX_RANGES = 1 << 13
"""The largest number of cases that ranges stand for in one file; a comparison implements a range beyond it."""
_MAX_DEPTH = 30


# ------------------------------------------------------------------------------------------------------- sequences


@rule(STATEMENTS, c.Compound)
def _compound(typing: Typing, node: c.Compound) -> Work:
    return scope(typing, node.items)


@rule(VALUES, c.StatementExpression)
def _statement_expression(typing: Typing, node: c.StatementExpression) -> Computation[c.Expression]:
    """``({ … })`` of GNU C: its value is that of its last statement, if that is an expression."""
    if not typing.is_in_body:
        return rejected(typing, "misplaced", "a statement expression outside of a function", node)
    if typing.depth == _MAX_DEPTH:
        message = f"more than {_MAX_DEPTH} statement expressions in each other are not supported yet"
        return rejected(typing, "unsupported", message, node)
    typing.depth += 1
    discarded, has_inner_change = typing.discarded, typing.has_inner_change
    last = node.items[-1] if node.items else None
    final = last if isinstance(last, c.ExpressionStatement) and last.expression else None
    others = node.items[:-1] if final else node.items
    typing.scopes.protected.append(("a statement expression", node.span))
    yield scope(typing, others, final)
    typing.scopes.protected.pop()
    typing.depth -= 1
    typing.discarded, typing.has_inner_change = discarded, has_inner_change
    value = final.expression if final else None
    if value is None or value.type is VOID:
        node.type = VOID
        return node
    if value.type is UNKNOWN:
        return c.Erroneous(node.span, [c.StatementExpression(node.span, others, type=VOID), value])
    if value.type is TRUTH:
        value = c.Convert(value.span, INT, value)
    node.type, node.items, node.value = value.type, others, value
    return node


rule(STATEMENTS, c.StaticAssert)(static_assertion)


@rule(STATEMENTS, c.Declaration)
def _declaration(typing: Typing, node: c.Declaration) -> None:
    node.parts = typed_declaration(typing, node)


@rule(STATEMENTS, c.LabelDeclaration)
def _label_declaration(typing: Typing, node: c.LabelDeclaration) -> None:
    typing.local_labels[-1].update({name: t.Label(node.span, name) for name in node.names})


@rule(STATEMENTS, c.ExpressionStatement)
def _expression(typing: Typing, node: c.ExpressionStatement) -> None:
    if node.expression is None:
        return
    if type(node.expression) not in ACTIONS:
        typing.tree.unused(node.expression, "this statement")
    node.expression = whole(typing, node.expression, discarded=True)


# ------------------------------------------------------------------------------------------------------ conditionals


def _scoped(rule: Callable[[Typing, Any], Work]) -> Callable[[Typing, Any], Work]:
    """The rule for a statement that is a scope of its own (C17 6.8.4 and 6.8.5)."""

    def typed_in_scope(typing: Typing, node: c.Statement) -> Work:
        typing.scopes.enter()
        yield from rule(typing, node)
        typing.scopes.leave()

    return typed_in_scope


@rule(STATEMENTS, c.If)
@_scoped
def _if(typing: Typing, node: c.If) -> Work:
    typing.tree.if_statement(node)
    node.condition = whole_condition(typing, node.condition)
    for part in (node.then, node.otherwise):
        if part and (rest := statement(typing, part)):
            yield rest


@rule(STATEMENTS, c.Switch)
@_scoped
def _switch(typing: Typing, node: c.Switch) -> Work:
    typing.tree.switch(node)
    value = as_number(typing, whole(typing, node.value), node.value)
    range = limits(value.type) if is_integer_type(value.type) else None
    if is_floating_type(value.type) or isinstance(value.type, Complex):
        message = f"a `switch` needs an integer, not `{value.type}`"
        typing.errors.report("type-mismatch", message, node.value.span)
        value = c.Erroneous(node.value.span, [value])
    enum = t.unconverted(value).type
    type = INT if value.type is UNKNOWN else promoted(value.type)
    typing.switches.append(Cases(type, range, len(typing.scopes.protected)))
    typing.breakable += 1
    if rest := statement(typing, node.body):
        yield rest
    typing.breakable -= 1
    switch = typing.switches.pop()
    value = converted(typing, type, value)
    for case, numbers in switch.ranges:
        _check_range(typing, case, numbers, switch)
        value = _mapped(value, numbers)
    if isinstance(enum, Enum):
        _check_enumerators(typing, enum, switch, node)
    node.value, node.cases = value, switch.cases


# ------------------------------------------------------------------------------------------------------------- loops


@rule(STATEMENTS, c.While)
@_scoped
def _while(typing: Typing, node: c.While) -> Work:
    typing.tree.condition(node.condition)
    node.condition = whole_condition(typing, node.condition)
    yield from _loop_body(typing, node.body)


@rule(STATEMENTS, c.Do)
@_scoped
def _do(typing: Typing, node: c.Do) -> Work:
    typing.tree.do_statement(node)
    yield from _loop_body(typing, node.body)
    node.condition = whole_condition(typing, node.condition)


@rule(STATEMENTS, c.For)
@_scoped
def _for(typing: Typing, node: c.For) -> Work:
    statement(typing, node.first)
    if isinstance(node.first, c.Declaration):
        typing.scopes.report_others_than_variables(node.first.span)
    if node.condition:
        typing.tree.condition(node.condition)
        node.condition = whole_condition(typing, node.condition)
    if node.step:
        typing.tree.unused(node.step, "this step")
        node.step = whole(typing, node.step, discarded=True)
    yield from _loop_body(typing, node.body)


def _loop_body(typing: Typing, body: c.Statement) -> Work:
    typing.breakable += 1
    typing.loops += 1
    if rest := statement(typing, body):
        yield rest
    typing.loops -= 1
    typing.breakable -= 1


# ------------------------------------------------------------------------------------------------------------- cases


@rule(STATEMENTS, c.Case)
def _case(typing: Typing, node: c.Case) -> Work:
    """Type a case. A range becomes nested cases: the outermost one has the lowest number.

    A long range becomes one case with its first number, to which the `switch` maps the others.
    """
    span = node.span
    numbers: Sequence[int | None] = [None]
    if not typing.switches:
        label = "default" if node.value is None else "case"
        typing.errors.report("misplaced", f"`{label}` outside of a `switch`", span)
    elif node.value is not None:
        numbers = _numbers(typing, node, typing.switches[-1])
    if typing.switches:
        report_entered(typing, "switch", span, typing.scopes.protected[typing.switches[-1].protected :])
    is_long = isinstance(numbers, range) and typing.translation.in_ranges + numbers.stop - numbers.start > _MAX_RANGES
    chosen = numbers[:1] if is_long else numbers
    cases = [node, *(c.Case(span, node.value, node.body) for _ in chosen[1:])]
    for case, number in zip(cases, chosen, strict=True):
        case.number = number
    if is_long:
        typing.switches[-1].ranges.append((cases[0], numbers))
    elif isinstance(numbers, range):
        typing.translation.in_ranges += len(numbers)
    for outer, inner in pairwise(cases):
        outer.body, inner.follows = inner, outer
    if typing.switches:
        _add_cases(typing, cases, typing.switches[-1])
    last = cases[-1]
    if rest := statement(typing, last.body):
        yield rest
    if isinstance(last.body, c.Case):
        last.body.follows = last


def _add_cases(typing: Typing, cases: list[c.Case], switch: Cases) -> None:
    """Add cases to their `switch`. Reports the first one that is a duplicate."""
    switch.cases += cases
    for case in cases:
        if case.number is None and not case.is_default:
            return
        first = switch.first.setdefault(case.number, case)
        if first is not case:
            _report_duplicate(typing, case, first)
            return


def _check_range(typing: Typing, case: c.Case, numbers: Sequence[int | None], switch: Cases) -> None:
    """Report other cases of the `switch` with numbers of a long range."""
    for number, other in switch.first.items():
        if number is not None and other is not case and number in numbers:
            _report_duplicate(typing, other, case)


def _check_enumerators(typing: Typing, enum: Enum, switch: Cases, node: c.Switch) -> None:
    """Warn of constants of an enumeration without a case, and of cases that are no constants of it."""
    labelled: dict[Span, list[int]] = {}
    for number, case in switch.first.items():
        if number is not None:
            labelled.setdefault(case.span, []).append(number)
    for span, numbers in labelled.items():  # of a range, the ends are constants
        if wrong := [number for number in (numbers[0], numbers[-1]) if number not in enum.names]:
            typing.errors.warn("switch", f"{wrong[0]} is not a value of `{enum}`", span)
    handled = [switch.first, *(numbers for _, numbers in switch.ranges)]
    missing = [f"`{name}`" for value, name in enum.names.items() if not any(value in each for each in handled)]
    if missing and None not in switch.first:
        shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} others" if len(missing) > 3 else "")
        help = "add the missing cases, or a `default`"
        typing.errors.warn("switch", f"this `switch` has no case for {shown}", node.value.span, help=help)


def _report_duplicate(typing: Typing, case: c.Case, first: c.Case) -> None:
    label = "`default`" if case.is_default else f"`case {case.number}`"
    note = ("the first one is here", first.span)
    typing.errors.report("duplicate-case", f"duplicate {label} in this `switch`", case.span, notes=[note])


def _numbers(typing: Typing, node: c.Case, switch: Cases) -> Sequence[int | None]:
    """The numbers of the case; None if it is erroneous, which is reported."""
    assert node.value
    first = _number(typing, node.value, switch)
    if node.last is None or first is None:
        return [first]
    last = _number(typing, node.last, switch)
    if last is None:
        return [None]
    if last < first:
        typing.errors.warn("switch-outside-range", "this range of cases is empty", node.span)
        return [None]
    return range(first, last + 1)


def _number(typing: Typing, node: c.Expression, switch: Cases) -> int | None:
    """The number of a case, converted to the type of the `switch`; None if it is erroneous, which is reported."""
    value = constant_of(typing, node, "the value of a `case`")
    if value is None:
        return None
    number = wrapped(switch.type, value)
    if switch.limits and not switch.limits[0] <= number <= switch.limits[1]:
        lowest, highest = switch.limits
        message = f"this case is never chosen: the value is between {lowest} and {highest}"
        typing.errors.warn("switch-outside-range", message, node.span)
    return number


# ------------------------------------------------------------------------------------------------------------ labels


@rule(STATEMENTS, c.Label)
def _label(typing: Typing, node: c.Label) -> Work:
    label = label_named(typing, node.name, node.span)
    if label.is_defined:
        message = f"the label `{label.name}` is defined twice"
        typing.errors.report("redefined", message, node.span, notes=seen(label.span, "first defined"))
        label = t.Label(node.span, node.name)
    node.label = label
    label.span, label.is_defined, label.may_be_unused = node.span, True, node.may_be_unused
    label.protected = [*typing.scopes.protected]
    typing.function.labels.append(node.span.start)
    if rest := statement(typing, node.body):
        yield rest


@rule(STATEMENTS, c.Goto)
def _goto(typing: Typing, node: c.Goto) -> None:
    node.label = label_named(typing, node.name, node.name_span)
    node.label.gotos += 1
    typing.gotos.append((node, [*typing.scopes.protected]))


@rule(STATEMENTS, c.ComputedGoto)
def _computed_goto(typing: Typing, node: c.ComputedGoto) -> None:
    value = whole(typing, node.target)
    target = pointer_to(qualified(VOID, ["const"]))
    node.target = assigned(typing, target, value, node.target)


@rule(VALUES, c.LabelAddress)
def _label_address(typing: Typing, node: c.LabelAddress) -> c.Expression:
    """``&&name`` of GNU C."""
    if not typing.is_in_body:
        return rejected(typing, "misplaced", "the address of a label outside of a function", node)
    node.label = label = label_named(typing, node.name, node.span)
    node.type = pointer_to(VOID)
    if not label.number:
        typing.translation.addressed_labels += 1
        label.number = typing.translation.addressed_labels
    return node


# ------------------------------------------------------------------------------------------------------------- jumps


@rule(STATEMENTS, c.Break)
def _break(typing: Typing, node: c.Break) -> None:
    if not typing.breakable:
        typing.errors.report("misplaced", "`break` outside of a loop or `switch`", node.span)


@rule(STATEMENTS, c.Continue)
def _continue(typing: Typing, node: c.Continue) -> None:
    if not typing.loops:
        typing.errors.report("misplaced", "`continue` outside of a loop", node.span)


@rule(STATEMENTS, c.Return)
def _return(typing: Typing, node: c.Return) -> None:
    result, given = typing.function.result, node.value
    if given is None:
        if result is not VOID and result is not UNKNOWN:
            message = f"missing return value: this function returns `{result}`"
            typing.errors.warn("return-type", message, node.span)
    elif result is not VOID and result is not UNKNOWN:
        node.value = initial(typing, result, given)
    else:
        node.value = value = whole(typing, given)
        if result is VOID and value.type is not VOID and value.type is not UNKNOWN:  # as in gcc, it may be `void`
            typing.errors.report("return-type", "this function is `void`: it cannot return a value", given.span)


def _mapped(value: c.Expression, numbers: Sequence[int | None]) -> c.Expression:
    """The value of a `switch`, or the first number of a long range for all values in the range."""
    span, type, (first, last) = value.span, value.type, (numbers[0], numbers[-1])
    assert first is not None and last is not None
    local = t.temporary("value", type, span)
    read, lowest = t.read(local, span), c.Constant(span, type, first)
    is_above = c.Binary(span, ">=", read, lowest, type=TRUTH)
    is_below = c.Binary(span, "<=", read, c.Constant(span, type, last), type=TRUTH)
    chosen = c.Conditional(span, c.Logical(span, "&&", is_above, is_below, type=TRUTH), lowest, read, type=type)
    return t.after([t.Declare(local, value)], chosen)
