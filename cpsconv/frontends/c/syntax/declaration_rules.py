"""The handlers of the grammar's rules for declarations and functions.

Specifiers become `DeclarationSpecifiers`, a declarator becomes a `ParsedDeclarator`; together they declare a name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union, cast

import cpsconv.frontends.c.syntax.tree as c
from cpsconv.frontends.c.syntax.headers import TypeName
from cpsconv.frontends.c.syntax.rules import Parts, Rules, just_after, unsupported, whole
from cpsconv.frontends.c.syntax.tokens import Token
from cpsconv.frontends.c.types import SPECIFIED_TYPES, UNKNOWN, VOID, CType
from cpsconv.progress import report
from cpsconv.source import Span

NESTED_FUNCTIONS = "nested functions are"

# ------------------------------------------------------------------------------------------------------ specifiers

_NOT_TYPES = frozenset(
    ["const", "volatile", "restrict", "static", "extern", "auto", "register", "typedef", "inline", "_Noreturn"]
)  # type qualifiers, storage classes and function specifiers


@dataclass(eq=False, repr=False, slots=True)
class UnsupportedSpecifier:
    """A specifier that is not supported yet."""

    span: Span
    subject: str


class Specifiers(list[Union[Token, UnsupportedSpecifier]]):
    """The value of the rule `specifiers`."""


@dataclass(eq=False, repr=False, slots=True)
class DeclarationSpecifiers:
    """The type that specifiers denote, whether it is `const`, and the spans of the other specifiers by keyword."""

    span: Span
    type: CType
    constant: bool
    storage: dict[str, Span]


# ----------------------------------------------------------------------------------------- declarators, declarations


@dataclass(eq=False, repr=False, slots=True)
class ParsedDeclarator:
    """The name and parameters in a declarator, and the first unsupported feature with its span, if any.

    `span` is the span of the name, if there is one.
    """

    span: Span
    name: str | None
    parameters: list[c.ParameterDeclaration] | None = None
    prototyped: bool = True
    unsupported: tuple[str, Span] | None = None

    def mark_unsupported(self, subject: str, span: Span) -> ParsedDeclarator:
        """Record an unsupported feature, unless one is recorded already. Returns the declarator itself."""
        self.unsupported = self.unsupported or (subject, span)
        return self

    def with_parameters(self, parameters: list[c.ParameterDeclaration], prototyped: bool) -> ParsedDeclarator:
        """Make this the declarator of a function or, after a pointer, of a function pointer. Returns it."""
        if self.unsupported:
            self.unsupported = ("function pointers are", self.unsupported[1])
        elif self.parameters is not None:
            return self.mark_unsupported("function pointers are", self.span)
        self.parameters, self.prototyped = parameters, prototyped
        return self


@dataclass(eq=False, repr=False, slots=True)
class ParsedDeclaration:
    """A declaration in a function or outside functions, before the rule that uses it converts it."""

    span: Span
    specified: DeclarationSpecifiers
    declarators: list[tuple[ParsedDeclarator, c.Expression | None]] = field(default_factory=list)

    def declared(self) -> list[tuple[ParsedDeclarator, c.Expression | None]]:
        """The declarators of variables and functions, each with its initialiser."""
        return [] if "typedef" in self.specified.storage else self.declarators


class DeclarationRules(Rules):
    """The handlers of the rules from `unit` to `enumeration`."""

    # ---------------------------------------------------------------------------------------------- specifiers

    def first_specifier(self, parts: Parts) -> Specifiers:
        """specifiers: specifier"""
        return Specifiers(parts)

    def specified(self, specifiers: Specifiers) -> DeclarationSpecifiers:
        """The meaning of the specifiers. Reports them if they denote no type."""
        span = whole(specifiers)
        types: list[Token] = []
        storage: dict[str, Span] = {}
        unsupported = False
        for part in specifiers:
            if isinstance(part, UnsupportedSpecifier):
                self.errors.report_unsupported(part.subject, part.span)
                unsupported = True
            elif part.text in _NOT_TYPES:
                storage[part.text] = part.span
            else:
                types.append(part)
        type = UNKNOWN if unsupported else self._type(types, span)
        return DeclarationSpecifiers(span, type, "const" in storage, storage)

    def _type(self, words: list[Token], span: Span) -> CType:
        """The type that the type specifiers denote together."""
        if not words:
            self.errors.report("syntax", "expected a type", just_after(span))
            return UNKNOWN
        named = [word.value for word in words if word.type == "TYPE"]
        if UNKNOWN in named:
            return UNKNOWN
        if named and len(words) == 1:
            return cast("CType", named[0])
        spelling = tuple(sorted(word.text for word in words))
        if spelling == ("double", "long"):
            self.errors.report_unsupported("`long double` is", whole(words))
        elif spelling not in SPECIFIED_TYPES:
            self.errors.report(
                "type-specifiers", f"`{' '.join(word.text for word in words)}` is not a type", whole(words)
            )
        return SPECIFIED_TYPES.get(spelling, UNKNOWN)

    def structure(self, parts: Parts) -> UnsupportedSpecifier:
        """structure: ("struct" | "union") NAME? ("{" members "}")?; enumeration: "enum" NAME? ("{" … "}")?"""
        keyword, name, *_ = parts
        span = whole(parts[:2]) if name.type == "NAME" else keyword.span
        return UnsupportedSpecifier(span, f"{keyword.text}s are")

    def enumerator(self, parts: Parts) -> None:
        """enumerator: NAME ("=" conditional)?"""
        self.unknown.add(parts[0].text)

    # --------------------------------------------------------------------------------------------- declarators

    def declared_name(self, parts: Parts) -> ParsedDeclarator:
        """direct_declarator: NAME"""
        [name] = parts
        self.declared.add(name.text)
        return ParsedDeclarator(name.span, name.text)

    def grouped(self, parts: Parts) -> Any:
        """direct_declarator: "(" declarator ")"; direct_abstract_declarator: "(" abstract_declarator ")" """
        return parts[1]

    def pointer_to(self, parts: Parts) -> ParsedDeclarator:
        """declarator: pointer direct_declarator; abstract_declarator: pointer direct_abstract_declarator?"""
        star: Token = parts[0][0]
        declarator: ParsedDeclarator = parts[1] if len(parts) == 2 else ParsedDeclarator(star.span, None)
        return declarator.mark_unsupported("pointers are", star.span)

    def array_of(self, parts: Parts) -> ParsedDeclarator:
        """direct_declarator: direct_declarator dimension"""
        *inner, dimension = parts
        declarator: ParsedDeclarator = inner[0] if inner else ParsedDeclarator(dimension, None)
        return declarator.mark_unsupported("arrays are", dimension)

    def brackets(self, parts: Parts) -> Span:
        """dimension: "[" ("static"? assignment | "*")? "]" """
        return whole(parts)

    def function_without_prototype(self, parts: Parts) -> ParsedDeclarator:
        """direct_declarator: direct_declarator "(" ")" """
        declarator: ParsedDeclarator = parts[0]
        return declarator.with_parameters([], prototyped=False)

    def function_of(self, parts: Parts) -> ParsedDeclarator:
        """direct_declarator: direct_declarator "(" parameters ")" """
        declarator: ParsedDeclarator
        declarator, _, parameters, _ = parts
        void = [parameter for parameter in parameters if parameter.name is None and parameter.type is VOID]
        if len(parameters) > 1:
            for parameter in void:
                self.errors.report("void", "`void` must be the only parameter", parameter.span)
        named = [parameter for parameter in parameters if parameter not in void]
        return declarator.with_parameters(named, prototyped=True)

    def kr_function(self, parts: Parts) -> ParsedDeclarator:
        """kr_function: direct_declarator "(" kr_names ")" """
        declarator: ParsedDeclarator
        declarator, _, names, _ = parts
        parameters = [c.ParameterDeclaration(name.span, name.text, UNKNOWN, False) for name in names]
        declarator.with_parameters(parameters, prototyped=False)
        return declarator.mark_unsupported("parameters without types are", whole(names))

    def abstract_function(self, parts: Parts) -> ParsedDeclarator:
        """direct_abstract_declarator: direct_abstract_declarator? "(" parameters? ")" """
        span = parts[0].span if isinstance(parts[0], ParsedDeclarator) else whole(parts)
        return ParsedDeclarator(span, None, unsupported=("function pointers are", span))

    # ----------------------------------------------------------------------------------------------- parameters

    def parameter(self, parts: Parts) -> c.ParameterDeclaration:
        """parameter: specifiers (declarator | abstract_declarator)?"""
        specified = self.specified(parts[0])
        declarator = parts[1] if len(parts) == 2 else ParsedDeclarator(specified.span, None)
        if declarator.parameters is not None:
            declarator.mark_unsupported("function pointers are", declarator.span)
        self._report_if_unsupported(declarator)
        type = UNKNOWN if declarator.unsupported else specified.type
        return c.ParameterDeclaration(declarator.span, declarator.name, type, specified.constant)

    def variadic(self, parts: Parts) -> Any:
        """parameters: parameter_list "," "..." """
        self.errors.report_unsupported("variadic functions are", parts[2].span)
        return parts[0]

    def type_name(self, parts: Parts) -> CType:
        """type_name: specifiers abstract_declarator?"""
        if len(parts) == 2:
            self._report_if_unsupported(parts[1])
        type = self.specified(parts[0]).type
        return UNKNOWN if len(parts) == 2 and parts[1].unsupported else type

    def _report_if_unsupported(self, declarator: ParsedDeclarator) -> None:
        if declarator.unsupported:
            self.errors.report_unsupported(*declarator.unsupported)

    # --------------------------------------------------------------------------------------------- declarations

    def first_declarator(self, parts: Parts) -> ParsedDeclaration:
        """declared: specifiers declarator ("=" initialiser)?"""
        specified = self.specified(parts[0])
        if "typedef" in specified.storage:
            self.errors.report_unsupported("typedefs are", specified.storage["typedef"])
        return self._add_declarator(ParsedDeclaration(specified.span, specified), parts[1:])

    def next_declarator(self, parts: Parts) -> ParsedDeclaration:
        """declared: declared "," declarator ("=" initialiser)?"""
        return self._add_declarator(parts[0], parts[2:])

    def _add_declarator(self, declared: ParsedDeclaration, parts: Parts) -> ParsedDeclaration:
        """Add a declarator with its initialiser. After a typedef, its name denotes a type."""
        declarator = parts[0]
        declared.declarators.append((declarator, parts[2] if len(parts) == 3 else None))
        if "typedef" in declared.specified.storage:
            self.names[declarator.name] = TypeName(UNKNOWN)
            self.defined.add(declarator.name)
        else:
            self._report_if_unsupported(declarator)
        return declared

    initialiser_list = unsupported("initialiser lists are", 0, 0)  # initialiser: "{" (initialisers ","?)? "}"

    def declaration(self, parts: Parts) -> ParsedDeclaration:
        """declaration: declared ";" """
        declared: ParsedDeclaration = parts[0]
        declared.span = whole(parts)
        return declared

    def empty_declaration(self, parts: Parts) -> ParsedDeclaration:
        """declaration: specifiers ";" """
        specified = self.specified(parts[0])
        return ParsedDeclaration(specified.span, specified)

    def local_declaration(self, parts: Parts) -> c.Declaration:
        """item: declaration; for_first: declaration"""
        declared: ParsedDeclaration = parts[0]
        specified = declared.specified
        has_variables = any(declarator.parameters is None for declarator, _ in declared.declarators)
        for word, subject in (("static", "static variables are"), ("extern", "global variables are")):
            if word in specified.storage and has_variables:
                self.errors.report_unsupported(subject, specified.storage[word])
        declarators = []
        for declarator, initialiser in declared.declared():
            name, span, type = declarator.name, declarator.span, specified.type
            if declarator.parameters is not None and not declarator.unsupported:
                declarator.mark_unsupported("declarations of functions in functions are", span)
                self._report_if_unsupported(declarator)
            assert name
            type = UNKNOWN if declarator.unsupported else specified.type
            declarators.append(c.Declarator(span, name, type, specified.constant, initialiser))
        return c.Declaration(declared.span, declarators)

    def nested_function(self, parts: Parts) -> c.ExpressionStatement:
        """item: declared_function compound"""
        function: c.FunctionDeclaration = parts[0]
        self.errors.report_unsupported(NESTED_FUNCTIONS, function.span)
        self.unknown.add(function.name)
        return c.ExpressionStatement(function.span, None)

    # ---------------------------------------------------------------------------------------- outside functions

    def declared_function(self, parts: Parts) -> c.FunctionDeclaration:
        """declared_function: specifiers declarator; kr_declared_function: specifiers kr_declarator"""
        specified, declarator = self.specified(parts[0]), parts[1]
        self._report_if_unsupported(declarator)
        if declarator.parameters is None and not declarator.unsupported and not _is_inserted(declarator.span):
            message = f"expected parameters in parentheses after `{declarator.name}`"
            self.errors.report("syntax", message, just_after(declarator.span))
        for parameter in declarator.parameters or []:
            if parameter.name is None and not _is_inserted(parameter.span):
                self.errors.report("syntax", "expected a name for the parameter", parameter.span)
        return self._function_declaration(specified, declarator)

    def definition(self, parts: Parts) -> c.FunctionDeclaration:
        """definition: declared_function compound | kr_declared_function kr_declarations? compound"""
        function: c.FunctionDeclaration = parts[0]
        function.body = parts[-1]
        return function

    def add_function(self, parts: Parts) -> Any:
        """unit: unit definition"""
        span: Span = parts[1].span
        report("reading", span.end, len(span.source.text))
        return self.append(parts)

    def add_prototypes(self, parts: Parts) -> Any:
        """unit: unit declaration"""
        functions: list[c.FunctionDeclaration]
        declared: ParsedDeclaration
        functions, declared = parts
        for declarator, initialiser in declared.declared():
            if declarator.parameters is None and not declarator.unsupported:
                declarator.mark_unsupported("global variables are", declarator.span)
                self._report_if_unsupported(declarator)
            if declarator.unsupported and declarator.name:
                self.unknown.add(declarator.name)
                continue
            if initialiser:
                self.errors.report("syntax", "a function cannot have an initialiser", initialiser.span)
            functions.append(self._function_declaration(declared.specified, declarator))
        return functions

    def _function_declaration(
        self, specified: DeclarationSpecifiers, declarator: ParsedDeclarator
    ) -> c.FunctionDeclaration:
        name, span, parameters = declarator.name, declarator.span, declarator.parameters or []
        assert name
        storage = specified.storage
        if qualifier := next((word for word in ("const", "volatile") if word in storage), None):
            message = f"`{qualifier}` has no effect on the result of a function"
            self.errors.warn("ignored-qualifiers", message, storage[qualifier])
        returns, static, inline = "_Noreturn" not in storage, "static" in storage, "inline" in storage
        result = UNKNOWN if declarator.unsupported else specified.type
        return c.FunctionDeclaration(
            span, name, result, parameters, declarator.prototyped, None, returns=returns, static=static, inline=inline
        )


def _is_inserted(span: Span) -> bool:
    """Whether error recovery inserted the token with that span, and so has reported an error there."""
    return span.start == span.end
