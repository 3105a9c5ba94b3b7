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

    They are quoted and cut to what is easily read, unless they are asked for bare. A variable is called what it is in
    the source, with its line where another one has that name, too.
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

    def bare_value(self, value: Value) -> str:
        """A value as the finished text shows it, or would: neither quoted nor cut."""
        return on_one_line(self._expressions.value(value))

    def bare_statement(self, statement: Statement) -> str:
        """A statement as the finished text shows it, or would: neither quoted nor cut."""
        computed = on_one_line(self._expressions.operation(statement))
        if self.is_named(statement):
            return f"{self._names[statement]} := {computed}"
        return computed

    def is_a_line(self, statement: Statement) -> bool:
        """Whether the finished text shows the statement by itself, and not in the place where it is used."""
        return statement not in self._appearance.in_place

    def value(self, value: Value) -> str:
        """A value as the finished text shows it, or would."""
        return quoted(cut(self.bare_value(value)))

    def statement(self, statement: Statement) -> str:
        """A statement as the finished text shows it, or would."""
        return quoted(cut(self.bare_statement(statement)))

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
        return quoted(cut(self.bare_application(target, arguments)))

    def bare_application(self, target: Target, arguments: Sequence[Value]) -> str:
        """A call with arguments: neither quoted nor cut."""
        return on_one_line(self._expressions.application(self.bare_value(target), arguments))

    def name_of(self, value: Value) -> str | None:
        """The bare name of a value; None of what has none."""
        return self._names.get(value)

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
