"""The meaning of LLVM IR: modules that run as natively compiled, what stays foreign, and the choice ``--ours``."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from testing.effort import examples
from testing.expectations import CORPUS, Observation, expected_runs
from tests.conftest import Run
from tests.tables import table

pytest.importorskip("llvmlite", reason="LLVM IR is read with llvmlite")

from cpsconv.engines import ENGINES
from cpsconv.languages.arithmetic import BINARY, CASTS, COMPARISONS
from cpsconv.languages.ours import current_choice, expressing, keeping
from testing.llvm_arithmetic import cases, drawn_expressions, module_of
from testing.mem2reg import CLANG

PROGRAMS = table("llvm_ours")
RUSTC = shutil.which("rustc")
RUN = ("run", "--engine", "machine")
"""The command for programs that run once: the machine starts sooner than engines that compile."""

needs_clang = pytest.mark.skipif(CLANG is None, reason="clang is missing")
needs_rustc = pytest.mark.skipif(RUSTC is None, reason="rustc is missing")


def compiled(*arguments: str) -> None:
    """Run clang without optimisation and warnings."""
    subprocess.run([str(CLANG), "-O0", "-w", "-fwrapv", *arguments], check=True, capture_output=True)


def refused(cpsconv: Run, file: str) -> str:
    """The errors for the instructions of a module that no operation expresses."""
    return cpsconv("check", "--ours", "all", "--max-errors", "0", file).err


# -------------------------------------------------------------------------------------------------- whole programs


@needs_clang
def test_instructions_and_intrinsics_have_the_results_of_native_code(cpsconv: Run) -> None:
    found = [*cases(), *drawn_expressions(examples(400))]
    Path("arithmetic.ll").write_text(module_of(found))
    compiled("arithmetic.ll", "-o", "arithmetic", "-lm")
    native = subprocess.run(["./arithmetic"], capture_output=True, text=True, check=True).stdout
    done = cpsconv("run", "--engine", "llvm", "--ours", "all", "arithmetic.ll")  # it runs for long
    assert (done.status, done.err) == (0, "")
    for ours, theirs in zip(done.out.splitlines(), native.splitlines(), strict=True):
        assert ours == theirs, found[int(ours.split()[0])]
    words = {word for case in found for word in re.findall(r"\w+", case.lines)}
    rows = {*BINARY, *CASTS, *COMPARISONS["icmp"], *COMPARISONS["fcmp"]}
    assert rows - words == {"ptrtoaddr"}  # newer than some versions of LLVM that are read


KINDS = {
    "addresses_in_unions",
    "alloca_in_a_loop",
    "arguments_of_main",
    "bit_fields",
    "complex_roots",
    "constructors_and_destructors",
    "functions_without_prototypes",
    "hash_table",
    "int128",
    "library_functions_as_values",
    "offsets_of_labels",
    "parameters_of_type_struct",
    "quotients_and_remainders",
    "string_functions",
    "unions",
    "variable_arguments",
}
"""Programs of the corpus that differ in kind."""


@needs_clang
def test_programs_of_c_behave_as_their_sources_say(cpsconv: Run) -> None:
    sources = [path for path in CORPUS if path.stem in KINDS]
    assert len(sources) == len(KINDS)
    compiled("-S", "-emit-llvm", *map(str, sources))
    for path in sources:
        for run in expected_runs(path.read_text(encoding="utf-8")):
            done = cpsconv(*RUN, f"{path.stem}.ll", *run.arguments)
            assert Observation(done.out, done.status) == run.expected, path.stem


@needs_clang
@pytest.mark.parametrize("name", ["AGGREGATES", "UNUSUAL"])
def test_values_are_passed_and_computed_as_in_native_code(cpsconv: Run, name: str) -> None:
    given, expected = PROGRAMS[name].split("----\n")
    Path("a.c").write_text(given)
    compiled("-S", "-emit-llvm", "a.c")
    done = cpsconv(*RUN, "a.ll")
    assert (done.status, done.out) == (0, expected), done.err


@needs_clang
def test_vectors_are_computed_element_by_element(cpsconv: Run) -> None:
    Path("v.c").write_text(PROGRAMS["VECTORS"])
    expected = PROGRAMS["VECTORS"].partition("// ")[2].replace("\n// ", "\n")
    for level in ("-O0", "-O2"):
        compiled(level, "-S", "-emit-llvm", "v.c")
        done = cpsconv(*RUN, "--ours", "all", "v.ll")
        assert (done.status, done.out) == (0, expected), done.err


def test_phi_functions_of_aggregates_are_parameters_for_their_members(cpsconv: Run) -> None:
    Path("p.ll").write_text(PROGRAMS["PHI"])
    assert cpsconv(*RUN, "--ours", "all", "p.ll").out == "5 9\n"


def test_overflow_of_vectors_is_computed_element_by_element(cpsconv: Run) -> None:
    Path("v.ll").write_text(PROGRAMS["OVERFLOW"])
    assert cpsconv(*RUN, "--ours", "all", "v.ll").status == 29


def test_a_truth_value_may_be_switched_on(cpsconv: Run) -> None:
    cases = "[ i1 false, label %no\n i1 true, label %yes ]"
    Path("s.ll").write_text(
        f"define i32 @f(i1 %c) {{\n  switch i1 %c, label %none {cases}\nno:\n  switch i1 true, label %none [ ]\n"
        "yes:\n  br label %none\nnone:\n  %r = phi i32 [ 7, %0 ], [ 5, %no ], [ 6, %yes ]\n  ret i32 %r\n}\n"
    )
    for word, result in (("true", "6"), ("false", "5")):
        assert cpsconv("run", "--ours", "all", "s.ll:f", word).out == f"{result}\n"


def test_freeze_gives_a_value_to_what_has_none(cpsconv: Run) -> None:
    Path("z.ll").write_text(PROGRAMS["FROZEN"])
    done = cpsconv(*RUN, "-Werror", "z.ll")
    assert (done.status, done.err) == (0, "")


def test_copies_of_structs_and_unions_keep_the_bytes_that_were_written(cpsconv: Run) -> None:
    Path("c.ll").write_text(PROGRAMS["COPIES"])
    done = cpsconv(*RUN, "c.ll")
    assert (done.status, done.err) == (11, "")
    Path("c.ll").write_text(PROGRAMS["COPIES"].replace("align 4", "align 8"))
    assert "is used uninitialised" in cpsconv(*RUN, "c.ll").err


def test_a_target_with_another_layout_of_memory_has_a_warning(cpsconv: Run) -> None:
    for layout in ("E-m:e-i1:8:16-i8:8:16-i64:64", "e-m:e-p:32:32-p270:32:32-f80:32", "e-m:e-p270:32:32-p272:64:64"):
        Path("t.ll").write_text(f'target datalayout = "{layout}"\n\n{PROGRAMS["COPIES"]}')
        start = "t.ll:1:1: warning: this target lays out memory otherwise"
        assert cpsconv("check", "t.ll").err.startswith(start) == ("p272" not in layout)
        assert cpsconv("check", "--ours", "none", "t.ll").err == ""


def test_arguments_that_are_not_used_need_no_value(cpsconv: Run) -> None:
    Path("z.ll").write_text(PROGRAMS["UNUSED"])
    done = cpsconv(*RUN, "-Werror", "z.ll")
    assert (done.status, done.err) == (6, "")
    assert cpsconv("check", "-Werror", "z.ll").status == 0
    Path("z.ll").write_text(PROGRAMS["UNUSED"].replace("i32 poison", "i32 noundef poison"))
    assert cpsconv("check", "-Werror", "z.ll").status == 1


def test_scalars_are_passed_in_objects_and_superfluous_arguments_dropped(cpsconv: Run) -> None:
    Path("p.ll").write_text(PROGRAMS["POINTERS"])
    for options in ([], ["--explicit-memory"]):
        done = cpsconv(*RUN, "--ours", "all", *options, "p.ll")
        assert (done.status, done.out) == (151, "bye\n"), done.err


def test_a_function_of_the_library_that_is_called_as_another_one_stays_foreign(cpsconv: Run) -> None:
    Path("c.ll").write_text(
        "declare i32 @cexp(...)\ndeclare void @__muldc3(ptr, double, double, double, double)\n"
        "define void @other(ptr %p) {\n  call void @__muldc3(ptr %p, double 1.0, double 1.0, double 1.0, double 1.0)\n"
        "  ret void\n}\ndefine i32 @main() {\n  %x = call i32 (...) @cexp(i32 1)\n  ret i32 %x\n}\n"
    )
    assert "`main` reaches the foreign operation `llvm.call i32 (...) @cexp(i32 1)`" in cpsconv(*RUN, "c.ll").err


def test_assembler_text_without_instructions_may_be_in_a_tail_call(cpsconv: Run) -> None:
    line = '%x = tail call i32 asm sideeffect "", "=r,0,~{dirflag},~{memory}"(i32 41)'
    Path("a.ll").write_text(f"define i32 @main() {{\n{line}\nret i32 %x\n}}\n")
    assert cpsconv(*RUN, "--ours", "all", "a.ll").status == 41


def test_the_address_space_of_an_allocation_is_no_operand(cpsconv: Run) -> None:
    lines = "%a = alloca i32, addrspace(5)\n%i = ptrtoint ptr addrspace(5) %a to i32\nret i32 %i"
    Path("s.ll").write_text(f"define i32 @main() {{\n{lines}\n}}\n")
    assert cpsconv("check", "--ours", "all", "s.ll").status == 0


def test_the_bits_of_one_unsigned_number_are_reversed(cpsconv: Run) -> None:
    reverse = "@llvm.bitreverse.i32(i32"
    Path("r.ll").write_text(
        f"declare i32 {reverse})\ndefine i32 @main(i32 %n) {{\n%r = call i32 {reverse} %n)\nret i32 %r\n}}\n"
    )
    assert cpsconv("convert", "r.ll").out.count("unsigned(") == 1


@needs_clang
def test_a_program_of_c_plus_plus_runs_until_it_throws_an_exception(cpsconv: Run) -> None:
    Path("a.cpp").write_text(PROGRAMS["CXX"])
    compiled("-g", "-S", "-emit-llvm", "a.cpp")
    text = Path("a.ll").read_text()
    for limit, status in ((10, 0), (2, 134)):
        Path("a.ll").write_text(text.replace("@limit = external global i32", f"@limit = global i32 {limit}"))
        done = cpsconv(*RUN, "a.ll")
        assert done.status == status, done.err
        assert done.out.startswith("+global\n+main\n+loop\n+f\n-f\n-loop\n+loop\n")
        assert done.out.endswith("41 2.5\n-main\n-global\n") == (status == 0)
    warning, *_, error = done.err.splitlines()
    assert error == "a.cpp:10:52: runtime error: `_ZL1fi` calls `__cxa_throw`, which is not defined"
    assert warning.startswith("a.cpp:5:94: warning: `invoke` becomes a call") and "[-Wdropped-handlers]" in warning
    assert cpsconv("convert", "--emit", "c", "a.ll").err.count("warning: `invoke`") == 1
    assert cpsconv("convert", "--emit", "llvm", "-Werror", "a.ll").status == 0  # it keeps the handlers
    found = re.findall(r"(\d+):\d+: error: no operation of the program expresses `(\w+)`", refused(cpsconv, "a.ll"))
    assert {("10", "invoke"), ("10", "landingpad"), ("16", "invoke")} <= {*found}


@needs_clang
def test_the_choice_goes_with_other_options(cpsconv: Run) -> None:
    Path("a.c").write_text(PROGRAMS["AGGREGATES"].partition("----")[0])
    compiled("-S", "-emit-llvm", "a.c")
    Path("p.ll").write_text(PROGRAMS["PHI"])
    for choice in ("none", "some", "all"):
        for options in (["-O", "--thread-jumps"], ["--strategy", "marker", "--certify"]):
            assert cpsconv("convert", "--ours", choice, *options, "a.ll").status == 0, (choice, options)
        one, two = (cpsconv("convert", "-j", jobs, "--ours", choice, "a.ll", "p.ll") for jobs in "12")
        assert one.status == two.status == 0 and one.out == two.out, choice
        explicit = cpsconv("convert", "--explicit-memory", "--ours", choice, "a.ll")
        assert (explicit.status, "internal error" in explicit.err) == (1 if choice == "none" else 0, False)


def test_functions_have_their_names_in_the_headers_of_c(cpsconv: Run) -> None:
    declared = 'declare i32 @mkdir(ptr, i32)\ndeclare ptr @fopen64(ptr, ptr)\n@name = constant [2 x i8] c"a\\00"\n'
    calls = "%m = call i32 @mkdir(ptr @name, i32 511)\n%f = call ptr @fopen64(ptr @name, ptr @name)\n"
    result = "%n = ptrtoint ptr %f to i32\n%s = sub i32 %n, %m\nret i32 %s"  # -1 and null without permission
    Path("h.ll").write_text(f"{declared}define i32 @main() {{\n{calls}{result}\n}}\n")
    assert cpsconv(*RUN, "h.ll").status == 1


@needs_rustc
def test_a_rust_program_without_the_standard_library_runs(cpsconv: Run) -> None:
    Path("r.rs").write_text(PROGRAMS["RUST"])
    command = [str(RUSTC), "--emit=llvm-ir", "-C", "panic=abort", "-C", "opt-level=0", "r.rs", "-o", "r.ll"]
    subprocess.run(command, check=True, capture_output=True)
    done = cpsconv(*RUN, "r.ll")
    assert (done.status, done.out) == (3, "? r 34 34 9 7 2\n44 -1 111 36\n"), done.err
    Path("r.ll").write_text(Path("r.ll").read_text().replace("icmp ult i64", "icmp ugt i64"))
    done = cpsconv(*RUN, "r.ll")
    assert done.status == 134 and "runtime error: the program panics in `core::panicking::panic" in done.err


# --------------------------------------------------------------------------------------------------------- faults

FAULTS = {
    2: "8:18: runtime error: index 5 of `a` (4 elements of int, declared on line 4) is out of bounds",
    3: "9:18: runtime error: a null pointer is dereferenced",
    4: "10:20: runtime error: division by zero",
    5: "12:12: runtime error: the memory allocated on line 11 was freed on line 11, before this access",
    6: "13:11: runtime error: the program ends itself by `llvm.trap`",
    7: "14:11: runtime error: `take` has the type `(double, () → ⊥) → ⊥`, but is called as `(ptr, () → ⊥) → ⊥`",
    8: "15:12: runtime error: code that LLVM takes to be unreachable is reached",
}


@needs_clang
def test_faults_are_reported_in_the_source_that_was_compiled(cpsconv: Run) -> None:
    Path("f.c").write_text(PROGRAMS["FAULTS"].replace("FAULT;", "atoi(argv[1]) - 2;"))
    compiled("-g", "-c", "-emit-llvm", "f.c")
    for number, message in FAULTS.items():
        done = cpsconv(*RUN, "f.bc", str(number))
        assert done.status == (134 if number in (6, 8) else 3) and done.err.startswith(f"f.c:{message}\n")


UNDEFINED = {
    0: "",
    1: "u.c:13:20: runtime error: `main` calls `several`, which is not defined\n",
    2: "u.c:14:20: runtime error: `main` calls `pair`, which is not defined\n",
    3: "u.c:15:20: runtime error: index 0 of `data` (0 elements of char) is out of bounds\n",
    4: "u.c:16:29: runtime error: index 8 of `table` (0 elements of char) is out of bounds\n",
    5: "runtime error: `one`, which is not defined, is called\n",
}
"""By the number of arguments: where a program of names that are not defined ends, and why."""


@needs_clang
def test_a_name_without_a_definition_is_an_error_where_a_run_reaches_it(cpsconv: Run) -> None:
    Path("u.c").write_text(PROGRAMS["UNDEFINED"])
    compiled("-g", "-S", "-emit-llvm", "u.c")
    Path("u.cps").write_text(cpsconv("convert", "u.ll").out)
    for number, message in UNDEFINED.items():
        for engine in ENGINES if number in (1, 4, 5) else ["python"]:
            done = cpsconv("run", "--engine", engine, "u.ll", *"x" * number)
            assert done.err.startswith(message) and (done.status == 7) == (not message), (number, engine, done)
    assert "calls `several`" in cpsconv("run", "u.cps", "x").err
    Path("one.c").write_text("int one(int x) { return x + 20; } double several = 1;")
    compiled("-S", "-emit-llvm", "one.c")
    assert "`several` is declared as a function" in cpsconv("run", "u.ll", "one.ll").err
    Path("one.c").write_text("int one(int x) { return x + 20; }")
    assert cpsconv("run", "u.ll", "one.c", *"xxxxx").status == 26
    Path("two.c").write_text("int several(int x, ...); int two(void) { return several(2); }")
    assert "error: `several` is used, but not defined" in cpsconv("run", "u.ll", "two.c").err


# ------------------------------------------------------------------------------------------------------ the choice


def test_what_no_operation_expresses_stays_foreign_or_is_refused_by_name(cpsconv: Run) -> None:
    Path("f.ll").write_text(PROGRAMS["REFUSED"])
    done = cpsconv(*RUN, "f.ll")
    assert done.status == 134
    assert done.err.startswith("f.ll:23:3: runtime error: `main` reaches the foreign operation `llvm.fadd fast double")
    done = cpsconv("check", "--ours", "all", "f.ll")
    assert done.status == 1
    assert [line for line in done.err.splitlines() if "error" in line] == [
        "f.ll:6:3: error: no operation of the program expresses `lrint`, which the module has with other parameters",
        "f.ll:11:3: error: no operation of the program expresses a call that passes all arguments on",
        "f.ll:18:3: error: no operation of the program expresses a value of the type `i200`",
        "f.ll:19:3: error: no operation of the program expresses a value of the type `i200`",
        "f.ll:20:3: error: no operation of the program expresses a value of the type `i200`",
        "f.ll:23:3: error: no operation of the program expresses `fadd` with flags that change its result",
        "f.ll:28:3: error: no operation of the program expresses `@exit` with parameters of other types",
    ]


def test_data_with_a_content_that_is_not_expressible_are_an_error_where_a_run_accesses_them(cpsconv: Run) -> None:
    Path("d.ll").write_text(PROGRAMS["DATA"])
    assert "\nd.ll:2:3: runtime error: index 0 of `distance` (0 elements of char)" in cpsconv(*RUN, "d.ll").err
    lines = cpsconv("check", "--ours", "all", "d.ll").err.split("\n")
    assert [line.partition(" the constant")[0] for line in lines if "error" in line] == [
        "d.ll:6:1: error: no item of the program expresses",
        "d.ll:7:1: error: no item of the program expresses",
    ]


def test_a_call_with_two_edges_that_no_operation_expresses_stays_foreign(cpsconv: Run) -> None:
    Path("program.ll").write_text(
        "declare i32 @p(...)\ndefine i32 @main() personality ptr @p {\n"
        '  invoke void asm sideeffect "nop", ""() to label %a unwind label %b\n'
        "a:\n  ret i32 3\nb:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}\n"
    )
    assert "struct" not in cpsconv("convert", "program.ll").out  # only a value has the type of a landingpad
    assert cpsconv("check", "program.ll").status == 0
    done = cpsconv(*RUN, "program.ll")
    assert done.status == 134 and "`main` reaches the foreign operation `llvm.invoke void asm" in done.err
    refused = cpsconv("convert", "--ours", "all", "program.ll").err
    assert [line for line in refused.split("\n") if "error" in line] == [
        "program.ll:3:3: error: no operation of the program expresses `invoke`",
        "program.ll:7:3: error: no operation of the program expresses `landingpad`",
        "program.ll:8:3: error: no operation of the program expresses `resume`",
    ]


def test_aggregates_that_stay_foreign_are_passed_on(cpsconv: Run) -> None:
    Path("f.ll").write_text(PROGRAMS["FOREIGN"])
    assert cpsconv("check", "--independent", "f.ll").status == 0
    out = cpsconv("convert", "f.ll").out
    assert '"llvm.fadd fast <4 x float> { %, %, %, % }, { %, %, %, % }"(' in out and out.count('"llvm.member') == 4
    done = cpsconv("check", "--ours", "all", "f.ll")
    found = [int(line.split(":")[1]) for line in done.err.splitlines() if "error: no operation of the program" in line]
    assert found == [1, 6, 7, 8, 12, 17]
    Path("p.ll").write_text(PROGRAMS["POISON"])
    reached = "p.ll:3:3: runtime error: `main` reaches the foreign operation `llvm.fadd fast <2 x float> { %, undef }"
    assert cpsconv(*RUN, "p.ll").err.startswith(reached)  # and no operation that makes or takes apart vectors


TYPES = """\
@data = global [4 x T] zeroinitializer
define T @f(T %x, ptr %p, i64 %n) {
  %place = alloca [4 x T]
  %q = getelementptr [4 x T], ptr %place, i64 0, i64 %n
  store T %x, ptr %q
  %y = load T, ptr %p
  %z = add T %x, %y
  %s = call T @f(T %z, ptr %q, i64 1)
  %c = freeze T %s
  store volatile T %c, ptr @data
  ret T %c
}
define i32 @main() {
  %p = getelementptr i8, ptr @data, i100 1
  %x = load T, ptr %p
  %y = call T @f(T %x, ptr @data, i64 1)
  ret i32 0
}
"""


@pytest.mark.parametrize(
    "type", ["i1", "i7", "i100", "i200", "<2 x i32>", "<3 x i8>", "<8 x i1>", "<2 x ptr>", "<4 x i200>"]
)
def test_operations_on_each_type_are_expressed_or_refused(cpsconv: Run, type: str) -> None:
    text = TYPES.replace("T", type)
    Path("t.ll").write_text(text.replace("add <2 x ptr> %x, %y", "freeze <2 x ptr> %x"))
    is_expressed = type not in ("i200", "<8 x i1>", "<4 x i200>")
    assert cpsconv("check", "--independent", "t.ll").status == 0
    done = cpsconv("check", "--ours", "all", "t.ll")
    assert (done.status, "internal error" in done.err) == (not is_expressed, False), done.err
    assert is_expressed or "of the program expresses" in done.err


SQUARE = """\
define i32 @main() {
  %x = alloca i32
  store i32 3, ptr %x
  %v = load i32, ptr %x
  %r = mul i32 %v, %v
  ret i32 %r
}
"""


@pytest.mark.parametrize("command", ["convert", "check", "compare", "explain", "graph", "run", "step", "stats", "why"])
def test_each_command_has_the_choice(cpsconv: Run, command: str) -> None:
    Path("s.ll").write_text(SQUARE)
    expected = {9, 134} if command == "run" else {0}
    assert {cpsconv(command, "--ours", choice, "s.ll").status for choice in ("none", "all")} == expected


def test_modules_are_written_with_their_instructions_unless_others_are_chosen(cpsconv: Run) -> None:
    Path("s.ll").write_text(SQUARE)
    assert "mul i32 3, 3" in cpsconv("convert", "--emit", "llvm", "s.ll").out
    assert "llvm.mul" not in cpsconv("convert", "s.ll").out
    assert "llvm.mul" in cpsconv("convert", "--ours", "none", "s.ll").out
    assert cpsconv(*RUN, "s.ll").status == 9
    assert cpsconv(*RUN, "--ours", "none", "s.ll").status == 134


def test_the_choice_holds_within_a_block() -> None:
    with keeping("llvm"):
        assert (current_choice("llvm"), current_choice("mlir")) == ("none", "some")
        with expressing("all"):
            assert current_choice("llvm") == "all"
    assert current_choice("llvm") == "some"
    with pytest.raises(ValueError, match="there is no choice 'most'; there are none, some, all"), expressing("most"):
        pass


def test_tables_of_distances_are_tables_of_pointers_or_end_a_run_that_reads_them(cpsconv: Run) -> None:
    text = PROGRAMS["DISTANCES"]
    Path("r.ll").write_text(text)
    done = cpsconv(*RUN, "--ours", "all", "r.ll")
    assert (done.status, done.out, done.err) == (0, "one\ntwo\n", "")
    assert 'reltable[2] = {"one", "two"};' in cpsconv("convert", "--emit", "c", "r.ll").out
    Path("r.ll").write_text(re.sub(r"call ptr @llvm.load.relative.i64\((.*)\)", r"getelementptr i8, \1", text))
    done = cpsconv(*RUN, "r.ll")
    assert done.err.startswith("r.ll:3:1: warning: no item of the program expresses the constant `sub (i64 ptrtoint (")
    assert done.out == "" and "runtime error: index 0 of `reltable` (0 elements of char) is out of bounds" in done.err
    assert "r.ll:3:1: error: no item of the program" in refused(cpsconv, "r.ll")
    assert cpsconv("check", "-Wno-dropped-content", "r.ll").err == ""


def test_types_that_are_too_deep_or_too_long_are_refused_by_name(cpsconv: Run) -> None:
    deep = f"{'[1 x ' * 1000}i32{']' * 1000}"
    Path("deep.ll").write_text(f"@x = global {deep} zeroinitializer\n")
    assert "expresses a type that is nested too deeply in `@x`" in cpsconv("convert", "--ours", "all", "deep.ll").err
    vector = "<4294967295 x i8>"
    Path("long.ll").write_text(f"define {vector} @f({vector} %x) {{\n  ret {vector} %x\n}}\n")
    assert f"expresses a value of the type `{vector}`" in cpsconv("convert", "--ours", "all", "long.ll").err
    size = 1 << 62
    Path("large.ll").write_text(f"@x = global [{size} x i8] zeroinitializer\n")
    reason = f"the type `[{size} x i8]`, which is larger than 2147483647 bytes, in `@x`"
    assert reason in cpsconv("convert", "--ours", "all", "large.ll").err
