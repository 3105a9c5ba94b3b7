"""The display of source lines, and near names."""

from __future__ import annotations

import pytest

from cpsconv import Source, convert
from cpsconv.core.source import did_you_mean, nearest
from cpsconv.lab.explain import transcript
from tests import test_explain, test_step, test_trace

ESCAPE = f"int f(int x) {{\n    return x; /* \x1b[2J\x07 \x9b */ /* {'x' * 1000} */\n}}\n"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("", ""),
        ("  a = 1;  ", "a = 1;"),
        ("0123456789", "0123456789"),
        ("0123456789\r", "0123456789"),
        ("0123456789a", "012345678…"),
        ("   0123456789a", "012345678…"),
        ("012345678 and more", "012345678…"),
        ("0123456    and more", "0123456  …"),
        ("a\tb", "a    b"),
        ("\x1b[2Ja", "\ufffd[2Ja"),
    ],
)
def test_a_line_is_shown_printable_and_cut(line: str, shown: str) -> None:
    assert Source("f.c", f"first\n{line}\nlast").shown_line(2, 10) == shown
    assert Source("f.c", f"first\n{line}").shown_line(2, 10) == shown


def test_a_line_may_keep_its_indentation() -> None:
    assert Source("f.c", "{\n    a;\n").shown_line(2, indented=True) == "    a;"


def test_control_characters_and_long_lines_of_the_source_are_not_printed() -> None:
    program = convert(Source("f\x1b.c", ESCAPE))
    told = [
        *test_trace.text(program, "1"),
        *transcript(test_explain.told(ESCAPE)),
        *test_step.answers(test_step.dialogue(program, 1), "l"),
    ]
    assert sum("/* \ufffd[2J" in line for line in told) == 3
    assert all(line.isprintable() and len(line) < 160 for line in told)


def test_a_line_is_cut_before_it_is_examined() -> None:
    class Text(str):
        """Counts the characters that are read."""

        taken = 0

        def __getitem__(self, key: object) -> str:
            part = super().__getitem__(key)  # type: ignore[index]
            Text.taken += len(part)
            return part

    source = Source("f.c", Text("x" * 100_000))
    for _ in range(10):
        source.shown_line(1)
    assert Text.taken < 2000


# ----------------------------------------------------------------------------------------------------- near names


def test_the_most_similar_name_is_found() -> None:
    assert nearest("summ", ["num", "sum", "sum", "total"]) == "sum"
    assert did_you_mean("summ", iter(["num", "sum"])) == "did you mean `sum`?"


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert nearest("summ", ["total", "x"]) is None
    assert nearest("summ", ["sum"], 0.9) is None
    assert nearest("foo", ["floor"]) is None
    assert nearest("loop", ["log1p"]) is None
    assert nearest("loop", ["log1p", "lopo"]) == "lopo"
    assert did_you_mean("summ", []) is None


def test_of_many_names_none_is_suggested_but_a_name_counts_once() -> None:
    many = [f"name_number_{i}" for i in range(1001)]
    assert nearest("name_number_x", many) is None
    assert nearest("name_number_x", many[:1000]) in many
    assert nearest("summ", ["sum"] * 1001) == "sum"
