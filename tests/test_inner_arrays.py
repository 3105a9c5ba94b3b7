"""Constant indices outside of arrays that are parts of other objects, and copies, under each engine."""

from __future__ import annotations

import io

import pytest

from cpsconv import Source, convert
from cpsconv.core.ir import Program
from cpsconv.core.operations.runtime_errors import BoundsError
from cpsconv.engines import EngineName, prepare
from cpsconv.engines.machine.machine import Returned
from testing.engines import ENGINES_HERE

RECORDS = """\
#include <stdlib.h>
#include <string.h>
struct s { char b[8]; int n; };
struct open { int n; char b[2]; };
union u { char b[6]; long n; };
union space { struct open o; char all[40]; };
"""

each_engine = pytest.mark.parametrize("engine", ENGINES_HERE)


def program(body: str) -> tuple[Program, str]:
    """The program whose `main` has the body, and its text."""
    text = f"{RECORDS}int main(void) {{ {body} }}"
    return convert(Source("p.c", text)), text


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


@each_engine
@pytest.mark.parametrize("body", WRONG)
def test_a_constant_index_outside_of_an_inner_array_is_an_error(body: str, engine: EngineName) -> None:
    assert message_of(body, engine) == f"{WRONG[body]} is out of bounds"


@each_engine
@pytest.mark.parametrize("body", COPIES)
def test_a_copy_of_more_bytes_than_a_member_has_is_an_error(body: str, engine: EngineName) -> None:
    expected = f"{COPIES[body]} (8 elements of char, declared on line 3) are out of bounds"
    assert message_of(body, engine) == expected


def message_of(body: str, engine: EngineName) -> str:
    """The message of the error, which is in the body."""
    found, text = program(body)
    stream = io.BytesIO()
    with pytest.raises(BoundsError) as raised:
        prepare(found, found.functions[-1], engine)([], output=stream, errors=stream)
    diagnostic = raised.value.diagnostic
    assert diagnostic.span and diagnostic.span.line == text.count("\n") + 1
    return diagnostic.message


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


@each_engine
@pytest.mark.parametrize("body", RIGHT)
def test_places_that_are_not_accessed_and_arrays_that_may_extend_are_no_errors(body: str, engine: EngineName) -> None:
    found, _ = program(body)
    stream = io.BytesIO()
    outcome = prepare(found, found.functions[-1], engine)([], output=stream, errors=stream)
    assert isinstance(outcome, Returned)
    assert outcome.value == 0
