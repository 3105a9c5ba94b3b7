"""The C types of pointers, inferred from the objects that they may point to, and from their uses.

A program has one pointer type; C has one for each type of object. C also has a rule that programs need not follow: an
object of one type is not accessed as another (except as `char`), or the program is undefined. Therefore two questions
are answered for each pointer.

*What may it point to?* Declared objects have types; memory of `malloc` takes the type of its first use. These types
flow from each value to the values that it is passed, stored or computed to: along edges and calls, into fields and out
of them. A pointer that receives two types, or whose address is not computed in steps of the type, is `MIXED`. An access
is *direct* if its type is the type of all objects that it may concern; other accesses copy bytes (`load_int(p)`). All
direct accesses of an object have one type, so the C program keeps the rule. Types are unified as in Steensgaard,
*Points-to Analysis in Almost Linear Time* (1996), but flow in one direction.

*What is its declaration?* A variable is declared by its own uses if they agree, else by what it points to. So one
function may treat memory as `char *` that another one declares as ``struct point *``, with a cast at the call.

Not considered: pointers that are copied byte by byte, or read from a union through another field than written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Union

from cpsconv.abi.attributes import c_signature, call_signature, variadic_callee
from cpsconv.core import ir
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import (
    ALLOCATE,
    CONVERT,
    COPY,
    CREATING,
    ELEMENT,
    ENDING,
    FIELD,
    HEAP,
    LOAD,
    LOADS,
    STORE,
)
from cpsconv.targets.c.library import library_function

Target = Union[ir.ObjectType, ir.ContinuationType, None]
"""The type of what a pointer points to: an object, a function, or unknown (`None`)."""

VOID_POINTER = "void *{}"
STRING = "const char *{}"
MAX_DEPTH = 5  # of pointers to pointers; those that point to each other have no end


class _Pointee(metaclass=NodeType):
    """What pointers point to. `slot` stands for the pointers in objects of type `PTR`; `same` forwards."""

    type: Target = None
    slot: Hashable = None
    same: _Pointee | None = None


MIXED = _Pointee(ir.VOID)

_FLOW, _ALIKE = "flow", "alike"
_CHARACTERS = (ir.CHAR, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR)


def unit(type: ir.ObjectType) -> ir.Scalar | ir.Struct:
    """The type of the elements of the elements and so on: C declares arrays with one dimension."""
    return ir.innermost(type)[0]


def length(type: ir.ObjectType) -> int | None:
    """The number of units of an array; None for other types."""
    if not isinstance(type, ir.Array):
        return None
    total, inner = 1, type  # type: tuple[int, ir.ObjectType]
    while isinstance(inner, ir.Array):
        total, inner = total * inner.length, inner.element
    return total


class PointerTypes:
    """The types of the pointers of a program. `tags` has the names of structs: ``struct point``."""

    def __init__(self, program: ir.Program, tags: Mapping[ir.Struct, str], headers: set[str]) -> None:
        self._tags = tags
        self._headers = headers
        self._state: dict[Hashable, _Pointee] = {}
        self._rules: dict[Hashable, list[tuple[str, Hashable, object]]] = {}
        self._uses: dict[Hashable, dict[Target, None]] = {}
        self._pointees: dict[Hashable, _Pointee] = {}
        self._pending: list[Hashable] = []
        self._flows: set[tuple[Hashable, Hashable]] = set()
        self._postponed: list[tuple[Hashable, tuple[str, Hashable, object]]] = []
        self._anywhere = object()  # the pointers that are stored through mixed pointers
        for data in (*program.data, *program.external_data):
            self._meet(data, self._new(unit(data.object_type)))
        for data in program.data:
            self._collect_content(data)
        for function in program.functions:
            for parameter, struct in structs_by_value(function).items():
                self._meet(parameter, self._new(struct))
            for member in function.members():
                self._collect(function, member)
        self._solve()

    def _solve(self) -> None:
        self._propagate()
        for node in [*self._rules]:  # parameters of functions that are not called
            if node not in self._state and node is not self._anywhere and isinstance(node, ir.Parameter):
                self._meet(node, _Pointee())
        self._propagate()
        while self._postponed:
            postponed, self._postponed = self._postponed, []
            for node, rule in postponed:
                self._apply(node, rule, is_last=True)
            self._propagate()

    # ---------------------------------------------------------------------------------------------------------- queries

    def target(self, pointer: Hashable) -> Target:
        """The type of the objects that the pointer may point to; None if unknown, `VOID` if mixed."""
        found = self._state.get(pointer)
        return _find(found).type if found else None

    def is_direct(self, pointer: ir.Value, type: ir.ObjectType) -> bool:
        """Whether an access as `type` through the pointer is an access of an object of this type, or as a character."""
        if type in _CHARACTERS or isinstance(pointer, (ir.Constant, ir.Undef)):
            return True
        return _agree(self.target(pointer), type)

    def pattern(self, node: Hashable) -> str:
        """The declaration of a pointer, with ``{}`` for its name. A function's `ret` denotes its result."""
        return self._declared(node, self._declared_target(node), MAX_DEPTH)

    def pattern_to(self, pointer: Hashable, type: ir.ObjectType) -> str:
        """The declaration of a pointer through which a value of `type` is accessed; a pointer as in `slot_pattern`."""
        return self._declared(pointer, type, MAX_DEPTH + 1)

    def slot_pattern(self, pointer: Hashable) -> str:
        """The declaration of the pointers stored where the pointer points to."""
        return self._content(pointer, MAX_DEPTH)

    def function(self, type: ir.ContinuationType) -> str:
        """The declaration of a pointer to functions of the type."""
        *parameters, ret = type.parameters
        assert isinstance(ret, ir.ContinuationType)
        result = self.of_signature((type, -1), ret.parameters[0] if ret.parameters else ir.VOID)
        listed = [self.of_signature((type, n), each).format("") for n, each in enumerate(parameters)]
        return result.format(f"(*{{}})({', '.join(each.strip() for each in listed) or 'void'})")

    def scalar(self, type: ir.Scalar) -> str:
        """The name of a type that is not a pointer."""
        if type is ir.BOOL:
            self._headers.add("stdbool.h")
        return str(type)

    def value(self, type: ir.Scalar) -> str:
        """The declaration of a value that is not a pointer."""
        return STRING if type is ir.STRING else f"{self.scalar(type)} {{}}"

    def named(self, type: ir.ObjectType) -> str:
        """The name of an object type that is no array and no pointer."""
        return self._tags[type] if isinstance(type, ir.Struct) else self.scalar(unit(type))  # type: ignore[arg-type]

    def object_pattern(self, node: Hashable, type: ir.ObjectType) -> str:
        """The declaration of an object: ``struct point {}[2]``. `node` is the pointer to it, or the field."""
        inner, count = unit(type), length(type)
        declared = self._content(node, MAX_DEPTH) if inner is ir.PTR else f"{self.named(inner)} {{}}"
        return declared if count is None else declared.replace("{}", f"{{}}[{count}]")

    def of_signature(self, node: Hashable, type: ir.Type) -> str:
        """The declaration of a parameter or result of functions that are called through pointers."""
        assert isinstance(type, ir.Scalar)
        if type is not ir.PTR:
            return self.value(type)
        target = self._declared_target(node)
        return VOID_POINTER if isinstance(target, ir.ContinuationType) else self._declared(node, target, 1)

    def _declared_target(self, node: Hashable) -> Target:
        uses: list[Target] = [*self._uses.get(node, ())]
        others = [use for use in uses if use not in _CHARACTERS]
        if len(uses) == 1 or len(others) == 1:
            return (others or uses)[0]
        return None if uses else self.target(node)

    def _declared(self, node: Hashable, target: Target, depth: int) -> str:
        if target is None or target is ir.VOID or not depth:
            return VOID_POINTER
        if isinstance(target, ir.ContinuationType):
            return self.function(target)
        if target is ir.PTR:
            return self._content(node, depth - 1).replace("{}", "*{}")
        return f"{self.named(target)} *{{}}"

    def _content(self, pointer: Hashable, depth: int) -> str:
        """The declaration of the pointers in the objects that a pointer points to, or in a field."""
        if isinstance(pointer, ir.Field):
            slot: Hashable = pointer
        else:
            found = self._state.get(pointer)
            slot = _find(found).slot if found else None
        return VOID_POINTER if slot is None else self._declared(slot, self.target(slot), depth)

    # ------------------------------------------------------------------------------------------------------ constraints

    def _new(self, type: Target, slot: Hashable = None) -> _Pointee:
        """A pointee of a type. Each pointee of type `PTR` has a slot of its own."""
        if type is ir.PTR:
            slot = object() if slot is None else slot
            if slot not in self._pointees:
                self._pointees[slot] = _Pointee(type, slot)
                self._flow(self._anywhere, slot)
            return self._pointees[slot]
        return self._pointees.setdefault(type, _Pointee(type))

    def _of_field(self, field: ir.Field) -> _Pointee:
        return self._new(unit(field.type), field)

    def _use(self, pointer: ir.Value, op: str, type: Target, result: Hashable = None, of: object = None) -> None:
        """The pointer is used as the address of something of the type."""
        self._uses.setdefault(pointer, {})[type] = None
        self._rule(pointer, op, result, of if of is not None else type)

    def _rule(self, node: Hashable, op: str, other: Hashable, of: object = None) -> None:
        rule = op, other, of
        self._rules.setdefault(node, []).append(rule)
        if node in self._state:
            self._apply(node, rule)

    def _flow(self, source: Hashable, target: Hashable) -> None:
        if (source, target) not in self._flows and not isinstance(source, (ir.Constant, ir.Undef)):
            self._flows.add((source, target))
            self._rule(source, _FLOW, target)

    def _collect_content(self, data: ir.Data) -> None:
        for offset, (target, distance) in data.addresses.items():
            slot = self._slot_at(data, offset)
            if isinstance(target, ir.Function):
                self._take_address(slot, target)
            elif distance == 0:
                self._flow(target, slot)
            else:
                self._meet(slot, self._inside(target, distance))

    def _slot_at(self, data: ir.Data, offset: int) -> Hashable:
        type: ir.ObjectType = data.object_type
        slot: Hashable = self._state[data].slot
        while not isinstance(type, ir.Scalar):
            if isinstance(type, ir.Array):
                offset %= type.element.size
                type = type.element
            else:
                field = field_at(type, offset)
                assert field
                type, offset, slot = field.type, offset - field.offset, field
        return slot

    def _inside(self, data: ir.Data, distance: int) -> _Pointee:
        """What an address inside of data points to."""
        found, type = self._state[data], unit(data.object_type)
        offset = distance % type.size if type.size else 0
        while offset:
            if isinstance(type, ir.Scalar):
                return MIXED
            field = field_at(type, offset)
            if field is None:
                return MIXED
            found, type = self._of_field(field), unit(field.type)
            offset = (offset - field.offset) % type.size if type.size else 0
        return found

    def _take_address(self, pointer: Hashable, function: ir.Function) -> None:
        type = function.type
        self._meet(pointer, self._new(type))
        for number, parameter in enumerate(function.parameters[:-1]):
            if parameter.type is ir.PTR:
                self._flow((type, number), parameter)
        row = library_function(function)
        result_object = row.result_object if row else None
        self._flow(function.ret if result_object is None else (type, result_object), (type, -1))

    def _collect(self, function: ir.Function, member: ir.Continuation) -> None:
        for statement in member.body:
            if collect := _COLLECT.get(statement.op):
                collect(self, statement)
        transfer = member.transfer
        assert transfer
        for edge in transfer.edges:
            if isinstance(edge.target, ir.Continuation):
                self._pass(edge.arguments, edge.target.parameters)
            elif edge.target is function.ret:
                self._pass(edge.arguments, [function.ret])
        if isinstance(transfer, ir.Call):
            self._call(function, transfer)

    def _pass(self, arguments: Iterable[ir.Value], targets: Iterable[Hashable]) -> None:
        for argument, target in zip(arguments, targets, strict=False):
            if argument.type is ir.PTR:
                self._flow(argument, target)

    def _call(self, function: ir.Function, call: ir.Call) -> None:
        results: Sequence[Hashable] = [function.ret]
        if isinstance(call.then.target, ir.Continuation):
            results = call.then.target.parameters
        is_pointer = call.callee.result is ir.PTR
        callee = variadic_callee(call) or call.callee
        if signature := c_signature(callee):
            structs = signature.structs
            for index, struct in structs.items():
                self._use(call.arguments[index], COPY, struct)
            others = [number for number in range(len(callee.parameters) - 1) if number not in structs]
            self._pass([call.arguments[n] for n in others], [callee.parameters[n] for n in others])
            source: Hashable = callee.ret
        elif call.pointer is not None:
            type = call.callee.type
            self._uses.setdefault(call.pointer, {})[type] = None
            self._pass(call.arguments, [(type, number) for number in range(len(call.arguments))])
            source = (type, -1)
        elif row := library_function(call.callee):
            if row.copies:
                self._rule(call.arguments[0], _ALIKE, call.arguments[1])
                self._rule(call.arguments[1], _ALIKE, call.arguments[0])
            source = call.callee.ret if row.result_object is None else call.arguments[row.result_object]
        else:
            self._pass(call.arguments, call.callee.parameters)
            source = call.callee.ret
        if is_pointer and results:
            self._flow(source, results[0])

    def _element(self, statement: ir.Statement) -> None:
        self._use(statement.operands[0], ELEMENT, ir.object_type_of(statement), statement)

    def _field(self, statement: ir.Statement) -> None:
        assert isinstance(statement.of, ir.Field)
        self._use(statement.operands[0], FIELD, statement.of.struct, statement, statement.of)

    def _load(self, statement: ir.Statement) -> None:
        self._use(statement.operands[0], LOAD, statement.type, statement)

    def _store(self, statement: ir.Statement) -> None:
        value, pointer = statement.operands
        assert isinstance(value.type, ir.Scalar)
        self._use(pointer, STORE, value.type, value)

    def _copy(self, statement: ir.Statement) -> None:
        for pointer in statement.operands:
            self._use(pointer, COPY, ir.object_type_of(statement))

    def _allocate(self, statement: ir.Statement) -> None:
        self._meet(statement, self._new(unit(ir.object_type_of(statement))))

    def _on_heap(self, statement: ir.Statement) -> None:
        self._meet(statement, _Pointee())
        if statement.op in ENDING:
            self._flow(statement.operands[0], statement)

    def _convert(self, statement: ir.Statement) -> None:
        (operand,) = statement.operands
        if isinstance(operand, ir.Function):
            if call_signature(operand) is None:  # else the address is only called
                self._take_address(statement, operand)
        elif statement.type is ir.PTR:
            if operand.type is ir.PTR:
                self._flow(operand, statement)
            else:
                self._meet(statement, MIXED)

    # -------------------------------------------------------------------------------------------------------- solution

    def _meet(self, node: Hashable, pointee: _Pointee) -> None:
        """Let the pointer point to the pointee, too."""
        pointee, found = _find(pointee), self._state.get(node)
        if found is None:
            self._state[node] = pointee
        else:
            known = _find(found)
            if known is pointee or known is MIXED or self._unify(known, pointee):
                return
            self._state[node] = MIXED
        self._pending.append(node)

    def _unify(self, one: _Pointee, other: _Pointee) -> bool:
        """Unify two pointees, unless they differ. (Mixed is no type to unify with.)"""
        if MIXED in (one, other):
            return False
        if one.type is None:
            one.same = other
        elif other.type is None:
            other.same = one
        elif not _agree(one.type, other.type):
            return False
        elif one.slot is not other.slot:
            for source, target in ((one.slot, other.slot), (other.slot, one.slot)):
                self._flow(source, target)
        return True

    def _propagate(self) -> None:
        while self._pending:
            node = self._pending.pop()
            for rule in [*self._rules.get(node, ())]:
                self._apply(node, rule)

    def _apply(self, node: Hashable, rule: tuple[str, Hashable, object], *, is_last: bool = False) -> None:
        """Apply a rule to a pointer. Characters are not decisive for the type of memory of `malloc`, until the end."""
        op, other, of = rule
        pointee = _find(self._state[node])
        if op == _FLOW:
            self._meet(other, pointee)
            return
        if op == _ALIKE:
            if (found := self._state.get(other)) and _find(found) is not pointee:
                self._unify(_find(found), pointee)
            return
        type = of.struct if isinstance(of, ir.Field) else of
        if pointee.type is None:
            if type in _CHARACTERS and not is_last:
                self._postponed.append((node, rule))
                return
            pointee.same = self._new(type)  # type: ignore[arg-type]
            pointee = pointee.same
        agrees = _agree(pointee.type, type)  # type: ignore[arg-type]
        if op == ELEMENT:
            self._meet(other, pointee if agrees else MIXED)
        elif op == FIELD:
            self._meet(other, self._of_field(of) if agrees else MIXED)  # type: ignore[arg-type]
        elif type is ir.PTR and op == LOAD:
            if agrees:
                self._flow(pointee.slot, other)
            else:
                self._meet(other, MIXED)
        elif type is ir.PTR and op == STORE:
            self._flow(other, pointee.slot if agrees else self._anywhere)


def structs_by_value(function: ir.Function) -> dict[ir.Parameter, ir.Struct]:
    """The structs that the parameters of a function stand for: those it takes by value, and the one it returns."""
    signature = c_signature(function)
    structs = signature.structs if signature else {}
    return {function.parameters[number]: struct for number, struct in structs.items()}


def field_at(struct: ir.Struct, offset: int) -> ir.Field | None:
    """The field of the struct that contains the byte at the offset; in a union, the first one; None in padding."""
    inside = (each for each in struct.fields.values() if each.offset <= offset < each.offset + each.type.size)
    return next(inside, None)


def _find(pointee: _Pointee) -> _Pointee:
    while pointee.same:
        if pointee.same.same:
            pointee.same = pointee.same.same
        pointee = pointee.same
    return pointee


def _agree(one: Target, other: Target) -> bool:
    """Whether objects of one type may be accessed as the other in C: the types are equal except for the sign."""
    if one is other or one == other:
        return True
    integers = [type for type in (one, other) if isinstance(type, ir.Scalar) and type.kind == "integer"]
    return len(integers) == 2 and integers[0].bits == integers[1].bits


_COLLECT: Mapping[str, Callable[[PointerTypes, ir.Statement], None]] = {
    ELEMENT: PointerTypes._element,
    FIELD: PointerTypes._field,
    **dict.fromkeys(LOADS, PointerTypes._load),
    STORE: PointerTypes._store,
    COPY: PointerTypes._copy,
    ALLOCATE: PointerTypes._allocate,
    CONVERT: PointerTypes._convert,
    **dict.fromkeys(HEAP & CREATING, PointerTypes._on_heap),
}
