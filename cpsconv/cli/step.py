"""The command `step`: a dialogue, line by line, with somebody who walks through a run."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from cpsconv.cli import streams
from cpsconv.cli.execution import shown_end
from cpsconv.cli.status import DONE
from cpsconv.entry import entry_of, parse_arguments
from cpsconv.evaluator import Stepper, TextTrace, TraceRecord, continuation_names, datum_text, span_of, traced_run
from cpsconv.ir import Function, Program
from cpsconv.operations.runtime_errors import RuntimeFault
from cpsconv.source import DiagnosticError, Span, did_you_mean, error, printable
from cpsconv.text import excerpt

PROMPT = "> "
_MOST_DIGITS = 18  # of a number of steps: nobody gets further


def converse(program: Program, entry: str | None, arguments: Sequence[str], max_steps: int | None) -> int:
    """Do what standard input says until it says no more. The result is the exit status.

    Raises `DiagnosticError` where there is no such entry, or the arguments do not fit it.
    """
    function = entry_of(program, entry)
    values = parse_arguments(function, arguments)
    stepper = Stepper(
        lambda stream: traced_run(program, function.name, values, output=stream, errors=stream, max_steps=max_steps)
    )
    dialogue = Dialogue(program, function, stepper)
    _say(dialogue.greeting())
    for line in _lines():
        _say(dialogue.answer(line))
        if dialogue.is_over:
            break
    return DONE


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        streams.write_result(f"{line}\n")
    streams.flush()


def _lines() -> Iterator[str]:
    """What is typed. What comes from elsewhere is repeated, so that the whole reads as what a terminal shows."""
    if sys.stdin is None:
        raise DiagnosticError([error("standard input is closed: there is nowhere for commands to come from")])
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    is_typed = sys.stdin.isatty()
    if is_typed:
        with suppress(ImportError):
            import readline  # noqa: F401 - lets `input` edit the line and keep a history
    while True:
        try:
            line = input(PROMPT)
        except EOFError:
            _say([""])
            return
        if not is_typed:
            _say([line])
        yield line


class Dialogue:
    """Answers lines with lines, until one of them has said that the dialogue `is_over`."""

    def __init__(self, program: Program, function: Function, stepper: Stepper) -> None:
        self.is_over = False
        self._program = program
        self._function = function
        self._stepper = stepper
        self._text = TextTrace(program)
        self._depth = 0
        places = continuation_names(program)
        self._names = {name for place in places.values() for name in (place.continuation, str(place))}
        self._numbers = {_line(span_of(continuation)) for continuation in places}

    def greeting(self) -> Iterator[str]:
        """What is shown before the first line."""
        yield self._text.header()
        yield from self._arrivals([self._stepper.current])

    def answer(self, line: str) -> Iterator[str]:
        """Do what a line says. An empty one is ``next``."""
        word, *rest = line.split(maxsplit=1) or ["next"]
        command, argument = _WORDS.get(word), "".join(rest).strip()
        if command is None:
            yield f"there is no command `{word}`; h shows those that there are"
        elif argument and not command.argument:
            yield f"`{word}` takes nothing after it"
        else:
            yield from command.answer(self, argument)

    # ---------------------------------------------------------------------------------------------------- commands

    def _next(self, argument: str) -> Iterator[str]:
        return self._counted(argument, lambda steps: self._go(self._stepper.forward(steps)))

    def _over(self, _: str) -> Iterator[str]:
        return self._go(self._stepper.over())

    def _out(self, _: str) -> Iterator[str]:
        return self._go(self._stepper.out())

    def _run(self, argument: str) -> Iterator[str]:
        if argument in self._numbers:
            return self._go(self._stepper.advance(lambda record: _line(record.span) == argument))
        if argument.isdecimal():
            return iter([f"no transfer belongs to line {argument}"])
        if argument and argument not in self._names:
            return iter([f"there is no continuation `{argument}`{_hint(argument, self._names)}"])
        return self._go(self._stepper.advance(lambda record: argument in (record.at.continuation, str(record.at))))

    def _back(self, argument: str) -> Iterator[str]:
        return self._counted(argument, self._go_back)

    def _print(self, argument: str) -> Iterator[str]:
        latest = self._stepper.latest()
        if not latest:
            yield from self._where()
            return
        scope = {datum.name: datum for datum in latest.scope() if datum.name}
        if argument and argument not in scope:
            yield f"there is no `{argument}` here{_hint(argument, scope)}"
            return
        for name in [argument] if argument else scope:
            yield f"{name} : {scope[name].type} = {datum_text(scope[name])}"

    def _list(self, _: str) -> Iterator[str]:
        latest = self._stepper.latest()
        if not latest or not latest.member.transfer:
            yield from self._where()
            return
        yield from excerpt(self._program, latest.member.transfer)
        if latest.span:
            source, number = latest.span.source, latest.span.line
            yield f"{printable(source.name)}:{number}: {source.shown_line(number)}"

    def _help(self, _: str) -> Iterator[str]:
        for command in _COMMANDS:
            yield f"  {', '.join(command.words):14} {command.argument:8} {command.help}"

    def _quit(self, _: str) -> Iterator[str]:
        self.is_over = True
        return iter(())

    # ------------------------------------------------------------------------------------------------ small things

    def _counted(self, argument: str, go: Callable[[int], Iterator[str]]) -> Iterator[str]:
        if argument and not (argument.isascii() and argument.isdecimal()):
            return iter([f"`{argument[:40]}` is not a number of steps"])
        return go(int(argument[:_MOST_DIGITS] or 1))

    def _go(self, way: Iterator[TraceRecord | None]) -> Iterator[str]:
        return self._arrivals(way) if self._stepper.current else self._where()

    def _go_back(self, steps: int) -> Iterator[str]:
        here = self._stepper.current
        if here and here.step == 1:
            yield "this is the first transfer"
            return
        self._stepper.back(steps)
        yield from self._where()

    def _arrivals(self, way: Iterable[TraceRecord | None]) -> Iterator[str]:
        """What the program writes on the way, and where that ends."""
        for record in way:
            self._depth = record.depth if record else self._depth
            if written := self._stepper.take_output():
                yield self._text.output(written, self._depth)
        yield from self._where()

    def _where(self) -> Iterator[str]:
        here, end = self._stepper.current, self._stepper.end
        if here:
            yield self._text.transfer(here)
        elif isinstance(end, RuntimeFault):
            yield from end.diagnostic.render().splitlines()
        elif end:
            yield f"the program is done: {shown_end(self._function.name, end)}"


@dataclass(frozen=True)
class _Command:
    """The `words` that one may type, what may stand after them, and what it does."""

    words: tuple[str, ...]
    argument: str
    help: str
    answer: Callable[[Dialogue, str], Iterator[str]]


_COMMANDS = (
    _Command(("n", "next"), "[N]", "make the next transfer, or N of them; Enter alone is n", Dialogue._next),
    _Command(("o", "over"), "", "make the next transfer; of a call, all up to where its result goes", Dialogue._over),
    _Command(("f", "finish"), "", "go on to where this function returns to", Dialogue._out),
    _Command(("r", "run"), "[PLACE]", "go on to a continuation or source line; or to the end", Dialogue._run),
    _Command(("b", "back"), "[N]", "take back the last transfer, or N of them", Dialogue._back),
    _Command(("p", "print"), "[NAME]", "show a value; or all that have names here", Dialogue._print),
    _Command(("l", "list"), "", "show the program around here, and the line of the source", Dialogue._list),
    _Command(("h", "help", "?"), "", "show this", Dialogue._help),
    _Command(("q", "quit"), "", "end the walk, as the end of the input does", Dialogue._quit),
)

_WORDS = {word: command for command in _COMMANDS for word in command.words}


def _line(span: Span | None) -> str | None:
    return str(span.line) if span else None


def _hint(name: str, known: Iterable[str]) -> str:
    help = did_you_mean(name, known)
    return f"; {help}" if help else ""
