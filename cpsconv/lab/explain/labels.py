"""The names of continuations, parameters, values and variables of a function under construction."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.ir import VOID, Continuation, Function, Parameter, Primitive, Scalar, Statement, Target, Type, Value
from cpsconv.core.nodes import replace
from cpsconv.core.source import Span
from cpsconv.core.text.expressions import Expressions
from cpsconv.core.text.layout import on_one_line
from cpsconv.core.text.plan import TextPlan
from cpsconv.core.text.spelling import quote_name
from cpsconv.lab.explain.collector import Collected, Omission

_MAX_SHOWN = 50  # characters of the source, or of a value


class Labels:
    """The names for one function: those of the finished text, and free names for everything else.

    Texts are quoted, and shortened if they are long; a *bare* text is neither. A variable has its name in the source,
    with its location if another variable has the same name. A computation is shown with the operands that it had when
    it was created, even if they are parameters that were removed later, until the function is `finished`.
    """

    def __init__(self, function: Function, functions: Collection[str], events: Sequence[Collected]) -> None:
        self._text_plan = TextPlan(function, functions)
        self._names: dict[Value, str] = {function: quote_name(function.name), **self._text_plan.names}
        self._variables = _VariableLabels()
        self._reconstructed: Collection[Block] = ()
        self._starts: set[Block] = set()
        self._in_place: set[Value] = {*self._text_plan.in_place}
        self._as_created: dict[Value, Statement] = {}
        self._spare_names: dict[Statement | Parameter, str] = {}
        self._homes: dict[Value, Continuation] = {
            parameter: member for member in function.members() for parameter in member.parameters
        }
        self._expressions = Expressions(self._names, self._in_place)
        self._removed = {event.parameter for event in events if isinstance(event, e.Remove)}
        self._removed.update(*(event.removed for event in events if isinstance(event, Omission)))
        for event in events:
            self._note(event)

    def block(self, block: Block) -> str:
        """The name of a continuation; for a second block of a reconstruction, its start."""
        name = quoted(self.name(block.continuation))
        return f"the start of {name}" if block in self._starts else name

    def name(self, value: Value) -> str:
        """The bare name of a continuation, a parameter, or a named statement."""
        return self._names[value]

    def variable(self, variable: Variable) -> str:
        """The name of a variable."""
        return self._variables[variable]

    def home(self, parameter: Value) -> str | None:
        """The name of the continuation that has the parameter; None for other values."""
        home = parameter.block.continuation if isinstance(parameter, Placed) else self._homes.get(parameter)
        return quoted(self._names[home]) if home else None

    def bare_value(self, value: Value) -> str:
        """A value as in the finished text; a value that is not there, in the same notation."""
        if value in self._names and value not in self._as_created:
            return self._names[value]
        return on_one_line(self._expressions.value(self._created(value)))

    def value(self, value: Value) -> str:
        """The quoted text of `bare_value`."""
        return quoted(cut(self.bare_value(value)))

    def statement(self, statement: Statement) -> str:
        """A statement as in the finished text, quoted; a statement that is not there, in the same notation."""
        computed = self._bare_computation(statement)
        return quoted(cut(f"{self._names[statement]} := {computed}" if self.is_named(statement) else computed))

    def is_named(self, statement: Statement) -> bool:
        """Whether the result of a statement has a name in the text."""
        return statement in self._names and statement.type is not VOID and self._text_plan.is_shown(statement)

    def computation(self, statement: Statement) -> str:
        """The right-hand side of a statement."""
        return quoted(cut(self._bare_computation(statement)))

    def _bare_computation(self, statement: Statement) -> str:
        return on_one_line(self._expressions.operation(self._as_created.get(statement, statement)))

    def _created(self, value: Value) -> Value:
        """The value with the operands that it had when it was created."""
        return self._as_created.get(value, value)

    def operation(self, op: str, operands: Sequence[Value], type: Type) -> str:
        """An operation, which the program need not contain."""
        assert isinstance(type, Scalar)
        return self.computation(Primitive(op, tuple(map(self._created, operands)), type))

    def call(self, callee: Function, operands: Sequence[Value]) -> str:
        """A call of a function, or through a pointer, the first operand, if the callee is a prototype."""
        if callee.name:
            return self.application(callee, operands)
        pointer, *arguments = map(self._created, operands)
        through = self._expressions.application("call", [pointer, *arguments])
        return f"through {self.value(pointer)}, {quoted(cut(on_one_line(through)))},"

    def application(self, target: Target, arguments: Sequence[Value]) -> str:
        """A call with arguments."""
        call = self._expressions.application(self.bare_value(target), [*map(self._created, arguments)])
        return quoted(cut(on_one_line(call)))

    def name_of(self, value: Value) -> str | None:
        """The bare name of a value, or None."""
        return self._names.get(value)

    def spare_name(self, value: Statement | Parameter) -> str:
        """A name for a value where it needs one, though the finished text shows it without a name, or has no such."""
        if value not in self._spare_names:
            self._spare_names[value] = self._text_plan.new_name(value.name)
        return self._spare_names[value]

    def _note(self, event: Collected) -> None:
        match event:
            case e.Open(_, block) | e.Create(block):
                self._name(block.continuation, block.continuation.name)
                for parameter in block.continuation.parameters:  # the result of a call, also in an unreachable one
                    self._name(parameter, parameter.name)
            case e.Proxy(parameter) | e.Place(parameter):
                self._note_placed(parameter)
            case Omission(_, placed):
                for parameter in placed:
                    self._note_placed(parameter)
            case e.Postpone(parameter):
                self._name(parameter, parameter.name)
                self._note_variable(parameter.variable, parameter.block)
            case e.Write(variable, block, value):
                self._note_variable(variable, block)
                self._note_parameters([value], block if self._reconstructed else None)
            case e.Fill(_, ending):
                self._note_parameters([*ending.operands, *chain.from_iterable(values for _, values in ending.edges)])
            case e.RedundancyCheck(_, members, _, outer):
                self._note_parameters([*members, *outer])
            case e.Redundant(_, replaced):
                self._note_parameters([*replaced, *replaced.values()])
            case e.Unused(_, parameters):
                self._note_parameters(parameters)
            case e.Redirect(_, _, _, copy):
                self._name(copy, copy.name)
            case e.Reconstruct(_, blocks):
                self._reconstructed = {*blocks}
                self._variables.begin_reconstruction()
            case e.Read(_, block) if self._reconstructed and block not in self._reconstructed:
                self._starts.add(block)
            case e.Compute(_, statement, operands):
                self._note_parameters(operands)
                self._note_statement(statement, operands)

    def _note_variable(self, variable: Variable, block: Block) -> None:
        """Name a variable; one for a value without a name, in a reconstruction, as a parameter without a name."""
        if variable not in self._variables:
            name = variable.name or self._text_plan.new_name("")
            self._variables.note(variable, name, self.block(block) if self._reconstructed else None)

    def _note_parameters(self, values: Iterable[Value], home: Block | None = None) -> None:
        """Name the parameters that jump threading removed: the text plan has those of the result only."""
        for value in values:
            if isinstance(value, Parameter) and not isinstance(value, Placed):
                self._name(value, value.name)
                if home:
                    self._homes.setdefault(value, home.continuation)

    def _note_statement(self, statement: Statement, operands: Sequence[Value]) -> None:
        created = self._as_created[statement] = replace(statement, operands=tuple(map(self._created, operands)))
        if statement in self._in_place:
            self._in_place.add(created)
        else:
            self._name(statement, statement.name)
            self._names[created] = self._names[statement]

    def _note_placed(self, parameter: Placed) -> None:
        """Name a placed parameter; one that is not removed forwards to a parameter of the program."""
        final = None if parameter in self._removed else parameter.forward
        if final:
            self._name(final, parameter.name)  # even if `final` was removed afterwards
            self._homes.setdefault(final, parameter.block.continuation)
            self._names[parameter] = self._names[final]
        else:
            self._name(parameter, parameter.name)
        self._note_variable(parameter.variable, parameter.block)

    def _name(self, value: Value, hint: str | None) -> None:
        if value not in self._names:
            self._names[value] = self._text_plan.new_name(hint)


class _VariableLabels:
    """The names of the variables of one function.

    A variable has its name in the source, with its location if another variable has the same name. A variable of a
    reconstruction (section 5.1) denotes the definitions of one value; if other values of the reconstruction have the
    same name, its name includes the continuation of its first definition.
    """

    def __init__(self) -> None:
        self._current: dict[str, set[Variable]] = defaultdict(set)
        self._namesakes: dict[Variable, set[Variable]] = {}
        self._names: dict[Variable, str] = {}
        self._homes: dict[Variable, str] = {}

    def begin_reconstruction(self) -> None:
        """Start to note other variables: they are distinguished from each other, but not from those noted before."""
        self._current = defaultdict(set)

    def note(self, variable: Variable, name: str, home: str | None = None) -> None:
        """Note a variable; one of a reconstruction with its `home`, the continuation of its first definition."""
        if variable not in self._names:
            self._names[variable] = name
            self._namesakes[variable] = self._current[name]
            self._current[name].add(variable)
            if home:
                self._homes[variable] = home

    def __contains__(self, variable: Variable) -> bool:
        return variable in self._names

    def __getitem__(self, variable: Variable) -> str:
        """The name of a variable, which need not have been noted."""
        name, home = self._names.get(variable, variable.name), self._homes.get(variable)
        others = self._namesakes.get(variable, self._current[name]) - {variable}
        if home and others:
            name = f"`{name}` of {home}"
            others = {each for each in others if self._homes.get(each) == home}
        else:
            name = f"`{name}`"
        return f"{name}{_location(variable, others)}" if others and variable.span else name


def _location(variable: Variable, others: set[Variable]) -> str:
    assert variable.span
    written = variable.span.written
    line, column = written.source.position(written.start)
    same_line = any(_line(other.span) == line for other in others)
    return f" on line {line}{f', column {column}' if same_line else ''}"


def _line(span: Span | None) -> int | None:
    return span.line if span else None


# ------------------------------------------------------------------------------------------------------------- texts


def on_line(span: Span | None, pattern: str = "{}") -> str:
    """``on line 3``, inserted into `pattern`; an empty text without a span."""
    return pattern.format(f" on line {span.line}") if span else ""


def quoted(text: str) -> str:
    """The text in backquotes; a name that has backquotes already, or contains some, stays readable."""
    if "`" not in text:
        return f"`{text}`"
    return text if re.fullmatch("`[^`]*`", text) else f"`` {text} ``"


def cut(text: str) -> str:
    """The first line of a text, at most `_MAX_SHOWN` characters of it."""
    first, *more = text.split("\n", 1)
    return f"{first[:_MAX_SHOWN].rstrip()} …" if more or len(first) > _MAX_SHOWN else first
