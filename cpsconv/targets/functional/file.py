"""A whole program as one file of a functional language: header, functions, prelude and start."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic

from cpsconv.abi.library import with_library_once
from cpsconv.abi.memory import with_memory_defined
from cpsconv.core.analysis.undefined import Place, may_be_undefined
from cpsconv.core.entry import data_parameters, entry_of, is_main, return_type
from cpsconv.core.ir import LONG_DOUBLE, Data, Function, Program, Scalar
from cpsconv.core.operations.expansions import Choices
from cpsconv.core.source import DiagnosticError, error
from cpsconv.core.transform.expansion import expanded
from cpsconv.targets.functional.identifiers import Spelling
from cpsconv.targets.functional.memory import EMPTY, MemoryPlan, memory_plan
from cpsconv.targets.functional.nesting_plan import MAX_DEPTH, NestingPlan, global_names, nesting_plans
from cpsconv.targets.functional.prelude import Prelude
from cpsconv.targets.functional.printing import passed_strings
from cpsconv.targets.functional.writer import Code, ProgramFacts, Term, Writer
from cpsconv.targets.unsupported import memory_uses, require_operations, require_types


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a program: the function `entry`, called `name`, whose arguments have the `types`.

    `end` has the words of the name of the prelude's function that receives the result: ``halt`` with the result as the
    exit status, ``halt with bool``, or ``report integer``, ``float``, ``bool``, ``string`` or ``nothing``. It is empty
    if `entry` never returns. `may_be_undefined` are the places that undefined values may reach.
    """

    entry: Function
    name: str
    types: Sequence[Scalar]
    end: Sequence[str]
    may_be_undefined: Collection[Place]

    def end_names(self, spelled: Callable[[Sequence[str]], str]) -> list[str]:
        """The words of `end` as one name, such as ``report-integer``; none if the function never returns."""
        return [spelled(self.end)] if self.end else []


@dataclass(frozen=True)
class Language(Generic[Term, Code]):
    """A functional language, as a function that writes a program in it.

    `name` is the name of the language in diagnostics. A file begins with `header`. `locals` makes the names inside of
    functions legal; names at the top level are also not in the prelude, and not `bound` by imports. `writer` writes
    functions, `start` the start of the program, and `laid_out` formats code within a width. `inline` says whether
    continuations can be written where they are passed, `max_depth` how deep continuations are nested, and
    `prelude_first` whether the prelude precedes the functions. `separator` is between definitions. Programs with types
    in `lacking_types` or operations in `lacking` are refused; operations in `unspelled` are expanded. `with_memory`
    writes programs that use memory. It has `definitions`, which writes the definitions of types, fields, data and
    functions with addresses by their names; they precede the start. A language whose prelude has no checked memory has
    `data` instead, which writes the definitions of data: the program checks each access itself (`cpsconv.abi.memory`).
    """

    name: str
    header: str
    prelude: Prelude
    locals: Spelling
    writer: type[Writer[Term, Code]]
    laid_out: Callable[[Code, int], str]
    start: Callable[[Start], Code]
    bound: frozenset[str] = frozenset()
    inline: bool = True
    max_depth: int = MAX_DEPTH
    prelude_first: bool = False
    separator: str = "\n\n"
    lacking_types: frozenset[Scalar] = frozenset({LONG_DOUBLE})
    lacking: frozenset[str] = frozenset()
    unspelled: Choices = field(default_factory=dict)
    with_memory: Language[Term, Code] | None = None
    definitions: Callable[[MemoryPlan, Mapping[Any, str]], Code] | None = None
    data: Callable[[Sequence[Data], Mapping[Any, str]], Code] | None = None

    def __call__(self, program: Program, *, width: int = 80, entry: str | None = None) -> str:
        """The program as a file that behaves as `cpsconv run --entry` does. Imports of the prelude follow the header.

        Raises `DiagnosticError` if the function to start is ambiguous or cannot be started (see `entry_of`), or if the
        program uses memory and the language, or its prelude, lacks what it uses.
        """
        program = with_library_once(program)
        has_memory = next(memory_uses(program), None) is not None
        if self.with_memory and has_memory:
            return self.with_memory(program, width=width, entry=entry)
        require_types(program, self.name, self.lacking_types)
        if self.data and has_memory:
            program = with_memory_defined(program, f"the {self.name} target")
        program = expanded(program, self.unspelled)
        require_operations(program, self.name, self.lacking)
        started = entry_of(program, entry)
        plans = nesting_plans(program, inline=self.inline, max_depth=self.max_depth)
        reserved = self.locals.reserved.union(self.prelude.pieces, self.bound)
        memory = memory_plan(program, f"the {self.name} target") if self.definitions else EMPTY
        hints: dict[Any, str] = {**global_names(plans), **memory.names(), **{each: each.name for each in program.data}}
        names = replace(self.locals, reserved=reserved).identifiers(hints)
        names.update((each, each.name) for each in program.externals)  # functions of the prelude
        facts = ProgramFacts(
            names, frozenset(names.values()), self.locals, may_be_undefined(program), passed_strings(program)
        )
        types = [parameter.type for parameter in data_parameters(started) if isinstance(parameter.type, Scalar)]
        start_of_file = Start(started, names[started], types, _end(started), facts.may_be_undefined)
        start = self.laid_out(self.start(start_of_file), width)
        writers = self.writers(plans, facts)
        functions = [self.laid_out(code, width) for writer in writers for code in writer.code()]
        locals = {name for writer in writers for name in writer.locals}
        if self.definitions:
            start = self.separator.join([self.laid_out(self.definitions(memory, names), width), start])
        data = [self.laid_out(self.data(program.data, names), width)] if self.data and program.data else []
        pieces = self.prelude.needed("\n".join(functions), locals, "\n".join([*data, start]))
        imports = [piece for piece in pieces if piece.startswith("import ")]
        header = "\n\n".join([self.header, *(["\n".join(imports)] if imports else [])])
        prelude = [piece for piece in pieces if piece not in imports]
        middle = [*prelude, *data, *functions] if self.prelude_first else [*functions, *data, *prelude]
        return self.separator.join([header, *middle, start]) + "\n"

    def supporting_memory(
        self, prelude: Prelude, reserved: Collection[str], definitions: Callable[[MemoryPlan, Mapping[Any, str]], Code]
    ) -> Language[Term, Code]:
        """This language, with a `prelude` and `definitions` for programs that use memory.

        The names in `reserved` are not used inside of the functions of such programs.
        """
        locals = replace(self.locals, reserved=self.locals.reserved.union(reserved))
        return replace(self, with_memory=replace(self, prelude=prelude, locals=locals, definitions=definitions))

    def writers(self, plans: Sequence[NestingPlan], facts: ProgramFacts) -> Sequence[Writer[Term, Code]]:
        """A writer for each function, in the order of the file."""
        return [self.writer(plan, facts) for plan in plans]


def _end(entry: Function) -> Sequence[str]:
    returned = return_type(entry)
    if returned is None:
        return ()
    if not returned.parameters:
        return "report", "nothing"
    (type,) = returned.parameters
    if not isinstance(type, Scalar):
        message = f"cannot start `{entry.name}`: it returns a continuation, which cannot be printed"
        raise DiagnosticError([error(message, entry.span, rule="entry")])
    is_status = is_main(entry.name) and type.kind in _STATUS
    return _STATUS[type.kind] if is_status else ("report", type.kind)


_STATUS = {"integer": ("halt",), "bool": ("halt", "with", "bool")}
