"""Promotion, places and lifetimes: the programs for C with objects in memory.

The programs of `tests/corpus/` test the behaviour, `tests/test_c_faults.py` the runtime errors.
"""

from __future__ import annotations

import io
import json
from textwrap import dedent

import pytest

from cpsconv import Program, Source, convert, evaluate, pretty
from cpsconv.cli import main
from cpsconv.core.ir import Parameter
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.targets import TARGETS, Style
from testing.running import STRATEGIES, observe

POINT = "struct point { int x, y; };\n"


def program_of(text: str, strategy: str = "scc") -> Program:
    return convert(Source("test.c", text), strategy=strategy, certify=True)


def body_of(text: str, headers: str = "") -> list[str]:
    """The lines of the last function of the program, without its first and last line."""
    printed = pretty(program_of(headers + text)).strip().split("\n\n")[-1]
    return [line.removeprefix("  ") for line in printed.splitlines()[1:-1]]


def parameters(program: Program) -> list[str]:
    """The names of the parameters of the continuations of the last function."""
    return [each.name for member in program.functions[-1].continuations for each in member.parameters]


def in_memory(text: str) -> dict[str, tuple[str, int]]:
    """The variables in memory of the last function, with the reason and its line."""
    program = program_of(text)
    found = program.variables[program.functions[-1]].in_memory
    return {each.name: (each.reason, each.at.line if each.at else 0) for each in found}


def test_records_without_tags_are_named_after_what_is_declared_with_them() -> None:
    text = """
    typedef struct { int x, y; } point;
    typedef struct { int k; } *handle;
    struct { struct { int b; } inner[2]; union { char c; struct { short s; }; }; } config;
    struct node { struct { int p; } *next; };
    int f(point *p, handle h, struct node *n) { return p->x + h->k + config.inner[1].b + config.s + n->next->p; }
    """
    printed = pretty(program_of(text)).splitlines()
    assert [line.partition(" {")[0] for line in printed if line.startswith(("struct", "union"))] == [
        "struct inner",
        "struct config_union_struct",
        "union config_union",
        "struct config",
        "struct point",
        "struct handle",
        "struct node",
        "struct next",
    ]


# ----------------------------------------------------------------------------------------------------- promotion


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_fields_of_a_struct_are_parameters_of_a_loop(strategy: str) -> None:
    text = f"{POINT}int f(int n) {{ struct point p = {{0}}; while (n--) {{ p.x += n; p.y -= p.x; }} return p.y; }}"
    program = program_of(text, strategy)
    assert sorted(parameters(program)) == ["n", "p.x", "p.y"]
    assert "allocate" not in pretty(program)


def test_a_small_array_with_constant_indices_is_split() -> None:
    program = program_of("int f(int n) { int a[2] = {n, 1}; while (n--) { a[1] *= 2; a[0] += a[1]; } return a[0]; }")
    assert sorted(parameters(program)) == ["a[0]", "a[1]", "n"]


def test_only_the_variable_whose_address_is_taken_is_in_memory() -> None:
    text = """\
        void g(int *p);
        int f(int n) {
            int a = 1, b = 2;
            g(&a);
            return a + b + n;
        }
        void g(int *p) { *p = 3; }
        int h(int x) { int *p = &x; return *p; }"""
    program = program_of(dedent(text))
    [f, _, h] = program.functions
    assert [(each.name, each.reason, each.at and each.at.line) for each in program.variables[f].in_memory] == [
        ("a", "its address is taken", 4)
    ]
    assert program.variables[f].promoted == 2
    assert [each.name for each in program.variables[h].in_memory] == ["x"]


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ("struct point p = {1, 2}; struct point *q = &p; q->x++;", "its address is taken"),
        ("int p[2] = {1, 2}; p[n]++;", "it is accessed at an index that is not constant, or out of bounds"),
        ("int p[2] = {1, 2}; p[2] = 1;", "it is accessed at an index that is not constant, or out of bounds"),
        ("int p[65]; p[1] = 1;", "it has more than 64 scalars, or a length that is not constant"),
        ("struct { union { int i; float f; } u; } p; p.u.i = 1;", "it contains a union"),
        ("struct point p = global;", "it is only used as a whole, and is copied from memory"),
        ("struct point p, q = global; p = q;", "it is only used as a whole, and is copied from memory"),
        ("struct bits p = flags; p.b++;", "it has bit-fields, and is copied from memory"),
        ("struct bits p = {1}; flags = p;", "it has bit-fields, and is copied to memory"),
        ("struct bits p = {1}, q = p; take(q);", "it has bit-fields, and is copied to memory"),
        ("struct bits p = {1}, q = {2}; flags = n ? p : q;", "it has bit-fields, and is copied to memory"),
        ("struct bits p = {1}, q; q = n ? p : flags;", "it has bit-fields, and is copied from memory"),
    ],
)
def test_the_reason_why_an_object_is_in_memory(statements: str, reason: str) -> None:
    items = "struct bits { int b : 3; } flags; void take(struct bits b) {}"
    found = in_memory(f"{POINT}struct point global; {items}\nvoid f(int n) {{ {statements} }}")
    assert found["p"] == (reason, 3)


@pytest.mark.parametrize(
    "statements",
    [
        "struct point p = global; n = p.x;",
        "struct point p = array[n]; p.x++; array[n] = p;",
        "struct point p = made(n); n = p.x;",
        "struct point p; p = made(n); n = take(p) + p.x;",
        "struct point q = {1, 2}, p = n ? q : global; n = p.y;",
        "struct { struct point a; int b[2]; } p; p.a = global; p.b[1] = p.a.x;",
        "struct { int b : 3; unsigned : 2, c : 5; } p = {1}, q = p; p.b += 5; p = q;",
    ],
)
def test_an_object_that_is_copied_becomes_variables(statements: str) -> None:
    items = "struct point global, array[4]; struct point made(int n) { return global; }"
    items += "int take(struct point p) { return 1; }"
    assert "p" not in in_memory(f"{POINT}{items}\nvoid f(int n) {{ {statements} }}")


def test_a_copy_from_memory_loads_each_scalar_and_a_copy_to_memory_stores_it() -> None:
    text = "void f(struct point *a, int n) { struct point p = a[n]; p.x++; a[n + 1] = p; }"
    assert body_of(text, POINT) == [
        "v := point.at(a, n);",
        "x := load_or(point.x(v), undef(`p.x` : int));",
        "y := load_or(point.y(v), undef(`p.y` : int));",
        "p := point.at(a, n + 1);",
        "int[point.x(p)] := x + 1;",
        "int[point.y(p)] := y;",
        "ret()",
    ]


def test_the_scalars_of_a_parameter_that_are_accessed_are_loaded_at_the_entry() -> None:
    text = "struct line { struct point a, b; int w[3]; };"
    text += "int f(struct line l, int n) { while (n--) { l.a.x += l.w[1]; l.w[2] = n; } return l.a.x; }"
    assert body_of(text, POINT)[:2] == [
        "x := load_or(point.x(line.a(l)), undef(`l.a.x` : int));",
        "`l.w[1]` := load_or(int.at(line.w(l), 1), undef(`l.w[1]` : int));",
    ]
    assert sum("[" in line and ":=" in line for line in body_of(text, POINT)[3:]) == 0
    assert sorted(parameters(program_of(POINT + text))) == ["l.a.x", "n"]
    assert in_memory(POINT + text) == {}


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("int f(struct point p) { return *&p.x; }", None),
        ("int f(struct point p) { struct point q = p; return p.y + q.x; }", None),
        ("struct point f(struct point p) { p.x++; return p; }", None),
        ("int f(struct point p) { int *x = &p.x; return *x; }", "its address is taken"),
        ("struct point f(struct point p) { return p; }", "it is only used as a whole, and is passed in memory"),
        ("int f(struct point p) { return 0; }", "it is only used as a whole, and is passed in memory"),
        ("int f(struct bits p) { return p.b; }", "it has bit-fields, and is passed in memory"),
        ("int f(union both p) { return p.i; }", "it contains a union"),
        (
            "int f(struct array p, int n) { return p.a[n]; }",
            "it is accessed at an index that is not constant, or out of bounds",
        ),
        ("int f(struct large p) { return p.a[1]; }", "it has more than 64 scalars, or a length that is not constant"),
    ],
)
def test_the_reason_why_a_parameter_of_type_struct_is_in_memory(function: str, reason: str | None) -> None:
    items = "struct bits { int b : 3; }; union both { int i; float f; };"
    items += "struct array { int a[4]; }; struct large { int a[65]; };"
    expected = {} if reason is None else {"p": (reason, 3)}
    assert in_memory(f"{POINT}{items}\n{function}") == expected


def test_a_bit_field_in_a_variable_is_truncated_when_it_is_written() -> None:
    text = "int f(int n) { struct { unsigned a : 3; int b : 5; _Bool c : 1; } p; p.FIELD = n; return p.FIELD; }"
    assert body_of(text.replace("FIELD", "a")) == ["ret(int(unsigned(n) & 7u))"]
    assert body_of(text.replace("FIELD", "b")) == ["ret((n << 27) >> 27)"]
    assert body_of(text.replace("FIELD", "c")) == ["ret(int(n != 0))"]


def test_copies_between_split_structs_are_no_statements() -> None:
    assert body_of("int f(int n) { struct point a = {n, 1}, b = a, c; c = b; return c.x + c.y; }", POINT) == [
        "ret(n + 1)"
    ]


def test_a_partly_initialised_struct_can_be_copied() -> None:
    text = f"""{POINT}
        struct point list[2];
        int main(void) {{ struct point a, b; a.x = 4; b = a; list[1] = b; return list[1].x; }}"""
    program = program_of(text)
    assert "main(ret" in pretty(program)
    assert program.variables[program.functions[-1]].promoted == 2


def test_why_takes_the_names_of_fields_and_of_split_structs(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    path = f"{tmp_path}/a.c"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""{POINT}void g(int *p) {{ *p = 1; }}
            int f(struct point *q, int n) {{
                struct point p = *q, t = {{1, 2}};
                g(&t.x);
                while (p.x < n) p.x += t.x;
                return p.x;
            }}""")
    assert main(["why", f"{path}:f", "t.y"]) == 0
    assert "is in memory: its address is taken on line 5" in capsys.readouterr().out
    assert main(["why", f"{path}:f", "p.x"]) == 0
    assert "The parameter `p.x` of `while` is necessary" in capsys.readouterr().out
    assert main(["why", f"{path}:f", "p"]) == 1
    assert capsys.readouterr().err == "error: `p` is split into variables\nhelp: parameters are `p.x`\n"


def test_why_states_where_the_address_is_taken(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    path = f"{tmp_path}/a.c"
    with open(path, "w", encoding="utf-8") as file:
        file.write("void g(int *p) { *p = 1; }\nint f(void) {\n    int x = 0;\n    g(&x);\n    return x;\n}\n")
    assert main(["why", f"{path}:f", "x"]) == 0
    assert capsys.readouterr().out == "`x` on line 3 is in memory: its address is taken on line 4.\n    &x\n"
    assert main(["why", f"{path}:f", "x", "--json"]) == 0
    [answer] = json.loads(capsys.readouterr().out)
    assert (answer["kind"], answer["reason"], answer["line"]) == ("memory", "its address is taken", 4)
    assert main(["compare", "--strategy", "scc", "--repeat", "1", path, "--json"]) == 0
    [g, f] = json.loads(capsys.readouterr().out)
    assert (f["promoted"], f["in_memory"]) == (0, 1)
    assert g["function"] == "g"


# -------------------------------------------------------------------------------------------------- text of places


def test_an_update_of_a_field_of_an_element_reads_as_in_c() -> None:
    text = "int f(struct point *a, int i) { a[i].x += 1; return a[i].y; }"
    assert body_of(text, POINT) == [
        "p := point.at(a, i);",
        "x := int[point.x(p)];",
        "int[point.x(p)] := x + 1;",
        "y := int[point.y(point.at(a, i))];",
        "ret(y)",
    ]


def test_indices_of_arrays_of_arrays_are_added() -> None:
    assert body_of("int f(int i) { return grid[2][1] + grid[i][3]; }", "int grid[3][4];\n") == [
        "v := int[grid, 9];",
        "v1 := int[grid, long(i) * 4l + 3l];",
        "ret(v + v1)",
    ]


def test_pointers_are_moved_by_elements() -> None:
    text = "int f(int *p, unsigned n) { p += n; *p++ = 1; return p[-1] + *(p - 2); }"
    lines = body_of(text)
    assert lines[:3] == ["p1 := int.at(p, n);", "p2 := int.at(p1, 1);", "int[p1] := 1;"]
    assert lines[3:] == ["v := int[p2, -1];", "v1 := int[p2, -2l];", "ret(v + v1)"]


def test_bit_fields_are_parts_of_their_unit() -> None:
    text = "int f(struct flags *p, int n) { p->b = n; return p->a; }"
    assert body_of(text, "struct flags { unsigned a : 3; int b : 5; };\n") == [
        "bits := load_or(p, 0u);",
        "unsigned[p] := (bits & 4294967047u) | ((unsigned(n) & 31u) << 3);",
        "bits1 := unsigned[p];",
        "ret(int(bits1 & 7u))",
    ]


def test_the_bytes_of_a_unit_beside_other_fields_are_fields() -> None:
    text = """
        struct mixed { char f; int b : 20; void *p; } global = {1, -5, &global};
        struct units { int x : 7; char c; int y : 9; int w : 30; } units = {3, 'x', -4, 9};
        int main(void) { global.b++; units.y--; return global.b + units.y + global.f + units.c + units.x; }"""
    program = program_of(text)
    assert pretty(program).splitlines()[:2] == [
        "struct mixed { f : char, bits : char[3], p : ptr }",
        "struct units { bits : char[1], c : char, bits1 : char[2], bits2 : unsigned }",
    ]
    assert observe(program).status == 120 - 4 - 5 + 1 + 3


def test_calls_through_pointers_and_variable_arguments() -> None:
    headers = "#include <stdarg.h>\nint sum(int n, ...) { va_list l; va_start(l, n); return va_arg(l, int); }\n"
    program = pretty(program_of(headers + "int f(int (*g)(int)) { return g(1) + sum(2, 3, 4l); }"))
    assert "call(g, 1, λ(v : int)." in program
    assert "arguments := allocate long[5];" in program
    assert "long[arguments, 4] := 4l;" in program
    assert "sum(2, arguments, λ(" in program


def test_structs_are_passed_and_returned_by_pointers_to_copies() -> None:
    text = "struct point swapped(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }"
    program = program_of(f"{POINT}{text}\nint f(void) {{ struct point q = {{1, 2}}; q = swapped(q); return q.x; }}")
    swapped, f = program.functions
    assert [each.name for each in swapped.parameters] == ["result", "p", "ret"]
    assert all(isinstance(each, Parameter) for each in swapped.parameters)
    assert not program.variables[f].in_memory


# ------------------------------------------------------------------------------------------------------ lifetimes


def test_each_path_out_of_a_scope_ends_the_lifetimes() -> None:
    text = """
        void g(int *p);
        int f(int n) {
            for (;;) {
                int a = n;
                g(&a);
                if (a == 1) break;
                if (a == 2) continue;
                if (a == 3) return 5;
                if (a == 4) goto end;
            }
        end:
            return 6;
        }
        void g(int *p) { (*p)--; }"""
    printed = pretty(program_of(text))
    assert printed.count("a := allocate int;") == 1
    assert printed.count("deallocate(a);") == 5


@pytest.mark.parametrize(
    ("statements", "ends"),
    [
        ("switch (n) { int v[2]; case 1: v[0] = 5; keep = v; }", True),
        ("switch (n) { default: { int v = 5; keep = &v; } }", True),
        ("for (int i = 0; i < 1; i++) { again:; int v = n; keep = &v; if (n++ < 4) goto again; }", True),
        ("for (int i = 0; i < 2; i++) { if (i) goto in; { int v; in: v = 3; keep = &v; } }", True),
        ("{ goto in; { int v; in: v = 3; keep = &v; } }", True),
        ("{ void *to = &&in; goto *to; { int v; in: v = 3; keep = &v; } }", True),
        ("for (int i = 0; i < 2; i++) keep = (int[]){i, n};", True),
        ("{ keep = &(int){n}; }", True),
        ("switch (n) { do { int v; case 1: v = 5; keep = &v; } while (n-- > 1); }", True),
        ("goto in; { int v; in: v = 3; keep = &v; }", False),
        ("keep = &(int){n};", False),
    ],
)
def test_a_lifetime_ends_with_the_innermost_statement_that_no_jump_enters(statements: str, ends: bool) -> None:
    program = program_of(f"int *keep;\nint main(void) {{\nint n = 1; {statements}\nreturn *keep; }}")
    if not ends:
        evaluate(program, output=io.BytesIO(), errors=io.BytesIO())
        return
    with pytest.raises(ProgramError) as raised:
        evaluate(program, output=io.BytesIO(), errors=io.BytesIO())
    found = raised.value.diagnostic
    assert found.rule == "lifetime" and found.span and found.span.line == 4


def test_an_object_that_is_entered_from_the_outermost_scope_exists_during_the_call() -> None:
    text = """
        void g(int *p);
        int f(int n) {
            if (n) goto inside;
            {
                int a;
            inside:
                g(&a);
                n = a;
            }
            return n;
        }
        void g(int *p) { *p = 1; }"""
    assert pretty(program_of(text)).splitlines()[1] == "  a := allocate int;"


def test_strings_that_are_only_printed_are_no_objects() -> None:
    text = '#include <stdio.h>\nint main(void) { printf("%s", "a"); puts("b"); return 0; }'
    assert program_of(text).data == []
    shared = program_of('const char *a = "x", *b = "x", *c = "y";\nint main(void) { return a == b; }')
    assert [each.name for each in shared.data] == ["a", "b", "c", "string", "string1"]
    assert [each.is_constant for each in shared.data] == [False, False, False, True, True]


def test_a_static_variable_has_its_own_name_in_errors() -> None:
    program = program_of("int f(int i) { static int c[2]; return c[i]; }\nint main(void) { return f(3); }")
    assert program.data[0].name == "f.c"
    with pytest.raises(ProgramError) as raised:
        evaluate(program, output=io.BytesIO(), errors=io.BytesIO())
    assert "index 3 of `c` (2 elements of int, declared on line 1) is out of bounds" in str(raised.value)
    assert '"c", 1' in TARGETS["python"](program, Style())
