"""The definitions of a program with memory in functional languages: types, fields, data, functions with addresses.

Each operation on memory is a call of the prelude, as in the CPS text: ``load(int, p)``, ``field(point_x, p)``. Types,
and the offsets of fields, are constants of the emitted program, which have names. Runtime errors name variables and
lines, so allocations and deallocations pass them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, Union

from cpsconv.abi.prototypes import require_provided
from cpsconv.core import ir
from cpsconv.core.analysis.graph import functions_used
from cpsconv.core.entry import require_no_external_data
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.operations.table import ALLOCATE, LOAD, LOAD_OR, OPERATIONS, STORE
from cpsconv.core.source import Span
from cpsconv.core.text.spelling import in_ascii
from cpsconv.targets.functional.printing import Printing

Term = TypeVar("Term")

Static = Union[ir.ObjectType, ir.Field]
"""A static operand, which is a constant of the emitted program."""

Fact = Union[str, int, None]
"""A name, a line, or a count; None if there is none."""

CALLS = [op for op, row in OPERATIONS.items() if row.is_on_memory]
"""The operations that are calls of the prelude, by the same names."""


class MemoryCall(NamedTuple):
    """The arguments of an operation on memory beside its operands: the static one first, the `facts` last.

    `is_single` says whether the operation is an allocation without the number of elements.
    """

    static: Static | None
    is_single: bool
    facts: Sequence[Fact]


def memory_call(statement: ir.Statement) -> MemoryCall:
    """The arguments of an operation on memory."""
    op, line = statement.op, line_of(statement.span)
    if op in (LOAD, LOAD_OR):
        assert isinstance(statement.type, ir.Scalar)
        return MemoryCall(statement.type, False, ())
    if op == STORE:
        stored = statement.operands[0].type
        assert isinstance(stored, ir.Scalar)
        return MemoryCall(stored, False, ())
    if op == ALLOCATE:
        return MemoryCall(ir.object_type_of(statement), not statement.operands, (statement.name, line))
    assert not isinstance(statement.of, ir.Foreign)
    return MemoryCall(statement.of, False, () if statement.of is not None else (line,))


def line_of(span: Span | None) -> int | None:
    """The line of a location, if there is one."""
    return span.line_of_file if span else None


@dataclass(frozen=True)
class MemoryPlan:
    """The definitions of a program with memory, besides functions.

    `types` and `fields` are those that its operations name. `data` and `functions`, those with addresses, are in the
    order of their object numbers, which is that of the evaluator.
    """

    types: Sequence[ir.ObjectType]
    fields: Sequence[ir.Field]
    data: Sequence[ir.Data]
    functions: Sequence[ir.Function]

    def names(self) -> dict[object, str]:
        """Hints for the names of types, fields and data."""
        names: dict[object, str] = {each: each.name for each in self.data}
        names.update((each, str(each).replace("[", "_").replace("]", "")) for each in self.types)
        names.update((each, f"{each.struct.name}_{each.name}") for each in self.fields)
        return names


EMPTY = MemoryPlan((), (), (), ())


def memory_plan(program: ir.Program, provider: str) -> MemoryPlan:
    """The plan of a program. Raises `DiagnosticError`, which names the `provider`, if it lacks an external item."""
    require_no_external_data(program, provider)
    statements = [*program.statements()]
    static = [memory_call(each).static for each in statements if each.op in CALLS]
    static += [element_of(each)[0] for each in program.data]
    static += [field.struct for field in static if isinstance(field, ir.Field)]
    fields = [each for each in dict.fromkeys(static) if isinstance(each, ir.Field)]
    types = [each for each in dict.fromkeys(static) if each is not None and not isinstance(each, ir.Field)]
    with_address = [*dict.fromkeys(_with_address(program, statements))]
    used = {*with_address, *(each for function in program.functions for each in functions_used(function))}
    for each in program.externals:
        if each in used:
            require_provided(each, provider)
    return MemoryPlan(types, fields, program.data, with_address)


def _with_address(program: ir.Program, statements: Sequence[ir.Statement]) -> Iterator[ir.Function]:
    for data in program.data:
        yield from (target for target, _ in data.addresses.values() if isinstance(target, ir.Function))
    for each in statements:
        yield from (operand for operand in each.operands if isinstance(operand, ir.Function))


@dataclass(frozen=True)
class Definitions(Generic[Term]):
    """The definitions of a `MemoryPlan` in a language: `type` is the value of a type, `list` a list of constants."""

    printing: Printing[Term]
    type: Callable[[ir.ObjectType], Term]
    list: Callable[[Sequence[Term]], Term]

    def __call__(self, plan: MemoryPlan, names: Mapping[Any, str]) -> Iterator[tuple[str, Term]]:
        """Each name with its value; without a name, a call of the prelude: ``int``: ``Type("int", 4, …)``."""
        name, fact, call = self.printing.name, self.printing.fact, self.printing.call
        for type in plan.types:
            yield names[type], self.type(type)
        for field in plan.fields:
            yield names[field], fact(field.offset)
        for data in plan.data:
            element, count = element_of(data)
            facts = [*map(fact, [count, data.shown_name, line_of(data.span)])]
            ends = [end for each in data.constant_bytes for end in (each.start, each.stop)]
            constant = self.list([*map(fact, ends)])
            yield names[data], call(("data",), [name(names[element]), *facts, self._content(data), constant])
        for function in plan.functions:
            facts = [*map(fact, [signature_of(function.type), function.name, line_of(function.span)])]
            yield "", call(("define", "function"), [name(names[function]), *facts])
        for data in plan.data:
            for offset, (target, distance) in data.addresses.items():
                pointer = name(names[target])
                if isinstance(target, ir.Function):
                    pointer = call(("address", "of"), [pointer])
                if distance:
                    pointer = call(("moved",), [pointer, fact(distance)])
                yield "", call(("set", "pointer"), [name(names[data]), fact(offset), pointer])

    def _content(self, data: ir.Data) -> Term:
        content, literal = content_of(data), self.printing.literal
        return literal(content) if isinstance(content, ir.Constant) else self.list([*map(literal, content)])


def element_of(data: ir.Data) -> tuple[ir.ObjectType, int | None]:
    """The type of the elements of data, and their number; None for a single one."""
    type = data.object_type
    return (type.element, type.length) if isinstance(type, ir.Array) else (type, None)


def content_of(data: ir.Data) -> ir.Constant | Sequence[ir.Constant]:
    """The content of data: numbers, or the bytes as characters. Zeros at the end are omitted."""
    element, _ = element_of(data)
    content = data.content.rstrip(b"\0")
    if isinstance(element, ir.Scalar) and element is not ir.PTR and element.size > 1:
        whole = content.ljust(-(-len(content) // element.size) * element.size, b"\0")
        values = [value for (value,) in format_of(element).iter_unpack(whole)]
        if all(value == value for value in values):  # the bits of a NaN matter
            return [ir.Constant(element, value) for value in values]
    return ir.Constant(ir.STRING, content.decode("latin-1"))


def signature_of(type: ir.Type) -> str:
    """The type of a function as the emitted program states it."""
    return in_ascii(str(type))
