"""A whole program as one file of a functional language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple

from cpsconv.analysis.undefined import Place, may_be_undefined
from cpsconv.emit.functional.identifiers import Spelling
from cpsconv.emit.functional.nesting_plan import DEEPEST, Globals, Shape, global_names, shapes_of
from cpsconv.emit.functional.prelude import Prelude
from cpsconv.emit.functional.writer import Code, Term, Writer
from cpsconv.entry import data_parameters, entry_of, return_type
from cpsconv.ir import Function, Program, Scalar
from cpsconv.source import DiagnosticError, error


@dataclass(frozen=True, slots=True)
class Start:
    """How a program starts: with the function `entry`, called `name`. `types` are those of its parameters, but for the
    last one.

    `ending` says what becomes of what it returns: it is the exit ``status``, if that is an integer, or the ``truth``
    that is an exit status; or ``integer``, ``float``, ``bool`` or ``string``, which is shown; or ``nothing``. For a
    function that never returns it is None. `may_be_undefined` is what the program may pass to the function itself,
    among other places.
    """

    entry: Function
    name: str
    types: Sequence[Scalar]
    ending: str | None
    may_be_undefined: Collection[Place]


class Parts(NamedTuple):
    """The functions of a program, what of the prelude it uses, and how it starts."""

    functions: str
    prelude: Sequence[str]
    start: str


@dataclass(frozen=True)
class Language(Generic[Term, Code]):
    """What makes a file of a language.

    `header` is at its top. `locals` and `globals` are how names are spelled inside of functions and at the top of the
    file. `writer` writes the functions, `laid_out` makes text of code, no wider than asked for; `start` writes how the
    program starts. `inline` says whether continuations may stand where they are passed, `joined` makes one text of all
    functions, and `prelude_first` says whether the prelude comes before them.
    """

    header: str
    prelude: Prelude
    locals: Spelling
    globals: Spelling
    writer: type[Writer[Term, Code]]
    laid_out: Callable[[Code, int], str]
    start: Callable[[Start], Code]
    inline: bool = True
    deepest: int = DEEPEST
    joined: Callable[[Sequence[str]], str] = "\n\n".join
    prelude_first: bool = False

    def text_of(self, program: Program, width: int) -> str:
        """The program as a file that does what `cpsconv run` does with the program.

        Raises `DiagnosticError` where it is not clear which function to start, or that cannot be started: see
        `entry_of`.
        """
        parts = self.parts_of(program, width)
        middle = [*parts.prelude, parts.functions] if self.prelude_first else [parts.functions, *parts.prelude]
        return "\n\n".join((self.header, *middle, parts.start)) + "\n"

    def parts_of(self, program: Program, width: int) -> Parts:
        """What there is in the file below the header. Raises `DiagnosticError` as above."""
        entry = entry_of(program)
        shapes = shapes_of(program, inline=self.inline, deepest=self.deepest)
        globals = Globals.named(self.globals.identifiers(global_names(shapes)))
        undefined = may_be_undefined(program)
        start = self.laid_out(self.start(_start_of(entry, globals.functions[entry], undefined)), width)
        writers = self.writers(shapes, globals, undefined)
        functions = self.joined([self.laid_out(code, width) for writer in writers for code in writer.code()])
        locals = {name for writer in writers for name in writer.locals}
        return Parts(functions, self.prelude.needed(functions, locals, start), start)

    def writers(
        self, shapes: Sequence[Shape], globals: Globals, undefined: Collection[Place]
    ) -> Sequence[Writer[Term, Code]]:
        """A writer for each function, in the order of the file."""
        return [self.writer(shape, globals, self.locals, undefined) for shape in shapes]


def _start_of(entry: Function, name: str, undefined: Collection[Place]) -> Start:
    types = [parameter.type for parameter in data_parameters(entry) if isinstance(parameter.type, Scalar)]
    return Start(entry, name, types, _ending(entry), undefined)


def _ending(entry: Function) -> str | None:
    returned = return_type(entry)
    if returned is None:
        return None
    if not returned.parameters:
        return "nothing"
    (type,) = returned.parameters
    if not isinstance(type, Scalar):
        complaint = f"`{entry.name}` cannot be started: it returns a continuation, which nothing can show"
        raise DiagnosticError([error(complaint, entry.span)])
    is_status = entry.name == "main" and type.kind in _STATUS
    return _STATUS[type.kind] if is_status else type.kind


_STATUS = {"integer": "status", "bool": "truth"}
