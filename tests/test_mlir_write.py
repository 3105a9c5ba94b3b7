"""MLIR as a target: LLVM's `mlir-opt` verifies the modules, and they behave, compiled, as the programs do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.mlir import table
from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.core.erasure import erased
from cpsconv.core.source import DiagnosticError
from cpsconv.languages.mlir.writer import module
from cpsconv.languages.ours import expressing
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.mlir import mlir
from testing.effort import sample
from testing.expectations import CORPUS, EXAMPLES, ROOT, expected_runs, has_main
from testing.mlir import SEPARATOR, compiled, each_compiled, each_generic, mlir_opt, needs_mlir, observed
from testing.running import program_of
from tests.conftest import Run

PROGRAMS = [path for path in (*EXAMPLES, *CORPUS) if has_main(path.read_text(encoding="utf-8"))]


def kept(text: str) -> Program:
    """The program of a module in the generic form, with every operation as it is."""
    with expressing("none"):
        return convert(Source("a.mlir", text), certify=True)


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
def test_programs_of_the_corpus_behave_the_same_also_read_and_written_again(tmp_path: Path) -> None:
    texts = [path.read_text(encoding="utf-8", errors="surrogateescape") for path in sample(PROGRAMS, 16)]
    written = [
        mlir(erased(convert(Source("p.c", text))), locations=number % 2 == 0) for number, text in enumerate(texts)
    ]
    modules = each_generic(written, "--mlir-print-debuginfo")
    assert all(('loc("p.c":' in each) == (number % 2 == 0) for number, each in enumerate(modules))
    programs = each_compiled([module(kept(each)) for each in modules], tmp_path)
    for text, program in zip(texts, programs, strict=True):
        for run in expected_runs(text):
            assert observed(program, run.arguments) == run.expected


@needs_mlir
def test_the_document_compares_our_structuring_with_that_of_mlir() -> None:
    lines = (ROOT / "docs" / "mlir.md").read_text(encoding="utf-8").splitlines()
    stated = [line for line in lines if re.match(r"\| `\w+\.c` ", line)]
    names = dict.fromkeys(line.split("`")[1] for line in stated)
    found = {path.name: path for path in (*EXAMPLES, *CORPUS)}
    assert [*table([found[name] for name in names])] == stated and len(stated) == 10


@needs_mlir
def test_operations_functions_and_arguments_have_locations() -> None:
    text = """\
int f(int x, long y) {
  switch (x) { case 1: y = 5; }
  while (x < y) x *= 2;
  return x;
}
"""
    written = mlir(convert(Source('a "b".c', text)), locations=True)
    located = re.findall(r'([^,(]*?) loc\("a \\22b\\22\.c":([\d:]+)\)', written)
    assert [f"{text.split()[-1]} {place}" for text, place in located] == [
        *("i32 1:11", "i64 1:19", "] 2:11", "i64) 2:24", "i64 1:19", "i32) 3:3", "i32 1:11", "i64 3:10"),
        *("i64 3:10", "^exit1 3:10", "i32 3:17", "i32) 3:17", "i32 4:10", "} 1:5"),
    ]
    printed = mlir_opt(written, "--mlir-print-debuginfo", "--mlir-print-local-scope")
    places = re.findall(r'loc\("a \\22b\\22\.c":([\d:]+)\)', printed)
    assert sorted(places) == sorted(place for _, place in located)


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


# --------------------------------------------------------------------------------------------- modules as sources


def canonical(texts: Sequence[str]) -> list[list[str]]:
    """The sorted lines of modules in the generic form with locations; names of values and blocks are removed."""
    options = "--allow-unregistered-dialect", "--mlir-print-debuginfo", "--mlir-print-local-scope"
    modules = each_generic(texts, *options)
    masked = [re.sub(r"%[\w#]+|\^\w+|  // .*", "_", each).split("\n") for each in modules]
    return [sorted(map(str.strip, lines)) for lines in masked]


@needs_mlir
def test_modules_of_many_dialects_are_written_as_they_were_also_from_cps_text() -> None:
    modules = (ROOT / "tests" / "tables" / "dialects.mlir").read_text(encoding="utf-8").split(SEPARATOR)
    texts = each_generic(modules, "--mlir-print-debuginfo", "--allow-unregistered-dialect")
    programs = [kept(text) for text in texts]
    written = [module(program) for program in programs]
    assert [module(kept(text)) for text in written] == written
    again = [module(parse(pretty(program))) for program in programs]
    before = canonical(texts)
    assert len(before) == 4 and [canonical(written), canonical(again)] == [before, before]


KEPT = """\
// The second function is not called.
"func.func"() <{function_type = (i7) -> i7, sym_name = "f"}> ({
^bb0(%x: i7 loc("x")):
  "cf.br"(%x, %x)[^a] : (i7, i7) -> () loc("jump")
^a(%y: i7 loc("y"), %unchanged: i7):
  %sum = "arith.addi"(%y, %unchanged) <{overflowFlags = #arith.overflow<nsw>}> : (i7, i7) -> i7 loc("sum")
  %less = "arith.cmpi"(%sum, %x) <{predicate = 2 : i64}> : (i7, i7) -> i1
  "cf.cond_br"(%less, %sum, %x)[^a, ^end] <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i1, i7, i7) -> () loc("turn")
^end:
  "func.return"(%sum) : (i7) -> ()
}) {my.attribute = affine_set<(d0) : (d0 - 1 >= 0, d0 == 2)>} : () -> () loc("function")
"func.func"() <{function_type = () -> (), sym_name = "g"}> ({
  "func.return"() : () -> ()
}) : () -> ()
"""


def test_a_module_is_written_with_fewer_arguments_of_blocks(cpsconv: Run) -> None:
    Path("f.mlir").write_text(KEPT)
    written = KEPT.replace("(%x, %x)[^a] : (i7, i7)", "(%x)[^a] : (i7)").replace(", %unchanged: i7):", "):")
    written = written.replace("%unchanged", "%x").replace("(%less, %sum, %x)", "(%less, %sum)")
    written = written.replace("1, 2, 0", "1, 1, 0").replace("(i1, i7, i7)", "(i1, i7)")
    assert cpsconv("convert", "--emit", "mlir", "f.mlir").out.split() == written.split()
    declared = '<{function_type = () -> (), sym_name = "g", sym_visibility = "private"}> ({}) : () -> ()'
    assert declared in cpsconv("convert", "--emit", "mlir", "f.mlir:f").out
    ours = cpsconv("convert", "--emit", "mlir", "--ours", "some", "f.mlir").out
    assert "llvm.func @f(%x: i7 {llvm.signext})" in ours
    changed = re.sub(r'pure "arith\.addi [^;]*;', "y + x;", pretty(kept(KEPT)))
    refused = cpsconv("convert", "--emit", "mlir", "--lang", "cps", "-", stdin=changed).err
    assert "error: MLIR cannot express the operation `+`, which was not read from it" in refused


def test_blocks_are_written_in_the_order_in_which_they_are_read_again(cpsconv: Run) -> None:
    Path("f.mlir").write_text("""\
"func.func"() <{function_type = (i32, i1) -> (), sym_name = "f"}> ({
^bb0(%x: i32, %c: i1):
  "cf.br"()[^b] : () -> ()
^a:
  "cf.cond_br"(%c)[^b, ^a] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^b:
  %r = "test.fork"(%x)[^a, ^b] : (i32) -> i32
}) : () -> ()
""")
    written = cpsconv("convert", "--emit", "mlir", "f.mlir").out
    again = cpsconv("convert", "--emit", "mlir", "-", stdin=written).out
    assert "^to_b" in written and again == written


def test_functions_that_share_lines_are_written_on_lines_of_their_own() -> None:
    end = '({ "x.end"() : () -> () }) : () -> ()'
    first, second = (f'"func.func"() <{{function_type = () -> (), sym_name = "{name}"}}> {end}' for name in "fg")
    written = module(kept(f'"builtin.module"() ({{ {first} {second} }}) : () -> ()'))
    assert module(kept(written)) == written and written.count('"x.end"') == 2


def test_the_list_of_the_sizes_of_edges_is_written(cpsconv: Run) -> None:
    Path("f.mlir").write_text("""\
"llvm.func"() <{function_type = !llvm.func<void (ptr, i32)>, sym_name = "f"}> ({
^bb0(%p: !llvm.ptr, %x: i32):
  "llvm.indirectbr"(%p, %x, %x)[^a, ^b] <{indbr_operand_segments = array<i32: 1, 1>}> : (!llvm.ptr, i32, i32) -> ()
^a(%y: i32):
  "x.switch"(%y, %x, %y)[^b, ^a] <{case_operand_segments = array<i32: 1>}> : (i32, i32, i32) -> ()
^b(%q: i32):
  %z = "x.new"() : () -> i32
  "llvm.br"(%z)[^a] : (i32) -> ()
}) : () -> ()
""")
    written = cpsconv("convert", "--emit", "mlir", "f.mlir").out
    assert "(%p, %x)[^a, ^b] <{indbr_operand_segments = array<i32: 1, 0>}> : (!llvm.ptr, i32) -> ()" in written
    assert '"x.switch"(%y, %y)[^b, ^a] <{case_operand_segments = array<i32: 1>}> : (i32, i32) -> ()' in written


def test_a_transfer_that_a_pass_replaces_loses_its_text(cpsconv: Run) -> None:
    Path("f.mlir").write_text("""\
"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({
^bb0(%c: i1):
  "cf.cond_br"(%c)[^a, ^b] <{branch_weights = array<i32: 1, 2>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^a:
  "a.b"() : () -> ()
  "cf.cond_br"(%c)[^c, ^b] <{branch_weights = array<i32: 3, 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^b:
  "func.return"() : () -> ()
^c:
  "test.end"() : () -> ()
}) : () -> ()
""")
    written = cpsconv("convert", "--emit", "mlir", "--thread-jumps", "f.mlir").out
    assert "1, 2>" in written and "3, 4>" not in written


def test_commands_and_formats_keep_modules(cpsconv: Run) -> None:
    Path("f.mlir").write_text(KEPT)
    Path("g.mlir").write_text(KEPT)
    assert "define signext i7 @f(i7 signext %x)" in cpsconv("convert", "--emit", "llvm", "f.mlir").out
    written = cpsconv("convert", "--emit", "mlir", "f.mlir").out
    for target, name in (("json", "f.json"), ("cps", "f.cps")):
        assert cpsconv("convert", "--ours", "none", "--emit", target, "f.mlir", "-o", name).status == 0
        assert cpsconv("convert", "--emit", "mlir", "--lang", "cps", name).out == written
    assert cpsconv("fmt", "f.cps").out == Path("f.cps").read_text()
    for optimised in ("-O2", "--thread-jumps", "--strategy=basic"):
        assert '"arith.addi"' in cpsconv("convert", "--emit", "mlir", optimised, "f.mlir").out
    assert cpsconv("check", "-j", "2", "--ours", "none", "f.mlir", "g.mlir").out.splitlines() == [
        f"{name}.mlir: ok, certified: 2 continuations, 1 parameter" for name in "fg"
    ]
    for command in ("compare", "explain", "graph", "stats"):
        assert cpsconv(command, "--ours", "none", "f.mlir").status == 0
    assert "(declared on line 5)" in cpsconv("why", "f.mlir:f", "y").out
    cpsconv("explain", "--html", "page.html", "f.mlir")
    assert "overflowFlags" in Path("page.html").read_text()
    Path("g.mlir").write_text(KEPT.replace('"f"', '"main"').replace('"g"', '"h"'))
    assert "another module\n" in (linked := cpsconv("convert", "--emit", "mlir", "f.mlir", "g.mlir").err)
    assert "help: choose `--ours some` to link modules" in linked
    refused = cpsconv("run", "--ours", "none", "--entry", "f", "f.mlir", "1").err
    assert refused.startswith("f.mlir:4:3: runtime error: `f` reaches the foreign operation `mlir.transfer cf.br`")


def test_a_foreign_operation_is_refused_where_others_are_ours() -> None:
    text = 'f(ret : int → ⊥) → ⊥ {\n  v := "memref.load"() : int;\n  ret(v)\n}'
    with pytest.raises(DiagnosticError, match=r"the target `mlir` cannot write the foreign operation `memref\.load`"):
        TARGETS["mlir"](parse(text), Style())
    text = "f(k : int → ⊥, ret : int → ⊥) → ⊥ {\n  k(3)\n}"
    with pytest.raises(DiagnosticError, match="not expressible in MLIR: the parameter `k` of `f` is a continuation"):
        mlir(parse(text))
