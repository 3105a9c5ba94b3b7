"""The helpers of the engine llvm: each that a program or another helper calls exists when the engine is loaded."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from cpsconv.core.operations.completeness import IncompleteTable
from cpsconv.engines.llvm import host
from cpsconv.engines.llvm.helpers import LOOKUP, TYPED
from cpsconv.targets.llvm.support import HELPERS

TEXTS = {**host._HELPERS, **TYPED, "lookup": LOOKUP}


def test_a_missing_helper_is_an_error_with_its_name() -> None:
    host.require_helpers(TEXTS)
    found = set()
    for name in TEXTS.keys() - HELPERS.keys():
        try:
            host.require_helpers({other: text for other, text in TEXTS.items() if other != name})
        except IncompleteTable as error:
            assert f"cpsconv.{name}`" in str(error)
            found.add(name)
    assert found >= {"string", "load", "load_in", "store", "marks", "new", "deallocate", "jump", "library.call"}


def test_a_function_that_no_text_declares_is_an_error() -> None:
    for call in "call void @cpsconv.unknown(i64 1)", "call i32 @unknown_function()":
        with pytest.raises(IncompleteTable, match="unknown"):
            host.require_helpers({**TEXTS, "other": f"define void @cpsconv.other() {{\n  {call}\n  ret void\n}}"})


def test_all_helpers_that_the_code_of_programs_names_are_required() -> None:
    """Those of the target LLVM IR itself are in its own table."""
    named = set()
    for file in Path(host.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr == "helper" and isinstance(node, ast.Call):
                named |= {each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
    assert named - {"library.", 0} <= set(host._CALLED.split())
