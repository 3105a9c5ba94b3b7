"""Replaces the declarations of library functions in a program by their definitions."""

from __future__ import annotations

from pathlib import Path
from typing import TypeGuard

from cpsconv import ir
from cpsconv.analysis.graph import depth_first, functions_used, uses
from cpsconv.erasure import copied
from cpsconv.json.reader import trusted
from cpsconv.linking import Global, replace_references
from cpsconv.operations.c_library import PROTOTYPES, PROVIDED
from cpsconv.source import DiagnosticError, Span, error
from cpsconv.text.plan import UniqueNames

FOLDER = Path(__file__).parent
"""The folder of the sources of the library and of the converted programs."""


def link_library(program: ir.Program, *, for_each_call: bool) -> ir.Program:
    """A copy of an ordinary program, with the library functions that it uses; the program itself if it uses none."""
    if not any(map(_is_in_library, program.externals)):
        return program
    program = copied(program)
    _Linker(program, for_each_call).link()
    return program


def _is_in_library(value: ir.Value) -> TypeGuard[ir.Function]:
    """Whether the value is a declared function that a source of the library defines."""
    if not isinstance(value, ir.Function) or value.transfer is not None:
        return False
    return value.name in PROTOTYPES and value.name not in PROVIDED


class _Linker:
    """Links a program, which it changes.

    `_shared` has the definitions for uses other than calls, by name, and `_libraries` the library's programs by header.
    """

    def __init__(self, program: ir.Program, for_each_call: bool) -> None:
        self._program = program
        self._for_each_call = for_each_call
        self._libraries: dict[str, ir.Program] = {}
        self._shared: dict[str, ir.Function] = {}
        self._externals = {each.name: each for each in program.externals if not _is_in_library(each)}
        self._names = UniqueNames([each.name for each in program.globals if not _is_in_library(each)])

    def link(self) -> None:
        """Replace the declarations by definitions."""
        replace_references(self._program, self._target, self._callee if self._for_each_call else None)
        self._program.externals[:] = self._externals.values()

    def _callee(self, function: Global, span: Span | None) -> Global:
        return self._definition(function, span) if _is_in_library(function) else function

    def _target(self, value: Global, span: Span | None) -> Global:
        """The shared definition of a library function; any other value itself."""
        if not _is_in_library(value):
            return value
        if value.name not in self._shared:
            self._shared[value.name] = self._definition(value, span)
        return self._shared[value.name]

    def _definition(self, function: ir.Function, span: Span | None) -> ir.Function:
        """A new definition of the function, and of those that it calls, with this location."""
        original = self._library(PROTOTYPES[function.name].header).function(function.name)
        assert original, function.name
        if original.type != function.type:
            message = f"the external function `{function.name}` of C's library has the type `{original.type}`"
            raise DiagnosticError([error(message, function.span, rule="external")])
        copies = copied(ir.Program([each for each, _ in depth_first([original], functions_used) if each.transfer]))
        for each in copies.functions:
            each.name = self._names.unique(each.name)
            _relocate(each, span)
            self._add_used(each)
        self._program.functions += copies.functions
        return copies.functions[0]

    def _library(self, header: str) -> ir.Program:
        """The library's program for a header. Each link reads its own, since names of its data may change."""
        if header not in self._libraries:
            path = (FOLDER / header).with_suffix(".json")
            self._libraries[header] = trusted(path.read_text(encoding="utf-8"))
        return self._libraries[header]

    def _add_used(self, function: ir.Function) -> None:
        """Add the data and the provided functions that a library function uses to the program, once each."""
        for member in function.members():
            for value in uses(member):
                if isinstance(value, ir.Data) and value not in self._program.data:
                    value.name = self._names.unique(value.name)
                    self._program.data.append(value)
            call = member.transfer
            if isinstance(call, ir.Call) and call.pointer is None and call.callee.transfer is None:
                call.callee = self._externals.setdefault(call.callee.name, call.callee)


def _relocate(function: ir.Function, span: Span | None) -> None:
    """Replace all locations in the function."""
    for member in function.members():
        assert member.transfer
        for located in (member, member.transfer, *member.parameters, *member.body):
            located.span = span
