"""Engines: implementations that run a program, with equal observable behaviour.

Each engine has a row in `ENGINES`, and a module with a function ``prepare(program, entry)``. This function returns a
`Run`, which behaves as `cpsconv.engines.machine.machine.evaluate`. `cpsconv.core.evaluator` defines the meaning of
programs; the tests compare the engines with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from cpsconv.abi.libraries import installed, required
from cpsconv.abi.library import with_library
from cpsconv.core.analysis.reentry import jumps
from cpsconv.core.entry import Data, start_of
from cpsconv.core.ir import Function, Program
from cpsconv.core.operations.dialects import dialect_of
from cpsconv.core.operations.foreign import require_no_foreign
from cpsconv.core.operations.leaks import Leaks
from cpsconv.core.operations.printing import ByteStream
from cpsconv.core.transform.ends import ending_at_foreign, raising_errors
from cpsconv.engines.machine.limits import DEFAULT_LIMITS, Limits
from cpsconv.engines.machine.link import is_first_order
from cpsconv.engines.machine.machine import Outcome

EngineName = str
"""A key of `ENGINES`."""


class Run(Protocol):
    """A program that is ready to run, any number of times."""

    def __call__(
        self,
        arguments: Sequence[Data],
        *,
        output: ByteStream,
        errors: ByteStream,
        limits: Limits = DEFAULT_LIMITS,
        leaks: Leaks | None = None,
    ) -> Outcome:
        """Run the program with values for the parameters of its entry, as
        `cpsconv.engines.machine.machine.evaluate` does.
        """


@dataclass(frozen=True)
class Engine:
    """One engine: its name, the module that has `prepare`, a description, and whether it accepts a program.

    Programs that the engine does not accept run on the `machine`. `prepare` may also refuse a program with an error.
    With `has_dialects`, the engine executes foreign operations that have a dialect.
    """

    name: EngineName
    module: str
    description: str
    accepts: Callable[[Program], bool] = lambda program: True
    has_dialects: bool = True


MAX_ARGUMENTS = 200_000
"""The maximum of arguments on edges for the engine `python`. Python's compiler takes almost 2 kB per assignment."""


def _suits_python(program: Program) -> bool:
    edges = (edge for member in program.members() if member.transfer for edge in member.transfer.edges)
    return (
        is_first_order(program)
        and not jumps(with_library(program))
        and sum(len(edge.arguments) for edge in edges) <= MAX_ARGUMENTS
    )


ENGINES = {
    row.name: row
    for row in (
        Engine("machine", "cpsconv.engines.machine.machine", "evaluates the program; accepts every program"),
        Engine("python", "cpsconv.engines.python", "compiles to Python; needs a first-order program", _suits_python),
        Engine("llvm", "cpsconv.engines.llvm", "compiles to native code, with llvmlite", has_dialects=False),
    )
}
"""The engines by name."""

DEFAULT = "python"
"""The engine for programs that it accepts, if none is chosen."""


def engine_for(program: Program, chosen: EngineName | None = None) -> EngineName:
    """The engine that runs the program: the chosen or default one, or `machine` if it does not accept the program.

    So it is if the default engine has been removed.
    """
    engine = ENGINES[chosen or DEFAULT]
    if chosen is None and installed(engine.module) is None:
        return "machine"
    return engine.name if engine.accepts(program) else "machine"


def prepare(program: Program, entry: Function, engine: EngineName, limits: Limits = DEFAULT_LIMITS) -> Run:
    """The program, ready to be started at `entry`: what `runnable` returns, compiled by the engine."""
    return compiled(engine, *runnable(program, entry, engine, limits))


def compiled(engine: EngineName, program: Program, start: Function) -> Run:
    """A program that is `runnable`, compiled by the engine. Raises `DiagnosticError` if the engine has been removed."""
    run: Run = required(ENGINES[engine].module, f"the engine {engine}").prepare(program, start)
    return run


def runnable(
    program: Program,
    entry: Function,
    engine: EngineName,
    limits: Limits = DEFAULT_LIMITS,
    *,
    raises_errors: bool = False,
) -> tuple[Program, Function]:
    """The program with the library, as the engine runs it, and the function that a run of `entry` starts with.

    A foreign operation without a meaning that a run reaches is a runtime error. With `raises_errors`, a run raises
    `AbortError` in place of printing such an error, and aborting.

    Raises `DiagnosticError` if the engine cannot run the program, and `MemoryLimit` if the data of the program exceed
    the limits.
    """
    permitted = dialect_of if ENGINES[engine].has_dialects else lambda text: None
    program = ending_at_foreign(program, entry, permitted)
    require_no_foreign(program, f"the engine `{engine}` cannot run", permits=permitted)
    ordinary = with_library(program)
    limits.require_data(ordinary)
    if raises_errors:
        ordinary = raising_errors(ordinary)
    return ordinary, start_of(ordinary, entry.name) or entry
