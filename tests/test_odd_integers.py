"""Integers of any width from 1 to 128: what random computations print, by arithmetic on Python's integers.

The evaluator, all engines and all targets are compared with this definition, and so is clang's ``_BitInt(N)``.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from operator import add, and_, or_, sub, xor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv import Builder, DiagnosticError, Program, Source, parse, pretty
from cpsconv.core.check import check
from cpsconv.core.ir import INT, Call, Constant, Effect, Function, Scalar, Value, integer_type
from cpsconv.core.json import from_json, to_json
from cpsconv.core.operations.table import CONVERT
from cpsconv.core.operations.types import range_of, wrap
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.targets.bril import bril
from cpsconv.targets.c import c
from cpsconv.targets.functional.haskell import haskell
from cpsconv.targets.functional.ocaml import ocaml
from cpsconv.targets.mlir import mlir
from testing import functional_targets, gcc, native
from testing.effort import examples, is_full
from testing.engines import ENGINE_NAMES, alike
from testing.evaluation import behaviour
from testing.expectations import Observation
from testing.mlir import each_compiled, needs_mlir, observed
from testing.running import observe, program_of, reread
from tests.conftest import Run

CLANG = shutil.which("clang")


def truncated(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


EXACT: dict[str, Callable[[int, int], int]] = {
    "+": add,
    "-": sub,
    "*": lambda x, y: x * y,
    "&": and_,
    "|": or_,
    "^": xor,
    "/": truncated,
    "%": lambda x, y: x - y * truncated(x, y),
}


@dataclass
class Computation:
    """Random steps, each on earlier values: as CPS text, as C, and with their values by definition.

    `most_bits` is the largest width. The values at the start are arguments, so that no step is computed before a run.
    """

    dice: random.Random
    most_bits: int = 128
    types: list[Scalar] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    c_text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for _ in range(5):
            type = self.type()
            low, high = range_of(type)
            value = self.dice.choice([low, high, 0, 1, self.dice.randint(low, high), self.dice.randint(low, high)])
            self.types.append(type)
            self.values.append(wrap(type, value))
        self.inputs = [*zip(self.types, self.values, strict=True)]
        for _ in range(15):
            self.step()

    def type(self) -> Scalar:
        bits = self.dice.choice([1, 7, 24, 31, 32, 33, 63, 65, 127, self.dice.randint(1, 128)])
        bits += bits in (8, 16)  # C computes divisions of the usual types as those of `int`
        signed = self.dice.random() < 0.5
        return integer_type(max(min(bits, self.most_bits), 2 if signed else 1), signed=signed)

    def add(self, type: Scalar, value: int, text: str, c_text: str) -> None:
        self.text.append(f"v{len(self.values)} := {text};")
        self.c_text.append(f"{c_type(type)} v{len(self.values)} = {c_text};")
        self.types.append(type)
        self.values.append(wrap(type, value))

    def step(self) -> None:
        """One more operation; a division that traps is a conversion instead."""
        n = self.dice.randrange(len(self.values))
        type, x, v = self.types[n], self.values[n], f"v{n}"
        kind = self.dice.choice(["binary", "binary", "binary", "shift", "unary", "compare", "convert", "double"])
        m = self.dice.choice([m for m, other in enumerate(self.types) if other is type])
        y, w = self.values[m], f"v{m}"
        low, high = range_of(type)
        if kind == "binary":
            op = self.dice.choice([*EXACT])
            if op not in "/%" or (y and low <= truncated(x, y) <= high):
                self.add(type, EXACT[op](x, y), f"{v} {op} {w}", f"{v} {op} {w}")
                return
        if kind == "shift":
            m = self.dice.randrange(len(self.values))
            count, bits, op = self.values[m] % type.bits, type.bits, self.dice.choice(["<<", ">>"])
            self.add(type, x << count if op == "<<" else x >> count, f"{v} {op} v{m}", f"{v} {op} {count}")
            assert 0 <= count < bits
        elif kind == "unary":
            op, value, expression = self.dice.choice(
                [("-", -x, f"-{v}"), ("~", ~x, f"~{v}"), ("abs", abs(x), f"{v} < 0 ? -{v} : {v}")]
            )
            self.add(type, value, f"abs({v})" if op == "abs" else f"{op}{v}", expression)
        elif kind == "compare":
            target = self.type()
            op, value = self.dice.choice([("<", x < y), (">=", x >= y), ("==", x == y), ("!=", x != y)])
            self.add(target, int(value), f"{target}({v} {op} {w})", f"({c_type(target)})({v} {op} {w})")
        elif kind == "double" and abs(x) < 2**30 and type.bits < 32:
            self.add(type, x, f"{type}(float<16>({v}))" if abs(x) < 2**11 else f"{type}(double({v}) * 1.0)", v)
        else:
            target = self.type()
            self.add(target, x, f"{target}({v})", f"({c_type(target)}){v}")

    def prints(self) -> Iterator[tuple[int, int]]:
        """The number of a value, and by how many bits it is shifted before the lowest 64 are printed."""
        return ((n, shift) for n, type in enumerate(self.types) for shift in ((0, 64) if type.bits > 64 else (0,)))

    @property
    def expected(self) -> str:
        return "".join(f"{wrap(LONG, self.values[n] >> shift)}\n" for n, shift in self.prints())

    @property
    def program(self) -> Program:
        parameters = ", ".join(f"v{n} : {type}" for n, (type, _) in enumerate(self.inputs))
        printed = [f'printf("%ld\\n", long(v{n}{f" >> {shift}" * (shift > 0)}));' for n, shift in self.prints()]
        literals = ", ".join(literal(type, value) for type, value in self.inputs)
        body = "\n".join(f"  {line}" for line in (*self.text, *printed))
        return program_of(
            f"f({parameters}, ret : int → ⊥) → ⊥ {{\n{body}\n  ret(0)\n}}\n\n"
            f"main(ret : int → ⊥) → ⊥ {{\n  f({literals}, λ(r : int).\n  ret(r))\n}}\n"
        )

    @property
    def c_program(self) -> str:
        inputs = [f"{c_type(type)} v{n} = {c_literal(type, value)};" for n, (type, value) in enumerate(self.inputs)]
        printed = [f'printf("%ld\\n", (long)(v{n}{f" >> {shift}" * (shift > 0)}));' for n, shift in self.prints()]
        lines = "\n".join((*inputs, *self.c_text, *printed))
        return f"#include <stdio.h>\nint main(void) {{\n{lines}\nreturn 0;\n}}\n"


LONG = integer_type(64, signed=True)


def c_type(type: Scalar) -> str:
    return f"{'' if type.signed else 'unsigned '}_BitInt({type.bits})"


def c_literal(type: Scalar, value: int) -> str:
    wide = f"unsigned _BitInt({max(type.bits, 64)})"
    pattern = value & ((1 << type.bits) - 1)
    high = f"(({wide}){pattern >> 64}ull << 64) + " if type.bits > 64 else ""
    return f"({c_type(type)})({high}({wide}){pattern & (2**64 - 1)}ull)"


def literal(type: Scalar, value: int) -> str:
    suffix = "l" if -(2**63) <= value < 2**63 else "ul" if 0 <= value < 2**64 else "i128" if type.signed else "u128"
    return f"{type}({value}{suffix})"


def outcome(program: Program, engine: str) -> tuple[str, object]:
    seen = observe(program, engine=engine)
    return seen.output, seen.status


def printed(program: Program) -> str:
    """The output of the small evaluator."""
    found = behaviour(program)
    assert found is not None
    return found[0].decode()


def variables(function: Function) -> list[tuple[str, Scalar]]:
    return [(each.name, each.type) for each in function.parameters if isinstance(each.type, Scalar)]


def rebuilt(program: Program) -> Program:
    """The program constructed by a Builder, with all simplifications."""
    b = Builder(simplify=SIMPLIFICATIONS)
    for function in program.functions:
        b.declare(function.name, variables(function), INT)
    for function in program.functions:
        new = b.function(function.name, variables(function), INT)
        values: dict[Value, Value] = dict(zip(function.parameters, new.parameters, strict=True))
        for each in function.body:
            operands = [values.get(operand, operand) for operand in each.operands]
            if isinstance(each, Effect):
                values[each] = b.effect(each.op, *operands)
            else:
                values[each] = (
                    b.convert(each.type, operands[0]) if each.op == CONVERT else b.primitive(each.op, *operands)
                )
        if isinstance(function.transfer, Call):
            callee = b.declared(function.transfer.callee.name)
            assert callee is not None
            b.call(callee, [values.get(each, each) for each in function.transfer.arguments])
        b.ret(Constant(INT, 0))
        b.finish()
    return b.program()


@settings(max_examples=examples(100))
@given(dice=st.randoms(use_true_random=False))
def test_simplifications_compute_by_definition(dice: random.Random) -> None:
    computation = Computation(dice)
    program = rebuilt(computation.program)
    assert check(program) == [] and printed(program) == computation.expected
    assert outcome(program, "python") == (computation.expected, 0)


def test_arguments_and_results_of_the_command_line_have_odd_types(cpsconv: Run) -> None:
    Path("p.cps").write_text("f(x : int<24>, ret : unsigned<5> → ⊥) → ⊥ {\n  ret(unsigned<5>(x))\n}\n")
    for engine in ENGINE_NAMES:
        assert cpsconv("eval", "--engine", engine, "p.cps", "-3") == (0, "29\n", "")
        status, _, errors = cpsconv("eval", "--engine", engine, "p.cps", "8388608")
        assert status == 1 and "8388608" in errors


@pytest.mark.parametrize("engine", ENGINE_NAMES)
@pytest.mark.parametrize("type", ["int<65>", "unsigned<127>", "__int128"])
def test_integers_of_more_than_64_bits_are_neither_arguments_nor_results_of_a_program(
    engine: str, type: str, cpsconv: Run
) -> None:
    Path("result.cps").write_text(f"f(x : int, ret : {type} → ⊥) → ⊥ {{\n  ret({type}(x))\n}}\n")
    Path("argument.cps").write_text(f"f(x : {type}, ret : int → ⊥) → ⊥ {{\n  ret(int(x))\n}}\n")
    for file, message in ("result", f"it returns an `{type}`"), ("argument", f"its parameter `x` is an `{type}`"):
        status, _, errors = cpsconv("eval", "--engine", engine, f"{file}.cps", "3")
        assert status == 1 and f"`f` cannot be started: {message}\n" in errors


@settings(max_examples=examples(100))
@given(dice=st.randoms(use_true_random=False))
def test_the_evaluator_and_the_engines_compute_by_definition(dice: random.Random) -> None:
    computation = Computation(dice)
    program = computation.program
    assert check(program) == []
    assert printed(program) == computation.expected
    for engine in ENGINE_NAMES:
        assert outcome(program, engine) == (computation.expected, 0)
    assert pretty(from_json(to_json(program))) == pretty(program) == pretty(reread(program))


@pytest.mark.skipif(gcc.GCC is None, reason="gcc is not installed")
def test_c_and_llvm_ir_compute_by_definition(tmp_path: Path) -> None:
    computations = [Computation(random.Random(seed)) for seed in range(10)]
    expected = [Observation(each.expected, 0) for each in computations]
    assert gcc.observe_all([c(each.program) for each in computations], tmp_path) == expected
    assert native.observe_all([(each.program, []) for each in computations]) == expected


@needs_mlir
def test_mlir_computes_by_definition_with_integers_of_the_same_widths(tmp_path: Path) -> None:
    computations = [Computation(random.Random(seed)) for seed in range(8 if is_full() else 4)]
    modules = [mlir(each.program) for each in computations]
    for each, program in zip(computations, each_compiled(modules, tmp_path), strict=True):
        assert observed(program, []) == Observation(each.expected, 0)
    parameters = re.findall(r"%v\d: i(\d+)", modules[0])
    assert parameters == [str(type.bits) for type, _ in computations[0].inputs]


@functional_targets.each(functional_targets.LANGUAGES[: None if is_full() else -1])
def test_functional_languages_compute_by_definition(language: functional_targets.Language, tmp_path: Path) -> None:
    """By default without Haskell, which has the integers of OCaml: odd ones are replaced before a text is written."""
    bits = 64 if language.name in ("ocaml", "haskell") else 128
    computations = [Computation(random.Random(seed), bits) for seed in range(4)]
    seen = language.observe_all(language.runs_of([each.program for each in computations]), tmp_path)
    assert seen == [Observation(each.expected, 0) for each in computations]


@pytest.mark.parametrize("emit", [ocaml, haskell, bril])
def test_a_target_without_wide_integers_names_them(emit: Callable[[Program], str]) -> None:
    program = program_of("f(x : int<100>, ret : int → ⊥) → ⊥ {\n  ret(int(x * x))\n}\n")
    with pytest.raises(DiagnosticError, match="integers of 128 bits"):
        emit(program)


@pytest.mark.skipif(CLANG is None, reason="clang is not installed")
def test_clang_computes_by_definition(tmp_path: Path) -> None:
    computations = [Computation(random.Random(seed)) for seed in range(8)]
    parts = [each.c_program.replace("main", f"part{number}") for number, each in enumerate(computations)]
    calls = " ".join(f"part{number}();" for number, _ in enumerate(parts))
    (tmp_path / "p.c").write_text("".join(parts) + f"int main(void) {{ {calls} }}")
    command = [str(CLANG), "-w", "-O0", "-fwrapv", "p.c", "-o", "p"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run([tmp_path / "p"], check=True, capture_output=True, text=True)
    assert done.stdout == "".join(each.expected for each in computations)


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_a_division_by_zero_or_out_of_range_traps(engine: str) -> None:
    programs = []
    for (type, low), op, y in product({"int<24>": -(2**23), "int<1>": -1, "int<100>": -(2**99)}.items(), "/%", (0, -1)):
        function = f"f(x : {type}, y : {type}, ret : int → ⊥) → ⊥ {{\n  ret(int(x {op} y))\n}}\n"
        call = f"f({type}({low}i128), {type}({y}), λ(r : int).\n  ret(r))"
        programs.append(program_of(f"{function}\nmain(ret : int → ⊥) → ⊥ {{\n  {call}\n}}\n"))
    assert all("DivisionError: " in end for *_, end in alike(programs, [engine]))


def test_memory_has_no_integers_of_odd_widths() -> None:
    for text in ("int<24>[p] := x;", "y := int<24>[p];", "y := allocate int<24>;"):
        with pytest.raises(DiagnosticError):
            parse(Source("p.cps", f"f(p : ptr, x : int<24>, ret : int → ⊥) → ⊥ {{\n  {text}\n  ret(0)\n}}\n"))


@pytest.mark.parametrize(
    "data", ["data d := 3i24", "data d := int[1] { 3i24 }", "data d := int<24> { 3 }", "extern d : int<24>[2]"]
)
def test_data_have_no_integers_of_odd_widths(data: str) -> None:
    with pytest.raises(DiagnosticError) as raised:
        parse(f"{data}\nmain(ret : int → ⊥) → ⊥ {{\n  ret(0)\n}}\n")
    assert [each.message for each in raised.value.diagnostics] == ["memory cannot contain an int<24>"]


@pytest.mark.parametrize("data", ["data d := 3", "extern d : int"])
def test_data_in_json_have_no_integers_of_odd_widths(data: str) -> None:
    text = to_json(parse(f"{data}\nmain(ret : int → ⊥) → ⊥ {{\n  ret(0)\n}}\n"))
    with pytest.raises(ValueError, match="`d` has the unknown type `int<24>`"):
        from_json(re.sub(r'("name": ?"d", ?"type": ?)"int"', r'\1"int<24>"', text))


@pytest.mark.parametrize("bits", [0, 129])
def test_other_widths_are_errors(bits: int) -> None:
    with pytest.raises(ValueError, match=f"no integers of {bits} bits"):
        integer_type(bits, signed=True)
    with pytest.raises(DiagnosticError):
        parse(Source("p.cps", f"f(x : int<{bits}>, ret : int → ⊥) → ⊥ {{\n  ret(0)\n}}\n"))
    with pytest.raises(DiagnosticError, match=r"literal|bits"):
        parse(Source("p.cps", f"f(ret : int → ⊥) → ⊥ {{\n  ret(int(1i{bits}))\n}}\n"))


def test_usual_widths_are_the_usual_types() -> None:
    text = "f(a : int<32>, b : unsigned<8>, ret : int → ⊥) → ⊥ {\n  ret(a + int(b))\n}\n"
    assert "f(a : int, b : unsigned char, " in pretty(program_of(text))
