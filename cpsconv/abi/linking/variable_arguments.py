"""Calls of functions with variable arguments whose definition is linked: the arguments are passed in slots.

A program calls a declared function with its arguments one by one, as C does (`cpsconv.abi.attributes`), but the
definition takes a pointer to their `va_list`, which precedes them in slots of 8 bytes (`argument_passing.in_slots`).
The call allocates the slots, and its continuation deallocates them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from cpsconv.abi.argument_passing import in_slots, write_list
from cpsconv.abi.attributes import ARGUMENTS, is_variadic, variadic_callee
from cpsconv.abi.linking.references import Global
from cpsconv.core.analysis.graph import count_uses, is_local
from cpsconv.core.ir import (
    INT,
    LONG,
    PTR,
    VOID,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Edge,
    Effect,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Value,
)
from cpsconv.core.operations.table import ALLOCATE, DEALLOCATE, ELEMENT, STORE
from cpsconv.core.source import DiagnosticError, Span, error


def pass_in_slots(program: Program, targets: Mapping[Global, Global]) -> None:
    """Change, in place, the calls of declared functions with variable arguments that have a definition in `targets`.

    Raises `DiagnosticError` if there is one in a program with explicit memory.
    """
    variadic = {each for each in program.externals if is_variadic(each) and _is_defined(targets[each])}
    for function in program.functions if variadic else ():
        calls = CallsInSlots(function)
        for member in [*function.members()]:
            call = member.transfer
            if isinstance(call, Call) and (declared := variadic_callee(call) or call.callee) in variadic:
                if program.has_explicit_memory:
                    what = f"the call of `{declared.name}`, with variable arguments,"
                    message = f"{what} cannot be linked while memory is explicit"
                    raise DiagnosticError([error(message, call.span, rule="symbol-type")])
                definition = targets[declared]
                assert isinstance(definition, Function)
                calls.change(member, call, declared, definition)
        calls.drop_unused_pointers()


def _is_defined(target: Global) -> bool:
    return isinstance(target, Function) and target.transfer is not None


class CallsInSlots:
    """The calls of a function that become calls of definitions, with their variable arguments in slots."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._pointers: set[Value] = set()

    @cached_property
    def _uses(self) -> Counter[Value]:
        """The number of uses of each continuation before a call gets a new one."""
        return count_uses(self._function)

    def change(self, member: Continuation, call: Call, declared: Function, definition: Function) -> None:
        """Change the call, at the end of the member, of a `declared` function to one of its definition."""
        if call.pointer is not None:
            self._pointers.add(call.pointer)
        named = len(declared.parameters) - 1
        slots = _filled_slots(member, call.arguments[named:], call.span)
        call.callee, call.pointer, call.arguments = definition, None, [*call.arguments[:named], slots]
        self._deallocate_after(call, slots)

    def drop_unused_pointers(self) -> None:
        """Remove the pointers that only changed calls used: calls can share one."""
        if self._pointers:
            unused = self._pointers.difference(count_uses(self._function))
            for member in self._function.members():
                member.body = [statement for statement in member.body if statement not in unused]

    def _deallocate_after(self, call: Call, slots: Value) -> None:
        """Deallocate the slots after the call: in its continuation, or in a new one if others lead there, too."""
        deallocation = Effect(DEALLOCATE, (slots,), VOID, None, call.span)
        target = call.then.target
        if is_local(target) and self._uses[target] == 1:
            target.body.insert(0, deallocation)
            return
        assert isinstance(target.type, ContinuationType)
        parameters = [Parameter(type, "v", call.span) for type in target.type.parameters]
        jump = Jump(Edge(target, [*parameters]), call.span)
        after = Continuation("after", parameters, [deallocation], jump, call.span)
        self._function.continuations.append(after)
        call.then = Edge(after)


def _filled_slots(member: Continuation, arguments: list[Value], span: Span | None) -> Effect:
    """The allocation of the slots of the variable arguments, appended to the member, which then fills them."""
    types = [value.type for value in arguments if isinstance(value.type, Scalar)]
    slots = in_slots([(type.size, type.alignment) for type in types])
    block = Effect(ALLOCATE, (Constant(INT, slots.length),), PTR, ARGUMENTS, span, LONG, slots.alignment)

    def place(number: int, type: Scalar) -> Value:
        if not number:
            return block
        element = Primitive(ELEMENT, (block, Constant(INT, number)), PTR, None, span, type)
        member.body.append(element)
        return element

    def store(value: Value, place: Value) -> None:
        member.body.append(Effect(STORE, (value, place), VOID, None, span))

    member.body.append(block)
    write_list(place, store, types)
    for number, value in zip(slots.numbers, arguments, strict=True):
        store(value, place(number, LONG))
    return block
