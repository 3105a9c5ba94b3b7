"""Checked memory as a program: the pass that replaces operations on memory by calls of their definition.

The definition (`cpsconv.abi.memory.definition`) is a program in the CPS language. It defines objects, the checks of
each access, the record of written bytes, the texts of errors, and the functions of C's library on memory, by memory
that is not checked. So a target without checked memory supplies a few operations only (`UNCHECKED`), and data.
"""

from __future__ import annotations

from cpsconv.abi.memory.definition import CHECKED_CALLS
from cpsconv.abi.memory.expansion import Expansion
from cpsconv.abi.prototypes import require_provided
from cpsconv.core.analysis.graph import addressed_functions, functions_used
from cpsconv.core.entry import require_no_external_data
from cpsconv.core.erasure import copied
from cpsconv.core.ir import Program
from cpsconv.core.operations.names import CREATE_ZEROED, RELEASE
from cpsconv.core.operations.table import LOAD, LOAD_OR, STORE
from cpsconv.core.source import DiagnosticError, error
from cpsconv.core.transform.expansion import with_standard_types

UNCHECKED = (LOAD, LOAD_OR, STORE, CREATE_ZEROED, RELEASE)
"""The operations on memory in the result of `with_memory_defined`.

A store of an undefined value may leave what was there, and `LOAD_OR` is a load. Besides, strings in memory are printed,
and the functions `EXTERNALS` of the definition read and write bytes.
"""


def with_memory_defined(program: Program, provider: str) -> Program:
    """A copy of an ordinary program, in which functions of the definition check each operation on memory.

    A runtime error of memory is written to standard error, and ends the program with the exit status 3. Raises
    `DiagnosticError`, which names the `provider`, if it lacks an external function or data of the program.
    """
    require_no_external_data(program, provider)
    used = {*addressed_functions(program), *(each for own in program.functions for each in functions_used(own))}
    for each in (each for each in program.externals if each in used):
        require_provided(each, provider)
        if each.name not in CHECKED_CALLS:
            message = f"{provider} has no external function `{each.name}`"
            raise DiagnosticError([error(message, each.span, rule="external")])
    return Expansion(copied(with_standard_types(program))).program()
