"""The linker: one program of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cpsconv.abi.attributes import SYMBOL
from cpsconv.abi.linking.references import Global, is_visible, replace_references
from cpsconv.abi.linking.symbols import Symbols
from cpsconv.abi.linking.unused_results import drop_results
from cpsconv.abi.linking.variable_arguments import pass_in_slots
from cpsconv.core.ir import Array, ExternalData, Field, Foreign, Function, ObjectType, Program, Scalar, Static, Struct
from cpsconv.core.operations.misuse import attributed
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.core.text.plan import UniqueNames


def link(programs: Sequence[Program], warnings: list[Diagnostic] | None = None) -> Program:
    """The program that consists of all `programs`, which are changed. Its source is that of the program with `main`.

    Declarations without a definition remain. Static functions and data whose names are taken get a number.
    Warnings are appended to `warnings`.

    Raises `DiagnosticError` if two programs define the same name, or a declaration does not agree with another one.
    """
    symbols = Symbols(programs)
    if symbols.errors:
        raise DiagnosticError([*symbols.warnings, *symbols.errors])
    if warnings is not None:
        warnings += symbols.warnings
    names = UniqueNames({*symbols.found})
    for program in programs:
        program.data = [each for each in program.data if each not in symbols.targets]
        program.functions = [each for each in program.functions if each not in symbols.targets]
        _rename(program, names)
        pass_in_slots(program, symbols.targets)
        drop_results(program, symbols.targets)
        replace_references(program, lambda used, _: symbols.targets.get(used, used))
    first = next((program for program in programs if program.function("main")), programs[0])
    linked = Program([], first.source, structs=_merge_structs(programs))
    for program in programs:
        linked.functions += program.functions
        linked.data += program.data
        linked.counts |= {each: program.counts[each] for each in program.functions if each in program.counts}
        linked.variables |= {each: program.variables[each] for each in program.functions if each in program.variables}
        linked.attributes = {**program.attributes, **linked.attributes}
    declared = dict.fromkeys(symbols.targets.values())
    linked.externals = [each for each in declared if isinstance(each, Function) and each.transfer is None]
    linked.external_data = [each for each in declared if isinstance(each, ExternalData)]
    return linked


def _rename(program: Program, names: UniqueNames) -> None:
    """Make the names unique that are no symbols: those of static functions and data, for example."""
    own: list[Global] = [*program.data, *program.functions]
    for each in own:
        if not is_visible(each) or SYMBOL in each.attributes:
            each.name = names.unique(each.name)


def _merge_structs(programs: Sequence[Program]) -> list[Struct]:
    """The structs of all programs, which then use these: equal ones become one, and others get distinct names.

    Each is after those that it contains.
    """
    merged: dict[Any, Struct] = {}
    names = UniqueNames(())
    for program in programs:
        new: dict[Struct, Struct] = {}
        for struct in program.structs:
            for field in struct.fields.values():
                field.type = _type(field.type, new)
            key = _layout(struct)
            new[struct] = merged.setdefault(key, struct)
            if new[struct] is struct:
                struct.name = names.unique(struct.name)
        if any(struct is not kept for struct, kept in new.items()):
            _use(program, new)
    return [*merged.values()]


def _layout(struct: Struct) -> Any:
    """The name and layout of a struct, whose fields have merged types."""
    fields = tuple([(each.name, each.type, each.offset) for each in struct.fields.values()])
    return struct.name, struct.is_union, struct.size, struct.alignment, fields


def _use(program: Program, new: dict[Struct, Struct]) -> None:
    """Replace the structs in a program."""
    for data in (*program.data, *program.external_data):
        data.object_type = _type(data.object_type, new)
    for statement in program.statements():
        if statement.of is not None:
            statement.of = _static(statement.of, new)
    for _, part in attributed(program):
        part.attributes = {
            name: value if isinstance(value, (bool, int, str)) else _type(value, new)
            for name, value in part.attributes.items()
        }


def _static(of: Static, new: dict[Struct, Struct]) -> Static:
    if isinstance(of, Field):
        return new[of.struct].fields[of.name]
    return of if of is None or isinstance(of, Foreign) else _type(of, new)


def _type(type: ObjectType, new: dict[Struct, Struct]) -> ObjectType:
    """The type with merged structs. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
    if isinstance(type, Scalar):
        return type
    return Array(_type(type.element, new), type.length) if isinstance(type, Array) else new[type]
