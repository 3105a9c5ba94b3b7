"""Programs with the definitions of the libraries' functions and data that they use (`cpsconv.abi.libraries`).

`with_library` replaces the declaration of each function that a program uses by its definition, which has no locations:
an engine reports a runtime error in it at the last call that `enters_library`. A function that calls back, or that
allocates or frees memory, is copied for each call instead, with the location of the call: another call of the library
may be the last one, and a message may name the place of the allocation.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.abi.runtime.activations import with_activations
from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.abi.runtime.exit_handlers import with_exit_handlers
from cpsconv.core import ir
from cpsconv.core.erasure import erased
from cpsconv.core.operations.table import LOADS


class ReadyProgram(ir.Program):
    """An ordinary program with the library functions that it uses, ready to run."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(*(getattr(program, field) for field in ir.Program.__match_args__))


def with_library(program: ir.Program, *, may_change: bool = False) -> ir.Program:
    """The ordinary program (`cpsconv.core.erasure.erased`) with the library; the program itself if it has it.

    A `main` that takes a command line gets one without arguments. Copies of scalars copy the marks of the bytes. The
    given program is unchanged, unless it `may_change`: then it may become a part of the result.
    """
    return _ready(with_command_line(program), for_each_call=True, may_change=may_change)


def with_library_once(program: ir.Program) -> ir.Program:
    """Likewise for an emitted program: its `main` gets the command line that the emitted program is started with.

    There is one definition of each function, whose locations are those of the first call.
    """
    from cpsconv.abi.runtime.command_line_reader import reading_command_line  # late: no engine needs it

    return _ready(reading_command_line(program), for_each_call=False, may_change=False)


def _ready(program: ir.Program, *, for_each_call: bool, may_change: bool) -> ir.Program:
    if isinstance(program, ReadyProgram):
        return program
    program = with_exit_handlers(program)
    linked = with_activations(_linked(program, lambda name: True, for_each_call=for_each_call))
    if any(statement.op in LOADS for statement in linked.statements()):
        from cpsconv.abi.runtime.unwritten import with_unwritten  # late: many programs have no memory

        linked = with_unwritten(linked, may_change=may_change)
    return ReadyProgram(linked)


def with_argument_access(program: ir.Program) -> ir.Program:
    """Likewise, with those functions and data only that no platform has: C's library gives access to arguments."""
    if not program.externals and not program.external_data:
        return program
    from cpsconv.abi.prototypes import ARGUMENT_ACCESS, OBJECTS, PROTOTYPES

    of_platform = (PROTOTYPES.keys() | OBJECTS.keys()) - ARGUMENT_ACCESS
    return _linked(program, lambda name: name not in of_platform, for_each_call=False)


def enters_library(call: ir.Call) -> bool:
    """Whether the program calls a function of the library, which is linked without locations, at a known location."""
    return call.span is not None and call.callee.transfer is not None and call.callee.span is None


def _linked(program: ir.Program, select: Callable[[str], bool], *, for_each_call: bool) -> ir.Program:
    program = erased(program)
    if not program.externals and not program.external_data:
        return program
    from cpsconv.abi.library.linker import link_library  # late: few programs have external functions

    return link_library(program, select, for_each_call=for_each_call)
