"""Declarations: the variables and functions that names denote, and checks that a function's declarations agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.meaning.compatibility import are_compatible
from cpsconv.frontends.c.meaning.typed_tree import Function, Local
from cpsconv.frontends.c.syntax.tree import Compound, FunctionDeclaration, TranslationUnit
from cpsconv.frontends.c.types import DOUBLE, FLOAT, INT, LONG, STRING, UNKNOWN, VOID, FunctionType, function_of
from cpsconv.source import Span

# --------------------------------------------------------------------------------------------------------- variables


class Scopes:
    """The block scopes of one function. `find` returns the visible variable of a name in constant time.

    `undeclared` collects the undeclared names, each of which is reported once.
    """

    def __init__(self, errors: Errors) -> None:
        self.undeclared: set[str] = set()
        self._errors = errors
        self._visible: dict[str, Local | None] = {}
        self.find: Callable[[str], Local | None] = self._visible.get
        self._scopes: list[list[Local]] = []

    def enter(self) -> None:
        """Begin a scope in the current one."""
        self._scopes.append([])

    def leave(self) -> None:
        """End the innermost scope with its declarations."""
        for variable in reversed(self._scopes.pop()):
            self._visible[variable.name] = variable.hides
            if not variable.is_used:
                self._warn_of_unused(variable)

    def _warn_of_unused(self, variable: Local) -> None:
        if variable.is_assigned:
            rule = "unused-but-set-parameter" if variable.is_parameter else "unused-but-set-variable"
        else:
            rule = "unused-parameter" if variable.is_parameter else "unused-variable"
        kind = "parameter" if variable.is_parameter else "variable"
        what = "assigned to, but never read" if variable.is_assigned else "never used"
        self._errors.warn(rule, f"the {kind} `{variable.name}` is {what}", variable.span)

    def declare(self, variable: Local) -> Local:
        """Add a variable to the current scope. Reports an earlier declaration of the name in the same scope."""
        name, depth = variable.name, len(self._scopes)
        earlier = variable.hides = self._visible.get(name)
        if earlier and earlier.depth == depth and variable.type is not UNKNOWN:
            note = ("it is first declared here", earlier.span)
            self._errors.report(
                "redefined", f"`{name}` is declared twice in the same scope", variable.span, notes=[note]
            )
        variable.depth = depth
        self._visible[name] = variable
        self._scopes[-1].append(variable)
        return variable

    def declare_unknown(self, name: str, span: Span) -> None:
        """Declare a variable of unknown type: its uses are treated as those of an undeclared, reported name."""
        self.declare(Local(name, UNKNOWN, span, is_constant=False))
        self._visible[name] = None
        self.undeclared.add(name)

    def names(self) -> list[str]:
        """The names of all visible variables."""
        return [name for name, variable in self._visible.items() if variable]


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

# --------------------------------------------------------------------------------------------------------- functions


class Functions:
    """The functions of a translation unit. A function can be called after its first declaration.

    `visible` has the declarations so far, `definitions` the first definition of each function of the unit, `defined`
    its function in the typed tree, all by name. `unknown` has the names with erroneous or unsupported declarations,
    whose uses are not reported; `complete` the functions whose bodies are typed, `called` those that other functions
    call. `may_recurse` is set if a function calls one that is not complete yet: itself, or a later one.
    """

    def __init__(self, unit: TranslationUnit, errors: Errors) -> None:
        self.headers = frozenset(unit.headers)
        self.unknown = set(unit.unknown)
        self._is_complete = unit.is_complete
        self.visible: dict[str, FunctionDeclaration] = {}
        self.definitions: dict[str, FunctionDeclaration] = {}
        self.defined: dict[str, Function] = {}
        self.complete: set[str] = set()
        self.called: set[str] = set()
        self.may_recurse = False
        self._errors = errors
        self._not_returning: set[str] = set()
        for declaration in unit.functions:
            if declaration.body and declaration.name not in self.definitions:
                self.definitions[declaration.name] = declaration
                self.defined[declaration.name] = _function(declaration, declaration.body)
            for parameter in declaration.parameters:
                if parameter.type is VOID:
                    self._errors.report("void", "a parameter cannot be `void`", parameter.span)
            if declaration.result is UNKNOWN or not {VOID, UNKNOWN}.isdisjoint(type_of(declaration).parameters):
                self.unknown.add(declaration.name)

    def declare(self, declaration: FunctionDeclaration) -> None:
        """Make a function visible from here on. Reports a wrong or contradictory declaration."""
        earlier = self.visible.get(declaration.name)
        if declaration.name not in self.unknown:
            if earlier:
                self._check_agreement(declaration, earlier)
            self._check_header(declaration)
            self._check_main(declaration)
        if not declaration.returns:
            self._not_returning.add(declaration.name)
        if not earlier or self.is_definition(declaration) or not earlier.prototyped:
            self.visible[declaration.name] = declaration

    def note_call(self, caller: str, callee: str) -> None:
        """Record a call for `called` and `may_recurse`."""
        if callee != caller:
            self.called.add(callee)
        if callee not in self.complete:
            self.may_recurse = True

    def warn_of_unused(self, unit: TranslationUnit) -> None:
        """Warn of each `static` function that no other function calls, and that is not `inline`, as in a header."""
        for declaration in [each for each in unit.functions if each.static and not each.inline]:
            name = declaration.name
            if name not in self.called:
                if self.is_definition(declaration):
                    self._errors.warn("unused-function", f"the function `{name}` is never called", declaration.span)
                elif name not in self.definitions:
                    message = f"the function `{name}` is `static`, but neither defined nor called"
                    self._errors.warn("unused-function", message, declaration.span)

    def is_definition(self, declaration: FunctionDeclaration) -> bool:
        """Whether this is the first definition of the function."""
        return self.definitions.get(declaration.name) is declaration

    def may_be_declared(self, name: str) -> bool:
        """Whether an unknown or missing declaration may declare the name."""
        return name in self.unknown or not self._is_complete

    def returns(self, name: str) -> bool:
        """Whether no declaration so far says that the function does not return."""
        return name not in self._not_returning

    def library(self, name: str) -> LibraryFunction | None:
        """The library function, if its header is included or the program declares it correctly."""
        library = LIBRARY.get(name)
        if library is None or library.header in self.headers:
            return library
        declaration = self.visible.get(name)
        return library if declaration and are_compatible(type_of(declaration), library.type) else None

    def function(self, name: str) -> Function | None:
        """The defined function of that name, if a declaration of it is visible."""
        return self.defined.get(name) if name in self.visible and name not in self.unknown else None

    def names(self) -> list[str]:
        """The names of all functions that can be called here."""
        return [*self.visible, *(name for name, function in LIBRARY.items() if function.header in self.headers)]

    def _check_agreement(self, declaration: FunctionDeclaration, earlier: FunctionDeclaration) -> None:
        name = declaration.name
        if declaration.body and not self.is_definition(declaration) and self._is_complete:
            note = ("it is first defined here", self.definitions[name].span)
            self._errors.report("redefined", f"`{name}` is defined twice", declaration.span, notes=[note])
        elif not are_compatible(type_of(declaration), type_of(earlier)):
            note = (f"it is first declared here as `{signature(earlier)}`", earlier.span)
            message = f"`{signature(declaration)}` does not agree with an earlier declaration"
            self._errors.report("redeclared", message, declaration.span, notes=[note])

    def _check_header(self, declaration: FunctionDeclaration) -> None:
        name = declaration.name
        header = LIBRARY[name].header if name in LIBRARY else UNSUPPORTED.get(name)
        if header not in self.headers:
            return
        if declaration.body:
            self._errors.report("redefined", f"`{name}` is already declared by <{header}>", declaration.span)
        elif name in LIBRARY and not are_compatible(type_of(declaration), LIBRARY[name].type):
            message = f"`{signature(declaration)}` does not agree with <{header}>, which declares"
            self._errors.report("redeclared", f"{message} `{LIBRARY[name].type.declared(name)}`", declaration.span)

    def _check_main(self, declaration: FunctionDeclaration) -> None:
        if declaration.name == "main" and (declaration.result is not INT or declaration.parameters):
            message = "`main` must return `int` and take no parameters (command-line arguments are not supported yet)"
            self._errors.report("main", message, declaration.span, help="write `int main(void)`")


def type_of(declaration: FunctionDeclaration) -> FunctionType:
    """The type of a function. A definition specifies the parameters even without a prototype."""
    parameters = [parameter.type for parameter in declaration.parameters]
    return function_of(declaration.result, parameters, declaration.prototyped or declaration.body is not None)


def signature(declaration: FunctionDeclaration) -> str:
    """The declaration as a prototype without names."""
    return type_of(declaration).declared(declaration.name)


def _function(definition: FunctionDeclaration, body: Compound) -> Function:
    """The function of the typed tree, without its body. Parameters of unknown type are `int`s."""
    parameters = []
    for each in definition.parameters:
        type = INT if each.type in (VOID, UNKNOWN) else each.type
        parameters.append(Local(each.name or "unnamed", type, each.span, each.constant, is_parameter=True))
    result, type = definition.result, type_of(definition)
    return Function(definition.span, definition.name, result, parameters, body.end, [], {}, [], type=type)
