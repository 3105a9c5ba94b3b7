"""Initialisers (C17 6.7.9): each part of an object that is initialised, with its value.

The braces of an inner array or record may be missing: then the initialiser has the values of its parts in order. A
stack of `_Level`s has the current position in each nested object, so the time is linear in the number of values.
"""

from __future__ import annotations

from typing import Any, Union

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, run
from cpsconv.languages.c.complex_types import Complex, is_aggregate
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import NotConstantError, constant_value
from cpsconv.languages.c.meaning.context import PLACES, Typing, check_sequence, rejected, rule, typed, with_lengths
from cpsconv.languages.c.meaning.conversions import assigned, initial, is_supported, with_article
from cpsconv.languages.c.meaning.declared_types import MAX_SIZE, constant_of, type_named
from cpsconv.languages.c.meaning.initial_parts import InitialParts, TooManyCopiesError
from cpsconv.languages.c.meaning.places import report_unknown_size, stored, string_array
from cpsconv.languages.c.records import Field, Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.literals import string_element
from cpsconv.languages.c.types import (
    CHAR,
    INT,
    UNKNOWN,
    Array,
    CType,
    VariableArray,
    array_of,
    is_integer_type,
    pointer_to,
    qualified,
)
from cpsconv.languages.c.vector_types import Vector

Initialiser = Union[c.Expression, c.InitialiserList]


class _Level:
    """An array, struct or union that is being initialised, and the part that is next.

    `end` is the number of parts; None for an array of unknown length. The `largest` number of parts so far counts for
    its length.
    """

    __slots__ = ("_decay", "end", "fields", "largest", "next", "place", "type")

    def __init__(self, place: t.Place, type: CType, span: Span) -> None:
        self.place = place
        self.type = type
        self.next = self.largest = 0
        self.fields: list[Field] = []
        self.end: int | None
        if isinstance(type, Array):
            self.end = type.length
            self._decay = c.Decay(span, pointer_to(type.element), place)
        else:
            assert isinstance(type, Record)
            self.fields = type.named_fields
            self.end = min(1, len(self.fields)) if type.is_union else len(self.fields)

    def part(self, span: Span) -> t.Place:
        """The place of the next part."""
        if isinstance(self.type, Array):
            return t.element(self._decay, c.Constant(span, INT, self.next), span)
        field = self.fields[self.next]
        return t.member(self.place, field, span, qualified(field.type, self.type.qualifiers))

    def go_to_field(self, field: Field) -> None:
        """Go to a field."""
        self.next = field.number
        if isinstance(self.type, Record) and self.type.is_union:
            self.end = field.number + 1

    def count(self, levels: list[_Level]) -> None:
        """Count the current part, if it is not complete yet: this is the outermost one of `levels`."""
        if len(levels) > 1:
            self.largest = max(self.largest, self.next + 1)

    @property
    def is_partial_union(self) -> bool:
        """Whether this is a union that is larger than the field that was initialised."""
        if not isinstance(self.type, Record) or not self.type.is_union or not self.fields:
            return False
        return self.fields[max(0, (self.end or 1) - 1)].type.size < self.type.size

    @property
    def is_full(self) -> bool:
        """Whether all parts are initialised."""
        return self.end is not None and self.next >= self.end

    def advance(self) -> None:
        """Go to the part after the current one. A union has no other."""
        if isinstance(self.type, Record) and self.type.is_union:
            assert self.end is not None
            self.next = self.end
        else:
            self.next += 1
        self.largest = max(self.largest, self.next)


def _settle(levels: list[_Level]) -> bool:
    """Leave the inner levels that are full. Returns whether there is a part for another value."""
    while levels[-1].is_full:
        if len(levels) == 1:
            return False
        levels.pop()
        levels[-1].advance()
    return True


def initialised(typing: Typing, variable: Any, node: Initialiser) -> t.Declare:
    """The declaration of a variable, a `Local` or `Global`, with an initialiser.

    It determines an unknown length of an array. The initial values of a `Global` are its `initial`; values that are
    not constant are reported.
    """
    if type(variable) is t.Local and variable.type.kind != "void" and isinstance(node, c.Expression):
        return t.Declare(variable, initial(typing, variable.type, node))  # the frequent case: a scalar
    was_static, typing.is_static = typing.is_static, isinstance(variable, t.Global)
    declared = run(_initialised(typing, variable, node))
    typing.is_static = was_static
    if typing.has_inner_change:
        typing.has_inner_change = False
        if isinstance(node, c.Expression):
            check_sequence(typing, node)
    return declared


def _initialised(typing: Typing, variable: Any, node: Initialiser) -> Computation[t.Declare]:
    declared: t.Declare = yield _declared(typing, variable, node)
    if isinstance(variable, t.Global):
        parts = [t.Part(t.use(variable, variable.span), declared.initial)] if declared.initial else [*declared.parts]
        variable.initial = [part for part in parts if _is_constant(typing, part, variable)]
        typing.translation.initialiser_limits.check(variable.initial)
    return declared


def _declared(typing: Typing, variable: Any, node: Initialiser) -> Computation[t.Declare]:
    type = variable.type
    if isinstance(type, VariableArray):
        message = "an array of variable length cannot have an initialiser"
        typing.errors.report("initialiser", message, node.span, help="assign to its elements")
        return t.Declare(variable, None)
    if isinstance(variable, t.Global):
        node = _without_literal(typing, type, node)
    if type.kind != "void" or type is UNKNOWN or isinstance(type, Complex):
        initial = yield _scalar(typing, type, node)
        return t.Declare(variable, initial)
    typing.function.note_objects()
    parts, whole = InitialParts(isinstance(variable, t.Global)), t.use(variable, variable.span)
    if isinstance(node, c.InitialiserList):
        length = yield _list(typing, whole, type, node, parts)
        if parts.unbraced and not _is_zero(typing, node):
            inner, span = parts.unbraced
            typing.errors.warn("missing-braces", f"the values of {with_article(inner)} have no braces", span)
    elif isinstance(node, c.StringLiteral) and _is_text(node, type):
        length = _text(typing, whole, type, node, parts)
    else:
        copied: t.Declare = yield _copied(typing, variable, node)
        return copied
    if isinstance(type, Array) and type.length is None:
        variable.type = whole.type = qualified(array_of(type.element, length), type.qualifiers)
    return t.Declare(variable, None, _remaining(typing, parts, node), parts.is_incomplete)


def _remaining(typing: Typing, parts: InitialParts, node: Initialiser) -> list[t.Part]:
    try:
        return parts.remaining()
    except TooManyCopiesError:
        message = "the ranges of this initialiser denote too many values that other designators replace in part"
        typing.errors.report("too-large", message, node.span, help="assign the values in a loop")
        return []


def _scalar(typing: Typing, type: CType, node: Initialiser) -> Computation[c.Expression]:
    """The initial value of a number or pointer, which may be in braces."""
    while isinstance(node, c.InitialiserList):
        if not node.items or node.items[0][0]:
            what = "an empty initialiser" if not node.items else "a designator"
            return rejected(typing, "initialiser", f"{what} cannot initialise {with_article(type)}", node)
        if len(node.items) > 1:
            _report_excess(typing, node.items[1][1])
        node = node.items[0][1]
    return assigned(typing, type, (yield typed(typing, node)), node)


def _copied(typing: Typing, variable: Any, node: c.Expression) -> Computation[t.Declare]:
    """A struct or union that is initialised by another one."""
    type, value = variable.type, (yield typed(typing, node))
    if isinstance(type, Array):
        if value.type is not UNKNOWN:
            message = f"{with_article(type)} needs an initialiser in braces, not {with_article(value.type)}"
            typing.errors.report("initialiser", message, node.span)
        return t.Declare(variable, None)
    return t.Declare(variable, assigned(typing, type, value, node))


def _without_literal(typing: Typing, type: CType, node: Initialiser) -> Initialiser:
    """The list of a compound literal of that type, which may initialise a static object in GNU C."""
    if isinstance(node, c.CompoundLiteral) and node.type_name and node.initialiser:
        named = c.copied(node.type_name)  # typed again if the literal is
        return node.initialiser if type_named(typing, named).unqualified is type.unqualified else node
    return node


# ------------------------------------------------------------------------------------------------------------- lists


def _list(
    typing: Typing, place: t.Place, type: CType, node: c.InitialiserList, parts: InitialParts
) -> Computation[int]:
    """Add the parts of an object that a list in braces initialises. Returns the number of its elements."""
    only = node.items[0] if len(node.items) == 1 else None
    parts.replace(place)
    if only and not only[0] and isinstance(only[1], c.StringLiteral) and _is_text(only[1], type):
        return _text(typing, place, type, only[1], parts)  # { "text" }
    if not is_complete(type) and not (isinstance(type, Array) and is_complete(type.element)):
        report_unknown_size(typing, type, node.span)
        return 0
    outermost = _Level(place, type, node.span)
    levels = [outermost]
    for designators, initialiser in node.items:
        if designators:
            outermost.count(levels)
            parts.is_incomplete = parts.has_designators = True
            levels, repeated = _designated(typing, outermost, designators)
            if not levels:
                return 0
        if not _settle(levels):
            _report_excess(typing, initialiser)
            break
        depth, level = len(levels), levels[-1]
        first = level.part(initialiser.span)
        yield _element(typing, levels, initialiser, parts)
        for each in levels[1:]:
            if each.end is None:
                _extend(typing, each.place, each.next + (each is not levels[-1]), initialiser)
        if designators and repeated > 1:
            if len(levels) > depth:
                message = "a range of arrays or structs without inner braces is not supported yet"
                typing.errors.report("unsupported", message, initialiser.span)
            parts.repeat(first, repeated)
            level.next += repeated - 1
            level.largest = max(level.largest, level.next)
    outermost.count(levels)
    _check_missing(typing, levels, node, parts)
    if (_settle(levels) and outermost.end is not None) or len(levels) > 1 or outermost.is_partial_union:
        parts.is_incomplete = True
    return outermost.largest


def _check_missing(typing: Typing, levels: list[_Level], node: c.InitialiserList, parts: InitialParts) -> None:
    """Warn of members of a struct without an initial value, unless the list is ``{ 0 }``, or has designators."""
    if not node.items or parts.has_designators or _is_zero(typing, node):
        return
    for level in reversed(levels):
        fields = level.fields[level.next + (level is not levels[-1]) :]
        if fields and isinstance(level.type, Record) and not level.type.is_union and not fields[0].is_flexible:
            name = f"`{fields[0].name}`" if fields[0].name else "an unnamed member"
            message = f"there is no initial value for {name} of `{level.type.unqualified}`, which becomes zero"
            end = Span(node.span.source, node.span.end - 1, node.span.end)
            typing.errors.warn("missing-field-initializers", message, end)
            return


def _is_zero(typing: Typing, node: c.InitialiserList) -> bool:
    """Whether the list is ``{ 0 }``."""
    first = node.items[0][1] if len(node.items) == 1 else None
    while isinstance(first, c.Implicit):
        first = first.operand
    zero = typing.checks.constant(first) if isinstance(first, c.Expression) else None
    return zero is not None and is_integer_type(zero.type) and not zero.value


def _element(typing: Typing, levels: list[_Level], node: Initialiser, parts: InitialParts) -> Computation[None]:
    """Add the next part. An expression for an array or record without braces initialises its first part."""
    place, value = levels[-1].part(node.span), None
    if parts.is_static:
        node = _without_literal(typing, place.type, node)
    if isinstance(node, c.InitialiserList):
        if is_aggregate(place.type):
            yield _list_of_part(typing, place, node, parts)
        else:
            parts.found.append(t.Part(place, (yield _scalar(typing, place.type, node))))
        levels[-1].advance()
        return
    while is_aggregate(place.type):
        if isinstance(node, c.StringLiteral) and _is_text(node, place.type):
            length = _text(typing, place, place.type, node, parts)
            if isinstance(place.type, Array) and place.type.length is None:
                _extend(typing, place, length, node)
            levels[-1].advance()
            return
        value = value or (yield typed(typing, node))
        if value.type is place.type.unqualified or value.type is UNKNOWN:
            break
        level = _Level(place, place.type, node.span)
        if level.end is None and not _extend(typing, place, 1, node):
            return
        if level.is_full:  # an empty struct or array: as in gcc, the value is not that of the next part
            _report_excess(typing, node)
            levels[-1].advance()
            return
        if not isinstance(levels[-1].type, Vector):
            parts.unbraced = parts.unbraced or (level.type, node.span)
        levels.append(level)
        place = levels[-1].part(node.span)
    value = value or (yield typed(typing, node))
    if place.type.kind == "void":
        parts.replace(place)
    parts.found.append(t.Part(place, stored(typing, place, value, node)))
    levels[-1].advance()


def _list_of_part(typing: Typing, place: t.Place, node: c.InitialiserList, parts: InitialParts) -> Computation[None]:
    length = yield _list(typing, place, place.type, node, parts)
    if isinstance(place.type, Array) and place.type.length is None:
        _extend(typing, place, length, node)


def _extend(typing: Typing, place: t.Place, length: int, node: c.Node) -> bool:
    """Extend a static object by the elements of its flexible array member, as in GNU C. Reports another place."""
    is_last = isinstance(place, c.Member) and isinstance(place.operand, c.Name)
    variable: Any = place.operand.denoted if is_last else None
    is_static = isinstance(variable, t.Global)
    if is_static:
        variable.flexible_length = max(variable.flexible_length, length)
    elif length:
        message = "only the flexible array member of a static object can be initialised, and not one of its parts"
        typing.errors.report("initialiser", message, node.span)
    return is_static


def _report_excess(typing: Typing, node: Initialiser) -> None:
    typing.errors.warn("excess-initializers", "the object has no part for this initial value", node.span)


# ------------------------------------------------------------------------------------------------------- designators


def _designated(
    typing: Typing, outermost: _Level, designators: list[c.FieldDesignator | c.IndexDesignator]
) -> tuple[list[_Level], int]:
    """The levels down to the part that is designated, and the length of a range; no levels if that is erroneous."""
    levels, repeated = [outermost], 1
    for number, designator in enumerate(designators):
        if number:
            place = levels[-1].part(designator.span)
            if isinstance(place.type, Array) and place.type.length is None:
                if not _extend(typing, place, 1, designator):
                    return [], 1
            elif not is_aggregate(place.type) or not is_complete(place.type):
                _report_designator(typing, designator, place.type)
                return [], 1
            levels.append(_Level(place, place.type, designator.span))
        if isinstance(designator, c.FieldDesignator):
            if not _go_to_field(typing, levels, designator):
                return [], 1
        else:
            repeated = _go_to_index(typing, levels[-1], designator)
            if repeated > 1 and number < len(designators) - 1:
                message = "a range before other designators is not supported yet"
                typing.errors.report("unsupported", message, designator.span)
                return [], 1
            if not repeated:
                return [], 1
    return levels, repeated


def _report_designator(typing: Typing, designator: c.FieldDesignator | c.IndexDesignator, type: CType) -> None:
    wanted = "a struct or union" if isinstance(designator, c.FieldDesignator) else "an array"
    message = f"this designator needs {wanted}, not {with_article(type)}"
    typing.errors.report("initialiser", message, designator.span)


def _go_to_field(typing: Typing, levels: list[_Level], designator: c.FieldDesignator) -> bool:
    record = levels[-1].type
    if not isinstance(record, Record):
        _report_designator(typing, designator, record)
        return False
    path = record.paths.get(designator.name)
    if path is None:
        help = typing.errors.suggestion(designator.name, record.paths)
        message = f"`{record.unqualified}` has no field `{designator.name}`"
        typing.errors.report("no-field", message, designator.span, help=help)
        return False
    for field in path:
        levels[-1].go_to_field(field)
        if field is not path[-1]:
            place = levels[-1].part(designator.span)
            levels.append(_Level(place, place.type, designator.span))
    return True


def _go_to_index(typing: Typing, level: _Level, designator: c.IndexDesignator) -> int:
    """Go to the element. Returns the number of elements in the range; 0 if the designator is erroneous."""
    if not isinstance(level.type, Array):
        _report_designator(typing, designator, level.type)
        return 0
    first = last = constant_of(typing, designator.index, "the index")
    if designator.last is not None:
        last = constant_of(typing, designator.last, "the index")
    if first is None or last is None:
        return 0
    limit = MAX_SIZE // max(1, level.type.element.size) if level.end is None else level.end
    if not 0 <= first <= last < limit:
        message = f"the index {first if not 0 <= first < limit else last} is not in {with_article(level.type)}"
        if last < first:
            message = f"the range from {first} to {last} is empty"
        typing.errors.report("initialiser", message, designator.span)
        return 0
    level.next = first
    return last - first + 1


# ----------------------------------------------------------------------------------------------------------- strings


def _text(typing: Typing, place: t.Place, type: CType, node: c.StringLiteral, parts: InitialParts) -> int:
    """Add an array of characters that a string initialises. Returns its number of characters."""
    assert isinstance(type, Array)
    string = string_array(typing, node)
    length = string.type.length or 0
    if type.length is not None and length - 1 > type.length:
        message = f"this string of {length - 1} characters is too long for {with_article(type)}"
        typing.errors.warn("excess-initializers", message, node.span)
    if type.length is not None and length > type.length:
        kept = string.text[: type.length * string.type.element.size]
        string = c.StringLiteral(node.span, kept, type=array_of(string.type.element, type.length))
    parts.replace(place)
    parts.found.append(t.Part(place, string))
    return length


# ------------------------------------------------------------------------------------------------- compound literals


@rule(PLACES, c.CompoundLiteral)
def _compound_literal(typing: Typing, node: c.CompoundLiteral) -> Computation[Any]:
    """The object of a compound literal: a variable of the block, or of the whole run outside of functions."""
    assert node.type_name and node.initialiser
    type = type_named(typing, node.type_name)
    if type is UNKNOWN or not is_supported(typing, type, node.span):
        return c.Erroneous(node.span)
    if type.kind == "void" and not isinstance(type, (Array, Record)):
        message = f"{with_article(type)} cannot be a compound literal"
        return rejected(typing, "initialiser", message, node)
    is_constant = "const" in type.qualifiers
    if typing.is_file_scope:
        variable = t.Global("literal", type, node.span, is_constant, is_static=True, is_used=True, is_defined=True)
        typing.translation.literals.append(variable)
        declared: t.Declare = yield _initialised(typing, variable, node.initialiser)
        return c.Erroneous(node.span) if _is_erroneous(declared) else t.use(variable, node.span)
    local = t.Local("literal", type, node.span, is_constant, is_used=True)
    declared = yield _initialised(typing, local, node.initialiser)
    if _is_erroneous(declared):
        return c.Erroneous(node.span)
    if declared.initial is not None:
        declared.initial = with_lengths(typing, declared.initial)
    typing.function.note_objects()
    node.declared, node.type = declared, local.type
    return node


# --------------------------------------------------------------------------------------------------------- constants


def _is_constant(typing: Typing, part: t.Part, variable: t.Global) -> bool:
    """Whether the value of a part is constant. Reports if not."""
    if isinstance(part.value, (c.StringLiteral, t.Repetition)):
        return True
    try:
        constant_value(part.value)
    except NotConstantError as reason:
        if reason.message:
            message = f"the initial value of `{variable.name}` {reason.message}"
            typing.errors.report("not-constant", message, reason.span)
        return False
    return True


def _is_erroneous(declared: t.Declare) -> bool:
    """Whether the initial value is erroneous, which is reported."""
    return declared.initial is not None and declared.initial.type is UNKNOWN


def _is_text(node: c.StringLiteral, type: CType) -> bool:
    """Whether a string literal initialises an array of that type."""
    if not isinstance(type, Array) or isinstance(type, VariableArray):
        return False
    element = type.element.unqualified
    size = string_element(node.prefix).size
    return is_integer_type(element) and element.size == size and (size > 1 or element.bits == CHAR.bits)
