"""The ends of a run that the program does not choose: its process ends, its output is lost, it exceeds a limit."""

from __future__ import annotations

import copyreg
import functools
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import pytest

from cpsconv.abi.runtime.command_line import with_command_line
from cpsconv.cli import streams
from cpsconv.cli.options import size
from cpsconv.cli.streams import program_errors
from cpsconv.core.entry import entry_of
from cpsconv.core.operations.runtime_errors import MemoryLimit, OutputLimit, TimeLimit
from cpsconv.core.source import STANDARD_ERROR
from cpsconv.engines import EngineName, engine_for, prepare
from cpsconv.engines.machine.limits import Limits
from cpsconv.engines.processes import within_time
from cpsconv.engines.python.runtime import SPARE_DEPTH
from testing.c_programs import random_program
from testing.effort import each_in_turn, sample
from testing.engines import (
    COMPILERS,
    ENGINE_NAMES,
    ENGINES_HERE,
    Seen,
    alike,
    in_turn,
    native,
    observed,
    prepared_each,
    seen,
    seen_each,
)
from testing.running import program_of
from tests.conftest import Run

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


@each_in_turn(
    number=[signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT],
    engine=ENGINE_NAMES,
    options=[(), ("--timeout", "100")],
)
def test_a_signal_that_ends_a_run_leaves_no_process_with_its_output_open(
    engine: EngineName, number: signal.Signals, options: Sequence[str], tmp_path: Path
) -> None:
    with subprocess.Popen(command(engine, ENDLESS, tmp_path, *options), stdout=subprocess.PIPE) as started:
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
@each_in_turn(end=[*PRINTING], engine=ENGINE_NAMES)
def test_lost_output_is_an_error_however_the_program_ends(end: str, engine: EngineName, tmp_path: Path) -> None:
    """Each end with one engine, each engine with several: the same code writes the output of all engines."""
    text = f"#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {PRINTING[end]} return 0; }}\n"
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


def _ended_by(number: int) -> Callable[..., None]:
    return lambda *_: os.kill(os.getpid(), number)


@native
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGILL, signal.SIGFPE, signal.SIGABRT, signal.SIGTRAP])
def test_a_crash_of_native_code_is_an_internal_error(
    number: signal.Signals, cpsconv: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cpsconv.engines.llvm.Compiled._call", _ended_by(number))
    Path("zero.c").write_text("int main(void) { return 0; }")
    assert cpsconv("run", "--engine", "llvm", "zero.c") == (
        70,
        "",
        f"error: internal error: NativeCrash: {number.name} ended the native code\n"
        "help: CPSCONV_DEBUG=1 prints the traceback; please report it\n",
    )


@native
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGRTMIN + 1])
def test_a_signal_from_outside_is_no_internal_error(number: int, cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsconv.engines.llvm.Compiled._call", _ended_by(number))
    Path("zero.c").write_text("int main(void) { return 0; }")
    status, _, err = cpsconv("run", "--engine", "llvm", "zero.c")
    assert status == 1
    assert re.match(r"error: the engine llvm cannot run the program: [\w ]+ ended the native code\n", err)


@native
def test_a_wrong_access_by_native_code_is_an_internal_error(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from cpsconv.engines.llvm import helpers

    wrong = helpers.TYPED["load_in"].replace("load $M, ptr %at", "load volatile $M, ptr inttoptr (i64 8 to ptr)")
    monkeypatch.setitem(helpers.TYPED, "load_in", wrong)
    Path("load.c").write_text("int a[3]; int main(int argc, char **argv) { return a[argc]; }")
    status, _, err = cpsconv("run", "--engine", "llvm", "load.c")
    assert (status, err.split("\n")[0]) == (70, "error: internal error: NativeCrash: SIGSEGV ended the native code")


@native
@pytest.mark.parametrize("number", ["SIGSEGV", "SIGABRT", "SIGKILL", "SIGTERM"])
def test_a_signal_that_the_program_raises_is_no_crash(number: str) -> None:
    program = program_of(f"#include <signal.h>\nint main(void) {{ raise({number}); return 0; }}")
    assert seen(program, [], "llvm") == seen(program, [], "machine") == (b"", b"", "Aborted()")


@native
def test_a_frame_larger_than_the_guard_of_the_stack_does_not_leave_the_stack() -> None:
    saved = "".join(f"if (k == {number}) setjmp(b);\n" for number in range(500))
    text = f"""#include <setjmp.h>
int volatile k = -1;
static jmp_buf b;
long f(long n) {{ {saved} if (n == 0) return 0; return 1 + f(n - 1); }}
int main(void) {{ return f(1000); }}
"""
    program = program_of(text)
    run = prepare(program, entry_of(program), "llvm")
    for most in range(1 << 25, 1 << 25 | 1 << 17, 20_000):  # the last frame begins at different distances from the end
        with open(os.devnull, "wb") as output, pytest.raises(MemoryLimit):
            run([], output=output, errors=output, limits=Limits(max_memory=most))


def test_a_closed_standard_output_is_an_error(tmp_path: Path) -> None:
    shell = ["sh", "-c", '"$@" >&-', "sh", *command("machine", "int main(void) { return 0; }", tmp_path)]
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
    "calls beside the recursion": "int k(int n) { return n + 1; } int g(int n) { return k(n) * 2 + k(n); }"
    " int f(int n) { return g(n) + f(n + 1) + g(n); } int main(void) { return f(0); }",
    "a handler of a signal": "#include <signal.h>\nvoid h(int n) { signal(n, h); raise(n); }"
    " int main(void) { signal(SIGUSR1, h); raise(SIGUSR1); return 0; }",
    "a handler of abort": "#include <signal.h>\n#include <stdlib.h>\nvoid h(int n) { signal(n, h); abort(); }"
    " int main(void) { signal(SIGABRT, h); abort(); }",
    "a comparison that sorts": "#include <stdlib.h>\nint a[9]; int c(const void *p, const void *q) { qsort(a, 9, 4, c);"
    " return p < q; } int main(void) { return c(a, a); }",
    "many values": "double f(double a, long b, int c) { double e = a * c, g = b * a, h = c + 1.5;"
    " double r = f(a + 1, b + 1, c + 1); return r * e + g - h * a / b; } int main(void) { return f(0, 1, 2) > 1; }",
    "pointers": "int g(int); int h(int); int (*volatile table[2])(int) = {g, h};"
    " int g(int n) { return 1 + table[n % 2](n + 1); } int h(int n) { return 2 * table[(n + 1) % 2](n + 1); }"
    " int main(void) { return h(0); }",
}


@native
def test_machine_and_native_code_count_pending_calls_alike() -> None:
    for depth, first in ((1, 400), (2, 403)):
        programs = [program_of(random_program(number)) for number in range(first, first + 3)]
        ends = [end for *_, end in alike(programs, ["machine", "llvm"], Limits(depth))]
        assert any(end.startswith("DepthLimit") for end in ends)


MEMORY_HELP = "help: --max-memory sets the limit\n"


def test_endless_recursion_ends_in_the_same_way_under_every_engine() -> None:
    ends = alike([program_of(text) for text in ENDLESS_RECURSIONS.values()], limits=Limits(5_000))
    assert all("runtime error: more than 5000 calls are pending" in end for *_, end in ends)


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


def test_python_counts_tail_calls_between_functions() -> None:
    text = (
        "f(ret : () → ⊥) → ⊥ {\n  g(ret)\n}\ng(ret : () → ⊥) → ⊥ {\n  f(ret)\n}\nmain(ret : () → ⊥) → ⊥ {\n  g(ret)\n}"
    )
    _, _, end = seen(program_of(text), [], "python", limits=Limits(5_000))
    assert "runtime error: more than 5000 calls are pending" in end


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


MANY_OUTPUTS = """#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char line[20];
    putchar('a'); puts("bc"); fprintf(stderr, "%s\\n", "error"); printf("%s|%c|%5d\\n", "x", 0, argc);
    sprintf(line, "%s%d", "y", argc); fputs(line, stdout); fflush(stdout); write(2, line, 2); printf("end\\n");
    return 5;
}
"""


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_exactly_the_output_before_the_limit_is_written(engine: EngineName) -> None:
    program = with_command_line(program_of(MANY_OUTPUTS))
    run = prepare(program, entry_of(program), engine)
    streams: dict[int, tuple[bytes, bytes]] = {}
    for limit in sorted({*sample(range(29), 9), 7, 22, 25, 28}):
        output, errors = io.BytesIO(), io.BytesIO()
        try:
            run([], output=output, errors=errors, limits=Limits(max_output=limit))
        except OutputLimit as fault:
            assert str(fault).startswith(f"runtime error: the program writes more than {limit} byte")
        streams[limit] = output.getvalue(), errors.getvalue()
    assert streams[28] == (b"abc\nx|\0|    1\ny1end\n", b"error\ny1")
    assert [len(output) + len(errors) for output, errors in streams.values()] == [*streams]
    assert (streams[7], streams[22], streams[25]) == (
        (b"abc\n", b"err"),
        (b"abc\nx|\0|    1\ny1", b"error\n"),
        (b"abc\nx|\0|    1\ny1e", b"error\ny1"),
    )


ENDLESS_OUTPUTS = {
    "characters": "for (;;) putchar('x');",
    "lines": 'for (;;) puts("line");',
    "a wide number": 'for (;;) printf("%*d", 20000000, 1);',
    "a wide number in a stream": 'fprintf(stderr, "%*d", 2000000000, 1);',
    "a wide number for a descriptor": 'dprintf(1, "%.*f", 2000000000, 1.5);',
    "a wide number by the library": 'printf("%1$*2$d", 1, 2000000000);',
    "errors": 'for (;;) fputs("error", stderr);',
    "a file for both": 'for (;;) { fprintf(stderr, "%d", 1); printf("%s", "text"); }',
    "system calls": 'for (;;) write(1, "abcdefghi", 9);',
    "a handler of a signal": "signal(SIGPROF, again); for (;;) raise(SIGPROF);",
    "jumps": "if (setjmp(place) < 10000000) puts(text); longjmp(place, 1);",
}


WIDE_VALUES = [
    '"ab%*d", n, 15',
    '"ab%.*f", n, 1.5',
    '"ab%-*.*Le|", n, n, 1e-4000L',
    '"ab%*.*d", n, n - 900, 15',
    '"ab%*.*d", n - 900, n, 15',
    '"ab%0*.500f|", n, 1e-40',
    '"ab%*.*g|", n, n, 1.5',
    '"ab%-*.*f|", -n, -n, 1.5',
    '"%*d %*d %s|%.*f", 50, 7, -20, 9, "x", 3000, 0.1',
    '"ab%2000000000d", 15',
    '"ab%.2000000000f", 1.5',
    '"ab%%2000000000d%-2000000000.3d|", 15',
    '"ab%*.2000000000f|", n, 1.5',
    '"ab%+02000000000.*Le|", n, 1.5L',
    '"ab%2000000000s|", "x"',
    '"ab%-2000000000s|%*c", text, n, 65',
    '"ab%-*.*s|", n, n, text',
    '"ab%*.*s|", -n, 600, long_text',
    '"%*.2000000000s|", 39990, long_text',
    '"%2000000000.*s%-40000s|%*s", 39999, long_text, "y", n, text',
    '"%*s%*.3s%-*s|%*s", 9, text, 0, long_text, 7, "xy", n, text',
]
"""Arguments of `printf`."""


OUTPUTS = {
    **{
        f"{'fill(); ' if 'text' in arguments else ''}n = 2000000000; printf({arguments});": 1000
        for arguments in sample(WIDE_VALUES, 2)
    },
    **dict.fromkeys(ENDLESS_OUTPUTS.values(), 1001),
}
"""Statements with more output than a limit, and the limit."""


@functools.cache
def outputs(engine: EngineName) -> dict[str, Seen]:
    """The observable behaviour of `OUTPUTS`, in one program: of each third one in Python, which has no jumps.

    The engine `python` writes a value by the same functions as the machine.
    """
    before = """#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int n; char text[] = "text", long_text[40000]; jmp_buf place; void again(int number) { puts(text); }
static void fill(void) {
    strcpy(long_text, "abcdefghijklmnopqrstuvwxyz");
    for (int n = 26; n < 39999; n *= 2) memcpy(long_text + n, long_text, n < 39999 - n ? n : 39999 - n);
}"""
    cases = in_turn([case for case in OUTPUTS if "jmp" not in case], engine) if engine == "python" else [*OUTPUTS]
    run = prepared_each(cases, before, engine)
    return {case: observed(run, [number], Limits(max_output=OUTPUTS[case])) for number, case in enumerate(cases, 1)}


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_endless_output_ends(engine: EngineName) -> None:
    for case, (output, errors, end) in outputs(engine).items():
        assert len(output) + len(errors) == OUTPUTS[case] and end.startswith("OutputLimit"), case


@pytest.mark.parametrize("engine", COMPILERS)
def test_a_wide_value_is_written_up_to_the_limit_of_output(engine: EngineName) -> None:
    by_machine = outputs("machine")
    for case, found in outputs(engine).items():
        assert OUTPUTS[case] > 1000 or found == by_machine[case], case


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_text_that_ends_before_a_width_of_no_int_is_within_the_limit_of_output(engine: EngineName) -> None:
    program = program_of('int printf(const char *, ...); int main(void) { return printf("ab%2147483648dc", 1) == -1; }')
    output, _, end = seen(program, [], engine_for(program, engine), limits=Limits(max_output=9))
    assert output == b"ab" and end.startswith("Returned(value=1,")


@native
def test_a_number_that_the_c_library_cannot_print_for_want_of_memory_exceeds_the_limit() -> None:
    program = program_of('int printf(const char *, ...); int main(void) { return printf("%.2000000000f", 1.5) > 0; }')
    output, _, end = seen(program, [], "llvm", limits=Limits(max_memory=100 << 20))
    assert output == b"" and end.startswith("MemoryLimit")


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_output_to_files_is_limited_with_that_to_the_streams(engine: EngineName, cpsconv: Run) -> None:
    Path("file.c").write_text(
        '#include <stdio.h>\nint main(void) { puts("begin"); FILE *file = fopen("file.txt", "w");\n'
        'setbuf(file, 0); for (;;) fputs("line\\n", file); }'
    )
    ended = cpsconv("run", "file.c", "--engine", engine, "--allow-files", "--max-output", "1k")
    assert ended.status == 3 and "the program writes more than 1 KiB\nhelp: --max-output sets" in ended.err
    assert Path("file.txt").read_text() == ("line\n" * 1024)[: 1024 - len("begin\n")]


LARGE_DATA = {
    "zeros": "static char z[500000000]; int main(void) { return z[7]; }",
    "many objects": "".join(f"double d{n}[1000000];" for n in range(10)) + "int main(void) { return d7[7] + d3[1]; }",
    "structs": "struct s { int a; char b[9999]; } z[50000]; int main(void) { return z[7].a; }",
}


@pytest.mark.parametrize("text", LARGE_DATA.values(), ids=LARGE_DATA)
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_data_count_as_memory_before_they_take_any(engine: EngineName, text: str, cpsconv: Run) -> None:
    Path("large.c").write_text(text)
    assert cpsconv("run", "large.c", "--engine", engine, "--max-memory", "50M", "-w") == (
        3,
        "",
        f"runtime error: the program takes more than 50 MiB of memory\n{MEMORY_HELP}",
    )


ENDLESS_MEMORY = {
    "small pieces": "for (;;) *(char *)malloc(1) = 1;",
    "a list": "for (;;) { void **next = malloc(100); *next = last; last = next; }",
    "larger and larger": "for (unsigned n = 1000;; n += n / 2) last = realloc(last, n);",
    "large frames": "large(1);",
    "arrays of variable length": "variable(1);",
    "a large object that nothing accesses": "last = calloc(100000000, 4);",
    "threads": "pthread_t thread; for (;;) pthread_create(&thread, 0, forever, 0);",
}


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_all_kinds_of_memory_are_limited(engine: EngineName) -> None:
    """Threads, whose library is large, with one engine: the library, a program like others, allocates their memory."""
    threads = {"threads"} if engine != "machine" else set()
    before = """#include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        void **last; void *forever(void *p) { for (;;); }
        int large(int n) { volatile int a[10000]; a[n] = n; return large(n + 1) + a[n]; }
        int variable(int n) { volatile char a[n]; a[0] = n; return variable(n + 1000) + a[0]; }"""
    cases = [f'puts("begin"); {ENDLESS_MEMORY[kind]}' for kind in ENDLESS_MEMORY.keys() - threads]
    error = "MemoryLimit: runtime error: the program takes more than 256 KiB of memory\n"
    for output, errors, end in seen_each(cases, before, engine, Limits(max_memory=1 << 18)):
        assert (output, errors) == (b"begin\n", b"") and end.startswith(error)


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_frames_that_a_jump_leaves_take_no_memory_and_their_output_counts(engine: EngineName, cpsconv: Run) -> None:
    Path("jumps.c").write_text(
        """#include <setjmp.h>
        #include <stdio.h>
        jmp_buf place; int rounds;
        int f(int n) {
            volatile char a[10000];
            a[n] = n;
            if (n % 10 == 0) printf("%d\\n", rounds);
            if (n == 0) longjmp(place, 1);
            return f(n - 1) + a[n];
        }
        int main(void) { setjmp(place); if (++rounds < 100) f(39); return 0; }"""
    )
    run = ["run", "jumps.c", "--engine", engine, "--max-depth", "99"]
    expected = "".join(f"{number}\n" * 4 for number in range(1, 100))
    assert cpsconv(*run, "--max-memory", "24M") == (0, expected, "")
    status, out, _ = cpsconv(*run, "--max-output", "700")
    assert (status, out) == (3, expected[:700])


def test_the_time_before_the_first_instruction_counts(cpsconv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_forever(*_: object) -> None:
        print("x" * 10, end="", flush=True)
        while True:
            pass

    monkeypatch.setattr("cpsconv.cli.run.compiled", compile_forever)
    Path("zero.c").write_text("int main(void) { return 0; }")
    assert cpsconv("run", "zero.c", "--timeout", "0.1") == (3, "", f"{TIME_ERROR.format('0.1 seconds')}")


TIME_ERROR = (
    "runtime error: the program takes more than {} of processor time\n"
    "help: does the program end? --timeout sets the limit\n"
)

ENDLESS_RUNS = {
    "a loop": "for (;;) n++;",
    "a function of the library": "for (;;) n += strlen(text) + atoi(text) + memcmp(text, text, 9);",
    "large copies": "for (;;) { void *a = calloc(1, 9999999); free(memcpy(malloc(9999999), a, 9999999)); free(a); }",
    "long formats": 'for (;;) n += snprintf(text, 9, "%*d", 1000000, 1);',
    "a sort": "for (;;) { int a[100] = {3, 1, 2}; qsort(a, 100, 4, compare); }",
    "calls": "for (;;) n += compare(text, &n);",
    "jumps": "setjmp(place); n++; longjmp(place, 1);",
    "signals that it handles, ignores and blocks": "for (int s = 1; s < 32; s++) signal(s, s % 2 ? handle : SIG_IGN);"
    " sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); for (;;) raise(n % 32);",
    "functions at its exit": "for (n = 0; n < 30; n++) atexit(leave); exit(0);",
    "sleep": "for (;;) sleep(1000);",
}


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_a_run_that_takes_too_much_time_ends_with_its_output(engine: EngineName) -> None:
    headers = "".join(f"#include <{name}.h>\n" for name in ("setjmp", "signal", "stdio", "stdlib", "string", "unistd"))
    functions = """
        unsigned volatile n; char text[] = "123456789"; jmp_buf place; void handle(int number) { n++; }
        int compare(const void *a, const void *b) { return *(char *)a - *(char *)b; } void leave(void) { for (;;) n++; }
    """
    names = [name for name in in_turn([*ENDLESS_RUNS], engine) if engine != "python" or name != "jumps"]
    run = prepared_each([f'printf("begin"); {ENDLESS_RUNS[name]}' for name in names], headers + functions, engine)
    for number, name in enumerate(names, 1):
        streams = [io.BytesIO(), io.BytesIO()]
        with pytest.raises(TimeLimit, match=r"^runtime error: the program takes more than 0.1 seconds of processor"):
            within_time(lambda out, err, number=number: run([number], output=out, errors=err), streams, 0.1)
        assert [stream.getvalue() for stream in streams] == [b"begin", b""], name


def test_an_exception_reaches_the_parent_without_its_context(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        try:
            raise KeyError
        except KeyError:
            raise ValueError from None

    monkeypatch.setitem(copyreg.dispatch_table, ValueError, lambda each: (ValueError, (repr(each.__context__),)))
    with pytest.raises(ValueError, match=r"^None$"):
        within_time(fail, [], 5)


@pytest.mark.parametrize("engine", sample(ENGINES_HERE, 2))
def test_a_run_that_waits_for_its_input_takes_no_time(engine: EngineName, tmp_path: Path) -> None:
    """By default with `machine`, which runs in the limited process as `python` does, and with `llvm`."""
    text = '#include <stdio.h>\nint main(void) { puts("begin"); fflush(stdout); putchar(getchar()); return 4; }'
    words = command(engine, text, tmp_path, "--timeout", "0.8")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdin and started.stdout
        assert started.stdout.readline() == b"begin\n"
        time.sleep(0.9)
        assert started.communicate(b"x", timeout=60)[0] == b"x"
    assert started.returncode == 4


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_the_limit_of_time_does_not_change_other_ends(engine: EngineName, cpsconv: Run) -> None:
    """All ends with the engine `llvm`, which limits the time of a process of its own; each third with the others."""
    programs = {
        "error.c": 'int f(int n) { return 1 / n; } int main(void) { puts("x"); return f(0); }',
        "deep.c": "int f(int n) { return 1 + f(n + 1); } int main(void) { return f(0); }",
        "exit.c": 'int main(void) { puts("x"); exit(7); }',
        "abort.c": 'int main(void) { puts("x"); abort(); }',
        "leak.c": "int main(void) { malloc(3); return 0; }",
        "undefined.c": "int main(void) { int n; return n; }",
    }
    for name, text in programs.items() if engine == "llvm" else in_turn([*programs.items()], engine):
        Path(name).write_text(f"#include <stdio.h>\n#include <stdlib.h>\n{text}")
        run = ["run", name, "-w", "--engine", engine, "--check-leaks", "--max-depth", "300"]
        assert cpsconv(*run, "--timeout", "60") == cpsconv(*run)


def test_the_sandbox_sets_limits_that_other_options_override(cpsconv: Run) -> None:
    Path("lines.c").write_text('#include <stdio.h>\nint main(void) { for (;;) puts("line"); }')
    assert "writes more than 1 MiB" in cpsconv("run", "lines.c", "--sandbox").err
    assert "writes more than 2 KiB" in cpsconv("run", "lines.c", "--sandbox", "--max-output", "2k").err
    assert "writes more than 2 KiB" in cpsconv("run", "--max-output", "2k", "lines.c", "--sandbox").err
    Path("deep.c").write_text("int f(int n) { return 1 + f(n + 1); } int main(void) { return f(0); }")
    assert "more than 100000 calls" in cpsconv("run", "deep.c", "--sandbox").err
    Path("data.c").write_text("char data[300000000]; int main(void) { return data[7]; }")
    assert "more than 512 MiB" in cpsconv("run", "data.c", "--sandbox").err
    Path("loop.c").write_text("int main(void) { for (;;); }")
    assert "more than 0.1 seconds" in cpsconv("run", "loop.c", "--sandbox", "--timeout", "0.1").err


ENDLESS_BY_LANGUAGE = {
    "recursion.c": ("int f(int n) { return 1 + f(n + 1); }\nint main(void) { return f(0); }\n", "calls"),
    "recursion.cps": (
        "main(ret : int → ⊥) → ⊥ {\n  let\n    k := (a : int) → ⊥\n      ret(a + 1)\n  in\n  main(k)\n}\n",
        "calls",
    ),
    "recursion.bril": ("@f {\n  call @f;\n  v: int = const 1;\n  print v;\n}\n@main {\n  call @f;\n}\n", "calls"),
    "recursion.mod": (
        "MODULE R;\nPROCEDURE P(a: INTEGER): INTEGER;\nBEGIN\n  RETURN P(a + 1) + 1\nEND P;\nEND R.\n",
        "calls",
    ),
    "output.bril": ("@main {\n.a:\n  v: int = const 1;\n  print v;\n  jmp .a;\n}\n", "writes"),
    "output.cps": ('main() → ⊥ {\n  printf("%2000000000s", "x");\n  main()\n}\n', "writes"),
    "memory.bril": ("@main {\n.a:\n  v: int = const 99999;\n  p: ptr<int> = alloc v;\n  jmp .a;\n}\n", "memory"),
    "loop.while": ("while true do skip\n", "time"),
}


@each_in_turn(name=[*ENDLESS_BY_LANGUAGE], compiler=ENGINE_NAMES[1:])
def test_the_sandbox_ends_programs_of_every_language_alike(name: str, compiler: EngineName, cpsconv: Run) -> None:
    text, limit = ENDLESS_BY_LANGUAGE[name]
    Path(name).write_text(text, encoding="utf-8")
    options = ["--sandbox", "--max-depth", "999", "--max-output", "2k", "--max-memory", "24M"]
    options += ["--timeout", "0.1"] if limit == "time" else []
    arguments = ["1"] if name.endswith(".mod") else []
    runs = [cpsconv("run", "-w", "--engine", engine, *options, name, *arguments) for engine in ("machine", compiler)]
    if name.endswith(".cps"):
        runs.append(cpsconv("eval", *options, name))
    assert {run.status for run in runs} == {3}
    assert len({run.err for run in runs}) == len({run.out for run in runs}) == 1
    message = {"calls": "999 calls are pending", "writes": "writes more than 2 KiB", "memory": "24 MiB of memory"}
    assert message.get(limit, "0.1 seconds of processor time") in runs[0].err


@pytest.mark.parametrize(
    "option", [["--timeout", "0"], ["--timeout", "nan"], ["--timeout", "1s"], ["--max-output", "-1"]]
)
def test_limits_are_numbers(option: list[str], cpsconv: Run) -> None:
    assert cpsconv("run", "any.c", *option).status == 2


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
