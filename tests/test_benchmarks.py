"""The command lines of the benchmarks. (What they measure, no test asserts.)"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

import pytest

from benchmarks import combinations, rebuild
from benchmarks.arguments import names, numbers
from benchmarks.planted_faults import FAULTS, files_of, module_of, sources
from benchmarks.projects import counted, print_times, project
from benchmarks.subjects import subjects
from cpsconv import Program, Source, convert
from scripts.architecture import PACKAGE
from testing.expectations import ROOT
from testing.gcc import needs_gcc
from testing.mem2reg import CLANG


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
    """Otherwise a change of the source would make the fault disappear from the table in docs/testing.md."""
    texts, page = sources(PACKAGE), (ROOT / "docs/testing.md").read_text(encoding="utf-8")
    for fault in FAULTS:
        assert module_of(fault, texts)
        assert f"| {fault.name} |" in page
        assert all((ROOT / path).exists() for path in files_of(fault))


@needs_gcc
def test_a_wrong_result_of_a_combination_is_counted_and_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(source: Source, *, thread_jumps: bool, **given: Any) -> Program:
        text = source.text.replace("2", "3") if thread_jumps else source.text
        return convert(Source(source.name, text), **given)

    monkeypatch.setattr(combinations, "convert", wrong)
    path = tmp_path / "two.c"
    path.write_text("int main(void) { return 2; }\n", encoding="utf-8")
    assert combinations.counts_of(path, "machine", 0, 5) == {
        "programs": 1,
        "conversions": 12,
        "distinct": 2,
        "runs": 2,
        "wrong": 1,
    }
    assert capsys.readouterr().out == (
        f"{path} (): Conversion(optimise=(), explicit_memory=None, thread_jumps=True)\n"
        "  Observation(output='', status=2)\n  Observation(output='', status=3)\n"
    )


def _project(folder: Path) -> str:
    (folder / "half.h").write_text("int half(int);\n", encoding="utf-8")
    (folder / "half.c").write_text('#include "half.h"\nint half(int n) { return n / TWO; }\n', encoding="utf-8")
    main = '#include "half.h"\nint main(int c, char **v) { while (c < 9) c += 2; return half(c) - 5; }\n'
    (folder / "main.c").write_text(main, encoding="utf-8")
    return f"halves: -I{folder} -DTWO=2 {folder}/*.c"


def test_a_project_is_a_name_with_options_and_files(tmp_path: Path) -> None:
    own = project(_project(tmp_path) + " -lm")
    assert (own.name, [each.name for each in own.files]) == ("halves", ["half.c", "main.c"])
    assert (own.settings.folders, own.settings.macros, own.libraries) == ([str(tmp_path)], ["-DTWO=2"], ["-lm"])
    with pytest.raises(ArgumentTypeError, match="is not `NAME: OPTIONS FILES`"):
        project("main.c")
    with pytest.raises(ArgumentTypeError, match="missing does not exist"):
        project("p: missing")


def test_parameters_of_a_project_are_compared_with_phis(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    own = project(_project(tmp_path))
    row, worse = counted(own, own.files[1])
    assert (row.functions, row.after[2], row.ours[2], worse) == (1, 1, 1, [])


@needs_gcc
def test_a_project_is_compiled_in_three_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("llvmlite")
    print_times([project(_project(tmp_path))], ["x"], None, 1)
    assert "| halves |" in capsys.readouterr().out


@pytest.mark.skipif(not (CLANG or "").endswith("-22"), reason="no clang of the version that compiles our modules")
def test_modules_of_cpsconv_replace_the_files_of_a_compiler(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    _project(tmp_path)
    program, main = tmp_path / "program", tmp_path / "main.c"
    command = [str(CLANG), "-DTWO=2", f"-I{tmp_path}", str(main.with_name("half.c")), str(main), "-o", str(program)]
    assert rebuild.convert(tmp_path, "", command) == 0
    assert subprocess.run([program], check=False).returncode == 255
    [written] = tmp_path.glob("main-*.ll")
    assert " = phi i32 " in written.read_text(encoding="utf-8")
