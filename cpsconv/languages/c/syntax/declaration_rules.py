"""The handlers of the grammar's rules for declarations and functions.

A declaration consists of specifiers and declarators. A declarator is a name with a list of derivations. The parser
reads them from the inside to the outside: ``int *a[3]`` is an array of pointers.
"""

from __future__ import annotations

from typing import Any, Union

import cpsconv.languages.c.syntax.tree as c
from cpsconv.core.progress import report
from cpsconv.core.source import Span
from cpsconv.languages.c.syntax.rules import Parts, Rules, just_after, node, whole
from cpsconv.languages.c.syntax.tokens import Token
from cpsconv.languages.c.type_specifiers import SPECIFIED_TYPES, TYPES_BY_KEYWORD
from cpsconv.languages.c.types import INT, UNKNOWN, VOID

# ------------------------------------------------------------------------------------------------------ specifiers

QUALIFIERS = frozenset(["const", "volatile", "restrict"])
STORAGE = frozenset(["static", "extern", "auto", "register", "typedef", "inline", "_Noreturn"])


class SpecifierList(list[Union[Token, c.Node]]):
    """The value of the rule `specifiers`: keywords, names of types, and the nodes of other specifiers."""


class DeclarationRules(Rules):
    """The handlers of the rules from `unit` to `enumerator`."""

    # ---------------------------------------------------------------------------------------------- specifiers

    def first_specifier(self, parts: Parts) -> SpecifierList:
        """specifiers: specifier"""
        return SpecifierList(parts)

    def specified(self, specifiers: SpecifierList) -> c.Specifiers:
        """The node for the specifiers. Reports them if they denote no type."""
        span = whole(specifiers)
        first = specifiers[0]
        if len(specifiers) == 1 and isinstance(first, Token) and first.text in TYPES_BY_KEYWORD:
            return c.Specifiers(span, TYPES_BY_KEYWORD[first.text])
        types: list[Token | c.Node] = []
        qualifiers: dict[str, Span] = {}
        storage: dict[str, Span] = {}
        alignments: list[c.Alignment] = []
        attributes: list[c.Attribute] = []
        before: Token | c.Node | None = None
        for part in specifiers:
            if isinstance(part, Token):
                if part.text in QUALIFIERS:
                    qualifiers[part.text] = part.span
                elif part.text in STORAGE:
                    storage[part.text] = part.span
                elif part.type == "ATTRIBUTE":
                    if isinstance(before, (c.RecordSpecifier, c.EnumSpecifier)) and before.is_definition:
                        before.attributes += part.value  # after the closing brace: of the type
                        continue
                    attributes += part.value
                else:
                    types.append(part)
            elif isinstance(part, c.Alignment):
                alignments.append(part)
            else:
                types.append(part)
            before = part
        if not types and (storage or qualifiers):
            self.errors.warn("implicit-int", "a declaration without a type declares an `int`", span)
            type = INT
        else:
            type = self._type(types, span)
        return c.Specifiers(span, type, qualifiers, storage, alignments, attributes)

    def _type(self, types: list[Token | c.Node], span: Span) -> Any:
        """What the type specifiers denote together. `span` is that of all specifiers."""
        if len(types) == 1:
            [only] = types
            if not isinstance(only, Token):
                return only
            if only.type == "TYPE":
                return only.value or c.TypedefName(only.span, only.text)
        if not types:
            self.errors.report("syntax", "expected a type", just_after(span))
            return UNKNOWN
        span = types[0].span.to(types[-1].span)
        words = [each.text if isinstance(each, Token) else _text(each.span) for each in types]
        type = SPECIFIED_TYPES.get(tuple(sorted(words)))
        if type is None and not any(isinstance(each, Token) and each.value is UNKNOWN for each in types):
            self.errors.report("type-specifiers", f"`{' '.join(words)}` is not a type", span)
        return type or UNKNOWN

    alignment_specifier = node(c.Alignment, 2)  # specifier: "_Alignas" "(" (type_name | conditional) ")"
    type_of = node(c.TypeOf, 2)  # specifier: "typeof" "(" (type_name | expression) ")"

    def auto_type(self, parts: Parts) -> c.TypeOf:
        """specifier: "__auto_type" """
        return c.TypeOf(parts[0].span, None)

    # ------------------------------------------------------------------------------------ structs, unions and enums

    def record_keyword(self, parts: Parts) -> tuple[Token, list[c.Attribute]]:
        """record_keyword: "struct" | "union" | record_keyword attribute; enum_keyword: likewise"""
        if len(parts) == 1:
            return parts[0], []
        keyword, attributes = parts[0]
        return keyword, attributes + parts[1].value

    def structure(self, parts: Parts) -> c.RecordSpecifier:
        """structure: record_keyword NAME | record_keyword NAME? "{" members "}" """
        keyword, attributes = parts[0]
        tag = parts[1] if parts[1].type == "NAME" else None
        members = parts[-2] if len(parts) > 2 else None
        span = keyword.span.to(tag.span) if tag else keyword.span
        return c.RecordSpecifier(span, keyword.text, tag and tag.text, members, attributes)

    def member_declaration(self, parts: Parts) -> c.MemberDeclaration:
        """member_declaration: specifiers member_list? ";" """
        specified = self.specified(parts[0])
        members = parts[1] if len(parts) == 3 else []
        return c.MemberDeclaration(specified.span.to(parts[-1].span), specified, members)

    def member(self, parts: Parts) -> tuple[c.Declarator, None]:
        """member: attributed"""
        return parts[0], None

    def bit_field(self, parts: Parts) -> tuple[c.Declarator | None, c.Expression]:
        """member: declarator? ":" conditional attributes?"""
        if not isinstance(parts[0], c.Declarator):
            return None, parts[1]
        declarator, _, width, *attributes = parts
        for token in attributes:
            declarator.attributes = [*declarator.attributes, *token.value]
        return declarator, width

    def enumeration(self, parts: Parts) -> c.EnumSpecifier:
        """enumeration: enum_keyword NAME | enum_keyword NAME? "{" enumerators ","? "}" """
        (keyword, attributes), name, *_ = parts
        tag = name if name.type == "NAME" else None
        enumerators = next((part for part in parts if isinstance(part, list)), None)
        span = keyword.span.to(tag.span) if tag else keyword.span
        return c.EnumSpecifier(span, tag and tag.text, enumerators, attributes)

    def enumerator(self, parts: Parts) -> c.Enumerator:
        """enumerator: NAME attributes? ("=" conditional)?"""
        name = parts[0]
        self.scopes.hide(name.text)
        return c.Enumerator(name.span, name.text, parts[-1] if len(parts) > 2 else None)

    # --------------------------------------------------------------------------------------------- declarators

    def declared_name(self, parts: Parts) -> c.Declarator:
        """direct_declarator: NAME"""
        [name] = parts
        self.declared.add(name.text)
        return c.Declarator(name.span, name.text, [])

    def grouped(self, parts: Parts) -> Any:
        """direct_declarator: "(" declarator ")"; direct_abstract_declarator: "(" abstract_declarator ")" """
        return parts[1]

    def first_pointer(self, parts: Parts) -> list[c.PointerTo]:
        """pointer: "*" """
        return [c.PointerTo(parts[0].span, frozenset())]

    def next_pointer(self, parts: Parts) -> list[c.PointerTo]:
        """pointer: pointer ("*" | "const" | "volatile" | "restrict" | attribute)"""
        pointers: list[c.PointerTo]
        pointers, token = parts
        if token.text == "*":
            pointers.append(c.PointerTo(token.span, frozenset()))
        elif token.type != "ATTRIBUTE":
            pointers[-1].qualifiers |= {token.text}
        return pointers

    def pointer_to(self, parts: Parts) -> c.Declarator:
        """declarator: pointer direct_declarator; abstract_declarator: pointer direct_abstract_declarator?"""
        pointers = parts[0]
        declarator: c.Declarator = parts[1] if len(parts) == 2 else c.Declarator(pointers[0].span, None, [])
        declarator.derivations += reversed(pointers)
        return declarator

    def array_of(self, parts: Parts) -> c.Declarator:
        """direct_declarator: direct_declarator dimension"""
        *inner, dimension = parts
        declarator: c.Declarator = inner[0] if inner else c.Declarator(dimension.span, None, [])
        declarator.derivations.append(dimension)
        return declarator

    def brackets(self, parts: Parts) -> c.ArrayOf:
        """dimension: "[" array_qualifiers? (assignment? | "*") "]" """
        length = next((part for part in parts if isinstance(part, c.Expression)), None)
        return c.ArrayOf(whole(parts), length, is_variable=isinstance(star := parts[-2], Token) and star.text == "*")

    def function_without_prototype(self, parts: Parts) -> c.Declarator:
        """direct_declarator: direct_declarator "(" ")" """
        return self._function(parts, c.FunctionOf(parts[-2].span.to(parts[-1].span), [], is_prototyped=False))

    def function_of(self, parts: Parts) -> c.Declarator:
        """direct_declarator: direct_declarator "(" parameters ")" """
        *_, opening, (parameters, is_variadic), closing = parts
        span = opening.span.to(closing.span)
        function = c.FunctionOf(span, parameters, True, is_variadic, hidden=closing.value)
        return self._function(parts, function)

    def kr_function(self, parts: Parts) -> c.Declarator:
        """kr_function: direct_declarator "(" kr_names ")" """
        declarator: c.Declarator
        declarator, opening, names, closing = parts
        parameters = [c.ParameterDeclaration(name.span, None, c.Declarator(name.span, name.text, [])) for name in names]
        hidden = [name.text for name in names]
        function = c.FunctionOf(opening.span.to(closing.span), parameters, False, is_old_style=True, hidden=hidden)
        declarator.derivations.append(function)
        return declarator

    def _function(self, parts: Parts, function: c.FunctionOf) -> c.Declarator:
        """The declarator of a function, which may be abstract, at the beginning of the parts."""
        first = parts[0]
        declarator = first if isinstance(first, c.Declarator) else c.Declarator(function.span, None, [])
        declarator.derivations.append(function)
        return declarator

    def computed_attribute(self, parts: Parts) -> Token:
        """attribute: COMPUTED "(" conditional ")" """
        token, operand = parts[0], parts[2]
        return Token("ATTRIBUTE", token.text, token.span, [c.Attribute(token.span, token.value, operand=operand)])

    def joined_attributes(self, parts: Parts) -> Token:
        """attributes: attributes attribute"""
        first, second = parts
        return Token("ATTRIBUTE", first.text, first.span, [*first.value, *second.value])

    def add_attribute(self, parts: Parts) -> c.Declarator:
        """attributed: attributed attribute"""
        declarator: c.Declarator
        declarator, token = parts
        declarator.attributes = [*declarator.attributes, *token.value]
        return declarator

    # ----------------------------------------------------------------------------------------------- parameters

    def parameter(self, parts: Parts) -> c.ParameterDeclaration:
        """parameter: specifiers (attributed | abstract_declarator)?"""
        specified = self.specified(parts[0])
        declarator = parts[1] if len(parts) == 2 else c.Declarator(specified.span, None, [])
        if declarator.name:
            self.scopes.hide(declarator.name)
        return c.ParameterDeclaration(declarator.span, specified, declarator)

    def fixed(self, parts: Parts) -> tuple[list[c.ParameterDeclaration], bool]:
        """parameters: parameter_list"""
        return parts[0], False

    def variadic(self, parts: Parts) -> tuple[list[c.ParameterDeclaration], bool]:
        """parameters: parameter_list "," "..." """
        return parts[0], True

    def type_name(self, parts: Parts) -> c.TypeName:
        """type_name: specifiers abstract_declarator?"""
        specified = self.specified(parts[0])
        declarator = parts[1] if len(parts) == 2 else c.Declarator(specified.span, None, [])
        last = max([specified, *declarator.derivations], key=lambda node: node.span.end)
        return c.TypeName(specified.span.to(last.span), specified, declarator)

    # --------------------------------------------------------------------------------------------- initialisers

    def initialiser_list(self, parts: Parts) -> c.InitialiserList:
        """initialiser: "{" (initialisers ","?)? "}" """
        return c.InitialiserList(whole(parts), parts[1] if isinstance(parts[1], list) else [])

    def initialiser_item(self, parts: Parts) -> tuple[list[Any], Any]:
        """initialiser_item: designation? initialiser"""
        return parts[0] if len(parts) == 2 else [], parts[-1]

    def index_designator(self, parts: Parts) -> c.IndexDesignator:
        """designator: "[" conditional ("..." conditional)? "]" """
        return c.IndexDesignator(whole(parts), parts[1], parts[3] if len(parts) == 5 else None)

    def field_designator(self, parts: Parts) -> c.FieldDesignator:
        """designator: "." NAME"""
        name = parts[-1]
        return c.FieldDesignator(name.span, name.text)

    def old_designation(self, parts: Parts) -> list[c.FieldDesignator]:
        """designation: NAME ":" """
        return [c.FieldDesignator(parts[0].span, parts[0].text)]

    def designation(self, parts: Parts) -> Any:
        """designation: designators "=" """
        return parts[0]

    # --------------------------------------------------------------------------------------------- declarations

    def first_declarator(self, parts: Parts) -> c.Declaration:
        """declared: specifiers attributed ("=" initialiser)?"""
        specified = self.specified(parts[0])
        return self._add_declarator(c.Declaration(specified.span, specified, []), parts[1:])

    def first_untyped(self, parts: Parts) -> c.Declaration:
        """untyped_declared: attributed ("=" initialiser)? | kr_declarator"""
        span = parts[0].span
        return self._add_declarator(c.Declaration(span, c.Specifiers(span, INT), []), parts)

    def next_declarator(self, parts: Parts) -> c.Declaration:
        """declared: declared "," attributes? attributed ("=" initialiser)?; untyped_declared: …"""
        declaration, _, *rest = parts
        if isinstance(rest[0], Token):
            token, declarator, *_ = rest
            declarator.attributes = [*declarator.attributes, *token.value]
            del rest[0]
        return self._add_declarator(declaration, rest)

    def _add_declarator(self, declaration: c.Declaration, parts: Parts) -> c.Declaration:
        declarator, initialiser = parts[0], parts[2] if len(parts) == 3 else None
        declaration.declarators.append(c.InitDeclarator(declarator.span, declarator, initialiser))
        if "typedef" in declaration.specifiers.storage:
            self.scopes.define_type(declarator.name)
        else:
            self.scopes.hide(declarator.name)
        return declaration

    def declaration(self, parts: Parts) -> c.Declaration:
        """declaration: declared ";" """
        declaration: c.Declaration = parts[0]
        declaration.span = whole(parts)
        return declaration

    def untyped_declaration(self, parts: Parts) -> Any:
        """unit: unit untyped_declared ";" """
        unit, declaration, _ = parts
        self.errors.warn("implicit-int", "a declaration without a type declares an `int`", declaration.span)
        return self.append([unit, self.declaration(parts[1:])])

    def empty_declaration(self, parts: Parts) -> c.Declaration:
        """declaration: specifiers ";" """
        specified = self.specified(parts[0])
        return c.Declaration(specified.span.to(parts[1].span), specified, [])

    def static_assertion(self, parts: Parts) -> c.StaticAssert:
        """static_assertion: "_Static_assert" "(" conditional ("," strings)? ")" ";" """
        message = self.string([parts[4]]) if len(parts) == 7 else None  # type: ignore[attr-defined]
        return c.StaticAssert(whole(parts), parts[2], message)

    def nested_function(self, parts: Parts) -> c.NestedFunction:
        """item: declared_function compound | kr_declared_function kr_declarations? compound"""
        definition = self.definition(parts)
        return c.NestedFunction(definition.span, definition)

    # ---------------------------------------------------------------------------------------- outside functions

    def declared_function(self, parts: Parts) -> c.FunctionDefinition:
        """declared_function: specifiers declarator; kr_declared_function: specifiers kr_declarator"""
        return self._function_definition(self.specified(parts[0]), parts)

    def untyped_function(self, parts: Parts) -> c.FunctionDefinition:
        """untyped_function: declarator; kr_untyped_function: kr_declarator"""
        declarator = parts[0]
        self.errors.warn("implicit-int", f"`{declarator.name}` has no type, so it returns `int`", declarator.span)
        return self._function_definition(c.Specifiers(declarator.span, INT), parts)

    def _function_definition(self, specified: c.Specifiers, parts: Parts) -> c.FunctionDefinition:
        """A definition whose body is not known yet. Its parameters and its body are a scope, which begins here."""
        declarator: c.Declarator = parts[-1]
        span = declarator.span
        function = declarator.derivations[0] if declarator.derivations else None
        if not isinstance(function, c.FunctionOf):
            if not _is_inserted(span):
                message = f"expected parameters in parentheses after `{declarator.name}`"
                self.errors.report("syntax", message, just_after(span))
            function = c.FunctionOf(span, [], is_prototyped=False)
            declarator.derivations.insert(0, function)
        if declarator.name:
            self.scopes.hide(declarator.name)
        self.scopes.enter(len(self.scopes.values) - len(parts))
        for name in function.hidden:
            self.scopes.hide(name)
        return c.FunctionDefinition(span, specified, declarator, [], c.Compound(span, [], span))

    def definition(self, parts: Parts) -> c.FunctionDefinition:
        """definition: declared_function compound | kr_declared_function kr_declarations? compound"""
        function: c.FunctionDefinition = parts[0]
        function.body = parts[-1]
        function.old_style = parts[1] if len(parts) == 3 else []
        return function

    def add_function(self, parts: Parts) -> Any:
        """unit: unit definition"""
        span: Span = parts[1].span
        report("reading", span.end, len(span.source.text))
        return self.append(parts)


def is_void(function: c.FunctionOf) -> bool:
    """Whether the parameters are ``(void)``: there are none."""
    if len(function.parameters) != 1 or (specifiers := function.parameters[0].specifiers) is None:
        return False
    declarator = function.parameters[0].declarator
    is_plain = not specifiers.qualifiers and not specifiers.storage and not declarator.derivations
    return is_plain and specifiers.type is VOID and declarator.name is None


def _text(span: Span) -> str:
    return span.source.text[span.start : span.end]


def _is_inserted(span: Span) -> bool:
    """Whether error recovery inserted the token with that span, and so has reported an error there."""
    return span.start == span.end
