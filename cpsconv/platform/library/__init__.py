"""Programs with the definitions of the libraries' functions and data that they use (`cpsconv.platform.libraries`).

`with_library` replaces the declaration of each function that a program uses by its definition, which has no locations:
an engine reports a runtime error in it at the last call that `enters_library`. A function that calls back, or that
allocates or frees memory, is copied for each call instead, with the location of the call: another call of the library
may be the last one, and a message may name the place of the allocation.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core import ir
from cpsconv.core.erasure import erased
from cpsconv.core.operations.table import LOADS
from cpsconv.platform.runtime.activations import with_activations
from cpsconv.platform.runtime.command_line import with_command_line
from cpsconv.platform.runtime.exit_handlers import with_exit_handlers


def with_library(program: ir.Program) -> ir.Program:
    """The ordinary program (`cpsconv.core.erasure.erased`) with the library functions that it uses, ready to run.

    A `main` that takes a command line gets one without arguments. Copies of scalars copy the marks of the bytes.
    """
    return _ready(program, for_each_call=True)


def with_library_once(program: ir.Program) -> ir.Program:
    """Likewise, with one definition of each function, whose locations are those of the first call."""
    return _ready(program, for_each_call=False)


def _ready(program: ir.Program, *, for_each_call: bool) -> ir.Program:
    program = with_exit_handlers(with_command_line(program))
    linked = with_activations(_linked(program, lambda name: True, for_each_call=for_each_call))
    if not any(statement.op in LOADS for statement in linked.statements()):
        return linked
    from cpsconv.platform.runtime.unwritten import with_unwritten  # late: many programs have no memory

    return with_unwritten(linked)


def with_argument_access(program: ir.Program) -> ir.Program:
    """Likewise, with those functions only that access variable arguments: the platform has all others."""
    if not program.externals:
        return program
    from cpsconv.platform.prototypes import ARGUMENT_ACCESS

    return _linked(program, ARGUMENT_ACCESS.__contains__, for_each_call=False)


def enters_library(call: ir.Call) -> bool:
    """Whether the program calls a function of the library, which is linked without locations, at a known location."""
    return call.span is not None and call.callee.transfer is not None and call.callee.span is None


def _linked(program: ir.Program, select: Callable[[str], bool], *, for_each_call: bool) -> ir.Program:
    program = erased(program)
    if not program.externals and not program.external_data:
        return program
    from cpsconv.platform.library.linker import link_library  # late: few programs have external functions

    return link_library(program, select, for_each_call=for_each_call)
