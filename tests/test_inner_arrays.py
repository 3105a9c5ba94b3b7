"""Constant indices outside of arrays that are parts of other objects, and copies, under each engine."""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv import Source, convert
from testing.engines import alike

RECORDS = """\
#include <stdlib.h>
#include <string.h>
struct s { char b[8]; int n; };
struct open { int n; char b[2]; };
union u { char b[6]; long n; };
union space { struct open o; char all[40]; };
"""


def ends_of(bodies: Iterable[str]) -> list[str]:
    """The ends of runs of programs whose `main` has the bodies."""
    texts = [f"{RECORDS}int main(void) {{ {body} }}" for body in bodies]
    return [end for *_, end in alike([convert(Source("p.c", text)) for text in texts])]


WRONG = {
    "struct s s = {0}; s.b[9] = 1; return s.n;": "index 9 of `s.b` (8 elements of char, declared on line 3)",
    "struct s s = {0}, *p = &s; return p->b[8];": "index 8 of `p->b` (8 elements of char, declared on line 3)",
    "struct s a[2] = {0}; return a[0].b[ 8 ]++;": "index 8 of `a[0].b` (8 elements of char, declared on line 3)",
    "struct open o = {0}; return o.b[2];": "index 2 of `o.b` (2 elements of char, declared on line 4)",
    "union u u = {0}; u.b[6] = 1; return 0;": "index 6 of `u.b` (6 elements of char, declared on line 5)",
    "int a[2][3] = {0}; return a[0][4];": "index 4 of `a[0]` (3 elements of int, declared on line 7)",
    "int a[2][3] = {0}, i = 3; a[1][-1] = i; return 0;": "index -1 of `a[1]` (3 elements of int, declared on line 7)",
    "int a[2][3][2] = {0}; return a[0][3][0];": "index 3 of `a[0]` (3 elements of int[2], declared on line 7)",
    "static int a[2][3]; int (*p)[3] = a; int i = 3; return p[0][i];": (
        "index 3 of `p[0]` (3 elements of int, declared on line 7)"
    ),
}


COPIES = {
    'struct s s; memcpy(s.b, "0123456789ab", sizeof s); return 0;': "bytes 0 to 11 of `s.b`",
    "struct s s, *p = &s; memset(p->b, 0, 9); return 0;": "bytes 0 to 8 of `p->b`",
    "struct s a[2] = {0}; char t[12]; memmove(t, a[1].b, sizeof t); return 0;": "bytes 0 to 11 of `a[1].b`",
}


def test_a_constant_index_outside_of_an_inner_array_and_a_copy_of_more_bytes_than_a_member_has_are_errors() -> None:
    messages = [f"{message} is out of bounds" for message in WRONG.values()]
    messages += [f"{message} (8 elements of char, declared on line 3) are out of bounds" for message in COPIES.values()]
    for end, message in zip(ends_of([*WRONG, *COPIES]), messages, strict=True):
        assert end.startswith("BoundsError: p.c:7:") and f"runtime error: {message}\n" in end


RIGHT = [
    "int a[2][3] = {{1, 2, 3}}, s = 0; for (int *p = a[0]; p < &a[0][3]; p++) s += *p; return s - 6;",
    "struct open *p = malloc(sizeof *p + 8); p->b[5] = 7; int n = p->b[5]; free(p); return n - 7;",
    "union space u; u.o.b[9] = 7; return u.o.b[9] - 7;",
    "struct s s; return sizeof s.b[9] - 1 + (&s.b[8] - s.b - 8);",
    "struct s s = {0}; return 0 && s.b[9];",
    "struct s s = {{0}, 7}; return *(int *)(s.b + 8) - 7;",
    "struct s s = {{1}, 2}; memset(s.b, 0, sizeof s.b); memset(&s, 0, sizeof s); return s.b[0] + s.n;",
    "int a[2][3] = {{1}, {2}}; memset(a[0], 0, sizeof a); return a[1][0];",
    "struct open *p = malloc(sizeof *p + 8); memset(p->b, 0, 10); int n = p->b[9]; free(p); return n;",
    "struct s s = {0}; int n = 12; memset(s.b, 0, n - 4); return s.b[7];",
]


def test_places_that_are_not_accessed_and_arrays_that_may_extend_are_no_errors() -> None:
    assert {*ends_of(RIGHT)} == {"Returned(value=0, type=int)"}
