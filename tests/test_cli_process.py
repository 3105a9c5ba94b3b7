"""The command line as a process of its own: pipes, signals, locales, terminals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FIG8 = "examples/fig8.c"
COMMAND = [sys.executable, "-m", "cpsconv"]
ENDLESS = '#include <stdio.h>\nint main(void) { for (;;) puts("on and on"); }\n'
BUSY = '#include <stdio.h>\nint main(void) { puts("started"); for (;;) ; }\n'

posix = pytest.mark.skipif(os.name != "posix", reason="about POSIX pipes, signals and terminals")


@contextmanager
def start(*arguments: str, **more: object) -> Iterator[subprocess.Popen[bytes]]:
    """A process that can be interrupted, whoever started the tests. If something goes wrong it does not go on."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    listening = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)} if os.name == "posix" else {}
    with subprocess.Popen([*COMMAND, *arguments], **{**pipes, **listening, **more}) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


def run(*arguments: str, stdin: bytes | None = b"", **more: object) -> tuple[int, bytes | None, bytes | None]:
    with start(*arguments, **more) as process:
        out, err = process.communicate(stdin, timeout=60)
        return process.returncode, out, err


def test_the_module_runs_as_a_command() -> None:
    assert run("run", FIG8, "0") == (0, b"23\n", b"")


def test_a_program_is_piped_from_convert_to_eval() -> None:
    status, text, _ = run("convert", "--lang", "c", "-", stdin=(ROOT / FIG8).read_bytes())
    assert status == 0
    assert run("eval", "-", "7", stdin=text) == (0, b"42\n", b"")


@posix
def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    program = tmp_path / "endless.c"
    program.write_text(ENDLESS)
    with start("run", str(program)) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"on and on\n"
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""


@posix
@pytest.mark.parametrize("option", ["--trace", "--trace=json"])
def test_a_trace_is_written_as_the_program_runs_and_its_reader_may_go_away(tmp_path: Path, option: str) -> None:
    program = tmp_path / "busy.c"
    program.write_text("int main(void) { for (;;) ; }")
    with start("run", option, str(program)) as process:
        assert process.stderr
        assert process.stdout
        process.stderr.readline()
        process.stderr.close()
        assert process.wait(timeout=60) == 141
        assert process.stdout.read() == b""


@posix
def test_a_walk_is_interrupted_while_it_goes_on_and_on(tmp_path: Path) -> None:
    program = tmp_path / "busy.c"
    program.write_text(BUSY)
    with start("step", str(program)) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"r\n")
        process.stdin.flush()
        while process.stdout.readline() != b"> r\n":
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")


@posix
def test_a_walk_nobody_looks_at_or_gives_commands_for() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert run("step", FIG8, "0", stdout=writer) == (141, None, b"")
    finally:
        os.close(writer)
    shell = '"$@" <&-'
    done = subprocess.run(["sh", "-c", shell, "sh", *COMMAND, "step", FIG8, "0"], cwd=ROOT, capture_output=True)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: standard input is closed")


@posix
def test_a_walk_in_a_terminal_repeats_no_command_and_ends_with_the_input() -> None:
    leader, terminal = os.openpty()
    try:
        with start("step", FIG8, "0", stdin=terminal) as process:
            os.write(leader, b"n\n\x04")
            out, err = process.communicate(timeout=60)
    finally:
        os.close(terminal)
        os.close(leader)
    assert (process.returncode, err) == (0, b"")
    assert b"next(a = 23)" in out
    assert b"> n" not in out


@posix
@pytest.mark.parametrize("arguments", [("convert", FIG8), ("check", FIG8), ("run", FIG8, "1"), ("--help",)])
def test_a_pipe_that_nobody_reads(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert run(*arguments, stdout=writer) == (141, None, b"")
    finally:
        os.close(writer)


@posix
def test_the_output_file_may_be_a_pipe() -> None:
    status, out, err = run("convert", FIG8, "--ascii", "-o", "/dev/stdout")
    assert (status, err) == (0, b"")
    assert out.startswith(b"f(x : int, ret : int -> _|_) -> _|_ {\n")


@posix
def test_a_file_name_that_is_no_text() -> None:
    assert run("check", os.fsdecode(b"\xff.c")) == (1, b"", b"error: \\udcff.c: there is no such file\n")


@posix
def test_complaints_that_nobody_reads() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert run("check", "no.c", stderr=writer) == (141, b"", None)
    finally:
        os.close(writer)


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="takes /dev/full")
def test_a_full_disk_is_diagnosed() -> None:
    with open("/dev/full", "wb") as full:
        status, _, err = run("convert", FIG8, stdout=full)
    assert (status, err) == (1, b"error: standard output cannot be written: No space left on device\n")


@posix
def test_closed_standard_streams_are_diagnosed() -> None:
    shell = '"$@" >&-'
    done = subprocess.run(["sh", "-c", shell, "sh", *COMMAND, "convert", FIG8], cwd=ROOT, capture_output=True)
    assert (done.returncode, done.stderr) == (1, b"error: standard output is closed\n")
    shell = '"$@" <&-'
    done = subprocess.run(["sh", "-c", shell, "sh", *COMMAND, "eval", "-"], cwd=ROOT, capture_output=True)
    assert (done.returncode, done.stderr) == (1, b"error: <stdin>: cannot be read: it is closed\n")
    shell = '"$@" 2>&-'
    done = subprocess.run(["sh", "-c", shell, "sh", *COMMAND, "check", "no.c"], cwd=ROOT, capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")


@posix
def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    program = tmp_path / "busy.c"
    program.write_text(BUSY)
    with start("run", "--trace", str(program)) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"started\n"  # the trace has passed it on, and is being written
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_output_is_utf8_whatever_the_locale(encoding: str) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    status, out, err = run("convert", FIG8, env=environment)
    assert (status, err) == (0, b"")
    assert out and "f(x : int, ret : int → ⊥) → ⊥ {".encode() in out


@posix
@pytest.mark.parametrize(("no_color", "colored"), [("", True), ("1", False)])
def test_colour_is_for_terminals_and_never_under_no_color(no_color: str, colored: bool) -> None:
    leader, terminal = os.openpty()
    environment = {**os.environ, "NO_COLOR": no_color}
    try:
        assert run("check", "no.c", stderr=terminal, env=environment) == (1, b"", None)
        shown = os.read(leader, 1000)
    finally:
        os.close(terminal)
        os.close(leader)
    assert shown.endswith(b"no.c: there is no such file\r\n")
    assert (b"\x1b[" in shown) is colored


@posix
def test_a_terminal_sees_each_line_at_once(tmp_path: Path) -> None:
    program = tmp_path / "busy.c"
    program.write_text(BUSY)
    leader, terminal = os.openpty()
    try:
        with start("run", str(program), stdout=terminal) as process:
            assert os.read(leader, 1000) == b"started\r\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 130
    finally:
        os.close(terminal)
        os.close(leader)
