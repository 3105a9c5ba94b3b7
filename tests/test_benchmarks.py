"""The command lines of the benchmarks. (What they measure, no test asserts.)"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentTypeError

import pytest

from benchmarks.arguments import names, numbers
from benchmarks.planted_faults import FAULTS, module_of, sources
from benchmarks.subjects import subjects
from scripts.architecture import PACKAGE
from tests.expectations import ROOT


@pytest.mark.parametrize("option", ["--back-ends", "--shapes"])
def test_an_unknown_name_is_a_usage_error(option: str) -> None:
    command = [sys.executable, "benchmarks/backends.py", option, "nope"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"backends.py: error: argument {option}: there is no 'nope'; there are " in done.stderr


def test_lists_have_commas_between_their_items() -> None:
    assert names(["scc", "marker", "basic"])("marker, scc") == ["marker", "scc"]
    assert names(["scc"])("") == []
    assert numbers("25,100") == [25, 100]
    assert subjects("ladder 250,corpus") == ["ladder 250", "corpus"]


@pytest.mark.parametrize("text", ["ladder", "nothing 3", "corpus 3", "ladder x"])
def test_a_subject_has_a_known_kind_and_a_size(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"there is no subject '{text}'"):
        subjects(text)


def test_sizes_are_numbers() -> None:
    with pytest.raises(ArgumentTypeError, match="'1,x' is not a list of numbers"):
        numbers("1,x")


def test_each_planted_fault_has_one_place_and_names_tests() -> None:
    """Otherwise a change of the source would make the fault disappear from the table."""
    texts = sources(PACKAGE)
    for fault in FAULTS:
        assert module_of(fault, texts)
        assert all((ROOT / "tests" / f"test_{name}.py").exists() for name in fault.tests.split())
