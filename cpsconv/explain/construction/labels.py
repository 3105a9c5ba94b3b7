"""What things are called while their function is under construction, from the names that it has in the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import replace

from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.events import Compute, Create, Event, Open, Place, Postpone, Proxy, Remove, Write
from cpsconv.explain.wording import cut, on_line, quoted
from cpsconv.ir import VOID, Continuation, Function, Primitive, Scalar, Statement, Target, Type, Value
from cpsconv.text.layout import on_one_line
from cpsconv.text.plan import TextPlan
from cpsconv.text.printer import Expressions
from cpsconv.text.spelling import quote_name


class Labels:
    """Names for one function: what the finished text shows is called as it is there, all else gets a free name.

    They are quoted and cut to what is easily read, unless they are asked for bare. A variable is called what it is in
    the source, with its place where another one has that name, too. A computation is shown with the operands that it
    was made with: that parameters were removed since, it does not know until the function is `finished`.
    """

    def __init__(self, function: Function, functions: Collection[str], events: Sequence[Event]) -> None:
        self._text_plan = TextPlan(function, functions)
        self._names: dict[Value, str] = {function: quote_name(function.name), **self._text_plan.names}
        self._namesakes: dict[str, set[Variable]] = defaultdict(set)
        self._in_place: set[Value] = {*self._text_plan.in_place}
        self._as_made: dict[Value, Statement] = {}
        self._homes: dict[Value, Continuation] = {
            parameter: member for member in function.members() for parameter in member.parameters
        }
        self._expressions = Expressions(self._names, self._in_place)
        self._removed = {event.parameter for event in events if isinstance(event, Remove)}
        for event in events:
            self._note(event)

    def finished(self) -> Labels:
        """The same for the finished function."""
        labels = copy(self)
        labels._as_made = {}
        return labels

    def block(self, block: Block) -> str:
        """The name of a continuation, at whatever stage."""
        return quoted(self.name(block.continuation))

    def name(self, value: Value) -> str:
        """The bare name of a continuation, a parameter, or a statement that has one."""
        return self._names[value]

    def variable(self, variable: Variable) -> str:
        """The name of a source variable."""
        others = self._namesakes[variable.name] - {variable}
        if not others or variable.span is None:
            return f"`{variable.name}`"
        line, column = variable.span.source.position(variable.span.start)
        same_line = any(on_line(other.span) == on_line(variable.span) for other in others)
        return f"`{variable.name}` on line {line}{f', column {column}' if same_line else ''}"

    def home(self, parameter: Value) -> str | None:
        """The continuation whose parameter it is; None for what is no parameter."""
        home = parameter.block.continuation if isinstance(parameter, Placed) else self._homes.get(parameter)
        return quoted(self._names[home]) if home else None

    def bare_value(self, value: Value) -> str:
        """A value as the finished text shows it, or would: neither quoted nor cut."""
        return on_one_line(self._expressions.value(self._then(value)))

    def bare_statement(self, statement: Statement) -> str:
        """A statement as the finished text shows it, or would: neither quoted nor cut."""
        computed = self._bare_computation(statement)
        return f"{self._names[statement]} := {computed}" if self.is_named(statement) else computed

    def is_a_line(self, statement: Statement) -> bool:
        """Whether the finished text shows the statement by itself, and not in the place where it is used."""
        return statement not in self._text_plan.in_place

    def value(self, value: Value) -> str:
        """A value as the finished text shows it, or would."""
        return quoted(cut(self.bare_value(value)))

    def statement(self, statement: Statement) -> str:
        """A statement as the finished text shows it, or would."""
        return quoted(cut(self.bare_statement(statement)))

    def is_named(self, statement: Statement) -> bool:
        """Whether a statement has a result that is shown by its name."""
        return statement in self._names and statement.type is not VOID and self._text_plan.is_shown(statement)

    def computation(self, statement: Statement) -> str:
        """What a statement computes, without its name."""
        return quoted(cut(self._bare_computation(statement)))

    def _bare_computation(self, statement: Statement) -> str:
        return on_one_line(self._expressions.operation(self._as_made.get(statement, statement)))

    def _then(self, value: Value) -> Value:
        """The value as it was made."""
        return self._as_made.get(value, value)

    def operation(self, op: str, operands: Sequence[Value], type: Type) -> str:
        """An operation that may not be in the program."""
        assert isinstance(type, Scalar)
        return self.computation(Primitive(op, tuple(map(self._then, operands)), type))

    def target(self, target: Target) -> str:
        """What an edge leads to."""
        return self.value(target)

    def application(self, target: Target, arguments: Sequence[Value]) -> str:
        """A call with arguments."""
        return quoted(cut(self.bare_application(target, arguments)))

    def bare_application(self, target: Target, arguments: Sequence[Value]) -> str:
        """A call with arguments: neither quoted nor cut."""
        return on_one_line(self._expressions.application(self.bare_value(target), [*map(self._then, arguments)]))

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
            case Postpone(parameter):
                self._name(parameter, parameter.name)
                self._namesakes[parameter.variable.name].add(parameter.variable)
            case Write(variable):
                self._namesakes[variable.name].add(variable)
            case Compute(_, statement, operands):
                self._note_statement(statement, operands)

    def _note_statement(self, statement: Statement, operands: Sequence[Value]) -> None:
        made = self._as_made[statement] = replace(statement, operands=tuple(map(self._then, operands)))
        if statement in self._in_place:
            self._in_place.add(made)
        else:
            self._name(statement, statement.name)
            self._names[made] = self._names[statement]

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
            self._names[value] = self._text_plan.new_name(hint)
