"""The command line of an emitted program, which the program itself reads when it starts (``command_line.cps``)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cpsconv.abi.runtime.command_line import copied_with_main, is_used, program_name, with_command_line
from cpsconv.core.analysis.graph import count_uses, depth_first, functions_used
from cpsconv.core.entry import START
from cpsconv.core.ir import INT, STRING, Call, Constant, ContinuationType, Data, External, Function, Program
from cpsconv.core.source import Source
from cpsconv.core.text import parse
from cpsconv.core.text.plan import UniqueNames
from cpsconv.core.text.spelling import literal_text
from cpsconv.core.transform.rewrite import replace_values

ARGUMENT_BYTE = External("__argument_byte", ContinuationType((INT, INT, ContinuationType((INT,)))))
"""The `byte_at` of ``command_line.cps``, which a functional target supplies. No source can name it."""


def reading_command_line(program: Program) -> Program:
    """A copy of the ordinary program (`erased`), where `START` reads the command line, and calls `main` with it.

    The arguments are as for `with_command_line`, but the words are those with which the emitted program is started. A
    `main` that uses none of its arguments has no parameters, and one that uses only ``argc`` takes no vector.
    """
    copy, main = copied_with_main(program)
    if main is None:
        return copy
    count, vector, *_ = main.parameters
    uses = count_uses(main)
    takes_vector = bool(uses[vector]) or is_used(main, copy)
    if not takes_vector and not uses[count]:
        return with_command_line(program)
    if not takes_vector:
        main.parameters.remove(vector)
    _add_start(copy, main, takes_vector)
    return copy


def _add_start(program: Program, main: Function, takes_vector: bool) -> None:
    """Add the function `START` to the program, and the functions and data that it uses."""
    reader = _reader(main, program_name(program))
    start = reader.function("start_with_vector" if takes_vector else "start_with_count")
    assert start
    own = [each for each, _ in depth_first([start], functions_used) if each.transfer]
    data = reader.data if takes_vector else []
    added: list[Function | Data] = [*own, *data]
    names = UniqueNames([each.name for each in program.globals])
    for each in added:
        each.name, each.span = names.unique(each.name), None
    start.name, start.span = START, main.span
    replace_values(start, {start.parameters.pop(0): ARGUMENT_BYTE})
    for member in start.members():
        if isinstance(member.transfer, Call) and not member.transfer.callee.transfer:
            member.transfer.callee = main
    program.functions += own
    program.data += data


def _reader(main: Function, name: str) -> Program:
    """The program in ``command_line.cps``, for this `main`."""
    literal = literal_text(Constant(STRING, name.encode("utf-8", "surrogateescape").decode("latin-1") + "\0"))
    text = _text().replace("RESULT", str(main.ret.type)).replace("NAME", literal)
    program = parse(Source("command_line.cps", text))
    for statement in program.statements():
        statement.span = None
    return program


@cache
def _text() -> str:
    return (Path(__file__).parent / "command_line.cps").read_text(encoding="utf-8")
