"""Memory in the engine `python`: the behaviour of the machine, with the same errors at the same places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, pretty
from cpsconv.abi.library import with_library
from cpsconv.core.arguments import parse_arguments
from cpsconv.core.entry import entry_of
from cpsconv.core.operations import pointers
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import EngineName, engine_for
from cpsconv.engines.python import source
from cpsconv.engines.python.rotated_pointers import moved, rotated
from cpsconv.engines.python.typed_memory import TypedMemory
from cpsconv.pipeline import OPTIMISATIONS
from testing import memory_programs
from testing.effort import is_full, sample
from testing.engines import ENGINE_NAMES, HAS_NATIVE, alike, seen
from testing.running import programs_to_run
from tests.conftest import Run
from tests.core.test_memory import DEFAULTS, SHIFT, main_of, program_of, test_every_access_is_checked
from tests.tables import table

ENGINES_WITH_MEMORY: list[EngineName] = ["python", "llvm"] if HAS_NATIVE else ["python"]

FAULTS = [case[0] for case in getattr(test_every_access_is_checked, "pytestmark")[0].args[1]]  # noqa: B009
"""The planted faults of the tests of the machine."""

PROGRAMS = table("engines_memory")
"""The longer programs of these tests."""

CALLS = "\n" + PROGRAMS["CALLS"]


def ends_of(texts: Iterable[str]) -> list[str]:
    """The ends of runs of CPS programs, under which all engines behave alike."""
    return _ends([program_of(text) for text in texts], ENGINE_NAMES)


def ends_in_c(texts: Iterable[str], engines: Sequence[EngineName] = ENGINE_NAMES) -> list[str]:
    """The ends of runs of C programs, under which the engines behave alike. Each second program is optimised."""
    turns = zip(texts, cycle([(), OPTIMISATIONS]), strict=False)
    return _ends([convert(Source("c.c", text), optimise=turn) for text, turn in turns], engines)


def _ends(programs: Sequence[Program], engines: Sequence[EngineName]) -> list[str]:
    """The ends of runs, with the names of the programs, without the numbers that make them unique in one program."""
    return [re.sub(r"`([a-z]+)\d+`", r"`\1`", end) for *_, end in alike(programs, engines)]


def test_each_fault_is_reported_as_by_the_machine() -> None:
    texts = [main_of(f"{body}\nret(0)", "struct point { x : int, y : int } ") for body in FAULTS]
    assert all("runtime error" in end for end in ends_of(texts))


@pytest.mark.parametrize(
    ("statements", "error"),
    [
        ("int n = -1; int a[n]; a[0] = 1;", "f.c:1:34: runtime error: -1 elements of int cannot be allocated"),
        ("void *p = 0; goto *p; a: return &&a != p;", "f.c:1:31: runtime error: this pointer is not the address of a"),
    ],
)
def test_errors_of_arrays_and_jumps_of_c_are_reported_by_all_engines(cpsconv: Run, statements: str, error: str) -> None:
    Path("f.c").write_text(f"int main(void) {{ {statements} }}")
    ends = {cpsconv("run", "-Wno-all", "--engine", engine, "f.c") for engine in ("machine", *ENGINES_WITH_MEMORY)}
    ((_, _, errors),) = ends
    assert errors.startswith(error)


def test_calls_through_pointers_and_of_external_functions_are_checked() -> None:
    cases = [
        ("strcmp(message, message, λ(z : int).", "Returned"),
        ("call(f, 5, λ(z : int).", "`times` has the type `(int, int, int → ⊥) → ⊥`, but is called as"),
        ("call(null, 5, λ(z : int).", "a null pointer is called"),
        ("call(char.at(null, 7), 5, λ(z : int).", "a null pointer is called, at an offset of 7 bytes"),
        ("call(message, 5, λ(z : int).", "`message`, which is no function, is called"),
        ("call(char.at(f, 1), 5, λ(z : int).", "a pointer to byte 1 of `times` is called"),
        ("call(undef(g : ptr), 5, λ(z : int).", "`g` is used uninitialised"),
        ("call(ptr[operations, 2], message, λ(n : unsigned long).", "Returned"),
        ("call(ptr[operations, 2], null, λ(n : unsigned long).", "a null pointer is dereferenced"),
        ("strcmp(message, undef(s : ptr), λ(z : int).", "`s` is used uninitialised"),
        (
            "memset(message, 1, 2ul, λ(z : ptr).",
            "index 0 of `message` (6 elements of char, declared on line 2) is changed",
        ),
        ("memset(message, 1, 7ul, λ(z : ptr).", "bytes 0 to 6 of `message`"),
    ]
    for end, (step, error) in zip(ends_of(CALLS.replace("STEP", step) for step, _ in cases), cases, strict=True):
        assert error in end, step


def test_programs_of_structs_and_of_default_values_run() -> None:
    body = """
        a := allocate point[2];
        int[point.x(a)] := 1;
        int[point.y(a)] := 20;
        point[a, 1] := point[a];
        shift(a, 2, ret)
        """
    of_structs, of_defaults = ends_of([SHIFT + main_of(body), DEFAULTS])
    assert of_structs.startswith("Returned(value=40") and of_defaults.startswith("Returned(value=1")


def test_programs_with_a_planted_fault_behave_alike() -> None:
    numbers = sample(range(40), 5)
    assert all(end.startswith("Returned") for end in ends_of(map(memory_programs.program, numbers[::2])))
    faults = [*memory_programs.FAULTS]
    faulty = [memory_programs.program(number, faults[number % len(faults)]) for number in numbers]
    assert all("runtime error" in end for end in ends_of(faulty))


BYTES = "\n" + PROGRAMS["BYTES"]


def test_objects_are_accessed_as_elements_and_as_bytes() -> None:
    cases = [
        (
            "s := malloc(16ul); int[cell.n(s)] := 1; z := char[s, 2]; putchar(int(z));",
            "index 2 of the memory allocated on line 19",
        ),
        ('s := malloc(16ul); w := double[cell.d(s)]; printf("%g", w);', "index 1 of the memory allocated on line 19"),
        ("s := realloc(p, 8ul); z := char[s];", "Returned"),
        ("free(p); z := int[cell.n(p)];", "was freed on line 19, before this access"),
        ("t := cell.at(p, 1); z := int[cell.n(cell.at(t, -1))]; u := int[cell.n(cell.at(t, 1))];", "index 9 of"),
    ]
    for end, (step, error) in zip(ends_of(BYTES.replace("STEP", step) for step, _ in cases), cases, strict=True):
        assert error in end, step


LARGE = """
main(ret : int → ⊥) → ⊥ { ALLOCATION, λ(p : ptr). STORE; f(p, ret)) }
f(p : ptr, ret : int → ⊥) → ⊥ { q := char[p, 7l]; ret(int(q)) }
extern malloc(n : unsigned long, ret : ptr → ⊥) → ⊥
extern calloc(n : unsigned long, m : unsigned long, ret : ptr → ⊥) → ⊥
"""


def test_the_first_store_into_a_large_object_is_kept() -> None:
    stores = ["signed char[char.at(p, 7l)] := 5sc", "long[p] := -1l"]
    texts = [
        LARGE.replace("ALLOCATION", allocation).replace("STORE", store)
        for allocation in ("malloc(70001ul", "calloc(70001ul, 1ul")
        for store in stores
    ]
    assert ends_of(texts) == [f"Returned(value={value}, type=int)" for value in (5, -1)] * 2


def test_the_text_of_accesses_indexes_lists() -> None:
    program = program_of(SHIFT)
    text, _, _ = source(program, program.functions[0])
    assert "x = a_list[i][0]" in text
    assert "a_list[i][0] = " in text
    found = r"try:\n +a_list = _lists_\d+\[a\] or (_find_\d+\(a\))\n +except IndexError:\n +a_list = \1"
    assert len(re.findall(found, text)) == 1
    assert text.count("a_list = ") == 2


NODE = """
struct node { value : int, next : ptr }
main(ret : int → ⊥) → ⊥ {
  p := malloc(16ul);
  int[node.value(p)] := 5;
  v := int[node.value(p)];
  q := ptr[node.next(p)];
  free(p);
  free(q);
  ret(v)
}
"""


def test_the_list_of_one_allocated_record_is_created_at_once() -> None:
    program = program_of(NODE)
    text, _, _ = source(program, program.functions[0])
    created = r"p = len\(_objects_0\)\n +_objects_0.append\(_site_\d+\)\n +p_record = \[None, None\]\n"
    assert re.search(created + r" +try:\n +_lists_\d+\[p\] = p_record\n", text)
    cases = {"malloc(16ul)": "index 1 of the memory allocated", "calloc(2ul, 8ul)": "value=5", "malloc(15ul)": "bounds"}
    for end, part in zip(ends_of(NODE.replace("malloc(16ul)", each) for each in cases), cases.values(), strict=True):
        assert part in end


def test_a_list_of_one_record_is_described_as_by_the_machine() -> None:
    body = "p := allocate node[1]; int[node.value(p)] := 5; x := int[node.value(node.at(p, -2))]; ret(x)"
    (end,) = ends_of([main_of(body, "struct node { value : int, next : ptr } ")])
    assert "index -2 of `p` (1 element of node" in end


def test_memory_of_a_known_allocation_is_freed_in_place() -> None:
    text, _, _ = source(program_of(NODE), program_of(NODE).functions[0])
    assert re.search(r"try:\n +lists, ended = _ended_\d+\[_objects_0\[p\]\]\n", text)
    assert re.search(r" except LookupError:\n +_free_\d+\(p\)\n", text)


ENDS = "\n" + PROGRAMS["ENDS"]


def test_memory_is_freed_as_by_the_machine() -> None:
    cases = [
        ("end(NULL)", "value=3"),
        ("end(c)", "the memory allocated on line 6 was freed on line 5, before this access"),
        ("end(b)", "the memory allocated on line 6 was freed on line 5, and is freed again"),
        ("return b->value", "the memory allocated on line 6 was freed on line 5, before this access"),
        ("end(all[1])", "`local`, which was not allocated by `malloc`, is freed"),
        ("end(all[2])", "`global`"),
        ("end((struct node *)&c->next)", "byte 8"),
        ("end((struct node *)((long)c + (1l << 40)))", "no object"),
        ("(void)*(char *)c; end(c)", "the memory allocated on line 6 was freed on line 5, before this access"),
    ]
    for end, (step, error) in zip(ends_in_c(ENDS.replace("STEP", step) for step, _ in cases), cases, strict=True):
        assert error in end, step


CONSTANTS = "\n" + PROGRAMS["CONSTANTS"]


def test_a_constant_variable_is_changed_by_no_pointer() -> None:
    cases = [
        ("const int x = 5; if (i) *(int *)&x = 6; if (read(&x) != 5) return 1;", "x"),
        ("const int x = i; int *p = (int *)&x; if (i) *p += i;", "x"),
        ("const int a[3] = {i}; if (i && read(a) == 1) set(a + 1);", "a"),
        ("const int a[2][2] = {{i}}; if (i) set(a[1]);", "a"),
        ("const struct s v = {i}; if (i) ((struct s *)&v)->n = 6;", "v"),
        ("const struct s v = made(i); if (i && v.a[0]) *(struct s *)&v = made(2);", "v"),
        ('const char t[] = "text"; if (i) strcpy((char *)t, "a");', "t"),
        ('const char *const t = "text"; if (i) *(const char **)&t = "a";', "t"),
        ("static const int x = 5; if (i) set(&x);", "x"),
        ("if (i) return first(i);", "n"),
        ("if (i) return second(made(i));", "v"),
        ("const int *p = &(const int){3}; if (i) *(int *)p = 4;", "literal"),
        ("if (i && read((const int[]){i, 2})) set((const int[]){i, 2} + 1);", "literal"),
        ("if (i) set(((const struct s){i, {2}}).a);", "literal"),
        ("if (i) set(kept);", "literal"),
        ("switch (i) { case 1:; const int y = i; set(&y); }", "y"),
    ]
    texts = [CONSTANTS.replace("STATEMENTS", statements) for statements, _ in cases]
    for end, (_, name) in zip(ends_in_c(texts), cases, strict=True):
        assert f"changed, but `{name}` is constant" in end


MEMBERS = "\n" + PROGRAMS["MEMBERS"]


def test_a_constant_member_is_changed_by_no_pointer() -> None:
    cases = [
        ("if (i) set(&v.b);", "v"),
        ("if (i) set(&v.in[1].y);", "v"),
        ("if (i) v.in[1].x = 2, memset((void *)v.t, 1, 2);", "v"),
        ("if (i) memcpy(&v, &late, sizeof v);", "v"),
        ("if (i) memmove(v.in, &v.a, 8);", "v"),
        ("if (i) set(&w.b);", "w"),
        ("if (i) set(&g.b);", "g"),
        ("struct pair { int x, y; }; if (i) *(struct pair *)&g.in[1] = (struct pair){1, 2};", "g"),
        ("static struct in a[2] = {{1, 2}}; if (i) set(&a[1].x), set(&a[1].y);", "a"),
        ("struct in *p = &(struct in){1, 2}; if (i) set(&p->x), set(&p->y);", "literal"),
        ("if (second(v, i) == 0) return 1;", "v"),
        ("struct { struct { struct in in; } s; } d = {{{1, 2}}}; if (i) set(&d.s.in.x), set(&d.s.in.y);", "d"),
    ]
    for end, (_, name) in zip(ends_in_c(MEMBERS.replace("STATEMENTS", each) for each, _ in cases), cases, strict=True):
        assert f"changed, but a part of `{name}` is constant" in end


def test_objects_with_constant_members_are_initialised_and_changed_otherwise() -> None:
    cases = [
        "",
        "again: { struct in n = {i, 2}; set(&n.x); if (n.y != 2) return 1; } if (++i < 3) goto again;",
        "again:; struct in n = {i, 2}; set(&n.x); if (n.y != 2) return 1; if (++i < 3) goto again;",
        "jmp_buf b; int k = setjmp(b); struct in n = {k, 2}; set(&n.x); if (n.y == 2 && k < 3) longjmp(b, k + 1);",
        "while (((struct in[]){{i, 1}})[0].x < 3) i++;",
        "int k = i; struct in n[k + 1]; n[0].x = 1; set(&n[0].x); set(&n[0].y);",
    ]
    assert {*_ends_with_jumps(MEMBERS, cases)} == {"Returned(value=0, type=int)"}


def _ends_with_jumps(program: str, cases: Sequence[str]) -> Iterator[str]:
    """The ends of runs of the program with statements, some of which jump, which the engine `python` does not have."""
    for jumps, engines in ((False, ENGINE_NAMES), (True, [name for name in ENGINE_NAMES if name != "python"])):
        chosen = [case for case in cases if ("setjmp" in case) == jumps]
        text = "#include <setjmp.h>\n" + program
        yield from ends_in_c([text.replace("STATEMENTS", statements) for statements in chosen], engines)


def test_a_constant_object_is_initialised_again_when_control_returns_to_it() -> None:
    cases = [
        "while (read(&(const int){i}) < 3) i++;",
        "do i++; while (read(&(const int){i}) < 3);",
        "for (; read(&(const int){i}) < 3; read(&(const int){i})) i++;",
        "while (i < 3) i = read((const int[]){i + 1});",
        "do { i = read((const int[]){i + 1}); } while (i < 3);",
        "again: i = read(&(const int){i + 1}); if (i < 3) goto again;",
        "switch (i) case 1: while (i < 3) { i = read(&(const int){i + 1}); case 0: i++; }",
        "jmp_buf b; if (setjmp(b) < read(&(const int){3})) longjmp(b, ++i);",
        "jmp_buf b; int n = setjmp(b); const int x = n; if (read(&x) < 3) longjmp(b, n + 1);",
    ]
    assert {*_ends_with_jumps(CONSTANTS, cases)} == {"Returned(value=0, type=int)"}


def test_only_a_variable_whose_address_is_taken_is_made_constant() -> None:
    text = """
        int f(const int *);
        int g(int n) {
            const int x = n, a[9] = {n}, b[2] = {n}, y = n;
            int z = n;
            return a[n] + b[1] + f(&z) + f(&y) + x;
        }"""
    assert re.findall(r"make_constant\((\w+)\)", pretty(convert(Source("made.c", text)))) == ["y"]


RESULTS = """
struct s { int n, a[4]; struct { int b[2]; } in[2]; };
struct p { int *to; };
static struct s f(int x) { return (struct s){x, {x, x + 1, x + 2, x + 3}, {{{1, 2}}, {{3, 4}}}}; }
static int *same(int *p) { return p; }
static int *returned(void) { return f(1).a; }
static struct p wrapped(int *p) { return (struct p){p}; }
static struct p kept;
int main(void) {
    int *p = 0; STATEMENTS
    return *p;
}
"""


def test_the_result_of_a_call_exists_until_the_whole_expression_ends() -> None:
    cases = [
        "p = f(1).a;",
        "p = same(f(1).in[1].b + 1);",
        "int *q = &f(1).a[2]; p = q;",
        "p = &f(1).in[0].b[1];",
        "for (int i = 0; i < 3; i++) { if (p) *p = 1; p = f(i).a; }",
        "struct p x = wrapped(f(1).a); p = x.to;",
        "struct p x = {f(1).a}; p = x.to;",
        "kept = wrapped(f(1).a); p = kept.to;",
        "p = returned();",
        "p = ({ f(1); }).a;",
        "p = ({ int *q = f(1).a; q; });",
        "p = (kept.to ? f(1) : f(2)).a;",
        "if ((p = f(1).a)) *p = 1;",
        "while ((p = f(1).a)) *p = 1;",
        "do { if (p) *p = 1; } while ((p = f(1).a));",
        "for (; !p; p = f(1).a) ;",
        "switch (*(p = f(1).a)) { default: *p = 1; }",
    ]
    for end in ends_in_c(RESULTS.replace("STATEMENTS", statements) for statements in cases):
        assert "the lifetime of `" in end and "ended on line" in end


PARTS = "\n" + PROGRAMS["PARTS"]


def test_parts_of_structs_are_accessed_as_by_the_machine() -> None:
    cases = [
        ("(void)0", "value=3"),
        ("row[2] = 7; *row = row[2]", "value=7"),
        ("row[5] = 1", ""),
        ("*(char *)&p[1] = 1; *row = 9", "value=9"),
        ("free(p)", "was freed on line 17, before this access"),
        ("struct part *q = malloc(sizeof *q); q->n = 1; row = &q->last", "is used uninitialised"),
        ("sum(&p[1].n, 13)", "index 16 of the memory allocated on line 8 (16 elements of int) is out of bounds"),
    ]
    for end, (step, error) in zip(ends_in_c(PARTS.replace("STEP", step) for step, _ in cases), cases, strict=True):
        assert error in end, step


def test_a_pointer_to_a_part_of_a_record_does_not_change_the_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    demoted = []
    monkeypatch.setattr(TypedMemory, "_demote", lambda self, found: demoted.append(found))
    program = convert(Source("parts.c", PARTS.replace("STEP;", "")))
    assert seen(program, [], "python")[2].startswith("Returned(value=3")
    assert not demoted


ADDRESSES = "\n" + PROGRAMS["ADDRESSES"]


ENDING = "\n" + PROGRAMS["ENDING"]


def test_a_variable_is_accessed_while_it_exists() -> None:
    cases = [
        ("", "deallocate(b);", "", "value=1"),
        ("", "deallocate(b); deallocate(a);", "", "the lifetime of `a` ended"),
        ("", "deallocate(b); c := int[b, 0];", "", "the lifetime of `b` ended"),
        ("", "deallocate(b); deallocate(b);", "", "the lifetime of `b` ended"),
        ("", "", "deallocate(a);", "the lifetime of `a` ended"),
        ("deallocate(p);", "", "", "the lifetime of `b` ended"),
        ("make_constant(p);", "int[b, 0] := 1;", "", "constant"),
        ("", "make_constant(a); int[a, 0] := 1;", "", "constant"),
        ("", "int[b, i + 2] := 1;", "", "index 4 of `b`"),
        ("", "int[b, 4] := 1;", "", "index 4 of `b`"),
        ("", "int[a, i - 1] := 1;", "", "index -1 of `a`"),
        ("", 'c := int[b, i + 1]; printf("%d\\n", c);', "", "used uninitialised"),
        ("", 'c := long[b, 0]; printf("%ld\\n", c);', "", "used uninitialised"),
    ]
    texts = [ENDING.replace("STEP", step).replace("IN_LOOP", body).replace("END", end) for step, body, end, _ in cases]
    for found, (*_, error) in zip(ends_of(texts), cases, strict=True):
        assert error in found


COPIES = "\n" + PROGRAMS["COPIES"]


def test_elements_are_copied_as_by_the_machine() -> None:
    cases = [
        ("(void)0", ""),
        ("return a[2]", "is used uninitialised"),
        ("a[1] = a[0]; a[0] = 1; a[1] = a[0]; return a[1]", "value=1"),
        ("a[n] = a[1]", "index 8 of `a`"),
        ("a[3] = a[n - 9]", "index -1 of `a`"),
        ("a[n - 9] = a[3]", "index -1 of `a`"),
        ("((char *)table)[8] = 1; table[0][2] = table[0][1]; return table[0][2] & 1", "value=1"),
    ]
    for end, (step, error) in zip(ends_in_c(COPIES.replace("STEP", step) for step, _ in cases), cases, strict=True):
        assert error in end, step


@pytest.mark.parametrize("may_change", [False, True])
def test_only_a_program_that_may_change_gets_loads_of_unwritten_bytes(may_change: bool) -> None:
    program = convert(Source("copies.c", COPIES.replace("STEP", "")))
    ready = with_library(program, may_change=may_change)
    assert any(each.op == "load_or" for each in ready.statements())
    assert any(each.op == "load_or" for each in program.statements()) == may_change
    assert seen(ready, [], "machine") == seen(program, [], "machine")


def test_a_copied_element_that_may_be_unwritten_is_stored_into_a_list() -> None:
    program = with_library(convert(Source("copies.c", COPIES.replace("STEP", ""))))
    text, _, _ = source(program, entry_of(program))
    assert re.search(r" a_list\[i\d*\] = (v\d+) if \1\.__class__ is not _Undefined_\d+ else None", text)


def test_addresses_have_the_numbers_and_order_of_the_machine() -> None:
    program = convert(Source("addresses.c", ADDRESSES))
    expected = seen(program, [], "machine")
    assert expected[2].startswith("Returned(value=4")
    assert seen(program, [], "python") == expected


@pytest.mark.parametrize("number", [0, 1, 5, 2**32 - 1])
@pytest.mark.parametrize("offset", [0, 1, -1, 4096, 2**31 - 1, -(2**31)])
def test_rotated_pointers_are_moved_as_others(number: int, offset: int) -> None:
    pointer = pointers.pointer_to(number, offset)
    assert rotated(rotated(pointer)) == pointer
    assert (rotated(pointer) == number) == (offset == 0)
    for distance in (0, 1, -1, 5000, -5000, 2**31 - 1, -(2**31), 2**40):
        assert moved(rotated(pointer), distance) == rotated(pointers.moved(pointer, distance))


@pytest.mark.parametrize("engine", ENGINES_WITH_MEMORY)
def test_random_programs_with_memory_behave_alike(engine: EngineName) -> None:
    ends = set()
    most = 100 if engine == "python" else 25
    for program, words in programs_to_run(range(30 * most if is_full() else most), with_memory=True):
        if engine_for(program, engine) != engine:
            continue
        values = parse_arguments(entry_of(program), words)
        try:
            found = seen(program, values, engine)
        except DiagnosticError:
            continue  # LLVM IR cannot express it
        assert found == seen(program, values, "machine"), pretty(program)
        ends.add(found[2].partition(":")[0])
    assert {"UndefinedError", "NullPointerError"} <= ends
