"""Generated C expressions whose meaning C (as `gcc -fwrapv` reads it) defines.

Divisors are never 0 or -1, shift counts are within the width, a floating value becomes an integer only within a small
range, and of two operands that C may evaluate in any order at most one has effects, on variables that the other one
does not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from testing.choices import Choices

if TYPE_CHECKING:
    from testing.c_memory import Memory


@dataclass(frozen=True)
class CType:
    """A type, and the conversions with which printf shows its values."""

    name: str
    kind: Literal["integer", "float", "void"]
    formats: tuple[str, ...] = ()


_SIGNED_FORMATS = ("%d", "%x", "%5d", "%-4d|", "%+d", "%03d")
_LONG_FORMATS = ("%ld", "%lx", "%20ld", "%+ld")
_FLOAT_FORMATS = ("%g", "%.17g", "%f", "%.3e", "%10.2f", "%.9g")

INT = CType("int", "integer", _SIGNED_FORMATS)
INTEGERS = (
    INT,
    CType("unsigned", "integer", ("%u", "%x", "%#o", "%10u")),
    CType("long", "integer", _LONG_FORMATS),
    CType("unsigned long", "integer", ("%lu", "%lx", "%-22lu|")),
    CType("char", "integer", _SIGNED_FORMATS),
    CType("unsigned char", "integer", _SIGNED_FORMATS),
    CType("short", "integer", _SIGNED_FORMATS),
    CType("unsigned short", "integer", _SIGNED_FORMATS),
    CType("signed char", "integer", ("%d", "%hhd")),
    CType("bool", "integer", ("%d",)),
)
FLOATS = (CType("double", "float", _FLOAT_FORMATS), CType("float", "float", _FLOAT_FORMATS))
VOID = CType("void", "void")

_INTEGER_LITERALS = (
    *("0", "1", "2", "3", "7", "10", "-1", "-2", "42", "'a'", "127", "128", "255", "256", "-128", "32767", "32768"),
    *("65535", "0x7fffffff", "(-0x7fffffff-1)", "0x80000000", "4294967295u", "3000000000", "1l", "-1l", "2u", "7ul"),
    *("0x7fffffffffffffff", "(-0x7fffffffffffffff-1)", "0xffffffffffffffff", "123456789012", r"'\xff'"),
)
_FLOAT_LITERALS = ("0.0", "1.0", "0.5", "-2.25", "3.0f", "0.1", "0.1f", "1e10", "-1e-3", "16777217.0", "1e30f")


@dataclass(frozen=True)
class Variable:
    """A variable in scope. Those that bound the program's work are read only."""

    name: str
    type: CType
    assignable: bool = True


@dataclass(frozen=True)
class Signature:
    """A function. Its first parameter is the `fuel` that it may use up."""

    name: str
    result: CType
    parameters: tuple[Variable, ...]

    def __str__(self) -> str:
        return f"{self.result.name} {self.name}({', '.join(f'{p.type.name} {p.name}' for p in self.parameters)})"


class Expressions:
    """Makes expressions over the variables of `scope`, which its owner changes as scopes come and go."""

    def __init__(self, choose: Choices, functions: Sequence[Signature]) -> None:
        self._choose = choose
        self._functions = functions
        self.scope: list[Variable] = []
        self.memory: Memory | None = None
        self._hidden: frozenset[str] = frozenset()

    # ------------------------------------------------------------------------------------------------ variables

    def readable(self, kind: str) -> list[Variable]:
        """The variables that may be read here; an inner one hides an outer one of its name."""
        visible = {variable.name: variable for variable in self.scope}
        return [v for v in visible.values() if v.type.kind == kind and v.name not in self._hidden]

    def assignable(self, kind: str) -> list[Variable]:
        """The variables that may be assigned to here."""
        return [variable for variable in self.readable(kind) if variable.assignable]

    @contextmanager
    def hiding(self, names: frozenset[str]) -> Iterator[None]:
        """Meanwhile, the variables of these names are not used."""
        before = self._hidden
        self._hidden = before | names
        yield
        self._hidden = before

    # ------------------------------------------------------------------------------------- integers, no effects

    def integer(self, depth: int = 3) -> str:
        """An expression of an integer type, without effects."""
        forms = _MEMORY_FORMS if self.memory else _INTEGER_FORMS
        form = self._choose.pick(forms) if depth > 0 else "leaf"
        return getattr(self, f"_{form}")(depth - 1)

    def _leaf(self, depth: int) -> str:
        if self.memory and self._choose.number(0, 2) == 2 and (read := self.memory.read("integer")):
            return read
        variables = self.readable("integer")
        if variables and self._choose.number(0, 3):
            return self._choose.pick(variables).name
        return self._choose.pick(_INTEGER_LITERALS)

    def _object(self, depth: int) -> str:
        return self.memory.integer() if self.memory and depth > 0 else self._leaf(depth)

    @contextmanager
    def without_memory(self) -> Iterator[None]:
        """Meanwhile, nothing is read from memory: a call in another operand may change it."""
        before = self.memory
        self.memory = None
        yield
        self.memory = before

    def _loose(self, text: str) -> str:
        """An operand with or without parentheses: any grouping of our binary operators has a defined meaning."""
        return self._choose.pick((f"({text})", text))

    def _binary(self, depth: int) -> str:
        operator = self._choose.pick(("+", "-", "*", "&", "|", "^"))
        return f"{self._loose(self.integer(depth))} {operator} {self._loose(self.integer(depth))}"

    def _comparison(self, depth: int) -> str:
        operator = self._choose.pick(("==", "!=", "<", "<=", ">", ">="))
        return f"{self._loose(self.integer(depth))} {operator} {self._loose(self.integer(depth))}"

    def _logical(self, depth: int) -> str:
        return f"({self.integer(depth)} {self._choose.pick(('&&', '||'))} {self.integer(depth)})"

    def _division(self, depth: int) -> str:
        return f"({self.integer(depth)}) {self._choose.pick(('/', '%'))} {self.divisor(depth)}"

    def divisor(self, depth: int) -> str:
        """An integer that is neither 0 nor -1."""
        form = self._choose.pick(
            ("(({} & 15) + 1)", "((unsigned)({}) | 1)", "-(({} & 7) + 2)", "((unsigned long)({}) | 1)")
        )
        return form.format(f"({self.integer(depth)})")

    def _shift(self, depth: int) -> str:
        return f"({self._loose(self.integer(depth))} {self._choose.pick(('<<', '>>'))} {self.shift_count(depth)})"

    def shift_count(self, depth: int) -> str:
        """A number in 0 … 31."""
        return f"(({self.integer(depth)}) & 31)"

    def _wide_shift(self, depth: int) -> str:
        operator = self._choose.pick(("<<", ">>"))
        type = self._choose.pick(("long", "unsigned long"))
        return f"(({type})({self.integer(depth)}) {operator} (({self.integer(depth)}) & 63))"

    def _unary(self, depth: int) -> str:
        return f"{self._choose.pick(('-', '~', '!', '+'))}({self.integer(depth)})"

    def _conditional(self, depth: int) -> str:
        return f"({self.scalar(depth)} ? {self.integer(depth)} : {self.integer(depth)})"

    def _cast(self, depth: int) -> str:
        return f"({self._choose.pick(INTEGERS).name})({self.integer(depth)})"

    def _size(self, depth: int) -> str:
        with self.without_memory():  # a bit-field has no size
            return f"sizeof({self.scalar(depth)})"

    def _absolute(self, depth: int) -> str:
        return f"abs({self.integer(depth)})"

    def _of_floats(self, depth: int) -> str:
        operator = self._choose.pick(("<", "==", "!=", ">=", "&&"))
        return f"({self.floating(depth)} {operator} {self.scalar(depth)})"

    def _truncated(self, depth: int) -> str:
        variables = self.readable("float")
        if not variables:
            return self._leaf(depth)
        name = self._choose.pick(variables).name
        type = self._choose.pick(("int", "long", "short", "unsigned long"))
        return f"({name} > -1.0 && {name} < 3e4 ? ({type}){name} : {self._leaf(depth)})"

    # --------------------------------------------------------------------------------------- floats, no effects

    def floating(self, depth: int = 2) -> str:
        """An expression of type `float` or `double`, without effects."""
        variables = self.readable("float")
        form = self._choose.number(0, 5) if depth > 0 else self._choose.number(0, 1)
        if form == 0 and self.memory and (read := self.memory.read("float")):
            return read
        if form == 0 and variables:
            return self._choose.pick(variables).name
        if form <= 1:
            return self._choose.pick(_FLOAT_LITERALS)
        if form == 2:
            return f"({self._choose.pick(FLOATS).name})({self.scalar(depth - 1)})"
        if form == 3:
            return f"({self.integer(depth - 1)} ? {self.floating(depth - 1)} : {self.scalar(depth - 1)})"
        operator = self._choose.pick(("+", "-", "*", "/"))
        return f"({self.floating(depth - 1)} {operator} ({self.scalar(depth - 1)}))"

    def scalar(self, depth: int = 2) -> str:
        """An expression of any arithmetic type, without effects."""
        return self.floating(depth) if self._choose.number(0, 9) == 9 else self.integer(depth)

    # ----------------------------------------------------------------------------------------------- with effects

    def effect(self, depth: int = 2) -> tuple[str, frozenset[str]]:
        """An expression of an integer type that may have effects, and the names of the variables it assigns to."""
        form = self._choose.pick(_EFFECT_FORMS) if depth > 0 else "pure"
        return getattr(self, f"_{form}_effect")(depth - 1)

    def condition(self) -> str:
        """What decides a branch: mostly without effects."""
        return self.scalar() if self._choose.number(0, 3) else self.effect()[0]

    def _pure_effect(self, depth: int) -> tuple[str, frozenset[str]]:
        return self.integer(depth), frozenset()

    def _assign_effect(self, depth: int) -> tuple[str, frozenset[str]]:
        value, written = self.effect(depth)
        with self.hiding(written):
            targets = self.assignable("integer")
        if not targets:
            return value, written
        target = self._choose.pick(targets).name
        return f"({target} {self._choose.pick(_ASSIGNMENTS)} {value})", written | {target}

    def _step_effect(self, depth: int) -> tuple[str, frozenset[str]]:
        targets = self.assignable("integer")
        if not targets:
            return self._pure_effect(depth)
        target = self._choose.pick(targets).name
        return self._choose.pick(("{}++", "++{}", "{}--", "--{}")).format(target), frozenset({target})

    def _unordered_effect(self, depth: int) -> tuple[str, frozenset[str]]:
        text, written = self.effect(depth)
        with self.hiding(written), self.without_memory():
            other = self.integer(depth)
        form = self._choose.pick(("({} {} {})", "({2} {1} {0})"))
        return form.format(f"({text})", self._choose.pick(("+", "-", "^", "<", "==")), f"({other})"), written

    def _ordered_effect(self, depth: int) -> tuple[str, frozenset[str]]:
        left, first = self.effect(depth)
        right, second = self.effect(depth)
        return f"({left} {self._choose.pick(('&&', '||', ','))} {right})", first | second

    def _conditional_effect(self, depth: int) -> tuple[str, frozenset[str]]:
        condition, first = self.effect(depth)
        then, second = self.effect(depth)
        otherwise, third = self.effect(depth)
        return f"({condition} ? {then} : {otherwise})", first | second | third

    def _call_effect(self, depth: int) -> tuple[str, frozenset[str]]:
        functions = [function for function in self._functions if function.result.kind == "integer"]
        if not functions:
            return self._pure_effect(depth)
        call, written = self.call(self._choose.pick(functions), depth)
        return f"(fuel > 3 ? {call} : {self.integer(depth)})", written

    def call(self, function: Signature, depth: int = 1) -> tuple[str, frozenset[str]]:
        """A call, to be reached with `fuel` above 3 only, and the variables that its arguments assign to."""
        with_effect = self._choose.number(0, 2 * len(function.parameters))
        text, written = self.effect(depth) if with_effect else ("", frozenset[str]())
        arguments = ["fuel / 4"]
        for index, parameter in enumerate(function.parameters[1:], 1):
            with self.hiding(written), self.without_memory():
                plain = self.floating(1) if parameter.type.kind == "float" else self.integer(1)
            arguments.append(text if index == with_effect else plain)
        used = written if with_effect in range(1, len(function.parameters)) else frozenset[str]()
        return f"{function.name}({', '.join(arguments)})", used


_ASSIGNMENTS = ("=", "+=", "-=", "*=", "&=", "|=", "^=")

_INTEGER_FORMS = (
    *("leaf", "leaf", "leaf", "binary", "binary", "binary", "comparison", "comparison", "logical", "unary"),
    *("conditional", "cast", "cast", "division", "shift", "wide_shift", "truncated", "of_floats", "absolute", "size"),
)

_MEMORY_FORMS = (*_INTEGER_FORMS, *("object",) * 3)

_EFFECT_FORMS = ("step", "assign", "assign", "pure", "call", "call", "unordered", "ordered", "conditional")
