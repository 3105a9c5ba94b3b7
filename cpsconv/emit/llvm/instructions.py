"""Primitives and effects as instructions: one for each, apart from what prepares its operands."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cpsconv.emit.llvm.helpers import resizing
from cpsconv.emit.llvm.support import Support
from cpsconv.emit.llvm.values import Operand
from cpsconv.emit.llvm.vocabulary import POINTER, type_word
from cpsconv.ir import DOUBLE, Constant, Effect, Primitive, Scalar, Statement
from cpsconv.operations.formats import slots
from cpsconv.operations.table import CONVERT

Fresh = Callable[[str], str]
"""Makes a new name, with its ``%``, from a hint."""

_SAME = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
_DIVISIONS = {"/": "divide", "%": "remainder"}
_FLOATING = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Instructions:
    """Writes the instructions for statements, in one function."""

    def __init__(self, support: Support, fresh: Fresh) -> None:
        self.support = support
        self.fresh = fresh

    def of(self, statement: Statement, operands: list[Operand], name: str) -> Iterator[str]:
        """The instructions for a statement on operands that are defined. The last one gives `name` its value."""
        if isinstance(statement, Effect):
            yield from self._effect(statement, operands, name)
        elif statement.op == CONVERT:
            yield f"{name} = {self._conversion(operands[0], statement.type)}"
        elif statement.op in ("<<", ">>"):
            yield from self._shift(statement, operands, name)
        else:
            yield f"{name} = {self._operation(statement, operands)}"

    # ----------------------------------------------------------------------------------------------------- primitives

    def _operation(self, primitive: Primitive, operands: list[Operand]) -> str:
        op, first = primitive.op, operands[0]
        if op in _COMPARISONS:
            return f"{_comparison(op, first.type)} {first}, {operands[1].text}"
        if first.type.kind == "float":
            return self._on_floats(op, operands)
        if op in _DIVISIONS:
            helper, place = self.support.helper(_DIVISIONS[op], first.type), self.support.place(primitive.span)
            return f"call {type_word(first.type)} {helper}({first}, {operands[1]}, {POINTER} {place})"
        if op in _SAME:
            return f"{_SAME[op]} {first}, {operands[1].text}"
        return self._unary(op, first)

    def _on_floats(self, op: str, operands: list[Operand]) -> str:
        first = operands[0]
        word = type_word(first.type)
        if op == "neg":
            return f"fneg {first}"
        if op == "abs":
            return f"call {word} {self.support.outside(f'llvm.fabs.f{first.type.bits}')}({first})"
        return f"call {word} {self.support.helper(_FLOATING[op], first.type)}({first}, {operands[1]})"

    def _unary(self, op: str, operand: Operand) -> str:
        word = type_word(operand.type)
        if op == "neg":
            return f"sub {word} 0, {operand.text}"
        if op == "~":
            return f"xor {operand}, -1"
        if op == "!":
            return f"xor {operand}, true"
        if not operand.type.signed:
            return _copy(operand)  # it is its absolute value
        return f"call {word} {self.support.outside(f'llvm.abs.i{operand.type.bits}')}({operand}, i1 false)"

    def _shift(self, primitive: Primitive, operands: list[Operand], name: str) -> Iterator[str]:
        """The count is taken modulo the width."""
        value, count = operands
        bits = value.type.bits
        masked = self.fresh("count")
        if isinstance(primitive.operands[1], Constant):
            masked = str(int(primitive.operands[1].value) % bits)
        else:
            sized = self.fresh("sized")
            yield f"{sized} = {resizing(count.type, value.type)} {count} to {type_word(value.type)}"
            yield f"{masked} = and {type_word(value.type)} {sized}, {bits - 1}"
        instruction = "shl" if primitive.op == "<<" else "ashr" if value.type.signed else "lshr"
        yield f"{name} = {instruction} {value}, {masked}"

    def _conversion(self, operand: Operand, target: Scalar) -> str:
        source, word = operand.type, type_word(target)
        if source is target:
            return _copy(operand)
        if target.kind == "bool":
            return f"fcmp une {operand}, 0.0" if source.kind == "float" else f"icmp ne {operand}, 0"
        if source.kind == "float" and target.kind == "integer":
            return f"call {word} {self.support.helper('convert', source, target)}({operand})"
        if source.kind == "float":
            return f"{'fpext' if target is DOUBLE else 'fptrunc'} {operand} to {word}"
        if target.kind == "float":
            return f"{'sitofp' if source.signed else 'uitofp'} {operand} to {word}"
        return f"{resizing(source, target)} {operand} to {word}"

    # -------------------------------------------------------------------------------------------------------- effects

    def _effect(self, effect: Effect, operands: list[Operand], name: str) -> Iterator[str]:
        if effect.op == "printf":
            yield from self._printf(effect, operands, name)
        elif effect.op == "eprint":
            yield f"call void {self.support.helper('eprint')}({operands[0]})"
        else:
            yield f"{name} = call i32 {self.support.outside(effect.op)}({operands[0]})"

    def _printf(self, effect: Effect, operands: list[Operand], name: str) -> Iterator[str]:
        """Arguments of other sizes than the format has for them are converted; superfluous ones are left out."""
        format = effect.operands[0]
        assert isinstance(format, Constant) and isinstance(format.value, str)
        passed = [str(operands[0])]
        for slot, operand in zip(slots(format.value), operands[1:], strict=False):
            if type_word(slot.type) != type_word(operand.type):
                sized = self.fresh("sized")
                yield f"{sized} = {self._conversion(operand, slot.type)}"
                operand = Operand(slot.type, sized)
            passed.append(str(operand))
        yield f"{name} = call i32 (i8*, ...) {self.support.outside('printf')}({', '.join(passed)})"


def _comparison(op: str, type: Scalar) -> str:
    word = _COMPARISONS[op]
    if type.kind == "float":
        return f"fcmp {'une' if op == '!=' else f'o{word}'}"
    sign = "" if op in ("==", "!=") else "s" if type.signed else "u"
    return f"icmp {sign}{word}"


def _copy(operand: Operand) -> str:
    """An instruction that does nothing but give a value one more name."""
    return f"bitcast {operand} to {type_word(operand.type)}"
