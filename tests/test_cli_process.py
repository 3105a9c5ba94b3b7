"""The command line in a separate process: pipes, signals, locales, terminals."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cpsconv.cli import main

ROOT = Path(__file__).parent.parent
FIG8 = "examples/fig8.c"
COMMAND = [sys.executable, "-m", "cpsconv"]
ENDLESS = '#include <stdio.h>\nint main(void) { for (;;) puts("on and on"); }\n'
BUSY = '#include <stdio.h>\nint main(void) { puts("started"); for (;;) ; }\n'

posix = pytest.mark.skipif(os.name != "posix", reason="about POSIX pipes, signals and terminals")


@contextmanager
def start(*arguments: str, **more: object) -> Iterator[Any]:
    """A process that receives interrupts even if the tests ignore them, and that is killed at the end."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT}
    listening = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)} if os.name == "posix" else {}
    with subprocess.Popen([*COMMAND, *arguments], **{**pipes, **listening, **more}) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def pipe_without_reader() -> Iterator[int]:
    """The file descriptor of a pipe whose reader has closed it."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


@contextmanager
def open_terminal() -> Iterator[tuple[int, int]]:
    """The file descriptors of a new terminal: its other end, and the terminal."""
    leader, terminal = os.openpty()
    try:
        yield leader, terminal
    finally:
        os.close(terminal)
        os.close(leader)


def written(folder: Path, program: str) -> str:
    """The name of a new file with the program."""
    path = folder / "program.c"
    path.write_text(program)
    return str(path)


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
def test_a_reader_that_closes_the_pipe_is_no_error(tmp_path: Path) -> None:
    program = written(tmp_path, ENDLESS)
    with start("run", program) as process:
        assert process.stdout.readline() == b"on and on\n"
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""


@posix
@pytest.mark.parametrize("option", ["--trace", "--trace=json"])
def test_a_trace_is_written_during_the_run_and_its_reader_may_close_the_pipe(tmp_path: Path, option: str) -> None:
    program = written(tmp_path, "int main(void) { for (;;) ; }")
    with start("run", option, program) as process:
        process.stderr.readline()
        process.stderr.close()
        assert process.wait(timeout=60) == 141
        assert process.stdout.read() == b""


@posix
def test_an_endless_walk_can_be_interrupted(tmp_path: Path) -> None:
    program = written(tmp_path, BUSY)
    with start("step", program) as process:
        process.stdin.write(b"r\n")
        process.stdin.flush()
        while process.stdout.readline() != b"> r\n":
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")


@posix
def test_a_walk_in_a_terminal_echoes_no_command_and_ends_with_the_input() -> None:
    with open_terminal() as (leader, terminal), start("step", FIG8, "0", stdin=terminal) as process:
        os.write(leader, b"n\n\x04")
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert b"next(a = 23)" in out
    assert b"> n" not in out


@posix
@pytest.mark.parametrize(
    "arguments", [("convert", FIG8), ("check", FIG8), ("run", FIG8, "1"), ("step", FIG8, "0"), ("--help",)]
)
def test_a_pipe_without_a_reader(arguments: tuple[str, ...]) -> None:
    with pipe_without_reader() as writer:
        assert run(*arguments, stdout=writer) == (141, None, b"")


@posix
def test_the_output_file_may_be_a_pipe() -> None:
    status, out, err = run("convert", FIG8, "--ascii", "-o", "/dev/stdout")
    assert (status, err) == (0, b"")
    assert out.startswith(b"f(x : int, ret : int -> _|_) -> _|_ {\n")


@posix
def test_a_file_name_that_is_not_utf8() -> None:
    assert run("check", os.fsdecode(b"\xff.c")) == (1, b"", b"error: \\udcff.c: there is no such file\n")


@posix
def test_diagnostics_without_a_reader() -> None:
    with pipe_without_reader() as writer:
        assert run("check", "no.c", stderr=writer) == (141, b"", None)


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="takes /dev/full")
def test_a_full_disk_is_diagnosed() -> None:
    with open("/dev/full", "wb") as full:
        status, _, err = run("convert", FIG8, stdout=full)
    assert (status, err) == (1, b"error: standard output cannot be written: No space left on device\n")


class FullOnce(io.StringIO):
    """A stream whose first output is refused."""

    is_full = True

    def write(self, text: str) -> int:
        """Raises `OSError` when first called."""
        if self.is_full:
            self.is_full = False
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(text)


@pytest.mark.parametrize("engine", ["machine", "python"])
def test_a_message_that_a_program_cannot_write_is_an_error_of_standard_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, engine: str
) -> None:
    program = tmp_path / "program.cps"
    program.write_text('f(ret : () → ⊥) → ⊥ { eprint("no"); abort() }', encoding="utf-8")
    monkeypatch.setattr(sys, "stderr", stream := FullOnce())
    assert main(["run", "--engine", engine, str(program)]) == 1
    assert stream.getvalue() == "error: standard error cannot be written: No space left on device\n"


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="takes /dev/full")
@pytest.mark.parametrize("arguments", [["check", "no.c"], ["run", "--trace", FIG8, "0"], ["nonsense"]])
def test_main_returns_a_status_even_if_standard_error_is_full(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    with open("/dev/full", "w", buffering=1) as full:
        monkeypatch.setattr(sys, "stderr", full)
        assert main(arguments) == (2 if arguments == ["nonsense"] else 1)


@posix
@pytest.mark.parametrize(
    ("closed", "arguments", "end"),
    [
        (">&-", ["convert", FIG8], (1, b"", b"error: standard output is closed\n")),
        ("<&-", ["eval", "-"], (1, b"", b"error: <stdin>: cannot be read: it is closed\n")),
        (
            "<&-",
            ["step", FIG8, "0"],
            (1, None, b"error: standard input is closed: `step` reads its commands from there\n"),
        ),
        ("2>&-", ["check", "no.c"], (1, b"", b"")),
    ],
)
def test_closed_standard_streams_are_diagnosed(
    closed: str, arguments: list[str], end: tuple[int, bytes | None, bytes]
) -> None:
    shell = ["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, *arguments]
    done = subprocess.run(shell, cwd=ROOT, capture_output=True)
    assert (done.returncode, end[1] if end[1] is None else done.stdout, done.stderr) == end


@posix
def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    program = written(tmp_path, BUSY)
    with start("run", "--trace", program) as process:
        assert process.stdout.readline() == b"started\n"  # the trace has passed it on, and is being written
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_output_is_utf8_in_every_locale(encoding: str) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    status, out, err = run("convert", FIG8, env=environment)
    assert (status, err) == (0, b"")
    assert out and "f(x : int, ret : int → ⊥) → ⊥ {".encode() in out


@posix
def test_each_line_is_written_to_a_terminal_immediately(tmp_path: Path) -> None:
    program = written(tmp_path, BUSY)
    with open_terminal() as (leader, terminal), start("run", program, stdout=terminal) as process:
        assert os.read(leader, 1000) == b"started\r\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
