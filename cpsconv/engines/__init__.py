"""Engines: several ways to run a program, of which the outside sees the same.

What an engine makes of a program and the function to start it with is a `Run`: a function from arguments and streams to
the outcome, which does what `cpsconv.evaluator.evaluate` does. `machine` is that evaluator itself, the reference;
`python` compiles to Python source, `llvm` to native code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, Protocol

from cpsconv.entry import Data
from cpsconv.evaluator import ByteStream, Outcome, evaluate
from cpsconv.evaluator.link import is_first_order
from cpsconv.ir import Function, Program

EngineName = Literal["machine", "python", "llvm"]


class Run(Protocol):
    """A program that is ready to be run, as often as one likes."""

    def __call__(self, arguments: Sequence[Data], *, output: ByteStream, errors: ByteStream) -> Outcome:
        """Run it with values for the parameters of its entry. Raises what `cpsconv.evaluator.evaluate` raises.

        Raises `MemoryError`, too, where recursion is too deep for the engine.
        """


def engine_for(program: Program, chosen: EngineName | None = None) -> EngineName:
    """The engine that is to run the program, if that one was `chosen`: the rule for programs that it cannot run.

    `python` is the default. It takes first-order programs, and leaves others to the `machine`.
    """
    if chosen in (None, "python"):
        return "python" if is_first_order(program) else "machine"
    return chosen


def prepare(program: Program, entry: Function, engine: EngineName) -> Run:
    """The program made ready to be started at `entry` by an engine. Raises `DiagnosticError` where that one cannot."""
    return ENGINES[engine](program, entry)


def _machine(program: Program, entry: Function) -> Run:
    return partial(evaluate, program, entry.name)


def _python(program: Program, entry: Function) -> Run:
    from cpsconv.engines.python import prepare

    return prepare(program, entry)


def _llvm(program: Program, entry: Function) -> Run:
    from cpsconv.engines.llvm import prepare

    return prepare(program, entry)


ENGINES: dict[EngineName, Callable[[Program, Function], Run]] = {"machine": _machine, "python": _python, "llvm": _llvm}
"""From the name of an engine to what makes a program ready for it."""
