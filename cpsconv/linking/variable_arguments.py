"""Calls of functions with variable arguments whose definition is linked: the arguments are passed in slots.

A program calls a declared function with its arguments one by one, as C does (`cpsconv.ir.CSignature`), but the
definition takes a pointer to their `va_list`, which precedes them in slots of 8 bytes (`argument_passing.in_slots`).
The call allocates the slots, and its continuation deallocates them.
"""

from __future__ import annotations

from collections.abc import Mapping

from cpsconv.analysis.graph import count_uses, is_local
from cpsconv.erasure import is_explicit
from cpsconv.ir import (
    INT,
    LONG,
    PTR,
    UNSIGNED,
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
from cpsconv.linking.references import Global
from cpsconv.operations.argument_passing import LIST, NO_REGISTERS, in_slots
from cpsconv.operations.table import ALLOCATE, DEALLOCATE, ELEMENT, STORE
from cpsconv.source import DiagnosticError, error


def pass_in_slots(program: Program, targets: Mapping[Global, Global]) -> None:
    """Change, in place, the calls of declared functions with variable arguments that have a definition in `targets`.

    Raises `DiagnosticError` if there is one in a program with explicit memory.
    """
    variadic = {
        each
        for each in program.externals
        if each.c_signature and each.c_signature.is_variadic and _is_defined(targets[each])
    }
    for function in program.functions if variadic else ():
        for member in [*function.members()]:
            call = member.transfer
            if isinstance(call, Call) and (declared := call.variadic or call.callee) in variadic:
                if is_explicit(program):
                    what = f"the call of `{declared.name}`, with variable arguments,"
                    message = f"{what} cannot be linked while memory is explicit"
                    raise DiagnosticError([error(message, call.span, rule="symbol-type")])
                definition = targets[declared]
                assert isinstance(definition, Function)
                call_definition(function, member, call, declared, definition)


def _is_defined(target: Global) -> bool:
    return isinstance(target, Function) and target.transfer is not None


def call_definition(
    function: Function, member: Continuation, call: Call, declared: Function, definition: Function
) -> None:
    """Change the call, at the end of a member of the function, of a `declared` function to one of its definition."""
    _Adapted(function, member, call, declared, definition)


class _Adapted:
    """A call that becomes one of the definition."""

    def __init__(
        self, function: Function, member: Continuation, call: Call, declared: Function, definition: Function
    ) -> None:
        self.function, self.member, self.call = function, member, call
        pointer = call.pointer
        named = len(declared.parameters) - 1
        arguments, variable = call.arguments[:named], call.arguments[named:]
        slots = self._slots(variable)
        call.callee, call.pointer, call.arguments = definition, None, [*arguments, slots]
        self._deallocate(Effect(DEALLOCATE, (slots,), VOID, None, call.span))
        if isinstance(pointer, Primitive) and not count_uses(function)[pointer]:
            for each in function.members():
                each.body = [statement for statement in each.body if statement is not pointer]

    def _slots(self, variable: list[Value]) -> Effect:
        """Allocate and fill the slots before the call."""
        types = [value.type for value in variable if isinstance(value.type, Scalar)]
        slots = in_slots([(type.size, type.alignment) for type in types])
        block = Effect(
            ALLOCATE, (Constant(INT, slots.length),), PTR, "arguments", self.call.span, LONG, slots.alignment
        )
        self.member.body.append(block)
        for number, offset in enumerate(NO_REGISTERS):
            self._store(Constant(UNSIGNED, offset), self._slot(block, number, UNSIGNED))
        self._store(self._slot(block, LIST), self._slot(block, 1))
        for number, value in zip(slots.numbers, variable, strict=True):
            self._store(value, self._slot(block, number))
        return block

    def _slot(self, block: Effect, number: int, type: Scalar = LONG) -> Value:
        """The address of a slot."""
        if not number:
            return block
        place = Primitive(ELEMENT, (block, Constant(INT, number)), PTR, None, self.call.span, type)
        self.member.body.append(place)
        return place

    def _store(self, value: Value, place: Value) -> None:
        self.member.body.append(Effect(STORE, (value, place), VOID, None, self.call.span))

    def _deallocate(self, effect: Effect) -> None:
        """Deallocate the slots after the call: in its continuation, or in a new one if others lead there, too."""
        target, span = self.call.then.target, self.call.span
        if is_local(target) and count_uses(self.function)[target] == 1:
            target.body.insert(0, effect)
            return
        assert isinstance(target.type, ContinuationType)
        parameters = [Parameter(type, "v", span) for type in target.type.parameters]
        after = Continuation("after", parameters, [effect], Jump(Edge(target, [*parameters]), span), span)
        self.function.continuations.append(after)
        self.call.then = Edge(after)
