"""Alias analysis: the places in memory that the addresses of a function denote, and which of them may overlap.

An address is a *root* and a constant offset in bytes. A root is a pointer from elsewhere (a parameter, a loaded
pointer, the pointer to a new object), or an address with an index that varies. The rules for two places are exact:

1. Places of one root overlap if their ranges of bytes do.
2. Objects of different data and allocations are different. (An allocation that is executed again creates another
   object, but then its value is another one, too, and no fact about the old value remains.)
3. An allocation is *unshared* if its addresses are used for accesses, comparisons and deallocation only: they are not
   stored, passed, returned or converted to integers. No address with another root leads to the object. It is *confined*
   if the function has no call that returns again, either: the code after that call accesses the object once more.
4. All other places may overlap.

Offsets add up only if all of them are positive: an address far outside of its object is limited (docs/memory.md), so
``p + 2000000000 - 2000000000`` need not be ``p``. If an access succeeds, no address before it was limited.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from cpsconv.core import ir
from cpsconv.core.analysis.graph import local_target, reverse_postorder
from cpsconv.core.analysis.reentry import is_reentered
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.names import RESIZE
from cpsconv.core.operations.pointers import MAX_SIZE
from cpsconv.core.operations.table import CONVERT, CREATING, DEALLOCATE, ELEMENT, FIELD, LOAD_OR, OPERATIONS, STORE

MAX_VALUES = 4  # that a root depends on


class Root(metaclass=NodeType):
    """An address. `values` determine it; `object` is the data or the allocation that it points into, if known.

    `is_start`: it is the start of the object.
    """

    object: ir.Value | None
    values: tuple[ir.Value, ...]
    is_start: bool = False


class Place(NamedTuple):
    """The bytes of an access."""

    root: Root
    offset: int
    size: int

    @property
    def end(self) -> int:
        """The offset after the bytes."""
        return self.offset + self.size

    def contains(self, other: Place) -> bool:
        """Whether the bytes of the other place, if both can be accessed, are among the bytes of this place."""
        return self.root is other.root and self.offset <= other.offset and other.end <= self.end


class Places:
    """The places of one function, and its `unshared` and `confined` allocations.

    `kept` gives the operands of a call that the callee may keep, or change the object of.
    """

    def __init__(
        self, function: ir.Function, kept: Callable[[ir.Call], Iterable[ir.Value]] = lambda call: call.operands
    ) -> None:
        self._addresses: dict[ir.Value, tuple[Root, int]] = {}
        self._roots: dict[Hashable, Root] = {}
        members = reverse_postorder(function)
        for member in members:
            for statement in member.body:
                if statement.op in (ELEMENT, FIELD):
                    self._addresses[statement] = self._computed(statement)
        allocations: dict[ir.Value, None] = {
            statement: None
            for member in members
            for statement in member.body
            if isinstance(statement, ir.Effect) and statement.op in CREATING
        }
        for member in members if allocations else ():
            for value in _passed_on(member, kept):
                root, _ = self.address(value)
                if root.object:
                    allocations.pop(root.object, None)
        self.unshared = frozenset(allocations)
        self.confined = frozenset[ir.Value]() if is_reentered(function) else self.unshared

    def address(self, pointer: ir.Value) -> tuple[Root, int]:
        """The root and the offset of a pointer."""
        if pointer not in self._addresses:
            is_new = isinstance(pointer, ir.Data) or (isinstance(pointer, ir.Effect) and pointer.op in CREATING)
            self._addresses[pointer] = Root(pointer if is_new else None, (pointer,), is_new), 0
        return self._addresses[pointer]

    def place(self, pointer: ir.Value, size: int) -> Place:
        """The place of so many bytes at the pointer."""
        return Place(*self.address(pointer), size)

    def may_overlap(self, one: Place, other: Place) -> bool:
        """Whether the places may have a byte in common."""
        if one.root is other.root:
            return one.offset < other.end and other.offset < one.end
        return self.may_share_object(one.root, other.root)

    def may_share_object(self, one: Root, other: Root) -> bool:
        """Whether the roots may point into one object."""
        if one is other:
            return True
        if one.object is not None and other.object is not None:
            return one.object is other.object
        return one.object not in self.confined and other.object not in self.confined

    def _computed(self, statement: ir.Statement) -> tuple[Root, int]:
        """The address that an `element` or `field` computes."""
        base, *index = statement.operands
        root, offset = self.address(base)
        if isinstance(statement.of, ir.Field):
            step: int | None = statement.of.offset
        else:
            size = ir.object_type_of(statement).size
            step = int(index[0].value) * size if isinstance(index[0], ir.Constant) else None
        if step is not None and step >= 0 and offset + step <= MAX_SIZE:
            return root, offset + step
        is_constant = isinstance(index[0], ir.Constant)
        key: Hashable = (root, offset, ir.object_type_of(statement).size, step if is_constant else index[0])
        values = root.values if is_constant else (*root.values, index[0])
        if len(values) > MAX_VALUES:
            key, values = statement, (statement,)
        return self._roots.setdefault(key, Root(root.object, values)), 0


def is_deallocated(allocation: ir.Effect, member: ir.Continuation, *, before_return: bool = True) -> bool:
    """Whether each path from the allocation, in the member, to itself or to a return deallocates the object.

    Unless `before_return`, only the paths to itself count.
    """
    pending = [(member, member.body.index(allocation) + 1)]
    seen: set[ir.Continuation] = set()
    for block, start in pending:  # appended to during iteration
        rest = block.body[start:]
        if any(each.op == DEALLOCATE and each.operands[0] is allocation for each in rest):
            continue
        if allocation in rest:
            return False
        for edge in block.transfer.edges if block.transfer else ():
            target = local_target(edge)
            if target is None and before_return and not isinstance(edge.target, ir.External):
                return False
            if target is not None and target not in seen:
                seen.add(target)
                pending.append((target, 0))
    return True


def _passed_on(member: ir.Continuation, kept: Callable[[ir.Call], Iterable[ir.Value]]) -> Iterator[ir.Value]:
    """The values that the member uses other than for accesses, comparisons and deallocation."""
    for statement in member.body:
        if statement.op == STORE:
            yield statement.operands[0]
        elif statement.op in (ELEMENT, LOAD_OR):
            yield from statement.operands[1:]
        elif statement.op == CONVERT:
            yield from statement.operands if statement.type is not ir.BOOL else ()
        elif OPERATIONS[statement.op].kind in ("output", "foreign", "foreign value") or statement.op == RESIZE:
            yield from statement.operands
    transfer = member.transfer
    assert transfer
    if isinstance(transfer, ir.Call):
        yield from kept(transfer)
    elif isinstance(transfer, ir.ForeignTransfer):
        yield from transfer.values
    for edge in transfer.edges:
        yield from edge.arguments
