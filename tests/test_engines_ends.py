"""The ends of a run that the program does not choose: its process ends, its output is lost, it exceeds a limit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cpsconv.cli import streams
from cpsconv.cli.options import size
from cpsconv.cli.streams import program_errors
from cpsconv.engines import EngineName, prepare
from cpsconv.engines.python.runtime import SPARE_DEPTH
from cpsconv.entry import entry_of
from cpsconv.evaluator.limits import Limits
from cpsconv.source import STANDARD_ERROR
from tests.c_programs import random_program
from tests.conftest import Run
from tests.engines import ENGINE_NAMES, ENGINES_HERE, native, seen
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
        started.communicate(timeout=60)  # reads until no process has the pipe open
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
        started.communicate(b"", timeout=60)
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


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is a device of Linux")
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_lost_error_output_is_not_reported_as_lost_standard_output(
    engine: EngineName, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_of('main() → ⊥ { eprint("lost"); halt(0) }')
    run = prepare(program, entry_of(program), engine)
    with open("/dev/full", "w") as full, open(os.devnull, "wb") as other:
        monkeypatch.setattr(sys, "stderr", full)
        with pytest.raises(OSError) as caught:
            errors = program_errors()
            run([], output=other, errors=errors)
            errors.flush()
        monkeypatch.undo()
        assert caught.value.filename == STANDARD_ERROR
        streams.discard(full)


@native
@pytest.mark.parametrize("failing", ["_start", "_call"])
def test_a_process_that_cannot_run_the_program_is_not_reported_as_a_limit(
    failing: str, cpsconv: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    from cpsconv.engines.llvm import Compiled, child

    monkeypatch.setattr(*((child, "_start", fail) if failing == "_start" else (Compiled, "_call", fail)))
    Path("zero.c").write_text("int main(void) { return 0; }")
    assert cpsconv("run", "--engine", "llvm", "zero.c") == (
        1,
        "",
        "error: the engine llvm cannot run the program: RuntimeError: can't start new thread\n"
        "help: choose another engine\n",
    )


@native
def test_a_process_without_memory_exceeds_the_limit(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("cpsconv.engines.llvm.child._start", fail)
    Path("zero.c").write_text("int main(void) { return 0; }")
    assert cpsconv("run", "--engine", "llvm", "zero.c").err.startswith(
        "runtime error: the program takes more than 2 GiB of memory\n"
    )


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_closed_standard_output_is_an_error(engine: EngineName, tmp_path: Path) -> None:
    shell = ["sh", "-c", '"$@" >&-', "sh", *command(engine, "int main(void) { return 0; }", tmp_path)]
    ended = subprocess.run(shell, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (1, "error: standard output is closed\n")


# --------------------------------------------------------------------------------------------------------------- limits

_NESTED_IFS = "".join(f"if (n % {number + 2} < {number + 1}) {{ n++; " for number in range(100))

ENDLESS_RECURSIONS = {
    "one function": "int f(int n) { return 1 + 3 * f(n + 1) / 2; } int main(void) { return f(0); }",
    "an accumulation": "int f(int n) { return 1 + f(n + 1); } int main(void) { return f(0); }",
    "without a result": "void f(int n) { f(n + 1); f(n - 1); } int main(void) { f(0); return 0; }",
    "two functions": "int g(int n); int f(int n) { return 1 + g(n); } int g(int n) { return n ? 2 * f(n + 1) : 0; }"
    " int main(void) { return f(1); }",
    "a tail call of C": "int f(int n) { return f(n + 1); } int main(void) { return f(0); }",
    "two tail calls of C": "int f(int n) { if (n % 2) return f(n + 1); return f(n + 3); }"
    " int main(void) { return f(0); }",
    "tail calls of C in deeply nested statements": f"int f(int n) {{ {_NESTED_IFS} return f(n + 1); {'}' * 100}"
    " return f(n + 2); } int main(void) { return f(0); }",
    "many values": "double f(double a, long b, int c) { double e = a * c, g = b * a, h = c + 1.5;"
    " double r = f(a + 1, b + 1, c + 1); return r * e + g - h * a / b; } int main(void) { return f(0, 1, 2) > 1; }",
}


@native
def test_machine_and_native_code_count_pending_calls_alike() -> None:
    ends = []
    for number in range(400, 406):
        program = program_of(random_program(number))
        for depth in (0, 1):
            ends.append(seen(program, [], "machine", limits=Limits(depth)))
            assert seen(program, [], "llvm", limits=Limits(depth)) == ends[-1]
    assert any(end.startswith("DepthLimit") for _, _, end in ends)


MEMORY_HELP = "help: --max-memory sets the limit\n"


@pytest.mark.parametrize("text", ENDLESS_RECURSIONS.values(), ids=ENDLESS_RECURSIONS)
def test_endless_recursion_ends_in_the_same_way_under_every_engine(text: str) -> None:
    ends = {engine: seen(program_of(text), [], engine, limits=Limits(5_000)) for engine in ENGINE_NAMES}
    assert len({*ends.values()}) == 1, ends
    assert "runtime error: more than 5000 calls are pending" in ends["machine"][2]


def test_the_error_of_endless_recursion_shows_the_first_call_of_the_recursion() -> None:
    text = "int g(int n);\nint f(int n) {\n  return 1 + g(n);\n}\nint g(int n) { return 2 * f(n); }\n"
    text += "int main(void) { return f(1); }"
    _, _, end = seen(program_of(text), [], "machine", limits=Limits(5_000))
    assert end == (
        "DepthLimit: program.c:3:14: runtime error: more than 5000 calls are pending\n"
        "    3 |   return 1 + g(n);\n"
        "      |              ^^^^\n"
        "help: is the recursion endless? `max_depth` sets the limit ()"
    )


DEEP = """#include <stdio.h>
int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }
int main(void) { printf("%d\\n", f(1000)); return 0; }
"""


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_the_limit_of_pending_calls_is_exact_except_for_a_few_in_python(engine: EngineName) -> None:
    spare = SPARE_DEPTH if engine == "python" else 0
    assert seen(program_of(DEEP), [], engine, limits=Limits(1001))[0] == b"1000\n"
    output, _, end = seen(program_of(DEEP), [], engine, limits=Limits(1000 - spare))
    assert output == b"" and end.startswith("DepthLimit")


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_the_memory_of_a_run_is_limited(engine: EngineName, tmp_path: Path) -> None:
    limits = "-q", "--max-depth", "1000000000", "--max-memory", "64M"
    ended = subprocess.run(
        command(engine, ENDLESS_RECURSIONS["many values"], tmp_path, *limits),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.stderr == f"runtime error: the program takes more than 64 MiB of memory\n{MEMORY_HELP}"
    assert (ended.returncode, ended.stdout) == (3, "")


def test_the_memory_of_closures_is_limited(tmp_path: Path) -> None:
    text = """main(ret : int → ⊥) → ⊥ {
  let
    loop := (i : int, rest : () → ⊥) → ⊥
      let
        more := () → ⊥
          rest()
      in
      loop(i + 1, more)
    end := () → ⊥
      ret(0)
  in
  loop(0, end)
}
"""
    (tmp_path / "closures.cps").write_text(text)
    words = [sys.executable, "-m", "cpsconv", "eval", str(tmp_path / "closures.cps"), "--max-memory", "50000000"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert ended.stderr == f"runtime error: the program takes more than 50000000 bytes of memory\n{MEMORY_HELP}"


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_the_command_line_sets_the_limits(engine: EngineName, cpsconv: Run) -> None:
    Path("deep.c").write_text(DEEP)
    run = ["run", "deep.c", "--engine", engine]
    assert cpsconv(*run, "--max-depth", "2000", "--max-memory", "300M") == (0, "1000\n", "")
    status, out, err = cpsconv(*run, "--max-depth", "900")
    assert (status, out) == (3, "") and "more than 900 calls are pending" in err
    assert cpsconv(*run, "--max-memory", "64X").status == 2


@pytest.mark.parametrize(("size", "text"), [(1, "1 byte"), (1023, "1023 bytes"), (3 << 20, "3 MiB"), (0, "0 bytes")])
def test_the_error_of_exhausted_memory_has_the_largest_unit(size: int, text: str) -> None:
    assert (
        str(Limits(max_memory=size).memory_error().diagnostic.message)
        == f"the program takes more than {text} of memory"
    )


@pytest.mark.parametrize(("text", "bytes"), [("1", 1), ("10k", 10240), ("2G", 2 << 30), ("3MiB", 3 << 20)])
def test_a_size_has_a_unit(text: str, bytes: int) -> None:
    assert size(text) == bytes


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5G", "G", "2 G", "1" * 30, "²"])
def test_a_size_is_a_positive_number(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a size"):
        size(text)
