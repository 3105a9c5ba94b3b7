"""Instructions that compute values of their operands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from cpsconv.core.ir import Undef
from cpsconv.core.operations.types import zero
from cpsconv.languages.arithmetic import BINARY, CASTS, COMPARISONS, Compute, Maker
from cpsconv.languages.llvm.lowering import hint
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.calls import RELAXED_FLAGS
from cpsconv.languages.llvm.ours.object_types import Inexpressible, scalar
from cpsconv.languages.llvm.ours.operands import Handler, elementwise, instruction_of, operand_of
from cpsconv.languages.llvm.types import first_type, text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


def _computed(
    function: FunctionLowering, line: Line, compute: Compute, texts: Iterable[str], is_strict: bool = True
) -> Any:
    """An instruction that computes a value of its operands."""
    type = text_of(line.form.type)
    return function.elementwise(compute, function.operands(line, texts), type or "", is_strict)


def _of_pair(function: FunctionLowering, line: Line, compute: Compute) -> Any:
    """An instruction of two operands of one type, ``i32 %, 3``."""
    left, right, *_ = instruction_of(line.text).parts
    return _computed(function, line, compute, [left, f"{first_type(left)} {right}"])


def _binary(function: FunctionLowering, line: Line) -> Any:
    if not RELAXED_FLAGS.isdisjoint(instruction_of(line.text).words):
        raise Inexpressible(f"`{line.op}` with flags that change its result")
    return _of_pair(function, line, BINARY[line.op])


def _compared(function: FunctionLowering, line: Line) -> Any:
    return _of_pair(function, line, COMPARISONS[line.op][instruction_of(line.text).words[-1]])


def _cast(function: FunctionLowering, line: Line) -> Any:
    source, _, target = line.text.rpartition(" to ")
    type = scalar(function.items.types.leaves(first_type(target))[0], "a value")
    compute = CASTS[line.op]
    return _computed(function, line, lambda make, x: compute(make, type, x), instruction_of(source).parts)


def _same_bits(function: FunctionLowering, line: Line) -> Any:
    """``bitcast``: the value of another type whose representation in memory is the same."""
    source, _, target = line.text.rpartition(" to ")
    [part], type = instruction_of(source).parts, first_type(target)
    given, [value] = operand_of(part).type, function.operands(line, [part])
    return value if given == type else function.memory.same_bits(given, type, value)


def _fneg(function: FunctionLowering, line: Line) -> Any:
    return _computed(function, line, lambda make, x: make("neg", x), instruction_of(line.text).parts)


def _freeze(function: FunctionLowering, line: Line) -> Any:
    values = function.operands(line, instruction_of(line.text).parts)
    return elementwise(lambda value: zero(value.type) if isinstance(value, Undef) else value, values)


def _select(function: FunctionLowering, line: Line) -> Any:
    compute = partial(Maker.either, name=hint(line.result or ""))
    return _computed(function, line, compute, instruction_of(line.text).parts[:3], is_strict=False)


COMPUTATIONS: dict[str, Handler] = {
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(["icmp", "fcmp"], _compared),
    "fneg": _fneg,
    "freeze": _freeze,
    "select": _select,
    "bitcast": _same_bits,
}
"""The instructions that compute."""
