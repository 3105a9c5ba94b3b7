"""The texts of the items of a program beside its functions: structs, data, and external functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from cpsconv.core.attributes import KEYWORDS, LOCAL, keywords_of
from cpsconv.core.ir import (
    CHAR,
    INT,
    LONG,
    PTR,
    STRING,
    Array,
    Attributed,
    Constant,
    Data,
    Effect,
    ExternalData,
    Function,
    ObjectType,
    Parameter,
    Program,
    Scalar,
    Struct,
    Type,
    innermost,
)
from cpsconv.core.operations.contents import is_regular, parts_of
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.operations.table import ALLOCATE
from cpsconv.core.operations.types import wrap
from cpsconv.core.text.layout import Group, Piece, wrapped
from cpsconv.core.text.spelling import foreign_text, literal_text, quote_name


def item_texts(
    program: Program, symbols: Callable[[str], str]
) -> Iterator[tuple[Struct | Data | Function | None, Piece]]:
    """The text of each item, and first that of the attributes of the program, which are no item."""
    if program.attributes:
        yield None, f"{attributes_text(program).rstrip()};"
    for item in program.items:
        yield item, item_text(item, symbols)


def item_text(item: Struct | Data | Function, symbols: Callable[[str], str]) -> Piece:
    """The text of a struct, of data, or of an external declaration; `symbols` spells symbols."""
    if prefix := attributes_text(item):
        return wrapped(prefix, _item_text(item, symbols))
    return _item_text(item, symbols)


def attributes_text(part: Struct | Attributed) -> str:
    """The attributes before a part, such as ``@ml.label("x") ``, and their keywords.

    Keywords that follow an allocation or the type of a parameter are omitted. Functions inside others are local, which
    is not written.
    """
    if isinstance(part, Struct) or not part.attributes:
        return ""
    words, found, rest = [], [], dict(part.attributes)
    if isinstance(part, Function) and part.free:
        rest.pop(LOCAL, None)
    for name in keywords_after(part).values() if isinstance(part, Effect) and part.op == ALLOCATE else ():
        del rest[name]
    for word, name in KEYWORDS.items():
        if (
            name in rest
            and " " not in word
            and (rest[name] is True or (isinstance(part, Parameter) and not isinstance(rest[name], Array)))
        ):
            del rest[name]
            words += [f"{word} "] * (not isinstance(part, Parameter) and word.isalpha())
    found = [f"@{_attribute_name(name)}{_attribute_value(value)} " for name, value in rest.items()]
    return "".join([*found, *words])


def keywords_after(allocation: Effect) -> dict[str, str]:
    """The attributes of an allocation that are written after it, by their keywords."""
    known = keywords_of("statement") if allocation.attributes else {}
    return {word: name for word, name in known.items() if name in allocation.attributes}


def parameter_text(name: str, type: str, parameter: Parameter) -> str:
    """``x : int``, ``@ml.order(1) x : int``. Attributes whose values are types can have keywords, after the type."""
    if not parameter.attributes:
        return f"{name} : {type}"
    after = [
        f" {word} {object_type_text(value)}"
        for word, attribute in KEYWORDS.items()
        if isinstance(value := parameter.attributes.get(attribute), (Scalar, Struct))
    ]
    return f"{attributes_text(parameter)}{name} : {type}{''.join(after)}"


def _attribute_name(name: str) -> str:
    return name if re.fullmatch(r"[^\W\d]\w*(\.\w+)*", name) else f"`{name}`"


def _attribute_value(value: bool | int | str | ObjectType) -> str:
    if value is True:
        return ""
    if isinstance(value, int):
        return f"({value}{LONG.suffix * (wrap(INT, value) != value)})"
    return f"({foreign_text(value) if isinstance(value, str) else object_type_text(value)})"


def _item_text(item: Struct | Data | Function, symbols: Callable[[str], str]) -> Piece:
    if isinstance(item, Struct):
        fields: list[Piece] = [
            f"{quote_name(each.name)} : {object_type_text(each.type)}" for each in item.fields.values()
        ]
        keyword = "union" if item.is_union else "struct"
        alignment = alignment_text(item.alignment if item.is_aligned else 0)
        return Group(f"{keyword} {quote_name(item.name)}{alignment} {{ ", fields, " }")
    if isinstance(item, ExternalData):
        return f"extern {quote_name(item.name)} : {object_type_text(item.object_type)}"
    if isinstance(item, Data):
        keyword = "const" if item.is_constant else "data"
        alignment = alignment_text(item.alignment)
        opening = f"{keyword} {quote_name(item.name)}{alignment} := "
        return wrapped(opening, _Content(item).text())
    parameters: list[Piece] = with_variable(
        item, [parameter_text(quote_name(each.name), symbols(str(each.type)), each) for each in item.parameters]
    )
    opening, closing = f"extern {quote_name(item.name)}(", symbols(") → ⊥")
    return Group(opening, parameters, closing) if parameters else opening + closing


def with_variable(function: Function, parameters: Sequence[Piece]) -> list[Piece]:
    """The texts of the parameters, with ``...`` before the last one if the function has this attribute."""
    listed: list[Piece] = [*parameters]
    listed[-1:-1] = ["..."] * (KEYWORDS.get("...") in function.attributes)
    return listed


def object_type_text(type: ObjectType | Type | None) -> str:
    """The text of an object type: ``int``, ``point``, ``int[3][4]``."""
    if isinstance(type, Struct):
        return quote_name(type.name)
    if isinstance(type, Array):
        element, lengths = innermost(type)
        return f"{object_type_text(element)}{lengths}"
    return str(type)


def alignment_text(alignment: int) -> str:
    """`` aligned 64``, or nothing for 0."""
    return f" aligned {alignment}" if alignment else ""


_MAX_ZEROS = 64
"""The size of the largest struct whose fields are written if all of them are zero."""


class _Content:
    """Writes the initial content of data. `marked` is the content, with bytes other than zero for addresses."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.size = max([len(data.content), *(offset + PTR.size for offset in data.addresses)])
        self.content = data.content.ljust(self.size, b"\0")
        self.marked = bytearray(self.content)
        for offset in data.addresses:
            self.marked[offset : offset + PTR.size] = b"\1" * PTR.size

    def text(self) -> Piece:
        """``5``, ``"hello\\0"``, ``point { 0, 0 }``, ``int[4] { 1 }``, ``char[80] "hello"``"""
        type, end = self.data.object_type, len(self.marked.rstrip(b"\0"))
        if isinstance(type, Scalar) and (self.data.addresses or is_regular(self.data)):
            return self.scalar(type, 0)
        if _is_string(type) and not self.data.addresses and end and type.size - end <= 1:
            return _string(self.content.ljust(type.size, b"\0"))
        if not is_regular(self.data):
            return f"{object_type_text(type)} {_string(self.content[:end])}"
        return wrapped(f"{object_type_text(type)} ", self.part(type, 0))

    def part(self, type: ObjectType, offset: int) -> Piece:
        """The part of the content at the offset. Zeros at the end of an array, and in a large struct, are omitted.

        (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)
        """
        if isinstance(type, Scalar):
            text = self.scalar(type, offset)
            return text.removesuffix(type.suffix) if _fits_int(text, type) else text
        end = offset + len(self.marked[offset : offset + type.size].rstrip(b"\0"))
        if _is_string(type) and end > offset:
            return _string(self.content[offset:end])
        if isinstance(type, Struct) and (end > offset or type.size <= _MAX_ZEROS):
            end = offset + type.size
        texts = [self.part(part, place) for part, place in parts_of(type, offset, end - offset) if end > offset]
        return Group("{ ", texts, " }") if texts else "{}"

    def scalar(self, type: Scalar, offset: int) -> str:
        """A scalar, or the address of a global or of a place in it."""
        if type is PTR and offset in self.data.addresses:
            return _address(*self.data.addresses[offset])
        (value,) = format_of(type).unpack(self.content[offset : offset + type.size].ljust(type.size, b"\0"))
        return literal_text(Constant(type, value))


def _fits_int(text: str, type: Scalar) -> bool:
    """Whether a literal of an integer type is an `int` without its suffix."""
    digits = text.removesuffix(type.suffix)
    return type.kind == "integer" and digits.lstrip("-").isdigit() and wrap(INT, int(digits)) == int(digits)


def _is_string(type: ObjectType) -> bool:
    return isinstance(type, Array) and type.element is CHAR


def _string(content: bytes) -> str:
    text = literal_text(Constant(STRING, content.decode("latin-1")))
    return f'{text.removesuffix(QUOTED_ZERO)}\\0"' if text.endswith(QUOTED_ZERO) else text


QUOTED_ZERO = '\\000"'
"""The end of a string that ends with a zero, where one digit suffices."""


def _address(target: Data | Function, distance: int) -> str:
    """``a``, ``int.at(a, 3)``, ``point.y(origin)``, ``char.at(a, 5)``"""
    name, type = quote_name(target.name), target.object_type if isinstance(target, Data) else CHAR
    if not distance:
        return name
    if isinstance(type, Struct):
        for field in type.fields.values():
            if field.offset == distance:
                return f"{quote_name(type.name)}.{quote_name(field.name)}({name})"
    element, _ = innermost(type)
    unit = CHAR if not element.size or distance % element.size else element
    return f"{object_type_text(unit)}.at({name}, {distance // unit.size})"
