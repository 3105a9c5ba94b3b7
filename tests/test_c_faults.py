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
from tests.gcc import needs_gcc
from tests.running import STRATEGIES, converted

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
