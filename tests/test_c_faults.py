"""Generated C programs with a planted fault of memory stop at its place; gcc's sanitizers judge the faults."""

from __future__ import annotations

import io
import re
import subprocess
from pathlib import Path

import pytest

from cpsconv.evaluator.machine import evaluate
from cpsconv.operations.runtime_errors import ProgramError
from tests import gcc
from tests.c_faults import FAULTS, planted
from tests.c_programs import random_program
from tests.engines import ENGINES_HERE, seen
from tests.gcc import needs_gcc
from tests.running import STRATEGIES, converted, reread

NUMBERS = range(1, 8)
_SANITIZERS = ("-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize=shift,signed-integer-overflow")


def stopped(text: str, number: int) -> tuple[int, str] | None:
    """The line and the message of the runtime error; None if the program ends otherwise."""
    stream = io.BytesIO()
    try:
        evaluate(converted(text, STRATEGIES[number % len(STRATEGIES)]), "main", output=stream, errors=stream)
    except ProgramError as error:
        span = error.diagnostic.span
        return (span.line if span else 0), error.diagnostic.message
    return None


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_program_stops_at_the_planted_fault(kind: str, number: int) -> None:
    text = random_program(number, memory=True)
    faulty, line = planted(text, kind, number)
    assert stopped(text, number) is None
    found = stopped(faulty, number)
    if found is not None:  # `abort` and `exit` may end it before
        assert found[0] == line


@needs_gcc
@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind != "uninitialised"])
def test_the_sanitizers_find_the_same_faults(kind: str, tmp_path: Path) -> None:
    headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    start = headers + 'int numbers[8]; const char *words[3] = {"", "a", "be"};\nint main(void) {\n    return 0;\n}\n'
    for number in range(len(FAULTS[kind])):
        text, line = planted(start, kind, number)
        program = gcc.compile_c(text, tmp_path, *_SANITIZERS)
        ended = subprocess.run([program], capture_output=True, text=True, env={"UBSAN_OPTIONS": "halt_on_error=1"})
        calls_null = "pc 0x000000000000" in ended.stderr  # which has no line
        assert calls_null or re.search(rf"program\.c:{line}\b", ended.stderr), ended.stderr
        found = stopped(text, number)
        assert found and found[0] == line


FIELDS = """\
#include <stdio.h>
#include <stdlib.h>
struct point { int x, y; } global;
struct flags { unsigned a : 3; int b : 5; };
struct point half(int x) { struct point p; p.x = x; return p; }
int main(void) {
    struct point *h = malloc(2 * sizeof *h);
    struct flags *g = malloc(sizeof *g);
    h->x = 1;
STATEMENTS
    return 0;
}
"""


@pytest.mark.parametrize(
    ("statements", "line", "message"),
    [
        ('struct point p = *h;\nputs("copied");\nprintf("%d", p.y);', 12, "`p.y` is used uninitialised"),
        ("struct point p;\np = half(3);\nh[1] = p;\nif (h[1].x) return h[1].y;", 13, "index 3 of the memory allocated"),
        ("struct point p = half(3), q = p;\nq.x++;\nreturn p.y;", 12, "`p.y` is used uninitialised"),
        ("struct point p = global.x ? *h : h[1];\nif (p.x) return 1;", 11, "`p.x` is used uninitialised"),
        ("struct point p = h[2];\nreturn p.x;", 10, "index 4 of the memory allocated"),
        ("g->a = 1;\nif (h->y) return 1;", 11, "index 1 of the memory allocated"),
        ("return g->a;", 10, "index 0 of the memory allocated"),
        ("struct flags f;\nf.a = 1;\nif (f.b) return 1;", 12, "`f.b` is used uninitialised"),
        ("struct flags f, *p = &f;\nif (p->b) return 1;", 11, "index 0 of `f`"),
    ],
)
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_field_that_was_never_written_is_an_error_where_it_is_used(
    engine: str, statements: str, line: int, message: str
) -> None:
    program = converted(FIELDS.replace("STATEMENTS", statements), "scc")
    assert "Error" in seen(program, [], engine)[2]
    assert seen(program, [], engine) == seen(program, [], "machine")
    assert seen(reread(program), [], engine) == seen(reread(program), [], "machine")
    found = stopped(FIELDS.replace("STATEMENTS", statements), 0)
    assert found and found[0] == line and found[1].startswith(message)
