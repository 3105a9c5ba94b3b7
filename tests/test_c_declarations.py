"""Declarations of C: types, scopes, linkage and storage, of correct and of wrong programs."""

from __future__ import annotations

import subprocess

import pytest

from cpsconv import convert
from cpsconv.core.construction import Builder
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages import read
from testing.gcc import needs_gcc


def found_in(text: str) -> list[Diagnostic]:
    """The errors of a program, or else its warnings."""
    warnings: list[Diagnostic] = []
    try:
        read("c", Source("test.c", text))(Builder(), warnings)
    except DiagnosticError as caught:
        return [each for each in caught.diagnostics if each.severity == "error"]
    return warnings


def gcc_accepts(text: str) -> bool:
    command = ["gcc", "-std=gnu17", "-w", "-fsyntax-only", "-x", "c", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode == 0


ACCEPTED = {
    "declarators": """
int (*(*f[3])(int))[5];
_Static_assert(sizeof f == 24 && sizeof *f[0](1) == 20, "");
int *a[4], (*b)[4], (((((x))))), (*(((p)))), ((h(int)));
_Static_assert(sizeof a == 32 && sizeof b == 8 && sizeof *b == 16, "");
char *(*(*g)(void))(int, char *);
_Static_assert(sizeof g()(1, 0) == 8 && sizeof *g()(1, 0) == 1, "");
int (*signal_(int number, int (*handler)(int)))(int);
_Static_assert(_Generic(signal_, int (*(*)(int, int (*)(int)))(int): 1, default: 0), "");
int m[2][3][4];
_Static_assert(sizeof m == 96 && sizeof m[0] == 48 && sizeof m[0][0] == 16, "");
const int *pc; int *const cp = 0; const char *const *volatile *q;
_Static_assert(_Generic(pc, const int *: 1, int *: 0) && _Generic(&cp, int *const *: 1, default: 0), "");
""",
    "names of types in scopes": """
typedef int T, *P;
T n(T), m(P p);
int f(T T) { return T + 1; }
int g(void) { typedef char T; { typedef long T; _Static_assert(sizeof(T) == 8, ""); } return sizeof(T); }
int h(void) { int size = sizeof(T); enum { T = 3 }; return size + T; }
int i(void) { T: goto T; }
struct T { T T; } s = { 1 };
int j(T a, int (*T)(void)) { return a + T(); }
typedef T T;
_Static_assert(sizeof(T) == 4, "");
typedef int F(T); F k; int k(T x) { return x; }
""",
    "tags": """
struct s { int a; }; union u { int a; char b; };
enum e { A, B = A + 5, C, D = -1, E };
_Static_assert(A == 0 && B == 5 && C == 6 && D == -1 && E == 0 && sizeof(enum e) == 4, "");
int f(void) {
    struct s { char c[3]; };
    { struct s; struct s *p = 0; struct s { double d; }; _Static_assert(sizeof *p == 8, ""); p = 0; }
    return sizeof(struct s);
}
_Static_assert(sizeof(struct s) == 4, "");
struct later *pointer; struct later { int x, y; };
_Static_assert(sizeof *pointer == 8, "");
struct one { struct two *p; }; struct two { struct one *q; struct one r; };
int g(int n) { int s = sizeof(struct inner { int a, b; }); struct inner i = { 1, 2 }; return i.a + s + n; }
enum big { BIG = 1ul << 40 };
_Static_assert(sizeof(enum big) == 8 && sizeof BIG == 8, "");
enum most { MOST = 4294967295u };
_Static_assert(_Generic((enum most)0, unsigned: 1, default: 0) && _Generic(A, int: 1, default: 0), "");
""",
    "layout": """
#include <stddef.h>
struct a { char c; int i; short s; double d; char e; };
_Static_assert(sizeof(max_align_t) == 32 && _Alignof(max_align_t) == 16, "");
_Static_assert(sizeof(struct a) == 32 && offsetof(struct a, d) == 16 && offsetof(struct a, s) == 8, "");
struct b { int x : 3, y : 30; unsigned : 0; unsigned z : 1; unsigned : 5; _Bool f : 1; };
_Static_assert(sizeof(struct b) == 12, "");
struct c { int n; union { int i; float f; struct { char lo, hi; }; }; int m; };
_Static_assert(sizeof(struct c) == 12 && offsetof(struct c, hi) == 5 && offsetof(struct c, m) == 8, "");
struct d { int n; char data[]; }; struct zero { int n; int z[0]; }; struct empty {};
_Static_assert(sizeof(struct d) == 4 && sizeof(struct zero) == 4 && sizeof(struct empty) == 0, "");
struct e { struct { int a[3]; struct { char b; } q[2]; } in; };
_Static_assert(offsetof(struct e, in.q[1].b) == 13, "");
struct packed { char c; int i; } __attribute__((packed));
struct __attribute__((aligned(16))) wide { int i; };
_Static_assert(sizeof(struct packed) == 5 && sizeof(struct wide) == 16 && _Alignof(struct wide) == 16, "");
int x, y __attribute__((aligned(64))); _Alignas(32) char z; typedef int T __attribute__((aligned(16))); T t;
_Static_assert(_Alignof(x) == 4 && _Alignof(y) == 64 && _Alignof(z) == 32 && _Alignof(t) == 16 && sizeof t == 4, "");
enum { LINE = 64 }; typedef float F;
int v __attribute__((unused, aligned(LINE / 2), used)), w[2] __attribute__((__aligned__(sizeof(struct a) ? 8 : 4)));
struct j { char c; __attribute__((aligned(2 * sizeof(F)))) short s; } __attribute__((aligned(8 + 8)));
_Static_assert(_Alignof(v) == 32 && _Alignof(w) == 8 && offsetof(struct j, s) == 8 && sizeof(struct j) == 16, "");
struct k { char c; int f : 3 __attribute__((packed, aligned(LINE / 4))), g : 2 __attribute__((aligned(4), packed)); };
int o, __attribute__((unused, aligned(LINE / 4))) r; _Static_assert(sizeof(struct k) == 32 && _Alignof(r) == 16, "");
enum { FIRST __attribute__((unused)) __attribute__((deprecated)), SECOND };
typedef F floats __attribute__((vector_size(4 * sizeof(F)))); _Static_assert(sizeof(floats) == 16, "");
struct i { _Alignas(8) char c; _Alignas(double) char d; };
_Static_assert(sizeof(struct i) == 16, "");
struct l { unsigned char a : 4, b : 4; unsigned short c : 9; _Static_assert(sizeof(int) == 4, ""); };
_Static_assert(sizeof(struct l) == 4, "");
""",
    "linkage": """
int t; int t; int t = 3; extern int t;
static int s; static int s; extern int s;
int array[]; int array[4]; extern int array[];
_Static_assert(sizeof array == 16, "");
static int f(int); int f(int a) { return a + s; }
int g(void) { extern int g(void); extern int t; int f(int); return t + f(2); }
int (*p)(int) = f; int (*q)(int) = &f;
int h(int, char *, double[], int (*)(void), int(void), int[3][4], int n, int a[static 3], const char *restrict s);
int h(int, char *, double *, int (*)(void), int (*)(void), int (*)[4], int n, int *a, const char *s);
int k(); int k(int a, double b) { return a + (int)b; }
int a1, *a2, a3[3], a4(int), (*a5)(int);
const __auto_type deduced = 1LL; extern const long long deduced;
""",
    "lengths": """
int scalar = (int){ 3 }, *pointer = &(int){ 4 }, elements[] = (int[]){ 1, 2 };
char a[] = "hello", b[3] = "abc"; int c[] = { [5] = 1, 2, [1] = 3 }, d[][2] = { 1, 2, 3 };
_Static_assert(sizeof a == 6 && sizeof b == 3 && sizeof c == 28 && sizeof d == 16, "");
int e[sizeof "abc"]; int f(int n, int a[n], int b[*], int c[n][n], int d[const *]);
int i(void) { int y = sizeof y; return y; }
""",
    "headers": """
#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>
#include <stdlib.h>
_Static_assert(sizeof(size_t) == 8 && sizeof(wchar_t) == 4 && sizeof(va_list) == 24, "");
_Static_assert(sizeof(int8_t) + sizeof(uint16_t) + sizeof(int32_t) + sizeof(uint64_t) == 15, "");
void *n = NULL; int *m = NULL;
""",
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_correct_declarations_are_accepted(text: str) -> None:
    assert not found_in(text)


@needs_gcc
@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_gcc_accepts_them(text: str) -> None:
    assert gcc_accepts(text)


FLEXIBLE = "only the flexible array member of a static object can be initialised, and not one of its parts"
REJECTED = {
    "int f(void) { int a; int a; return 0; }": "`a` is declared twice in the same scope",
    "int f(int a) { int a; return a; }": "`a` is declared twice in the same scope",
    "int f(int a, int a) { return a; }": "`a` is declared twice in the same scope",
    "int a; int a(void);": "`a` is declared twice in the same scope",
    "int A; enum { A };": "`A` is declared twice in the same scope",
    "int a; char a;": "`char a` does not agree with an earlier declaration",
    "int a; int f(void) { extern char a; return a; }": "`char a` does not agree with an earlier declaration",
    "int f(int); int f(char);": "`int f(char)` does not agree with an earlier declaration",
    "int f(int, ...); int f(int);": "`int f(int)` does not agree with an earlier declaration",
    "int f(int); int g(void) { char f(int); return 0; }": "`char f(int)` does not agree with an earlier declaration",
    "int f(void); int g(void) { extern int f; return f; }": "`f` is declared as a function and as a variable",
    "typedef int T; typedef char T;": "`T` is declared as another type, `char`",
    "int a; static int a;": "`a` is `static`, but an earlier declaration is not",
    "int f(void); static int f(void) { return 0; }": "`f` is `static`, but an earlier declaration is not",
    "int a = 1; int a = 2;": "`a` is defined twice",
    "struct s { int a; }; struct s { int a; };": "`struct s` is defined twice",
    "struct s { int a; }; union s *p;": "`s` is the tag of a `struct`, and not of a `union`",
    "struct s; struct s x;": "the type of `x`, `struct s`, is not complete",
    "int f(void) { struct s x; return 0; }": "the type of `x`, `struct s`, is not complete",
    "struct s; int f(struct s a) { return 0; }": "the type of the parameter `a`, `struct s`, is not complete",
    "struct s; struct s f(void) { }": "the type that `f` returns, `struct s`, is not complete",
    "enum e x;": "the type of `x`, `enum e`, is not complete",
    "int f(void) { int a[]; return 0; }": "the length of the array `a` is missing",
    "struct s; struct s a[3];": "the type of the elements of `a`, `struct s`, is not complete",
    "int x[3](void);": "`x` is an array of functions",
    "int f(void)[3];": "`f` returns an array, which C does not allow",
    "int f(void)(void);": "`f` returns a function, which C does not allow",
    "int a[-1];": "the length of `a` is negative: -1",
    "int a[2.5];": "the length of `a` must be an integer, not `double`",
    "const volatile int n = 3; int m = n;": "the initial value of `m` is not a constant",
    "static const int n = 3; const int *const p = &n; int m = *p;": "the initial value of `m` is not a constant",
    "void f(int n) { const int l = n; static int m = l; }": "the initial value of `f.m` is not a constant",
    "extern int n __attribute__((weak)); int m = &n == 0;": (
        "the initial value of `m` is not a constant: `n` is weak, and may have no address"
    ),
    "int f(void) __attribute__((weak)); int m = f ? 1 : 2;": (
        "the initial value of `m` is not a constant: `f` is weak, and may have no address"
    ),
    "_Thread_local int n; int *p = &n;": "the initial value of `p` is not a constant: each thread has its own `n`",
    "__attribute__((weak)) static int n;": "`n` cannot be weak: other files cannot refer to it",
    "static int f(void) __attribute__((weak));": "`f` cannot be weak: other files cannot refer to it",
    "void f(void) { int n __attribute__((weak)) = 3; }": "`n` cannot be weak: other files cannot refer to it",
    "const int n = 3; int a[n];": "the length of `a` is not a constant",
    "int n; int a[n];": "the length of `a` is not a constant",
    "int f(int n) { static int a[n]; return 0; }": "the length of `a` is not a constant, but `a` is `static`",
    "char a[1ul << 63];": "`a` has 9223372036854775808 bytes, but at most 2147483647 are supported",
    "static extern int a;": "`static` and `extern` exclude each other",
    "register int a;": "`register` is allowed in functions only",
    "int f(static int a) { return a; }": "a parameter cannot be `static`",
    "int f(void) { static int g(void); return 0; }": "a function cannot be `static` in a block",
    "int f(void) { extern int a = 1; return a; }": "`a` is `extern` in a block, and cannot be initialised there",
    "int f(void) { register int a = 1; return *&a; }": "`a` is `register`, and has no address",
    "struct s { int a; char a; };": "the member `a` is declared twice",
    "struct s { struct { int a; }; int a; };": "the member `a` is declared twice",
    "struct s { struct s a; };": "the type of the member `a`, `struct s`, is not complete",
    "struct s { int a(void); };": "the member `a` cannot be a function",
    "struct s { int n; int a[]; int m; };": (
        "the array `a` without a length must be the last of several members of a struct"
    ),
    "int f(int n) { struct s { int a[n]; }; return 0; }": "the member `a` of variable length is not supported yet",
    "struct s { int a : 33; };": "the width of `a` is 33, but must be 1 to 32",
    "struct s { int a : 0; };": "the width of `a` is 0, but must be 1 to 32",
    "struct s { float a : 3; };": "a bit-field must have an integer type, not `float`",
    "int f(a) int b; { return 0; }": "`b` is not a parameter of `f`",
    "int f(a) int a = 1; { return 0; }": "the parameter `a` cannot be initialised",
    "typedef int T = 3;": "`T` is a type, and cannot be initialised",
    "int f(void) = 3;": "`f` is a function, and cannot be initialised",
    '_Static_assert(0, "no");': "the static assertion fails: no",
    'int n; _Static_assert(n, "no");': "the condition of a static assertion is not a constant",
    "int f(void, int);": "`void` must be the only parameter",
    "int f(int x, void a);": "a parameter cannot be `void`",
    "int n; enum { A = n };": "the value of `A` is not a constant",
    "_Alignas(1) int a;": "the alignment 1 is less than that of `int`, 4",
    "_Alignas(3) int a;": "the alignment is 3, but must be a power of two",
    "restrict int a;": "`restrict` needs a pointer, not `int`",
    "int f(int x) { switch (x) { case 1 ... 5: case 3: return 1; } return 0; }": "duplicate `case 3` in this `switch`",
    "int f(void) { __label__ a; goto a; return 0; }": "there is no label `a` in this function",
    "struct s { int n; int a[]; }; void f(void) { struct s x = { 3, { 1 } }; }": FLEXIBLE,
    "struct s { int n; int a[]; }; struct s x[2] = { { 3, { 1 } } };": FLEXIBLE,
    "struct s { int n; int a[]; }; struct t { struct s s; } x = { { 3, { 1 } } };": FLEXIBLE,
    "struct __attribute__((aligned(3))) s { int n; };": "the alignment is 3, but must be a power of two",
    "int x __attribute__((aligned(2 + 1)));": "the alignment is 3, but must be a power of two",
    "int n, x __attribute__((aligned(n)));": "the alignment is not a constant",
    "int n; typedef int v __attribute__((vector_size(n * 2)));": "the size of a vector is not a constant",
    "typedef int T __attribute__((aligned(8))); T a[3];": "the elements of `a`, of 4 bytes, are aligned to 8",
    "int x = (int){};": "an empty initialiser cannot initialise an `int`",
    "int x = ({ 1; });": "a statement expression outside of a function",
    "int g(int n, int x[n][({ 2; })]) { return 0; }": "a statement expression outside of a function",
    "int f(void) { return 0; } int g(int x[({ 2; })]) { return 0; }": "a statement expression outside of a function",
    "int g(x) int x[({ 2; })]; { return 0; }": "a statement expression outside of a function",
    "int g(int x[sizeof(&&l)]) { l: return 0; }": "the address of a label outside of a function",
}
"""Sources, with the message of the only error in each."""


@pytest.mark.parametrize("text", REJECTED)
def test_a_wrong_declaration_is_reported_once(text: str) -> None:
    assert [each.message for each in found_in(text)] == [REJECTED[text]]


@needs_gcc
@pytest.mark.parametrize("text", [text for text in REJECTED if "void a" not in text and "int n) { struct" not in text])
def test_gcc_rejects_it(text: str) -> None:
    assert not gcc_accepts(text)


def test_a_disagreement_names_both_places() -> None:
    [found] = found_in("long count;\nextern int count;\n")
    assert (str(found.span), [(text, str(span)) for text, span in found.notes]) == (
        "test.c:2:12",
        [("it is first declared here as `long count`", "test.c:1:6")],
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("int f(void) { static int n; return 0; }", "unused-variable"),
        ("int f(void) { int n __attribute__((unused)); return 0; }", None),
        ("struct { int a; };", "missing-declarations"),
        ("int;", "missing-declarations"),
        ("struct s { int; int a; };", "missing-declarations"),
    ],
)
def test_useless_declarations_are_warned_of(text: str, rule: str | None) -> None:
    found: list[Diagnostic] = []
    convert(Source("test.c", text), warnings=found, warn=["all"])
    assert [each.rule for each in found] == ([rule] if rule else [])


def test_declarators_and_records_may_be_nested_deeply() -> None:
    depth = 3000
    assert not found_in(f"int {'(' * depth}x{')' * depth};")
    assert not found_in(f"int {'*' * depth}x;")
    assert not found_in(f"int main(void) {{ {'typeof(' * depth}int{')' * depth} x; }}")
    assert not found_in(f"struct s {{ {'struct { ' * 99} int x; {'}; ' * 99} }} v;")


@pytest.mark.parametrize("depth", [101, 3000])
def test_objects_nested_too_deeply_are_refused(depth: int) -> None:
    limit = "nests more than 100 arrays and structs, which is not supported"
    array = found_in(f"int a{'[1]' * depth};")
    inside = found_in(f"{'struct { ' * depth} int x; {'} f; ' * (depth - 1)} }} v;")
    chain = found_in(
        "struct s0 { int x; }; " + "".join(f"struct s{i + 1} {{ struct s{i} f; }}; " for i in range(depth))
    )
    assert [each.message for each in array] == [f"`a` {limit}"]
    for found in (inside, chain):
        assert found[0].message == f"the struct or union with the member `f` {limit}"
