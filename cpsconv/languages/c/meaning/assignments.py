"""Assignments (C17 6.5.16), ``++`` and ``--``: their targets, which they may change, and their values."""

from __future__ import annotations

from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.diagnostics import seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import VALUES, Operand, Typing, denoted, rule, text_of, then, typed
from cpsconv.languages.c.meaning.conversions import assigned, converted
from cpsconv.languages.c.meaning.expressions import arithmetic
from cpsconv.languages.c.meaning.names import named
from cpsconv.languages.c.meaning.places import is_place, promoted_bits, report_unknown_size, stored
from cpsconv.languages.c.meaning.tree_warnings import has_effect
from cpsconv.languages.c.records import Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    LONG,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_LONG,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    element_of,
)

ARITHMETIC = frozenset([BOOL, CHAR, INT, UNSIGNED, LONG, UNSIGNED_LONG, DOUBLE])
"""The frequent types of variables, without qualifiers."""


@rule(VALUES, c.Assign)
def _assign(typing: Typing, node: c.Assign) -> Step[c.Expression]:
    if node is not typing.discarded or type(node.value) in (c.Assign, c.Increment):
        typing.has_inner_change = True
    target = node.target
    if type(target) is not c.Name:
        return _assign_to_place(typing, node)
    place = _target(typing, named(typing, target), target, node.op is not None or node is not typing.discarded)
    if place is None:
        return _erroneous_assignment(typing, node)
    if type(node.value) is c.Name and node.op is None and node.value.name == target.name:
        typing.errors.warn("self-assign", f"`{target.name}` is assigned to itself", node.span)
    has_effects = node.op is not None and has_effect(node.value)
    value = _later(typing, node.value) if type(node.value) is c.Assign else typed(typing, node.value)
    return then(typing, value, _assignment, node, place, has_effects)


def _assign_to_place(typing: Typing, node: c.Assign) -> Computation[c.Expression]:
    is_used = node.op is not None or node is not typing.discarded
    place = _target(typing, (yield denoted(typing, node.target)), node.target, is_used)
    has_effects = node.op is not None and has_effect(node.value)
    value = yield typed(typing, node.value)
    return c.Erroneous(node.span, [value]) if place is None else _assignment(typing, value, node, place, has_effects)


def _assignment(typing: Typing, value: c.Expression, node: c.Assign, place: t.Place, has_effects: bool) -> c.Expression:
    type = place.type.unqualified
    if node.op is None:
        typing.tree.assignment(node)
        if type.kind == "void":
            typing.function.note_objects()
        node.value = stored(typing, place, value, node.value)
        return _changed(typing, place, node)
    old = c.Computed(node.target.span, type, place)
    computed = c.Computed(value.span, value.type, value) if has_effects else None
    right = computed or value
    operation = c.Binary(node.span, node.op, node.target, node.value)
    new = arithmetic(typing, operation, promoted_bits(typing, old, place), right)
    if new.type is UNKNOWN:
        return c.Erroneous(node.span, [value])
    node.value, node.computed, node.old, node.new = value, computed, old, _updated(typing, type, new, node)
    return _changed(typing, place, node)


def _updated(typing: Typing, type: CType, new: c.Expression, node: c.Expression) -> c.Expression:
    """The new value of an object of that type."""
    is_number = isinstance(type, Arithmetic) and isinstance(new.type, Arithmetic)
    return converted(typing, type, new) if is_number else assigned(typing, type, new, node)


def _erroneous_assignment(typing: Typing, node: c.Assign) -> Computation[c.Expression]:
    return c.Erroneous(node.span, [(yield typed(typing, node.value))])


def _later(typing: Typing, node: c.Expression) -> Computation[c.Expression]:
    """The computation of a subexpression, not begun yet, since it may contain another one."""
    value: c.Expression = yield typed(typing, node)
    return value


@rule(VALUES, c.Increment)
def _increment(typing: Typing, node: c.Increment) -> Step[c.Expression]:
    if node is not typing.discarded:
        typing.has_inner_change = True
    if type(node.target) is c.Name:
        return _incremented(typing, named(typing, node.target), node)
    return then(typing, denoted(typing, node.target), _incremented, node)


def _incremented(typing: Typing, operand: Operand, node: c.Increment) -> c.Expression:
    place = _target(typing, operand, node.target)
    if place is None:
        return c.Erroneous(node.span, [operand] if isinstance(operand, c.Erroneous) else [])
    type = place.type.unqualified
    if type is BOOL:
        typing.errors.warn("bool-operation", f"`{node.op}` of a truth value", node.span)
    old = c.Computed(node.target.span, type, place)
    one = c.Constant(node.span, INT, 1)
    new = arithmetic(typing, c.Binary(node.span, node.op[0], node, one), promoted_bits(typing, old, place), one)
    if new.type is UNKNOWN:
        return c.Erroneous(node.span)
    node.old, node.new = old, _updated(typing, type, new, node)
    return _changed(typing, place, node)


def _changed(typing: Typing, place: t.Place, node: c.Update) -> c.Expression:
    """The change of the place. The value of a bit-field, if it is used, is promoted."""
    node.target, node.type = place, place.type.unqualified
    return node if node is typing.discarded else promoted_bits(typing, node, place)


def _target(typing: Typing, place: Operand, node: c.Expression, is_used: bool = True) -> t.Place | None:
    """The place, if it can be assigned to; None if not, which is reported.

    The variable of which the place is a part counts as used, or else as assigned.
    """
    variable = place.denoted if type(place) is c.Name else None
    if type(variable) is t.Local and variable.type in ARITHMETIC and not variable.is_constant:  # the frequent case
        variable.is_assigned = True
        variable.is_used = variable.is_used or is_used
        if typing.is_evaluated:
            typing.function.assignments.setdefault(variable, []).append(node.span.start)
        return place
    if not is_place(place) or t.is_value(place):
        if place.type is not UNKNOWN:
            message = "only an object can be assigned to: a variable, `*p`, `a[i]` or `s.x`"
            typing.errors.report("not-assignable", message, node.span)
        return None
    root = t.root_of(place)
    if isinstance(root, (t.Local, t.Global)):
        root.is_assigned = True
        root.is_used = root.is_used or is_used
    if not _is_modifiable(typing, place, root, node):
        return None
    if type(variable) is t.Local and typing.is_evaluated:
        typing.function.assignments.setdefault(variable, []).append(node.span.start)
    return place


def _is_modifiable(typing: Typing, place: t.Place, root: t.Place, node: c.Expression) -> bool:
    """Whether objects of the type of the place can be assigned to. Reports if not, and if the place is `const`."""
    type: CType = place.type
    if type is UNKNOWN:
        return False
    if isinstance(type, (Array, FunctionType)):
        kind = "an array" if isinstance(type, Array) else "a function"
        typing.errors.report("not-assignable", f"{kind} cannot be assigned to", node.span)
        return False
    if type.kind == "void" and not is_complete(type):
        report_unknown_size(typing, type, node.span)
        return False
    is_variable = isinstance(root, (t.Local, t.Global))
    fixed = "" if is_variable and root.is_constant else constant_part(type)
    if fixed is not None:
        name = text_of(node)
        notes = seen(root.span if is_variable else None)
        what = f"`{name}` is `const`" if fixed == "" else f"`{name}` has the `const` field `{fixed}`"
        typing.errors.report("const", f"{what} and cannot be assigned to", node.span, notes=notes)
    return True


def constant_part(type: CType) -> str | None:
    """The path to the part of an object of the type that is `const`: empty for the object itself, None if none is."""
    pending = [("", type)]
    for path, each in pending:  # appended to during iteration
        if "const" in each.qualifiers:
            return path[1:]
        if isinstance(each, Record):
            fields = each.fields or []
            pending += [(f"{path}.{field.name}" if field.name else path, element_of(field.type)) for field in fields]
    return None
