"""The functions of a translation unit: which are declared where, and whether their declarations agree."""

from __future__ import annotations

from cpsconv.construction import Builder, Variable
from cpsconv.frontends.c.conversions import promoted
from cpsconv.frontends.c.library import LIBRARY, UNSUPPORTED, LibraryFunction
from cpsconv.frontends.c.semantic_errors import Complaints
from cpsconv.frontends.c.syntax import FunctionDeclaration, ParameterDeclaration, TranslationUnit
from cpsconv.ir import FLOAT, INT, STRING, VOID, Function, Scalar


class Functions:
    """The functions of `unit`. Every definition can be called, once a declaration has made it visible."""

    def __init__(self, unit: TranslationUnit, builder: Builder, complaints: Complaints) -> None:
        self.headers = frozenset(unit.headers)
        self.source = unit.source
        self._complaints = complaints
        self._visible: dict[str, FunctionDeclaration] = {}
        self._definitions: dict[str, FunctionDeclaration] = {}
        self._built: dict[str, Function] = {}
        self._not_returning: set[str] = set()
        for declaration in unit.functions:
            self._check_parameters(declaration)
        for definition in unit.functions:
            if definition.body and self._definitions.setdefault(definition.name, definition) is definition:
                variables = [Variable(p.name or "unnamed", p.type, p.span) for p in definition.parameters]
                self._built[definition.name] = builder.declare(
                    definition.name, variables, definition.result, definition.span
                )

    def declare(self, declaration: FunctionDeclaration) -> None:
        """Make a function visible from here on, if the declaration is right."""
        earlier = self._visible.get(declaration.name)
        if earlier:
            self._compare(declaration, earlier)
        self._check_name(declaration)
        if not declaration.returns:
            self._not_returning.add(declaration.name)
        if not earlier or self.is_definition(declaration) or not earlier.prototyped:
            self._visible[declaration.name] = declaration

    def is_definition(self, declaration: FunctionDeclaration) -> bool:
        """Whether this is the declaration with the function's body (and not a repeated one)."""
        return self._definitions.get(declaration.name) is declaration

    def find(self, name: str) -> FunctionDeclaration | None:
        """The declaration to call the function by, if one is visible."""
        return self._visible.get(name)

    def defined(self, name: str) -> FunctionDeclaration | None:
        """The definition, visible or not."""
        return self._definitions.get(name)

    def returns(self, name: str) -> bool:
        """Whether the function may return, by its declarations so far."""
        return name not in self._not_returning

    def built(self, name: str) -> Function | None:
        """The function to call, if it is defined."""
        return self._built.get(name)

    def library(self, name: str) -> LibraryFunction | None:
        """The library function of that name, if its header is included or the program declares it as it is."""
        library = LIBRARY.get(name)
        declaration = self._visible.get(name)
        if library is None or library.header in self.headers:
            return library
        return library if declaration and _is_of(library, declaration) else None

    def names(self) -> list[str]:
        """What can be called by a plain name here."""
        return [*self._visible, *(name for name, function in LIBRARY.items() if function.header in self.headers)]

    def _compare(self, declaration: FunctionDeclaration, earlier: FunctionDeclaration) -> None:
        name = declaration.name
        if declaration.body and not self.is_definition(declaration):
            first = self._definitions[name]
            note = ("it is first defined here", first.span)
            self._complaints.error(f"`{name}` is defined twice", declaration.span, note=note)
        elif not _agree(declaration, earlier):
            note = (f"it is first declared here as `{signature(earlier)}`", earlier.span)
            message = f"`{signature(declaration)}` does not agree with an earlier declaration"
            self._complaints.error(message, declaration.span, note=note)

    def _check_name(self, declaration: FunctionDeclaration) -> None:
        name = declaration.name
        header = LIBRARY[name].header if name in LIBRARY else UNSUPPORTED.get(name)
        if header in self.headers and declaration.body:
            self._complaints.error(f"`{name}` is declared by <{header}> already", declaration.span)
        elif header in self.headers and name in LIBRARY and not _is_of(LIBRARY[name], declaration):
            message = f"`{signature(declaration)}` does not agree with <{header}>, which declares"
            self._complaints.error(f"{message} `{_library_signature(name)}`", declaration.span)
        if name == "main" and (declaration.result is not INT or declaration.parameters):
            message = (
                "`main` must return `int` and take no parameters (those of the command line are not supported yet)"
            )
            self._complaints.error(message, declaration.span, help="write `int main(void)`")

    def _check_parameters(self, declaration: FunctionDeclaration) -> None:
        for parameter in declaration.parameters:
            if parameter.type is VOID:
                self._complaints.error("a parameter cannot be `void`", parameter.span)


def signature(declaration: FunctionDeclaration) -> str:
    """The declaration as a prototype without names."""
    parameters = ", ".join(str(parameter.type) for parameter in declaration.parameters)
    return f"{declaration.result} {declaration.name}({parameters or ('void' if _is_exact(declaration) else '')})"


def _is_exact(declaration: FunctionDeclaration) -> bool:
    """Whether the declaration says what the parameters are: ``f()`` does so only where it defines the function."""
    return declaration.prototyped or declaration.body is not None


def _agree(one: FunctionDeclaration, other: FunctionDeclaration) -> bool:
    """Whether two declarations can be of one function, see C17 6.7.6.3."""
    if one.result is not other.result:
        return False
    if _is_exact(one) and _is_exact(other):
        return _types(one) == _types(other)
    return all(type is promoted(type) and type is not FLOAT for type in (*_types(one), *_types(other)))


def _is_of(library: LibraryFunction, declaration: FunctionDeclaration) -> bool:
    """Whether a declaration can be of a library function. Where C has a pointer, no type that is supported agrees."""
    if library.variadic:
        return False
    parameters = [ParameterDeclaration(declaration.span, None, type, False) for type in library.parameters]
    as_declared = FunctionDeclaration(declaration.span, declaration.name, library.result, parameters, True, None)
    return _agree(declaration, as_declared)


def _library_signature(name: str) -> str:
    """A library function's prototype, as it stands in the header."""
    library = LIBRARY[name]
    types = ["const char *" if type is STRING else str(type) for type in library.parameters]
    return f"{library.result} {name}({', '.join([*types, '...'] if library.variadic else types) or 'void'})"


def _types(declaration: FunctionDeclaration) -> list[Scalar]:
    return [parameter.type for parameter in declaration.parameters]
