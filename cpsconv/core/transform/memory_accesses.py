"""Removal of loads and stores whose effect is known: the rules of docs/optimisation.md, "Memory".

A forward analysis finds, for each point of a function, the contents of places that are known on every path to it
(`_Forward`); a backward analysis finds the *dead* places: those that are overwritten, or whose object ends, before they
are read (`_Backward`). Both are data-flow analyses with intersection at joins: they start from the assumption that
everything is known, and remove what is false until nothing changes.

A removed access must not be one that would fail. See `_Forward` for loads, and `_Forward.certain` for stores.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, Union

from cpsconv.core import ir
from cpsconv.core.analysis.flow import escaping_continuations
from cpsconv.core.analysis.graph import incoming, local_target, replace_in_transfer, reverse_postorder
from cpsconv.core.analysis.nesting import find_free_values
from cpsconv.core.analysis.places import Place, Places, Root
from cpsconv.core.analysis.undefined import may_be_undefined
from cpsconv.core.attributes import common
from cpsconv.core.operations.names import RESIZE
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.operations.table import (
    ALLOCATE,
    COPY,
    ENDING,
    FOREIGN,
    LOAD,
    LOAD_OR,
    OPERATIONS,
    PROTECTING,
    RELEASING,
    STORE,
)
from cpsconv.core.transform.rewrite import replace_free_values

MAX_FACTS = 32
"""The maximal number of facts at a point. Older ones are forgotten, so that long bodies take linear time."""


def simplify_accesses(program: ir.Program) -> None:
    """Remove, in place, loads of known values, and stores that change nothing or are overwritten unread."""
    undefined = may_be_undefined(program)
    for function in program.functions:
        if any(OPERATIONS[statement.op].kind == "memory" for statement in function.statements()):
            places = Places(function)
            forward = _Forward(function, places, undefined)
            forward.rewrite()
            replace_free_values(program, forward.replaced)
            _Backward(function, places, forward.certain).rewrite()
    if program.has_nested_functions:
        find_free_values(program)


class _Known(NamedTuple):
    """The content of a place. `is_stored`: it was stored there, so the place can be stored to."""

    value: ir.Value
    is_stored: bool


_Key = Union["tuple[Place, ir.Scalar]", Root]
"""A place with the type of its content; or the root of a variable whose lifetime has not ended."""

_State = dict[_Key, _Known]


class _Forward:
    """The contents that are known.

    A load of a known content cannot fail: the same bytes of the same object were accessed before, nothing that may end
    the lifetime of the object was executed since, and the content is defined.

    `certain` are the stores that cannot fail: to a place that was stored to before, or inside data that is not constant
    or a variable of constant size, while it exists.
    """

    def __init__(self, function: ir.Function, places: Places, undefined: Collection[object]) -> None:
        self._function = function
        self._places = places
        self._undefined = undefined
        self._order = reverse_postorder(function)
        self._start: dict[ir.Continuation, _State | None] = dict.fromkeys(self._order)
        self._replaced: dict[ir.Value, ir.Value] = {}
        self.certain: set[ir.Statement] = set()
        self._solve()

    def _solve(self) -> None:
        entered = {each for member in self._order for each in escaping_continuations(member)}
        for member in (self._function, *entered):
            self._start[member] = {}
        position = {member: number for number, member in enumerate(self._order)}
        pending = {*self._order}
        while pending:
            for member in sorted(pending, key=position.__getitem__):
                pending.discard(member)
                state = self._start[member]
                if state is None:
                    continue  # no predecessor was analysed yet
                end = dict(state)
                for statement in member.body:
                    self._step(statement, end)
                self._leave(member, end)
                for edge in member.transfer.edges if member.transfer else ():
                    target = local_target(edge)
                    if target is not None and self._meet(target, end):
                        pending.add(target)

    def _meet(self, target: ir.Continuation, end: _State) -> bool:
        """Drop the facts about the start of `target` that do not hold on this edge. Returns whether there were any."""
        start = self._start[target]
        shared = dict(end) if start is None else {key: fact for key, fact in start.items() if end.get(key) == fact}
        self._start[target] = shared
        return start is None or len(shared) < len(start)

    def rewrite(self) -> None:
        """Remove the loads of known contents and the stores that do not change the content."""
        for member in self._order:
            state = dict(self._start[member] or {})
            member.body = [statement for statement in member.body if not self._is_removed(statement, state)]
        for member in self._order if self._replaced else ():
            for statement in member.body:
                statement.operands = tuple(map(self._resolved, statement.operands))
            if member.transfer:
                replace_in_transfer(member.transfer, self._resolved)

    @property
    def replaced(self) -> dict[ir.Value, ir.Value]:
        """The removed loads, each with the value that replaces it."""
        return {load: self._resolved(load) for load in self._replaced}

    def _resolved(self, value: ir.Value) -> ir.Value:
        while value in self._replaced:
            value = self._replaced[value]
        return value

    def _is_removed(self, statement: ir.Statement, state: _State) -> bool:
        known = self._content(statement, state)
        if statement.op == LOAD and known:
            value = self._replaced[statement] = self._resolved(known.value)
            if isinstance(value, ir.Effect) and value.op == LOAD and self._accessed(value) == self._accessed(statement):
                value.attributes = common(value.attributes, statement.attributes)
            return True
        if statement.op == STORE:
            place = self._accessed(statement)
            if self._is_certain(place, state):
                self.certain.add(statement)
                if known and self._is_same(known.value, statement.operands[0]):
                    return True
        self._step(statement, state)
        return False

    def _is_same(self, one: ir.Value, other: ir.Value) -> bool:
        one, other = self._resolved(one), self._resolved(other)
        if isinstance(one, ir.Constant) and isinstance(other, ir.Constant):
            return one.type is other.type and repr(one.value) == repr(other.value)
        return one is other

    def _accessed(self, statement: ir.Statement) -> Place:
        """The place of a load or store."""
        type = statement.operands[0].type if statement.op == STORE else statement.type
        assert isinstance(type, ir.Scalar)
        return self._places.place(statement.operands[-1], type.size)

    def _content(self, statement: ir.Statement, state: _State) -> _Known | None:
        """The known content of the place that the statement loads or stores to."""
        if statement.op not in (LOAD, STORE):
            return None
        place = self._accessed(statement)
        type = statement.operands[0].type if statement.op == STORE else statement.type
        assert isinstance(type, ir.Scalar)
        if statement.op == LOAD and (constant := _constant_at(place, type)):
            return _Known(constant, is_stored=False)
        return state.get((place, type))

    def _is_certain(self, place: Place, state: _State) -> bool:
        """Whether a store to the place succeeds."""
        found = place.root.object
        if place.root.is_start:
            if isinstance(found, ir.Data):
                return not found.constant_bytes and place.end <= found.object_type.size
            if place.root in state and isinstance(found, ir.Effect):
                return place.end <= _size(found)
        return any(
            fact.is_stored and not isinstance(key, Root) and key[0].contains(place) for key, fact in state.items()
        )

    def _step(self, statement: ir.Statement, state: _State) -> None:
        """Update the state from before the statement to after it."""
        if statement.op == LOAD:
            place = self._accessed(statement)
            if (place, statement.type) not in state:
                _add(state, (place, statement.type), _Known(statement, is_stored=False))
        elif statement.op == STORE:
            value, place = statement.operands[0], self._accessed(statement)
            self._forget(state, place)
            if not isinstance(value, ir.Undef) and value not in self._undefined:
                assert isinstance(value.type, ir.Scalar)
                _add(state, (place, value.type), _Known(value, is_stored=True))
        elif statement.op == FOREIGN:  # it may change all objects
            state.clear()
        elif statement.op == COPY:
            self._copy(statement, state)
        elif statement.op == ALLOCATE and _size(statement) >= 0:
            root, _ = self._places.address(statement)
            _add(state, root, _Known(statement, is_stored=True))
        elif statement.op in ENDING or statement.op in PROTECTING:
            root, _ = self._places.address(statement.operands[0])
            for key in [*state]:
                if self._places.may_share_object(root, key if isinstance(key, Root) else key[0].root):
                    self._end(key, statement.op, state)

    def _end(self, key: _Key, op: str, state: _State) -> None:
        """The object of the key has ended, or cannot be stored to any more, but keeps its content."""
        fact = state.pop(key)
        if op in PROTECTING and not isinstance(key, Root):
            state[key] = fact._replace(is_stored=False)

    def _copy(self, statement: ir.Statement, state: _State) -> None:
        """The known contents of the source are those of the target, too."""
        size = ir.object_type_of(statement).size
        source, target = (self._places.place(pointer, size) for pointer in statement.operands)
        copied = [
            (Place(target.root, key[0].offset - source.offset + target.offset, key[0].size), key[1], fact.value)
            for key, fact in state.items()
            if not isinstance(key, Root) and source.contains(key[0])
        ]
        self._forget(state, target)
        for place, type, value in copied:
            _add(state, (place, type), _Known(value, is_stored=True))

    def _forget(self, state: _State, changed: Place) -> None:
        for key in [*state]:
            if not isinstance(key, Root) and self._places.may_overlap(changed, key[0]):
                del state[key]

    def _leave(self, member: ir.Continuation, state: _State) -> None:
        """A call may change, and end, every object but the confined ones; a foreign transfer, every object."""
        if isinstance(member.transfer, ir.ForeignTransfer):
            state.clear()
        if isinstance(member.transfer, ir.Call):
            for key in [*state]:
                if (key if isinstance(key, Root) else key[0].root).object not in self._places.confined:
                    del state[key]


def _add(state: _State, key: _Key, fact: _Known) -> None:
    state[key] = fact
    if len(state) > MAX_FACTS:
        del state[next(iter(state))]


def _size(allocation: ir.Statement) -> int:
    """The size of a new variable; -1 if it varies."""
    count = allocation.operands[0] if allocation.operands else None
    if count is not None and not isinstance(count, ir.Constant):
        return -1
    return ir.object_type_of(allocation).size * (1 if count is None else int(count.value))


def _constant_at(place: Place, type: ir.Scalar) -> ir.Value | None:
    """The content of a place in constant data, as far as constants can denote it."""
    data = place.root.object
    if not isinstance(data, ir.Data) or not data.is_constant or data.is_replaceable or not place.root.is_start:
        return None
    if place.end > data.object_type.size:
        return None
    near = [each for each in range(place.offset - ir.PTR.size + 1, place.end) if each in data.addresses]
    if near:
        target, distance = data.addresses[near[0]]
        is_whole = near == [place.offset] and type is ir.PTR and distance == 0
        return target if is_whole and isinstance(target, ir.Data) else None
    content = data.content[place.offset : place.end].ljust(type.size, b"\0")
    if type.kind == "bool" and content[0] > 1:
        return None
    (value,) = format_of(type).unpack(content)
    is_denoted = value == value and (type is not ir.PTR or value == 0)
    return ir.Constant(type, value) if is_denoted else None


# ------------------------------------------------------------------------------------------------------ dead stores

_DeadPlace = Union[Place, ir.Value]
"""A place that is overwritten before it is read, or an object whose lifetime ends before it is read."""

_Dead = dict[_DeadPlace, None]
"""The dead places and objects at a point of the function, in the order in which they were found."""


class _Backward:
    """Removes those of the `certain` stores whose places are dead on every path."""

    def __init__(self, function: ir.Function, places: Places, certain: Collection[ir.Statement]) -> None:
        self._function = function
        self._places = places
        self._certain = certain
        self._order = reverse_postorder(function)[::-1]
        self._start: dict[ir.Continuation, _Dead | None] = dict.fromkeys(self._order)  # None: all places are dead

    def rewrite(self) -> None:
        """Remove the dead stores."""
        if not self._certain:
            return
        predecessors = incoming(self._function)
        position = {member: number for number, member in enumerate(self._order)}
        pending = {*self._order}
        while pending:
            for member in sorted(pending, key=position.__getitem__):
                pending.discard(member)
                state = self._end(member)
                for statement in reversed(member.body):
                    state = self._before(statement, state)
                if state is not None:
                    state = self._without(state, member.parameters)
                before = self._start[member]
                state = self._common(before, state)
                if state is not None and (before is None or state.keys() != before.keys()):
                    self._start[member] = state
                    pending.update(source for source, _ in predecessors.get(member, ()))
        for member in self._order:
            state, kept = self._end(member), []
            for statement in reversed(member.body):
                if statement in self._certain and self._is_dead(statement, state):
                    continue
                kept.append(statement)
                state = self._before(statement, state)
            member.body = kept[::-1]

    def _end(self, member: ir.Continuation) -> _Dead | None:
        """The dead places at the end of the body of the member."""
        transfer = member.transfer
        assert transfer
        if escaping_continuations(member) or isinstance(transfer, ir.ForeignTransfer):
            return {}
        state: _Dead | None = None
        for edge in transfer.edges:
            state = self._common(state, self._after(edge.target))
        if isinstance(transfer, ir.Call):  # the callee may read everything but confined objects
            if state is None:
                return self._confined()
            return {each: None for each in state if self._object(each) in self._places.confined}
        return state

    def _common(self, one: _Dead | None, other: _Dead | None) -> _Dead | None:
        """The places that are dead in both states."""
        if one is None or other is None:
            return other if one is None else one
        first = {each: None for each in one if self._is_covered(each, other)}
        return first | {each: None for each in other if self._is_covered(each, one)}

    def _is_covered(self, dead: _DeadPlace, state: _Dead) -> bool:
        return dead in state or self._object(dead) in state

    def _after(self, target: object) -> _Dead | None:
        """The dead places at the start of the target."""
        if isinstance(target, ir.External):
            return None if target.ends else {}
        if target is self._function.return_continuation:
            return self._confined()
        return self._start[target] if isinstance(target, ir.Continuation) and target in self._start else {}

    def _confined(self) -> _Dead:
        return dict.fromkeys(self._places.confined)

    def _object(self, dead: _DeadPlace) -> ir.Value | None:
        return dead.root.object if isinstance(dead, Place) else dead

    def _is_dead(self, store: ir.Statement, state: _Dead | None) -> bool:
        value, pointer = store.operands
        assert isinstance(value.type, ir.Scalar)
        place = self._places.place(pointer, value.type.size)
        if state is None or place.root.object in state:
            return True
        return any(isinstance(each, Place) and each.contains(place) for each in state)

    def _before(self, statement: ir.Statement, state: _Dead | None) -> _Dead | None:
        """The dead places before the statement, given those after it."""
        kind = OPERATIONS[statement.op].kind
        if kind == "foreign":  # it may read all objects
            return {}
        if state is None:
            if statement.op == STORE or kind not in ("memory", "output"):
                return None
            state = self._confined()
        state = self._without(state, [statement])
        if statement.op in (STORE, COPY):
            _extend(state, self._places.place(statement.operands[1], _access_size(statement)))
        if statement.op in (LOAD, LOAD_OR, COPY):
            return self._unread(state, self._places.place(statement.operands[0], _access_size(statement)))
        if statement.op in RELEASING:
            root, offset = self._places.address(statement.operands[0])
            if offset == 0 and isinstance(root.object, ir.Effect) and root.is_start:
                _extend(state, root.object)
        elif kind == "output" or statement.op == RESIZE:
            for operand in statement.operands:
                if operand.type is ir.PTR:
                    state = self._unread(state, self._places.address(operand)[0])
        return state

    def _without(self, state: _Dead, defined: Iterable[ir.Value]) -> _Dead:
        """The dead places before the definitions of values, without the places that depend on these values."""
        values = {*defined}
        return {
            each: None
            for each in state
            if (values.isdisjoint(each.root.values) if isinstance(each, Place) else each not in values)
        }

    def _unread(self, state: _Dead, read: Place | Root) -> _Dead:
        """The dead places before a read of a place, or of the object that a root points into."""
        return {each: None for each in state if not self._may_read(read, each)}

    def _may_read(self, read: Place | Root, dead: _DeadPlace) -> bool:
        if isinstance(dead, Place) and isinstance(read, Place):
            return self._places.may_overlap(read, dead)
        root = read.root if isinstance(read, Place) else read
        if isinstance(dead, Place):
            return self._places.may_share_object(root, dead.root)
        return root.object is dead or (root.object is None and dead not in self._places.confined)


def _extend(state: _Dead, dead: _DeadPlace) -> None:
    state[dead] = None
    if len(state) > MAX_FACTS:
        del state[next(iter(state))]


def _access_size(statement: ir.Statement) -> int:
    if statement.op == COPY:
        return ir.object_type_of(statement).size
    type = statement.operands[0].type if statement.op == STORE else statement.type
    assert isinstance(type, ir.Scalar)
    return type.size
