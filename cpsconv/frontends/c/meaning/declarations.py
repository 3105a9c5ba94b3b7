"""Which variable a name stands for: C's block scopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from cpsconv.construction import Builder, Variable
from cpsconv.frontends.c.diagnostics import Complaints
from cpsconv.frontends.c.syntax.tree import FunctionDeclaration, ParameterDeclaration, TranslationUnit
from cpsconv.frontends.c.types import promoted
from cpsconv.ir import DOUBLE, FLOAT, INT, LONG, STRING, UNSIGNED, UNSIGNED_LONG, VOID, Function, Scalar
from cpsconv.operations.formats import Slot
from cpsconv.source import Span


@dataclass(eq=False, slots=True)
class Binding:
    """A variable declared at a depth of scopes; `constant` says that it cannot be assigned to.

    Up to the end of its scope it hides what its name stood for before.
    """

    variable: Variable
    constant: bool
    depth: int
    hides: Binding | None


class Scopes:
    """The variables of one function: `find` gives what a name stands for here, however deeply scopes are nested."""

    def __init__(self, complaints: Complaints) -> None:
        self.undeclared: set[str] = set()
        self._complaints = complaints
        self._visible: dict[str, Binding | None] = {}
        self.find: Callable[[str], Binding | None] = self._visible.get
        self._scopes: list[list[Binding]] = []

    def enter(self) -> None:
        """Begin a scope, in those that have begun."""
        self._scopes.append([])

    def leave(self) -> None:
        """End the innermost scope, and all that was declared in it."""
        declared = self._scopes.pop()
        while declared:
            binding = declared.pop()
            self._visible[binding.variable.name] = binding.hides

    def declare(self, name: str, type: Scalar, constant: bool, span: Span) -> Variable:
        """A new variable in the current scope, which must not have another of that name."""
        variable = Variable(name, type, span)
        earlier = self.find(name)
        depth = len(self._scopes)
        if earlier and earlier.depth == depth and earlier.variable.span:
            note = ("it is first declared here", earlier.variable.span)
            self._complaints.error(f"`{name}` is declared twice in the same scope", span, note=note)
        binding = self._visible[name] = Binding(variable, constant, depth, earlier)
        self._scopes[-1].append(binding)
        return variable

    def names(self) -> list[str]:
        """All names that stand for a variable here."""
        return [name for name, binding in self._visible.items() if binding]


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


class LibraryFunction(NamedTuple):
    """A function that is an operation of the CPS program: a primitive, an effect, or a continuation outside."""

    header: str
    result: Scalar
    parameters: tuple[Scalar, ...]
    operation: str
    variadic: bool = False


LIBRARY: dict[str, LibraryFunction] = {
    "printf": LibraryFunction("stdio.h", INT, (STRING,), "printf", variadic=True),
    "puts": LibraryFunction("stdio.h", INT, (STRING,), "puts"),
    "putchar": LibraryFunction("stdio.h", INT, (INT,), "putchar"),
    "abort": LibraryFunction("stdlib.h", VOID, (), "abort"),
    "exit": LibraryFunction("stdlib.h", VOID, (INT,), "halt"),
    "abs": LibraryFunction("stdlib.h", INT, (INT,), "abs"),
    "labs": LibraryFunction("stdlib.h", LONG, (LONG,), "abs"),
    "llabs": LibraryFunction("stdlib.h", LONG, (LONG,), "abs"),
    "fabs": LibraryFunction("math.h", DOUBLE, (DOUBLE,), "abs"),
    "fabsf": LibraryFunction("math.h", FLOAT, (FLOAT,), "abs"),
}
"""The library functions that can be called."""

ASSERT_HEADER = "assert.h"
"""Where the macro `assert` is from."""

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
"""Library functions that cannot be called yet, with their headers."""


CONVERSION_FOR: dict[Scalar, str] = {
    INT: "%d",
    UNSIGNED: "%u",
    LONG: "%ld",
    UNSIGNED_LONG: "%lu",
    DOUBLE: "%f",
    STRING: "%s",
}
"""The plain conversion for each type that an argument can have after the default promotions."""


def fits(slot: Slot, type: Scalar) -> bool:
    """Whether an argument of that type, after the default promotions, means the same to `printf` as to the caller.

    An integer of the same size does: its bits are shown as the conversion says.
    """
    same_size = type.kind == slot.type.kind == "integer" and type.bits == slot.type.bits
    return type is slot.type or same_size
