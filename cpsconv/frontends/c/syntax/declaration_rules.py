"""What the grammar's rules for specifiers make: the words of a type, in whatever order, and storage classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union

from cpsconv.frontends.c.syntax.headers import TypeName
from cpsconv.frontends.c.syntax.rules import Parts, Rules, whole
from cpsconv.frontends.c.syntax.tokens import Token
from cpsconv.frontends.c.syntax.tree import (
    Compound,
    Declaration,
    Declarator,
    Expression,
    ExpressionStatement,
    FunctionDeclaration,
    ParameterDeclaration,
)
from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    Scalar,
)
from cpsconv.progress import report
from cpsconv.source import Span

_SPELLINGS = {
    VOID: "void",
    BOOL: "_Bool",
    CHAR: "char",
    SIGNED_CHAR: "signed char",
    UNSIGNED_CHAR: "unsigned char",
    SHORT: "short, short int, signed short, signed short int",
    UNSIGNED_SHORT: "unsigned short, unsigned short int",
    INT: "int, signed, signed int",
    UNSIGNED: "unsigned, unsigned int",
    LONG: "long, long int, signed long, signed long int, long long, long long int, signed long long, "
    "signed long long int",
    UNSIGNED_LONG: "unsigned long, unsigned long int, unsigned long long, unsigned long long int",
    FLOAT: "float",
    DOUBLE: "double",
}  # C17 6.7.2, paragraph 2
_TYPES = {
    tuple(sorted(spelling.split())): type for type, all in _SPELLINGS.items() for spelling in all.split(", ")
}  # the words of a type may come in any order
TYPE_SPECIFIERS = frozenset(word for words in _TYPES for word in words)
"""The words that make types."""

_NOT_TYPES = frozenset(
    ["const", "volatile", "restrict", "static", "extern", "auto", "register", "typedef", "inline", "_Noreturn"],
)  # the other specifiers


@dataclass(eq=False, slots=True)
class Foreign:
    """A specifier that is not supported yet."""

    span: Span
    subject: str


class Specifiers(list[Union[Token, Foreign]]):
    """What the rule `specifiers` makes."""


@dataclass(eq=False, slots=True)
class Specified:
    """What specifiers say: a type, whether it is constant, and the storage classes."""

    span: Span
    type: Scalar
    constant: bool
    storage: dict[str, Span]


class SpecifierRules(Rules):
    """Handles the rules from `specifiers` to `enumeration`."""

    def first_specifier(self, parts: Parts) -> Specifiers:
        """specifiers: specifier"""
        return Specifiers(parts)

    def specified(self, specifiers: Specifiers) -> Specified:
        """What the list that the rule `specifiers` makes says; complains if it does not make a type."""
        span = whole(specifiers)
        types: list[Token] = []
        storage: dict[str, Span] = {}
        foreign = False
        for part in specifiers:
            if isinstance(part, Foreign):
                self.faults.unsupported(part.subject, part.span)
                foreign = True
            elif part.text in _NOT_TYPES:
                storage[part.text] = part.span
            else:
                types.append(part)
        return Specified(span, INT if foreign else self._type(types, span), "const" in storage, storage)

    def _type(self, words: list[Token], span: Span) -> Scalar:
        """The type that the words make together, in whatever order."""
        if not words:
            self.faults.add("expected a type", Span(span.source, span.end, span.end))
            return INT
        if len(words) == 1 and words[0].type == "TYPE":
            named: Scalar = words[0].value
            return named
        spelling = tuple(sorted(word.text for word in words))
        if spelling == ("double", "long"):
            self.faults.unsupported("`long double` is", whole(words))
        elif spelling not in _TYPES:
            self.faults.add(f"`{' '.join(word.text for word in words)}` is not a type", whole(words))
        return _TYPES.get(spelling, INT)

    def structure(self, parts: Parts) -> Foreign:
        """structure: ("struct" | "union") NAME? ("{" members "}")?"""
        return Foreign(_head(parts), f"{parts[0].text}s are")

    def enumeration(self, parts: Parts) -> Foreign:
        """enumeration: "enum" NAME? ("{" enumerators ","? "}")?"""
        return Foreign(_head(parts), "enums are")


def _head(parts: Parts) -> Span:
    """The keyword of a structure and its name, if it has one."""
    keyword, name = parts[0], parts[1]
    span: Span = keyword.span
    return span.to(name.span) if isinstance(name, Token) and name.type == "NAME" else span


NESTED_FUNCTIONS = "nested functions are"


@dataclass(eq=False, slots=True)
class Shape:
    """What a declarator says: a name, perhaps parameters, perhaps something not supported yet and where.

    `span` is that of the name, if there is one.
    """

    span: Span
    name: str | None
    parameters: list[ParameterDeclaration] | None = None
    prototyped: bool = True
    unsupported: tuple[str, Span] | None = None


@dataclass(eq=False, slots=True)
class Declared:
    """A declaration whose place, in a function or outside, is not known yet."""

    span: Span
    specified: Specified
    shapes: list[tuple[Shape, Expression | None]] = field(default_factory=list)


class DeclarationRules(SpecifierRules):
    """Handles the rules from `unit` to `type_name`, but for specifiers."""

    # --------------------------------------------------------------------------------------------- declarators

    def declared_name(self, parts: Parts) -> Shape:
        """direct_declarator: NAME"""
        [name] = parts
        self.declared.add(name.text)
        return Shape(name.span, name.text)

    def grouped(self, parts: Parts) -> Any:
        """direct_declarator: "(" declarator ")"; direct_abstract_declarator: "(" abstract_declarator ")" """
        return parts[1]

    def pointer_to(self, parts: Parts) -> Shape:
        """declarator: pointer direct_declarator; abstract_declarator: pointer direct_abstract_declarator?"""
        star: Token = parts[0][0]
        shape = parts[1] if len(parts) == 2 else Shape(star.span, None)
        return _but(shape, "pointers are", star.span)

    def first_part(self, parts: Parts) -> Any:
        """pointer: pointer ("*" | "const" | "volatile" | "restrict")"""
        return parts[0]

    def array_of(self, parts: Parts) -> Shape:
        """direct_declarator: direct_declarator dimension"""
        *inner, dimension = parts
        return _but(inner[0] if inner else Shape(dimension, None), "arrays are", dimension)

    def brackets(self, parts: Parts) -> Span:
        """dimension: "[" ("static"? assignment | "*")? "]" """
        return whole(parts)

    def function_without_prototype(self, parts: Parts) -> Shape:
        """direct_declarator: direct_declarator "(" ")" """
        return _function(parts[0], [], prototyped=False)

    def function_of(self, parts: Parts) -> Shape:
        """direct_declarator: direct_declarator "(" parameters ")" """
        shape, _, parameters, _ = parts
        void = [parameter for parameter in parameters if parameter.name is None and parameter.type is VOID]
        if len(parameters) > 1:
            for parameter in void:
                self.faults.add("`void` must stand alone: it says that there are no parameters", parameter.span)
        return _function(shape, [parameter for parameter in parameters if parameter not in void], prototyped=True)

    def kr_function(self, parts: Parts) -> Shape:
        """kr_function: direct_declarator "(" kr_names ")" """
        shape, _, names, _ = parts
        return _but(_function(shape, [], prototyped=False), "parameters without types are", whole(names))

    def abstract_function(self, parts: Parts) -> Shape:
        """direct_abstract_declarator: direct_abstract_declarator? "(" parameters? ")" """
        place: Span = parts[0].span if isinstance(parts[0], Shape) else whole(parts)
        return Shape(place, None, unsupported=("function pointers are", place))

    # ----------------------------------------------------------------------------------------------- parameters

    def parameter(self, parts: Parts) -> ParameterDeclaration:
        """parameter: specifiers (declarator | abstract_declarator)?"""
        specified = self.specified(parts[0])
        shape = parts[1] if len(parts) == 2 else Shape(specified.span, None)
        if shape.parameters is not None:
            _but(shape, "function pointers are", shape.span)
        self._check(shape)
        type = INT if shape.unsupported else specified.type
        return ParameterDeclaration(shape.span, shape.name, type, specified.constant)

    def variadic(self, parts: Parts) -> Any:
        """parameters: parameter_list "," "..." """
        self.faults.unsupported("variadic functions are", parts[2].span)
        return parts[0]

    def type_name(self, parts: Parts) -> Scalar:
        """type_name: specifiers abstract_declarator?"""
        if len(parts) == 2:
            self._check(parts[1])
        return self.specified(parts[0]).type

    def _check(self, shape: Shape) -> None:
        if shape.unsupported:
            self.faults.unsupported(*shape.unsupported)

    # --------------------------------------------------------------------------------------------- declarations

    def first_declarator(self, parts: Parts) -> Declared:
        """declared: specifiers declarator ("=" initialiser)?"""
        specified = self.specified(parts[0])
        if "typedef" in specified.storage:
            self.faults.unsupported("typedefs are", specified.storage["typedef"])
        return self._declare(Declared(specified.span, specified), parts[1:])

    def next_declarator(self, parts: Parts) -> Declared:
        """declared: declared "," declarator ("=" initialiser)?"""
        return self._declare(parts[0], parts[2:])

    def _declare(self, declared: Declared, parts: Parts) -> Declared:
        """Add a declarator with its initialiser. A new type's name is known as one from here on."""
        shape = parts[0]
        declared.shapes.append((shape, parts[2] if len(parts) == 3 else None))
        if "typedef" in declared.specified.storage:
            self.words[shape.name] = TypeName(INT)
            self.defined.add(shape.name)
        else:
            self._check(shape)
        return declared

    def initialiser_list(self, parts: Parts) -> Expression:
        """initialiser: "{" (initialisers ","?)? "}" """
        return self.unsupported("initialiser lists are", parts[0].span)

    def declaration(self, parts: Parts) -> Declared:
        """declaration: declared ";" """
        declared: Declared = parts[0]
        declared.span = whole(parts)
        return declared

    def empty_declaration(self, parts: Parts) -> Declared:
        """declaration: specifiers ";" """
        specified = self.specified(parts[0])
        return Declared(specified.span, specified)

    def local_declaration(self, parts: Parts) -> Declaration:
        """item: declaration; for_first: declaration"""
        declared: Declared = parts[0]
        specified = declared.specified
        has_variables = any(shape.parameters is None for shape, _ in declared.shapes)
        for word, subject in (("static", "static variables are"), ("extern", "global variables are")):
            if word in specified.storage and has_variables:
                self.faults.unsupported(subject, specified.storage[word])
        declarators = []
        for shape, initialiser in _supported(declared):
            if shape.parameters is not None:
                self.faults.unsupported("declarations of functions in functions are", shape.span)
            assert shape.name
            declarators.append(Declarator(shape.span, shape.name, specified.type, specified.constant, initialiser))
        return Declaration(declared.span, declarators)

    def nested_function(self, parts: Parts) -> ExpressionStatement:
        """item: declared_function compound"""
        function: FunctionDeclaration = parts[0]
        self.faults.unsupported(NESTED_FUNCTIONS, function.span)
        return ExpressionStatement(function.span, None)

    # ---------------------------------------------------------------------------------------- outside functions

    def declared_function(self, parts: Parts) -> FunctionDeclaration:
        """declared_function: specifiers declarator; kr_declared_function: specifiers kr_declarator"""
        specified, shape = self.specified(parts[0]), parts[1]
        self._check(shape)
        if shape.parameters is None and not shape.unsupported and not _is_made_up(shape.span):
            end = Span(shape.span.source, shape.span.end, shape.span.end)
            self.faults.add(f"expected parameters in parentheses after `{shape.name}`", end)
        for parameter in shape.parameters or []:
            if parameter.name is None and not _is_made_up(parameter.span):
                self.faults.add("expected a name for the parameter", parameter.span)
        return _function_declaration(specified, shape)

    def definition(self, parts: Parts) -> FunctionDeclaration:
        """definition: declared_function compound | kr_declared_function compound"""
        function: FunctionDeclaration
        body: Compound
        function, body = parts
        function.body = body
        return function

    def kr_definition(self, parts: Parts) -> FunctionDeclaration:
        """definition: kr_declared_function kr_declarations compound"""
        function, _, body = parts
        return self.definition([function, body])

    def add_function(self, parts: Parts) -> Any:
        """unit: unit definition"""
        span: Span = parts[1].span
        report("reading", span.end, len(span.source.text))
        return self.append(parts)

    def add_prototypes(self, parts: Parts) -> Any:
        """unit: unit declaration; variables outside functions are not supported yet"""
        functions: list[FunctionDeclaration]
        declared: Declared
        functions, declared = parts
        for shape, initialiser in _supported(declared):
            if shape.parameters is None:
                self.faults.unsupported("global variables are", shape.span)
                continue
            if initialiser:
                self.faults.add("a function cannot have an initial value", initialiser.span)
            functions.append(_function_declaration(declared.specified, shape))
        return functions


def _is_made_up(span: Span) -> bool:
    """Whether a token has been put there to mend a syntax error, which has been complained of."""
    return span.start == span.end


def _but(shape: Shape, subject: str, span: Span) -> Shape:
    """The shape, found not to be supported; the first reason stands."""
    shape.unsupported = shape.unsupported or (subject, span)
    return shape


def _function(shape: Shape, parameters: list[ParameterDeclaration], prototyped: bool) -> Shape:
    """A function of that shape. A pointer inside makes it a pointer to a function."""
    if shape.unsupported:
        shape.unsupported = ("function pointers are", shape.unsupported[1])
    elif shape.parameters is not None:
        return _but(shape, "function pointers are", shape.span)
    shape.parameters, shape.prototyped = parameters, prototyped
    return shape


def _supported(declared: Declared) -> list[tuple[Shape, Expression | None]]:
    if "typedef" in declared.specified.storage:
        return []
    return [(shape, initialiser) for shape, initialiser in declared.shapes if not shape.unsupported]


def _function_declaration(specified: Specified, shape: Shape) -> FunctionDeclaration:
    assert shape.name
    parameters, returns = shape.parameters or [], "_Noreturn" not in specified.storage
    return FunctionDeclaration(shape.span, shape.name, specified.type, parameters, shape.prototyped, None, returns)
