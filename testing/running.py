"""What C programs do when we convert and evaluate them: the counterpart of `testing.gcc`."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Literal

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.abi.linking.linker import link
from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.core import construction, ir
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.attributes import LOCAL
from cpsconv.core.entry import data_parameters, entry_of, is_main
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.source import DiagnosticError
from cpsconv.core.text import reformat
from cpsconv.engines import EngineName, engine_for, prepare
from cpsconv.engines.machine.machine import Aborted, Halted, Outcome, evaluate
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.unsupported import require_types
from testing.effort import sample
from testing.expectations import Observation, Status
from testing.ir_programs import WORDS, random_program

STRATEGIES = tuple(construction.STRATEGIES)
Layout = Literal["nested", "flat"]
LAYOUTS: tuple[Layout, ...] = ("nested", "flat")


def converted(text: str, strategy: str, **given: Any) -> Program:
    """The CPS program for a C program; what is `given` is for `convert`."""
    return convert(Source("program.c", text), strategy=strategy, **given)


def program_of(text: str) -> Program:
    """The program for a C program or a CPS text."""
    return parse(Source("program.cps", text)) if "→" in text else convert(Source("program.c", text))


def together(programs: Sequence[Program]) -> Program:
    """One program, whose argument is the number of the program that it runs: of those, which are changed.

    Each has a `main` that takes nothing. A compiler checks once what the programs share: the prelude, above all.
    """
    for number, program in enumerate(programs):
        own: list[ir.Function | ir.Data] = [*program.functions, *program.data]
        for each in own:
            each.attributes = {**each.attributes, LOCAL: True}
        main = program.function("main")
        assert main
        main.name, main.attributes = f"main{number}", {}
    names = [f"main{number}" for number in range(len(programs))]
    externals = "".join(f"extern {name}(ret : int → ⊥) → ⊥\n" for name in names)
    return link([program_of(externals + choosing(names)), *programs])


def choosing(names: Sequence[str]) -> str:
    """The CPS text of a `main` that calls one of the functions, which take nothing: that of its argument, a number.

    It does not pass on its own `ret`: no engine but the machine passes continuations to functions of other programs.
    """
    cases = "".join(f"{number} ⇒ λ(). {name}(λ(r : int). ret(r)), " for number, name in enumerate(names))
    return f"main(number : int, ret : int → ⊥) → ⊥ {{ switch(number, {cases}_ ⇒ λ(). ret(0)) }}\n"


def reread(program: Program, layout: Layout = "nested", *, ascii: bool = False) -> Program:
    """The program, printed and parsed back. The text of the result must be the same, and so its format.

    By default, `reformat` keeps the layout of a Unicode text, and chooses the same layout for an ASCII text.
    """
    text = pretty(program, layout=layout, ascii=ascii)
    again = parse(Source("program.cps", text))
    assert pretty(again, layout=layout, ascii=ascii) == text
    for kept in sample((None, layout), 2, ascii):
        assert reformat(Source("program.cps", text), layout=kept, ascii=ascii) == text
    return again


def observe(
    program: Program, arguments: Sequence[str] = (), max_steps: int | None = None, engine: EngineName = "machine"
) -> Observation:
    """Run a program. The machine raises `StepLimit` if it goes on for long."""
    program = with_command_line(program)
    entry = entry_of(program)
    output, errors = io.BytesIO(), io.BytesIO()
    shown, status = "", 0  # type: tuple[str, Status]
    try:
        values = parse_arguments(entry, arguments)
        if engine == "machine":
            outcome = evaluate(program, entry.name, values, output=output, errors=errors, max_steps=max_steps)
        else:
            outcome = prepare(program, entry, engine_for(program, engine))(values, output=output, errors=errors)
    except StepLimit:
        raise
    except ProgramError:
        status = "error"
    else:
        shown, status = _end(outcome, entry.name)
    return Observation(output.getvalue().decode("latin-1") + shown, status)


def _end(outcome: Outcome, entry: str) -> tuple[str, Status]:
    """The value of the entry, where that is not `main`, as it is shown; and the exit status."""
    if isinstance(outcome, Aborted):
        return "", "abort"
    if isinstance(outcome, Halted):
        return "", outcome.status
    if is_main(entry) and isinstance(outcome.value, int):
        return "", outcome.value & 0xFF
    return "" if outcome.value is None else f"{shown_data(outcome.value)}\n", 0


def _program_to_run(
    number: int, with_memory: bool, lacking: frozenset[ir.Scalar]
) -> tuple[ir.Program, list[str]] | None:
    """The program of that number, with arguments; None where it cannot be started or does not end soon."""
    source = random.Random(number)
    program = random_program(source, source.randint(1, 3), source.randint(1, 9), with_memory)
    program.functions[0].name = "main"
    if with_memory:
        program = parse(Source("random.cps", pretty(program)))  # for the lines in error messages
    try:
        require_types(program, "the language", lacking)
        types = [parameter.type for parameter in data_parameters(entry_of(program))]
        arguments = [source.choice(WORDS.get(type.kind, ["0"])) for type in types if isinstance(type, ir.Scalar)]
        observe(program, arguments, max_steps=300)
    except (DiagnosticError, StepLimit):
        return None
    return program, arguments


def programs_to_run(
    numbers: Iterable[int], with_memory: bool = False, lacking: frozenset[ir.Scalar] = frozenset()
) -> Iterator[tuple[ir.Program, list[str]]]:
    """The programs of those numbers, without types in `lacking`, that can be started and end soon, with arguments."""
    return filter(None, (_program_to_run(number, with_memory, lacking) for number in numbers))


def write_everywhere(program: Program, width: int) -> None:
    """Write the program with each target. Targets may not support it, but nothing else may fail."""
    for target in TARGETS.values():
        with suppress(DiagnosticError):
            target(program, Style(width=width)).encode()
