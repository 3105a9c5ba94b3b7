"""An emitter: three-address code, a new target for `convert --emit`, registered by one row.

    python examples/extend/emitter.py convert --emit three-address examples/gcd.c

A function is written as blocks with parameters, a statement as an instruction with a mnemonic. Loading this file fails
if the table of mnemonics lacks an operation.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from cpsconv.core import ir
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.unsupported import require_no_memory

WORDS = """
    + add  - sub  * mul  / div  % rem  neg neg  abs abs  & and  | or  ^ xor  ~ not  ! not  << shl  >> shr
    == eq  != ne  < lt  <= le  > gt  >= ge  convert convert  printf printf  puts puts  putchar putchar  eprint eprint
""".split()  # noqa: SIM905

OWN_NAMES = {name: name for name in MATHEMATICS}  # the functions of <math.h>

MNEMONICS = for_every_operation("three-address", dict(zip(WORDS[::2], WORDS[1::2], strict=True)) | OWN_NAMES)


def three_address_code(program: ir.Program, style: Style) -> str:
    """The program as text. This target ignores the style (the width of lines, for example).

    Raises `DiagnosticError` if the program uses memory.
    """
    require_no_memory(program, "three-address code")
    return "\n".join("".join(f"{line}\n" for line in _Function(each).lines()) for each in program.functions)


class _Function:
    """Writes one function. `names` has a unique name for each continuation, parameter and result of a statement."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        self.names: dict[ir.Value, str] = {}
        used: dict[str, int] = {}
        for member in function.members():
            for named in (member, *member.parameters, *member.body):
                hint = named.name or "t"
                used[hint] = used.get(hint, 0) + 1
                self.names[named] = hint if used[hint] == 1 else f"{hint}.{used[hint]}"

    def lines(self) -> Iterator[str]:
        for member in self.function.members():
            yield f"{self.names[member]}({self.listed(member.parameters)}):"
            for statement in member.body:
                name, operands = self.names[statement], self.listed(statement.operands)
                yield f"    {name} = {MNEMONICS[statement.op]}.{statement.type} {operands}"
            yield from (f"    {line}" for line in self.transfer(member))

    def transfer(self, member: ir.Continuation) -> Iterator[str]:
        transfer = member.transfer
        if isinstance(transfer, ir.Jump):
            yield self.jump(transfer.edge)
        elif isinstance(transfer, ir.Call):
            arguments = self.listed([*transfer.arguments, transfer.then.target])
            yield f"call {transfer.callee.name}({arguments})"
        elif isinstance(transfer, ir.Branch):
            yield f"if {self.value(transfer.condition)} {self.jump(transfer.then)}"
            yield self.jump(transfer.otherwise)
        elif isinstance(transfer, ir.Switch):
            for case, edge in zip(transfer.cases, transfer.targets, strict=True):
                yield f"if {self.value(transfer.value)} = {case} {self.jump(edge)}"
            yield self.jump(transfer.default)

    def jump(self, edge: ir.Edge) -> str:
        return f"goto {self.value(edge.target)}({self.listed(edge.arguments)})"

    def listed(self, values: Sequence[ir.Value]) -> str:
        return ", ".join(map(self.value, values))

    def value(self, value: ir.Value) -> str:
        if isinstance(value, ir.Constant):
            return repr(value.value)
        if isinstance(value, (ir.External, ir.Undef)):
            return value.name if isinstance(value, ir.External) else "undefined"
        return self.names.get(value, value.name or "")


TARGETS["three-address"] = three_address_code

if __name__ == "__main__":
    from cpsconv.cli import main  # after the registration, so that the command line offers the target

    sys.exit(main(sys.argv[1:]))
