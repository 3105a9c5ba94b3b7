"""Memory in native code: the engine `llvm` reports the errors of the machine, and emitted LLVM IR does the same."""

from __future__ import annotations

import mmap
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent, indent

import pytest

from cpsconv import Program, Source, parse
from cpsconv.abi.runtime.unwritten import with_unwritten
from cpsconv.core.entry import entry_of
from cpsconv.core.ir import CHAR, INT, PTR, VOID, Constant, Effect, Field, Primitive, Struct
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import prepare
from cpsconv.engines.llvm.code_model import maps_nearby
from cpsconv.engines.llvm.host import HostSupport
from cpsconv.engines.machine.limits import DEFAULT_LIMITS, Limits
from cpsconv.targets.llvm import llvm
from cpsconv.targets.llvm.support import LIBRARY as LIBRARY_FUNCTIONS
from testing import memory_programs, native
from testing.effort import is_full, sample
from testing.engines import HAS_NATIVE, alike, observed, seen
from testing.expectations import Observation
from testing.memory_programs import LIBRARY
from testing.running import choosing, converted, observe, programs_to_run
from tests.core import test_memory
from tests.tables import table

binding = pytest.importorskip("llvmlite.binding")
pytestmark = pytest.mark.skipif(not HAS_NATIVE, reason="native code needs llvmlite and a POSIX system")

ITEMS = (
    LIBRARY
    + """
struct point { x : int, y : int }
struct mixed { c : char, d : double, s : short, p : ptr }
union number { i : int, l : long, bytes : char[8] }
const text := "hello\\0"
const open := char[3] "abc"
data table := int[8] { 3, 1, 2 }
data nested := mixed[2] { { 'c', 2.5, 7s, text }, { 'd', -0.0, -1s, null } }
data sum := number { 77 }
data functions := ptr[4] { add, null, strlen, f2 }

add(x : int, y : int, ret : int → ⊥) → ⊥ {
  ret(x + y)
}

f2(x : long, ret : long → ⊥) → ⊥ {
  ret(x * 2l)
}

made(ret : ptr → ⊥) → ⊥ {
  p := allocate int[2];
  int[p] := 11;
  ret(p)
}

"""
)


def program_of(body: str) -> Program:
    """A program whose `main` has the body."""
    return parse(Source("test.cps", ITEMS + function_of("main", body)))


def function_of(name: str, body: str) -> str:
    """A function that has the body, and returns 0 unless the body returns."""
    text = dedent(body).strip().replace("; ", ";\n")
    text += "" if "ret" in text else ";\nret(0)"
    return f"{name}(ret : int → ⊥) → ⊥ {{\n{indent(text, '  ')}\n}}\n"


CORRECT = {
    "scalars": """
        p := allocate double[4];
        double[p, 1] := 1.5;
        bool[p, 1] := true;
        float[p, 7] := 2.5f;
        long[p, 0] := -5l;
        short[p, 4] := 300s;
        printf("%d %d %g %ld %d\\n", bool[p, 1], char[p, 9], float[p, 7], long[p], short[p, 4])""",
    "data": """
        int[table, 7] := int[table, 1] + int[table, 2];
        m := mixed.at(nested, 1);
        ptr[mixed.p(m)] := int.at(table, 7);
        printf("%d %d %s ", int[ptr[mixed.p(m)]], char[mixed.c(m)], ptr[mixed.p(nested)]);
        printf("%g %g %d ", double[mixed.d(m)], double[mixed.d(nested)], short[mixed.s(m)]);
        printf("%d %d\\n", int[sum], char[number.bytes(sum)])""",
    "copies": """
        a := allocate point[3];
        int[point.x(a)] := 4;
        point[a, 1] := point[a];
        int[point.y(point.at(a, 1))] := 5;
        point[a, 2] := point[a, 1];
        point[a, 2] := point[a, 2];
        ret(int[point.y(point.at(a, 2))] * 10 + int[point.x(point.at(a, 2))])""",
    "pointers and integers": """
        x := allocate int[4];
        y := allocate int;
        int[x, 3] := 42;
        n := unsigned long(int.at(x, 3));
        same := x == int.at(int.at(x, 3), -3);
        printf("%d %d %d %d\\n", int[ptr(n)], same, x == y, x < int.at(x, 1));
        printf("%d %d %d\\n", bool(x), bool(null), long(int.at(x, 2)) - long(x) == 8l);
        printf("%p\\n", null)""",
    "the heap": """
        p := malloc(8ul);
        int[p] := 1;
        int[p, 1] := 2;
        q := realloc(p, 12ul);
        int[q, 2] := int[q, 1] + int[q];
        r := realloc(null, 4ul);
        s := calloc(3ul, 4ul);
        free(s);
        free(null);
        free(r);
        n := int[q, 2];
        free(q);
        ret(n * 100 + int(s == null))""",
    "calls through pointers": """
        f := ptr[functions];
        g := ptr[functions, 2];
        h := ptr(f2);
        call(f, 3, 4, λ(seven : int).
        call(g, text, λ(five : unsigned long).
        call(h, 21l, λ(answer : long).
        ret(seven + int(five) + int(answer)))))""",
    "the library": """
        b := allocate char[20];
        strcpy(b, text, λ(c : ptr).
        strlen(b, λ(n : unsigned long).
        strcmp(b, text, λ(same : int).
        strcmp(b, open2, λ(more : int).
        memset(char.at(b, 8), 120, 3ul, λ(x : ptr).
        memcpy(b, char.at(b, 8), 2ul, λ(y : ptr).
        memmove(char.at(b, 1), b, 4ul, λ(z : ptr).
        memcmp(b, text, 3ul, λ(order : int).
        memcmp(null, null, 0ul, λ(none : int).
        printf("%s %s %lu %d %d %d %d %.3s\\n", b, c, n, same, more > 0, order < 0, none, char.at(b, 8));
        puts(b);
        ret(int(c == b)))))))))))""".replace("open2", "char.at(text, 1)"),
    "objects in a loop": """
        let
          loop := (i : int, s : int) → ⊥
            branch(i < 1000, body, λ(). ret(s & 127))
          body := () → ⊥
            p := allocate int[100];
            v := allocate int[i];
            int[p, 99] := i;
            n := int[p, 99];
            deallocate(v);
            deallocate(p);
            loop(i + 1, s + n)
        in
        loop(0, 0)""",
    "a variable that outlives its function": """
        made(λ(p : ptr).
        made(λ(q : ptr).
        int[q] := 5;
        ret(int[p] + int[q])))""",
    "undefined values": """
        p := allocate int[2];
        int[p] := undef(x : int);
        int[p, 1] := 3;
        point[p] := point[p];
        ret(int[p, 1])""",
}


def test_correct_programs_do_the_same_in_the_engine() -> None:
    programs = [*map(program_of, CORRECT.values()), test_memory.program_of(test_memory.DEFAULTS)]
    assert all("Error" not in end for *_, end in alike(programs, ["machine", "llvm"]))


@pytest.mark.parametrize("optimise", [0, 2])
def test_correct_programs_do_the_same_as_emitted_code(optimise: int) -> None:
    programs = {name: program_of(body) for name, body in CORRECT.items()}
    observed = native.observe_all([(program, ()) for program in programs.values()], optimise)
    expected = {name: observe(program) for name, program in programs.items()}
    assert dict(zip(programs, observed, strict=True)) == expected


PROGRAMS = table("memory_llvm")
"""The longer programs of these tests."""

FAULTS = "\n" + PROGRAMS["FAULTS"]


def test_each_error_is_that_of_the_machine() -> None:
    faults = {f"fault{number}": statements for number, statements in enumerate(FAULTS.strip().splitlines())}
    text = "".join(function_of(*fault) for fault in faults.items())
    program = parse(Source("test.cps", ITEMS + text + choosing([*faults])))
    runs = [prepare(program, entry_of(program), engine) for engine in ("machine", "llvm")]
    for number, statements in enumerate(faults.values()):
        expected, found = (observed(run, [number], DEFAULT_LIMITS) for run in runs)
        assert found == expected, statements
        assert "Error" in expected[2] or statements.startswith("memcmp(open, char")


@pytest.mark.parametrize(
    ("statements", "helper"),
    [
        ("x := int[table, 1]", "load_in_whole.int"),
        ("p := allocate int; int[p] := undef(v : int); x := int[table, 1]", "load_in_whole.int"),
        ("p := malloc(8ul); ptr[p] := table; int[p] := undef(v : int); x := int[table, 1]", "load_in.int"),
        ("int[table, 2] := undef(v : int); x := int[table, 1]", "load_in.int"),
    ],
)
def test_data_that_stay_written_are_read_without_marks(statements: str, helper: str) -> None:
    assert f"call i32 @cpsconv.{helper}(" in engine_text(program_of(statements))


def engine_text(program: Program) -> str:
    """The module that the engine compiles."""
    support = HostSupport()
    return llvm(program, ascii=True, entry=program.functions[-1], support=support, memory=support.memory)


_LIBRARY_MAPPING = "7f0020000000-7f0030000000 r-xp 00000000 fe:00 1  /lib/a library [stack].so\n"
_STACK = "7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0  [stack]\nffffffffff600000-ffffffffff601000 --xp 0 00:00 0\n"


@pytest.mark.parametrize(
    ("mappings", "is_nearby"),
    [
        (_LIBRARY_MAPPING + _STACK, True),
        ("00400000-00500000 r-xp 00000000 fe:00 1  /bin/python\n" + _LIBRARY_MAPPING + _STACK, True),
        ("7f0010000000-7f0012000000 rw-p 00000000 00:00 0\n" + _LIBRARY_MAPPING + _STACK, True),
        ("7effa0000000-7f0010000000 rw-p 00000000 00:00 0\n" + _LIBRARY_MAPPING + _STACK, False),
        (_LIBRARY_MAPPING, False),
        (_STACK, False),
        ("", False),
    ],
)
def test_code_is_small_only_if_memory_is_mapped_nearby(tmp_path: Path, mappings: str, is_nearby: bool) -> None:
    (tmp_path / "maps").write_text(mappings)
    assert maps_nearby(tmp_path / "maps") == is_nearby
    assert not maps_nearby(tmp_path / "none")


def test_code_that_is_not_small_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.engines.llvm.code_model", dict)
    for statements in ("x := int[table, 1]", "x := int[table, 8]"):
        program = program_of(statements)
        assert seen(program, [], "llvm") == seen(program, [], "machine")


def test_the_options_of_llvm_are_reset_if_the_compilation_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no space")

    options: list[str] = []
    monkeypatch.setattr(binding, "set_option", lambda _, option: options.append(option))
    monkeypatch.setattr(binding.TargetMachine, "emit_object", fail)
    with pytest.raises(RuntimeError, match="no space"):
        seen(program_of("x := int[table, 1]"), [], "llvm")
    set_options = ["-disable-lsr=true", "-enable-misched=false"]
    assert options == [*set_options, "-disable-lsr=false", "-enable-misched=true"]


STORES = "char *text = own; text[0] = 'a'; text[1] = 'b'; *(short *)(text + 2) = -2; *(int *)(text + 4) = 77; "


def test_adjacent_constants_are_stored_at_once() -> None:
    """The stores are of wider integers, and every wrong access beside them is found."""
    cases = [
        ("text[8] = 1;", False),
        ("*(long *)(text + 8) = -1;", False),
        ("text[5] = 1; text[6] = 2; text[7] = 3;", False),
        ("text[9] = text[1]; text[8] = 2;", False),
        ("text[16] = 2;", True),
        ("text[15] = 1; *(short *)(text + 15) = 1;", True),
        ("text[-1] = 2; text[0] = 3;", True),
        ("n = text[12];", True),
        ("n = text[8 + n]; text[9] = 1;", True),
    ]
    output = r'for (n = 0; n < 8; n++) printf("%d ", own[n]);'
    whole = f"#include <stdio.h>\nint main(void) {{ char own[16]; int n = 0; {STORES}FURTHER{output} }}"
    programs = [converted(whole.replace("FURTHER", further), "scc") for further, _ in cases]
    for program in programs:
        assert "call void @cpsconv.store_in.unsigned_long(i64 " in engine_text(with_unwritten(program))
    ends = alike(programs, ["machine", "llvm"])
    assert ["Error" in end for *_, end in ends] == [is_wrong for _, is_wrong in cases]


def test_large_modules_behave_as_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.engines.llvm.LARGE_TEXT", 0)
    numbers, faults = sample(range(40), 16), memory_programs.FAULTS
    given = [(number, fault) for number in numbers for fault in (None, faults[number % len(faults)])]
    programs = [parse(Source("program.cps", memory_programs.program(*each))) for each in given]
    ends = alike(programs, ["machine", "llvm"])
    assert ["Error" in end for *_, end in ends] == [fault is not None for _, fault in given]


def test_random_programs_do_the_same_as_emitted_code() -> None:
    runs, expected = [], []
    for program, arguments in programs_to_run(range(2500 if is_full() else 270), with_memory=True):
        try:
            binding.parse_assembly(llvm(program)).verify()
        except DiagnosticError:
            continue  # LLVM IR cannot express it
        behaviour = observe(program, arguments)
        if behaviour.status != "error":
            runs.append((program, arguments))
            expected.append(behaviour)
    assert len(runs) > 10
    for optimise in (0, 2):
        assert native.observe_all(runs, optimise) == expected


# -------------------------------------------------------------------------------------------------- the emitted text


def test_the_text_has_struct_types_globals_and_addresses() -> None:
    text = """
        struct point { x : int, y : int }
        union number { i : int, l : long }
        const message := "hello\\0"
        data table := int[4] { 2, 3 }
        data points := point[2] { { 1, 2 }, { 3, 4 } }
        data places := ptr[3] { message, sum, int.at(table, 2) }
        data either := number { 5 }
        sum(a : ptr, i : long, ret : int → ⊥) → ⊥ {
          p := point.at(a, i);
          ret(int[point.x(p)] + int[point.y(p)])
        }
        main(ret : int → ⊥) → ⊥ {
          sum(points, 1l, ret)
        }
    """
    lines = llvm(parse(Source("test.cps", dedent(text)))).splitlines()
    assert [
        line for line in lines if line.startswith(("%", "@message", "@table", "@points", "@places", "@either"))
    ] == [
        "%struct.point = type { i32, i32 }",
        "%union.number = type { [1 x i64] }",
        '@message = internal constant [6 x i8] c"hello\\00", align 16',
        "@table = internal global [4 x i32] [i32 2, i32 3, i32 0, i32 0], align 16",
        "@points = internal global [2 x %struct.point] "
        "[%struct.point { i32 1, i32 2 }, %struct.point { i32 3, i32 4 }], align 16",
        "@places = internal global [3 x ptr] "
        "[ptr @message, ptr @sum, ptr getelementptr (i8, ptr @table, i64 8)], align 16",
        '@either = internal global <{ [1 x i8], [7 x i8] }> <{ [1 x i8] c"\\05", [7 x i8] zeroinitializer }>, align 16',
    ]
    start = lines.index("define internal i32 @sum(ptr %a, i64 %i) {")
    assert lines[start + 2 : start + 6] == [
        "  %p = getelementptr %struct.point, ptr %a, i64 %i",
        "  %v2 = getelementptr i8, ptr %p, i64 0  ; .x",
        "  %v = load i32, ptr %v2, align 4",
        "  %v3 = getelementptr i8, ptr %p, i64 4  ; .y",
    ]


def allocations(body: str) -> list[str]:
    """The lines of `main` that concern the allocation of variables."""
    words = "alloca", "lifetime", "@malloc", "@free"
    _, _, text = llvm(program_of(body)).partition("@main")
    return [line.strip() for line in text.partition("\n}")[0].splitlines() if any(word in line for word in words)]


def test_a_variable_of_the_first_block_is_in_the_frame() -> None:
    assert allocations("p := allocate int; deallocate(p)") == ["%p = alloca i32, align 4"]


LOOP = """
    let
      loop := (i : int) → ⊥
        branch(i < 3, body, λ(). ret(0))
      body := () → ⊥
        p := allocate int[2];
        END
        loop(i + 1)
    in
    loop(0)"""


def test_a_variable_of_a_loop_is_in_the_frame_while_it_lives() -> None:
    assert allocations(LOOP.replace("END", "deallocate(p);")) == [
        "%p.place = alloca [2 x i32], align 16",
        "call void @llvm.lifetime.start.p0(i64 8, ptr %p.place)",
        "call void @llvm.lifetime.end.p0(i64 8, ptr %p.place)",
    ]


def test_variables_that_outlive_their_block_or_have_no_constant_size_are_on_the_heap() -> None:
    assert allocations(LOOP.replace("END", "")) == ["%p = call ptr @malloc(i64 8)"]
    assert allocations("n := 3; p := allocate int[n + n]; deallocate(p)")[1:] == ["call void @free(ptr %p)"]


def test_variables_on_the_stack_are_not_freed() -> None:
    on_stack = allocations("n := 3; p := allocate int[n + n] aligned 64 on stack; deallocate(p)")
    assert on_stack == ["%p = alloca i8, i64 %size, align 64"]


def test_alignments_are_kept() -> None:
    body = "n := 3; p := allocate char[n + n] aligned 64; q := allocate int aligned 32; deallocate(p); deallocate(q)"
    assert "= alloca i32, align 32" in allocations(body)[0]
    assert "= call ptr @aligned_alloc(i64 64, i64 " in llvm(program_of(body))
    text = llvm(parse(Source("t.cps", "data x aligned 64 := 5\nmain(ret : int → ⊥) → ⊥ { v := int[x]; ret(v) }")))
    assert "@x = internal global i32 5, align 64" in text


def test_fields_of_packed_structs_have_a_low_alignment() -> None:
    struct = Struct("packed", {}, 5, 1)
    struct.fields = {"c": Field(struct, "c", CHAR, 0), "n": Field(struct, "n", INT, 1)}
    text = parse(Source("test.cps", "main(ret : int → ⊥) → ⊥ {\n  ret(0)\n}\n"))
    main = text.functions[0]
    variable = Effect("allocate", (), PTR, "p", None, struct)
    address = Primitive("field", (variable,), PTR, "q", None, struct.fields["n"])
    main.body = [variable, address, Effect("store", (Constant(INT, 5), address), VOID)]
    text.structs.append(struct)
    emitted = llvm(text)
    assert "%struct.packed = type { [5 x i8] }" in emitted
    assert "%q = getelementptr i8, ptr %p, i64 1  ; .n\n  store i32 5, ptr %q, align 1" in emitted
    binding.parse_assembly(emitted).verify()


@pytest.mark.skipif(not (shutil.which("llc") and shutil.which("gcc")), reason="LLVM's llc or gcc is not installed")
def test_the_installed_llc_compiles_memory(tmp_path: Path) -> None:
    program = program_of(CORRECT["the library"])
    (tmp_path / "p.ll").write_text(llvm(program))
    version = subprocess.run(["llc", "--version"], capture_output=True, text=True, check=True).stdout
    options = ["-opaque-pointers"] if "version 14." in version else []
    for command in (
        ["llc", *options, "-relocation-model=pic", "-filetype=obj", "p.ll", "-o", "p.o"],
        ["gcc", "p.o", "-o", "p"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "p"], capture_output=True, text=True)
    assert Observation(done.stdout, done.returncode) == observe(program)


# ---------------------------------------------------------------------------------------------------------- limits


def test_allocations_that_fail_and_those_of_nothing() -> None:
    body = """
        a := malloc(18446744073709551615ul);
        b := malloc(2147483648ul);
        c := calloc(4294967296ul, 4294967296ul);
        d := malloc(4ul);
        e := realloc(d, 2147483648ul);
        int[d] := 5;
        f := realloc(realloc(null, 3ul), 0ul);
        ret(int(a == null) + int(b == null) + int(c == null) + int(e == null) + int(f == null) + int[d])"""
    program = program_of(body)
    assert seen(program, [], "llvm") == seen(program, [], "machine")


def test_memory_is_limited() -> None:
    program = program_of("p := malloc(100000000ul)")
    assert seen(program, [], "llvm", limits=Limits(max_memory=1 << 24))[2] == (
        "MemoryLimit: runtime error: the program takes more than 16 MiB of memory\nhelp: `max_memory` sets the limit ()"
    )
    assert "Returned" in seen(program, [], "llvm", limits=Limits(max_memory=1 << 28))[2]


def test_memory_that_was_freed_does_not_count() -> None:
    body = """
        let
          loop := (i : int) → ⊥
            branch(i < 100000, body, λ(). ret(0))
          body := () → ⊥
            p := malloc(10000ul);
            free(p);
            loop(i + 1)
        in
        loop(0)"""
    assert "Returned" in seen(program_of(body), [], "llvm", limits=Limits(max_memory=1 << 24))[2]


def test_an_access_to_an_old_object_is_an_error_after_millions_of_allocations() -> None:
    body = """
        old := malloc(4ul);
        free(old);
        let
          loop := (i : int) → ⊥
            branch(i < 10000000, body, λ(). ret(int[old]))
          body := () → ⊥
            p := allocate int;
            deallocate(p);
            loop(i + 1)
        in
        loop(0)"""
    assert "was freed on line" in seen(program_of(body), [], "llvm")[2]


# ---------------------------------------------------------------------------------------------------------------- names


def _names_of_llvm() -> list[str]:
    """The names of functions that LLVM knows, among them all that its code calls: a table of texts in llvmlite."""
    [library] = Path(binding.__file__).parent.glob("*llvmlite.*")
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as content:
        inside = content.find(b"\0__udivti3\0")
        start, end = content.rfind(b"\0\0", 0, inside), content.find(b"\0\0", inside)
        names = content[start:end].decode("latin-1").strip("\0").split("\0")
    return sorted({name.removeprefix("#") for name in names})


def _program_with(names: Sequence[str]) -> Program:
    """A program with functions and data of these names. Its operations are those for which LLVM calls libraries."""
    functions = "\n".join(f'`{name}`(p : ptr, ret : ptr → ⊥) → ⊥ {{ puts("called"); ret(p) }}' for name in names)
    addresses = ", ".join(f"`{name}`" for name in names)
    text = f"""
struct big {{ a : char[4000] }}
data `program.x` := big {{ {{}} }}
data `cpsconv.next` := big {{ {{}} }}
data addresses := ptr[{len(names)}] {{ {addresses} }}
{functions}
main(n : long, d : double, ret : int → ⊥) → ⊥ {{
  big[`program.x`] := big[`cpsconv.next`];
  buffer := calloc(unsigned long(n), 4000ul);
  big[buffer] := big[`program.x`];
  wide := __int128(n) * 1000000000000000000000i128 / __int128(n + 1l) % 77777777777777777777i128;
  extended := long double(wide) * 1.5L;
  numbers := sin(d) + pow(d, 3.0) + fmod(d, 2.0) + double(extended);
  printf("%ld %f %Lf %ld\\n", long(wide), numbers, extended, long(unsigned __int128(extended)));
  let
    loop := (i : int, sum : int) → ⊥
      let
        body := () → ⊥
          code := ptr[addresses, i];
          call(code, buffer, λ(p : ptr).
          loop(i + 1, sum + int(p == buffer)))
        exit := () → ⊥
          free(buffer);
          ret(sum)
      in
      branch(i < {len(names)}, body, exit)
  in
  loop(0, 0)
}}
"""
    return parse(Source("program.cps", text))


def test_a_program_may_define_each_function_that_llvm_calls() -> None:
    """By default, each seventh, since all get other names by one rule, and those that LLVM calls in this program."""
    names = _names_of_llvm()
    called = {"memcpy", "memmove", "memset", "__udivti3", "__divti3", "__modti3", "sin", "pow", "fmod", "fmodl"}
    called |= {"__stack_chk_fail", "_Unwind_Resume"}
    assert called < {*names} and len(names) > 1000
    program = _program_with(sorted(called.union(sample(names, 7))))
    assert seen(program, [5, 2.5], "llvm") == seen(program, [5, 2.5], "machine")


OWN_NAMES = [
    *("cpsconv.entry", "cpsconv.host", "cpsconv.new", "cpsconv.objects", "cpsconv.functions", "cpsconv.library.strlen"),
    *("program.main", "program.program.x", ".str.0", "llvm.memcpy.p0.p0.i64", "llvm.global_ctors", "llvm.used"),
    *("calloc", "memcmp", "longjmp", "_setjmp", "fflush", "dprintf", "stdout", "environ", "_GLOBAL_OFFSET_TABLE_"),
    *("\x01memcpy", "a\0", "a?", "a\rno LLVM IR\r;", "a\fb", "a\x85b\u2028", '"', "\\", "@", "%x", "é", "memcpy@GLIBC"),
]
"""Names of the module of the engine and of the C library, and names with characters that LLVM does not accept."""


def test_a_program_may_have_the_names_of_the_engine_and_unusual_ones() -> None:
    program = _program_with(OWN_NAMES)
    assert seen(program, [5, 2.5], "llvm") == seen(program, [5, 2.5], "machine")


def test_no_symbol_of_a_module_of_the_engine_is_chosen_by_the_program() -> None:
    program = _program_with(OWN_NAMES)
    support = HostSupport()
    text = llvm(program, entry=program.function("main"), support=support, memory=support.memory)
    items = [line for line in text.splitlines() if line.startswith(("define ", "declare ", "@"))]
    own = r'((define|declare) [^@"]*)?@"?(program|cpsconv|\.str|llvm\.va_(start|end)\.|_Unwind_ForcedUnwind\()'
    others = {line.removeprefix("declare ") for line in items if not re.match(own, line)}
    assert len(items) > 100 and others <= {*LIBRARY_FUNCTIONS.values()}


@pytest.mark.parametrize(
    "definition",
    [
        'void *memmove(void *a, const void *b, unsigned long n) { puts("called"); return a; }',
        "void *memmove(void *a, const void *b, unsigned long n) { free(q); return a; }",
        'void *copy(void *, const void *, unsigned long) __asm__("memmove");'
        "void *copy(void *a, const void *b, unsigned long n) { free(q); return a; }\n#define memmove copy",
        "static void *mine(void *a, const void *b, unsigned long n) { free(q); return a; }"
        'void *memmove(void *, const void *, unsigned long) __attribute__((alias("mine")));',
        "__attribute__((weak)) void *memmove(void *a, const void *b, unsigned long n) { free(q); return a; }",
    ],
    ids=["prints", "frees", "label", "alias", "weak"],
)
def test_a_function_of_the_program_is_not_called_for_copies(definition: str) -> None:
    text = f"""#include <stdlib.h>
int puts(const char *);
struct big {{ char a[4000]; }} *p, *q;
{definition}
void *(*volatile keep)(void *, const void *, unsigned long) = memmove;
int main(void) {{ p = malloc(sizeof *p); q = malloc(sizeof *q); q->a[5] = 1; *p = *q; return p->a[5]; }}
"""
    program = converted(text, "scc")
    machine = seen(program, [], "machine")
    assert machine[0] == b"" and "value=1" in machine[2]
    assert seen(program, [], "llvm") == machine
