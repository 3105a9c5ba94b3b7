"""Corrects exercise 14: the operation `sign`.

Run with ``python -m pytest docs/course/exercises/method/operation.py``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv.core.check import check
from cpsconv.core.evaluator import evaluate
from cpsconv.core.ir import INT, UNSIGNED
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.core.source import DiagnosticError
from cpsconv.core.text import parse, pretty

TEXT = """f(x : TYPE, ret : TYPE → ⊥) → ⊥ {
  ret(sign(x))
}
"""


@pytest.mark.parametrize("type", ["int", "long", "signed char", "unsigned"])
def test_the_operation_is_read_printed_and_evaluated(type: str) -> None:
    text = TEXT.replace("TYPE", type)
    program = parse(text)
    assert pretty(program) == text and check(program) == []
    for value in (0, 1, 5, 100) if type == "unsigned" else (-100, -1, 0, 1, 7):
        assert evaluate(program, arguments=[value]).arguments == [(value > 0) - (value < 0)], value


@pytest.mark.parametrize("type", ["bool", "string", "integer", "double"])
def test_it_takes_machine_integers_only(type: str) -> None:
    with pytest.raises(DiagnosticError, match="`sign` does not take"):
        parse(TEXT.replace("TYPE", type))


def test_its_interval_is_exact() -> None:
    interval = OPERATIONS["sign"].interval
    assert interval is not None
    assert interval(INT, (-5, 9)) == (-1, 1)
    assert interval(INT, (0, 9)) == (0, 1)
    assert interval(INT, (-9, -2)) == (-1, -1)
    assert interval(UNSIGNED, (3, 9)) == (1, 1)


def test_back_ends_express_it_by_other_operations(tmp_path: Path) -> None:
    path = tmp_path / "sign.cps"
    path.write_text(TEXT.replace("TYPE", "int"), encoding="utf-8")
    command = [sys.executable, "-m", "cpsconv", "convert", "--emit", "c", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert ">" in done.stdout and "<" in done.stdout and "sign" not in done.stdout
