"""SSA constructions of other projects, run on our functions.

Each construction gets the reads and writes of variables, block by block, that the Builder received: variables are slots
of memory, or names with several assignments. The preparation of this input is not timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.construction import Builder
from cpsconv.core.construction.record import FunctionRecord, Recorder, Write
from cpsconv.core.ir import Continuation, Undef
from cpsconv.languages import Lowering


@dataclass(frozen=True)
class Access:
    """A variable is read, or written to."""

    variable: int
    writes: bool


@dataclass(frozen=True)
class Slots:
    """A function of so many variables: of each block the accesses, in order, and the numbers of its successors."""

    variables: int
    accesses: list[list[Access]]
    successors: list[list[int]]


def slots_of(unit: Lowering) -> list[Slots]:
    """The functions of a unit. What is written without having a value is left out: slots begin without one."""
    recorder = Recorder()
    unit(Builder(observer=recorder), [])
    return [_slots(record) for record in recorder.record.values()]


def _slots(record: FunctionRecord) -> Slots:
    blocks = {block.continuation: number for number, block in enumerate(record.blocks)}
    variables: dict[Any, int] = {}
    accesses = [
        [
            Access(variables.setdefault(event.variable, len(variables)), isinstance(event, Write))
            for event in block.events
            if not (isinstance(event, Write) and isinstance(event.value, Undef))
        ]
        for block in record.blocks
    ]
    successors = [
        [blocks[target] for target, _ in block.ending.edges if isinstance(target, Continuation) and target in blocks]
        for block in record.blocks
    ]
    return Slots(len(variables), accesses, successors)


Work = Callable[[], object]
"""What is timed."""


# ----------------------------------------------------------------------------------------------------------- LLVM


def llvm(function: Slots) -> Work:
    """LLVM's mem2reg, as a part of its pass SROA, in process."""
    from llvmlite import binding

    from cpsconv.lab.baselines.llvm import pass_builder

    module = binding.parse_assembly("\n".join(_llvm_lines(function)))
    passes = binding.create_new_function_pass_manager()
    passes.add_sroa_pass()
    return partial(passes.run, module.get_function("function"), pass_builder())


def _llvm_lines(function: Slots) -> Iterator[str]:
    from cpsconv.lab.baselines.llvm import ending

    values = 0
    yield "declare void @use(i64)"
    yield "declare i64 @make()"
    yield "define void @function(i64 %choice) {"
    for number, accesses in enumerate(function.accesses):
        yield f"b{number}:"
        if number == 0:
            yield from (f"  %v{variable} = alloca i64" for variable in range(function.variables))
        for access in accesses:
            values += 1
            if access.writes:
                yield f"  %x{values} = call i64 @make()"
                yield f"  store i64 %x{values}, ptr %v{access.variable}"
            else:
                yield f"  %x{values} = load i64, ptr %v{access.variable}"
                yield f"  call void @use(i64 %x{values})"
        yield "  " + ending(function.successors[number])
    yield "}"


# ---------------------------------------------------------------------------------------------------------- numba


def numba(function: Slots) -> Work:
    """numba's ``reconstruct_ssa``, after Choi, Cytron and Ferrante."""
    from numba.core import ir
    from numba.core.ssa import reconstruct_ssa

    here = ir.Loc("function", 1)
    scope = ir.Scope(None, here)
    names = [scope.define(f"v{variable}", here) for variable in range(function.variables)]
    choice = scope.define("choice", here)
    blocks = {}
    values = 0
    for number, accesses in enumerate(function.accesses):
        block = blocks[number] = ir.Block(scope, here)
        if number == 0:
            block.append(ir.Assign(ir.Arg("choice", 0, here), choice, here))
            for name in names:
                block.append(ir.Assign(ir.Const(0, here), name, here))
        for access in accesses:
            values += 1
            if access.writes:
                block.append(ir.Assign(ir.Const(values, here), names[access.variable], here))
            else:
                block.append(ir.Assign(names[access.variable], scope.define(f"x{values}", here), here))
        match function.successors[number]:
            case []:
                block.append(ir.Return(choice, here))
            case [only]:
                block.append(ir.Jump(only, here))
            case [then, otherwise]:
                block.append(ir.Branch(choice, then, otherwise, here))
    return lambda: reconstruct_ssa(SimpleNamespace(blocks=blocks))


# ----------------------------------------------------------------------------------------------------------- ppci


def ppci(function: Slots) -> Work:
    """The pass ``mem2reg`` of ppci."""
    from ppci import ir
    from ppci.binutils.debuginfo import DebugDb
    from ppci.opt.mem2reg import Mem2RegPromotor

    module = ir.Module("module", debug_db=DebugDb())
    procedure = ir.Procedure("function", ir.Binding.GLOBAL)
    module.add_function(procedure)
    blocks = [ir.Block(f"b{number}") for number in range(len(function.accesses))]
    procedure.entry = blocks[0]
    addresses = []
    for block in blocks:
        procedure.add_block(block)
    for variable in range(function.variables):
        slot = ir.Alloc(f"v{variable}", 8, 8)
        addresses.append(ir.AddressOf(slot, f"a{variable}"))
        blocks[0].add_instruction(slot)
        blocks[0].add_instruction(addresses[-1])
    choice = ir.Const(0, "choice", ir.i64)
    blocks[0].add_instruction(choice)
    for number, (block, accesses) in enumerate(zip(blocks, function.accesses, strict=True)):
        for access in accesses:
            address = addresses[access.variable]
            if access.writes:
                block.add_instruction(ir.Store(choice, address))
            else:
                block.add_instruction(ir.Load(address, "x", ir.i64))
        match [blocks[successor] for successor in function.successors[number]]:
            case []:
                block.add_instruction(ir.Exit())
            case [only]:
                block.add_instruction(ir.Jump(only))
            case [then, otherwise]:
                block.add_instruction(ir.CJump(choice, "==", choice, then, otherwise))
    return lambda: Mem2RegPromotor().run(module)


# ----------------------------------------------------------------------------------------------------------- Bril


def bril(function: Slots) -> Work:
    """Bril's ``to_ssa.py``, after Cytron et al. Variables are parameters, so that each has a value and a type."""
    from to_ssa import func_to_ssa

    arguments = [{"name": f"v{variable}", "type": "int"} for variable in range(function.variables)]
    instructions = [*_bril_instructions(function)]
    return partial(func_to_ssa, {"name": "function", "args": [*arguments, _CHOICE], "instrs": instructions})


_CHOICE = {"name": "choice", "type": "bool"}


def _bril_instructions(function: Slots) -> Iterator[dict[str, Any]]:
    reached = depth_first([0], function.successors.__getitem__)  # what is not reached, it would rename twice
    for number, _ in reached:
        yield {"label": f"b{number}"}
        for access in function.accesses[number]:
            variable = f"v{access.variable}"
            if access.writes:
                yield {"op": "const", "dest": variable, "type": "int", "value": 0}
            else:
                yield {"op": "print", "args": [variable]}
        match [f"b{successor}" for successor in function.successors[number]]:
            case []:
                yield {"op": "ret"}
            case [only]:
                yield {"op": "jmp", "labels": [only]}
            case both:
                yield {"op": "br", "args": ["choice"], "labels": both}


# ------------------------------------------------------------------------------------------------------------ all

Outsider = Callable[[Slots], Work]

OUTSIDERS: dict[str, tuple[str, Outsider]] = {
    "LLVM": ("llvmlite", llvm),
    "numba": ("numba", numba),
    "ppci": ("ppci", ppci),
    "Bril": ("to_ssa", bril),
}
"""By name, the module that it takes, and how it is prepared."""


def is_installed(name: str) -> bool:
    """Whether the module that it takes is there."""
    return find_spec(OUTSIDERS[name][0]) is not None


def takes(name: str, function: Slots) -> bool:
    """Whether it can be given the function: only LLVM has more than two ways to go on."""
    return name == "LLVM" or all(len(successors) <= 2 for successors in function.successors)
