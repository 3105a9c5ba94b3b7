"""The tables of grammars: those of lark, and sufficient for the parser."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpsconv.core.generated import generated
from cpsconv.core.grammar import END, TABLES, Parser, Rejected, Tables, read_grammar, token_pattern
from cpsconv.core.grammar.generate import make_tables
from cpsconv.core.grammar.tables import GRAMMARS, dumped, loaded


@pytest.mark.parametrize("name", sorted(path.stem for path in Path(GRAMMARS).glob("*.lark")))
def test_the_tables_are_those_of_the_grammar(name: str) -> None:
    assert generated(TABLES, name) == dumped(make_tables(read_grammar(name)))


@pytest.mark.parametrize("name", ["mlir", "while"])  # the former has no fixed spellings
def test_no_token_is_empty(name: str) -> None:
    assert token_pattern(name).match("") is None


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
    found = loaded(dumped(sums))
    assert found[:3] == sums[:3]
    assert found.states.encoded == sums.states.encoded
    assert found.states[0].keys() == {"sum", "start", "term", "NUMBER", "LPAR"}
