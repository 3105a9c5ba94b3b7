"""The program as LLVM IR: a continuation becomes a basic block.

::

    define i32 @f(i32 %x) {
    entry:
      %v = icmp eq i32 %x, 0
      br i1 %v, label %then, label %else
    then:
      br label %next
    else:
      br label %next
    next:
      %a = phi i32 [ 23, %then ], [ 42, %else ]
      ret i32 %a
    }

The blocks are those of the φ form (`cpsconv.targets.ssa`), with the names of the CPS text. The module has the behaviour
of the evaluator, including runtime errors. `main` is the only external function; in the module of a program without a
`main`, all functions are external, to be linked with their callers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from cpsconv.abi.attributes import is_variadic, symbol_of
from cpsconv.abi.library import with_argument_access
from cpsconv.abi.linking import is_complete, is_visible, shared_functions
from cpsconv.abi.runtime.command_line import is_main_with_arguments
from cpsconv.core.analysis.graph import addressed_functions, transfer_uses
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.analysis.undefined import may_be_undefined
from cpsconv.core.entry import data_parameters
from cpsconv.core.ir import INT, Call, Constant, Function, Program
from cpsconv.core.operations.odd_types import is_further_float, is_odd
from cpsconv.core.operations.types import is_bits
from cpsconv.core.text.spelling import in_ascii
from cpsconv.core.transform.expansion import expanded
from cpsconv.targets.llvm.c_signatures import VA_START, exported, signature_in_c
from cpsconv.targets.llvm.calling_convention import (
    MAIN,
    Prototype,
    private_symbols,
    prototype,
    result_types,
    symbols,
    wrapper,
)
from cpsconv.targets.llvm.function import FunctionPrinter
from cpsconv.targets.llvm.instructions import UNSPELLED
from cpsconv.targets.llvm.machine_memory import MachineMemory
from cpsconv.targets.llvm.memory_model import MemoryModel
from cpsconv.targets.llvm.support import PREFIX, Support
from cpsconv.targets.llvm.vocabulary import comment, encoded, escaped, quoted, with_opaque_pointers
from cpsconv.targets.unsupported import Obstacle, reject, require_expressible

ENTRY = f"{PREFIX}entry"
"""The only external function of a module for a host."""


def llvm(
    program: Program,
    *,
    ascii: bool = False,
    entry: Function | None = None,
    support: Support | None = None,
    memory: Callable[..., MemoryModel] = MachineMemory,
    language: str = "LLVM IR",
) -> str:
    """A module of LLVM IR, as text. Raises `DiagnosticError` if the `language` cannot express the program.

    In a module for a host, with its own `support` and `memory`, the only external function is `entry`, named `ENTRY`,
    and there are no integers of odd widths, which have no type in C.
    """
    if entry is None:
        program = with_argument_access(program)
    program = expanded(program, UNSPELLED, is_further_float if entry is None else is_odd)
    entry = entry and (program.function(entry.name) or entry)
    require_expressible(program, language, _obstacles if entry else _standalone_obstacles)
    module = _Module(program, ascii, entry, support or Support(), memory)
    reject(language, [*module.weak_obstacles()] if entry is None else [])
    lines = map(with_opaque_pointers, module.lines()) if module.memory.has_opaque_pointers else module.lines()
    return "".join(f"{line}\n" for line in lines)


def _obstacles(function: Function) -> Iterator[Obstacle]:
    """The parts of a function that LLVM IR cannot express, apart from continuations as values."""
    for statement in function.statements():
        if statement.op == "printf" and not isinstance(statement.operands[0], Constant):
            yield "a `printf` format that is not constant", statement.span


def _standalone_obstacles(function: Function) -> Iterator[Obstacle]:
    """Likewise, in a module without a host, where the system calls `main`."""
    yield from _obstacles(function)
    if function.name == MAIN:
        if data_parameters(function) and not is_main_with_arguments(function):
            yield "`main` takes other parameters, for which the system has no values", function.span
        returned = result_types(function)
        if len(returned) > 1 or not all(is_bits(type) for type in returned):
            yield "`main` does not return an integer", function.span


class _Module:
    """A module. `prototypes` are for calls within the module, `outer` for external callers.

    `in_c` has the symbols of the functions that external callers call with structs by value or variable arguments.

    `uncertain` has the places that undefined values may reach.
    """

    def __init__(
        self,
        program: Program,
        ascii: bool,
        entry: Function | None,
        support: Support,
        memory: Callable[..., MemoryModel],
    ) -> None:
        self.program = program
        self.ascii = ascii
        self.support = support
        self.uncertain = may_be_undefined(program)
        self.prototypes: dict[Function, Prototype] = {}
        names = private_symbols(program) if entry else symbols(program)
        self.memory = memory(program, names, self.prototypes, self.uncertain, support)
        self.prototypes |= {external: self.memory.external(external) for external in program.externals}
        exported = [each for each in program.functions if each.name == MAIN or is_visible(each)]
        if is_complete(program):
            exported = [each for each in exported if each.name == MAIN]
        self.shared = {} if entry else shared_functions(program)
        self.outer: dict[Function, Prototype] = {}
        self.in_c: dict[Function, str] = {}
        for function in program.functions:
            name = names[function]
            inner = prototype(function, f"@{quoted(name)}", self.uncertain, support.counts_calls, self.memory.pointer)
            outer = replace(inner, uncertain_parameters=[], uncertain_results=[])
            if function is entry:
                self.outer[function] = replace(outer, symbol=f"@{ENTRY}")
            elif entry is None and function in exported:
                if signature_in_c(function):
                    outer = replace(
                        outer, symbol=f"@{quoted(self.shared.get(function, f'{PREFIX}by_pointers.{name}'))}"
                    )
                    inner = replace(inner, symbol=outer.symbol)
                    self.in_c[function] = f"@{quoted(name)}"
                self.outer[function] = replace(outer, returns=(INT,)) if function.name == MAIN else outer
                if self.outer[function] != inner:
                    inner = replace(inner, symbol=f"@{quoted(f'{PREFIX}inner.{name}')}")
            elif function in self.shared:
                inner = replace(inner, symbol=f"@{quoted(self.shared[function])}")
            self.prototypes[function] = inner

    def weak_obstacles(self) -> Iterator[Obstacle]:
        """The weak functions that calls or pointers refer to by another name, so that no others can replace them."""
        for function in (*self.outer, *self.program.externals):
            name = symbol_of(function)
            if function.is_replaceable and self.memory.address(function) != f"@{quoted(name)}":
                what = "takes or returns structs, variable arguments or undefined values"
                yield f"`{function.name}` is weak, and {what}", function.span

    def lines(self) -> Iterator[str]:
        """The functions, followed by the definitions and declarations that they need."""
        if self.program.source:
            yield f'source_filename = "{escaped(encoded(self.program.source.name))}"'
        yield from self.memory.types()
        taken = self.program.global_names
        for function in self.program.functions:
            parameters = ", ".join(f"{parameter.name} : {parameter.type}" for parameter in function.parameters)
            header = comment(f"{function.name}({parameters}) → ⊥")
            yield from ("", in_ascii(header) if self.ascii else header)
            inner, outer = self.prototypes[function], self.outer.get(function)
            printer = FunctionPrinter(function, self.prototypes, taken, self.uncertain, self.support, self.memory)
            is_inner = function in self.in_c and function not in self.shared
            linkage = "internal " if is_inner else "weak " if outer and function.is_replaceable else ""
            own = "linkonce_odr " if function in self.shared and not outer else "internal "
            yield from printer.lines(linkage if outer == inner else own)
            if outer and outer != inner:
                yield ""
                yield from wrapper(outer, inner, self.support, linkage)
            if outer and function in self.in_c:
                yield from ("", *exported(outer, function, self.in_c[function]))
        if any(map(is_variadic, self.in_c)):
            yield from ("", VA_START)
        yield from self.memory.definitions()
        if self.program.function(MAIN) and _is_recursive(self.program):
            self.support.helper("stack")
        yield from self.support.lines()


def _is_recursive(program: Program) -> bool:
    """Whether a function may be called again before it returns."""
    callees: dict[Function, list[Function]] = {function: [] for function in program.functions}
    addressed = [function for function in addressed_functions(program) if function in callees]
    for function, found in callees.items():
        for member in function.members():
            transfer = member.transfer
            if isinstance(transfer, Call):
                found += [transfer.callee] if transfer.pointer is None else addressed
            found += (value for value in transfer_uses(member) if isinstance(value, Function))
        found[:] = [callee for callee in found if callee in callees]
    components = strongly_connected_components(program.functions, callees.__getitem__)
    return any(len(component) > 1 or component[0] in callees[component[0]] for component in components)
