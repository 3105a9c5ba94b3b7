"""The front end for LLVM IR: modules as programs, written back, compiled, and what is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cpsconv import Source, convert
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages.llvm.writer import module
from tests.conftest import Run

pytest.importorskip("llvmlite", reason="LLVM IR is read with llvmlite")

CLANG = next(filter(None, map(shutil.which, ("clang-22", "clang"))), None)
needs_clang = pytest.mark.skipif(CLANG is None, reason="clang is missing")

LOOP = """\
define i32 @power(i32 %x, i32 %n) {
  %p = alloca i32
  %i = alloca i32
  store i32 1, ptr %p
  store i32 %n, ptr %i
  br label %loop
loop:
  %left = load i32, ptr %i
  %goes.on = icmp sgt i32 %left, 0
  br i1 %goes.on, label %body, label %done
body:
  %before = load i32, ptr %p
  %product = mul nsw i32 %before, %x
  store i32 %product, ptr %p
  %next = add nsw i32 %left, -1
  store i32 %next, ptr %i
  br label %loop, !llvm.loop !0
done:
  %result = load i32, ptr %p
  ret i32 %result
}
!0 = distinct !{!0}
"""


def compiled(text: str, *options: str, suffix: str = ".c") -> str:
    """The module that clang makes of a text."""
    Path(f"source{suffix}").write_text(text)
    command = [str(CLANG), "-O0", "-S", "-emit-llvm", *options, f"source{suffix}", "-o", "source.ll"]
    subprocess.run(command, check=True, capture_output=True)
    return Path("source.ll").read_text()


def behaviour(module: Path) -> tuple[int, str]:
    """The exit status and the output of the compiled module."""
    command = [str(CLANG), "-x", "ir", str(module), "-o", "program", "-lm", "-Wno-override-module"]
    subprocess.run(command, check=True, capture_output=True)
    done = subprocess.run(["./program"], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout


def written_back(cpsconv: Run, path: str) -> str:
    """The module that a module becomes, which is converted once more without a change."""
    once = cpsconv("convert", "-w", "--emit", "llvm", path)
    assert once.status == 0, once.err
    again = cpsconv("convert", "-w", "--emit", "llvm", "--lang", "llvm", "-", stdin=once.out)
    assert again.out.replace("<stdin>", path) == once.out
    return once.out


def test_promoted_allocations_are_parameters_and_other_instructions_remain(cpsconv: Run) -> None:
    Path("power.ll").write_text(LOOP)
    done = cpsconv("convert", "power.ll")
    assert done.out.partition(");\n")[2] == (
        """\
@llvm.header("define i32 @power(i32 %, i32 %) {") power(
  x : int,
  n : int,
  ret : int → ⊥
) → ⊥ {
  let
    loop := (i : int, p : int) → ⊥
      `goes.on` := pure "llvm.icmp sgt i32 %, 0"(i) : bool;
      let
        body := () → ⊥
          product := pure "llvm.mul nsw i32 %, %"(p, x) : int;
          next := pure "llvm.add nsw i32 %, -1"(i) : int;
          "llvm.metadata !llvm.loop !0"();
          loop(next, product)
        done := () → ⊥
          ret(p)
      in
      branch(`goes.on`, body, done)
  in
  loop(n, 1)
}
"""
    )


def test_the_module_is_written_with_a_phi_function_for_each_parameter(cpsconv: Run) -> None:
    Path("power.ll").write_text(LOOP)
    text = written_back(cpsconv, "power.ll")
    assert "alloca" not in text
    assert text.count(" = phi i32 ") == 2
    assert "br label %loop, !llvm.loop !0" in text


def test_cps_text_of_a_module_is_written_as_the_module(cpsconv: Run) -> None:
    Path("power.ll").write_text(LOOP)
    cpsconv("convert", "power.ll", "-o", "power.cps")
    assert cpsconv("convert", "--emit", "llvm", "power.cps").out == cpsconv("convert", "--emit", "llvm", "power.ll").out


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
def test_each_strategy_is_certified_and_written_as_a_valid_module(strategy: str) -> None:
    program = convert(Source("power.ll", LOOP), strategy=strategy, certify=True)
    assert module(program).count(" phi ") >= 2


@needs_clang
@pytest.mark.parametrize("options", [(), ("-g",), ("-O1",)], ids=str)
def test_a_program_from_clang_behaves_as_before(cpsconv: Run, options: tuple[str, ...]) -> None:
    text = compiled(C_PROGRAM, *options)
    Path("out.ll").write_text(written_back(cpsconv, "source.ll"))
    assert behaviour(Path("out.ll")) == behaviour(Path("source.ll")) == (3, "1 1 2 3 5 8 13 \n12 b: 2\n")
    assert text.count("alloca i32") >= Path("out.ll").read_text().count("alloca i32")


C_PROGRAM = r"""
#include <stdio.h>
struct pair { int a; double b; };
static int fib(int n) { int a = 0, b = 1; while (n-- > 0) { int t = a + b; a = b; b = t; } return a; }
static const char *name(unsigned k) { switch (k) { case 1: return "a"; case 2: return "b"; default: return "?"; } }
static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
int main(void) {
  struct pair p = { 1, 2.0 };
  for (int i = 1; i < 9; i++) { if (i == 8) break; printf("%d ", fib(i)); }
  int x = 2, y = 12;
  swap(&x, &y);
  p.b += x > 10 && y < 10 ? 0 : 1;
  printf("\n%d %s: %g\n", x, name(y), p.b);
  return p.a + y;
}
"""
