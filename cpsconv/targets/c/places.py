"""Expressions for places in memory, ``p->x``, ``a[i].y``, ``*p``, and for pointers to them, ``&a[i]``, ``p + 1``."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cpsconv.core import ir
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import ALLOCATE, CONVERT, ELEMENT, FIELD, LOAD
from cpsconv.platform.complex_types import is_complex
from cpsconv.targets.c.items import Items
from cpsconv.targets.c.library import VA_LIST
from cpsconv.targets.c.objects import count
from cpsconv.targets.c.pointers import VOID_POINTER, length, unit
from cpsconv.targets.c.terms import ADDITIVE, UNARY, Term, as_primary, as_unary, cast
from cpsconv.targets.structuring.variables import Variables


class Pointer(NamedTuple):
    """The term of a pointer, and its declaration with ``{}`` for the name; None for null."""

    term: Term
    pattern: str | None


class _Place(NamedTuple):
    """A place in memory: the one that `pointer` points to if it is given, else the one that `text` denotes."""

    text: str
    pointer: Term | None = None

    @property
    def term(self) -> Term:
        return Term("*" + as_unary(self.pointer), UNARY) if self.pointer else Term(self.text)


class _Object(NamedTuple):
    """A variable of C: its name, the type of its units, whether it is an array, and whether it is constant."""

    name: str
    unit: ir.Scalar | ir.Struct
    is_array: bool
    is_constant: bool = False


class Places(metaclass=NodeType):
    """Writes the places of one function. `_value` writes the expression of a value that is not a pointer."""

    _variables: Variables
    _items: Items
    _value: Callable[[ir.Value], Term]
    _call: Callable[[ir.Call], str]

    # ------------------------------------------------------------------------------------------------------- accesses

    def load(self, effect: ir.Effect) -> Term:
        """The value at the pointer."""
        (pointer,) = effect.operands
        if self._items.types.is_direct(pointer, effect.type):
            return self._place(pointer, effect.type).term
        return Term(f"{self._items.helper('load', effect.type)}({self._copied(pointer, writes=False)})")

    def target(self, pointer: ir.Value, type: ir.Scalar) -> str | None:
        """The place that an assignment stores to; None if its bytes must be copied."""
        if self._items.types.is_direct(pointer, type):
            return self._place(pointer, type, writes=True).term.text
        return None

    def store(self, value: str, pointer: ir.Value, type: ir.Scalar) -> str:
        """The statement that copies the bytes of the value to the pointer."""
        return f"{self._items.helper('store', type)}({self._copied(pointer, writes=True)}, {value})"

    def copy(self, effect: ir.Effect) -> str:
        """The statement that copies a struct."""
        (source, target), struct = effect.operands, effect.of
        assert isinstance(struct, ir.Struct)
        if all(self._items.types.is_direct(pointer, struct) for pointer in effect.operands):
            return f"{self._place(target, struct, writes=True).term.text} = {self._place(source, struct).term.text}"
        self._items.headers.add("string.h")
        places = self._copied(target, writes=True), self._copied(source, writes=False)
        return f"memmove({', '.join(places)}, sizeof({self._items.names.tags[struct]}))"

    def struct(self, pointer: ir.Value, struct: ir.Struct) -> str:
        """The struct at the pointer."""
        if self._items.types.is_direct(pointer, struct):
            return self._place(pointer, struct).term.text
        return f"{self._items.helper('load', struct)}({self._copied(pointer, writes=False)})"

    def assignment(self, struct: ir.Struct, pointer: ir.Value, value: str) -> str:
        """The statement that stores a struct."""
        if self._items.types.is_direct(pointer, struct):
            return f"{self._place(pointer, struct, writes=True).term.text} = {value}"
        return f"{self._items.helper('store', struct)}({self._copied(pointer, writes=True)}, {value})"

    def _copied(self, pointer: ir.Value, *, writes: bool) -> str:
        """The pointer as the argument of a function that copies bytes."""
        found = self.pointer(pointer)
        if writes and found.pattern and found.pattern.startswith("const "):
            return cast("void *", found.term).text
        return found.term.text

    # ------------------------------------------------------------------------------------------------------- pointers

    def converted(self, value: ir.Value, pattern: str) -> Term:
        """The pointer in a context that requires the type of the declaration."""
        return self.cast(self.pointer(value), pattern)

    def cast(self, pointer: Pointer, pattern: str) -> Term:
        """The pointer, with a cast to the type of the declaration unless C converts it implicitly."""
        term, natural = pointer
        if natural is None:
            return term
        types = {natural.removeprefix("const "), pattern.removeprefix("const ")}
        loses_const = natural.startswith("const ") and not pattern.startswith("const ")
        if not loses_const and (len(types) == 1 or VOID_POINTER in types):
            return term
        return cast("void *" if pattern == VA_LIST else pattern.format(""), term)

    def text(self, value: ir.Value) -> Term:
        """The pointer as an argument for ``%s``: C converts no such argument implicitly."""
        term, natural = self.pointer(value)
        is_void = natural in (VOID_POINTER, f"const {VOID_POINTER}")
        return cast("const char *", term) if is_void else self.cast(Pointer(term, natural), "const char *{}")

    def exactly(self, value: ir.Value, pattern: str) -> Term:
        """The pointer as an expression of the type of the declaration."""
        term, natural = self.pointer(value)
        return term if natural == pattern else cast(pattern.format(""), term)

    def pointer(self, value: ir.Value) -> Pointer:
        """The pointer, with the type that C gives it."""
        types = self._items.types
        if isinstance(value, ir.Constant):
            self._items.headers.add("stddef.h")
            return Pointer(Term("NULL"), None)
        if value in self._items.literals:
            return Pointer(Term(self._items.literals[value]), "char *{}")
        if found := self._object(value):
            pattern = types.pattern_to(value, found.unit)
            term = Term(found.name) if found.is_array else Term(f"&{found.name}", UNARY)
            return Pointer(term, f"const {pattern}" if found.is_constant else pattern)
        if value in self._variables.calls:
            call = self._variables.calls[value]
            return Pointer(Term(self._call(call)), self.result(call))
        if value in self._variables.in_place:
            assert isinstance(value, (ir.Primitive, ir.Effect))
            return self.computed(value)
        variable = self._variables.of(value)
        return Pointer(Term(variable.name), variable.kind if isinstance(variable.kind, str) else VOID_POINTER)

    def address(self, value: ir.Value) -> Pointer:
        """The pointer as an operand of a comparison: gcc warns of the names of arrays."""
        found, pointer = self._object(value), self.pointer(value)
        if found and found.is_array and value not in self._items.literals:
            return Pointer(Term(f"&{found.name}[0]", UNARY), pointer.pattern)
        return pointer

    def computed(self, statement: ir.Statement) -> Pointer:
        """The pointer that a statement computes."""
        if statement.op == ELEMENT:
            return self._element(statement)
        if statement.op == FIELD:
            return self._field(statement)
        if statement.op == LOAD:
            assert isinstance(statement, ir.Effect)
            (pointer,) = statement.operands
            is_direct = self._items.types.is_direct(pointer, ir.PTR)
            return Pointer(self.load(statement), self._items.types.slot_pattern(pointer) if is_direct else VOID_POINTER)
        if statement.op == CONVERT:
            return self._conversion(statement.operands[0])
        raise AssertionError(statement.op)

    def result(self, call: ir.Call) -> str:
        """The declaration of the pointer that a call returns."""
        if callee := self._items.callee(call):
            return self._items.result_pattern(callee)
        return self._items.types.of_signature((call.callee.type, -1), ir.PTR)

    def _conversion(self, operand: ir.Value) -> Pointer:
        if isinstance(operand, ir.Function):
            name, pattern = self._items.address(operand)
            return Pointer(Term(name), pattern)
        if operand.type is ir.PTR:
            return self.pointer(operand)
        assert isinstance(operand.type, ir.Scalar)
        term = self._value(operand)
        if operand.type.bits < ir.PTR.bits:
            term = cast("long" if operand.type.signed else "unsigned long", term)
        return Pointer(cast("void *", term), VOID_POINTER)

    def _element(self, statement: ir.Statement) -> Pointer:
        (base, index), type = statement.operands, statement.of
        assert isinstance(type, (ir.Scalar, ir.Struct))
        pattern = self._items.types.pattern_to(base, type)
        term = self._pointer_to(base, type)
        if self._is_constant(base):
            pattern = f"const {pattern}"
        if isinstance(index, ir.Constant):
            number = int(index.value)
            shown = f"{'-' if number < 0 else '+'} {abs(number)}"
            return Pointer(Term(f"{as_unary(term)} {shown}", ADDITIVE, shown[0]) if number else term, pattern)
        return Pointer(Term(f"&{as_primary(term)}[{self._value(index).text}]", UNARY), pattern)

    def _field(self, statement: ir.Statement) -> Pointer:
        field, (base,) = statement.of, statement.operands
        assert isinstance(field, ir.Field)
        types = self._items.types
        if not types.is_direct(base, field.struct):
            self._items.headers.add("stddef.h")
            member = f"offsetof({self._items.names.tags[field.struct]}, {self._items.names.fields[field]})"
            if is_complex(field.struct):
                member = str(field.offset)
            return Pointer(Term(f"{self._bytes(base).text} + {member}", ADDITIVE, "+"), "char *{}")
        pattern = types.pattern_to(statement, unit(field.type))
        if self._is_constant(base):
            pattern = f"const {pattern}"
        member = self._member(field, base, writes=False)
        return Pointer(Term(member) if length(field.type) is not None else Term(f"&{member}", UNARY), pattern)

    def _bytes(self, pointer: ir.Value) -> Term:
        term, pattern = self.pointer(pointer)
        return term if pattern == "char *{}" and term.level >= UNARY else cast("char *", term)

    # --------------------------------------------------------------------------------------------------------- places

    def _place(self, pointer: ir.Value, type: ir.Scalar | ir.Struct, *, writes: bool = False) -> _Place:
        """The place of a value of the type. If it `writes`, the constness of data is cast away."""
        if found := self._object(pointer):
            if found.unit is type and not (writes and found.is_constant):
                return _Place(f"{found.name}[0]" if found.is_array else found.name)
        elif isinstance(pointer, ir.Primitive) and pointer in self._variables.in_place:
            types = self._items.types
            base, field = pointer.operands[0], pointer.of
            if pointer.op == FIELD and isinstance(field, ir.Field) and unit(field.type) is type:
                if types.is_direct(base, field.struct):
                    member = self._member(field, base, writes=writes)
                    return _Place(member if length(field.type) is None else f"{member}[0]")
            elif pointer.op == ELEMENT and pointer.of is type:
                index = pointer.operands[1]
                if isinstance(index, ir.Constant) and index.value == 0:
                    return self._place(base, type, writes=writes)
                array = as_primary(self._pointer_to(base, type, writes=writes))
                return _Place(f"{array}[{self._value(index).text}]")
        return _Place("", self._pointer_to(pointer, type, writes=writes))

    def _member(self, field: ir.Field, base: ir.Value, *, writes: bool) -> str:
        place = self._place(base, field.struct, writes=writes)
        if place.pointer:
            return self._items.member(as_primary(place.pointer), field, "->")
        return self._items.member(place.text, field)

    def _pointer_to(self, pointer: ir.Value, type: ir.Scalar | ir.Struct, *, writes: bool = False) -> Term:
        """The pointer as one to the type."""
        pattern = self._items.types.pattern_to(pointer, type)
        if self._is_constant(pointer) and not writes:
            pattern = f"const {pattern}"
        return self.exactly(pointer, pattern)

    def _object(self, value: ir.Value) -> _Object | None:
        """The variable of C whose address the value is."""
        if isinstance(value, ir.Data):
            is_array = length(value.object_type) is not None
            return _Object(self._items.names.data[value], unit(value.object_type), is_array, value.is_constant)
        if isinstance(value, ir.Effect) and value.op == ALLOCATE and value in self._items.lifetimes:
            return _Object(self._variables.of(value).name, unit(ir.object_type_of(value)), count(value) is not None)
        if isinstance(value, ir.Parameter) and (struct := self._items.by_value.get(value)):
            return _Object(self._variables.of(value).name, struct, is_array=False)
        return None

    def _is_constant(self, pointer: ir.Value) -> bool:
        """Whether the pointer is written as an address in constant data."""
        while pointer in self._variables.in_place and isinstance(pointer, ir.Primitive):
            if pointer.op not in (ELEMENT, FIELD):
                return False
            pointer = pointer.operands[0]
        return isinstance(pointer, ir.Data) and pointer.is_constant and pointer not in self._items.literals
