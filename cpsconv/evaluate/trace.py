"""The trace: each transfer as one line, told before it is made.

``next(a = 23)``, ``branch(true) → then``, ``switch(3) → odd(n = 3)``, ``fib(n = 9)``, ``ret(34)``
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cpsconv.evaluate.values import Exit, Frame, State
from cpsconv.faults import Undefined
from cpsconv.ir import Branch, Call, Continuation, ContinuationType, Edge, External, Jump, Program, Transfer, Value

Trace = Callable[[str], None]
"""Takes the lines."""

Read = Callable[[Frame, Value], Any]
"""Reads a value of plain data from a frame."""


Line = Callable[[Frame], str]


class Tracer:
    """Gives exits a voice: `trace` is told of each transfer of the program."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self._trace = trace
        self._names = _names(program)

    def announcing(self, exit: Exit, transfer: Transfer, read: Read) -> Exit:
        """An exit that tells what it is about to do, and does it."""
        line, trace = _Teller(read, self._names).line_of(transfer), self._trace

        def announcing(frame: Frame) -> State:
            trace(line(frame))
            return exit(frame)

        return announcing


def _names(program: Program) -> dict[Value, str]:
    """The names that the text gives to functions, continuations and parameters."""
    from cpsconv.text.names import names  # only now: whoever does without a trace does without the printer, too

    functions = [function.name for function in program.functions]
    found: dict[Value, str] = dict(zip(program.functions, functions, strict=True))
    for function in program.functions:
        found.update(names(function, set(functions)))
    return found


class _Teller:
    """Makes the functions that tell what a transfer does with a frame."""

    def __init__(self, read: Read, names: Mapping[Value, str]) -> None:
        self._read = read
        self._names = names

    def line_of(self, transfer: Transfer) -> Line:
        if isinstance(transfer, Jump):
            return lambda frame: self._call(frame, transfer.edge.target, transfer.edge.arguments)
        if isinstance(transfer, Call):
            return lambda frame: self._call(frame, transfer.callee, transfer.arguments)
        if isinstance(transfer, Branch):
            return lambda frame: self._choice(
                frame, "branch", transfer.condition, {1: transfer.then}, transfer.otherwise
            )
        cases = dict(zip(transfer.cases, transfer.targets, strict=True))
        return lambda frame: self._choice(frame, "switch", transfer.value, cases, transfer.default)

    def _choice(self, frame: Frame, word: str, value: Value, ways: Mapping[int, Edge], default: Edge) -> str:
        decided = self._read(frame, value)
        text = f"{word}({_shown(decided)})"
        if isinstance(decided, Undefined):
            return text
        edge = ways.get(decided, default)
        to = self._call(frame, edge.target, edge.arguments) if edge.arguments else self._name(edge.target)
        return f"{text} → {to}"

    def _call(self, frame: Frame, target: Value, arguments: Sequence[Value]) -> str:
        texts = [self._text(frame, argument) for argument in arguments]
        if isinstance(target, Continuation):
            texts = [
                f"{self._name(parameter)} = {text}" for parameter, text in zip(target.parameters, texts, strict=False)
            ]
        return f"{self._name(target)}({', '.join(texts)})"

    def _text(self, frame: Frame, value: Value) -> str:
        return self._name(value) if isinstance(value.type, ContinuationType) else _shown(self._read(frame, value))

    def _name(self, value: Value) -> str:
        return value.name if isinstance(value, External) else self._names[value]


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
