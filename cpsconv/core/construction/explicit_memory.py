"""Explicit memory: the state of memory as one more variable, which the Builder reads and writes with each access.

The variable has the type `MEMORY`, so construction places parameters for memory as for any variable. An access reads
the variable; a store, copy, deallocation or release also assigns it, and so does an allocation, to the memory
extended by the new object. Functions take its value as their last parameter before the return continuation, and return
it.

*Separate objects.* The memory of an object can be a variable of its own, if the address of the object does not escape:
if it is used only in accesses to the object. These accesses neither change nor read any other memory. Which objects
these are is known when the whole program is constructed, so it is constructed twice: `Accesses` observes the first
construction, and its `variables` are those of the second one, for each access in the order of construction.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from cpsconv.core.construction import events
from cpsconv.core.construction.block import Variable
from cpsconv.core.construction.events import Observer
from cpsconv.core.ir import MEMORY, PTR, Effect, Primitive, Program, Value
from cpsconv.core.operations.queries import accesses_memory
from cpsconv.core.operations.table import ALLOCATING, COPY, CREATING, ELEMENT, FIELD, LOAD_OR, STORE


class ExplicitMemory:
    """The memory of a program that is constructed with explicit memory.

    `variables` has the variable of each access, None for `rest`, the memory of all other objects.
    """

    def __init__(self, variables: Sequence[Variable | None] = ()) -> None:
        self.rest = Variable("m", MEMORY)
        self._variables: Iterator[Variable | None] = iter(variables)

    def changing(self, may_assign: Container[Variable]) -> Container[Variable]:
        """The variables of which a front end states that they may change, and all memories."""
        return _WithMemories(may_assign)

    def next_variable(self) -> Variable:
        """The variable of the next access."""
        return next(self._variables, None) or self.rest


class _WithMemories:
    def __init__(self, variables: Container[Variable]) -> None:
        self._variables = variables

    def __contains__(self, variable: object) -> bool:
        return getattr(variable, "type", None) is MEMORY or variable in self._variables


FORMS = ("one", "objects")
"""The forms of explicit memory: one variable for all memory, or also one for each object that does not escape."""


def memory_for(form: str | None, construct: Callable[[Observer], Program]) -> ExplicitMemory | None:
    """The memory of a construction in one of the `FORMS`; None for an ordinary construction.

    `construct` constructs the same program with ordinary memory, observed. Raises `ValueError` for an unknown form.
    """
    if form is None:
        return None
    if form not in FORMS:
        raise ValueError(f"there is no form {form!r} of explicit memory; there are {', '.join(FORMS)}")
    if form == "one":
        return ExplicitMemory()
    accesses = Accesses()
    return ExplicitMemory(accesses.variables(construct(accesses)))


class Accesses:
    """An observer of a construction that collects the accesses to memory, in order."""

    def __init__(self) -> None:
        self._accesses: list[Effect] = []

    def __call__(self, event: events.Event) -> None:
        """Collect an access."""
        statement = event.statement if isinstance(event, events.Compute) else None
        if isinstance(statement, Effect) and accesses_memory(statement):
            self._accesses.append(statement)

    def variables(self, program: Program) -> list[Variable | None]:
        """The variable of each access in the finished program: that of its object, if the object has its own."""
        bases = _Bases()
        escaped = {bases[value] for value in _escaping(program, bases)}
        variables: dict[Value, Variable] = {}
        for each in self._accesses:
            if each.op in ALLOCATING and each not in escaped:
                variables[each] = Variable(f"m_{each.name}" if each.name else "m", MEMORY, each.span)
        return [variables.get(bases[_accessed(each)]) for each in self._accesses]


class _Bases(dict[Value, Value]):
    """The pointer from which each address of a field or element is computed. Other pointers are their own."""

    def __missing__(self, value: Value) -> Value:
        """Follow the computation to a known address or to its start."""
        path = [value]
        while isinstance(value, Primitive) and value.op in (ELEMENT, FIELD):
            value = value.operands[0]
            if value in self:
                value = self[value]
                break
            path.append(value)
        self.update(dict.fromkeys(path, value))
        return value


def _accessed(access: Effect) -> Value:
    """The pointer through which an access reads or changes memory; an allocation is its own."""
    if access.op in CREATING:
        return access
    pointers = [operand for operand in access.operands if operand.type is PTR]
    return access.operands[1] if access.op == STORE else pointers[0]


def _escaping(program: Program, bases: _Bases) -> Iterator[Value]:
    """The pointers that are used otherwise than in an access to one object."""
    for member in program.members():
        for statement in member.body:
            pointers = [operand for operand in statement.operands if operand.type is PTR]
            if isinstance(statement, Primitive):
                yield from pointers if statement.op not in (ELEMENT, FIELD) else ()
            elif statement.op == STORE:
                yield from pointers[:-1]
            elif statement.op == LOAD_OR:
                yield from pointers[1:]
            elif statement.op in (COPY, *CREATING) or len({bases[each] for each in pointers}) > 1:
                yield from pointers
        if member.transfer:
            yield from (value for value in member.transfer.uses if value.type is PTR)
