"""Declarations (C17 6.7 and 6.9): functions and objects, their linkage, and the agreement of their declarations."""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.meaning.compatibility import are_compatible, composite
from cpsconv.frontends.c.meaning.scopes import Scopes
from cpsconv.frontends.c.records import is_complete
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    STRING,
    UNKNOWN,
    VOID,
    Array,
    CType,
    FunctionType,
    array_of,
    pointer_to,
    spelled,
)
from cpsconv.source import Span

# ------------------------------------------------------------------------------------------------- library functions


class LibraryFunction(NamedTuple):
    """A library function. `operation` names the primitive, effect or external continuation that implements it."""

    header: str
    type: FunctionType
    operation: str


LIBRARY: dict[str, LibraryFunction] = {
    "printf": LibraryFunction("stdio.h", FunctionType(INT, [STRING], variadic=True), "printf"),
    "puts": LibraryFunction("stdio.h", FunctionType(INT, [STRING]), "puts"),
    "putchar": LibraryFunction("stdio.h", FunctionType(INT, [INT]), "putchar"),
    "abort": LibraryFunction("stdlib.h", FunctionType(VOID, []), "abort"),
    "exit": LibraryFunction("stdlib.h", FunctionType(VOID, [INT]), "halt"),
    "abs": LibraryFunction("stdlib.h", FunctionType(INT, [INT]), "abs"),
    "labs": LibraryFunction("stdlib.h", FunctionType(LONG, [LONG]), "abs"),
    "llabs": LibraryFunction("stdlib.h", FunctionType(LONG, [LONG]), "abs"),
    "fabs": LibraryFunction("math.h", FunctionType(DOUBLE, [DOUBLE]), "abs"),
    "fabsf": LibraryFunction("math.h", FunctionType(FLOAT, [FLOAT]), "abs"),
}
"""The supported library functions."""

ASSERT_HEADER = "assert.h"
"""The header that defines the macro `assert`."""

_UNSUPPORTED = {
    "stdio.h": """clearerr fclose feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread freopen fscanf fseek
        ftell fwrite getc getchar gets perror putc remove rename rewind scanf setbuf setvbuf snprintf sprintf sscanf
        tmpfile tmpnam ungetc vfprintf vprintf vsnprintf vsprintf""",
    "stdlib.h": """atexit atof atoi atol atoll bsearch calloc div free getenv ldiv lldiv malloc qsort quick_exit rand
        realloc srand strtod strtof strtol strtoll strtoul strtoull system""",
    "string.h": """memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strdup strerror
        strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtok""",
    "ctype.h": """isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
        tolower toupper""",
    "math.h": """acos acosf asin asinf atan atan2 atan2f atanf cbrt ceil ceilf cos cosf cosh exp exp2 expf floor floorf
        fmax fmaxf fmin fminf fmod fmodf frexp hypot isfinite isinf isnan ldexp log log10 log2 logf lround modf pow
        powf round roundf signbit sin sinf sinh sqrt sqrtf tan tanf tanh trunc truncf""",
    "time.h": "asctime clock ctime difftime gmtime localtime mktime strftime time",
    "signal.h": "raise signal",
    "setjmp.h": "longjmp setjmp",
}

UNSUPPORTED: dict[str, str] = {name: header for header, names in _UNSUPPORTED.items() for name in names.split()}
"""The library functions that are not supported yet, with their headers."""

# ------------------------------------------------------------------------------------------- functions and objects


class Declarations:
    """The functions and objects of a translation unit.

    `functions` has the declared functions by name, `globals` the objects of static duration in the order of their first
    declarations. `definitions` has the first definition of each function of the source, also of later ones. `unknown`
    has the names with erroneous or unsupported declarations, whose uses are not reported; `complete` the functions
    whose bodies are typed, `called` those that other functions use. `may_recurse` is set if a function calls one that
    is not complete yet: itself, or a later one.
    """

    def __init__(self, unit: c.TranslationUnit, scopes: Scopes, errors: Errors) -> None:
        self.headers = frozenset(unit.headers)
        self.unknown = set(unit.unknown)
        self.functions: dict[str, t.Function] = {}
        self.globals: list[t.Global] = []
        self.definitions: dict[str, c.FunctionDefinition] = {}
        self.complete: set[str] = set()
        self.called: set[str] = set()
        self.may_recurse = False
        self._objects: dict[str, t.Global] = {}  # those with linkage
        self._is_complete = unit.is_complete
        self._scopes = scopes
        self._errors = errors
        self._static: dict[str, c.Specifiers] = {}  # of the functions
        for item in unit.items:
            if isinstance(item, c.FunctionDefinition):
                assert item.declarator.name
                self.definitions.setdefault(item.declarator.name, item)

    # --------------------------------------------------------------------------------------------------- functions

    def declare_function(self, name: str, type: FunctionType, specifiers: c.Specifiers, span: Span) -> t.Function:
        """Declare a function in the current scope. Reports a declaration that does not agree with an earlier one."""
        function = self.functions.get(name)
        if function is None:
            returns = _returns(specifiers)
            function = t.Function(span, name, type.result, [], span, [], {}, [], returns, type, type.variadic, True)
            self.functions[name] = function
        else:
            assert function.type
            if are_compatible(type, function.type):
                function.type = composite(type, function.type)
            elif name not in self.unknown:
                self._report_disagreement(name, type, function.type, span, function.span)
            function.returns = function.returns and _returns(specifiers)
        if "static" in specifiers.storage:
            self._static.setdefault(name, specifiers)
        if name not in self.unknown:
            self._check_header(name, type, span, defines=False)
            self._check_main(name, type, span)
        self._scopes.declare(function)
        return function

    def define_function(self, function: t.Function, definition: c.FunctionDefinition, type: FunctionType) -> bool:
        """Make a declared function a defined one. False if it is defined already, which is reported."""
        name = function.name
        if not function.is_external:
            if self._is_complete:
                note = ("it is first defined here", function.span)
                self._errors.report("redefined", f"`{name}` is defined twice", definition.span, notes=[note])
            return False
        self._check_header(name, type, definition.span, defines=True)
        function.is_external = False
        function.span, function.end = definition.span, definition.body.end
        return True

    def note_call(self, caller: str, callee: str) -> None:
        """Record a call for `called` and `may_recurse`."""
        if callee != caller:
            self.called.add(callee)
        if callee not in self.complete:
            self.may_recurse = True

    def warn_of_unused(self) -> None:
        """Warn of each `static` function that no other function uses, and that is not `inline`, as in a header."""
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
        """The library function, if its header is included or the program declares it correctly."""
        library = LIBRARY.get(name)
        if library is None or library.header in self.headers:
            return library
        declared = self.functions.get(name)
        return library if declared and declared.type and are_compatible(declared.type, library.type) else None

    def names(self) -> list[str]:
        """The names of all functions that can be called here."""
        return [*self.functions, *(name for name, function in LIBRARY.items() if function.header in self.headers)]

    def _report_disagreement(self, name: str, type: CType, earlier: CType, span: Span, first: Span) -> None:
        note = (f"it is first declared here as `{spelled(earlier, name)}`", first)
        message = f"`{spelled(type, name)}` does not agree with an earlier declaration"
        self._errors.report("redeclared", message, span, notes=[note])

    def _check_header(self, name: str, type: FunctionType, span: Span, defines: bool) -> None:
        header = LIBRARY[name].header if name in LIBRARY else UNSUPPORTED.get(name)
        if header not in self.headers:
            return
        if defines:
            self._errors.report("redefined", f"`{name}` is already declared by <{header}>", span)
        elif name in LIBRARY and not are_compatible(type, LIBRARY[name].type) and name not in self.definitions:
            message = f"`{spelled(type, name)}` does not agree with <{header}>, which declares"
            self._errors.report("redeclared", f"{message} `{LIBRARY[name].type.declared(name)}`", span)

    def _check_main(self, name: str, type: FunctionType, span: Span) -> None:
        if name != "main":
            return
        arguments = (INT, pointer_to(pointer_to(CHAR)))
        if type.result is not INT or tuple(type.parameters) not in ((), arguments):
            message = "`main` must return `int`, and take no parameters or `int argc, char *argv[]`"
            self._errors.report("main", message, span, help="write `int main(void)`")

    # ----------------------------------------------------------------------------------------------------- objects

    def declare_global(self, name: str, type: CType, specifiers: c.Specifiers, span: Span, defines: bool) -> t.Global:
        """Declare an object with linkage in the current scope: at file scope, or by ``extern`` in a block.

        Reports a declaration that does not agree with an earlier one, and a second definition with an initialiser.
        """
        is_static = "static" in specifiers.storage
        found = self._objects.get(name)
        if found is None:
            found = self._objects[name] = self._new_global(name, type, span, is_static)
        elif not are_compatible(type, found.type):
            if UNKNOWN not in (type, found.type):
                self._report_disagreement(name, type, found.type, span, found.span)
        else:
            if is_static and not found.is_static:
                note = ("it is first declared here", found.span)
                message = f"`{name}` is `static`, but was declared without `static`"
                self._errors.report("redeclared", message, span, notes=[note])
            if defines and found.initial is not None:
                note = ("it is first defined here", found.span)
                self._errors.report("redefined", f"`{name}` is defined twice", span, notes=[note])
            found.type = composite(type, found.type)
        if "extern" not in specifiers.storage or defines:
            found.is_defined = True
        self._scopes.declare(found, name)
        return found

    def declare_static(self, function: t.Function, name: str, type: CType, span: Span) -> t.Global:
        """Declare a `static` object of a block in the current scope. Its name in the program is unique: ``f.x``."""
        base = unique = f"{function.name}.{name}"
        number = 1
        taken = {each.name for each in self.globals if each.name.startswith(base)}
        while unique in taken:
            unique, number = f"{base}{number}", number + 1
        created = self._new_global(unique, type, span, is_static=True)
        created.is_defined = True
        self._scopes.declare(created, name)
        return created

    def _new_global(self, name: str, type: CType, span: Span, is_static: bool) -> t.Global:
        created = t.Global(name, type, span, "const" in type.qualifiers, is_static)
        self.globals.append(created)
        return created

    def complete_tentative_definitions(self) -> None:
        """Complete the types of objects that are defined without an initialiser (C17 6.9.2): ``int a[];`` has 1 element."""
        for each in self.globals:
            if not each.is_defined or each.type is UNKNOWN:
                continue
            if isinstance(each.type, Array) and each.type.length is None and is_complete(each.type.element):
                each.type = array_of(each.type.element, 1)
            if not is_complete(each.type):
                message = f"the type of `{each.name}`, `{each.type}`, is not complete"
                self._errors.report("incomplete-type", message, each.span)


def _returns(specifiers: c.Specifiers) -> bool:
    has_attribute = any(each.name == "noreturn" for each in specifiers.attributes)
    return "_Noreturn" not in specifiers.storage and not has_attribute
