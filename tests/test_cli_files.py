"""Commands with several files: independent of each other, in turn and in parallel; and the folders they write to."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cpsconv import Program, Source, convert
from testing.engines import native
from testing.expectations import ROOT
from tests.conftest import Done, Run
from tests.test_cli_process import BUSY, ENDLESS, posix, start

JOBS = [pytest.param([], id="in turn"), pytest.param(["-j", "3"], id="in parallel")]

GOOD = "int twice(int x) { return x + x; }\nint once(int x) { return twice(x) / 2; }\n"
WARNED = "int f(int x) {\nlost:\n  return x;\n}\n"
BAD = "int f(void) { return x; }\n"
X_IS_UNKNOWN = """\
bad.c:1:22: error: `x` is not declared
    1 | int f(void) { return x; }
      |                      ^
"""


@pytest.fixture(autouse=True)
def programs(tmp_path: Path) -> None:
    for name, text in {"good.c": GOOD, "warned.c": WARNED, "bad.c": BAD}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "id.cps").write_text("id(x : int, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n", encoding="utf-8")


@pytest.mark.parametrize("jobs", [*JOBS, pytest.param(["-j0"], id="all")])
def test_a_bad_file_stops_no_other_and_results_are_in_order(cpsconv: Run, jobs: list[str]) -> None:
    status, out, err = cpsconv("check", *jobs, "bad.c", "good.c", "missing.c", "warned.c", "id.cps")
    assert status == 1
    assert [line.partition(",")[0] for line in out.splitlines()] == ["good.c: ok", "warned.c: 1 warning", "id.cps: ok"]
    missing = "error: missing.c: there is no such file\n"
    assert err.startswith(
        f"{X_IS_UNKNOWN}{missing}warned.c:2:1: warning: the label `lost` is never used [-Wunused-label]\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ["convert"],
        ["convert", "--emit", "json"],
        ["run", "--", "7"],
        ["explain", "--brief"],
        ["graph"],
        ["check", "--tests", "9", "--against", "good.c"],
    ],
    ids=" ".join,
)
def test_output_is_that_of_separate_calls(cpsconv: Run, command: list[str]) -> None:
    name, *options = command
    files = ["good.c:once", "bad.c", "warned.c"]
    alone = [cpsconv(name, file, *options) for file in files]
    headed = name in ("run", "explain", "check")
    heads = [f"==> {file} <==\n" if headed else "" for file in files]
    expected = Done(
        1,
        "".join(head + done.out for head, done in zip(heads, alone, strict=True)),
        "".join(done.err for done in alone),
    )
    assert cpsconv(name, *files, *options) == cpsconv(name, "-j", "3", *files, *options) == expected


@pytest.mark.parametrize("jobs", JOBS)
def test_errors_without_a_location_name_their_file(cpsconv: Run, jobs: list[str]) -> None:
    done = cpsconv("why", *jobs, "good.c:twice", "warned.c", "y")
    assert (done.status, done.out) == (1, "==> good.c:twice <==\n==> warned.c <==\n")
    assert [line for line in done.err.splitlines() if line.startswith("error")] == [
        "error: good.c:twice: there is no parameter `y`",
        "error: warned.c: there is no parameter `y`",
    ]
    done = cpsconv("run", *jobs, "good.c:no", "warned.c", "y")
    assert [line for line in done.err.splitlines() if line.startswith("error")] == [
        "error: good.c:no: there is no function `no`",
        "error: warned.c: argument `x` of `f`: `y` is not an integer",
    ]


def test_the_exit_status_is_the_highest(cpsconv: Run) -> None:
    Path("three.c").write_text("int main(void) { return 3; }")
    Path("zero.c").write_text("int main(void) { return 0; }")
    assert cpsconv("run", "zero.c", "three.c", "zero.c").status == 3
    assert cpsconv("run", "zero.c", "zero.c").status == 0


def test_words_with_the_suffix_of_a_language_are_files_up_to_two_dashes(cpsconv: Run) -> None:
    assert cpsconv("run", "good.c:twice", "warned.c", "-5").out == "==> good.c:twice <==\n-10\n==> warned.c <==\n-5\n"
    echo = "echo(s : string, ret : string → ⊥) → ⊥ { ret(s) }"
    assert cpsconv("eval", "-", "--", "good.c", stdin=echo) == (0, "good.c\n", "")
    assert cpsconv("run", "good.c:twice", "no.c", "1").err.endswith("error: no.c: there is no such file\n")


def test_words_after_two_dashes_are_arguments_even_if_they_look_like_options(cpsconv: Run) -> None:
    text = '#include <stdio.h>\nint main(int c, char **v) { while (*++v) printf("%s ", *v); return c; }\n'
    Path("options.c").write_text(text)
    assert cpsconv("run", "options.c", "--", "-v", "--strategy", "x") == (4, "-v --strategy x ", "")


def test_a_variable_that_looks_like_a_file_is_a_name(cpsconv: Run) -> None:
    Path("c.c").write_text("int f(int x) { int c = 1; if (x) c = 2; return c; }")
    done = cpsconv("why", "c.c", "next.c")
    assert (done.status, done.err) == (0, "")
    assert cpsconv("why", "c.c", "c.c:f", "next.c") == (0, f"==> c.c <==\n{done.out}==> c.c:f <==\n{done.out}", "")


@pytest.mark.parametrize("jobs", JOBS)
def test_a_folder_receives_a_file_for_each(cpsconv: Run, jobs: list[str]) -> None:
    assert cpsconv("convert", *jobs, "--emit", "llvm", "good.c", "good.c:twice", "id.cps", "-o", "out/deep/").err == ""
    assert cpsconv("explain", *jobs, "good.c", "bad.c", "-o", "out/deep").out == ""
    os.unlink("out/deep/good.txt")
    assert sorted(os.listdir("out/deep")) == ["good.ll", "good.twice.ll", "id.ll"]
    assert Path("out/deep/id.ll").read_text() == cpsconv("convert", "--emit", "llvm", "id.cps").out
    assert cpsconv("explain", "good.c", "warned.c", "--html", "out").status == 0
    assert cpsconv("graph", "good.c", "warned.c", "--emit", "mermaid", "-o", "out").status == 0
    assert sorted(os.listdir("out")) == ["deep", "good.html", "good.mermaid", "warned.html", "warned.mermaid"]
    assert cpsconv("link", "-w", "good.c", "warned.c", "-o", "linked/") == (0, "", "")
    assert cpsconv("fmt", "id.cps", "-o", "linked") == (0, "", "")
    assert sorted(os.listdir("linked")) == ["good.cps", "id.cps"]
    assert cpsconv("graph", "good.c", "warned.c", "--split", "split").status == 0
    assert sorted(path.as_posix() for path in Path("split").rglob("*.dot")) == [
        "split/good/once.dot",
        "split/good/twice.dot",
        "split/warned/f.dot",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.c", "bad.c", "-o", "out.cps"], "several files are written to a folder: out.cps is no folder"),
        (["good.c", "sub/good.c", "-o", "out/"], "good.c and sub/good.c would be written to the same file out/good"),
        (["good.c", "bad.c", "--certify", "-O", "-j2"], "--certify and -O exclude each other"),
    ],
)
def test_a_wrong_command_line_concerns_all_files(cpsconv: Run, arguments: list[str], message: str) -> None:
    done = cpsconv("convert", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.count("Usage:") == 1
    assert message in done.err


def test_no_input_is_overwritten_by_a_translation(cpsconv: Run) -> None:
    """Neither by its own name nor by another one, also if it is an included file, or the input of another process."""
    done = cpsconv("convert", "--emit", "c", "good.c", "-o", ".")
    assert done == (1, "", "error: ./good.c: is an input, and would be overwritten\n")
    assert Path("good.c").read_text() == GOOD
    Path("link.c").symlink_to("good.c")
    os.link("good.c", "hard.c")
    Path("with.c").write_text('#include "n.h"\nint f(void) { return N; }\n')
    Path("n.h").write_text("#define N 1\n")
    Path("good.json").write_text(cpsconv("convert", "--emit", "json", "good.c").out)
    for command in (
        *(["convert", "good.c", "-o", out] for out in ("good.c", "./link.c", "hard.c", "sub/../good.c")),
        *(["convert", "with.c", "-o", "n.h"], ["convert", "-include", "n.h", "good.c", "-o", "n.h"]),
        *(["graph", "good.c", "--format", "dot", "-o", "good.c"], ["explain", "--html", "good.c", "good.c"]),
        *(["link", "good.c", "with.c", "-o", "with.c"], ["convert", "-E", "good.c", "-o", "good.c"]),
        *(["link", "-j2", "good.c", "with.c", "-o", "good.c"], ["explain", "good.c", "-o", "good.c"]),
        ["convert", "--emit", "json", "good.json", "-o", "."],
    ):
        done = cpsconv(*command)
        assert (done.status, done.out) == (1, "")
        assert done.err.endswith(": is an input, and would be overwritten\n")
    assert (Path("good.c").read_text(), Path("n.h").read_text()) == (GOOD, "#define N 1\n")
    assert cpsconv("convert", "-j2", "--emit", "json", "with.c", "good.json", "-o", ".").status == 1
    assert cpsconv("convert", "good.c", "-o", "a.cps") == cpsconv("convert", "good.c", "-o", "a.cps") == (0, "", "")
    squeezed = "id(x : int, ret : int → ⊥) → ⊥ { ret(x) }"
    Path("a.cps").write_text(squeezed, encoding="utf-8")
    assert cpsconv("fmt", "a.cps", "id.cps", "-o", ".") == (0, "", "")
    assert Path("a.cps").read_text(encoding="utf-8") == Path("id.cps").read_text(encoding="utf-8")


def test_compare_collects_the_rows_of_all_files(cpsconv: Run) -> None:
    files = ["good.c:once", "bad.c", "warned.c"]
    parallel = cpsconv("compare", "-j", "2", "--json", "--strategy", "scc", *files)
    assert parallel.status == 1
    assert [(row["file"], row["function"]) for row in json.loads(parallel.out)] == [
        ("good.c", "once"),
        ("warned.c", "f"),
    ]


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("command", [["explain", "--strategy", "basic"], ["why"]])
def test_json_of_several_files_is_one_list(cpsconv: Run, command: list[str], jobs: list[str]) -> None:
    status, out, err = cpsconv(*command, *jobs, "--json", "good.c", "bad.c", "warned.c")
    assert (status, err) == (1, X_IS_UNKNOWN)
    found = [(each["file"], each["function"]) for each in json.loads(out)]
    assert found == [("good.c", "twice"), ("good.c", "once"), ("warned.c", "f")]
    assert cpsconv(*command, *jobs, "--json", "bad.c", "bad.c").out == ""


@pytest.mark.parametrize("jobs", JOBS)
def test_comparisons_of_several_files_are_one_list_in_json(cpsconv: Run, jobs: list[str]) -> None:
    Path("thrice.c").write_text(GOOD.replace("x + x", "x + x + x"))
    status, out, _ = cpsconv("check", *jobs, "--json", "--tests", "9", "--against", "good.c", "good.c", "thrice.c")
    found = json.loads(out)
    assert status == 1
    assert [(each["program"], each["agrees"]) for each in found] == [("good.c", True), ("thrice.c", False)]
    assert json.loads(cpsconv("check", "--json", "--tests", "9", "--against", "good.c", "good.c").out) == found[0]


def test_steps_as_json_are_a_list_for_each_file_in_a_folder(cpsconv: Run) -> None:
    assert cpsconv("explain", "--json", "good.c", "warned.c", "-o", "steps/") == (0, "", "")
    assert [each["file"] for each in json.loads(Path("steps/good.json").read_text(encoding="utf-8"))] == ["good.c"] * 2


@posix
def test_endless_output_concerns_one_file(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("endless.c").write_text(ENDLESS)
    monkeypatch.setattr("cpsconv.cli.parallel.MAX_RECORD", 2**20)
    status, out, err = cpsconv("run", "-j", "2", "endless.c", "good.c:twice", "--", stdin="")
    assert status == 1
    assert out.endswith("on and on\n==> good.c:twice <==\n")
    assert err.startswith(
        "error: endless.c: more than 1 MB of output cannot be recorded\nhelp: process the file without -j\n"
        "good.c:1:5: error: `twice` takes 1 argument"
    )


@posix
def test_the_end_of_a_process_concerns_one_file(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*arguments: object, **given: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr("cpsconv.cli.files.convert", killed)
    done = cpsconv("check", "-j", "2", "good.c", "warned.c")
    assert done == (
        70,
        "",
        "error: good.c: its process was ended by signal 9\nerror: warned.c: its process was ended by signal 9\n",
    )


@posix
def test_a_process_serves_many_files_and_is_replaced_at_its_end(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def convert_others(source: Source, **given: Any) -> Program:
        if source.name == "bad.c":
            os.kill(os.getpid(), signal.SIGKILL)
        return convert(source, **given)

    def counted_fork() -> int:
        forks.append("fork")
        return fork()

    forks, fork = list[str](), os.fork
    monkeypatch.setattr("os.fork", counted_fork)
    monkeypatch.setattr("cpsconv.cli.files.convert", convert_others)
    names = [f"{number}.c" for number in range(9)]
    for name in names:
        Path(name).write_text(GOOD)
    out = "".join(f"{name}: ok, certified: 1 continuation, 1 parameter\n" for name in names)
    assert cpsconv("check", "-j", "2", *names) == (0, out, "")
    assert len(forks) == 2
    done = cpsconv("check", "-q", "-j", "2", *names[:5], "bad.c", *names[5:], "bad.c")
    assert done == (70, "", "error: bad.c: its process was ended by signal 9\n" * 2)
    assert len(forks) in (4, 5)  # the last one is replaced only if a file is left


@posix
def test_the_processes_of_files_share_no_input_and_no_output(cpsconv: Run) -> None:
    for number in range(5):
        text = f'#include <stdio.h>\nint main(void) {{ printf("{number} %d\\n", getchar()); return {number}; }}\n'
        Path(f"{number}.c").write_text(text)
    assert cpsconv("run", "0.c", stdin="x") == (0, "0 120\n", "")
    done = cpsconv("run", "-j", "2", *(f"{number}.c" for number in range(5)), stdin="x")
    assert done == (4, "".join(f"==> {number}.c <==\n{number} -1\n" for number in range(5)), "")


@posix
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_command(tmp_path: Path, signal_number: int) -> None:
    marker = f"{tmp_path}/busy.c"
    Path(marker).write_text(BUSY)
    shutil.copy(marker, tmp_path / "busier.c")
    with start("run", "-j", "2", marker, f"{tmp_path}/busier.c", start_new_session=True) as process:
        wait_until(lambda: running(marker) == 3)
        process.send_signal(signal_number)
        assert process.wait(timeout=60) == (130 if signal_number == signal.SIGINT else -signal_number)
        wait_until(lambda: running(marker) == 0)
        assert b"Traceback" not in process.stderr.read()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def running(word: str) -> int:
    """The number of processes with the word in their command line."""
    lines = subprocess.run(["ps", "-ewwo", "args"], capture_output=True, encoding="utf-8").stdout.splitlines()
    return sum(word in line for line in lines)


@posix
def test_a_terminal_shows_the_progress_of_all_files(tmp_path: Path) -> None:
    from tests.test_progress import watched

    files = [str(ROOT / "examples" / f"fig{number}.c") for number in (1, 2, 8)]
    for jobs, shown in ([], b"2/3 converting"), (["-j", "2"], b"processing"):
        out, err = watched("check", *jobs, *files)
        assert out.count(b": ok") == 3
        assert shown in err
        assert err.endswith(b"\x1b[K\x1b[?25h")


@pytest.mark.parametrize("engine", ["machine", "python", pytest.param("llvm", marks=native)])
def test_a_program_may_be_allowed_to_read_memory_that_it_never_wrote(cpsconv: Run, engine: str) -> None:
    text = "void *malloc(unsigned long); int main(void) { short *p = malloc(8); double *d = malloc(8);\n"
    text += "p[1] = p[0]; if (p[1] > 3) return 9; p[2] = p[3] + 4; return p[2] + (*d > 1.5); }"
    Path("unwritten.c").write_text(text, encoding="utf-8")
    done = cpsconv("run", "--engine", engine, "unwritten.c")
    assert (done.status, "index 1 of the memory" in done.err) == (3, True)
    assert cpsconv("run", "--engine", engine, "--allow-uninitialised", "unwritten.c") == (4, "", "")
    if engine == "machine":
        assert "exit status 4" in cpsconv("step", "--allow-uninitialised", "unwritten.c", stdin="r\n").out
