"""Runs of programs with a planted fault, and of the same programs without it, under every engine."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

from cpsconv import Program
from cpsconv.core.entry import entry_of
from cpsconv.core.erasure import erased
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.text import pretty
from cpsconv.engines import ENGINES, EngineName, prepare
from cpsconv.engines.machine.machine import evaluate
from cpsconv.platform.runtime.command_line import with_command_line
from testing.c_faults import REACHED, Planted
from testing.expectations import Observation
from testing.running import STRATEGIES, converted, observe

_MAX_STEPS = 5_000_000


@dataclass(frozen=True)
class Stop:
    """The end of a run by a runtime error: the output before it, the message, and the place."""

    output: str
    rule: str
    message: str
    line: int
    column: int


@dataclass(frozen=True)
class Surprise:
    """A run that does not end as it should, by its manner and engine. `expected` may be the place of the fault."""

    manner: str
    expected: object
    got: Stop | Observation


def end_of(program: Program, engine: EngineName) -> Stop | Observation:
    """The end of a run."""
    program = with_command_line(program)
    entry = entry_of(program)
    output = io.BytesIO()
    try:
        if engine == "machine":
            evaluate(program, entry.name, output=output, errors=output, max_steps=_MAX_STEPS)
        else:
            prepare(program, entry, engine)([], output=output, errors=output)
    except ProgramError as error:
        found = error.diagnostic
        line, column = found.span.source.position(found.span.start) if found.span else (0, 0)
        return Stop(output.getvalue().decode("latin-1"), found.rule, found.message, line, column)
    return observe(program, engine=engine)


def programs(text: str, number: int) -> Iterator[tuple[str, Program]]:
    """The program as the strategy of the number converts it: plainly, optimised, with explicit memory."""
    strategy = STRATEGIES[number % len(STRATEGIES)]
    yield strategy, converted(text, strategy)
    yield f"{strategy}-memory-optimised", converted(text, strategy, optimise=["memory"])
    yield f"{strategy}-explicit", erased(converted(text, strategy, explicit_memory="objects"))


def surprises(number: int, planted: Planted, expected: Observation) -> Iterator[Surprise]:
    """The runs that do not end as they should. `expected` is the end of the program without the fault, under gcc."""
    strategy = STRATEGIES[number % len(STRATEGIES)]
    sound = converted(planted.sound, strategy)
    for engine in ENGINES:
        got = observe(sound, max_steps=_MAX_STEPS, engine=engine)
        if got != expected:
            yield Surprise(f"sound-{strategy}-{engine}", expected, got)
    if is_reached(expected) == REACHED:
        yield from _faulty(number, planted, expected)


def is_reached(expected: Observation) -> str:
    """Whether the program without the fault reaches the planted block."""
    return REACHED if f"{REACHED}\n" in expected.output else f"not {REACHED}"


def _faulty(number: int, planted: Planted, expected: Observation) -> Iterator[Surprise]:
    """The runs of the faulty program that do not stop at the planted access, or with another message than others."""
    run: set[str] = set()
    first: Stop | Observation | None = None
    for manner, program in programs(planted.faulty, number):
        if (printed := pretty(program)) in run:
            continue
        run.add(printed)
        for engine in ENGINES:
            got = end_of(program, engine)
            first = got if first is None else first
            if not _is_at(got, planted) or not expected.output.startswith(got.output):
                yield Surprise(f"{manner}-{engine}", planted.place, got)
            elif got != first:
                yield Surprise(f"{manner}-{engine}", first, got)


def _is_at(end: Union[Stop, Observation], planted: Planted) -> bool:
    line, columns = planted.place
    return isinstance(end, Stop) and end.line == line and end.column in columns
