"""Declarations (C17 6.7 and 6.9): functions and objects, their linkage, and the agreement of their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cpsconv.abi.prototypes import INCLUDED, OBJECTS
from cpsconv.abi.system_headers import is_in_system_header
from cpsconv.core.source import Span
from cpsconv.languages.c.diagnostics import Errors, seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.compatibility import are_compatible, composite
from cpsconv.languages.c.meaning.library import LIBRARY, UNSUPPORTED, LibraryFunction, named_type
from cpsconv.languages.c.meaning.scopes import Scopes
from cpsconv.languages.c.records import TAGS, Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    CHAR,
    INT,
    UNKNOWN,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    array_of,
    function_of,
    pointer_to,
    spelled,
)

_NO_TYPE = function_of(UNKNOWN, [], prototyped=False)


class Declarations:
    """The functions and objects of a translation unit.

    `functions` has the declared functions by name, `globals` the objects of static duration in the order of their first
    declarations. `definitions` has the first definition of each function of the source, also of later ones. `unknown`
    has the names with erroneous or unsupported declarations, whose uses are not reported; `complete` the functions
    whose bodies are typed, `called` those that other functions use, `externals` the functions in use that the source
    does not define: library functions, and those that it only declares. `referenced` has the objects that are used
    before a definition, `renamed` the assembler names of visible items, `weak` the names of the weak items.
    `unprototyped` has the calls of functions without a prototype in scope, `assumed` the names of those that nothing
    declares. `may_recurse` is set if a function calls one that is not complete yet: itself, or a later one.
    """

    def __init__(self, unit: c.TranslationUnit, errors: Errors) -> None:
        self.source = unit.source
        self.headers = frozenset(unit.headers).union(*(INCLUDED.get(each, ()) for each in unit.headers))
        self.unknown = set(unit.unknown)
        self.scopes = Scopes(errors)
        for header in self.headers & TAGS.keys():
            for tag, record in TAGS[header].items():
                self.scopes.declare_tag(tag, record)
        self.functions: dict[str, t.Function] = {}
        self.globals: list[t.Global] = []
        self.definitions: dict[str, c.FunctionDefinition] = {}
        self.externals: dict[str, t.Function] = {}
        self.complete: set[str] = set()
        self.called: set[str] = set()
        self.weak = set(unit.weak)
        self.referenced: set[t.Global] = set()
        self.renamed: dict[str, str] = {}
        self.unprototyped: list[c.CallExpression] = []
        self.may_recurse = False
        self.assumed: set[str] = set()
        self._objects: dict[str, t.Global] = {}  # those with linkage
        self._names: set[str] = set()  # of the objects
        self._is_complete = unit.is_complete
        self._errors = errors
        self._static: dict[str, c.Specifiers] = {}  # of the functions
        self._exported: set[str] = set()  # functions that are not only `inline`
        self._assumed: dict[t.Function, FunctionType] = {}
        for item in unit.items:
            if isinstance(item, c.FunctionDefinition):
                assert item.declarator.name
                self.definitions.setdefault(item.declarator.name, item)

    # --------------------------------------------------------------------------------------------------- functions

    def declare_function(self, name: str, type: FunctionType, specifiers: c.Specifiers, span: Span) -> t.Function:
        """Declare a function in the current scope. Reports a declaration that does not agree with an earlier one."""
        function = self.functions.get(name)
        is_static = "static" in specifiers.storage
        if function is None:
            function = self.functions[name] = new_function(name, type, span)
            self._check_kind(self._objects.get(name), name, span)
        else:
            assert function.type
            if common := composite(type, function.type):
                if is_static and name not in self._static:
                    self._report_static(name, span, function.span)
                self._set_type(function, common)
            elif name not in self.unknown:
                self._report_disagreement(name, type, function.type, span, function.span)
        function.returns = function.returns and "_Noreturn" not in specifiers.storage
        function.is_weak = name in self.weak
        add_attributes(function, specifiers.attributes)
        if is_static:
            self._static.setdefault(name, specifiers)
        if self.scopes.is_file_scope and not _is_inline_definition(specifiers):
            self._exported.add(name)
        if name not in self.unknown:
            self._check_header(name, type, span)
            self._check_main(name, type, span)
        self.scopes.declare(function)
        return function

    def note_weak(self, name: str, attributes: Iterable[c.Attribute]) -> None:
        """Note whether the attributes of a declaration make the name weak."""
        if c.has(attributes, "weak"):
            self.weak.add(name)

    def note_assembler_name(self, name: str, declarator: c.Declarator) -> None:
        """Note the name in object files that a declarator states, if it does."""
        for each in declarator.attributes:
            if each.name == "asm":
                self.renamed[name] = each.text

    def declare_implicitly(self, name: str, span: Span) -> t.Function | None:
        """Declare a function that is called without a declaration, as C90 6.3.2.2 does, with a warning.

        It may be a library function, which gets its type, or one that is defined later. Returns None for other names.
        """
        definition, library = self.definitions.get(name), LIBRARY.get(name)
        if not self._is_complete:
            return None
        help: str | None = None
        is_declared = library is not None and library.header in self.headers
        if library and is_declared and definition:  # the program defines the function itself, as its header declares it
            type = library.type
        elif definition:
            type = function_of(_implicit_result(definition), (), prototyped=False)
            help = f"declare it before it is called: `{_prototype(definition)};`"
        elif library and not is_declared:
            type, help = library.type, f"add `#include <{library.header}>`"
        else:
            return None
        return self._implicit(name, type, span, help)

    def declare_elsewhere(self, name: str, span: Span, help: str | None) -> t.Function:
        """Declare a function that is called without a declaration, and that another file may define, with a warning."""
        help = help or f"declare it before it is called: `int {name}();`"
        self.assumed.add(name)
        return self._implicit(name, function_of(INT, (), prototyped=False), span, help)

    def _implicit(self, name: str, type: FunctionType, span: Span, help: str | None) -> t.Function:
        if name not in self.functions:
            if help:
                self._errors.warn("implicit-function-declaration", f"`{name}` is not declared", span, help=help)
            self.functions[name] = new_function(name, type, span)
        function: t.Function = self.scopes.declare(self.functions[name])
        return function

    def is_defined(self, name: str, span: Span) -> bool:
        """Whether the function is defined already. Reports a second definition, at `span`."""
        function = self.functions.get(name)
        if function is None or function.is_external:
            return False
        if self._is_complete:
            self._report_twice(name, span, function.span)
        return True

    def define_function(self, function: t.Function, definition: c.FunctionDefinition, type: FunctionType) -> None:
        """Make a declared function a defined one."""
        function.is_external = False
        function.span, function.end = definition.span, definition.body.end
        assert function.type
        if not function.type.prototyped:
            self._set_type(function, type)

    def define_nested(self, function: t.Function, definition: c.FunctionDefinition, type: FunctionType) -> None:
        """Define a nested function."""
        specifiers, function.is_static = definition.specifiers, True
        function.returns = "_Noreturn" not in specifiers.storage and not c.has(specifiers.attributes, "noreturn")
        self.define_function(function, definition, type)

    def _set_type(self, function: t.Function, type: CType) -> None:
        assert isinstance(type, FunctionType)
        function.type, function.result, function.is_variadic = type, type.result, type.variadic

    def external(self, name: str, span: Span) -> t.Function:
        """The external function of C's library with that name, which the program uses at `span`."""
        found = self.externals.get(name)
        if found is None:
            found = self.externals[name] = new_function(name, LIBRARY[name].type, span)
            found.is_weak = name in self.weak
        return found

    def library_object(self, name: str) -> t.Global | None:
        """The object of C's library with that name, if its header is included. It is declared on the first use."""
        declared = OBJECTS.get(name)
        if declared is None or declared.header not in self.headers:
            return None
        if name not in self._objects:
            span = Span(self.source, 0, 0)
            self._objects[name] = self._new_global(name, named_type(declared.type), span, is_static=False)
        return self._objects[name]

    def may_be_external(self, function: t.Function) -> bool:
        """Whether a function that the source does not define may be defined elsewhere."""
        name = function.name
        is_unsupported = name in UNSUPPORTED and "fenv.h" in self.headers
        return self._is_complete and name not in self.unknown and name not in self._static and not is_unsupported

    def use_external(self, function: t.Function, span: Span, call: c.CallExpression | None = None) -> bool:
        """Use a function that the source only declares, in a `call` or as a pointer.

        Returns whether this is possible; reports if not.
        """
        if call and any(isinstance(each.type, Record) for each in call.variable):
            message = f"structs as variable arguments of `{function.name}`, which is declared only,"
            self._errors.report("unsupported", f"{message} are not supported yet", span, notes=seen(function.span))
            return False
        function.name = self.renamed.get(function.name, function.name)
        self.called.add(function.name)
        self.externals[function.name] = function
        return True

    def assume_type(self, function: t.Function, type: FunctionType) -> bool:
        """Give a function without a prototype the type of its first call. Returns whether `type` agrees with it."""
        assumed = self._assumed.setdefault(function, type)
        function.parameters = [
            t.Local(f"p{number}", each, function.span, False) for number, each in enumerate(assumed.parameters)
        ]
        return assumed is type

    def note_call(self, caller: str, callee: str) -> None:
        """Record a call for `called` and `may_recurse`."""
        if callee != caller:
            self.called.add(callee)
        if callee not in self.complete:
            self.may_recurse = True

    def is_unused_of_header(self, function: t.Function) -> bool:
        """Whether a header of the system defines the function for this unit alone, which does not use it."""
        return function.is_static and function.name not in self.called and is_in_system_header(function.span)

    def warn_of_unused(self) -> None:
        """Warn of the `static` objects and functions that nothing uses, but for `inline` ones and those of headers."""
        for name, found in self._objects.items():
            if not found.is_used and not found.is_assigned and found.span.file == found.span.source.name:
                self.scopes.warn_of_unused(found, name)
        for name, specifiers in self._static.items():
            function = self.functions[name]
            if name not in self.called and "inline" not in specifiers.storage:
                message = f"the function `{name}` is never called"
                if function.is_external:
                    message = f"the function `{name}` is `static`, but neither defined nor called"
                self._errors.warn("unused-function", message, function.span)

    def may_be_declared(self, name: str) -> bool:
        """Whether an unknown or missing declaration may declare the name."""
        return name in self.unknown or not self._is_complete

    def library(self, name: str) -> LibraryFunction | None:
        """The library function, if its header is included, or the program declares one that is called alike."""
        library = LIBRARY.get(name)
        if library is None or library.header in self.headers:
            return library
        declared = self.functions.get(name)
        return library if declared and declared.type and _are_called_alike(declared.type, library.type) else None

    def names(self) -> list[str]:
        """The names of all functions that can be called here."""
        return [*self.functions, *(name for name, function in LIBRARY.items() if function.header in self.headers)]

    def _report_disagreement(self, name: str, type: CType, earlier: CType, span: Span, first: Span) -> None:
        note = (f"it is first declared here as `{spelled(earlier, name)}`", first)
        message = f"`{spelled(type, name)}` does not agree with an earlier declaration"
        self._errors.report("redeclared", message, span, notes=[note])

    def _report_static(self, name: str, span: Span, first: Span) -> None:
        message = f"`{name}` is `static`, but an earlier declaration is not"
        self._errors.report("redeclared", message, span, notes=seen(first, "first declared"))

    def _report_twice(self, name: str, span: Span, first: Span) -> None:
        self._errors.report("redefined", f"`{name}` is defined twice", span, notes=seen(first, "first defined"))

    def _check_kind(self, other: t.Function | t.Global | None, name: str, span: Span) -> None:
        """Report a name with linkage that is that of an object and of a function."""
        if other and not self.scopes.declared_here(name):
            message = f"`{name}` is declared as a function and as a variable"
            self._errors.report("redeclared", message, span, notes=seen(other.span, "first declared"))

    def _check_header(self, name: str, type: FunctionType, span: Span) -> None:
        header = LIBRARY[name].header if name in LIBRARY else None
        if header not in self.headers:
            self._check_prototype(name, type, span)
            return
        if name in self.definitions:
            library = LIBRARY.get(name)
            is_replaced = library and library.operation is None and are_compatible(type, library.type)
            if self.definitions[name].span is span and not is_replaced:
                self._errors.report("redefined", f"`{name}` is already declared by <{header}>", span)
        elif name in LIBRARY and not are_compatible(type, LIBRARY[name].type):
            message = f"`{spelled(type, name)}` does not agree with <{header}>, which declares"
            self._errors.report("redeclared", f"{message} `{spelled(LIBRARY[name].type, name)}`", span)

    def _check_prototype(self, name: str, type: FunctionType, span: Span) -> None:
        """Warn of a declaration of a library function that does not agree with its header, as gcc does."""
        if name in LIBRARY and name not in self.definitions and not _agrees(type, LIBRARY[name].type):
            expected = spelled(LIBRARY[name].type, name)
            message = f"`{spelled(type, name)}` does not agree with the library function `{expected}`"
            help = f"write `#include <{LIBRARY[name].header}>` instead"
            self._errors.warn("builtin-declaration-mismatch", message, span, help=help)

    def _check_main(self, name: str, type: FunctionType, span: Span) -> None:
        if name != "main":
            return
        if type.result is VOID:
            help = "write `int main(void)`"
            self._errors.warn("main-return-type", "`main` should return `int`, the exit status", span, help=help)
        if type.result not in (INT, VOID):
            self._errors.report("main-result", "`main` must return `int`", span, help="write `int main(void)`")

    # ----------------------------------------------------------------------------------------------------- objects

    def declare_global(self, name: str, type: CType, specifiers: c.Specifiers, span: Span, defines: bool) -> t.Global:
        """Declare an object with linkage in the current scope: at file scope, or by ``extern`` in a block.

        Reports a declaration that does not agree with an earlier one. It `defines` the object if it has an initialiser.
        """
        is_static = "static" in specifiers.storage
        found = self._objects.get(name)
        if found is None:
            found = self._objects[name] = self._new_global(name, type, span, is_static)
            self._check_kind(self.functions.get(name), name, span)
        elif not (common := composite(type, found.type)):
            if UNKNOWN not in (type, found.type):
                self._report_disagreement(name, type, found.type, span, found.span)
        else:
            if is_static and not found.is_static:
                self._report_static(name, span, found.span)
            if defines and found.initial is not None:
                self._report_twice(name, span, found.span)
            found.type = common
        if "extern" not in specifiers.storage or defines:
            if defines or not found.is_defined:
                found.span = span
            found.is_defined = True
        found.is_weak = name in self.weak
        self.scopes.declare(found, name)
        return found

    def declare_static(self, function: t.Function, name: str, type: CType, span: Span) -> t.Global:
        """Declare a `static` object of a block in the current scope. Its name in the program is unique: ``f.x``."""
        created = self.new_hidden(self.new_name(f"{function.name}.{name}"), type, span)
        self.scopes.declare(created, name)
        return created

    def new_name(self, name: str) -> str:
        """The name in the program of a nested function or static object: if `name` is taken, with a number."""
        unique, number = name, 1
        while unique in self._names:
            unique, number = f"{name}{number}", number + 1
        self._names.add(unique)
        return unique

    def new_hidden(self, name: str, type: CType, span: Span) -> t.Global:
        """A new object of static duration that has no linkage, and is in no scope."""
        created = self._new_global(name, type, span, is_static=True)
        created.is_defined = True
        return created

    def _new_global(self, name: str, type: CType, span: Span, is_static: bool) -> t.Global:
        created = t.Global(name, type, span, "const" in type.qualifiers, is_static)
        self.globals.append(created)
        self._names.add(name)
        return created

    def add_literals(self, literals: Sequence[t.Global]) -> None:
        """Add the objects of compound literals, and make their names unique."""
        for number, literal in enumerate(literals):
            literal.name = f"{literal.name}.{number}" if number else literal.name
            while literal.name in self._names or literal.name in self.functions:
                literal.name += "_"
            self.globals.append(literal)

    def complete_tentative_definitions(self) -> None:
        """Complete the types of objects defined without an initialiser (C17 6.9.2): ``int a[];`` has one element."""
        for each in self.globals:
            if not each.is_defined or each.type is UNKNOWN:
                continue
            if isinstance(each.type, Array) and each.type.length is None and is_complete(each.type.element):
                each.type = array_of(each.type.element, 1)
            if not is_complete(each.type):
                message = f"the type of `{each.name}`, `{each.type}`, is not complete"
                self._errors.report("incomplete-type", message, each.span)

    def determine_linkage(self) -> None:
        """Mark the functions without external linkage, and those whose definitions are for this unit alone.

        The definition of a function that all declarations state to be ``inline`` is one for this unit (C17 6.7.4).
        """
        for name, function in self.functions.items():
            function.is_static = name in self._static or (name not in self._exported and name in self.definitions)

    def use_assembler_names(self) -> None:
        """Give the visible functions and objects their assembler names. To be called when the linkage is determined."""
        for name, text in self.renamed.items():
            named = self.functions.get(name) or self._objects[name]
            if named.is_static:
                continue
            if text != name and text in self.functions.keys() | self._objects.keys() and self._is_defined(named):
                message = f"`{name}` has the assembler name `{text}`, which is that of another declaration"
                self._errors.report("unsupported", f"{message}: this is not supported yet", named.span)
                continue
            named.name = text

    @staticmethod
    def _is_defined(named: t.Function | t.Global) -> bool:
        return not named.is_external if isinstance(named, t.Function) else named.is_defined

    @property
    def external_objects(self) -> list[t.Global]:
        """The objects in use that the source only declares."""
        return [each for each in self.globals if each in self.referenced and not each.is_defined]


def are_of_main(types: Sequence[CType]) -> bool:
    """Whether the types of parameters are those of ``int argc, char *argv[]``; the characters may be qualified."""
    match types:
        case [count, Pointer(target=Pointer(target=character))]:
            return count.unqualified is INT and character.unqualified is CHAR
    return False


VECTOR = pointer_to(pointer_to(CHAR))
"""The type of `argv`."""


def new_function(name: str, type: FunctionType | None, span: Span) -> t.Function:
    """A function that is not defined yet."""
    type = type or _NO_TYPE
    return t.Function(span, name, type.result, [], span, [], {}, [], True, type, type.variadic, True)


def _is_inline_definition(specifiers: c.Specifiers) -> bool:
    """Whether a definition with these specifiers is for its unit only, by C17 or by GNU C's older rule."""
    is_old = c.has(specifiers.attributes, "gnu_inline")
    return "inline" in specifiers.storage and ("extern" in specifiers.storage) is is_old


def _implicit_result(definition: c.FunctionDefinition) -> CType:
    """What a function that is called before its definition is taken to return: `int`, or nothing as gcc permits."""
    is_void = definition.specifiers.type is VOID and len(definition.declarator.derivations) == 1
    return VOID if is_void else INT


def _prototype(definition: c.FunctionDefinition) -> str:
    """The prototype of a function that is defined below, in the words of the source."""
    source, last = definition.span.source, definition.declarator.derivations[0].span
    return " ".join(source.text[definition.specifiers.span.start : last.end].split())


def _agrees(type: FunctionType, library: FunctionType) -> bool:
    """Whether a declaration of a library function agrees with its type. An old-style one states the result only."""
    if type.prototyped:
        return are_compatible(type, library)
    return are_compatible(type.result, library.result)


def _are_called_alike(type: FunctionType, library: FunctionType) -> bool:
    """Whether a call of a function of the type passes arguments and result in the registers of the library function."""
    results = {_register(type.result), _register(library.result)}
    if len(results) > 1 and VOID not in results:
        return False
    if not type.prototyped:
        return True
    given, wanted = ([_register(each) for each in function.parameters] for function in (type, library))
    return given == wanted and type.variadic is library.variadic


def _register(type: CType) -> object:
    """The kind of register that passes a value of the type: integers and pointers share one."""
    return "integer" if type.kind in ("integer", "bool", "pointer") else type.unqualified


def add_attributes(function: t.Function, attributes: Sequence[c.Attribute]) -> None:
    """Note the attributes that let the function run before or after `main`, be expanded in place, or never return."""
    function.always_inline = function.always_inline or c.has(attributes, "always_inline")
    function.returns = function.returns and not c.has(attributes, "noreturn")
    found = {each.name: each.priority for each in attributes if each.priority is not None}
    if found:
        function.priorities = {**function.priorities, **found}
