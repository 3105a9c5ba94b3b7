"""The helpers of LLVM IR and of the engine llvm: those that a program or another helper calls exist at load."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from cpsconv.core.operations.completeness import IncompleteTable
from cpsconv.engines.llvm import host
from cpsconv.engines.llvm.helpers import LOOKUP, TYPED
from cpsconv.targets.llvm import support
from cpsconv.targets.llvm.support import HELPERS, require_helpers

TEXTS = {**HELPERS, **host._HELPERS, **TYPED, "lookup": LOOKUP}


def test_a_missing_helper_is_an_error_with_its_name() -> None:
    require_helpers("the engine llvm", TEXTS, host.CALLED)
    found = set()
    for name in TEXTS.keys() - HELPERS.keys():
        try:
            texts = {other: text for other, text in TEXTS.items() if other != name}
            require_helpers("the engine llvm", texts, host.CALLED)
        except IncompleteTable as error:
            assert f"cpsconv.{name}`" in str(error)
            found.add(name)
    assert found >= {"string", "load", "load_in", "store", "marks", "new", "deallocate", "jump", "library.call"}


def test_a_function_that_no_text_declares_is_an_error() -> None:
    for call in "call void @cpsconv.unknown(i64 1)", "call i32 @unknown_function()":
        with pytest.raises(IncompleteTable, match="unknown"):
            other = f"define void @cpsconv.other() {{\n  {call}\n  ret void\n}}"
            require_helpers("the engine llvm", {**TEXTS, "other": other}, host.CALLED)


@pytest.mark.parametrize("name", [*support.CALLED.split(), "fail"])
def test_a_missing_helper_of_llvm_ir_is_an_error_with_its_name(name: str) -> None:
    require_helpers("cpsconv.targets.llvm", HELPERS, support.CALLED)
    texts = {other: text for other, text in HELPERS.items() if other != name}
    with pytest.raises(IncompleteTable, match=rf"^cpsconv.targets.llvm: missing function `cpsconv.{name}`$"):
        require_helpers("cpsconv.targets.llvm", texts, support.CALLED)


@pytest.mark.parametrize(
    "module, others", [(host, {"library.", 0}), (support, {"convert", "deeper"})], ids=["engine", "target"]
)
def test_all_helpers_that_the_code_of_programs_names_are_required(module: Any, others: set[object]) -> None:
    """Those of primitives are found by them; the target names one of the engine."""
    named = set()
    for file in Path(module.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr == "helper" and isinstance(node, ast.Call):
                named |= {each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
    assert named - others <= {*module.CALLED.split()}
