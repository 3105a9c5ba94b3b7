"""The effects. Output consists of bytes: a string contains one character per byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MethodType
from typing import Any, NamedTuple

from cpsconv.evaluator.limits import OutputBudget
from cpsconv.evaluator.system import ByteStream, RedirectedStream, System
from cpsconv.ir import INT, PTR, Scalar, Type
from cpsconv.long_double import LongDouble
from cpsconv.operations.formats import MAX_SIZE, PrintText, PrintValue, argument_kind, number, print_effects
from cpsconv.operations.python_printf import (
    c_string,
    shown_character,
    shown_float,
    shown_integer,
    shown_pointer,
    shown_string,
)
from cpsconv.operations.runtime_errors import FormatError, defined
from cpsconv.operations.semantics import normalised
from cpsconv.operations.table import OUTPUTS, for_every_operation

ReadString = Callable[[int, int], str]
"""Reads the characters at a pointer up to the next zero, or so many of them; all if the number is negative."""


class Pointer(NamedTuple):
    """An operand of type `ptr`, with the function that reads the string at it."""

    address: int
    read: ReadString


class Effects:
    """The effects of one run, on the two streams of its `system`, which write at most `max_output` bytes."""

    def __init__(self, output: ByteStream, errors: ByteStream, max_output: int | None = None) -> None:
        budget = OutputBudget(max_output)
        self._output = RedirectedStream(output, budget)
        self._errors = RedirectedStream(errors, budget)
        self.system = System(self._output, self._errors, budget)

    def action(self, op: str, types: Sequence[Type] = (), read: ReadString | None = None) -> Callable[..., Any]:
        """The function from the operands of the effect `op` to its result.

        If there are pointers among the operands, it needs their `types`, and `read` for the strings at pointers.
        """
        action = MethodType(_ACTIONS[op], self)
        if PTR not in types:
            return action
        assert read is not None

        def with_pointers(*values: Any) -> Any:
            pairs = zip(values, types, strict=True)
            return action(*[Pointer(each, read) if type is PTR else each for each, type in pairs])

        return with_pointers

    def write(self, data: bytes) -> None:
        """Write to standard output."""
        self._output.write(data)

    def printf(self, format: str, *arguments: Any) -> int:
        """C's printf. The result is the number of bytes written."""
        for argument in arguments:
            defined(argument.address if isinstance(argument, Pointer) else argument)
        text = formatted(format, arguments)
        self._output.write(text.encode("latin-1"))
        return len(text)

    def puts(self, text: str | Pointer) -> int:
        """Write a line. As with glibc, the result is the number of bytes written."""
        return self.printf("%s\n", text)

    def putchar(self, code: int) -> int:
        """Write a byte, the lowest eight bits of the operand; these are the result."""
        byte = defined(code) & 0xFF
        self._output.write(bytes((byte,)))
        return int(byte)

    def eprint(self, text: str) -> None:
        """Write to standard error, after flushing standard output."""
        self._output.flush()
        self._errors.write(c_string(defined(text)).encode("latin-1"))


_ACTIONS: Mapping[str, Callable[..., Any]] = for_every_operation(
    "cpsconv.evaluator",
    {"printf": Effects.printf, "puts": Effects.puts, "putchar": Effects.putchar, "eprint": Effects.eprint},
    OUTPUTS,
)


def formatted(format: str, arguments: Sequence[Any]) -> str:
    """The text that printf writes. Arguments have promoted types: integer, double, string; extra ones are ignored.

    The argument of a `ptr` is a `Pointer`. Raises `FormatError` for what C leaves undefined: an argument missing or of
    the wrong kind, an unknown conversion; and the errors of loads from memory.
    """
    rest = iter(arguments)
    return "".join([part if isinstance(part, str) else _shown(*part, rest) for part in _parts(format)])


_Directive = tuple[PrintValue, "Scalar | None", "int | None", "int | None"]
"""A print effect, the type that it shows, its width and precision. A width or precision that is an argument is None."""


@lru_cache
def _parts(format: str) -> list[str | _Directive]:
    """The literal texts and the directives of a format."""
    return [effect.text if isinstance(effect, PrintText) else _directive(effect) for effect in print_effects(format)]


def _directive(effect: PrintValue) -> _Directive:
    width, precision = (None if digits == "*" else number(digits) for digits in (effect.width, effect.precision))
    return effect, effect.shown_type, width, precision


def _shown(
    effect: PrintValue, type: Scalar | None, width: int | None, precision: int | None, rest: Iterator[Any]
) -> str:
    """The text of a directive, which takes arguments from `rest`."""
    if type is None:
        raise FormatError(f"`{effect.directive}` in a printf format is not a conversion that is supported")
    if width is None:
        width = int(normalised(INT, _next(INT, effect, rest)))
    if precision is None:
        precision = int(normalised(INT, _next(INT, effect, rest)))
    if max(abs(width), precision) > MAX_SIZE:
        raise FormatError(f"the width or precision of `{effect.directive}` is too large")
    value, conversion, flags = _next(type, effect, rest), effect.conversion, effect.flags
    if conversion == "s":
        if isinstance(value, Pointer):
            value = value.read(value.address, precision)
        return shown_string(flags, width, precision, value)
    if conversion == "c":
        return shown_character(flags, width, value % 256)
    if conversion == "p":
        return shown_pointer(flags, width, precision, value.address)
    if type.kind in ("integer", "unbounded"):
        return shown_integer(conversion, flags, width, precision, normalised(type, value))
    return shown_float(conversion, flags, width, precision, value)


def _next(type: Scalar, effect: PrintValue, rest: Iterator[Any]) -> Any:
    """The next argument, which must be of the kind of the type."""
    python_types, noun = _KINDS[argument_kind(type)]
    for value in rest:
        if isinstance(value, python_types):
            return value
        raise FormatError(f"`{effect.directive}` in a printf format needs {noun}")
    raise FormatError(f"`{effect.directive}` in a printf format has no argument")


_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "integer": (int, "an integer"),
    "unbounded": (int, "an integer"),
    "float": (float, "a double"),
    "long double": (LongDouble, "a long double"),
    "string": ((str, Pointer), "a string"),
    "pointer": (Pointer, "a pointer"),
}
"""The Python types of the arguments for a conversion that takes a kind of type, and the noun for them."""
