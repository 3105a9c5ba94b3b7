"""Declarations of C: types, scopes, linkage and storage, of correct and of wrong programs."""

from __future__ import annotations

import subprocess

import pytest

from cpsconv import convert
from cpsconv.core.construction import Builder
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages import read
from testing.gcc import needs_gcc
from tests.tables import table


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


ACCEPTED = table("c_declarations")


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
