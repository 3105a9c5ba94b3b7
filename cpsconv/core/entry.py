"""The environment of a program: its first function, its arguments and its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Union, cast

from cpsconv.core.ir import PTR, VOID, ContinuationType, Function, Parameter, Program, Type
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.types import is_computed, is_foreign, is_index, is_integer, type_title
from cpsconv.core.source import DiagnosticError, Span, article, counted, did_you_mean, error, setting

Data = Union[int, float, bool, str]
"""An argument or result of a program. A string has one character, U+0000 to U+00FF, for each byte."""


MAX_NAMES = 20
"""The maximal number of functions that a diagnostic lists."""


START = ".`start"
"""The name of the function that calls `main` where a run does more: it passes the command line, or ends the program.

No name in a source has a backquote.
"""


def start_of(program: Program, name: str) -> Function | None:
    """The function with which a run of the function `name` starts: for `main`, the one that calls it, if there is one.

    None if there is no function of that name.
    """
    return (program.function(START) if name == "main" else None) or program.function(name)


def is_main(name: str) -> bool:
    """Whether the result of a run that starts with the function of that name is its exit status."""
    return name in ("main", START)


def entry_of(program: Program, name: str | None = None) -> Function:
    """The function with which a run starts: `start_of` that name.

    Without a name, it is that of ``main`` or, if there is none, the only function that is not nested.

    Raises `DiagnosticError` if there is no such function, if it is nested, or if it takes, or returns, pointers,
    integers of more than 64 bits, numbers that are neither `float` nor `double`, values of foreign types (except the
    result of `main`, which is ignored), or continuations other than its return continuation.
    """
    if name is not None:
        chosen: Function | None = function_named(program, name)
    else:
        outer = [function for function in program.functions if not function.is_nested]
        chosen = start_of(program, "main") or (outer[0] if len(outer) == 1 else None)
    if chosen is None:
        names = _listed([function.name for function in outer])
        start = setting("`--entry NAME` makes `run` start one of them", "choose one by `entry=`")
        help = f"the program has {names}; {start}" if names else None
        raise DiagnosticError([error("there is no function `main`", help=help, rule="no-entry")])
    _require_startable(chosen)
    return chosen


def function_named(program: Program, name: str) -> Function:
    """The function of this name, which may be in backquotes. Raises `DiagnosticError` if there is none."""
    require_function(name, (each.name for each in program.functions))
    return cast(Function, start_of(program, name.strip("`")))


def require_function(name: str, known: Iterable[str]) -> None:
    """Raises `DiagnosticError` if `name`, which may be in backquotes, is not among the known names of functions."""
    known = [*dict.fromkeys(known)]
    if name.strip("`") not in known:
        help = did_you_mean(name, known) or (f"the program has {_listed(known)}" if known else None)
        raise DiagnosticError([error(f"there is no function `{name}`", help=help, rule="unknown-function")])


def _listed(names: Sequence[str]) -> str:
    """The first of the names."""
    return ", ".join([f"`{name}`" for name in names[:MAX_NAMES]] + ["…"] * (len(names) > MAX_NAMES))


def _require_startable(function: Function) -> None:
    if obstacle := next(_obstacles(function), None):
        message = f"`{function.name}` cannot be started: {obstacle[0]}"
        raise DiagnosticError([error(message, obstacle[1] or function.span, rule="entry")])


def _obstacles(function: Function) -> Iterator[tuple[str, Span | None]]:
    """The reasons why no run can start with the function."""
    if function.is_nested:
        yield "it uses values of the functions around it", None
    for parameter in data_parameters(function):
        if noun := _not_data(parameter.type):
            yield f"its parameter `{parameter.name}` is {noun}", parameter.span
    returned = return_type(function)
    if returned and len(returned.parameters) > 1:
        yield f"it returns {len(returned.parameters)} values", None
    for type in returned.parameters if returned else ():
        if (noun := _not_data(type)) and not (is_main(function.name) and is_foreign(type)):
            yield f"it returns {noun}", None


def _not_data(type: Type) -> str | None:
    """The noun for values of the type, if they are neither arguments nor the result of a program."""
    if isinstance(type, ContinuationType) or type is PTR:
        return "a pointer" if type is PTR else "a continuation"
    is_wide = is_integer(type) and not is_index(type)
    return f"{article(type)} `{type}`" if is_wide or is_computed(type) or is_foreign(type) else None


def return_type(function: Function) -> ContinuationType | None:
    """The type of the function's return continuation, if it has one."""
    ret = function.return_continuation
    return ret.type if ret and isinstance(ret.type, ContinuationType) else None


def result_type(function: Function) -> Type:
    """The type of the function's result; `VOID` if it returns no value."""
    returned = return_type(function)
    return returned.parameters[0] if returned and returned.parameters else VOID


def data_parameters(function: Function) -> list[Parameter]:
    """The parameters without the return continuation."""
    return function.parameters[:-1] if return_type(function) else function.parameters


def accepted(function: Function, arguments: Sequence[Data]) -> list[Data]:
    """The arguments, converted to the types of the parameters. Raises `DiagnosticError` if their number is wrong."""
    parameters = data_parameters(function)
    require_count(function, len(arguments))
    return [normalised(parameter.type, argument) for parameter, argument in zip(parameters, arguments, strict=True)]


def require_count(function: Function, given: int) -> None:
    """Raises `DiagnosticError` if the number of given arguments is wrong."""
    parameters = data_parameters(function)
    if len(parameters) != given:
        listed = ", ".join(f"{parameter.name} : {type_title(parameter.type)}" for parameter in parameters)
        was = "1 was" if given == 1 else f"{given or 'none'} were"
        expected = counted(len(parameters), "argument", "no")
        message = f"`{function.name}` takes {expected}{f' ({listed})' if listed else ''}, but {was} given"
        raise DiagnosticError([error(message, function.span, rule="entry")])


def require_no_external_data(program: Program, provider: str) -> None:
    """Raise `DiagnosticError`, which names the `provider`, if the program has data that another program defines."""
    for data in program.external_data:
        message = f"{provider} has no definition of `{data.name}`"
        help = "`cpsconv link` links the program with the one that defines it"
        raise DiagnosticError([error(message, data.span, help=help, rule="external")])
