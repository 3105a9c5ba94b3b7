"""The linker: one program of several."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.ir import ExternalData, Function, Program
from cpsconv.linking.references import Global, is_visible, replace_references
from cpsconv.linking.structs import merge_structs
from cpsconv.linking.symbols import Symbols
from cpsconv.linking.variable_arguments import pass_in_slots
from cpsconv.source import DiagnosticError
from cpsconv.text.plan import UniqueNames


def link(programs: Sequence[Program]) -> Program:
    """The program that consists of all `programs`, which are changed. Its source is that of the program with `main`.

    Declarations without a definition remain. Static functions and data whose names are taken get a number.

    Raises `DiagnosticError` if two programs define the same name, or a declaration does not agree with another one.
    """
    symbols = Symbols(programs)
    if symbols.errors:
        raise DiagnosticError(symbols.errors)
    names = UniqueNames({*symbols.found})
    for program in programs:
        _rename(program, names)
        pass_in_slots(program, symbols.targets)
        replace_references(program, lambda used, _: symbols.targets.get(used, used))
    first = next((program for program in programs if program.function("main")), programs[0])
    linked = Program([], first.source, structs=merge_structs(programs))
    for program in programs:
        linked.functions += program.functions
        linked.data += program.data
        linked.counts |= program.counts
        linked.variables |= program.variables
        linked.symbols |= program.symbols
    declared = dict.fromkeys(symbols.targets.values())
    linked.externals = [each for each in declared if isinstance(each, Function) and each.transfer is None]
    linked.external_data = [each for each in declared if isinstance(each, ExternalData)]
    return linked


def _rename(program: Program, names: UniqueNames) -> None:
    """Make the names unique that are no symbols: those of static functions and data, for example."""
    own: list[Global] = [*program.data, *program.functions]
    for each in own:
        if not is_visible(each) or each in program.symbols:
            each.name = names.unique(each.name)
