"""Faults, planted in programs that are right, and taken out again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cpsconv.core import ir
from cpsconv.core.operations.table import CONVERT, PRIMITIVES


@contextmanager
def planted(function: ir.Function, kind: str, seed: int) -> Iterator[bool]:
    """The function with a fault of that kind; False if there is no place for one. In the end it is as it was."""
    before = _taken(function)
    try:
        yield _is_planted(FAULTS[kind], _Ground(function, random.Random(seed)))
    finally:
        _put_back(function, before)


def _is_planted(fault: Callable[[_Ground], Any], ground: _Ground) -> bool:
    try:
        return fault(ground) is not False
    except IndexError:
        return False


def _taken(function: ir.Function):
    """All that a fault can change."""
    members = []
    for member in function.members():
        transfer = member.transfer
        assert transfer
        statements = [(each, each.op, each.operands) for each in member.body]
        edges = [(edge, edge.target, [*edge.arguments]) for edge in transfer.edges]
        slots = {name: getattr(transfer, name) for name in transfer.__slots__}
        lists = {name: [*value] for name, value in slots.items() if isinstance(value, list)}
        members.append((member, [*member.parameters], statements, transfer, (edges, slots, lists)))
    return [*function.continuations], members


def _put_back(function: ir.Function, taken) -> None:
    function.continuations, members = taken
    for member, parameters, statements, transfer, (edges, slots, lists) in members:
        member.parameters = parameters
        member.body = [statement for statement, _, _ in statements]
        for statement, op, operands in statements:
            statement.op, statement.operands = op, operands
        member.transfer = transfer
        for name, value in {**slots, **lists}.items():
            setattr(transfer, name, value)
        for edge, target, arguments in edges:
            edge.target, edge.arguments = target, arguments


class _Ground:
    """A function, and the choices that decide where the fault goes."""

    def __init__(self, function: ir.Function, random: random.Random) -> None:
        self.function = function
        self.random = random
        self.members = [*function.members()]
        self.edges = [edge for member in self.members for edge in member.transfer.edges]
        self.local = [edge for edge in self.edges if _is_local(edge)]
        self.passing = [edge for edge in self.local if edge.arguments]
        self.statements = [statement for member in self.members for statement in member.body]

    def values(self, type: ir.Type) -> list[ir.Value]:
        """All values of the type that occur in the function."""
        found: list[ir.Value] = [parameter for member in self.members for parameter in member.parameters]
        found += self.statements
        found += [operand for statement in self.statements for operand in statement.operands]
        found += [argument for edge in self.edges for argument in edge.arguments]
        return [*dict.fromkeys(value for value in found if value.type is type)]

    def other(self, value: ir.Value) -> ir.Value:
        """Another value of the same type: of the same name, if the choice falls so and there is one."""
        others = [each for each in self.values(value.type) if each is not value]
        namesakes = [each for each in others if _name(each) and _name(each) == _name(value)]
        return self.pick(namesakes if namesakes and self.random.random() < 0.5 else others)

    def other_or(self, value: ir.Value) -> ir.Value:
        """Another value of the same type, or the value itself if there is none."""
        return self.other(value) if len(self.values(value.type)) > 1 else value

    def pick(self, options):
        """One of the options. Raises `IndexError` if there are none."""
        return self.random.choice(options)

    def decision(self) -> ir.Branch | ir.Switch:
        """The transfer of a continuation with several edges."""
        return self.pick([m.transfer for m in self.members if isinstance(m.transfer, (ir.Branch, ir.Switch))])

    def received(self, parameter: ir.Parameter) -> list[ir.Value]:
        """The arguments for a parameter."""
        return [
            argument
            for edge in self.passing
            for each, argument in zip(edge.target.parameters, edge.arguments, strict=True)
            if each is parameter
        ]

    def replace(self, old: ir.Value, new: ir.Value) -> None:
        """Use `new` wherever `old` is used."""
        for statement in self.statements:
            statement.operands = tuple(new if operand is old else operand for operand in statement.operands)
        for member in self.members:
            transfer = member.transfer
            if isinstance(transfer, ir.Branch) and transfer.condition is old:
                transfer.condition = new
            if isinstance(transfer, ir.Switch) and transfer.value is old:
                transfer.value = new
            if isinstance(transfer, ir.Call):
                transfer.arguments = [new if argument is old else argument for argument in transfer.arguments]
        for edge in self.edges:
            edge.arguments = [new if argument is old else argument for argument in edge.arguments]

    def drop(self, member: ir.Continuation, index: int) -> None:
        """Take out a parameter and the arguments for it."""
        del member.parameters[index]
        for edge in self.passing:
            if edge.target is member:
                del edge.arguments[index]

    def placed(self) -> tuple[ir.Continuation, int]:
        """A parameter that receives arguments."""
        edge = self.pick(self.passing)
        return edge.target, self.random.randrange(len(edge.arguments))


def _is_local(edge: ir.Edge) -> bool:
    return isinstance(edge.target, ir.Continuation) and not isinstance(edge.target, ir.Function)


def _name(value: ir.Value) -> str | None:
    return None if isinstance(value, ir.Constant) else value.name


# ------------------------------------------------------------------------------------------------------- the faults


def wrong_argument(ground: _Ground) -> None:
    """Another value is passed."""
    edge = ground.pick([edge for edge in ground.edges if edge.arguments])
    index = ground.random.randrange(len(edge.arguments))
    edge.arguments[index] = ground.other(edge.arguments[index])


def swapped_arguments(ground: _Ground) -> bool:
    """Two arguments of an edge change places."""
    edge = ground.pick([edge for edge in ground.passing if len(edge.arguments) > 1])
    i, j = ground.random.sample(range(len(edge.arguments)), 2)
    edge.arguments[i], edge.arguments[j] = edge.arguments[j], edge.arguments[i]
    return edge.arguments[i] is not edge.arguments[j]


def parameter_replaced_by_an_argument(ground: _Ground) -> None:
    """One of the values that come to a parameter is taken for the only one."""
    member, index = ground.placed()
    parameter = member.parameters[index]
    argument = ground.pick([value for value in ground.received(parameter) if value is not parameter])
    ground.drop(member, index)
    ground.replace(parameter, argument)


def dropped_parameter(ground: _Ground) -> None:
    """A parameter is missing, though it is used."""
    ground.drop(*ground.placed())


def dropped_argument(ground: _Ground) -> None:
    """An edge passes too little."""
    edge = ground.pick(ground.passing)
    edge.arguments.pop(ground.random.randrange(len(edge.arguments)))


def extra_parameter(ground: _Ground) -> None:
    """A continuation takes one more parameter, which receives this and that, and some statement uses it."""
    target = ground.pick(ground.local).target
    statement = ground.pick([statement for statement in ground.statements if statement.operands])
    old = statement.operands[0]
    parameter = ir.Parameter(old.type, "extra")
    for each in ground.local:
        if each.target is target:
            each.arguments.append(ground.other_or(old))
    target.parameters.append(parameter)
    statement.operands = (parameter, *statement.operands[1:])


def parameter_for_what_has_none(ground: _Ground) -> None:
    """A continuation takes another parameter, which always receives the same."""
    target = ground.pick(ground.local).target
    value = ground.pick(ground.values(target.parameters[0].type))
    for each in ground.local:
        if each.target is target:
            each.arguments.append(value)
    target.parameters.append(ir.Parameter(value.type, "extra"))


def stale_value(ground: _Ground) -> None:
    """A use takes what came to a parameter for the parameter: an earlier value of the same variable."""
    member, index = ground.placed()
    parameter = member.parameters[index]
    users = [statement for statement in ground.statements if parameter in statement.operands]
    user = ground.pick([*users, *(edge for edge in ground.edges if parameter in edge.arguments)])
    earlier = ground.pick([value for value in ground.received(parameter) if value is not parameter])
    if isinstance(user, ir.Edge):
        user.arguments[user.arguments.index(parameter)] = earlier
    else:
        user.operands = tuple(earlier if operand is parameter else operand for operand in user.operands)


def wrong_target(ground: _Ground) -> None:
    """An edge leads elsewhere, with arguments that fit there."""
    edge = ground.pick(ground.local)
    types = [argument.type for argument in edge.arguments]
    others = [member for member in ground.members[1:] if member is not edge.target]
    edge.target = ground.pick([member for member in others if [each.type for each in member.parameters] == types])


def swapped_edges(ground: _Ground) -> bool:
    """Two edges of a transfer change places."""
    first, second = ground.random.sample(ground.decision().edges, 2)
    first.target, second.target = second.target, first.target
    first.arguments, second.arguments = second.arguments, first.arguments
    return first.target is not second.target or first.arguments != second.arguments


def skipped_continuation(ground: _Ground) -> bool:
    """An edge leads past a continuation, to where that jumps."""
    jumping = [e for e in ground.local if isinstance(e.target.transfer, ir.Jump) and not e.target.parameters]
    edge = ground.pick([e for e in jumping if _is_local(e.target.transfer.edge)])
    skipped, following = edge.target, edge.target.transfer.edge
    edge.target, edge.arguments = following.target, [*following.arguments]
    return edge.target is not skipped


def wrong_operand(ground: _Ground) -> None:
    """A statement computes with another value."""
    statement = ground.pick([statement for statement in ground.statements if statement.operands])
    operands = [*statement.operands]
    index = ground.random.randrange(len(operands))
    operands[index] = ground.other(operands[index])
    statement.operands = (*operands,)


def wrong_operation(ground: _Ground) -> None:
    """A statement computes something else."""
    statement = ground.pick([each for each in ground.statements if each.op in PRIMITIVES and each.op != CONVERT])
    types = [operand.type for operand in statement.operands]
    fitting = [op for op, operation in PRIMITIVES.items() if operation.typing(types) is statement.type]
    statement.op = ground.pick([op for op in fitting if op != statement.op])


def lost_statement(ground: _Ground) -> None:
    """An effect does not happen."""
    member = ground.pick([member for member in ground.members if any(isinstance(s, ir.Effect) for s in member.body)])
    member.body.remove(ground.pick([statement for statement in member.body if isinstance(statement, ir.Effect)]))


def swapped_statements(ground: _Ground) -> None:
    """Two effects happen in the wrong order."""
    member = ground.pick([m for m in ground.members if sum(isinstance(s, ir.Effect) for s in m.body) > 1])
    places = [index for index, statement in enumerate(member.body) if isinstance(statement, ir.Effect)]
    i, j = ground.random.sample(places, 2)
    member.body[i], member.body[j] = member.body[j], member.body[i]


def wrong_condition(ground: _Ground) -> None:
    """A branch or switch decides by another value."""
    transfer = ground.decision()
    if isinstance(transfer, ir.Branch):
        transfer.condition = ground.other(transfer.condition)
    else:
        transfer.value = ground.other(transfer.value)


def wrong_case(ground: _Ground) -> None:
    """A switch takes an edge for another number."""
    transfer = ground.pick(
        [m.transfer for m in ground.members if isinstance(m.transfer, ir.Switch) and m.transfer.cases]
    )
    transfer.cases[ground.random.randrange(len(transfer.cases))] = max(transfer.cases) + 1


def defined_for_undefined(ground: _Ground) -> None:
    """A variable without a value gets one."""
    undefined = [value for edge in ground.edges for value in edge.arguments if isinstance(value, ir.Undef)]
    undefined += [
        value for statement in ground.statements for value in statement.operands if isinstance(value, ir.Undef)
    ]
    value = ground.pick(undefined)
    ground.replace(value, ir.Constant(value.type, 77))


FAULTS: dict[str, Callable[[_Ground], Any]] = {
    fault.__name__: fault
    for fault in (
        *(wrong_argument, swapped_arguments, dropped_argument),
        *(parameter_replaced_by_an_argument, dropped_parameter, extra_parameter, parameter_for_what_has_none),
        *(stale_value, wrong_target, swapped_edges, skipped_continuation),
        *(wrong_operand, wrong_operation, lost_statement, swapped_statements),
        *(wrong_condition, wrong_case, defined_for_undefined),
    )
}
"""All kinds of faults, by name. Each changes the function, raises `IndexError` if there is no place for it, or returns
`False` if the change made no difference.
"""
