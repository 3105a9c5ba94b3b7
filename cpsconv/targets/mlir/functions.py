"""A function of LLVM IR as one of MLIR: arguments of blocks for φs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from cpsconv.targets.mlir.constants import Constants
from cpsconv.targets.mlir.forms import written
from cpsconv.targets.mlir.llvm_text import LABEL, POINTER, Instruction, Operand, Tokens, reference, symbol
from cpsconv.targets.mlir.signatures import Signature


@dataclass
class _Block:
    """A block of the text: its label, its φs, and the instructions after them."""

    label: str
    phis: list[Instruction] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)


class FunctionText:
    """Writes the definition of one function, from the lines between its braces.

    `names` has the names of its values, `copies` the operands that other names denote.
    """

    def __init__(
        self, own: Signature, lines: Iterator[str], functions: Mapping[str, Signature], structs: Mapping[str, str]
    ) -> None:
        self.own, self.functions, self.structs = own, functions, structs
        self.constants = Constants(structs)
        self.names: dict[str, str] = {}
        self.copies: dict[str, Operand] = {}
        self.blocks = {block.label: block for block in self._blocks(lines)}
        self.labels = {label: f"^{self.constants.name(label or 'entry')[1:]}" for label in self.blocks}
        self.block = next(iter(self.blocks.values()))

    def _blocks(self, lines: Iterator[str]) -> Iterator[_Block]:
        block = _Block("")
        for line in lines:
            if label := re.match(r'("[^"]*"|[-\w$.]+):', line):
                if block.label or block.instructions:
                    yield block
                block = _Block(label[1].strip('"'))
            elif line:
                self._add(self._instruction(line, lines), block)
        yield block

    def _instruction(self, line: str, following: Iterator[str]) -> Instruction:
        """The instruction that a line begins. The cases of a switch are on lines of their own."""
        tokens = Tokens(line, self.structs)
        if tokens.next == "switch":
            tokens.texts.pop()
            for case in takewhile(lambda case: not case.lstrip().startswith("]"), following):
                tokens.texts += [",", *Tokens(case, self.structs).texts]
        return Instruction(tokens)

    def _add(self, each: Instruction, block: _Block) -> None:
        if each.op == "bitcast" and each.operands[0].type == each.operands[1].type:
            self.copies[each.result] = each.operands[0]
        else:
            (block.phis if each.op == "phi" else block.instructions).append(each)

    # ------------------------------------------------------------------------------------------------- values

    def value(self, name: str) -> str:
        """The name in MLIR of a value of LLVM IR."""
        if name not in self.names:
            self.names[name] = self.constants.name(symbol(name))
        return self.names[name]

    def operand(self, each: Operand) -> str:
        """An operand in MLIR: a name, which may be that of a constant, or the target of an edge."""
        while each.text in self.copies:
            each = self.copies[each.text]
        if each.type == LABEL:
            return self._target(each)
        return self.value(each.text) if each.text.startswith("%") else self.constants.constant(each)

    def _target(self, label: Operand) -> str:
        """A successor with the arguments of the edge from the current block."""
        target = symbol(label.text)
        passed = [phi.incoming[self.block.label] for phi in self.blocks[target].phis]
        names, types = ", ".join(map(self.operand, passed)), ", ".join(each.type for each in passed)
        return f"{self.labels[target]}({names} : {types})" if names else self.labels[target]

    # ------------------------------------------------------------------------------------------------- the text

    def lines(self) -> Iterator[str]:
        """``func.func @f(%x: i32) -> i32 { … }``"""
        own = self.own
        parameters = [f"{self.value(each.text)}: {each.typed} {each.location}".rstrip() for each in own.parameters]
        body = [line for block in self.blocks.values() for line in self._block(block)]
        yield f"{own.head(parameters)} {{"
        yield from (f"  {line}" for line in self.constants.lines)
        yield from body[1:]  # without the label of the first block
        yield f"}} {own.location}".rstrip()

    def _block(self, block: _Block) -> Iterator[str]:
        self.block = block
        arguments = ", ".join(
            f"{self.value(phi.result)}: {phi.operands[0].type} {phi.location}".rstrip() for phi in block.phis
        )
        yield f"{self.labels[block.label]}{f'({arguments})' if arguments else ''}:"
        for each in block.instructions:
            lines = [f"  {line}" for line in self._lines(each)]
            lines[-1:] = [f"{line} {each.location}".rstrip() for line in lines[-1:]]
            yield from lines

    def _lines(self, each: Instruction) -> Iterator[str]:
        if each.op == "switch":
            yield from self._switch(*each.operands)
        elif line := self._call(*each.operands) if each.op == "call" else written(each, self.operand):
            result = f"{self.value(each.result)} = " if each.result else ""
            yield f"{result}{'llvm.' * (each.op == 'ret' and self.own.in_llvm)}{line}"

    def _switch(self, value: Operand, default: Operand, *others: Operand) -> Iterator[str]:
        """A switch on a value; a label follows each case. Cases that MLIR does not read are compared instead."""
        name, type = self.operand(value), value.type
        cases = [*zip(others[::2], others[1::2], strict=True)]
        if any(abs(int(case.text)) >> 63 for case, _ in cases):
            for case, label in cases:
                found, following = self.constants.name("is.case"), self.constants.name("other")[1:]
                yield f"{found} = arith.cmpi eq, {name}, {self.operand(case)} : {type}"
                yield f"cf.cond_br {found}, {self.operand(label)}, ^{following}"
                yield f"^{following}:"
            yield f"cf.br {self.operand(default)}"
        else:
            arms = [f"  {case}: {self.operand(label)}" for case, label in [("default", default), *cases]]
            yield from (f"cf.switch {name} : {type}, [", *(f"{arm}," for arm in arms[:-1]), arms[-1], "]")

    def _call(self, function: Operand, *arguments: Operand) -> str:
        """A call, also of an intrinsic, or through a pointer; empty for hints, whose form differs between versions."""
        target = self.functions.get(reference(function.text)) if function.text.startswith("@") else None
        if target is not None and not target.in_llvm:
            function, arguments = function.plain, tuple(each.plain for each in arguments)
        names = ", ".join(map(self.operand, arguments))
        type = f"({', '.join(each.typed for each in arguments)}) -> {function.listed}"
        if target is not None:
            variadic = f" vararg({target.type})" if target.is_variadic else ""
            return f"{'llvm' if target.in_llvm else 'func'}.call {target.name}({names}){variadic} : {type}"
        if not function.text.startswith("@llvm."):
            return f"llvm.call {self.operand(function._replace(type=POINTER))}({names}) : {POINTER}, {type}"
        name = symbol(function.text)
        return "" if name.startswith("llvm.lifetime.") else f'llvm.call_intrinsic "{name}"({names}) : {type}'
