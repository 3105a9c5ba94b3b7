"""Compares the functions of C projects with LLVM's φ form, and measures the programs that are built from them.

    python benchmarks/projects.py 'zlib: -I zlib -DHAVE_HIDDEN zlib/*.c zlib/test/minigzip.c'
    python benchmarks/projects.py 'zlib: -I zlib zlib/*.c zlib/test/minigzip.c' --run '-9' --input large.tar

An argument is a project: its name, options of the preprocessor (`-I`, `-D`, `-include`) and of the linker (`-l`), and
its files, in which `*` stands for any characters. The table is that of Braun et al. (Table 1), with a row for each
project, or for each file with `--files`: instructions, of these allocations, loads and stores, and φ functions before
SSA construction (all variables in memory), after LLVM's passes SROA and mem2reg, and of the program of cpsconv, written
as LLVM IR. The parameters of cpsconv are those that are no results of calls. A list of the functions with more
parameters than φ functions follows; those that have more because of bit-fields are marked.

With `--run`, the files of each project are one program. The second table has its run time with those arguments, of the
program that gcc -O1 compiled, as C that cpsconv wrote and gcc -O1 compiled, and as LLVM IR that cpsconv wrote and LLVM
compiled. Time is that of the processor, the fastest of some rounds; all must have the same output.
"""

from __future__ import annotations

import argparse
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.promotion import phis, placed, unpromoted, without_bit_fields
from cpsconv import Program, Source, convert
from cpsconv.languages.c.preprocessor.settings import Settings, preprocessing
from cpsconv.languages.permissions import permitting
from cpsconv.targets.c import c
from cpsconv.targets.llvm import llvm
from testing.native import object_code

_MEMORY = {"alloca", "load", "store"}


@dataclass
class Project:
    """A project: the files, the options of the preprocessor, and those of the linker."""

    name: str
    files: list[Path]
    settings: Settings
    libraries: list[str]

    def source(self, file: Path) -> Source:
        """The text of a file."""
        return Source(str(file), file.read_text(encoding="utf-8", errors="surrogateescape"))

    def convert(self, file: Path) -> Program:
        """The program of a file."""
        with preprocessing(self.settings):
            return convert(self.source(file))


def project(text: str) -> Project:
    """The project of an argument. Raises `ArgumentTypeError` without a name, or if a file does not exist."""
    name, colon, rest = text.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f"{text!r} is not `NAME: OPTIONS FILES`")
    options = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    options.add_argument("-I", action="append", default=[], dest="folders")
    options.add_argument("-D", action="append", default=[], dest="macros")
    options.add_argument("-include", action="append", default=[], dest="included")
    options.add_argument("-l", action="append", default=[], dest="libraries")
    options.add_argument("patterns", nargs="*")
    given = options.parse_intermixed_args(shlex.split(rest))
    files = [Path(found) for pattern in given.patterns for found in sorted(glob(pattern)) or [pattern]]
    for file in files:
        if not file.exists():
            raise argparse.ArgumentTypeError(f"{file} does not exist")
    settings = Settings(given.folders, [f"-D{each}" for each in given.macros], given.included)
    return Project(name, files, settings, [f"-l{each}" for each in given.libraries])


# ------------------------------------------------------------------------------------------- parameters and φ functions


@dataclass
class Row:
    """Numbers of a file or project: instructions, accesses of memory and φ functions, before and after construction."""

    functions: int = 0
    before: tuple[int, int, int] = (0, 0, 0)
    after: tuple[int, int, int] = (0, 0, 0)
    ours: tuple[int, int, int] = (0, 0, 0)

    def __add__(self, other: Row) -> Row:
        before, after, ours = (
            tuple(map(sum, zip(*pair, strict=True)))
            for pair in ((self.before, other.before), (self.after, other.after), (self.ours, other.ours))
        )
        return Row(self.functions + other.functions, before, after, ours)  # type: ignore[arg-type]

    def cells(self) -> list[str]:
        """The cells of a row of the table."""
        numbers = [f"{number:,}" for numbers in (self.before, self.after, self.ours) for number in numbers]
        return [f"{self.functions:,}", *numbers, f"{self.ours[0] / max(1, self.before[0]):.0%}"]


_TITLES = [
    "functions",
    *(f"{when}: {what}" for when in ("before", "LLVM", "cpsconv") for what in ("#insn", "#mem", "#φ")),
]
_TITLES[-1] = "cpsconv: #parameters"


def counted(own: Project, file: Path) -> tuple[Row, list[str]]:
    """The numbers of a file, and its functions with more parameters than φ functions."""
    program = own.convert(file)
    with preprocessing(own.settings):
        before = unpromoted(own.source(file))
    parameters = {each.name: placed(each) for each in program.functions}
    found = phis(before)
    worse = [name for name, number in parameters.items() if number > found.get(name, 0)]
    with without_bit_fields():
        fewer = {each.name: placed(each) for each in own.convert(file).functions} if worse else {}
    lines = [
        f"{file.name}: {name}: {parameters[name]} parameters, {found.get(name, 0)} φ functions"
        + (" (bit-fields)" if fewer[name] <= found.get(name, 0) else "")
        for name in worse
    ]
    instructions, accesses, _ = _opcodes(llvm(program))
    numbers = instructions, accesses, sum(parameters.values())
    return Row(len(parameters), _opcodes(llvm(before)), _opcodes(llvm(before), promoted=True), numbers), lines


def _opcodes(text: str, *, promoted: bool = False) -> tuple[int, int, int]:
    """The number of all instructions, of accesses of memory, and of φ functions, in the functions of the program."""
    from llvmlite import binding

    from cpsconv.lab.baselines.llvm import pass_builder

    module, counts = binding.parse_assembly(text), [0, 0, 0]
    with binding.create_new_function_pass_manager() as passes:
        passes.add_sroa_pass()
        for function in module.functions:
            is_own = function.name.startswith(("cpsconv.by_pointers.", "cpsconv.inner."))
            is_helper = function.name.startswith("cpsconv.") and not is_own
            if function.is_declaration or is_helper:
                continue
            if promoted:
                passes.run(function, pass_builder())
            for block in function.blocks:
                for instruction in block.instructions:
                    counts[0] += 1
                    counts[1] += instruction.opcode in _MEMORY
                    counts[2] += instruction.opcode == "phi"
    return counts[0], counts[1], counts[2]


def print_parameters(projects: Sequence[Project], by_file: bool) -> bool:
    """Print the table of instructions and parameters. Returns whether no function has more parameters than φs."""
    print(f"| project | {' | '.join(_TITLES)} | ratio |\n|{'---|' * (len(_TITLES) + 2)}", flush=True)
    worse: list[str] = []
    for own in projects:
        total = Row()
        for file in own.files:
            row, lines = counted(own, file)
            total += row
            worse += lines
            if by_file:
                print(f"| {file.name} | {' | '.join(row.cells())} |", flush=True)
        print(f"| {own.name} | {' | '.join(total.cells())} |", flush=True)
    print("", f"{len(worse)} functions have more parameters than φ functions", *worse, sep="\n", flush=True)
    return not worse


# ------------------------------------------------------------------------------------------------------------ run time


def by_gcc(own: Project, folder: Path) -> list[Path]:
    """The object files of gcc -O1."""
    options = [*(f"-I{each}" for each in own.settings.folders), *own.settings.macros]
    options += [part for each in own.settings.included for part in ("-include", each)]
    return [*_by_gcc([(file, folder / f"{at}.o") for at, file in enumerate(own.files)], options)]


def by_c(own: Project, folder: Path) -> list[Path]:
    """The object files of the written C, compiled by gcc -O1."""
    jobs = []
    for at, file in enumerate(own.files):
        written = folder / f"{at}.c"
        written.write_text(c(own.convert(file)))
        jobs.append((written, folder / f"{at}.o"))
    return [*_by_gcc(jobs, ["-fwrapv"])]


def _by_gcc(jobs: Sequence[tuple[Path, Path]], options: Sequence[str]) -> Iterator[Path]:
    for source, object in jobs:
        subprocess.run(["gcc", "-O1", "-w", "-c", *options, "-o", object, source], check=True)
        yield object


def by_llvm(own: Project, folder: Path) -> list[Path]:
    """The object files of the written LLVM IR, compiled by LLVM."""
    objects = []
    for at, file in enumerate(own.files):
        objects.append(folder / f"{at}.o")
        objects[-1].write_bytes(object_code(llvm(own.convert(file))))
    return objects


WAYS = {"`gcc -O1`": by_gcc, "`--emit c`": by_c, "`--emit llvm`": by_llvm}


def print_times(projects: Sequence[Project], arguments: Sequence[str], input: Path | None, rounds: int) -> None:
    """Print the table of run times."""
    print(f"\n| project | {' | '.join(WAYS)} |\n|{'---|' * (len(WAYS) + 1)}", flush=True)
    for own in projects:
        with tempfile.TemporaryDirectory() as folder:
            programs = [_built(own, way, Path(folder) / f"way{at}") for at, way in enumerate(WAYS)]
            times = _fastest(programs, arguments, input, rounds)
        ratios = [f"{time / times[0]:.2f} ×" for time in times[1:]]
        print(f"| {own.name} | {' | '.join([f'{times[0]:.2f} s', *ratios])} |", flush=True)


def _built(own: Project, way: str, folder: Path) -> Path:
    folder.mkdir()
    program = folder / "program"
    subprocess.run(["gcc", "-o", program, *WAYS[way](own, folder), *own.libraries], check=True)
    return program


def _fastest(programs: Sequence[Path], arguments: Sequence[str], input: Path | None, rounds: int) -> list[float]:
    """The shortest time of each program. Raises `AssertionError` if the outputs differ."""
    best, outputs = [float("inf")] * len(programs), set[bytes]()
    for _ in range(rounds):
        for at, program in enumerate(programs):
            start = _used()
            with open(input or "/dev/null", "rb") as stdin:
                done = subprocess.run([program, *arguments], stdin=stdin, capture_output=True, check=True)
            best[at] = min(best[at], _used() - start)
            outputs.add(done.stdout)
            assert len(outputs) == 1, f"{program}: another output"
    return best


def _used() -> float:
    """The processor time of all child processes so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    """Run the command. Returns the exit status."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=project, nargs="+", metavar="PROJECT", help="NAME: OPTIONS FILES")
    parser.add_argument("--files", action="store_true", help="a row for each file, too")
    parser.add_argument("--run", type=shlex.split, metavar="ARGUMENTS", help="build the programs, and measure a run")
    parser.add_argument("--input", type=Path, help="the standard input of the run")
    parser.add_argument("--rounds", type=int, default=5, help="the number of runs (5)")
    given = parser.parse_args()
    with permitting("/"):  # files of a project include files of other folders
        is_as_good = print_parameters(given.projects, given.files)
        if given.run is not None:
            print_times(given.projects, given.run, given.input, given.rounds)
    return 0 if is_as_good else 1


if __name__ == "__main__":
    sys.exit(main())
