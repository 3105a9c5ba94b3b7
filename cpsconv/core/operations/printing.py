"""The output operations: what they write, and to where. A string contains one character for each byte."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import MethodType
from typing import Any, NamedTuple, Protocol, TextIO, Union

from cpsconv.core.floating import LongDouble
from cpsconv.core.ir import INT, PTR, Scalar, Type
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.formats import PrintText, PrintValue, argument_kind, number, print_effects
from cpsconv.core.operations.names import PRINT, PRINT_CHARACTER, PRINT_LINE
from cpsconv.core.operations.python_formats import (
    before_zero,
    shown_character,
    shown_float,
    shown_integer,
    shown_pointer,
    shown_string,
)
from cpsconv.core.operations.runtime_errors import FormatError, defined
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.table import OUTPUTS


class ByteStream(Protocol):
    """A binary stream: a file, `io.BytesIO`, the buffer of standard output."""

    def write(self, data: bytes, /) -> object:
        """Write the bytes."""

    def flush(self) -> object:
        """Flush the buffer."""


def process_stream(stream: TextIO) -> ByteStream:
    """The binary stream of a stream of this process, or a stream to what replaces it, as in a notebook."""
    stream.flush()  # what was printed before comes first
    return getattr(stream, "buffer", None) or _Decoded(stream)


class _Decoded:
    """A binary stream that writes text: bytes that are not UTF-8 as escapes."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.decoder = getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> None:
        """Write the bytes."""
        self.stream.write(self.decoder.decode(data))

    def flush(self) -> None:
        """Flush the stream."""
        self.stream.flush()


ReadString = Callable[[int, int], str]
"""Reads the characters at a pointer up to the next zero, or so many of them; all if the number is negative."""


class Pointer(NamedTuple):
    """An operand of type `ptr`, with the function that reads the string at it."""

    address: int
    read: ReadString


class Printing:
    """The output operations of one run, which write to two streams."""

    def __init__(self, output: ByteStream, errors: ByteStream) -> None:
        self._output, self._errors = output, errors

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

    def print(self, format: str, *arguments: Any) -> int:
        """Write a format. The result is the number of bytes written; -1 if no `int` can represent it."""
        for argument in arguments:
            defined(argument.address if isinstance(argument, Pointer) else argument)
        pieces = formatted(format, arguments)
        for text in chunks(pieces):
            self._output.write(text.encode("latin-1"))
        size = sum(map(_size, pieces))
        return size if size <= _MAX_INT else -1

    def print_line(self, text: str | Pointer) -> int:
        """Write a line. The result is the number of bytes written."""
        return self.print("%s\n", text)

    def print_character(self, code: int) -> int:
        """Write a byte, the lowest eight bits of the operand; these are the result."""
        byte = defined(code) & 0xFF
        self._output.write(bytes((byte,)))
        return int(byte)

    def eprint(self, text: str) -> None:
        """Write to standard error, after flushing standard output."""
        self._output.flush()
        self._errors.write(before_zero(defined(text)).encode("latin-1"))


_ACTIONS: Mapping[str, Callable[..., Any]] = for_every_operation(
    "cpsconv.core.operations.printing",
    {
        PRINT: Printing.print,
        PRINT_LINE: Printing.print_line,
        PRINT_CHARACTER: Printing.print_character,
        "eprint": Printing.eprint,
    },
    OUTPUTS,
)


_MAX_INT = (1 << 31) - 1

_CHUNK = 1 << 16
"""The longest padding that is written at once. No floating number has so many digits, apart from final zeros."""


class _Padding(NamedTuple):
    """A character that is repeated."""

    character: str
    size: int


_Piece = Union[str, _Padding]

_ENDLESS = _Padding("", _MAX_INT + 1)
"""Stands for a width or precision in the format that no `int` can represent: the text ends before it."""


def _size(piece: _Piece) -> int:
    return len(piece) if isinstance(piece, str) else piece.size


def formatted(format: str, arguments: Sequence[Any]) -> list[_Piece]:
    """The text of a format. Arguments have promoted types: integer, double, string; extra ones are ignored.

    The argument of a `ptr` is a `Pointer`. Raises `FormatError` for an argument missing or of the wrong kind, and for
    an unknown conversion; and the errors of loads from memory.
    """
    rest, pieces = iter(arguments), list[_Piece]()
    for part in _parts(format):
        if isinstance(part, str):
            pieces.append(part)
        else:
            pieces += _shown(*part, rest)
    return pieces


def chunks(pieces: Sequence[_Piece]) -> Iterator[str]:
    """The pieces of a text, as few strings, without the memory that a long padding takes.

    The text ends after the piece with which its size is that of no `int`.
    """
    text, size = "", 0
    for piece in pieces:
        size += _size(piece)
        if isinstance(piece, str):
            text += piece
        else:
            yield text
            for _ in range(piece.size // _CHUNK):
                yield piece.character * _CHUNK
            text = piece.character * (piece.size % _CHUNK)
        if size > _MAX_INT:
            break
    yield text


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
) -> Sequence[_Piece]:
    """The text of a directive, which takes arguments from `rest`."""
    if type is None:
        raise FormatError(f"`{effect.directive}` in a {PRINT} format is not a conversion that is supported")
    if width is None:
        width = int(normalised(INT, _next(INT, effect, rest)))
    if precision is None:
        precision = int(normalised(INT, _next(INT, effect, rest)))
    if max(width, precision) > _MAX_INT:
        return (_ENDLESS,)
    value = _next(type, effect, rest)
    if isinstance(value, Pointer) and effect.conversion == "s":
        value = value.read(value.address, precision)
    if max(abs(width), precision) > _CHUNK:
        return _with_paddings(partial(_text, effect, type, value), width, precision)
    return (_text(effect, type, value, width, precision),)


def _text(effect: PrintValue, type: Scalar, value: Any, width: int, precision: int) -> str:
    """The text of a value."""
    conversion, flags = effect.conversion, effect.flags
    if conversion == "s":
        return shown_string(flags, width, precision, value)
    if conversion == "c":
        return shown_character(flags, width, value % 256)
    if conversion == "p":
        return shown_pointer(flags, width, precision, value.address)
    if type.kind in ("integer", "unbounded"):
        return shown_integer(conversion, flags, width, precision, normalised(type, value))
    return shown_float(conversion, flags, width, precision, value)


def _with_paddings(text: Callable[[int, int], str], width: int, precision: int) -> Sequence[_Piece]:
    """The text of a value, a function of width and precision, with the long paddings that these cause.

    Where a padding is, and of which character, is seen from a text that is longer by one.
    """
    near = min(precision, max(_CHUNK, len(text(0, -1))))
    bare = text(0, near)
    longer = text(0, near + (precision > near))
    zeros = (precision - near) * (len(longer) - len(bare))
    padded = text(-len(bare) - 1 if width < 0 else len(bare) + 1, near)
    at, before = _first_difference(bare, longer), _first_difference(bare, padded)
    middle = _Padding("0", zeros)
    outer = _Padding(padded[before], max(0, abs(width) - len(bare) - zeros))
    if before < len(bare):
        return bare[:before], outer, bare[before:at], middle, bare[at:]
    return bare[:at], middle, bare[at:], outer


def _first_difference(text: str, longer: str) -> int:
    return next((at for at, (one, other) in enumerate(zip(text, longer, strict=False)) if one != other), len(text))


def _next(type: Scalar, effect: PrintValue, rest: Iterator[Any]) -> Any:
    """The next argument, which must be of the kind of the type."""
    python_types, noun = _KINDS[argument_kind(type)]
    for value in rest:
        if isinstance(value, python_types):
            return value
        raise FormatError(f"`{effect.directive}` in a {PRINT} format needs {noun}")
    raise FormatError(f"`{effect.directive}` in a {PRINT} format has no argument")


_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "integer": (int, "an integer"),
    "unbounded": (int, "an integer"),
    "float": (float, "a double"),
    "long double": (LongDouble, "a long double"),
    "string": ((str, Pointer), "a string"),
    "pointer": (Pointer, "a pointer"),
}
"""The Python types of the arguments for a conversion that takes a kind of type, and the noun for them."""
