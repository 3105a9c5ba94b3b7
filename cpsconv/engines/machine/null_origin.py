"""The origin of a null pointer that an operation accesses, as notes of the runtime error.

The definition of the pointer is followed back through address computations, parameters and the frames of the callers.
Every note is certain: where several definitions are possible, the notes end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from cpsconv.core import ir
from cpsconv.core.operations.pointers import number_of, offset_of
from cpsconv.core.operations.table import ALLOCATE, CONVERT, ELEMENT, FIELD, LOADS, STORE
from cpsconv.core.source import Note
from cpsconv.engines.machine.link import LinkedProgram
from cpsconv.engines.machine.memory_text import place_text
from cpsconv.engines.machine.values import Block, Closure, Frame

MAX_NOTES = 5


class _Place(NamedTuple):
    """A value in a frame of a function. `is_current`: the value has not been computed again since it was passed on."""

    value: ir.Value
    function: ir.Function
    frame: Frame
    is_current: bool = True


def null_notes(linked: LinkedProgram, site: ir.Statement | ir.Transfer, block: Block, frame: Frame) -> list[Note]:
    """The notes on the null pointer among the operands of `site`, which is in the block."""
    function = linked.function_of(block)
    pointers = _pointers(site)
    found = (value for value in pointers if _is_null(_held(linked, _Place(value, function, frame))))
    value = next(found, None)
    return [] if value is None else [*islice(_origins(linked, _Place(value, function, frame)), MAX_NOTES)]


def _pointers(site: ir.Statement | ir.Transfer) -> Sequence[ir.Value]:
    """The pointers through which the site accesses memory or a function."""
    if isinstance(site, ir.Call):
        return site.arguments if site.pointer is None else [site.pointer]
    operands = site.operands[1:] if isinstance(site, ir.Effect) and site.op == STORE else site.operands
    return [operand for operand in operands if operand.type is ir.PTR]


def _is_null(held: Any) -> bool:
    return isinstance(held, int) and number_of(held) == 0


def _held(linked: LinkedProgram, place: _Place) -> Any:
    """The value at run time; None if the value has no slot."""
    slot = linked[place.function].slots.get(place.value)
    return None if slot is None else place.frame[slot]


def _origins(linked: LinkedProgram, place: _Place) -> Iterator[Note]:
    """The notes on the origin of a null pointer, from the last definition on."""
    while True:
        value = place.value
        if isinstance(value, ir.Parameter):
            found = _before(linked, place, value)
            if found is None:
                return
            note, before = found
            if note[1]:
                yield note
            if before is None:
                return
            place = before
        elif isinstance(value, ir.Primitive) and value.op in (ELEMENT, FIELD):
            place = place._replace(value=value.operands[0])
        elif isinstance(value, ir.Effect) and value.op in LOADS:
            if value.span:
                name = _loaded_from(linked, place._replace(value=value.operands[0]))
                yield f"null is loaded{f' from `{name}`' if name else ''} here", value.span
            return
        else:
            if isinstance(value, ir.Effect) and value.span:
                yield f"`{value.op}` returns null here", value.span
            return


def _loaded_from(linked: LinkedProgram, place: _Place) -> str | None:
    """The place in memory from which a pointer was loaded, if it is in an object that has a name."""
    if not place.is_current:
        return None
    pointer = _held(linked, place)
    number, offset = number_of(pointer), offset_of(pointer)
    found = linked.memory.objects[number]
    return place_text(found, number, offset, ir.PTR) if found.name and found.origin != "heap" else None


def _before(linked: LinkedProgram, place: _Place, parameter: ir.Parameter) -> tuple[Note, _Place | None] | None:
    """The note on the transfer that passed null for the parameter, and the argument; None if it is not certain."""
    function = place.function
    member = next(each for each in function.members() if parameter in each.parameters)
    index = member.parameters.index(parameter)
    if member is function:
        return _argument_of_call(linked, place, index, parameter)
    entering = [
        (each.transfer, edge)
        for each in function.members()
        if each.transfer
        for edge in each.transfer.edges
        if edge.target is member
    ]
    calls = [transfer for transfer, _ in entering if isinstance(transfer, ir.Call)]
    if calls:
        if len(entering) > 1 or not calls[0].span:
            return None
        return (f"{_called(calls[0])} returns null here", calls[0].span), None
    possible = [
        (transfer, edge.arguments[index])
        for transfer, edge in entering
        if edge.arguments[index] is not parameter and _may_be_null(linked, place, edge.arguments[index])
    ]
    if len(possible) != 1:
        return None
    [(transfer, argument)] = possible
    return (f"`{parameter.name}` is null from here on", transfer.span), _Place(argument, function, place.frame, False)


def _argument_of_call(
    linked: LinkedProgram, place: _Place, index: int, parameter: ir.Parameter
) -> tuple[Note, _Place | None] | None:
    """The argument that the caller passed, which the return continuation identifies."""
    function = place.function
    ret = function.return_continuation
    closure = ret and _held(linked, place._replace(value=ret))
    if not isinstance(closure, Closure):
        return None
    call = closure.call
    if call is None or (call.callee is not function and call.pointer is None):
        return None
    caller = linked.function_of(closure.block)
    note = f"null is passed for `{parameter.name}` of `{function.name}` here", call.span
    return note, _Place(call.arguments[index], caller, closure.frame)


def _called(call: ir.Call) -> str:
    return f"`{call.callee.name}`" if call.pointer is None else "the called function"


def _may_be_null(linked: LinkedProgram, place: _Place, value: ir.Value) -> bool:
    """Whether a value that the function passed may have been null. Parameters of the function do not change."""
    while isinstance(value, ir.Primitive) and value.op in (ELEMENT, FIELD):
        value = value.operands[0]
    if value in place.function.parameters:
        return _is_null(_held(linked, place._replace(value=value)))
    if isinstance(value, ir.Primitive):
        return not (value.op == CONVERT and isinstance(value.operands[0], ir.Function))
    return not isinstance(value, ir.Data) and not (isinstance(value, ir.Effect) and value.op == ALLOCATE)
