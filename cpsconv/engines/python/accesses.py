"""Loads and stores as indices into lists: ``x = a_list[i]``, ``p_record[2] = y``.

The *base* of an access is the pointer from which its address is computed. After the definition of a base, its list is
looked up in a view (`typed_memory`), once for all accesses of this base. Addresses that only accesses use are written
in place, where the slow path needs them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator

from cpsconv.core import ir
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.runtime_errors import Undefined
from cpsconv.core.operations.table import ALLOCATE, ALLOCATING, CONVERT, ELEMENT, FIELD, LOAD, LOAD_OR, RELEASING, STORE
from cpsconv.core.text.plan import TextPlan
from cpsconv.engines.python.expressions import Expressions
from cpsconv.engines.python.syntax import Block, If, Node, Try
from cpsconv.engines.python.typed_memory import Unit, new_record, unit_of

MAX_ACCESSES = 5_000
"""The accesses of one function that are written as indices. Python's compiler takes 15 kB for each."""

_ACCESSES = (LOAD, LOAD_OR, STORE)
_ADDRESS_OPERANDS = {FIELD: 0, ELEMENT: 1, LOAD: 0, LOAD_OR: 0, STORE: 1}


class Access(metaclass=NodeType):
    """A load or store: the base, the address of the element (None: the first), and the slot in a record."""

    base: ir.Value
    unit: Unit
    element: ir.Primitive | None
    slot: int | None

    @property
    def key(self) -> tuple[ir.Value, Unit, bool]:
        """The base, with the unit of its list, and whether the list is a record."""
        return self.base, self.unit, self.slot is not None and self.element is None


class Accesses:
    """The accesses of one function that are written as indices."""

    def __init__(
        self,
        function: ir.Function,
        expressions: Expressions,
        maybe_undefined: Collection[Place],
        new_name: Callable[[str], str],
    ) -> None:
        self._expressions = expressions
        self._environment = expressions.environment
        self._maybe_undefined = maybe_undefined
        self._new_name = new_name
        self._of: dict[ir.Effect, Access] = {}
        self._lists: dict[ir.Value, dict[tuple[ir.Value, Unit, bool], str]] = defaultdict(dict)
        self._stored: set[tuple[ir.Value, Unit, bool]] = set()
        for member in function.members():
            for effect in member.body:
                if isinstance(effect, ir.Effect) and effect.op in _ACCESSES and (access := self._found(effect)):
                    self._of[effect] = access
                    lists, hint = self._lists[access.base], getattr(access.base, "name", None) or "p"
                    if access.key not in lists:
                        lists[access.key] = new_name(f"{hint}_{'record' if access.key[2] else 'list'}")
                    if effect.op == STORE:
                        self._stored.add(access.key)
        if len(self._of) > MAX_ACCESSES:
            self._of.clear()
            self._lists.clear()

    def _found(self, effect: ir.Effect) -> Access | None:
        """The access, if it can be an index, and nothing in it may be undefined but the stored value."""
        if effect.op == STORE:
            used, type, pointer = effect.operands, effect.operands[0].type, effect.operands[1]
            if used[0] in self._maybe_undefined:
                used = used[1:]
        else:
            used, type, pointer = effect.operands[:1], effect.type, effect.operands[0]
        read = [value for operand in used for value in self._expressions.variables.read_by(operand)]
        if any(isinstance(value, ir.Undef) or value in self._maybe_undefined for value in read):
            return None
        struct: ir.Struct | None = None
        element: ir.Primitive | None = None
        offset = 0
        while (address := self._in_place(pointer, FIELD)) and isinstance(address.of, ir.Field):
            struct, offset, pointer = address.of.struct, offset + address.of.offset, address.operands[0]
        assert isinstance(type, ir.Scalar)
        unit = unit_of(struct or type)
        slot = unit.slot_at.get(offset) if unit else None
        if unit is None or slot is None or unit.slots[slot][1] is not type:
            return None
        if (address := self._in_place(pointer, ELEMENT)) and address.of is unit.type:
            element, pointer = address, address.operands[0]
        variables = self._expressions.variables
        is_variable = isinstance(pointer, (ir.Data, ir.Parameter, ir.Primitive, ir.Effect))
        if not is_variable or pointer in variables.in_place or pointer in variables.calls:
            return None
        return Access(pointer, unit, element, slot if struct else None)

    def _in_place(self, value: ir.Value, op: str) -> ir.Primitive | None:
        """The value, if it is a primitive `op` that is written in place."""
        is_in_place = value in self._expressions.variables.in_place
        return value if is_in_place and isinstance(value, ir.Primitive) and value.op == op else None

    # --------------------------------------------------------------------------------------------------------- lists

    def has_lists(self, member: ir.Continuation) -> bool:
        """Whether lists are looked up for parameters of the continuation."""
        return any(parameter in self._lists for parameter in member.parameters)

    def data_lists(self) -> Iterator[Node]:
        """The look-ups of the lists of data, for the start of the function."""
        return (node for base in self._lists if isinstance(base, ir.Data) for node in self.lists_of(base))

    def lists_of(self, base: ir.Value) -> Iterator[Node]:
        """The look-ups of the lists of a value that was just defined."""
        if isinstance(base, ir.Effect) and self._record_of_allocation(base):
            return
        for (_, unit, is_record), name in self._lists.get(base, {}).items():
            key = unit, is_record, (base, unit, is_record) in self._stored
            pointer = self._expressions.value(base)
            found = f"{self._find(key)}({pointer})"
            yield Try([f"{name} = {self._lists_at(key)}[{pointer}] or {found}"], [f"{name} = {found}"])

    def _find(self, key: tuple[Unit, bool, bool]) -> str:
        return self._environment.created("find", lambda run: run.memory.view(*key).find, key)

    def _lists_at(self, key: tuple[Unit, bool, bool]) -> str:
        return self._environment.created("lists", lambda run: run.memory.view(*key).lists, key)

    def unit_of_allocation(self, effect: ir.Effect) -> tuple[Unit, bool] | None:
        """The unit of an allocation, and whether its list is a record, if all accesses in the function agree on it."""
        found = [*self._lists.get(effect, {})]
        is_allocation = effect.op in ALLOCATING
        if not is_allocation or len(found) != 1:
            return None
        _, unit, is_record = found[0]
        return unit, is_record

    def allocation(self, effect: ir.Effect, kept: str) -> list[Node] | None:
        """The statements that allocate one record and enter its list into the view; None for other allocations."""
        unit = self._record_of_allocation(effect)
        if unit is None:
            return None
        (record,) = self._lists[effect].values()
        objects = self._environment.created("objects", lambda run: run.memory.objects, "objects")
        site = self._environment.created("site", lambda run: run.memory.record_site(effect, unit), effect)
        key = unit, True, True
        enter = self._environment.created("enter", lambda run: run.memory.view(*key).enter, key)
        return [
            f"{kept} = len({objects})",
            f"{objects}.append({site})",
            f"{record} = {new_record(unit, is_zero=effect.op == 'calloc')!r}",
            Try([f"{self._lists_at(key)}[{kept}] = {record}"], [f"{enter}({kept}, {record})"]),
        ]

    def ending(self, effect: ir.Effect, slow: str) -> list[Node] | None:
        """The statements that end the lifetime of an object whose site has been ended before; None for other effects.

        `slow` is the slow path.
        """
        if effect.op not in RELEASING:
            return None
        operand, pointer = effect.operands[0], self._expressions.value(effect.operands[0])
        if not pointer.isidentifier() or isinstance(operand, ir.Undef) or operand in self._maybe_undefined:
            return None
        objects = self._environment.created("objects", lambda run: run.memory.objects, "objects")
        known = self._environment.created("ended", lambda run: run.memory.ended_sites(effect), effect)
        fast: Block = [
            f"lists, ended = {known}[{objects}[{pointer}]]",
            f"lists[{pointer}].clear()",
            f"lists[{pointer}] = None",
            f"{objects}[{pointer}] = ended",
        ]
        return [Try(fast, [slow], "LookupError")]

    def _record_of_allocation(self, effect: ir.Effect) -> Unit | None:
        """The unit of the record, if the effect allocates one record, of constant size."""
        found = self.unit_of_allocation(effect)
        if found is None or not found[1] or not self._expressions.variables.is_stored(effect):
            return None
        size = ir.object_type_of(effect).size if effect.op == ALLOCATE else 1
        for operand in effect.operands:
            if not isinstance(operand, ir.Constant):
                return None
            size *= int(operand.value)
        return found[0] if size == found[0].size else None

    # ------------------------------------------------------------------------------------------------------ accesses

    def load(self, effect: ir.Effect, kept: str | None, slow: str) -> list[Node] | None:
        """The statements of a load into the variable `kept`; None if it has no list. `slow` is the slow path."""
        access = self._of.get(effect)
        if access is None or kept is None:
            return None
        place, guard = self._place(access)
        variables = self._expressions.variables
        reads = {variables.of(each).name for each in variables.read_by(effect.operands[0])}
        name = self._new_name(kept) if kept in reads else kept
        fast: Node = f"{name} = {place}"
        if guard:
            fast = f"{name} = {place} if {guard} >= 0 else None"
        nodes: list[Node] = [Try([fast], [f"{name} = None"]), If(f"{name} is None", "", [f"{name} = {slow}"])]
        return nodes if name == kept else [*nodes, f"{kept} = {name}"]

    def store(self, effect: ir.Effect, slow: str) -> list[Node] | None:
        """The statements of a store; None if it has no list."""
        access = self._of.get(effect)
        if access is None:
            return None
        place, guard = self._place(access)
        value = self._expressions.value(effect.operands[0])
        if effect.operands[0] in self._maybe_undefined:
            undefined = self._environment.created("Undefined", lambda run: Undefined, Undefined)
            value = f"{value} if {value}.__class__ is not {undefined} else None"
        fast: Node = f"{place} = {value}"
        if guard:
            fast = If(f"{guard} >= 0", "", [fast], ["raise IndexError"])
        return [Try([fast], [slow])]

    def _place(self, access: Access) -> tuple[str, str | None]:
        """The text of the element of the list, and that of its index if the index may be negative."""
        place, guard = self._lists[access.base][access.key], None
        if access.element is not None:
            index = self._expressions.value(access.element.operands[1])
            _, (lowest, _) = self._expressions.overflow.operands(access.element)
            guard = None if lowest >= 0 else index if index.isidentifier() else f"({index})"
            place += f"[{index}]"
        elif access.slot is None:
            place += "[0]"
        return place if access.slot is None else f"{place}[{access.slot}]", guard


def write_addresses_in_place(function: ir.Function, text_plan: TextPlan, ordered: Collection[ir.Continuation]) -> None:
    """Write in place the addresses that only accesses use. Their indices become variables."""
    users: dict[ir.Value, list[ir.Statement | None]] = defaultdict(list)
    for member in function.members():
        for statement in member.body:
            for number, operand in enumerate(statement.operands):
                is_address = statement.op in _ADDRESS_OPERANDS and number == _ADDRESS_OPERANDS[statement.op]
                users[operand].append(statement if is_address or (statement.op == ELEMENT and number == 0) else None)
        for value in member.transfer.uses if member.transfer else ():
            users[value].append(None)
    for member in reversed([*function.members()]):
        for statement in reversed(member.body):
            if not isinstance(statement, ir.Primitive) or statement.op not in (FIELD, ELEMENT):
                continue
            if member not in ordered and all(
                user is not None and (isinstance(user, ir.Effect) or user in text_plan.in_place)
                for user in users[statement]
            ):
                text_plan.in_place.add(statement)
                index = statement.operands[-1]
                if statement.op == ELEMENT and isinstance(index, ir.Primitive) and index.op != CONVERT:
                    text_plan.in_place.discard(index)
