"""The command line and its terminal: colours, width, quiet commands, suggestions, completion by shells."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv import __version__
from cpsconv.cli import main
from cpsconv.cli.commands import COMMANDS
from cpsconv.core.source import Source, Span, error
from cpsconv.engines.machine.machine import evaluate
from cpsconv.engines.machine.trace_text import TextTrace
from cpsconv.pipeline import convert
from testing.expectations import ROOT
from tests.conftest import Run
from tests.test_cli_process import open_terminal, posix

FIG8 = str(ROOT / "examples" / "fig8.c")
GCD = str(ROOT / "examples" / "gcd.c")
LABEL = "int f(int x) {\nlost:\n  return x;\n}\n"

# --------------------------------------------------------------------------------------------------- colours, quiet


@pytest.mark.parametrize(
    ("environment", "options", "colored"),
    [
        ({}, [], False),
        ({"FORCE_COLOR": "1"}, [], True),
        ({"FORCE_COLOR": ""}, [], False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, [], False),
        ({"FORCE_COLOR": "1"}, ["--color=never"], False),
        ({"NO_COLOR": "1"}, ["--color"], True),
        ({"TERM": "dumb"}, ["--color=always"], True),
        ({}, ["--colour"], True),
        ({}, ["--color=auto"], False),
    ],
)
def test_colour_is_chosen_by_option_then_by_environment(
    cpsconv: Run, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], options: list[str], colored: bool
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for arguments in (["check", *options, "no.c"], [*options, "check", "no.c"]):
        assert ("\x1b[" in cpsconv(*arguments).err) is colored


@posix
@pytest.mark.parametrize(
    ("environment", "colored"),
    [({}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)],
)
def test_colour_is_for_capable_terminals(environment: dict[str, str], colored: bool) -> None:
    shown = on_terminal(80, ["check", "no.c"], **environment)
    assert shown.endswith("no.c: there is no such file\n")
    assert ("\x1b[" in shown) is colored


def test_quiet_commands_print_errors_and_results_only(cpsconv: Run) -> None:
    Path("label.c").write_text(LABEL)
    Path("bad.c").write_text("int f(void) {\nlost:\n  return x;\n}\n")
    assert "warning" in cpsconv("check", "label.c").err
    assert cpsconv("check", "-q", "label.c") == (0, "", "")
    assert cpsconv("-q", "run", "label.c", "7") == (0, "7\n", "")
    assert "warning" not in cpsconv("check", "--quiet", "bad.c").err
    assert "bad.c:3:10: error: `x` is not declared\n" in cpsconv("check", "--quiet", "bad.c").err
    assert "warning" in cpsconv("check", "label.c").err


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version_is_printed(cpsconv: Run, option: str) -> None:
    assert cpsconv(option) == (0, f"cpsconv {__version__}\n", "")


# ------------------------------------------------------------------------------------------------------------ width


def on_terminal(columns: int, *commands: list[str], **environment: str) -> str:
    """The output of commands, which run in one process, on a terminal of that width."""
    import fcntl  # late: exists on POSIX systems only
    import struct
    import termios

    inherited = {name: os.environ[name] for name in os.environ.keys() - {"COLUMNS", "NO_COLOR", "FORCE_COLOR"}}
    given = {**inherited, "TERM": "xterm", **environment}
    with open_terminal() as (leader, terminal):
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        code = f"from cpsconv.cli import main\nfor command in {commands}: main(command)"
        line = [sys.executable, "-c", code]
        subprocess.run(line, stdout=terminal, stderr=terminal, cwd=ROOT, env=given, timeout=60)
        return os.read(leader, 100_000).decode().replace("\r\n", "\n")


def without_progress(text: str) -> str:
    return re.sub(r"(\r\x1b\[\?25l.*)?\r\x1b\[K\x1b\[\?25h", "", text)


@posix
@pytest.mark.parametrize("columns", [40, 62, 80])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    found = on_terminal(
        columns,
        ["compare", "--strategy", "scc,basic", FIG8],
        ["compare", "-j", "2", "--strategy", "scc,basic", FIG8, GCD],
        ["run", "--trace", f"{GCD}:gcd", "1071", "21"],
        ["check", "--color=never", f"{ROOT}/tests/corpus/no_such_directory/a_long_name_of_a_file.c"],
    )
    assert all(text in found for text in ("placed", "total", "transfer", "a_long_name_of_a_file.c"))
    for line in without_progress(found).split("\n"):
        assert len(line) <= columns or "/" in line, line


def test_a_narrow_table_has_several_parts_with_the_same_titles(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    wide = cpsconv("compare", "--strategy", "scc", "fig8.c").out
    monkeypatch.setattr("cpsconv.cli.streams.width", lambda name: 50)
    assert [line.rstrip() for line in cpsconv("compare", "--strategy", "scc", "fig8.c").out.splitlines()][:-4] == [
        "function  strategy  continuations  placed  removed",
        "fig8.c:f  scc                   3       1        0",
        "total     scc                   3       1        0",
        "",
        "function  strategy  kept  minimal  arguments",
        "fig8.c:f  scc          1        1          2",
        "total     scc          1        1          2",
    ]
    assert len(wide.splitlines()) == 3


@pytest.mark.parametrize(
    ("width", "row"),
    [
        (None, "     1     11  if (x == 0) {    f     branch(true) → then"),
        (59, "     1     11  if (x == 0)…  f     branch(true) → then"),
        (50, "     1     11  f     branch(true) → then"),
        (30, "     1     11  f     branch(t…"),
    ],
)
def test_a_narrow_trace_omits_the_source_line_first(width: int | None, row: str) -> None:
    program = convert(Source("examples/fig8.c", Path(FIG8).read_text(encoding="utf-8")))
    text = TextTrace(program, width)
    rows: list[str] = []
    nowhere = io.BytesIO()
    evaluate(program, "f", [0], output=nowhere, errors=nowhere, trace=lambda record: rows.append(text.transfer(record)))
    assert rows[0] == row


LINE = "\treturn first_argument + secnd_argument + third_argument;"


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (
            40,
            "long_file_name.c:1:26: error:\n"
            "  `secnd_argument` is not declared\n"
            "    1 | irst_argument + secnd_argument +\n"
            "      |                 ^^^^^^^^^^^^^^\n"
            "help: did you mean `second_argument` or\n"
            "  another name?",
        ),
        (
            None,
            "long_file_name.c:1:26: error: `secnd_argument` is not declared\n"
            "    1 |     return first_argument + secnd_argument + third_argument;\n"
            "      |                             ^^^^^^^^^^^^^^\n"
            "help: did you mean `second_argument` or another name?",
        ),
    ],
)
def test_a_message_is_wrapped_and_its_excerpt_is_a_window_around_the_error(width: int | None, text: str) -> None:
    source = Source("long_file_name.c", LINE)
    start = LINE.index("secnd")
    found = error(
        "`secnd_argument` is not declared",
        Span(source, start, start + len("secnd_argument")),
        help="did you mean `second_argument` or another name?",
    )
    assert found.render(width=width) == text
    assert found.render(True, width).replace("\x1b[1;31m", "").replace("\x1b[1;32m", "").replace("\x1b[0m", "") == text


@pytest.mark.parametrize("columns", [60, 120, 200, 300])
def test_an_excerpt_takes_the_width_of_the_terminal(columns: int) -> None:
    source = Source("f.c", "x" * 1000)
    _, excerpt, _ = error("wrong", Span(source, 500, 501)).render(width=columns).split("\n")
    assert len(excerpt) == columns


# ------------------------------------------------------------------------------------- streams without byte streams


def test_standard_streams_may_be_strings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text('#include <stdio.h>\nint main(void) { puts("\\303\\251\\377"); int z = 0; return 1 / z; }')
    for arguments, stdin, end in (
        (["convert", FIG8], "", (0, "f(x : int, ret : int → ⊥) → ⊥ {")),
        (["run", str(program)], "", (3, "é\\xff")),
        (["run", "--engine", "machine", str(program)], "", (3, "é\\xff")),
        (["eval", "-", "7"], "f(x : int, ret : int → ⊥) → ⊥ { ret(x) }", (0, "7")),
        (["check", "-j", "2", FIG8, FIG8], "", (0, f"{FIG8}: ok, certified: 3 continuations, 1 parameter")),
        (["step", FIG8, "0"], "q\n", (0, "  step   line  ")),
        (["--help"], "", (0, "Usage: cpsconv [OPTIONS] COMMAND [ARGS]...")),
    ):
        for name, stream in {"stdout": io.StringIO(), "stderr": io.StringIO(), "stdin": io.StringIO(stdin)}.items():
            monkeypatch.setattr(sys, name, stream)
        status = main(arguments)
        assert isinstance(sys.stdout, io.StringIO) and isinstance(sys.stderr, io.StringIO)
        first = sys.stdout.getvalue().partition("\n")[0]
        assert (status, first[: len(end[1])]) == end, sys.stderr.getvalue()
        assert ("division by zero" in sys.stderr.getvalue()) is (status == 3)


# ------------------------------------------------------------------------------------------- levels and earlier names


@pytest.mark.parametrize("level", ["-O", "-O1", "-O2", "-O3", "-Os", "-Ofast"])
def test_every_level_of_optimisation_is_the_same(cpsconv: Run, level: str) -> None:
    figure = str(ROOT / "examples" / "fig4.c")
    assert cpsconv("convert", level, figure).out == "foo(x : int, ret : int → ⊥) → ⊥ {\n  ret(x)\n}\n"
    assert cpsconv("run", level, figure, "-3").out == "-3\n"
    assert cpsconv("convert", level, "-O0", figure) == cpsconv("convert", figure)


@pytest.mark.parametrize("level", ["-O4", "-Of", "-Oslow"])
def test_another_level_is_refused(cpsconv: Run, level: str) -> None:
    done = cpsconv("convert", level, FIG8)
    assert (done.status, done.out) == (2, "")
    assert "is not one of '0', '1', '2', '3'" in done.err


@pytest.mark.parametrize(
    ("former", "current"),
    [
        (["graph", "--format", "mermaid", FIG8], ["graph", "--emit", "mermaid", FIG8]),
        (["compare", "--json", "--strategies", "scc", "no.c"], ["compare", "--json", "--strategy", "scc", "no.c"]),
    ],
)
def test_earlier_names_of_options_are_accepted_but_not_listed(
    cpsconv: Run, former: list[str], current: list[str]
) -> None:
    assert cpsconv(*former) == cpsconv(*current)
    help = cpsconv(former[0], "--help").out
    assert not [word for word in former if word.startswith("--") and word not in current and word in help]


# ------------------------------------------------------------------------------------------------------ suggestions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["covnert", FIG8], "there is no command 'covnert'. did you mean `convert`?"),
        (["zzz"], "there is no command 'zzz'."),
        (["gcd.c"], "there is no command 'gcd.c'. To convert the file: cpsconv convert gcd.c"),
        (["convert", "--emit", "sheme", FIG8], "did you mean `scheme`?"),
        (["convert", "--strategy", "sc", FIG8], "did you mean `scc`?"),
        (["compare", "--strategy", "scc,cyton", FIG8], "did you mean `cytron`?"),
        (["convert", "--optimise", "no-arithmetics", FIG8], "did you mean `arithmetic`?"),
        (["run", "--engine", "pyton", FIG8], "did you mean `python`?"),
        (["graph", "--emit", "mermad", FIG8], "did you mean `mermaid`?"),
        (["convert", "--stratgy", "scc", FIG8], "--strategy"),
        (["run", "--entyr", "gcd", FIG8], "--entry"),
    ],
)
def test_a_mistyped_word_of_the_command_line_gets_a_suggestion(
    cpsconv: Run, arguments: list[str], message: str
) -> None:
    done = cpsconv(*arguments)
    assert (done.status, done.out) == (2, "")
    assert message in done.err.splitlines()[-1] + done.err.splitlines()[-2]


@pytest.mark.parametrize(
    ("command", "rest"),
    [
        ("run", ["1"]),
        ("step", []),
        ("check", []),
        ("convert", []),
        ("explain", []),
        ("graph", []),
        ("why", ["x"]),
        ("compare", []),
    ],
)
def test_an_unknown_function_gets_a_suggestion_or_the_list(cpsconv: Run, command: str, rest: list[str]) -> None:
    text = '#include <stdio.h>\nint first(int x) { return putchar(x) + puts(""); }\nint second(int x) { return x; }\n'
    Path("p.c").write_text(text)  # the list has no functions of the library
    message = "error: there is no function `{}`\nhelp: {}\n"
    assert cpsconv(command, "p.c:frist", *rest) == (1, "", message.format("frist", "did you mean `first`?"))
    assert cpsconv(command, "p.c:zzz", *rest) == (1, "", message.format("zzz", "the program has `first`, `second`"))
    if command in ("run", "step"):
        assert cpsconv(command, "p.c", "--entry", "frist", *rest) == cpsconv(command, "p.c:frist", *rest)
        assert cpsconv(command, "p.c", *rest).err == (
            "error: there is no function `main`\n"
            "help: the program has `first`, `second`; `--entry NAME` makes `run` start one of them\n"
        )


# ------------------------------------------------------------------------------------------------ FILE:FUNCTION etc.


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["convert", "p.c:f", "--emit", "ssa", "--ascii"], "int g(int x) {\n  return x + 1\n}\n\nint f"),
        (["convert", "--emit", "python", "p.c:f"], '"""Made by cpsconv. To run it: python3 FILE"""'),
        (["check", "p.c:g"], "p.c:g: ok, certified: 0 continuations, 0 parameters\n"),
        (["run", "p.c:g", "4"], "5\n"),
        (["eval", "--lang", "cps", "text.txt:k", "4"], "4\n"),
        (["fmt", "--lang", "cps", "text.txt"], "k(x : int, ret : int → ⊥) → ⊥ {\n"),
        (["check", "-O", "p.c:g", "--against", "p.c"], "g: the same on 500 inputs\n"),
        (["check", "-O", "p.c"], "p.c: ok: 1 continuation, 1 parameter\n"),
        (["check", "--strategy", "basic", "--no-minimal", "p.c"], "p.c: ok, certified: 1 continuation, 1 parameter\n"),
    ],
)
def test_a_function_a_language_and_the_construction_are_chosen_where_meaningful(
    cpsconv: Run, arguments: list[str], out: str
) -> None:
    Path("p.c").write_text("int h(void) { return 0; }\nint g(int x) { return x + 1; }\nint f(int x) { return g(x); }\n")
    Path("text.txt").write_text("k(x:int,ret:int->_|_)->_|_{ret(x)}")
    done = cpsconv(*arguments)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(out)


def test_a_function_is_named_once(cpsconv: Run) -> None:
    done = cpsconv("run", f"{GCD}:gcd", "--entry", "main", "1", "2")
    assert (done.status, done.out) == (2, "")
    assert "names the function to start" in done.err


# ------------------------------------------------------------------------------------------------------- completion


@pytest.fixture(scope="module")
def command_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command `cpsconv`."""
    path = tmp_path_factory.mktemp("bin") / "cpsconv"
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m cpsconv "$@"\n')
    path.chmod(0o755)
    return path.parent


BASH = """
compopt() { :; }
eval "$(cpsconv completion bash)"
complete() {
    COMPREPLY=(); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _cpsconv_completion cpsconv "${COMP_WORDS[COMP_CWORD]}"
    echo "${COMPREPLY[*]}"
}
"""
"""Completes words. (The script of click calls `compopt`, which is available only inside of a completion.)"""


@posix
@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes_commands_options_and_names(command_folder: Path) -> None:
    environment = {**os.environ, "PATH": f"{command_folder}{os.pathsep}{os.environ['PATH']}"}
    lines = ["cpsconv co", "cpsconv convert --strat", "cpsconv convert --emit o", "cpsconv run --color n"]
    script = BASH + "".join(f"complete {line}\n" for line in lines)
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, encoding="utf-8")
    completions = ["compare completion convert", "--strategy", "ocaml", "never"]
    assert (done.stdout.splitlines(), done.stderr) == (completions, "")


@posix
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_accepted_by_the_shell(cpsconv: Run, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = cpsconv("completion", shell).out
    assert "_CPSCONV_COMPLETE" in script
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_can_be_completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("_CPSCONV_COMPLETE", "fish_complete")
    monkeypatch.setenv("COMP_WORDS", "cpsconv ")
    monkeypatch.setenv("COMP_CWORD", "")
    assert main([]) == 0
    assert [line.split("\t")[0].split(",")[1] for line in capsys.readouterr().out.splitlines()] == [*COMMANDS]
