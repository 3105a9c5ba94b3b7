"""The program as MLIR: a continuation becomes a block, its parameters the arguments of the block.

::

    func.func @f(%x: i32) -> i32 {
      %c0_i32 = arith.constant 0 : i32
      %c23_i32 = arith.constant 23 : i32
      %c42_i32 = arith.constant 42 : i32
      %v = arith.cmpi eq, %x, %c0_i32 : i32
      cf.cond_br %v, ^then, ^else
    ^then:
      cf.br ^next(%c23_i32 : i32)
    ^else:
      cf.br ^next(%c42_i32 : i32)
    ^next(%a: i32):
      return %a : i32
    }

The module is that of the target LLVM IR (`cpsconv.targets.llvm`), which knows calling conventions, external functions,
memory and run-time errors; this package translates its few instructions: to the dialects `func`, `cf` and `arith` where
they have them, and to the dialect `llvm` for everything else. It reads them from the text, since the functions that the
module defines for run-time support are text, and a record for each instruction would slow down that target by 5 %.

`llvm_text` reads types, operands and instructions, `signatures` the heads of functions; `forms` has the forms of
instructions in MLIR; `functions` translates a function, `data` the content of data, and `constants` makes the constants
of both. Locations are comments in the text: ``; loc("fig8.c":2:7)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from textwrap import indent

from cpsconv.core.ir import Program
from cpsconv.core.source import Span
from cpsconv.targets.llvm import llvm
from cpsconv.targets.llvm.machine_memory import MachineMemory
from cpsconv.targets.llvm.support import Support
from cpsconv.targets.llvm.vocabulary import encoded, escaped
from cpsconv.targets.mlir.data import data_lines
from cpsconv.targets.mlir.functions import FunctionText
from cpsconv.targets.mlir.llvm_text import Tokens, reference
from cpsconv.targets.mlir.signatures import Signature, signature


def mlir(program: Program, *, ascii: bool = False, locations: bool = False) -> str:
    """A module of MLIR, as text, perhaps with the `locations` of operations in the source of the program.

    Raises `DiagnosticError` if MLIR cannot express the program.
    """
    support = _Located() if locations else Support()
    lines = llvm(program, ascii=ascii, support=support, memory=_Memory, language="MLIR").splitlines()
    return _Module(lines).written()


class _Located(Support):
    """A support that notes the locations of instructions, as MLIR writes them."""

    def note(self, *spans: Span | None) -> str:
        return f" ;{''.join(map(_location, spans))}" if any(spans) else ""


def _location(span: Span | None) -> str:
    """``loc("fig8.c":2:7)``, after a space."""
    if span is None:
        return " loc(unknown)"
    name, line, column = span.source.origin(span.start)
    return f' loc("{escaped(encoded(name))}":{line}:{column})'


class _Memory(MachineMemory):
    """The memory of LLVM IR, with pointers without types, as in MLIR."""

    def prepare(self) -> None:
        super().prepare()
        self.has_opaque_pointers = True


class _Module:
    """A module, by the lines of that in LLVM IR: its struct types, and its functions by their references."""

    def __init__(self, lines: list[str]) -> None:
        self.text = lines
        self.structs: dict[str, str] = {}
        self.functions: dict[str, Signature] = {}
        addressed: set[str] = set()
        for line in lines:
            if line.startswith("%"):
                name, _, type = line.partition(" = type ")
                self.structs[name] = Tokens(type, self.structs).type()
            elif "@" in line:
                tokens = Tokens(line, self.structs)
                names = pairwise([*tokens.texts, ""])
                addressed |= {reference(name) for name, after in names if name[:1] == "@" and after != "("}
                if line.startswith(("define ", "declare ")) and not _is_intrinsic(line):
                    found = signature(tokens)
                    self.functions[found.name] = found
        for function in self.functions.values():
            function.choose_dialect(addressed)

    def written(self) -> str:
        """The text of the module, which is an operation of its own if it has attributes."""
        attributes = [
            f"llvm.{name} = {line.partition(' = ')[2]}"
            for start, name in (("target datalayout", "data_layout"), ("target triple", "target_triple"))
            for line in self.text
            if line.startswith(start)
        ]
        following = iter(self.text)
        items = "\n".join(each for line in following for each in self._item(line, following))
        items = re.sub(r"\n\n+", "\n\n", items).strip("\n")
        if not attributes:
            return f"{items}\n"
        return f"module attributes {{{', '.join(attributes)}}} {{\n{indent(items, '  ')}\n}}\n"

    def _item(self, line: str, following: Iterator[str]) -> Iterator[str]:
        """What a line begins; further lines of it are read. A comment and a blank line remain."""
        if not line or line.startswith(";"):
            yield line and f"//{line[1:]}"
        elif line.startswith("@"):
            rest = next(following) if line.startswith("@llvm.global_ctors") else ""
            yield from data_lines(Tokens(line + rest, self.structs))
        elif line.startswith(("define ", "declare ")) and not _is_intrinsic(line):
            function = self.functions[signature(Tokens(line, self.structs)).name]
            if function.is_external:
                yield function.declaration
            else:
                yield from FunctionText(function, iter(following.__next__, "}"), self.functions, self.structs).lines()


def _is_intrinsic(line: str) -> bool:
    """Whether a declaration is that of an intrinsic function of LLVM, which MLIR does not declare."""
    return line.partition("@")[2].startswith("llvm.")
