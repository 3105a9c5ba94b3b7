"""Places: the expressions that denote objects (lvalues, C17 6.3.2.1 and 6.5.3.2), their values and their addresses."""

from __future__ import annotations

from typing import Any

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step, run
from cpsconv.languages.c.diagnostics import seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import (
    PLACES,
    VALUES,
    Operand,
    Typing,
    denoted,
    rejected,
    rule,
    then,
    typed,
    with_warnings,
)
from cpsconv.languages.c.meaning.conversions import assigned, is_supported, with_article
from cpsconv.languages.c.records import Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.literals import string_element
from cpsconv.languages.c.types import (
    INT,
    LONG,
    TRUTH,
    UNKNOWN,
    UNSIGNED,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    VariableArray,
    array_of,
    element_of,
    pointer_to,
    qualified,
)
from cpsconv.languages.c.vector_types import Vector

_PLACES = (c.Name, c.Dereference, c.Subscript, c.Member, c.StringLiteral, c.CompoundLiteral, c.Temporary)


@rule(VALUES, c.StringLiteral, c.Dereference, c.Subscript, c.Member, c.Generic, c.CompoundLiteral)
def place_value(typing: Typing, node: c.Expression) -> Step[c.Expression]:
    """The value of the place that the expression denotes, or its computation."""
    return then(typing, PLACES[type(node)](typing, node), value_of, node)


# ------------------------------------------------------------------------------------------------------------ values


def value_of(typing: Typing, operand: Operand, node: c.Expression) -> c.Expression:
    """The value of a place that `node` denotes: arrays and functions become pointers. Values stay."""
    if not isinstance(operand, _PLACES):
        return operand  # type: ignore[no-any-return]
    type: CType = operand.type
    if isinstance(type, Array):
        _take_address(typing, operand, node.span)
        return c.Decay(node.span, pointer_to(type.element), operand)
    if isinstance(type, FunctionType):
        return _pointer_to_function(operand)
    note_use(typing, operand)
    if type.kind == "void":
        return _void_or_record(typing, operand, type, node)
    value: c.Expression = c.Read(node.span, type.unqualified, operand)
    if typing.pending.warnings:
        value = with_warnings(typing, value)
    return promoted_bits(typing, value, operand) if isinstance(operand, c.Member) else value


def _pointer_to_function(place: t.Place) -> c.Expression:
    """The pointer to the function that a place of function type denotes."""
    if isinstance(place, c.Dereference):
        return place.pointer
    return c.Decay(place.span, pointer_to(place.type), place)


def _void_or_record(typing: Typing, place: t.Place, type: CType, node: c.Expression) -> c.Expression:
    type = type.unqualified
    if isinstance(type, Record):
        typing.function.note_objects()
        if is_complete(type):
            return c.Read(node.span, type, place)
        report_unknown_size(typing, type, node.span)
    elif type is VOID and isinstance(place, c.Dereference):
        return c.Cast(node.span, VOID, place.pointer)
    else:
        is_supported(typing, type, node.span)
    return c.Erroneous(node.span)


def stored(typing: Typing, place: t.Place, value: c.Expression, node: c.Expression) -> c.Expression:
    """`value`, which is that of `node`, converted for an assignment to the place."""
    converted = assigned(typing, place.type, value, node)
    bits = place.field.bits if type(place) is c.Member else None
    if bits is None:
        return converted
    typing.checks.bit_field(bits, place.type.unqualified, node)
    return with_warnings(typing, converted)


def promoted_bits(typing: Typing, value: c.Expression, place: t.Place) -> c.Expression:
    """The value of a place. That of a bit-field is promoted, as its width requires; others stay."""
    bits, type = place.field.bits if isinstance(place, c.Member) else None, value.type
    if bits is None or bits > 32 or type.kind != "integer":
        return value
    narrow = UNSIGNED if bits == 32 and not type.signed else INT
    return value if type is narrow else c.Convert(value.span, narrow, value)


def report_unknown_size(typing: Typing, type: CType, span: Span) -> None:
    """Report the use of an object of incomplete type."""
    inner = element_of(type).unqualified
    notes = seen(inner.span if isinstance(inner, Record) else None)
    typing.errors.report("incomplete-type", f"the size of {with_article(type)} is not known here", span, notes=notes)


@rule(PLACES, c.StringLiteral)
def string_array(typing: Typing, node: c.StringLiteral) -> c.StringLiteral:
    """The array of a string literal."""
    element = string_element(node.prefix)
    node.type = array_of(element, len(node.text) // element.size + 1)
    return node


@rule(PLACES, c.Dereference)
def _dereference(typing: Typing, node: c.Dereference) -> Computation[Operand]:
    pointer = yield typed(typing, node.pointer)
    return object_at(typing, pointer, node)


def object_at(typing: Typing, pointer: c.Expression, node: c.Expression) -> Operand:
    """The object that a pointer points to."""
    type = pointer.type
    if not isinstance(type, Pointer):
        message = f"expected a pointer, but this is {with_article(type)}"
        return rejected(typing, "type-mismatch", message, node, [pointer])
    match pointer:
        case c.AddressOf(operand=place) if place.type is type.target:
            _release(typing, place, pointer.span)
            return place
        case c.Decay(operand=c.Expression(type=Array()) as array):
            _release(typing, array, pointer.span)
            return t.element(pointer, c.Constant(node.span, INT, 0), node.span)
        case c.Binary(op="+", left=c.Decay(operand=c.Expression(type=Array()) as array) as decay, right=index):
            _release(typing, array, decay.span)
            element = t.element(decay, index, node.span)
            if isinstance(index, c.Constant):
                _check_index(typing, element, int(index.value), index.span)
            return element
    if not isinstance(node, c.Dereference):
        return c.Dereference(node.span, pointer, type=type.target)
    node.pointer, node.type = pointer, type.target
    return node


@rule(PLACES, c.Subscript)
def _subscript(typing: Typing, node: c.Subscript) -> Computation[Operand]:
    operand, right = (yield denoted(typing, node.pointer)), (yield typed(typing, node.index))
    if isinstance(operand.type, Vector) and right.type is not UNKNOWN:
        return element_of_vector(typing, operand, as_index(typing, right, node.index), node.span)
    left = value_of(typing, operand, node.pointer)
    pointer, index = (left, right) if isinstance(left.type, Pointer) else (right, left)
    if UNKNOWN in (left.type, right.type):
        return c.Erroneous(node.span, [left, right])
    if not isinstance(pointer.type, Pointer):
        message = f"`[]` needs an array or pointer, not {with_article(left.type)}"
        return rejected(typing, "type-mismatch", message, node, [left, right], at=node.pointer.span)
    if isinstance(pointer.type.target, FunctionType):
        message = f"`[]` needs an array or a pointer to an object, not {with_article(pointer.type)}"
        return rejected(typing, "type-mismatch", message, node, [left, right], at=pointer.span)
    index_node = node.index if pointer is left else node.pointer
    index = as_index(typing, index, index_node)
    if index.type is UNKNOWN or not has_size(typing, pointer.type, node.span):
        return c.Erroneous(node.span, [left, index])
    node.pointer, node.index, node.type = pointer, index, pointer.type.target
    if isinstance(pointer, c.Decay):
        _release(typing, pointer.operand, pointer.span)
        if constant := typing.checks.constant_or_variable(index_node):
            _check_index(typing, node, int(constant.value), index_node.span)
    return node


def _check_index(typing: Typing, element: c.Subscript, index: int, span: Span) -> None:
    """Warn of a constant index outside of an array, unless the array is the flexible end of a struct."""
    assert isinstance(element.pointer, c.Decay)
    array = element.pointer.operand
    length = array.type.length
    if length is None or isinstance(array.type, VariableArray) or 0 <= index < length:
        return
    if index >= 0 and length <= 1 and t.is_at_end(array):
        return
    last = f", whose last index is {length - 1}" if length else ""
    message = f"the index {index} is outside of {with_article(array.type)}{last}"
    typing.pending.warn("array-bounds", message, span)
    typing.end = element if index == length else None


def as_index(typing: Typing, value: c.Expression, node: c.Expression) -> c.Expression:
    """The value of `node` as an index: an integer, which is reported otherwise."""
    if value.type.kind == "integer" or value.type is UNKNOWN:
        return value if value.type.bits <= LONG.bits else c.Convert(value.span, LONG, value)
    if value.type.kind == "bool":
        return c.Convert(value.span, INT, value)
    message = f"expected an integer as the index, but this is {with_article(value.type)}"
    return rejected(typing, "type-mismatch", message, node, [value])


def has_size(typing: Typing, pointer: CType, span: Span) -> bool:
    """Whether there is arithmetic on pointers of the type, as in GNU C also on ``void *``; reported otherwise."""
    assert isinstance(pointer, Pointer)
    target = pointer.target
    if is_complete(target) or target.unqualified is VOID or isinstance(target, FunctionType):
        return True
    report_unknown_size(typing, target, span)
    return False


@rule(PLACES, c.Member)
def _member(typing: Typing, node: c.Member) -> Computation[Operand]:
    if node.through_pointer:
        pointer = yield typed(typing, node.operand)
        operand = (
            object_at(typing, pointer, node) if _is_record_pointer(typing, pointer, node) else c.Erroneous(node.span)
        )
    else:
        operand = yield denoted(typing, node.operand)
    if operand.type is UNKNOWN:
        return operand
    record = operand.type.unqualified
    path = field_path(typing, record, node)
    if path is None:
        return c.Erroneous(node.span, [] if isinstance(operand, _PLACES) else [operand])
    typing.function.note_objects()
    if not isinstance(operand, _PLACES):
        operand = c.Temporary(node.operand.span, operand.type, operand)
    for field in path[:-1]:
        operand = t.member(operand, field, node.span, qualified(field.type, operand.type.qualifiers))
    node.operand, node.field = operand, path[-1]
    node.type = qualified(node.field.type, operand.type.qualifiers)
    return node


def _is_record_pointer(typing: Typing, value: c.Expression, node: c.Member) -> bool:
    type = value.type
    if isinstance(type, Pointer) and isinstance(type.target, Record):
        return True
    if isinstance(type, Record):
        help = f"write `.{node.name}`"
        message = f"`->` needs a pointer, but this is {with_article(type)}"
        typing.errors.report("type-mismatch", message, node.operand.span, help=help)
    elif type is not UNKNOWN:
        message = f"`->` needs a pointer to a struct or union, but this is {with_article(type)}"
        typing.errors.report("type-mismatch", message, node.operand.span)
    return False


def field_path(typing: Typing, record: CType, node: c.Member) -> Any:
    """The fields that lead to the named one; None if there is none, which is reported."""
    if not isinstance(record, Record):
        is_pointer = isinstance(record, Pointer) and isinstance(record.target, Record)
        help = f"write `->{node.name}`" if is_pointer else None
        message = f"`.` needs a struct or union, but this is {with_article(record)}"
        typing.errors.report("type-mismatch", message, node.operand.span, help=help)
        return None
    if record.fields is None:
        report_unknown_size(typing, record, node.operand.span)
        return None
    path = record.paths.get(node.name)
    if path is None:
        help = typing.errors.suggestion(node.name, record.paths)
        typing.errors.report("no-field", f"`{record}` has no field `{node.name}`", node.name_span, help=help)
    return path


# --------------------------------------------------------------------------------------------------------- addresses


@rule(VALUES, c.AddressOf)
def _address(typing: Typing, node: c.AddressOf) -> Computation[c.Expression]:
    """``&operand``."""
    operand = yield denoted(typing, node.operand)
    if operand.type is UNKNOWN:
        return c.Erroneous(node.span, [] if isinstance(operand, c.Name) else [operand])
    if isinstance(operand.type, FunctionType):
        return _pointer_to_function(operand)
    if not isinstance(operand, _PLACES) or t.is_value(operand):
        message = "this expression is a value, and has no address"
        help = "assign it to a variable, and use the address of the variable"
        return rejected(typing, "no-address", message, node, at=node.operand.span, help=help)
    if isinstance(operand, c.Member) and operand.field.bits is not None:
        return rejected(typing, "no-address", f"`{operand.field.name}` is a bit-field, and has no address", node)
    root = t.root_of(operand)
    if isinstance(root, t.Local) and root.is_register:
        message = f"`{root.name}` is `register`, and has no address"
        return rejected(typing, "no-address", message, node, notes=seen(root.span))
    _take_address(typing, operand, node.span)
    if operand is typing.end:  # the address of the end of an array
        typing.pending.warnings.pop()
    if isinstance(operand, c.Dereference):
        return operand.pointer
    node.operand, node.type = operand, pointer_to(operand.type)
    return node


def _take_address(typing: Typing, place: t.Place, span: Span) -> None:
    """Record that a pointer into the place becomes a value, until `_release` revokes it."""
    root = t.root_of(place)
    if isinstance(root, t.Local):
        if not typing.is_evaluated:
            root.is_used = True
            return
        typing.function.note_objects()
        escapes = typing.translation.escapes.setdefault(root, [])
        escapes.append(span)
        root.address_taken = escapes[0]
    elif isinstance(root, t.Global):
        root.is_used = True


def _release(typing: Typing, place: t.Place, span: Span) -> None:
    """Revoke `_take_address`: the pointer was only the operand of an access."""
    root = t.root_of(place)
    if isinstance(root, t.Local) and typing.is_evaluated:
        escapes = typing.translation.escapes[root]
        index = len(escapes) - 1
        while escapes[index] is not span:
            index -= 1
        del escapes[index]
        root.address_taken = escapes[0] if escapes else None


def note_use(typing: Typing, place: t.Place) -> None:
    """Record that the value of the place is used."""
    root = t.root_of(place)
    if isinstance(root, (t.Local, t.Global)):
        root.is_used = True


def element_of_vector(typing: Typing, operand: Operand, index: c.Expression, span: Span) -> c.Subscript:
    """The element of a place or value as a place."""
    vector = operand.type.unqualified
    typing.function.note_objects()
    if not is_place(operand):
        operand = c.Temporary(operand.span, vector, operand)
    array = qualified(vector.values.type, operand.type.qualifiers)
    member = t.member(operand, vector.values, span, array)
    return t.element(c.Decay(span, pointer_to(array.element), member), index, span)


def unevaluated(typing: Typing, node: c.Expression) -> Computation[c.Expression]:
    """The value of an expression that is only typed. Its errors are reported, its warnings are not."""
    operand = yield unevaluated_operand(typing, node)
    return value_of(typing, operand, node)


def unevaluated_operand(typing: Typing, node: c.Expression) -> Computation[Operand]:
    """As `unevaluated`, the place or value."""
    warnings, pending = len(typing.errors.warnings), len(typing.pending.warnings)
    was_evaluated = typing.is_evaluated
    typing.is_evaluated = False
    value: Operand = yield denoted(typing, node)
    if is_place(value):
        note_use(typing, value)
    typing.is_evaluated = was_evaluated
    del typing.errors.warnings[warnings:], typing.pending.warnings[pending:]
    return value


def type_of(typing: Typing, node: c.Expression) -> CType:
    """The type of an expression that is not evaluated, as for ``typeof``: that of its place, if it denotes one."""
    type: CType = run(unevaluated_operand(typing, node)).type
    return INT if type is TRUTH else type


def is_place(operand: Operand) -> bool:
    """Whether the operand is a place, and not a value."""
    return isinstance(operand, _PLACES)
