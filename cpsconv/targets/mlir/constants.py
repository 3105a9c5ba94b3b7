"""The constants of functions and data."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from itertools import chain, count

from cpsconv.targets.mlir.forms import written
from cpsconv.targets.mlir.llvm_text import POINTER, Instruction, Operand, Tokens, reference


class Constants:
    """The constants of a function or of the content of data: each is created once, by one of the `lines`.

    In the dialect `llvm` only, a constant of data is made; elsewhere in `arith`, too.
    """

    def __init__(self, structs: Mapping[str, str], *, in_llvm: bool = False) -> None:
        self.structs, self.in_llvm = structs, in_llvm
        self.lines: list[str] = []
        self._taken: set[str] = set()
        self._names: dict[str, str] = {}

    def name(self, hint: str) -> str:
        """A new name for a value, with its sign."""
        plain = re.sub(r"[^\w$.-]", "_", hint, flags=re.ASCII)
        plain = plain if plain.isdigit() or not plain[:1].isdigit() else f"_{plain}"
        names = chain([plain], (f"{plain}_{number}" for number in count(1)))
        name = next(name for name in names if name not in self._taken)
        self._taken.add(name)
        return f"%{name}"

    def made(self, hint: str, operation: str) -> str:
        """The name of the result of an operation without effects on constants."""
        if operation not in self._names:
            self._names[operation] = self.name(hint)
            self.lines.append(f"{self._names[operation]} = {operation}")
        return self._names[operation]

    def constant(self, each: Operand) -> str:
        """The name of the constant that an operand is; an index, or a type, stays as it is."""
        type, text = each.type, each.text
        if not (type and text):
            return text
        if text.startswith("@"):
            return self.made("address", f"llvm.mlir.addressof {reference(text)} : {POINTER}")
        if text in ("null", "zeroinitializer", "undef"):
            kind = "undef" if text == "undef" else "zero"
            return self.made(text, f"llvm.mlir.{kind} : {type}")
        if text.endswith(")"):
            return self._expression(Instruction(Tokens(text, self.structs)))
        if type == "f80":  # MLIR prints such a constant as a number of 64 bits
            bits = self.made("bits", f"llvm.mlir.constant({int(text[3:], 16)} : i80) : i80")
            return self.made("cst", f"llvm.bitcast {bits} : i80 to f80")
        literal = number(type, text)
        hint = literal if type == "i1" else f"c{text}_{type}" if re.fullmatch(r"-?\d+", text) else "cst"
        operation = f"llvm.mlir.constant({literal}) : {type}" if self.in_llvm else f"arith.constant {literal}"
        return self.made(hint, operation)

    def _expression(self, each: Instruction) -> str:
        if each.op != "getelementptr":
            return self.made("cst", written(each, self.constant))
        if {index.text for index in each.operands[2:]} == {"0"}:
            return self.constant(each.operands[1])
        return self.made("address", written(each, self.constant))


def number(type: str, text: str) -> str:
    """A number as an attribute of MLIR, with its type. Hexadecimal digits are the bits of the type."""
    if text.startswith("0x") and type == "f32":
        (value,) = struct.unpack(">d", bytes.fromhex(text[2:]))
        return f"0x{struct.pack('>f', value).hex().upper()} : f32"
    return text if text in ("true", "false") else f"{text} : {type}"
