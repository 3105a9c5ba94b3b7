"""Warnings about pointers to variables: those that a function returns or leaves in memory, and those that it releases.

A pointer is followed through addresses of elements and fields. A returned pointer is also followed through the
parameters that it passes, since one path on which a function returns the address of its variable is a mistake. A
released pointer is not: a program may release only those pointers that do not point to its buffer on the stack. A
function leaves a pointer in the place of its last store there, at the address of data or of a parameter; a function
called later may change it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from cpsconv.core.analysis.flow import parameter_arguments
from cpsconv.core.analysis.graph import depth_first, successors
from cpsconv.core.analysis.places import Places
from cpsconv.core.ir import PTR, Call, Continuation, Data, Effect, Function, Parameter, Primitive, Statement, Value
from cpsconv.core.operations.names import CREATE, CREATE_ZEROED, RELEASE, RELEASE_NONHEAP, RESIZE
from cpsconv.core.operations.table import CONVERT, CREATING, DEALLOCATE, ELEMENT, FIELD, STORE
from cpsconv.core.source import Diagnostic, Note, Span, warning

RELEASES = (RELEASE, RESIZE)
"""The operations that take the start of an object on the heap."""

_ON_HEAP = (CREATE, CREATE_ZEROED, RESIZE)
_KNOWN = CREATING | {ELEMENT, FIELD, CONVERT}


def pointer_warnings(function: Function) -> Iterator[Diagnostic]:
    """A warning for each address of a variable that is returned or left, and each release of what is not allocated."""
    statements = [statement for member in function.members() for statement in member.body]
    ended = {each.operands[0] for each in statements if each.op == DEALLOCATE}
    returned = [*_results(function)] if ended else []
    released = [each for each in statements if isinstance(each, Effect) and each.op in RELEASES and _is_known(each)]
    stores = [each for each in statements if each.op == STORE] if ended else []
    if returned or released or any(each.operands[0].type is PTR for each in stores):
        places = Places(function)
        yield from _of_variables(function, returned, ended, places)
        yield from _left(function, stores, ended, places)
        for effect in released:
            yield from _released(effect, places)


def _of_variables(
    function: Function, returned: Sequence[tuple[Value, Span | None]], ended: Collection[Value], places: Places
) -> Iterator[Diagnostic]:
    passed = parameter_arguments(function) if returned else {}
    for value, span in returned:
        for source, _ in depth_first([value], lambda each: passed.get(each, ()) if isinstance(each, Parameter) else ()):
            variable = places.address(source)[0].object
            if variable and variable in ended:
                message = "the address of a variable is returned, but the variable does not exist after the return"
                yield warning(message, span, notes=_declaration(variable), rule="return-local-addr")
                break


def _left(
    function: Function, stores: Sequence[Statement], ended: Collection[Value], places: Places
) -> Iterator[Diagnostic]:
    changes = Counter(places.address(store.operands[1]) for store in stores)
    for store in _last_statements(function):
        if store.op != STORE or (variable := places.address(store.operands[0])[0].object) not in ended:
            continue
        root, offset = places.address(store.operands[1])
        is_outside = isinstance(root.object, Data) or {*root.values} <= {*function.parameters}
        if variable and is_outside and changes[root, offset] == 1:
            message = "the address of a variable is left in memory, but the variable does not exist after the return"
            yield warning(message, store.span, notes=_declaration(variable), rule="dangling-pointer")


def _last_statements(function: Function) -> Iterator[Statement]:
    """The statements after which the function calls no function."""
    before: dict[Continuation, list[Continuation]] = defaultdict(list)
    for member in function.members():
        for target in successors(member):
            before[target].append(member)
    calling = [member for member in function.members() if isinstance(member.transfer, Call)]
    leading = {member for member, _ in depth_first(calling, lambda member: before[member])}
    for member in function.members():
        yield from member.body if member not in leading else ()


def _results(function: Function) -> Iterator[tuple[Value, Span | None]]:
    """The pointers that the function returns."""
    for member in function.members():
        if (transfer := member.transfer) and function.return_continuation:
            for edge in transfer.edges:
                if edge.target is function.return_continuation:
                    yield from ((value, transfer.span) for value in edge.arguments if value.type is PTR)


def _is_known(effect: Effect) -> bool:
    """Whether the operand is computed by the function, so that it may point to an object that is known."""
    pointer = effect.operands[0]
    return isinstance(pointer, Data) or (isinstance(pointer, (Effect, Primitive)) and pointer.op in _KNOWN)


def _released(effect: Effect, places: Places) -> Iterator[Diagnostic]:
    pointer = effect.operands[0]
    root, offset = places.address(pointer)
    what = "a part of an object" if offset else None
    if isinstance(pointer, Primitive) and isinstance(pointer.operands[0], Function):
        what = "a function"
    elif isinstance(root.object, Data):
        what = "a constant" if root.object.is_constant else "a variable"
    elif isinstance(root.object, Effect) and root.object.op not in _ON_HEAP:
        what = "a variable"
    if what:
        notes = _declaration(root.object) if root.object else []
        message = f"`{effect.op}` of {what}: only pointers from `{CREATE}` and similar functions can be freed"
        yield warning(message, effect.span, notes=notes, rule=RELEASE_NONHEAP)


def _declaration(target: Value) -> list[Note]:
    """The note on the place where an object is created."""
    assert isinstance(target, (Effect, Data))
    is_allocated = isinstance(target, Effect) and target.op in _ON_HEAP
    return [("it is allocated here" if is_allocated else "it is declared here", target.span)] if target.span else []
