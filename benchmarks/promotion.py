"""Compares the parameters of generated C programs with the φ functions that LLVM's SROA and mem2reg leave.

    python benchmarks/promotion.py --programs 1000
    python benchmarks/promotion.py --memory --programs 1000

A number determines each program; with `--memory`, it uses arrays, structs, pointers and so on. LLVM gets the program
with all variables in memory, copies of parameters of type struct, too, and promotes them by its pass SROA, which
contains mem2reg. Parameters that are results of calls correspond to no φ function. Bit-fields of a struct become one
variable each, but LLVM has one φ function for all fields in a unit: a function whose additional parameters are due to
them is counted separately. Prints each other function with more parameters than φ functions, the sums, and the numbers
of variables that were promoted or kept in memory. The exit status is 1 if there is such a function.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import cast
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import numbered
from cpsconv import Source, convert
from cpsconv.core.ir import Call, Function, Program, Value
from cpsconv.languages.c.lowering import promotion, statements
from cpsconv.languages.c.lowering.initialisers import Initialisers
from cpsconv.languages.c.lowering.object_types import Leaf, ObjectTypes, has_bit_fields
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.records import Record
from cpsconv.languages.c.types import CType
from cpsconv.targets.llvm import llvm
from testing.c_programs import random_program


@dataclass
class Counts:
    """The sums over the functions of some programs.

    `worse` has the functions with more parameters than φ functions, except those that are `worse_by_bit_fields` only.
    """

    functions: int = 0
    parameters: int = 0
    phis: int = 0
    promoted: int = 0
    in_memory: int = 0
    worse_by_bit_fields: int = 0
    worse: list[str] = field(default_factory=list)

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def nothing_promoted(function: t.Function, types: ObjectTypes) -> promotion.Promotion:
    """The decisions that leave all variables in memory."""
    decided = promotion.decided(function, types)
    nodes = [*t.nodes_within(function.body)]
    declared = [node.variable for node in nodes if type(node) is t.Declare]
    in_memory = {local: ("", local.span) for local in [*function.parameters, *declared]}
    made = promotion.Promotion()
    made.split = {each for each in function.parameters if isinstance(each.type, Record)}
    made.in_memory, made.at_start, made.early = in_memory, {None: declared}, {*declared}
    made.temporaries = decided.temporaries
    return made


def copied_parameter(initialisers: Initialisers, local: t.Local, pointer: Value) -> None:
    """Copy a parameter of type struct to an object of the function, as LLVM promotes only such objects."""
    initialisers._promotion.split.remove(local)
    place = initialisers._declared(local)
    initialisers._places.assign(place, pointer, cast("Record", local.type.unqualified), local.span)


@contextmanager
def _without_promotion() -> Iterator[None]:
    """Let the front end keep all variables in memory."""
    with (
        patch.object(statements, "decided", nothing_promoted),
        patch.object(statements, "uses_memory", lambda _: True),
        patch.object(Initialisers, "load_parameter", copied_parameter),
    ):
        yield


@contextmanager
def without_bit_fields() -> Iterator[None]:
    """Let the front end keep structs with bit-fields in memory."""
    leaves = ObjectTypes.leaves

    def of_others(types: ObjectTypes, type: CType, **options: bool) -> list[Leaf] | None:
        return None if has_bit_fields(type) else leaves(types, type, **options)

    with patch.object(ObjectTypes, "leaves", of_others):
        yield


def unpromoted(source: Source) -> Program:
    """The program with all variables in memory."""
    with _without_promotion():
        return convert(source, minimal=False)


def placed(function: Function) -> int:
    """The number of parameters that correspond to φ functions: those that are no results of calls."""
    calls = [member.transfer for member in function.members() if isinstance(member.transfer, Call)]
    results = {call.then.target for call in calls}
    return sum(len(each.parameters) for each in function.continuations if each not in results)


def phis(program: Program) -> dict[str, int]:
    """The number of φ functions of each function, after LLVM's pass."""
    from llvmlite import binding

    from cpsconv.lab.baselines.llvm import pass_builder

    module = binding.parse_assembly(llvm(program))
    builder, found = pass_builder(), dict[str, int]()
    with binding.create_new_function_pass_manager() as passes:
        passes.add_sroa_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
                name = function.name.removeprefix("cpsconv.inner.").removeprefix("cpsconv.by_pointers.")
                found[name] = found.get(name, 0) + str(function).count(" = phi ")
    return found


def compared(text: str, name: str) -> Counts:
    """The counts for a program of that name."""
    ours = convert(Source("program.c", text))
    found = phis(unpromoted(Source("program.c", text)))
    counts, worse = Counts(len(ours.functions)), dict[str, str]()
    for function in ours.functions:
        parameters, variables = placed(function), ours.variables.get(function)
        counts.parameters += parameters
        counts.phis += found[function.name]
        if variables is not None:
            counts.promoted += variables.promoted
            counts.in_memory += len(variables.in_memory)
        if parameters > found[function.name]:
            worse[function.name] = (
                f"{name}: {function.name}: {parameters} parameters, {found[function.name]} φ functions"
            )
    if worse:
        with without_bit_fields():
            without = {each.name: placed(each) for each in convert(Source("program.c", text)).functions}
        counts.worse = [line for function, line in worse.items() if without[function] > found[function]]
        counts.worse_by_bit_fields = len(worse) - len(counts.worse)
    return counts


def compare(memory: bool, numbers: list[int]) -> Counts:
    """The counts for the generated programs of these numbers."""
    total = Counts()
    for number in numbers:
        total += compared(random_program(number, memory=memory), f"program {number}")
    return total


def main() -> int:
    """Run the command. Returns the exit status."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbered.add_options(parser, "programs", 1000, first=1)
    parser.add_argument("--memory", action="store_true", help="let the programs use objects in memory")
    options = parser.parse_args()
    total = Counts()
    for counts in numbered.results(partial(compare, options.memory), options, size=20):
        total += counts
        for line in counts.worse:
            print(line, flush=True)
    print(f"{total.functions:,} functions, {len(total.worse)} with more parameters than φ functions", end="")
    print(f", and {total.worse_by_bit_fields} because of bit-fields" if options.memory else "")
    print(f"{total.parameters:,} parameters, {total.phis:,} φ functions")
    if options.memory:
        print(f"{total.promoted:,} variables promoted, {total.in_memory:,} in memory")
    return 1 if total.worse else 0


if __name__ == "__main__":
    sys.exit(main())
