"""Elaboration of data: the initial content of objects in memory, as bytes and addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv import ir
from cpsconv.operations.pointers import format_of
from cpsconv.operations.semantics import address
from cpsconv.operations.table import FIELD
from cpsconv.operations.types import wrap
from cpsconv.source import Diagnostic, Source, Span, error
from cpsconv.text import syntax as cps
from cpsconv.text.object_types import ObjectTypes
from cpsconv.text.operands import constant_of
from cpsconv.text.syntax import Node

Place = tuple["ir.Data | ir.Function", int]


def data_of(nodes: Sequence[cps.DataNode], elaborator: InitialData) -> list[ir.Data]:
    """The data of the nodes, which may contain addresses of each other."""
    found = [elaborator.declare(node) for node in nodes]
    for node in nodes:
        elaborator.fill(node)
    return found


class InitialData:
    """Elaborates data. Adds errors to `diagnostics`."""

    def __init__(self, source: Source, diagnostics: list[Diagnostic], types: ObjectTypes) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.types = types

    def declare(self, node: cps.DataNode) -> ir.Data:
        """The data of a node, without content: other data may contain its address."""
        type, keyword = self._type_of(node.initial), node.keyword
        if keyword.text not in ("data", "const"):
            self.error(
                "syntax", f"expected `data` or `const`, found `{keyword.text}`", Node(keyword.start, keyword.end)
            )
        span = Span(self.source, node.start, node.name_end)
        alignment = self.types.alignment(node.alignment)
        node.value = ir.Data(cps.name_of(node), type, b"", {}, keyword.text == "const", span, alignment)
        return node.value

    def fill(self, node: cps.DataNode) -> None:
        """Add the content."""
        assert node.value
        filled = _Filled(self, node.value)
        filled.fill(node.initial, node.value.object_type, 0)
        node.value.content = bytes(filled.content).rstrip(b"\0")

    def _type_of(self, node: cps.Datum) -> ir.ObjectType:
        """The type of an initial content; any type after an error."""
        if isinstance(node, cps.AggregateNode):
            assert node.type
            return self.types.of(node.type) or ir.INT
        if not isinstance(node, cps.Literal):
            return ir.PTR
        constant = self.constant(node)
        if constant and isinstance(constant.value, str):
            return ir.Array(ir.CHAR, len(constant.value))
        return constant.type if constant else ir.INT

    def constant(self, node: cps.Literal) -> ir.Constant | None:
        """The constant of a literal; None after an error."""
        try:
            return constant_of(node)
        except ValueError as failure:
            self.error("literal", str(failure), node)
            return None

    def address(self, node: cps.Datum) -> Place | None:
        """The item, and the offset in it, that a name or address denotes; None after an error."""
        if isinstance(node, cps.Name):
            definition = node.definition
            value = definition.value if definition else None
            if isinstance(value, (ir.Data, ir.Function)):
                return value, 0
            if definition:
                self.error("type-mismatch", f"`{node.word}` is neither data nor a function", node)
            return None
        if not isinstance(node, cps.MemoryOperation):
            self.error("type-mismatch", "the place of an address is the name of data", node)
            return None
        place = self.address(node.arguments[0])  # type: ignore[arg-type]
        of = self.types.of(node.of)
        if place is None or of is None:
            return None
        if node.op == FIELD:
            assert node.field
            field = self.types.field(of, node.field)
            return (place[0], address(field)(place[1])) if field else None
        index = self.constant(node.arguments[1])  # type: ignore[arg-type]
        if index is None or index.type.kind != "integer":
            self.error("type-mismatch", "the index is an integer", node.arguments[1])
            return None
        assert isinstance(index.value, int)
        return place[0], place[1] + of.size * index.value

    def error(self, rule: str, message: str, node: cps.Node) -> None:
        """Report an error at a node."""
        self.diagnostics.append(error(message, Span(self.source, node.start, node.end), rule=rule))


class _Filled:
    """The content of one `Data`."""

    def __init__(self, elaborator: InitialData, data: ir.Data) -> None:
        self.elaborator = elaborator
        self.data = data
        self.content = bytearray()

    def fill(self, node: cps.Datum, type: ir.ObjectType, offset: int, depth: int = 0) -> None:
        """Fill the part of the type at the offset. (Recursive: `MAX_TYPE_DEPTH` bounds the depth.)"""
        if depth > ir.MAX_TYPE_DEPTH:
            self.elaborator.error("nesting", "these data are nested too deeply", node)
        elif isinstance(node, cps.AggregateNode) and isinstance(node.parts, cps.Literal):
            self._fill_bytes(node.parts, type, offset)
        elif isinstance(node, cps.AggregateNode):
            self._fill_parts(node, type, offset, depth)
        elif isinstance(node, cps.Literal) and isinstance(type, ir.Array):
            self._fill_bytes(node, type, offset)
        elif not isinstance(type, ir.Scalar):
            self.elaborator.error("type-mismatch", f"a {type} is written in braces", node)
        elif isinstance(node, cps.Literal):
            self._fill_scalar(node, type, offset)
        elif type is not ir.PTR:
            self.elaborator.error("type-mismatch", f"this is a ptr, not {type}", node)
        elif place := self.elaborator.address(node):
            self.data.addresses[offset] = place

    def _fill_parts(self, node: cps.AggregateNode, type: ir.ObjectType, offset: int, depth: int) -> None:
        parts = node.parts
        assert isinstance(parts, list)
        places = [*_places(type, offset, len(parts))]
        if len(parts) > len(places):
            self.elaborator.error("type-mismatch", f"{type} takes {len(places)} values, not {len(parts)}", node)
            return
        for part, (part_type, place) in zip(parts, places, strict=False):
            self.fill(part, part_type, place, depth + 1)

    def _fill_bytes(self, node: cps.Literal, type: ir.ObjectType, offset: int) -> None:
        constant = self.elaborator.constant(node)
        if constant is None:
            return
        if not isinstance(constant.value, str):
            self.elaborator.error("type-mismatch", f"a {type} is written in braces, or as a string", node)
        elif len(constant.value) > type.size:
            message = f"this has {len(constant.value)} bytes, but {type} has {type.size}"
            self.elaborator.error("type-mismatch", message, node)
        else:
            self._write(constant.value.encode("latin-1"), offset)

    def _fill_scalar(self, node: cps.Literal, type: ir.Scalar, offset: int) -> None:
        """A number without a suffix fits every integer type."""
        constant = self.elaborator.constant(node)
        if constant is None:
            return
        is_int = constant.type is ir.INT and type.kind == "integer" and isinstance(constant.value, int)
        if constant.type is not type and not (is_int and wrap(type, int(constant.value)) == constant.value):
            self.elaborator.error("type-mismatch", f"this is not a value of type {type}", node)
        else:
            self._write(format_of(type).pack(constant.value), offset)

    def _write(self, content: bytes, offset: int) -> None:
        """Set bytes; those between the last one so far and the offset are zero."""
        self.content += bytes(max(0, offset - len(self.content)))
        self.content[offset : offset + len(content)] = content


def _places(type: ir.ObjectType, offset: int, most: int) -> Iterator[tuple[ir.ObjectType, int]]:
    """The elements or fields of the type, or the type itself, with their offsets; about `most` of them."""
    if isinstance(type, ir.Array):
        for index in range(min(type.length, most)):
            yield type.element, offset + index * type.element.size
    elif isinstance(type, ir.Struct):
        for field in [*type.fields.values()][: 1 if type.is_union else None]:
            yield field.type, offset + field.offset
    else:
        yield type, offset
