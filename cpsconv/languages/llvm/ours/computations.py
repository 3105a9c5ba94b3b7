"""Instructions that compute values of their operands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from cpsconv.core.ir import Undef
from cpsconv.core.operations.types import zero
from cpsconv.languages.llvm.lowering import hint
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.arithmetic import BINARY, CASTS, COMPARISONS, RELAXED_FLAGS, Compute, Maker
from cpsconv.languages.llvm.ours.object_types import Inexpressible, scalar
from cpsconv.languages.llvm.ours.operands import elementwise, instruction_of, operand_of
from cpsconv.languages.llvm.types import first_type, text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


class Computations:
    """The instructions of one function, by `handlers`, from a line to the value."""

    def __init__(self, function: FunctionLowering) -> None:
        self.function, self.make, self.items, self.memory = function, function.make, function.items, function.memory
        self.handlers: dict[str, Callable[[Line], Any]] = {
            **dict.fromkeys(BINARY, self._binary),
            **dict.fromkeys(CASTS, self._cast),
            **dict.fromkeys(["icmp", "fcmp"], self._compared),
            "fneg": self._fneg,
            "freeze": self._freeze,
            "select": self._select,
            "bitcast": self._same_bits,
        }

    def _computed(self, line: Line, compute: Compute, texts: Iterable[str], is_strict: bool = True) -> Any:
        """An instruction that computes a value of its operands."""
        type = text_of(self.function.types.type_of(line.op, line.text))
        return self.function.elementwise(compute, self.function.operands(line, texts), type or "", is_strict)

    def _of_pair(self, line: Line, compute: Compute) -> Any:
        """An instruction of two operands of one type, ``i32 %, 3``."""
        left, right, *_ = instruction_of(line.text).parts
        return self._computed(line, compute, [left, f"{first_type(left)} {right}"])

    def _binary(self, line: Line) -> Any:
        if not RELAXED_FLAGS.isdisjoint(instruction_of(line.text).words):
            raise Inexpressible(f"`{line.op}` with flags that change its result")
        return self._of_pair(line, BINARY[line.op])

    def _compared(self, line: Line) -> Any:
        return self._of_pair(line, COMPARISONS[f"{line.op} {instruction_of(line.text).words[-1]}"])

    def _cast(self, line: Line) -> Any:
        source, _, target = line.text.rpartition(" to ")
        type = scalar(self.items.types.leaves(first_type(target))[0], "a value")
        compute = CASTS[line.op]
        return self._computed(line, lambda make, x: compute(make, type, x), instruction_of(source).parts)

    def _same_bits(self, line: Line) -> Any:
        """``bitcast``: the value of another type whose representation in memory is the same."""
        source, _, target = line.text.rpartition(" to ")
        [part], type = instruction_of(source).parts, first_type(target)
        given, [value] = operand_of(part).type, self.function.operands(line, [part])
        return value if given == type else self.memory.same_bits(given, type, value)

    def _fneg(self, line: Line) -> Any:
        return self._computed(line, lambda make, x: make("neg", x), instruction_of(line.text).parts)

    def _freeze(self, line: Line) -> Any:
        values = self.function.operands(line, instruction_of(line.text).parts)
        return elementwise(lambda value: zero(value.type) if isinstance(value, Undef) else value, values)

    def _select(self, line: Line) -> Any:
        compute = partial(Maker.either, name=hint(line.result or ""))
        return self._computed(line, compute, instruction_of(line.text).parts[:3], is_strict=False)
