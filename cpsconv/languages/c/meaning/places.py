"""Places: the expressions that denote objects (lvalues, C17 6.3.2.1 and 6.5.3.2), their values and their addresses."""

from __future__ import annotations

from typing import Any

from cpsconv.core.source import Note, Span
from cpsconv.core.trampoline import Computation, Step, after
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.conversions import Conversions, with_article
from cpsconv.languages.c.meaning.declarations import Declarations
from cpsconv.languages.c.records import Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    LONG,
    UNKNOWN,
    UNSIGNED,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    VariableArray,
    element_of,
    pointer_to,
    qualified,
)
from cpsconv.languages.c.vector_types import Vector

_PLACES = (t.Local, t.Global, t.Dereference, t.Element, t.Member, t.String, t.LiteralObject, t.Temporary)

Operand = Any
"""A place, or the value of an expression that denotes none. Functions are places of function type."""


class Places(Conversions):
    """Types the expressions that denote objects."""

    def __init__(self, functions: Declarations, errors: Errors) -> None:
        super().__init__(functions, errors)
        self._operands: dict[type, Any] = {
            c.Name: self._named,
            c.Dereference: self._dereference,
            c.Subscript: self._subscript,
            c.Member: self._member,
            c.StringLiteral: self._string,
        }
        self._escapes: dict[t.Local, list[Span]] = {}
        self._of_vectors: set[t.Expression] = set()  # operations on vectors
        self._end: t.Element | None = None  # of an array, for which a warning is pending

    def operand(self, node: c.Expression) -> Step[Operand]:
        """The place that the expression denotes, or else its value; or the computation of it."""
        rule = self._operands.get(type(node))
        return rule(node) if rule else self.part(node)

    def place_value(self, node: c.Expression) -> Step[t.Expression]:
        """The value of the place that the expression denotes, or its computation."""
        return after(self._operands[type(node)](node), self.value_of, node)

    # ------------------------------------------------------------------------------------------------------- values

    def value_of(self, operand: Operand, node: c.Expression) -> t.Expression:
        """The value of a place that `node` denotes: arrays and functions become pointers. Values stay."""
        if not isinstance(operand, _PLACES):
            return operand  # type: ignore[no-any-return]
        type: CType = operand.type
        if isinstance(type, Array):
            self._take_address(operand, node.span)
            return t.Decay(node.span, pointer_to(type.element), operand)
        if isinstance(type, FunctionType):
            assert isinstance(operand, t.Dereference)
            return operand.pointer
        self.note_use(operand)
        if type.kind == "void":
            return self._void_or_record(operand, type, node)
        value: t.Expression = t.Read(node.span, type.unqualified, operand)
        if self._pending.warnings:
            value = self.with_warnings(value)
        return self.promoted_bits(value, operand) if isinstance(operand, t.Member) else value

    def _void_or_record(self, place: t.Place, type: CType, node: c.Expression) -> t.Expression:
        type = type.unqualified
        if isinstance(type, Record):
            self.function.has_objects = True
            if is_complete(type):
                return t.Read(node.span, type, place)
            self.report_incomplete(type, node.span)
        elif type is VOID and isinstance(place, t.Dereference):
            return t.Cast(node.span, VOID, place.pointer)
        else:
            self.is_supported(type, node.span)
        return t.Erroneous(node.span)

    def stored(self, place: t.Place, value: t.Expression, node: c.Expression) -> t.Expression:
        """`value`, which is that of `node`, converted for an assignment to the place."""
        converted = self.assigned(place.type, value, node)
        bits = place.field.bits if type(place) is t.Member else None
        if bits is None:
            return converted
        self.checks.bit_field(bits, place.type.unqualified, node)
        return self.with_warnings(converted)

    def promoted_bits(self, value: t.Expression, place: t.Place) -> t.Expression:
        """The value of a place. That of a bit-field is promoted, as its width requires; others stay."""
        bits, type = place.field.bits if isinstance(place, t.Member) else None, value.type
        if bits is None or bits > 32 or type.kind != "integer":
            return value
        narrow = UNSIGNED if bits == 32 and not type.signed else INT
        return value if type is narrow else t.Convert(value.span, narrow, value)

    def report_incomplete(self, type: CType, span: Span) -> None:
        """Report the use of an object of incomplete type."""
        inner = element_of(type).unqualified
        notes: list[Note] = [("it is declared here", inner.span)] if isinstance(inner, Record) and inner.span else []
        shown = with_article(type)
        self.errors.report("incomplete-type", f"the size of {shown} is not known here", span, notes=notes)

    # ------------------------------------------------------------------------------------------------------- places

    def _named(self, node: c.Name) -> Operand:
        """The variable or function that a name denotes, or the value of an enumerator."""
        found = self.scopes.find(node.name) or self.functions.library_object(node.name)
        if type(found) is t.Global and not found.is_defined:
            if node.name == "errno" and "errno.h" in self.functions.headers:  # old programs also declare the variable
                return self.named_value(None, node)
            if self._is_evaluated:
                self.functions.referenced.add(found)
        if isinstance(found, (t.Local, t.Global)):
            return found
        return self.named_value(found, node)

    def named_value(self, found: Any, node: c.Name) -> Operand:
        """What a name denotes that is not that of a variable. Defined in `Expressions`."""
        raise NotImplementedError

    def _string(self, node: c.StringLiteral) -> t.String:
        return self.string(node)

    def string(self, node: c.StringLiteral) -> t.String:
        """The array of a string literal. Defined in `Expressions`."""
        raise NotImplementedError

    def _dereference(self, node: c.Dereference) -> Computation[Operand]:
        pointer = yield self.part(node.operand)
        return self.target(pointer, node)

    def target(self, pointer: t.Expression, node: c.Expression) -> Operand:
        """The object that a pointer points to."""
        type = pointer.type
        if not isinstance(type, Pointer):
            if type is not UNKNOWN:
                self.errors.report("type-mismatch", f"expected a pointer, but this is {with_article(type)}", node.span)
            return t.Erroneous(node.span, pointer)
        match pointer:
            case t.AddressOf(place=place) if place.type is type.target:
                self._release(place, pointer.span)
                return place
            case t.Decay(operand=array):
                self._release(array, pointer.span)
                return t.Element(node.span, type.target, pointer, t.Constant(node.span, INT, 0))
            case t.PointerAdd(op="+", pointer=t.Decay(operand=array) as decay, index=index):
                self._release(array, decay.span)
                element = t.Element(node.span, type.target, decay, index)
                if isinstance(index, t.Constant):
                    self._check_index(element, int(index.value), index.span)
                return element
        return t.Dereference(node.span, type.target, pointer)

    def _subscript(self, node: c.Subscript) -> Computation[Operand]:
        operand, right = (yield self.operand(node.array)), (yield self.part(node.index))
        if isinstance(operand.type, Vector) and right.type is not UNKNOWN:
            return self.element_of_vector(operand, self.index(right, node.index), node.span)
        left = self.value_of(operand, node.array)
        pointer, index = (left, right) if isinstance(left.type, Pointer) else (right, left)
        if UNKNOWN in (left.type, right.type):
            return t.Erroneous(node.span, left, right)
        if not isinstance(pointer.type, Pointer):
            message = f"`[]` needs an array or pointer, not {with_article(left.type)}"
            self.errors.report("type-mismatch", message, node.array.span)
            return t.Erroneous(node.span, left, right)
        if isinstance(pointer.type.target, FunctionType):
            message = f"`[]` needs an array or a pointer to an object, not {with_article(pointer.type)}"
            self.errors.report("type-mismatch", message, pointer.span)
            return t.Erroneous(node.span, left, right)
        index = self.index(index, node.index if pointer is left else node.array)
        if index.type is UNKNOWN or not self.has_size(pointer.type, node.span):
            return t.Erroneous(node.span, left, index)
        element = t.Element(node.span, pointer.type.target, pointer, index)
        if isinstance(pointer, t.Decay):
            self._release(pointer.operand, pointer.span)
            index_node = node.index if pointer is left else node.array
            if constant := self.checks.constant_or_variable(index_node):
                self._check_index(element, int(constant.value), index_node.span)
        return element

    def _check_index(self, element: t.Element, index: int, span: Span) -> None:
        """Warn of a constant index outside of an array, unless the array is the flexible end of a struct."""
        assert isinstance(element.pointer, t.Decay)
        array = element.pointer.operand
        length = array.type.length
        if length is None or isinstance(array.type, VariableArray) or 0 <= index < length:
            return
        if index >= 0 and length <= 1 and t.is_at_end(array):
            return
        last = f", whose last index is {length - 1}" if length else ""
        message = f"the index {index} is outside of {with_article(array.type)}{last}"
        self._pending.warn("array-bounds", message, span)
        self._end = element if index == length else None

    def element_of_vector(self, operand: Operand, index: t.Expression, span: Span) -> t.Element:
        """The element of a vector. Defined in `Vectors`."""
        raise NotImplementedError

    def index(self, value: t.Expression, node: c.Expression) -> t.Expression:
        """The value of `node` as an index: an integer, which is reported otherwise."""
        if value.type.kind == "integer" or value.type is UNKNOWN:
            return value if value.type.bits <= LONG.bits else t.Convert(value.span, LONG, value)
        if value.type.kind == "bool":
            return t.Convert(value.span, INT, value)
        message = f"expected an integer as the index, but this is {with_article(value.type)}"
        self.errors.report("type-mismatch", message, node.span)
        return t.Erroneous(node.span, value)

    def has_size(self, pointer: CType, span: Span) -> bool:
        """Whether there is arithmetic on pointers of the type, as in GNU C also on ``void *``; reported otherwise."""
        assert isinstance(pointer, Pointer)
        target = pointer.target
        if is_complete(target) or target.unqualified is VOID or isinstance(target, FunctionType):
            return True
        self.report_incomplete(target, span)
        return False

    def _member(self, node: c.Member) -> Computation[Operand]:
        if node.through_pointer:
            pointer = yield self.part(node.operand)
            operand = self.target(pointer, node) if self._is_record_pointer(pointer, node) else t.Erroneous(node.span)
        else:
            operand = yield self.operand(node.operand)
        if operand.type is UNKNOWN:
            return operand
        record = operand.type.unqualified
        path = self.path(record, node)
        if path is None:
            return t.Erroneous(node.span, *([] if isinstance(operand, _PLACES) else [operand]))
        self.function.has_objects = True
        if not isinstance(operand, _PLACES):
            operand = t.Temporary(node.operand.span, operand.type, operand)
        for field in path:
            operand = t.Member(node.span, qualified(field.type, operand.type.qualifiers), operand, field)
        return operand

    def _is_record_pointer(self, value: t.Expression, node: c.Member) -> bool:
        type = value.type
        if isinstance(type, Pointer) and isinstance(type.target, Record):
            return True
        if isinstance(type, Record):
            help = f"write `.{node.name}`"
            message = f"`->` needs a pointer, but this is {with_article(type)}"
            self.errors.report("type-mismatch", message, node.operand.span, help=help)
        elif type is not UNKNOWN:
            message = f"`->` needs a pointer to a struct or union, but this is {with_article(type)}"
            self.errors.report("type-mismatch", message, node.operand.span)
        return False

    def path(self, record: CType, node: c.Member) -> Any:
        """The fields that lead to the named one; None if there is none, which is reported."""
        if not isinstance(record, Record):
            is_pointer = isinstance(record, Pointer) and isinstance(record.target, Record)
            help = f"write `->{node.name}`" if is_pointer else None
            message = f"`.` needs a struct or union, but this is {with_article(record)}"
            self.errors.report("type-mismatch", message, node.operand.span, help=help)
            return None
        if record.fields is None:
            self.report_incomplete(record, node.operand.span)
            return None
        path = record.find(node.name)
        if path is None:
            help = self.errors.suggestion(node.name, record.paths)
            self.errors.report("no-field", f"`{record}` has no field `{node.name}`", node.name_span, help=help)
        return path

    # --------------------------------------------------------------------------------------------------- addresses

    def address(self, node: c.AddressOf) -> Computation[t.Expression]:
        """``&operand``."""
        operand = yield self.operand(node.operand)
        if operand.type is UNKNOWN:
            return t.Erroneous(node.span, *([operand] if isinstance(operand, t.Expression) else []))
        if isinstance(operand.type, FunctionType):
            return operand.pointer  # type: ignore[no-any-return]
        if not isinstance(operand, _PLACES) or t.is_value(operand):
            message = "this expression is a value, and has no address"
            help = "assign it to a variable, and use the address of the variable"
            self.errors.report("no-address", message, node.operand.span, help=help)
            return t.Erroneous(node.span)
        if isinstance(operand, t.Member) and operand.field.bits is not None:
            self.errors.report("no-address", f"`{operand.field.name}` is a bit-field, and has no address", node.span)
            return t.Erroneous(node.span)
        root = t.root_of(operand)
        if isinstance(root, t.Local) and root.is_register:
            note = ("it is declared here", root.span)
            self.errors.report(
                "no-address", f"`{root.name}` is `register`, and has no address", node.span, notes=[note]
            )
            return t.Erroneous(node.span)
        self._take_address(operand, node.span)
        if operand is self._end:  # the address of the end of an array
            self._pending.warnings.pop()
        if isinstance(operand, t.Dereference):
            return operand.pointer
        return t.AddressOf(node.span, pointer_to(operand.type), operand)

    def _take_address(self, place: t.Place, span: Span) -> None:
        """Record that a pointer into the place becomes a value, until `_release` revokes it."""
        root = t.root_of(place)
        if isinstance(root, t.Local):
            if not self._is_evaluated:
                root.is_used = True
                return
            self.function.has_objects = True
            escapes = self._escapes.setdefault(root, [])
            escapes.append(span)
            root.address_taken = escapes[0]
        elif isinstance(root, t.Global):
            root.is_used = True

    def _release(self, place: t.Place, span: Span) -> None:
        """Revoke `_take_address`: the pointer was only the operand of an access."""
        root = t.root_of(place)
        if isinstance(root, t.Local) and self._is_evaluated:
            escapes = self._escapes[root]
            index = len(escapes) - 1
            while escapes[index] is not span:
                index -= 1
            del escapes[index]
            root.address_taken = escapes[0] if escapes else None

    def note_use(self, place: t.Place) -> None:
        """Record that the value of the place is used."""
        root = t.root_of(place)
        if isinstance(root, (t.Local, t.Global)):
            root.is_used = True


def is_place(operand: Operand) -> bool:
    """Whether the operand is a place, and not a value."""
    return isinstance(operand, _PLACES)
