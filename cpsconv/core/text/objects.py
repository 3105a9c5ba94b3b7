"""Elaboration of objects in memory: their types, structs and unions, and their initial content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cpsconv.core import ir
from cpsconv.core.attributes import KEYWORDS, implied, keywords_of
from cpsconv.core.layout import laid_out, unaligned
from cpsconv.core.operations.contents import MAX_SKIPPED, put, unsound
from cpsconv.core.operations.misuse import attribute_errors, misused
from cpsconv.core.operations.pointers import address, format_of
from cpsconv.core.operations.table import FIELD
from cpsconv.core.operations.types import is_storable, wrap
from cpsconv.core.source import Diagnostic, Source, Span, article, did_you_mean, error
from cpsconv.core.text import syntax as cps
from cpsconv.core.text.item_syntax import (
    AggregateNode,
    AttributeNode,
    DataNode,
    Datum,
    ExternalDataNode,
    ExternalNode,
    ProgramNode,
    StructNode,
)
from cpsconv.core.text.reporter import Reporter
from cpsconv.core.text.spelling import read_number, unquote_name

if TYPE_CHECKING:
    from cpsconv.core.text.operands import Operands


class ObjectTypes(Reporter):
    """The structs of a program by name, and the elaboration of types and attributes.

    A struct is known from its end on, so that no struct contains itself.
    """

    def __init__(self, source: Source, diagnostics: list[Diagnostic]) -> None:
        super().__init__(source, diagnostics)
        self.structs: dict[str, ir.Struct] = {}

    def define(self, node: StructNode) -> None:
        """Add the struct or union of the node."""
        *others, word = node.words
        keyword, name = word.text, unquote_name(node.name)
        if others or keyword not in ("struct", "union"):
            wrong = others[0] if others else word
            help = did_you_mean(wrong.text, ("struct", "union"))
            self.unexpected("`struct`, `union` or a function", wrong, help)
        members: dict[str, ir.ObjectType] = {}
        for token, type_node in node.members:
            member, type = unquote_name(token.text), self.of(type_node)
            if member in members:
                self.error("redefined", f"the field `{member}` is defined twice", token)
            if type:
                members[member] = type
        span = Span(self.source, node.start, node.name_end)
        struct = laid_out(name, [*members.items()], keyword == "union", span, self.alignment(node.alignment) or 1)
        if name in self.structs:
            notes = [("the other definition is here", self.structs[name].span)]
            self.diagnostics.append(error(f"`{name}` is defined twice", span, notes=notes, rule="redefined"))
        elif reason := unsound(struct):
            self.error("nesting", f"`{name}` {reason}", node)
        for attribute in node.attributes:
            self.error(
                "attribute", f"the attribute `{attribute.name}` is before a {keyword}, which has none", attribute
            )
        node.value = self.structs[name] = struct

    def of(self, node: cps.ObjectTypeNode, stored: bool = True) -> ir.ObjectType | None:
        """The type that the node denotes; None after an error. If it is `stored`, memory can contain its values."""
        if len(node.lengths) > ir.MAX_TYPE_DEPTH:
            self.error("nesting", "this type is nested too deeply", node)
            return None
        type = self._base(node.base, stored)
        for token in reversed(node.lengths):
            length = self._int(token, "the length of an array")
            type = ir.Array(type, length) if type and length is not None else None
        if type and (reason := unsound(type)):
            self.error("nesting", f"this type {reason}", node)
            return None
        return type

    def field(self, struct: ir.ObjectType, name: cps.Token) -> ir.Field | None:
        """The field of that name; None after an error."""
        fields = struct.fields if isinstance(struct, ir.Struct) else {}
        found = fields.get(unquote_name(name.text))
        if found is None:
            shown = unquote_name(name.text)
            self.error("undeclared", f"`{struct}` has no field `{shown}`", name, did_you_mean(shown, fields))
        return found

    def alignment(self, node: Sequence[cps.Token]) -> int:
        """The alignment in bytes; 0 if there is none, and after an error."""
        if not node:
            return 0
        word, number = node
        if word.text != "aligned":
            self.unexpected("`aligned`", word)
            return 0
        alignment = self._int(number, "the alignment") or 0
        if reason := unaligned(alignment):
            self.error("literal", reason, number)
            return 0
        return alignment

    def placement(self, node: Sequence[cps.Token]) -> tuple[int, ir.Attributes]:
        """The alignment in bytes of a variable, and the attribute that two words after it denote."""
        end = len(node) - 2 if len(node) > 1 and node[-1].type == "NAME" else len(node)
        alignment, words = self.alignment(node[:end]), node[end:]
        if not words:
            return alignment, ir.NO_ATTRIBUTES
        wrong = {
            name: [pair for pair in zip(words, keyword.split(), strict=True) if pair[0].text != pair[1]]
            for keyword, name in keywords_of("statement").items()
        }
        name = min(wrong, key=lambda each: len(wrong[each]), default="")
        for word, expected in wrong.get(name, [(words[0], ";")]):
            self.unexpected(f"`{expected}`", word)
        return alignment, {name: True} if name else ir.NO_ATTRIBUTES

    def attributes(self, nodes: Sequence[AttributeNode], place: str) -> ir.Attributes:
        """The attributes of a part that is a `place` (`cpsconv.core.attributes.PLACES`)."""
        found: dict[str, bool | int | str | ir.ObjectType] = {}
        for node in nodes:
            value = self._attribute_value(node.value)
            if node.name in found:
                self.error("redefined", f"the attribute `{node.name}` is given twice", node)
            elif value is not None:
                found[node.name] = value
                for message in attribute_errors(place, {node.name: value}):
                    self.error("attribute", message, node)
        return found or ir.NO_ATTRIBUTES

    def of_parameter(self, node: cps.ParameterNode) -> ir.Attributes:
        """The attributes of a parameter, with the one that is written after its type."""
        found = self.attributes(node.attributes, "parameter")
        if node.mark:
            keyword, type = node.mark
            known = keywords_of("parameter")
            if keyword.text not in known:
                expected = " or ".join(f"`{each}`" for each in known) or "`,` or `)`"
                self.unexpected(expected, keyword, did_you_mean(keyword.text, known))
            elif value := self._base(type, stored=False):
                return {**found, known[keyword.text]: value}
        return found

    def of_function(self, node: cps.FunctionNode | ExternalNode, place: str) -> ir.Attributes:
        """The attributes of a function, with that of ``...``, once before the return continuation."""
        kind, attributes = self.words(node, place, ("extern",) * (place == "external"))
        if not kind and place == "external":
            self.unexpected("`extern` before a function without a body", node.words[-1])
        declaration, name = node.declaration, KEYWORDS.get("...")
        is_last = declaration.after == len(declaration.parameters) - 1
        for misplaced in declaration.ellipses[name is not None and is_last :]:
            self.unexpected("`...` once, before the return continuation" if name else "a parameter", misplaced)
        return {**attributes, **({name: True} if name and declaration.ellipses else {})} or ir.NO_ATTRIBUTES

    def words(self, node: cps.GlobalNode, place: str, kinds: Sequence[str] = ()) -> tuple[str, ir.Attributes]:
        """The last of the words before an item, if it is one of the `kinds`, and the attributes of the item.

        The other words are keywords of attributes. Data that have some need no word of the kind.
        """
        kind, found = "", dict(self.attributes(node.attributes, place))
        for word in node.words:
            if word is node.words[-1] and word.text in kinds:
                kind = word.text
            elif (name := keywords_of(place).get(word.text)) and name not in found:
                found[name] = True
            else:
                keywords = [each for each in keywords_of(place) if each.isalpha()]
                expected = [f"`{each}`" for each in (*kinds, *keywords)]
                help = did_you_mean(word.text, [*kinds, *keywords])
                listed = " or ".join([", ".join(expected[:-1]), *expected[-1:]] if expected[1:] else expected)
                self.unexpected(listed or "a function", word, help)
                return kind or (*kinds, "")[0], found
        return kind, found or ir.NO_ATTRIBUTES

    def _attribute_value(
        self, node: cps.Literal | cps.ObjectTypeNode | None
    ) -> bool | int | str | ir.ObjectType | None:
        """The value of an attribute, True if no value is given; None after an error."""
        if node is None:
            return True
        if isinstance(node, cps.ObjectTypeNode):
            return self.of(node, stored=False)
        constant = self.literal(node)
        if constant and constant.type not in (ir.INT, ir.LONG, ir.STRING):
            self.error("literal", "the value of an attribute is an integer, a string or a type", node)
            return None
        value = constant and constant.value
        return decoded(value) if isinstance(value, str) else int(value) if isinstance(value, int) else None

    def _base(self, token: cps.Token, stored: bool = True) -> ir.ObjectType | None:
        if token.type == "NAME":
            name = unquote_name(token.text)
            if name not in self.structs:
                known = [*self.structs, *ir.SCALARS]
                self.error("undeclared", f"there is no type `{name}`", token, did_you_mean(name, known))
            return self.structs.get(name)
        type = cps.scalar_of(token)
        return type if not stored or self.stores(type, token) else None

    def stores(self, type: ir.Scalar, node: cps.Node) -> bool:
        """Whether memory can contain values of the type; reported if not."""
        if not is_storable(type):
            help = "a `ptr` can point to its characters" if type is ir.STRING else None
            self.error("type-mismatch", f"memory cannot contain {article(type)} {type}", node, help)
        return is_storable(type)

    def _int(self, token: cps.Token, what: str) -> int | None:
        try:
            constant = read_number(token.text)
        except ValueError as failure:
            self.error("literal", str(failure), token)
            return None
        if constant.type is not ir.INT or not isinstance(constant.value, int):
            self.error("literal", f"{what} is an int", token)
            return None
        return constant.value


def decoded(value: str) -> str:
    """The text of a string constant, whose bytes are UTF-8; each byte is a character if they are not."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value


# ------------------------------------------------------------------------------------------------ initial content

Place = tuple["ir.Data | ir.Function", int]
"""An item, and an offset in it."""


class Items:
    """The items of a text other than functions with bodies. The `elaborator` is that of the functions."""

    def __init__(self, items: Sequence[cps.ItemNode], elaborator: Operands) -> None:
        self.items = items
        self.elaborator = elaborator
        self.data = InitialData(elaborator.source, elaborator.diagnostics, elaborator.types)

    def declare(self, program: ir.Program, is_expecting: bool) -> None:
        """Add the structs and externals. If the text `is_expecting` functions, it has none, and needs other items."""
        types, last = self.elaborator.types, self.items[-1].end
        if is_expecting and all(isinstance(item, StructNode) for item in self.items):
            span = Span(types.source, last, last)
            types.diagnostics.append(error("expected a function", span, rule="syntax"))
        for item in self.items:
            if isinstance(item, StructNode):
                types.define(item)
        program.structs = [*types.structs.values()]
        program.externals = [self._external(item) for item in self.items if isinstance(item, ExternalNode)]

    def fill(self, program: ir.Program) -> None:
        """Add the attributes of the program, and the data, which may contain addresses of functions and data."""
        attributes = [each for item in self.items if isinstance(item, ProgramNode) for each in item.attributes]
        program.attributes = self.elaborator.types.attributes(attributes, "program")
        nodes = [item for item in self.items if isinstance(item, DataNode)]
        external = [item for item in self.items if isinstance(item, ExternalDataNode)]
        program.external_data = [self.data.external(item) for item in external]
        program.data = [self.data.declare(node) for node in nodes]
        for node in nodes:
            self.data.fill(node)

    def _external(self, node: ExternalNode) -> ir.Function:
        """The external function of the node."""
        types, parameters = self.elaborator.types, self.elaborator.parameters(node.parameters)
        node.value = ir.Function(cps.name_of(node), parameters, span=types.span(node))
        attributes = types.of_function(node, "external")
        node.value.attributes = implied(node.value.name, attributes) or ir.NO_ATTRIBUTES
        return node.value


class InitialData(Reporter):
    """Elaborates data."""

    def __init__(self, source: Source, diagnostics: list[Diagnostic], types: ObjectTypes) -> None:
        super().__init__(source, diagnostics)
        self.types = types
        self._skipped = 0

    def allows_skipped(self, size: int, node: cps.Node) -> bool:
        """Whether data may skip so many bytes before a node; reported if not."""
        self._skipped += size
        if self._skipped > MAX_SKIPPED:
            self.error("too-large", f"the data of this text skip more than {MAX_SKIPPED} bytes", node)
            self._skipped = 0
            return False
        return True

    def declare(self, node: DataNode) -> ir.Data:
        """The data of a node, without content: other data may contain its address."""
        type = self._type_of(node.initial)
        kind, attributes = self.types.words(node, "data", ("data", "const"))
        span = Span(self.source, node.start, node.name_end)
        alignment = self.types.alignment(node.alignment)
        node.value = ir.Data(cps.name_of(node), type, b"", {}, kind == "const", span, alignment, attributes)
        if reason := misused(node.value):
            self.error("attribute", reason, node)
        return node.value

    def external(self, node: ExternalDataNode) -> ir.ExternalData:
        """The external data of a node."""
        _, attributes = self.types.words(node, "external data", ("extern",))
        span = Span(self.source, node.start, node.name_end)
        node.value = ir.ExternalData(cps.name_of(node), self.types.of(node.type) or ir.INT, span=span)
        node.value.attributes = attributes
        return node.value

    def fill(self, node: DataNode) -> None:
        """Add the content."""
        assert node.value
        filled = _Filled(self, node.value)
        filled.fill(node.initial, node.value.object_type, 0)
        node.value.content = bytes(filled.content).rstrip(b"\0")

    def _type_of(self, node: Datum) -> ir.ObjectType:
        """The type of an initial content; any type where `fill` reports an error."""
        if isinstance(node, AggregateNode):
            assert node.type
            return self.types.of(node.type) or ir.INT
        if not isinstance(node, cps.Literal):
            return ir.PTR
        constant = self.literal(node)
        if constant and isinstance(constant.value, str):
            return ir.Array(ir.CHAR, len(constant.value))
        return constant.type if constant and is_storable(constant.type) else ir.INT

    def address(self, node: Datum | cps.Expression) -> Place | None:
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
        place = self.address(node.arguments[0])
        of = self.types.of(node.of)
        if place is None or of is None:
            return None
        if node.op == FIELD:
            assert node.field
            field = self.types.field(of, node.field)
            return (place[0], address(field)(place[1])) if field else None
        second = node.arguments[1]
        assert isinstance(second, cps.Literal)
        index = self.literal(second)
        if index is None or index.type.kind != "integer":
            self.error("type-mismatch", "the index is an integer", second)
            return None
        assert isinstance(index.value, int)
        return place[0], place[1] + of.size * index.value


class _Filled:
    """The content of one `Data`."""

    def __init__(self, elaborator: InitialData, data: ir.Data) -> None:
        self.elaborator = elaborator
        self.data = data
        self.content = bytearray()
        self._end = 0  # of the parts that are filled

    def fill(self, node: Datum, type: ir.ObjectType, offset: int, depth: int = 0) -> None:
        """Fill the part of the type at the offset. (Recursive: `MAX_TYPE_DEPTH` bounds the depth.)"""
        if depth > ir.MAX_TYPE_DEPTH:
            self.elaborator.error("nesting", "these data are nested too deeply", node)
        elif isinstance(node, AggregateNode) and isinstance(node.parts, cps.Literal):
            self._fill_bytes(node.parts, type, offset)
        elif isinstance(node, AggregateNode):
            self._fill_parts(node, type, offset, depth)
        elif isinstance(node, cps.Literal) and isinstance(type, ir.Array):
            self._fill_bytes(node, type, offset)
        elif not isinstance(type, ir.Scalar):
            self.elaborator.error("type-mismatch", f"{article(type)} {type} is written in braces", node)
        elif isinstance(node, cps.Literal):
            self._fill_scalar(node, type, offset)
        elif type is not ir.PTR:
            self.elaborator.error("type-mismatch", f"this is a ptr, not {type}", node)
        elif (place := self.elaborator.address(node)) and self._reaches(offset, type.size, node):
            self.data.addresses[offset] = place

    def _reaches(self, offset: int, size: int, node: Datum) -> bool:
        """Whether the content may have a part at the offset; reported if not."""
        skipped, self._end = max(0, offset - self._end), offset + size
        return self.elaborator.allows_skipped(skipped, node)

    def _fill_parts(self, node: AggregateNode, type: ir.ObjectType, offset: int, depth: int) -> None:
        parts = node.parts
        assert isinstance(parts, list)
        places = [*_places(type, offset, len(parts))]
        if len(parts) > len(places):
            self.elaborator.error("type-mismatch", f"{type} takes {len(places)} values, not {len(parts)}", node)
            return
        for part, (part_type, place) in zip(parts, places, strict=False):
            self.fill(part, part_type, place, depth + 1)

    def _fill_bytes(self, node: cps.Literal, type: ir.ObjectType, offset: int) -> None:
        constant = self.elaborator.literal(node)
        if constant is None:
            return
        if not isinstance(constant.value, str):
            self.elaborator.error("type-mismatch", f"{article(type)} {type} is written in braces, or as a string", node)
        elif len(constant.value) > type.size:
            message = f"this has {len(constant.value)} bytes, but {type} has {type.size}"
            self.elaborator.error("type-mismatch", message, node)
        elif self._reaches(offset, len(constant.value), node):
            put(self.content, offset, constant.value.encode("latin-1"))

    def _fill_scalar(self, node: cps.Literal, type: ir.Scalar, offset: int) -> None:
        """A number without a suffix fits every integer type."""
        constant = self.elaborator.literal(node)
        if constant is None or not self.elaborator.types.stores(constant.type, node):
            return
        is_int = constant.type is ir.INT and type.kind == "integer" and isinstance(constant.value, int)
        if constant.type is not type and not (is_int and wrap(type, int(constant.value)) == constant.value):
            self.elaborator.error("type-mismatch", f"this is not a value of type {type}", node)
        elif self._reaches(offset, type.size, node):
            put(self.content, offset, format_of(type).pack(constant.value))


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
