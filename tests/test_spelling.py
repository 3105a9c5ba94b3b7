"""Near names."""

from __future__ import annotations

from cpsconv.source import did_you_mean, nearest


def test_the_most_similar_name_is_found() -> None:
    assert nearest("summ", ["num", "sum", "sum", "total"]) == "sum"
    assert did_you_mean("summ", iter(["num", "sum"])) == "did you mean `sum`?"


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert nearest("summ", ["total", "x"]) is None
    assert nearest("summ", ["sum"], 0.9) is None
    assert did_you_mean("summ", []) is None


def test_of_many_names_none_is_suggested_but_a_name_counts_once() -> None:
    many = [f"name_number_{i}" for i in range(1001)]
    assert nearest("name_number_x", many) is None
    assert nearest("name_number_x", many[:1000]) in many
    assert nearest("summ", ["sum"] * 1001) == "sum"
