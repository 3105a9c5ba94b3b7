"""The program as LLVM IR: what a continuation is to CPS, a basic block is to LLVM.

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

It is written as `cpsconv.emit.ssa` writes the φ form, with the names of the CPS text; and it runs as the evaluator has
it, runtime errors included. Of a program with a `main`, nothing else is seen from outside. Any other one makes a module
to be linked with what calls its functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cpsconv.analysis.graph import transfer_uses
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.analysis.undefined import may_be_undefined
from cpsconv.emit.llvm.function import FunctionPrinter
from cpsconv.emit.llvm.helpers import PREFIX
from cpsconv.emit.llvm.prototypes import MAIN, Prototype, prototype, symbols
from cpsconv.emit.llvm.support import Support
from cpsconv.emit.llvm.unsupported import require_expressible
from cpsconv.emit.llvm.vocabulary import encoded, escaped, quoted
from cpsconv.emit.llvm.wrappers import face, seen_from_outside
from cpsconv.ir import INT, Call, Function, Program
from cpsconv.text.spelling import in_ascii


def llvm(program: Program, *, ascii: bool = False) -> str:
    """A module of LLVM IR, as text. Raises `DiagnosticError` where the program takes continuations for values."""
    require_expressible(program)
    return "".join(f"{line}\n" for line in _Module(program, ascii, Support()).lines())


ENTRY = f"{PREFIX}entry"
"""What in a module for a host is seen from outside."""


def llvm_for_host(program: Program, entry: Function, support: Support) -> str:
    """A module for a host that calls one of its functions: `entry`, as `ENTRY`.

    Raises `DiagnosticError` where the program takes continuations for values.
    """
    require_expressible(program)
    return "".join(f"{line}\n" for line in _Module(program, True, support, entry).lines())


class _Module:
    """`prototypes` are for calls within the module, `outer` for those from outside."""

    def __init__(self, program: Program, ascii: bool, support: Support, entry: Function | None = None) -> None:
        self.program = program
        self.ascii = ascii
        self.support = support
        self.uncertain = may_be_undefined(program)
        main = [function for function in program.functions if function.name == MAIN]
        self.prototypes: dict[Function, Prototype] = {}
        self.outer: dict[Function, Prototype] = {}
        for function, name in symbols(program).items():
            inner = prototype(function, f"@{quoted(name)}", self.uncertain)
            if function is entry:
                self.outer[function] = replace(seen_from_outside(inner, inner.returns), symbol=f"@{ENTRY}")
            elif entry is None and function in (main or program.functions):
                self.outer[function] = seen_from_outside(inner, (INT,) if main else inner.returns)
                if self.outer[function] != inner:
                    inner = replace(inner, symbol=f"@{quoted(f'{PREFIX}inner.{name}')}")
            self.prototypes[function] = inner

    def lines(self) -> Iterator[str]:
        """The functions first, then what they need."""
        if self.program.source:
            yield f'source_filename = "{escaped(encoded(self.program.source.name))}"'
        for function in self.program.functions:
            yield ""
            yield f"; {self._header(function)}"
            inner, outer = self.prototypes[function], self.outer.get(function)
            printer = FunctionPrinter(function, self.prototypes, self.uncertain, self.support)
            yield from printer.lines("" if outer == inner else "internal ")
            if outer and outer != inner:
                yield ""
                yield from face(outer, inner, self.support)
        if self.program.function(MAIN) and _is_recursive(self.program):
            self.support.helper("stack")
        yield from self.support.lines()

    def _header(self, function: Function) -> str:
        parameters = ", ".join(f"{parameter.name} : {parameter.type}" for parameter in function.parameters)
        header = f"{function.name}({parameters}) → ⊥".replace("\n", " ")
        return in_ascii(header) if self.ascii else header


def _is_recursive(program: Program) -> bool:
    """Whether some function may be called again before it is done."""
    callees = {function: [*_callees(function)] for function in program.functions}
    components = strongly_connected_components(program.functions, callees.__getitem__)
    return any(len(component) > 1 or component[0] in callees[component[0]] for component in components)


def _callees(function: Function) -> Iterator[Function]:
    for member in function.members():
        if isinstance(member.transfer, Call):
            yield member.transfer.callee
        yield from (value for value in transfer_uses(member) if isinstance(value, Function))
