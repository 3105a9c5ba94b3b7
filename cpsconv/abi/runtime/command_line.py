"""The command line of a C program: the arguments of ``main(int argc, char *argv[])`` as data of the program."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.core.analysis.graph import count_uses, functions_used
from cpsconv.core.entry import START, start_of
from cpsconv.core.erasure import copied, erased
from cpsconv.core.ir import (
    CHAR,
    INT,
    PTR,
    Array,
    Call,
    Constant,
    ContinuationType,
    Data,
    Edge,
    Function,
    Parameter,
    Program,
    Value,
)
from cpsconv.core.text.plan import UniqueNames
from cpsconv.core.transform.rewrite import replace_values

_MAIN = [ContinuationType((INT, PTR, ContinuationType(result))) for result in ((INT,), ())]


def takes_command_line(program: Program) -> bool:
    """Whether a run of the ordinary program starts with a `main` that takes ``argc`` and ``argv``."""
    main = start_of(program, "main")
    return main is not None and is_main_with_arguments(main)


def is_main_with_arguments(function: Function) -> bool:
    """Whether the function is ``int main(int argc, char *argv[])``."""
    return function.name == "main" and function.type in _MAIN


def with_command_line(program: Program, words: Sequence[str] = ()) -> Program:
    """A copy of the ordinary program (`erased`), where `main` has no parameters: its arguments are the name and words.

    A `main` that the program uses itself keeps its parameters, and the function `START` calls it. As in C,
    ``argv[0]`` is the name of the program, that of its source without a suffix, and the last pointer is null.
    An ordinary program whose `main` takes no command line is not copied.
    """
    program, main = copied_with_main(program)
    if main is None:
        return program
    if is_used(main, program):
        main = _calling(main)
        program.functions.append(main)
    count, vector, *main.parameters = main.parameters
    arguments: dict[Value, Value] = {count: Constant(INT, len(words) + 1)}
    if count_uses(main)[vector]:
        arguments[vector] = _argument_vector(program, [program_name(program), *words])
    replace_values(main, arguments)
    return program


def copied_with_main(program: Program) -> tuple[Program, Function | None]:
    """A copy of the ordinary program (`erased`), and its `main`; the program and None if that takes no command line."""
    program = erased(program)
    if not takes_command_line(program):
        return program, None
    program = copied(program)
    return program, program.function("main")


def program_name(program: Program) -> str:
    """The name of the program for its `main`: that of its source without a suffix."""
    return program.source.name.replace("\\", "/").rpartition("/")[2].partition(".")[0] if program.source else ""


def is_used(main: Function, program: Program) -> bool:
    """Whether the program calls `main`, or has a pointer to it."""
    targets = (target for data in program.data for target, _ in data.addresses.values())
    return main in targets or any(main in functions_used(each) for each in program.functions)


def _calling(main: Function) -> Function:
    """A function that returns what `main` returns for the same arguments."""
    *parameters, ret = (Parameter(each.type, each.name) for each in main.parameters)
    return Function(START, [*parameters, ret], [], Call(main, [*parameters], Edge(ret)), main.span)


def given_command_line(program: Program, entry: str | None, words: Sequence[str]) -> tuple[Program, Sequence[str]]:
    """The ordinary program that a run starts at `entry` (None for the default), and the words for its parameters.

    A `main` with a command line that the run starts with gets the words, so that none are left.
    """
    program = erased(program)
    if takes_command_line(program) and entry in (None, "main"):
        return with_command_line(program, words), ()
    return program, words


def _argument_vector(program: Program, texts: Sequence[str]) -> Data:
    """The array of pointers to the texts, which is added to the program, and the empty list of environment variables.

    Both end with null pointers; the third parameter of `main` points to the second one.
    """
    names = UniqueNames([each.name for each in program.globals])
    vector = Data(names.unique("argv"), Array(PTR, len(texts) + 2))
    program.data.append(vector)
    for number, text in enumerate(texts):
        content = text.encode("utf-8", "surrogateescape") + b"\0"
        argument = Data(names.unique("argument"), Array(CHAR, len(content)), content)
        program.data.append(argument)
        vector.addresses[PTR.size * number] = argument, 0
    return vector
