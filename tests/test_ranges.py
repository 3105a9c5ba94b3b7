"""Range analysis: values at run time stay in their ranges, and typical loops have tight ranges."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from cpsconv import Program, Source, convert
from cpsconv.core.analysis.ranges import Ranges, exact_interval, ranges
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.entry import data_parameters, entry_of
from cpsconv.core.ir import Function, Parameter, Primitive
from cpsconv.core.operations.intervals import UNBOUNDED
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.semantics import operation
from cpsconv.core.operations.types import range_of
from cpsconv.engines.machine import link
from cpsconv.engines.machine.link import is_first_order
from cpsconv.engines.machine.machine import evaluate
from testing.c_programs import random_program
from testing.running import STRATEGIES, converted, programs_to_run
from testing.while_programs import FUEL
from testing.while_programs import random_program as while_program


def watched(found: Ranges, computed: list[Primitive]) -> Callable[[Primitive], Callable[..., Any]]:
    """The operations, with checks of the ranges; each adds to `computed` if its exact result is in the range."""

    def watch(primitive: Primitive) -> Callable[..., Any]:
        compute, intervals = operation(primitive), found.of_operands(primitive)
        reach = exact_interval(primitive, intervals)

        def checked(*operands: Any) -> Any:
            for operand, (low, high) in zip(operands, intervals, strict=True):
                known = isinstance(operand, int)
                assert not known or low == -UNBOUNDED or low <= operand, primitive
                assert not known or high == UNBOUNDED or operand <= high, primitive
            result = compute(*operands)
            if primitive.type.kind == "integer" and reach[0] <= result <= reach[1]:
                computed.append(primitive)
            elif primitive.type.kind == "integer":
                assert wraps(primitive, reach), primitive
            return result

        return checked

    return watch


def wraps(primitive: Primitive, reach: tuple[int, int]) -> bool:
    """Whether a result may be out of the range of the type."""
    low, high = range_of(primitive.type)
    return reach[0] < low or reach[1] > high


def run_watched(program: Program, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a program and check each operation. Returns the number of integers computed without wrapping."""
    entry = entry_of(program)
    computed: list[Primitive] = []
    monkeypatch.setattr(link, "operation", watched(ranges(entry), computed))
    with suppress(ProgramError):
        evaluate(program, entry.name, parse_arguments(entry, arguments), output=io.BytesIO(), errors=io.BytesIO())
    return len(computed)


def test_runs_of_c_programs_stay_in_their_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    for number in range(6):
        program = converted(random_program(number), STRATEGIES[number % 3], minimal=number % 2 == 0)
        count += run_watched(program, [], monkeypatch)
    assert count > 500


def test_runs_of_cps_programs_stay_in_their_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    for program, arguments in programs_to_run(range(300)):
        if is_first_order(program):
            count += run_watched(program, arguments, monkeypatch)
    assert count > 100


def test_runs_of_programs_with_unbounded_integers_stay_in_their_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        generated = while_program(number)
        program = convert(Source("random.while", generated.text), strategy=STRATEGIES[number % 3])
        values = {**generated.initial, "fuel": FUEL}
        arguments = [str(values[str(each.name)]).lower() for each in data_parameters(program.functions[0])]
        run_watched(program, arguments, monkeypatch)


def parameter_ranges(text: str, entry: str = "main", name: str = "program.c") -> dict[str, tuple[int, int]]:
    """The range of each parameter, by its name."""
    function = convert(Source(name, text)).function(entry)
    assert isinstance(function, Function)
    found = ranges(function).places
    return {str(place.name): interval for place, interval in found.items() if isinstance(place, Parameter)}


def test_a_counter_stays_within_the_bounds_that_the_loop_tests() -> None:
    found = parameter_ranges("int main(void) { int s = 0; for (int i = 3; i < 100; i++) s ^= i; return s; }")
    assert found["i"] == (3, 100)


def test_an_unknown_bound_excludes_overflow() -> None:
    found = parameter_ranges("int f(int n) { int i = 0; while (i < n) i++; return i; }", "f")
    assert found["i"] == (0, 2**31 - 1)


def test_nested_loops_bound_each_other() -> None:
    text = "int main(void) { int s = 0; for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++) s ^= j; return s; }"
    found = parameter_ranges(text)
    assert (found["i"], found["j"]) == ((0, 9), (0, 8))


def test_a_number_whose_square_is_bounded_is_bounded() -> None:
    found = parameter_ranges(
        "int f(int n) { int d = 2; while (d * d <= n) d++; return d; } int main(void) { return f(99); }"
    )
    assert found["d"] == (2, 10)


def test_ranges_pass_from_calls_to_parameters_and_from_returns_to_results() -> None:
    f = "int f(int n) { return n > 5 ? n : 7; }"
    found = parameter_ranges(f"{f} int main(void) {{ int x = f(1); x += f(9); while (x > 3) x--; return x; }}")
    assert found["n"] == (1, 9)
    assert found["x"] == (3, 18)


def test_a_variable_that_may_overflow_has_the_range_of_its_type() -> None:
    found = parameter_ranges("int f(int n) { int s = 1; while (n--) s *= 3; return s; }", "f")
    assert found["s"] == (-(2**31), 2**31 - 1)


def while_ranges(text: str) -> dict[str, tuple[int, int]]:
    return parameter_ranges(text, "program", "program.while")


def test_an_unbounded_integer_has_the_bounds_that_the_program_tests() -> None:
    assert while_ranges("i := 0; while i < 100 do i := i + 1")["i"] == (0, 100)
    assert while_ranges("i := 0; while i < n do i := i + 1")["i"] == (0, UNBOUNDED)
    assert while_ranges("i := n; if i < 0 then i := 0 - i; j := i; while j > 7 do j := j % 7")["j"] == (0, UNBOUNDED)
    assert while_ranges("p := 1; i := 0; while i < n do { p := p * 3; i := i + 1 }")["p"] == (1, UNBOUNDED)
    assert while_ranges("d := 2; while d * d <= 99 do d := d + 1")["d"] == (2, 10)


def test_many_loops_in_a_row_and_within_each_other_take_few_rounds() -> None:
    nested = "".join(f"for (int i{n} = 0; i{n} < 3; i{n}++) " for n in range(20))
    found = parameter_ranges(
        f"int main(void) {{ int s = 0; {nested} s ^= 1; {'while (s < 9) s++; ' * 200} return s; }}"
    )
    assert found["i19"] == (0, 3)
