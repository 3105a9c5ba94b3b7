"""C written from CPS programs with memory: it reads as C, keeps the aliasing rule, and behaves as the program."""

from __future__ import annotations

import io
import os
import random
import subprocess
from pathlib import Path

import pytest

from cpsconv import DiagnosticError, Program, Source, convert, evaluate, parse
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.c import c
from testing.effort import each_in_turn, sample
from testing.gcc import GCC, SANITIZERS, needs_gcc
from testing.ir_programs import random_program
from testing.memory_programs import FAULTS, program
from tests.core.test_memory import NOTATIONS, SHIFT
from tests.tables import scenarios, table
from tests.test_emit_c import _IGNORED as IGNORED
from tests.test_memory_items import CALLS

_WARNINGS = ["-Wall", "-Wextra", "-Werror", *(f"-Wno-{each}" for each in [*IGNORED.split(), "unused-parameter"])]
_SANITIZERS = ["-O1", *SANITIZERS, "-fno-sanitize-recover=all"]

# gcc warns of faults that it finds.
_FAULTY = """array-bounds use-after-free free-nonheap-object nonnull null-dereference stringop-overflow
    stringop-overread alloc-size-larger-than maybe-uninitialized address cast-function-type implicit-fallthrough
    bool-compare infinite-recursion unused-function unused-const-variable"""


def written(text: str) -> str:
    """The C program for a CPS text."""
    return c(parse(Source("program.cps", text)))


def body(statements: str, items: str = "") -> str:
    """The statements of `main` in C."""
    text = written(f"{items}\nmain(ret : int → ⊥) → ⊥ {{ {statements} }}\n")
    return text.partition("int main(void) {\n")[2].removesuffix("}\n")


PROGRAMS = table("emit_c_memory")
"""The longer programs of these tests."""

ALIGNED = "\n" + PROGRAMS["ALIGNED"]

POINT = "struct point { x : int, y : int } struct line { from : point, to : point, at : double[2][3] }"

# ------------------------------------------------------------------------------------------------------------ the look


LIBRARY, IN_C = scenarios("memory_as_c")["lists, grids and strings"]


def test_programs_with_memory_read_as_c() -> None:
    assert written(LIBRARY) == IN_C


def test_a_loop_over_an_array_of_structs() -> None:
    assert (
        written(SHIFT)
        == """\
struct point {
    int x;
    int y;
};

int shift(struct point *a, int n) {
    int s = 0;
    int i = 0;
    while (i < n) {
        struct point *p = &a[i];
        p->x++;
        s += p->y;
        i++;
    }
    return s;
}
"""
    )


def test_calls_through_pointers() -> None:
    assert "static int (*operations[2])(int, int) = {add, times};\n" in written(CALLS)
    assert ' = strlen("hello")' in written(CALLS)


_ACCESSES = [
    ("a := allocate point[3]; point[a, 1] := point[a]; ret(0)", "struct point a[3];|a[1] = a[0];|return 0;"),
    ("a := allocate int; int[a] := 5; v := int[a]; ret(v * 2)", "int a;|a = 5;|return a * 2;"),
    ("a := allocate int[2]; int[a, 1] := int[a, 1] + 3; ret(0)", "int a[2];|a[1] += 3;|return 0;"),
    ("l := allocate line; int[point.y(line.to(l))] := 1; ret(0)", "struct line l;|l.to.y = 1;|return 0;"),
    ("l := allocate line; double[line.at(l), 4] := 0.5; ret(0)", "struct line l;|l.at[4] = 0.5;|return 0;"),
    ("p := calloc(1ul, 8ul); v := int[point.y(p)]; ret(v)", "struct point *p = calloc(1UL, 8UL);|return p->y;"),
    ("p := allocate ptr[2]; q := ptr[p]; ret(int(q == null))", "void *p[2];|return p[0] == NULL;"),
    ("p := malloc(8ul); q := point.at(p, -1); ret(int[point.x(q)])", "struct point *p = malloc(8UL);|return p[-1].x;"),
    ("p := malloc(8ul); ret(int(long(p) & 7l))", "void *p = malloc(8UL);|return (int)((long)p & 7L);"),
]


@pytest.mark.parametrize(("statements", "expected"), _ACCESSES)
def test_accesses(statements: str, expected: str) -> None:
    assert [line.strip() for line in body(statements, POINT).splitlines()] == expected.split("|")


def test_a_load_stays_before_a_store_that_may_change_its_value() -> None:
    text = "p := malloc(8ul); int[p, 1] := 1; v := int[p, 1]; int[p, 1] := 2; ret(v)"
    assert "    int v = p[1];\n    p[1] = 2;\n    return v;\n" in body(text)


def test_an_allocation_of_variable_size_is_on_the_heap() -> None:
    text = body("n := putchar(65); a := allocate int[n]; int[a, 3] := 5; deallocate(a); ret(0)")
    assert "    int *a = malloc(n * sizeof(int));\n    a[3] = 5;\n    free(a);\n" in text


def test_an_allocation_on_the_stack_is_not_freed() -> None:
    text = body("n := putchar(65); a := allocate int[n] on stack; int[a, 3] := 5; deallocate(a); ret(0)")
    assert "    int *a = alloca(n * sizeof(int));\n    a[3] = 5;\n    return 0;\n" in text


LIKE_HELPERS = "\n" + PROGRAMS["LIKE_HELPERS"]


@needs_gcc
def test_functions_may_have_the_names_of_the_functions_that_copy_bytes(tmp_path: Path) -> None:
    text = c(convert(Source("program.c", LIKE_HELPERS)))
    assert "load_int1(" in text and "store_float1(" in text
    assert ran(compiled(text, tmp_path, "-O2")) == (b"4 40200000 8\n", 0)


def test_functions_with_variable_arguments_may_have_these_names_too() -> None:
    items = "int load_int(int n, ...) { return n; } int read(char *p) { return *(int *)(p + 1); }"
    text = c(convert(Source("program.c", items)))
    assert "\nint load_int(int p0, ...) {" in text and "return load_int1(p + 1);" in text


OF_FILES = """
#include <stdio.h>
static FILE *opened;
struct holder { FILE *file; } holder;
static int number(FILE *file) { return file->_fileno; }
int main(void) {
    opened = fopen("/dev/null", "r");
    holder.file = opened;
    printf("%d %d\\n", number(stdout), holder.file->_IO_read_ptr == opened->_IO_read_end);
    return fclose(opened);
}
"""


@needs_gcc
def test_the_structs_of_included_headers_are_used(tmp_path: Path) -> None:
    text = c(convert(Source("program.c", OF_FILES)))
    assert "static FILE *opened;" in text and "struct v_IO_FILE" not in text
    assert ran(compiled(text, tmp_path, "-Werror")) == (b"1 1\n", 0)


JUMPING = "\n" + PROGRAMS["JUMPING"]


@needs_gcc
@pytest.mark.parametrize("option", ["-O0", "-O1", "-O2"])
def test_a_struct_by_value_keeps_its_value_during_a_jump(option: str, tmp_path: Path) -> None:
    text = c(convert(Source("jumping.c", JUMPING)))
    assert "static inline struct pair jumping(volatile struct pair p, int n) {" in text
    assert ran(compiled(text, tmp_path, option)) == (b"3 9\n", 0)


LOOP = PROGRAMS["LOOP"]


def test_a_variable_of_a_loop_is_declared_in_it() -> None:
    for use, end in [("int[a] := 3;", ""), ("ptr[last] := a;", "deallocate(a);")]:
        assert "    while (i < 5) {\n        int a[2];\n" in written(LOOP.format(use=use, end=end))


def test_an_object_that_outlives_its_loop_is_on_the_heap() -> None:
    text = written(LOOP.format(use="ptr[last] := a;", end=""))
    assert "        int *a = malloc(2 * sizeof(int));\n" in text


def test_a_pointer_that_is_returned_is_on_the_heap() -> None:
    text = written("new(ret : ptr → ⊥) → ⊥ { a := allocate int[2]; int[a] := 1; ret(a) }")
    assert text.endswith("int *new(void) {\n    int *a = malloc(2 * sizeof(int));\n    *a = 1;\n    return a;\n}\n")


def test_other_types_are_accessed_by_bytes() -> None:
    text = body("a := allocate float[2]; float[a, 1] := 1.0f; v := int[a, 1]; int[a] := v; ret(v)")
    assert "    a[1] = 1.0f;\n    int v = load_int((int *)a + 1);\n    store_int(a, v);\n" in text
    assert "union" not in text


def test_an_object_whose_address_is_examined_is_aligned() -> None:
    text = body("a := allocate char[3]; b := allocate char[3]; n := long(a) % 16l; char[b] := char(1); ret(int(n))")
    assert "    _Alignas(16) char a[3];\n" in text
    assert "    char b[3];\n" in text


def test_structs_have_the_offsets_of_the_program() -> None:
    program = parse(
        Source("p.cps", "struct s { a : char, b : int } main(ret : int → ⊥) → ⊥ { x := allocate s; ret(0) }")
    )
    (struct,) = program.structs
    assert "    char a;\n    int b;\n};" in c(program)
    struct.fields["b"].offset, struct.size = 8, 16
    assert "    char a;\n    char padding1[7];\n    int b;\n    char padding[4];\n};" in c(program)
    struct.fields["b"].offset, struct.size = 1, 5
    assert "    char a;\n    int b;\n} __attribute__((packed, aligned(4)));" in c(program)


EXTERNALS = """\
extern strlen(s : ptr, ret : unsigned long → ⊥) → ⊥
extern twice(p : ptr, ret : int → ⊥) → ⊥

f(p : ptr, ret : int → ⊥) → ⊥ {
  v := int[p];
  twice(p, λ(n : int).
  strlen(p, λ(l : unsigned long).
  ret(n + v + int(l))))
}
"""


def test_external_functions_are_declared_or_included() -> None:
    text = written(EXTERNALS)
    assert text.startswith("#include <string.h>\n\nextern int twice(int *);\n")
    assert "strlen((const char *)p)" in text


def test_names_of_items_become_legal() -> None:
    items = "struct `int` { `while` : int } data `a b` := int[1] { 5 } data strlen := int[2] { 6 }"
    text = body("v := int[strlen]; w := int[`int`.`while`(`a b`)]; ret(v + w)", items)
    assert text == "    return strlen1[0] + load_int((char *)a_b + offsetof(struct int1, while1));\n"


# -------------------------------------------------------------------------------------------------- the same behaviour


def compiled(text: str, folder: Path, *options: str) -> Path:
    """The executable of a C program."""
    source, executable = folder / "program.c", folder / "program"
    source.write_text(text)
    command = [str(GCC), "-std=c17", "-fwrapv", *_WARNINGS, *options, str(source), "-o", str(executable)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return executable


def ran(executable: Path) -> tuple[bytes, int]:
    options = os.environ | {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"}
    ended = subprocess.run([executable], capture_output=True, timeout=60, env=options)
    return ended.stdout, ended.returncode


def expected(program: Program) -> tuple[bytes, int]:
    output = io.BytesIO()
    outcome = evaluate(program, "main", [], output=output, errors=io.BytesIO(), max_steps=100_000)
    return output.getvalue(), outcome.value & 255  # type: ignore[operator]


@needs_gcc
@each_in_turn(number=sample(range(80), 8), options=[("-O0",), ("-O2",), _SANITIZERS])
def test_random_programs_with_memory_do_the_same(number: int, options: list[str], tmp_path: Path) -> None:
    original = parse(Source("program.cps", program(number)))
    assert ran(compiled(c(original), tmp_path, *options)) == expected(original)


@needs_gcc
@pytest.mark.parametrize(
    "text", [LIBRARY, CALLS, NOTATIONS.replace("main(n : long,", "f(n : long,") + "main(ret : int → ⊥) → ⊥ { ret(3) }"]
)
def test_programs_with_memory_do_the_same(text: str, tmp_path: Path) -> None:
    original = parse(Source("program.cps", text))
    assert ran(compiled(c(original), tmp_path, *_SANITIZERS, "-Wno-use-after-free")) == expected(original)


RETURNED_FUNCTIONS = "\n" + PROGRAMS["RETURNED_FUNCTIONS"]


@needs_gcc
def test_functions_that_calls_through_pointers_return_are_called_at_once(tmp_path: Path) -> None:
    found = ran(compiled(RETURNED_FUNCTIONS, tmp_path, "-Wno-missing-field-initializers"))
    for optimise in ([], [*OPTIMISATIONS]):
        program = convert(Source("program.c", RETURNED_FUNCTIONS), optimise=optimise)
        assert ran(compiled(c(program), tmp_path)) == found


PRINTS = "\n" + PROGRAMS["PRINTS"]


@needs_gcc
def test_formats_of_emitted_programs_give_no_warning(tmp_path: Path) -> None:
    original = convert(Source("program.c", PRINTS))
    assert ran(compiled(c(original), tmp_path, "-Wformat")) == expected(original)


@needs_gcc
def test_variables_of_any_size_are_aligned(tmp_path: Path) -> None:
    original = parse(Source("program.cps", ALIGNED))
    for each in (original, parse(Source("program.cps", ALIGNED.replace("aligned 64", "aligned 64 on stack")))):
        text = c(each)
        assert ("aligned_alloc(64, " in text) == (each is original) and "_Alignas(128) short" in text
        assert ran(compiled(text, tmp_path, *_SANITIZERS)) == expected(original) == (b"0 0\n" * 3, 0)


@needs_gcc
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in ("unwritten", "ended")])
def test_a_fault_is_one_of_the_sanitizer(fault: str, tmp_path: Path) -> None:
    """The sanitizer does not find uninitialised reads; a variable of C exists to the end of its block."""
    original = parse(Source("program.cps", program(len(fault), fault)))
    with pytest.raises(ProgramError):
        expected(original)
    options = [f"-Wno-{warning}" for warning in _FAULTY.split()]
    assert ran(compiled(c(original), tmp_path, *_SANITIZERS, "-O0", *options))[1] != 0


@needs_gcc
@pytest.mark.parametrize("seed", sample(range(250), 24))
def test_any_program_with_memory_is_written_as_valid_c_or_rejected(seed: int, tmp_path: Path) -> None:
    try:
        text = c(random_program(random.Random(seed), 1 + seed % 3, 8, with_memory=True))
    except DiagnosticError as rejected:
        assert all(each.message.startswith("not expressible in C: ") for each in rejected.diagnostics)
        return
    compiled(text, tmp_path, "-c", "-w", "-Wno-error")
