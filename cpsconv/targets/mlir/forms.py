"""The forms in MLIR of the instructions, and of the constant expressions, that `llvm_text` reads."""

from __future__ import annotations

import re
from collections.abc import Callable

from cpsconv.abi.arith import CASTS, OF_TWO
from cpsconv.targets.mlir.llvm_text import LABEL, POINTER, VOID, Instruction, Operand

_FORMS = {
    **{name: f"arith.{ours} {{0}}, {{1}} : {{0.type}}" for name, ours in OF_TWO.items()},
    **{name: f"arith.{ours} {{0}} : {{0.type}} to {{1.type}}" for name, ours in CASTS.items()},
    **{name: f"llvm.{name} {{0}} : {{0.type}} to {{1.type}}" for name in ("ptrtoint", "inttoptr", "bitcast")},
    "icmp": "arith.cmpi {predicate}, {0}, {1} : {0.type}",
    f"icmp {POINTER}": 'llvm.icmp "{predicate}" {0}, {1} : {0.type}',
    "fcmp": "arith.cmpf {predicate}, {0}, {1} : {0.type}",
    "fneg": "arith.negf {0} : {0.type}",
    "select": "arith.select {0}, {1}, {2} : {1.type}",
    "load": f"llvm.load{{flags}} {{1}}{{alignment}} : {POINTER} -> {{0.type}}",
    "store": f"llvm.store{{flags}} {{0}}, {{1}}{{alignment}} : {{0.type}}, {POINTER}",
    "alloca": f"llvm.alloca {{1}} x {{0.type}}{{alignment}} : ({{1.type}}) -> {POINTER}",
    "extractvalue": "llvm.extractvalue {0}[{1}] : {0.type}",
    "insertvalue": "llvm.insertvalue {1}, {0}[{2}] : {0.type}",
    "br": "cf.cond_br {0}, {1}, {2}",
    f"br {LABEL}": "cf.br {0}",
    "ret": "return {0} : {0.type}",
    f"ret {VOID}": "return",
    "unreachable": "llvm.unreachable",
}
"""The forms of instructions by their names, perhaps with the type of the first operand."""


def written(each: Instruction, name: Callable[[Operand], str]) -> str:
    """An instruction in MLIR, without its result, and with these names of operands."""
    if each.op == "getelementptr":
        return _element(each, name)
    operands = [Operand(operand.type, name(operand)) for operand in each.operands]
    form = _FORMS.get(f"{each.op} {operands[0].type}" if operands else "") or _FORMS[each.op]
    return form.format(*operands, flags=each.flags, predicate=each.flags.strip(), alignment=each.alignment)


def _element(each: Instruction, name: Callable[[Operand], str]) -> str:
    """The address of an element. Small constants are no operands."""
    element, whole, *indices = each.operands
    passed = [index for index in indices if not re.fullmatch(r"-?\d{1,8}", index.text)]
    places = ", ".join(name(index) if index in passed else index.text for index in indices)
    types = ", ".join([POINTER, *(index.type for index in passed)])
    return f"llvm.getelementptr{each.flags} {name(whole)}[{places}] : ({types}) -> {POINTER}, {element.type}"
