"""The operations whose results are equal in all engines and languages, to the last digit, and programs with them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice, product

from cpsconv.core import ir
from cpsconv.core.operations.completeness import primitives_on
from cpsconv.core.operations.semantics import fold, normalised
from cpsconv.core.operations.table import CONVERT, PRIMITIVES
from cpsconv.core.operations.types import range_of

EXACT_FUNCTIONS = frozenset(["sqrt", "floor", "ceil", "trunc", "round", "copysign", "fmod"])
"""The functions of <math.h> that are exact, or rounded correctly, in every language. (tests/test_mathematics.py)"""

EXACT = [op for op, row in PRIMITIVES.items() if row.kind != "mathematics" or op in EXACT_FUNCTIONS]
"""The primitives of this kind."""

REAL = [0.0, -0.0, 0.5, -1.75, 3.0, 300.7, 1e10, -3e9, 9.3e18, 1.7e19, 2.0**64, 1e39, 5e-324, 3.4028235677973366e38]
REAL += [math.inf, -math.inf]


def exact_primitives(types: Sequence[ir.Scalar]) -> Iterator[ir.Primitive]:
    """Every exact primitive on parameters of all these types that it takes."""
    return (each for each in primitives_on(types, types) if each.op in EXACT)


def edge_values(type: ir.Scalar) -> list[ir.Constant]:
    """The constants at and around the bounds of a type, and some between."""
    low, high = range_of(type) if type.kind == "integer" else (0, 1)
    whole = [0, 1, 2, 7, -1, -3, 31, 33, 64, low, low + 1, high - 1, high, high // 2 + 1, 2**24 + 1, 2**53 + 1]
    values = [normalised(type, value) for value in (REAL if type.kind == "float" else whole)]
    return [ir.Constant(type, value) for value in {repr(value): value for value in values}.values()]


def applications(
    form: ir.Primitive,
    source: random.Random,
    count: int,
    values: Callable[[ir.Scalar], Sequence[ir.Constant]] = edge_values,
) -> list[ir.Primitive]:
    """The primitive on `count` tuples of values, in random order, without those that trap.

    First comes one with a result of each kind: negative, or so large that a signed type would make it negative.
    """
    tuples = [*product(*(values(each.type) for each in form.operands if isinstance(each.type, ir.Scalar)))]
    kinds: dict[object, ir.Primitive] = {}
    others = []
    for operands in source.sample(tuples, len(tuples)):
        applied = ir.Primitive(form.op, operands, form.type)
        result = fold(applied)
        if result is not None and kinds.setdefault(_kind(result), applied) is not applied:
            others.append(applied)
    return [*kinds.values(), *others][:count]


def _kind(result: ir.Constant) -> object:
    value, type = result.value, result.type
    if isinstance(value, float):
        return math.isfinite(value)
    return (value < 0, value.bit_length() >= type.bits) if isinstance(value, int) and type is not ir.BOOL else value


def compositions(
    inner: Iterable[ir.Primitive], forms: Iterable[ir.Primitive], source: random.Random
) -> Iterator[ir.Primitive]:
    """Each primitive on constants as an operand of another one, of all operations and their operands in turn."""
    uses: dict[ir.Type, dict[tuple[str, int], list[ir.Primitive]]] = {}
    for form in forms:
        for place, operand in enumerate(form.operands):
            uses.setdefault(operand.type, {}).setdefault((form.op, place), []).append(form)
    turns = {type: cycle(source.sample([*each.items()], len(each))) for type, each in uses.items()}
    for primitive in inner:
        for (op, place), choice in islice(turns[primitive.type], 5):  # some trap
            form = source.choice(choice)
            types = [each.type for each in form.operands if isinstance(each.type, ir.Scalar)]
            operands: list[ir.Value] = [source.choice(edge_values(type)) for type in types]
            folded = [fold(primitive) if index == place else each for index, each in enumerate(operands)]
            if fold(ir.Primitive(op, tuple(filter(None, folded)), form.type)) is not None:
                operands[place] = ir.Primitive(primitive.op, primitive.operands, primitive.type)
                yield ir.Primitive(op, tuple(operands), form.type)
                break


def shown(value: ir.Value) -> tuple[str, list[ir.Value]]:
    """A format and arguments that print a value exactly."""
    assert isinstance(value.type, ir.Scalar)
    if value.type in ir.WIDE_INTEGERS:
        upper = ir.Primitive(">>", (value, ir.Constant(ir.INT, 64)), value.type)
        return "%ld %ld", [ir.Primitive(CONVERT, (each,), ir.LONG) for each in (upper, value)]
    format, promoted = ("%a", ir.DOUBLE) if value.type.kind == "float" else ("%ld", ir.LONG)
    return format, [value if value.type is promoted else ir.Primitive(CONVERT, (value,), promoted)]


def parts(value: ir.Value) -> Iterator[ir.Primitive]:
    """The primitives that compute a value, in order."""
    if isinstance(value, ir.Primitive):
        yield from (part for operand in value.operands for part in parts(operand))
        yield value


def program_of_operations(
    types: Sequence[ir.Scalar], choose: Callable[[ir.Primitive], bool], source: random.Random, count: int
) -> ir.Program:
    """A program that prints the results of the chosen primitives, each for up to `count` tuples of edge values.

    A function computes each primitive, from its parameters. Primitives that trap are omitted.
    """
    main = ir.Function("main", [ir.Parameter(ir.ContinuationType((ir.INT,)), "ret")])
    program = ir.Program([main])
    last: ir.Continuation = main  # it calls the next function
    for primitive in filter(choose, exact_primitives(types)):
        ret = ir.Parameter(ir.ContinuationType((primitive.type,)), "ret")
        given = [each for each in primitive.operands if isinstance(each, ir.Parameter)]
        name, returned = f"f{len(program.functions)}", ir.Jump(ir.Edge(ret, [primitive]))
        function = ir.Function(name, [*given, ret], [primitive], returned)
        program.functions.append(function)
        for operands in (each.operands for each in applications(primitive, source, count)):
            result = ir.Parameter(primitive.type, "v")
            following = ir.Continuation(f"k{len(main.continuations)}", [result])
            last.transfer = ir.Call(function, [*operands], ir.Edge(following))
            format, printed = shown(result)
            title = f"{primitive.op} {primitive.type} {[each.value for each in operands]}".replace("%", "%%")
            text = ir.Constant(ir.STRING, f"{title}: {format}\n")
            following.body += dict.fromkeys(part for value in printed for part in parts(value))
            following.body.append(ir.Effect("printf", (text, *printed), ir.INT))
            main.continuations.append(following)
            last = following
    last.transfer = ir.Jump(ir.Edge(main.parameters[0], [ir.Constant(ir.INT, 0)]))
    return program
