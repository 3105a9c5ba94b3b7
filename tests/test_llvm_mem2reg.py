"""Parameters of modules beside the φ functions of LLVM's ``mem2reg``; the promotable allocations; undefined values."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpsconv import Source, convert
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.source import read_source
from tests.tables import table

pytest.importorskip("llvmlite", reason="LLVM IR is read with llvmlite")

from cpsconv.languages.ours import expressing
from testing.mem2reg import CLANG, OPT, Compared, compared, compiled, promoted_by_llvm

needs_llvm = pytest.mark.skipif(OPT is None, reason="LLVM's command opt is missing")
needs_clang = pytest.mark.skipif(CLANG is None or OPT is None, reason="clang or LLVM's command opt is missing")

PROGRAMS = table("llvm_input")

USES = {
    "loads and stores": ("store i32 %n, ptr %x\n  %v = load i32, ptr %x", True),
    "an atomic access": ("store atomic i32 %n, ptr %x release, align 4", True),
    "a volatile load": ("%v = load volatile i32, ptr %x", False),
    "a volatile store": ("store volatile i32 %n, ptr %x", False),
    "another type": ("store float 1.0, ptr %x", False),
    "another type of the same size in a load": ("%v = load float, ptr %x", False),
    "the address stored": ("store ptr %x, ptr @g", False),
    "the address stored in itself": ("store ptr %x, ptr %x", False),
    "the address passed": ("call void @f(ptr %x)", False),
    "the address compared": ("%c = icmp eq ptr %x, null", False),
    "a lifetime": ("call void @llvm.lifetime.start.p0(ptr %x)\n  call void @llvm.lifetime.end.p0(ptr %x)", True),
    "a fake use": ("call void (...) @llvm.fake.use(ptr %x)", True),
    "an assumption": ('call void @llvm.assume(i1 true) [ "align"(ptr %x, i64 4) ]', True),
    "a field at 0": ("%p = getelementptr i32, ptr %x, i64 0\n  store i32 1, ptr %p", False),
    "a field at 0 that is assumed": (
        '%p = getelementptr i32, ptr %x, i64 0\n  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 4) ]',
        True,
    ),
    "another element": (
        '%p = getelementptr i32, ptr %x, i64 1\n  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 4) ]',
        False,
    ),
    "an unused cast": ("%p = addrspacecast ptr %x to ptr addrspace(1)", True),
    "an assumption of a cast": (
        "%p = addrspacecast ptr %x to ptr addrspace(1)\n"
        '  call void @llvm.assume(i1 true) [ "align"(ptr addrspace(1) %p, i64 4) ]',
        False,
    ),
    "a promoted variable with the address": (
        "%q = alloca ptr\n  store ptr %x, ptr %q\n  %p = load ptr, ptr %q\n  store i32 1, ptr %p",
        True,
    ),
    "a promoted variable with one of two addresses": (
        "%y = alloca i32\n  %q = alloca ptr\n  store ptr %x, ptr %q\n  %c = icmp eq i32 %n, 0\n"
        "  br i1 %c, label %then, label %done\nthen:\n  store ptr %y, ptr %q\n  br label %done\ndone:\n"
        "  %p = load ptr, ptr %q\n  store i32 1, ptr %p",
        False,
    ),
    "a promoted variable with two addresses, one after the other": (
        "%y = alloca i32\n  %q = alloca ptr\n  store ptr %x, ptr %q\n  %p = load ptr, ptr %q\n  store i32 1, ptr %p\n"
        "  store ptr %y, ptr %q\n  %r = load ptr, ptr %q\n  call void @f(ptr %r)",
        True,
    ),
}
"""Uses of an allocation `x`, and whether LLVM promotes it."""


@pytest.fixture(autouse=True)
def _kept() -> Iterator[None]:
    """Every instruction stays as it is."""
    with expressing("none"):
        yield


def differences(path: Path, *strategies: str) -> list[tuple[str, Compared]]:
    """The functions with more parameters than φ functions, or other instructions than LLVM's ``mem2reg`` leaves.

    Each one follows its strategy, of those that are given, or ``scc``.
    """
    source, theirs = read_source(str(path)), promoted_by_llvm(path)
    return [
        (strategy, each)
        for strategy in strategies or ["scc"]
        for each in compared(convert(source, language="llvm", strategy=strategy, certify=True), theirs)
        if each.parameters > each.phis or each.lost or each.added
    ]


def functions_in(text: str) -> list[str]:
    """The texts of the functions of a module."""
    return re.split("(?m)^define ", text)[1:]


@pytest.fixture(scope="module")
def uses(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[tuple[str, Compared]], list[str]]:
    """A module with a function for each use: the differences, and the functions after LLVM's ``mem2reg``."""
    path = tmp_path_factory.mktemp("uses") / "m.ll"
    functions = [
        f"define void @use{number}(i32 %n) {{\nstart:\n  %x = alloca i32\n  {use}\n  ret void\n}}\n"
        for number, (use, _) in enumerate(USES.values())
    ]
    path.write_text("".join(["@g = external global ptr\ndeclare void @f(ptr)\n", *functions]))
    with expressing("none"):
        return differences(path), functions_in(promoted_by_llvm(path))


@needs_llvm
@pytest.mark.parametrize("use", USES)
def test_an_allocation_is_promoted_as_by_llvm(use: str, uses: tuple[list[tuple[str, Compared]], list[str]]) -> None:
    number, (_, is_promoted) = [*USES].index(use), USES[use]
    different, promoted = uses
    assert [each for _, each in different if each.name == f"use{number}"] == []
    assert ("%x = alloca" in promoted[number]) == (not is_promoted)


@needs_llvm
def test_an_allocation_outside_of_the_first_block_is_not_promoted(tmp_path: Path) -> None:
    path = tmp_path / "m.ll"
    path.write_text(
        "define i32 @h(i32 %n) {\n  br label %next\nnext:\n  %x = alloca i32\n  store i32 %n, ptr %x\n"
        "  %v = load i32, ptr %x\n  ret i32 %v\n}\n"
    )
    assert differences(path) == []
    assert "alloca" in promoted_by_llvm(path)


@needs_llvm
def test_all_kinds_of_instructions_remain(tmp_path: Path) -> None:
    path = tmp_path / "m.ll"
    path.write_text(PROGRAMS["INSTRUCTIONS"])
    assert differences(path, *STRATEGIES) == []


@needs_clang
@pytest.mark.parametrize(("name", "suffix"), [("C", ".c"), ("CPP", ".cpp"), ("UNDEFINED", ".c")])
def test_there_are_at_most_as_many_parameters_as_phi_functions(tmp_path: Path, name: str, suffix: str) -> None:
    source, path = tmp_path / f"m{suffix}", tmp_path / "m.ll"
    source.write_text(PROGRAMS[name])
    compiled(source, path)
    assert differences(path, *STRATEGIES) == []


CORPUS = sorted(Path(__file__).parent.glob("corpus/*.c"))


@needs_clang
@pytest.mark.parametrize("file", CORPUS[::30], ids=lambda file: file.stem)
def test_programs_of_the_corpus_have_at_most_as_many_parameters(tmp_path: Path, file: Path) -> None:
    try:
        compiled(file, tmp_path / "m.ll")
    except subprocess.CalledProcessError:
        pytest.skip("clang rejects the program")
    assert differences(tmp_path / "m.ll") == []


# --------------------------------------------------------------------------------------------------- undefined values

VALUES = {
    "a constant": ("", "5", True),
    "undef": ("", "undef", True),
    "poison": ("", "poison", True),
    "a parameter": ("", "%a", False),
    "a defined parameter": ("", "%b", True),
    "a result": ("%v = call i32 @g()", "%v", False),
    "a defined result": ("%v = call noundef i32 @g()", "%v", True),
    "a frozen value": ("%v = freeze i32 %a", "%v", True),
    "a sum of defined values": ("%v = add i32 %b, 1", "%v", True),
    "a sum with a flag": ("%v = add nsw i32 %b, 1", "%v", False),
    "a shift by a constant": ("%v = shl i32 %b, 3", "%v", True),
    "a shift by a value": ("%v = shl i32 %b, %b", "%v", False),
    "a condition": ("%v = call i32 @g()\n  %d = icmp eq i32 %v, 0\n  br i1 %d, label %n, label %e\nn:", "%v", True),
    "a divisor": ("%v = call i32 @g()\n  %d = udiv i32 7, %v", "%v", True),
    "a dividend": ("%v = call i32 @g()\n  %d = udiv i32 %v, 7", "%v", False),
    "an argument that must be defined": ("%v = call i32 @g()\n  call void @h(i32 noundef %v)", "%v", True),
    "an argument after a named type": (
        "%z = alloca %t\n  %v = call i32 @g()\n  call void @s(ptr sret(%t) %z, i32 noundef %v)",
        "%v",
        True,
    ),
    "an argument after another call": (
        "%v = call i32 @g()\n  call void @h(i32 1)\n  call void @h(i32 noundef %v)",
        "%v",
        False,
    ),
    "a variable in between": (
        "%v = call i32 @g()\n  store i32 %v, ptr %y\n  %w = load i32, ptr %y\n  %d = udiv i32 7, %w",
        "%v",
        True,
    ),
}
"""Code before a branch, and a value that one of two paths assigns: whether it replaces the undefined one."""


DECLARED = "%t = type { i32 }\ndeclare i32 @g()\ndeclare void @h(i32)\ndeclare void @s(ptr sret(%t), i32)\n"
ASSIGNING = DECLARED + "".join(
    f"define i32 @f{number}(i1 noundef %c, i32 %a, i32 noundef %b) {{\nstart:\n  %x = alloca i32\n  %y = alloca i32\n"
    f"  {code}\n  br i1 %c, label %then, label %done\nthen:\n  store i32 {value}, ptr %x\n  br label %done\n"
    "done:\n  %r = load i32, ptr %x\n  ret i32 %r\ne:\n  ret i32 0\n}\n"
    for number, (code, value, _) in enumerate(VALUES.values())
)
"""A module with a function for each of the values."""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_defined_value_replaces_an_undefined_one(strategy: str) -> None:
    program = convert(Source("m.ll", ASSIGNING), strategy=strategy, certify=True)
    for function, (name, (_, _, is_replaced)) in zip(program.functions, VALUES.items(), strict=True):
        assert any(member.parameters for member in function.continuations) == (not is_replaced), name


@needs_llvm
def test_llvm_replaces_the_same_undefined_values(tmp_path: Path) -> None:
    path = tmp_path / "m.ll"
    path.write_text(ASSIGNING)
    for text, (name, (_, _, is_replaced)) in zip(functions_in(promoted_by_llvm(path)), VALUES.items(), strict=True):
        assert (" phi " in text) == (not is_replaced), name
