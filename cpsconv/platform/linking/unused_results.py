"""Calls of functions that are linked with another result than declared, which no call uses.

C leaves such calls undefined, but they work, as the caller ignores the register of the result. They get a continuation
that takes the result of the definition, and passes an undefined one to the continuation that ignores it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cpsconv.core.analysis.graph import count_uses, is_local
from cpsconv.core.ir import (
    MEMORY,
    Call,
    Continuation,
    ContinuationType,
    Edge,
    Function,
    Jump,
    Parameter,
    Program,
    Scalar,
    Type,
    Undef,
    Value,
)
from cpsconv.platform.linking.references import Global, references


def is_result_unused(program: Program, declared: Global, other: Global) -> bool:
    """Whether functions differ only in their results, and the program only calls the `declared` one and uses none."""
    if not isinstance(declared, Function) or not isinstance(other, Function) or not _differ_in_results(declared, other):
        return False
    calls = [(function, call) for function, call in _calls(program) if call.callee is declared]
    if len(calls) < sum(used is declared for used, _ in references(program, program.functions)):
        return False  # its address is taken
    return all(_ignores_result(function, call) for function, call in calls)


def drop_results(program: Program, targets: Mapping[Global, Global]) -> None:
    """Change, in place, the calls of functions whose `targets` have other results."""
    for function, call in [*_calls(program)]:
        target = targets.get(call.callee)
        if isinstance(target, Function) and _differ_in_results(call.callee, target):
            _drop_result(function, call, target)


def _calls(program: Program) -> Iterator[tuple[Function, Call]]:
    """The calls by name, each with the function that calls."""
    for function in program.functions:
        for member in function.members():
            if isinstance(call := member.transfer, Call) and call.pointer is None:
                yield function, call


def _differ_in_results(one: Function, other: Function) -> bool:
    """Whether the types of the functions differ, but only in the results that are values and no memory."""
    (*own, result), (*others, other_result) = one.type.parameters, other.type.parameters
    memories, other_memories = _types(result).count(MEMORY), _types(other_result).count(MEMORY)
    return own == others and result != other_result and memories == other_memories


def _types(continuation: Type) -> tuple[Type, ...]:
    assert isinstance(continuation, ContinuationType)
    return continuation.parameters


def _ignores_result(function: Function, call: Call) -> bool:
    """Whether the continuation of the call, which is in the function, has no uses of its parameters but memory."""
    target = call.then.target
    if not is_local(target):
        return all(each is MEMORY for each in _types(target.type))
    uses = count_uses(function)
    return not any(uses[each] for each in target.parameters if each.type is not MEMORY)


def _drop_result(function: Function, call: Call, target: Function) -> None:
    """Let the call, which is in the function, ignore the result of the `target`."""
    ignoring = call.then.target
    results = [Parameter(type, "unused", call.span) for type in _types(target.type.parameters[-1])]
    memories: Iterator[Value] = (each for each in results if each.type is MEMORY)
    arguments: list[Value] = []
    for type in _types(ignoring.type):
        arguments.append(Undef(type, f"{target.name}()", target.span) if isinstance(type, Scalar) else next(memories))
    after = Continuation("after", results, [], Jump(Edge(ignoring, arguments), call.span), call.span)
    function.continuations.append(after)
    call.then = Edge(after)
