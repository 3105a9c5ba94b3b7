"""Measures the preprocessor of C beside pcpp and gcc, on the system's headers and on a generated file of macros.

    python benchmarks/preprocessor.py --repeat 3

Prints a Markdown table: for each text the processor's seconds in our preprocessor (the fastest run), how many times as
long the others take, and whether our tokens are those of ``gcc -E``. pcpp is no dependency of cpsconv: ``pip install
pcpp``.
"""

from __future__ import annotations

import argparse
import gc
import io
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from math import nan
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import read_source
from cpsconv.languages.c.preprocessor import Settings, preprocessed, preprocessing
from cpsconv.languages.c.preprocessor.tokens import TOKEN

HEADERS = ["stdio", "stdlib", "string", "math", "ctype", "time", "errno", "limits", "signal", "locale", "wchar"]
HEADERS += ["unistd", "fcntl", "pthread", "netdb", "dirent", "sys/wait"]


def headers(repetitions: int) -> str:
    """A program that includes the system's headers, and uses some of their macros."""
    uses = "".join(
        f"int f{n}(int c) {{ return isatty(c) ? EOF : WEXITSTATUS(c) + {n}; }}\n" for n in range(repetitions)
    )
    return "".join(f"#include <{name}.h>\n" for name in HEADERS) + uses


def macros(size: int) -> str:
    """A program of functions that use macros with parameters, nested, with ``#`` and ``##``, under conditions."""
    head = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define CAT(a, b) a##b\n#define NAME(n) CAT(f, n)\n"
    return head + "".join(
        f"#define LIMIT_{n} {n}\n#if LIMIT_{n} % 2 && defined MAX\nint NAME({n})(int x) {{\n"
        f"    int y = x * 3 + 7, z = y - x;\n    return MAX(MAX(x, LIMIT_{n}), MAX(y, z));\n}}\n"
        f"#else\nint NAME({n});\n#endif\n"
        for n in range(size)
    )


def folders() -> list[str]:
    """The folders in which gcc searches headers."""
    command = ["gcc", "-E", "-Wp,-v", "-x", "c", "/dev/null"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return [line.strip() for line in listed.splitlines() if line.startswith(" /")]


def by_us(path: str) -> str:
    """The text that our preprocessor gives."""
    with preprocessing(Settings(folders())):
        return preprocessed(read_source(path), []).text


def by_gcc(path: str) -> str:
    """The text that gcc gives."""
    return subprocess.run(["gcc", "-E", "-P", path], capture_output=True, text=True, check=True).stdout


def by_pcpp(path: str) -> str:
    """The text that pcpp gives."""
    from pcpp import Preprocessor  # type: ignore[import-not-found,import-untyped,unused-ignore]

    processor = Preprocessor()
    dump = subprocess.run(["gcc", "-dM", "-E", "-x", "c", "/dev/null"], capture_output=True, text=True, check=True)
    for line in dump.stdout.splitlines():
        processor.define(line.removeprefix("#define "))
    for folder in folders():
        processor.add_path(folder)
    processor.parse(Path(path).read_text(), path)
    out = io.StringIO()
    processor.write(out)
    return out.getvalue()


def tokens(text: str) -> list[str]:
    """The tokens of preprocessed text, without line markers."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("#"))
    return [match[2] for match in TOKEN.finditer("\n".join(lines)) if match[2]]


def fastest(work: Callable[[str], object], path: str, repeat: int) -> float:
    """The processor's seconds in the fastest run: other processes matter less for them than for the clock's."""
    times = []
    for _ in range(repeat):
        start = processor_seconds()
        work(path)
        times.append(processor_seconds() - start)
    return min(times)


def processor_seconds() -> float:
    """The seconds that this process and its children have taken."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs; the fastest counts (default: 3)")
    given = parser.parse_args()
    gc.set_threshold(500_000)  # as the command line does
    print("| text | cpsconv | pcpp | gcc | tokens | as gcc |\n|---|--:|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (
            ("headers", headers(1000)),
            ("macros, 1,000", macros(1000)),
            ("macros, 4,000", macros(4000)),
        ):
            path = str(Path(folder, "program.c"))
            Path(path).write_text(text)
            own = fastest(by_us, path, given.repeat)
            others = [
                fastest(by_pcpp, path, given.repeat) if find_spec("pcpp") else nan,
                fastest(by_gcc, path, given.repeat),
            ]
            found, expected = tokens(by_us(path)), tokens(by_gcc(path))
            cells = [f"{own:.2f} s", *(f"{other / own:.2f} ×" for other in others), f"{len(found):,}"]
            print(f"| {name} | {' | '.join(cells)} | {'yes' if found == expected else 'no'} |", flush=True)


if __name__ == "__main__":
    main()
