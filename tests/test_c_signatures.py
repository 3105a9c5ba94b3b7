"""Functions that take or return structs by value, or take variable arguments, called across files, as by gcc."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.abi.attributes import CSignature, set_signature
from cpsconv.core.check import check
from cpsconv.core.json import from_json, to_json
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import ENGINES, EngineName
from cpsconv.targets import TARGETS, Style
from testing.effort import sample
from testing.gcc import GCC, needs_gcc
from testing.running import converted, observe
from tests.tables import table

LLC = shutil.which("llc")
LEVELS = sample(["-O2", "-O0"], 2)
"""The levels of optimisation: by default the one that relies on more of what a text states."""

TYPES = """\
struct point { int x, y; };
struct large { long a[5]; double d; };
struct mixed { double d; int n; };
struct vector { float x, y, z; };
struct letters { char c[3]; };
struct padded { _Alignas(16) double d; };
struct bits { unsigned a : 3, b : 20; double d; };
union number { float f; int i; };
"""
CALLER = f"""\
#include <stdarg.h>
#include <stdio.h>
{TYPES}
int record(const char *format, ...);
int record_list(const char *format, va_list list);
int record_point(struct mixed m, const char *format, ...);
struct point add(struct point a, struct point b);
struct large grow(struct large l, int by);
struct mixed mix(struct mixed m, float f, char c);
struct vector scale(struct vector v, float by);
struct letters next(struct letters l);
struct padded halve(struct padded p, double by, struct bits b);
double sum(long a, long b, long c, long d, long e, struct point p, struct mixed m, struct mixed n, union number u);
int recorded(const char *format, ...) {{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = record_list(format, list) + record_list(format, again);
    va_end(list);
    va_end(again);
    return n;
}}
int main(void) {{
    recorded("%d %g %d %d %Lg %d %d %d %d %s\\n", 1, 2.5, 3, 4, 5.5L, 6, 7, 8, 9, "ten");
    struct point p = {{1, 2}}, q = {{30, 40}};
    p = add(p, q);
    char c = 'c';
    short s = -3;
    float f = 1.5f;
    int n = record("%d %d %c %d %g %s %ld %p\\n", p.x, p.y, c, s, f, "text", 123456789012L, (void *)0);
    struct large l = {{{{1, 2, 3, 4, 5}}, 0.5}};
    l = grow(grow(l, 10), 1);
    printf("%d %ld %ld %g\\n", n, l.a[0], l.a[4], l.d);
    struct mixed m = mix((struct mixed){{2.5, 7}}, 0.25f, 'x');
    struct vector v = scale((struct vector){{1, 2, 3}}, 2);
    struct letters t = next((struct letters){{"abc"}});
    struct padded h = halve((struct padded){{9}}, 2, (struct bits){{5, 77, 0.25}});
    printf("%g %d %g %g %g %c%c%c %g\\n", m.d, m.n, v.x, v.y, v.z, t.c[0], t.c[1], t.c[2], h.d);
    union number u;
    u.f = 1.0f;
    printf("%g\\n", sum(1, 2, 3, 4, 5, p, m, m, u));
    add(p, q);
    return record_point(m, "%s %d\\n", "x", 5) + record("plain\\n") + next(t).c[1];
}}
"""
CALLEE = f"""\
#include <stdarg.h>
#include <stdio.h>
{TYPES}
int record(const char *format, ...) {{
    va_list list;
    va_start(list, format);
    int n = vprintf(format, list);
    va_end(list);
    return n;
}}
int record_list(const char *format, va_list list) {{ return vprintf(format, list); }}
int record_point(struct mixed m, const char *format, ...) {{
    va_list list;
    va_start(list, format);
    int n = vprintf(format, list);
    va_end(list);
    return n + m.n + m.d;
}}
struct point add(struct point a, struct point b) {{ a.x += b.x; a.y += b.y; return a; }}
struct large grow(struct large l, int by) {{ for (int i = 0; i < 5; i++) l.a[i] += by; l.d *= 2; return l; }}
struct mixed mix(struct mixed m, float f, char c) {{ m.d += f; m.n += c; return m; }}
struct vector scale(struct vector v, float by) {{ v.x *= by; v.y *= by; v.z *= by; return v; }}
struct letters next(struct letters l) {{ l.c[0]++; l.c[1]++; l.c[2]++; return l; }}
struct padded halve(struct padded p, double by, struct bits b) {{ p.d = p.d / by + b.a + b.b + b.d; return p; }}
double sum(long a, long b, long c, long d, long e, struct point p, struct mixed m, struct mixed n, union number u) {{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e + p.x * 0.5 + p.y + m.d + m.n + n.d + (u.i == 0x3f800000);
}}
"""


WIDE = """
typedef __int128 wide;
struct one { wide x; }; struct two { unsigned __int128 a; int b; };
wide mixed(int a, wide b, long c, wide d, long e, wide f, int g);
wide last(long a, long b, long c, long d, long e, wide f, int g, wide h);
wide structs(struct one a, double x, struct two b, wide c, struct one d, struct one e);
struct two product(unsigned __int128 a, wide b, int c);
wide sum(int n, ...);
"""
"""Integers of 128 bits, in registers and in memory."""

WIDE_CALLER = (
    WIDE
    + """
int main(void) {
    wide k = (wide)0x123456789abcdef << 60;
    struct one o = {k * 3};
    struct two t = product(k, 3, 8);
    wide s = mixed(1, k, 2, k + 5, 3, -k, 9) + 3 * last(1, 2, 3, 4, 5, k, 6, -k) + 5 * structs(o, 2.5, t, k, o, o);
    s += t.a + t.b + sum(3, 1, k, 2.0, 3, -k, 4.0, 5, k * 7, 6.0);
    return (s % 1009 + 1009) % 1009 % 251;
}
"""
)

WIDE_CALLEE = (
    WIDE
    + """
#include <stdarg.h>
wide mixed(int a, wide b, long c, wide d, long e, wide f, int g) {
    return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17;
}
wide last(long a, long b, long c, long d, long e, wide f, int g, wide h) {
    return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19;
}
wide structs(struct one a, double x, struct two b, wide c, struct one d, struct one e) {
    return a.x + (wide)x + b.a * 3 + b.b + c * 5 + d.x * 7 + e.x * 11;
}
struct two product(unsigned __int128 a, wide b, int c) { struct two t = {a * b, c}; return t; }
wide sum(int n, ...) {
    va_list list;
    va_start(list, n);
    wide s = 0;
    while (n--) {
        s = s * 31 + va_arg(list, int);
        s = s * 31 + va_arg(list, wide);
        s = s * 31 + (wide)va_arg(list, double);
    }
    va_end(list);
    return s;
}
"""
)

PROGRAMS = pytest.mark.parametrize(("caller", "callee"), [(CALLER, CALLEE), (WIDE_CALLER, WIDE_CALLEE)])


def linked(folder: Path, *objects: str) -> tuple[str, int]:
    """What the program of some files does, compiled by gcc."""
    assert GCC is not None
    subprocess.run([GCC, "-w", "-o", "program", *objects], cwd=folder, check=True)
    done = subprocess.run([folder / "program"], capture_output=True, text=True, check=False)
    return done.stdout, done.returncode


def emitted_behaviour(program: Program, folder: Path) -> dict[str, tuple[str, int]]:
    """What the emitted programs do, linked with ``callee.o``, for each way to compile them."""
    return {how: linked(folder, name, "callee.o") for how, name in objects(program, "program", folder)}


def objects(program: Program, name: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The object files of an emitted program, for each way to compile it."""
    assert GCC is not None
    (folder / f"{name}.emitted.c").write_text(TARGETS["c"](program, Style()))
    for level in LEVELS:
        compile = [GCC, "-w", "-fwrapv", level, "-c", f"{name}.emitted.c", "-o", f"{name}.emitted.o"]
        subprocess.run(compile, cwd=folder, check=True)
        yield level, f"{name}.emitted.o"
    if LLC:
        (folder / f"{name}.ll").write_text(TARGETS["llvm"](program, Style()))
        for level in LEVELS:
            command = [*_llc(), level, "-relocation-model=pic", "-filetype=obj", f"{name}.ll", "-o", f"{name}.o"]
            subprocess.run(command, cwd=folder, check=True)
            yield f"llc {level}", f"{name}.o"


@cache
def _llc() -> list[str]:
    """The command that compiles LLVM IR with opaque pointers."""
    assert LLC
    version = subprocess.run([LLC, "--version"], capture_output=True, text=True, check=True).stdout
    return [LLC, *(["-opaque-pointers"] if "version 14." in version else [])]


def reference(caller: str, callee: str, folder: Path) -> tuple[str, int]:
    """What the program does that gcc compiles; ``callee.o`` has the definitions."""
    (folder / "callee.c").write_text(callee)
    (folder / "caller.c").write_text(caller)
    assert GCC is not None
    subprocess.run([GCC, "-w", "-O1", "-c", "callee.c"], cwd=folder, check=True)
    return linked(folder, "caller.c", "callee.o")


@needs_gcc
@pytest.mark.parametrize(
    ("caller", "callee", "memory"),
    [(CALLER, CALLEE, None), (CALLER, CALLEE, "one"), (WIDE_CALLER, WIDE_CALLEE, "objects")],
)
def test_structs_and_variable_arguments_reach_functions_compiled_by_gcc(
    caller: str, callee: str, memory: str | None, tmp_path: Path
) -> None:
    expected = reference(caller, callee, tmp_path)
    program = convert(Source("test.c", caller), certify=True, explicit_memory=memory)
    read = from_json(to_json(parse(Source("test.cps", pretty(program)))))
    assert pretty(read) == pretty(program)
    assert {*emitted_behaviour(read, tmp_path).values()} == {expected}


@needs_gcc
@PROGRAMS
def test_files_compiled_by_gcc_and_emitted_files_call_emitted_functions(
    caller: str, callee: str, tmp_path: Path
) -> None:
    expected = reference(caller, callee, tmp_path)
    program = convert(Source("callee.c", callee), certify=True)
    read = from_json(to_json(parse(Source("test.cps", pretty(program)))))
    assert pretty(read) == pretty(program)
    callers = objects(convert(Source("test.c", caller)), "program", tmp_path)
    for (_, name), (_, other) in zip(objects(read, "emitted", tmp_path), callers, strict=True):
        assert linked(tmp_path, "caller.c", name) == expected
        assert linked(tmp_path, other, name) == expected


TEXTS = table("c_signatures")
"""The longer programs of these tests."""

VARIABLE = TEXTS["VARIABLE"]
SUM = "\n" + TEXTS["SUM"]


@needs_gcc
def test_emitted_functions_take_structs_as_variable_arguments_as_gcc_passes_them(tmp_path: Path) -> None:
    callee = VARIABLE.partition("int main")[0] + SUM
    expected = reference(VARIABLE, callee, tmp_path)
    for _, name in objects(convert(Source("callee.c", callee)), "emitted", tmp_path):
        assert linked(tmp_path, "caller.c", name) == expected
    whole = convert(Source("test.c", VARIABLE + SUM))
    assert observe(whole, engine="machine").status == expected[1]


POINTER_DECLARED = """\
struct pair { long first, second; };
typedef struct pair (*function)(void *, int);
struct pair next(void *p, int x);
void keep(function f);
function kept(void);
long call(void);
"""
POINTER_USER = (
    POINTER_DECLARED
    + """
int main(void) {
    keep(next);
    function f = kept();
    return (f == next) + 2 * (f(0, 3).first == 3) + 4 * (call() == 4);
}
"""
)
POINTER_KEEPER = (
    POINTER_DECLARED
    + """
static function f;
void keep(function g) { f = g; }
function kept(void) { return f == next ? f : 0; }
struct pair next(void *p, int x) { struct pair r = {x, 4}; return r; }
long call(void) { return f(0, 1).second; }
"""
)


@needs_gcc
def test_pointers_of_emitted_files_to_a_function_with_structs_are_equal(tmp_path: Path) -> None:
    user, keeper = (convert(Source("test.c", text)) for text in (POINTER_USER, POINTER_KEEPER))
    users = objects(user, "user", tmp_path)
    for (how, name), (_, other) in zip(objects(keeper, "keeper", tmp_path), users, strict=True):
        assert linked(tmp_path, name, other) == ("", 7), how


SCALARS = {"char": "%d", "short": "%d", "int": "%d", "long": "%ld", "float": "%g", "double": "%g"}


def _random_calls(seed: int) -> tuple[str, str]:
    """Functions of random structs and scalars that print their arguments, and a program that calls them."""
    choice, types, caller, callee = random.Random(seed), list[str](), list[str](), list[str]()
    fields: dict[str, list[str]] = {}
    for number in range(12):
        fields[f"struct s{number}"] = choice.choices([*SCALARS], k=choice.choice([1, 2, 2, 3, 4, 5]))
        members = " ".join(f"{type} f{n};" for n, type in enumerate(fields[f"struct s{number}"]))
        types.append(f"struct s{number} {{ {members} }};")
    for number in range(12):
        parameters = choice.choices([*SCALARS, *fields, *fields], k=choice.randrange(1, 9))
        struct = f"struct s{number}"
        declared = ", ".join(f"{type} p{n}" for n, type in enumerate(parameters))
        types.append(f"{struct} f{number}({declared});")
        parts = [(f"p{n}", type) for n, type in enumerate(parameters) if type in SCALARS]
        parts += [(f"p{n}.f{m}", type) for n, s in enumerate(parameters) for m, type in enumerate(fields.get(s, []))]
        formats = " ".join(SCALARS[type] for _, type in parts)
        passed = ", ".join(name for name, _ in parts)
        values = ", ".join(str(choice.randrange(100)) for _ in fields[struct])
        result = f"struct s{number} r = {{{values}}}; return r;"
        callee.append(f'{struct} f{number}({declared}) {{ printf("{formats}\\n", {passed}); {result} }}')
        given = [
            str(choice.randrange(-9, 100)) if type in SCALARS
            else f"({type}){{{', '.join(str(choice.randrange(100)) for _ in fields[type])}}}"
            for type in parameters
        ]  # fmt: skip
        shown = ", ".join(f"r{number}.f{n}" for n in range(len(fields[struct])))
        formats = " ".join(SCALARS[type] for type in fields[struct])
        caller.append(f'{struct} r{number} = f{number}({", ".join(given)}); printf("{formats}\\n", {shown});')
    start = "\n".join(["#include <stdio.h>", *types])
    return f"{start}\nint main(void) {{ {' '.join(caller)} }}\n", "\n".join([start, *callee]) + "\n"


@needs_gcc
@pytest.mark.parametrize("seed", sample(range(4), 4))
def test_random_structs_are_passed_as_by_gcc(seed: int, tmp_path: Path) -> None:
    caller, callee = _random_calls(seed)
    expected = reference(caller, callee, tmp_path)
    assert {*emitted_behaviour(convert(Source("test.c", caller)), tmp_path).values()} == {expected}
    for _, name in objects(convert(Source("callee.c", callee)), "emitted", tmp_path):
        assert linked(tmp_path, "caller.c", name) == expected


VARIADIC = "int f(int, ...); int main(void) { return f(1, 2); }"
BY_VALUE = "struct s { int a; }; struct s f(struct s s); int main(void) { struct s s = {1}; return f(s).a; }"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_names_the_missing_definition(engine: EngineName) -> None:
    for text in (VARIADIC, BY_VALUE):
        with pytest.raises(DiagnosticError, match="has no external function `f`"):
            observe(converted(text, "scc"), engine=engine)


STRUCT = "struct point { x : int, y : int }\n"
MAIN = "\nmain(ret : int → ⊥) → ⊥ {\n  ret(0)\n}\n"


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("p : ptr by point, ret : int → ⊥", "expected `byval` or `sret`, found `by`"),
        ("p : ptr byval pint, ret : () → ⊥", "there is no type `pint`"),
        ("..., p : ptr, ret : () → ⊥", "expected `...` once, before the return continuation, found `...`"),
        ("p : ptr, ..., ..., ret : () → ⊥", "expected `...` once, before the return continuation, found `...`"),
        ("p : ptr, ret : () → ⊥, ...", "expected `...` once, before the return continuation, found `...`"),
    ],
)
def test_a_wrong_signature_in_the_text_is_reported(signature: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse(Source("test.cps", f"{STRUCT}extern f({signature}) → ⊥\n{MAIN}"))
    assert [each.message for each in caught.value.diagnostics] == [message]


def checked(external: str, body: str) -> list[str]:
    text = f"{STRUCT}extern f({external}) → ⊥\n\nmain(ret : int → ⊥) → ⊥ {{\n{body}\n}}\n"
    return [each.message for each in check(parse(Source("test.cps", text)))]


@pytest.mark.parametrize(
    ("external", "body", "message"),
    [
        ("n : int, p : ptr sret point, ret : () → ⊥", "ret(0)",
         "`f` returns a struct by value, so its first parameter is the place for it, and it has no other result"),
        ("p : int byval point, ret : int → ⊥", "ret(0)", "`f` has no pointer as parameter 1, for the struct `point`"),
        ("p : ptr sret point, ret : int → ⊥", "ret(0)",
         "`f` returns a struct by value, so its first parameter is the place for it, and it has no other result"),
        ("n : int, ..., ret : int → ⊥", "p := ptr(f);\nbranch(p == null, λ(). ret(0), λ(). ret(1))",
         "`f` takes structs by value or variable arguments, so it can only be called"),
        ("p : ptr byval point, ret : int → ⊥", "call(ptr(f), null, ret)",
         "`f` takes structs by value or variable arguments, so it can only be called"),
        ("n : int, ..., ret : int → ⊥", "call(ptr(f), 1.5, ret)",
         "`f` takes arguments of the types int before the variable ones"),
        ("n : int, ..., ret : int → ⊥", "call(ptr(f), 1, 1.5f, ret)",
         "C promotes the variable arguments of `f` to int, unsigned, long, unsigned long, __int128, "
         "unsigned __int128, double, long double, ptr, string"),
    ],
)  # fmt: skip
def test_signatures_are_checked(external: str, body: str, message: str) -> None:
    assert checked(external, body) == [message]


def test_a_function_with_variable_arguments_has_a_pointer_to_them() -> None:
    program = parse(Source("test.cps", MAIN))
    set_signature(program.functions[0], CSignature(is_variadic=True))
    message = "`main` has variable arguments and a body, but no pointer to them as its last parameter"
    assert [each.message for each in check(program)] == [message]


def test_json_of_earlier_versions_is_read_and_checked() -> None:
    program = parse(Source("test.cps", f"{STRUCT}extern f(p : ptr byval point, ..., ret : () → ⊥) → ⊥\n{MAIN}"))
    text = to_json(program).replace(', "attributes": {"c.byval": {"type": {"struct": "point"}}}', "")
    signature = {"structs": [{"parameter": 0, "struct": "point"}], "returns_struct": False, "variadic": True}
    earlier = text.replace('"attributes": {"c.variadic": true}', f'"c_signature": {json.dumps(signature)}')
    assert "attributes" not in earlier and pretty(from_json(earlier)) == pretty(program)
    with pytest.raises(ValueError, match="no pointer as parameter 2"):
        from_json(earlier.replace('"parameter": 0', '"parameter": 1'))
    with pytest.raises(ValueError, match="no parameter 3"):
        from_json(earlier.replace('"parameter": 0', '"parameter": 2'))
    with pytest.raises(ValueError, match="there is no struct"):
        from_json(earlier.replace('"parameter": 0, "struct": "point"', '"parameter": 0, "struct": "line"'))


TABLE = TEXTS["TABLE"]
TABLE_CALLEE = (
    TABLE.partition("typedef")[0]
    + """
#include <stdarg.h>
int total(int n, ...) {
    int s = 0;
    va_list l;
    va_start(l, n);
    while (n--) s = s * 3 + va_arg(l, int);
    va_end(l);
    return s;
}
struct point moved(struct point p, int by) { p.x += by; p.y -= by; return p; }
double mixed(double first, int n, ...) {
    va_list l;
    va_start(l, n);
    while (n--) { first = first * 2 + va_arg(l, long); first = first * 3 + va_arg(l, double); }
    va_end(l);
    return first;
}
static int sum;
void note(int n, ...) {
    va_list l;
    va_start(l, n);
    char *s = va_arg(l, char *);
    sum = s[1] + va_arg(l, int);
    va_end(l);
}
int noted(void) { return sum; }
"""
)


@needs_gcc
def test_pointers_to_functions_of_other_files_take_structs_and_variable_arguments(tmp_path: Path) -> None:
    expected = reference(TABLE, TABLE_CALLEE, tmp_path)
    assert {*emitted_behaviour(convert(Source("test.c", TABLE), certify=True), tmp_path).values()} == {expected}


@needs_gcc
def test_arguments_that_are_not_described_are_not_passed_on(tmp_path: Path) -> None:
    text = "int total(int n, ...); int main(void) { int (*f)(int, ...) = total; return f(1, 2.5L); }"
    reference(text, TABLE_CALLEE, tmp_path)
    for how, (_, status) in emitted_behaviour(convert(Source("test.c", text)), tmp_path).items():
        assert status < 0, how


WORDS = """\
struct one { union { double d; unsigned long bits; } u; };
struct two { long a, b; };
struct mixed { double d; int n; };
struct small { float x, y, z; };
struct padded { char c; long n; };
struct big { long a[3]; };
"""
WORDS_CALLER = (
    "#include <stdio.h>\n"
    + WORDS
    + """\
int show(const char *kinds, ...);
struct big make(const char *kinds, ...);
void fail(const char *kinds, ...) __attribute__((noreturn));
static struct two two(long n) { return (struct two){n, n + 1}; }
int main(void) {
    struct one o = {{1.5}}; struct mixed m = {2.5, 7}; struct small s = {1, 2, 3};
    struct padded p = {'p', 11}; struct big b = {{4, 5, 6}};
    int r = show("oims", o, 3, m, s);
    r += show("tit", two(3), 4, two(5));
    r += show("iiiiibti", 1, 2, 3, 4, 5, b, two(7), 8);
    r += show("p", p);
    r += show("sssssd", s, s, s, s, s, 4.5);
    r += show("Loi", 1.5L, o, 9);
    b = make("ot", o, two(9));
    printf("%d %ld %ld\\n", r, b.a[0], b.a[2]);
    fail("tm", two(1), m);
}
"""
)
WORDS_CALLEE = (
    "#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    + WORDS
    + """\
static int list(const char *kinds, va_list l) {
    int n = 0;
    for (; *kinds; kinds++, n++)
        switch (*kinds) {
        case 'i': printf("int %d\\n", va_arg(l, int)); break;
        case 'd': printf("double %f\\n", va_arg(l, double)); break;
        case 'L': printf("long double %Lf\\n", va_arg(l, long double)); break;
        case 'o': { struct one o = va_arg(l, struct one); printf("one %f\\n", o.u.d); break; }
        case 't': { struct two t = va_arg(l, struct two); printf("two %ld %ld\\n", t.a, t.b); break; }
        case 'm': { struct mixed m = va_arg(l, struct mixed); printf("mixed %f %d\\n", m.d, m.n); break; }
        case 's': { struct small s = va_arg(l, struct small); printf("small %f %f %f\\n", s.x, s.y, s.z); break; }
        case 'p': { struct padded p = va_arg(l, struct padded); printf("padded %c %ld\\n", p.c, p.n); break; }
        case 'b': { struct big b = va_arg(l, struct big); printf("big %ld %ld\\n", b.a[0], b.a[2]); break; }
        }
    return n;
}
int show(const char *kinds, ...) { va_list l; va_start(l, kinds); int n = list(kinds, l); va_end(l); return n; }
struct big make(const char *kinds, ...) {
    va_list l;
    va_start(l, kinds);
    struct big b = {{list(kinds, l), 0, 3}};
    va_end(l);
    return b;
}
void fail(const char *kinds, ...) { va_list l; va_start(l, kinds); list(kinds, l); va_end(l); exit(3); }
"""
)


@needs_gcc
def test_structs_are_passed_as_variable_arguments_in_words(tmp_path: Path) -> None:
    expected = reference(WORDS_CALLER, WORDS_CALLEE, tmp_path)
    assert {*emitted_behaviour(convert(Source("test.c", WORDS_CALLER), certify=True), tmp_path).values()} == {expected}


_IRREGULAR = "which is declared only, with `struct s`, which is packed, padded or empty, are not supported yet"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("struct s { long a[3]; }; int f(int, ...); int g(struct s s) { return f(1, s); }",
         "structs as variable arguments of `f`, which is declared only, are not supported yet"),
        ("struct __attribute__((packed)) s { char c; int n; }; int f(struct s); int g(struct s s) { return f(s); }",
         f"calls of `f`, {_IRREGULAR}"),
        ("struct s {}; int f(struct s); int g(struct s s) { return f(s); }",
         f"calls of `f`, {_IRREGULAR}"),
    ],
)  # fmt: skip
def test_what_c_cannot_pass_to_an_external_function_is_reported(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        convert(Source("test.c", text))
    assert [each.message for each in caught.value.diagnostics] == [message]
