"""MLIR in its generic form: what becomes of operations, what is refused, and where messages point to."""

from __future__ import annotations

import math
import random
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.core.check import check
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import DiagnosticError, max_errors
from cpsconv.engines.machine.machine import Returned, evaluate
from cpsconv.languages.mlir.writer import module
from cpsconv.languages.ours import expressing
from testing.effort import examples
from testing.expectations import ROOT
from testing.mlir import compiled, generic, needs_mlir
from testing.running import STRATEGIES
from tests.conftest import Run

PROGRAMS = sorted((ROOT / "tests" / "corpus" / "mlir").glob("*.mlir"))


def read(text: str, name: str = "a.mlir", strategy: str = "scc") -> Program:
    """The certified program of a module."""
    return convert(Source(name, text), strategy=strategy, certify=True)


def function(body: str, type: str = "(i32) -> i32", rest: str = "") -> str:
    """A function `f` in the generic form."""
    return f'"func.func"() <{{function_type = {type}, sym_name = "f"}}> ({{\n{body}\n}}){rest} : () -> ()\n'


def errors(text: str) -> list[str]:
    """The errors, each with its line and column."""
    with pytest.raises(DiagnosticError) as raised:
        read(text)
    return [f"{each.span}: {each.message}" for each in raised.value.diagnostics]


def test_figure_8_has_one_parameter() -> None:
    text = function(
        """^bb0(%x: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.cmpi"(%x, %0) <{predicate = 0 : i64}> : (i32, i32) -> i1
    "cf.cond_br"(%1)[^then, ^else] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^then:
    %2 = "arith.constant"() <{value = 23 : i32}> : () -> i32
    "cf.br"(%2)[^next] : (i32) -> ()
  ^else:
    %3 = "arith.constant"() <{value = 42 : i32}> : () -> i32
    "cf.br"(%3)[^next] : (i32) -> ()
  ^next(%a: i32):
    "func.return"(%a) : (i32) -> ()"""
    )
    assert pretty(read(text)) == pretty(convert(Source("fig8.c", (ROOT / "examples" / "fig8.c").read_text())))


def test_an_argument_with_one_value_is_no_parameter() -> None:
    text = function(
        """^bb0(%x: i32, %c: i1):
    "cf.cond_br"(%c, %x, %x)[^a, ^a] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, i32, i32) -> ()
  ^a(%y: i32):
    "func.return"(%y) : (i32) -> ()""",
        "(i32, i1) -> i32",
    )
    for strategy in STRATEGIES:
        (found,) = read(text, strategy=strategy).functions
        assert not any(each.parameters for each in found.continuations)


def test_blocks_are_read_in_any_order() -> None:
    text = function(
        """^bb0(%x: i32):
    "cf.br"()[^second] : () -> ()
  ^third:
    "func.return"(%y) : (i32) -> ()
  ^second:
    %y = "arith.addi"(%x, %x) : (i32, i32) -> i32
    "cf.br"()[^third] : () -> ()"""
    )
    assert pretty(read(text)) == "f(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + x)\n}\n"


def test_unreachable_blocks_are_dropped() -> None:
    text = function(
        """^bb0(%x: i32):
    "func.return"(%x) : (i32) -> ()
  ^dead(%y: i32):
    %z = "arith.addi"(%z, %y) : (i32, i32) -> i32
    "cf.br"(%z)[^dead] : (i32) -> ()"""
    )
    assert len(read(text).functions[0].continuations) == 0


ALIASES = """\
!integer = i32 // the type
!pair = tuple<!integer, f32>
#one = 1 : !integer
#place = loc("a.c":3:4)
"func.func"() <{function_type = (!integer) -> !pair, sym_name = "f"}> ({
^bb0(%x: !integer):
  %one = "arith.constant"() <{value = #one}> : () -> i32
  %sum = "arith.addi"(%x, %one) : (i32, !integer) -> !integer
  "cf.br"(%sum, %x)[^next] : (!integer, i32) -> ()
^next(%y: i32, %z: !integer):
  %pair = "test.pair"(%y) {text = "!pair"} : (!integer) -> tuple<i32, f32> loc(#place)
  "func.return"(%pair) : (!pair) -> ()
}) : () -> ()
"""


def test_aliases_denote_types_and_attributes() -> None:
    assert pretty(program := read(ALIASES)) == (
        """\
f(x : int, ret : $`tuple<i32, f32>` → ⊥) → ⊥ {
  pair := "test.pair {text = \\"!pair\\"}"(x + 1) : $`tuple<i32, f32>`;
  ret(pair)
}
"""
    )
    assert [each.span.source.origin(each.span.start) for each in program.statements() if each.span][1:] == [
        ("a.c", 3, 4)
    ]
    with expressing("none"):
        written = module(read(ALIASES))
        assert module(read(written)) == written and "value = #one" in written
        assert ": (i32) -> !pair loc(#place)" in written and '"func.return"(%pair) : (!pair)' in written
    doubled = "".join(f"!t{number + 1} = tuple<!t{number}, !t{number}>\n" for number in range(60))
    body = '"func.return"(%x) : (!t60) -> ()'
    assert read(f"!t0 = i32\n{doubled}{function(f'^bb0(%x: !t60):{body}', '(!t60) -> !t60')}")
    assert errors("!a = i32\n!a = i64\n")[0] == "a.mlir:2:1: there are two aliases of this name"


# ---------------------------------------------------------------------------------------------- foreign operations

FOREIGN = function(
    """^bb0(%m: memref<4xi32>, %i: index):
    %v = "memref.load"(%m, %i) <{nontemporal = false}> {my.mark = "x"} : (memref<4xi32>, index) -> i32
    %w = "arith.addi"(%v, %v) {my.mark} : (i32, i32) -> i32
    %q:2 = "test.split"(%w) : (i32) -> (i32, f32)
    "test.fork"(%q#1, %v, %q#0)[^a, ^b] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (f32, i32, i32) -> ()
  ^a(%x: i32):
    "func.return"(%x) : (i32) -> ()
  ^b(%y: i32):
    "test.unreachable"() : () -> ()""",
    "(memref<4xi32>, index) -> i32",
)


def test_other_operations_are_foreign_and_keep_their_texts() -> None:
    assert pretty(read(FOREIGN), width=100) == (
        """f(m : $`memref<4xi32>`, i : $index, ret : int → ⊥) → ⊥ {
  v := "memref.load <{nontemporal = false}> {my.mark = \\"x\\"}"(m, i) : int;
  w := pure "arith.addi {my.mark}"(v, v) : int;
  v1 := "test.split"(w) : $`results<i32, f32>`;
  q_0 := pure "result 0"(v1) : int;
  q_1 := pure "result 1"(v1) : float;
  let
    a := () → ⊥
      ret(v)
    b := () → ⊥
      "test.unreachable"()
  in
  "test.fork <{operandSegmentSizes = array<i32: 1, 1, 1>}>"(q_1) [a, b]
}
"""
    )


def test_the_blocks_after_an_operation_with_results_begin_with_them() -> None:
    text = function(
        """^bb0(%x: i32):
    %q:2 = "test.fork"(%x)[^a, ^b] : (i32) -> (i32, f32)
  ^a:
    %r = "llvm.invoke"(%q#1, %x, %x)[^c, ^b] <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (f32, i32, i32) -> i32
  ^c(%y: i32, %z: i32):
    "func.return"(%r) : (i32) -> ()
  ^b:
    "func.return"(%q#0) : (i32) -> ()"""
    )
    assert pretty(read(text), width=100) == (
        """f(x : int, ret : int → ⊥) → ⊥ {
  let
    to_b := () → ⊥
      v := "result"() : $`results<i32, f32>`;
      q_0 := pure "result 0"(v) : int;
      q_1 := pure "result 1"(v) : float;
      b(q_0)
    a := () → ⊥
      v1 := "result"() : $`results<i32, f32>`;
      q_0_1 := pure "result 0"(v1) : int;
      q_1_1 := pure "result 1"(v1) : float;
      let
        c := () → ⊥
          r := "result"() : int;
          ret(r)
      in
      "llvm.invoke <{operandSegmentSizes = array<i32: 1, 2, 0, 0>}>"(q_1_1) [c, λ(). b(q_0_1)]
    b := (q_0_2 : int) → ⊥
      ret(q_0_2)
  in
  "test.fork"(x) [a, to_b]
}
"""
    )
    with expressing("none"):
        written = module(read(text))
        assert sorted(module(read(written))) == sorted(written) and "array<i32: 1, 0, 1, 0>" in written


def test_an_engine_names_a_foreign_operation_and_its_position() -> None:
    from cpsconv.core.operations.foreign import require_no_foreign

    with pytest.raises(DiagnosticError, match=r"a.mlir:3:5: error: cannot run the foreign operation `memref.load"):
        require_no_foreign(read(FOREIGN), "cannot run")


def test_a_module_of_declarations_is_a_text_that_is_read() -> None:
    declared = (
        '"func.func"() <{function_type = () -> i32, sym_name = "g", sym_visibility = "private"}> ({}) : () -> ()\n'
    )
    text = pretty(read(declared))
    assert text.startswith("@lazily_bound extern g(") and pretty(parse(text)) == text
    with expressing("none"):
        assert module(parse(pretty(read(declared)))) == declared


def test_every_operation_is_foreign_or_refused_by_choice() -> None:
    with expressing("none"):
        assert pretty(read(function('"x.br"() : () -> ()', "() -> ()"))).endswith('→ ⊥ {\n  "x.br"()\n}\n')
        text = pretty(read(FOREIGN))
    assert '"arith.addi {my.mark}"' in text and text.startswith("@mlir.module(")
    with expressing("all"), pytest.raises(DiagnosticError) as raised:
        read(FOREIGN)
    assert [each.message.split("`")[1] for each in raised.value.diagnostics] == [
        *("memref.load", "arith.addi", "test.split", "test.fork", "test.unreachable")
    ]


# ------------------------------------------------------------------------------------------------------- positions


def test_a_runtime_error_names_the_line_of_the_location() -> None:
    text = function(
        """^bb0(%x: i32 loc("a.c":1:7)):
    %0 = "arith.divsi"(%x, %x) : (i32, i32) -> i32 loc(#l2)
    "func.return"(%0) : (i32) -> () loc("a.c":3:3)"""
    )
    source = Source("a.mlir", f'#l1 = loc("\\C3\\A9.c":2:12)\n{text}#l2 = loc(callsite("g"(#l1) at #l1))\n')
    for _ in range(2):  # markers of lines are not recorded twice
        program = convert(source)
        with pytest.raises(ProgramError) as raised:
            evaluate(program, "f", [0])
        found, line, _ = raised.value.diagnostic.render().split("\n")
        assert found.startswith("é.c:2:12: ")
        assert line.startswith('      |     %0 = "arith.divsi"'), "the line of another file has no number"


def test_a_function_without_a_definition_ends_a_run_that_reaches_it(cpsconv: Run) -> None:
    Path("a.mlir").write_text("""\
"func.func"() <{function_type = () -> i32, sym_name = "ext", sym_visibility = "private"}> ({}) : () -> ()
"func.func"() <{function_type = (i1) -> i32, sym_name = "g"}> ({
^bb0(%c: i1):
  %a = "arith.constant"() <{value = 7 : i32}> : () -> i32
  "cf.cond_br"(%c)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  %b = "func.call"() <{callee = @ext}> : () -> i32
  "func.return"(%b) : (i32) -> ()
^bb2:
  "func.return"(%a) : (i32) -> ()
}) : () -> ()
""")
    assert cpsconv("run", "a.mlir:g", "false") == (0, "7\n", "")
    message = "a.mlir:7:3: runtime error: `g` calls `ext`, which is not defined\n"
    assert cpsconv("run", "a.mlir:g", "true") == (134, "", message)
    assert 'writes "a.mlir:7:3: runtime error: ' in cpsconv("step", "a.mlir:g", "true", stdin="n\n").out


# --------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('"func.return"(%y) : (i32) -> ()', "a.mlir:3:1: `%y` is not defined on every path to this use"),
        ('"func.return"(as %x) : (i32) -> ()', "a.mlir:3:1: `as %x` is not defined on every path to this use"),
        ('"cf.br"()[^bb0 ^bb0] : () -> ()', "a.mlir:3:1: there is no block `^bb0 ^bb0`"),
        ('"func.return"(%x) : (i64) -> ()', "a.mlir:3:1: `%x` has the type `i32`, not `i64`"),
        ('"cf.br"()[^a] : () -> ()', "a.mlir:3:1: there is no block `^a`"),
        ('"cf.br"(%x)[^bb0] : (i32) -> ()', "a.mlir:3:1: `^bb0` is the first block: no operation leads"),
        ('"a.b"()[^c] : () -> ()\n^c:\n', "a.mlir:4:1: the block `^c` has no operation that ends it"),
        ('"cf.br"()[^c] : () -> ()\n^c(%y: i32):\n"a.b"() : () -> ()', "a.mlir:3:1: `cf.br` does not pass"),
        ('%x = "a.b"() : () -> i32\n"a.b"() : () -> ()', "a.mlir:3:1: there are two values `%x`"),
        ('"func.call"() <{callee = @g}> : () -> ()\n"a.b"() : () -> ()', "a.mlir:3:1: there is no function `g`"),
        ('"scf.if"() ({\n"a.b"() : () -> ()\n}) : () -> ()', "a.mlir:3:1: `scf.if` has a region: only those of"),
        ('"spirv.mlir.loop"() ({}) : () -> ()\n"a.b"() : () -> ()', "a.mlir:3:1: `spirv.mlir.loop` has a region"),
        ('"x.br"() [^c] <{operandSegmentSizes = array<i32: 1>}> : () -> ()\n^c:\n"a.b"() : () -> ()', "a.mlir:3:1: `x"),
        ('%y = "a.b"() : () -> i32', "a.mlir:3:1: `a.b` has results, but no block follows that uses them"),
        ('"a.b"(%x : () -> ()', "a.mlir:3:6: `(` is not closed"),
        ('return %x : i32', "a.mlir:3:1: `return` is not expected here: MLIR is read in its generic form"),
    ],
)  # fmt: skip
def test_a_wrong_module_is_refused_at_its_position(body: str, message: str) -> None:
    assert errors(function(f"^bb0(%x: i32):\n{body}"))[0].startswith(message)


@pytest.mark.parametrize(
    ("type", "values", "others"),
    [
        ("i1", ["true", "false", "0", "1", "-1"], ["2", "-2", "5"]),
        ("i8", ["-128", "255", "0xff", "-0x1", "0005"], ["-129", "256", "0x1ff", "-0xff"]),
        ("i32", ["-2147483648", "4294967295"], ["99999999999999999999", "4294967296"]),
        ("i64", ["9" * 19], ["9" * 6000, "18446744073709551616"]),
    ],
)
def test_an_integer_constant_is_in_the_range_of_its_type(type: str, values: list[str], others: list[str]) -> None:
    def constant(value: str) -> str:
        typed = value if type == "i64" else f"{value} : {type}"
        constant = f'%0 = "arith.constant"() <{{value = {typed}}}> : () -> {type}'
        return function(f'{constant}\n"func.return"(%0) : ({type}) -> ()', f"() -> {type}")

    for value in values:
        read(constant(value))
    for value in others:
        message = "a.mlir:2:1: `value` of `arith.constant` is not in the range of its type"
        assert errors(constant(value)) == [message]


def test_a_constant_of_another_type_than_its_result_or_with_operands_stays_foreign() -> None:
    body = '%0 = "arith.constant"() <{value = 99999999999}> : () -> i32\n"func.return"(%0) : (i32) -> ()'
    assert '"arith.constant <{value = 99999999999}>"' in pretty(read(function(body, "() -> i32")))
    body = '%0 = "arith.constant"(%x) <{value = 1 : i32}> : (i32) -> i32\n"func.return"(%0) : (i32) -> ()'
    assert '"arith.constant <{value = 1 : i32}>"(x)' in pretty(read(function(f"^bb0(%x: i32):\n{body}")))


def test_the_first_block_has_the_arguments_of_the_function() -> None:
    message = "a.mlir:2:1: the arguments of the first block are not those of `f`"
    assert errors(function('^bb0(%x: i64):\n"func.return"(%x) : (i64) -> ()')) == [message]


def test_a_function_has_one_region_and_no_operands() -> None:
    two = function('"a.b"() : () -> ()', "() -> ()").replace("\n}) :", "\n}, {\n}) :")
    with_operand = function('"a.b"() : () -> ()', "() -> ()").replace('"func.func"()', '"func.func"(%x)')
    for text in (two, with_operand.replace(": () -> ()\n", ": (i32) -> ()\n")):
        assert errors(text)[0] == "a.mlir:1:1: `func.func` has a region: only those of functions are read"


def test_all_errors_are_reported() -> None:
    text = function('^bb0(%x: i32):\n"a.b"(%y) : (i32) -> ()\n"a.b"(%z) : (i32) -> ()\n"c.d"() : () -> ()')
    assert len(errors(text)) == 2


def test_the_pretty_form_is_refused_with_help() -> None:
    with pytest.raises(DiagnosticError) as raised:
        read("func.func @f() {\n  return\n}\n")
    assert raised.value.diagnostics[0].help == "write the generic form: `mlir-opt --mlir-print-op-generic FILE`"
    assert len(raised.value.diagnostics) == 1


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_truncated_texts_end_in_diagnostics_or_in_a_program(path: Path) -> None:
    text, dice = path.read_text(), random.Random(path.stem)
    for _ in range(examples(30)):
        cut = text[: dice.randrange(len(text))]
        with suppress(DiagnosticError):
            assert check(read(cut)) == []


def test_mutants_of_foreign_operations_end_in_diagnostics_or_in_a_program() -> None:
    dice = random.Random("foreign")
    for _ in range(examples(100)):
        start, other = dice.randrange(len(FOREIGN)), dice.randrange(len(FOREIGN))
        copied = FOREIGN[other : other + dice.choice([0, 0, 1, 3, 20])]
        with suppress(DiagnosticError):
            with expressing(dice.choice(["none", "some"])):
                program = read(FOREIGN[:start] + copied + FOREIGN[start + dice.choice([0, 1, 1, 5]) :])
            assert check(program) == [] and ("mlir.module" not in program.attributes or module(program))


def test_a_text_with_many_errors_ends() -> None:
    assert len(errors('"a.b" ' * 1000)) <= max_errors() + 1
    errors("(" * 20_000)
    errors(function(f'%r:{"9" * 5000} = "a.b"() : () -> ()\n"a.b"() : () -> ()', "() -> ()"))
    errors('"a.b"(' + "{" * 10_000)


def test_brackets_nest_to_any_depth() -> None:
    deep = f"{'[' * 5000}1{']' * 5000}"
    text = function(f'"a.b"() {{deep = {deep}, other = "("}} : () -> ()\n"func.return"() : () -> ()', "() -> ()")
    with expressing("none"):
        assert deep in module(read(text))


# ------------------------------------------------------------------------------------------------------ the meaning

_BINARY = [
    *("addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrsi", "shrui"),
    *("divsi", "divui", "remsi", "remui", "maxsi", "maxui", "minsi", "minui"),
    *("ceildivsi", "ceildivui", "floordivsi"),
]
_EXTENDED = ["addui_extended", "mulsi_extended", "mului_extended"]
_WIDTHS = (8, 16, 24, 32, 64)


def _random_function(dice: random.Random, name: str) -> str:
    """A function of two `i64` that computes with integers of several widths, without undefined results."""
    lines, values = [], {64: ["%a", "%b"]}
    for width in _WIDTHS[:-1]:
        lines += [f"%{side}{width} = arith.trunci %{side} : i64 to i{width}" for side in "ab"]
        values[width] = [f"%a{width}", f"%b{width}"]
    for number in range(20):
        width, name_ = dice.choice(_WIDTHS), f"%v{number}"
        x, y = (dice.choice(values[width]) for _ in "xy")
        op = dice.choice([*_BINARY, *_EXTENDED, "select", "cmpi", "extui", "extsi", "trunci"])
        if op in ("extui", "extsi", "trunci"):
            others = [each for each in _WIDTHS if (each < width) == (op != "trunci") and each != width]
            if others:
                other = dice.choice(others)
                lines.append(f"{name_} = arith.{op} {dice.choice(values[other])} : i{other} to i{width}")
                values[width].append(name_)
            continue
        if op in ("select", "cmpi"):
            predicate = dice.choice(["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
            lines.append(f"%c{number} = arith.cmpi {predicate}, {x}, {y} : i{width}")
            made = f"select %c{number}, {y}, {x} : i{width}" if op == "select" else f"extsi %c{number} : i1 to i{width}"
            lines.append(f"{name_} = arith.{made}")
        elif op in _EXTENDED:
            is_sum = op[0] == "a"
            lines.append(f"%l{number}, %h{number} = arith.{op} {x}, {y} : i{width}{', i1' * is_sum}")
            lines += [f"%e{number} = arith.extui %h{number} : i1 to i{width}"] * is_sum
            lines.append(f"{name_} = arith.xori %l{number}, %{'e' if is_sum else 'h'}{number} : i{width}")
        else:
            if op[:2] in ("sh", "di", "re", "ce", "fl"):  # a small count, a divisor that is not -1
                lowest = 1 if op[0] in "sdr" else -7
                lines.append(f"%k{number} = arith.constant {dice.choice([*range(lowest, -1), 1, 2, 7])} : i{width}")
                y = f"%k{number}"
            lines.append(f"{name_} = arith.{op} {x}, {y} : i{width}")
        values[width].append(name_)
    total = {width: f"%a{width}" for width in _WIDTHS} | {64: "%a"}
    for width, known in values.items():  # the result depends on all values
        for number, value in enumerate(known):
            lines.append(f"%t{width}_{number} = arith.subi {total[width]}, {value} : i{width}")
            total[width] = f"%t{width}_{number}"
    lines += [f"%r{width} = arith.extsi {total[width]} : i{width} to i64" for width in _WIDTHS[:-1]]
    lines.append(f"%s0 = arith.xori %r8, {total[64]} : i64")
    lines += [f"%s{n} = arith.muli %s{n - 1}, %r{width} : i64" for n, width in enumerate(_WIDTHS[1:-1], 1)]
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @{name}(%a: i64, %b: i64) -> i64 {{\n{body}\n  return %s3 : i64\n}}\n"


@needs_mlir
def test_random_functions_compute_what_llvm_computes(tmp_path: Path) -> None:
    dice, count = random.Random("arith"), examples(30)
    text = "".join(_random_function(dice, f"f{number}") for number in range(count))
    pairs = [(dice.getrandbits(64) - (1 << 63), dice.choice([1, -1, dice.getrandbits(63)])) for _ in range(count)]
    driver = tmp_path / "driver.c"
    calls = "".join(f'printf("%ld\\n", f{n}({a}L, {b}L));' for n, (a, b) in enumerate(pairs))
    declared = "".join(f"long f{n}(long, long);" for n in range(count))
    driver.write_text(f"#include <stdio.h>\n{declared}\nint main(void) {{ {calls} }}\n")
    program = read(generic(text))
    expected = subprocess.run([compiled(text, tmp_path, str(driver))], capture_output=True, text=True).stdout.split()
    found = [evaluate(program, f"f{number}", pair) for number, pair in enumerate(pairs)]
    assert [str(each.value) for each in found if isinstance(each, Returned)] == expected


@pytest.mark.parametrize(
    ("op", "x", "y", "result"),
    [
        ("maximumf", -0.0, 0.0, 0.0), ("minimumf", 0.0, -0.0, -0.0), ("maximumf", math.nan, 1.0, math.nan),
        ("minimumf", 2.0, math.nan, math.nan), ("maxnumf", math.nan, 1.0, 1.0), ("minnumf", 2.0, math.nan, 2.0),
        ("maxnumf", -1.0, 3.0, 3.0), ("minnumf", -1.0, -math.inf, -math.inf), ("minimumf", 1.5, -2.0, -2.0),
    ],
)  # fmt: skip
def test_floating_extremes_concern_signs_and_numbers(op: str, x: float, y: float, result: float) -> None:
    body = f'^bb0(%x: f64, %y: f64):\n%0 = "arith.{op}"(%x, %y) : (f64, f64) -> f64\n"func.return"(%0) : (f64) -> ()'
    found = evaluate(read(function(body, "(f64, f64) -> f64")), "f", [x, y])
    assert isinstance(found, Returned) and repr(found.value) == repr(result)


@needs_mlir
def test_the_generic_form_with_locations_is_read() -> None:
    text = generic((ROOT / "tests" / "corpus" / "mlir" / "gcd.mlir").read_text(), "--mlir-print-debuginfo")
    assert "loc(" in text
    assert read(text).functions[0].span
