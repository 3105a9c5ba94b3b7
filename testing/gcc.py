"""The judge: what C programs do when gcc compiles them."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from testing.expectations import Observation, Status, has_main

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc, by which the expectations are judged, is not installed")

# What a program printed before `abort()` counts, and would be lost in the buffer of a pipe.
_UNBUFFERED = """
#include <stdio.h>
__attribute__((constructor)) static void unbuffered(void) { setvbuf(stdout, NULL, _IONBF, 0); }
"""

_HEADERS = "".join(
    f"#include <{name}.h>\n"
    for name in ["assert", "limits", "math", "stdbool", "stdio", "stdlib", "stdnoreturn", "string"]
)

_FUNCTION = re.compile(r"^[A-Za-z_][\w ]*[ *](\w+)\((?:[^;{]*|[\w, ]*\)[^{=\n]*)\{", re.MULTILINE)
"""A function that is defined, at the beginning of a line; also in the old style, with declarations before the body."""

_ALONE = re.compile(
    r"^(# *(define|undef|pragma|include <tgmath)|int strlen\()|\bmain\((?!void\)|\))"
    r"|__attribute__|\[\[|\basm\b|__func__|_Thread_local",
    re.MULTILINE,
)
"""What depends on names, a declaration unlike the header's, or a `main` with arguments: it is compiled alone."""

_TAG = re.compile(r"\b(?:struct|union|enum) (\w+) {")
_WORD = re.compile(r"\b[A-Za-z]\w*\b")

_MAIN = re.compile(r"(^int main\([^{]*\{\n.*?^)\}", re.MULTILINE | re.DOTALL)
"""`main` up to its last brace, where C returns 0. A function with another name has to say so."""

# gcc 12 takes `0.0 - i`, with an integer `i`, for `-(double)i`, which is -0.0 where `i` is 0; IEEE 754 has 0.0. With
# -frounding-math it computes what the source says, and rounds as it does by default.
_MEANING = ("-std=gnu17", "-O0", "-fwrapv", "-frounding-math")

SANITIZERS = ["-fsanitize=address,undefined", *(["-fuse-ld=gold"] if shutil.which("ld.gold") else [])]
"""The options that find faults at run time. The linker gold takes half the time of the default."""

_SECONDS = 60
_CONVERSIONS = {"int": "%d", "unsigned": "%u", "long": "%ld", "double": "%g"}


def compile_c(text: str, folder: Path, *options: str) -> Path:
    """Compile a program; the executable is in `folder`. Raises `CalledProcessError` if gcc finds fault with it."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text + _UNBUFFERED)
    assert GCC is not None
    command = [GCC, *_MEANING, *options, str(source), "-o", str(program), "-lm"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return program


def observe(program: Path, arguments: Sequence[str] = (), given: bytes = b"", seconds: float = _SECONDS) -> Observation:
    """Run an executable with standard input. Raises `TimeoutExpired` if it goes on for long."""
    ended = subprocess.run([program, *arguments], capture_output=True, timeout=seconds, input=given)
    return Observation(ended.stdout.decode("latin-1"), _status(ended.returncode))


def _status(code: int) -> Status:
    if code >= 0:
        return code
    return {signal.SIGABRT: "abort", signal.SIGFPE: "error"}[signal.Signals(-code)]  # type: ignore[return-value]


def with_main(text: str, arguments: Sequence[str]) -> str:
    """The program itself if it has a `main`; else with one that prints the value of the last function."""
    if has_main(text):
        return text
    result, name = re.findall(r"^(\w+) (\w+)\(.*\) {$", text, re.MULTILINE)[-1]
    call = f'printf("{_CONVERSIONS[result]}\\n", {name}({", ".join(arguments)}))'
    return f"{text}\n#include <stdio.h>\nint main(void) {{ {call}; return 0; }}\n"


def observe_all(
    texts: Sequence[str], folder: Path, *options: str, given: Sequence[bytes] | None = None
) -> list[Observation]:
    """What many programs do, each of which has a `main`. One compiler run compiles all of them, under other names.

    Each reads what is `given` for it.

    Programs that depend on their names are compiled one by one.
    """
    included = [line for text in texts for line in re.findall("^# *include <.*>", text, re.MULTILINE)]
    together, choice = [_HEADERS, *dict.fromkeys(included)], []
    known = _known("\n".join(together))
    for number, text in enumerate(texts):
        if _ALONE.search(text):
            continue
        (folder / f"p{number}.c").write_text(_MAIN.sub(r"\1    return 0;\n}", text))
        names = sorted({"main", *_FUNCTION.findall(text), *_TAG.findall(text)} | ({*_WORD.findall(text)} - known))
        together += [f"#define {name} p{number}_{name}" for name in names]
        together += [f'#include "p{number}.c"', *(f"#undef {name}" for name in names)]
        choice.append(f"    if (n == {number}) return p{number}_main();")
    together += ["int main(int c, char **v) {", "    int n = atoi(v[c - 1]);", *choice, "    return 0;", "}"]
    alone = folder / "alone"
    alone.mkdir(exist_ok=True)
    program = compile_c("\n".join(together), folder, *options)
    return [
        observe(compile_c(text, alone, *options), (), read)
        if _ALONE.search(text)
        else observe(program, [str(number)], read)
        for number, (text, read) in enumerate(zip(texts, given or [b""] * len(texts), strict=True))
    ]


@cache
def _known(headers: str) -> set[str]:
    """The keywords, and the names that headers declare or define: of short ones, which are parameters, the structs."""
    command = ["gcc", "-std=gnu17", "-E", "-P", "-dD", "-"]
    expanded = subprocess.run(command, input=headers, check=True, capture_output=True, text=True).stdout
    tags = re.findall(r"\bstruct (\w+)", expanded)
    return {*_KEYWORDS.split(), *tags, *(word for word in _WORD.findall(expanded) if len(word) > 2)}


_KEYWORDS = """I auto break case char const continue default defined do double else elif endif enum error extern
float for goto if ifdef ifndef include inline int long register restrict return short signed sizeof static struct
switch typedef typeof union unsigned void volatile while"""
