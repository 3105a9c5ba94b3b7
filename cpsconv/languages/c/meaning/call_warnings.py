"""Warnings about the arguments of library functions that work on memory and strings: exchanged and wrong sizes."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.tree_warnings import is_same
from cpsconv.languages.c.meaning.value_warnings import ValueWarnings
from cpsconv.languages.c.records import Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import VOID, Array, FunctionType, Pointer, VariableArray

_SIZED: dict[str, tuple[int, tuple[int, ...]]] = {
    "memset": (2, (0,)),
    **dict.fromkeys(["memcpy", "memmove", "memcmp", "strncpy", "strncat", "strncmp"], (2, (0, 1))),
    **dict.fromkeys(["strndup", "snprintf", "vsnprintf"], (1, (0,))),
}
"""The functions with the size of an object: the position of the size, and those of the pointers to the object."""

_WRITING = {
    **dict.fromkeys(["memset", "memcpy", "memmove", "strncpy"], (0, 2)),
    **dict.fromkeys(["fgets", "snprintf", "vsnprintf", "strftime"], (0, 1)),
    "read": (1, 2),
}
"""The functions that write up to a number of bytes: the positions of the pointer and the number."""

_COPYING = frozenset(["strcpy", "stpcpy", "strcat"])

CHECKED = frozenset([*_SIZED, *_WRITING, *_COPYING, "sprintf"])
"""The functions whose calls are checked."""


class CallWarnings:
    """The checks of calls. Constant arguments are known from `checks`."""

    def __init__(self, errors: Errors, checks: ValueWarnings) -> None:
        self._warn = errors.warn
        self._checks = checks

    def check(self, name: str, nodes: Sequence[c.Expression], values: Sequence[c.Expression]) -> None:
        """Check a call of a function in `CHECKED`: the arguments `nodes`, and their converted `values`."""
        if name in _SIZED and self._has_size_of_pointer(name, nodes, values):
            return
        if name == "memset" and self._is_wrong_memset(nodes, values):
            return
        if name in _WRITING:
            target, size = _WRITING[name]
            self._written(name, nodes[target], values[target], self._number(nodes[size]))
        elif name == "strncat":
            self._appended(nodes, values)
        elif name in _COPYING:
            text = _literal(values[1])
            self._written(name, nodes[0], values[0], None if text is None else len(text) + 1)
        elif name == "sprintf":
            self._printed(nodes, values)

    def _number(self, node: c.Expression) -> int | None:
        constant = self._checks.constant(node)
        return int(constant.value) if constant and isinstance(constant.value, int) else None

    def _has_size_of_pointer(self, name: str, nodes: Sequence[c.Expression], values: Sequence[c.Expression]) -> bool:
        """Whether the size is that of a pointer to the object, and not of the object, which is reported."""
        size, pointers = _SIZED[name]
        node = nodes[size]
        if not isinstance(node, c.SizeOf):
            return False
        for position in pointers:
            value = _without_conversions(values[position])
            if isinstance(value, c.Decay) or not isinstance(value.type, Pointer):
                continue
            operand, type = node.operand, self._checks.measured(node)
            if type and (
                is_same(operand, nodes[position]) if isinstance(operand, c.Expression) else type is value.type
            ):
                message = f"this is the size of the pointer, `{value.type}`, and not of the object that it points to"
                help = None
                if isinstance(operand, c.Name) and value.type.target.unqualified is not VOID:
                    help = f"write `sizeof(*{operand.name})` for one element"
                self._warn("sizeof-pointer-memaccess", message, node.span, help=help)
                return True
        return False

    def _is_wrong_memset(self, nodes: Sequence[c.Expression], values: Sequence[c.Expression]) -> bool:
        """Whether the size is a literal zero, or the length of an array, which is reported."""
        value, size = nodes[1:3]
        if not isinstance(size, c.Literal):
            return False
        if size.value == 0 and not (isinstance(value, c.Literal) and value.value == 0):
            message = "this `memset` changes nothing: its last argument, the size, is 0"
            self._warn("memset-transposed-args", message, size.span, help="exchange the last two arguments")
            return True
        match _without_conversions(values[0]):
            case c.Decay(operand=array) if (
                isinstance(array.type, Array) and size.value == array.type.length and array.type.element.size > 1
            ):
                message = f"{size.value} is the number of elements of the array, and not its size in bytes"
                self._warn("memset-elt-size", message, size.span, help="multiply it by the size of an element")
                return True
        return False

    def _written(self, name: str, node: c.Expression, target: c.Expression, size: int | None) -> None:
        """Warn if a function writes more bytes than there are."""
        room = None if size is None else capacity(target, is_whole=name.startswith("mem") or name == "read")
        if room is not None and size is not None and size > room:
            verb = "may write" if name in ("fgets", "snprintf", "vsnprintf", "strftime", "read") else "writes"
            message = f"`{name}` {verb} {size} bytes, but there {'is' if room == 1 else 'are'} {room}"
            self._warn("stringop-overflow", message, node.span)

    def _appended(self, nodes: Sequence[c.Expression], values: Sequence[c.Expression]) -> None:
        """Warn of a bound of `strncat` that leaves no room for the final zero."""
        room, bound = capacity(values[0]), self._number(nodes[2])
        text = _literal(values[1])
        if room is None or bound is None or bound < room or (text is not None and len(text) < room):
            return
        message = f"`strncat` appends up to {bound} characters and a final zero, but there are {room} bytes at most"
        self._warn("stringop-overflow", message, nodes[2].span, help="subtract the present length, and 1")

    def _printed(self, nodes: Sequence[c.Expression], values: Sequence[c.Expression]) -> None:
        """Warn if the text that `sprintf` prints does not fit, however short the numbers are."""
        from cpsconv.core.operations.formats import (  # late: many programs have no formats
            PrintText,
            number,
            print_effects,
        )

        format, room = _literal(values[1]), capacity(values[0])
        if format is None or room is None:
            return
        size, arguments = 1, [*zip(nodes[2:], values[2:], strict=True)]
        for effect in print_effects(format):
            if isinstance(effect, PrintText):
                size += len(effect.text)
                continue
            if effect.type is None or effect.stars or effect.precision or not arguments:
                return
            size += max(number(effect.width), self._shortest(effect.conversion, *arguments.pop(0)))
        if size > room:
            message = f"`sprintf` writes at least {size} bytes, but there {'is' if room == 1 else 'are'} {room}"
            self._warn("format-overflow", message, nodes[0].span)

    def _shortest(self, conversion: str, node: c.Expression, value: c.Expression) -> int:
        """The smallest number of characters that a conversion prints."""
        if conversion == "s":
            return len(_literal(value) or "")
        known = self._number(node) if conversion in "di" else None
        return 1 if known is None else len(str(known))


def _without_conversions(value: c.Expression) -> c.Expression:
    """The pointer without conversions to other pointer types."""
    while isinstance(value, c.Convert) and isinstance(value.type, Pointer) and isinstance(value.operand.type, Pointer):
        value = value.operand
    return value


def _literal(value: c.Expression) -> str | None:
    """The characters of a string literal up to its end."""
    match _without_conversions(value):
        case c.Decay(operand=c.StringLiteral(text=text)):
            return text.partition("\0")[0]
    return None


def capacity(pointer: c.Expression, *, is_whole: bool = False) -> int | None:
    """The number of bytes from a pointer to the end of the array or variable that it points into, or more.

    None if it is not known. With `is_whole`, the end is that of the struct around an array.
    """
    used = 0
    while True:
        match _without_conversions(pointer):
            case (
                c.Binary(op="+", left=base, right=index)
                | c.AddressOf(operand=c.Subscript(pointer=c.Decay() as base, index=index))
            ):
                used += _constant(index) * _target_size(base)
                pointer = base
            case c.AddressOf(operand=place) | c.Decay(operand=place) if not isinstance(place.type, FunctionType):
                size = _size(t.root_of(place) if is_whole else place)
                return None if size is None else size - used
            case _:
                return None


def _target_size(pointer: c.Expression) -> int:
    """The size of what the pointer points to."""
    assert isinstance(pointer.type, Pointer)
    return pointer.type.target.size


def _size(place: t.Place) -> int | None:
    """The size of an object that is a variable, or an array that is not the end of a struct behind a pointer."""
    type = place.type
    if isinstance(type, VariableArray) or isinstance(place, (c.StringLiteral, c.Dereference, c.Temporary)):
        return None
    if isinstance(place, c.Name):
        is_flexible = isinstance(type, Record) and type.unqualified.is_flexible
        return None if is_flexible or (isinstance(type, Array) and type.length is None) else type.size
    if not isinstance(type, Array) or type.length is None or (type.length <= 1 and t.is_at_end(place)):
        return None
    return type.size


def _constant(index: c.Expression) -> int:
    """The value of an index that is a constant and not negative; else 0."""
    index = t.unconverted(index)
    return max(0, int(index.value)) if isinstance(index, c.Constant) else 0
