"""What things are called while their function is under construction, from the names that it has in the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from cpsconv.build.block import Block, Placed, Variable
from cpsconv.build.events import Compute, Create, Event, Open, Place, Proxy, Remove, Write
from cpsconv.explain.wording import cut, on_line, quoted
from cpsconv.ir import VOID, Function, Primitive, Scalar, Statement, Target, Type, Value
from cpsconv.text.expressions import Expressions
from cpsconv.text.names import Appearance
from cpsconv.text.pieces import on_one_line
from cpsconv.text.words import spelled


class Labels:
    """Names for one function: what the finished text shows is called as it is there, all else gets a free name.

    All of them are quoted and cut to what is easily read. A variable is called what it is in the source, with its line
    where another one has that name, too.
    """

    def __init__(self, function: Function, functions: Collection[str], events: Sequence[Event]) -> None:
        self._appearance = Appearance(function, functions)
        self._names: dict[Value, str] = {function: spelled(function.name), **self._appearance.names}
        self._namesakes: dict[str, set[Variable]] = defaultdict(set)
        self._expressions = Expressions(self._names, self._appearance.in_place)
        self._removed = {event.parameter for event in events if isinstance(event, Remove)}
        for event in events:
            self._note(event)

    def block(self, block: Block) -> str:
        """The name of a continuation, at whatever stage."""
        return quoted(self.name(block.continuation))

    def name(self, value: Value) -> str:
        """The bare name of a continuation, a parameter, or a statement that has one."""
        return self._names[value]

    def variable(self, variable: Variable) -> str:
        """The name of a source variable."""
        unique = len(self._namesakes[variable.name]) < 2 or variable.span is None
        return f"`{variable.name}`{'' if unique else on_line(variable.span)}"

    def value(self, value: Value) -> str:
        """A value as the finished text shows it, or would."""
        return quoted(cut(on_one_line(self._expressions.value(value))))

    def statement(self, statement: Statement) -> str:
        """A statement as the finished text shows it, or would."""
        if not self.is_named(statement):
            return self.computation(statement)
        computed = on_one_line(self._expressions.operation(statement))
        return quoted(cut(f"{self._names[statement]} := {computed}"))

    def is_named(self, statement: Statement) -> bool:
        """Whether a statement has a result that is shown by its name."""
        return statement in self._names and statement.type is not VOID and self._appearance.is_shown(statement)

    def computation(self, statement: Statement) -> str:
        """What a statement computes, without its name."""
        return quoted(cut(on_one_line(self._expressions.operation(statement))))

    def operation(self, op: str, operands: Sequence[Value], type: Type) -> str:
        """An operation that may not be in the program."""
        assert isinstance(type, Scalar)
        return self.computation(Primitive(op, tuple(operands), type))

    def target(self, target: Target) -> str:
        """What an edge leads to."""
        return self.value(target)

    def application(self, target: Target, arguments: Sequence[Value]) -> str:
        """A call with arguments."""
        name = on_one_line(self._expressions.value(target))
        return quoted(cut(on_one_line(self._expressions.application(name, arguments))))

    def _note(self, event: Event) -> None:
        match event:
            case Open(_, block) | Create(block):
                self._name(block.continuation, block.continuation.name)
            case Proxy(parameter) | Place(parameter):
                self._note_placed(parameter)
                self._namesakes[parameter.variable.name].add(parameter.variable)
            case Write(variable):
                self._namesakes[variable.name].add(variable)
            case Compute(_, statement):
                if not (isinstance(statement, Primitive) and statement in self._appearance.in_place):
                    self._name(statement, statement.name)

    def _note_placed(self, parameter: Placed) -> None:
        """What construction does not remove forwards to the parameter of the program that came of it."""
        final = None if parameter in self._removed else parameter.forward
        if final:
            self._name(final, parameter.name)  # even if it was removed afterwards
            self._names[parameter] = self._names[final]
        else:
            self._name(parameter, parameter.name)

    def _name(self, value: Value, hint: str | None) -> None:
        if value not in self._names:
            self._names[value] = self._appearance.new_name(hint)
