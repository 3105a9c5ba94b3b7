"""The preprocessor of C: expansion as by gcc, inclusion, conditions, errors, and positions in the files as written."""

from __future__ import annotations

import re
import subprocess
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings

from cpsconv.frontends.c.preprocessor import Settings, listing, preprocessed, preprocessing
from cpsconv.frontends.c.preprocessor.tokens import TOKEN
from cpsconv.source import Diagnostic, DiagnosticError, Source, read_source
from tests.c_macros import PROGRAMS, definitions_and_calls


def tokens(text: str) -> list[str]:
    return [match[0] for match in TOKEN.finditer(text) if match.lastgroup == "token"]


def expanded(text: str, name: str = "test.c") -> list[str]:
    found = preprocessed(Source(name, text), []).text
    return tokens(found)


def by_gcc(text: str) -> tuple[list[str], bool]:
    """The tokens that gcc gives, and whether it reports errors."""
    command = ["gcc", "-E", "-P", "-w", "-Ulinux", "-Uunix", "-x", "c", "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return tokens(result.stdout), result.returncode != 0


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_expand_as_by_gcc(program: str) -> None:
    text = textwrap.dedent(PROGRAMS[program])
    assert expanded(text, "<stdin>") == by_gcc(text)[0]


@settings(max_examples=60, deadline=None)
@given(definitions_and_calls())
def test_generated_macros_expand_as_by_gcc(text: str) -> None:
    theirs, is_wrong = by_gcc(text)
    try:
        ours = expanded(text)
    except DiagnosticError:
        assert is_wrong
        return
    assert not is_wrong
    assert ours == theirs
