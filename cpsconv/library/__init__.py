"""C's library, written in C: the external functions of a program that no engine provides itself.

The sources are ``cpsconv/library/*.c``, one for each header. ``scripts/library.py`` converts them to the programs
``*.json``, which are read here. `linked` replaces the declaration of each function that a program uses by its
definition. For a run, each call gets a definition of its own whose locations are those of the call: so a runtime error
in a library function is reported at the call in the program, whatever the engine. The data of the library, such as the
state of `rand`, exist once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from cpsconv import ir
from cpsconv.analysis.graph import depth_first, functions_used
from cpsconv.erasure import copied, erased
from cpsconv.operations.c_library import PROTOTYPES, PROVIDED
from cpsconv.source import Span

FOLDER = Path(__file__).parent
"""The folder of the sources and of the converted programs."""


def linked(program: ir.Program) -> ir.Program:
    """The ordinary program (`cpsconv.erasure.erased`) with the library functions that it uses, one for each call.

    A program that uses none is not copied.
    """
    return _linked(erased(program), for_each_call=True)


def linked_once(program: ir.Program) -> ir.Program:
    """Likewise, with one definition of each function, whose locations are those of the first call."""
    return _linked(erased(program), for_each_call=False)


def _linked(program: ir.Program, for_each_call: bool) -> ir.Program:
    if not any(_is_in_library(each) for each in program.externals):
        return program
    program = copied(program)
    _Linker(program, for_each_call).link()
    return program


def _is_in_library(function: ir.Value) -> bool:
    return (
        isinstance(function, ir.Function)
        and function.transfer is None
        and function.name in PROTOTYPES
        and function.name not in PROVIDED
    )


class _Linker:
    """Links a program, which it changes. `_shared` has the definitions for uses other than calls, by name."""

    def __init__(self, program: ir.Program, for_each_call: bool) -> None:
        self._program = program
        self._for_each_call = for_each_call
        self._libraries: dict[str, ir.Program] = {}
        self._shared: dict[str, ir.Function] = {}
        self._names = set(program.global_names)
        self._externals = {each.name: each for each in program.externals if not _is_in_library(each)}
        self._data: set[ir.Data] = set()

    def link(self) -> None:
        """Replace the declarations by definitions."""
        program = self._program
        own = [*program.functions]
        for data in program.data:
            data.addresses = {at: (self._target(to, None), offset) for at, (to, offset) in data.addresses.items()}
        for function in own:
            for member in function.members():
                for statement in member.body:
                    if any(map(_is_in_library, statement.operands)):
                        statement.operands = tuple([self._target(each, statement.span) for each in statement.operands])
                if isinstance(call := member.transfer, ir.Call) and _is_in_library(call.callee):
                    call.callee = self._callee(call.callee, call.span)
        program.externals[:] = self._externals.values()

    def _callee(self, function: ir.Function, span: Span | None) -> ir.Function:
        return self._definition(function, span) if self._for_each_call else self._target(function, span)

    def _target(self, value: ir.Value, span: Span | None) -> ir.Value:
        """The definition of a function whose address is taken; any other value itself."""
        if not _is_in_library(value):
            return value
        function = cast(ir.Function, value)
        if function.name not in self._shared:
            self._shared[function.name] = self._definition(function, span)
        return self._shared[function.name]

    def _definition(self, function: ir.Function, span: Span | None) -> ir.Function:
        """A new definition of the function, and of those that it calls, with this location."""
        row = PROTOTYPES[function.name]
        library = self._library(row.header)
        original = library.function(function.name)
        assert original, function.name
        if original.type != function.type:
            raise mismatch(function, original)
        used = [each for each, _ in depth_first([original], functions_used) if each.transfer]
        copy = copied(ir.Program(used))
        for each in copy.functions:
            each.name = self._new_name(each.name)
            _relocate(each, span)
            self._declare_used(each)
        self._program.functions += copy.functions
        return copy.functions[0]
