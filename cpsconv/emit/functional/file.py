"""A whole program as one file of a functional language: header, functions, prelude and start."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple

from cpsconv.analysis.undefined import Place, may_be_undefined
from cpsconv.emit.functional.identifiers import Spelling
from cpsconv.emit.functional.nesting_plan import MAX_DEPTH, GlobalNames, NestingPlan, global_names, nesting_plans
from cpsconv.emit.functional.prelude import Prelude
from cpsconv.emit.functional.writer import Code, Term, Writer
from cpsconv.entry import data_parameters, entry_of, return_type
from cpsconv.ir import Function, Program, Scalar
from cpsconv.source import DiagnosticError, error


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a program: the function `entry`, called `name`, whose arguments have the `types`.

    `end` are the words of the name of the prelude's function that receives its result: ``halt`` with it as the exit
    status, ``halt with bool``, or ``report integer``, ``float``, ``bool``, ``string`` or ``nothing``; empty if the
    function never returns. `may_be_undefined` are the places that undefined values may reach.
    """

    entry: Function
    name: str
    types: Sequence[Scalar]
    end: Sequence[str]
    may_be_undefined: Collection[Place]

    def end_names(self, spelled: Callable[[Sequence[str]], str]) -> list[str]:
        """The name made of the words of `end`, such as ``report-integer``; none if the function never returns."""
        return [spelled(self.end)] if self.end else []


class Parts(NamedTuple):
    """The functions of a program, the pieces of the prelude that it uses, and its start."""

    functions: str
    prelude: Sequence[str]
    start: str


@dataclass(frozen=True)
class Language(Generic[Term, Code]):
    """The parts of a file of a language.

    `header` comes first. `locals` and `globals` make the names inside of functions and at the top level legal. `writer`
    writes functions, `start` the start of the program, and `laid_out` formats code within a width. `inline` says
    whether continuations can be written where they are passed, `max_depth` how deep continuations are nested, `joined`
    concatenates the functions, and `prelude_first` says whether the prelude precedes the functions.
    """

    header: str
    prelude: Prelude
    locals: Spelling
    globals: Spelling
    writer: type[Writer[Term, Code]]
    laid_out: Callable[[Code, int], str]
    start: Callable[[Start], Code]
    inline: bool = True
    max_depth: int = MAX_DEPTH
    joined: Callable[[Sequence[str]], str] = "\n\n".join
    prelude_first: bool = False

    def text_of(self, program: Program, width: int) -> str:
        """The program as a file that behaves as `cpsconv run` does.

        Raises `DiagnosticError` if the function to start is ambiguous or cannot be started: see `entry_of`.
        """
        parts = self.parts_of(program, width)
        middle = [*parts.prelude, parts.functions] if self.prelude_first else [parts.functions, *parts.prelude]
        return "\n\n".join((self.header, *middle, parts.start)) + "\n"

    def parts_of(self, program: Program, width: int) -> Parts:
        """The parts of the file below the header. Raises `DiagnosticError` as above."""
        entry = entry_of(program)
        plans = nesting_plans(program, inline=self.inline, max_depth=self.max_depth)
        globals = GlobalNames.of(self.globals.identifiers(global_names(plans)))
        undefined = may_be_undefined(program)
        start = self.laid_out(self.start(_start_of(entry, globals.functions[entry], undefined)), width)
        writers = self.writers(plans, globals, undefined)
        functions = self.joined([self.laid_out(code, width) for writer in writers for code in writer.code()])
        locals = {name for writer in writers for name in writer.locals}
        return Parts(functions, self.prelude.needed(functions, locals, start), start)

    def writers(
        self, plans: Sequence[NestingPlan], globals: GlobalNames, undefined: Collection[Place]
    ) -> Sequence[Writer[Term, Code]]:
        """A writer for each function, in the order of the file."""
        return [self.writer(plan, globals, self.locals, undefined) for plan in plans]


def _start_of(entry: Function, name: str, undefined: Collection[Place]) -> Start:
    types = [parameter.type for parameter in data_parameters(entry) if isinstance(parameter.type, Scalar)]
    return Start(entry, name, types, _end(entry), undefined)


def _end(entry: Function) -> Sequence[str]:
    returned = return_type(entry)
    if returned is None:
        return ()
    if not returned.parameters:
        return "report", "nothing"
    (type,) = returned.parameters
    if not isinstance(type, Scalar):
        message = f"cannot start `{entry.name}`: it returns a continuation, which cannot be printed"
        raise DiagnosticError([error(message, entry.span)])
    is_status = entry.name == "main" and type.kind in _STATUS
    return _STATUS[type.kind] if is_status else ("report", type.kind)


_STATUS = {"integer": ("halt",), "bool": ("halt", "with", "bool")}
