"""Observable behaviour of programs under each engine, including the location of a runtime error."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TypeVar

import pytest

from cpsconv import Program, Source, convert
from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.core.entry import Data, entry_of
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.engines import ENGINES, EngineName, Run, prepare
from cpsconv.engines.machine.limits import DEFAULT_LIMITS, Limits
from cpsconv.engines.machine.machine import evaluate
from testing.effort import sample
from testing.running import together

T = TypeVar("T")

HAS_NATIVE = os.name == "posix" and find_spec("llvmlite") is not None
native = pytest.mark.skipif(not HAS_NATIVE, reason="native code needs llvmlite and a POSIX system")

ENGINE_NAMES = [name for name in ENGINES if name != "llvm" or HAS_NATIVE]
"""The engines that work here."""

ENGINES_HERE = [pytest.param(name, marks=native if name == "llvm" else ()) for name in ENGINES]
"""All engines; those that need llvmlite are skipped without it."""

COMPILERS = [parameter for parameter in ENGINES_HERE if parameter.values != ("machine",)]
"""The engines that are compared with the machine."""

Seen = tuple[bytes, bytes, str]
"""The output of a run on its two streams, and its end."""


def seen(
    program: Program,
    arguments: Sequence[Data],
    engine: EngineName,
    max_steps: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Seen:
    """The observable behaviour of a run. Raises `StepLimit` if the machine exceeds `max_steps`."""
    program = with_command_line(program)
    entry = entry_of(program)
    if engine != "machine":
        return observed(prepare(program, entry, engine), arguments, limits)
    return observed(partial(evaluate, program, entry.name, max_steps=max_steps), arguments, limits)


def in_turn(rows: Sequence[T], engine: EngineName) -> Sequence[T]:
    """The rows that are tried with the engine: by default, each row with one engine; with ``--full``, all rows."""
    return sample(rows, len(ENGINES), [*ENGINES].index(engine))


def seen_each(cases: Sequence[str], before: str, engine: EngineName, limits: Limits = DEFAULT_LIMITS) -> list[Seen]:
    """The observable behaviour of statements in C, each a run of one program, in which `before` precedes them."""
    run = prepared_each(cases, before, engine)
    return [observed(run, [number], limits) for number, _ in enumerate(cases, 1)]


def prepared_each(cases: Sequence[str], before: str, engine: EngineName) -> Run:
    """A run of one of these statements in C, chosen by its number from 1 on."""
    body = "".join(f"case {number}: {{ {case} }} break;\n" for number, case in enumerate(cases, 1))
    program = convert(
        Source("program.c", f"{before}\nint run(int number) {{\nswitch (number) {{\n{body}}}\nreturn 0;\n}}")
    )
    return prepare(program, entry_of(program, "run"), engine)


def alike(
    programs: Sequence[Program], engines: Sequence[EngineName] = ENGINE_NAMES, limits: Limits = DEFAULT_LIMITS
) -> list[Seen]:
    """The observable behaviour of programs whose `main` takes nothing, each a run of one program of all of them.

    The behaviour must be the same with each engine. The programs are changed (`together`).
    """
    program = with_command_line(together(programs))
    runs = [prepare(program, entry_of(program), engine) for engine in engines]
    found = []
    for number in range(len(programs)):
        first, *others = [observed(run, [number], limits) for run in runs]
        assert others == [first] * len(others), number
        found.append(first)
    return found


def observed(run: Callable[..., object], arguments: Sequence[Data], limits: Limits) -> Seen:
    """The observable behaviour of a run of a prepared program. Raises `StepLimit` if it takes too many steps."""
    output, errors = io.BytesIO(), io.BytesIO()
    try:
        end = repr(run(arguments, output=output, errors=errors, limits=limits))
    except StepLimit:
        raise
    except ProgramError as fault:
        end = f"{type(fault).__name__}: {fault} {fault.diagnostic.notes}"
    return output.getvalue(), errors.getvalue(), end
