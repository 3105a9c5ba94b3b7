"""Replaces the declarations of library functions in a program by their definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeGuard, TypeVar, cast

from cpsconv.abi.attributes import is_thread_local, is_variadic, set_signature, variadic_callee
from cpsconv.abi.libraries import Definitions, Library, library_of
from cpsconv.abi.linking import Global
from cpsconv.abi.linking.variable_arguments import CallsInSlots
from cpsconv.abi.prototypes import CREATING_THREADS
from cpsconv.core import ir
from cpsconv.core.analysis.graph import depth_first, functions_used, uses
from cpsconv.core.attributes import LOCAL, with_flag
from cpsconv.core.erasure import copied
from cpsconv.core.operations.table import HEAP
from cpsconv.core.source import DiagnosticError, Span, error
from cpsconv.core.text.plan import UniqueNames

Target = TypeVar("Target", bound=ir.Value)

Select = Callable[[str], bool]
"""Whether the library function or object with a name is to be linked."""


def link_library(program: ir.Program, select: Select, *, for_each_call: bool) -> ir.Program:
    """A copy of an ordinary program, with the library functions that it uses; the program itself if it uses none."""
    declared: list[Global] = [*filter(_is_in_library, program.externals)]
    declared += [each for each in program.external_data if library_of(each.name)]
    if not any(select(each.name) for each in declared):
        return program
    program = copied(program)
    _Linker(program, select, for_each_call).link()
    return program


def _is_in_library(value: ir.Value) -> TypeGuard[ir.Function]:
    """Whether the value is a declared function that a library defines."""
    return isinstance(value, ir.Function) and value.transfer is None and library_of(value.name) is not None


class _Linker:
    """Links a program, which it changes, with the functions and objects that `select` chooses.

    `_sources` has the programs of the libraries by source. `_of_platform` are their public functions and data that are
    not linked, since the platform has them. `_located` has the results of `_located_functions`. `_added` are the
    functions and data that are part of the program now, `_shared` the definitions for uses other than calls, by name,
    and `_objects` those of library objects.
    """

    def __init__(self, program: ir.Program, select: Select, for_each_call: bool) -> None:
        self._program = program
        self._select = select
        self._for_each_call = for_each_call
        self._sources: dict[tuple[Library, str], Definitions] = {}
        self._located: dict[ir.Function, list[ir.Function]] = {}
        self._shared: dict[str, ir.Function] = {}
        self._externals = {each.name: each for each in program.externals if not self._is_linked(each)}
        self._struct_names = UniqueNames([each.name for each in program.structs])
        self._added: set[Global] = {*program.data}
        self._objects: dict[str, ir.Data] = {}
        self._of_platform: set[Global] = set()
        kept = [each for each in program.globals if not self._is_linked(each) and not self._is_object(each)]
        self._names = UniqueNames([each.name for each in kept])

    def _is_linked(self, value: ir.Value) -> TypeGuard[ir.Function]:
        return _is_in_library(value) and self._select(value.name)

    def _is_object(self, value: ir.Value) -> TypeGuard[ir.ExternalData]:
        return isinstance(value, ir.ExternalData) and self._select(value.name) and library_of(value.name) is not None

    def link(self) -> None:
        """Replace the declarations by definitions."""
        self._reject_thread_local_data_with_threads()
        for data in [*self._program.data]:
            self._link_data(data)
        for function in [*self._program.functions]:
            self._link_function(function)
        self._program.external_data[:] = [each for each in self._program.external_data if not self._is_object(each)]
        self._program.externals[:] = self._externals.values()

    def _reject_thread_local_data_with_threads(self) -> None:
        """Raise `DiagnosticError` with the thread-local data of a program that creates threads by the library."""
        if not any(each.name in CREATING_THREADS and self._is_linked(each) for each in self._program.externals):
            return
        found = [
            error(
                f"the thread-local variable `{data.shown_name}` of a program that creates threads is not supported yet",
                data.span,
                rule="unsupported",
            )
            for data in self._program.data
            if is_thread_local(data)
        ]
        if found:
            raise DiagnosticError(found)

    def _link_data(self, data: ir.Data) -> None:
        data.addresses = {at: (self._target(to, data.span), offset) for at, (to, offset) in data.addresses.items()}

    def _link_function(self, function: ir.Function) -> None:
        calls = CallsInSlots(function)
        for member in [*function.members()]:
            call = member.transfer
            if isinstance(call, ir.Call) and call.callee in self._of_platform:
                call.callee = self._declared_function(call.callee)
            if isinstance(call, ir.Call) and self._is_linked(called := variadic_callee(call) or call.callee):
                definition = self._callee(called, call.span)
                if is_variadic(called):
                    calls.change(member, call, called, definition)
                call.callee = definition
        calls.drop_unused_pointers()
        for member in function.members():  # after all calls, which can share the pointer `ptr(f)`
            for statement in member.body:
                targets = [self._target(each, statement.span) for each in statement.operands]
                if any(new is not old for new, old in zip(targets, statement.operands, strict=True)):
                    statement.operands = tuple(targets)

    def _callee(self, function: ir.Function, span: Span | None) -> ir.Function:
        return self._definition(function, span) if self._for_each_call else self._target(function, span)

    def _target(self, value: Target, span: Span | None) -> Target:
        """The shared definition of a library function or object; any other value itself."""
        if self._is_object(value):
            return cast(Target, self._object(value))
        if isinstance(value, ir.Data) and value in self._of_platform:
            return cast(Target, self._declared(value))
        if not self._is_linked(value):
            return value
        if value.name not in self._shared:
            self._shared[value.name] = self._definition(value, span)
        return cast(Target, self._shared[value.name])

    def _definition(self, function: ir.Function, span: Span | None) -> ir.Function:
        """The definition of a library function for a call or use at that location."""
        original = self._read(function.name)
        assert isinstance(original, ir.Function), function.name
        if _declared_type(original, function) != function.type:
            message = f"the external function `{function.name}` of C's library has another type"
            help = f"its type is `{original.type}`"
            raise DiagnosticError([error(message, function.span, help=help, rule="external")])
        if self._for_each_call and original not in self._located:
            self._located[original] = _located_functions(original)
        if located := self._located.get(original):
            copies = copied(ir.Program(located)).functions
            for each in copies:
                _relocate(each, span)
            for each in copies:
                self._add(each)
            return copies[0]
        if not self._for_each_call:
            for each, _ in depth_first([original], functions_used):
                _relocate(each, span)
        self._add(original)
        return original

    def _add(self, function: ir.Function) -> None:
        """Add a function of the library to the program, and what it uses, once."""
        if function in self._added or function.transfer is None:
            return
        self._added.add(function)
        set_signature(function, None)
        function.attributes = with_flag(function.attributes, LOCAL)
        function.name = self._names.unique(function.name)
        self._program.functions.append(function)
        used = [each for each in functions_used(function) if each not in self._of_platform]
        for member in function.members():
            self._add_data(uses(member))
            match member.transfer:
                case ir.Call(callee=callee, pointer=None) as call if callee.transfer is None:
                    if not self._is_linked(callee):
                        call.callee = self._externals.setdefault(callee.name, callee)
        self._link_function(function)
        for each in used:
            self._add(each)

    def _declared_function(self, function: ir.Function) -> ir.Function:
        """The declaration of a function that the platform has."""
        parameters = [ir.Parameter(each.type, each.name) for each in function.parameters]
        return self._externals.setdefault(function.name, ir.Function(function.name, parameters))

    def _declared(self, object: ir.Data) -> ir.ExternalData:
        """The declaration of an object that the platform has, for use by functions that are linked."""
        known = {each.name: each for each in self._program.external_data}
        if object.name not in known:
            known[object.name] = ir.ExternalData(object.name, object.object_type)
            self._program.external_data.append(known[object.name])
        return known[object.name]

    def _object(self, declared: ir.ExternalData) -> ir.Data:
        """The object of the library with that name."""
        if declared.name not in self._objects:
            found = self._read(declared.name)
            assert isinstance(found, ir.Data)
            self._objects[declared.name] = found
            self._add_data([found])
        return self._objects[declared.name]

    def _read(self, name: str) -> Global:
        """The definition of the name in a library. Each link reads its own, since names of data may change."""
        library = library_of(name)
        assert library
        source = library.source_of(name)
        assert source
        if (library, source) not in self._sources:
            found = self._sources[library, source] = library.definitions(source)
            for struct in found.structs.values():
                struct.name = self._struct_names.unique(struct.name)
                self._program.structs.append(struct)
        read = self._sources[library, source].read(name)
        self._of_platform |= {each for each in read if library_of(each.name) and not self._select(each.name)}
        return read[0]

    def _add_data(self, values: Sequence[ir.Value]) -> None:
        """Add the data of the library among the values, and those that they refer to, to the program."""
        pending = [*values]
        for value in pending:  # appended to during iteration
            if self._is_object(value) or value in self._of_platform:
                continue
            if isinstance(value, ir.Data) and value not in self._added:
                self._added.add(value)
                value.attributes = with_flag(value.attributes, LOCAL)
                value.name = self._names.unique(value.name)
                self._program.data.append(value)
                pending += [target for target, _ in value.addresses.values()]
                self._link_data(value)


def _located_functions(function: ir.Function) -> list[ir.Function]:
    """The function, and those that it calls, whose definitions need the location of the call: none if it needs none.

    Such a function calls back, or allocates or frees memory, or calls such a function.
    """
    called = [each for each, _ in depth_first([function], functions_used) if each.transfer]
    found = {each for each in called if _needs_location(each)}
    while more := [each for each in called if each not in found and not found.isdisjoint(functions_used(each))]:
        found.update(more)
    return [each for each in called if each in found] if function in found else []


def _needs_location(function: ir.Function) -> bool:
    """Whether the function calls another one through a pointer, or creates or ends an object on the heap."""
    return any(
        (isinstance(member.transfer, ir.Call) and member.transfer.pointer is not None)
        or any(each.op in HEAP for each in member.body)
        for member in function.members()
    )


def _declared_type(definition: ir.Function, declaration: ir.Function) -> ir.ContinuationType:
    """The type with which a library function is declared: that of its definition, without variable arguments."""
    *given, ret = (each.type for each in definition.parameters)
    return ir.ContinuationType((*(given[:-1] if is_variadic(declaration) else given), ret))


def _relocate(function: ir.Function, span: Span | None) -> None:
    """Replace all locations in the function."""
    if function.transfer is None:
        return
    for member in function.members():
        assert member.transfer
        for located in (member, member.transfer, *member.parameters, *member.body):
            located.span = span
