"""Measures the conversion of a large C file to CPS text, against baselines that do less.

    python benchmarks/conversion.py
    python benchmarks/conversion.py --kilobytes 1000 --repeat 1

The file repeats the programs in `examples/`, preprocessed, each time with other names for their functions. Baselines
are pycparser, which only parses the file, and ppci, which converts it to its own intermediate code and then promotes
variables (C to SSA form); ppci gets the file in slices, since its time grows as the square of their size.
They are no dependencies of cpsconv: ``pip install pycparser ppci``. A row of what is missing says so.

Each measurement is a process of its own, and all take turns. The time is that of the processor, the median of several,
without the start of Python and the imports. Memory is what the process had at most, less what it has after it has
converted a small program. Tokens are counted as our scanner does. The stages of our conversion are measured one by one.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import takewhile
from math import isnan, nan
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from typing import TypeVar

from cpsconv import Builder, Source, convert, pretty, read_source
from cpsconv.core.check import check, warnings_of
from cpsconv.core.grammar import END, tables_of
from cpsconv.languages.c.diagnostics import SyntaxErrors
from cpsconv.languages.c.lowering import lower
from cpsconv.languages.c.meaning import typed
from cpsconv.languages.c.syntax import parse
from cpsconv.languages.c.syntax.tokens import Scanner, Vocabulary
from cpsconv.pipeline import construct

ROOT = Path(__file__).resolve().parent.parent
HEADER = "#include <stdio.h>\n"
PROTOTYPES = "int printf(const char *format, ...);\nint putchar(int c);\n"
"""Replaces the header for baselines without a preprocessor."""
SMALL = "int twice(int x) { return x + x; }\n"
T = TypeVar("T")
Measurement = dict[str, float]

# ------------------------------------------------------------------------------------------------------- the file


def examples() -> list[str]:
    """The programs of `examples/` without comments and directives.

    Left out are those that need a header other than <stdio.h>, have numbers like ``1e9``, which ppci does not read, or
    declare types, which would be declared several times.
    """
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.c"))]
    foreign = re.compile(r"#include <(?!stdio)|\b[0-9.]+e[-+]?[0-9]|^(struct|union|enum|typedef) ", re.MULTILINE)
    return [_preprocessed(text) for text in texts if not foreign.search(text)]


def _preprocessed(text: str) -> str:
    text = re.sub(r"//[^\n]*|/\*.*?\*/|^#[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\n\s*\n+", "\n", text).strip() + "\n"


def large_program(size: int) -> str:
    """A C program of at least that many characters."""
    parts = [HEADER]
    length = 0
    number = 0
    while length < size:
        for text in examples():
            number += 1
            parts.append(_renamed(text, number))
            length += len(parts[-1])
    return "".join(parts)


def _renamed(text: str, number: int) -> str:
    """The program with that number at the names of its functions."""
    names = "|".join({*re.findall(r"^\w[\w ]*?\b(\w+)\(", text, re.MULTILINE)})
    return re.sub(rf"\b({names})\b(?=\()", rf"\1_{number}", text)


# ------------------------------------------------------------------------------------------------- what is measured


def ours(path: str) -> Measurement:
    """The whole of it, as the command line does it."""
    pretty(convert(Source("small.c", SMALL)))
    gc.set_threshold(500_000)
    before = memory()
    seconds = timed(lambda: pretty(convert(read_source(path))))
    return {"seconds": seconds, "bytes": memory() - before}


def stages(path: str) -> Measurement:
    """Each stage by itself."""
    pretty(convert(Source("small.c", SMALL)))
    gc.set_threshold(500_000)
    seconds: Measurement = {}

    def stage(name: str, work: Callable[[], T]) -> T:
        start = time.process_time()
        result = work()
        seconds[name] = time.process_time() - start
        return result

    source = stage("read", lambda: read_source(path))
    tree = stage("parse", lambda: parse(source))
    unit = stage("type", lambda: typed(tree))
    program = stage("construct", lambda: construct(partial(lower, unit), Builder(), []))
    stage("check", lambda: (check(program), warnings_of(program)))
    stage("print", lambda: pretty(program))
    return seconds


def by_pycparser(path: str) -> Measurement:
    """Parsing alone."""
    from pycparser.c_parser import CParser

    text = Path(path).read_text(encoding="utf-8").replace(HEADER, PROTOTYPES)
    CParser().parse(SMALL)
    before = memory()
    return {"seconds": timed(lambda: CParser().parse(text)), "bytes": memory() - before}


def by_ppci(path: str) -> Measurement:
    """From C to SSA form, in slices: for the whole at once ppci takes minutes, since its time grows as the square."""
    from ppci.api import get_arch
    from ppci.lang.c import CBuilder, COptions
    from ppci.opt.mem2reg import Mem2RegPromotor

    def to_ssa(text: str) -> None:
        module = CBuilder(get_arch("x86_64").info, COptions()).build(io.StringIO(text), "program.c")
        Mem2RegPromotor().run(module)

    def all_to_ssa() -> None:
        for _ in range(round(len(read_source(path).text) / len(part))):
            to_ssa(part)

    part = large_program(1).replace(HEADER, PROTOTYPES)
    to_ssa(SMALL)
    return {"seconds": timed(all_to_ssa), "bytes": nan}


def timed(work: Callable[[], object]) -> float:
    """The seconds of processor time that the work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def memory() -> int:
    """The bytes that this process has had at most."""
    return getrusage(RUSAGE_SELF).ru_maxrss * 1024


WORK = {"cpsconv": ours, "stages": stages, "pycparser": by_pycparser, "ppci": by_ppci}
BASELINES = {"pycparser": "pycparser: parse", "ppci": "ppci: C to SSA form, 8 kB at a time"}

# -------------------------------------------------------------------------------------------------------- the table


def measured(names: list[str], path: str, repeat: int) -> dict[str, Measurement]:
    """The median of each measurement, each in a process of its own."""
    found: dict[str, list[Measurement]] = {name: [] for name in names}
    for _ in range(repeat):
        for name in names:
            command = [sys.executable, __file__, "--measure", name, path]
            found[name].append(json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
    return {name: {key: median(each[key] for each in found[name]) for key in found[name][0]} for name in names}


def rows(path: str, repeat: int) -> Iterator[str]:
    """The lines of the table, and of that of the stages."""
    source = read_source(path)
    scanned = Scanner(source, Vocabulary(tables_of("c")), SyntaxErrors()).tokens()
    tokens = sum(1 for _ in takewhile(lambda token: token.type != END, scanned))
    yield f"{len(source.text) / 1000:.0f} kB of C, {tokens:,} tokens\n"
    installed = [name for name in BASELINES if find_spec(name)]
    found = measured(["cpsconv", "stages", *installed], path, repeat)
    own = found["cpsconv"]
    yield "| | time | tokens a second | cpsconv takes | memory a token |\n|---|---|---|---|---|"
    yield row("cpsconv: C to CPS text", own, own, tokens)
    for name, title in BASELINES.items():
        yield row(title, found[name], own, tokens) if name in found else f"| {title} | not installed | | | |"
    stages = found["stages"]
    yield f"\n| {' | '.join(stages)} |\n{'|---' * len(stages)}|"
    yield f"| {' | '.join(f'{seconds:.2f} s' for seconds in stages.values())} |"


def row(title: str, found: Measurement, own: Measurement, tokens: int) -> str:
    """A row of the table."""
    seconds = found["seconds"]
    memory = "" if isnan(found["bytes"]) else f"{found['bytes'] / tokens / 1000:.2f} kB"
    return f"| {title} | {seconds:.2f} s | {tokens / seconds:,.0f} | × {own['seconds'] / seconds:.2f} | {memory} |"


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kilobytes", type=int, default=300, help="size of the file (300)")
    parser.add_argument("--repeat", type=int, default=5, help="number of measurements, of which the median counts (5)")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        name, path = options.measure
        print(json.dumps(WORK[name](path)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(large_program(1000 * options.kilobytes), encoding="utf-8")
        for line in rows(str(path), options.repeat):
            print(line, flush=True)


if __name__ == "__main__":
    main()
