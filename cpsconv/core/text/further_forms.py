"""The forms of operations on memory, also where it is explicit, and of foreign operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cpsconv.core.ir import (
    MEMORY,
    VOID,
    Effect,
    Field,
    Foreign,
    ObjectType,
    Primitive,
    Statement,
    Type,
    Value,
    innermost,
)
from cpsconv.core.operations.table import ELEMENT, EXTEND, LOAD, OPERATIONS, STORE
from cpsconv.core.text.expressions import FORMS as OTHERS
from cpsconv.core.text.expressions import Expressions, Form
from cpsconv.core.text.items import alignment_text, keywords_after, object_type_text
from cpsconv.core.text.layout import Group, Piece, wrapped
from cpsconv.core.text.spelling import foreign_text, in_ascii, quote_name


def in_memory(expressions: Expressions, statement: Statement, operands: Sequence[Value]) -> Piece:
    """``int[p] in m``, ``m with int[p] := v``, ``m with b`` for a new object `b`"""
    if isinstance(statement.of, Foreign):
        return foreign(expressions, statement, operands)
    *others, last = operands
    memory = expressions.value(last)
    assert isinstance(memory, str)
    if statement.op == EXTEND:
        return wrapped(f"{memory} with ", expressions.value(others[0]))
    operation = OTHERS[OPERATIONS[statement.op].form](expressions, statement, others)
    if statement.type is MEMORY:
        return wrapped(f"{memory} with ", operation)
    return wrapped("", operation, f" in {memory}")


def foreign(expressions: Expressions, statement: Statement, operands: Sequence[Value]) -> Piece:
    """``"ml.add"(x, y) : int``"""
    assert isinstance(statement.of, Foreign)
    word = "pure " * isinstance(statement, Primitive)
    type = f" : {in_ascii(str(statement.type))}" * (statement.type is not VOID)
    return wrapped(word, expressions.application(foreign_text(statement.of.text), operands), type)


def address(expressions: Expressions, statement: Statement, operands: Sequence[Value]) -> Piece:
    """``point.x(p)``, ``int.at(p, i)``"""
    of = statement.of
    if isinstance(of, Field):
        return expressions.application(f"{quote_name(of.struct.name)}.{quote_name(of.name)}", operands)
    assert not isinstance(of, Foreign)
    return expressions.application(f"{object_type_text(of)}.at", operands)


def access(expressions: Expressions, statement: Statement, operands: Sequence[Value]) -> Piece:
    """``int[p]``, ``int[p] := v``, ``point[p] := point[q]``; ``memory(p)``"""
    op, of = statement.op, statement.of
    if op == EXTEND:
        return expressions.application(str(statement.type), operands)
    if op == LOAD:
        return _place(expressions, statement.type, operands[0])
    value, target = operands
    assert not isinstance(of, (Field, Foreign))
    place = _place(expressions, value.type if op == STORE else of, target)
    stored = expressions.value(value) if op == STORE else _place(expressions, of, value)
    return Group("", [wrapped("", place, " :="), stored], "", separator="", bracketed=False)


def _place(expressions: Expressions, type: ObjectType | Type | None, address: Value) -> Piece:
    """``T[p]``; ``T[p, i]`` if the address is that of an element of type `T`."""
    places: Sequence[Value] = (address,)
    if isinstance(address, Primitive) and (address.op, address.of) == (ELEMENT, type):
        places = address.operands if address in expressions.in_place else places
    return Group(f"{object_type_text(type)}[", [expressions.value(place) for place in places], "]")


def allocation(expressions: Expressions, statement: Statement, count: Sequence[Value]) -> Piece:
    """``allocate point``, ``allocate int[3][4] aligned 64 on stack``, which are 3 objects of type ``int[4]``"""
    of = statement.of
    assert isinstance(statement, Effect) and of is not None and not isinstance(of, (Field, Foreign))
    placement = alignment_text(statement.alignment) + "".join(f" {word}" for word in keywords_after(statement))
    if not count:
        return f"allocate {object_type_text(of)}{placement}"
    element, lengths = innermost(of)
    opening = f"allocate {object_type_text(element)}["
    return Group(opening, [expressions.value(count[0])], f"]{lengths}{placement}")


FORMS: Mapping[str, Form] = {
    "in memory": in_memory,
    "foreign": foreign,
    "address": address,
    "access": access,
    "allocation": allocation,
}
"""The forms, by their names in the table; and that of an operation on a memory."""
