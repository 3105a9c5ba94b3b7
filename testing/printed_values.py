"""Programs that print results of all operations, and values by all directives of `printf`, for functional targets."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cpsconv import Program
from cpsconv.abi.formats import slots
from cpsconv.core import ir
from cpsconv.core.operations.semantics import fold, normalised
from cpsconv.core.operations.types import is_data
from testing.effort import is_full
from testing.exact_operations import applications, compositions, edge_values, exact_primitives, parts
from testing.functional_targets import HASKELL, LACKING, NOT_EVERYWHERE, OCAML, Ended, Language
from testing.running import observe

INTEGERS = [0, 1, 2, 3, -1, -2, 7, 31, 33, 64, 100, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, -(2**63), 2**53 + 1]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 1e10, -3e9, 1.7e19, 9.3e18, 1e300, 5e-324, 1e-40, 3.4028235677973366e38]
INFINITE = [math.inf, -math.inf, math.nan, -math.nan]
VALUES: dict[str, list[Any]] = {"integer": INTEGERS, "float": [*FLOATS, *INFINITE], "bool": [False, True]}
STRINGS = ["", "abc", "cut\0off", 'a "quoted" \\ text\t', "\xe9\xff\x01"]


def constant(source: random.Random, type: ir.Scalar) -> ir.Constant:
    """A constant of the type, often an edge case."""
    if type is ir.STRING:
        return ir.Constant(ir.STRING, source.choice(STRINGS))
    if type.kind == "bool" or source.random() < 0.7:
        return ir.Constant(type, normalised(type, source.choice(VALUES[type.kind])))
    if type.kind == "integer":
        return ir.Constant(type, normalised(type, source.getrandbits(type.bits) >> source.randrange(type.bits)))
    return ir.Constant(type, normalised(type, source.uniform(-1, 1) * 10.0 ** source.randint(-45, 39)))


def every_operation(language: Language) -> list[ir.Primitive]:
    """Every exact primitive on all types, several times each, without those that trap.

    The result of each is an operand of another one, too, which shows a result that is wrapped wrongly or not at all.
    By default one application of each is printed, and another one is an operand.
    """
    source = random.Random(1)
    lacking = NOT_EVERYWHERE if language in (OCAML, HASKELL) else LACKING
    forms = [*exact_primitives([type for type in ir.SCALARS.values() if is_data(type) and type not in lacking])]

    def values(type: ir.Scalar) -> list[ir.Constant]:
        nans = [ir.Constant(type, each) for each in (math.nan, -math.nan) if type.kind == "float"]
        return [*edge_values(type), *nans, constant(source, type)]

    if is_full():
        alone = within = [each for form in forms for each in applications(form, source, 7, values)]
    else:
        applied = [found for form in forms if (found := applications(form, source, 2, values))]
        alone, within = [each[0] for each in applied], [each[-1] for each in applied]
    return [*alone, *compositions(within, forms, source)]


def every_directive() -> Iterator[tuple[str, list[ir.Value]]]:
    """Directives of all kinds with their arguments."""
    source = random.Random(2)
    for conversion in "diuoxXfFeEgGaAcs" * (40 if is_full() else 12):
        lengths = {"f": ["", "l"], "c": [""]}.get(conversion.lower() if conversion in "fFeEgGaA" else "c", [""])
        if conversion in "diuoxX":
            lengths = ["", "hh", "h", "l", "ll", "j", "z", "t"]
        flags = "".join(source.sample("-+ #0", source.randint(0, 3)))
        width = source.choice(["", "", str(source.randint(1, 30)), "*"])
        precision = source.choice(["", "", ".", f".{source.randint(0, 25)}", ".*"])
        format = f"%{flags}{width}{precision}{source.choice(lengths)}{conversion}"
        types = [(each.shown, each.type) for each in slots(format) if each.type]
        yield format, [constant(source, type) if shown != "*" else star(source) for shown, type in types]


def star(source: random.Random) -> ir.Constant:
    return ir.Constant(ir.INT, source.randint(-20, 20))


LINES = 350
"""The lines of a program, of which GHC checks the types in a time that grows with the square of its length."""


def printing(lines: Iterable[tuple[str, list[ir.Value]]]) -> list[Program]:
    """Programs that print the values of each line by its format."""
    lines = [*lines]
    return [_printing(lines[start : start + LINES]) for start in range(0, len(lines), LINES)]


def _printing(lines: Iterable[tuple[str, list[ir.Value]]]) -> Program:
    ret = ir.Parameter(ir.ContinuationType((ir.INT,)), "ret")
    main = ir.Function("main", [ret])
    for format, values in lines:
        computed = dict.fromkeys(part for value in values for part in parts(value))
        main.body += [*computed, ir.Effect("printf", (ir.Constant(ir.STRING, f"[{format}]\n"), *values), ir.INT)]
    main.transfer = ir.Jump(ir.Edge(ret, [ir.Constant(ir.INT, 0)]))
    return Program([main])


def differences(language: Language, programs: Sequence[Program], ended: Sequence[Ended]) -> list[tuple[str, str]]:
    """The lines in which the outputs of the evaluator and of the emitted programs, which have ended, differ."""
    assert {(each.errors, each.code) for each in ended} == {("", 0)}
    expected = [line for program in programs for line in observe(program).output.split("\n")]
    got = [line for each in ended for line in each.output.split("\n")]
    assert len(expected) == len(got) > 100
    pairs = [pair for pair in zip(expected, got, strict=True) if pair[0] != pair[1]]
    return pairs if language.distinguishes_nans else [pair for pair in pairs if "nan" not in pair[0].lower()]


def without_signs_of_nans(operations: Iterable[ir.Primitive], language: Language) -> list[ir.Primitive]:
    """The operations whose results do not depend on signs of NaNs, unless the language distinguishes them."""
    return [each for each in operations if language.distinguishes_nans or not any(map(has_nan, each.operands))]


def has_nan(value: ir.Value | None) -> bool:
    """Whether a NaN is used to compute the value, or is the value."""
    if isinstance(value, ir.Primitive):
        return any(map(has_nan, (*value.operands, fold(value))))
    return isinstance(value, ir.Constant) and value.value != value.value
