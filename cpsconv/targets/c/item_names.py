"""The names in C of a program's data, structs and fields, and of the functions that emitted C adds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from cpsconv.core import ir
from cpsconv.core.analysis.graph import addressed_functions
from cpsconv.core.text.plan import UniqueNames
from cpsconv.platform.prototypes import NOT_INCLUDED, OBJECTS, PROTOTYPES
from cpsconv.platform.system_headers import is_in_system_header
from cpsconv.targets.c.library import library_function
from cpsconv.targets.c.names import FURTHER_RESERVED, RESERVED, identifier
from cpsconv.targets.c.pointers import structs_by_value

FILE = "FILE"

_FILE_TAG = "_IO_FILE"
"""The tag of the type `FILE` in glibc."""

_DECLARED = [(_FILE_TAG, "stdio.h")] + [
    (tag, row.header) for row in PROTOTYPES.values() for tag in re.findall(r"struct (\w+)", row.declaration)
]
"""The structs in the declarations of the library functions, with the headers that declare the functions."""

_TAGS = {tag for tag, _ in _DECLARED}
_DEFINING = {tag: header for tag, header in reversed(_DECLARED) if header not in NOT_INCLUDED}
"""The headers that emitted C includes for structs, by their tags."""


class ItemNames:
    """The C names of the items of a program.

    `functions` has the names of the functions; `taken` are names of further functions in the file. `data`, `tags` (such
    as ``struct point``) and `fields` have those of the other items. `by_pointers` has the names of the functions that
    take structs by pointers, for calls through pointers (`cpsconv.targets.c.adapters`), and `helpers` those of the
    functions that load and store the bytes of a value.
    """

    def __init__(self, program: ir.Program, functions: Mapping[str, str], taken: Collection[str]) -> None:
        self.functions = functions
        self.headers = {tag: _DEFINING[tag] for type in _library_types(program) if (tag := _tag(type)) in _DEFINING}
        """The headers that define the structs of library functions and objects in use, by their tags."""
        own = [each for each in program.external_data if each.name not in OBJECTS]
        of_system = {each.name for each in own if is_in_system_header(each.span)}
        unique = UniqueNames({*RESERVED, *FURTHER_RESERVED, *functions.values(), *taken, *of_system}).unique
        self.data = {each: unique(identifier(each.name)) for each in [*own, *program.data]}
        self.data |= {each: each.name for each in program.external_data if each.name in OBJECTS}
        self.by_pointers = {
            each: unique(f"{functions[each.name]}_by_pointers")
            for each in addressed_functions(program)
            if each.transfer and structs_by_value(each)
        }
        self.tags = self._tags(program)
        self.fields = {field: name for struct in program.structs for field, name in self._fields(struct)}
        types = {type: str(type) for type in ir.SCALARS.values()} | self.tags
        self.helpers = {
            (verb, type): unique(f"{verb}_{name.replace(' ', '_')}")
            for type, name in types.items()
            for verb in ("load", "store")
        }

    @property
    def reserved(self) -> set[str]:
        """The names that no local variable has."""
        return {*self.data.values(), *self.by_pointers.values(), *self.helpers.values(), *FURTHER_RESERVED}

    def is_of_header(self, struct: ir.Struct) -> bool:
        """Whether a header defines the struct: a library function or object in use has that type.

        A struct that was read from the header itself has the fields that macros of the header stand for.
        """
        return struct.name in self.headers and not is_in_system_header(struct.span)

    def _tags(self, program: ir.Program) -> dict[ir.Struct, str]:
        of_system = {each.name for each in program.structs if is_in_system_header(each.span)}
        unique = UniqueNames({*RESERVED, *_TAGS, *of_system}).unique
        found: dict[ir.Struct, str] = {}
        for struct in program.structs:
            kind, is_of_header = "union" if struct.is_union else "struct", self.is_of_header(struct)
            if is_of_header and struct.name == _FILE_TAG:
                found[struct] = FILE
            else:
                name = struct.name if is_of_header else unique(identifier(struct.name))
                found[struct] = complex_type(struct) or f"{kind} {name}"
        return found

    def _fields(self, struct: ir.Struct) -> Iterator[tuple[ir.Field, str]]:
        """The fields. Macros may have the names of the fields of structs that were read from a header."""
        unique, end = UniqueNames(RESERVED).unique, "_" * is_in_system_header(struct.span)
        for field in struct.fields.values():
            yield field, field.name if self.is_of_header(struct) else unique(identifier(field.name) + end)


def complex_type(struct: ir.Struct) -> str | None:
    """The name of the type in C, if it is a complex type."""
    return f"{next(iter(struct.fields.values())).type} _Complex" if struct.is_complex else None


def _library_types(program: ir.Program) -> Iterator[str]:
    """The types of the library functions and objects that the program uses."""
    yield from (OBJECTS[data.name].type for data in program.external_data if data.name in OBJECTS)
    for function in filter(library_function, program.externals):
        declared = PROTOTYPES[function.name]
        yield from (declared.result, *declared.parameters)


def _tag(type: str) -> str | None:
    """The tag of the struct that has the type, or that a pointer of the type points to."""
    kind, _, name = type.removeprefix("const ").rstrip(" *").rpartition(" ")
    return name if kind == "struct" else _FILE_TAG if name == FILE else None
