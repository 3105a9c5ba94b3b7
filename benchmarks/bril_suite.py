"""Bril's own programs, and generated ones, under cpsconv and under Bril's own tools.

    python benchmarks/bril_suite.py CHECKOUT                        # all engines and strategies, without Bril's tools
    python benchmarks/bril_suite.py CHECKOUT --brili "deno run -A CHECKOUT/brili.ts" --brilck "deno run -A …/brilck.ts"
    python benchmarks/bril_suite.py CHECKOUT --brili "…" --generated 2000

CHECKOUT is a clone of https://github.com/sampsyo/bril. Each program of its benchmarks and of its interpreter's tests is
run under each engine and strategy, and compared with the expected output and count of instructions. With ``--brili``,
it is written as Bril in SSA form and out of it, without and with ``-O``, and run by Bril's interpreter; the table has
the counts, beside those of Bril's ``to_ssa.py`` and ``from_ssa.py``. With ``--generated``, random programs are compared
instead.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cpsconv import DiagnosticError, Source, convert  # noqa: E402
from cpsconv.cli import main as cpsconv  # noqa: E402
from cpsconv.core.construction import STRATEGIES  # noqa: E402
from cpsconv.core.source import read_source  # noqa: E402
from cpsconv.engines import ENGINES  # noqa: E402
from cpsconv.pipeline import OPTIMISATIONS  # noqa: E402
from cpsconv.targets.bril import bril_json  # noqa: E402
from testing.bril_generator import Generator  # noqa: E402
from testing.bril_text import in_json  # noqa: E402
from testing.choices import Rolled  # noqa: E402

FORMS = [(form, optimise) for optimise in ((), tuple(OPTIMISATIONS)) for form in ("SSA", "copies")]
LONG = 1_000_000
"""The number of instructions from which a program is not run by Bril's interpreter or the machine, which are slow."""

Result = tuple[int, str, str]
"""Exit status, output, and the last line on standard error."""


def run(*words: str) -> Result:
    """The result of a command of cpsconv, in this process."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    sys.stdout, sys.stderr = out, err
    try:
        status = cpsconv(words)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    assert isinstance(out.buffer, io.BytesIO)
    return status, out.buffer.getvalue().decode("utf-8", "replace"), (err.getvalue().splitlines() or [""])[-1]


def interpreted(command: str, program: str, arguments: Sequence[str] = ()) -> Result:
    """The result of Bril's interpreter, which counts instructions, for a program in JSON."""
    done = subprocess.run([*shlex.split(command), "-p", *arguments], input=program.encode(), capture_output=True)
    error = done.stderr.decode("utf-8", "replace").splitlines() or [""]
    return done.returncode, done.stdout.decode("utf-8", "replace"), error[-1]


def count_of(line: str) -> int:
    """The count in the last line on standard error."""
    return int(line.removeprefix("total_dyn_inst: "))


# -------------------------------------------------------------------------------------------- the public programs


class Public:
    """A program of the checkout: its file, arguments, expected output, and count of instructions, if stated."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path, self.name = path, str(path.relative_to(root))
        stated = re.search(r"^#\s*ARGS:(.*)$", path.read_text(), re.M)
        self.arguments = stated[1].split() if stated and "linking" not in path.parts else []
        expected, profile = path.with_suffix(".out"), path.with_suffix(".prof")
        self.output = expected.read_bytes().decode() if expected.exists() else None
        self.is_error = "interp-error" in path.parts
        self.count = count_of(profile.read_text().strip()) if profile.exists() else None

    def is_as_expected(self, result: Result) -> bool:
        """Whether the status, output and count are those expected; of an error, the status."""
        status, output, last = result
        if self.is_error:
            return status == 2
        is_same = self.output is None or output == self.output
        return status == 0 and is_same and (self.count is None or last == f"total_dyn_inst: {self.count}")


def public(root: Path) -> list[Public]:
    """The programs of the checkout. Programs without an expected output or error are omitted."""
    paths = [
        *root.glob("benchmarks/**/*.bril"),
        *root.glob("test/interp*/**/*.bril"),
        *root.glob("test/linking/*.bril"),
    ]
    found = [Public(path, root) for path in sorted(paths)]
    return [each for each in found if each.output is not None or each.is_error]


def measure_runs(programs: Sequence[Public]) -> None:
    """Run each program under each engine with each strategy, and print the numbers of correct runs and the others."""
    correct: Counter[tuple[str, str]] = Counter()
    for program in programs:
        for engine in ENGINES:
            for strategy in STRATEGIES if (program.count or 0) < LONG else ["scc"]:
                if engine != "llvm" and (program.count or 0) >= 20 * LONG:
                    continue
                options = ["--profile", "-Wno-all", "--engine", engine, "--strategy", strategy]
                result = run("run", *options, str(program.path), "--", *program.arguments)
                correct[engine, strategy] += program.is_as_expected(result)
                if not program.is_as_expected(result):
                    print(f"{program.name} {engine} {strategy}: {result[0]} {result[2][:150]}", flush=True)
    print(f"{len(programs)} programs; correct runs:", {" ".join(key): count for key, count in correct.items()})


def measure_forms(root: Path, programs: Sequence[Public], brili: str, brilck: str | None) -> None:
    """Write each program as Bril, check it, run it, and print the counts of instructions and of φ functions."""
    ratios: dict[str, list[float]] = {}
    totals: Counter[str] = Counter()
    for program in programs:
        if program.is_error or not program.count or program.count >= LONG:
            continue
        try:
            counts = _counts(root, program, brili, brilck)
        except DiagnosticError as failure:
            print(f"{program.name}: {failure.diagnostics[0].message}")
            continue
        totals.update(counts)
        totals["programs"] += 1
        for name, count in counts.items():
            if not name.startswith("φ"):
                ratios.setdefault(name, []).append(count / program.count)
    print(dict(totals))
    for name, values in ratios.items():
        print(f"{name:24} {exp(sum(map(log, values)) / len(values)):.3f} × the instructions of the source")


def _counts(root: Path, program: Public, brili: str, brilck: str | None) -> dict[str, int]:
    source = read_source(str(program.path))
    constructed = convert(source)
    found = {"source": program.count or 0, "φ kept": sum(each.kept for each in constructed.counts.values())}
    found["φ placed"] = sum(each.placed for each in constructed.counts.values())
    for form, optimise in FORMS:
        written = bril_json(convert(source, optimise=optimise), out_of_ssa=form == "copies")
        if brilck:
            checked = subprocess.run(shlex.split(brilck), input=written.encode(), capture_output=True)
            if checked.stdout or checked.stderr:
                print(f"{program.name} {form} {optimise}: brilck {(checked.stdout + checked.stderr)[:200]!r}")
        status, output, last = interpreted(brili, written, program.arguments)
        if (status, output) != (0, program.output):
            print(f"{program.name} {form} {optimise}: {status} {last[:150]}", flush=True)
        else:
            found[f"{form}{' -O' if optimise else ''}"] = count_of(last)
    original = bril2json(root, source.text)
    for name, scripts in (("to_ssa.py", ["to_ssa.py"]), ("to_ssa, from_ssa", ["to_ssa.py", "from_ssa.py"])):
        text = original
        for script in scripts:
            words = [sys.executable, str(root / "examples" / script)]
            text = subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout
        if name == "to_ssa.py":
            found["φ of to_ssa.py"] = text.count('"op": "get"')
        status, output, last = interpreted(brili, text, program.arguments)
        if status == 0:
            found[name] = count_of(last)
    return found


def bril2json(root: Path, text: str) -> str:
    """The program in JSON, by Bril's own parser."""
    words = [sys.executable, "-c", "import briltxt; briltxt.bril2json()"]
    path = {**os.environ, "PYTHONPATH": str(root / "bril-txt")}
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True, env=path).stdout


# -------------------------------------------------------------------------------------------- generated programs


def options_of() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Engine, strategy and further options, for one program after the other."""
    while True:
        for strategy in STRATEGIES:
            for engine in ENGINES:
                yield engine, strategy, ()
                yield engine, strategy, ("-O",)


def compare_generated(count: int, seed: int, brili: str) -> None:
    """Compare generated programs with Bril's interpreter, as they are and as `--emit bril` writes them."""
    ends: Counter[str] = Counter()
    differences = 0
    with TemporaryDirectory() as folder:
        path = Path(folder, "p.bril")
        for number, (engine, strategy, further) in zip(range(seed, seed + count), options_of(), strict=False):
            text = Generator(Rolled(Random(number))).program()
            path.write_text(text, encoding="utf-8")
            options = ["--engine", engine, "--strategy", strategy, *further, "--profile", "-Wno-all"]
            status, output, last = run("run", *options, str(path))
            wanted = interpreted(brili, in_json(text))
            is_same = (status, output) == wanted[:2] and (status != 0 or last == wanted[2])
            optimise = tuple(OPTIMISATIONS) if further else ()
            program = convert(Source("p.bril", text), strategy=strategy, optimise=optimise)
            again = interpreted(brili, bril_json(program, out_of_ssa=bool(number % 2)))
            ends["done" if status == 0 else wanted[2].removeprefix("error: ").split(" ")[0]] += 1
            if not is_same or again[:2] != wanted[:2]:
                differences += 1
                what = "run" if not is_same else "--emit bril"
                print(f"seed {number} {what} {' '.join(options)}: {status} {last!r} {again} {wanted}", flush=True)
    print(f"{count} programs, {differences} differences; ends: {dict(ends)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--brili", metavar="COMMAND", help="what runs Bril's interpreter")
    parser.add_argument("--brilck", metavar="COMMAND", help="what runs Bril's type checker")
    parser.add_argument("--generated", type=int, metavar="N", help="compare N generated programs instead")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    folders = (given.checkout / "benchmarks" / "core", given.checkout / "test" / "linking")
    os.environ["BRIL_PATH"] = os.pathsep.join(map(str, folders))
    if given.generated:
        compare_generated(given.generated, given.seed, given.brili)
    elif given.brili:
        measure_forms(given.checkout, public(given.checkout), given.brili, given.brilck)
    else:
        measure_runs(public(given.checkout))
