"""The command `step`: interactive stepping through a run, forward and back."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, NEGATIVE_ARGUMENTS, RUNTIME_ERROR, Command
from cpsconv.cli.files import converted, each_file, path_and_entry
from cpsconv.cli.run import linked
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.ir import Function, Program
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.types import naming_types, type_title
from cpsconv.core.source import DiagnosticError, Source, Span, did_you_mean, error, printable, read_source
from cpsconv.core.text import excerpt
from cpsconv.engines import runnable
from cpsconv.engines.machine.limits import Limited, Limits
from cpsconv.engines.machine.machine import Outcome, Returned, exit_status, traced_run
from cpsconv.engines.machine.memory_text import living_objects, object_text, objects_called, title_of
from cpsconv.engines.machine.stepper import Stepper
from cpsconv.engines.machine.trace import Pointer, TraceRecord, continuation_names, span_of
from cpsconv.engines.machine.trace_text import TextTrace, datum_text
from cpsconv.languages import LANGUAGES, arguments_of, language_of_source

PROMPT = "> "
_MAX_DIGITS = 18  # longer step counts are truncated


@click.command(
    cls=Command,
    interactive=True,
    context_settings=NEGATIVE_ARGUMENTS,
    examples=["cpsconv step examples/fig8.c 0", "printf 'r exit\\np\\nq\\n' | cpsconv step examples/gcd.c:gcd 48 36"],
)
@each_file("arguments", metavar="FILE... [ARGS]...", headed=lambda given: True)
@options.construction
@options.entry
@options.max_steps
@options.limits
@options.allow_uninitialised
@options.language
def step(
    file: str,
    arguments: Sequence[str],
    entry: str | None,
    max_steps: int | None,
    limits: Limits,
    timeout: float | None,
    sandbox: bool,
    **given: Any,
) -> int:
    """Step through FILE, started with ARGS as by `run`.

    Commands are read from standard input, one per line: Enter or n makes the next transfer, b takes it back, h lists
    all commands (docs/trace.md).
    """
    path, name = path_and_entry(file, entry)
    if path == "-":
        raise click.UsageError("FILE cannot be standard input, which provides the commands: save the program first")
    source = read_source(path)
    given["language"] = given["language"] or language_of_source(source)
    with naming_types(LANGUAGES[given["language"]].type_names):
        try:
            walk = _walk(source, arguments, name, max_steps, limits, given)
            streams.flush()
            options.within_time(walk, [], timeout)
        except ProgramError as failure:
            streams.report([failure.diagnostic])
            return RUNTIME_ERROR
    return DONE


def _walk(
    source: Source,
    arguments: Sequence[str],
    entry: str | None,
    max_steps: int | None,
    limits: Limits,
    given: Mapping[str, Any],
) -> Callable[[], None]:
    """Convert the program. Returns the function that steps through its run from the function `entry`.

    Raises `ProgramError` if the data of the program exceed the limits.
    """
    program = converted(source, entry=entry, **given)
    program, function, arguments = linked(program, entry, arguments)
    values = parse_arguments(function, arguments_of(given["language"], function, arguments))
    program, function = runnable(program, function, "machine", limits)
    execution: dict[str, Any] = {"max_steps": max_steps, "limits": limits}

    def walk() -> None:
        with Limited(limits):
            stepper = Stepper(
                lambda stream: traced_run(program, function.name, values, output=stream, errors=stream, **execution)
            )
            dialogue = Dialogue(program, function, stepper)
            _write(dialogue.greeting())
            for line in _lines():
                _write(dialogue.answer(line))
                if dialogue.is_over:
                    break

    return walk


def _write(lines: Iterable[str]) -> None:
    for line in lines:
        streams.write_result(f"{line}\n")
    streams.flush()


def _lines() -> Iterator[str]:
    """The lines of standard input. Lines that no terminal echoes are written to the output, as on a terminal."""
    if sys.stdin is None:
        raise DiagnosticError([error("standard input is closed: `step` reads its commands from there", rule="file")])
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    is_typed = sys.stdin.isatty()
    if is_typed:
        with suppress(ImportError):
            import readline  # noqa: F401 - enables line editing and a history in `input`
    while True:
        try:
            line = input(PROMPT)
        except EOFError:
            _write([""])
            return
        if not is_typed:
            _write([line])
        yield line


class Dialogue:
    """The interpreter of the commands. The command ``quit`` sets `is_over`."""

    def __init__(self, program: Program, function: Function, stepper: Stepper) -> None:
        self.is_over = False
        self._program = program
        self._function = function
        self._stepper = stepper
        self._text = TextTrace(program, streams.width("stdout"))
        self._depth = 0
        names = continuation_names(program)
        self._names = {text for name in names.values() for text in (name.continuation, str(name))}
        self._lines = {_line(span_of(continuation)) for continuation in names}

    def greeting(self) -> Iterator[str]:
        """The output before the first command."""
        yield self._text.header()
        yield from self._arrivals([self._stepper.current])

    def answer(self, line: str) -> Iterator[str]:
        """Execute a line and yield the lines of its output. An empty line is ``next``."""
        word, *rest = line.split(maxsplit=1) or ["next"]
        command, argument = _WORDS.get(word), "".join(rest).strip()
        if command is None:
            yield f"there is no command `{word}`; h lists all commands"
        elif argument and not command.argument:
            yield f"`{word}` takes no argument"
        else:
            yield from command.answer(self, argument)

    # ---------------------------------------------------------------------------------------------------- commands

    def _next(self, argument: str) -> Iterator[str]:
        return self._counted(argument, lambda steps: self._go(self._stepper.forward(steps)))

    def _over(self, _: str) -> Iterator[str]:
        return self._go(self._stepper.over())

    def _finish(self, _: str) -> Iterator[str]:
        return self._go(self._stepper.out())

    def _run(self, argument: str) -> Iterator[str]:
        if argument in self._lines:
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
            yield f"{name} : {type_title(scope[name].type)} = {datum_text(scope[name])}"

    def _memory(self, argument: str) -> Iterator[str]:
        latest = self._stepper.latest()
        if not latest:
            yield from self._where()
            return
        memory = latest.memory
        pointers = {each.name: each.value.number for each in latest.scope() if isinstance(each.value, Pointer)}
        found = objects_called(memory, argument) if argument else living_objects(memory)
        if not found and argument in pointers:
            found = [number for number in [pointers[argument]] if number]
        for number in found:
            yield object_text(memory, number)
        if not found:
            names = [
                *filter(None, pointers),
                *(title_of(memory.objects[each], each) for each in living_objects(memory)),
            ]
            yield f"there is no object `{argument}`{_hint(argument, names)}" if argument else "there are no objects"

    def _list(self, _: str) -> Iterator[str]:
        latest = self._stepper.latest()
        if not latest or not latest.member.transfer:
            yield from self._where()
            return
        yield from excerpt(self._program, latest.member.transfer)
        if latest.span:
            at = latest.span.written
            yield f"{printable(at.source.name)}:{at.line}: {at.source.shown_line(at.line)}"

    def _help(self, _: str) -> Iterator[str]:
        for command in _COMMANDS:
            yield f"  {', '.join(command.words):14} {command.argument:8} {command.help}"

    def _quit(self, _: str) -> Iterator[str]:
        self.is_over = True
        return iter(())

    # ----------------------------------------------------------------------------------------------------- helpers

    def _counted(self, argument: str, go: Callable[[int], Iterator[str]]) -> Iterator[str]:
        if argument and not (argument.isascii() and argument.isdecimal()):
            return iter([f"`{argument[:40]}` is not a number of steps"])
        return go(int(argument[:_MAX_DIGITS] or 1))

    def _go(self, records: Iterator[TraceRecord | None]) -> Iterator[str]:
        return self._arrivals(records) if self._stepper.current else self._where()

    def _go_back(self, steps: int) -> Iterator[str]:
        here = self._stepper.current
        if here and here.step == 1:
            yield "this is the first transfer"
            return
        self._stepper.back(steps)
        yield from self._where()

    def _arrivals(self, records: Iterable[TraceRecord | None]) -> Iterator[str]:
        """The output of the program during the steps, then the transfer reached."""
        for record in records:
            self._depth = record.depth if record else self._depth
            if written := self._stepper.take_output():
                yield self._text.output(written, self._depth)
            if record and record.changes:
                yield self._text.changes(record)
        yield from self._where()

    def _where(self) -> Iterator[str]:
        here, end = self._stepper.current, self._stepper.end
        if here:
            yield self._text.transfer(here)
        elif isinstance(end, ProgramError):
            yield from end.diagnostic.render(width=streams.width("stdout")).splitlines()
        elif end:
            yield f"the program is done: {_shown_end(self._function.name, end)}"


def _shown_end(entry: str, outcome: Outcome) -> str:
    """The end of a run from the function `entry`, in words."""
    status = exit_status(entry, outcome)
    if status is not None:
        return f"exit status {status}"
    if isinstance(outcome, Returned):
        return f"`{entry}` returned" + ("" if outcome.value is None else f" {shown_data(outcome.value)}")
    return "aborted"


@dataclass(frozen=True)
class _Command:
    """A command of the dialogue: its spellings, the form of its argument, its help, and its method."""

    words: tuple[str, ...]
    argument: str
    help: str
    answer: Callable[[Dialogue, str], Iterator[str]]


_COMMANDS = (
    _Command(("n", "next"), "[N]", "make the next transfer, or N transfers; Enter alone is n", Dialogue._next),
    _Command(("o", "over"), "", "make the next transfer; run a call up to its return", Dialogue._over),
    _Command(("f", "finish"), "", "run until this function returns", Dialogue._finish),
    _Command(("r", "run"), "[PLACE]", "run to a continuation or source line; or to the end", Dialogue._run),
    _Command(("b", "back"), "[N]", "take back the last transfer, or N transfers", Dialogue._back),
    _Command(("p", "print"), "[NAME]", "print a value; or all values that have names here", Dialogue._print),
    _Command(("m", "memory"), "[OBJECT]", "print an object in memory; or all of them", Dialogue._memory),
    _Command(("l", "list"), "", "print the program around this transfer, and the source line", Dialogue._list),
    _Command(("h", "help", "?"), "", "print this list", Dialogue._help),
    _Command(("q", "quit"), "", "end the session, as the end of the input does", Dialogue._quit),
)

_WORDS = {word: command for command in _COMMANDS for word in command.words}


def _line(span: Span | None) -> str | None:
    return str(span.line) if span else None


def _hint(name: str, known: Iterable[str]) -> str:
    help = did_you_mean(name, known)
    return f"; {help}" if help else ""
