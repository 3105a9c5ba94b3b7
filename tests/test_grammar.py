"""The tables of grammars: up to date, detected if damaged, and sufficient for the parser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from cpsconv.core.grammar import END, Parser, Rejected, Tables, read_grammar, tables_of
from cpsconv.core.grammar.generate import GRAMMARS, make_tables
from cpsconv.core.grammar.tables import dumped, path_of, read_tables

ROOT = Path(__file__).parent.parent
TWICE = "twice(x : int, ret : int → ⊥) → ⊥ {\n  ret(x + x)\n}\n"
WITHOUT_LARK = "import sys; sys.modules['lark'] = None; from cpsconv.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("name", GRAMMARS)
def test_the_tables_are_those_of_the_grammar(name: str) -> None:
    grammar = read_grammar(name)
    made = dumped(make_tables(grammar), grammar)
    assert Path(path_of(name)).read_text(encoding="utf-8") == made, "run python -m cpsconv.core.grammar.generate"


def test_there_are_tables_of_every_grammar() -> None:
    assert sorted(path.stem for path in (ROOT / "grammars").glob("*.lark")) == sorted(GRAMMARS)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the files that cpsconv needs to run without installation, and a program to convert."""
    shutil.copytree(ROOT / "cpsconv", tmp_path / "cpsconv", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "grammars", tmp_path / "grammars")
    (tmp_path / "twice.c").write_text("int twice(int x) { return x + x; }")
    return tmp_path


def start(checkout: Path, *arguments: str) -> subprocess.Popen[str]:
    """Convert in a new process, which has only the checkout and the libraries."""
    return subprocess.Popen(
        [sys.executable, *arguments, "convert", "twice.c"],
        cwd=checkout,
        env={**os.environ, "HOME": str(checkout), "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def ends(processes: Iterable[subprocess.Popen[str]]) -> list[tuple[int, str, str]]:
    """The exit status and output of each process."""
    written = [(process, *process.communicate(timeout=60)) for process in processes]
    return [(process.returncode, out, err) for process, out, err in written]


def files(checkout: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}


def test_reading_writes_no_files(checkout: Path) -> None:
    before = files(checkout)
    assert ends([start(checkout, "-m", "cpsconv") for _ in range(3)]) == [(0, TWICE, "")] * 3
    assert files(checkout) == before


def test_no_version_of_lark_is_needed_to_read_by_tables(checkout: Path) -> None:
    assert ends([start(checkout, "-c", WITHOUT_LARK)]) == [(0, TWICE, "")]


def test_a_changed_grammar_is_detected_without_output(checkout: Path) -> None:
    grammar = checkout / "grammars" / "c.lark"
    grammar.write_text(grammar.read_text(encoding="utf-8").replace('"return"', '"give"'), encoding="utf-8")
    (checkout / "twice.c").write_text("int twice(int x) { give x + x; }")
    before = files(checkout)
    assert ends([start(checkout, "-m", "cpsconv") for _ in range(2)]) == [(0, TWICE, "")] * 2
    assert files(checkout) == before


def test_damaged_tables_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Path(path_of("c")).read_text(encoding="utf-8")
    monkeypatch.setattr("cpsconv.core.grammar.tables.path_of", lambda name: str(tmp_path / name))
    assert read_tables("c", read_grammar("c")) is None
    for text in ("", stored[:5000], "<<<<<<< ours\n", '{"grammar": 1}'):
        (tmp_path / "c").write_text(text, encoding="utf-8")
        assert read_tables("c", read_grammar("c")) is None
    (tmp_path / "c").write_text(stored, encoding="utf-8")
    assert read_tables("c", read_grammar("c"))


# ------------------------------------------------------------------------------------------------------- the parser

SUMS = """
start: sum
sum: term | sum "+" term -> plus
?term: NUMBER -> number
     | "(" sum ")" -> second
NUMBER: /[0-9]+/
%ignore " "
"""


class Sum:
    """Computes the value of a text."""

    def start(self, parts: list[int]) -> int:
        return parts[0]

    sum = start

    def plus(self, parts: list[int]) -> int:
        return parts[0] + parts[2]

    def number(self, parts: list[Word]) -> int:
        return int(parts[0].text)

    def second(self, parts: list[int]) -> int:
        return parts[1]


class Word:
    def __init__(self, text: str) -> None:
        self.text = text
        self.type = {"+": "PLUS", "(": "LPAR", ")": "RPAR", "": END}.get(text, "NUMBER")


@pytest.fixture(scope="module")
def sums() -> Tables:
    return make_tables(SUMS)


def test_values_are_computed_when_rules_are_reduced(sums: Tables) -> None:
    parser = Parser(sums, Sum())
    parser.read(map(Word, ["1", "+", "(", "2", "+", "3", ")", "+", "4", ""]))
    assert parser.result() == 10


def test_accepted_tokens_are_known_and_a_rejected_token_may_be_replaced(sums: Tables) -> None:
    parser = Parser(sums, Sum())
    parser.read(map(Word, ["(", "2"]))
    assert parser.accepted() == {"PLUS", "RPAR"}
    assert parser.fitting(["PLUS", "NUMBER", "RPAR", END]) == 4
    assert parser.fitting(["NUMBER"], without=1) == 1
    wrong = Word("(")
    with pytest.raises(Rejected) as rejected:
        parser.read([wrong, Word("3")])
    assert rejected.value.args == (wrong,)
    parser.read(map(Word, [")", ""]))
    assert parser.result() == 2


def test_a_file_holds_all_of_the_tables(sums: Tables) -> None:
    found = json.loads(dumped(sums, SUMS))
    assert [tuple(rule) for rule in found["rules"]] == sums.rules
    assert tables_of("c").states[0].keys() == make_tables(read_grammar("c")).states[0].keys()
