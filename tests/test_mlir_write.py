"""MLIR as a target: LLVM's `mlir-opt` verifies the modules, and they behave, compiled, as the programs do."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, parse
from cpsconv.core.erasure import erased
from cpsconv.core.source import DiagnosticError
from cpsconv.targets.mlir import mlir
from testing.effort import sample
from testing.expectations import CORPUS, EXAMPLES, ROOT, expected_runs, has_main
from testing.mlir import compiled, generic, mlir_opt, needs_mlir, observed
from testing.running import program_of

PROGRAMS = [path for path in (*EXAMPLES, *CORPUS) if has_main(path.read_text(encoding="utf-8"))]
ODD = ("built_in_functions.c", "long_double.c")
"""The programs whose modules have foreign operations on integers of 80 bits, which the target does not write."""


def read(text: str) -> Program:
    """The program of a module in any form."""
    return convert(Source("a.mlir", generic(text)))


def test_figure_8_is_a_function_with_a_block_argument() -> None:
    assert mlir(convert(Source("fig8.c", (ROOT / "examples" / "fig8.c").read_text()))) == (
        """\
// f(x : int, ret : int → ⊥) → ⊥
func.func @f(%x: i32) -> i32 {
  %c0_i32 = arith.constant 0 : i32
  %c23_i32 = arith.constant 23 : i32
  %c42_i32 = arith.constant 42 : i32
  %v = arith.cmpi eq, %x, %c0_i32 : i32
  cf.cond_br %v, ^then, ^else
^then:
  cf.br ^next(%c23_i32 : i32)
^else:
  cf.br ^next(%c42_i32 : i32)
^next(%a: i32):
  return %a : i32
}
"""
    )


@needs_mlir
@pytest.mark.parametrize("path", sample(PROGRAMS, 12), ids=lambda path: path.stem)
def test_a_program_of_the_corpus_behaves_the_same(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    program = compiled(mlir(erased(convert(Source(str(path), text)))), tmp_path)
    for run in expected_runs(text):
        assert observed(program, run.arguments) == run.expected


@needs_mlir
@pytest.mark.parametrize("path", sample(PROGRAMS, 12, 5), ids=lambda path: path.stem)
def test_a_module_that_is_read_and_written_again_behaves_the_same(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    again = read(mlir(erased(convert(Source(str(path), text)))))
    if path.name in ODD:
        with pytest.raises(DiagnosticError, match="values of type `int<80>`"):
            mlir(again)
        return
    program = compiled(mlir(again), tmp_path)
    for run in expected_runs(text):
        assert observed(program, run.arguments) == run.expected


@needs_mlir
def test_every_form_of_names_is_accepted() -> None:
    text = """
`+`(`1` : int, `a b` : int, `été` : int, ret : int → ⊥) → ⊥ {
  let
    `^` := (`a?b` : int, `a b1` : int) → ⊥
      ret(`a?b` + `a b1`)
  in
  branch(`1` < `été`, λ(). `^`(`a b`, 1), λ(). `^`(2, `1`))
}
"""
    mlir_opt(mlir(parse(text)))


@needs_mlir
def test_values_that_may_be_undefined_are_checked(tmp_path: Path) -> None:
    text = "int f(int x) { int a; if (x > 3) a = x; return a; }\nint main() { return f(4) + f(2); }"
    assert observed(compiled(mlir(program_of(text)), tmp_path), []).status == "error"


@needs_mlir
def test_cases_of_128_bits_are_compared(tmp_path: Path) -> None:
    text = """
f(x : __int128, ret : int → ⊥) → ⊥ {
  switch(x, 1237940039285380274899124224i128 ⇒ λ(). ret(1), -1i128 ⇒ λ(). ret(2), _ ⇒ λ(). ret(3))
}
main(ret : int → ⊥) → ⊥ {
  f(1237940039285380274899124224i128, λ(a : int).
  f(-1i128, λ(b : int).
  f(5i128, λ(c : int).
  ret(a * 100 + b * 10 + c))))
}
"""
    assert observed(compiled(mlir(parse(text)), tmp_path), []).status == 123


# ---------------------------------------------------------------------------------------------- foreign operations

FOREIGN = """
memref.global "private" @table : memref<4xi32> = dense<[1, 2, 3, 4]>
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%d\\0A\\00")
func.func private @pair(%a: i32) -> (i32, i32) {
  %b = arith.addi %a, %a : i32
  return %a, %b : i32, i32
}
llvm.func @through(%p: !llvm.ptr, %x: i64) -> i32 {
  %c = llvm.trunc %x : i64 to i1
  llvm.cond_br %c, ^one, ^other(%x : i64)
^one:
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.return %v : i32
^other(%y: i64):
  llvm.switch %y : i64, ^end(%x : i64) [2: ^end(%y : i64), 3: ^one]
^end(%z: i64):
  %w = llvm.trunc %z : i64 to i32
  llvm.return %w : i32
}
func.func @main() -> i32 attributes {my.attribute = "x"} {
  %i = arith.constant 2 : index
  %t = memref.get_global @table : memref<4xi32>
  %three = memref.load %t[%i] : memref<4xi32>
  %three_and_six:2 = call @pair(%three) : (i32) -> (i32, i32)
  %sum = arith.addi %three_and_six#0, %three_and_six#1 : i32
  %p = llvm.mlir.addressof @format : !llvm.ptr
  %n = llvm.call @printf(%p, %sum) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %two = llvm.mlir.constant(2 : i64) : i64
  %r = llvm.call @through(%p, %two) : (!llvm.ptr, i64) -> i32
  %status = arith.addi %n, %r : i32
  return %status : i32
}
"""


@needs_mlir
def test_operations_of_other_dialects_are_written_as_they_were(tmp_path: Path) -> None:
    written = mlir(read(FOREIGN))
    for each in ('"memref.load"(', 'my.attribute = "x"', ":2 = func.call @pair(", '"llvm.trunc"('):
        assert each in written
    lowered = mlir_opt(written, "--convert-index-to-llvm", "--finalize-memref-to-llvm")
    observation = observed(compiled(lowered, tmp_path), [])
    assert (observation.output, observation.status) == ("9\n", 4)


@needs_mlir
def test_reading_and_writing_is_stable() -> None:
    once = mlir(read(FOREIGN))
    assert mlir(read(once)) == mlir(read(mlir(read(once))))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('f(ret : int → ⊥) → ⊥ {\n  v := "tail"() : int;\n  ret(v)\n}', "the foreign operation `tail`"),
        ("f(t : $ml.list, ret : int → ⊥) → ⊥ {\n  ret(1)\n}", "the foreign type `$ml.list`"),
        ('f(ret : int → ⊥) → ⊥ {\n  "never"()\n}', "the foreign operation `never`"),
        ('f(x : int<24>, ret : int → ⊥) → ⊥ {\n  "a.b"(x);\n  ret(1)\n}', "on values of type `int<24>`"),
        ("f(k : int → ⊥, ret : int → ⊥) → ⊥ {\n  k(3)\n}", "the parameter `k` of `f` is a continuation"),
    ],
)
def test_what_mlir_cannot_express_is_named(text: str, what: str) -> None:
    with pytest.raises(DiagnosticError, match="not expressible in ") as raised:
        mlir(parse(text))
    assert what in raised.value.diagnostics[0].message
