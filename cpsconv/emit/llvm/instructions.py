"""The operands of a function, their names, and the instructions for its primitives and effects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cpsconv.analysis.undefined import Place
from cpsconv.emit.llvm.support import Support
from cpsconv.emit.llvm.vocabulary import NULL, POINTER, literal, quoted, resizing, type_word
from cpsconv.ir import DOUBLE, VOID, Constant, Function, Scalar, Statement, Type, Undef, Value
from cpsconv.operations.formats import slots
from cpsconv.operations.table import CONVERT, OPERATIONS, for_every_operation
from cpsconv.text.plan import TextPlan
from cpsconv.text.spelling import unquote_name


@dataclass(frozen=True, slots=True)
class Operand:
    """A value in LLVM. `unset` is its companion (see `calling_convention`), null if the value is always defined."""

    type: Scalar
    text: str
    unset: str = NULL

    def __str__(self) -> str:
        return f"{type_word(self.type)} {self.text}"


def with_companions(operands: Sequence[Operand], uncertain: Sequence[int]) -> list[str]:
    """The names of values that are passed together, followed by the companions of the `uncertain` ones."""
    return [operand.text for operand in operands] + [operands[index].unset for index in uncertain]


class Values:
    """The names in a function: those of the CPS text, and new ones for values without a name there."""

    def __init__(
        self, function: Function, functions: Collection[str], uncertain: Collection[Place], support: Support
    ) -> None:
        self._support = support
        self._text_plan = TextPlan(function, functions)
        self._names = {value: _local_name(name) for value, name in self._text_plan.names.items()}
        self._unset: dict[Value, str] = {}
        self._names[function] = self.fresh("entry")
        for member in function.members():
            for statement in member.body:
                if statement not in self._names:
                    self._names[statement] = self.fresh(statement.name)
            for parameter in member.parameters:
                if parameter in uncertain:
                    self._unset[parameter] = self.fresh(f"{unquote_name(self._text_plan.names[parameter])}.unset")

    def fresh(self, hint: str | None = None) -> str:
        """A new name, with its ``%``."""
        return _local_name(self._text_plan.new_name(hint))

    def name(self, value: Value) -> str:
        """The name of a parameter, statement or continuation; for a function, that of its first block."""
        return self._names[value]

    def operand(self, value: Value) -> Operand:
        """A value as an operand."""
        type = value.type
        assert isinstance(type, Scalar), "continuations are rejected beforehand"
        if isinstance(value, Undef):
            return Operand(type, "undef", self._support.undefined(value))
        if isinstance(value, Constant):
            is_string = isinstance(value.value, str)
            return Operand(type, self._support.string(str(value.value)) if is_string else literal(value))
        return Operand(type, self._names[value], self._unset.get(value, NULL))

    def operands(self, values: Sequence[Value]) -> list[Operand]:
        """Values as operands."""
        return [self.operand(value) for value in values]

    def results(self, types: Sequence[Type], uncertain: Collection[int]) -> list[Operand]:
        """New names for the results of a call, and for the companions of the results with the indices `uncertain`."""
        found = []
        for index, type in enumerate(types):
            assert isinstance(type, Scalar), "continuations are rejected beforehand"
            found.append(Operand(type, self.fresh(), self.fresh("v.unset") if index in uncertain else NULL))
        return found


def _local_name(name: str) -> str:
    return f"%{quoted(unquote_name(name))}"


# --------------------------------------------------------------------------------------------------- instructions


@dataclass(frozen=True, eq=False)
class Instructions:
    """Writes the instructions for the statements of one function. `fresh` returns a new name for a hint."""

    support: Support
    fresh: Callable[[str], str]

    def of(self, statement: Statement, operands: Sequence[Operand], name: str) -> Iterator[str]:
        """The instructions for a statement on defined operands. The last one gives `name` its value."""
        *preparation, last = _INSTRUCTIONS[statement.op](self, statement, operands)
        yield from preparation
        yield last if statement.type is VOID else f"{name} = {last}"

    def called(self, helper: str, *operands: Operand) -> str:
        """The call of a helper that has the operands' type and returns it."""
        type = operands[0].type
        return f"call {type_word(type)} {self.support.helper(helper, type)}({', '.join(map(str, operands))})"

    def conversion(self, operand: Operand, target: Scalar) -> str:
        """The instruction that converts an operand to another type."""
        source, word = operand.type, type_word(target)
        if source is target:
            return _copy(operand)
        if target.kind == "bool":
            return f"fcmp une {operand}, 0.0" if source.kind == "float" else f"icmp ne {operand}, 0"
        if source.kind == "float" and target.kind == "integer":
            return f"call {word} {self.support.helper('convert', source, target)}({operand})"
        if source.kind == "float":
            return f"{'fpext' if target is DOUBLE else 'fptrunc'} {operand} to {word}"
        if target.kind == "float":
            return f"{'sitofp' if source.signed else 'uitofp'} {operand} to {word}"
        return f"{resizing(source, target)} {operand} to {word}"


_Writer = Callable[[Instructions, Statement, Sequence[Operand]], Sequence[str]]
"""Returns the instructions for a statement. The last one lacks the name of its result."""


def _binary(instruction: str, floats: str = "") -> _Writer:
    """An instruction on integers and `bool`, and a helper for floating operands."""

    def write(to: Instructions, _: Statement, operands: Sequence[Operand]) -> Sequence[str]:
        first, second = operands
        return [to.called(floats, *operands) if first.type.kind == "float" else f"{instruction} {first}, {second.text}"]

    return write


def _division(helper: str) -> _Writer:
    """A helper; on integers it also takes the location, for the message of a runtime error."""

    def write(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
        call = to.called(helper, *operands)
        if operands[0].type.kind == "float":
            return [call]
        return [f"{call[:-1]}, {POINTER} {to.support.location(statement.span)})"]

    return write


def _shift(signed: str, unsigned: str) -> _Writer:
    """The instruction for signed and for unsigned values; the count is taken modulo the width."""

    def write(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
        value, count = operands
        bits, word = value.type.bits, type_word(value.type)
        instruction = signed if value.type.signed else unsigned
        constant = statement.operands[1]
        if isinstance(constant, Constant):
            to.fresh("count")
            return [f"{instruction} {value}, {int(constant.value) % bits}"]
        masked, sized = to.fresh("count"), to.fresh("sized")
        return [
            f"{sized} = {resizing(count.type, value.type)} {count} to {word}",
            f"{masked} = and {word} {sized}, {bits - 1}",
            f"{instruction} {value}, {masked}",
        ]

    return write


def _comparison(condition: str) -> _Writer:
    def write(_: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
        first, second = operands
        if first.type.kind == "float":
            compared = f"fcmp {'u' if condition == 'ne' else 'o'}{condition}"
        elif OPERATIONS[statement.op].commutative:
            compared = f"icmp {condition}"
        else:
            compared = f"icmp {'s' if first.type.signed else 'u'}{condition}"
        return [f"{compared} {first}, {second.text}"]

    return write


def _negation(_: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    (operand,) = operands
    is_float = operand.type.kind == "float"
    return [f"fneg {operand}" if is_float else f"sub {type_word(operand.type)} 0, {operand.text}"]


def _absolute(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    (operand,) = operands
    type, word = operand.type, type_word(operand.type)
    if type.kind == "float":
        return [f"call {word} {to.support.library(f'llvm.fabs.f{type.bits}')}({operand})"]
    if not type.signed:
        return [_copy(operand)]
    return [f"call {word} {to.support.library(f'llvm.abs.i{type.bits}')}({operand}, i1 false)"]


def _copy(operand: Operand) -> str:
    """An instruction that gives a value another name."""
    return f"bitcast {operand} to {type_word(operand.type)}"


def _printf(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    """The call of printf. Arguments are converted to the types of the format; superfluous ones are omitted."""
    format = statement.operands[0]
    assert isinstance(format, Constant) and isinstance(format.value, str)
    lines, passed = [], [str(operands[0])]
    for slot, operand in zip(slots(format.value), operands[1:], strict=False):
        if type_word(slot.type) != type_word(operand.type):
            sized = to.fresh("sized")
            lines.append(f"{sized} = {to.conversion(operand, slot.type)}")
            operand = Operand(slot.type, sized)
        passed.append(str(operand))
    return [*lines, f"call i32 (i8*, ...) {to.support.library('printf')}({', '.join(passed)})"]


def _library_call(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    return [f"call i32 {to.support.library(statement.op)}({operands[0]})"]


_INSTRUCTIONS: Mapping[str, _Writer] = for_every_operation(
    "cpsconv.emit.llvm",
    {
        "+": _binary("add", "add"),
        "-": _binary("sub", "subtract"),
        "*": _binary("mul", "multiply"),
        "/": _division("divide"),
        "%": _division("remainder"),
        "&": _binary("and"),
        "|": _binary("or"),
        "^": _binary("xor"),
        "<<": _shift("shl", "shl"),
        ">>": _shift("ashr", "lshr"),
        "==": _comparison("eq"),
        "!=": _comparison("ne"),
        "<": _comparison("lt"),
        "<=": _comparison("le"),
        ">": _comparison("gt"),
        ">=": _comparison("ge"),
        "neg": _negation,
        "~": lambda _, statement, operands: [f"xor {operands[0]}, -1"],
        "!": lambda _, statement, operands: [f"xor {operands[0]}, true"],
        "abs": _absolute,
        CONVERT: lambda to, statement, operands: [to.conversion(operands[0], statement.type)],
        "printf": _printf,
        "puts": _library_call,
        "putchar": _library_call,
        "eprint": lambda to, _, operands: [f"call void {to.support.helper('eprint')}({operands[0]})"],
    },
)
