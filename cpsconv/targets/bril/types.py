"""Types of Bril for the values of a program: each pointer gets the type of what it points to, by unification.

A region of Bril's memory has one type. So all pointers that may be the same have the same type: a pointer and its
elements, arguments and parameters, stored and loaded pointers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from cpsconv.core import ir
from cpsconv.core.operations.completeness import for_every_type
from cpsconv.core.source import DiagnosticError, Span, article, error

_TYPES = for_every_type(
    "cpsconv.targets.bril",
    {
        ir.BOOL: "bool",
        **dict.fromkeys((ir.CHAR, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR, ir.SHORT, ir.UNSIGNED_SHORT), "int"),
        **dict.fromkeys((ir.INT, ir.UNSIGNED, ir.LONG, ir.UNSIGNED_LONG), "int"),
        **dict.fromkeys((ir.FLOAT, ir.DOUBLE), "float"),
        ir.STRING: None,
    },
)
"""The types of Bril by those of the program, without pointers. Bril has no strings."""


def refuse(what: str, span: Span | None) -> NoReturn:
    """Raise `DiagnosticError`: Bril cannot express a part of the program."""
    raise DiagnosticError([error(f"not expressible in Bril: {what}", span, rule="not-expressible")])


def bit_casts(member: ir.Continuation) -> dict[ir.Statement, ir.Value | None]:
    """The casts of bits in the body: a store to a new variable, and a load of another type from it.

    Each load is mapped to the stored value, the allocation, store and deallocation to None.
    """
    found: dict[ir.Statement, ir.Value | None] = {}
    body = member.body
    for at, cell in enumerate(body[:-3]):
        store, load, end = body[at + 1 : at + 4]
        if [each.op for each in body[at : at + 4]] != ["allocate", "store", "load", "deallocate"] or cell.operands:
            continue
        is_same = store.operands[1] is load.operands[0] is end.operands[0] is cell
        if is_same and {store.operands[0].type, load.type} == {ir.DOUBLE, ir.LONG}:
            found |= {cell: None, store: None, load: store.operands[0], end: None}
    return found


class PointerTypes:
    """The types of the values of a program, by unification. Raises `DiagnosticError` if there are none."""

    def __init__(self, program: ir.Program) -> None:
        self._parents: dict[object, object] = {}
        self._targets: dict[object, object] = {}
        for function in program.functions:
            for member in function.members():
                self._visit(function, member)

    def of(self, value: ir.Value) -> str:
        """The type of a value in Bril."""
        return self._type(value, value.type, getattr(value, "span", None))

    def of_result(self, function: ir.Function) -> str | None:
        """The type of the result of a function, None without one."""
        result = function.result
        return None if result is ir.VOID else self._type((function, "result"), result, function.span)

    def element(self, pointer: ir.Value) -> ir.Scalar:
        """The type of the program of what the pointer points to."""
        target = self._targets.get(self._root(pointer), ir.LONG)
        return target if isinstance(target, ir.Scalar) else ir.PTR

    def _type(self, key: object, type: ir.Type | None, span: Span | None) -> str:
        """The type in Bril of what the key denotes: a value, or the result of a function."""
        seen = dict[object, None]()
        while type is ir.PTR:
            root = self._root(key)
            if root in seen:
                refuse("a pointer to its own type", span)
            seen[root] = None
            key = self._targets.get(root, ir.LONG)
            type = key if isinstance(key, ir.Scalar) else ir.PTR
        assert isinstance(type, ir.Scalar)
        plain = _TYPES[type] or refuse(f"{article(type)} {type}", span)
        return "ptr<" * len(seen) + plain + ">" * len(seen)

    def _root(self, key: object) -> object:
        while (parent := self._parents.get(key, key)) is not key:
            self._parents[key] = self._parents.get(parent, parent)
            key = parent
        return key

    def _unify(self, first: object, second: object, span: Span | None) -> None:
        """Let two pointers have the same type."""
        pending = [(first, second)]
        while pending:
            one, other = (self._root(each) for each in pending.pop())
            if one is other:
                continue
            self._parents[one] = other
            before, target = self._targets.pop(one, None), self._targets.get(other)
            if before is not None and target is not None:
                pending += self._meet(before, target, span)
            elif before is not None:
                self._targets[other] = before

    def _meet(self, first: object, second: object, span: Span | None) -> list[tuple[object, object]]:
        """The pointers that must have the same type if both are what a pointer points to."""
        if isinstance(first, ir.Scalar) or isinstance(second, ir.Scalar):
            if first is not second:
                refuse("memory with values of several types", span)
            return []
        return [(first, second)]

    def _point(self, pointer: ir.Value, target: object, span: Span | None) -> None:
        """Let the pointer point to values of a type, or to the pointer `target`."""
        root = self._root(pointer)
        known = self._targets.setdefault(root, target)
        for one, other in self._meet(known, target, span):
            self._unify(one, other, span)

    def _visit(self, function: ir.Function, member: ir.Continuation) -> None:
        casts = bit_casts(member)
        for each in member.body:
            if each in casts:
                continue
            if each.op == "element":
                self._unify(each, each.operands[0], each.span)
                if isinstance(each.of, ir.Scalar) and each.of is not ir.PTR:
                    self._point(each, each.of, each.span)
            elif each.op in ("load", "store"):
                value, pointer = (each, each.operands[0]) if each.op == "load" else each.operands
                self._point(pointer, value if value.type is ir.PTR else value.type, each.span)
        for one, other in _flows(function, member):
            if one.type is ir.PTR:
                span = member.transfer.span if member.transfer else None
                self._unify(one, (other, "result") if isinstance(other, ir.Function) else other, span)


def _flows(function: ir.Function, member: ir.Continuation) -> Iterator[tuple[ir.Value, ir.Value]]:
    """Each argument with its parameter; a function stands for its result."""
    transfer = member.transfer
    assert transfer is not None
    if isinstance(transfer, ir.Call):
        yield from zip(transfer.arguments, transfer.callee.parameters, strict=False)
        target = transfer.then.target
        if isinstance(target, ir.Continuation):
            yield from ((parameter, transfer.callee) for parameter in target.parameters)
    for edge in transfer.edges:
        if edge.target is function.return_continuation:
            yield from ((argument, function) for argument in edge.arguments)
        elif isinstance(edge.target, ir.Continuation):
            yield from zip(edge.arguments, edge.target.parameters, strict=False)
