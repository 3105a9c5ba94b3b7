"""Elaboration of the types of objects in memory: structs and unions, and the types written in operations on memory."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv import ir
from cpsconv.operations.contents import unsound
from cpsconv.operations.types import is_storable
from cpsconv.source import Diagnostic, Source, Span, did_you_mean, error
from cpsconv.text import syntax as cps
from cpsconv.text.spelling import read_number, unquote_name

_KEYWORDS = ("struct", "union")


class ObjectTypes:
    """The structs of a program by name, and the elaboration of types. Adds errors to `diagnostics`.

    A struct is known from its end on, so that no struct contains itself.
    """

    def __init__(self, source: Source, diagnostics: list[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.structs: dict[str, ir.Struct] = {}

    def define(self, node: cps.StructNode) -> None:
        """Add the struct or union of the node."""
        keyword, name = node.keyword.text, unquote_name(node.name)
        if keyword not in _KEYWORDS:
            help = did_you_mean(keyword, _KEYWORDS)
            self._error("syntax", f"expected `struct`, `union` or a function, found `{keyword}`", node.keyword, help)
        members: dict[str, ir.ObjectType] = {}
        for token, type_node in node.members:
            member, type = unquote_name(token.text), self.of(type_node)
            if member in members:
                self._error("redefined", f"the field `{member}` is defined twice", token)
            if type:
                members[member] = type
        span = Span(self.source, node.start, node.name_end)
        struct = ir.laid_out(name, [*members.items()], keyword == "union", span, self.alignment(node.alignment) or 1)
        if name in self.structs:
            notes = [("the other definition is here", self.structs[name].span)]
            self.diagnostics.append(error(f"`{name}` is defined twice", span, notes=notes, rule="redefined"))
        elif reason := unsound(struct):
            self._error("nesting", f"`{name}` {reason}", node)
        node.value = self.structs[name] = struct

    def of(self, node: cps.ObjectTypeNode) -> ir.ObjectType | None:
        """The type that the node denotes; None after an error."""
        if len(node.lengths) > ir.MAX_TYPE_DEPTH:
            self._error("nesting", "this type is nested too deeply", node)
            return None
        type = self._base(node.base)
        for token in reversed(node.lengths):
            length = self._int(token, "the length of an array")
            type = ir.Array(type, length) if type and length is not None else None
        if type and (reason := unsound(type)):
            self._error("nesting", f"this type {reason}", node)
            return None
        return type

    def field(self, struct: ir.ObjectType, name: cps.Token) -> ir.Field | None:
        """The field of that name; None after an error."""
        fields = struct.fields if isinstance(struct, ir.Struct) else {}
        found = fields.get(unquote_name(name.text))
        if found is None:
            shown = unquote_name(name.text)
            self._error("undeclared", f"`{struct}` has no field `{shown}`", name, did_you_mean(shown, fields))
        return found

    def alignment(self, node: Sequence[cps.Token]) -> int:
        """The alignment in bytes; 0 if there is none, and after an error."""
        if not node:
            return 0
        word, number = node
        if word.text != "aligned":
            self._error("syntax", f"expected `aligned`, found `{word.text}`", word)
            return 0
        alignment = self._int(number, "the alignment") or 0
        if reason := ir.unaligned(alignment):
            self._error("literal", reason, number)
            return 0
        return alignment

    def _base(self, token: cps.Token) -> ir.ObjectType | None:
        if token.type == "NAME":
            name = unquote_name(token.text)
            if name not in self.structs:
                known = [*self.structs, *ir.SCALARS]
                self._error("undeclared", f"there is no type `{name}`", token, did_you_mean(name, known))
            return self.structs.get(name)
        type = cps.scalar_of(token)
        if is_storable(type):
            return type
        self._error("type-mismatch", f"memory cannot contain a {type}", token, "a `ptr` can point to its characters")
        return None

    def _int(self, token: cps.Token, what: str) -> int | None:
        try:
            constant = read_number(token.text)
        except ValueError as failure:
            self._error("literal", str(failure), token)
            return None
        if constant.type is not ir.INT or not isinstance(constant.value, int):
            self._error("literal", f"{what} is an int", token)
            return None
        return constant.value

    def _error(self, rule: str, message: str, node: cps.Node | cps.Token, help: str | None = None) -> None:
        self.diagnostics.append(error(message, Span(self.source, node.start, node.end), help=help, rule=rule))
