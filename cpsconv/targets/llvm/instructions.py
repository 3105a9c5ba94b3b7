"""The operands of a function, their names, and the instructions for its primitives and effects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from cpsconv.core.analysis.undefined import Place
from cpsconv.core.ir import (
    BOOL,
    INT,
    LONG,
    PTR,
    SCALARS,
    STRING,
    VOID,
    Constant,
    Data,
    Function,
    Parameter,
    Primitive,
    Scalar,
    Statement,
    Type,
    Undef,
    Value,
)
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.completeness import (
    OPERANDS,
    IncompleteTable,
    Unspelled,
    for_every_operation,
    primitives_on,
)
from cpsconv.core.operations.formats import PrintEffect, PrintText, PrintValue, number, print_effects
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.core.operations.odd_types import narrowed
from cpsconv.core.operations.table import CONVERT, OPERATIONS
from cpsconv.core.operations.types import is_data
from cpsconv.core.text.plan import TextPlan
from cpsconv.core.text.spelling import unquote_name
from cpsconv.core.transform.expansion import faults, steps
from cpsconv.targets.llvm.memory_model import MemoryModel
from cpsconv.targets.llvm.support import CALLED, HELPERS, Support, require_helpers
from cpsconv.targets.llvm.vocabulary import NULL, POINTER, intrinsic, literal, quoted, resizing, type_word


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
        self,
        function: Function,
        functions: Collection[str],
        uncertain: Collection[Place],
        support: Support,
        memory: MemoryModel,
    ) -> None:
        self._support = support
        self._memory = memory
        plan = TextPlan(function, functions) if support.keeps_names else None
        self._names = {value: _local_name(name) for value, name in plan.names.items()} if plan else {}
        self._new_name = plan.new_name if plan else None
        self._unset: dict[Value, str] = {}
        self._operands: dict[Value, Operand] = {}
        self._count = 0
        self._names[function] = self.fresh("entry")
        for member in function.members():
            for value in (member, *member.parameters, *member.body):
                if value not in self._names:
                    self._names[value] = self.fresh(value.name)
                if value in uncertain:
                    self._unset[value] = self.fresh(f"{unquote_name(self._names[value][1:])}.unset")

    def fresh(self, hint: str | None = None) -> str:
        """A new name, with its ``%``."""
        if self._new_name:
            return _local_name(self._new_name(hint))
        self._count += 1
        return f"%v{self._count}"

    def name(self, value: Value) -> str:
        """The name of a parameter, statement or continuation; for a function, that of its first block."""
        return self._names[value]

    def operand(self, value: Value) -> Operand:
        """A value as an operand."""
        if value not in self._operands:
            self._operands[value] = self._operand(value)
        return self._operands[value]

    def _operand(self, value: Value) -> Operand:
        if isinstance(value, (Data, Function)):
            return Operand(self._memory.pointer, self._memory.address(value))
        type = self._represented(value.type)
        if isinstance(value, Undef):
            return Operand(type, "undef", self._support.undefined(value))
        if isinstance(value, Constant):
            is_string = isinstance(value.value, str)
            text = self._support.string(str(value.value)) if is_string else literal(Constant(type, value.value))
            return Operand(type, text)
        return Operand(type, self._names[value], self._unset.get(value, NULL))

    def operands(self, values: Sequence[Value]) -> list[Operand]:
        """Values as operands."""
        return [self.operand(value) for value in values]

    def results(self, types: Sequence[Type], uncertain: Collection[int]) -> list[Operand]:
        """New names for the results of a call, and for the companions of the results with the indices `uncertain`."""
        return [
            Operand(self._represented(type), self.fresh(), self.fresh("v.unset") if index in uncertain else NULL)
            for index, type in enumerate(types)
        ]

    def _represented(self, type: Type) -> Scalar:
        """The type of values of the type in LLVM."""
        assert isinstance(type, Scalar), "continuations are rejected beforehand"
        return self._memory.pointer if type is PTR else type


def _local_name(name: str) -> str:
    return f"%{quoted(unquote_name(name))}"


# --------------------------------------------------------------------------------------------------- instructions


class Instructions(metaclass=NodeType):
    """Writes the instructions for the statements of one function.

    `fresh` returns a new name for a hint, `operand` the operand for a value. `known` has the names of values that were
    computed on each path to the next instruction, by their instructions.
    """

    support: Support
    memory: MemoryModel
    fresh: Callable[[str], str]
    operand: Callable[[Value], Operand]
    known: dict[str, str] = field(default_factory=dict)

    def of(self, statement: Statement, operands: Sequence[Operand], name: str) -> Iterator[str]:
        """The instructions for a statement on defined operands. The last one gives `name` its value."""
        if OPERATIONS[statement.op].is_on_memory:
            lines = self.memory.statement(self, statement, operands)
        else:
            lines = _INSTRUCTIONS[statement.op](self, statement, operands)
        *preparation, last = lines or [""]
        yield from preparation
        if last:
            yield last if statement.type is VOID else f"{name} = {last}"

    def computed(self, lines: list[str], hint: str, instruction: str) -> str:
        """The name of the result of an instruction without effects, added to `lines` unless it is known."""
        if instruction not in self.known:
            self.known[instruction] = self.fresh(hint)
            lines.append(f"{self.known[instruction]} = {instruction}")
        return self.known[instruction]

    def called(self, helper: str, *operands: Operand) -> str:
        """The call of a helper that has the operands' type and returns it."""
        type = operands[0].type
        return f"call {type_word(type)} {self.support.helper(helper, type)}({', '.join(map(str, operands))})"

    def conversion(self, operand: Operand, target: Scalar) -> str:
        """The instruction that converts an operand to another type."""
        source, word = operand.type, type_word(target)
        if source is target:
            return _copy(operand)
        if "pointer" in (source.kind, target.kind):
            return _pointer_conversion(operand, target)
        if source.kind == "float" and target.kind == "integer":
            return f"call {word} {self.support.helper('convert', source, target)}({operand})"
        if source.kind == "float":
            return f"{'fpext' if target.bits > source.bits else 'fptrunc'} {operand} to {word}"
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


def _division(kind: str, instruction: str) -> _Writer:
    """A helper, which takes the location for runtime errors on integers; an instruction if there are none."""

    def write(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
        first, second = operands
        if first.type.kind == "float":
            return [to.called(kind, *operands)]
        native = f"{'s' if first.type.signed else 'u'}{instruction}"
        if not faults(statement):
            return [f"{native} {first}, {second.text}"]
        helper = to.support.defined(kind, first.type, lambda name: _checked(to, name, statement.op, first.type, native))
        return [
            f"call {type_word(first.type)} {helper}({first}, {second}, {POINTER} {to.support.location(statement.span)})"
        ]

    return write


def _checked(to: Instructions, name: str, op: str, type: Scalar, native: str) -> str:
    """The definition of a helper: checks of the operands, and the instruction."""
    operands = [Parameter(type, each) for each in OPERANDS[:2]]
    known: dict[Value, Operand] = {each: Operand(type, f"%{each.name}") for each in operands}
    a, b = known.values()
    lines = [f"define internal {type_word(type)} @{name}({a}, {b}, {POINTER} %place) alwaysinline {{"]
    for message, conditions in faults(Primitive(op, tuple(operands), type)):
        for step in [step for each in conditions for step in steps(each, UNSPELLED)]:
            known[step] = Operand(BOOL, f"%condition{len(known)}")
            lines += to.of(step, [known.get(each) or to.operand(each) for each in step.operands], known[step].text)
        is_fault = known[conditions[0]]
        for each in conditions[1:]:
            lines.append(f"%all{len(lines)} = and {is_fault}, {known[each].text}")
            is_fault = Operand(BOOL, f"%all{len(lines) - 1}")
        lines.append(f'call void @cpsconv.check({is_fault}, {POINTER} %place, {POINTER} text"{message}")')
    lines += [f"%result = {native} {a}, {b.text}", f"ret {type_word(type)} %result"]
    return "\n  ".join(lines) + "\n}"


def _shift(signed: str, unsigned: str) -> _Writer:
    """The instruction for signed and for unsigned values; the count is below the width."""

    def write(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
        value, count = operands
        instruction = signed if value.type.signed else unsigned
        if isinstance(statement.operands[1], Constant) or type_word(value.type) == type_word(count.type):
            return [f"{instruction} {value}, {count.text}"]
        sized = to.fresh("sized")
        return [
            f"{sized} = {resizing(count.type, value.type)} {count} to {type_word(value.type)}",
            f"{instruction} {value}, {sized}",
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
    type = operand.type
    return [f"call {type_word(type)} {to.support.library(intrinsic('fabs', type))}({operand})"]


def _mathematics(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    type, op = operands[0].type, statement.op
    name = intrinsic(op, type) if op in ("sqrt", "copysign") else platform_name(op, type)
    return [f"call {type_word(type)} {to.support.library(name)}({', '.join(map(str, operands))})"]


def _pointer_conversion(operand: Operand, target: Scalar) -> str:
    """The instruction that converts from or to a machine pointer. Integers that become pointers have 64 bits."""
    return f"{'ptrtoint' if operand.type.kind == 'pointer' else 'inttoptr'} {operand} to {type_word(target)}"


def _convert(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    (operand,) = operands
    target = to.memory.pointer if statement.type is PTR else statement.type
    if target is PTR and operand.type.kind == "integer" and operand.type.bits < PTR.bits:
        wide = Operand(LONG, to.fresh("wide"))
        return [f"{wide.text} = {to.conversion(operand, LONG)}", to.conversion(wide, target)]
    return [to.conversion(operand, target)]


def _copy(operand: Operand) -> str:
    """An instruction that gives a value another name."""
    return f"bitcast {operand} to {type_word(operand.type)}"


_Printed = tuple[Value, Operand]
"""A value that a print effect takes, and its operand."""


def _printf(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    """The call of printf. Arguments are converted to the types of the format; superfluous ones are omitted."""
    format = statement.operands[0]
    assert isinstance(format, Constant) and isinstance(format.value, str)
    lines: list[str] = []
    passed = [operands[0]]

    def pass_as(type: Scalar, operand: Operand) -> Operand:
        if type_word(type) != type_word(operand.type):
            sized = Operand(type, to.fresh("sized"))
            lines.append(f"{sized.text} = {to.conversion(operand, type)}")
            operand = sized
        passed.append(operand)
        return operand

    rest: Iterator[_Printed] = zip(statement.operands[1:], operands[1:], strict=True)
    text = format.value
    if any(map(_has_large_size, print_effects(text))) and to.support.size("0", "0"):
        text, rest = _with_stars(text, rest)
        passed = [to.operand(Constant(STRING, text))]
    for effect in print_effects(text):
        if isinstance(effect, PrintValue) and effect.type:
            stars = [pass_as(INT, operand).text for _, operand in islice(rest, effect.stars)]
            for value, operand in islice(rest, 1):
                if effect.type is STRING:
                    operand = _string(to, statement, effect, value, operand, stars, lines)
                if effect.type is not STRING or len(stars) == 2:
                    passed[len(passed) - len(stars) :] = _reduced(to, effect, stars, lines)
                pass_as(effect.type, operand)
    return [*lines, f"call i32 (i8*, ...) {to.support.library('printf')}({', '.join(map(str, passed))})"]


_LARGE = range(2**15, 2**31)
"""The widths and precisions that the C library prints in many steps, or not at all for want of memory."""


def _string(
    to: Instructions,
    statement: Statement,
    effect: PrintValue,
    value: Value,
    operand: Operand,
    stars: list[str],
    lines: list[str],
) -> Operand:
    """The string to print, which is checked if it is in memory. Of two stars, the precision becomes the length."""
    if value.type is PTR:
        precision = stars[-1] if effect.precision == "*" else str(number(effect.precision))
        checks, text = to.memory.string(to, statement, operand, precision)
        lines += checks
        operand = Operand(STRING, text)
    if len(stars) == 2 and (call := to.support.length(operand.text, stars[1])):
        stars[1] = to.fresh("length")
        lines.append(f"{stars[1]} = {call}")
    return operand


def _has_large_size(effect: PrintEffect) -> bool:
    """Whether a width or precision in the format, or any width of a string, may be large, but no precision of one."""
    if not isinstance(effect, PrintValue) or effect.type is None:
        return False
    if effect.type is STRING:
        return effect.width == "*" or number(effect.width) in _LARGE
    return any(size not in (None, "*") and number(size) in _LARGE for size in (effect.width, effect.precision))


def _with_stars(format: str, values: Iterator[_Printed]) -> tuple[str, Iterator[_Printed]]:
    """The format with a star for each large size, and two for such a string, and these sizes as further values."""
    text = ""
    passed: list[_Printed] = []
    for effect in print_effects(format):
        if isinstance(effect, PrintText):
            text += effect.text.replace("%", "%%")
        elif not _has_large_size(effect):
            text += effect.directive
            passed += islice(values, effect.stars + 1)
        else:
            sizes: list[str | None] = []
            for size in (effect.width, effect.precision):
                if size == "*":
                    passed += islice(values, 1)
                elif effect.type is STRING or (size is not None and number(size) in _LARGE):
                    constant = Constant(INT, number(size))
                    passed.append((constant, Operand(INT, literal(constant))))
                    size = "*"
                sizes.append(size)
            passed += islice(values, 1)
            point = "" if sizes[1] is None else "."
            text += f"%{effect.flags}{sizes[0]}{point}{sizes[1] or ''}{effect.length}{effect.conversion}"
    return text, iter(passed)


def _reduced(to: Instructions, value: PrintValue, stars: Sequence[str], lines: list[str]) -> Iterator[Operand]:
    """The width and precision as arguments, reduced to the limit of output."""
    literal_size = value.precision if value.width == "*" else value.width
    others = reversed(stars) if len(stars) > 1 else [str(max(number(literal_size), 0))]
    for star, other in zip(stars, others, strict=False):
        operand = Operand(INT, star)
        if call := to.support.size(star, other):
            operand = Operand(INT, to.fresh("size"))
            lines.append(f"{operand.text} = {call}")
        yield operand


def _puts(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    if statement.operands[0].type is not PTR:
        return _library_call(to, statement, operands)
    checks, text = to.memory.string(to, statement, operands[0], "-1")
    return [*checks, *_library_call(to, statement, [Operand(STRING, text)])]


def _library_call(to: Instructions, statement: Statement, operands: Sequence[Operand]) -> Sequence[str]:
    return [f"call i32 {to.support.library(statement.op)}({operands[0]})"]


_INSTRUCTIONS: Mapping[str, _Writer] = for_every_operation(
    "cpsconv.targets.llvm",
    {
        "+": _binary("add", "add"),
        "-": _binary("sub", "subtract"),
        "*": _binary("mul", "multiply"),
        "/": _division("divide", "div"),
        "%": _division("remainder", "rem"),
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
        **dict.fromkeys(MATHEMATICS, _mathematics),
        CONVERT: _convert,
        "printf": _printf,
        "puts": _puts,
        "putchar": _library_call,
        "eprint": lambda to, _, operands: [f"call void {to.support.helper('eprint')}({operands[0]})"],
    },
    expanded=True,
)

UNSPELLED = Unspelled(_INSTRUCTIONS, {CONVERT: narrowed})


def _require_functions() -> None:
    """Raise `IncompleteTable` if a primitive calls a function of LLVM, or a helper, that `Support` does not have."""
    unused: Any = None
    to = Instructions(Support(), unused, str, lambda _: Operand(INT, "%a"))
    try:
        for primitive in primitives_on([*filter(is_data, SCALARS.values())], [INT]):
            for step in steps(primitive, UNSPELLED):
                operands = [Operand(each.type, "%a") for each in step.operands if isinstance(each.type, Scalar)]
                _INSTRUCTIONS[step.op](to, step, operands)
        [*to.support.lines()]
    except KeyError as missing:
        raise IncompleteTable(f"cpsconv.targets.llvm: missing function `{missing.args[0]}`") from None
    require_helpers("cpsconv.targets.llvm", HELPERS, CALLED)


_require_functions()
