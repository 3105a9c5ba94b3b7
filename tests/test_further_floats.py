"""Further floating types: ``float<16>``, ``float<bf16>`` and ``float<128>``, by arithmetic on exact fractions.

The evaluator, the expansion into operations on integers, all engines and all targets are compared with this definition,
and so are the types ``_Float16`` and ``_Float128`` of gcc.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Builder, DiagnosticError, Program, Source, parse, pretty
from cpsconv.core.check import check
from cpsconv.core.floating import Floating, format_class
from cpsconv.core.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    FURTHER_FLOATS,
    INT,
    INT128,
    LONG,
    LONG_DOUBLE,
    UNSIGNED,
    UNSIGNED_INT128,
    UNSIGNED_LONG,
    Constant,
    Primitive,
    Scalar,
    Value,
    integer_type,
)
from cpsconv.core.json import from_json, to_json
from cpsconv.core.operations.odd_types import replacement, standard_type, standard_value
from cpsconv.core.operations.semantics import fold
from cpsconv.core.operations.table import CONVERT, result_type
from cpsconv.core.operations.types import range_of, truncation_type, wrap
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.targets.bril import bril
from cpsconv.targets.c import c
from cpsconv.targets.functional.haskell import haskell
from cpsconv.targets.functional.ocaml import ocaml
from testing import functional_targets, gcc, native
from testing.effort import examples, is_full
from testing.engines import ENGINE_NAMES, seen
from testing.evaluation import behaviour
from testing.expectations import Observation
from testing.running import observe, program_of, reread

TYPES = [*FURTHER_FLOATS.values()]
HALF, BFLOAT16, QUAD = TYPES

Number = Fraction | float
"""A value: a fraction, or a float for an infinity, a NaN, or a zero, which has a sign."""


# ------------------------------------------------------------------------------------------------------- definition


@dataclass(frozen=True)
class Format:
    """The numbers of a type by their codes, the integers of their bits."""

    digits: int
    exponent_bits: int

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent_bits) - 1) << self.digits - 1

    @property
    def sign(self) -> int:
        return 1 << self.exponent_bits + self.digits - 1

    def magnitude(self, code: int) -> Fraction:
        """The value of a code without sign; that of infinity is the power of two after the largest number."""
        biased, fraction = divmod(code, 1 << self.digits - 1)
        bias = (1 << self.exponent_bits - 1) - 1
        significand = fraction + (1 << self.digits - 1 if biased else 0)
        return significand * Fraction(2) ** (max(biased, 1) - bias - (self.digits - 1))

    def last_below(self, is_below: Callable[[int], bool]) -> int:
        """The last code of a finite number for which the condition is true; it is for 0, and not after it was not."""
        low, high = 0, self.infinity
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if is_below(middle) else (low, middle)
        return low

    def value(self, code: int) -> Number:
        magnitude, is_negative = code % self.sign, code >= self.sign
        if magnitude > self.infinity:
            return math.nan
        if magnitude in (0, self.infinity):
            return math.copysign(math.inf if magnitude else 0.0, -1 if is_negative else 1)
        return self.magnitude(magnitude) * (-1 if is_negative else 1)

    def code(self, value: Number) -> int | None:
        """The code of the nearest number, the even one of two; None for a NaN."""
        if value != value:
            return None
        is_negative = math.copysign(1, value) < 0 if isinstance(value, float) else value < 0
        magnitude = self.infinity
        if not isinstance(value, float) or value == 0:
            exact = abs(Fraction(value))
            below = self.last_below(lambda code: self.magnitude(code) <= exact)
            low, high = self.magnitude(below), self.magnitude(below + 1)
            is_above = exact - low > high - exact or (exact - low == high - exact and below % 2)
            magnitude = below + is_above
        return magnitude + self.sign * is_negative


FORMATS = {HALF: Format(11, 5), BFLOAT16: Format(8, 8), QUAD: Format(113, 15), FLOAT: Format(24, 8)}
FORMATS |= {DOUBLE: Format(53, 11), LONG_DOUBLE: Format(64, 15)}


def sample(x: Number) -> float:
    """A float of the same class and sign."""
    return x if isinstance(x, float) else -1.0 if x < 0 else 1.0


def added(x: Number, y: Number) -> Number:
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x + y or 0.0
    if isinstance(x, Fraction) and y == 0:
        return x
    return y if isinstance(y, Fraction) and x == 0 else sample(x) + sample(y)


def negated(x: Number) -> Number:
    return -x


def multiplied(x: Number, y: Number) -> Number:
    return x * y if isinstance(x, Fraction) and isinstance(y, Fraction) else sample(x) * sample(y)


def divided(x: Number, y: Number) -> Number:
    if isinstance(y, Fraction) or abs(y) == math.inf:
        return x / y if isinstance(x, Fraction) and isinstance(y, Fraction) else sample(x) / sample(y)
    if x == 0 or x != x or y != y:
        return math.nan
    return math.copysign(math.inf, sample(x)) * math.copysign(1, y)


EXACT: dict[str, Callable[..., Any]] = {
    "+": added,
    "-": lambda x, y: added(x, negated(y)),
    "*": multiplied,
    "/": divided,
    "fma": lambda x, y, z: added(multiplied(x, y), z),
    "neg": negated,
    "abs": abs,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
ARITY = {"neg": 1, "abs": 1, "sqrt": 1, "fma": 3}


def root(format: Format, x: Number) -> int | None:
    """The code of the number nearest to the root: half of the distance to the next number is not a root."""
    if x != x or x < 0:
        return None
    if isinstance(x, float):
        return format.code(x)
    below = format.last_below(lambda code: format.magnitude(code) ** 2 <= x)
    middle = (format.magnitude(below) + format.magnitude(below + 1)) / 2
    return below + (middle**2 < x)


def truncated(x: Number, target: Scalar) -> int:
    """The integral part; out of range, the integer of the `truncation_type` of which only the first bit is set."""
    through = truncation_type(standard_type(target))
    low, high = range_of(through)
    whole = math.trunc(x) if isinstance(x, Fraction) or x == 0 else high + 1
    return wrap(target, whole if low <= whole <= high else 1 << through.bits - 1)


# --------------------------------------------------------------------------------------------------------- examples


def any_code(dice: random.Random, type: Scalar) -> int:
    format = FORMATS[type]
    digits, bits = format.digits, format.exponent_bits
    bias, special = (1 << bits - 1) - 1, (1 << bits) - 1
    biased = dice.choice(
        [
            *(0, 0, 1, 2, special, special - 1, dice.randint(0, special), bias + dice.randint(-3, 3)),
            min(max(bias + dice.randint(-digits - 3, digits + 3), 0), special),
        ]
    )
    last = 1 << digits - 1
    fraction = dice.choice(
        [0, 1, last - 1, dice.randrange(last), dice.randrange(last), 1 << dice.randrange(digits - 1)]
    )
    return (dice.randrange(2) << bits | biased) << digits - 1 | fraction


def of_code(type: Scalar, code: int) -> Constant:
    numbers = format_class(type.bits, type.digits)
    return Constant(type, numbers.from_bytes(code.to_bytes(type.size, "little")))


def code_of(type: Scalar, value: object) -> int | None:
    """The code of a constant's value; None for a NaN."""
    if isinstance(value, Floating):
        return value.code if value == value else None
    assert isinstance(value, float)
    return FORMATS[type].code(value if value == 0 or not math.isfinite(value) else Fraction(value))


def expanded(primitive: Primitive) -> Constant:
    """The value by the expansion into operations on integers."""

    def make(operation: str | Scalar, *operands: Value) -> Value:
        op, target = (CONVERT, operation) if isinstance(operation, Scalar) else (operation, None)
        type = result_type(op, tuple(each.type for each in operands), target)
        assert type
        value = fold(Primitive(op, operands, type))
        assert value
        return value

    expansion = replacement(primitive)
    assert expansion
    operands = [each for each in primitive.operands if isinstance(each, Constant)]
    value = expansion(make, *map(standard_value, operands))
    assert isinstance(value, Constant)
    return value


def found(primitive: Primitive) -> Iterator[Any]:
    """The values by the evaluator and by the expansion: codes for further types, None for NaNs."""
    folded, value = fold(primitive), expanded(primitive).value
    assert folded
    type = primitive.type
    yield code_of(type, folded.value) if type.kind == "float" else folded.value
    if type in TYPES:
        assert isinstance(value, int)
        is_nan = value % FORMATS[type].sign > FORMATS[type].infinity
        yield None if is_nan else value
    else:
        yield code_of(type, value) if type.kind == "float" else value


@settings(max_examples=examples(200))
@given(dice=st.randoms(use_true_random=False))
def test_operations_are_rounded_once(dice: random.Random) -> None:
    for _ in range(10):
        type = dice.choice(TYPES)
        format = FORMATS[type]
        op = dice.choice([op for op in (*EXACT, "sqrt") if type is not QUAD or op not in ("sqrt", "fma")])
        codes = [any_code(dice, type) for _ in range(ARITY.get(op, 2))]
        values = [*map(format.value, codes)]
        result = result_type(op, (type,) * len(codes))
        assert result
        if op == "sqrt":
            expected = root(format, values[0])
        else:
            exact = EXACT[op](*values)
            expected = exact if result is BOOL else format.code(exact)
        primitive = Primitive(op, tuple(of_code(type, code) for code in codes), result)
        assert [*found(primitive)] == [expected] * 2, (type, op, [*map(hex, codes)])


@pytest.mark.parametrize("type", [HALF, BFLOAT16], ids=str)
def test_a_product_of_zero_and_a_large_number_is_zero(type: Scalar) -> None:
    large, zero = FORMATS[type].infinity - 1, FORMATS[type].sign
    for x, y, z in (large, 0, 1), (zero, large, 0x1234), (large, zero, zero), (0, large, zero):
        primitive = Primitive("fma", tuple(of_code(type, code) for code in (x, y, z)), type)
        assert [*found(primitive)] == [FORMATS[type].code(EXACT["fma"](*map(FORMATS[type].value, (x, y, z))))] * 2


WHOLE = [CHAR, integer_type(16, signed=False), INT, UNSIGNED, LONG, UNSIGNED_LONG, INT128, UNSIGNED_INT128]
WHOLE += [integer_type(24, signed=True), integer_type(100, signed=False)]


@settings(max_examples=examples(200))
@given(dice=st.randoms(use_true_random=False))
def test_conversions_are_rounded_once(dice: random.Random) -> None:
    for _ in range(5):
        type, other = dice.choice(TYPES), dice.choice([*TYPES, FLOAT, DOUBLE, LONG_DOUBLE, BOOL, *WHOLE, *WHOLE])
        code = any_code(dice, type)
        value = FORMATS[type].value(code)
        if other is BOOL:
            expected: Any = value != 0
        elif other.kind == "integer":
            if type is not QUAD and not (-(2**31) < value < 2**31 - 1 and (value >= 0 or other.signed)):
                continue  # as of a `double`
            expected = truncated(value, other)
        else:
            expected = FORMATS[other].code(value)
        assert [*found(Primitive(CONVERT, (of_code(type, code),), other))] == [expected] * 2, (type, other, hex(code))
        if other in WHOLE:
            low, high = range_of(other)
            power = 1 << dice.randrange(other.bits)
            integer = min(max(dice.choice([low, high, dice.randint(low, high), power, power + 1]), low), high)
            given, expected = Constant(other, integer), FORMATS[type].code(Fraction(integer) or 0.0)
        elif other in (FLOAT, DOUBLE, LONG_DOUBLE):
            source = FORMATS[other].value(any_code(dice, other))
            numbers = format_class(64 if other is DOUBLE else other.bits, other.digits)
            number = numbers.of(source) if isinstance(source, Fraction) else numbers.of(float(source))
            given = Constant(other, number if other is LONG_DOUBLE else float(number))
            expected = FORMATS[type].code(source)
        else:
            continue
        assert [*found(Primitive(CONVERT, (given,), type))] == [expected] * 2, (other, type, given)


# --------------------------------------------------------------------------------------------------------- programs


@dataclass
class Computation:
    """Random operations on numbers of one type, whose codes are read from memory and written to it.

    Each is a call, so that none is computed before a run.
    """

    dice: random.Random
    type: Scalar
    count: int = 12
    operations: Sequence[str] = ("+", "-", "*", "/", "<", "==", "neg", "double", "int")
    calls: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    c_functions: list[str] = field(default_factory=list)
    c_calls: list[str] = field(default_factory=list)
    expected: str = ""

    def __post_init__(self) -> None:
        for number in range(self.count):
            self.step(number)

    @property
    def format(self) -> Format:
        return FORMATS[self.type]

    def step(self, number: int) -> None:
        op = self.dice.choice(self.operations)
        x, y = any_code(self.dice, self.type), any_code(self.dice, self.type)
        left, right = self.format.value(x), self.format.value(y)
        infix = {"neg": "-x", "int": "{}(int(x))", "double": "{}(double(x))"}.get(op, f"x {op} y")
        if op in "<==":
            value: Number = Fraction(EXACT[op](left, right)) or 0.0
            infix = f"{{}}(int({infix}))"
        elif op == "int":
            value = Fraction(truncated(left, INT)) or 0.0
        elif op == "double":
            code = FORMATS[DOUBLE].code(left)
            value = math.nan if code is None else FORMATS[DOUBLE].value(code)
        else:
            value = EXACT[op](left) if op == "neg" else EXACT[op](left, right)
        code = self.format.code(value)
        shown = [0] * self.words if code is None else self.split(code)
        self.expected += "".join(f"{int(code is None)} {' '.join(map(str, shown))}\n")
        self.functions.append(self.function(f"f{number}", infix.format(self.type)))
        self.calls.append(f"f{number}({', '.join(self.literals(x, y))}, λ().")
        c = in_c(infix, c_type(self.type))
        self.c_functions.append(f"T f{number}(T x, T y) {{ return {c}; }}")
        self.c_calls.append(f"show(f{number}({c_code(self.type, x)}, {c_code(self.type, y)}));")

    @property
    def words(self) -> int:
        return max(self.type.size // 8, 1)

    def split(self, code: int) -> list[int]:
        return [wrap(LONG, code >> 64 * index) for index in range(self.words)]

    def literals(self, *codes: int) -> list[str]:
        return [f"{wrap(LONG, word)}l" for code in codes for word in self.split(code)]

    def function(self, name: str, infix: str) -> str:
        unit = "long" if self.words > 1 else "unsigned short"
        parameters = [f"{each}{index} : long" for each in "xy" for index in range(self.words)]
        lines = [f"p := allocate {self.type}[2];"]
        for place, each in enumerate(f"{each}{index}" for each in "xy" for index in range(self.words)):
            lines.append(f"{unit}[p, {place}] := {each if self.words > 1 else f'unsigned short({each})'};")
        lines += [f"x := {self.type}[p];", f"y := {self.type}[p, 1];", f"{self.type}[p] := {infix};"]
        lines += [f"z := {self.type}[p];", "n := z != z;"]
        for index in range(self.words):
            lines.append(f"z{index} := long({unit}[p, {index}]) * long(!n);")
        form = " ".join(["%d", *["%ld"] * self.words])
        lines += [f'printf("{form}\\n", int(n), {", ".join(f"z{index}" for index in range(self.words))});']
        body = "\n".join(f"  {line}" for line in [*lines, "deallocate(p);", "ret()"])
        return f"{name}({', '.join(parameters)}, ret : () → ⊥) → ⊥ {{\n{body}\n}}\n"

    @property
    def program(self) -> Program:
        calls = "\n".join(f"  {call}" for call in self.calls)
        return program_of(
            "\n".join([*self.functions, f"main(ret : int → ⊥) → ⊥ {{\n{calls}\n  ret(0){')' * len(self.calls)}\n}}\n"])
        )

    @property
    def c_program(self) -> str:
        word = "unsigned short" if self.words == 1 else "long"
        prints = "".join(f'printf(" %ld", x == x ? (long)u.w[{index}] : 0);' for index in range(self.words))
        union = f"union {{ T x; {word} w[{self.words}]; }} u = {{x}};"
        show = f'void show(T x) {{ {union} printf("%d", x != x); {prints} puts(""); }}'
        main = "int main(void) {\n" + "\n".join(self.c_calls) + "\nreturn 0;\n}\n"
        lines = ["#include <stdio.h>", f"typedef {c_type(self.type)} T;", show, *self.c_functions, main]
        return "\n".join(lines)


def c_type(type: Scalar) -> str:
    return {HALF: "_Float16", QUAD: "_Float128"}.get(type, "")


def in_c(infix: str, type: str) -> str:
    return infix.replace("{}(", f"({type})(").replace("int(x", "(int)(x").replace("double(x", "(double)(x")


def c_code(type: Scalar, code: int) -> str:
    if type is HALF:
        return f"((union {{ unsigned short w; T x; }}){{{code}}}).x"
    low, high = code & (1 << 64) - 1, code >> 64
    return f"((union {{ unsigned long w[2]; T x; }}){{{{{low}ul, {high}ul}}}}).x"


def outcome(program: Program, engine: str) -> tuple[str, object]:
    seen = observe(program, engine=engine)
    return seen.output, seen.status


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_the_evaluator_and_the_engines_compute_by_definition(type: Scalar) -> None:
    for seed in range(3 if is_full() else 1):
        computation = Computation(random.Random(seed), type)
        program = computation.program
        assert check(program) == []
        seen = behaviour(program)
        assert seen and seen[0].decode() == computation.expected
        for engine in ENGINE_NAMES:
            assert outcome(program, engine) == (computation.expected, 0), engine
        assert pretty(from_json(to_json(program))) == pretty(program) == pretty(reread(program))


@pytest.mark.skipif(gcc.GCC is None, reason="gcc is not installed")
def test_c_and_llvm_ir_compute_by_definition(tmp_path: Path) -> None:
    computations = [Computation(random.Random(seed), type) for seed in range(2 if is_full() else 1) for type in TYPES]
    expected = [Observation(each.expected, 0) for each in computations]
    assert gcc.observe_all([c(each.program) for each in computations], tmp_path) == expected
    assert native.observe_all([(each.program, []) for each in computations]) == expected


@functional_targets.each(functional_targets.LANGUAGES)
def test_functional_languages_compute_by_definition(language: functional_targets.Language, tmp_path: Path) -> None:
    types = [HALF, BFLOAT16] if language.name in ("ocaml", "haskell") else TYPES
    count = 12 if is_full() else 4
    computations = [Computation(random.Random(seed), type, count) for seed, type in enumerate(types)]
    seen = language.observe_all(language.runs_of([each.program for each in computations]), tmp_path)
    assert seen == [Observation(each.expected, 0) for each in computations]


@pytest.mark.skipif(gcc.GCC is None, reason="gcc is not installed")
@pytest.mark.parametrize("type", [HALF, QUAD], ids=str)
def test_gcc_computes_by_definition(type: Scalar, tmp_path: Path) -> None:
    for seed in range(5 if is_full() else 2):
        computation = Computation(random.Random(seed), type, 30, Computation.operations[:-1])
        try:
            program = gcc.compile_c(computation.c_program, tmp_path)
        except Exception as problem:
            if "_Float" in getattr(problem, "stderr", ""):
                pytest.skip("gcc has no such type")
            raise
        assert gcc.observe(program) == Observation(computation.expected, 0)


@pytest.mark.parametrize("emit", [ocaml, haskell, bril])
def test_a_target_without_wide_integers_names_them(emit: Callable[[Program], str]) -> None:
    program = program_of("f(x : float<128>, ret : int → ⊥) → ⊥ {\n  ret(int(x * x))\n}\n")
    with pytest.raises(DiagnosticError, match="integers of 128 bits"):
        emit(program)


@settings(max_examples=examples(100))
@given(dice=st.randoms(use_true_random=False))
def test_literals_are_read_back(dice: random.Random) -> None:
    type = dice.choice(TYPES)
    code = any_code(dice, type)
    b = Builder()
    b.function("f", [], type)
    b.ret(of_code(type, code))
    b.finish()
    program = b.program()
    assert check(program) == []
    for again in reread(program), from_json(to_json(program)):
        (value,) = again.functions[0].transfer.uses[1:]
        assert isinstance(value, Constant) and value.type is type and isinstance(value.value, Floating)
        is_nan = FORMATS[type].value(code) != FORMATS[type].value(code)
        assert value.value != value.value if is_nan else value.value.code == code


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_zeros_are_read_back(type: Scalar) -> None:
    for literal in "0", "-0", "inf", "-inf", "nan":
        text = f"f(ret : {type} → ⊥) → ⊥ {{\n  ret({literal}{type.suffix})\n}}\n"
        assert pretty(program_of(text)) == text


def test_a_builder_computes_constants() -> None:
    b = Builder(simplify=SIMPLIFICATIONS)
    function = b.function("f", [("x", HALF)], BOOL)
    third = b.primitive("/", b.convert(HALF, Constant(INT, 1)), b.convert(HALF, Constant(INT, 3)))
    assert isinstance(third, Constant) and isinstance(third.value, Floating) and third.value.code == 0x3555
    b.ret(b.primitive("==", function.parameters[0], third))
    b.finish()
    assert "ret(x == 0.3333f16)" in pretty(b.program())


OBJECTS = """
struct pair { a : float<16>, b : float<128> }
data pairs := pair[2] { { 1.5f16, 0.1f128 }, { 0.1f16, 3e+4000f128 } }
data halves := float<bf16>[3] { 1bf16, -infbf16 }

f(p : ptr, ret : float<128> → ⊥) → ⊥ {
  a := float<16>[pair.a(p)];
  b := float<128>[pair.b(p)];
  ret(float<128>(a) * b)
}

main(ret : int → ⊥) → ⊥ {
  p := pair.at(pairs, 1);
  call(ptr(f), pairs, λ(x : float<128>).
  f(p, λ(y : float<128>).
  printf("%.17g %d\\n", double(x), int(y > float<128>(float<16>(1000))));
  ret(0)))
}
"""


def test_structs_data_and_functions_have_further_types() -> None:
    program = program_of(OBJECTS)
    assert check(program) == [] and pretty(program) == pretty(from_json(to_json(program)))
    seen = behaviour(program)
    assert seen and seen[0] == b"0.14999999999999999 1\n"
    for engine in ENGINE_NAMES:
        assert outcome(program, engine) == (seen[0].decode(), 0)


def test_mathematical_functions_of_128_bits_are_errors() -> None:
    for expression in "sqrt(x)", "fma(x, x, x)", "sin(x)":
        with pytest.raises(DiagnosticError):
            parse(Source("p.cps", f"f(x : float<128>, ret : float<128> → ⊥) → ⊥ {{\n  ret({expression})\n}}\n"))


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_a_program_takes_and_returns_none_of_their_numbers(type: Scalar) -> None:
    for text in (
        f"f(x : {type}, ret : int → ⊥) → ⊥ {{\n  ret(0)\n}}\n",
        f"f(ret : {type} → ⊥) → ⊥ {{\n  ret(1{type.suffix})\n}}\n",
    ):
        with pytest.raises(DiagnosticError, match=f"a `{type}`"):
            observe(program_of(text))


# ---------------------------------------------------------------------------------------------------- a further row

SMALL = """\
data d := float<8>[3] { 1.5f8, inff8, -0.25f8 }

f(`inff8` : int, ret : int → ⊥) → ⊥ {
  x := float<8>(`inff8`);
  y := float<8>[d];
  v := double(x * y);
  v1 := float<8>[d, 1];
  v2 := float<8>[d, 2];
  printf("%g %g %g\\n", v, double(v1 + v2), double(x + 0.25f8));
  ret(int(x + 1.5f8))
}
"""


def test_a_language_adds_a_row_for_a_floating_type(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DiagnosticError) as raised:
        parse(SMALL)
    assert {each.message for each in raised.value.diagnostics} == {"there is no type `float<8>`"}
    monkeypatch.setitem(FURTHER_FLOATS, "float<8>", Scalar("float<8>", "float", 8, suffix="f8", digits=3))
    program = parse(SMALL)
    assert pretty(program) == SMALL and check(program) == []
    assert pretty(from_json(to_json(program))) == SMALL
    for engine in ENGINE_NAMES:
        output, _, end = seen(program, (3,), engine)
        assert (output.decode(), end) == ("4 inf 3\n", "Returned(value=4, type=int)")  # 4.5 and 3.25 are rounded


def test_json_without_the_row_is_refused() -> None:
    text = to_json(parse("f(x : float<16>, ret : int → ⊥) → ⊥ { ret(int(x)) }"))
    with pytest.raises(ValueError, match="there is no type float<8>"):
        from_json(text.replace("float<16>", "float<8>"))
