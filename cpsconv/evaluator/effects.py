"""The effects. Output consists of bytes: a string contains one character per byte."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MethodType
from typing import Any, Protocol

from cpsconv.operations.formats import PrintText, print_effects
from cpsconv.operations.python_printf import c_string, shown
from cpsconv.operations.runtime_errors import defined
from cpsconv.operations.table import EFFECTS, for_every_operation


class ByteStream(Protocol):
    """A binary stream: a file, `io.BytesIO`, ``sys.stdout.buffer``."""

    def write(self, data: bytes, /) -> object:
        """Write the bytes."""

    def flush(self) -> object:
        """Flush the buffer."""


class Effects:
    """The effects of one run, on its two streams."""

    def __init__(self, output: ByteStream, errors: ByteStream) -> None:
        self._output = output
        self._errors = errors

    def action(self, op: str) -> Callable[..., Any]:
        """The function from the operands of the effect `op` to its result."""
        return MethodType(_ACTIONS[op], self)

    def printf(self, format: str, *arguments: Any) -> int:
        """C's printf. The result is the number of bytes written."""
        text = formatted(format, [defined(argument) for argument in arguments])
        self._output.write(text.encode("latin-1"))
        return len(text)

    def puts(self, text: str) -> int:
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
    EFFECTS,
)


def formatted(format: str, arguments: Sequence[Any]) -> str:
    """The text that printf writes. Arguments have promoted types: integer, double, string; extra ones are ignored.

    Raises `FormatError` for what C leaves undefined: an argument missing or of the wrong kind, an unknown conversion.
    """
    rest = iter(arguments)
    return "".join(
        effect.text if isinstance(effect, PrintText) else shown(effect[:6], rest) for effect in print_effects(format)
    )
