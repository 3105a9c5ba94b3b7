"""The front end for LLVM IR: modules as programs, written back, compiled, and what is refused."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpsconv import DiagnosticError, Source, convert
from cpsconv.core.source import STANDARD_INPUT, decode_source
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import language_of_source
from tests.conftest import Run
from tests.tables import table

pytest.importorskip("llvmlite", reason="LLVM IR is read with llvmlite")

from cpsconv.languages.llvm.normal_form import end
from cpsconv.languages.llvm.writer import module
from cpsconv.languages.ours import expressing
from testing.mem2reg import CLANG

RUSTC = shutil.which("rustc")
needs_clang = pytest.mark.skipif(CLANG is None, reason="clang is missing")

PROGRAMS = table("llvm_input")

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


@pytest.fixture(autouse=True)
def _kept() -> Iterator[None]:
    """Every instruction stays as it is."""
    with expressing("none"):
        yield


@pytest.fixture(autouse=True)
def _power(cpsconv: Run) -> None:
    Path("power.ll").write_text(LOOP)


def compiled(text: str, suffix: str, *options: str) -> None:
    """Compile a text to the module ``source.ll``."""
    Path(f"source{suffix}").write_text(text)
    if suffix == ".rs":
        command = [str(RUSTC), "--emit=llvm-ir", "-C", "panic=abort", "-C", "debug-assertions=off"]
    else:
        command = [str(CLANG), "-O0", "-S", "-emit-llvm"]
    command += [*options, f"source{suffix}", "-o", "source.ll"]
    subprocess.run(command, check=True, capture_output=True)


def behaviour(module: str, *libraries: str) -> tuple[int, str]:
    """The exit status and the output of the compiled module."""
    command = [str(CLANG), "-x", "ir", module, "-x", "none", *libraries, "-o", "program", "-Wno-override-module"]
    subprocess.run(command, check=True, capture_output=True)
    done = subprocess.run(["./program"], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout


def written_back(cpsconv: Run, path: str) -> str:
    """The module that a module becomes, which is converted once more without a change."""
    once = cpsconv("convert", "-w", "--emit", "llvm", path)
    assert once.status == 0, once.err
    again = cpsconv("convert", "-w", "--emit", "llvm", "-", stdin=once.out)
    assert again.out == once.out
    Path("out.ll").write_text(once.out)
    return once.out


# ------------------------------------------------------------------------------------------------------------ programs


def test_promoted_allocations_are_parameters_and_other_instructions_remain(cpsconv: Run) -> None:
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
    text = written_back(cpsconv, "power.ll")
    assert "alloca" not in text
    assert text.count(" = phi i32 ") == 2
    assert "br label %loop, !llvm.loop !0" in text


def test_cps_text_and_json_of_a_module_are_written_as_the_module(cpsconv: Run) -> None:
    for target in ("cps", "json"):
        cpsconv("convert", "power.ll", "--emit", target, "-o", f"power.{target}")
        done = cpsconv("convert", "--emit", "llvm", f"power.{target}")
        assert done.out == written_back(cpsconv, "power.ll")


def test_a_module_without_functions_remains_as_it_is(cpsconv: Run) -> None:
    text = 'module asm "nop"\n\n@table = constant [2 x i32] [i32 1, i32 2]\n\ndeclare void @f()\n'
    Path("data.ll").write_text(text)
    for suffix, target in {".ll": "llvm", ".cps": "cps", ".json": "json"}.items():
        cpsconv("convert", "data.ll", "--emit", target, "-o", f"out{suffix}")
        assert cpsconv("convert", "--emit", "llvm", f"out{suffix}") == (0, text, "")


@pytest.mark.parametrize("strategy", CONSTRUCTIONS)
def test_each_strategy_is_certified_and_written_as_a_valid_module(strategy: str) -> None:
    program = convert(Source("power.ll", LOOP), strategy=strategy, certify=True)
    assert module(program).count(" phi ") == 2


def test_every_kind_of_instruction_remains_as_it_is(cpsconv: Run) -> None:
    Path("all.ll").write_text(PROGRAMS["INSTRUCTIONS"])
    text = written_back(cpsconv, "all.ll")
    for line in (
        "%r1 = add nuw nsw i24 %x, %t1",
        "i256 99999999999999999999999999999999999999999999, label %f",
        "%v9 = getelementptr inbounds i32, <4 x ptr> %ps, i64 3",
        'store atomic volatile i32 0, ptr %as2 syncscope("singlethread") release, align 4',
        "indirectbr ptr %v2, [label %one, label %address.3, label %two]",
        "@tab = constant [2 x ptr] [ptr blockaddress(@indirect, %one), ptr blockaddress(@indirect, %address.3)]",
        "%sw = catchswitch within none [label %h1, label %h2, label %h2] unwind to caller",
        "%j = phi i32 [ %r, %entry_result ], [ %sel, %lp ]",
        "to label %ft [label %tgt, label %block0_result]",
        'call void @llvm.assume(i1 true) [ "ignore"(ptr poison, i64 4), "nonnull"(ptr %q) ]',
        "filter [1 x ptr] [ptr @g]",
        "call void @llvm.metadata(metadata i32 poison)",
        "br i1 xor (i1 ptrtoint (ptr @g to i1), i1 true), label %odd, label %even",
    ):
        assert line in text
    for choice in ("none", "some"):
        assert cpsconv("check", "--independent", "--ours", choice, "all.ll").status == 0
    for target in ("cps", "json"):
        cpsconv("convert", "all.ll", "--emit", target, "-o", f"all.{target}")
        again = cpsconv("convert", "--emit", "llvm", f"all.{target}").out
        assert again == text or (target == "cps" and again.count("\n") == text.count("\n"))  # names are not kept


def test_a_file_that_is_neither_text_nor_bitcode_is_refused(cpsconv: Run) -> None:
    Path("program.bc").write_bytes(b"\x7fELF\xd0\0")
    message = "error: program.bc: is neither bitcode, which begins with `BC` and 0xC0DE, nor text\n"
    assert cpsconv("check", "program.bc").err == message


def test_values_may_have_names_of_types(cpsconv: Run) -> None:
    Path("m.ll").write_text(
        "%T = type { i32 }\ndefine void @f(i32 %T, ptr %p) {\n  %x = load %T, ptr %p\n  store i32 %T, ptr %p\n"
        "  store %T %x, ptr %p\n  ret void\n}\n"
    )
    text = written_back(cpsconv, "m.ll")
    assert "@f(i32 %T.value, ptr %p)" in text and "load %T, ptr %p" in text and "store i32 %T.value" in text
    Path("m.ll").write_text(
        "%0 = type { i32 }\ndefine void @f(ptr %0) {\n  %2 = load %0, ptr %0\n  store %0 %2, ptr %0\n  ret void\n}\n"
    )
    assert "store %0 %value1, ptr %value" in written_back(cpsconv, "m.ll")


def test_standard_input_that_begins_like_a_module_is_one() -> None:
    for text, language in (
        (LOOP, "llvm"),
        ("; a comment\n\n; int f;\n@x = global i32 0\n", "llvm"),
        ('%"a b" = type { i8 }\n', "llvm"),
        ("BC\udcc0\udcde5\x14", "llvm"),
        ('// a comment\n"builtin.module"() ({\n}) : () -> ()\n', "mlir"),
        ("int define;\n", "c"),
        ("#define x\n", "c"),
        ("BC x;\n", "c"),
        ("", "c"),
    ):
        assert language_of_source(Source(STANDARD_INPUT, text)) == language
    assert language_of_source(Source(STANDARD_INPUT, LOOP), "cps") == "cps"


@needs_clang
@pytest.mark.parametrize("options", [(), ("-g",), ("-O1", "-g")], ids=str)
def test_a_c_program_behaves_as_before(cpsconv: Run, options: tuple[str, ...]) -> None:
    compiled(PROGRAMS["C"], ".c", *options)
    text = written_back(cpsconv, "source.ll")
    assert text.count("alloca i32") == (2 if "-O1" not in options else 0)  # those whose addresses escape
    assert behaviour("out.ll") == behaviour("source.ll") == (3, "1 1 2 3 5 8 13 \n12 b: 2, 10 2\n")


@needs_clang
@pytest.mark.parametrize("options", [(), ("-g",)], ids=str)
def test_exceptions_of_cpp_behave_as_before(cpsconv: Run, options: tuple[str, ...]) -> None:
    compiled(PROGRAMS["CPP"], ".cpp", *options)
    written_back(cpsconv, "source.ll")
    output = "~0\n~1\n~2\n~3\ncaught big, 0\n~4\ncaught big, 0\n"
    assert behaviour("out.ll", "-lstdc++") == behaviour("source.ll", "-lstdc++") == (8, output)


@needs_clang
@pytest.mark.skipif(RUSTC is None, reason="rustc is missing")
def test_a_rust_program_without_a_library_behaves_as_before(cpsconv: Run) -> None:
    compiled(PROGRAMS["RUST"], ".rs")
    written_back(cpsconv, "source.ll")
    assert behaviour("out.ll") == behaviour("source.ll") == (1, "12\n25\n")


@needs_clang
def test_bitcode_is_read(cpsconv: Run) -> None:
    compiled(PROGRAMS["C"], ".c")
    subprocess.run([str(CLANG), "-c", "-emit-llvm", "source.ll", "-o", "source.bc"], check=True)
    one, other = (cpsconv("convert", "-w", "--emit", "llvm", f"source.{suffix}").out for suffix in ("ll", "bc"))
    assert one.partition("define")[1:] == other.partition("define")[1:]


# ------------------------------------------------------------------------------------------------------------ commands


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("check",), "power.ll: ok, certified: 3 continuations, 2 parameters"),
        (("check", "--independent"), "certified by both checkers"),
        (("compare",), "cytron"),
        (("why", "power.ll:power", "p"), "line 14: store i32 %product, ptr %p"),
        (("explain",), "   8 │   %left = load i32, ptr %i"),
        (("graph",), "loop"),
        (("convert", "--emit", "ssa"), '"llvm.mul nsw i32 %, %"'),
        (("stats",), "1 converted"),
    ],
)
def test_commands_treat_modules_like_other_sources(cpsconv: Run, command: tuple[str, ...], expected: str) -> None:
    done = cpsconv(*command, *(() if "power.ll:power" in command else ("power.ll",)))
    assert (done.status, done.err) == (0, "")
    assert expected in done.out


def test_several_modules_are_converted_at_the_same_time(cpsconv: Run) -> None:
    Path("other.ll").write_text(LOOP)
    assert cpsconv("check", "-j", "2", "power.ll", "other.ll").out.count("certified") == 2


def test_a_run_ends_at_the_first_instruction(cpsconv: Run) -> None:
    done = cpsconv("run", "power.ll", "2", "3")
    message = "power.ll:9:3: runtime error: `power` reaches the foreign operation `llvm.icmp sgt i32 %, 0`\n"
    assert (done.status, done.err) == (134, message)


def test_optimisation_keeps_functions_that_instructions_name(cpsconv: Run) -> None:
    Path("calls.ll").write_text(
        "define internal i32 @f() {\n  ret i32 1\n}\ndefine i32 @main() {\n  %r = call i32 @f()\n  ret i32 %r\n}\n"
    )
    assert "define internal i32 @f()" in cpsconv("convert", "-O", "--emit", "llvm", "calls.ll").out
    assert "declare i32 @f()" in cpsconv("convert", "--emit", "llvm", "calls.ll:main").out


def test_a_page_shows_functions_that_end_nowhere(cpsconv: Run) -> None:
    Path("ends.ll").write_text("define void @f() {\n  unreachable\n}\n")
    assert cpsconv("explain", "--html", "page.html", "ends.ll").status == 0


# ------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("define i32 @f() {\n  ret i32 %x\n}\n", "m.ll:2:11: error: use of undefined value '%x'"),
        ("define i32 @f( {\n", "m.ll:1:17: error: expected type"),
        ("define void @f() {\nb:\n  br label %b\n}\n", "entry block to function must not have predecessors"),
        ("BC\xc0\xde", "m.ll: "),
    ],
)
def test_what_llvm_rejects_is_reported(cpsconv: Run, text: str, message: str) -> None:
    Path("m.ll").write_bytes(text.encode("latin-1"))
    done = cpsconv("convert", "m.ll")
    assert done.status == 1
    assert message.lower() in done.err.lower()


@pytest.mark.parametrize("end_of_line", ["\n", "\r\n"])
def test_errors_are_located_in_any_layout(cpsconv: Run, end_of_line: str) -> None:
    Path("m.ll").write_bytes(PROGRAMS["LAYOUT"].replace("\n", end_of_line).encode())
    done = cpsconv("check", "--ours", "all", "m.ll")
    found = [line.split(": ")[0] for line in done.err.splitlines() if ": error: " in line]
    assert found == ["m.ll:8:27", "m.ll:13:3", "m.ll:16:36"]


def test_a_module_that_ends_the_parser_is_refused_and_the_next_one_is_read(
    cpsconv: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    end()
    with monkeypatch.context() as patched:
        patched.setattr("sys.executable", shutil.which("false"))
        message = "error: power.ll: LLVM cannot read this module: its parser ended\n"
        assert (done := cpsconv("check", "power.ll")).err == message and done.status == 1
    assert cpsconv("check", "power.ll").status == 0


def test_changed_operations_are_rejected_when_the_module_is_written(cpsconv: Run) -> None:
    cpsconv("convert", "power.ll", "-o", "power.cps")
    text = Path("power.cps").read_text()
    Path("power.cps").write_text(text.replace("llvm.mul nsw", "llvm.mull"))
    assert "LLVM rejects the module" in cpsconv("convert", "--emit", "llvm", "power.cps").err
    Path("power.cps").write_text(text.replace('pure "llvm.add nsw i32 %, -1"(i) : int', "i - 1"))
    assert "LLVM IR cannot express the operation `-`" in cpsconv("convert", "--emit", "llvm", "power.cps").err


def mutated(data: bytes, dice: random.Random) -> bytes:
    """The module without its end, or with a few changes in lines or bytes."""
    if dice.random() < 0.1:
        return data[: dice.randrange(len(data))]
    lines = data.split(b"\n")
    for _ in range(dice.choice([1, 1, 2, 4])):
        one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
        lines[one] = dice.choice([b"", lines[other], lines[one].replace(b"i32", b"i64", 1), lines[one][:-3]])
    changed = bytearray(b"\n".join(lines))
    if dice.random() < 0.3:
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


@pytest.mark.parametrize("seed", range(40))
def test_mutated_modules_are_converted_or_rejected(seed: int) -> None:
    dice = random.Random(seed)
    data = dice.choice([LOOP, PROGRAMS["INSTRUCTIONS"]]).encode()
    try:
        program = convert(decode_source("m.ll", mutated(data, dice)), language="llvm", certify=True)
    except DiagnosticError as failure:
        assert "certificate" not in str(failure)
    else:
        assert module(program)
