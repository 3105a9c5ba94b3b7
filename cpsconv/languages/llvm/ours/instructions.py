"""Instructions that compute values, access objects in memory, and have parts of structs, arrays and vectors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from cpsconv.abi.attributes import ON_STACK
from cpsconv.core.ir import Constant, Undef, Value
from cpsconv.core.operations.types import zero
from cpsconv.languages.arithmetic import BINARY, CASTS, COMPARISONS, EXTREMES, Compute, Maker
from cpsconv.languages.formulas import FLOATING_EXTREMES, Number, computed
from cpsconv.languages.llvm.lowering import hint
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.integer_intrinsics import saturating
from cpsconv.languages.llvm.ours.object_types import Aggregate, Inexpressible, alignment_of, scalars_of
from cpsconv.languages.llvm.ours.operands import RELAXED_FLAGS, instruction_of, stated_alignment
from cpsconv.languages.llvm.types import first_type, parts_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering

Handler = Callable[["FunctionLowering", Line, "list[Any]"], Any]
"""The function from the lowering of a function, an instruction or call, and its operands, to its result."""


def by_elements(compute: Callable[..., Any], *, of_type: bool = False) -> Handler:
    """An instruction that computes a scalar, or each element of a vector from those of its operands.

    The computation may take the type of its result before the operands.
    """

    def handler(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
        type = function.types.scalars(function.result_of(line))[:of_type]
        return function.elementwise(lambda make, *row: compute(make, *type, *row), values, line)

    return handler


# -------------------------------------------------------------------------------------------------------- computations


def _binary(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    if not RELAXED_FLAGS.isdisjoint(instruction_of(line.text).words):
        raise Inexpressible(f"`{line.op}` with flags that change its result")
    return function.elementwise(BINARY[line.op], values, line)


def _compared(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    return function.elementwise(COMPARISONS[line.op][instruction_of(line.text).words[-1]], values, line)


def _same_bits(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    """``bitcast``: the value of another type whose representation in memory is the same."""
    given, type = instruction_of(line.text).operands[0].type, function.result_of(line)
    if line.names and line.names[0] in function.objects:
        function.objects[line.result or ""] = function.objects[line.names[0]]
    return values[0] if given == type else function.memory.same_bits(given, type, values[0])


def _freeze(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    scalars = [zero(each.type) if isinstance(each, Undef) else each for each in scalars_of(values[0])]
    return function.types.value(function.result_of(line), scalars)


def _select(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    compute = partial(Maker.either, name=hint(line.result or ""))
    return function.elementwise(compute, values, line, is_strict=False)


# ------------------------------------------------------------------------------------------------------------ accesses


def _allocate(function: FunctionLowering, line: Line, counts: list[Any]) -> Value:
    """An allocation, with the name of the variable at its address."""
    name, memory = line.result or "", function.memory
    type, function.make.span = function.types.of(first_type(line.text)), function.records.get(name, line)
    alignment = alignment_of(type, stated_alignment(parts_of(line.text)))
    variable = function.debug.variable_name(function.described.get(name, [""])[0]) or hint(name)
    if all(isinstance(each, Constant) for each in counts) and name in function.objects:
        return memory.allocate(variable, type, alignment, counts)
    memory.allocate(variable, type, alignment, counts, attributes={ON_STACK: True})
    return memory.allocated.pop()  # it exists until the function returns


def _loaded(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    """A load. Bytes may be unwritten of a value that need not be whole or is frozen, of an object of another type, and
    of a value that is less aligned than its type, by which compilers copy a struct.
    """
    type = function.result_of(line)
    is_converted = bool(line.names) and function.objects.get(line.names[0], type) != type
    is_joined = 0 < stated_alignment(parts_of(line.text)) < function.types.of(type).alignment
    is_part = is_converted or is_joined or line.result in function.masked | function.frozen
    return function.memory.load(type, values[0], is_part=is_part)


UPDATES: dict[str, Compute] = {
    **BINARY,
    "xchg": lambda make, old, new: new,
    "nand": lambda make, old, new: make("^", make("&", old, new), Constant(old.type, -1)),
    **{name.removeprefix("s"): compute for name, compute in EXTREMES.items()},
    **{f"f{name}": computed(FLOATING_EXTREMES[f"{name}num"]) for name in ("max", "min")},
    "usub_sat": computed(saturating("usub")),
}
"""What ``atomicrmw`` stores."""


def _changed_atomically(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    """``atomicrmw``: the old value in memory, which an operation replaces."""
    word, type, (pointer, value) = instruction_of(line.text).words[-1], function.result_of(line), values
    function.require_scalars([value])
    if word not in UPDATES:
        raise Inexpressible(f"`atomicrmw {word}`")
    old = function.memory.load(type, pointer)
    function.memory.store(type, UPDATES[word](function.make, old, value), pointer)
    return old


def _exchanged(function: FunctionLowering, line: Line, values: list[Any]) -> Aggregate:
    """``cmpxchg``: the old value in memory, and whether it was the expected one and has been replaced."""
    type, (pointer, compared, value) = instruction_of(line.text).operands[1].type, values
    old = function.memory.load(type, pointer)
    is_equal = function.make("==", old, compared)
    function.memory.store(type, function.make.either(is_equal, value, old), pointer)
    return Aggregate(function.result_of(line), [old, is_equal])


def _element(function: FunctionLowering, line: Line, values: list[Any]) -> Value:
    function.require_scalars(values)
    address, type = function.memory.element(first_type(line.text), values[0], values[1:])
    if line.names and line.names[0] in function.objects:
        function.objects[line.result or ""] = type
    return address


# --------------------------------------------------------------------------------------------------------------- parts


def _extracted(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    scalars = _scalars_in(values[0])
    type, place = function.types.part(values[0].type, instruction_of(line.text).indices)
    return function.types.value(type, scalars[place])


def _inserted(function: FunctionLowering, line: Line, values: list[Any]) -> Aggregate:
    whole, value = values
    scalars = [*_scalars_in(whole)]
    _, place = function.types.part(whole.type, instruction_of(line.text).indices)
    scalars[place] = scalars_of(value)
    return Aggregate(whole.type, scalars)


def _element_extracted(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    *others, element = _scalars_in(values[0])
    for number, each in reversed([*enumerate(others)]):
        element = _at_index(function, values[1], number, each, element)
    return element


def _element_inserted(function: FunctionLowering, line: Line, values: list[Any]) -> Aggregate:
    vector, value, index = values
    listed = enumerate(_scalars_in(vector))
    return Aggregate(vector.type, [_at_index(function, index, number, value, each) for number, each in listed])


def _at_index(function: FunctionLowering, index: Any, number: int, one: Value, other: Value) -> Value:
    """One value if the index is this number, else the other."""
    if isinstance(index, Constant):
        return one if index.value == number else other
    function.require_scalars([index, one, other])
    return function.make.either((Number(function.make, index) == number).value, one, other)


def _shuffled(function: FunctionLowering, line: Line, values: list[Any]) -> Aggregate:
    one, other, mask = map(_scalars_in, values)
    elements: list[Any] = [*one, *other]
    chosen = [
        elements[int(each.value)] if isinstance(each, Constant) else Undef(elements[0].type, "mask") for each in mask
    ]
    return Aggregate(function.result_of(line), chosen)


def _scalars_in(value: Any) -> list[Value]:
    """The scalars in an aggregate."""
    if not isinstance(value, Aggregate):
        raise Inexpressible("a part of an aggregate that stays foreign")
    return value.scalars


INSTRUCTIONS: dict[str, Handler] = {
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(COMPARISONS, _compared),
    **{name: by_elements(compute, of_type=True) for name, compute in CASTS.items()},
    "fneg": by_elements(lambda make, x: make("neg", x)),
    "freeze": _freeze,
    "select": _select,
    "bitcast": _same_bits,
    "alloca": _allocate,
    "load": _loaded,
    "store": lambda function, line, values: function.memory.store(first_type(line.text), *values),
    "atomicrmw": _changed_atomically,
    "cmpxchg": _exchanged,
    "fence": lambda function, line, values: None,
    "getelementptr": _element,
    "extractvalue": _extracted,
    "insertvalue": _inserted,
    "extractelement": _element_extracted,
    "insertelement": _element_inserted,
    "shufflevector": _shuffled,
}
"""The instructions that operations of the program may express, but for calls."""
