"""The ends of a run that the program does not choose: its process ends, its output is lost, it exceeds a limit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cpsconv.engines import EngineName, prepare
from cpsconv.entry import entry_of
from tests.engines import ENGINES_HERE, native
from tests.running import program_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes and devices of POSIX")

ENDLESS = """#include <stdio.h>
int main(void) {
    int n = 0;
    for (int i = 0; i < 70000; i++) putchar('x');
    for (;;) n++;
    return n;
}
"""


def command(engine: EngineName, text: str, folder: Path, *options: str) -> list[str]:
    """The command that runs the program."""
    path = folder / "program.c"
    path.write_text(text)
    return [sys.executable, "-m", "cpsconv", "run", str(path), "--engine", engine, *options]


# -------------------------------------------------------------------------------------------------- nothing left behind


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_signal_that_ends_a_run_leaves_no_process_with_its_output_open(
    engine: EngineName, number: signal.Signals, tmp_path: Path
) -> None:
    with subprocess.Popen(command(engine, ENDLESS, tmp_path), stdout=subprocess.PIPE) as started:
        assert started.stdout
        started.stdout.read(1)
        started.send_signal(number)
        started.communicate(timeout=20)  # reads until no process has the pipe open
    assert started.returncode == (130 if number == signal.SIGINT else -number)


@native
def test_a_run_in_a_thread_leaves_no_process_when_its_process_ends(tmp_path: Path) -> None:
    script = f"""import sys, threading, os
from cpsconv import Source, convert
from cpsconv.engines import prepare
program = convert(Source("program.c", {ENDLESS!r}))
run = prepare(program, program.functions[0], "llvm")
out, err = sys.stdout.buffer, sys.stderr.buffer
for _ in range(2):
    threading.Thread(target=lambda: run([], output=out, errors=err), daemon=True).start()
sys.stdin.read()
os._exit(9)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdout
        started.stdout.read(1)
        started.communicate(b"", timeout=20)
    assert started.returncode == 9


# ---------------------------------------------------------------------------------------------------------- lost output

PRINTING = {
    "a line": 'printf("one\\n");',
    "a line before exit": 'printf("one\\n"); exit(4);',
    "a line before abort": 'printf("one\\n"); abort();',
    "a line before a runtime error": 'int n = 0; printf("one\\n"); n = 1 / n;',
    "more than a buffer": 'for (int i = 0; i < 20000; i++) puts("line");',
    "without end": 'for (;;) puts("line");',
}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is a device of Linux")
@pytest.mark.parametrize("statements", PRINTING.values(), ids=PRINTING)
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_lost_output_is_an_error_however_the_program_ends(engine: EngineName, statements: str, tmp_path: Path) -> None:
    text = f"#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {statements} return 0; }}\n"
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            command(engine, text, tmp_path), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert ended.stderr == "error: standard output cannot be written: No space left on device\n"
    assert ended.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is a device of Linux")
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_lost_error_output_is_an_error_and_a_program_without_output_loses_none(engine: EngineName) -> None:
    with open("/dev/full", "wb", buffering=0) as full, open(os.devnull, "wb") as other:
        for text, fails in (('main() → ⊥ { eprint("lost"); halt(0) }', True), ("main() → ⊥ { halt(0) }", False)):
            program = program_of(text)
            run = prepare(program, entry_of(program), engine)
            if fails:
                with pytest.raises(OSError, match="No space left"):
                    run([], output=other, errors=full)
            else:
                run([], output=full, errors=full)


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_closed_standard_output_is_an_error(engine: EngineName, tmp_path: Path) -> None:
    shell = ["sh", "-c", '"$@" >&-', "sh", *command(engine, "int main(void) { return 0; }", tmp_path)]
    ended = subprocess.run(shell, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (1, "error: standard output is closed\n")
