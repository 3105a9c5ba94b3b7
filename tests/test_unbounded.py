"""The type `integer` of all integers: operations, conversions, text, JSON, arguments, limits, and refusals."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest

from cpsconv import Source, parse, pretty
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.check import check
from cpsconv.core.ir import BOOL, INTEGER, SCALARS, Constant, Primitive, Program
from cpsconv.core.json import from_json, to_json
from cpsconv.core.operations.python_formats import decimal_number, decimal_text
from cpsconv.core.operations.runtime_errors import DivisionError, SizeError
from cpsconv.core.operations.semantics import fold, operation
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, result_type
from cpsconv.core.operations.types import is_integer
from cpsconv.core.source import DiagnosticError
from cpsconv.targets import TARGETS, Style
from testing.functional_targets import HASKELL, JAVASCRIPT, PYTHON, SCHEME, Language, each
from testing.running import observe
from tests.conftest import Run

VALUES = [0, 1, -1, 7, -7, 2**31, -(2**63), 2**64 + 3, -(10**40)]
HUGE = "9" * 20_000


def program(text: str) -> Program:
    return parse(Source("p.cps", text))


def computed(op: str, *values: int) -> int:
    """The result of a primitive on unbounded integers."""
    operands = tuple(Constant(INTEGER, value) for value in values)
    type = result_type(op, (INTEGER,) * len(values))
    assert type
    result = operation(Primitive(op, operands, type))(*values)
    assert isinstance(result, int)
    return result


# -------------------------------------------------------------------------------------------------------- operations


def test_the_type_has_the_operations_of_arithmetic_and_comparisons() -> None:
    accepted = {op for op in PRIMITIVES for count in (1, 2) if result_type(op, (INTEGER,) * count)}
    assert accepted == {"+", "-", "*", "/", "%", "neg", "abs", "==", "!=", "<", "<=", ">", ">="}


@pytest.mark.parametrize(("a", "b"), [*product(VALUES, VALUES)])
def test_operations_are_exact(a: int, b: int) -> None:
    assert (computed("+", a, b), computed("-", a, b), computed("*", a, b)) == (a + b, a - b, a * b)
    assert (computed("neg", a), computed("abs", a), computed("<", a, b)) == (-a, abs(a), a < b)
    if b:
        quotient, remainder = computed("/", a, b), computed("%", a, b)
        assert quotient * b + remainder == a and abs(remainder) < abs(b) and remainder * a >= 0


def test_a_division_by_zero_and_a_product_of_too_many_bits_are_runtime_errors() -> None:
    for op in "/%":
        with pytest.raises(DivisionError):
            computed(op, 1, 0)
    largest = 2**1_000_000 - 1
    assert computed("*", largest, -1) == -largest
    with pytest.raises(SizeError, match="more than 1000000 bits"):
        computed("*", largest, 2)
    assert fold(Primitive("*", (Constant(INTEGER, largest), Constant(INTEGER, 2)), INTEGER)) is None


def test_conversions_keep_the_lowest_bits() -> None:
    for type in SCALARS.values():
        to, back = result_type(CONVERT, (type,), INTEGER), result_type(CONVERT, (INTEGER,), type)
        assert (to is INTEGER) == (back is type) == (is_integer(type) or type in (BOOL, INTEGER))
        for value in VALUES if back else []:
            found = fold(Primitive(CONVERT, (Constant(INTEGER, value),), type))
            assert found
            if is_integer(type):
                assert (found.value - value) % 2**type.bits == 0  # type: ignore[operator]
            else:
                assert found.value == (value if type is INTEGER else value != 0)


# ------------------------------------------------------------------------------------------- text, JSON and arguments


@pytest.mark.parametrize("value", [*VALUES, int("9" * 4_000) ** 6], ids=lambda value: hex(value)[:20])
def test_constants_of_any_size_are_printed_and_parsed(value: int) -> None:
    text = f"f(ret : integer → ⊥) → ⊥ {{\n  ret({decimal_text(value)}n)\n}}\n"
    found = program(text)
    assert check(found) == [] and decimal_text(value) + "n" in pretty(found)
    assert pretty(program(pretty(found))) == pretty(from_json(to_json(found))) == pretty(found)
    assert observe(found).output == decimal_text(value) + "\n"


@pytest.mark.parametrize("digits", [1, 3_999, 4_000, 4_001, 50_000])
def test_decimal_digits_are_read_and_written(digits: int) -> None:
    text = "-" + "907" * (digits // 3) + "1" * (digits % 3)
    assert decimal_text(decimal_number(text)) == text
    assert decimal_number("0" * digits) == 0


IDENTITY = "f(n : integer, ret : integer → ⊥) → ⊥ {\n  ret(n + 1n)\n}\n"


def test_arguments_of_any_size_are_read(cpsconv: Run) -> None:
    Path("f.cps").write_text(IDENTITY)
    assert cpsconv("eval", "f.cps", HUGE).out == f"1{'0' * 20_000}\n"
    assert cpsconv("eval", "f.cps", f"-0x{'f' * 5_000}").status == 0
    assert cpsconv("eval", "f.cps", "1e5").err.endswith("`1e5` is not an integer\n")
    assert len(cpsconv("eval", "f.cps", "x" * 5_000).err) < 200
    assert parse_arguments(program(IDENTITY).functions[0], ["n=-0"]) == [0]
    assert shown_data(10**5_000) == f"1{'0' * 5_000}"


# ------------------------------------------------------------------------------------------------ engines and targets

EVERYTHING = """\
f(a : integer, b : integer, ret : integer → ⊥) → ⊥ {
  printf("%Zd %Zd %Zd %Zd %Zd ", a + b, a - b, a * b, a / b, a % b);
  printf("%Zd %Zd [%30Zd] [%-30Zd] [%+Zd] ", -a, abs(a), b, b, a);
  printf("%d %d %ld %lu %hhd ", a < b, a == b, long(a), unsigned long(a), int(signed char(a)));
  printf("%Zd %Zd %d\\n", integer(int(a)), integer(a >= b), bool(a));
  ret(a * b - 123456789012345678901234567890n)
}
"""


@pytest.mark.parametrize(
    ("a", "b"), [("7", "-2"), ("-340282366920938463463374607431768211457", "18446744073709551615")]
)
def test_the_engines_agree(a: str, b: str) -> None:
    found = observe(program(EVERYTHING), [a, b])
    assert found.status == 0
    assert observe(program(EVERYTHING), [a, b], engine="python") == found


@each([SCHEME, JAVASCRIPT, PYTHON, HASKELL])
def test_the_targets_agree(language: Language, tmp_path: Path) -> None:
    pairs = ["7", "-2"], ["-340282366920938463463374607431768211457", "18446744073709551615"], ["5", "0"]
    everything = program(EVERYTHING)
    runs = [*((everything, arguments) for arguments in pairs), (program(IDENTITY), [HUGE])]
    *found, huge = language.observe_all(runs, tmp_path)
    assert found == [observe(everything, arguments) for arguments in pairs]
    assert huge.output == f"1{'0' * 20_000}\n"


SQUARES = """\
f(n : integer, ret : integer → ⊥) → ⊥ {
  let
    loop := (x : integer) → ⊥
      loop(x * x)
  in
  loop(n)
}
"""


@pytest.mark.parametrize("engine", ["machine", "python"])
def test_repeated_squares_end_in_an_error(engine: str, cpsconv: Run) -> None:
    Path("f.cps").write_text(SQUARES)
    done = cpsconv("eval", "--engine", engine, "f.cps", "2")
    assert done.status == 3
    assert done.err.startswith("f.cps:4:12: runtime error: the product has more than 1000000 bits\n")


@pytest.mark.parametrize("target", ["c", "llvm", "ocaml"])
def test_targets_without_unbounded_integers_refuse_them(target: str) -> None:
    with pytest.raises(DiagnosticError, match=r"not expressible in .*: unbounded integers"):
        TARGETS[target](program(IDENTITY), Style())


def test_memory_contains_no_unbounded_integers() -> None:
    for body in "integer[p] := 1n;", "x := integer[p];", "p1 := allocate integer;":
        with pytest.raises(DiagnosticError):
            found = program(f"f(p : ptr, ret : () → ⊥) → ⊥ {{\n  {body}\n  ret()\n}}\n")
            raise DiagnosticError(check(found))


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_page_computes_with_bigints() -> None:
    from cpsconv.targets.functional.javascript.operations import interpreter_runtime

    assert '"+(integer, integer): integer": (a, b) => a + b,' in interpreter_runtime()
    assert '"integer": readUnbounded,' in interpreter_runtime()
